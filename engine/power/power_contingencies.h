// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

#include "power/power_flow.h"

/// What happens on the one-line when elements fail: every one alone, and every one while another is in maintenance.
///
/// A load with two live feeds draws half on each, with one all of it there. The rest of a bus takes over what a member
/// carried; a second source takes over what it stands behind. An element that then carries more than its trip share,
/// and more than in normal operation, drops out, too; all of one round drop at once, and rounds follow until nothing
/// more drops. What redundancy there is is what this shows, whatever the plan claims.
namespace hallwright {

/// An element that dropped out because of others.
struct TrippedElement {
  Id element = 0;
  int round = 1;           ///< the first is what the failure itself overloads
  double load_share = 0.0; ///< of its rating, at which it dropped
  double load_w = 0.0;     ///< what it carried then
};

/// One state of the one-line.
struct ContingencyCase {
  std::vector<Id> out;                 ///< taken out: none in normal operation; in maintenance first, then failed
  std::vector<TrippedElement> cascade; ///< by round, then by id
  Count racks_dark = 0;                ///< have power in normal operation and none now
  Count gpus_dark = 0, job_gpus_dark = 0;
  double job_share_dark = 0.0; ///< of the GPUs at work in the job; a synchronous job stops with any of them
  Power dark{};                ///< what the dark racks draw
  Power plant_dark{};          ///< cooling and other plant without power that has it in normal operation
  Count racks_on_one_feed = 0; ///< of those with two in normal operation
  Count racks_short = 0;       ///< on one feed, whose supplies deliver less than the rack draws; they count as fed
  Id worst_element = 0; ///< live element with the smallest headroom before any drops out; 0: no loaded one has a rating
  double worst_headroom = std::numeric_limits<double>::quiet_NaN(); ///< of it; NaN without one
  double worst_load_w = 0.0, worst_normal_w = 0.0;                  ///< what it carries now, and in normal operation
  std::vector<Id> overloaded; ///< live elements that carry more than they may for long, by id
};

/// What one element carries at worst: with one of the cases out and before anything drops out because of it.
struct ElementWorst {
  Id element = 0;
  double normal_w = 0.0;
  double worst_w = 0.0;                                             ///< never below `normal_w`
  std::ptrdiff_t worst_case = -1;                                   ///< into the cases; -1: normal operation
  double worst_headroom = std::numeric_limits<double>::quiet_NaN(); ///< at `worst_w`; NaN: no rating
};

struct ContingencySweep {
  ContingencyCase normal;
  std::vector<ContingencyCase> cases; ///< by the ids of what is out
  std::vector<ElementWorst> elements; ///< by id
  std::ptrdiff_t worst = -1;          ///< case of the smallest headroom; -1: normal operation
  std::ptrdiff_t darkest = -1;        ///< case with the most dark GPUs, then racks; -1: no rack goes dark
  std::size_t independent = 0;        ///< pairs left out: neither touches what the other does, so both alone tell them
  bool complete = true;               ///< false: stopped

  [[nodiscard]] const ContingencyCase& worst_case() const {
    return worst < 0 ? normal : cases[static_cast<std::size_t>(worst)];
  }
  /// Smallest headroom over normal operation and all cases; NaN: no loaded element has a rating.
  [[nodiscard]] double worst_headroom() const { return worst_case().worst_headroom; }
};

/// Fails elements of a one-line, which it keeps a reference to.
class PowerContingencies {
public:
  explicit PowerContingencies(const OneLine& one_line);

  /// These elements out at once.
  [[nodiscard]] ContingencyCase with_out(const std::vector<Id>& elements) const;
  /// Every element alone.
  [[nodiscard]] ContingencySweep single_failures() const;
  /// Every pair of elements that have to do with each other. Which of the two is in maintenance makes no difference.
  [[nodiscard]] ContingencySweep maintenance_and_failure(const std::stop_token& stop = {}) const;
  /// Normal operation alone, without cases.
  [[nodiscard]] ContingencySweep normal_only() const { return start(); }
  /// All elements of one side out.
  [[nodiscard]] ContingencyCase side_out(Feed side) const;
  /// Loads without power in a case that have it in normal operation, by id.
  [[nodiscard]] std::vector<Id> racks_dark(const ContingencyCase& c) const;
  /// The flow in a case, after its cascade.
  [[nodiscard]] PowerFlow flow(const ContingencyCase& c) const;
  /// What happens, in a sentence: "With UPS A out, UPS B carries 1.2 MW, 20 % more than it may (0.6 MW in normal
  /// operation); 12 racks with 96 GPUs go dark".
  [[nodiscard]] std::string sentence(const ContingencyCase& c) const;
  [[nodiscard]] PowerUnitKind kind_of(Id element) const; ///< of an element that is drawn
  /// "UPS A", "UPS A in maintenance and UPS B"
  [[nodiscard]] std::string out_words(const ContingencyCase& c) const;

private:
  ContingencyCase run(PowerFlow& flow, std::vector<std::size_t>& out, std::vector<char>* raised = nullptr) const;
  ContingencyCase look(const PowerFlow& flow) const;
  void take(ContingencySweep& sweep, const PowerFlow& flow) const;
  ContingencySweep start() const;

  const OneLine* line_;
  PowerFlow normal_;
};

/// What the sweep proves of the one-line.
struct ProvenRedundancy {
  bool survives_any_failure = false; ///< no rack goes dark and nothing is overloaded with any one element out
  bool survives_maintenance = false; ///< nor with one in maintenance and another out
  bool survives_a_side = false;      ///< nor with all of side A, or all of side B, out
  Redundancy proven = Redundancy::n; ///< 2N: a whole side; N+1: any one element
  std::string why;                   ///< a sentence: what stands against the next step
};
/// @param single  of the same one-line
/// @param pairs   of the same one-line; without cases nothing is said of maintenance
ProvenRedundancy proven_redundancy(const PowerContingencies& contingencies, const ContingencySweep& single,
                                   const ContingencySweep& pairs);

} // namespace hallwright
