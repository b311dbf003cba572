// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QThreadPool>
#include <QWidget>

#include "app/studio/document.h"
#include "widgets/figure_table.h"

class QListWidget;
class QPushButton;
class QTableWidget;

namespace hallwright {

/// What-if sliders, scenarios beside the base, and published figures beside ours.
class CompareWorkspace : public QWidget {
  Q_OBJECT
public:
  explicit CompareWorkspace(Document& document, QWidget* parent = nullptr);
  ~CompareWorkspace() override;
  void refresh();
  /// Puts the sliders back in the middle (the design was changed by something else).
  void resetSliders();

Q_SIGNALS:
  void figureActivated(const QString& figure);
  void editRequested(const hallwright::Edit& edit);

protected:
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void fill_scenarios();
  void fill_published();
  void fit_published();
  void evaluate_scenarios();
  void show_scenarios();

  Document& document_;
  class WhatIfPanel* what_if_ = nullptr;
  QPushButton *make_base_ = nullptr, *drop_ = nullptr;
  QListWidget* scenarios_ = nullptr;
  QTableWidget* table_ = nullptr;
  QTableWidget* published_ = nullptr;
  class BarList* chart_ = nullptr;
  struct ScenarioAnswer {
    Id id = 0;
    QString name;
    SharedEvaluation evaluation;
    QString problem;
  };
  std::vector<ScenarioAnswer> answers_;
  SharedEvaluation evaluated_for_;
  QThreadPool pool_;
  quint64 generation_ = 0;
  bool pending_ = true;
};

} // namespace hallwright
