// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

/// Names that count up.
namespace hallwright {

/// A name and the number at its end: "R09" is "R", 9 and two digits; "Pump" has no digits.
struct NumberedName {
  std::string stem;
  std::int64_t number = 0;
  int digits = 0; ///< 0: no number
};
NumberedName numbered(std::string_view name);
/// "R", 10, at least two digits: "R10".
std::string written(const NumberedName& name);
/// The name `steps` further: "R09" and 1 give "R10", "Pump" and 1 give "Pump 2".
std::string counted_up(std::string_view name, std::int64_t steps);

/// Hands out names that are not in use. Many names of one stem take constant time each.
class FreeNames {
public:
  void take(const std::string& name) { taken_.insert(name); }
  [[nodiscard]] bool is_taken(const std::string& name) const { return taken_.contains(name); }
  /// A free name of this stem, taken from now on. "R09" counts up from itself; "Rack" gives "Rack 1", or "Rack 2"
  /// where "Rack" is in use.
  std::string next(std::string_view stem);

private:
  struct Run {
    std::int64_t from = 0, to = -1; ///< numbers from..to are known to be taken
  };
  std::unordered_set<std::string> taken_; // asked only, never walked
  std::map<std::string, Run> runs_;
};

} // namespace hallwright
