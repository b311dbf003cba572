// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// How names of devices follow from where they are: "LEAF-R04-K02" is rail 4, rack 2.
namespace hallwright::as_built {

/// Where a device is, each from 1; 0: the number does not apply to it.
struct Position {
  std::int32_t rack = 0, rail = 0, tray = 0, spine = 0;
};

class NamePattern {
public:
  /// Learns from names and positions. `trays` and `rails`: per rack, for names that count through.
  void learn(const std::vector<std::pair<std::string, Position>>& named, std::int32_t trays, std::int32_t rails);
  /// At least two thirds of the names follow it.
  [[nodiscard]] bool known() const { return known_; }
  [[nodiscard]] std::string name(const Position& at) const;

private:
  struct Field {
    std::int32_t of_rack = 0, of_rail = 0, of_tray = 0, of_spine = 0, constant = 0; ///< the number as a sum
    int width = 0;                                                                  ///< with zeros in front
  };
  [[nodiscard]] static std::int32_t value(const Field& f, const Position& p) {
    return f.of_rack * p.rack + f.of_rail * p.rail + f.of_tray * p.tray + f.of_spine * p.spine + f.constant;
  }
  std::vector<std::string> texts_; ///< around the numbers: one more than fields
  std::vector<Field> fields_;
  bool known_ = false;
};

} // namespace hallwright::as_built
