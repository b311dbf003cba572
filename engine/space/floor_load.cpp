// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/floor_load.h"

#include <algorithm>
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

} // namespace

FloorLoads floor_loads(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const std::vector<RackMass>& masses,
                       SpaceResult& out) {
  const Catalog& catalog = *in.catalog;
  const auto& racks = *in.racks;
  const auto& halls = *in.halls;
  const auto& types = *in.rack_types;
  // Mass and loads by type and hall.
  FloorLoads loads_of_types;
  auto& on_floor = loads_of_types.on_floor;
  auto& in_hall = loads_of_types.in_hall;
  auto& load_of = loads_of_types.load_of;
  load_of.assign(types.size() * (halls.size() + 1), -1);
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
    if (std::all_of(plan.racks_in_hall[t].begin(), plan.racks_in_hall[t].end(), [](Count c) { return c == 0; })) continue;
    TypeOnFloor f;
    f.type = &type;
    f.type_index = t;
    f.footprint = plan.footprints[t];
    f.mass = masses[t].mass;
    f.width = side<&RackPart::width>(ledger, catalog, type, type.width, design_value<&RackType::width>(ledger, "rack_types", type, type.name));
    f.depth = side<&RackPart::depth>(ledger, catalog, type, type.depth, design_value<&RackType::depth>(ledger, "rack_types", type, type.name));
    f.point_load = ledger.derive(fmt::format("space.rack_type.{}.point_load", type.id), "Load on one foot, " + type.name,
                                 rack_point_load, f.mass, feet, tilt);
    ledger.limit(f.point_load, point_rating, LimitSense::at_most);
    point_loads.push_back(f.point_load);
    on_floor.push_back(f);
    for (std::int32_t h = -1; h < static_cast<std::int32_t>(halls.size()); ++h) {
      if (plan.racks_in_hall[t][static_cast<std::size_t>(h + 1)] == 0) continue;
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
  return loads_of_types;
}

std::vector<AnyFormula> floor_load_formulas() {
  return {any(rack_floor_load), any(rack_point_load), any(aisle_share_of_rack), any(larger_floor_load), any(larger_point_load)};
}

} // namespace hallwright
