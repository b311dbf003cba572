// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "evaluation/evaluation.h"

/// What a headline says and how it stands: the one rule for the strip, the printed page and whoever else shows it.
namespace hallwright {

/// How a headline stands, the calmest first.
enum class TileLevel {
  calm,      ///< no limit, or well inside it
  near_it,   ///< inside, with little margin left
  undecided, ///< a part is unknown, and what is known is still inside
  warning,   ///< past a limit whose rule only warns
  error      ///< past a limit: a decided violation
};

/// How a headline stands, and by which of its figures.
struct TileState {
  TileLevel level = TileLevel::calm;
  const Figure* by = nullptr;    ///< the figure that decides; null when there is none
  const Figure* limit = nullptr; ///< its limit, when it has one with a value
  const Finding* finding = nullptr; ///< an error that is about no figure of the tile: what solved loops come to
};

/// A lower bound that is already past its limit is a violation, whatever is still unknown. Of the figures on a tile the
/// worst decides; what an error of the checks is about is never calm.
TileState tile_state(const Evaluation& evaluation, const HeadlineTile& tile);

/// The words of a headline.
struct TileWords {
  TileState state;
  QString value;       ///< "≈ 2.02 MW"; a dash where nothing is known
  QString limit;       ///< "of 3.09 MW", "limit 0 %", "over 732 kg/m2: Old hall: Floor rating"; empty: no limit
  QString limit_short; ///< without what the limit is called
  QString remark;      ///< "PUE 1.13", or why nothing is known
  double share = -1.0; ///< of the limit, for a bar; negative: no bar
  [[nodiscard]] QString foot() const; ///< what stands below the bar
};
TileWords tile_words(const Evaluation& evaluation, const HeadlineTile& tile);

} // namespace hallwright
