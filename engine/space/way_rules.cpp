// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "space/floor_gates.h"
#include "space/rearranging.h"

namespace hallwright {
namespace {

std::vector<EntityRef> racks_in(const std::string& ids) {
  std::vector<EntityRef> out;
  std::istringstream in(ids);
  for (Id id = 0; in >> id;)
    out.push_back({"racks", id});
  return out;
}

/// Rows of "space.egress" of one kind.
template <class F>
void each_way(const CheckContext& context, std::string_view kind, F&& f) {
  const Table* t = context.figures.table("space.egress");
  if (!t) return;
  const auto *kinds = t->column("kind"), *halls = t->column("hall"), *at = t->column("at"),
             *detail = t->column("detail"), *is = t->column("is"), *needed = t->column("needed"),
             *racks = t->column("racks"), *hall_ids = t->column("hall_id");
  for (std::size_t i = 0; i < t->row_count(); ++i)
    if (kinds->words[i] == kind)
      f(halls->words[i], at->words[i], detail->words[i], is->numbers[i], needed->numbers[i], racks_in(racks->words[i]),
        static_cast<Id>(hall_ids->numbers[i]));
}

void check_way_out(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  each_way(
      context, "way out",
      [&](const std::string& hall, const std::string& at, const std::string& detail, double is, double needed,
          std::vector<EntityRef> racks, Id) {
        if (is + 1e-6 >= needed) return;
        findings.push_back(finding_of(
            rule,
            is < FreeFloor::least * 1e-3
                ? fmt::format("No way leads from the floor before {} in {} to a door; {:.0f} mm is asked for", at, hall,
                              needed * 1e3)
                : fmt::format(
                      "The way from the floor before {} in {} to a door is {:.0f} mm wide {}; {:.0f} mm is asked for",
                      at, hall, is * 1e3, detail, needed * 1e3),
            std::move(racks), context, {"space.egress_width"}));
      });
  each_way(context, "no way out",
           [&](const std::string& hall, const std::string& at, const std::string& detail, double, double,
               std::vector<EntityRef> racks, Id) {
             findings.push_back(
                 finding_of(rule, fmt::format("No door of {} leads out for the {} in it: {}", hall, at, detail),
                            std::move(racks), context, {"space.egress_width"}));
           });
}

/// A door belongs into a wall: at the edge of its hall or in a wall that is drawn.
void check_doors(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& structures = *context.design.structures;
  for (const Structure& s : structures) {
    const Hall* hall = s.kind == StructureKind::door ? find(*context.design.halls, s.hall) : nullptr;
    if (!hall || hall->outline.size() < 3) continue;
    const PlanThing door = plan_thing(s.x, s.y, s.width, s.depth, s.rotation);
    const DoorPlace place = door_place(door, *hall);
    if (place == DoorPlace::edge) continue;
    constexpr double beside = 50; // mm: a door is drawn in its wall, or on its face
    const bool in_wall = std::any_of(structures.begin(), structures.end(), [&](const Structure& other) {
      if (other.kind != StructureKind::wall || other.hall != s.hall) return false;
      PlanThing wall = plan_thing(other.x, other.y, other.width, other.depth, other.rotation);
      wall.half_width += beside, wall.half_depth += beside;
      wall.box = {wall.box.x0 - beside, wall.box.y0 - beside, wall.box.x1 + beside, wall.box.y1 + beside};
      return share_floor(wall, door);
    });
    if (in_wall) continue;
    findings.push_back(finding_of(
        rule,
        fmt::format("{} stands {} {}, in no wall: it is taken neither as a way in nor as a way out. Move it to the "
                    "edge of its hall, or draw the wall",
                    entity_name(context.design, {"structures", s.id}),
                    place == DoorPlace::inside ? "in the middle of" : "outside of", hall->name),
        {{"structures", s.id}}, context, {}));
  }
}

void check_row_length(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Assumption* passage = context.catalog.find<Assumption>("clearance.accessible_route");
  const Rearranging* plan = nullptr;
  each_way(context, "row",
           [&](const std::string& hall, const std::string& first, const std::string& last, double is, double needed,
               std::vector<EntityRef> racks, Id) {
             std::vector<EntityRef> all = racks;
             Finding f = finding_of(
                 rule,
                 fmt::format(
                     "{:.0f} racks stand in a row from {} to {} in {} without a passage; at most {:.0f} is asked for",
                     is, first, last, hall, needed),
                 std::move(racks), context, {"space.longest_row"});
             if (passage && passage->value && is <= 2 * needed) {
               // A passage in the middle: the half at either end moves outwards, or the other one does.
               if (!plan) plan = &rearranging(context);
               const auto half = all.size() / 2;
               const auto a = plan->index(all.front()), b = plan->index(all.back());
               if (a && b) {
                 const PlanThing &low = plan->plan().things[*a], &high = plan->plan().things[*b];
                 const bool along_x = std::abs(high.center_x - low.center_x) > std::abs(high.center_y - low.center_y);
                 const double by = std::ceil(*passage->value * 1e3);
                 std::vector<std::uint32_t> lower, upper;
                 for (std::size_t k = 0; k < all.size(); ++k)
                   if (const auto i = plan->index(all[k])) (k < half ? lower : upper).push_back(*i);
                 if (auto remedy = plan->move(fmt::format("Open a passage: move {} racks up to {}", upper.size(), last),
                                              upper, along_x ? by : 0, along_x ? 0 : by))
                   f.remedies.push_back(*std::move(remedy));
                 else if (auto other =
                              plan->move(fmt::format("Open a passage: move {} racks from {} on", lower.size(), first),
                                         lower, along_x ? -by : 0, along_x ? 0 : -by))
                   f.remedies.push_back(*std::move(other));
               }
             }
             findings.push_back(std::move(f));
           });
}

void check_dead_end(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Assumption* passage = context.catalog.find<Assumption>("clearance.accessible_route");
  const Rearranging* plan = nullptr;
  each_way(context, "dead end",
           [&](const std::string& hall, const std::string&, const std::string& along, double is, double needed,
               std::vector<EntityRef> racks, Id) {
             const std::vector<EntityRef> ends = racks;
             Finding f = finding_of(rule,
                                    fmt::format("The aisle {} in {} is closed at {}: {:.0f} racks stand "
                                                "along this dead end; at most {:.0f} is asked for",
                                                along, hall, entity_name(context.design, ends[0]), is, needed),
                                    std::move(racks), context, {"space.longest_dead_end"});
             if (passage && passage->value && ends.size() == 2) {
               if (!plan) plan = &rearranging(context);
               const auto closed = plan->index(ends[0]), open = plan->index(ends[1]);
               if (closed && open && *closed != *open) {
                 const PlanThing &c = plan->plan().things[*closed], &o = plan->plan().things[*open];
                 const bool along_x = std::abs(o.center_x - c.center_x) > std::abs(o.center_y - c.center_y);
                 const double dx = along_x ? (o.center_x > c.center_x ? 1 : -1) : 0,
                              dy = along_x ? 0 : (o.center_y > c.center_y ? 1 : -1);
                 const double clear = plan->outlook().look(*closed, -dx, -dy).clear,
                              by = std::ceil(*passage->value * 1e3 - clear);
                 // Everything from the closed end on moves away from the wall.
                 const auto all = plan->and_beyond(*closed, dx, dy);
                 if (by > 0)
                   if (auto remedy = plan->move(fmt::format("Open the end: move {} things from {} on", all.size(),
                                                            entity_name(context.design, ends[0])),
                                                all, dx * by, dy * by))
                     f.remedies.push_back(*std::move(remedy));
               }
             }
             findings.push_back(std::move(f));
           });
}

/// Making an opening wider about its middle.
Remedy wider(const Structure& s, const std::string& name, double width) {
  return {Edit{fmt::format("Make {} {:.0f} mm wide", name, width * 1e3),
               [id = s.id, width](const Design& d) -> Edited {
                 return with_table(d, &Design::structures, [&](std::vector<Structure>& all, Id&) {
                   for (Structure& one : all)
                     if (one.id == id) one.x = one.x - (meters(width) - one.width) / 2.0, one.width = meters(width);
                 });
               }},
          {},
          {}};
}

void check_delivery(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* t = context.figures.table("space.delivery");
  if (!t) return;
  const Rearranging* plan = nullptr;
  const auto *types = t->column("type"), *halls = t->column("hall"), *state = t->column("state"),
             *place = t->column("place"), *way = t->column("way_in"), *racks = t->column("racks"),
             *kept = t->column("not_reached"), *needed = t->column("needed"), *clear = t->column("clear"),
             *height = t->column("height"), *overhead = t->column("overhead"), *also = t->column("also"),
             *x = t->column("x"), *y = t->column("y"), *type_ids = t->column("type_id"),
             *hall_ids = t->column("hall_id"), *first_table = t->column("first_table"),
             *first_id = t->column("first_id"), *second_table = t->column("second_table"),
             *second_id = t->column("second_id");
  const Table* rack_table = context.figures.table("space.racks");
  const TableColumn* reached = rack_table ? rack_table->column("reached") : nullptr;
  for (std::size_t i = 0; i < t->row_count(); ++i) {
    if (!(kept->numbers[i] > 0)) continue;
    const Id type = static_cast<Id>(type_ids->numbers[i]), hall = static_cast<Id>(hall_ids->numbers[i]);
    std::vector<EntityRef> entities;
    if (!first_table->words[i].empty())
      entities.push_back({first_table->words[i], static_cast<Id>(first_id->numbers[i])});
    if (!second_table->words[i].empty())
      entities.push_back({second_table->words[i], static_cast<Id>(second_id->numbers[i])});
    const std::vector<EntityRef> obstacles = entities;
    if (reached)
      for (std::size_t r = 0; r < context.design.racks->size(); ++r)
        if (const Rack& rack = (*context.design.racks)[r];
            rack.rack_type == type && rack.hall == hall && reached->numbers[r] == 0)
          entities.push_back({"racks", rack.id});
    const std::string id = fmt::format("space.rack_type.{}.hall.{}.delivery_width", type, hall);
    const std::string who = kept->numbers[i] == 1
                                ? fmt::format("1 of {:.0f} racks", racks->numbers[i])
                                : fmt::format("{:.0f} of {:.0f} racks", kept->numbers[i], racks->numbers[i]);
    std::string message;
    if (state->words[i] == "no way")
      message = fmt::format("No crate of type {} comes into {}: {}", types->words[i], halls->words[i], place->words[i]);
    else if (clear->numbers[i] <= 0)
      message = fmt::format("{} of type {} in {} cannot be reached from {} when all others stand: no way of 300 mm "
                            "leads there; the crate needs {:.0f} mm",
                            who, types->words[i], halls->words[i], way->words[i], needed->numbers[i] * 1e3);
    else
      message = fmt::format("{} of type {} in {} cannot be reached from {}: the way is {:.0f} mm wide {} (at x {:.1f} "
                            "m, y {:.1f} m) and the crate needs {:.0f} mm",
                            who, types->words[i], halls->words[i], way->words[i], clear->numbers[i] * 1e3,
                            place->words[i], x->numbers[i], y->numbers[i], needed->numbers[i] * 1e3);
    if (!also->words[i].empty()) message += "; " + also->words[i];
    const RackType* of = find(*context.design.rack_types, type);
    if (of && clear->numbers[i] > 0 && in_meters(rack_footprint(context.catalog, *of).width) + 0.1 <= clear->numbers[i])
      message += "; unpacked before it the rack passes";
    Finding f = finding_of(rule, message, std::move(entities), context,
                           {id, fmt::format("space.rack_type.{}.delivery_width", type)});
    if (!plan) plan = &rearranging(context);
    for (const EntityRef& o : obstacles) {
      const Structure* s = o.table == "structures" ? find(*context.design.structures, o.id) : nullptr;
      const std::string name = entity_name(context.design, o);
      if (s && (s->kind == StructureKind::door || s->kind == StructureKind::dock || s->kind == StructureKind::lift)) {
        if (s->height && in_meters(*s->height) + 1e-6 < height->numbers[i])
          f.remedies.push_back({Edit{fmt::format("Make {} {:.0f} mm high", name, std::ceil(height->numbers[i] * 1e3)),
                                     [ref = o, high = std::ceil(height->numbers[i] * 1e3) * 1e-3](const Design& d) {
                                       return set_field(d, ref, "height", high);
                                     }},
                                {},
                                {}});
        if (in_meters(s->width) + 1e-6 < needed->numbers[i])
          f.remedies.push_back(wider(*s, name, std::ceil(needed->numbers[i] * 1e3) * 1e-3));
        continue;
      }
      const auto thing = plan->index(o);
      if (o.table == "trays" || o.table == "pipes" || (thing && plan->plan().bottom[*thing] > 0)) {
        if (auto remedy = raise_to(context, o, overhead->numbers[i])) f.remedies.push_back(*std::move(remedy));
        continue;
      }
      if (!thing || !plan->movable(*thing) || clear->numbers[i] <= 0 || std::isnan(x->numbers[i])) continue;
      const PlanThing& p = plan->plan().things[*thing];
      // Away from the narrow place, across the way.
      const double by = std::ceil((needed->numbers[i] - clear->numbers[i]) * 1e3), px = x->numbers[i] * 1e3,
                   py = y->numbers[i] * 1e3;
      const bool beside_x = std::max(p.box.x0 - px, px - p.box.x1) > std::max(p.box.y0 - py, py - p.box.y1);
      const double dx = beside_x ? (p.center_x > px ? 1 : -1) : 0, dy = beside_x ? 0 : (p.center_y > py ? 1 : -1);
      const auto all = plan->and_beyond(*thing, dx, dy);
      if (auto remedy = plan->move(all.size() > 1 ? fmt::format("Move {} and what stands beside and beyond ({} things)",
                                                                name, all.size() - 1)
                                                  : "Move " + name,
                                   all, dx * by, dy * by))
        f.remedies.push_back(*std::move(remedy));
    }
    findings.push_back(std::move(f));
  }
}

void check_openings(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* t = context.figures.table("space.delivery");
  if (!t || t->row_count() == 0) return;
  const auto *state = t->column("state"), *hall_ids = t->column("hall_id");
  std::vector<EntityRef> closed;
  for (std::size_t i = 0; i < t->row_count(); ++i)
    if (state->words[i] == "no way in is drawn") {
      const EntityRef hall{"halls", static_cast<Id>(hall_ids->numbers[i])};
      if (std::find(closed.begin(), closed.end(), hall) == closed.end()) closed.push_back(hall);
    }
  for (const EntityRef& hall : closed) {
    Finding f = finding_of(rule,
                           fmt::format("No door, dock or lift of {} is drawn: whether racks can be brought in and "
                                       "people get out cannot be decided. Draw the ways in",
                                       entity_name(context.design, hall)),
                           {hall}, context, {"space.delivery_width"});
    f.severity = Severity::note;
    f.undecided = true;
    findings.push_back(std::move(f));
  }
  const Assumption *width = context.catalog.find<Assumption>("clearance.delivery_width"),
                   *height = context.catalog.find<Assumption>("clearance.delivery_height");
  if (!width || !height || !width->value || !height->value) return;
  // Halls with racks: the widest way in must be of the class.
  for (const Hall& hall : *context.design.halls) {
    bool used = false;
    for (std::size_t i = 0; i < t->row_count(); ++i)
      used = used || static_cast<Id>(hall_ids->numbers[i]) == hall.id;
    if (!used) continue;
    const Structure* best = nullptr;
    auto size = [&](const Structure& s) {
      return std::min(in_meters(s.width) / *width->value,
                      in_meters(s.height.value_or(hall.ceiling_height)) / *height->value);
    };
    for (const Structure& s : *context.design.structures)
      if (s.hall == hall.id &&
          (s.kind == StructureKind::door || s.kind == StructureKind::dock || s.kind == StructureKind::lift) &&
          (!best || size(s) > size(*best)))
        best = &s;
    if (!best || size(*best) >= 1 - 1e-6) continue;
    const std::string name = entity_name(context.design, {"structures", best->id});
    const double high = in_meters(best->height.value_or(hall.ceiling_height));
    Finding f = finding_of(rule,
                           fmt::format("The largest way into {}, {}, is {:.0f} mm wide and {:.0f} mm high; {:.0f} x "
                                       "{:.0f} mm is asked for to bring in any rack",
                                       hall.name, name, in_millimeters(best->width), high * 1e3, *width->value * 1e3,
                                       *height->value * 1e3),
                           {{"structures", best->id}}, context, {"space.delivery_width"});
    const bool narrow = in_meters(best->width) + 1e-6 < *width->value, low = high + 1e-6 < *height->value;
    if (narrow && !low) f.remedies.push_back(wider(*best, name, *width->value));
    if (low && in_meters(hall.ceiling_height) >= *height->value) {
      const double wide = std::max(in_meters(best->width), *width->value);
      f.remedies.push_back({Edit{fmt::format("Make {} {:.0f} x {:.0f} mm", name, wide * 1e3, *height->value * 1e3),
                                 [id = best->id, wide, tall = *height->value](const Design& d) -> Edited {
                                   return with_table(d, &Design::structures, [&](std::vector<Structure>& all, Id&) {
                                     for (Structure& s : all)
                                       if (s.id == id)
                                         s.x = s.x - (meters(wide) - s.width) / 2.0, s.width = meters(wide),
                                         s.height = meters(tall);
                                   });
                                 }},
                            {},
                            {}});
    }
    findings.push_back(std::move(f));
  }
}

} // namespace

void add_way_rules(std::vector<Rule>& rules) {
  rules.insert(
      rules.end(),
      {{"SPC-023", Severity::error, "Way out too narrow",
        "From the floor ahead of and behind every rack a way must lead to a door of the hall, as wide as ways "
        "out are asked to be; where the aisle itself is narrower, as wide as the aisle. "
        "People are a square that is pushed along x and y. A door narrower than a way out asks for is none. A door "
        "into another room counts where that room has a door that leads out and that one gets to from here. Source of "
        "the width of 1.2 m: catalog assumption "
        "clearance.egress_width; of doors: clearance.exit_door.",
        check_way_out},
       {"SPC-024", Severity::warning, "Row too long",
        "A long row without a passage makes long ways out. Gaps below the width of an accessible route are no "
        "passage, and what stands in a gap closes it. Source of 20 racks: catalog assumption "
        "space.row_length_limit; of the width: clearance.accessible_route.",
        check_row_length},
       {"SPC-046", Severity::warning, "Door in no wall",
        "A door stands in the edge of its hall, or in a wall that is drawn: there it is a way in and out, or an "
        "opening "
        "of that wall. Elsewhere it is neither, and what is told of ways leaves it out. Source of the limit: the "
        "outline and the walls as drawn; doors reach 50 mm inwards, and 600 mm outwards for the thickness of a wall.",
        check_doors},
       {"SPC-025", Severity::warning, "Dead end too long",
        "An aisle that is closed at one end, by a wall or by what stands there, is a trap in a fire. A door "
        "at its end opens it. Source of 10 racks: catalog assumption space.dead_end_limit.",
        check_dead_end},
       {"SPC-027", Severity::error, "Rack cannot be delivered",
        "Each rack as it is delivered must get from a dock, or from a door that leads out, to its place, with "
        "all other racks standing: a square as wide as the lesser side of the crate and some play is "
        "pushed along x and y; doors and lifts must be high enough and carry it, ramps must carry it. Zones with "
        "a low ceiling, and trays, pipes, busways and roofs of containments that leave less height than the crate and "
        "its play, are in its way. Turning a long crate round a corner is not decided. Source of crate sizes: the rack "
        "type, else "
        "catalog assumptions delivery.packing_width, _depth, _height and delivery.play.",
        check_delivery},
       {"SPC-028", Severity::warning, "Way in below the class",
        "A hall with racks should have a way in of 1.6 x 2.75 m, so that any rack can be brought in. Source of the "
        "rule: "
        "catalog assumptions clearance.delivery_width and clearance.delivery_height.",
        check_openings}});
}

} // namespace hallwright
