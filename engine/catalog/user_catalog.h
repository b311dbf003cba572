// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "catalog/catalog.h"

/// The one rule by which the studio and the command line find the catalog that they work with.
namespace hallwright {

/// Folder of the user's own catalog: `hallwright/hallwright/catalog` under `data_home` ($XDG_DATA_HOME), or under
/// `.local/share` of `home` ($HOME) where that is not set (null, empty) or not absolute. Empty where neither can be told.
/// The folder need not be there.
[[nodiscard]] std::string user_catalog_folder(const char* data_home, const char* home);

/// A catalog that was read, and what is wrong with the user's part of it.
struct FoundCatalog {
  Catalog catalog;
  std::string user_folder;  ///< folder of the user's catalog that lies over the shipped one; empty: none does
  std::string user_problem; ///< why a user's catalog that is there was left out: one sentence; else empty
};

/// The compiled catalog (`find_catalog_file`, `read_catalog_file`), with the text catalog of `user_folder` laid over it
/// where that holds a CSV file. `user_folder` empty: the shipped parts alone.
[[nodiscard]] tl::expected<FoundCatalog, std::string> find_catalog(const std::string& program_folder, const std::string& wanted,
                                                                   const std::string& user_folder);

} // namespace hallwright
