// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ledger/figure.h"

namespace hallwright {

/// Adds columns to a table, each from one function of a row, so that a column stands beside what it shows.
template <class Row>
class TableColumns {
public:
  /// @param rows outlive this
  TableColumns(Table& table, const std::vector<Row>& rows) : table_(table), rows_(rows) {}
  /// @param of row to something a string is made of
  template <class F>
  TableColumn& words(std::string id, std::string label, F of) {
    TableColumn& column = table_.add_words(std::move(id), std::move(label));
    column.words.reserve(rows_.size());
    for (const Row& row : rows_)
      column.words.emplace_back(of(row));
    return column;
  }
  /// @param of row to a number in the base unit of `kind`, or to an optional one: not set is unknown
  template <class F>
  TableColumn& numbers(std::string id, std::string label, const Kind& kind, F of, std::string unit = {}) {
    TableColumn& column = table_.add_numbers(std::move(id), std::move(label), kind, std::move(unit));
    column.numbers.reserve(rows_.size());
    for (const Row& row : rows_)
      column.numbers.push_back(number(of(row)));
    return column;
  }

private:
  static double number(const std::optional<double>& v) { return v.value_or(std::numeric_limits<double>::quiet_NaN()); }
  template <class T>
  requires std::is_arithmetic_v<T>
  static double number(T v) { return static_cast<double>(v); }
  Table& table_;
  const std::vector<Row>& rows_;
};

} // namespace hallwright
