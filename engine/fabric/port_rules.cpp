// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "fabric/network_rules.h"

/// Rules of ports: what parts have of them, planes, growth, addresses, names.
namespace hallwright {
namespace {

constexpr double infiniband_unicast_lids = 49151; // 0x0001 to 0xBFFF, InfiniBand Architecture Specification

/// Node links that a node part has ports for, counted at the rate of the links; not set: not known.
Known<Count> links_of_ports(const NodePart& node, const Network& n) {
  const Known<Count> ports = node_ports(node, n.kind);
  if (!ports) return {};
  const Known<DataRate> rate = node_port_rate(node, n.kind);
  const double times = rate && base_value(n.link_rate) > 0.0
                           ? std::floor(base_value(*rate) / base_value(n.link_rate) * (1 + 1e-9))
                           : 1.0;
  return *ports * std::max<Count>(1, static_cast<Count>(times));
}

void check_ports(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const std::vector<const NodePart*> nodes = node_parts(context);
  for (const Network& n : *context.design.networks) {
    if (n.kind == NetworkKind::scale_up || n.kind == NetworkKind::out_of_band) continue;
    const NodePart* worst = nullptr;
    Count least = 0, asked = 0;
    for (const NodePart* node : nodes) {
      if (n.kind == NetworkKind::compute && node->accelerators.value_or(0) < 1) continue;
      const Known<Count> ports = links_of_ports(*node, n), own = node_ports(*node, n.kind);
      if (!ports) continue;
      const Count links = n.links_per_node.value_or(*own) * n.planes;
      if (links <= *ports || (worst && *ports >= least)) continue;
      worst = node;
      least = *ports;
      asked = links;
    }
    if (!worst) continue;
    Finding f = finding_of(
        rule,
        fmt::format("{}: {} of a node are asked for{}; {} has ports for {} at {:.6g} Gbit/s", n.name,
                    counted(static_cast<double>(asked), "link"),
                    n.planes > 1 ? fmt::format(", {} in each of {} planes", asked / n.planes, n.planes) : std::string(),
                    worst->name, least, in_gigabits_per_second(n.link_rate)),
        entities_of(n), context, {fmt::format("fabric.network.{}.node_leaf_cables", n.id)});
    // Reserved links without a place of their own need ports beside the nodes, which a smaller leaf may not have.
    if (const Count fit = least / n.planes; fit >= 1 && n.links_per_node && (n.reserved_links == 0 || n.reserved_node_places > 0))
      add_remedy(f, rewire_network(context, n,
                                   fmt::format("Give each node {}{}", counted(static_cast<double>(fit), "link"),
                                               n.planes > 1 ? " a plane" : ""),
                                   "links_per_node", static_cast<std::int64_t>(fit)));
    findings.push_back(std::move(f));
  }
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    const SwitchPart* part = context.catalog.find<SwitchPart>(n.switch_part);
    if (!part || n.topology == Topology::dragonfly) return;
    const Count has = part_radix(*part, in_gigabits_per_second(n.link_rate));
    const double down = row.number("leaf_down"), up = row.number("leaf_up") * row.number("uplink_ports");
    const double used = down + up + static_cast<double>(n.reserved_leaf_ports);
    if (has < 1 || !(used > static_cast<double>(has))) return;
    findings.push_back(finding_of(
        rule,
        fmt::format("{}: a leaf takes {:.0f} ports down, {:.0f} up and {} reserved, {:.0f} in all; {} has {}", n.name,
                    down, up, n.reserved_leaf_ports, used, part->name, has),
        entities_of(n), context, {row.figure("leafs")}));
  });
}

void check_radix(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::map<std::string, std::vector<EntityRef>> uneven_cages;
  for (const Network& n : *context.design.networks) {
    if (n.kind == NetworkKind::scale_up) continue;
    std::set<std::string> parts;
    for (const SwitchTier tier : {SwitchTier::leaf, SwitchTier::spine, SwitchTier::core})
      parts.insert(switch_part_of(n, tier));
    for (const std::string& id : parts)
      if (const SwitchPart* part = context.catalog.find<SwitchPart>(id);
          part && part->ports && part->cages && *part->cages > 0 && *part->ports % *part->cages != 0)
        uneven_cages[id].push_back({"networks", n.id});
    const SwitchPart* part = context.catalog.find<SwitchPart>(n.switch_part);
    if (!part || !n.radix) continue;
    const Count has = part_radix(*part, in_gigabits_per_second(n.link_rate));
    if (has < 1 || *n.radix == has) continue;
    const bool beyond = *n.radix > has;
    Finding f = finding_of(rule,
                           fmt::format("{}: a radix of {} is stated; {} has {} of {:.6g} Gbit/s{}", n.name, *n.radix,
                                       part->name, counted(static_cast<double>(has), "port"),
                                       in_gigabits_per_second(n.link_rate),
                                       beyond ? ""
                                              : fmt::format("; {} of each switch stay unused",
                                                            counted(static_cast<double>(has - *n.radix), "port"))),
                           entities_of(n), context, {fmt::format("fabric.network.{}.switches", n.id)});
    if (!beyond) f.severity = Severity::note;
    if (beyond && can_change(context, n, "radix of the part"))
      add_remedy(f, rewire_network(context, n, "Take the radix of the part", "radix", FieldValue{}));
    findings.push_back(std::move(f));
  }
  for (auto& [id, entities] : uneven_cages) {
    const SwitchPart* part = context.catalog.find<SwitchPart>(id);
    Finding f = finding_of(
        rule,
        fmt::format(
            "{} has {} ports in {} cages by the catalog, not a whole number a cage; one of the figures is wrong",
            part->name, *part->ports, *part->cages),
        std::move(entities), context, {});
    f.severity = Severity::warning;
    findings.push_back(std::move(f));
  }
}

void check_planes(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    const double shared = row.number("shared_cages");
    if (!(shared > 0.0)) return;
    findings.push_back(
        finding_of(rule,
                   fmt::format("{}: {} of nodes hold{} links of two planes; one module or one pull takes both", n.name,
                               counted(shared, "cage"), shared == 1.0 ? "s" : ""),
                   entities_of(n), context, {row.figure("node_leaf_cables")}));
  });
}

void check_growth(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    const std::string& next = row.words("next_unit");
    if (next.empty() || n.kind == NetworkKind::out_of_band) return;
    const double moved = row.number("moved_cables");
    const std::string tail = moved > 0.0 ? fmt::format("; {} between switches then get{} another far end",
                                                       counted(moved, "live cable"), moved == 1.0 ? "s" : "")
                                         : std::string();
    findings.push_back(finding_of(rule, fmt::format("{}: {}{}", n.name, next, tail), entities_of(n), context,
                                  {row.figure("leaf_spine_cables")}));
  });
}

void check_addresses(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Network& n : *context.design.networks) {
    const SwitchPart* part = context.catalog.find<SwitchPart>(n.switch_part);
    if (!part || part->network_kind != "infiniband") continue;
    const std::string ends_id = fmt::format("fabric.network.{}.node_leaf_cables", n.id),
                      switches_id = fmt::format("fabric.network.{}.switches", n.id);
    const Figure *ends = known_figure(context, ends_id), *switches = known_figure(context, switches_id);
    if (!ends || !switches) continue;
    const double needed = std::ceil((ends->value + switches->value) / static_cast<double>(n.planes));
    if (needed <= infiniband_unicast_lids) continue;
    findings.push_back(finding_of(rule,
                                  fmt::format("{}: {:.0f} end points and switches of a plane need an address each; a "
                                              "subnet has {:.0f}, so it has to be divided",
                                              n.name, needed, infiniband_unicast_lids),
                                  entities_of(n), context, {ends_id, switches_id}));
  }
}

void check_names(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Design& d = context.design;
  if (d.networks->empty()) return; // nothing to label
  const auto tell = [&](std::string_view table, const std::string& name, std::vector<EntityRef> of,
                        const std::string& place) {
    const EntityRef last = of.back();
    const std::string many = counted(static_cast<double>(of.size()), table == "racks" ? "rack" : "network");
    Finding f =
        finding_of(rule, fmt::format("{} are called \"{}\"{}; labels of their cables read alike", many, name, place),
                   std::move(of), context, {});
    if (f.entities.size() == 2)
      f.remedies.push_back({Edit{fmt::format("Give the second a name of its own, {}", free_name(d, table, name)),
                                 [last, name](const Design& in) {
                                   return set_field(in, last, "name", free_name(in, last.table, name));
                                 }},
                            {},
                            {}});
    findings.push_back(std::move(f));
  };
  std::map<std::string, std::vector<EntityRef>> networks;
  std::map<std::pair<Id, std::string>, std::vector<EntityRef>> racks;
  std::vector<EntityRef> nameless;
  for (const Network& n : *d.networks) {
    if (n.name.empty())
      nameless.push_back({"networks", n.id});
    else
      networks[n.name].push_back({"networks", n.id});
  }
  // Most designs have no name twice; only then are racks sorted by hall and name.
  std::unordered_set<std::string_view> once;
  once.reserve(d.racks->size());
  bool twice = false;
  for (const Rack& r : *d.racks) {
    if (r.name.empty())
      nameless.push_back({"racks", r.id});
    else
      twice = !once.insert(r.name).second || twice;
  }
  if (twice)
    for (const Rack& r : *d.racks)
      if (!r.name.empty()) racks[{r.hall, r.name}].push_back({"racks", r.id});
  for (auto& [name, of] : networks)
    if (of.size() > 1) tell("networks", name, of, "");
  for (auto& [key, of] : racks)
    if (of.size() > 1)
      tell("racks", key.second, of, key.first == 0 ? std::string() : " in " + entity_name(d, {"halls", key.first}));
  if (!nameless.empty()) {
    const std::string many = counted(static_cast<double>(nameless.size()), "network or rack", "networks and racks");
    Finding f = finding_of(rule, fmt::format("{} without a name; labels of cables cannot say where they end", many),
                           std::move(nameless), context, {});
    f.severity = Severity::warning;
    findings.push_back(std::move(f));
  }
}

} // namespace

std::vector<Rule> port_rules() {
  return {
      {"FAB-001", Severity::error, "More links than ports",
       "Links of a node, over all planes, against the ports that its part has for this network at the rate of the "
       "links; ports of a leaf down, "
       "up and reserved against those of its part. A link without a port cannot be plugged. Source of the limit: ports "
       "of the node and switch "
       "parts in the catalog.",
       check_ports},
      {"FAB-002", Severity::error, "Radix differs from the part",
       "The radix that a network states against the ports of its switch at the rate of the links. More than the part "
       "has is an error; fewer is a "
       "note, since ports may be left out on purpose. Ports that do not divide by the cages are told too: such lists "
       "exist, one library has a "
       "64-port switch with 62. Source of the limit: the switch part in the catalog.",
       check_radix},
      {"FAB-007", Severity::warning, "Planes that share a cage",
       "Planes are there so that one fault leaves the others. Where one cage of a node holds links of two planes, a "
       "module or a pulled plug takes "
       "both. Switches are never shared between planes here. Adapters that are made to split one cage over planes do "
       "this on purpose: waive it "
       "there. Source of the limit: independence of planes, and the links a cage as the node part or its module says.",
       check_planes},
      {"FAB-026", Severity::warning, "Growth moves live cables",
       "The network is counted again with one more unit. Where the top tier then has more switches and bundles stay "
       "equal, each leaf keeps the old "
       "share of its uplinks and moves the rest: uplinks times (1 - old over new). Building the top tier for the final "
       "size avoids it. Source of "
       "the limit: the counts themselves, with equal bundles before and after.",
       check_growth},
      {"FAB-034", Severity::warning, "Subnet beyond its addresses",
       "Every port of a node and every switch of an InfiniBand subnet takes a local identifier; each plane is taken as "
       "a subnet. Managers and "
       "routed identifiers with several paths take more. Source of the limit: 49,151 unicast identifiers, InfiniBand "
       "Architecture Specification.",
       check_addresses},
      {"FAB-037", Severity::error, "Labels that cannot be told apart",
       "Cable labels name network, rack, unit, device and port. Two networks of one name, or two racks of one name in "
       "a hall, give equal labels, "
       "which is an error; a missing name is a warning. Source of the limit: TIA-606 asks for unique identifiers.",
       check_names},
  };
}

} // namespace hallwright
