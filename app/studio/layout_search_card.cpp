// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/layout_search_card.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "design/access.h"
#include "training/axis_options.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/training/layout_scatter.h"

namespace hallwright {
namespace {

QString whole_words(double v) { return screen_number(static_cast<qint64>(std::llround(v))); }

/// "interleaved × 4", "ZB-V", "no pipeline".
QString schedule_name(const JobSplit& s) {
  if (s.pp < 2) return LayoutSearchCard::tr("no pipeline");
  const QString word = to_qstring(schedule_word(s.schedule));
  return s.schedule == PipelineSchedule::interleaved ? QStringLiteral("%1 \u00d7 %2").arg(word, whole_words(s.vpp))
                                                     : word;
}

QString micro_batch_name(const JobSplit& s) {
  return LayoutSearchCard::tr("micro-batch %1").arg(whole_words(s.micro_batch));
}

/// What stays in memory and what is spread: "selective recomputation, optimizer sharded over 64 ranks".
QStringList memory_names(const JobSplit& s) {
  QStringList out;
  out << (s.recompute == Recompute::none        ? LayoutSearchCard::tr("nothing recomputed")
          : s.recompute == Recompute::selective ? LayoutSearchCard::tr("selective recomputation")
                                                : LayoutSearchCard::tr("full recomputation"));
  out << (s.sharding == Sharding::none        ? LayoutSearchCard::tr("nothing sharded")
          : s.sharding == Sharding::optimizer ? LayoutSearchCard::tr("optimizer sharded")
          : s.sharding == Sharding::gradients ? LayoutSearchCard::tr("gradients sharded")
          : s.shard_ranks > 0 ? LayoutSearchCard::tr("parameters sharded over %1 ranks").arg(whole_words(s.shard_ranks))
                              : LayoutSearchCard::tr("parameters sharded"));
  if (s.tp > 1)
    out << (s.sequence_parallel ? LayoutSearchCard::tr("sequence parallel")
                                : LayoutSearchCard::tr("no sequence parallelism"));
  return out;
}

/// What else a layout changes beside the present one.
QStringList other_differences(const JobSplit& s, const std::optional<JobSplit>& present) {
  QStringList out = memory_names(s);
  if (present) {
    const QStringList now = memory_names(*present);
    out.removeIf([&](const QString& words) { return now.contains(words); });
  }
  return out;
}

/// What a dot says below its costs.
QString layout_words(const JobSplit& s, std::uint64_t alike) {
  QString out = (QStringList{schedule_name(s), micro_batch_name(s)} + memory_names(s)).join(QStringLiteral(", "));
  if (alike > 1)
    out += QLatin1Char('\n') +
           LayoutSearchCard::tr("the quickest of %1 alike").arg(whole_words(static_cast<double>(alike)));
  return out;
}

/// The job apart from what a search tries: two searches of the same one find the same.
TrainedJob without_split(TrainedJob job) {
  const JobSplit plain;
  JobSplit& s = job.split;
  s.tp = plain.tp, s.cp = plain.cp, s.pp = plain.pp, s.vpp = plain.vpp, s.ep = plain.ep, s.dp = plain.dp;
  s.micro_batch = plain.micro_batch;
  s.sequence_parallel = plain.sequence_parallel;
  s.sharding = plain.sharding, s.shard_ranks = plain.shard_ranks;
  s.recompute = plain.recompute, s.schedule = plain.schedule;
  return job;
}

/// Fields of the job that a search takes as they are, as the design has them: what it tries, and what only the length
/// of the run hangs on, is left out.
std::vector<FieldValue> searched_fields(const Design& design) {
  static constexpr std::string_view others[] = {"tensor_parallel", "context_parallel",
                                                "expert_parallel", "pipeline_parallel",
                                                "virtual_stages",  "data_parallel",
                                                "micro_batch",     "recompute",
                                                "sharding",        "shard_ranks",
                                                "pipeline_order",  "sequence_parallel",
                                                "tokens",          "model_flops_utilization"};
  std::vector<FieldValue> out;
  for (const FieldInfo& f : table_fields("job")) {
    if (std::find(std::begin(others), std::end(others), f.name) != std::end(others)) continue;
    const auto value = get_field(design, {"job", 0}, f.name);
    out.push_back(value ? *value : FieldValue(std::monostate{}));
  }
  return out;
}

Count gpus_of(const SharedEvaluation& e) { return e && e->population ? e->population->accelerators.value_or(0) : 0; }

/// Height of a text in words at a width, however its lines break: none is longer than `widest`.
int lines_height(const QFontMetrics& m, const QString& text, int width) {
  int widest = 0;
  for (const QString& word : text.split(QLatin1Char(' ')))
    widest = std::max(widest, m.horizontalAdvance(word));
  const int room = std::max(m.averageCharWidth() * 8, width - widest);
  return (m.horizontalAdvance(text) / room + 1) * m.lineSpacing();
}

} // namespace

QString layout_name(const JobSplit& s) {
  QStringList words{QStringLiteral("TP %1").arg(whole_words(s.tp)), QStringLiteral("PP %1").arg(whole_words(s.pp))};
  if (s.cp > 1) words << QStringLiteral("CP %1").arg(whole_words(s.cp));
  if (s.ep > 1) words << QStringLiteral("EP %1").arg(whole_words(s.ep));
  words << QStringLiteral("DP %1").arg(whole_words(s.dp));
  return words.join(QStringLiteral(" \u00b7 "));
}

QString layout_name_beside(const JobSplit& s, const std::optional<JobSplit>& present) {
  QString out = layout_name(s);
  const auto add = [&](const QString& words) { out += QStringLiteral(" \u00b7 ") + words; };
  if (!present || schedule_name(*present) != schedule_name(s)) add(schedule_name(s));
  if (!present || present->micro_batch != s.micro_batch) add(micro_batch_name(s));
  return out;
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
  QSizePolicy room = progress_->sizePolicy();
  room.setRetainSizeWhenHidden(true); // the chart stays in its place
  progress_->setSizePolicy(room);
  column->addWidget(progress_);
  scatter_ = new LayoutScatter(this);
  scatter_->setObjectName(QStringLiteral("layout_scatter"));
  column->addWidget(scatter_, 1);
  readout_ = new QLabel(this);
  readout_->setObjectName(QStringLiteral("secondary"));
  readout_->setProperty("words", QStringLiteral("readout"));
  readout_->setWordWrap(true);
  readout_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  readout_->setMinimumWidth(1);
  column->addWidget(readout_);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("secondary"));
  words_->setProperty("words", QStringLiteral("quickest"));
  words_->setWordWrap(true);
  column->addWidget(words_);
  progress_->hide();
  cancel_->hide();
  words_->hide();
  show_title();
  connect(search_, &QPushButton::clicked, this, &LayoutSearchCard::search);
  connect(cancel_, &QPushButton::clicked, this, &LayoutSearchCard::cancel);
  connect(scatter_, &LayoutScatter::previewRequested, this, &LayoutSearchCard::preview);
  connect(scatter_, &LayoutScatter::applyRequested, this, &LayoutSearchCard::apply);
  connect(scatter_, &LayoutScatter::previewEnded, this, &LayoutSearchCard::endPreview);
  connect(&document_, &Document::designShown, this, &LayoutSearchCard::check_design);
  refresh();
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
  QStringList words;
  for (const PipelineSchedule s : schedules_)
    words << to_qstring(schedule_word(s));
  title_->setToolTip(
      words.isEmpty() ? QString()
                      : tr("Pipeline schedules that the job's software has: %1").arg(words.join(QStringLiteral(", "))));
}

QString LayoutSearchCard::readout() const { return readout_->text(); }

bool LayoutSearchCard::previewing() const {
  return starting_ || (previewed_ != 0 && document_.previewing() && document_.previews() == previewed_);
}

bool LayoutSearchCard::outdated() const {
  if (!searched_) return false;
  // The design says it before its evaluation is there.
  if (searched_fields(document_.design()) != searched_inputs_) return true;
  const SharedEvaluation e = committed();
  if (!e || gpus_of(e) != searched_gpus_) return true;
  const auto& now = e->training ? e->training->job : std::optional<TrainedJob>();
  if (!now) return false; // the present layout cannot run; what is searched is the same
  TrainedJob plain = without_split(*now);
  // Another number of GPUs lies otherwise on the network, by a hair.
  if (now->split.gpus() != searched_layout_gpus_) plain.cluster.reach = searched_->cluster.reach;
  return !(plain == *searched_);
}

void LayoutSearchCard::forget() {
  stop_.request_stop();
  ++generation_; // an answer under way is of another project
  searching_ = false;
  progress_->hide();
  cancel_->hide();
  search_->show();
  previewed_ = 0;
  layouts_.clear();
  schedules_.clear();
  searched_.reset();
  named_beside_.reset();
  best_.reset();
  priced_.reset();
  left_out_.clear();
  found_.clear();
  refusal_.clear();
  scatter_->clear();
  scatter_->setPresent({});
  show_title();
  refresh();
  Q_EMIT resultsDropped();
}

/// Another project: what was found goes. A changed job: it is pale at once, before the evaluation is there.
void LayoutSearchCard::check_design() {
  if (!document_.previewing()) problem_.clear();
  if (!document_.evaluation()) {
    forget();
  } else if (!starting_ && searched_ && !scatter_->outdated() && outdated()) {
    refresh();
  }
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
  refusal_.clear();
  problem_.clear();
  progress_->setValue(0);
  progress_->show();
  readout_->setText(tr("Searching\u2026"));
  if (search_->hasFocus()) cancel_->setFocus();
  Q_EMIT resultsDropped();
  run_in_background(
      pool_, this,
      [this, e, generation, token = stop_.get_token()] {
        Answer answer;
        QElapsedTimer time;
        time.start();
        answer.job = e->training->job;
        answer.inputs = searched_fields(e->design);
        answer.gpus = gpus_of(e);
        const std::optional<JobSplit> present = answer.job ? std::optional(answer.job->split) : std::nullopt;
        if (!answer.job && e->population) {
          // The layout as it stands cannot run: any that can is a start.
          if (const ModelPart* model = e->catalog->find<ModelPart>(e->design.job->model_part)) {
            const Count gpus = e->population->accelerators.value_or(0);
            answer.plain = true;
            auto plain = std::make_shared<Job>(plainest_layout(*e->design.job, *model, gpus));
            answer.job = training({plain, e->catalog}, *e->population, e->fabric.get(),
                                  e->traffic->network ? &*e->traffic->network : nullptr,
                                  e->held_rack ? &*e->held_rack : nullptr)
                             .job;
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
          if (p.best)
            best = layout_name(p.best->split) + QStringLiteral(", ") + screen_text(p.best->step_seconds, kind::time);
          QMetaObject::invokeMethod(
              this,
              [this, generation, share = p.share, best] {
                if (generation == generation_ && searching_) show_progress(share, best);
              },
              Qt::QueuedConnection);
        };
        // The space of the command line: what the job's software has, and GPUs from those of the present layout on.
        answer.space = space_of_stack(answer.job->stack);
        if (present && present->gpus() <= answer.job->gpus &&
            layout_refusal(answer.job->model, *present, present->gpus()).empty()) {
          answer.present = price_layout(*answer.job, *constants, *present);
          answer.space.least_gpus = present->gpus();
        }
        answer.result = search_layouts(*answer.job, *constants, answer.space, token, progress);
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
  readout_->setText(best.isEmpty() ? tr("Searching\u2026") : tr("Best so far: %1").arg(best));
}

/// Whether the present layout is quicker than the quickest that was found, and why it is not among them.
QString LayoutSearchCard::verdict(const JobSplit& now, const LayoutDot& costs) const {
  const bool fits = costs.memory <= memory_limit_;
  const bool other_schedule = now.pp > 1 && !schedules_.empty() &&
                              std::find(schedules_.begin(), schedules_.end(), now.schedule) == schedules_.end();
  const QString seconds = screen_text(costs.seconds, kind::time);
  if (best_ && costs.seconds < best_->step_seconds * (1 - 1e-6)) {
    if (!fits) return tr("The present layout would be quicker, %1, but does not fit.").arg(seconds);
    if (now.gpus() < best_->split.gpus())
      return tr("The present layout is quicker, %1: it uses fewer GPUs.").arg(seconds);
    if (other_schedule)
      return tr("The present layout is quicker, %1: its schedule, %2, is none that the job's software has.")
          .arg(seconds, schedule_name(now));
    if (!complete_)
      return tr("The present layout is quicker, %1: the search ended before all were priced.").arg(seconds);
    return tr("The present layout is quicker, %1.").arg(seconds);
  }
  if (!fits) return tr("The present layout does not fit.");
  return best_ && now == best_->split ? tr("It is the present layout.") : QString();
}

/// The best, whether the present one is better still, and why whole families fall out.
void LayoutSearchCard::show_words(const std::optional<JobSplit>& now, const LayoutDot& costs) {
  QStringList words;
  if (best_)
    words << tr("Quickest: %1, %2, %3.")
                 .arg(layout_name_beside(best_->split, named_beside_), screen_text(best_->step_seconds, kind::time),
                      screen_text(best_->memory_bytes, kind::memory));
  if (now && searched_ && costs.seconds > 0)
    if (const QString present = verdict(*now, costs); !present.isEmpty()) words << present;
  if (searched_ && document_.design().job->model_flops_utilization)
    words << tr("The job has a typed MFU; the search takes the step-time model, also for the present layout.");
  if (!left_out_.isEmpty())
    words << (left_out_.size() == 1
                  ? tr("Left out: %1.").arg(left_out_.first())
                  : tr("Left out: %1, and %2 more families.").arg(left_out_.first()).arg(left_out_.size() - 1));
  words_->setText(words.join(QLatin1Char(' ')));
  words_->setToolTip(left_out_.join(QLatin1Char('\n')));
  words_->setVisible(!words.isEmpty());
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
    best_.reset();
    left_out_.clear();
    scatter_->clear();
    problem_ = screen_sentence(problem.left(1).toUpper() + problem.mid(1));
    show_title();
    refresh();
    Q_EMIT resultsShown();
    return;
  }
  schedules_ = answer.space.schedules;
  searched_ = without_split(*answer.job);
  searched_layout_gpus_ = answer.plain ? 0 : answer.job->split.gpus();
  searched_inputs_ = answer.inputs;
  searched_gpus_ = answer.gpus;
  priced_ = answer.present;
  named_beside_ = priced_ ? std::optional(priced_->split) : std::nullopt;
  std::vector<LayoutDot> dots;
  const auto add = [&](const FoundLayout& l, std::uint64_t alike) {
    dots.push_back(
        {l.memory_bytes, l.step_seconds, layout_name_beside(l.split, named_beside_), layout_words(l.split, alike)});
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
    scatter_->setEmptyText(r.nearest_miss
                               ? tr("None of %1 legal layouts fits: the lightest, %2, needs %3 of %4.")
                                     .arg(whole_words(static_cast<double>(r.legal)), layout_name(r.nearest_miss->split),
                                          screen_text(r.nearest_miss->memory_bytes, kind::memory),
                                          screen_text(r.memory_limit_bytes, kind::memory))
                               : tr("No legal layout uses this cluster."));
  }
  found_ = tr("%1 tried in %2, %3 fit")
               .arg(whole_words(static_cast<double>(r.enumerated)),
                    screen_text(answer.milliseconds / 1000.0, kind::time, 2), whole_words(static_cast<double>(r.fit)));
  if (!r.complete) found_ += tr(", cancelled");
  best_ = r.best.empty() ? std::nullopt : std::optional(r.best.front());
  complete_ = r.complete;
  memory_limit_ = r.memory_limit_bytes;
  left_out_.clear();
  for (const std::string& line : excluded_families(r))
    left_out_ << screen_sentence(QString::fromStdString(line));
  show_title();
  refresh();
  Q_EMIT resultsShown();
}

void LayoutSearchCard::refresh() {
  const SharedEvaluation e = committed();
  const auto& now = e && e->training ? e->training->job : std::optional<TrainedJob>();
  const Figure* memory = e ? e->figures.find("training.memory_per_gpu") : nullptr;
  // With a typed MFU as the search prices it: that says nothing of other layouts.
  const bool typed = e && e->design.job->model_flops_utilization.has_value();
  const Figure* step = e ? e->figures.find(typed ? "training.modelled_step_time" : "training.step_time") : nullptr;
  LayoutDot present;
  if (now && step && memory && step->has_value() && memory->has_value())
    present = {memory->value,
               typed && priced_ && priced_->split == now->split ? priced_->step_seconds : step->value,
               layout_name(now->split),
               {}};
  const bool old = outdated();
  if (old) endPreview();
  scatter_->setOutdated(old && !layouts_.empty());
  scatter_->setPresent(present);
  if (now && !layouts_.empty() && !previewing() && (!named_beside_ || !(*named_beside_ == now->split))) {
    named_beside_ = now->split;
    name_dots();
  }
  const bool model = e && !e->design.job->model_part.empty();
  search_->setEnabled(e && e->training && gpus_of(e) > 0 && model);
  search_->setText(old ? tr("Search again") : tr("Search"));
  if (layouts_.empty() && !searched_)
    scatter_->setEmptyText(
        !problem_.isEmpty() ? problem_
        : e && gpus_of(e) == 0
            ? tr("There are no GPUs to lay the job on. Draw racks, or name a goal under Layout of the job.")
        : e && !model ? tr("Choose a model first: a search prices every legal layout of it.")
                      : tr("Press Search: it prices every legal layout of the job on this cluster and draws each as a dot, step time against memory. A click on a dot shows that layout, a double click takes it."));
  if (!previewing()) scatter_->setPreviewed(-1);
  if (searching_) return;
  if (old)
    words_->hide();
  else
    show_words(now ? std::optional(now->split) : std::nullopt, present);
  QString note;
  if (old)
    note = tr("Found for another job or cluster than the present one. Search again to see its layouts.");
  else if (scatter_->previewed() >= 0)
    note = preview_words(scatter_->previewed());
  else if (!refusal_.isEmpty())
    note = refusal_;
  else if (!layouts_.empty())
    note = tr("A click previews a layout, a double click applies it.");
  readout_->setText(note);
  reserve_readout();
}

void LayoutSearchCard::name_dots() {
  std::vector<QString> names;
  for (const JobSplit& s : layouts_)
    names.push_back(layout_name_beside(s, named_beside_));
  scatter_->setNames(names);
}

QString LayoutSearchCard::preview_words(int dot) const {
  const JobSplit& s = layouts_[static_cast<std::size_t>(dot)];
  const LayoutDot& d = scatter_->dot(dot);
  QStringList changes{d.name};
  changes += other_differences(s, named_beside_);
  return tr("Previewed, not kept: %1; %2, %3. Double click or Enter applies it, Esc goes back.")
      .arg(changes.join(QStringLiteral(" \u00b7 ")), screen_text(d.seconds, kind::time),
           screen_text(d.memory, kind::memory));
}

/// Room for what any of the layouts would say, so that the chart above keeps its height when one is previewed.
void LayoutSearchCard::reserve_readout() {
  if (!readout_) return;
  const QMargins edge = layout()->contentsMargins();
  const int room = width() - edge.left() - edge.right();
  const QFontMetrics m(readout_->font());
  int tall = 0;
  if (!layouts_.empty() && scatter_->count() > 0 && room > 0) {
    int longest = 0;
    qsizetype letters = -1;
    for (int i = 0; i < std::min(scatter_->count(), static_cast<int>(layouts_.size())); ++i) {
      const qsizetype n =
          scatter_->dot(i).name.size() +
          other_differences(layouts_[static_cast<std::size_t>(i)], named_beside_).join(QLatin1Char(' ')).size();
      if (n > letters) letters = n, longest = i;
    }
    tall = lines_height(m, preview_words(longest), room);
  }
  readout_->setMinimumHeight(0);
  readout_->setFixedHeight(
      std::max({tall, m.lineSpacing(), readout_->text().isEmpty() ? 0 : lines_height(m, readout_->text(), room)}));
}

void LayoutSearchCard::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) reserve_readout();
}

void LayoutSearchCard::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) reserve_readout();
}

void LayoutSearchCard::preview(int dot) {
  if (dot < 0 || dot >= static_cast<int>(layouts_.size()) || outdated()) return;
  const Edit edit = layout_edit(layouts_[static_cast<std::size_t>(dot)]);
  refusal_.clear();
  if (const Edited tried = edit.apply(document_.design()); !tried) {
    const QString why = QString::fromStdString(tried.error());
    endPreview();
    refusal_ = screen_sentence(why.left(1).toUpper() + why.mid(1));
    refresh();
    return;
  }
  Q_EMIT previewBegins();
  starting_ = true; // what is told of the design on the way is of this preview
  document_.preview(edit);
  previewed_ = document_.previews();
  starting_ = false;
  scatter_->setPreviewed(dot);
  refresh();
}

void LayoutSearchCard::endPreview() {
  const bool ours = previewed_ != 0 && document_.previewing() && document_.previews() == previewed_;
  previewed_ = 0;
  scatter_->setPreviewed(-1);
  if (ours) document_.cancelPreview();
  if (!searching_ && !layouts_.empty() && !outdated())
    readout_->setText(tr("A click previews a layout, a double click applies it."));
}

void LayoutSearchCard::apply(int dot) {
  if (dot < 0 || dot >= static_cast<int>(layouts_.size()) || outdated()) return;
  const Edit edit = layout_edit(layouts_[static_cast<std::size_t>(dot)]);
  previewed_ = 0;
  scatter_->setPreviewed(-1);
  Q_EMIT editRequested(edit);
}

} // namespace hallwright
