// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "design/design.h"
#include "project/process.h"

namespace hallwright {
struct OpenedProject;

/// Keeps the newest design of one open document in a recovery file, until the document is closed.
///
/// The file is a `.hall` of its own in the recovery folder, named after the project's path and this process. Each write
/// replaces it whole and flushes it, so that a killed process leaves the last design that was written.
class RecoveryWriter {
public:
  /// @param folder   made when it is not there
  /// @param project  path of the project; empty for one that has not been saved
  /// @param document tells open documents of this process apart, from 1
  RecoveryWriter(std::filesystem::path folder, const std::filesystem::path& project, int document = 1);

  /// Writes the design as it is after `edit_count` committed changes. `stamp`: the time, as it will be shown.
  /// On an error the previous recovery file stays.
  [[nodiscard]] tl::expected<void, std::string> write(const Design& design, std::int64_t edit_count, const std::string& stamp = {});
  /// After a clean save or close: nothing is left to recover. (A destructor that did this would also run on a crash.)
  void remove();

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
  std::filesystem::path file_;
  std::string project_;
};

/// A recovery file whose process has ended.
struct Recovery {
  std::filesystem::path file;
  bool whole = false;       ///< it opens; all below is empty or zero where it does not
  std::string reason;       ///< why it does not open
  std::string project_path; ///< absolute; empty for a project that had not been saved
  std::string project_name; ///< the name inside the design
  std::int64_t edit_count = 0;
  std::string stamp;        ///< when it was written, as the writer gave it
  std::size_t racks = 0, entities = 0;
  ProcessMark process;      ///< who wrote it
  bool other_machine = false; ///< written on another machine: whether it is still in use there cannot be told
};

/// Recovery files of all processes that have ended, damaged ones included; those that open first, then by project path,
/// the most edits first. Never judged by the date of the file.
[[nodiscard]] std::vector<Recovery> list_recoveries(const std::filesystem::path& folder);
/// Only those of one project.
[[nodiscard]] std::vector<Recovery> recoveries_of(const std::filesystem::path& folder, const std::filesystem::path& project);

/// The design in a recovery file.
[[nodiscard]] tl::expected<Design, std::string> open_recovery(const std::filesystem::path& file);

/// Whether to offer a recovery beside what opening the project gave.
struct RecoveryAdvice {
  bool offer = false; ///< it opens, and the project does not or differs from it
  bool newer = false; ///< it has more edits than the project, or the project does not open
  std::string sentence; ///< for the user, with figures of both
};
/// Judges by what opens, then by what differs, then by the count of edits, which a session therefore continues from
/// `OpenedProject::edit_count`. The dates of the files do not matter.
[[nodiscard]] RecoveryAdvice recovery_advice(const Recovery& recovery, const tl::expected<OpenedProject, std::string>& project);

/// Removes a recovery file that has been dealt with. Refuses while the process that writes it lives.
[[nodiscard]] tl::expected<void, std::string> remove_recovery(const std::filesystem::path& file);

} // namespace hallwright
