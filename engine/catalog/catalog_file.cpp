// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <stdexcept>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "catalog/catalog.h"
#include "catalog/catalog_cell.h"

namespace hallwright {
namespace {
constexpr int application_id = 0x48574354; // "HWCT"
constexpr int file_version = 1;

/// Names in brackets: SQLite takes a double-quoted name that no column has for a text, and would hand out the name itself.
template <class P>
std::string column_list() {
  std::string out;
  for (const auto& f : part_fields<P>()) out += (out.empty() ? "[" : ", [") + std::string(f.name) + "]";
  return out;
}

template <class P>
void write_kind(SQLite::Database& db, const Catalog& catalog) {
  std::string columns, marks;
  for (const auto& f : part_fields<P>()) {
    const char* type = f.type == FieldType::number ? "REAL" : f.type == FieldType::count ? "INTEGER" : "TEXT";
    columns += fmt::format("{}\"{}\" {}{}", columns.empty() ? "" : ", ", f.name, type, f.name == "id" ? " PRIMARY KEY" : "");
    marks += marks.empty() ? "?" : ", ?";
  }
  db.exec(fmt::format("CREATE TABLE \"{}\" ({}) WITHOUT ROWID", part_file<P>(), columns));
  SQLite::Statement insert(db, fmt::format("INSERT INTO \"{}\" VALUES ({})", part_file<P>(), marks));
  for (const P& part : catalog.of<P>()) {
    int i = 0;
    for (const auto& f : part_fields<P>()) {
      ++i;
      const FieldValue v = f.get(part);
      if (const auto* d = std::get_if<double>(&v)) insert.bind(i, catalog_cell_number(f, *d));
      else if (const auto* n = std::get_if<std::int64_t>(&v)) insert.bind(i, static_cast<std::int64_t>(*n));
      else if (const auto* s = std::get_if<std::string>(&v)) insert.bind(i, *s);
      else insert.bind(i);
    }
    insert.exec();
    insert.reset();
  }
}

template <class P>
void read_kind(SQLite::Database& db, Catalog& catalog) {
  auto& parts = catalog.of<P>();
  SQLite::Statement select(db, fmt::format("SELECT {} FROM \"{}\" ORDER BY id", column_list<P>(), part_file<P>()));
  while (select.executeStep()) {
    P part;
    int i = 0;
    for (const auto& f : part_fields<P>()) {
      const SQLite::Column c = select.getColumn(i++);
      if (c.isNull() && f.optional) continue;
      FieldValue value;
      if (f.type == FieldType::number && (c.isFloat() || c.isInteger())) value = catalog_base_value(f, c.getDouble());
      else if (f.type == FieldType::count && c.isInteger()) value = static_cast<std::int64_t>(c.getInt64());
      else if (c.isText()) value = c.getString();
      // A blank that damage turned into something else must not be taken for a number.
      if (auto allowed = check_field(f, value); !allowed)
        throw std::runtime_error(fmt::format("table {}, row '{}': {}", part_file<P>(), part.id, allowed.error()));
      f.set(part, value);
    }
    parts.push_back(std::move(part));
  }
}
} // namespace

tl::expected<void, std::string> write_catalog_file(const Catalog& catalog, const std::string& file) {
  const std::string temporary = file + ".writing";
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  try {
    {
      SQLite::Database db(temporary, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      db.exec(fmt::format("PRAGMA application_id = {}", application_id));
      db.exec(fmt::format("PRAGMA user_version = {}", file_version));
      SQLite::Transaction transaction(db);
      db.exec("CREATE TABLE catalog (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
      SQLite::Statement date(db, "INSERT INTO catalog VALUES ('date', ?)");
      date.bind(1, catalog.date);
      date.exec();
      for_each_part_type([&]<class P>(std::type_identity<P>) { write_kind<P>(db, catalog); });
      transaction.commit();
    }
    std::filesystem::rename(temporary, file);
  } catch (const std::exception& e) {
    std::filesystem::remove(temporary, ignored);
    return tl::make_unexpected(fmt::format("{} cannot be written: {}", file, e.what()));
  }
  return {};
}

tl::expected<Catalog, std::string> read_catalog_file(const std::string& file) {
  std::error_code unreadable;
  if (!std::filesystem::exists(file, unreadable)) return tl::make_unexpected(file + " is not there: the build makes it from the text catalog");
  if (!std::filesystem::is_regular_file(file, unreadable)) return tl::make_unexpected(file + " cannot be read: it is not a regular file");
  try {
    SQLite::Database db(file, SQLite::OPEN_READONLY);
    if (db.execAndGet("PRAGMA application_id").getInt() != application_id) return tl::make_unexpected(file + " is not a catalog of this program");
    const int version = db.execAndGet("PRAGMA user_version").getInt();
    if (version != file_version)
      return tl::make_unexpected(fmt::format("{} is a catalog of version {}; this program reads version {}", file, version, file_version));
    Catalog catalog;
    catalog.date = db.execAndGet("SELECT value FROM catalog WHERE key = 'date'").getString();
    for_each_part_type([&]<class P>(std::type_identity<P>) { read_kind<P>(db, catalog); });
    return catalog;
  } catch (const std::exception& e) {
    return tl::make_unexpected(fmt::format("{} cannot be read: {}", file, e.what()));
  }
}

tl::expected<std::string, std::string> find_catalog_file(const std::string& program_folder, const std::string& wanted) {
  std::error_code unreadable;
  if (!wanted.empty()) {
    if (std::filesystem::exists(wanted, unreadable)) return wanted;
    return tl::make_unexpected(wanted + ", which HALLWRIGHT_CATALOG names, is not there");
  }
  const std::string beside = (std::filesystem::path(program_folder) / ".." / "share" / "hallwright" / "catalog.sqlite").lexically_normal().string();
  if (std::filesystem::exists(beside, unreadable)) return beside;
  return tl::make_unexpected("the catalog is not found at " + beside + "; build the program, or name a file in HALLWRIGHT_CATALOG");
}

} // namespace hallwright
