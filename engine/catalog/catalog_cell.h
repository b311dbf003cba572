// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "quantity/field.h"

namespace hallwright {

/// Value of a cell of the text catalog: a number in the field's own unit, as the header says, or a word.
/// The error is the end of a sentence: "is not a number; ...".
tl::expected<FieldValue, std::string> catalog_value(const FieldInfo& field, std::string_view cell);

} // namespace hallwright
