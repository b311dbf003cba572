// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "design/entities.h"
#include "fabric/optical_channel.h"
#include "fabric/wiring.h"

/// Which cable and which modules join two ports: by length, lane rate, fibre, cages and joints. All choices of a class
/// of links are made once; picking one for a link is a look-up.
namespace hallwright {

/// What an end of a link plugs into.
struct CageEnd {
  std::string word;       ///< "node", "leaf": for sentences
  std::string form;       ///< "OSFP finned"; empty: not known
  Count links = 1;        ///< that one cage carries
  double cage_gbit_s = 0; ///< of the whole cage, one way; 0: not known
  double lane_gbit_s = 0; ///< nominal; 0: not known
  double most_w = 0;      ///< that a module may draw; 0: not known
  bool node = false;      ///< takes flat-top plugs
  std::string note;       ///< where the figures come from, when they are estimates
  friend bool operator==(const CageEnd&, const CageEnd&) = default;
};
/// Cages of a switch. Lanes are those of the form (OSFP and QSFP-DD eight, QSFP four, SFP one); without cages, four to
/// a port, as an estimate.
/// @param wired  what the wiring puts into a cage, counted in links of `wired_gbit_s`; not known: from the part
CageEnd switch_cage(const SwitchPart* part, double link_gbit_s, const Cages& wired, double wired_gbit_s,
                    std::string word);
/// Cages as the wiring states them, else as the part has them at the rate of the wiring's links.
Cages known_cages(const Cages& wired, const SwitchPart* part, double wired_gbit_s);
/// Cages of a node: links per cage from the catalog (`fabric.node_cage_links.<part>`, compute network), else from a
/// named module, else from the rate of the adapters where it is that of one link of each plane; else one.
CageEnd node_cage(const Catalog& catalog, std::string_view node_part, NetworkKind network, double link_gbit_s,
                  std::string_view named_optic, Count planes = 1);

struct MediumRequest {
  double link_gbit_s = 400;
  CageEnd near, far;
  LinkMedium medium = LinkMedium::automatic;
  std::string near_optic, far_optic, cable; ///< parts that are named; empty: chosen
  Count panels = 0;
  CableLengths lengths = CableLengths::stock;
  friend bool operator==(const MediumRequest&, const MediumRequest&) = default;
};

enum class CableShape : std::uint8_t {
  fibre,    ///< modules at both ends, joined by fibre
  straight, ///< a cable with plugs at its ends, from one cage to one cage
  split,    ///< such a cable from one cage of the far device to several near cages
};

/// One way to make the links of a class.
struct LinkChoice {
  LinkMedium medium = LinkMedium::single_mode;
  CableShape shape = CableShape::fibre;
  std::string cable, near_optic, far_optic;   ///< catalog ids; empty: none, or none in the catalog
  Count near_links = 1, far_links = 1;        ///< that a module (or plug) at either end carries
  Count cables_per_link = 1;                  ///< sockets that one link takes
  Count links_per_cable = 1;                  ///< of a splitter fibre, or a cable with plugs
  bool split_near = false, split_far = false; ///< fibre: at which end one socket serves several links
  double limit_mm = 0;                        ///< longest that works and can be had
  bool limit_known = true;
  std::string limit_reason;              ///< "reach of MMA4Z00-NS, 50 m"
  std::vector<std::uint32_t> lengths_mm; ///< that can be ordered, ascending
  std::uint32_t step_mm = 0;             ///< beyond them, or cut: made to measure in these steps; 0: not made
  double fixed_usd = 0, usd_per_m = 0;   ///< of one link, for ranking; unknown prices have stand-ins
  bool price_stand_in = false;
  Channel channel; ///< fibre: kind and joints
  ChannelBudget budget;
  std::vector<std::string> problems; ///< why parts that are named do not fit

  /// Length to order [mm] for a routed one; beyond what can be had the next whole step.
  [[nodiscard]] std::uint32_t ordered_mm(double routed_mm) const;
};

/// What the cages allow for a group of links that must share one kind of cable.
struct CableShapes {
  bool straight = false; ///< one cage at each end
  bool split = false;    ///< one far cage, near cages of one link each
  [[nodiscard]] unsigned index() const { return (straight ? 1U : 0U) | (split ? 2U : 0U); }
};

/// All choices of a class of links.
struct MediumTable {
  struct Pick {
    std::uint16_t choice = 0;
    bool beyond = false; ///< nothing reaches; the choice is the one that reaches farthest
  };
  std::vector<LinkChoice> choices;
  std::string problem; ///< why there is none
  std::vector<std::string> notes;

  /// The cheapest choice that reaches; needs at least one choice.
  [[nodiscard]] Pick pick(CableShapes shapes, double longest_mm) const;
  /// Whether any choice is open to such a group.
  [[nodiscard]] bool any(CableShapes shapes) const { return !steps[shapes.index()].empty(); }

  struct Step {
    double up_to_mm = 0; ///< routed length
    Pick pick;
  };
  std::vector<Step> steps[4]; ///< by `CableShapes::index`, ascending; the last is for all beyond
};

MediumTable medium_table(const Catalog& catalog, const MediumRequest& request);

std::string_view medium_word(LinkMedium medium); ///< as in files: "multimode fibre"
/// Medium of a cable part: "dac", "utp" passive copper, "acc", "aoc", "mmf", "smf".
std::optional<LinkMedium> medium_of(const CablePart& part);

/// Lengths that the catalog lists under `stock.<kind>.` [mm], ascending.
std::vector<std::uint32_t> stock_lengths_mm(const Catalog& catalog, std::string_view kind);

} // namespace hallwright
