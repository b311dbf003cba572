// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/loss_law.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hallwright {

tl::expected<LossLaw, std::string> LossLaw::constant(double efficiency) {
  if (!(efficiency > 0.0 && efficiency <= 1.0))
    return tl::make_unexpected(
        fmt::format("The efficiency must be above 0 and at most 100 %; it is {:.6g} %.", efficiency * 100.0));
  LossLaw out;
  out.law_ = Law::constant;
  out.efficiency_ = efficiency;
  return out;
}

tl::expected<LossLaw, std::string> LossLaw::curve(std::vector<EfficiencyPoint> points) {
  if (points.empty()) return tl::make_unexpected(std::string("An efficiency curve needs at least one point."));
  std::sort(points.begin(), points.end(),
            [](const EfficiencyPoint& a, const EfficiencyPoint& b) { return a.load_share < b.load_share; });
  for (std::size_t i = 0; i < points.size(); ++i) {
    const EfficiencyPoint& p = points[i];
    if (!(p.load_share > 0.0) || !std::isfinite(p.load_share))
      return tl::make_unexpected(fmt::format(
          "The load of a point of an efficiency curve must be above 0; it is {:.6g} %.", p.load_share * 100.0));
    if (!(p.efficiency > 0.0 && p.efficiency <= 1.0))
      return tl::make_unexpected(fmt::format("The efficiency at {:.6g} % load must be above 0 and at most 100 %; it is "
                                             "{:.6g} %.",
                                             p.load_share * 100.0, p.efficiency * 100.0));
    if (i == 0) continue;
    const EfficiencyPoint& before = points[i - 1];
    if (before.load_share == p.load_share)
      return tl::make_unexpected(
          fmt::format("The efficiency curve has two points at {:.6g} % load.", p.load_share * 100.0));
    if (p.load_share / p.efficiency <= before.load_share / before.efficiency)
      return tl::make_unexpected(fmt::format("By the efficiency curve a load of {:.6g} % draws less than one of {:.6g} "
                                             "%: {:.6g} % is too far above {:.6g} %.",
                                             p.load_share * 100.0, before.load_share * 100.0, p.efficiency * 100.0,
                                             before.efficiency * 100.0));
  }
  LossLaw out;
  out.law_ = Law::curve;
  out.points_ = std::move(points);
  return out;
}

tl::expected<LossLaw, std::string> LossLaw::no_load_and_load(double no_load_share, double at_rating_share) {
  if (!(no_load_share >= 0.0 && no_load_share <= 1.0))
    return tl::make_unexpected(
        fmt::format("The no-load loss must be 0 to 100 % of the rating; it is {:.6g} %.", no_load_share * 100.0));
  if (!(at_rating_share >= 0.0 && at_rating_share <= 1.0))
    return tl::make_unexpected(
        fmt::format("The load loss must be 0 to 100 % of the rating; it is {:.6g} %.", at_rating_share * 100.0));
  LossLaw out;
  out.law_ = Law::transformer;
  out.no_load_ = no_load_share;
  out.at_rating_ = at_rating_share;
  return out;
}

double LossLaw::loss(double output_watts, double load_share, double rating_watts) const {
  switch (law_) {
  case Law::none:
    return 0.0;
  case Law::constant:
    return output_watts * (1.0 / efficiency_ - 1.0);
  case Law::curve: {
    const double at = std::isfinite(load_share) ? load_share : 0.5;
    double efficiency = points_.front().efficiency;
    if (points_.size() > 1 && at > points_.front().load_share) {
      std::size_t k = 1;
      while (k + 1 < points_.size() && points_[k].load_share < at)
        ++k;
      const EfficiencyPoint &a = points_[k - 1], &b = points_[k];
      efficiency = a.efficiency + (b.efficiency - a.efficiency) * (at - a.load_share) / (b.load_share - a.load_share);
      efficiency = std::clamp(efficiency, points_.back().efficiency / 2.0, 1.0);
    }
    return output_watts * (1.0 / efficiency - 1.0);
  }
  case Law::transformer:
    if (!std::isfinite(rating_watts) || !std::isfinite(load_share)) // at half of its rating
      return 2.0 * output_watts * (no_load_ + 0.25 * at_rating_);
    return rating_watts * (no_load_ + at_rating_ * load_share * load_share);
  }
  return 0.0;
}

} // namespace hallwright
