// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "design/edits.h"
#include "training/training.h"

/// The values that each axis of a layout could take on its cluster, and what follows when one is chosen.
namespace hallwright {

/// One value of an axis.
struct AxisOption {
  Count value = 1;
  std::string reason; ///< why a job with it cannot run, a sentence; empty: it can
  std::string note;   ///< it runs, at a cost that this sentence names; may be empty
  friend bool operator==(const AxisOption&, const AxisOption&) = default;
};

/// Axes that `axis_options` knows, as fields of the job, in the order in which they are shown.
const std::vector<std::string_view>& layout_axes();

/// A job with another value on one axis. What depends on it follows: data-parallel ranks take the accelerators that the
/// other axes leave, as far as the batch has sequences for them; expert ranks stay a divisor of what they lie in; stages
/// hold no more chunks than they have layers.
/// @param gpus of the cluster; 0: not known, data-parallel ranks stay
Job with_axis(const Job& job, const ModelPart& model, std::string_view axis, Count value, Count gpus);

/// Values of an axis worth offering, ascending, the present one among them: those that can run, and round ones beside
/// them that cannot, each with its reason. At most ten.
/// @param scale_up_domain accelerators of a domain; 0: not known
std::vector<AxisOption> axis_options(const Job& job, const ModelPart& model, std::string_view axis, Count gpus,
                                     Count scale_up_domain);

/// A job with every axis at one and as many data-parallel ranks as there are accelerators and sequences: what runs
/// wherever anything does, to start from.
Job plainest_layout(const Job& job, const ModelPart& model, Count gpus);

/// Chooses a value of an axis for the job of a design, as `with_axis`.
Edit axis_edit(std::string_view axis, Count value, const ModelPart& model, Count gpus);

} // namespace hallwright
