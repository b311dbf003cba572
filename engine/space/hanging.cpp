// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/hanging.h"

namespace hallwright {

std::vector<Hanging> hanging_things(const SpaceInputs& in, const FloorPlan& plan) {
  std::vector<Hanging> out;
  const auto hall_index = [&](Id id) {
    const Hall* hall = find(*in.halls, id);
    return hall ? static_cast<std::int32_t>(hall - in.halls->data()) : -1;
  };
  const auto start = [&](HangingKind kind, std::string_view table, std::string_view word, const auto& of) -> Hanging& {
    Hanging& h = out.emplace_back();
    h.kind = kind;
    h.ref = {std::string(table), of.id};
    h.name = of.name.empty() ? std::string(word) + " " + std::to_string(of.id) : of.name;
    h.hall = hall_index(of.hall);
    h.locked = of.locked;
    return h;
  };
  for (const Tray& t : rows_of(in.trays)) {
    Hanging& h = start(HangingKind::tray, "trays", "tray", t);
    h.bottom = in_millimeters(t.elevation);
    h.top = h.bottom + in_millimeters(t.height);
    h.power = t.kind == TrayKind::power;
    h.parts = run_stretches(t.path, in_millimeters(t.width), h.hall);
  }
  for (const Pipe& p : rows_of(in.pipes)) {
    Hanging& h = start(HangingKind::pipe, "pipes", "pipe", p);
    const double radius = in_millimeters(p.diameter) / 2;
    h.bottom = in_millimeters(p.elevation) - radius;
    h.top = h.bottom + 2 * radius;
    h.side = p.side;
    h.loop = p.loop;
    h.parts = run_stretches(p.path, 2 * radius, h.hall);
  }
  for (std::size_t i = plan.racks; i < plan.first_structure; ++i) {
    const PowerUnit* unit = plan.sources[i - plan.racks].power;
    if (!unit || !unit->elevation) continue;
    Hanging& h = start(HangingKind::busway, "power_units", "busway", *unit);
    h.bottom = plan.bottom[i];
    h.top = plan.top[i];
    const PowerPart* part = in.catalog->find<PowerPart>(unit->part);
    h.known = part && part->height;
    h.thing = static_cast<std::uint32_t>(i);
    h.parts = {plan.things[i]};
  }
  for (const Containment& c : rows_of(in.containments)) {
    if (c.kind == ContainmentKind::chimney) continue; // a duct above one rack
    Hanging& h = start(HangingKind::containment, "containments", "containment", c);
    h.top = in_millimeters(c.height);
    h.bottom = h.top; // its roof; doors at its ends let loads in
    h.parts = {plan_thing(c.x, c.y, c.width, c.depth, c.rotation)};
    h.parts[0].hall = h.hall;
  }
  std::erase_if(out, [](const Hanging& h) { return h.hall < 0 || h.parts.empty(); });
  return out;
}

bool joined_where_they_meet(const Hanging& a, const Hanging& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == HangingKind::tray) return a.power == b.power;
  if (a.kind == HangingKind::pipe) return a.side == b.side && (a.loop == b.loop || a.loop == 0 || b.loop == 0);
  return false;
}

} // namespace hallwright
