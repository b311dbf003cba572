// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_bench.h"
#include "widgets/plan/plan_length.h"
#include "widgets/theme.h"

using namespace hallwright;
using test::hall_with_rows;
using test::PlanBench;

namespace {
std::vector<PlanPoint> points(std::initializer_list<PlanPoint> list) { return list; }
} // namespace

/// The drawing tools, with real mouse and keys; what they make is asserted in millimetres.
class TestPlanDrawing : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale::c()); // typed numbers and hints are compared as text
    apply_appearance(Appearance::light);
  }
  void init() { PlanView::setLengthStyle(LengthStyle::metric); }

  void a_hall_is_drawn_by_typed_lengths() {
    PlanBench b(Design{});
    b.view.setTool(PlanTool::hall_outline);
    b.click(b.at(0, 0));
    b.move(b.at(5000, 80)); // about to the right
    b.type("12.345 m");
    b.key(Qt::Key_Tab); // and exactly so
    b.type("0");
    b.key(Qt::Key_Return);
    b.move(b.at(12345, 4000), Qt::ShiftModifier);
    b.type("9"); // a bare number is in metres; downwards is 270 degrees
    b.key(Qt::Key_Tab);
    b.type("270");
    b.key(Qt::Key_Return);
    b.move(b.at(300, 9000));
    b.type("40 ft");
    b.key(Qt::Key_Tab);
    b.type("180");
    b.key(Qt::Key_Return);
    b.key(Qt::Key_Return); // closes
    QCOMPARE(b.design.halls->size(), 1u);
    // 40 ft are 12192 mm: 12345 - 12192 = 153.
    QCOMPARE(b.design.halls->front().outline, points({{0, 0}, {12345, 0}, {12345, 9000}, {153, 9000}}));
    QCOMPARE(b.view.tool(), PlanTool::select);
  }

  void escape_gives_up_what_is_typed_then_what_is_drawn_then_the_tool() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::tray);
    b.click(b.at(1200, 7200));
    b.move(b.at(6000, 7200));
    b.type("3");
    b.key(Qt::Key_Escape);
    b.click(b.at(6000, 7200)); // not bound any more
    b.key(Qt::Key_Backspace);  // takes the last point back
    b.click(b.at(7200, 7200));
    b.key(Qt::Key_Escape);
    QCOMPARE(b.view.tool(), PlanTool::tray);
    b.key(Qt::Key_Escape);
    QCOMPARE(b.view.tool(), PlanTool::select);
    QVERIFY(b.edits.empty());
  }

  void a_wrong_length_says_what_is_allowed() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::wall);
    b.click(b.at(1200, 7200));
    b.move(b.at(6000, 7200));
    b.type("3 kg");
    b.key(Qt::Key_Return);
    QVERIFY2(b.hint.contains(QStringLiteral("3 kg")), qPrintable(b.hint));
    QVERIFY(b.edits.empty());
  }

  void shift_keeps_right_angles() {
    PlanBench b(hall_with_rows());
    DrawSettings s;
    s.level_mm = 2950, s.size_mm = 450, s.tray = TrayKind::copper;
    b.view.setDrawSettings(s);
    b.view.setTool(PlanTool::tray);
    b.click(b.at(1200, 7200));
    b.click(b.at(10800, 8400), Qt::ShiftModifier); // 1200 mm off the axis: y stays 7200
    b.click(b.at(12000, 10800), Qt::ShiftModifier);
    b.key(Qt::Key_Return);
    QCOMPARE(b.design.trays->size(), 1u);
    const Tray& t = b.design.trays->front();
    QCOMPARE(t.path, points({{1200, 7200}, {10800, 7200}, {10800, 10800}}));
    QCOMPARE(in_millimeters(t.elevation), 2950.0);
    QCOMPARE(in_millimeters(t.width), 450.0);
    QCOMPARE(t.kind, TrayKind::copper);
  }

  void a_double_click_ends_a_pipe() {
    PlanBench b(hall_with_rows());
    DrawSettings s;
    s.level_mm = -400, s.size_mm = 150, s.side = PipeSide::return_;
    b.view.setDrawSettings(s);
    b.view.setTool(PlanTool::pipe);
    b.click(b.at(1200, 9000));
    b.click(b.at(12000, 9000));
    QTest::mouseDClick(b.view.viewport(), Qt::LeftButton, {}, b.at(12000, 9000));
    QCOMPARE(b.design.pipes->size(), 1u);
    const Pipe& p = b.design.pipes->front();
    QCOMPARE(p.path, points({{1200, 9000}, {12000, 9000}}));
    QCOMPARE(in_millimeters(p.diameter), 150.0);
    QCOMPARE(in_millimeters(p.elevation), -400.0);
    QCOMPARE(p.side, PipeSide::return_);
    QCOMPARE(b.view.tool(), PlanTool::pipe); // the next run can begin
  }

  void walls_follow_each_other() {
    PlanBench b(hall_with_rows());
    DrawSettings s;
    s.size_mm = 200;
    b.view.setDrawSettings(s);
    b.view.setTool(PlanTool::wall);
    b.click(b.at(12000, 1200));
    b.click(b.at(18000, 1200));
    b.click(b.at(18000, 6000));
    b.key(Qt::Key_Return);
    QCOMPARE(b.design.structures->size(), 2u);
    const Structure &first = (*b.design.structures)[0], &second = (*b.design.structures)[1];
    QCOMPARE(first.kind, StructureKind::wall);
    QCOMPARE(in_millimeters(first.x), 12000.0);
    QCOMPARE(in_millimeters(first.y), 1100.0); // its middle at 1200
    QCOMPARE(in_millimeters(first.width), 6000.0);
    QCOMPARE(in_millimeters(first.depth), 200.0);
    QCOMPARE(in_degrees(first.rotation), 0.0);
    // 4800 long, upright: centre (18000, 3600), so that unturned it begins at 15600, 3500.
    QCOMPARE(in_millimeters(second.width), 4800.0);
    QCOMPARE(in_millimeters(second.x), 15600.0);
    QCOMPARE(in_millimeters(second.y), 3500.0);
    QCOMPARE(in_degrees(second.rotation), 90.0);
  }

  void a_click_puts_a_column_and_a_drag_sizes_an_obstacle() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::column);
    b.click(b.at(12000 + 250, 7200 + 250)); // its corner on the grid
    QCOMPARE(b.design.structures->size(), 1u);
    const Structure& column = b.design.structures->front();
    QCOMPARE(column.kind, StructureKind::column);
    QCOMPARE(in_millimeters(column.x), 12000.0);
    QCOMPARE(in_millimeters(column.y), 7200.0);
    QCOMPARE(in_millimeters(column.width), 500.0);
    QCOMPARE(b.view.tool(), PlanTool::column); // the next one
    b.view.setTool(PlanTool::obstacle);
    b.drag(b.at(15000, 8400), b.at(17400, 10200)); // off the line of the column
    const Structure& obstacle = b.design.structures->back();
    QCOMPARE(obstacle.kind, StructureKind::obstacle);
    QCOMPARE(in_millimeters(obstacle.x), 15000.0);
    QCOMPARE(in_millimeters(obstacle.y), 8400.0);
    QCOMPARE(in_millimeters(obstacle.width), 2400.0);
    QCOMPARE(in_millimeters(obstacle.depth), 1800.0);
  }

  void r_turns_a_door_before_it_is_put() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::door);
    b.move(b.at(20000, 9000));
    b.key(Qt::Key_R);
    b.click(b.at(20000, 9000));
    QCOMPARE(b.design.structures->size(), 1u);
    QCOMPARE(b.design.structures->front().kind, StructureKind::door);
    QCOMPARE(in_degrees(b.design.structures->front().rotation), 90.0);
    QCOMPARE(in_millimeters(b.design.structures->front().width), 1200.0);
  }

  void a_zone_takes_two_corners_or_typed_sides() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::zone);
    b.click(b.at(12000, 1200));
    b.move(b.at(13000, 2000));
    b.type("6 m");
    b.key(Qt::Key_Tab);
    b.type("4500 mm");
    b.key(Qt::Key_Return);
    QCOMPARE(b.design.zones->size(), 1u);
    QCOMPARE(b.design.zones->front().outline, points({{12000, 1200}, {18000, 1200}, {18000, 5700}, {12000, 5700}}));
    b.view.setTool(PlanTool::zone_polygon);
    for (const QPoint& p : {b.at(12000, 7200), b.at(18000, 7200), b.at(15000, 10800)})
      b.click(p);
    b.click(b.at(12000, 7200)); // the first corner closes
    QCOMPARE(b.design.zones->size(), 2u);
    QCOMPARE(b.design.zones->back().outline, points({{12000, 7200}, {18000, 7200}, {15000, 10800}}));
  }

  void a_click_encloses_an_aisle() {
    PlanBench b(hall_with_rows());
    DrawSettings s;
    s.containment_height_mm = 2400;
    b.view.setDrawSettings(s);
    b.view.setTool(PlanTool::containment);
    b.click(b.at(6000, 4100));
    QCOMPARE(b.design.containments->size(), 1u);
    const Containment& c = b.design.containments->front();
    QCOMPARE(c.kind, ContainmentKind::hot_aisle);
    QCOMPARE(in_millimeters(c.x), 3000.0);
    QCOMPARE(in_millimeters(c.y), 3600.0);
    QCOMPARE(in_millimeters(c.width), 6000.0);
    QCOMPARE(in_millimeters(c.depth), 1000.0);
    QCOMPARE(in_millimeters(c.height), 2400.0);
  }

  void a_busway_runs_between_two_points() {
    PlanBench b(hall_with_rows());
    DrawSettings s;
    s.size_mm = 150, s.level_mm = 2800;
    b.view.setDrawSettings(s);
    b.view.setTool(PlanTool::busway);
    b.click(b.at(1200, 7800));
    b.click(b.at(10800, 7800));
    QCOMPARE(b.design.power_units->size(), 1u);
    const PowerUnit& u = b.design.power_units->front();
    QCOMPARE(u.kind, PowerUnitKind::busway);
    QCOMPARE(in_millimeters(u.x), 1200.0);
    QCOMPARE(in_millimeters(u.y), 7725.0);
    QCOMPARE(in_millimeters(*u.width), 9600.0);
    QCOMPARE(in_millimeters(*u.depth), 150.0);
    QCOMPARE(in_millimeters(*u.elevation), 2800.0);
  }

  void notes_and_labels_are_written_where_one_clicks() {
    PlanBench b(hall_with_rows());
    DrawSettings s;
    s.text = QStringLiteral("Pod 1"), s.text_height_mm = 600;
    b.view.setDrawSettings(s);
    b.view.setTool(PlanTool::label);
    b.click(b.at(12000, 9000));
    QCOMPARE(b.design.notes->size(), 1u);
    const Note& n = b.design.notes->front();
    QCOMPARE(n.text, std::string("Pod 1"));
    QCOMPARE(n.kind, NoteKind::label);
    QCOMPARE(in_millimeters(n.x), 12000.0);
    QCOMPARE(in_millimeters(n.y), 9000.0);
    QCOMPARE(in_millimeters(n.text_height), 600.0);
  }

  void a_dimension_stays_fixed_to_what_it_measures() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::dimension);
    b.click(b.at(3000, 2400)); // upper left corner of the first rack
    b.click(b.at(9000, 2400)); // upper right corner of the tenth
    b.click(b.at(6000, 1200)); // the line goes above
    QCOMPARE(b.design.dimensions->size(), 1u);
    const Dimension d = b.design.dimensions->front();
    QCOMPARE(d.direction, DimensionDirection::along_x);
    QCOMPARE(d.start, (*b.design.racks)[0].id);
    QCOMPARE(d.end, (*b.design.racks)[9].id);
    QCOMPARE(in_millimeters(d.start_x), 0.0);
    QCOMPARE(in_millimeters(d.end_x), 600.0);
    QCOMPARE(in_millimeters(d.end_y), 0.0);
    QCOMPARE(in_millimeters(d.offset), -1200.0);
    plan::PlanModel model;
    model.update(b.design, b.catalog, 0);
    QCOMPARE(model.dimension(model.objects(PlanLayer::dimensions).front()).length, 6000.0);
    // The tenth rack moves 750 mm to the right, then turns: the corner that was upper right comes to lie lower right.
    const EntityRef tenth{"racks", d.end};
    Design after = *move_by(b.design, {tenth}, millimeters(750), millimeters(0));
    model.update(after, b.catalog, 0);
    QCOMPARE(model.dimension(model.objects(PlanLayer::dimensions).front()).length, 6750.0);
    after = *rotate_by(after, {tenth}, degrees(90), {{tenth, {millimeters(600), millimeters(1200)}}});
    model.update(after, b.catalog, 0);
    // The rack at x 9150 has its centre at 9450, 3000; its corner at (300, -600) from there turns to (600, 300).
    const plan::DimensionLine line = model.dimension(model.objects(PlanLayer::dimensions).front());
    QCOMPARE(line.end, QPointF(9450 + 600, 3000 + 300));
    QCOMPARE(line.length, 7050.0);
  }

  void a_dimension_across_an_aisle_reads_its_clear_width() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::dimension);
    b.click(b.at(9000, 3600));
    b.click(b.at(9000, 4600));
    b.click(b.at(10200, 4100));
    const Dimension& d = b.design.dimensions->front();
    QCOMPARE(d.direction, DimensionDirection::along_y);
    plan::PlanModel model;
    model.update(b.design, b.catalog, 0);
    const plan::DimensionLine& line = model.dimension(model.objects(PlanLayer::dimensions).front());
    QCOMPARE(line.length, 1000.0);
    QCOMPARE(line.from.x(), 10200.0);
    // Its line is dragged, what it measures is not.
    b.view.setTool(PlanTool::select);
    b.view.setSelection({});
    b.drag(b.at(10200, 4000), b.at(12000, 4000));
    model.update(b.design, b.catalog, 0);
    const plan::DimensionLine& dragged = model.dimension(model.objects(PlanLayer::dimensions).front());
    QCOMPARE(dragged.from.x(), 12000.0);
    QCOMPARE(dragged.length, 1000.0);
  }

  void a_guide_comes_out_of_a_ruler_and_goes_back() {
    PlanBench b(hall_with_rows());
    b.drag(QPoint(8, 300), b.at(12000, 6000)); // out of the left ruler: upright
    QCOMPARE(b.design.guides->size(), 1u);
    QCOMPARE(b.design.guides->front().axis, GuideAxis::x);
    QCOMPARE(in_millimeters(b.design.guides->front().position), 12000.0);
    b.drag(QPoint(400, 8), b.at(12000, 8400));
    QCOMPARE(b.design.guides->size(), 2u);
    QCOMPARE(b.design.guides->back().axis, GuideAxis::y);
    QCOMPARE(in_millimeters(b.design.guides->back().position), 8400.0);
    b.drag(b.at(12000, 10200), b.at(15000, 10200)); // by its line
    QCOMPARE(in_millimeters(b.design.guides->front().position), 15000.0);
    b.drag(b.at(15000, 10200), QPoint(5, 400));
    QCOMPARE(b.design.guides->size(), 1u);
    QCOMPARE(b.design.guides->front().axis, GuideAxis::y);
  }

  void things_catch_on_a_guide() {
    Design d = hall_with_rows();
    Guide g;
    g.hall = d.halls->front().id, g.position = millimeters(13130);
    d = add_entity(d, &Design::guides, g).design;
    PlanBench b(d);
    b.view.setTool(PlanTool::zone);
    b.move(b.at(13100, 6600));
    QVERIFY2(b.snap.contains(QStringLiteral("guide 13.13 m")), qPrintable(b.snap));
    b.drag(b.at(13130, 6600), b.at(18000, 9000));
    QCOMPARE(b.design.zones->front().outline.front(), (PlanPoint{13130, 6600}));
  }

  void what_is_caught_is_named() {
    Design d = hall_with_rows();
    Structure wall;
    wall.kind = StructureKind::wall, wall.name = "Wall 7", wall.hall = d.halls->front().id;
    wall.x = millimeters(14450), wall.y = millimeters(1000), wall.width = millimeters(200),
    wall.depth = millimeters(4000);
    d = add_entity(d, &Design::structures, wall).design;
    Structure column;
    column.kind = StructureKind::column, column.name = "Column 3", column.hall = d.halls->front().id;
    column.x = millimeters(19950), column.y = millimeters(8000);
    d = add_entity(d, &Design::structures, column).design;
    PlanBench b(d);
    b.view.setTool(PlanTool::tray);
    b.move(b.at(3000, 2400));
    QCOMPARE(b.snap, QStringLiteral("corner of R01-01"));
    b.move(b.at(14450, 3050));
    QVERIFY2(b.snap.startsWith(QStringLiteral("wall Wall 7")), qPrintable(b.snap));
    b.move(b.at(20200, 4800)); // far above the column, on its line
    QVERIFY2(b.snap.startsWith(QStringLiteral("column line of Column 3")), qPrintable(b.snap));
    b.move(b.at(24000, 12000));
    QCOMPARE(b.snap, QStringLiteral("corner of Hall A"));
    b.move(b.at(12000, 10200));
    QCOMPARE(b.snap, QStringLiteral("grid 600 mm"));
    b.move(b.at(12000, 10200), Qt::AltModifier);
    QCOMPARE(b.snap, QString());
  }

  void a_raised_floor_is_the_grid() {
    Design d;
    Hall hall;
    hall.name = "Hall T";
    hall.outline = {{0, 0}, {18000, 0}, {18000, 9000}, {0, 9000}};
    hall.raised_floor_height = millimeters(600);
    hall.tile_width = millimeters(610); // 24 in tiles of 609.6 mm are sold as 610
    hall.tile_origin_x = millimeters(150);
    d = add_entity(d, &Design::halls, hall).design;
    PlanBench b(d);
    b.view.setTool(PlanTool::zone);
    b.move(b.at(150 + 10 * 610 + 60, 5 * 610 - 60));
    QCOMPARE(b.snap, QStringLiteral("tile 610 mm"));
    b.drag(b.at(150 + 10 * 610, 5 * 610), b.at(150 + 15 * 610, 10 * 610));
    QCOMPARE(b.design.zones->front().outline.front(), (PlanPoint{6250, 3050}));
    QCOMPARE(b.design.zones->front().outline[2], (PlanPoint{9300, 6100}));
  }

  void the_measure_says_distance_and_angle_and_clear_width() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::measure);
    b.move(b.at(6000, 4100)); // in the hot aisle: 24 m along, 1 m across
    QVERIFY2(b.hint.contains(QStringLiteral("24.00 m across, 1.00 m down")), qPrintable(b.hint));
    b.click(b.at(12000, 9000));
    b.click(b.at(15000, 5000), Qt::AltModifier); // 3 to the right, 4 up: 5, at 53.1 degrees
    const QPointF from(12000, 9000);
    const QPointF to = b.view.viewportTransform().inverted().map(QPointF(b.at(15000, 5000)));
    const double length = std::hypot(to.x() - from.x(), to.y() - from.y()) / 1000;
    QVERIFY2(b.hint.startsWith(QString::number(length, 'f', 3) + QStringLiteral(" m")), qPrintable(b.hint));
    // Where the pixel lies, the triangle is about 3, 4, 5: 53.13 degrees.
    const double angle = std::atan2(from.y() - to.y(), to.x() - from.x()) * 57.29577951308232;
    QVERIFY(std::abs(angle - 53.13) < 0.5);
    QVERIFY2(b.hint.contains(QStringLiteral("angle ") + QString::number(angle, 'f', 1)), qPrintable(b.hint));
  }

  void lengths_are_read_and_written_in_either_family() {
    QCOMPARE(plan::read_length(QStringLiteral("12")).value(), 12000.0);
    QCOMPARE(plan::exact_length_text(3600), QStringLiteral("3.60 m"));
    QCOMPARE(plan::exact_length_text(1205), QStringLiteral("1.205 m"));
    // What was typed stands there, to the millimetre, and no digit more.
    QCOMPARE(plan::extent_text(24350), QStringLiteral("24.35 m"));
    QCOMPARE(plan::extent_text(24355.0000001), QStringLiteral("24.355 m"));
    QCOMPARE(plan::extent_text(24000), QStringLiteral("24.0 m"));
    QCOMPARE(plan::extent_text(3200), QStringLiteral("3.20 m"));
    QCOMPARE(plan::level_text(2700), QStringLiteral("+2.70 m"));
    PlanView::setLengthStyle(LengthStyle::imperial);
    QCOMPARE(plan::read_length(QStringLiteral("12")).value(), 3657.6); // feet
    QCOMPARE(plan::read_length(QStringLiteral("600 mm")).value(), 600.0);
    QCOMPARE(plan::exact_length_text(3657.6), QStringLiteral("12 ft"));
    QCOMPARE(plan::exact_length_text(609.6), QStringLiteral("2 ft"));
    QCOMPARE(plan::exact_length_text(1000), QStringLiteral("3 ft 3.37 in")); // 39.3701 in
    QCOMPARE(plan::size_text(304.8), QStringLiteral("1 ft"));
  }

  void a_row_is_numbered_from_either_end() {
    PlanBench b(hall_with_rows());
    RowToolSettings s;
    s.rack_type = b.design.rack_types->front().id;
    s.first_row_name = QStringLiteral("K1");
    s.first_number = 11;
    s.count_back = true;
    b.view.setRowSettings(s);
    b.view.setTool(PlanTool::row);
    b.drag(b.at(12000, 8400), b.at(14400, 8400));
    QCOMPARE(b.design.racks->size(), 24u);
    const auto rack_at = [&](double x) {
      for (const Rack& r : *b.design.racks)
        if (in_millimeters(r.y) == 8400.0 && in_millimeters(r.x) == x) return QString::fromStdString(r.name);
      return QString();
    };
    QCOMPARE(rack_at(12000), QStringLiteral("K1-14"));
    QCOMPARE(rack_at(13800), QStringLiteral("K1-11"));
  }

  void a_row_goes_from_click_to_click() {
    PlanBench b(hall_with_rows());
    RowToolSettings s;
    s.rack_type = b.design.rack_types->front().id;
    s.first_row_name = QStringLiteral("K1");
    b.view.setRowSettings(s);
    b.view.setTool(PlanTool::row);
    b.click(b.at(12000, 8400));
    QCOMPARE(b.design.racks->size(), 20u); // nothing yet
    b.move(b.at(14000, 8420));
    b.move(b.at(15000, 8430));
    QVERIFY2(b.hint.startsWith(QStringLiteral("5 racks")), qPrintable(b.hint));
    QTest::mouseClick(b.view.viewport(), Qt::LeftButton, {}, b.at(15000, 8430));
    QCOMPARE(b.edits.size(), 1u);
    QCOMPARE(b.design.racks->size(), 25u);
    for (int i = 0; i < 5; ++i) {
      const Rack& r = (*b.design.racks)[static_cast<std::size_t>(20 + i)];
      QCOMPARE(in_millimeters(r.x), 12000.0 + 600.0 * i);
      QCOMPARE(in_millimeters(r.y), 8400.0);
      QCOMPARE(in_degrees(r.rotation), 0.0);
    }
    // A double click at one place makes no rack; Esc gives the begun row up.
    QTest::mouseClick(b.view.viewport(), Qt::LeftButton, {}, b.at(3000, 8400));
    QTest::mouseDClick(b.view.viewport(), Qt::LeftButton, {}, b.at(3000, 8400));
    b.key(Qt::Key_Escape);
    QCOMPARE(b.edits.size(), 1u);
    QCOMPARE(b.view.tool(), PlanTool::row);
    // A typed number is the count, whatever the cursor says.
    b.click(b.at(3000, 8400));
    b.move(b.at(3000, 9600));
    b.type("3");
    QVERIFY2(b.hint.startsWith(QStringLiteral("3 racks")), qPrintable(b.hint));
    b.key(Qt::Key_Return);
    QCOMPARE(b.design.racks->size(), 28u);
    QCOMPARE(in_degrees(b.design.racks->back().rotation), 270.0); // down the plan
    // While dragging too, and straight after the first click: to the right.
    b.press(b.at(12000, 10200));
    b.move(b.at(12600, 10200), {}, Qt::LeftButton);
    b.type("14");
    b.key(Qt::Key_Backspace);
    b.type("2");
    b.release(b.at(12600, 10200));
    QCOMPARE(b.design.racks->size(), 40u);
    b.click(b.at(6000, 10800));
    b.type("4");
    b.key(Qt::Key_Return);
    QCOMPARE(b.design.racks->size(), 44u);
    QCOMPARE(in_millimeters(b.design.racks->back().x), 7800.0);
    QCOMPARE(in_degrees(b.design.racks->back().rotation), 0.0);
  }

  void racks_of_the_catalog_become_types_in_the_same_step() {
    PlanBench b(hall_with_rows());
    Catalog catalog;
    RackPart part;
    part.id = "tall-800", part.name = "Tall 800", part.kind = "cabinet";
    part.width = millimeters(800), part.depth = millimeters(1000), part.height = millimeters(2300);
    catalog.racks.push_back(part);
    b.catalog = share(std::move(catalog));
    b.view.setDesign(b.design, b.catalog);
    b.view.setPlacedPart(QStringLiteral("racks/tall-800"));
    b.click(b.at(15000, 9000));
    QCOMPARE(b.edits.size(), 1u);
    QCOMPARE(b.design.rack_types->size(), 2u);
    QCOMPARE(b.design.rack_types->back().name, std::string("Tall 800"));
    QCOMPARE(b.design.rack_types->back().rack_part, std::string("tall-800"));
    QCOMPARE(b.design.racks->back().rack_type, b.design.rack_types->back().id);
    // A row of it: the type is there already; its pitch is 800 mm when none is set.
    RowToolSettings s;
    s.rack_part = QStringLiteral("tall-800"), s.pitch_mm = 0, s.first_row_name = QStringLiteral("T1");
    b.view.setRowSettings(s);
    b.view.setTool(PlanTool::row);
    b.drag(b.at(3000, 8400), b.at(3000 + 4 * 800, 8400));
    QCOMPARE(b.design.rack_types->size(), 2u);
    QCOMPARE(b.design.racks->size(), 20u + 1 + 4);
    QCOMPARE(in_millimeters(b.design.racks->back().x), 3000.0 + 3 * 800);
    // Once it is filled it is the user's: the catalog's makes another one.
    RackItem item;
    item.rack_type = b.design.rack_types->back().id, item.part = "x";
    b.design = add_entity(b.design, &Design::rack_items, item).design;
    b.view.setDesign(b.design, b.catalog);
    b.view.setPlacedPart(QStringLiteral("racks/tall-800"));
    b.click(b.at(18000, 9000));
    QCOMPARE(b.design.rack_types->size(), 3u);
    QCOMPARE(b.design.rack_types->back().name, std::string("Tall 800 2"));
  }

  void a_label_is_written_where_it_stands() {
    PlanBench b(hall_with_rows());
    const auto field = [&] {
      QLineEdit* found = nullptr;
      for (auto* f : b.view.viewport()->findChildren<QLineEdit*>(QStringLiteral("note_field")))
        if (f->isVisible()) found = f;
      return found;
    };
    b.view.setTool(PlanTool::label);
    b.click(b.at(12000, 8400));
    QVERIFY(field());
    QCOMPARE(field()->selectedText(), QStringLiteral("Label"));
    QTest::keyClicks(field(), QStringLiteral("Delivery way"));
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(!field());
    QCOMPARE(b.design.notes->size(), 1u);
    QCOMPARE(b.design.notes->front().text, std::string("Delivery way"));
    // Esc keeps the word that is there.
    b.view.setTool(PlanTool::note);
    b.click(b.at(18000, 8400));
    QVERIFY(field());
    QTest::keyClicks(field(), QStringLiteral("no"));
    QTest::keyClick(field(), Qt::Key_Escape);
    QVERIFY(!field());
    QCOMPARE(b.design.notes->size(), 2u);
    QCOMPARE(b.design.notes->back().text, std::string("Note"));
    // A note that gets other words elsewhere, or goes, takes its field along.
    b.view.setTool(PlanTool::note);
    b.click(b.at(21000, 8400));
    QVERIFY(field());
    const EntityRef third{"notes", b.design.notes->back().id};
    b.design = *set_field(b.design, third, "text", FieldValue(std::string("Renamed")));
    b.view.setDesign(b.design, b.catalog);
    QVERIFY(!field());
    b.view.setTool(PlanTool::note);
    b.click(b.at(22000, 9400));
    QVERIFY(field());
    b.design = *remove(b.design, {third, {"notes", b.design.notes->back().id}});
    b.view.setDesign(b.design, b.catalog);
    QVERIFY(!field());
    // A text that was given before needs no field.
    DrawSettings s;
    s.text = QStringLiteral("Hot");
    b.view.setDrawSettings(s);
    b.view.setTool(PlanTool::label);
    b.click(b.at(6000, 10800));
    QVERIFY(!field());
    QCOMPARE(b.design.notes->back().text, std::string("Hot"));
  }
};

QTEST_MAIN(TestPlanDrawing)
#include "test_plan_drawing.moc"
