// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_bench.h"

#include <QMimeData>

#include "widgets/panels.h"
#include "widgets/plan/plan_edits.h"
#include "widgets/plan/plan_painter.h"
#include "widgets/plan/plan_row_run.h"

using namespace hallwright;
using namespace hallwright::test;

/// What is laid along a row of racks by dragging along it, and valves on the plan.
class TestPlanRows : public QObject {
  Q_OBJECT

  /// The two rows of ten, with a distribution unit of side A and one of side B at their left.
  static Design with_sources() {
    Design d = hall_with_rows();
    for (const Feed side : {Feed::a, Feed::b}) {
      PowerUnit u;
      u.kind = PowerUnitKind::distribution, u.hall = d.halls->front().id, u.feed = side;
      u.name = side == Feed::a ? "PDU A" : "PDU B";
      u.x = millimeters(600), u.y = millimeters(side == Feed::a ? 2400 : 4600);
      u.width = millimeters(900), u.depth = millimeters(900);
      u.rating = kilowatts(400);
      d = add_entity(d, &Design::power_units, u).design;
    }
    return d;
  }
  static void drag_part(PlanBench& b, const char* part, const QPoint& to, Qt::KeyboardModifiers m = {}) {
    QMimeData data;
    data.setData(QLatin1String(part_mime_type), part);
    QDragEnterEvent enter(to, Qt::CopyAction, &data, Qt::LeftButton, m);
    QApplication::sendEvent(b.view.viewport(), &enter);
    QDragMoveEvent move(to, Qt::CopyAction, &data, Qt::LeftButton, m);
    QApplication::sendEvent(b.view.viewport(), &move);
    QDropEvent drop(QPointF(to), Qt::CopyAction, &data, Qt::LeftButton, m);
    QApplication::sendEvent(b.view.viewport(), &drop);
  }

private Q_SLOTS:
  void a_row_is_fed_by_dragging_along_it() {
    PlanBench b(with_sources());
    b.view.setTool(PlanTool::feed_row);
    const Id row = b.design.rows->front().id;
    b.move(b.at(3100, 3000));
    b.press(b.at(3100, 3000));
    b.move(b.at(5000, 3000), {}, Qt::LeftButton);
    // The sixth rack ends at x 3000 + 6 * 600 = 6600 mm.
    b.move(b.at(6500, 3000), {}, Qt::LeftButton);
    QVERIFY(b.previews > 0);
    QVERIFY2(b.hint.contains(QStringLiteral("PDU A")), qPrintable(b.hint));
    QVERIFY(b.edits.empty());
    b.release(b.at(6500, 3000));
    QCOMPARE(b.edits.size(), 1u); // one undo step
    QVERIFY2(b.refusal.isEmpty(), qPrintable(b.refusal));
    QCOMPARE(b.design.power_units->size(), 3u);
    const PowerUnit first = b.design.power_units->back();
    const PowerUnit& u = first;
    const Id u_id = u.id;
    QCOMPARE(u.kind, PowerUnitKind::busway);
    QCOMPARE(u.feed, Feed::a);
    QCOMPARE(u.name, std::string("Busway A, R01"));
    QCOMPARE(u.upstream, b.design.power_units->front().id);
    QCOMPARE(in_millimeters(*u.width), 3600.0);
    QCOMPARE(in_millimeters(*u.depth), 150.0);
    QCOMPARE(in_millimeters(*u.elevation), 2700.0);
    QCOMPARE(in_millimeters(u.x), 3000.0);
    // Its middle a third of the racks' depth (1200 mm) from their upper side at y 2400: y 2800.
    QCOMPARE(in_millimeters(u.y), 2725.0);
    QCOMPARE(in_degrees(u.rotation), 0.0);
    int fed = 0;
    for (const Rack& r : *b.design.racks) {
      const double x = in_millimeters(r.x);
      const bool passed = r.row == row && x < 6600;
      QCOMPARE(r.feed_a, passed ? u.id : Id{0});
      QCOMPARE(r.feed_b, Id{0});
      QCOMPARE(r.tap_a.has_value(), passed);
      // Taps at the middle of each rack, from the end where the drag began.
      if (passed) QVERIFY(std::abs(in_millimeters(*r.tap_a) - (x + 300 - 3000)) < 1e-6);
      fed += passed;
    }
    QCOMPARE(fed, 6);
    QCOMPARE(b.view.selection(), (std::vector<EntityRef>{{"power_units", u.id}}));
    QCOMPARE(b.view.tool(), PlanTool::feed_row); // the next one

    // The whole row from its right end: side B, which fewer racks have, fed from there and from the other source.
    b.drag(b.at(8900, 3000), b.at(3100, 3000));
    QCOMPARE(b.edits.size(), 2u);
    const PowerUnit second = b.design.power_units->back();
    QCOMPARE(second.feed, Feed::b);
    QCOMPARE(second.name, std::string("Busway B, R01"));
    QCOMPARE(second.upstream, (*b.design.power_units)[1].id);
    QCOMPARE(in_degrees(second.rotation), 180.0);
    QCOMPARE(in_millimeters(*second.width), 6000.0);
    QCOMPARE(b.design.racks->front().feed_b, second.id);
    QCOMPARE(b.design.racks->front().feed_a, u_id);
    QVERIFY(std::abs(in_millimeters(*b.design.racks->front().tap_b) - (9000 - 3300)) < 1e-6);
    // Side A again, with ten racks now: it takes over the six and hangs beside the first, not in it.
    b.drag(b.at(3100, 3000), b.at(8900, 3000));
    const PowerUnit third = b.design.power_units->back();
    QCOMPARE(third.feed, Feed::a);
    QCOMPARE(b.design.racks->front().feed_a, third.id);
    QCOMPARE(b.design.racks->front().feed_b, second.id);
    for (const PowerUnit& other : {first, second})
      QVERIFY(std::abs(in_millimeters(third.y) - in_millimeters(other.y)) >= 150);
  }

  void a_click_feeds_the_whole_row_and_escape_gives_up() {
    PlanBench b(with_sources());
    b.view.setTool(PlanTool::feed_row);
    RowFeedSettings wish;
    wish.side = Feed::b;
    b.view.setRowFeedSettings(wish);
    b.move(b.at(4000, 3000));
    b.press(b.at(4000, 3000));
    b.move(b.at(7000, 3000), {}, Qt::LeftButton);
    b.key(Qt::Key_Escape);
    QVERIFY(b.cancelled > 0);
    b.release(b.at(7000, 3000));
    QVERIFY(b.edits.empty());
    QCOMPARE(b.design.power_units->size(), 2u);
    b.click(b.at(4000, 5200)); // the row below
    QCOMPARE(b.edits.size(), 1u);
    const PowerUnit& u = b.design.power_units->back();
    QCOMPARE(u.feed, Feed::b);
    QCOMPARE(in_millimeters(*u.width), 6000.0);
    QCOMPARE(std::count_if(b.design.racks->begin(), b.design.racks->end(),
                           [&](const Rack& r) { return r.feed_b == u.id; }),
             10);
    // Beside all rows: a sentence, and nothing is made.
    b.click(b.at(15000, 9000));
    QCOMPARE(b.edits.size(), 1u);
    QVERIFY(!b.hint.isEmpty());
  }

  void an_upright_row_is_fed_from_either_end() {
    Design d = with_sources();
    RowPlan plan;
    plan.hall = d.halls->front().id, plan.rack_type = d.rack_types->front().id, plan.racks_per_row = 4;
    plan.x = millimeters(15000), plan.y = millimeters(2000), plan.first_row_name = "V01";
    const Edited made = plan::row_edit(plan, true, false, 600, 1200).apply(d);
    QVERIFY(made.has_value());
    PlanBench b(*made);
    b.view.setTool(PlanTool::feed_row);
    // Racks turned on their side: 1200 wide, 600 tall, from y 2000 to 4400.
    b.drag(b.at(15600, 4300), b.at(15600, 2100));
    QCOMPARE(b.edits.size(), 1u);
    const PowerUnit& u = b.design.power_units->back();
    QCOMPARE(in_degrees(u.rotation), 270.0);
    QCOMPARE(in_millimeters(*u.width), 2400.0);
    plan::PlanModel model;
    model.update(b.design, b.catalog, 0);
    const plan::PlanObject* o = model.find({"power_units", u.id});
    QVERIFY(o);
    QCOMPARE(o->y0, 2000.0);
    QCOMPARE(o->y1, 4400.0);
    QCOMPARE(o->x1 - o->x0, 150.0);
    // The fed end, its own left one, lies below.
    QCOMPARE(o->from_own({0, 75}).y(), 4400.0);
    QCOMPARE(model.taps(u.id).size(), 4u);
    for (const plan::PlanModel::Tap& tap : model.taps(u.id)) {
      const plan::PlanObject& rack = model.objects(PlanLayer::racks)[tap.rack];
      const Rack& r = (*b.design.racks)[rack.index];
      QVERIFY(std::abs(4400 - in_millimeters(*r.tap_a) - rack.center().y()) < 1e-6);
    }
  }

  void a_busway_dropped_on_a_row_feeds_it() {
    PlanBench b(with_sources());
    drag_part(b, "power/busway/", b.at(5000, 3000));
    QCOMPARE(b.edits.size(), 1u);
    QCOMPARE(b.design.power_units->size(), 3u);
    const PowerUnit& u = b.design.power_units->back();
    QCOMPARE(in_millimeters(*u.width), 6000.0);
    QCOMPARE(std::count_if(b.design.racks->begin(), b.design.racks->end(),
                           [&](const Rack& r) { return r.feed_a == u.id; }),
             10);
    QCOMPARE(b.view.tool(), PlanTool::select);
    // With Alt, or off the rows, it is a unit of its own.
    drag_part(b, "power/busway/", b.at(5000, 3000), Qt::AltModifier);
    QVERIFY(!b.design.power_units->back().elevation);
    drag_part(b, "power/busway/", b.at(15000, 8000));
    QVERIFY(!b.design.power_units->back().elevation);
    QCOMPARE(b.design.power_units->size(), 5u);
    QCOMPARE(b.design.racks->front().feed_a, (*b.design.power_units)[2].id);
  }

  void pipes_ask_for_coolant_first() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::pipe_row);
    b.drag(b.at(3100, 3000), b.at(8000, 3000));
    QVERIFY(b.edits.empty());
    QVERIFY2(b.hint.contains(QStringLiteral("liquid")), qPrintable(b.hint));
  }

  void a_valve_selects_its_pipe() {
    Design d = hall_with_rows();
    Pipe p;
    p.name = "Supply", p.hall = d.halls->front().id, p.path = {{3000, 3000}, {9000, 3000}}, p.valve_open = 0.0;
    d = add_entity(d, &Design::pipes, p).design;
    const Id pipe = d.pipes->front().id;
    PlanBench b(d);
    plan::PlanModel model;
    model.update(d, b.catalog, 0);
    const double scale = b.view.transform().m11();
    QVERIFY(scale * 1000 >= plan::valve_scale);
    const auto place = plan::pipe_valve_place(model, *model.find({"pipes", pipe}), scale);
    QVERIFY(place.has_value());
    // It lies above a rack, which a click takes elsewhere on the pipe.
    b.click(b.at(place->at.x(), place->at.y()));
    QCOMPARE(b.view.selection(), (std::vector<EntityRef>{{"pipes", pipe}}));
    b.key(Qt::Key_Escape);
    QVERIFY(b.view.selection().empty());
    b.click(b.at(6300, 3000));
    QCOMPARE(b.view.selection().front().table, std::string("racks"));
    // Red where it is shut.
    const QImage picture = b.view.viewport()->grab().toImage();
    const QPoint at = b.at(place->at.x(), place->at.y()) + QPoint(4, 0);
    const QColor seen = picture.pixelColor(at * picture.devicePixelRatio());
    QVERIFY2(seen.red() > 150 && seen.green() < 110, qPrintable(seen.name()));
  }

  void what_is_out_of_service_is_crossed_out() {
    PlanBench b(with_sources());
    const Id pdu = b.design.power_units->front().id;
    // Where the arms of the cross meet.
    const auto seen = [&] {
      const QImage picture = b.view.viewport()->grab().toImage();
      const double ratio = picture.devicePixelRatio();
      return picture.copy(QRect((b.at(1050, 2850) - QPoint(3, 3)) * ratio, QSize(7, 7) * ratio));
    };
    b.move(b.at(20000, 11000));
    const QImage before = seen();
    b.view.setOutOfService({{"power_units", pdu}});
    QVERIFY(seen() != before);
    b.view.setOutOfService({});
    QCOMPARE(seen(), before);
  }
};

QTEST_MAIN(TestPlanRows)
#include "test_plan_rows.moc"
