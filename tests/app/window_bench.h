// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QFile>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/studio_window.h"
#include "widgets/plan/plan_view.h"
#include "widgets/theme.h"

/// The studio's window as tests drive it, with real mouse and keys.
namespace hallwright::test {

/// For initTestCase: the catalog of this build, a light look, and settings apart from those of a user.
inline tl::expected<Shared<Catalog>, std::string> begin_window_tests() {
  apply_appearance(Appearance::light);
  QApplication::setOrganizationName(QStringLiteral("hallwright-test"));
  return read_catalog_file(HALLWRIGHT_CATALOG_FILE).map([](Catalog&& c) { return share(std::move(c)); });
}

/// A writable copy of a sample project in `folder`: the sample itself is never written. Empty: it could not be made.
inline QString sample_copy(const QTemporaryDir& folder, const char* name) {
  const QString file = QLatin1String(name) + QStringLiteral(".hall.json"), to = folder.filePath(file);
  QFile::remove(to);
  if (!QFile::copy(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/") + file, to)) return {};
  QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner);
  return to;
}

/// Shows the window at a size, in front where there is a window manager.
inline bool show_window(StudioWindow& w, int width, int height) {
  w.resize(width, height);
  w.show();
  if (!QTest::qWaitForWindowExposed(&w)) return false;
  w.activateWindow();
  static_cast<void>(QTest::qWaitForWindowActive(&w));
  return true;
}

/// Where a point of the scene [mm] lies in the plan's view.
inline QPoint plan_point(const PlanView* plan, double x, double y) {
  return plan->viewportTransform().map(QPointF(x, y)).toPoint();
}

/// A move with held buttons, which QTest::mouseMove does not send.
inline void move_on_plan(PlanView* plan, const QPoint& p, Qt::MouseButtons buttons = Qt::NoButton) {
  QMouseEvent e(QEvent::MouseMove, QPointF(p), QPointF(plan->viewport()->mapToGlobal(p)), Qt::NoButton, buttons,
                Qt::NoModifier);
  QApplication::sendEvent(plan->viewport(), &e);
}
inline void click_on_plan(PlanView* plan, const QPoint& p) {
  move_on_plan(plan, p);
  QTest::mouseClick(plan->viewport(), Qt::LeftButton, {}, p);
}
inline void drag_on_plan(PlanView* plan, const QPoint& from, const QPoint& to) {
  move_on_plan(plan, from);
  QTest::mousePress(plan->viewport(), Qt::LeftButton, {}, from);
  for (int i = 1; i <= 6; ++i)
    move_on_plan(plan, from + (to - from) * i / 6, Qt::LeftButton);
  QTest::mouseRelease(plan->viewport(), Qt::LeftButton, {}, to);
}

} // namespace hallwright::test
