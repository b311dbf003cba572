// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <vector>

#include <QHash>

#include "widgets/plan/plan_painter.h"

/// Where words of the plan stand: beside what they name, in sight, and clear of things and of one another.
namespace hallwright::plan {

/// First thing of the plan whose box touches `r` (device), notes apart; null: nothing stands there.
const PlanObject* standing_in(const Canvas& canvas, const Picture& picture, const QRectF& r);
/// Whether nothing of the plan touches `r`, trays and pipes included, notes apart.
bool stands_free(const Canvas& canvas, const Picture& picture, const QRectF& r);

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

/// The name of a row and its place.
struct RowName {
  RackLine row; ///< all of it: a row of which parts stand apart is named once
  QString name; ///< empty: too small to be named
  QFont font;
  QSizeF size;
  QRectF place;
  bool found = false;  ///< there is a free place; else only the pill at the edge of sight names it
  bool beside = false; ///< not on the row's line but in an aisle or before the next row
  bool known = false;
};

/// Dimension lines of a hall: the width below, the depth at one side.
struct HallDimensions {
  QString across, down; ///< empty: no room
  double side = 1;      ///< 1: right, -1: left
  bool known = false;
};

/// Places of words, worked out when they first come into sight and kept while the scale and the plan stay as they are, so
/// that panning neither costs anything nor moves a word. Positions are relative to `Canvas::origin`.
class LabelStore {
public:
  /// Begins a frame of a screen, in which at most `most` places are worked out; what is left comes in the next frames.
  void begin_frame(int most) { left_ = most, unfinished_ = false; }
  /// Whether words of this frame wait for the next one.
  [[nodiscard]] bool unfinished() const { return unfinished_; }
  /// Forgets everything when the plan, the scale or the font is another.
  void begin(const Canvas& canvas, const Picture& picture);
  /// Where the words of an aisle stand now (device): they stay in sight when its row runs out of the window.
  AisleLabel aisle(const Canvas& canvas, const Picture& picture, std::size_t index);
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] const RackLine& line(std::size_t index) const { return rows_[index].row; }
  const RowName& row(const Canvas& canvas, const Picture& picture, std::size_t index);
  const HallDimensions& dimensions(const Canvas& canvas, const Picture& picture, std::size_t hall);

private:
  const AisleLabel& aisle_at_rest(const Canvas& canvas, const Picture& picture, std::size_t index);
  void take(const QRectF& box);
  [[nodiscard]] bool taken(const QRectF& box) const;
  [[nodiscard]] bool place_row(const Canvas& rest, const Picture& picture, RowName& name) const;

  /// Takes one place of this frame; false, and the frame is unfinished, when there is none left.
  bool may_place() {
    if (left_ > 0) return --left_, true;
    unfinished_ = true;
    return false;
  }

  int left_ = std::numeric_limits<int>::max();
  bool unfinished_ = false;
  const PlanModel* model_ = nullptr;
  std::uint64_t revision_ = 0;
  double scale_ = 0, unit_ = 0;
  QFont font_;
  std::vector<AisleLabel> aisles_;
  std::vector<char> aisle_known_;
  std::vector<RowName> rows_;
  std::vector<HallDimensions> halls_;
  QHash<QPair<int, int>, std::vector<QRectF>> taken_; ///< words already there, by squares of the device
};

} // namespace hallwright::plan
