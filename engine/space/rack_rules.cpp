// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "design/rack_edits.h"
#include "space/rack_elevation.h"

/// Rules of what stands in racks.
namespace hallwright {
namespace {

const RackItem& item_of(const CheckContext& context, Id id) { return *find(*context.design.rack_items, id); }
std::string part_name(const CheckContext& context, const RackItem& item) {
  return rack_part_size(context.catalog, item.kind, item.part).name;
}
std::string racks_in_words(const CheckContext& context, const RackType& type) {
  const Count n = racks_of_type(context.design, type.id);
  return n == 1 ? "1 rack" : fmt::format("{} racks", n);
}

/// What is sold as one populated rack takes and carries what it holds.
bool sold_populated(const RackPart* part) {
  return part && (part->populated_mass_high || part->populated_mass_low || part->power_nominal || part->power_high);
}

/// "Move QM9700 to U21": where all of the item fits, if anywhere.
std::vector<Remedy> move_to_free_place(const CheckContext& context, const RackType& type, const RackItem& item) {
  const Count each = rack_part_size(context.catalog, item.kind, item.part).half_units.value_or(2);
  const auto own = [id = item.id](const RackSlot& s) { return s.item == id; };
  const auto place = first_free_place(context.design, context.catalog, type.id, each * item.count, item.mount, own);
  if (!place || place->lowest_half_unit == item.lowest_half_unit) return {};
  // The edit runs on later designs too; the catalog is kept with it.
  auto catalog = std::make_shared<const Catalog>(context.catalog);
  Remedy remedy;
  remedy.edit.label = fmt::format("Move {} to {}", part_name(context, item), half_unit_text(place->lowest_half_unit));
  remedy.edit.apply = [catalog, id = item.id, place = *place](const Design& d) {
    return move_in_rack(d, *catalog, id, place);
  };
  remedy.labour = true;
  return {remedy};
}

void check_overlaps(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types) {
    const RackSlots places = rack_slots(context.catalog, type, *context.design.rack_items);
    std::map<std::pair<Id, Id>, std::pair<Count, Count>>
        pairs; // items, with their first shared half unit and how many pairs
    for (const auto& [a, b] : places.overlaps) {
      const RackSlot &sa = places.places[a], &sb = places.places[b];
      const Count at = std::max(sa.lowest_half_unit, sb.lowest_half_unit);
      auto& entry = pairs.try_emplace({sa.item, sb.item}, std::pair<Count, Count>{at, 0}).first->second;
      entry.first = std::min(entry.first, at);
      ++entry.second;
    }
    for (const auto& [items, where] : pairs) {
      const RackItem &a = item_of(context, items.first), &b = item_of(context, items.second);
      auto remedies = move_to_free_place(context, type, b);
      if (remedies.empty()) remedies = move_to_free_place(context, type, a);
      Finding f = finding_of(rule,
                             fmt::format("{} and {} share {} in rack type {} ({}); move one of them",
                                         part_name(context, a), part_name(context, b), half_unit_text(where.first),
                                         type.name, racks_in_words(context, type)),
                             {{"rack_types", type.id}, {"rack_items", a.id}, {"rack_items", b.id}}, context,
                             {fmt::format("space.rack_type.{}.taken_front", type.id)});
      f.remedies = std::move(remedies);
      findings.push_back(std::move(f));
    }
  }
}

void check_overflow(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types) {
    const RackSlots places = rack_slots(context.catalog, type, *context.design.rack_items);
    std::map<Id, Count> tops;
    for (const RackSlot& s : places.places)
      if (s.overflows) tops[s.item] = std::max(tops[s.item], s.highest_half_unit());
    for (const auto& [id, top] : tops) {
      const RackItem& item = item_of(context, id);
      Finding f = finding_of(
          rule,
          fmt::format("{} reaches to U{} in rack type {}, whose cabinet has {} units; move it down, take some out or "
                      "choose a taller cabinet",
                      part_name(context, item), (top + 1) / 2, type.name, *places.cabinet / 2),
          {{"rack_types", type.id}, {"rack_items", id}}, context,
          {fmt::format("space.rack_type.{}.taken_front", type.id)});
      f.remedies = move_to_free_place(context, type, item);
      findings.push_back(std::move(f));
    }
  }
}

/// One undecided note for all that a rule cannot decide.
void add_undecided(const CheckContext& context, const Rule& rule, const std::set<std::string>& names,
                   std::string_view one, std::string_view many, std::vector<EntityRef> entities,
                   std::vector<std::string> figures, std::vector<Finding>& findings) {
  if (names.empty()) return;
  std::string list;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (++shown > 6) break;
    list += (list.empty() ? "" : ", ") + name;
  }
  if (names.size() > 6) list += fmt::format(" and {} more", names.size() - 6);
  Finding f = finding_of(rule, fmt::format("{}: {}", names.size() == 1 ? one : many, list), std::move(entities),
                         context, std::move(figures));
  f.severity = Severity::note;
  f.undecided = true;
  findings.push_back(std::move(f));
}

void check_depth(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::set<std::string> unknown;
  std::vector<EntityRef> undecided;
  for (const RackType& type : *context.design.rack_types) {
    if (sold_populated(context.catalog.find<RackPart>(type.rack_part))) continue;
    const std::string id = fmt::format("space.rack_type.{}.mounting_depth", type.id);
    const Figure* room = context.figures.find(id);
    std::set<std::string> deep;
    std::vector<EntityRef> entities{{"rack_types", type.id}};
    double deepest = 0;
    bool any_unknown = false;
    for (const RackItem& item : *context.design.rack_items) {
      if (item.rack_type != type.id || item.mount == RackMount::zero_u_left || item.mount == RackMount::zero_u_right)
        continue;
      const RackPartSize size = rack_part_size(context.catalog, item.kind, item.part);
      if (!size.found) continue; // told elsewhere
      if (!size.depth || !room || !room->has_value()) {
        unknown.insert(size.depth ? "cabinet of " + type.name : size.name);
        any_unknown = true;
        continue;
      }
      if (in_meters(*size.depth) <= room->value + 5e-4) continue; // half a millimetre is rounding
      deep.insert(size.name);
      deepest = std::max(deepest, in_meters(*size.depth));
      entities.push_back({"rack_items", item.id});
    }
    if (any_unknown) undecided.push_back({"rack_types", type.id});
    for (const std::string& name : deep)
      findings.push_back(finding_of(
          rule,
          fmt::format("{} is up to {:.0f} mm deep; rack type {} has about {:.0f} mm between its doors. Choose a deeper "
                      "cabinet or check the maker's drawing",
                      name, deepest * 1e3, type.name, room->value * 1e3),
          entities, context, {id}));
  }
  std::vector<std::string> figures;
  if (!undecided.empty()) figures.push_back(fmt::format("space.rack_type.{}.mounting_depth", undecided.front().id));
  add_undecided(context, rule, unknown,
                "A depth is not known, so that it cannot be decided whether this fits between the doors",
                "Depths are not known, so that it cannot be decided whether these fit between the doors",
                std::move(undecided), std::move(figures), findings);
}

void check_gravity(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types) {
    const std::string id = fmt::format("space.rack_type.{}.centre_of_gravity_height", type.id);
    const Figure* centre = context.figures.find(id);
    if (!centre || centre->status != Status::over_limit || racks_of_type(context.design, type.id) == 0) continue;
    const Figure* half = context.figures.at(centre->limit);
    findings.push_back(finding_of(
        rule,
        fmt::format(
            "The centre of gravity of rack type {} lies about {:.0f} mm above the floor, above half of its height "
            "({:.0f} mm); put heavy parts low, and anchor or join the racks before parts are pulled out",
            type.name, centre->value * 1e3, half->value * 1e3),
        {{"rack_types", type.id}}, context, {id}));
  }
}

void check_cabinet_load(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::set<std::string> unknown;
  std::vector<EntityRef> undecided;
  for (const RackType& type : *context.design.rack_types) {
    const RackPart* part = context.catalog.find<RackPart>(type.rack_part);
    const bool holds = std::any_of(context.design.rack_items->begin(), context.design.rack_items->end(),
                                   [&](const RackItem& i) { return i.rack_type == type.id; });
    if (!part || !holds || sold_populated(part)) continue;
    if (part->maximum_load) {
      check_limit(context, rule, fmt::format("space.rack_type.{}.content_mass", type.id), {{"rack_types", type.id}}, {},
                  findings);
    } else {
      unknown.insert(part->name);
      undecided.push_back({"rack_types", type.id});
    }
  }
  std::vector<std::string> figures;
  if (!undecided.empty()) figures.push_back(fmt::format("space.rack_type.{}.content_mass", undecided.front().id));
  add_undecided(
      context, rule, unknown,
      "The largest load is not known, so that it cannot be decided whether this cabinet carries its content",
      "The largest load is not known, so that it cannot be decided whether these cabinets carry their content",
      std::move(undecided), std::move(figures), findings);
}

} // namespace

void add_rack_rules(std::vector<Rule>& rules) {
  rules.insert(rules.end(), {{"SPC-030", Severity::error, "Parts share a unit of a rack",
                              "Two parts of a rack type must not take the same half unit of one face: what is full "
                              "depth takes both faces, so that only parts at the "
                              "front and at the rear may share a unit. A part without known height counts with its "
                              "lowest half unit only. Source of the limit: rack units "
                              "of the parts in the catalog, counted in halves.",
                              check_overlaps},
                             {"SPC-031", Severity::error, "Part above the units of its cabinet",
                              "What stands in a rack must end within the units of the cabinet, since there are no "
                              "rails above them. Source of the limit: rack units of the "
                              "cabinet in the catalog.",
                              check_overflow},
                             {"SPC-032", Severity::warning, "Part deeper than its cabinet takes",
                              "The depth of each part is compared with the depth of the cabinet less what doors and "
                              "cables take before and behind the rails. A part that is "
                              "deeper keeps the doors from closing, and its cables from bending as they must. Source "
                              "of that allowance: catalog assumption "
                              "space.rack_depth_beyond_rails.",
                              check_depth},
                             {"SPC-033", Severity::note, "Centre of gravity in the upper half",
                              "A rack that is heavier above than below tips more easily when it is rolled, or when "
                              "parts are pulled out on their rails. The cabinet counts at "
                              "half of its height, each part at its middle: an estimate. Source of the limit: project "
                              "choice, half of the height; the first unit stands at "
                              "catalog assumption space.rack_first_unit_height.",
                              check_gravity},
                             {"SPC-034", Severity::error, "Content heavier than the cabinet carries",
                              "The mass of everything mounted in a cabinet is compared with the largest load that its "
                              "maker states. Source of the limit: the row of the "
                              "cabinet in the catalog.",
                              check_cabinet_load}});
}

} // namespace hallwright
