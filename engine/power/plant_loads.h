// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/one_line.h"

/// Where the cooling plant and everything else that is no IT hangs on the drawn one-line.
namespace hallwright {

/// Hangs the plant of a design on its one-line, as `one_line_of` says.
void hang_plant(OneLine& line, const OneLineSource& source);

} // namespace hallwright
