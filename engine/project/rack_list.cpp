// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/rack_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "catalog/utf8.h"

namespace hallwright {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}
std::string_view trimmed(std::string_view text) {
  // Spreadsheets also give no-break spaces.
  auto blank_front = [](std::string_view t) {
    return t.starts_with("\xC2\xA0")                                                    ? 2
           : !t.empty() && (t.front() == ' ' || t.front() == '\t' || t.front() == '\r') ? 1
                                                                                        : 0;
  };
  auto blank_back = [](std::string_view t) {
    return t.ends_with("\xC2\xA0")                                                   ? 2
           : !t.empty() && (t.back() == ' ' || t.back() == '\t' || t.back() == '\r') ? 1
                                                                                     : 0;
  };
  while (const int n = blank_front(text))
    text.remove_prefix(static_cast<std::size_t>(n));
  while (const int n = blank_back(text))
    text.remove_suffix(static_cast<std::size_t>(n));
  return text;
}

/// A column of the list: its field of `racks` and the unit of its bare numbers.
struct Column {
  std::string title; ///< as it stands
  std::string field; ///< empty: not read
  std::string unit;
};

/// "x [mm]", "X (mm)", "feed_a": the field of `racks` and a unit.
Column column_of(std::string_view title) {
  Column out{std::string(trimmed(title)), "", ""};
  std::string word = out.title;
  const auto open = word.find_first_of("[(");
  if (open != std::string::npos) {
    const auto close = word.find_first_of("])", open);
    out.unit = std::string(trimmed(
        std::string_view(word).substr(open + 1, close == std::string::npos ? std::string::npos : close - open - 1)));
    word.resize(open);
  }
  std::string plain;
  for (char c : lower(word))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) plain += c;
  static const std::map<std::string_view, std::string_view> fields{{"name", "name"},
                                                                   {"rack", "name"},
                                                                   {"rackname", "name"},
                                                                   {"type", "rack_type"},
                                                                   {"racktype", "rack_type"},
                                                                   {"hall", "hall"},
                                                                   {"room", "hall"},
                                                                   {"location", "hall"},
                                                                   {"row", "row"},
                                                                   {"x", "x"},
                                                                   {"y", "y"},
                                                                   {"rotation", "rotation"},
                                                                   {"angle", "rotation"},
                                                                   {"feeda", "feed_a"},
                                                                   {"afeed", "feed_a"},
                                                                   {"feedb", "feed_b"},
                                                                   {"bfeed", "feed_b"},
                                                                   {"loop", "loop"},
                                                                   {"coolantloop", "loop"}};
  if (const auto at = fields.find(plain); at != fields.end()) out.field = at->second;
  return out;
}

const FieldInfo& rack_field(std::string_view name) {
  static const std::vector<FieldInfo> all = table_fields("racks");
  return *std::find_if(all.begin(), all.end(), [&](const FieldInfo& f) { return f.name == name; });
}

/// Entities by name: a name that stands twice leads to none of them.
struct Named {
  std::map<std::string, std::vector<Id>, std::less<>> exact, folded;
  void add(const std::string& name, Id id) {
    exact[name].push_back(id);
    folded[lower(name)].push_back(id);
  }
  /// The id, or why there is none.
  [[nodiscard]] tl::expected<Id, std::string> find(std::string_view name, std::string_view what) const {
    for (const auto* index : {&exact, &folded}) {
      const auto at = index->find(index == &exact ? std::string(name) : lower(name));
      if (at == index->end()) continue;
      if (at->second.size() == 1) return at->second.front();
      return tl::make_unexpected(
          fmt::format("names {} {}s; only names that stand once are allowed", at->second.size(), what));
    }
    std::string allowed;
    std::size_t n = 0;
    for (const auto& [known, ids] : exact)
      if (++n <= 8) allowed += (allowed.empty() ? "" : ", ") + known;
    return tl::make_unexpected(exact.empty() ? fmt::format("is not a {} of the design, which has none", what)
                                             : fmt::format("is not a {} of the design; it has {}{}", what, allowed,
                                                           n > 8 ? fmt::format(" and {} more", n - 8) : ""));
  }
};

template <class E>
Named named(const std::vector<E>& table) {
  Named out;
  for (const E& e : table)
    out.add(e.name, e.id);
  return out;
}

/// Whether a spreadsheet would take a text for a formula, apostrophes at its start aside.
bool like_a_formula(std::string_view text) {
  const std::size_t start = text.find_first_not_of('\'');
  return start != std::string_view::npos && std::string_view("=+-@").find(text[start]) != std::string_view::npos;
}

/// What a column without a title in the list would be called.
std::string_view usual_title(std::string_view field) {
  return field == "rack_type" ? "type" : field == "feed_a" ? "feed A" : field == "feed_b" ? "feed B" : field;
}

bool ends_line(std::string_view text, std::size_t i) {
  return text[i] == '\n' || (text[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'));
}

} // namespace

std::string guarded_cell(std::string_view word) { return (like_a_formula(word) ? "'" : "") + std::string(word); }

std::string unguarded_cell(std::string_view cell) {
  if (cell.size() > 1 && cell.front() == '\'' && like_a_formula(cell)) cell.remove_prefix(1);
  return std::string(cell);
}

std::string RackCellError::sentence() const {
  std::string out = fmt::format("line {}", line);
  if (!rack.empty()) out += ", rack " + rack;
  if (!column.empty()) out += ", column " + column;
  return out + (value.empty() && column.empty() ? ": " : fmt::format(": '{}' ", value)) + what;
}

std::string RackList::summary() const {
  std::string out;
  for (const auto& [count, word] :
       {std::pair{added, "new"}, {changed, "changed"}, {unchanged, "unchanged"}, {refused, "refused"}})
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, word);
  return out.empty() ? "no racks" : out;
}

tl::expected<std::vector<RackTable::Line>, std::string> read_delimited(std::string_view text, char delimiter) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<RackTable::Line> out;
  std::size_t line = 1, i = 0;
  while (i < text.size()) {
    RackTable::Line record{line, {}};
    for (bool more = true; more;) {
      std::string cell;
      if (text[std::min(i, text.size() - 1)] == '"' && i < text.size()) {
        const std::size_t opened = line;
        for (++i;; ++i) {
          if (i >= text.size())
            return tl::make_unexpected(fmt::format("line {}: a quote opens here and does not close", opened));
          if (ends_line(text, i)) ++line;
          if (text[i] != '"')
            cell += text[i];
          else if (i + 1 < text.size() && text[i + 1] == '"')
            cell += text[i++];
          else
            break;
        }
        ++i;
      }
      while (i < text.size() && text[i] != delimiter && !ends_line(text, i)) {
        if (text[i] != '\r') cell += text[i];
        ++i;
      }
      record.cells.push_back(std::move(cell));
      more = i < text.size() && text[i] == delimiter;
      if (i < text.size() && ends_line(text, i)) ++line;
      ++i;
    }
    if (std::any_of(record.cells.begin(), record.cells.end(), [](const std::string& c) { return !trimmed(c).empty(); }))
      out.push_back(std::move(record));
  }
  return out;
}

tl::expected<RackList, std::string> read_rack_list(std::string_view text, const Design& design,
                                                   const RackListOptions& options) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return tl::make_unexpected(std::string("the list is UTF-16 text; save it as UTF-8 (in a spreadsheet: CSV UTF-8)"));
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return tl::make_unexpected(
        fmt::format("line {}: a zero byte stands in the text; only text in UTF-8 is allowed",
                    1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n')));
  if (const int line = line_of_bad_utf8(text); line > 0)
    return tl::make_unexpected(
        fmt::format("line {}: the text is not UTF-8; only UTF-8 is allowed (in a spreadsheet: CSV UTF-8)", line));
  const std::string_view head = text.substr(0, text.find_first_of("\r\n"));
  const char delimiter = head.find('\t') != std::string_view::npos  ? '\t'
                         : head.find(';') != std::string_view::npos ? ';'
                                                                    : ',';
  auto lines = read_delimited(text, delimiter);
  if (!lines) return tl::make_unexpected(lines.error());
  if (lines->empty())
    return tl::make_unexpected(
        std::string("the list is empty; a first line with the names of the columns is expected: name, type, x, y"));
  RackTable table;
  table.columns = lines->front().cells;
  table.lines.assign(lines->begin() + 1, lines->end());
  return read_rack_table(table, design, options);
}

tl::expected<RackList, std::string> read_rack_table(const RackTable& table, const Design& design,
                                                    const RackListOptions& options) {
  RackList out;
  std::vector<Column> columns;
  std::set<std::string> seen;
  std::string unread;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    Column c = column_of(table.columns[i]);
    if (i < table.titles.size()) c.title = table.titles[i];
    if (c.field.empty()) {
      if (!c.title.empty()) unread += (unread.empty() ? "" : ", ") + c.title;
    } else if (!seen.insert(c.field).second) {
      return tl::make_unexpected(fmt::format("column '{}' stands twice; once is allowed", c.title));
    }
    if (c.field == "x" || c.field == "y" || c.field == "rotation") {
      const FieldInfo& f = rack_field(c.field);
      if (c.unit.empty()) {
        c.unit = f.unit;
        out.notes.push_back(fmt::format("column {} names no unit: bare numbers are read in {}", c.title, f.unit));
      } else if (!parse_quantity("1 " + c.unit, *f.kind)) {
        return tl::make_unexpected(fmt::format("column '{}': '{}' is not a unit of {}; {} is allowed, for instance",
                                               c.title, c.unit, f.kind->name, f.unit));
      }
    }
    columns.push_back(std::move(c));
  }
  if (!seen.contains("name"))
    return tl::make_unexpected(fmt::format("the first line has no column 'name' ({}); name, type, x, y, rotation, row, "
                                           "hall, feed A, feed B and loop are read",
                                           table.columns.empty()
                                               ? std::string("it is empty")
                                               : "it begins with '" + table.columns.front().substr(0, 40) + "'"));
  if (!unread.empty()) out.notes.push_back("columns that are not read: " + unread);
  if (table.lines.empty())
    return tl::make_unexpected(
        std::string("the list has a header and no line below it; at least one rack is expected"));
  if (table.lines.size() > rack_list_most_lines)
    return tl::make_unexpected(
        fmt::format("the list has {} lines; at most {} are allowed", table.lines.size(), rack_list_most_lines));

  const Named types = named(*design.rack_types), halls = named(*design.halls), feeds = named(*design.power_units),
              loops = named(*design.loops);
  std::map<std::pair<Id, std::string>, Id> rows;
  for (const Row& r : *design.rows)
    rows.emplace(std::pair(r.hall, r.name), r.id);
  std::map<std::string, std::vector<const Rack*>> racks;
  for (const Rack& r : *design.racks)
    racks[r.name].push_back(&r);
  const Id usual_hall = options.hall != 0 ? options.hall : design.halls->size() == 1 ? design.halls->front().id : 0;
  std::map<std::string, std::size_t> named_in_list;
  std::set<std::string> made_rows;

  for (const RackTable::Line& line : table.lines) {
    RackListRow row;
    row.line = line.line;
    const std::size_t errors_before = out.errors.size();
    std::map<std::string, std::pair<const Column*, std::string>> cells;
    std::set<std::string> named_so; // fields whose cell is a name, even where it is "-"
    for (std::size_t c = 0; c < columns.size() && c < line.cells.size(); ++c) {
      const std::string_view written = trimmed(line.cells[c]);
      const std::string cell = unguarded_cell(written);
      if (columns[c].field.empty() || cell.empty()) continue;
      cells[columns[c].field] = {&columns[c], cell};
      if (cell != written) named_so.insert(columns[c].field);
    }
    row.name = cells.contains("name") ? cells["name"].second : "";
    auto refuse = [&](const std::string& column, const std::string& value, const std::string& what) {
      out.errors.push_back({line.line, row.name, column, value, what});
    };
    auto title = [&](const std::string& field) {
      const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.field == field; });
      return at == columns.end() ? std::string(usual_title(field)) : at->title;
    };
    auto takes_away = [&](const std::string& field) { return cells[field].second == "-" && !named_so.contains(field); };
    if (line.cells.size() > columns.size() &&
        std::any_of(line.cells.begin() + static_cast<std::ptrdiff_t>(columns.size()), line.cells.end(),
                    [](const std::string& c) { return !trimmed(c).empty(); }))
      refuse("", "", fmt::format("{} cells where the header has {}", line.cells.size(), columns.size()));

    // Hall first: it tells which rack and which row is meant.
    Id hall = usual_hall;
    if (cells.contains("hall")) {
      if (auto id = halls.find(cells["hall"].second, "hall"))
        hall = *id;
      else
        refuse(title("hall"), cells["hall"].second, id.error());
    }
    const Rack* existing = nullptr;
    if (row.name.empty())
      refuse(title("name"), "", "is empty; every rack needs a name");
    else {
      if (const auto [first, fresh] = named_in_list.emplace(row.name, line.line); !fresh)
        refuse(title("name"), row.name, fmt::format("stands in line {} already; a rack is listed once", first->second));
      if (const auto at = racks.find(row.name); at != racks.end()) {
        std::vector<const Rack*> same = at->second;
        if (same.size() > 1 && cells.contains("hall"))
          std::erase_if(same, [&](const Rack* r) { return r->hall != hall; });
        if (same.size() == 1)
          existing = same.front();
        else if (same.size() > 1)
          refuse(title("name"), row.name,
                 fmt::format("names {} racks of the design; only names that stand once can be changed", same.size()));
      }
    }
    if (existing && !cells.contains("hall")) hall = existing->hall;
    if (existing) row.rack = existing->id;
    if (!existing && hall == 0 && !cells.contains("hall"))
      refuse(title("hall"), "",
             design.halls->empty() ? "is not given, and the design has no hall"
                                   : "is not given; the design has several halls, so a new rack needs one");
    if (!existing)
      for (const char* field : {"rack_type", "x", "y"})
        if (!cells.contains(field))
          refuse(title(field), "",
                 fmt::format("is not given{}; a new rack needs name, type, x and y",
                             seen.contains(field) ? "" : ": the list has no such column"));

    auto differs = [&](std::string_view field, const FieldValue& value) {
      if (!existing) return true;
      const auto present = get_field(design, {"racks", existing->id}, field);
      return !present || *present != value;
    };
    auto set = [&](const std::string& field, const FieldValue& value) {
      if (differs(field, value)) row.fields.emplace_back(field, value);
    };
    if (!existing) set("name", FieldValue(row.name));
    if (!existing || cells.contains("hall")) set("hall", FieldValue(hall));
    if (cells.contains("rack_type")) {
      const std::string& word = cells["rack_type"].second;
      if (auto id = types.find(word, "rack type"))
        set("rack_type", FieldValue(*id));
      else {
        refuse(title("rack_type"), word, id.error());
        if (std::find(out.unknown_types.begin(), out.unknown_types.end(), word) == out.unknown_types.end())
          out.unknown_types.push_back(word);
      }
    }
    for (const char* name : {"x", "y", "rotation"}) {
      if (!cells.contains(name)) continue;
      const auto& [column, word] = cells[name];
      const FieldInfo& f = rack_field(name);
      const auto amount = parse_quantity(word, *f.kind, options.mark, column->unit);
      if (!amount) {
        refuse(column->title, word, "is not taken: " + amount.error());
        continue;
      }
      if (auto allowed = check_field(f, FieldValue(*amount)); !allowed)
        refuse(column->title, word, "is not taken: " + allowed.error());
      else
        set(name, FieldValue(*amount));
    }
    for (const auto& [field, known, what] :
         {std::tuple<const char*, const Named*, const char*>{"feed_a", &feeds, "power unit"},
          {"feed_b", &feeds, "power unit"},
          {"loop", &loops, "coolant loop"}}) {
      if (!cells.contains(field)) continue;
      const std::string& word = cells[field].second;
      if (takes_away(field))
        set(field, FieldValue(Id{0}));
      else if (auto id = known->find(word, what))
        set(field, FieldValue(*id));
      else
        refuse(title(field), word, id.error());
    }
    if (cells.contains("row")) {
      const std::string& word = cells["row"].second;
      if (takes_away("row"))
        set("row", FieldValue(Id{0}));
      else if (const auto at = rows.find({hall, word}); at != rows.end())
        set("row", FieldValue(at->second));
      else if (hall != 0) {
        row.new_row = word;
        row.new_row_hall = hall;
      }
    }
    if (existing && existing->locked && (!row.fields.empty() || !row.new_row.empty()))
      refuse("", "", "the rack is locked; unlock it to change it");

    if (out.errors.size() > errors_before)
      row.what = RackListRow::What::refused, ++out.refused;
    else if (!existing)
      row.what = RackListRow::What::added, ++out.added;
    else if (row.fields.empty() && row.new_row.empty())
      row.what = RackListRow::What::unchanged, ++out.unchanged;
    else
      row.what = RackListRow::What::changed, ++out.changed;
    if (row.what != RackListRow::What::refused && !row.new_row.empty() && made_rows.insert(row.new_row).second)
      out.new_rows.push_back(row.new_row);
    out.rows.push_back(std::move(row));
  }
  return out;
}

Edit rack_list_edit(const RackList& list) {
  std::string label = list.added > 0 ? fmt::format("Add {} rack{}", list.added, list.added == 1 ? "" : "s") : "";
  if (list.changed > 0)
    label += label.empty() ? fmt::format("Change {} rack{}", list.changed, list.changed == 1 ? "" : "s")
                           : fmt::format(", change {}", list.changed);
  if (label.empty()) label = "Take a list of racks";
  std::vector<RackListRow> rows;
  for (const RackListRow& r : list.rows)
    if (r.what == RackListRow::What::added || r.what == RackListRow::What::changed) rows.push_back(r);
  return {
      label, [rows](const Design& design) -> Edited {
        Design out = design;
        std::vector<Row> all_rows = *design.rows;
        std::vector<Rack> racks = *design.racks;
        std::map<std::pair<Id, std::string>, Id> made;
        std::map<std::string_view, const Field<Rack>*> by_name;
        for (const Field<Rack>& f : fields<Rack>())
          by_name[f.name] = &f;
        std::set<std::string> names;
        for (const Rack& r : racks)
          names.insert(r.name);
        bool rows_changed = false;
        for (const RackListRow& r : rows) {
          std::vector<std::pair<std::string, FieldValue>> values = r.fields;
          if (!r.new_row.empty()) {
            auto at = made.find({r.new_row_hall, r.new_row});
            if (at == made.end()) {
              Id id = 0;
              for (const Row& present : all_rows)
                if (present.hall == r.new_row_hall && present.name == r.new_row) id = present.id;
              if (id == 0) {
                id = out.next_id++;
                all_rows.push_back(Row{.id = id, .name = r.new_row, .hall = r.new_row_hall});
                rows_changed = true;
              }
              at = made.emplace(std::pair(r.new_row_hall, r.new_row), id).first;
            }
            values.emplace_back("row", FieldValue(at->second));
          }
          Rack* rack = nullptr;
          if (r.rack != 0) {
            auto at =
                std::lower_bound(racks.begin(), racks.end(), r.rack, [](const Rack& k, Id id) { return k.id < id; });
            if (at == racks.end() || at->id != r.rack)
              return tl::make_unexpected(
                  fmt::format("rack {} of the list is no longer in the design; read the list again", r.name));
            rack = &*at;
          } else {
            if (!names.insert(r.name).second)
              return tl::make_unexpected(fmt::format("rack {} is in the design already; read the list again", r.name));
            racks.push_back(Rack{.id = out.next_id++});
            rack = &racks.back();
          }
          for (const auto& [name, value] : values) {
            const Field<Rack>& f = *by_name.at(name);
            if (f.type == FieldType::reference) {
              const Id id = std::get<Id>(value);
              if (id != 0 && name != "row" && table_of(design, id) != f.target)
                return tl::make_unexpected(
                    fmt::format("rack {}: what the list names as {} is no longer in the design; read the list again",
                                r.name, f.label));
            }
            if (auto allowed = check_field(f, value); !allowed)
              return tl::make_unexpected(fmt::format("rack {}: {}", r.name, allowed.error()));
            f.set(*rack, value);
          }
        }
        out.racks = share(std::move(racks));
        if (rows_changed) out.rows = share(std::move(all_rows));
        return out;
      }};
}

std::string racks_as_list(const Design& design, const std::vector<Id>& racks, DecimalMark mark) {
  const std::set<Id> wanted(racks.begin(), racks.end());
  auto cell = [](std::string text) {
    text = guarded_cell(text);
    if (text.find_first_of("\t\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (char c : text)
      out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
  };
  auto number = [&](const Rack& r, std::string_view name) {
    const FieldInfo& f = rack_field(name);
    std::string text = exact_field_text(f, *get_field(design, {"racks", r.id}, name));
    const std::string unit = " " + std::string(f.unit);
    if (text.ends_with(unit)) text.resize(text.size() - unit.size()); // another unit stays beside its number
    if (mark == DecimalMark::comma) std::replace(text.begin(), text.end(), '.', ',');
    return text;
  };
  auto name_of = [&](const auto& list, Id id) {
    const auto* e = find(list, id);
    return cell(e ? e->name : "");
  };
  std::string out = fmt::format("name\ttype\thall\trow\tx [{}]\ty [{}]\trotation [{}]\tfeed A\tfeed B\tloop\n",
                                rack_field("x").unit, rack_field("y").unit, rack_field("rotation").unit);
  for (const Rack& r : *design.racks) {
    if (!wanted.empty() && !wanted.contains(r.id)) continue;
    out += cell(r.name) + '\t' + name_of(*design.rack_types, r.rack_type) + '\t' + name_of(*design.halls, r.hall) +
           '\t' + name_of(*design.rows, r.row) + '\t' + number(r, "x") + '\t' + number(r, "y") + '\t' +
           number(r, "rotation") + '\t' + name_of(*design.power_units, r.feed_a) + '\t' +
           name_of(*design.power_units, r.feed_b) + '\t' + name_of(*design.loops, r.loop) + '\n';
  }
  return out;
}

} // namespace hallwright
