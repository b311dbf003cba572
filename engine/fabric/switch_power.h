// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "ledger/ledger.h"

/// Power of a switch whose catalog row states none: one estimate for every stage that counts switches.
namespace hallwright {

/// ports * port rate * watts per Tbit/s [W]; an estimate, without modules.
extern const Formula<Power, Count, DataRate, double> switch_power_from_capacity;

/// Power of one switch `part` without modules, estimated from its capacity at the catalog's draw per Tbit/s
/// (assumption `power.switch_typical_w_per_tbit_s`), as the figure `id` of `ledger`. Unknown, with the reason, where
/// ports, port rate or the assumption are missing.
Traced<Power> switch_power_by_capacity(Ledger& ledger, const Catalog& catalog, const SwitchPart& part, std::string id, std::string label);

} // namespace hallwright
