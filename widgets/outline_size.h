// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QRectF>

#include "design/edits.h"

class QFormLayout;

namespace hallwright {

class QuantityEdit;

/// Corners as they stand in an editor: "0,0 24,0 24,12 0,12 m", from millimetres as they are stored.
QString outline_words(const std::string& stored);
/// Corners as typed, in stored form. A unit at the end (mm, cm, m, in, ft) is that of all numbers, a unit after every
/// number its own; without one they are millimetres. Refused: units after some of several numbers.
tl::expected<std::string, std::string> outline_from_words(const QString& typed);

/// Box of an outline that is a rectangle along the plan, mm; nothing for any other shape.
std::optional<QRectF> rectangle_of(const std::vector<PlanPoint>& outline);

/// Width and depth of halls and zones that are rectangles, as two rows of a form: typed, they move the sides at the
/// right and at the foot. The rows are hidden for other shapes.
class OutlineSize : public QObject {
  Q_OBJECT
public:
  /// Adds the rows at the end of a form.
  OutlineSize(QFormLayout* form, QObject* parent);
  void show(const Design& design, const std::vector<EntityRef>& entities);

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void refused(const QString& sentence);

private:
  QFormLayout* form_;
  QuantityEdit* sides_[2] = {}; ///< width, depth
  std::vector<EntityRef> entities_;
  std::string name_;
};

} // namespace hallwright
