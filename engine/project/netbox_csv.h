// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "catalog/catalog.h"
#include "project/rack_list.h"

/// Racks and devices in the form of NetBox's bulk import (CSV; columns of RackImportForm and DeviceImportForm, 4.2).
///
/// NetBox finds site, location, role, rack type, manufacturer and device type by name: they must be there before. It
/// has no place on a floor, so a rack carries its place in `comments`, from which `read_netbox_racks` takes it back.
namespace hallwright {

/// One line a rack: site, location (the hall), name, status, role, rack_type, width, u_height, outer dimensions in mm,
/// weights in kg, comments. What is unknown is empty.
[[nodiscard]] std::string netbox_racks_csv(const Design& design, const Catalog& catalog);

/// A device in a rack under the one name that all files for NetBox give it.
struct NetboxDevice {
  Id rack = 0, item = 0;
  Count nth = 0;        ///< of the item's count: 0 is the lowest
  std::string name;     ///< rack and position, "R01-03-U17"; "R01-03-2" where it has no position
  std::string position; ///< lowest rack unit; empty: beside the rails, or above a part of unknown height
};
/// Devices of all racks, rack by rack. Racks that share a name are told apart by their id ("R01~26-U17").
[[nodiscard]] std::vector<NetboxDevice> netbox_devices(const Design& design, const Catalog& catalog);

/// One line a node, switch or storage device in a rack, of one hall or of all (0). Devices are named as above.
[[nodiscard]] std::string netbox_devices_csv(const Design& design, const Catalog& catalog, Id hall = 0);

/// Reads racks as NetBox exports or imports them. `rack_type` is looked up among the rack types of the design (by name,
/// or by the name of their catalog part), `location` among its halls. Racks without a place are put beside their hall,
/// in a line, and the notes say so. Unknown types are listed, never made up.
[[nodiscard]] tl::expected<RackList, std::string> read_netbox_racks(std::string_view text, const Design& design,
                                                                    const Catalog& catalog,
                                                                    const RackListOptions& options = {});

} // namespace hallwright
