// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <QDateTime>
#include <QFrame>

#include "design/design.h"

class QLabel;
class QPushButton;

namespace hallwright {

/// What a run that ended without saving left beside a project that is open.
struct KeptChanges {
  QString file;              ///< the recovery file
  Design design;             ///< with the changes
  std::int64_t edit_count = 0;
  QDateTime kept_at, saved_at; ///< of the changes and of the project file; invalid: not known
  bool newer = true;         ///< more edits than the project file has
  bool other_machine = false; ///< written on another machine, where it may still be open
  int others = 0;            ///< further recovery files of this project that differ from it, too
};

/// What differs between two designs, counted by kind: "1 rack removed (R01-05), 3 power units changed". Empty: nothing.
QString change_summary(const Design& before, const Design& after);
/// The sentence of the bar: when each was written, and what the changes do to `project`.
QString kept_sentence(const KeptChanges& kept, const Design& project);

/// Tells above the workspaces that changes of an earlier run are kept beside the file, and takes or drops them.
class KeptBar : public QFrame {
  Q_OBJECT
public:
  explicit KeptBar(QWidget* parent = nullptr);
  void open(const QString& sentence);
  [[nodiscard]] QString sentence() const;

Q_SIGNALS:
  void takeRequested();
  void discardRequested();

private:
  QLabel* sentence_ = nullptr;
};

} // namespace hallwright
