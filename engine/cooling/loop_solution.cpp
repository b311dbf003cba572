// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_solution.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "cooling/boiling.h"

namespace hallwright {
namespace {

constexpr double standard_gravity = 9.80665;
/// Facility water: density times specific heat at 40 degC [J/(m3 K)].
constexpr double facility_heat_capacity = 992.5 * 4178.0;
/// Flows below this share of the largest one count as none.
constexpr double no_flow_share = 1e-9;

double section_area(double diameter) { return std::numbers::pi / 4.0 * diameter * diameter; }

double counterflow_effectiveness(double transfer_units, double ratio) {
  if (ratio > 1.0 - 1e-9) return transfer_units / (1.0 + transfer_units);
  const double e = std::exp(-transfer_units * (1.0 - ratio));
  return (1.0 - e) / (1.0 - ratio * e);
}

} // namespace

double exchanger_heat_w(const LoopUnit& unit, double flow, double return_c, double facility_c, double heat_capacity,
                        double facility_w_per_k) {
  if (!(unit.capacity_w > 0.0) || !(flow > 0.0) || !(return_c > facility_c)) return 0.0;
  const double rated_cold = facility_heat_capacity * unit.facility_flow_m3_per_s;
  const double cold = facility_w_per_k < 0.0 ? rated_cold : facility_w_per_k;
  if (!(cold > 0.0) || !(rated_cold > 0.0)) return 0.0;
  const auto sides = [](double a, double b) { return std::pair(std::min(a, b), std::max(a, b)); };
  // From the rating: hot in at supply plus its rise, cold in at supply less the approach.
  const double rated_hot = heat_capacity * unit.rated_flow_m3_per_s;
  const auto [rated_least, rated_most] = sides(rated_hot, rated_cold);
  const double rated_ratio = rated_least / rated_most;
  const double rated =
      std::min(unit.capacity_w / (rated_least * (unit.approach_k + unit.capacity_w / rated_hot)), 0.999);
  const double rated_units = rated_ratio > 1.0 - 1e-9
                                 ? rated / (1.0 - rated)
                                 : std::log((1.0 - rated * rated_ratio) / (1.0 - rated)) / (1.0 - rated_ratio);
  const double conductance =
      rated_units * rated_least * 2.0 /
      (std::pow(flow / unit.rated_flow_m3_per_s, -0.8) + (cold == rated_cold ? 1.0 : std::pow(cold / rated_cold, -0.8)));
  const auto [least, most] = sides(heat_capacity * flow, cold);
  return counterflow_effectiveness(conductance / least, least / most) * least * (return_c - facility_c);
}

class LoopSolver::Work {
public:
  /// @param accuracy  of flows, relative: what remains is its square
  tl::expected<void, std::string> flows(const Shared<DrawnLoop>& next, const LoopOperation& operation, double accuracy,
                                        double head_accuracy_m) {
    if (!next || !next->solvable())
      return tl::unexpected(next ? "loop '" + next->name + "' has no racks and units that pipes join"
                                 : std::string("no loop is given"));
    if (auto fine = prepare(next); !fine) return fine;
    if (operation.speed && !(*operation.speed > 0.0 && *operation.speed <= 1.2))
      return tl::unexpected(
          fmt::format("The pump speed {} of loop '{}' must be above 0, at most 1.2", *operation.speed, next->name));
    solver->set_accuracy(accuracy, head_accuracy_m);
    apply(operation);
    steps = 0;
    if (operation.speed) {
      set_speed(*operation.speed);
      return run();
    }
    if (const double fixed = fixed_speed(); fixed > 0.0) { // nothing is left to control
      set_speed(fixed);
      return run();
    }
    // Flow goes with speed nearly in proportion, so that one correction is nearly enough.
    set_speed(speed);
    for (int trial = 0; trial < 12; ++trial) {
      if (auto fine = run(); !fine) return fine;
      const double least = least_share();
      if (!(least > 0.0)) {
        if (speed == 1.0) break;
        set_speed(1.0);
        continue;
      }
      if (std::abs(least - 1.0) <= 2e-4 || (speed == 1.0 && least < 1.0)) break;
      const double wanted = std::clamp(speed * 1.0001 / least, slowest, 1.0);
      if (std::abs(wanted - speed) <= 1e-6 || (held_by_valves() && wanted >= speed)) break;
      set_speed(wanted);
    }
    return {};
  }

  LoopSummary summary(bool temperatures) {
    LoopSummary out;
    out.steps = steps;
    const auto& q = solver->solution().flow_m3_per_s;
    const double nothing = least_flow();
    double least = 0.0;
    for (std::size_t i = 0; i < loop->racks.size(); ++i) {
      const LoopRack& r = loop->racks[i];
      const double flow = q[r.plates];
      if (flow <= nothing) {
        if (out.dry_racks++ == 0) out.dry_rack = r.rack;
        continue;
      }
      out.flow_m3_per_s += flow;
      const double share = flow / r.need_m3_per_s;
      if (share < enough_share) ++out.short_racks;
      if (out.worst_rack == 0 || share < least * (1.0 - 1e-9)) {
        least = share;
        out.worst_rack = r.rack;
      }
    }
    out.least_share = least;
    if (temperatures) {
      find_temperatures(1e-4);
      out.unit_duty_w.assign(loop->units.size(), 0.0);
      if (temperatures_known)
        for (std::size_t i = 0; i < loop->units.size(); ++i)
          if (unit_flow[i] > nothing)
            out.unit_duty_w[i] =
                heat_capacity() * unit_flow[i] * (node_c[loop->units[i].returned] - unit_out_c[i]);
      out.temperatures_known = temperatures_known;
      if (temperatures_known) {
        for (std::size_t i = 0; i < loop->units.size(); ++i) {
          const LoopUnit& u = loop->units[i];
          if (!(u.capacity_w > 0.0) || !(unit_flow[i] > nothing)) continue;
          const double capacity = capacity_at(i);
          const double share = capacity > 0.0 ? wanted_duty(i) / capacity : 0.0;
          if (share > out.largest_duty_share) {
            out.largest_duty_share = share;
            out.busiest_unit = u.unit;
          }
        }
        for (const LoopRack& r : loop->racks) {
          if (!(q[r.plates] > nothing)) continue;
          const double supply = node_c[r.inlet];
          if (supply > r.warmest_supply_c.value_or(loop->supply_c + supply_tolerance_k) + 1e-6) ++out.warm_racks;
          if (out.hottest_rack == 0 || supply > out.hottest_supply_c + 1e-9) {
            out.hottest_supply_c = supply;
            out.hottest_rack = r.rack;
          }
        }
      }
    }
    return out;
  }

  LoopSolution solution() {
    slowed = false;
    LoopSolution out;
    const NetworkSolution& s = solver->solution();
    const auto& q = s.flow_m3_per_s;
    const DrawnLoop& l = *loop;
    const double weight = l.density_kg_per_m3 * standard_gravity, nothing = least_flow();
    find_temperatures();
    out.temperatures_known = temperatures_known;
    out.speed = speed;
    out.steps = steps;
    out.mass_error = s.mass_error;
    out.head_error_m = s.head_error_m;
    out.node_c = node_c;
    out.node_flows = node_flows;
    out.node_pressure_pa.resize(l.network.nodes.size());
    bool first = true;
    for (std::size_t i = 0; i < l.network.nodes.size(); ++i) {
      const bool known = s.head_known[i] != 0;
      const double p = known ? (s.head_m[i] - l.network.nodes[i].elevation_m) * weight : 0.0;
      out.node_pressure_pa[i] = p;
      if (!known || l.network.nodes[i].kind != NodeKind::junction) continue;
      out.highest_pressure_pa = first ? p : std::max(out.highest_pressure_pa, p);
      out.lowest_pressure_pa = first ? p : std::min(out.lowest_pressure_pa, p);
      first = false;
    }
    double least = 0.0, most = 0.0, sum = 0.0;
    std::size_t flowing = 0;
    for (const LoopRack& r : l.racks) {
      RackFlow f;
      f.rack = r.rack;
      f.flow_m3_per_s = std::max(q[r.plates], 0.0);
      f.flowing = f.flow_m3_per_s > nothing;
      if (!f.flowing) f.flow_m3_per_s = 0.0;
      f.share = f.flow_m3_per_s / r.need_m3_per_s;
      f.hose_velocity_m_per_s = f.flow_m3_per_s / section_area(r.hose_bore_m);
      f.inlet_pressure_pa = out.node_pressure_pa[r.inlet];
      if (f.flowing) {
        f.drop_pa =
            (s.head_m[l.network.links[r.supply_hose].from] - s.head_m[l.network.links[r.return_hose].to]) * weight;
        if (temperatures_known) {
          f.supply_c = node_c[r.inlet];
          f.return_c = node_c[r.inlet] + r.heat_w / (heat_capacity() * f.flow_m3_per_s);
        }
        out.flow_m3_per_s += f.flow_m3_per_s;
        out.heat_w += r.heat_w;
        sum += f.share;
        most = std::max(most, f.share);
        if (flowing++ == 0 || f.share < least * (1.0 - 1e-9)) {
          least = f.share;
          out.worst_rack = r.rack;
        }
      } else {
        ++out.dry_racks;
        out.heat_not_carried_w += r.heat_w;
      }
      out.racks.push_back(f);
    }
    out.least_share = least;
    if (flowing > 0) out.spread = (most - least) / (sum / static_cast<double>(flowing));
    for (std::size_t i = 0; i < l.units.size(); ++i) {
      const LoopUnit& u = l.units[i];
      UnitWork w;
      w.unit = u.unit;
      w.flow_m3_per_s = unit_flow[i];
      w.running = w.flow_m3_per_s > nothing;
      if (w.running) {
        w.head_pa = (s.head_m[u.supply] - s.head_m[u.returned]) * weight;
        double end = 0.0;
        for (const int p : u.pumps)
          if (q[p] > nothing)
            end += pump_end_flow_m3_per_s(l.network.pump_curves[l.network.links[p].curve].curve,
                                          u.fixed_speed.value_or(speed));
        w.curve_share = end > 0.0 ? w.flow_m3_per_s / end : 0.0;
        w.pump_power_w = w.flow_m3_per_s * w.head_pa / l.pump_efficiency;
        if (temperatures_known) {
          w.facility_flow_m3_per_s = l.facility || facility_out[i] ? 0.0 : water[i].flow_m3_per_s;
          w.facility_c = l.facility ? u.sink_c.value_or(0.0) : water[i].entering_c;
          w.return_c = node_c[u.returned];
          w.supply_c = unit_out_c[i];
          w.duty_w = heat_capacity() * w.flow_m3_per_s * (w.return_c - w.supply_c);
          if (u.capacity_w > 0.0) {
            w.capacity_w = capacity_at(i);
            w.duty_share = w.capacity_w > 0.0 ? wanted_duty(i) / w.capacity_w : 0.0;
          }
        }
        out.duty_w += w.duty_w;
        out.pump_power_w += w.pump_power_w;
      }
      out.units.push_back(w);
    }
    if (temperatures_known && out.heat_w > 0.0) out.energy_error = std::abs(out.heat_w - out.duty_w) / out.heat_w;
    for (const LoopSection& section : l.sections) {
      SectionFlow f;
      for (const int i : section.links) {
        const NetworkLink& link = l.network.links[i];
        const double flow = std::abs(q[i]);
        if (flow > f.flow_m3_per_s && temperatures_known) {
          const int up = q[i] > 0 ? link.from : link.to;
          if (node_flows[up] && node_c[up] < boils_at(up)) f.temperature_c = node_c[up]; // else it boils there
        }
        f.flow_m3_per_s = std::max(f.flow_m3_per_s, flow);
        f.velocity_m_per_s = std::max(f.velocity_m_per_s, flow / section_area(link.diameter_m));
        // Friction alone: what a shut valve holds is none, and what a bend or a valve takes is not along the pipe.
        if (flow > nothing && s.head_known[link.from] && s.head_known[link.to]) {
          const double velocity = flow / section_area(link.diameter_m);
          const double loss = std::abs(s.head_m[link.from] - s.head_m[link.to]) * weight -
                              0.5 * link.minor_loss * l.density_kg_per_m3 * velocity * velocity;
          f.gradient_pa_per_m = std::max(f.gradient_pa_per_m, loss / link.length_m);
        }
      }
      out.sections.push_back(f);
    }
    return out;
  }

  std::optional<LoopSummary> without_rack(std::size_t rack) {
    if (!solver || rack >= loop->racks.size()) return std::nullopt;
    plates.resize(loop->racks.size());
    for (std::size_t i = 0; i < plates.size(); ++i)
      plates[i] = loop->racks[i].plates;
    const auto& q = solver->solution().flow_m3_per_s;
    double total = 0.0;
    for (const int p : plates)
      total += q[p];
    // Where the rack takes much of the flow the laws bend too far for a straight line.
    if (!(q[plates[rack]] <= 0.02 * total)) return std::nullopt;
    const auto change = solver->first_order_closure(plates[rack], plates);
    if (!change) return std::nullopt;
    LoopSummary out;
    out.steps = 0;
    const double nothing = least_flow();
    for (std::size_t i = 0; i < plates.size(); ++i) {
      const LoopRack& r = loop->racks[i];
      const double flow = i == rack ? 0.0 : q[plates[i]] + (*change)[i];
      if (flow <= nothing) {
        if (out.dry_racks++ == 0) out.dry_rack = r.rack;
        continue;
      }
      out.flow_m3_per_s += flow;
      const double share = flow / r.need_m3_per_s;
      if (share < enough_share) ++out.short_racks;
      if (out.worst_rack == 0 || share < out.least_share * (1.0 - 1e-9)) {
        out.least_share = share;
        out.worst_rack = r.rack;
      }
    }
    return out;
  }

  Shared<DrawnLoop> loop;
  std::optional<PipeNetworkSolver> solver;
  std::size_t preparations = 0;

private:
  static constexpr double slowest = 0.2; ///< share of full speed below which pumps are not run

  [[nodiscard]] double heat_capacity() const { return loop->density_kg_per_m3 * loop->specific_heat_j_per_kg_k; }

  tl::expected<void, std::string> prepare(const Shared<DrawnLoop>& next) {
    if (solver && (loop == next || loop->network == next->network)) {
      loop = next;
      return {};
    }
    SolverOptions options;
    options.friction_reach = 5e-3;
    auto made = PipeNetworkSolver::prepare(next->network, options);
    if (!made) return tl::unexpected("loop '" + next->name + "': " + made.error().front());
    loop = next;
    solver = *std::move(made);
    ++preparations;
    speed = 1.0;
    applied.reset();
    ends.clear();
    status.clear();
    own_status.clear();
    for (const NetworkLink& l : next->network.links) {
      ends.push_back({l.from, l.to});
      own_status.push_back(l.status);
    }
    status = own_status;
    return {};
  }

  void apply(const LoopOperation& operation) {
    const DrawnLoop& l = *loop;
    facility_out.assign(l.units.size(), 0);
    water.assign(l.units.size(), {});
    for (std::size_t i = 0; i < l.units.size(); ++i) {
      facility_out[i] = operation.facility_out.count(l.units[i].unit) > 0;
      water[i] = {l.units[i].facility_flow_m3_per_s, l.facility_supply_c, -1.0};
      if (const auto it = operation.facility_water.find(l.units[i].unit); it != operation.facility_water.end()) {
        const FacilityWater& w = it->second;
        const double capacity = w.heat_capacity_j_per_m3_k > 0.0 ? w.heat_capacity_j_per_m3_k : facility_heat_capacity;
        water[i] = {w.flow_m3_per_s, w.entering_c, w.flow_m3_per_s * capacity};
        if (!(w.flow_m3_per_s > 0.0)) facility_out[i] = 1;
      }
    }
    slowed = operation.duty_as_controlled && operation.speed;
    if (applied && applied->units_out == operation.units_out && applied->pumps_out == operation.pumps_out &&
        applied->racks_shut == operation.racks_shut && applied->sections_shut == operation.sections_shut)
      return;
    wanted = own_status;
    bool split = false;
    for (const LoopUnit& u : l.units) {
      if (operation.units_out.count(u.unit)) {
        for (const int i : u.pumps)
          wanted[i] = LinkStatus::closed;
        for (const int i : u.connections)
          wanted[i] = LinkStatus::closed;
        split = true;
      } else if (const auto out = operation.pumps_out.find(u.unit); out != operation.pumps_out.end())
        for (std::size_t p = 0; p < u.pumps.size() && static_cast<int>(p) < out->second; ++p)
          wanted[u.pumps[p]] = LinkStatus::closed;
    }
    for (const LoopRack& r : l.racks)
      if (operation.racks_shut.count(r.rack)) wanted[r.supply_hose] = wanted[r.return_hose] = LinkStatus::closed;
    for (const std::size_t s : operation.sections_shut)
      if (s < l.sections.size()) {
        split = true;
        for (const int i : l.sections[s].links)
          wanted[i] = LinkStatus::closed;
        // What hangs inside of it goes with it: its taps have no other way.
      }
    if (stop_dead_ends() || split) open_anchors();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (status[i] != wanted[i]) (void)solver->set_status(static_cast<int>(i), wanted[i]);
    status = wanted;
    // Racks that are opened again start from their need: from a trickle the way is longer.
    bool opened = false;
    if (applied)
      for (const Id id : applied->racks_shut)
        opened = opened || operation.racks_shut.count(id) == 0;
    if (opened && solver->solution().flow_m3_per_s.size() == wanted.size()) {
      SolverState state = solver->state();
      for (const LoopRack& r : l.racks)
        if (applied->racks_shut.count(r.rack) && !operation.racks_shut.count(r.rack))
          for (const int i : {r.supply_hose, r.plates, r.valve, r.return_hose})
            if (i >= 0) state.flow_m3_per_s[i] = r.need_m3_per_s;
      solver->start_from(state);
    }
    applied = operation;
  }

  /// Sets that hang together by what is not closed, with pumps or without.
  void join_parts(bool with_pumps) {
    const DrawnLoop& l = *loop;
    parent.resize(l.network.nodes.size());
    std::iota(parent.begin(), parent.end(), 0);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] != LinkStatus::closed && (with_pumps || l.network.links[i].kind != LinkKind::pump)) {
        const int a = part_of(ends[i].from), b = part_of(ends[i].to);
        parent[std::max(a, b)] = std::min(a, b);
      }
  }
  int part_of(int i) {
    while (parent[i] != i)
      i = parent[i] = parent[parent[i]];
    return i;
  }

  /// Stops pumps from whose supply nothing leads back to their return, pumps taken in their direction alone: what they
  /// move cannot come back, so that they move nothing. Left running they would stand at the very edge of running
  /// backwards, where rounding decides and no step settles, or hold the only pressure point behind a shut check valve.
  /// @return whether there is one
  bool stop_dead_ends() {
    const DrawnLoop& l = *loop;
    join_parts(false);
    const auto runs = [&](const LoopUnit& u) {
      return std::any_of(u.pumps.begin(), u.pumps.end(), [&](int p) { return wanted[p] != LinkStatus::closed; });
    };
    bool any = false;
    std::vector<const LoopUnit*> dead;
    for (const LoopUnit& u : l.units) {
      if (!runs(u)) continue;
      const int back = part_of(u.returned);
      std::set<int> reached{part_of(u.supply)};
      for (bool grows = reached.count(back) == 0; grows && reached.count(back) == 0;) {
        grows = false;
        for (const LoopUnit& other : l.units)
          if (&other != &u && runs(other) && reached.count(part_of(other.returned)))
            grows = reached.insert(part_of(other.supply)).second || grows;
      }
      if (reached.count(back) == 0) dead.push_back(&u);
    }
    for (const LoopUnit* u : dead)
      for (const int p : u->pumps) {
        any = any || wanted[p] != LinkStatus::closed;
        wanted[p] = LinkStatus::closed;
      }
    return any;
  }

  /// One pressure point for each part that hangs together.
  void open_anchors() {
    for (const LoopUnit& u : loop->units)
      wanted[u.anchor] = LinkStatus::closed;
    join_parts(true);
    anchored.clear();
    for (const LoopUnit& u : loop->units)
      if (anchored.insert(part_of(u.returned)).second) wanted[u.anchor] = LinkStatus::active;
  }

  void set_speed(double next) {
    for (const LoopUnit& u : loop->units)
      for (const int p : u.pumps)
        if (const double wanted = u.fixed_speed.value_or(next); solver->network().links[p].setting != wanted)
          (void)solver->set_setting(p, wanted);
    speed = next;
  }
  /// The largest of the speeds that the drawing fixes, where it fixes those of all units; else 0.
  [[nodiscard]] double fixed_speed() const {
    double out = 0.0;
    for (const LoopUnit& u : loop->units) {
      if (!u.fixed_speed) return 0.0;
      out = std::max(out, *u.fixed_speed);
    }
    return out;
  }
  tl::expected<void, std::string> run() {
    auto fine = solver->solve();
    if (!fine) { // a fresh start where a warm one went astray
      solver->forget();
      fine = solver->solve();
    }
    steps += solver->solution().steps;
    if (!fine) {
      applied.reset();
      return tl::unexpected("loop '" + loop->name + "': " + fine.error());
    }
    return {};
  }

  [[nodiscard]] double least_flow() const {
    double largest = 0.0;
    for (const LoopRack& r : loop->racks)
      largest = std::max(largest, r.need_m3_per_s);
    return largest * no_flow_share;
  }
  [[nodiscard]] double least_share() const {
    const auto& q = solver->solution().flow_m3_per_s;
    const double nothing = least_flow();
    double out = 0.0;
    for (const LoopRack& r : loop->racks) {
      if (q[r.plates] <= nothing) continue;
      const double share = q[r.plates] / r.need_m3_per_s;
      if (out == 0.0 || share < out) out = share;
    }
    return out;
  }
  /// Flows at which duties and temperatures are taken: as solved, or as a control slows the pumps.
  const std::vector<double>& duty_flows() {
    const auto& q = solver->solution().flow_m3_per_s;
    if (!slowed || std::any_of(loop->units.begin(), loop->units.end(), [](const LoopUnit& u) { return u.fixed_speed; }))
      return q;
    const double least = least_share();
    if (!(least > 1.0)) return q;
    const double factor = std::max(1.0 / least, slowest / speed);
    if (!(factor < 1.0)) return q;
    slowed_flow.resize(q.size());
    std::transform(q.begin(), q.end(), slowed_flow.begin(), [factor](double flow) { return flow * factor; });
    return slowed_flow;
  }
  [[nodiscard]] bool held_by_valves() const {
    return std::any_of(loop->racks.begin(), loop->racks.end(), [](const LoopRack& r) { return r.valve >= 0; });
  }

  /// At the pressure that the node has.
  [[nodiscard]] double boils_at(int node) const {
    const NetworkSolution& s = solver->solution();
    const double gauge = s.head_known[node] ? (s.head_m[node] - loop->network.nodes[node].elevation_m) *
                                                  loop->density_kg_per_m3 * standard_gravity
                                            : 0.0;
    return water_boils_c(loop->atmosphere_pa + gauge);
  }

  /// Heat that the unit would have to pass on to hold the supply.
  [[nodiscard]] double wanted_duty(std::size_t i) const {
    return std::max(0.0, heat_capacity() * unit_flow[i] * (node_c[loop->units[i].returned] - loop->supply_c));
  }
  [[nodiscard]] double capacity_at(std::size_t i) const {
    if (facility_out[i]) return 0.0;
    const LoopUnit& u = loop->units[i];
    if (loop->facility) // a chiller takes its rating, dry coolers and towers what the outside takes
      return u.sink_c ? exchanger_heat_w(u, unit_flow[i], node_c[u.returned], *u.sink_c, heat_capacity())
                      : unit_flow[i] > 0.0 ? u.capacity_w : 0.0;
    return exchanger_heat_w(u, unit_flow[i], node_c[u.returned], water[i].entering_c, heat_capacity(),
                            water[i].w_per_k);
  }

  /// Temperatures downstream from the units: outside of pumps coolant flows from higher to lower heads, so that one
  /// pass in that order mixes every node after what flows into it. Units that miss the supply are iterated.
  /// @param accuracy_k  at which units that miss the supply are taken as settled
  void find_temperatures(double accuracy_k = 1e-8) {
    const DrawnLoop& l = *loop;
    const NetworkSolution& s = solver->solution();
    const auto& q = duty_flows();
    const double nothing = least_flow();
    is_pump.assign(ends.size(), 0);
    heat_of.assign(ends.size(), 0.0);
    unit_flow.assign(l.units.size(), 0.0);
    for (std::size_t u = 0; u < l.units.size(); ++u)
      for (const int p : l.units[u].pumps) {
        is_pump[p] = 1;
        unit_flow[u] += std::max(q[p], 0.0);
      }
    double heat = 0.0;
    for (const LoopRack& r : l.racks)
      if (q[r.plates] > nothing) {
        heat_of[r.plates] = r.heat_w / heat_capacity();
        heat += r.heat_w;
      }
    unit_out_c.assign(l.units.size(), l.supply_c);
    node_c.assign(l.network.nodes.size(), 0.0);
    node_flows.assign(l.network.nodes.size(), 0);
    temperatures_known = heat <= 0.0;
    for (std::size_t u = 0; u < l.units.size(); ++u)
      temperatures_known = temperatures_known || (unit_flow[u] > nothing && !facility_out[u]);
    if (!temperatures_known) return;
    // Every node after what flows into it: from those that only pumps feed downwards.
    const std::size_t nodes = l.network.nodes.size();
    waiting.assign(nodes, 0);
    first_out.assign(nodes + 1, 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (is_pump[i] || !(std::abs(q[i]) > nothing * 1e-3)) continue;
      ++count;
      ++waiting[q[i] > 0 ? ends[i].to : ends[i].from];
      ++first_out[(q[i] > 0 ? ends[i].from : ends[i].to) + 1];
    }
    std::partial_sum(first_out.begin(), first_out.end(), first_out.begin());
    out_links.resize(count);
    next_out.assign(first_out.begin(), first_out.end() - 1);
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (!is_pump[i] && std::abs(q[i]) > nothing * 1e-3)
        out_links[next_out[q[i] > 0 ? ends[i].from : ends[i].to]++] = static_cast<int>(i);
    ready.clear();
    for (std::size_t n = 0; n < nodes; ++n)
      if (waiting[n] == 0 && first_out[n] < first_out[n + 1]) ready.push_back(static_cast<int>(n));
    flowing.clear();
    for (std::size_t at = 0; at < ready.size(); ++at)
      for (int k = first_out[ready[at]]; k < first_out[ready[at] + 1]; ++k) {
        const int i = out_links[k];
        const int down = q[i] > 0 ? ends[i].to : ends[i].from;
        flowing.push_back({ready[at], down, std::abs(q[i]), heat_of[i]});
        if (--waiting[down] == 0) ready.push_back(down);
      }
    if (flowing.size() < count) { // a whirl of the last digits: by heads, which have none
      order.resize(ends.size());
      std::iota(order.begin(), order.end(), 0);
      const auto head = [&](int i) { return s.head_m[q[i] > 0 ? ends[i].from : ends[i].to]; };
      std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return head(x) > head(y); });
      flowing.clear();
      for (const int i : order)
        if (!is_pump[i] && std::abs(q[i]) > nothing * 1e-3)
          flowing.push_back(
              {q[i] > 0 ? ends[i].from : ends[i].to, q[i] > 0 ? ends[i].to : ends[i].from, std::abs(q[i]), heat_of[i]});
    }
    weighted.resize(node_c.size());
    into.resize(node_c.size());
    std::vector<double> change(l.units.size(), 0.0), last_change;
    for (int pass = 0; pass < 500; ++pass) {
      std::fill(weighted.begin(), weighted.end(), 0.0);
      std::fill(into.begin(), into.end(), 0.0);
      for (std::size_t u = 0; u < l.units.size(); ++u)
        if (unit_flow[u] > nothing) {
          into[l.units[u].supply] += unit_flow[u];
          weighted[l.units[u].supply] += unit_flow[u] * unit_out_c[u];
        }
      for (const Flowing& f : flowing) {
        if (into[f.up] <= 0.0) continue; // a trickle by rounding
        into[f.down] += f.flow;
        weighted[f.down] += f.flow * (weighted[f.up] / into[f.up]) + f.heat;
      }
      double moved = 0.0;
      for (std::size_t u = 0; u < l.units.size(); ++u) {
        change[u] = 0.0;
        const int node = l.units[u].returned;
        if (!(unit_flow[u] > nothing) || !(into[node] > 0.0)) continue;
        const double returned = node_c[node] = weighted[node] / into[node];
        double next = std::min(l.supply_c, returned);
        if (facility_out[u])
          next = returned;
        else if (l.units[u].capacity_w > 0.0)
          next = std::max(next, returned - capacity_at(u) / (heat_capacity() * unit_flow[u]));
        change[u] = next - unit_out_c[u];
        moved = std::max(moved, std::abs(change[u]));
        unit_out_c[u] = next;
      }
      if (moved <= accuracy_k) {
        // The last pass was made with what it ended with, but for less than the accuracy.
        for (std::size_t i = 0; i < node_c.size(); ++i) {
          node_flows[i] = into[i] > 0.0;
          node_c[i] = into[i] > 0.0 ? weighted[i] / into[i] : 0.0;
        }
        for (std::size_t u = 0; u < l.units.size(); ++u)
          unit_out_c[u] -= change[u];
        // All that comes back to a unit would have boiled on the way: that is no steady state. A single rack may.
        for (const LoopUnit& u : l.units)
          if (node_flows[u.returned] && node_c[u.returned] >= boils_at(u.returned)) temperatures_known = false;
        if (!temperatures_known) forget_temperatures();
        return;
      }
      // Mixing is linear where no unit changes sides: every third change is taken to its end (Aitken).
      if (pass % 3 == 2) {
        double across = 0.0, along = 0.0;
        for (std::size_t u = 0; u < change.size(); ++u) {
          across += change[u] * last_change[u];
          along += last_change[u] * last_change[u];
        }
        const double ratio = along > 0.0 ? across / along : 0.0;
        if (ratio > 0.05 && ratio < 0.995)
          for (std::size_t u = 0; u < change.size(); ++u)
            unit_out_c[u] += change[u] * ratio / (1.0 - ratio);
      }
      last_change = change;
    }
    temperatures_known = false; // the exchangers cannot pass the heat on at any temperature within reach
    forget_temperatures();
  }
  void forget_temperatures() {
    std::fill(node_c.begin(), node_c.end(), 0.0);
    std::fill(node_flows.begin(), node_flows.end(), 0);
    std::fill(unit_out_c.begin(), unit_out_c.end(), 0.0);
  }

  struct Flowing {
    int up, down;
    double flow, heat; ///< heat over the heat capacity of a volume [K m3/s]
  };
  struct LinkEnds {
    int from, to;
  };
  std::vector<LinkEnds> ends;
  std::optional<LoopOperation> applied;
  std::vector<LinkStatus> wanted, status, own_status; ///< asked for, as they are, as the drawing has them
  std::vector<int> parent, plates;
  std::set<int> anchored;
  std::vector<char> facility_out;
  struct UnitWater {
    double flow_m3_per_s, entering_c;
    double w_per_k; ///< below 0: of its rated flow
  };
  std::vector<UnitWater> water;
  bool slowed = false; ///< duties at the flow of a control
  std::vector<double> slowed_flow;
  double speed = 1.0;
  int steps = 0;
  std::vector<Flowing> flowing;
  std::vector<int> order, waiting, first_out, next_out, out_links, ready;
  std::vector<char> is_pump, node_flows;
  std::vector<double> heat_of, unit_flow, unit_out_c, node_c, weighted, into;
  bool temperatures_known = true;
};

LoopSolver::LoopSolver() : work_(std::make_unique<Work>()) {}
LoopSolver::LoopSolver(LoopSolver&&) noexcept = default;
LoopSolver& LoopSolver::operator=(LoopSolver&&) noexcept = default;
LoopSolver::~LoopSolver() = default;

tl::expected<LoopSolution, std::string> LoopSolver::solve(const Shared<DrawnLoop>& loop,
                                                          const LoopOperation& operation) {
  if (auto fine = work_->flows(loop, operation, 1e-5, 1e-5); !fine) return tl::unexpected(fine.error());
  return work_->solution();
}
tl::expected<LoopSummary, std::string> LoopSolver::summary(const Shared<DrawnLoop>& loop,
                                                           const LoopOperation& operation, bool temperatures) {
  if (auto fine = work_->flows(loop, operation, 3e-3, 1e-2); !fine) return tl::unexpected(fine.error());
  return work_->summary(temperatures);
}
std::optional<LoopSummary> LoopSolver::summary_without_rack(std::size_t rack) { return work_->without_rack(rack); }
SolverState LoopSolver::state() const { return work_->solver ? work_->solver->state() : SolverState{}; }
void LoopSolver::start_from(const SolverState& state) {
  if (work_->solver) work_->solver->start_from(state);
}
std::size_t LoopSolver::preparations() const { return work_->preparations; }

} // namespace hallwright
