// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <QTest>

#include "widgets/plan/plan_canvas.h"
#include "widgets/plan/plan_painter.h"
#include "widgets/plan/plan_print.h"
#include "widgets/theme.h"

using namespace hallwright;
using namespace hallwright::plan;

namespace {

Design hall_of_10_m() {
  Design d;
  Hall hall;
  hall.name = "Hall";
  hall.outline = {{0, 0}, {10000, 0}, {10000, 6000}, {0, 6000}};
  return add_entity(d, &Design::halls, hall).design;
}

/// Rack of 600 x 1200 mm, its upper left corner at 2 m, 2 m, and a busway of 3 m across it, 200 mm deep.
Design with_busway(bool drawn, std::optional<Length> elevation) {
  Design d = hall_of_10_m();
  const Id hall = d.halls->front().id;
  RackType type;
  type.name = "Type";
  type.width = millimeters(600), type.depth = millimeters(1200);
  Made made = add_entity(d, &Design::rack_types, type);
  Rack rack;
  rack.name = "R1";
  rack.hall = hall, rack.rack_type = made.entities.front().id;
  rack.x = meters(2), rack.y = meters(2);
  d = add_entity(made.design, &Design::racks, rack).design;
  if (!drawn) return d;
  PowerUnit busway;
  busway.name = "Busway A";
  busway.kind = PowerUnitKind::busway;
  busway.hall = hall, busway.elevation = elevation;
  busway.x = meters(1), busway.y = millimeters(2200), busway.width = meters(3), busway.depth = millimeters(200);
  return add_entity(d, &Design::power_units, busway).design;
}

/// At 100 dots a metre.
QImage painted(const Design& d, const std::set<PlanLayer>& hidden = {}) {
  QImage image(1000, 600, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  PlanModel model;
  model.update(d, std::make_shared<const Catalog>(), 0);
  Canvas c;
  c.painter = &painter;
  c.scale = 0.1;
  c.paper = true;
  c.colors = PlanColors::paper();
  c.base_font = QApplication::font();
  Picture p;
  p.model = &model;
  p.area = QRectF(0, 0, 10000, 6000);
  paint_drawing(c, p, hidden, false);
  return image;
}

int differing(const QImage& a, const QImage& b, const QRect& where) {
  int out = 0;
  for (int y = where.top(); y <= where.bottom(); ++y)
    for (int x = where.left(); x <= where.right(); ++x) out += a.pixel(x, y) != b.pixel(x, y);
  return out;
}

/// Pixels of one hue, by the channel that leads the others by more than 40.
struct Hues {
  int green = 0, blue = 0, amber = 0;
};
Hues hues(const QImage& image, const QRect& leave_out) {
  Hues out;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      if (leave_out.contains(x, y)) continue;
      const QColor c = image.pixelColor(x, y);
      out.green += c.green() > c.red() + 40 && c.green() > c.blue() + 20;
      out.blue += c.blue() > c.red() + 60 && c.blue() > c.green() + 30;
      out.amber += c.red() > c.blue() + 80 && c.green() > c.blue() + 30 && c.red() > c.green();
    }
  return out;
}

QImage sheet_of(const Design& d, QRect* drawing) {
  PlanPage page;
  page.paper = QStringLiteral("A4");
  page.title_block = false, page.grid = false;
  const PlanPrint print(page, d, std::make_shared<const Catalog>(), {});
  constexpr double dots = 8;
  const QSizeF paper = print.paper();
  QImage image(qRound(paper.width() * dots), qRound(paper.height() * dots), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  print.paint(painter, 0, dots);
  const QRectF area = print.drawing_area();
  *drawing = QRectF(area.topLeft() * dots, area.size() * dots).toAlignedRect();
  return image;
}

} // namespace

class TestPlanLayers : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// An SVG has no clip that its generator writes: what is hatched stays within its frame all the same.
  void a_hatch_stays_within_its_frame_in_an_svg() {
    QByteArray written;
    QBuffer buffer(&written);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize({200, 200});
    generator.setViewBox(QRect(0, 0, 200, 200));
    {
      QPainter painter(&generator);
      plan::Canvas canvas;
      canvas.painter = &painter;
      canvas.hatch(QRectF(80, 90, 60, 20), Qt::black);
    }
    QSvgRenderer renderer(written);
    QVERIFY(renderer.isValid());
    QImage image(200, 200, QImage::Format_ARGB32);
    image.fill(Qt::white);
    {
      QPainter painter(&image);
      renderer.render(&painter, QRectF(0, 0, 200, 200));
    }
    int inside = 0;
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 200; ++x) {
        if (image.pixelColor(x, y) == QColor(Qt::white)) continue;
        QVERIFY2(QRect(78, 88, 64, 24).contains(x, y), qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
        ++inside;
      }
    QVERIFY(inside > 100);
  }

  void initTestCase() { apply_appearance(Appearance::light); }

  void a_busway_overhead_is_seen_across_the_rack() {
    const QImage bare = painted(with_busway(false, {})), above = painted(with_busway(true, meters(2.8)));
    // The strip runs from 1 m to 4 m at 2.2 to 2.4 m; the rack stands from 2 m to 2.6 m.
    const QRect on_rack(203, 219, 54, 22);
    QVERIFY(differing(bare, above, on_rack) > 60);
    // The rack below keeps its name and colour: nothing else of it is painted anew.
    QCOMPARE(differing(bare, above, QRect(203, 245, 54, 70)), 0);
    QCOMPARE(differing(bare, above, QRect(203, 203, 54, 13)), 0);
    // Inside the strip the rack's colour shows through.
    const QColor before = bare.pixelColor(206, 230), after = above.pixelColor(206, 230);
    QVERIFY(std::abs(before.lightness() - after.lightness()) < 30);
    // One that stands on the floor is below the rack, as what shares its floor.
    QCOMPARE(differing(bare, painted(with_busway(true, {})), QRect(203, 224, 54, 12)), 0);
    // Hidden with the layer of power; and seen where racks are hidden.
    QCOMPARE(differing(bare, painted(with_busway(true, meters(2.8)), {PlanLayer::power}), QRect(100, 210, 320, 40)), 0);
    QVERIFY(differing(painted(with_busway(false, {}), {PlanLayer::racks}),
                      painted(with_busway(true, meters(2.8)), {PlanLayer::racks}), on_rack) > 60);
  }

  void the_legend_has_the_colours_of_the_plan() {
    QRect drawing;
    Design d = hall_of_10_m();
    const Hues none = hues(sheet_of(d, &drawing), drawing);
    Zone zone;
    zone.name = "Zone";
    zone.hall = d.halls->front().id;
    zone.outline = {{1000, 1000}, {4000, 1000}, {4000, 4000}, {1000, 4000}};
    const Design zoned = add_entity(d, &Design::zones, zone).design;
    const Hues with_zone = hues(sheet_of(zoned, &drawing), drawing);
    QVERIFY2(with_zone.green > none.green + 40, qPrintable(QString::number(with_zone.green)));
    QCOMPARE(with_zone.blue, none.blue);
    // A note is an amber card; a label is grey letters.
    Note note;
    note.hall = d.halls->front().id;
    note.text = "Look here";
    note.x = meters(2), note.y = meters(2);
    const Hues with_note = hues(sheet_of(add_entity(d, &Design::notes, note).design, &drawing), drawing);
    QVERIFY2(with_note.amber > none.amber + 20, qPrintable(QString::number(with_note.amber)));
    note.kind = NoteKind::label;
    const Hues with_label = hues(sheet_of(add_entity(d, &Design::notes, note).design, &drawing), drawing);
    QCOMPARE(with_label.amber, none.amber);
  }
};

QTEST_MAIN(TestPlanLayers)
#include "test_plan_layers.moc"
