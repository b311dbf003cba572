// SPDX-License-Identifier: GPL-3.0-or-later
// What stands outside of every hall: dropped there, drawn, moved in and out.
#include <QtTest>
#include <QtWidgets>

#include "space/outdoor_places.h"
#include "space/plan_export.h"
#include "plan_bench.h"
#include "widgets/panels.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {
void drop(PlanBench& b, const char* part, const QPoint& p) {
  QMimeData data;
  data.setData(QLatin1String(part_mime_type), QByteArray(part));
  QDragEnterEvent enter(p, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(b.view.viewport(), &enter);
  QDragMoveEvent over(p, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(b.view.viewport(), &over);
  QDropEvent event(QPointF(p), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(b.view.viewport(), &event);
}
/// Whether something other than the empty floor is painted at a place of the plan.
bool painted(PlanBench& b, const QPoint& at, const QPoint& empty) {
  const QImage picture = b.view.viewport()->grab().toImage();
  const double each = picture.devicePixelRatio();
  return picture.pixel((QPointF(at) * each).toPoint()) != picture.pixel((QPointF(empty) * each).toPoint());
}
} // namespace

class TestPlanOutdoors : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void what_gives_heat_to_the_air_is_dropped_outside_and_drawn_there() {
    for (const char* part : {"cooling/dry cooler/", "cooling/chiller/", "cooling/cooling tower/", "power/transformer/",
                             "power/generator/"}) {
      PlanBench b(hall_with_rows());
      b.view.zoomBy(0.6); // room beside the hall of 24 x 12 m
      b.view.setSnapping(false);
      drop(b, part, b.at(-4000, 6000));
      QCOMPARE(b.edits.size(), 1u);
      QVERIFY2(b.refusal.isEmpty(), part);
      const bool cools = QByteArray(part).startsWith("cooling");
      const Id hall = cools ? b.design.cooling_units->back().hall : b.design.power_units->back().hall;
      const Length x = cools ? b.design.cooling_units->back().x : b.design.power_units->back().x;
      QCOMPARE(hall, Id{0});
      QVERIFY(in_millimeters(x) < -4000.0 && in_millimeters(x) > -12000.0);
      b.view.setSelection({});
      QVERIFY2(painted(b, b.at(-4000, 6000), b.at(-4000, -2000)), part);
      // A click there takes it.
      b.click(b.at(-4000, 6000));
      QCOMPARE(b.view.selection().size(), 1u);
    }
  }

  void what_is_made_for_rooms_is_refused_outside() {
    for (const char* part : {"cooling/cdu/", "cooling/crah/", "cooling/rear door/", "power/busway/", "power/ups/", "structure/column"}) {
      PlanBench b(hall_with_rows());
      b.view.zoomBy(0.6);
      drop(b, part, b.at(-4000, 6000));
      QVERIFY2(b.edits.empty(), part);
      QCOMPARE(b.hint, QStringLiteral("Drop it inside a hall"));
    }
  }

  void with_one_hall_shown_nothing_is_put_where_it_is_not_seen() {
    PlanBench b(hall_with_rows());
    b.view.setHall(b.design.halls->front().id);
    b.view.zoomBy(0.6);
    drop(b, "cooling/dry cooler/", b.at(-4000, 6000));
    QVERIFY(b.edits.empty());
    QVERIFY(b.hint.contains(QStringLiteral("show all halls")));
  }

  void a_unit_is_dragged_out_of_its_hall_and_back_at_the_same_site_coordinates() {
    Design d = hall_with_rows();
    CoolingUnit u;
    u.name = "Dry cooler 1", u.kind = CoolingUnitKind::dry_cooler, u.hall = d.halls->front().id;
    u.x = millimeters(12000), u.y = millimeters(8000), u.width = millimeters(2400), u.depth = millimeters(1200);
    d = add_entity(d, &Design::cooling_units, u).design;
    PlanBench b(d);
    b.view.zoomBy(0.6);
    b.view.setSnapping(false);
    b.drag(b.at(13200, 8600), b.at(13200, 15600));
    const CoolingUnit out = b.design.cooling_units->front();
    QCOMPARE(out.hall, Id{0});
    QVERIFY(std::abs(in_millimeters(out.y) - 15000.0) < 80.0); // within a pixel of the drag
    QVERIFY(std::abs(in_millimeters(out.x) - 12000.0) < 80.0);
    b.drag(b.at(13200, 15600), b.at(13200, 8600));
    QCOMPARE(b.design.cooling_units->front().hall, d.halls->front().id);
    QVERIFY(std::abs(in_millimeters(b.design.cooling_units->front().y) - 8000.0) < 160.0);
  }

  void a_source_without_a_place_is_not_drawn_at_the_corner_of_the_site() {
    Design d = hall_with_rows();
    PowerUnit feed;
    feed.name = "Utility", feed.kind = PowerUnitKind::utility_feed;
    d = add_entity(d, &Design::power_units, feed).design;
    plan::PlanModel model;
    model.update(d, std::make_shared<const Catalog>(), 0);
    QVERIFY(model.objects(PlanLayer::power).empty());
    d = with_table(d, &Design::power_units, [](std::vector<PowerUnit>& units, Id&) { units[0].x = meters(-5.0); });
    model.update(d, std::make_shared<const Catalog>(), 0);
    QCOMPARE(model.objects(PlanLayer::power).size(), 1u);
    QVERIFY(model.extent().left() <= -5000.0); // so that zoom to fit shows it
  }

  void outdoor_units_are_in_the_outline_and_in_the_drawing() {
    Design d = hall_with_rows();
    CoolingUnit u;
    u.name = "Tower 7", u.kind = CoolingUnitKind::cooling_tower, u.x = meters(-6.0), u.y = meters(2.0);
    d = add_entity(d, &Design::cooling_units, u).design;
    OutlinePanel outline;
    outline.setDesign(d);
    auto* tree = outline.findChild<QTreeWidget*>(QStringLiteral("outline_tree"));
    QVERIFY(!tree->findItems(QStringLiteral("Tower 7"), Qt::MatchExactly | Qt::MatchRecursive).isEmpty());
    const DxfSheet sheet = plan_sheet(d, Catalog{}, 0);
    QVERIFY(std::any_of(sheet.texts.begin(), sheet.texts.end(),
                        [](const auto& t) { return t.text.rfind("Tower 7", 0) == 0; }));
  }
};

QTEST_MAIN(TestPlanOutdoors)
#include "test_plan_outdoors.moc"
