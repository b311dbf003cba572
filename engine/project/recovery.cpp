// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/recovery.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <tuple>

#include <unistd.h>

#include "project/database_form.h"
#include "project/durable_file.h"
#include "project/project_file.h"
#include "project/stored_tables.h"

namespace hallwright {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view suffix = ".recovery";

/// `<hash of the project>-<pid>-<start>-<document>@<machine>.recovery`: whether its process lives is told without opening it.
std::string recovery_name(const std::string& project, const ProcessMark& process, int document) {
  return short_hash(project) + "-" + std::to_string(process.pid) + "-" + (process.start.empty() ? "0" : process.start) + "-" +
         std::to_string(document) + "@" + process.machine.substr(0, 64) + std::string(suffix);
}

std::optional<ProcessMark> writer_of(const std::string& name) {
  if (!name.ends_with(suffix) || name.size() < 20 || name[16] != '-') return std::nullopt;
  const auto at = name.find('@');
  const auto dash = name.find('-', 17);
  if (at == std::string::npos || dash == std::string::npos || dash > at) return std::nullopt;
  ProcessMark out;
  const auto [rest, ec] = std::from_chars(name.data() + 17, name.data() + dash, out.pid);
  if (ec != std::errc() || rest != name.data() + dash) return std::nullopt;
  out.start = name.substr(dash + 1, name.find('-', dash + 1) - dash - 1);
  if (out.start == "0") out.start.clear();
  out.machine = name.substr(at + 1, name.size() - suffix.size() - at - 1);
  return out;
}

Life life_of_writer(ProcessMark process) {
  const std::string machine = present_process().machine;
  if (process.machine == machine.substr(0, 64)) process.machine = machine;
  return life_of(process);
}

std::size_t entities_in(const Design& design) {
  std::size_t out = 0;
  for_each_table([&](std::string_view, auto member) { out += (design.*member)->size(); });
  return out;
}

tl::expected<ReadDatabase, std::string> read_recovery(const fs::path& file) {
  auto content = read_whole_file(file);
  if (!content) return tl::make_unexpected("'" + file.string() + "' cannot be opened: " + content.error());
  return read_database(*std::move(content), file.string(), schema_version, known_migrations());
}

std::string counted(std::size_t count, const char* what) { return std::to_string(count) + " " + what + (count == 1 ? "" : "s"); }

std::string contents(std::size_t racks, std::size_t entities, std::int64_t edits) {
  return counted(racks, "rack") + ", " + std::to_string(entities) + (entities == 1 ? " entity" : " entities") + " in all, after " +
         std::to_string(edits) + (edits == 1 ? " edit" : " edits");
}

} // namespace

RecoveryWriter::RecoveryWriter(fs::path folder, const fs::path& project, int document)
    : project_(project.empty() ? std::string() : real_file(project).string()) {
  file_ = folder / recovery_name(project_, present_process(), document);
}

tl::expected<void, std::string> RecoveryWriter::write(const Design& design, std::int64_t edit_count, const std::string& stamp) {
  const auto refuse = [&](const std::string& why) {
    return tl::make_unexpected("the recovery file '" + file_.string() + "' was not written: " + why);
  };
  const auto content = write_database(
      design, {{"program", "recovery"}, {"saved_by", ""}, {"edit_count", std::to_string(edit_count)}, {"project_path", project_}, {"stamp", stamp}},
      schema_version);
  if (!content) return refuse(content.error());
  std::error_code failed;
  fs::create_directories(file_.parent_path(), failed);
  if (failed) return refuse(system_error_text(failed.value()));
  if (auto done = replace_file(file_, *content); !done) return refuse(done.error());
  return {};
}

void RecoveryWriter::remove() {
  unlink(file_.c_str());
  remove_leftovers(file_.parent_path());
}

namespace {

/// Those whose names begin so; others are not read.
std::vector<Recovery> recoveries_named(const fs::path& folder, std::string_view beginning) {
  std::vector<Recovery> out;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    const auto writer = name.starts_with(beginning) ? writer_of(name) : std::nullopt;
    if (!writer) continue;
    const Life life = life_of_writer(*writer);
    if (life == Life::living) continue;
    Recovery recovery{.file = it->path(), .process = *writer, .other_machine = life == Life::unknown};
    if (auto read = read_recovery(it->path())) {
      recovery.whole = true;
      recovery.project_path = read->meta["project_path"];
      recovery.project_name = read->design.project->name;
      recovery.stamp = read->meta["stamp"];
      const std::string& edits = read->meta["edit_count"];
      std::from_chars(edits.data(), edits.data() + edits.size(), recovery.edit_count);
      recovery.racks = read->design.racks->size();
      recovery.entities = entities_in(read->design);
    } else {
      recovery.reason = read.error();
    }
    out.push_back(std::move(recovery));
  }
  std::sort(out.begin(), out.end(), [](const Recovery& a, const Recovery& b) {
    return std::tie(b.whole, a.project_path, b.edit_count, a.file) < std::tie(a.whole, b.project_path, a.edit_count, b.file);
  });
  return out;
}

} // namespace

std::vector<Recovery> list_recoveries(const fs::path& folder) { return recoveries_named(folder, {}); }

std::vector<Recovery> recoveries_of(const fs::path& folder, const fs::path& project) {
  return recoveries_named(folder, short_hash(project.empty() ? std::string() : real_file(project).string()) + "-");
}

tl::expected<Design, std::string> open_recovery(const fs::path& file) {
  auto read = read_recovery(file);
  if (!read) return tl::make_unexpected(std::move(read.error()));
  return std::move(read->design);
}

RecoveryAdvice recovery_advice(const Recovery& recovery, const tl::expected<OpenedProject, std::string>& project) {
  if (!recovery.whole) return {false, false, "A recovery file is there but cannot be used: " + recovery.reason};
  const std::string mine = "The recovery file holds " + contents(recovery.racks, recovery.entities, recovery.edit_count);
  if (!project) return {true, true, mine + "; the project cannot be opened: " + project.error()};
  const auto design = open_recovery(recovery.file);
  if (!design) return {false, false, "A recovery file is there but cannot be used: " + design.error()};
  if (same_design(*design, project->design)) return {false, false, "The recovery file holds the same as the project."};
  const std::string both =
      mine + "; the project holds " + contents(project->design.racks->size(), entities_in(project->design), project->edit_count) + ".";
  return {true, recovery.edit_count > project->edit_count, both};
}

tl::expected<void, std::string> remove_recovery(const fs::path& file) {
  const auto writer = writer_of(file.filename().string());
  if (!writer) return tl::make_unexpected("'" + file.string() + "' is not a recovery file");
  if (*writer != present_process() && life_of_writer(*writer) == Life::living)
    return tl::make_unexpected("'" + file.string() + "' is in use by process " + std::to_string(writer->pid));
  if (unlink(file.c_str()) != 0 && errno != ENOENT) return tl::make_unexpected("'" + file.string() + "' cannot be removed: " + system_error_text(errno));
  remove_leftovers(file.parent_path());
  return {};
}

} // namespace hallwright
