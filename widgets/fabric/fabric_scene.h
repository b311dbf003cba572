// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "widgets/fabric/fabric_picture.h"

/// Where everything of a network lies from left to right, in cells of one node each. Rows are tiers; heights are the
/// affair of the view.
namespace hallwright::wired {

constexpr int row_count = 4; ///< nodes, leafs, spines, cores from below
int row_of(DeviceKind kind);

/// Devices of one unit, pod or plane, framed and named.
struct Frame {
  double left = 0, right = 0;
  std::uint32_t number = 0; ///< from 0
  int lowest_row = 0, highest_row = 0;
};

/// Links of one class between two groups of devices, drawn as one ribbon when far away.
struct Band {
  LinkClass kind = LinkClass::node_leaf;
  double near_left = 0, near_right = 0, far_left = 0, far_right = 0; ///< of all devices it joins
  double near_from = 0, near_to = 0, far_from = 0, far_to = 0;       ///< its share of these, in order
  std::uint32_t links = 0;
  std::uint32_t near_group = 0, far_group = 0; ///< unit, pod or group
  std::uint16_t plane = 0;
};

/// Links between the same two devices, drawn as one line until ports can be told apart.
struct Pair {
  std::uint32_t near = 0, far = 0;
  std::uint32_t first_link = 0; ///< one of them
  std::uint32_t links = 0;
};

struct Scene {
  std::shared_ptr<const Wiring> wiring;
  double width = 1;
  std::vector<double> left, right;                        ///< by device
  std::array<std::vector<std::uint32_t>, row_count> rows; ///< devices from left to right
  std::array<double, row_count> pitch{};                  ///< mean cells of a device of the row
  std::array<double, row_count> port_pitch{};             ///< least cells between two ports on one edge of a device
  std::vector<Frame> units, pods, planes;
  std::vector<Band> fine, coarse;
  std::array<std::uint32_t, 6> first_fine{}, first_coarse{}; ///< by LinkClass, with the end as last entry
  std::vector<std::uint32_t> fine_of_link, coarse_of_link;
  std::vector<Pair> pairs;                              ///< by near device
  std::vector<std::uint32_t> first_pair;                ///< by near device, with the end
  std::vector<std::uint32_t> far_pairs, first_far_pair; ///< pairs by far device
  std::vector<float> near_at, far_at;                   ///< by link: where on the device's edge, 0 to 1
  bool dragonfly = false;

  [[nodiscard]] double near_x(std::uint32_t link) const;
  [[nodiscard]] double far_x(std::uint32_t link) const;
  [[nodiscard]] double middle(std::uint32_t device) const { return (left[device] + right[device]) / 2; }
  /// Devices of a row that lie at least partly between two places.
  [[nodiscard]] std::pair<std::size_t, std::size_t> between(int row, double from, double to) const;
  /// Device of a row at x, or the number of devices.
  [[nodiscard]] std::uint32_t device_at(int row, double x) const;
  [[nodiscard]] bool row_used(int row) const { return !rows[static_cast<std::size_t>(row)].empty(); }
};

Scene make_scene(const std::shared_ptr<const Wiring>& wiring);

} // namespace hallwright::wired
