// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "cooling/pipe_network.h"
#include "design/access.h"
#include "design/design.h"

/// Coolant loops as they are drawn, made into pipe networks: pipes joined where they meet or cross on about one level,
/// distribution units as pumps with heat exchangers, racks as branches from their supply to their return pipe.
namespace hallwright {

/// What stands in where neither the drawing nor a part says. Each is a stated estimate.
struct LoopEstimates {
  double pipe_roughness_m = 45e-6;          ///< commercial steel. Source: Moody 1944
  double hose_roughness_m = 10e-6;          ///< rubber-lined hose, 6e-6 to 70e-6; project choice
  double hose_velocity_m_per_s = 1.5;       ///< sizes hoses; cooling.copper_velocity_limit
  double connection_velocity_m_per_s = 2.4; ///< sizes connections of units; cooling.pipe_velocity_practice
  /// Loss coefficient of a flat-face coupling at the bore of its hose: that of UQD size 08 (Cv 2.5 at 12.7 mm, UQD rev
  /// 1.0), for couplings of hoses, whose makers state none.
  double coupling_loss = 8.9;
  double valve_loss = 0.1;         ///< full-bore ball valve, open; project choice after Crane TP-410
  double hose_fittings_loss = 1.5; ///< entrance or exit at the header and bends of one hose; project choice
  double bend_loss = 0.3;          ///< of a quarter turn of a drawn pipe; project choice after Crane TP-410
  double branch_loss = 1.0;        ///< where the end of a pipe meets another's side; project choice after Crane TP-410
  /// Loss of a rack's manifold and cold plates at its rated flow, where its part states none: MGX rack and trays
  /// specification 1.1 sec. 11 (about 10 psi).
  double rack_drop_pa = 69e3;
  double rack_drop_exponent = 1.893; ///< cooling.nvl72_pressure_drop_exponent
  double in_row_head_pa = 276e3;     ///< external head of units whose part states none: OCP L-LCDU white paper, 40 psi
  double in_rack_head_pa = 172e3;    ///< the same for units in racks, 25 psi
  double facility_head_pa = 200e3;   ///< the same for units of facility water; project choice
  /// Loss of the facility side of a distribution unit at its rated flow, exchanger, strainer and control valve, where
  /// its part states none; project choice, see catalog assumption cooling.primary_pressure_drop.
  double primary_drop_pa = 70e3;
  double primary_drop_exponent = 2.0;   ///< turbulent throughout
  double dry_cooler_approach_k = 6.0;    ///< supply less dry bulb, rated; cooling.dry_cooler_approach
  double cooling_tower_approach_k = 4.0; ///< supply less wet bulb, rated; cooling.tower_approach
  double flow_per_watt_m3_per_j = 1.5 / 60000.0 / 1000.0; ///< of units whose part states no flow: 1.5 L/min per kW
  double approach_k = 4.0;                                ///< cooling.cdu_approach
  int pumps_per_unit = 2;               ///< in parallel; together they give the rated flow; project choice
  double fill_pressure_pa = 50e3;       ///< gauge, at the highest point, pumps at rest; project choice
  double pump_efficiency = 0.75 * 0.92; ///< cooling.pump_efficiency, cooling.pump_motor_efficiency
  friend bool operator==(const LoopEstimates&, const LoopEstimates&) = default;
};
/// A default of the catalog in the base unit of its kind; `otherwise` where it is missing, of another kind or not above
/// 0.
[[nodiscard]] double stated_value(const Catalog& catalog, std::string_view id, const Kind& kind, double otherwise);
/// The estimates with what the catalog's assumptions say instead.
[[nodiscard]] LoopEstimates loop_estimates(const Catalog& catalog);

/// Viscosity of a fluid part at another temperature than its own: between rows of the catalog that have its name, and its
/// id but for what follows the last '-', along the logarithm; outside of them that of the nearest row.
/// @param part  its viscosity known
/// @return [Pa s]
[[nodiscard]] double viscosity_at(const Catalog& catalog, const FluidPart& part, double celsius);

/// Inner diameters of steel pipe, schedule 40, DN25 to DN600 [m], rising.
/// @source ASME B36.10
[[nodiscard]] const std::vector<double>& standard_bores_m();
/// The smallest of them in which a flow stays at or below a velocity; the largest where none does.
[[nodiscard]] double bore_for(double flow_m3_per_s, double velocity_m_per_s);

/// What a rack wants of its loop.
struct RackCoolant {
  double heat_w = 0.0;        ///< to liquid
  double need_m3_per_s = 0.0; ///< flow; 0: the rack wants none
  friend bool operator==(const RackCoolant&, const RackCoolant&) = default;
};

/// What the drawing has no field for yet.
struct LoopSetup {
  bool pressure_independent_valves = false; ///< each rack branch is held to its need
  int pumps_per_unit = 0;                   ///< 0: the estimate
  std::optional<double> facility_supply_c;  ///< facility water at the units; not set: supply less the rated approach
  double supply_tank_m3 = 0.0, return_tank_m3 = 0.0; ///< buffers, well mixed
  friend bool operator==(const LoopSetup&, const LoopSetup&) = default;
};

struct DrawnLoopInputs {
  Shared<CoolingPlant> plant;
  Shared<std::vector<CoolantLoop>> loops;
  Shared<std::vector<CoolingUnit>> units;
  Shared<std::vector<Rack>> racks;
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Pipe>> pipes;
  Shared<Catalog> catalog;
  std::vector<RackCoolant> coolant; ///< one a rack, in the order of the table
  std::map<Id, LoopSetup> setups;   ///< by loop
  Shared<Site> site;                ///< outdoor state at units that reject heat; null: unknown
  friend bool operator==(const DrawnLoopInputs&, const DrawnLoopInputs&) = default;
};

enum class LoopProblemKind : std::uint8_t {
  no_pipes,            ///< nothing of this loop is drawn: it stays first-order
  no_unit,             ///< pipes and no distribution unit
  fluid_unknown,       ///< no density, specific heat or viscosity
  supply_unknown,      ///< supply temperature out of the range of the fluid
  pipe_unusable,       ///< no length, or no diameter
  pipe_serves_nothing, ///< no rack, unit or other pipe at it
  valve_without_flow,  ///< throttled or shut, on a dead end: no coolant comes past it
  no_way_to_unit,      ///< pipes with racks at them that no unit reaches
  rack_off_pipe,       ///< no supply or no return pipe of its loop within reach
  unit_off_pipe,
  unit_unrated, ///< no capacity and no flow: it cannot be a pump
  facility_circle,    ///< loops that name each other, or themselves, as their facility water
  facility_with_rack, ///< a loop of facility water that racks name, too
  facility_unknown,   ///< the loop that is named as facility water is not there
  not_solved    ///< the solver's own sentence
};

/// What keeps a part of a loop from being joined, as one sentence.
struct LoopProblem {
  LoopProblemKind kind = LoopProblemKind::no_pipes;
  std::string sentence;
  std::vector<EntityRef> entities;
  friend bool operator==(const LoopProblem&, const LoopProblem&) = default;
};

/// A rack as a branch: supply hose, manifold and cold plates, return hose. In a loop of facility water the facility
/// side of a distribution unit: connection, exchanger with strainer and valve, connection.
struct LoopRack {
  Id rack = 0;    ///< in a loop of facility water: the distribution unit
  Id of_loop = 0; ///< in a loop of facility water: the loop that the unit feeds
  std::string name;
  double heat_w = 0.0, need_m3_per_s = 0.0;
  double rated_flow_m3_per_s = 0.0, rated_drop_pa = 0.0; ///< of manifold and cold plates
  bool drop_estimated = false;
  int supply_hose = -1, plates = -1, return_hose = -1; ///< links
  int valve = -1;                                      ///< link of a pressure-independent valve, or -1
  int inlet = -1, outlet = -1;                         ///< nodes
  double hose_bore_m = 0.0, hose_length_m = 0.0;       ///< length of both together
  bool reached = false;                                ///< a unit of the loop is joined to its supply and to its return
  std::optional<double> warmest_supply_c;              ///< that its parts take; not set: they do not say
  friend bool operator==(const LoopRack&, const LoopRack&) = default;
};

/// A distribution unit: pumps in parallel and a heat exchanger. In a loop of facility water a dry cooler, a chiller or a
/// cooling tower with its pumps.
struct LoopUnit {
  Id unit = 0;
  std::string name;
  CoolingUnitKind kind = CoolingUnitKind::cdu;
  std::optional<double> fixed_speed; ///< of its pumps over that of their curve; not set: controlled
  /// Outdoor state that a dry cooler (dry bulb) or a cooling tower (wet bulb) rejects to on the design day. A unit of
  /// facility water without one, a chiller, takes up to its capacity whatever the temperatures.
  std::optional<double> sink_c;
  double capacity_w = 0.0;                               ///< at `approach_k` and the rated flows; 0: unknown
  double approach_k = 0.0;                               ///< supply of the loop less facility water
  double rated_flow_m3_per_s = 0.0, rated_head_pa = 0.0; ///< outside of the unit
  double facility_flow_m3_per_s = 0.0;                   ///< rated; where the part is silent that of the loop's side
  std::vector<int> pumps;                                ///< links
  std::vector<int> connections;                          ///< links: to supply and return pipes
  int anchor = -1;                ///< link to its expansion vessel; open in one unit of each joined part
  int returned = -1, supply = -1; ///< nodes
  bool estimated = false;         ///< head, flow or approach are estimates
  friend bool operator==(const LoopUnit&, const LoopUnit&) = default;
};

/// What lies between two joints of a drawn pipe. It can be shut off only as a whole: what hangs on it goes with it.
struct LoopSection {
  Id pipe = 0;
  std::string name; ///< "Loop 1 supply", "Loop 1 supply, section 2"
  PipeSide side = PipeSide::supply;
  double from_mm = 0.0, to_mm = 0.0; ///< along the pipe
  double diameter_m = 0.0;
  std::vector<int> links; ///< along it
  friend bool operator==(const LoopSection&, const LoopSection&) = default;
};

/// Where a node of the network lies, for drawings of it.
struct LoopPlace {
  Id hall = 0;
  double x_mm = 0.0, y_mm = 0.0, z_mm = 0.0;
  friend bool operator==(const LoopPlace&, const LoopPlace&) = default;
};

struct DrawnLoop {
  Id loop = 0;
  std::string name;
  /// Of facility water: `racks` are facility sides of distribution units, and their ids those of these units.
  bool facility = false;
  Id facility_loop = 0; ///< whose network carries the facility water of its units; 0: none is named
  PipeNetwork network;
  std::vector<LoopPlace> places; ///< one a node
  std::vector<LoopRack> racks;   ///< by id; only those that are joined to pipes on both sides
  std::vector<LoopUnit> units;   ///< by id; likewise
  std::vector<LoopSection> sections;
  std::vector<LoopProblem> problems;
  std::vector<std::string> estimates; ///< sentences of what stands in, with its figures
  double density_kg_per_m3 = 0.0, specific_heat_j_per_kg_k = 0.0;
  double supply_c = 0.0;
  double rise_k = 0.0;
  double facility_supply_c = 0.0;
  bool facility_supply_estimated = true;
  double supply_volume_m3 = 0.0, return_volume_m3 = 0.0; ///< pipes, hoses and connections of each side
  double supply_tank_m3 = 0.0, return_tank_m3 = 0.0;
  double pump_efficiency = 0.69;
  double atmosphere_pa = 101325.0; ///< over which pressures are gauge: at the elevation of the site's climate; without one, at sea level
  std::size_t racks_off_pipes = 0; ///< racks of the loop with liquid heat that are in no branch
  /// Whether there is anything to solve: racks and units that are joined.
  /// Table that the ids of `racks` are of.
  [[nodiscard]] const char* branch_table() const { return facility ? "cooling_units" : "racks"; }
  [[nodiscard]] bool solvable() const { return !racks.empty() && !units.empty() && density_kg_per_m3 > 0.0; }
  friend bool operator==(const DrawnLoop&, const DrawnLoop&) = default;
};

/// One network for each loop of the table, in its order. A loop that others name as their facility water is one of
/// facility water; what its consumers need and shed is 0 until `facility_needs` (cooling/facility_loop.h) says. Racks, units and pipes that name no loop, or one that is gone,
/// are in none; pipes that name none belong to every loop that they are joined to.
[[nodiscard]] std::vector<DrawnLoop> drawn_loops(const DrawnLoopInputs& inputs);

} // namespace hallwright
