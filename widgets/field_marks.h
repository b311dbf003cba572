// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "evaluation/evaluation.h"

namespace hallwright {

/// Findings that speak of fields of a form, by field: where a figure of the finding, or its limit, is the field itself,
/// or the limit is made of it directly; and where a remedy of a finding at one of these entities would change it.
/// Waived findings are left out; the most severe of a field comes first.
/// @param entities  all of one table; id 0 for a section
std::map<std::string, std::vector<const Finding*>> findings_of_fields(const Evaluation& evaluation,
                                                                      const std::vector<EntityRef>& entities);

} // namespace hallwright
