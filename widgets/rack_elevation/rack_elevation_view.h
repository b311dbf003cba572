// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

#include "widgets/rack_elevation/rack_canvas.h"

class QAction;
class QComboBox;
class QLabel;
class QMenu;
class QScrollArea;
class QToolButton;

namespace hallwright {

/// Elevation of the selected rack or rack type: which racks a change concerns, the drawing, and a summary of mass, free
/// units, power, heat and ports whose figures open in Explain. Shows an evaluation and asks for edits; computes
/// nothing.
class RackElevationView : public QWidget {
  Q_OBJECT
public:
  explicit RackElevationView(QWidget* parent = nullptr);
  void setDesign(const Design& design, const Shared<Catalog>& catalog);
  void setEvaluation(const SharedEvaluation& evaluation);
  /// Shows the type of the selected rack, rack type or part of a rack; anything else leaves what is shown.
  void setSelection(const std::vector<EntityRef>& selection);
  void showRackType(Id type);
  [[nodiscard]] Id rackType() const;
  [[nodiscard]] elevation::RackCanvas* canvas() const { return canvas_; }
  /// "Used by 512 racks: a change here changes all of them."
  [[nodiscard]] QString usedBy() const;
  [[nodiscard]] QString summaryText() const;
  /// Commands for menus and the palette, with their words.
  [[nodiscard]] std::vector<QAction*> commands() const { return commands_; }

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void selectionRequested(const std::vector<hallwright::EntityRef>& selection);
  void figureActivated(const QString& figure);
  void refused(const QString& sentence);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void fit_summary();
  void fill_types();
  void fill_summary();
  void update_commands();
  void show_menu(const QPoint& at);
  void ask_count();
  void ask_template();
  void change_this_rack_only();
  void assign_type();
  Design design_;
  Shared<Catalog> catalog_;
  SharedEvaluation evaluation_;
  std::vector<Id> racks_; ///< selected last
  QComboBox* type_ = nullptr;
  QLabel *used_ = nullptr, *hint_ = nullptr, *summary_ = nullptr;
  elevation::RackCanvas* canvas_ = nullptr;
  QScrollArea* summary_area_ = nullptr;
  QMenu* more_ = nullptr;
  QAction *from_top_ = nullptr, *only_ = nullptr, *template_ = nullptr, *assign_ = nullptr, *split_ = nullptr,
          *count_ = nullptr, *remove_ = nullptr;
  std::vector<std::pair<RackMount, QAction*>> mounts_;
  std::vector<QAction*> commands_;
  bool filling_ = false;
};

/// Writes elevations of these rack types: PDF with a page for each, SVG or PNG with all side by side, by the ending of
/// `file`. @return empty, or why it could not be written, as one sentence
QString write_rack_elevations(const QString& file, const SharedEvaluation& evaluation, const std::vector<Id>& types,
                              bool numbers_from_top);

} // namespace hallwright
