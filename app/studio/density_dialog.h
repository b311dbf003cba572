// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>

#include <QDialog>
#include <QThreadPool>

#include "app/studio/document.h"
#include "study/density_upgrade.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace hallwright {

/// What a row of racks needs to go to a wanted power per rack: a table of limits, what it costs, and how far the row
/// goes as it is. Worked out beside the window; it stays open while the design is edited, and follows it.
class DensityDialog : public QDialog {
  Q_OBJECT
public:
  explicit DensityDialog(Document& document, QWidget* parent = nullptr);
  ~DensityDialog() override;
  [[nodiscard]] bool busy() const { return busy_; }
  [[nodiscard]] QString answerText() const;

Q_SIGNALS:
  void thingsRequested(const std::vector<hallwright::EntityRef>& things);

private:
  void gather();
  void ask();
  void take(const DensityUpgrade& upgrade);
  void say(const QString& words, bool problem);

  Document& document_;
  QComboBox *row_ = nullptr, *type_ = nullptr;
  QLineEdit *power_ = nullptr, *liquid_ = nullptr;
  QLabel *answer_ = nullptr, *notes_ = nullptr;
  QTableWidget* table_ = nullptr;
  std::optional<DensityUpgrade> upgrade_;
  QThreadPool pool_;
  std::stop_source stop_;
  quint64 generation_ = 0;
  bool busy_ = false;
};

} // namespace hallwright
