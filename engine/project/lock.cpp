// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/lock.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "project/durable_file.h"
#include "project/json_node.h"

namespace hallwright {
namespace fs = std::filesystem;
namespace {

std::string lock_text(const LockOwner& owner) {
  return "{\"user\": " + json_quoted(owner.user) + ", \"machine\": " + json_quoted(owner.process.machine) +
         ", \"pid\": " + std::to_string(owner.process.pid) + ", \"start\": " + json_quoted(owner.process.start) +
         ", \"since\": " + json_quoted(owner.since) + "}\n";
}

std::optional<LockOwner> parse_lock(std::string_view text) {
  const auto node = parse_json(text);
  if (!node || node->kind != JsonNode::Kind::object) return std::nullopt;
  LockOwner out;
  for (const auto& [key, value] : node->members) {
    if (key == "user") out.user = value.text;
    if (key == "machine") out.process.machine = value.text;
    if (key == "pid") out.process.pid = value.integer;
    if (key == "start") out.process.start = value.text;
    if (key == "since") out.since = value.text;
  }
  if (out.process.machine.empty() || out.process.pid <= 0) return std::nullopt;
  return out;
}

LockState state_of(const fs::path& file) {
  const auto text = read_whole_file(file);
  std::error_code ignored;
  if (!text && !fs::exists(fs::symlink_status(file, ignored))) return {};
  const auto owner = text ? parse_lock(*text) : std::nullopt;
  if (!owner)
    return {LockState::Kind::unknown, {}, "the lock file '" + file.string() + "' does not say who holds it"};
  const std::string who = "it is open at " + owner->text();
  switch (life_of(owner->process)) {
  case Life::living: return {LockState::Kind::held, *owner, who};
  case Life::ended: return {LockState::Kind::stale, *owner, "it was open at " + owner->text() + ", and that process has ended"};
  case Life::unknown: break;
  }
  return {LockState::Kind::unknown, *owner, who + "; whether that still runs cannot be told from this machine"};
}

/// A lock file with `content` under a name of its own, ready to be put in place at once.
tl::expected<fs::path, std::string> prepared(const fs::path& file, std::string_view content) {
  fs::path out;
  int fd = -1;
  for (int attempt = 1; attempt <= 100 && fd < 0; ++attempt) {
    out = temporary_name(file, attempt);
    fd = open(out.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) return tl::make_unexpected(system_error_text(errno));
  const bool whole = write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  const int problem = whole ? 0 : errno;
  close(fd);
  if (whole) return out;
  unlink(out.c_str());
  return tl::make_unexpected(system_error_text(problem == 0 ? ENOSPC : problem));
}

/// Puts the prepared lock in the place of a stale one. False: somebody else was faster, or it is not stale any more.
bool take_over(const fs::path& file, const fs::path& ready) {
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  // Two that find the same stale lock must not both take it: the file lock decides, and who comes second sees
  // another file under the name.
  bool taken = false;
  struct stat held {}, named {};
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &held) == 0 && stat(file.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
      held.st_dev == named.st_dev && state_of(file).kind == LockState::Kind::stale)
    taken = rename(ready.c_str(), file.c_str()) == 0;
  close(fd);
  return taken;
}

} // namespace

std::string LockOwner::text() const {
  return (user.empty() ? std::string("somebody") : user) + "@" + process.machine + " (process " + std::to_string(process.pid) + ")" +
         (since.empty() ? "" : ", since " + since);
}

LockOwner present_owner(std::string since) {
  LockOwner out{.user = {}, .process = present_process(), .since = std::move(since)};
  std::array<char, 4096> room{};
  struct passwd entry {};
  struct passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, room.data(), room.size(), &found) == 0 && found != nullptr) out.user = entry.pw_name;
  else out.user = "user " + std::to_string(geteuid());
  return out;
}

fs::path lock_file_of(const fs::path& project) {
  const fs::path real = real_file(project);
  return real.parent_path() / (name_with_room(real) + ".lock");
}

LockState lock_state(const fs::path& project) { return state_of(lock_file_of(project)); }

tl::expected<ProjectLock, std::string> ProjectLock::take(const fs::path& project, const LockOwner& owner) {
  const fs::path file = lock_file_of(project);
  const std::string content = lock_text(owner);
  remove_leftovers(file.parent_path(), file.filename().string());
  for (int attempt = 1; attempt <= 3; ++attempt) {
    const LockState state = state_of(file);
    if (state.kind == LockState::Kind::held || state.kind == LockState::Kind::unknown) return tl::make_unexpected(state.sentence);
    auto ready = prepared(file, content);
    if (!ready) return tl::make_unexpected("no lock can be written beside it: " + ready.error());
    bool taken = false;
    int problem = 0;
    if (state.kind == LockState::Kind::stale) {
      taken = take_over(file, *ready);
    } else if (link(ready->c_str(), file.c_str()) == 0) {
      taken = true; // a link either appears whole or fails because the name is taken
    } else if (errno != EEXIST) {
      problem = errno;
      // Drives without links (FAT, some network drives): the exclusive opening decides instead.
      const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
      if (fd >= 0) {
        taken = write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size());
        close(fd);
        if (!taken) unlink(file.c_str());
      }
    }
    unlink(ready->c_str());
    if (taken) return ProjectLock(file, content);
    if (problem != 0) return tl::make_unexpected("no lock can be written beside it: " + system_error_text(problem));
  }
  const LockState state = state_of(file);
  return tl::make_unexpected(state.sentence.empty() ? std::string("somebody else is opening it at this moment") : state.sentence);
}

void ProjectLock::release() {
  if (file_.empty()) return;
  // Somebody may have broken the lock and taken it; then it is no longer ours to remove.
  if (const auto text = read_whole_file(file_); text && *text == content_) unlink(file_.c_str());
  file_.clear();
}

ProjectLock::ProjectLock(ProjectLock&& other) noexcept : file_(std::move(other.file_)), content_(std::move(other.content_)) { other.file_.clear(); }
ProjectLock& ProjectLock::operator=(ProjectLock&& other) noexcept {
  if (this != &other) {
    release();
    file_ = std::move(other.file_);
    content_ = std::move(other.content_);
    other.file_.clear();
  }
  return *this;
}
ProjectLock::~ProjectLock() { release(); }

tl::expected<void, std::string> break_lock(const fs::path& project) {
  const fs::path file = lock_file_of(project);
  const LockState state = state_of(file);
  if (state.kind == LockState::Kind::free) return {};
  if (state.kind == LockState::Kind::held) return tl::make_unexpected("'" + project.string() + "': " + state.sentence + "; close it there");
  if (unlink(file.c_str()) != 0 && errno != ENOENT)
    return tl::make_unexpected("the lock file '" + file.string() + "' cannot be removed: " + system_error_text(errno));
  return {};
}

} // namespace hallwright
