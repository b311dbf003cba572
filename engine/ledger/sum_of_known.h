// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ledger/ledger.h"

namespace hallwright {

/// A sum that is unknown, not "at least nothing", where no part is known, and not applicable where none applies. No
/// parts at all: zero, exact.
template <class T>
Traced<T> sum_of_known(Ledger& ledger, std::string id, std::string label, const std::vector<Traced<T>>& parts) {
  const Traced<T>* stands_for_all = nullptr; // where no part has a value
  for (const auto& p : parts) {
    if (p.has_value()) return ledger.sum<T>(std::move(id), std::move(label), parts);
    if (!stands_for_all ||
        (p.completeness == Completeness::unknown && stands_for_all->completeness != Completeness::unknown))
      stands_for_all = &p;
  }
  if (!stands_for_all) return ledger.sum<T>(std::move(id), std::move(label), parts);
  return ledger.as<T>(std::move(id), std::move(label), *stands_for_all);
}

} // namespace hallwright
