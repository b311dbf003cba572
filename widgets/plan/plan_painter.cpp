// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_painter.h"

#include <algorithm>
#include <span>

#include <QFontMetricsF>

#include "widgets/figure_text.h"

namespace hallwright::plan {

void paint_layer(const Canvas& c, const Picture& p, PlanLayer layer) {
  if (layer == PlanLayer::racks) {
    paint_racks(c, p);
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
