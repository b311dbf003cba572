// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/durable_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "project/process.h"

namespace hallwright {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view saving_word = ".saving-";
constexpr std::size_t longest_machine = 32;
constexpr std::string_view not_regular = "it is a pipe, a socket or a device; only a regular file can be read";

/// Closes on the way out.
struct Handle {
  int fd = -1;
  explicit Handle(int opened) : fd(opened) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (fd >= 0) close(fd);
  }
};

int open_again(const fs::path& path, int flags, mode_t mode = 0) {
  int fd = -1;
  do fd = open(path.c_str(), flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return fd;
}

} // namespace

std::string system_error_text(int error_number) {
  switch (error_number) {
  case ENOSPC: return "the disk is full";
  case EDQUOT: return "the disk quota is used up";
  case EFBIG: return "the file would be larger than is allowed here";
  case EACCES:
  case EPERM: return "permission is denied";
  case EROFS: return "the disk is read-only";
  case ENOENT: return "it does not exist";
  case ENOTDIR: return "a part of its path is not a folder";
  case EISDIR: return "it is a folder";
  case EIO: return "the disk reports an input or output error";
  case ENAMETOOLONG: return "the name is too long";
  case ESTALE:
  case ENOTCONN:
  case EHOSTDOWN: return "the network drive is gone";
  default: return std::string(std::strerror(error_number)) + " (error " + std::to_string(error_number) + ")";
  }
}

tl::expected<std::string, std::string> read_whole_file(const fs::path& path) {
  // Not blocking: a pipe without a writer would hold up the opening for good. For regular files it means nothing.
  const Handle file(open_again(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  if (file.fd < 0) return tl::make_unexpected(errno == ENXIO ? std::string(not_regular) : system_error_text(errno));
  struct stat status {};
  if (fstat(file.fd, &status) != 0) return tl::make_unexpected(system_error_text(errno));
  if (S_ISDIR(status.st_mode)) return tl::make_unexpected(system_error_text(EISDIR));
  if (!S_ISREG(status.st_mode)) return tl::make_unexpected(std::string(not_regular));
  std::string content(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (true) {
    if (done == content.size()) content.resize(content.size() + 65536);
    const ssize_t got = read(file.fd, content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::make_unexpected(system_error_text(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  content.resize(done);
  return content;
}

fs::path real_file(const fs::path& path) {
  std::error_code failed;
  fs::path real = fs::weakly_canonical(fs::absolute(path, failed), failed);
  return failed || real.empty() ? path : real;
}

std::string short_hash(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4U) out[i] = digits[hash & 15U];
  return out;
}

FileStamp stamp_of(const fs::path& path, std::string_view content) {
  FileStamp out{.size = content.size(), .content = short_hash(content)};
  struct stat status {};
  if (stat(path.c_str(), &status) == 0)
    out.changed_ns = static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1000000000 + status.st_mtim.tv_nsec;
  return out;
}

tl::expected<FileStamp, std::string> file_stamp(const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(path, failed) && !failed) return FileStamp{};
  const auto content = read_whole_file(path);
  if (!content) return tl::make_unexpected(content.error());
  return stamp_of(path, *content);
}

std::string name_with_room(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr std::size_t most = 255 - 80;
  if (name.size() <= most) return name;
  return short_hash(name);
}

void flush_folder(const fs::path& folder) {
  const Handle handle(open_again(folder.empty() ? fs::path(".") : folder, O_RDONLY | O_DIRECTORY));
  if (handle.fd >= 0) fsync(handle.fd); // some network drives cannot; the file itself is flushed all the same
}

fs::path temporary_name(const fs::path& path, int attempt) {
  const ProcessMark self = present_process();
  return path.parent_path() / ("." + name_with_room(path) + std::string(saving_word) + std::to_string(self.pid) + "@" +
                               self.machine.substr(0, longest_machine) + (attempt == 1 ? "" : "~" + std::to_string(attempt)));
}

void remove_leftovers(const fs::path& folder, std::string_view name) {
  const std::string machine = present_process().machine.substr(0, longest_machine);
  const std::string beginning = name.empty() ? std::string(".") : "." + std::string(name) + std::string(saving_word);
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string file = it->path().filename().string();
    const auto word = file.rfind(saving_word);
    if (!file.starts_with(beginning) || word == std::string::npos) continue;
    std::int64_t pid = 0;
    const char* last = file.data() + file.size();
    const auto [rest, ec] = std::from_chars(file.data() + word + saving_word.size(), last, pid);
    if (ec != std::errc() || rest == last || *rest != '@') continue;
    std::string_view owner(rest + 1, static_cast<std::size_t>(last - rest - 1));
    owner = owner.substr(0, owner.rfind('~'));
    if (owner != machine || life_of({present_process().machine, pid, {}}) != Life::ended) continue;
    std::error_code ignored;
    fs::remove(it->path(), ignored);
  }
}

tl::expected<void, std::string> replace_file(const fs::path& path, std::string_view content,
                                             const std::function<tl::expected<void, std::string>()>& before_rename) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  remove_leftovers(folder, name_with_room(path));

  struct stat old {};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return tl::make_unexpected(system_error_text(EISDIR));
  if (exists && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return tl::make_unexpected(system_error_text(errno));

  fs::path temporary;
  int fd = -1;
  for (int attempt = 1; attempt <= 100 && fd < 0; ++attempt) { // two threads may save at once
    temporary = temporary_name(path, attempt);
    fd = open_again(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) return tl::make_unexpected("no file can be written in its folder: " + system_error_text(errno));

  const auto write_and_rename = [&]() -> tl::expected<void, std::string> {
    {
      const Handle file(fd);
      if (exists && fchmod(fd, old.st_mode & 07777U) != 0 && errno != EPERM) return tl::make_unexpected(system_error_text(errno));
      std::size_t done = 0;
      while (done < content.size()) {
        const ssize_t wrote = write(fd, content.data() + done, content.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return tl::make_unexpected(system_error_text(errno));
        if (wrote == 0) return tl::make_unexpected(system_error_text(ENOSPC));
        done += static_cast<std::size_t>(wrote);
      }
      if (fsync(fd) != 0) return tl::make_unexpected(system_error_text(errno));
    }
    const auto back = read_whole_file(temporary);
    if (!back) return tl::make_unexpected("what was written cannot be read back: " + back.error());
    if (*back != content) return tl::make_unexpected(std::string("what was written reads back differently"));
    if (before_rename) {
      if (auto ready = before_rename(); !ready) return ready;
    }
    if (rename(temporary.c_str(), path.c_str()) != 0) return tl::make_unexpected(system_error_text(errno));
    return {};
  };
  auto done = write_and_rename();
  if (done) flush_folder(folder);
  else unlink(temporary.c_str());
  return done;
}

} // namespace hallwright
