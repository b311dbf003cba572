// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

/// Files that are either the old or the new one, never something between.
namespace hallwright {

/// What went wrong, in words that do not depend on the locale ("the disk is full").
[[nodiscard]] std::string system_error_text(int error_number);

/// The whole content; an error is the reason only ("it does not exist").
[[nodiscard]] tl::expected<std::string, std::string> read_whole_file(const std::filesystem::path& path);

/// The file that a chain of symbolic links leads to, absolute; the path itself where nothing is there.
[[nodiscard]] std::filesystem::path real_file(const std::filesystem::path& path);

/// The file name, shortened by a hash of itself where a suffix of 80 bytes would not fit behind it (limit 255 bytes).
[[nodiscard]] std::string name_with_room(const std::filesystem::path& path);

/// What a file was when it was read or written: whether another program has changed it since.
struct FileStamp {
  std::int64_t changed_ns = 0; ///< when it was last changed, since 1970, as the file system says; for sentences
  std::uint64_t size = 0;      ///< bytes
  std::string content;         ///< `short_hash` of it; empty: there is no file
  [[nodiscard]] bool exists() const { return !content.empty(); }
  /// Whether both hold the same bytes. The time is no part of it: a copy may keep the time, a touch changes it alone.
  [[nodiscard]] bool same_content(const FileStamp& other) const { return size == other.size && content == other.content; }
};
/// The stamp of what is there now. An error is the reason only; a file that is not there is no error.
[[nodiscard]] tl::expected<FileStamp, std::string> file_stamp(const std::filesystem::path& path);
/// The stamp of `content` that has just been read from `path`.
[[nodiscard]] FileStamp stamp_of(const std::filesystem::path& path, std::string_view content);

/// FNV-1a over the bytes, 16 hexadecimal digits: names files, protects nothing.
[[nodiscard]] std::string short_hash(std::string_view bytes);

/// Writes `content` beside `path` as `.<name>.saving-<pid>@<machine>`, flushes it to the disk, reads it back, calls
/// `before_rename` and renames it over `path`; then flushes the folder. Leftovers of ended processes are removed first.
/// An error is the reason only; `path` is then untouched and no temporary file remains.
[[nodiscard]] tl::expected<void, std::string> replace_file(const std::filesystem::path& path, std::string_view content,
                                                           const std::function<tl::expected<void, std::string>()>& before_rename = {});

/// Name of a temporary file for `path`: `.<name>.saving-<pid>@<machine>`, with `~<attempt>` behind it from the second on.
[[nodiscard]] std::filesystem::path temporary_name(const std::filesystem::path& path, int attempt);
/// Removes temporary files in the folder of processes of this machine that have ended: those for `name`, or all.
void remove_leftovers(const std::filesystem::path& folder, std::string_view name = {});

/// Flushes the names in a folder to the disk.
void flush_folder(const std::filesystem::path& folder);

} // namespace hallwright
