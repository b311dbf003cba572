// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/footprints.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace hallwright {
namespace {

// Drawn, dashed, where nothing says how large a thing is.
constexpr Length stand_in_width = millimeters(600), stand_in_depth = millimeters(1200),
                 stand_in_height = millimeters(2000);

using Size = std::optional<Length>;
Size first_known(const Size& own, const Size& part) { return own ? own : part; }

/// Width and depth decide whether the footprint is known; a missing height is stood in for silently, since nothing
/// on the plan depends on it.
Footprint footprint(const Size& width, const Size& depth, const Size& height) {
  Footprint out;
  out.width = width.value_or(stand_in_width);
  out.depth = depth.value_or(stand_in_depth);
  out.height = height.value_or(stand_in_height);
  out.known = width.has_value() && depth.has_value();
  return out;
}

} // namespace

Footprint rack_footprint(const Catalog& catalog, const RackType& type) {
  const RackPart* part = catalog.find<RackPart>(type.rack_part);
  return footprint(first_known(type.width, part ? part->width : Size{}),
                   first_known(type.depth, part ? part->depth : Size{}),
                   first_known(type.height, part ? part->height : Size{}));
}

Footprint power_unit_footprint(const Catalog& catalog, const PowerUnit& unit) {
  const PowerPart* part = catalog.find<PowerPart>(unit.part);
  return footprint(first_known(unit.width, part ? part->width : Size{}),
                   first_known(unit.depth, part ? part->depth : Size{}), part ? part->height : Size{});
}

Footprint cooling_unit_footprint(const Catalog& catalog, const CoolingUnit& unit) {
  const CoolingPart* part = catalog.find<CoolingPart>(unit.part);
  return footprint(first_known(unit.width, part ? part->width : Size{}),
                   first_known(unit.depth, part ? part->depth : Size{}), part ? part->height : Size{});
}

FootprintSizes footprint_sizes(const Design& design, const Catalog& catalog, const std::vector<EntityRef>& what) {
  FootprintSizes out;
  for (const EntityRef& ref : what) {
    if (ref.table == "racks") {
      const Rack* rack = find(*design.racks, ref.id);
      if (!rack) continue;
      const RackType* type = find(*design.rack_types, rack->rack_type);
      const Footprint f = rack_footprint(catalog, type ? *type : RackType{});
      out[ref] = {f.width, f.depth};
    } else if (ref.table == "power_units") {
      if (const PowerUnit* unit = find(*design.power_units, ref.id)) {
        const Footprint f = power_unit_footprint(catalog, *unit);
        out[ref] = {f.width, f.depth};
      }
    } else if (ref.table == "cooling_units") {
      if (const CoolingUnit* unit = find(*design.cooling_units, ref.id)) {
        const Footprint f = cooling_unit_footprint(catalog, *unit);
        out[ref] = {f.width, f.depth};
      }
    } else if (ref.table == "structures") {
      if (const Structure* structure = find(*design.structures, ref.id))
        out[ref] = {structure->width, structure->depth};
    } else if (ref.table == "containments") {
      if (const Containment* containment = find(*design.containments, ref.id))
        out[ref] = {containment->width, containment->depth};
    }
  }
  return out;
}

PlanBox plan_box(Length x, Length y, Length width, Length depth, Angle rotation) {
  const double w = in_millimeters(width), d = in_millimeters(depth);
  const double cx = in_millimeters(x) + w / 2.0, cy = in_millimeters(y) + d / 2.0;
  // A quarter turn changes the sides over exactly; sines of such angles leave dust.
  const double quarters = in_degrees(rotation) / 90.0;
  double half_w = w / 2.0, half_d = d / 2.0;
  if (std::abs(quarters - std::round(quarters)) < 1e-9) {
    if (std::fmod(std::abs(std::round(quarters)), 2.0) == 1.0) std::swap(half_w, half_d);
  } else {
    const double radians = quarters * 1.5707963267948966;
    const double c = std::abs(std::cos(radians)), s = std::abs(std::sin(radians));
    const double turned_w = half_w * c + half_d * s, turned_d = half_w * s + half_d * c;
    half_w = turned_w;
    half_d = turned_d;
  }
  return {cx - half_w, cy - half_d, cx + half_w, cy + half_d};
}

} // namespace hallwright
