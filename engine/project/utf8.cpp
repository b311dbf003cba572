// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/utf8.h"

#include <cstddef>

namespace hallwright {

int line_of_bad_utf8(std::string_view text) {
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return line;
    for (std::size_t k = 1; k < length; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) return line;
    if (lead == '\n' || (lead == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'))) ++line;
    i += length;
  }
  return 0;
}

} // namespace hallwright
