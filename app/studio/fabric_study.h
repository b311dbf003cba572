// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>

#include "app/studio/live_evaluator.h"
#include "fabric/fabric_failures.h"
#include "fabric/link_loads.h"
#include "widgets/fabric/fabric_scene.h"
#include "widgets/fabric/length_histogram.h"

/// What the Fabric workspace asks of the engine beside the evaluation, on a worker: the picture of one network with its
/// failures and loads, and all single failures by class. Nothing here touches the window.
namespace hallwright {

/// How the failures of a design bear on a network.
struct FabricOutages {
  bool any = false;
  std::vector<Id> rows; ///< of `Design::failures`, that concern this network
  QStringList names;    ///< of these, as the list shows them
  std::optional<WhatIsLeft> left;
  QStringList problems; ///< what could not be read, and things that take nothing, with the reason
};

/// Traffic of one step on the links of a network.
struct FabricTraffic {
  bool known = false;
  QString note;  ///< why not, or what was counted
  QString worst; ///< "leaf 3 port 33 up to spine 1"
  std::uint32_t worst_link = 0;
  double worst_s = 0;
  ShareSpread spread;
  Count without_path = 0;
};

struct FabricPictureAnswer {
  Id network = 0;
  SharedEvaluation evaluation;
  std::shared_ptr<const wired::Picture> picture;
  std::shared_ptr<const wired::Scene> scene;
  std::vector<wired::ReachLimit> limits; ///< of media in use, longest link of each kind of choice
  FabricOutages outages;
  FabricTraffic traffic;
  bool with_traffic = false;
};

/// @param previous  whose scene is kept where the wiring is the same
/// @param traffic   whether loads are worked out, which takes longest
FabricPictureAnswer fabric_picture(const SharedEvaluation& evaluation, Id network, const FabricPictureAnswer* previous,
                                   bool traffic, const std::stop_token& stop);

/// GPUs of a node in this evaluation, at least 1.
Count gpus_per_node_of(const Evaluation& evaluation);

/// Leftovers after the worst loss of one switch, and all classes of single failures, worst first.
struct SingleFailures {
  std::vector<FailureClass> classes;
  /// Least of each while one switch is out: they may be those of two different switches.
  std::optional<double> least_injection, least_bisection;
  QString injection_switch, bisection_switch; ///< "leaf 1"
};
/// @param evaluation  in which the network is wired
SingleFailures single_failures(const Evaluation& evaluation, Id network, const std::stop_token& stop);
/// What the classes rest on: the same parts, the same classes.
struct SinglesRest {
  std::shared_ptr<const Wiring> wiring;
  std::shared_ptr<const DevicePlaces> places;
  std::shared_ptr<const CablePlan> plan;
  Shared<std::vector<Rack>> racks;
  Shared<std::vector<PowerUnit>> power_units;
  Shared<std::vector<Tray>> trays;
  Shared<PowerPlant> power_plant;
  friend bool operator==(const SinglesRest&, const SinglesRest&) = default;
};
SinglesRest singles_rest(const Evaluation& evaluation, Id network);

} // namespace hallwright
