// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

/// Which process wrote a lock, a recovery file or a temporary file, and whether it is still there.
namespace hallwright {

struct ProcessMark {
  std::string machine;    ///< host name
  std::int64_t pid = 0;
  std::string start;      ///< start of the process as the system counts it, to tell a reused pid; empty when unknown
  friend bool operator==(const ProcessMark&, const ProcessMark&) = default;
};

/// This process.
[[nodiscard]] ProcessMark present_process();

enum class Life : std::uint8_t { living, ended, unknown };
/// `unknown` for a process of another machine.
[[nodiscard]] Life life_of(const ProcessMark& process);

} // namespace hallwright
