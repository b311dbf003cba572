// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project/durable_file.h"
#include "project/lock.h"
#include "project/netbox_csv.h"
#include "project/project_file.h"
#include "project/underlay_names.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct ImportRacksArguments : CatalogArguments {
  std::string project, file, hall, to;
  bool dry_run = false, json = false, partly = false;
};

/// NetBox's files name a site or a rack_type; lists of ours do not.
bool is_netbox(std::string_view text) {
  std::string head;
  for (char c : text.substr(0, text.find_first_of("\r\n")))
    head += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return head.find('\t') == std::string::npos &&
         (head.find("site") != std::string::npos || head.find("rack_type") != std::string::npos) &&
         head.find("u_height") != std::string::npos;
}

std::string_view what_word(RackListRow::What what) {
  switch (what) {
  case RackListRow::What::added:
    return "new";
  case RackListRow::What::changed:
    return "changed";
  case RackListRow::What::unchanged:
    return "unchanged";
  case RackListRow::What::refused:
    return "refused";
  }
  return "refused";
}

Json list_json(const RackList& list) {
  Json rows = Json::array(), errors = Json::array();
  for (const RackListRow& r : list.rows)
    rows.push_back(Json{{"line", r.line}, {"name", r.name}, {"what", what_word(r.what)}});
  for (const RackCellError& e : list.errors)
    errors.push_back(
        Json{{"line", e.line}, {"rack", e.rack}, {"column", e.column}, {"value", e.value}, {"what", e.what}});
  return Json{{"new", list.added},
              {"changed", list.changed},
              {"unchanged", list.unchanged},
              {"refused", list.refused},
              {"rows", rows},
              {"errors", errors},
              {"unknown_types", list.unknown_types},
              {"new_rows", list.new_rows},
              {"notes", list.notes}};
}

int import_racks(const ImportRacksArguments& a) {
  // The lock first where the project is to be changed: what is read afterwards cannot be replaced by another writer.
  OpenOptions opening;
  if (a.to.empty() && !a.dry_run) opening.lock_as = present_owner(time_stamp());
  const auto opened = open_project(a.project, opening);
  if (!opened) throw Refusal(refused, opened.error());
  const Design& design = opened->design;
  const auto text = read_whole_file(a.file);
  if (!text) throw Refusal(refused, fmt::format("{} cannot be read: {}", a.file, text.error()));
  RackListOptions options;
  if (!a.hall.empty()) {
    std::vector<std::string> names;
    for (const Hall& h : *design.halls) {
      if (h.name == a.hall) options.hall = h.id;
      names.push_back(h.name);
    }
    if (options.hall == 0)
      throw Refusal(wrong_use, fmt::format("the project has no hall \"{}\"; {}", a.hall,
                                           names.empty() ? "it has none" : nearest_sentence(a.hall, names)));
  }
  const auto list = is_netbox(*text) ? read_netbox_racks(*text, design, *load_catalog(a), options)
                                     : read_rack_list(*text, design, options);
  if (!list) throw Refusal(refused, fmt::format("{}: {}", a.file, list.error()));
  if (a.json) {
    print_json(list_json(*list));
  } else {
    print(list->summary() + "\n");
    for (const std::string& t : list->unknown_types)
      print(fmt::format("unknown rack type: {}\n", t));
    for (const std::string& r : list->new_rows)
      print(fmt::format("new row: {}\n", r));
    for (const std::string& n : list->notes)
      print(n + "\n");
  }
  std::string sentences;
  for (const RackCellError& e : list->errors)
    sentences += fmt::format("{}{}: {}", sentences.empty() ? "" : "\n", a.file, e.sentence());
  if (a.dry_run) {
    if (!sentences.empty()) std::fprintf(stderr, "%s\n", sentences.c_str());
    return list->refused > 0 ? reported : fine;
  }
  if (!sentences.empty() && !a.partly)
    throw Refusal(refused, sentences + "\nnothing is imported; --partly takes the other lines");
  if (!sentences.empty()) std::fprintf(stderr, "%s\n", sentences.c_str());
  const std::string to = a.to.empty() ? a.project : a.to;
  if (a.to.empty() && opened->access == Access::read_only)
    throw Refusal(refused,
                  fmt::format("{} is not changed, for that could lose something: {}", a.project, opened->remark));
  if (list->added + list->changed > 0 || !a.to.empty()) {
    const auto edited = rack_list_edit(*list).apply(design);
    if (!edited) throw Refusal(refused, edited.error());
    const Design written = with_underlays_named_from(*edited, a.project, to);
    SaveOptions options_of_save{.stamp = time_stamp(), .edit_count = opened->edit_count + 1};
    if (a.to.empty()) options_of_save.replaces = opened->stamp;
    if (auto saved = save_project(written, to, options_of_save); !saved)
      throw Refusal(refused, saved.error());
  }
  return list->refused > 0 ? reported : fine;
}

} // namespace

void add_import_racks_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<ImportRacksArguments>();
  CLI::App* command =
      program.add_subcommand("import-racks", "Racks of a list (CSV, tabs) or of a NetBox export into a project");
  command->add_option("PROJECT", a->project, "Project file, .hall or .hall.json")->required();
  command->add_option("FILE", a->file, "List of racks; its first line names the columns")->required();
  command->add_option("--hall", a->hall, "Hall of the lines that name none")->type_name("NAME");
  command->add_option("--to", a->to, "Write another project; without it PROJECT is changed, and a backup kept")
      ->type_name("PROJECT");
  command->add_flag("--dry-run", a->dry_run, "Only tell what would be new, changed or refused");
  command->add_flag("--partly", a->partly, "Take the good lines where others are refused");
  command->add_flag("--json", a->json, "Write the preview as JSON");
  add_catalog_arguments(*command, *a);
  command->footer("Columns: name, type, x, y, rotation, row, hall, feed A, feed B, loop; a unit stands in the header "
                  "(\"x [mm]\") or in the\n"
                  "cell. A NetBox file is known by its columns site and u_height. Rack types that the project does not "
                  "have are listed\n"
                  "and refused, never made up.\n"
                  "Examples:\n"
                  "  hallwright-cli import-racks hall.hall racks.tsv --dry-run\n"
                  "  hallwright-cli import-racks hall.hall netbox_racks.csv --to with_racks.hall");
  command->callback([a, &exit_code] { exit_code = import_racks(*a); });
}

} // namespace hallwright::cli
