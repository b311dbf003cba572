// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "design/design.h"
#include "fabric/device_places.h"
#include "fabric/link_medium.h"
#include "fabric/wiring.h"
#include "space/routes.h"

/// Every cable of a wired network: its way through the hall, the length to order, medium, modules, watts, loss.
/// Three tables are kept apart: links, cables (assemblies), modules.
namespace hallwright {

struct CablePlanInputs {
  Network network;                            ///< media, named parts, panels, lengths, spares
  std::shared_ptr<const Wiring> wiring;       ///< never null
  std::shared_ptr<const DevicePlaces> places; ///< never null
  Shared<CableRoutes> routes;                 ///< never null
  Shared<Catalog> catalog;                    ///< never null
  std::string node_part;                      ///< main node of the design
  double stand_in_mm = 0; ///< way between two racks, with drops, for links with an end that is not drawn
};

/// How a length came about.
enum class LengthKind : std::uint8_t {
  within_rack, ///< both ends in one rack
  routed,      ///< along the drawn trays
  estimated,   ///< both ends drawn, no trays join them: along x and y, up to tray height and down
  assumed,     ///< an end is not drawn: the stand-in
};

/// One link. As many as the wiring has, in its order.
struct LinkCable {
  static constexpr std::uint16_t no_choice = 0xffff;
  double routed_mm = 0;             ///< way, dress at both ends and slack
  std::uint32_t ordered_mm = 0;     ///< of its cable; 0: no medium was found
  std::uint32_t cable = 0;          ///< first link of the same cable; its own index where it shares none
  std::uint16_t choice = no_choice; ///< into `CablePlan::choices`
  LengthKind how = LengthKind::assumed;
  bool beyond = false; ///< longer than its medium reaches
  friend bool operator==(const LinkCable&, const LinkCable&) = default;
};

/// Cables of one part and length.
struct CableRow {
  std::string part; ///< catalog id
  LinkMedium medium = LinkMedium::automatic;
  std::uint32_t ordered_mm = 0;
  Count links = 0;
  Count cables = 0; ///< assemblies
  Count pieces = 0; ///< with patch panels each way has several; lengths are those of the whole way
  Count spares = 0;
  double routed_m = 0, ordered_m = 0; ///< sums over cables, without spares; the difference is waste
  std::optional<double> price_usd;    ///< of cables and spares; not set: no price is known
  friend bool operator==(const CableRow&, const CableRow&) = default;
};

/// Modules of one part in one kind of device.
struct ModuleRow {
  std::string part;
  DeviceKind in = DeviceKind::node;
  Count modules = 0, spares = 0;
  Count idle_links = 0;            ///< that these modules could carry and do not
  std::optional<double> power_w;   ///< of all in place; not set: not known
  std::optional<double> price_usd; ///< with spares
  friend bool operator==(const ModuleRow&, const ModuleRow&) = default;
};

/// What a rack has to feed and cool for the ends of cables.
struct RackCableLoad {
  Id rack = 0; ///< 0: all that is not drawn
  Count modules = 0;
  double node_module_w = 0, switch_module_w = 0; ///< of modules in nodes and in switches
  double cable_end_w = 0;                        ///< of plugs of copper and active optical cables
  double node_cable_end_w = 0;                   ///< the part of `cable_end_w` in nodes
  Count without_power = 0; ///< modules and ends whose power is not known: the sums are lower bounds
  [[nodiscard]] double total_w() const { return node_module_w + switch_module_w + cable_end_w; }
  friend bool operator==(const RackCableLoad&, const RackCableLoad&) = default;
};

/// Links of one class made in one way.
struct MediumRow {
  LinkClass kind = LinkClass::node_leaf;
  std::uint16_t choice = 0;
  Count links = 0, beyond = 0;
  double longest_mm = 0; ///< routed
  std::uint32_t longest_ordered_mm = 0;
  ChannelLoss loss;               ///< fibre: at the longest ordered length
  std::vector<std::string> chain; ///< what keeps its connectors from closing; empty: nothing
  friend bool operator==(const MediumRow& a, const MediumRow& b) {
    return a.kind == b.kind && a.choice == b.choice && a.links == b.links && a.beyond == b.beyond &&
           a.longest_mm == b.longest_mm && a.longest_ordered_mm == b.longest_ordered_mm && a.chain == b.chain;
  }
};

/// Lengths of the links of one class.
struct LengthRow {
  LinkClass kind = LinkClass::node_leaf;
  Count links = 0;
  Count by_kind[4] = {}; ///< by LengthKind
  double sum_mm = 0, longest_mm = 0;
  std::uint32_t longest_link = 0;
  friend bool operator==(const LengthRow&, const LengthRow&) = default;
};

/// What does not work, in a sentence.
struct CableProblem {
  enum class Kind : std::uint8_t {
    no_medium,    ///< nothing of the catalog joins the two ports
    beyond_reach, ///< longer than what is asked for reaches
    parts,        ///< parts that are named do not fit: plug, lanes, watts, fibre
    mixed_cage,   ///< one cage would need two kinds of module
    chain,        ///< polarity, polish or pins
  };
  Kind kind = Kind::no_medium;
  LinkClass of = LinkClass::node_leaf;
  Count links = 0;
  std::uint32_t link = 0; ///< one of them: the longest
  std::string sentence;
  friend bool operator==(const CableProblem&, const CableProblem&) = default;
};

struct CablePlanState; ///< what an update goes on from

struct CablePlan {
  std::vector<LinkCable> links;     ///< table 1
  std::vector<CableRow> cables;     ///< table 2, by part and length
  std::vector<ModuleRow> modules;   ///< table 3, by part and device
  std::vector<LinkChoice> choices;  ///< ways to make links, class after class
  std::vector<MediumRow> media;     ///< by class and choice
  std::vector<LengthRow> lengths;   ///< by class
  std::vector<RackCableLoad> racks; ///< by rack id; what is not drawn comes first, as rack 0
  std::vector<CableProblem> problems;
  std::vector<std::string> notes; ///< how lengths, media and prices came about
  Count estimated_links = 0;      ///< along x and y
  Count assumed_links = 0;        ///< with an end that is not drawn
  double worst_skew_ns = 0;       ///< between ordered fibres of one module
  double spare_share_cables = 0, spare_share_modules = 0;
  Count unpriced = 0; ///< cables and modules without a price: totals are lower bounds
  std::shared_ptr<const CablePlanState> state;

  [[nodiscard]] const LinkChoice* choice_of(std::uint32_t link) const {
    return links[link].choice == LinkCable::no_choice ? nullptr : &choices[links[link].choice];
  }
};

/// Plans every cable. Where `previous` is of the same wiring, catalog and trays, only what moved is done again: ways of
/// pairs of racks of which one moved, and the links on them.
/// @param stop when requested, the plan is left unfinished and of no use; polled group by group and search by search
CablePlan cable_plan(const CablePlanInputs& inputs, const CablePlan* previous = nullptr,
                     const std::stop_token& stop = {});

/// From which height of which rack to which each link of a plan runs.
struct CableWays {
  static constexpr std::uint32_t none = 0xffffffff;
  struct Way {
    Id from = 0, to = 0; ///< racks of the near and the far end
    double from_height_mm = 0, to_height_mm = 0;
    bool routed = false; ///< along trays
  };
  std::vector<Way> ways;
  std::vector<std::uint32_t> of_link; ///< into `ways`, by link; none: an end is not drawn
};
CableWays cable_ways(const CablePlan& plan);

/// What the cables of a plan are for the trays: by pair of racks and part. For `CableRoutes::loads`, all networks at
/// once. Cables within a rack, and those of racks that no trays join, are left out.
/// Diameters that parts do not state: catalog defaults. Masses: fibre as a plastic, copper from
/// `cabling.density_copper`.
std::vector<CableDemand> tray_demands(const CablePlan& plan, const Catalog& catalog);

} // namespace hallwright
