// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "project/process.h"

/// One writer a project: a lock file `<project>.lock` beside it, readable text that names its holder.
namespace hallwright {

/// Who holds a lock.
struct LockOwner {
  std::string user;
  ProcessMark process;
  std::string since; ///< when the project was opened, as the caller writes it
  /// "ada@node7 (process 4711), since 2026-01-31 12:00"
  [[nodiscard]] std::string text() const;
};
/// This user and this process.
[[nodiscard]] LockOwner present_owner(std::string since = {});

/// A lock that is held until its destruction.
class ProjectLock {
public:
  ProjectLock(ProjectLock&& other) noexcept;
  ProjectLock& operator=(ProjectLock&& other) noexcept;
  ProjectLock(const ProjectLock&) = delete;
  ProjectLock& operator=(const ProjectLock&) = delete;
  ~ProjectLock();

  /// Takes the lock of a project. A lock of a process of this machine that has ended is taken over. Otherwise refuses
  /// with a sentence: who holds it, or why no lock can be written.
  [[nodiscard]] static tl::expected<ProjectLock, std::string> take(const std::filesystem::path& project, const LockOwner& owner);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
  ProjectLock(std::filesystem::path file, std::string content) : file_(std::move(file)), content_(std::move(content)) {}
  void release();
  std::filesystem::path file_;
  std::string content_;
};

/// What is known of a project's lock file.
struct LockState {
  enum class Kind : std::uint8_t {
    free,    ///< there is none
    held,    ///< by a living process of this machine
    stale,   ///< by a process of this machine that has ended
    unknown  ///< another machine, or unreadable: whether it is still held cannot be told from here
  } kind = Kind::free;
  LockOwner owner;
  std::string sentence; ///< who holds it; empty when free
};
[[nodiscard]] LockState lock_state(const std::filesystem::path& project);

/// `<project>.lock`, beside the file that a symbolic link leads to.
[[nodiscard]] std::filesystem::path lock_file_of(const std::filesystem::path& project);

/// Removes a lock by the user's word, whoever holds it. Refuses, with who holds it, while a process of this machine does.
[[nodiscard]] tl::expected<void, std::string> break_lock(const std::filesystem::path& project);

} // namespace hallwright
