// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/cooling.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "cooling/air_inlets.h"
#include "cooling/climate_figures.h"
#include "cooling/climate_formulas.h"
#include "cooling/coolant_care.h"
#include "cooling/formulas.h"
#include "cooling/loop_volumes.h"
#include "cooling/redundancy.h"
#include "load/formulas.h"
#include "load/shares.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_air_unit(CoolingUnitKind kind) {
  return kind == CoolingUnitKind::crah || kind == CoolingUnitKind::fan_wall || kind == CoolingUnitKind::rear_door;
}

/// How many of `units` may be out of service at once. Under 2N one half is the spare of the other.
std::size_t units_out(Redundancy redundancy, std::size_t units) {
  switch (redundancy) {
  case Redundancy::n:
    return 0;
  case Redundancy::n_plus_1:
    return std::min<std::size_t>(1, units);
  case Redundancy::two_n:
    return (units + 1) / 2;
  }
  return 0;
}
/// @param each  "" for units that stand in for one another, " of each loop" where loops are apart
std::string out_words(Redundancy redundancy, std::size_t units, std::string_view each = "") {
  if (redundancy == Redundancy::n) return "all running";
  if (units == 1) return "the only one out";
  return fmt::format("the {}{} out", redundancy == Redundancy::n_plus_1 ? "largest one" : "larger half", each);
}
std::string_view redundancy_word(Redundancy redundancy) {
  return ChoiceWords<Redundancy>::words[static_cast<std::size_t>(redundancy)];
}

/// What is left when the largest `out` are gone; unknown ones are not counted, so that the rest is a lower bound.
template <class T>
std::vector<Traced<T>> without_largest(std::vector<Traced<T>> values, std::size_t out) {
  std::stable_sort(values.begin(), values.end(), [](const Traced<T>& a, const Traced<T>& b) {
    if (a.has_value() != b.has_value()) return a.has_value();
    return a.has_value() && base_value(a.value) > base_value(b.value);
  });
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(out, values.size())));
  return values;
}

/// Racks of one type on one loop that shed the same heat to liquid.
struct RackGroup {
  const RackClassLoad* load = nullptr; ///< one of their classes
  const RackType* type = nullptr;
  Count racks = 0;
  std::string key, name; ///< of the type, or of the class where the type's classes shed different heats
  Traced<VolumeFlow> flow_each;
};

/// A loop with what hangs on it; id 0 holds racks and units that name no loop.
struct Loop {
  Id id = 0;
  const CoolantLoop* loop = nullptr;
  std::string name, stem;
  std::map<std::uint32_t, RackGroup> racks; ///< with heat to liquid, by the figure of it
  Count rack_count = 0;
  std::vector<const CoolingUnit*> cdus;
  Traced<Power> heat;
  Traced<VolumeFlow> flow;
  Traced<TempRise> rise;
  Traced<Temperature> supply, returned;
  Traced<Power> capacity, capacity_left;
  Traced<VolumeFlow> flow_capacity, flow_left;
  Traced<double> headroom;
  Traced<Count> needed;
  bool none_left = false; ///< CDUs are drawn, and redundancy counts all of them out
};

class CoolingStage {
public:
  CoolingStage(const CoolingInputs& in, const LoadResult& load, const LoopLooks* loops, Shared<ClimateYear> climate)
      : in_(in), load_(load), loops_at_work_(loops), climate_(std::move(climate)) {}

  CoolingResult run() {
    const bool liquid =
        load_.heat_to_liquid.completeness == Completeness::unknown ||
        (load_.heat_to_liquid.has_value() &&
         (in_watts(load_.heat_to_liquid.value) > 0 || load_.heat_to_liquid.completeness == Completeness::lower_bound));
    if (liquid)
      liquid_side();
    else
      no_liquid_side();
    air_side();
    if (loops_at_work_) solved_pumps();
    units_power();
    heat_rejection();
    units_table();
    if (loops_at_work_) {
      solved_loops();
      for (Table& t : loop_tables(*loops_at_work_)) tables_.push_back(std::move(t));
    }
    care();
    out_.page = ledger_.finish_page();
    out_.tables = std::make_shared<const std::vector<Table>>(std::move(tables_));
    return std::move(out_);
  }

private:
  static bool sheds_to_liquid(const RackClassLoad& l) {
    return !l.heat_to_liquid.has_value() || in_watts(l.heat_to_liquid.value) > 0 ||
           l.heat_to_liquid.completeness == Completeness::lower_bound;
  }

  static constexpr ModelNote balanced{"pressures of pipes, hoses, couplings, plates and pumps balanced at every joint; heat carried by the flow",
                                      "Darcy-Weisbach, Colebrook-White; conservation of mass and energy"};

  /// Pumps of drawn loops at the speed at which every rack has its flow.
  void solved_pumps() {
    for (const LoopLook& look : loops_at_work_->loops) {
      if (!look.steady || !look.loop) continue;
      solved_pumps_[look.loop->loop] =
          ledger_.modelled<Power>(fmt::format("cooling.loop.{}.pump_power", look.loop->loop), "Electrical power of the pumps, solved, " + look.loop->name, balanced,
                                  {model_input("heat_to_liquid", load_.heat_to_liquid)}, watts(look.steady->pump_power_w));
    }
  }

  /// What the solved networks of drawn loops come to, beside the first-order figures.
  void solved_loops() {
    constexpr ModelNote failed{"the same with each distribution unit and each pump out in turn: least of flow over need and of exchangers' room",
                               "enumeration of single failures"};
    constexpr ModelNote timed{"heat of racks into cold plates, coolant of racks, pipes and tanks, until the first rack throttles",
                              "lumped heat capacities; measured cold plates of NVL72"};
    for (const LoopLook& look : loops_at_work_->loops) {
      if (!look.steady || !look.loop) continue;
      const std::string stem = fmt::format("cooling.loop.{}.", look.loop->loop);
      const std::string& name = look.loop->name;
      std::vector<ModelInput> inputs{model_input("heat_to_liquid", load_.heat_to_liquid)};
      std::string assumed;
      for (const std::string& e : look.loop->estimates) assumed += (assumed.empty() ? "" : "; ") + e;
      const auto share = [&](const char* id, std::string label, const ModelNote& note, double value) {
        return ledger_.modelled<double>(stem + id, std::move(label), note, inputs, value, kind::percent);
      };
      const auto flow = ledger_.modelled<VolumeFlow>(stem + "solved_flow", (look.loop->facility ? "Facility water, solved, " : "Flow of the racks, solved, ") + name, balanced, inputs,
                                                     cubic_meters_per_second(look.steady->flow_m3_per_s));
      if (!assumed.empty()) ledger_.remark(flow, assumed);
      share("pump_speed", (look.loop->facility ? "Pump speed that serves every distribution unit, " : "Pump speed that serves every rack, ") + name, balanced, look.steady->speed);
      if (look.full) share("least_share", (look.loop->facility ? "Facility water of the worst unit over its need at full speed, " : "Flow of the worst rack over its need at full speed, ") + name, balanced, look.full->least_share);
      double busiest = 0.0;
      for (const UnitWork& u : look.steady->units) busiest = std::max(busiest, u.duty_share);
      if (busiest > 0.0) share("exchanger_share", "Heat of the busiest exchanger over what it passes on, " + name, balanced, busiest);
      const auto being_found = [&](const auto& traced) {
        if (look.outages_behind) ledger_.remark(traced, "of the drawing before the last edit; it is being found anew");
      };
      if (!look.outages) {
        constexpr auto open = Completeness::unknown;
        constexpr const char* why = "is being found beside the edit";
        ledger_.absent<double>(stem + "failure_headroom", "Least room with a unit or a pump out, " + name, open, why, &kind::percent);
        if (look.loop->facility) continue;
        ledger_.absent<Time>(stem + "pumps_stop_throttle", "Time to the first throttling when the pumps stop, " + name, open, why);
        ledger_.absent<Time>(stem + "facility_lost_throttle", "Time to the first throttling without facility water, " + name, open, why);
        continue;
      }
      if (look.outages->failures) {
        double least = look.outages->failures->healthy_headroom;
        for (const LoopFailure& f : look.outages->failures->cases)
          if (f.kind == LoopFailureKind::unit || f.kind == LoopFailureKind::pump) least = std::min(least, f.headroom);
        being_found(share("failure_headroom", "Least room with a unit or a pump out, " + name, failed, least));
      }
      const auto seconds_left = [&](const char* id, std::string label, const std::optional<LoopTransient>& course) {
        if (!course) return;
        if (course->first_throttle_s) {
          const auto left = ledger_.modelled<Time>(stem + id, std::move(label), timed, inputs, seconds(*course->first_throttle_s));
          being_found(left);
          if (course->too_warm_before > 0)
            ledger_.remark(left, fmt::format("{} {} warmer coolant than parts take before anything is lost: the warning is over already",
                                             course->too_warm_before, course->too_warm_before == 1 ? "rack gets" : "racks get"));
        } else
          ledger_.absent<Time>(stem + id, std::move(label), Completeness::not_applicable, "no rack throttles within 15 minutes");
      };
      seconds_left("pumps_stop_throttle", "Time to the first throttling when the pumps stop, " + name, look.outages->pumps_stop);
      seconds_left("facility_lost_throttle", "Time to the first throttling without facility water, " + name, look.outages->facility_lost);
    }
  }

  // --- liquid
  // ---------------------------------------------------------------------------------------------------------

  void no_liquid_side() {
    const std::string why =
        load_.heat_to_liquid.has_value() ? "no heat goes to liquid" : "there is no heat to carry away";
    constexpr auto none = Completeness::not_applicable;
    out_.flow = ledger_.absent<VolumeFlow>("cooling.flow", "Coolant flow", none, why);
    out_.cdus_by_duty = ledger_.absent<Count>("cooling.cdus_by_duty", "CDUs by duty", none, why);
    out_.cdus_by_flow = ledger_.absent<Count>("cooling.cdus_by_flow", "CDUs by flow", none, why);
    out_.cdus_needed = ledger_.absent<Count>("cooling.cdus_needed", "CDUs needed", none, why);
    out_.cdus_drawn = count_cdus();
    out_.cdu_headroom = ledger_.absent<double>("cooling.cdu_headroom", "CDU headroom", none, why, &kind::percent);
    ledger_.absent<Temperature>("cooling.supply_temperature", "Coolant supply", none, why);
  }
  Traced<Count> count_cdus() {
    const Count n = std::count_if(in_.units->begin(), in_.units->end(),
                                  [](const CoolingUnit& u) { return u.kind == CoolingUnitKind::cdu; });
    return ledger_.counted("cooling.cdus_drawn", "CDUs drawn", n, "cooling units of kind cdu in the drawing");
  }

  void gather() {
    auto loop_of = [&](Id id) -> Loop& {
      // A loop that is gone counts as none.
      const CoolantLoop* loop = id ? find(*in_.loops, id) : nullptr;
      const Id key = loop ? id : 0;
      auto [it, fresh] = loops_.try_emplace(key);
      if (fresh) {
        it->second.id = key;
        it->second.loop = loop;
        it->second.name = loop ? loop->name : "racks on no loop";
        it->second.stem = fmt::format("cooling.loop.{}.", key);
      }
      return it->second;
    };
    for (const CoolantLoop& loop : *in_.loops)
      loop_of(loop.id);
    for (std::size_t i = 0; i < in_.racks->size(); ++i) {
      const RackClassLoad& load = load_.rack_classes[load_.class_of_rack[i]];
      if (!sheds_to_liquid(load)) continue;
      Loop& loop = loop_of((*in_.racks)[i].loop);
      RackGroup& group = loop.racks[load.heat_to_liquid.figure.index];
      if (!group.load) {
        group.load = &load;
        group.type = find(*in_.rack_types, load.rack_type);
        group.key = load.own_liquid_heat ? load.key : fmt::format("rack_type.{}", load.rack_type);
        group.name = group.type && !load.own_liquid_heat ? group.type->name : load.name;
      }
      ++group.racks;
      ++loop.rack_count;
    }
    for (const CoolingUnit& unit : *in_.units)
      if (unit.kind == CoolingUnitKind::cdu) loop_of(unit.loop).cdus.push_back(&unit);
    // Before a rack is drawn the whole heat is counted on the first loop that has CDUs.
    if (std::all_of(loops_.begin(), loops_.end(), [](const auto& l) { return l.second.rack_count == 0; })) {
      const auto with_cdus =
          std::find_if(loops_.begin(), loops_.end(), [](const auto& l) { return !l.second.cdus.empty(); });
      goal_loop_ = with_cdus != loops_.end() ? &with_cdus->second : &loop_of(0);
    }
  }

  /// Flow that the parts of one rack ask for themselves; not applicable where they ask for none.
  Traced<VolumeFlow> stated_flow(const RackType& type) {
    const RackPart* part = in_.catalog->find<RackPart>(type.rack_part);
    if (part && part->coolant_flow) return part_value<&RackPart::coolant_flow>(ledger_, *in_.catalog, *part);
    std::vector<Traced<VolumeFlow>> flows;
    for (const RackItem& item : *in_.rack_items) {
      if (item.rack_type != type.id || item.kind != RackItemKind::node) continue;
      const NodePart* node = in_.catalog->find<NodePart>(item.part);
      if (!node || !node->coolant_flow) continue;
      flows.push_back(ledger_.derive(fmt::format("cooling.rack_item.{}.flow", item.id),
                                     type.name + ": flow that its " + item.part + " ask for", racks_flow,
                                     design_value<&RackItem::count>(ledger_, "rack_items", item, type.name),
                                     part_value<&NodePart::coolant_flow>(ledger_, *in_.catalog, *node)));
    }
    if (flows.empty()) return {};
    return ledger_.sum<VolumeFlow>(fmt::format("cooling.rack_type.{}.stated_flow", type.id),
                                   type.name + ": flow that its nodes ask for", flows);
  }
  const Traced<VolumeFlow>& stated_flow_of(const RackType& type) {
    auto [it, fresh] = stated_flows_.try_emplace(type.id);
    if (fresh) it->second = stated_flow(type);
    return it->second;
  }

  /// Warmest supply that a rack of this type takes; not applicable where its parts do not say.
  std::optional<Traced<Temperature>> warmest_supply(const RackType& type) {
    std::optional<Traced<Temperature>> coldest;
    auto take = [&](Traced<Temperature> t) {
      if (!coldest || t.value < coldest->value) coldest = t;
    };
    const RackPart* part = in_.catalog->find<RackPart>(type.rack_part);
    if (part && part->coolant_supply) take(part_value<&RackPart::coolant_supply>(ledger_, *in_.catalog, *part));
    for (const RackItem& item : *in_.rack_items) {
      if (item.rack_type != type.id || item.kind != RackItemKind::node) continue;
      const NodePart* node = in_.catalog->find<NodePart>(item.part);
      if (node && node->coolant_supply_maximum)
        take(part_value<&NodePart::coolant_supply_maximum>(ledger_, *in_.catalog, *node));
    }
    return coldest;
  }

  void fluid() {
    const std::string& id = in_.plant->fluid_part;
    if (const FluidPart* part = in_.catalog->find<FluidPart>(id)) {
      density_ = part_value<&FluidPart::density>(ledger_, *in_.catalog, *part);
      specific_heat_ = part_value<&FluidPart::specific_heat>(ledger_, *in_.catalog, *part);
      return;
    }
    const std::string why = id.empty() ? "the cooling plant names no fluid" : "the catalog has no fluid '" + id + "'";
    density_ = ledger_.absent<Density>("cooling.fluid.density", "Density of the coolant", Completeness::unknown, why);
    specific_heat_ = ledger_.absent<SpecificHeat>("cooling.fluid.specific_heat", "Specific heat of the coolant",
                                                  Completeness::unknown, why);
  }

  /// The CDU to count with: the plant's, else the one that is drawn.
  void cdu_to_count_with() {
    std::string id = in_.plant->cdu_part;
    for (const CoolingUnit& unit : *in_.units)
      if (id.empty() && unit.kind == CoolingUnitKind::cdu) id = unit.part;
    cdu_part_ = in_.catalog->find<CoolingPart>(id);
    if (cdu_part_) {
      unit_capacity_ = part_value<&CoolingPart::capacity>(ledger_, *in_.catalog, *cdu_part_);
      unit_flow_ = part_value<&CoolingPart::secondary_flow>(ledger_, *in_.catalog, *cdu_part_);
      return;
    }
    const std::string why = id.empty() ? "the cooling plant names no CDU part and none is drawn"
                                       : "the catalog has no cooling part '" + id + "'";
    unit_capacity_ = ledger_.absent<Power>("cooling.cdu.capacity", "Capacity of one CDU", Completeness::unknown, why);
    unit_flow_ = ledger_.absent<VolumeFlow>("cooling.cdu.flow", "Flow of one CDU", Completeness::unknown, why);
  }

  Traced<Power> capacity_of(const CoolingUnit& unit) {
    if (unit.capacity) return design_value<&CoolingUnit::capacity>(ledger_, "cooling_units", unit, unit.name);
    if (const CoolingPart* part = in_.catalog->find<CoolingPart>(unit.part))
      return part_value<&CoolingPart::capacity>(ledger_, *in_.catalog, *part);
    return missing<Power>(unit, "capacity");
  }
  Traced<VolumeFlow> flow_of(const CoolingUnit& unit) {
    if (const CoolingPart* part = in_.catalog->find<CoolingPart>(unit.part))
      return part_value<&CoolingPart::secondary_flow>(ledger_, *in_.catalog, *part);
    return missing<VolumeFlow>(unit, "flow");
  }
  template <class T>
  Traced<T> missing(const CoolingUnit& unit, const std::string& what) {
    return ledger_.absent<T>(
        fmt::format("cooling.unit.{}.{}", unit.id, what), unit.name + ": " + what, Completeness::unknown,
        unit.part.empty() ? "cooling unit '" + unit.name + "' names no part, so its " + what + " is not known"
                          : "the catalog has no cooling part '" + unit.part + "'");
  }

  void one_loop(Loop& loop) {
    loop.rise = loop.loop && loop.loop->rise
                    ? design_value<&CoolantLoop::rise>(ledger_, "loops", *loop.loop, loop.name)
                    : design_value<&CoolingPlant::supply_rise>(ledger_, "cooling_plant", *in_.plant);
    const auto supply = loop.loop && loop.loop->supply_temperature
                            ? design_value<&CoolantLoop::supply_temperature>(ledger_, "loops", *loop.loop, loop.name)
                            : design_value<&CoolingPlant::supply_temperature>(ledger_, "cooling_plant", *in_.plant);
    loop.supply = ledger_.as<Temperature>(loop.stem + "supply_temperature",
                                           "Coolant supply temperature, " + loop.name, supply);
    std::optional<Traced<Temperature>> limit;
    std::vector<Traced<Power>> heats;
    std::vector<Traced<VolumeFlow>> flows;
    for (auto& [figure, group] : loop.racks) {
      const std::string stem = loop.stem + group.key + ".";
      const std::string name = group.name + " on " + loop.name;
      const auto racks =
          ledger_.counted(stem + "racks", "Racks " + name, group.racks, "racks of this kind on the loop");
      heats.push_back(
          ledger_.derive(stem + "heat", "Heat to liquid, " + name, parts_power, racks, group.load->heat_to_liquid));
      group.flow_each =
          ledger_.derive(stem + "flow_each", "Coolant flow of one rack, " + name, growing(coolant_volume_flow),
                         group.load->heat_to_liquid, loop.rise, density_, specific_heat_);
      if (group.type) {
        const auto& stated = stated_flow_of(*group.type);
        if (stated.completeness != Completeness::not_applicable)
          group.flow_each = ledger_.derive(stem + "flow_each_asked",
                                           "Coolant flow of one rack, heat or part, whichever asks for more, " + name,
                                           larger_flow, group.flow_each, stated);
        if (auto warmest = warmest_supply(*group.type); warmest && (!limit || warmest->value < limit->value))
          limit = warmest;
      }
      flows.push_back(ledger_.derive(stem + "flow", "Coolant flow, " + name, racks_flow, racks, group.flow_each));
    }
    if (&loop == goal_loop_) {
      loop.heat = ledger_.as<Power>(loop.stem + "heat", "Heat to liquid, no rack drawn yet", load_.heat_to_liquid);
      loop.flow = ledger_.derive(loop.stem + "flow", "Coolant flow, no rack drawn yet", growing(coolant_volume_flow),
                                 load_.heat_to_liquid, loop.rise, density_, specific_heat_);
    } else {
      loop.heat = ledger_.sum<Power>(loop.stem + "heat", "Heat to liquid, " + loop.name, heats);
      loop.flow = ledger_.sum<VolumeFlow>(loop.stem + "flow", "Coolant flow, " + loop.name, flows);
    }
    loop.returned =
        ledger_.derive(loop.stem + "return_temperature", "Coolant return temperature, " + loop.name,
                       coolant_return_temperature, loop.supply, loop.heat, loop.flow, density_, specific_heat_);
    if (limit) {
      ledger_.limit(loop.supply, *limit, LimitSense::at_most);
      const double margin = in_kelvins(limit->value - loop.supply.value);
      if (!worst_supply_ || margin < worst_supply_margin_) {
        worst_supply_ = std::pair(loop.supply, *limit);
        supply_loop_ = loop.name;
        worst_supply_margin_ = margin;
      }
    } else if (!hottest_supply_ || loop.supply.value > hottest_supply_->value) {
      hottest_supply_ = loop.supply;
      if (!worst_supply_) supply_loop_ = loop.name;
    }

    const auto by_duty = ledger_.derive(loop.stem + "cdus_by_duty", "CDUs by duty, " + loop.name,
                                        growing(coolant_distribution_unit_count), loop.heat, unit_capacity_, no_spare_);
    const auto by_flow = ledger_.derive(loop.stem + "cdus_by_flow", "CDUs by flow, " + loop.name,
                                        growing(cdu_count_by_flow), loop.flow, unit_flow_, no_spare_);
    by_duty_.push_back(by_duty);
    by_flow_.push_back(by_flow);
    const bool flow_known = by_flow.has_value();
    loop.needed = ledger_.derive(loop.stem + "cdus_needed", "CDUs needed, " + loop.name, units_with_redundancy, by_duty,
                                 flow_known ? by_flow : by_duty, redundancy_);
    running_.push_back(ledger_.derive(loop.stem + "cdus_running", "CDUs at work, " + loop.name, larger_count, by_duty,
                                      flow_known ? by_flow : by_duty));
    if (!flow_known && loop.needed.has_value()) {
      loop.needed = ledger_.assumed(
          loop.needed,
          "by duty alone: " + (by_flow.reason ? *by_flow.reason : std::string("the flow of a CDU is not known")));
      flow_of_cdu_unknown_ = true;
    }
    needed_.push_back(loop.needed);

    // What the drawn units carry with the redundancy out.
    std::vector<Traced<Power>> capacities;
    std::vector<Traced<VolumeFlow>> unit_flows;
    for (const CoolingUnit* unit : loop.cdus) {
      capacities.push_back(capacity_of(*unit));
      unit_flows.push_back(flow_of(*unit));
    }
    const std::size_t out = units_out(in_.plant->redundancy, loop.cdus.size());
    if (loop.cdus.empty()) {
      const std::string with = ", " + loop.name;
      const std::string why = "no CDU is drawn on " + loop.name;
      loop.capacity_left =
          ledger_.absent<Power>(loop.stem + "cdu_capacity_left", "CDU capacity" + with, Completeness::unknown, why);
      loop.flow_left =
          ledger_.absent<VolumeFlow>(loop.stem + "cdu_flow_left", "CDU flow" + with, Completeness::unknown, why);
      loop.headroom = ledger_.absent<double>(loop.stem + "cdu_headroom", "CDU headroom" + with, Completeness::unknown,
                                             why, &kind::percent);
      return;
    }
    const std::string with = fmt::format(", {}, {}", loop.name, out_words(in_.plant->redundancy, loop.cdus.size()));
    loop.capacity_left =
        ledger_.sum<Power>(loop.stem + "cdu_capacity_left", "CDU capacity" + with, without_largest(capacities, out));
    loop.flow_left =
        ledger_.sum<VolumeFlow>(loop.stem + "cdu_flow_left", "CDU flow" + with, without_largest(unit_flows, out));
    ledger_.limit(loop.heat, loop.capacity_left, LimitSense::at_most);
    if (out == loop.cdus.size()) {
      loop.none_left = true;
      loop.headroom = ledger_.absent<double>(
          loop.stem + "cdu_headroom", "CDU headroom" + with, Completeness::not_applicable,
          fmt::format("{} counts the only CDU of {} out of service: nothing is left to carry its heat",
                      redundancy_word(in_.plant->redundancy), loop.name),
          &kind::percent);
      if (loop.flow.has_value()) ledger_.limit(loop.flow, loop.flow_left, LimitSense::at_most);
      return;
    }
    const auto duty = ledger_.derive(loop.stem + "cdu_headroom_by_duty", "CDU headroom by duty" + with, duty_headroom,
                                     loop.heat, loop.capacity_left);
    const bool no_flow_data =
        std::none_of(unit_flows.begin(), unit_flows.end(), [](const auto& f) { return f.has_value(); });
    if (no_flow_data || !loop.flow.has_value()) {
      loop.headroom = ledger_.as<double>(loop.stem + "cdu_headroom", "CDU headroom" + with, duty, &kind::percent);
      if (loop.headroom.has_value())
        loop.headroom = ledger_.assumed(loop.headroom, "by duty alone: the flow of the drawn CDUs is not known");
    } else {
      const auto by_flow_left = ledger_.derive(loop.stem + "cdu_headroom_by_flow", "CDU headroom by flow" + with,
                                               flow_headroom, loop.flow, loop.flow_left);
      loop.headroom =
          ledger_.derive(loop.stem + "cdu_headroom", "CDU headroom" + with, smaller_headroom, duty, by_flow_left);
      ledger_.limit(loop.flow, loop.flow_left, LimitSense::at_most);
    }
  }

  void liquid_side() {
    gather();
    fluid();
    cdu_to_count_with();
    redundancy_ = design_value<&CoolingPlant::redundancy>(ledger_, "cooling_plant", *in_.plant);
    no_spare_ = ledger_.constant<Count>("cooling.no_spare", "Spare units before redundancy", 0,
                                        "redundancy is added to the larger of duty and flow");
    for (auto& [id, loop] : loops_)
      if (loop.rack_count > 0 || &loop == goal_loop_) one_loop(loop);

    std::vector<Traced<VolumeFlow>> flows, left;
    const Loop* worst = nullptr;
    bool undrawn = false;
    std::size_t cdus = 0, loops_with_cdus = 0;
    for (const auto& [id, loop] : loops_) {
      if (!loop.flow.figure.valid()) continue;
      flows.push_back(loop.flow);
      if (loop.cdus.empty()) {
        undrawn = true;
        continue;
      }
      left.push_back(loop.flow_left);
      cdus += loop.cdus.size();
      ++loops_with_cdus;
      if (worst && worst->none_left) continue;
      if (loop.none_left ||
          (loop.headroom.has_value() && (!worst || loop.headroom.value < worst->headroom.value)))
        worst = &loop;
    }
    out_.flow = ledger_.sum<VolumeFlow>("cooling.flow", "Coolant flow", flows);
    if (!left.empty() && !undrawn)
      ledger_.limit(out_.flow,
                    ledger_.sum<VolumeFlow>("cooling.cdu_flow_left",
                                            fmt::format("CDU flow, {}",
                                                        out_words(in_.plant->redundancy, cdus,
                                                                  loops_with_cdus > 1 ? " of each loop" : "")),
                                            left),
                    LimitSense::at_most);
    out_.cdus_by_duty = ledger_.sum<Count>("cooling.cdus_by_duty", "CDUs by duty", by_duty_);
    out_.cdus_by_flow = ledger_.sum<Count>("cooling.cdus_by_flow", "CDUs by flow", by_flow_);
    out_.cdus_needed = ledger_.sum<Count>(
        "cooling.cdus_needed",
        fmt::format("CDUs needed, {}", ChoiceWords<Redundancy>::words[static_cast<std::size_t>(in_.plant->redundancy)]),
        needed_);
    out_.cdus_drawn = count_cdus();
    ledger_.limit(out_.cdus_drawn, out_.cdus_needed, LimitSense::at_least, 1.0);
    if (!worst) {
      const auto why = in_.units->empty() || out_.cdus_drawn.value == 0
                           ? std::string("no CDU is drawn")
                           : "no loop with heat has CDUs whose capacity is known";
      out_.cdu_headroom =
          ledger_.absent<double>("cooling.cdu_headroom", "CDU headroom", Completeness::unknown, why, &kind::percent);
    } else {
      out_.cdu_headroom =
          ledger_.as<double>("cooling.cdu_headroom", fmt::format("CDU headroom, worst loop: {}", worst->name),
                             worst->headroom, &kind::percent);
      if (undrawn && out_.cdu_headroom.has_value())
        ledger_.remark(out_.cdu_headroom, "loops without a CDU are not in it");
    }
    binding();
    if (worst_supply_) {
      const auto supply =
          ledger_.as<Temperature>("cooling.supply_temperature",
                                  "Coolant supply temperature of " + supply_loop_ + ", closest to its limit",
                                  worst_supply_->first);
      ledger_.limit(supply, worst_supply_->second, LimitSense::at_most);
    } else if (hottest_supply_) {
      ledger_.as<Temperature>("cooling.supply_temperature",
                              "Coolant supply temperature of " + supply_loop_ + ", the warmest", *hottest_supply_);
    }
    // What dry coolers alone reach on the design day.
    const auto outdoor = design_value<&Site::outdoor_design_temperature>(ledger_, "site", *in_.site);
    const auto rejection = assumption<TempRise>(ledger_, *in_.catalog, "cooling.dry_cooler_approach");
    const auto exchanger = cdu_part_ && cdu_part_->approach
                               ? part_value<&CoolingPart::approach>(ledger_, *in_.catalog, *cdu_part_)
                               : assumption<TempRise>(ledger_, *in_.catalog, "cooling.cdu_approach");
    ledger_.derive("cooling.supply_from_outdoor", "Coldest supply temperature that dry coolers reach on the design day",
                   supply_temperature_from_outdoor, outdoor, rejection, exchanger);
    liquid_tables();
  }

  void binding() {
    out_.binding_limit = "duty";
    if (!out_.flow.has_value() || !unit_capacity_.has_value() || !unit_flow_.has_value() ||
        !load_.heat_to_liquid.has_value())
      return;
    const double by_heat = base_value(load_.heat_to_liquid.value) / base_value(unit_capacity_.value);
    const double by_flow = base_value(out_.flow.value) / base_value(unit_flow_.value);
    if (by_flow > by_heat) out_.binding_limit = "flow";
  }

  // --- air
  // ------------------------------------------------------------------------------------------------------------

  void air_side() {
    constexpr auto none = Completeness::not_applicable;
    std::vector<Traced<Power>> room, doors;
    for (const CoolingUnit& unit : *in_.units) {
      if (!is_air_unit(unit.kind)) continue;
      (unit.kind == CoolingUnitKind::rear_door ? doors : room).push_back(capacity_of(unit));
    }
    const bool heat =
        load_.heat_to_air.completeness != none &&
        !(load_.heat_to_air.completeness == Completeness::exact && in_watts(load_.heat_to_air.value) == 0);
    if (!heat) {
      const std::string why = load_.heat_to_air.has_value() ? "no heat goes to air" : "there is no heat to carry away";
      out_.airflow = ledger_.absent<VolumeFlow>("cooling.airflow", "Air flow", none, why, &kind::airflow);
      out_.air_headroom = ledger_.absent<double>("cooling.air_headroom", "Air headroom", none, why, &kind::percent);
      return;
    }
    Formula air = growing(airflow);
    air.result_kind = &kind::airflow;
    out_.airflow = ledger_.derive("cooling.airflow", "Air flow", air, load_.heat_to_air,
                                  design_value<&CoolingPlant::air_rise>(ledger_, "cooling_plant", *in_.plant));
    air_heat_ = ledger_.as<Power>("cooling.air_heat", "Heat that air carries", load_.heat_to_air);
    if (room.empty() && doors.empty()) {
      out_.air_headroom = ledger_.absent<double>("cooling.air_headroom", "Air headroom", Completeness::unknown,
                                                 "no air units are drawn", &kind::percent);
      return;
    }
    std::vector<Traced<Power>> all = room;
    all.insert(all.end(), doors.begin(), doors.end());
    const auto capacity = ledger_.sum<Power>("cooling.air_capacity", "Capacity of the drawn air units", all);
    ledger_.limit(air_heat_, capacity, LimitSense::at_most);
    // A rear door serves its own rack: none of them stands in for another.
    const std::string out_of_room =
        out_words(room.empty() ? Redundancy::n : in_.plant->redundancy, room.size());
    std::vector<Traced<Power>> left = without_largest(room, units_out(in_.plant->redundancy, room.size()));
    left.insert(left.end(), doors.begin(), doors.end());
    const auto capacity_left =
        ledger_.sum<Power>("cooling.air_capacity_left",
                           "Capacity of the drawn air units, " + out_of_room, left);
    const std::string label = "Air headroom, " + out_of_room;
    if (left.empty())
      out_.air_headroom = ledger_.absent<double>(
          "cooling.air_headroom", label, Completeness::not_applicable,
          fmt::format("{} counts the only air unit out of service: nothing is left to carry the heat",
                      redundancy_word(in_.plant->redundancy)),
          &kind::percent);
    else
      out_.air_headroom =
          ledger_.derive("cooling.air_headroom", label, duty_headroom, air_heat_, capacity_left);
  }

  // --- electrical
  // -----------------------------------------------------------------------------------------------------

  void units_power() {
    constexpr auto none = Completeness::not_applicable;
    if (out_.cdus_by_duty.completeness == none) {
      out_.cdu_power = ledger_.absent<Power>("cooling.cdu_power", "Electrical power of CDU pumps", none,
                                             "no heat goes to liquid");
    } else if (const auto solved = pumps_of_all_heat(); !solved.empty()) {
      out_.cdu_power = ledger_.sum<Power>("cooling.cdu_power", "Electrical power of CDU pumps, as solved", solved);
    } else if (cdu_part_ && cdu_part_->power_draw && out_.cdus_by_duty.has_value() &&
               out_.cdus_by_duty.completeness != Completeness::lower_bound) {
      const auto running = ledger_.sum<Count>("cooling.cdus_running", "CDUs at work, without spare", running_);
      out_.cdu_power = ledger_.derive("cooling.cdu_power", "Electrical power of CDU pumps", running_units_power,
                                      running, part_value<&CoolingPart::power_draw>(ledger_, *in_.catalog, *cdu_part_));
    } else {
      out_.cdu_power = ledger_.derive(
          "cooling.cdu_power", "Electrical power of CDU pumps, by the share of heat that units of this kind draw",
          plant_power,
          load_.heat_to_liquid, assumption<double>(ledger_, *in_.catalog, "cooling.cdu_power_fraction"));
    }
    const auto fan_share = in_.plant->air_fan_power_share
                               ? design_value<&CoolingPlant::air_fan_power_share>(ledger_, "cooling_plant", *in_.plant)
                               : assumption<double>(ledger_, *in_.catalog, "air.crah_power_per_kw");
    out_.fan_power =
        ledger_.derive("cooling.fan_power", "Electrical power of fans, air side", plant_power, load_.heat_to_air,
                       fan_share);
  }

  /// Of the drawn loops, where all heat to liquid is theirs and each is solved; else empty.
  [[nodiscard]] std::vector<Traced<Power>> pumps_of_all_heat() const {
    std::vector<Traced<Power>> out;
    for (const auto& [id, loop] : loops_) {
      if (!loop.heat.figure.valid() || loop.heat.completeness == Completeness::not_applicable) continue;
      const auto solved = solved_pumps_.find(id);
      if (id == 0 || solved == solved_pumps_.end() || !(in_watts(solved->second.value) > 0.0)) return {};
      out.push_back(solved->second);
    }
    return out;
  }

  /// Heat rejection over the year of the site.
  RejectionFigures year() {
    YearInputs of{.in = in_, .climate = climate_, .coolants = {}, .solved_pumps = solved_pumps_, .cdu = cdu_part_, .it = load_.it, .heat_to_air = load_.heat_to_air, .cdu_power = out_.cdu_power,
                  .fan_power = out_.fan_power};
    for (const auto& [id, loop] : loops_)
      if (loop.flow.figure.valid()) of.coolants.push_back({loop.loop, loop.name, loop.stem, loop.heat, loop.supply, loop.returned});
    const auto known = [](const Traced<Power>& heat) { return heat.completeness != Completeness::unknown; };
    of.split_known = known(load_.heat_to_liquid) && known(load_.heat_to_air);
    return rejection_figures(ledger_, of, tables_);
  }

  /// Over the year, and at the design point: by the plant where the climate is known, unless the design states a share.
  void heat_rejection() {
    constexpr auto none = Completeness::not_applicable;
    const RejectionFigures found = year();
    out_.year = found.year;
    // All of the IT load becomes heat, also where it is not known which part of it goes to liquid.
    const bool split = load_.heat_to_liquid.completeness == Completeness::exact || load_.heat_to_liquid.completeness == Completeness::estimate ||
                       load_.heat_to_liquid.completeness == Completeness::not_applicable;
    const auto heat = split ? ledger_.sum<Power>("cooling.heat", "Heat to reject", {load_.heat_to_liquid, load_.heat_to_air})
                            : ledger_.as<Power>("cooling.heat", "Heat to reject, whether liquid or air carries it", load_.it);
    const char* const id = "cooling.heat_rejection_power";
    if (in_.plant->heat_rejection_power_share)
      out_.heat_rejection_power = ledger_.derive(id, "Electrical power of heat rejection, by the stated share", plant_power, heat,
                                                 design_value<&CoolingPlant::heat_rejection_power_share>(ledger_, "cooling_plant", *in_.plant));
    else if (!found.at_design_point.empty())
      out_.heat_rejection_power = ledger_.sum<Power>(id, "Electrical power of heat rejection, design day", found.at_design_point);
    else {
      out_.heat_rejection_power = ledger_.derive(id, "Electrical power of heat rejection", plant_power, heat,
                                                 assumption<double>(ledger_, *in_.catalog, "cooling.dry_cooler_fan_fraction"));
      if (out_.heat_rejection_power.has_value()) ledger_.remark(out_.heat_rejection_power, "fans of dry coolers by share: no year of the plant is known");
    }
    if (load_.it.completeness == none) {
      out_.electrical_power = ledger_.absent<Power>("cooling.electrical_power", "Electrical power of cooling", none,
                                                    "there is no heat to carry away");
    } else {
      out_.electrical_power = ledger_.sum<Power>("cooling.electrical_power", "Electrical power of cooling",
                                                 {out_.cdu_power, out_.fan_power, out_.heat_rejection_power});
    }
  }

  /// Volumes, water hammer, care of coolant, and air at the inlets.
  void care() {
    LoopVolumeInputs of{in_, {}, loops_at_work_};
    std::optional<Traced<Temperature>> water; // of the loop that asks for the coldest
    for (const auto& [id, loop] : loops_) {
      const std::string& fluid = loop.loop && !loop.loop->fluid_part.empty() ? loop.loop->fluid_part : in_.plant->fluid_part;
      of.loops.push_back({loop.loop, in_.catalog->find<FluidPart>(fluid), loop.name, loop.stem, loop.heat, loop.supply, loop.returned});
      if (!loop.heat.figure.valid() || !loop.supply.has_value()) continue;
      const auto approach = cdu_part_ && cdu_part_->approach ? part_value<&CoolingPart::approach>(ledger_, *in_.catalog, *cdu_part_)
                                                             : assumption<TempRise>(ledger_, *in_.catalog, "cooling.cdu_approach");
      const auto enough = ledger_.derive(loop.stem + "facility_water_enough", "Warmest facility water that holds the supply, " + loop.name, facility_water_supply, loop.supply, approach);
      if (enough.has_value() && (!water || enough.value < water->value)) water = enough;
    }
    loop_volume_figures(ledger_, of, tables_);
    coolant_care(ledger_, in_, of.loops, loops_at_work_, tables_);
    air_inlet_figures(ledger_, in_, load_, water.value_or(Traced<Temperature>{}), tables_);
  }

  // --- tables
  // ---------------------------------------------------------------------------------------------------------

  template <class T>
  static double number(const Traced<T>& t) {
    return t.has_value() ? base_value(t.value) : nan;
  }

  void liquid_tables() {
    Table loops;
    loops.id = "cooling.loops";
    loops.title = "Coolant loops";
    loops.entity_table = "loops";
    loops.columns.reserve(9);
    auto& name = loops.add_words("loop", "Loop");
    auto& racks = loops.add_numbers("racks", "Racks with liquid heat", kind::count);
    auto& heat = loops.add_numbers("heat", "Heat to liquid", kind::power, "kW");
    auto& flow = loops.add_numbers("flow", "Flow", kind::volume_flow, "L/min");
    auto& supply = loops.add_numbers("supply_temperature", "Supply", kind::temperature, "degC");
    auto& returned = loops.add_numbers("return_temperature", "Return", kind::temperature, "degC");
    auto& drawn = loops.add_numbers("cdus_drawn", "CDUs drawn", kind::count);
    auto& needed = loops.add_numbers("cdus_needed", "CDUs needed", kind::count);
    auto& headroom = loops.add_numbers("cdu_headroom", "CDU headroom", kind::percent);
    flow.formula = "heat / (density * specific heat * rise), or the flow that the parts ask for where that is more";
    // Facility water carries the heat of the loops that name it, and flows as it is solved.
    std::map<Id, double> facility_heat, facility_flow;
    for (const auto& [id, loop] : loops_)
      if (loop.loop && loop.loop->facility_loop) facility_heat[loop.loop->facility_loop] += loop.heat.figure.valid() ? number(loop.heat) : 0.0;
    if (loops_at_work_)
      for (const LoopLook& look : loops_at_work_->loops)
        if (look.loop && look.loop->facility && look.steady) facility_flow[look.loop->loop] = look.steady->flow_m3_per_s;
    for (const auto& [id, loop] : loops_) {
      if (!loop.flow.figure.valid() && id == 0 && loop.cdus.empty()) continue;
      const auto carried = facility_heat.find(id);
      const bool facility = carried != facility_heat.end() && loop.rack_count == 0;
      const auto solved = facility_flow.find(id);
      name.words.push_back(loop.name);
      racks.numbers.push_back(static_cast<double>(loop.rack_count));
      heat.numbers.push_back(facility ? carried->second : loop.heat.figure.valid() ? number(loop.heat) : 0.0);
      flow.numbers.push_back(facility ? (solved == facility_flow.end() ? nan : solved->second) : loop.flow.figure.valid() ? number(loop.flow) : 0.0);
      supply.numbers.push_back(number(loop.supply));
      returned.numbers.push_back(number(loop.returned));
      drawn.numbers.push_back(static_cast<double>(loop.cdus.size()));
      needed.numbers.push_back(loop.needed.figure.valid() ? number(loop.needed) : 0.0);
      headroom.numbers.push_back(number(loop.headroom));
      loops.entities.push_back(id);
      loops.row_figures.push_back(loop.flow.figure.valid() ? loop.stem + "flow" : std::string());
    }
    Table flows;
    flows.id = "cooling.racks";
    flows.title = "Coolant of racks";
    flows.entity_table = "racks";
    flows.columns.reserve(5);
    auto& rack_name = flows.add_words("rack", "Rack");
    auto& type_name = flows.add_words("type", "Rack type");
    auto& loop_name = flows.add_words("loop", "Loop");
    auto& rack_heat = flows.add_numbers("heat_to_liquid", "Heat to liquid", kind::power, "kW");
    auto& rack_flow = flows.add_numbers("flow", "Flow", kind::volume_flow, "L/min");
    rack_flow.formula = flow.formula;
    for (std::size_t i = 0; i < in_.racks->size(); ++i) {
      const Rack& rack = (*in_.racks)[i];
      const auto loop = loops_.find(rack.loop && find(*in_.loops, rack.loop) ? rack.loop : 0);
      if (loop == loops_.end()) continue;
      const auto& load = load_.rack_classes[load_.class_of_rack[i]];
      const auto group = loop->second.racks.find(load.heat_to_liquid.figure.index);
      if (group == loop->second.racks.end()) continue;
      rack_name.words.push_back(rack.name);
      type_name.words.push_back(group->second.type ? group->second.type->name : std::string());
      loop_name.words.push_back(loop->second.loop ? loop->second.name : std::string());
      rack_heat.numbers.push_back(number(group->second.load->heat_to_liquid));
      rack_flow.numbers.push_back(number(group->second.flow_each));
      flows.entities.push_back(rack.id);
      flows.row_figures.push_back(fmt::format("{}{}.flow_each", loop->second.stem, group->second.key));
    }
    tables_.push_back(std::move(loops));
    tables_.push_back(std::move(flows));
  }

  void units_table() {
    Table units;
    units.id = "cooling.units";
    units.title = "Cooling units";
    units.entity_table = "cooling_units";
    units.columns.reserve(6);
    auto& name = units.add_words("unit", "Unit");
    auto& kind_word = units.add_words("kind", "Kind");
    auto& loop_name = units.add_words("loop", "Loop");
    auto& capacity = units.add_numbers("capacity", "Capacity", kind::power, "kW");
    auto& duty = units.add_numbers("duty", "Duty, all running", kind::power, "kW");
    auto& share = units.add_numbers("duty_share", "Share of its capacity", kind::percent);
    duty.formula = "heat of its loop (or to air) in proportion to capacity";
    auto plain_capacity = [&](const CoolingUnit& unit) {
      if (unit.capacity) return base_value(*unit.capacity);
      const CoolingPart* part = in_.catalog->find<CoolingPart>(unit.part);
      return part && part->capacity ? base_value(*part->capacity) : nan;
    };
    std::map<Id, double> loop_capacity;
    double air_capacity = 0.0;
    for (const CoolingUnit& unit : *in_.units) {
      if (unit.kind == CoolingUnitKind::cdu)
        loop_capacity[find(*in_.loops, unit.loop) ? unit.loop : 0] += plain_capacity(unit);
      else if (is_air_unit(unit.kind))
        air_capacity += plain_capacity(unit);
    }
    for (const CoolingUnit& unit : *in_.units) {
      const double own = plain_capacity(unit);
      const Id loop_id = find(*in_.loops, unit.loop) ? unit.loop : 0;
      const auto loop = loops_.find(loop_id);
      double load = nan;
      if (unit.kind == CoolingUnitKind::cdu && loop != loops_.end())
        load = !loop->second.heat.figure.valid() ? 0.0 : number(loop->second.heat) * own / loop_capacity[loop_id];
      else if (is_air_unit(unit.kind))
        load = number(load_.heat_to_air) * own / air_capacity;
      name.words.push_back(unit.name);
      kind_word.words.emplace_back(ChoiceWords<CoolingUnitKind>::words[static_cast<std::size_t>(unit.kind)]);
      loop_name.words.push_back(loop_id ? find(*in_.loops, loop_id)->name : std::string());
      capacity.numbers.push_back(own);
      const bool real = std::isfinite(load) && std::isfinite(own) && own > 0;
      duty.numbers.push_back(real ? load : nan);
      share.numbers.push_back(real ? load / own : nan);
      units.entities.push_back(unit.id);
      units.row_figures.push_back(loop != loops_.end() && loop->second.headroom.figure.valid() &&
                                          unit.kind == CoolingUnitKind::cdu
                                      ? loop->second.stem + "cdu_headroom"
                                      : std::string());
    }
    tables_.push_back(std::move(units));
  }

  const CoolingInputs& in_;
  const LoadResult& load_;
  const LoopLooks* loops_at_work_;
  Shared<ClimateYear> climate_;
  Ledger ledger_{Page::cooling};
  CoolingResult out_;
  std::vector<Table> tables_;
  std::map<Id, Loop> loops_;
  std::map<Id, Traced<Power>> solved_pumps_; ///< of drawn loops that are solved
  Loop* goal_loop_ = nullptr; ///< stands in while no rack with liquid heat is drawn
  std::map<Id, Traced<VolumeFlow>> stated_flows_;
  Traced<Density> density_;
  Traced<SpecificHeat> specific_heat_;
  const CoolingPart* cdu_part_ = nullptr;
  Traced<Power> unit_capacity_, air_heat_;
  Traced<VolumeFlow> unit_flow_;
  Traced<Count> redundancy_, no_spare_;
  std::vector<Traced<Count>> by_duty_, by_flow_, needed_, running_;
  bool flow_of_cdu_unknown_ = false;
  std::optional<std::pair<Traced<Temperature>, Traced<Temperature>>> worst_supply_;
  std::optional<Traced<Temperature>> hottest_supply_;
  double worst_supply_margin_ = 0.0;
  std::string supply_loop_; ///< that these two are about
};

} // namespace

CoolingResult cooling(const CoolingInputs& inputs, const LoadResult& load, const LoopLooks* loops, const Shared<ClimateYear>& climate) {
  return CoolingStage(inputs, load, loops, climate ? climate : climate_year(*inputs.site, *inputs.climate_bins, *inputs.catalog)).run();
}

} // namespace hallwright
