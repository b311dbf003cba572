// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "checks/finding.h"
#include "output.h"

/// Findings as text and as JSON.
namespace hallwright::cli {

/// [{code, severity, message, where, entities, figures, remedies, undecided, waived, waiver_reason}]
[[nodiscard]] Json findings_json(const std::vector<Finding>& findings);
/// Open findings with their remedies, then waived ones with the written reason, then a line of counts. `problems` are
/// overrides of parts that do not apply.
[[nodiscard]] std::string findings_text(const std::vector<Finding>& findings, const std::vector<std::string>& problems);

} // namespace hallwright::cli
