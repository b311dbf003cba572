// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project_input.h"
#include "quantity/text.h"
#include "study/sensitivity.h"

namespace hallwright::cli {
namespace {

struct ExplainArguments : ProjectArguments {
  std::string figure;
  int depth = -1;
  bool sensitivity = false, json = false;
};

/// Where the number comes from: the formula, the field, the part, the source.
std::string origin_text(const Figure& f) {
  switch (f.origin) {
  case Origin::design: return fmt::format("design field {}.{}{}", f.table, f.entity ? std::to_string(f.entity) + "." : "", f.field);
  case Origin::catalog: {
    // The source of most replaced values begins with these words already.
    constexpr std::string_view replaced = "replaced in this design";
    const bool told = f.source.starts_with(replaced);
    return fmt::format("catalog {} {}, {}; {}{}{}", f.table, f.part, f.field, f.overridden && !told ? std::string(replaced) + "; " : "",
                       told ? "" : "source: ", f.source);
  }
  case Origin::choice: return fmt::format("constant of the method; source: {}", f.source);
  case Origin::counted: return fmt::format("counted: {}", f.source);
  case Origin::sum: return f.formula_text.empty() ? std::string("the sum of its inputs") : std::string(f.formula_text);
  case Origin::derived: break;
  }
  std::string out(f.formula_text);
  if (!f.formula.empty()) out = fmt::format("{}{}{}", f.formula, out.empty() ? "" : ": ", out);
  return f.source.empty() ? out : fmt::format("{}; source: {}", out, f.source);
}

/// What was remarked on this very figure: how it is meant, what stands in for what. Not what its inputs hand on.
std::string_view own_remark(const Figures& figures, const Figure& f) {
  if (!f.has_value() || f.completeness == Completeness::lower_bound) return {}; // the value's text has told it
  for (const FigureRef ref : f.inputs)
    if (const Figure* input = figures.at(ref); input && input->reason == f.reason) return {};
  return f.reason;
}

std::string derivation_text(const Figures& figures, const std::vector<Derivation>& lines) {
  std::string out;
  for (const Derivation& line : lines) {
    const Figure& f = *line.figure;
    const std::string indent(static_cast<std::size_t>(line.depth) * 2, ' ');
    const std::string role = line.role.empty() ? std::string() : fmt::format("{} = ", line.role);
    out += fmt::format("{}{}{}  {}  [{}]\n", indent, role, f.label, full_text(f), f.id);
    if (line.opened_above) out += fmt::format("{}    (opened above)\n", indent);
    else if (const std::string origin = origin_text(f); !origin.empty()) out += fmt::format("{}    {}\n", indent, origin);
    if (const auto remark = own_remark(figures, f); !remark.empty() && !line.opened_above) out += fmt::format("{}    remark: {}\n", indent, remark);
  }
  return out;
}

/// "+1.2 MW": a change with its sign, of shares in percentage points.
std::string change_text(double change, const Kind* kind) {
  const char* sign = change < 0.0 ? "-" : change > 0.0 ? "+" : "";
  if (!kind) return fmt::format("{}{:.3g}", sign, std::abs(change));
  if (kind->scale == Scale::percent) return fmt::format("{}{:.3g} pp", sign, 100.0 * std::abs(change));
  if (kind->scale == Scale::point) return fmt::format("{}{:.3g} K", sign, std::abs(change));
  return sign + format_quantity(std::abs(change), *kind, {.group = ""}).joined();
}
std::string amount_text(double value, const Kind* kind) {
  return kind ? format_quantity(value, *kind, {.group = ""}).joined() : fmt::format("{:.3g}", value);
}

std::string sensitivity_text(const Sensitivity& s) {
  std::string out = fmt::format("{}  {}  [{}]\n{}.\n", s.label, amount_text(s.value, s.kind), s.figure, s.sentence);
  if (!s.rows.empty()) {
    std::vector<std::vector<std::string>> rows{{"input", "now", "moved by", "less of it", "more of it", "elasticity", "where"}};
    const auto side = [&](const SensitivityMove& m) {
      return m.figure ? change_text(*m.figure - s.value, s.kind) : std::string("left out");
    };
    for (const SensitivityRow& r : s.rows)
      rows.push_back({r.label, amount_text(r.value, r.kind), r.step, side(r.low), side(r.high),
                      r.elasticity ? fmt::format("{:.3g}", *r.elasticity) : std::string("none"), r.leaf});
    out += "\n" + aligned(rows);
  }
  out += fmt::format("\n{} inputs moved, each alone; {} of them change nothing; {} at 0 and {} farther away were not tried.\n", s.tried,
                     s.still, s.at_zero, s.beyond);
  for (const std::string& line : s.left_out) out += fmt::format("Left out: {}.\n", line);
  return out;
}

Json sensitivity_json(const Sensitivity& s) {
  Json rows = Json::array();
  const auto side = [](const SensitivityMove& m) {
    Json out{{"input", m.input ? number(*m.input) : Json()}, {"figure", m.figure ? number(*m.figure) : Json()}};
    if (!m.trouble.empty()) out["reason"] = m.trouble;
    return out;
  };
  for (const SensitivityRow& r : s.rows) {
    Json row{{"input", r.leaf}, {"label", r.label}, {"origin", r.origin == Origin::design ? "design" : "catalog"}};
    if (r.origin == Origin::design) row["table"] = r.entity.table, row["id"] = r.entity.id;
    else row["part_kind"] = r.part_kind, row["part"] = r.part;
    row["field"] = r.field;
    row["unit"] = unit_of(r.kind);
    row["value"] = number(r.value);
    row["moved_by"] = r.step;
    row["low"] = side(r.low);
    row["high"] = side(r.high);
    row["change"] = number(r.change);
    row["elasticity"] = r.elasticity ? number(*r.elasticity) : Json();
    rows.push_back(std::move(row));
  }
  return Json{{"figure", s.figure}, {"label", s.label}, {"unit", unit_of(s.kind)}, {"value", number(s.value)}, {"rows", rows},
              {"tried", s.tried}, {"still", s.still}, {"at_zero", s.at_zero}, {"not_tried", s.beyond}, {"left_out", s.left_out},
              {"what", s.sentence}};
}

} // namespace

void add_explain_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<ExplainArguments>();
  CLI::App* command = program.add_subcommand("explain", "How a figure comes about, down to design fields and catalog rows");
  add_project_arguments(*command, *a);
  command->add_option("FIGURE", a->figure, "Id of the figure, as \"evaluate\" prints it")->required();
  command->add_option("--depth", a->depth, "Levels below the figure (default: all)")->type_name("N")->check(CLI::Range(0, 1000));
  auto* sensitivity =
      command->add_flag("--sensitivity", a->sensitivity,
                        "What moves the figure most: each input 10 % down and up, counts a step, temperatures 1 K, one at a time");
  command->get_option("--depth")->excludes(sensitivity);
  command->add_flag("--json", a->json, "Write the sensitivity as JSON: base units")->needs(sensitivity);
  command->footer("Examples:\n"
                  "  hallwright-cli explain hall.hall power.it\n"
                  "  hallwright-cli explain hall.hall budget.total --depth 2\n"
                  "  hallwright-cli explain hall.hall budget.total --sensitivity");
  command->callback([a, &exit_code] {
    const auto catalog = load_catalog(*a);
    const Timed timed = evaluate_timed(load_design(*a), catalog);
    const Figures& figures = timed.evaluation.figures;
    exit_code = fine;
    if (a->sensitivity) {
      const auto answer = figure_sensitivity(timed.evaluation, {.figure = wanted_figure(figures, a->figure).id});
      if (!answer) throw Refusal(refused, answer.error());
      if (a->json) print_json(sensitivity_json(*answer));
      else print(sensitivity_text(*answer));
      return;
    }
    print(derivation_text(figures, derivation(figures, wanted_figure(figures, a->figure), a->depth)));
  });
}

} // namespace hallwright::cli
