// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <boost/units/base_dimension.hpp>
#include <boost/units/base_unit.hpp>
#include <boost/units/base_units/information/byte.hpp>
#include <boost/mpl/divides.hpp>
#include <boost/mpl/times.hpp>
#include <boost/units/cmath.hpp>
#include <boost/units/derived_dimension.hpp>
#include <boost/units/make_system.hpp>
#include <boost/units/physical_dimensions.hpp>
#include <boost/units/quantity.hpp>
#include <boost/units/systems/si/base.hpp>

/// Quantities of the engine: one homogeneous system (SI, byte, FLOP, US dollar).
///
/// Everything with a unit is a `Q<dimension>`. Raw numbers enter through makers
/// (`megawatts(2.5)`) and leave through readers (`in_megawatts(power)`); no other
/// code uses `from_value` or `value`.
namespace hallwright {

namespace bu = boost::units;

/// Dimension of floating point operations (a count of operations, not a rate).
struct FlopDimension : bu::base_dimension<FlopDimension, 1002> {};
/// Dimension of money; the base unit is the US dollar.
struct MoneyDimension : bu::base_dimension<MoneyDimension, 1001> {};

struct FlopBaseUnit : bu::base_unit<FlopBaseUnit, FlopDimension::dimension_type, 1002> {};
struct DollarBaseUnit : bu::base_unit<DollarBaseUnit, MoneyDimension::dimension_type, 1001> {};

using System = bu::make_system<bu::si::meter_base_unit, bu::si::kilogram_base_unit, bu::si::second_base_unit,
                               bu::si::ampere_base_unit, bu::si::kelvin_base_unit, bu::angle::radian_base_unit,
                               bu::information::byte_base_unit, FlopBaseUnit, DollarBaseUnit>::type;

/// A quantity of dimension `Dimension` in the one system of the engine.
template <class Dimension>
using Q = bu::quantity<bu::unit<Dimension, System>>;

namespace dimension {
using length = bu::length_dimension;
using area = bu::area_dimension;
using volume = bu::volume_dimension;
using mass = bu::mass_dimension;
using time = bu::time_dimension;
using current = bu::current_dimension;
using temperature = bu::temperature_dimension;
using voltage = bu::electric_potential_dimension;
using power = bu::power_dimension;
using energy = bu::energy_dimension;
using pressure = bu::pressure_dimension;
using velocity = bu::velocity_dimension;
using force = bu::force_dimension;
using density = bu::mass_density_dimension;
using dynamic_viscosity = bu::dynamic_viscosity_dimension;
using angle = bu::plane_angle_base_dimension::dimension_type;
using information = bu::information_base_dimension::dimension_type;
using flop = FlopDimension::dimension_type;
using money = MoneyDimension::dimension_type;

template <class A, class B>
using product = typename boost::mpl::times<A, B>::type;
template <class A, class B>
using ratio = typename boost::mpl::divides<A, B>::type;

using frequency = bu::frequency_dimension;
using data_rate = ratio<information, time>;
using flop_rate = ratio<flop, time>;
using volume_flow = ratio<volume, time>;
using mass_flow = ratio<mass, time>;
using specific_heat = ratio<ratio<energy, mass>, temperature>;
using areal_density = ratio<mass, area>;
using money_per_energy = ratio<money, energy>;
using money_per_power = ratio<money, power>;
using money_per_time = ratio<money, time>;
using money_per_information = ratio<money, information>;
using per_money = ratio<bu::dimensionless_type, money>;
using flop_per_byte = ratio<flop, information>;
using power_per_area = ratio<power, area>;
using money_per_length = ratio<money, length>;
using volume_per_energy = ratio<volume, energy>;
using per_length = ratio<bu::dimensionless_type, length>;
using conductivity = ratio<ratio<power, length>, temperature>;
using resistance_per_length = ratio<ratio<voltage, current>, length>;
} // namespace dimension

using Length = Q<dimension::length>;
using Area = Q<dimension::area>;
using Volume = Q<dimension::volume>;
using Mass = Q<dimension::mass>;
using Time = Q<dimension::time>;
using Current = Q<dimension::current>;
using Voltage = Q<dimension::voltage>;
using Power = Q<dimension::power>;
using Energy = Q<dimension::energy>;
using Pressure = Q<dimension::pressure>;
using Velocity = Q<dimension::velocity>;
using Force = Q<dimension::force>;
using Density = Q<dimension::density>;
using DynamicViscosity = Q<dimension::dynamic_viscosity>;
using Angle = Q<dimension::angle>;
using Bytes = Q<dimension::information>;
using Flop = Q<dimension::flop>;
using Money = Q<dimension::money>;
using Frequency = Q<dimension::frequency>;
using DataRate = Q<dimension::data_rate>; ///< bytes per second, one way unless the name says otherwise
using FlopRate = Q<dimension::flop_rate>; ///< dense FLOP per second unless the name says otherwise
using VolumeFlow = Q<dimension::volume_flow>;
using MassFlow = Q<dimension::mass_flow>;
using SpecificHeat = Q<dimension::specific_heat>;
using ArealDensity = Q<dimension::areal_density>; ///< mass per floor area [kg/m2]
using MoneyPerEnergy = Q<dimension::money_per_energy>;
using MoneyPerPower = Q<dimension::money_per_power>;
using MoneyPerTime = Q<dimension::money_per_time>;
using MoneyPerInformation = Q<dimension::money_per_information>;
using MoneyPerLength = Q<dimension::money_per_length>;
using PerMoney = Q<dimension::per_money>;
using FlopPerByte = Q<dimension::flop_per_byte>;
using PowerPerArea = Q<dimension::power_per_area>;
using VolumePerEnergy = Q<dimension::volume_per_energy>;
using Conductivity = Q<dimension::conductivity>;
using ResistancePerLength = Q<dimension::resistance_per_length>; ///< or reactance [Ohm/m]

/// A temperature difference [K].
using TempRise = Q<dimension::temperature>;

/// A point on the temperature scale, held in kelvin. Points are not added to each other;
/// their difference is a `TempRise`.
class Temperature {
public:
  constexpr Temperature() = default;
  static constexpr Temperature from_kelvin(double kelvin) { return Temperature(kelvin); }
  static constexpr Temperature from_celsius(double celsius) { return Temperature(celsius + 273.15); }
  [[nodiscard]] constexpr double kelvin() const { return kelvin_; }
  [[nodiscard]] constexpr double celsius() const { return kelvin_ - 273.15; }
  friend constexpr TempRise operator-(Temperature a, Temperature b) {
    return TempRise::from_value(a.kelvin_ - b.kelvin_);
  }
  friend constexpr Temperature operator+(Temperature a, TempRise rise) { return Temperature(a.kelvin_ + rise.value()); }
  friend constexpr Temperature operator-(Temperature a, TempRise rise) { return Temperature(a.kelvin_ - rise.value()); }
  friend constexpr auto operator<=>(const Temperature&, const Temperature&) = default;

private:
  explicit constexpr Temperature(double kelvin) : kelvin_(kelvin) {}
  double kelvin_ = 0.0;
};

/// Apparent power [VA]. Never mixed with real power: a `PowerFactor` joins them.
class ApparentPower {
public:
  constexpr ApparentPower() = default;
  static constexpr ApparentPower from_volt_amperes(double va) { return ApparentPower(va); }
  [[nodiscard]] constexpr double volt_amperes() const { return volt_amperes_; }
  friend constexpr ApparentPower operator+(ApparentPower a, ApparentPower b) {
    return ApparentPower(a.volt_amperes_ + b.volt_amperes_);
  }
  friend constexpr double operator/(ApparentPower a, ApparentPower b) { return a.volt_amperes_ / b.volt_amperes_; }
  friend constexpr ApparentPower operator*(double k, ApparentPower a) { return ApparentPower(k * a.volt_amperes_); }
  friend constexpr auto operator<=>(const ApparentPower&, const ApparentPower&) = default;

private:
  explicit constexpr ApparentPower(double va) : volt_amperes_(va) {}
  double volt_amperes_ = 0.0;
};

/// Ratio of real to apparent power, above 0 and at most 1.
struct PowerFactor {
  double cosine = 1.0;
};
constexpr Power real_power(ApparentPower apparent, PowerFactor factor) {
  return Power::from_value(apparent.volt_amperes() * factor.cosine);
}

/// A count of things. Held in 64 bits; a figure that counts says so in its kind.
using Count = std::int64_t;

// Makers: the unit stands at the call.
constexpr Length meters(double v) { return Length::from_value(v); }
constexpr Length millimeters(double v) { return Length::from_value(v / 1000.0); }
constexpr Area square_meters(double v) { return Area::from_value(v); }
constexpr Volume cubic_meters(double v) { return Volume::from_value(v); }
constexpr Volume liters(double v) { return Volume::from_value(v * 1e-3); }
constexpr Mass kilograms(double v) { return Mass::from_value(v); }
constexpr Time seconds(double v) { return Time::from_value(v); }
constexpr Time minutes(double v) { return Time::from_value(v * 60.0); }
constexpr Time hours(double v) { return Time::from_value(v * 3600.0); }
constexpr Time days(double v) { return Time::from_value(v * 86400.0); }
constexpr Time weeks(double v) { return Time::from_value(v * 604800.0); }
/// Julian years of 365.25 days.
constexpr Time years(double v) { return Time::from_value(v * 31557600.0); }
constexpr Current amperes(double v) { return Current::from_value(v); }
constexpr Voltage volts(double v) { return Voltage::from_value(v); }
constexpr Power watts(double v) { return Power::from_value(v); }
constexpr Power kilowatts(double v) { return Power::from_value(v * 1e3); }
constexpr Power megawatts(double v) { return Power::from_value(v * 1e6); }
constexpr Energy joules(double v) { return Energy::from_value(v); }
constexpr Energy kilowatt_hours(double v) { return Energy::from_value(v * 3.6e6); }
constexpr Pressure pascals(double v) { return Pressure::from_value(v); }
constexpr Pressure kilopascals(double v) { return Pressure::from_value(v * 1e3); }
constexpr Force newtons(double v) { return Force::from_value(v); }
constexpr Density kilograms_per_cubic_meter(double v) { return Density::from_value(v); }
constexpr SpecificHeat joules_per_kilogram_kelvin(double v) { return SpecificHeat::from_value(v); }
constexpr VolumeFlow cubic_meters_per_second(double v) { return VolumeFlow::from_value(v); }
constexpr VolumeFlow liters_per_minute(double v) { return VolumeFlow::from_value(v / 60000.0); }
constexpr TempRise kelvins_rise(double v) { return TempRise::from_value(v); }
constexpr Bytes bytes(double v) { return Bytes::from_value(v); }
constexpr Bytes gigabytes(double v) { return Bytes::from_value(v * 1e9); }
constexpr Bytes terabytes(double v) { return Bytes::from_value(v * 1e12); }
constexpr Bytes gibibytes(double v) { return Bytes::from_value(v * 1073741824.0); }
/// Bits exist only in makers and printers; eight make one byte.
constexpr Bytes bits(double v) { return Bytes::from_value(v / 8.0); }
constexpr DataRate bytes_per_second(double v) { return DataRate::from_value(v); }
constexpr DataRate gigabytes_per_second(double v) { return DataRate::from_value(v * 1e9); }
constexpr DataRate gigabits_per_second(double v) { return DataRate::from_value(v * 1e9 / 8.0); }
constexpr Flop flop(double v) { return Flop::from_value(v); }
constexpr FlopRate flop_per_second(double v) { return FlopRate::from_value(v); }
constexpr FlopRate teraflop_per_second(double v) { return FlopRate::from_value(v * 1e12); }
constexpr Money dollars(double v) { return Money::from_value(v); }
constexpr MoneyPerEnergy dollars_per_kilowatt_hour(double v) { return MoneyPerEnergy::from_value(v / 3.6e6); }
constexpr MoneyPerTime dollars_per_hour(double v) { return MoneyPerTime::from_value(v / 3600.0); }
constexpr MoneyPerPower dollars_per_watt(double v) { return MoneyPerPower::from_value(v); }
constexpr Frequency per_second(double v) { return Frequency::from_value(v); }
constexpr ArealDensity kilograms_per_square_meter(double v) { return ArealDensity::from_value(v); }
constexpr Angle degrees(double v) { return Angle::from_value(v * 0.017453292519943295); }

// Readers.
constexpr double in_meters(Length v) { return v.value(); }
constexpr double in_millimeters(Length v) { return v.value() * 1e3; }
constexpr double in_square_meters(Area v) { return v.value(); }
constexpr double in_kilograms(Mass v) { return v.value(); }
constexpr double in_seconds(Time v) { return v.value(); }
constexpr double in_hours(Time v) { return v.value() / 3600.0; }
constexpr double in_days(Time v) { return v.value() / 86400.0; }
constexpr double in_watts(Power v) { return v.value(); }
constexpr double in_kilowatts(Power v) { return v.value() * 1e-3; }
constexpr double in_megawatts(Power v) { return v.value() * 1e-6; }
constexpr double in_liters_per_minute(VolumeFlow v) { return v.value() * 60000.0; }
constexpr double in_kelvins(TempRise v) { return v.value(); }
constexpr double in_bytes(Bytes v) { return v.value(); }
constexpr double in_gigabytes(Bytes v) { return v.value() * 1e-9; }
constexpr double in_gibibytes(Bytes v) { return v.value() / 1073741824.0; }
constexpr double in_gigabits_per_second(DataRate v) { return v.value() * 8e-9; }
constexpr double in_gigabytes_per_second(DataRate v) { return v.value() * 1e-9; }
constexpr double in_teraflop_per_second(FlopRate v) { return v.value() * 1e-12; }
constexpr double in_dollars(Money v) { return v.value(); }
constexpr double in_degrees(Angle v) { return v.value() / 0.017453292519943295; }
constexpr double in_amperes(Current v) { return v.value(); }

/// The number in the base unit of its kind (SI, byte, FLOP, dollar): for the formatter, the
/// ledger and the project file only.
template <class Dimension>
constexpr double base_value(Q<Dimension> v) {
  return v.value();
}
constexpr double base_value(double v) { return v; }
constexpr double base_value(Count v) { return static_cast<double>(v); }
constexpr double base_value(Temperature v) { return v.kelvin(); }
constexpr double base_value(ApparentPower v) { return v.volt_amperes(); }

/// The inverse of `base_value`, for the ledger, the field lists and the project file only.
template <class T>
constexpr T from_base_value(double v) {
  if constexpr (std::is_same_v<T, double>) {
    return v;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::llround(v));
  } else if constexpr (std::is_same_v<T, Temperature>) {
    return Temperature::from_kelvin(v);
  } else if constexpr (std::is_same_v<T, ApparentPower>) {
    return ApparentPower::from_volt_amperes(v);
  } else {
    return T::from_value(v);
  }
}

} // namespace hallwright
