// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fabric/cabling.h"
#include "project/found_links.h"

/// Devices of networks under the names that the device list for NetBox gives them: one name a device, whatever networks
/// it is on.
namespace hallwright {

/// Letter and number that tell networks apart at a node: "c" compute, "s" storage, "i" in band, "m" out of band, "u"
/// scale-up; "c2." for the second of a kind. By id of the network.
[[nodiscard]] std::map<Id, std::string> network_tags(const CablingResult& cabling);

/// A device of a network as NetBox knows it.
struct NetboxEnd {
  std::string device; ///< "R01-03-U17"; empty: it stands in no drawn rack
  Count shift = 0;    ///< several end points that are one drawn device (management ports) count on: added to a port
};

class NetboxDevices {
public:
  NetboxDevices(const Design& design, const Catalog& catalog);
  /// By device of the wiring. A network without wiring or places: none.
  [[nodiscard]] std::vector<NetboxEnd> of(const NetworkCabling& network) const;

private:
  struct Candidate {
    bool is_switch = false;
    std::string name;
  };
  std::map<std::pair<Id, Count>, std::vector<Candidate>> at_; ///< by rack and lowest half unit; 0: beside the rails
};

/// Port of a node in NetBox: "c3"; ports of switches have no tag.
[[nodiscard]] std::string netbox_node_port(const std::string& tag, Count port, const NetboxEnd& end);

/// Found links with such names read as those of the networks ("Compute node 1", port 3), where a device of that name is
/// drawn; the network of a node's port is told by its tag, else by the switch at the other end.
[[nodiscard]] FoundLinks with_network_names(FoundLinks found, const CablingResult& cabling,
                                            const NetboxDevices& devices);

} // namespace hallwright
