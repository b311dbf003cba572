// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <numbers>

#include "quantity/quantity.h"

/// Real, reactive and apparent power as types that do not mix, and voltages that say between which conductors they are.
namespace hallwright {

/// Reactive power [var]; above zero where the current lags.
class ReactivePower {
public:
  constexpr ReactivePower() = default;
  static constexpr ReactivePower from_vars(double vars) { return ReactivePower(vars); }
  [[nodiscard]] constexpr double vars() const { return vars_; }
  constexpr ReactivePower& operator+=(ReactivePower other) {
    vars_ += other.vars_;
    return *this;
  }
  friend constexpr ReactivePower operator+(ReactivePower a, ReactivePower b) {
    return ReactivePower(a.vars_ + b.vars_);
  }
  friend constexpr ReactivePower operator-(ReactivePower a, ReactivePower b) {
    return ReactivePower(a.vars_ - b.vars_);
  }
  friend constexpr ReactivePower operator*(double k, ReactivePower a) { return ReactivePower(k * a.vars_); }
  friend constexpr auto operator<=>(const ReactivePower&, const ReactivePower&) = default;

private:
  explicit constexpr ReactivePower(double vars) : vars_(vars) {}
  double vars_ = 0.0;
};

/// Reactive power that goes with a real power at a lagging power factor, above 0 and at most 1.
inline ReactivePower reactive_power(Power real, PowerFactor factor) {
  return ReactivePower::from_vars(in_watts(real) * std::sqrt(1.0 - factor.cosine * factor.cosine) / factor.cosine);
}

/// Real and reactive power together. Sums are of both parts; apparent powers are never added, since loads of unlike
/// power factors add to less than the sum of their volt-amperes.
struct ComplexPower {
  Power real{};
  ReactivePower reactive{};

  static ComplexPower of(Power real, PowerFactor factor) { return {real, reactive_power(real, factor)}; }
  [[nodiscard]] ApparentPower apparent() const {
    return ApparentPower::from_volt_amperes(std::hypot(in_watts(real), reactive.vars()));
  }
  /// 1 where there is no power at all.
  [[nodiscard]] PowerFactor factor() const {
    const double va = apparent().volt_amperes();
    return {va > 0.0 ? in_watts(real) / va : 1.0};
  }
  ComplexPower& operator+=(const ComplexPower& other) {
    real += other.real;
    reactive += other.reactive;
    return *this;
  }
  friend ComplexPower operator+(ComplexPower a, const ComplexPower& b) { return a += b; }
  friend ComplexPower operator-(const ComplexPower& a, const ComplexPower& b) {
    return {a.real - b.real, a.reactive - b.reactive};
  }
  friend ComplexPower operator*(double k, const ComplexPower& a) { return {k * a.real, k * a.reactive}; }
  friend bool operator==(const ComplexPower&, const ComplexPower&) = default;
};

class LineToNeutralVoltage;

/// Voltage between two lines of a three-phase system [V]: the 400 of 400/230, the 480 of 480/277, the 208 of 208/120.
class LineToLineVoltage {
public:
  constexpr LineToLineVoltage() = default;
  static constexpr LineToLineVoltage from_volts(double volts) { return LineToLineVoltage(volts); }
  [[nodiscard]] constexpr double volts() const { return volts_; }
  [[nodiscard]] constexpr LineToNeutralVoltage to_neutral() const;
  friend constexpr auto operator<=>(const LineToLineVoltage&, const LineToLineVoltage&) = default;

private:
  explicit constexpr LineToLineVoltage(double volts) : volts_(volts) {}
  double volts_ = 0.0;
};

/// Voltage between a line and the neutral of a three-phase system [V]: the 230 of 400/230.
class LineToNeutralVoltage {
public:
  constexpr LineToNeutralVoltage() = default;
  static constexpr LineToNeutralVoltage from_volts(double volts) { return LineToNeutralVoltage(volts); }
  [[nodiscard]] constexpr double volts() const { return volts_; }
  [[nodiscard]] constexpr LineToLineVoltage between_lines() const {
    return LineToLineVoltage::from_volts(volts_ * std::numbers::sqrt3);
  }
  friend constexpr auto operator<=>(const LineToNeutralVoltage&, const LineToNeutralVoltage&) = default;

private:
  explicit constexpr LineToNeutralVoltage(double volts) : volts_(volts) {}
  double volts_ = 0.0;
};

constexpr LineToNeutralVoltage LineToLineVoltage::to_neutral() const {
  return LineToNeutralVoltage::from_volts(volts_ / std::numbers::sqrt3);
}

/// Current in each line of a balanced three-phase load.
/// @param voltage  above zero
inline Current line_current(ApparentPower apparent, LineToLineVoltage voltage) {
  return amperes(apparent.volt_amperes() / (std::numbers::sqrt3 * voltage.volts()));
}
/// Current of a load between one line and the neutral.
/// @param voltage  above zero
inline Current line_current(ApparentPower apparent, LineToNeutralVoltage voltage) {
  return amperes(apparent.volt_amperes() / voltage.volts());
}
/// Apparent power of three equal line currents: sqrt(3) V_LL I.
inline ApparentPower three_phase_power(Current line, LineToLineVoltage voltage) {
  return ApparentPower::from_volt_amperes(std::numbers::sqrt3 * voltage.volts() * in_amperes(line));
}
/// Apparent power of three equal line currents: 3 V_LN I.
inline ApparentPower three_phase_power(Current line, LineToNeutralVoltage voltage) {
  return ApparentPower::from_volt_amperes(3.0 * voltage.volts() * in_amperes(line));
}

} // namespace hallwright
