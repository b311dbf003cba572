// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_painter.h"

#include <algorithm>
#include <span>

#include <QFontMetricsF>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_underlay.h"

namespace hallwright::plan {

namespace {

bool shown(const Picture& p, PlanLayer layer) { return !p.hidden || !(*p.hidden)[static_cast<std::size_t>(layer)]; }

/// Busways above racks.
void paint_hanging(const Canvas& c, const Picture& p) {
  const std::vector<PlanObject>& units = p.model->objects(PlanLayer::power);
  std::vector<std::uint32_t> seen;
  p.model->index(PlanLayer::power).visit(p.area, [&](std::uint32_t i) {
    if (is_overhead(p, PlanLayer::power, units[i]) && !(p.gone && p.gone->count(units[i].id))) seen.push_back(i);
  });
  std::sort(seen.begin(), seen.end());
  for (std::uint32_t i : seen)
    paint_overhead(c, p, units[i]);
}

} // namespace

void paint_layer(const Canvas& c, const Picture& p, PlanLayer layer) {
  if (layer == PlanLayer::racks) {
    paint_racks(c, p);
    if (shown(p, PlanLayer::power)) paint_hanging(c, p);
    return;
  }
  if (layer == PlanLayer::underlay) {
    paint_underlays(c, p);
    return;
  }
  const std::vector<PlanObject>& objects = p.model->objects(layer);
  // In the order of the table, so that what was drawn later lies above.
  std::vector<std::uint32_t> seen;
  const double reach = layer == PlanLayer::structure ? 2500 : layer == PlanLayer::notes ? 20000 : layer == PlanLayer::dimensions ? 3000 : 0; // door leaves, words
  const QRectF area = p.area.adjusted(-reach, -reach, reach, reach);
  p.model->index(layer).visit(area, [&](std::uint32_t i) {
    if (!(p.gone && p.gone->count(objects[i].id))) seen.push_back(i);
  });
  std::sort(seen.begin(), seen.end());
  for (std::uint32_t i : seen) {
    const PlanObject& o = objects[i];
    switch (layer) {
    case PlanLayer::structure: paint_structure(c, p, o); break;
    case PlanLayer::power:
      // What hangs above racks is painted with them, above them.
      if (!is_overhead(p, layer, o))
        paint_unit(c, p, layer, o, c.colors.power);
      else if (!shown(p, PlanLayer::racks))
        paint_overhead(c, p, o);
      break;
    case PlanLayer::liquid: paint_unit(c, p, layer, o, c.colors.liquid); break;
    case PlanLayer::notes: paint_note(c, p, o); break;
    case PlanLayer::zones: paint_zone(c, p, o); break;
    case PlanLayer::air: paint_containment(c, p, o); break;
    case PlanLayer::trays: paint_tray(c, p, o); break;
    case PlanLayer::pipes: paint_pipe(c, p, o); break;
    case PlanLayer::dimensions: paint_drawn_dimension(c, p, o); break;
    case PlanLayer::underlay: break;
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
  case PlanLayer::notes: return at(std::span(ChoiceWords<NoteKind>::words));
  case PlanLayer::zones: return PlanView::tr("zone");
  case PlanLayer::air: return at(std::span(ChoiceWords<ContainmentKind>::words));
  case PlanLayer::trays: return at(std::span(ChoiceWords<TrayKind>::words));
  case PlanLayer::pipes: return at(std::span(ChoiceWords<PipeSide>::words));
  case PlanLayer::dimensions: return at(std::span(ChoiceWords<DimensionDirection>::words));
  case PlanLayer::underlay: return at(std::span(ChoiceWords<UnderlayKind>::words));
  }
  return {};
}

} // namespace hallwright::plan
