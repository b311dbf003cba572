// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "design/design.h"
#include "fabric/wiring.h"

/// Where the devices of a wired network stand: which rack, which rack unit, how high.
namespace hallwright {

struct PlaceInputs {
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<Catalog> catalog;
  friend bool operator==(const PlaceInputs&, const PlaceInputs&) = default;
};

/// A rack that holds devices of the network.
struct DeviceRack {
  Id rack = 0, hall = 0;
  double x_mm = 0, y_mm = 0; ///< middle of its footprint on the plan
  friend bool operator==(const DeviceRack&, const DeviceRack&) = default;
};

struct DevicePlace {
  static constexpr std::uint32_t not_drawn = 0xffffffff;
  std::uint32_t rack = not_drawn; ///< into `DevicePlaces::racks`
  std::int32_t half_unit = 0;     ///< lowest half rack unit, from 1; 0: beside the rails or not drawn
  std::int32_t half_units = 0;    ///< height
  double height_mm = 0;           ///< middle of the device above the floor
  [[nodiscard]] bool drawn() const { return rack != not_drawn; }
  friend bool operator==(const DevicePlace&, const DevicePlace&) = default;
};

struct DevicePlaces {
  std::vector<DeviceRack> racks;   ///< by rack id
  std::vector<DevicePlace> places; ///< by device
  Count undrawn[5] = {};           ///< by DeviceKind: devices without a place
  std::vector<std::string> notes;  ///< "12 of 64 leafs are not drawn"
  [[nodiscard]] Count undrawn_count() const;
  /// "U41", or "U41 upper half"; empty where the device stands in no rack unit.
  [[nodiscard]] std::string unit_text(std::uint32_t device) const;
  /// The rack of a device, 0 where it is not drawn.
  [[nodiscard]] Id rack_of(std::uint32_t device) const {
    return places[device].drawn() ? racks[places[device].rack].rack : 0;
  }
  friend bool operator==(const DevicePlaces&, const DevicePlaces&) = default;
};

struct PlaceRequest {
  Id network = 0;
  std::string node_part;      ///< nodes of this part only; empty: every node
  Count devices_per_node = 1; ///< end points of the network that one drawn node stands for (management ports)
  std::string leaf_part, spine_part, core_part; ///< switch parts; empty: none is drawn
  std::string storage_part;                     ///< end points after the nodes: drawn storage systems
  double places_per_storage = 1;                ///< end points of one of these
  bool switches_as_nodes = false; ///< end points after those: switches of other networks, as management ports are
};

/// Every place of the drawing that can hold a device. Networks are placed one after another: a switch place that one
/// has taken is gone for the next.
class DrawnPlaces {
public:
  explicit DrawnPlaces(const PlaceInputs& inputs);

  /// Nodes take the drawn nodes hall by hall, row by row, and within a row in the order in which racks were drawn
  /// (racks without a row come after the rows); in a rack from below. Leafs of a unit take the switch places nearest to
  /// the middle of the unit's racks, spines of a pod those nearest to its leafs where there are several pods, and all
  /// other spines and cores what is left, in the order of the racks. Items that name a network or a tier hold only
  /// such.
  DevicePlaces place(const Wiring& wiring, const PlaceRequest& request);

private:
  struct Spot {
    std::uint32_t rack = 0;
    std::int32_t half_unit = 0, half_units = 0;
    double height_mm = 0;
  };
  struct SwitchSpot {
    Spot spot;
    std::uint32_t item = 0;
    bool taken = false;
  };
  struct PartSpots {
    std::string part;
    std::vector<Spot> spots;
  };
  struct SwitchItem {
    std::string part;
    Id network = 0;
    SwitchTier tier = SwitchTier::any;
  };
  std::vector<Spot> nodes_of(const std::string& part) const;

  std::vector<DeviceRack> racks_;          ///< in the order of filling
  std::vector<PartSpots> nodes_, storage_; ///< each in the order of filling
  std::vector<Spot> all_nodes_;
  std::vector<SwitchItem> switch_items_;
  std::vector<SwitchSpot> switches_; ///< in the order of filling
};

} // namespace hallwright
