// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/formulas.h"

#include "ledger/formula_range.h"

namespace hallwright {

// Further parts of the models

constinit const Formula<Area, Length, Length> floor_area{
    .name = "floor_area",
    .text = "width * depth",
    .source = "geometry",
    .parameters = {"width", "depth"},
    .function = [](Length width, Length depth) -> Result<Area> {
      if (auto wrong = violated({not_negative("width", width), not_negative("depth", depth)})) return *wrong;
      return width * depth;
    },
};

constinit const Formula<ArealDensity, Mass, Length, Length, Length> floor_uniform_load{
    .name = "floor_uniform_load",
    .text = "mass / (width * (depth + aisle_share))",
    .source = "TIA-942 style uniform load; raised floor practice",
    .parameters = {"mass", "width", "depth", "aisle_share"},
    .function = [](Mass mass, Length width, Length depth, Length aisle_share) -> Result<ArealDensity> {
      if (auto wrong = violated({not_negative("mass", mass), above_zero("width", width), above_zero("depth", depth),
                                 not_negative("aisle_share", aisle_share)}))
        return *wrong;
      return mass / (width * (depth + aisle_share));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Mass, Mass, Count, double> caster_point_load{
    .name = "caster_point_load",
    .text = "mass / feet * tilt_factor",
    .source = "raised floor practice, 25 % for tilt",
    .parameters = {"mass", "feet", "tilt_factor"},
    .function = [](Mass mass, Count feet, double tilt_factor) -> Result<Mass> {
      if (auto wrong = violated(
              {not_negative("mass", mass), at_least("feet", feet, 1), at_least("tilt_factor", tilt_factor, 1)}))
        return *wrong;
      return mass / feet * tilt_factor;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<double, ArealDensity, ArealDensity> floor_load_share{
    .name = "floor_load_share",
    .text = "load / limit",
    .source = "ratio",
    .parameters = {"load", "limit"},
    .function = [](ArealDensity load, ArealDensity limit) -> Result<double> {
      if (auto wrong = violated({not_negative("load", load), above_zero("limit", limit)})) return *wrong;
      return load / limit;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Mass, Mass> point_load_share{
    .name = "point_load_share",
    .text = "load / limit",
    .source = "ratio",
    .parameters = {"load", "limit"},
    .function = [](Mass load, Mass limit) -> Result<double> {
      if (auto wrong = violated({not_negative("load", load), above_zero("limit", limit)})) return *wrong;
      return load / limit;
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> space_formulas() {
  return {
      any(floor_area), any(floor_uniform_load), any(caster_point_load), any(floor_load_share), any(point_load_share),
  };
}

} // namespace hallwright
