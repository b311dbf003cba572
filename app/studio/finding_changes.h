// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "checks/finding.h"

namespace hallwright {

/// What an edit does to the findings: those that are not waived, told apart by rule and place.
struct FindingChanges {
  std::vector<const Finding*> gone; ///< of the evaluation before
  std::vector<const Finding*> come; ///< of the one after
};

/// Both lists must outlive the answer.
FindingChanges finding_changes(const std::vector<Finding>& before, const std::vector<Finding>& after);

} // namespace hallwright
