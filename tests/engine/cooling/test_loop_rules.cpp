// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <functional>
#include <set>

#include "cooling/loop_rules.h"
#include "engine/cooling/watered_hall.h"
#include "ledger/ledger.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

/// The design that a drawn hall stands for, and what the cooling stage would publish of its racks.
struct Checked {
  explicit Checked(const DrawnHall& hall, Redundancy redundancy = Redundancy::n_plus_1) {
    const DrawnLoopInputs in = hall.inputs();
    CoolingPlant plant = *in.plant;
    plant.redundancy = redundancy;
    design.cooling_plant = share(plant);
    design.loops = in.loops;
    design.cooling_units = in.units;
    design.racks = in.racks;
    design.rack_types = in.rack_types;
    design.pipes = in.pipes;
    catalog = in.catalog;
    Table racks;
    racks.id = "cooling.racks";
    racks.entity_table = "racks";
    racks.columns.reserve(2);
    auto& heat = racks.add_numbers("heat_to_liquid", "Heat to liquid", kind::power, "kW");
    auto& flow = racks.add_numbers("flow", "Flow", kind::volume_flow, "L/min");
    for (std::size_t i = 0; i < hall.racks.size(); ++i) {
      racks.entities.push_back(hall.racks[i].id);
      heat.numbers.push_back(in.coolant[i].heat_w);
      flow.numbers.push_back(in.coolant[i].need_m3_per_s);
    }
    Ledger ledger{Page::cooling};
    StageResult result;
    result.page = ledger.finish_page();
    result.tables = std::make_shared<const std::vector<Table>>(std::vector<Table>{racks});
    figures.add(result);
  }
  explicit Checked(const WateredHall& hall, Redundancy redundancy = Redundancy::n_plus_1)
      : Checked(static_cast<const DrawnHall&>(hall), redundancy) {
    design.site = share(hall.site);
  }
  [[nodiscard]] std::vector<Finding> all() const { return run_rules({design, *catalog, figures}, drawn_loop_rules()); }
  [[nodiscard]] std::vector<Finding> of(const std::string& code) const {
    std::vector<Finding> out;
    for (Finding& f : all())
      if (f.code == code) out.push_back(std::move(f));
    return out;
  }
  Design design;
  Shared<Catalog> catalog;
  Figures figures;
};

using Change = std::function<void(DrawnHall&)>;
void change_unit(DrawnHall& hall, const std::function<void(CoolingPart&)>& change) {
  CoolingPart part = hall.catalog.cooling.front();
  hall.catalog.cooling.clear();
  change(part);
  hall.catalog.cooling.push_back(part);
}

} // namespace

class TestLoopRules : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void codesAreOnceAndExplained() {
    std::set<std::string_view> codes;
    for (const Rule& r : drawn_loop_rules()) {
      QVERIFY(codes.insert(r.code).second);
      QVERIFY(std::string_view(r.help).find("Source of the") != std::string_view::npos);
      QVERIFY(r.check != nullptr);
    }
    QVERIFY(codes.size() >= 18);
  }

  /// A hall that works says only that its pumps need a UPS.
  void aSoundHallIsQuiet() {
    DrawnHall hall;
    hall.grid(2, 6, 2);
    for (const Finding& f : Checked(hall).all())
      QVERIFY2(f.code == "CLG-025", (f.code + " " + f.message).c_str());
    DrawnHall empty;
    QVERIFY(Checked(empty).all().empty());
  }

  /// No exchanger brings coolant below the water that it gets: on a hot day more distribution units are no remedy of the loop of racks.
  void moreUnitsAreNoRemedyOfWarmWater() {
    std::size_t warm = 0, small = 0;
    for (const double outdoor_c : {20.0, 30.0, 36.0, 40.0, 44.0}) {
      WateredHall hall(2, outdoor_c);
      hall.plant.supply_temperature = Temperature::from_celsius(40);
      hall.plant.cdu_part = hall.units.front().part;
      for (const Finding& f : Checked(hall).of("CLG-018")) {
        if (f.entities.front().table != "cooling_units" || find(hall.units, f.entities.front().id)->kind != CoolingUnitKind::cdu) continue;
        const bool told = f.message.find("colder water helps and more units do not") != std::string::npos;
        QCOMPARE(f.remedies.empty(), told);
        ++(told ? warm : small);
      }
    }
    QVERIFY(warm > 0);
    // With facility water that is cold and exchangers that are small, one more unit is offered.
    DrawnHall hall;
    hall.grid(2, 6, 2);
    change_unit(hall, [](CoolingPart& p) { p.capacity = kilowatts(300); });
    hall.plant.cdu_part = hall.catalog.cooling.front().id;
    const auto found = Checked(hall).of("CLG-018");
    QVERIFY(!found.empty());
    for (const Finding& f : found) QVERIFY2(!f.remedies.empty(), f.message.c_str());
  }

  void whatIsWrongIsSaid_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("words");
    for (const auto& [code, words] : std::initializer_list<std::pair<const char*, const char*>>{
             {"CLG-011", "R13 has no supply or return pipe"},
             {"CLG-012", "Stub of loop 'Loop 1' (supply) leads nowhere"},
             {"CLG-013", "no distribution unit"},
             {"CLG-014", "no fluid 'mercury'"},
             {"CLG-015", "at full speed"},
             {"CLG-016", "With CDU 1 out"},
             {"CLG-017", "differ by"},
             {"CLG-018", "passes on"},
             {"CLG-019", "of full speed"},
             {"CLG-020", "racks take 500 kPa"},
             {"CLG-022", "Pa/m"},
             {"CLG-023", "65 degC is the limit"},
             {"CLG-024", "its parts take 45.0 degC"},
             {"CLG-025", "too late without the UPS"},
             {"CLG-026", "generators and chillers take 430 s"},
             {"CLG-027", "below Reynolds 4000"},
             {"CLG-028", "No pipes of loop 'Loop 2' are drawn"}})
      QTest::newRow(code) << code << words;
  }
  void whatIsWrongIsSaid() {
    QFETCH(QString, code);
    QFETCH(QString, words);
    const std::map<std::string, Change> changes = {
        {"CLG-011", [](DrawnHall& h) { h.add_rack(3000, 30000); }},
        {"CLG-012",
         [](DrawnHall& h) {
           h.add_pipe("Stub", PipeSide::supply, {{20000, 20000}, {22000, 20000}}, 100, 3000);
         }},
        {"CLG-013", [](DrawnHall& h) { h.units.clear(); }},
        {"CLG-014", [](DrawnHall& h) { h.plant.fluid_part = "mercury"; }},
        {"CLG-015",
         [](DrawnHall& h) {
           for (double& q : h.heats)
             q *= 10;
         }},
        {"CLG-016",
         [](DrawnHall& h) {
           for (double& q : h.heats)
             q *= 2.4;
           h.plant.supply_rise = kelvins_rise(16);
         }},
        {"CLG-017",
         [](DrawnHall& h) {
           h = DrawnHall(); // direct return, fed from one end
           h.grid(1, 12, 1, false, 60);
         }},
        {"CLG-018", [](DrawnHall& h) { change_unit(h, [](CoolingPart& p) { p.capacity = kilowatts(300); }); }},
        {"CLG-019",
         [](DrawnHall& h) {
           change_unit(h, [](CoolingPart& p) {
             p.pump_head = kilopascals(107);
             p.secondary_flow = liters_per_minute(1200);
           });
         }},
        {"CLG-020", [](DrawnHall& h) { change_unit(h, [](CoolingPart& p) { p.pump_head = kilopascals(600); }); }},
        {"CLG-022",
         [](DrawnHall& h) {
           for (Pipe& p : h.pipes)
             if (p.name.rfind("Row", 0) == 0) p.diameter = millimeters(62.7);
         }},
        {"CLG-023",
         [](DrawnHall& h) {
           h.plant.supply_temperature = Temperature::from_celsius(45);
           h.plant.supply_rise = kelvins_rise(25);
         }},
        {"CLG-024", [](DrawnHall& h) { change_unit(h, [](CoolingPart& p) { p.capacity = kilowatts(300); }); }},
        {"CLG-025", [](DrawnHall&) {}},
        {"CLG-026",
         [](DrawnHall& h) {
           h.add_unit(30000, 30000);
           h.units.back().kind = CoolingUnitKind::chiller;
         }},
        {"CLG-027",
         [](DrawnHall& h) {
           for (double& q : h.heats)
             q = 2e3;
           change_unit(h, [](CoolingPart& p) {
             p.capacity = kilowatts(30);
             p.secondary_flow = liters_per_minute(30);
             p.pump_head = kilopascals(20);
           });
         }},
        {"CLG-028",
         [](DrawnHall& h) {
           CoolantLoop second;
           second.id = h.fresh();
           second.name = "Loop 2";
           h.loops.push_back(second);
           h.add_rack(3000, 30000);
           h.racks.back().loop = second.id;
         }},
    };
    DrawnHall hall;
    hall.grid(2, 6, 2);
    changes.at(code.toStdString())(hall);
    const Checked checked(hall);
    const auto findings = checked.of(code.toStdString());
    std::string said;
    for (const Finding& f : checked.all())
      said += f.code + " " + f.message + "\n";
    QVERIFY2(!findings.empty(), said.c_str());
    QVERIFY2(findings.front().message.find(words.toStdString()) != std::string::npos, findings.front().message.c_str());
    QVERIFY(!findings.front().entities.empty());
    QVERIFY(findings.front().message.find("nan") == std::string::npos &&
            findings.front().message.find("inf ") == std::string::npos);
  }

  /// What is counted is counted before it is handed over: every number of racks is that of the entities.
  void countsAreThoseOfTheEntities() {
    DrawnHall warm;
    warm.grid(2, 6, 2);
    warm.plant.supply_temperature = Temperature::from_celsius(45);
    warm.plant.supply_rise = kelvins_rise(25);
    QVERIFY2(Checked(warm).of("CLG-023").front().message.rfind("12 racks of loop", 0) == 0,
             Checked(warm).of("CLG-023").front().message.c_str());
    DrawnHall faint;
    faint.grid(2, 6, 2);
    for (double& q : faint.heats)
      q = 2e3;
    change_unit(faint, [](CoolingPart& p) {
      p.capacity = kilowatts(30);
      p.secondary_flow = liters_per_minute(30);
      p.pump_head = kilopascals(20);
    });
    QVERIFY2(Checked(faint).of("CLG-027").front().message.rfind("Hoses of 12 racks", 0) == 0,
             Checked(faint).of("CLG-027").front().message.c_str());
    DrawnHall hot;
    hot.grid(2, 6, 2);
    for (double& q : hot.heats)
      q *= 10;
    const auto shorts = Checked(hot).of("CLG-015");
    QCOMPARE(shorts.front().entities.size(), std::size_t(12));
    QVERIFY2(shorts.front().message.find("and 11 more are short") != std::string::npos, shorts.front().message.c_str());
    // The remedy counts the pipes that it changes.
    int labels = 0;
    for (const Remedy& r : shorts.front().remedies) {
      if (r.edit.label.find("one standard size wider") == std::string::npos) continue;
      ++labels;
      QVERIFY2(r.edit.label.rfind("Draw the ", 0) == 0 && std::stoi(r.edit.label.substr(9)) > 1, r.edit.label.c_str());
    }
    QCOMPARE(labels, 1);
  }

  /// A rack that hardly gets any flow: words instead of a temperature that no coolant has, and no other rack with it.
  void aRackThatStarves() {
    DrawnHall hall;
    hall.grid(2, 6, 2);
    hall.racks[3].coolant_valve = 0.001; // at its outlet coolant boils at some 120 degC
    const Checked checked(hall);
    const auto found = checked.of("CLG-023");
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY2(found.front().message.find("1 rack of loop 'Loop 1' gets so little flow that coolant boils in it") == 0,
             found.front().message.c_str());
    QCOMPARE(found.front().entities.size(), std::size_t(1));
    for (const Finding& f : checked.of("CLG-027")) {
      QVERIFY2(f.message.find("Hoses of 1 rack on") == 0, f.message.c_str());
      QCOMPARE(f.entities.size(), std::size_t(1));
    }
  }

  /// A valve that is shut, or nearly so, is no friction along its pipe.
  void valvesAreNoPipesTooThin() {
    for (const double open : {0.0, 0.05, 0.5}) {
      DrawnHall hall;
      hall.grid(2, 6, 2);
      for (Pipe& p : hall.pipes)
        if (p.name == "Right supply") p.valve_open = open;
      for (const Finding& f : Checked(hall).of("CLG-022"))
        QVERIFY2(false, f.message.c_str());
    }
  }

  /// Facility water: what cannot be, what is short, and what racks feel of a failure.
  void facilityWaterIsJudged() {
    const auto first = [](const Checked& c, const char* code) {
      const auto found = c.of(code);
      std::string said;
      for (const Finding& f : c.all())
        said += f.code + " " + f.message + "\n";
      return found.empty() ? "nothing of " + std::string(code) + "; said: " + said : found.front().message;
    };
    const auto says = [](const std::string& message, const char* words) {
      const bool fine = message.find(words) != std::string::npos;
      if (!fine) qWarning("%s", message.c_str());
      return fine;
    };
    // All is well: only what holds of any hall.
    for (const Finding& f : Checked(WateredHall()).all())
      QVERIFY2(f.code == "CLG-025" || f.code == "CLG-019", (f.code + " " + f.message).c_str());
    WateredHall circle;
    circle.loops[1].facility_loop = circle.loops[0].id;
    QVERIFY(says(first(Checked(circle), "CLG-030"), "goes in a circle: 'Loop 1' -> 'Facility water' -> 'Loop 1'"));
    WateredHall racks;
    racks.racks[3].loop = racks.loops[1].id;
    QVERIFY(says(first(Checked(racks), "CLG-031"), "R4 hangs on it"));
    WateredHall far;
    for (Pipe& p : far.pipes)
      if (p.name == "Water out") p.path = {{-20000.0, -6000.0}, {-20000.0, 6000.0}};
    QVERIFY(says(first(Checked(far), "CLG-032"), "no facility water reaches them"));
    QVERIFY(Checked(far).of("CLG-011").empty());
    WateredHall none(0);
    QVERIFY(says(first(Checked(none), "CLG-013"), "no dry cooler, chiller or cooling tower"));
    // Pumps of 300 L/min cannot carry 1.2 MW.
    WateredHall weak;
    for (CoolingUnit& u : weak.units)
      if (u.kind == CoolingUnitKind::dry_cooler) u.flow = liters_per_minute(300), u.pump_head = kilopascals(30);
    QVERIFY(says(first(Checked(weak), "CLG-033"), "of facility water with which it holds its supply"));
    QCOMPARE(Checked(weak).of("CLG-033").front().entities.size(), std::size_t(3)); // two units and the loop
    // Coolers that together carry what each would have to.
    WateredHall lean(2, 26.0);
    for (CoolingUnit& u : lean.units)
      if (u.kind == CoolingUnitKind::dry_cooler) u.capacity = kilowatts(700);
    QVERIFY(says(first(Checked(lean), "CLG-034"), "With DC 1 of loop 'Facility water' out"));
    QVERIFY(Checked(lean, Redundancy::n).of("CLG-034").empty());
  }

  /// Without redundancy nothing is asked of failures.
  void redundancyIsWhatThePlantAsksFor() {
    DrawnHall hall;
    hall.grid(1, 6, 1, false);
    QVERIFY(!Checked(hall).of("CLG-016").empty());
    QVERIFY(Checked(hall, Redundancy::n).of("CLG-016").empty());
  }

  /// A remedy that is applied ends its finding.
  void remediesMend() {
    // Rows of 62.7 mm are too thin: each gets the bore in which it is slow enough. By hand: three racks from each end,
    // 459 L/min through 77.9 mm are 1.6 m/s and 0.02 x 0.5 x 1010.6 x 1.6^2 / 0.0779 = 330 Pa/m.
    DrawnHall hall;
    hall.grid(2, 6, 2);
    for (Pipe& p : hall.pipes)
      if (p.name.rfind("Row", 0) == 0) p.diameter = millimeters(62.7);
    for (int round = 0; round < 8; ++round) {
      const auto found = Checked(hall).of("CLG-022");
      if (found.empty()) break;
      QCOMPARE(found.front().remedies.size(), std::size_t{1});
      const Edited after = found.front().remedies.front().edit.apply(Checked(hall).design);
      QVERIFY(after.has_value());
      hall.pipes = *after->pipes;
    }
    QVERIFY(Checked(hall).of("CLG-022").empty());
    for (const Pipe& p : hall.pipes)
      if (p.name.rfind("Row", 0) == 0) QVERIFY(std::abs(in_millimeters(p.diameter) - 77.9) < 0.1);

    // Chillers take 430 s: a tank bridges that.
    DrawnHall warm;
    warm.grid(2, 6, 2);
    CoolingUnit chiller;
    chiller.id = warm.fresh();
    chiller.kind = CoolingUnitKind::chiller;
    warm.units.push_back(chiller);
    const auto lacks = Checked(warm).of("CLG-026");
    QCOMPARE(lacks.size(), std::size_t{1});
    QCOMPARE(lacks.front().remedies.size(), std::size_t{1});
    const Edited tank = lacks.front().remedies.front().edit.apply(Checked(warm).design);
    QVERIFY(tank.has_value());
    QVERIFY(base_value(tank->loops->front().supply_tank) > 1.0);
    warm.loops = *tank->loops;
    QVERIFY(Checked(warm).of("CLG-026").empty());
  }

  /// A valve either changes what racks get, or is told to stand where nothing flows: of every pipe of many halls, with
  /// blind ends, stubs and a blind ring, throttled and shut.
  void valvesActOrAreToldToStandOnADeadEnd() {
    int acting = 0, dead = 0;
    for (const bool ring : {false, true})
      for (const int rows : {1, 2, 3}) {
        DrawnHall hall;
        hall.grid(rows, 4, 3, ring);
        hall.units.front().pump_head = kilopascals(310); // nothing stands still by symmetry
        hall.racks.front().coolant_valve = 0.4;
        // Off the end of the main: a stub, and a ring of pipes at its end that no rack is near.
        const double end = (rows - 1) * 3000.0 + 534.0 + 1500.0;
        hall.add_pipe("Stub", PipeSide::supply, {{1000.0, end}, {1000.0, end + 6000.0}}, 102.3, 3000.0);
        hall.add_pipe("Ring 1", PipeSide::supply, {{1000.0, end + 6000.0}, {-4000.0, end + 6000.0}, {-4000.0, end + 9000.0}}, 102.3, 3000.0);
        hall.add_pipe("Ring 2", PipeSide::supply, {{1000.0, end + 6000.0}, {1000.0, end + 9000.0}, {-4000.0, end + 9000.0}}, 102.3, 3000.0);
        LoopOperation full;
        full.speed = 1.0;
        const auto flows = [&] {
          LoopSolver solver;
          std::vector<double> out;
          if (auto s = solver.solve(hall.loop(), full))
            for (const RackFlow& r : s->racks)
              out.push_back(r.flow_m3_per_s);
          return out;
        };
        const std::vector<double> before = flows();
        QVERIFY(!before.empty() && Checked(hall).of("CLG-012").empty());
        for (std::size_t p = 0; p < hall.pipes.size(); ++p)
          for (const double share : {0.03, 0.0}) {
            hall.pipes[p].valve_open = share;
            const std::vector<double> now = flows();
            double moved = now.empty() ? 1.0 : 0.0;
            for (std::size_t r = 0; r < now.size(); ++r)
              moved = std::max(moved, std::abs(now[r] / before[r] - 1.0));
            bool told = false;
            for (const Finding& f : Checked(hall).of("CLG-012"))
              if (f.message.find("The valve of pipe '" + hall.pipes[p].name + "'") != std::string::npos) {
                told = true;
                QVERIFY2(f.message.find(share > 0.0 ? ", 3 % open, has no effect" : ", shut, has no effect") != std::string::npos, f.message.c_str());
                QVERIFY(!f.entities.empty() && f.entities.front() == (EntityRef{"pipes", hall.pipes[p].id}));
              }
            QVERIFY2(told == (moved < 1e-5), (hall.pipes[p].name + " moves " + std::to_string(moved)).c_str());
            (told ? dead : acting) += 1;
            hall.pipes[p].valve_open = 1.0;
          }
      }
    QVERIFY(acting > 10 && dead > 10);
  }

  /// A unit behind a shut valve moves nothing, and one whose pumps the others hold shut; both are told, no other is.
  void unitsThatStandAreTold() {
    const auto told = [](bool shut, double head_kpa) {
      DrawnHall hall;
      hall.grid(2, 4, 2, false);
      const double end = 3534.0 + 1500.0;
      hall.add_pipe("Branch supply", PipeSide::supply, {{1000.0, end}, {9500.0, end}}, 154.1, 3000.0);
      hall.add_pipe("Branch return", PipeSide::return_, {{500.0, end}, {500.0, end + 300.0}, {9500.0, end + 300.0}}, 154.1, 3300.0);
      if (shut) hall.pipes.back().valve_open = 0.0;
      hall.add_unit(8500.0, end - 1400.0);
      hall.units.back().pump_head = kilopascals(head_kpa);
      std::vector<std::string> out;
      for (const Finding& f : Checked(hall).of("CLG-013"))
        out.push_back(f.message);
      return out;
    };
    QVERIFY(told(false, 250).empty());
    for (const auto& found : {told(true, 250), told(false, 5)}) {
      QCOMPARE(found.size(), std::size_t(1));
      QVERIFY2(found.front().starts_with("CDU 3 moves nothing of loop 'Loop 1'"), found.front().c_str());
    }
  }

  /// Feeds that are named decide whether pumps stop with the utility.
  void feedsOfUnitsDecideAboutPumps() {
    DrawnHall hall;
    hall.grid(2, 6, 2);
    PowerUnit utility, ups, panel;
    utility.id = 9001, utility.kind = PowerUnitKind::utility_feed;
    ups.id = 9002, ups.kind = PowerUnitKind::ups, ups.upstream = 9001;
    panel.id = 9003, panel.kind = PowerUnitKind::distribution, panel.upstream = 9001;
    const auto with_feeds = [&](Id feed) {
      for (CoolingUnit& u : hall.units)
        u.feed_a = feed;
      Checked c(hall);
      c.design.power_units = share(std::vector<PowerUnit>{utility, ups, panel});
      return c.of("CLG-025");
    };
    QCOMPARE(with_feeds(0).size(), std::size_t{1});
    QCOMPARE(with_feeds(0).front().severity, Severity::note);
    QVERIFY(with_feeds(9002).empty());
    QCOMPARE(with_feeds(9003).size(), std::size_t{1});
    QCOMPARE(with_feeds(9003).front().severity, Severity::warning);
    QVERIFY(with_feeds(9003).front().message.find("CDU 1, CDU 2") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestLoopRules)
#include "test_loop_rules.moc"
