// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of the storage stage beside `storage/formulas.h`.
namespace hallwright {

/// Rate of several equal systems.
/// @param systems [count], zero or more
/// @param rate [B/s] of one, zero or more
/// @return [B/s]
/// @source rate times amount; the clients and their network are not the limit
extern const Formula<DataRate, Count, DataRate> rate_of_systems;

/// Capacity of several equal systems.
/// @param systems [count], zero or more
/// @param capacity [B] of one, zero or more
/// @return [B]
/// @source capacity times amount
extern const Formula<Bytes, Count, Bytes> capacity_of_systems;

/// Racks of a type times the systems in one.
/// @param racks, systems_per_rack [count], zero or more
/// @return [count]
/// @source count
extern const Formula<Count, Count, Count> systems_in_racks;

/// Bytes of the checkpoints that are kept.
/// @param checkpoint [B], zero or more
/// @param kept [count], zero or more
/// @return [B]
/// @source retention arithmetic
extern const Formula<Bytes, Bytes, Count> kept_checkpoint_bytes;

/// Time that a job stops for the copy of its state to host memory: each byte is copied once, by the GPU that owns it.
/// @param checkpoint [B], zero or more
/// @param gpus [count], at least 1
/// @param copy_rate_per_gpu [B/s], above 0
/// @return [s], an estimate
/// @source data over rate; state spread evenly
extern const Formula<Time, Bytes, Count, DataRate> host_copy_time;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> storage_stage_formulas();

} // namespace hallwright
