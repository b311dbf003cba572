// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "fabric/network_rules.h"

namespace hallwright {
namespace {

constexpr double idle_share_limit = 0.25; // project choice: beyond a quarter another radix or unit is worth a look

/// Calls `f` for each network with its row of counts.
template <class F>
void for_each_network(const CheckContext& context, F&& f) {
  for_each_row(context, "fabric.networks", f);
}

void check_uneven(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_network(context, [&](const Network& n, const TableRow& row) {
    if (!(row.number("uneven") == 1.0)) return;
    const std::string notes = row.words("notes");
    Finding f = finding_of(
        rule,
        fmt::format("{}: uplinks do not spread in equal bundles over the {:.0f} spines and {:.0f} cores ({}{}{})",
                    n.name, row.number("spines"), row.number("cores"), row.words("rule"), notes.empty() ? "" : "; ",
                    notes),
        entities_of(n), context, {row.figure("spines"), row.figure("cores")});
    if (n.bundles == BundleRule::uneven && can_change(context, n, "equal bundles"))
      add_remedy(f, rewire_network(context, n, "Build equal bundles", "bundles", std::string("equal")));
    findings.push_back(std::move(f));
  });
}

void check_oversubscription(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_network(context, [&](const Network& n, const TableRow& row) {
    // A tier with no more down links than up links has nothing to complain of and is not named.
    const double at_leaf = row.number("oversubscription");
    const bool leaf = at_leaf > 1.0 + 1e-9;
    const bool spine = row.number("tiers") == 3.0 && n.core_oversubscription > 1.0 + 1e-9;
    if (!leaf && !spine) return;
    std::string sentence = n.name + ": ";
    if (leaf) sentence += fmt::format("{:.3g} down links for each up link at the leaf", at_leaf);
    if (leaf && spine)
      sentence += fmt::format(", and {:.3g} at the spine", n.core_oversubscription);
    else if (spine)
      sentence += fmt::format("{:.3g} down links for each up link at the spine", n.core_oversubscription);
    sentence += leaf ? "; traffic between leafs may have to wait" : "; traffic between pods may have to wait";
    std::vector<std::string> figures;
    if (leaf) figures = {row.figure("oversubscription"), row.figure("leaf_spine_cables")};
    if (spine) figures.push_back(row.figure("spine_core_cables"));
    findings.push_back(finding_of(rule, std::move(sentence), entities_of(n), context, std::move(figures)));
  });
}

void check_reach(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_network(context, [&](const Network& n, const TableRow& row) {
    const std::string problem = row.words("problem");
    const Figure* leafs = context.figures.find(row.figure("leafs"));
    // What is only not known is told by the figure itself, not as a broken rule.
    if (problem.empty() || !leafs || leafs->completeness != Completeness::not_applicable) return;
    for (FigureRef input : leafs->inputs)
      if (const Figure* f = context.figures.at(input); f && !f->has_value()) return;
    Finding f = finding_of(rule, fmt::format("{} cannot be built: {}", n.name, problem), entities_of(n), context,
                           {row.figure("leafs")});
    if (n.tiers == Tiers::one || n.tiers == Tiers::two)
      f.remedies.push_back(set_network(n.id, "Choose the number of tiers automatically", "tiers", std::string("auto")));
    findings.push_back(std::move(f));
  });
}

void check_reserved(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_network(context, [&](const Network& n, const TableRow& row) {
    if (n.kind != NetworkKind::compute || n.reserved_node_places > 0 || !(row.number("partial_unit") == 0.0)) return;
    const SwitchPart* part = context.catalog.find<SwitchPart>(n.switch_part);
    if (part && part->network_kind != "infiniband") return;
    findings.push_back(finding_of(
        rule,
        fmt::format("{}: every place of its {:.0f} units is taken by nodes; none is kept for fabric managers", n.name,
                    row.number("units")),
        entities_of(n), context, {row.figure("node_leaf_cables")}));
  });
}

/// Whether the uplinks that whole units add would be like those that are there: none are told of that cannot be made.
bool more_uplinks_work(const CheckContext& context, const Network& n) {
  if (!can_change(context, n, "whole units") || n.topology == Topology::dragonfly) return false;
  if (!context.figures.table("cabling.lengths")) return true;
  if (n.uplink_medium != LinkMedium::automatic && n.uplink_medium != LinkMedium::multimode &&
      n.uplink_medium != LinkMedium::single_mode)
    return false; // cables with plugs are short, and new links may be longer
  bool there = false;
  for_each_row(context, "cabling.lengths", [&](const Network& of, const TableRow& row) {
    there = there || (of.id == n.id && row.words("class") == "leaf-spine");
  });
  return there;
}

void check_partial(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_network(context, [&](const Network& n, const TableRow& row) {
    if (n.units != UnitRule::lit || !(row.number("partial_unit") == 1.0)) return;
    Finding f =
        finding_of(rule,
                   fmt::format("{}: the last unit is not full and only its lit links are built; filling it later needs "
                               "new leaf-spine cables",
                               n.name),
                   entities_of(n), context, {row.figure("leaf_spine_cables"), row.figure("lit_leaf_spine_cables")});
    if (more_uplinks_work(context, n))
      f.remedies.push_back(set_network(n.id, "Build whole units", "units", std::string("whole")));
    findings.push_back(std::move(f));
  });
}

void check_idle(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_network(context, [&](const Network& n, const TableRow& row) {
    const double idle = row.number("idle_ports"), all = idle + row.number("used_ports");
    if (!(all > 0.0) || !(idle / all > idle_share_limit)) return;
    findings.push_back(finding_of(
        rule,
        fmt::format("{}: {:.0f} of {:.0f} switch ports are idle ({:.0f} %; more than {:.0f} % is pointed out)", n.name,
                    idle, all, 100.0 * idle / all, 100.0 * idle_share_limit),
        entities_of(n), context, {row.figure("idle_ports"), row.figure("used_ports")}));
  });
}

void check_drawn(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::set<std::string> parts;
  for (const Network& n : *context.design.networks)
    if (!n.switch_part.empty()) parts.insert(n.switch_part);
  for (const std::string& part : parts) {
    const Figure* drawn = context.figures.find("fabric.switch_part." + part + ".drawn");
    const Figure* needed = context.figures.find("fabric.switch_part." + part + ".needed");
    if (!drawn || !needed || !needed->has_value() || drawn->value >= needed->value) continue;
    std::vector<EntityRef> entities;
    for (const Network& n : *context.design.networks)
      if (n.switch_part == part) entities.push_back({"networks", n.id});
    const SwitchPart* known = context.catalog.find<SwitchPart>(part);
    findings.push_back(
        finding_of(rule,
                   fmt::format("{} switches {} stand in drawn racks; the networks need {}", figure_text(*drawn, 0),
                               known ? known->name : part, figure_text(*needed, 0)),
                   std::move(entities), context, {drawn->id, needed->id}));
  }
}

/// Switches of a part in drawn racks.
Count drawn_switches(const Design& design, const std::string& part) {
  std::map<Id, Count> racks_of_type;
  for (const Rack& r : *design.racks)
    ++racks_of_type[r.rack_type];
  Count out = 0;
  for (const RackItem& item : *design.rack_items)
    if (item.kind == RackItemKind::network_switch && item.part == part) out += item.count * racks_of_type[item.rack_type];
  return out;
}

void check_drawn_beyond(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Design& d = context.design;
  if (d.networks->empty()) return; // nothing says what is needed
  std::map<std::string, std::vector<EntityRef>> items;
  for (const RackItem& item : *d.rack_items)
    if (item.kind == RackItemKind::network_switch && !item.part.empty()) items[item.part].push_back({"rack_items", item.id});
  for (const auto& [part, entities] : items) {
    const auto used = [&](const Network& n) {
      return n.switch_part == part || n.spine_switch_part == part || n.core_switch_part == part;
    };
    const bool in_network = std::any_of(d.networks->begin(), d.networks->end(), used);
    const Figure* needed = context.figures.find("fabric.switch_part." + part + ".needed");
    if (in_network && (!needed || !needed->has_value())) continue;
    const Count drawn = drawn_switches(d, part), wanted = in_network ? static_cast<Count>(needed->value) : 0;
    if (drawn <= wanted) continue;
    const SwitchPart* known = context.catalog.find<SwitchPart>(part);
    const std::string name = known ? known->name : part;
    findings.push_back(finding_of(
        rule,
        (in_network ? fmt::format("{} switches {} stand in drawn racks; the networks need {}", drawn, name, wanted)
                    : fmt::format("{} switch{} {} stand{} in drawn racks and no network has {}", drawn, drawn == 1 ? "" : "es",
                                  name, drawn == 1 ? "s" : "", drawn == 1 ? "it" : "them")) +
            ": power, mass and the budget count them",
        entities, context, needed ? std::vector<std::string>{needed->id} : std::vector<std::string>{}));
  }
}

} // namespace

std::vector<Rule> fabric_rules() {
  std::vector<Rule> out;
  for (const auto& part : {shape_rules(), port_rules(), cable_rules(), place_rules(), service_rules()})
    out.insert(out.end(), part.begin(), part.end());
  std::sort(out.begin(), out.end(), [](const Rule& a, const Rule& b) { return a.code < b.code; });
  return out;
}

std::vector<Rule> shape_rules() {
  return {
      {"FAB-003", Severity::warning, "Uplinks in uneven bundles",
       "The uplinks of a leaf spread over the spines, and those of a pod over the cores, in equal bundles when the "
       "number of switches above "
       "divides them. Uneven bundles load some switches more than others. Source of the limit: published reference "
       "fabrics build the next "
       "divisor, 16 spines for 768 links of 64-port switches, where 12 would carry them.",
       check_uneven},
      {"FAB-004", Severity::note, "Oversubscription above 1",
       "Down links over up links of a leaf, as built, and what is asked for at the spine. Above 1 the network blocks "
       "under full load; "
       "placement of jobs can make up for it. Source of the limit: non-blocking folded Clos (Clos 1953); large "
       "clusters run 7:1 between pods "
       "(Llama 3 Herd of Models, 2024).",
       check_oversubscription},
      {"FAB-005", Severity::error, "Network exceeds its tiers",
       "Two tiers of radix k carry k*k/2 links without blocking, three tiers k*k*k/4, less where units do not fill "
       "their leafs; beyond that "
       "there are no ports for the links. The sentence names the next design that can be built. Source of the limit: "
       "folded Clos (Clos 1953).",
       check_reach},
      {"FAB-023", Severity::warning, "No places for fabric managers",
       "An InfiniBand network needs ports for its fabric managers, without which no route is set up. Source of the "
       "limit: published 127-node "
       "designs give one node place of a full unit to them.",
       check_reserved},
      {"FAB-024", Severity::warning, "Partial unit without its links",
       "The leafs and leaf-spine cables of a partial unit are best built whole, so that it can be filled without "
       "touching live cables. Source of "
       "the limit: published reference architectures build them so.",
       check_partial},
      {"FAB-025", Severity::note, "Idle switch ports",
       "Ports of all switches of a network that no cable uses. A share above a quarter is pointed out, since another "
       "radix or unit may need "
       "fewer switches. Some designs, such as 18-node racks on 64-port leafs, leave ports idle on purpose. Source of "
       "the limit: project choice.",
       check_idle},
      {"FAB-045", Severity::warning, "Fewer switches drawn than needed",
       "Switches of a part in all drawn racks against the number that the networks with that part need. What is not "
       "drawn has no place, "
       "no feed and no cooling. Source of the limit: the counts of the networks themselves.",
       check_drawn},
      {"FAB-048", Severity::note, "More switches drawn than needed",
       "Switches of a part in all drawn racks beyond those that the networks need, or of a part that no network has. They draw power, weigh "
       "and give off heat; the budget buys what the networks need. Spares may be drawn on purpose. Source of the limit: the counts of the "
       "networks themselves.",
       check_drawn_beyond},
  };
}

} // namespace hallwright
