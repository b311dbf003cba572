// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "power/one_line.h"

/// The one-line of a design with what its rack types state.
namespace hallwright {

/// As `one_line_of`, with the power factor of each rack type (not set: the catalog's) and what its supplies deliver on
/// one feed (not set: not known).
OneLine one_line_of(const OneLineSource& source, const std::vector<RackType>& rack_types);

} // namespace hallwright
