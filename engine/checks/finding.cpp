// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks/finding.h"

#include <algorithm>

#include <fmt/format.h>

#include "ledger/carried_bounds.h"
#include "ledger/limit_unit.h"

namespace hallwright {

std::string_view severity_word(Severity s) {
  switch (s) {
  case Severity::error: return "error";
  case Severity::warning: return "warning";
  case Severity::note: return "note";
  }
  return "note";
}

Finding finding_of(const Rule& rule, std::string message, std::vector<EntityRef> entities, const CheckContext& context,
                   std::vector<std::string> figures) {
  Finding f;
  f.code = rule.code;
  f.severity = rule.severity;
  f.message = std::move(message);
  // A sentence begins with the name of what it is about; what has none is told by table and number.
  if (f.message.starts_with(": ") && !entities.empty()) f.message = entity_name(context.design, entities.front()) + f.message;
  f.figures = std::move(figures);
  // The list names the first few places; all of them are selected by a click.
  constexpr std::size_t named = 3;
  for (std::size_t i = 0; i < std::min(entities.size(), named); ++i) {
    if (i) f.where += ", ";
    f.where += entity_name(context.design, entities[i]);
  }
  if (entities.size() > named) f.where += fmt::format(" and {} more", entities.size() - named);
  f.entities = std::move(entities);
  return f;
}

namespace {
std::string entity_words(const std::vector<EntityRef>& entities) {
  std::string out;
  for (const auto& e : entities) {
    if (!out.empty()) out += ' ';
    out += e.table + ":" + std::to_string(e.id);
  }
  return out;
}
} // namespace

std::vector<Finding> found_by(const std::vector<Rule>& rules, const CheckContext& context) {
  std::vector<Finding> out;
  for (const Rule& rule : rules) {
    if (context.stop.stop_requested()) return out;
    rule.check(context, rule, out);
  }
  return out;
}

void settle(std::vector<Finding>& findings, const Design& design) {
  if (!design.waivers->empty()) {
    for (Finding& f : findings) {
      const std::string place = entity_words(f.entities);
      for (const Waiver& w : *design.waivers) {
        if (w.rule != f.code || (!w.entities.empty() && w.entities != place)) continue;
        f.waived = true;
        f.waiver_reason = w.reason;
      }
    }
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    if (a.waived != b.waived) return b.waived;
    if (a.severity != b.severity) return a.severity < b.severity;
    if (a.code != b.code) return a.code < b.code;
    return a.entities < b.entities;
  });
}

std::vector<Finding> run_rules(const CheckContext& context, const std::vector<Rule>& rules, const std::stop_token& stop) {
  CheckContext run = context;
  run.stop = stop;
  std::vector<Finding> out = found_by(rules, run);
  settle(out, run.design);
  return out;
}

std::string waiver_place(const Finding& finding) { return entity_words(finding.entities); }

FindingCounts count_of(const std::vector<Finding>& findings) {
  FindingCounts out;
  for (const Finding& f : findings) {
    Count& of = f.waived                            ? out.waived
                : f.undecided                       ? out.undecided
                : f.severity == Severity::error     ? out.errors
                : f.severity == Severity::warning   ? out.warnings
                                                    : out.notes;
    ++of;
  }
  return out;
}

void check_limit(const CheckContext& context, const Rule& rule, std::string_view figure_id, std::vector<EntityRef> entities,
                 std::vector<Remedy> remedies, std::vector<Finding>& findings) {
  const Figure* figure = context.figures.find(figure_id);
  if (!figure || !figure->has_value()) return;
  const Figure* limit = context.figures.at(figure->limit);
  if (!limit) return;
  // As many digits as it takes to tell a value over its limit from the limit.
  std::string value_words = figure_text(*figure);
  std::string limit_words = limit->has_value() ? figure_text(limit_in_unit_of(*figure, *limit)) : "not known";
  if (figure->status == Status::over_limit && limit->has_value()) {
    const auto number = [](const std::string& words) { return words.substr(0, words.find(" (")); };
    for (int digits = 4; digits <= 9 && number(value_words) == number(limit_words); ++digits) {
      value_words = figure_text(*figure, digits);
      limit_words = figure_text(limit_in_unit_of(*figure, *limit), digits);
    }
  }
  const std::string_view sense = figure->limit_sense == LimitSense::at_most ? "at most" : "at least";
  const std::vector<std::string> ids{figure->id, limit->id};
  // A total of which nothing is known yet is no "at least 0".
  const auto nothing_known = [](const Figure& f) {
    return !f.has_value() || (f.completeness == Completeness::lower_bound && f.value == 0.0);
  };
  if (nothing_known(*figure)) value_words = "not known";
  const bool limit_grows = limit->completeness == Completeness::lower_bound;
  if (limit_grows && limit_words.starts_with("at least ")) limit_words.erase(0, std::string_view("at least ").size());
  auto sentence = [&](std::string_view tail) {
    if (nothing_known(*limit))
      return fmt::format("{} is {}; what is allowed ({}) is not known{}", figure->label, value_words, limit->label, tail);
    return fmt::format("{} is {}; {} {}{} is allowed ({}){}", figure->label, value_words, sense, limit_words,
                       limit_grows ? ", perhaps more," : "", limit->label, tail);
  };
  switch (figure->status) {
  case Status::over_limit: {
    Finding f = finding_of(rule, sentence(""), std::move(entities), context, ids);
    f.remedies = std::move(remedies);
    findings.push_back(std::move(f));
    break;
  }
  case Status::near_limit: {
    Finding f = finding_of(rule, sentence(": little margin is left"), std::move(entities), context, ids);
    f.severity = Severity::note;
    f.remedies = std::move(remedies);
    findings.push_back(std::move(f));
    break;
  }
  case Status::undecided: {
    const bool of_figure = figure->completeness == Completeness::lower_bound || rests_on_bound(*figure);
    const std::string why = of_figure ? figure->reason : limit->reason;
    Finding f = finding_of(rule, sentence(": this cannot be decided" + (why.empty() ? std::string() : ", " + why)), std::move(entities),
                           context, ids);
    f.severity = Severity::warning;
    f.undecided = true;
    findings.push_back(std::move(f));
    break;
  }
  case Status::none:
  case Status::ok: break;
  }
}

} // namespace hallwright
