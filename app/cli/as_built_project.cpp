// SPDX-License-Identifier: GPL-3.0-or-later
#include "as_built_project.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "commands.h"
#include "output.h"

namespace hallwright::cli {
bool is_project(const std::string& file) {
  if (file.ends_with(".hall") || file.ends_with(".hall.json")) return true;
  std::ifstream in(file, std::ios::binary);
  std::array<char, 16> head{};
  in.read(head.data(), head.size());
  return std::string_view(head.data(), 15) == "SQLite format 3";
}

NetworksPlan project_plan(const std::string& project, const std::string& network, const FoundLinks& found,
                          const CatalogArguments& catalog) {
  const Design design = load_design(project);
  const Timed timed = evaluate_timed(design, load_catalog(catalog));
  std::vector<std::string> all;
  for (const NetworkCabling& n : timed.evaluation.cabling->networks)
    all.push_back(n.name);
  if (!network.empty() && !all.empty() && std::find(all.begin(), all.end(), network) == all.end())
    throw Refusal(wrong_use, fmt::format("--network {}: the project has no network of this name; {}", network,
                                         nearest_sentence(network, all)));
  const Evaluation& e = timed.evaluation;
  auto plan = plan_of_networks(*e.cabling, e.design, *e.catalog, found, network);
  if (!plan) throw Refusal(refused, fmt::format("{}: {}", project, plan.error()));
  return std::move(*plan);
}

} // namespace hallwright::cli
