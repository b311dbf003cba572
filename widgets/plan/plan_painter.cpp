// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_painter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <QApplication>
#include <QFontMetricsF>
#include <QLocale>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::plan {

QColor mixed(const QColor& a, const QColor& b, double s) {
  const auto mix = [s](int x, int y) { return static_cast<int>(std::lround(x + s * (y - x))); };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

QColor letters_on(const QColor& fill) {
  const double light = 0.299 * fill.red() + 0.587 * fill.green() + 0.114 * fill.blue();
  return light > 142 ? QColor(0x1c, 0x2b, 0x3c) : QColor(0xff, 0xff, 0xff);
}

PlanColors PlanColors::screen() {
  const Theme& t = theme();
  PlanColors c;
  c.dark = t.dark;
  c.canvas = t.canvas, c.floor = t.hall_floor, c.outline = t.hall_outline, c.grid = t.grid, c.grid_major = t.grid_major;
  c.text = t.text, c.quiet = t.secondary_text, c.accent = t.accent, c.accent_soft = t.accent_soft, c.panel = t.panel;
  c.border = t.border, c.red = t.red, c.red_soft = t.red_soft, c.amber = t.amber, c.green = t.green;
  c.rack = t.rack, c.rack_border = t.rack_border, c.cold = t.cold_aisle, c.hot = t.hot_aisle;
  c.cold_text = mixed(t.accent, t.cold_aisle, 0.25), c.hot_text = mixed(t.amber, t.hot_aisle, 0.3);
  c.liquid = t.liquid, c.power = t.power, c.fabric = t.fabric_kind, c.structure = t.structure;
  c.storage = t.dark ? QColor(0x6f, 0xb6, 0xc4) : QColor(0x3a, 0x87, 0x96);
  c.amount_low = amount_color(0), c.amount_high = amount_color(1);
  return c;
}

PlanColors PlanColors::paper() {
  PlanColors c;
  c.canvas = QColor(0xffffff), c.floor = QColor(0xffffff), c.outline = QColor(0x3a4856);
  c.grid = QColor(0xeef1f5), c.grid_major = QColor(0xdfe5ec), c.text = QColor(0x1f2a37), c.quiet = QColor(0x56626f);
  c.accent = QColor(0x2a6cb5), c.accent_soft = QColor(0xdce9f7), c.panel = QColor(0xffffff), c.border = QColor(0xc5ced8);
  c.red = QColor(0xc0392b), c.red_soft = QColor(0xfbe9e7), c.amber = QColor(0xd9790a), c.green = QColor(0x2f855a);
  c.rack = QColor(0xcfe0f3), c.rack_border = QColor(0x6f92b8), c.cold = QColor(0xe6f0fb), c.hot = QColor(0xfdeee6);
  c.cold_text = QColor(0x5a8cc4), c.hot_text = QColor(0xc2813f), c.liquid = QColor(0x2f9e77), c.power = QColor(0xb9770e);
  c.fabric = QColor(0x8e5aa8), c.structure = QColor(0x8996a3), c.storage = QColor(0x3a8796);
  c.amount_low = QColor(0xdbe8f6), c.amount_high = QColor(0x1f5c9e);
  return c;
}

QColor PlanColors::amount(double share) const {
  // Short of the darkest, so that numbers, fronts and neighbours stay apart.
  return mixed(amount_low, amount_high, 0.84 * std::clamp(share, 0.0, 1.0));
}

QString short_number(double v) {
  const double a = std::abs(v);
  if (a < 0.005) return QStringLiteral("0");
  return QLocale().toString(v, 'f', a >= 9.95 ? 0 : a >= 0.995 ? 1 : 2);
}

QString length_text(double mm, int decimals) { return QLocale().toString(mm / 1000.0, 'f', decimals) + QStringLiteral(" m"); }

// --- values ----------------------------------------------------------------------------------------------------------

namespace {

const TableColumn* first_of_kind(const Table& table, const Kind& kind) {
  for (const TableColumn& c : table.columns)
    if (c.kind == &kind && !c.numbers.empty()) return &c;
  return nullptr;
}

/// The column that an overlay shows, under the names that stages may give it.
std::pair<const Table*, const TableColumn*> overlay_column(const Figures& figures, Overlay overlay) {
  const auto pick = [&](std::initializer_list<const char*> tables, std::initializer_list<const char*> columns,
                        const Kind& kind) -> std::pair<const Table*, const TableColumn*> {
    for (const char* id : tables) {
      const Table* table = figures.table(id);
      if (!table || table->entity_table != "racks") continue;
      for (const char* column : columns)
        if (const TableColumn* c = table->column(column); c && c->kind) return {table, c};
      if (const TableColumn* c = first_of_kind(*table, kind)) return {table, c};
    }
    return {nullptr, nullptr};
  };
  switch (overlay) {
  case Overlay::power: return pick({"load.racks"}, {"power"}, kind::power);
  case Overlay::flow: return pick({"cooling.racks", "cooling.flows", "load.racks"}, {"flow", "coolant_flow"}, kind::volume_flow);
  case Overlay::floor_load: return pick({"space.racks"}, {"floor_load"}, kind::areal_density);
  case Overlay::none: break;
  }
  return {nullptr, nullptr};
}

} // namespace

OverlayValues overlay_values(const PlanModel& model, const SharedEvaluation& evaluation, Overlay overlay) {
  OverlayValues out;
  out.overlay = overlay;
  if (overlay == Overlay::none) return out;
  const QString words = overlay == Overlay::power ? PlanView::tr("Rack power")
                        : overlay == Overlay::flow ? PlanView::tr("Coolant flow")
                                                   : PlanView::tr("Floor load");
  out.title = words;
  const std::vector<PlanObject>& racks = model.objects(PlanLayer::racks);
  out.shown.assign(racks.size(), std::numeric_limits<double>::quiet_NaN());
  if (!evaluation) return out;
  const auto [table, column] = overlay_column(evaluation->figures, overlay);
  if (!table || column->numbers.size() != table->entities.size()) return out;
  out.available = true;
  double largest = 0;
  for (double v : column->numbers)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  const DisplayUnit* unit = nullptr;
  for (const DisplayUnit& u : column->kind->display)
    if (u.symbol == column->unit) unit = &u;
  if (!unit) unit = &suited_unit(largest, *column->kind);
  out.unit = to_qstring(unit->symbol);
  out.title = QStringLiteral("%1, %2").arg(words, out.unit);
  out.low = std::numeric_limits<double>::infinity(), out.high = -out.low;
  std::size_t row = 0; // both by rising id
  for (std::size_t i = 0; i < racks.size(); ++i) {
    while (row < table->entities.size() && table->entities[row] < racks[i].id) ++row;
    if (row < table->entities.size() && table->entities[row] == racks[i].id && std::isfinite(column->numbers[row])) {
      const double v = (column->numbers[row] - unit->offset) / unit->factor;
      out.shown[i] = v;
      out.low = std::min(out.low, v), out.high = std::max(out.high, v);
    } else {
      out.some_missing = true;
    }
  }
  if (out.low > out.high) out.low = out.high = 0, out.available = false;
  return out;
}

std::unordered_set<Id> misplaced(const SharedEvaluation& evaluation) {
  std::unordered_set<Id> out;
  if (!evaluation) return out;
  if (const Table* table = evaluation->figures.table("space.racks")) {
    const TableColumn* outside = table->column("outside");
    const TableColumn* overlapping = table->column("overlapping");
    for (std::size_t i = 0; i < table->entities.size(); ++i)
      if ((outside && i < outside->numbers.size() && outside->numbers[i] > 0) ||
          (overlapping && i < overlapping->numbers.size() && overlapping->numbers[i] > 0))
        out.insert(table->entities[i]);
  }
  if (const Table* table = evaluation->figures.table("space.overlaps"))
    for (const char* column : {"first_id", "second_id"})
      if (const TableColumn* c = table->column(column))
        for (double id : c->numbers) out.insert(static_cast<Id>(id));
  return out;
}

// --- canvas ----------------------------------------------------------------------------------------------------------

QRectF Canvas::rect(const QRectF& mm) const {
  QRectF r(QPointF(x(mm.left()), y(mm.top())), QPointF(x(mm.right()), y(mm.bottom())));
  if (paper) return r;
  return {QPointF(std::round(r.left()), std::round(r.top())), QPointF(std::round(r.right()), std::round(r.bottom()))};
}

QPolygonF Canvas::polygon(const QPolygonF& mm) const {
  QPolygonF out;
  out.reserve(mm.size());
  for (const QPointF& p : mm) out << (paper ? point(p) : QPointF(std::round(x(p.x())), std::round(y(p.y()))));
  return out;
}

QFont Canvas::font(double size, bool bold) const {
  QFont f = base_font;
  f.setPixelSize(std::max(1, static_cast<int>(std::lround(size * unit))));
  f.setWeight(bold ? QFont::DemiBold : QFont::Normal);
  return f;
}

QPen Canvas::pen(const QColor& color, double width, Qt::PenStyle style) const {
  QPen p(color, width * unit, style);
  p.setJoinStyle(Qt::MiterJoin);
  p.setCapStyle(Qt::FlatCap);
  return p;
}

void Canvas::text(const QRectF& area, int flags, const QString& words, const QFont& f, const QColor& color) const {
  if (paper) grow(QFontMetricsF(f).boundingRect(area, flags, words));
  if (!painter) return;
  painter->setFont(f);
  painter->setPen(color);
  painter->drawText(area, flags, words);
}

void Canvas::text_at(const QPointF& anchor, int alignment, const QString& words, const QFont& f, const QColor& color) const {
  const QFontMetricsF metrics(f);
  const double w = std::ceil(metrics.horizontalAdvance(words)) + 2 * unit, h = metrics.height();
  QPointF corner = anchor;
  if (alignment & Qt::AlignRight) corner.rx() -= w;
  if (alignment & Qt::AlignHCenter) corner.rx() -= w / 2;
  if (alignment & Qt::AlignBottom) corner.ry() -= h;
  if (alignment & Qt::AlignVCenter) corner.ry() -= h / 2;
  text(QRectF(corner, QSizeF(w, h)), Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, words, f, color);
}

void Canvas::fill(const QRectF& r, const QBrush& brush) const {
  if (paper) grow(r);
  if (painter) painter->fillRect(r, brush);
}

void Canvas::line(const QPointF& a, const QPointF& b, const QPen& p) const {
  if (paper) grow(QRectF(a, b).normalized().adjusted(-unit, -unit, unit, unit));
  if (!painter) return;
  painter->setPen(p);
  painter->drawLine(a, b);
}

void Canvas::outline(const QPolygonF& p, const QPen& pen, const QBrush& brush, bool closed) const {
  if (paper) grow(p.boundingRect().adjusted(-pen.widthF(), -pen.widthF(), pen.widthF(), pen.widthF()));
  if (!painter) return;
  painter->setPen(pen);
  painter->setBrush(brush);
  if (closed)
    painter->drawPolygon(p);
  else
    painter->drawPolyline(p);
}

void Canvas::tile(const QRectF& r, double radius, const QPen& pen, const QBrush& brush) const {
  if (paper) grow(r);
  if (!painter) return;
  painter->setRenderHint(QPainter::Antialiasing, true);
  painter->setPen(pen);
  painter->setBrush(brush);
  const double half = pen.style() == Qt::NoPen ? 0 : 0.5 * unit;
  painter->drawRoundedRect(r.adjusted(half, half, -half, -half), radius * unit, radius * unit);
}

void Canvas::hatch(const QRectF& r, const QColor& color) const {
  if (!painter) return;
  painter->save();
  painter->setClipRect(r, Qt::IntersectClip);
  painter->setRenderHint(QPainter::Antialiasing, true);
  painter->setPen(pen(color, 1));
  const double step = 5 * unit;
  // Lines stay in step from one thing to the next.
  const double first = std::floor((r.left() - r.height() + r.top()) / step) * step - r.top();
  for (double x = first; x < r.right(); x += step) painter->drawLine(QPointF(x, r.bottom()), QPointF(x + r.height(), r.top()));
  painter->restore();
}

void TileStore::begin(double scale, double device_ratio, bool dark) {
  if (scale == scale_ && device_ratio == ratio_ && dark == dark_ && tiles.size() < 4000) return;
  tiles.clear();
  scale_ = scale, ratio_ = device_ratio, dark_ = dark;
}

// --- floor -----------------------------------------------------------------------------------------------------------

void paint_floor(const Canvas& c, const Picture& p) {
  for (const HallShape& h : p.model->halls()) {
    if (!h.box.intersects(p.area)) continue;
    // A rectangle is filled many times faster than a polygon of the same corners.
    const bool rectangle = h.outline.size() == 4 && (h.outline[0] - h.outline[1] == h.outline[3] - h.outline[2]) &&
                           ((h.outline[0].x() == h.outline[1].x() && h.outline[1].y() == h.outline[2].y()) ||
                            (h.outline[0].y() == h.outline[1].y() && h.outline[1].x() == h.outline[2].x()));
    if (rectangle)
      c.fill(c.rect(h.box).intersected(c.rect(p.area)), c.colors.floor);
    else
      c.outline(c.polygon(h.outline), QPen(Qt::NoPen), c.colors.floor);
  }
}

void paint_grid(const Canvas& c, const Picture& p) {
  if (!c.painter || p.grid_mm <= 0) return;
  double step = p.grid_mm;
  while (c.pixels(step) < 10) step *= 5;
  if (p.area.width() / step > 2000 || p.area.height() / step > 2000) return;
  c.painter->setRenderHint(QPainter::Antialiasing, false);
  const QPointF shift = p.model->halls().empty() ? QPointF() : p.model->halls().front().offset;
  const auto first_x = static_cast<long long>(std::floor((p.area.left() - shift.x()) / step));
  const auto last_x = static_cast<long long>(std::ceil((p.area.right() - shift.x()) / step));
  const auto first_y = static_cast<long long>(std::floor((p.area.top() - shift.y()) / step));
  const auto last_y = static_cast<long long>(std::ceil((p.area.bottom() - shift.y()) / step));
  const double top = std::floor(c.y(p.area.top())), bottom = std::ceil(c.y(p.area.bottom())), left = std::floor(c.x(p.area.left())), right = std::ceil(c.x(p.area.right()));
  // Lines as filled rectangles: the stroker of the raster engine takes five times as long over upright lines.
  const double thick = c.paper ? 0.6 * c.unit : 1.0;
  for (int pass = 0; pass < 2; ++pass) {
    const QColor color = pass == 0 ? c.colors.grid : mixed(c.colors.grid, c.colors.grid_major, 0.6);
    const auto draw = [&](double x, double y, double w, double h) {
      if (c.paper)
        c.painter->fillRect(QRectF(x, y, w, h), color);
      else
        c.painter->fillRect(QRect(static_cast<int>(x), static_cast<int>(y), static_cast<int>(w), static_cast<int>(h)), color);
    };
    for (long long i = first_x; i <= last_x; ++i)
      if ((i % 5 == 0) == (pass == 1)) draw(std::round(c.x(static_cast<double>(i) * step + shift.x())), top, thick, bottom - top);
    for (long long i = first_y; i <= last_y; ++i)
      if ((i % 5 == 0) == (pass == 1)) draw(left, std::round(c.y(static_cast<double>(i) * step + shift.y())), right - left, thick);
  }
}

namespace {

QRectF scene_of(const Canvas& c, const QRectF& r) {
  return {(r.left() - c.origin.x()) / c.scale, (r.top() - c.origin.y()) / c.scale, r.width() / c.scale, r.height() / c.scale};
}

/// First thing of the plan whose box touches `r` (device), notes apart; null: nothing stands there.
const PlanObject* standing_in(const Canvas& c, const Picture& p, const QRectF& r) {
  const QRectF area = scene_of(c, r);
  const PlanObject* found = nullptr;
  for (PlanLayer layer : {PlanLayer::racks, PlanLayer::power, PlanLayer::liquid, PlanLayer::structure}) {
    const std::vector<PlanObject>& objects = p.model->objects(layer);
    p.model->index(layer).visit(area, [&](std::uint32_t i) {
      if (!objects[i].box().intersects(area)) return;
      // The leftmost of the highest: the answer must not depend on the order of the grid.
      if (!found || std::pair(objects[i].x0, objects[i].y0) < std::pair(found->x0, found->y0)) found = &objects[i];
    });
  }
  return found;
}

QSizeF size_of_words(const Canvas& c, const QString& words, const QFont& f) {
  const QFontMetricsF m(f);
  return {std::ceil(m.horizontalAdvance(words)) + 2 * c.unit, m.height()};
}

QFont title_font(const Canvas& c) { return c.font(12, true); }

/// A hall with its name above it, as far as others must stay clear of it.
QRectF hall_with_title(const Canvas& c, const HallShape& h) {
  const QRectF r = c.rect(h.box);
  return r.adjusted(0, h.name.empty() || c.pixels(h.box.width()) <= 60 ? 0 : -4 * c.unit - QFontMetricsF(title_font(c)).height(), 0, 0);
}

/// Words of an aisle and where they stand (device; along the aisle when it runs down the plan). Empty: no room.
struct AisleLabel {
  QString words;
  QFont font;
  QRectF box;
};
AisleLabel aisle_label(const Canvas& c, const AisleBand& a) {
  AisleLabel out;
  const QRectF r = c.rect(a.box);
  const double across = c.pixels(a.clear), along = (a.along_x ? r.width() : r.height()) / c.unit;
  if (across < 12 || along < 60) return out;
  out.font = c.font(std::min(11.0, across - 2));
  const QString name = a.cold ? PlanView::tr("cold aisle") : PlanView::tr("hot aisle");
  out.words = name + QStringLiteral("  ") + length_text(a.clear, 2);
  if (along <= 150) out.words = name;
  const QSizeF size = size_of_words(c, out.words, out.font);
  if (size.width() > along * c.unit - 4 * c.unit) return {};
  if (a.along_x) {
    // The label stays in sight when the row runs out of the window.
    const double left = std::max(r.left(), c.paper ? r.left() : std::min(c.left_edge + 48 * c.unit, r.right() - 120 * c.unit));
    out.box = QRectF(left + 4 * c.unit, r.center().y() - size.height() / 2, size.width(), size.height());
  } else {
    out.box = QRectF(r.center().x() - size.height() / 2, r.bottom() - 4 * c.unit - size.width(), size.height(), size.width());
  }
  return out;
}

} // namespace

void paint_aisles(const Canvas& c, const Picture& p) {
  for (const AisleBand& a : p.model->aisles()) {
    if (!a.box.intersects(p.area)) continue;
    const QRectF r = c.rect(a.box);
    if (std::min(r.width(), r.height()) < 2 * c.unit) continue;
    c.fill(r, a.cold ? c.colors.cold : c.colors.hot);
    const AisleLabel label = aisle_label(c, a);
    if (label.words.isEmpty()) continue;
    const QColor ink = a.cold ? c.colors.cold_text : c.colors.hot_text;
    if (a.along_x) {
      c.text(label.box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip, label.words, label.font, ink);
    } else if (c.painter) {
      c.painter->save();
      c.painter->translate(label.box.left(), label.box.bottom());
      c.painter->rotate(-90);
      c.painter->setFont(label.font);
      c.painter->setPen(ink);
      c.painter->drawText(QRectF(0, 0, label.box.height(), label.box.width()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip, label.words);
      c.painter->restore();
    }
  }
}

void paint_hall_outlines(const Canvas& c, const Picture& p) {
  for (const HallShape& h : p.model->halls()) {
    if (!h.box.adjusted(-500, -500, 500, 500).intersects(p.area)) continue;
    if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
    c.outline(c.polygon(h.outline), c.pen(c.colors.outline, c.pixels(1000) > 12 ? 2.5 : 1.6));
    if (h.name.empty() || c.pixels(h.box.width()) <= 60) continue;
    const QRectF r = c.rect(h.box);
    const QFont f = title_font(c);
    const double gap = 4 * c.unit;
    const QString name = QFontMetricsF(f).elidedText(QString::fromStdString(h.name), Qt::ElideRight, r.width() - 2 * gap);
    const QSizeF size = size_of_words(c, name, f);
    const QRectF above(QPointF(r.left(), r.top() - gap - size.height()), size);
    const auto over_another_hall = [&] {
      for (const HallShape& other : p.model->halls())
        if (other.id != h.id && c.rect(other.box).intersects(above)) return true;
      return false;
    };
    if (!over_another_hall()) {
      c.text_at(r.topLeft() + QPointF(1 * c.unit, -gap), Qt::AlignLeft | Qt::AlignBottom, name, f, c.colors.text);
      continue;
    }
    // No room above: inside, in a corner where nothing stands, or else on a card of its own.
    QRectF inside(QPointF(r.left() + gap, r.top() + gap), size);
    const QRectF first = inside;
    const double right = r.right() - gap - size.width(), bottom = r.bottom() - gap - size.height();
    for (const QPointF& corner : {inside.topLeft(), QPointF(right, inside.top()), QPointF(inside.left(), bottom), QPointF(right, bottom)}) {
      inside.moveTopLeft(corner);
      if (!standing_in(c, p, inside)) break;
    }
    if (standing_in(c, p, inside)) inside = first;
    c.tile(inside.adjusted(-2 * c.unit, 0, 2 * c.unit, 0), 2, QPen(Qt::NoPen), c.colors.floor);
    c.text(inside, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, name, f, c.colors.text);
  }
}

void paint_dimensions(const Canvas& c, const Picture& p) {
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, false);
  const QPen pen = c.pen(mixed(c.colors.quiet, c.colors.canvas, 0.4), 1);
  const QFont f = c.font(11);
  const double off = 18 * c.unit, tick = 4 * c.unit;
  for (const HallShape& h : p.model->halls()) {
    const QRectF r = c.rect(h.box);
    // Dimension lines keep off other halls, their names, and what stands outside of halls.
    const auto is_free = [&](const QRectF& strip) {
      for (const HallShape& other : p.model->halls())
        if (other.id != h.id && hall_with_title(c, other).intersects(strip)) return false;
      return !standing_in(c, p, strip);
    };
    const QString across = length_text(h.box.width()), down = length_text(h.box.height());
    const QSizeF across_size = size_of_words(c, across, f), down_size = size_of_words(c, down, f);
    if (r.width() < std::max(50 * c.unit, across_size.width())) continue;
    const double y = std::round(r.bottom() + off);
    if (is_free(QRectF(r.left(), r.bottom() + 3 * c.unit, r.width(), off + across_size.height()))) {
      c.line({r.left(), y}, {r.right(), y}, pen);
      for (double x : {r.left(), r.right()}) c.line({x, y - tick}, {x, y + tick}, pen);
      c.text_at({r.center().x(), y + 3 * c.unit}, Qt::AlignHCenter | Qt::AlignTop, across, f, c.colors.quiet);
    }
    if (r.height() < 50 * c.unit) continue;
    const double room = off + 6 * c.unit + down_size.width();
    const bool right_free = is_free(QRectF(r.right() + 3 * c.unit, r.top(), room, r.height()));
    if (!right_free) {
      // A neighbour of the same height says it; else there is the other side.
      bool said = false;
      for (const HallShape& other : p.model->halls())
        said = said || (other.id != h.id && std::abs(other.box.top() - h.box.top()) < 1 && std::abs(other.box.bottom() - h.box.bottom()) < 1);
      if (said || !is_free(QRectF(r.left() - 3 * c.unit - room, r.top(), room, r.height()))) continue;
    }
    const double side = right_free ? 1 : -1;
    const double x = std::round((right_free ? r.right() : r.left()) + side * off);
    c.line({x, r.top()}, {x, r.bottom()}, pen);
    for (double yy : {r.top(), r.bottom()}) c.line({x - tick, yy}, {x + tick, yy}, pen);
    c.text_at({x + side * 6 * c.unit, r.center().y()}, (right_free ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, down, f, c.colors.quiet);
  }
}

QRectF paint_legend(const Canvas& c, const OverlayValues& o, const QPointF& corner) {
  if (o.overlay == Overlay::none) return {};
  const double u = c.unit;
  const bool note = o.some_missing || !o.available;
  const QSizeF size(188 * u, (o.available ? 56 : 34) * u + (note ? 20 * u : 0) - (o.available ? 0 : 4 * u));
  const QRectF card(QPointF(corner.x() - size.width(), corner.y()), size);
  c.tile(card, 4, c.pen(c.colors.border, 1), c.colors.panel);
  const double left = card.left() + 12 * u, width = size.width() - 24 * u;
  double y = card.top() + 8 * u;
  c.text(QRectF(left, y, width, 16 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, o.title, c.font(12, true), c.colors.text);
  y += 19 * u;
  if (o.available) {
    constexpr int steps = 10;
    for (int i = 0; i < steps; ++i) {
      const double from = std::round(left + width * i / steps), to = std::round(left + width * (i + 1) / steps);
      c.fill(QRectF(from, std::round(y), to - from, std::round(8 * u)), c.colors.amount(o.high > o.low ? (i + 0.5) / steps : o.share(o.low)));
    }
    y += 9 * u;
    const QFont f = c.font(10.5);
    c.text(QRectF(left, y, width, 15 * u), Qt::AlignLeft | Qt::AlignVCenter, short_number(o.low), f, c.colors.quiet);
    if (o.high > o.low) c.text(QRectF(left, y, width, 15 * u), Qt::AlignRight | Qt::AlignVCenter, short_number(o.high), f, c.colors.quiet);
    y += 17 * u;
  }
  if (note) {
    const QRectF sample(left, y + 2 * u, 16 * u, 11 * u);
    c.hatch(sample, mixed(c.colors.quiet, c.colors.panel, 0.35));
    c.tile(sample, 2, c.pen(c.colors.quiet, 1, Qt::DashLine), Qt::NoBrush);
    c.text(QRectF(left + 22 * u, y, width - 22 * u, 15 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, PlanView::tr("not set or not known"),
           c.font(10.5), c.colors.quiet);
  }
  return card;
}

// --- racks -----------------------------------------------------------------------------------------------------------

namespace {

struct RackLook {
  QColor fill, border, ink;
  QString label;
  bool hatch = false;
};

QString role_letter(std::uint8_t role) {
  switch (static_cast<RackRole>(role)) {
  case RackRole::compute: return {};
  case RackRole::fabric: return PlanView::tr("L", "letter of a fabric (leaf) rack on the plan");
  case RackRole::storage: return PlanView::tr("S", "letter of a storage rack on the plan");
  case RackRole::management: return PlanView::tr("M", "letter of a management rack on the plan");
  }
  return {};
}

QColor role_color(const PlanColors& c, std::uint8_t role) {
  switch (static_cast<RackRole>(role)) {
  case RackRole::fabric: return c.fabric;
  case RackRole::storage: return c.storage;
  case RackRole::management: return c.structure;
  case RackRole::compute: break;
  }
  return c.rack_border;
}

class RackPainter {
public:
  RackPainter(const Canvas& c, const Picture& p) : c_(c), p_(p), overlay_(p.overlay && p.overlay->overlay != Overlay::none ? p.overlay : nullptr) {
    for (std::uint8_t role = 0; role < 4; ++role) {
      const QColor tint = role_color(c.colors, role);
      border_[role] = role == 0 ? tint : mixed(tint, c.colors.floor, 0.2);
      soft_[role] = role == 0 ? c.colors.rack : mixed(c.colors.floor, tint, c.colors.dark ? 0.28 : 0.16);
      letter_[role] = role_letter(role);
    }
  }

  void paint() {
    const std::vector<PlanObject>& racks = p_.model->objects(PlanLayer::racks);
    if (racks.empty()) return;
    const PlanObject& sample = racks.front();
    const double small = c_.pixels(std::min(sample.width, sample.depth));
    if (small < 9.6 && !c_.paper) { // letters would be under six pixels
      paint_blocks(racks, small >= 3.5);
      return;
    }
    if (p_.tiles) p_.tiles->begin(c_.scale, c_.painter ? c_.painter->device()->devicePixelRatioF() : 1, c_.colors.dark);
    font_size_ = std::min(11.0, small * 0.62);
    font_ = c_.font(font_size_);
    p_.model->index(PlanLayer::racks).visit(p_.area, [&](std::uint32_t i) {
      if (racks[i].box().intersects(p_.area) && !skipped(racks[i].id)) paint_one(racks[i], i);
    });
  }

private:
  [[nodiscard]] bool skipped(Id id) const { return p_.gone && p_.gone->count(id); }
  [[nodiscard]] bool wrong(Id id) const { return p_.misplaced && !p_.misplaced->empty() && p_.misplaced->count(id); }

  [[nodiscard]] QColor fill(const PlanObject& o, std::uint32_t i, bool& unknown) const {
    unknown = false;
    if (!overlay_) return soft_[o.word & 3];
    const double v = i < overlay_->shown.size() ? overlay_->shown[i] : std::numeric_limits<double>::quiet_NaN();
    if (!std::isfinite(v)) {
      unknown = true;
      return c_.colors.floor;
    }
    return c_.colors.amount(overlay_->share(v));
  }

  // Far away nothing is smoothed: plain rectangles a pixel apart, and further off neighbours of one colour as one block.
  void paint_blocks(const std::vector<PlanObject>& racks, bool apart) {
    if (!c_.painter) return;
    c_.painter->setRenderHint(QPainter::Antialiasing, false);
    QRectF block;
    QColor color;
    const auto flush = [&] {
      if (block.isNull()) return;
      QRectF r = c_.rect(block);
      const double gap = apart ? 1 : 0;
      c_.painter->fillRect(QRect(static_cast<int>(r.left()), static_cast<int>(r.top()), static_cast<int>(std::max(1.0, r.width() - gap)), static_cast<int>(std::max(1.0, r.height()))), color);
      block = {};
    };
    const auto one = [&](std::uint32_t i) {
      const PlanObject& o = racks[i];
      if (skipped(o.id)) return;
      bool unknown = false;
      QColor next = fill(o, i, unknown);
      if (!overlay_ && !unknown) next = mixed(next, border_[o.word & 3], 0.45);
      if (unknown) next = mixed(c_.colors.floor, c_.colors.quiet, 0.3);
      if (wrong(o.id)) next = c_.colors.red;
      const QRectF box = o.box();
      const bool joins = !apart && !block.isNull() && next == color &&
                         ((std::abs(box.top() - block.top()) < 1 && std::abs(box.height() - block.height()) < 1 && std::abs(box.left() - block.right()) < 120) ||
                          (std::abs(box.left() - block.left()) < 1 && std::abs(box.width() - block.width()) < 1 && std::abs(box.top() - block.bottom()) < 120));
      if (joins) {
        block = block.united(box);
        return;
      }
      flush();
      block = box;
      color = next;
    };
    for (std::uint32_t i = 0; i < racks.size(); ++i)
      if (racks[i].x0 < p_.area.right() && racks[i].x1 > p_.area.left() && racks[i].y0 < p_.area.bottom() && racks[i].y1 > p_.area.top()) one(i);
    flush();
  }

  void draw(QPainter* painter, const QRectF& r, const PlanObject& o, const RackLook& look, bool bad) const {
    Canvas c = c_;
    c.painter = painter;
    const double w = r.width() / c.unit, h = r.height() / c.unit;
    const QRectF inner = std::min(w, h) >= 9 ? r.adjusted(0.5 * c.unit, 0.5 * c.unit, -0.5 * c.unit, -0.5 * c.unit) : r;
    const double radius = std::clamp(std::min(w, h) * 0.12, 0.0, 3.0);
    QPen pen = c.pen(bad ? c.colors.red : look.border, bad ? 1.8 : 1, o.known_size ? Qt::SolidLine : Qt::DashLine);
    if (look.hatch) {
      c.tile(inner, radius, QPen(Qt::NoPen), look.fill);
      c.hatch(inner.adjusted(1, 1, -1, -1), mixed(c.colors.quiet, c.colors.floor, 0.7));
      c.tile(inner, radius, pen, Qt::NoBrush);
    } else {
      c.tile(inner, radius, pen, look.fill);
    }
    if (std::min(w, h) >= 11 && o.turns >= 0) {
      // The front: a short bar along its edge.
      const QColor mark = mixed(look.border, look.ink, 0.25);
      const double bar = 2 * c.unit, off = 2 * c.unit, in = 3 * c.unit;
      QRectF m;
      switch (o.turns) {
      case 0: m = QRectF(inner.left() + in, inner.top() + off, inner.width() - 2 * in, bar); break;
      case 1: m = QRectF(inner.right() - off - bar, inner.top() + in, bar, inner.height() - 2 * in); break;
      case 2: m = QRectF(inner.left() + in, inner.bottom() - off - bar, inner.width() - 2 * in, bar); break;
      default: m = QRectF(inner.left() + off, inner.top() + in, bar, inner.height() - 2 * in); break;
      }
      c.fill(m, mark);
    }
    if (!look.label.isEmpty() && font_size_ >= 6 && painter) {
      if (c.paper) c.grow(r);
      painter->setFont(font_);
      painter->setPen(look.ink);
      painter->drawText(r, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, look.label);
    }
  }

  void paint_one(const PlanObject& o, std::uint32_t i) {
    const bool bad = wrong(o.id);
    const auto role = static_cast<std::uint8_t>(o.word & 3);
    if (o.turns < 0) {
      const RackLook look = look_of(o, i, role);
      if (c_.painter) c_.painter->setRenderHint(QPainter::Antialiasing, true);
      const QPolygonF corner = o.corners();
      c_.outline(c_.polygon(corner), c_.pen(bad ? c_.colors.red : look.border, bad ? 1.8 : 1, o.known_size ? Qt::SolidLine : Qt::DashLine), look.fill);
      c_.line(c_.point(corner[0]), c_.point(corner[1]), c_.pen(look.border, 2.5));
      if (!look.label.isEmpty() && font_size_ >= 6) c_.text_at(c_.point(o.center()), Qt::AlignCenter, look.label, font_, look.ink);
      return;
    }
    const QRectF r = c_.rect(o.box());
    if (!p_.tiles || !c_.painter) {
      if (c_.paper) c_.grow(r);
      const RackLook look = look_of(o, i, role);
      draw(c_.painter, r, o, look, bad);
      name(r, o, look.ink);
      return;
    }
    // Everything that the picture of a rack depends on at this scale.
    const float value = overlay_ && i < overlay_->shown.size() ? static_cast<float>(overlay_->shown[i]) : 0.0f;
    const quint64 key = (static_cast<quint64>(r.width()) & 0xfff) | (static_cast<quint64>(r.height()) & 0xfff) << 12 |
                        static_cast<quint64>(o.turns) << 24 | static_cast<quint64>(role) << 26 | static_cast<quint64>(bad) << 28 |
                        static_cast<quint64>(o.known_size) << 29 | static_cast<quint64>(overlay_ != nullptr) << 30 |
                        static_cast<quint64>(std::bit_cast<std::uint32_t>(value)) << 32;
    if (key != last_key_ || !last_tile_) {
      last_tile_ = tile_of(key, r, o, i, role, bad);
      last_key_ = key;
    }
    c_.painter->drawPixmap(r.topLeft() - QPointF(1, 1), *last_tile_);
    if (r.width() >= 52) name(r, o, look_of(o, i, role).ink);
  }

  /// Name of a rack at its foot, where there is room for it.
  void name(const QRectF& r, const PlanObject& o, const QColor& ink) const {
    if (r.width() < 52 * c_.unit || r.height() < 44 * c_.unit) return;
    const double gap = 8 * c_.unit;
    const QRectF foot = o.turns == 2 ? QRectF(r.left(), r.top() + gap / 2, r.width(), 14 * c_.unit) : QRectF(r.left(), r.bottom() - gap / 2 - 14 * c_.unit, r.width(), 14 * c_.unit);
    c_.text(foot, Qt::AlignCenter | Qt::TextSingleLine, QString::fromStdString(p_.model->name(PlanLayer::racks, o)), c_.font(10), ink);
  }

  const QPixmap* tile_of(quint64 key, const QRectF& r, const PlanObject& o, std::uint32_t i, std::uint8_t role, bool bad) {
    QPixmap& tile = p_.tiles->tiles[key];
    if (!tile.isNull()) return &tile;
    const double ratio = c_.painter->device()->devicePixelRatioF();
    const QSize size(std::max(1, static_cast<int>(std::ceil((r.width() + 2) * ratio))), std::max(1, static_cast<int>(std::ceil((r.height() + 2) * ratio))));
    tile = QPixmap(size);
    tile.setDevicePixelRatio(ratio);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    draw(&painter, QRectF(1, 1, r.width(), r.height()), o, look_of(o, i, role), bad);
    return &tile;
  }

  RackLook look_of(const PlanObject& o, std::uint32_t i, std::uint8_t role) {
    RackLook look;
    bool unknown = false;
    look.fill = fill(o, i, unknown);
    look.hatch = unknown;
    look.border = border_[role];
    if (overlay_ && !unknown) {
      look.ink = letters_on(look.fill);
      if (role == 0) look.border = mixed(look.fill, c_.colors.dark ? QColor(Qt::white) : QColor(0x12314f), 0.35);
      look.label = text_of(overlay_->shown[i]);
      const double digits = static_cast<double>(look.label.size()) * font_size_ * 0.6;
      if (digits > c_.pixels(o.x1 - o.x0)) look.label.clear();
    } else {
      look.ink = role == 0 ? letters_on(look.fill) : (c_.colors.dark ? mixed(border_[role], QColor(Qt::white), 0.35) : mixed(border_[role], QColor(Qt::black), 0.25));
      look.label = letter_[role];
      if (unknown) look.ink = c_.colors.text;
    }
    return look;
  }

  const QString& text_of(double v) {
    const auto key = static_cast<qint64>(std::llround(v * 100));
    QString& s = texts_[key];
    if (s.isNull()) s = short_number(v);
    return s;
  }

  const Canvas& c_;
  const Picture& p_;
  const OverlayValues* overlay_;
  std::array<QColor, 4> soft_, border_;
  std::array<QString, 4> letter_;
  QFont font_;
  double font_size_ = 0;
  QHash<qint64, QString> texts_;
  quint64 last_key_ = 0;
  const QPixmap* last_tile_ = nullptr;
};

/// Words in a box, turned when the box is tall; shortened to fit, left out when too small.
void box_label(const Canvas& c, const QRectF& r, const QString& words, const QColor& ink, double size = 11) {
  const bool tall = r.height() > 1.4 * r.width();
  const double along = (tall ? r.height() : r.width()) - 6 * c.unit, across = tall ? r.width() : r.height();
  const double px = std::min(size, across / c.unit - 3);
  if (px < 6 || along < 14 * c.unit) return;
  const QFont f = c.font(px, false);
  const QString shown = QFontMetricsF(f).elidedText(words, Qt::ElideRight, along);
  if (shown != words && shown.size() < 8) return; // a stump of a name says less than none
  if (!tall) {
    c.text(r, Qt::AlignCenter | Qt::TextSingleLine, shown, f, ink);
  } else if (c.painter) {
    c.painter->save();
    c.painter->translate(r.center());
    c.painter->rotate(-90);
    c.painter->setFont(f);
    c.painter->setPen(ink);
    c.painter->drawText(QRectF(-r.height() / 2, -r.width() / 2, r.height(), r.width()), Qt::AlignCenter | Qt::TextSingleLine, shown);
    c.painter->restore();
  }
}

/// Word for a unit whose name does not fit: what an engineer writes on a plan.
QString short_word(PlanLayer layer, std::uint8_t word) {
  if (layer == PlanLayer::power) switch (static_cast<PowerUnitKind>(word)) {
    case PowerUnitKind::utility_feed: return PlanView::tr("U", "short for a utility feed on the plan");
    case PowerUnitKind::transformer: return PlanView::tr("T", "short for a transformer on the plan");
    case PowerUnitKind::generator: return PlanView::tr("G", "short for a generator on the plan");
    case PowerUnitKind::ups: return PlanView::tr("UPS", "short for an uninterruptible supply on the plan");
    case PowerUnitKind::distribution: return PlanView::tr("PDU", "short for a power distribution unit on the plan");
    case PowerUnitKind::busway: return PlanView::tr("BW", "short for a busway on the plan");
    }
  if (layer == PlanLayer::liquid) switch (static_cast<CoolingUnitKind>(word)) {
    case CoolingUnitKind::cdu: return PlanView::tr("CDU", "short for a coolant distribution unit on the plan");
    case CoolingUnitKind::crah: return PlanView::tr("CRAH", "short for a computer room air handler on the plan");
    case CoolingUnitKind::fan_wall: return PlanView::tr("FW", "short for a fan wall on the plan");
    case CoolingUnitKind::rear_door: return PlanView::tr("RD", "short for a rear door heat exchanger on the plan");
    case CoolingUnitKind::dry_cooler: return PlanView::tr("DC", "short for a dry cooler on the plan");
    case CoolingUnitKind::chiller: return PlanView::tr("CH", "short for a chiller on the plan");
    }
  return {};
}

/// Name of a unit: whole, on two lines, or as the short word of its kind; nothing when even that does not fit.
void unit_label(const Canvas& c, const QRectF& r, const QString& name, const QString& brief, const QColor& ink) {
  const double margin = 6 * c.unit;
  const bool tall = r.height() > 1.4 * r.width();
  const double along = (tall ? r.height() : r.width()) - margin, across = (tall ? r.width() : r.height()) - 3 * c.unit;
  const auto put = [&](const QString& words, const QFont& f, bool turned) {
    if (!turned) {
      c.text(r, Qt::AlignCenter | Qt::TextDontClip, words, f, ink);
    } else if (c.painter) {
      c.painter->save();
      c.painter->translate(r.center());
      c.painter->rotate(-90);
      c.painter->setFont(f);
      c.painter->setPen(ink);
      c.painter->drawText(QRectF(-r.height() / 2, -r.width() / 2, r.height(), r.width()), Qt::AlignCenter | Qt::TextDontClip, words);
      c.painter->restore();
    }
  };
  for (double px : {11.0, 10.0, 9.0}) {
    const QFont f = c.font(px);
    const QFontMetricsF m(f);
    const bool whole = m.ascent() <= across && m.horizontalAdvance(name) <= along;
    if (whole && !tall) {
      put(name, f, false);
      return;
    }
    // Upright on two lines, "Transformer" over "A", before turned words.
    const qsizetype cut = name.lastIndexOf(QLatin1Char(' '));
    if (cut > 0 && 2 * m.height() <= r.height() - 4 * c.unit) {
      const QString upper = name.left(cut), lower = name.mid(cut + 1);
      if (std::max(m.horizontalAdvance(upper), m.horizontalAdvance(lower)) <= r.width() - margin) {
        put(upper + QLatin1Char('\n') + lower, f, false);
        return;
      }
    }
    if (whole) {
      put(name, f, true);
      return;
    }
  }
  if (brief.isEmpty()) return;
  for (double px : {11.0, 10.0, 9.0, 8.0, 7.0}) {
    const QFont f = c.font(px);
    const QFontMetricsF m(f);
    const double w = m.horizontalAdvance(brief);
    if (w <= r.width() - 3 * c.unit && m.ascent() <= r.height() - 2 * c.unit) {
      put(brief, f, false);
      return;
    }
    if (tall && w <= along && m.ascent() <= r.width() - 2 * c.unit) {
      put(brief, f, true);
      return;
    }
  }
}

void paint_unit(const Canvas& c, const Picture& p, PlanLayer layer, const PlanObject& o, const QColor& tint) {
  const bool bad = p.misplaced && p.misplaced->count(o.id);
  const QColor soft = mixed(c.colors.floor, tint, c.colors.dark ? 0.26 : 0.16);
  const QColor ink = c.colors.dark ? mixed(tint, QColor(0xffffff), 0.25) : mixed(tint, QColor(Qt::black), 0.3);
  const QPen pen = c.pen(bad ? c.colors.red : mixed(tint, c.colors.floor, 0.15), bad ? 1.8 : 1, o.known_size ? Qt::SolidLine : Qt::DashLine);
  const bool small = std::min(c.pixels(o.x1 - o.x0), c.pixels(o.y1 - o.y0)) < 4;
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, !small);
  if (o.turns < 0) {
    c.outline(c.polygon(o.corners()), pen, soft);
  } else if (small) {
    QRectF r = c.rect(o.box());
    r.setWidth(std::max(c.unit, r.width()));
    r.setHeight(std::max(c.unit, r.height()));
    c.fill(r, mixed(tint, c.colors.floor, layer == PlanLayer::power && static_cast<PowerUnitKind>(o.word) == PowerUnitKind::busway ? 0.0 : 0.25));
    return;
  } else {
    const QRectF r = c.rect(o.box());
    c.tile(r, std::clamp(std::min(r.width(), r.height()) / c.unit * 0.1, 0.0, 3.0), pen, soft);
  }
  const QRectF r = c.rect(o.box());
  unit_label(c, r, QString::fromStdString(p.model->name(layer, o)), short_word(layer, o.word), ink);
}

void paint_structure(const Canvas& c, const Picture& p, const PlanObject& o) {
  const QColor tint = c.colors.structure;
  const QPolygonF corners = c.polygon(o.corners());
  const QRectF r = c.rect(o.box());
  const double across = std::min(r.width(), r.height()) / c.unit;
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
  const QString name = QString::fromStdString(p.model->name(PlanLayer::structure, o));
  switch (static_cast<StructureKind>(o.word)) {
  case StructureKind::column:
    c.outline(corners, c.pen(mixed(tint, c.colors.text, 0.4), 1), mixed(tint, c.colors.floor, 0.35));
    if (across >= 6) {
      c.line(corners[0], corners[2], c.pen(mixed(tint, c.colors.text, 0.4), 1));
      c.line(corners[1], corners[3], c.pen(mixed(tint, c.colors.text, 0.4), 1));
    }
    break;
  case StructureKind::wall: c.outline(corners, c.pen(c.colors.outline, 1), mixed(c.colors.outline, c.colors.floor, 0.15)); break;
  case StructureKind::door: {
    // The leaf hangs on the left end of the front and swings to the front.
    const QPen thin = c.pen(c.colors.outline, 1);
    c.outline(corners, c.pen(c.colors.outline, 1), c.colors.floor);
    const QPointF hinge = corners[0], end = corners[1], along = end - hinge;
    const QPointF out(along.y(), -along.x());
    const double reach = std::hypot(along.x(), along.y());
    c.line(hinge, hinge + out, c.pen(c.colors.outline, 1.6));
    if (c.paper) c.grow(QRectF(hinge, hinge + out).normalized());
    if (c.painter && reach > 4) {
      const double start = std::atan2(-along.y(), along.x()) * 180 / 3.14159265358979323846;
      c.painter->setPen(c.pen(mixed(c.colors.outline, c.colors.floor, 0.4), 1, Qt::DashLine));
      c.painter->setBrush(Qt::NoBrush);
      c.painter->drawArc(QRectF(hinge.x() - reach, hinge.y() - reach, 2 * reach, 2 * reach), static_cast<int>(start * 16), 90 * 16);
    }
    static_cast<void>(thin);
    break;
  }
  case StructureKind::obstacle:
    c.outline(corners, c.pen(tint, 1), mixed(c.colors.floor, tint, 0.22));
    box_label(c, r, name, c.colors.quiet);
    break;
  case StructureKind::no_go:
    if (o.turns >= 0) {
      c.fill(r, mixed(c.colors.floor, tint, 0.08));
      c.hatch(r, mixed(c.colors.floor, tint, 0.5));
    }
    c.outline(corners, c.pen(tint, 1, Qt::DashLine));
    box_label(c, r, name, c.colors.quiet);
    break;
  case StructureKind::dock: {
    c.outline(corners, c.pen(tint, 1.2), mixed(c.colors.floor, tint, 0.12));
    box_label(c, r, name, c.colors.quiet);
    break;
  }
  }
  if (p.misplaced && p.misplaced->count(o.id)) c.outline(corners, c.pen(c.colors.red, 1.8));
}

} // namespace

void paint_layer(const Canvas& c, const Picture& p, PlanLayer layer) {
  if (layer == PlanLayer::racks) {
    RackPainter(c, p).paint();
    return;
  }
  const std::vector<PlanObject>& objects = p.model->objects(layer);
  // In the order of the table, so that what was drawn later lies above.
  std::vector<std::uint32_t> seen;
  const double reach = layer == PlanLayer::structure ? 2500 : layer == PlanLayer::notes ? 20000 : 0; // door leaves, words of notes
  const QRectF area = p.area.adjusted(-reach, -reach, reach, reach);
  p.model->index(layer).visit(area, [&](std::uint32_t i) {
    if (!(p.gone && p.gone->count(objects[i].id))) seen.push_back(i);
  });
  std::sort(seen.begin(), seen.end());
  for (std::uint32_t i : seen) {
    const PlanObject& o = objects[i];
    switch (layer) {
    case PlanLayer::structure: paint_structure(c, p, o); break;
    case PlanLayer::power: paint_unit(c, p, layer, o, c.colors.power); break;
    case PlanLayer::liquid: paint_unit(c, p, layer, o, c.colors.liquid); break;
    case PlanLayer::notes: {
      const QString words = QString::fromStdString(p.model->name(layer, o));
      const QPointF at = c.point({o.x0, o.y0});
      const double side = 10 * c.unit;
      const QRectF sheet(std::round(at.x()), std::round(at.y()), side, side);
      c.tile(sheet, 2, c.pen(c.colors.amber, 1.2), mixed(c.colors.panel, c.colors.amber, 0.15));
      if (c.pixels(1000) > 12) {
        const QString first = words.section(QLatin1Char('\n'), 0, 0);
        const QFont f = c.font(11);
        const QFontMetricsF m(f);
        const QRectF card(sheet.right() + 2 * c.unit, sheet.center().y() - m.height() / 2 - c.unit, m.horizontalAdvance(first) + 10 * c.unit, m.height() + 2 * c.unit);
        QColor back = c.colors.panel;
        back.setAlpha(225);
        c.tile(card, 3, QPen(Qt::NoPen), back);
        c.text(card, Qt::AlignCenter | Qt::TextSingleLine, first, f, c.colors.text);
      }
      break;
    }
    case PlanLayer::racks: break;
    }
  }
}

void paint_row_names(const Canvas& c, const Picture& p) {
  const Design& design = p.model->design();
  // A row of which parts stand apart is named once, at its start.
  std::vector<RackLine> rows;
  for (const RackLine& l : p.model->lines()) {
    if (!l.row) continue;
    if (!rows.empty()) {
      RackLine& row = rows.back();
      const bool level = l.along_x ? std::min(l.y1, row.y1) > std::max(l.y0, row.y0) : std::min(l.x1, row.x1) > std::max(l.x0, row.x0);
      if (row.row == l.row && row.hall == l.hall && row.turns == l.turns && level) {
        row.x0 = std::min(row.x0, l.x0), row.y0 = std::min(row.y0, l.y0), row.x1 = std::max(row.x1, l.x1), row.y1 = std::max(row.y1, l.y1);
        continue;
      }
    }
    rows.push_back(l);
  }
  std::vector<QRectF> taken; // words already there
  bool aisles_known = false;
  std::size_t own = 0;
  for (const RackLine& l : rows) {
    if (!l.box().adjusted(-6000, -3000, 3000, 3000).intersects(p.area)) continue;
    const double across = c.pixels(l.along_x ? l.y1 - l.y0 : l.x1 - l.x0);
    if (across < 8) continue;
    const Row* row = find(*design.rows, l.row);
    if (!row || row->name.empty()) continue;
    if (!aisles_known) {
      for (const AisleBand& a : p.model->aisles())
        if (a.box.intersects(p.area.adjusted(-8000, -8000, 8000, 8000)))
          if (const AisleLabel label = aisle_label(c, a); !label.words.isEmpty()) taken.push_back(label.box);
      aisles_known = true;
      own = taken.size();
    }
    const QFont f = c.font(std::min(11.0, across * 0.8));
    const QRectF r = c.rect(l.box());
    const QString name = QString::fromStdString(row->name);
    const QSizeF size = size_of_words(c, name, f);
    const HallShape* hall = p.model->hall(l.hall);
    const QRectF floor = hall ? c.rect(hall->box).adjusted(2 * c.unit, 2 * c.unit, -2 * c.unit, -2 * c.unit) : QRectF();
    const auto is_free = [&](const QRectF& box) {
      if (hall && !floor.contains(box)) return false;
      for (const QRectF& t : taken)
        if (t.intersects(box)) return false;
      return !standing_in(c, p, box);
    };
    // Ahead of the row's start, past what stands there; then behind its end; then beside the first rack.
    const double gap = 6 * c.unit, reach = 4000 * c.scale;
    QRectF place;
    const auto ahead = [&]() -> bool {
      double edge = l.along_x ? r.left() : r.top();
      const double start = edge;
      for (int tries = 0; tries < 6 && start - edge <= reach; ++tries) {
        place = l.along_x ? QRectF(QPointF(edge - gap - size.width(), r.center().y() - size.height() / 2), size)
                          : QRectF(QPointF(r.center().x() - size.width() / 2, edge - gap / 2 - size.height()), size);
        // What stands at the row's start need not be as wide as the row: look at the whole width of the words.
        const PlanObject* there = standing_in(c, p, place);
        if (!there) return is_free(place);
        const QRectF box = c.rect(there->box());
        const double next = l.along_x ? box.left() : box.top();
        if (next >= edge) return false;
        edge = next;
      }
      return false;
    };
    bool found = ahead();
    if (!found) {
      const std::array<QPointF, 4> corners =
          l.along_x ? std::array<QPointF, 4>{QPointF(r.right() + gap, r.center().y() - size.height() / 2), QPointF(r.left(), r.top() - 2 * c.unit - size.height()),
                                             QPointF(r.left(), r.bottom() + 2 * c.unit), QPointF(r.right() - size.width(), r.top() - 2 * c.unit - size.height())}
                    : std::array<QPointF, 4>{QPointF(r.center().x() - size.width() / 2, r.bottom() + gap / 2), QPointF(r.left() - gap - size.width(), r.top()),
                                             QPointF(r.right() + gap, r.top()), QPointF(r.left() - gap - size.width(), r.bottom() - size.height())};
      for (const QPointF& corner : corners) {
        place = QRectF(corner, size);
        found = is_free(place);
        if (found) break;
      }
    }
    if (l.along_x && !c.paper && (found ? std::min(place.left(), r.left()) : r.left()) < c.left_edge + 4 && r.right() > c.left_edge + 80 && place.left() < c.left_edge + 4) {
      // The start of the row is out of sight: its name stays at the edge.
      const QRectF pill(c.left_edge + 3, std::round(r.center().y() - size.height() / 2 - 1), size.width() + 8, size.height() + 2);
      bool covered = false; // rows back to back without an aisle, far away
      for (std::size_t i = own; i < taken.size(); ++i) covered = covered || taken[i].intersects(pill.adjusted(0, 2, 0, -2));
      if (covered) continue;
      c.tile(pill, 3, QPen(Qt::NoPen), c.colors.panel);
      c.text(pill, Qt::AlignCenter | Qt::TextSingleLine, name, f, c.colors.quiet);
      taken.push_back(pill);
    } else if (found) {
      c.text(place, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, name, f, c.colors.quiet);
      taken.push_back(place);
    }
  }
}

QString layer_object_kind(PlanLayer layer, std::uint8_t word) {
  const auto at = [word](auto words) {
    return word < std::size(words) ? to_qstring(words[word]) : QString();
  };
  switch (layer) {
  case PlanLayer::structure: return at(std::span(ChoiceWords<StructureKind>::words));
  case PlanLayer::racks: return at(std::span(ChoiceWords<RackRole>::words));
  case PlanLayer::power: return at(std::span(ChoiceWords<PowerUnitKind>::words));
  case PlanLayer::liquid: return at(std::span(ChoiceWords<CoolingUnitKind>::words));
  case PlanLayer::notes: return PlanView::tr("note");
  }
  return {};
}

} // namespace hallwright::plan
