// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include "app/studio/document.h"

namespace hallwright {

class ExplainPanel;

/// Finds beside the window what moves the explained figure most, and gives it to the Explain dock. Any change of the
/// design or of the figure stops a run under way; the next one begins when the design rests. Nothing is computed while
/// the fold is closed or the dock is out of sight.
class FigureSensitivity : public QObject {
  Q_OBJECT
public:
  FigureSensitivity(Document& document, ExplainPanel& panel, QObject* parent = nullptr);
  ~FigureSensitivity() override;
  /// Whether an answer is awaited.
  [[nodiscard]] bool busy() const { return busy_; }

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void ask();
  void start();
  void stop();
  Document& document_;
  ExplainPanel& panel_;
  QThreadPool pool_;
  QTimer pause_;
  std::stop_source stop_;
  quint64 generation_ = 0;
  QString shown_;                 ///< figure of the rows that stand there
  SharedEvaluation answered_;     ///< for which they are
  bool busy_ = false;
};

} // namespace hallwright
