// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

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

/// One line a node, switch or storage device in a rack. Devices are named after rack and position ("R01-03-U17"); where
/// the height of a part is unknown, those above it have no position.
[[nodiscard]] std::string netbox_devices_csv(const Design& design, const Catalog& catalog);

/// Reads racks as NetBox exports or imports them. `rack_type` is looked up among the rack types of the design (by name,
/// or by the name of their catalog part), `location` among its halls. Racks without a place are put beside their hall,
/// in a line, and the notes say so. Unknown types are listed, never made up.
[[nodiscard]] tl::expected<RackList, std::string> read_netbox_racks(std::string_view text, const Design& design,
                                                                    const Catalog& catalog,
                                                                    const RackListOptions& options = {});

} // namespace hallwright
