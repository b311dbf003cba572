// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "power/one_line.h"

/// Power at each element of the one-line, from the racks up, with the losses at the load that each one carries.
namespace hallwright {

/// One element under load. Balanced three phases.
struct ElementFlow {
  bool live = false;
  Id fed_by = 0; ///< upstream, alternate, or 0: it is a source or has no power
  bool on_alternate = false;
  ComplexPower output, input;
  Power loss{};                                                   ///< input less output
  Power it{};                                                     ///< IT power beneath it
  Power plant{};                                                  ///< cooling and other plant on its output
  double load_share = std::numeric_limits<double>::quiet_NaN();   ///< of its rating (the tighter of kW and kVA)
  double headroom = std::numeric_limits<double>::quiet_NaN();     ///< of what it may carry for long
  std::optional<Current> output_line_current, input_line_current; ///< in each line; not set: the voltage is not known
  std::optional<Current> output_direct_current, input_direct_current; ///< set where that side is direct current
  std::optional<Current> output_phase_current, input_phase_current;   ///< set where that side is one phase
};

/// Sums over the one-line.
struct FlowTotals {
  Power it{};            ///< on live feeds
  Power without_power{}; ///< of loads whose feeds are all dead, or that have none
  Power plant{};               ///< that has power
  Power plant_without_power{}; ///< whose feeds are all dead
  Power losses{};
  ComplexPower sources; ///< what all sources deliver: it + plant + losses
  double power_usage_effectiveness = std::numeric_limits<double>::quiet_NaN(); ///< sources over IT; NaN without IT
};

/// Works out flows on a one-line, which it keeps a reference to: all in service, or with elements out. For one thread;
/// a copy serves another.
class PowerFlow {
public:
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  /// All in service.
  explicit PowerFlow(const OneLine& one_line);

  /// Flows with these elements out (indices), all others in service.
  void solve(std::span<const std::size_t> out);
  /// One load draws something else; sums above it alone are made anew. The same as a new one-line with that load.
  void change_load(std::size_t load, const ComplexPower& draw);

  /// All loads, plant included, draw this share of what the one-line says, 0 or more: part load.
  void scale_loads(double share);

  [[nodiscard]] const OneLine& one_line() const { return *line_; }
  [[nodiscard]] bool out(std::size_t element) const { return out_[element] != 0; }
  [[nodiscard]] bool live(std::size_t element) const { return fed_[element] != dead; }
  [[nodiscard]] bool on_alternate(std::size_t element) const { return on_alternate_[element] != 0; }
  [[nodiscard]] double output_watts(std::size_t element) const { return output_w_[element]; }
  [[nodiscard]] double input_watts(std::size_t element) const { return input_w_[element]; }
  [[nodiscard]] double loss_watts(std::size_t element) const { return loss_w_[element]; }
  /// Of the rating; NaN where that is not known.
  [[nodiscard]] double load_share(std::size_t element) const { return share_[element]; }
  /// 1 - load share / usable share; NaN where the rating is not known.
  [[nodiscard]] double headroom(std::size_t element) const;
  [[nodiscard]] ElementFlow at(std::size_t element) const;
  [[nodiscard]] FlowTotals totals() const;
  /// Live feeds of a load group: 0 to 2.
  [[nodiscard]] int live_feeds(std::size_t group) const;
  /// Live feeds of a load.
  [[nodiscard]] int feeds_of_load(std::size_t load) const { return live_feeds(line_->group_of(load)); }
  [[nodiscard]] double group_watts(std::size_t group) const { return group_w_[group]; }
  /// Cooling and other plant on the output of an element, beneath which no other carries it.
  [[nodiscard]] double plant_watts(std::size_t element) const { return plant_w_[element]; }
  /// Watts of plant whose feeds are all dead.
  [[nodiscard]] double plant_without_power() const;
  /// IT power beneath an element.
  [[nodiscard]] double it_watts(std::size_t element) const { return it_[element]; }

private:
  static constexpr std::int32_t source = -1, dead = -2;
  void sum_group(std::size_t group);
  void rank();
  void energise();
  void energise_in_circles();
  bool feed(std::size_t element);
  void settle(std::uint32_t bus);
  void share_plant();

  const OneLine* line_;
  std::vector<ComplexPower> draw_;                  // of loads
  std::vector<double> group_w_, group_var_;         // of load groups
  std::vector<char> out_, on_alternate_, bus_live_; // of elements, of buses
  std::vector<std::int32_t> fed_;                   // bus that feeds an element, source or dead
  std::vector<double> output_w_, output_var_, input_w_, input_var_, it_, plant_w_, loss_w_, share_;
  std::vector<std::int32_t> tap_bus_; // bus that feeds a plant point now; dead: none
  std::vector<double> tap_share_;     // of its load, now
  double plant_scale_ = 1.0;          // of all plant
  std::vector<double> per_rating_w_, per_rating_va_; // 1 / rating; 0: not known
  std::vector<std::uint32_t> order_;                 // buses, sources first, of this state
  std::vector<std::uint32_t> rank_;                  // of each bus in the order
};

/// PUE of what is drawn at shares of the load: fixed losses weigh more at part load.
struct PartLoad {
  double load_share = 1.0; ///< of what the one-line says
  FlowTotals totals;
};
/// @param load_shares  0 or more, each
std::vector<PartLoad> part_loads(const OneLine& one_line, std::span<const double> load_shares);

/// The flow of every element, by id.
std::vector<ElementFlow> element_flows(const PowerFlow& flow);

} // namespace hallwright
