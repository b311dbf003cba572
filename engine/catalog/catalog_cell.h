// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "quantity/field.h"

namespace hallwright {

/// Value of a cell of the text catalog: a number in the field's own unit, as the header says, or a word.
/// A number is checked against the range of the field.
/// The error is the end of a sentence: "is not a number; ...", "is out of range; 0 % to 100 % is allowed".
tl::expected<FieldValue, std::string> catalog_value(const FieldInfo& field, std::string_view cell);

/// The base value of `number` in the field's own unit (10.2 under a header of kW: 10200).
double catalog_base_value(const FieldInfo& field, double number);

/// The number that stands in the text for `base`: the shortest that `catalog_base_value` takes back to the very same
/// double. Where no double does (a value that was typed in another unit), the nearest.
double catalog_cell_number(const FieldInfo& field, double base);

} // namespace hallwright
