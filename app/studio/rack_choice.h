// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "design/design.h"

namespace hallwright {

/// A type of the design, or else a rack of the catalog of which one is made.
struct LikelyRack {
  Id type = 0;
  std::string part;
};

/// The rack that is drawn until another one is chosen: the type that most racks of the design have; with no racks yet
/// the first type whose size is known, then the first rack of the catalog whose size is known. Fabric racks come along
/// with the others and are no choice.
LikelyRack likely_rack(const Design& design, const Catalog& catalog);

} // namespace hallwright
