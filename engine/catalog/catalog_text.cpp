// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/catalog.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "catalog/csv.h"
#include "catalog/catalog_cell.h"

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
      {"models", {"derived_params_total_b", "derived_params_active_b", "architecture_source", "params_source", "tokens_source", "upstream_cited"}},
      {"switches", {"upstream_cited"}},
      {"optics", {"lanes", "lane_gbit_s"}},
      {"cables", {}},
      {"fluids", {"conductivity_w_m_k"}},
      {"assumptions", {}}};
  return kept;
}

bool good_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_'; });
}

template <class P>
void read_kind(const std::string& folder, Catalog& catalog, std::vector<std::string>& problems) {
  const std::string file = std::string(part_file<P>()) + ".csv";
  std::ifstream in(folder + "/" + file, std::ios::binary);
  if (!in) return; // a user's catalog holds only the kinds that it changes
  std::ostringstream all;
  all << in.rdbuf();
  auto records = read_csv(all.str());
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
      std::string hint;
      for (const Field<P>& f : fields)
        if (f.name.rfind(name + "_", 0) == 0) hint = fmt::format("; a number names its unit: write '{}'", f.name);
      problems.push_back(fmt::format("{}, line 1: column '{}' is not known{}", file, name, hint));
    }
  }
  for (std::string_view required : {"id", "name", "source", "as_of"})
    if (seen_columns.count(std::string(required)) == 0) problems.push_back(fmt::format("{}, line 1: the column '{}' is missing", file, required));
  auto& parts = catalog.of<P>();
  std::set<std::string> ids;
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
    for (std::size_t c = 0; c < header.size(); ++c) {
      const std::string& cell = record.cells[c];
      if (!columns[c] || cell.empty()) continue;
      auto value = catalog_value(*columns[c], cell);
      if (!value) {
        complain(header[c], cell, value.error());
        continue;
      }
      columns[c]->set(part, *value);
    }
    for (const auto& [name, text] : {std::pair<std::string_view, const std::string*>{"id", &part.id}, {"name", &part.name}, {"source", &part.source}, {"as_of", &part.as_of}})
      if (text->empty()) complain(name, "", "is empty; every row needs it");
    if (!part.id.empty() && !good_id(part.id)) complain("id", part.id, "may hold only a to z, 0 to 9, '-', '.' and '_'");
    if (!ids.insert(part.id).second) complain("id", part.id, "stands twice in this file");
    catalog.date = std::max(catalog.date, part.as_of.substr(0, 10));
    parts.push_back(std::move(part));
  }
  std::sort(parts.begin(), parts.end(), [](const P& a, const P& b) { return a.id < b.id; });
}

} // namespace

tl::expected<FieldValue, std::string> catalog_value(const FieldInfo& field, std::string_view cell) {
  if (field.type == FieldType::text || field.type == FieldType::part) return FieldValue(std::string(cell));
  double number = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(number))
    return tl::make_unexpected(std::string("is not a number; write digits with a point, the unit stands in the header"));
  if (field.type == FieldType::count) {
    if (number != std::floor(number)) return tl::make_unexpected(std::string("is not a whole number"));
    if (number < field.minimum || number > field.maximum) return tl::make_unexpected(fmt::format("is out of range; at least {} is allowed", field.minimum));
    return FieldValue(static_cast<std::int64_t>(number));
  }
  double base = number;
  if (!field.unit.empty() && field.kind) {
    for (const DisplayUnit& u : field.kind->display)
      if (u.symbol == field.unit) base = u.factor < 1.0 && u.offset == 0.0 ? number / (1.0 / u.factor) : number * u.factor + u.offset;
  }
  if (base < field.minimum || base > field.maximum)
    return tl::make_unexpected(fmt::format("is out of range; {} to {} {} is allowed", field.minimum, field.maximum, field.kind ? field.kind->base_symbol : ""));
  return FieldValue(base);
}

tl::expected<Catalog, std::vector<std::string>> read_catalog_text(const std::string& folder) {
  Catalog catalog;
  std::vector<std::string> problems;
  for_each_part_type([&]<class P>(std::type_identity<P>) { read_kind<P>(folder, catalog, problems); });
  for (const NodePart& node : catalog.nodes)
    if (!node.accelerator.empty() && !catalog.accelerators.empty() && !catalog.find<Accelerator>(node.accelerator))
      problems.push_back(fmt::format("nodes.csv: node '{}' names accelerator '{}', which accelerators.csv does not have", node.id, node.accelerator));
  std::size_t count = 0;
  for_each_part_type([&]<class P>(std::type_identity<P>) { count += catalog.of<P>().size(); });
  if (problems.empty() && count == 0) problems.push_back("no part is found in " + folder + "; a text catalog holds files such as nodes.csv");
  if (!problems.empty()) return tl::make_unexpected(std::move(problems));
  return catalog;
}

} // namespace hallwright
