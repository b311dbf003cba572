// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/pipe_friction.h"

#include <cmath>

namespace hallwright {
namespace {

constexpr double two_over_ln_10 = 0.86858896380650365530; // 2 log10(x) = this times ln(x)

/// x + c ln(a + b x) = 0 with x = 1 / sqrt(f): nearly straight, so Newton from Swamee-Jain needs three steps.
Friction colebrook_from(const FrictionCurve& curve, double reynolds, double x, int steps) {
  const double a = curve.roughness_over_3_7, b = 2.51 / reynolds;
  for (int step = 0; step < steps; ++step) {
    const double sum = a + b * x;
    x -= (x + two_over_ln_10 * std::log(sum)) / (1.0 + two_over_ln_10 * b / sum);
  }
  Friction out;
  const double sum = a + b * x;
  const double slope_of_x = two_over_ln_10 * x * b / (reynolds * (sum + two_over_ln_10 * b));
  out.factor = 1.0 / (x * x);
  out.slope_per_reynolds = -2.0 * out.factor / x * slope_of_x;
  return out;
}

Friction turbulent(const FrictionCurve& curve, double reynolds) {
  const double term = 5.74 * std::exp(-0.9 * std::log(reynolds));
  const double inside = curve.roughness_over_3_7 + term;
  const double root = -two_over_ln_10 * std::log(inside); // 1 / sqrt(f)
  Friction out;
  if (curve.law == FrictionLaw::swamee_jain) {
    out.factor = 1.0 / (root * root);
    out.slope_per_reynolds = -1.8 * two_over_ln_10 * out.factor * term / (inside * root * reynolds);
    return out;
  }
  return colebrook_from(curve, reynolds, root, 3);
}

} // namespace

Friction turbulent_friction_near(const FrictionCurve& curve, double reynolds, double near_factor) {
  if (curve.law == FrictionLaw::swamee_jain) return turbulent(curve, reynolds);
  // From within 1 % of it one step is within 1e-8: the second leaves nothing.
  return colebrook_from(curve, reynolds, 1.0 / std::sqrt(near_factor), 2);
}

FrictionCurve friction_curve(FrictionLaw law, double relative_roughness) {
  FrictionCurve out;
  out.law = law;
  out.roughness_over_3_7 = relative_roughness / 3.7;
  const Friction end = turbulent(out, turbulent_reynolds_limit);
  const double f0 = 64.0 / laminar_reynolds_limit, s0 = -f0; // over Re / 2000
  const double f1 = end.factor, s1 = end.slope_per_reynolds * laminar_reynolds_limit;
  out.cubic[0] = f0;
  out.cubic[1] = s0;
  out.cubic[2] = 3.0 * (f1 - f0) - 2.0 * s0 - s1;
  out.cubic[3] = 2.0 * (f0 - f1) + s0 + s1;
  return out;
}

Friction friction(const FrictionCurve& curve, double reynolds) {
  if (reynolds >= turbulent_reynolds_limit) return turbulent(curve, reynolds);
  if (reynolds <= laminar_reynolds_limit) return {64.0 / reynolds, -64.0 / (reynolds * reynolds)};
  const double* c = curve.cubic;
  const double t = reynolds / laminar_reynolds_limit - 1.0;
  return {c[0] + t * (c[1] + t * (c[2] + t * c[3])),
          (c[1] + t * (2.0 * c[2] + t * 3.0 * c[3])) / laminar_reynolds_limit};
}

} // namespace hallwright
