// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/plan_export.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "space/footprints.h"
#include "space/outdoor_places.h"

namespace hallwright {
namespace {

struct LayerInfo {
  std::string_view name;
  int colour; // AutoCAD colour index
  bool dashed = false;
};
constexpr std::array<LayerInfo, 13> plan_layers{{{"HALL-OUTLINE", 7},
                                                 {"HALL-STRUCTURES", 8},
                                                 {"HALL-ZONES", 94, true},
                                                 {"HALL-RACKS", 5},
                                                 {"HALL-RACKS-FRONT", 140},
                                                 {"HALL-POWER", 30},
                                                 {"HALL-COOLING", 4},
                                                 {"HALL-CONTAINMENT", 6, true},
                                                 {"HALL-TRAYS", 34},
                                                 {"HALL-PIPES-SUPPLY", 150},
                                                 {"HALL-PIPES-RETURN", 1},
                                                 {"HALL-PIPES-DRAIN", 94},
                                                 {"HALL-DIMENSIONS", 9}}};

/// A rectangle on the plan (y down), turned clockwise about its middle.
struct Turned {
  double x, y, width, depth; // upper left corner before it is turned [mm]
  double c = 1.0, s = 0.0;   // cosine and sine of the turn
  double degrees = 0.0;
  Turned(Length x_, Length y_, Length w, Length d, Angle turn)
      : x(in_millimeters(x_)), y(in_millimeters(y_)), width(in_millimeters(w)), depth(in_millimeters(d)),
        degrees(in_degrees(turn)) {
    const double quarters = degrees / 90.0;
    if (std::abs(quarters - std::round(quarters)) < 1e-9) {
      constexpr std::array<int, 4> cosines{1, 0, -1, 0};
      const auto q = static_cast<std::size_t>(((static_cast<long>(std::round(quarters)) % 4) + 4) % 4);
      c = cosines[q];
      s = cosines[(q + 3) % 4];
    } else {
      c = std::cos(degrees * 0.017453292519943295);
      s = std::sin(degrees * 0.017453292519943295);
    }
  }
  /// A point of the unturned footprint, from its upper left corner, on the plan.
  [[nodiscard]] PlanPoint at(double u, double v) const {
    const double dx = u - width / 2.0, dy = v - depth / 2.0;
    return {x + width / 2.0 + c * dx - s * dy, y + depth / 2.0 + s * dx + c * dy};
  }
};

/// Width of a line of text in capitals' heights: a letter takes about 0.8 with its gap. Counts characters, not bytes.
double letters(std::string_view words) {
  return 0.8 * static_cast<double>(std::count_if(words.begin(), words.end(), [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
         }));
}

/// Reads from below or from the right, never upside down: above -90, up to 90 degrees.
double readable(double degrees) {
  double d = std::fmod(degrees, 180.0);
  if (d > 90.0 + 1e-9) d -= 180.0;
  if (d <= -90.0 + 1e-9) d += 180.0;
  return d == 0.0 ? 0.0 : d;
}

class Sheet {
public:
  Sheet(const Design& design, const Catalog& catalog, Id hall) : design_(design), catalog_(catalog), hall_(hall) {
    if (hall_ == 0) places_ = hall_places(design);
  }

  DxfSheet made() {
    const Hall* hall = find(*design_.halls, hall_);
    sheet_.title = fmt::format("Hallwright plan: {}{}{}; millimetres, y up", design_.project->name, hall ? ", " : "",
                               hall ? hall->name : "");
    for (const LayerInfo& l : plan_layers) {
      sheet_.layers.push_back({std::string(l.name), l.colour, l.dashed, ""});
      if (l.name != "HALL-RACKS-FRONT" && l.name != "HALL-DIMENSIONS")
        sheet_.layers.push_back({std::string(l.name) + "-NAMES", l.colour, false, ""});
    }
    sheet_.layers.push_back({"HALL-NOTES", 7, false, ""});
    halls();
    for (const Zone& z : *design_.zones)
      if (in_hall(z)) outline("HALL-ZONES", z.outline), corner_name("HALL-ZONES-NAMES", z.outline, z.name, 200.0);
    for (const Structure& s : *design_.structures)
      if (in_hall(s)) box("HALL-STRUCTURES", Turned(s.x, s.y, s.width, s.depth, s.rotation), s.name, true);
    racks();
    for (const PowerUnit& u : *design_.power_units)
      if (in_hall(u) && (u.hall != 0 || stands_outdoors(u))) unit("HALL-POWER", u, power_unit_footprint(catalog_, u));
    for (const CoolingUnit& u : *design_.cooling_units)
      if (in_hall(u) && (u.hall != 0 || stands_outdoors(u))) unit("HALL-COOLING", u, cooling_unit_footprint(catalog_, u));
    for (const Containment& c : *design_.containments)
      if (in_hall(c)) box("HALL-CONTAINMENT", Turned(c.x, c.y, c.width, c.depth, c.rotation), c.name, true);
    for (const Tray& t : *design_.trays)
      if (in_hall(t))
        run("HALL-TRAYS", t.path,
            fmt::format("{} {:.0f} x {:.0f}, {:+.0f}", t.name, in_millimeters(t.width), in_millimeters(t.height),
                        in_millimeters(t.elevation)));
    for (const Pipe& p : *design_.pipes)
      if (in_hall(p))
        run(p.side == PipeSide::supply    ? "HALL-PIPES-SUPPLY"
            : p.side == PipeSide::return_ ? "HALL-PIPES-RETURN"
                                          : "HALL-PIPES-DRAIN",
            p.path,
            fmt::format("{} DN {:.0f}, {:+.0f}", p.name, in_millimeters(p.diameter), in_millimeters(p.elevation)));
    for (const Dimension& d : *design_.dimensions)
      if (in_hall(d)) dimension(d);
    for (const Note& n : *design_.notes)
      if (in_hall(n)) note(n);
    return std::move(sheet_);
  }

private:
  /// Whether the thing is on the sheet; what follows is drawn at the place of its hall.
  template <class E>
  [[nodiscard]] bool in_hall(const E& e) {
    stand_in(e.hall);
    return hall_ == 0 || e.hall == hall_;
  }
  void stand_in(Id hall) {
    const auto at = places_.find(hall);
    shift_ = at == places_.end() ? PlanPoint{} : at->second;
  }
  [[nodiscard]] DxfPoint over(const PlanPoint& p) const { return {p.x_mm + shift_.x_mm, -(p.y_mm + shift_.y_mm)}; }

  void outline(const std::string& layer, const std::vector<PlanPoint>& points, bool closed = true) {
    if (points.size() < 2) return;
    DxfPolyline p{layer, {}, closed};
    for (const PlanPoint& q : points)
      p.points.push_back(over(q));
    sheet_.polylines.push_back(std::move(p));
  }
  void line(const std::string& layer, const PlanPoint& a, const PlanPoint& b) {
    sheet_.polylines.push_back({layer, {over(a), over(b)}, false});
  }
  void text(const std::string& layer, const PlanPoint& at, const std::string& words, double height, double degrees,
            DxfAcross across, DxfUp up) {
    if (!words.empty()) sheet_.texts.push_back({layer, over(at), height, readable(degrees), across, up, words});
  }
  /// In the upper left corner of an outline, inside.
  void corner_name(const std::string& layer, const std::vector<PlanPoint>& points, const std::string& name,
                   double height) {
    if (points.empty()) return;
    const PlanPoint* corner = &points.front();
    for (const PlanPoint& p : points)
      if (p.x_mm + p.y_mm < corner->x_mm + corner->y_mm) corner = &p;
    text(layer, {corner->x_mm + height / 2.0, corner->y_mm + height / 2.0}, name, height, 0.0, DxfAcross::left,
         DxfUp::top);
  }

  void halls() {
    for (const Hall& h : *design_.halls) {
      if (hall_ != 0 && h.id != hall_) continue;
      stand_in(h.id);
      outline("HALL-OUTLINE", h.outline);
      if (h.outline.empty()) continue;
      double left = h.outline.front().x_mm, top = h.outline.front().y_mm;
      for (const PlanPoint& p : h.outline)
        left = std::min(left, p.x_mm), top = std::min(top, p.y_mm);
      text("HALL-OUTLINE-NAMES", {left, top - 200.0}, h.name, 400.0, 0.0, DxfAcross::left, DxfUp::bottom);
    }
  }

  /// The footprint, and the name in its middle, along the side where it is larger.
  void box(const std::string& layer, const Turned& t, const std::string& name, bool known) {
    outline(layer, {t.at(0, 0), t.at(t.width, 0), t.at(t.width, t.depth), t.at(0, t.depth)});
    const std::string words = known ? name : name + " (size not stated)";
    if (words.empty()) return;
    const double width = std::max(letters(words), 1.0);
    auto fits = [&](double along, double across) { return std::min({150.0, 0.9 * along / width, 0.5 * across}); };
    const double wide = fits(t.width, t.depth), deep = fits(t.depth, t.width);
    const double height = std::max({wide, deep, 20.0});
    // The plan turns clockwise, the drawing counter-clockwise.
    const double degrees = wide >= 0.6 * deep ? -t.degrees : -t.degrees + 90.0;
    text(layer + "-NAMES", t.at(t.width / 2.0, t.depth / 2.0), words,
         wide >= 0.6 * deep ? std::max(wide, 20.0) : height, degrees, DxfAcross::centre, DxfUp::middle);
  }

  void racks() {
    for (const Rack& r : *design_.racks) {
      if (!in_hall(r)) continue;
      const RackType* type = find(*design_.rack_types, r.rack_type);
      const Footprint f = rack_footprint(catalog_, type ? *type : RackType{});
      const Turned t(r.x, r.y, f.width, f.depth, r.rotation);
      box("HALL-RACKS", t, r.name, f.known);
      const double inset = std::min(60.0, t.depth / 10.0);
      line("HALL-RACKS-FRONT", t.at(0, inset), t.at(t.width, inset));
    }
  }
  template <class U>
  void unit(const std::string& layer, const U& u, const Footprint& f) {
    box(layer, Turned(u.x, u.y, f.width, f.depth, u.rotation), u.name, f.known);
  }

  void run(const std::string& layer, const std::vector<PlanPoint>& path, const std::string& words) {
    outline(layer, path, false);
    if (path.size() < 2) return;
    // Beside the middle of the longest stretch.
    std::size_t longest = 0;
    auto length = [&](std::size_t k) {
      return std::hypot(path[k + 1].x_mm - path[k].x_mm, path[k + 1].y_mm - path[k].y_mm);
    };
    for (std::size_t k = 1; k + 1 < path.size(); ++k)
      if (length(k) > length(longest)) longest = k;
    const PlanPoint &a = path[longest], &b = path[longest + 1];
    text(layer + "-NAMES", {(a.x_mm + b.x_mm) / 2.0, (a.y_mm + b.y_mm) / 2.0}, words, 100.0,
         -std::atan2(b.y_mm - a.y_mm, b.x_mm - a.x_mm) * 57.29577951308232, DxfAcross::centre, DxfUp::bottom);
  }

  /// Where a point of a dimension lies: on a thing, measured in its unturned footprint, or on the floor.
  [[nodiscard]] PlanPoint dimension_point(Id thing, Length x, Length y) const {
    const double u = in_millimeters(x), v = in_millimeters(y);
    if (const auto t = thing == 0 ? std::nullopt : footprint_of(thing)) return t->at(u, v);
    return {u, v};
  }
  [[nodiscard]] std::optional<Turned> footprint_of(Id thing) const {
    if (const Rack* r = find(*design_.racks, thing)) {
      const RackType* type = find(*design_.rack_types, r->rack_type);
      const Footprint f = rack_footprint(catalog_, type ? *type : RackType{});
      return Turned(r->x, r->y, f.width, f.depth, r->rotation);
    }
    if (const PowerUnit* u = find(*design_.power_units, thing)) {
      const Footprint f = power_unit_footprint(catalog_, *u);
      return Turned(u->x, u->y, f.width, f.depth, u->rotation);
    }
    if (const CoolingUnit* u = find(*design_.cooling_units, thing)) {
      const Footprint f = cooling_unit_footprint(catalog_, *u);
      return Turned(u->x, u->y, f.width, f.depth, u->rotation);
    }
    if (const Structure* s = find(*design_.structures, thing))
      return Turned(s->x, s->y, s->width, s->depth, s->rotation);
    if (const Containment* c = find(*design_.containments, thing))
      return Turned(c->x, c->y, c->width, c->depth, c->rotation);
    if (const Note* n = find(*design_.notes, thing)) return Turned(n->x, n->y, Length{}, Length{}, Angle{});
    return std::nullopt;
  }

  void dimension(const Dimension& d) {
    const std::string layer = "HALL-DIMENSIONS";
    const PlanPoint a = dimension_point(d.start, d.start_x, d.start_y), b = dimension_point(d.end, d.end_x, d.end_y);
    double ux = 1.0, uy = 0.0; // along what is measured
    if (d.direction == DimensionDirection::along_y) ux = 0.0, uy = 1.0;
    if (d.direction == DimensionDirection::aligned) {
      const double length = std::hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm);
      if (length > 0.0) ux = (b.x_mm - a.x_mm) / length, uy = (b.y_mm - a.y_mm) / length;
    }
    const double along = (b.x_mm - a.x_mm) * ux + (b.y_mm - a.y_mm) * uy, offset = in_millimeters(d.offset);
    // Across: a quarter turn clockwise on the plan.
    const PlanPoint from{a.x_mm - uy * offset, a.y_mm + ux * offset},
        to{from.x_mm + ux * along, from.y_mm + uy * along};
    if (!(std::hypot(from.x_mm - a.x_mm, from.y_mm - a.y_mm) < 1e-6)) line(layer, a, from);
    if (!(std::hypot(to.x_mm - b.x_mm, to.y_mm - b.y_mm) < 1e-6)) line(layer, b, to);
    line(layer, from, to);
    for (const PlanPoint& p : {from, to})
      line(layer, {p.x_mm - 50.0 * (ux - uy), p.y_mm - 50.0 * (uy + ux)},
           {p.x_mm + 50.0 * (ux - uy), p.y_mm + 50.0 * (uy + ux)});
    const double length = std::abs(along);
    std::string words =
        std::abs(length - std::round(length)) < 0.005 ? fmt::format("{:.0f}", length) : fmt::format("{:.2f}", length);
    text(layer, {(from.x_mm + to.x_mm) / 2.0, (from.y_mm + to.y_mm) / 2.0}, words, 150.0,
         -std::atan2(uy, ux) * 57.29577951308232, DxfAcross::centre, DxfUp::bottom);
  }

  void note(const Note& n) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at <= n.text.size();) {
      const std::size_t end = std::min(n.text.find('\n', at), n.text.size());
      lines.push_back(n.text.substr(at, end - at));
      at = end + 1;
    }
    const bool label = n.kind == NoteKind::label;
    const double height = label ? in_millimeters(n.text_height) : 150.0;
    if (!(height > 0.0)) return;
    // A label turns about its middle; its width is that of its letters, which another typeface draws a little
    // otherwise.
    double widest = 0.0;
    for (const std::string& l : lines)
      widest = std::max(widest, letters(l));
    const double depth = height * (1.0 + 1.6 * static_cast<double>(lines.size() - 1));
    const Turned t(n.x, n.y, millimeters(std::max(height, widest * height)), millimeters(depth),
                   label ? n.rotation : Angle{});
    for (std::size_t k = 0; k < lines.size(); ++k)
      if (!lines[k].empty())
        sheet_.texts.push_back({"HALL-NOTES", over(t.at(0.0, 1.6 * height * static_cast<double>(k))), height,
                                t.degrees == 0.0 ? 0.0 : -t.degrees, DxfAcross::left, DxfUp::top, lines[k]});
  }

  const Design& design_;
  const Catalog& catalog_;
  Id hall_;
  std::map<Id, PlanPoint> places_;
  PlanPoint shift_;
  DxfSheet sheet_;
};

} // namespace

DxfSheet plan_sheet(const Design& design, const Catalog& catalog, Id hall) {
  return Sheet(design, catalog, hall).made();
}

std::map<Id, PlanPoint> hall_places(const Design& design) {
  constexpr double gap = 4000.0;
  std::map<Id, PlanPoint> out;
  std::vector<PlanBox> placed;
  for (const Hall& h : *design.halls) {
    PlanPoint& place = out[h.id];
    if (h.outline.empty()) continue;
    PlanBox box{h.outline.front().x_mm, h.outline.front().y_mm, h.outline.front().x_mm, h.outline.front().y_mm};
    for (const PlanPoint& p : h.outline)
      box = {std::min(box.x0, p.x_mm), std::min(box.y0, p.y_mm), std::max(box.x1, p.x_mm), std::max(box.y1, p.y_mm)};
    double right = box.x0;
    bool covered = false;
    for (const PlanBox& other : placed)
      covered = covered || other.overlaps(box), right = std::max(right, other.x1);
    if (covered) place.x_mm = right + gap - box.x0;
    box.x0 += place.x_mm, box.x1 += place.x_mm;
    placed.push_back(box);
  }
  return out;
}

} // namespace hallwright
