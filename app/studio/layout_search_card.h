// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include <QElapsedTimer>
#include <QFrame>
#include <QThreadPool>

#include "app/studio/document.h"
#include "training/layout_search.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace hallwright {

class LayoutScatter;

/// Searches the layouts of the job beside the window and shows them: a click previews one, a double click applies it.
class LayoutSearchCard : public QFrame {
  Q_OBJECT
public:
  explicit LayoutSearchCard(Document& document, QWidget* parent = nullptr);
  ~LayoutSearchCard() override;
  /// Marks the present layout; says when what was found is that of another job.
  void refresh();
  void search();
  void cancel();
  /// Ends the preview of a layout, where there is one.
  void endPreview();
  [[nodiscard]] bool searching() const { return searching_; }
  [[nodiscard]] LayoutScatter* scatter() const { return scatter_; }
  [[nodiscard]] const std::vector<JobSplit>& layouts() const { return layouts_; } ///< of the dots

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);

private:
  struct Answer {
    std::optional<TrainedJob> job;
    LayoutSearchResult result;
    double milliseconds = 0;
    QString problem;
  };
  void show_answer(const Answer& answer);
  void show_progress(double share, const QString& best);
  void preview(int dot);
  void apply(int dot);
  [[nodiscard]] SharedEvaluation committed() const; ///< of the design, not of what is previewed
  void show_title();

  Document& document_;
  QLabel *title_ = nullptr, *note_ = nullptr, *words_ = nullptr;
  QPushButton *search_ = nullptr, *cancel_ = nullptr;
  QProgressBar* progress_ = nullptr;
  LayoutScatter* scatter_ = nullptr;
  std::vector<JobSplit> layouts_;
  std::optional<TrainedJob> searched_; ///< what the answer is of, in a plain split
  QString found_;
  QThreadPool pool_;
  std::stop_source stop_;
  quint64 generation_ = 0, previewed_ = 0; ///< number of the preview of this card
  bool searching_ = false;
};

/// "TP 8 · PP 16 · DP 128", with context and expert ranks where there are several.
QString layout_name(const JobSplit& split);

} // namespace hallwright
