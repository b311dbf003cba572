// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>

#include <QDialog>

#include "design/design.h"
#include "widgets/plan/plan_underlay.h"

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QListWidget;
class QSlider;

namespace hallwright {

class QuantityEdit;

/// How a drawing or picture is to lie under the plan: what its file says of units, how wide it becomes, where it lies,
/// which layers are shown. Nothing is taken for granted: the width is always shown and can be typed.
class UnderlayDialog : public QDialog {
  Q_OBJECT
public:
  /// `view_center`: middle of what is in sight, scene. `hall`: the hall that is shown, or 0.
  UnderlayDialog(const QString& path, const Design& design, const Shared<Catalog>& catalog, Id hall,
                 const QPointF& view_center, QWidget* parent = nullptr);
  /// What was chosen; valid once the file has been read.
  [[nodiscard]] Underlay underlay() const;
  [[nodiscard]] bool ready() const { return file_ && file_->state == plan::UnderlayFile::State::ready; }
  /// "The drawing would be 36.0 m wide and 18.0 m deep."
  [[nodiscard]] QString result_words() const;

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  class Preview;
  void build();
  void look(); ///< at the file: is it there now
  void fill();
  void unit_chosen();
  void width_typed(double metres);
  void show_result();
  [[nodiscard]] double unit_mm() const { return unit_mm_; }

  QString path_;
  Design design_;
  Shared<Catalog> catalog_;
  QPointF view_center_;
  plan::SharedUnderlayFile file_;
  plan::PlanModel model_;
  double unit_mm_ = 1;
  bool filled_ = false;
  Preview* preview_ = nullptr;
  QLabel *says_ = nullptr, *result_ = nullptr, *left_out_ = nullptr;
  QComboBox *unit_ = nullptr, *origin_ = nullptr, *hall_ = nullptr, *turn_ = nullptr;
  QuantityEdit* width_ = nullptr;
  QSlider* opacity_ = nullptr;
  QListWidget* layers_ = nullptr;
  QWidget* layer_box_ = nullptr;
  QDialogButtonBox* buttons_ = nullptr;
};

} // namespace hallwright
