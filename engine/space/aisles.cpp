// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/aisles.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ledger/ledger.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr double aisle_search = 3000.0; // mm: beyond this a rack faces open floor
constexpr std::string_view aisle_words[] = {"cold: front to front", "hot: rear to rear", "front to rear",
                                            "front to another thing", "rear to another thing"};

} // namespace

Aisles aisles_of(const FloorPlan& plan, const PlanGrid& grid, const std::vector<Rack>& racks, const std::stop_token& stop) {
  Aisles out;
  Aisles::iterator last_front = out.end(), last_rear = out.end();
  for (std::uint32_t i = 0; i < plan.racks; ++i) {
    if (stop.stop_requested()) break;
    const PlanThing& t = plan.things[i];
    if (!t.square_on || t.hall < 0) continue;
    for (const bool front : {true, false}) {
      const double dx = front ? t.front_x : -t.front_x, dy = front ? t.front_y : -t.front_y;
      PlanBox strip = t.box;
      if (dx > 0) strip = {t.box.x1, t.box.y0, t.box.x1 + aisle_search, t.box.y1};
      if (dx < 0) strip = {t.box.x0 - aisle_search, t.box.y0, t.box.x0, t.box.y1};
      if (dy > 0) strip = {t.box.x0, t.box.y1, t.box.x1, t.box.y1 + aisle_search};
      if (dy < 0) strip = {t.box.x0, t.box.y0 - aisle_search, t.box.x1, t.box.y0};
      // A neighbour that touches the side of the strip does not stand in it.
      constexpr double margin = 1.0;
      if (dx != 0) strip.y0 += margin, strip.y1 -= margin;
      else strip.x0 += margin, strip.x1 -= margin;
      double nearest = aisle_search;
      std::uint32_t other = 0;
      bool found = false;
      grid.near(t.hall, strip, [&](std::uint32_t j) {
        if (j == i || !plan.blocks_aisle[j]) return;
        const PlanBox& b = plan.things[j].box;
        const bool in_strip = dx != 0 ? b.y0 < strip.y1 && b.y1 > strip.y0 : b.x0 < strip.x1 && b.x1 > strip.x0;
        if (!in_strip) return;
        const double gap = dx > 0 ? b.x0 - t.box.x1 : dx < 0 ? t.box.x0 - b.x1 : dy > 0 ? b.y0 - t.box.y1 : t.box.y0 - b.y1;
        if (gap < -1.0) return; // behind the face, or sharing floor, which is told elsewhere
        if (gap < nearest || (found && gap == nearest && j < other)) nearest = gap, other = j, found = true;
      });
      if (!found) continue;
      AisleKind kind = front ? AisleKind::cold_to_obstacle : AisleKind::hot_to_obstacle;
      Id row = racks[i].row, other_row = 0;
      if (other < plan.racks) {
        const PlanThing& o = plan.things[other];
        const double facing = o.front_x * dx + o.front_y * dy; // -1: its front looks at us; 1: its rear; else a side
        if (o.square_on && std::abs(facing) > 0.5) {
          const bool its_front = facing < 0;
          kind = front && its_front ? AisleKind::cold : !front && !its_front ? AisleKind::hot : AisleKind::mixed;
        }
        other_row = racks[other].row;
      } else {
        other_row = plan.refs[other - plan.racks].id;
      }
      if (other < plan.racks && other_row < row) std::swap(row, other_row);
      const AisleKey key{t.hall, kind, row, other_row};
      auto& last = front ? last_front : last_rear; // neighbours mostly look into one aisle
      if (last == out.end() || last->first != key) last = out.try_emplace(key, Aisle{aisle_search + 1, 0, i, other}).first;
      Aisle& aisle = last->second;
      ++aisle.racks;
      if (nearest < aisle.clear) aisle.clear = std::max(0.0, nearest), aisle.rack = i, aisle.other = other;
    }
  }
  return out;
}

Table aisle_table(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const Aisles& aisles, SpaceResult& out) {
  const auto& racks = *in.racks;
  const auto& halls = *in.halls;
  Table table;
  table.id = "space.aisles";
  table.title = "Aisles";
  table.entity_table = "racks";
  struct AisleLimit {
    const Aisle* aisle = nullptr;
    const Hall* hall = nullptr;
    bool cold = true;
  } narrowest;
  {
    std::vector<std::string> hall_names, kinds, places, others;
    std::vector<double> clear, minimum, faces, hall_ids;
    for (const auto& [key, aisle] : aisles) {
      const Hall& hall = halls[static_cast<std::size_t>(std::get<0>(key))];
      const AisleKind k = std::get<1>(key);
      hall_names.push_back(hall.name);
      kinds.emplace_back(aisle_words[static_cast<std::size_t>(k)]);
      places.push_back(plan.name(aisle.rack, racks));
      others.push_back(plan.name(aisle.other, racks));
      clear.push_back(aisle.clear * 1e-3);
      minimum.push_back(in_meters(needs_cold_width(k) ? hall.cold_aisle_minimum : hall.hot_aisle_minimum));
      faces.push_back(static_cast<double>(aisle.racks));
      table.entities.push_back(racks[aisle.rack].id);
      if (!narrowest.aisle || aisle.clear < narrowest.aisle->clear) narrowest = {&aisle, &hall, needs_cold_width(k)};
    }
    table.add_words("hall", "Hall").words = std::move(hall_names);
    table.add_words("kind", "Aisle").words = std::move(kinds);
    table.add_words("at", "Narrowest at rack").words = std::move(places);
    table.add_words("opposite", "Opposite").words = std::move(others);
    auto& clear_column = table.add_numbers("clear", "Clear width", kind::length, "mm");
    clear_column.numbers = std::move(clear);
    clear_column.formula = "gap between facing sides, straight ahead of a rack, up to 3 m";
    table.add_numbers("minimum", "Minimum", kind::length, "mm").numbers = std::move(minimum);
    table.add_numbers("faces", "Rack faces", kind::count).numbers = std::move(faces);
  }
  if (narrowest.aisle) {
    out.narrowest_aisle = ledger.measured<Length>(
        "space.narrowest_aisle", "Narrowest aisle", millimeters(narrowest.aisle->clear),
        fmt::format("clear width between {} and {} in the drawing", plan.name(narrowest.aisle->rack, racks), plan.name(narrowest.aisle->other, racks)));
    ledger.limit(out.narrowest_aisle,
                 narrowest.cold ? design_value<&Hall::cold_aisle_minimum>(ledger, "halls", *narrowest.hall, narrowest.hall->name)
                                : design_value<&Hall::hot_aisle_minimum>(ledger, "halls", *narrowest.hall, narrowest.hall->name),
                 LimitSense::at_least, 1.0);
  } else {
    out.narrowest_aisle = ledger.absent<Length>("space.narrowest_aisle", "Narrowest aisle", Completeness::not_applicable,
                                                racks.empty() ? "no racks are drawn" : "nothing stands within 3 m of a rack's front or rear");
  }
  return table;
}

} // namespace hallwright
