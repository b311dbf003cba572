// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/underlay_names.h"

#include <system_error>

namespace hallwright {
namespace {

/// The folder of a file, absolute and without "." and "..".
std::filesystem::path folder_of(const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(file, failed);
  return (failed ? file : whole).lexically_normal().parent_path();
}

} // namespace

Design with_underlays_named_from(const Design& design, const std::filesystem::path& from,
                                 const std::filesystem::path& to) {
  const std::filesystem::path old_folder = folder_of(from), new_folder = folder_of(to);
  if (old_folder == new_folder) return design;
  std::vector<Underlay> all = *design.underlays;
  bool changed = false;
  for (Underlay& u : all) {
    const std::filesystem::path name(u.file);
    if (u.file.empty() || name.is_absolute()) continue;
    const std::filesystem::path whole = (old_folder / name).lexically_normal(),
                                relative = whole.lexically_relative(new_folder);
    const bool below = !relative.empty() && *relative.begin() != "..";
    u.file = (below ? relative : whole).generic_string();
    changed = true;
  }
  if (!changed) return design;
  Design out = design;
  out.underlays = share(std::move(all));
  return out;
}

} // namespace hallwright
