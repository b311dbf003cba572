// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "design/edits.h"
#include "ledger/figures.h"

/// What a rule, a finding, a remedy and a waiver are. Each subject keeps its own rules in its own `rules.cpp`.
namespace hallwright {

enum class Severity : std::uint8_t { error, warning, note };
std::string_view severity_word(Severity s);

/// A way out: an edit with its cost and lead time. Previewed before it is applied.
struct Remedy {
  Edit edit;                             ///< its label is the remedy's text
  std::optional<double> cost_dollars;    ///< unknown when not set
  std::optional<double> lead_time_weeks; ///< unknown when not set
};

/// One broken rule at one place.
struct Finding {
  std::string code;     ///< "PWR-004"
  Severity severity = Severity::warning;
  std::string message;  ///< a sentence with the figures in it
  std::string where;    ///< names of the entities, for the list
  std::vector<EntityRef> entities;
  std::vector<std::string> figures; ///< ids of the figures that it rests on; the first opens in Explain
  std::vector<Remedy> remedies;
  bool undecided = false; ///< data are missing: the rule can't be decided
  bool waived = false;
  std::string waiver_reason;
};

/// What a rule reads.
struct CheckContext {
  const Design& design;
  const Catalog& catalog;
  const Figures& figures;
};

/// Description of a rule: the help of the checks panel and of the command line.
struct Rule {
  std::string_view code;
  Severity severity = Severity::warning;
  std::string_view title;
  std::string_view help; ///< why, what is compared with what, source of the limit
  void (*check)(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) = nullptr;
};

/// Starts a finding of a rule.
Finding finding_of(const Rule& rule, std::string message, std::vector<EntityRef> entities, const CheckContext& context,
                   std::vector<std::string> figures);

/// The entities of a finding as a waiver names them ("racks:12 racks:13").
std::string waiver_place(const Finding& finding);

/// Runs rules in the order of their codes, marks waived findings, sorts: errors first, then code, then place.
/// When `stop` is requested it returns before the next rule, with what was found so far.
std::vector<Finding> run_rules(const CheckContext& context, const std::vector<Rule>& rules, const std::stop_token& stop = {});

/// The common rule: a figure against its limit. Reports over_limit as the rule's severity, near_limit as a note,
/// undecided as an undecided warning; silent otherwise.
void check_limit(const CheckContext& context, const Rule& rule, std::string_view figure_id, std::vector<EntityRef> entities,
                 std::vector<Remedy> remedies, std::vector<Finding>& findings);

} // namespace hallwright
