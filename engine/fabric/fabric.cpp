// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/fabric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "fabric/formulas.h"
#include "fabric/switch_power.h"
#include "ledger/formula_range.h"
#include "ledger/ledger.h"
#include "ledger/sum_of_known.h"
#include "ledger/table_columns.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

// --- the counting rules as formulas ----------------------------------------------------------------------------------
// One algorithm has several outputs; each is a formula of all its inputs.

FabricRequest request_of(Count nodes, Count links_per_node, Count radix, Count rails, Count tiers, Count nodes_per_unit,
                         double oversubscription, double core_oversubscription, Count planes, Count bundles, Count units,
                         Count reserved_node_places, Count reserved_links) {
  FabricRequest q;
  q.nodes = nodes;
  q.links_per_node = links_per_node;
  q.radix = radix;
  q.rails = rails != 0;
  q.tiers = static_cast<Tiers>(std::clamp<Count>(tiers, 0, 3));
  q.nodes_per_unit = nodes_per_unit;
  q.oversubscription = oversubscription;
  q.core_oversubscription = core_oversubscription;
  q.planes = planes;
  q.bundles = bundles == 0 ? BundleRule::equal : BundleRule::uneven;
  q.units = units == 0 ? UnitRule::whole : UnitRule::lit;
  q.reserved_node_places = reserved_node_places;
  q.reserved_links = reserved_links;
  return q;
}

/// What a network states beyond the common inputs; 0: not stated.
struct StatedPorts {
  Count topology = 0, leaf_down = 0, leaf_up = 0, spine_radix = 0, core_radix = 0, routers_per_group = 0, endpoints_per_router = 0,
        global_links_per_router = 0, reserved_leaf_ports = 0, reserved_spine_ports = 0, uplink_ports = 0;
};
FabricRequest with_stated(FabricRequest q, const StatedPorts& s) {
  q.topology = static_cast<Topology>(std::clamp<Count>(s.topology, 0, 2));
  q.leaf_down = s.leaf_down;
  q.leaf_up = s.leaf_up;
  q.spine_radix = s.spine_radix;
  q.core_radix = s.core_radix;
  q.routers_per_group = s.routers_per_group;
  q.endpoints_per_router = s.endpoints_per_router;
  q.global_links_per_router = s.global_links_per_router;
  q.reserved_leaf_ports = s.reserved_leaf_ports;
  q.reserved_spine_ports = s.reserved_spine_ports;
  q.uplink_ports = std::max<Count>(1, s.uplink_ports);
  return q;
}

template <class R>
using FabricFormula = Formula<R, Count, Count, Count, Count, Count, Count, double, double, Count, Count, Count, Count, Count>;
template <class R>
using StatedFabricFormula = Formula<R, Count, Count, Count, Count, Count, Count, double, double, Count, Count, Count, Count, Count, Count, Count, Count,
                                    Count, Count, Count, Count, Count, Count, Count, Count>;

template <auto Output>
Result<typename detail::MemberPointer<decltype(Output)>::type> output_of(const FabricRequest& request) {
  auto counts = fabric_counts(request);
  if (!counts) return not_applicable(counts.error());
  return (*counts).*Output;
}
template <auto Output>
Result<typename detail::MemberPointer<decltype(Output)>::type> fabric_output(Count nodes, Count links_per_node, Count radix, Count rails,
                                                                            Count tiers, Count nodes_per_unit, double oversubscription,
                                                                            double core_oversubscription, Count planes, Count bundles, Count units,
                                                                            Count reserved_node_places, Count reserved_links) {
  return output_of<Output>(request_of(nodes, links_per_node, radix, rails, tiers, nodes_per_unit, oversubscription, core_oversubscription,
                                      planes, bundles, units, reserved_node_places, reserved_links));
}
template <auto Output>
Result<typename detail::MemberPointer<decltype(Output)>::type> stated_fabric_output(
    Count nodes, Count links_per_node, Count radix, Count rails, Count tiers, Count nodes_per_unit, double oversubscription, double core_oversubscription,
    Count planes, Count bundles, Count units, Count reserved_node_places, Count reserved_links, Count topology, Count leaf_down, Count leaf_up,
    Count spine_radix, Count core_radix, Count routers_per_group, Count endpoints_per_router, Count global_links_per_router, Count reserved_leaf_ports,
    Count reserved_spine_ports, Count uplink_ports) {
  return output_of<Output>(with_stated(request_of(nodes, links_per_node, radix, rails, tiers, nodes_per_unit, oversubscription, core_oversubscription, planes,
                                                  bundles, units, reserved_node_places, reserved_links),
                                       {topology, leaf_down, leaf_up, spine_radix, core_radix, routers_per_group, endpoints_per_router,
                                        global_links_per_router, reserved_leaf_ports, reserved_spine_ports, uplink_ports}));
}

constexpr std::string_view clos_source = "folded Clos in scalable units, equal bundles; counts of published reference fabrics";

/// One output of the counting rule: by the common inputs, and by all that a network can state.
template <auto Output>
struct CountingRule {
  using R = typename detail::MemberPointer<decltype(Output)>::type;
  FabricFormula<R> common;
  StatedFabricFormula<R> stated;
};
template <auto Output>
constexpr auto counting_rule(std::string_view name, std::string_view stated_name, std::string_view text, Monotone monotone) {
  using R = typename detail::MemberPointer<decltype(Output)>::type;
  return CountingRule<Output>{
      FabricFormula<R>{
          .name = name,
          .text = text,
          .source = clos_source,
          .parameters = {"nodes", "links_per_node", "radix", "rails", "tiers", "nodes_per_unit", "oversubscription", "core_oversubscription",
                         "planes", "uneven_bundles", "lit_units", "reserved_node_places", "reserved_links"},
          .function = &fabric_output<Output>,
          .estimate = false,
          .monotone = monotone,
          .result_kind = &KindOf<R>::value,
      },
      StatedFabricFormula<R>{
          .name = stated_name,
          .text = text,
          .source = "folded Clos in scalable units; rail-only: Wang et al., arXiv 2307.12169; dragonfly: Kim et al. 2008",
          .parameters = {"nodes", "links_per_node", "radix", "rails", "tiers", "nodes_per_unit", "oversubscription", "core_oversubscription",
                         "planes", "uneven_bundles", "lit_units", "reserved_node_places", "reserved_links", "topology", "leaf_down", "leaf_up",
                         "spine_radix", "core_radix", "routers_per_group", "endpoints_per_router", "global_links_per_router", "reserved_leaf_ports",
                         "reserved_spine_ports", "uplink_ports"},
          .function = &stated_fabric_output<Output>,
          .estimate = false,
          .monotone = Monotone::mixed,
          .result_kind = &KindOf<R>::value,
      }};
}

constexpr auto increasing = Monotone::increasing, mixed = Monotone::mixed;
constinit const auto fabric_leafs = counting_rule<&FabricCounts::leafs>(
    "fabric_leafs", "stated_fabric_leafs", "planes * units * leafs per unit; units = ceil((nodes + reserved_node_places) / nodes_per_unit)", increasing);
constinit const auto fabric_spines = counting_rule<&FabricCounts::spines>(
    "fabric_spines", "stated_fabric_spines", "planes * smallest divisor of the uplinks of a leaf that is at least ceil(leafs * uplinks / radix)", increasing);
constinit const auto fabric_cores = counting_rule<&FabricCounts::cores>(
    "fabric_cores", "stated_fabric_cores", "planes * smallest divisor of the uplinks of a pod that is at least ceil(all uplinks of pods / radix)", increasing);
constinit const auto fabric_node_cables = counting_rule<&FabricCounts::node_leaf_cables>(
    "fabric_node_cables", "stated_fabric_node_cables", "planes * (nodes * links_per_node + reserved_links)", increasing);
constinit const auto fabric_leaf_spine_cables = counting_rule<&FabricCounts::leaf_spine_cables>(
    "fabric_leaf_spine_cables", "stated_fabric_leaf_spine_cables", "planes * leafs * uplinks of a leaf, as built", increasing);
constinit const auto fabric_lit_cables = counting_rule<&FabricCounts::lit_leaf_spine_cables>(
    "fabric_lit_cables", "stated_fabric_lit_cables", "planes * uplinks that the links of present nodes need", increasing);
constinit const auto fabric_spine_core_cables = counting_rule<&FabricCounts::spine_core_cables>(
    "fabric_spine_core_cables", "stated_fabric_spine_core_cables", "planes * spines * uplinks of a spine", increasing);
constinit const auto fabric_idle_ports = counting_rule<&FabricCounts::switch_ports_idle>(
    "fabric_idle_ports", "stated_fabric_idle_ports", "ports of all switches - ports in use", mixed);
constinit const auto fabric_used_ports = counting_rule<&FabricCounts::switch_ports_used>(
    "fabric_used_ports", "stated_fabric_used_ports", "node cables + 2 * cables between switches", increasing);
constinit const auto fabric_leaf_oversubscription = counting_rule<&FabricCounts::oversubscription>(
    "fabric_leaf_oversubscription", "stated_fabric_leaf_oversubscription", "down ports of a leaf / up ports of a leaf", mixed);
constinit const auto fabric_group_local_cables = counting_rule<&FabricCounts::group_local_cables>(
    "fabric_group_local_cables", "stated_fabric_group_local_cables", "planes * groups * switches of a group * (switches of a group - 1) / 2", increasing);
constinit const auto fabric_group_global_cables = counting_rule<&FabricCounts::group_global_cables>(
    "fabric_group_global_cables", "stated_fabric_group_global_cables", "planes * global links of all groups / 2", increasing);

// --- ports, modules, power, cost -------------------------------------------------------------------------------------

constinit const Formula<Count, Count, Count> ports_of_nodes{
    .name = "ports_of_nodes",
    .text = "nodes * links_per_node",
    .source = "count",
    .parameters = {"nodes", "links_per_node"},
    .function = [](Count nodes, Count links_per_node) -> Result<Count> {
      if (auto wrong = violated({not_negative("nodes", nodes), not_negative("links_per_node", links_per_node)})) return *wrong;
      return counted_whole(1.0 * nodes * links_per_node);
    },
};

constinit const Formula<Count, Count, Count, Count> storage_places{
    .name = "storage_places",
    .text = "ceil(systems * ports_per_system / links_per_node)",
    .source = "count; storage ports take the places of nodes on a network",
    .parameters = {"systems", "ports_per_system", "links_per_node"},
    .function = [](Count systems, Count ports_per_system, Count links_per_node) -> Result<Count> {
      if (auto wrong = violated({not_negative("systems", systems), not_negative("ports_per_system", ports_per_system),
                                 at_least("links_per_node", links_per_node, 1)}))
        return *wrong;
      return counted_whole(whole_at_least(1.0 * systems * ports_per_system / links_per_node));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, DataRate, DataRate> uplink_port_count{
    .name = "uplink_port_count",
    .text = "ceil(uplink_rate / link_rate)",
    .source = "ports joined to one of a higher rate",
    .parameters = {"uplink_rate", "link_rate"},
    .function = [](DataRate uplink_rate, DataRate link_rate) -> Result<Count> {
      if (auto wrong = violated({above_zero("uplink_rate", uplink_rate), above_zero("link_rate", link_rate)})) return *wrong;
      return counted_whole(whole_at_least(uplink_rate / link_rate));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> scale_up_domain_count{
    .name = "scale_up_domain_count",
    .text = "ceil(gpus / gpus_per_domain)",
    .source = "count",
    .parameters = {"gpus", "gpus_per_domain"},
    .function = [](Count gpus, Count gpus_per_domain) -> Result<Count> {
      if (auto wrong = violated({not_negative("gpus", gpus), at_least("gpus_per_domain", gpus_per_domain, 1)})) return *wrong;
      return gpus / gpus_per_domain + (gpus % gpus_per_domain != 0);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, DataRate, DataRate> radix_at_rate{
    .name = "radix_at_rate",
    .text = "ports * floor(port_rate / link_rate), at least ports",
    .source = "ports split into links of equal rate",
    .parameters = {"ports", "port_rate", "link_rate"},
    .function = [](Count ports, DataRate port_rate, DataRate link_rate) -> Result<Count> {
      if (auto wrong = violated({at_least("ports", ports, 1), above_zero("port_rate", port_rate), above_zero("link_rate", link_rate)}))
        return *wrong;
      return counted_whole(1.0 * ports * std::max(1.0, whole_at_most(port_rate / link_rate)));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, double> optical_links{
    .name = "optical_links",
    .text = "ceil(links * optical_share)",
    .source = "share of links",
    .parameters = {"links", "optical_share"},
    .function = [](Count links, double optical_share) -> Result<Count> {
      if (auto wrong = violated({not_negative("links", links), share("optical_share", optical_share)})) return *wrong;
      return counted_whole(whole_at_least(1.0 * links * optical_share));
    },
};

constinit const Formula<Count, Count, Count> modules_for_ports{
    .name = "modules_for_ports",
    .text = "ceil(ports / ports_per_module)",
    .source = "whole modules at one side of a tier",
    .parameters = {"ports", "ports_per_module"},
    .function = [](Count ports, Count ports_per_module) -> Result<Count> {
      if (auto wrong = violated({not_negative("ports", ports), at_least("ports_per_module", ports_per_module, 1)})) return *wrong;
      return ports / ports_per_module + (ports % ports_per_module != 0);
    },
};

constinit const Formula<Power, Count, Power> switches_power{
    .name = "switches_power",
    .text = "switches * power_each",
    .source = "sum of equal parts",
    .parameters = {"switches", "power_each"},
    .function = [](Count switches, Power power_each) -> Result<Power> {
      if (auto wrong = violated({not_negative("switches", switches), not_negative("power_each", power_each)})) return *wrong;
      return switches * power_each;
    },
};

constinit const Formula<Money, Count, Money> parts_price{
    .name = "parts_price",
    .text = "count * price_each",
    .source = "sum of equal parts",
    .parameters = {"count", "price_each"},
    .function = [](Count count, Money price_each) -> Result<Money> {
      if (auto wrong = violated({not_negative("count", count), not_negative("price_each", price_each)})) return *wrong;
      return count * price_each;
    },
};

constinit const Formula<Money, Count, MoneyPerLength, Length> cable_length_price{
    .name = "cable_length_price",
    .text = "count * price_per_length * mean_length",
    .source = "sum of equal parts",
    .parameters = {"count", "price_per_length", "mean_length"},
    .function = [](Count count, MoneyPerLength price_per_length, Length mean_length) -> Result<Money> {
      if (auto wrong = violated({not_negative("count", count), not_negative("price_per_length", price_per_length),
                                 not_negative("mean_length", mean_length)}))
        return *wrong;
      return dollars(static_cast<double>(count) * in_dollars(price_per_length * mean_length));
    },
    .estimate = true,
};

constinit const Formula<DataRate, Count, Count, DataRate, Count> injection_rate_per_gpu{
    .name = "injection_rate_per_gpu",
    .text = "links_per_node * planes * link_rate / gpus_per_node",
    .source = "sum of equal links, one way",
    .parameters = {"links_per_node", "planes", "link_rate", "gpus_per_node"},
    .function = [](Count links_per_node, Count planes, DataRate link_rate, Count gpus_per_node) -> Result<DataRate> {
      if (auto wrong = violated({not_negative("links_per_node", links_per_node), at_least("planes", planes, 1),
                                 not_negative("link_rate", link_rate), at_least("gpus_per_node", gpus_per_node, 1)}))
        return *wrong;
      return static_cast<double>(links_per_node) * static_cast<double>(planes) * link_rate / static_cast<double>(gpus_per_node);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::network_rate,
};

constinit const Formula<Count, Count, Count> switches_in_racks{
    .name = "switches_in_racks",
    .text = "racks * switches_per_rack",
    .source = "count",
    .parameters = {"racks", "switches_per_rack"},
    .function = [](Count racks, Count switches_per_rack) -> Result<Count> {
      if (auto wrong = violated({not_negative("racks", racks), not_negative("switches_per_rack", switches_per_rack)})) return *wrong;
      return counted_whole(1.0 * racks * switches_per_rack);
    },
};

/// One network while its figures are made.
struct Work {
  const Network& network;
  std::string stem;  ///< "fabric.network.12"
  const SwitchPart* part = nullptr;
  Traced<Count> nodes, links, radix, planes;
  Traced<Count> node_cables, leaf_spine_cables, spine_core_cables, idle_ports, used_ports;
  Traced<double> oversubscription;
  std::vector<Traced<Money>> costs;
};

/// Everything that the networks of one evaluation share.
class FabricStage {
public:
  FabricStage(const FabricInputs& in, const PopulationResult& population, const SpaceResult& space)
      : in_(in), catalog_(*in.catalog), population_(population), space_(space) {}
  FabricResult run();

private:
  std::vector<Table> tables(const FabricResult& out);
  NetworkResult network(const Network& network, const std::vector<Traced<Count>>& switches_of_others);
  Traced<Count> nodes_of(Work& w, const std::vector<Traced<Count>>& switches_of_others);
  Traced<Count> links_of(const Network& network);
  Traced<Count> radix_of(const Work& w);
  /// Ports that a part states for links of this rate; with `any_rate` also where it does not say at which rate.
  std::optional<Traced<Count>> stated_ports(const SwitchPart& part, DataRate rate, bool any_rate);
  /// What the network states beyond the common inputs.
  struct StatedInputs {
    bool any = false;
    Traced<Count> topology, leaf_down, leaf_up, spine_radix, core_radix, routers_per_group, endpoints_per_router, global_links_per_router,
        reserved_leaf_ports, reserved_spine_ports, uplink_ports;
    [[nodiscard]] StatedPorts values() const {
      if (!any) return {};
      return {topology.value, leaf_down.value, leaf_up.value, spine_radix.value, core_radix.value, routers_per_group.value, endpoints_per_router.value,
              global_links_per_router.value, reserved_leaf_ports.value, reserved_spine_ports.value, uplink_ports.value};
    }
  };
  StatedInputs stated_of(const Work& w);
  /// Ports of a switch part counted in links of this rate.
  Traced<Count> ports_at_rate(const std::string& id, const std::string& label, const std::string& part_id, Traced<DataRate> rate);
  void count(Work& w, NetworkResult& out);
  void modules_and_power(Work& w, NetworkResult& out);
  void prices(Work& w, NetworkResult& out);
  void compare_with_drawing(const FabricResult& result);
  void scale_up(FabricResult& out);
  Traced<Power> power_of_switch(const Work& w);
  void absent_totals(FabricResult& out, Completeness completeness, const std::string& reason);
  [[nodiscard]] bool wanted_nameplate() const { return in_.project->power_basis == PowerBasis::nameplate; }
  template <class T>
  Traced<T> unknown(std::string id, std::string label, std::string reason) {
    return ledger_.absent<T>(std::move(id), std::move(label), Completeness::unknown, std::move(reason));
  }

  const FabricInputs& in_;
  const Catalog& catalog_;
  const PopulationResult& population_;
  const SpaceResult& space_;
  Ledger ledger_{Page::fabric};
  Traced<Length> length_;
  std::vector<Traced<Money>> costs_;
  std::vector<Traced<DataRate>> injection_;
  struct CableRow {
    Id network;
    std::string network_name, tier, medium, cable, ends, figure;
    double count;
  };
  std::vector<CableRow> cable_rows_;
  struct SwitchRow {
    Id network;
    std::string network_name, role, part, figure;
    double count, ports;
  };
  std::vector<SwitchRow> switch_rows_;
  struct NetworkRow {
    Traced<Count> idle, used;
    Traced<double> oversubscription;
  };
  std::vector<NetworkRow> network_rows_;
};

Traced<Count> FabricStage::links_of(const Network& n) {
  if (n.links_per_node) return design_value<&Network::links_per_node>(ledger_, "networks", n, n.name);
  const NodePart* node = catalog_.find<NodePart>(population_.main_node_part);
  if (n.kind == NetworkKind::out_of_band && (!node || !node->out_of_band_ports))
    return ledger_.constant<Count>("fabric.out_of_band_ports_per_node", "Out-of-band ports of a node", 1,
                                   "project choice: one management port, where the node part states none", &kind::count, true);
  if (!node) return design_value<&Network::links_per_node>(ledger_, "networks", n, n.name);
  switch (n.kind) {
  case NetworkKind::compute: return part_value<&NodePart::compute_nics>(ledger_, catalog_, *node);
  case NetworkKind::storage: return part_value<&NodePart::storage_nics>(ledger_, catalog_, *node);
  case NetworkKind::in_band: return part_value<&NodePart::in_band_nics>(ledger_, catalog_, *node);
  case NetworkKind::out_of_band: return part_value<&NodePart::out_of_band_ports>(ledger_, catalog_, *node);
  case NetworkKind::scale_up: break; // counted in domains, not in links
  }
  return design_value<&Network::links_per_node>(ledger_, "networks", n, n.name);
}

Traced<Count> FabricStage::nodes_of(Work& w, const std::vector<Traced<Count>>& switches_of_others) {
  const Network& n = w.network;
  // Node kinds without accelerators take no part in the compute network.
  Traced<Count> nodes = population_.nodes;
  if (n.kind == NetworkKind::compute)
    for (const NodePopulation& p : population_.node_kinds)
      if (p.part == population_.main_node_part) nodes = p.nodes;
  if (n.kind == NetworkKind::storage && !in_.storage->system_part.empty()) {
    std::vector<Traced<Count>> ends{nodes};
    const std::string id = w.stem + ".storage_places", label = "Places taken by storage, " + n.name;
    if (const StoragePart* part = catalog_.find<StoragePart>(in_.storage->system_part)) {
      ends.push_back(ledger_.derive(id, label, storage_places, design_value<&StoragePlan::systems>(ledger_, "storage", *in_.storage),
                                    part_value<&StoragePart::ports>(ledger_, catalog_, *part), w.links));
    } else {
      ends.push_back(unknown<Count>(id, label, "the catalog has no storage system \"" + in_.storage->system_part + "\""));
    }
    if (!nodes.has_value()) return nodes;
    return ledger_.sum(w.stem + ".endpoints", "Nodes and storage, " + n.name, ends);
  }
  if (n.kind == NetworkKind::out_of_band) {
    if (!nodes.has_value()) return nodes;
    std::vector<Traced<Count>> ends{ledger_.derive(w.stem + ".node_ports", "Management ports of nodes, " + n.name, ports_of_nodes, nodes, w.links)};
    ends.insert(ends.end(), switches_of_others.begin(), switches_of_others.end());
    w.links = ledger_.constant<Count>("fabric.links_per_management_port", "Links of a management port", 1, "one cable a port");
    return ledger_.sum(w.stem + ".endpoints", "Management ports of nodes and switches, " + n.name, ends);
  }
  return nodes;
}

std::optional<Traced<Count>> FabricStage::stated_ports(const SwitchPart& part, DataRate rate, bool any_rate) {
  auto at_rate = [&](const Known<DataRate>& known) {
    return known ? std::abs(base_value(*known) - base_value(rate)) <= 1e-9 * std::abs(base_value(rate)) : any_rate;
  };
  if (part.radix_at_link && at_rate(part.link_rate)) return part_value<&SwitchPart::radix_at_link>(ledger_, catalog_, part);
  if (part.ports && at_rate(part.port_rate)) return part_value<&SwitchPart::ports>(ledger_, catalog_, part);
  return std::nullopt;
}

Traced<Count> FabricStage::radix_of(const Work& w) {
  const Network& n = w.network;
  if (n.radix || !w.part) return design_value<&Network::radix>(ledger_, "networks", n, n.name);
  const SwitchPart& part = *w.part;
  if (auto stated = stated_ports(part, n.link_rate, true)) return *stated;
  if (part.ports && part.port_rate) {
    auto out = ledger_.derive(w.stem + ".radix", "Radix, " + n.name, radix_at_rate, part_value<&SwitchPart::ports>(ledger_, catalog_, part),
                              part_value<&SwitchPart::port_rate>(ledger_, catalog_, part),
                              design_value<&Network::link_rate>(ledger_, "networks", n, n.name));
    if (*part.port_rate < n.link_rate)
      ledger_.remark(out, fmt::format("ports of {} are slower than the links of the network: {:g} against {:g} Gbit/s", part.name,
                                      in_gigabits_per_second(*part.port_rate), in_gigabits_per_second(n.link_rate)));
    return out;
  }
  return part_value<&SwitchPart::radix_at_link>(ledger_, catalog_, part);
}

Traced<Count> FabricStage::ports_at_rate(const std::string& id, const std::string& label, const std::string& part_id, Traced<DataRate> rate) {
  const SwitchPart* part = catalog_.find<SwitchPart>(part_id);
  if (!part) return unknown<Count>(id, label, "the catalog has no switch \"" + part_id + "\"");
  if (rate.has_value())
    if (auto stated = stated_ports(*part, rate.value, false)) return *stated;
  return ledger_.derive(id, label, radix_at_rate, part_value<&SwitchPart::ports>(ledger_, catalog_, *part),
                        part_value<&SwitchPart::port_rate>(ledger_, catalog_, *part), rate);
}

FabricStage::StatedInputs FabricStage::stated_of(const Work& w) {
  const Network& n = w.network;
  StatedInputs out;
  const bool other_spine = !n.spine_switch_part.empty() && n.spine_switch_part != n.switch_part;
  const bool other_core = !n.core_switch_part.empty() && n.core_switch_part != n.switch_part;
  const bool other_rate = n.uplink_rate && *n.uplink_rate != n.link_rate;
  out.any = n.topology != Topology::fat_tree || n.leaf_down || n.leaf_up || n.routers_per_group || n.endpoints_per_router || n.global_links_per_router ||
            n.reserved_leaf_ports > 0 || n.reserved_spine_ports > 0 || other_spine || other_core || other_rate;
  if (!out.any) return out;
  const auto not_set = ledger_.constant<Count>("fabric.not_stated", "Not stated", 0, "0: follows from the radix, the oversubscription or the tier below");
  out.topology = design_value<&Network::topology>(ledger_, "networks", n, n.name);
  out.reserved_leaf_ports = design_value<&Network::reserved_leaf_ports>(ledger_, "networks", n, n.name);
  out.reserved_spine_ports = design_value<&Network::reserved_spine_ports>(ledger_, "networks", n, n.name);
  auto stated = [&]<auto Member>(Traced<Count>& into) {
    into = n.*Member ? design_value<Member>(ledger_, "networks", n, n.name) : not_set;
  };
  stated.template operator()<&Network::leaf_down>(out.leaf_down);
  stated.template operator()<&Network::leaf_up>(out.leaf_up);
  stated.template operator()<&Network::routers_per_group>(out.routers_per_group);
  stated.template operator()<&Network::endpoints_per_router>(out.endpoints_per_router);
  stated.template operator()<&Network::global_links_per_router>(out.global_links_per_router);
  out.spine_radix = out.core_radix = out.uplink_ports = not_set;
  const auto rate = other_rate ? design_value<&Network::uplink_rate>(ledger_, "networks", n, n.name)
                               : design_value<&Network::link_rate>(ledger_, "networks", n, n.name);
  const std::string& spine_part = n.spine_switch_part.empty() ? n.switch_part : n.spine_switch_part;
  const std::string& core_part = n.core_switch_part.empty() ? spine_part : n.core_switch_part;
  if (other_rate)
    out.uplink_ports = ledger_.derive(w.stem + ".uplink_ports", "Ports of a leaf that an uplink takes, " + n.name, uplink_port_count, rate,
                                      design_value<&Network::link_rate>(ledger_, "networks", n, n.name));
  if (other_spine || other_rate) out.spine_radix = ports_at_rate(w.stem + ".spine_radix", "Radix of a spine, " + n.name, spine_part, rate);
  if (other_core || (other_rate && core_part != spine_part)) out.core_radix = ports_at_rate(w.stem + ".core_radix", "Radix of a core, " + n.name, core_part, rate);
  return out;
}

void FabricStage::count(Work& w, NetworkResult& out) {
  const Network& n = w.network;
  const auto rails = design_value<&Network::rails>(ledger_, "networks", n, n.name);
  const auto tiers = design_value<&Network::tiers>(ledger_, "networks", n, n.name);
  const auto per_unit = design_value<&Network::nodes_per_unit>(ledger_, "networks", n, n.name);
  const auto taper = design_value<&Network::oversubscription>(ledger_, "networks", n, n.name);
  const auto core_taper = design_value<&Network::core_oversubscription>(ledger_, "networks", n, n.name);
  w.planes = design_value<&Network::planes>(ledger_, "networks", n, n.name);
  const auto bundles = design_value<&Network::bundles>(ledger_, "networks", n, n.name);
  const auto units = design_value<&Network::units>(ledger_, "networks", n, n.name);
  const auto places = design_value<&Network::reserved_node_places>(ledger_, "networks", n, n.name);
  const auto links = design_value<&Network::reserved_links>(ledger_, "networks", n, n.name);
  const StatedInputs stated = stated_of(w);
  auto derive = [&](std::string_view id, std::string_view label, const auto& rule) {
    const std::string figure = fmt::format("{}.{}", w.stem, id), words = fmt::format("{}, {}", label, n.name);
    if (!stated.any)
      return ledger_.derive(figure, words, rule.common, w.nodes, w.links, w.radix, rails, tiers, per_unit, taper, core_taper, w.planes, bundles, units, places,
                            links);
    return ledger_.derive(figure, words, rule.stated, w.nodes, w.links, w.radix, rails, tiers, per_unit, taper, core_taper, w.planes, bundles, units, places,
                          links, stated.topology, stated.leaf_down, stated.leaf_up, stated.spine_radix, stated.core_radix, stated.routers_per_group,
                          stated.endpoints_per_router, stated.global_links_per_router, stated.reserved_leaf_ports, stated.reserved_spine_ports,
                          stated.uplink_ports);
  };
  out.leafs = derive("leafs", "Leaf switches", fabric_leafs);
  out.spines = derive("spines", "Spine switches", fabric_spines);
  out.cores = derive("cores", "Core switches", fabric_cores);
  w.node_cables = derive("node_leaf_cables", "Cables node to leaf", fabric_node_cables);
  w.leaf_spine_cables = derive("leaf_spine_cables", "Cables leaf to spine", fabric_leaf_spine_cables);
  derive("lit_leaf_spine_cables", "Cables leaf to spine that carry links of present nodes", fabric_lit_cables);
  w.spine_core_cables = derive("spine_core_cables", "Cables spine to core", fabric_spine_core_cables);
  Traced<Count> group_local, group_global;
  const bool dragonfly = n.topology == Topology::dragonfly;
  if (dragonfly) {
    group_local = derive("group_local_cables", "Cables within groups", fabric_group_local_cables);
    group_global = derive("group_global_cables", "Cables between groups", fabric_group_global_cables);
  }
  w.used_ports = derive("used_ports", "Switch ports in use", fabric_used_ports);
  w.idle_ports = derive("idle_ports", "Idle switch ports", fabric_idle_ports);
  w.oversubscription = derive("oversubscription", "Oversubscription at the leaf", fabric_leaf_oversubscription);

  auto all_known = [&] { return w.nodes.has_value() && w.links.has_value() && w.radix.has_value(); };
  const std::string switches_id = w.stem + ".switches", switches_label = "Switches, " + n.name, cables_id = w.stem + ".cables",
                    cables_label = "Cables, " + n.name;
  if (out.leafs.has_value()) {
    out.request = with_stated(request_of(w.nodes.value, w.links.value, w.radix.value, rails.value, tiers.value, per_unit.value, taper.value,
                                         core_taper.value, w.planes.value, bundles.value, units.value, places.value, links.value),
                              stated.values());
    if (auto counts = fabric_counts(out.request)) out.counts = std::move(*counts);
    out.switches = ledger_.sum<Count>(switches_id, switches_label, {out.leafs, out.spines, out.cores});
    std::vector<Traced<Count>> cables{w.node_cables, w.leaf_spine_cables, w.spine_core_cables};
    if (dragonfly) cables.insert(cables.end(), {group_local, group_global});
    out.cables = ledger_.sum(cables_id, cables_label, cables);
    return;
  }
  // What cannot be built still has to be built somehow: it must not vanish from the totals.
  out.problem = out.leafs.reason ? *out.leafs.reason : std::string("an input has no value");
  const Completeness completeness = all_known() ? Completeness::unknown : out.leafs.completeness;
  out.switches = ledger_.absent<Count>(switches_id, switches_label, completeness, out.problem);
  out.cables = ledger_.absent<Count>(cables_id, cables_label, completeness, out.problem);
}

Traced<Power> FabricStage::power_of_switch(const Work& w) {
  const std::string id = w.stem + ".switch_power_each", label = "Power of a switch without modules, " + w.network.name;
  if (!w.part) return unknown<Power>(id, label, w.network.switch_part.empty() ? "no switch part is chosen for " + w.network.name
                                                                             : "the catalog has no switch \"" + w.network.switch_part + "\"");
  const SwitchPart& part = *w.part;
  // A stated maximum has every cage filled with modules; those are counted by themselves.
  if (part.power_typical) {
    auto out = ledger_.as<Power>(id, label, part_value<&SwitchPart::power_typical>(ledger_, catalog_, part));
    if (wanted_nameplate()) ledger_.remark(out, "typical draw, at nameplate basis too: the rated maximum has filled cages in it, and modules are counted apart");
    return out;
  }
  if (part.power_maximum) {
    auto out = ledger_.as<Power>(id, label, part_value<&SwitchPart::power_maximum>(ledger_, catalog_, part));
    return ledger_.assumed(out, "the catalog has no typical power for " + part.name + "; the maximum, which may have modules in it, stands in");
  }
  return switch_power_by_capacity(ledger_, catalog_, part, id, label);
}

void FabricStage::modules_and_power(Work& w, NetworkResult& out) {
  const Network& n = w.network;
  const std::string tr_label = "Optical modules, " + n.name;
  if (!out.switches.has_value()) {
    out.transceivers = ledger_.absent<Count>(w.stem + ".transceivers", tr_label, out.switches.completeness, out.problem);
    out.switch_power = ledger_.absent<Power>(w.stem + ".switch_power", "Power of switches, " + n.name, out.switches.completeness, out.problem);
    out.optics_power = ledger_.absent<Power>(w.stem + ".optics_power", "Power of optical modules, " + n.name, out.switches.completeness, out.problem);
    out.node_side_optics_power =
        ledger_.absent<Power>(w.stem + ".node_side_optics_power", "Power of optical modules in nodes, " + n.name, out.switches.completeness, out.problem);
    return;
  }
  out.switch_power = ledger_.derive(w.stem + ".switch_power", "Power of switches, " + n.name, switches_power, out.switches, power_of_switch(w));

  const auto optical_nodes = ledger_.derive(w.stem + ".optical_node_links", "Optical links node to leaf, " + n.name, optical_links, w.node_cables,
                                            design_value<&Network::optical_share_of_node_links>(ledger_, "networks", n, n.name));
  struct Side {
    std::string_view id, label;
    const Traced<Count>& ports;
    const std::string& part;
  };
  const Side sides[] = {{"node_modules", "Modules at nodes", optical_nodes, n.node_optic_part},
                        {"leaf_down_modules", "Modules at leafs, towards nodes", optical_nodes, n.leaf_optic_part},
                        {"leaf_up_modules", "Modules at leafs, towards spines", w.leaf_spine_cables, n.leaf_optic_part},
                        {"spine_down_modules", "Modules at spines, towards leafs", w.leaf_spine_cables, n.spine_optic_part},
                        {"spine_up_modules", "Modules at spines, towards cores", w.spine_core_cables, n.spine_optic_part},
                        {"core_modules", "Modules at cores", w.spine_core_cables, n.spine_optic_part}};
  std::vector<Traced<Count>> modules;
  std::vector<Traced<Power>> power;
  for (const Side& side : sides) {
    if (side.ports.value == 0) continue;
    const std::string id = w.stem + "." + std::string(side.id), label = fmt::format("{}, {}", side.label, n.name);
    const OpticPart* part = catalog_.find<OpticPart>(side.part);
    const bool stated = part && part->ports_per_module;
    const auto ports_each = stated ? part_value<&OpticPart::ports_per_module>(ledger_, catalog_, *part)
                                   : ledger_.constant<Count>("fabric.ports_per_module", "Ports of an optical module", 1,
                                                             "project choice: single-port modules where no part states its ports", &kind::count, true);
    const auto count_here = ledger_.derive(id, label, modules_for_ports, side.ports, ports_each);
    modules.push_back(count_here);
    const std::string missing = side.part.empty() ? fmt::format("no module is chosen for {} ({})", n.name, side.label)
                                                  : "the catalog has no optical module \"" + side.part + "\"";
    const auto power_each = part ? part_value<&OpticPart::power>(ledger_, catalog_, *part) : unknown<Power>(id + ".power_each", label + ": power each", missing);
    const auto price_each = part ? part_value<&OpticPart::price>(ledger_, catalog_, *part) : unknown<Money>(id + ".price_each", label + ": price each", missing);
    power.push_back(ledger_.derive(id + ".power", label + ": power", transceiver_power, count_here, power_each));
    w.costs.push_back(ledger_.derive(id + ".cost", label + ": cost", parts_price, count_here, price_each));
  }
  out.transceivers = ledger_.sum(w.stem + ".transceivers", tr_label, modules);
  out.optics_power = sum_of_known(ledger_, w.stem + ".optics_power", "Power of optical modules, " + n.name, power);
  const bool at_nodes = optical_nodes.value > 0 && !power.empty();
  out.node_side_optics_power = sum_of_known(ledger_, w.stem + ".node_side_optics_power", "Power of optical modules in nodes, " + n.name,
                                              at_nodes ? std::vector<Traced<Power>>{power.front()} : std::vector<Traced<Power>>{});
}

void FabricStage::prices(Work& w, NetworkResult& out) {
  const Network& n = w.network;
  if (!out.switches.has_value()) {
    if (out.switches.completeness == Completeness::unknown)
      costs_.push_back(unknown<Money>(w.stem + ".cost", "Cost of parts, " + n.name, out.problem));
    return;
  }
  const std::string no_switch = n.switch_part.empty() ? "no switch part is chosen for " + n.name : "the catalog has no switch \"" + n.switch_part + "\"";
  out.switch_cost = ledger_.derive(w.stem + ".switches.cost", "Cost of switches, " + n.name, parts_price, out.switches,
                                   w.part ? part_value<&SwitchPart::price>(ledger_, catalog_, *w.part)
                                          : unknown<Money>(w.stem + ".switches.price_each", "Price of a switch, " + n.name, no_switch));
  w.costs.push_back(out.switch_cost);
  struct Tier {
    std::string_view id, label;
    const Traced<Count>& cables;
    const std::string& part;
    std::string ends;
    std::string optics;
  };
  const std::string leaf_optic = n.leaf_optic_part, spine_optic = n.spine_optic_part;
  auto pair = [](const std::string& a, const std::string& b) { return a.empty() && b.empty() ? std::string() : fmt::format("{} / {}", a.empty() ? "?" : a, b.empty() ? "?" : b); };
  const Tier tiers[] = {{"node_leaf_cables", "node to leaf", w.node_cables, n.node_cable_part, pair(n.node_optic_part, leaf_optic), {}},
                        {"leaf_spine_cables", "leaf to spine", w.leaf_spine_cables, n.spine_cable_part, pair(leaf_optic, spine_optic), {}},
                        {"spine_core_cables", "spine to core", w.spine_core_cables, n.spine_cable_part, pair(spine_optic, spine_optic), {}}};
  for (const Tier& tier : tiers) {
    if (tier.cables.value == 0) continue;
    const std::string id = w.stem + "." + std::string(tier.id), label = fmt::format("Cables {}, {}", tier.label, n.name);
    const CablePart* part = catalog_.find<CablePart>(tier.part);
    cable_rows_.push_back({n.id, n.name, std::string(tier.label), part ? part->medium : std::string(), tier.part, tier.ends, id,
                           static_cast<double>(tier.cables.value)});
    const std::string missing = tier.part.empty() ? fmt::format("no cable is chosen for {} ({})", n.name, tier.label) : "the catalog has no cable \"" + tier.part + "\"";
    w.costs.push_back(ledger_.derive(id + ".cost", label + ": cost", parts_price, tier.cables,
                                     part ? part_value<&CablePart::price>(ledger_, catalog_, *part) : unknown<Money>(id + ".price_each", label + ": price each", missing)));
    if (part && part->price_per_length && length_.has_value())
      w.costs.push_back(ledger_.derive(id + ".length_cost", label + ": cost by length", cable_length_price, tier.cables,
                                       part_value<&CablePart::price_per_length>(ledger_, catalog_, *part), length_));
  }
  costs_.push_back(sum_of_known(ledger_, w.stem + ".cost", "Cost of parts, " + n.name, w.costs));
}

NetworkResult FabricStage::network(const Network& n, const std::vector<Traced<Count>>& switches_of_others) {
  NetworkResult out;
  out.network = n.id;
  out.name = n.name;
  out.kind = n.kind;
  Work w{n, fmt::format("fabric.network.{}", n.id), catalog_.find<SwitchPart>(n.switch_part), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  w.links = links_of(n);
  const Traced<Count> links_per_node = w.links;
  if (links_per_node.has_value()) out.ports_per_node = links_per_node.value;
  w.nodes = nodes_of(w, switches_of_others);
  w.radix = radix_of(w);
  count(w, out);
  modules_and_power(w, out);
  prices(w, out);
  if (n.kind == NetworkKind::compute)
    injection_.push_back(ledger_.derive(w.stem + ".injection_per_gpu", "Injection rate per GPU, one way, " + n.name, injection_rate_per_gpu, links_per_node,
                                        w.planes, design_value<&Network::link_rate>(ledger_, "networks", n, n.name), population_.accelerators_per_node));
  for (auto [role, figure, traced] : {std::tuple("leaf", ".leafs", &out.leafs), std::tuple("spine", ".spines", &out.spines), std::tuple("core", ".cores", &out.cores)})
    if (traced->has_value() && traced->value > 0)
      switch_rows_.push_back({n.id, n.name, role, w.part ? w.part->name : n.switch_part, w.stem + figure, static_cast<double>(traced->value),
                              static_cast<double>(w.radix.value)});
  network_rows_.push_back({w.idle_ports, w.used_ports, w.oversubscription});
  return out;
}

void FabricStage::compare_with_drawing(const FabricResult& result) {
  if (!population_.drawn) return;
  std::map<std::string, std::vector<Traced<Count>>> needed, drawn;
  for (std::size_t i = 0; i < result.networks.size(); ++i) {
    const Network* n = find(*in_.networks, result.networks[i].network);
    if (n && !n->switch_part.empty()) needed[n->switch_part].push_back(result.networks[i].switches);
  }
  for (const RackItem& item : *in_.rack_items) {
    if (item.kind != RackItemKind::network_switch || !needed.count(item.part)) continue;
    for (const RackTypePopulation& p : population_.rack_types)
      if (p.rack_type == item.rack_type)
        drawn[item.part].push_back(ledger_.derive(fmt::format("fabric.rack_item.{}.switches", item.id),
                                                  fmt::format("Switches {} in racks of type {}", item.part, p.name), switches_in_racks, p.racks_figure,
                                                  design_value<&RackItem::count>(ledger_, "rack_items", item, p.name)));
  }
  for (const auto& [part, counts] : needed) {
    const auto want = sum_of_known(ledger_, "fabric.switch_part." + part + ".needed", "Switches needed, " + part, counts);
    const auto have = drawn[part].empty() ? ledger_.counted("fabric.switch_part." + part + ".drawn", "Switches drawn, " + part, 0, "no drawn rack holds one")
                                          : ledger_.sum("fabric.switch_part." + part + ".drawn", "Switches drawn, " + part, drawn[part]);
    ledger_.limit(have, want, LimitSense::at_least, 1.0);
  }
}

void FabricStage::absent_totals(FabricResult& out, Completeness c, const std::string& reason) {
  out.switches = ledger_.absent<Count>("fabric.switches", "Switches", c, reason);
  out.cables = ledger_.absent<Count>("fabric.cables", "Cables", c, reason);
  out.transceivers = ledger_.absent<Count>("fabric.transceivers", "Optical modules, before cables are laid", c, reason);
  out.switch_power = ledger_.absent<Power>("fabric.switch_power", "Power of switches", c, reason);
  out.optics_power = ledger_.absent<Power>("fabric.optics_power", "Power of optical modules, before cables are laid", c, reason);
  out.node_side_optics_power = ledger_.absent<Power>("fabric.node_side_optics_power", "Power of optical modules in nodes, before cables are laid", c, reason);
  out.parts_cost = ledger_.absent<Money>("fabric.parts_cost", "Cost of the fabric's parts, before cables are laid", c, reason);
}

void FabricStage::scale_up(FabricResult& out) {
  const Accelerator* gpu = catalog_.find<Accelerator>(population_.main_accelerator_part);
  const auto stated = std::find_if(in_.networks->begin(), in_.networks->end(), [](const Network& n) { return n.kind == NetworkKind::scale_up; });
  const std::string domain_label = "GPUs of a scale-up domain", domains_label = "Scale-up domains", rate_label = "Scale-up rate of a GPU, one way";
  if (!gpu) {
    const std::string reason = "there are no GPUs";
    out.scale_up_domain_gpus = ledger_.absent<Count>("fabric.scale_up_domain_gpus", domain_label, Completeness::not_applicable, reason);
    out.scale_up_domains = ledger_.absent<Count>("fabric.scale_up_domains", domains_label, Completeness::not_applicable, reason);
    out.scale_up_rate_per_gpu = ledger_.absent<DataRate>("fabric.scale_up_rate_per_gpu", rate_label, Completeness::not_applicable, reason);
    return;
  }
  const auto domain = stated != in_.networks->end() && stated->gpus_per_domain
                          ? design_value<&Network::gpus_per_domain>(ledger_, "networks", *stated, stated->name)
                          : part_value<&Accelerator::scale_up_domain>(ledger_, catalog_, *gpu);
  out.scale_up_domain_gpus = ledger_.as<Count>("fabric.scale_up_domain_gpus", domain_label, domain);
  out.scale_up_domains = ledger_.derive("fabric.scale_up_domains", domains_label, scale_up_domain_count, population_.accelerators, out.scale_up_domain_gpus);
  out.scale_up_rate_per_gpu = ledger_.as<DataRate>("fabric.scale_up_rate_per_gpu", rate_label,
                                                   part_value<&Accelerator::scale_up_per_direction>(ledger_, catalog_, *gpu));
}

FabricResult FabricStage::run() {
  FabricResult out;
  scale_up(out);
  const auto& networks = *in_.networks;
  const bool described = std::any_of(networks.begin(), networks.end(), [](const Network& n) { return n.kind != NetworkKind::scale_up; });
  const std::string length_label = "Mean length of a cable, before cables are laid";
  if (!described) {
    out.assumed = true;
    const std::string reason = "no network is described; the goal's share of node power stands in for it";
    absent_totals(out, Completeness::not_applicable, reason);
    out.mean_cable_length = ledger_.absent<Length>("fabric.mean_cable_length", length_label, Completeness::not_applicable, reason);
    out.injection_per_gpu = ledger_.absent<DataRate>("fabric.injection_per_gpu", "Injection rate per GPU, one way", Completeness::not_applicable,
                                                     "no compute network is described", &kind::network_rate);
  } else {
    const auto no_drop = ledger_.constant<Length>("fabric.no_drop", "Drops, already in the distance between racks", meters(0.0), "counted in the distance");
    length_ = ledger_.derive("fabric.mean_cable_length", length_label, routed_cable_length, space_.mean_rack_distance, no_drop, no_drop,
                             assumption<Length>(ledger_, catalog_, "cabling.dress_per_end"), assumption<double>(ledger_, catalog_, "cabling.slack_fraction"));
    out.mean_cable_length = length_;
    // Out-of-band networks come last: they reach the switches of the others.
    std::vector<Traced<Count>> switches_of_others;
    std::vector<std::pair<NetworkResult, NetworkRow>> results;
    for (const bool out_of_band : {false, true})
      for (const Network& n : networks) {
        if (n.kind == NetworkKind::scale_up || (n.kind == NetworkKind::out_of_band) != out_of_band) continue;
        NetworkResult r = network(n, switches_of_others);
        if (!out_of_band) switches_of_others.push_back(r.switches);
        results.emplace_back(std::move(r), network_rows_.back());
      }
    std::sort(results.begin(), results.end(), [](const auto& a, const auto& b) { return a.first.network < b.first.network; });
    network_rows_.clear();
    std::vector<Traced<Count>> switches, cables, transceivers;
    std::vector<Traced<Power>> switch_power, optics_power, node_side;
    for (auto& [r, row] : results) {
      switches.push_back(r.switches);
      cables.push_back(r.cables);
      transceivers.push_back(r.transceivers);
      switch_power.push_back(r.switch_power);
      optics_power.push_back(r.optics_power);
      node_side.push_back(r.node_side_optics_power);
      network_rows_.push_back(row);
      out.networks.push_back(std::move(r));
    }
    const bool nothing = std::all_of(switches.begin(), switches.end(), [](const auto& t) { return t.completeness == Completeness::not_applicable; });
    if (nothing) {
      absent_totals(out, Completeness::not_applicable, out.networks.front().problem);
    } else {
      out.switches = sum_of_known(ledger_, "fabric.switches", "Switches", switches);
      // One module an end of a link: the cabling page counts them cage by cage, and this stands where it cannot.
      const auto planned = [&](auto sum) {
        return sum.has_value() && sum.value != decltype(sum.value){}
                   ? ledger_.assumed(std::move(sum), "counted by ends of links; the cabling page counts cage by cage")
                   : sum;
      };
      out.cables = sum_of_known(ledger_, "fabric.cables", "Cables", cables);
      out.transceivers = planned(sum_of_known(ledger_, "fabric.transceivers", "Optical modules, before cables are laid", transceivers));
      out.switch_power = sum_of_known(ledger_, "fabric.switch_power", "Power of switches", switch_power);
      out.optics_power = planned(sum_of_known(ledger_, "fabric.optics_power", "Power of optical modules, before cables are laid", optics_power));
      out.node_side_optics_power = planned(sum_of_known(ledger_, "fabric.node_side_optics_power", "Power of optical modules in nodes, before cables are laid", node_side));
      out.parts_cost = planned(sum_of_known(ledger_, "fabric.parts_cost", "Cost of the fabric's parts, before cables are laid", costs_));
    }
    if (injection_.empty()) {
      out.injection_per_gpu = ledger_.absent<DataRate>("fabric.injection_per_gpu", "Injection rate per GPU, one way", Completeness::not_applicable,
                                                       "no compute network is described", &kind::network_rate);
    } else if (injection_.size() == 1) {
      out.injection_per_gpu = ledger_.as<DataRate>("fabric.injection_per_gpu", "Injection rate per GPU, one way", injection_[0], &kind::network_rate);
    } else {
      out.injection_per_gpu = ledger_.sum("fabric.injection_per_gpu", "Injection rate per GPU, one way", injection_, kind::network_rate);
    }
    compare_with_drawing(out);
  }

  out.page = ledger_.finish_page();
  out.tables = share(tables(out));
  return out;
}

std::vector<Table> FabricStage::tables(const FabricResult& out) {
  std::vector<Table> all;
  const auto table = [&](std::string id, std::string title) -> Table& {
    Table& t = all.emplace_back();
    t.id = std::move(id);
    t.title = std::move(title);
    t.entity_table = "networks";
    return t;
  };
  using Number = std::optional<double>;
  {
    struct Row {
      const NetworkResult* of;
      const NetworkRow* figures;
    };
    Table& of = table("fabric.networks", "Networks");
    std::vector<Row> rows;
    for (std::size_t i = 0; i < out.networks.size(); ++i) {
      of.entities.push_back(out.networks[i].network);
      of.row_figures.push_back(fmt::format("fabric.network.{}.switches", out.networks[i].network));
      rows.push_back({&out.networks[i], &network_rows_[i]});
    }
    TableColumns<Row> t(of, rows);
    const auto traced = [&](const char* id, const char* label, const Kind& kind, auto figure) {
      t.numbers(id, label, kind, [&](const Row& r) {
        const auto& f = figure(r);
        return f.has_value() ? Number(base_value(f.value)) : std::nullopt;
      });
    };
    const auto built = [&](const char* id, const char* label, auto number) {
      t.numbers(id, label, kind::count,
                [&](const Row& r) { return r.of->problem.empty() ? Number(static_cast<double>(number(r.of->counts))) : std::nullopt; });
    };
    t.words("network", "Network", [](const Row& r) { return r.of->name; });
    t.words("kind", "Kind", [](const Row& r) { return ChoiceWords<NetworkKind>::words[static_cast<std::size_t>(r.of->kind)]; });
    built("tiers", "Tiers", [](const FabricCounts& c) { return c.tiers; });
    built("units", "Units", [](const FabricCounts& c) { return c.units; });
    traced("leafs", "Leafs", kind::count, [](const Row& r) -> auto& { return r.of->leafs; });
    traced("spines", "Spines", kind::count, [](const Row& r) -> auto& { return r.of->spines; });
    traced("cores", "Cores", kind::count, [](const Row& r) -> auto& { return r.of->cores; });
    traced("switches", "Switches", kind::count, [](const Row& r) -> auto& { return r.of->switches; });
    traced("cables", "Cables", kind::count, [](const Row& r) -> auto& { return r.of->cables; });
    traced("transceivers", "Modules", kind::count, [](const Row& r) -> auto& { return r.of->transceivers; });
    traced("oversubscription", "Oversubscription", kind::ratio, [](const Row& r) -> auto& { return r.figures->oversubscription; });
    traced("used_ports", "Ports in use", kind::count, [](const Row& r) -> auto& { return r.figures->used; });
    traced("idle_ports", "Idle ports", kind::count, [](const Row& r) -> auto& { return r.figures->idle; });
    built("uneven", "Uneven bundles (1: yes)", [](const FabricCounts& c) { return c.uneven; });
    built("partial_unit", "Partial unit (1: yes)", [](const FabricCounts& c) { return c.partial_unit; });
    t.words("rule", "Rule", [](const Row& r) { return r.of->counts.rule; });
    t.words("notes", "Notes", [](const Row& r) {
      std::string joined;
      for (const std::string& note : r.of->counts.notes) joined += (joined.empty() ? "" : "; ") + note;
      return joined;
    });
    t.words("problem", "Problem", [](const Row& r) { return r.of->problem; });
  }
  const auto of_networks = [&](std::string id, std::string title, auto& rows) {
    using Row = typename std::decay_t<decltype(rows)>::value_type;
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.network < b.network; });
    Table& of = table(std::move(id), std::move(title));
    for (const Row& r : rows) of.entities.push_back(r.network), of.row_figures.push_back(r.figure);
    TableColumns<Row> t(of, rows);
    t.words("network", "Network", [](const Row& r) { return r.network_name; });
    return t;
  };
  {
    auto t = of_networks("fabric.cables", "Cables", cable_rows_);
    t.words("tier", "Tier", [](const CableRow& r) { return r.tier; });
    t.numbers("count", "Cables", kind::count, [](const CableRow& r) { return r.count; });
    t.words("cable", "Cable", [](const CableRow& r) { return r.cable; });
    t.words("medium", "Medium", [](const CableRow& r) { return r.medium; });
    t.words("ends", "Modules at the ends", [](const CableRow& r) { return r.ends; });
    t.numbers("mean_length", "Mean length", kind::length, [&](const CableRow&) {
       return length_.has_value() ? Number(base_value(length_.value)) : std::nullopt;
     }, "m").formula = "estimate: mean distance of a compute rack to the fabric, dress and slack; the same for every tier";
  }
  {
    auto t = of_networks("fabric.switches", "Switches", switch_rows_);
    t.words("role", "Role", [](const SwitchRow& r) { return r.role; });
    t.words("part", "Part", [](const SwitchRow& r) { return r.part; });
    t.numbers("count", "Switches", kind::count, [](const SwitchRow& r) { return r.count; });
    t.numbers("radix", "Links of a switch", kind::count, [](const SwitchRow& r) { return r.ports; });
  }
  return all;
}

} // namespace

FabricResult fabric(const FabricInputs& inputs, const PopulationResult& population, const SpaceResult& space) {
  return FabricStage(inputs, population, space).run();
}

std::vector<AnyFormula> fabric_stage_formulas() {
  std::vector<AnyFormula> out;
  auto both = [&](const auto&... rules) { ((out.push_back(any(rules.common)), out.push_back(any(rules.stated))), ...); };
  both(fabric_leafs, fabric_spines, fabric_cores, fabric_node_cables, fabric_leaf_spine_cables, fabric_lit_cables, fabric_spine_core_cables,
       fabric_used_ports, fabric_idle_ports, fabric_leaf_oversubscription, fabric_group_local_cables, fabric_group_global_cables);
  for (AnyFormula& f : std::vector<AnyFormula>{any(ports_of_nodes), any(storage_places), any(scale_up_domain_count),
                                              any(uplink_port_count, {&kind::network_rate, &kind::network_rate}),
                                              any(radix_at_rate, {nullptr, &kind::network_rate, &kind::network_rate}), any(optical_links), any(modules_for_ports),
          any(switches_power), any(switch_power_from_capacity, {nullptr, &kind::network_rate, nullptr}), any(parts_price), any(cable_length_price),
          any(injection_rate_per_gpu, {nullptr, nullptr, &kind::network_rate, nullptr}), any(switches_in_racks)})
    out.push_back(std::move(f));
  return out;
}

} // namespace hallwright
