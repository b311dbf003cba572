// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/rack_slots.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace hallwright {
namespace {

constexpr Length eia_unit = millimeters(44.45), open_rack_unit = millimeters(48.0);

/// Whole half units that a height of `units` takes; 1e-9 of a half unit is rounding.
std::optional<Count> whole_half_units(double units) {
  if (!(units > 0.0) || units > 1000.0) return std::nullopt;
  return static_cast<Count>(std::ceil(2.0 * units - 1e-9));
}

template <class P>
RackPartSize size_of(const P& part) {
  RackPartSize out;
  out.found = true;
  out.name = part.name;
  std::optional<double> units;
  if constexpr (requires { part.rack_units; }) units = part.rack_units;
  if constexpr (requires { part.height; }) {
    if (!units && part.height) units = *part.height / eia_unit;
  }
  if (units) out.half_units = whole_half_units(*units);
  if constexpr (requires { part.width; }) out.width = part.width;
  if constexpr (requires { part.depth; }) out.depth = part.depth;
  return out;
}

template <class P>
bool look_in(const Catalog& catalog, std::string_view id, RackPartSize& out) {
  const P* part = catalog.find<P>(id);
  if (part) out = size_of(*part);
  return part != nullptr;
}

/// A slot whose height is not known surely takes its lowest half unit only, and only the lowest of a stack surely
/// stands where it is drawn.
std::pair<Count, Count> sure_extent(const RackSlot& s) {
  if (s.height_known) return {s.lowest_half_unit, s.highest_half_unit()};
  if (s.nth == 0) return {s.lowest_half_unit, s.lowest_half_unit};
  return {0, -1};
}

/// Which half units of the cabinet one face has taken; index 0 is half unit 1.
std::vector<bool> taken(const RackSlots& places, Count cabinet, bool front, bool rear) {
  std::vector<bool> out(static_cast<std::size_t>(cabinet), false);
  for (const RackSlot& s : places.places) {
    if (s.zero_u() || !((front && s.front()) || (rear && s.rear()))) continue;
    const Count last = std::min(s.highest_half_unit(), cabinet);
    for (Count h = std::max<Count>(1, s.lowest_half_unit); h <= last; ++h)
      out[static_cast<std::size_t>(h - 1)] = true;
  }
  return out;
}

} // namespace

RackPartSize rack_part_size(const Catalog& catalog, RackItemKind kind, std::string_view part) {
  RackPartSize out;
  bool found = false;
  switch (kind) {
  case RackItemKind::node:
    found = look_in<NodePart>(catalog, part, out);
    break;
  case RackItemKind::network_switch:
    found = look_in<SwitchPart>(catalog, part, out);
    break;
  case RackItemKind::storage:
    found = look_in<StoragePart>(catalog, part, out);
    break;
  case RackItemKind::other:
    found = look_in<StoragePart>(catalog, part, out) || look_in<SwitchPart>(catalog, part, out) ||
            look_in<NodePart>(catalog, part, out) || look_in<PowerPart>(catalog, part, out) ||
            look_in<CoolingPart>(catalog, part, out);
    break;
  }
  if (!found) out.name = part.empty() ? "a part that is not named" : std::string(part);
  return out;
}

Length rack_unit_pitch(const RackPart* cabinet) {
  const bool open_rack = cabinet && (cabinet->kind.rfind("ORv", 0) == 0 || cabinet->kind.rfind("ORW", 0) == 0);
  return open_rack ? open_rack_unit : eia_unit;
}

std::optional<Count> cabinet_half_units(const Catalog& catalog, const RackType& type) {
  const RackPart* part = catalog.find<RackPart>(type.rack_part);
  if (!part || !part->rack_units || !(*part->rack_units > 0.0) || *part->rack_units > 200.0) return std::nullopt;
  return static_cast<Count>(std::floor(2.0 * *part->rack_units + 1e-9));
}

Count RackSlots::height() const {
  if (cabinet) return *cabinet;
  Count out = stand_in_half_units;
  for (const RackSlot& s : places)
    if (!s.zero_u()) out = std::max(out, s.highest_half_unit());
  return out;
}

std::optional<Count> RackSlots::free_half_units(bool front) const {
  if (!cabinet) return std::nullopt;
  const std::vector<bool> face = taken(*this, *cabinet, front, !front);
  return static_cast<Count>(std::count(face.begin(), face.end(), false));
}

std::pair<Count, Count> RackSlots::largest_gap() const {
  const std::vector<bool> both = taken(*this, height(), true, true);
  Count best_at = 1, best = 0, run = 0;
  for (std::size_t i = 0; i < both.size(); ++i) {
    run = both[i] ? 0 : run + 1;
    if (run > best) best = run, best_at = static_cast<Count>(i) + 2 - run;
  }
  return {best_at, best};
}

RackSlots rack_slots(const Catalog& catalog, const RackType& type, const std::vector<RackItem>& items) {
  RackSlots out;
  out.rack_type = type.id;
  out.cabinet = cabinet_half_units(catalog, type);
  for (const RackItem& item : items) {
    if (item.rack_type != type.id) continue;
    const RackPartSize size = rack_part_size(catalog, item.kind, item.part);
    RackSlot slot;
    slot.item = item.id;
    slot.mount = item.mount;
    slot.height_known = size.half_units.has_value();
    slot.half_units = slot.zero_u() ? 0 : size.half_units.value_or(2);
    slot.lowest_half_unit = item.lowest_half_unit;
    for (slot.nth = 0; slot.nth < item.count; ++slot.nth) {
      slot.overflows = !slot.zero_u() && out.cabinet && sure_extent(slot).second > *out.cabinet;
      out.places.push_back(slot);
      slot.lowest_half_unit += slot.half_units;
    }
  }
  // From below: whoever begins before another one ends shares a half unit with it.
  std::vector<std::size_t> order(out.places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return out.places[a].lowest_half_unit < out.places[b].lowest_half_unit;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    RackSlot& a = out.places[order[i]];
    if (a.zero_u()) continue;
    const auto [low, high] = sure_extent(a);
    for (std::size_t j = i + 1; j < order.size() && out.places[order[j]].lowest_half_unit <= high; ++j) {
      RackSlot& b = out.places[order[j]];
      if (b.zero_u() || sure_extent(b).second < low || !((a.front() && b.front()) || (a.rear() && b.rear()))) continue;
      a.overlaps = b.overlaps = true;
      out.overlaps.emplace_back(std::min(order[i], order[j]), std::max(order[i], order[j]));
    }
  }
  std::sort(out.overlaps.begin(), out.overlaps.end());
  return out;
}

std::string half_unit_text(Count half_unit) {
  const Count unit = (half_unit + 1) / 2;
  return half_unit % 2 != 0 ? fmt::format("U{}", unit) : fmt::format("the upper half of U{}", unit);
}

std::string half_unit_range(Count lowest, Count half_units) {
  const auto edge = [](Count half) { return fmt::format("U{}{}", (half + 1) / 2, half % 2 == 0 ? ".5" : ""); };
  const Count highest = lowest + half_units - 1;
  const Count first = (lowest + 1) / 2, last = (highest + 1) / 2;
  if (half_units <= 1 || first == last) return edge(lowest);
  return fmt::format("{} to U{}", edge(lowest), last);
}

} // namespace hallwright
