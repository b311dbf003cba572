// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

#include <QDialog>
#include <QFutureWatcher>
#include <QTimer>

#include "app/studio/live_evaluator.h"
#include "fabric/cable_exports.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace hallwright {

/// Writes what leaves the fabric as files: schedule, NetBox, topologies, lists, labels and port sheets. Long work shows
/// how far it is and can be stopped; then no file is left.
class CablingDialog : public QDialog {
  Q_OBJECT
public:
  /// `stem`: path and start of the file names that are offered.
  CablingDialog(SharedEvaluation evaluation, QString stem, QWidget* parent = nullptr);
  ~CablingDialog() override;
  void reject() override; ///< stops what runs, else closes

Q_SIGNALS:
  void told(const QString& sentence, bool problem);

private:
  void choose();
  void offer_name();
  void browse();
  void start();
  void finish();
  struct Work {
    std::atomic<double> share{0.0};
    std::atomic<bool> stop{false};
  };
  SharedEvaluation evaluation_;
  QString stem_;
  std::shared_ptr<Work> work_ = std::make_shared<Work>();
  QFutureWatcher<QString> watcher_;
  QTimer timer_;
  QComboBox *what_ = nullptr, *network_ = nullptr, *ports_ = nullptr;
  QCheckBox* code_ = nullptr;
  QLabel *about_ = nullptr, *sentence_ = nullptr;
  QLineEdit* file_ = nullptr;
  QPushButton *browse_ = nullptr, *write_ = nullptr, *close_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QString offered_, may_replace_; ///< name that was offered; file that is there and may be replaced
};

} // namespace hallwright
