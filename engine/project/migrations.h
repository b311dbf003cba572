// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include <tl/expected.hpp>

struct sqlite3;

/// Steps that bring a `.hall` of an older schema version up to the present one. They run on a copy in memory.
namespace hallwright {

struct Migration {
  int from = 0; ///< brings version `from` to `from + 1`
  /// Changes tables of the copy; an error is one sentence.
  tl::expected<void, std::string> (*apply)(sqlite3* copy) = nullptr;
};

/// All steps that this program knows.
std::span<const Migration> known_migrations();

/// Runs SQL statements on the copy: what most steps consist of.
tl::expected<void, std::string> run_sql(sqlite3* copy, const char* sql);

/// Applies the steps from version `from` up to `to`, each once; names the version that has no step.
tl::expected<void, std::string> migrate(sqlite3* copy, int from, int to, std::span<const Migration> steps);

} // namespace hallwright
