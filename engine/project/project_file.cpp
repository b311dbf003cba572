// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/project_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <unistd.h>

#include "project/database_form.h"
#include "project/durable_file.h"
#include "project/stored_tables.h"
#include "project/text_form.h"

namespace hallwright {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view database_word = ".hall", text_word = ".hall.json";
constexpr std::string_view backup_folder = ".hallwright-backups";

bool looks_like_text(std::string_view content) {
  const auto first = content.find_first_not_of(" \t\r\n", content.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  return first != std::string_view::npos && content[first] == '{';
}

std::string list_of(const std::vector<std::string>& things) {
  constexpr std::size_t most = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(things.size(), most); ++i) out += (i == 0 ? "" : ", ") + things[i];
  if (things.size() > most) out += " and " + std::to_string(things.size() - most) + " more";
  return out;
}

/// Sets access and remark from what the file holds beyond this program.
void judge(OpenedProject& project, int version, const std::vector<std::string>& unknown) {
  if (version > schema_version) {
    project.access = Access::read_only;
    project.remark = "made by a newer version " + std::to_string(version) + "; this program knows " + std::to_string(schema_version) +
                     ": opened read-only";
    if (!unknown.empty()) project.remark += "; not shown: " + list_of(unknown);
  } else if (!unknown.empty()) {
    project.access = Access::read_only;
    project.remark = "it holds what this program does not know (" + list_of(unknown) + "): opened read-only, since saving would lose it";
  } else if (version < schema_version) {
    project.remark = "made by an older version " + std::to_string(version) + "; the next save writes version " + std::to_string(schema_version);
  }
}

std::string newer_refusal(int version) {
  return "\nit was made by a newer version " + std::to_string(version) + "; this program knows " + std::to_string(schema_version);
}

/// A non-empty file that SQLite keeps beside a database while a program works in it.
std::string unfinished_work(const fs::path& path) {
  for (const char* suffix : {"-wal", "-journal"}) {
    fs::path beside = path;
    beside += suffix;
    std::error_code failed;
    if (const auto size = fs::file_size(beside, failed); !failed && size > 0)
      return "another program is writing to it, or was interrupted: '" + beside.filename().string() +
             "' lies beside it; close or finish that program first";
  }
  return {};
}

std::string backup_advice(const fs::path& path, const OpenOptions& options) {
  const std::vector<fs::path> backups = backups_of(path);
  for (const fs::path& backup : backups) {
    auto content = read_whole_file(backup);
    if (content && read_project(*std::move(content), backup.string(), {.lock_as = std::nullopt, .migrations = options.migrations}))
      return "\nThe newest backup that opens is '" + backup.string() + "'.";
  }
  return backups.empty() ? "\nThere is no backup of it." : "\nNone of its " + std::to_string(backups.size()) + " backups opens.";
}

std::int64_t whole_number(const std::string& text) {
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

fs::path backup_folder_of(const fs::path& real) { return real.parent_path() / backup_folder; }

/// The running number in `<name>.<number>.<stamp>`, or nothing.
std::optional<std::int64_t> backup_number(const std::string& file, const std::string& name) {
  if (!file.starts_with(name + ".")) return std::nullopt;
  std::int64_t number = 0;
  const char* end = file.data() + file.size();
  const auto [rest, ec] = std::from_chars(file.data() + name.size() + 1, end, number);
  if (ec != std::errc() || rest == end || *rest != '.' || number < 1) return std::nullopt;
  // "a.hall" is also the beginning of "a.hall.2.x": a stamp has no points.
  if (std::find(rest + 1, end, '.') != end) return std::nullopt;
  return number;
}

std::vector<std::pair<std::int64_t, fs::path>> numbered_backups(const fs::path& real) {
  std::vector<std::pair<std::int64_t, fs::path>> out;
  std::error_code failed;
  for (fs::directory_iterator it(backup_folder_of(real), failed), end; !failed && it != end; it.increment(failed)) {
    if (const auto number = backup_number(it->path().filename().string(), name_with_room(real))) out.emplace_back(*number, it->path());
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a > b; });
  return out;
}

/// Keeps what is at `real` as the newest backup and drops what is too old.
tl::expected<void, std::string> keep_backup(const fs::path& real, const std::string& stamp) {
  std::error_code failed;
  if (!fs::exists(real, failed)) return {};
  const auto refuse = [](const std::string& why) { return tl::make_unexpected("no backup can be kept: " + why); };
  fs::create_directory(backup_folder_of(real), failed);
  if (failed) return refuse(system_error_text(failed.value()));
  auto old = numbered_backups(real);
  std::int64_t number = old.empty() ? 1 : old.front().first + 1;
  fs::path backup;
  // A second name for the same file costs nothing, and the save puts another file under the first name.
  for (int attempt = 1; attempt <= 100; ++attempt, ++number) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < 6 ? 6 - digits.size() : 0, '0');
    backup = backup_folder_of(real) / (name_with_room(real) + "." + digits + "." + (stamp.empty() ? "save" : stamp));
    if (link(real.c_str(), backup.c_str()) == 0) break;
    if (errno == EEXIST) continue;
    fs::copy_file(real, backup, failed);
    if (failed) {
      const std::string why = system_error_text(failed.value());
      fs::remove(backup, failed);
      return refuse(why);
    }
    break;
  }
  old.insert(old.begin(), {number, backup});
  for (std::size_t i = backups_kept; i < old.size(); ++i) fs::remove(old[i].second, failed);
  flush_folder(backup_folder_of(real));
  return {};
}

bool is_stamp(std::string_view stamp) {
  return stamp.size() <= 32 && std::all_of(stamp.begin(), stamp.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  });
}

/// Why a file that is there must not be replaced, or nothing.
std::string protected_content(const fs::path& real) {
  std::error_code failed;
  if (!fs::is_regular_file(real, failed)) return {};
  auto content = read_whole_file(real);
  if (!content) return "what is there cannot be read: " + content.error();
  int version = database_version(*content);
  if (version < 0 && looks_like_text(*content)) {
    if (const auto opened = read_project(std::move(*content), real.string()); opened && opened->access == Access::read_only)
      return opened->remark;
    return {};
  }
  if (version > schema_version)
    return "what is there was made by a newer version " + std::to_string(version) + "; this program knows " + std::to_string(schema_version);
  return {};
}

} // namespace

std::string design_text(const Design& design) { return write_text(design, schema_version); }

tl::expected<OpenedProject, std::string> read_project(std::string content, const std::string& name, const OpenOptions& options) {
  OpenedProject out;
  out.path = name;
  if (content.empty()) return tl::make_unexpected(name + ": damaged: the file is empty");
  if (content.find_first_not_of('\0') == std::string::npos)
    return tl::make_unexpected(name + ": damaged: all of its " + std::to_string(content.size()) + " bytes are zero");
  if (looks_like_database(content)) {
    const int version = database_version(content);
    auto read = read_database(std::move(content), name, schema_version, options.migrations);
    if (!read) return tl::make_unexpected(read.error() + (version > schema_version ? newer_refusal(version) : ""));
    out.form = database_word;
    out.design = std::move(read->design);
    out.edit_count = whole_number(read->meta["edit_count"]);
    out.program = read->meta["program"];
    out.saved_by = read->meta["saved_by"];
    judge(out, read->version, read->unknown);
    for (const std::string& column : read->missing) out.notes.push_back(column + " is not in the file, which is older; the field took its default");
    return out;
  }
  if (looks_like_text(content)) {
    auto read = read_text(content, name, schema_version);
    if (!read) return tl::make_unexpected(std::move(read.error()));
    out.form = text_word;
    out.design = std::move(read->design);
    judge(out, read->version, read->unknown);
    return out;
  }
  return tl::make_unexpected(name + ": it is not a Hallwright project: neither a SQLite database nor JSON");
}

tl::expected<OpenedProject, std::string> open_project(const fs::path& path, const OpenOptions& options) {
  const std::string name = path.string();
  const fs::path real = real_file(path);
  std::shared_ptr<ProjectLock> lock;
  std::string unlocked; // why there is no lock
  std::error_code failed;
  if (options.lock_as && fs::is_regular_file(real, failed)) {
    // The lock first: what is read afterwards cannot be replaced by another writer.
    if (auto taken = ProjectLock::take(real, *options.lock_as)) lock = std::make_shared<ProjectLock>(*std::move(taken));
    else unlocked = taken.error();
  }
  auto content = read_whole_file(real);
  if (!content) return tl::make_unexpected("'" + name + "' cannot be opened: " + content.error());
  if (looks_like_database(*content)) {
    if (const std::string busy = unfinished_work(real); !busy.empty()) return tl::make_unexpected("'" + name + "' cannot be opened: " + busy);
  }
  const FileStamp stamp = stamp_of(real, *content);
  auto out = read_project(*std::move(content), name, options);
  if (!out) return tl::make_unexpected(out.error() + backup_advice(real, options));
  out->stamp = stamp;
  const auto read_only = [&](const std::string& why) {
    out->access = Access::read_only;
    if (out->remark.empty()) out->remark = why;
    else out->remark += "; " + why;
  };
  if (!unlocked.empty()) read_only(unlocked + ": opened read-only");
  else if (faccessat(AT_FDCWD, real.c_str(), W_OK, AT_EACCESS) != 0) read_only("the file cannot be written (" + system_error_text(errno) + "): opened read-only");
  if (out->access == Access::read_write) out->lock = std::move(lock);
  return out;
}

tl::expected<void, std::string> save_project(const Design& design, const fs::path& path, const SaveOptions& options) {
  const auto refuse = [&](const std::string& why) {
    return tl::make_unexpected("'" + path.string() + "' was not saved, what was there before is unchanged: " + why);
  };
  if (!is_stamp(options.stamp)) return refuse("'" + options.stamp + "' is not a stamp; up to 32 letters, digits, '-' and '_' are allowed");
  if (path.filename().empty()) return refuse("the path has no file name");
  const fs::path real = real_file(path);
  std::string content;
  if (real.extension() == ".json") {
    content = design_text(design);
  } else {
    auto made = write_database(design, {{"program", options.program}, {"saved_by", options.saved_by}, {"edit_count", std::to_string(options.edit_count)}},
                               schema_version);
    if (!made) return refuse(made.error());
    content = *std::move(made);
  }
  // Saved means saved: what will be on the disk gives this design again, or the old file stays.
  const auto back = read_project(content, path.string());
  if (!back) return refuse("it would not open again:\n" + back.error());
  if (!same_design(back->design, design)) return refuse("it would open as a different design");

  const LockState lock = lock_state(real);
  if (lock.kind == LockState::Kind::unknown || (lock.kind == LockState::Kind::held && !(lock.owner.process == present_process())))
    return refuse(lock.sentence);
  if (const std::string why = protected_content(real); !why.empty()) return refuse(why);
  const auto last_look = [&]() -> tl::expected<void, std::string> {
    if (options.replaces) {
      const auto there = file_stamp(real);
      if (!there) return tl::make_unexpected("what is there cannot be read: " + there.error());
      if (there->exists() && !there->same_content(*options.replaces))
        return tl::make_unexpected(std::string("another program has changed it meanwhile"));
    }
    return keep_backup(real, options.stamp);
  };
  if (auto done = replace_file(real, content, last_look); !done) return refuse(done.error());
  return {};
}

std::vector<fs::path> backups_of(const fs::path& path) {
  std::vector<fs::path> out;
  for (auto& [number, file] : numbered_backups(real_file(path))) out.push_back(std::move(file));
  return out;
}

} // namespace hallwright
