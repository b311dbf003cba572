// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "evaluation/evaluation.h"
#include "output.h"

/// Reading what a command works on: the catalog, a project, and the changes that the command line asks for.
namespace hallwright::cli {

/// The argument that names a catalog.
struct CatalogArguments {
  bool no_user_catalog = false; ///< the shipped parts alone
};
/// Adds --no-user-catalog to a command.
void add_catalog_arguments(CLI::App& command, CatalogArguments& arguments);

/// The arguments that name a design: a project, a scenario of it, single fields.
struct ProjectArguments : CatalogArguments {
  std::string project;
  std::string scenario;           ///< by name or id; empty: the base
  std::vector<std::string> sets;  ///< "PATH=VALUE", applied in order, after the scenario
};
/// Adds PROJECT, --scenario, --set and --no-user-catalog to a command.
void add_project_arguments(CLI::App& command, ProjectArguments& arguments);

/// The compiled catalog beside the program, or the one that HALLWRIGHT_CATALOG names, with the user's own catalog over it,
/// as the studio reads it. Refuses when one of them does not load: figures without the user's parts would be others.
[[nodiscard]] Shared<Catalog> load_catalog(const CatalogArguments& arguments = {});

/// The design of a file. Remarks of the reader (an older version, defaults that were taken) go to standard error.
[[nodiscard]] Design load_design(const std::string& file);
/// The design with the scenario and the fields of the arguments.
[[nodiscard]] Design load_design(const ProjectArguments& arguments);

/// An evaluation and what it cost.
struct Timed {
  Evaluation evaluation;
  double elapsed_ms = 0.0; ///< of the engine alone
};
[[nodiscard]] Timed evaluate_timed(const Design& design, const Shared<Catalog>& catalog);

/// The figure of this id; refuses with the nearest id.
[[nodiscard]] const Figure& wanted_figure(const Figures& figures, const std::string& id);

/// The entity of this name; refuses with the nearest name.
/// @param option the argument that asked for it, "--hall"
template <class E>
const E& named(const std::vector<E>& table, const std::string& name, const char* option) {
  std::vector<std::string> names;
  for (const E& e : table) {
    if (e.name == name) return e;
    names.push_back(e.name);
  }
  if (names.empty()) throw Refusal(wrong_use, fmt::format("{} {}: the project has none", option, name));
  throw Refusal(wrong_use,
                fmt::format("{}: there is none of the name \"{}\"; {}", option, name, nearest_sentence(name, names)));
}

/// Now, as saves name it: "20261130T120000Z".
[[nodiscard]] std::string time_stamp();

} // namespace hallwright::cli
