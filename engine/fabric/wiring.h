// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "fabric/fabric.h"

/// A network wired port by port: every device, every link, and the rule that says which port goes where.
///
/// Devices are numbered: nodes first, then places of fabric managers, leafs, spines, cores (dragonfly: its switches are
/// leafs). Ports count from 1 in links, cage after cage, as switches print them; a node's ports count its links to this
/// network, rail after rail, plane after plane.
namespace hallwright {

enum class DeviceKind : std::uint8_t { node, manager, leaf, spine, core };
/// What a link joins; the lower device is its near end. `group_local`, `group_global`: switches of a dragonfly.
enum class LinkClass : std::uint8_t { node_leaf, leaf_spine, spine_core, group_local, group_global };

std::string_view device_word(DeviceKind kind); ///< "node", "manager", "leaf", "spine", "core"
std::string_view link_class_word(LinkClass kind); ///< "node-leaf" ...

struct WiredDevice {
  DeviceKind kind = DeviceKind::node;
  std::uint16_t plane = 0;  ///< of a switch, from 0
  std::uint16_t rail = 0;   ///< of a leaf in a network with rails, from 0
  std::uint32_t index = 0;  ///< among its kind in the whole network, from 0
  std::uint32_t unit = 0;   ///< scalable unit of a node or leaf, from 0; of a dragonfly its group
  std::uint32_t pod = 0;    ///< of a leaf or spine below cores, from 0
  friend bool operator==(const WiredDevice&, const WiredDevice&) = default;
};

struct WiredLink {
  std::uint32_t near = 0, far = 0; ///< devices
  std::uint16_t near_port = 0, far_port = 0;
  std::uint16_t rail = 0;
  std::uint8_t plane = 0;
  LinkClass kind = LinkClass::node_leaf;
  bool lit = true; ///< false: built for a unit that is not full, and no node needs it yet
  friend bool operator==(const WiredLink&, const WiredLink&) = default;
};

/// How ports of one class of links follow from where its ends are: sums of terms over unit u, rack c, node n, rail r,
/// leaf l, spine s, core k, copy i, all from 0. Departures at partial units or uneven bundles are counted.
struct PortRule {
  LinkClass kind = LinkClass::node_leaf;
  std::string line;        ///< "leaf port = 1 + n; node port = 1 + r" on one line
  Count links = 0;         ///< that follow it
  Count departures = 0;    ///< that do not
};

/// Cages of a switch as its links take them.
struct Cages {
  Count cages = 0;          ///< 0: not known
  Count links_per_cage = 1; ///< links that one cage carries
  /// Cage of a port, from 1.
  [[nodiscard]] Count cage_of(Count port) const { return links_per_cage > 0 ? (port - 1) / links_per_cage + 1 : port; }
  /// Name of a port as on the faceplate: "17/1" where cages carry several links, else "17".
  [[nodiscard]] std::string port_name(Count port) const;
  friend bool operator==(const Cages&, const Cages&) = default;
};

struct WiringRequest {
  FabricRequest counts;
  Cages leaf_cages, spine_cages, core_cages;
  friend bool operator==(const WiringRequest&, const WiringRequest&) = default;
};

struct Wiring {
  FabricCounts counts;
  WiringRequest request;
  std::vector<WiredDevice> devices;
  std::uint32_t first_manager = 0, first_leaf = 0, first_spine = 0, first_core = 0; ///< into `devices`
  std::vector<WiredLink> links;                ///< class after class; within a class by near device and port
  std::vector<std::uint32_t> first_of_class;   ///< into `links`, by LinkClass, with the end as last entry: 6 numbers
  std::vector<PortRule> rules;
  [[nodiscard]] std::span<const WiredLink> of_class(LinkClass kind) const;
  /// Links at one device, as indices into `links`, by port. Made at first use of `index_links`.
  [[nodiscard]] std::span<const std::uint32_t> at_device(std::uint32_t device) const;
  /// Fills what `at_device` reads; `wire` has done it.
  void index_links();
  /// "leaf 3" with numbers from 1, the words that failures and labels use.
  [[nodiscard]] std::string device_name(std::uint32_t device) const;
  std::vector<std::uint32_t> link_order, first_link_of; ///< by device, for `at_device`
};

/// Wires a network, or says why it cannot be built and what the next feasible design is. Each port is used once and
/// none lies beyond the part's. Counts are those of `fabric_counts`.
/// @param stop when requested, an error is returned; polled every few thousand links
tl::expected<Wiring, std::string> wire(const WiringRequest& request, const std::stop_token& stop = {});

} // namespace hallwright
