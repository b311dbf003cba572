// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "evaluation/evaluation.h"

/// What a row of racks needs to go from its present power per rack to a wanted one, in power, heat, floor and reach:
/// the design is evaluated as it is and with the racks of the row at the wanted power, and each limit is compared.
namespace hallwright {

struct DensityWish {
  Id row = 0;
  std::optional<Power> power;         ///< of each rack, above 0; not set: what the racks of `rack_type` draw
  Id rack_type = 0;                   ///< racks of the row become such racks; 0: they stay what they are
  std::optional<double> liquid_share; ///< of the heat of each rack, 0 to 1; not set: as now, or as the type's
  bool farthest = true;               ///< look for the highest power that nothing refuses, too
};

enum class DensityLimit : std::uint8_t { power, heat, floor, reach };
/// "Power", "Heat", "Floor", "Reach"
std::string_view density_limit_words(DensityLimit limit);

/// One limit that the row meets on its way. Amounts are in the base unit of `kind`; NaN: not known.
struct DensityStep {
  DensityLimit limit = DensityLimit::power;
  std::string subject; ///< "Busway A1", "CDUs of Loop 1, by duty"
  std::string why;     ///< in which state it is worst: "with UPS B out"; or why it is not decided
  const Kind* kind = nullptr;
  double now = std::numeric_limits<double>::quiet_NaN(), wanted = std::numeric_limits<double>::quiet_NaN(),
         allowed = std::numeric_limits<double>::quiet_NaN();
  bool decided = false; ///< false: something that it takes is not known
  bool needed = false;  ///< the wanted power asks for more than is allowed
  Count count = 0;      ///< parts to add; 0: none, or it is not parts that help
  std::string parts;    ///< "2 more busways like Busway A1"
  std::optional<Money> cost_low, cost_high; ///< of all of them, without building and labour; not set: no price is known
  std::optional<double> weeks;              ///< until they are there; not set: not known
  bool live = false;                        ///< while the racks run; said of needed steps alone
  std::string live_words;                   ///< what stops or what redundancy is lost meanwhile
  std::vector<EntityRef> entities;
};

struct DensityUpgrade {
  std::string row;
  Count racks = 0;       ///< that are changed
  Power now{}, wanted{}; ///< of one rack: the one that draws most
  std::vector<DensityStep> steps;
  Money cost_low{}, cost_high{};
  bool cost_at_least = false;  ///< a needed step has no price
  std::optional<double> weeks; ///< the longest known lead time of needed steps
  bool weeks_at_least = false; ///< a needed step has no lead time
  std::size_t stops = 0;       ///< needed steps that stop racks
  std::size_t undecided = 0;
  /// The highest power of a rack of the row at which no decided limit is exceeded; not set: not asked for, stopped, or
  /// one is exceeded already. With a rack type: of racks of that type.
  std::optional<Power> farthest;
  std::string farthest_words; ///< a sentence: which limit comes next
  std::string sentence;
  std::vector<std::string> notes; ///< what stands in, what is left out
};

/// Racks for computing of the row, or all of its racks where none is for computing, at the wanted power. What they hold
/// and weigh is as it is (unless the rack type changes): the power is that of other content of the same mass. Power
/// caps of these racks and of the row are taken off.
///
/// Live or not, the rule: a power unit can be worked on while racks run if with it out nothing goes dark and nothing is
/// overloaded today (redundancy is lost meanwhile). A distribution unit or a pipe at a header opens the loop: the racks
/// of the loop stop for the draining, unless a valve with a blank end is there, which no drawing tells. An air unit
/// stands free and is added live. What is done in a rack (its feed, its place, its cables) stops that rack alone, by
/// its isolation valves and breakers.
/// @param now  of the design that is asked about
/// @return one sentence where the wish cannot be followed: field, value, what is allowed; nothing was stopped unless
/// `stop` was requested
tl::expected<DensityUpgrade, std::string> density_upgrade(const Evaluation& now, const DensityWish& wish,
                                                          const std::stop_token& stop = {});

/// The steps as a table: study.density_upgrade, amounts as words with their units.
Table density_table(const DensityUpgrade& upgrade);

} // namespace hallwright
