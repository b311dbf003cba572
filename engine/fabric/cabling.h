// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "fabric/cable_plan.h"
#include "fabric/device_places.h"
#include "fabric/fabric.h"
#include "fabric/wiring.h"
#include "space/routes.h"

/// The stage after the counts: every network wired port by port and cabled through the hall.
namespace hallwright {

struct CablingInputs {
  Shared<std::vector<Network>> networks;
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<Project> project;
  Shared<Catalog> catalog;
  friend bool operator==(const CablingInputs&, const CablingInputs&) = default;
};

/// One network on the plan. Parts are shared with the last evaluation where nothing of them changed.
struct NetworkCabling {
  Id network = 0;
  std::string name;
  NetworkKind kind = NetworkKind::compute;
  std::string problem;                       ///< why it is not wired; empty when it is
  std::shared_ptr<const Wiring> wiring;      ///< null: not wired
  std::shared_ptr<const DevicePlaces> places;
  std::shared_ptr<const CablePlan> plan;
};

struct CablingResult : StageResult {
  std::vector<NetworkCabling> networks; ///< by id
};

CablingResult cabling(const CablingInputs& inputs, const FabricResult& fabric, const Shared<RouteResult>& routes,
                      const CablingResult* previous = nullptr, const std::stop_token& stop = {});

} // namespace hallwright
