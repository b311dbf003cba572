// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "load/load.h"

namespace hallwright {
namespace {

/// LOD-001
void rack_power_limit(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types)
    if (type.power_limit) check_limit(context, rule, fmt::format("load.rack_type.{}.power", type.id), {{"rack_types", type.id}}, {}, findings);
}

/// LOD-002
void power_basis_missing(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const SharedPage& page = context.figures.page(Page::load);
  if (!page) return;
  constexpr std::string_view prefix = "load.part.", suffix = ".power";
  for (const std::uint32_t index : page->by_id) {
    const Figure& f = page->figures[index];
    if (!f.id.starts_with(prefix) || !f.id.ends_with(suffix) || f.completeness == Completeness::exact || f.reason.empty()) continue;
    const bool at_least = f.completeness == Completeness::lower_bound || f.completeness == Completeness::unknown;
    Finding finding = finding_of(rule, f.label + ": " + f.reason + (at_least ? "; totals with it are lower bounds" : ""), {{"project", 0}}, context, {f.id});
    finding.where = f.label;
    finding.undecided = at_least;
    findings.push_back(std::move(finding));
  }
}

/// LOD-003
void undrawn_switches(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.racks->empty() || context.design.networks->empty()) return;
  const Figure* all = context.figures.find("load.switches");
  if (!all || !all->has_value()) return;
  const Figure* drawn = context.figures.find("load.switches_drawn");
  const double drawn_watts = drawn && drawn->has_value() ? drawn->value : 0.0;
  if (all->value <= drawn_watts * (1.0 + 1e-9)) return;
  Figure missing = *all;
  missing.value = all->value - drawn_watts;
  std::vector<std::string> ids{all->id};
  if (drawn) ids.push_back(drawn->id);
  findings.push_back(finding_of(rule, fmt::format("Switches that draw {} stand in no rack; they are counted in the IT load of the site, but in no rack's power and on no feed", figure_text(missing)),
                                {{"networks", context.design.networks->front().id}}, context, std::move(ids)));
}

} // namespace

std::vector<Rule> load_rules() {
  return {
      {"LOD-001", Severity::error, "Rack power above the limit of its type",
       "The power of one rack (its nodes, switches, storage and modules at the basis of the project, or the power of an integrated rack) is compared "
       "with the power limit of its rack type, which is what its feed may carry.",
       &rack_power_limit},
      {"LOD-002", Severity::note, "Power basis missing",
       "A part has no power at the basis that the project counts with. The next higher basis that is known stands in (measured, typical, nameplate) and the "
       "figure is an estimate; where only a lower one is known, totals are lower bounds; where nothing is known, they name the part.",
       &power_basis_missing},
      {"LOD-003", Severity::note, "Switches counted but not drawn",
       "The networks need more switches than stand in racks. The IT load counts all of them; rack power, feeds and floor see only those that are drawn.",
       &undrawn_switches},
  };
}

} // namespace hallwright
