// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ledger/figure.h"

namespace hallwright {

/// A limit as it is shown beside the figure that it bounds: the same unit on both sides (80 GB of memory beside a need
/// in GiB reads "74.5 GiB", a share of 0.9 beside a percentage "90 %"). A limit of another dimension stays as it is.
inline Figure limit_in_unit_of(const Figure& figure, Figure limit) {
  const auto share = [](const Kind& k) { return k.scale == Scale::ratio || k.scale == Scale::percent; };
  if (figure.kind && limit.kind && figure.kind->exponents == limit.kind->exponents &&
      (figure.kind->scale == limit.kind->scale || (share(*figure.kind) && share(*limit.kind))))
    limit.kind = figure.kind;
  return limit;
}

} // namespace hallwright
