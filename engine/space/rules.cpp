// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "checks/told_apart.h"
#include "space/clearances.h"
#include "space/plan_geometry.h"
#include "space/rack_elevation.h"
#include "space/rearranging.h"
#include "space/space.h"
#include "space/tray_rules.h"

namespace hallwright {
namespace {

/// The shortest move of all of these together that brings their boxes within that of the hall.
std::optional<Remedy> back_inside(const Rearranging& plan, const std::vector<EntityRef>& racks, const Hall& hall) {
  PlanBox room{1e18, 1e18, -1e18, -1e18}, all = room;
  for (const PlanPoint& p : hall.outline)
    room = {std::min(room.x0, p.x_mm), std::min(room.y0, p.y_mm), std::max(room.x1, p.x_mm), std::max(room.y1, p.y_mm)};
  std::vector<std::uint32_t> which;
  for (const EntityRef& ref : racks)
    if (const auto i = plan.index(ref)) {
      const PlanBox& b = plan.plan().things[*i].box;
      all = {std::min(all.x0, b.x0), std::min(all.y0, b.y0), std::max(all.x1, b.x1), std::max(all.y1, b.y1)};
      which.push_back(*i);
    }
  auto into = [](double low, double high, double from, double to) {
    return low < from ? std::ceil(from - low) : high > to ? std::floor(to - high) : 0.0;
  };
  const double dx = into(all.x0, all.x1, room.x0, room.x1), dy = into(all.y0, all.y1, room.y0, room.y1);
  if (which.empty() || (dx == 0 && dy == 0)) return std::nullopt;
  return plan.move(which.size() == 1 ? "Move the rack inside" : fmt::format("Move {} racks inside", which.size()),
                   which, dx, dy);
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
    findings.push_back(finding_of(
        rule,
        fmt::format("{} not wholly inside the outline of {}; move {} inside, change the outline or name another hall",
                    n == 1 ? "1 unit of the plant is" : fmt::format("{} units of the plant are", n),
                    entity_name(context.design, {"halls", hall}), n == 1 ? "it" : "them"),
        std::move(units), context, {fmt::format("space.hall.{}.area", hall)}));
  }
  for (auto& [hall, racks] : by_hall) {
    const std::size_t n = racks.size();
    const std::vector<EntityRef> all = racks;
    Finding f = finding_of(rule,
                           fmt::format("{} not wholly inside the outline of {}; move {} inside or change the outline",
                                       n == 1 ? "1 rack is" : fmt::format("{} racks are", n),
                                       entity_name(context.design, {"halls", hall}), n == 1 ? "it" : "them"),
                           std::move(racks), context, {fmt::format("space.hall.{}.area", hall)});
    const Rearranging& plan = rearranging(context);
    if (auto remedy = back_inside(plan, all, *find(*context.design.halls, hall)))
      f.remedies.push_back(*std::move(remedy));
    findings.push_back(std::move(f));
  }
}

void check_overlaps(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.overlaps");
  if (!table || table->row_count() == 0) return;
  const auto *first = table->column("first"), *second = table->column("second"), *hall = table->column("hall"),
             *first_table = table->column("first_table"), *second_table = table->column("second_table"),
             *first_id = table->column("first_id"), *second_id = table->column("second_id");
  constexpr std::size_t single = 25; // beyond that one finding holds the rest
  std::map<std::string_view, std::vector<Id>> rest; // ids by table, an id perhaps several times
  const Rearranging& plan = rearranging(context);
  for (std::size_t i = 0; i < table->row_count(); ++i) {
    if (context.stop.stop_requested()) return;
    if (i >= single) {
      rest[first_table->words[i]].push_back(static_cast<Id>(first_id->numbers[i]));
      rest[second_table->words[i]].push_back(static_cast<Id>(second_id->numbers[i]));
      continue;
    }
    const EntityRef a{first_table->words[i], static_cast<Id>(first_id->numbers[i])};
    const EntityRef b{second_table->words[i], static_cast<Id>(second_id->numbers[i])};
    Finding f = finding_of(rule,
                           fmt::format("{} and {} stand in one place in {}; move one of them", first->words[i],
                                       second->words[i], hall->words[i]),
                           {a, b}, context, {});
    const auto one = plan.index(a), other = plan.index(b);
    if (one && other)
      for (const auto& [moved, stays] : {std::pair(*one, *other), std::pair(*other, *one)})
        if (plan.movable(moved))
          if (auto remedy = plan.move_out_of(moved, plan.plan().things[stays].box)) {
            f.remedies.push_back(*std::move(remedy));
            break;
          }
    findings.push_back(std::move(f));
  }
  std::vector<EntityRef> others;
  for (auto& [of, ids] : rest) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const Id id : ids)
      others.push_back({std::string(of), id});
  }
  if (!others.empty())
    findings.push_back(
        finding_of(rule, fmt::format("{} more pairs of things stand in one place", table->row_count() - single),
                   std::move(others), context, {}));
}

void check_aisles(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.aisles");
  if (!table) return;
  const auto *hall = table->column("hall"), *kind_words = table->column("kind"), *at = table->column("at"),
             *opposite = table->column("opposite"), *clear = table->column("clear"),
             *minimum = table->column("minimum"), *front = table->column("front"),
             *other_table = table->column("opposite_table"), *other_id = table->column("opposite_id");
  // Columns that leave a passage beside them: SPC-026 counts there.
  std::set<Id> passed;
  if (const Table* clear_table = context.figures.table("space.clearances")) {
    const auto *kinds = clear_table->column("kind"), *is = clear_table->column("is"),
               *needed = clear_table->column("needed"), *ids = clear_table->column("id");
    for (std::size_t i = 0; i < kinds->words.size(); ++i)
      if (kinds->words[i] == clearance_word(ClearanceKind::column_aisle) && is->numbers[i] + 1e-6 >= needed->numbers[i])
        if (const Structure* s = find(*context.design.structures, static_cast<Id>(ids->numbers[i]));
            s && s->kind == StructureKind::column)
          passed.insert(s->id);
  }
  const Rearranging* plan = nullptr;
  std::size_t told = 0;
  for (std::size_t i = 0; i < table->row_count(); ++i) {
    if (clear->numbers[i] + 1e-3 >= minimum->numbers[i]) continue;
    if (other_table->words[i] == "structures" && passed.count(static_cast<Id>(other_id->numbers[i])) > 0) continue;
    const NumberPair mm = told_apart(clear->numbers[i] * 1e3, minimum->numbers[i] * 1e3, 0);
    Finding f = finding_of(
        rule,
        fmt::format("The aisle ({}) between {} and {} in {} is {} mm wide; at least {} mm is asked for",
                    kind_words->words[i], at->words[i], opposite->words[i], hall->words[i], mm.value, mm.limit),
        {{"racks", table->entities[i]}}, context, {"space.narrowest_aisle"});
    constexpr std::size_t looked_for = 20; // each search takes some milliseconds
    if (told++ < looked_for) {
      if (!plan) plan = &rearranging(context);
      if (const auto rack = plan->index({"racks", table->entities[i]})) {
        const PlanThing& t = plan->plan().things[*rack];
        const double side = front->numbers[i] != 0 ? 1 : -1;
        f.remedies =
            plan->more_room(*rack, side * t.front_x, side * t.front_y, (minimum->numbers[i] - clear->numbers[i]) * 1e3);
      }
    }
    findings.push_back(std::move(f));
  }
}

/// What a room is for that is no place for racks in use; nothing for the others.
std::string_view no_place_for_racks(RoomKind kind) {
  switch (kind) {
  case RoomKind::electrical:
    return "live gear works there, and its working space may hold nothing else";
  case RoomKind::mechanical:
    return "pumps, water and warm air are there";
  case RoomKind::office:
    return "people work there without the cooling and the floor of a hall";
  case RoomKind::yard:
    return "it lies outdoors";
  case RoomKind::data_hall:
  case RoomKind::storage:
  case RoomKind::staging:
    break;
  }
  return {};
}

void check_rooms(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::map<Id, std::vector<EntityRef>> by_hall;
  for (const Rack& r : *context.design.racks)
    if (r.hall != 0) by_hall[r.hall].push_back({"racks", r.id});
  for (auto& [id, racks] : by_hall) {
    const Hall* hall = find(*context.design.halls, id);
    const std::string_view why = hall ? no_place_for_racks(hall->kind) : std::string_view();
    if (why.empty()) continue;
    const std::size_t n = racks.size();
    findings.push_back(finding_of(
        rule,
        fmt::format("{} in {}, which is {} {}: {}. Move {} to a data hall, or change what the room is for",
                    n == 1 ? "1 rack stands" : fmt::format("{} racks stand", n), hall->name,
                    hall->kind == RoomKind::electrical || hall->kind == RoomKind::office ? "an" : "a",
                    ChoiceWords<RoomKind>::words[static_cast<std::size_t>(hall->kind)], why, n == 1 ? "it" : "them"),
        std::move(racks), context, {fmt::format("space.hall.{}.area", id)}));
  }
}

void check_sizes(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types) {
    if (rack_footprint(context.catalog, type).known) continue;
    const bool stands = std::any_of(context.design.racks->begin(), context.design.racks->end(),
                                    [&](const Rack& r) { return r.rack_type == type.id; });
    if (!stands) continue;
    findings.push_back(
        finding_of(rule,
                   fmt::format("Width or depth of rack type {} is not known; a stand-in of 600 x 1200 mm is drawn. "
                               "Choose a rack part that states its size, or enter it",
                               type.name),
                   {{"rack_types", type.id}}, context, {fmt::format("space.rack_type.{}.mass", type.id)}));
  }
}

/// SPC-051
void check_no_hall(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& halls = *context.design.halls;
  if (halls.empty()) return; // nothing to stand in yet
  std::vector<EntityRef> racks;
  for (const Rack& rack : *context.design.racks)
    if (!find(halls, rack.hall)) racks.push_back({"racks", rack.id});
  if (racks.empty()) return;
  const bool one = racks.size() == 1;
  std::vector<Id> ids;
  for (const EntityRef& rack : racks)
    ids.push_back(rack.id);
  std::string sentence = fmt::format(
      "{} in no hall: {} on no plan, and neither the floor below nor the aisles round {} are checked; name a hall",
      one ? std::string("1 rack stands") : fmt::format("{} racks stand", racks.size()), one ? "it is" : "they are",
      one ? "it" : "them");
  Finding f = finding_of(rule, std::move(sentence), std::move(racks), context, {"population.racks"});
  if (halls.size() == 1) {
    Remedy r;
    r.edit = {fmt::format("Name {} as their hall", halls.front().name),
              [ids, hall = halls.front().id](const Design& design) -> Edited {
                if (!find(*design.halls, hall)) return tl::make_unexpected(std::string("The hall is gone."));
                return with_table(design, &Design::racks, [&](std::vector<Rack>& table, Id&) {
                  for (Rack& rack : table)
                    if (std::binary_search(ids.begin(), ids.end(), rack.id)) rack.hall = hall;
                });
              }};
    f.remedies.push_back(std::move(r));
  }
  findings.push_back(std::move(f));
}

} // namespace

std::vector<Rule> space_rules() {
  std::vector<Rule> rules{
      {"SPC-003", Severity::error, "Rack outside the hall",
       "All of a rack's footprint must lie within the outline of its hall, to a millimetre: what stands in a wall "
       "cannot be built. Source of "
       "the limit: the outline as drawn.",
       check_outside},
      {"SPC-004", Severity::error, "Things stand in one place",
       "Racks, power units, cooling units and structures of one hall must not share floor, since two things cannot "
       "stand in one place. Touching "
       "is allowed; half a millimetre is rounding. Source of the limit: the footprints as drawn or as their parts "
       "state them.",
       check_overlaps},
      {"SPC-005", Severity::warning, "Aisle narrower than the minimum",
       "The clear width straight ahead of each rack's front and rear, up to 3 m, is compared with the hall's minimum: "
       "that of cold aisles "
       "before fronts, also towards the walls of the hall; not towards a column beside which SPC-026 finds a passage, "
       "that of hot aisles where rears face each other. Narrower aisles block doors, lifts and air. "
       "Source of the defaults: catalog assumptions "
       "clearance.cold_aisle_minimum and clearance.hot_aisle.",
       check_aisles},
      {"SPC-006", Severity::warning, "Size of a rack not known",
       "Without width and depth neither the floor load nor collisions can be decided; a dashed stand-in of 600 x 1200 "
       "mm is drawn. Source of the "
       "limit: project choice; the stand-in is the common footprint of a 19-inch rack.",
       check_sizes},
      {"SPC-035", Severity::warning, "Racks in a room for something else",
       "Racks in use belong into a data hall: an electrical or mechanical room, an office or a yard has neither the "
       "cooling nor the fire protection for them, and NEC 110.26(B) keeps the working space of electrical gear free. "
       "Rooms for storage and staging may hold racks for a while. Electrical gear in a data hall is held to its "
       "working "
       "space by SPC-012. Source of the limit: the use of each room as entered.",
       check_rooms},
      {"SPC-051", Severity::warning, "Rack in no hall",
       "Halls are drawn and the rack names none of them, or one that is not there: its load is counted, and floor, "
       "aisles and ways are not checked round it. Source of the limit: the drawing itself.",
       check_no_hall},
  };
  add_load_rules(rules);
  add_clearance_rules(rules);
  add_way_rules(rules);
  add_tray_rules(rules);
  add_rack_rules(rules);
  return rules;
}

} // namespace hallwright
