// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>

#include <QFontMetricsF>
#include <QTransform>

#include "space/outdoor_places.h"

namespace hallwright::plan {
namespace {

// Two rows further apart than this do not share an aisle; racks further apart are not one row.
constexpr double widest_aisle = 3600, narrowest_aisle = 300, widest_gap_in_row = 2400;
// Fronts of one row that differ by no more are one line: a 1068 mm rack among racks of 1200 mm.
constexpr double front_tolerance_in_row = 450;
constexpr double hall_gap = 4000; // between halls that were drawn over each other
constexpr double note_side = 450;

bool overlap(double a0, double a1, double b0, double b1) {
  return std::min(a1, b1) - std::max(a0, b0) > 0.4 * std::min(a1 - a0, b1 - b0);
}

} // namespace

const char* table_of_layer(PlanLayer layer) {
  switch (layer) {
  case PlanLayer::structure:
    return "structures";
  case PlanLayer::racks:
    return "racks";
  case PlanLayer::power:
    return "power_units";
  case PlanLayer::liquid:
    return "cooling_units";
  case PlanLayer::notes:
    return "notes";
  case PlanLayer::zones:
    return "zones";
  case PlanLayer::air:
    return "containments";
  case PlanLayer::trays:
    return "trays";
  case PlanLayer::pipes:
    return "pipes";
  case PlanLayer::dimensions:
    return "dimensions";
  case PlanLayer::underlay:
    return "underlays";
  }
  return "";
}

QPointF PlanObject::from_own(const QPointF& own) const {
  const double x = own.x() - width / 2, y = own.y() - depth / 2;
  if (turns >= 0) {
    switch (turns) {
    case 0:
      return center() + QPointF(x, y);
    case 1:
      return center() + QPointF(-y, x);
    case 2:
      return center() + QPointF(-x, -y);
    default:
      return center() + QPointF(y, -x);
    }
  }
  QTransform turn;
  turn.rotate(angle);
  return center() + turn.map(QPointF(x, y));
}

QPointF PlanObject::to_own(const QPointF& scene) const {
  const QPointF d = scene - center();
  QPointF own = d;
  if (turns >= 0) {
    own = turns == 0 ? d : turns == 1 ? QPointF(d.y(), -d.x()) : turns == 2 ? -d : QPointF(-d.y(), d.x());
  } else {
    QTransform turn;
    turn.rotate(-angle);
    own = turn.map(d);
  }
  return own + QPointF(width / 2, depth / 2);
}

DimensionLine dimension_line(const QPointF& start, const QPointF& end, DimensionDirection direction, double offset) {
  QPointF u(1, 0);
  if (direction == DimensionDirection::along_y) u = QPointF(0, 1);
  if (direction == DimensionDirection::aligned) {
    const QPointF d = end - start;
    if (const double length = std::hypot(d.x(), d.y()); length > 0) u = d / length;
  }
  const double along = QPointF::dotProduct(end - start, u);
  DimensionLine out{start, end, start + offset * QPointF(-u.y(), u.x()), {}, std::abs(along)};
  out.to = out.from + along * u;
  return out;
}

QPolygonF PlanObject::corners() const {
  QTransform turn;
  const QPointF c = center();
  turn.translate(c.x(), c.y());
  turn.rotate(angle);
  const double w = width / 2, d = depth / 2;
  return QPolygonF{turn.map(QPointF(-w, -d)), turn.map(QPointF(w, -d)), turn.map(QPointF(w, d)),
                   turn.map(QPointF(-w, d))};
}

// --- grid ------------------------------------------------------------------------------------------------------------

int GridIndex::column(double x) const {
  return static_cast<int>(std::clamp(std::floor((x - left_) / cell_), 0.0, nx_ - 1.0));
}
int GridIndex::line(double y) const {
  return static_cast<int>(std::clamp(std::floor((y - top_) / cell_), 0.0, ny_ - 1.0));
}

void GridIndex::build(const std::vector<PlanObject>& objects) {
  nx_ = ny_ = 0;
  starts_.clear();
  entries_.clear();
  spans_.clear();
  if (objects.empty()) return;
  double right = -std::numeric_limits<double>::infinity(), bottom = right;
  left_ = top_ = std::numeric_limits<double>::infinity();
  for (const PlanObject& o : objects) {
    left_ = std::min(left_, o.x0), top_ = std::min(top_, o.y0);
    right = std::max(right, o.x1), bottom = std::max(bottom, o.y1);
  }
  cell_ = std::max({3000.0, (right - left_) / 256, (bottom - top_) / 256});
  nx_ = static_cast<int>((right - left_) / cell_) + 1;
  ny_ = static_cast<int>((bottom - top_) / cell_) + 1;
  starts_.assign(static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_) + 1, 0);
  spans_.reserve(objects.size());
  const auto each_cell = [&](const Span& s, auto&& f) {
    for (int y = s.y0; y <= s.y1; ++y)
      for (int x = s.x0; x <= s.x1; ++x)
        f(static_cast<std::size_t>(y) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(x));
  };
  for (const PlanObject& o : objects) {
    spans_.push_back({column(o.x0), line(o.y0), column(o.x1), line(o.y1)});
    each_cell(spans_.back(), [&](std::size_t c) { ++starts_[c + 1]; });
  }
  for (std::size_t c = 1; c < starts_.size(); ++c)
    starts_[c] += starts_[c - 1];
  entries_.resize(starts_.back());
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < spans_.size(); ++i)
    each_cell(spans_[i], [&](std::size_t c) { entries_[next[c]++] = static_cast<std::uint32_t>(i); });
}

// --- model -----------------------------------------------------------------------------------------------------------

void PlanModel::update(const Design& design, const Shared<Catalog>& catalog, Id hall) {
  const bool all = fresh_ || hall != hall_ || catalog != catalog_ || design.halls != design_.halls;
  const bool racks = all || design.racks != design_.racks || design.rack_types != design_.rack_types;
  const bool rows = design.rows != design_.rows;
  const bool structures = all || design.structures != design_.structures;
  const bool power = all || design.power_units != design_.power_units;
  const bool cooling = all || design.cooling_units != design_.cooling_units;
  const bool notes = all || design.notes != design_.notes;
  const bool zones = all || design.zones != design_.zones;
  const bool air = all || design.containments != design_.containments;
  const bool runs = all || design.trays != design_.trays || design.pipes != design_.pipes;
  const bool guides = all || design.guides != design_.guides;
  const bool dimensions =
      racks || structures || power || cooling || notes || air || design.dimensions != design_.dimensions;
  design_ = design;
  catalog_ = catalog;
  hall_ = hall;
  fresh_ = false;
  if (all || racks || rows || structures || power || cooling || notes) ++revision_;
  static const Catalog no_parts;
  const Catalog& parts = catalog_ ? *catalog_ : no_parts;
  if (all) build_halls();
  if (racks) build_racks();
  if (racks || rows) build_lines();
  if (racks || power) build_taps();
  if (structures)
    rebuild(PlanLayer::structure, [&](std::vector<PlanObject>& out) {
      for (std::size_t i = 0; i < design_.structures->size(); ++i) {
        const Structure& s = (*design_.structures)[i];
        if (hall_ && s.hall != hall_) continue;
        PlanObject o;
        o.id = s.id, o.hall = s.hall, o.index = static_cast<std::uint32_t>(i),
        o.word = static_cast<std::uint8_t>(s.kind), o.locked = s.locked;
        o.set = s.group;
        place(o, s.x, s.y, in_millimeters(s.width), in_millimeters(s.depth), s.rotation);
        out.push_back(o);
      }
    });
  const auto units = [&](const auto& table, auto&& size, std::vector<PlanObject>& out) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto& u = table[i];
      if (hall_ ? u.hall != hall_ : u.hall == 0 && !stands_outdoors(u)) continue;
      const Footprint f = size(u);
      PlanObject o;
      o.id = u.id, o.hall = u.hall, o.index = static_cast<std::uint32_t>(i), o.word = static_cast<std::uint8_t>(u.kind),
      o.locked = u.locked;
      o.known_size = f.known, o.set = u.group;
      place(o, u.x, u.y, in_millimeters(f.width), in_millimeters(f.depth), u.rotation);
      out.push_back(o);
    }
  };
  if (power)
    rebuild(PlanLayer::power, [&](std::vector<PlanObject>& out) {
      units(
          *design_.power_units, [&](const PowerUnit& u) { return power_unit_footprint(parts, u); }, out);
    });
  if (cooling)
    rebuild(PlanLayer::liquid, [&](std::vector<PlanObject>& out) {
      units(
          *design_.cooling_units, [&](const CoolingUnit& u) { return cooling_unit_footprint(parts, u); }, out);
    });
  if (notes)
    rebuild(PlanLayer::notes, [&](std::vector<PlanObject>& out) {
      for (std::size_t i = 0; i < design_.notes->size(); ++i) {
        const Note& n = (*design_.notes)[i];
        if (hall_ && n.hall != hall_) continue;
        PlanObject o;
        o.id = n.id, o.hall = n.hall, o.index = static_cast<std::uint32_t>(i),
        o.word = static_cast<std::uint8_t>(n.kind);
        o.locked = n.locked, o.set = n.group;
        if (n.kind == NoteKind::label) {
          const QSizeF size = label_size(QString::fromStdString(n.text), in_millimeters(n.text_height));
          place(o, n.x, n.y, size.width(), size.height(), n.rotation);
        } else {
          place(o, n.x, n.y, note_side, note_side, degrees(0));
        }
        out.push_back(o);
      }
    });
  if (zones) build_zones();
  if (air)
    rebuild(PlanLayer::air, [&](std::vector<PlanObject>& out) {
      for (std::size_t i = 0; i < design_.containments->size(); ++i) {
        const Containment& a = (*design_.containments)[i];
        if (hall_ && a.hall != hall_) continue;
        PlanObject o;
        o.id = a.id, o.hall = a.hall, o.index = static_cast<std::uint32_t>(i),
        o.word = static_cast<std::uint8_t>(a.kind);
        o.locked = a.locked, o.set = a.group;
        place(o, a.x, a.y, in_millimeters(a.width), in_millimeters(a.depth), a.rotation);
        out.push_back(o);
      }
    });
  if (runs) build_runs();
  if (guides) {
    guides_.clear();
    for (const Guide& g : *design_.guides) {
      if (hall_ && g.hall && g.hall != hall_) continue;
      const bool upright = g.axis == GuideAxis::x;
      const QPointF shift = offset(g.hall);
      guides_.push_back(
          {g.id, g.hall, upright, in_millimeters(g.position) + (upright ? shift.x() : shift.y()), g.locked});
    }
  }
  if (dimensions) build_dimensions();
}

QSizeF label_size(const QString& words, double height) {
  QFont font;
  font.setPixelSize(100);
  const QFontMetricsF m(font);
  double width = 0;
  const QStringList lines = words.split(QLatin1Char('\n'));
  for (const QString& line : lines)
    width = std::max(width, m.horizontalAdvance(line));
  // Height is that of capitals: a line takes 1.6 of it.
  return {std::max(height, width / m.capHeight() * height), height * (1 + 1.6 * static_cast<double>(lines.size() - 1))};
}

void PlanModel::build_zones() {
  Layer& l = layers_[at(PlanLayer::zones)];
  l.points.clear();
  rebuild(PlanLayer::zones, [&](std::vector<PlanObject>& out) {
    for (std::size_t i = 0; i < design_.zones->size(); ++i) {
      const Zone& z = (*design_.zones)[i];
      if ((hall_ && z.hall != hall_) || z.outline.size() < 3) continue;
      PlanObject o;
      o.id = z.id, o.hall = z.hall, o.index = static_cast<std::uint32_t>(i), o.locked = z.locked;
      o.points = static_cast<std::int32_t>(l.points.size());
      l.points.push_back(scene_points(z.outline, z.hall));
      set_box(o, l.points.back().boundingRect());
      out.push_back(o);
    }
  });
}

void PlanModel::build_runs() {
  const auto runs = [&](PlanLayer layer, const auto& table, auto&& word, auto&& width) {
    Layer& l = layers_[at(layer)];
    l.points.clear();
    rebuild(layer, [&](std::vector<PlanObject>& out) {
      for (std::size_t i = 0; i < table.size(); ++i) {
        const auto& run = table[i];
        if ((hall_ && run.hall != hall_) || run.path.size() < 2) continue;
        PlanObject o;
        o.id = run.id, o.hall = run.hall, o.index = static_cast<std::uint32_t>(i),
        o.word = static_cast<std::uint8_t>(word(run));
        o.locked = run.locked, o.set = run.group, o.points = static_cast<std::int32_t>(l.points.size());
        l.points.push_back(scene_points(run.path, run.hall));
        set_box(o, l.points.back().boundingRect());
        o.width = width(run);
        const double half = o.width / 2;
        o.x0 -= half, o.y0 -= half, o.x1 += half, o.y1 += half;
        out.push_back(o);
      }
    });
  };
  runs(
      PlanLayer::trays, *design_.trays, [](const Tray& t) { return t.kind; },
      [](const Tray& t) { return in_millimeters(t.width); });
  runs(
      PlanLayer::pipes, *design_.pipes, [](const Pipe& p) { return p.side; },
      [](const Pipe& p) { return in_millimeters(p.diameter); });
}

void PlanModel::build_dimensions() {
  dimensions_.clear();
  rebuild(PlanLayer::dimensions, [&](std::vector<PlanObject>& out) {
    for (std::size_t i = 0; i < design_.dimensions->size(); ++i) {
      const Dimension& d = (*design_.dimensions)[i];
      if (hall_ && d.hall != hall_) continue;
      const auto place_of = [&](Id thing, Length x, Length y) {
        const QPointF own(in_millimeters(x), in_millimeters(y));
        if (thing)
          for (PlanLayer layer : {PlanLayer::racks, PlanLayer::power, PlanLayer::liquid, PlanLayer::structure,
                                  PlanLayer::air, PlanLayer::notes})
            if (const PlanObject* o = find(layer, thing)) return o->from_own(own);
        return own + offset(d.hall);
      };
      PlanObject o;
      o.id = d.id, o.hall = d.hall, o.index = static_cast<std::uint32_t>(i),
      o.word = static_cast<std::uint8_t>(d.direction), o.locked = d.locked;
      o.points = static_cast<std::int32_t>(dimensions_.size());
      dimensions_.push_back(dimension_line(place_of(d.start, d.start_x, d.start_y), place_of(d.end, d.end_x, d.end_y),
                                           d.direction, in_millimeters(d.offset)));
      const DimensionLine& line = dimensions_.back();
      set_box(o, QPolygonF{line.start, line.end, line.from, line.to}.boundingRect());
      out.push_back(o);
    }
  });
}

QPolygonF PlanModel::scene_points(const std::vector<PlanPoint>& points, Id hall) const {
  const QPointF shift = offset(hall);
  QPolygonF out;
  out.reserve(static_cast<qsizetype>(points.size()));
  for (const PlanPoint& p : points)
    out << QPointF(p.x_mm, p.y_mm) + shift;
  return out;
}

void PlanModel::set_box(PlanObject& o, const QRectF& box) {
  o.x0 = box.left(), o.y0 = box.top(), o.x1 = box.right(), o.y1 = box.bottom();
  o.width = box.width(), o.depth = box.height();
}

template <class F>
void PlanModel::rebuild(PlanLayer layer, F&& fill) {
  Layer& l = layers_[at(layer)];
  l.objects.clear();
  fill(l.objects);
  l.index.build(l.objects);
  ++l.version;
}

QPointF PlanModel::offset(Id id) const {
  const HallShape* h = hall(id);
  return h ? h->offset : QPointF();
}

void PlanModel::place(PlanObject& o, Length x, Length y, double width, double depth, Angle rotation) const {
  const QPointF shift = offset(o.hall);
  o.width = width, o.depth = depth;
  const double mm_x = in_millimeters(x) + shift.x(), mm_y = in_millimeters(y) + shift.y();
  o.angle = in_degrees(rotation);
  const double quarters = o.angle / 90.0;
  if (std::abs(quarters - std::round(quarters)) < 1e-9) {
    o.turns = static_cast<std::int8_t>(((static_cast<long long>(std::llround(quarters)) % 4) + 4) % 4);
    const double cx = mm_x + width / 2, cy = mm_y + depth / 2;
    const double hw = (o.turns % 2 ? depth : width) / 2, hd = (o.turns % 2 ? width : depth) / 2;
    o.x0 = cx - hw, o.x1 = cx + hw, o.y0 = cy - hd, o.y1 = cy + hd;
  } else {
    o.turns = -1;
    const PlanBox b = plan_box(millimeters(mm_x), millimeters(mm_y), millimeters(width), millimeters(depth), rotation);
    o.x0 = b.x0, o.y0 = b.y0, o.x1 = b.x1, o.y1 = b.y1;
  }
}

void PlanModel::build_halls() {
  halls_.clear();
  for (const Hall& h : *design_.halls) {
    if (hall_ && h.id != hall_) continue;
    HallShape s;
    s.id = h.id, s.name = h.name;
    s.cold_minimum = in_millimeters(h.cold_aisle_minimum), s.hot_minimum = in_millimeters(h.hot_aisle_minimum);
    for (const PlanPoint& p : h.outline)
      s.outline << QPointF(p.x_mm, p.y_mm);
    if (h.raised_floor_height) s.tile = in_millimeters(h.tile_width);
    s.tile_corner = QPointF(in_millimeters(h.tile_origin_x), in_millimeters(h.tile_origin_y));
    s.box = s.outline.boundingRect();
    if (!hall_) {
      // Halls that were each drawn at the origin stand beside each other.
      double right = -std::numeric_limits<double>::infinity();
      bool covered = false;
      for (const HallShape& other : halls_) {
        covered = covered || other.box.intersects(s.box);
        right = std::max(right, other.box.right());
      }
      if (covered) s.offset = QPointF(right + hall_gap - s.box.left(), 0);
    }
    s.outline.translate(s.offset);
    s.box.translate(s.offset);
    s.tile_corner += s.offset;
    halls_.push_back(std::move(s));
  }
}

void PlanModel::build_racks() {
  static const Catalog no_parts;
  const Catalog& parts = catalog_ ? *catalog_ : no_parts;
  struct Kind {
    double width = 600, depth = 1200;
    bool known = false;
    std::uint8_t role = 0;
  };
  std::unordered_map<Id, Kind> kinds;
  for (const RackType& t : *design_.rack_types) {
    const Footprint f = rack_footprint(parts, t);
    kinds[t.id] = {in_millimeters(f.width), in_millimeters(f.depth), f.known, static_cast<std::uint8_t>(t.role)};
  }
  rebuild(PlanLayer::racks, [&](std::vector<PlanObject>& out) {
    out.reserve(design_.racks->size());
    Id last_type = -1;
    Kind kind;
    for (std::size_t i = 0; i < design_.racks->size(); ++i) {
      const Rack& r = (*design_.racks)[i];
      if (hall_ && r.hall != hall_) continue;
      if (r.rack_type != last_type) {
        const auto it = kinds.find(r.rack_type);
        kind = it != kinds.end() ? it->second : Kind{};
        last_type = r.rack_type;
      }
      PlanObject& o = out.emplace_back();
      o.id = r.id, o.hall = r.hall, o.group = r.row, o.type = r.rack_type, o.index = static_cast<std::uint32_t>(i);
      o.word = kind.role, o.locked = r.locked, o.known_size = kind.known, o.set = r.group;
      place(o, r.x, r.y, kind.width, kind.depth, r.rotation);
    }
  });
}

void PlanModel::build_taps() {
  taps_.clear();
  std::vector<Id> hanging;
  for (const PowerUnit& u : *design_.power_units)
    if (u.kind == PowerUnitKind::busway && u.elevation && in_millimeters(*u.elevation) > 0) hanging.push_back(u.id);
  if (hanging.empty()) return;
  std::sort(hanging.begin(), hanging.end());
  const std::vector<PlanObject>& racks = objects(PlanLayer::racks);
  for (std::uint32_t i = 0; i < racks.size(); ++i) {
    const Rack& r = (*design_.racks)[racks[i].index];
    for (const bool second : {false, true})
      if (const Id unit = second ? r.feed_b : r.feed_a; std::binary_search(hanging.begin(), hanging.end(), unit))
        taps_.push_back({unit, i, second});
  }
  std::stable_sort(taps_.begin(), taps_.end(), [](const Tap& a, const Tap& b) { return a.busway < b.busway; });
}

std::span<const PlanModel::Tap> PlanModel::taps(Id busway) const {
  const auto less = [](const auto& a, const auto& b) {
    const auto id = [](const auto& x) {
      if constexpr (std::is_same_v<std::decay_t<decltype(x)>, Tap>) return x.busway;
      else return x;
    };
    return id(a) < id(b);
  };
  const auto [from, to] = std::equal_range(taps_.begin(), taps_.end(), busway, less);
  return {from, to};
}

void PlanModel::build_lines() {
  lines_.clear();
  aisles_.clear();
  const std::vector<PlanObject>& racks = objects(PlanLayer::racks);
  struct Key {
    Id hall;
    int turns;
    Id row;
    long long line, along;
    std::uint32_t object;
    auto order() const { return std::tuple(hall, turns, row, line, along, object); }
  };
  std::vector<Key> keys;
  keys.reserve(racks.size());
  for (std::uint32_t i = 0; i < racks.size(); ++i) {
    const PlanObject& o = racks[i];
    if (o.turns < 0) continue;
    const bool along_x = o.turns % 2 == 0;
    // Fronts line up, whatever the depth.
    const double front = o.turns == 0 ? o.y0 : o.turns == 1 ? o.x1 : o.turns == 2 ? o.y1 : o.x0;
    keys.push_back({o.hall, o.turns, o.group, std::llround(front), std::llround(along_x ? o.x0 : o.y0), i});
  }
  const auto by_order = [](const Key& a, const Key& b) { return a.order() < b.order(); };
  std::sort(keys.begin(), keys.end(), by_order);
  // Racks of one row may be of several depths and line up at their rears: they share the first front line.
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const Key& before = keys[i - 1];
    Key& k = keys[i];
    if (k.row && k.hall == before.hall && k.turns == before.turns && k.row == before.row &&
        static_cast<double>(k.line - before.line) <= front_tolerance_in_row)
      k.line = before.line;
  }
  std::sort(keys.begin(), keys.end(), by_order);
  const Key* last = nullptr;
  for (const Key& k : keys) {
    const PlanObject& o = racks[k.object];
    const bool along_x = k.turns % 2 == 0;
    bool join = last && last->hall == k.hall && last->turns == k.turns && last->line == k.line && last->row == k.row;
    if (join) join = (along_x ? o.x0 - lines_.back().x1 : o.y0 - lines_.back().y1) < widest_gap_in_row;
    if (join) {
      RackLine& l = lines_.back();
      l.x0 = std::min(l.x0, o.x0), l.y0 = std::min(l.y0, o.y0), l.x1 = std::max(l.x1, o.x1),
      l.y1 = std::max(l.y1, o.y1);
      ++l.count;
    } else {
      lines_.push_back({o.hall, o.group, k.turns, along_x, k.object, 1, o.x0, o.y0, o.x1, o.y1});
    }
    last = &k;
  }
  // Aisles: each line with the next one across.
  for (const bool along_x : {true, false}) {
    std::vector<const RackLine*> list;
    for (const RackLine& l : lines_)
      if (l.along_x == along_x && l.count > 1) list.push_back(&l);
    const auto near_edge = [&](const RackLine* l) { return along_x ? l->y0 : l->x0; };
    const auto far_edge = [&](const RackLine* l) { return along_x ? l->y1 : l->x1; };
    std::sort(list.begin(), list.end(), [&](const RackLine* a, const RackLine* b) {
      return std::tuple(a->hall, near_edge(a), a->x0, a->y0) < std::tuple(b->hall, near_edge(b), b->x0, b->y0);
    });
    for (std::size_t i = 0; i < list.size(); ++i) {
      const RackLine* a = list[i];
      double nearest = -1; // a wide row may face several short ones that stand on one line
      for (std::size_t j = i + 1; j < list.size() && list[j]->hall == a->hall; ++j) {
        const RackLine* b = list[j];
        const double gap = near_edge(b) - far_edge(a);
        if (gap > widest_aisle) break;
        if (gap < narrowest_aisle || (nearest >= 0 && gap > nearest + 1)) continue;
        const bool beside = along_x ? overlap(a->x0, a->x1, b->x0, b->x1) : overlap(a->y0, a->y1, b->y0, b->y1);
        if (!beside) continue;
        nearest = gap;
        const int front_to_far = along_x ? 2 : 1, front_to_near = along_x ? 0 : 3;
        const bool a_front = a->turns == front_to_far, b_front = b->turns == front_to_near;
        if (a_front != b_front) continue;
        AisleBand band;
        band.cold = a_front;
        band.along_x = along_x;
        band.clear = gap;
        band.box = along_x ? QRectF(QPointF(std::min(a->x0, b->x0), a->y1), QPointF(std::max(a->x1, b->x1), b->y0))
                           : QRectF(QPointF(a->x1, std::min(a->y0, b->y0)), QPointF(b->x0, std::max(a->y1, b->y1)));
        aisles_.push_back(band);
      }
    }
  }
}

const PlanObject* PlanModel::find(PlanLayer layer, Id id) const {
  const std::vector<PlanObject>& list = objects(layer);
  const auto it =
      std::lower_bound(list.begin(), list.end(), id, [](const PlanObject& o, Id wanted) { return o.id < wanted; });
  return it != list.end() && it->id == id ? &*it : nullptr;
}

const PlanObject* PlanModel::find(const EntityRef& entity, PlanLayer* layer) const {
  for (PlanLayer l : all_layers)
    if (entity.table == table_of_layer(l)) {
      if (layer) *layer = l;
      return find(l, entity.id);
    }
  return nullptr;
}

const HallShape* PlanModel::hall(Id id) const {
  for (const HallShape& h : halls_)
    if (h.id == id) return &h;
  return nullptr;
}

const HallShape* PlanModel::hall_at(const QPointF& scene) const {
  for (const HallShape& h : halls_)
    if (h.box.contains(scene) && h.outline.containsPoint(scene, Qt::OddEvenFill)) return &h;
  return nullptr;
}

const std::string& PlanModel::name(PlanLayer layer, const PlanObject& o) const {
  switch (layer) {
  case PlanLayer::structure:
    return (*design_.structures)[o.index].name;
  case PlanLayer::racks:
    return (*design_.racks)[o.index].name;
  case PlanLayer::power:
    return (*design_.power_units)[o.index].name;
  case PlanLayer::liquid:
    return (*design_.cooling_units)[o.index].name;
  case PlanLayer::notes:
    return (*design_.notes)[o.index].text;
  case PlanLayer::zones:
    return (*design_.zones)[o.index].name;
  case PlanLayer::air:
    return (*design_.containments)[o.index].name;
  case PlanLayer::trays:
    return (*design_.trays)[o.index].name;
  case PlanLayer::pipes:
    return (*design_.pipes)[o.index].name;
  case PlanLayer::underlay:
    return (*design_.underlays)[o.index].name;
  case PlanLayer::dimensions:
    break;
  }
  static const std::string none;
  return none;
}

const QPolygonF* PlanModel::points(PlanLayer layer, const PlanObject& o) const {
  const std::vector<QPolygonF>& list = layers_[at(layer)].points;
  return o.points >= 0 && static_cast<std::size_t>(o.points) < list.size() ? &list[static_cast<std::size_t>(o.points)]
                                                                           : nullptr;
}

const GuideLine* PlanModel::guide(Id id) const {
  for (const GuideLine& g : guides_)
    if (g.id == id) return &g;
  return nullptr;
}

QRectF PlanModel::extent() const {
  QRectF out;
  for (const HallShape& h : halls_)
    out = out.united(h.box);
  for (PlanLayer l : all_layers) {
    const std::vector<PlanObject>& list = objects(l);
    if (list.empty()) continue;
    double x0 = list[0].x0, y0 = list[0].y0, x1 = list[0].x1, y1 = list[0].y1;
    for (const PlanObject& o : list)
      x0 = std::min(x0, o.x0), y0 = std::min(y0, o.y0), x1 = std::max(x1, o.x1), y1 = std::max(y1, o.y1);
    out = out.united(QRectF(QPointF(x0, y0), QPointF(x1, y1)));
  }
  return out;
}

bool PlanModel::empty() const {
  if (!halls_.empty()) return false;
  return std::all_of(layers_.begin(), layers_.end(), [](const Layer& l) { return l.objects.empty(); });
}

bool runs_through(const QPolygonF& points, bool closed, const QRectF& r) {
  const qsizetype n = points.size();
  const QLineF sides[] = {{r.topLeft(), r.topRight()},
                          {r.topRight(), r.bottomRight()},
                          {r.bottomRight(), r.bottomLeft()},
                          {r.bottomLeft(), r.topLeft()}};
  for (qsizetype i = 0; i < n; ++i) {
    if (r.contains(points[i])) return true;
    if (i + 1 == n && !closed) break;
    const QLineF part(points[i], points[(i + 1) % n]);
    for (const QLineF& side : sides)
      if (part.intersects(side, nullptr) == QLineF::BoundedIntersection) return true;
  }
  return false;
}

std::vector<EntityRef> in_band(const PlanModel& model, PlanLayer layer, const QRectF& band, bool contains) {
  std::vector<Id> ids;
  const std::vector<PlanObject>& list = model.objects(layer);
  const QPolygonF area(band);
  model.index(layer).visit(band, [&](std::uint32_t i) {
    const PlanObject& o = list[i];
    if (o.locked) return;
    bool taken = false;
    if (contains) {
      taken = band.left() <= o.x0 && band.top() <= o.y0 && o.x1 <= band.right() && o.y1 <= band.bottom();
    } else {
      taken = o.x0 < band.right() && band.left() < o.x1 && o.y0 < band.bottom() && band.top() < o.y1;
      if (taken && o.turns < 0) taken = o.corners().intersects(area);
      // A zone or a run is touched where it is drawn, not in the empty middle of its box.
      if (const QPolygonF* shape = taken ? model.points(layer, o) : nullptr) {
        taken = layer == PlanLayer::zones
                    ? runs_through(*shape, true, band)
                    : runs_through(*shape, false, band.adjusted(-o.width / 2, -o.width / 2, o.width / 2, o.width / 2));
      }
    }
    if (taken) ids.push_back(o.id);
  });
  std::sort(ids.begin(), ids.end());
  std::vector<EntityRef> out;
  out.reserve(ids.size());
  for (Id id : ids)
    out.push_back({table_of_layer(layer), id});
  return out;
}

} // namespace hallwright::plan
