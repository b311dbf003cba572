// SPDX-License-Identifier: GPL-3.0-or-later
#include "finding_output.h"

#include <fmt/format.h>

#include "quantity/text.h"

namespace hallwright::cli {
namespace {

std::string remedy_text(const Remedy& remedy) {
  std::string out = remedy.edit.label;
  if (remedy.cost_dollars) out += fmt::format("; {}", full_text(*remedy.cost_dollars, kind::money));
  else if (remedy.labour) out += "; labour, not priced";
  if (remedy.lead_time_weeks) out += fmt::format("; {} weeks", exact_number(*remedy.lead_time_weeks));
  return out;
}

} // namespace

Json findings_json(const std::vector<Finding>& findings) {
  Json out = Json::array();
  for (const Finding& f : findings) {
    Json entities = Json::array();
    for (const EntityRef& e : f.entities) entities.push_back(Json{{"table", e.table}, {"id", e.id}});
    Json remedies = Json::array();
    for (const Remedy& r : f.remedies)
      remedies.push_back(Json{{"label", r.edit.label},
                              {"labour_only", r.labour},
                              {"cost_usd", r.cost_dollars ? number(*r.cost_dollars) : Json(nullptr)},
                              {"lead_time_weeks", r.lead_time_weeks ? number(*r.lead_time_weeks) : Json(nullptr)}});
    Json one;
    one["code"] = f.code;
    one["severity"] = severity_word(f.severity);
    one["message"] = f.message;
    one["where"] = f.where;
    one["entities"] = std::move(entities);
    one["figures"] = f.figures;
    one["remedies"] = std::move(remedies);
    one["undecided"] = f.undecided;
    one["waived"] = f.waived;
    one["waiver_reason"] = f.waiver_reason;
    out.push_back(std::move(one));
  }
  return out;
}

std::string findings_text(const std::vector<Finding>& findings, const std::vector<std::string>& problems) {
  std::string open, waived;
  for (const Finding& f : findings) {
    const std::string place = f.where.empty() ? std::string() : " [" + f.where + "]";
    if (f.waived) {
      waived += fmt::format("waived   {}  {}{}\n         reason: {}\n", f.code, f.message, place, f.waiver_reason);
      continue;
    }
    open += fmt::format("{:<8} {}  {}{}\n", f.undecided ? "open" : severity_word(f.severity), f.code, f.message, place);
    if (f.undecided) open += "         cannot be decided: data are missing\n";
    for (const Remedy& r : f.remedies) open += "         remedy: " + remedy_text(r) + "\n";
  }
  std::string out = open + waived;
  for (const std::string& problem : problems) out += "override " + problem + "\n";
  const FindingCounts n = count_of(findings);
  return out + fmt::format("{} errors, {} warnings, {} notes, {} undecided, {} waived\n", n.errors, n.warnings, n.notes,
                           n.undecided, n.waived);
}

} // namespace hallwright::cli
