// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct Arguments : ProjectArguments {
  std::string figure;
  int depth = -1;
};

/// Where the number comes from: the formula, the field, the part, the source.
std::string origin_text(const Figure& f) {
  switch (f.origin) {
  case Origin::design: return fmt::format("design field {}.{}{}", f.table, f.entity ? std::to_string(f.entity) + "." : "", f.field);
  case Origin::catalog: return fmt::format("catalog {} {}, {}{}; source: {}", f.table, f.part, f.field, f.overridden ? ", replaced in this design" : "", f.source);
  case Origin::choice: return fmt::format("constant of the method; source: {}", f.source);
  case Origin::counted: return fmt::format("counted: {}", f.source);
  case Origin::sum: return f.formula_text.empty() ? std::string("the sum of its inputs") : std::string(f.formula_text);
  case Origin::derived: break;
  }
  std::string out(f.formula_text);
  if (!f.formula.empty()) out = fmt::format("{}{}{}", f.formula, out.empty() ? "" : ": ", out);
  return f.source.empty() ? out : fmt::format("{}; source: {}", out, f.source);
}

std::string derivation_text(const std::vector<Derivation>& lines) {
  std::string out;
  for (const Derivation& line : lines) {
    const Figure& f = *line.figure;
    const std::string indent(static_cast<std::size_t>(line.depth) * 2, ' ');
    const std::string role = line.role.empty() ? std::string() : fmt::format("{} = ", line.role);
    out += fmt::format("{}{}{}  {}  [{}]\n", indent, role, f.label, full_text(f), f.id);
    if (line.opened_above) out += fmt::format("{}    (opened above)\n", indent);
    else if (const std::string origin = origin_text(f); !origin.empty()) out += fmt::format("{}    {}\n", indent, origin);
  }
  return out;
}

} // namespace

void add_explain_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("explain", "How a figure comes about, down to design fields and catalog rows");
  add_project_arguments(*command, *a);
  command->add_option("FIGURE", a->figure, "Id of the figure, as \"evaluate\" prints it")->required();
  command->add_option("--depth", a->depth, "Levels below the figure (default: all)")->type_name("N")->check(CLI::Range(0, 1000));
  command->footer("Examples:\n"
                  "  hallwright-cli explain hall.hall power.it\n"
                  "  hallwright-cli explain hall.hall budget.total --depth 2");
  command->callback([a, &exit_code] {
    const auto catalog = load_catalog();
    const Timed timed = evaluate_timed(load_design(*a), catalog);
    const Figures& figures = timed.evaluation.figures;
    print(derivation_text(derivation(figures, wanted_figure(figures, a->figure), a->depth)));
    exit_code = fine;
  });
}

} // namespace hallwright::cli
