// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

#include <QString>

#include "evaluation/evaluation.h"

namespace hallwright {

/// One line of the summary of a rack: words, each with the id of the figure that it shows, or empty.
struct RackSummaryLine {
  QString label;
  std::vector<std::pair<QString, QString>> values;
  bool over = false; ///< above its limit
};
/// Units, mass, centre of gravity, power, heat and ports of one rack of a type, as the evaluation states them.
std::vector<RackSummaryLine> rack_summary(const Evaluation& evaluation, const Design& design, const Catalog& catalog,
                                          Id rack_type, bool numbers_from_top);

} // namespace hallwright
