// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

#include "app/studio/fill_dialog.h"
#include "app/studio/layout_dialog.h"
#include "app/studio/studio_window.h"

using namespace hallwright;

/// Laying out and filling through the window, with real keys and clicks.
class TestLayoutDialog : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;

  std::unique_ptr<StudioWindow> window() {
    auto w = std::make_unique<StudioWindow>(catalog_);
    w->resize(1500, 900);
    w->show();
    Design d;
    Hall hall;
    hall.name = "Hall A";
    hall.outline = {{0, 0}, {20000, 0}, {20000, 12000}, {0, 12000}};
    d = add_entity(d, &Design::halls, hall).design;
    RackType type;
    type.name = "DGX rack";
    type.rack_part = "generic-48u-600x1200";
    Made made = add_entity(d, &Design::rack_types, type);
    RackItem item;
    item.rack_type = made.entities.front().id;
    item.part = "dgx-h100";
    item.count = 4;
    d = add_entity(made.design, &Design::rack_items, item).design;
    Network network;
    network.name = "Compute";
    network.switch_part = "qm9700";
    d = add_entity(d, &Design::networks, network).design;
    Site site;
    site.utility_power = megawatts(20);
    d.site = share(site);
    w->document().reset(d);
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
