// SPDX-License-Identifier: GPL-3.0-or-later
#include "budget/budget.h"

#include <fmt/format.h>

namespace hallwright {
namespace {

void check_prices(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* total = context.figures.find("budget.total");
  if (!total) return;
  const EntityRef plan{"budget", 0};
  // Everything that is asked for and has no price, by name.
  std::vector<std::string> missing;
  if (const Table* lines = context.figures.table("budget.lines")) {
    const TableColumn* item = lines->column("item");
    for (std::size_t i = 0; item && i < lines->row_figures.size() && i < item->words.size(); ++i) {
      const Figure* f = context.figures.find(lines->row_figures[i]);
      if (f && (f->completeness == Completeness::unknown || f->completeness == Completeness::lower_bound)) missing.push_back(item->words[i]);
    }
  }
  const bool open = total->completeness == Completeness::lower_bound || total->completeness == Completeness::unknown;
  if (missing.empty() && !open) return;
  std::string names;
  constexpr std::size_t named = 3;
  for (std::size_t i = 0; i < std::min(missing.size(), named); ++i) names += (i ? ", " : "") + missing[i];
  if (missing.size() > named) names += fmt::format(" and {} more", missing.size() - named);
  std::string sentence = total->has_value() ? fmt::format("The total of {} is a lower bound", figure_text(*total))
                                            : std::string("The total is not known");
  sentence += names.empty() ? (total->reason.empty() ? std::string() : ": " + total->reason)
                            : ": no full price is known of " + names;
  findings.push_back(finding_of(rule, std::move(sentence), {plan}, context, {"budget.total", "budget.capital"}));
}

} // namespace

std::vector<Rule> budget_rules() {
  return {
      {"BUD-001", Severity::note, "All prices are known",
       "Parts without a price in the catalog and without one in the budget make the total a lower bound, which must not be taken for a price. Set "
       "a price of nodes in the budget, or replace the price of the part in this design. Source of the limit: price rows of the catalog.",
       check_prices},
  };
}

} // namespace hallwright
