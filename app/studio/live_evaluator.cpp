// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/live_evaluator.h"

#include "app/studio/background_work.h"

#include <chrono>

#include <QTimer>

namespace hallwright {
namespace {
struct Answer {
  std::shared_ptr<const Evaluation> evaluation;
  double milliseconds = 0.0;
};
constexpr int late_after_ms = 100;
} // namespace

LiveEvaluator::LiveEvaluator(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

LiveEvaluator::~LiveEvaluator() {
  stop_.request_stop();
  pool_.waitForDone();
}

void LiveEvaluator::setCatalog(const Shared<Catalog>& catalog) {
  catalog_ = catalog;
  last_.reset();
}

void LiveEvaluator::request(const Design& design, quint64 generation, bool urgent) {
  if (!busy_) {
    start({design, generation});
    return;
  }
  waiting_ = Request{design, generation};
  if (urgent || adding_) stop_.request_stop();
}

SharedEvaluation LiveEvaluator::evaluateNow(const Design& design) {
  auto answer = evaluate(design, catalog_, last_.get());
  last_ = std::make_shared<const Evaluation>(std::move(*answer));
  return last_;
}

void LiveEvaluator::start(Request request) {
  busy_ = true;
  adding_ = request.depth == LoopDepth::whole;
  since_.start();
  stop_ = std::stop_source{};
  if (!adding_) QTimer::singleShot(late_after_ms, this, [this] {
    if (busy_ && !adding_ && since_.elapsed() >= late_after_ms && !late_) Q_EMIT lateChanged(late_ = true);
  });
  const quint64 generation = request.generation;
  run_in_background(pool_, this, [design = std::move(request.design), catalog = catalog_, previous = last_, token = stop_.get_token(), depth = request.depth]() -> Answer {
    const auto begin = std::chrono::steady_clock::now();
    auto result = evaluate(design, catalog, previous.get(), token, depth);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (!result) return {};
    return {std::make_shared<const Evaluation>(std::move(*result)), depth == LoopDepth::whole ? -1.0 : took.count()};
  }, [this, generation](const Answer& answer) { finished(answer.evaluation, generation, answer.milliseconds); });
}

void LiveEvaluator::finished(const std::shared_ptr<const Evaluation>& evaluation, quint64 generation, double milliseconds) {
  busy_ = false;
  if (evaluation) last_ = evaluation;
  if (waiting_) {
    Request next = std::move(*waiting_);
    waiting_.reset();
    start(std::move(next));
  } else if (evaluation && evaluation->loops && evaluation->loops->behind()) {
    start({evaluation->design, generation, LoopDepth::whole});
  }
  if (late_ && (!busy_ || adding_)) Q_EMIT lateChanged(late_ = false);
  if (evaluation) Q_EMIT ready(evaluation, generation, milliseconds);
}

} // namespace hallwright
