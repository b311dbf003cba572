// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <memory>

#include <fmt/format.h>

#include "finding_output.h"
#include "output.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct EvaluateArguments : ProjectArguments {
  std::vector<std::string> figures;
  bool json = false, tables = false, all = false;
};

Json evaluation_json(const EvaluateArguments& arguments, const Timed& timed) {
  const Figures& figures = timed.evaluation.figures;
  Json shown = Json::object();
  if (arguments.figures.empty()) {
    for (const Figure* f : figures.all())
      if (!shown.contains(f->id)) shown[f->id] = figure_json(figures, *f);
  }
  for (const std::string& id : arguments.figures) shown[id] = figure_json(figures, wanted_figure(figures, id));
  Json out;
  out["figures"] = std::move(shown);
  out["checks"] = findings_json(timed.evaluation.findings);
  if (arguments.tables) {
    Json tables = Json::object();
    for (const Table* t : figures.tables()) tables[t->id] = table_json(*t);
    out["tables"] = std::move(tables);
  }
  out["problems"] = timed.evaluation.override_problems;
  out["elapsed_ms"] = timed.elapsed_ms;
  return out;
}

std::vector<std::string> figure_row(const Figures& figures, const Figure& figure) {
  std::string standing;
  if (const Figure* limit = figures.at(figure.limit))
    standing = fmt::format("{}: {} {}", status_word(figure.status), figure.limit_sense == LimitSense::at_most ? "at most" : "at least", full_text(*limit));
  return {figure.id, figure.label, full_text(figure), standing};
}

std::string table_text(const Table& table) {
  std::vector<std::vector<std::string>> rows(1);
  for (const TableColumn& c : table.columns) rows[0].push_back(c.label);
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    auto& row = rows.emplace_back();
    for (const TableColumn& c : table.columns) {
      if (!c.kind) row.push_back(r < c.words.size() ? c.words[r] : std::string());
      else row.push_back(r < c.numbers.size() && std::isfinite(c.numbers[r]) ? full_text(c.numbers[r], *c.kind) : std::string());
    }
  }
  return table.title + " (" + table.id + ")\n" + aligned(rows, "  ");
}

std::string evaluation_text(const EvaluateArguments& arguments, const Timed& timed) {
  const Figures& figures = timed.evaluation.figures;
  std::string out;
  std::vector<std::vector<std::string>> rows;
  for (const std::string& id : arguments.figures) rows.push_back(figure_row(figures, wanted_figure(figures, id)));
  if (!arguments.figures.empty()) return aligned(rows);

  for (std::size_t p = 0; p < page_count; ++p) {
    const SharedPage& page = figures.page(static_cast<Page>(p));
    if (!page) continue;
    rows.clear();
    for (const Figure& f : page->figures)
      if (arguments.all || !f.is_leaf()) rows.push_back(figure_row(figures, f));
    if (!rows.empty()) out += fmt::format("{}\n{}\n", page_word(static_cast<Page>(p)), aligned(rows, "  "));
  }
  if (arguments.tables)
    for (const Table* t : figures.tables()) out += table_text(*t) + "\n";
  out += findings_text(timed.evaluation.findings, {});
  return out + fmt::format("\nevaluated in {:.3f} ms\n", timed.elapsed_ms);
}

} // namespace

void add_evaluate_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<EvaluateArguments>();
  CLI::App* command = program.add_subcommand("evaluate", "All figures and checks of a project");
  add_project_arguments(*command, *a);
  command->add_option("--figure", a->figures, "Only this figure, by id; repeatable")->type_name("ID")->allow_extra_args(false);
  command->add_flag("--json", a->json, "Write JSON: figures, checks, problems, elapsed_ms; values in base units");
  command->add_flag("--tables", a->tables, "Also every table, row by row");
  command->add_flag("--all", a->all, "Text: also the design fields and catalog values that the figures rest on");
  command->footer("Examples:\n"
                  "  hallwright-cli evaluate hall.hall\n"
                  "  hallwright-cli evaluate hall.hall --figure power.it --figure power.pue\n"
                  "  hallwright-cli evaluate hall.hall.json --set site.utility_power=20MW --json\n"
                  "  hallwright-cli evaluate hall.hall --scenario \"Warm water\"\n"
                  "The exit code is 0 whatever the checks find; \"check\" tells by its exit code.");
  command->callback([a, &exit_code] {
    const auto catalog = load_catalog(*a);
    const Timed timed = evaluate_timed(load_design(*a), catalog);
    if (a->json) print_json(evaluation_json(*a, timed));
    else print(evaluation_text(*a, timed));
    exit_code = fine;
  });
}

} // namespace hallwright::cli
