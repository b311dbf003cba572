// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace hallwright {

/// Line, from 1, of the first byte that is not UTF-8; 0 when all of the text is fine.
[[nodiscard]] int line_of_bad_utf8(std::string_view text);

} // namespace hallwright
