// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/document_rules.h"

#include <fmt/format.h>

#include "design/access.h"

namespace hallwright {
namespace {

void made_by_evaluate(const CheckContext&, const Rule&, std::vector<Finding>&) {}

/// Every change that cannot be made, in the order of the scenario. What comes after a broken change is tried without it.
void broken_scenario(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Scenario& scenario : *context.design.scenarios) {
    Design changed = context.design;
    for (const ScenarioChange& change : *context.design.scenario_changes) {
      if (change.scenario != scenario.id) continue;
      auto next = set_by_path(changed, change.path, change.value);
      if (next) {
        changed = *std::move(next);
        continue;
      }
      findings.push_back(finding_of(rule,
                                    fmt::format("Scenario '{}' cannot be applied: change {} ({} = {}): {}", scenario.name, change.id,
                                                change.path, change.value, next.error()),
                                    {{"scenarios", scenario.id}}, context, {}));
    }
  }
}

} // namespace

std::vector<Rule> document_rules() {
  return {
      {"CAT-001", Severity::error, "Replaced value that cannot be",
       "A replacement of a catalog value names a part or field that is not there, does not fit the field, or stands beside another "
       "replacement of the same field. It changes nothing: every figure rests on the catalog's own value. Source of the limit: the range "
       "and the kind of the field in the catalog.",
       &made_by_evaluate},
      {"SCN-001", Severity::error, "Scenario that cannot be applied",
       "A change of the scenario names something that is not in the design, or a value that its field does not take, so that the scenario "
       "has no figures and cannot be compared. Source of the limit: the fields of the design and their ranges.",
       &broken_scenario},
  };
}

} // namespace hallwright
