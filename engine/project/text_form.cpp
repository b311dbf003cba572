// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/text_form.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "project/json_node.h"
#include "project/stored_tables.h"

namespace hallwright {
namespace {

constexpr std::string_view format_word = "hallwright-design";

/// Pure numbers are JSON numbers; amounts with a unit and percentages are text.
bool is_pure(const FieldInfo& field) { return field.kind == nullptr || (field.kind->base_symbol == "1" && field.kind->scale != Scale::percent); }

std::string number_text(const FieldInfo& field, double value) {
  if (is_pure(field)) return exact_number(value);
  std::string text = exact_field_text(field, value);
  // The printer sets a thin space before the percent sign; a plain one can be typed and searched.
  if (const auto thin = text.find("\u2009"); thin != std::string::npos) text.replace(thin, std::string_view("\u2009").size(), " ");
  const auto back = parse_quantity(text, *field.kind);
  if (!back || *back != value) text = exact_number(value) + (field.kind->base_symbol == "1" ? "" : " " + std::string(field.kind->base_symbol));
  return json_quoted(text);
}

std::string value_text(const FieldInfo& field, const FieldValue& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return number_text(field, *number);
  if (const auto* text = std::get_if<std::string>(&value)) return json_quoted(*text);
  return "null";
}

std::string record_text(const StoredTable& table, const StoredRecord& record) {
  std::string out = "{";
  if (!table.single) out += "\"id\": " + std::to_string(record.id);
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    const bool unset = std::holds_alternative<std::monostate>(record.values[i]);
    if (unset && std::holds_alternative<std::monostate>(table.defaults[i])) continue;
    if (out.size() > 1) out += ", ";
    out += json_quoted(table.fields[i].name) + ": " + value_text(table.fields[i], record.values[i]);
  }
  return out + "}";
}

std::string shown(const JsonNode& node) {
  switch (node.kind) {
  case JsonNode::Kind::null: return "null";
  case JsonNode::Kind::boolean: return node.yes ? "true" : "false";
  case JsonNode::Kind::integer:
  case JsonNode::Kind::number: return node.text;
  case JsonNode::Kind::text: return "'" + node.text.substr(0, 80) + "'";
  case JsonNode::Kind::array: return "a list";
  case JsonNode::Kind::object: return "an object";
  }
  return "";
}

tl::expected<FieldValue, std::string> number_of(const JsonNode& node, const FieldInfo& field) {
  const bool is_number = node.kind == JsonNode::Kind::integer || node.kind == JsonNode::Kind::number;
  if (is_number && (field.kind == nullptr || field.kind->base_symbol == "1")) return FieldValue{node.number};
  const std::string unit(field.unit.empty() && field.kind != nullptr ? field.kind->base_symbol : field.unit);
  if (is_number) return tl::make_unexpected(node.text + " has no unit; write it as text, such as \"" + node.text + " " + unit + "\"");
  if (node.kind != JsonNode::Kind::text || field.kind == nullptr)
    return tl::make_unexpected(shown(node) + " is not a number" + (unit.empty() ? "" : " with a unit, such as \"1 " + unit + "\""));
  auto amount = parse_quantity(node.text, *field.kind);
  if (!amount) return tl::make_unexpected(std::move(amount.error()));
  return FieldValue{*amount};
}

constexpr double exact_whole = 9007199254740992.0; // 2^53: every whole number up to here is exact

/// A whole number in quotation marks.
bool quoted_number(const JsonNode& node) {
  std::int64_t value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [at, failed] = std::from_chars(node.text.data(), end, value);
  return node.kind == JsonNode::Kind::text && failed == std::errc() && at == end;
}
std::string in_quotation_marks(const JsonNode& node) {
  return " stands in quotation marks; write the number without them: " + node.text;
}

/// The value of a field, not yet checked for its range.
tl::expected<FieldValue, std::string> value_of(const JsonNode& node, const FieldInfo& field) {
  using Kind = JsonNode::Kind;
  if (node.kind == Kind::null) {
    if (field.type == FieldType::reference) return FieldValue{std::int64_t{0}};
    if (field.type == FieldType::part) return FieldValue{std::string()};
    if (field.optional) return FieldValue{std::monostate{}};
    return tl::make_unexpected(std::string("null is not allowed; a value is needed"));
  }
  switch (field.type) {
  case FieldType::number: return number_of(node, field);
  case FieldType::count:
  case FieldType::reference:
    if (node.kind == Kind::integer) return FieldValue{node.integer};
    if (node.kind == Kind::number && node.number == std::floor(node.number) && std::fabs(node.number) <= exact_whole)
      return FieldValue{static_cast<std::int64_t>(node.number)};
    if (quoted_number(node)) return tl::make_unexpected(shown(node) + in_quotation_marks(node));
    return tl::make_unexpected(shown(node) + " is not a whole number");
  case FieldType::boolean:
    if (node.kind == Kind::boolean) return FieldValue{node.yes};
    return tl::make_unexpected(shown(node) + " is neither true nor false");
  default:
    if (node.kind == Kind::text) return FieldValue{node.text};
    return tl::make_unexpected(shown(node) + " is not a text in quotation marks");
  }
}

std::string known_words(const std::vector<FieldInfo>& fields) {
  std::string out;
  for (const FieldInfo& f : fields) out += (out.empty() ? "" : ", ") + std::string(f.name);
  return out;
}

class Reader {
public:
  Reader(const std::string& name, int schema) : complaints_(name), schema_(schema) {}

  tl::expected<ReadText, std::string> read(std::string_view text) {
    const auto parsed = parse_json(text);
    if (!parsed) {
      complaints_.add(parsed.error().line, "damaged: " + parsed.error().what);
      return tl::make_unexpected(complaints_.text());
    }
    if (!header(*parsed)) return tl::make_unexpected(complaints_.text());
    std::set<std::string_view> seen;
    for (const auto& [key, node] : parsed->members) {
      if (!seen.insert(key).second) {
        complaints_.add(node.line, "'" + key + "' stands there twice");
        continue;
      }
      if (key == "format" || key == "version") continue;
      if (key == "next_id") {
        if (node.kind == JsonNode::Kind::integer) next_id_ = node.integer;
        else complaints_.add(node.line, "next_id: " + shown(node) + " is not a whole number");
        continue;
      }
      const auto table = std::find_if(tables_.begin(), tables_.end(), [&](const StoredTable& t) { return t.word == key; });
      if (table == tables_.end()) unknown(node.line, "table '" + key + "'", "tables are " + table_words());
      else read_table(node, *table);
    }
    for (StoredTable& table : tables_) {
      if (table.single && table.records.empty()) table.records.push_back({.id = 0, .line = 0, .values = table.defaults});
    }
    if (auto design = design_of(tables_, next_id_, complaints_)) out_.design = *std::move(design);
    if (!complaints_.empty()) return tl::make_unexpected(complaints_.text());
    return std::move(out_);
  }

private:
  bool header(const JsonNode& root) {
    const JsonNode *format = nullptr, *version = nullptr;
    for (const auto& [key, node] : root.members) {
      if (key == "format" && format == nullptr) format = &node;
      if (key == "version" && version == nullptr) version = &node;
    }
    if (root.kind != JsonNode::Kind::object || format == nullptr || format->kind != JsonNode::Kind::text || format->text != format_word) {
      complaints_.add(0, R"(it is JSON, but not a Hallwright project: "format": "hallwright-design" is missing)");
      return false;
    }
    if (version == nullptr || version->kind != JsonNode::Kind::integer || version->integer < 0 || version->integer > 1000000) {
      complaints_.add(version == nullptr ? format->line : version->line,
                      "the version is missing or not a whole number; \"version\": " + std::to_string(schema_) + " is what this program writes");
      return false;
    }
    out_.version = static_cast<int>(version->integer);
    if (out_.version < 1) {
      complaints_.add(version->line, "version " + std::to_string(out_.version) + " of the text form was never written; 1 to " +
                                         std::to_string(schema_) + " is allowed");
      return false;
    }
    return true;
  }

  /// An error, except in a file of a newer version.
  void unknown(int line, const std::string& what, const std::string& allowed) {
    if (out_.version > schema_) out_.unknown.push_back(what);
    else complaints_.add(line, what + " is not known; " + allowed);
  }

  [[nodiscard]] std::string table_words() const {
    std::string words;
    for (const StoredTable& t : tables_) words += (words.empty() ? "" : ", ") + std::string(t.word);
    return words;
  }

  void read_table(const JsonNode& node, StoredTable& table) {
    if (table.single) {
      read_record(node, table);
      return;
    }
    if (node.kind != JsonNode::Kind::array) {
      complaints_.add(node.line, std::string(table.word) + ": " + shown(node) + " is not a list of entities");
      return;
    }
    table.records.reserve(node.items.size());
    for (const JsonNode& item : node.items) read_record(item, table);
  }

  void read_record(const JsonNode& node, StoredTable& table) {
    if (node.kind != JsonNode::Kind::object) {
      complaints_.add(node.line, std::string(table.word) + ": " + shown(node) + " is not an object");
      if (table.single) table.records.push_back({.id = 0, .line = node.line, .values = table.defaults});
      return;
    }
    StoredRecord record{.id = 0, .line = node.line, .values = table.defaults};
    bool has_id = table.single, wrong_id = false;
    for (const auto& [key, value] : node.members) {
      if (key != "id" || table.single) continue;
      has_id = true;
      const bool number = value.kind == JsonNode::Kind::integer || value.kind == JsonNode::Kind::number;
      const bool whole = number && value.number == std::floor(value.number);
      if (value.kind == JsonNode::Kind::integer) record.id = value.integer;
      else if (whole && std::fabs(value.number) <= exact_whole) record.id = static_cast<Id>(value.number);
      else {
        complaints_.add(value.line, std::string(table.word) + ", field 'id': " + shown(value) +
                                        (whole ? " is too large for an id; at most 9007199254740992 (2^53) is allowed"
                                         : quoted_number(value) ? in_quotation_marks(value)
                                                                : " is not a whole number"));
        wrong_id = true;
      }
      break;
    }
    if (!has_id) complaints_.add(node.line, std::string(table.word) + ": an entity has no id; write a whole number from 1, such as \"id\": 7");
    std::set<std::string_view> seen;
    for (const auto& [key, value] : node.members) {
      const std::string place = record_name(table, record.id) + ", field '" + key + "': ";
      if (!seen.insert(key).second) {
        complaints_.add(value.line, place + "stands there twice");
        continue;
      }
      if (key == "id" && !table.single) continue;
      const auto field = std::find_if(table.fields.begin(), table.fields.end(), [&](const FieldInfo& f) { return f.name == key; });
      if (field == table.fields.end()) {
        unknown(value.line, record_name(table, record.id) + ", field '" + key + "'", "fields are " + known_words(table.fields));
        continue;
      }
      if (auto read = value_of(value, *field)) record.values[static_cast<std::size_t>(field - table.fields.begin())] = *std::move(read);
      else complaints_.add(value.line, place + read.error());
    }
    if (!has_id || wrong_id) return; // has been said; without an id nothing else can be
    table.records.push_back(std::move(record));
  }

  Complaints complaints_;
  int schema_;
  std::vector<StoredTable> tables_ = table_layout();
  std::optional<Id> next_id_;
  ReadText out_;
};

} // namespace

std::string write_text(const Design& design, int version) {
  std::string out = "{\n\"format\": \"" + std::string(format_word) + "\",\n\"version\": " + std::to_string(version) +
                    ",\n\"next_id\": " + std::to_string(design.next_id);
  for (const StoredTable& table : stored_tables(design)) {
    out += ",\n" + json_quoted(table.word) + ": ";
    if (table.single) {
      out += record_text(table, table.records.front());
      continue;
    }
    out += "[";
    for (std::size_t i = 0; i < table.records.size(); ++i) out += (i == 0 ? "\n  " : ",\n  ") + record_text(table, table.records[i]);
    out += table.records.empty() ? "]" : "\n]";
  }
  return out + "\n}\n";
}

tl::expected<ReadText, std::string> read_text(std::string_view text, const std::string& name, int schema) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return Reader(name, schema).read(text);
}

} // namespace hallwright
