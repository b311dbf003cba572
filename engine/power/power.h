// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cooling/cooling.h"
#include "power/one_line_tables.h"

/// The power chain: losses at the load that each drawn unit carries, PUE from the parts, headroom at each level. Where
/// nothing or only a part is drawn, an assumed chain stands for the rest.
namespace hallwright {

struct PowerInputs {
  Shared<PowerPlant> plant;
  Shared<Site> site;
  Shared<Goal> goal;
  Shared<std::vector<PowerUnit>> units;
  Shared<std::vector<Rack>> racks; ///< feeds of each rack
  Shared<std::vector<RackType>> rack_types;
  Shared<Catalog> catalog;
  Shared<std::vector<RackItem>> rack_items; ///< GPUs of a rack
  Shared<std::vector<CoolingUnit>> cooling_units; ///< what feeds them
  friend bool operator==(const PowerInputs&, const PowerInputs&) = default;
};

/// What the headline figures rest on.
enum class ChainBasis : std::uint8_t {
  assumed,      ///< nothing is drawn that feeds a rack: a chain with the efficiencies of the plant
  partly_drawn, ///< the drawn chain at its load, with an assumed one above it and for racks that hang on nothing
  drawn         ///< the drawn chain at its load, from the sources to the racks
};

/// One power unit under load.
struct PowerUnitLoad {
  Id unit = 0;
  double normal_w = 0;   ///< all feeds live, dual-corded racks split evenly
  double failover_w = 0; ///< worst single failure of another unit
  double rating_w = 0;   ///< NaN: not known
};

struct PowerResult : StageResult {
  ChainBasis basis = ChainBasis::assumed;
  std::vector<PowerUnitLoad> units;         ///< by id
  Traced<Power> it;                         ///< power.it: the IT load, limit power.it_capacity
  Traced<Power> it_capacity;                ///< power.it_capacity: utility power through the chain
  Traced<Power> losses;                     ///< power.losses
  Traced<Power> plant;                      ///< power.plant: cooling and everything else that is no IT
  Traced<Power> facility;                   ///< power.facility, limit: site.utility_power
  Traced<double> power_usage_effectiveness; ///< power.pue, at the design point
  Traced<Power> mean_facility;              ///< power.facility_mean: over the typical year at the counted load; not applicable without a climate
  Traced<double> annual_power_usage_effectiveness; ///< power.annual_pue: of the typical year (ISO/IEC 30134-2: by period)
  Traced<Energy> facility_energy;                  ///< power.facility_energy: in that year
  Traced<double> utility_headroom;          ///< power.utility_headroom
  Traced<double> worst_headroom; ///< power.headroom_worst: smallest over levels with one unit out, as redundancy claims
  Id worst_unit = 0;             ///< the unit that `worst_headroom` is about (0: the utility)
  /// The drawn one-line with every single failure of it, and its figures; null: no unit is drawn or nothing draws power.
  std::shared_ptr<const OneLineStudy> one_line;
  OneLineFigures drawn;
};

PowerResult power(const PowerInputs& inputs, const LoadResult& load, const CoolingResult& cooling);
std::vector<Rule> power_rules();

} // namespace hallwright
