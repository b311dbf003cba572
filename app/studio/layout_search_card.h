// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include <QElapsedTimer>
#include <QFrame>
#include <QStringList>
#include <QThreadPool>

#include "app/studio/document.h"
#include "training/layout_search.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace hallwright {

class LayoutScatter;
struct LayoutDot;

/// Searches the layouts of the job beside the window, in the space that the job's software has, and shows them: a click
/// previews one, a double click applies it. What was found for another job or cluster is pale and takes no clicks; what
/// was found in another project is gone. A preview changes no height in the card.
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
  [[nodiscard]] bool previewing() const; ///< a layout of this card is
  /// Whether what is shown was found for another job or cluster than the present one.
  [[nodiscard]] bool outdated() const;
  [[nodiscard]] QString readout() const; ///< what the line below the chart says
  [[nodiscard]] LayoutScatter* scatter() const { return scatter_; }
  [[nodiscard]] const std::vector<JobSplit>& layouts() const { return layouts_; } ///< of the dots
  /// Schedules that were searched; empty: all.
  [[nodiscard]] const std::vector<PipelineSchedule>& schedules() const { return schedules_; }

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void previewBegins();  ///< before anything in the window shows it
  void resultsShown();   ///< the card has other lines
  void resultsDropped(); ///< what was found is gone, or is about to be replaced

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  struct Answer {
    std::optional<TrainedJob> job;
    std::optional<FoundLayout> present; ///< as the search prices it; none: it cannot run
    std::vector<FieldValue> inputs;     ///< of the design: what a search hangs on beside the cluster
    Count gpus = 0;
    bool plain = false; ///< searched from the plainest layout, as the present one cannot run
    LayoutSpace space;
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
  void forget(); ///< what was found, and a search under way
  void check_design();
  void name_dots();
  void reserve_readout();
  [[nodiscard]] QString preview_words(int dot) const;
  [[nodiscard]] QString verdict(const JobSplit& now, const LayoutDot& costs) const;
  void show_words(const std::optional<JobSplit>& now, const LayoutDot& costs);

  Document& document_;
  QLabel *title_ = nullptr, *readout_ = nullptr, *words_ = nullptr;
  QPushButton *search_ = nullptr, *cancel_ = nullptr;
  QProgressBar* progress_ = nullptr;
  LayoutScatter* scatter_ = nullptr;
  std::vector<JobSplit> layouts_;
  std::vector<PipelineSchedule> schedules_;
  std::optional<FoundLayout> best_, priced_; ///< the quickest, and the layout that was present at the search
  double memory_limit_ = 0;
  bool complete_ = true;
  QStringList left_out_;               ///< families without a layout that runs
  std::optional<TrainedJob> searched_; ///< what the answer is of, in a plain split
  double searched_layout_gpus_ = 0;    ///< of the layout from which it was searched
  std::vector<FieldValue> searched_inputs_;
  Count searched_gpus_ = 0;
  std::optional<JobSplit> named_beside_; ///< dots are named by what differs from it
  QString refusal_, problem_;            ///< why the last preview could not be shown, and the last search found nothing
  QString found_;
  QThreadPool pool_;
  std::stop_source stop_;
  quint64 generation_ = 0, previewed_ = 0;    ///< number of the preview of this card
  bool searching_ = false, starting_ = false; ///< a preview of this card is being shown
};

/// "TP 8 · PP 16 · DP 128", with context and expert ranks where there are several.
QString layout_name(const JobSplit& split);
/// The same with schedule and micro-batch where they differ from `present`: "TP 4 · PP 32 · DP 64 · interleaved × 4";
/// without a present layout both are named.
QString layout_name_beside(const JobSplit& split, const std::optional<JobSplit>& present);

} // namespace hallwright
