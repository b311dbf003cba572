// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/finding_changes.h"

#include <map>

namespace hallwright {
namespace {

/// Findings of one list that have no partner in the other: as often as a rule complains of a place.
std::vector<const Finding*> without_partner(const std::vector<Finding>& list, const std::vector<Finding>& other) {
  std::map<std::pair<std::string, std::string>, int> partners;
  for (const Finding& f : other)
    if (!f.waived) ++partners[{f.code, waiver_place(f)}];
  std::vector<const Finding*> out;
  for (const Finding& f : list)
    if (!f.waived && --partners[{f.code, waiver_place(f)}] < 0) out.push_back(&f);
  return out;
}

} // namespace

FindingChanges finding_changes(const std::vector<Finding>& before, const std::vector<Finding>& after) {
  return {without_partner(before, after), without_partner(after, before)};
}

} // namespace hallwright
