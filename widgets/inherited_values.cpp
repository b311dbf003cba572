// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inherited_values.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include <QCoreApplication>

#include "cooling/drawn_loops.h"
#include "cooling/loop_results.h"
#include "power/feed_graph.h"
#include "power/one_line.h"
#include "space/footprints.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"

namespace hallwright {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("InheritedValues", text); }

using Answer = std::optional<Inherited>;

template <class Q>
double in_base(const Q& value) {
  if constexpr (std::is_arithmetic_v<Q>) return static_cast<double>(value);
  else return base_value(value);
}
/// A value with its origin; nothing where it is not known.
template <class Known>
Answer known(const Known& value, const QString& origin) {
  if (!value) return std::nullopt;
  return Inherited{FieldValue(in_base(*value)), origin};
}
Answer count_of(Count n, const QString& origin) { return Inherited{FieldValue(std::int64_t{n}), origin}; }
Answer words(const QString& origin) { return Inherited{{}, origin}; }

/// The context of one question.
struct Asked {
  const Design& design;
  const Catalog& catalog;
  const Evaluation* evaluation;
  [[nodiscard]] Answer assumed(const char* id, const Kind& kind) const {
    const double v = stated_value(catalog, id, kind, std::numeric_limits<double>::quiet_NaN());
    if (!std::isfinite(v)) return std::nullopt;
    return Inherited{FieldValue(v), tr("from the catalog's assumptions")};
  }
  [[nodiscard]] Answer assumed_count(const char* id) const {
    const Assumption* a = catalog.find<Assumption>(id);
    if (!a || !a->value) return std::nullopt;
    return count_of(static_cast<Count>(std::llround(*a->value)), tr("from the catalog's assumptions"));
  }
};

template <class T>
Answer or_else(Answer first, T&& second) {
  return first ? first : second();
}

// --- power -----------------------------------------------------------------------------------------------------------

Answer voltage_of(const Asked& q, const PowerUnit& unit) {
  PowerUnit bare = unit;
  bare.voltage.reset();
  const DrawnVoltage v = drawn_voltage(*q.design.power_units, q.catalog, bare);
  if (!v) return std::nullopt;
  QString origin = tr("from the part");
  if (v.unit) origin = tr("from %1").arg(to_qstring(v.unit->name));
  else if (v.part != q.catalog.find<PowerPart>(unit.part)) origin = tr("from the part of a unit above");
  return Inherited{FieldValue(*v.volts), origin};
}

Answer of_power_unit(const Asked& q, const PowerUnit& u, std::string_view field) {
  const PowerPart* part = q.catalog.find<PowerPart>(u.part);
  const PowerPlant& plant = *q.design.power_plant;
  const QString from_part = tr("from the part"), from_plant = tr("from the power plant");
  const double factor = stated_value(q.catalog, "power.power_factor", kind::ratio, 1.0);
  const std::optional<double> volts = drawn_voltage(*q.design.power_units, q.catalog, u).volts;
  PowerUnit bare = u;
  bare.rating.reset();
  if (field == "rating") {
    const UnitRating r = unit_rating(q.catalog, bare, factor, volts);
    switch (r.source) {
    case RatingSource::part:
      return Inherited{FieldValue(r.watts), from_part};
    case RatingSource::part_apparent:
    case RatingSource::part_current:
      return Inherited{FieldValue(r.watts), tr("from the part, at the power factor of the racks")};
    case RatingSource::unit_apparent:
      return Inherited{FieldValue(r.watts), tr("from its rating in kVA")};
    default:
      return words(tr("not known"));
    }
  }
  if (field == "rating_apparent")
    return or_else(part ? known(part->rating_apparent, from_part) : std::nullopt,
                   [] { return words(tr("not held against it")); });
  if (field == "width") return part ? known(part->width, from_part) : std::nullopt;
  if (field == "depth") return part ? known(part->depth, from_part) : std::nullopt;
  if (field == "voltage") return voltage_of(q, u);
  if (field == "efficiency") {
    if (part && part->efficiency_rated) return known(part->efficiency_rated, from_part);
    switch (u.kind) {
    case PowerUnitKind::transformer:
      if (plant.transformer_efficiency) return known(plant.transformer_efficiency, from_plant);
      return words(tr("by its losses at the load"));
    case PowerUnitKind::ups:
      if (plant.ups_efficiency) return known(plant.ups_efficiency, from_plant);
      return words(tr("by the catalog's curve at the load"));
    case PowerUnitKind::distribution:
    case PowerUnitKind::busway: {
      // The plant's and the catalog's stands for the whole way to the racks: it counts once.
      const PowerUnit* up = find(*q.design.power_units, u.upstream);
      if (up && (up->kind == PowerUnitKind::distribution || up->kind == PowerUnitKind::busway))
        return words(tr("counted in %1").arg(to_qstring(up->name)));
      if (plant.distribution_efficiency) return known(plant.distribution_efficiency, from_plant);
      return q.assumed("efficiency.distribution", kind::percent);
    }
    case PowerUnitKind::static_switch:
      return q.assumed("efficiency.static_switch", kind::percent);
    case PowerUnitKind::rectifier:
      return q.assumed("efficiency.rectifier", kind::percent);
    default:
      return std::nullopt;
    }
  }
  if (field == "continuous_load_factor") {
    if (continuous_share(u.kind, 0.5) < 1.0)
      return Inherited{FieldValue(plant.continuous_load_factor), from_plant};
    return Inherited{FieldValue(1.0), tr("for its kind")};
  }
  if (field == "trip_share") return Inherited{FieldValue(default_trip_share(u.kind)), tr("for its kind")};
  if (field == "no_load_loss" || field == "load_loss") {
    const char* id =
        field == "load_loss" ? "power.transformer_load_loss_fraction" : "power.transformer_no_load_loss_fraction";
    const double watts = unit_rating(q.catalog, u, factor, volts).watts;
    const double share = stated_value(q.catalog, id, kind::ratio, std::numeric_limits<double>::quiet_NaN());
    if (u.kind != PowerUnitKind::transformer || !std::isfinite(watts) || !std::isfinite(share)) return std::nullopt;
    return Inherited{FieldValue(watts * share), tr("from the catalog's assumptions")};
  }
  if (field == "impedance_voltage" && u.kind == PowerUnitKind::transformer)
    return Inherited{FieldValue(0.06), tr("for transformers")};
  if (field == "length" && u.kind == PowerUnitKind::busway && u.width) return known(u.width, tr("as it is drawn"));
  if (field == "elevation")
    return words(u.kind == PowerUnitKind::busway ? tr("above the racks, or on the floor") : tr("on the floor"));
  if (field == "ambient") return words(tr("as its rating is for"));
  return std::nullopt;
}

Answer of_power_plant(const Asked& q, std::string_view field) {
  if (field == "transformer_efficiency") return q.assumed("efficiency.transformer", kind::percent);
  if (field == "ups_efficiency") return q.assumed("efficiency.ups", kind::percent);
  if (field == "distribution_efficiency") return q.assumed("efficiency.distribution", kind::percent);
  if (field == "utility_ramp") return words(tr("none agreed"));
  return std::nullopt;
}

// --- cooling ---------------------------------------------------------------------------------------------------------

Answer of_cooling_plant(const Asked& q, std::string_view field) {
  const CoolingPlant& p = *q.design.cooling_plant;
  const bool tower = p.heat_rejection == HeatRejection::cooling_tower;
  if (field == "air_fan_power_share") return q.assumed("air.crah_power_per_kw", kind::percent);
  if (field == "heat_rejection_power_share") {
    const Figure* power = q.evaluation ? q.evaluation->figures.find("cooling.heat_rejection_power") : nullptr;
    const Figure* heat = q.evaluation ? q.evaluation->figures.find("cooling.heat") : nullptr;
    if (!q.evaluation || !q.evaluation->cooling || !q.evaluation->cooling->year.study)
      return q.assumed("cooling.dry_cooler_fan_fraction", kind::percent);
    if (p.heat_rejection_power_share || !power || !heat || !power->has_value() || !heat->has_value() || !(heat->value > 0.0))
      return words(tr("the plant on the design day"));
    return Inherited{FieldValue(std::round(power->value / heat->value * 1e4) * 1e-4), tr("the plant on the design day")};
  }
  if (field == "heat_rejection_approach")
    return q.assumed(tower ? "cooling.tower_approach" : "cooling.dry_cooler_approach", kind::temperature_difference);
  if (field == "chiller_performance")
    return q.assumed(tower ? "cooling.chiller_cop_water_cooled" : "cooling.chiller_cop_air_cooled", kind::ratio);
  if (field == "air_supply_temperature") return q.assumed("air.supply_temperature", kind::temperature);
  if (field == "cycles_of_concentration") return q.assumed("cooling.tower_cycles", kind::ratio);
  return std::nullopt;
}

Answer of_loop(const Asked& q, const CoolantLoop& l, std::string_view field) {
  const CoolingPlant& p = *q.design.cooling_plant;
  const QString from_plant = tr("from the cooling plant");
  if (field == "supply_temperature") return Inherited{FieldValue(base_value(p.supply_temperature)), from_plant};
  if (field == "rise") return Inherited{FieldValue(base_value(p.supply_rise)), from_plant};
  if (field == "fluid_part" && !p.fluid_part.empty()) return Inherited{FieldValue(p.fluid_part), from_plant};
  if (field == "fill_pressure") return Inherited{FieldValue(LoopEstimates{}.fill_pressure_pa), tr("a project choice")};
  if (field == "facility_supply") {
    if (q.evaluation && q.evaluation->loops)
      for (const LoopLook& look : q.evaluation->loops->loops)
        if (look.loop && look.loop->loop == l.id && look.loop->solvable())
          return Inherited{FieldValue(look.loop->facility_supply_c + 273.15), tr("supply less the approach of its units")};
    return words(tr("supply less the approach of its units"));
  }
  return std::nullopt;
}

Answer of_cooling_unit(const Asked& q, const CoolingUnit& u, std::string_view field) {
  const CoolingPart* part = q.catalog.find<CoolingPart>(u.part);
  const QString from_part = tr("from the part");
  if (field == "pumps") return count_of(2, tr("a project choice"));
  if (field == "pump_speed") return words(tr("as slow as the racks allow"));
  if (!part) return std::nullopt;
  if (field == "capacity") return known(part->capacity, from_part);
  if (field == "width") return known(part->width, from_part);
  if (field == "depth") return known(part->depth, from_part);
  if (field == "pump_head") return known(part->pump_head, from_part);
  if (field == "flow") return known(part->secondary_flow, from_part);
  return std::nullopt;
}

Answer of_pipe(const Asked&, std::string_view field) {
  if (field == "roughness") return Inherited{FieldValue(LoopEstimates{}.pipe_roughness_m), tr("of commercial steel")};
  return std::nullopt;
}

// --- racks and halls -------------------------------------------------------------------------------------------------

Answer of_rack_type(const Asked& q, const RackType& t, std::string_view field) {
  const RackPart* part = q.catalog.find<RackPart>(t.rack_part);
  const QString from_part = tr("from the part");
  if (part && field == "width") return known(part->width, from_part);
  if (part && field == "depth") return known(part->depth, from_part);
  if (part && field == "height") return known(part->height, from_part);
  if (field == "mass") return words(tr("cabinet and content added up"));
  if (field == "liquid_heat_share") return words(tr("from its parts"));
  if (field == "feet") return q.assumed_count("floor.rack_feet");
  if (field == "power_factor") return q.assumed("power.power_factor", kind::ratio);
  if (field == "front_service") return q.assumed("clearance.rack_front_service", kind::length);
  if (field == "rear_service") return q.assumed("clearance.rack_rear_service", kind::length);
  if (field == "crate_width" || field == "crate_depth" || field == "crate_height") {
    const Footprint f = rack_footprint(q.catalog, t);
    const char* id = field == "crate_width"   ? "delivery.packing_width"
                     : field == "crate_depth" ? "delivery.packing_depth"
                                              : "delivery.packing_height";
    const Length side = field == "crate_width" ? f.width : field == "crate_depth" ? f.depth : f.height;
    const double packing = stated_value(q.catalog, id, kind::length, std::numeric_limits<double>::quiet_NaN());
    if (!f.known || !std::isfinite(packing)) return words(tr("rack and packing"));
    return Inherited{FieldValue(in_meters(side) + packing), tr("rack and packing")};
  }
  if (field == "supply_capacity_one_feed") return words(tr("not known, not checked"));
  return std::nullopt;
}

Answer of_rack(std::string_view field) {
  if (field == "tap_a" || field == "tap_b") return words(tr("from its place on the plan"));
  if (field == "whip_a" || field == "whip_b") return Inherited{FieldValue(3.0), tr("a project choice")};
  if (field == "hose_diameter") return words(tr("by the needed flow"));
  if (field == "power_cap") return words(tr("none"));
  return std::nullopt;
}

Answer of_hall(const Asked& q, std::string_view field) {
  const QString from_site = tr("from the site");
  const Site& s = *q.design.site;
  if (field == "floor_rating") return Inherited{FieldValue(base_value(s.floor_rating)), from_site};
  if (field == "tile_point_load") return Inherited{FieldValue(base_value(s.point_load_rating)), from_site};
  if (field == "tile_rolling_load")
    return s.rolling_load_rating ? known(s.rolling_load_rating, from_site)
                                 : Inherited{FieldValue(base_value(s.point_load_rating)), tr("point load of the site")};
  if (field == "raised_floor_height") return words(tr("none: racks stand on the slab"));
  return std::nullopt;
}

Answer of_zone(const Asked& q, const Zone& z, std::string_view field) {
  const Hall* hall = find(*q.design.halls, z.hall);
  const QString from_hall = tr("from the hall");
  if (field == "power_limit") return words(tr("none of its own"));
  if (!hall) return std::nullopt;
  if (field == "ceiling_height") return Inherited{FieldValue(base_value(hall->ceiling_height)), from_hall};
  if (field == "floor_rating") {
    if (hall->floor_rating) return known(hall->floor_rating, from_hall);
    return of_hall(q, "floor_rating");
  }
  if (field == "point_load_rating") {
    if (hall->tile_point_load) return known(hall->tile_point_load, tr("from the hall's tile"));
    return of_hall(q, "tile_point_load");
  }
  return std::nullopt;
}

// --- networks and the rest -------------------------------------------------------------------------------------------

Answer of_network(const Asked& q, const Network& n, std::string_view field) {
  const SwitchPart* part = q.catalog.find<SwitchPart>(n.switch_part);
  if (field == "radix" && part) {
    if (part->radix_at_link && part->link_rate && base_value(*part->link_rate) == base_value(n.link_rate))
      return count_of(*part->radix_at_link, tr("from the part"));
    return words(tr("from the part and the link rate"));
  }
  if (field == "uplink_rate") return Inherited{FieldValue(base_value(n.link_rate)), tr("the link rate")};
  if (field == "spine_switch_part" && !n.switch_part.empty())
    return Inherited{FieldValue(n.switch_part), tr("as the leafs")};
  if (field == "core_switch_part") {
    const std::string& spine = n.spine_switch_part.empty() ? n.switch_part : n.spine_switch_part;
    if (!spine.empty()) return Inherited{FieldValue(spine), tr("as the spines")};
  }
  if (field == "spare_share") return q.assumed("spares.cable_fraction", kind::percent);
  if (field == "links_per_node") return words(tr("from the node part"));
  if (field == "leaf_down" || field == "leaf_up") return words(tr("from radix and oversubscription"));
  if (field == "gpus_per_domain") return words(tr("from the accelerator"));
  return std::nullopt;
}

Answer of_section(const Asked& q, std::string_view table, std::string_view field) {
  if (table == "power_plant") return of_power_plant(q, field);
  if (table == "cooling_plant") return of_cooling_plant(q, field);
  if (table == "site") {
    if (field == "rolling_load_rating")
      return Inherited{FieldValue(base_value(q.design.site->point_load_rating)), tr("the point load")};
    if (field == "utility_power") return words(tr("not entered, not compared"));
  }
  if (field == "gpu_power_cap") return words(tr("the maker's limit"));
  if (field == "checkpoint_interval") return words(tr("the optimum"));
  if (field == "model_flops_utilization") return words(tr("from the step-time model"));
  if (field == "node_price") return words(tr("from the catalog"));
  if (field == "facility_price") return q.assumed("price.construction", kind::money_per_power);
  return std::nullopt;
}

template <class Table, class Of>
Answer of_row(const Table& table, Id id, Of&& of) {
  const auto* row = find(*table, id);
  return row ? of(*row) : std::nullopt;
}

} // namespace

std::optional<Inherited> inherited_value(const Design& design, const Catalog& catalog, const Evaluation* evaluation,
                                         const EntityRef& entity, std::string_view field) {
  const Asked q{design, catalog, evaluation};
  const std::string& t = entity.table;
  if (t == "power_units")
    return of_row(design.power_units, entity.id, [&](const PowerUnit& u) { return of_power_unit(q, u, field); });
  if (t == "cooling_units")
    return of_row(design.cooling_units, entity.id, [&](const CoolingUnit& u) { return of_cooling_unit(q, u, field); });
  if (t == "loops") return of_row(design.loops, entity.id, [&](const CoolantLoop& l) { return of_loop(q, l, field); });
  if (t == "rack_types")
    return of_row(design.rack_types, entity.id, [&](const RackType& r) { return of_rack_type(q, r, field); });
  if (t == "zones") return of_row(design.zones, entity.id, [&](const Zone& z) { return of_zone(q, z, field); });
  if (t == "networks") return of_row(design.networks, entity.id, [&](const Network& n) { return of_network(q, n, field); });
  if (t == "halls") return of_hall(q, field);
  if (t == "pipes") return of_pipe(q, field);
  if (t == "racks") return of_rack(field);
  if (t == "rows" && field == "power_cap") return words(tr("none"));
  if (t == "structures" && field == "height") return words(tr("up to the ceiling"));
  return of_section(q, t, field);
}

QString inherited_words(const FieldInfo& field, const Inherited& inherited) {
  if (std::holds_alternative<std::monostate>(inherited.value)) return inherited.origin;
  return tr("%1, %2").arg(screen_field(field, inherited.value), inherited.origin);
}

} // namespace hallwright
