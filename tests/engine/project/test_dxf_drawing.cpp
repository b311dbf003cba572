// SPDX-License-Identifier: GPL-3.0-or-later
// DXF drawings of another program, at hand-worked coordinates; and files that are broken in every way.
#include <QtTest>

#include <random>

#include "project/durable_file.h"
#include "project/dxf_drawing.h"

using namespace hallwright;

namespace {

std::string content_of(const std::string& name) {
  auto content = read_whole_file(HALLWRIGHT_SOURCE_DIR "/tests/data/dxf/" + name);
  if (!content) qFatal("%s", content.error().c_str());
  return *std::move(content);
}
Drawing read_file(const std::string& name, const DrawingOptions& options = {}) {
  auto drawing = read_dxf(content_of(name), name, options);
  if (!drawing) qFatal("%s", drawing.error().c_str());
  return *std::move(drawing);
}
std::string refusal(const std::string& text) {
  const auto drawing = read_dxf(text, "plan.dxf");
  return drawing ? "accepted" : drawing.error();
}

bool near(double a, double b, double by = 1e-6) { return std::abs(a - b) <= by; }
bool near(const DrawingPoint& p, double x, double y, double by = 1e-6) { return near(p.x, x, by) && near(p.y, y, by); }

struct Box {
  double x0 = 1e300, y0 = 1e300, x1 = -1e300, y1 = -1e300;
};
Box box_of(const DrawingPath& path) {
  Box b;
  for (const DrawingPoint& p : path.points)
    b = {std::min(b.x0, p.x), std::min(b.y0, p.y), std::max(b.x1, p.x), std::max(b.y1, p.y)};
  return b;
}
bool near(const Box& b, double x0, double y0, double x1, double y1, double by = 1e-6) {
  return near(b.x0, x0, by) && near(b.y0, y0, by) && near(b.x1, x1, by) && near(b.y1, y1, by);
}

const DrawingPath* path_in(const Drawing& d, double x0, double y0, double x1, double y1, double by = 1e-6) {
  for (const DrawingPath& p : d.paths)
    if (near(box_of(p), x0, y0, x1, y1, by)) return &p;
  return nullptr;
}
std::string layer_of(const Drawing& d, const DrawingPath* p) { return p ? d.layers[p->layer].name : "no such path"; }

/// A file with one entity between proper sections; the entity begins in line 5.
std::string with_entity(const std::string& groups) {
  return "0\nSECTION\n2\nENTITIES\n" + groups + "0\nENDSEC\n0\nEOF\n";
}

} // namespace

class TestDxfDrawing : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void layers_are_those_of_the_file() {
    const Drawing d = read_file("everything_r2010.dxf");
    auto layer = [&](std::string_view name) {
      for (const DrawingLayer& l : d.layers)
        if (l.name == name) return l;
      return DrawingLayer{"missing", -1, false};
    };
    QCOMPARE(layer("WALLS").colour, 1);
    QVERIFY(layer("WALLS").visible);
    QCOMPARE(layer("GRID").colour, 3);
    QVERIFY(!layer("GRID").visible);
    QVERIFY(!layer("FROZEN").visible);
    QCOMPARE(layer("FROZEN").colour, 5);
    QCOMPARE(layer("T\u00DCREN").colour, 140);
  }

  void units_are_found_or_not_stated() {
    const Drawing mm = read_file("everything_r2010.dxf");
    QVERIFY(mm.units.found);
    QCOMPARE(mm.units.millimetres_per_unit, std::optional<double>(1.0));
    QCOMPARE(read_file("feet.dxf").units.millimetres_per_unit, std::optional<double>(304.8));
    QCOMPARE(read_file("mirrored.dxf").units.millimetres_per_unit, std::optional<double>(1000.0));
    const Drawing only = read_file("measurement_only.dxf");
    QVERIFY(only.units.found);
    QCOMPARE(only.units.millimetres_per_unit, std::optional<double>(1.0));
    QVERIFY(only.units.why.find("$MEASUREMENT says metric") != std::string::npos);
    const Drawing none = read_file("release_12.dxf");
    QVERIFY(!none.units.found);
    QVERIFY(!none.units.millimetres_per_unit);
    QVERIFY(none.units.why.find("not stated") != std::string::npos);
  }

  void lines_and_outlines() {
    const Drawing d = read_file("everything_r2010.dxf");
    const DrawingPath* wall = path_in(d, 0, 0, 12000, 8000);
    QVERIFY(wall && wall->closed);
    QCOMPARE(wall->points.size(), 4U);
    QCOMPARE(layer_of(d, wall), std::string("WALLS"));
    const DrawingPath* line = path_in(d, 0, 0, 12000, 0);
    QVERIFY(line && !line->closed && line->points.size() == 2);
    const DrawingPath* solid = path_in(d, 9000, 1000, 9400, 1200);
    QVERIFY(solid && solid->filled && solid->closed);
    // Corners of a SOLID go round, not crosswise: the area is that of the rectangle.
    double area = 0.0;
    for (std::size_t k = 0; k < solid->points.size(); ++k) {
      const DrawingPoint &a = solid->points[k], &b = solid->points[(k + 1) % solid->points.size()];
      area += (a.x * b.y - b.x * a.y) / 2.0;
    }
    QCOMPARE(std::abs(area), 400.0 * 200.0);
    QCOMPARE(d.dots.size(), 1U);
    QVERIFY(near(d.dots[0].at, 100, 200));
  }

  void curves_stay_within_the_tolerance() {
    for (const double tolerance : {50.0, 1.0, 0.01}) {
      const Drawing d = read_file("everything_r2010.dxf", {.tolerance_mm = tolerance});
      QCOMPARE(d.tolerance, tolerance);
      const DrawingPath* circle = path_in(d, 2750, 3750, 3250, 4250, tolerance);
      QVERIFY(circle && circle->closed);
      QCOMPARE(int(circle->colour), 2);
      for (std::size_t k = 0; k < circle->points.size(); ++k) {
        const DrawingPoint &a = circle->points[k], &b = circle->points[(k + 1) % circle->points.size()];
        QVERIFY(near(std::hypot(a.x - 3000, a.y - 4000), 250.0));
        QVERIFY(250.0 - std::hypot((a.x + b.x) / 2 - 3000, (a.y + b.y) / 2 - 4000) <= tolerance * (1 + 1e-9));
      }
      // The quarter arc about (5000, 5000) from (6000, 5000) to (5000, 6000).
      const DrawingPath* arc = path_in(d, 5000, 5000, 6000, 6000);
      QVERIFY(arc && !arc->closed);
      QVERIFY(near(arc->points.front(), 6000, 5000) && near(arc->points.back(), 5000, 6000));
      const DrawingPath* ellipse = path_in(d, 6000, 3000, 10000, 5000, tolerance);
      QVERIFY(ellipse && ellipse->closed);
      for (const DrawingPoint& p : ellipse->points)
        QVERIFY(near(std::pow((p.x - 8000) / 2000, 2) + std::pow((p.y - 4000) / 1000, 2), 1.0, 1e-9));
      // A Bezier curve: ends at its outer points, its middle at (1500, 6750).
      const DrawingPath* spline = path_in(d, 0, 6000, 3000, 6750, tolerance);
      QVERIFY(spline);
      QVERIFY(near(spline->points.front(), 0, 6000) && near(spline->points.back(), 3000, 6000));
      bool middle = false;
      for (const DrawingPoint& p : spline->points)
        middle = middle || near(p, 1500, 6750, 1e-6);
      QVERIFY(middle);
    }
  }

  void bulges_bend_to_the_right_side() {
    const Drawing d = read_file("everything_r2010.dxf");
    // A bulge of 1 is a half circle, counter-clockwise: from (1000, 1000) up to (1000, 2000) it swings to x = 1500.
    const DrawingPath* door = path_in(d, 1000, 1000, 1500, 2000, 1.0);
    QVERIFY(door);
    for (const DrawingPoint& p : door->points)
      QVERIFY(near(std::hypot(p.x - 1000, p.y - 1500), 500.0));
    const Drawing old = read_file("release_12.dxf");
    const DrawingPath* arc = path_in(old, 0, -5, 10, 0, 0.01);
    QVERIFY(arc);
    QCOMPARE(layer_of(old, arc), std::string("ARCS"));
    QVERIFY(path_in(old, 0, 0, 100, 50)->closed);
  }

  void texts() {
    const Drawing d = read_file("everything_r2010.dxf");
    QCOMPARE(d.texts.size(), 2U);
    QCOMPARE(d.texts[0].text, std::string("R\u00E4ume 50\u00B0"));
    QVERIFY(near(d.texts[0].at, 6000, 7000));
    QCOMPARE(d.texts[0].height, 300.0);
    QVERIFY(d.texts[0].across == DrawingText::Across::centre && d.texts[0].up == DrawingText::Up::middle);
    QCOMPARE(d.texts[1].text, std::string("Hall A\nrating 1221"));
    QVERIFY(d.texts[1].up == DrawingText::Up::top && d.texts[1].across == DrawingText::Across::left);
  }

  void blocks_are_resolved() {
    const Drawing d = read_file("everything_r2010.dxf");
    const DrawingPath* rack = path_in(d, 1700, 2400, 2300, 3600); // base point (300, 600) at (2000, 3000)
    QCOMPARE(layer_of(d, rack), std::string("WALLS"));            // layer 0 takes that of the insert
    QVERIFY(path_in(d, 3400, 1700, 4600, 2300));                  // turned by 90 degrees
    // Six pairs at double size: each rack 1200 x 2400, pairs 3000 and 4000 apart.
    std::size_t pairs = 0;
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 2; ++row) {
        const double x = 20000 + 3000 * column, y = 4000 * row;
        if (path_in(d, x, y, x + 1200, y + 2400) && path_in(d, x + 1200, y, x + 2400, y + 2400)) ++pairs;
      }
    QCOMPARE(pairs, 6U);
    bool told = false;
    for (const std::string& n : d.notes)
      told = told || n.find("nested deeper than 16") != std::string::npos;
    QVERIFY(told);
  }

  void outlines_of_hatches() {
    const Drawing d = read_file("everything_r2010.dxf");
    const DrawingPath* box = path_in(d, 10000, 1000, 11000, 1500);
    QVERIFY(box && box->closed);
    QCOMPARE(int(box->colour), 4);
    QVERIFY(path_in(d, 10200, 5700, 10800, 6300, 1.0));
  }

  void what_is_not_shown_is_counted() {
    const Drawing d = read_file("everything_r2010.dxf");
    QCOMPARE(d.not_shown_words(), std::string("1 DIMENSION, 2 RAY not shown"));
    QCOMPARE(read_file("mirrored.dxf").not_shown_words(), std::string("1 tilted CIRCLE not shown"));
  }

  void what_is_drawn_from_behind_is_turned_over() {
    const Drawing d = read_file("mirrored.dxf");
    QVERIFY(path_in(d, -3, 2, -1, 4, 0.001));
    QVERIFY(path_in(d, -2, 0, -1, 1));
  }

  void extent_and_the_way_to_the_plan() {
    const Drawing d = read_file("feet.dxf");
    QVERIFY(d.extent && near(d.extent->low, 0, 0) && near(d.extent->high, 40, 15, 0.01));
    // 40 ft are 12192 mm; y up 15 ft is 4572 mm above, which is below zero on the plan.
    const PlanPoint p = plan_point({40, 15}, *d.units.millimetres_per_unit);
    QCOMPARE(p.x_mm, 12192.0);
    QCOMPARE(p.y_mm, -4572.0);
    QCOMPARE(plan_rotation(30.0), -30.0);
  }

  // --- broken files -------------------------------------------------------------------------------------------------

  void what_is_refused_says_the_line_and_what_is_expected_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    auto row = [](const char* name, const std::string& text, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << QString(says);
    };
    row("empty", "", "line 1: the file is empty");
    row("blank", "\n\n  \n", "line 1: the file is empty");
    row("binary", std::string("AutoCAD Binary DXF\r\n\x1a\0rest", 26), "line 1: this is a binary DXF");
    row("DWG", std::string("AC1032\0\0\0\0", 10), "line 1: this is a DWG (AC1032)");
    row("PDF", "%PDF-1.4\n%xyz\n", "line 1: '%PDF-1.4' is not a group code");
    row("zero byte", std::string("0\nSECTION\n2\nENTITIES\n0\nLI\0NE\n", 31), "line 6: a zero byte");
    row("no section", "0\nLINE\n", "line 2: the first group is 0 'LINE'; 0 'SECTION' is expected");
    row("no entities", "0\nSECTION\n2\nHEADER\n0\nENDSEC\n0\nEOF\n", "has no section ENTITIES");
    row("cut after a code", "0\nSECTION\n2\nENTITIES\n0\nLINE\n10\n", "line 7: the file ends after group code 10");
    row("cut in a section", "0\nSECTION\n2\nENTITIES\n0\nLINE\n10\n1.0\n",
        "line 8: the file ends within section ENTITIES, which began in line 2");
    row("code is a word", with_entity("0\nLINE\nten\n1.0\n"), "line 7: 'ten' is not a group code");
    row("code too large", with_entity("0\nLINE\n5000\n1.0\n"), "line 7: '5000' is not a group code");
    row("not a number", with_entity("0\nLINE\n10\nabc\n"), "line 8: 'abc' under group code 10 is not a number");
    row("decimal comma", with_entity("0\nLINE\n10\n1,5\n"), "line 8: '1,5' under group code 10 is not a number");
    row("nan", with_entity("0\nLINE\n10\nnan\n"), "line 8: 'nan' under group code 10 is not finite");
    row("infinite", with_entity("0\nLINE\n10\n1\n20\ninf\n"), "line 10: 'inf' under group code 20 is not finite");
    row("overflow", with_entity("0\nLINE\n10\n1e999\n"), "line 8: '1e999' under group code 10 is not a number");
    row("absurd", with_entity("0\nLINE\n10\n1e30\n"), "line 8: 1e30 under group code 10 is out of range");
    row("line without end", with_entity("0\nLINE\n8\n0\n10\n1\n20\n2\n11\n3\n"), "line 6: LINE without group code 21");
    row("radius below zero", with_entity("0\nCIRCLE\n8\n0\n10\n1\n20\n2\n40\n-5\n"), "line 14: CIRCLE with radius -5");
    row("corner without y", with_entity("0\nLWPOLYLINE\n90\n2\n10\n1\n20\n1\n10\n2\n"),
        "line 14: LWPOLYLINE: group code 20, the y of the last corner, is expected");
    row("y before x", with_entity("0\nLWPOLYLINE\n90\n2\n20\n1\n10\n2\n"),
        "line 10: LWPOLYLINE: group code 10, the x of a corner, is expected");
    row("spline knots",
        with_entity("0\nSPLINE\n71\n3\n40\n0\n40\n1\n10\n0\n20\n0\n10\n1\n20\n1\n10\n2\n20\n0\n10\n3\n20\n0\n"),
        "line 6: SPLINE of degree 3 with 4 control points and 2 knots; 8 knots are expected");
    row("vertex alone", with_entity("0\nVERTEX\n10\n1\n20\n1\n"), "line 6: VERTEX stands outside a POLYLINE");
    row("polyline not ended",
        with_entity("0\nPOLYLINE\n66\n1\n0\nVERTEX\n10\n1\n20\n1\n0\nLINE\n10\n0\n20\n0\n11\n1\n21\n1\n"),
        "'LINE' stands within a POLYLINE");
    row("array too large", with_entity("0\nINSERT\n2\nB\n10\n0\n20\n0\n70\n100000\n"),
        "line 6: INSERT with 100000 columns");
    row("hatch count", with_entity("0\nHATCH\n91\n1000000\n"), "line 8: HATCH: 1000000 outlines where");
    row("hatch order", with_entity("0\nHATCH\n91\n1\n92\n2\n72\n0\n73\n1\n93\n1\n20\n5\n10\n5\n"),
        "line 18: HATCH: group code 10 (x) is expected, 20 stands here");
    row("section in section", "0\nSECTION\n2\nENTITIES\n0\nSECTION\n2\nBLOCKS\n",
        "line 6: a section begins within ENTITIES");
    row("block not ended",
        "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nB\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n",
        "section BLOCKS ends within block 'B', which began in line 6");
  }
  void what_is_refused_says_the_line_and_what_is_expected() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const QString refused = QString::fromStdString(refusal(text.toStdString()));
    QVERIFY2(refused.startsWith("plan.dxf") && refused.contains(says), qPrintable(refused));
  }

  void counts_that_lie_do_no_harm() {
    // dxflib makes room by these counts; here they are two thousand million and minus one.
    for (const char* count : {"2000000000", "-1", "0", "1"}) {
      const std::string text = with_entity(std::string("0\nLWPOLYLINE\n90\n") + count +
                                           "\n70\n0\n10\n0\n20\n0\n10\n5\n20\n5\n42\n0.5\n10\n9\n20\n9\n");
      const auto drawing = read_dxf(text, "plan.dxf");
      QVERIFY2(drawing, drawing ? "" : drawing.error().c_str());
      QCOMPARE(drawing->paths.size(), 1U);
      QVERIFY(near(drawing->paths[0].points.back(), 9, 9));
    }
    const std::string spline =
        with_entity("0\nSPLINE\n70\n8\n71\n1\n72\n2000000000\n73\n-"
                    "7\n74\n2000000000\n40\n0\n40\n0\n40\n1\n40\n1\n10\n0\n20\n0\n10\n4\n20\n4\n");
    const auto drawing = read_dxf(spline, "plan.dxf");
    QVERIFY2(drawing, drawing ? "" : drawing.error().c_str());
    QVERIFY(near(drawing->paths[0].points.back(), 4, 4));
  }

  void long_lines_do_no_harm() {
    const auto drawing = read_dxf(with_entity("0\nTEXT\n10\n0\n20\n0\n40\n1\n1\n" + std::string(100000, 'x') +
                                              "\n0\nLINE\n10\n0\n20\n0\n11\n1\n21\n1\n"),
                                  "plan.dxf");
    QVERIFY2(drawing, drawing ? "" : drawing.error().c_str());
    QCOMPARE(drawing->texts.at(0).text.size(), 1000U);
    QCOMPARE(drawing->paths.size(), 1U);
    QCOMPARE(drawing->notes.size(), 1U);
  }

  void blocks_that_explode_are_refused() {
    // Each of ten blocks holds a hundred of the one before: 100^10 lines.
    std::string text = "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nB0\n0\nLINE\n10\n0\n20\n0\n11\n1\n21\n1\n0\nENDBLK\n";
    for (int k = 1; k <= 10; ++k)
      text += "0\nBLOCK\n2\nB" + std::to_string(k) + "\n0\nINSERT\n2\nB" + std::to_string(k - 1) +
              "\n10\n0\n20\n0\n70\n10\n71\n10\n44\n5\n45\n5\n0\nENDBLK\n";
    text += "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nINSERT\n2\nB10\n10\n0\n20\n0\n0\nENDSEC\n0\nEOF\n";
    QVERIFY(refusal(text).find("more than 1000000 items") != std::string::npos);
  }

  void files_that_are_cut_anywhere_are_refused_with_their_last_line() {
    const std::string whole = content_of("everything_r2010.dxf");
    std::size_t refused = 0, tried = 0;
    for (std::size_t n = 1; n + 6 < whole.size(); n += 53, ++tried) {
      const auto drawing = read_dxf(whole.substr(0, n), "cut.dxf");
      if (drawing) continue;
      ++refused;
      QVERIFY2(drawing.error().find("line ") != std::string::npos, drawing.error().c_str());
    }
    // Whole sections may be missing at the end without harm; anything else is told.
    QVERIFY(refused > tried * 9 / 10);
  }

  void files_with_wrong_bytes_never_crash() {
    std::mt19937 random(20260131);
    for (const char* name : {"everything_r2010.dxf", "release_12.dxf"}) {
      const std::string whole = content_of(name);
      for (int round = 0; round < 400; ++round) {
        std::string broken = whole;
        for (int k = 0; k < 1 + round % 8; ++k)
          broken[random() % broken.size()] = "0123456789-.\nAE \xFF"[random() % 17];
        (void)read_dxf(broken, "broken.dxf");
      }
      // Lines exchanged: values under other codes, entities torn apart.
      std::vector<std::string> lines;
      for (std::size_t at = 0; at < whole.size();) {
        const std::size_t end = std::min(whole.find('\n', at), whole.size());
        lines.push_back(whole.substr(at, end - at));
        at = end + 1;
      }
      for (int round = 0; round < 400; ++round) {
        std::vector<std::string> mixed = lines;
        for (int k = 0; k < 1 + round % 4; ++k)
          std::swap(mixed[random() % mixed.size()], mixed[random() % mixed.size()]);
        if (round % 3 == 0)
          mixed.erase(mixed.begin() + static_cast<std::ptrdiff_t>(random() % (mixed.size() / 2) * 2),
                      mixed.begin() + static_cast<std::ptrdiff_t>(mixed.size() / 2 * 2));
        std::string text;
        for (const std::string& l : mixed)
          text += l + "\n";
        (void)read_dxf(text, "mixed.dxf");
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestDxfDrawing)
#include "test_dxf_drawing.moc"
