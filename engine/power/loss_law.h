// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

/// What an element of the power chain loses at the load that it carries.
namespace hallwright {

/// Efficiency at one load.
struct EfficiencyPoint {
  double load_share = 0.0; ///< of the rating, above 0
  double efficiency = 1.0; ///< above 0, at most 1
  friend bool operator==(const EfficiencyPoint&, const EfficiencyPoint&) = default;
};

class LossLaw {
public:
  /// Loses nothing: a utility feed, a generator, a switch.
  LossLaw() = default;
  /// The same efficiency at every load. Above 0, at most 1.
  static tl::expected<LossLaw, std::string> constant(double efficiency);
  /// Efficiency over load, linear between the points. Below the first point its efficiency holds; above the last one
  /// the last line goes on, down to half of the last efficiency. Refused where a larger load would draw less than a
  /// smaller one.
  static tl::expected<LossLaw, std::string> curve(std::vector<EfficiencyPoint> points);
  /// Losses that grow with the square of the load on top of those at no load, as shares of the rating: transformers,
  /// and with nothing at no load cables and busways.
  /// @param no_load_share    no-load loss over rating, 0 to 0.1
  /// @param at_rating_share  load loss at the rating over the rating, 0 to 0.2
  /// @source IEC 60076-1: P0 + Pk (S / Sn)^2
  static tl::expected<LossLaw, std::string> no_load_and_load(double no_load_share, double at_rating_share);

  /// Loss [W], zero or more.
  /// @param output_watts  what the element hands on
  /// @param load_share    that over its rating; NaN: the rating is not known, and the loss is that at half load
  /// @param rating_watts  of the element, for the law of transformers; NaN: not known, taken as twice the output
  [[nodiscard]] double loss(double output_watts, double load_share, double rating_watts) const;
  /// Whether the element loses power without a load.
  [[nodiscard]] bool at_no_load() const { return law_ == Law::transformer && no_load_ > 0.0; }
  friend bool operator==(const LossLaw&, const LossLaw&) = default;

private:
  enum class Law : std::uint8_t { none, constant, curve, transformer };
  Law law_ = Law::none;
  double efficiency_ = 1.0, no_load_ = 0.0, at_rating_ = 0.0;
  std::vector<EfficiencyPoint> points_;
};

} // namespace hallwright
