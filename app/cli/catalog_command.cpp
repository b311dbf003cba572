// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct CatalogQueryArguments : CatalogArguments {
  std::string kind, id;
  bool json = false;
};

void require_kind(const std::string& kind) {
  std::string known;
  for (const std::string_view word : part_kinds()) {
    if (word == kind) return;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  throw Refusal(wrong_use, fmt::format("\"{}\" is not a kind of part; there are {}", kind, known));
}

Json summary_json(const PartSummary& p) {
  return Json{{"id", p.id},         {"vendor", p.vendor}, {"name", p.name},   {"source", p.source}, {"as_of", p.as_of},
              {"confidence", p.confidence}, {"notes", p.notes},   {"from_user", p.from_user}};
}

void list_kinds(const Catalog& catalog, bool json) {
  Json out = Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const std::string_view word : part_kinds()) {
    const std::size_t count = part_summaries(catalog, word).size();
    out.push_back(Json{{"kind", word}, {"parts", count}});
    rows.push_back({std::string(word), std::to_string(count) + " parts"});
  }
  if (json) print_json(out);
  else print(aligned(rows));
}

void list(const CatalogQueryArguments& a) {
  if (!a.kind.empty()) require_kind(a.kind);
  const auto catalog = load_catalog(a);
  if (a.kind.empty()) return list_kinds(*catalog, a.json);
  Json out = Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const PartSummary& p : part_summaries(*catalog, a.kind)) {
    out.push_back(summary_json(p));
    rows.push_back({p.id, p.vendor, p.name, p.as_of, p.confidence});
  }
  if (a.json) print_json(out);
  else print(aligned(rows));
}

/// The value as JSON: a number in the base unit, a word, or null where it is unknown.
Json value_json(const PartFieldValue& v) {
  if (const auto* text = std::get_if<std::string>(&v.value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&v.value)) return *count;
  if (const auto* amount = std::get_if<double>(&v.value)) return number(*amount);
  if (const auto* yes = std::get_if<bool>(&v.value)) return *yes;
  return nullptr;
}

void show(const CatalogQueryArguments& a) {
  require_kind(a.kind);
  const auto catalog = load_catalog(a);
  const auto values = part_values(*catalog, a.kind, a.id);
  if (values.empty()) {
    std::vector<std::string> ids;
    for (const PartSummary& p : part_summaries(*catalog, a.kind)) ids.push_back(p.id);
    throw Refusal(wrong_use, fmt::format("the catalog has no {} \"{}\"; {}", a.kind, a.id, nearest_sentence(a.id, ids)));
  }
  Json out;
  out["kind"] = a.kind;
  std::vector<std::vector<std::string>> rows;
  for (const PartFieldValue& v : values) {
    const Json value = value_json(v);
    out[std::string(v.field.name)] = v.field.kind ? Json{{"value", value}, {"unit", unit_of(v.field.kind)}} : value;
    const std::string text = exact_field_text(v.field, v.value);
    rows.push_back({std::string(v.field.name), std::string(v.field.label), text.empty() ? "unknown" : text});
  }
  if (a.json) print_json(out);
  else print(aligned(rows));
}

} // namespace

void add_catalog_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<CatalogQueryArguments>();
  CLI::App* command = program.add_subcommand("catalog", "Parts of the catalog, with sources");
  command->require_subcommand(1);
  CLI::App* list_command = command->add_subcommand("list", "All parts of one kind; without a kind: the kinds");
  list_command->add_option("KIND", a->kind, "accelerator, node, rack, power, cooling, switch, optic, cable, storage, model, fluid, assumption");
  list_command->add_flag("--json", a->json, "Write JSON");
  add_catalog_arguments(*list_command, *a);
  list_command->callback([a, &exit_code] {
    list(*a);
    exit_code = fine;
  });
  CLI::App* show_command = command->add_subcommand("show", "One part, field by field");
  show_command->add_option("KIND", a->kind, "Kind of part")->required();
  show_command->add_option("ID", a->id, "Id of the part")->required();
  show_command->add_flag("--json", a->json, "Write JSON; amounts in base units");
  add_catalog_arguments(*show_command, *a);
  show_command->callback([a, &exit_code] {
    show(*a);
    exit_code = fine;
  });
  add_catalog_import_command(*command, exit_code);
  command->footer("Examples:\n"
                  "  hallwright-cli catalog list\n"
                  "  hallwright-cli catalog list node\n"
                  "  hallwright-cli catalog show node dgx-h100 --json\n"
                  "  hallwright-cli catalog import --dry-run device-types/Arista");
}

} // namespace hallwright::cli
