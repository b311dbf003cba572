// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/formula_list.h"

#include <algorithm>
#include <iterator>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "budget/cost_formulas.h"
#include "budget/formulas.h"
#include "checks/letters_apart.h"
#include "cooling/climate_formulas.h"
#include "cooling/formulas.h"
#include "cooling/redundancy.h"
#include "fabric/fabric.h"
#include "fabric/formulas.h"
#include "load/formulas.h"
#include "load/shares.h"
#include "power/chain.h"
#include "power/circuit_formulas.h"
#include "power/formulas.h"
#include "quantity/text.h"
#include "reliability/formulas.h"
#include "reliability/operation_formulas.h"
#include "space/formulas.h"
#include "space/packing.h"
#include "space/population.h"
#include "space/space.h"
#include "storage/checkpoint_formulas.h"
#include "storage/formulas.h"
#include "training/formulas.h"
#include "training/model_formulas.h"

namespace hallwright {
namespace {

std::string unknown_formula(std::string_view name) {
  const auto& formulas = all_formulas();
  // Who asks for coolant_flow means coolant_volume_flow, though airflow is fewer letters away.
  const auto words_missing = [&](std::string_view candidate) {
    int missing = 0;
    for (std::size_t at = 0; at <= name.size();) {
      const std::size_t end = std::min(name.find('_', at), name.size());
      if (("_" + std::string(candidate) + "_").find("_" + std::string(name.substr(at, end - at)) + "_") == std::string::npos) ++missing;
      at = end + 1;
    }
    return missing;
  };
  const auto nearest = std::min_element(formulas.begin(), formulas.end(), [&](const auto& a, const auto& b) {
    return std::pair(words_missing(a.name), letters_apart(name, a.name)) < std::pair(words_missing(b.name), letters_apart(name, b.name));
  });
  return fmt::format("no formula is named \"{}\"; the nearest name is \"{}\"", name, nearest->name);
}

std::string parameter_text(const Parameter& p) {
  const bool pure = p.kind->base_symbol == "1";
  const std::string unit = pure ? std::string() : fmt::format(" in {}", p.kind->base_symbol);
  return fmt::format("{} ({}{}{})", p.name, p.list ? "list of " : "", p.kind->name, unit);
}

std::string parameter_list(const std::vector<Parameter>& parameters) {
  std::string out;
  for (const auto& p : parameters)
    out += (out.empty() ? "" : ", ") + parameter_text(p);
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// One amount of a parameter, or a sentence that names the parameter.
tl::expected<double, std::string> amount_of(const Parameter& parameter, std::string_view text) {
  auto value = parse_quantity(text, *parameter.kind);
  if (!value) return tl::make_unexpected(fmt::format("{}: {}", parameter.name, value.error()));
  if (!std::isfinite(*value))
    return tl::make_unexpected(fmt::format("{} must be a finite number; \"{}\" is not", parameter.name, text));
  if (parameter.kind->scale == Scale::count) {
    if (*value != std::round(*value))
      return tl::make_unexpected(
          fmt::format("{} must be a whole number, for it is a count; \"{}\" is not", parameter.name, text));
    if (std::abs(*value) > 9.0e18)
      return tl::make_unexpected(
          fmt::format("{} must be at most 9e18, the largest count held; \"{}\" is more", parameter.name, text));
  }
  return value;
}

tl::expected<std::vector<double>, std::string> amounts_of(const Parameter& parameter, std::string_view text) {
  std::vector<double> values;
  if (!parameter.list) {
    auto value = amount_of(parameter, trimmed(text));
    if (!value) return tl::make_unexpected(std::move(value.error()));
    values.push_back(*value);
    return values;
  }
  std::string_view rest = trimmed(text);
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string_view item = trimmed(rest.substr(0, comma));
    if (item.empty() || (comma != std::string_view::npos && comma + 1 == rest.size()))
      return tl::make_unexpected(
          fmt::format("{} must hold a value on both sides of each comma; it is \"{}\"", parameter.name, trimmed(text)));
    auto value = amount_of(parameter, item);
    if (!value) return tl::make_unexpected(std::move(value.error()));
    values.push_back(*value);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return values;
}

std::vector<AnyFormula> gathered() {
  std::vector<AnyFormula> all;
  for (auto* room :
       {&population_formulas, &space_formulas, &space_stage_formulas, &route_formulas, &packing_formulas, &fabric_formulas, &fabric_stage_formulas,
        &load_formulas, &load_share_formulas, &cooling_formulas, &cooling_redundancy_formulas, &climate_formulas, &power_formulas,
        &power_chain_formulas, &circuit_formulas, &training_formulas, &training_stage_formulas, &storage_formulas,
        &storage_stage_formulas, &reliability_formulas, &reliability_stage_formulas, &budget_formulas,
        &budget_stage_formulas}) {
    auto formulas = room();
    std::move(formulas.begin(), formulas.end(), std::back_inserter(all));
  }
  return all;
}

} // namespace

const std::vector<AnyFormula>& all_formulas() {
  static const std::vector<AnyFormula> all = gathered();
  return all;
}

const AnyFormula* find_formula(std::string_view name) {
  const auto& formulas = all_formulas();
  const auto found = std::find_if(formulas.begin(), formulas.end(), [&](const auto& f) { return f.name == name; });
  return found == formulas.end() ? nullptr : &*found;
}

tl::expected<CalcAnswer, std::string> calculate(std::string_view name,
                                                const std::vector<std::pair<std::string, std::string>>& arguments) {
  const AnyFormula* formula = find_formula(name);
  if (!formula) return tl::make_unexpected(unknown_formula(name));

  const auto& parameters = formula->parameters;
  std::vector<std::optional<std::string_view>> texts(parameters.size());
  for (const auto& [argument, text] : arguments) {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == argument; });
    if (found == parameters.end())
      return tl::make_unexpected(
          fmt::format("{} has no parameter \"{}\"; its parameters are {}", name, argument, parameter_list(parameters)));
    auto& slot = texts[static_cast<std::size_t>(found - parameters.begin())];
    if (slot)
      return tl::make_unexpected(
          fmt::format("{} is given twice, as \"{}\" and as \"{}\"; give it once", argument, *slot, text));
    slot = text;
  }

  std::vector<Parameter> missing;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!texts[i]) missing.push_back(parameters[i]);
  if (!missing.empty()) return tl::make_unexpected(fmt::format("{} also needs {}", name, parameter_list(missing)));

  std::vector<std::vector<double>> values;
  values.reserve(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto amounts = amounts_of(parameters[i], *texts[i]);
    if (!amounts) return tl::make_unexpected(std::move(amounts.error()));
    values.push_back(std::move(*amounts));
  }

  const auto result = formula->evaluate(values);
  if (!result) return tl::make_unexpected(fmt::format("{} is not applicable: {}", name, result.error().reason));
  return CalcAnswer{*result, formula->result_kind, formula};
}

} // namespace hallwright
