// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/auto_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "quantity/text.h"
#include "space/plan_geometry.h"

namespace hallwright {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Count most_racks = 20000;
constexpr double hair = 0.01;          // mm
constexpr double busway_depth = 200.0; // mm: drawn breadth of a busway
constexpr double busway_gap = 300.0;   // mm between a rack's top and a busway

/// Plan coordinates with rows along u: for rows along y the axes change places. Rows are put down from smaller u and v
/// on; mirrored, from the other end.
struct Frame {
  bool swapped = false, mirrored_u = false, mirrored_v = false;
  [[nodiscard]] PlanBox box(const PlanBox& b) const { return mirrored(swapped ? PlanBox{b.y0, b.x0, b.y1, b.x1} : b); }
  [[nodiscard]] PlanPoint point(const PlanPoint& p) const {
    const PlanPoint q = swapped ? PlanPoint{p.y_mm, p.x_mm} : p;
    return {mirrored_u ? -q.x_mm : q.x_mm, mirrored_v ? -q.y_mm : q.y_mm};
  }
  /// A box of the frame on the plan.
  [[nodiscard]] PlanBox back(const PlanBox& b) const {
    const PlanBox m = mirrored(b);
    return swapped ? PlanBox{m.y0, m.x0, m.y1, m.x1} : m;
  }
  /// Rotation of a thing whose front looks to smaller v, or to larger v.
  [[nodiscard]] double degrees(bool to_smaller_v) const {
    const bool up = to_smaller_v != mirrored_v; // to smaller y, or x where the axes change places
    return swapped ? (up ? 270.0 : 90.0) : (up ? 0.0 : 180.0);
  }

private:
  [[nodiscard]] PlanBox mirrored(PlanBox b) const {
    if (mirrored_u) b = {-b.x1, b.y0, -b.x0, b.y1};
    if (mirrored_v) b = {b.x0, -b.y1, b.x1, -b.y0};
    return b;
  }
};

struct Span {
  double from = 0, to = 0;
};
using Spans = std::vector<Span>; ///< ascending, apart

Spans without(const Spans& spans, double from, double to) {
  Spans out;
  for (const Span& s : spans) {
    if (to <= s.from || from >= s.to) {
      out.push_back(s);
      continue;
    }
    if (from > s.from) out.push_back({s.from, from});
    if (to < s.to) out.push_back({to, s.to});
  }
  return out;
}

Spans common(const Spans& a, const Spans& b) {
  Spans out;
  for (const Span& x : a)
    for (const Span& y : b)
      if (std::max(x.from, y.from) < std::min(x.to, y.to))
        out.push_back({std::max(x.from, y.from), std::min(x.to, y.to)});
  return out;
}

/// Where the whole strip from v0 to v1 lies inside the polygon.
Spans strip_inside(const std::vector<PlanPoint>& polygon, double v0, double v1) {
  const double mid = (v0 + v1) / 2;
  std::vector<double> crossings;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const PlanPoint &a = polygon[i], &b = polygon[j];
    if ((a.y_mm > mid) != (b.y_mm > mid))
      crossings.push_back(a.x_mm + (b.x_mm - a.x_mm) * (mid - a.y_mm) / (b.y_mm - a.y_mm));
  }
  std::sort(crossings.begin(), crossings.end());
  Spans out;
  for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
    out.push_back({crossings[i], crossings[i + 1]});
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    PlanPoint a = polygon[i], b = polygon[j];
    if (a.y_mm > b.y_mm) std::swap(a, b);
    const double low = std::max(a.y_mm, v0 + hair), high = std::min(b.y_mm, v1 - hair);
    if (low > high) continue;
    const auto at = [&](double v) {
      return b.y_mm == a.y_mm ? a.x_mm : a.x_mm + (b.x_mm - a.x_mm) * (v - a.y_mm) / (b.y_mm - a.y_mm);
    };
    const double u0 = b.y_mm == a.y_mm ? std::min(a.x_mm, b.x_mm) : std::min(at(low), at(high));
    const double u1 = b.y_mm == a.y_mm ? std::max(a.x_mm, b.x_mm) : std::max(at(low), at(high));
    out = without(out, u0, u1);
  }
  return out;
}

double assumed_mm(const Catalog& catalog, std::string_view id, double fallback) {
  const Assumption* a = catalog.find<Assumption>(id);
  if (!a || !a->value) return fallback;
  const auto value = parse_quantity(exact_number(*a->value) + " " + a->unit, kind::length);
  return value ? *value * 1e3 : fallback;
}

PlanBox grown(PlanBox b, double x, double y) { return {b.x0 - x, b.y0 - y, b.x1 + x, b.y1 + y}; }
/// The box with `front` added where the thing looks, and `rear` behind it.
PlanBox with_service(const PlanThing& t, double front, double rear) {
  PlanBox b = t.box;
  const auto stretch = [&b](double x, double y, double by) {
    if (x > 0.5) b.x1 += by;
    if (x < -0.5) b.x0 -= by;
    if (y > 0.5) b.y1 += by;
    if (y < -0.5) b.y0 -= by;
  };
  stretch(t.front_x, t.front_y, front);
  stretch(-t.front_x, -t.front_y, rear);
  return b;
}

/// What stands in the hall already, in the frame of the rows.
struct Obstacles {
  std::vector<PlanBox> solid;      ///< no footprint may share floor with these
  std::vector<PlanBox> in_aisle;   ///< nor may they stand in an aisle of ours
  std::vector<PlanBox> keep_clear; ///< service, swings and aisles of what stands there
};

Obstacles obstacles_of(const Design& d, const Catalog& catalog, const Hall& hall, const Frame& frame) {
  Obstacles out;
  const double cold = in_millimeters(hall.cold_aisle_minimum), hot = in_millimeters(hall.hot_aisle_minimum);
  const double working = assumed_mm(catalog, "clearance.electrical_working_depth", 1067),
               service = assumed_mm(catalog, "clearance.cdu_service", 914),
               egress = assumed_mm(catalog, "clearance.egress_width", 1200);
  const auto stands = [&](const PlanBox& box) {
    out.solid.push_back(frame.box(box));
    out.in_aisle.push_back(frame.box(box));
  };
  for (const Rack& r : *d.racks) {
    if (r.hall != hall.id) continue;
    const RackType* type = find(*d.rack_types, r.rack_type);
    const Footprint f = rack_footprint(catalog, type ? *type : RackType{});
    const PlanThing t = plan_thing(r.x, r.y, f.width, f.depth, r.rotation);
    stands(t.box);
    // Its aisles, and a way round its side: a row goes on by being filled, not by another row beside it.
    const bool faces_x = std::abs(t.front_x) > std::abs(t.front_y);
    out.keep_clear.push_back(frame.box(grown(with_service(t, cold, hot), faces_x ? 0 : egress, faces_x ? egress : 0)));
  }
  for (const PowerUnit& u : *d.power_units) {
    if (u.hall != hall.id || u.elevation) continue; // above the rows
    const Footprint f = power_unit_footprint(catalog, u);
    const PlanThing t = plan_thing(u.x, u.y, f.width, f.depth, u.rotation);
    stands(t.box);
    out.keep_clear.push_back(frame.box(with_service(t, working, working)));
  }
  for (const CoolingUnit& u : *d.cooling_units) {
    if (u.hall != hall.id) continue;
    const Footprint f = cooling_unit_footprint(catalog, u);
    const PlanThing t = plan_thing(u.x, u.y, f.width, f.depth, u.rotation);
    stands(t.box);
    out.keep_clear.push_back(frame.box(with_service(t, service, service)));
  }
  for (const Structure& s : *d.structures) {
    if (s.hall != hall.id || s.kind == StructureKind::spreader) continue; // a spreader is stood upon
    const PlanThing t = plan_thing(s.x, s.y, s.width, s.depth, s.rotation);
    switch (s.kind) {
    case StructureKind::column:
    case StructureKind::wall:
    case StructureKind::obstacle:
      stands(t.box);
      break;
    case StructureKind::door: // its leaf swings through a square of its width on either side, and people come through
      out.solid.push_back(frame.box(t.box));
      out.keep_clear.push_back(frame.box(
          with_service(t, std::max(egress, in_millimeters(s.width)), std::max(egress, in_millimeters(s.width)))));
      break;
    case StructureKind::dock:
    case StructureKind::ramp:
    case StructureKind::lift:
      out.solid.push_back(frame.box(grown(t.box, egress, egress)));
      break;
    default:
      out.solid.push_back(frame.box(t.box));
      break;
    }
  }
  return out;
}

/// A stretch of a row line where racks can stand.
struct Bay {
  double from = 0, to = 0;  ///< along u
  double v = 0;             ///< of the strip's smaller side
  bool to_smaller_v = true; ///< its fronts look that way
};

/// One thing placed in a bay.
struct Slot {
  enum class What : std::uint8_t { rack, fabric, cdu } what = What::rack;
  std::size_t bay = 0;
  double from = 0;
};

struct Sizes {
  double rack_w = 0, rack_d = 0, rack_h = 0, fabric_w = 0, fabric_d = 0, cdu_w = 0, cdu_d = 0;
};

/// Bays of the hall part in order, row by row.
struct Floor {
  std::vector<Bay> bays;
  double strip = 0; ///< depth of a row
  Spans perimeter;  ///< stretches for CDUs along the edge
  double perimeter_v = 0;
};

class Planner {
public:
  Planner(const Design& design, const Catalog& catalog, const LayoutRequest& request)
      : base_(design), catalog_(catalog), q_(request) {}

  tl::expected<LayoutOutcome, std::string> run() {
    if (auto wrong = prepare()) return tl::make_unexpected(*wrong);
    // From each end of the part in turn, so that a hall that is turned or mirrored takes as many.
    std::vector<Slot> slots;
    for (const Frame& frame : frames()) {
      find_floor(frame);
      if (fill(q_.count, slots)) return make(q_.count, slots);
    }
    Count fits = 0;
    Frame best;
    for (const Frame& frame : frames()) {
      find_floor(frame);
      if (const Count n = most_up_to(q_.count - 1); n > fits) fits = n, best = frame;
    }
    if (!q_.as_many_as_fit || fits == 0) return tl::make_unexpected(refusal(fits));
    find_floor(best);
    fill(fits, slots);
    return make(fits, slots);
  }
  Count most() {
    if (prepare()) return 0;
    Count fits = 0;
    for (const Frame& frame : frames()) {
      find_floor(frame);
      fits = std::max(fits, capacity());
    }
    return fits;
  }

private:
  std::optional<std::string> prepare() {
    if (!q_.as_many_as_fit && (q_.count < 1 || q_.count > most_racks))
      return fmt::format("Number of racks: {} is out of range; 1 to {} is allowed", q_.count, most_racks);
    type_ = find(*base_.rack_types, q_.rack_type);
    if (!type_)
      return q_.rack_type ? fmt::format("Rack type: {} does not exist", q_.rack_type)
                          : std::string("Rack type: none is chosen; choose one");
    hall_ = find(*base_.halls, q_.hall);
    if (!hall_)
      return q_.hall ? fmt::format("Hall: {} does not exist", q_.hall)
                     : std::string("Hall: none is chosen; choose one");
    if (hall_->outline.size() < 3) return fmt::format("{} has no outline; draw one first", hall_->name);
    const Zone* zone = q_.zone ? find(*base_.zones, q_.zone) : nullptr;
    if (q_.zone && (!zone || zone->hall != hall_->id))
      return fmt::format("Zone: {} is not a zone of {}", q_.zone, hall_->name);
    if (q_.longest_row < 1 || q_.longest_row > 500)
      return fmt::format("Longest row: {} racks is out of range; 1 to 500 is allowed", q_.longest_row);
    if (q_.pod_racks < 0 || q_.fabric_racks_per_pod < 0 || q_.fabric_racks_per_pod > 1000)
      return std::string("Racks of a pod: below 0 or too many fabric racks; 0 to 1000 is allowed");
    const Footprint rack = rack_footprint(catalog_, *type_);
    if (!rack.known)
      return fmt::format(
          "Width or depth of rack type {} is not known; choose a rack part that states its size, or enter it",
          type_->name);
    size_ = {in_millimeters(rack.width), in_millimeters(rack.depth), in_millimeters(rack.height)};
    if (q_.fabric_racks_per_pod > 0) {
      fabric_ = find(*base_.rack_types, q_.fabric_rack_type);
      if (!fabric_) return std::string("Fabric rack type: none is chosen; choose one or ask for no fabric racks");
      const Footprint f = rack_footprint(catalog_, *fabric_);
      if (!f.known)
        return fmt::format(
            "Width or depth of rack type {} is not known; choose a rack part that states its size, or enter it",
            fabric_->name);
      size_.fabric_w = in_millimeters(f.width), size_.fabric_d = in_millimeters(f.depth);
    }
    if (q_.cdus != CduPlace::none && q_.liquid_heat_per_rack > Power{}) {
      cdu_ = catalog_.find<CoolingPart>(q_.cdu_part);
      if (!cdu_)
        return q_.cdu_part.empty() ? std::string("CDU: none is chosen; choose a part or ask for no CDUs")
                                   : fmt::format("CDU: the catalog has no cooling part \"{}\"", q_.cdu_part);
      if (!cdu_->capacity || *cdu_->capacity <= Power{})
        return fmt::format("CDU: the catalog has no capacity for {}", cdu_->name);
      CoolingUnit unit;
      unit.part = q_.cdu_part;
      const Footprint f = cooling_unit_footprint(catalog_, unit);
      if (!f.known) notes_.push_back(fmt::format("The catalog has no size for {}; 600 x 1200 mm stand in", cdu_->name));
      size_.cdu_w = in_millimeters(f.width), size_.cdu_d = in_millimeters(f.depth);
    }
    cold_ = in_millimeters(q_.cold_aisle.value_or(hall_->cold_aisle_minimum));
    hot_ = in_millimeters(q_.hot_aisle.value_or(hall_->hot_aisle_minimum));
    if (cold_ < in_millimeters(hall_->cold_aisle_minimum) - 1e-6)
      return fmt::format("Cold aisle: {:.0f} mm is less than the {:.0f} mm that {} asks for", cold_,
                         in_millimeters(hall_->cold_aisle_minimum), hall_->name);
    if (hot_ < in_millimeters(hall_->hot_aisle_minimum) - 1e-6)
      return fmt::format("Hot aisle: {:.0f} mm is less than the {:.0f} mm that {} asks for", hot_,
                         in_millimeters(hall_->hot_aisle_minimum), hall_->name);
    // The service depths of the rack type count where they ask for more.
    if (type_->front_service) cold_ = std::max(cold_, in_millimeters(*type_->front_service));
    if (type_->rear_service) hot_ = std::max(hot_, in_millimeters(*type_->rear_service));

    region_ = zone ? zone->outline : hall_->outline;
    if (q_.rectangle) {
      const PlanBox& r = *q_.rectangle;
      if (!(r.x1 > r.x0 && r.y1 > r.y0)) return std::string("Rectangle: it encloses no floor");
      region_ = {{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}};
    }
    design_ = base_;
    if (q_.replace)
      if (auto wrong = take_away()) return wrong;
    return std::nullopt;
  }

  /// Removes what is to be laid out anew.
  std::optional<std::string> take_away() {
    std::vector<EntityRef> gone;
    std::set<Id> gone_racks, gone_units;
    const auto inside = [&](Length x, Length y, Length w, Length d, Angle rotation) {
      return inside_outline(plan_thing(x, y, w, d, rotation), region_);
    };
    for (const Rack& r : *base_.racks) {
      if (r.hall != hall_->id || r.locked) continue;
      const RackType* type = find(*base_.rack_types, r.rack_type);
      const Footprint f = rack_footprint(catalog_, type ? *type : RackType{});
      if (inside(r.x, r.y, f.width, f.depth, r.rotation)) gone.push_back({"racks", r.id}), gone_racks.insert(r.id);
    }
    for (const CoolingUnit& u : *base_.cooling_units) {
      if (u.hall != hall_->id || u.locked || u.kind != CoolingUnitKind::cdu) continue;
      const Footprint f = cooling_unit_footprint(catalog_, u);
      if (inside(u.x, u.y, f.width, f.depth, u.rotation))
        gone.push_back({"cooling_units", u.id}), gone_units.insert(u.id);
    }
    for (const PowerUnit& u : *base_.power_units) {
      if (u.hall != hall_->id || u.locked || u.kind != PowerUnitKind::busway) continue;
      const Footprint f = power_unit_footprint(catalog_, u);
      if (inside(u.x, u.y, f.width, f.depth, u.rotation)) gone.push_back({"power_units", u.id});
    }
    // Rows and loops that nothing is left of go with them.
    for (const Row& row : *base_.rows) {
      bool had = false, left = false;
      for (const Rack& r : *base_.racks)
        if (r.row == row.id) (gone_racks.count(r.id) ? had : left) = true;
      if (had && !left) gone.push_back({"rows", row.id});
    }
    for (const CoolantLoop& loop : *base_.loops) {
      bool had = false, left = false;
      for (const CoolingUnit& u : *base_.cooling_units)
        if (u.loop == loop.id) (gone_units.count(u.id) ? had : left) = true;
      for (const Rack& r : *base_.racks)
        if (r.loop == loop.id && gone_racks.count(r.id) == 0) left = true;
      if (had && !left) gone.push_back({"loops", loop.id});
    }
    removed_ = static_cast<Count>(gone_racks.size());
    if (gone.empty()) return std::nullopt;
    auto without_them = remove(base_, gone);
    if (!without_them) return without_them.error();
    design_ = *std::move(without_them);
    return std::nullopt;
  }

  [[nodiscard]] std::vector<Frame> frames() const {
    const bool swapped = q_.direction == RowDirection::along_y;
    return {{swapped, false, false}, {swapped, false, true}, {swapped, true, false}, {swapped, true, true}};
  }

  void find_floor(const Frame& frame) {
    frame_ = frame;
    floor_ = {};
    const Obstacles in_the_way = obstacles_of(design_, catalog_, *hall_, frame_);
    std::vector<PlanPoint> outline, region;
    for (const PlanPoint& p : hall_->outline)
      outline.push_back(frame_.point(p));
    for (const PlanPoint& p : region_)
      region.push_back(frame_.point(p));
    const double end_gap = assumed_mm(catalog_, "clearance.egress_width", 1200);
    double v0 = infinity, v1 = -infinity, hall_v0 = infinity;
    for (const PlanPoint& p : region)
      v0 = std::min(v0, p.y_mm), v1 = std::max(v1, p.y_mm);
    for (const PlanPoint& p : outline)
      hall_v0 = std::min(hall_v0, p.y_mm);
    const bool row_cdus = cdu_ && q_.cdus == CduPlace::row_ends;
    floor_.strip = std::max({size_.rack_d, size_.fabric_d, row_cdus ? size_.cdu_d : 0.0});
    double v = std::max(v0, hall_v0 + cold_);
    if (cdu_ && q_.cdus == CduPlace::perimeter) {
      // A line of CDUs along the edge with its own service space behind and in front.
      const double service = assumed_mm(catalog_, "clearance.cdu_service", 914);
      floor_.perimeter_v = std::max(v0, hall_v0 + service);
      floor_.perimeter =
          free_spans(in_the_way, outline, region, floor_.perimeter_v, size_.cdu_d, service, service, end_gap);
      v = std::max(v, floor_.perimeter_v + size_.cdu_d + std::max(cold_, service));
    }
    for (bool to_smaller_v = true; v + floor_.strip <= v1 + hair; to_smaller_v = !to_smaller_v) {
      const Spans spans = free_spans(in_the_way, outline, region, v, floor_.strip, to_smaller_v ? cold_ : hot_,
                                     to_smaller_v ? hot_ : cold_, end_gap);
      const double longest = static_cast<double>(q_.longest_row) * size_.rack_w;
      for (Span s : spans)
        while (s.to - s.from >= size_.rack_w - hair) {
          const double end = std::min(s.to, s.from + longest);
          floor_.bays.push_back({s.from, end, v, to_smaller_v});
          s.from = end + end_gap;
        }
      v += floor_.strip + (to_smaller_v ? hot_ : cold_);
    }
  }

  /// Where a strip with `before` free on its side of smaller v and `after` on the other can stand.
  static Spans free_spans(const Obstacles& o, const std::vector<PlanPoint>& outline,
                          const std::vector<PlanPoint>& region, double v, double depth, double before, double after,
                          double end_gap) {
    Spans in_hall = strip_inside(outline, v, v + depth);
    for (Span& s : in_hall)
      s.from += end_gap, s.to -= end_gap; // a way round the row
    std::erase_if(in_hall, [](const Span& s) { return s.from >= s.to; });
    Spans out = common(common(in_hall, strip_inside(outline, v - before, v + depth + after)),
                       strip_inside(region, v, v + depth));
    const auto cut = [&](const std::vector<PlanBox>& boxes, double low, double high) {
      for (const PlanBox& b : boxes)
        if (b.y0 < high - hair && b.y1 > low + hair) out = without(out, b.x0, b.x1);
    };
    cut(o.solid, v, v + depth);
    cut(o.keep_clear, v, v + depth);
    cut(o.in_aisle, v - before, v + depth + after);
    return out;
  }

  [[nodiscard]] Count cdus_for(Count racks) const {
    if (!cdu_) return 0;
    const double duty = static_cast<double>(racks) * in_watts(q_.liquid_heat_per_rack) / in_watts(*cdu_->capacity);
    const auto needed = static_cast<Count>(std::ceil(duty * (1 - 1e-12)));
    const Count by_duty = q_.cdu_redundancy == Redundancy::n       ? needed
                          : q_.cdu_redundancy == Redundancy::two_n ? 2 * needed
                                                                   : needed + 1;
    return std::max(by_duty, q_.least_cdus);
  }

  /// Places `n` racks with all that goes with them; false where they do not fit.
  bool fill(Count n, std::vector<Slot>& slots) const {
    const Count cdus = cdus_for(n);
    if (cdu_ && q_.cdus == CduPlace::perimeter) {
      Count room = 0;
      for (const Span& s : floor_.perimeter)
        room += static_cast<Count>(std::floor((s.to - s.from + hair) / size_.cdu_w));
      return room >= cdus && fill_racks(n, {}, slots) <= floor_.bays.size();
    }
    if (cdus == 0) return fill_racks(n, {}, slots) <= floor_.bays.size();
    // CDUs spread evenly over the rows in use: with how many rows does that come out?
    for (std::size_t rows = 1; rows <= floor_.bays.size(); ++rows) {
      std::vector<Count> reserved(floor_.bays.size());
      for (Count i = 0; i < cdus; ++i)
        ++reserved[static_cast<std::size_t>((static_cast<double>(i) + 0.5) * static_cast<double>(rows) /
                                            static_cast<double>(cdus))];
      bool room = true;
      for (std::size_t b = 0; b < rows; ++b)
        room = room && static_cast<double>(reserved[b]) * size_.cdu_w + size_.rack_w <=
                           floor_.bays[b].to - floor_.bays[b].from + hair;
      if (room && fill_racks(n, reserved, slots) <= rows) return true;
    }
    return false;
  }

  /// @return bays that were needed, or one more than there are
  std::size_t fill_racks(Count n, const std::vector<Count>& reserved, std::vector<Slot>& slots) const {
    slots.clear();
    const std::size_t none = floor_.bays.size() + 1;
    std::vector<double> at(floor_.bays.size()), end(floor_.bays.size());
    for (std::size_t b = 0; b < floor_.bays.size(); ++b) {
      const Count kept = reserved.empty() ? 0 : reserved[b];
      // The first of a row's CDUs stands at its far end, the second at its near end, and so on.
      const Count near = kept / 2, far = kept - near;
      at[b] = floor_.bays[b].from;
      end[b] = floor_.bays[b].to - static_cast<double>(far) * size_.cdu_w;
      for (Count i = 0; i < near; ++i, at[b] += size_.cdu_w)
        slots.push_back({Slot::What::cdu, b, at[b]});
    }
    std::size_t bay = 0;
    Count left = n;
    const Count pod_size = q_.pod_racks > 0 ? q_.pod_racks : n;
    while (left > 0) {
      Count racks = std::min(left, pod_size);
      Count fabric =
          q_.fabric_racks_per_pod == 0
              ? 0
              : std::max<Count>(1, static_cast<Count>(std::ceil(static_cast<double>(q_.fabric_racks_per_pod * racks) /
                                                                    static_cast<double>(pod_size) -
                                                                1e-9)));
      left -= racks;
      const auto length = [&] {
        return static_cast<double>(racks) * size_.rack_w + static_cast<double>(fabric) * size_.fabric_w;
      };
      if (q_.whole_pods && q_.pod_racks > 0) {
        double longest = 0;
        for (std::size_t b = bay; b < floor_.bays.size(); ++b)
          longest = std::max(longest, end[b] - at[b]);
        if (length() <= longest + hair)
          while (bay < floor_.bays.size() && end[bay] - at[bay] < length() - hair)
            ++bay;
      }
      while (racks > 0 || fabric > 0) {
        if (bay >= floor_.bays.size()) return none;
        const double room = end[bay] - at[bay];
        Count c = racks, f = fabric;
        if (length() > room + hair) {
          f = std::min(fabric, static_cast<Count>(std::floor(static_cast<double>(fabric) * room / length() + 0.5)));
          while (f > 0 && static_cast<double>(f) * size_.fabric_w > room + hair)
            --f;
          c = std::min(racks, static_cast<Count>(
                                  std::floor((room - static_cast<double>(f) * size_.fabric_w + hair) / size_.rack_w)));
        }
        if (c == 0 && f == 0) {
          ++bay;
          continue;
        }
        const Count first = q_.leafs == LeafPlace::middle ? (c + 1) / 2 : 0;
        const auto put = [&](Slot::What what, Count k, double width) {
          for (Count i = 0; i < k; ++i, at[bay] += width)
            slots.push_back({what, bay, at[bay]});
        };
        put(Slot::What::rack, first, size_.rack_w);
        put(Slot::What::fabric, f, size_.fabric_w);
        put(Slot::What::rack, c - first, size_.rack_w);
        racks -= c;
        fabric -= f;
        if (racks > 0 || fabric > 0) ++bay;
      }
    }
    // The far CDUs close up to the last rack of their row.
    if (!reserved.empty())
      for (std::size_t b = 0; b < floor_.bays.size(); ++b)
        for (Count i = 0; i < reserved[b] - reserved[b] / 2; ++i, at[b] += size_.cdu_w)
          slots.push_back({Slot::What::cdu, b, at[b]});
    return bay + 1;
  }

  /// The most racks that fit, not above `limit`. Pods and their leafs make room come in steps: a little less may not
  /// fit where a little more does, so the numbers just below the limit are tried one by one.
  Count most_up_to(Count limit) const {
    std::vector<Slot> slots;
    constexpr Count one_by_one = 64;
    for (Count n = limit; n >= 1 && n > limit - one_by_one; --n)
      if (fill(n, slots)) return n;
    Count low = 0, high = std::max<Count>(1, limit - one_by_one + 1);
    while (low + 1 < high) {
      const Count mid = (low + high) / 2;
      (fill(mid, slots) ? low : high) = mid;
    }
    return low;
  }

  Count capacity() const {
    std::vector<Slot> slots;
    Count low = 0, high = 1;
    while (high <= most_racks && fill(high, slots))
      low = high, high *= 2;
    high = std::min(high, most_racks + 1);
    while (low + 1 < high) {
      const Count mid = (low + high) / 2;
      (fill(mid, slots) ? low : high) = mid;
    }
    return low;
  }

  [[nodiscard]] std::string refusal(Count fits) const {
    const std::string where = q_.zone        ? find(*base_.zones, q_.zone)->name
                              : q_.rectangle ? "that part of " + hall_->name
                                             : hall_->name;
    std::string with;
    if (q_.fabric_racks_per_pod > 0) with += " with their fabric racks";
    if (cdu_) with += (with.empty() ? " with " : " and ") + std::string("CDUs");
    return fits == 0 ? fmt::format("No rack of type {} fits into {}{}: {:.0f} x {:.0f} mm with {:.0f} mm before it, "
                                   "{:.0f} mm behind it and 1.2 m round the row's ends; "
                                   "widen it, narrow the aisles or clear floor",
                                   type_->name, where, with, size_.rack_w, size_.rack_d, cold_, hot_)
                     : fmt::format("{} racks of type {}{} do not fit into {}, rows along {}; {} do: ask for at most "
                                   "{}, narrower aisles, longer rows or the other direction",
                                   q_.count, type_->name, with, where, frame_.swapped ? "y" : "x", fits, fits);
  }

  /// Upper left corner before rotation of a thing of this size whose box begins at (u, v) of the frame.
  struct Corner {
    Length x, y;
  };
  [[nodiscard]] Corner corner(double u, double v, double width, double depth) const {
    const auto tidy = [](double mm) { return millimeters(std::round(mm * 1e3) / 1e3 + 0.0); };
    // Turned by a quarter the box is depth x width about the same middle.
    const PlanBox box = frame_.back({u, v, u + width, v + depth});
    return {tidy((box.x0 + box.x1) / 2 - width / 2), tidy((box.y0 + box.y1) / 2 - depth / 2)};
  }
  /// v of the box of a thing in a bay: fronts stand in one line.
  [[nodiscard]] double front_aligned(const Bay& bay, double depth) const {
    return bay.to_smaller_v ? bay.v : bay.v + floor_.strip - depth;
  }

  /// Units of a feed that racks or busways can hang on, the best kind that is drawn; those of the hall before others.
  [[nodiscard]] std::vector<const PowerUnit*> feeders(Feed feed, std::initializer_list<PowerUnitKind> kinds) const {
    for (const PowerUnitKind wanted : kinds)
      for (const bool here : {true, false}) {
        std::vector<const PowerUnit*> out;
        for (const PowerUnit& u : *design_.power_units)
          if (u.kind == wanted && (u.feed == feed) && (u.hall == hall_->id) == here) out.push_back(&u);
        if (!out.empty()) return out;
      }
    return {};
  }

  LayoutOutcome make(Count n, const std::vector<Slot>& slots) {
    LayoutOutcome out;
    Design& d = out.design;
    d = design_;
    out.notes = notes_;
    out.removed = removed_;
    std::vector<Row> rows = *d.rows;
    std::vector<Rack> racks = *d.racks;
    std::vector<CoolingUnit> units = *d.cooling_units;
    std::vector<PowerUnit> power = *d.power_units;
    std::vector<CoolantLoop> loops = *d.loops;
    std::vector<EntityRef> made_rows, made_units;

    Id loop = q_.loop;
    const Count cdus = cdus_for(n);
    if (cdus > 0) {
      CoolantLoop l;
      l.id = d.next_id++;
      l.name = unused("Loop ", loops, 1);
      loop = l.id;
      loops.push_back(l);
      made_units.push_back({"loops", l.id});
    }

    // Bays in use, in order, each a row.
    std::map<std::size_t, std::vector<const Slot*>> by_bay;
    for (const Slot& s : slots)
      by_bay[s.bay].push_back(&s);
    const auto holds_racks = [](const std::vector<const Slot*>& list) {
      return std::any_of(list.begin(), list.end(), [](const Slot* s) { return s->what != Slot::What::cdu; });
    };
    const auto rows_used = static_cast<std::size_t>(
        std::count_if(by_bay.begin(), by_bay.end(), [&](const auto& b) { return holds_racks(b.second); }));

    std::unordered_set<std::string> used_names;
    for (const Row& row : rows)
      used_names.insert(row.name);
    for (const Rack& rack : racks)
      if (const std::size_t dash = rack.name.rfind('-'); dash != std::string::npos)
        used_names.insert(rack.name.substr(0, dash));

    // Power: equal blocks of consecutive racks, or of consecutive rows for busways.
    const auto feeders_a =
        q_.busways ? feeders(Feed::a, {PowerUnitKind::distribution, PowerUnitKind::static_switch, PowerUnitKind::rectifier, PowerUnitKind::ups, PowerUnitKind::switchgear, PowerUnitKind::transformer})
                   : feeders(Feed::a, {PowerUnitKind::busway, PowerUnitKind::distribution});
    const auto feeders_b =
        q_.busways ? feeders(Feed::b, {PowerUnitKind::distribution, PowerUnitKind::static_switch, PowerUnitKind::rectifier, PowerUnitKind::ups, PowerUnitKind::switchgear, PowerUnitKind::transformer})
                   : feeders(Feed::b, {PowerUnitKind::busway, PowerUnitKind::distribution});
    std::size_t total_racks = 0;
    for (const auto& [bay, list] : by_bay)
      total_racks += static_cast<std::size_t>(
          std::count_if(list.begin(), list.end(), [](const Slot* s) { return s->what != Slot::What::cdu; }));
    // Feeds in the order of racks or rows: each unit gets as many as make all carry alike, one after the other.
    const auto shared_out = [&](const std::vector<const PowerUnit*>& from, Id Rack::*feed, std::size_t n) {
      std::vector<Id> out;
      if (from.empty()) return std::vector<Id>(n, Id{0});
      std::vector<std::size_t> carried(from.size()), added(from.size());
      for (const Rack& r : racks)
        for (std::size_t i = 0; i < from.size(); ++i)
          if (r.*feed == from[i]->id) ++carried[i];
      for (std::size_t k = 0; k < n; ++k) {
        const auto least = std::min_element(carried.begin(), carried.end()) - carried.begin();
        ++carried[static_cast<std::size_t>(least)];
        ++added[static_cast<std::size_t>(least)];
      }
      for (std::size_t i = 0; i < from.size(); ++i)
        out.insert(out.end(), added[i], from[i]->id);
      return out;
    };
    const std::size_t to_feed = q_.busways ? rows_used : total_racks;
    const auto feeds_a = shared_out(feeders_a, &Rack::feed_a, to_feed),
               feeds_b = shared_out(feeders_b, &Rack::feed_b, to_feed);
    if (q_.busways && (feeders_a.empty() || feeders_b.empty()))
      out.notes.push_back(
          "No distribution, UPS or transformer of feed A or B is drawn; the busways begin at nothing yet");
    if (!q_.busways && feeders_a.empty() && feeders_b.empty())
      out.notes.push_back("No busway or distribution unit is drawn; the racks have no feeds yet");

    std::size_t row_index = 0, rack_index = 0;
    Count row_number = 1;
    for (const auto& [bay_index, list] : by_bay) {
      const Bay& bay = floor_.bays[bay_index];
      const bool has_racks = holds_racks(list); // else CDUs alone
      Row row;
      if (has_racks) row.id = d.next_id++;
      do
        row.name = fmt::format("R{:02}", row_number++);
      while (used_names.contains(row.name));
      row.hall = hall_->id;
      Id busway_a = 0, busway_b = 0;
      std::size_t first_busway = power.size();
      if (q_.busways && has_racks) {
        double from = infinity, to = -infinity;
        double load_kw = 0;
        for (const Slot* s : list) {
          if (s->what == Slot::What::cdu) continue;
          from = std::min(from, s->from);
          to = std::max(to, s->from + (s->what == Slot::What::rack ? size_.rack_w : size_.fabric_w));
          load_kw += in_kilowatts(s->what == Slot::What::rack ? q_.power_per_rack : q_.power_per_fabric_rack);
        }
        const double level = std::max(assumed_mm(catalog_, "cabling.tray_height", 2700), size_.rack_h + busway_gap);
        for (const bool a : {true, false}) {
          PowerUnit u;
          u.id = d.next_id++;
          u.name = fmt::format("Busway {}{}", row.name, a ? "A" : "B");
          u.kind = PowerUnitKind::busway;
          u.hall = hall_->id;
          // A above the front third, B above the rear third of the racks.
          const double share = (a == bay.to_smaller_v) ? 1.0 / 3.0 : 2.0 / 3.0;
          const double bv = front_aligned(bay, size_.rack_d) + size_.rack_d * share - busway_depth / 2;
          const PlanBox strip = frame_.back({from, bv, to, bv + busway_depth});
          u.width = millimeters(frame_.swapped ? busway_depth : to - from);
          u.depth = millimeters(frame_.swapped ? to - from : busway_depth);
          u.x = millimeters(std::round(strip.x0 * 1e3) / 1e3);
          u.y = millimeters(std::round(strip.y0 * 1e3) / 1e3);
          u.elevation = millimeters(level);
          u.feed = a ? Feed::a : Feed::b;
          u.upstream = (a ? feeds_a : feeds_b)[row_index];
          // The next 10 kW above what one feed carries alone, at the share that it may carry for long.
          if (q_.power_per_rack > Power{})
            u.rating = kilowatts(
                std::ceil(load_kw * std::max(1.0, q_.power_margin) / q_.continuous_load_factor / 10.0 - 1e-9) * 10.0);
          (a ? busway_a : busway_b) = u.id;
          made_units.push_back({"power_units", u.id});
          power.push_back(std::move(u));
        }
        out.busways += static_cast<Count>(power.size() - first_busway);
      }
      Count number = 1, cdu_number = 1;
      std::vector<const Slot*> ordered = list;
      std::sort(ordered.begin(), ordered.end(), [](const Slot* a, const Slot* b) { return a->from < b->from; });
      for (const Slot* s : ordered) {
        if (s->what == Slot::What::cdu) {
          units.push_back(cdu(d.next_id++, fmt::format("CDU {}.{}", row.name, cdu_number++), loop, s->from,
                              front_aligned(bay, size_.cdu_d), bay.to_smaller_v));
          made_units.push_back({"cooling_units", units.back().id});
          ++out.cdus;
          continue;
        }
        const bool fabric = s->what == Slot::What::fabric;
        const double w = fabric ? size_.fabric_w : size_.rack_w, depth = fabric ? size_.fabric_d : size_.rack_d;
        Rack r;
        r.id = d.next_id++;
        r.name = fmt::format("{}-{:02}", row.name, number++);
        r.rack_type = fabric ? fabric_->id : type_->id;
        r.hall = hall_->id;
        r.row = row.id;
        const Corner c = corner(s->from, front_aligned(bay, depth), w, depth);
        r.x = c.x;
        r.y = c.y;
        r.rotation = degrees(frame_.degrees(bay.to_smaller_v));
        r.feed_a = q_.busways ? busway_a : feeds_a[rack_index];
        r.feed_b = q_.busways ? busway_b : feeds_b[rack_index];
        if (!fabric) r.loop = loop;
        out.entities.push_back({"racks", r.id});
        ++(fabric ? out.fabric_racks : out.racks);
        ++rack_index;
        racks.push_back(std::move(r));
      }
      if (!has_racks) continue;
      made_rows.push_back({"rows", row.id});
      rows.push_back(std::move(row));
      ++row_index;
    }
    if (cdu_ && q_.cdus == CduPlace::perimeter) {
      Count left = cdus, number = 1;
      for (const Span& s : floor_.perimeter)
        for (double u = s.from; left > 0 && u + size_.cdu_w <= s.to + hair; u += size_.cdu_w, --left) {
          units.push_back(cdu(d.next_id++, fmt::format("CDU {}.{}", find_name(loops, loop), number++), loop, u,
                              floor_.perimeter_v, false));
          made_units.push_back({"cooling_units", units.back().id});
          ++out.cdus;
        }
    }
    if (out.cdus < cdus) out.notes.push_back(fmt::format("{} of {} CDUs found a place", out.cdus, cdus));
    out.rows = static_cast<Count>(rows_used);
    out.pods = q_.pod_racks > 0 ? (n + q_.pod_racks - 1) / q_.pod_racks : 0;
    out.entities.insert(out.entities.end(), made_rows.begin(), made_rows.end());
    out.entities.insert(out.entities.end(), made_units.begin(), made_units.end());
    d.rows = share(std::move(rows));
    d.racks = share(std::move(racks));
    d.cooling_units = share(std::move(units));
    d.power_units = share(std::move(power));
    d.loops = share(std::move(loops));
    return out;
  }

  CoolingUnit cdu(Id id, std::string name, Id loop, double u, double v, bool to_smaller_v) const {
    CoolingUnit out;
    out.id = id;
    out.name = std::move(name);
    out.part = q_.cdu_part;
    out.hall = hall_->id;
    out.loop = loop;
    const Corner c = corner(u, v, size_.cdu_w, size_.cdu_d);
    out.x = c.x;
    out.y = c.y;
    out.rotation = degrees(frame_.degrees(to_smaller_v));
    return out;
  }
  template <class E>
  static std::string unused(const std::string& stem, const std::vector<E>& table, Count from) {
    for (Count i = from;; ++i) {
      const std::string name = stem + std::to_string(i);
      if (std::none_of(table.begin(), table.end(), [&](const E& e) { return e.name == name; })) return name;
    }
  }
  template <class E>
  static std::string find_name(const std::vector<E>& table, Id id) {
    const E* e = find(table, id);
    return e ? e->name : std::string();
  }

  const Design& base_;
  const Catalog& catalog_;
  const LayoutRequest& q_;
  Design design_;
  const RackType *type_ = nullptr, *fabric_ = nullptr;
  const Hall* hall_ = nullptr;
  const CoolingPart* cdu_ = nullptr;
  Sizes size_;
  double cold_ = 0, hot_ = 0;
  std::vector<PlanPoint> region_;
  Frame frame_;
  Floor floor_;
  std::vector<std::string> notes_;
  Count removed_ = 0;
};

} // namespace

tl::expected<LayoutOutcome, std::string> auto_layout(const Design& design, const Catalog& catalog,
                                                     const LayoutRequest& request) {
  return Planner(design, catalog, request).run();
}

Count layout_capacity(const Design& design, const Catalog& catalog, const LayoutRequest& request) {
  LayoutRequest any = request;
  any.as_many_as_fit = true;
  return Planner(design, catalog, any).most();
}

Edit layout_edit(const Design& design, const Shared<Catalog>& catalog, const LayoutRequest& request) {
  const RackType* type = find(*design.rack_types, request.rack_type);
  return {fmt::format("Lay out {} racks{}", request.count, type ? " " + type->name : std::string()),
          [catalog, request](const Design& d) -> Edited {
            auto made = auto_layout(d, *catalog, request);
            if (!made) return tl::make_unexpected(std::move(made.error()));
            return std::move(made->design);
          }};
}

tl::expected<RowFill, std::string> fill_row(const Design& design, const Catalog& catalog, Id row_id, Id rack_type,
                                            Count count) {
  const Row* row = find(*design.rows, row_id);
  if (!row) return tl::make_unexpected(fmt::format("Row: {} does not exist", row_id));
  const RackType* type = find(*design.rack_types, rack_type);
  if (!type) return tl::make_unexpected(fmt::format("Rack type: {} does not exist", rack_type));
  const Footprint size = rack_footprint(catalog, *type);
  if (!size.known)
    return tl::make_unexpected(
        fmt::format("Width or depth of rack type {} is not known; choose a rack part that states its size, or enter it",
                    type->name));
  const Rack* first = nullptr;
  PlanThing line;
  double low = infinity, high = -infinity;
  std::set<Id> own;
  Count number = 1;
  for (const Rack& r : *design.racks) {
    if (r.row != row_id) continue;
    const RackType* t = find(*design.rack_types, r.rack_type);
    const Footprint f = rack_footprint(catalog, t ? *t : RackType{});
    const PlanThing thing = plan_thing(r.x, r.y, f.width, f.depth, r.rotation);
    if (!first) first = &r, line = thing;
    if (!thing.square_on || std::abs(thing.front_x - line.front_x) > 0.5 ||
        std::abs(thing.front_y - line.front_y) > 0.5)
      return tl::make_unexpected(fmt::format(
          "The racks of {} do not all stand square and face one way; it cannot be filled as a row", row->name));
    const bool along_y = std::abs(line.front_x) > 0.5;
    low = std::min(low, along_y ? thing.box.y0 : thing.box.x0);
    high = std::max(high, along_y ? thing.box.y1 : thing.box.x1);
    own.insert(r.id);
    if (const std::size_t dash = r.name.rfind('-'); dash != std::string::npos) {
      const std::string digits = r.name.substr(dash + 1);
      if (!digits.empty() && digits.size() < 7 && digits.find_first_not_of("0123456789") == std::string::npos)
        number = std::max(number, static_cast<Count>(std::stoll(digits)) + 1);
    }
  }
  if (!first)
    return tl::make_unexpected(fmt::format("{} has no rack yet; place one, then it can be filled", row->name));
  const Hall* hall = find(*design.halls, first->hall);
  if (!hall) return tl::make_unexpected(fmt::format("{} stands in no hall", row->name));
  const Frame frame{std::abs(line.front_x) > 0.5, false, false};
  const bool to_smaller_v = (frame.swapped ? line.front_x : line.front_y) < 0;
  const double width = in_millimeters(size.width), depth = in_millimeters(size.depth);
  const PlanBox box = frame.box(line.box);
  const double v = to_smaller_v ? box.y0 : box.y1 - depth; // fronts in one line
  // The row itself is in nobody's way but its own racks' places.
  Design others = design;
  {
    std::vector<Rack> rest;
    for (const Rack& r : *design.racks)
      if (own.count(r.id) == 0) rest.push_back(r);
    others.racks = share(std::move(rest));
  }
  const Obstacles o = obstacles_of(others, catalog, *hall, frame);
  std::vector<PlanPoint> outline;
  for (const PlanPoint& p : hall->outline)
    outline.push_back(frame.point(p));
  const double cold = in_millimeters(hall->cold_aisle_minimum), hot = in_millimeters(hall->hot_aisle_minimum);
  const double before = to_smaller_v ? cold : hot, after = to_smaller_v ? hot : cold,
               end_gap = assumed_mm(catalog, "clearance.egress_width", 1200);
  Spans in_hall = strip_inside(outline, v, v + depth);
  for (Span& s : in_hall)
    s.from += end_gap, s.to -= end_gap;
  Spans free = common(in_hall, strip_inside(outline, v - before, v + depth + after));
  const auto cut = [&](const std::vector<PlanBox>& boxes, double from, double to) {
    for (const PlanBox& b : boxes)
      if (b.y0 < to - hair && b.y1 > from + hair) free = without(free, b.x0, b.x1);
  };
  cut(o.solid, v, v + depth);
  cut(o.keep_clear, v, v + depth);
  cut(o.in_aisle, v - before, v + depth + after);
  // Gaps between the row's racks first, then its far end, then its near end.
  Spans taken;
  for (const Rack& r : *design.racks)
    if (own.count(r.id) > 0) {
      const RackType* t = find(*design.rack_types, r.rack_type);
      const Footprint f = rack_footprint(catalog, t ? *t : RackType{});
      const PlanBox b = frame.box(plan_thing(r.x, r.y, f.width, f.depth, r.rotation).box);
      taken.push_back({b.x0, b.x1});
    }
  Spans open = free;
  for (const Span& s : taken)
    open = without(open, s.from, s.to);
  std::vector<double> places;
  for (const Span& s : open)
    if (s.from >= low - hair && s.to <= high + hair)
      for (double u = s.from; u + width <= s.to + hair; u += width)
        places.push_back(u);
  for (const Span& s : open)
    if (std::abs(s.from - high) <= hair)
      for (double u = s.from; u + width <= s.to + hair; u += width)
        places.push_back(u);
  for (const Span& s : open)
    if (std::abs(s.to - low) <= hair)
      for (double u = s.to - width; u >= s.from - hair; u -= width)
        places.push_back(u);
  if (static_cast<Count>(places.size()) > count) places.resize(static_cast<std::size_t>(std::max<Count>(0, count)));
  RowFill out{design, {}};
  std::vector<Rack> racks = *design.racks;
  for (const double u : places) {
    Rack r = *first;
    r.id = out.design.next_id++;
    r.name = fmt::format("{}-{:02}", row->name, number++);
    r.rack_type = rack_type;
    r.locked = false;
    r.group = 0;
    const auto tidy = [](double mm) { return millimeters(std::round(mm * 1e3) / 1e3 + 0.0); };
    if (frame.swapped)
      r.x = tidy(v + depth / 2 - width / 2), r.y = tidy(u + width / 2 - depth / 2);
    else
      r.x = tidy(u), r.y = tidy(v);
    out.entities.push_back({"racks", r.id});
    racks.push_back(std::move(r));
  }
  out.design.racks = share(std::move(racks));
  return out;
}

} // namespace hallwright
