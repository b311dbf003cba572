// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "ledger/figures.h"

/// What becomes of "at least" where a figure does not simply grow with its inputs.
namespace hallwright {

/// Front of the reason of a figure that is neither a lower bound nor free of one: a ratio or difference of an amount
/// that is only known as "at least" may lie on either side of the truth.
inline constexpr std::string_view rests_on_bound_words = "rests on a lower bound: ";

/// Whether the figure is an estimate of that kind.
[[nodiscard]] bool rests_on_bound(const Figure& figure);

/// The pages with every such figure marked, through all figures that rest on it: its reason begins with the words above
/// and names what is missing, and a limit that it seems to keep, or to exceed, is undecided; so is a figure whose limit
/// is of that kind. Pages without one are handed back as they are.
[[nodiscard]] std::array<SharedPage, page_count> bounds_carried(const Figures& figures);

} // namespace hallwright
