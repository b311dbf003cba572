// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/outline_size.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFormLayout>
#include <QLabel>
#include <QRegularExpression>

#include "design/hall_outline.h"
#include "widgets/figure_text.h"
#include "widgets/quantity_edit.h"

namespace hallwright {
namespace {

double millimetres_of(const QString& unit) {
  static const std::pair<const char*, double> units[] = {
      {"mm", 1.0}, {"cm", 10.0}, {"m", 1000.0}, {"in", 25.4}, {"ft", 304.8}};
  for (const auto& [name, mm] : units)
    if (unit == QLatin1String(name)) return mm;
  return 1.0;
}

/// Whole micrometres, so that a factor leaves no dust.
QString number_words(double v) {
  return QString::fromStdString(exact_number(std::round(v * 1e6) / 1e6 + 0.0));
}

std::vector<PlanPoint> outline_of(const Design& d, const EntityRef& e) {
  const auto text = get_field(d, e, "outline");
  const std::string* words = text ? std::get_if<std::string>(&*text) : nullptr;
  return words ? parse_outline(*words, 3).value_or(std::vector<PlanPoint>{}) : std::vector<PlanPoint>{};
}

} // namespace

QString outline_words(const std::string& stored) {
  const auto corners = parse_outline(stored, 2);
  if (!corners || corners->empty()) return QString::fromStdString(stored);
  QStringList out;
  for (const PlanPoint& p : *corners)
    out << number_words(p.x_mm / 1000) + QLatin1Char(',') + number_words(p.y_mm / 1000);
  return out.join(QLatin1Char(' ')) + QStringLiteral(" m");
}

tl::expected<std::string, std::string> outline_from_words(const QString& typed) {
  static const QRegularExpression amount(
      QStringLiteral("([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)(?:\\s*(mm|cm|m|in|ft))?(?![A-Za-z0-9.])"));
  int numbers = 0, units = 0;
  QString last;
  for (auto it = amount.globalMatch(typed); it.hasNext();) {
    const auto m = it.next();
    ++numbers;
    last = m.captured(2);
    units += !last.isEmpty();
  }
  if (units == 0) return typed.toStdString();
  const bool one_for_all = units == 1 && !last.isEmpty();
  if (!one_for_all && units != numbers)
    return tl::make_unexpected(
        QObject::tr("Outline: write one unit at the end, such as 0,0 24,0 24,12 0,12 m, or one after every number")
            .toStdString());
  QString out;
  qsizetype from = 0;
  for (auto it = amount.globalMatch(typed); it.hasNext();) {
    const auto m = it.next();
    out += typed.mid(from, m.capturedStart() - from);
    bool good = false;
    const double v = m.captured(1).toDouble(&good);
    out += good ? number_words(v * millimetres_of(one_for_all ? last : m.captured(2))) : m.captured(1);
    from = m.capturedEnd();
  }
  return (out + typed.mid(from)).trimmed().toStdString();
}

std::optional<QRectF> rectangle_of(const std::vector<PlanPoint>& outline) {
  if (outline.size() != 4) return std::nullopt;
  double x0 = outline[0].x_mm, x1 = x0, y0 = outline[0].y_mm, y1 = y0;
  for (std::size_t i = 0, j = 3; i < 4; j = i++) {
    const PlanPoint &a = outline[j], &b = outline[i];
    if (std::abs(a.x_mm - b.x_mm) > 1e-6 && std::abs(a.y_mm - b.y_mm) > 1e-6) return std::nullopt;
    x0 = std::min(x0, b.x_mm), x1 = std::max(x1, b.x_mm), y0 = std::min(y0, b.y_mm), y1 = std::max(y1, b.y_mm);
  }
  if (x1 - x0 < 1 || y1 - y0 < 1) return std::nullopt;
  return QRectF(x0, y0, x1 - x0, y1 - y0);
}

OutlineSize::OutlineSize(QFormLayout* form, QObject* parent) : QObject(parent), form_(form) {
  static constexpr std::array<const char*, 2> names{"width", "depth"}, labels{"Width", "Depth"};
  for (int side = 0; side < 2; ++side) {
    FieldInfo f;
    f.name = names[static_cast<std::size_t>(side)];
    f.label = labels[static_cast<std::size_t>(side)];
    f.type = FieldType::number;
    f.kind = &kind::length;
    f.minimum = 0.1, f.maximum = 10000;
    f.unit = "m";
    f.help = side == 0 ? "Of the rectangle, left to right. The side at the right moves."
                       : "Of the rectangle, top to bottom. The side at the foot moves.";
    auto* edit = new QuantityEdit(form->parentWidget());
    edit->setField(f);
    edit->setObjectName(side == 0 ? QStringLiteral("outline_width") : QStringLiteral("outline_depth"));
    auto* label = new QLabel(side == 0 ? tr("Width") : tr("Depth"), form->parentWidget());
    label->setObjectName(QStringLiteral("secondary"));
    label->setBuddy(edit);
    form->addRow(label, edit);
    sides_[side] = edit;
    connect(edit, &QuantityEdit::refused, this, &OutlineSize::refused);
    connect(edit, &QuantityEdit::committed, this, [this, side](const FieldValue& value) {
      const double* metres = std::get_if<double>(&value);
      if (!metres || entities_.empty()) return;
      Edit edit;
      edit.label = (side == 0 ? tr("Set width of %1: %2") : tr("Set depth of %1: %2"))
                       .arg(QString::fromStdString(name_), screen_text(*metres, kind::length, 4, "m"))
                       .toStdString();
      edit.apply = [entities = entities_, side, mm = *metres * 1000](const Design& d) -> Edited {
        Edited out = d;
        for (const EntityRef& e : entities) {
          std::vector<PlanPoint> outline = outline_of(*out, e);
          const auto box = rectangle_of(outline);
          if (!box) continue;
          for (PlanPoint& p : outline) {
            if (side == 0 && p.x_mm > box->center().x()) p.x_mm = box->left() + mm;
            if (side == 1 && p.y_mm > box->center().y()) p.y_mm = box->top() + mm;
          }
          out = e.table == "halls" ? with_hall_outline(*out, e.id, outline_text(outline))
                                   : set_field(*out, e, "outline", FieldValue(outline_text(outline)));
          if (!out) return out;
        }
        return out;
      };
      Q_EMIT editRequested(edit);
    });
  }
}

void OutlineSize::show(const Design& design, const std::vector<EntityRef>& entities) {
  entities_ = entities;
  std::optional<QSizeF> common;
  bool all = !entities.empty(), mixed[2] = {false, false};
  for (const EntityRef& e : entities) {
    const auto box = rectangle_of(outline_of(design, e));
    if (!box) {
      all = false;
      break;
    }
    if (!common) common = box->size();
    mixed[0] = mixed[0] || std::abs(common->width() - box->width()) > 1e-6;
    mixed[1] = mixed[1] || std::abs(common->height() - box->height()) > 1e-6;
  }
  name_ = entities.size() == 1 ? entity_name(design, entities.front())
                               : tr("%1 things").arg(static_cast<int>(entities.size())).toStdString();
  for (int side = 0; side < 2; ++side) {
    form_->setRowVisible(sides_[side], all);
    if (!all) continue;
    sides_[side]->setValue(FieldValue((side == 0 ? common->width() : common->height()) / 1000), mixed[side]);
  }
}

} // namespace hallwright
