// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_bench.h"
#include "widgets/plan/plan_drawing.h"
#include "widgets/plan/plan_handles.h"
#include "widgets/theme.h"

using namespace hallwright;
using test::hall_with_rows;
using test::PlanBench;

namespace {

Design with_zone(const std::vector<PlanPoint>& outline) {
  Design d = hall_with_rows();
  Zone z;
  z.name = "Zone 1", z.hall = d.halls->front().id, z.outline = outline;
  return add_entity(d, &Design::zones, z).design;
}

Design with_structure(double x, double y, double w, double h, double turn = 0) {
  Design d = hall_with_rows();
  Structure s;
  s.kind = StructureKind::obstacle, s.name = "Obstacle 1", s.hall = d.halls->front().id, s.rotation = degrees(turn);
  s.x = millimeters(x), s.y = millimeters(y), s.width = millimeters(w), s.depth = millimeters(h);
  return add_entity(d, &Design::structures, s).design;
}

} // namespace

/// Handles of the selection, groups and locks, with real mouse and keys.
class TestPlanShaping : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale::c());
    apply_appearance(Appearance::light);
  }

  void a_corner_of_a_zone_is_dragged_put_and_taken_away() {
    PlanBench b(with_zone({{12000, 6000}, {18000, 6000}, {18000, 10200}, {12000, 10200}}));
    b.click(b.at(15000, 6000)); // its edge; the middle of the zone stays free for a band
    QCOMPARE(b.view.selection(), (std::vector<EntityRef>{{"zones", b.design.zones->front().id}}));
    b.drag(b.at(18000, 10200), b.at(20400, 11400));
    QCOMPARE(b.edits.size(), 1u);
    QVERIFY(b.previews > 0);
    QCOMPARE(b.design.zones->front().outline,
             (std::vector<PlanPoint>{{12000, 6000}, {18000, 6000}, {20400, 11400}, {12000, 10200}}));
    b.drag(b.at(12000, 8100), b.at(10800, 7800)); // the middle of the left side
    QCOMPARE(b.design.zones->front().outline,
             (std::vector<PlanPoint>{{12000, 6000}, {18000, 6000}, {20400, 11400}, {12000, 10200}, {10800, 7800}}));
    b.click(b.at(20400, 11400)); // a click chooses the corner
    b.key(Qt::Key_Delete);
    QCOMPARE(b.deletions, 0);
    QCOMPARE(b.design.zones->front().outline,
             (std::vector<PlanPoint>{{12000, 6000}, {18000, 6000}, {12000, 10200}, {10800, 7800}}));
    QTest::mouseDClick(b.view.viewport(), Qt::LeftButton, {}, b.at(10800, 7800)); // or a double click
    QCOMPARE(b.design.zones->front().outline, (std::vector<PlanPoint>{{12000, 6000}, {18000, 6000}, {12000, 10200}}));
  }

  void an_outline_that_would_cross_itself_is_refused() {
    PlanBench b(with_zone({{12000, 6000}, {18000, 6000}, {18000, 10200}, {12000, 10200}}));
    b.view.setSelection({{"zones", b.design.zones->front().id}});
    b.drag(b.at(18000, 10200), b.at(14400, 4800)); // over the side above
    QVERIFY2(!b.refusal.isEmpty(), "sides cross");
    QCOMPARE(b.design.zones->front().outline[2], (PlanPoint{18000, 10200}));
  }

  void a_hall_is_reshaped_and_shift_keeps_right_angles() {
    PlanBench b(hall_with_rows());
    b.click(b.at(12000, 0));
    QCOMPARE(b.view.selection().front().table, std::string("halls"));
    b.drag(b.at(24000, 12000), b.at(25200, 12600), Qt::NoModifier);
    QCOMPARE(b.design.halls->front().outline[2], (PlanPoint{25200, 12600}));
  }

  void a_run_gets_a_bend() {
    Design d = hall_with_rows();
    Tray t;
    t.name = "Tray", t.hall = d.halls->front().id, t.path = {{12000, 7200}, {18000, 7200}};
    d = add_entity(d, &Design::trays, t).design;
    PlanBench b(d);
    b.click(b.at(13200, 7200));
    QCOMPARE(b.view.selection().front().table, std::string("trays"));
    b.drag(b.at(15000, 7200), b.at(15000, 9000));
    QCOMPARE(b.design.trays->front().path, (std::vector<PlanPoint>{{12000, 7200}, {15000, 9000}, {18000, 7200}}));
  }

  void what_lies_over_a_rack_is_taken_by_alt_and_click() {
    Design d = hall_with_rows();
    const Rack& rack = d.racks->front();
    const double x = in_millimeters(rack.x) + 300, y = in_millimeters(rack.y) + 540;
    Tray t;
    t.name = "Tray", t.hall = d.halls->front().id, t.path = {{x - 1800, y}, {x + 4200, y}}; // its handles lie elsewhere
    d = add_entity(d, &Design::trays, t).design;
    PlanBench b(d);
    const std::vector<EntityRef> the_rack{{"racks", rack.id}}, the_tray{{"trays", b.design.trays->front().id}};
    b.click(b.at(x, y)); // the rack first: it is what is meant most of the time
    QCOMPARE(b.view.selection(), the_rack);
    b.click(b.at(x, y)); // what is selected stays so
    QCOMPARE(b.view.selection(), the_rack);
    b.click(b.at(x, y), Qt::AltModifier);
    QCOMPARE(b.view.selection(), the_tray);
    b.click(b.at(x, y), Qt::AltModifier);
    QCOMPARE(b.view.selection(), the_rack);
    b.click(b.at(x, y), Qt::AltModifier);
    b.drag(b.at(x, y), b.at(x, y + 1200)); // what is selected is what moves
    QVERIFY(b.design.trays->front().path.front().y_mm > y + 900); // it may catch on an edge nearby
    QCOMPARE(in_millimeters(b.design.racks->front().y), y - 540);
  }

  void a_structure_is_resized_by_its_sides() {
    PlanBench b(with_structure(12000, 6000, 3000, 1800));
    b.click(b.at(13000, 6900));
    b.drag(b.at(15000, 6900), b.at(16800, 6900)); // right side
    const Structure* s = &b.design.structures->front();
    QCOMPARE(in_millimeters(s->x), 12000.0);
    QCOMPARE(in_millimeters(s->width), 4800.0);
    QCOMPARE(in_millimeters(s->depth), 1800.0);
    b.drag(b.at(12000, 6000), b.at(11400, 5400)); // upper left corner
    s = &b.design.structures->front();
    QCOMPARE(in_millimeters(s->x), 11400.0);
    QCOMPARE(in_millimeters(s->y), 5400.0);
    QCOMPARE(in_millimeters(s->width), 5400.0);
    QCOMPARE(in_millimeters(s->depth), 2400.0);
    QCOMPARE(b.edits.size(), 2u);
  }

  void the_far_side_of_a_turned_thing_stays_where_it_is() {
    // 3000 x 1000 turned by 90 degrees about its centre (13500, 7500): it covers x 13000..14000, y 6000..9000.
    Design d = with_structure(12000, 7000, 3000, 1000, 90);
    plan::PlanModel model;
    model.update(d, std::make_shared<const Catalog>(), 0);
    const plan::PlanObject& o = model.objects(PlanLayer::structure).front();
    // Its own right side lies at the foot, y 9000; dragged to 10200 the size along is 4200 and the head stays at 6000.
    const plan::NewBox box = plan::dragged_box(model, o, {plan::Handle::Kind::side, 0, 1, 0, {}}, {13500, 10200});
    QCOMPARE(box.width, 4200.0);
    QCOMPARE(box.depth, 1000.0);
    // Centre now (13500, 8100): unturned it begins at 13500 - 2100, 8100 - 500.
    QCOMPARE(box.x, 11400.0);
    QCOMPARE(box.y, 7600.0);
  }

  void the_round_handle_turns_by_steps_of_fifteen() {
    PlanBench b(with_structure(12000, 6000, 3000, 1800));
    b.click(b.at(13000, 6900));
    const QPoint handle = b.at(13500, 6000) - QPoint(0, 26);
    // About the centre (13500, 6900) to 43 degrees right of straight up: 45.
    const QPoint center = b.at(13500, 6900);
    const double r = center.y() - handle.y();
    const QPoint to = center + QPointF(r * std::sin(43 / 57.2958), -r * std::cos(43 / 57.2958)).toPoint();
    b.drag(handle, to);
    QCOMPARE(b.edits.size(), 1u);
    QCOMPARE(in_degrees(b.design.structures->front().rotation), 45.0);
    QCOMPARE(in_millimeters(b.design.structures->front().x), 12000.0); // on its spot
  }

  void escape_gives_a_handle_back() {
    PlanBench b(with_structure(12000, 6000, 3000, 1800));
    b.click(b.at(13000, 6900));
    b.press(b.at(15000, 6900));
    b.move(b.at(16800, 6900), {}, Qt::LeftButton);
    QVERIFY(b.previews > 0);
    b.key(Qt::Key_Escape);
    b.release(b.at(16800, 6900));
    QVERIFY(b.edits.empty());
    QVERIFY(b.cancelled > 0);
    QCOMPARE(in_millimeters(b.design.structures->front().width), 3000.0);
  }

  void a_click_takes_the_group_and_a_second_one_the_thing() {
    Design d = hall_with_rows();
    const EntityRef first{"racks", (*d.racks)[0].id}, second{"racks", (*d.racks)[1].id},
        third{"racks", (*d.racks)[2].id};
    d = group(d, {first, second})->design;
    PlanBench b(d);
    b.click(b.at(3300, 3000));
    QCOMPARE(b.view.selection(), (std::vector<EntityRef>{first, second}));
    b.click(b.at(3300, 3000));
    QCOMPARE(b.view.selection(), (std::vector<EntityRef>{first}));
    // A band that takes a part takes the whole.
    b.drag(b.at(3500, 2000), b.at(5000, 3900)); // contains the second and the third
    QCOMPARE(b.view.selection(), (std::vector<EntityRef>{first, second, third}));
  }

  void what_is_locked_has_no_handles_and_stays() {
    Design d = with_structure(12000, 6000, 3000, 1800);
    d = *set_locked(d, {{"structures", d.structures->front().id}}, true);
    PlanBench b(d);
    b.click(b.at(13000, 6900));
    b.drag(b.at(15000, 6900), b.at(16800, 6900));
    b.drag(b.at(13500, 6900), b.at(13500, 8700));
    QVERIFY(b.edits.empty());
    QVERIFY(b.hint.contains(QStringLiteral("locked")));
  }

  void a_hidden_or_locked_layer_is_out_of_reach() {
    PlanBench b(with_zone({{12000, 6000}, {18000, 6000}, {18000, 10200}, {12000, 10200}}));
    b.view.setLayerLocked(PlanLayer::zones, true);
    b.click(b.at(15000, 6000));
    QVERIFY(b.view.selection().empty());
    b.view.setLayerLocked(PlanLayer::zones, false);
    b.view.setLayerVisible(PlanLayer::zones, false);
    b.click(b.at(15000, 6000));
    QVERIFY(b.view.selection().empty());
    b.view.setLayerVisible(PlanLayer::zones, true);
    b.click(b.at(15000, 6000));
    QCOMPARE(b.view.selection().size(), 1u);
  }

  void arrows_nudge_zones_and_guides() {
    Design d = with_zone({{12000, 6000}, {18000, 6000}, {18000, 10200}, {12000, 10200}});
    Guide g;
    g.hall = d.halls->front().id, g.position = millimeters(20000);
    d = add_entity(d, &Design::guides, g).design;
    PlanBench b(d);
    b.view.setSelection({{"guides", d.guides->front().id}, {"zones", d.zones->front().id}});
    b.key(Qt::Key_Right);
    QCOMPARE(in_millimeters(b.design.guides->front().position), 20600.0);
    QCOMPARE(b.design.zones->front().outline.front(), (PlanPoint{12600, 6000}));
  }

  void a_drag_goes_as_far_as_is_typed() {
    PlanBench b(hall_with_rows());
    const auto place = [&] {
      const Rack& r = b.design.racks->front();
      return QPointF(in_millimeters(r.x), in_millimeters(r.y));
    };
    QCOMPARE(place(), QPointF(3000, 2400));
    // To the right, then down by the other axis; Enter ends it with the button still held.
    b.click(b.at(3300, 3000));
    b.press(b.at(3300, 3000));
    b.move(b.at(3900, 3000), {}, Qt::LeftButton);
    b.move(b.at(4500, 3100), {}, Qt::LeftButton);
    b.type("2 m");
    QCOMPARE(b.view.tool(), PlanTool::select); // m is no tool here
    b.key(Qt::Key_Tab);
    b.type("6.125 m"); // where nothing else stands
    b.key(Qt::Key_Return);
    b.release(b.at(4500, 3100));
    QCOMPARE(b.edits.size(), 1u);
    QCOMPARE(place(), QPointF(5000, 8525));
    // Up: the way of the drag; a later move of the cursor does not change what is typed; releasing ends it.
    b.press(b.at(5300, 9100));
    b.move(b.at(5300, 8600), {}, Qt::LeftButton);
    b.move(b.at(5310, 8100), {}, Qt::LeftButton);
    b.type("0.3 m");
    b.move(b.at(5900, 7200), {}, Qt::LeftButton);
    b.release(b.at(5900, 7200));
    QCOMPARE(place(), QPointF(5000, 8225));
    // Pressed, not yet dragged; what is no length is said and not done.
    b.press(b.at(5300, 8800));
    b.type("2 kg");
    b.key(Qt::Key_Return);
    QVERIFY2(b.hint.contains(QStringLiteral("kg")), qPrintable(b.hint));
    for (int i = 0; i < 4; ++i)
      b.key(Qt::Key_Backspace);
    b.type("-1.5 m");
    b.key(Qt::Key_Return);
    b.release(b.at(5300, 8800));
    QCOMPARE(place(), QPointF(3500, 8225));
    QCOMPARE(b.edits.size(), 3u);
    // Esc forgets what is typed with the drag.
    b.press(b.at(3800, 8800));
    b.move(b.at(4400, 8800), {}, Qt::LeftButton);
    b.type("9 m");
    b.key(Qt::Key_Escape);
    b.release(b.at(4400, 8800));
    QCOMPARE(b.edits.size(), 3u);
    QCOMPARE(place(), QPointF(3500, 8225));
  }
};

QTEST_MAIN(TestPlanShaping)
#include "test_plan_shaping.moc"
