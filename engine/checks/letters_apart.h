// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace hallwright {

/// Insertions, deletions and replacements of bytes that turn `a` into `b`: how far a mistyped name is from a known one.
[[nodiscard]] std::size_t letters_apart(std::string_view a, std::string_view b);

} // namespace hallwright
