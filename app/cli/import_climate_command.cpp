// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project/durable_file.h"
#include "project/lock.h"
#include "project/project_file.h"
#include "project/underlay_names.h"
#include "project/weather_file.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct ImportClimateArguments {
  std::string project, file, to;
  bool dry_run = false, json = false;
};

Json year_json(const WeatherYear& year) {
  Json states = Json::array();
  for (const ClimateBin& s : year.states)
    states.push_back(Json{{"dry_bulb_c", s.dry_bulb.celsius()}, {"wet_bulb_c", s.wet_bulb.celsius()}, {"hours", in_hours(s.duration)}});
  return Json{{"place", year.place},         {"hours", year.hours},         {"lines", year.lines},         {"lowest_c", year.lowest_c},
              {"mean_c", year.mean_c},       {"highest_c", year.highest_c}, {"states", std::move(states)}, {"notes", year.notes}};
}

int import_climate(const ImportClimateArguments& a) {
  // The lock first where the project is to be changed: what is read afterwards cannot be replaced by another writer.
  OpenOptions opening;
  if (a.to.empty() && !a.dry_run) opening.lock_as = present_owner(time_stamp());
  const auto opened = open_project(a.project, opening);
  if (!opened) throw Refusal(refused, opened.error());
  const auto text = read_whole_file(a.file);
  if (!text) throw Refusal(refused, fmt::format("{} cannot be read: {}", a.file, text.error()));
  const auto year = read_weather(*text);
  if (!year) throw Refusal(refused, fmt::format("{}: {}", a.file, year.error()));
  if (a.json) {
    print_json(year_json(*year));
  } else {
    print((year->place.empty() ? "" : year->place + ": ") + year->summary() + "\n");
    for (const std::string& n : year->notes) print(n + "\n");
  }
  if (a.dry_run) return fine;
  const std::string to = a.to.empty() ? a.project : a.to;
  if (a.to.empty() && opened->access == Access::read_only)
    throw Refusal(refused, fmt::format("{} is not changed, for that could lose something: {}", a.project, opened->remark));
  const auto edited = weather_edit(*year).apply(opened->design);
  if (!edited) throw Refusal(refused, edited.error());
  const Design written = with_underlays_named_from(*edited, a.project, to);
  SaveOptions saving{.stamp = time_stamp(), .edit_count = opened->edit_count + 1};
  if (a.to.empty()) saving.replaces = opened->stamp;
  if (auto saved = save_project(written, to, saving); !saved) throw Refusal(refused, saved.error());
  return fine;
}

} // namespace

void add_import_climate_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<ImportClimateArguments>();
  CLI::App* command = program.add_subcommand("import-climate", "A year of weather (EPW or CSV) as the climate of a project");
  command->add_option("PROJECT", a->project, "Project file, .hall or .hall.json")->required();
  command->add_option("WEATHER", a->file, "EPW file, or CSV whose first line names columns and units")->required();
  command->add_option("--to", a->to, "Write another project; without it PROJECT is changed, and a backup kept")->type_name("PROJECT");
  command->add_flag("--dry-run", a->dry_run, "Only tell what would be taken");
  command->add_flag("--json", a->json, "Write the states as JSON");
  command->footer("The hours of the year become states of 1 K with their mean wet bulb; they stand in the place of the typical year that the\n"
                  "site names. CSV columns: \"dry bulb [degC]\" and \"wet bulb [degC]\" or \"relative humidity [%]\", perhaps \"pressure [hPa]\".\n"
                  "Examples:\n"
                  "  hallwright-cli import-climate hall.hall golden.epw --dry-run\n"
                  "  hallwright-cli import-climate hall.hall station.csv --to with_weather.hall");
  command->callback([a, &exit_code] { exit_code = import_climate(*a); });
}

} // namespace hallwright::cli
