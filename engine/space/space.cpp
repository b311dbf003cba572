// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/space.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "ledger/ledger.h"
#include "space/aisles.h"
#include "space/clearances.h"
#include "space/delivery_path.h"
#include "space/floor_load.h"
#include "space/floor_plan.h"
#include "space/rack_distances.h"
#include "space/rack_elevation.h"

namespace hallwright {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

void add_hall_area(Ledger& ledger, SpaceResult& out, const std::vector<Hall>& halls) {
  std::vector<Traced<Area>> areas;
  for (const Hall& hall : halls)
    areas.push_back(ledger.measured<Area>(
        fmt::format("space.hall.{}.area", hall.id), "Floor area, " + hall.name,
        square_meters(outline_area(hall.outline) * 1e-6),
        fmt::format("outline of {} with {} corners in the drawing", hall.name, hall.outline.size())));
  out.hall_area = areas.empty() ? ledger.absent<Area>("space.hall_area", "Floor area of the halls",
                                                      Completeness::not_applicable, "no hall is drawn")
                                : ledger.sum("space.hall_area", "Floor area of the halls", areas);
}

} // namespace

SpaceResult space(const SpaceInputs& in, const PopulationResult& population, const std::stop_token& stop) {
  return space(in, population,
               share(routes({in.rack_types, in.rack_items, in.racks, in.power_units, in.cooling_units,
                             share(std::vector<Tray>{}), share(std::vector<Pipe>{}), in.catalog})),
               stop);
}

SpaceResult space(const SpaceInputs& in, const PopulationResult&, const Shared<RouteResult>& routed,
                  const std::stop_token& stop) {
  Ledger ledger(Page::space);
  SpaceResult out;
  out.routes = routed;
  const auto& racks = *in.racks;
  const auto& halls = *in.halls;
  const auto& types = *in.rack_types;
  const FloorPlan plan = floor_plan(in);
  if (stop.stop_requested()) return out;
  const std::vector<RackMass> masses = rack_masses(ledger, *in.catalog, types, *in.rack_items);
  // Who stands in whose place, and what racks look at.
  if (stop.stop_requested()) return out;
  const PlanGrid grid(plan.things);
  if (stop.stop_requested()) return out;
  const auto sharing = grid.sharing(stop);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [a, b] : sharing) {
    if (plan.things[a].hall < 0 || (a >= plan.first_structure && b >= plan.first_structure)) continue;
    if (plan.is_structure(b, StructureKind::spreader) || plan.is_structure(b, StructureKind::no_go))
      continue; // plates carry; areas are told of elsewhere
    if (plan.bottom[a] >= plan.top[b] || plan.bottom[b] >= plan.top[a]) continue; // one hangs above the other
    pairs.emplace_back(a, b);
  }
  std::vector<std::uint32_t> overlaps_with(racks.size(), 0xffffffff);
  for (const auto& [a, b] : pairs) {
    if (a < racks.size() && overlaps_with[a] == 0xffffffff) overlaps_with[a] = b;
    if (b < racks.size() && overlaps_with[b] == 0xffffffff) overlaps_with[b] = a;
  }
  const Outlook outlook(plan, grid, halls);
  const Faces faces = faces_of(plan, outlook, stop);
  if (stop.stop_requested()) return out;
  FloorLoads loads = floor_loads(ledger, in, plan, faces, masses, out);
  if (stop.stop_requested()) return out;
  auto ref_of = [&](std::uint32_t i) { return plan.ref(i, racks); };
  auto name_of = [&](std::uint32_t i) { return plan.name(i, racks); };
  const auto aisles = aisles_of(plan, faces, racks);
  if (stop.stop_requested()) return out;

  Table aisles_here = aisle_table(ledger, in, plan, aisles, out);
  add_hall_area(ledger, out, halls);
  if (!add_routed_distances(ledger, out, in, *routed)) add_distances(ledger, in, plan, out);
  if (stop.stop_requested()) return out;

  rack_service(ledger, in, plan, faces);
  if (stop.stop_requested()) return out;
  Table clear_table = clearances(ledger, in, plan, grid, outlook, faces, sharing, stop);
  if (stop.stop_requested()) return out;
  DeliveryResult ways = delivery(ledger, in, plan, loads, stop);
  if (stop.stop_requested()) return out;
  Table egress_table = egress(ledger, in, plan, faces, outlook, stop);
  if (stop.stop_requested()) return out;

  // Rack by rack.
  Table table;
  table.id = "space.racks";
  table.title = "Racks on the floor";
  table.entity_table = "racks";
  const std::size_t n = racks.size();
  table.entities.reserve(n);
  table.row_figures.reserve(n);
  out.places.reserve(n);
  std::vector<std::string> names(n), type_names(n), hall_names(n), notes(n);
  std::vector<double> rows(n), x(n), y(n), mass(n, unknown_number), load(n, unknown_number), foot(n, unknown_number),
      outside(n), overlapping(n);
  std::vector<double> front(n), rear(n), rolling(n, unknown_number);
  std::vector<std::string> zone_names(rows_of(in.zones).empty() ? 0 : n);
  // What does not hold every part is no number to colour a rack with.
  auto complete = [](const auto& traced) {
    return traced.has_value() && traced.completeness != Completeness::lower_bound ? base_value(traced.value)
                                                                                  : unknown_number;
  };
  std::vector<double> complete_masses(loads.on_floor.size()), complete_feet(loads.on_floor.size());
  for (std::size_t i = 0; i < loads.on_floor.size(); ++i)
    complete_masses[i] = complete(loads.on_floor[i].mass), complete_feet[i] = complete(loads.on_floor[i].point_load);
  for (std::size_t i = 0; i < n; ++i) {
    if (stop.stop_requested()) return out;
    const PlanThing& t = plan.things[i];
    RackPlace p;
    p.rack = racks[i].id;
    p.rack_type = racks[i].rack_type;
    p.hall = racks[i].hall;
    p.center_x_mm = t.center_x;
    p.center_y_mm = t.center_y;
    p.floor_load_kg_m2 = unknown_number;
    p.outside = t.hall >= 0 && !inside_outline(t, halls[static_cast<std::size_t>(t.hall)].outline);
    p.overlapping = overlaps_with[i] != 0xffffffff;
    names[i] = racks[i].name;
    if (plan.type_of[i] >= 0) {
      const auto ti = static_cast<std::size_t>(plan.type_of[i]);
      type_names[i] = types[ti].name;
      const auto f = static_cast<std::size_t>(loads.floor_index[ti]);
      p.floor_load_kg_m2 = loads.floor_load[i];
      mass[i] = complete_masses[f];
      foot[i] = loads.point_load[i];
      rolling[i] = complete_feet[f];
      table.row_figures.push_back(loads.figures[loads.figure[i]]);
      if (!plan.footprints[ti].known) notes[i] = "size not known";
    } else {
      table.row_figures.emplace_back();
      notes[i] = "no rack type";
    }
    if (t.hall >= 0) hall_names[i] = halls[static_cast<std::size_t>(t.hall)].name;
    if (p.outside) notes[i] += notes[i].empty() ? "outside the hall" : "; outside the hall";
    if (p.overlapping) notes[i] += (notes[i].empty() ? "overlaps " : "; overlaps ") + name_of(overlaps_with[i]);
    load[i] = p.floor_load_kg_m2;
    front[i] = faces.front[i].clear * 1e-3;
    rear[i] = faces.rear[i].clear * 1e-3;
    if (plan.zone_of[i] >= 0) zone_names[i] = rows_of(in.zones)[static_cast<std::size_t>(plan.zone_of[i])].name;
    rows[i] = racks[i].row ? static_cast<double>(racks[i].row) : unknown_number;
    x[i] = in_meters(racks[i].x);
    y[i] = in_meters(racks[i].y);
    outside[i] = p.outside;
    overlapping[i] = p.overlapping;
    table.entities.push_back(racks[i].id);
    out.places.push_back(p);
  }
  table.add_words("rack", "Rack").words = std::move(names);
  table.add_words("type", "Type").words = std::move(type_names);
  table.add_words("hall", "Hall").words = std::move(hall_names);
  table.add_numbers("row", "Row id", kind::count).numbers = std::move(rows);
  table.add_numbers("x", "x", kind::length, "mm").numbers = std::move(x);
  table.add_numbers("y", "y", kind::length, "mm").numbers = std::move(y);
  auto& mass_column = table.add_numbers("mass", "Mass", kind::mass, "kg");
  mass_column.numbers = std::move(mass);
  mass_column.formula = "as the rack type or its part states it, else cabinet and content";
  auto& load_column = table.add_numbers("floor_load", "Floor load", kind::areal_density, "kg/m2");
  load_column.numbers = std::move(load);
  load_column.formula = "mass over the footprint and half of each adjoining aisle as drawn, within the structural bay";
  table.add_numbers("point_load", "Load on one foot", kind::mass, "kg").numbers = std::move(foot);
  table.add_numbers("rolling_load", "Load of one caster on the move", kind::mass, "kg").numbers = std::move(rolling);
  auto& front_column = table.add_numbers("front_clear", "Free ahead", kind::length, "mm");
  front_column.numbers = std::move(front);
  front_column.formula = "straight ahead of the front to the next thing or wall, up to 3 m";
  table.add_numbers("rear_clear", "Free behind", kind::length, "mm").numbers = std::move(rear);
  table.add_numbers("reached", "Reached by delivery (1: yes)", kind::count).numbers = std::move(ways.width);
  if (!zone_names.empty()) table.add_words("zone", "Zone").words = std::move(zone_names);
  table.add_numbers("outside", "Outside (1: yes)", kind::count).numbers = std::move(outside);
  table.add_numbers("overlapping", "Overlapping (1: yes)", kind::count).numbers = std::move(overlapping);
  table.add_words("note", "Note").words = std::move(notes);

  Table collisions;
  collisions.id = "space.overlaps";
  collisions.title = "Things that stand in one place";
  {
    std::vector<std::string> first_tables, second_tables, first_names, second_names, where;
    std::vector<double> first_ids, second_ids;
    for (const auto& [a, b] : pairs) {
      const EntityRef ra = ref_of(a), rb = ref_of(b);
      first_names.push_back(name_of(a));
      second_names.push_back(name_of(b));
      where.push_back(halls[static_cast<std::size_t>(plan.things[a].hall)].name);
      first_ids.push_back(static_cast<double>(ra.id));
      second_ids.push_back(static_cast<double>(rb.id));
      first_tables.push_back(ra.table);
      second_tables.push_back(rb.table);
    }
    collisions.add_words("first", "First").words = std::move(first_names);
    collisions.add_words("second", "Second").words = std::move(second_names);
    collisions.add_words("hall", "Hall").words = std::move(where);
    collisions.add_words("first_table", "Kind of the first").words = std::move(first_tables);
    collisions.add_numbers("first_id", "Id of the first", kind::count).numbers = std::move(first_ids);
    collisions.add_words("second_table", "Kind of the second").words = std::move(second_tables);
    collisions.add_numbers("second_id", "Id of the second", kind::count).numbers = std::move(second_ids);
  }

  if (stop.stop_requested()) return out;
  std::vector<Table> tables;
  tables.push_back(std::move(table));
  tables.push_back(std::move(aisles_here));
  tables.push_back(std::move(clear_table));
  tables.push_back(std::move(ways.table));
  tables.push_back(std::move(egress_table));
  tables.push_back(std::move(loads.plant));
  tables.push_back(std::move(collisions));
  add_route_figures(ledger, tables, in, *routed);
  if (stop.stop_requested()) return out;
  add_rack_elevations(ledger, in, masses, tables);
  out.page = ledger.finish_page();
  out.tables = share(std::move(tables));
  return out;
}

std::vector<AnyFormula> space_stage_formulas() {
  std::vector<AnyFormula> out = floor_load_formulas();
  for (AnyFormula& f : rack_distance_formulas())
    out.push_back(std::move(f));
  for (AnyFormula& f : delivery_formulas())
    out.push_back(std::move(f));
  for (AnyFormula& f : rack_elevation_formulas())
    out.push_back(std::move(f));
  return out;
}

} // namespace hallwright
