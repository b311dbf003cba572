// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace hallwright {
namespace {

struct Seen {
  std::string start; ///< clock ticks since boot, field 22 of /proc/<pid>/stat (see proc(5))
  bool dead = false; ///< a zombie: killed, not yet collected by its parent
};

Seen seen_process(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return {};
  // The program's name stands in brackets and may hold anything, so the count starts behind the last bracket.
  const auto bracket = line.rfind(')');
  if (bracket == std::string::npos) return {};
  std::istringstream words(line.substr(bracket + 1));
  std::string word, state;
  words >> state;
  for (int field = 4; field <= 22; ++field) words >> word;
  return {word, state == "Z" || state == "X"};
}

} // namespace

ProcessMark present_process() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  const auto pid = static_cast<std::int64_t>(getpid());
  return {host.data(), pid, seen_process(pid).start};
}

Life life_of(const ProcessMark& process) {
  if (process.machine != present_process().machine || process.machine.empty() || process.pid <= 0) return Life::unknown;
  if (kill(static_cast<pid_t>(process.pid), 0) != 0 && errno == ESRCH) return Life::ended;
  const Seen now = seen_process(process.pid);
  if (now.dead) return Life::ended;
  if (!process.start.empty() && !now.start.empty() && now.start != process.start) return Life::ended;
  return Life::living;
}

} // namespace hallwright
