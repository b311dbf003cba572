// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/one_line_sheet.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "quantity/text.h"

namespace hallwright {
namespace {

std::vector<OneLinePoint> circle(double x, double y, double radius, int pieces = 24) {
  std::vector<OneLinePoint> out;
  for (int k = 0; k <= pieces; ++k) {
    const double a = 2.0 * std::numbers::pi * (k % pieces) / pieces;
    out.push_back({x + radius * std::sin(a), y - radius * std::cos(a)});
  }
  return out;
}
std::vector<OneLinePoint> box(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}};
}
/// One period of an alternating voltage.
std::vector<OneLinePoint> wave(double x0, double x1, double y, double height) {
  std::vector<OneLinePoint> out;
  constexpr int pieces = 12;
  for (int k = 0; k <= pieces; ++k)
    out.push_back({x0 + (x1 - x0) * k / pieces, y - height * std::sin(2.0 * std::numbers::pi * k / pieces)});
  return out;
}

std::string amount(double value, const Kind& kind) { return format_quantity(value, kind).joined(); }

} // namespace

const GlyphStrokes& one_line_glyph(PowerUnitKind kind) {
  // Usual signs of IEC 60617: a network feeder, two windings, a machine, rectifier and inverter, a breaker, a bar.
  static const GlyphStrokes utility{box(-0.85, -0.85, 0.85, 0.85),
                                    {{-0.85, 0.0}, {0.0, -0.85}},
                                    {{-0.85, 0.85}, {0.85, -0.85}},
                                    {{0.0, 0.85}, {0.85, 0.0}},
                                    {{0.0, 0.85}, {0.0, 1.0}}};
  static const GlyphStrokes transformer{circle(0.0, -0.36, 0.62), circle(0.0, 0.36, 0.62), {{0.0, -1.0}, {0.0, -0.98}}};
  static const GlyphStrokes generator{circle(0.0, 0.0, 0.9), wave(-0.5, 0.5, 0.0, 0.3), {{0.0, 0.9}, {0.0, 1.0}}};
  static const GlyphStrokes ups{box(-0.9, -0.9, 0.9, 0.9),      {{-0.9, 0.9}, {0.9, -0.9}},
                                wave(-0.72, -0.12, -0.5, 0.17), {{0.15, 0.42}, {0.7, 0.42}},
                                {{0.15, 0.62}, {0.7, 0.62}},    {{0.0, -1.0}, {0.0, -0.9}},
                                {{0.0, 0.9}, {0.0, 1.0}}};
  static const GlyphStrokes distribution{{{0.0, -1.0}, {0.0, -0.55}},     {{-0.18, -0.73}, {0.18, -0.37}},
                                         {{0.18, -0.73}, {-0.18, -0.37}}, {{-0.42, -0.5}, {0.0, 0.35}},
                                         {{0.0, 0.35}, {0.0, 0.7}},       {{-0.85, 0.7}, {0.85, 0.7}},
                                         {{0.0, 0.7}, {0.0, 1.0}}};
  static const GlyphStrokes busway{{{0.0, -1.0}, {0.0, -0.42}},
                                   box(-1.0, -0.42, 1.0, 0.02),
                                   {{-0.6, 0.02}, {-0.6, 0.45}},
                                   {{0.0, 0.02}, {0.0, 1.0}},
                                   {{0.6, 0.02}, {0.6, 0.45}}};
  // A bar with its breakers; two thyristors head to foot in a box; rectifier: alternating in, direct out.
  static const GlyphStrokes switchgear{{{0.0, -1.0}, {0.0, -0.45}},     {{-1.0, -0.45}, {1.0, -0.45}},
                                       {{-0.7, -0.45}, {-0.7, -0.1}},   {{-0.9, -0.1}, {-0.7, 0.4}},
                                       {{-0.7, 0.4}, {-0.7, 0.6}},      {{0.0, -0.45}, {0.0, -0.1}},
                                       {{-0.2, -0.1}, {0.0, 0.4}},      {{0.0, 0.4}, {0.0, 1.0}},
                                       {{0.7, -0.45}, {0.7, -0.1}},     {{0.5, -0.1}, {0.7, 0.4}},
                                       {{0.7, 0.4}, {0.7, 0.6}}};
  static const GlyphStrokes static_switch{box(-0.9, -0.9, 0.9, 0.9),
                                          {{-0.65, -0.35}, {-0.05, -0.35}, {-0.35, 0.35}, {-0.65, -0.35}},
                                          {{-0.65, 0.35}, {-0.05, 0.35}},
                                          {{0.05, 0.35}, {0.65, 0.35}, {0.35, -0.35}, {0.05, 0.35}},
                                          {{0.05, -0.35}, {0.65, -0.35}},
                                          {{0.0, -1.0}, {0.0, -0.9}},
                                          {{0.0, 0.9}, {0.0, 1.0}}};
  static const GlyphStrokes rectifier{box(-0.9, -0.9, 0.9, 0.9),     {{-0.9, 0.9}, {0.9, -0.9}},
                                      wave(-0.72, -0.12, -0.5, 0.17), {{0.1, 0.4}, {0.7, 0.4}},
                                      {{0.1, 0.62}, {0.26, 0.62}},    {{0.32, 0.62}, {0.48, 0.62}},
                                      {{0.54, 0.62}, {0.7, 0.62}},    {{0.0, -1.0}, {0.0, -0.9}},
                                      {{0.0, 0.9}, {0.0, 1.0}}};
  switch (kind) {
  case PowerUnitKind::switchgear:
    return switchgear;
  case PowerUnitKind::static_switch:
    return static_switch;
  case PowerUnitKind::rectifier:
    return rectifier;
  case PowerUnitKind::utility_feed:
    return utility;
  case PowerUnitKind::transformer:
    return transformer;
  case PowerUnitKind::generator:
    return generator;
  case PowerUnitKind::ups:
    return ups;
  case PowerUnitKind::distribution:
    return distribution;
  case PowerUnitKind::busway:
    return busway;
  }
  return distribution;
}

const GlyphStrokes& rack_glyph() {
  static const GlyphStrokes strokes{box(-0.62, -1.0, 0.62, 1.0),
                                    {{-0.36, -0.6}, {0.36, -0.6}},
                                    {{-0.36, -0.2}, {0.36, -0.2}},
                                    {{-0.36, 0.2}, {0.36, 0.2}},
                                    {{-0.36, 0.6}, {0.36, 0.6}}};
  return strokes;
}

DxfSheet one_line_sheet(const OneLineLayout& layout, const OneLine& line, const PowerFlow& flow,
                        const std::string& title, double each) {
  DxfSheet sheet;
  sheet.title = title;
  sheet.layers = {{"SYMBOLS", 7, false, "symbols of units and racks"},
                  {"SIDE_A", 5, false, "wires of side A"},
                  {"SIDE_B", 3, false, "wires of side B"},
                  {"EITHER_SIDE", 8, false, "wires of no side"},
                  {"SECOND_SOURCES", 6, true, "what takes over"},
                  {"NAMES", 7, false, "names"},
                  {"RATINGS", 8, false, "ratings and loads"}};
  const auto point = [&](double x, double y) { return DxfPoint{x * each, (layout.height - y) * each}; };
  const auto polyline = [&](const char* layer, const std::vector<OneLinePoint>& points) {
    DxfPolyline p;
    p.layer = layer;
    for (const OneLinePoint& q : points)
      if (const DxfPoint next = point(q.x, q.y);
          p.points.empty() || next.x != p.points.back().x || next.y != p.points.back().y)
        p.points.push_back(next);
    if (p.points.size() > 3 && points.front() == points.back()) {
      p.points.pop_back();
      p.closed = true;
    }
    if (p.points.size() > 1) sheet.polylines.push_back(std::move(p));
  };
  const auto layer_of = [](Feed side) {
    return side == Feed::a ? "SIDE_A" : side == Feed::b ? "SIDE_B" : "EITHER_SIDE";
  };
  const auto text = [&](const char* layer, double x, double y, double height, std::string words) {
    DxfText t;
    t.layer = layer;
    t.at = point(x, y);
    t.height = height * each;
    t.text = std::move(words);
    sheet.texts.push_back(std::move(t));
  };
  for (const OneLineWire& w : layout.wires)
    polyline(w.kind == OneLineWireKind::second_source ? "SECOND_SOURCES" : layer_of(w.side), w.points);
  for (const OneLineBar& b : layout.bars) {
    polyline(layer_of(b.side), {{b.from, b.y}, {b.to, b.y}});
    for (const OneLineWire& stub : b.stubs)
      polyline(layer_of(b.side), stub.points);
  }
  const OneLineMeasures& m = layout.measures;
  for (const OneLineSymbol& s : layout.symbols) {
    const double half = m.glyph_half, middle = s.y + half;
    for (const auto& stroke : s.racks() ? rack_glyph() : one_line_glyph(s.kind)) {
      std::vector<OneLinePoint> points;
      for (const OneLinePoint& p : stroke)
        points.push_back({s.x + p.x * half, middle + p.y * half});
      polyline("SYMBOLS", points);
    }
    if (!s.racks()) polyline(layer_of(s.side), {{s.x, middle + half}, {s.x, s.y + m.symbol_height}});
    const double at = s.x + half + 5.0;
    if (s.racks()) {
      Count racks = 0;
      double watts = 0.0;
      for (const std::uint32_t g : s.groups) {
        racks += line.groups()[g].racks;
        watts += flow.group_watts(g);
      }
      text("NAMES", at, s.y + 12.0, 8.0, fmt::format("{} {}", racks, racks == 1 ? "rack" : "racks"));
      text("RATINGS", at, s.y + 25.0, 7.0, amount(watts, kind::power));
      continue;
    }
    const OneLineElement& e = line.elements()[s.elements.front()];
    double watts = 0.0;
    for (const std::uint32_t i : s.elements)
      watts += flow.output_watts(i);
    text("NAMES", at, s.y + 12.0, 8.0,
         s.elements.size() > 1 ? fmt::format("{} x {}", s.elements.size(), line.name(e.id)) : line.name(e.id));
    if (std::isfinite(e.rating_w))
      text("RATINGS", at, s.y + 25.0, 7.0, amount(e.rating_w, kind::power));
    else if (std::isfinite(e.rating_va))
      text("RATINGS", at, s.y + 25.0, 7.0, amount(e.rating_va, kind::apparent_power));
    text("RATINGS", at, s.y + 37.0, 7.0, "carries " + amount(watts, kind::power));
  }
  return sheet;
}

} // namespace hallwright
