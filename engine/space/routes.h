// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "ledger/figures.h"
#include "ledger/formula.h"
#include "space/footprints.h"
#include "space/route_graph.h"

/// Routes along the trays and pipes of a drawing: from rack to rack, from each rack to its leaf, CDU and busway, and
/// what the trays carry. This is what fabric and cooling ask for lengths.
namespace hallwright {

struct RouteInputs {
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<std::vector<PowerUnit>> power_units;
  Shared<std::vector<CoolingUnit>> cooling_units;
  Shared<std::vector<Tray>> trays;
  Shared<std::vector<Pipe>> pipes;
  Shared<Catalog> catalog;
  friend bool operator==(const RouteInputs&, const RouteInputs&) = default;
};

/// Height of the port that counts where no rack unit is named: the middle of a 2 m rack.
inline constexpr double route_port_height_mm = 1000.0;
/// Height of the lowest rack unit above the floor: catalog assumption space.rack_first_unit_height, which the pictures
/// of racks and their centres of gravity use too; 80 mm where the catalog has none.
double rack_first_unit_mm(const Catalog& catalog);
/// Height of the middle of a rack unit above the floor, 44.45 mm a unit (EIA-310).
double rack_unit_height_mm(double rack_unit, double first_unit_mm);

/// How the length of a way came about. `none`: there is nothing to reach.
enum class ReachKind : std::uint8_t { none, routed, estimated };

/// One target of a rack. Lengths are millimetres, one way, with drops.
struct Reach {
  ReachKind how = ReachKind::none;
  Id target = 0;
  double horizontal = 0, vertical = 0;
  [[nodiscard]] double length() const { return horizontal + vertical; }
  friend bool operator==(const Reach&, const Reach&) = default;
};

/// What one rack reaches, in the order of the racks.
struct RackReach {
  Id rack = 0;
  Reach leaf;                   ///< nearest fabric rack of its hall, along trays for fibre and copper
  Reach cdu_supply, cdu_return; ///< nearest CDU of its coolant loop, along pipes of each side
  Reach feed_a, feed_b;         ///< busway or distribution unit of its feeds
  /// To the nearest fabric rack, or, where the hall has none, to the middle of its compute racks (`leaf.how` none).
  double fabric_distance = 0;
  friend bool operator==(const RackReach&, const RackReach&) = default;
};

/// Cables from one rack to another.
struct CableDemand {
  Id from = 0, to = 0; ///< racks
  Count cables = 0;
  double diameter_mm = 3.0;
  double mass_kg_m = 0;                               ///< of one cable
  std::optional<double> from_height_mm, to_height_mm; ///< not set: the middle of the rack
};

/// What a tray carries at its fullest place.
struct TrayLoad {
  Id tray = 0;
  Count cables = 0;
  double area_mm2 = 0;  ///< of the cables, pi d^2 / 4 each
  double mass_kg_m = 0; ///< of the cables at the heaviest place
  double at_mm = 0;     ///< where the fullest stretch begins, along the tray
  friend bool operator==(const TrayLoad&, const TrayLoad&) = default;
};

/// The trays for data as a graph, with every rack: the door for lengths from rack to rack. Immutable.
class CableRoutes {
public:
  CableRoutes() = default;
  CableRoutes(RouteGraph graph, std::vector<RoutePlace> racks, double estimate_level_mm);
  [[nodiscard]] const RouteGraph& graph() const { return graph_; }
  /// Where a rack stands, or null when it stands in no hall.
  [[nodiscard]] const RoutePlace* rack(Id id) const;
  /// The shortest way, along trays where they connect both, else an estimate; nothing for racks of different halls or
  /// racks that stand in none. Heights are those of the ports above the floor.
  [[nodiscard]] std::optional<Route> route(Id from, Id to, std::optional<double> from_height_mm = {},
                                           std::optional<double> to_height_mm = {}) const;
  /// Lengths from one rack to each of `to`, in millimetres: one search. NaN for racks of other halls. `routed`, where
  /// given, tells which of them follow trays.
  [[nodiscard]] std::vector<double> lengths(Id from, const std::vector<Id>& to,
                                            std::vector<bool>* routed = nullptr) const;
  /// What these cables put on each tray, by tray id; demands between racks that no trays connect are left out.
  [[nodiscard]] std::vector<TrayLoad> loads(const std::vector<CableDemand>& demands) const;
  friend bool operator==(const CableRoutes& a, const CableRoutes& b) {
    return a.estimate_level_ == b.estimate_level_ && a.racks_ == b.racks_ && a.graph_.runs() == b.graph_.runs();
  }

private:
  RouteGraph graph_;
  std::vector<RoutePlace> racks_; ///< by id
  double estimate_level_ = 2700;
};

struct RouteResult {
  Shared<CableRoutes> cables;       ///< never null
  std::vector<RackReach> reach;     ///< parallel to the racks of the design
  std::vector<TrayLoad> tray_loads; ///< fibre and copper trays, by id: cables of the nodes to their nearest fabric rack
  Shared<std::vector<Tray>> trays;  ///< as drawn, for those who tell of them
  Shared<std::vector<Pipe>> pipes;
  std::vector<Id> lone_trays;     ///< trays that meet no other one, where there are several of their use in the hall
  std::vector<Id> dead_pipes;     ///< supply and return pipes that no CDU of their loop reaches
  double cable_diameter_mm = 3.0; ///< that the loads were counted with
  double cable_mass_kg_m = 0.0;
  /// Equal where all that follows from it is equal.
  friend bool operator==(const RouteResult& a, const RouteResult& b);
};

/// @param stop when requested, the result is left unfinished and of no use; polled rack by rack
RouteResult routes(const RouteInputs& inputs, const std::stop_token& stop = {});

struct SpaceInputs;
struct SpaceResult;
class Ledger;
/// Figures and tables of the space stage that rest on routes: `space.reach`, `space.trays`, `space.pipes`, and the fill
/// of each tray. Called by the stage.
void add_route_figures(Ledger& ledger, std::vector<Table>& tables, const SpaceInputs& inputs,
                       const RouteResult& routes);
/// Mean and longest distance to the fabric along trays. False, and nothing done, where no tray leads from a compute
/// rack to a fabric rack: then the stage estimates both along x and y.
bool add_routed_distances(Ledger& ledger, SpaceResult& result, const SpaceInputs& inputs, const RouteResult& routes);

/// Share of a tray's cross section that cables take, as rules of tray fill count it.
/// @param cable_area [m2], zero or more
/// @param width [m], above 0
/// @param height [m], above 0
/// @return [ratio]
/// @source area of cables over area of the tray; TIA-569
extern const Formula<double, Area, Length, Length> tray_fill;

/// Cross section of equal round cables.
/// @param cables [count], zero or more
/// @param diameter [m], zero or more
/// @return [m2]
/// @source circle
extern const Formula<Area, Count, Length> cable_cross_section;

/// Every formula above, with its types erased.
[[nodiscard]] std::vector<AnyFormula> route_formulas();

} // namespace hallwright
