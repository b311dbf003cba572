// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/layout_search_card.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "training/axis_options.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/training/layout_scatter.h"

namespace hallwright {
namespace {

QString whole_words(double v) { return screen_number(static_cast<qint64>(std::llround(v))); }

/// What a dot says below its costs.
QString layout_words(const JobSplit& s, std::uint64_t alike) {
  QStringList words;
  for (const LayoutAxis a : {LayoutAxis::virtual_stages, LayoutAxis::micro_batch, LayoutAxis::schedule, LayoutAxis::recompute,
                             LayoutAxis::sharding})
    words << QStringLiteral("%1 %2").arg(to_qstring(layout_axis_label(a)), QString::fromStdString(axis_value(a, s)));
  QString out = words.join(QStringLiteral(", "));
  if (alike > 1)
    out += QLatin1Char('\n') + LayoutSearchCard::tr("the quickest of %1 alike").arg(whole_words(static_cast<double>(alike)));
  return out;
}

/// The job apart from how it is split: two searches of the same one find the same.
TrainedJob without_split(TrainedJob job) {
  JobSplit plain;
  plain.sequence = job.split.sequence;
  plain.global_batch = job.split.global_batch;
  plain.recipe = job.split.recipe;
  plain.hot_expert = job.split.hot_expert;
  job.split = plain;
  return job;
}

} // namespace

QString layout_name(const JobSplit& s) {
  QStringList words{QStringLiteral("TP %1").arg(whole_words(s.tp)), QStringLiteral("PP %1").arg(whole_words(s.pp))};
  if (s.cp > 1) words << QStringLiteral("CP %1").arg(whole_words(s.cp));
  if (s.ep > 1) words << QStringLiteral("EP %1").arg(whole_words(s.ep));
  words << QStringLiteral("DP %1").arg(whole_words(s.dp));
  return words.join(QStringLiteral(" \u00b7 "));
}

LayoutSearchCard::LayoutSearchCard(Document& document, QWidget* parent) : QFrame(parent), document_(document) {
  setObjectName(QStringLiteral("card"));
  pool_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(spacing_unit);
  auto* head = new QHBoxLayout;
  head->setSpacing(2 * spacing_unit);
  title_ = new QLabel(this);
  title_->setObjectName(QStringLiteral("title"));
  title_->setWordWrap(true);
  search_ = new QPushButton(tr("Search"), this);
  search_->setObjectName(QStringLiteral("layout_search"));
  search_->setToolTip(tr("Prices every legal layout of the job on this cluster"));
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName(QStringLiteral("layout_search_cancel"));
  head->addWidget(title_, 1);
  head->addWidget(search_);
  head->addWidget(cancel_);
  column->addLayout(head);
  progress_ = new QProgressBar(this);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(spacing_unit);
  progress_->setAccessibleName(tr("Progress of the search"));
  column->addWidget(progress_);
  note_ = new QLabel(this);
  note_->setObjectName(QStringLiteral("secondary"));
  note_->setWordWrap(true);
  column->addWidget(note_);
  scatter_ = new LayoutScatter(this);
  scatter_->setObjectName(QStringLiteral("layout_scatter"));
  scatter_->setEmptyText(tr("Search prices every legal layout of the job on this cluster: step time against memory."));
  column->addWidget(scatter_, 1);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("secondary"));
  words_->setWordWrap(true);
  column->addWidget(words_);
  progress_->hide();
  cancel_->hide();
  note_->hide();
  words_->hide();
  show_title();
  connect(search_, &QPushButton::clicked, this, &LayoutSearchCard::search);
  connect(cancel_, &QPushButton::clicked, this, &LayoutSearchCard::cancel);
  connect(scatter_, &LayoutScatter::previewRequested, this, &LayoutSearchCard::preview);
  connect(scatter_, &LayoutScatter::applyRequested, this, &LayoutSearchCard::apply);
  connect(scatter_, &LayoutScatter::previewEnded, this, &LayoutSearchCard::endPreview);
}

LayoutSearchCard::~LayoutSearchCard() {
  stop_.request_stop();
  pool_.waitForDone();
}

SharedEvaluation LayoutSearchCard::committed() const {
  return document_.previewing() && document_.baseline() ? document_.baseline() : document_.evaluation();
}

void LayoutSearchCard::show_title() {
  title_->setText(found_.isEmpty() ? tr("Layout search") : tr("Layout search: %1").arg(found_));
}

void LayoutSearchCard::search() {
  const SharedEvaluation e = committed();
  if (!e || !e->training) return;
  stop_.request_stop();
  stop_ = std::stop_source{};
  const quint64 generation = ++generation_;
  searching_ = true;
  search_->hide();
  cancel_->show();
  progress_->setValue(0);
  progress_->show();
  note_->setText(tr("Searching\u2026"));
  note_->show();
  if (search_->hasFocus()) cancel_->setFocus();
  run_in_background(
      pool_, this,
      [this, e, generation, token = stop_.get_token()] {
        Answer answer;
        QElapsedTimer time;
        time.start();
        answer.job = e->training->job;
        if (!answer.job && e->population) {
          // The layout as it stands cannot run: any that can is a start.
          if (const ModelPart* model = e->catalog->find<ModelPart>(e->design.job->model_part)) {
            const Count gpus = e->population->accelerators.value_or(0);
            auto plain = std::make_shared<Job>(plainest_layout(*e->design.job, *model, gpus));
            answer.job = training({plain, e->catalog}, *e->population, e->fabric.get()).job;
          }
        }
        if (!answer.job) {
          const Figure* why = e->figures.find("training.modelled_step_time");
          answer.problem = why && !why->reason.empty() ? QString::fromStdString(why->reason)
                                                       : LayoutSearchCard::tr("There is no job to lay out.");
          return answer;
        }
        const auto constants = training_constants(*e->catalog);
        if (!constants) {
          answer.problem = QString::fromStdString(constants.error());
          return answer;
        }
        const auto progress = [this, generation](const LayoutProgress& p) {
          QString best;
          if (p.best) best = layout_name(p.best->split) + QStringLiteral(", ") + screen_text(p.best->step_seconds, kind::time);
          QMetaObject::invokeMethod(
              this,
              [this, generation, share = p.share, best] {
                if (generation == generation_ && searching_) show_progress(share, best);
              },
              Qt::QueuedConnection);
        };
        answer.result = search_layouts(*answer.job, *constants, {}, token, progress);
        answer.milliseconds = static_cast<double>(time.elapsed());
        return answer;
      },
      [this, generation](const Answer& answer) {
        if (generation == generation_) show_answer(answer);
      });
}

void LayoutSearchCard::cancel() { stop_.request_stop(); }

void LayoutSearchCard::show_progress(double share, const QString& best) {
  progress_->setValue(static_cast<int>(share * 1000));
  note_->setText(best.isEmpty() ? tr("Searching\u2026") : tr("Best so far: %1").arg(best));
}

void LayoutSearchCard::show_answer(const Answer& answer) {
  searching_ = false;
  progress_->hide();
  if (cancel_->hasFocus()) search_->setFocus();
  cancel_->hide();
  search_->show();
  endPreview();
  layouts_.clear();
  const LayoutSearchResult& r = answer.result;
  const QString problem = !answer.problem.isEmpty() ? answer.problem : QString::fromStdString(r.problem);
  if (!problem.isEmpty()) {
    found_.clear();
    searched_.reset();
    scatter_->clear();
    scatter_->setEmptyText(screen_sentence(problem));
    words_->hide();
    refresh();
    show_title();
    return;
  }
  std::vector<LayoutDot> dots;
  const auto add = [&](const FoundLayout& l, std::uint64_t alike) {
    dots.push_back({l.memory_bytes, l.step_seconds, layout_name(l.split), layout_words(l.split, alike)});
    layouts_.push_back(l.split);
  };
  for (const LayoutCell& c : r.cloud)
    add(c.layout, c.count);
  std::vector<int> front;
  for (const FoundLayout& l : r.memory_front)
    front.push_back(static_cast<int>(dots.size())), add(l, 1);
  scatter_->setDots(std::move(dots), std::move(front),
                    r.memory_limit_bytes > 0 ? r.memory_limit_bytes : std::numeric_limits<double>::quiet_NaN());
  if (layouts_.empty()) {
    scatter_->setEmptyText(r.nearest_miss ? tr("None of %1 legal layouts fits: the lightest, %2, needs %3 of %4.")
                                                .arg(whole_words(static_cast<double>(r.legal)), layout_name(r.nearest_miss->split),
                                                     screen_text(r.nearest_miss->memory_bytes, kind::memory),
                                                     screen_text(r.memory_limit_bytes, kind::memory))
                                          : tr("No legal layout uses this cluster."));
  }
  found_ = tr("%1 tried in %2, %3 fit")
               .arg(whole_words(static_cast<double>(r.enumerated)), screen_text(answer.milliseconds / 1000.0, kind::time, 2),
                    whole_words(static_cast<double>(r.fit)));
  if (!r.complete) found_ += tr(", cancelled");
  searched_ = without_split(*answer.job);
  // The best, and why whole families fall out.
  QStringList words;
  if (!r.best.empty())
    words << tr("Quickest: %1, %2, %3.")
                 .arg(layout_name(r.best.front().split), screen_text(r.best.front().step_seconds, kind::time),
                      screen_text(r.best.front().memory_bytes, kind::memory));
  QStringList out;
  for (const std::string& s : excluded_families(r))
    out << screen_sentence(QString::fromStdString(s));
  if (!out.isEmpty()) {
    const QString first = out.first();
    words << (out.size() == 1 ? tr("Left out: %1.").arg(first) : tr("Left out: %1, and %2 more families.").arg(first).arg(out.size() - 1));
  }
  words_->setText(words.join(QLatin1Char(' ')));
  words_->setToolTip(out.join(QLatin1Char('\n')));
  words_->setVisible(!words.isEmpty());
  show_title();
  refresh();
}

void LayoutSearchCard::refresh() {
  const SharedEvaluation e = committed();
  const auto& now = e && e->training ? e->training->job : std::optional<TrainedJob>();
  const Figure* step = e ? e->figures.find("training.step_time") : nullptr;
  const Figure* memory = e ? e->figures.find("training.memory_per_gpu") : nullptr;
  LayoutDot present;
  if (now && step && memory && step->has_value() && memory->has_value())
    present = {memory->value, step->value, layout_name(now->split), {}};
  scatter_->setPresent(present);
  search_->setEnabled(e && e->training && e->population && e->population->accelerators.value_or(0) > 0 &&
                      !e->design.job->model_part.empty());
  if (scatter_->previewed() >= 0 && (!document_.previewing() || document_.previews() != previewed_)) scatter_->setPreviewed(-1);
  if (searching_) return;
  QString note;
  if (searched_ && now && !(without_split(*now) == *searched_))
    note = tr("Found for another job or cluster than the present one: search again.");
  else if (scatter_->previewed() >= 0)
    note = tr("Previewed, not kept: %1. Double click or Enter applies it, Esc goes back.").arg(scatter_->dot(scatter_->previewed()).name);
  else if (!layouts_.empty())
    note = tr("A click previews a layout, a double click applies it.");
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

void LayoutSearchCard::preview(int dot) {
  if (dot < 0 || dot >= static_cast<int>(layouts_.size())) return;
  document_.preview(layout_edit(layouts_[static_cast<std::size_t>(dot)]));
  previewed_ = document_.previews();
  refresh();
}

void LayoutSearchCard::endPreview() {
  const bool ours = previewed_ != 0 && document_.previewing() && document_.previews() == previewed_;
  previewed_ = 0;
  scatter_->setPreviewed(-1);
  if (ours) document_.cancelPreview();
}

void LayoutSearchCard::apply(int dot) {
  if (dot < 0 || dot >= static_cast<int>(layouts_.size())) return;
  const Edit edit = layout_edit(layouts_[static_cast<std::size_t>(dot)]);
  previewed_ = 0;
  scatter_->setPreviewed(-1);
  Q_EMIT editRequested(edit);
}

} // namespace hallwright
