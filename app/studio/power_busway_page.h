// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "app/studio/document.h"
#include "power/busway_runs.h"
#include "power/one_line_rules.h"

class QLabel;
class QPushButton;
class QTableWidget;
class QToolButton;

namespace hallwright {

/// Busways and panels with the racks on their taps: currents of the three lines and of the neutral, a proposal of
/// phases, and racks that are moved from one to another by dragging them onto it.
class PowerBuswayPage : public QWidget {
  Q_OBJECT
public:
  explicit PowerBuswayPage(Document& document, QWidget* parent = nullptr);
  /// @param study  of the newest evaluation; null: nothing is drawn
  void setStudy(const std::shared_ptr<const OneLineStudy>& study);
  void showSelection();
  [[nodiscard]] QTableWidget* busways() const { return busways_; }
  [[nodiscard]] QTableWidget* taps() const { return taps_; }
  [[nodiscard]] QPushButton* spreadButton() const { return spread_; }
  [[nodiscard]] QString words() const;
  [[nodiscard]] Id current() const { return current_; }

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void selectionRequested(const std::vector<hallwright::EntityRef>& selection);

private:
  class Bars;
  [[nodiscard]] const DrawnBusway* drawn() const;
  [[nodiscard]] std::vector<Id> chosen_racks() const;
  void show_busways();
  void show_taps();
  void move_to(Id unit);

  Document& document_;
  std::shared_ptr<const OneLineStudy> study_;
  std::vector<DrawnBusway> list_;
  PhaseProposal proposal_;
  Id current_ = 0;
  bool filling_ = false;
  QTableWidget *busways_ = nullptr, *taps_ = nullptr;
  Bars* bars_ = nullptr;
  QLabel* words_ = nullptr;
  QPushButton* spread_ = nullptr;
  QToolButton *move_ = nullptr, *phases_ = nullptr;
};

} // namespace hallwright
