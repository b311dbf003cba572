// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include "widgets/plan/plan_canvas.h"
#include "widgets/plan/plan_draw_edits.h"

class QKeyEvent;

/// The drawing tools: what has been clicked and typed so far, what comes next, and the edit in the end. Points are in
/// the scene, millimetres; the view snaps them before they come here.
namespace hallwright::plan {

class PlanDrawing {
public:
  /// How a tool takes its points.
  enum class Manner {
    none,
    polygon,   ///< corners until it is closed; a drag gives a rectangle
    path,      ///< points until Enter or a double click
    chain,     ///< each two points make one thing, the next begins where it ended
    segment,   ///< two points
    rectangle, ///< two opposite corners, by drag or two clicks
    block,     ///< a drag gives the size, a click puts one of customary size
    point,     ///< one click
    dimension  ///< two points, then the offset
  };
  static Manner manner_of(PlanTool tool);

  struct Host {
    std::function<void(const Edit&)> commit;
    std::function<void()> finished;                             ///< back to the select tool
    std::function<void(const QString&)> refuse;                 ///< a sentence
    std::function<void(const QPointF& center, PlanTool)> place; ///< a block of customary size
  };
  PlanDrawing(const PlanModel& model, const DrawSettings& settings, Host host)
      : model_(model), settings_(settings), host_(std::move(host)) {}

  void start(PlanTool tool);
  [[nodiscard]] bool active() const { return manner_ != Manner::none; }
  [[nodiscard]] Manner manner() const { return manner_; }
  [[nodiscard]] const QPolygonF& points() const { return points_; }
  [[nodiscard]] bool typing() const { return !typed_[0].isEmpty() || !typed_[1].isEmpty(); }
  /// Whether a point is expected that may be bound by what is typed.
  [[nodiscard]] bool under_way() const { return !points_.isEmpty(); }

  /// Where the next point goes: what is typed and, with `right_angles`, the axes bind it to the last one.
  [[nodiscard]] QPointF constrained(const QPointF& snapped, bool right_angles) const;

  /// @param at constrained  @param close_by the press is within reach of the first point on the screen
  void press(const QPointF& at, bool close_by);
  void drag(const QPointF& at); ///< the button is held and the cursor went far
  void move(const QPointF& at, bool shift);
  void release(const QPointF& at);
  void double_click();
  /// Enter, Backspace, Tab and what is typed; false: not for the tool.
  bool key(QKeyEvent* event);
  /// Whether a key would be taken as typing, so that it must not be a shortcut.
  [[nodiscard]] bool wants(const QKeyEvent* event) const;
  /// Esc: gives up what is typed, then what is drawn; false when there was neither.
  bool cancel();

  [[nodiscard]] QString hint() const;
  /// The aisle that a click would enclose.
  [[nodiscard]] const AisleBand* aisle_at(const QPointF& scene) const;
  void paint(const Canvas& canvas, bool cursor_known,
             const std::function<void(const Canvas&, const QPointF&, const QString&)>& tag) const;

private:
  void take(const QPointF& at);
  void finish();
  void commit_rectangle(const QRectF& box);
  [[nodiscard]] const HallShape* hall_for(const QPointF& scene) const;
  [[nodiscard]] Dimension dimension_to(const QPointF& at, bool shift) const;
  [[nodiscard]] std::optional<double> typed_value(int field) const;
  [[nodiscard]] QString live_words() const;
  /// What is typed are width and depth: of rectangles, and of a polygon while it is dragged as one.
  [[nodiscard]] bool boxed() const {
    return manner_ == Manner::rectangle || manner_ == Manner::block || (manner_ == Manner::polygon && dragging_);
  }

  const PlanModel& model_;
  const DrawSettings& settings_;
  Host host_;
  PlanTool tool_ = PlanTool::select;
  Manner manner_ = Manner::none;
  QPolygonF points_;
  QPointF cursor_;
  QString typed_[2]; ///< length and angle, or width and depth
  int field_ = 0;
  bool pressed_ = false, dragging_ = false, shift_ = false;
};

/// Size of a structure that is put by one click.
void customary_size(StructureKind kind, double& width, double& depth);
std::optional<StructureKind> structure_of(PlanTool tool);

} // namespace hallwright::plan
