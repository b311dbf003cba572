// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/climate_lists.h"
#include "design/design.h"

/// The outdoor air of a site over a typical year, as hours of outdoor states.
namespace hallwright {

/// Dry bulb of one month as a distribution over its hours, and the wet bulb that goes with each dry bulb. An estimate: straight lines of the dry
/// bulb over the normal score of the share of hours, through the highest, the values exceeded on 0.4, 2, 5 and 10 % of the hours, the median and
/// the lowest; the median is where the mean comes out as published. Where the typical year stayed below a design value of the long record, that
/// value stands for the highest, too.
class MonthOfAir {
public:
  /// @param month 0 to 11
  MonthOfAir(const MonthlyClimate& climate, std::size_t month, double pressure_pa);

  /// Share of the hours at or below a dry bulb [degC], 0 to 1.
  [[nodiscard]] double share_below(double dry_c) const;
  /// Dry bulb [degC] that is exceeded on a share of the hours. @param share 0 to 1
  [[nodiscard]] double exceeded_on(double share) const;
  [[nodiscard]] double mean() const; ///< [degC]
  /// Wet bulb [degC] at a dry bulb: through the coincident wet bulbs above, and, from the mean down, that of a dew point which falls half as fast
  /// as the dry bulb and never lies above it. At most the dry bulb.
  [[nodiscard]] double wet_bulb(double dry_c) const;
  [[nodiscard]] double hours() const { return hours_; }
  [[nodiscard]] double lowest() const { return knots_.front().dry_c; }
  [[nodiscard]] double highest() const { return knots_.back().dry_c; }

private:
  struct Knot {
    double score = 0.0; ///< of the share of hours at or below
    double dry_c = 0.0;
  };
  std::array<Knot, 7> knots_{}; ///< from the lowest to the highest
  std::array<std::pair<double, double>, 7> wet_{}; ///< dry and wet bulb, rising
  double hours_ = 0.0;
};

/// Hours of the year of one outdoor state.
struct OutdoorState {
  double dry_c = 0.0, wet_c = 0.0, hours = 0.0;
  Id row = 0; ///< of the design's table; 0: of a catalog climate
};

struct ClimateYear {
  std::string name;                 ///< of the catalog part; "the climate of this design" for rows
  std::string part;                 ///< id; empty: rows of the design
  std::vector<OutdoorState> states; ///< by dry bulb; 1 K each where they are of a catalog part. Empty: `problem` says why
  double hours = 0.0;               ///< their sum
  std::optional<double> wet_bulb_0_4_c; ///< exceeded on 0.4 % of the year, where published
  std::string problem;              ///< why nothing can be computed with it; names row, value and what is allowed
};

/// Rows of the table climate_bins where there are any, else the typical year of the part that the site names.
/// @return null where the site names none and has no rows
[[nodiscard]] std::shared_ptr<const ClimateYear> climate_year(const Site& site, const std::vector<ClimateBin>& rows, const Catalog& catalog);

/// Wet bulb [degC] of the design day, for which towers and pads are sized: of the wettest state that is not hotter, and at least the one that is published
/// as exceeded on 0.4 % of the year. Never above the dry bulb, nor below that of air without any vapour.
/// @param year  with states
[[nodiscard]] double design_wet_bulb(const ClimateYear& year, double dry_c);

/// Hours of a year whose dry bulb is above a temperature; a state counts where it lies.
[[nodiscard]] double hours_above(const ClimateYear& year, double dry_c);

} // namespace hallwright
