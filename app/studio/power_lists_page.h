// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QWidget>

#include "app/studio/document.h"
#include "power/one_line_rules.h"

class QLabel;
class QTabWidget;

namespace hallwright {

class FigureTable;

/// Panel schedules, the list of loads, short circuits, and the order in which the plant comes back after a blackout.
class PowerListsPage : public QWidget {
  Q_OBJECT
public:
  explicit PowerListsPage(Document& document, QWidget* parent = nullptr);
  /// @param study  of the newest evaluation; null: nothing is drawn
  void setStudy(const std::shared_ptr<const OneLineStudy>& study);
  void showSelection();
  [[nodiscard]] FigureTable* panels() const { return panels_; }
  [[nodiscard]] FigureTable* loads() const { return loads_; }
  [[nodiscard]] FigureTable* faults() const { return faults_; }
  [[nodiscard]] FigureTable* restoration() const { return restoration_; }

Q_SIGNALS:
  void selectionRequested(const std::vector<hallwright::EntityRef>& selection);

private:
  Document& document_;
  QTabWidget* tabs_ = nullptr;
  FigureTable *panels_ = nullptr, *loads_ = nullptr, *faults_ = nullptr, *restoration_ = nullptr;
  QLabel* words_ = nullptr;
};

} // namespace hallwright
