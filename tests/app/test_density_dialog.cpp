// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/density_dialog.h"
#include "app/studio/power_growth_page.h"
#include "app/studio/power_workspace.h"
#include "app/studio/studio_window.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// A planner asks what a row needs for more power, with real keys.
class TestDensityDialog : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_row_at_a_wanted_power() {
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1600, 1000) && w.openPath(sample_copy(folder_, "nvl72-16-racks")));
    QVERIFY(QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 30000));
    QTest::keyClick(&w, Qt::Key_2, Qt::ControlModifier);
    QTRY_VERIFY(w.power()->isVisible());
    w.findChild<QTabWidget*>("power_pages")->setCurrentIndex(PowerWorkspace::growth_page);
    auto* button = w.findChild<QPushButton*>("power_density");
    QTRY_VERIFY(button && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    DensityDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = w.findChild<DensityDialog*>()) != nullptr);
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    auto* power = dialog->findChild<QLineEdit*>("density_power");
    auto* steps = dialog->findChild<QTableWidget*>("density_steps");
    QCOMPARE(dialog->findChild<QComboBox*>("density_row")->currentText(), QStringLiteral("R01"));
    QCOMPARE(steps->rowCount(), 0);
    QTest::keyClicks(power, "0.18 MW");
    QTest::keyClick(power, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->busy() && steps->rowCount() > 0, 30000);
    QVERIFY(dialog->isVisible()); // Return asks; it does not close
    QVERIFY2(dialog->answerText().contains("180"), qPrintable(dialog->answerText()));
    QVERIFY2(dialog->answerText().contains("132"), qPrintable(dialog->answerText())); // the feed of the rack: its power limit
    QStringList limits;
    for (int i = 0; i < steps->rowCount(); ++i)
      limits << steps->item(i, 0)->text();
    for (const char* limit : {"Power", "Heat", "Floor", "Reach"})
      QVERIFY2(limits.contains(QLatin1String(limit)), limit);
    if (const QString folder = qEnvironmentVariable("DENSITY_PICTURES"); !folder.isEmpty()) {
      QTest::qWait(200);
      dialog->grab().save(folder + QStringLiteral("/density.png"));
      w.grab().save(folder + QStringLiteral("/growth.png"));
    }
    // What is wrong is said where the answer stands.
    power->selectAll();
    QTest::keyClicks(power, "12 apples");
    QTest::keyClick(power, Qt::Key_Return);
    QTRY_COMPARE(steps->rowCount(), 0);
    QVERIFY2(dialog->answerText().contains("apples"), qPrintable(dialog->answerText()));
    power->selectAll();
    QTest::keyClicks(power, "100");
    QTest::keyClick(power, Qt::Key_Return); // kW
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->busy() && steps->rowCount() > 0, 30000);
    QVERIFY2(dialog->answerText().contains("100 kW") || dialog->answerText().contains("to 100"), qPrintable(dialog->answerText()));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(w.findChild<DensityDialog*>() == nullptr);
    QVERIFY(w.document().undoStack().isClean()); // nothing of the design is changed
  }
};

QTEST_MAIN(TestDensityDialog)
#include "test_density_dialog.moc"
