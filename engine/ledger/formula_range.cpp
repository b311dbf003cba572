// SPDX-License-Identifier: GPL-3.0-or-later
#include "ledger/formula_range.h"

#include <string>

#include <fmt/format.h>

namespace hallwright {
namespace {

std::string amount(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "not a finite number";
  return unit == "1" || unit.empty() ? fmt::format("{:.10g}", value) : fmt::format("{:.10g} {}", value, unit);
}

std::string range_text(const Requirement& r) {
  const bool has_low = std::isfinite(r.low), has_high = std::isfinite(r.high);
  if (!has_low && !has_high) return "a finite number";
  if (has_low && has_high) {
    if (!r.low_open && !r.high_open) return fmt::format("between {:.10g} and {:.10g}", r.low, r.high);
    return fmt::format("{} {:.10g} and {} {:.10g}", r.low_open ? "above" : "at least", r.low,
                       r.high_open ? "below" : "at most", r.high);
  }
  if (has_high) return fmt::format("{} {:.10g}", r.high_open ? "below" : "at most", r.high);
  if (r.low == 0.0) return r.low_open ? "above 0" : "0 or more";
  return fmt::format("{} {:.10g}", r.low_open ? "above" : "at least", r.low);
}

/// `x`, moved onto the whole number that it misses by rounding only.
double snapped(double x) {
  const double nearest = std::round(x);
  return std::abs(x - nearest) <= 1e-12 * std::abs(x) ? nearest : x;
}

} // namespace

std::optional<tl::unexpected<NotApplicable>> violated(std::initializer_list<Requirement> requirements) {
  for (const auto& r : requirements)
    if (!r.met())
      return not_applicable(
          fmt::format("{} must be {}; it is {}", r.parameter, range_text(r), amount(r.value, r.unit)));
  return std::nullopt;
}

double whole_at_most(double x) { return std::floor(snapped(x)); }
double whole_at_least(double x) { return std::ceil(snapped(x)); }

Result<Count> counted_whole(double x) {
  if (!(std::abs(x) < 9.2e18))
    return not_applicable(fmt::format("the count must be below 9.2e18 to be held; these inputs give {:.4g}", x));
  return static_cast<Count>(std::llround(x));
}

} // namespace hallwright
