// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "design/entities.h"
#include "training/step_model_inputs.h"

/// From parts of the catalog and the job of a design to what the step-time model takes.
namespace hallwright {

/// Dimensions of a model part; what its row leaves empty is zero (see `missing_dimensions`).
ModelDimensions dimensions_of(const ModelPart& model);
/// Columns that the step-time model needs and the row leaves empty: "layers", "hidden_size"...
std::vector<std::string> missing_dimensions(const ModelPart& model);

/// How the job of a design is split. Schedule: interleaved where stages hold several chunks in plain order.
JobSplit split_of(const Job& job);

AcceleratorFamily accelerator_family(std::string_view accelerator_id);
AcceleratorVariant accelerator_variant(std::string_view accelerator_id);
/// Whether the GB of the data sheet are GiB to programs. Stacks of HBM hold powers of two: the 80 GB of a data sheet are
/// 80 GiB (nvidia-smi: 81,920 MiB on A100, 81,559 on H100, 183,359 on B200). B300 does not give all of its 288 GiB.
bool shows_binary_memory(const Accelerator& accelerator);
/// Bytes that programs see of the memory of an accelerator.
std::optional<double> usable_memory_bytes(const Accelerator& accelerator);
/// Rates of an accelerator as its row has them; the network is that of its own row (50 GB/s where it has none), a
/// scale-up domain without a stated size is a node of `gpus_per_node`. PCIe cards: the slot.
ClusterRates accelerator_rates(const Accelerator& accelerator, double gpus_per_node);
/// Dense peak of `accelerator` in `recipe`; nothing where the row has none.
std::optional<FlopRate> recipe_peak(const Accelerator& accelerator, PrecisionRecipe recipe);
PrecisionRecipe recipe_of(Precision precision);

} // namespace hallwright
