// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/climate_plant.h"

#include <algorithm>
#include <cmath>

namespace hallwright {
namespace {

constexpr double zero_celsius = 273.15;
constexpr double latent_heat_j_per_m3 = 2.43e9; // of water at 30 degC: 2.43 MJ/kg (steam tables), 1000 kg/m3

/// Make-up of water that evaporates and drifts off: the salt of what evaporates is drained at `cycles` times its concentration.
double make_up(double evaporated, double drift, double cycles) {
  return evaporated + std::max(evaporated / (cycles - 1.0), drift); // what drifts off takes salt along, too
}

} // namespace

double chiller_performance(const RejectionPlant& plant, double leaving_c, double sink_c) {
  const double evaporating = leaving_c - plant.evaporator_k, condensing = sink_c + plant.condenser_k;
  return plant.second_law_share * (evaporating + zero_celsius) / std::max(condensing - evaporating, plant.least_lift_k);
}

double second_law_share(const RejectionPlant& plant, double performance, double leaving_c, double sink_c) {
  RejectionPlant ideal = plant;
  ideal.second_law_share = 1.0;
  return performance / chiller_performance(ideal, leaving_c, sink_c);
}

StreamState stream_state(const RejectionPlant& plant, const HeatStream& stream, double dry_c, double wet_c) {
  StreamState out;
  const bool tower = plant.kind == HeatRejection::cooling_tower;
  const double rise = stream.return_c - stream.supply_c;
  double air_c = tower ? wet_c : dry_c; // what the coolers see
  double wetting_k = 0.0;
  if (plant.kind == HeatRejection::adiabatic_cooler) {
    // As much wetting as brings the water to its supply, none where all of it would not help free cooling at all.
    const double most = plant.wetting_effectiveness * std::max(dry_c - wet_c, 0.0);
    wetting_k = std::clamp(dry_c + plant.approach_k - stream.supply_c, 0.0, most);
    if (plant.chillers == ChillerUse::where_needed && dry_c - wetting_k + plant.approach_k >= stream.return_c) wetting_k = 0.0;
    air_c -= wetting_k;
  }
  const double alone_c = air_c + plant.approach_k;
  out.reached_c = std::max(alone_c, stream.supply_c);
  const double lacking = std::max(alone_c - stream.supply_c, 0.0);
  if (lacking > 0.0) {
    if (plant.chillers == ChillerUse::none)
      out.short_k = lacking;
    else
      out.mechanical_share = std::min(lacking / rise, 1.0);
  }
  const double chilled_w = stream.heat_w * out.mechanical_share;
  if (chilled_w > 0.0) {
    out.performance = chiller_performance(plant, stream.supply_c, tower ? alone_c : dry_c);
    out.chiller_w = chilled_w / out.performance;
  }
  // Towers take the heat of the chillers, too; beside dry coolers, chillers have condenser fans of their own in their performance.
  const double cooled_w = tower ? stream.heat_w + out.chiller_w : stream.heat_w - chilled_w;
  if (cooled_w > 0.0) {
    // At equal effectiveness the heat of a cooler goes as its air flow times return less air: full speed where the supply is just reached.
    out.fan_speed = lacking > 0.0 ? 1.0 : std::clamp((rise + plant.approach_k) / (stream.return_c - air_c), plant.least_speed, 1.0);
    // A part of the heat at full speed takes the fans of that part: coolers stand side by side.
    out.fan_w = plant.fan_share * cooled_w * out.fan_speed * out.fan_speed * out.fan_speed;
  }
  if (tower) {
    const double evaporated = plant.evaporation_m3_per_j * cooled_w;
    out.water_m3_s = make_up(evaporated, plant.drift_share * cooled_w / (water_heat_j_per_m3_k * rise), plant.cycles);
  } else if (wetting_k > 0.0) {
    // Air at full speed has the heat capacity of the water: it warms as much as the water cools.
    out.water_m3_s = make_up(stream.heat_w / rise * wetting_k / latent_heat_j_per_m3, 0.0, plant.cycles);
  }
  return out;
}

YearStudy year_study(RejectionPlant plant, std::vector<HeatStream> streams, std::shared_ptr<const ClimateYear> climate) {
  YearStudy out;
  out.plant = plant;
  out.streams = std::move(streams);
  out.climate = std::move(climate);
  out.of_streams.resize(out.streams.size());
  const auto count = [](YearTotals& t, const YearState& s) {
    t.hours += s.hours;
    switch (s.mode) {
    case YearMode::free:
      t.free_h += s.hours;
      break;
    case YearMode::partial:
      t.partial_h += s.hours;
      break;
    case YearMode::chiller:
      t.chiller_h += s.hours;
      break;
    case YearMode::too_warm:
      t.short_h += s.hours;
      break;
    }
    if (s.hours <= 0.0) return;
    t.worst_short_k = std::max(t.worst_short_k, s.short_k);
    if (s.rejection_w > t.most_rejection_w) t.most_rejection_w = s.rejection_w, t.most_at_dry_c = s.dry_c;
    t.mean_rejection_w += s.rejection_w * s.hours;
    t.water_m3 += s.water_m3_s * s.hours * 3600.0;
  };
  const auto mode_of = [](double mechanical_share, double short_k) {
    if (short_k > 0.0) return YearMode::too_warm;
    if (mechanical_share >= 1.0 - 1e-12) return YearMode::chiller;
    return mechanical_share > 0.0 ? YearMode::partial : YearMode::free;
  };
  double heat = 0.0;
  for (const HeatStream& s : out.streams) heat += s.heat_w;
  out.states.reserve(out.climate->states.size());
  for (const OutdoorState& outdoor : out.climate->states) {
    YearState all{.dry_c = outdoor.dry_c, .wet_c = outdoor.wet_c, .hours = outdoor.hours};
    for (std::size_t i = 0; i < out.streams.size(); ++i) {
      const StreamState s = stream_state(plant, out.streams[i], outdoor.dry_c, outdoor.wet_c);
      YearState one{.dry_c = outdoor.dry_c, .wet_c = outdoor.wet_c, .hours = outdoor.hours, .mode = mode_of(s.mechanical_share, s.short_k),
                    .rejection_w = s.fan_w + s.chiller_w + out.streams[i].pump_w, .water_m3_s = s.water_m3_s, .mechanical_share = s.mechanical_share, .short_k = s.short_k};
      count(out.of_streams[i], one);
      all.rejection_w += one.rejection_w;
      all.water_m3_s += one.water_m3_s;
      all.mechanical_share += heat > 0.0 ? s.mechanical_share * out.streams[i].heat_w / heat : 0.0;
      all.short_k = std::max(all.short_k, one.short_k);
    }
    all.mode = mode_of(all.mechanical_share, all.short_k);
    count(out.totals, all);
    out.states.push_back(all);
  }
  const auto mean = [](YearTotals& t) {
    if (t.hours > 0.0) t.mean_rejection_w /= t.hours;
  };
  mean(out.totals);
  for (YearTotals& t : out.of_streams) mean(t);
  return out;
}

YearStudy with_coolant_supply(const YearStudy& study, double supply_c) {
  std::vector<HeatStream> streams = study.streams;
  for (HeatStream& s : streams) {
    if (s.air) continue;
    const double rise = s.return_c - s.supply_c;
    s.supply_c = supply_c - s.exchanger_k;
    s.return_c = s.supply_c + rise;
  }
  return year_study(study.plant, std::move(streams), study.climate);
}

} // namespace hallwright
