// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/utf8.h"

#include <cstddef>

namespace hallwright {
namespace {

/// Whether `second` may follow `lead`: a narrower range after E0, ED, F0 and F4.
bool may_follow(unsigned char lead, unsigned char second) {
  const unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return second >= lowest && second <= highest;
}

} // namespace

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
    if (length > 1 && !may_follow(lead, static_cast<unsigned char>(text[i + 1]))) return line;
    for (std::size_t k = 2; k < length; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) return line;
    if (lead == '\n' || (lead == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'))) ++line;
    i += length;
  }
  return 0;
}

} // namespace hallwright
