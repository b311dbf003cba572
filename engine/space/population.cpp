// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/population.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "ledger/formula_range.h"
#include "ledger/ledger.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constinit const Formula<Count, Count, Count> parts_in_racks{
    .name = "parts_in_racks",
    .text = "racks * parts_per_rack",
    .source = "count",
    .parameters = {"racks", "parts_per_rack"},
    .function = [](Count racks, Count parts_per_rack) -> Result<Count> {
      if (auto wrong = violated({not_negative("racks", racks), not_negative("parts_per_rack", parts_per_rack)}))
        return *wrong;
      return counted_whole(1.0 * racks * parts_per_rack);
    },
};

constinit const Formula<Count, Count, Count> accelerators_in_nodes{
    .name = "accelerators_in_nodes",
    .text = "nodes * accelerators_per_node",
    .source = "count",
    .parameters = {"nodes", "accelerators_per_node"},
    .function = [](Count nodes, Count accelerators_per_node) -> Result<Count> {
      if (auto wrong =
              violated({not_negative("nodes", nodes), not_negative("accelerators_per_node", accelerators_per_node)}))
        return *wrong;
      return counted_whole(1.0 * nodes * accelerators_per_node);
    },
};

constinit const Formula<Count, Count, Count> nodes_for_gpus{
    .name = "nodes_for_gpus",
    .text = "ceil(gpus / gpus_per_node)",
    .source = "count, whole nodes",
    .parameters = {"gpus", "gpus_per_node"},
    .function = [](Count gpus, Count gpus_per_node) -> Result<Count> {
      if (auto wrong = violated({not_negative("gpus", gpus), at_least("gpus_per_node", gpus_per_node, 1)}))
        return *wrong;
      return gpus / gpus_per_node + (gpus % gpus_per_node != 0);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Power, double, Power, double, double> site_node_limit{
    .name = "site_node_limit",
    .text = "floor(facility_power / power_usage_effectiveness / (node_power * (1 + network_power_share + "
            "storage_power_share)))",
    .source = "power envelope arithmetic",
    .parameters = {"facility_power", "power_usage_effectiveness", "node_power", "network_power_share",
                   "storage_power_share"},
    .function = [](Power facility_power, double power_usage_effectiveness, Power node_power, double network_power_share,
                   double storage_power_share) -> Result<Count> {
      if (auto wrong =
              violated({not_negative("facility_power", facility_power),
                        at_least("power_usage_effectiveness", power_usage_effectiveness, 1),
                        above_zero("node_power", node_power), not_negative("network_power_share", network_power_share),
                        not_negative("storage_power_share", storage_power_share)}))
        return *wrong;
      return counted_whole(whole_at_most(facility_power / power_usage_effectiveness /
                                         (node_power * (1.0 + network_power_share + storage_power_share))));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> racks_for_nodes{
    .name = "racks_for_nodes",
    .text = "ceil(nodes / nodes_per_rack)",
    .source = "count, whole racks",
    .parameters = {"nodes", "nodes_per_rack"},
    .function = [](Count nodes, Count nodes_per_rack) -> Result<Count> {
      if (auto wrong = violated({not_negative("nodes", nodes), at_least("nodes_per_rack", nodes_per_rack, 1)}))
        return *wrong;
      return nodes / nodes_per_rack + (nodes % nodes_per_rack != 0);
    },
    .monotone = Monotone::mixed,
};

/// States why a figure is an estimate, on it and on all that rests on it.
template <class T>
Traced<T> stated(Ledger& ledger, Traced<T> traced, std::string why) {
  if (!traced.has_value()) return traced;
  traced.reason = std::make_shared<const std::string>(why);
  if (traced.completeness != Completeness::exact)
    ledger.remark(traced, std::move(why));
  else
    traced = ledger.assumed(std::move(traced), std::move(why));
  return traced;
}

std::string basis_word(PowerBasis basis) {
  return std::string(ChoiceWords<PowerBasis>::words[static_cast<int>(basis)]);
}

/// Accelerators of one node of this part: a node that names no accelerator has none to count.
Traced<Count> accelerators_of(Ledger& ledger, const Catalog& catalog, const std::string& part_id) {
  const NodePart* part = catalog.find<NodePart>(part_id);
  const std::string id = "population.node." + part_id + ".accelerators_per_node";
  const std::string label = "Accelerators per node, " + part_id;
  if (!part)
    return ledger.absent<Count>(id, label, Completeness::unknown, "the catalog has no node \"" + part_id + "\"");
  if (!part->accelerators && part->accelerator.empty())
    return ledger.absent<Count>(id, label, Completeness::not_applicable, part->name + " has no accelerators");
  return part_value<&NodePart::accelerators>(ledger, catalog, *part);
}

/// Power of one node at the project's basis, or at the nearest basis that the catalog knows, which is then stated.
Traced<Power> node_power_at_basis(Ledger& ledger, const Catalog& catalog, const NodePart& part, PowerBasis wanted) {
  // The nearest basis that is known; for typical and measured power the other of the two comes before the rating.
  std::vector<PowerBasis> order;
  switch (wanted) {
  case PowerBasis::nameplate:
    order = {PowerBasis::nameplate, PowerBasis::typical, PowerBasis::measured};
    break;
  case PowerBasis::typical:
    order = {PowerBasis::typical, PowerBasis::measured, PowerBasis::nameplate};
    break;
  case PowerBasis::measured:
    order = {PowerBasis::measured, PowerBasis::typical, PowerBasis::nameplate};
    break;
  }
  for (PowerBasis basis : order) {
    const auto& known = basis == PowerBasis::nameplate ? part.power_maximum
                        : basis == PowerBasis::typical ? part.power_typical
                                                       : part.power_measured;
    if (!known) continue;
    const auto leaf = basis == PowerBasis::nameplate ? part_value<&NodePart::power_maximum>(ledger, catalog, part)
                      : basis == PowerBasis::typical ? part_value<&NodePart::power_typical>(ledger, catalog, part)
                                                     : part_value<&NodePart::power_measured>(ledger, catalog, part);
    auto out = ledger.as<Power>("population.node_power", "Power of a node, for the goal", leaf);
    if (basis != wanted)
      out = stated(ledger, out,
                   fmt::format("the catalog has no {} power for {}; {} power stands in", basis_word(wanted), part.name,
                               basis_word(basis)));
    return out;
  }
  return ledger.absent<Power>("population.node_power", "Power of a node, for the goal", Completeness::unknown,
                              "the catalog has no power for " + part.name);
}

/// Everything that is told of accelerators once the kinds of node are known.
void add_totals(Ledger& ledger, PopulationResult& out, const Catalog& catalog) {
  std::vector<Traced<Count>> nodes, accelerators;
  const NodePopulation* main = nullptr;
  auto size = [](const NodePopulation& p) { return std::pair(p.accelerators.value_or(0), p.nodes.value_or(0)); };
  for (const NodePopulation& p : out.node_kinds) {
    nodes.push_back(p.nodes);
    accelerators.push_back(p.accelerators);
    if (!main || size(p) > size(*main)) main = &p;
  }
  out.nodes = ledger.sum("population.nodes", "Nodes", nodes);
  // A sum of nothing but nodes without accelerators is no number of accelerators.
  const bool any = std::any_of(accelerators.begin(), accelerators.end(),
                               [](const auto& a) { return a.completeness != Completeness::not_applicable; });
  if (any) {
    out.accelerators = ledger.sum("population.gpus", "GPUs", accelerators);
  } else {
    out.accelerators =
        ledger.absent<Count>("population.gpus", "GPUs", Completeness::not_applicable, "no node has accelerators");
  }
  out.main_node_part = main->part;
  if (const NodePart* part = catalog.find<NodePart>(main->part)) out.main_accelerator_part = part->accelerator;
  out.accelerators_per_node =
      ledger.as<Count>("population.gpus_per_node", "GPUs per node", main->accelerators_per_node);
}

void add_absent(Ledger& ledger, PopulationResult& out, const std::string& reason) {
  constexpr auto none = Completeness::not_applicable;
  out.nodes = ledger.absent<Count>("population.nodes", "Nodes", none, reason);
  out.accelerators = ledger.absent<Count>("population.gpus", "GPUs", none, reason);
  out.accelerators_per_node = ledger.absent<Count>("population.gpus_per_node", "GPUs per node", none, reason);
}

/// What the goal asks for, before racks with nodes are drawn.
/// @return racks that the goal's nodes need, or nothing where there is no goal
std::optional<Traced<Count>> add_goal(Ledger& ledger, PopulationResult& out, const PopulationInputs& in) {
  const Goal& goal = *in.goal;
  const Catalog& catalog = *in.catalog;
  if (goal.node_part.empty()) {
    add_absent(ledger, out, "no racks are drawn and no goal is set");
    return std::nullopt;
  }
  const NodePart* part = catalog.find<NodePart>(goal.node_part);
  if (!part) {
    add_absent(
        ledger, out,
        fmt::format("no racks are drawn and the catalog has no node \"{}\", which the goal names", goal.node_part));
    return std::nullopt;
  }
  if (goal.gpus == 0 && !in.site->utility_power) {
    add_absent(ledger, out,
               "no racks are drawn; the goal asks for as many GPUs as the site carries, and no utility power is entered");
    return std::nullopt;
  }
  NodePopulation p;
  p.part = goal.node_part;
  p.accelerators_per_node = accelerators_of(ledger, catalog, goal.node_part);
  const std::string stem = "population.node." + p.part;
  if (goal.gpus > 0) {
    p.nodes = ledger.derive(stem + ".nodes", "Nodes, " + part->name, nodes_for_gpus,
                            design_value<&Goal::gpus>(ledger, "goal", goal), p.accelerators_per_node);
    p.nodes = stated(ledger, p.nodes, "assumed from the goal: no racks with nodes are drawn yet");
  } else {
    p.nodes = ledger.derive(stem + ".nodes", "Nodes that the site carries, " + part->name, site_node_limit,
                            utility_power(ledger, *in.site),
                            design_value<&Goal::assumed_power_usage_effectiveness>(ledger, "goal", goal),
                            node_power_at_basis(ledger, catalog, *part, in.project->power_basis),
                            design_value<&Goal::network_power_share>(ledger, "goal", goal),
                            design_value<&Goal::storage_power_share>(ledger, "goal", goal));
    p.nodes = stated(ledger, p.nodes,
                     fmt::format("as many as the site carries at an assumed PUE of {:.3g}, with {:.3g} % of node power "
                                 "for the network and {:.3g} % for storage",
                                 goal.assumed_power_usage_effectiveness, 100.0 * goal.network_power_share,
                                 100.0 * goal.storage_power_share));
  }
  p.accelerators = ledger.derive(stem + ".accelerators", "GPUs, " + part->name, accelerators_in_nodes, p.nodes,
                                 p.accelerators_per_node);
  out.node_kinds.push_back(p);
  add_totals(ledger, out, catalog);
  return ledger.derive("population.goal.racks", "Racks that the goal needs", racks_for_nodes, out.nodes,
                       design_value<&Goal::nodes_per_rack>(ledger, "goal", goal));
}

} // namespace

PopulationResult population(const PopulationInputs& in) {
  Ledger ledger(Page::population);
  PopulationResult out;

  // Racks by type: racks of a type that is gone are counted nowhere but in the total.
  std::vector<Count> racks_of_type(in.rack_types->size());
  for (const Rack& rack : *in.racks)
    if (const RackType* type = find(*in.rack_types, rack.rack_type))
      ++racks_of_type[static_cast<std::size_t>(type - in.rack_types->data())];

  std::vector<Traced<Count>> all_racks, compute_racks;
  for (std::size_t i = 0; i < racks_of_type.size(); ++i) {
    if (racks_of_type[i] == 0) continue;
    const RackType& type = (*in.rack_types)[i];
    RackTypePopulation p{type.id, type.name, type.role, racks_of_type[i], {}};
    p.racks_figure = ledger.counted(fmt::format("population.rack_type.{}.racks", type.id), "Racks of type " + type.name,
                                    p.racks, fmt::format("{} racks of type {} in the drawing", p.racks, type.name));
    all_racks.push_back(p.racks_figure);
    if (type.role == RackRole::compute) compute_racks.push_back(p.racks_figure);
    out.rack_types.push_back(std::move(p));
  }

  // Nodes by part, over all types that hold them.
  std::map<std::string, std::vector<Traced<Count>>> nodes_of_part;
  for (const RackItem& item : *in.rack_items) {
    if (item.kind != RackItemKind::node) continue;
    const auto type = std::find_if(out.rack_types.begin(), out.rack_types.end(),
                                   [&](const RackTypePopulation& p) { return p.rack_type == item.rack_type; });
    if (type == out.rack_types.end()) continue;
    nodes_of_part[item.part].push_back(
        ledger.derive(fmt::format("population.rack_item.{}.nodes", item.id),
                      fmt::format("Nodes {} in racks of type {}", item.part, type->name), parts_in_racks,
                      type->racks_figure, design_value<&RackItem::count>(ledger, "rack_items", item, type->name)));
  }

  out.drawn = !nodes_of_part.empty();
  if (out.drawn) {
    for (const auto& [part, counts] : nodes_of_part) {
      NodePopulation p;
      p.part = part;
      const NodePart* known = in.catalog->find<NodePart>(part);
      const std::string name = known ? known->name : part;
      p.nodes = ledger.sum("population.node." + part + ".nodes", "Nodes, " + name, counts);
      p.accelerators_per_node = accelerators_of(ledger, *in.catalog, part);
      p.accelerators = ledger.derive("population.node." + part + ".accelerators", "GPUs, " + name,
                                     accelerators_in_nodes, p.nodes, p.accelerators_per_node);
      out.node_kinds.push_back(std::move(p));
    }
    add_totals(ledger, out, *in.catalog);
    out.racks = ledger.sum("population.racks", "Racks", all_racks);
    out.compute_racks = ledger.sum("population.compute_racks", "Compute racks", compute_racks);
  } else if (const auto goal_racks = add_goal(ledger, out, in)) {
    all_racks.push_back(*goal_racks);
    compute_racks.push_back(*goal_racks);
    out.racks = ledger.sum("population.racks", "Racks", all_racks);
    out.compute_racks = ledger.sum("population.compute_racks", "Compute racks", compute_racks);
  } else if (!all_racks.empty()) {
    out.racks = ledger.sum("population.racks", "Racks", all_racks);
    out.compute_racks = ledger.sum("population.compute_racks", "Compute racks", compute_racks);
  } else {
    const std::string reason = "no racks are drawn and no goal is set";
    out.racks = ledger.absent<Count>("population.racks", "Racks", Completeness::not_applicable, reason);
    out.compute_racks =
        ledger.absent<Count>("population.compute_racks", "Compute racks", Completeness::not_applicable, reason);
  }

  out.page = ledger.finish_page();
  out.tables = share(std::vector<Table>{});
  return out;
}

std::vector<AnyFormula> population_formulas() {
  return {any(parts_in_racks), any(accelerators_in_nodes), any(nodes_for_gpus), any(site_node_limit),
          any(racks_for_nodes)};
}

} // namespace hallwright
