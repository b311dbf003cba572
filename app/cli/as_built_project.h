// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "fabric/as_built_networks.h"
#include "project_input.h"

/// A project as the plan of an as-built comparison.
namespace hallwright::cli {

/// A project by its content: the database, or the text form.
[[nodiscard]] bool is_project(const std::string& file);

/// The plan of one network of a project, or of all that the dump names, and what is to be compared with it. Refuses with
/// the reason when there is none.
[[nodiscard]] NetworksPlan project_plan(const std::string& project, const std::string& network, const FoundLinks& found,
                                        const CatalogArguments& catalog);

} // namespace hallwright::cli
