// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace hallwright {

/// A number of a table for files: locale-free, without the dust of binary fractions ("0.3" for 0.30000000000000004).
/// Whole numbers up to 2^53 keep every digit, others twelve significant ones. Empty for what is no finite number.
[[nodiscard]] std::string table_number(double value);

} // namespace hallwright
