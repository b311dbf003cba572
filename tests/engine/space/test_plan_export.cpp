// SPDX-License-Identifier: GPL-3.0-or-later
// The plan as DXF, read back by another program (ezdxf): units, layers, counts, hand-worked coordinates.
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include "engine/project/exchange_hall.h"
#include "project/durable_file.h"
#include "project/dxf_drawing.h"
#include "space/plan_export.h"

using namespace hallwright;
using hallwright::test::exchange_hall;
using hallwright::test::ExchangeHall;
using hallwright::test::shipped_catalog;

namespace {

/// Reads with ezdxf; the package python3-ezdxf belongs to the tests.
QJsonObject read_back(const std::string& dxf) {
  QTemporaryDir folder;
  const QString file = folder.filePath("plan.dxf");
  if (!replace_file(file.toStdString(), dxf)) qFatal("the drawing is not written");
  QProcess reader;
  reader.start("/usr/bin/python3", {HALLWRIGHT_SOURCE_DIR "/tests/data/dxf/read_back.py", file});
  if (!reader.waitForStarted() || !reader.waitForFinished(60000) || reader.exitCode() != 0) {
    qWarning("%s", reader.readAllStandardError().constData());
    return {};
  }
  return QJsonDocument::fromJson(reader.readAllStandardOutput()).object();
}

QList<QPointF> points_of(const QJsonObject& polyline) {
  QList<QPointF> out;
  for (const auto& p : polyline["points"].toArray())
    out << QPointF(p.toArray()[0].toDouble(), p.toArray()[1].toDouble());
  return out;
}
/// Whether the layer holds a closed polyline with exactly these corners, wherever it begins.
bool holds(const QJsonObject& drawing, const QString& layer, const QList<QPointF>& corners) {
  for (const auto& value : drawing["polylines"].toArray()) {
    const QJsonObject p = value.toObject();
    if (p["layer"].toString() != layer || !p["closed"].toBool()) continue;
    const QList<QPointF> found = points_of(p);
    if (found.size() != corners.size()) continue;
    bool all = true;
    for (const QPointF& c : corners)
      all = all && std::any_of(found.begin(), found.end(), [&](const QPointF& f) {
              return std::abs(f.x() - c.x()) < 1e-3 && std::abs(f.y() - c.y()) < 1e-3;
            });
    if (all) return true;
  }
  return false;
}
QJsonObject text_of(const QJsonObject& drawing, const QString& words) {
  for (const auto& t : drawing["texts"].toArray())
    if (t.toObject()["text"].toString() == words) return t.toObject();
  return {};
}
int count(const QJsonObject& drawing, const QString& layer, const QString& type) {
  return drawing["layers"].toObject()[layer].toObject()["counts"].toObject()[type].toInt();
}

ExchangeHall furnished_hall() {
  ExchangeHall out = exchange_hall();
  Design& d = out.design;
  auto add = [&d](auto table, auto entity) {
    Made made = add_entity(d, table, std::move(entity));
    d = std::move(made.design);
    return made.entities.at(0).id;
  };
  add(&Design::structures, Structure{.name = "C1",
                                     .kind = StructureKind::column,
                                     .hall = out.hall,
                                     .x = millimeters(5000),
                                     .y = millimeters(5000),
                                     .width = millimeters(400),
                                     .depth = millimeters(300)});
  add(&Design::cooling_units, CoolingUnit{.name = "CDU 1",
                                          .hall = out.hall,
                                          .x = millimeters(7000),
                                          .y = millimeters(2000),
                                          .rotation = degrees(45),
                                          .width = millimeters(600),
                                          .depth = millimeters(1200)});
  add(&Design::cooling_units,
      CoolingUnit{.name = "CDU 2", .hall = out.hall, .x = millimeters(7000), .y = millimeters(5000)});
  add(&Design::zones,
      Zone{.name = "Z\u00FCrich", .hall = out.hall, .outline = {{500, 1500}, {6000, 1500}, {6000, 4000}, {500, 4000}}});
  add(&Design::containments, Containment{.name = "Hot 1",
                                         .hall = out.hall,
                                         .x = millimeters(1000),
                                         .y = millimeters(3200),
                                         .width = millimeters(3000),
                                         .depth = millimeters(1200)});
  add(&Design::trays, Tray{.name = "T1", .hall = out.hall, .path = {{500, 1800}, {8000, 1800}, {8000, 6000}}});
  add(&Design::pipes,
      Pipe{.name = "S1", .side = PipeSide::supply, .hall = out.hall, .path = {{500, 7000}, {8000, 7000}}});
  add(&Design::pipes,
      Pipe{.name = "B1", .side = PipeSide::return_, .hall = out.hall, .path = {{500, 7300}, {8000, 7300}}});
  add(&Design::dimensions, Dimension{.hall = out.hall,
                                     .start = out.first,
                                     .end = out.third,
                                     .end_x = {},
                                     .direction = DimensionDirection::along_x});
  add(&Design::notes,
      Note{.text = "100 %% sure\nsecond line", .hall = out.hall, .x = millimeters(500), .y = millimeters(7600)});
  return out;
}

} // namespace

class TestPlanExport : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void another_program_reads_and_audits_it() {
    const QJsonObject d = read_back(dxf_text(plan_sheet(furnished_hall().design, shipped_catalog())));
    QVERIFY2(!d.isEmpty(), "ezdxf (package python3-ezdxf) did not read the drawing");
    QCOMPARE(d["release"].toString(), QString("AC1015"));
    QCOMPARE(d["units"].toInt(), 4); // millimetres
    QCOMPARE(d["measurement"].toInt(), 1);
    QCOMPARE(d["errors"].toArray(), QJsonArray{});
    QCOMPARE(d["fixes"].toArray(), QJsonArray{});
  }

  void a_layer_for_each_kind() {
    const QJsonObject d = read_back(dxf_text(plan_sheet(furnished_hall().design, shipped_catalog())));
    QCOMPARE(count(d, "HALL-OUTLINE", "LWPOLYLINE"), 1);
    QCOMPARE(count(d, "HALL-RACKS", "LWPOLYLINE"), 3);
    QCOMPARE(count(d, "HALL-RACKS-NAMES", "TEXT"), 3);
    QCOMPARE(count(d, "HALL-RACKS-FRONT", "LWPOLYLINE"), 3);
    QCOMPARE(count(d, "HALL-POWER", "LWPOLYLINE"), 2);
    QCOMPARE(count(d, "HALL-COOLING", "LWPOLYLINE"), 2);
    QCOMPARE(count(d, "HALL-STRUCTURES", "LWPOLYLINE"), 1);
    QCOMPARE(count(d, "HALL-ZONES", "LWPOLYLINE"), 1);
    QCOMPARE(count(d, "HALL-CONTAINMENT", "LWPOLYLINE"), 1);
    QCOMPARE(count(d, "HALL-TRAYS", "LWPOLYLINE"), 1);
    QCOMPARE(count(d, "HALL-PIPES-SUPPLY", "LWPOLYLINE"), 1);
    QCOMPARE(count(d, "HALL-PIPES-RETURN", "LWPOLYLINE"), 1);
    QCOMPARE(count(d, "HALL-PIPES-DRAIN", "LWPOLYLINE"), 0);
    QCOMPARE(count(d, "HALL-NOTES", "TEXT"), 2); // one a line
    QCOMPARE(d["layers"].toObject()["HALL-RACKS"].toObject()["colour"].toInt(), 5);
  }

  /// By hand: y is turned over; a quarter turn changes the sides over about the middle.
  void coordinates_of_named_things() {
    const QJsonObject d = read_back(dxf_text(plan_sheet(furnished_hall().design, shipped_catalog())));
    QVERIFY(holds(d, "HALL-OUTLINE", {{0, 0}, {12000, 0}, {12000, -8000}, {0, -8000}}));
    // R01-01: 600 x 1200 at (1000, 2000).
    QVERIFY(holds(d, "HALL-RACKS", {{1000, -2000}, {1600, -2000}, {1600, -3200}, {1000, -3200}}));
    // R01-02: the same at (1600, 2000), turned by 90 degrees about (1900, 2600): 1300 to 2500 by 2300 to 2900.
    QVERIFY(holds(d, "HALL-RACKS", {{1300, -2300}, {2500, -2300}, {2500, -2900}, {1300, -2900}}));
    // R01-03: 750 x 1200 of its catalog part at (3000.5, 2000).
    QVERIFY(holds(d, "HALL-RACKS", {{3000.5, -2000}, {3750.5, -2000}, {3750.5, -3200}, {3000.5, -3200}}));
    QVERIFY(holds(d, "HALL-STRUCTURES", {{5000, -5000}, {5400, -5000}, {5400, -5300}, {5000, -5300}}));
    // CDU 1: 600 x 1200 about (7300, 2600), turned clockwise by 45 degrees: (x - y) / sqrt 2, (x + y) / sqrt 2 of
    // (-300, -600) is (212.132, -636.396) on the plan.
    QVERIFY(holds(d, "HALL-COOLING",
                  {{7512.132, -1963.604}, {7936.396, -2387.868}, {7087.868, -3236.396}, {6663.604, -2812.132}}));
    QCOMPARE(d["extmin"].toArray()[1].toDouble(), -8000.0);
  }

  void names_stand_upright_in_the_middle() {
    const QJsonObject d = read_back(dxf_text(plan_sheet(furnished_hall().design, shipped_catalog())));
    const QJsonObject first = text_of(d, "R01-01");
    QCOMPARE(first["layer"].toString(), QString("HALL-RACKS-NAMES"));
    QCOMPARE(first["align"].toString(), QString("MIDDLE_CENTER"));
    QCOMPARE(first["at"].toArray(), (QJsonArray{1300.0, -2600.0}));
    for (const auto& t : d["texts"].toArray()) {
      const double rotation = t.toObject()["rotation"].toDouble();
      QVERIFY2(rotation > -90.001 && rotation <= 90.001, qPrintable(t.toObject()["text"].toString()));
      QVERIFY(!t.toObject()["mirrored"].toBool());
      QVERIFY(t.toObject()["height"].toDouble() > 0.0);
    }
    QVERIFY(!text_of(d, QString::fromUtf8("Z\u00FCrich")).isEmpty());
    QVERIFY(!text_of(d, "CDU 2 (size not stated)").isEmpty());
    QVERIFY(!text_of(d, "100 %% sure").isEmpty());
    QVERIFY(!text_of(d, "second line").isEmpty());
    // From the left side of R01-01 at 1000 to that of R01-03 at 3000.5.
    QCOMPARE(text_of(d, "2000.50")["layer"].toString(), QString("HALL-DIMENSIONS"));
  }

  void one_hall_alone() {
    ExchangeHall two = furnished_hall();
    Made other = add_entity(two.design, &Design::halls,
                            Hall{.name = "Hall B", .outline = {{20000, 0}, {30000, 0}, {30000, 5000}}});
    const Id hall_b = other.entities.at(0).id;
    Made rack = add_entity(
        other.design, &Design::racks,
        Rack{.name = "B-1", .rack_type = two.compute, .hall = hall_b, .x = millimeters(21000), .y = millimeters(1000)});
    const QJsonObject all = read_back(dxf_text(plan_sheet(rack.design, shipped_catalog())));
    QCOMPARE(count(all, "HALL-RACKS", "LWPOLYLINE"), 4);
    const QJsonObject b = read_back(dxf_text(plan_sheet(rack.design, shipped_catalog(), hall_b)));
    QCOMPARE(count(b, "HALL-RACKS", "LWPOLYLINE"), 1);
    QCOMPARE(count(b, "HALL-OUTLINE", "LWPOLYLINE"), 1);
    QCOMPARE(count(b, "HALL-NOTES", "TEXT"), 0);
    QCOMPARE(hall_places(rack.design).at(hall_b).x_mm, 0.0);
    // A hall that was drawn at the origin too stands 4 m to the right of all others: 30000 + 4000.
    Made third =
        add_entity(rack.design, &Design::halls, Hall{.name = "Upstairs", .outline = {{0, 0}, {1000, 0}, {1000, 1000}}});
    QCOMPARE(hall_places(third.design).at(third.entities.at(0).id).x_mm, 34000.0);
    QVERIFY(holds(read_back(dxf_text(plan_sheet(third.design, shipped_catalog()))), "HALL-OUTLINE",
                  {{34000, 0}, {35000, 0}, {35000, -1000}}));
    // Alone, it stands where it was drawn.
    QVERIFY(holds(read_back(dxf_text(plan_sheet(third.design, shipped_catalog(), third.entities.at(0).id))),
                  "HALL-OUTLINE", {{0, 0}, {1000, 0}, {1000, -1000}}));
  }

  void an_empty_design_is_a_drawing_too() {
    const QJsonObject d = read_back(dxf_text(plan_sheet(Design{}, shipped_catalog())));
    QCOMPARE(d["errors"].toArray(), QJsonArray{});
    QCOMPARE(d["fixes"].toArray(), QJsonArray{});
    QCOMPARE(d["polylines"].toArray().size(), 0);
  }

  void the_same_design_gives_the_same_bytes() {
    const Design d = furnished_hall().design;
    QCOMPARE(dxf_text(plan_sheet(d, shipped_catalog())), dxf_text(plan_sheet(d, shipped_catalog())));
  }

  /// Our own reader takes it as an underlay: what goes out comes back.
  void our_reader_reads_it_too() {
    const auto drawing = read_dxf(dxf_text(plan_sheet(furnished_hall().design, shipped_catalog())), "plan.dxf");
    QVERIFY2(drawing, drawing ? "" : drawing.error().c_str());
    QCOMPARE(drawing->units.millimetres_per_unit, std::optional<double>(1.0));
    QVERIFY(drawing->not_shown.empty());
    const auto zone = std::find_if(drawing->texts.begin(), drawing->texts.end(),
                                   [](const DrawingText& t) { return t.text == "Z\u00FCrich"; });
    QVERIFY(zone != drawing->texts.end());
    QVERIFY(std::any_of(drawing->texts.begin(), drawing->texts.end(),
                        [](const DrawingText& t) { return t.text == "100 %% sure"; }));
    // Characters beyond the code page travel as \U+6A5F.
    QCOMPARE(dxf_escaped("\u6A5F\u623F \u20AC ^%%"), std::string("\\U+6A5F\\U+623F \x80 ^ %%"));
    QCOMPARE(dxf_escaped("50%%d"), std::string("50%%%%d"));
    // Back on the plan, the corner of the outline is where it was.
    const PlanPoint corner = plan_point({12000, -8000}, 1.0);
    QCOMPARE(corner.x_mm, 12000.0);
    QCOMPARE(corner.y_mm, 8000.0);
  }
};

QTEST_GUILESS_MAIN(TestPlanExport)
#include "test_plan_export.moc"
