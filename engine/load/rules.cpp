// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "checks/letters_apart.h"
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

/// What kind of part an item of a rack asks for, and whether the catalog has it.
struct ItemPart {
  std::string_view kind;
  bool known = false;
};
ItemPart part_of(const Catalog& catalog, const RackItem& item) {
  switch (item.kind) {
  case RackItemKind::node:
    return {part_kind<NodePart>(), catalog.find<NodePart>(item.part) != nullptr};
  case RackItemKind::network_switch:
    return {part_kind<SwitchPart>(), catalog.find<SwitchPart>(item.part) != nullptr};
  case RackItemKind::storage:
    return {part_kind<StoragePart>(), catalog.find<StoragePart>(item.part) != nullptr};
  case RackItemKind::other:
    // Anything that a rack may hold; without any of them it is looked for among nodes.
    return {part_kind<NodePart>(), catalog.find<NodePart>(item.part) || catalog.find<SwitchPart>(item.part) ||
                                       catalog.find<StoragePart>(item.part) || catalog.find<PowerPart>(item.part)};
  }
  return {};
}

struct NearPart {
  std::size_t distance = 0;
  std::string id;
};
/// Ids of the parts that an item could have meant, nearest first.
std::vector<NearPart> nearest_parts(const Catalog& catalog, const RackItem& item) {
  std::vector<NearPart> out;
  const auto add = [&](const auto& parts) {
    for (const auto& p : parts)
      out.push_back({letters_apart(item.part, p.id), p.id});
  };
  const bool other = item.kind == RackItemKind::other;
  if (other || item.kind == RackItemKind::node) add(catalog.nodes);
  if (other || item.kind == RackItemKind::network_switch) add(catalog.switches);
  if (other || item.kind == RackItemKind::storage) add(catalog.storage);
  if (other) add(catalog.power);
  constexpr std::size_t told = 3;
  const auto end = out.begin() + static_cast<std::ptrdiff_t>(std::min(told, out.size()));
  std::partial_sort(out.begin(), end, out.end(), [](const NearPart& a, const NearPart& b) {
    return std::tie(a.distance, a.id) < std::tie(b.distance, b.id);
  });
  out.erase(end, out.end());
  return out;
}

/// LOD-005
void part_not_in_catalog(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackItem& item : *context.design.rack_items) {
    const ItemPart part = part_of(context.catalog, item);
    if (part.known) continue;
    const RackType* type = find(*context.design.rack_types, item.rack_type);
    const std::string holder = type ? "Rack type " + type->name : fmt::format("Rack item {}", item.id);
    const auto kind_word = ChoiceWords<RackItemKind>::words[static_cast<std::size_t>(item.kind)];
    std::string ids;
    const auto near_parts = nearest_parts(context.catalog, item);
    for (const NearPart& p : near_parts)
      ids += (ids.empty() ? "" : ", ") + p.id;
    const std::string what =
        item.part.empty()
            ? fmt::format("{}: item {} ({} x {}) names no part", holder, item.id, item.count, kind_word)
            : fmt::format("{}: item {} ({} x {}) names part \"{}\", and the catalog has no {} of that id", holder,
                          item.id, item.count, kind_word, item.part, part.kind);
    Finding f = finding_of(rule,
                           fmt::format("{}; nothing of it is in power, heat, mass and cost{}", what,
                                       ids.empty() || item.part.empty() ? std::string()
                                                                        : ". Nearest in the catalog: " + ids),
                           {{"rack_items", item.id}}, context,
                           {fmt::format("load.rack_type.{}.power", item.rack_type)});
    f.where = type ? type->name : std::string();
    // A slip of the hand has one or two letters wrong.
    for (const NearPart& p : near_parts) {
      if (item.part.empty() || p.distance > 2) continue;
      Remedy r;
      r.edit = {fmt::format("Take {} for \"{}\"", p.id, item.part),
                [entity = EntityRef{"rack_items", item.id}, id = p.id](const Design& d) -> Edited {
                  return set_field(d, entity, "part", FieldValue(id));
                }};
      f.remedies.push_back(std::move(r));
    }
    findings.push_back(std::move(f));
  }
}

/// LOD-002
void power_basis_missing(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const SharedPage& page = context.figures.page(Page::load);
  if (!page) return;
  constexpr std::string_view prefix = "load.part.", suffix = ".power";
  std::set<std::string> told; // by LOD-005
  for (const RackItem& item : *context.design.rack_items)
    if (const ItemPart part = part_of(context.catalog, item); !part.known)
      told.insert(fmt::format("{}{}.{}{}", prefix, part.kind, item.part, suffix));
  for (const std::uint32_t index : page->by_id) {
    const Figure& f = page->figures[index];
    if (!f.id.starts_with(prefix) || !f.id.ends_with(suffix) || f.completeness == Completeness::exact ||
        f.reason.empty() || told.count(f.id))
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
  const Figure* not_drawn = context.figures.find("load.switches_not_drawn");
  if (!not_drawn) not_drawn = context.figures.find("load.switches"); // none is drawn
  if (not_drawn && not_drawn->has_value()) {
    ids.push_back(not_drawn->id);
    if (not_drawn->value > 0.0)
      sentence += fmt::format("; the IT load of the site counts {} for these switches", figure_text(*not_drawn));
  }
  findings.push_back(finding_of(rule, sentence + "; no rack's power and no feed has them", std::move(networks), context,
                                std::move(ids)));
}

std::string kilowatts_text(double watts) {
  return format_quantity(watts, kind::power, NumberStyle{.significant = 4}).joined();
}

bool holds_gpus(const CheckContext& context, Id rack_type) {
  return std::any_of(context.design.rack_items->begin(), context.design.rack_items->end(), [&](const RackItem& item) {
    if (item.rack_type != rack_type || item.kind != RackItemKind::node) return false;
    const NodePart* node = context.catalog.find<NodePart>(item.part);
    return node && node->accelerators.value_or(0) > 0;
  });
}

/// LOD-006
void cap_not_held(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("load.caps");
  if (!table) return;
  const TableColumn *name = table->column("racks"), *by = table->column("by"), *count = table->column("count"),
                    *held = table->column("held"), *least = table->column("least");
  if (!name || !by || !count || !held || !least) return;
  for (std::size_t i = 0; i < table->entities.size(); ++i) {
    const bool undecided = !std::isfinite(least->numbers[i]) || !std::isfinite(held->numbers[i]);
    if (!undecided && !(least->numbers[i] > held->numbers[i] * (1.0 + 1e-9))) continue;
    const Rack* rack = find(*context.design.racks, table->entities[i]);
    if (!rack) continue;
    const bool one = count->numbers[i] <= 1.0;
    const std::string who = (one ? "Rack " : "Racks ") + name->words[i];
    Finding f = finding_of(
        rule,
        undecided ? fmt::format("{}: whether the cap can be held cannot be decided, what a GPU or another device draws is not known", who)
                  : fmt::format("{} cannot be held to {}: with {} {} still {} {}, and so much is counted", who,
                                kilowatts_text(held->numbers[i]), holds_gpus(context, rack->rack_type) ? "its GPUs idle" : "no GPU to hold,",
                                one ? "it" : "each", one ? "draws" : "draws", kilowatts_text(least->numbers[i])),
        {{"racks", rack->id}}, context, {table->row_figures[i]});
    f.where = name->words[i];
    if (undecided) f.severity = Severity::warning, f.undecided = true;
    // The cap of a row has other racks under it.
    if (!undecided && rack->power_cap && by->words[i] == "rack") {
      Remedy r;
      r.edit = {one ? "Take the cap off" : "Take the caps off", [type = rack->rack_type, cap = *rack->power_cap](const Design& d) -> Edited {
                  Edited out = d;
                  for (const Rack& each : *d.racks)
                    if (out && each.rack_type == type && each.power_cap == cap)
                      out = set_field(*out, {"racks", each.id}, "power_cap", FieldValue(std::monostate{}));
                  return out;
                }};
      r.cost_dollars = 0.0;
      r.lead_time_weeks = 0.0;
      f.remedies.push_back(std::move(r));
    }
    findings.push_back(std::move(f));
  }
}

/// LOD-007
void demand_of_training(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const RackType& type : *context.design.rack_types) {
    if (type.demand_share >= 1.0) continue;
    const bool drawn = std::any_of(context.design.racks->begin(), context.design.racks->end(), [&](const Rack& r) { return r.rack_type == type.id; });
    const bool gpus = std::any_of(context.design.rack_items->begin(), context.design.rack_items->end(), [&](const RackItem& item) {
      if (item.rack_type != type.id || item.kind != RackItemKind::node) return false;
      const NodePart* node = context.catalog.find<NodePart>(item.part);
      return node && node->accelerators.value_or(0) > 0;
    });
    if (!drawn || !gpus) continue;
    Finding f = finding_of(rule,
                           fmt::format("Rack type {}: {:.3g} % of its counted power is taken to be drawn at once, and it holds GPUs: those of a "
                                       "job work in step and draw all of it together",
                                       type.name, 100.0 * type.demand_share),
                           {{"rack_types", type.id}}, context, {fmt::format("load.rack_type.{}.power", type.id), "load.spared"});
    f.where = type.name;
    Remedy r;
    r.edit = {"Count all of it", [id = type.id](const Design& d) -> Edited { return set_field(d, {"rack_types", id}, "demand_share", FieldValue(1.0)); }};
    r.cost_dollars = 0.0;
    r.lead_time_weeks = 0.0;
    f.remedies.push_back(std::move(r));
    findings.push_back(std::move(f));
  }
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
    const bool over = drawn > in_watts(*zone.power_limit) * (1 + 1e-9);
    if (!over && unknown == 0) continue;
    std::string sentence =
        fmt::format("The {} racks in zone {} draw {}{}; at most {} is allowed ({}: Power limit)", racks, zone.name,
                    unknown > 0 ? "at least " : "", kilowatts_text(drawn), kilowatts_text(in_watts(*zone.power_limit)), zone.name);
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
      {"LOD-005", Severity::error, "Part that the catalog lacks",
       "An item of a rack type names no part, or one that the catalog does not have (a slip in its id, or a catalog of "
       "your own that was left out): its power, heat, mass and cost are in no total, so that totals are lower bounds. "
       "Ids of the catalog that differ least are named. Source of the limit: the rows of the catalog.",
       &part_not_in_catalog},
      {"LOD-006", Severity::error, "A power cap that cannot be held",
       "A cap of a rack or of its row slows the GPUs of the rack and nothing else. Where switches, hosts, pumps and modules with idle GPUs "
       "draw more than the cap leaves, or where the rack holds no GPUs, the cap is not kept, and the rack is counted with what it still draws. Under the cap of a row the GPUs of its other racks give way first: it is not kept only where all of them idle and the row still draws more. "
       "Source of the limit: the caps of the design; catalog assumption power.gpu_idle_to_maximum.",
       &cap_not_held},
      {"LOD-007", Severity::warning, "Less than all of the power of racks that train",
       "The demand share of a rack type says how much of its counted power is drawn at once. It fits racks whose loads come at different times. "
       "GPUs of one training job compute and wait together within a second, so that their peaks add up, and feeds, breakers and coolant see "
       "all of it. Source of the limit: synchronous training steps; the share is a field of the rack type.",
       &demand_of_training},
  };
}

} // namespace hallwright
