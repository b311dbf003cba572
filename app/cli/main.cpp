// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "commands.h"
#include "output.h"
#include "project/project_file.h"

namespace hallwright::cli {
namespace {

/// The command that was begun, or the program itself: whose help a wrong use points to.
std::string begun_command(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) return app.get_name() + " " + begun_command(*command);
  return app.get_name();
}

/// One sentence for what CLI11 found wrong.
std::string wrong_use_sentence(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::string what = error.what();
  if (argc < 2) return "a command is missing";
  if (app.get_subcommands().empty() && argv[1][0] != '-') {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return "\"" + std::string(argv[1]) + "\" is not a command; " + nearest_sentence(argv[1], names);
  }
  if (app.get_subcommands().empty()) return "\"" + std::string(argv[1]) + "\" is not an option of the program itself, and a command is missing";
  std::replace(what.begin(), what.end(), '\n', ' ');
  while (!what.empty() && (what.back() == ' ' || what.back() == '.')) what.pop_back();
  return what;
}

int run(int argc, char** argv) {
  CLI::App app("Designs an AI cluster in one document: the engine of the studio without a screen.", "hallwright-cli");
  app.set_version_flag("--version", "hallwright-cli " + SaveOptions{}.program);
  app.set_help_flag("-h,--help", "Print this help and end");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 fine, 1 findings or differences, 2 wrong use, 3 unreadable or refused file.\n"
             "HALLWRIGHT_CATALOG names another catalog file than the one beside the program. CSV files of your own in\n"
             "$XDG_DATA_HOME/hallwright/hallwright/catalog (~/.local/share/...) lie over it; --no-user-catalog leaves them out.\n"
             "\"hallwright-cli COMMAND --help\" explains a command, with examples.");
  int exit_code = fine;
  add_evaluate_command(app, exit_code);
  add_explain_command(app, exit_code);
  add_calc_command(app, exit_code);
  add_check_command(app, exit_code);
  add_convert_command(app, exit_code);
  add_diff_command(app, exit_code);
  add_fabric_command(app, exit_code);
  add_hydraulics_command(app, exit_code);
  add_cooling_sweep_command(app, exit_code);
  add_collectives_command(app, exit_code);
  add_train_command(app, exit_code);
  add_search_command(app, exit_code);
  add_catalog_command(app, exit_code);
  add_export_command(app, exit_code);
  add_import_racks_command(app, exit_code);
  add_import_climate_command(app, exit_code);
  add_report_command(app, exit_code);
  add_layout_command(app, exit_code);
  add_pack_command(app, exit_code);
  add_as_built_command(app, exit_code);
  add_cabling_command(app, exit_code);
  add_ranks_command(app, exit_code);
  add_power_sweep_command(app, exit_code);
  add_density_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return fine;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return fine;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s; \"%s --help\" explains the use\n", wrong_use_sentence(app, error, argc, argv).c_str(),
                 begun_command(app).c_str());
    return wrong_use;
  }
  return exit_code;
}

} // namespace
} // namespace hallwright::cli

int main(int argc, char** argv) {
  using namespace hallwright::cli;
  try {
    return run(argc, argv);
  } catch (const Refusal& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return refusal.code;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "the command failed: %s\n", failure.what());
    return refused;
  }
}
