// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/netbox_csv.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "catalog/utf8.h"

namespace hallwright {
namespace {

constexpr std::string_view place_mark = "Hallwright place: ";

std::string csv_cell(std::string_view text) {
  const std::string out = guarded_cell(text);
  if (out.find_first_of(",\"\n\r") == std::string::npos) return out;
  std::string quoted = "\"";
  for (char c : out)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}
std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i)
    out += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return out + "\n";
}
/// A number with at most two digits after the point, as NetBox stores it.
std::string two_digits(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string site_name(const Design& design) {
  return !design.site->name.empty() ? design.site->name : !design.project->name.empty() ? design.project->name : "Site";
}
template <class E>
std::string name_in(const std::vector<E>& table, Id id) {
  const E* e = find(table, id);
  return e ? e->name : "";
}
std::string capital(std::string_view word) {
  std::string out(word);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}
template <class E>
std::string word_of(E value) {
  return std::string(ChoiceWords<E>::words[static_cast<std::size_t>(value)]);
}

/// Name and value pairs of the place: "x=600 mm; y=1.2 m". '%', ';' and '=' in names are written as %25, %3B and %3D.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '%' ? "%25" : c == ';' ? "%3B" : c == '=' ? "%3D" : c == '\n' || c == '\r' ? " " : std::string(1, c);
  return out;
}
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view code = text.substr(i, 3);
    const char c = code == "%25" ? '%' : code == "%3B" ? ';' : code == "%3D" ? '=' : '\0';
    out += c != '\0' ? c : text[i];
    if (c != '\0') i += 2;
  }
  return out;
}

std::string place_words(const Design& design, const Rack& rack) {
  std::string out(place_mark);
  auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out += fmt::format("{}{}={}", out.size() == place_mark.size() ? "" : "; ", key, escaped(value));
  };
  static const std::vector<FieldInfo> fields = table_fields("racks");
  add("type", name_in(*design.rack_types, rack.rack_type));
  for (const FieldInfo& f : fields)
    if (f.name == "x" || f.name == "y" || f.name == "rotation")
      add(f.name, exact_field_text(f, *get_field(design, {"racks", rack.id}, f.name)));
  add("row", name_in(*design.rows, rack.row));
  add("feed A", name_in(*design.power_units, rack.feed_a));
  add("feed B", name_in(*design.power_units, rack.feed_b));
  add("loop", name_in(*design.loops, rack.loop));
  return out;
}
std::map<std::string, std::string> place_of(std::string_view comments) {
  std::map<std::string, std::string> out;
  const auto at = comments.find(place_mark);
  if (at == std::string_view::npos) return out;
  comments.remove_prefix(at + place_mark.size());
  comments = comments.substr(0, comments.find('\n'));
  while (!comments.empty()) {
    const std::string_view pair = comments.substr(0, comments.find(';'));
    comments.remove_prefix(std::min(comments.size(), pair.size() + 1));
    while (comments.starts_with(' '))
      comments.remove_prefix(1);
    if (const auto equals = pair.find('='); equals != std::string_view::npos)
      out[std::string(pair.substr(0, equals))] = unescaped(pair.substr(equals + 1));
  }
  return out;
}

struct DevicePart {
  std::string manufacturer, model;
  std::optional<double> rack_units;
};
std::optional<DevicePart> device_part(const Catalog& catalog, const RackItem& item) {
  auto of = [](const auto* part) {
    return part ? std::optional<DevicePart>(DevicePart{part->vendor, part->name, part->rack_units}) : std::nullopt;
  };
  switch (item.kind) {
  case RackItemKind::node:
    return of(catalog.find<NodePart>(item.part));
  case RackItemKind::network_switch:
    return of(catalog.find<SwitchPart>(item.part));
  case RackItemKind::storage:
    return of(catalog.find<StoragePart>(item.part));
  case RackItemKind::other:
    break;
  }
  return std::nullopt;
}

} // namespace

std::string netbox_racks_csv(const Design& design, const Catalog& catalog) {
  std::string out =
      csv_line({"site", "location", "name", "status", "role", "rack_type", "width", "u_height", "outer_width",
                "outer_depth", "outer_unit", "weight", "max_weight", "weight_unit", "comments"});
  for (const Rack& rack : *design.racks) {
    const RackType* type = find(*design.rack_types, rack.rack_type);
    const RackPart* part = type ? catalog.find<RackPart>(type->rack_part) : nullptr;
    auto first = [](const std::optional<Length>& own, const std::optional<Length>& parts) { return own ? own : parts; };
    const auto width = type ? first(type->width, part ? part->width : std::nullopt) : std::nullopt;
    const auto depth = type ? first(type->depth, part ? part->depth : std::nullopt) : std::nullopt;
    const bool outer = width || depth, weights = part && (part->empty_mass || part->maximum_load);
    out += csv_line(
        {site_name(design), name_in(*design.halls, rack.hall), rack.name, "planned",
         type ? capital(word_of(type->role)) : "",
         part   ? part->name
         : type ? type->name
                : "",
         "19", part && part->rack_units ? two_digits(std::floor(*part->rack_units)) : "",
         width ? two_digits(in_millimeters(*width)) : "", depth ? two_digits(in_millimeters(*depth)) : "",
         outer ? "mm" : "", part && part->empty_mass ? two_digits(in_kilograms(*part->empty_mass)) : "",
         part && part->maximum_load ? fmt::format("{:.0f}", std::floor(in_kilograms(*part->maximum_load))) : "",
         weights ? "kg" : "", place_words(design, rack)});
  }
  return out;
}

std::vector<NetboxDevice> netbox_devices(const Design& design, const Catalog& catalog) {
  std::map<Id, std::vector<const RackItem*>> content;
  for (const RackItem& item : *design.rack_items)
    content[item.rack_type].push_back(&item);
  std::map<std::string_view, int> racks_named;
  for (const Rack& rack : *design.racks)
    ++racks_named[rack.name];
  std::vector<NetboxDevice> out;
  for (const Rack& rack : *design.racks) {
    const auto items = content.find(rack.rack_type);
    if (items == content.end()) continue;
    const std::string front = rack.name.empty() || racks_named[rack.name] > 1 ? fmt::format("{}~{}", rack.name, rack.id)
                                                                               : rack.name;
    std::set<std::string> names;
    std::size_t unplaced = 0;
    for (const RackItem* item : items->second) {
      const auto part = device_part(catalog, *item);
      const bool beside = item->mount == RackMount::zero_u_left || item->mount == RackMount::zero_u_right;
      for (Count n = 0; n < item->count; ++n) {
        // The first stands at its place; the next ones stack upwards by the height of the part.
        const bool placed = !beside && (n == 0 || (part && part->rack_units));
        const double half_unit =
            static_cast<double>(item->lowest_half_unit) +
            (placed && n > 0 ? static_cast<double>(n) * std::ceil(*part->rack_units * 2.0 - 1e-9) : 0.0);
        NetboxDevice d{rack.id, item->id, n, {}, placed ? two_digits((half_unit + 1.0) / 2.0) : ""};
        d.name = placed ? fmt::format("{}-U{}", front, d.position) : fmt::format("{}-{}", front, ++unplaced);
        if (!names.insert(d.name).second) d.name += fmt::format("-{}", names.size() + 1), names.insert(d.name);
        out.push_back(std::move(d));
      }
    }
  }
  return out;
}

std::string netbox_devices_csv(const Design& design, const Catalog& catalog, Id hall) {
  std::string out = csv_line({"name", "role", "manufacturer", "device_type", "status", "site", "location", "rack",
                              "position", "face", "description"});
  const std::string site = site_name(design);
  for (const NetboxDevice& d : netbox_devices(design, catalog)) {
    const Rack& rack = *find(*design.racks, d.rack);
    if (hall != 0 && rack.hall != hall) continue;
    const RackItem& item = *find(*design.rack_items, d.item);
    const auto part = device_part(catalog, item);
    const bool beside = item.mount == RackMount::zero_u_left || item.mount == RackMount::zero_u_right;
    out += csv_line({d.name, item.kind == RackItemKind::network_switch ? "Switch" : capital(word_of(item.kind)),
                     part ? part->manufacturer : "", part ? part->model : item.part, "planned", site,
                     name_in(*design.halls, rack.hall), rack.name, d.position,
                     d.position.empty()              ? ""
                     : item.mount == RackMount::rear ? "rear"
                                                     : "front",
                     beside ? word_of(item.mount) : ""});
  }
  return out;
}

tl::expected<RackList, std::string> read_netbox_racks(std::string_view text, const Design& design,
                                                      const Catalog& catalog, const RackListOptions& options) {
  if (const int line = line_of_bad_utf8(text); line > 0)
    return tl::make_unexpected(fmt::format("line {}: the text is not UTF-8; only UTF-8 is allowed", line));
  auto lines = read_delimited(text, ',');
  if (!lines) return tl::make_unexpected(lines.error());
  if (lines->empty())
    return tl::make_unexpected(std::string(
        "the file is empty; a first line with NetBox's columns is expected: site, location, name, status, rack_type"));
  const std::vector<std::string>& header = lines->front().cells;
  std::map<std::string, std::size_t> column;
  for (std::size_t c = 0; c < header.size(); ++c) {
    std::string key; // an export for people says "Rack type", an import "rack_type"
    for (char ch : header[c])
      key += ch == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(ch)));
    column.emplace(key, c);
  }
  if (!column.contains("name"))
    return tl::make_unexpected(fmt::format(
        "line {}: there is no column 'name'; NetBox's columns are expected: site, location, name, status, rack_type",
        lines->front().line));
  if (column.contains("device_type"))
    return tl::make_unexpected(
        fmt::format("line {}: column 'device_type' belongs to a list of devices; a list of racks is expected",
                    lines->front().line));

  // By the name of the rack type, else by that of its catalog part where one type only has it.
  std::map<std::string, std::string> by_part;
  std::set<std::string> type_names;
  for (const RackType& t : *design.rack_types)
    type_names.insert(t.name);
  for (const RackType& t : *design.rack_types)
    if (const RackPart* part = catalog.find<RackPart>(t.rack_part)) {
      const auto [at, fresh] = by_part.emplace(part->name, t.name);
      if (!fresh) at->second.clear(); // several types have this cabinet: the place in the comments must tell
    }

  RackTable table;
  table.columns = {"name", "type", "hall", "row", "x [mm]", "y [mm]", "rotation [deg]", "feed A", "feed B", "loop"};
  const auto as_written = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (const auto at = column.find(key); at != column.end()) return header[at->second];
    return std::string(*keys.begin());
  };
  table.titles = {as_written({"name"}), as_written({"rack_type", "type"}), as_written({"location"})};
  for (const char* placed : {"row", "x", "y", "rotation", "feed A", "feed B", "loop"})
    table.titles.push_back(as_written({"comments"}) + ", " + placed);
  std::set<std::string> present;
  for (const Rack& r : *design.racks)
    present.insert(r.name);
  std::map<std::string, double> next_x;
  std::size_t beside = 0, other_sites = 0;
  const std::string site = site_name(design);
  for (std::size_t r = 1; r < lines->size(); ++r) {
    const RackTable::Line& line = (*lines)[r];
    auto cell = [&](const char* name) {
      const auto at = column.find(name);
      return at == column.end() || at->second >= line.cells.size() ? std::string()
                                                                   : unguarded_cell(line.cells[at->second]);
    };
    if (!cell("site").empty() && cell("site") != site) ++other_sites;
    const std::map<std::string, std::string> place = place_of(cell("comments"));
    auto placed = [&](const char* key) {
      const auto at = place.find(key);
      return at == place.end() ? std::string() : at->second;
    };
    std::string type = cell("rack_type");
    if (type.empty()) type = cell("type");
    if (type_names.contains(placed("type")))
      type = placed("type");
    else if (!type_names.contains(type) && by_part.contains(type) && !by_part.at(type).empty())
      type = by_part.at(type);
    std::string hall = cell("location");
    std::string x = placed("x"), y = placed("y");
    if ((x.empty() || y.empty()) && !present.contains(cell("name"))) {
      // Beside the hall, side by side, to be arranged.
      double left = 0.0, below = 0.0, width = 600.0;
      for (const Hall& h : *design.halls) {
        if (!(h.name == hall || (hall.empty() && design.halls->size() == 1)) || h.outline.empty()) continue;
        left = h.outline.front().x_mm;
        for (const PlanPoint& p : h.outline)
          left = std::min(left, p.x_mm), below = std::max(below, p.y_mm);
      }
      for (const RackType& t : *design.rack_types) {
        if (t.name != type) continue;
        const RackPart* part = catalog.find<RackPart>(t.rack_part);
        if (t.width)
          width = in_millimeters(*t.width);
        else if (part && part->width)
          width = in_millimeters(*part->width);
      }
      double& offset = next_x[hall];
      x = exact_number(left + offset) + " mm";
      y = exact_number(below + 1000.0) + " mm";
      offset += width;
      ++beside;
    }
    table.lines.push_back({line.line,
                           {guarded_cell(cell("name")), guarded_cell(type), guarded_cell(hall),
                            guarded_cell(placed("row")), x, y, placed("rotation"), guarded_cell(placed("feed A")),
                            guarded_cell(placed("feed B")), guarded_cell(placed("loop"))}});
  }
  auto list = read_rack_table(table, design, options);
  if (!list) return list;
  if (beside > 0)
    list->notes.push_back(
        fmt::format("{} racks have no place in the file; they are put beside their hall, in a line", beside));
  if (other_sites > 0)
    list->notes.push_back(
        fmt::format("{} lines name another site than '{}'; the location alone tells the hall", other_sites, site));
  return list;
}

} // namespace hallwright
