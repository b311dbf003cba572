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
enum class StructureKind : std::uint8_t { column, wall, door, obstacle, no_go, dock, ramp, lift, spreader };
/// How a door opens; the leaf hangs on the named end of its front as seen from the side to which it swings.
enum class DoorSwing : std::uint8_t { left, right, both, sliding };
enum class RoomKind : std::uint8_t { data_hall, electrical, mechanical, storage, staging, office, yard };
/// Seismic design category of the site, after ASCE 7.
enum class SeismicCategory : std::uint8_t { not_stated, a, b, c, d, e, f };
/// Where in a rack something is mounted: between the rails over the whole depth, on one side of them, or beside them.
enum class RackMount : std::uint8_t { full_depth, front, rear, zero_u_left, zero_u_right };
enum class ContainmentKind : std::uint8_t { cold_aisle, hot_aisle, chimney };
enum class TrayKind : std::uint8_t { fibre, copper, power };
enum class PipeSide : std::uint8_t { supply, return_, drain };
/// What a dimension measures between its two points.
enum class DimensionDirection : std::uint8_t { along_x, along_y, aligned };
enum class NoteKind : std::uint8_t { note, label };
enum class GuideAxis : std::uint8_t { x, y };
enum class UnderlayKind : std::uint8_t { dxf, image };
enum class RackItemKind : std::uint8_t { node, network_switch, storage, other };
enum class PowerUnitKind : std::uint8_t {
  utility_feed,
  transformer,
  generator,
  ups,
  distribution,
  busway,
  switchgear,    ///< a bus with its breakers, at the voltage of what feeds it
  static_switch, ///< moves its load to the second source within a quarter of a cycle
  rectifier,     ///< alternating to direct current, a solid-state transformer included
};
enum class Feed : std::uint8_t { a, b, both };
enum class Redundancy : std::uint8_t { n, n_plus_1, two_n };
/// Conductors of what a unit gives out.
enum class ElectricalSystem : std::uint8_t { three_phase, single_phase, direct_current };
/// Between which conductors a tap stands.
enum class TapPhases : std::uint8_t { l1_n, l2_n, l3_n, l1_l2, l2_l3, l3_l1, three_phase };
/// How the flow of racks is held: by the resistances of the loop alone, or by a valve at each rack.
enum class FlowBalancing : std::uint8_t { none, pressure_independent };
enum class CoolingUnitKind : std::uint8_t { cdu, crah, fan_wall, rear_door, dry_cooler, chiller, cooling_tower };
/// What gives the heat of the facility water to the outdoor air.
enum class HeatRejection : std::uint8_t {
  dry_cooler,
  adiabatic_cooler, ///< a dry cooler with wetted pads on warm hours
  cooling_tower,
};
/// Whether chillers cool the facility water further on hours on which heat rejection alone leaves it too warm.
enum class ChillerUse : std::uint8_t { where_needed, none };
enum class NetworkKind : std::uint8_t { compute, storage, in_band, out_of_band, scale_up };
/// How switches are joined: tiers of a folded Clos, leafs of rails without spines, or groups joined all to all.
enum class Topology : std::uint8_t { fat_tree, rail_only, dragonfly };
/// Which switches of a network a rack holds.
enum class SwitchTier : std::uint8_t { any, leaf, spine, core };
enum class LinkMedium : std::uint8_t { automatic, passive_copper, active_copper, active_optical, multimode, single_mode };
/// Whether cables are bought in stock lengths or made to measure.
enum class CableLengths : std::uint8_t { stock, cut };
/// How flows choose among equal paths: one path by a hash, all paths in equal shares, or packet by packet.
enum class PathChoice : std::uint8_t { hashed, equal_split, packet_spray };
/// How the ranks of a job lie on the nodes.
enum class RankOrder : std::uint8_t { unit_order, rack_order, random };
/// In which order the axes of a job lie along the nodes, fastest first. Communicators name ranks in the first order; the
/// second moves ranks to other GPUs and leaves who talks to whom as it is.
/// @source Megatron-LM `--order` default tp-cp-ep-dp-pp; The Llama 3 Herd of Models, 3.3.2: TP, CP, PP, DP
enum class AxisOrder : std::uint8_t {
  data_before_pipeline, ///< tensor, context, data, pipeline: stages lie far apart
  pipeline_before_data, ///< tensor, context, pipeline, data: the copies of one stage lie far apart
};
enum class Collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send_receive };
enum class Tiers : std::uint8_t { automatic, one, two, three };
enum class BundleRule : std::uint8_t { equal, uneven };
enum class UnitRule : std::uint8_t { whole, lit };
enum class Precision : std::uint8_t { bf16, fp16, fp8, fp4, fp8_block, mxfp8, fp32, tf32 };
/// Program that trains, by generation: what it fuses, overlaps and launches.
enum class SoftwareStack : std::uint8_t {
  megatron_2020, ///< Megatron-LM 2020 to 2022: kernels of its own, nothing overlapped
  megatron_deepspeed,
  composer,    ///< MosaicML llm-foundry, FSDP
  nemo,        ///< NeMo and Megatron-Core 2024 and 2025: flash attention, overlap
  bridge_2025, ///< Megatron-Bridge, containers 25.x
  bridge_2026, ///< containers 26.02 and 26.04
  bridge_late, ///< containers 26.06 and later
  torchtitan,  ///< PyTorch FSDP 2 with compiled kernels
  fsdp_eager,  ///< PyTorch FSDP, one operation at a time
};
inline constexpr std::size_t stack_count = 9;
/// Order in which a pipeline stage works. Plain: one forward, one backward; interleaved where stages hold several chunks.
enum class PipelineOrder : std::uint8_t { plain, gpipe, zero_bubble_1, zero_bubble_2, zero_bubble_v, bidirectional };
enum class Sharding : std::uint8_t { none, optimizer, gradients, parameters };
enum class Recompute : std::uint8_t { none, selective, full };
/// What a run trains: every weight, or low-rank adapters beside weights that stay as they are (QLoRA: kept in 4 bits).
enum class TrainedWeights : std::uint8_t { all, lora, qlora };
/// Which products carry an adapter.
enum class AdapterTargets : std::uint8_t { attention, all_linear };
/// What is kept in the memory of the host instead of the GPU's.
enum class Offload : std::uint8_t { none, optimizer, activations, optimizer_and_activations };
/// Number format of a state of training; automatic: that of the software stack and the precision.
enum class StateFormat : std::uint8_t { automatic, fp32, bf16, fp8 };

#define HALLWRIGHT_WORDS(Enumeration, ...)                                                                             \
  template <>                                                                                                          \
  struct ChoiceWords<Enumeration> {                                                                                    \
    static constexpr std::string_view words[] = {__VA_ARGS__};                                                         \
  };
HALLWRIGHT_WORDS(PowerBasis, "nameplate", "typical", "measured")
HALLWRIGHT_WORDS(RackRole, "compute", "fabric", "storage", "management")
HALLWRIGHT_WORDS(StructureKind, "column", "wall", "door", "obstacle", "no-go", "dock", "ramp", "lift", "spreader")
HALLWRIGHT_WORDS(DoorSwing, "left", "right", "both", "sliding")
HALLWRIGHT_WORDS(RoomKind, "data hall", "electrical room", "mechanical room", "storage room", "staging", "office", "yard")
HALLWRIGHT_WORDS(SeismicCategory, "not stated", "A", "B", "C", "D", "E", "F")
HALLWRIGHT_WORDS(RackMount, "full depth", "front", "rear", "zero-U left", "zero-U right")
HALLWRIGHT_WORDS(ContainmentKind, "cold aisle", "hot aisle", "chimney")
HALLWRIGHT_WORDS(TrayKind, "fibre", "copper", "power")
HALLWRIGHT_WORDS(PipeSide, "supply", "return", "drain")
HALLWRIGHT_WORDS(DimensionDirection, "along x", "along y", "aligned")
HALLWRIGHT_WORDS(NoteKind, "note", "label")
HALLWRIGHT_WORDS(GuideAxis, "x", "y")
HALLWRIGHT_WORDS(UnderlayKind, "dxf", "image")
HALLWRIGHT_WORDS(RackItemKind, "node", "switch", "storage", "other")
HALLWRIGHT_WORDS(PowerUnitKind, "utility feed", "transformer", "generator", "ups", "distribution", "busway",
                 "switchgear", "static switch", "rectifier")
HALLWRIGHT_WORDS(Feed, "A", "B", "both")
HALLWRIGHT_WORDS(Redundancy, "N", "N+1", "2N")
HALLWRIGHT_WORDS(ElectricalSystem, "three-phase", "single-phase", "direct current")
HALLWRIGHT_WORDS(TapPhases, "L1-N", "L2-N", "L3-N", "L1-L2", "L2-L3", "L3-L1", "three-phase")
HALLWRIGHT_WORDS(FlowBalancing, "none", "pressure-independent")
HALLWRIGHT_WORDS(CoolingUnitKind, "cdu", "crah", "fan wall", "rear door", "dry cooler", "chiller", "cooling tower")
HALLWRIGHT_WORDS(HeatRejection, "dry cooler", "adiabatic cooler", "cooling tower")
HALLWRIGHT_WORDS(ChillerUse, "where needed", "none")
HALLWRIGHT_WORDS(NetworkKind, "compute", "storage", "in-band", "out-of-band", "scale-up")
HALLWRIGHT_WORDS(Topology, "fat-tree", "rail-only", "dragonfly")
HALLWRIGHT_WORDS(SwitchTier, "any", "leaf", "spine", "core")
HALLWRIGHT_WORDS(LinkMedium, "auto", "passive copper", "active copper", "active optical", "multimode fibre", "single-mode fibre")
HALLWRIGHT_WORDS(CableLengths, "stock", "cut to length")
HALLWRIGHT_WORDS(PathChoice, "hashed", "equal split", "packet spray")
HALLWRIGHT_WORDS(RankOrder, "unit order", "rack order", "random")
HALLWRIGHT_WORDS(AxisOrder, "data before pipeline", "pipeline before data")
HALLWRIGHT_WORDS(TrainedWeights, "all", "lora", "qlora")
HALLWRIGHT_WORDS(AdapterTargets, "attention", "all linear")
HALLWRIGHT_WORDS(Offload, "none", "optimizer", "activations", "optimizer and activations")
HALLWRIGHT_WORDS(StateFormat, "auto", "fp32", "bf16", "fp8")
HALLWRIGHT_WORDS(Collective, "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "send-receive")
HALLWRIGHT_WORDS(Tiers, "auto", "1", "2", "3")
HALLWRIGHT_WORDS(BundleRule, "equal", "uneven")
HALLWRIGHT_WORDS(UnitRule, "whole", "lit")
HALLWRIGHT_WORDS(Precision, "bf16", "fp16", "fp8", "fp4", "fp8 block", "mxfp8", "fp32", "tf32")
HALLWRIGHT_WORDS(SoftwareStack, "megatron 2020", "megatron-deepspeed", "composer", "nemo", "megatron-bridge 25", "megatron-bridge early 26",
                 "megatron-bridge late 26", "torchtitan", "fsdp eager")
HALLWRIGHT_WORDS(PipelineOrder, "1f1b", "gpipe", "zb-h1", "zb-h2", "zb-v", "bidirectional")
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
  std::optional<Power> utility_power = megawatts(1); ///< not set: none is entered; nothing is held against it
  std::string climate;      ///< words, for the report
  std::string climate_part; ///< typical year; empty: only the outdoor design temperature is known
  Temperature outdoor_design_temperature = Temperature::from_celsius(35);
  MoneyPerEnergy electricity_price = dollars_per_kilowatt_hour(0.08);
  ArealDensity floor_rating = kilograms_per_square_meter(1221); ///< uniform
  Mass point_load_rating = kilograms(680);                      ///< one caster or foot
  std::optional<Mass> rolling_load_rating;                      ///< one caster on the move; not set: the point load's
  SeismicCategory seismic_category = SeismicCategory::not_stated;
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
  double generator_step_share = 0.25;       ///< of their rating that generators accept at once
  double plant_power_factor = 0.9;          ///< of pumps, fans, chillers
  std::optional<Power> utility_ramp;        ///< largest change of the load within a minute; not set: none is agreed
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
  HeatRejection heat_rejection = HeatRejection::dry_cooler;
  std::optional<TempRise> heat_rejection_approach; ///< to dry bulb, of towers to wet bulb; not set: by kind
  ChillerUse chillers = ChillerUse::where_needed;
  std::optional<double> chiller_performance;   ///< heat taken over power (COP) at the outdoor design temperature
  std::optional<Temperature> air_supply_temperature; ///< of air handlers, to the racks; not set: catalog default
  std::optional<double> cycles_of_concentration;     ///< of the water of towers; not set: catalog default
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
  bool sequence_parallel = true; ///< norms and residuals are split over the tensor ranks
  Count shard_ranks = 0;         ///< ranks that sharded state is spread over; 0: all data-parallel ones
  PipelineOrder pipeline_order = PipelineOrder::plain;
  SoftwareStack software_stack = SoftwareStack::nemo;
  double hot_expert = 1.0; ///< load of the fullest expert-parallel rank over the mean
  /// Whether traffic runs beside computing where the stack can; false: every byte of it is waited for.
  bool tensor_overlap = true, pipeline_overlap = true, data_overlap = true;
  TrainedWeights trained_weights = TrainedWeights::all;
  Count adapter_rank = 16; ///< inner width of a low-rank adapter
  AdapterTargets adapter_targets = AdapterTargets::all_linear;
  /// Achieved share of the dense peak while steps run; not set: the step-time model says.
  std::optional<double> model_flops_utilization;
  double step_time_factor = 1.0; ///< measured over modelled step time of the user's own run
  RankOrder rank_order = RankOrder::unit_order;
  Count placement_seed = 1; ///< of the random order
  AxisOrder axis_order = AxisOrder::data_before_pipeline;
  Offload offload = Offload::none;
  DataRate offload_rate = gigabytes_per_second(25); ///< between a GPU and its host, each way
  StateFormat gradient_format = StateFormat::automatic, master_format = StateFormat::automatic,
              moment_format = StateFormat::automatic;
  std::optional<Power> gpu_power_cap;     ///< of one GPU; not set: the maker's limit
  double communication_power_share = 0.6; ///< of a rack's power while it waits for exposed traffic
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

/// A hall or another room of the site.
struct Hall {
  Id id = 0;
  std::string name;
  std::vector<PlanPoint> outline;
  std::optional<ArealDensity> floor_rating; ///< not set: the site's
  Length ceiling_height = meters(4.5);
  Length cold_aisle_minimum = meters(1.2), hot_aisle_minimum = meters(1.0);
  RoomKind kind = RoomKind::data_hall;
  Count level = 0;                           ///< storey; 0: the ground floor
  std::optional<Length> raised_floor_height; ///< not set: a slab
  Length tile_width = millimeters(600);      ///< side of a floor tile: the grid of the plan
  Length tile_origin_x{}, tile_origin_y{};   ///< a corner of the tile grid
  std::optional<Mass> tile_point_load, tile_rolling_load; ///< of one tile; not set: the site's
};

/// A part of a hall with ratings of its own.
struct Zone {
  Id id = 0;
  std::string name;
  Id hall = 0;
  std::vector<PlanPoint> outline;
  std::optional<ArealDensity> floor_rating; ///< not set: the hall's
  std::optional<Mass> point_load_rating;    ///< not set: the hall's tile, else the site's
  std::optional<Length> ceiling_height;     ///< not set: the hall's
  std::optional<Power> power_limit;         ///< of all racks in it; not set: none
  bool locked = false;
};

/// Things that are selected and moved together.
struct Group {
  Id id = 0;
  std::string name;
};

struct Structure {
  Id id = 0;
  std::string name;
  StructureKind kind = StructureKind::column;
  Id hall = 0;
  Length x{}, y{}, width = millimeters(500), depth = millimeters(500); ///< upper left corner before rotation
  Angle rotation{};
  std::optional<Length> height;     ///< of a wall or obstacle, clear height of a door or lift; not set: up to the ceiling
  DoorSwing swing = DoorSwing::left; ///< doors
  std::optional<Mass> load_rating;  ///< what a dock, ramp, lift or spreader carries
  std::optional<Length> rise;       ///< of a ramp, from its rear to its front
  Id group = 0;
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
  std::optional<Count> feet;                  ///< casters or feet that share the mass; not set: 4
  std::optional<Length> front_service, rear_service; ///< free depth that service needs; not set: catalog default
  std::optional<Length> crate_width, crate_depth, crate_height; ///< as delivered; not set: catalog default
  std::optional<Power> supply_capacity_one_feed; ///< what its supplies deliver with one feed lost; not set: not known
  std::optional<double> power_factor;            ///< not set: the catalog's assumption
  double inrush = 1.5;                           ///< when switched on, over its running power
  double demand_share = 1.0;                     ///< of the counted power that racks of this type draw at once
};

/// Content of a rack type.
struct RackItem {
  Id id = 0;
  Id rack_type = 0;
  RackItemKind kind = RackItemKind::node;
  std::string part; ///< id of a node, switch or storage part
  Count count = 1;
  Count lowest_half_unit = 1; ///< lowest half rack unit that the first one takes, from the floor
  RackMount mount = RackMount::full_depth;
  Id network = 0;                     ///< of switches; none: any network of this part
  SwitchTier tier = SwitchTier::any;  ///< of switches
};

struct Row {
  Id id = 0;
  std::string name;
  Id hall = 0;
  std::optional<Power> power_cap; ///< held by its racks together, shared by what they ask; not set: none
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
  Id group = 0;
  bool locked = false;
  TapPhases phases_a = TapPhases::three_phase, phases_b = TapPhases::three_phase; ///< of its tap on each side
  bool phases_kept = false;            ///< a proposal leaves them alone
  double coolant_valve = 1.0;          ///< open share of its isolating and balancing valve
  std::optional<Length> tap_a, tap_b;  ///< along the busway from its fed end; not set: from its place on the plan
  std::optional<Length> whip_a, whip_b; ///< not set: 3 m
  std::optional<Length> hose_diameter; ///< inner; not set: by velocity
  std::optional<Power> power_cap;      ///< that its nodes are held to; not set: none
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
  std::optional<Length> elevation;  ///< of its lower edge above the floor, for busways; not set: it stands on the floor
  Id group = 0;
  bool locked = false;
  Id second_source = 0; ///< takes over when `upstream` has no power
  Id parallel_with = 0; ///< shares one bus with it; none: with the units of its kind, upstream and side under N+1
  std::optional<ApparentPower> rating_apparent; ///< not set: the part's, else none
  std::optional<double> trip_share;             ///< of its rating, beyond which it drops out; not set: by kind
  std::optional<double> continuous_load_factor; ///< not set: the plant's for distribution and busways, else 1
  std::optional<Voltage> voltage;               ///< at its output, between lines; not set: the part's, else upstream's
  ElectricalSystem system = ElectricalSystem::three_phase;
  std::optional<double> efficiency_at_quarter, efficiency_at_half, efficiency_at_three_quarters, efficiency_at_full;
  std::optional<Power> no_load_loss, load_loss; ///< of transformers; the second at the rating
  std::optional<double> impedance_voltage;
  std::optional<ApparentPower> short_circuit_power; ///< of sources, at their terminals
  std::optional<Time> battery_time;                 ///< of a UPS at its rating
  std::optional<Length> length;                     ///< of its conductors; not set: the drawn width of a busway
  std::optional<ResistancePerLength> conductor_resistance, conductor_reactance;
  std::optional<Temperature> ambient; ///< round its conductors; not set: what its rating is for
  Count grouped_circuits = 1;         ///< loaded circuits side by side with its conductors
  double neutral_share = 1.0;         ///< rating of the neutral over that of a line
  double third_harmonic_share = 0.0;  ///< third-harmonic current of loads to neutral over the fundamental
};

struct CoolantLoop {
  Id id = 0;
  std::string name;
  std::optional<Temperature> supply_temperature; ///< not set: the plant's
  std::optional<TempRise> rise;
  std::string fluid_part;                     ///< empty: the plant's
  std::optional<Temperature> facility_supply; ///< facility water at its units; not set: supply less the rated approach
  Id facility_loop = 0; ///< loop of the facility water at its units; none: as much as they are rated for
  FlowBalancing balancing = FlowBalancing::none;
  Volume supply_tank{}, return_tank{};   ///< buffers, well mixed
  std::optional<Pressure> fill_pressure; ///< gauge, at the highest point, pumps at rest; not set: catalog default
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
  Id group = 0;
  bool locked = false;
  std::optional<Count> pumps;        ///< in parallel; together they give the rated flow; not set: catalog default
  std::optional<Pressure> pump_head; ///< outside of the unit at the rated flow; not set: the part's
  std::optional<VolumeFlow> flow;    ///< rated, of the loop's side; not set: the part's
  std::optional<double> pump_speed;  ///< fixed, over that of the curve; not set: controlled
  Id feed_a = 0, feed_b = 0;         ///< power units
};

/// Walls and roof round an aisle, or a duct above a rack.
/// Hours of the year of one outdoor state. Rows of this table stand for the climate in place of a catalog part.
struct ClimateBin {
  Id id = 0;
  Temperature dry_bulb = Temperature::from_celsius(15);
  Temperature wet_bulb = Temperature::from_celsius(10); ///< mean of the hours of this bin; at most the dry bulb
  Time duration{};                                      ///< within a year
};

struct Containment {
  Id id = 0;
  std::string name;
  ContainmentKind kind = ContainmentKind::hot_aisle;
  Id hall = 0;
  Length x{}, y{}, width = meters(6), depth = meters(1.2); ///< upper left corner before rotation
  Angle rotation{};
  Length height = meters(2.6); ///< upper edge above the floor
  Id group = 0;
  bool locked = false;
};

/// A run of cable tray; runs that meet or cross on about one level are joined.
struct Tray {
  Id id = 0;
  std::string name;
  TrayKind kind = TrayKind::fibre;
  Id hall = 0;
  std::vector<PlanPoint> path;         ///< its middle
  Length elevation = meters(2.7);      ///< of its bottom above the floor; below 0: under a raised floor
  Length width = millimeters(300), height = millimeters(100); ///< usable cross section
  double fill_limit = 0.4;             ///< share of the cross section that cables may take
  Id group = 0;
  bool locked = false;
};

/// A run of pipe.
struct Pipe {
  Id id = 0;
  std::string name;
  PipeSide side = PipeSide::supply;
  Id hall = 0;
  Id loop = 0;
  std::vector<PlanPoint> path;
  Length elevation = meters(3.0);        ///< of its middle above the floor; below 0: under a raised floor
  Length diameter = millimeters(100);    ///< inner
  Id group = 0;
  bool locked = false;
  std::optional<Length> roughness; ///< of its wall; not set: commercial steel
  double valve_open = 1.0;         ///< open share of the valve at its first corner
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
  Topology topology = Topology::fat_tree;
  std::string spine_switch_part, core_switch_part; ///< not set: `switch_part`
  std::optional<Count> leaf_down, leaf_up;         ///< ports of a leaf; not set: from radix and oversubscription
  std::optional<DataRate> uplink_rate;             ///< of links between switches; not set: `link_rate`
  std::optional<Count> routers_per_group, endpoints_per_router, global_links_per_router; ///< dragonfly; not set: balanced
  Count reserved_leaf_ports = 0, reserved_spine_ports = 0; ///< of each leaf and spine, for gateways, storage, managers
  LinkMedium node_medium = LinkMedium::automatic, uplink_medium = LinkMedium::automatic;
  CableLengths cable_lengths = CableLengths::stock;
  Count patch_panels = 0;              ///< in each link between switches
  std::optional<double> spare_share;   ///< of cables and modules; not set: catalog default
  PathChoice path_choice = PathChoice::hashed;
  Count flows_per_pair = 1;            ///< queue pairs between two ranks, each hashed alone
  std::optional<Count> gpus_per_domain; ///< of a scale-up network; not set: the accelerator's
};

/// Traffic between ranks that a user states beside the job's own: groups of ranks that call one collective.
struct Communicator {
  Id id = 0;
  std::string name;
  Collective collective = Collective::all_reduce;
  Count ranks = 8;            ///< in each group
  Count stride = 1;           ///< between neighbours of a group
  Bytes payload = gigabytes(1); ///< of one call, at each rank
  double calls_per_step = 1.0;
};

/// Something taken out of service to see what is left.
struct Failure {
  Id id = 0;
  Id thing = 0;        ///< drawn thing: a rack, row, hall, tray or power unit; none: `element` of `network`
  Id network = 0;
  std::string element; ///< "leaf 3", "spine 2", "core 1", "plane 2", "link leaf 3 port 12"; of a tray "section 2" or nothing
  std::string note;
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
  NoteKind kind = NoteKind::note; ///< a label is written on the floor in its own size
  Id hall = 0;
  Length x{}, y{};
  Length text_height = millimeters(400); ///< of a label, on the floor
  Angle rotation{};                      ///< of a label
  Id group = 0;
  bool locked = false;
};

/// A dimension line between two points, each fixed to a thing or to the floor. Points of a thing are measured in its
/// unrotated footprint from the upper left corner, so that the dimension follows when the thing moves or turns.
struct Dimension {
  Id id = 0;
  Id hall = 0;
  Id start = 0; ///< thing on the plan; none: `start_x`, `start_y` are on the floor
  Length start_x{}, start_y{};
  Id end = 0;
  Length end_x{}, end_y{};
  DimensionDirection direction = DimensionDirection::along_x;
  Length offset = millimeters(600); ///< of the line from the start, across the direction; below 0: to the other side
  bool locked = false;
};

/// A line across the whole plan to snap to.
struct Guide {
  Id id = 0;
  Id hall = 0;
  GuideAxis axis = GuideAxis::x; ///< x: upright at that x
  Length position{};
  bool locked = false;
};

/// A drawing or picture under the plan. The file stays where it is.
struct Underlay {
  Id id = 0;
  std::string name;
  UnderlayKind kind = UnderlayKind::dxf;
  std::string file;              ///< absolute, or relative to the project
  Id hall = 0;
  Length x{}, y{};               ///< where its origin (DXF) or upper left corner (image) lies
  Length unit_length = millimeters(1); ///< what one drawing unit, or one pixel, stands for
  Angle rotation{};              ///< clockwise about that point
  double opacity = 0.5;
  std::string hidden_layers;     ///< names, one a line
  bool visible = true;
  bool locked = true;
};

} // namespace hallwright
