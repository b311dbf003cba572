// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/as_built.h"
#include "project/found_links_table.h"

/// Where each found device belongs in the plan. Part of the as-built comparison; not for others.
namespace hallwright::as_built {

constexpr std::uint32_t none = no_device;

/// A host at a socket of a switch for which a node is planned.
struct Slot {
  std::uint32_t planned = none; ///< link of the plan at that socket
  std::uint32_t link = none;    ///< found link
  std::uint32_t host = none;    ///< found device
  PortKey host_port = 0;
  std::uint32_t node = none, place = 0;           ///< planned there: node, and which of its links
  std::uint32_t true_node = none, true_place = 0; ///< who really is there
  std::uint32_t name_node = none;                 ///< node that its name means
  std::int32_t label_place = -1;                  ///< which link its adapter's name means
  bool named = false;                             ///< its name says something
  bool beside_mate = false;                       ///< a neighbour on its board is where it should be
  bool by_identity = false;                       ///< its true place comes from an identity
  bool misnamed = false, estimate = false;
  bool either_rail = false;      ///< identities tell the exchange and not on which of two rails it is
  std::uint32_t other_place = 0; ///< of `either_rail`: the other rail
};

struct Places {
  std::vector<std::uint32_t> plan_of; ///< by found device: planned device, or none
  std::vector<Slot> slots;
  std::vector<std::uint32_t> slot_of_link;                 ///< by found link
  std::vector<std::uint32_t> slot_of_planned;              ///< by planned link
  std::vector<std::uint32_t> first_of_node, links_of_node; ///< planned links of each device as near end, by port
  std::vector<std::uint32_t> place_of_link;                ///< by planned link: which of its node's
  std::vector<std::uint32_t> renamed_switches;             ///< found devices that were placed by their links alone
  std::vector<std::string> notes;
  bool names_used = false; ///< host names and plan name the same nodes
};

/// Ends of planned links: key of a device and its port.
constexpr std::uint64_t socket_of(std::uint32_t device, PortKey port) {
  return (static_cast<std::uint64_t>(device) << 32) | port;
}
/// A found port as the plan would call it, for each name that the dump uses; numbers are themselves.
class PortTranslation {
public:
  PortTranslation(const PlannedFabric& plan, const FoundLinks& found);
  [[nodiscard]] PortKey operator()(PortKey port) const {
    return port & named_port ? translated_[port & ~named_port] : port;
  }

private:
  std::vector<PortKey> translated_;
};
/// "Ethernet1/2", "Eth1/2" and "Et1/2" are one port; so are "P12" and "12".
std::string canonical_port(std::string_view name);

/// Planned links by socket: link * 2, plus 1 for its far end. Numbered ports are looked up in one row per device.
class PlannedEnds {
public:
  explicit PlannedEnds(const PlannedFabric& plan);
  [[nodiscard]] std::uint32_t find(std::uint32_t device, PortKey port) const {
    if (port < rows_[device].ports) return ends_[rows_[device].first + port];
    return port ? others_.find(socket_of(device, port)) : KeyTable::none;
  }
  [[nodiscard]] std::uint32_t find(std::uint64_t socket) const {
    return find(static_cast<std::uint32_t>(socket >> 32), static_cast<PortKey>(socket));
  }

private:
  struct Row {
    std::uint32_t first = 0, ports = 0;
  };
  std::vector<Row> rows_;
  std::vector<std::uint32_t> ends_;
  KeyTable others_;
};

Places place_devices(const PlannedFabric& plan, const FoundLinks& found, const PlannedEnds& ends,
                     const PortTranslation& port);

} // namespace hallwright::as_built
