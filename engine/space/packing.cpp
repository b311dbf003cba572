// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/packing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ledger/formula_range.h"
#include "space/design_value.h"
#include "space/footprints.h"

namespace hallwright {
namespace {

constinit const Formula<Count, Count, Count> whole_parts_in_units{
    .name = "whole_parts_in_units",
    .text = "floor(free_half_units / half_units_each)",
    .source = "count, whole parts in one free stretch",
    .parameters = {"free_half_units", "half_units_each"},
    .function = [](Count free_half_units, Count half_units_each) -> Result<Count> {
      if (auto wrong = violated(
              {not_negative("free_half_units", free_half_units), at_least("half_units_each", half_units_each, 1)}))
        return *wrong;
      return free_half_units / half_units_each;
    },
    .monotone = Monotone::mixed,
};

Result<Count> whole_parts(double left, double each) { return counted_whole(std::max(0.0, whole_at_most(left / each))); }

constinit const Formula<Count, Power, Power, Power> parts_within_power{
    .name = "parts_within_power",
    .text = "max(0, floor((limit - taken) / each))",
    .source = "count, whole parts",
    .parameters = {"limit", "taken", "each"},
    .function = [](Power limit, Power taken, Power each) -> Result<Count> {
      if (auto wrong = violated({not_negative("limit", limit), not_negative("taken", taken), above_zero("each", each)}))
        return *wrong;
      return whole_parts(in_watts(limit - taken), in_watts(each));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Mass, Mass, Mass> parts_within_mass{
    .name = "parts_within_mass",
    .text = "max(0, floor((limit - taken) / each))",
    .source = "count, whole parts",
    .parameters = {"limit", "taken", "each"},
    .function = [](Mass limit, Mass taken, Mass each) -> Result<Count> {
      if (auto wrong = violated({not_negative("limit", limit), not_negative("taken", taken), above_zero("each", each)}))
        return *wrong;
      return whole_parts(in_kilograms(limit - taken), in_kilograms(each));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Mass, ArealDensity, Length, Length, Length, Length, Length> mass_by_floor_rating{
    .name = "mass_by_floor_rating",
    .text = "rating * width * min(depth + cold_aisle / 2 + hot_aisle / 2, max(depth, structural_bay))",
    .source = "uniform load over the footprint and half of each adjoining aisle, within a structural bay; raised floor "
              "practice",
    .parameters = {"rating", "width", "depth", "cold_aisle", "hot_aisle", "structural_bay"},
    .function = [](ArealDensity rating, Length width, Length depth, Length cold_aisle, Length hot_aisle,
                   Length structural_bay) -> Result<Mass> {
      if (auto wrong = violated({not_negative("rating", rating), above_zero("width", width), above_zero("depth", depth),
                                 not_negative("cold_aisle", cold_aisle), not_negative("hot_aisle", hot_aisle),
                                 not_negative("structural_bay", structural_bay)}))
        return *wrong;
      const Length carried = std::min(depth + cold_aisle / 2.0 + hot_aisle / 2.0, std::max(depth, structural_bay));
      return rating * (width * carried);
    },
    .estimate = true,
};

constinit const Formula<Mass, Mass, Count, double> mass_by_point_rating{
    .name = "mass_by_point_rating",
    .text = "rating * feet / tilt_factor",
    .source = "raised floor practice, 25 % for tilt",
    .parameters = {"rating", "feet", "tilt_factor"},
    .function = [](Mass rating, Count feet, double tilt_factor) -> Result<Mass> {
      if (auto wrong = violated(
              {not_negative("rating", rating), at_least("feet", feet, 1), at_least("tilt_factor", tilt_factor, 1)}))
        return *wrong;
      return rating * feet / tilt_factor;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Power, double> liquid_heat_of_part{
    .name = "liquid_heat_of_part",
    .text = "power * liquid_share",
    .source = "share",
    .parameters = {"power", "liquid_share"},
    .function = [](Power power, double liquid_share) -> Result<Power> {
      if (auto wrong = violated({not_negative("power", power), share("liquid_share", liquid_share)})) return *wrong;
      return power * liquid_share;
    },
};

constinit const Formula<Power, Power, double> air_heat_of_part{
    .name = "air_heat_of_part",
    .text = "power * (1 - liquid_share)",
    .source = "share",
    .parameters = {"power", "liquid_share"},
    .function = [](Power power, double liquid_share) -> Result<Power> {
      if (auto wrong = violated({not_negative("power", power), share("liquid_share", liquid_share)})) return *wrong;
      return power * (1.0 - liquid_share);
    },
    .monotone = Monotone::mixed,
};

/// Power, mass and heat of one item, or of one node.
struct Draws {
  Traced<Power> power, liquid, air;
  Traced<Mass> mass;
};

class Packer {
public:
  Packer(const Design& design, const Catalog& catalog, const RackType& type, const NodePart& node,
         const PackingRequest& request)
      : design_(design), catalog_(catalog), type_(type), node_(node), request_(request) {
    for (const RackItem& item : *design.rack_items)
      if (item.rack_type == type.id && !(item.kind == RackItemKind::node && item.part == node.id))
        others_.push_back(item);
  }

  Packing run() {
    by_units();
    const Draws each = draws_of_node();
    const Draws taken = draws_of_others();
    by_power(each, taken);
    by_floor(each, taken);
    by_heat(each, taken);
    finish();
    out_.page = ledger_.finish_page();
    out_.tables = std::make_shared<const std::vector<Table>>();
    return std::move(out_);
  }

private:
  static std::string id_of(std::string_view word) { return "packing." + std::string(word); }
  void limit(std::string id, std::string name, Traced<Count> nodes) {
    out_.limits.push_back({std::move(id), std::move(name), std::move(nodes)});
  }
  Traced<Count> absent(std::string_view id, std::string label, Completeness how, std::string why) {
    return ledger_.absent<Count>(id_of(id), std::move(label), how, std::move(why));
  }

  void by_units() {
    const std::string label = "Nodes by rack units";
    const std::string name = "rack units";
    if (request_.mount == RackMount::zero_u_left || request_.mount == RackMount::zero_u_right)
      return limit("units", name,
                   absent("units", label, Completeness::not_applicable, "a node is not mounted beside the rails"));
    const RackPart* part = catalog_.find<RackPart>(type_.rack_part);
    const auto runs = free_units(catalog_, type_, others_, request_.mount);
    if (!runs)
      return limit("units", name,
                   absent("units", label, Completeness::unknown,
                          part ? "the catalog has no rack units for " + part->name
                               : "rack type " + type_.name + " has no cabinet in the catalog"));
    if (!node_.rack_units || *node_.rack_units <= 0)
      return limit("units", name,
                   absent("units", label, Completeness::unknown, "the catalog has no rack units for " + node_.name));
    const auto each = ledger_.measured<Count>(
        "packing.half_units_each", "Half units of a node", static_cast<Count>(std::ceil(*node_.rack_units * 2 - 1e-9)),
        fmt::format("{:g} rack units of {} in the catalog, in whole half units", *node_.rack_units, node_.name));
    std::vector<Traced<Count>> stretches;
    for (const FreeUnits& run : *runs) {
      const std::string stem = fmt::format("packing.units.from_{}", run.first);
      const auto length = ledger_.measured<Count>(
          stem + ".free", fmt::format("Free half units from half unit {}", run.first), run.length,
          fmt::format("rack type {}: {} rack units of its cabinet less what else it holds", type_.name,
                      *part->rack_units));
      stretches.push_back(
          ledger_.derive(stem, fmt::format("Nodes from half unit {}", run.first), whole_parts_in_units, length, each));
    }
    limit("units", name, ledger_.sum(id_of("units"), label, stretches, kind::count));
  }

  /// As for the goal: the basis that is asked for, else the nearest one that is known, which is then stated.
  static std::array<PowerBasis, 3> nearest_bases(PowerBasis wanted) {
    switch (wanted) {
    case PowerBasis::typical:
      return {PowerBasis::typical, PowerBasis::measured, PowerBasis::nameplate};
    case PowerBasis::measured:
      return {PowerBasis::measured, PowerBasis::typical, PowerBasis::nameplate};
    case PowerBasis::nameplate:
      break;
    }
    return {PowerBasis::nameplate, PowerBasis::typical, PowerBasis::measured};
  }
  static std::string word(PowerBasis b) {
    return std::string(ChoiceWords<PowerBasis>::words[static_cast<std::size_t>(b)]);
  }

  Traced<Power> node_power() {
    const PowerBasis wanted = design_.project->power_basis;
    for (PowerBasis basis : nearest_bases(wanted)) {
      const auto& known = basis == PowerBasis::nameplate ? node_.power_maximum
                          : basis == PowerBasis::typical ? node_.power_typical
                                                         : node_.power_measured;
      if (!known) continue;
      auto out = ledger_.as<Power>(
          "packing.node_power", "Power of a node, " + word(wanted),
          basis == PowerBasis::nameplate ? part_value<&NodePart::power_maximum>(ledger_, catalog_, node_)
          : basis == PowerBasis::typical ? part_value<&NodePart::power_typical>(ledger_, catalog_, node_)
                                         : part_value<&NodePart::power_measured>(ledger_, catalog_, node_));
      if (basis != wanted)
        out = ledger_.assumed(out, fmt::format("the catalog has no {} power for {}; {} power stands in", word(wanted),
                                               node_.name, word(basis)));
      return out;
    }
    return ledger_.absent<Power>("packing.node_power", "Power of a node", Completeness::unknown,
                                 "the catalog has no power for " + node_.name);
  }

  Traced<double> liquid_share() {
    if (type_.liquid_heat_share)
      return design_value<&RackType::liquid_heat_share>(ledger_, "rack_types", type_, type_.name);
    if (node_.liquid_heat_share) return part_value<&NodePart::liquid_heat_share>(ledger_, catalog_, node_);
    if (node_.cooling == "air")
      return ledger_.constant<double>("packing.air_cooled_share", "Liquid share of an air-cooled node", 0.0,
                                      "the catalog states cooling by air", &kind::percent);
    return ledger_.absent<double>(
        "packing.liquid_share", "Liquid share of " + node_.name, Completeness::unknown,
        "the share of heat to liquid of " + node_.name + " is not known: set it on the rack type", &kind::percent);
  }

  Draws draws_of_node() {
    Draws out;
    out.power = node_power();
    const auto share = liquid_share();
    out.liquid =
        ledger_.derive("packing.node_liquid_heat", "Heat of a node to liquid", liquid_heat_of_part, out.power, share);
    out.air = ledger_.derive("packing.node_air_heat", "Heat of a node to air", air_heat_of_part, out.power, share);
    out.mass = part_value<&NodePart::mass>(ledger_, catalog_, node_);
    return out;
  }

  /// What else is in the rack: its powers and masses add up; all of its heat goes to air except that of other nodes.
  Draws draws_of_others() {
    std::vector<Traced<Power>> powers, air, liquid;
    std::vector<Traced<Mass>> masses;
    for (const RackItem& item : others_) {
      const std::string stem = fmt::format("packing.item.{}", item.id);
      const std::string label = fmt::format("{} x {}", item.count, item.part);
      const PowerBasis wanted = design_.project->power_basis;
      const auto times = [&](const std::optional<Power>& nameplate, const std::optional<Power>& typical,
                             const std::optional<Power>& measured, std::string_view what) {
        for (const PowerBasis basis : nearest_bases(wanted)) {
          const auto& each = basis == PowerBasis::nameplate ? nameplate
                             : basis == PowerBasis::typical ? typical
                                                            : measured;
          if (!each) continue;
          auto out =
              ledger_.measured<Power>(stem + ".power", "Power of " + label, static_cast<double>(item.count) * *each,
                                      fmt::format("count times the {} power of one {}", word(basis), what));
          if (basis != wanted)
            out = ledger_.assumed(out, fmt::format("the catalog has no {} power for {}; {} power stands in",
                                                   word(wanted), item.part, word(basis)));
          return out;
        }
        return ledger_.absent<Power>(stem + ".power", "Power of " + label, Completeness::unknown,
                                     "no power is known for \"" + item.part + "\"");
      };
      std::optional<Mass> mass = std::nullopt;
      std::optional<double> share = 0.0;
      Traced<Power> power;
      if (const auto* n = catalog_.find<NodePart>(item.part); n && item.kind == RackItemKind::node) {
        power = times(n->power_maximum, n->power_typical, n->power_measured, "node");
        mass = n->mass;
        share = n->liquid_heat_share ? *n->liquid_heat_share : n->cooling == "air" ? std::optional(0.0) : std::nullopt;
      } else if (const auto* s = catalog_.find<SwitchPart>(item.part); s && item.kind == RackItemKind::network_switch) {
        power = times(s->power_maximum, s->power_typical, {}, "switch");
        mass = s->mass;
      } else if (const auto* t = catalog_.find<StoragePart>(item.part); t && item.kind == RackItemKind::storage) {
        power = times(t->power, {}, {}, "storage unit");
        mass = t->mass;
      } else {
        // Shelves, panels and blanks draw nothing that the catalog states.
        power = ledger_.measured<Power>(stem + ".power", "Power of " + label, Power{},
                                        "taken as none: the catalog has no power for it", &kind::power, true);
        if (const auto* p = catalog_.find<PowerPart>(item.part)) mass = p->mass;
        if (const auto* c = catalog_.find<CoolingPart>(item.part)) mass = c->mass;
      }
      powers.push_back(power);
      const auto leaf =
          share
              ? ledger_.constant<double>(stem + ".liquid_share", "Liquid share of " + label, *share,
                                         "as its part states it; 0 for what is cooled by air", &kind::percent)
              : ledger_.absent<double>(stem + ".liquid_share", "Liquid share of " + label, Completeness::unknown,
                                       "the share of heat to liquid of " + item.part + " is not known", &kind::percent);
      liquid.push_back(
          ledger_.derive(stem + ".liquid_heat", "Heat to liquid of " + label, liquid_heat_of_part, power, leaf));
      air.push_back(ledger_.derive(stem + ".air_heat", "Heat to air of " + label, air_heat_of_part, power, leaf));
      masses.push_back(mass ? ledger_.measured<Mass>(stem + ".mass", "Mass of " + label,
                                                     static_cast<double>(item.count) * mass.value_or(Mass{}),
                                                     "count times the mass of one")
                            : ledger_.absent<Mass>(stem + ".mass", "Mass of " + label, Completeness::unknown,
                                                   "no mass is known for \"" + item.part + "\""));
    }
    Draws out;
    out.power = ledger_.sum("packing.other_power", "Power of what else is in the rack", powers);
    out.liquid = ledger_.sum("packing.other_liquid_heat", "Heat to liquid of what else is in the rack", liquid);
    out.air = ledger_.sum("packing.other_air_heat", "Heat to air of what else is in the rack", air);
    out.mass = ledger_.sum("packing.other_mass", "Mass of what else is in the rack", masses);
    return out;
  }

  Traced<Power> given(std::string_view id, std::string label, Power value) {
    return ledger_.constant<Power>(id_of(id), std::move(label), value, "as asked for");
  }

  void by_power(const Draws& each, const Draws& taken) {
    const std::string label = "Nodes by the power of one feed";
    Traced<Power> feed;
    if (request_.feed_limit)
      feed = given("feed_limit", "Power of one feed", *request_.feed_limit);
    else if (type_.power_limit)
      feed = design_value<&RackType::power_limit>(ledger_, "rack_types", type_, type_.name);
    else
      return limit("power", "power of one feed",
                   absent("power", label, Completeness::not_applicable,
                          "rack type " + type_.name + " states no power limit of its feed"));
    limit("power", "power of one feed",
          ledger_.derive(id_of("power"), label, parts_within_power, feed, taken.power, each.power));
  }

  void by_floor(const Draws& each, const Draws& taken) {
    const Footprint size = rack_footprint(catalog_, type_);
    const RackPart* part = catalog_.find<RackPart>(type_.rack_part);
    const Hall* hall = find(*design_.halls, request_.hall);
    const auto cabinet =
        part ? part_value<&RackPart::empty_mass>(ledger_, catalog_, *part)
             : ledger_.absent<Mass>("packing.cabinet_mass", "Mass of the empty cabinet", Completeness::unknown,
                                    "rack type " + type_.name + " has no cabinet in the catalog");
    const auto dead = ledger_.sum("packing.dead_mass", "Mass of the rack without these nodes",
                                  std::vector<Traced<Mass>>{cabinet, taken.mass});
    const std::string label = "Nodes by the floor's uniform rating";
    if (!size.known) {
      limit("floor", "uniform floor load",
            absent("floor", label, Completeness::unknown,
                   "width and depth of rack type " + type_.name + " are not known"));
    } else {
      const auto rating = hall && hall->floor_rating
                              ? design_value<&Hall::floor_rating>(ledger_, "halls", *hall, hall->name)
                              : design_value<&Site::floor_rating>(ledger_, "site", *design_.site);
      const auto width = ledger_.measured<Length>("packing.width", "Width of the rack", size.width,
                                                  "as the rack type or its part states it");
      const auto depth = ledger_.measured<Length>("packing.depth", "Depth of the rack", size.depth,
                                                  "as the rack type or its part states it");
      const auto cold = hall ? design_value<&Hall::cold_aisle_minimum>(ledger_, "halls", *hall, hall->name)
                             : assumption<Length>(ledger_, catalog_, "clearance.cold_aisle_minimum");
      const auto hot = hall ? design_value<&Hall::hot_aisle_minimum>(ledger_, "halls", *hall, hall->name)
                            : assumption<Length>(ledger_, catalog_, "clearance.hot_aisle");
      const auto allowed =
          ledger_.derive("packing.mass_by_floor", "Mass of a rack that the floor carries", mass_by_floor_rating, rating,
                         width, depth, cold, hot, assumption<Length>(ledger_, catalog_, "floor.structural_bay"));
      limit("floor", "uniform floor load",
            ledger_.derive(id_of("floor"), label, parts_within_mass, allowed, dead, each.mass));
    }
    const auto feet = type_.feet ? design_value<&RackType::feet>(ledger_, "rack_types", type_, type_.name)
                                 : assumption<Count>(ledger_, catalog_, "floor.rack_feet");
    const auto tilt = assumption<double>(ledger_, catalog_, "floor.tilt_factor");
    const auto point = ledger_.derive(
        "packing.mass_by_point", "Mass of a rack that its feet may press with", mass_by_point_rating,
        hall && hall->tile_point_load ? design_value<&Hall::tile_point_load>(ledger_, "halls", *hall, hall->name)
                                      : design_value<&Site::point_load_rating>(ledger_, "site", *design_.site),
        feet, tilt);
    limit("point_load", "load on one foot",
          ledger_.derive(id_of("point_load"), "Nodes by the load on one foot", parts_within_mass, point, dead,
                         each.mass));
    if (part && part->maximum_load)
      limit("cabinet_load", "load of the cabinet",
            ledger_.derive(id_of("cabinet_load"), "Nodes by the load of the cabinet", parts_within_mass,
                           part_value<&RackPart::maximum_load>(ledger_, catalog_, *part), taken.mass, each.mass));
    else
      limit("cabinet_load", "load of the cabinet",
            absent("cabinet_load", "Nodes by the load of the cabinet", Completeness::not_applicable,
                   "the cabinet states no load that it carries"));
  }

  void by_heat(const Draws& each, const Draws& taken) {
    const std::string liquid_label = "Nodes by heat to liquid", air_label = "Nodes by heat to air";
    const auto heat = [&](std::string id, std::string name, std::string label, const Traced<Power>& allowed,
                          const Traced<Power>& taken_heat, const Traced<Power>& heat_each) {
      if (heat_each.has_value() && heat_each.value <= Power{})
        return limit(id, std::move(name),
                     absent(id, std::move(label), Completeness::not_applicable, "none of a node's heat goes there"));
      limit(id, std::move(name),
            ledger_.derive(id_of(id), std::move(label), parts_within_power, allowed, taken_heat, heat_each));
    };
    if (request_.liquid_limit)
      heat("liquid", "heat to liquid", liquid_label,
           given("liquid_limit", "Heat that the loop takes from one rack", *request_.liquid_limit), taken.liquid,
           each.liquid);
    else
      limit("liquid", "heat to liquid",
            absent("liquid", liquid_label, Completeness::not_applicable, "no limit of heat to liquid is given"));
    heat("air", "heat to air", air_label,
         request_.air_limit ? given("air_limit", "Heat that the room takes from one rack", *request_.air_limit)
                            : assumption<Power>(ledger_, catalog_, "air.rack_limit"),
         taken.air, each.air);
  }

  void finish() {
    std::vector<const PackingLimit*> known;
    for (const PackingLimit& l : out_.limits) {
      if (l.nodes.has_value())
        known.push_back(&l);
      else if (l.nodes.completeness == Completeness::unknown)
        out_.missing.push_back(l.name + ": " + (l.nodes.reason ? *l.nodes.reason : std::string("not known")));
    }
    if (known.empty()) {
      out_.nodes =
          ledger_.absent<Count>("packing.nodes", "Nodes in the rack", Completeness::unknown, "no limit is known");
      return;
    }
    const auto* least = *std::min_element(known.begin(), known.end(),
                                          [](const auto* a, const auto* b) { return a->nodes.value < b->nodes.value; });
    out_.binding = least->id;
    out_.nodes = ledger_.as<Count>("packing.nodes", "Nodes in the rack, by " + least->name, least->nodes);
    if (!out_.missing.empty()) out_.nodes = ledger_.assumed(out_.nodes, "not decided: " + out_.missing.front());
  }

  const Design& design_;
  const Catalog& catalog_;
  const RackType& type_;
  const NodePart& node_;
  const PackingRequest& request_;
  std::vector<RackItem> others_;
  Ledger ledger_{Page::space};
  Packing out_;
};

std::optional<double> units_of(const Catalog& catalog, const RackItem& item) {
  if (item.kind == RackItemKind::node || item.kind == RackItemKind::other)
    if (const auto* p = catalog.find<NodePart>(item.part)) return p->rack_units;
  if (item.kind == RackItemKind::network_switch || item.kind == RackItemKind::other)
    if (const auto* p = catalog.find<SwitchPart>(item.part)) return p->rack_units;
  if (item.kind == RackItemKind::storage || item.kind == RackItemKind::other)
    if (const auto* p = catalog.find<StoragePart>(item.part)) return p->rack_units;
  return std::nullopt;
}

} // namespace

std::optional<std::vector<FreeUnits>> free_units(const Catalog& catalog, const RackType& type,
                                                 const std::vector<RackItem>& items, RackMount mount) {
  const RackPart* part = catalog.find<RackPart>(type.rack_part);
  if (!part || !part->rack_units || *part->rack_units <= 0 || *part->rack_units > 500) return std::nullopt;
  const auto half_units = static_cast<std::size_t>(std::floor(*part->rack_units * 2 + 1e-9));
  std::vector<bool> front(half_units), rear(half_units);
  const auto uses_front = [](RackMount m) { return m == RackMount::full_depth || m == RackMount::front; };
  const auto uses_rear = [](RackMount m) { return m == RackMount::full_depth || m == RackMount::rear; };
  const auto taken = [&](std::size_t i, RackMount m) {
    return (uses_front(m) && front[i]) || (uses_rear(m) && rear[i]);
  };
  for (const RackItem& item : items) {
    if (item.rack_type != type.id || item.mount == RackMount::zero_u_left || item.mount == RackMount::zero_u_right)
      continue;
    const auto units = units_of(catalog, item);
    const auto height = static_cast<std::size_t>(
        std::ceil(std::max(0.0, units.value_or(item.kind == RackItemKind::other ? 0.0 : 1.0)) * 2 - 1e-9));
    if (height == 0) continue;
    std::size_t at = static_cast<std::size_t>(std::max<Count>(1, item.lowest_half_unit) - 1);
    for (Count n = 0; n < std::min<Count>(item.count, 1000); ++n) {
      const auto fits = [&](std::size_t from) {
        if (from + height > half_units) return false;
        for (std::size_t i = from; i < from + height; ++i)
          if (taken(i, item.mount)) return false;
        return true;
      };
      while (at + height <= half_units && !fits(at))
        ++at;
      if (!fits(at)) { // nothing above: the lowest free place
        at = 0;
        while (at + height <= half_units && !fits(at))
          ++at;
        if (!fits(at)) break;
      }
      for (std::size_t i = at; i < at + height; ++i) {
        if (uses_front(item.mount)) front[i] = true;
        if (uses_rear(item.mount)) rear[i] = true;
      }
      at += height;
    }
  }
  std::vector<FreeUnits> out;
  for (std::size_t i = 0; i < half_units; ++i) {
    if (taken(i, mount)) continue;
    std::size_t end = i;
    while (end < half_units && !taken(end, mount))
      ++end;
    out.push_back({static_cast<Count>(i) + 1, static_cast<Count>(end - i)});
    i = end;
  }
  return out;
}

tl::expected<Packing, std::string> packing(const Design& design, const Catalog& catalog,
                                           const PackingRequest& request) {
  const RackType* type = find(*design.rack_types, request.rack_type);
  if (!type)
    return tl::make_unexpected(
        fmt::format("Rack type: {} does not exist; choose one of the design", request.rack_type));
  const NodePart* node = catalog.find<NodePart>(request.node_part);
  if (!node) return tl::make_unexpected(fmt::format("Node: the catalog has no node \"{}\"", request.node_part));
  if (request.hall != 0 && !find(*design.halls, request.hall))
    return tl::make_unexpected(fmt::format("Hall: {} does not exist", request.hall));
  return Packer(design, catalog, *type, *node, request).run();
}

std::vector<AnyFormula> packing_formulas() {
  return {any(whole_parts_in_units), any(parts_within_power),  any(parts_within_mass), any(mass_by_floor_rating),
          any(mass_by_point_rating), any(liquid_heat_of_part), any(air_heat_of_part)};
}

} // namespace hallwright
