// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

/// The commands of `hallwright-cli`. Each function adds one command with its options, help and what it does; a command
/// writes its answer to standard output and leaves its exit code in `exit_code`.
namespace hallwright::cli {

/// What a command ends with. Scripts rely on these numbers.
enum ExitCode : int {
  fine = 0,     ///< done, nothing to report
  reported = 1, ///< findings or differences
  wrong_use = 2,
  refused = 3   ///< a file that cannot be read or written, or whose content is refused
};

/// Ends a command: `code` and one sentence (or one a line) for standard error.
struct Refusal : std::runtime_error {
  ExitCode code;
  Refusal(ExitCode code_, const std::string& sentence) : std::runtime_error(sentence), code(code_) {}
};

void add_evaluate_command(CLI::App& program, int& exit_code);
void add_explain_command(CLI::App& program, int& exit_code);
void add_calc_command(CLI::App& program, int& exit_code);
void add_check_command(CLI::App& program, int& exit_code);
void add_convert_command(CLI::App& program, int& exit_code);
void add_diff_command(CLI::App& program, int& exit_code);
void add_fabric_command(CLI::App& program, int& exit_code);
void add_hydraulics_command(CLI::App& program, int& exit_code);
void add_cooling_sweep_command(CLI::App& program, int& exit_code);
void add_collectives_command(CLI::App& program, int& exit_code);
void add_train_command(CLI::App& program, int& exit_code);
void add_search_command(CLI::App& program, int& exit_code);
void add_catalog_command(CLI::App& program, int& exit_code);
/// Adds `import` to the command `catalog`.
void add_catalog_import_command(CLI::App& catalog, int& exit_code);
void add_export_command(CLI::App& program, int& exit_code);
void add_import_racks_command(CLI::App& program, int& exit_code);
void add_import_climate_command(CLI::App& program, int& exit_code);
void add_report_command(CLI::App& program, int& exit_code);
void add_layout_command(CLI::App& program, int& exit_code);
void add_pack_command(CLI::App& program, int& exit_code);
void add_as_built_command(CLI::App& program, int& exit_code);
void add_cabling_command(CLI::App& program, int& exit_code);
void add_ranks_command(CLI::App& program, int& exit_code);
void add_power_sweep_command(CLI::App& program, int& exit_code);
void add_density_command(CLI::App& program, int& exit_code);

} // namespace hallwright::cli
