// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

#include "widgets/one_line/one_line_picture.h"

namespace hallwright {

/// What the title block of a one-line says.
struct OneLineBlock {
  QString project, author, date, basis; ///< the last: what rack powers are counted with
};

/// A frame with the title block at its foot, and the legend beside it: symbols of the kinds that are drawn, colours of
/// the sides, what the bars say.
/// @return what the frame leaves for the diagram
QRectF paint_one_line_block(QPainter& painter, const QRectF& page, const OneLinePicture& picture,
                            const OneLineBlock& block, const OneLineColors& colors);

} // namespace hallwright
