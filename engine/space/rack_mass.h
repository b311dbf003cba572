// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "catalog/traced_part.h"
#include "design/design.h"

/// What a rack of a type weighs, with and without its cabinet.
namespace hallwright {

struct RackMass {
  Traced<Mass> cabinet;                       ///< empty, as its part states it
  std::vector<const RackItem*> content_items; ///< of the list that was given, by id
  std::vector<Traced<Mass>> items; ///< space.rack_item.<id>.mass: all of its count; in the order of `content_items`
  Traced<Mass> content;            ///< space.rack_type.<id>.content_mass: what the cabinet carries
  Traced<Mass>
      mass; ///< space.rack_type.<id>.mass: as stated, else as the rack part states it, else cabinet and content
};

/// Of every rack type, in their order.
std::vector<RackMass> rack_masses(Ledger& ledger, const Catalog& catalog, const std::vector<RackType>& types,
                                  const std::vector<RackItem>& items);

/// The formulas applied here, with their types erased.
[[nodiscard]] std::vector<AnyFormula> rack_mass_formulas();

} // namespace hallwright
