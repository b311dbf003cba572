// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "design/edits.h"

/// Edits of the one-line: adding units and connecting them, feeds and phases of racks.
namespace hallwright {

/// Adds a unit that `parent` feeds, on its side: as the last of its kind below the same parent is (part and rating), or
/// with the rating of the parent. It stands in no hall until it is placed. @param parent  0: a source
Edit add_unit_below(const Design& design, Id parent, PowerUnitKind kind);
/// Adds a generator that stands by for `unit`, on its side: rated as the last generator is, or as `unit`. Refused where
/// `unit` has a second source, or is a source itself.
Edit add_generator_for(const Design& design, Id unit);
/// Whether `unit` is `other`, or feeds it in normal operation through any number of units.
bool feeds(const Design& design, Id unit, Id other);
/// `unit` is fed from `upstream`, and takes its side where that has one. Refused where power would run in a circle.
Edit feed_unit_from(const Design& design, Id unit, Id upstream);
/// `unit` is fed from `source` when what feeds it has no power. Refused where `source` lies below it, or feeds it
/// anyway.
Edit stand_by_for(const Design& design, Id unit, Id source);
/// Racks that hang on `from`, with feed A or B, hang on `to` instead. Refused where the other feed of one is `to`.
Edit move_racks_to(const Design& design, const std::vector<Id>& racks, Id from, Id to);

} // namespace hallwright
