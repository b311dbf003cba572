// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QFontMetricsF>
#include <QLocale>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_painter.h"
#include "widgets/plan/plan_view.h"

namespace hallwright {
namespace {

using namespace plan;

/// Everything of the drawing itself: also measures, when the canvas has no painter.
void paint_drawing(const Canvas& c, Picture& p) {
  paint_floor(c, p);
  const QRectF area = p.area;
  p.area = p.model->extent(); // on paper the grid keeps to the drawing
  paint_grid(c, p);
  p.area = area;
  paint_aisles(c, p);
  for (PlanLayer layer : {PlanLayer::structure, PlanLayer::power, PlanLayer::liquid, PlanLayer::racks}) paint_layer(c, p, layer);
  paint_row_names(c, p);
  paint_hall_outlines(c, p);
  paint_dimensions(c, p);
  paint_layer(c, p, PlanLayer::notes);
}

/// Length of a scale bar: 1, 2 or 5 times a power of ten, at most `most` millimetres.
double bar_length(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(1.0, most))));
  for (double f : {5.0, 2.0, 1.0})
    if (f * power <= most) return f * power;
  return power;
}

} // namespace

QRectF PlanView::planExtent(const Design& design, const Shared<Catalog>& catalog, Id hall) {
  PlanModel model;
  model.update(design, catalog, hall);
  return model.extent();
}

void PlanView::paintPlan(QPainter& painter, const QRectF& target, const Design& design, const Shared<Catalog>& catalog,
                         const SharedEvaluation& evaluation, Overlay overlay, Id hall) {
  if (target.width() <= 0 || target.height() <= 0) return;
  PlanModel model;
  model.update(design, catalog, hall);
  const OverlayValues values = overlay_values(model, evaluation, overlay);
  const std::unordered_set<Id> wrong = misplaced(evaluation);

  Canvas c;
  c.paper = true;
  c.colors = PlanColors::paper();
  c.base_font = QApplication::font();
  c.unit = std::max(target.width() / 950.0, 1e-3);
  const double u = c.unit;

  painter.save();
  painter.setClipRect(target, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.fillRect(target, c.colors.canvas);

  // Head: title and question, legend at the right. Foot: scale bar and north.
  const QFont title_font = c.font(16, true), small = c.font(10.5);
  const double legend_height = values.overlay == Overlay::none ? 0 : (values.some_missing || !values.available ? 80 : 60) * u;
  const double head = std::max(44 * u, legend_height + 8 * u), foot = 34 * u;
  const QRectF room = target.adjusted(10 * u, head + 4 * u, -10 * u, -foot - 4 * u);

  Picture p;
  p.model = &model;
  p.overlay = &values;
  p.misplaced = &wrong;
  const QRectF extent = model.extent();
  if (!extent.isNull() && room.width() > 0 && room.height() > 0) {
    p.area = extent.adjusted(-20000, -20000, 20000, 20000);
    // Letters keep their size, so that what they need beyond the drawing is measured and the scale found in steps.
    double left = 10 * u, top = 10 * u, right = 10 * u, bottom = 10 * u;
    for (int pass = 0; pass < 4; ++pass) {
      const double w = std::max(room.width() * 0.2, room.width() - left - right), h = std::max(room.height() * 0.2, room.height() - top - bottom);
      c.scale = std::min(w / std::max(1.0, extent.width()), h / std::max(1.0, extent.height()));
      const double spare_x = (w - extent.width() * c.scale) / 2, spare_y = (h - extent.height() * c.scale) / 2;
      c.origin = QPointF(room.left() + left + spare_x - extent.left() * c.scale, room.top() + top + spare_y - extent.top() * c.scale);
      c.painter = nullptr;
      c.painted = QRectF();
      paint_drawing(c, p);
      const QRectF drawing(QPointF(c.x(extent.left()), c.y(extent.top())), QPointF(c.x(extent.right()), c.y(extent.bottom())));
      const QRectF all = c.painted.united(drawing);
      if (room.adjusted(-0.5, -0.5, 0.5, 0.5).contains(all)) break;
      left = std::max(left, drawing.left() - all.left() + 2 * u), top = std::max(top, drawing.top() - all.top() + 2 * u);
      right = std::max(right, all.right() - drawing.right() + 2 * u), bottom = std::max(bottom, all.bottom() - drawing.bottom() + 2 * u);
    }
    c.painter = &painter;
    paint_drawing(c, p);
  } else {
    c.painter = &painter;
    c.text(room, Qt::AlignCenter, tr("Nothing is drawn"), c.font(13), c.colors.quiet);
  }
  c.painter = &painter;

  // Head.
  const QRectF head_area(target.left() + 12 * u, target.top() + 8 * u, target.width() - 24 * u - (legend_height > 0 ? 200 * u : 0), head);
  QString title = QString::fromStdString(design.project->name);
  if (title.isEmpty()) title = tr("Hall plan");
  if (const Hall* h = hallwright::find(*design.halls, hall)) title += QStringLiteral(" · ") + QString::fromStdString(h->name);
  c.text(QRectF(head_area.left(), head_area.top(), head_area.width(), 20 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
         QFontMetricsF(title_font).elidedText(title, Qt::ElideRight, head_area.width()), title_font, c.colors.text);
  const auto racks = static_cast<qlonglong>(model.objects(PlanLayer::racks).size());
  const QString line = racks == 1 ? tr("1 rack on the plan") : tr("%1 racks on the plan").arg(QLocale().toString(racks));
  c.text(QRectF(head_area.left(), head_area.top() + 20 * u, head_area.width(), 16 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, line, small, c.colors.quiet);
  if (values.overlay != Overlay::none) paint_legend(c, values, QPointF(target.right() - 10 * u, target.top() + 8 * u));

  // Foot: scale bar in two halves, north arrow (up is north of the drawing).
  if (!extent.isNull() && c.scale > 0) {
    const double length = bar_length(target.width() * 0.25 / c.scale);
    const double y = target.bottom() - 14 * u, x = target.left() + 14 * u, w = length * c.scale;
    c.fill(QRectF(x, y, w / 2, 4 * u), c.colors.text);
    c.tile(QRectF(x + w / 2, y, w / 2, 4 * u), 0, c.pen(c.colors.text, 0.8), c.colors.canvas);
    const auto mark = [&](double mm, double at) {
      c.text_at({at, y - 2 * u}, Qt::AlignHCenter | Qt::AlignBottom, QLocale().toString(mm / 1000.0, 'g', 4) + (mm == length ? QStringLiteral(" m") : QString()), small, c.colors.quiet);
    };
    mark(0, x + 2 * u);
    mark(length / 2, x + w / 2);
    mark(length, x + w);
    const QPointF tip(target.right() - 22 * u, target.bottom() - 30 * u);
    painter.setRenderHint(QPainter::Antialiasing, true);
    c.outline(QPolygonF{tip, tip + QPointF(5 * u, 22 * u), tip + QPointF(0, 17 * u), tip + QPointF(-5 * u, 22 * u)}, c.pen(c.colors.text, 1), c.colors.text);
    c.text_at(tip + QPointF(-9 * u, 12 * u), Qt::AlignRight | Qt::AlignVCenter, tr("N", "north on the plan"), c.font(11, true), c.colors.text);
  }
  painter.restore();
}

} // namespace hallwright
