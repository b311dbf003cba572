// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/aisles.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "ledger/ledger.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr std::string_view aisle_words[] = {"cold: front to front",   "hot: rear to rear",     "front to rear",
                                            "front to another thing", "rear to another thing", "front to a wall"};
constexpr double margin = 1.0; // mm: a neighbour that touches the side of the strip does not stand in it

/// The strip that somebody sees who looks along (dx, dy) from the middle of a thing.
struct Strip {
  double x, y, dx, dy, half_across;
  [[nodiscard]] double across(double px, double py) const { return -(px - x) * dy + (py - y) * dx; }
  [[nodiscard]] double ahead(double px, double py) const { return (px - x) * dx + (py - y) * dy; }
  /// How far ahead a line begins within the strip; nothing where it lies beside.
  [[nodiscard]] std::optional<double> start_of_line(double x0, double y0, double x1, double y1) const {
    double u0 = across(x0, y0), u1 = across(x1, y1), v0 = ahead(x0, y0), v1 = ahead(x1, y1);
    if (u0 > u1) std::swap(u0, u1), std::swap(v0, v1);
    if (u1 <= -half_across || u0 >= half_across) return std::nullopt;
    auto at = [&](double u) { return u1 - u0 < 1e-9 ? std::min(v0, v1) : v0 + (v1 - v0) * (u - u0) / (u1 - u0); };
    return std::min(at(std::max(u0, -half_across)), at(std::min(u1, half_across)));
  }
};

/// How far ahead a turned thing begins within the strip: along its sides, and between them at the strip's edges.
std::optional<double> start_of_thing(const Strip& strip, const PlanThing& t) {
  double px[4], py[4];
  for (int k = 0; k < 4; ++k) {
    const double a = (k == 0 || k == 3 ? -1 : 1) * t.half_width, b = (k < 2 ? -1 : 1) * t.half_depth;
    px[k] = t.center_x + t.axis_x * a - t.axis_y * b;
    py[k] = t.center_y + t.axis_y * a + t.axis_x * b;
  }
  std::optional<double> out;
  for (int k = 0; k < 4; ++k)
    if (auto v = strip.start_of_line(px[k], py[k], px[(k + 1) % 4], py[(k + 1) % 4]); v && (!out || *v < *out)) out = v;
  return out;
}

} // namespace

Outlook::Outlook(const FloorPlan& plan, const PlanGrid& grid, const std::vector<Hall>& halls)
    : plan_(plan), grid_(grid) {
  for (const Hall& hall : halls) {
    Walls w;
    w.outline = &hall.outline;
    const auto& o = hall.outline;
    if (o.size() == 4) {
      w.upright = true;
      for (std::size_t i = 0, j = 3; i < 4; j = i++)
        if (std::abs(o[i].x_mm - o[j].x_mm) > 1e-6 && std::abs(o[i].y_mm - o[j].y_mm) > 1e-6) w.upright = false;
      w.box = {o[0].x_mm, o[0].y_mm, o[0].x_mm, o[0].y_mm};
      for (const PlanPoint& p : o) {
        w.box.x0 = std::min(w.box.x0, p.x_mm), w.box.x1 = std::max(w.box.x1, p.x_mm);
        w.box.y0 = std::min(w.box.y0, p.y_mm), w.box.y1 = std::max(w.box.y1, p.y_mm);
      }
    }
    walls_.push_back(w);
  }
}

Face Outlook::look(std::uint32_t i, double dx, double dy, double half_across, double aside) const {
  const PlanThing& t = plan_.things[i];
  Face face;
  if (t.hall < 0) return face;
  const double along_axis = std::abs(t.axis_x * dx + t.axis_y * dy);
  const bool straight = t.square_on && (dx == 0 || dy == 0);
  const double deep =
      along_axis * t.half_width + (1 - along_axis) * t.half_depth; // the directions are those of the sides
  if (half_across < 0) half_across = (1 - along_axis) * t.half_width + along_axis * t.half_depth;
  half_across = std::max(1.0, half_across - margin);
  auto nearer = [&](double gap, std::uint32_t who) {
    if (gap < -margin) return;                         // behind the face, or sharing floor, which is told elsewhere
    gap = std::round(std::max(0.0, gap) * 1e3) * 1e-3; // positions carry dust
    constexpr double same = 1e-6;
    const bool nearest =
        gap < face.clear - same || (gap < face.clear + same && face.other < Face::wall && who < face.other);
    if (nearest) face = {gap, who};
  };
  const double middle_x = t.center_x - dy * aside, middle_y = t.center_y + dx * aside;
  const Strip strip{middle_x, middle_y, dx, dy, half_across};
  if (straight) {
    // In steps: what stands nearer than the strip that was looked at hides the rest.
    constexpr double step = 1500;
    static_assert(open_floor == 2 * step);
    for (double from = 0; from < open_floor && face.clear > from; from += step) {
      PlanBox box{middle_x, middle_y, middle_x, middle_y};
      const double low = deep + from, high = low + step;
      if (dx != 0) {
        box.y0 -= half_across, box.y1 += half_across;
        box.x0 += dx > 0 ? low : -high, box.x1 += dx > 0 ? high : -low;
      } else {
        box.x0 -= half_across, box.x1 += half_across;
        box.y0 += dy > 0 ? low : -high, box.y1 += dy > 0 ? high : -low;
      }
      grid_.near(t.hall, box, [&](std::uint32_t j) {
        if (j == i || !plan_.blocks_aisle[j]) return;
        const PlanThing& o = plan_.things[j];
        if (!o.square_on) {
          if (auto v = start_of_thing(strip, o)) nearer(*v - deep, j);
          return;
        }
        const PlanBox& b = o.box;
        if (dx != 0 ? b.y0 >= box.y1 || b.y1 <= box.y0 : b.x0 >= box.x1 || b.x1 <= box.x0) return;
        nearer(dx > 0 ? b.x0 - t.box.x1 : dx < 0 ? t.box.x0 - b.x1 : dy > 0 ? b.y0 - t.box.y1 : t.box.y0 - b.y1, j);
      });
    }
  } else {
    const double reach = deep + open_floor, ex = middle_x + dx * reach, ey = middle_y + dy * reach;
    const PlanBox box{std::min(middle_x, ex) - half_across, std::min(middle_y, ey) - half_across,
                      std::max(middle_x, ex) + half_across, std::max(middle_y, ey) + half_across};
    grid_.near(t.hall, box, [&](std::uint32_t j) {
      if (j == i || !plan_.blocks_aisle[j]) return;
      if (auto v = start_of_thing(strip, plan_.things[j])) nearer(*v - deep, j);
    });
  }
  const Walls& w = walls_[static_cast<std::size_t>(t.hall)];
  if (straight && w.upright) {
    nearer(dx > 0   ? w.box.x1 - t.box.x1
           : dx < 0 ? t.box.x0 - w.box.x0
           : dy > 0 ? w.box.y1 - t.box.y1
                    : t.box.y0 - w.box.y0,
           Face::wall);
  } else {
    const auto& o = *w.outline;
    for (std::size_t a = 0, b = o.size() - 1; a < o.size(); b = a++)
      if (auto v = strip.start_of_line(o[a].x_mm, o[a].y_mm, o[b].x_mm, o[b].y_mm)) nearer(*v - deep, Face::wall);
  }
  return face;
}

Face Outlook::look_within(std::uint32_t i, double dx, double dy, double least_width) const {
  const PlanThing& t = plan_.things[i];
  const double along_axis = std::abs(t.axis_x * dx + t.axis_y * dy);
  const double own = (1 - along_axis) * t.half_width + along_axis * t.half_depth,
               deep = along_axis * t.half_width + (1 - along_axis) * t.half_depth,
               half = std::max(own, least_width / 2);
  const double play = half - own;
  if (play < 1 || t.hall < 0) return look(i, dx, dy, half);
  // About its middle, to either side, and just past what stands there, as far as that leaves the thing's width within
  // the strip.
  std::vector<double> asides{0, -play, play};
  const auto offer = [&](double aside) {
    if (std::abs(aside) < play) asides.push_back(aside);
  };
  const double reach = deep + open_floor, ex = t.center_x + dx * reach, ey = t.center_y + dy * reach;
  grid_.near(t.hall,
             {std::min(t.center_x, ex) - 2 * half, std::min(t.center_y, ey) - 2 * half,
              std::max(t.center_x, ex) + 2 * half, std::max(t.center_y, ey) + 2 * half},
             [&](std::uint32_t j) {
               if (j == i || !plan_.blocks_aisle[j]) return;
               const PlanThing& o = plan_.things[j];
               const double at = -(o.center_x - t.center_x) * dy + (o.center_y - t.center_y) * dx,
                            side = o.half_width * std::abs(-o.axis_x * dy + o.axis_y * dx) +
                                   o.half_depth * std::abs(o.axis_y * dy + o.axis_x * dx);
               offer(at - side - half), offer(at + side + half);
             });
  // The strip goes through no wall beside the thing.
  const Walls& w = walls_[static_cast<std::size_t>(t.hall)];
  double low = -1e18, high = 1e18;
  if (w.upright && t.square_on && (dx == 0 || dy == 0)) {
    const double from = dy != 0 ? w.box.x0 - t.center_x : w.box.y0 - t.center_y,
                 to = dy != 0 ? w.box.x1 - t.center_x : w.box.y1 - t.center_y;
    const bool ahead = dy != 0 ? dy < 0 : dx > 0; // whether (-dy, dx) points to larger coordinates
    low = (ahead ? from : -to) + half, high = (ahead ? to : -from) - half;
    offer(low), offer(high);
  }
  std::sort(asides.begin(), asides.end(),
            [](double a, double b) { return std::pair(std::abs(a), a) < std::pair(std::abs(b), b); });
  asides.erase(std::unique(asides.begin(), asides.end()), asides.end());
  Face best;
  bool any = false;
  for (const double aside : asides) {
    if (aside < low - margin || aside > high + margin) continue;
    const Face face = look(i, dx, dy, half, aside);
    if (!any || face.clear > best.clear + 1e-6) best = face;
    any = true;
  }
  return any ? best : look(i, dx, dy, half);
}

Faces faces_of(const FloorPlan& plan, const Outlook& outlook, const std::stop_token& stop) {
  Faces out;
  out.front.resize(plan.first_structure);
  out.rear.resize(plan.first_structure);
  for (std::uint32_t i = 0; i < plan.first_structure; ++i) {
    if (stop.stop_requested()) break;
    const PlanThing& t = plan.things[i];
    out.front[i] = outlook.look(i, t.front_x, t.front_y);
    out.rear[i] = outlook.look(i, -t.front_x, -t.front_y);
  }
  return out;
}

Aisles aisles_of(const FloorPlan& plan, const Faces& faces, const std::vector<Rack>& racks) {
  Aisles out;
  Aisles::iterator last_front = out.end(), last_rear = out.end();
  for (std::uint32_t i = 0; i < plan.racks; ++i) {
    const PlanThing& t = plan.things[i];
    if (t.hall < 0) continue;
    for (const bool front : {true, false}) {
      const Face& face = front ? faces.front[i] : faces.rear[i];
      if (face.other == Face::open || (face.other == Face::wall && !front)) continue;
      const double dx = front ? t.front_x : -t.front_x, dy = front ? t.front_y : -t.front_y;
      AisleKind kind = front ? AisleKind::cold_to_obstacle : AisleKind::hot_to_obstacle;
      Id row = racks[i].row, other_row = 0;
      if (face.other < plan.racks) {
        const PlanThing& o = plan.things[face.other];
        const double facing = o.front_x * dx + o.front_y * dy; // -1: its front looks at us; 1: its rear; else a side
        if (std::abs(facing) > 0.9) {
          const bool its_front = facing < 0;
          kind = front && its_front ? AisleKind::cold : !front && !its_front ? AisleKind::hot : AisleKind::mixed;
        }
        other_row = racks[face.other].row;
      } else if (face.other == Face::wall) {
        kind = AisleKind::cold_to_wall;
      } else {
        other_row = plan.refs[face.other - plan.racks].id;
      }
      if (face.other < plan.racks && other_row < row) std::swap(row, other_row);
      const AisleKey key{t.hall, kind, row, other_row};
      auto& last = front ? last_front : last_rear; // neighbours mostly look into one aisle
      if (last == out.end() || last->first != key)
        last = out.try_emplace(key, Aisle{open_floor + 1, 0, i, face.other}).first;
      Aisle& aisle = last->second;
      ++aisle.racks;
      if (face.clear < aisle.clear - 1e-6)
        aisle.clear = face.clear, aisle.rack = i, aisle.other = face.other, aisle.front = front;
    }
  }
  return out;
}

Table aisle_table(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const Aisles& aisles,
                  SpaceResult& out) {
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
    std::vector<double> clear, minimum, faces, front, other_ids;
    std::vector<std::string> other_tables;
    for (const auto& [key, aisle] : aisles) {
      const Hall& hall = halls[static_cast<std::size_t>(std::get<0>(key))];
      const AisleKind k = std::get<1>(key);
      hall_names.push_back(hall.name);
      kinds.emplace_back(aisle_words[static_cast<std::size_t>(k)]);
      places.push_back(plan.name(aisle.rack, racks));
      others.push_back(k == AisleKind::cold_to_wall ? "the wall" : plan.name(aisle.other, racks));
      clear.push_back(aisle.clear * 1e-3);
      minimum.push_back(in_meters(needs_cold_width(k) ? hall.cold_aisle_minimum : hall.hot_aisle_minimum));
      faces.push_back(static_cast<double>(aisle.racks));
      table.entities.push_back(racks[aisle.rack].id);
      const EntityRef other = k == AisleKind::cold_to_wall ? EntityRef{} : plan.ref(aisle.other, racks);
      front.push_back(aisle.front);
      other_tables.push_back(other.table);
      other_ids.push_back(static_cast<double>(other.id));
      // Floor between a row and the wall counts as an aisle of the hall where it is less than one.
      if (k == AisleKind::cold_to_wall && aisle.clear * 1e-3 + 1e-3 >= in_meters(hall.cold_aisle_minimum)) continue;
      // Beside a column the passage that is left counts, as a figure of its own.
      if (aisle.other < Face::wall && plan.is_structure(aisle.other, StructureKind::column)) continue;
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
    table.add_numbers("front", "Ahead of the front (1: yes)", kind::count).numbers = std::move(front);
    table.add_words("opposite_table", "Kind of the opposite").words = std::move(other_tables);
    table.add_numbers("opposite_id", "Id of the opposite", kind::count).numbers = std::move(other_ids);
  }
  if (narrowest.aisle) {
    out.narrowest_aisle = ledger.measured<Length>(
        "space.narrowest_aisle", "Narrowest aisle", millimeters(narrowest.aisle->clear),
        fmt::format("clear width between {} and {} in the drawing", plan.name(narrowest.aisle->rack, racks),
                    narrowest.aisle->other == Face::wall ? "the wall" : plan.name(narrowest.aisle->other, racks)));
    ledger.limit(out.narrowest_aisle,
                 narrowest.cold
                     ? design_value<&Hall::cold_aisle_minimum>(ledger, "halls", *narrowest.hall, narrowest.hall->name)
                     : design_value<&Hall::hot_aisle_minimum>(ledger, "halls", *narrowest.hall, narrowest.hall->name),
                 LimitSense::at_least, 1.0);
  } else {
    out.narrowest_aisle = ledger.absent<Length>(
        "space.narrowest_aisle", "Narrowest aisle", Completeness::not_applicable,
        racks.empty() ? "no racks are drawn" : "nothing stands within 3 m of a rack's front or rear");
  }
  return table;
}

} // namespace hallwright
