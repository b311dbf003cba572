// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

#include "app/studio/fill_dialog.h"
#include "app/studio/find_dialog.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/layout_panel.h"
#include "app/studio/picture_dialog.h"
#include "app/studio/studio_window.h"
#include "app/studio/underlay_dialog.h"
#include "begin_new_design.h"
#include "engine/study/empty_hall.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// Laying out and filling through the window, with real keys and clicks.
class TestLayoutPanel : public QObject {
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
  static QPushButton* ok(LayoutPanel* panel) { return panel->findChild<QPushButton*>("layout_apply"); }
  static int row_of(const QTableWidget* table, const char* label) {
    for (int r = 1; r < table->rowCount(); ++r)
      if (table->verticalHeaderItem(r)->text() == QLatin1String(label)) return r;
    return -1;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY(catalog);
    catalog_ = share(*std::move(catalog));
  }

  void proposalsPreviewAndOneUndoStep() {
    auto w = window();
    auto* dialog = opened<LayoutPanel>(*w, "Lay out racks\u2026");
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
    QTRY_VERIFY(!w->findChild<LayoutPanel*>());
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
    auto* dialog = opened<LayoutPanel>(*w, "Lay out racks\u2026");
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 20000);
    auto* table = dialog->findChild<QTableWidget*>("layout_proposals");
    QTableWidgetItem* load = nullptr;
    if (const int r = row_of(table, "Worst floor load"); r > 0) load = table->item(r, 0);
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
    auto* dialog = opened<LayoutPanel>(*w, "Lay out racks\u2026");
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 20000);
    auto* count = dialog->findChild<QSpinBox*>("layout_count");
    count->selectAll();
    QTest::keyClicks(count, "5000");
    QTest::keyClick(count, Qt::Key_Tab);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 20000);
    QVERIFY(!ok(dialog)->isEnabled());
    QVERIFY(dialog->findChild<QLabel*>("layout_notes")->text().contains("do not fit"));
    // The reason stands at the top, where the table was.
    QVERIFY2(dialog->state().contains("do not fit"), qPrintable(dialog->state()));
    QVERIFY(!dialog->findChild<QTableWidget*>("layout_proposals")->isVisible());
    // While it computes it says so.
    count->setFocus();
    count->selectAll();
    QTest::keyClicks(count, "8");
    QVERIFY2(dialog->state().startsWith("Laying out"), qPrintable(dialog->state()));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled() && dialog->state().contains("proposal"), 20000);
    QVERIFY(dialog->findChild<QTableWidget*>("layout_proposals")->isVisible());
    count->selectAll();
    QTest::keyClicks(count, "5000");
    QTest::keyClick(count, Qt::Key_Tab);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled() && dialog->state().contains("do not fit"), 20000);
    QVERIFY(!w->document().previewing());
    QTest::keyClick(count, Qt::Key_Escape);
    QTRY_VERIFY(!w->findChild<LayoutPanel*>());
    QCOMPARE(w->document().undoStack().count(), 0);
  }

  /// The plan with the proposal in it lies beside the panel, whole.
  void thePlanStaysInSight_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1600 x 1000") << QSize(1600, 1000);
    QTest::newRow("1366 x 768") << QSize(1366, 768);
    QTest::newRow("800 x 600") << QSize(800, 600);
  }
  void thePlanStaysInSight() {
    QFETCH(QSize, size);
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, size.width(), size.height()));
    QTemporaryDir folder;
    QVERIFY(w.openPath(sample_copy(folder, "superpod-h100-4su")));
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluation(), 20000);
    QTest::keyClick(&w, Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
    auto* panel = w.findChild<LayoutPanel*>();
    QVERIFY(panel);
    QTRY_VERIFY_WITH_TIMEOUT(panel->settled(), 30000);
    QTRY_VERIFY(w.document().previewing());
    PlanView* plan = w.hall()->plan();
    const auto place = [&](const QWidget* widget) { return QRect(widget->mapTo(&w, QPoint()), widget->size()); };
    QTRY_VERIFY(place(panel).isValid() && !place(panel).intersects(place(plan->viewport())));
    QVERIFY(w.rect().contains(place(plan->viewport())) && w.rect().contains(place(panel)));
    QVERIFY2(plan->viewport()->width() >= size.width() * 2 / 5, qPrintable(QString::number(plan->viewport()->width())));
    QVERIFY(panel->width() >= w.fontMetrics().averageCharWidth() * 38);
    // Every rack that is proposed lies in sight.
    const Design& shown = w.document().shown();
    std::size_t fresh = 0;
    for (const Rack& r : *shown.racks) {
      if (find(*w.document().design().racks, r.id)) continue;
      ++fresh;
      QVERIFY(plan->viewport()->rect().contains(plan_point(plan, in_millimeters(r.x), in_millimeters(r.y))));
    }
    QVERIFY(fresh >= 16);
    QVERIFY(w.rect().contains(place(ok(panel))));
    // The plan is at hand meanwhile: the wheel zooms it, and the proposal stays.
    const double before = plan->scalePercent();
    QWheelEvent wheel(QPointF(200, 100), plan->viewport()->mapToGlobal(QPointF(200, 100)), {}, {0, 120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(plan->viewport(), &wheel);
    QVERIFY(plan->scalePercent() > before);
    QVERIFY(w.document().previewing());
    // The inspector stands where it stood once the panel goes.
    QTest::mouseClick(panel->findChild<QPushButton*>("layout_cancel"), Qt::LeftButton);
    QTRY_VERIFY(!w.findChild<LayoutPanel*>());
    QVERIFY(!w.document().previewing());
    QTRY_VERIFY(!w.findChild<QDockWidget*>("dock_inspector")->isHidden());
    QVERIFY(w.findChild<QDockWidget*>("dock_layout")->isHidden());
  }

  /// What the table says of a proposal is what the window says once it is applied: one count of findings, one figure.
  void whatItTellsIsWhatTheChecksSay_data() {
    QTest::addColumn<QString>("sample");
    QTest::newRow("empty hall") << QString();
    QTest::newRow("superpod") << "superpod-h100-4su";
    QTest::newRow("nvl72") << "nvl72-16-racks";
  }
  void whatItTellsIsWhatTheChecksSay() {
    QFETCH(QString, sample);
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1600, 1000));
    QTemporaryDir folder;
    if (sample.isEmpty()) {
      QVERIFY(begin_new_design(w));
      w.document().reset(test::empty_hall());
    } else {
      QVERIFY(w.openPath(sample_copy(folder, sample.toUtf8())));
    }
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluationIsOfShown(), 20000);
    QTest::keyClick(&w, Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
    auto* panel = w.findChild<LayoutPanel*>();
    QVERIFY(panel);
    panel->findChild<QCheckBox*>("layout_replace")->click();
    QTRY_VERIFY_WITH_TIMEOUT(panel->settled(), 60000);
    auto* table = panel->findChild<QTableWidget*>("layout_proposals");
    QTRY_VERIFY_WITH_TIMEOUT(table->columnCount() >= 1 && panel->settled(), 60000);
    const int column = table->columnCount() - 1; // not the one that is chosen first, where there are several
    table->scrollToItem(table->item(2, column));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->item(2, column)).center());
    const auto told = [&](const char* label) { return table->item(row_of(table, label), column)->text(); };
    const int errors = told("Errors").toInt(), warnings = told("Warnings").toInt(), notes = told("Notes").toInt(),
              undecided = told("Undecided").toInt();
    const QString mean = told("Mean way to the leaf"), longest = told("Longest way to the leaf");
    const int listed = panel->findChild<QListWidget*>("layout_findings")->count();
    QTest::mouseClick(ok(panel), Qt::LeftButton);
    QTRY_VERIFY(!w.findChild<LayoutPanel*>());
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluationIsOfShown() && !w.document().evaluation()->loops->behind(), 20000);
    int shown[4] = {0, 0, 0, 0};
    QTableWidget* checks = w.checks()->table();
    for (int r = 0; r < checks->rowCount(); ++r) {
      const QString severity = checks->item(r, 0)->text();
      if (severity == "error") ++shown[0];
      if (severity == "warning") ++shown[1];
      if (severity == "note") ++shown[2];
      if (severity == "undecided") ++shown[3];
    }
    QCOMPARE(shown[0], errors);
    QCOMPARE(shown[1], warnings);
    QCOMPARE(shown[2], notes);
    QCOMPARE(shown[3], undecided);
    QCOMPARE(listed, errors + warnings + notes + undecided);
    QVERIFY2(w.checks()->summary().startsWith(errors == 1 ? QStringLiteral("1 error ") : QStringLiteral("%1 errors ").arg(errors)),
             qPrintable(w.checks()->summary()));
    const auto figure = [&](const char* id) {
      const Figure* f = w.document().evaluation()->figures.find(id);
      return f && f->has_value() ? screen_text(f->value, *f->kind) : QStringLiteral("\u2013");
    };
    QVERIFY2(mean.endsWith(figure("space.mean_rack_distance")), qPrintable(mean));
    QVERIFY2(longest.endsWith(figure("space.longest_rack_distance")), qPrintable(longest));
  }

  /// A change of the design meanwhile is what proposals are made for next; a remedy that is looked at gives way again.
  void itFollowsTheDesign() {
    auto w = window();
    auto* panel = opened<LayoutPanel>(*w, "Lay out racks\u2026");
    QTRY_VERIFY_WITH_TIMEOUT(panel->settled() && w->document().previewing(), 20000);
    const std::size_t proposed = w->document().shown().racks->size();
    Rack rack;
    rack.name = "Alone", rack.rack_type = w->document().design().rack_types->front().id;
    rack.hall = w->document().design().halls->front().id, rack.x = millimeters(19000), rack.y = millimeters(10500);
    w->document().apply({"Put a rack", [rack](const Design& d) -> Edited { return add_entity(d, &Design::racks, rack).design; }});
    QVERIFY(!panel->settled());
    QVERIFY(!ok(panel)->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(panel->settled() && w->document().previewing(), 20000);
    QVERIFY(w->document().shown().racks->size() > proposed);
    QVERIFY(std::any_of(w->document().shown().racks->begin(), w->document().shown().racks->end(),
                        [](const Rack& r) { return r.name == "Alone"; }));
    w->document().cancelPreview(); // as a gesture that is given up does
    QTRY_VERIFY(w->document().previewing());
    QTest::keyClick(panel->findChild<QSpinBox*>("layout_count"), Qt::Key_Escape);
    QTRY_VERIFY(!w->findChild<LayoutPanel*>());
    QVERIFY(!w->document().previewing());
    QCOMPARE(w->document().design().racks->size(), std::size_t(1));
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

QTEST_MAIN(TestLayoutPanel)
#include "test_layout_panel.moc"
