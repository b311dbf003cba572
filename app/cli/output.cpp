// SPDX-License-Identifier: GPL-3.0-or-later
#include "output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "checks/letters_apart.h"
#include "commands.h"
#include "ledger/carried_bounds.h"
#include "project/durable_file.h"
#include "quantity/table_number.h"
#include "quantity/text.h"

namespace hallwright::cli {
namespace {

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view origin_word(Origin origin) {
  switch (origin) {
  case Origin::derived: return "derived";
  case Origin::sum: return "sum";
  case Origin::counted: return "counted";
  case Origin::design: return "design";
  case Origin::catalog: return "catalog";
  case Origin::choice: return "choice";
  }
  return "derived";
}

} // namespace

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw Refusal(refused, "standard output cannot be written");
}

void write_answer(const std::string& file, std::string_view text, const std::vector<std::string>& read) {
  if (file == "-") return print(text);
  namespace fs = std::filesystem;
  std::error_code failed;
  for (const std::string& source : read)
    if (!source.empty() && fs::equivalent(source, file, failed) && !failed)
      throw Refusal(wrong_use, fmt::format("{} is what the command reads; name another file", file));
  fs::path real = file;
  if (fs::exists(real, failed)) {
    if (!fs::is_regular_file(real, failed)) throw Refusal(wrong_use, fmt::format("{} is not a file", file));
    real = fs::canonical(real, failed);
    if (failed) real = file;
  }
  if (auto written = replace_file(real, text); !written)
    throw Refusal(refused, fmt::format("{} is not written: {}", file, written.error()));
}

void print_json(const Json& json) { print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string unit_of(const Kind* kind) { return kind ? std::string(kind->base_symbol) : std::string("1"); }

Json figure_json(const Figures& figures, const Figure& figure) {
  Json out;
  const bool counted = figure.kind && figure.kind->scale == Scale::count && std::abs(figure.value) < 9.0e15;
  const bool known = figure.has_value() && std::isfinite(figure.value);
  if (!known) out["value"] = nullptr;
  else if (counted && figure.value == std::round(figure.value)) out["value"] = static_cast<std::int64_t>(figure.value);
  else out["value"] = figure.value;
  out["unit"] = unit_of(figure.kind);
  out["label"] = figure.label;
  out["status"] = status_word(figure.status);
  out["completeness"] = completeness_word(figure.completeness);
  out["reason"] = figure.reason;
  const Figure* limit = figures.at(figure.limit);
  if (limit) {
    out["limit"] = {{"id", limit->id},
                    {"value", limit->has_value() ? number(limit->value) : Json(nullptr)},
                    {"unit", unit_of(limit->kind)},
                    {"sense", figure.limit_sense == LimitSense::at_most ? "at_most" : "at_least"}};
  } else {
    out["limit"] = nullptr;
  }
  out["origin"] = origin_word(figure.origin);
  out["formula"] = figure.formula;
  out["formula_text"] = figure.formula_text;
  out["source"] = figure.source;
  Json inputs = Json::array();
  for (const FigureRef ref : figure.inputs)
    if (const Figure* input = figures.at(ref)) inputs.push_back(input->id);
  out["inputs"] = std::move(inputs);
  return out;
}

Json table_json(const Table& table) {
  Json columns = Json::array();
  for (const TableColumn& c : table.columns) {
    Json column = {{"id", c.id}, {"label", c.label}, {"unit", c.kind ? Json(c.kind->base_symbol) : Json(nullptr)}};
    Json values = Json::array();
    if (c.kind)
      for (const double v : c.numbers) values.push_back(number(v));
    else
      for (const std::string& w : c.words) values.push_back(w);
    column["values"] = std::move(values);
    columns.push_back(std::move(column));
  }
  Json out = {{"title", table.title}, {"rows", table.row_count()}, {"entity_table", table.entity_table}, {"entities", table.entities}};
  out["columns"] = std::move(columns);
  return out;
}

std::string full_text(double base_value, const Kind& kind) {
  QuantityText text = format_quantity(base_value, kind, {.significant = 0, .group = ""});
  const std::string_view readable = suited_unit(base_value, kind).symbol;
  if (text.unit != readable && std::isfinite(base_value)) {
    // No number of the unit that people read gives the very same bits: twelve digits of it do for reading.
    text = format_quantity(base_value, kind, {.significant = 12, .group = "", .unit = readable});
    if (text.number.find('.') != std::string::npos && text.number.find('e') == std::string::npos)
      text.number.erase(text.number.find_last_not_of('0') + 1);
    if (text.number.ends_with('.')) text.number.pop_back();
  }
  return text.unit.empty() ? text.number : text.number + " " + text.unit;
}

std::string full_text(const Figure& figure) {
  if (!figure.has_value() || figure.kind == nullptr || !std::isfinite(figure.value))
    return figure.reason.empty() ? std::string("not applicable") : "not applicable: " + figure.reason;
  const std::string text = full_text(figure.value, *figure.kind);
  if (figure.completeness == Completeness::lower_bound)
    return "at least " + text + (figure.reason.empty() ? std::string() : " (" + figure.reason + ")");
  if (rests_on_bound(figure)) return text + " (estimate; " + figure.reason + ")";
  if (figure.completeness == Completeness::estimate) return text + " (estimate)";
  return text;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (row.size() > widths.size()) widths.resize(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - characters(row[i]) + 2, ' ');
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  return out;
}

std::string csv_words(std::string_view text) {
  std::string safe;
  // A spreadsheet runs a cell that begins like this, also after blanks.
  const std::size_t first = text.find_first_not_of(' ');
  if (first != std::string_view::npos && std::string_view("=+-@\t\r\n").find(text[first]) != std::string_view::npos) safe = "'";
  safe += text;
  if (safe.find_first_of(",\"\n\r") == std::string::npos && (safe.empty() || (safe.front() != ' ' && safe.back() != ' '))) return safe;
  std::string out = "\"";
  for (const char c : safe) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string csv_of(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const TableColumn& c = table.columns[i];
    const bool pure = !c.kind || c.kind->base_symbol == "1";
    out += (i ? "," : "") + csv_words(c.label + (pure ? std::string() : " [" + std::string(c.kind->base_symbol) + "]"));
  }
  out += '\n';
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const TableColumn& c = table.columns[i];
      if (i) out += ',';
      if (!c.kind) out += r < c.words.size() ? csv_words(c.words[r]) : std::string();
      else if (r < c.numbers.size() && std::isfinite(c.numbers[r])) out += table_number(c.numbers[r]);
    }
    out += '\n';
  }
  return out;
}

std::string lines_of(const std::vector<std::string>& sentences, std::string_view front) {
  std::string out;
  for (const std::string& s : sentences)
    out += fmt::format("{}{}{}", out.empty() ? "" : "\n", front, s);
  return out;
}

std::string nearest_sentence(std::string_view word, const std::vector<std::string>& names) {
  const auto nearest = std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    return letters_apart(word, a) < letters_apart(word, b);
  });
  if (nearest == names.end()) return "there are no names to choose from";
  // Half of the letters changed is another word.
  if (letters_apart(word, *nearest) * 2 > std::max<std::size_t>(4, word.size() + 1)) return "no name is like it";
  return "the nearest name is \"" + *nearest + "\"";
}

} // namespace hallwright::cli
