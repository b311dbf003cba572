// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/part_import.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "catalog/catalog_cell.h"
#include "catalog/csv.h"
#include "project/durable_file.h"

namespace hallwright {
namespace {

std::string squeezed(std::string_view text) {
  std::string out;
  for (char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}
bool contains_word(std::string_view text, std::string_view word) {
  return squeezed(text).find(squeezed(word)) != std::string::npos;
}

/// An id of the catalog: lower case letters, digits, '-', '.', '_'.
std::string part_id(std::string_view slug) {
  std::string out;
  for (char c : slug) {
    const char l = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if ((l >= 'a' && l <= 'z') || (l >= '0' && l <= '9') || l == '_' || l == '.')
      out += l;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-')
    out.pop_back();
  return out;
}

/// Ports that make a switch of it: of the rates from 25 Gb/s up the one that most ports have, the faster one of two.
/// Ports for management do not count.
struct FastPorts {
  double gbit_s = 0.0;
  std::int64_t count = 0, infiniband = 0;
  std::int64_t at_least_25 = 0;
};
FastPorts fast_ports(const NetboxType& type) {
  std::map<double, std::pair<std::int64_t, std::int64_t>> by_rate; // all, infiniband
  FastPorts out;
  for (const NetboxComponent& c : type.interfaces) {
    const double rate = netbox_interface_gbit_s(c.type).value_or(0.0);
    if (c.management_only || rate < 25.0) continue;
    ++out.at_least_25;
    ++by_rate[rate].first;
    by_rate[rate].second += c.type.starts_with("infiniband-") ? 1 : 0;
  }
  for (const auto& [rate, counts] : by_rate)
    if (counts.first >= out.count) out.gbit_s = rate, out.count = counts.first, out.infiniband = counts.second;
  return out;
}

struct Judged {
  std::string kind, why;
};
Judged judged_kind(const NetboxType& type) {
  if (type.kind == NetboxTypeKind::rack) return {"rack", "it is a rack type"};
  if (type.kind == NetboxTypeKind::module)
    return {"", "a module goes into a bay of a device; the catalog has no modules"};
  if (type.subdevice_role == "child") return {"", "a child goes into a bay of a parent, not into a rack"};
  if (contains_word(type.comments + " " + type.description + " " + type.model, "coolant distribution"))
    return {"cooling", "its text says coolant distribution unit"};
  const FastPorts fast = fast_ports(type);
  if (type.power_outlets.size() >= 4 && fast.at_least_25 == 0)
    return {"power", fmt::format("it has {} power outlets", type.power_outlets.size())};
  // Systems of GPUs have as many fast ports as some switches.
  for (const std::string_view word : {"DGX", "HGX"})
    if (contains_word(type.model, word) && !contains_word(type.model, "switch"))
      return {"node", fmt::format("its model says {}", word)};
  if (contains_word(type.comments + " " + type.description, "gpu memory"))
    return {"node", "its text tells of GPU memory"};
  if (fast.at_least_25 >= 16) return {"switch", fmt::format("it has {} ports of 25 Gb/s or more", fast.at_least_25)};
  if (type.interfaces.empty() && type.power_ports.empty() && type.device_bays.empty() &&
      (!type.front_ports.empty() || type.is_powered == false))
    return {"", "it is passive (a panel or the like): the engine computes nothing with it"};
  return {"node", "it is a device with neither outlets nor many fast ports"};
}

/// Fields that the engine computes with, by kind.
const std::map<std::string_view, std::vector<std::string_view>>& needed_fields() {
  static const std::map<std::string_view, std::vector<std::string_view>> needed{
      {"node",
       {"accelerator", "accelerators", "cooling", "rack_units", "depth_mm", "weight_kg", "power_max_w",
        "liquid_heat_share_pct", "nic_compute_count", "nic_compute_gbit_s"}},
      {"switch", {"network_kind", "ports", "port_gbit_s", "rack_units", "weight_kg", "power_max_w", "power_typical_w"}},
      {"rack", {"kind", "rack_units", "width_mm", "depth_mm", "height_mm", "empty_kg", "max_load_kg"}},
      {"power", {"kind", "rating_kw", "voltage_v", "phases"}},
      {"cooling",
       {"kind", "capacity_kw", "approach_k", "secondary_flow_l_min", "pump_head_kpa", "power_draw_kw", "width_mm",
        "depth_mm", "weight_kg"}}};
  return needed;
}

using Stated = std::vector<std::pair<std::string, FieldValue>>;

/// What the type states, by field of the part; what it states and must not be taken over goes into `rejected`.
Stated stated_fields(const NetboxType& type, std::string_view kind, std::vector<std::string>& rejected) {
  Stated out;
  auto number = [&](std::string_view field, const std::optional<double>& base) {
    if (base) out.emplace_back(std::string(field), FieldValue(*base));
  };
  auto count = [&](std::string_view field, std::int64_t n) { out.emplace_back(std::string(field), FieldValue(n)); };
  auto word = [&](std::string_view field, std::string text) {
    out.emplace_back(std::string(field), FieldValue(std::move(text)));
  };
  const auto metres = [](const std::optional<double>& mm) {
    return mm ? std::optional<double>(*mm / 1000.0) : std::nullopt;
  };

  if (type.u_height && (kind == "node" || kind == "switch" || kind == "rack")) {
    const double halves = *type.u_height * 2.0;
    if (halves != static_cast<double>(static_cast<std::int64_t>(halves)))
      rejected.push_back(fmt::format("rack_units: {} is no multiple of 0.5", *type.u_height));
    else if (*type.u_height == 0.0)
      rejected.push_back("rack_units: 0 does not say how high it is");
    else
      number("rack_units", type.u_height);
  }
  if (kind == "rack") {
    word("kind", type.form_factor == "4-post-cabinet" || type.form_factor == "wall-cabinet" ? "cabinet"
                 : type.form_factor.empty()                                                 ? "cabinet"
                                                                                            : "frame");
    number("height_mm", metres(type.outer_height_mm));
    number("width_mm", metres(type.outer_width_mm));
    number("depth_mm", metres(type.outer_depth_mm));
    number("empty_kg", type.weight_kg);
    number("max_load_kg", type.maximum_load_kg);
    return out;
  }
  number("weight_kg", type.weight_kg);
  if (kind == "power") word("kind", "rack pdu");
  if (kind == "cooling") word("kind", "cdu in-rack");
  if (kind == "node" || kind == "switch") {
    std::size_t stating = 0;
    bool plausible = true;
    for (const NetboxComponent& p : type.power_ports)
      if (p.maximum_draw_w) ++stating, plausible = plausible && *p.maximum_draw_w <= 32767.0;
    if (stating > 1)
      rejected.push_back(fmt::format(
          "power_max_w: {:.0f} W is the sum of {} supplies, which may be redundant, not the draw of the device",
          *type.sum_maximum_draw_w(), stating));
    else if (stating == 1 && type.power_ports.size() > 1)
      rejected.push_back("power_max_w: only one of several power ports states a draw");
    else if (stating == 1 && !plausible)
      rejected.push_back(fmt::format("power_max_w: {:.0f} W of one port is not plausible", *type.sum_maximum_draw_w()));
    else if (stating == 1)
      number("power_max_w", type.sum_maximum_draw_w());
  }
  if (kind == "switch") {
    const FastPorts fast = fast_ports(type);
    if (fast.count > 0) {
      // The in-band management port of an InfiniBand switch has the rate of the others and is none of them.
      std::int64_t ports = 0;
      std::set<std::string> cages;
      for (const NetboxComponent& c : type.interfaces) {
        if (c.management_only || netbox_interface_gbit_s(c.type).value_or(0.0) != fast.gbit_s ||
            c.name.starts_with("fnm"))
          continue;
        ++ports;
        const std::string& n = c.name;
        const bool twin = n.size() > 3 && (n.ends_with("p1") || n.ends_with("p2")) &&
                          std::isdigit(static_cast<unsigned char>(n[n.size() - 3])) != 0;
        cages.insert(twin ? n.substr(0, n.size() - 2) : n);
      }
      word("network_kind", fast.infiniband * 2 > fast.count ? "infiniband" : "ethernet");
      count("ports", ports);
      number("port_gbit_s", fast.gbit_s * 1e9 / 8.0);
      count("cages", static_cast<std::int64_t>(cages.size()));
      count("radix_at_link", ports);
      number("link_gbit_s", fast.gbit_s * 1e9 / 8.0);
    }
  }
  if (kind == "node") {
    const auto management = std::count_if(type.interfaces.begin(), type.interfaces.end(),
                                          [](const NetboxComponent& c) { return c.management_only; });
    if (management > 0) count("nic_oob_count", management);
  }
  return out;
}

template <class P>
const P* same_part(const NetboxType& type, const Catalog& present) {
  const std::string id = part_id(type.slug);
  if (const P* exact = present.find<P>(id)) return exact;
  const P* found = nullptr;
  const std::string maker = squeezed(type.manufacturer), model = squeezed(type.model);
  for (const P& p : present.of<P>()) {
    if (squeezed(p.vendor) != maker) continue;
    const std::string name = squeezed(p.name),
                      last_word = squeezed(std::string_view(p.name).substr(p.name.rfind(' ') + 1));
    const bool same = name == model || (model.size() >= 5 && name.ends_with(model)) ||
                      (last_word.size() >= 8 && model.ends_with(last_word)) || squeezed(p.id) == model ||
                      p.id == part_id(type.manufacturer + " " + type.model) ||
                      // A cabinet's name goes on with its size: "NetShelter SX AR3357 48U 750x1200".
                      (model.size() >= 5 && (" " + p.name + " ").find(" " + type.model + " ") != std::string::npos);
    if (!same) continue;
    if (found) return nullptr; // several: none of them is surely it
    found = &p;
  }
  return found;
}

/// Whether `value` rounds to `present` at the digits that `present` has in the text of the catalog: 11.113 kg and 11.11
/// kg.
bool same_but_for_digits(const FieldInfo& field, const FieldValue& present, const FieldValue& value) {
  const auto *a = std::get_if<double>(&present), *b = std::get_if<double>(&value);
  if (!a || !b || !field.kind) return present == value;
  const std::string text = exact_number(catalog_cell_number(field, *a));
  if (text.find('e') != std::string::npos) return *a == *b;
  const auto point = text.find('.');
  const std::size_t digits = point == std::string::npos ? 0 : text.size() - point - 1;
  return fmt::format("{:.{}f}", catalog_cell_number(field, *b), digits) ==
         fmt::format("{:.{}f}", catalog_cell_number(field, *a), digits);
}

template <class P>
void plan_as(const NetboxType& type, const Catalog& present, const std::string& as_of, PartImport& out) {
  const P* existing = same_part<P>(type, present);
  P part = existing ? *existing : P{};
  if (!existing) {
    part.id = part_id(type.slug);
    part.vendor = type.manufacturer;
    part.name = type.model;
  }
  out.id = part.id;
  out.name = part.name;
  for (const auto& [name, value] : stated_fields(type, out.kind, out.rejected_fields)) {
    for (const Field<P>& f : part_fields<P>()) {
      if (f.name != name) continue;
      if (auto allowed = check_field(f, value); !allowed) {
        out.rejected_fields.push_back(std::string(f.name) + ": " + allowed.error());
        break;
      }
      // As it stands in the text of the catalog, so that a second import finds nothing to change.
      FieldValue kept = value;
      if (const auto* amount = std::get_if<double>(&value); amount && f.kind)
        kept = catalog_base_value(f, catalog_cell_number(f, *amount));
      const FieldValue before = f.get(part);
      if (same_but_for_digits(f, before, kept)) break;
      // How a switch is split into links is a choice that the file knows nothing of.
      if (existing && (f.name == "radix_at_link" || f.name == "link_gbit_s") &&
          !std::holds_alternative<std::monostate>(before))
        break;
      // A word that is there already ("in-row") may say more than what is derived from the file.
      if (existing && f.type == FieldType::text && std::holds_alternative<std::string>(before) &&
          !std::get<std::string>(before).empty())
        break;
      f.set(part, kept);
      out.changes.push_back(
          {std::string(f.name), std::string(f.label), exact_field_text(f, before), exact_field_text(f, kept)});
      break;
    }
  }
  out.outcome = !existing             ? PartImport::Outcome::added
                : out.changes.empty() ? PartImport::Outcome::identical
                                      : PartImport::Outcome::changed;
  if (out.outcome != PartImport::Outcome::identical) {
    const std::string file = std::filesystem::path(type.file).filename().string();
    const std::string origin = fmt::format("NetBox {} {} ({})", netbox_kind_words(type.kind), type.slug, file);
    part.source = existing ? origin + (existing->source.empty() || existing->source.find(origin) != std::string::npos
                                           ? ""
                                           : "; else " + existing->source)
                           : origin;
    part.as_of = as_of;
    part.confidence = "community";
    std::string notes = type.part_number.empty() ? "" : "part number " + type.part_number;
    if (existing && !existing->notes.empty() && existing->notes.find(notes) != std::string::npos)
      notes = existing->notes;
    else if (existing && !existing->notes.empty())
      notes += (notes.empty() ? "" : "; ") + existing->notes;
    part.notes = notes;
  }
  for (std::string_view name : needed_fields().at(out.kind))
    for (const Field<P>& f : part_fields<P>()) {
      if (f.name != name) continue;
      const FieldValue value = f.get(part);
      const auto* text = std::get_if<std::string>(&value);
      if (std::holds_alternative<std::monostate>(value) || (text && text->empty())) out.still_needed.emplace_back(name);
    }
  for (const Field<P>& f : part_fields<P>())
    out.values.emplace_back(std::string(f.name), f.get(part));
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// The cell for a value in the unit of the header.
std::string cell_of(const FieldInfo& field, const FieldValue& value) {
  if (const auto* amount = std::get_if<double>(&value)) return exact_number(catalog_cell_number(field, *amount));
  if (const auto* count = std::get_if<std::int64_t>(&value)) return std::to_string(*count);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "1" : "0";
  return {};
}

template <class F>
bool with_kind(std::string_view kind, F&& f) {
  bool found = false;
  for_each_part_type([&]<class P>(std::type_identity<P> tag) {
    if (part_kind<P>() == kind) found = true, f(tag);
  });
  return found;
}

} // namespace

std::string_view outcome_word(PartImport::Outcome outcome) {
  switch (outcome) {
  case PartImport::Outcome::added:
    return "new";
  case PartImport::Outcome::changed:
    return "changed";
  case PartImport::Outcome::identical:
    return "identical";
  case PartImport::Outcome::rejected:
    return "rejected";
  }
  return "rejected";
}

PartImport plan_part_import(const NetboxType& type, const Catalog& present, const std::string& as_of,
                            std::string_view wanted_kind) {
  PartImport out;
  out.file = type.file;
  out.warnings = type.warnings;
  out.name = type.model;
  Judged judged = judged_kind(type);
  if (!wanted_kind.empty()) judged = {std::string(wanted_kind), "it was asked for"};
  out.kind = judged.kind;
  out.why_kind = judged.why;
  if (out.kind.empty()) {
    out.reason = judged.why;
    return out;
  }
  if (!needed_fields().contains(out.kind)) {
    out.reason =
        fmt::format("NetBox types become parts of kind node, switch, rack, power or cooling, not {}", out.kind);
    return out;
  }
  if ((type.kind == NetboxTypeKind::rack) != (out.kind == "rack")) {
    out.reason = fmt::format("a {} does not become a part of kind {}", netbox_kind_words(type.kind), out.kind);
    return out;
  }
  with_kind(out.kind, [&]<class P>(std::type_identity<P>) { plan_as<P>(type, present, as_of, out); });
  return out;
}

tl::expected<std::string, std::string> with_imported_rows(std::string_view csv, std::string_view kind,
                                                          const std::vector<const PartImport*>& imports) {
  auto records = read_csv(csv);
  if (!records) return tl::make_unexpected(records.error());
  std::vector<FieldInfo> fields;
  with_kind(kind, [&]<class P>(std::type_identity<P>) {
    for (const Field<P>& f : part_fields<P>())
      fields.push_back(f);
  });
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  if (!records->empty()) header = records->front().cells;
  for (std::size_t r = 1; r < records->size(); ++r)
    rows.push_back((*records)[r].cells);
  auto column = [&](std::string_view name) {
    const auto at = std::find(header.begin(), header.end(), name);
    if (at != header.end()) return static_cast<std::size_t>(at - header.begin());
    header.emplace_back(name);
    return header.size() - 1;
  };
  const std::size_t id_column = column("id");
  for (const FieldInfo& f : fields)
    column(f.name);
  for (const PartImport* import : imports) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& cells) {
      return id_column < cells.size() && cells[id_column] == import->id;
    });
    if (row == rows.end()) row = rows.emplace(rows.end());
    row->resize(header.size());
    for (const auto& [name, value] : import->values)
      for (const FieldInfo& f : fields)
        if (f.name == name) (*row)[column(name)] = cell_of(f, value);
  }
  std::string out;
  auto write = [&](std::vector<std::string> cells) {
    cells.resize(header.size());
    for (std::size_t c = 0; c < cells.size(); ++c)
      out += (c > 0 ? "," : "") + csv_cell(cells[c]);
    out += '\n';
  };
  write(header);
  for (const auto& row : rows)
    write(row);
  return out;
}

tl::expected<std::vector<std::string>, std::string>
write_part_imports(const std::string& folder, const Catalog& shipped, const std::vector<PartImport>& imports) {
  namespace fs = std::filesystem;
  std::map<std::string, std::vector<const PartImport*>> by_kind;
  for (const PartImport& i : imports)
    if (i.outcome == PartImport::Outcome::added || i.outcome == PartImport::Outcome::changed)
      by_kind[i.kind].push_back(&i);
  if (by_kind.empty()) return std::vector<std::string>{};
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || !fs::is_directory(folder))
    return tl::make_unexpected(fmt::format("the folder {} cannot be made: {}", folder,
                                           failed ? failed.message() : "a file of this name is in the way"));

  // The whole catalog as it would be, in a folder of its own, read as the program will read it.
  const fs::path trial = fs::path(folder) / ".import-trial";
  fs::remove_all(trial, failed);
  fs::create_directory(trial, failed);
  if (failed) return tl::make_unexpected(fmt::format("{} cannot be made: {}", trial.string(), failed.message()));
  struct Cleanup {
    fs::path path;
    ~Cleanup() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  } cleanup{trial};
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".csv") fs::copy_file(entry.path(), trial / entry.path().filename(), failed);
  std::map<std::string, std::string> texts;
  for (const auto& [kind, list] : by_kind) {
    std::string file;
    with_kind(kind, [&]<class P>(std::type_identity<P>) { file = std::string(part_file<P>()) + ".csv"; });
    std::string present;
    if (fs::exists(trial / file)) {
      auto read = read_whole_file(trial / file);
      if (!read)
        return tl::make_unexpected(
            fmt::format("{} cannot be read: {}", (fs::path(folder) / file).string(), read.error()));
      present = *std::move(read);
    }
    auto text = with_imported_rows(present, kind, list);
    if (!text) return tl::make_unexpected(fmt::format("{}, {}", (fs::path(folder) / file).string(), text.error()));
    if (auto written = replace_file(trial / file, *text); !written)
      return tl::make_unexpected(fmt::format("{} is not written: {}", (trial / file).string(), written.error()));
    texts[file] = *std::move(text);
  }
  if (auto read = read_catalog_text(trial.string(), &shipped); !read) {
    std::string all;
    for (const std::string& problem : read.error())
      all += (all.empty() ? "" : "; ") + problem;
    return tl::make_unexpected(fmt::format("nothing is written to {}: {}", folder, all));
  }
  std::vector<std::string> names;
  for (const auto& [file, text] : texts) {
    if (auto written = replace_file(fs::path(folder) / file, text); !written)
      return tl::make_unexpected(
          fmt::format("{} is not written: {}", (fs::path(folder) / file).string(), written.error()));
    names.push_back((fs::path(folder) / file).string());
  }
  return names;
}

} // namespace hallwright
