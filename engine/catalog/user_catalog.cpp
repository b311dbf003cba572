// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/user_catalog.h"

#include <filesystem>

#include <fmt/format.h>

namespace hallwright {
namespace fs = std::filesystem;
namespace {

/// An absolute path, or empty: relative ones are ignored, as the XDG specification asks.
fs::path absolute(const char* value) {
  fs::path path(value ? value : "");
  return path.is_absolute() ? path : fs::path();
}

bool holds_csv(const std::string& folder) {
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".csv") return true;
  return false;
}

} // namespace

std::string user_catalog_folder(const char* data_home, const char* home) {
  fs::path data = absolute(data_home);
  if (data.empty()) {
    const fs::path base = absolute(home);
    if (base.empty()) return {};
    data = base / ".local" / "share";
  }
  return (data / "hallwright" / "hallwright" / "catalog").lexically_normal().string();
}

tl::expected<FoundCatalog, std::string> find_catalog(const std::string& program_folder, const std::string& wanted,
                                                     const std::string& user_folder) {
  const auto file = find_catalog_file(program_folder, wanted);
  if (!file) return tl::make_unexpected(file.error());
  auto shipped = read_catalog_file(*file);
  if (!shipped) return tl::make_unexpected(shipped.error());
  FoundCatalog out;
  out.catalog = *std::move(shipped);
  if (user_folder.empty() || !holds_csv(user_folder)) return out;
  const auto user = read_catalog_text(user_folder, &out.catalog);
  if (user) {
    out.catalog = layered(out.catalog, *user);
    out.user_folder = user_folder;
    return out;
  }
  std::string problems;
  for (const std::string& problem : user.error()) problems += (problems.empty() ? "" : "; ") + problem;
  out.user_problem = fmt::format("your catalog in {} is left out: {}", user_folder, problems);
  return out;
}

} // namespace hallwright
