// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include "design/access.h"
#include "design/design.h"

/// Designs and folders for the tests of the project files.
namespace hallwright::test {

/// A folder of its own, gone with the test.
class ScratchFolder {
public:
  explicit ScratchFolder(const std::string& name) : path_(std::filesystem::temp_directory_path() / (name + "-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Names in it that begin so, hidden ones too.
  [[nodiscard]] std::size_t count(const std::string& beginning) const {
    std::size_t out = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) out += entry.path().filename().string().starts_with(beginning) ? 1 : 0;
    return out;
  }

private:
  std::filesystem::path path_;
};

inline std::string file_content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

/// `racks` racks of one type in rows of 20, two feeds and a loop: what a large hall weighs in a file.
inline Design hall_of_racks(int racks) {
  Design design;
  Hall hall{.id = design.next_id++, .name = "Hall A", .outline = {{0, 0}, {36000, 0}, {36000, 160000}, {0, 160000}}};
  RackType type{.id = design.next_id++, .name = "DGX rack"};
  PowerUnit feed{.id = design.next_id++, .name = "Busway A", .kind = PowerUnitKind::busway, .hall = hall.id};
  CoolantLoop loop{.id = design.next_id++, .name = "Loop 1"};
  std::vector<Row> rows;
  std::vector<Rack> table;
  for (int i = 0; i < racks; ++i) {
    if (i % 20 == 0) rows.push_back({.id = design.next_id++, .name = "R" + std::to_string(i / 20 + 1), .hall = hall.id});
    Rack rack{.id = design.next_id++, .name = rows.back().name + "-" + std::to_string(i % 20 + 1), .rack_type = type.id, .hall = hall.id, .row = rows.back().id};
    rack.x = millimeters(600.0 * (i % 20));
    rack.y = millimeters(2400.0 * (i / 20));
    rack.feed_a = feed.id;
    rack.loop = loop.id;
    table.push_back(rack);
  }
  design.halls = share(std::vector{hall});
  design.rack_types = share(std::vector{type});
  design.power_units = share(std::vector{feed});
  design.loops = share(std::vector{loop});
  design.rows = share(std::move(rows));
  design.racks = share(std::move(table));
  return design;
}

} // namespace hallwright::test
