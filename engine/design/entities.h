// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quantity/field_maker.h"

/// What a design is made of. Each type lists its fields once, in `fields.cpp`.
/// Members named `*_part` hold ids of catalog parts; members of type `Id` refer to other entities (0: none).
namespace hallwright {

/// Which of a part's three powers the whole design counts with.
enum class PowerBasis : std::uint8_t { nameplate, typical, measured };
/// What a rack type is for.
enum class RackRole : std::uint8_t { compute, fabric, storage, management };
enum class StructureKind : std::uint8_t { column, wall, door, obstacle, no_go, dock };
enum class RackItemKind : std::uint8_t { node, network_switch, storage, other };
enum class PowerUnitKind : std::uint8_t { utility_feed, transformer, generator, ups, distribution, busway };
enum class Feed : std::uint8_t { a, b, both };
enum class Redundancy : std::uint8_t { n, n_plus_1, two_n };
enum class CoolingUnitKind : std::uint8_t { cdu, crah, fan_wall, rear_door, dry_cooler, chiller };
enum class NetworkKind : std::uint8_t { compute, storage, in_band, out_of_band };
enum class Tiers : std::uint8_t { automatic, one, two, three };
enum class BundleRule : std::uint8_t { equal, uneven };
enum class UnitRule : std::uint8_t { whole, lit };
enum class Precision : std::uint8_t { bf16, fp16, fp8, fp4 };
enum class Sharding : std::uint8_t { none, optimizer, gradients, parameters };
enum class Recompute : std::uint8_t { none, selective, full };

#define HALLWRIGHT_WORDS(Enumeration, ...)                                                                             \
  template <>                                                                                                          \
  struct ChoiceWords<Enumeration> {                                                                                    \
    static constexpr std::string_view words[] = {__VA_ARGS__};                                                         \
  };
HALLWRIGHT_WORDS(PowerBasis, "nameplate", "typical", "measured")
HALLWRIGHT_WORDS(RackRole, "compute", "fabric", "storage", "management")
HALLWRIGHT_WORDS(StructureKind, "column", "wall", "door", "obstacle", "no-go", "dock")
HALLWRIGHT_WORDS(RackItemKind, "node", "switch", "storage", "other")
HALLWRIGHT_WORDS(PowerUnitKind, "utility feed", "transformer", "generator", "ups", "distribution", "busway")
HALLWRIGHT_WORDS(Feed, "A", "B", "both")
HALLWRIGHT_WORDS(Redundancy, "N", "N+1", "2N")
HALLWRIGHT_WORDS(CoolingUnitKind, "cdu", "crah", "fan wall", "rear door", "dry cooler", "chiller")
HALLWRIGHT_WORDS(NetworkKind, "compute", "storage", "in-band", "out-of-band")
HALLWRIGHT_WORDS(Tiers, "auto", "1", "2", "3")
HALLWRIGHT_WORDS(BundleRule, "equal", "uneven")
HALLWRIGHT_WORDS(UnitRule, "whole", "lit")
HALLWRIGHT_WORDS(Precision, "bf16", "fp16", "fp8", "fp4")
HALLWRIGHT_WORDS(Sharding, "none", "optimizer", "gradients", "parameters")
HALLWRIGHT_WORDS(Recompute, "none", "selective", "full")

// --- sections with one entity ----------------------------------------------------------------------------------------

struct Project {
  std::string name;
  std::string question; ///< the question that the design answers, for the start page
  std::string author;
  std::string notes;
  PowerBasis power_basis = PowerBasis::nameplate;
};

struct Site {
  std::string name;
  Power utility_power = megawatts(1);
  std::string climate;
  Temperature outdoor_design_temperature = Temperature::from_celsius(35);
  MoneyPerEnergy electricity_price = dollars_per_kilowatt_hour(0.08);
  ArealDensity floor_rating = kilograms_per_square_meter(1221); ///< uniform
  Mass point_load_rating = kilograms(680);                      ///< one caster or foot
};

/// A design may begin here, before anything is drawn.
struct Goal {
  Count gpus = 0;             ///< wanted; 0: as many as the site carries
  std::string node_part;      ///< node to count with where no rack type is drawn
  Count nodes_per_rack = 4;
  double assumed_power_usage_effectiveness = 1.25;
  double network_power_share = 0.06; ///< of node power, until a fabric is described
  double storage_power_share = 0.04;
  double liquid_heat_share = 0.0; ///< of rack heat, where the node part does not say
};

struct PowerPlant {
  Redundancy redundancy = Redundancy::two_n; ///< of UPS and distribution
  std::optional<double> transformer_efficiency, ups_efficiency, distribution_efficiency; ///< not set: catalog default
  double continuous_load_factor = 0.8;
  double other_facility_power_share = 0.01; ///< lighting, offices, controls, as a share of IT load
};

struct CoolingPlant {
  std::string fluid_part = "pg25-40";
  Temperature supply_temperature = Temperature::from_celsius(35); ///< technology cooling water at the racks
  TempRise supply_rise = kelvins_rise(10);
  TempRise air_rise = kelvins_rise(12);
  std::string cdu_part;
  Redundancy redundancy = Redundancy::n_plus_1;
  std::optional<double> air_fan_power_share;      ///< CRAH or fan-wall fans per heat to air; not set: catalog default
  std::optional<double> heat_rejection_power_share; ///< dry coolers, chillers, pumps per heat rejected; not set: default
};

struct Job {
  std::string model_part = "llama3-1-405b";
  double tokens = 15.6e12;
  Count sequence_length = 8192;
  Count global_batch_sequences = 2048;
  Count micro_batch = 1;
  Count tensor_parallel = 8, pipeline_parallel = 16, virtual_stages = 1, context_parallel = 1, expert_parallel = 1,
        data_parallel = 128;
  Precision precision = Precision::bf16;
  Sharding sharding = Sharding::optimizer;
  Recompute recompute = Recompute::selective;
  double model_flops_utilization = 0.38; ///< achieved share of the dense peak while steps run
};

struct StoragePlan {
  std::string system_part;
  Count systems = 1; ///< rows of the catalog part
  double bytes_per_parameter = 14.0;
  Time checkpoint_target = seconds(60); ///< longest acceptable write
  std::optional<Time> checkpoint_interval; ///< not set: the optimum
  bool asynchronous = false;               ///< only the copy to host memory stops the job
  DataRate host_copy_rate_per_gpu = gigabytes_per_second(20);
  Count checkpoints_kept = 10;
  Bytes dataset = terabytes(60);
};

struct Operations {
  double node_failures_per_1000_node_days = 3.8;
  Frequency user_failure_rate = per_second(0.02 / 3600);
  Time detection_time = minutes(1), rescheduling_time = minutes(4), reload_time = minutes(2);
  Time repair_time = days(14), replenishment_time = hours(24);
  double service_level = 0.95;
  Count largest_failure_domain_nodes = 0; ///< 0: the largest one in the drawing
  double annual_gpu_replacement_rate = 0.04;
  Time part_lead_time = weeks(12);
};

struct BudgetPlan {
  Count years_of_service = 4;
  double discount_rate = 0.08;
  std::optional<Money> node_price; ///< not set: catalog
  std::optional<MoneyPerPower> facility_price; ///< building and plant per IT watt; not set: catalog default
  double annual_maintenance_share = 0.03; ///< of IT capital
  double annual_staff_cost_share = 0.01;  ///< of IT capital
  double mean_load_share = 0.8;           ///< mean over peak electrical load through the year
  double availability = 0.95;             ///< share of hours in which the cluster is in service
  Time facility_life = years(15);
};

// --- tables ----------------------------------------------------------------------------------------------------------

struct Hall {
  Id id = 0;
  std::string name;
  std::vector<PlanPoint> outline;
  std::optional<ArealDensity> floor_rating; ///< not set: the site's
  Length ceiling_height = meters(4.5);
  Length cold_aisle_minimum = meters(1.2), hot_aisle_minimum = meters(1.0);
};

struct Structure {
  Id id = 0;
  std::string name;
  StructureKind kind = StructureKind::column;
  Id hall = 0;
  Length x{}, y{}, width = millimeters(500), depth = millimeters(500); ///< upper left corner before rotation
  Angle rotation{};
  bool locked = false;
};

struct RackType {
  Id id = 0;
  std::string name;
  RackRole role = RackRole::compute;
  std::string rack_part;                      ///< cabinet or integrated rack
  std::optional<Length> width, depth, height; ///< not set: the part's
  std::optional<Power> power_limit;           ///< of its feed
  std::optional<Mass> mass;                   ///< populated; not set: cabinet and content
  std::optional<double> liquid_heat_share;    ///< not set: from its parts
};

/// Content of a rack type.
struct RackItem {
  Id id = 0;
  Id rack_type = 0;
  RackItemKind kind = RackItemKind::node;
  std::string part; ///< id of a node, switch or storage part
  Count count = 1;
  Count lowest_half_unit = 1; ///< lowest half rack unit that the first one takes, from the floor
};

struct Row {
  Id id = 0;
  std::string name;
  Id hall = 0;
};

struct Rack {
  Id id = 0;
  std::string name;
  Id rack_type = 0;
  Id hall = 0;
  Id row = 0;
  Length x{}, y{}; ///< upper left corner of the unrotated footprint
  Angle rotation{}; ///< clockwise; 0: front faces up
  Id feed_a = 0, feed_b = 0; ///< power units (distribution or busway)
  Id loop = 0;               ///< coolant loop
  bool locked = false;
};

struct PowerUnit {
  Id id = 0;
  std::string name;
  PowerUnitKind kind = PowerUnitKind::ups;
  std::string part;
  Id hall = 0;
  Length x{}, y{};
  Angle rotation{};
  Id upstream = 0; ///< power unit that feeds it
  Feed feed = Feed::both;
  std::optional<Power> rating;      ///< not set: the part's
  std::optional<double> efficiency; ///< not set: the part's, else the plant's
  std::optional<Length> width, depth;
  bool locked = false;
};

struct CoolantLoop {
  Id id = 0;
  std::string name;
  std::optional<Temperature> supply_temperature; ///< not set: the plant's
  std::optional<TempRise> rise;
};

struct CoolingUnit {
  Id id = 0;
  std::string name;
  CoolingUnitKind kind = CoolingUnitKind::cdu;
  std::string part;
  Id hall = 0;
  Id loop = 0;
  Length x{}, y{};
  Angle rotation{};
  std::optional<Power> capacity; ///< not set: the part's
  std::optional<Length> width, depth;
  bool locked = false;
};

struct Network {
  Id id = 0;
  std::string name;
  NetworkKind kind = NetworkKind::compute;
  std::string switch_part;
  std::optional<Count> radix;          ///< ports counted in links; not set: the part's
  DataRate link_rate = gigabits_per_second(400); ///< one way
  std::optional<Count> links_per_node; ///< not set: the node part's ports of this network
  bool rails = true;
  Tiers tiers = Tiers::automatic;
  Count nodes_per_unit = 32;      ///< nodes of a scalable unit
  UnitRule units = UnitRule::whole;
  BundleRule bundles = BundleRule::equal;
  double oversubscription = 1.0;  ///< leaf down over up
  double core_oversubscription = 1.0;
  Count planes = 1;
  Count reserved_node_places = 0; ///< places of the last unit given to fabric managers
  Count reserved_links = 0;       ///< cables that those use
  std::string node_optic_part, leaf_optic_part, spine_optic_part;
  std::string node_cable_part, spine_cable_part;
  double optical_share_of_node_links = 1.0;
};

struct PartOverride {
  Id id = 0;
  std::string part_kind, part, field, value, reason;
};

struct Waiver {
  Id id = 0;
  std::string rule;
  std::string entities; ///< "racks:12 racks:13", as the finding names them; empty: everywhere
  std::string reason;
};

struct Scenario {
  Id id = 0;
  std::string name;
  std::string notes;
};

/// One difference of a scenario from the base: `path` as for `--set` ("site.utility_power", "racks.12.x").
struct ScenarioChange {
  Id id = 0;
  Id scenario = 0;
  std::string path, value;
};

/// A published figure to compare with.
struct PublishedFigure {
  Id id = 0;
  std::string figure; ///< id of ours
  std::string value;  ///< unit-aware text
  std::string source;
  std::string note;
};

struct Note {
  Id id = 0;
  std::string text;
  Id hall = 0;
  Length x{}, y{};
};

} // namespace hallwright
