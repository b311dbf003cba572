// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_print.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include <QApplication>
#include <QFontMetricsF>
#include <QLocale>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_view.h"

namespace hallwright {

using namespace plan;

namespace plan {

void paint_drawing(const Canvas& c, Picture& p, const std::set<PlanLayer>& hidden, bool grid) {
  std::array<bool, layer_count> gone{};
  for (PlanLayer layer : hidden) gone[static_cast<std::size_t>(layer)] = true;
  const std::array<bool, layer_count>* before = p.hidden;
  p.hidden = &gone;
  const auto layers = [&](std::initializer_list<PlanLayer> list) {
    for (PlanLayer layer : list)
      if (!hidden.count(layer)) paint_layer(c, p, layer);
  };
  const bool racks = !hidden.count(PlanLayer::racks);
  paint_floor(c, p);
  if (grid) {
    const QRectF area = p.area;
    for (const HallShape& hall : p.model->halls()) { // on paper the grid keeps to the halls
      p.area = hall.box.intersected(area);
      if (!p.area.isEmpty()) paint_grid(c, p);
    }
    p.area = area;
    paint_tiles(c, p);
  }
  if (racks) paint_aisles(c, p);
  layers({PlanLayer::underlay, PlanLayer::zones, PlanLayer::structure, PlanLayer::power, PlanLayer::liquid, PlanLayer::racks});
  if (racks) paint_row_names(c, p);
  if (!hidden.count(PlanLayer::zones)) paint_zone_words(c, p);
  layers({PlanLayer::air, PlanLayer::pipes, PlanLayer::trays});
  if (racks) paint_covered_values(c, p);
  if (!hidden.count(PlanLayer::pipes)) paint_valves(c, p);
  if (racks) paint_rack_valves(c, p);
  paint_hall_outlines(c, p);
  paint_dimensions(c, p);
  layers({PlanLayer::notes, PlanLayer::dimensions});
  p.hidden = before;
}

double bar_length(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(1.0, most))));
  for (double f : {5.0, 2.0, 1.0})
    if (f * power <= most) return f * power;
  return power;
}

} // namespace plan

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
  const QSizeF legend = values.overlay == Overlay::none ? QSizeF(0, 0) : paint_legend(c, values, {0, 0}).size();
  const double legend_height = legend.height() > 0 ? legend.height() + 4 * u : 0;
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
  const QRectF head_area(target.left() + 12 * u, target.top() + 8 * u, target.width() - 24 * u - (legend_height > 0 ? legend.width() + 12 * u : 0), head);
  QString title = QString::fromStdString(design.project->name);
  if (title.isEmpty()) title = tr("Hall plan");
  if (const Hall* h = hallwright::find(*design.halls, hall)) title += QStringLiteral(" · ") + QString::fromStdString(h->name);
  c.text(QRectF(head_area.left(), head_area.top(), head_area.width(), 20 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
         QFontMetricsF(title_font).elidedText(title, Qt::ElideRight, head_area.width()), title_font, c.colors.text);
  const auto racks = static_cast<qlonglong>(model.objects(PlanLayer::racks).size());
  const QString line = racks == 1 ? tr("1 rack on the plan") : tr("%1 racks on the plan").arg(screen_number(racks));
  c.text(QRectF(head_area.left(), head_area.top() + 20 * u, head_area.width(), 16 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, line, small, c.colors.quiet);
  if (values.overlay != Overlay::none) paint_legend(c, values, QPointF(target.right() - 10 * u, target.top() + 8 * u));

  // Foot: scale bar in two halves, north arrow (up is north of the drawing).
  if (!extent.isNull() && c.scale > 0) {
    const double length = bar_length(target.width() * 0.25 / c.scale);
    const double y = target.bottom() - 14 * u, x = target.left() + 14 * u, w = length * c.scale;
    c.fill(QRectF(x, y, w / 2, 4 * u), c.colors.text);
    c.tile(QRectF(x + w / 2, y, w / 2, 4 * u), 0, c.pen(c.colors.text, 0.8), c.colors.canvas);
    const auto mark = [&](double mm, double at) {
      c.text_at({at, y - 2 * u}, Qt::AlignHCenter | Qt::AlignBottom, screen_number(mm / 1000.0, 'g', 4) + (mm == length ? QStringLiteral(" m") : QString()), small, c.colors.quiet);
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

// --- sheets ----------------------------------------------------------------------------------------------------------

namespace {

constexpr double dots = 100;       // canvas units a millimetre of paper: the same layout on every device
constexpr double letter_unit = 25; // canvas units of a design pixel: letters of 10 pixels are 2.5 mm high
constexpr double padding = 4;      // mm between the frame and the drawing
constexpr int most_sheets = 200;

QRectF scaled(const QRectF& r, double f) { return {r.left() * f, r.top() * f, r.width() * f, r.height() * f}; }

/// Sheets that a length needs when each shows `one` and neighbours share `overlap`.
int parts(double length, double one, double overlap) {
  if (length <= one + 1e-6) return 1;
  return static_cast<int>(std::ceil((length - overlap - 1e-6) / std::max(1.0, one - overlap)));
}

} // namespace

PlanPrint::PlanPrint(const PlanPage& page, const Design& design, const Shared<Catalog>& catalog,
                     const SharedEvaluation& evaluation)
    : page_(page), design_(design) {
  if (page_.hall && !hallwright::find(*design.halls, page_.hall)) page_.hall = 0;
  model_.update(design, catalog, page_.hall);
  if (page_.hidden.count(PlanLayer::racks)) page_.overlay = Overlay::none;
  if (!page_.underlays) page_.hidden.insert(PlanLayer::underlay);
  values_ = overlay_values(model_, evaluation, page_.overlay);
  wrong_ = misplaced(evaluation);
  if (page_.legend) collect_legend();
  lay_out();
}

Canvas PlanPrint::canvas(double denominator) const {
  Canvas c;
  c.paper = true;
  c.colors = PlanColors::paper();
  c.base_font = QApplication::font();
  c.base_font.setStyleStrategy(QFont::PreferNoShaping); // "1:100" and dates are found as they are written
  c.unit = letter_unit;
  c.scale = dots / denominator;
  return c;
}

Picture PlanPrint::picture(const QRectF& area) const {
  Picture p;
  p.model = &model_;
  p.overlay = &values_;
  p.misplaced = &wrong_;
  p.area = area;
  return p;
}

QRectF PlanPrint::measure(double denominator) const {
  const Canvas c = canvas(denominator);
  const QRectF extent = model_.extent();
  Picture p = picture(extent.adjusted(-20000, -20000, 20000, 20000));
  paint_drawing(c, p, page_.hidden, page_.grid);
  return extent.united(scaled(c.painted, 1 / c.scale));
}

double PlanPrint::fitting_scale(QRectF& content) const {
  const QRectF extent = model_.extent();
  std::vector<double> list = standard_scales();
  for (double decade = 1000; decade <= 1e6; decade *= 10)
    for (double f : {1.0, 1.25, 1.5, 2.0, 2.5, 4.0, 5.0})
      if (f * decade > most_denominator) list.push_back(f * decade);
  // Those of the foot are chosen, not stumbled on.
  std::erase_if(list, [](double d) { return d == 24 || d == 48 || d == 96 || d == 192 || d == 384; });
  for (double d : list) {
    if (extent.width() / d > area_.width() || extent.height() / d > area_.height()) continue;
    content = measure(d);
    if (content.width() / d <= area_.width() && content.height() / d <= area_.height()) return d;
  }
  content = measure(list.back());
  return list.back();
}

void PlanPrint::set_areas(bool key_map) {
  const double m = page_.margin;
  frame_ = QRectF(QPointF(m, m), QSizeF(paper_.width() - 2 * m, paper_.height() - 2 * m));
  strip_ = strip(frame_, key_map);
  area_ = frame_.adjusted(padding, padding, -padding, -padding - (strip_.all.isNull() ? 0 : strip_.all.height()));
}

void PlanPrint::count_tiles() {
  columns_ = parts(content_.width() / scale_, area_.width(), page_.overlap);
  rows_ = parts(content_.height() / scale_, area_.height(), page_.overlap);
}

void PlanPrint::lay_out() {
  const bool empty = model_.extent().isNull();
  if (page_.fitted) {
    scale_ = page_.scale > 0 ? page_.scale : 100;
    content_ = empty ? QRectF(0, 0, 20000, 12000) : measure(scale_);
    const double room = 2 * (page_.margin + padding);
    double width = content_.width() / scale_ + room;
    if (page_.title_block || page_.legend || page_.scale_bar || page_.north_arrow)
      width = std::max(width, 110 + 2 * page_.margin);
    paper_ = QSizeF(width, content_.height() / scale_ + room);
    const QRectF frame(QPointF(page_.margin, page_.margin), QSizeF(width - 2 * page_.margin, 1000));
    if (const Strip s = strip(frame, false); !s.all.isNull()) paper_.rheight() += s.all.height();
    set_areas(false);
    if (std::max(paper_.width(), paper_.height()) > 5000)
      problem_ =
          PlanView::tr("At %1 the picture would be %2 m long; allowed are 5 m. Choose a smaller scale.")
              .arg(scale_words(scale_), screen_number(std::max(paper_.width(), paper_.height()) / 1000, 'f', 1));
    return;
  }
  const PaperFormat* format = paper_format(page_.paper);
  if (!format) format = paper_format(QStringLiteral("A3"));
  paper_ = page_.landscape ? QSizeF(format->height, format->width) : QSizeF(format->width, format->height);
  set_areas(false);
  if (area_.width() < 40 || area_.height() < 40) {
    problem_ =
        PlanView::tr(
            "Nothing is left of %1 for the drawing. Choose a larger paper, smaller margins, or leave out the legend.")
            .arg(format->name);
    return;
  }
  if (page_.scale <= 0 || empty) {
    content_ = QRectF(0, 0, 20000, 12000);
    scale_ = empty ? (page_.scale > 0 ? page_.scale : 100) : fitting_scale(content_);
    return;
  }
  scale_ = page_.scale;
  content_ = measure(scale_);
  count_tiles();
  if (tiles() == 1) return;
  set_areas(true);
  if (area_.width() < 2 * page_.overlap + 20 || area_.height() < 2 * page_.overlap + 20) {
    problem_ =
        PlanView::tr(
            "Nothing is left of %1 for the drawing. Choose a larger paper, smaller margins, or leave out the legend.")
            .arg(format->name);
    columns_ = rows_ = 1;
    return;
  }
  count_tiles();
  if (tiles() > most_sheets) {
    problem_ =
        PlanView::tr(
            "At %1 the drawing takes %2 sheets of %3; allowed are %4. Choose a larger paper or a smaller scale.")
            .arg(scale_words(scale_), screen_number(tiles()), format->name, screen_number(most_sheets));
    columns_ = rows_ = 1;
    return;
  }
  QRectF seen;
  index_scale_ = std::max(scale_, fitting_scale(seen));
}

QString PlanPrint::name() const {
  return page_.project.isEmpty() ? QString::fromStdString(design_.project->name) : page_.project;
}

QString PlanPrint::sheet_words(int sheet) const {
  QString out =
      PlanView::tr("%1 of %2", "sheet of a drawing").arg(screen_number(sheet + 1), screen_number(sheets()));
  if (is_index(sheet)) return out;
  if (tiles() > 1)
    out += QStringLiteral(" · %1%2").arg(QChar(u'A' + tile_of(sheet) / columns_)).arg(tile_of(sheet) % columns_ + 1);
  return out;
}

QRectF PlanPrint::scene_area(int sheet) const {
  const double d = scale_of(sheet);
  const QSizeF one(area_.width() * d, area_.height() * d);
  QPointF corner = content_.center() - QPointF(one.width() / 2, one.height() / 2);
  if (!is_index(sheet) && tiles() > 1) {
    // All sheets together lie round the middle of the drawing.
    const double step_x = one.width() - page_.overlap * d, step_y = one.height() - page_.overlap * d;
    const int column = tile_of(sheet) % columns_, row = tile_of(sheet) / columns_;
    corner += QPointF((column - (columns_ - 1) / 2.0) * step_x, (row - (rows_ - 1) / 2.0) * step_y);
  }
  return {corner, one};
}

QPointF PlanPrint::on_paper(int sheet, const QPointF& scene) const {
  return area_.topLeft() + (scene - scene_area(sheet).topLeft()) / scale_of(sheet);
}

void PlanPrint::paint(QPainter& painter, int sheet, double dots_per_mm) const {
  if (sheet < 0 || sheet >= sheets()) return;
  painter.save();
  painter.scale(dots_per_mm / dots, dots_per_mm / dots);
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setRenderHint(QPainter::TextAntialiasing, true);
  const QRectF paper(QPointF(0, 0), paper_ * dots), area = scaled(area_, dots), frame = scaled(frame_, dots);
  Canvas c = canvas(scale_of(sheet));
  painter.fillRect(paper, c.colors.canvas);
  c.painter = &painter;
  if (problem_.isEmpty() && !model_.extent().isNull()) {
    const QRectF scene = scene_area(sheet);
    const QRectF room = area.adjusted(-padding * dots, -padding * dots, padding * dots, padding * dots);
    c.origin = area.topLeft() - scene.topLeft() * c.scale;
    // Neighbouring sheets end at their area; a single one has the padding too.
    const bool whole = tiles() == 1 || is_index(sheet);
    painter.save();
    painter.setClipRect(whole ? room : area, Qt::IntersectClip);
    Picture p = picture(whole ? model_.extent().adjusted(-20000, -20000, 20000, 20000)
                              : scene.adjusted(-1500, -1500, 1500, 1500));
    paint_drawing(c, p, page_.hidden, page_.grid);
    painter.restore();
    if (!whole) {
      // Not every device cuts off: SVG shows what lies beyond a clip.
      for (const QRectF& beyond : {QRectF(0, 0, paper.width(), area.top()),
                                   QRectF(0, area.bottom(), paper.width(), paper.height() - area.bottom()),
                                   QRectF(0, 0, area.left(), paper.height()),
                                   QRectF(area.right(), 0, paper.width() - area.right(), paper.height())})
        painter.fillRect(beyond, c.colors.canvas);
      paint_overlaps(c, sheet);
    } else if (is_index(sheet)) {
      paint_index(c);
    }
  } else {
    c.text(area, Qt::AlignCenter | Qt::TextWordWrap, problem_.isEmpty() ? PlanView::tr("Nothing is drawn") : problem_,
           c.font(14), c.colors.quiet);
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
  if (page_.title_block || !page_.fitted) c.outline(QPolygonF(frame), c.pen(c.colors.outline, 1.8));
  paint_strip(c, sheet);
  painter.restore();
}

} // namespace hallwright
