// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "ledger/formula_range.h"
#include "ledger/ledger.h"
#include "space/design_value.h"
#include "space/formulas.h"
#include "space/plan_geometry.h"

namespace hallwright {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

// Sizes and aisles are stated, only masses may be incomplete: more mass is more load, so that "at least" stays so.
constinit const Formula<ArealDensity, Mass, Length, Length, Length> rack_floor_load{
    .name = "rack_floor_load",
    .text = "mass / (width * (depth + aisle_share))",
    .source = "uniform load over the footprint and half of each adjoining aisle; raised floor practice",
    .parameters = {"mass", "width", "depth", "aisle_share"},
    .function = [](Mass mass, Length width, Length depth, Length aisle_share) {
      return floor_uniform_load.function(mass, width, depth, aisle_share);
    },
    .estimate = true,
    .monotone = Monotone::increasing,
};

constinit const Formula<Mass, Mass, Count, double> rack_point_load{
    .name = "rack_point_load",
    .text = "mass / feet * tilt_factor",
    .source = "raised floor practice, 25 % for tilt",
    .parameters = {"mass", "feet", "tilt_factor"},
    .function = [](Mass mass, Count feet, double tilt_factor) {
      return caster_point_load.function(mass, feet, tilt_factor);
    },
    .estimate = true,
    .monotone = Monotone::increasing,
};

constinit const Formula<Mass, Count, Mass> parts_mass{
    .name = "parts_mass",
    .text = "count * mass_each",
    .source = "sum of equal parts",
    .parameters = {"count", "mass_each"},
    .function = [](Count count, Mass mass_each) -> Result<Mass> {
      if (auto wrong = violated({not_negative("count", count), not_negative("mass_each", mass_each)})) return *wrong;
      return count * mass_each;
    },
};

constinit const Formula<Length, Length, Length> aisle_share_of_rack{
    .name = "aisle_share_of_rack",
    .text = "cold_aisle / 2 + hot_aisle / 2",
    .source = "half of each adjoining aisle; raised floor practice",
    .parameters = {"cold_aisle", "hot_aisle"},
    .function = [](Length cold_aisle, Length hot_aisle) -> Result<Length> {
      if (auto wrong = violated({not_negative("cold_aisle", cold_aisle), not_negative("hot_aisle", hot_aisle)}))
        return *wrong;
      return cold_aisle / 2.0 + hot_aisle / 2.0;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<ArealDensity, ArealDensity, ArealDensity> larger_floor_load{
    .name = "larger_floor_load",
    .text = "max(first, second)",
    .source = "the larger of two",
    .parameters = {"first", "second"},
    .function = [](ArealDensity first, ArealDensity second) -> Result<ArealDensity> { return std::max(first, second); },
};

constinit const Formula<Mass, Mass, Mass> larger_point_load{
    .name = "larger_point_load",
    .text = "max(first, second)",
    .source = "the larger of two",
    .parameters = {"first", "second"},
    .function = [](Mass first, Mass second) -> Result<Mass> { return std::max(first, second); },
};

constinit const Formula<Length, Length, Length, Length> routed_rack_distance{
    .name = "routed_rack_distance",
    .text = "plan_distance + 2 * (tray_height - port_height)",
    .source = "up to an overhead tray, along it, down again",
    .parameters = {"plan_distance", "tray_height", "port_height"},
    .function = [](Length plan_distance, Length tray_height, Length port_height) -> Result<Length> {
      if (auto wrong = violated({not_negative("plan_distance", plan_distance), not_negative("tray_height", tray_height),
                                 not_negative("port_height", port_height)}))
        return *wrong;
      const Length rise = tray_height - port_height;
      return plan_distance + 2.0 * (rise < Length{} ? Length{} - rise : rise);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// --- masses and loads ------------------------------------------------------------------------------------------------

/// What is known of a rack type that stands in the drawing.
struct TypeOnFloor {
  const RackType* type = nullptr;
  Footprint footprint;
  Traced<Mass> mass;
  Traced<Mass> point_load;
  Traced<Length> width, depth;
};
/// Loads of one rack type in one hall.
struct TypeInHall {
  std::size_t type = 0; ///< index of TypeOnFloor
  std::int32_t hall = -1;
  Traced<ArealDensity> floor_load, footprint_load;
};

template <auto RackMember>
Traced<Length> side(Ledger& ledger, const Catalog& catalog, const RackType& type, const std::optional<Length>& own,
                    Traced<Length> own_leaf) {
  if (own) return own_leaf;
  if (const RackPart* part = catalog.find<RackPart>(type.rack_part))
    return part_value<RackMember>(ledger, catalog, *part);
  return own_leaf;
}

Traced<Mass> item_mass(Ledger& ledger, const Catalog& catalog, const RackItem& item) {
  if (const NodePart* p = catalog.find<NodePart>(item.part); p && item.kind == RackItemKind::node)
    return part_value<&NodePart::mass>(ledger, catalog, *p);
  if (const SwitchPart* p = catalog.find<SwitchPart>(item.part); p && item.kind == RackItemKind::network_switch)
    return part_value<&SwitchPart::mass>(ledger, catalog, *p);
  if (const StoragePart* p = catalog.find<StoragePart>(item.part); p && item.kind == RackItemKind::storage)
    return part_value<&StoragePart::mass>(ledger, catalog, *p);
  return ledger.absent<Mass>(fmt::format("space.rack_item.{}.mass_each", item.id), "Mass of " + item.part,
                             Completeness::unknown, fmt::format("no mass is known for \"{}\"", item.part));
}

/// Mass of a populated rack: as stated, else as the rack part states it, else cabinet and content.
Traced<Mass> rack_mass(Ledger& ledger, const Catalog& catalog, const RackType& type,
                       const std::vector<const RackItem*>& items) {
  const std::string id = fmt::format("space.rack_type.{}.mass", type.id), label = "Mass of a rack, " + type.name;
  if (type.mass) return ledger.as<Mass>(id, label, design_value<&RackType::mass>(ledger, "rack_types", type, type.name));
  const RackPart* part = catalog.find<RackPart>(type.rack_part);
  if (part && part->populated_mass_high) {
    auto out = ledger.as<Mass>(id, label, part_value<&RackPart::populated_mass_high>(ledger, catalog, *part));
    if (part->populated_mass_low && *part->populated_mass_low < *part->populated_mass_high)
      ledger.remark(out, fmt::format("the high end of {:.4g} to {:.4g} kg", in_kilograms(*part->populated_mass_low),
                                     in_kilograms(*part->populated_mass_high)));
    return out;
  }
  if (part && part->populated_mass_low)
    return ledger.as<Mass>(id, label, part_value<&RackPart::populated_mass_low>(ledger, catalog, *part));
  std::vector<Traced<Mass>> parts;
  if (part) {
    parts.push_back(part_value<&RackPart::empty_mass>(ledger, catalog, *part));
  } else {
    parts.push_back(ledger.absent<Mass>(fmt::format("space.rack_type.{}.cabinet_mass", type.id),
                                        "Mass of the empty cabinet, " + type.name, Completeness::unknown,
                                        type.rack_part.empty() ? "no cabinet is chosen for rack type " + type.name
                                                               : "the catalog has no rack \"" + type.rack_part + "\""));
  }
  for (const RackItem* item : items)
    parts.push_back(ledger.derive(fmt::format("space.rack_item.{}.mass", item->id),
                                  fmt::format("Mass of {} in a rack of type {}", item->part, type.name), parts_mass,
                                  design_value<&RackItem::count>(ledger, "rack_items", *item, type.name),
                                  item_mass(ledger, catalog, *item)));
  return ledger.sum(id, label, parts);
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

// --- aisles ----------------------------------------------------------------------------------------------------------

constexpr double aisle_search = 3000.0; // mm: beyond this a rack faces open floor

enum class AisleKind : std::uint8_t { cold, hot, mixed, cold_to_obstacle, hot_to_obstacle };
constexpr std::string_view aisle_words[] = {"cold: front to front", "hot: rear to rear", "front to rear",
                                            "front to another thing", "rear to another thing"};
bool needs_cold_width(AisleKind k) { return k != AisleKind::hot && k != AisleKind::hot_to_obstacle; }

struct Aisle {
  double clear = 0; ///< mm, the narrowest place
  Count racks = 0;  ///< faces that look into it
  std::uint32_t rack = 0, other = 0; ///< things at the narrowest place
};
using AisleKey = std::tuple<std::int32_t, AisleKind, Id, Id>; ///< hall, kind, lower and higher row (or the other thing)

struct FloorPlan {
  std::vector<PlanThing> things; ///< racks first, in their order
  std::vector<EntityRef> refs;   ///< of the things behind the racks
  std::vector<std::string_view> names;
  std::size_t racks = 0;
  std::vector<bool> blocks_aisle;
};

std::map<AisleKey, Aisle> aisles_of(const FloorPlan& plan, const PlanGrid& grid, const std::vector<Rack>& racks, const std::stop_token& stop) {
  std::map<AisleKey, Aisle> out;
  std::map<AisleKey, Aisle>::iterator last_front = out.end(), last_rear = out.end();
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

// --- distances -------------------------------------------------------------------------------------------------------

struct Distances {
  double mean = 0, longest = 0; ///< mm on the plan
  Count racks = 0;
  bool to_centroid = false;
};

/// Manhattan distance from compute racks to the nearest fabric rack of their hall, or to the middle of the hall's
/// compute racks where it has none.
Distances distances_to_fabric(const std::vector<PlanThing>& things, const std::vector<RackRole>& roles) {
  struct Point {
    double x, y;
  };
  std::map<std::int32_t, std::vector<Point>> compute, fabric;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const Point p{things[i].center_x, things[i].center_y};
    if (roles[i] == RackRole::compute) compute[things[i].hall].push_back(p);
    else if (roles[i] == RackRole::fabric) fabric[things[i].hall].push_back(p);
  }
  Distances out;
  double total = 0;
  for (const auto& [hall, racks] : compute) {
    std::vector<Point> goals = fabric[hall];
    if (goals.empty()) {
      Point middle{0, 0};
      for (const Point& p : racks) middle.x += p.x, middle.y += p.y;
      goals.push_back({middle.x / static_cast<double>(racks.size()), middle.y / static_cast<double>(racks.size())});
      out.to_centroid = true;
    }
    std::sort(goals.begin(), goals.end(), [](const Point& a, const Point& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    for (const Point& p : racks) {
      const auto start = std::lower_bound(goals.begin(), goals.end(), p.x, [](const Point& g, double x) { return g.x < x; });
      double best = std::numeric_limits<double>::infinity();
      for (auto g = start; g != goals.end() && g->x - p.x < best; ++g) best = std::min(best, g->x - p.x + std::abs(g->y - p.y));
      for (auto g = start; g != goals.begin() && p.x - (g - 1)->x < best; --g)
        best = std::min(best, p.x - (g - 1)->x + std::abs((g - 1)->y - p.y));
      total += best;
      out.longest = std::max(out.longest, best);
      ++out.racks;
    }
  }
  if (out.racks > 0) out.mean = total / static_cast<double>(out.racks);
  return out;
}

void add_distances(Ledger& ledger, SpaceResult& out, const SpaceInputs& in, const FloorPlan& plan,
                   const std::vector<RackRole>& roles) {
  const std::string mean_label = "Mean distance of a compute rack to the fabric", long_label = "Longest distance of a compute rack to the fabric";
  const Distances d = distances_to_fabric(plan.things, roles);
  if (d.racks == 0) {
    const std::string reason = "no compute racks are drawn";
    out.mean_rack_distance = ledger.absent<Length>("space.mean_rack_distance", mean_label, Completeness::not_applicable, reason);
    out.longest_rack_distance = ledger.absent<Length>("space.longest_rack_distance", long_label, Completeness::not_applicable, reason);
    return;
  }
  const std::string what =
      fmt::format("{} compute racks in the drawing, along x and y between centres, each to the nearest fabric rack of its hall{}",
                  d.racks, d.to_centroid ? "; where a hall has no fabric rack, to the middle of its compute racks" : "");
  const auto mean = ledger.measured<Length>("space.mean_plan_distance", mean_label + ", on the plan", millimeters(d.mean), what, &kind::length, true);
  const auto longest = ledger.measured<Length>("space.longest_plan_distance", long_label + ", on the plan", millimeters(d.longest), what, &kind::length, true);
  const auto tray = assumption<Length>(ledger, *in.catalog, "cabling.tray_height");
  const auto port = ledger.constant<Length>("space.port_height", "Height of a port in the middle of a rack", meters(1.0),
                                            "project choice: the middle of a 2 m rack", &kind::length, true);
  out.mean_rack_distance = ledger.derive("space.mean_rack_distance", mean_label, routed_rack_distance, mean, tray, port);
  out.longest_rack_distance = ledger.derive("space.longest_rack_distance", long_label, routed_rack_distance, longest, tray, port);
}

void add_hall_area(Ledger& ledger, SpaceResult& out, const std::vector<Hall>& halls) {
  std::vector<Traced<Area>> areas;
  for (const Hall& hall : halls)
    areas.push_back(ledger.measured<Area>(fmt::format("space.hall.{}.area", hall.id), "Floor area, " + hall.name,
                                          square_meters(outline_area(hall.outline) * 1e-6),
                                          fmt::format("outline of {} with {} corners in the drawing", hall.name, hall.outline.size())));
  out.hall_area = areas.empty() ? ledger.absent<Area>("space.hall_area", "Floor area of the halls", Completeness::not_applicable, "no hall is drawn")
                                : ledger.sum("space.hall_area", "Floor area of the halls", areas);
}

} // namespace

SpaceResult space(const SpaceInputs& in, const PopulationResult&, const std::stop_token& stop) {
  Ledger ledger(Page::space);
  SpaceResult out;
  const Catalog& catalog = *in.catalog;
  const auto& racks = *in.racks;
  const auto& halls = *in.halls;
  auto hall_index = [&](Id id) {
    const Hall* hall = find(halls, id);
    return hall ? static_cast<std::int32_t>(hall - halls.data()) : -1;
  };
  // The hall of the last thing is mostly that of the next.
  Id last_hall_id = 0;
  std::int32_t last_hall = -1;
  auto hall_of = [&](Id id) {
    if (id != last_hall_id) last_hall_id = id, last_hall = hall_index(id);
    return last_hall;
  };

  // Rack types that stand in the drawing, and in which halls.
  const auto& types = *in.rack_types;
  std::vector<std::int32_t> type_of(racks.size(), -1);
  std::vector<std::vector<Count>> racks_in_hall(types.size(), std::vector<Count>(halls.size() + 1));
  FloorPlan plan;
  plan.racks = racks.size();
  plan.things.reserve(racks.size() + in.structures->size() + in.power_units->size() + in.cooling_units->size());
  std::vector<Footprint> footprints;
  footprints.reserve(types.size());
  for (const RackType& type : types) footprints.push_back(rack_footprint(catalog, type));
  const Footprint nameless = rack_footprint(catalog, RackType{});
  std::vector<RackRole> roles(racks.size(), RackRole::management);
  for (std::size_t i = 0; i < racks.size(); ++i) {
    const Rack& rack = racks[i];
    const RackType* type = find(types, rack.rack_type);
    const std::int32_t hall = hall_of(rack.hall);
    if (type) {
      type_of[i] = static_cast<std::int32_t>(type - types.data());
      roles[i] = type->role;
      ++racks_in_hall[static_cast<std::size_t>(type_of[i])][static_cast<std::size_t>(hall + 1)];
    }
    const Footprint& f = type ? footprints[static_cast<std::size_t>(type_of[i])] : nameless;
    plan.things.push_back(plan_thing(rack.x, rack.y, f.width, f.depth, rack.rotation));
    plan.things.back().hall = hall;
  }
  auto place = [&](std::string_view table, Id id, std::string_view name, Id hall, Length x, Length y, Length w, Length d,
                   Angle rotation, bool blocks) {
    const std::int32_t index = hall_of(hall);
    if (index < 0) return; // not on the plan
    plan.things.push_back(plan_thing(x, y, w, d, rotation));
    plan.things.back().hall = index;
    plan.refs.push_back({std::string(table), id});
    plan.names.push_back(name);
    plan.blocks_aisle.push_back(blocks);
  };
  plan.blocks_aisle.assign(racks.size(), true);
  for (const PowerUnit& u : *in.power_units) {
    const Footprint f = power_unit_footprint(catalog, u);
    place("power_units", u.id, u.name, u.hall, u.x, u.y, f.width, f.depth, u.rotation, true);
  }
  for (const CoolingUnit& u : *in.cooling_units) {
    const Footprint f = cooling_unit_footprint(catalog, u);
    place("cooling_units", u.id, u.name, u.hall, u.x, u.y, f.width, f.depth, u.rotation, true);
  }
  const std::size_t first_structure = plan.things.size();
  for (const Structure& s : *in.structures)
    place("structures", s.id, s.name, s.hall, s.x, s.y, s.width, s.depth, s.rotation,
          s.kind == StructureKind::column || s.kind == StructureKind::wall || s.kind == StructureKind::obstacle);

  // Mass and loads by type and hall.
  std::vector<std::vector<const RackItem*>> items(types.size());
  for (const RackItem& item : *in.rack_items)
    if (const RackType* type = find(types, item.rack_type)) items[static_cast<std::size_t>(type - types.data())].push_back(&item);
  std::vector<TypeOnFloor> on_floor;
  std::vector<TypeInHall> in_hall;
  std::vector<std::int32_t> load_of(types.size() * (halls.size() + 1), -1); // index of in_hall
  std::vector<Traced<Mass>> point_loads;
  const auto feet = assumption<Count>(ledger, catalog, "floor.rack_feet");
  const auto tilt = assumption<double>(ledger, catalog, "floor.tilt_factor");
  const auto point_rating = design_value<&Site::point_load_rating>(ledger, "site", *in.site);
  const auto no_aisle = ledger.constant<Length>("space.no_aisle", "No share of an aisle", meters(0.0), "footprint only");
  std::vector<std::optional<Traced<Length>>> aisle_shares(halls.size() + 1);
  auto aisle_share = [&](std::int32_t hall) {
    auto& share_here = aisle_shares[static_cast<std::size_t>(hall + 1)];
    if (!share_here) {
      if (hall >= 0) {
        const Hall& h = halls[static_cast<std::size_t>(hall)];
        share_here = ledger.derive(fmt::format("space.hall.{}.aisle_share", h.id), "Aisles that carry a rack with it, " + h.name,
                                   aisle_share_of_rack, design_value<&Hall::cold_aisle_minimum>(ledger, "halls", h, h.name),
                                   design_value<&Hall::hot_aisle_minimum>(ledger, "halls", h, h.name));
      } else {
        share_here = ledger.derive("space.no_hall.aisle_share", "Aisles that carry a rack with it, outside of halls",
                                   aisle_share_of_rack, assumption<Length>(ledger, catalog, "clearance.cold_aisle_minimum"),
                                   assumption<Length>(ledger, catalog, "clearance.hot_aisle"));
      }
    }
    return *share_here;
  };
  for (std::size_t t = 0; t < types.size(); ++t) {
    const RackType& type = types[t];
    if (std::all_of(racks_in_hall[t].begin(), racks_in_hall[t].end(), [](Count c) { return c == 0; })) continue;
    TypeOnFloor f;
    f.type = &type;
    f.footprint = footprints[t];
    f.mass = rack_mass(ledger, catalog, type, items[t]);
    f.width = side<&RackPart::width>(ledger, catalog, type, type.width, design_value<&RackType::width>(ledger, "rack_types", type, type.name));
    f.depth = side<&RackPart::depth>(ledger, catalog, type, type.depth, design_value<&RackType::depth>(ledger, "rack_types", type, type.name));
    f.point_load = ledger.derive(fmt::format("space.rack_type.{}.point_load", type.id), "Load on one foot, " + type.name,
                                 rack_point_load, f.mass, feet, tilt);
    ledger.limit(f.point_load, point_rating, LimitSense::at_most);
    point_loads.push_back(f.point_load);
    on_floor.push_back(f);
    for (std::int32_t h = -1; h < static_cast<std::int32_t>(halls.size()); ++h) {
      if (racks_in_hall[t][static_cast<std::size_t>(h + 1)] == 0) continue;
      TypeInHall l;
      l.type = on_floor.size() - 1;
      l.hall = h;
      const Id hall_id = h < 0 ? 0 : halls[static_cast<std::size_t>(h)].id;
      const std::string stem = fmt::format("space.rack_type.{}.hall.{}", type.id, hall_id);
      const std::string where = h < 0 ? type.name : type.name + " in " + halls[static_cast<std::size_t>(h)].name;
      if (f.footprint.known) {
        l.floor_load = ledger.derive(stem + ".floor_load", "Floor load, " + where, rack_floor_load, f.mass, f.width, f.depth, aisle_share(h));
        l.footprint_load = ledger.derive(stem + ".footprint_load", "Load on the footprint alone, " + where, rack_floor_load, f.mass, f.width, f.depth, no_aisle);
      } else {
        const std::string reason = "width and depth of rack type " + type.name + " are not known";
        l.floor_load = ledger.absent<ArealDensity>(stem + ".floor_load", "Floor load, " + where, Completeness::lower_bound, reason);
        l.footprint_load = ledger.absent<ArealDensity>(stem + ".footprint_load", "Load on the footprint alone, " + where, Completeness::lower_bound, reason);
      }
      load_of[t * (halls.size() + 1) + static_cast<std::size_t>(h + 1)] = static_cast<std::int32_t>(in_hall.size());
      in_hall.push_back(l);
    }
  }
  if (racks.empty() || in_hall.empty()) {
    const std::string reason = racks.empty() ? "no racks are drawn" : "no drawn rack has a type";
    out.worst_floor_load = ledger.absent<ArealDensity>("space.worst_floor_load", "Worst floor load", Completeness::not_applicable, reason);
    out.worst_point_load = ledger.absent<Mass>("space.worst_point_load", "Worst load on one foot", Completeness::not_applicable, reason);
  } else {
    // Hall by hall, since each floor has its own rating; then the floor that is used most.
    struct HallWorst {
      Traced<ArealDensity> load, rating;
      int urgency = 0; // over the rating, then not decided, then the rest
      double share = 0;
    };
    std::vector<HallWorst> worst;
    for (std::int32_t h = -1; h < static_cast<std::int32_t>(halls.size()); ++h) {
      std::vector<Traced<ArealDensity>> loads;
      std::vector<Traced<ArealDensity>> footprint_loads;
      for (const TypeInHall& l : in_hall)
        if (l.hall == h) loads.push_back(l.floor_load), footprint_loads.push_back(l.footprint_load);
      if (loads.empty()) continue;
      const Hall* hall = h < 0 ? nullptr : &halls[static_cast<std::size_t>(h)];
      HallWorst w;
      w.rating = hall && hall->floor_rating ? design_value<&Hall::floor_rating>(ledger, "halls", *hall, hall->name)
                                            : design_value<&Site::floor_rating>(ledger, "site", *in.site);
      const std::string stem = fmt::format("space.hall.{}", hall ? hall->id : 0);
      const std::string where = hall ? hall->name : "outside of halls";
      w.load = largest(ledger, stem + ".worst_floor_load", "Worst floor load, " + where, larger_floor_load, loads);
      largest(ledger, stem + ".worst_footprint_load", "Worst load on a footprint alone, " + where, larger_floor_load, footprint_loads);
      ledger.limit(w.load, w.rating, LimitSense::at_most);
      for (const TypeInHall& l : in_hall)
        if (l.hall == h) ledger.limit(l.floor_load, w.rating, LimitSense::at_most);
      const double rating = base_value(w.rating.value);
      w.share = rating > 0 ? base_value(w.load.value) / rating : std::numeric_limits<double>::infinity();
      w.urgency = w.share > 1.0 ? 2 : w.load.completeness == Completeness::lower_bound ? 1 : 0;
      worst.push_back(w);
    }
    const auto chosen = std::max_element(worst.begin(), worst.end(), [](const HallWorst& a, const HallWorst& b) {
      return std::pair(a.urgency, a.share) < std::pair(b.urgency, b.share);
    });
    out.worst_floor_load = ledger.as<ArealDensity>("space.worst_floor_load", "Worst floor load", chosen->load);
    ledger.limit(out.worst_floor_load, chosen->rating, LimitSense::at_most);
    out.worst_point_load = largest(ledger, "space.worst_point_load", "Worst load on one foot", larger_point_load, point_loads);
    ledger.limit(out.worst_point_load, point_rating, LimitSense::at_most);
  }

  // Who stands in whose place, and how wide the aisles are.
  if (stop.stop_requested()) return out;
  const PlanGrid grid(plan.things);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& pair : grid.sharing(stop))
    if (plan.things[pair.first].hall >= 0 && !(pair.first >= first_structure && pair.second >= first_structure)) pairs.push_back(pair);
  std::vector<std::uint32_t> overlaps_with(racks.size(), 0xffffffff);
  for (const auto& [a, b] : pairs) {
    if (a < racks.size() && overlaps_with[a] == 0xffffffff) overlaps_with[a] = b;
    if (b < racks.size() && overlaps_with[b] == 0xffffffff) overlaps_with[b] = a;
  }
  auto ref_of = [&](std::uint32_t i) { return i < racks.size() ? EntityRef{"racks", racks[i].id} : plan.refs[i - racks.size()]; };
  auto name_of = [&](std::uint32_t i) {
    const std::string name = i < racks.size() ? racks[i].name : std::string(plan.names[i - racks.size()]);
    if (!name.empty()) return name;
    const EntityRef ref = ref_of(i);
    return ref.table + " " + std::to_string(ref.id);
  };
  const auto aisles = aisles_of(plan, grid, racks, stop);
  if (stop.stop_requested()) return out;

  Table aisle_table;
  aisle_table.id = "space.aisles";
  aisle_table.title = "Aisles";
  aisle_table.entity_table = "racks";
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
      places.push_back(name_of(aisle.rack));
      others.push_back(name_of(aisle.other));
      clear.push_back(aisle.clear * 1e-3);
      minimum.push_back(in_meters(needs_cold_width(k) ? hall.cold_aisle_minimum : hall.hot_aisle_minimum));
      faces.push_back(static_cast<double>(aisle.racks));
      aisle_table.entities.push_back(racks[aisle.rack].id);
      if (!narrowest.aisle || aisle.clear < narrowest.aisle->clear) narrowest = {&aisle, &hall, needs_cold_width(k)};
    }
    aisle_table.add_words("hall", "Hall").words = std::move(hall_names);
    aisle_table.add_words("kind", "Aisle").words = std::move(kinds);
    aisle_table.add_words("at", "Narrowest at rack").words = std::move(places);
    aisle_table.add_words("opposite", "Opposite").words = std::move(others);
    auto& clear_column = aisle_table.add_numbers("clear", "Clear width", kind::length, "mm");
    clear_column.numbers = std::move(clear);
    clear_column.formula = "gap between facing sides, straight ahead of a rack, up to 3 m";
    aisle_table.add_numbers("minimum", "Minimum", kind::length, "mm").numbers = std::move(minimum);
    aisle_table.add_numbers("faces", "Rack faces", kind::count).numbers = std::move(faces);
  }
  if (narrowest.aisle) {
    out.narrowest_aisle = ledger.measured<Length>(
        "space.narrowest_aisle", "Narrowest aisle", millimeters(narrowest.aisle->clear),
        fmt::format("clear width between {} and {} in the drawing", name_of(narrowest.aisle->rack), name_of(narrowest.aisle->other)));
    ledger.limit(out.narrowest_aisle,
                 narrowest.cold ? design_value<&Hall::cold_aisle_minimum>(ledger, "halls", *narrowest.hall, narrowest.hall->name)
                                : design_value<&Hall::hot_aisle_minimum>(ledger, "halls", *narrowest.hall, narrowest.hall->name),
                 LimitSense::at_least, 1.0);
  } else {
    out.narrowest_aisle = ledger.absent<Length>("space.narrowest_aisle", "Narrowest aisle", Completeness::not_applicable,
                                                racks.empty() ? "no racks are drawn" : "nothing stands within 3 m of a rack's front or rear");
  }

  add_hall_area(ledger, out, halls);
  add_distances(ledger, out, in, plan, roles);
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
  std::vector<double> rows(n), x(n), y(n), mass(n, unknown_number), load(n, unknown_number), foot(n, unknown_number), outside(n), overlapping(n);
  std::vector<std::int32_t> floor_index(types.size(), -1);
  for (std::size_t f = 0; f < on_floor.size(); ++f) floor_index[static_cast<std::size_t>(on_floor[f].type - types.data())] = static_cast<std::int32_t>(f);
  // What does not hold every part is no number to colour a rack with.
  auto complete = [](const auto& traced) {
    return traced.has_value() && traced.completeness != Completeness::lower_bound ? base_value(traced.value) : unknown_number;
  };
  std::vector<double> complete_loads(in_hall.size()), complete_masses(on_floor.size()), complete_feet(on_floor.size());
  std::vector<std::string> load_ids(in_hall.size());
  for (std::size_t i = 0; i < in_hall.size(); ++i) {
    complete_loads[i] = complete(in_hall[i].floor_load);
    load_ids[i] = fmt::format("space.rack_type.{}.hall.{}.floor_load", on_floor[in_hall[i].type].type->id,
                              in_hall[i].hall < 0 ? 0 : halls[static_cast<std::size_t>(in_hall[i].hall)].id);
  }
  for (std::size_t i = 0; i < on_floor.size(); ++i)
    complete_masses[i] = complete(on_floor[i].mass), complete_feet[i] = complete(on_floor[i].point_load);
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
    if (type_of[i] >= 0) {
      const auto ti = static_cast<std::size_t>(type_of[i]);
      type_names[i] = types[ti].name;
      const auto f = static_cast<std::size_t>(floor_index[ti]);
      const auto l = static_cast<std::size_t>(load_of[ti * (halls.size() + 1) + static_cast<std::size_t>(t.hall + 1)]);
      p.floor_load_kg_m2 = complete_loads[l];
      mass[i] = complete_masses[f];
      foot[i] = complete_feet[f];
      table.row_figures.push_back(load_ids[l]);
      if (!footprints[ti].known) notes[i] = "size not known";
    } else {
      table.row_figures.emplace_back();
      notes[i] = "no rack type";
    }
    if (t.hall >= 0) hall_names[i] = halls[static_cast<std::size_t>(t.hall)].name;
    if (p.outside) notes[i] += notes[i].empty() ? "outside the hall" : "; outside the hall";
    if (p.overlapping) notes[i] += (notes[i].empty() ? "overlaps " : "; overlaps ") + name_of(overlaps_with[i]);
    load[i] = p.floor_load_kg_m2;
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
  load_column.formula = "mass over the footprint and half of each adjoining aisle";
  table.add_numbers("point_load", "Load on one foot", kind::mass, "kg").numbers = std::move(foot);
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

  out.page = ledger.finish_page();
  std::vector<Table> tables;
  tables.push_back(std::move(table));
  tables.push_back(std::move(aisle_table));
  tables.push_back(std::move(collisions));
  out.tables = share(std::move(tables));
  return out;
}

std::vector<AnyFormula> space_stage_formulas() {
  return {any(rack_floor_load), any(rack_point_load), any(parts_mass), any(aisle_share_of_rack), any(larger_floor_load),
          any(larger_point_load), any(routed_rack_distance)};
}

} // namespace hallwright
