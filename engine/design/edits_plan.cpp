// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/edits.h"

#include <cmath>

#include <fmt/format.h>

#include "design/field_options.h"
#include "design/typed_tables.h"
#include "design/whole_micrometers.h"

/// Edits that move and turn what stands on the plan.
namespace hallwright {
namespace {

/// Where one entity stands: all that these edits read and write.
struct Standing {
  std::string_view table;
  Id id = 0;
  double x = 0.0, y = 0.0;         ///< [m] upper left corner before rotation
  double width = 0.0, depth = 0.0; ///< [m] before rotation
  double degrees = 0.0;            ///< as read
  double turned = 0.0;             ///< degrees that the edit adds
  bool flipped_x = false, flipped_y = false; ///< mirrored left to right, top to bottom

  [[nodiscard]] double center_x() const { return x + width / 2; }
  [[nodiscard]] double center_y() const { return y + depth / 2; }
};
using Standings = std::vector<Standing>;

struct Direction {
  double cosine, sine;
};
Direction direction(double degrees) {
  const double quarters = degrees / 90.0;
  if (quarters == std::round(quarters)) { // exact, so that four quarter turns end where they began
    constexpr Direction exact[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return exact[((static_cast<long long>(std::round(quarters)) % 4) + 4) % 4];
  }
  const double radians = degrees * 0.017453292519943295;
  return {std::cos(radians), std::sin(radians)};
}

/// Degrees in 0 to 360, to a thousand-millionth.
double tidy_degrees(double degrees) {
  double out = std::fmod(std::round(degrees * 1e9) / 1e9, 360.0);
  if (out < 0) out += 360.0;
  return out + 0.0;
}

/// Half of the width of the rotated footprint along x, and of its depth along y.
struct HalfExtent {
  double x, y;
};
HalfExtent half_extent(const Standing& s) {
  const Direction d = direction(tidy_degrees(s.degrees));
  const double c = std::fabs(d.cosine), n = std::fabs(d.sine);
  return {(s.width * c + s.depth * n) / 2, (s.width * n + s.depth * c) / 2};
}

template <class E>
FootprintSize own_size(const Design& design, const E& e) {
  if constexpr (std::is_same_v<E, Rack>) {
    const RackType* type = find(*design.rack_types, e.rack_type);
    return type == nullptr ? FootprintSize{} : FootprintSize{type->width.value_or(Length{}), type->depth.value_or(Length{})};
  } else if constexpr (requires { e.width.has_value(); }) {
    return {e.width.value_or(Length{}), e.depth.value_or(Length{})};
  } else if constexpr (requires { e.width; }) {
    return {e.width, e.depth};
  } else {
    return {};
  }
}

struct Box {
  double x0 = 0.0, y0 = 0.0, x1 = 0.0, y1 = 0.0; // [m]
};
Box box_of(const std::vector<PlanPoint>& points) {
  Box out{points.front().x_mm, points.front().y_mm, points.front().x_mm, points.front().y_mm};
  for (const PlanPoint& p : points) {
    out.x0 = std::min(out.x0, p.x_mm), out.x1 = std::max(out.x1, p.x_mm);
    out.y0 = std::min(out.y0, p.y_mm), out.y1 = std::max(out.y1, p.y_mm);
  }
  return {out.x0 / 1000.0, out.y0 / 1000.0, out.x1 / 1000.0, out.y1 / 1000.0};
}

/// Reads where everything stands; refuses what is locked, what does not exist and what stands nowhere.
tl::expected<Standings, std::string> standings(const Design& design, const std::vector<EntityRef>& what, std::string_view verb,
                                               const FootprintSizes* sizes) {
  const auto selection = Selection::of(design, what);
  if (!selection) return tl::make_unexpected(selection.error());
  Standings out;
  out.reserve(what.size());
  std::string refusal;
  for (const Selection::Part& part : selection->parts) {
    if (part.ids.empty() || !refusal.empty()) continue;
    at_table(part.table, [&](auto member) {
      using E = typename TableOf<decltype(member)>::entity;
      if constexpr (OnPlan<E>) {
        for (const Id id : part.ids) {
          const E& e = *find(*(design.*member), id);
          Standing s{part.table, id, in_meters(e.x), in_meters(e.y)};
          if constexpr (requires { e.locked; }) {
            if (e.locked) {
              refusal = fmt::format("{} is locked; unlock it to {} it", entity_in_words(design, {std::string(part.table), id}), verb);
              return;
            }
          }
          if constexpr (requires { e.rotation; }) s.degrees = in_degrees(e.rotation);
          if (sizes != nullptr) {
            FootprintSize size = own_size(design, e);
            if (const auto it = sizes->find({std::string(part.table), id}); it != sizes->end()) size = it->second;
            s.width = in_meters(size.width);
            s.depth = in_meters(size.depth);
          }
          out.push_back(s);
        }
      } else if constexpr (ByPoints<E>) {
        for (const Id id : part.ids) {
          const E& e = *find(*(design.*member), id);
          if (e.locked) {
            refusal = fmt::format("{} is locked; unlock it to {} it", entity_in_words(design, {std::string(part.table), id}), verb);
            return;
          }
          const std::vector<PlanPoint> points = own_points(e);
          if (points.empty()) continue; // a dimension between two things follows them
          const Box box = box_of(points);
          out.push_back({part.table, id, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0});
        }
      } else {
        refusal = fmt::format("{} does not stand on the plan; select racks, units, structures or notes to {}",
                              entity_in_words(design, {std::string(part.table), part.ids.front()}), verb);
      }
    });
  }
  if (!refusal.empty()) return tl::make_unexpected(refusal);
  return out;
}

/// Writes the new standings; tables in which nothing changed stay shared.
Edited with_standings(const Design& design, const Standings& all) {
  Edited out = design;
  std::string refusal;
  for_each_table([&](std::string_view word, auto member) {
    using E = typename TableOf<decltype(member)>::entity;
    if constexpr (OnPlan<E>) {
      const std::vector<E>& now = *(design.*member);
      std::vector<E> copy;
      for (const Standing& s : all) {
        if (s.table != word || !refusal.empty()) continue;
        const auto index = static_cast<std::size_t>(find(now, s.id) - now.data());
        const E& old = now[index];
        const bool moved = s.x != in_meters(old.x) || s.y != in_meters(old.y);
        if (!moved && s.turned == 0.0 && !s.flipped_x && !s.flipped_y) continue;
        if (!(std::fabs(s.x) <= plan_limit && std::fabs(s.y) <= plan_limit)) {
          refusal = fmt::format("{} would stand at {:.3f} m, {:.3f} m; -10 km to 10 km is allowed",
                                entity_in_words(design, {std::string(word), s.id}), s.x, s.y);
          continue;
        }
        if (copy.empty()) copy = now;
        copy[index].x = meters(s.x);
        copy[index].y = meters(s.y);
        if constexpr (requires { old.rotation; }) {
          if (s.turned != 0.0) copy[index].rotation = degrees(tidy_degrees(s.degrees + s.turned));
        }
        if constexpr (std::is_same_v<E, Structure>) { // a mirrored door hangs on the other end
          if (s.flipped_x != s.flipped_y && old.swing != DoorSwing::sliding && old.swing != DoorSwing::both)
            copy[index].swing = old.swing == DoorSwing::left ? DoorSwing::right : DoorSwing::left;
        }
      }
      if (!copy.empty()) (*out).*member = hallwright::share(std::move(copy));
    } else if constexpr (ByPoints<E>) {
      const std::vector<E>& now = *(design.*member);
      std::vector<E> copy;
      for (const Standing& s : all) {
        if (s.table != word || !refusal.empty()) continue;
        const auto index = static_cast<std::size_t>(find(now, s.id) - now.data());
        std::vector<PlanPoint> points = own_points(now[index]);
        const Box box = box_of(points);
        const double cx = (s.x + s.width / 2) * 1000.0, cy = (s.y + s.depth / 2) * 1000.0;
        const double from_x = (box.x0 + box.x1) * 500.0, from_y = (box.y0 + box.y1) * 500.0;
        const Direction turn = direction(tidy_degrees(s.flipped_x || s.flipped_y ? 0.0 : s.turned));
        for (PlanPoint& p : points) {
          const double x = (p.x_mm - from_x) * (s.flipped_x ? -1 : 1), y = (p.y_mm - from_y) * (s.flipped_y ? -1 : 1);
          p.x_mm = whole_micrometers_in_mm(cx + x * turn.cosine - y * turn.sine);
          p.y_mm = whole_micrometers_in_mm(cy + x * turn.sine + y * turn.cosine);
          if (!(std::fabs(p.x_mm) <= plan_limit * 1000.0 && std::fabs(p.y_mm) <= plan_limit * 1000.0))
            refusal = fmt::format("{} would reach to {:.3f} m, {:.3f} m; -10 km to 10 km is allowed",
                                  entity_in_words(design, {std::string(word), s.id}), p.x_mm / 1000.0, p.y_mm / 1000.0);
        }
        if (points == own_points(now[index])) continue;
        if (copy.empty()) copy = now;
        set_own_points(copy[index], std::move(points));
      }
      if (!copy.empty()) (*out).*member = hallwright::share(std::move(copy));
    }
  });
  if (!refusal.empty()) return tl::make_unexpected(refusal);
  return out;
}

/// Sets the centre along x or y, leaving the other coordinate alone.
void center_at(Standing& s, bool along_x, double center) {
  if (along_x) s.x = whole_micrometers_in_m(center - s.width / 2);
  else s.y = whole_micrometers_in_m(center - s.depth / 2);
}

struct Bounds {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
};
Bounds bounds(const Standings& all, bool along_x) {
  Bounds out;
  for (const Standing& s : all) {
    const double center = along_x ? s.center_x() : s.center_y();
    const double half = along_x ? half_extent(s).x : half_extent(s).y;
    out.low = std::min(out.low, center - half);
    out.high = std::max(out.high, center + half);
  }
  return out;
}

std::string not_finite() { return "The distance is not a finite number; write a length such as 600 mm"; }

} // namespace

Edited move_by(const Design& design, const std::vector<EntityRef>& what, Length dx, Length dy) {
  if (!std::isfinite(in_meters(dx)) || !std::isfinite(in_meters(dy))) return tl::make_unexpected(not_finite());
  auto all = standings(design, what, "move", nullptr);
  if (!all) return tl::make_unexpected(all.error());
  for (Standing& s : *all) {
    if (in_meters(dx) != 0.0) s.x = whole_micrometers_in_m(s.x + in_meters(dx));
    if (in_meters(dy) != 0.0) s.y = whole_micrometers_in_m(s.y + in_meters(dy));
  }
  return with_standings(design, *all);
}

Edited rotate_by(const Design& design, const std::vector<EntityRef>& what, Angle angle, const FootprintSizes& sizes) {
  if (!std::isfinite(in_degrees(angle))) return tl::make_unexpected("The angle is not a finite number; write one such as 90 deg");
  auto all = standings(design, what, "turn", &sizes);
  if (!all) return tl::make_unexpected(all.error());
  const double by = tidy_degrees(in_degrees(angle));
  if (by == 0.0 || all->empty()) return design;
  const Direction turn = direction(by);
  // The centre must come out the same after the turn, or turning back would not end at the start: for quarter turns
  // that holds for the bounding box (exact in whole micrometres), for others for the mean of the centres.
  double cx = 0.0, cy = 0.0;
  if (by == 90.0 || by == 180.0 || by == 270.0) {
    const Bounds bx = bounds(*all, true), by_axis = bounds(*all, false);
    cx = (bx.low + bx.high) / 2;
    cy = (by_axis.low + by_axis.high) / 2;
  } else {
    for (const Standing& s : *all) {
      cx += s.center_x();
      cy += s.center_y();
    }
    cx /= static_cast<double>(all->size());
    cy /= static_cast<double>(all->size());
  }
  cx = whole_micrometers_in_m(cx);
  cy = whole_micrometers_in_m(cy);
  for (Standing& s : *all) {
    s.turned = by;
    if (all->size() == 1) break; // turns on its spot
    const double from_x = s.center_x() - cx, from_y = s.center_y() - cy;
    center_at(s, true, cx + from_x * turn.cosine - from_y * turn.sine); // y runs down: this is clockwise
    center_at(s, false, cy + from_x * turn.sine + from_y * turn.cosine);
  }
  return with_standings(design, *all);
}

Edited align(const Design& design, const std::vector<EntityRef>& what, AlignEdge edge, const FootprintSizes& sizes) {
  auto all = standings(design, what, "align", &sizes);
  if (!all) return tl::make_unexpected(all.error());
  if (all->size() < 2) return tl::make_unexpected(fmt::format("Aligning needs at least 2 things; {} selected", all->size()));
  const bool along_x = edge == AlignEdge::left || edge == AlignEdge::right || edge == AlignEdge::center_x;
  const bool low = edge == AlignEdge::left || edge == AlignEdge::top;
  const bool high = edge == AlignEdge::right || edge == AlignEdge::bottom;
  const Bounds b = bounds(*all, along_x);
  for (Standing& s : *all) {
    const double half = along_x ? half_extent(s).x : half_extent(s).y;
    center_at(s, along_x, low ? b.low + half : high ? b.high - half : (b.low + b.high) / 2);
  }
  return with_standings(design, *all);
}

Edited distribute(const Design& design, const std::vector<EntityRef>& what, DistributeAxis axis, const FootprintSizes& sizes) {
  auto all = standings(design, what, "distribute", &sizes);
  if (!all) return tl::make_unexpected(all.error());
  if (all->size() < 3) return tl::make_unexpected(fmt::format("Distributing needs at least 3 things; {} selected", all->size()));
  const bool along_x = axis == DistributeAxis::x;
  const auto center = [&](const Standing& s) { return along_x ? s.center_x() : s.center_y(); };
  const auto half = [&](const Standing& s) { return along_x ? half_extent(s).x : half_extent(s).y; };
  std::sort(all->begin(), all->end(), [&](const Standing& a, const Standing& b) {
    return center(a) != center(b) ? center(a) < center(b) : a.id < b.id;
  });
  double taken = 0.0;
  for (const Standing& s : *all) taken += 2 * half(s);
  const double first = center(all->front()) - half(all->front());
  const double last = center(all->back()) + half(all->back());
  const double gap = (last - first - taken) / static_cast<double>(all->size() - 1); // below 0: equal overlaps
  double at = first;
  for (std::size_t i = 0; i < all->size(); ++i) {
    Standing& s = (*all)[i];
    const double h = half(s);
    if (i > 0 && i + 1 < all->size()) center_at(s, along_x, at + h); // the outer two stay
    at += 2 * h + gap;
  }
  return with_standings(design, *all);
}

Edited space_evenly(const Design& design, const std::vector<EntityRef>& what, DistributeAxis axis, Length gap,
                    const FootprintSizes& sizes) {
  if (!(std::fabs(in_meters(gap)) <= plan_limit))
    return tl::make_unexpected("Gap: out of range; -10 km to 10 km is allowed, such as 1200 mm");
  auto all = standings(design, what, "space", &sizes);
  if (!all) return tl::make_unexpected(all.error());
  if (all->size() < 2) return tl::make_unexpected(fmt::format("Spacing needs at least 2 things; {} selected", all->size()));
  const bool along_x = axis == DistributeAxis::x;
  const auto center = [&](const Standing& s) { return along_x ? s.center_x() : s.center_y(); };
  std::sort(all->begin(), all->end(), [&](const Standing& a, const Standing& b) {
    return center(a) != center(b) ? center(a) < center(b) : a.id < b.id;
  });
  double at = 0.0;
  for (std::size_t i = 0; i < all->size(); ++i) {
    Standing& s = (*all)[i];
    const double half = along_x ? half_extent(s).x : half_extent(s).y;
    if (i > 0) center_at(s, along_x, at + in_meters(gap) + half); // the first stays
    at = center(s) + half;
  }
  return with_standings(design, *all);
}

Edited mirror(const Design& design, const std::vector<EntityRef>& what, MirrorAxis axis, const FootprintSizes& sizes) {
  auto all = standings(design, what, "mirror", &sizes);
  if (!all) return tl::make_unexpected(all.error());
  if (all->empty()) return design;
  const bool left_to_right = axis == MirrorAxis::left_to_right;
  const Bounds b = bounds(*all, left_to_right);
  for (Standing& s : *all) {
    const double turned = left_to_right ? -s.degrees : 180.0 - s.degrees;
    s.turned = tidy_degrees(turned - s.degrees);
    (left_to_right ? s.flipped_x : s.flipped_y) = true;
    center_at(s, left_to_right, whole_micrometers_in_m(b.low + b.high) - (left_to_right ? s.center_x() : s.center_y()));
  }
  return with_standings(design, *all);
}

} // namespace hallwright
