// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/rearranging.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hallwright {
namespace {

SpaceInputs inputs_of(const CheckContext& context) {
  const Design& d = context.design;
  const Shared<Catalog> catalog(Shared<Catalog>{}, &context.catalog); // outlives this: not owned
  return {d.site,          d.halls, d.structures, d.rack_types,   d.rack_items, d.racks, d.power_units,
          d.cooling_units, catalog, d.zones,      d.containments, d.trays,      d.pipes};
}

} // namespace

Rearranging::Rearranging(const CheckContext& context)
    : context_(context), inputs_(inputs_of(context)), plan_(floor_plan(inputs_)), grid_(plan_.things),
      outlook_(plan_, grid_, *context.design.halls) {}

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
  std::vector<bool> moved(plan_.things.size(), false);
  for (const std::uint32_t i : what)
    moved[i] = true;
  for (const std::uint32_t i : what) {
    if (!movable(i)) return false;
    PlanThing t = plan_.things[i];
    if (t.hall < 0) return false;
    t.center_x += dx, t.center_y += dy;
    t.box.x0 += dx, t.box.x1 += dx, t.box.y0 += dy, t.box.y1 += dy;
    if (!inside_outline(t, (*context_.design.halls)[static_cast<std::size_t>(t.hall)].outline)) return false;
    bool taken = false;
    grid_.near(t.hall, t.box, [&](std::uint32_t j) {
      if (taken || moved[j] || plan_.is_structure(j, StructureKind::spreader) || plan_.bottom[j] >= plan_.top[i] ||
          plan_.bottom[i] >= plan_.top[j])
        return;
      // What stood in one place before is another finding.
      if (share_floor(t, plan_.things[j]) && !share_floor(plan_.things[i], plan_.things[j])) taken = true;
    });
    if (taken) return false;
  }
  return !what.empty();
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

std::optional<Remedy> Rearranging::move(const std::string& label, const std::vector<std::uint32_t>& what, double dx,
                                        double dy) const {
  if (!room_for(what, dx, dy)) return std::nullopt;
  std::vector<EntityRef> refs;
  refs.reserve(what.size());
  for (const std::uint32_t i : what)
    refs.push_back(plan_.ref(i, *context_.design.racks));
  return Remedy{Edit{fmt::format("{} by {:.0f} mm", label, std::abs(dx) + std::abs(dy)),
                     [refs, dx, dy](const Design& d) { return move_by(d, refs, millimeters(dx), millimeters(dy)); }},
                {},
                {}};
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
  if (std::abs(dx) + std::abs(dy) > 1.0001 || by <= 0) return out;
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
                {}};
}

} // namespace hallwright
