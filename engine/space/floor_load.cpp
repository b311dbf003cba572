// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/floor_load.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "ledger/formula_range.h"
#include "ledger/ledger.h"
#include "space/design_value.h"
#include "space/formulas.h"

namespace hallwright {
namespace {

// Sizes and aisles are stated, only masses may be incomplete: more mass is more load, so that "at least" stays so.
constinit const Formula<ArealDensity, Mass, Length, Length, Length> rack_floor_load{
    .name = "rack_floor_load",
    .text = "mass / (width * (depth + aisle_share))",
    .source = "uniform load over the footprint and half of each adjoining aisle; raised floor practice",
    .parameters = {"mass", "width", "depth", "aisle_share"},
    .function = [](Mass mass, Length width, Length depth,
                   Length aisle_share) { return floor_uniform_load.function(mass, width, depth, aisle_share); },
    .estimate = true,
    .monotone = Monotone::increasing,
};

constinit const Formula<Mass, Mass, Count, double> rack_point_load{
    .name = "rack_point_load",
    .text = "mass / feet * tilt_factor",
    .source = "raised floor practice, 25 % for tilt",
    .parameters = {"mass", "feet", "tilt_factor"},
    .function = [](Mass mass, Count feet,
                   double tilt_factor) { return caster_point_load.function(mass, feet, tilt_factor); },
    .estimate = true,
    .monotone = Monotone::increasing,
};

constinit const Formula<Length, Length, Length, Length> aisle_share_of_rack{
    .name = "aisle_share_of_rack",
    .text = "min(half_of_aisles, structural_bay - depth), not below 0",
    .source = "half of each adjoining aisle as drawn, limited by the structural bay; raised floor practice",
    .parameters = {"half_of_aisles", "structural_bay", "depth"},
    .function = [](Length half_of_aisles, Length structural_bay, Length depth) -> Result<Length> {
      if (auto wrong = violated({not_negative("half_of_aisles", half_of_aisles),
                                 not_negative("structural_bay", structural_bay), not_negative("depth", depth)}))
        return *wrong;
      return std::max(Length{}, std::min(half_of_aisles, structural_bay - depth));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Mass, Mass, double, Length, Area> spreader_point_load{
    .name = "spreader_point_load",
    .text = "mass * tilt_factor * tile_width^2 / (2 * plate_area)",
    .source = "beam theory: a load spread over a tile bends it half as much as the same load at its middle",
    .parameters = {"mass", "tilt_factor", "tile_width", "plate_area"},
    .function = [](Mass mass, double tilt_factor, Length tile_width, Area plate_area) -> Result<Mass> {
      if (auto wrong = violated({not_negative("mass", mass), at_least("tilt_factor", tilt_factor, 1),
                                 above_zero("tile_width", tile_width), above_zero("plate_area", plate_area)}))
        return *wrong;
      const double share_of_tile = tile_width * tile_width / (2.0 * plate_area);
      return mass * tilt_factor * share_of_tile;
    },
    .estimate = true,
    .monotone = Monotone::increasing,
};

constinit const Formula<ArealDensity, ArealDensity, ArealDensity> larger_floor_load{
    .name = "larger_floor_load",
    .text = "max(first, second)",
    .source = "the larger of two",
    .parameters = {"first", "second"},
    .function = [](ArealDensity first, ArealDensity second) -> Result<ArealDensity> { return std::max(first, second); },
};

template <auto RackMember>
Traced<Length> side(Ledger& ledger, const Catalog& catalog, const RackType& type, const std::optional<Length>& own,
                    Traced<Length> own_leaf) {
  if (own) return own_leaf;
  if (const RackPart* part = catalog.find<RackPart>(type.rack_part))
    return part_value<RackMember>(ledger, catalog, *part);
  return own_leaf;
}

/// The largest of several, pair by pair, so that an incomplete one keeps the answer incomplete.
template <class Q>
Traced<Q> largest(Ledger& ledger, const std::string& id, const std::string& label, const Formula<Q, Q, Q>& larger,
                  const std::vector<Traced<Q>>& of) {
  if (of.size() == 1) return ledger.as<Q>(id, label, of[0]);
  Traced<Q> so_far = of[0];
  for (std::size_t i = 1; i < of.size(); ++i) {
    const bool last = i + 1 == of.size();
    so_far = ledger.derive(last ? id : fmt::format("{}.first_{}", id, i + 1),
                           last ? label : fmt::format("{}, of the first {}", label, i + 1), larger, so_far, of[i]);
  }
  return so_far;
}

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();
// What does not hold every part is no number to colour a rack with.
template <class Q>
double complete(const Traced<Q>& traced) {
  return traced.has_value() && traced.completeness != Completeness::lower_bound ? base_value(traced.value)
                                                                                : unknown_number;
}

/// Ratings of a floor: those of the zone, else of the hall, else of the site.
struct Ratings {
  Ledger& ledger;
  const SpaceInputs& in;
  Traced<ArealDensity> uniform(const FloorArea& a) const {
    if (a.zone && a.zone->floor_rating)
      return design_value<&Zone::floor_rating>(ledger, "zones", *a.zone, a.zone->name);
    if (a.hall && a.hall->floor_rating)
      return design_value<&Hall::floor_rating>(ledger, "halls", *a.hall, a.hall->name);
    return design_value<&Site::floor_rating>(ledger, "site", *in.site);
  }
  Traced<Mass> point(const FloorArea& a) const {
    if (a.zone && a.zone->point_load_rating)
      return design_value<&Zone::point_load_rating>(ledger, "zones", *a.zone, a.zone->name);
    if (a.hall && a.hall->tile_point_load)
      return design_value<&Hall::tile_point_load>(ledger, "halls", *a.hall, a.hall->name);
    return design_value<&Site::point_load_rating>(ledger, "site", *in.site);
  }
  Traced<Mass> rolling(const Hall& hall) const {
    if (hall.tile_rolling_load) return design_value<&Hall::tile_rolling_load>(ledger, "halls", hall, hall.name);
    if (in.site->rolling_load_rating) return design_value<&Site::rolling_load_rating>(ledger, "site", *in.site);
    return design_value<&Site::point_load_rating>(ledger, "site", *in.site);
  }
};

/// Plates under racks: for each rack the index of the structure that carries all of its footprint, -1: none.
std::vector<std::int32_t> plates_of(const FloorPlan& plan) {
  std::vector<std::int32_t> out(plan.racks, -1);
  for (std::size_t s = plan.first_structure; s < plan.things.size(); ++s) {
    if (!plan.is_structure(static_cast<std::uint32_t>(s), StructureKind::spreader)) continue;
    const PlanThing& plate = plan.things[s];
    for (std::size_t i = 0; i < plan.racks; ++i) {
      const PlanThing& t = plan.things[i];
      if (t.hall != plate.hall || !t.box.overlaps(plate.box)) continue;
      bool on_it = true;
      for (const double u : {-1.0, 1.0})
        for (const double v : {-1.0, 1.0}) {
          const double dx = t.center_x + t.axis_x * u * t.half_width - t.axis_y * v * t.half_depth - plate.center_x;
          const double dy = t.center_y + t.axis_y * u * t.half_width + t.axis_x * v * t.half_depth - plate.center_y;
          on_it = on_it && std::abs(dx * plate.axis_x + dy * plate.axis_y) <= plate.half_width + 1.0 &&
                  std::abs(-dx * plate.axis_y + dy * plate.axis_x) <= plate.half_depth + 1.0;
        }
      if (on_it) out[i] = static_cast<std::int32_t>(s);
    }
  }
  return out;
}

template <class Q>
std::pair<int, double> urgency_of(const Traced<Q>& load, const Traced<Q>& rating) {
  const double limit = base_value(rating.value);
  const double share = limit > 0 ? base_value(load.value) / limit : std::numeric_limits<double>::infinity();
  return {share > 1.0 ? 2 : load.completeness == Completeness::lower_bound ? 1 : 0, share};
}

/// The one that uses most of its floor, as a figure of its own with its limit.
template <class Q>
Traced<Q> most_used(Ledger& ledger, const std::string& id, const std::string& label,
                    const std::vector<std::pair<Traced<Q>, Traced<Q>>>& of) {
  const auto chosen = std::max_element(of.begin(), of.end(), [](const auto& a, const auto& b) {
    return urgency_of(a.first, a.second) < urgency_of(b.first, b.second);
  });
  auto out = ledger.as<Q>(id, label, chosen->first);
  ledger.limit(out, chosen->second, LimitSense::at_most);
  return out;
}

/// Power and cooling units that stand in halls.
void add_plant(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const Faces& faces, const Ratings& ratings,
               const Traced<Count>& feet, const Traced<double>& tilt, const Traced<Length>& bay, FloorLoads& loads) {
  Table& table = loads.plant;
  table.id = "space.plant";
  table.title = "Plant on the floor";
  std::vector<std::string> names, tables, halls;
  std::vector<double> ids, hall_ids, mass, load, foot;
  for (std::size_t i = plan.racks; i < plan.first_structure; ++i) {
    if (plan.bottom[i] > 0) continue; // hangs
    const ThingSource source = plan.sources[i - plan.racks];
    const EntityRef& ref = plan.refs[i - plan.racks];
    const PlanThing& t = plan.things[i];
    const Hall& hall = (*in.halls)[static_cast<std::size_t>(t.hall)];
    FloorArea area{
        &hall, plan.zone_of[i] >= 0 ? &rows_of(in.zones)[static_cast<std::size_t>(plan.zone_of[i])] : nullptr, {}, {}};
    const std::string name = plan.name(static_cast<std::uint32_t>(i), *in.racks),
                      stem = fmt::format("space.{}.{}", ref.table, ref.id);
    Traced<Mass> m;
    bool known = false;
    if (source.power) {
      if (const PowerPart* part = in.catalog->find<PowerPart>(source.power->part); part && part->mass)
        m = part_value<&PowerPart::mass>(ledger, *in.catalog, *part), known = true;
    } else if (const CoolingPart* part = in.catalog->find<CoolingPart>(source.cooling->part); part && part->mass) {
      m = part_value<&CoolingPart::mass>(ledger, *in.catalog, *part), known = true;
    }
    names.push_back(name);
    tables.push_back(ref.table);
    ids.push_back(static_cast<double>(ref.id));
    halls.push_back(hall.name);
    hall_ids.push_back(static_cast<double>(hall.id));
    mass.push_back(known ? base_value(m.value) : unknown_number);
    load.push_back(unknown_number);
    foot.push_back(unknown_number);
    if (!known) continue;
    const double depth =
        2 * (std::abs(t.axis_x * t.front_x + t.axis_y * t.front_y) > 0.5 ? t.half_width : t.half_depth);
    const double width =
        2 * (std::abs(t.axis_x * t.front_x + t.axis_y * t.front_y) > 0.5 ? t.half_depth : t.half_width);
    const auto d =
        ledger.measured<Length>(stem + ".depth", "Depth of " + name, millimeters(depth), "footprint in the drawing");
    const auto w =
        ledger.measured<Length>(stem + ".width", "Width of " + name, millimeters(width), "footprint in the drawing");
    const auto half = ledger.measured<Length>(stem + ".half_of_aisles", "Half of the floor before and behind " + name,
                                              millimeters(aisle_share_mm(faces.front[i], faces.rear[i], 0, 1e9)),
                                              "clear floor in the drawing, up to 3 m each");
    const auto share_of = ledger.derive(stem + ".aisle_share", "Floor that carries " + name + " with its footprint",
                                        aisle_share_of_rack, half, bay, d);
    const auto spread = ledger.derive(stem + ".floor_load", "Floor load, " + name, rack_floor_load, m, w, d, share_of);
    ledger.limit(spread, ratings.uniform(area), LimitSense::at_most);
    const auto point = ledger.derive(stem + ".point_load", "Load on one foot, " + name, rack_point_load, m, feet, tilt);
    ledger.limit(point, ratings.point(area), LimitSense::at_most);
    load.back() = complete(spread);
    foot.back() = complete(point);
  }
  table.add_words("unit", "Unit").words = std::move(names);
  table.add_words("hall", "Hall").words = std::move(halls);
  auto& mass_column = table.add_numbers("mass", "Mass", kind::mass, "kg");
  mass_column.numbers = std::move(mass);
  mass_column.formula = "as its part states it";
  table.add_numbers("floor_load", "Floor load", kind::areal_density, "kg/m2").numbers = std::move(load);
  table.add_numbers("point_load", "Load on one foot", kind::mass, "kg").numbers = std::move(foot);
  table.add_words("table", "Kind").words = std::move(tables);
  table.add_numbers("id", "Id", kind::count).numbers = std::move(ids);
  table.add_numbers("hall_id", "Id of the hall", kind::count).numbers = std::move(hall_ids);
}

} // namespace

double aisle_share_mm(const Face& front, const Face& rear, double depth, double bay) {
  return std::max(0.0, std::min(front.clear / 2 + rear.clear / 2, bay - depth));
}

FloorLoads floor_loads(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const Faces& faces,
                       const std::vector<RackMass>& masses, SpaceResult& out) {
  const Catalog& catalog = *in.catalog;
  const auto& racks = *in.racks;
  const auto& halls = *in.halls;
  const auto& types = *in.rack_types;
  const auto& zones = rows_of(in.zones);
  const Ratings ratings{ledger, in};
  FloorLoads loads;
  loads.figures.emplace_back();
  loads.floor_index.assign(types.size(), -1);
  loads.floor_load.assign(racks.size(), unknown_number);
  loads.point_load.assign(racks.size(), unknown_number);
  loads.figure.assign(racks.size(), 0);
  loads.areas.push_back({nullptr, nullptr, "hall.0", "outside of halls"});
  for (const Hall& h : halls)
    loads.areas.push_back({&h, nullptr, fmt::format("hall.{}", h.id), h.name});
  for (const Zone& z : zones)
    loads.areas.push_back({find(halls, z.hall), &z, fmt::format("zone.{}", z.id), z.name});

  const auto assumed_feet = assumption<Count>(ledger, catalog, "floor.rack_feet");
  const auto tilt = assumption<double>(ledger, catalog, "floor.tilt_factor");
  const auto bay = assumption<Length>(ledger, catalog, "floor.structural_bay");
  const double bay_mm = bay.has_value() ? in_millimeters(bay.value) : 0;
  const auto no_aisle =
      ledger.constant<Length>("space.no_aisle", "No share of an aisle", meters(0.0), "footprint only");
  for (std::size_t t = 0; t < types.size(); ++t) {
    const RackType& type = types[t];
    if (std::all_of(plan.racks_in_hall[t].begin(), plan.racks_in_hall[t].end(), [](Count c) { return c == 0; }))
      continue;
    TypeOnFloor f;
    f.type = &type;
    f.type_index = t;
    f.footprint = plan.footprints[t];
    f.mass = masses[t].mass;
    f.width = side<&RackPart::width>(ledger, catalog, type, type.width,
                                     design_value<&RackType::width>(ledger, "rack_types", type, type.name));
    f.depth = side<&RackPart::depth>(ledger, catalog, type, type.depth,
                                     design_value<&RackType::depth>(ledger, "rack_types", type, type.name));
    const auto feet = type.feet ? design_value<&RackType::feet>(ledger, "rack_types", type, type.name) : assumed_feet;
    f.point_load = ledger.derive(fmt::format("space.rack_type.{}.point_load", type.id),
                                 "Load on one foot, " + type.name, rack_point_load, f.mass, feet, tilt);
    loads.floor_index[t] = static_cast<std::int32_t>(loads.on_floor.size());
    loads.on_floor.push_back(f);
  }

  // Racks by type and floor; within those by the floor round them, to a millimetre.
  const std::vector<std::int32_t> plates = plates_of(plan);
  struct Place {
    std::size_t on_area = 0; // index in loads.on_area
    long share_mm = 0;
    std::uint32_t rack = 0;
  };
  std::vector<Place> places;
  places.reserve(racks.size());
  std::vector<std::int32_t> index_of(loads.on_floor.size() * loads.areas.size(), -1);
  for (std::uint32_t i = 0; i < racks.size(); ++i) {
    if (plan.type_of[i] < 0) continue;
    const auto f = static_cast<std::size_t>(loads.floor_index[static_cast<std::size_t>(plan.type_of[i])]);
    const std::size_t area = plan.zone_of[i] >= 0 ? 1 + halls.size() + static_cast<std::size_t>(plan.zone_of[i])
                                                  : static_cast<std::size_t>(plan.things[i].hall + 1);
    auto& index = index_of[f * loads.areas.size() + area];
    if (index < 0) {
      index = static_cast<std::int32_t>(loads.on_area.size());
      TypeOnArea a;
      a.type = f;
      a.area = area;
      loads.on_area.push_back(a);
    }
    if (plates[i] < 0) loads.on_area[static_cast<std::size_t>(index)].on_bare_floor = true;
    loads.point_load[i] = complete(loads.on_floor[f].point_load);
    const double share_here = aisle_share_mm(faces.front[i], faces.rear[i], 0, 1e9);
    places.push_back({static_cast<std::size_t>(index), std::lround(share_here), i});
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::pair(a.on_area, a.share_mm) < std::pair(b.on_area, b.share_mm);
  });
  constexpr int told_apart = 12; // floors round racks that have figures of their own, for each type and floor
  for (std::size_t p = 0; p < places.size();) {
    TypeOnArea& a = loads.on_area[places[p].on_area];
    const TypeOnFloor& f = loads.on_floor[a.type];
    const FloorArea& area = loads.areas[a.area];
    const std::string stem = fmt::format("space.rack_type.{}.{}", f.type->id, area.stem);
    const std::string where = area.hall || area.zone ? f.type->name + " in " + area.name : f.type->name;
    const auto uniform = ratings.uniform(area);
    a.point_load = ledger.as<Mass>(stem + ".point_load", "Load on one foot, " + where, f.point_load);
    if (a.on_bare_floor) ledger.limit(a.point_load, ratings.point(area), LimitSense::at_most);
    bool first = true;
    std::uint32_t figure = 0;
    double value = unknown_number;
    int told = 0;
    const std::size_t this_area = places[p].on_area;
    for (long last_share = -1; p < places.size() && places[p].on_area == this_area; ++p) {
      const Place& place = places[p];
      if (place.share_mm != last_share) {
        last_share = place.share_mm;
        if (!f.footprint.known) {
          if (first) {
            const std::string reason = "width and depth of rack type " + f.type->name + " are not known";
            a.floor_load = ledger.absent<ArealDensity>(stem + ".floor_load", "Floor load, " + where,
                                                       Completeness::lower_bound, reason);
            a.footprint_load = ledger.absent<ArealDensity>(
                stem + ".footprint_load", "Load on the footprint alone, " + where, Completeness::lower_bound, reason);
            ledger.limit(a.floor_load, uniform, LimitSense::at_most);
            figure = static_cast<std::uint32_t>(loads.figures.size());
            loads.figures.push_back(stem + ".floor_load");
          }
        } else if (told < told_apart) {
          const std::string own = first ? stem : fmt::format("{}.with_{}_mm", stem, place.share_mm);
          const std::string at = first ? where : fmt::format("{}, {} mm of aisles", where, place.share_mm);
          const auto half = ledger.measured<Length>(
              own + ".half_of_aisles", "Half of the aisles, " + at, millimeters(static_cast<double>(place.share_mm)),
              fmt::format("clear floor before and behind {}{} in the drawing, up to 3 m each",
                          plan.name(place.rack, racks), first ? ", the least of the type," : ""));
          const auto share_of = ledger.derive(own + ".aisle_share", "Aisles that carry a rack with it, " + at,
                                              aisle_share_of_rack, half, bay, f.depth);
          const auto load = ledger.derive(own + ".floor_load", "Floor load, " + at, rack_floor_load, f.mass, f.width,
                                          f.depth, share_of);
          ledger.limit(load, uniform, LimitSense::at_most);
          if (first) {
            a.floor_load = load;
            a.footprint_load = ledger.derive(stem + ".footprint_load", "Load on the footprint alone, " + where,
                                             rack_floor_load, f.mass, f.width, f.depth, no_aisle);
          }
          figure = static_cast<std::uint32_t>(loads.figures.size());
          loads.figures.push_back(own + ".floor_load");
          value = complete(load);
          ++told;
        } else if (!std::isnan(value)) {
          const auto load =
              floor_uniform_load.function(f.mass.value, f.width.value, f.depth.value,
                                          millimeters(std::max(0.0, std::min(static_cast<double>(place.share_mm),
                                                                             bay_mm - in_millimeters(f.depth.value)))));
          value = load ? base_value(*load) : unknown_number;
        }
        first = false;
      }
      loads.floor_load[place.rack] = value;
      loads.figure[place.rack] = figure;
    }
  }

  // Plates: what stands on each, spread over its area.
  std::vector<std::pair<Traced<Mass>, Traced<Mass>>> points;
  for (const TypeOnArea& a : loads.on_area)
    if (a.on_bare_floor) points.emplace_back(a.point_load, ratings.point(loads.areas[a.area]));
  for (std::size_t s = plan.first_structure; s < plan.things.size(); ++s) {
    if (!plan.is_structure(static_cast<std::uint32_t>(s), StructureKind::spreader)) continue;
    const Structure& plate = *plan.sources[s - plan.racks].structure;
    std::vector<Traced<Mass>> carried;
    std::vector<std::uint32_t> on_it;
    std::vector<Traced<Mass>> feet_loads;
    for (std::uint32_t i = 0; i < racks.size(); ++i)
      if (plates[i] == static_cast<std::int32_t>(s) && plan.type_of[i] >= 0) {
        const TypeOnFloor& f =
            loads.on_floor[static_cast<std::size_t>(loads.floor_index[static_cast<std::size_t>(plan.type_of[i])])];
        carried.push_back(f.mass);
        feet_loads.push_back(f.point_load);
        on_it.push_back(i);
      }
    if (on_it.empty()) continue;
    const std::string stem = fmt::format("space.spreader.{}", plate.id),
                      name = plan.name(static_cast<std::uint32_t>(s), racks);
    const Hall& hall = halls[static_cast<std::size_t>(plan.things[s].hall)];
    const FloorArea area{&hall,
                         plan.zone_of[on_it[0]] >= 0 ? &zones[static_cast<std::size_t>(plan.zone_of[on_it[0]])]
                                                     : nullptr,
                         {},
                         {}};
    const auto mass = ledger.sum(stem + ".mass", "Mass on " + name, carried);
    if (plate.load_rating)
      ledger.limit(mass, design_value<&Structure::load_rating>(ledger, "structures", plate, name), LimitSense::at_most);
    const auto plate_area = ledger.derive(stem + ".area", "Area of " + name, floor_area,
                                          design_value<&Structure::width>(ledger, "structures", plate, name),
                                          design_value<&Structure::depth>(ledger, "structures", plate, name));
    const auto point =
        ledger.derive(stem + ".point_load", "Load at one point, " + name, spreader_point_load, mass, tilt,
                      design_value<&Hall::tile_width>(ledger, "halls", hall, hall.name), plate_area);
    ledger.limit(point, ratings.point(area), LimitSense::at_most);
    points.emplace_back(point, ratings.point(area));
    for (const std::uint32_t i : on_it)
      loads.point_load[i] = complete(point);
  }

  // Rolling: each type through each hall that it stands in.
  std::vector<std::pair<Traced<Mass>, Traced<Mass>>> rolling;
  for (const TypeOnFloor& f : loads.on_floor)
    for (std::size_t h = 0; h < halls.size(); ++h) {
      if (plan.racks_in_hall[f.type_index][h + 1] == 0) continue;
      const auto load = ledger.as<Mass>(
          fmt::format("space.rack_type.{}.hall.{}.rolling_load", f.type->id, halls[h].id),
          fmt::format("Load of one caster on the move, {} in {}", f.type->name, halls[h].name), f.point_load);
      const auto rating = ratings.rolling(halls[h]);
      ledger.limit(load, rating, LimitSense::at_most);
      rolling.emplace_back(load, rating);
    }

  add_plant(ledger, in, plan, faces, ratings, assumed_feet, tilt, bay, loads);

  if (racks.empty() || loads.on_area.empty()) {
    const std::string reason = racks.empty() ? "no racks are drawn" : "no drawn rack has a type";
    out.worst_floor_load =
        ledger.absent<ArealDensity>("space.worst_floor_load", "Worst floor load", Completeness::not_applicable, reason);
    out.worst_point_load =
        ledger.absent<Mass>("space.worst_point_load", "Worst load on one foot", Completeness::not_applicable, reason);
    out.worst_rolling_load = ledger.absent<Mass>("space.worst_rolling_load", "Worst load of one caster on the move",
                                                 Completeness::not_applicable, reason);
    return loads;
  }
  // Floor by floor, since each has its own rating; then the floor that is used most.
  std::vector<std::pair<Traced<ArealDensity>, Traced<ArealDensity>>> worst;
  for (std::size_t area = 0; area < loads.areas.size(); ++area) {
    std::vector<Traced<ArealDensity>> spread, footprints;
    for (const TypeOnArea& a : loads.on_area)
      if (a.area == area) spread.push_back(a.floor_load), footprints.push_back(a.footprint_load);
    if (spread.empty()) continue;
    const FloorArea& floor = loads.areas[area];
    const std::string stem = "space." + floor.stem;
    const auto rating = ratings.uniform(floor);
    const auto load =
        largest(ledger, stem + ".worst_floor_load", "Worst floor load, " + floor.name, larger_floor_load, spread);
    largest(ledger, stem + ".worst_footprint_load", "Worst load on a footprint alone, " + floor.name, larger_floor_load,
            footprints);
    ledger.limit(load, rating, LimitSense::at_most);
    worst.emplace_back(load, rating);
  }
  out.worst_floor_load = most_used(ledger, "space.worst_floor_load", "Worst floor load", worst);
  out.worst_point_load = most_used(ledger, "space.worst_point_load", "Worst load on one foot", points);
  out.worst_rolling_load =
      rolling.empty() ? ledger.absent<Mass>("space.worst_rolling_load", "Worst load of one caster on the move",
                                            Completeness::not_applicable, "no rack stands in a hall")
                      : most_used(ledger, "space.worst_rolling_load", "Worst load of one caster on the move", rolling);
  return loads;
}

std::vector<AnyFormula> floor_load_formulas() {
  return {any(rack_floor_load), any(rack_point_load), any(aisle_share_of_rack), any(spreader_point_load),
          any(larger_floor_load)};
}

} // namespace hallwright
