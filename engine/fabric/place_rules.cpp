// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include "fabric/network_rules.h"

/// Rules of places: which rack and feed switches share, how air runs through them, and who reaches management ports.
namespace hallwright {
namespace {

std::vector<EntityRef> racks_and_network(const std::set<Id>& racks, const Network& n) {
  std::vector<EntityRef> out;
  for (const Id rack : racks)
    out.push_back({"racks", rack});
  out.push_back({"networks", n.id});
  return out;
}

void check_shared_places(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("cabling.switch_racks");
  if (!table) return;
  struct Places {
    std::map<Id, std::set<int>> planes_of_rack;
    std::map<Id, double> spines_of_rack;
    double spines = 0;
  };
  std::map<Id, Places> by_network;
  for (std::size_t i = 0; i < table->row_count(); ++i) {
    const TableRow row(*table, i);
    Places& p = by_network[static_cast<Id>(row.number("network_id"))];
    p.planes_of_rack[row.id()].insert(static_cast<int>(row.number("plane")));
    if (row.number("spines") > 0.0) p.spines_of_rack[row.id()] += row.number("spines");
    p.spines += row.number("spines");
  }
  const NetworkRows counts(context, "fabric.networks");
  for (const auto& [id, p] : by_network) {
    const Network* n = find(*context.design.networks, id);
    if (!n) continue;
    const std::vector<std::string> figures{fmt::format("fabric.network.{}.switches", id)};
    if (n->planes > 1) {
      std::set<Id> shared;
      for (const auto& [rack, planes] : p.planes_of_rack)
        if (planes.size() > 1) shared.insert(rack);
      if (!shared.empty())
        findings.push_back(
            finding_of(rule,
                       fmt::format("{}: {} switches of several planes; losing {} takes a part of each", n->name,
                                   counted(static_cast<double>(shared.size()), "rack holds", "racks hold"),
                                   shared.size() == 1 ? "it" : "one of them"),
                       racks_and_network(shared, *n), context, figures));
      // Racks on one feed only: which planes does it carry?
      std::map<Id, std::set<int>> planes_of_feed;
      std::map<Id, std::set<Id>> racks_of_feed;
      for (const auto& [rack_id, planes] : p.planes_of_rack) {
        const Rack* rack = find(*context.design.racks, rack_id);
        if (!rack || (rack->feed_a != 0) == (rack->feed_b != 0)) continue;
        const Id feed = rack->feed_a != 0 ? rack->feed_a : rack->feed_b;
        planes_of_feed[feed].insert(planes.begin(), planes.end());
        racks_of_feed[feed].insert(rack_id);
      }
      for (const auto& [feed, planes] : planes_of_feed)
        if (planes.size() > 1)
          findings.push_back(finding_of(rule,
                                        fmt::format("{}: switches of {} planes hang on {} alone", n->name,
                                                    planes.size(), entity_name(context.design, {"power_units", feed})),
                                        racks_and_network(racks_of_feed[feed], *n), context, figures));
    }
    const double spines = counts.number(id, "spines");
    if (p.spines_of_rack.size() == 1 && spines > 1.0 && p.spines == spines)
      findings.push_back(
          finding_of(rule,
                     fmt::format("{}: all {:.0f} spines stand in one rack; losing it parts the leafs from each other",
                                 n->name, spines),
                     racks_and_network({p.spines_of_rack.begin()->first}, *n), context,
                     {fmt::format("fabric.network.{}.spines", id)}));
  }
}

void check_airflow(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::set<Id> drawn;
  for (const Rack& r : *context.design.racks)
    drawn.insert(r.rack_type);
  for (const RackItem& item : *context.design.rack_items) {
    if (item.kind != RackItemKind::network_switch || drawn.count(item.rack_type) == 0) continue;
    if (item.mount == RackMount::zero_u_left || item.mount == RackMount::zero_u_right) continue;
    const SwitchPart* part = context.catalog.find<SwitchPart>(item.part);
    if (!part || (part->airflow != "front to rear" && part->airflow != "rear to front")) continue;
    // What hangs on the rear rails has its own front in the hot aisle.
    const bool rear = item.mount == RackMount::rear;
    if ((part->airflow == "front to rear") != rear) continue;
    const RackType* type = find(*context.design.rack_types, item.rack_type);
    Finding f =
        finding_of(rule,
                   fmt::format("{} blows {} and is mounted {} in {}; it draws air from the hot aisle", part->name,
                               part->airflow, rear ? "at the rear" : "with its front in the cold aisle",
                               type ? type->name : std::string("its rack")),
                   {{"rack_items", item.id}, {"rack_types", item.rack_type}}, context, {});
    f.remedies.push_back({Edit{rear ? "Mount it at the front" : "Mount it at the rear",
                               [id = item.id, rear](const Design& d) {
                                 return set_field(d, {"rack_items", id}, "mount", std::string(rear ? "front" : "rear"));
                               }},
                          {},
                          {}});
    findings.push_back(std::move(f));
  }
}

/// A network for management ports with this part: a leaf tier, more when there are many ports.
Remedy add_management_network(const CheckContext& context, const SwitchPart& part) {
  Network n;
  n.name = free_name(context.design, "networks", "Out-of-band");
  n.kind = NetworkKind::out_of_band;
  n.switch_part = part.id;
  n.link_rate = *part.port_rate;
  n.rails = false;
  n.nodes_per_unit = 1;
  n.bundles = BundleRule::uneven;
  n.optical_share_of_node_links = 0.0;
  Remedy out;
  out.edit.label = fmt::format("Add an out-of-band network of {}", part.name);
  out.edit.apply = [n](const Design& d) -> Edited { return add_entity(d, &Design::networks, n).design; };
  return out;
}

void check_management(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& networks = *context.design.networks;
  const bool described =
      std::any_of(networks.begin(), networks.end(), [](const Network& n) { return n.kind != NetworkKind::scale_up; });
  if (!described) return;
  const NetworkRows counts(context, "fabric.networks");
  std::vector<const Network*> management;
  for (const Network& n : networks)
    if (n.kind == NetworkKind::out_of_band) management.push_back(&n);
  if (management.empty()) {
    std::string with_ports;
    std::vector<EntityRef> entities;
    double ports = 0;
    for (const NodePart* node : node_parts(context))
      if (node->out_of_band_ports.value_or(0) > 0) {
        with_ports = node->name;
        ports = std::max(ports, static_cast<double>(*node->out_of_band_ports));
      }
    for (const Network& n : networks) {
      if (n.kind == NetworkKind::scale_up) continue;
      const SwitchPart* part = context.catalog.find<SwitchPart>(n.switch_part);
      if (part && part->management_ports.value_or(0) > 0 && with_ports.empty()) with_ports = part->name;
      entities.push_back({"networks", n.id});
    }
    if (with_ports.empty()) return;
    Finding f = finding_of(
        rule,
        fmt::format("No out-of-band network is described; management ports of {} and others have no cable", with_ports),
        std::move(entities), context, {"fabric.switches"});
    // The slowest Ethernet switch of the catalog that one tier of it, or two, can carry them on.
    const SwitchPart* best = nullptr;
    for (const SwitchPart& part : context.catalog.switches)
      if (part.network_kind == "ethernet" && part.ports && part.port_rate &&
          in_gigabits_per_second(*part.port_rate) <= 1.0 + 1e-9 && (!best || *part.ports > *best->ports))
        best = &part;
    const Figure *nodes = known_figure(context, "population.nodes"),
                 *switches = known_figure(context, "fabric.switches");
    if (best && nodes && switches && ports > 0.0) {
      FabricRequest q;
      q.nodes = static_cast<Count>(nodes->value * ports + switches->value);
      q.links_per_node = 1;
      q.radix = *best->ports;
      q.rails = false;
      q.nodes_per_unit = 1;
      q.bundles = BundleRule::uneven;
      if (q.nodes > 0 && fabric_counts(q)) f.remedies.push_back(add_management_network(context, *best));
    }
    findings.push_back(std::move(f));
    return;
  }
  // One switch for both of a pair.
  for (const Network* n : management) {
    if (management.size() > 1 || counts.number(n->id, "switches") != 1.0) continue;
    const auto pair = std::find_if(networks.begin(), networks.end(), [](const Network& other) {
      return other.kind != NetworkKind::out_of_band && other.kind != NetworkKind::scale_up && other.planes > 1;
    });
    if (pair == networks.end()) continue;
    findings.push_back(finding_of(
        rule,
        fmt::format("{}: one switch manages all {} planes of {}; with it lost no switch of any plane can be reached",
                    n->name, pair->planes, pair->name),
        {{"networks", n->id}, {"networks", pair->id}}, context, {fmt::format("fabric.network.{}.switches", n->id)}));
  }
}

void check_monitoring(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Design& d = context.design;
  double idle = 0;
  std::vector<EntityRef> entities;
  std::vector<std::string> figures;
  for_each_row(context, "fabric.networks", [&](const Network& n, const TableRow& row) {
    if (n.kind != NetworkKind::out_of_band || std::isnan(row.number("idle_ports"))) return;
    idle += row.number("idle_ports");
    entities.push_back({"networks", n.id});
    figures.push_back(row.figure("idle_ports"));
  });
  if (entities.empty()) return;
  double power = 0;
  for (const PowerUnit& u : *d.power_units)
    power += u.kind != PowerUnitKind::utility_feed && u.kind != PowerUnitKind::transformer;
  const auto cooling = static_cast<double>(d.cooling_units->size());
  if (!(power + cooling > idle)) return;
  findings.push_back(
      finding_of(rule,
                 fmt::format("{} and {} are drawn and report over a port each; the out-of-band network has {:.0f} idle",
                             counted(power, "power unit"), counted(cooling, "cooling unit"), idle),
                 std::move(entities), context, std::move(figures)));
}

void check_undrawn(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.racks->empty()) return;
  const NetworkRows counts(context, "fabric.networks"), wired(context, "cabling.networks");
  // Too few switches of a part are told by the counts (FAB-045); here is what has a switch but no place for it.
  const auto told = [&](const std::string& part) {
    const Figure *drawn = known_figure(context, "fabric.switch_part." + part + ".drawn"),
                 *needed = known_figure(context, "fabric.switch_part." + part + ".needed");
    return part.empty() || (drawn && needed && drawn->value < needed->value);
  };
  for_each_row(context, "cabling.places", [&](const Network& n, const TableRow& row) {
    std::string what;
    const auto add = [&](double missing, double of, std::string_view word) {
      if (missing > 0.0) what += fmt::format("{}{:.0f} of {:.0f} {}", what.empty() ? "" : ", ", missing, of, word);
    };
    if (n.kind == NetworkKind::compute) add(row.number("nodes"), wired.number(n.id, "nodes"), "nodes");
    if (!told(switch_part_of(n, SwitchTier::leaf))) add(row.number("leafs"), counts.number(n.id, "leafs"), "leafs");
    if (!told(switch_part_of(n, SwitchTier::spine))) add(row.number("spines"), counts.number(n.id, "spines"), "spines");
    if (!told(switch_part_of(n, SwitchTier::core))) add(row.number("cores"), counts.number(n.id, "cores"), "cores");
    if (what.empty()) return;
    findings.push_back(finding_of(
        rule, fmt::format("{}: no drawn rack has a place for {}; lengths of their cables are stand-ins", n.name, what),
        entities_of(n), context, {fmt::format("cabling.network.{}.ordered_length", n.id)}));
  });
}

} // namespace

std::vector<Rule> place_rules() {
  return {
      {"FAB-019", Severity::warning, "Redundant switches share a place",
       "Planes, and the spines of a network, are there for each other. Racks that hold switches of several planes, "
       "planes that hang on one feed alone, "
       "and spines that all stand in one rack fail together. Source of the limit: a pair is as independent as what it "
       "shares.",
       check_shared_places},
      {"FAB-020", Severity::error, "Switch draws air from the hot aisle",
       "Direction of a switch's fans against the side on which it is mounted: a front-to-rear switch on the rear "
       "rails, or a rear-to-front switch with "
       "its front in the cold aisle, breathes exhaust. Source of the limit: airflow of the switch part in the catalog.",
       check_airflow},
      {"FAB-028", Severity::warning, "Management ports without a network",
       "Nodes and switches with a management port need a cable to an out-of-band network, or they cannot be reached "
       "when they fail. One management "
       "switch for all planes of a network is one fault for all of them. Source of the limit: management ports of the "
       "parts in the catalog.",
       check_management},
      {"FAB-029", Severity::warning, "Plant without management ports",
       "Drawn UPS, distribution, busways and generators, and all drawn cooling units, are counted as one monitoring "
       "port each, against the idle ports "
       "of the out-of-band networks; consoles and sensors come on top. Source of the limit: ports of the out-of-band "
       "switches; one port each is a "
       "project choice.",
       check_monitoring},
      {"FAB-046", Severity::warning, "Devices without a drawn place",
       "Nodes and switches of a network that fit into no drawn rack, though enough switches of the part are drawn: "
       "places may name another network or "
       "tier. Their cables get a stand-in length, and their watts no rack. Source of the limit: the content of the "
       "drawn racks.",
       check_undrawn},
  };
}

} // namespace hallwright
