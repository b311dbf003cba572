// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/migrations.h"

#include <algorithm>

#include <sqlite3.h>

namespace hallwright {

std::span<const Migration> known_migrations() { return {}; }

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
