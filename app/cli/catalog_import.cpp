// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "catalog/user_catalog.h"
#include "output.h"
#include "project/durable_file.h"
#include "project/netbox_device_type.h"
#include "project/part_import.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct Arguments : CatalogArguments {
  std::vector<std::string> files;
  std::string kind, folder;
  bool json = false, dry_run = false;
};

struct ReadType {
  std::string file;
  std::optional<NetboxType> type; ///< not set: `problem` says why
  std::string problem;
};

std::vector<ReadType> read_types(const std::vector<std::string>& paths) {
  const auto files = netbox_files(paths);
  if (!files) throw Refusal(refused, files.error());
  std::vector<ReadType> out;
  for (const std::string& file : *files) {
    ReadType read{file, std::nullopt, ""};
    const auto content = read_whole_file(file);
    if (!content)
      read.problem = fmt::format("{} cannot be read: {}", file, content.error());
    else if (auto type = read_netbox_type(*content, file))
      read.type = *std::move(type);
    else
      read.problem = type.error();
    out.push_back(std::move(read));
  }
  return out;
}

/// Tells what was refused; true when something was.
bool tell_problems(const std::vector<ReadType>& types) {
  bool any = false;
  for (const ReadType& t : types)
    if (!t.type) std::fprintf(stderr, "%s\n", t.problem.c_str()), any = true;
  return any;
}

template <class T>
Json known(const std::optional<T>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json type_json(const ReadType& read) {
  if (!read.type)
    return Json{{"file", read.file},
                {"manufacturer", nullptr},
                {"model", nullptr},
                {"u_height", nullptr},
                {"weight_kg", nullptr},
                {"power_ports", nullptr},
                {"sum_maximum_draw_w", nullptr},
                {"interfaces_total", nullptr},
                {"interfaces_400g_or_faster", nullptr},
                {"power_outlets", nullptr},
                {"module_bays", nullptr},
                {"device_bays", nullptr},
                {"warnings", Json::array({"refused: " + read.problem})}};
  const NetboxType& t = *read.type;
  Json warnings = Json::array();
  for (const std::string& w : t.warnings)
    warnings.push_back(w);
  return Json{{"file", read.file},
              {"manufacturer", t.manufacturer},
              {"model", t.model},
              {"u_height", known(t.u_height)},
              {"weight_kg", known(t.weight_kg)},
              {"power_ports", t.power_ports.size()},
              {"sum_maximum_draw_w", known(t.sum_maximum_draw_w())},
              {"interfaces_total", t.interfaces.size()},
              {"interfaces_400g_or_faster", t.interfaces_400g_or_faster()},
              {"power_outlets", t.power_outlets.size()},
              {"module_bays", t.module_bays.size()},
              {"device_bays", t.device_bays.size()},
              {"warnings", warnings}};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

std::string plan_text(const std::vector<PartImport>& imports) {
  std::string out;
  for (const PartImport& i : imports) {
    out += i.kind.empty()
               ? fmt::format("{}: {}: {}\n", i.file, outcome_word(i.outcome), i.reason)
               : fmt::format("{}: {}: {} {}{}\n", i.file, outcome_word(i.outcome), i.kind, i.id,
                             i.outcome == PartImport::Outcome::rejected ? ": " + i.reason
                                                                        : fmt::format(" ({}); {}", i.name, i.why_kind));
    std::vector<std::vector<std::string>> rows;
    for (const PartFieldChange& c : i.changes)
      rows.push_back({c.field, c.before.empty() ? c.after : fmt::format("{} -> {}", c.before, c.after)});
    out += aligned(rows, "  ");
    for (const std::string& r : i.rejected_fields)
      out += "  rejected: " + r + "\n";
    if (!i.still_needed.empty()) {
      out += "  still needed:";
      for (const std::string& f : i.still_needed)
        out += " " + f;
      out += "\n";
    }
    for (const std::string& w : i.warnings)
      out += "  warning: " + w + "\n";
  }
  return out;
}

int import_types(const Arguments& a) {
  const std::vector<ReadType> types = read_types(a.files);
  if (a.json) {
    Json out = Json::array();
    for (const ReadType& t : types)
      out.push_back(type_json(t));
    print_json(out);
    return tell_problems(types) ? refused : fine;
  }
  const std::string folder =
      !a.folder.empty() ? a.folder : user_catalog_folder(std::getenv("XDG_DATA_HOME"), std::getenv("HOME"));
  if (folder.empty())
    throw Refusal(wrong_use, "the folder of your own catalog cannot be told, for HOME is not set; name one with --to");
  const Shared<Catalog> shipped = load_catalog(CatalogArguments{.no_user_catalog = true});
  Catalog present = *shipped;
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) {
    const auto user = read_catalog_text(folder, &*shipped);
    if (!user) {
      std::string lines;
      for (const std::string& problem : user.error())
        lines += (lines.empty() ? "" : "\n") + folder + ": " + problem;
      throw Refusal(refused, lines);
    }
    present = layered(*shipped, *user);
  }

  std::vector<PartImport> imports;
  const std::string date = today();
  for (const ReadType& t : types) {
    if (!t.type) continue;
    imports.push_back(plan_part_import(*t.type, present, date, a.kind));
  }
  // Two files of one part: the later one would silently win.
  for (std::size_t i = 0; i < imports.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (imports[i].outcome != PartImport::Outcome::rejected && imports[k].outcome != PartImport::Outcome::rejected &&
          imports[i].kind == imports[k].kind && imports[i].id == imports[k].id) {
        imports[i].outcome = PartImport::Outcome::rejected;
        imports[i].reason = fmt::format("{} is the same part; one file a part is allowed", imports[k].file);
      }
  std::size_t counts[4] = {0, 0, 0, 0};
  for (const PartImport& i : imports)
    ++counts[static_cast<std::size_t>(i.outcome)];
  print(plan_text(imports));
  std::string end =
      fmt::format("{} new, {} changed, {} identical, {} rejected", counts[0], counts[1], counts[2], counts[3]);
  if (a.dry_run) {
    print(end + "; nothing is written (--dry-run)\n");
  } else {
    const auto written = write_part_imports(folder, *shipped, imports);
    if (!written) throw Refusal(refused, written.error());
    std::string names;
    for (const std::string& name : *written)
      names += (names.empty() ? "" : ", ") + name;
    print(end + (names.empty() ? "; nothing is written\n" : "; written: " + names + "\n"));
  }
  if (tell_problems(types)) return refused;
  return counts[3] > 0 ? reported : fine;
}

} // namespace

void add_catalog_import_command(CLI::App& catalog, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command =
      catalog.add_subcommand("import", "Device and rack types of NetBox (YAML) as parts of your own catalog");
  command->add_option("FILE", a->files, "YAML files, or folders that are walked for them")->required();
  command->add_flag("--dry-run", a->dry_run,
                    "Only tell what would be new, changed, identical or rejected, and what the engine still needs");
  command->add_flag("--json", a->json, "Only tell what the files say, as JSON; nothing is imported");
  command
      ->add_option("--kind", a->kind,
                   "Kind of part for all files: node, switch, rack, power, cooling; judged by their content without it")
      ->type_name("KIND");
  command->add_option("--to", a->folder, "Another folder than that of your own catalog")->type_name("DIR");
  command->footer("Supplies' ratings are never summed into a draw, and a missing draw stays unknown. A part is the "
                  "same when maker\n"
                  "and model agree; a changed part keeps the fields that the file does not state.\n"
                  "Exit codes: 1 when a part is rejected, 3 when a file is refused.\n"
                  "Examples:\n"
                  "  hallwright-cli catalog import --dry-run device-types/Arista\n"
                  "  hallwright-cli catalog import rack-types/APC/AR3357.yaml");
  command->callback([a, &exit_code] { exit_code = import_types(*a); });
}

} // namespace hallwright::cli
