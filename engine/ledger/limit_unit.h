// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ledger/figure.h"

namespace hallwright {

/// A limit as it is shown beside the figure that it bounds: the same unit on both sides (80 GB of memory beside a need
/// in GiB reads "74.5 GiB"). A limit of another dimension stays as it is.
inline Figure limit_in_unit_of(const Figure& figure, Figure limit) {
  if (figure.kind && limit.kind && figure.kind->exponents == limit.kind->exponents && figure.kind->scale == limit.kind->scale)
    limit.kind = figure.kind;
  return limit;
}

} // namespace hallwright
