// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "design/edits.h"
#include "widgets/plan/plan_underlay.h"

class QLabel;
class QPushButton;
class QSlider;
class QTreeWidget;
class QTreeWidgetItem;

namespace hallwright {

/// The underlays of a design with their layers: shown or not, how strong, where their files are, and their true scale.
class UnderlayPanel : public QWidget {
  Q_OBJECT
public:
  explicit UnderlayPanel(PlanView& plan, QWidget* parent = nullptr);
  void setDesign(const Design& design, const Shared<Catalog>& catalog);
  [[nodiscard]] QTreeWidget* tree() const { return tree_; }
  [[nodiscard]] Id current() const;
  /// Asks for two points of the plan and the true distance between them.
  void scaleByTwoPoints();
  /// Asks for a point of the underlay and the place where it belongs.
  void moveByTwoPoints();
  /// Asks where the file is now.
  void locate();
  void removeCurrent();

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void importRequested();

private:
  void refresh();
  void show_current();
  void item_changed(QTreeWidgetItem* item);
  void ask_distance(Id underlay, const QPointF& a, const QPointF& b);
  [[nodiscard]] const Underlay* underlay(Id id) const;
  [[nodiscard]] QPointF hall_offset(const Underlay& underlay) const;
  [[nodiscard]] QPointF caught(const QPointF& scene, double reach, bool& is_caught, bool own_lines) const;

  PlanView& plan_;
  Design design_;
  Shared<Catalog> catalog_;
  plan::PlanModel model_;
  bool filling_ = false;
  QTreeWidget* tree_ = nullptr;
  QLabel *about_ = nullptr, *empty_ = nullptr;
  QSlider* opacity_ = nullptr;
  QWidget* tools_ = nullptr;
  QPushButton *locate_ = nullptr, *scale_ = nullptr, *move_ = nullptr, *remove_ = nullptr;
};

} // namespace hallwright
