// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/database_form.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <set>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "project/stored_tables.h"

namespace hallwright {
namespace {

constexpr std::string_view header_text("SQLite format 3\0", 16);
constexpr std::size_t header_size = 100;

int header_number(std::string_view content, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = out << 8U | static_cast<unsigned char>(content[at + i]);
  return static_cast<int>(out);
}

std::string sql_name(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string unit_slug(std::string_view symbol) {
  std::string out;
  for (const char c : symbol) {
    if (c == '/') out += out.empty() ? "per_" : "_per_";
    else if (c == ' ') out += '_';
    else if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  if (out.starts_with("1_per_")) out.erase(0, 2);
  return out;
}

std::string declaration(const FieldInfo& field) {
  const std::string name = sql_name(column_name(field));
  switch (field.type) {
  case FieldType::number: return name + " REAL";
  case FieldType::count:
  case FieldType::boolean: return name + " INTEGER";
  case FieldType::reference:
    if (field.target == any_table) return name + " INTEGER";
    return name + " INTEGER REFERENCES " + sql_name(field.target) + "(id)";
  default: return name + " TEXT";
  }
}

void bind_value(SQLite::Statement& statement, int at, const FieldInfo& field, const FieldValue& value) {
  if (const auto* yes = std::get_if<bool>(&value)) statement.bind(at, *yes ? 1 : 0);
  else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    if (field.type == FieldType::reference && *whole == 0) statement.bind(at);
    else statement.bind(at, static_cast<std::int64_t>(*whole));
  } else if (const auto* number = std::get_if<double>(&value)) statement.bind(at, *number);
  else if (const auto* text = std::get_if<std::string>(&value)) statement.bind(at, *text);
  else statement.bind(at);
}

std::string shown(const SQLite::Column& column) {
  if (column.isNull()) return "nothing";
  if (column.isBlob()) return "binary data";
  return "'" + std::string(column.getText()).substr(0, 80) + "'";
}

/// The value of a column as the field wants it, or what the field wants.
tl::expected<FieldValue, std::string_view> value_of(const SQLite::Column& column, const FieldInfo& field) {
  if (column.isNull()) {
    if (field.type == FieldType::reference) return FieldValue{std::int64_t{0}};
    if (field.optional) return FieldValue{std::monostate{}};
    return tl::make_unexpected(std::string_view("a value is needed"));
  }
  switch (field.type) {
  case FieldType::number:
    if (column.isFloat() || column.isInteger()) return FieldValue{column.getDouble()};
    return tl::make_unexpected(std::string_view("a number is needed"));
  case FieldType::boolean:
    if (column.isInteger() && (column.getInt64() == 0 || column.getInt64() == 1)) return FieldValue{column.getInt64() == 1};
    return tl::make_unexpected(std::string_view("1 for yes or 0 for no is needed"));
  case FieldType::count:
  case FieldType::reference:
    if (column.isInteger()) return FieldValue{static_cast<std::int64_t>(column.getInt64())};
    return tl::make_unexpected(std::string_view("a whole number is needed"));
  default:
    if (column.isText()) return FieldValue{column.getString()};
    return tl::make_unexpected(std::string_view("a text is needed"));
  }
}

std::vector<std::string> columns_of(SQLite::Database& database, std::string_view table) {
  std::vector<std::string> out;
  SQLite::Statement query(database, "SELECT name FROM pragma_table_info(?)");
  query.bind(1, std::string(table));
  while (query.executeStep()) out.push_back(query.getColumn(0).getString());
  return out;
}

void read_table(SQLite::Database& database, StoredTable& table, ReadDatabase& out, Complaints& complaints) {
  const std::vector<std::string> found = columns_of(database, table.word);
  if (found.empty()) {
    complaints.add(0, "the table '" + std::string(table.word) + "' is missing");
    return;
  }
  std::set<std::string> unknown(found.begin(), found.end());
  std::string sql = "SELECT id";
  std::vector<std::size_t> read; // the fields that the file has
  if (unknown.erase("id") == 0) {
    complaints.add(0, std::string(table.word) + ": the column 'id' is missing");
    return;
  }
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    const std::string column = column_name(table.fields[i]);
    if (unknown.erase(column) == 0) {
      out.missing.push_back(std::string(table.word) + "." + column);
      continue;
    }
    sql += ", " + sql_name(column);
    read.push_back(i);
  }
  for (const std::string& column : unknown) out.unknown.push_back("column " + std::string(table.word) + "." + column);

  SQLite::Statement query(database, sql + " FROM " + sql_name(table.word) + " ORDER BY id");
  while (query.executeStep()) {
    StoredRecord record{.id = query.getColumn(0).getInt64(), .line = 0, .values = table.defaults};
    for (std::size_t k = 0; k < read.size(); ++k) {
      const FieldInfo& field = table.fields[read[k]];
      const SQLite::Column column = query.getColumn(static_cast<int>(k) + 1);
      if (auto value = value_of(column, field)) record.values[read[k]] = *std::move(value);
      else
        complaints.add(0, record_name(table, record.id) + ", field '" + column_name(field) + "': " + shown(column) + ": " +
                              std::string(value.error()));
    }
    table.records.push_back(std::move(record));
  }
}

/// An open database in memory that holds a copy of `content`.
std::unique_ptr<SQLite::Database> opened_copy(std::string_view content) {
  auto database = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  auto* bytes = static_cast<unsigned char*>(sqlite3_malloc64(content.size()));
  if (bytes == nullptr) throw SQLite::Exception("out of memory");
  std::memcpy(bytes, content.data(), content.size());
  const auto size = static_cast<sqlite3_int64>(content.size());
  if (sqlite3_deserialize(database->getHandle(), "main", bytes, size, size, SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) !=
      SQLITE_OK)
    throw SQLite::Exception(database->getHandle());
  // What a stranger's file brings along (triggers, views with functions) is not run.
  database->exec("PRAGMA trusted_schema = OFF");
  return database;
}

std::string integrity_fault(SQLite::Database& database) {
  SQLite::Statement query(database, "PRAGMA integrity_check(3)");
  std::string out;
  while (query.executeStep()) {
    const std::string line = query.getColumn(0).getString();
    if (line != "ok") out += (out.empty() ? "" : "; ") + line;
  }
  return out;
}

} // namespace

std::string column_name(const FieldInfo& field) {
  std::string name(field.name);
  if (field.type == FieldType::outline) return name + "_mm";
  if (field.type != FieldType::number || field.kind == nullptr || field.kind->base_symbol == "1") return name;
  return name + "_" + unit_slug(field.kind->base_symbol);
}

tl::expected<std::string, std::string> write_database(const Design& design, const Meta& meta, int version) {
  try {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("PRAGMA page_size = 4096; PRAGMA application_id = " + std::to_string(hall_application_id) +
                  "; PRAGMA user_version = " + std::to_string(version));
    SQLite::Transaction all(database);
    database.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    {
      SQLite::Statement insert(database, "INSERT INTO meta VALUES (?, ?)");
      Meta entries = meta;
      entries["format"] = "hallwright-design";
      entries["next_id"] = std::to_string(design.next_id);
      for (const auto& [key, value] : entries) {
        insert.bind(1, key);
        insert.bind(2, value);
        insert.exec();
        insert.reset();
      }
    }
    for (const StoredTable& table : stored_tables(design)) {
      std::string create = "CREATE TABLE " + sql_name(table.word) + " (id INTEGER PRIMARY KEY";
      std::string insert = "INSERT INTO " + sql_name(table.word) + " VALUES (?";
      for (const FieldInfo& field : table.fields) {
        create += ", " + declaration(field);
        insert += ", ?";
      }
      database.exec(create + ")");
      SQLite::Statement statement(database, insert + ")");
      for (const StoredRecord& record : table.records) {
        statement.bind(1, static_cast<std::int64_t>(table.single ? 1 : record.id));
        for (std::size_t i = 0; i < table.fields.size(); ++i) {
          if (const auto* number = std::get_if<double>(&record.values[i]); number != nullptr && !std::isfinite(*number))
            return tl::make_unexpected(record_name(table, record.id) + ", field '" + std::string(table.fields[i].name) +
                                       "': the value is not a finite number");
          bind_value(statement, static_cast<int>(i) + 2, table.fields[i], record.values[i]);
        }
        statement.exec();
        statement.reset();
      }
    }
    all.commit();
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> bytes(sqlite3_serialize(database.getHandle(), "main", &size, 0), &sqlite3_free);
    if (bytes == nullptr) return tl::make_unexpected(std::string("there is not enough memory"));
    return std::string(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size));
  } catch (const std::exception& fault) {
    return tl::make_unexpected(std::string("the database could not be made: ") + fault.what());
  }
}

bool looks_like_database(std::string_view content) { return content.starts_with(header_text); }

int database_version(std::string_view content) {
  if (!looks_like_database(content) || content.size() < header_size || header_number(content, 68) != hall_application_id) return -1;
  return header_number(content, 60);
}

tl::expected<ReadDatabase, std::string> read_database(std::string content, const std::string& name, int schema,
                                                      std::span<const Migration> migrations) {
  const auto refuse = [&](const std::string& why) { return tl::make_unexpected(name + ": " + why); };
  if (!looks_like_database(content) || content.size() < header_size) return refuse("damaged: it is not a whole database");
  if (header_number(content, 68) != hall_application_id)
    return refuse("it is a SQLite database of another program, not a Hallwright project (application id " +
                  std::to_string(static_cast<std::uint32_t>(header_number(content, 68))) + ")");
  const auto pages = static_cast<std::uint64_t>(static_cast<std::uint32_t>(header_number(content, 28)));
  const auto page = (static_cast<unsigned char>(content[16]) << 8U) + static_cast<unsigned char>(content[17]);
  const std::uint64_t page_size = page == 1 ? 65536U : static_cast<std::uint64_t>(page);
  if (pages * page_size > content.size())
    return refuse("damaged: the end is missing; " + std::to_string(content.size()) + " of " + std::to_string(pages * page_size) + " bytes are there");
  // Another program may have switched it to write-ahead logging. In memory there is no log; `open_project` has made
  // sure that none lies beside the file.
  content[18] = content[19] = 1;
  ReadDatabase out;
  out.version = header_number(content, 60);
  try {
    const auto database = opened_copy(content);
    if (const std::string fault = integrity_fault(*database); !fault.empty()) return refuse("damaged: " + fault);
    if (out.version < schema) {
      if (auto done = migrate(database->getHandle(), out.version, schema, migrations); !done)
        return refuse("it was made by version " + std::to_string(out.version) + " of the project file, and " + done.error());
    }
    Complaints complaints(name);
    std::vector<StoredTable> tables = table_layout();
    std::set<std::string> known{"meta"};
    for (const StoredTable& table : tables) known.insert(std::string(table.word));
    SQLite::Statement names(*database, "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view', 'trigger') "
                                       "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name");
    bool has_meta = false;
    while (names.executeStep()) {
      const std::string found = names.getColumn(1).getString();
      if (found == "meta") has_meta = true;
      if (!known.contains(found)) out.unknown.push_back(names.getColumn(0).getString() + " " + found);
    }
    if (!has_meta) return refuse("damaged: the table 'meta' is missing");
    SQLite::Statement entries(*database, "SELECT key, value FROM meta ORDER BY key");
    while (entries.executeStep()) out.meta[entries.getColumn(0).getString()] = entries.getColumn(1).getString();
    for (StoredTable& table : tables) {
      read_table(*database, table, out, complaints);
      if (table.single) {
        for (StoredRecord& record : table.records) record.id = 0;
      }
    }
    std::optional<Id> next_id;
    const std::string& word = out.meta["next_id"];
    Id number = 0;
    const auto [rest, ec] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (ec == std::errc() && rest == word.data() + word.size() && !word.empty()) next_id = number;
    else complaints.add(0, "meta, next_id: '" + word + "' is not a whole number");
    if (out.version > schema && !out.missing.empty())
      complaints.add(0, "the column '" + out.missing.front() + "' is missing");
    if (auto design = design_of(tables, next_id, complaints)) out.design = *std::move(design);
    if (!complaints.empty()) return tl::make_unexpected(complaints.text());
  } catch (const std::exception& fault) {
    return refuse(std::string("damaged: ") + fault.what());
  }
  return out;
}

} // namespace hallwright
