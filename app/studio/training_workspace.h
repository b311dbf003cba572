// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QThreadPool>
#include <QWidget>

#include "app/studio/document.h"
#include "training/step_timeline.h"

class QFrame;
class QBoxLayout;
class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QTabWidget;
class QTableWidget;
class QVBoxLayout;

namespace hallwright {

class AxisChoices;
class FieldForm;
class FigureTiles;
class LayoutSearchCard;
class PipelineTimelineView;
class StageMemoryBars;
class StepWaterfall;
class WhatIfPanel;

/// The training job: its layout by axis, the run in large figures, memory of every stage, where the step goes, the
/// pipeline as it plays, layouts that would be better, bytes by axis and tier, and the fields of the job by group.
/// While a found layout is previewed its chart stays where it is on the screen.
class TrainingWorkspace : public QWidget {
  Q_OBJECT
public:
  /// @param inputs  the page with inputs, figures and tables of the subject; becomes a tab of its own
  TrainingWorkspace(Document& document, QWidget* inputs, QWidget* parent = nullptr);
  ~TrainingWorkspace() override;
  /// Shows the document's newest design and evaluation; does nothing while hidden (asked again when shown).
  void refresh();
  void showPage(int page); ///< 0: the job; 1: inputs and figures
  [[nodiscard]] AxisChoices* axes() const { return axes_; }
  [[nodiscard]] StepWaterfall* waterfall() const { return waterfall_; }
  [[nodiscard]] PipelineTimelineView* timeline() const { return timeline_; }
  [[nodiscard]] StageMemoryBars* memory() const { return memory_; }
  [[nodiscard]] LayoutSearchCard* search() const { return search_; }
  [[nodiscard]] FigureTiles* run() const { return run_; }
  /// Asks for a measured step time and holds the model to it.
  void calibrate();

Q_SIGNALS:
  void figureActivated(const QString& figure);
  void editRequested(const hallwright::Edit& edit);
  void told(const QString& sentence, bool problem);
  void compareRequested();

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  /// A card with a title that tells numbers and a remark at its right.
  struct Card {
    QFrame* frame = nullptr;
    QVBoxLayout* column = nullptr;
    QLabel *title = nullptr, *remark = nullptr;
  };
  Card make_titled_card(const QString& title);
  QWidget* make_page();
  void make_job_form();
  void arrange_cards(int width);
  void arrange_groups(int columns);
  void fit_height();
  void hold_cards();
  void release_cards();
  void settle_page();
  [[nodiscard]] int chart_place() const;
  template <typename Fill>
  void keeping_chart(Fill fill);
  void fill_axes(const Evaluation& e);
  void fill_memory(const Evaluation& e);
  void fill_step(const Evaluation& e);
  void ask_timeline(const Evaluation& e);
  void show_timeline(const StepTimeline& answer);
  void fill_bytes(const Evaluation& e);
  void fill_run(const Evaluation& e);
  void fit_bytes();
  void show_ranks();

  Document& document_;
  QTabWidget* pages_ = nullptr;
  QScrollArea* page_ = nullptr;
  QWidget* board_ = nullptr;    ///< the cards, in one to three columns
  QBoxLayout* stack_ = nullptr; ///< the columns, and the fields below them
  int columns_ = 0;
  bool held_ = false; ///< cards keep their heights: a layout is or was tried
  bool adjusting_ = false;
  QWidget* kept_ = nullptr; ///< the card under the pointer while something is tried: the search or the sliders
  int chart_place_ = 0; ///< of it in the window, while cards are held
  Card layout_card_, memory_card_, job_card_, step_card_, timeline_card_, bytes_card_, run_card_, what_if_card_;
  AxisChoices* axes_ = nullptr;
  struct Group {
    QWidget* frame = nullptr;
    FieldForm* form = nullptr;
  };
  std::vector<Group> groups_; ///< of the job's fields
  QGridLayout* groups_grid_ = nullptr;
  FieldForm *goal_ = nullptr, *adapters_ = nullptr;
  StageMemoryBars* memory_ = nullptr;
  StepWaterfall* waterfall_ = nullptr;
  PipelineTimelineView* timeline_ = nullptr;
  LayoutSearchCard* search_ = nullptr;
  QTableWidget* bytes_ = nullptr;
  FigureTiles* run_ = nullptr;
  WhatIfPanel* what_if_ = nullptr;
  QLabel *step_words_ = nullptr, *bytes_words_ = nullptr, *layout_words_ = nullptr, *ranks_words_ = nullptr;
  QPushButton *calibrate_ = nullptr, *choose_model_ = nullptr;
  SharedEvaluation timeline_of_;
  QString timeline_title_;
  QThreadPool pool_;
  quint64 generation_ = 0;
  bool pending_ = true;
};

} // namespace hallwright
