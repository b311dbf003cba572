// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "quantity/kind_of.h"

/// Formulas as values: named, sourced, testable alone, listed by `calc --list`.
namespace hallwright {

/// What a formula answers when its inputs leave nothing to compute: one sentence.
struct NotApplicable {
  std::string reason;
};
template <class T>
using Result = tl::expected<T, NotApplicable>;
inline tl::unexpected<NotApplicable> not_applicable(std::string reason) {
  return tl::make_unexpected(NotApplicable{std::move(reason)});
}

/// One parameter: its name and the kind of its amount. `list` parameters take several amounts.
struct Parameter {
  std::string_view name;
  const Kind* kind = nullptr;
  bool list = false;
};

/// Says how a result moves with its inputs, so that "at least" is carried honestly.
enum class Monotone : std::uint8_t {
  increasing, ///< more input, not less result: a lower bound stays one
  mixed       ///< otherwise: a lower bound in becomes an estimate out
};

/// A formula whose C++ types are known: what stages apply through the ledger.
///
///     inline constexpr Formula coolant_volume_flow{"coolant_volume_flow", "heat / (...)", "energy balance",
///         std::array<std::string_view, 2>{"heat", "temperature_rise"}, &coolant_volume_flow_of};
template <class R, class... A>
struct Formula {
  std::string_view name;
  std::string_view text;
  std::string_view source;
  std::array<std::string_view, sizeof...(A)> parameters;
  Result<R> (*function)(A...);
  bool estimate = false; ///< first-order: every figure made by it says "estimate"
  Monotone monotone = Monotone::increasing;
  const Kind* result_kind = &KindOf<R>::value; ///< narrower kind of the result (percent, network_rate, memory)
};

/// The same with types erased: amounts in base units. What `calc` and the formula worksheet use.
struct AnyFormula {
  std::string_view name, text, source;
  std::vector<Parameter> parameters;
  const Kind* result_kind = nullptr;
  bool estimate = false;
  std::function<Result<double>(std::span<const std::vector<double>>)> evaluate; ///< one vector a parameter
};

/// Erases the types of a formula. `kinds`, where given, name narrower kinds of the parameters.
template <class R, class... A>
AnyFormula any(const Formula<R, A...>& f, std::initializer_list<const Kind*> kinds = {});

} // namespace hallwright

#include "ledger/formula_erasure.h"
