// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "app/studio/print_dialog.h"

class QDockWidget;
class QMainWindow;

namespace hallwright {

class Document;
class HallWorkspace;
class Session;
class UnderlayPanel;

/// Printing, pictures and underlays of the window's plan.
class PlanActions : public QObject {
  Q_OBJECT
public:
  PlanActions(Document& document, Session& session, HallWorkspace& hall, QMainWindow& window);

  void print();
  void picture();
  void copyPicture();
  void importUnderlay();
  /// Reads a file and asks how it is to lie.
  void importUnderlay(const QString& path);
  [[nodiscard]] QDockWidget* underlayDock() const { return dock_; }
  [[nodiscard]] UnderlayPanel* underlayPanel() const { return panel_; }
  /// The project was opened, or saved elsewhere.
  void projectMoved();

Q_SIGNALS:
  void told(const QString& sentence, bool problem);

private:
  [[nodiscard]] PrintJob job() const;
  [[nodiscard]] PlanPage shown_page() const;
  Document& document_;
  Session& session_;
  HallWorkspace& hall_;
  QMainWindow& window_;
  QDockWidget* dock_ = nullptr;
  UnderlayPanel* panel_ = nullptr;
};

} // namespace hallwright
