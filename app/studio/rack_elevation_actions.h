// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>

class QAction;
class QMainWindow;

namespace hallwright {

class Document;
class HallWorkspace;
class RackElevationView;
struct Edit;

/// The rack elevation beside the plan: shown and hidden, wired to the document, exported.
class RackElevationActions : public QObject {
  Q_OBJECT
public:
  RackElevationActions(Document& document, HallWorkspace& hall, QMainWindow& window);
  [[nodiscard]] RackElevationView* view() const { return view_; }
  /// Checkable, Ctrl+E.
  [[nodiscard]] QAction* toggle() const { return toggle_; }
  /// Whether Enter on this part of the Parts panel puts it into a rack; then it does.
  bool place(const QString& part);
  /// Asks for a file and writes the rack type shown, or all of them.
  void exportElevations(bool all);

Q_SIGNALS:
  void told(const QString& sentence, bool problem);
  void figureActivated(const QString& figure);

private:
  void refresh();
  void apply(const Edit& edit);
  Document& document_;
  QMainWindow& window_;
  RackElevationView* view_ = nullptr;
  QAction* toggle_ = nullptr;
  quint64 gesture_ = 0;
  QElapsedTimer last_nudge_;
};

} // namespace hallwright
