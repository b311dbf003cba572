// SPDX-License-Identifier: GPL-3.0-or-later
#include "ledger/figure.h"

#include <algorithm>
#include <cmath>

#include "ledger/carried_bounds.h"
#include "quantity/text.h"

namespace hallwright {

std::string_view completeness_word(Completeness c) {
  switch (c) {
  case Completeness::exact: return "exact";
  case Completeness::estimate: return "estimate";
  case Completeness::lower_bound: return "lower_bound";
  case Completeness::unknown:
  case Completeness::not_applicable: return "not_applicable";
  }
  return "not_applicable";
}

std::string_view status_word(Status s) {
  switch (s) {
  case Status::none: return "none";
  case Status::ok: return "ok";
  case Status::near_limit: return "near_limit";
  case Status::over_limit: return "over_limit";
  case Status::undecided: return "undecided";
  }
  return "none";
}

std::string_view page_word(Page page) {
  switch (page) {
  case Page::population: return "population";
  case Page::space: return "space";
  case Page::fabric: return "fabric";
  case Page::cabling: return "cabling";
  case Page::traffic: return "traffic";
  case Page::load: return "load";
  case Page::cooling: return "cooling";
  case Page::power: return "power";
  case Page::training: return "training";
  case Page::storage: return "storage";
  case Page::reliability: return "reliability";
  case Page::budget: return "budget";
  case Page::count_: break;
  }
  return "none";
}

std::string figure_text(const Figure& figure, int significant) {
  if (!figure.has_value() || figure.kind == nullptr || !std::isfinite(figure.value))
    return figure.reason.empty() ? std::string("not applicable") : "not applicable: " + figure.reason;
  const std::string text = format_quantity(figure.value, *figure.kind, {.significant = significant}).joined();
  if (figure.completeness == Completeness::lower_bound) return "at least " + text;
  if (rests_on_bound(figure)) return text + " (estimate from a lower bound)";
  if (figure.completeness == Completeness::estimate) return text + " (estimate)";
  return text;
}

std::size_t Table::row_count() const {
  std::size_t rows = entities.size();
  for (const TableColumn& c : columns) rows = std::max({rows, c.numbers.size(), c.words.size()});
  return rows;
}

TableColumn& Table::add_numbers(std::string column_id, std::string label, const Kind& kind, std::string unit) {
  TableColumn& c = columns.emplace_back();
  c.id = std::move(column_id);
  c.label = std::move(label);
  c.kind = &kind;
  c.unit = std::move(unit);
  return c;
}

TableColumn& Table::add_words(std::string column_id, std::string label) {
  TableColumn& c = columns.emplace_back();
  c.id = std::move(column_id);
  c.label = std::move(label);
  return c;
}

const TableColumn* Table::column(std::string_view column_id) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const TableColumn& c) { return c.id == column_id; });
  return found == columns.end() ? nullptr : &*found;
}

namespace {
bool same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}
bool same_column(const TableColumn& a, const TableColumn& b) {
  return a.id == b.id && a.label == b.label && a.kind == b.kind && a.unit == b.unit && same_numbers(a.numbers, b.numbers) &&
         a.words == b.words && a.formula == b.formula;
}
} // namespace

bool same_table(const Table& a, const Table& b) {
  return a.id == b.id && a.title == b.title && a.entity_table == b.entity_table && a.entities == b.entities &&
         a.row_figures == b.row_figures &&
         std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(), same_column);
}

} // namespace hallwright
