// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "assumption_of.h"
#include "space/space.h"

/// One hall of 20 m x 10 m with a few things in it, and a catalog whose numbers the tests work with by hand.
namespace hallwright::test {

inline const Shared<Catalog>& small_catalog() {
  static const Shared<Catalog> catalog = [] {
    Catalog c;
    NodePart node;
    node.id = "eight";
    node.name = "Eight-GPU node";
    node.mass = kilograms(130.45);
    NodePart vague;
    vague.id = "vague";
    vague.name = "Vague node";
    c.nodes = {node, vague};
    RackPart cabinet, heavy;
    cabinet.id = "cabinet";
    cabinet.name = "Cabinet";
    cabinet.width = millimeters(600);
    cabinet.depth = millimeters(1200);
    cabinet.height = millimeters(2000);
    cabinet.empty_mass = kilograms(134.09);
    heavy.id = "heavy";
    heavy.name = "Heavy rack";
    heavy.width = millimeters(600);
    heavy.depth = millimeters(1200);
    heavy.height = millimeters(2000);
    heavy.populated_mass_low = kilograms(1250);
    heavy.populated_mass_high = kilograms(1360);
    c.racks = {cabinet, heavy};
    CoolingPart cdu;
    cdu.id = "cdu";
    cdu.name = "CDU";
    cdu.width = millimeters(900);
    cdu.depth = millimeters(1200);
    cdu.height = millimeters(2000);
    cdu.mass = kilograms(3100);
    c.cooling = {cdu};
    c.assumptions = {assumption_of("cabling.tray_height", 2.7, "m"),
                     assumption_of("clearance.accessible_route", 0.914, "m"),
                     assumption_of("clearance.cdu_service", 0.914, "m"),
                     assumption_of("clearance.clear_height", 4.5, "m"),
                     assumption_of("clearance.clear_height_least", 3.65, "m"),
                     assumption_of("clearance.cold_aisle_minimum", 1.2, "m"),
                     assumption_of("clearance.delivery_height", 2.75, "m"),
                     assumption_of("clearance.delivery_width", 1.6, "m"),
                     assumption_of("clearance.egress_width", 1.2, "m"),
                     assumption_of("clearance.electrical_working_depth", 1.067, "m"),
                     assumption_of("clearance.electrical_working_depth_facing", 1.219, "m"),
                     assumption_of("clearance.electrical_working_width", 0.762, "m"),
                     assumption_of("clearance.exit_door", 0.8, "m"),
                     assumption_of("clearance.front_to_rear", 2.4, "m"),
                     assumption_of("clearance.hot_aisle", 1.2, "m"),
                     assumption_of("clearance.overhead", 2.4, "m"),
                     assumption_of("clearance.rack_front_service", 0.914, "m"),
                     assumption_of("clearance.rack_rear_service", 0.762, "m"),
                     assumption_of("delivery.packing_depth", 0.2, "m"),
                     assumption_of("delivery.packing_height", 0.2, "m"),
                     assumption_of("delivery.packing_width", 0.2, "m"),
                     assumption_of("delivery.play", 0.1, "m"),
                     assumption_of("floor.rack_feet", 4, "1"),
                     assumption_of("floor.structural_bay", 3.0, "m"),
                     assumption_of("floor.tilt_factor", 1.25, "1"),
                     assumption_of("space.dead_end_limit", 10, "1"),
                     assumption_of("space.row_length_limit", 20, "1")};
    return share(std::move(c));
  }();
  return catalog;
}

inline SpaceInputs space_inputs(const Design& d) {
  return {d.site,          d.halls,         d.structures, d.rack_types,   d.rack_items, d.racks, d.power_units,
          d.cooling_units, small_catalog(), d.zones,      d.containments, d.trays,      d.pipes};
}
inline SpaceResult space_of(const Design& d) { return space(space_inputs(d), PopulationResult{}); }

inline Rack rack_at(Id id, double x, double y, double degrees_clockwise = 0, Id type = 1, Id row = 0) {
  Rack r;
  r.id = id;
  r.name = "R" + std::to_string(id);
  r.rack_type = type;
  r.hall = 5;
  r.row = row;
  r.x = millimeters(x);
  r.y = millimeters(y);
  r.rotation = degrees(degrees_clockwise);
  return r;
}

inline Structure structure_at(Id id, StructureKind kind, double x, double y, double width, double depth,
                              double degrees_clockwise = 0) {
  Structure s;
  s.id = id;
  s.name = "S" + std::to_string(id);
  s.kind = kind;
  s.hall = 5;
  s.x = millimeters(x);
  s.y = millimeters(y);
  s.width = millimeters(width);
  s.depth = millimeters(depth);
  s.rotation = degrees(degrees_clockwise);
  return s;
}

/// A hall of 20 m x 10 m; type 1: cabinet with four nodes, 655.89 kg; type 2: heavy rack of 1,360 kg; type 3: fabric.
inline Design hall_with(std::vector<Rack> racks, std::vector<Structure> structures = {}) {
  Design d;
  Hall hall;
  hall.id = 5;
  hall.name = "Hall A";
  hall.outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}};
  d.halls = share(std::vector{hall});
  RackType air, heavy, fabric, nameless;
  air.id = 1;
  air.name = "Air";
  air.rack_part = "cabinet";
  heavy.id = 2;
  heavy.name = "Heavy";
  heavy.rack_part = "heavy";
  fabric.id = 3;
  fabric.name = "Fabric";
  fabric.role = RackRole::fabric;
  fabric.rack_part = "cabinet";
  nameless.id = 4;
  nameless.name = "No size";
  d.rack_types = share(std::vector{air, heavy, fabric, nameless});
  RackItem nodes;
  nodes.id = 11;
  nodes.rack_type = 1;
  nodes.part = "eight";
  nodes.count = 4;
  d.rack_items = share(std::vector{nodes});
  std::sort(racks.begin(), racks.end(), [](const Rack& a, const Rack& b) { return a.id < b.id; });
  d.racks = share(std::move(racks));
  d.structures = share(std::move(structures));
  d.next_id = 100000;
  return d;
}

inline std::vector<Finding> findings_of(const Design& d) {
  const SpaceResult s = space_of(d);
  Figures figures;
  figures.add(s);
  return run_rules({d, *small_catalog(), figures}, space_rules());
}
inline Count found(const std::vector<Finding>& findings, std::string_view code) {
  return std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
}
inline Count found(const Design& d, std::string_view code) { return found(findings_of(d), code); }
inline Finding the(const Design& d, std::string_view code) {
  for (const Finding& f : findings_of(d))
    if (f.code == code) return f;
  throw std::runtime_error("no finding " + std::string(code));
}
inline const Figure& figure_of(const SpaceResult& s, std::string_view id) {
  const Figure* f = s.page->find(id);
  if (!f) throw std::runtime_error("no figure " + std::string(id));
  return *f;
}
/// "" when every remedy of the one finding of `code` can be applied and clears it, else what is wrong.
inline std::string remedies_clear(const Design& d, std::string_view code, std::size_t at_least = 1) {
  const Finding f = the(d, code);
  const Count before = found(d, code);
  if (f.remedies.size() < at_least) return "only " + std::to_string(f.remedies.size()) + " remedies: " + f.message;
  for (const Remedy& r : f.remedies) {
    const Edited after = r.edit.apply(d);
    if (!after) return r.edit.label + " refuses: " + after.error();
    if (const Count left = found(*after, code); left >= before)
      return r.edit.label + " leaves " + std::to_string(left) + " of " + std::to_string(before) + " " +
             std::string(code);
  }
  return {};
}
/// A design with one field's table changed.
template <class E, class F>
Design with(Design d, Shared<std::vector<E>> Design::*table, F&& change) {
  std::vector<E> copy = *(d.*table);
  change(copy);
  d.*table = share(std::move(copy));
  return d;
}

} // namespace hallwright::test
