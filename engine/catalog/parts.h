// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quantity/field_maker.h"

/// Part types of the catalog. An absent value is unknown, never zero. Field names are the headers of the text files in
/// `catalogs/` and carry the unit of the number that stands there.
namespace hallwright {

template <class T>
using Known = std::optional<T>;

/// What every part has: identity, and where its row comes from.
struct Part {
  std::string id;         ///< unique in its kind, lower case: "dgx-h100"
  std::string vendor;
  std::string name;
  std::string source;     ///< where the figures were read
  std::string as_of;      ///< year of the source
  std::string confidence; ///< datasheet, vendor-page, press, community, choice
  std::string notes;
};

struct Accelerator : Part {
  std::string form_factor;
  Known<Bytes> memory;
  Known<DataRate> memory_bandwidth;
  Known<FlopRate> fp32_dense, tf32_dense, fp16_dense, bf16_dense, fp8_dense, fp4_dense; ///< dense peaks only
  Known<Power> power;
  Known<DataRate> scale_up_per_direction; ///< one way, per accelerator
  Known<Count> scale_up_domain;           ///< accelerators in one domain
  Known<DataRate> scale_out_rate;         ///< NIC line rate per accelerator, one way
  Known<Money> price_low, price_high;
};

struct NodePart : Part {
  std::string accelerator; ///< id of an accelerator part
  Known<Count> accelerators;
  std::string cooling; ///< "air", "liquid", "hybrid"
  Known<double> rack_units;
  Known<Length> height, width, depth;
  Known<Mass> mass;
  Known<Power> power_maximum, power_typical, power_measured;
  Known<double> liquid_heat_share; ///< 0..1 of its heat goes to liquid
  Known<VolumeFlow> coolant_flow;
  Known<Temperature> coolant_supply_maximum;
  Known<VolumeFlow> airflow;
  Known<Temperature> inlet_air_maximum;
  Known<Count> compute_nics, storage_nics, in_band_nics, out_of_band_ports;
  Known<DataRate> compute_nic_rate, storage_nic_rate, in_band_nic_rate;
  Known<Bytes> memory; ///< main memory
  Known<Bytes> local_storage;
  Known<Money> price;
};

struct RackPart : Part {
  std::string kind; ///< "cabinet", "integrated rack", ...
  Known<double> rack_units;
  Known<Length> height, width, depth;
  Known<Mass> empty_mass, maximum_load, populated_mass_low, populated_mass_high;
  Known<Power> power_low, power_nominal, power_high, power_typical, power_measured;
  std::string cooling;
  Known<Power> liquid_heat, air_heat;
  Known<double> liquid_share;
  Known<VolumeFlow> coolant_flow;
  Known<Pressure> coolant_pressure_drop;
  Known<Temperature> coolant_supply, inlet_air_maximum;
  Known<Count> compute_trays, switch_trays;
  Known<Money> price_low, price_high;
};

struct PowerPart : Part {
  std::string kind; ///< "ups", "busway", "generator", "rack pdu", "power shelf", ...
  Known<Power> rating;
  Known<ApparentPower> rating_apparent;
  Known<Current> rating_current;
  Known<Voltage> voltage;
  Known<Count> phases;
  Known<double> efficiency_rated, efficiency_eco; ///< 0..1
  Known<Length> width, depth, height;
  Known<Mass> mass;
  Known<Money> price_low, price_high;
};

struct CoolingPart : Part {
  std::string kind; ///< "cdu in-rack", "cdu in-row", "chiller", "fan wall", "pump", ...
  Known<Power> capacity;
  Known<TempRise> approach; ///< at which `capacity` holds
  Known<VolumeFlow> secondary_flow, primary_flow;
  Known<Pressure> primary_pressure_drop; ///< of the side of facility water, at `primary_flow`
  Known<Pressure> pump_head;
  Known<Power> power_draw;
  Known<VolumeFlow> airflow;
  Known<Length> width, depth, height;
  Known<Mass> mass;
  Known<double> coefficient_of_performance;
  Known<Money> price;
};

struct SwitchPart : Part {
  std::string network_kind; ///< "infiniband", "ethernet", "nvlink"
  Known<Count> ports;       ///< at `port_rate`
  Known<DataRate> port_rate;
  Known<Count> cages;
  Known<Count> radix_at_link; ///< ports counted in links at `link_rate`
  Known<DataRate> link_rate;
  Known<double> rack_units;
  Known<Mass> mass;
  Known<Power> power_maximum, power_typical;
  Known<Money> price;
  std::string cage_form;               ///< form of module that its cages take: "OSFP finned"
  Known<Power> cage_power;             ///< most that a module may draw in any cage
  Known<Count> management_ports, power_supplies;
  Known<Power> supply_rating;          ///< of one supply
  std::string airflow;                 ///< "front to rear", "rear to front", "liquid"
};

struct OpticPart : Part {
  std::string form_factor;
  Known<Count> ports_per_module; ///< 2 for twin-port modules
  Known<DataRate> rate;          ///< of the whole module, one way
  std::string fibre;             ///< "smf", "mmf"
  Known<Length> reach;
  Known<Count> lanes;
  Known<DataRate> lane_rate;     ///< nominal, one way
  std::string connector;         ///< of each port: "MPO-12/APC", "LC"
  Known<Length> splitter_reach;  ///< over splitter fibres; unknown where the module cannot be split
  Known<double> channel_loss;    ///< insertion loss that a channel may have, dB
  Known<Power> power;
  Known<Money> price;
};

struct CablePart : Part {
  std::string medium; ///< "dac", "acc", "aoc", "mmf", "smf"
  Known<DataRate> rate;
  Known<Length> length_minimum, length_maximum, diameter, bend_radius;
  Known<Power> power_per_end;
  Known<Money> price;
  Known<MoneyPerLength> price_per_length;
  std::string connector;       ///< of a fibre: "MPO-12/APC", "LC"
  Known<Count> far_ends;       ///< 2 for a 1:2 splitter
  std::string polish;          ///< of a fibre: "APC", "UPC"
};

struct StoragePart : Part {
  std::string kind;
  std::string unit_scope;
  Known<Count> units;
  Known<double> rack_units;
  Known<DataRate> read_rate, write_rate; ///< of the whole row
  Known<Bytes> capacity_raw, capacity_usable;
  Known<Power> power;
  Known<Mass> mass;
  Known<Count> ports;
  Known<DataRate> port_rate;
  Known<Money> price;
  std::string price_unit;
};

struct ModelPart : Part {
  std::string kind; ///< "dense" or "moe"
  Known<double> parameters_total_billion, parameters_active_billion; ///< as published
  Known<Count> layers, hidden, attention_heads, kv_heads, head_dimension;
  std::string attention; ///< "MHA", "GQA", "MQA", "MLA"
  Known<Count> q_lora_rank, kv_lora_rank, qk_nope_head_dimension, qk_rope_head_dimension, v_head_dimension;
  Known<Count> sliding_window, ffn_hidden;
  Known<Count> ffn_gated; ///< 1: gate, up and down projections; 0: up and down
  Known<Count> moe_ffn_hidden, experts_routed, experts_per_token, experts_shared, first_dense_layers, moe_every_n_layers;
  Known<Count> vocabulary;
  Known<Count> tied_embeddings; ///< 1: input and output embedding are one matrix
  Known<Count> context_tokens;
  Known<double> pretrain_tokens_trillion;
};

struct FluidPart : Part {
  Known<Density> density;
  Known<SpecificHeat> specific_heat;
  Known<DynamicViscosity> viscosity;
  Known<Temperature> temperature; ///< at which the properties hold
  Known<Temperature> freezing;
};

/// Outdoor air over a typical year. Lists hold one number a month, January first, in degC, with blanks between.
struct ClimatePart : Part {
  Known<Length> elevation;         ///< above the sea
  Known<Temperature> dry_bulb_0_4; ///< exceeded on 0.4 % of the hours of the year
  Known<Temperature> wet_bulb_0_4; ///< wet bulb exceeded on 0.4 % of the hours of the year
  std::string dry_bulb_highest, dry_bulb_mean, dry_bulb_lowest, dew_point_mean;
  /// Dry bulb exceeded on this share of the hours of a month, and the mean wet bulb at it.
  std::string dry_bulb_month_0_4, wet_bulb_month_0_4, dry_bulb_month_2, wet_bulb_month_2, dry_bulb_month_5, wet_bulb_month_5, dry_bulb_month_10,
      wet_bulb_month_10;
};

/// A default of a model: what is used where the design and the parts say nothing.
struct Assumption : Part {
  Known<double> value; ///< number in `unit`
  std::string unit;
  Known<double> low, high;
};

/// Kinds of part, by the words that designs, files and the command line use.
/// "accelerator", "node", "rack", "power", "cooling", "switch", "optic", "cable", "storage", "model", "fluid", "climate",
/// "assumption"
std::span<const std::string_view> part_kinds();

/// Field list of a part type: one list for loader, validation, compiled catalog, overrides and inspector.
template <class P>
std::span<const Field<P>> part_fields();
/// Word of a part type ("node").
template <class P>
std::string_view part_kind();
/// Name of its text file without extension ("nodes").
template <class P>
std::string_view part_file();

template <> std::span<const Field<Accelerator>> part_fields<Accelerator>();
template <> std::span<const Field<NodePart>> part_fields<NodePart>();
template <> std::span<const Field<RackPart>> part_fields<RackPart>();
template <> std::span<const Field<PowerPart>> part_fields<PowerPart>();
template <> std::span<const Field<CoolingPart>> part_fields<CoolingPart>();
template <> std::span<const Field<SwitchPart>> part_fields<SwitchPart>();
template <> std::span<const Field<OpticPart>> part_fields<OpticPart>();
template <> std::span<const Field<CablePart>> part_fields<CablePart>();
template <> std::span<const Field<StoragePart>> part_fields<StoragePart>();
template <> std::span<const Field<ModelPart>> part_fields<ModelPart>();
template <> std::span<const Field<FluidPart>> part_fields<FluidPart>();
template <> std::span<const Field<ClimatePart>> part_fields<ClimatePart>();
template <> std::span<const Field<Assumption>> part_fields<Assumption>();

#define HALLWRIGHT_PART(Type, word, file)                                                                              \
  template <> inline std::string_view part_kind<Type>() { return word; }                                               \
  template <> inline std::string_view part_file<Type>() { return file; }
HALLWRIGHT_PART(Accelerator, "accelerator", "accelerators")
HALLWRIGHT_PART(NodePart, "node", "nodes")
HALLWRIGHT_PART(RackPart, "rack", "racks")
HALLWRIGHT_PART(PowerPart, "power", "power_equipment")
HALLWRIGHT_PART(CoolingPart, "cooling", "cooling_equipment")
HALLWRIGHT_PART(SwitchPart, "switch", "switches")
HALLWRIGHT_PART(OpticPart, "optic", "optics")
HALLWRIGHT_PART(CablePart, "cable", "cables")
HALLWRIGHT_PART(StoragePart, "storage", "storage_systems")
HALLWRIGHT_PART(ModelPart, "model", "models")
HALLWRIGHT_PART(FluidPart, "fluid", "fluids")
HALLWRIGHT_PART(ClimatePart, "climate", "climates")
HALLWRIGHT_PART(Assumption, "assumption", "assumptions")
#undef HALLWRIGHT_PART

} // namespace hallwright
