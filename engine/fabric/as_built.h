// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "fabric/wiring.h"
#include "project/found_links.h"

/// What was plugged, against what was planned, port by port.
///
/// Names lie: an adapter may have none, or its neighbour's. So each host stands where its socket says, until its name
/// or its identity (adapters of one board have neighbouring GUIDs) says otherwise; of the two, identity wins.
/// Differences are told as plugs to move: planned and found links that share sockets form rings and chains, and each
/// cable in one needs one plug moved, never more.
namespace hallwright {

struct PlannedDevice {
  std::string name;
  DeviceKind kind = DeviceKind::node;
  std::string rack, unit_place;       ///< "R01", "41"; empty: not known
  std::int32_t rail = -1, plane = -1; ///< of a switch, from 0; -1: none
  std::uint32_t found = no_device;    ///< the device of the dump that it is, where that is known
  Count links_per_cage = 0;           ///< of a switch; 0: not known
};

struct PlannedLink {
  std::uint32_t near = 0, far = 0;     ///< devices; the near one is the lower
  PortKey near_port = 0, far_port = 0; ///< numbers, or names in `PlannedFabric::port_names`
  LinkClass kind = LinkClass::node_leaf;
  std::int16_t rail = -1, plane = -1; ///< from 0; -1: not told
  bool lit = true;                    ///< false: built, and nothing need answer yet
  std::uint8_t lanes = 0;             ///< 0: what most links of its class have
  float lane_gbps = 0.0F;
  std::uint32_t label = 0; ///< into `labels`; 0: none
};

/// A network as planned: neutral of where the plan comes from.
struct PlannedFabric {
  std::vector<PlannedDevice> devices;
  std::vector<PlannedLink> links;
  std::vector<std::string> port_names{std::string()}, labels{std::string()};
  [[nodiscard]] std::string port_text(PortKey port) const;
  [[nodiscard]] std::string end_text(std::uint32_t device, PortKey port) const; ///< "leaf-03:17"
};

/// A wired network as plan. Names of devices get `prefix` in front ("compute " + "leaf 3"); racks are not told.
PlannedFabric planned_fabric(const Wiring& wiring, std::string_view prefix = {});
/// Links read from a file (.topo, topology.dot, a cable list) as plan.
PlannedFabric planned_fabric(const FoundLinks& file);

enum class AsBuiltKind : std::uint8_t {
  missing,            ///< planned, and nothing answers
  extra,              ///< found, and planned nowhere
  crossed_in_bundle,  ///< right devices, wrong ports: labels are wrong, traffic is not
  exchanged_nodes,    ///< on one rail: rank order and maintenance are wrong
  exchanged_rails,    ///< of one node: rail traffic climbs to the spines
  exchanged_switches, ///< an uplink on another switch: bundles of unequal size
  wrong_plane,        ///< a failure of one plane is no longer contained
  degraded,           ///< fewer lanes or a lower rate than the others
  unnamed,            ///< a device without a name, or with a wrong one
  absent_switch       ///< none of its links is found
};
std::string_view as_built_word(AsBuiltKind kind); ///< "crossed_in_bundle"

/// One plug: taken from `from`, put into `to`. An empty `from`: a cable to be laid; an empty `to`: one to be taken out.
struct PlugMove {
  std::string from, to;         ///< "LEAF-R04-K04:35"
  std::string rack, unit_place; ///< of the device at hand
  std::string label;            ///< of the cable as planned
};

struct AsBuiltFinding {
  AsBuiltKind kind = AsBuiltKind::missing;
  std::string where, far;      ///< ends as ports, several with commas: "LEAF-R04-K04:35, LEAF-R04-K04:36"
  std::string expected, found; ///< what should be at `where`, and what is
  std::string move;            ///< one sentence: what to do
  std::vector<PlugMove> moves;
  std::vector<std::uint32_t> planned; ///< links of the plan
  std::vector<std::uint32_t> links;   ///< found links
  std::vector<std::uint32_t> lines;   ///< of the dump, where it was read
  bool estimate = false;              ///< concluded from weak evidence; the sentence says which
};

struct AsBuiltResult {
  std::size_t links = 0;                ///< found
  std::size_t planned = 0;              ///< links of the plan, without those of devices that are not there at all
  std::size_t dark = 0;                 ///< of these, links of places that may still be empty: none need answer
  std::size_t matched = 0;              ///< both ends as planned
  std::size_t plug_moves = 0;           ///< the fewest that make found into planned, without cables to lay or take out
  std::vector<AsBuiltFinding> findings; ///< by kind, then by place
  std::vector<std::string> notes;
  std::string rule; ///< what was inferred without a plan; empty with one
  [[nodiscard]] std::size_t count(AsBuiltKind kind) const;
};

/// Compares. Devices are matched by identity where the plan knows it, by name, then by the links around them.
AsBuiltResult compare_as_built(const PlannedFabric& plan, const FoundLinks& found);

} // namespace hallwright
