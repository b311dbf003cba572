// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "space/clearances.h"
#include "checks/told_apart.h"
#include "space/outdoor_places.h"
#include "space/rearranging.h"

namespace hallwright {
namespace {

constexpr std::size_t with_remedies =
    20; // findings of a rule that remedies are looked for; each takes some milliseconds

/// One row of "space.clearances".
struct Measured {
  std::string_view kind;
  std::string name, other_name, hall;
  double is = 0, needed = 0;
  EntityRef thing, other;
  [[nodiscard]] bool short_of_it() const { return is + 1e-6 < needed; }
  [[nodiscard]] std::vector<EntityRef> both() const {
    return other.table.empty() ? std::vector{thing} : std::vector{thing, other};
  }
};
std::vector<Measured> rows_of_kind(const CheckContext& context, ClearanceKind kind) {
  std::vector<Measured> out;
  const Table* t = context.figures.table("space.clearances");
  if (!t) return out;
  const auto *kinds = t->column("kind"), *names = t->column("thing"), *others = t->column("other"),
             *halls = t->column("hall"), *is = t->column("is"), *needed = t->column("needed"),
             *tables = t->column("table"), *ids = t->column("id"), *other_tables = t->column("other_table"),
             *other_ids = t->column("other_id");
  for (std::size_t i = 0; i < kinds->words.size(); ++i)
    if (kinds->words[i] == clearance_word(kind))
      out.push_back({kinds->words[i],
                     names->words[i],
                     others->words[i],
                     halls->words[i],
                     is->numbers[i],
                     needed->numbers[i],
                     {tables->words[i], static_cast<Id>(ids->numbers[i])},
                     {other_tables->words[i], static_cast<Id>(other_ids->numbers[i])}});
  return out;
}
std::string least(ClearanceKind kind) { return fmt::format("space.least.{}", clearance_word(kind)); }

Remedy field_remedy(const std::string& label, const EntityRef& ref, std::string_view field, double value) {
  return {Edit{label,
               [ref, field = std::string(field), value](const Design& d) { return set_field(d, ref, field, value); }},
          {},
          {}};
}

void check_no_go(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Rearranging* plan = nullptr;
  for (const Measured& r : rows_of_kind(context, ClearanceKind::no_go)) {
    Finding f = finding_of(rule,
                           fmt::format("{} stands {:.0f} mm into {} in {}, where nothing may stand", r.name, r.is * 1e3,
                                       r.other_name, r.hall),
                           r.both(), context, {});
    if (findings.size() < 200) {
      if (!plan) plan = &rearranging(context);
      const auto thing = plan->index(r.thing), area = plan->index(r.other);
      if (thing && area)
        if (auto remedy = plan->move_out_of(*thing, plan->plan().things[*area].box))
          f.remedies.push_back(*std::move(remedy));
    }
    findings.push_back(std::move(f));
  }
}

/// Depth ahead of or behind plant: working space and service of CDUs.
void depth_of(const CheckContext& context, const Rule& rule, ClearanceKind kind, bool front, std::string_view words,
              std::vector<Finding>& findings) {
  const Rearranging* plan = nullptr;
  std::size_t told = 0;
  for (const Measured& r : rows_of_kind(context, kind)) {
    if (!r.short_of_it()) continue;
    const NumberPair mm = told_apart(r.is * 1e3, r.needed * 1e3, 0);
    Finding f = finding_of(rule,
                           fmt::format("{} {} in {} is {} mm deep, to {}; at least {} mm is asked for", words, r.name,
                                       r.hall, mm.value, r.other_name, mm.limit),
                           r.both(), context, {least(kind)});
    if (told++ < with_remedies) {
      if (context.stop.stop_requested()) return;
      if (!plan) plan = &rearranging(context);
      if (const auto thing = plan->index(r.thing)) {
        const PlanThing& t = plan->plan().things[*thing];
        const double side = front ? 1 : -1;
        f.remedies = plan->more_room(*thing, side * t.front_x, side * t.front_y, (r.needed - r.is) * 1e3);
        // Turned round, where there is room behind. The plant keeps its footprint.
        const Face behind = plan->outlook().look(*thing, -side * t.front_x, -side * t.front_y);
        if (kind == ClearanceKind::working_depth &&
            behind.clear * 1e-3 >= r.needed + (behind.other < Face::wall ? 0.2 : 0.0))
          f.remedies.push_back({Edit{fmt::format("Turn {} round", r.name),
                                     [ref = r.thing](const Design& d) -> Edited {
                                       const PowerUnit* unit = find(*d.power_units, ref.id);
                                       if (!unit) return tl::make_unexpected("The unit does not exist any more");
                                       return set_field(
                                           d, ref, "rotation",
                                           base_value(degrees(std::fmod(in_degrees(unit->rotation) + 180.0, 360.0))));
                                     }},
                                {},
                                {}});
      }
    }
    findings.push_back(std::move(f));
  }
}
void check_working_space(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  depth_of(context, rule, ClearanceKind::working_depth, true, "The working space ahead of", findings);
}
void check_cdu_service(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  depth_of(context, rule, ClearanceKind::cdu_front, true, "The service space ahead of", findings);
  depth_of(context, rule, ClearanceKind::cdu_rear, false, "The service space behind", findings);
}

void check_rack_service(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.racks");
  if (!table) return;
  const Rearranging* plan = nullptr;
  const auto& racks = *context.design.racks;
  for (const bool front : {true, false})
    for (const RackType& type : *context.design.rack_types) {
      const std::string id = fmt::format("space.rack_type.{}.{}_clear", type.id, front ? "front" : "rear");
      const Figure* figure = context.figures.find(id);
      const Figure* limit = figure ? context.figures.at(figure->limit) : nullptr;
      if (!figure || figure->status != Status::over_limit || !limit) continue;
      const auto* clear = table->column(front ? "front_clear" : "rear_clear");
      std::map<Id, std::pair<std::vector<EntityRef>, std::uint32_t>> halls; // racks, and the worst
      for (std::uint32_t i = 0; i < racks.size(); ++i) {
        if (racks[i].rack_type != type.id || racks[i].hall == 0 || clear->numbers[i] + 1e-6 >= limit->value) continue;
        auto& [all, worst] = halls[racks[i].hall];
        if (all.empty() || clear->numbers[i] < clear->numbers[worst]) worst = i;
        all.push_back({"racks", racks[i].id});
      }
      for (auto& [hall, found] : halls) {
        const std::uint32_t worst = found.second;
        const std::size_t n = found.first.size();
        Finding f = finding_of(rule,
                               fmt::format("{} of type {} in {} {} less than the {:.0f} mm of free depth that service "
                                           "{} asks for; {} has {:.0f} mm",
                                           n == 1 ? "1 rack" : fmt::format("{} racks", n), type.name,
                                           entity_name(context.design, {"halls", hall}), n == 1 ? "has" : "have",
                                           limit->value * 1e3, front ? "ahead" : "behind", racks[worst].name,
                                           clear->numbers[worst] * 1e3),
                               std::move(found.first), context, {id, limit->id});
        if (!plan) plan = &rearranging(context);
        const PlanThing& t = plan->plan().things[worst];
        const double side = front ? 1 : -1;
        f.remedies =
            plan->more_room(worst, side * t.front_x, side * t.front_y, (limit->value - clear->numbers[worst]) * 1e3);
        findings.push_back(std::move(f));
      }
    }
}

void check_door_swing(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Rearranging* plan = nullptr;
  for (const Measured& r : rows_of_kind(context, ClearanceKind::door_swing)) {
    Finding f = finding_of(
        rule,
        fmt::format("The leaf of {} in {} turns through {:.0f} mm; {} is in its way at {:.0f} mm from the hinge",
                    r.name, r.hall, r.needed * 1e3, r.other_name, r.is * 1e3),
        r.both(), context, {});
    const Structure* door = find(*context.design.structures, r.thing.id);
    if (door && !door->locked)
      f.remedies.push_back({Edit{fmt::format("Make {} a sliding door", r.name),
                                 [id = r.thing.id](const Design& d) -> Edited {
                                   return with_table(d, &Design::structures, [&](std::vector<Structure>& all, Id&) {
                                     for (Structure& s : all)
                                       if (s.id == id) s.swing = DoorSwing::sliding;
                                   });
                                 }},
                            {},
                            {}});
    if (!plan) plan = &rearranging(context);
    const auto thing = plan->index(r.other), leaf = plan->index(r.thing);
    if (thing && leaf && plan->movable(*thing)) {
      const PlanThing& t = plan->plan().things[*leaf];
      // Out of the square that the leaf turns in.
      PlanBox box = t.box;
      const double radius = r.needed * 1e3;
      (t.front_x > 0.5    ? box.x1
       : t.front_x < -0.5 ? box.x0
       : t.front_y > 0.5  ? box.y1
                          : box.y0) += (t.front_x + t.front_y) * radius;
      if (t.square_on)
        if (auto remedy = plan->move_out_of(*thing, box)) f.remedies.push_back(*std::move(remedy));
    }
    findings.push_back(std::move(f));
  }
}

void check_door_front(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Rearranging* plan = nullptr;
  for (const Measured& r : rows_of_kind(context, ClearanceKind::door_front)) {
    if (!r.short_of_it()) continue;
    const NumberPair mm = told_apart(r.is * 1e3, r.needed * 1e3, 0);
    Finding f =
        finding_of(rule,
                   fmt::format("{} stands {} mm from {} in {}; {} mm of free floor is asked for at a door",
                               r.other_name, mm.value, r.name, r.hall, mm.limit),
                   {r.other, r.thing}, context, {least(ClearanceKind::door_front)});
    if (!plan) plan = &rearranging(context);
    const auto thing = plan->index(r.other), door = plan->index(r.thing);
    if (thing && door && plan->movable(*thing) && plan->plan().things[*door].square_on) {
      const PlanThing& t = plan->plan().things[*door];
      PlanBox box = t.box;
      const double deep = r.needed * 1e3;
      if (t.front_x != 0)
        box.x0 -= deep, box.x1 += deep;
      else
        box.y0 -= deep, box.y1 += deep;
      if (auto remedy = plan->move_out_of(*thing, box)) f.remedies.push_back(*std::move(remedy));
    }
    findings.push_back(std::move(f));
  }
}

/// A rack and those of its row that stand in one line with it and face the same way: a row may be drawn in two lines.
std::vector<std::uint32_t> line_of(const CheckContext& context, const Rearranging& plan, std::uint32_t rack) {
  const auto& racks = *context.design.racks;
  const auto& things = plan.plan().things;
  const PlanThing& t = things[rack];
  const auto deep = [&](const PlanThing& r) {
    return std::abs(t.front_x * r.axis_x + t.front_y * r.axis_y) > 0.5 ? r.half_width : r.half_depth;
  };
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < plan.plan().racks; ++i) {
    const PlanThing& r = things[i];
    const bool in_row = racks[rack].row != 0 && racks[i].row == racks[rack].row && r.hall == t.hall &&
                        r.front_x * t.front_x + r.front_y * t.front_y > 0.999;
    const double ahead = (r.center_x - t.center_x) * t.front_x + (r.center_y - t.center_y) * t.front_y;
    if (i == rack || (in_row && std::abs(ahead) < std::min(deep(r), deep(t)))) out.push_back(i);
  }
  return out;
}

/// Whether half a turn of these racks leaves none of them within `limit` mm with its rear before a front, or its front
/// before a rear. Such a turn would only move the finding to the other side of the row, or bring it back mirrored.
bool may_turn_round(const Rearranging& plan, const std::vector<std::uint32_t>& line, double limit) {
  const auto& things = plan.plan().things;
  for (const std::uint32_t i : line) {
    if (!plan.movable(i)) return false;
    const PlanThing& t = things[i];
    for (const double side : {1.0, -1.0}) { // its front and its rear as it stands
      const Face face = plan.outlook().look(i, side * t.front_x, side * t.front_y);
      if (face.other >= plan.plan().racks || face.clear + 1e-3 >= limit) continue;
      if (std::find(line.begin(), line.end(), face.other) != line.end()) continue;
      const PlanThing& o = things[face.other];
      if (t.front_x * o.front_x + t.front_y * o.front_y < -0.9) return false; // front to front, or rear to rear
    }
  }
  return true;
}

void check_front_to_rear(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.aisles");
  const Assumption* limit = context.catalog.find<Assumption>("clearance.front_to_rear");
  if (!table || !limit || !limit->value) return;
  const Rearranging* plan = nullptr;
  const auto *kinds = table->column("kind"), *at = table->column("at"), *opposite = table->column("opposite"),
             *hall = table->column("hall"), *clear = table->column("clear"), *front = table->column("front"),
             *other_table = table->column("opposite_table"), *other_id = table->column("opposite_id");
  std::set<std::pair<Id, Id>> told; // each aisle is seen from both sides
  std::size_t n = 0;
  for (std::size_t i = 0; i < table->row_count(); ++i) {
    if (kinds->words[i] != "front to rear" || clear->numbers[i] + 1e-6 >= *limit->value ||
        other_table->words[i] != "racks")
      continue;
    const Id a = table->entities[i], b = static_cast<Id>(other_id->numbers[i]);
    if (!told.insert({std::min(a, b), std::max(a, b)}).second) continue;
    const bool front_here = front->numbers[i] != 0;
    const std::string& drawing = front_here ? at->words[i] : opposite->words[i];
    const std::string& blowing = front_here ? opposite->words[i] : at->words[i];
    Finding f = finding_of(
        rule,
        fmt::format(
            "The rear of {} blows at the front of {} in {} over {:.0f} mm; less than {:.0f} mm lets it draw in hot air",
            blowing, drawing, hall->words[i], clear->numbers[i] * 1e3, *limit->value * 1e3),
        {{"racks", front_here ? b : a}, {"racks", front_here ? a : b}}, context, {"space.narrowest_aisle"});
    if (n++ < with_remedies) {
      if (context.stop.stop_requested()) return;
      if (!plan) plan = &rearranging(context);
      // Either side may turn, where that brings no rear before another front.
      const auto blower = plan->index({"racks", front_here ? b : a});
      const auto drawer = plan->index({"racks", front_here ? a : b});
      for (const auto& [side, words] : {std::pair(blower, "front to front"), std::pair(drawer, "rear to rear")}) {
        if (!side) continue;
        const std::vector<std::uint32_t> line = line_of(context, *plan, *side);
        if (!may_turn_round(*plan, line, *limit->value * 1e3)) continue;
        const std::string name = plan->plan().name(*side, *context.design.racks);
        std::vector<Id> ids;
        ids.reserve(line.size());
        for (const std::uint32_t i : line)
          ids.push_back((*context.design.racks)[i].id);
        f.remedies.push_back(plan->turn_round(
            ids.size() > 1 ? fmt::format("Turn the {} racks of the row of {} round, {}", ids.size(), name, words)
                           : fmt::format("Turn {} round, {}", name, words),
            ids));
      }
      if (const auto thing = plan->index({"racks", a})) {
        const PlanThing& t = plan->plan().things[*thing];
        const double side = front_here ? 1 : -1;
        for (Remedy& r :
             plan->more_room(*thing, side * t.front_x, side * t.front_y, (*limit->value - clear->numbers[i]) * 1e3))
          f.remedies.push_back(std::move(r));
      }
    }
    findings.push_back(std::move(f));
  }
}

void check_containment_kind(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Measured& r : rows_of_kind(context, ClearanceKind::wrong_containment)) {
    const Containment* c = find(*context.design.containments, r.thing.id);
    if (!c) continue;
    const bool hot = c->kind == ContainmentKind::hot_aisle;
    Finding f = finding_of(
        rule,
        fmt::format("{} contains a {} aisle, but {:.0f} of {:.0f} racks beside it look into it with the {}, {} first",
                    r.name, hot ? "hot" : "cold", r.is, r.needed, hot ? "front" : "rear", r.other_name),
        r.both(), context, {});
    if (r.is >= r.needed)
      f.remedies.push_back({Edit{fmt::format("Make {} a {} aisle containment", r.name, hot ? "cold" : "hot"),
                                 [id = c->id, hot](const Design& d) -> Edited {
                                   return with_table(d, &Design::containments, [&](std::vector<Containment>& all, Id&) {
                                     for (Containment& one : all)
                                       if (one.id == id)
                                         one.kind = hot ? ContainmentKind::cold_aisle : ContainmentKind::hot_aisle;
                                   });
                                 }},
                            {},
                            {}});
    else if (r.other.table == "racks") {
      const Rearranging& plan = rearranging(context);
      f.remedies.push_back(
          plan.turn_round(r.is > 1 ? fmt::format("Turn {} round; {:.0f} more remain", r.other_name, r.is - 1)
                                   : fmt::format("Turn {} round", r.other_name),
                          {r.other.id}));
    }
    findings.push_back(std::move(f));
  }
}

void check_containment_crosses(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  struct Crossed {
    std::vector<EntityRef> what;
    const Measured* deepest = nullptr;
  };
  const auto rows = rows_of_kind(context, ClearanceKind::containment_crosses);
  std::map<Id, Crossed> by_containment;
  for (const Measured& r : rows) {
    Crossed& c = by_containment[r.thing.id];
    if (c.what.empty()) c.what.push_back(r.thing);
    c.what.push_back(r.other);
    if (!c.deepest || r.is > c.deepest->is) c.deepest = &r;
  }
  const Rearranging* plan = nullptr;
  for (auto& [id, crossed] : by_containment) {
    const Containment* c = find(*context.design.containments, id);
    if (!c) continue;
    const Measured& r = *crossed.deepest;
    const std::size_t n = crossed.what.size() - 1;
    Finding f =
        finding_of(rule,
                   n == 1 ? fmt::format("{} lies {:.0f} mm into {} in {}", r.name, r.is * 1e3, r.other_name, r.hall)
                          : fmt::format("{} lies across {} racks in {}, {:.0f} mm into {}", r.name, n, r.hall,
                                        r.is * 1e3, r.other_name),
                   std::move(crossed.what), context, {});
    if (!plan) plan = &rearranging(context);
    if (auto remedy = plan->cut_back(*c)) f.remedies.push_back(*std::move(remedy));
    findings.push_back(std::move(f));
  }
}

void check_containment_height(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Measured& r : rows_of_kind(context, ClearanceKind::containment_ceiling)) {
    const Containment* c = find(*context.design.containments, r.thing.id);
    if (!c || r.is >= -1e-6) continue;
    const double ceiling = in_meters(c->height) + r.is;
    const NumberPair mm = told_apart(in_millimeters(c->height), ceiling * 1e3, 0);
    Finding f = finding_of(rule,
                           fmt::format("{} is {} mm high; the ceiling above it in {} is at {} mm", r.name, mm.value,
                                       r.hall, mm.limit),
                           r.both(), context, {});
    f.remedies.push_back(field_remedy(fmt::format("Make {} {:.0f} mm high, up to the ceiling", r.name, ceiling * 1e3),
                                      r.thing, "height", ceiling));
    findings.push_back(std::move(f));
  }
  for (const Measured& r : rows_of_kind(context, ClearanceKind::containment_rack)) {
    const Containment* c = find(*context.design.containments, r.thing.id);
    if (!c || r.is >= -1e-6) continue;
    const double top = in_meters(c->height) - r.is;
    const NumberPair mm = told_apart(in_millimeters(c->height), top * 1e3, 0);
    Finding f =
        finding_of(rule,
                   fmt::format("{} is {} mm high, lower than {} beside it with {} mm: air passes over it", r.name,
                               mm.value, r.other_name, mm.limit),
                   r.both(), context, {});
    f.remedies.push_back(field_remedy(fmt::format("Make {} {:.0f} mm high", r.name, std::ceil(top * 1e3)), r.thing,
                                      "height", std::ceil(top * 1e3) * 1e-3));
    findings.push_back(std::move(f));
  }
}

void check_hall_height(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Assumption* good = context.catalog.find<Assumption>("clearance.clear_height");
  for (const Measured& r : rows_of_kind(context, ClearanceKind::hall_height)) {
    if (!r.short_of_it()) continue;
    const NumberPair m = told_apart(r.is, r.needed, 2);
    findings.push_back(finding_of(
        rule,
        fmt::format("{} is {} m high; at least {} m is asked for to hold racks, trays, busways and pipes{}",
                    r.name, m.value, m.limit,
                    good && good->value ? fmt::format(", {:.1f} m is good", *good->value) : std::string()),
        {r.thing}, context, {least(ClearanceKind::hall_height)}));
  }
}

void check_overhead(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Measured& r : rows_of_kind(context, ClearanceKind::walkway_height)) {
    if (!r.short_of_it()) continue;
    const NumberPair mm = told_apart(r.is * 1e3, r.needed * 1e3, 0);
    Finding f = finding_of(
        rule,
        fmt::format("{} hangs {} mm above the walkway that it crosses in {}; at least {} mm is asked for", r.name,
                    mm.value, r.hall, mm.limit),
        {r.thing}, context, {least(ClearanceKind::walkway_height)});
    if (auto remedy = raise_to(context, r.thing, r.needed)) f.remedies.push_back(*std::move(remedy));
    findings.push_back(std::move(f));
  }
  for (const Measured& r : rows_of_kind(context, ClearanceKind::over_rack)) {
    if (r.is >= -1e-6) continue;
    Finding f = finding_of(rule,
                           fmt::format("{} runs through {} in {}: its lower edge lies {:.0f} mm below the top", r.name,
                                       r.other_name, r.hall, -r.is * 1e3),
                           r.both(), context, {});
    // Its own lower edge now, and as much higher.
    double edge = 0;
    if (const Tray* t = r.thing.table == "trays" ? find(*context.design.trays, r.thing.id) : nullptr)
      edge = in_meters(t->elevation);
    else if (const Pipe* p = r.thing.table == "pipes" ? find(*context.design.pipes, r.thing.id) : nullptr)
      edge = in_meters(p->elevation) - in_meters(p->diameter) / 2;
    else if (const PowerUnit* u =
                 r.thing.table == "power_units" ? find(*context.design.power_units, r.thing.id) : nullptr)
      edge = in_meters(u->elevation.value_or(Length{}));
    if (auto remedy = raise_to(context, r.thing, edge - r.is)) f.remedies.push_back(*std::move(remedy));
    findings.push_back(std::move(f));
  }
}

void check_pipe_over_busway(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Assumption* walkway = context.catalog.find<Assumption>("clearance.overhead");
  for (const Measured& r : rows_of_kind(context, ClearanceKind::pipe_over_busway)) {
    if (r.is > 1e-6) continue;
    const Pipe* pipe = find(*context.design.pipes, r.thing.id);
    const PowerUnit* busway = find(*context.design.power_units, r.other.id);
    if (!pipe || !busway) continue;
    Finding f = finding_of(rule,
                           fmt::format("{} carries water {:.0f} mm above the lower edge of {} in {} and crosses it: a "
                                       "drip falls on live bars. Lead it below or put a drip tray between",
                                       r.name, -r.is * 1e3, r.other_name, r.hall),
                           r.both(), context, {});
    const double bottom = in_meters(busway->elevation.value_or(Length{})), radius = in_meters(pipe->diameter) / 2,
                 under = bottom - radius - 0.1;
    if (walkway && walkway->value && under - radius >= *walkway->value)
      f.remedies.push_back(field_remedy(fmt::format("Lower {} to {:.0f} mm, below the busway", r.name, under * 1e3),
                                        r.thing, "elevation", under));
    const Hall* hall = find(*context.design.halls, pipe->hall);
    const double over = in_meters(pipe->elevation) + radius + 0.1;
    if (busway->elevation && hall &&
        over + in_meters(power_unit_footprint(context.catalog, *busway).height) <= in_meters(hall->ceiling_height))
      f.remedies.push_back(field_remedy(fmt::format("Raise {} to {:.0f} mm, above the pipe", r.other_name, over * 1e3),
                                        r.other, "elevation", over));
    findings.push_back(std::move(f));
  }
}

constexpr std::size_t told_alone = 25; // findings of a rule; one more holds the rest

void check_hanging_crosses(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::set<EntityRef> rest;
  std::size_t told = 0, more = 0;
  for (const Measured& r : rows_of_kind(context, ClearanceKind::hanging_crosses)) {
    if (told++ >= told_alone) {
      ++more;
      rest.insert(r.thing), rest.insert(r.other);
      continue;
    }
    const bool containment = r.other.table == "containments";
    Finding f = finding_of(
        rule,
        containment ? fmt::format("{} runs through the walls of {} in {}, {:.0f} mm below its upper edge", r.name,
                                  r.other_name, r.hall, r.is * 1e3)
                    : fmt::format("{} and {} cross in {} and share {:.0f} mm of height; lead one above the other",
                                  r.name, r.other_name, r.hall, r.is * 1e3),
        r.both(), context, {});
    if (auto remedy = raise_to(context, r.thing, r.needed)) f.remedies.push_back(*std::move(remedy));
    findings.push_back(std::move(f));
  }
  if (more > 0)
    findings.push_back(finding_of(rule,
                                  fmt::format("{} more pairs of trays, pipes, busways and containments cross", more),
                                  {rest.begin(), rest.end()}, context, {}));
}

void check_hanging_through(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Measured& r : rows_of_kind(context, ClearanceKind::hanging_through)) {
    const Structure* s = find(*context.design.structures, r.other.id);
    if (!s) continue;
    const bool wall = s->kind == StructureKind::wall;
    Finding f = finding_of(rule,
                           wall ? fmt::format("{} goes through {} in {}: the wall needs an opening there that is "
                                              "closed again against fire",
                                              r.name, r.other_name, r.hall)
                                : fmt::format("{} runs through {} in {}; lead it round", r.name, r.other_name, r.hall),
                           r.both(), context, {});
    if (wall) f.severity = Severity::note;
    if (s->height)
      if (auto remedy = raise_to(context, r.thing, in_meters(*s->height))) f.remedies.push_back(*std::move(remedy));
    findings.push_back(std::move(f));
  }
}

void check_hanging_outside(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  // Facility water leaves the hall for what stands outside.
  const auto leaves_the_hall = [&](const EntityRef& thing) {
    const Pipe* pipe = thing.table == "pipes" ? find(*context.design.pipes, thing.id) : nullptr;
    if (!pipe || pipe->loop == 0) return false;
    return std::any_of(context.design.loops->begin(), context.design.loops->end(), [&](const CoolantLoop& l) { return l.facility_loop == pipe->loop; }) ||
           std::any_of(context.design.cooling_units->begin(), context.design.cooling_units->end(), [&](const CoolingUnit& u) {
             return u.loop == pipe->loop && may_stand_outdoors(u.kind);
           });
  };
  for (const Measured& r : rows_of_kind(context, ClearanceKind::hanging_outside)) {
    if (leaves_the_hall(r.thing)) continue;
    findings.push_back(finding_of(rule,
                                  fmt::format("{} reaches beyond the outline of {}; end it at the edge, and draw what "
                                              "lies beyond in the next room",
                                              r.name, r.other_name),
                                  {r.thing}, context, {}));
  }
}

void check_column_aisle(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Rearranging* plan = nullptr;
  for (const Measured& r : rows_of_kind(context, ClearanceKind::column_aisle)) {
    if (!r.short_of_it()) continue;
    const NumberPair mm = told_apart(r.is * 1e3, r.needed * 1e3, 0);
    Finding f = finding_of(rule,
                           fmt::format("{} blocks the aisle at {} in {}: the wider passage beside it is {} mm; at "
                                       "least {} mm is asked for",
                                       r.name, r.other_name, r.hall, mm.value, mm.limit),
                           r.both(), context, {least(ClearanceKind::column_aisle)});
    if (!plan) plan = &rearranging(context);
    const auto column = plan->index(r.thing), rack = plan->index(r.other);
    if (column && rack) {
      const PlanThing& t = plan->plan().things[*rack];
      // Away from the column on the side where a rack looks at it.
      const double dx = plan->plan().things[*column].center_x - t.center_x,
                   dy = plan->plan().things[*column].center_y - t.center_y;
      const double side = dx * t.front_x + dy * t.front_y > 0 ? 1 : -1;
      const double clear = plan->outlook().look(*rack, side * t.front_x, side * t.front_y).clear;
      for (Remedy& remedy : plan->more_room(*rack, side * t.front_x, side * t.front_y, r.needed * 1e3 - clear))
        f.remedies.push_back(std::move(remedy));
    }
    findings.push_back(std::move(f));
  }
}

void check_zone_edge(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::map<std::string, std::vector<EntityRef>> by_zone;
  for (const Measured& r : rows_of_kind(context, ClearanceKind::zone_edge))
    by_zone[r.other_name].push_back(r.thing);
  for (auto& [zone, racks] : by_zone) {
    const std::size_t n = racks.size();
    const Id first = racks[0].id;
    Finding f = finding_of(rule,
                           fmt::format("{} across the edge of {}: ratings of the floor under the middle count",
                                       n == 1 ? "1 rack stands" : fmt::format("{} racks stand", n), zone),
                           std::move(racks), context, {"space.worst_floor_load"});
    if (n == 1) {
      // Out of the zone by the shortest way that has room.
      const Rearranging& plan = rearranging(context);
      for (const Zone& z : *context.design.zones) {
        const auto thing = plan.index({"racks", first});
        if (!thing || z.outline.size() < 3) continue;
        PlanBox box{z.outline[0].x_mm, z.outline[0].y_mm, z.outline[0].x_mm, z.outline[0].y_mm};
        for (const PlanPoint& p : z.outline)
          box.x0 = std::min(box.x0, p.x_mm), box.x1 = std::max(box.x1, p.x_mm), box.y0 = std::min(box.y0, p.y_mm),
          box.y1 = std::max(box.y1, p.y_mm);
        if (!plan.plan().things[*thing].box.overlaps(box)) continue;
        if (auto remedy = plan.move_out_of(*thing, box)) f.remedies.push_back(*std::move(remedy));
        break;
      }
    }
    findings.push_back(std::move(f));
  }
}

} // namespace

void add_clearance_rules(std::vector<Rule>& rules) {
  rules.insert(
      rules.end(),
      {{"SPC-011", Severity::error, "Thing in a no-go area",
        "Nothing may stand in an area that is marked no-go: it is kept for a reason, such as a hatch, a drain "
        "or a way out. Source of the limit: the area as drawn.",
        check_no_go},
       {"SPC-012", Severity::error, "Working space of electrical gear too small",
        "Ahead of transformers, UPS and distribution units that stand, in any room, the floor must be free "
        "over the depth of NEC 110.26(A)(1) and over the unit's width, at least 762 mm (110.26(A)(2)); that width need "
        "not lie about the unit's middle. "
        "Depths are those of 480Y/277 V: condition 2, 1,067 mm, where a wall or other thing lies opposite; "
        "condition 3, 1,219 mm, where the front of power gear lies opposite. Condition 1, 914 mm, is for "
        "insulated surfaces: enter it as a replacement of the default. Source of the rule: catalog assumptions "
        "clearance.electrical_working_depth, _depth_facing and _width.",
        check_working_space},
       {"SPC-013", Severity::warning, "Service depth of a rack too small",
        "Nodes are drawn out ahead of a rack, and cables and manifolds are reached from behind. The free "
        "depth straight ahead and behind, up to the next thing or wall, is compared with "
        "what the rack type asks for. Source of the defaults: catalog assumptions "
        "clearance.rack_front_service and clearance.rack_rear_service.",
        check_rack_service},
       {"SPC-014", Severity::error, "Service depth of a CDU too small",
        "Pumps, filters and exchangers of a CDU are taken out ahead of it and behind it. Source of the depth "
        "of 914 mm: catalog assumption clearance.cdu_service.",
        check_cdu_service},
       {"SPC-015", Severity::error, "Door cannot swing",
        "The quarter circle that the leaf of a door sweeps must be free of things. Sliding doors sweep "
        "nothing. Source of the limit: the door as drawn.",
        check_door_swing},
       {"SPC-016", Severity::error, "Thing ahead of a door",
        "On either side of a door the floor must be free over the width of a way out, so that people get "
        "through it. Source of the rule: catalog assumption clearance.egress_width.",
        check_door_front},
       {"SPC-017", Severity::warning, "Rear blows at a front",
        "Where the rear of one row faces the front of the next, racks draw in the exhaust of others, and "
        "inlet temperatures rise. Aisles should have fronts on both sides or rears on both. "
        "Source of the distance: project choice, catalog assumption clearance.front_to_rear.",
        check_front_to_rear},
       {"SPC-018", Severity::error, "Containment of the wrong kind",
        "A cold aisle containment must have fronts on its sides and a hot aisle containment rears; otherwise "
        "it leads hot air to inlets. Source of the rule: what containment is for.",
        check_containment_kind},
       {"SPC-019", Severity::warning, "Containment too high or too low",
        "Containment must fit under the ceiling of its hall or zone, and be no lower than the racks beside "
        "it. Source of the limits: heights as entered or as parts state them.",
        check_containment_height},
       {"SPC-020", Severity::warning, "Hall too low",
        "Racks, trays, busways, pipes and the air above them need height. Source of the least clear height of "
        "3.65 m, of which 4.5 m is the good value: catalog assumptions "
        "clearance.clear_height_least and clearance.clear_height.",
        check_hall_height},
       {"SPC-021", Severity::error, "Tray, pipe or busway too low",
        "What hangs over a walkway must leave the clear height for people, and what crosses a rack must pass "
        "above it. Source of the height of 2.4 m: catalog assumption clearance.overhead.",
        check_overhead},
       {"SPC-022", Severity::warning, "Water pipe above a busway",
        "A pipe that crosses above live bars drips on them when a joint leaks. Drip trays are not drawn in "
        "this program: waive the finding where there is one. Source of the rule: design practice, rule F8 of "
        "the facility notes; project choice.",
        check_pipe_over_busway},
       {"SPC-047", Severity::error, "Hanging things cross",
        "Trays, pipes, busways and containments must not be in each other's place. Trays of one use, and pipes of one "
        "side and loop, are joined where they meet on about one level; all others must pass above each other. What "
        "runs inside of a containment all along is left out. Source of the limit: paths, widths, heights and levels as "
        "drawn; pipes without their insulation; a busway whose part states no height counts with 200 mm, a project "
        "choice.",
        check_hanging_crosses},
       {"SPC-048", Severity::error, "Tray or pipe through a column or wall",
        "A tray or pipe must pass beside columns and obstacles, or above those that have a height. Through a wall it "
        "needs an opening that is closed against fire: that is a note. Busways are told of with what stands in one "
        "place. Source of the limit: the drawing.",
        check_hanging_through},
       {"SPC-049", Severity::error, "Tray or pipe outside its hall",
        "All of a tray or pipe, with its width, must lie within the outline of its hall, to a millimetre. Source of "
        "the "
        "limit: the outline as drawn.",
        check_hanging_outside},
       {"SPC-026", Severity::error, "Aisle blocked by a column",
        "Beside a column that stands in an aisle one passage must be left that a person gets through. Source "
        "of the width: catalog assumption clearance.accessible_route.",
        check_column_aisle},
       {"SPC-045", Severity::error, "Containment crosses racks",
        "Walls and roof of an aisle's containment stand between racks, not in them: up to 5 mm into a "
        "footprint is taken as drawing; chimneys stand on racks and are left out. Source of the limit: the "
        "footprints and the containment as drawn; the 5 mm are a project choice.",
        check_containment_crosses},
       {"SPC-029", Severity::note, "Rack across the edge of a zone",
        "A rack that stands on two floors is judged by the ratings under its middle only. Source of the "
        "limit: the zones as drawn.",
        check_zone_edge}});
}

} // namespace hallwright
