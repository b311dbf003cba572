// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_painter.h"

/// Where words of the plan stand: beside what they name, in sight, and clear of things and of one another.
namespace hallwright::plan {

/// First thing of the plan whose box touches `r` (device), notes apart; null: nothing stands there.
const PlanObject* standing_in(const Canvas& canvas, const Picture& picture, const QRectF& r);

QSizeF size_of_words(const Canvas& canvas, const QString& words, const QFont& font);

/// Font of a hall's name.
QFont title_font(const Canvas& canvas);

/// A hall with its name above it, as far as others must stay clear of it.
QRectF hall_with_title(const Canvas& canvas, const HallShape& hall);

/// Words of an aisle and where they stand (device; along the aisle when it runs down the plan). Empty: no room.
struct AisleLabel {
  QString words;
  QFont font;
  QRectF box;
};
AisleLabel aisle_label(const Canvas& canvas, const AisleBand& aisle);

} // namespace hallwright::plan
