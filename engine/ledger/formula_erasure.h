// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <utility>

// The second half of `ledger/formula.h`, which includes it at its end; never included alone.

namespace hallwright {

template <class T>
struct ParameterType {
  using element = T;
  static constexpr bool list = false;
  static T from(const std::vector<double>& v) { return from_base_value<T>(v.at(0)); }
};
template <class T>
struct ParameterType<const std::vector<T>&> {
  using element = T;
  static constexpr bool list = true;
  static std::vector<T> from(const std::vector<double>& v) {
    std::vector<T> out;
    out.reserve(v.size());
    for (double x : v) out.push_back(from_base_value<T>(x));
    return out;
  }
};

template <class R, class... A>
AnyFormula any(const Formula<R, A...>& f, std::initializer_list<const Kind*> kinds) {
  AnyFormula out;
  out.name = f.name;
  out.text = f.text;
  out.source = f.source;
  out.estimate = f.estimate;
  out.result_kind = f.result_kind;
  std::vector<const Kind*> narrow(kinds);
  std::size_t i = 0;
  (
      [&] {
        const Kind* k = i < narrow.size() && narrow[i] ? narrow[i] : &KindOf<typename ParameterType<A>::element>::value;
        out.parameters.push_back({f.parameters[i], k, ParameterType<A>::list});
        ++i;
      }(),
      ...);
  auto function = f.function;
  out.evaluate = [function](std::span<const std::vector<double>> v) -> Result<double> {
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> Result<double> {
      auto r = function(ParameterType<A>::from(v[I])...);
      if (!r) return tl::make_unexpected(r.error());
      const double value = base_value(*r);
      if (!std::isfinite(value)) return not_applicable("the result is not a finite number for these inputs");
      return value;
    }(std::index_sequence_for<A...>{});
  };
  return out;
}

} // namespace hallwright
