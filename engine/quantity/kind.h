// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// Kinds of quantity as run-time values: what the parser, the printer, the field lists, the
/// ledger and every view know of a unit. No Boost header: `widgets/` may include this.
namespace hallwright {

/// Exponents of the base units: m, kg, s, A, K, rad, byte, FLOP, US dollar.
struct Exponents {
  std::int8_t meter = 0, kilogram = 0, second = 0, ampere = 0, kelvin = 0, radian = 0, byte = 0, flop = 0, dollar = 0;
  friend constexpr bool operator==(const Exponents&, const Exponents&) = default;
};

/// A unit in which a kind is shown: `shown = (base - offset) / factor`.
struct DisplayUnit {
  std::string_view symbol; ///< "kW", "L/min", "degC"; also what the parser accepts
  double factor = 1.0;     ///< base units in one of these
  double offset = 0.0;     ///< only for points on a scale (degC: 273.15)
};

/// How the number of a kind behaves.
enum class Scale : std::uint8_t {
  quantity, ///< an amount with a unit
  point,    ///< a point on a scale (a temperature): no sums
  ratio,    ///< a pure number, kept as 0..1 where it is a share
  percent,  ///< a share kept as 0..1 and shown in percent; a bare number above 1 is refused as ambiguous
  count     ///< whole things
};

/// One kind of quantity. Identity is the address of the constants below.
struct Kind {
  std::string_view name;        ///< "power", "temperature difference": used in sentences
  Exponents exponents;          ///< dimension
  std::string_view base_symbol; ///< unit of the stored number: "W", "m3/s", "B/s"
  Scale scale = Scale::quantity;
  std::span<const DisplayUnit> display; ///< ascending factor; the printer picks the one that reads best
};

namespace kind {
extern const Kind ratio, percent, count, length, area, volume, mass, time, current, voltage, power, apparent_power,
    energy, pressure, velocity, force, density, dynamic_viscosity, specific_heat, temperature, temperature_difference,
    angle, information, memory, ///< memory: bytes shown in GiB
    network_rate,               ///< bytes per second shown in bit/s (links, NICs)
    data_rate,                  ///< bytes per second shown in B/s (storage, scale-up, memory)
    flop, flop_rate, frequency, volume_flow, mass_flow, areal_density, money, money_per_energy, money_per_power,
    money_per_time, money_per_hour, money_per_information, money_per_length, per_money, flop_per_byte, power_per_area,
    volume_per_energy, conductivity, bit_information, ///< bit_information: bytes shown in bit
    airflow, per_length, resistance_per_length;
}

/// Every kind above, for lists and tests.
std::span<const Kind* const> all_kinds();

} // namespace hallwright
