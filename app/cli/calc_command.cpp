// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "evaluation/formula_list.h"
#include "output.h"
#include "quantity/text.h"
#include "quantity/unit_words.h"

namespace hallwright::cli {
namespace {

struct CalcArguments {
  std::string formula;
  std::vector<std::string> values;
  std::string unit;
  bool json = false, list = false;
};

std::vector<std::pair<std::string, std::string>> named_values(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Refusal(wrong_use, fmt::format("\"{}\" is not NAME=VALUE; write heat=120kW", text));
    out.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

/// The amount in the wanted unit. Refuses a unit of another kind.
double in_unit(double base, const Kind& kind, const std::string& unit) {
  if (unit == kind.base_symbol || (unit == "1" && kind.exponents == Exponents{})) return base;
  if (auto one = parse_quantity("1 " + unit, kind); !one) throw Refusal(wrong_use, fmt::format("--in {}: {}", unit, one.error()));
  const auto word = unit_expression(unit);
  if (!word) throw Refusal(wrong_use, fmt::format("--in {}: that is not a unit", unit));
  const double zero = kind.scale == Scale::point ? base_amount(0.0, *word, true) : 0.0;
  const double shown = (base - zero) * word->down / word->up;
  if (!std::isfinite(shown)) throw Refusal(wrong_use, fmt::format("--in {}: the result is too large for a number in this unit", unit));
  return shown;
}

std::string parameter_text(const Parameter& p) {
  const std::string unit = p.kind->base_symbol == "1" ? std::string() : fmt::format(" in {}", p.kind->base_symbol);
  return fmt::format("{} ({}{}{})", p.name, p.list ? "list of " : "", p.kind->name, unit);
}

Json list_json() {
  Json out = Json::array();
  for (const AnyFormula& f : all_formulas()) {
    Json parameters = Json::array();
    for (const Parameter& p : f.parameters)
      parameters.push_back(Json{{"name", p.name}, {"kind", p.kind->name}, {"unit", p.kind->base_symbol}, {"list", p.list}});
    out.push_back(Json{{"formula", f.name},
                       {"text", f.text},
                       {"source", f.source},
                       {"parameters", std::move(parameters)},
                       {"kind", f.result_kind->name},
                       {"unit", f.result_kind->base_symbol},
                       {"estimate", f.estimate}});
  }
  return out;
}

std::string list_text() {
  std::string out;
  for (const AnyFormula& f : all_formulas()) {
    out += fmt::format("{} = {}\n  gives {} in {}{}\n", f.name, f.text, f.result_kind->name, f.result_kind->base_symbol, f.estimate ? ", an estimate" : "");
    for (const Parameter& p : f.parameters) out += "  " + parameter_text(p) + "\n";
    out += fmt::format("  source: {}\n", f.source);
  }
  return out + fmt::format("{} formulas\n", all_formulas().size());
}

void calc(const CalcArguments& a) {
  if (a.list) {
    if (a.json) print_json(list_json());
    else print(list_text());
    return;
  }
  if (a.formula.empty()) throw Refusal(wrong_use, "name a formula, or use --list to see them all");
  const auto answer = calculate(a.formula, named_values(a.values));
  if (!answer) throw Refusal(wrong_use, answer.error());
  const Kind& kind = *answer->kind;
  if (a.json) {
    const double value = a.unit.empty() ? answer->value : in_unit(answer->value, kind, a.unit);
    print_json(Json{{"value", number(value)},
               {"unit", a.unit.empty() ? unit_of(&kind) : a.unit},
               {"formula", answer->formula->name},
               {"source", answer->formula->source}});
    return;
  }
  std::string text = full_text(answer->value, kind);
  if (!a.unit.empty()) text = exact_number(in_unit(answer->value, kind, a.unit)) + " " + a.unit;
  print(fmt::format("{}{}\n  {} = {}\n  source: {}\n", text, answer->formula->estimate ? " (estimate)" : "", answer->formula->name, answer->formula->text, answer->formula->source));
}

} // namespace

void add_calc_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<CalcArguments>();
  CLI::App* command = program.add_subcommand("calc", "One formula alone, with values that carry units");
  command->add_option("FORMULA", a->formula, "Name of the formula");
  command->add_option("VALUES", a->values, "NAME=VALUE for each parameter: heat=120kW; a list holds commas: rates=370GB/s,372GB/s")->type_name("NAME=VALUE");
  command->add_option("--in", a->unit, "Unit of the result (default: the formula's own)")->type_name("UNIT")->allow_extra_args(false);
  command->add_flag("--json", a->json, "Write JSON: value, unit, formula, source");
  command->add_flag("--list", a->list, "List every formula with its parameters, units and source");
  command->footer("Examples:\n"
                  "  hallwright-cli calc --list\n"
                  "  hallwright-cli calc coolant_volume_flow heat=120kW temperature_rise=10K density=998kg/m3 specific_heat=\"4182 J/(kg K)\" --in L/min");
  command->callback([a, &exit_code] {
    calc(*a);
    exit_code = fine;
  });
}

} // namespace hallwright::cli
