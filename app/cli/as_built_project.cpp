// SPDX-License-Identifier: GPL-3.0-or-later
#include "as_built_project.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "commands.h"
#include "output.h"

namespace hallwright::cli {
namespace {

std::string joined(std::string_view name) {
  std::string out;
  for (char c : name)
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == ' ' || c == '_' ? '-' : c;
  return out;
}

} // namespace

bool is_project(const std::string& file) {
  if (file.ends_with(".hall") || file.ends_with(".hall.json")) return true;
  std::ifstream in(file, std::ios::binary);
  std::array<char, 16> head{};
  in.read(head.data(), head.size());
  return std::string_view(head.data(), 15) == "SQLite format 3";
}

PlannedFabric project_plan(const std::string& project, const std::string& network, const FoundLinks& found,
                           const CatalogArguments& catalog) {
  const Design design = load_design(project);
  const Timed timed = evaluate_timed(design, load_catalog(catalog));
  const auto& networks = timed.evaluation.cabling->networks;
  std::set<std::string> names;
  for (const FoundDevice& d : found.devices)
    if (!says_nothing(d.name)) names.insert(joined(d.name));
  const NetworkCabling* best = nullptr;
  std::string best_prefix, why;
  std::size_t most = 0;
  std::vector<std::string> all;
  for (const NetworkCabling& n : networks) {
    all.push_back(n.name);
    if (!network.empty() && n.name != network) continue;
    if (!n.wiring) {
      why = fmt::format("{}: {}", n.name, n.problem);
      continue;
    }
    // Devices may be named with the network's name in front, or without.
    for (const std::string& prefix : {n.name + " ", std::string()}) {
      std::size_t hits = 0;
      for (std::uint32_t d = 0; d < n.wiring->devices.size(); ++d)
        hits += names.contains(joined(prefix + n.wiring->device_name(d)));
      if (!best || hits > most) best = &n, best_prefix = prefix, most = hits;
    }
  }
  if (!best) {
    if (!network.empty() && std::find(all.begin(), all.end(), network) == all.end() && !all.empty())
      throw Refusal(wrong_use, fmt::format("--network {}: the project has no network of this name; {}", network,
                                           nearest_sentence(network, all)));
    throw Refusal(refused, why.empty() ? fmt::format("{} has no network to compare with", project)
                                       : fmt::format("{} has no wired network: {}", project, why));
  }
  if (most == 0) best_prefix = best->name + " ";
  PlannedFabric plan = planned_fabric(*best->wiring, best_prefix);
  if (best->places) {
    std::map<Id, std::string> racks;
    for (const Rack& r : *design.racks)
      racks[r.id] = r.name;
    for (std::uint32_t d = 0; d < plan.devices.size() && d < best->places->places.size(); ++d) {
      if (const Id rack = best->places->rack_of(d); rack) plan.devices[d].rack = racks[rack];
      std::string unit = best->places->unit_text(d);
      if (unit.starts_with('U')) unit.erase(0, 1);
      plan.devices[d].unit_place = unit;
    }
  }
  return plan;
}

} // namespace hallwright::cli
