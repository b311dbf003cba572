// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QFont>
#include <QPainter>
#include <QRectF>

#include "design/rack_slots.h"
#include "widgets/field_form.h"
#include "widgets/plan/plan_canvas.h"

/// The picture of a rack type: front and rear side by side, to scale, on the screen and on paper.
namespace hallwright::elevation {

enum class Face { front, rear };

/// A place under the cursor: a face or a strip beside the rails, and the half unit there.
struct Spot {
  Face face = Face::front;
  double halves = 0;              ///< half units above the lowest rail hole, not bounded by the cabinet
  std::optional<RackMount> strip; ///< set beside the rails
};

/// What is marked beyond the content.
struct Marks {
  Id item = 0;              ///< selected, with all of its count
  std::optional<Count> nth; ///< only this one of it
  bool focus = false;
  std::optional<RackSlot> landing; ///< where a dragged part would come to stand
  QString landing_name;
  bool landing_refused = false;
};

class Picture {
public:
  Picture() = default;
  Picture(const Design& design, const Shared<Catalog>& catalog, Id rack_type);
  [[nodiscard]] bool empty() const { return type_ == 0; }
  [[nodiscard]] const RackSlots& places() const { return slots_; }
  [[nodiscard]] const RackItem* item(const RackSlot& slot) const;
  [[nodiscard]] QString name(const RackSlot& slot) const;
  /// "Node DGX H100, 8U, U3 to U10, front and rear; 130 kg; 10.2 kW": for tooltips and screen readers.
  [[nodiscard]] QString words(const RackSlot& slot, const Evaluation* evaluation, bool numbers_from_top) const;
  /// "U3 to U10" as the numbers beside the drawing say it; halves are told from the floor.
  [[nodiscard]] QString range(Count lowest_half_unit, Count half_units, bool numbers_from_top) const;

  /// Sets scale and place. Heights above the floor are millimetres.
  /// @param pixels_per_mm  device pixels of one millimetre
  /// @param unit           device pixels of one design pixel (paper: more than one)
  void arrange(double pixels_per_mm, const QPointF& origin, const QFont& font, double unit = 1);
  /// Largest scale at which everything is this high; and the least at which names read.
  [[nodiscard]] double scale_for_height(double height, const QFont& font, double unit = 1) const;
  [[nodiscard]] double least_scale(const QFont& font) const;
  [[nodiscard]] QSizeF size() const { return size_; }

  [[nodiscard]] QRectF rails(Face face) const;
  /// Where a part is drawn on this face; empty where it is not seen there.
  [[nodiscard]] QRectF rect(Face face, const RackSlot& slot) const;
  [[nodiscard]] std::optional<Spot> spot(const QPointF& at) const;
  /// Index of the slot under a point, the uppermost drawn first.
  [[nodiscard]] std::optional<std::size_t> slot_at(const QPointF& at) const;

  void paint(QPainter& painter, const plan::PlanColors& colors, const Evaluation* evaluation, const Marks& marks,
             bool numbers_from_top) const;

private:
  [[nodiscard]] QRectF cabinet(Face face) const;
  [[nodiscard]] QRectF strip(Face face, RackMount mount) const;
  [[nodiscard]] double y(double mm_above_floor) const {
    return origin_.y() + head_ + (height_mm_ - mm_above_floor) * scale_;
  }
  [[nodiscard]] double half_mm() const { return pitch_mm_ / 2.0; }
  [[nodiscard]] QFont sized(double design_pixels, bool bold = false) const;
  void paint_face(QPainter& p, const plan::PlanColors& c, const Evaluation* evaluation, const Marks& marks,
                  bool numbers_from_top, Face face) const;
  void paint_slot(QPainter& p, const plan::PlanColors& c, const Evaluation* evaluation, const Marks& marks, Face face,
                  const RackSlot& slot, bool numbers_from_top) const;
  void paint_stacks(QPainter& p, const plan::PlanColors& c, Face face) const;
  void paint_gravity(QPainter& p, const plan::PlanColors& c, const Evaluation* evaluation) const;

  Id type_ = 0;
  Shared<std::vector<RackItem>> items_;
  Shared<Catalog> catalog_;
  RackSlots slots_;
  double width_mm_ = 600, height_mm_ = 2200, cabinet_mm_ = 2200, base_mm_ = 80, pitch_mm_ = 44.45;
  double scale_ = 0.3, unit_ = 1, head_ = 0, numbers_ = 0, gutter_ = 0;
  QPointF origin_;
  QSizeF size_;
  QFont font_;
};

} // namespace hallwright::elevation
