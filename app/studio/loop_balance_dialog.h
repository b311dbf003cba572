// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QDialog>
#include <QThreadPool>

#include "app/studio/document.h"
#include "cooling/loop_balance.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace hallwright {

/// Static balancing of a coolant loop: how far the valve of each rack is opened, with its flow before and after, and what
/// that does to the pumps. One undo step sets all valves.
class LoopBalanceDialog : public QDialog {
  Q_OBJECT
public:
  LoopBalanceDialog(Document& document, const Shared<DrawnLoop>& loop, QWidget* parent = nullptr);
  ~LoopBalanceDialog() override;
  [[nodiscard]] QString sentence() const;
  [[nodiscard]] bool settled() const { return settled_; }

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);

private:
  void show_balance();
  Document& document_;
  Shared<DrawnLoop> loop_;
  Shared<std::vector<Rack>> racks_; ///< that the balance is of
  std::shared_ptr<const LoopBalance> balance_;
  QLabel* sentence_ = nullptr;
  QTableWidget* table_ = nullptr;
  QPushButton* set_ = nullptr;
  QThreadPool pool_;
  bool settled_ = false;
};

} // namespace hallwright
