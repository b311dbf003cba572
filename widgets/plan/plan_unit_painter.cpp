// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>

#include <QFontMetricsF>

#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_painter.h"

/// Units of power and cooling, and structures, with the words on them.

namespace hallwright::plan {

namespace {

/// Words in a box, turned when the box is tall; shortened to fit, left out when too small.
void box_label(const Canvas& c, const QRectF& r, const QString& words, const QColor& ink, double size = 11) {
  const bool tall = r.height() > 1.4 * r.width();
  const double along = (tall ? r.height() : r.width()) - 6 * c.unit, across = tall ? r.width() : r.height();
  const double px = std::min(size, across / c.unit - 3);
  if (px < 6 || along < 14 * c.unit) return;
  const QFont f = c.font(px, false);
  QString shown = words;
  if (c.size_of(words, f).width > along) {
    shown = QFontMetricsF(f).elidedText(words, Qt::ElideRight, along);
    if (shown != words && shown.size() < 8) return; // a stump of a name says less than none
  }
  if (tall)
    c.text_turned(r, Qt::AlignHCenter, shown, f, ink);
  else
    c.text(r, Qt::AlignCenter | Qt::TextSingleLine, shown, f, ink);
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
    case PowerUnitKind::switchgear: return PlanView::tr("SG", "short for switchgear on the plan");
    case PowerUnitKind::static_switch: return PlanView::tr("STS", "short for a static transfer switch on the plan");
    case PowerUnitKind::rectifier: return PlanView::tr("RECT", "short for a rectifier on the plan");
    }
  if (layer == PlanLayer::liquid) switch (static_cast<CoolingUnitKind>(word)) {
    case CoolingUnitKind::cdu: return PlanView::tr("CDU", "short for a coolant distribution unit on the plan");
    case CoolingUnitKind::crah: return PlanView::tr("CRAH", "short for a computer room air handler on the plan");
    case CoolingUnitKind::fan_wall: return PlanView::tr("FW", "short for a fan wall on the plan");
    case CoolingUnitKind::rear_door: return PlanView::tr("RD", "short for a rear door heat exchanger on the plan");
    case CoolingUnitKind::dry_cooler: return PlanView::tr("DC", "short for a dry cooler on the plan");
    case CoolingUnitKind::chiller: return PlanView::tr("CH", "short for a chiller on the plan");
    case CoolingUnitKind::cooling_tower: return PlanView::tr("CT", "short for a cooling tower on the plan");
    }
  return {};
}

/// Words in lines of at most this width; empty where one of them is wider.
QStringList in_lines(const Canvas& c, const QString& words, const QFont& f, double width) {
  QStringList lines;
  for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    if (c.size_of(word, f).width > width) return {};
    const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
    if (!lines.isEmpty() && c.size_of(longer, f).width <= width)
      lines.back() = longer;
    else
      lines << word;
  }
  return lines;
}

/// "Busway A, R01 left" with the short word of its kind: "BW A, R01 left".
QString shortened(const QString& name, const QString& kind, const QString& brief) {
  if (brief.isEmpty() || kind.isEmpty() || !name.startsWith(kind, Qt::CaseInsensitive)) return {};
  const QString rest = name.mid(kind.size());
  return rest.startsWith(QLatin1Char(' ')) ? brief + rest : QString();
}

/// Name of a unit: whole, in lines, with the short word of its kind, or that word alone; nothing when even that does
/// not fit. Units of a kind are told apart as long as there is room.
void unit_label(const Canvas& c, const QRectF& r, const QString& name, const QString& kind, const QString& brief,
                const QColor& ink) {
  if (std::min(r.width(), r.height()) < 8 * c.unit) return; // less than the smallest letters need
  const double margin = 6 * c.unit;
  const bool tall = r.height() > 1.4 * r.width();
  const double along = (tall ? r.height() : r.width()) - margin, across = (tall ? r.width() : r.height()) - 3 * c.unit;
  const auto put = [&](const QString& words, const QFont& f, bool turned) {
    if (turned)
      c.text_turned(r, Qt::AlignHCenter, words, f, ink);
    else
      c.text(r, Qt::AlignCenter | Qt::TextDontClip, words, f, ink);
  };
  for (double px : {11.0, 10.0, 9.0}) {
    const QFont f = c.font(px);
    const WordSize size = c.size_of(name, f);
    const bool whole = size.ascent <= across && size.width <= along;
    if (whole && !tall) {
      put(name, f, false);
      return;
    }
    // Upright on two lines, "Transformer" over "A", before turned words.
    const qsizetype cut = name.lastIndexOf(QLatin1Char(' '));
    if (cut > 0 && 2 * size.height <= r.height() - 4 * c.unit) {
      const QString upper = name.left(cut), lower = name.mid(cut + 1);
      if (std::max(c.size_of(upper, f).width, c.size_of(lower, f).width) <= r.width() - margin) {
        c.text(QRectF(r.left(), r.center().y() - size.height, r.width(), size.height), Qt::AlignCenter | Qt::TextDontClip, upper, f, ink);
        c.text(QRectF(r.left(), r.center().y(), r.width(), size.height), Qt::AlignCenter | Qt::TextDontClip, lower, f, ink);
        return;
      }
    }
    if (whole) {
      put(name, f, true);
      return;
    }
  }
  const QString brief_name = shortened(name, kind, brief);
  for (const QString& words : {name, brief_name}) {
    if (words.isEmpty()) continue;
    for (double px : {10.0, 9.0, 8.0, 7.0}) {
      const QFont f = c.font(px);
      const QStringList lines = in_lines(c, words, f, r.width() - 3 * c.unit);
      const double high = c.size_of(words, f).height * 0.86;
      if (lines.isEmpty() || high * static_cast<double>(lines.size()) > r.height() - 2 * c.unit) continue;
      double top = r.center().y() - high * static_cast<double>(lines.size()) / 2;
      for (const QString& line : lines) {
        c.text(QRectF(r.left(), top, r.width(), high), Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, line, f,
               ink);
        top += high;
      }
      return;
    }
  }
  if (brief.isEmpty()) return;
  for (double px : {11.0, 10.0, 9.0, 8.0, 7.0}) {
    const QFont f = c.font(px);
    const WordSize size = c.size_of(brief, f);
    if (size.width <= r.width() - 3 * c.unit && size.ascent <= r.height() - 2 * c.unit) {
      put(brief, f, false);
      return;
    }
    if (tall && size.width <= along && size.ascent <= r.width() - 2 * c.unit) {
      put(brief, f, true);
      return;
    }
  }
}

} // namespace

Tint unit_tint(const PlanColors& colors, PlanLayer layer) {
  const QColor tint = layer == PlanLayer::power ? colors.power : colors.liquid;
  return {mixed(tint, colors.floor, 0.15), mixed(colors.floor, tint, colors.dark ? 0.26 : 0.16)};
}

bool is_overhead(const Picture& p, PlanLayer layer, const PlanObject& o) {
  if (layer != PlanLayer::power || static_cast<PowerUnitKind>(o.word) != PowerUnitKind::busway) return false;
  const std::optional<Length>& elevation = (*p.model->design().power_units)[o.index].elevation;
  return elevation && in_millimeters(*elevation) > 0;
}

void paint_overhead(const Canvas& c, const Picture& p, const PlanObject& o) {
  const bool bad = p.misplaced && p.misplaced->count(o.id);
  const QColor line = bad ? c.colors.red : c.colors.power;
  const QRectF r = c.rect(o.box());
  if (std::min(r.width(), r.height()) < 3 * c.unit) { // from afar one line
    const bool along_x = r.width() >= r.height();
    if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, o.turns < 0);
    if (o.turns < 0)
      c.line(c.point(o.from_own({0, o.depth / 2})), c.point(o.from_own({o.width, o.depth / 2})), c.pen(line, 1.2));
    else
      c.line(along_x ? QPointF(r.left(), r.center().y()) : QPointF(r.center().x(), r.top()),
             along_x ? QPointF(r.right(), r.center().y()) : QPointF(r.center().x(), r.bottom()), c.pen(line, 1.2));
    return;
  }
  if (c.painter) c.painter->setRenderHint(QPainter::Antialiasing, true);
  QColor wash = line;
  wash.setAlpha(c.colors.dark ? 40 : 26);
  c.outline(c.polygon(o.corners()), c.pen(line, bad ? 1.8 : 1.3, Qt::DashLine), wash);
  paint_taps(c, p, o);
}

void paint_taps(const Canvas& c, const Picture& p, const PlanObject& o) {
  const double across = std::min(o.width, o.depth);
  if (!c.painter || c.pixels(1000) < 14) return;
  const double r = std::clamp(across * c.scale * 0.32, 1.6 * c.unit, 4.5 * c.unit);
  const bool long_width = o.width >= o.depth;
  c.painter->setPen(Qt::NoPen);
  c.painter->setBrush(mixed(c.colors.power, c.colors.text, 0.25));
  for (const PlanModel::Tap& tap : p.model->taps(o.id)) {
    const PlanObject& object = p.model->objects(PlanLayer::racks)[tap.rack];
    const Rack& rack = (*p.model->design().racks)[object.index];
    const std::optional<Length>& stated = tap.second ? rack.tap_b : rack.tap_a;
    const QPointF own = o.to_own(object.center());
    const double longest = long_width ? o.width : o.depth;
    const double along = std::clamp(stated ? in_millimeters(*stated) : long_width ? own.x() : own.y(), 0.0, longest);
    const QPointF at = long_width ? QPointF(along, o.depth / 2) : QPointF(o.width / 2, along);
    c.painter->drawEllipse(c.point(o.from_own(at)), r, r);
  }
}

void paint_unit(const Canvas& c, const Picture& p, PlanLayer layer, const PlanObject& o, const QColor& tint) {
  const bool bad = p.misplaced && p.misplaced->count(o.id);
  const Tint look = unit_tint(c.colors, layer);
  const QColor& soft = look.fill;
  const QColor ink = c.colors.dark ? mixed(tint, QColor(0xffffff), 0.25) : mixed(tint, QColor(Qt::black), 0.3);
  const QPen pen = c.pen(bad ? c.colors.red : look.line, bad ? 1.8 : 1, o.known_size ? Qt::SolidLine : Qt::DashLine);
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
    const double radius = std::clamp(std::min(r.width(), r.height()) / c.unit * 0.1, 0.0, 3.0);
    if (p.tiles && c.painter && TileStore::suits(r)) {
      const TileKey key{TileStore::shape(r), TileKey::unit | static_cast<quint64>(layer) << 4 | static_cast<quint64>(bad) << 8 | static_cast<quint64>(o.known_size) << 9};
      const QPixmap& picture = p.tiles->tile(key, r, [&](QPainter* painter, const QRectF& at) {
        Canvas own = c;
        own.painter = painter;
        own.tile(at, radius, pen, soft);
      });
      c.painter->drawPixmap(r.topLeft() - QPointF(1, 1), picture);
    } else {
      c.tile(r, radius, pen, soft);
    }
  }
  const QRectF r = c.rect(o.box());
  unit_label(c, r, QString::fromStdString(p.model->name(layer, o)), layer_object_kind(layer, o.word),
             short_word(layer, o.word), ink);
}

namespace {

/// The opening with its leaf. Seen from the side to which it swings, the front of the door runs from right to left on the
/// plan: the left end is the second corner.
void paint_door(const Canvas& c, const PlanObject& o, DoorSwing swing) {
  const QPolygonF corners = c.polygon(o.corners());
  c.outline(corners, c.pen(c.colors.outline, 1), c.colors.floor);
  const QPointF front = c.point(o.from_own({0, 0})), other = c.point(o.from_own({o.width, 0}));
  const QPointF along = other - front;
  const double width = std::hypot(along.x(), along.y());
  if (width < 4 * c.unit) return;
  const QPointF out = QPointF(along.y(), -along.x()) / width; // to the front
  if (swing == DoorSwing::sliding) {
    // The leaf stands beside its opening, with an arrow.
    const QPointF step = out * (3 * c.unit);
    c.line(front + step + along * 0.45, front + step + along * 1.0, c.pen(c.colors.outline, 1.8));
    c.line(front + step + along * 0.4, front + step + along * 0.1, c.pen(mixed(c.colors.outline, c.colors.floor, 0.4), 1));
    return;
  }
  const auto leaf = [&](const QPointF& hinge, const QPointF& towards, double reach) {
    const QPointF end = hinge + out * reach;
    c.line(hinge, end, c.pen(c.colors.outline, 1.6));
    if (c.paper) c.grow(QRectF(hinge, end).normalized());
    if (!c.painter) return;
    const QPointF d = towards - hinge;
    const double from = std::atan2(-d.y(), d.x()) * 57.29577951308232, to = std::atan2(-out.y(), out.x()) * 57.29577951308232;
    const double span = std::remainder(to - from, 360.0);
    c.painter->setPen(c.pen(mixed(c.colors.outline, c.colors.floor, 0.4), 1, Qt::DashLine));
    c.painter->setBrush(Qt::NoBrush);
    c.painter->drawArc(QRectF(hinge.x() - reach, hinge.y() - reach, 2 * reach, 2 * reach), static_cast<int>(std::lround(from * 16)), static_cast<int>(std::lround(span * 16)));
  };
  if (swing == DoorSwing::left) leaf(other, front, width);
  if (swing == DoorSwing::right) leaf(front, other, width);
  if (swing == DoorSwing::both) {
    leaf(front, other, width / 2);
    leaf(other, front, width / 2);
  }
}

} // namespace

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
  case StructureKind::door: paint_door(c, o, (*p.model->design().structures)[o.index].swing); break;
  case StructureKind::ramp: {
    c.outline(corners, c.pen(tint, 1.2), mixed(c.colors.floor, tint, 0.1));
    // The arrow points up the slope, to the front, as on an architect's plan.
    const QPointF foot = c.point(o.from_own({o.width / 2, o.depth * 0.88})), top = c.point(o.from_own({o.width / 2, o.depth * 0.12})), up = top - foot;
    const double length = std::hypot(up.x(), up.y());
    if (length > 14 * c.unit) {
      const QPointF u = up / length * (6 * c.unit), n(-u.y(), u.x());
      c.line(foot, top, c.pen(mixed(tint, c.colors.text, 0.3), 1.2));
      c.outline(QPolygonF{top - u + n * 0.7, top, top - u - n * 0.7}, c.pen(mixed(tint, c.colors.text, 0.3), 1.2), Qt::NoBrush, false);
    }
    const Structure& ramp = (*p.model->design().structures)[o.index];
    QString words = name;
    if (ramp.rise) words += QStringLiteral("  ") + level_text(in_millimeters(*ramp.rise));
    box_label(c, r, words, c.colors.quiet);
    break;
  }
  case StructureKind::lift:
    c.outline(corners, c.pen(mixed(tint, c.colors.text, 0.3), 1.4), mixed(c.colors.floor, tint, 0.1));
    if (across >= 10) {
      const QPen thin = c.pen(mixed(tint, c.colors.floor, 0.35), 1);
      c.line(corners[0], corners[2], thin);
      c.line(corners[1], corners[3], thin);
    }
    box_label(c, r, name, c.colors.text);
    break;
  case StructureKind::spreader:
    c.outline(corners, c.pen(mixed(tint, c.colors.text, 0.3), 1, Qt::DashDotLine), mixed(c.colors.floor, tint, 0.08));
    if (o.turns >= 0 && across >= 8) c.hatch(r, mixed(c.colors.floor, tint, 0.22));
    box_label(c, r, name, c.colors.quiet);
    break;
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

} // namespace hallwright::plan
