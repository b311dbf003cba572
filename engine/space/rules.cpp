// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "space/plan_geometry.h"
#include "space/rack_elevation.h"
#include "space/space.h"
#include "space/tray_rules.h"

namespace hallwright {
namespace {

std::string in_words(const CheckContext& context, std::string_view figure_id) {
  const Figure* figure = context.figures.find(figure_id);
  return figure ? figure_text(*figure) : std::string("not known");
}

void check_floor_load(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::vector<Id> halls{0}; // 0: racks outside of halls
  for (const Hall& hall : *context.design.halls) halls.push_back(hall.id);
  for (Id hall : halls) {
    const std::string id = fmt::format("space.hall.{}.worst_floor_load", hall);
    const Figure* figure = context.figures.find(id);
    if (!figure) continue;
    std::vector<EntityRef> entities;
    if (hall != 0) entities.push_back({"halls", hall});
    for (const RackType& type : *context.design.rack_types) {
      const Figure* load = context.figures.find(fmt::format("space.rack_type.{}.hall.{}.floor_load", type.id, hall));
      if (load && load->status == figure->status) entities.push_back({"rack_types", type.id});
    }
    const std::size_t before = findings.size();
    check_limit(context, rule, id, std::move(entities), {}, findings);
    for (std::size_t i = before; i < findings.size(); ++i) {
      const std::string foot = fmt::format("space.hall.{}.worst_footprint_load", hall);
      findings[i].message += fmt::format("; the footprint alone carries {}", in_words(context, foot));
      findings[i].figures.push_back(foot);
    }
  }
}

void check_point_load(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types)
    check_limit(context, rule, fmt::format("space.rack_type.{}.point_load", type.id), {{"rack_types", type.id}}, {}, findings);
}

void check_outside(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.racks");
  const TableColumn* outside = table ? table->column("outside") : nullptr;
  if (!outside) return;
  std::map<Id, std::vector<EntityRef>> by_hall;
  for (std::size_t i = 0; i < outside->numbers.size(); ++i) {
    if (outside->numbers[i] == 0.0) continue;
    const Rack* rack = find(*context.design.racks, table->entities[i]);
    if (rack) by_hall[rack->hall].push_back({"racks", rack->id});
  }
  // Plant that names a hall stands in it too.
  std::map<Id, std::vector<EntityRef>> plant_by_hall;
  const auto plant = [&](std::string_view word, const auto& units, auto&& footprint) {
    for (const auto& unit : units) {
      const Hall* hall = find(*context.design.halls, unit.hall);
      if (!hall) continue;
      const Footprint size = footprint(context.catalog, unit);
      if (!inside_outline(plan_thing(unit.x, unit.y, size.width, size.depth, unit.rotation), hall->outline))
        plant_by_hall[hall->id].push_back({std::string(word), unit.id});
    }
  };
  plant("power_units", *context.design.power_units, power_unit_footprint);
  plant("cooling_units", *context.design.cooling_units, cooling_unit_footprint);
  for (auto& [hall, units] : plant_by_hall) {
    const std::size_t n = units.size();
    findings.push_back(finding_of(rule,
                                  fmt::format("{} not wholly inside the outline of {}; move {} inside, change the outline or name another hall",
                                              n == 1 ? "1 unit of the plant is" : fmt::format("{} units of the plant are", n),
                                              entity_name(context.design, {"halls", hall}), n == 1 ? "it" : "them"),
                                  std::move(units), context, {fmt::format("space.hall.{}.area", hall)}));
  }
  for (auto& [hall, racks] : by_hall) {
    const std::size_t n = racks.size();
    findings.push_back(finding_of(rule,
                                  fmt::format("{} not wholly inside the outline of {}; move {} inside or change the outline",
                                              n == 1 ? "1 rack is" : fmt::format("{} racks are", n),
                                              entity_name(context.design, {"halls", hall}), n == 1 ? "it" : "them"),
                                  std::move(racks), context, {fmt::format("space.hall.{}.area", hall)}));
  }
}

void check_overlaps(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.overlaps");
  if (!table || table->row_count() == 0) return;
  const auto *first = table->column("first"), *second = table->column("second"), *hall = table->column("hall"),
             *first_table = table->column("first_table"), *second_table = table->column("second_table"),
             *first_id = table->column("first_id"), *second_id = table->column("second_id");
  constexpr std::size_t single = 25; // beyond that one finding holds the rest
  std::set<EntityRef> rest;
  for (std::size_t i = 0; i < table->row_count(); ++i) {
    const EntityRef a{first_table->words[i], static_cast<Id>(first_id->numbers[i])};
    const EntityRef b{second_table->words[i], static_cast<Id>(second_id->numbers[i])};
    if (i < single) {
      findings.push_back(finding_of(rule, fmt::format("{} and {} stand in one place in {}; move one of them", first->words[i],
                                                      second->words[i], hall->words[i]),
                                    {a, b}, context, {}));
    } else {
      rest.insert(a);
      rest.insert(b);
    }
  }
  if (!rest.empty())
    findings.push_back(finding_of(rule, fmt::format("{} more pairs of things stand in one place", table->row_count() - single),
                                  {rest.begin(), rest.end()}, context, {}));
}

void check_aisles(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.aisles");
  if (!table) return;
  const auto *hall = table->column("hall"), *kind_words = table->column("kind"), *at = table->column("at"),
             *opposite = table->column("opposite"), *clear = table->column("clear"), *minimum = table->column("minimum");
  for (std::size_t i = 0; i < table->row_count(); ++i) {
    if (clear->numbers[i] + 1e-3 >= minimum->numbers[i]) continue;
    findings.push_back(finding_of(
        rule,
        fmt::format("The aisle ({}) between {} and {} in {} is {:.0f} mm wide; at least {:.0f} mm is asked for", kind_words->words[i],
                    at->words[i], opposite->words[i], hall->words[i], clear->numbers[i] * 1e3, minimum->numbers[i] * 1e3),
        {{"racks", table->entities[i]}}, context, {"space.narrowest_aisle"}));
  }
}

void check_sizes(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types) {
    if (rack_footprint(context.catalog, type).known) continue;
    const bool stands = std::any_of(context.design.racks->begin(), context.design.racks->end(),
                                    [&](const Rack& r) { return r.rack_type == type.id; });
    if (!stands) continue;
    findings.push_back(finding_of(rule,
                                  fmt::format("Width or depth of rack type {} is not known; a stand-in of 600 x 1200 mm is drawn. "
                                              "Choose a rack part that states its size, or enter it",
                                              type.name),
                                  {{"rack_types", type.id}}, context, {fmt::format("space.rack_type.{}.mass", type.id)}));
  }
}

} // namespace

std::vector<Rule> space_rules() {
  std::vector<Rule> rules{
      {"SPC-001", Severity::error, "Floor load above the rating",
       "A populated rack presses on its footprint and on half of each aisle beside it. That uniform load is compared with the floor "
       "rating of the hall, or of the site where the hall states none. The load on the footprint alone is shown beside it, since a "
       "structural engineer may ask for it. Aisles count with the hall's minimum widths. Source of the default rating of 1,221 kg/m2: "
       "catalog assumption floor.uniform_load_limit.",
       check_floor_load},
      {"SPC-002", Severity::error, "Load on one foot above the rating",
       "A quarter of the rack's mass, times 1.25 for a floor that is not level, is compared with the point load rating of the site. "
       "Source of feet and factor: catalog assumptions floor.rack_feet and floor.tilt_factor; default rating of 680 kg: "
       "floor.concentrated_load_limit.",
       check_point_load},
      {"SPC-003", Severity::error, "Rack outside the hall",
       "All of a rack's footprint must lie within the outline of its hall, to a millimetre: what stands in a wall cannot be built. Source of "
       "the limit: the outline as drawn.",
       check_outside},
      {"SPC-004", Severity::error, "Things stand in one place",
       "Racks, power units, cooling units and structures of one hall must not share floor, since two things cannot stand in one place. Touching "
       "is allowed; half a millimetre is rounding. Source of the limit: the footprints as drawn or as their parts state them.",
       check_overlaps},
      {"SPC-005", Severity::warning, "Aisle narrower than the minimum",
       "The clear width straight ahead of each rack's front and rear, up to 3 m, is compared with the hall's minimum: that of cold aisles "
       "before fronts, that of hot aisles where rears face each other. Narrower aisles block doors, lifts and air. Source of the defaults: catalog assumptions "
       "clearance.cold_aisle_minimum and clearance.hot_aisle.",
       check_aisles},
      {"SPC-006", Severity::warning, "Size of a rack not known",
       "Without width and depth neither the floor load nor collisions can be decided; a dashed stand-in of 600 x 1200 mm is drawn. Source of the "
       "limit: project choice; the stand-in is the common footprint of a 19-inch rack.",
       check_sizes},
  };
  add_tray_rules(rules);
  add_rack_rules(rules);
  return rules;
}

} // namespace hallwright
