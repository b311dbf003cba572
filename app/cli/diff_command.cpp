// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "output.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct DiffArguments : CatalogArguments {
  std::string before, after;
  bool json = false;
};

/// A figure that the change moves; either side may be missing.
struct MovedFigure {
  std::string id;
  const Figure* before = nullptr;
  const Figure* after = nullptr;
};

bool same_number(const Figure& a, const Figure& b) {
  if (a.has_value() != b.has_value() || a.completeness != b.completeness || a.status != b.status) return false;
  return !a.has_value() || a.value == b.value;
}

/// Derived figures whose number, completeness or standing differ; leaves repeat the fields and are left out.
std::vector<MovedFigure> moved_figures(const Figures& before, const Figures& after) {
  std::vector<MovedFigure> out;
  std::set<std::string> seen;
  for (const Figure* now : after.all()) {
    if (now->is_leaf() || !seen.insert(now->id).second) continue;
    const Figure* old = before.find(now->id);
    if (!old || !same_number(*old, *now)) out.push_back({now->id, old, now});
  }
  for (const Figure* old : before.all())
    if (!old->is_leaf() && seen.insert(old->id).second) out.push_back({old->id, old, nullptr});
  return out;
}

const FieldInfo* field_info(const std::vector<FieldInfo>& fields, const std::string& name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldInfo& f) { return f.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::string value_text(const Difference& d, const FieldValue& value) {
  const auto fields = table_fields(d.entity.table);
  const FieldInfo* field = field_info(fields, d.field);
  const std::string text = field ? exact_field_text(*field, value) : std::string();
  return text.empty() ? std::string("(not set)") : text;
}

std::string path_of(const Difference& d) {
  std::string out = d.entity.table;
  if (d.entity.id) out += fmt::format(".{}", d.entity.id);
  return d.field.empty() ? out : out + "." + d.field;
}

std::string_view what_word(Difference::What what) {
  return what == Difference::What::added ? "added" : what == Difference::What::removed ? "removed" : "changed";
}

std::string figure_side(const Figure* figure) { return figure ? full_text(*figure) : std::string("(none)"); }

std::string diff_text(const std::vector<Difference>& fields, const std::vector<MovedFigure>& figures) {
  if (fields.empty() && figures.empty()) return "no differences\n";
  std::vector<std::vector<std::string>> rows;
  for (const Difference& d : fields) {
    const bool changed = d.what == Difference::What::changed;
    rows.push_back({std::string(what_word(d.what)), path_of(d), d.name, changed ? value_text(d, d.before) + " -> " + value_text(d, d.after) : std::string()});
  }
  std::string out = fmt::format("fields ({})\n{}", fields.size(), aligned(rows, "  "));
  rows.clear();
  for (const MovedFigure& m : figures)
    rows.push_back({m.id, (m.after ? m.after : m.before)->label, figure_side(m.before) + " -> " + figure_side(m.after)});
  return out + fmt::format("figures ({})\n{}", figures.size(), aligned(rows, "  "));
}

Json figure_side_json(const Figure* figure) {
  if (!figure) return nullptr;
  return Json{{"value", figure->has_value() ? number(figure->value) : Json(nullptr)},
              {"status", status_word(figure->status)},
              {"completeness", completeness_word(figure->completeness)},
              {"reason", figure->reason}};
}

Json diff_json(const std::vector<Difference>& fields, const std::vector<MovedFigure>& figures) {
  Json changes = Json::array(), moved = Json::array();
  for (const Difference& d : fields) {
    Json one = {{"what", what_word(d.what)}, {"path", path_of(d)}, {"name", d.name}};
    if (d.what == Difference::What::changed) {
      one["before"] = value_text(d, d.before);
      one["after"] = value_text(d, d.after);
    }
    changes.push_back(std::move(one));
  }
  for (const MovedFigure& m : figures)
    moved.push_back(Json{{"id", m.id},
                         {"unit", unit_of((m.after ? m.after : m.before)->kind)},
                         {"before", figure_side_json(m.before)},
                         {"after", figure_side_json(m.after)}});
  return Json{{"fields", std::move(changes)}, {"figures", std::move(moved)}};
}

} // namespace

void add_diff_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<DiffArguments>();
  CLI::App* command = program.add_subcommand("diff", "Differences of two designs: fields first, then the figures that they move");
  command->add_option("A", a->before, "Project before")->required();
  command->add_option("B", a->after, "Project after")->required();
  command->add_flag("--json", a->json, "Write JSON: fields, figures");
  add_catalog_arguments(*command, *a);
  command->footer("The exit code is 1 when the designs differ.\n"
                  "Example:\n"
                  "  hallwright-cli diff monday.hall friday.hall.json");
  command->callback([a, &exit_code] {
    const auto catalog = load_catalog(*a);
    const Design before = load_design(a->before), after = load_design(a->after);
    const auto fields = differences(before, after);
    const Evaluation old = evaluate_timed(before, catalog).evaluation;
    const Evaluation now = evaluate_timed(after, catalog).evaluation;
    const auto figures = moved_figures(old.figures, now.figures);
    if (a->json) print_json(diff_json(fields, figures));
    else print(diff_text(fields, figures));
    exit_code = fields.empty() && figures.empty() ? fine : reported;
  });
}

} // namespace hallwright::cli
