// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include "app/studio/print_dialog.h"

class QAction;
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
  /// What the panel of underlays does, for menus and the palette; enabled while there is an underlay.
  [[nodiscard]] const QList<QAction*>& underlayActions() const { return underlay_actions_; }
  /// The project was opened, or saved elsewhere.
  void projectMoved();

Q_SIGNALS:
  void told(const QString& sentence, bool problem);
  /// Points are to be clicked on the plan.
  void planWanted();

private:
  void make_underlay_actions();
  void show_underlays();
  [[nodiscard]] PrintJob job() const;
  [[nodiscard]] PlanPage shown_page() const;
  Document& document_;
  Session& session_;
  HallWorkspace& hall_;
  QMainWindow& window_;
  QDockWidget* dock_ = nullptr;
  UnderlayPanel* panel_ = nullptr;
  QList<QAction*> underlay_actions_;
};

} // namespace hallwright
