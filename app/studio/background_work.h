// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include <QMetaObject>
#include <QObject>
#include <QThreadPool>

namespace hallwright {

/// Runs `work` on a thread of `pool`, then `done` with its answer on the thread of `receiver`, once and never within this
/// call. The answer is dropped where `receiver` is gone by then. `pool` must not outlive `receiver`: a member of it, or
/// waited for in its destructor. Futures with continuations are not used for this: in Qt 6.4 one that is attached just
/// while its future ends may run twice, the second time after newer answers.
template <typename Work, typename Done>
void run_in_background(QThreadPool& pool, QObject* receiver, Work work, Done done) {
  using Answer = decltype(work());
  auto shared = std::make_shared<std::pair<Work, Done>>(std::move(work), std::move(done));
  pool.start([receiver, shared = std::move(shared)] {
    auto answer = std::make_shared<Answer>(shared->first());
    QMetaObject::invokeMethod(receiver, [shared, answer] { shared->second(std::as_const(*answer)); }, Qt::QueuedConnection);
  });
}

} // namespace hallwright
