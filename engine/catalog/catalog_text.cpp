// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/catalog.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "catalog/catalog_cell.h"
#include "catalog/climate_lists.h"
#include "catalog/csv.h"
#include "catalog/utf8.h"

namespace hallwright {
namespace {

/// Columns that the text catalog keeps for readers and the engine does not use yet, by file.
const std::map<std::string_view, std::set<std::string_view>>& columns_kept_as_text() {
  static const std::map<std::string_view, std::set<std::string_view>> kept{
      {"accelerators", {"status", "launch_year", "memory_type", "int8_tops_dense", "fp6_tflops_dense", "power_term", "power_low_w", "power_high_w",
                        "power_community_estimate_w", "scaleup_link", "price_source", "price_as_of", "upstream_cited", "launch_source"}},
      {"nodes", {"unit_kind", "psu_count", "psu_rating_w", "psu_redundancy", "power_inlet", "coolant_pressure_drop_kpa", "airflow_cfm", "inlet_air_min_c",
                 "nic_oob_gbit_s", "cpu_sockets", "cpu_cores", "nvme_boot_tb", "noise_dba", "price_source", "upstream_cited"}},
      {"racks", {"unit_kind", "mounting_depth_mm", "power_feed", "coolant_max_pressure_kpa", "inlet_air_min_c", "power_shelves", "shelf_kw", "upstream_cited"}},
      {"power_equipment", {"redundant_rating_kw", "modules", "module_kw", "efficiency_peak_pct", "hold_up_s", "height_ou", "outlets_c13", "outlets_c19",
                           "outlets_combo", "upstream_cited"}},
      {"cooling_equipment", {"capacity_kw_alt", "approach_k_alt", "pumps", "rack_units", "secondary_min_c", "secondary_max_c", "evaporator_leaving_c",
                             "condenser_leaving_c", "condenser_flow_l_min", "air_in_c", "coolant_in_c", "coolant_out_c", "upstream_cited"}},
      {"storage_systems", {"read_iops_m", "write_iops_m", "drives", "upstream_cited"}},
      {"models", {"derived_params_total_b", "derived_params_active_b", "architecture_source", "params_source", "tokens_source"}},
      {"switches", {"upstream_cited"}},
      {"optics", {}},
      {"cables", {}},
      {"fluids", {"conductivity_w_m_k"}},
      {"climates", {}},
      {"assumptions", {}}};
  return kept;
}

constexpr double largest_count = 9007199254740992.0; // 2^53: every whole number up to here is exact

bool good_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_'; });
}

/// A year, a month or a day: "2026", "2026-05", "2026-05-31".
bool good_date(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  return true;
}

/// "'a', 'b' or 'c'".
std::string quoted_list(const std::vector<std::string_view>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return out;
}

template <class P>
void read_kind(const std::string& folder, const Catalog* beneath, Catalog& catalog, std::vector<std::string>& problems) {
  const std::string file = std::string(part_file<P>()) + ".csv";
  std::error_code unreadable;
  const auto status = std::filesystem::status(folder + "/" + file, unreadable);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) { // a pipe would be waited for
    problems.push_back(fmt::format("{} in {} is not a regular file", file, folder));
    return;
  }
  std::ifstream in(folder + "/" + file, std::ios::binary);
  if (!in) {
    if (!beneath) problems.push_back(fmt::format("{} is missing in {}", file, folder));
    return; // a user's catalog holds only the kinds that it changes
  }
  std::ostringstream all;
  all << in.rdbuf();
  const std::string text = all.str();
  if (const int line = line_of_bad_utf8(text); line > 0) {
    problems.push_back(fmt::format("{}, line {}: the text is not UTF-8; save the file as UTF-8", file, line));
    return;
  }
  auto records = read_csv(text);
  if (!records) {
    problems.push_back(file + ", " + records.error());
    return;
  }
  if (records->empty()) {
    problems.push_back(file + ": there is no header line");
    return;
  }
  const auto& header = records->front().cells;
  const auto& fields = part_fields<P>();
  std::vector<const Field<P>*> columns;
  std::set<std::string> seen_columns;
  for (const std::string& name : header) {
    auto it = std::find_if(fields.begin(), fields.end(), [&](const Field<P>& f) { return f.name == name; });
    columns.push_back(it == fields.end() ? nullptr : &*it);
    if (!seen_columns.insert(name).second) problems.push_back(fmt::format("{}, line 1: column '{}' stands twice", file, name));
    if (it == fields.end() && columns_kept_as_text().at(part_file<P>()).count(name) == 0) {
      std::vector<std::string_view> meant;
      for (const Field<P>& f : fields)
        if (f.name.starts_with(name + "_")) meant.push_back(f.name);
      problems.push_back(fmt::format("{}, line 1: column '{}' is not known{}", file, name,
                                     meant.empty() ? "" : "; a number names its unit: write " + quoted_list(meant)));
    }
  }
  for (std::string_view required : {"id", "name", "source", "as_of"})
    if (seen_columns.count(std::string(required)) == 0) problems.push_back(fmt::format("{}, line 1: the column '{}' is missing", file, required));
  auto& parts = catalog.of<P>();
  std::map<std::string, std::size_t> line_of_id;
  for (std::size_t r = 1; r < records->size(); ++r) {
    const CsvRecord& record = (*records)[r];
    auto complain = [&](std::string_view column, std::string_view value, std::string_view what) {
      problems.push_back(fmt::format("{}, line {}, column '{}': '{}' {}", file, record.line, column, value, what));
    };
    if (record.cells.size() != header.size()) {
      problems.push_back(fmt::format("{}, line {}: {} cells where the header has {}", file, record.line, record.cells.size(), header.size()));
      continue;
    }
    P part;
    std::set<std::string_view> refused;
    for (std::size_t c = 0; c < header.size(); ++c) {
      const std::string& cell = record.cells[c];
      if (!columns[c] || cell.empty()) continue;
      auto value = catalog_value(*columns[c], cell);
      if (!value) {
        complain(header[c], cell, value.error());
        refused.insert(header[c]);
        continue;
      }
      columns[c]->set(part, *value);
    }
    for (const auto& [name, written] : {std::pair<std::string_view, const std::string*>{"id", &part.id}, {"name", &part.name}, {"source", &part.source}, {"as_of", &part.as_of}})
      if (written->empty() && refused.count(name) == 0 && seen_columns.count(std::string(name)) > 0) complain(name, "", "is empty; every row needs it");
    if (!part.id.empty()) {
      if (!good_id(part.id)) complain("id", part.id, "may hold only a to z, 0 to 9, '-', '.' and '_'");
      if (const auto [first, fresh] = line_of_id.emplace(part.id, record.line); !fresh)
        complain("id", part.id, fmt::format("stands in line {} already; an id is used once in a file", first->second));
    }
    if (!part.as_of.empty() && !good_date(part.as_of)) complain("as_of", part.as_of, "is not a date; write a year, such as 2026, or 2026-05-31");
    if constexpr (std::is_same_v<P, NodePart>) { // accelerators are read before nodes
      if (!part.accelerator.empty() && !catalog.find<Accelerator>(part.accelerator) && !(beneath && beneath->find<Accelerator>(part.accelerator)))
        complain("accelerator", part.accelerator, "is not the id of a row of accelerators.csv");
    }
    if constexpr (std::is_same_v<P, ClimatePart>) {
      if (auto lists = monthly_climate(part); !lists)
        for (const ClimateListProblem& p : lists.error()) complain(p.column, p.cell, p.what);
    }
    parts.push_back(std::move(part));
  }
  std::sort(parts.begin(), parts.end(), [](const P& a, const P& b) { return a.id < b.id; });
}

/// The unit of the number that stands in a cell of this field; a unit that its kind does not have is a mistake in the
/// field list, not in the text.
const DisplayUnit& unit_of(const FieldInfo& field) {
  static constexpr DisplayUnit plain{"", 1.0};
  if (field.unit.empty() || !field.kind) return plain;
  for (const DisplayUnit& u : field.kind->display)
    if (u.symbol == field.unit) return u;
  throw std::logic_error(fmt::format("field {} is in '{}', which is not a unit of its kind", field.name, field.unit));
}

/// A percent as a share. The decimal exponent is moved, as where a percent is typed, so that 97.4 is 0.974 to the last bit.
double hundredth(double percent) {
  char digits[40];
  const auto written = std::to_chars(digits, digits + sizeof digits, percent, std::chars_format::scientific);
  const std::string_view text(digits, static_cast<std::size_t>(written.ptr - digits));
  const std::size_t e = text.find('e');
  const char* sign = text.data() + e + 1;
  int exponent = 0;
  std::from_chars(*sign == '+' ? sign + 1 : sign, written.ptr, exponent);
  const std::string shifted = fmt::format("{}e{}", text.substr(0, e), exponent - 2);
  double share = 0.0;
  std::from_chars(shifted.data(), shifted.data() + shifted.size(), share);
  return share;
}

/// The end of the sentence that `check_field` refuses with, without label and value.
std::string allowed_after(const FieldInfo& field, const std::string& refusal) {
  if (const auto at = refusal.find("is out of range"); at != std::string::npos) return refusal.substr(at);
  const std::string_view label = field.label.empty() ? field.name : field.label;
  return "is refused: " + refusal.substr(std::min(refusal.size(), label.size() + 2));
}

} // namespace

double catalog_base_value(const FieldInfo& field, double number) {
  const DisplayUnit& u = unit_of(field);
  if (u.symbol == "%") return hundredth(number);
  // Dividing by 1000 rounds once; multiplying by 0.001, which is not exact itself, would round twice.
  return u.factor < 1.0 && u.offset == 0.0 ? number / (1.0 / u.factor) : number * u.factor + u.offset;
}

double catalog_cell_number(const FieldInfo& field, double base) {
  const DisplayUnit& u = unit_of(field);
  const double near = u.factor < 1.0 && u.offset == 0.0 ? base * (1.0 / u.factor) : (base - u.offset) / u.factor;
  for (int digits = 1; digits <= 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", near, digits);
    double number = near;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (catalog_base_value(field, number) == base) return number;
  }
  return near;
}

tl::expected<FieldValue, std::string> catalog_value(const FieldInfo& field, std::string_view cell) {
  FieldValue value;
  if (field.type == FieldType::number || field.type == FieldType::count) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(number))
      return tl::make_unexpected(std::string("is not a number; write digits with a point, the unit stands in the header"));
    if (field.type == FieldType::count) {
      if (number != std::floor(number)) return tl::make_unexpected(std::string("is not a whole number; this column counts things"));
      if (std::abs(number) > largest_count) return tl::make_unexpected(fmt::format("is too large; at most {:.0f} is allowed", largest_count));
      value = static_cast<std::int64_t>(number);
    } else {
      const double base = catalog_base_value(field, number);
      if (field.kind && field.kind->scale == Scale::point && base < 0.0)
        return tl::make_unexpected(fmt::format("is below absolute zero; at least {} {} is allowed", -unit_of(field).offset, field.unit));
      value = base;
    }
  } else {
    value = std::string(cell);
  }
  if (auto allowed = check_field(field, value); !allowed) return tl::make_unexpected(allowed_after(field, allowed.error()));
  return value;
}

tl::expected<Catalog, std::vector<std::string>> read_catalog_text(const std::string& folder, const Catalog* beneath) {
  std::vector<std::string> problems;
  std::error_code error;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".csv") files.push_back(entry->path().filename().string());
  if (error) {
    problems.push_back(fmt::format("{} cannot be read as a folder: {}", folder, error.message()));
    return tl::make_unexpected(std::move(problems));
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> known_files;
  for_each_part_type([&]<class P>(std::type_identity<P>) { known_files.push_back(std::string(part_file<P>()) + ".csv"); });
  for (const std::string& file : files)
    if (std::find(known_files.begin(), known_files.end(), file) == known_files.end())
      problems.push_back(fmt::format("{} is not a file of the catalog; write {}", file, quoted_list({known_files.begin(), known_files.end()})));
  Catalog catalog;
  for_each_part_type([&]<class P>(std::type_identity<P>) { read_kind<P>(folder, beneath, catalog, problems); });
  std::size_t count = 0;
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    count += catalog.of<P>().size();
    for (const P& part : catalog.of<P>()) catalog.date = std::max(catalog.date, part.as_of);
  });
  if (problems.empty() && count == 0) problems.push_back("no part is found in " + folder + "; a text catalog holds files such as nodes.csv");
  if (!problems.empty()) return tl::make_unexpected(std::move(problems));
  return catalog;
}

} // namespace hallwright
