// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "design/design.h"
#include "project/durable_file.h"
#include "project/lock.h"
#include "project/migrations.h"

/// Opening and saving projects.
///
/// Two forms hold the same: `.hall` (SQLite, for work) and `.hall.json` (one entity a line, for review and version
/// control). Which of them a file is, its content tells, not its name. A save never writes into the project: it writes a
/// new file beside it, flushes it, reads it back, and renames it over, so that a reader sees the old or the new one.
namespace hallwright {

/// Version of the tables that this program writes (`user_version` in `.hall`, `version` in `.hall.json`).
inline constexpr int schema_version = 3;
/// How many earlier saves of a project are kept in `.hallwright-backups` beside it.
inline constexpr std::size_t backups_kept = 10;

enum class Access : std::uint8_t { read_write, read_only };

struct OpenOptions {
  /// When set, the project is locked under this name; when someone else holds the lock it opens read-only.
  /// Not set (reports, comparisons): no lock is taken, and a lock of somebody else is not asked about.
  std::optional<LockOwner> lock_as;
  /// Steps from older schema versions.
  std::span<const Migration> migrations = known_migrations();
};

struct OpenedProject {
  Design design;
  std::string path; ///< as it was given to `open_project`
  Access access = Access::read_write;
  std::string remark;             ///< why it is read-only and who holds it, or from which older version it comes; else empty
  std::string form;               ///< ".hall" or ".hall.json"
  std::vector<std::string> notes; ///< what else to know: fields that the file is too old to have, and took their default
  std::int64_t edit_count = 0;    ///< committed changes when it was saved (`.hall` only), to compare with a recovery file
  FileStamp stamp;                ///< of the file as it was read
  std::string program, saved_by;  ///< as of the last save (`.hall` only)
  std::shared_ptr<ProjectLock> lock; ///< held as long as a copy of this lives; null without a lock
};

/// Reads a project of either form. The file is never changed.
/// @return the design, read-only where saving could lose something (newer version, columns that this program does not
///         know) or somebody else holds the lock; otherwise a refusal: up to twenty sentences, one a line, that name
///         file, line, table, id, field, value and what is allowed. The refusal of a damaged file names the newest
///         backup that opens.
[[nodiscard]] tl::expected<OpenedProject, std::string> open_project(const std::filesystem::path& path, const OpenOptions& options = {});

/// The same from content that is already in memory; `name` is what the sentences call it.
[[nodiscard]] tl::expected<OpenedProject, std::string> read_project(std::string content, const std::string& name,
                                                                    const OpenOptions& options = {});

struct SaveOptions {
  std::string stamp;    ///< the time of the save for the name of the backup, "20260131T120000Z"; letters, digits, '-' and '_'
  std::string program = "0.1.0"; ///< version of the program
  std::string saved_by; ///< who saves
  std::int64_t edit_count = 0;
  /// What is expected to be there. Not set: whatever is there is replaced. Where another program has written something
  /// else meanwhile, the save is refused at the last moment before the new file takes its place; a file that has gone
  /// is written again.
  std::optional<FileStamp> replaces;
};

/// Saves a project: `.json` at the end of the path writes the text form, anything else SQLite.
///
/// What was there before becomes the newest of ten backups. On any failure (full disk, read-only folder, a file of a
/// newer version, a lock of somebody else) the file there stays as it is, no temporary file is left, and the sentence says why.
/// The new file has been read back, and gave the same design, before it takes the place of the old one.
[[nodiscard]] tl::expected<void, std::string> save_project(const Design& design, const std::filesystem::path& path,
                                                           const SaveOptions& options = {});

/// Backups of a project, newest first (by their running number, not by date).
[[nodiscard]] std::vector<std::filesystem::path> backups_of(const std::filesystem::path& path);

/// The text form of a design: ends with a newline, equal designs give equal bytes.
[[nodiscard]] std::string design_text(const Design& design);

} // namespace hallwright
