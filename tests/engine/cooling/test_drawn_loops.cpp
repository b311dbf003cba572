// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <random>

#include <rapidcheck.h>

#include "cooling/loop_failures.h"
#include "cooling/pipe_network_heat.h"
#include "engine/cooling/drawn_hall.h"
#include "project/project_file.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool near_to(double got, double wanted, double relative) {
  return std::abs(got - wanted) <= relative * std::max(std::abs(wanted), 1e-12);
}
LoopSolution solved(const Shared<DrawnLoop>& loop, const LoopOperation& operation = {}) {
  LoopSolver solver;
  auto out = solver.solve(loop, operation);
  if (!out) throw std::runtime_error(out.error());
  return *std::move(out);
}
LoopOperation at_speed(double speed) {
  LoopOperation o;
  o.speed = speed;
  return o;
}
/// All sentences of a loop, joined.
std::string sentences(const DrawnLoop& loop) {
  std::string out;
  for (const LoopProblem& p : loop.problems)
    out += p.sentence + "\n";
  return out;
}
bool has_problem(const DrawnLoop& loop, LoopProblemKind kind, const std::string& words) {
  return std::any_of(loop.problems.begin(), loop.problems.end(), [&](const LoopProblem& p) {
    return p.kind == kind && p.sentence.find(words) != std::string::npos && !p.entities.empty();
  });
}
std::map<std::string, double> flows_by_name(const DrawnLoop& loop, const LoopSolution& s) {
  std::map<std::string, double> out;
  for (std::size_t i = 0; i < loop.racks.size(); ++i)
    out[loop.racks[i].name] = s.racks[i].flow_m3_per_s;
  return out;
}
bool all_finite(const LoopSolution& s) {
  bool fine = std::isfinite(s.least_share) && std::isfinite(s.spread) && std::isfinite(s.energy_error) &&
              std::isfinite(s.highest_pressure_pa) && std::isfinite(s.pump_power_w);
  for (const RackFlow& r : s.racks)
    fine = fine && std::isfinite(r.flow_m3_per_s) && std::isfinite(r.supply_c) && std::isfinite(r.return_c) &&
           std::isfinite(r.inlet_pressure_pa) && std::isfinite(r.drop_pa);
  for (const UnitWork& u : s.units)
    fine = fine && std::isfinite(u.flow_m3_per_s) && std::isfinite(u.head_pa) && std::isfinite(u.duty_w) &&
           std::isfinite(u.duty_share) && std::isfinite(u.capacity_w);
  for (const SectionFlow& f : s.sections)
    fine = fine && std::isfinite(f.velocity_m_per_s) && std::isfinite(f.gradient_pa_per_m) &&
           std::isfinite(f.temperature_c);
  return fine;
}

} // namespace

class TestDrawnLoops : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// One rack on one unit. The flow is where the pump curve 4/3 H - H/3 (q/q0)^2 meets the losses, added up here by
  /// hand with Swamee-Jain: within 0.5 % (the friction laws differ by up to 2.7 %, on a quarter of the loss).
  void oneRackByHand() {
    DrawnHall hall;
    hall.add_rack(3000, 0);
    hall.add_pipe("Supply", PipeSide::supply, {{1000, 534}, {4000, 534}}, 77.9, 3000);
    hall.add_pipe("Return", PipeSide::return_, {{1000, 634}, {4000, 634}}, 77.9, 3300);
    hall.add_unit(0, 0);
    // A pump of the size of the loop.
    CoolingPart small = hall.catalog.cooling.front();
    hall.catalog.cooling.clear();
    small.secondary_flow = liters_per_minute(200);
    small.pump_head = kilopascals(150);
    small.capacity = kilowatts(200);
    hall.catalog.cooling.push_back(small);
    const auto loop = hall.loop();
    QVERIFY2(loop->problems.empty(), sentences(*loop).c_str());
    const LoopSolution s = solved(loop, at_speed(1.0));
    const double rho = 1010.6, nu = 1.394e-3 / rho;
    const auto pipe = [&](double q, double length, double bore, double roughness, double k) {
      const double area = M_PI / 4 * bore * bore, v = q / area, re = v * bore / nu;
      const double l = std::log10(roughness / bore / 3.7 + 5.74 / std::pow(re, 0.9));
      return (0.25 / (l * l) * length / bore + k) * rho * v * v / 2;
    };
    // Unit: middle at (450, 600), 1 m high. Its nearest pipe point is the end at 1000. Rack: middle at (3300, 534).
    const double unit_s = std::hypot(550, 66) + 2000, unit_r = std::hypot(550, 34) + 2300;
    const auto loss = [&](double q) {
      return pipe(q, 2.3, 0.0779, 45e-6, 0) * 2 +                                                     // headers
             pipe(q, 2.0, 0.0525, 10e-6, 10.5) + pipe(q, 2.4, 0.0525, 10e-6, 10.5) +                  // hoses
             90e3 * std::pow(q / (153.0 / 60000), 1.893) +                                            // plates
             pipe(q, unit_s * 1e-3, 0.0525, 45e-6, 1.7) + pipe(q, unit_r * 1e-3, 0.0525, 45e-6, 1.7); // unit
    };
    double low = 1e-4, high = 6e-3;
    for (int i = 0; i < 60; ++i) {
      const double q = (low + high) / 2, share = q / (200.0 / 60000);
      ((150e3 * (4.0 / 3 - share * share / 3) > loss(q)) ? low : high) = q;
    }
    QVERIFY2(near_to(s.racks[0].flow_m3_per_s, low, 5e-3),
             qPrintable(QString("%1 against %2").arg(s.racks[0].flow_m3_per_s, 0, 'g', 6).arg(low, 0, 'g', 6)));
    // Heat over flow: 102 kW / (1010.6 x 3958 x q).
    QVERIFY(near_to(s.racks[0].return_c - 40.0, 102e3 / (1010.6 * 3958.0 * s.racks[0].flow_m3_per_s), 1e-9));
    QVERIFY(near_to(s.units[0].duty_w, 102e3, 1e-9));
    QVERIFY(near_to(s.units[0].flow_m3_per_s, s.racks[0].flow_m3_per_s, 1e-9));
    QVERIFY(near_to(s.pump_power_w, s.units[0].flow_m3_per_s * s.units[0].head_pa / (0.75 * 0.92), 1e-9));
  }

  /// The sample with two loops of eight racks and two units each.
  void theSampleIsJoined() {
    const auto parts = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY(parts.has_value());
    const auto read = open_project(HALLWRIGHT_SOURCE_DIR "/projects/nvl72-16-racks.hall.json");
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    const Design& d = read->design;
    DrawnLoopInputs in{d.cooling_plant, d.loops, d.cooling_units, d.racks, d.rack_types,
                       d.rack_items,    d.pipes, share(*parts),   {},      {}};
    const FluidPart* fluid = in.catalog->find<FluidPart>(d.cooling_plant->fluid_part);
    for (const Rack& r : *d.racks) {
      const RackPart* part = in.catalog->find<RackPart>(find(*d.rack_types, r.rack_type)->rack_part);
      const double heat = part && part->liquid_heat ? in_watts(*part->liquid_heat) : 0.0;
      in.coolant.push_back({heat, heat / (base_value(*fluid->density) * base_value(*fluid->specific_heat) *
                                          in_kelvins(d.cooling_plant->supply_rise))});
    }
    const auto loops = drawn_loops(in);
    QCOMPARE(loops.size(), std::size_t(2));
    for (const DrawnLoop& l : loops) {
      QVERIFY2(l.problems.empty(), sentences(l).c_str());
      QCOMPARE(l.racks.size(), std::size_t(8));
      QCOMPARE(l.units.size(), std::size_t(2));
      const auto loop = share(l);
      LoopSolver solver;
      const auto s = solver.solve(loop);
      QVERIFY2(s.has_value(), s ? "" : s.error().c_str());
      QVERIFY(all_finite(*s));
      QVERIFY(s->energy_error <= 1e-6);
      QVERIFY(s->mass_error <= 1e-9);
      // 8 x 102 kW on two units of 1,350 kW.
      QVERIFY(near_to(s->duty_w, 816e3, 1e-6));
      QVERIFY2(near_to(s->least_share, 1.0, 1e-3), qPrintable(QString::number(s->least_share)));
      QVERIFY(s->speed < 1.0 && s->speed > 0.3);
      const auto f = loop_failures(solver, loop);
      QVERIFY2(f.has_value(), f ? "" : f.error().c_str());
      QVERIFY(f->n);
      if (qEnvironmentVariableIsSet("HALLWRIGHT_TELL"))
        for (const LoopFailure& c : f->cases)
          qInfo("%s: share %.3f, dry %zu, duty %.2f, headroom %.3f%s %s", c.name.c_str(), c.summary.least_share,
                c.summary.dry_racks, c.summary.largest_duty_share, c.headroom, c.holds ? "" : ", does not hold",
                c.trouble.c_str());
    }
  }

  void massAndEnergyBalance() {
    DrawnHall hall;
    hall.grid(4, 8, 4);
    const auto loop = hall.loop();
    QVERIFY2(loop->problems.empty(), sentences(*loop).c_str());
    QCOMPARE(loop->racks.size(), std::size_t(32));
    for (const double speed : {1.0, 0.7, 0.4}) {
      const LoopSolution s = solved(loop, at_speed(speed));
      QVERIFY(s.mass_error <= 1e-9);
      QVERIFY(s.energy_error <= 1e-6);
      QVERIFY(s.head_error_m < 1e-5);
      double units = 0;
      for (const UnitWork& u : s.units)
        units += u.flow_m3_per_s;
      QVERIFY(near_to(units, s.flow_m3_per_s, 1e-9));
      QVERIFY(near_to(s.heat_w, 32 * 102e3, 1e-12));
    }
  }

  /// The pass along falling heads against the general mixing of `network_temperatures`.
  void temperaturesAgreeWithTheGeneralOnes() {
    DrawnHall hall;
    hall.grid(3, 5, 3);
    for (std::size_t i = 0; i < hall.heats.size(); ++i)
      hall.heats[i] = 60e3 + 5e3 * static_cast<double>(i);
    const auto loop = hall.loop();
    const LoopSolution s = solved(loop, at_speed(0.8));
    auto solver = PipeNetworkSolver::prepare(loop->network);
    QVERIFY(solver.has_value());
    HeatInputs heat;
    heat.density_kg_per_m3 = loop->density_kg_per_m3;
    heat.specific_heat_j_per_kg_k = loop->specific_heat_j_per_kg_k;
    heat.links.resize(loop->network.links.size());
    heat.node_temperature_c.assign(loop->network.nodes.size(), 40.0);
    for (const LoopRack& r : loop->racks) {
      heat.links[r.plates].kind = LinkHeat::Kind::heat;
      heat.links[r.plates].heat_w = r.heat_w;
    }
    for (const LoopUnit& u : loop->units)
      for (const int p : u.pumps) {
        heat.links[p].kind = LinkHeat::Kind::outlet;
        heat.links[p].temperature_c = 40.0;
        QVERIFY(solver->set_setting(p, 0.8).has_value());
      }
    QVERIFY(solver->solve().has_value());
    const auto general = network_temperatures(loop->network, solver->solution(), heat);
    QVERIFY2(general.has_value(), general ? "" : general.error().c_str());
    for (std::size_t i = 0; i < loop->units.size(); ++i)
      QVERIFY(std::abs(general->node_c[loop->units[i].returned] - s.units[i].return_c) < 1e-5);
    for (std::size_t i = 0; i < loop->racks.size(); ++i)
      QVERIFY(std::abs(general->node_c[loop->racks[i].outlet] - s.racks[i].return_c) < 1e-5);
  }

  /// Rows that mirror each other about the unit get the same flow.
  void symmetricRacksGetEqualFlow() {
    DrawnHall hall;
    hall.grid(2, 6, 2); // units at both ends, rows above and below the middle
    const auto loop = hall.loop();
    QVERIFY2(loop->problems.empty(), sentences(*loop).c_str());
    const auto f = flows_by_name(*loop, solved(loop, at_speed(1.0)));
    // R1..R6 and R7..R12; left and right mirror as well but for lengths of the drawing's two return mains.
    for (int k = 1; k <= 6; ++k)
      QVERIFY2(near_to(f.at("R" + std::to_string(k)), f.at("R" + std::to_string(k + 6)), 1e-2),
               qPrintable(QString::number(k)));
  }

  /// Ids and order of all things changed, and everything turned by quarters: the same flows.
  void orderAndRotationAreIrrelevant() {
    DrawnHall hall;
    hall.grid(3, 4, 3);
    const auto loop = hall.loop();
    const auto wanted = flows_by_name(*loop, solved(loop, at_speed(1.0)));
    std::mt19937 random(7);
    for (int round = 0; round < 6; ++round) {
      DrawnHall other = hall;
      const auto renumber = [&](auto& table, std::vector<double>* beside) {
        std::vector<std::size_t> order(table.size());
        for (std::size_t i = 0; i < order.size(); ++i)
          order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        auto out = table;
        std::vector<double> heats;
        for (std::size_t i = 0; i < order.size(); ++i) {
          const Id id = table[i].id; // ids stay ascending; what they name is another
          out[i] = table[order[i]];
          out[i].id = id;
          if (beside) heats.push_back((*beside)[order[i]]);
        }
        table = out;
        if (beside) *beside = heats;
      };
      renumber(other.racks, &other.heats);
      renumber(other.pipes, nullptr);
      renumber(other.units, nullptr);
      for (int quarter = 0; quarter < round % 4; ++quarter) {
        for (Pipe& p : other.pipes) {
          for (PlanPoint& q : p.path)
            q = {-q.y_mm, q.x_mm};
          if (round > 3) std::reverse(p.path.begin(), p.path.end());
        }
        const auto turn = [](auto& thing, double width, double depth) {
          const double cx = in_millimeters(thing.x) + width / 2, cy = in_millimeters(thing.y) + depth / 2;
          thing.x = millimeters(-cy - width / 2);
          thing.y = millimeters(cx - depth / 2);
          thing.rotation = degrees(in_degrees(thing.rotation) + 90);
        };
        for (Rack& r : other.racks)
          turn(r, 600, 1068);
        for (CoolingUnit& u : other.units)
          turn(u, 900, 1200);
      }
      const auto turned = other.loop();
      QVERIFY2(turned->problems.empty(), sentences(*turned).c_str());
      const auto got = flows_by_name(*turned, solved(turned, at_speed(1.0)));
      QCOMPARE(got.size(), wanted.size());
      for (const auto& [name, flow] : wanted)
        QVERIFY2(near_to(got.at(name), flow, 1e-6),
                 qPrintable(
                     QString("round %1, %2: %3 against %4").arg(round).arg(name.c_str()).arg(got.at(name)).arg(flow)));
    }
  }

  void moreSpeedIsNeverLessFlow() {
    QVERIFY(rc::check("total flow rises with pump speed", [] {
      DrawnHall hall;
      hall.grid(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 4), *rc::gen::arbitrary<bool>());
      const auto loop = hall.loop();
      RC_ASSERT(loop->problems.empty());
      LoopSolver solver;
      double last = 0;
      for (const double speed : {0.3, 0.5, 0.8, 1.0, 1.2}) {
        const auto s = solver.solve(loop, at_speed(speed));
        RC_ASSERT(s.has_value());
        RC_ASSERT(s->flow_m3_per_s >= last * (1 - 1e-9));
        RC_ASSERT(s->mass_error <= 1e-9);
        RC_ASSERT(s->energy_error <= 1e-6);
        last = s->flow_m3_per_s;
      }
    }));
  }

  /// Without a speed the pumps run as slowly as the worst rack allows.
  void pumpsRunAsSlowlyAsRacksAllow() {
    DrawnHall hall;
    hall.grid(2, 6, 2);
    const auto loop = hall.loop();
    const LoopSolution s = solved(loop);
    QVERIFY(s.speed < 1.0);
    QVERIFY2(near_to(s.least_share, 1.0, 1e-3), qPrintable(QString::number(s.least_share)));
    QVERIFY(near_to(solved(loop, at_speed(s.speed)).least_share, s.least_share, 1e-6));
    // Far too much asked: full speed, and less than the need.
    for (double& heat : hall.heats)
      heat *= 10;
    const LoopSolution overloaded = solved(hall.loop());
    QCOMPARE(overloaded.speed, 1.0);
    QVERIFY(overloaded.least_share < 0.9);
    QVERIFY(overloaded.units[0].duty_share > 1.0);
  }

  /// A pressure-independent valve holds every rack at its need, so that none starves another.
  void pressureIndependentValves() {
    DrawnHall hall;
    hall.grid(1, 6, 1, false);
    hall.setups[hall.loops[0].id].pressure_independent_valves = true;
    const LoopSolution s = solved(hall.loop(), at_speed(1.0));
    for (const RackFlow& r : s.racks)
      QVERIFY2(near_to(r.share, 1.0, 1e-6), qPrintable(QString::number(r.share)));
    QVERIFY(s.spread < 1e-6);
  }

  /// At its rating a unit passes on its rating: 2,300 kW at 3,400 L/min, 4 K between supply and facility water.
  void exchangerMeetsItsRating() {
    DrawnHall hall;
    hall.grid(1, 2, 1, false);
    const auto loop = hall.loop();
    const LoopUnit& u = loop->units[0];
    const double c = 1010.6 * 3958.0, rise = 2300e3 / (c * 3400.0 / 60000);
    QVERIFY(near_to(exchanger_heat_w(u, 3400.0 / 60000, 40 + rise, 36, c), 2300e3, 1e-9));
    // Twice the difference between return and facility water, twice the heat.
    QVERIFY(near_to(exchanger_heat_w(u, 3400.0 / 60000, 40 + rise, 36 - 4 - rise, c), 4600e3, 1e-9));
    // Less flow, less heat, and never more than the flow can give.
    const double half = exchanger_heat_w(u, 1700.0 / 60000, 40 + rise, 36, c);
    QVERIFY(half < 2300e3 && half > 1150e3 && half < c * 1700.0 / 60000 * (4 + rise));
    QCOMPARE(exchanger_heat_w(u, 0, 60, 36, c), 0.0);
    QCOMPARE(exchanger_heat_w(u, 0.05, 30, 36, c), 0.0);
  }

  /// A change of what is shut is solved on what is prepared, and says the same as from nothing.
  void changesAreSolvedWarm() {
    DrawnHall hall;
    hall.grid(3, 6, 4);
    const auto loop = hall.loop();
    LoopSolver solver;
    QVERIFY(solver.solve(loop, at_speed(1.0)).has_value());
    LoopOperation o = at_speed(1.0);
    o.racks_shut = {hall.racks[3].id};
    o.units_out = {hall.units[1].id};
    const auto warm = solver.solve(loop, o);
    QVERIFY(warm.has_value());
    QCOMPARE(solver.preparations(), std::size_t(1));
    const LoopSolution cold = solved(loop, o);
    for (std::size_t i = 0; i < cold.racks.size(); ++i)
      QVERIFY(std::abs(warm->racks[i].flow_m3_per_s - cold.racks[i].flow_m3_per_s) < 1e-8);
    QVERIFY(!warm->racks[3].flowing);
    QCOMPARE(warm->dry_racks, std::size_t(1));
    QVERIFY(near_to(warm->heat_not_carried_w, 102e3, 1e-12));
    // And back.
    const auto back = solver.solve(loop, at_speed(1.0));
    QVERIFY(back.has_value());
    QVERIFY(std::abs(back->racks[3].flow_m3_per_s - solved(loop, at_speed(1.0)).racks[3].flow_m3_per_s) < 1e-8);
    // Another heat is no other network; a moved rack is one.
    hall.heats[0] = 50e3;
    QVERIFY(solver.solve(hall.loop(), at_speed(1.0)).has_value());
    QCOMPARE(solver.preparations(), std::size_t(1));
    hall.racks[0].x = millimeters(3010);
    QVERIFY(solver.solve(hall.loop(), at_speed(1.0)).has_value());
    QCOMPARE(solver.preparations(), std::size_t(2));
  }

  void everySingleFailure() {
    DrawnHall hall;
    hall.grid(4, 16, 4); // 64 racks of 102 kW: 6.5 MW on 4 x 2.3 MW
    const auto loop = hall.loop();
    QVERIFY2(loop->problems.empty(), sentences(*loop).c_str());
    LoopSolver solver;
    const auto f = loop_failures(solver, loop);
    QVERIFY2(f.has_value(), f ? "" : f.error().c_str());
    std::map<LoopFailureKind, int> count;
    for (const LoopFailure& c : f->cases) {
      ++count[c.kind];
      QVERIFY2(c.solved, c.trouble.c_str());
      QVERIFY(std::isfinite(c.headroom) && std::isfinite(c.summary.least_share));
      if (c.kind == LoopFailureKind::unit || c.kind == LoopFailureKind::pump) {
        // Fewer pumps never move more.
        QVERIFY(c.summary.flow_m3_per_s <= f->healthy.flow_m3_per_s);
        QCOMPARE(c.lost_racks, std::size_t(0));
      }
      if (c.kind == LoopFailureKind::rack_valve) {
        QCOMPARE(c.lost_racks, std::size_t(1));
        QVERIFY(c.summary.least_share >= f->healthy.least_share * (1 - 1e-6));
      }
      if (c.kind == LoopFailureKind::section && c.name.rfind("Row", 0) == 0 &&
          c.name.find("section 2") != std::string::npos)
        QCOMPARE(c.lost_racks, std::size_t(16)); // between the mains hang all racks of the row
    }
    QCOMPARE(count[LoopFailureKind::unit], 4);
    QCOMPARE(count[LoopFailureKind::pump], 4);
    QCOMPARE(count[LoopFailureKind::rack_valve], 64);
    QCOMPARE(count[LoopFailureKind::facility], 4);
    QVERIFY(f->n);
    QVERIFY(f->every_half);
    // Half of the units carry 4.6 MW of 6.5 MW: no 2N.
    QVERIFY(!f->two_n);
    // What the slopes say of a shut rack against the whole solution.
    int first_order = 0;
    for (const LoopFailure& c : f->cases) {
      if (!c.first_order || ++first_order % 16 != 1) continue;
      LoopOperation o = at_speed(1.0);
      o.racks_shut = {c.thing.id};
      const auto full = solver.summary(loop, o, false);
      QVERIFY(full.has_value());
      QVERIFY2(near_to(c.summary.least_share, full->least_share, 1e-3),
               qPrintable(QString("%1 against %2").arg(c.summary.least_share).arg(full->least_share)));
      QVERIFY(near_to(c.summary.flow_m3_per_s, full->flow_m3_per_s, 1e-3));
    }
    QVERIFY(first_order > 0);
  }

  /// Redundancy by enumeration: 1 unit bears nothing, 2 of which one is enough are N+1 and 2N.
  void redundancyIsProven() {
    const auto verdict = [](int units, int racks) {
      DrawnHall hall;
      hall.grid(1, racks, units, units > 1);
      LoopSolver solver;
      const auto f = loop_failures(solver, hall.loop());
      if (!f) throw std::runtime_error(f.error());
      return *f;
    };
    const LoopFailures one = verdict(1, 6);
    QVERIFY(one.n && !one.n_plus_1 && !one.two_n);
    QCOMPARE(QString::fromStdString(one.n_plus_1_breaks), QString("CDU 1"));
    const LoopFailures two = verdict(2, 6);
    QVERIFY2(two.n && two.n_plus_1 && two.two_n, two.n_plus_1_breaks.c_str());
    const LoopFailures tight = verdict(2, 30); // 3.06 MW: more than one unit carries
    QVERIFY(!tight.n_plus_1 && !tight.two_n);
  }

  /// Every way in which a drawing does not join is a sentence that names the thing.
  void whatIsNotJoinedIsSaid() {
    const auto small = [](DrawnHall& hall) { hall.grid(1, 3, 1, false); };
    {
      DrawnHall hall;
      small(hall);
      hall.pipes.clear();
      const auto loop = hall.loop();
      QVERIFY(has_problem(*loop, LoopProblemKind::no_pipes, "No pipes of loop 'Loop 1'"));
      QVERIFY(!loop->solvable());
      LoopSolver solver;
      QVERIFY(!solver.solve(loop).has_value());
    }
    {
      DrawnHall hall;
      small(hall);
      hall.units.clear();
      QVERIFY(has_problem(*hall.loop(), LoopProblemKind::no_unit, "no distribution unit"));
    }
    {
      DrawnHall hall;
      small(hall);
      hall.add_rack(3000, 9000);
      hall.racks.back().name = "Far rack";
      const auto loop = hall.loop();
      QVERIFY2(has_problem(*loop, LoopProblemKind::rack_off_pipe, "Far rack has no supply or return pipe"),
               sentences(*loop).c_str());
      QCOMPARE(loop->racks_off_pipes, std::size_t(1));
      QVERIFY(near_to(solved(loop).heat_w, 306e3, 1e-9));
    }
    {
      DrawnHall hall;
      small(hall);
      hall.pipes.erase(std::remove_if(hall.pipes.begin(), hall.pipes.end(),
                                      [](const Pipe& p) { return p.side == PipeSide::return_; }),
                       hall.pipes.end());
      QVERIFY(has_problem(*hall.loop(), LoopProblemKind::no_pipes, "has no return pipe"));
    }
    {
      DrawnHall hall;
      small(hall);
      hall.add_pipe("Stub", PipeSide::supply, {{20000, 20000}, {22000, 20000}}, 100, 3000);
      QVERIFY2(has_problem(*hall.loop(), LoopProblemKind::pipe_serves_nothing,
                           "Stub of loop 'Loop 1' (supply) leads nowhere"),
               sentences(*hall.loop()).c_str());
    }
    {
      DrawnHall hall;
      small(hall);
      hall.add_pipe("Thin", PipeSide::supply, {{0, 0}, {2000, 0}}, 0, 3000);
      hall.add_pipe("Dot", PipeSide::supply, {{0, 0}, {0, 0}}, 100, 3000);
      const auto loop = hall.loop();
      QVERIFY2(has_problem(*loop, LoopProblemKind::pipe_unusable, "diameter of pipe 'Thin' is 0 mm"),
               sentences(*loop).c_str());
      QVERIFY(has_problem(*loop, LoopProblemKind::pipe_unusable, "Pipe 'Dot' has no length"));
    }
    {
      DrawnHall hall;
      small(hall);
      hall.plant.fluid_part = "mercury";
      QVERIFY(has_problem(*hall.loop(), LoopProblemKind::fluid_unknown, "no fluid 'mercury'"));
      hall.plant.fluid_part = "pg25-40";
      FluidPart water = hall.catalog.fluids.front();
      water.viscosity.reset();
      hall.catalog.fluids.clear();
      hall.catalog.fluids.push_back(water);
      QVERIFY(has_problem(*hall.loop(), LoopProblemKind::fluid_unknown, "viscosity of fluid 'pg25-40'"));
    }
    {
      DrawnHall hall;
      small(hall);
      hall.plant.supply_temperature = Temperature::from_celsius(-30);
      QVERIFY(has_problem(*hall.loop(), LoopProblemKind::supply_unknown, "-30.0 degC"));
    }
    {
      DrawnHall hall;
      small(hall);
      hall.add_unit(30000, 30000);
      QVERIFY(has_problem(*hall.loop(), LoopProblemKind::unit_off_pipe, "CDU 2 has no supply and no return pipe"));
      hall.units.back().part = "no-such";
      QVERIFY(has_problem(*hall.loop(), LoopProblemKind::unit_unrated, "no cooling part 'no-such'"));
    }
    {
      // A row whose supply does not meet the main.
      DrawnHall hall;
      hall.grid(2, 3, 1, false);
      for (Pipe& p : hall.pipes)
        if (p.name == "Row 2 supply") p.path.front().x_mm = 2500;
      const auto loop = hall.loop();
      QVERIFY2(has_problem(*loop, LoopProblemKind::no_way_to_unit, "reaches Row 2 supply (supply)"),
               sentences(*loop).c_str());
      const LoopSolution s = solved(loop, at_speed(1.0));
      QVERIFY(all_finite(s));
      QCOMPARE(s.dry_racks, std::size_t(3));
    }
  }

  /// Pipes at other levels are joined by risers where their ends lie above each other, and not where they cross.
  void levelsDecideWhatMeets() {
    DrawnHall hall;
    hall.add_rack(3000, 0);
    hall.add_unit(-2000, 0);
    hall.add_pipe("S1", PipeSide::supply, {{-1000, 534}, {1000, 534}}, 80, 3000);
    hall.add_pipe("S2", PipeSide::supply, {{1000, 534}, {4000, 534}}, 80, 4000); // a riser of 1 m
    hall.add_pipe("R", PipeSide::return_, {{-1000, 560}, {4000, 560}}, 80, 3300);
    auto loop = hall.loop();
    QVERIFY2(loop->problems.empty(), sentences(*loop).c_str());
    QVERIFY(std::any_of(loop->network.links.begin(), loop->network.links.end(), [](const NetworkLink& l) {
      return l.id.find("riser") != std::string::npos && near_to(l.length_m, 1.0, 1e-9);
    }));
    QVERIFY(solved(loop).racks[0].flowing);
    hall.pipes[1].path = {{900, 534}, {4000, 534}}; // its end is no longer above the other's
    loop = hall.loop();
    QVERIFY(!loop->problems.empty());
  }

  /// Whatever is drawn: numbers or sentences, never NaN.
  void anyDrawingIsAnswered() {
    QVERIFY(rc::check("random pipes, racks and units", [] {
      DrawnHall hall;
      const auto coordinate = rc::gen::inRange(-10, 60);
      const int pipes = *rc::gen::inRange(0, 14), racks = *rc::gen::inRange(0, 8), units = *rc::gen::inRange(0, 4);
      for (int i = 0; i < pipes; ++i) {
        std::vector<PlanPoint> path;
        const int corners = *rc::gen::inRange(0, 5);
        for (int k = 0; k < corners; ++k)
          path.push_back({*coordinate * 100.0, *coordinate * 100.0});
        hall.add_pipe("P" + std::to_string(i), *rc::gen::arbitrary<bool>() ? PipeSide::supply : PipeSide::return_, path,
                      *rc::gen::element(0.0, 10.0, 50.0, 150.0, 400.0),
                      *rc::gen::element(-300.0, 2900.0, 3000.0, 3050.0, 4000.0));
        if (*rc::gen::inRange(0, 4) == 0) hall.pipes.back().loop = 0;
      }
      for (int i = 0; i < racks; ++i)
        hall.add_rack(*coordinate * 100.0, *coordinate * 100.0, *rc::gen::element(0.0, 1.0, 50e3, 102e3, 1e6));
      for (int i = 0; i < units; ++i)
        hall.add_unit(*coordinate * 100.0, *coordinate * 100.0);
      const auto loop = hall.loop();
      for (const LoopProblem& p : loop->problems)
        RC_ASSERT(!p.sentence.empty());
      LoopSolver solver;
      const auto s = solver.solve(loop);
      if (!s) {
        RC_ASSERT(!s.error().empty());
        RC_ASSERT(!loop->solvable()); // what is joined is solved
        return;
      }
      RC_ASSERT(all_finite(*s));
      RC_ASSERT(s->mass_error <= 1e-8);
      if (s->temperatures_known) RC_ASSERT(s->energy_error <= 1e-6);
      const auto f = loop_failures(solver, loop);
      RC_ASSERT(f.has_value());
      for (const LoopFailure& c : f->cases)
        RC_ASSERT(std::isfinite(c.headroom) && std::isfinite(c.summary.least_share) &&
                  std::isfinite(c.summary.largest_duty_share));
    }));
  }
};

QTEST_APPLESS_MAIN(TestDrawnLoops)
#include "test_drawn_loops.moc"
