// SPDX-License-Identifier: GPL-3.0-or-later
#include "predicted_table.h"

#include <filesystem>

#include <fmt/format.h>

#include "commands.h"
#include "project/durable_file.h"

namespace hallwright::cli {

std::string table_text(const std::string& table, const std::string& out) {
  std::error_code failed;
  if (std::filesystem::equivalent(table, out, failed) && !failed)
    throw Refusal(wrong_use, fmt::format("--out {} is the table itself; name another file", out));
  if (std::filesystem::exists(out, failed) && !std::filesystem::is_regular_file(out, failed))
    throw Refusal(wrong_use, fmt::format("--out {} is not a file", out));
  auto text = read_whole_file(table);
  if (!text) throw Refusal(refused, fmt::format("{} cannot be read: {}", table, text.error()));
  return *std::move(text);
}

void write_table(const std::string& out, const std::string& text) {
  if (auto written = replace_file(out, text); !written)
    throw Refusal(refused, fmt::format("{} cannot be written: {}", out, written.error()));
}

} // namespace hallwright::cli
