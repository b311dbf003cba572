// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project/durable_file.h"
#include "project/project_file.h"
#include "project/underlay_names.h"

namespace hallwright::cli {
namespace {

struct ConvertArguments {
  std::string from, to;
};

/// Now, for the name of the backup of a file that is replaced: "20260131T120000Z".
void convert(const ConvertArguments& a) {
  if (!a.to.ends_with(".hall") && !a.to.ends_with(".json"))
    throw Refusal(wrong_use, fmt::format("{} names no form of a project; it must end in .hall or .hall.json", a.to));
  std::error_code failed;
  if (std::filesystem::equivalent(a.from, a.to, failed))
    throw Refusal(wrong_use, fmt::format("{} and {} are the same file; name another one to write", a.from, a.to));
  // The content decides, not whether the source may be written: converting changes nothing there.
  auto content = read_whole_file(a.from);
  const auto opened = content ? read_project(*std::move(content), a.from) : open_project(a.from);
  if (!opened) throw Refusal(refused, opened.error());
  if (opened->access == Access::read_only)
    throw Refusal(refused, fmt::format("{} is not converted, for that could lose something: {}", a.from, opened->remark));
  const Design written = with_underlays_named_from(opened->design, a.from, a.to);
  if (auto saved = save_project(written, a.to, {.stamp = time_stamp()}); !saved)
    throw Refusal(refused, saved.error());
}

} // namespace

void add_convert_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<ConvertArguments>();
  CLI::App* command = program.add_subcommand("convert", "Between .hall (SQLite) and .hall.json (text for review)");
  command->add_option("FROM", a->from, "Project to read; its content tells the form")->required();
  command->add_option("TO", a->to, "Project to write: .hall or .hall.json; what is there becomes a backup")->required();
  command->footer("Examples:\n"
                  "  hallwright-cli convert hall.hall hall.hall.json\n"
                  "  hallwright-cli convert hall.hall.json hall.hall");
  command->callback([a, &exit_code] {
    convert(*a);
    exit_code = fine;
  });
}

} // namespace hallwright::cli
