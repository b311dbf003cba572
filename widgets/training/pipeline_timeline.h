// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QImage>

#include "training/schedule.h"
#include "widgets/training/painted_chart.h"

namespace hallwright {

/// What a step does after its pipeline has drained, seconds from the beginning of the step.
struct TimelineTail {
  QString name; ///< "gradients", "optimizer"
  double begin = 0, end = 0;
  StepWork work = StepWork::communication;
};

/// A step by pipeline stage as its schedule plays: forward, backward, what is sent between stages, the tail, and idle.
/// Ctrl with the wheel zooms at the cursor, dragging or Shift with the wheel moves; + - and 0 do so from the keyboard,
/// arrows move from one piece of work to the next. What is narrower than a pixel is mixed by its share of it.
class PipelineTimelineView : public PaintedChart {
  Q_OBJECT
public:
  explicit PipelineTimelineView(QWidget* parent = nullptr);
  /// @param timeline times in seconds, entries by stage, then by time
  /// @param transfer seconds that an activation takes from one stage to the next; shown where it is wide enough
  void setTimeline(std::shared_ptr<const PipelineTimeline> timeline, double transfer, std::vector<TimelineTail> tails);
  void clear() { setTimeline(nullptr, 0, {}); }
  /// Stages, from 0, that hold what is selected elsewhere: framed.
  void setLit(std::vector<int> stages);
  [[nodiscard]] const std::vector<int>& lit() const { return lit_; }

  [[nodiscard]] int stages() const { return static_cast<int>(rows_.empty() ? 0 : rows_.size() - 1); }
  [[nodiscard]] double from() const { return from_; } ///< seconds at the left edge
  [[nodiscard]] double until() const { return until_; }
  [[nodiscard]] double span() const { return span_; } ///< of the whole step
  void zoom(double factor, double at_second);
  void showAll();
  /// Where an entry of the timeline is painted.
  [[nodiscard]] QRectF slotRect(std::size_t entry) const;
  /// The entry at a place of the widget.
  [[nodiscard]] std::optional<std::size_t> slotAt(const QPointF& at) const;
  [[nodiscard]] std::optional<std::size_t> current() const { return current_; }
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] QString textOf(std::size_t entry) const;
  [[nodiscard]] QRectF plot() const; ///< of the rows, none taller than two lines of text
  [[nodiscard]] std::vector<LegendEntry> legendEntries() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  [[nodiscard]] bool has_content() const override { return timeline_ && !timeline_->entries.empty(); }
  void paint(QPainter& painter) override;
  void restyled() override { raster_ = QImage(); }
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  [[nodiscard]] double x(double second) const;
  [[nodiscard]] double second_at(double x) const;
  [[nodiscard]] QRectF row_rect(int stage) const;
  [[nodiscard]] const PipelineSlot& entry(std::size_t i) const { return timeline_->entries[i]; }
  /// Two pieces of work side by side share the row of their stage: 0 is above, 1 below; -1: the row is its own.
  [[nodiscard]] int lane_of(std::size_t i) const;
  /// Entries of `stage` that end after `second`: the first of them.
  [[nodiscard]] std::size_t first_after(int stage, double second) const;
  void show_range(double from, double until);
  void pan(double seconds);
  void make_current(std::size_t entry);
  void draw_raster();
  void draw_row(int stage, int lane, std::vector<float>& sums, std::vector<QRgb>& line, double scale) const;
  void draw_numbers(QPainter& painter) const;

  std::shared_ptr<const PipelineTimeline> timeline_;
  std::vector<std::size_t> rows_; ///< first entry of each stage, and the end
  std::vector<TimelineTail> tails_;
  std::vector<int> lit_;
  double transfer_ = 0, span_ = 0, from_ = 0, until_ = 1;
  bool split_backward_ = false; ///< input and weight apart
  bool side_by_side_ = false;   ///< a stage does two things at a time
  QImage raster_;
  std::optional<std::size_t> current_;
  std::optional<double> grabbed_; ///< second under the cursor as a drag began
};

} // namespace hallwright
