// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/climate_year.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "catalog/moist_air.h"

namespace hallwright {
namespace {

constexpr std::array<double, 12> days_of_month{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

double share_at(double score) { return 0.5 * std::erfc(-score / std::sqrt(2.0)); }
double density_at(double score) { return std::exp(-0.5 * score * score) / std::sqrt(2.0 * 3.14159265358979323846); }

/// The normal score below which a share of all lies; by Newton from a rational start. @param share above 0, below 1
double score_of(double share) {
  double score = 0.0;
  // Steps are held short where the density is small.
  for (int i = 0; i < 60; ++i) {
    const double step = (share_at(score) - share) / std::max(density_at(score), 1e-6);
    score -= std::clamp(step, -0.5, 0.5);
    if (std::abs(step) < 1e-12) break;
  }
  return score;
}

/// Integral of the density times a line through two knots, over the scores between them.
double line_integral(double s0, double t0, double s1, double t1) {
  if (s1 <= s0) return 0.0;
  const double slope = (t1 - t0) / (s1 - s0), offset = t0 - slope * s0;
  return offset * (share_at(s1) - share_at(s0)) + slope * (density_at(s0) - density_at(s1));
}

constexpr double dew_point_fall = 0.5; ///< of the dew point over that of the dry bulb, below the mean of a month

} // namespace

MonthOfAir::MonthOfAir(const MonthlyClimate& climate, std::size_t month, double pressure_pa) : hours_(24.0 * days_of_month[month]) {
  const double coldest = climate.lowest[month], mean = climate.mean[month];
  // The extremes are those of the hours: half an hour lies beyond each.
  const double end = score_of(1.0 - 0.5 / hours_);
  static const std::array<double, 4> scores{score_of(0.996), score_of(0.98), score_of(0.95), score_of(0.90)};
  knots_[0] = {-end, coldest};
  knots_[1] = {0.0, 0.0}; // the median, below
  for (std::size_t i = 0; i < 4; ++i) knots_[5 - i] = {scores[i], climate.dry[i][month]};
  knots_[6] = {end, std::max(climate.highest[month], climate.dry[0][month])};
  // The mean is linear in the median: two values of it give the line.
  const auto mean_with = [&](double median) {
    knots_[1].dry_c = median;
    return this->mean();
  };
  const double upper = knots_[2].dry_c, at_low = mean_with(coldest), at_high = mean_with(upper);
  knots_[1].dry_c = std::clamp(coldest + (upper - coldest) * (mean - at_low) / (at_high - at_low), coldest, upper);

  const auto wet_at = [&](double dry_c) {
    const double dew = std::min(climate.dew_point[month] + dew_point_fall * (dry_c - mean), dry_c);
    return wet_bulb_at_dew_point(dry_c, dew, pressure_pa);
  };
  wet_[0] = {coldest, wet_at(coldest)};
  wet_[1] = {0.5 * (coldest + mean), wet_at(0.5 * (coldest + mean))};
  wet_[2] = {mean, wet_at(mean)};
  for (std::size_t i = 0; i < 4; ++i) wet_[6 - i] = {climate.dry[i][month], climate.wet[i][month]};
}

double MonthOfAir::share_below(double dry_c) const {
  if (dry_c < knots_.front().dry_c) return 0.0;
  if (dry_c >= knots_.back().dry_c) return 1.0;
  // The last knot at or below: what several knots have in common lies below it as a whole.
  std::size_t i = knots_.size() - 2;
  while (i > 0 && knots_[i].dry_c > dry_c) --i;
  const Knot &a = knots_[i], &b = knots_[i + 1];
  return share_at(b.dry_c > a.dry_c ? a.score + (b.score - a.score) * (dry_c - a.dry_c) / (b.dry_c - a.dry_c) : b.score);
}

double MonthOfAir::exceeded_on(double share) const {
  if (share <= 0.0) return knots_.back().dry_c;
  if (share >= 1.0) return knots_.front().dry_c;
  const double score = score_of(1.0 - share);
  if (score <= knots_.front().score) return knots_.front().dry_c;
  for (std::size_t i = 1; i < knots_.size(); ++i)
    if (score <= knots_[i].score)
      return knots_[i - 1].dry_c + (knots_[i].dry_c - knots_[i - 1].dry_c) * (score - knots_[i - 1].score) / (knots_[i].score - knots_[i - 1].score);
  return knots_.back().dry_c;
}

double MonthOfAir::mean() const {
  double sum = knots_.front().dry_c * share_at(knots_.front().score) + knots_.back().dry_c * (1.0 - share_at(knots_.back().score));
  for (std::size_t i = 1; i < knots_.size(); ++i)
    sum += line_integral(knots_[i - 1].score, knots_[i - 1].dry_c, knots_[i].score, knots_[i].dry_c);
  return sum;
}

double MonthOfAir::wet_bulb(double dry_c) const {
  if (dry_c <= wet_.front().first) return std::min(dry_c, wet_.front().second);
  for (std::size_t i = 1; i < wet_.size(); ++i)
    if (dry_c <= wet_[i].first) {
      const auto &a = wet_[i - 1], &b = wet_[i];
      const double wet = b.first > a.first ? a.second + (b.second - a.second) * (dry_c - a.first) / (b.first - a.first) : b.second;
      return std::min(wet, dry_c);
    }
  return std::min(wet_.back().second, dry_c);
}

namespace {

/// Hours of a typical year in states of 1 K, a state at each whole degree.
void fill_from_part(ClimateYear& out, const ClimatePart& part) {
  const auto lists = monthly_climate(part);
  if (!lists) {
    out.problem = fmt::format("climate '{}' of the catalog, {}: {}", part.id, lists.error().front().column, lists.error().front().what);
    return;
  }
  if (!part.elevation) {
    out.problem = fmt::format("climate '{}' of the catalog has no elevation_m", part.id);
    return;
  }
  const double pressure = pressure_at_elevation(in_meters(*part.elevation));
  std::map<int, OutdoorState> states; // hours, and sums of wet bulb times hours
  for (std::size_t m = 0; m < 12; ++m) {
    const MonthOfAir month(*lists, m, pressure);
    const int first = static_cast<int>(std::lround(month.lowest())), last = static_cast<int>(std::lround(month.highest()));
    double below = 0.0;
    for (int t = first; t <= last; ++t) {
      const double upto = t == last ? 1.0 : month.share_below(t + 0.5);
      const double hours = (upto - below) * month.hours();
      below = upto;
      OutdoorState& s = states[t];
      s.hours += hours;
      s.wet_c += hours * month.wet_bulb(t);
    }
  }
  for (auto& [t, s] : states) {
    if (s.hours <= 0.0) continue;
    // The mean of saturated hours can round to above their dry bulb.
    out.states.push_back({static_cast<double>(t), std::min(s.wet_c / s.hours, static_cast<double>(t)), s.hours});
    out.hours += s.hours;
  }
}

void fill_from_rows(ClimateYear& out, const std::vector<ClimateBin>& rows) {
  for (const ClimateBin& row : rows) {
    const double dry = row.dry_bulb.celsius(), wet = row.wet_bulb.celsius(), hours = in_hours(row.duration);
    if (wet > dry + 1e-9) {
      out.problem = fmt::format("a row of the climate has a wet bulb of {:.4g} degC over its dry bulb of {:.4g} degC; it can be at most the dry bulb", wet, dry);
      out.states.clear();
      return;
    }
    // Half a kelvin is the width of the states of a weather file.
    if (drier_than_dry(dry - 0.5, wet, lowest_outdoor_pressure)) {
      out.problem = fmt::format("a row of the climate has a wet bulb of {:.4g} degC at a dry bulb of {:.4g} degC; air without any vapour has {:.3g} degC", wet, dry,
                                lowest_wet_bulb(dry - 0.5, lowest_outdoor_pressure));
      out.states.clear();
      return;
    }
    out.states.push_back({dry, wet, hours, row.id});
    out.hours += hours;
  }
  std::stable_sort(out.states.begin(), out.states.end(), [](const OutdoorState& a, const OutdoorState& b) { return a.dry_c < b.dry_c; });
  const auto is = [&](double year) { return std::abs(out.hours - year) < 0.5; };
  if (!is(hours_of_year) && !is(hours_of_leap_year)) {
    out.problem = fmt::format("the rows of the climate hold {:.6g} hours; a year has {:.0f}, a leap year {:.0f}", out.hours, hours_of_year, hours_of_leap_year);
    out.states.clear();
  }
}

} // namespace

std::shared_ptr<const ClimateYear> climate_year(const Site& site, const std::vector<ClimateBin>& rows, const Catalog& catalog) {
  if (rows.empty() && site.climate_part.empty()) return nullptr;
  auto out = std::make_shared<ClimateYear>();
  if (!rows.empty()) {
    out->name = "the climate of this design";
    fill_from_rows(*out, rows);
    return out;
  }
  out->part = site.climate_part;
  const ClimatePart* part = catalog.find<ClimatePart>(site.climate_part);
  if (!part) {
    out->name = site.climate_part;
    out->problem = fmt::format("the catalog has no climate '{}'", site.climate_part);
    return out;
  }
  out->name = part->name;
  if (part->wet_bulb_0_4) out->wet_bulb_0_4_c = part->wet_bulb_0_4->celsius();
  fill_from_part(*out, *part);
  return out;
}

double design_wet_bulb(const ClimateYear& year, double dry_c) {
  double wet = std::min(year.wet_bulb_0_4_c.value_or(-273.15), dry_c);
  for (const OutdoorState& s : year.states)
    if (s.hours > 0.0 && s.dry_c <= dry_c) wet = std::max(wet, s.wet_c);
  return std::min(dry_c, std::max(wet, lowest_wet_bulb(dry_c, lowest_outdoor_pressure)));
}

double hours_above(const ClimateYear& year, double dry_c) {
  double hours = 0.0;
  for (const OutdoorState& s : year.states)
    if (s.dry_c > dry_c) hours += s.hours;
  return hours;
}

} // namespace hallwright
