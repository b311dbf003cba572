// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/parts.h"

#include <array>

namespace hallwright {
namespace {
// Far beyond any part, and few enough that what is counted one by one is soon done. What is divided by is above 0.
constexpr double most_in_a_part = 1024, most_ports = 65536, most_rack_units = 200, least_efficiency = 0.01;

template <class P>
constexpr auto with_base(auto... fields) {
  return std::array{field_of<P, &Part::id>("id", "Id"), field_of<P, &Part::vendor>("vendor", "Vendor"), field_of<P, &Part::name>("name", "Name"), fields...,
                    field_of<P, &Part::source>("source", "Source"), field_of<P, &Part::as_of>("as_of", "As of"), field_of<P, &Part::confidence>("confidence", "Confidence"),
                    field_of<P, &Part::notes>("notes", "Notes")};
}
} // namespace

template <>
std::span<const Field<Accelerator>> part_fields<Accelerator>() {
  using P = Accelerator;
  static const auto list = with_base<P>(
      field<&P::form_factor>("form_factor", "Form factor"),
      field<&P::memory>("memory_gb", "Memory", {.minimum = 0, .unit = "GB"}),
      field<&P::memory_bandwidth>("memory_bandwidth_gb_s", "Memory bandwidth", {.minimum = 0, .unit = "GB/s"}),
      field<&P::fp32_dense>("fp32_tflops_dense", "FP32 peak, dense", {.minimum = 0, .unit = "TFLOP/s"}),
      field<&P::tf32_dense>("tf32_tflops_dense", "TF32 peak, dense", {.minimum = 0, .unit = "TFLOP/s"}),
      field<&P::fp16_dense>("fp16_tflops_dense", "FP16 peak, dense", {.minimum = 0, .unit = "TFLOP/s"}),
      field<&P::bf16_dense>("bf16_tflops_dense", "BF16 peak, dense", {.minimum = 0, .unit = "TFLOP/s"}),
      field<&P::fp8_dense>("fp8_tflops_dense", "FP8 peak, dense", {.minimum = 0, .unit = "TFLOP/s"}),
      field<&P::fp4_dense>("fp4_tflops_dense", "FP4 peak, dense", {.minimum = 0, .unit = "TFLOP/s"}),
      field<&P::power>("power_w", "Power", {.minimum = 0, .unit = "W"}),
      field<&P::scale_up_per_direction>("scaleup_gb_s_per_direction", "Scale-up bandwidth, one way", {.minimum = 0, .unit = "GB/s"}),
      field<&P::scale_up_domain>("scaleup_domain_accelerators", "Accelerators in a scale-up domain", {.minimum = 1, .maximum = 1e6}),
      field<&P::scale_out_rate>("scaleout_gbit_s_per_accelerator", "Scale-out rate, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::price_low>("price_usd_low", "Price, low", {.minimum = 0, .unit = "USD"}),
      field<&P::price_high>("price_usd_high", "Price, high", {.minimum = 0, .unit = "USD"}));
  return list;
}

template <>
std::span<const Field<NodePart>> part_fields<NodePart>() {
  using P = NodePart;
  static const auto list = with_base<P>(
      field<&P::accelerator>("accelerator", "Accelerator", {.part = "accelerator"}),
      field<&P::accelerators>("accelerators", "Accelerators in the node", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::cooling>("cooling", "Cooling"),
      field<&P::rack_units>("rack_units", "Rack units", {.minimum = 0, .maximum = most_rack_units, .kind = &kind::ratio}),
      field<&P::height>("height_mm", "Height", {.minimum = 0, .unit = "mm"}),
      field<&P::width>("width_mm", "Width", {.minimum = 0, .unit = "mm"}),
      field<&P::depth>("depth_mm", "Depth", {.minimum = 0, .unit = "mm"}),
      field<&P::mass>("weight_kg", "Mass", {.minimum = 0, .unit = "kg"}),
      field<&P::power_maximum>("power_max_w", "Power, nameplate maximum", {.minimum = 0, .unit = "W"}),
      field<&P::power_typical>("power_typical_w", "Power, typical", {.minimum = 0, .unit = "W"}),
      field<&P::power_measured>("power_measured_w", "Power, highest measured in training", {.minimum = 0, .unit = "W"}),
      field<&P::liquid_heat_share>("liquid_heat_share_pct", "Share of heat to liquid", {.minimum = 0, .maximum = 1, .unit = "%", .kind = &kind::percent}),
      field<&P::coolant_flow>("coolant_flow_l_min", "Coolant flow", {.minimum = 0, .unit = "L/min"}),
      field<&P::coolant_supply_maximum>("coolant_supply_max_c", "Warmest coolant supply", {.unit = "degC"}),
      field<&P::airflow>("airflow_m3_h", "Air flow", {.minimum = 0, .unit = "m3/h", .kind = &kind::airflow}),
      field<&P::inlet_air_maximum>("inlet_air_max_c", "Warmest inlet air", {.unit = "degC"}),
      field<&P::compute_nics>("nic_compute_count", "Compute network ports", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::compute_nic_rate>("nic_compute_gbit_s", "Compute port rate, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::storage_nics>("nic_storage_count", "Storage network ports", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::storage_nic_rate>("nic_storage_gbit_s", "Storage port rate, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::in_band_nics>("nic_inband_count", "In-band ports", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::in_band_nic_rate>("nic_inband_gbit_s", "In-band port rate, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::out_of_band_ports>("nic_oob_count", "Out-of-band ports", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::memory>("dram_gb", "Main memory", {.minimum = 0, .unit = "GB"}),
      field<&P::local_storage>("nvme_data_tb", "Local NVMe", {.minimum = 0, .unit = "TB"}),
      field<&P::price>("price_usd", "Price", {.minimum = 0, .unit = "USD"}));
  return list;
}

template <>
std::span<const Field<RackPart>> part_fields<RackPart>() {
  using P = RackPart;
  static const auto list = with_base<P>(
      field<&P::kind>("kind", "Kind"),
      field<&P::rack_units>("rack_units", "Rack units", {.minimum = 0, .maximum = most_rack_units, .kind = &kind::ratio}),
      field<&P::height>("height_mm", "Height", {.minimum = 0, .unit = "mm"}),
      field<&P::width>("width_mm", "Width", {.minimum = 0, .unit = "mm"}),
      field<&P::depth>("depth_mm", "Depth", {.minimum = 0, .unit = "mm"}),
      field<&P::empty_mass>("empty_kg", "Mass, empty", {.minimum = 0, .unit = "kg"}),
      field<&P::maximum_load>("max_load_kg", "Largest load", {.minimum = 0, .unit = "kg"}),
      field<&P::populated_mass_low>("populated_kg_low", "Mass, populated, low", {.minimum = 0, .unit = "kg"}),
      field<&P::populated_mass_high>("populated_kg_high", "Mass, populated, high", {.minimum = 0, .unit = "kg"}),
      field<&P::power_low>("power_kw_low", "Power, low", {.minimum = 0, .unit = "kW"}),
      field<&P::power_nominal>("power_kw_nominal", "Power, nominal", {.minimum = 0, .unit = "kW"}),
      field<&P::power_high>("power_kw_high", "Power, high", {.minimum = 0, .unit = "kW"}),
      field<&P::power_typical>("power_typical_kw", "Power, typical", {.minimum = 0, .unit = "kW"}),
      field<&P::power_measured>("power_measured_kw", "Power, highest measured in training", {.minimum = 0, .unit = "kW"}),
      field<&P::cooling>("cooling", "Cooling"),
      field<&P::liquid_heat>("liquid_heat_kw", "Heat to liquid", {.minimum = 0, .unit = "kW"}),
      field<&P::air_heat>("air_heat_kw", "Heat to air", {.minimum = 0, .unit = "kW"}),
      field<&P::liquid_share>("liquid_share_pct", "Share of heat to liquid", {.minimum = 0, .maximum = 1, .unit = "%", .kind = &kind::percent}),
      field<&P::coolant_flow>("coolant_flow_l_min", "Coolant flow", {.minimum = 0, .unit = "L/min"}),
      field<&P::coolant_pressure_drop>("coolant_pressure_drop_kpa", "Coolant pressure drop", {.minimum = 0, .unit = "kPa"}),
      field<&P::coolant_supply>("coolant_supply_c", "Coolant supply", {.unit = "degC"}),
      field<&P::inlet_air_maximum>("inlet_air_max_c", "Warmest inlet air", {.unit = "degC"}),
      field<&P::compute_trays>("compute_trays", "Compute trays", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::switch_trays>("switch_trays", "Switch trays", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::price_low>("price_usd_low", "Price, low", {.minimum = 0, .unit = "USD"}),
      field<&P::price_high>("price_usd_high", "Price, high", {.minimum = 0, .unit = "USD"}));
  return list;
}

template <>
std::span<const Field<PowerPart>> part_fields<PowerPart>() {
  using P = PowerPart;
  static const auto list = with_base<P>(
      field<&P::kind>("kind", "Kind"),
      field<&P::rating>("rating_kw", "Rating", {.minimum = 0, .unit = "kW"}),
      field<&P::rating_apparent>("rating_kva", "Rating, apparent", {.minimum = 0, .unit = "kVA"}),
      field<&P::rating_current>("rating_a", "Rated current", {.minimum = 0, .unit = "A"}),
      field<&P::voltage>("voltage_v", "Voltage, line to line", {.minimum = 0, .unit = "V"}),
      field<&P::phases>("phases", "Phases", {.minimum = 1, .maximum = 3}),
      field<&P::efficiency_rated>("efficiency_rated_pct", "Efficiency, rated", {.minimum = least_efficiency, .maximum = 1, .unit = "%", .kind = &kind::percent}),
      field<&P::efficiency_eco>("efficiency_eco_pct", "Efficiency, eco mode", {.minimum = least_efficiency, .maximum = 1, .unit = "%", .kind = &kind::percent}),
      field<&P::width>("width_mm", "Width", {.minimum = 0, .unit = "mm"}),
      field<&P::depth>("depth_mm", "Depth", {.minimum = 0, .unit = "mm"}),
      field<&P::height>("height_mm", "Height", {.minimum = 0, .unit = "mm"}),
      field<&P::mass>("weight_kg", "Mass", {.minimum = 0, .unit = "kg"}),
      field<&P::price_low>("price_usd_low", "Price, low", {.minimum = 0, .unit = "USD"}),
      field<&P::price_high>("price_usd_high", "Price, high", {.minimum = 0, .unit = "USD"}));
  return list;
}

template <>
std::span<const Field<CoolingPart>> part_fields<CoolingPart>() {
  using P = CoolingPart;
  static const auto list = with_base<P>(
      field<&P::kind>("kind", "Kind"),
      field<&P::capacity>("capacity_kw", "Capacity", {.minimum = 0, .unit = "kW"}),
      field<&P::approach>("approach_k", "Approach at capacity", {.minimum = 0.1, .unit = "K"}),
      field<&P::secondary_flow>("secondary_flow_l_min", "Secondary flow", {.minimum = 0, .unit = "L/min"}),
      field<&P::primary_flow>("primary_flow_l_min", "Primary flow", {.minimum = 0, .unit = "L/min"}),
      field<&P::primary_pressure_drop>("primary_drop_kpa", "Loss of the primary side at the primary flow", {.minimum = 0, .unit = "kPa"}),
      field<&P::pump_head>("pump_head_kpa", "Pump head", {.minimum = 0, .unit = "kPa"}),
      field<&P::power_draw>("power_draw_kw", "Power draw", {.minimum = 0, .unit = "kW"}),
      field<&P::airflow>("airflow_m3_h", "Air flow", {.minimum = 0, .unit = "m3/h", .kind = &kind::airflow}),
      field<&P::width>("width_mm", "Width", {.minimum = 0, .unit = "mm"}),
      field<&P::depth>("depth_mm", "Depth", {.minimum = 0, .unit = "mm"}),
      field<&P::height>("height_mm", "Height", {.minimum = 0, .unit = "mm"}),
      field<&P::mass>("weight_kg", "Mass", {.minimum = 0, .unit = "kg"}),
      field<&P::coefficient_of_performance>("cop_rated", "Coefficient of performance, rated", {.minimum = 0.1, .kind = &kind::ratio}),
      field<&P::price>("price_usd", "Price", {.minimum = 0, .unit = "USD"}));
  return list;
}

template <>
std::span<const Field<SwitchPart>> part_fields<SwitchPart>() {
  using P = SwitchPart;
  static const auto list = with_base<P>(
      field<&P::network_kind>("network_kind", "Network kind"),
      field<&P::ports>("ports", "Ports", {.minimum = 0, .maximum = most_ports}),
      field<&P::port_rate>("port_gbit_s", "Port rate, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::cages>("cages", "Cages", {.minimum = 0, .maximum = most_ports}),
      field<&P::radix_at_link>("radix_at_link", "Radix at the link rate", {.minimum = 1, .maximum = most_ports}),
      field<&P::link_rate>("link_gbit_s", "Link rate, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::rack_units>("rack_units", "Rack units", {.minimum = 0, .maximum = most_rack_units, .kind = &kind::ratio}),
      field<&P::mass>("weight_kg", "Mass", {.minimum = 0, .unit = "kg"}),
      field<&P::power_maximum>("power_max_w", "Power, nameplate maximum", {.minimum = 0, .unit = "W"}),
      field<&P::power_typical>("power_typical_w", "Power, typical", {.minimum = 0, .unit = "W"}),
      field<&P::price>("price_usd", "Price", {.minimum = 0, .unit = "USD"}),
      field<&P::cage_form>("cage_form", "Form of its cages"),
      field<&P::cage_power>("cage_power_w", "Module power in any cage, most", {.minimum = 0, .unit = "W"}),
      field<&P::management_ports>("management_ports", "Management ports", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::power_supplies>("power_supplies", "Power supplies", {.minimum = 0, .maximum = most_in_a_part}),
      field<&P::supply_rating>("supply_w", "Rating of a supply", {.minimum = 0, .unit = "W"}),
      field<&P::airflow>("airflow", "Direction of air"));
  return list;
}

template <>
std::span<const Field<OpticPart>> part_fields<OpticPart>() {
  using P = OpticPart;
  static const auto list = with_base<P>(
      field<&P::form_factor>("form_factor", "Form factor"),
      field<&P::ports_per_module>("ports_per_module", "Ports in a module", {.minimum = 1, .maximum = 64}),
      field<&P::rate>("gbit_s", "Rate of the module, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::fibre>("fibre", "Fibre"),
      field<&P::reach>("reach_m", "Reach", {.minimum = 0, .unit = "m"}),
      field<&P::power>("power_w", "Power", {.minimum = 0, .unit = "W"}),
      field<&P::price>("price_usd", "Price", {.minimum = 0, .unit = "USD"}),
      field<&P::lanes>("lanes", "Lanes", {.minimum = 1, .maximum = 64}),
      field<&P::lane_rate>("lane_gbit_s", "Rate of a lane, nominal, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::connector>("connector", "Connector"),
      field<&P::splitter_reach>("splitter_reach_m", "Reach over splitters", {.minimum = 0, .unit = "m"}),
      field<&P::channel_loss>("channel_loss_db", "Channel loss, most (dB)", {.minimum = 0, .kind = &kind::ratio}));
  return list;
}

template <>
std::span<const Field<CablePart>> part_fields<CablePart>() {
  using P = CablePart;
  static const auto list = with_base<P>(
      field<&P::medium>("medium", "Medium"),
      field<&P::rate>("gbit_s", "Rate, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::length_minimum>("length_min_m", "Shortest", {.minimum = 0, .unit = "m"}),
      field<&P::length_maximum>("length_max_m", "Longest", {.minimum = 0, .unit = "m"}),
      field<&P::diameter>("diameter_mm", "Diameter", {.minimum = 0, .unit = "mm"}),
      field<&P::bend_radius>("bend_radius_mm", "Bend radius", {.minimum = 0, .unit = "mm"}),
      field<&P::power_per_end>("power_w_per_end", "Power at each end", {.minimum = 0, .unit = "W"}),
      field<&P::price>("price_usd", "Price", {.minimum = 0, .unit = "USD"}),
      field<&P::price_per_length>("price_usd_per_m", "Price per metre", {.minimum = 0, .unit = "USD/m"}),
      field<&P::connector>("connector", "Connector"),
      field<&P::far_ends>("far_ends", "Far ends", {.minimum = 1, .maximum = 64}),
      field<&P::polish>("polish", "Polish"));
  return list;
}

template <>
std::span<const Field<StoragePart>> part_fields<StoragePart>() {
  using P = StoragePart;
  static const auto list = with_base<P>(
      field<&P::kind>("kind", "Kind"),
      field<&P::unit_scope>("unit_scope", "What the row covers"),
      field<&P::units>("units", "Units in the row", {.minimum = 1, .maximum = 1e6}),
      field<&P::rack_units>("rack_units", "Rack units", {.minimum = 0, .maximum = most_rack_units, .kind = &kind::ratio}),
      field<&P::read_rate>("read_gb_s", "Read rate", {.minimum = 0, .unit = "GB/s"}),
      field<&P::write_rate>("write_gb_s", "Write rate", {.minimum = 0, .unit = "GB/s"}),
      field<&P::capacity_raw>("capacity_raw_tb", "Capacity, raw", {.minimum = 0, .unit = "TB"}),
      field<&P::capacity_usable>("capacity_usable_tb", "Capacity, usable", {.minimum = 0, .unit = "TB"}),
      field<&P::power>("power_w", "Power", {.minimum = 0, .unit = "W"}),
      field<&P::mass>("weight_kg", "Mass", {.minimum = 0, .unit = "kg"}),
      field<&P::ports>("ports", "Network ports", {.minimum = 0, .maximum = most_ports}),
      field<&P::port_rate>("port_gbit_s", "Port rate, one way", {.minimum = 0, .unit = "Gb/s", .kind = &kind::network_rate}),
      field<&P::price>("price_usd", "Price", {.minimum = 0, .unit = "USD"}),
      field<&P::price_unit>("price_unit", "Price is per"));
  return list;
}

template <>
std::span<const Field<ModelPart>> part_fields<ModelPart>() {
  using P = ModelPart;
  static const auto list = with_base<P>(
      field<&P::kind>("kind", "Kind"),
      field<&P::parameters_total_billion>("params_total_b", "Parameters, published, 1e9", {.minimum = 0, .kind = &kind::ratio}),
      field<&P::parameters_active_billion>("params_active_b", "Active parameters, published, 1e9", {.minimum = 0, .kind = &kind::ratio}),
      field<&P::layers>("layers", "Layers", {.minimum = 1, .maximum = 1e4}),
      field<&P::hidden>("hidden", "Hidden size", {.minimum = 1, .maximum = 1e6}),
      field<&P::attention_heads>("attn_heads", "Attention heads", {.minimum = 1, .maximum = 1e5}),
      field<&P::kv_heads>("kv_heads", "Key-value heads", {.minimum = 1, .maximum = 1e5}),
      field<&P::head_dimension>("head_dim", "Head dimension", {.minimum = 1, .maximum = 1e5}),
      field<&P::attention>("attention", "Attention"),
      field<&P::q_lora_rank>("q_lora_rank", "Query latent rank", {.minimum = 0, .maximum = 1e6}),
      field<&P::kv_lora_rank>("kv_lora_rank", "Key-value latent rank", {.minimum = 0, .maximum = 1e6}),
      field<&P::qk_nope_head_dimension>("qk_nope_head_dim", "Query-key part without position", {.minimum = 0, .maximum = 1e5}),
      field<&P::qk_rope_head_dimension>("qk_rope_head_dim", "Query-key part with position", {.minimum = 0, .maximum = 1e5}),
      field<&P::v_head_dimension>("v_head_dim", "Value head dimension", {.minimum = 0, .maximum = 1e5}),
      field<&P::sliding_window>("sliding_window", "Sliding window", {.minimum = 0, .maximum = 1e10}),
      field<&P::ffn_hidden>("ffn_hidden", "Feed-forward size", {.minimum = 0, .maximum = 1e7}),
      field<&P::ffn_gated>("ffn_gated", "Gated feed-forward", {.minimum = 0, .maximum = 1}),
      field<&P::moe_ffn_hidden>("moe_ffn_hidden", "Expert feed-forward size", {.minimum = 0, .maximum = 1e7}),
      field<&P::experts_routed>("experts_routed", "Routed experts", {.minimum = 0, .maximum = 1e5}),
      field<&P::experts_per_token>("experts_per_token", "Experts per token", {.minimum = 0, .maximum = 1e5}),
      field<&P::experts_shared>("experts_shared", "Shared experts", {.minimum = 0, .maximum = 1e5}),
      field<&P::first_dense_layers>("first_dense_layers", "First dense layers", {.minimum = 0, .maximum = 1e4}),
      field<&P::moe_every_n_layers>("moe_every_n_layers", "Expert layer every n layers", {.minimum = 1, .maximum = 1e4}),
      field<&P::vocabulary>("vocab", "Vocabulary", {.minimum = 1, .maximum = 1e8}),
      field<&P::tied_embeddings>("tied_embeddings", "Tied embeddings", {.minimum = 0, .maximum = 1}),
      field<&P::context_tokens>("context_tokens", "Context length", {.minimum = 1, .maximum = 1e10}),
      field<&P::pretrain_tokens_trillion>("pretrain_tokens_t", "Pretraining tokens, 1e12", {.minimum = 0, .kind = &kind::ratio}));
  return list;
}

template <>
std::span<const Field<FluidPart>> part_fields<FluidPart>() {
  using P = FluidPart;
  static const auto list = with_base<P>(
      field<&P::density>("density_kg_m3", "Density", {.minimum = 0.1, .maximum = 25000, .unit = "kg/m3"}),
      field<&P::specific_heat>("specific_heat_j_kg_k", "Specific heat", {.minimum = 10, .maximum = 20000, .unit = "J/(kg K)"}),
      field<&P::viscosity>("viscosity_mpa_s", "Viscosity", {.minimum = 1e-6, .maximum = 100, .unit = "mPa s"}),
      field<&P::temperature>("temperature_c", "At temperature", {.unit = "degC"}),
      field<&P::freezing>("freezing_c", "Freezing point", {.unit = "degC"}));
  return list;
}

template <>
std::span<const Field<ClimatePart>> part_fields<ClimatePart>() {
  using P = ClimatePart;
  constexpr FieldOptions outdoor{.minimum = 183.15, .maximum = 333.15, .unit = "degC"};
  static const auto list = with_base<P>(
      field<&P::elevation>("elevation_m", "Elevation", {.minimum = -450, .maximum = 6000, .unit = "m"}),
      field<&P::dry_bulb_0_4>("dry_bulb_0_4_c", "Dry bulb, 0.4 % of the year", outdoor),
      field<&P::wet_bulb_0_4>("wet_bulb_0_4_c", "Wet bulb, 0.4 % of the year", outdoor),
      field<&P::dry_bulb_highest>("dry_bulb_highest_c", "Highest dry bulb, by month"),
      field<&P::dry_bulb_mean>("dry_bulb_mean_c", "Mean dry bulb, by month"),
      field<&P::dry_bulb_lowest>("dry_bulb_lowest_c", "Lowest dry bulb, by month"),
      field<&P::dew_point_mean>("dew_point_mean_c", "Mean dew point, by month"),
      field<&P::dry_bulb_month_0_4>("dry_bulb_month_0_4_c", "Dry bulb, 0.4 % of a month"),
      field<&P::wet_bulb_month_0_4>("wet_bulb_month_0_4_c", "Wet bulb with it, 0.4 %"),
      field<&P::dry_bulb_month_2>("dry_bulb_month_2_c", "Dry bulb, 2 % of a month"),
      field<&P::wet_bulb_month_2>("wet_bulb_month_2_c", "Wet bulb with it, 2 %"),
      field<&P::dry_bulb_month_5>("dry_bulb_month_5_c", "Dry bulb, 5 % of a month"),
      field<&P::wet_bulb_month_5>("wet_bulb_month_5_c", "Wet bulb with it, 5 %"),
      field<&P::dry_bulb_month_10>("dry_bulb_month_10_c", "Dry bulb, 10 % of a month"),
      field<&P::wet_bulb_month_10>("wet_bulb_month_10_c", "Wet bulb with it, 10 %"));
  return list;
}

template <>
std::span<const Field<Assumption>> part_fields<Assumption>() {
  using P = Assumption;
  static const auto list = with_base<P>(
      field<&P::value>("value", "Value", {.kind = &kind::ratio}),
      field<&P::unit>("unit", "Unit"),
      field<&P::low>("low", "Low", {.kind = &kind::ratio}),
      field<&P::high>("high", "High", {.kind = &kind::ratio}));
  return list;
}

std::span<const std::string_view> part_kinds() {
  static constexpr std::string_view list[] = {"accelerator", "node", "rack", "power", "cooling", "switch", "optic", "cable", "storage", "model", "fluid",
                                               "climate", "assumption"};
  return list;
}

} // namespace hallwright
