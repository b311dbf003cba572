// SPDX-License-Identifier: GPL-3.0-or-later
// What the types must refuse. Each line fails to compile, here at build time, when a mix becomes possible.
#include <QtTest/QtTest>

#include <type_traits>

#include "quantity/quantity.h"

using namespace hallwright;

namespace {
template <class A, class B>
concept CanAdd = requires(A a, B b) { a + b; };
template <class A, class B>
concept CanSubtract = requires(A a, B b) { a - b; };
template <class A, class B>
concept CanMultiply = requires(A a, B b) { a * b; };
template <class A, class B>
concept CanCompare = requires(A a, B b) { a < b; };

// The concepts themselves can say yes, or the list below would prove nothing.
static_assert(CanAdd<Length, Length> && CanSubtract<Temperature, TempRise> && CanMultiply<Power, Time> && CanCompare<Power, Power>);
static_assert(CanAdd<ApparentPower, ApparentPower> && CanAdd<Temperature, TempRise> && CanSubtract<Temperature, Temperature>);

static_assert(!CanAdd<Length, Time>);
static_assert(!CanAdd<Power, Energy>);
static_assert(!CanAdd<Bytes, DataRate>);
static_assert(!CanAdd<Flop, FlopRate>);
static_assert(!CanAdd<Bytes, Flop>);
static_assert(!CanAdd<Money, Power>);
static_assert(!CanAdd<Power, double>);
static_assert(!CanCompare<Power, double>);
static_assert(!CanCompare<Length, Area>);
static_assert(!CanAdd<VolumeFlow, MassFlow>);

// Points on the temperature scale are not amounts.
static_assert(!CanAdd<Temperature, Temperature>);
static_assert(!CanAdd<TempRise, Temperature>);
static_assert(!CanMultiply<double, Temperature>);
static_assert(!CanCompare<Temperature, TempRise>);
static_assert(!std::is_convertible_v<Temperature, TempRise> && !std::is_constructible_v<TempRise, Temperature>);
static_assert(!std::is_constructible_v<Temperature, TempRise> && !std::is_constructible_v<Temperature, double>);

// Watts and volt-amperes meet only through a power factor.
static_assert(!CanAdd<Power, ApparentPower>);
static_assert(!CanCompare<Power, ApparentPower>);
static_assert(!std::is_constructible_v<Power, ApparentPower> && !std::is_constructible_v<ApparentPower, Power>);
static_assert(!std::is_constructible_v<ApparentPower, double>);

// A number needs a maker, which names its unit.
static_assert(!std::is_convertible_v<double, Power> && !std::is_constructible_v<Power, double>);
static_assert(!std::is_convertible_v<double, Length> && !std::is_convertible_v<int, Money> && !std::is_convertible_v<double, Bytes>);
static_assert(!std::is_convertible_v<Power, double> && !std::is_convertible_v<Bytes, double>);
static_assert(!std::is_assignable_v<Power&, double> && !std::is_assignable_v<double&, Power>);

// What formulas come to has the right type.
static_assert(std::is_same_v<decltype(Power{} * Time{}), Energy>);
static_assert(std::is_same_v<decltype(Bytes{} / Time{}), DataRate>);
static_assert(std::is_same_v<decltype(Bytes{} / DataRate{}), Time>);
static_assert(std::is_same_v<decltype(Temperature{} - Temperature{}), TempRise>);
} // namespace

class MustNotCompileTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void one_system_hides_no_factor() {
    // 1 byte at 400 Gb/s = 50e9 B/s takes 2e-11 s; 1 TB takes 20 s.
    QCOMPARE(in_seconds(bytes(1) / gigabits_per_second(400)), 2e-11);
    QCOMPARE(in_seconds(terabytes(1) / gigabits_per_second(400)), 20.0);
  }
  void a_temperature_is_not_a_difference() {
    QCOMPARE(Temperature::from_celsius(45).kelvin(), 318.15);
    QCOMPARE(in_kelvins(Temperature::from_celsius(28) - Temperature::from_celsius(18)), 10.0);
  }
  void watts_are_volt_amperes_times_the_power_factor() {
    QCOMPARE(in_watts(real_power(ApparentPower::from_volt_amperes(500e3), PowerFactor{0.9})), 450e3);
  }
};

QTEST_APPLESS_MAIN(MustNotCompileTest)
#include "test_must_not_compile.moc"
