// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace hallwright {

/// Line, from 1, of the first byte that is not UTF-8; 0 when all of the text is fine. Lines end with LF, CR or both.
/// Overlong forms, surrogates and numbers above U+10FFFF are not UTF-8.
/// @source The Unicode Standard 15.0, table 3-7
[[nodiscard]] int line_of_bad_utf8(std::string_view text);

} // namespace hallwright
