// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantity/kind.h"
#include "quantity/quantity.h"

/// The default kind of a C++ quantity type (formulas and fields may name a narrower one).
namespace hallwright {

template <class T>
struct KindOf;

#define HALLWRIGHT_KIND_OF(Type, name)                                                                                 \
  template <>                                                                                                          \
  struct KindOf<Type> {                                                                                                \
    static constexpr const Kind& value = kind::name;                                                                   \
  };
HALLWRIGHT_KIND_OF(double, ratio)
HALLWRIGHT_KIND_OF(Count, count)
HALLWRIGHT_KIND_OF(Length, length)
HALLWRIGHT_KIND_OF(Area, area)
HALLWRIGHT_KIND_OF(Volume, volume)
HALLWRIGHT_KIND_OF(Mass, mass)
HALLWRIGHT_KIND_OF(Time, time)
HALLWRIGHT_KIND_OF(Current, current)
HALLWRIGHT_KIND_OF(Voltage, voltage)
HALLWRIGHT_KIND_OF(Power, power)
HALLWRIGHT_KIND_OF(ApparentPower, apparent_power)
HALLWRIGHT_KIND_OF(Energy, energy)
HALLWRIGHT_KIND_OF(Pressure, pressure)
HALLWRIGHT_KIND_OF(Velocity, velocity)
HALLWRIGHT_KIND_OF(Force, force)
HALLWRIGHT_KIND_OF(Density, density)
HALLWRIGHT_KIND_OF(DynamicViscosity, dynamic_viscosity)
HALLWRIGHT_KIND_OF(SpecificHeat, specific_heat)
HALLWRIGHT_KIND_OF(Temperature, temperature)
HALLWRIGHT_KIND_OF(TempRise, temperature_difference)
HALLWRIGHT_KIND_OF(Angle, angle)
HALLWRIGHT_KIND_OF(Bytes, information)
HALLWRIGHT_KIND_OF(DataRate, data_rate)
HALLWRIGHT_KIND_OF(Flop, flop)
HALLWRIGHT_KIND_OF(FlopRate, flop_rate)
HALLWRIGHT_KIND_OF(Frequency, frequency)
HALLWRIGHT_KIND_OF(VolumeFlow, volume_flow)
HALLWRIGHT_KIND_OF(MassFlow, mass_flow)
HALLWRIGHT_KIND_OF(ArealDensity, areal_density)
HALLWRIGHT_KIND_OF(Money, money)
HALLWRIGHT_KIND_OF(MoneyPerEnergy, money_per_energy)
HALLWRIGHT_KIND_OF(MoneyPerPower, money_per_power)
HALLWRIGHT_KIND_OF(MoneyPerTime, money_per_time)
HALLWRIGHT_KIND_OF(MoneyPerInformation, money_per_information)
HALLWRIGHT_KIND_OF(MoneyPerLength, money_per_length)
HALLWRIGHT_KIND_OF(PerMoney, per_money)
HALLWRIGHT_KIND_OF(FlopPerByte, flop_per_byte)
HALLWRIGHT_KIND_OF(PowerPerArea, power_per_area)
HALLWRIGHT_KIND_OF(VolumePerEnergy, volume_per_energy)
HALLWRIGHT_KIND_OF(Conductivity, conductivity)
HALLWRIGHT_KIND_OF(ResistancePerLength, resistance_per_length)
#undef HALLWRIGHT_KIND_OF

} // namespace hallwright
