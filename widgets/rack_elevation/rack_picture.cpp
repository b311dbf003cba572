// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rack_elevation/rack_picture.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QCoreApplication>
#include <QFontMetricsF>

#include <fmt/format.h>

#include "space/footprints.h"
#include "widgets/figure_text.h"

namespace hallwright::elevation {
namespace {

constexpr double opening_mm = 482.6; ///< 19 inches: front panels of parts
constexpr double least_letters = 6;  ///< design pixels: smaller ones are not read

QString tr(const char* text) { return QCoreApplication::translate("RackPicture", text); }

double metrics_height(const QFont& font) { return QFontMetricsF(font).height(); }

QString kind_word(RackItemKind kind) {
  switch (kind) {
  case RackItemKind::node:
    return tr("Node");
  case RackItemKind::network_switch:
    return tr("Switch");
  case RackItemKind::storage:
    return tr("Storage");
  case RackItemKind::other:
    return tr("Other part");
  }
  return {};
}

QString mount_word(RackMount mount) {
  switch (mount) {
  case RackMount::full_depth:
    return tr("front and rear");
  case RackMount::front:
    return tr("front only");
  case RackMount::rear:
    return tr("rear only");
  case RackMount::zero_u_left:
    return tr("beside the rails, left");
  case RackMount::zero_u_right:
    return tr("beside the rails, right");
  }
  return {};
}

QColor tint_of(const plan::PlanColors& c, RackItemKind kind) {
  switch (kind) {
  case RackItemKind::node:
    return c.rack_border;
  case RackItemKind::network_switch:
    return c.fabric;
  case RackItemKind::storage:
    return c.storage;
  case RackItemKind::other:
    return c.power;
  }
  return c.structure;
}

/// Figure of one part's power as the load stage names it.
const Figure* power_of(const Evaluation* evaluation, const RackItem& item) {
  if (!evaluation) return nullptr;
  const std::string_view kind = item.kind == RackItemKind::node             ? "node"
                                : item.kind == RackItemKind::network_switch ? "switch"
                                                                            : "storage";
  return evaluation->figures.find(fmt::format("load.part.{}.{}.power", kind, item.part));
}

} // namespace

Picture::Picture(const Design& design, const Shared<Catalog>& catalog, Id rack_type)
    : items_(design.rack_items), catalog_(catalog) {
  const RackType* type = find(*design.rack_types, rack_type);
  if (!type || !catalog) return;
  type_ = rack_type;
  slots_ = rack_slots(*catalog, *type, *design.rack_items);
  const RackPart* part = catalog->find<RackPart>(type->rack_part);
  pitch_mm_ = in_millimeters(rack_unit_pitch(part));
  width_mm_ = std::max(in_millimeters(rack_footprint(*catalog, *type).width), opening_mm + 40);
  if (const Assumption* a = catalog->find<Assumption>("space.rack_first_unit_height"); a && a->value && a->unit == "mm")
    base_mm_ = *a->value;
  const double units_mm = base_mm_ + static_cast<double>(slots_.height()) * half_mm();
  cabinet_mm_ = units_mm + 30;
  if (type->height)
    cabinet_mm_ = std::max(units_mm, in_millimeters(*type->height));
  else if (part && part->height)
    cabinet_mm_ = std::max(units_mm, in_millimeters(*part->height));
  height_mm_ = cabinet_mm_;
  // What reaches above the cabinet is seen there, up to ten units.
  for (const RackSlot& s : slots_.places)
    if (!s.zero_u())
      height_mm_ =
          std::max(height_mm_,
                   base_mm_ + static_cast<double>(std::min(s.highest_half_unit(), slots_.height() + 20)) * half_mm());
}

const RackItem* Picture::item(const RackSlot& slot) const { return items_ ? find(*items_, slot.item) : nullptr; }

QString Picture::name(const RackSlot& slot) const {
  const RackItem* i = item(slot);
  return i ? QString::fromStdString(rack_part_size(*catalog_, i->kind, i->part).name) : QString();
}

QString Picture::range(Count lowest, Count half_units, bool numbers_from_top) const {
  if (!numbers_from_top) return QString::fromStdString(half_unit_range(lowest, half_units));
  const Count highest = lowest + half_units - 1, units = slots_.height() / 2;
  // Halves have no name that counts from the top.
  if (lowest % 2 == 0 || highest % 2 != 0 || highest > slots_.height())
    return tr("%1 from the floor").arg(QString::fromStdString(half_unit_range(lowest, half_units)));
  const Count first = units + 1 - highest / 2, last = units - lowest / 2;
  return first == last ? QStringLiteral("U%1").arg(first) : tr("U%1 to U%2").arg(first).arg(last);
}

QString Picture::words(const RackSlot& slot, const Evaluation* evaluation, bool numbers_from_top) const {
  const RackItem* i = item(slot);
  if (!i) return {};
  QStringList out{QStringLiteral("%1 %2").arg(kind_word(i->kind), name(slot))};
  if (!slot.zero_u())
    out << (slot.height_known
                ? QStringLiteral("%1U").arg(screen_number(static_cast<double>(slot.half_units) / 2.0, 'g', 6))
                : tr("height not known"))
        << range(slot.lowest_half_unit, slot.half_units, numbers_from_top);
  out << mount_word(i->mount);
  if (i->count > 1) out << tr("%1 of %2 in its stack").arg(slot.nth + 1).arg(i->count);
  if (evaluation) {
    if (const Figure* m = evaluation->figures.find(fmt::format("space.rack_item.{}.mass", i->id)); m && i->count > 0)
      out << (m->has_value() ? screen_text(m->value / static_cast<double>(i->count), kind::mass)
                             : tr("mass not known"));
    if (const Figure* p = power_of(evaluation, *i)) out << (p->has_value() ? screen_text(*p) : tr("power not known"));
  }
  if (slot.overlaps) out << tr("shares a unit with another part");
  if (slot.overflows) out << tr("above the units of the cabinet");
  return out.join(QStringLiteral(", "));
}

QFont Picture::sized(double design_pixels, bool bold) const {
  QFont f = font_;
  f.setPixelSize(std::max(1, static_cast<int>(std::lround(design_pixels * unit_))));
  f.setBold(bold);
  return f;
}

void Picture::arrange(double pixels_per_mm, const QPointF& origin, const QFont& font, double unit) {
  scale_ = pixels_per_mm;
  origin_ = origin;
  font_ = font;
  unit_ = unit;
  const QFontMetricsF m(font);
  head_ = std::ceil(m.height() * 1.5);
  numbers_ = std::ceil(m.horizontalAdvance(QStringLiteral("00")) + 8 * unit);
  gutter_ = std::ceil(m.horizontalAdvance(QStringLiteral("0 000 mm")) + 12 * unit);
  size_ = {2 * (numbers_ + width_mm_ * scale_) + gutter_, head_ + height_mm_ * scale_ + 2 * unit};
}

double Picture::scale_for_height(double height, const QFont& font, double unit) const {
  return std::max(0.02, (height - std::ceil(metrics_height(font) * 1.5) - 2 * unit) / height_mm_);
}
double Picture::least_scale(const QFont& font) const { return metrics_height(font) * 0.72 / pitch_mm_; }

QRectF Picture::cabinet(Face face) const {
  const double w = width_mm_ * scale_;
  const double x = origin_.x() + numbers_ + (face == Face::rear ? w + gutter_ + numbers_ : 0);
  return {QPointF(x, y(cabinet_mm_)), QPointF(x + w, y(0))};
}

QRectF Picture::rails(Face face) const {
  const QRectF box = cabinet(face);
  const double w = opening_mm * scale_;
  return {QPointF(box.center().x() - w / 2, y(base_mm_ + static_cast<double>(slots_.height()) * half_mm())),
          QPointF(box.center().x() + w / 2, y(base_mm_))};
}

QRectF Picture::strip(Face face, RackMount mount) const {
  const QRectF box = cabinet(face), between = rails(face);
  // Left and right are meant from the front: the rear shows them the other way round.
  const bool left = (mount == RackMount::zero_u_left) == (face == Face::front);
  const double inset = 2 * unit_;
  return left ? QRectF(QPointF(box.left() + inset, between.top()), QPointF(between.left() - inset, between.bottom()))
              : QRectF(QPointF(between.right() + inset, between.top()), QPointF(box.right() - inset, between.bottom()));
}

QRectF Picture::rect(Face face, const RackSlot& slot) const {
  const QRectF between = rails(face);
  if (slot.zero_u()) {
    // All parts of one strip share it, from below.
    std::size_t all = 0, place = 0;
    for (const RackSlot& s : slots_.places) {
      if (s.mount != slot.mount) continue;
      if (s.item == slot.item && s.nth == slot.nth) place = all;
      ++all;
    }
    const QRectF whole = strip(face, slot.mount);
    const double each = whole.height() / static_cast<double>(std::max<std::size_t>(1, all));
    return QRectF(whole.left(), whole.bottom() - each * static_cast<double>(place + 1), whole.width(), each)
        .adjusted(0, unit_, 0, -unit_);
  }
  double width = between.width();
  if (const RackItem* i = item(slot)) {
    const RackPartSize size = rack_part_size(*catalog_, i->kind, i->part);
    if (size.width) width = std::min(in_millimeters(*size.width), width_mm_) * scale_;
  }
  const double bottom = y(base_mm_ + static_cast<double>(slot.lowest_half_unit - 1) * half_mm());
  const double top = y(base_mm_ + static_cast<double>(slot.highest_half_unit()) * half_mm());
  return {QPointF(between.center().x() - width / 2, top), QPointF(between.center().x() + width / 2, bottom)};
}

std::optional<Spot> Picture::spot(const QPointF& at) const {
  for (const Face face : {Face::front, Face::rear}) {
    const QRectF box = cabinet(face);
    if (at.x() < box.left() || at.x() > box.right()) continue;
    Spot out;
    out.face = face;
    out.halves = (y(base_mm_) - at.y()) / (half_mm() * scale_);
    const QRectF between = rails(face);
    if (at.x() < between.left()) out.strip = face == Face::front ? RackMount::zero_u_left : RackMount::zero_u_right;
    if (at.x() > between.right()) out.strip = face == Face::front ? RackMount::zero_u_right : RackMount::zero_u_left;
    return out;
  }
  return std::nullopt;
}

std::optional<std::size_t> Picture::slot_at(const QPointF& at) const {
  for (const bool seen : {true, false}) // what stands on the far side lies behind
    for (std::size_t i = slots_.places.size(); i-- > 0;)
      for (const Face face : {Face::front, Face::rear}) {
        const RackSlot& s = slots_.places[i];
        const bool here = s.zero_u() || (face == Face::front ? s.front() : s.rear());
        if (here == seen && rect(face, s).contains(at)) return i;
      }
  return std::nullopt;
}

void Picture::paint(QPainter& p, const plan::PlanColors& c, const Evaluation* evaluation, const Marks& marks,
                    bool numbers_from_top) const {
  if (empty()) return;
  p.save();
  for (const Face face : {Face::front, Face::rear})
    paint_face(p, c, evaluation, marks, numbers_from_top, face);
  paint_gravity(p, c, evaluation);
  p.restore();
}

void Picture::paint_face(QPainter& p, const plan::PlanColors& c, const Evaluation* evaluation, const Marks& marks,
                         bool numbers_from_top, Face face) const {
  const QRectF box = cabinet(face), between = rails(face);
  p.setFont(sized(QFontInfo(font_).pixelSize() / unit_, true));
  p.setPen(c.text);
  p.drawText(QRectF(box.left(), origin_.y(), box.width(), head_ * 0.9), Qt::AlignHCenter | Qt::AlignVCenter,
             face == Face::front ? tr("Front") : tr("Rear"));

  p.setPen(QPen(c.outline, 1.4 * unit_));
  p.setBrush(plan::mixed(c.floor, c.structure, c.dark ? 0.12 : 0.07));
  p.drawRect(box);
  p.fillRect(between, c.floor);

  // Half units, whole units and their numbers.
  const Count height = slots_.height();
  const double unit_px = pitch_mm_ * scale_;
  const double line = std::max(1.0, unit_ * 0.6);
  for (Count h = 0; h <= height; ++h) {
    const bool whole = h % 2 == 0;
    if (!whole && unit_px < 9 * unit_) continue;
    const double at = std::round(y(base_mm_ + static_cast<double>(h) * half_mm()));
    p.fillRect(QRectF(between.left(), at - line / 2, between.width(), line), whole ? c.grid_major : c.grid);
  }
  const double number_size = std::min(QFontInfo(font_).pixelSize() / unit_ * 0.85, unit_px / unit_ * 0.9);
  const int step = number_size >= 7 ? 1 : number_size >= 3.5 ? 2 : 4;
  const double number_px = std::max(number_size, std::min(7.5, number_size * step));
  p.setFont(sized(number_px));
  p.setPen(c.quiet);
  const Count units = height / 2;
  for (Count u = 1; u <= units; ++u) {
    const Count shown = numbers_from_top ? units + 1 - u : u;
    if (step > 1 && shown % step != 0 && shown != 1) continue;
    const double bottom = y(base_mm_ + static_cast<double>(u - 1) * pitch_mm_),
                 top = y(base_mm_ + static_cast<double>(u) * pitch_mm_);
    const double middle = (bottom + top) / 2, half = std::max(number_px * unit_, bottom - top);
    p.drawText(QRectF(box.left() - numbers_, middle - half, numbers_ - 4 * unit_, 2 * half),
               Qt::AlignRight | Qt::AlignVCenter, QString::number(shown));
  }

  // The far side first, so that nothing seen is covered by it.
  for (const bool seen : {false, true})
    for (const RackSlot& s : slots_.places) {
      const bool here = s.zero_u() || (face == Face::front ? s.front() : s.rear());
      if (here == seen) paint_slot(p, c, evaluation, marks, face, s, numbers_from_top);
    }
  paint_stacks(p, c, face);
  if (marks.landing) {
    const RackSlot& s = *marks.landing;
    const bool here = s.zero_u() || (face == Face::front ? s.front() : s.rear());
    if (!here) return;
    const QRectF r = s.zero_u() ? strip(face, s.mount) : rect(face, s);
    QColor fill = marks.landing_refused ? c.red : c.accent;
    const QColor edge = fill;
    fill.setAlphaF(0.22f);
    p.setPen(QPen(edge, 2 * unit_, Qt::DashLine));
    p.setBrush(fill);
    p.drawRect(r.adjusted(unit_, unit_, -unit_, -unit_));
  }
}

/// Where single units are too low for letters, equal ones on top of each other bear their name once: "18 x GB200 tray".
void Picture::paint_stacks(QPainter& p, const plan::PlanColors& c, Face face) const {
  struct Stack {
    QRectF box;
    const RackSlot* slot = nullptr;
    int count = 0;
    bool low = true;
  };
  std::map<Id, Stack> stacks;
  for (const RackSlot& s : slots_.places) {
    if (s.zero_u() || !(face == Face::front ? s.front() : s.rear())) continue;
    const QRectF r = rect(face, s);
    Stack& stack = stacks[s.item];
    stack.box = stack.box.united(r);
    stack.slot = &s;
    ++stack.count;
    stack.low = stack.low && (r.height() - unit_) / unit_ * 0.82 < least_letters;
  }
  const double base = QFontInfo(font_).pixelSize() / unit_ * 0.85;
  p.setFont(sized(base));
  const QFontMetricsF m(p.font());
  for (const auto& [id, stack] : stacks) {
    if (!stack.low || stack.box.height() < m.height()) continue;
    const QString whole = stack.count > 1 ? tr("%1 \u00d7 %2").arg(stack.count).arg(name(*stack.slot))
                                          : name(*stack.slot);
    const QString words = m.elidedText(whole, Qt::ElideRight, stack.box.width() - 6 * unit_);
    const double w = m.horizontalAdvance(words) + 6 * unit_, h = m.height();
    const QRectF patch(stack.box.center().x() - w / 2, stack.box.center().y() - h / 2, w, h);
    p.setPen(Qt::NoPen);
    p.setBrush(c.floor);
    p.drawRoundedRect(patch, 2 * unit_, 2 * unit_);
    p.setPen(c.text);
    p.drawText(patch, Qt::AlignCenter, words);
  }
}

void Picture::paint_slot(QPainter& p, const plan::PlanColors& c, const Evaluation* evaluation, const Marks& marks,
                         Face face, const RackSlot& slot, bool numbers_from_top) const {
  const RackItem* i = item(slot);
  if (!i) return;
  const QRectF r = rect(face, slot).adjusted(0.5 * unit_, 0.5 * unit_, -0.5 * unit_, -0.5 * unit_);
  const bool here = slot.zero_u() || (face == Face::front ? slot.front() : slot.rear());
  const QColor tint = tint_of(c, i->kind);
  const bool wrong = slot.overlaps || slot.overflows;
  const bool selected = marks.item == slot.item && (!marks.nth || *marks.nth == slot.nth);
  QColor fill = i->kind == RackItemKind::node ? c.rack : plan::mixed(c.floor, tint, c.dark ? 0.34 : 0.24);
  if (!here) fill = c.floor;
  if (face == Face::rear && here) fill = plan::mixed(fill, c.floor, 0.35);
  p.setPen(QPen(here ? tint : plan::mixed(tint, c.floor, 0.35), unit_,
                (slot.height_known || slot.zero_u()) && here ? Qt::SolidLine : Qt::DashLine));
  p.setBrush(fill);
  p.drawRect(r);
  const auto hatch = [&](const QColor& color, double gap) {
    p.save();
    p.setClipRect(r, Qt::IntersectClip);
    p.setPen(QPen(color, unit_));
    for (double x = r.left() - r.height(); x < r.right(); x += gap * unit_)
      p.drawLine(QPointF(x, r.bottom()), QPointF(x + r.height(), r.top()));
    p.restore();
  };
  if (!here) hatch(plan::mixed(c.floor, tint, 0.4), 6);
  if (wrong) {
    hatch(plan::mixed(fill, c.red, 0.5), 8);
    p.setPen(QPen(c.red, 2 * unit_));
    p.setBrush(Qt::NoBrush);
    p.drawRect(r.adjusted(unit_, unit_, -unit_, -unit_));
  }
  if (selected) {
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(c.accent, 2.4 * unit_, marks.focus ? Qt::SolidLine : Qt::DotLine));
    p.drawRect(r.adjusted(unit_, unit_, -unit_, -unit_));
  }
  const QColor ink = here ? plan::letters_on(fill) : c.quiet;
  const QString text = here           ? name(slot)
                       : slot.front() ? tr("%1 (front)").arg(name(slot))
                                      : tr("%1 (rear)").arg(name(slot));
  const double base = QFontInfo(font_).pixelSize() / unit_;
  if (slot.zero_u()) {
    const double size = std::min(base * 0.9, r.width() / unit_ * 0.8);
    if (size < 6) return;
    p.save();
    p.translate(r.center());
    p.rotate(-90);
    p.setFont(sized(size));
    p.setPen(ink);
    const QRectF along(-r.height() / 2 + 3 * unit_, -r.width() / 2, r.height() - 6 * unit_, r.width());
    p.drawText(along, Qt::AlignCenter, QFontMetricsF(p.font()).elidedText(text, Qt::ElideRight, along.width()));
    p.restore();
    return;
  }
  const double size = std::min(base, r.height() / unit_ * 0.82);
  if (size < least_letters) return; // `paint_stacks` names them together
  p.setFont(sized(size));
  const QFontMetricsF m(p.font());
  const QRectF inner = r.adjusted(5 * unit_, 0, -5 * unit_, 0);
  const bool two_lines = here && r.height() > m.height() * 2.3;
  p.setPen(ink);
  if (!here) { // letters stay readable over the hatch
    const double w = std::min(m.horizontalAdvance(text), inner.width());
    p.fillRect(QRectF(inner.center().x() - w / 2 - 3 * unit_, r.center().y() - m.height() * 0.42, w + 6 * unit_,
                      m.height() * 0.84),
               c.floor);
  }
  const QRectF first = two_lines ? QRectF(inner.left(), r.center().y() - m.height(), inner.width(), m.height()) : inner;
  p.drawText(first, Qt::AlignCenter, m.elidedText(text, Qt::ElideRight, inner.width()));
  if (!two_lines) return;
  QString second = range(slot.lowest_half_unit, slot.half_units, numbers_from_top);
  if (!slot.height_known) second = tr("height not known");
  const QFont small = sized(size * 0.88);
  if (const Figure* power = power_of(evaluation, *i); power && power->has_value()) {
    const QString with_power = second + QStringLiteral(" \u00b7 ") + screen_text(*power);
    if (QFontMetricsF(small).horizontalAdvance(with_power) <= inner.width()) second = with_power;
  }
  p.setFont(small);
  p.setPen(plan::mixed(ink, fill, 0.25));
  p.drawText(QRectF(inner.left(), r.center().y(), inner.width(), m.height()), Qt::AlignCenter,
             QFontMetricsF(p.font()).elidedText(second, Qt::ElideRight, inner.width()));
}

void Picture::paint_gravity(QPainter& p, const plan::PlanColors& c, const Evaluation* evaluation) const {
  const Figure* centre =
      evaluation ? evaluation->figures.find(fmt::format("space.rack_type.{}.centre_of_gravity_height", type_))
                 : nullptr;
  if (!centre || !centre->has_value()) return;
  const QRectF front = cabinet(Face::front);
  const double left = front.right(), x = left + gutter_ / 2, radius = 6 * unit_;
  const bool high = centre->status == Status::over_limit;
  const QColor ink = high ? c.amber : c.text;
  if (const Figure* half = evaluation->figures.at(centre->limit); half && half->has_value()) {
    const double at = y(half->value * 1e3);
    p.setPen(QPen(c.quiet, unit_, Qt::DotLine));
    p.drawLine(QPointF(left + 3 * unit_, at), QPointF(left + gutter_ - 3 * unit_, at));
    p.setFont(sized(QFontInfo(font_).pixelSize() / unit_ * 0.8));
    p.setPen(c.quiet);
    const double h = metrics_height(p.font());
    // Above the line, or below where the mark stands above it.
    const double text_y = std::abs(at - y(centre->value * 1e3)) < 3 * h && high ? at + unit_ : at - h - unit_;
    p.drawText(QRectF(left, text_y, gutter_, h), Qt::AlignCenter, tr("half height"));
  }
  const double at = y(centre->value * 1e3);
  p.setPen(QPen(ink, 1.4 * unit_));
  p.setBrush(c.panel);
  p.drawEllipse(QPointF(x, at), radius, radius);
  p.setPen(Qt::NoPen);
  p.setBrush(ink);
  const QRectF circle(x - radius, at - radius, 2 * radius, 2 * radius);
  p.drawPie(circle, 0, 90 * 16);
  p.drawPie(circle, 180 * 16, 90 * 16);
  p.setFont(sized(QFontInfo(font_).pixelSize() / unit_ * 0.9));
  p.setPen(ink);
  const double h = metrics_height(p.font());
  const QString text = screen_text(centre->value, kind::length, 3, "mm");
  p.drawText(QRectF(left, at + radius + unit_, gutter_, h), Qt::AlignCenter, text);
}

} // namespace hallwright::elevation
