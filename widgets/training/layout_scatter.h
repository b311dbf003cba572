// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <vector>

#include <QPixmap>
#include <QPointF>
#include <QString>

#include "widgets/training/painted_chart.h"

namespace hallwright {

/// One layout of a job: what it costs and what it is called.
struct LayoutDot {
  double memory = 0;  ///< of the heaviest stage, bytes
  double seconds = 0; ///< of a step
  QString name;       ///< "TP 8 · PP 16 · DP 128"
  QString tip;        ///< more about it; may be empty
};

/// Layouts by step time over memory: all as dots, the front of those that no other beats in both as a line, the memory
/// of the GPU dashed, the present layout marked. A click previews one, a double click applies the one that its first
/// press hit; left and right go along the front, Enter applies, Escape ends the preview.
class LayoutScatter : public PaintedChart {
  Q_OBJECT
public:
  explicit LayoutScatter(QWidget* parent = nullptr);
  /// @param front  indices of `dots`, in any order
  /// @param limit  memory of the GPU, bytes; NaN: none
  void setDots(std::vector<LayoutDot> dots, std::vector<int> front,
               double limit = std::numeric_limits<double>::quiet_NaN());
  void clear() { setDots({}, {}); }
  /// Other names of the same dots, one for each.
  void setNames(const std::vector<QString>& names);
  /// What is shown is of another job: it is pale and takes no clicks and keys.
  void setOutdated(bool outdated);
  [[nodiscard]] bool outdated() const { return outdated_; }
  /// The layout of the design; without seconds it is not marked.
  void setPresent(const LayoutDot& present);
  /// The dot that is previewed; -1: none.
  void setPreviewed(int dot);
  [[nodiscard]] int previewed() const { return previewed_; }
  [[nodiscard]] int count() const { return static_cast<int>(dots_.size()); }
  [[nodiscard]] const LayoutDot& dot(int i) const { return dots_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::vector<int>& front() const { return front_; } ///< by memory
  [[nodiscard]] QPointF place(int dot) const;
  [[nodiscard]] int dotAt(const QPointF& at) const; ///< the nearest within reach, or -1
  [[nodiscard]] int hovered() const { return hovered_; }
  [[nodiscard]] QString textAt(const QPointF& at) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void previewRequested(int dot);
  void applyRequested(int dot);
  void previewEnded();

protected:
  [[nodiscard]] bool has_content() const override { return !dots_.empty(); }
  void paint(QPainter& painter) override;
  void restyled() override { cloud_ = QPixmap(); }
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] QPointF at(double memory, double seconds) const;
  [[nodiscard]] bool present_known() const { return present_.seconds > 0 && present_.memory > 0; }
  [[nodiscard]] QString words_of(const LayoutDot& dot) const;
  void fit_axes();
  void describe_front();
  void draw_cloud();
  void name_dot(QPainter& painter, const QPointF& at, const QString& words, const QRectF& avoid = {});
  void go_along(int step);

  std::vector<LayoutDot> dots_;
  std::vector<int> front_;
  LayoutDot present_;
  double limit_ = 0;
  double low_memory_ = 0, high_memory_ = 1, low_seconds_ = 1, high_seconds_ = 10;
  bool logarithmic_ = false; ///< step times lie far apart
  int hovered_ = -1, previewed_ = -1, on_front_ = -1;
  int pressed_ = -1;                        ///< dot under the last single press: a click and a double click mean it
  QPointF pressed_at_;                      ///< of that press on the screen
  bool applied_ = false, outdated_ = false; ///< the release after a double click is no click
  QPixmap cloud_;
};

} // namespace hallwright
