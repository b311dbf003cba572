// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_bench.h"

#include "widgets/outline_size.h"
#include "widgets/plan/plan_painter.h"
#include "widgets/theme.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

/// The hall with two rows, and a cable tray over the first one.
Design with_tray() {
  Design d = hall_with_rows();
  Tray t;
  t.name = "Fibre 1", t.hall = d.halls->front().id, t.elevation = millimeters(2700), t.width = millimeters(300);
  t.path = {{2000, 3000}, {10000, 3000}};
  return add_entity(d, &Design::trays, t).design;
}

using Selected = std::vector<EntityRef>;

} // namespace

class TestPlanManners : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    QLocale::setDefault(QLocale::c());
    apply_appearance(Appearance::light);
  }

  void a_click_keeps_what_is_selected() {
    PlanBench b(with_tray());
    const Selected rack{{"racks", b.design.racks->front().id}}, tray{{"trays", b.design.trays->front().id}};
    const QPoint both = b.at(3300, 3000); // the middle of the first rack, under the tray's middle line
    b.click(both);
    QCOMPARE(b.view.selection(), rack);
    QVERIFY2(b.hint.startsWith(QStringLiteral("2 things lie here")), qPrintable(b.hint));
    // What is selected elsewhere, or another design, ends what was told of this place.
    b.view.setSelection({});
    QCOMPARE(b.hint, QString());
    b.click(both);
    QVERIFY(!b.hint.isEmpty());
    b.view.fitNext();
    QCOMPARE(b.hint, QString());
    QTest::qWait(QApplication::doubleClickInterval() + 20);
    b.view.setSelection({});
    b.click(both);
    QCOMPARE(b.view.selection(), rack);
    QTest::qWait(QApplication::doubleClickInterval() + 20);
    b.click(both);
    QCOMPARE(b.view.selection(), rack);
    QTest::qWait(QApplication::doubleClickInterval() + 20);
    b.click(both, Qt::AltModifier);
    QCOMPARE(b.view.selection(), tray);
    QTest::qWait(QApplication::doubleClickInterval() + 20);
    b.click(both, Qt::AltModifier);
    QCOMPARE(b.view.selection(), rack);
    // Tab goes on at the place of the click, until the cursor leaves it.
    b.key(Qt::Key_Tab);
    QCOMPARE(b.view.selection(), tray);
    b.key(Qt::Key_Tab);
    QCOMPARE(b.view.selection(), rack);
    b.move(b.at(12000, 9000));
    b.key(Qt::Key_Tab);
    QCOMPARE(b.view.selection(), rack);
    // Arrow keys move what was selected, not what lies over it.
    b.key(Qt::Key_Down);
    QCOMPARE(b.edits.size(), 1u);
    QCOMPARE(in_millimeters(b.design.racks->front().y), 3000.0);
    QCOMPARE(b.design.trays->front().path.front().y_mm, 3000.0);
  }

  void several_are_dragged_by_one_under_a_tray() {
    PlanBench b(with_tray());
    b.view.setSelection({{"racks", (*b.design.racks)[0].id}, {"racks", (*b.design.racks)[1].id}});
    b.drag(b.at(3300, 3000), b.at(3300, 8000), Qt::AltModifier);
    QCOMPARE(b.edits.size(), 1u);
    QVERIFY(in_millimeters((*b.design.racks)[0].y) > 6000);
    QVERIFY(in_millimeters((*b.design.racks)[1].y) > 6000);
    QCOMPARE(b.design.trays->front().path.front().y_mm, 3000.0);
  }

  void what_was_in_sight_stays_when_room_changes() {
    PlanBench b(hall_with_rows());
    b.view.zoomTo({{"racks", b.design.racks->front().id}, {"racks", b.design.racks->back().id}});
    const auto sees = [&](double x, double y) { return b.view.viewport()->rect().contains(b.at(x, y)); };
    QVERIFY(sees(3000, 2400) && sees(9000, 5800));
    const QTransform before = b.view.viewportTransform();
    b.view.resize(520, 700); // a panel opens beside it
    QCoreApplication::processEvents();
    QVERIFY(sees(3000, 2400) && sees(9000, 5800));
    b.view.resize(520, 500); // and a bar above it
    QCoreApplication::processEvents();
    QVERIFY(sees(3000, 2400) && sees(9000, 5800));
    b.view.resize(1000, 700);
    QCoreApplication::processEvents();
    const QTransform after = b.view.viewportTransform();
    QVERIFY(std::abs(after.m11() - before.m11()) < 1e-9);
    QVERIFY2(std::hypot(after.dx() - before.dx(), after.dy() - before.dy()) < 3,
             qPrintable(QStringLiteral("%1 %2").arg(after.dx() - before.dx()).arg(after.dy() - before.dy())));
  }

  void values_of_racks_stand_clear_over_a_tray() {
    // Letters of a rack under a tray, with the tray's wash over them, and painted again on the rack's own colour.
    const Design d = with_tray();
    plan::PlanModel model;
    model.update(d, std::make_shared<const Catalog>(), 0);
    plan::OverlayValues values;
    values.overlay = Overlay::power, values.available = true, values.low = 0, values.high = 240;
    values.shown.assign(model.objects(PlanLayer::racks).size(), 120);
    const auto picture_of = [&](bool again) {
      QImage image(900, 500, QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      plan::Canvas c;
      c.painter = &painter;
      c.scale = 0.06;
      c.colors = plan::PlanColors::screen();
      c.base_font = QApplication::font();
      plan::Picture p;
      p.model = &model;
      p.overlay = &values;
      p.area = QRectF(0, 0, 15000, 8000);
      plan::paint_layer(c, p, PlanLayer::racks);
      plan::paint_layer(c, p, PlanLayer::trays);
      if (again) plan::paint_covered_values(c, p);
      painter.end();
      return image;
    };
    const QColor body = plan::PlanColors::screen().amount(0.5);
    const auto clear = [&](const QImage& image) { // dots of the rack's own colour where its value stands
      int n = 0;
      for (int y = 174; y < 186; ++y)
        for (int x = 190; x < 206; ++x) n += image.pixelColor(x, y) == body;
      return n;
    };
    QCOMPARE(clear(picture_of(false)), 0);
    QVERIFY2(clear(picture_of(true)) > 40, qPrintable(QString::number(clear(picture_of(true)))));
  }

  void the_hint_begins_anew_after_a_run_is_drawn() {
    PlanBench b(hall_with_rows());
    b.view.setTool(PlanTool::tray);
    const QString first = b.hint;
    b.click(b.at(2000, 8000));
    QVERIFY(b.hint != first);
    b.click(b.at(9000, 8000));
    b.key(Qt::Key_Return);
    QCOMPARE(b.design.trays->size(), 1u);
    QCOMPARE(b.hint, first);
  }

  void a_dragged_hall_takes_typed_width_and_depth() {
    for (const bool by_enter : {true, false}) {
      PlanBench b(hall_with_rows());
      b.view.setTool(PlanTool::hall_outline);
      const QPoint from = b.at(2000, 13000), to = b.at(9000, 14500);
      b.move(from);
      b.press(from);
      b.move((from + to) / 2, {}, Qt::LeftButton);
      b.move(to, {}, Qt::LeftButton);
      b.type("6 m");
      b.key(Qt::Key_Tab);
      b.type("3 m");
      if (by_enter) b.key(Qt::Key_Return);
      b.release(to);
      QCOMPARE(b.edits.size(), 1u);
      QCOMPARE(b.design.halls->size(), 2u);
      const auto& corners = b.design.halls->back().outline;
      QCOMPARE(corners.size(), 4u);
      QCOMPARE(corners[1].x_mm - corners[0].x_mm, 6000.0);
      QCOMPARE(corners[2].y_mm - corners[1].y_mm, 3000.0);
    }
  }

  void corners_are_read_and_written_with_units() {
    QCOMPARE(outline_words("0,0 24000,0 24000,12500 0,12500"), QStringLiteral("0,0 24,0 24,12.5 0,12.5 m"));
    const auto stored = [](const char* typed) {
      const auto out = outline_from_words(QLatin1String(typed));
      return out ? QString::fromStdString(*out) : QStringLiteral("refused: ") + QString::fromStdString(out.error());
    };
    const QString hall = QStringLiteral("0,0 24000,0 24000,12500 0,12500");
    QCOMPARE(stored("0,0 24,0 24,12.5 0,12.5 m"), hall);
    QCOMPARE(stored("0,0 24000,0 24000,12500 0,12500"), hall);
    QCOMPARE(stored("0,0 24000,0 24000,12500 0,12500 mm"), hall);
    QCOMPARE(stored("0m,0m 24m,0m 24m,12.5m 0m,12.5m"), hall);
    QCOMPARE(stored("0,0 10,0 10,5 0,5 ft"), QStringLiteral("0,0 3048,0 3048,1524 0,1524"));
    QVERIFY(stored("0,0 24 m,0 24,12 0,12").startsWith(QStringLiteral("refused")));
  }

  void a_rectangle_has_width_and_depth() {
    Design d = hall_with_rows();
    FieldForm form;
    form.setDesign(d, std::make_shared<const Catalog>());
    const std::vector<EntityRef> hall{{"halls", d.halls->front().id}};
    form.setEntities(hall);
    form.show();
    auto* width = form.findChild<QLineEdit*>(QStringLiteral("outline_width"));
    auto* depth = form.findChild<QLineEdit*>(QStringLiteral("outline_depth"));
    QVERIFY(width && depth && width->isVisible());
    QCOMPARE(width->text(), QStringLiteral("24 m"));
    QCOMPARE(depth->text(), QStringLiteral("12 m"));
    std::vector<Edit> edits;
    connect(&form, &FieldForm::editRequested, &form, [&](const Edit& e) {
      edits.push_back(e);
      if (auto after = e.apply(d)) d = *after;
      form.setDesign(d, std::make_shared<const Catalog>());
    });
    form.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&form));
    width->setFocus();
    QTRY_VERIFY(width->hasFocus());
    width->selectAll();
    QTest::keyClicks(width, QStringLiteral("30 m"));
    QTest::keyClick(width, Qt::Key_Return);
    depth = form.findChild<QLineEdit*>(QStringLiteral("outline_depth")); // the form is made anew after an edit
    QVERIFY(depth);
    depth->setFocus();
    QTRY_VERIFY(depth->hasFocus());
    depth->selectAll();
    QTest::keyClicks(depth, QStringLiteral("14500 mm"));
    QTest::keyClick(depth, Qt::Key_Return);
    QVERIFY2(edits.size() == 2, qPrintable(QString::number(edits.size())));
    QCOMPARE(QString::fromStdString(outline_text(d.halls->front().outline)), QStringLiteral("0,0 30000,0 30000,14500 0,14500"));
    // A dimension from the corner at the right above, and from the side at the left, goes with the walls.
    Dimension line;
    line.hall = hall.front().id, line.start_x = millimeters(30000), line.end_x = millimeters(0),
    line.end_y = millimeters(5000), line.direction = DimensionDirection::along_x;
    d = add_entity(d, &Design::dimensions, line).design;
    form.setDesign(d, std::make_shared<const Catalog>());
    auto* outline = qobject_cast<QLineEdit*>(form.editor(QStringLiteral("outline")));
    QVERIFY(outline);
    QCOMPARE(outline->text(), QStringLiteral("0,0 30,0 30,14.5 0,14.5 m"));
    outline->setFocus();
    outline->selectAll();
    QTest::keyClicks(outline, QStringLiteral("-1.2,0 31,0 31,14.5 -1.2,14.5 m"));
    QTest::keyClick(outline, Qt::Key_Return);
    QCOMPARE(edits.size(), 3u);
    QCOMPARE(in_millimeters(d.dimensions->front().start_x), 31000.0);
    QCOMPARE(in_millimeters(d.dimensions->front().start_y), 0.0);
    QCOMPARE(in_millimeters(d.dimensions->front().end_x), -1200.0);
    QCOMPARE(in_millimeters(d.dimensions->front().end_y), 5000.0);
    // No rectangle: no such rows.
    d = *set_field(d, hall.front(), "outline", FieldValue(std::string("0,0 30000,0 30000,14500 9000,14500 0,9000")));
    form.setDesign(d, std::make_shared<const Catalog>());
    form.setEntities(hall);
    QVERIFY(!form.findChild<QLineEdit*>(QStringLiteral("outline_width"))->isVisible());
  }
};

QTEST_MAIN(TestPlanManners)
#include "test_plan_manners.moc"
