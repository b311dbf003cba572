// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantity/kind.h"

#include <array>

namespace hallwright::kind {
namespace {
using U = DisplayUnit;
constexpr std::array ratio_units{U{"", 1.0}};
constexpr std::array percent_units{U{"%", 0.01}};
constexpr std::array count_units{U{"", 1.0}};
constexpr std::array length_units{U{"mm", 1e-3}, U{"cm", 1e-2}, U{"in", 0.0254}, U{"ft", 0.3048}, U{"m", 1.0}, U{"km", 1e3}};
constexpr std::array area_units{U{"ft2", 0.09290304}, U{"m2", 1.0}};
constexpr std::array volume_units{U{"L", 1e-3}, U{"gal", 0.003785411784}, U{"m3", 1.0}};
constexpr std::array mass_units{U{"g", 1e-3}, U{"lb", 0.45359237}, U{"kg", 1.0}, U{"t", 1e3}};
constexpr std::array time_units{U{"us", 1e-6}, U{"ms", 1e-3}, U{"s", 1.0}, U{"min", 60.0}, U{"h", 3600.0}, U{"d", 86400.0}, U{"wk", 604800.0}, U{"y", 31557600.0}};
constexpr std::array current_units{U{"mA", 1e-3}, U{"A", 1.0}, U{"kA", 1e3}};
constexpr std::array voltage_units{U{"V", 1.0}, U{"kV", 1e3}};
constexpr std::array power_units{U{"W", 1.0}, U{"kW", 1e3}, U{"MW", 1e6}, U{"GW", 1e9}};
constexpr std::array apparent_units{U{"VA", 1.0}, U{"kVA", 1e3}, U{"MVA", 1e6}};
constexpr std::array energy_units{U{"J", 1.0}, U{"kJ", 1e3}, U{"MJ", 1e6}, U{"kWh", 3.6e6}, U{"MWh", 3.6e9}, U{"GWh", 3.6e12}};
constexpr std::array pressure_units{U{"Pa", 1.0}, U{"kPa", 1e3}, U{"psi", 6894.757293168361}, U{"bar", 1e5}};
constexpr std::array velocity_units{U{"m/s", 1.0}};
constexpr std::array force_units{U{"N", 1.0}, U{"kN", 1e3}};
constexpr std::array density_units{U{"kg/m3", 1.0}};
constexpr std::array viscosity_units{U{"mPa s", 1e-3}, U{"Pa s", 1.0}};
constexpr std::array specific_heat_units{U{"J/(kg K)", 1.0}, U{"kJ/(kg K)", 1e3}};
constexpr std::array temperature_units{U{"degC", 1.0, 273.15}, U{"degF", 5.0 / 9.0, 459.67 * 5.0 / 9.0}, U{"K", 1.0, 0.0}};
constexpr std::array difference_units{U{"degF", 5.0 / 9.0}, U{"K", 1.0}};
constexpr std::array angle_units{U{"deg", 0.017453292519943295}, U{"rad", 1.0}};
constexpr std::array information_units{U{"B", 1.0}, U{"kB", 1e3}, U{"MB", 1e6}, U{"GB", 1e9}, U{"TB", 1e12}, U{"PB", 1e15}, U{"EB", 1e18}};
constexpr std::array memory_units{U{"B", 1.0}, U{"KiB", 1024.0}, U{"MiB", 1048576.0}, U{"GiB", 1073741824.0}, U{"TiB", 1099511627776.0}};
constexpr std::array bit_units{U{"bit", 0.125}, U{"kbit", 125.0}, U{"Mbit", 1.25e5}, U{"Gbit", 1.25e8}};
constexpr std::array network_units{U{"bit/s", 0.125}, U{"kb/s", 125.0}, U{"Mb/s", 1.25e5}, U{"Gb/s", 1.25e8}, U{"Tb/s", 1.25e11}, U{"Pb/s", 1.25e14}};
constexpr std::array data_rate_units{U{"B/s", 1.0}, U{"kB/s", 1e3}, U{"MB/s", 1e6}, U{"GB/s", 1e9}, U{"TB/s", 1e12}, U{"PB/s", 1e15}};
constexpr std::array flop_units{U{"FLOP", 1.0}, U{"GFLOP", 1e9}, U{"TFLOP", 1e12}, U{"PFLOP", 1e15}, U{"EFLOP", 1e18}, U{"ZFLOP", 1e21}, U{"YFLOP", 1e24}};
constexpr std::array flop_rate_units{U{"FLOP/s", 1.0}, U{"GFLOP/s", 1e9}, U{"TFLOP/s", 1e12}, U{"PFLOP/s", 1e15}, U{"EFLOP/s", 1e18}};
constexpr std::array frequency_units{U{"1/y", 1.0 / 31557600.0}, U{"1/d", 1.0 / 86400.0}, U{"1/h", 1.0 / 3600.0}, U{"1/s", 1.0}};
constexpr std::array volume_flow_units{U{"L/min", 1.0 / 60000.0}, U{"gpm", 6.30901964e-5}, U{"m3/h", 1.0 / 3600.0}, U{"L/s", 1e-3}, U{"m3/s", 1.0}};
constexpr std::array airflow_units{U{"m3/h", 1.0 / 3600.0}, U{"CFM", 4.719474432e-4}, U{"m3/s", 1.0}};
constexpr std::array mass_flow_units{U{"kg/s", 1.0}};
constexpr std::array areal_units{U{"kg/m2", 1.0}, U{"lb/ft2", 4.882427636383051}};
constexpr std::array money_units{U{"USD", 1.0}, U{"kUSD", 1e3}, U{"MUSD", 1e6}, U{"GUSD", 1e9}};
constexpr std::array money_energy_units{U{"USD/MWh", 1.0 / 3.6e9}, U{"USD/kWh", 1.0 / 3.6e6}};
constexpr std::array money_power_units{U{"USD/kW", 1e-3}, U{"USD/W", 1.0}};
constexpr std::array money_time_units{U{"USD/y", 1.0 / 31557600.0}, U{"kUSD/y", 1e3 / 31557600.0}, U{"USD/h", 1.0 / 3600.0}, U{"MUSD/y", 1e6 / 31557600.0}, U{"GUSD/y", 1e9 / 31557600.0}};
constexpr std::array money_hour_units{U{"USD/h", 1.0 / 3600.0}};
constexpr std::array money_information_units{U{"USD/TB", 1e-12}, U{"USD/GB", 1e-9}};
constexpr std::array money_length_units{U{"USD/m", 1.0}};
constexpr std::array per_money_units{U{"1/USD", 1.0}};
constexpr std::array flop_byte_units{U{"FLOP/B", 1.0}};
constexpr std::array power_area_units{U{"W/m2", 1.0}, U{"kW/m2", 1e3}};
constexpr std::array volume_energy_units{U{"L/kWh", 1e-3 / 3.6e6}};
constexpr std::array conductivity_units{U{"W/(m K)", 1.0}};
constexpr std::array per_length_units{U{"1/m", 1.0}};
constexpr std::array resistance_length_units{U{"mOhm/km", 1e-6}, U{"mOhm/m", 1e-3}, U{"Ohm/m", 1.0}};
} // namespace

const Kind ratio{"ratio", {}, "1", Scale::ratio, ratio_units};
const Kind percent{"share", {}, "1", Scale::percent, percent_units};
const Kind count{"count", {}, "1", Scale::count, count_units};
const Kind length{"length", {.meter = 1}, "m", Scale::quantity, length_units};
const Kind area{"area", {.meter = 2}, "m2", Scale::quantity, area_units};
const Kind volume{"volume", {.meter = 3}, "m3", Scale::quantity, volume_units};
const Kind mass{"mass", {.kilogram = 1}, "kg", Scale::quantity, mass_units};
const Kind time{"time", {.second = 1}, "s", Scale::quantity, time_units};
const Kind current{"current", {.ampere = 1}, "A", Scale::quantity, current_units};
const Kind voltage{"voltage", {.meter = 2, .kilogram = 1, .second = -3, .ampere = -1}, "V", Scale::quantity, voltage_units};
const Kind power{"power", {.meter = 2, .kilogram = 1, .second = -3}, "W", Scale::quantity, power_units};
const Kind apparent_power{"apparent power", {.meter = 2, .kilogram = 1, .second = -3}, "VA", Scale::quantity, apparent_units};
const Kind energy{"energy", {.meter = 2, .kilogram = 1, .second = -2}, "J", Scale::quantity, energy_units};
const Kind pressure{"pressure", {.meter = -1, .kilogram = 1, .second = -2}, "Pa", Scale::quantity, pressure_units};
const Kind velocity{"velocity", {.meter = 1, .second = -1}, "m/s", Scale::quantity, velocity_units};
const Kind force{"force", {.meter = 1, .kilogram = 1, .second = -2}, "N", Scale::quantity, force_units};
const Kind density{"density", {.meter = -3, .kilogram = 1}, "kg/m3", Scale::quantity, density_units};
const Kind dynamic_viscosity{"dynamic viscosity", {.meter = -1, .kilogram = 1, .second = -1}, "Pa s", Scale::quantity, viscosity_units};
const Kind specific_heat{"specific heat", {.meter = 2, .second = -2, .kelvin = -1}, "J/(kg K)", Scale::quantity, specific_heat_units};
const Kind temperature{"temperature", {.kelvin = 1}, "K", Scale::point, temperature_units};
const Kind temperature_difference{"temperature difference", {.kelvin = 1}, "K", Scale::quantity, difference_units};
const Kind angle{"angle", {.radian = 1}, "rad", Scale::quantity, angle_units};
const Kind information{"amount of data", {.byte = 1}, "B", Scale::quantity, information_units};
const Kind memory{"memory", {.byte = 1}, "B", Scale::quantity, memory_units};
const Kind bit_information{"number of bits", {.byte = 1}, "B", Scale::quantity, bit_units};
const Kind network_rate{"network rate", {.second = -1, .byte = 1}, "B/s", Scale::quantity, network_units};
const Kind data_rate{"data rate", {.second = -1, .byte = 1}, "B/s", Scale::quantity, data_rate_units};
const Kind flop{"floating point operations", {.flop = 1}, "FLOP", Scale::quantity, flop_units};
const Kind flop_rate{"compute rate", {.second = -1, .flop = 1}, "FLOP/s", Scale::quantity, flop_rate_units};
const Kind frequency{"rate", {.second = -1}, "1/s", Scale::quantity, frequency_units};
const Kind volume_flow{"volume flow", {.meter = 3, .second = -1}, "m3/s", Scale::quantity, volume_flow_units};
const Kind airflow{"air flow", {.meter = 3, .second = -1}, "m3/s", Scale::quantity, airflow_units};
const Kind mass_flow{"mass flow", {.kilogram = 1, .second = -1}, "kg/s", Scale::quantity, mass_flow_units};
const Kind areal_density{"floor load", {.meter = -2, .kilogram = 1}, "kg/m2", Scale::quantity, areal_units};
const Kind money{"money", {.dollar = 1}, "USD", Scale::quantity, money_units};
const Kind money_per_energy{"price of energy", {.meter = -2, .kilogram = -1, .second = 2, .dollar = 1}, "USD/J", Scale::quantity, money_energy_units};
const Kind money_per_power{"price of power", {.meter = -2, .kilogram = -1, .second = 3, .dollar = 1}, "USD/W", Scale::quantity, money_power_units};
const Kind money_per_time{"price of time", {.second = -1, .dollar = 1}, "USD/s", Scale::quantity, money_time_units};
const Kind money_per_hour{"price of an hour", {.second = -1, .dollar = 1}, "USD/s", Scale::quantity, money_hour_units};
const Kind money_per_information{"price of storage", {.byte = -1, .dollar = 1}, "USD/B", Scale::quantity, money_information_units};
const Kind money_per_length{"price of length", {.meter = -1, .dollar = 1}, "USD/m", Scale::quantity, money_length_units};
const Kind per_money{"amount per dollar", {.dollar = -1}, "1/USD", Scale::quantity, per_money_units};
const Kind flop_per_byte{"arithmetic intensity", {.byte = -1, .flop = 1}, "FLOP/B", Scale::quantity, flop_byte_units};
const Kind power_per_area{"power density", {.kilogram = 1, .second = -3}, "W/m2", Scale::quantity, power_area_units};
const Kind volume_per_energy{"water use", {.meter = 1, .kilogram = -1, .second = 2}, "m3/J", Scale::quantity, volume_energy_units};
const Kind conductivity{"thermal conductivity", {.meter = 1, .kilogram = 1, .second = -3, .kelvin = -1}, "W/(m K)", Scale::quantity, conductivity_units};
const Kind per_length{"amount per length", {.meter = -1}, "1/m", Scale::quantity, per_length_units};
const Kind resistance_per_length{"resistance per length", {.meter = 1, .kilogram = 1, .second = -3, .ampere = -2}, "Ohm/m", Scale::quantity, resistance_length_units};

} // namespace hallwright::kind

namespace hallwright {
std::span<const Kind* const> all_kinds() {
  using namespace kind;
  static constexpr const Kind* const list[] = {
      &ratio, &percent, &count, &length, &area, &volume, &mass, &time, &current, &voltage, &power, &apparent_power, &energy,
      &pressure, &velocity, &force, &density, &dynamic_viscosity, &specific_heat, &temperature, &temperature_difference, &angle,
      &information, &memory, &bit_information, &network_rate, &data_rate, &kind::flop, &flop_rate, &frequency, &volume_flow, &airflow,
      &mass_flow, &areal_density, &money, &money_per_energy, &money_per_power, &money_per_time, &money_per_hour, &money_per_information,
      &money_per_length, &per_money, &flop_per_byte, &power_per_area, &volume_per_energy, &conductivity, &per_length,
      &resistance_per_length};
  return list;
}
} // namespace hallwright
