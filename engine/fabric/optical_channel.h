// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

/// An optical channel between two modules: insertion loss against what the modules allow, the chain of connectors,
/// skew and bends. Lengths in metres, losses in decibels, delays in nanoseconds.
namespace hallwright {

enum class FibreKind : std::uint8_t { single_mode, multimode };
/// Word of the catalog: "smf", "mmf".
std::optional<FibreKind> fibre_kind_of(std::string_view word);

/// What joints and fibre cost, from the catalog's assumptions `cabling.*`; the defaults are those of its rows.
struct ChannelRules {
  double mpo_joint_db = 0.35, lc_joint_db = 0.25; ///< of one joint, at most
  double single_mode_db_km = 0.4, multimode_db_km = 3.0;
  Count joints_in_reach = 4;    ///< that a stated reach has in it: two panels
  double least_margin_db = 0.5; ///< below it a link is worth a measurement
  double delay_ns_m = 4.5;      ///< of fibre and copper
  friend bool operator==(const ChannelRules&, const ChannelRules&) = default;
};
ChannelRules channel_rules(const Catalog& catalog);

/// Joints between two modules: each panel adds two; those at the modules are in the modules' own figures.
constexpr Count joints_of_panels(Count panels) { return 2 * panels; }

/// What a channel is made of.
struct Channel {
  FibreKind fibre = FibreKind::single_mode;
  bool lc = false; ///< LC connectors; else MPO
  Count joints = 0;
  double length_m = 0;
};
/// What the modules at its ends allow: their stated channel loss, else what their reach takes with the joints that
/// reach figures have in them. Not set: neither is known.
struct ChannelBudget {
  std::optional<double> stated_db; ///< the smaller of both ends
  std::optional<double> reach_m;   ///< the shorter of both ends
};
struct ChannelLoss {
  double loss_db = 0;
  std::optional<double> budget_db, margin_db;
  bool budget_estimated = false; ///< taken from the reach
};
/// Insertion loss: joints and fibre.
double channel_loss_db(const ChannelRules& rules, const Channel& channel);
ChannelLoss channel_loss(const ChannelRules& rules, const Channel& channel, const ChannelBudget& budget);
/// The length at which the loss meets the budget; below 0: the joints alone are above it. Not set: no budget.
std::optional<double> longest_channel_m(const ChannelRules& rules, FibreKind fibre, bool lc, Count joints,
                                        const ChannelBudget& budget);

/// How the fibres of a cable run from end to end (TIA-568): A straight, B turned round, C turned in pairs. Of duplex
/// LC: `type_b` crosses the two fibres (A-to-B), `type_a` does not.
enum class Polarity : std::uint8_t { type_a, type_b, type_c };
enum class Polish : std::uint8_t { angled, flat }; ///< APC, UPC
enum class Pins : std::uint8_t { female, male };   ///< male: with pins; of no meaning for LC

struct FibrePlug {
  std::string connector; ///< "MPO-12", "LC"
  Polish polish = Polish::angled;
  Pins pins = Pins::female;
  friend bool operator==(const FibrePlug&, const FibrePlug&) = default;
};
/// One cable of a chain, from the near to the far module.
struct FibreSegment {
  std::string name;
  FibreKind fibre = FibreKind::single_mode;
  Polarity polarity = Polarity::type_b;
  FibrePlug near, far;
  friend bool operator==(const FibreSegment&, const FibreSegment&) = default;
};
/// Socket of a module; that of MPO has pins.
struct ModuleSocket {
  std::string connector;
  Polish polish = Polish::angled;
  FibreKind fibre = FibreKind::single_mode;
};
/// A catalog's word for a connector, "MPO-12/APC", as plug; LC without a polish is flat, MPO angled.
FibrePlug plug_of(std::string_view connector, std::string_view polish = {});

/// What keeps the chain from closing, one sentence each: mixed polish, fibre kinds or connectors, joints of two male or
/// two female plugs, transmitters that would meet transmitters. Panels join plugs key up to key up. Empty: it closes.
std::vector<std::string> chain_problems(const ModuleSocket& near, const std::vector<FibreSegment>& chain,
                                        const ModuleSocket& far);
/// The usual chain of that many panels: patch cords without pins at the modules, trunks with pins between, Type-B
/// throughout. With an even number of segments the last cord needs pins at its panel.
std::vector<FibreSegment> usual_chain(const ModuleSocket& socket, Count panels);

/// Difference in delay of two members of a bundle [ns], for a difference in length of zero or more [m].
double skew_ns(const ChannelRules& rules, double length_difference_m);
/// Depth that a cable takes behind its plug when it leaves sideways: plug, and a quarter turn of its bend radius to the
/// far side of the jacket [mm].
double bend_depth_mm(double plug_length_mm, double bend_radius_mm, double diameter_mm);

} // namespace hallwright
