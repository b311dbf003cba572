// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QStringList>
#include <QWidget>

#include "widgets/plan/plan_view.h"

namespace hallwright {

/// Asks for points on the plan: lies over the view, takes left clicks and lets everything else through, so that the
/// view can still be moved and zoomed. Esc ends, Backspace takes the last point back. Ends by itself after the last point.
class PointPicker : public QWidget {
  Q_OBJECT
public:
  /// What a point catches on: answers the caught point of the scene within `reach` mm, or the point itself.
  using Catch = std::function<QPointF(const QPointF& scene, double reach, bool& caught)>;
  /// `prompts`: what is asked for each point.
  PointPicker(PlanView& view, QStringList prompts, Catch on, QWidget* parent = nullptr);

Q_SIGNALS:
  void picked(const std::vector<QPointF>& scene);
  void cancelled();

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  [[nodiscard]] QPointF caught_at(const QPointF& view_point, bool free);
  void ask();
  PlanView& view_;
  QStringList prompts_;
  Catch catch_;
  std::vector<QPointF> points_;
  QPointF cursor_;
  bool cursor_known_ = false, caught_ = false;
};

} // namespace hallwright
