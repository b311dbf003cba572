// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "fabric/fabric.h"
#include "output.h"
#include "quantity/text.h"

namespace hallwright::cli {
namespace {

/// Largest count that an option takes; products of three of them still fit 64 bits.
constexpr Count most = 1'000'000;

struct Arguments {
  Count nodes = 0, gpus_per_node = 8, nics_per_gpu = 1, radix = 64, nodes_per_unit = 0, planes = 1;
  Count reserved_places = 0, reserved_links = 0;
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
    throw Refusal(wrong_use, fmt::format("--leaf-ports {} is not DOWN/UP with two whole numbers from 1 to {}; write 32/32", whole, most));
  return out;
}

FabricRequest request_of(const Arguments& a) {
  FabricRequest q;
  q.nodes = a.nodes;
  q.links_per_node = a.gpus_per_node * a.nics_per_gpu;
  q.radix = a.radix;
  q.rails = a.rails;
  q.tiers = a.tiers == "auto" ? Tiers::automatic : a.tiers == "1" ? Tiers::one : a.tiers == "2" ? Tiers::two : Tiers::three;
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
  return q;
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
  return out;
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
  row("transceivers, both ends of all cables", c.transceivers);
  row("switch ports used", c.switch_ports_used);
  rows.push_back({"oversubscription at the leaf", exact_number(c.oversubscription)});
  rows.push_back({"rule", c.rule});
  for (const std::string& note : c.notes) rows.push_back({"note", note});
  return aligned(rows);
}

} // namespace

void add_fabric_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("fabric", "Switches, cables and modules of a network, without a project");
  const CLI::Validator counts = whole_number(1), places = whole_number(0);
  command->add_option("--nodes", a->nodes, "Nodes")->type_name("N")->required()->check(counts);
  command->add_option("--gpus-per-node", a->gpus_per_node, "GPUs of a node")->type_name("G")->required()->check(counts);
  command->add_option("--nics-per-gpu", a->nics_per_gpu, "Links of a GPU on each plane (default: 1)")->type_name("K")->check(counts);
  command->add_option("--radix", a->radix, "Ports of a switch, counted in links (default: 64)")->type_name("R")->check(counts);
  command->add_flag("--rails", a->rails, "Link r of every node goes to the leaf of rail r of its unit");
  command->add_option("--tiers", a->tiers, "Tiers of switches (default: auto, the fewest that carry all)")->type_name("auto|1|2|3")->check(CLI::IsMember({"auto", "1", "2", "3"}));
  command->add_option("--nodes-per-unit", a->nodes_per_unit, "Nodes of a scalable unit (default: as many as the down ports of a leaf)")->type_name("N")->check(counts);
  command->add_option("--leaf-ports", a->leaf_ports, "Ports of a leaf towards nodes and towards spines (default: from radix and oversubscription)")->type_name("DOWN/UP");
  command->add_option("--oversubscription", a->oversubscription, "Down over up at the leaf (default: 1)")->type_name("X")->check(number_between(0.01, 1000.0));
  command->add_option("--core-oversubscription", a->core_oversubscription, "Down over up at the spine (default: 1)")->type_name("X")->check(number_between(0.01, 1000.0));
  command->add_option("--planes", a->planes, "Equal planes side by side (default: 1)")->type_name("P")->check(counts);
  command->add_flag("--uneven", a->uneven, "Uplinks need not spread in equal bundles");
  command->add_flag("--lit", a->lit, "Build only switches that carry links of nodes present");
  command->add_option("--reserved-places", a->reserved_places, "Node places given to fabric managers")->type_name("N")->check(places);
  command->add_option("--reserved-links", a->reserved_links, "Cables that those use")->type_name("N")->check(places);
  command->add_flag("--json", a->json, "Write JSON");
  command->footer("Examples:\n"
                  "  hallwright-cli fabric --nodes 128 --gpus-per-node 8 --rails\n"
                  "  hallwright-cli fabric --nodes 288 --gpus-per-node 8 --radix 144 --rails --leaf-ports 72/72 --json");
  command->callback([a, &exit_code] {
    const auto result = fabric_counts(request_of(*a));
    if (!result) throw Refusal(wrong_use, result.error());
    if (a->json) print_json(counts_json(*result));
    else print(counts_text(*result));
    exit_code = fine;
  });
}

} // namespace hallwright::cli
