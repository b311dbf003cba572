// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include <QThreadPool>
#include <QWidget>

#include "app/studio/document.h"
#include "power/growth_choices.h"
#include "power/one_line_rules.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QTableWidget;

namespace hallwright {

class LevelBars;

/// How many more racks of a type the drawn plant carries, which level says no first, and what of each level is used,
/// kept for failures, free and stranded. Worked out beside the window.
class PowerGrowthPage : public QWidget {
  Q_OBJECT
public:
  explicit PowerGrowthPage(Document& document, QWidget* parent = nullptr);
  ~PowerGrowthPage() override;
  /// @param study  of the newest evaluation; null: nothing is drawn
  void setStudy(const std::shared_ptr<const OneLineStudy>& study);
  [[nodiscard]] LevelBars* bars() const { return bars_; }
  [[nodiscard]] QString answerText() const;
  [[nodiscard]] bool busy() const { return busy_; }
  /// The density upgrade of the selected row, in a window of its own.
  void openDensity();

Q_SIGNALS:
  void unitsRequested(const std::vector<hallwright::Id>& units);

private:
  void ask();
  void take(const PowerGrowth& growth);

  Document& document_;
  std::shared_ptr<const OneLineStudy> study_;
  std::vector<GrowthRack> choices_;
  QComboBox* type_ = nullptr;
  QCheckBox* failures_ = nullptr;
  QLabel* answer_ = nullptr;
  LevelBars* bars_ = nullptr;
  QTableWidget* feeds_ = nullptr;
  std::vector<FeedRoom> rooms_;
  QThreadPool pool_;
  std::stop_source stop_;
  quint64 generation_ = 0;
  Id chosen_ = 0;
  bool busy_ = false;
};

} // namespace hallwright
