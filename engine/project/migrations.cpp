// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/migrations.h"

#include <algorithm>

#include <sqlite3.h>

namespace hallwright {

namespace {

/// Version 2 draws more: its tables. Columns that a version 1 file lacks take their defaults when it is read.
tl::expected<void, std::string> add_drawing_tables(sqlite3* copy) {
  return run_sql(copy, "CREATE TABLE zones (id INTEGER PRIMARY KEY); CREATE TABLE containments (id INTEGER PRIMARY KEY);"
                       "CREATE TABLE trays (id INTEGER PRIMARY KEY); CREATE TABLE pipes (id INTEGER PRIMARY KEY);"
                       "CREATE TABLE dimensions (id INTEGER PRIMARY KEY); CREATE TABLE guides (id INTEGER PRIMARY KEY);"
                       "CREATE TABLE underlays (id INTEGER PRIMARY KEY); CREATE TABLE groups (id INTEGER PRIMARY KEY)");
}

/// Version 3 states traffic and failures of the fabric.
tl::expected<void, std::string> add_fabric_tables(sqlite3* copy) {
  return run_sql(copy, "CREATE TABLE communicators (id INTEGER PRIMARY KEY); CREATE TABLE failures (id INTEGER PRIMARY KEY)");
}

} // namespace

std::span<const Migration> known_migrations() {
  static constexpr Migration list[] = {{1, &add_drawing_tables}, {2, &add_fabric_tables}};
  return list;
}

tl::expected<void, std::string> run_sql(sqlite3* copy, const char* sql) {
  char* message = nullptr;
  if (sqlite3_exec(copy, sql, nullptr, nullptr, &message) == SQLITE_OK) return {};
  std::string why = message != nullptr ? message : sqlite3_errmsg(copy);
  sqlite3_free(message);
  return tl::make_unexpected(std::move(why));
}

tl::expected<void, std::string> migrate(sqlite3* copy, int from, int to, std::span<const Migration> steps) {
  for (int version = from; version < to; ++version) {
    const auto step = std::find_if(steps.begin(), steps.end(), [&](const Migration& m) { return m.from == version; });
    if (step == steps.end())
      return tl::make_unexpected("this program has no step from version " + std::to_string(version) + " to " + std::to_string(version + 1));
    if (auto done = step->apply(copy); !done)
      return tl::make_unexpected("the step from version " + std::to_string(version) + " failed: " + done.error());
    const std::string stamp = "PRAGMA user_version = " + std::to_string(version + 1);
    if (auto done = run_sql(copy, stamp.c_str()); !done) return done;
  }
  return {};
}

} // namespace hallwright
