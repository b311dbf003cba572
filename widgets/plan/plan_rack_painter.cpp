// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "widgets/plan/plan_painter.h"

/// The layer of racks: blocks from afar, tiles with their front, value and name nearby.

namespace hallwright::plan {

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

} // namespace

Tint rack_tint(const PlanColors& colors, std::uint8_t role) {
  const QColor tint = role_color(colors, role);
  if (static_cast<RackRole>(role) == RackRole::compute) return {tint, colors.rack};
  return {mixed(tint, colors.floor, 0.2), mixed(colors.floor, tint, colors.dark ? 0.28 : 0.16)};
}

namespace {

class RackPainter {
public:
  RackPainter(const Canvas& c, const Picture& p) : c_(c), p_(p), overlay_(p.overlay && p.overlay->overlay != Overlay::none ? p.overlay : nullptr) {
    for (std::uint8_t role = 0; role < 4; ++role) {
      const Tint tint = rack_tint(c.colors, role);
      border_[role] = tint.line;
      soft_[role] = tint.fill;
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
    font_size_ = std::min(11.0, small * 0.62);
    font_ = c_.font(font_size_);
    p_.model->index(PlanLayer::racks).visit(p_.area, [&](std::uint32_t i) {
      if (racks[i].box().intersects(p_.area) && !skipped(racks[i].id)) paint_one(racks[i], i);
    });
  }

  void paint_covered() {
    const std::vector<PlanObject>& racks = p_.model->objects(PlanLayer::racks);
    if (racks.empty() || !c_.painter) return;
    const double small = c_.pixels(std::min(racks.front().width, racks.front().depth));
    if (small < 9.6 && !c_.paper) return;
    font_size_ = std::min(11.0, small * 0.62);
    if (font_size_ < 6) return;
    font_ = c_.font(font_size_);
    const auto hidden = [&](PlanLayer layer) { return p_.hidden && (*p_.hidden)[static_cast<std::size_t>(layer)]; };
    // What crosses which rack.
    std::vector<std::pair<std::uint32_t, QRectF>> crossed;
    const auto add = [&](const QRectF& band) { // scene
      p_.model->index(PlanLayer::racks).visit(band.intersected(p_.area), [&](std::uint32_t i) {
        if (racks[i].turns >= 0 && racks[i].box().intersects(band)) crossed.emplace_back(i, band);
      });
    };
    for (const PlanLayer layer : {PlanLayer::trays, PlanLayer::pipes}) {
      if (hidden(layer)) continue;
      const std::vector<PlanObject>& runs = p_.model->objects(layer);
      p_.model->index(layer).visit(p_.area, [&](std::uint32_t i) {
        const QPolygonF* path = p_.model->points(layer, runs[i]);
        const double half = std::max(runs[i].width / 2, 2 * c_.unit / c_.scale);
        for (qsizetype k = 0; path && k + 1 < path->size(); ++k)
          add(QRectF((*path)[k], (*path)[k + 1]).normalized().adjusted(-half, -half, half, half));
      });
    }
    if (!hidden(PlanLayer::power))
      for (const PlanObject& o : p_.model->objects(PlanLayer::power))
        if (is_overhead(p_, PlanLayer::power, o)) add(o.box());
    std::sort(crossed.begin(), crossed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    constexpr std::size_t most = 2000; // far away the letters are small, and there are many
    if (crossed.size() > most) return;
    for (std::size_t k = 0; k < crossed.size();) {
      const std::uint32_t i = crossed[k].first;
      std::vector<QRectF> all;
      for (; k < crossed.size() && crossed[k].first == i; ++k) all.push_back(c_.rect(crossed[k].second));
      const PlanObject& o = racks[i];
      if (skipped(o.id)) continue;
      const RackLook look = look_of(o, i, static_cast<std::uint8_t>(o.word & 3));
      const QRectF r = c_.rect(o.box());
      const Places places = places_of(r, o);
      const auto patch = [&](const QRectF& area, const QString& words, const QFont& font, bool turned) {
        if (words.isEmpty() || area.isNull()) return;
        const WordSize size = c_.size_of(words, font);
        const QSizeF room = turned ? QSizeF(size.height, size.width) : QSizeF(size.width, size.height);
        const QRectF box(area.center() - QPointF(room.width() / 2, room.height() / 2), room);
        if (std::none_of(all.begin(), all.end(), [&](const QRectF& band) { return band.intersects(box); })) return;
        const double around = 2 * c_.unit;
        c_.tile(box.adjusted(turned ? around / 2 : -around, turned ? -around : around / 2,
                             turned ? -around / 2 : around, turned ? around : -around / 2),
                2, QPen(Qt::NoPen), look.fill);
        if (turned)
          c_.text_turned(area, Qt::AlignHCenter, words, font, look.ink);
        else
          c_.text(box.adjusted(-1, -1, 1, 1), Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, words, font,
                  look.ink);
      };
      patch(places.value, look.label, font_, false);
      if (places.name_size > 0)
        patch(places.name, QString::fromStdString(p_.model->name(PlanLayer::racks, o)), c_.font(places.name_size),
              places.turned);
    }
  }

private:
  static constexpr double least_named = 52; ///< design pixels of width from which racks bear their names on a screen
  /// Where the words of a rack stand; device.
  struct Places {
    QRectF value, name;
    double name_size = 0; ///< design pixels; 0: there is no room for it
    bool turned = false;
  };

  /// On the screen the name stands at the rack's foot, where there is room. On paper names are what people look for:
  /// they stand there too when the letters are smaller, or turned along the rack behind its value.
  [[nodiscard]] Places places_of(const QRectF& r, const PlanObject& o) const {
    const double u = c_.unit;
    Places out{r, {}, 0, false};
    if (o.turns < 0) return out;
    // By its size on the floor: of racks of one size all have their name, or none.
    const bool roomy = c_.pixels(o.x1 - o.x0) >= least_named && c_.pixels(o.y1 - o.y0) >= 44;
    if (!roomy && !c_.paper) return out;
    const double gap = 8 * u;
    const QRectF foot = o.turns == 2 ? QRectF(r.left(), r.top() + gap / 2, r.width(), 14 * u)
                                     : QRectF(r.left(), r.bottom() - gap / 2 - 14 * u, r.width(), 14 * u);
    if (roomy && !c_.paper) {
      out.name = foot, out.name_size = 10;
      return out;
    }
    const QString name = QString::fromStdString(p_.model->name(PlanLayer::racks, o));
    if (name.isEmpty()) return out;
    constexpr double least = 5.6; // 1.4 mm: letters of a plan that are still read
    const WordSize ten = c_.size_of(name, c_.font(10));
    if (ten.width <= 0) return out;
    const auto fits = [&](double along, double across) {
      return std::min({10.0, 10 * along / ten.width, 10 * across / ten.height});
    };
    const double upright = r.height() >= 40 * u ? fits(r.width() - 3 * u, 14 * u) : 0;
    // The rear part of the rack; the value keeps to the front.
    const double share = 0.64;
    QRectF rear = r;
    switch (o.turns) {
    case 0: rear.setTop(r.bottom() - r.height() * share); break;
    case 1: rear.setRight(r.left() + r.width() * share); break;
    case 2: rear.setBottom(r.top() + r.height() * share); break;
    default: rear.setLeft(r.right() - r.width() * share); break;
    }
    const bool tall = rear.height() > rear.width();
    const double behind =
        fits((tall ? rear.height() : rear.width()) - 6 * u, (tall ? rear.width() : rear.height()) - 2 * u);
    if (std::max(upright, behind) < least) return out;
    if (upright >= behind - 0.5) {
      out.name = foot, out.name_size = upright;
      return out;
    }
    out.name = rear, out.name_size = behind, out.turned = tall;
    switch (o.turns) {
    case 0: out.value.setBottom(rear.top() + 2 * u), out.value.setTop(r.top() + 3 * u); break;
    case 1: out.value.setLeft(rear.right() - 2 * u), out.value.setRight(r.right() - 3 * u); break;
    case 2: out.value.setTop(rear.bottom() - 2 * u), out.value.setBottom(r.bottom() - 3 * u); break;
    default: out.value.setRight(rear.left() + 2 * u), out.value.setLeft(r.left() + 3 * u); break;
    }
    return out;
  }

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
    if (!overlay_->categories.empty()) return category_color(c_.colors, static_cast<std::size_t>(v));
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

  void draw(QPainter* painter, const QRectF& r, const QRectF& value, const PlanObject& o, const RackLook& look,
            bool bad) const {
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
      painter->drawText(value, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, look.label);
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
      const Places places = places_of(r, o);
      draw(c_.painter, r, places.value, o, look, bad);
      name(places, o, look.ink);
      return;
    }
    const float value = overlay_ && i < overlay_->shown.size() ? static_cast<float>(overlay_->shown[i]) : 0.0f;
    const TileKey key{TileStore::shape(r), TileKey::rack | static_cast<quint64>(o.turns) << 4 | static_cast<quint64>(role) << 6 |
                                               static_cast<quint64>(bad) << 8 | static_cast<quint64>(o.known_size) << 9 |
                                               static_cast<quint64>(overlay_ != nullptr) << 10 |
                                               static_cast<quint64>(std::bit_cast<std::uint32_t>(value)) << 32};
    if (!(key == last_key_) || !last_tile_) {
      last_tile_ = &p_.tiles->tile(key, r, [&](QPainter* painter, const QRectF& at) {
        draw(painter, at, at, o, look_of(o, i, role), bad);
      });
      last_key_ = key;
    }
    c_.painter->drawPixmap(r.topLeft() - QPointF(1, 1), *last_tile_);
    if (c_.pixels(o.x1 - o.x0) >= least_named) name(places_of(r, o), o, look_of(o, i, role).ink);
  }

  void name(const Places& places, const PlanObject& o, const QColor& ink) const {
    if (places.name_size <= 0) return;
    const QString words = QString::fromStdString(p_.model->name(PlanLayer::racks, o));
    const QFont font = c_.font(places.name_size);
    if (places.turned)
      c_.text_turned(places.name, Qt::AlignHCenter, words, font, ink);
    else
      c_.text(places.name, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, words, font, ink);
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
    const auto category = static_cast<std::size_t>(std::max(0.0, v));
    if (s.isNull()) s = category < overlay_->marks.size() ? overlay_->marks[category] : overlay_->number(v);
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
  TileKey last_key_;
  const QPixmap* last_tile_ = nullptr;
};

} // namespace

void paint_racks(const Canvas& c, const Picture& p) { RackPainter(c, p).paint(); }
void paint_covered_values(const Canvas& c, const Picture& p) { RackPainter(c, p).paint_covered(); }

} // namespace hallwright::plan
