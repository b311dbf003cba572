// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "design/design.h"

namespace hallwright {

/// The design as it must be written into another file: underlays whose file is named relative to the folder of `from`
/// are named relative to the folder of `to` where they lie in or below it, else by their absolute path. Absolute names
/// stay. In one folder, and without underlays, the design comes back as it is.
/// @param from,to the project files, not their folders; both made absolute against the working folder
Design with_underlays_named_from(const Design& design, const std::filesystem::path& from,
                                 const std::filesystem::path& to);

} // namespace hallwright
