// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include "begin_new_design.h"
#include "window_bench.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/layout_panel.h"
#include "app/studio/plan_selection.h"
#include "app/studio/studio_window.h"
#include "widgets/overflow_line.h"
#include "widgets/plan/plan_model.h"
#include "widgets/rack_elevation/rack_elevation_view.h"

using namespace hallwright;
using namespace hallwright::test;

/// Room for the plan: its bar, panels beside it, copies beside originals, another design.
class TestPlanRoom : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;

  /// A hall of 24 x 12 m with a row of eight racks of 600 x 1200 mm at x 3000, y 1800, fronts up.
  static Design one_row() {
    Design d;
    Hall hall;
    hall.name = "Hall 1";
    hall.outline = {{0, 0}, {24000, 0}, {24000, 12000}, {0, 12000}};
    d = add_entity(d, &Design::halls, hall).design;
    RackType type;
    type.name = "Rack of a test", type.width = millimeters(600), type.depth = millimeters(1200);
    d = add_entity(d, &Design::rack_types, type).design;
    RowPlan plan;
    plan.hall = d.halls->front().id, plan.rack_type = d.rack_types->front().id, plan.racks_per_row = 8;
    plan.x = millimeters(3000), plan.y = millimeters(1800);
    return place_rows(d, plan)->design;
  }
  void open(StudioWindow& w, const Design& d) {
    QVERIFY(show_window(w, 1600, 1000));
    QVERIFY(begin_new_design(w));
    w.document().reset(d);
    QTRY_VERIFY(w.document().evaluation() && w.document().evaluation()->design.racks == d.racks);
    w.hall()->plan()->zoomToFit();
    QTest::qWait(20);
  }
  static std::vector<EntityRef> racks_of(const Design& d, std::size_t from, std::size_t count) {
    std::vector<EntityRef> out;
    for (std::size_t i = from; i < from + count; ++i) out.push_back({"racks", (*d.racks)[i].id});
    return out;
  }

  /// Pairs of racks of 600 x 1200 mm, all upright, that stand in each other's place.
  static int overlaps(const Design& d) {
    int n = 0;
    for (std::size_t i = 0; i < d.racks->size(); ++i)
      for (std::size_t k = i + 1; k < d.racks->size(); ++k) {
        const Rack &a = (*d.racks)[i], &b = (*d.racks)[k];
        n += std::abs(in_millimeters(a.x) - in_millimeters(b.x)) < 599 && std::abs(in_millimeters(a.y) - in_millimeters(b.y)) < 1199;
      }
    return n;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void the_bar_stays_one_line() {
    StudioWindow w(catalog_);
    open(w, one_row());
    PlanView* plan = w.hall()->plan();
    auto* bar = w.findChild<OverflowLine*>(QStringLiteral("plan_bar"));
    QVERIFY(bar);
    // Docks find their widths after the window is shown.
    QPoint settled;
    const auto stands = [&] {
      QTest::qWait(150);
      const QPoint before = std::exchange(settled, plan->mapTo(&w, QPoint(0, 0)));
      return before == settled;
    };
    QTRY_VERIFY(stands());
    const int height = bar->height();
    const QPoint corner = plan->mapTo(&w, QPoint(0, 0)), wall = plan_point(plan, 0, 0);
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_W);
    QTest::qWait(20);
    QCOMPARE(bar->height(), height);
    QCOMPARE(plan->mapTo(&w, QPoint(0, 0)), corner);
    QVERIFY((plan_point(plan, 0, 0) - wall).manhattanLength() <= 2);
    // Hall and colour stand side by side, in front.
    auto* overlay = w.findChild<QComboBox*>(QStringLiteral("overlay"));
    auto* type = w.findChild<QComboBox*>(QStringLiteral("row_type"));
    QVERIFY(overlay->isVisible() && type->isVisible());
    QVERIFY(overlay->mapTo(bar, QPoint(0, 0)).x() < type->mapTo(bar, QPoint(0, 0)).x());
    // What does not fit waits behind the button, and works there.
    auto* hot = w.findChild<QLineEdit*>(QStringLiteral("row_hot_aisle"));
    QVERIFY(!hot->isVisible());
    QVERIFY(bar->button()->isVisible());
    QTest::mouseClick(bar->button(), Qt::LeftButton);
    QTRY_VERIFY(hot->isVisible());
    auto* rows = w.findChild<QSpinBox*>(QStringLiteral("row_count"));
    hot->setFocus();
    hot->selectAll();
    QTest::keyClicks(hot, QStringLiteral("1500 mm"));
    QTest::keyClick(hot, Qt::Key_Return);
    hot->window()->close();
    QTRY_VERIFY(!hot->isVisible());
    rows->setValue(2);
    drag_on_plan(plan, plan_point(plan, 3000, 6000), plan_point(plan, 6000, 6000));
    const auto& racks = *w.document().design().racks;
    QVERIFY(racks.size() > 10);
    const double first = in_millimeters(racks[8].y), last = in_millimeters(racks.back().y);
    QCOMPARE(last - first, 1200.0 + 1500.0);
    // Back to selecting: the fields go, the bar keeps its height.
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_Escape);
    QTest::keyClick(plan, Qt::Key_Escape);
    QTest::qWait(20);
    QVERIFY(!type->isVisible() && !bar->button()->isVisible());
    QCOMPARE(bar->height(), height);
  }

  void the_elevation_leaves_the_hall_in_sight_and_shows_the_whole_rack() {
    StudioWindow w(catalog_);
    open(w, one_row());
    PlanView* plan = w.hall()->plan();
    plan->zoomBy(1.05); // the user chose the view: it is no longer fitted by itself
    w.document().select(racks_of(w.document().design(), 0, 1));
    const auto sees = [&](double x, double y) { return plan->viewport()->rect().contains(plan_point(plan, x, y)); };
    QVERIFY(sees(50, 50) && sees(23900, 11900));
    const double scale = plan->scalePercent();
    QTest::keyClick(plan, Qt::Key_E, Qt::ControlModifier);
    auto* view = w.findChild<RackElevationView*>();
    QTRY_VERIFY(view && view->isVisible());
    QTest::qWait(50);
    QVERIFY2(sees(50, 50) && sees(23900, 11900), "the hall is cut off");
    QVERIFY(plan->scalePercent() < scale);
    QCOMPARE(view->canvas()->verticalScrollBar()->maximum(), 0);
    QTest::keyClick(&w, Qt::Key_E, Qt::ControlModifier);
    QTest::qWait(50);
    QVERIFY(std::abs(plan->scalePercent() - scale) < 1e-6);
  }

  void a_row_is_duplicated_beside_it_under_the_next_name() {
    StudioWindow w(catalog_);
    open(w, one_row());
    PlanView* plan = w.hall()->plan();
    const Design before = w.document().design();
    w.document().select(racks_of(before, 0, 8));
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_D, Qt::ControlModifier);
    const Design d = w.document().design();
    QCOMPARE(d.racks->size(), 16u);
    QCOMPARE(d.rows->size(), 2u);
    QCOMPARE(d.rows->back().name, std::string("R02"));
    QCOMPARE(w.document().undoStack().count(), 1);
    QCOMPARE(w.document().selection().size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) {
      const Rack &old = (*d.racks)[i], &copy = (*d.racks)[i + 8];
      QCOMPARE(copy.name, "R02" + old.name.substr(3));
      QCOMPARE(copy.row, d.rows->back().id);
      QCOMPARE(in_millimeters(copy.x), in_millimeters(old.x));
      // Across an aisle of 2.4 m: the rear of the first looks at the front of the second.
      QCOMPARE(in_millimeters(copy.y), 1800.0 + 1200.0 + 2400.0);
    }
    QTRY_VERIFY(w.document().evaluation()->design.racks == d.racks);
    for (const Finding& f : w.document().evaluation()->findings)
      QVERIFY2(f.code != "SPC-004" && f.code != "SPC-003" && f.code != "SPC-017", f.message.c_str());
    // And once more: R03 goes on downwards, where there is room.
    QTest::keyClick(plan, Qt::Key_D, Qt::ControlModifier);
    const Design third = w.document().design();
    QCOMPARE(third.rows->size(), 3u);
    QCOMPARE(third.rows->back().name, std::string("R03"));
    std::set<std::pair<double, double>> places;
    for (const Rack& r : *third.racks) {
      QVERIFY(places.insert({std::round(in_millimeters(r.x)), std::round(in_millimeters(r.y))}).second);
      QVERIFY(in_millimeters(r.y) >= 0 && in_millimeters(r.y) + 1200 <= 12000);
    }
    w.document().undoStack().undo();
    w.document().undoStack().undo();
    QCOMPARE(w.document().design().rows->size(), 1u);
  }

  void one_rack_is_duplicated_at_the_end_of_its_row() {
    StudioWindow w(catalog_);
    open(w, one_row());
    w.document().select(racks_of(w.document().design(), 7, 1));
    PlanView* plan = w.hall()->plan();
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_D, Qt::ControlModifier);
    const Design& d = w.document().design();
    QCOMPARE(d.racks->size(), 9u);
    QCOMPARE(d.rows->size(), 1u);
    QCOMPARE(in_millimeters(d.racks->back().x), 3000.0 + 8 * 600.0);
    QCOMPARE(in_millimeters(d.racks->back().y), 1800.0);
    QCOMPARE(d.racks->back().name, std::string("R01-09"));
    QCOMPARE(d.racks->back().row, d.rows->front().id);
    // In the middle of the row: past what stands there.
    w.document().select(racks_of(w.document().design(), 3, 1));
    QTest::keyClick(plan, Qt::Key_D, Qt::ControlModifier);
    const Rack& next = w.document().design().racks->back();
    QVERIFY(in_millimeters(next.x) == 3000.0 + 9 * 600.0 || in_millimeters(next.x) == 3000.0 - 600.0);
    QCOMPARE(in_millimeters(next.y), 1800.0);
  }

  void a_pasted_row_gets_a_name_of_its_own() {
    StudioWindow w(catalog_);
    open(w, one_row());
    w.document().select(racks_of(w.document().design(), 0, 8));
    PlanView* plan = w.hall()->plan();
    plan->setFocus();
    QTest::keyClick(&w, Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(&w, Qt::Key_V, Qt::ControlModifier);
    const Design& d = w.document().design();
    QCOMPARE(d.racks->size(), 16u);
    QCOMPARE(d.rows->size(), 2u);
    QCOMPARE(d.rows->back().name, std::string("R02"));
    QCOMPARE(d.racks->back().row, d.rows->back().id);
    QCOMPARE(d.racks->back().name, std::string("R02-08"));
    QCOMPARE(overlaps(d), 0);
  }

  /// Under the cursor, caught by the grid; again in the same place: beside it.
  void what_is_pasted_lands_under_the_cursor() {
    StudioWindow w(catalog_);
    open(w, one_row());
    PlanView* plan = w.hall()->plan();
    plan->setFocus();
    w.document().select(racks_of(w.document().design(), 0, 2));
    QTest::keyClick(plan, Qt::Key_C, Qt::ControlModifier);
    const QPointF wanted(15000, 8000);
    move_on_plan(plan, plan_point(plan, wanted.x(), wanted.y()));
    QTest::keyClick(plan, Qt::Key_V, Qt::ControlModifier);
    const Design& d = w.document().design();
    QCOMPARE(d.racks->size(), 10u);
    const auto middle = [&](std::size_t first) {
      const Rack &a = (*d.racks)[first], &b = (*d.racks)[first + 1];
      return QPointF((in_millimeters(a.x) + in_millimeters(b.x) + 600) / 2, in_millimeters(a.y) + 600);
    };
    const double caught = 16 * 1000.0 / plan->scalePercent() * 1.6; // as far as a thing catches
    QVERIFY2(std::abs(middle(8).x() - wanted.x()) <= caught && std::abs(middle(8).y() - wanted.y()) <= caught,
             qPrintable(QStringLiteral("%1, %2").arg(middle(8).x()).arg(middle(8).y())));
    // On the grid of 600 mm with its left or its right edge, and with its front or its rear.
    const double x = in_millimeters((*d.racks)[8].x), y = in_millimeters((*d.racks)[8].y);
    QCOMPARE(std::abs(std::remainder(x, 600.0)) < 0.5, true);
    QCOMPARE(std::abs(std::remainder(y, 600.0)) < 0.5, true);
    QCOMPARE(overlaps(d), 0);
    QTest::keyClick(plan, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(d.racks->size(), 12u);
    QCOMPARE(overlaps(d), 0);
    QVERIFY(std::abs(middle(10).x() - wanted.x()) + std::abs(middle(10).y() - wanted.y()) < 6000);
    QCOMPARE(w.document().undoStack().count(), 2);
  }

  /// With the cursor elsewhere: beside the original; where that is gone, in its place.
  void what_is_pasted_from_elsewhere_stands_on_free_floor() {
    StudioWindow w(catalog_);
    open(w, one_row());
    PlanView* plan = w.hall()->plan();
    plan->setFocus();
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(plan->viewport(), &leave);
    w.document().select(racks_of(w.document().design(), 3, 1));
    const Rack original = (*w.document().design().racks)[3];
    QTest::keyClick(plan, Qt::Key_C, Qt::ControlModifier);
    for (int i = 0; i < 3; ++i) QTest::keyClick(plan, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(w.document().design().racks->size(), 11u);
    QCOMPARE(overlaps(w.document().design()), 0);
    w.document().undoStack().undo();
    w.document().undoStack().undo();
    w.document().undoStack().undo();
    w.document().select({{"racks", original.id}});
    QTest::keyClick(plan, Qt::Key_X, Qt::ControlModifier);
    QCOMPARE(w.document().design().racks->size(), 7u);
    QTest::keyClick(plan, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(w.document().design().racks->size(), 8u);
    QCOMPARE(in_millimeters(w.document().design().racks->back().x), in_millimeters(original.x));
    QCOMPARE(in_millimeters(w.document().design().racks->back().y), in_millimeters(original.y));
  }

  void racks_of_the_catalog_are_laid_out_in_an_empty_design() {
    StudioWindow w(catalog_);
    Design d;
    Hall hall;
    hall.name = "Hall 1";
    hall.outline = {{0, 0}, {24000, 0}, {24000, 12000}, {0, 12000}};
    d = add_entity(d, &Design::halls, hall).design;
    QVERIFY(show_window(w, 1600, 1000));
    QVERIFY(begin_new_design(w));
    w.document().reset(d);
    QTRY_VERIFY(w.document().evaluation() && w.document().evaluation()->design.halls == d.halls);
    QAction* open_layouts = nullptr;
    for (QAction* a : w.findChildren<QAction*>())
      if (QString(a->text()).remove(QLatin1Char('&')).startsWith(QStringLiteral("Lay out racks"))) open_layouts = a;
    QVERIFY(open_layouts);
    open_layouts->trigger();
    auto* dialog = w.findChild<LayoutPanel*>();
    QVERIFY(dialog);
    auto* type = dialog->findChild<QComboBox*>(QStringLiteral("layout_type"));
    const int gb200 = type->findData(QStringLiteral("smc-gb200-nvl72"));
    QVERIFY(gb200 >= 0);
    type->setCurrentIndex(gb200);
    dialog->findChild<QSpinBox*>(QStringLiteral("layout_count"))->setValue(8);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), 60000);
    auto* ok = dialog->findChild<QPushButton*>(QStringLiteral("layout_apply"));
    QTRY_VERIFY(ok->isEnabled());
    QTest::mouseClick(ok, Qt::LeftButton);
    const Design& laid = w.document().design();
    QCOMPARE(laid.rack_types->front().rack_part, std::string("smc-gb200-nvl72"));
    QCOMPARE(std::count_if(laid.racks->begin(), laid.racks->end(),
                           [&](const Rack& r) { return r.rack_type == laid.rack_types->front().id; }),
             8);
    QCOMPARE(w.document().undoStack().count(), 1);
    w.document().undoStack().undo();
    QVERIFY(w.document().design().rack_types->empty());
  }

  void another_design_is_shown_whole() {
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1600, 1000));
    QTemporaryDir folder;
    QVERIFY(w.openPath(sample_copy(folder, "nvl72-16-racks")));
    PlanView* plan = w.hall()->plan();
    QTRY_VERIFY(w.document().evaluation());
    QTest::qWait(50);
    for (int i = 0; i < 4; ++i) plan->zoomBy(1.6);
    QVERIFY(w.openPath(sample_copy(folder, "llama3-405b-16k")));
    QTRY_VERIFY(w.document().evaluation() && w.document().evaluation()->design.halls->size() > 1);
    QTest::qWait(100);
    const QRectF all = PlanView::planExtent(w.document().design(), catalog_, 0);
    for (const QPointF& corner : {all.topLeft(), all.bottomRight()})
      QVERIFY(plan->viewport()->rect().contains(plan_point(plan, corner.x(), corner.y())));
  }
};

QTEST_MAIN(TestPlanRoom)
#include "test_plan_room.moc"
