// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

#include "app/studio/fill_dialog.h"
#include "app/studio/find_dialog.h"
#include "app/studio/layout_dialog.h"
#include "app/studio/picture_dialog.h"
#include "app/studio/studio_window.h"
#include "app/studio/underlay_dialog.h"
#include "engine/study/empty_hall.h"

using namespace hallwright;

/// Laying out and filling through the window, with real keys and clicks.
class TestLayoutDialog : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;

  std::unique_ptr<StudioWindow> window() {
    auto w = std::make_unique<StudioWindow>(catalog_);
    w->resize(1500, 900);
    w->show();
    w->document().reset(test::empty_hall());
    return w;
  }
  template <class D>
  D* opened(StudioWindow& w, const char* menu_text) {
    for (QAction* a : w.findChildren<QAction*>())
      if (QString(a->text()).remove('&') == QString::fromUtf8(menu_text)) {
        a->trigger();
        break;
      }
    return w.findChild<D*>();
  }
  static QPushButton* ok(QDialog* dialog) {
    return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY(catalog);
    catalog_ = share(*std::move(catalog));
  }

  void proposalsPreviewAndOneUndoStep() {
    auto w = window();
    auto* dialog = opened<LayoutDialog>(*w, "Lay out racks\u2026");
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 20000);
    auto* table = dialog->findChild<QTableWidget*>("layout_proposals");
    QVERIFY(table->columnCount() >= 2);
    QVERIFY(ok(dialog)->isEnabled());
    QVERIFY(w->document().previewing());
    QCOMPARE(w->document().design().racks->size(), std::size_t(0));
    // Twelve racks, typed.
    auto* count = dialog->findChild<QSpinBox*>("layout_count");
    count->setFocus();
    count->selectAll();
    QTest::keyClicks(count, "12");
    QTest::keyClick(count, Qt::Key_Tab);
    QVERIFY(!dialog->settled());
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 20000);
    QCOMPARE(table->item(1, 0)->text(), QStringLiteral("12"));
    // The second proposal by a click into its column.
    const QRect cell = table->visualItemRect(table->item(3, 1));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    QVERIFY(w->document().previewing());
    const auto placed = w->document().shown().racks->size();
    QVERIFY(placed >= 12);
    QTest::mouseClick(ok(dialog), Qt::LeftButton);
    QTRY_VERIFY(!w->findChild<LayoutDialog*>());
    QVERIFY(!w->document().previewing());
    QCOMPARE(w->document().design().racks->size(), placed);
    QCOMPARE(w->document().undoStack().count(), 1);
    w->document().undoStack().undo();
    QCOMPARE(w->document().design().racks->size(), std::size_t(0));
    QCOMPARE(w->document().design().rack_types->size(), std::size_t(1)); // the fabric rack type went with it
  }

  void redStaysRedWhereItIsChosen() {
    auto w = window();
    Design d = w->document().design();
    Hall hall = d.halls->front();
    hall.floor_rating = kilograms_per_square_meter(100); // less than any rack
    std::vector<Hall> halls{hall};
    d.halls = share(std::move(halls));
    w->document().reset(d);
    auto* dialog = opened<LayoutDialog>(*w, "Lay out racks\u2026");
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 20000);
    auto* table = dialog->findChild<QTableWidget*>("layout_proposals");
    QTableWidgetItem* load = nullptr;
    for (int r = 1; r < table->rowCount(); ++r)
      if (table->verticalHeaderItem(r)->text() == QLatin1String("Worst floor load")) load = table->item(r, 0);
    QVERIFY(load && load->isSelected());
    table->scrollToItem(load);
    QTest::qWait(50);
    const QImage cell = table->viewport()->grab(table->visualItemRect(load)).toImage();
    int red = 0;
    for (int y = 0; y < cell.height(); ++y)
      for (int x = 0; x < cell.width(); ++x) {
        const QColor c = cell.pixelColor(x, y);
        red += c.red() > c.green() + 60 && c.red() > c.blue() + 60;
      }
    QVERIFY2(red > 20, qPrintable(QString::number(red)));
  }

  void dialogsFitOnASmallScreen() {
    // 1600 x 1000 at 200 % leaves 800 x 500, and some of it is the panel and the frame.
    const QSize room(780, 440);
    auto w = window();
    const auto fits = [&](QDialog* dialog) {
      QVERIFY(dialog);
      const QSize least = dialog->minimumSizeHint();
      QVERIFY2(least.width() <= room.width() && least.height() <= room.height(),
               qPrintable(QStringLiteral("%1: %2 x %3")
                              .arg(dialog->objectName())
                              .arg(least.width())
                              .arg(least.height())));
      dialog->resize(room);
      QTest::qWait(30);
      QVERIFY(dialog->width() <= room.width() && dialog->height() <= room.height());
      int buttons = 0;
      for (QPushButton* b : dialog->findChildren<QPushButton*>()) {
        bool scrolled = false;
        for (QWidget* p = b->parentWidget(); p && p != dialog; p = p->parentWidget())
          scrolled = scrolled || p->inherits("QAbstractScrollArea");
        if (scrolled || !b->isVisible()) continue;
        ++buttons;
        QVERIFY2(dialog->rect().contains(QRect(b->mapTo(dialog, QPoint()), b->size())), qPrintable(b->text()));
      }
      QVERIFY(buttons > 1);
      dialog->reject();
      QTest::qWait(20);
    };
    fits(opened<LayoutDialog>(*w, "Lay out racks\u2026"));
    fits(opened<FillDialog>(*w, "Fill with racks\u2026"));
    QTRY_VERIFY(w->document().evaluation());
    fits(opened<PictureDialog>(*w, "Plan as picture, PNG or SVG\u2026"));
    fits(opened<FindDialog>(*w, "Find and select\u2026"));
    UnderlayDialog underlay(QStringLiteral("none.dxf"), w->document().design(), catalog_, 0, {0, 0});
    underlay.show();
    fits(&underlay);
  }

  void tooManyAreRefusedWithTheNumber() {
    auto w = window();
    auto* dialog = opened<LayoutDialog>(*w, "Lay out racks\u2026");
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 20000);
    auto* count = dialog->findChild<QSpinBox*>("layout_count");
    count->selectAll();
    QTest::keyClicks(count, "5000");
    QTest::keyClick(count, Qt::Key_Tab);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 20000);
    QVERIFY(!ok(dialog)->isEnabled());
    QVERIFY(dialog->findChild<QLabel*>("layout_notes")->text().contains("do not fit"));
    QVERIFY(!w->document().previewing());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!w->findChild<LayoutDialog*>());
    QCOMPARE(w->document().undoStack().count(), 0);
  }

  void fillSaysWhatStoppedIt() {
    auto w = window();
    auto* dialog = opened<FillDialog>(*w, "Fill with racks\u2026");
    QVERIFY(dialog);
    auto* limits = dialog->findChild<QTableWidget*>("fill_limits");
    QVERIFY(limits->rowCount() >= 4);
    const QString sentence = dialog->findChild<QLabel*>("fill_sentence")->text();
    QVERIFY2(sentence.contains("stopped by the floor area"), qPrintable(sentence));
    QVERIFY(sentence.startsWith("108 racks")); // 27 in each of four rows of at most 20 and 7
    QTest::mouseClick(ok(dialog), Qt::LeftButton);
    QCOMPARE(w->document().design().racks->size(), std::size_t(108));
    QCOMPARE(w->document().undoStack().count(), 1);
  }

  void fillStopsAtThePowerOfTheSite() {
    auto w = window();
    Design d = w->document().design();
    Site site = *d.site;
    site.utility_power = megawatts(1);
    d.site = share(site);
    w->document().reset(d);
    auto* dialog = opened<FillDialog>(*w, "Fill with racks\u2026");
    QVERIFY(dialog);
    const QString sentence = dialog->findChild<QLabel*>("fill_sentence")->text();
    QVERIFY2(sentence.contains("stopped by the power of the site"), qPrintable(sentence));
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel), Qt::LeftButton);
    QVERIFY(!w->document().previewing());
    QCOMPARE(w->document().design().racks->size(), std::size_t(0));
  }
};

QTEST_MAIN(TestLayoutDialog)
#include "test_layout_dialog.moc"
