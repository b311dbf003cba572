// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>

#include "evaluation/evaluation.h"

namespace hallwright {

using SharedEvaluation = std::shared_ptr<const Evaluation>;

/// Runs `evaluate` on a worker. One run at a time; while it runs only the newest request waits, so a drag shows every
/// answer that can be had and never an old one after a newer. The window never waits. What of coolant loops takes longer
/// than an edit may (their single failures, the seconds after a loss) is found in a second run once nothing waits, which
/// any request stops.
class LiveEvaluator : public QObject {
  Q_OBJECT
public:
  explicit LiveEvaluator(QObject* parent = nullptr);
  ~LiveEvaluator() override;

  void setCatalog(const Shared<Catalog>& catalog);
  [[nodiscard]] const Shared<Catalog>& catalog() const { return catalog_; }
  /// Asks for the evaluation of `design`; `generation` comes back with the answer. `urgent` stops a run under way.
  void request(const Design& design, quint64 generation, bool urgent);
  /// Evaluates here and now (headless rendering, first show).
  SharedEvaluation evaluateNow(const Design& design);
  [[nodiscard]] bool busy() const { return busy_; }

Q_SIGNALS:
  /// `milliseconds` is engine time of this run; below 0: of one that adds what took longer to the answer before.
  void ready(const std::shared_ptr<const hallwright::Evaluation>& evaluation, quint64 generation, double milliseconds);
  /// An answer is more than 100 ms late (true), or has come (false).
  void lateChanged(bool late);

private:
  struct Request {
    Design design;
    quint64 generation = 0;
    LoopDepth depth = LoopDepth::working;
  };
  void start(Request request);
  void finished(const std::shared_ptr<const Evaluation>& evaluation, quint64 generation, double milliseconds);
  Shared<Catalog> catalog_;
  SharedEvaluation last_;
  std::optional<Request> waiting_;
  std::stop_source stop_;
  QThreadPool pool_;
  QElapsedTimer since_;
  bool busy_ = false;
  bool adding_ = false; ///< the run adds to the last answer
  bool late_ = false;
};

} // namespace hallwright
