// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

#include <QStringList>

#include "widgets/training/painted_chart.h"

namespace hallwright {

/// What fills the memory of one GPU of a pipeline stage.
struct StageMemoryBar {
  QString name; ///< of the stage: "1"
  QString tip;
  std::vector<double> amounts; ///< one for each part, in the unit of the axis, zero or more
};

/// Colour of what fills the memory of a GPU, by its name in the table of stages ("weights", "optimizer"): what is held
/// for the parameters in blue, what comes and goes with the work in orange, the rest grey. Invalid: no such part.
QColor memory_part_color(const QString& part);

/// A bar for each pipeline stage, stacked by what fills it, against the memory of the GPU. What is over the limit is
/// red at its top. Left and right move through the stages, Enter or a click opens one.
class StageMemoryBars : public PaintedChart {
  Q_OBJECT
public:
  explicit StageMemoryBars(QWidget* parent = nullptr);
  /// `limit` is drawn dashed when finite. `ids` name the parts for their colours; empty: the first of the table.
  void setStages(const QStringList& parts, std::vector<StageMemoryBar> stages, const QString& unit,
                 double limit = std::numeric_limits<double>::quiet_NaN(), const QString& limit_name = {},
                 const QStringList& ids = {});
  void clear() { setStages({}, {}, {}); }
  /// Stages, from 0, that hold what is selected elsewhere: framed.
  void setLit(std::vector<int> stages);
  [[nodiscard]] const std::vector<int>& lit() const { return lit_; }
  [[nodiscard]] int count() const { return static_cast<int>(stages_.size()); }
  [[nodiscard]] QRectF barRect(int stage) const;
  [[nodiscard]] double legendHeight() const;
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void stageActivated(int stage);

protected:
  [[nodiscard]] bool has_content() const override { return !stages_.empty(); }
  void paint(QPainter& painter) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] double y(double amount) const;
  [[nodiscard]] std::vector<LegendEntry> entries() const;
  [[nodiscard]] QString words_of(int stage) const;
  [[nodiscard]] int stage_at(const QPointF& at) const;
  void make_current(int stage);
  [[nodiscard]] QColor color_of(std::size_t part) const;
  QStringList parts_, ids_;
  std::vector<StageMemoryBar> stages_;
  std::vector<int> lit_;
  QString unit_, limit_name_;
  double limit_ = 0, most_ = 1;
  int current_ = -1;
};

} // namespace hallwright
