// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/rearranging.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "space/clearances.h"

namespace hallwright {
namespace {

SpaceInputs inputs_of(const CheckContext& context) {
  const Design& d = context.design;
  const Shared<Catalog> catalog(Shared<Catalog>{}, &context.catalog); // outlives this: not owned
  return {d.site,          d.halls, d.structures, d.rack_types,   d.rack_items, d.racks, d.power_units,
          d.cooling_units, catalog, d.zones,      d.containments, d.trays,      d.pipes};
}

constexpr double least_containment = 600; // mm: narrower than that nobody walks in it

void shift(PlanThing& t, double dx, double dy) {
  t.center_x += dx, t.center_y += dy;
  t.box.x0 += dx, t.box.x1 += dx, t.box.y0 += dy, t.box.y1 += dy;
}
/// A thing that is square on, with another box.
PlanThing boxed(PlanThing t, const PlanBox& box) {
  t.box = box;
  t.center_x = (box.x0 + box.x1) / 2, t.center_y = (box.y0 + box.y1) / 2;
  t.half_width = (box.x1 - box.x0) / 2, t.half_depth = (box.y1 - box.y0) / 2;
  return t;
}
/// Draws a containment, turned by quarter turns or not at all, into a box.
void put_into(Containment& c, const PlanBox& box) {
  const bool turned = std::abs(std::fmod(in_degrees(c.rotation), 180.0)) > 45.0;
  const double along_x = box.x1 - box.x0, along_y = box.y1 - box.y0;
  c.width = millimeters(turned ? along_y : along_x), c.depth = millimeters(turned ? along_x : along_y);
  c.x = millimeters((box.x0 + box.x1) / 2) - c.width / 2.0;
  c.y = millimeters((box.y0 + box.y1) / 2) - c.depth / 2.0;
}

} // namespace

Rearranging::Rearranging(const CheckContext& context)
    : context_(context), inputs_(inputs_of(context)), plan_(floor_plan(inputs_)), grid_(plan_.things),
      outlook_(plan_, grid_, *context.design.halls) {}

const Rearranging& rearranging(const CheckContext& context) {
  return context.looks->of<Rearranging>([&] { return std::make_shared<const Rearranging>(context); });
}

std::optional<std::uint32_t> Rearranging::index(const EntityRef& ref) const {
  const auto& racks = *context_.design.racks;
  if (ref.table == "racks") {
    const Rack* rack = find(racks, ref.id);
    return rack ? std::optional(static_cast<std::uint32_t>(rack - racks.data())) : std::nullopt;
  }
  const auto at = std::find(plan_.refs.begin(), plan_.refs.end(), ref);
  return at == plan_.refs.end() ? std::nullopt
                                : std::optional(static_cast<std::uint32_t>(
                                      plan_.racks + static_cast<std::size_t>(at - plan_.refs.begin())));
}

bool Rearranging::movable(std::uint32_t thing) const {
  if (thing < plan_.racks) return !(*context_.design.racks)[thing].locked;
  const ThingSource s = plan_.source(thing);
  return (s.power && !s.power->locked) || (s.cooling && !s.cooling->locked);
}

bool Rearranging::room_for(const std::vector<std::uint32_t>& what, double dx, double dy) const {
  if (what.empty()) return false;
  std::vector<bool> moved(plan_.things.size(), false);
  for (const std::uint32_t i : what)
    moved[i] = true;
  const auto stands = [&](std::uint32_t i) {
    if (!movable(i)) return false;
    PlanThing t = plan_.things[i];
    if (t.hall < 0) return false;
    shift(t, dx, dy);
    if (!inside_outline(t, (*context_.design.halls)[static_cast<std::size_t>(t.hall)].outline)) return false;
    bool taken = false;
    grid_.near(t.hall, t.box, [&](std::uint32_t j) {
      if (taken || moved[j] || plan_.is_structure(j, StructureKind::spreader) || plan_.bottom[j] >= plan_.top[i] ||
          plan_.bottom[i] >= plan_.top[j])
        return;
      // What stood in one place before is another finding.
      if (share_floor(t, plan_.things[j]) && !share_floor(plan_.things[i], plan_.things[j])) taken = true;
    });
    return !taken;
  };
  // What stands furthest along the way is the first to meet a wall.
  const auto along = [&](std::uint32_t i) { return plan_.things[i].center_x * dx + plan_.things[i].center_y * dy; };
  if (!stands(*std::max_element(what.begin(), what.end(),
                                [&](std::uint32_t a, std::uint32_t b) { return along(a) < along(b); })))
    return false;
  constexpr std::size_t polled_every = 64;
  for (std::size_t k = 0; k < what.size(); ++k) {
    if (k % polled_every == 0 && context_.stop.stop_requested()) return false;
    if (!stands(what[k])) return false;
  }
  return true;
}

PlanThing Rearranging::thing_of(const Containment& c) const {
  PlanThing t = plan_thing(c.x, c.y, c.width, c.depth, c.rotation);
  const auto& halls = *context_.design.halls;
  const Hall* hall = find(halls, c.hall);
  t.hall = hall ? static_cast<std::int32_t>(hall - halls.data()) : -1;
  return t;
}

std::vector<std::uint32_t> Rearranging::beside(const PlanThing& t) const {
  constexpr double reach = 400; // mm from a face into the aisle
  std::vector<std::uint32_t> out;
  grid_.near(t.hall, {t.box.x0 - reach, t.box.y0 - reach, t.box.x1 + reach, t.box.y1 + reach}, [&](std::uint32_t j) {
    if (j >= plan_.racks) return;
    const PlanThing& r = plan_.things[j];
    const double deep = std::abs(r.front_x * r.axis_x + r.front_y * r.axis_y) > 0.5 ? r.half_width : r.half_depth;
    bool looks = shared_depth(t, r) > containment_play;
    for (const double side : {1.0, -1.0}) {
      const double x = r.center_x + side * r.front_x * (deep + reach / 2) - t.center_x,
                   y = r.center_y + side * r.front_y * (deep + reach / 2) - t.center_y;
      const double u = x * t.axis_x + y * t.axis_y, v = y * t.axis_x - x * t.axis_y;
      if (std::abs(u) <= t.half_width && std::abs(v) <= t.half_depth) looks = true;
    }
    if (looks) out.push_back(j);
  });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::optional<std::vector<Rearranging::Fitted>> Rearranging::containments_after(const std::vector<std::uint32_t>& what,
                                                                                double dx, double dy) const {
  std::vector<bool> moved(plan_.things.size(), false);
  for (const std::uint32_t i : what)
    moved[i] = true;
  std::vector<Fitted> out;
  for (const Containment& c : *context_.design.containments) {
    const PlanThing before = thing_of(c);
    if (before.hall < 0 || c.kind == ContainmentKind::chimney) continue;
    const auto racks = beside(before);
    // Whether it would come to lie deeper in a rack, or in the outline, than it does now.
    const auto crosses = [&](const PlanThing& after) {
      bool bad = !inside_outline(after, (*context_.design.halls)[static_cast<std::size_t>(after.hall)].outline) &&
                 inside_outline(before, (*context_.design.halls)[static_cast<std::size_t>(after.hall)].outline);
      const auto look = [&](bool at_moved) {
        PlanThing t = after;
        if (at_moved) shift(t, -dx, -dy); // seen from what moves along
        grid_.near(t.hall, t.box, [&](std::uint32_t j) {
          if (bad || j >= plan_.racks || moved[j] != at_moved) return;
          const double deep = shared_depth(t, plan_.things[j]);
          if (deep > containment_play && deep > shared_depth(before, plan_.things[j]) + 0.5) bad = true;
        });
      };
      look(false), look(true);
      return bad;
    };
    std::size_t going = 0;
    bool low = false, high = false, low_stays = false, high_stays = false; // sides of it along the move
    for (const std::uint32_t j : racks) {
      const PlanThing& rack = plan_.things[j];
      const double at = dx != 0 ? rack.center_x - before.center_x : rack.center_y - before.center_y;
      going += moved[j];
      (at < 0 ? (moved[j] ? low : low_stays) : (moved[j] ? high : high_stays)) = true;
    }
    if (going > 0) {
      PlanThing whole = before;
      shift(whole, dx, dy);
      const bool all_go = going == racks.size();
      if (all_go && !c.locked && !crosses(whole)) {
        out.push_back({c.id, whole.box, true});
        continue;
      }
      // Across the aisle: the side of the racks that go follows them when all of them go.
      const bool one_side = (low && !low_stays && !high) || (high && !high_stays && !low);
      if (one_side && before.square_on && !c.locked && (dx == 0 || dy == 0)) {
        PlanBox box = before.box;
        (dx != 0 ? (low ? box.x0 : box.x1) : (low ? box.y0 : box.y1)) += dx + dy;
        if (box.x1 - box.x0 >= least_containment && box.y1 - box.y0 >= least_containment &&
            !crosses(boxed(before, box))) {
          out.push_back({c.id, box, false});
          continue;
        }
      }
    }
    if (crosses(before)) return std::nullopt;
  }
  return out;
}

std::optional<Remedy> Rearranging::cut_back(const Containment& containment) const {
  PlanThing t = thing_of(containment);
  if (!t.square_on || t.hall < 0 || containment.locked) return std::nullopt;
  for (const std::uint32_t j : beside(t)) {
    if (shared_depth(t, plan_.things[j]) <= containment_play) continue;
    const PlanBox &r = plan_.things[j].box, b = t.box;
    // The cut that leaves most of it.
    const PlanBox cuts[] = {
        {r.x1, b.y0, b.x1, b.y1}, {b.x0, b.y0, r.x0, b.y1}, {b.x0, r.y1, b.x1, b.y1}, {b.x0, b.y0, b.x1, r.y0}};
    const auto area = [](const PlanBox& q) { return std::max(0.0, q.x1 - q.x0) * std::max(0.0, q.y1 - q.y0); };
    t = boxed(t, *std::max_element(std::begin(cuts), std::end(cuts),
                                   [&](const PlanBox& p, const PlanBox& q) { return area(p) < area(q); }));
    if (t.box.x1 - t.box.x0 < least_containment || t.box.y1 - t.box.y0 < least_containment) return std::nullopt;
  }
  const std::string name = entity_name(context_.design, {"containments", containment.id});
  return Remedy{Edit{fmt::format("Cut {} back to {:.0f} x {:.0f} mm, clear of racks", name, t.box.x1 - t.box.x0,
                                 t.box.y1 - t.box.y0),
                     [id = containment.id, box = t.box](const Design& d) -> Edited {
                       return with_table(d, &Design::containments, [&](std::vector<Containment>& all, Id&) {
                         for (Containment& c : all)
                           if (c.id == id) put_into(c, box);
                       });
                     }},
                {},
                {}};
}

std::vector<std::uint32_t> Rearranging::and_beyond(std::uint32_t thing, double dx, double dy) const {
  const PlanThing& t = plan_.things[thing];
  auto start = [&](const PlanBox& b) { return dx > 0 ? b.x0 : dx < 0 ? -b.x1 : dy > 0 ? b.y0 : -b.y1; };
  const double line = start(t.box);
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < plan_.first_structure; ++i)
    if (plan_.things[i].hall == t.hall && start(plan_.things[i].box) >= line - 400 && plan_.bottom[i] == 0)
      out.push_back(i);
  return out;
}

const std::vector<Rearranging::Above>& Rearranging::above() const {
  if (above_) return *above_;
  above_.emplace();
  for (Hanging& h : hanging_things(inputs_, plan_))
    if (h.kind != HangingKind::containment) above_->push_back({std::move(h), {}, {}});
  std::vector<PlanThing> parts;
  std::vector<std::size_t> of;
  for (std::size_t k = 0; k < above_->size(); ++k) {
    Above& a = (*above_)[k];
    for (const PlanThing& part : a.hanging.parts) {
      parts.push_back(part), of.push_back(k);
      grid_.near(part.hall, part.box, [&](std::uint32_t j) {
        if (j < plan_.racks && share_floor(part, plan_.things[j])) a.racks.push_back(j);
      });
    }
    std::sort(a.racks.begin(), a.racks.end());
    a.racks.erase(std::unique(a.racks.begin(), a.racks.end()), a.racks.end());
  }
  for (const auto& [p, q] : PlanGrid(parts).sharing())
    if (of[p] != of[q] && joined_where_they_meet((*above_)[of[p]].hanging, (*above_)[of[q]].hanging))
      (*above_)[of[p]].joined.push_back(of[q]), (*above_)[of[q]].joined.push_back(of[p]);
  return *above_;
}

Rearranging::AboveAfter Rearranging::above_after(const std::vector<std::uint32_t>& what, double dx, double dy) const {
  AboveAfter out;
  const auto& all = above();
  if (all.empty()) return out;
  std::vector<bool> moved(plan_.things.size(), false);
  for (const std::uint32_t i : what)
    moved[i] = true;
  std::vector<char> touched(all.size(), 0), goes(all.size(), 0);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Above& a = all[k];
    const auto going = static_cast<std::size_t>(
        std::count_if(a.racks.begin(), a.racks.end(), [&](std::uint32_t j) { return moved[j]; }));
    if (going == 0) continue;
    touched[k] = 1;
    if (going < a.racks.size() || a.hanging.locked) continue;
    const auto& outline = (*context_.design.halls)[static_cast<std::size_t>(a.hanging.hall)].outline;
    goes[k] = std::all_of(a.hanging.parts.begin(), a.hanging.parts.end(), [&](PlanThing part) {
      shift(part, dx, dy);
      return inside_outline(part, outline);
    });
  }
  // What would be torn from something that stays, stays too.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (goes[k] && std::any_of(all[k].joined.begin(), all[k].joined.end(), [&](std::size_t j) { return !goes[j]; }))
        goes[k] = 0, changed = true;
  }
  std::vector<std::uint32_t> with_busways = what;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (goes[k] && all[k].hanging.kind == HangingKind::busway) with_busways.push_back(all[k].hanging.thing);
  if (with_busways.size() > what.size() && !room_for(with_busways, dx, dy))
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].hanging.kind == HangingKind::busway) goes[k] = 0;
  std::vector<std::string> go, stay;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (goes[k])
      go.push_back(all[k].hanging.name), out.going.push_back(all[k].hanging.ref);
    else if (touched[k])
      stay.push_back(all[k].hanging.name);
  const auto list = [](const std::vector<std::string>& names) {
    return names.size() == 1   ? names[0]
           : names.size() == 2 ? names[0] + " and " + names[1]
                               : fmt::format("{}, {} and {} more above", names[0], names[1], names.size() - 2);
  };
  if (!go.empty()) out.words += fmt::format(", {} with it", list(go));
  if (!stay.empty()) out.words += fmt::format("; {} {}", list(stay), stay.size() == 1 ? "stays" : "stay");
  return out;
}

std::optional<Remedy> Rearranging::move(const std::string& label, const std::vector<std::uint32_t>& what, double dx,
                                        double dy) const {
  if (!room_for(what, dx, dy)) return std::nullopt;
  const auto containments = containments_after(what, dx, dy);
  if (!containments) return std::nullopt;
  std::vector<EntityRef> refs;
  refs.reserve(what.size());
  for (const std::uint32_t i : what)
    refs.push_back(plan_.ref(i, *context_.design.racks));
  std::vector<Fitted> fitted;
  for (const Fitted& f : *containments)
    if (f.whole)
      refs.push_back({"containments", f.id});
    else
      fitted.push_back(f);
  const std::size_t n = containments->size();
  const AboveAfter hanging = above_after(what, dx, dy);
  refs.insert(refs.end(), hanging.going.begin(), hanging.going.end());
  std::string with = n == 0 ? "" : n == 1 ? ", containment with it" : fmt::format(", {} containments with it", n);
  with += hanging.words;
  return Remedy{Edit{fmt::format("{} by {:.0f} mm{}", label, std::abs(dx) + std::abs(dy), with),
                     [refs, fitted, dx, dy](const Design& d) -> Edited {
                       Edited moved = move_by(d, refs, millimeters(dx), millimeters(dy));
                       if (!moved || fitted.empty()) return moved;
                       return with_table(*moved, &Design::containments, [&](std::vector<Containment>& all, Id&) {
                         for (Containment& c : all)
                           for (const Fitted& f : fitted)
                             if (f.id == c.id) put_into(c, f.box);
                       });
                     }},
                {},
                {},
                true};
}

std::optional<Remedy> Rearranging::move_out_of(std::uint32_t thing, const PlanBox& box) const {
  const PlanBox& t = plan_.things[thing].box;
  std::vector<std::pair<double, double>> ways{
      {box.x1 - t.x0, 0}, {box.x0 - t.x1, 0}, {0, box.y1 - t.y0}, {0, box.y0 - t.y1}};
  std::stable_sort(ways.begin(), ways.end(), [](const auto& a, const auto& b) {
    return std::abs(a.first + a.second) < std::abs(b.first + b.second);
  });
  for (auto [dx, dy] : ways) {
    // Whole millimetres, outwards.
    dx = dx < 0 ? std::floor(dx) : std::ceil(dx);
    dy = dy < 0 ? std::floor(dy) : std::ceil(dy);
    if (auto remedy = move(fmt::format("Move {} {}", plan_.name(thing, *context_.design.racks),
                                       dx > 0   ? "right"
                                       : dx < 0 ? "left"
                                       : dy > 0 ? "down"
                                                : "up"),
                           {thing}, dx, dy))
      return remedy;
  }
  return std::nullopt;
}

std::vector<Remedy> Rearranging::more_room(std::uint32_t thing, double dx, double dy, double by) const {
  std::vector<Remedy> out;
  if (std::abs(dx) + std::abs(dy) > 1.0001 || by <= 0 || context_.stop.stop_requested()) return out;
  by = std::ceil(by - 1e-6);
  const auto& racks = *context_.design.racks;
  const Face face = outlook_.look(thing, dx, dy);
  if (face.other < plan_.first_structure) {
    const std::string other = plan_.name(face.other, racks);
    const auto beyond = and_beyond(face.other, dx, dy);
    if (auto remedy = move(fmt::format("Move {} away", other), {face.other}, dx * by, dy * by);
        remedy && beyond.size() == 1)
      out.push_back(*std::move(remedy));
    if (beyond.size() > 1)
      if (auto remedy = move(fmt::format("Move {} and what stands beyond ({} things) away", other, beyond.size() - 1),
                             beyond, dx * by, dy * by))
        out.push_back(*std::move(remedy));
  }
  const auto behind = and_beyond(thing, -dx, -dy);
  if (auto remedy = move(behind.size() > 1 ? fmt::format("Move {} and what stands beside and behind ({} things) back",
                                                         plan_.name(thing, racks), behind.size() - 1)
                                           : fmt::format("Move {} back", plan_.name(thing, racks)),
                         behind, -dx * by, -dy * by))
    out.push_back(*std::move(remedy));
  // Fewer things first; half of the hall is not moved where a few things do.
  if (out.size() == 2) {
    const std::size_t away = face.other < plan_.first_structure ? and_beyond(face.other, dx, dy).size() : 0;
    if (behind.size() < away) std::swap(out[0], out[1]);
    constexpr std::size_t few = 20;
    if (std::min(behind.size(), away) <= few && std::max(behind.size(), away) > 5 * few) out.pop_back();
  }
  return out;
}

Remedy Rearranging::turn_round(const std::string& label, const std::vector<Id>& racks) const {
  return Remedy{Edit{label,
                     [racks](const Design& d) -> Edited {
                       for (const Id id : racks) {
                         const Rack* rack = find(*d.racks, id);
                         if (!rack) return tl::make_unexpected("A rack that should be turned does not exist any more");
                         if (rack->locked) return tl::make_unexpected(rack->name + " is locked; unlock it to turn it");
                       }
                       return with_table(d, &Design::racks, [&](std::vector<Rack>& all, Id&) {
                         for (Rack& r : all)
                           if (std::find(racks.begin(), racks.end(), r.id) != racks.end()) {
                             const double turned = std::fmod(in_degrees(r.rotation) + 180.0, 360.0);
                             r.rotation = degrees(turned);
                           }
                       });
                     }},
                {},
                {},
                true};
}

std::optional<Remedy> raise_to(const CheckContext& context, const EntityRef& what, double lower_edge) {
  const Design& d = context.design;
  Id hall = 0;
  double above = 0, height = 0; // of the field over the lower edge; of the whole thing
  std::vector<PlanThing> parts;
  bool locked = false;
  if (const Tray* t = what.table == "trays" ? find(*d.trays, what.id) : nullptr) {
    hall = t->hall, height = in_meters(t->height), locked = t->locked;
    parts = run_stretches(t->path, in_millimeters(t->width), 0);
  } else if (const Pipe* p = what.table == "pipes" ? find(*d.pipes, what.id) : nullptr) {
    hall = p->hall, above = in_meters(p->diameter) / 2, height = in_meters(p->diameter), locked = p->locked;
    parts = run_stretches(p->path, in_millimeters(p->diameter), 0);
  } else if (const PowerUnit* u = what.table == "power_units" ? find(*d.power_units, what.id) : nullptr) {
    const PowerPart* part = context.catalog.find<PowerPart>(u->part);
    const Footprint f = power_unit_footprint(context.catalog, *u);
    hall = u->hall, locked = u->locked;
    height = part && part->height ? in_meters(*part->height) : unknown_busway_height * 1e-3;
    parts = {plan_thing(u->x, u->y, f.width, f.depth, u->rotation)};
  }
  const Hall* in = find(*d.halls, hall);
  if (!in || locked) return std::nullopt;
  double ceiling = in_meters(in->ceiling_height);
  for (const Zone& z : *d.zones)
    if (z.hall == hall && z.ceiling_height && z.outline.size() >= 3 &&
        std::any_of(parts.begin(), parts.end(), [&](const PlanThing& t) {
          return point_in_outline(t.center_x, t.center_y, z.outline) || edge_runs_through(t, z.outline, 1);
        }))
      ceiling = std::min(ceiling, in_meters(*z.ceiling_height));
  const double level = std::ceil((lower_edge + above) * 1e3 - 1e-6);
  if (level * 1e-3 - above + height > ceiling + 1e-9) return std::nullopt;
  return Remedy{
      Edit{fmt::format("Raise {} to {:.0f} mm", entity_name(d, what), level),
           [what, level = level * 1e-3](const Design& of) { return set_field(of, what, "elevation", level); }},
      {},
      {},
      true};
}

} // namespace hallwright
