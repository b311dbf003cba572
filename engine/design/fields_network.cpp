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
