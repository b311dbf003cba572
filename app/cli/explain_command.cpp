// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct ExplainArguments : ProjectArguments {
  std::string figure;
  int depth = -1;
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

} // namespace

void add_explain_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<ExplainArguments>();
  CLI::App* command = program.add_subcommand("explain", "How a figure comes about, down to design fields and catalog rows");
  add_project_arguments(*command, *a);
  command->add_option("FIGURE", a->figure, "Id of the figure, as \"evaluate\" prints it")->required();
  command->add_option("--depth", a->depth, "Levels below the figure (default: all)")->type_name("N")->check(CLI::Range(0, 1000));
  command->footer("Examples:\n"
                  "  hallwright-cli explain hall.hall power.it\n"
                  "  hallwright-cli explain hall.hall budget.total --depth 2");
  command->callback([a, &exit_code] {
    const auto catalog = load_catalog(*a);
    const Timed timed = evaluate_timed(load_design(*a), catalog);
    const Figures& figures = timed.evaluation.figures;
    print(derivation_text(figures, derivation(figures, wanted_figure(figures, a->figure), a->depth)));
    exit_code = fine;
  });
}

} // namespace hallwright::cli
