// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "catalog/catalog.h"

/// What an integrated rack brings with it.
namespace hallwright {

/// The compute trays of an integrated rack ("NVL72"): a node part and how many.
struct RackTrays {
  const NodePart* node = nullptr;
  Count count = 0;
};

/// The trays that the catalog knows for an integrated rack: as many as the rack states, of a node whose accelerators
/// come to those of the rack ("NVL72": 72 in all) and whose family ("gb200" of the accelerator "gb200-gpu") the rack's
/// name has. Where several fit, one of the rack's maker, else the first of the catalog. Nothing for cabinets, and where
/// no such node is in the catalog.
std::optional<RackTrays> compute_trays_of(const RackPart& rack, const Catalog& catalog);

} // namespace hallwright
