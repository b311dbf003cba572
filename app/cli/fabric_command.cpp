// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "fabric/counts_shape.h"
#include "fabric/port_map.h"
#include "fabric/wiring.h"
#include "output.h"
#include "quantity/text.h"

namespace hallwright::cli {
namespace {

/// Largest count that an option takes; products of three of them still fit 64 bits.
constexpr Count most = 1'000'000;

struct FabricArguments {
  Count nodes = 0, gpus_per_node = 8, nics_per_gpu = 1, radix = 64, nodes_per_unit = 0, planes = 1;
  Count reserved_places = 0, reserved_links = 0, reserved_leaf_ports = 0, reserved_spine_ports = 0;
  Count spine_radix = 0, core_radix = 0, uplink_ports = 1;
  Count switches_per_group = 0, end_points = 0, global_links = 0, links_per_cage = 1;
  bool port_map = false;
  std::string topology = "fat-tree";
  bool rails = false, uneven = false, lit = false, json = false;
  std::string tiers = "auto", leaf_ports;
  double oversubscription = 1.0, core_oversubscription = 1.0;
};

/// A whole number between both ends, both allowed.
CLI::Validator whole_number(Count low) {
  return CLI::Validator(
      [low](std::string& text) {
        Count value = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = failed == std::errc() && end == text.data() + text.size() && value >= low && value <= most;
        return whole ? std::string() : fmt::format("{} is not a whole number from {} to {}", text, low, most);
      },
      "", "whole_number");
}

/// A number between both ends, both allowed; not-a-number is no number here.
CLI::Validator number_between(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        double value = 0.0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool inside = failed == std::errc() && end == text.data() + text.size() && value >= low && value <= high;
        return inside ? std::string() : fmt::format("{} is not a number from {} to {}", text, low, high);
      },
      "", "number_between");
}

Count port_count(std::string_view text, const std::string& whole) {
  Count out = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size() || out < 1 || out > most)
    throw Refusal(
        wrong_use,
        fmt::format("--leaf-ports {} is not DOWN/UP with two whole numbers from 1 to {}; write 32/32", whole, most));
  return out;
}

FabricRequest request_of(const FabricArguments& a) {
  FabricRequest q;
  q.nodes = a.nodes;
  q.links_per_node = a.gpus_per_node * a.nics_per_gpu;
  q.radix = a.radix;
  q.rails = a.rails;
  q.tiers = a.tiers == "auto" ? Tiers::automatic
            : a.tiers == "1"  ? Tiers::one
            : a.tiers == "2"  ? Tiers::two
                              : Tiers::three;
  q.nodes_per_unit = a.nodes_per_unit;
  if (!a.leaf_ports.empty()) {
    const std::size_t slash = a.leaf_ports.find('/');
    const std::string_view ports = a.leaf_ports;
    q.leaf_down = port_count(ports.substr(0, slash), a.leaf_ports);
    q.leaf_up = port_count(slash == std::string::npos ? std::string_view() : ports.substr(slash + 1), a.leaf_ports);
  }
  q.oversubscription = a.oversubscription;
  q.core_oversubscription = a.core_oversubscription;
  q.planes = a.planes;
  q.bundles = a.uneven ? BundleRule::uneven : BundleRule::equal;
  q.units = a.lit ? UnitRule::lit : UnitRule::whole;
  q.reserved_node_places = a.reserved_places;
  q.reserved_links = a.reserved_links;
  q.topology = a.topology == "rail-only"   ? Topology::rail_only
               : a.topology == "dragonfly" ? Topology::dragonfly
                                           : Topology::fat_tree;
  q.spine_radix = a.spine_radix;
  q.core_radix = a.core_radix;
  q.uplink_ports = a.uplink_ports;
  q.routers_per_group = a.switches_per_group;
  q.endpoints_per_router = a.end_points;
  q.global_links_per_router = a.global_links;
  q.reserved_leaf_ports = a.reserved_leaf_ports;
  q.reserved_spine_ports = a.reserved_spine_ports;
  return q;
}

/// Links that follow the printed rule of their class, and those that do not.
Json rules_json(const std::vector<PortRule>& rules) {
  Json out = Json::array();
  for (const PortRule& rule : rules) {
    Json one;
    one["class"] = link_class_word(rule.kind);
    one["rule"] = rule.line;
    one["links"] = rule.links;
    one["departures"] = rule.departures;
    out.push_back(std::move(one));
  }
  return out;
}

Json counts_json(const FabricCounts& c) {
  Json out;
  out["leafs"] = c.leafs;
  out["spines"] = c.spines;
  out["cores"] = c.cores;
  out["node_leaf_cables"] = c.node_leaf_cables;
  out["leaf_spine_cables"] = c.leaf_spine_cables;
  out["spine_core_cables"] = c.spine_core_cables;
  out["transceivers"] = c.transceivers;
  out["switch_ports_used"] = c.switch_ports_used;
  out["rule"] = c.rule;
  out["tiers"] = c.tiers;
  out["oversubscription"] = number(c.oversubscription);
  out["notes"] = c.notes;
  if (c.groups > 0) {
    out["groups"] = c.groups;
    out["group_local_cables"] = c.group_local_cables;
    out["group_global_cables"] = c.group_global_cables;
  }
  return out;
}

std::string rules_text(const std::vector<PortRule>& rules) {
  std::vector<std::vector<std::string>> rows;
  for (const PortRule& rule : rules)
    rows.push_back({std::string(link_class_word(rule.kind)), rule.line,
                    fmt::format("{} follow{}", number_of(rule.links, "link"),
                                rule.departures > 0 ? fmt::format(", {} depart", rule.departures) : std::string())});
  return aligned(rows) + place_legend() + "\n";
}

std::string counts_text(const FabricCounts& c) {
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const char* label, Count count) { rows.push_back({label, std::to_string(count)}); };
  row("tiers", c.tiers);
  row("leafs", c.leafs);
  row("spines", c.spines);
  row("cores", c.cores);
  row("node to leaf cables", c.node_leaf_cables);
  row("leaf to spine cables", c.leaf_spine_cables);
  row("spine to core cables", c.spine_core_cables);
  if (c.groups > 0) {
    row("groups", c.groups);
    row("cables within groups", c.group_local_cables);
    row("cables between groups", c.group_global_cables);
  }
  row("transceivers, both ends of all cables", c.transceivers);
  row("switch ports used", c.switch_ports_used);
  rows.push_back({c.groups > 1 ? "end points over global links of a group" : "oversubscription at the leaf",
                  exact_number(c.oversubscription)});
  if (c.cores > 0) rows.push_back({"oversubscription at the spine", exact_number(c.core_oversubscription)});
  rows.push_back({"rule", c.rule});
  for (const std::string& note : c.notes)
    rows.push_back({"note", note});
  return aligned(rows);
}

} // namespace

void add_fabric_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<FabricArguments>();
  CLI::App* command = program.add_subcommand("fabric", "Switches, cables and modules of a network, without a project");
  const CLI::Validator counts = whole_number(1), places = whole_number(0);
  command->add_option("--nodes", a->nodes, "Nodes")->type_name("N")->required()->check(counts);
  command->add_option("--gpus-per-node", a->gpus_per_node, "GPUs of a node")->type_name("G")->required()->check(counts);
  command->add_option("--nics-per-gpu", a->nics_per_gpu, "Links of a GPU on each plane (default: 1)")
      ->type_name("K")
      ->check(counts);
  command->add_option("--radix", a->radix, "Ports of a switch, counted in links (default: 64)")
      ->type_name("R")
      ->check(counts);
  command->add_flag("--rails", a->rails, "Link r of every node goes to the leaf of rail r of its unit");
  command->add_option("--tiers", a->tiers, "Tiers of switches (default: auto, the fewest that carry all)")
      ->type_name("auto|1|2|3")
      ->check(CLI::IsMember({"auto", "1", "2", "3"}));
  command
      ->add_option("--nodes-per-unit", a->nodes_per_unit,
                   "Nodes of a scalable unit (default: as many as the down ports of a leaf)")
      ->type_name("N")
      ->check(counts);
  command
      ->add_option("--leaf-ports", a->leaf_ports,
                   "Ports of a leaf towards nodes and towards spines (default: from radix and oversubscription)")
      ->type_name("DOWN/UP");
  command->add_option("--oversubscription", a->oversubscription, "Down over up at the leaf (default: 1)")
      ->type_name("X")
      ->check(number_between(0.01, 1000.0));
  command->add_option("--core-oversubscription", a->core_oversubscription, "Down over up at the spine (default: 1)")
      ->type_name("X")
      ->check(number_between(0.01, 1000.0));
  command->add_option("--planes", a->planes, "Equal planes side by side (default: 1)")->type_name("P")->check(counts);
  command->add_flag("--uneven", a->uneven, "Uplinks need not spread in equal bundles");
  command->add_flag("--lit", a->lit, "Build only switches that carry links of nodes present");
  command->add_option("--reserved-places", a->reserved_places, "Node places given to fabric managers")
      ->type_name("N")
      ->check(places);
  command->add_option("--reserved-links", a->reserved_links, "Cables that those use")->type_name("N")->check(places);
  command->add_option("--topology", a->topology, "How switches are joined (default: fat-tree)")
      ->type_name("fat-tree|rail-only|dragonfly")
      ->check(CLI::IsMember({"fat-tree", "rail-only", "dragonfly"}));
  command->add_option("--spine-radix", a->spine_radix, "Ports of a spine, counted in uplinks (default: as a leaf)")
      ->type_name("R")
      ->check(counts);
  command->add_option("--core-radix", a->core_radix, "Ports of a core (default: as a spine)")
      ->type_name("R")
      ->check(counts);
  command->add_option("--uplink-ports", a->uplink_ports, "Ports of a leaf that one uplink takes (default: 1)")
      ->type_name("N")
      ->check(counts);
  command
      ->add_option("--switches-per-group", a->switches_per_group,
                   "Switches of a group of a dragonfly (default: balanced)")
      ->type_name("A")
      ->check(counts);
  command->add_option("--end-points", a->end_points, "Links to nodes of a switch of a dragonfly (default: balanced)")
      ->type_name("P")
      ->check(counts);
  command
      ->add_option("--global-links", a->global_links,
                   "Links between groups of a switch of a dragonfly (default: balanced)")
      ->type_name("H")
      ->check(counts);
  command
      ->add_option("--reserved-leaf-ports", a->reserved_leaf_ports,
                   "Ports of each leaf that stay free of nodes and spines")
      ->type_name("N")
      ->check(places);
  command->add_option("--reserved-spine-ports", a->reserved_spine_ports, "Ports of each spine that stay free")
      ->type_name("N")
      ->check(places);
  command->add_flag("--port-map", a->port_map, "Wire every link and print the rule of each class of links");
  command
      ->add_option("--links-per-cage", a->links_per_cage,
                   "Links that a cage of a switch carries, for --port-map (default: 1)")
      ->type_name("N")
      ->check(counts);
  command->add_flag("--json", a->json, "Write JSON");
  command->footer(
      "Examples:\n"
      "  hallwright-cli fabric --nodes 128 --gpus-per-node 8 --rails\n"
      "  hallwright-cli fabric --nodes 288 --gpus-per-node 8 --radix 144 --rails --leaf-ports 72/72 --json\n"
      "  hallwright-cli fabric --nodes 144 --gpus-per-node 4 --nodes-per-unit 18 --leaf-ports 18/18 --rails "
      "--port-map\n"
      "  hallwright-cli fabric --nodes 512 --gpus-per-node 8 --topology dragonfly");
  command->callback([a, &exit_code] {
    if (a->port_map) {
      WiringRequest request;
      request.counts = request_of(*a);
      request.leaf_cages.links_per_cage = request.spine_cages.links_per_cage = request.core_cages.links_per_cage =
          a->links_per_cage;
      const auto wired = wire(request);
      if (!wired) throw Refusal(wrong_use, wired.error());
      if (a->json) {
        Json out = counts_json(wired->counts);
        out["port_map"] = rules_json(wired->rules);
        print_json(out);
      } else {
        print(counts_text(wired->counts) + rules_text(wired->rules));
      }
    } else {
      const auto result = fabric_counts(request_of(*a));
      if (!result) throw Refusal(wrong_use, result.error());
      if (a->json)
        print_json(counts_json(*result));
      else
        print(counts_text(*result));
    }
    exit_code = fine;
  });
}

} // namespace hallwright::cli
