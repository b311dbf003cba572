// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

/// The lines of a DXF file as pairs of group code and value, checked before anything is made of them.
namespace hallwright {

struct DxfGroup {
  int code = 0;
  std::string_view value; ///< without line end; into the text that was read
  std::size_t line = 0;   ///< of the value, from 1
};

/// Largest file and largest coordinate [drawing units] that are read.
inline constexpr std::size_t dxf_largest_file = 128U << 20U;
inline constexpr double dxf_largest_coordinate = 1e12;

/// Splits the text of an ASCII DXF file. Comments (999) are left out. In the sections BLOCKS and ENTITIES every number
/// is one, finite and within `dxf_largest_coordinate`.
/// @return the groups, or one sentence: file, line, what stands there, what is expected. A binary DXF, a DWG, an empty
///         or truncated file and one without ENTITIES are refused. `text` must outlive the groups.
[[nodiscard]] tl::expected<std::vector<DxfGroup>, std::string> read_dxf_groups(std::string_view text,
                                                                               const std::string& file);

/// A number of a group that `read_dxf_groups` has checked.
[[nodiscard]] double dxf_real(std::string_view value);
[[nodiscard]] long dxf_whole(std::string_view value);
/// The value without blanks around it.
[[nodiscard]] std::string_view dxf_word(std::string_view value);

} // namespace hallwright
