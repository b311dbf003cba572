// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "load/load.h"
#include "space/footprints.h"
#include "space/plan_geometry.h"

namespace hallwright {
namespace {

/// LOD-001
void rack_power_limit(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types)
    if (type.power_limit)
      check_limit(context, rule, fmt::format("load.rack_type.{}.power", type.id), {{"rack_types", type.id}}, {},
                  findings);
}

/// LOD-002
void power_basis_missing(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const SharedPage& page = context.figures.page(Page::load);
  if (!page) return;
  constexpr std::string_view prefix = "load.part.", suffix = ".power";
  for (const std::uint32_t index : page->by_id) {
    const Figure& f = page->figures[index];
    if (!f.id.starts_with(prefix) || !f.id.ends_with(suffix) || f.completeness == Completeness::exact ||
        f.reason.empty())
      continue;
    const bool at_least = f.completeness == Completeness::lower_bound || f.completeness == Completeness::unknown;
    Finding finding =
        finding_of(rule, f.label + ": " + f.reason + (at_least ? "; totals with it are lower bounds" : ""),
                   {{"project", 0}}, context, {f.id});
    finding.where = f.label;
    finding.undecided = at_least;
    findings.push_back(std::move(finding));
  }
}

/// LOD-003
void undrawn_switches(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Design& design = context.design;
  if (design.racks->empty() || design.networks->empty()) return;
  // By part: a spare switch of one part fills no place of another.
  struct Switches {
    double needed = 0.0, drawn = 0.0;
    std::vector<EntityRef> networks;
    std::vector<std::string> figures;
  };
  std::map<std::string, Switches> parts;
  for (const Network& n : *design.networks) {
    const Figure* needed = context.figures.find(fmt::format("fabric.network.{}.switches", n.id));
    if (!needed || !needed->has_value()) continue;
    Switches& of_part = parts[n.switch_part];
    of_part.needed += needed->value;
    of_part.networks.push_back({"networks", n.id});
    of_part.figures.push_back(needed->id);
  }
  std::map<Id, double> racks_of_type;
  for (const Rack& rack : *design.racks)
    racks_of_type[rack.rack_type] += 1.0;
  for (const RackItem& item : *design.rack_items)
    if (const auto part = parts.find(item.part);
        item.kind == RackItemKind::network_switch && !item.part.empty() && part != parts.end())
      if (const auto racks = racks_of_type.find(item.rack_type); racks != racks_of_type.end())
        part->second.drawn += racks->second * static_cast<double>(item.count);
  double missing = 0.0, needed = 0.0;
  std::string names;
  std::vector<EntityRef> networks;
  std::vector<std::string> ids;
  for (auto& [id, of_part] : parts) {
    needed += of_part.needed;
    const double undrawn = of_part.needed - of_part.drawn;
    if (!(undrawn > 0.0)) continue;
    missing += undrawn;
    const SwitchPart* part = context.catalog.find<SwitchPart>(id);
    names += fmt::format("{}{:.0f} {}", names.empty() ? "" : ", ", undrawn,
                         part         ? part->name
                         : id.empty() ? std::string("of no part")
                                      : id);
    networks.insert(networks.end(), of_part.networks.begin(), of_part.networks.end());
    ids.insert(ids.end(), of_part.figures.begin(), of_part.figures.end());
  }
  if (!(missing > 0.0)) return;
  std::string sentence = fmt::format("{:.0f} of {:.0f} switches that the networks need {} in no rack ({})", missing,
                                     needed, missing == 1.0 ? "stands" : "stand", names);
  const Figure* all = context.figures.find("load.switches");
  const Figure* drawn = context.figures.find("load.switches_drawn");
  if (all && all->has_value()) {
    ids.push_back(all->id);
    if (drawn) ids.push_back(drawn->id);
    Figure more = *all;
    more.value = all->value - (drawn && drawn->has_value() ? drawn->value : 0.0);
    if (more.value > all->value * 1e-9)
      sentence += fmt::format("; the IT load of the site counts {} for what is not drawn", figure_text(more));
  }
  findings.push_back(finding_of(rule, sentence + "; no rack's power and no feed has them", std::move(networks), context,
                                std::move(ids)));
}

/// LOD-004
void zone_power_limit(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Design& design = context.design;
  const Table* table = context.figures.table("load.racks");
  const TableColumn* power = table ? table->column("power") : nullptr;
  if (!power) return;
  for (const Zone& zone : *design.zones) {
    if (!zone.power_limit) continue;
    double drawn = 0.0;
    std::size_t racks = 0, unknown = 0;
    for (std::size_t i = 0; i < table->entities.size() && i < power->numbers.size(); ++i) {
      const Rack* rack = find(*design.racks, table->entities[i]);
      if (!rack || rack->hall != zone.hall) continue;
      const RackType* type = find(*design.rack_types, rack->rack_type);
      const Footprint size = rack_footprint(context.catalog, type ? *type : RackType{});
      const PlanThing t = plan_thing(rack->x, rack->y, size.width, size.depth, rack->rotation);
      if (!point_in_outline(t.center_x, t.center_y, zone.outline)) continue;
      ++racks;
      if (std::isfinite(power->numbers[i]))
        drawn += power->numbers[i];
      else
        ++unknown;
    }
    const auto words = [](double watts) {
      return format_quantity(watts, kind::power, NumberStyle{.significant = 4}).joined();
    };
    const bool over = drawn > in_watts(*zone.power_limit) * (1 + 1e-9);
    if (!over && unknown == 0) continue;
    std::string sentence =
        fmt::format("The {} racks in zone {} draw {}{}; at most {} is allowed ({}: Power limit)", racks, zone.name,
                    unknown > 0 ? "at least " : "", words(drawn), words(in_watts(*zone.power_limit)), zone.name);
    if (!over) sentence += fmt::format(": this cannot be decided, the power of {} is not known", unknown);
    Finding f = finding_of(rule, sentence, {{"zones", zone.id}}, context, {});
    if (!over) f.severity = Severity::warning, f.undecided = true;
    findings.push_back(std::move(f));
  }
}

} // namespace

std::vector<Rule> load_rules() {
  return {
      {"LOD-001", Severity::error, "Rack power above the limit of its type",
       "The power of one rack (its nodes, switches, storage and modules at the basis of the project, or the power of "
       "an integrated rack) is compared "
       "with the power limit of its rack type, which is what its feed may carry. Source of the limit: the rack type of "
       "the design.",
       &rack_power_limit},
      {"LOD-002", Severity::note, "Power basis missing",
       "A part has no power at the basis that the project counts with. The next higher basis that is known stands in "
       "(measured, typical, nameplate) and the "
       "figure is an estimate; where only a lower one is known, totals are lower bounds; where nothing is known, they "
       "name the part. A switch without any is estimated from its "
       "capacity. Source of the limit: the rows of the catalog; catalog assumption power.switch_typical_w_per_tbit_s "
       "for switches.",
       &power_basis_missing},
      {"LOD-003", Severity::note, "Switches counted but not drawn",
       "The networks need more switches of a part than stand in racks; those that are needed and not drawn are counted "
       "here. The IT load is at least what the "
       "networks need, but rack power, feeds and floor see only what is drawn. Source of the limit: the counts of the "
       "networks themselves.",
       &undrawn_switches},
      {"LOD-004", Severity::error, "Zone draws more than its limit",
       "A zone may state what all racks whose middle stands in it may draw together, such as the share of a hall that "
       "one lease or one busway has. Their power "
       "at the basis of the project is added up. Source of the limit: the zone of the design.",
       &zone_power_limit},
  };
}

} // namespace hallwright
