// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "design/design.h"
#include "power/complex_power.h"
#include "power/loss_law.h"

/// The drawn one-line as a graph: elements from the sources down to the busways, the loads on them, which elements
/// share one bus, and who takes over from whom. What is drawn wrong is told by name and does not stop the rest.
namespace hallwright {

/// One element of the one-line. Numbers that are NaN are not known.
struct OneLineElement {
  Id id = 0;
  std::string name;
  PowerUnitKind kind = PowerUnitKind::distribution;
  Feed side = Feed::both;
  Id upstream = 0;  ///< feeds it in normal operation; 0: it is a source, or the drawing ends here
  Id alternate = 0; ///< feeds it when `upstream` has no power: behind a transfer switch, a generator, a catcher, a tie
  Id bus = 0;       ///< elements of one bus (any number but 0) run in parallel: what hangs on one hangs on all of them
  double rating_w = std::numeric_limits<double>::quiet_NaN();  ///< real power at its output
  double rating_va = std::numeric_limits<double>::quiet_NaN(); ///< apparent power at its output
  double usable_share = 1.0;                                   ///< of its ratings, for long: 0.8 for breakers under NEC
  double trip_share = 1.25;                                    ///< of its ratings: with a larger load it drops out
  LossLaw losses;
  std::optional<PowerFactor> input_power_factor; ///< where the element sets that itself (double conversion)
  double no_load_reactive_share = 0.0;           ///< magnetising power over the rating
  double reactance_share = 0.0;                  ///< reactive part of the impedance voltage
  ElectricalSystem system = ElectricalSystem::three_phase;        ///< at its output
  std::optional<LineToLineVoltage> output_voltage, input_voltage; ///< where that side has three phases
  std::optional<Voltage> direct_voltage, input_direct_voltage;    ///< between poles where that side is direct current
  std::optional<Voltage> phase_voltage, input_phase_voltage; ///< between its two conductors where that side is one phase
};

/// One load: a rack, with one cord or two.
struct OneLineLoad {
  Id id = 0;
  ComplexPower draw;
  Id feed_a = 0, feed_b = 0; ///< elements; with both, each carries half as long as both have power
  Count gpus = 0;            ///< in it
  Count job_gpus = 0;        ///< of these, at work in the job
  /// What the supplies on one feed deliver; NaN: not known. PC-06d: 132 kW under a rack of 142 kW.
  double one_feed_capacity_w = std::numeric_limits<double>::quiet_NaN();
};

/// Where plant takes power.
struct PlantPoint {
  Id from = 0;        ///< element whose output it hangs on
  Id else_from = 0;   ///< behind a transfer switch, where that has no power; 0: none
  double share = 1.0; ///< of the load while all of its points have power, above 0; what has none leaves its part to the
                      ///< others
};
/// Pumps, fans, heat rejection, lighting: a load that stays where it is fed, whatever the racks do.
struct PlantLoad {
  std::string name;
  ComplexPower draw;
  std::vector<PlantPoint> points;
  bool pumps = false; ///< of coolant distribution units
};

enum class OneLineIssueKind : std::uint8_t {
  loop,              ///< following what feeds an element leads back to it
  back_feed,         ///< an alternate lies below the element that it should feed
  missing_upstream,  ///< names an element that is not there
  missing_alternate, ///< as above
  missing_feed,      ///< a load names an element that is not there
  unfed_load,        ///< a load on no element
  zero_rating,       ///< a rating of nothing or less; it counts as not known
  double_connection, ///< A and B of a load, or upstream and alternate of an element, are the same
  double_id,         ///< two elements have one id; the second is left out
  wrong_load,        ///< a load that is no number or below zero; it counts as nothing
  mixed_bus,         ///< elements of unlike kinds or voltages on one bus
  unconnected,       ///< nothing hangs on the element, and it is no one's alternate
  parallel,          ///< runs in parallel with itself or with a unit of the other side
  mutual_sources,    ///< two elements without any other source are each other's second source
  wrong_losses,      ///< losses that no element of its rating can have; those of its kind count
  wrong_system,      ///< takes direct current and gives alternating current, which no drawn kind does
};
struct OneLineIssue {
  OneLineIssueKind kind = OneLineIssueKind::loop;
  std::vector<Id> elements; ///< by id
  std::vector<Id> loads;    ///< by id
  std::string sentence;     ///< names them, says what is wrong and what is allowed
};

/// The graph. Made once for a design; sums and failures are worked out on it by `PowerFlow`.
class OneLine {
public:
  static constexpr std::int32_t none = -1;

  /// Loads of equal feeds, as one.
  struct LoadGroup {
    std::int32_t a = none, b = none;    ///< indices of elements; where only one is drawn it is `a`
    std::vector<std::uint32_t> members; ///< indices of loads
    Count racks = 0, gpus = 0, job_gpus = 0;
    Count short_on_one = 0; ///< loads that draw more than their supplies on one feed deliver
  };
  struct Bus {
    std::vector<std::uint32_t> members;            ///< elements; most buses have one
    std::vector<std::uint32_t> children;           ///< elements whose upstream or alternate is on it, each once
    std::vector<std::uint32_t> groups_a, groups_b; ///< load groups with feed A or B on it
    std::vector<std::uint32_t> plant;              ///< plant points that take power from it, or can, each once
  };
  /// A point of a plant load, by buses.
  struct PlantTap {
    std::uint32_t load = 0; ///< index of the plant load
    double share = 0.0;
    std::int32_t from = none, else_from = none; ///< buses
  };

  /// @param load_names  names of loads for sentences; empty: "rack 12"
  /// @param plant       what else hangs on it
  /// @param issues      found already, to stand with those found here
  OneLine(std::vector<OneLineElement> elements, std::vector<OneLineLoad> loads,
          std::vector<std::string> load_names = {}, std::vector<PlantLoad> plant = {},
          std::vector<OneLineIssue> issues = {});

  [[nodiscard]] const std::vector<OneLineElement>& elements() const { return elements_; } ///< by id
  [[nodiscard]] const std::vector<OneLineLoad>& loads() const { return loads_; }          ///< by id
  /// This plant in place of what hung on it before.
  void hang(std::vector<PlantLoad> plant);
  [[nodiscard]] const std::vector<PlantLoad>& plant() const { return plant_; }
  /// Points of all plant loads that hang on an element, those of one load beside each other.
  [[nodiscard]] const std::vector<PlantTap>& plant_taps() const { return plant_taps_; }
  [[nodiscard]] std::ptrdiff_t index(Id element) const;                                   ///< -1: there is none
  [[nodiscard]] std::string name(Id element) const; ///< "unit 12" where it has none
  [[nodiscard]] const std::vector<OneLineIssue>& issues() const { return issues_; }

  [[nodiscard]] std::int32_t upstream(std::size_t element) const { return upstream_[element]; }
  [[nodiscard]] std::int32_t alternate(std::size_t element) const { return alternate_[element]; }
  [[nodiscard]] std::uint32_t bus_of(std::size_t element) const { return bus_of_[element]; }
  /// Whether the element runs in a circle and so has no source.
  [[nodiscard]] bool looped(std::size_t element) const { return looped_[element] != 0; }
  [[nodiscard]] const std::vector<Bus>& buses() const { return buses_; }
  /// Buses with what feeds them first; empty where alternates run in circles (two sides tied to each other), so that
  /// the order depends on what is out.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] const std::vector<LoadGroup>& groups() const { return groups_; }
  [[nodiscard]] std::uint32_t group_of(std::size_t load) const { return group_of_[load]; }
  /// How an element shares what its bus carries: its rating, or 1 where one of the bus is not known.
  [[nodiscard]] double weight(std::size_t element) const { return weight_[element]; }
  /// Elements that feed an element in normal operation, from the next one up.
  [[nodiscard]] std::vector<std::size_t> above(std::size_t element) const;
  [[nodiscard]] Count job_gpus() const { return job_gpus_; }

private:
  void connect();
  void find_loops();
  void find_back_feeds();
  void order_buses();
  void group_loads(const std::vector<std::string>& load_names);
  void connect_plant();
  void tell_unconnected();
  void tell(OneLineIssueKind kind, std::vector<Id> elements, std::vector<Id> loads, std::string sentence);

  std::vector<OneLineElement> elements_;
  std::vector<OneLineLoad> loads_;
  std::vector<PlantLoad> plant_;
  std::vector<PlantTap> plant_taps_;
  std::vector<std::int32_t> upstream_, alternate_;
  std::vector<std::uint32_t> bus_of_;
  std::vector<char> looped_;
  std::vector<Bus> buses_;
  std::vector<std::uint32_t> order_;
  std::vector<LoadGroup> groups_;
  std::vector<std::uint32_t> group_of_;
  std::vector<double> weight_;
  std::vector<OneLineIssue> issues_;
  Count job_gpus_ = 0;
};

/// What the one-line of a design is made from.
struct OneLineSource {
  const std::vector<PowerUnit>& units;
  const std::vector<Rack>& racks;
  const PowerPlant& plant;
  const Catalog& catalog;
  std::span<const double> rack_watts = {};   ///< in the order of the racks; NaN: not known, counts as nothing
  std::span<const Count> rack_gpus = {};     ///< as above; empty: none
  std::span<const Count> rack_job_gpus = {}; ///< as above; empty: all of them
  double cdu_watts = 0.0;                    ///< pumps of the distribution units
  double fan_watts = 0.0;                    ///< of the air side
  double heat_rejection_watts = 0.0;         ///< dry coolers, chillers, towers, their pumps
  double other_watts = 0.0;                  ///< lighting, offices, controls
  /// Drawn units of the cooling plant with feeds of their own; null: none.
  const std::vector<CoolingUnit>* cooling_units = nullptr;
  /// Not set: the catalog's.
  std::optional<std::vector<EfficiencyPoint>> ups_curve = std::nullopt;
};
/// The one-line as drawn. Under N+1 the units of a bus (same kind, upstream and feed) run in parallel, as everywhere in
/// the program. UPS lose by the catalog's curve (that of a part scaled so that its best point is the part's
/// efficiency), transformers by no-load and load loss; an efficiency that the unit or the plant states holds at every
/// load.
///
/// Plant stays where it is fed. Drawn cooling units with feeds take their part of the pumps, fans or heat rejection, by
/// capacity: half on each feed, all on the one that is left. The rest of the pumps hangs on the outputs of the UPS, the
/// rest of the plant on the boards that feed the UPS (transformers with their generators behind the transfer switch),
/// each by the IT load of normal operation. Where no UPS is drawn both hang on the transformers, where these are not
/// drawn either on the utility feeds and generators; plant above what is drawn hangs on nothing.
OneLine one_line_of(const OneLineSource& source);

/// Share of its rating beyond which an element of a kind drops out by itself.
/// @source distribution and busways: conventional tripping current 1.30 of IEC 60947-2; UPS: 1.25 for ten minutes as
/// data
///         sheets state; generators: 1.10, ISO 8528-1; transformers and utility feeds: 1.20, project choice (relay
///         settings)
double default_trip_share(PowerUnitKind kind);

} // namespace hallwright
