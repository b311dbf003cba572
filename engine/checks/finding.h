// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
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
  bool labour = false; ///< nothing is bought: what stands there is moved, turned or hung anew; labour has no price here
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

/// What several rules of one run look at, each made by the first that asks. For one thread.
class SharedLooks {
public:
  /// The one T of this run; `make` gives a shared pointer to it where there is none yet.
  template <class T, class Make>
  const T& of(Make&& make) {
    for (const auto& [type, look] : looks_)
      if (type == typeid(T)) return *static_cast<const T*>(look.get());
    std::shared_ptr<const T> made = make();
    const T& out = *made;
    looks_.emplace_back(typeid(T), std::move(made));
    return out;
  }

private:
  std::vector<std::pair<std::type_index, std::shared_ptr<const void>>> looks_;
};

/// What a rule reads.
struct CheckContext {
  const Design& design;
  const Catalog& catalog;
  const Figures& figures;
  std::stop_token stop = {}; ///< when requested, what a rule finds is of no use: long ones leave off
  std::shared_ptr<SharedLooks> looks = std::make_shared<SharedLooks>();
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

/// How many findings there are: the one count of the checks panel, of layout proposals and of the command line. Each
/// finding is in one of them.
struct FindingCounts {
  Count errors = 0, warnings = 0, notes = 0; ///< decided ones that are not waived
  Count undecided = 0;                       ///< of any severity: data are missing
  Count waived = 0;
};
FindingCounts count_of(const std::vector<Finding>& findings);

/// What rules find, in their order. When the context's `stop` is requested it leaves off, with what was found so far.
std::vector<Finding> found_by(const std::vector<Rule>& rules, const CheckContext& context);
/// Marks waived findings and sorts: errors first, then code, then place. Findings of one rule stay in their order.
void settle(std::vector<Finding>& findings, const Design& design);
/// Runs rules and settles what they find. When `stop` is requested it leaves off, with what was found so far.
std::vector<Finding> run_rules(const CheckContext& context, const std::vector<Rule>& rules, const std::stop_token& stop = {});

/// The common rule: a figure against its limit. Reports over_limit as the rule's severity, near_limit as a note,
/// undecided as an undecided warning; silent otherwise.
void check_limit(const CheckContext& context, const Rule& rule, std::string_view figure_id, std::vector<EntityRef> entities,
                 std::vector<Remedy> remedies, std::vector<Finding>& findings);

} // namespace hallwright
