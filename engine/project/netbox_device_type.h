// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

/// Reading device, module and rack types of the NetBox device type library (YAML).
///
/// What the format leaves open stays open: a device without power ports draws an unknown power, never zero, and the
/// ratings of its supplies are not its draw. Nothing is repaired silently; what looks wrong is kept and warned of.
namespace hallwright {

enum class NetboxTypeKind : std::uint8_t { device, module, rack };
/// "device type", "module type", "rack type".
[[nodiscard]] std::string_view netbox_kind_words(NetboxTypeKind kind);

/// A port, outlet or bay. Names are text, whatever YAML would make of them ("08").
struct NetboxComponent {
  std::string name, type, description;
  std::optional<double> maximum_draw_w, allocated_draw_w; ///< power ports only, as written
  bool management_only = false;                           ///< interfaces only
  int line = 0;                                           ///< where it begins, from 1
};

struct NetboxType {
  std::string file; ///< as it was given
  NetboxTypeKind kind = NetboxTypeKind::device;
  std::string manufacturer, model;                ///< never empty
  std::string slug;                               ///< derived from maker and model where the file has none
  std::string part_number, description, comments; ///< text as it stands
  std::optional<double> u_height;  ///< [rack units] zero or more, as written; not set: the file does not say
  std::optional<double> weight_kg; ///< converted exactly (lb: 0.45359237 kg); not set: none, or no unit
  std::optional<bool> is_full_depth, is_powered;
  std::string airflow, subdevice_role;
  std::vector<NetboxComponent> power_ports, power_outlets, interfaces, module_bays, device_bays, console_ports,
      console_server_ports, front_ports, rear_ports, inventory_items;

  // Rack types only.
  std::string form_factor;
  std::optional<double> rail_width_in;                                   ///< 10, 19, 21 or 23
  std::optional<double> outer_width_mm, outer_depth_mm, outer_height_mm; ///< converted from `outer_unit`
  std::optional<double> mounting_depth_mm;                               ///< not set where the value is implausible
  std::optional<double> maximum_load_kg;

  std::vector<std::string> warnings; ///< one sentence each, with the line where there is one

  /// Sum of `maximum_draw` over the power ports that state one [W]; not set: none does. With several supplies this is
  /// their capacity, not the draw of the device.
  [[nodiscard]] std::optional<double> sum_maximum_draw_w() const;
  /// Interfaces of 400 Gb/s or more a port.
  [[nodiscard]] std::size_t interfaces_400g_or_faster() const;
  /// Interfaces that are ports: not virtual, bridge or lag.
  [[nodiscard]] std::size_t physical_interfaces() const;
  /// Cages of the fast interfaces: two names of one cage ("sw1p1", "sw1p2") count once.
  [[nodiscard]] std::size_t fast_cages() const;
  /// Module bays whose name says that they take a power supply.
  [[nodiscard]] std::size_t supply_bays() const;
};

/// Line rate of a port of this type, one way [Gb/s]; not set where the word does not say.
/// NetBox labels InfiniBand NDR and XDR with the rate of a lane; a port has four.
[[nodiscard]] std::optional<double> netbox_interface_gbit_s(std::string_view type);

/// Largest file that is read.
inline constexpr std::size_t netbox_largest_file = 4U << 20U;

/// Reads one type. `file` is what sentences call it; a folder `rack-types` or `module-types` in it is a hint.
/// @return the type with its warnings, or one sentence: file, line, what is wrong, what is allowed
[[nodiscard]] tl::expected<NetboxType, std::string> read_netbox_type(std::string_view text, const std::string& file);

/// Files named on the command line: folders are walked for .yaml and .yml, sorted by path.
/// An error names a path that is not there, or a folder without such files.
[[nodiscard]] tl::expected<std::vector<std::string>, std::string> netbox_files(const std::vector<std::string>& paths);

} // namespace hallwright
