// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design.h"

/// Fields of networks and of what is kept beside the design: overrides, waivers, scenarios, published figures.
namespace hallwright {
namespace {

constexpr FieldOptions count_of(std::string_view help, double minimum, double maximum) {
  return {.minimum = minimum, .maximum = maximum, .help = help};
}

} // namespace

template <>
std::span<const Field<Network>> fields<Network>() {
  static constexpr Field<Network> list[] = {
      field<&Network::name>("name", "Name", {.help = "Name of the network, on switches and cable labels."}),
      field<&Network::kind>("kind", "Kind", {.help = "What it carries; the compute network carries the collectives of the job."}),
      field<&Network::switch_part>("switch_part", "Switch", {.help = "Switch of all tiers, from the catalog; gives ports and power.", .part = "switch"}),
      field<&Network::radix>("radix", "Radix", count_of("Ports of a switch counted in links of this network, 2 to 4096. Not set: the part's.", 2, 4096)),
      field<&Network::link_rate>("link_rate", "Link rate",
                                 {.minimum = 1.25e6, .maximum = 1.25e13,
                                  .help = "Rate of one link, one way, 10 Mb/s to 100 Tb/s.",
                                  .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&Network::links_per_node>("links_per_node", "Links per node", count_of("Links of each node to this network, 1 to 1024. Not set: the node part's ports.", 1, 1024)),
      field<&Network::rails>("rails", "Rails", {.help = "Each link of a node goes to another leaf, the same one for all nodes of a unit."}),
      field<&Network::tiers>("tiers", "Tiers", {.help = "Tiers of switches; auto takes the fewest that reach all nodes."}),
      field<&Network::nodes_per_unit>("nodes_per_unit", "Nodes per unit", count_of("Nodes of a scalable unit, 1 to 1000000. Default 32, as in vendor reference designs.", 1, 1e6)),
      field<&Network::units>("units", "Units", {.help = "Whether the last unit gets all of its switches (whole) or only those that are used (lit)."}),
      field<&Network::bundles>("bundles", "Bundles", {.help = "Whether every leaf has the same number of cables to every spine (equal) or may have one more or less (uneven)."}),
      field<&Network::oversubscription>("oversubscription", "Oversubscription",
                                        {.minimum = 0.01, .maximum = 1000.0, .help = "Leaf bandwidth down over up, 0.01 to 1000; 1 is non-blocking."}),
      field<&Network::core_oversubscription>("core_oversubscription", "Core oversubscription",
                                             {.minimum = 0.01, .maximum = 1000.0, .help = "Spine bandwidth down over up, 0.01 to 1000, where there are three tiers."}),
      field<&Network::planes>("planes", "Planes", count_of("Separate copies of the network, each with a share of the links, 1 to 64.", 1, 64)),
      field<&Network::reserved_node_places>("reserved_node_places", "Reserved node places",
                                            count_of("Places of the last unit given to fabric managers, 0 to 1000000.", 0, 1e6)),
      field<&Network::reserved_links>("reserved_links", "Reserved links", count_of("Cables that fabric managers use, 0 to 1000000.", 0, 1e6)),
      field<&Network::node_optic_part>("node_optic_part", "Node optic", {.help = "Module in the node's end of a link.", .part = "optic"}),
      field<&Network::leaf_optic_part>("leaf_optic_part", "Leaf optic", {.help = "Module in leaf switches.", .part = "optic"}),
      field<&Network::spine_optic_part>("spine_optic_part", "Spine optic", {.help = "Module in spine and core switches.", .part = "optic"}),
      field<&Network::node_cable_part>("node_cable_part", "Node cable", {.help = "Cable between node and leaf.", .part = "cable"}),
      field<&Network::spine_cable_part>("spine_cable_part", "Spine cable", {.help = "Cable between switches.", .part = "cable"}),
      field<&Network::optical_share_of_node_links>("optical_share_of_node_links", "Optical node links",
                                                   {.minimum = 0.0, .maximum = 1.0,
                                                    .help = "Share of node links that use modules and fibre, 0 to 100 %; the rest are copper.",
                                                    .unit = "%", .kind = &kind::percent}),
      field<&Network::topology>("topology", "Topology",
                                {.help = "How switches are joined: fat-tree (tiers of a folded Clos), rail-only (leafs of each rail without spines; traffic "
                                         "between rails goes through the scale-up domain) or dragonfly (groups joined all to all)."}),
      field<&Network::spine_switch_part>("spine_switch_part", "Spine switch", {.help = "Switch of the second tier. Not set: as the leafs.", .part = "switch"}),
      field<&Network::core_switch_part>("core_switch_part", "Core switch", {.help = "Switch of the third tier. Not set: as the spines.", .part = "switch"}),
      field<&Network::leaf_down>("leaf_down", "Leaf ports down", count_of("Ports of a leaf to nodes, 1 to 4096. Not set: from radix and oversubscription.", 1, 4096)),
      field<&Network::leaf_up>("leaf_up", "Leaf ports up", count_of("Ports of a leaf to spines, 1 to 4096. Not set: from radix and oversubscription.", 1, 4096)),
      field<&Network::uplink_rate>("uplink_rate", "Uplink rate",
                                   {.minimum = 1.25e6, .maximum = 1.25e13,
                                    .help = "Rate of one link between switches, one way, 10 Mb/s to 100 Tb/s. Not set: the link rate.",
                                    .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&Network::routers_per_group>("routers_per_group", "Switches per group",
                                         count_of("Switches of a dragonfly group, 1 to 4096. Not set: twice the global links of a switch.", 1, 4096)),
      field<&Network::endpoints_per_router>("endpoints_per_router", "Node links per switch",
                                            count_of("Links to nodes of each switch of a dragonfly, 1 to 4096. Not set: as many as global links.", 1, 4096)),
      field<&Network::global_links_per_router>("global_links_per_router", "Global links per switch",
                                               count_of("Links of each switch to other groups of a dragonfly, 1 to 4096. Not set: a quarter of the radix.", 1, 4096)),
      field<&Network::reserved_leaf_ports>("reserved_leaf_ports", "Reserved leaf ports",
                                           count_of("Ports of each leaf kept for gateways, storage or managers, 0 to 4096.", 0, 4096)),
      field<&Network::reserved_spine_ports>("reserved_spine_ports", "Reserved spine ports",
                                            count_of("Ports of each spine kept for gateways, storage or managers, 0 to 4096.", 0, 4096)),
      field<&Network::node_medium>("node_medium", "Node link medium",
                                   {.help = "What links between nodes and leafs are made of. Auto: the cheapest that reaches as far as each cable is long."}),
      field<&Network::uplink_medium>("uplink_medium", "Uplink medium",
                                     {.help = "What links between switches are made of. Auto: the cheapest that reaches as far as each cable is long."}),
      field<&Network::cable_lengths>("cable_lengths", "Cable lengths", {.help = "Whether cables are ordered in stock lengths or cut to length."}),
      field<&Network::patch_panels>("patch_panels", "Patch panels", count_of("Patch panels in each link between switches, 0 to 8; each adds two joints.", 0, 8)),
      field<&Network::spare_share>("spare_share", "Spares",
                                   {.minimum = 0.0, .maximum = 1.0,
                                    .help = "Spare cables and modules as a share of those in use, 0 to 100 %, rounded up for each part. Not set: the catalog default.",
                                    .unit = "%", .kind = &kind::percent}),
      field<&Network::path_choice>("path_choice", "Path choice",
                                   {.help = "How flows choose among equal paths: hashed (each flow on one path), equal split (each flow on all of them in equal "
                                            "shares) or packet spray (packet by packet)."}),
      field<&Network::flows_per_pair>("flows_per_pair", "Flows per pair",
                                      count_of("Flows (queue pairs) between two ranks, each hashed by itself, 1 to 256.", 1, 256)),
      field<&Network::gpus_per_domain>("gpus_per_domain", "GPUs per domain",
                                       count_of("GPUs that a scale-up network joins, 1 to 100000. Not set: as the accelerator says.", 1, 1e5)),
  };
  return list;
}

template <>
std::span<const Field<Communicator>> fields<Communicator>() {
  static constexpr Field<Communicator> list[] = {
      field<&Communicator::name>("name", "Name", {.help = "Name of the traffic, such as 'Expert exchange'."}),
      field<&Communicator::collective>("collective", "Collective", {.help = "What the ranks of a group call together."}),
      field<&Communicator::ranks>("ranks", "Ranks in a group", count_of("Ranks that take part in one call, 2 to 10 million.", 2, 1e7)),
      field<&Communicator::stride>("stride", "Stride", count_of("Distance between neighbouring ranks of a group, 1 to 10 million; 1: ranks that follow each other.", 1, 1e7)),
      field<&Communicator::payload>("payload", "Payload", {.minimum = 0.0, .maximum = 1e18, .help = "Bytes of one call at each rank, up to 1 EB.", .unit = "GB"}),
      field<&Communicator::calls_per_step>("calls_per_step", "Calls per step", {.minimum = 0.0, .maximum = 1e9, .help = "Calls in one training step, 0 to 1e9."}),
  };
  return list;
}

template <>
std::span<const Field<Failure>> fields<Failure>() {
  static constexpr Field<Failure> list[] = {
      field<&Failure::thing>("thing", "Thing", {.help = "Drawn thing that is out of service: a rack, row or hall with what stands in it, a tray with the cables in it, or a "
                                         "power unit with what it alone feeds.",
                                 .reference = any_table}),
      field<&Failure::network>("network", "Network", {.help = "Network whose element is out of service.", .reference = "networks"}),
      field<&Failure::element>("element", "Element",
                               {.help = "What of the network is out of service: 'leaf 3', 'spine 2', 'core 1', 'plane 2' or 'link leaf 3 port 12'; with a tray as the "
                                        "thing 'section 2', or nothing for all of it."}),
      field<&Failure::note>("note", "Note", {.help = "Why it is out of service."}),
  };
  return list;
}

template <>
std::span<const Field<PartOverride>> fields<PartOverride>() {
  static constexpr Field<PartOverride> list[] = {
      field<&PartOverride::part_kind>("part_kind", "Kind of part", {.help = "Kind of the catalog part, such as 'node'."}),
      field<&PartOverride::part>("part", "Part", {.help = "Id of the catalog part."}),
      field<&PartOverride::field>("field", "Field", {.help = "Field of the part that this project states otherwise."}),
      field<&PartOverride::value>("value", "Value", {.help = "Value with its unit, such as '10.2 kW'."}),
      field<&PartOverride::reason>("reason", "Reason", {.help = "Why this project knows better; it goes into the report."}),
  };
  return list;
}

template <>
std::span<const Field<Waiver>> fields<Waiver>() {
  static constexpr Field<Waiver> list[] = {
      field<&Waiver::rule>("rule", "Rule", {.help = "Code of the rule that is waived, such as 'PWR-004'."}),
      field<&Waiver::entities>("entities", "Entities", {.help = "Where it is waived, as the finding names them ('racks:12 racks:13'); empty: everywhere."}),
      field<&Waiver::reason>("reason", "Reason", {.help = "Why the finding is accepted; it goes into the report."}),
  };
  return list;
}

template <>
std::span<const Field<Scenario>> fields<Scenario>() {
  static constexpr Field<Scenario> list[] = {
      field<&Scenario::name>("name", "Name", {.help = "Name of the scenario in comparisons."}),
      field<&Scenario::notes>("notes", "Notes", {.help = "What the scenario is about."}),
  };
  return list;
}

template <>
std::span<const Field<ScenarioChange>> fields<ScenarioChange>() {
  static constexpr Field<ScenarioChange> list[] = {
      field<&ScenarioChange::scenario>("scenario", "Scenario", {.help = "Scenario that this change belongs to.", .reference = "scenarios"}),
      field<&ScenarioChange::path>("path", "Path", {.help = "What changes, such as 'site.utility_power' or 'racks.12.x'."}),
      field<&ScenarioChange::value>("value", "Value", {.help = "New value with its unit, such as '12 MW'; '+= 2 MW' adds to the base."}),
  };
  return list;
}

template <>
std::span<const Field<PublishedFigure>> fields<PublishedFigure>() {
  static constexpr Field<PublishedFigure> list[] = {
      field<&PublishedFigure::figure>("figure", "Figure", {.help = "Id of the figure of this design that is compared."}),
      field<&PublishedFigure::value>("value", "Published value", {.help = "Published value with its unit."}),
      field<&PublishedFigure::source>("source", "Source", {.help = "Where it was published."}),
      field<&PublishedFigure::note>("note", "Note", {.help = "Conditions of the published value."}),
  };
  return list;
}

} // namespace hallwright
