// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/figure_sensitivity.h"

#include <QEvent>

#include "app/studio/background_work.h"
#include "study/sensitivity.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/sensitivity_bars.h"

namespace hallwright {
namespace {
/// The design rests for so long before anything is tried: a drag or a row of key strokes asks once.
constexpr int rest_before_ms = 250;
} // namespace

FigureSensitivity::FigureSensitivity(Document& document, ExplainPanel& panel, QObject* parent)
    : QObject(parent), document_(document), panel_(panel) {
  pool_.setMaxThreadCount(1);
  pause_.setSingleShot(true);
  pause_.setInterval(rest_before_ms);
  connect(&pause_, &QTimer::timeout, this, &FigureSensitivity::start);
  connect(&document_, &Document::designShown, this, &FigureSensitivity::stop);
  connect(&document_, &Document::evaluated, this, &FigureSensitivity::ask);
  connect(&panel_, &ExplainPanel::figureShown, this, &FigureSensitivity::ask);
  connect(panel_.movers(), &SensitivityBars::openChanged, this, &FigureSensitivity::ask);
  panel_.installEventFilter(this);
  ask();
}

FigureSensitivity::~FigureSensitivity() {
  stop_.request_stop();
  pool_.waitForDone();
}

bool FigureSensitivity::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &panel_ && event->type() == QEvent::Show) ask();
  return QObject::eventFilter(watched, event);
}

void FigureSensitivity::stop() {
  stop_.request_stop();
  ++generation_;
  pause_.stop();
}

void FigureSensitivity::ask() {
  const QString figure = panel_.figure();
  const SharedEvaluation& e = document_.evaluation();
  if (busy_ || answered_ != e || shown_ != figure) stop();
  busy_ = false;
  if (figure.isEmpty() || !e) {
    shown_.clear();
    answered_.reset();
    panel_.movers()->setWords(tr("Open a figure: then its inputs are listed here by how much they move it."));
    return;
  }
  if (answered_ == e && shown_ == figure) return;
  if (!panel_.movers()->open() || !panel_.isVisible()) return;
  const bool same = shown_ == figure;
  panel_.movers()->setWorking(same);
  if (!same) shown_.clear();
  answered_.reset();
  busy_ = true;
  pause_.start();
}

void FigureSensitivity::start() {
  const SharedEvaluation& e = document_.evaluation();
  // The evaluation is on its way, or what takes longer than an edit is still being found: that answer asks again.
  if (!e || !document_.evaluationIsOfShown() || (e->loops && e->loops->behind())) {
    pause_.start();
    return;
  }
  stop_ = std::stop_source();
  SensitivityWish wish;
  wish.figure = panel_.figure().toStdString();
  using Answer = tl::expected<Sensitivity, std::string>;
  run_in_background(
      pool_, this, [e, wish, stop = stop_.get_token()]() -> Answer { return figure_sensitivity(*e, wish, stop); },
      [this, e, figure = panel_.figure(), generation = generation_](const Answer& answer) {
        if (generation != generation_) return;
        busy_ = false;
        shown_ = figure;
        answered_ = e;
        if (answer) panel_.movers()->setAnswer(*answer);
        else panel_.movers()->setWords(screen_sentence(QString::fromStdString(answer.error())) + QLatin1Char('.'));
      });
}

} // namespace hallwright
