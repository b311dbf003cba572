// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include "window_bench.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/studio_window.h"
#include "widgets/panels.h"

using namespace hallwright;
using namespace hallwright::test;

/// Real windows of several sizes: nothing that is shown is narrower than its words, and the plan keeps room.
class TestSmallWindows : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static void settle(StudioWindow& w) {
    for (int i = 0; i < 200 && !w.document().evaluation(); ++i) QTest::qWait(20);
    QTest::qWait(250); // animated docks
  }

  static bool scrolled(const QWidget* w, const QWidget* window) {
    for (const QWidget* p = w->parentWidget(); p && p != window; p = p->parentWidget())
      if (qobject_cast<const QAbstractScrollArea*>(p)) return true;
    return false;
  }

  static int longest_word(const QFontMetrics& m, const QString& text) {
    int out = 0;
    for (const QString& word : text.split(QLatin1Char(' '))) out = std::max(out, m.horizontalAdvance(word));
    return out;
  }

  /// Width that the words of a widget need, or 0 when it has none, or is made to cut them.
  static int needed(const QWidget* w) {
    const QFontMetrics m(w->font());
    if (const auto* label = qobject_cast<const QLabel*>(w)) {
      if (label->text().isEmpty() || label->text().contains(QLatin1Char('<')) || label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) return 0;
      return label->wordWrap() ? longest_word(m, label->text()) : m.horizontalAdvance(label->text());
    }
    if (const auto* combo = qobject_cast<const QComboBox*>(w)) return m.horizontalAdvance(combo->currentText()) + 16;
    if (const auto* spin = qobject_cast<const QSpinBox*>(w)) return m.horizontalAdvance(spin->text()) + 16;
    if (const auto* edit = qobject_cast<const QLineEdit*>(w)) {
      if (qobject_cast<const QComboBox*>(w->parentWidget()) || qobject_cast<const QAbstractSpinBox*>(w->parentWidget())) return 0;
      return m.horizontalAdvance(edit->displayText()) + 12;
    }
    if (const auto* button = qobject_cast<const QPushButton*>(w)) return m.horizontalAdvance(QString(button->text()).remove(QLatin1Char('&')));
    return 0;
  }

  /// Docks behind the front tab are kept beyond the edge of the window.
  static bool behind_a_tab(const QWidget* w, const QWidget& window) {
    for (; w && w != &window; w = w->parentWidget())
      if (qobject_cast<const QDockWidget*>(w)) return !window.rect().intersects({w->mapTo(&window, QPoint()), w->size()});
    return false;
  }

  /// What is narrower than its words, or partly outside the window, by name and text. A list of choices may cut a long
  /// name where its tooltip has it whole.
  static QStringList crushed(const QWidget& window) {
    QStringList out;
    for (const QWidget* w : window.findChildren<QWidget*>()) {
      const int need = w->isVisible() ? needed(w) : 0;
      if (need == 0 || behind_a_tab(w, window)) continue;
      if (const auto* combo = qobject_cast<const QComboBox*>(w); combo && combo->toolTip().startsWith(combo->currentText())) continue;
      const QRect place(w->mapTo(&window, QPoint()), w->size());
      const bool outside = !scrolled(w, &window) && (place.left() < 0 || place.right() >= window.width());
      if (w->width() < need || outside) {
        const auto* label = qobject_cast<const QLabel*>(w);
        const auto* edit = qobject_cast<const QLineEdit*>(w);
        const auto* combo = qobject_cast<const QComboBox*>(w);
        out << QStringLiteral("%1 \"%2\" in %3: %4 of %5 px%6").arg(QLatin1String(w->metaObject()->className()), label ? label->text() : edit ? edit->text() : combo ? combo->currentText() : QString(),
                 w->parentWidget()->objectName()).arg(w->width()).arg(need).arg(outside ? QStringLiteral(", outside") : QString());
      }
    }
    return out;
  }

  /// Keeps a picture where somebody asks for them.
  static void keep(StudioWindow& w, const char* name) {
    const QString folder = qEnvironmentVariable("SMALL_PICTURES");
    if (folder.isEmpty()) return;
    w.grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, QString::fromLatin1(QTest::currentDataTag()).remove(QLatin1Char(' ')).remove(QLatin1Char('%')), QLatin1String(name)));
  }

  static QDockWidget* dock(const StudioWindow& w, const char* name) { return w.findChild<QDockWidget*>(QLatin1String(name)); }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
    if (qEnvironmentVariableIsSet("SMALL_DARK")) apply_appearance(Appearance::dark);
    QApplication::setOrganizationName(QStringLiteral("hallwright-test-small"));
    QSettings().clear();
  }

  void nothing_is_crushed_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("roomy") << QSize(1500, 950);
    QTest::newRow("laptop") << QSize(1366, 740);
    QTest::newRow("900 x 600") << QSize(900, 600);
    QTest::newRow("1366 x 768 at 200 %") << QSize(683, 384);
    QTest::newRow("full HD") << QSize(1920, 1050);
  }

  void nothing_is_crushed() {
    QFETCH(QSize, size);
    StudioWindow w(catalog_);
    w.resize(size);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(sample_copy(folder_, "superpod-h100-4su")));
    settle(w);
    w.resize(size);
    settle(w);
    QVERIFY2(w.width() <= size.width() && w.height() <= size.height(), qPrintable(QStringLiteral("%1 x %2").arg(w.width()).arg(w.height())));
    w.document().select({{"racks", w.document().design().racks->front().id}});
    settle(w);
    QCOMPARE(crushed(w).join(QLatin1Char('\n')), QString());

    // The plan has at least two fifths of the width, and the tool for rows keeps its fields.
    PlanView* plan = w.hall()->plan();
    QVERIFY2(plan->width() >= size.width() * 2 / 5, qPrintable(QString::number(plan->width())));
    QVERIFY2(plan->height() >= 100, qPrintable(QString::number(plan->height())));
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_W);
    settle(w);
    QCOMPARE(crushed(w).join(QLatin1Char('\n')), QString());
    keep(w, "row");
    QTest::keyClick(plan, Qt::Key_Escape);
    // And those that go along rows.
    for (const Qt::Key key : {Qt::Key_B, Qt::Key_I}) {
      QTest::keyClick(plan, key, Qt::ShiftModifier);
      settle(w);
      QCOMPARE(crushed(w).join(QLatin1Char('\n')), QString());
      keep(w, key == Qt::Key_B ? "feed" : "pipes");
      QTest::keyClick(plan, Qt::Key_Escape);
    }

    // Every headline is whole, the last one within reach.
    for (int i = 0; i < 9; ++i) {
      const QWidget* tile = w.headlines()->tile(i);
      QVERIFY(tile->width() >= tile->minimumWidth());
      QVERIFY(tile->minimumWidth() > 40);
    }
    w.headlines()->tile(8)->setFocus(Qt::TabFocusReason);
    settle(w);
    const int right = w.headlines()->tile(8)->mapTo(&w, QPoint(w.headlines()->tile(8)->width(), 0)).x();
    if (size.width() >= 900) QVERIFY2(right <= w.width() + 1 || w.headlines()->tile(8)->visibleRegion().boundingRect().width() < 1, qPrintable(QString::number(right)));

    // Other workspaces are scrolled, not squeezed.
    auto* tabs = w.findChild<QTabBar*>(QStringLiteral("workspace_tabs"));
    for (int i = 1; i < tabs->count(); ++i) {
      w.showWorkspace(i);
      settle(w);
      keep(w, QString(tabs->tabText(i)).remove(QLatin1Char('&')).toUtf8());
      const QStringList problems = crushed(w);
      QVERIFY2(problems.isEmpty(), qPrintable(tabs->tabText(i) + QStringLiteral(": ") + problems.join(QLatin1Char('\n'))));
      QCOMPARE(w.size(), w.size().boundedTo(size));
    }
  }

  /// From a roomy window drawn small by its corner, and opened small: the side dock can be read and its fields reached.
  void the_side_dock_keeps_its_width_data() {
    QTest::addColumn<QSize>("first");
    QTest::addColumn<QSize>("size");
    QTest::newRow("opened at 800 x 600") << QSize(800, 600) << QSize(800, 600);
    QTest::newRow("from 1500 x 950 to 800 x 600") << QSize(1500, 950) << QSize(800, 600);
    QTest::newRow("from 1100 x 700 to 683 x 500") << QSize(1100, 700) << QSize(683, 500);
  }
  void the_side_dock_keeps_its_width() {
    QFETCH(QSize, first);
    QFETCH(QSize, size);
    StudioWindow w(catalog_);
    w.resize(first);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(sample_copy(folder_, "superpod-h100-4su")));
    settle(w);
    for (int i = 1; i <= 10; ++i) {
      w.resize(first + (size - first) * i / 10);
      QTest::qWait(10);
    }
    w.document().select({{"racks", w.document().design().racks->front().id}});
    settle(w);
    QDockWidget* inspector = dock(w, "dock_inspector");
    const int wanted = std::min(w.fontMetrics().averageCharWidth() * 40, w.width() * 3 / 10);
    QVERIFY2(inspector->width() >= wanted, qPrintable(QStringLiteral("%1 of %2").arg(inspector->width()).arg(wanted)));
    QVERIFY(w.hall()->plan()->width() >= w.width() * 2 / 5);
    // Nothing is left of the docks at the foot, not even room.
    for (const char* name : {"dock_checks", "dock_history", "dock_messages"}) QVERIFY2(dock(w, name)->isHidden(), name);
    const int foot = w.hall()->mapTo(&w, QPoint(0, w.hall()->height())).y();
    QVERIFY2(w.height() - foot < w.fontMetrics().height() * 4, qPrintable(QString::number(w.height() - foot)));
    // In each workspace, and back in the first.
    for (const int i : {3, 1, 0}) {
      w.showWorkspace(i);
      settle(w);
      QVERIFY2(inspector->width() >= wanted,
               qPrintable(QStringLiteral("workspace %1: %2 of %3").arg(i).arg(inspector->width()).arg(wanted)));
    }
  }

  void docks_make_room_and_come_back() {
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(sample_copy(folder_, "superpod-h100-4su")));
    settle(w);
    QVERIFY(dock(w, "dock_checks")->isVisible());
    QCOMPARE(w.dockWidgetArea(dock(w, "dock_parts")), Qt::LeftDockWidgetArea);
    QVERIFY(w.tabifiedDockWidgets(dock(w, "dock_inspector")).isEmpty());

    w.resize(900, 600);
    settle(w);
    QVERIFY(!dock(w, "dock_checks")->isVisible());
    QCOMPARE(w.dockWidgetArea(dock(w, "dock_parts")), Qt::RightDockWidgetArea);
    QCOMPARE(w.tabifiedDockWidgets(dock(w, "dock_inspector")).size(), 3);
    // What the user opens stays open while the window is small.
    dock(w, "dock_checks")->show();
    w.resize(880, 600);
    settle(w);
    QVERIFY(dock(w, "dock_checks")->isVisible());

    w.resize(1500, 950);
    settle(w);
    QVERIFY(dock(w, "dock_checks")->isVisible());
    QCOMPARE(w.dockWidgetArea(dock(w, "dock_parts")), Qt::LeftDockWidgetArea);
    QVERIFY(w.tabifiedDockWidgets(dock(w, "dock_inspector")).isEmpty());
    QVERIFY(w.hall()->plan()->width() > 500);
  }
};

QTEST_MAIN(TestSmallWindows)
#include "test_small_windows.moc"
