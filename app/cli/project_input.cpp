// SPDX-License-Identifier: GPL-3.0-or-later
#include "project_input.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "catalog/user_catalog.h"
#include "commands.h"
#include "output.h"
#include "project/project_file.h"

namespace hallwright::cli {
namespace {

std::string program_folder() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::string(".") : program.parent_path().string();
}

Design in_scenario(const Design& design, const std::string& wanted) {
  std::string known;
  for (const Scenario& s : *design.scenarios) {
    if (s.name == wanted || std::to_string(s.id) == wanted) {
      auto changed = with_scenario(design, s.id);
      if (!changed) throw Refusal(refused, changed.error());
      return *std::move(changed);
    }
    known += (known.empty() ? "\"" : ", \"") + s.name + "\"";
  }
  throw Refusal(wrong_use, fmt::format("the project has no scenario \"{}\"; {}", wanted, known.empty() ? "it has none" : "it has " + known));
}

} // namespace

void add_catalog_arguments(CLI::App& command, CatalogArguments& arguments) {
  command.add_flag("--no-user-catalog", arguments.no_user_catalog, "Leave your own catalog out; the shipped parts alone");
}

void add_project_arguments(CLI::App& command, ProjectArguments& arguments) {
  command.add_option("PROJECT", arguments.project, "Project file, .hall or .hall.json")->required();
  command.add_option("--scenario", arguments.scenario, "Apply a scenario of the project, by its name")->type_name("NAME");
  command
      .add_option("--set", arguments.sets, "Change a field, with unit: site.utility_power=20MW, racks.12.x+=600mm, rack_types.[DGX rack].width=600mm; repeatable")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  add_catalog_arguments(command, arguments);
}

Shared<Catalog> load_catalog(const CatalogArguments& arguments) {
  const char* wanted = std::getenv("HALLWRIGHT_CATALOG");
  const std::string user_folder = arguments.no_user_catalog ? std::string() : user_catalog_folder(std::getenv("XDG_DATA_HOME"), std::getenv("HOME"));
  auto found = find_catalog(program_folder(), wanted ? wanted : "", user_folder);
  if (!found) throw Refusal(refused, found.error());
  if (!found->user_problem.empty())
    throw Refusal(refused, found->user_problem + "; --no-user-catalog calculates with the shipped parts alone");
  return share(std::move(found->catalog));
}

Design load_design(const std::string& file) {
  auto opened = open_project(file);
  if (!opened) throw Refusal(refused, opened.error());
  if (!opened->remark.empty()) std::fprintf(stderr, "%s: %s\n", file.c_str(), opened->remark.c_str());
  return std::move(opened->design);
}

Design load_design(const ProjectArguments& arguments) {
  Design design = load_design(arguments.project);
  if (!arguments.scenario.empty()) design = in_scenario(design, arguments.scenario);
  for (const std::string& set : arguments.sets) {
    // PATH=VALUE, or PATH+=VALUE and the like; names in brackets may hold an equals sign.
    const std::size_t bracket = set.find('[');
    std::size_t equals = set.find('=');
    if (bracket != std::string::npos && bracket < equals) equals = set.find('=', std::min(set.rfind("]."), set.size()));
    if (equals == std::string::npos || equals == 0)
      throw Refusal(wrong_use, fmt::format("--set {} is not PATH=VALUE; write site.utility_power=20MW", set));
    const bool operation = std::string_view("+-*/").find(set[equals - 1]) != std::string_view::npos;
    const std::string path = set.substr(0, operation ? equals - 1 : equals);
    const std::string value = operation ? set.substr(equals - 1) : set.substr(equals + 1);
    auto changed = set_by_path(design, path, value);
    if (!changed) throw Refusal(wrong_use, fmt::format("--set {}: {}", set, changed.error()));
    design = *std::move(changed);
  }
  return design;
}

Timed evaluate_timed(const Design& design, const Shared<Catalog>& catalog) {
  const auto start = std::chrono::steady_clock::now();
  auto evaluation = evaluate(design, catalog);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  return {*std::move(evaluation), elapsed.count()};
}

const Figure& wanted_figure(const Figures& figures, const std::string& id) {
  if (const Figure* figure = figures.find(id)) return *figure;
  std::vector<std::string> names;
  for (const Figure* f : figures.all()) names.push_back(f->id);
  throw Refusal(wrong_use, fmt::format("there is no figure \"{}\"; {}", id, nearest_sentence(id, names)));
}

std::string time_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

} // namespace hallwright::cli
