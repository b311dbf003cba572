// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "checks/finding.h"

namespace hallwright {

/// More distribution units of a loop beside the last one, of the plant's part. Nothing where no part is known.
[[nodiscard]] std::optional<Remedy> more_units_remedy(const CheckContext& context, Id loop, Count count);

} // namespace hallwright
