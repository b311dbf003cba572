// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "evaluation/evaluation.h"

/// What moves a figure most: each number that it rests on is made a little smaller and a little larger, alone, and the
/// design is evaluated anew with it. One at a time: what two of them do together is not found.
namespace hallwright {

struct SensitivityWish {
  std::string figure;           ///< id, as in `Figures`
  double share = 0.1;           ///< of its value by which an input is moved, above 0 and below 1
  bool catalog_values = true;   ///< values of catalog parts and defaults of the method, too, as a replacement in the design
  std::size_t most_inputs = 40; ///< that are tried, at least 1; those nearest to the figure in its tree first
};

/// One side of an input: moved down, or up.
struct SensitivityMove {
  std::optional<double> input;  ///< its value then, base unit; not set: not moved, see `trouble`
  std::optional<double> figure; ///< the figure then, base unit; not set: there is none, see `trouble`
  std::string trouble;          ///< a sentence without its full stop; empty: both are there
};

/// An input that moves the figure.
struct SensitivityRow {
  std::string leaf;             ///< id of the input's own figure
  std::string label;            ///< for people: "Electricity price"
  const Kind* kind = nullptr;   ///< of the input
  Origin origin = Origin::design; ///< design or catalog
  EntityRef entity;             ///< of a design field
  std::string part_kind, part;  ///< of a catalog value
  std::string field;
  double value = 0.0;           ///< of the input now, base unit
  std::string step;             ///< by which it is moved: "10 %", "1", "1 K", "10 %, at most 100 %"
  SensitivityMove low, high;
  double change = 0.0;          ///< the larger change of the figure, without its sign, base unit of the figure; above 0
  /// Percent by which the figure changes for each percent of the input, between the two values that were tried; not set:
  /// the figure or the input is 0 or a temperature, of which percent say nothing.
  std::optional<double> elasticity;
};

struct Sensitivity {
  std::string figure, label;
  const Kind* kind = nullptr;
  double value = 0.0;               ///< of the figure now, base unit
  std::vector<SensitivityRow> rows; ///< by the larger change, largest first
  std::size_t tried = 0;            ///< inputs that were moved: rows, and those that change nothing
  std::size_t still = 0;            ///< of these, how many change nothing
  std::size_t at_zero = 0;          ///< inputs that were not tried: they are 0
  std::size_t beyond = 0;           ///< inputs that were not tried: farther away than `most_inputs`
  std::vector<std::string> left_out; ///< moves that were not made or had no answer, and why: sentences without full stop
  std::string sentence;              ///< how many inputs were tried and what moves the figure most, without full stop
};

/// Inputs are the numbers at the ends of the figure's tree: fields of the design and, if asked for, values of the catalog.
/// Counts go by whole steps, at least one; temperatures by 1 K; a share stays within its range. What is at 0 is left out,
/// for a share of it is nothing, and a count is not brought to 0, which often stands for "automatic". What the field or
/// the catalog refuses is left out and told. Choices, references and what is counted or measured on the plan are no
/// inputs of this study, nor are constants of formulas.
/// @param now  stays as it is; each move is evaluated with it as the previous one
/// @return one sentence where there is no answer: no such figure, a figure without a value, a wish out of range, or
/// "stopped" after `stop` was requested
tl::expected<Sensitivity, std::string> figure_sensitivity(const Evaluation& now, const SensitivityWish& wish,
                                                          const std::stop_token& stop = {});

} // namespace hallwright
