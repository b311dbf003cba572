// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include <QElapsedTimer>
#include <QMimeData>
#include <QSignalSpy>
#include <QtTest>
#include <QtWidgets>

#include "evaluation/evaluation.h"
#include "widgets/panels.h"
#include "widgets/plan/plan_labels.h"
#include "widgets/plan/plan_model.h"
#include "widgets/plan/plan_painter.h"
#include "widgets/plan/plan_snap.h"
#include "widgets/plan/plan_view.h"
#include "widgets/theme.h"

using namespace hallwright;

namespace {

/// A hall of 24 x 12 m with two rows of ten racks of 600 x 1200 mm: R01 at y 2400 (front up), R02 at y 4600 (front down,
/// hot aisle of 1000 mm between them). Racks have the ids of `racks`.
struct Drawing {
  Design design;
  Id hall = 0, type = 0;
};
Drawing drawing(Count racks_per_row = 10, Count rows = 2, double width = 24000, double depth = 12000) {
  Drawing out;
  Hall hall;
  hall.name = "Hall A";
  hall.outline = {{0, 0}, {width, 0}, {width, depth}, {0, depth}};
  out.design = add_entity(out.design, &Design::halls, hall).design;
  out.hall = out.design.halls->back().id;
  RackType type;
  type.name = "Rack of a test";
  type.width = millimeters(600);
  type.depth = millimeters(1200);
  out.design = add_entity(out.design, &Design::rack_types, type).design;
  out.type = out.design.rack_types->back().id;
  RowPlan plan;
  plan.hall = out.hall, plan.rack_type = out.type, plan.racks_per_row = racks_per_row, plan.rows = rows;
  plan.x = millimeters(3000), plan.y = millimeters(2400);
  plan.hot_aisle = millimeters(1000), plan.cold_aisle = millimeters(1400);
  const Making made = place_rows(out.design, plan);
  if (made) out.design = made->design;
  return out;
}

/// The view as the studio drives it: previews and edits come back as designs.
struct Bench {
  Drawing drawn;
  Shared<Catalog> catalog = std::make_shared<const Catalog>();
  PlanView view;
  std::vector<Edit> previews, edits;
  std::vector<bool> select_new;
  int selections = 0, cancelled = 0, deletions = 0;
  QString snap, hint;

  explicit Bench(Drawing d = drawing()) : drawn(std::move(d)) {
    view.resize(1000, 700);
    view.show();
    view.setDesign(drawn.design, catalog);
    view.zoomToFit();
    QObject::connect(&view, &PlanView::previewRequested, &view, [this](const Edit& e) {
      previews.push_back(e);
      if (auto after = e.apply(drawn.design)) view.setDesign(*after, catalog);
    });
    QObject::connect(&view, &PlanView::previewCancelled, &view, [this] {
      ++cancelled;
      view.setDesign(drawn.design, catalog);
    });
    QObject::connect(&view, &PlanView::editRequested, &view, [this](const Edit& e, bool made) {
      edits.push_back(e);
      select_new.push_back(made);
    });
    QObject::connect(&view, &PlanView::selectionChanged, &view, [this] { ++selections; });
    QObject::connect(&view, &PlanView::deleteRequested, &view, [this] { ++deletions; });
    QObject::connect(&view, &PlanView::cursorMoved, &view, [this](double, double, const QString& s) { snap = s; });
    QObject::connect(&view, &PlanView::hintChanged, &view, [this](const QString& h) { hint = h; });
  }
  [[nodiscard]] QPoint at(double x, double y) const { return view.viewportTransform().map(QPointF(x, y)).toPoint(); }
  [[nodiscard]] QPointF scene(const QPoint& p) const { return view.viewportTransform().inverted().map(QPointF(p)); }
  [[nodiscard]] const Rack& rack(std::size_t i) const { return (*drawn.design.racks)[i]; }
  [[nodiscard]] QPoint center(std::size_t i) const { return at(in_millimeters(rack(i).x) + 300, in_millimeters(rack(i).y) + 600); }
  void press(const QPoint& p, Qt::KeyboardModifiers m = {}, Qt::MouseButton b = Qt::LeftButton) { QTest::mousePress(view.viewport(), b, m, p); }
  void release(const QPoint& p, Qt::KeyboardModifiers m = {}, Qt::MouseButton b = Qt::LeftButton) { QTest::mouseRelease(view.viewport(), b, m, p); }
  /// A move with held buttons and keys, which QTest::mouseMove does not send.
  void move(const QPoint& p, Qt::KeyboardModifiers m = {}, Qt::MouseButtons b = Qt::LeftButton) {
    QMouseEvent e(QEvent::MouseMove, QPointF(p), QPointF(view.viewport()->mapToGlobal(p)), Qt::NoButton, b, m);
    QApplication::sendEvent(view.viewport(), &e);
  }
  void click(const QPoint& p, Qt::KeyboardModifiers m = {}) { QTest::mouseClick(view.viewport(), Qt::LeftButton, m, p); }
  void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers m = {}) {
    press(from, m);
    move((from + to) / 2, m);
    move(to, m);
    release(to, m);
  }
  [[nodiscard]] std::vector<Id> selected() const {
    std::vector<Id> out;
    for (const EntityRef& e : view.selection()) out.push_back(e.id);
    return out;
  }
  [[nodiscard]] Design applied(std::size_t i = 0) const {
    auto after = edits.at(i).apply(drawn.design);
    return after ? *after : Design{};
  }
};

/// A picture of 1200 x 800 at 20 px a metre, the scene's origin at (100, 100), of what `paint` draws for a design.
struct Paper {
  plan::PlanModel model;
  QImage image{1200, 800, QImage::Format_RGB32};
  plan::Canvas canvas;
  template <class Paint>
  Paper(const Design& design, Paint&& paint) {
    model.update(design, std::make_shared<const Catalog>(), 0);
    image.fill(Qt::white);
    QPainter painter(&image);
    canvas.painter = &painter;
    canvas.scale = 0.02;
    canvas.origin = QPointF(100, 100);
    canvas.colors = plan::PlanColors::paper();
    canvas.base_font = QApplication::font();
    plan::Picture picture;
    picture.model = &model;
    picture.area = QRectF(-5000, -5000, 60000, 40000);
    paint(canvas, picture);
    painter.end();
  }
  /// Whether anything was drawn in this part of the scene.
  [[nodiscard]] bool marked(double x0, double y0, double x1, double y1) const {
    for (int y = static_cast<int>(100 + y0 * 0.02); y < static_cast<int>(100 + y1 * 0.02); ++y)
      for (int x = static_cast<int>(100 + x0 * 0.02); x < static_cast<int>(100 + x1 * 0.02); ++x)
        if (image.rect().contains(x, y) && image.pixel(x, y) != qRgb(255, 255, 255)) return true;
    return false;
  }
};
Design with_hall(const Design& design, const char* name, double x, double y, double w, double d) {
  Hall hall;
  hall.name = name;
  hall.outline = {{x, y}, {x + w, y}, {x + w, y + d}, {x, y + d}};
  return add_entity(design, &Design::halls, hall).design;
}

} // namespace

class TestPlanView : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale::c()); // hints are compared as text
    apply_appearance(Appearance::light);
  }

  void a_click_selects_and_ctrl_and_shift_add() {
    Bench b;
    b.click(b.center(3));
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(3).id}));
    b.click(b.center(5), Qt::ControlModifier);
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(3).id, b.rack(5).id}));
    b.click(b.center(3), Qt::ControlModifier); // Ctrl takes out again
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(5).id}));
    b.click(b.center(7), Qt::ShiftModifier);
    b.click(b.center(7), Qt::ShiftModifier); // Shift only extends
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(5).id, b.rack(7).id}));
    b.click(b.center(1));
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(1).id}));
    b.click(b.at(12000, 9000)); // empty floor
    QVERIFY(b.selected().empty());
    QVERIFY(b.edits.empty());
  }

  void a_band_to_the_right_contains_and_to_the_left_touches() {
    Bench b;
    // Racks 0..9 of the first row stand at x 3000 + 600 i. A band from 3300 to 5500 holds racks 1, 2 and 3 (3600..5400)
    // whole, and touches 0 (3000..3600) and 4 (5400..6000) as well.
    b.drag(b.at(3300, 2000), b.at(5500, 3900));
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(1).id, b.rack(2).id, b.rack(3).id}));
    b.drag(b.at(5500, 3900), b.at(3300, 2000));
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(0).id, b.rack(1).id, b.rack(2).id, b.rack(3).id, b.rack(4).id}));
    b.drag(b.at(7700, 2000), b.at(9100, 3900), Qt::ControlModifier); // racks 8 (7800..8400) and 9 (8400..9000)
    QCOMPARE(b.selected().size(), 7u);
    b.drag(b.at(12000, 8000), b.at(14000, 9000), Qt::ShiftModifier); // an empty band takes nothing away
    QCOMPARE(b.selected().size(), 7u);
    QVERIFY(b.edits.empty());
  }

  void a_drag_previews_and_asks_for_one_edit_that_snaps() {
    Bench b;
    b.click(b.center(12)); // row 2, rack 3
    // Far from everything: 600 mm grid. From (4200, 4600) by about (10.1 m, 3.9 m): the corner lands at 14300, 8500;
    // nearest grid lines 14400 and 8400.
    const QPoint from = b.center(12), to = from + (b.at(10100, 3900) - b.at(0, 0));
    b.drag(from, to);
    QVERIFY(!b.previews.empty());
    QCOMPARE(b.edits.size(), 1u);
    QVERIFY(!b.select_new[0]);
    const Design after = b.applied();
    const Rack& moved = (*after.racks)[12];
    QCOMPARE(in_millimeters(moved.x), 14400.0);
    QCOMPARE(in_millimeters(moved.y), 8400.0);
    QCOMPARE(in_millimeters((*after.racks)[11].x), in_millimeters(b.rack(11).x));
    QVERIFY(b.snap.contains(QStringLiteral("grid")));
  }

  void a_drag_catches_on_the_edge_of_a_neighbour() {
    Bench b;
    b.view.setGrid(0);
    // The last rack of row 2 (x 8400) is pulled out of the row, then beside row 1 (ends at x 9000): its left edge to
    // within 60 mm of 9000, its top to within 60 mm of 2400.
    const QPoint from = b.center(19);
    b.press(from);
    b.move(from + QPoint(30, 30));
    const QPoint to = from + (b.at(9050 - 8400, 2450 - 4600) - b.at(0, 0));
    b.move(to);
    QVERIFY2(b.snap.contains(QStringLiteral("edge")) || b.snap.contains(QStringLiteral("row line")), qPrintable(b.snap));
    b.release(to);
    QCOMPARE(b.edits.size(), 1u);
    const Design after = b.applied();
    QCOMPARE(in_millimeters((*after.racks)[19].x), 9000.0);
    QCOMPARE(in_millimeters((*after.racks)[19].y), 2400.0);
  }

  void alt_suspends_snapping() {
    Bench b;
    const QPoint from = b.center(12), to = from + (b.at(10100, 3900) - b.at(0, 0));
    const QPointF d = b.scene(to) - b.scene(from);
    b.drag(from, to, Qt::AltModifier);
    QCOMPARE(b.edits.size(), 1u);
    const Design after = b.applied();
    QVERIFY(std::abs(in_millimeters((*after.racks)[12].x) - (4200 + d.x())) < 0.11); // kept to a tenth of a millimetre
    QVERIFY(std::abs(in_millimeters((*after.racks)[12].y) - (4600 + d.y())) < 0.11);
  }

  void escape_gives_up_a_drag_and_a_zero_move_is_no_edit() {
    Bench b;
    const QPoint from = b.center(12), to = b.at(15000, 9000);
    b.press(from);
    b.move((from + to) / 2);
    b.move(to);
    QVERIFY(!b.previews.empty());
    QTest::keyClick(&b.view, Qt::Key_Escape);
    QCOMPARE(b.cancelled, 1);
    b.release(to);
    QVERIFY(b.edits.empty());
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(12).id})); // the selection stays
    b.press(from);
    b.move(to);
    b.move(from);
    b.release(from);
    QVERIFY(b.edits.empty());
  }

  void arrows_nudge_by_the_grid() {
    Bench b;
    b.click(b.center(2));
    QTest::keyClick(&b.view, Qt::Key_Right);
    QTest::keyClick(&b.view, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(&b.view, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(b.edits.size(), 3u);
    QCOMPARE(in_millimeters((*b.applied(0).racks)[2].x), 4200.0 + 600.0);
    QCOMPARE(in_millimeters((*b.applied(1).racks)[2].y), 2400.0 + 6000.0);
    QCOMPARE(in_millimeters((*b.applied(2).racks)[2].x), 4200.0 - 60.0);
  }

  void r_turns_about_the_common_centre_and_delete_asks() {
    Bench b;
    b.click(b.center(2));
    QTest::keyClick(&b.view, Qt::Key_R);
    QCOMPARE(b.edits.size(), 1u);
    const Design after = b.applied();
    QCOMPARE(in_degrees((*after.racks)[2].rotation), 90.0);
    QCOMPARE(in_millimeters((*after.racks)[2].x), 4200.0); // one alone turns on the spot
    QCOMPARE(b.deletions, 0);
    QTest::keyClick(&b.view, Qt::Key_Delete);
    QCOMPARE(b.deletions, 1);
  }

  void space_and_the_middle_button_pan_without_selecting() {
    Bench b;
    b.click(b.center(2));
    const int before = b.selections;
    const QPoint corner = b.at(0, 0);
    QTest::keyPress(&b.view, Qt::Key_Space);
    b.drag(b.center(8), b.center(8) + QPoint(90, 40));
    QTest::keyRelease(&b.view, Qt::Key_Space);
    QCOMPARE(b.at(0, 0) - corner, QPoint(90, 40));
    b.press({400, 300}, {}, Qt::MiddleButton);
    b.move({380, 310}, {}, Qt::MiddleButton);
    b.release({380, 310}, {}, Qt::MiddleButton);
    QCOMPARE(b.at(0, 0) - corner, QPoint(70, 50));
    QCOMPARE(b.selections, before);
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(2).id}));
    QVERIFY(b.edits.empty());
  }

  void the_wheel_keeps_the_point_under_the_cursor() {
    Bench b;
    const QPoint cursor(333, 222);
    for (int turn : {120, 120, 120, -240, 360, -120}) {
      const QPointF before = b.scene(cursor);
      const double scale = b.view.scalePercent();
      QWheelEvent wheel(QPointF(cursor), QPointF(b.view.viewport()->mapToGlobal(cursor)), {}, QPoint(0, turn), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(b.view.viewport(), &wheel);
      QVERIFY((turn > 0) == (b.view.scalePercent() > scale));
      const QPointF shift = b.view.viewportTransform().map(before) - QPointF(cursor);
      QVERIFY(std::hypot(shift.x(), shift.y()) < 1.0); // pixels
    }
  }

  void a_double_click_selects_the_row() {
    Bench b;
    QTest::mouseDClick(b.view.viewport(), Qt::LeftButton, {}, b.center(14));
    QCOMPARE(b.selected().size(), 10u);
    for (std::size_t i = 0; i < 10; ++i) QCOMPARE(b.selected()[i], b.rack(10 + i).id);
  }

  void locked_racks_and_layers_stay() {
    Drawing d = drawing();
    d.design = with_table(d.design, &Design::racks, [](std::vector<Rack>& racks, Id&) { racks[4].locked = true; });
    Bench b(std::move(d));
    b.drag(b.center(4), b.at(15000, 9000));
    QVERIFY(b.edits.empty());
    QVERIFY(b.hint.contains(QStringLiteral("locked")));
    b.drag(b.at(2500, 2000), b.at(9500, 3900));
    QCOMPARE(b.selected().size(), 9u); // not the locked one
    b.view.setLayerLocked(PlanLayer::racks, true);
    b.drag(b.at(2500, 2000), b.at(9500, 3900));
    QVERIFY(b.selected().empty());
    b.view.setSelection({{"racks", b.rack(0).id}});
    QTest::keyClick(&b.view, Qt::Key_Right);
    QVERIFY(b.edits.empty());
  }

  void the_row_tool_counts_by_the_pitch() {
    Bench b;
    b.view.setTool(PlanTool::row);
    RowToolSettings settings;
    settings.rack_type = b.drawn.type;
    settings.pitch_mm = 700;
    settings.first_row_name = QStringLiteral("R03");
    b.view.setRowSettings(settings);
    // From the grid point (6000, 9000), 5.6 m to the right: 8 racks of 700 mm.
    const QPoint from = b.at(6000, 9000), to = b.at(6000 + 5600, 9000);
    b.press(from);
    b.move((from + to) / 2);
    b.move(to);
    QVERIFY2(b.hint.startsWith(QStringLiteral("8 racks")), qPrintable(b.hint));
    QTest::qWait(40);
    QVERIFY(!b.previews.empty());
    b.release(to);
    QCOMPARE(b.edits.size(), 1u);
    QVERIFY(b.select_new[0]);
    const Design after = b.applied();
    QCOMPARE(after.racks->size(), 28u);
    const Rack& first = (*after.racks)[20];
    QCOMPARE(in_millimeters(first.x), 6000.0);
    QCOMPARE(in_millimeters(first.y), 9000.0);
    QCOMPARE(in_millimeters((*after.racks)[27].x), 6000.0 + 7 * 700.0);
    QCOMPARE(QString::fromStdString(after.rows->back().name), QStringLiteral("R03"));
  }

  void a_row_down_the_plan_has_its_fronts_to_the_left() {
    Bench b;
    b.view.setTool(PlanTool::row);
    RowToolSettings settings;
    settings.rack_type = b.drawn.type;
    b.view.setRowSettings(settings);
    // Three racks of 600 mm downwards from (12000, 7200): boxes of 1200 x 600 at y 7200, 7800, 8400.
    b.drag(b.at(12000, 7200), b.at(12000, 7200 + 1800));
    QCOMPARE(b.edits.size(), 1u);
    const Design after = b.applied();
    QCOMPARE(after.racks->size(), 23u);
    for (int i = 0; i < 3; ++i) {
      const Rack& r = (*after.racks)[static_cast<std::size_t>(20 + i)];
      const PlanBox box = plan_box(r.x, r.y, millimeters(600), millimeters(1200), r.rotation);
      QVERIFY(std::abs(box.x0 - 12000) < 0.01 && std::abs(box.x1 - 13200) < 0.01);
      QVERIFY(std::abs(box.y0 - (7200 + 600 * i)) < 0.01);
      QCOMPARE(in_degrees(r.rotation), 270.0);
    }
  }

  void the_outline_tool_closes_on_enter_and_keeps_right_angles() {
    Bench b(Drawing{});
    b.view.setTool(PlanTool::hall_outline);
    // The third corner is clicked 250 mm off the right angle.
    for (const QPoint& p : {b.at(0, 0), b.at(12000, 0), b.at(12250, 9000), b.at(0, 9000)}) {
      b.move(p, {}, Qt::NoButton);
      b.click(p);
    }
    QTest::keyClick(&b.view, Qt::Key_Return);
    QCOMPARE(b.edits.size(), 1u);
    const Design after = b.applied();
    QCOMPARE(after.halls->size(), 1u);
    QCOMPARE(after.halls->front().outline, (std::vector<PlanPoint>{{0, 0}, {12000, 0}, {12000, 9000}, {0, 9000}}));
    QCOMPARE(b.view.tool(), PlanTool::select);
  }

  void the_outline_tool_takes_a_rectangle() {
    Bench b(Drawing{});
    b.view.setTool(PlanTool::hall_outline);
    b.drag(b.at(1200, 600), b.at(19200, 10200));
    QCOMPARE(b.edits.size(), 1u);
    QCOMPARE(b.applied().halls->front().outline, (std::vector<PlanPoint>{{1200, 600}, {19200, 600}, {19200, 10200}, {1200, 10200}}));
  }

  void a_dropped_part_stands_in_the_hall_beside_its_neighbour() {
    Bench b;
    QMimeData data;
    data.setData(QLatin1String(part_mime_type), QStringLiteral("rack_types/%1").arg(b.drawn.type).toUtf8());
    const auto drop = [&](const QPoint& p) {
      QDragEnterEvent enter(p, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(b.view.viewport(), &enter);
      QDragMoveEvent over(p, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(b.view.viewport(), &over);
      QDropEvent event(QPointF(p), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(b.view.viewport(), &event);
    };
    drop(b.at(-4000, 3000));
    QVERIFY(b.edits.empty());
    QCOMPARE(b.hint, QStringLiteral("Drop it inside a hall"));
    // The first row ends at x 9000; its racks stand at y 2400. A drop about there joins the row.
    drop(b.at(9000 + 300 + 60, 2400 + 600 - 70));
    QCOMPARE(b.edits.size(), 1u);
    QVERIFY(b.select_new[0]);
    const Design after = b.applied();
    QCOMPARE(after.racks->size(), 21u);
    const Rack& made = after.racks->back();
    QCOMPARE(in_millimeters(made.x), 9000.0);
    QCOMPARE(in_millimeters(made.y), 2400.0);
    QCOMPARE(made.hall, b.drawn.hall);
    QCOMPARE(made.row, b.rack(0).row);
    QCOMPARE(QString::fromStdString(made.name), QStringLiteral("R01-11"));
    data.setData(QLatin1String(part_mime_type), QByteArrayLiteral("structure/no-go"));
    drop(b.at(18000, 9000));
    QCOMPARE(b.edits.size(), 2u);
    QCOMPARE(b.applied(1).structures->front().kind, StructureKind::no_go);
  }

  void measuring_names_distance_and_differences() {
    Bench b;
    b.view.setTool(PlanTool::measure);
    b.click(b.at(12000, 6000));
    b.click(b.at(15000, 10200)); // 3 m and 4.2 m: hypotenuse 5.161 m = 16.93 ft
    QVERIFY2(b.hint.startsWith(QStringLiteral("5.161 m (16.93 ft)")), qPrintable(b.hint));
    QVERIFY(b.hint.contains(QStringLiteral("dx 3.000 m (9.84 ft)")));
    QVERIFY(b.hint.contains(QStringLiteral("dy 4.200 m (13.78 ft)")));
  }

  void equal_spacing_is_caught() {
    // Boxes of 600 mm at 0 and 1000: the gap of 400 repeats at 2000.
    Drawing d = drawing(1, 1);
    d.design = with_table(d.design, &Design::racks, [](std::vector<Rack>& racks, Id& next) {
      racks[0].x = millimeters(3000);
      Rack second = racks[0];
      second.id = next++, second.x = millimeters(4000);
      racks.push_back(second);
    });
    plan::PlanModel model;
    model.update(d.design, std::make_shared<const Catalog>(), 0);
    plan::SnapSettings settings;
    settings.grid_mm = 0;
    settings.reach_mm = 100;
    const plan::Snap snap = plan::snap_box(model, QRectF(5040, 2400, 600, 1200), {}, settings);
    QCOMPARE(snap.x_kind, plan::SnapKind::spacing);
    QCOMPARE(snap.dx, -40.0);
  }

  void aisles_lie_between_rows_that_face_each_other() {
    const Drawing d = drawing(10, 3);
    plan::PlanModel model;
    model.update(d.design, std::make_shared<const Catalog>(), 0);
    // Row 1 faces up, row 2 down, row 3 up: rears meet over 1000 mm, fronts over 1400 mm.
    QCOMPARE(model.aisles().size(), 2u);
    QVERIFY(!model.aisles()[0].cold);
    QCOMPARE(model.aisles()[0].clear, 1000.0);
    QVERIFY(model.aisles()[1].cold);
    QCOMPARE(model.aisles()[1].clear, 1400.0);
    QCOMPARE(model.aisles()[1].box, QRectF(3000, 5800, 6000, 1400));
  }

  void racks_of_several_depths_make_one_row_and_one_aisle() {
    // Rears on one line: shallow racks of 1068 mm begin 132 mm further down, as in a row of NVL72 with network racks.
    Drawing d = drawing(12, 2);
    d.design = with_table(d.design, &Design::rack_types, [](std::vector<RackType>& types, Id& next) {
      RackType shallow = types[0];
      shallow.id = next++, shallow.depth = millimeters(1068);
      types.push_back(shallow);
    });
    const Id shallow = d.design.rack_types->back().id;
    d.design = with_table(d.design, &Design::racks, [shallow](std::vector<Rack>& racks, Id&) {
      for (std::size_t i = 0; i < racks.size(); ++i) {
        if (i % 12 >= 4 && i % 12 < 8) continue;
        racks[i].rack_type = shallow;
        if (i < 12) racks[i].y = millimeters(2532);
      }
    });
    plan::PlanModel model;
    model.update(d.design, std::make_shared<const Catalog>(), 0);
    QCOMPARE(model.lines().size(), 2u);
    QCOMPARE(model.lines()[0].count, 12);
    QCOMPARE(model.lines()[0].box(), QRectF(3000, 2400, 7200, 1200));
    QCOMPARE(model.aisles().size(), 1u);
    QCOMPARE(model.aisles()[0].box, QRectF(3000, 3600, 7200, 1000));
    // Racks without a row keep to their own fronts.
    d.design = with_table(d.design, &Design::racks, [](std::vector<Rack>& racks, Id&) {
      for (Rack& r : racks) r.row = 0;
    });
    model.update(d.design, std::make_shared<const Catalog>(), 0);
    QVERIFY(model.lines().size() > 2u);
  }

  void dimensions_keep_out_of_other_halls() {
    Design d = with_hall({}, "A", 0, 0, 10000, 8000);
    d = with_hall(d, "B", 10500, 0, 10000, 8000);   // beside A
    d = with_hall(d, "C", 0, 9000, 10000, 8000);    // below A
    const Paper paper(d, [](const plan::Canvas& c, const plan::Picture& p) { plan::paint_dimensions(c, p); });
    QVERIFY(!paper.marked(10500, 0, 20500, 8000));      // no height of A in B
    QVERIFY(!paper.marked(0, 8050, 10000, 17000));      // no width of A over C or its title
    QVERIFY(paper.marked(20600, 0, 24000, 8000));       // height of B at its free side
    QVERIFY(paper.marked(0, 17100, 10000, 19500));      // width of C
    QVERIFY(paper.marked(10100, 9000, 13000, 17000));   // height of C
  }

  void a_hall_title_keeps_out_of_the_hall_above() {
    Design d = with_hall({}, "Above", 0, 0, 10000, 8000);
    d = with_hall(d, "Below", 0, 8200, 10000, 8000);
    const Paper paper(d, [](const plan::Canvas& c, const plan::Picture& p) { plan::paint_hall_outlines(c, p); });
    QVERIFY(!paper.marked(200, 7000, 9800, 7800));   // the foot of the upper hall stays clear
    QVERIFY(paper.marked(200, 8400, 9800, 9400));    // the title stands inside its own
    QVERIFY(paper.marked(0, -1000, 5000, -150));     // the upper title above, as ever
  }

  void a_row_name_stands_where_nothing_else_does() {
    Drawing d = drawing(10, 1);
    const auto names = [](const plan::Canvas& c, const plan::Picture& p) { plan::paint_row_names(c, p); };
    QVERIFY(Paper(d.design, names).marked(1500, 2400, 2950, 3600)); // close by the first rack
    PowerUnit busway;
    busway.name = "Busway A", busway.kind = PowerUnitKind::busway, busway.hall = d.hall;
    busway.x = millimeters(2000), busway.y = millimeters(2400), busway.width = millimeters(700), busway.depth = millimeters(1200);
    d.design = add_entity(d.design, &Design::power_units, busway).design;
    const Paper paper(d.design, names);
    QVERIFY(!paper.marked(2000, 2400, 2950, 3600)); // not over the busway, nor squeezed beside it
    QVERIFY(paper.marked(100, 2400, 2000, 3600));   // but left of it
  }

  void kept_words_and_tiles_paint_the_same_picture() {
    Drawing d = drawing(10, 1);
    PowerUnit busway;
    busway.name = "Busway A", busway.kind = PowerUnitKind::busway, busway.hall = d.hall;
    busway.x = millimeters(2000), busway.y = millimeters(2400), busway.width = millimeters(700), busway.depth = millimeters(1200);
    d.design = add_entity(d.design, &Design::power_units, busway).design;
    plan::WordStore words;
    plan::TileStore tiles;
    plan::LabelStore labels;
    plan::PlanModel model;
    model.update(d.design, std::make_shared<const Catalog>(), 0);
    const auto picture = [&](const QPointF& origin, double scale, bool kept) {
      QImage image(1200, 800, QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      plan::Canvas c;
      c.painter = &painter;
      c.scale = scale;
      c.origin = origin;
      c.colors = plan::PlanColors::paper();
      c.base_font = QApplication::font();
      plan::Picture p;
      p.model = &model;
      p.area = QRectF(-40000, -40000, 100000, 80000);
      if (kept) {
        c.words = &words;
        words.begin(c.base_font, 1);
        tiles.begin(scale, 1, false);
        p.tiles = &tiles;
        p.labels = &labels;
      }
      plan::paint_aisles(c, p);
      plan::paint_layer(c, p, PlanLayer::power);
      plan::paint_row_names(c, p);
      plan::paint_dimensions(c, p);
      return image;
    };
    // The same words in the same places, whether kept from an earlier picture or worked out anew; the smoothing of tiles
    // may differ by a shade.
    const auto differs = [](const QImage& a, const QImage& b) {
      int out = 0;
      for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
          const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
          if (std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))}) > 24) ++out;
        }
      return out;
    };
    for (const double scale : {0.02, 0.05, 0.02}) {
      const QImage anew = picture({100, 100}, scale, false);
      QCOMPARE(differs(anew, picture({100, 100}, scale, true)), 0);
      QCOMPARE(differs(anew, picture({100, 100}, scale, true)), 0);
      // Panned to the right and back down: everything moves along.
      const QImage panned = picture({137, 121}, scale, true);
      QCOMPARE(differs(anew.copy(0, 0, 1100, 700), panned.copy(37, 21, 1100, 700)), 0);
    }
    // Another design, other places.
    const std::uint64_t before = model.revision();
    d.design = with_table(d.design, &Design::power_units, [](std::vector<PowerUnit>& units, Id&) { units.front().x = millimeters(1500); });
    model.update(d.design, std::make_shared<const Catalog>(), 0);
    QVERIFY(model.revision() != before);
    QCOMPARE(differs(picture({100, 100}, 0.02, false), picture({100, 100}, 0.02, true)), 0);
  }

  void an_overlay_colours_racks_by_their_amount() {
    Drawing d = drawing();
    auto evaluation = std::make_shared<Evaluation>();
    auto tables = std::make_shared<std::vector<Table>>();
    Table& table = tables->emplace_back();
    table.id = "load.racks";
    table.entity_table = "racks";
    TableColumn& power = table.add_numbers("power", "Power", kind::power, "kW");
    for (std::size_t i = 0; i < 19; ++i) { // nothing is known of the last rack
      table.entities.push_back((*d.design.racks)[i].id);
      power.numbers.push_back(10000.0 + 1000.0 * static_cast<double>(i));
    }
    StageResult stage;
    auto page = std::make_shared<LedgerPage>();
    page->page = Page::load;
    stage.page = page;
    stage.tables = tables;
    evaluation->figures.add(stage);
    Bench b(std::move(d));
    b.view.setOverlay(Overlay::power);
    b.view.setEvaluation(evaluation);
    b.view.zoomToFit();
    const QImage image = b.view.grab().toImage();
    const double ratio = image.devicePixelRatio();
    const auto color_at = [&](std::size_t i) { return image.pixelColor(QPointF(QPointF(b.center(i) + QPoint(-4, 9)) * ratio).toPoint()); };
    const plan::PlanColors colors = plan::PlanColors::screen();
    const auto near = [](const QColor& a, const QColor& c) { return std::abs(a.red() - c.red()) + std::abs(a.green() - c.green()) + std::abs(a.blue() - c.blue()) < 12; };
    QVERIFY2(near(color_at(0), colors.amount(0)), qPrintable(color_at(0).name()));
    QVERIFY2(near(color_at(18), colors.amount(1)), qPrintable(color_at(18).name()));
    QVERIFY(color_at(9).lightness() < color_at(0).lightness());
    QVERIFY(color_at(18).lightness() < color_at(9).lightness());
    plan::PlanModel model;
    model.update(b.drawn.design, b.catalog, 0);
    const plan::OverlayValues values = plan::overlay_values(model, evaluation, Overlay::power);
    QVERIFY(values.some_missing);
    QCOMPARE(values.low, 10.0); // kW
    QCOMPARE(values.high, 28.0);
    QCOMPARE(values.title, QStringLiteral("Rack power, kW"));
    // An overlay whose table is not there has no numbers.
    QVERIFY(!plan::overlay_values(model, evaluation, Overlay::flow).available);
  }

  void the_empty_plan_says_what_to_do() {
    Bench b(Drawing{});
    const QImage image = b.view.grab().toImage();
    bool letters = false;
    for (int x = image.width() / 4; x < image.width() * 3 / 4 && !letters; ++x)
      for (int y = image.height() / 2 - 20; y < image.height() / 2 + 20; ++y) letters = letters || image.pixelColor(x, y).lightness() < 150;
    QVERIFY(letters);
  }

  void a_printed_plan_has_nothing_clipped() {
    Drawing d = drawing();
    Note note;
    note.hall = d.hall, note.text = "A note near the right wall whose words run far beyond it", note.x = millimeters(23000), note.y = millimeters(6000);
    d.design = add_entity(d.design, &Design::notes, note).design;
    QImage image(1200, 800, QImage::Format_RGB32);
    image.fill(QColor(Qt::red));
    QPainter painter(&image);
    PlanView::paintPlan(painter, QRectF(40, 40, 1120, 720), d.design, std::make_shared<const Catalog>(), nullptr, Overlay::none, 0);
    painter.end();
    QCOMPARE(image.pixelColor(20, 20), QColor(Qt::red)); // nothing outside the target
    // A strip at each side of the target is blank: no letter is cut off.
    int inked = 0;
    for (int y = 100; y < 700; ++y) inked += image.pixelColor(1158, y) != QColor(Qt::white) || image.pixelColor(42, y) != QColor(Qt::white);
    QCOMPARE(inked, 0);
    int dark = 0;
    for (int x = 40; x < 1160; ++x)
      for (int y = 40; y < 760; ++y) dark += image.pixelColor(x, y).lightness() < 120;
    QVERIFY(dark > 1000);
    QCOMPARE(PlanView::planExtent(d.design, std::make_shared<const Catalog>(), 0), QRectF(0, 0, 24000, 12000));
  }

  void halls_drawn_over_each_other_stand_beside_each_other() {
    Drawing d = drawing();
    Hall second;
    second.name = "Hall B";
    second.outline = {{0, 0}, {9000, 0}, {9000, 6000}, {0, 6000}};
    d.design = add_entity(d.design, &Design::halls, second).design;
    plan::PlanModel model;
    model.update(d.design, std::make_shared<const Catalog>(), 0);
    QCOMPARE(model.halls().size(), std::size_t{2});
    QVERIFY(!model.halls()[0].box.intersects(model.halls()[1].box));
    QCOMPARE(model.halls()[0].offset, QPointF(0, 0));
    // What is drawn in the second hall is stored in that hall's own coordinates.
    Bench b(std::move(d));
    b.view.setPlacedPart(QStringLiteral("rack_types/%1").arg(b.drawn.type));
    const QPointF shift = model.halls()[1].offset;
    b.click(b.at(shift.x() + 3000 + 300, 1800 + 600));
    QCOMPARE(b.edits.size(), std::size_t{1});
    const Rack made = b.applied().racks->back();
    QCOMPARE(made.hall, model.halls()[1].id);
    QCOMPARE(in_millimeters(made.x), 3000.0);
    QCOMPARE(in_millimeters(made.y), 1800.0);
    QCOMPARE(b.view.tool(), PlanTool::select);
    // One hall alone: only what stands in it.
    model.update(b.drawn.design, b.catalog, model.halls()[1].id);
    QVERIFY(model.objects(PlanLayer::racks).empty());
  }

  void a_tooltip_names_the_rack_its_type_and_its_feeds() {
    Bench b;
    QHelpEvent help(QEvent::ToolTip, b.center(3), b.view.viewport()->mapToGlobal(b.center(3)));
    QApplication::sendEvent(b.view.viewport(), &help);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("R01-04")), qPrintable(QToolTip::text()));
    QVERIFY(QToolTip::text().contains(QStringLiteral("Rack of a test")));
    QVERIFY(QToolTip::text().contains(QStringLiteral("none"))); // no feed, no loop
    QToolTip::hideText();
  }

  void the_right_button_selects_what_is_under_it() {
    Bench b;
    QPoint where;
    QObject::connect(&b.view, &PlanView::contextMenuRequested, &b.view, [&](const QPoint& p) { where = p; });
    const QPoint p = b.center(6), global = b.view.viewport()->mapToGlobal(p);
    QContextMenuEvent menu(QContextMenuEvent::Mouse, p, global);
    QApplication::sendEvent(b.view.viewport(), &menu);
    QCOMPARE(where, global);
    QCOMPARE(b.selected(), (std::vector<Id>{b.rack(6).id}));
  }

  void hidden_layers_are_neither_drawn_nor_picked() {
    Bench b;
    const QImage shown = b.view.grab().toImage();
    b.view.setLayerVisible(PlanLayer::racks, false);
    QVERIFY(b.view.grab().toImage() != shown);
    b.click(b.center(3));
    QVERIFY(b.selected().empty());
  }

  void ten_thousand_racks_are_painted_at_every_distance() {
    Bench b(drawing(250, 40, 160000, 110000));
    QCOMPARE(b.drawn.design.racks->size(), 10000u);
    b.view.resize(1920, 1080);
    b.view.zoomToFit();
    QImage image(1920, 1080, QImage::Format_ARGB32_Premultiplied);
    for (double zoom : {0.3, 3.3, 1.5, 2.0, 3.0}) {
      b.view.zoomBy(zoom);
      QElapsedTimer timer;
      timer.start();
      {
        QPainter painter(&image);
        b.view.viewport()->render(&painter);
      }
      qInfo("10,000 racks at %.1f %%: %lld us", b.view.scalePercent(), static_cast<long long>(timer.nsecsElapsed() / 1000));
    }
    b.view.zoomToFit();
    QElapsedTimer timer;
    timer.start();
    b.drag(b.at(-1000, -1000), b.at(161000, 111000));
    qInfo("band over 10,000 racks: %lld us", static_cast<long long>(timer.nsecsElapsed() / 1000));
    QCOMPARE(b.selected().size(), 10000u);
  }
};

QTEST_MAIN(TestPlanView)
#include "test_plan_view.moc"
