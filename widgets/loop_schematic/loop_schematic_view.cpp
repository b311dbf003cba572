// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loop_schematic/loop_schematic_view.h"

#include <algorithm>
#include <cmath>

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_overlay.h"
#include "widgets/theme.h"

namespace hallwright::loops {
namespace {

constexpr double margin = 14, largest_scale = 1.6;

QString flow_text(double flow) { return screen_text(flow, kind::volume_flow, 3, "L/min"); }
QString flow_number(double flow) { return screen_number(std::round(flow * 60000.0), 'f', 0); }
QString celsius_text(double c) { return screen_number(c, 'f', 1) + QStringLiteral(" \u00b0C"); }
QString pressure_text(double pa) { return screen_text(pa, kind::pressure, 3, "kPa"); }
QString power_text(double w) { return screen_text(w, kind::power, 3); }
QString share_text(double share) { return screen_number(std::round(share * 100.0), 'f', 0) + QStringLiteral(" %"); }

} // namespace

QColor coolant_color(double share) { return plan::warmth_color(plan::PlanColors::screen(), share); }

LoopSchematicView::LoopSchematicView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("loop_schematic"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Schematic of the coolant loop"));
  empty_ = tr("No loop is shown.");
}

bool LoopSchematicView::shows() const { return picture_.loop && picture_.schematic && !picture_.schematic->empty(); }

void LoopSchematicView::setPicture(const Picture& picture) {
  const bool same = picture_.schematic && picture.schematic &&
                    (picture_.schematic == picture.schematic || *picture_.schematic == *picture.schematic) &&
                    picture_.loop->loop == picture.loop->loop;
  picture_ = picture;
  if (!same) {
    selected_ = hovered_ = {};
    fit();
  }
  tell_accessible();
  update();
}

void LoopSchematicView::setEmptyText(const QString& text) {
  empty_ = text;
  tell_accessible();
  update();
}

void LoopSchematicView::setSelection(const Thing& thing) {
  if (thing == selected_) return;
  selected_ = thing;
  tell_accessible();
  update();
}

void LoopSchematicView::setLit(const std::vector<EntityRef>& entities) {
  lit_racks_.clear(), lit_units_.clear(), lit_pipes_.clear();
  for (const EntityRef& e : entities) {
    if (e.table == "racks" && !of_water()) lit_racks_.insert(e.id);
    if (e.table == "cooling_units") (of_water() ? lit_sides_ : lit_units_).insert(e.id);
    if (e.table == "pipes") lit_pipes_.insert(e.id);
  }
  update();
}

void LoopSchematicView::choose(const Thing& thing) {
  setSelection(thing);
  Q_EMIT selectionChanged();
}

// --- what flows ------------------------------------------------------------------------------------------------------

double LoopSchematicView::flow_of(int stretch) const {
  return stretch_flow(picture_.schematic->stretches[static_cast<std::size_t>(stretch)], picture_.link_flows);
}
bool LoopSchematicView::flows(double flow) const {
  return std::abs(flow) > 1e-6 * std::max(picture_.healthy_flow, 1e-9);
}
std::optional<double> LoopSchematicView::temperature_of(int stretch) const {
  if (!picture_.solution || !picture_.solution->temperatures_known) return {};
  const SchematicStretch& s = picture_.schematic->stretches[static_cast<std::size_t>(stretch)];
  const double flow = flow_of(stretch);
  if (!flows(flow)) return {};
  const int node = flow >= 0 ? s.from : s.to;
  const auto n = static_cast<std::size_t>(node);
  if (node < 0 || n >= picture_.solution->node_c.size() || !picture_.solution->node_flows[n]) return {};
  return picture_.solution->node_c[n];
}
std::optional<double> LoopSchematicView::pressure_of(int stretch) const {
  const SchematicStretch& s = picture_.schematic->stretches[static_cast<std::size_t>(stretch)];
  if (!picture_.solution || s.from < 0) return {};
  const auto n = static_cast<std::size_t>(s.from);
  if (n >= picture_.solution->node_pressure_pa.size() || !std::isfinite(picture_.solution->node_pressure_pa[n]))
    return {};
  return picture_.solution->node_pressure_pa[n];
}
bool LoopSchematicView::shut(int stretch) const {
  const SchematicStretch& s = picture_.schematic->stretches[static_cast<std::size_t>(stretch)];
  if (s.section >= 0 && picture_.operation.sections_shut.count(static_cast<std::size_t>(s.section)) > 0) return true;
  if (s.box < 0) return false;
  const SchematicBox& box = picture_.schematic->boxes[static_cast<std::size_t>(s.box)];
  if (box.kind == SchematicBoxKind::unit)
    return picture_.operation.units_out.count(picture_.loop->units[box.members.front()].unit) > 0;
  return std::all_of(box.members.begin(), box.members.end(), [&](std::size_t r) {
    return picture_.operation.racks_shut.count(picture_.loop->racks[r].rack) > 0;
  });
}
double LoopSchematicView::width_of(double flow) const {
  const double share = std::clamp(std::abs(flow) / std::max(picture_.healthy_flow, 1e-12), 0.0, 1.2);
  return 1.6 + 8.0 * std::sqrt(share) * std::clamp(sy_, 0.6, 1.2);
}
QColor LoopSchematicView::color_of(double celsius) const {
  const double low = picture_.loop->supply_c, span = std::max(1.0, picture_.warmest_c - low);
  return coolant_color((celsius - low) / span);
}

// --- camera ----------------------------------------------------------------------------------------------------------

double LoopSchematicView::foot() const { return QFontMetricsF(font()).height() * 1.9; }

void LoopSchematicView::fit() {
  fitted_ = true;
  if (!shows()) return;
  const LoopSchematic& s = *picture_.schematic;
  sx_ = std::clamp((width() - 2 * margin) / std::max(1.0, s.width), 0.05, largest_scale);
  sy_ = std::clamp((height() - foot() - 2 * margin) / std::max(1.0, s.height), 0.05, largest_scale);
  // A little wider than high reads better than the other way round.
  sy_ = std::min(sy_, 1.4 * sx_ + 0.2);
  offset_ = {(width() - s.width * sx_) / 2, (height() - foot() - s.height * sy_) / 2};
  update();
}

void LoopSchematicView::clamp_camera() {
  const LoopSchematic& s = *picture_.schematic;
  const auto hold = [](double offset, double size, double room) {
    const double slack = 0.5 * room;
    return std::clamp(offset, std::min(slack, room - size - slack), std::max(room - size - slack, slack));
  };
  offset_.setX(hold(offset_.x(), s.width * sx_, width()));
  offset_.setY(hold(offset_.y(), s.height * sy_, height() - foot()));
}

void LoopSchematicView::zoom_at(const QPointF& pixel, double factor) {
  if (!shows()) return;
  const double least = std::max(0.05 / sx_, 0.05 / sy_), most = std::min(6.0 / sx_, 6.0 / sy_);
  factor = std::clamp(factor, std::min(1.0, least), std::max(1.0, most));
  offset_ = pixel - (pixel - offset_) * factor;
  sx_ *= factor;
  sy_ *= factor;
  fitted_ = false;
  clamp_camera();
  update();
}
void LoopSchematicView::zoomBy(double factor) { zoom_at({width() / 2.0, height() / 2.0}, factor); }

QRectF LoopSchematicView::boxRect(int box) const {
  const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(box)];
  return {point({b.x, b.y}), point({b.x + b.width, b.y + b.height})};
}

QPointF LoopSchematicView::stretchMiddle(int stretch) const {
  const auto& points = picture_.schematic->stretches[static_cast<std::size_t>(stretch)].points;
  // Of its longest side.
  QPointF out;
  double longest = -1;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const QPointF a = point(points[i]), b = point(points[i + 1]);
    const double length = std::hypot(b.x() - a.x(), b.y() - a.y());
    if (length > longest) longest = length, out = (a + b) / 2;
  }
  return out;
}

Thing LoopSchematicView::at(const QPointF& pixel) const {
  if (!shows() || pixel.y() > height() - foot()) return {};
  const auto& boxes = picture_.schematic->boxes;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxRect(static_cast<int>(i)).contains(pixel)) return {ThingKind::box, static_cast<int>(i)};
  Thing out;
  double best = 6.0;
  const auto& stretches = picture_.schematic->stretches;
  for (std::size_t i = 0; i < stretches.size(); ++i)
    for (std::size_t k = 0; k + 1 < stretches[i].points.size(); ++k) {
      const QPointF a = point(stretches[i].points[k]), b = point(stretches[i].points[k + 1]);
      const QPointF d = b - a;
      const double square = QPointF::dotProduct(d, d);
      const double t = square > 0 ? std::clamp(QPointF::dotProduct(pixel - a, d) / square, 0.0, 1.0) : 0.0;
      const QPointF off = pixel - a - t * d;
      const double distance = std::hypot(off.x(), off.y());
      if (distance < best) best = distance, out = {ThingKind::stretch, static_cast<int>(i)};
    }
  return out;
}

int LoopSchematicView::standing_pumps(const LoopUnit& u) const {
  const int all = static_cast<int>(u.pumps.size());
  if (picture_.operation.units_out.count(u.unit)) return all;
  const auto stopped = picture_.operation.pumps_out.find(u.unit);
  return stopped == picture_.operation.pumps_out.end() ? 0 : std::clamp(stopped->second, 0, all);
}

std::optional<std::pair<QPointF, double>> LoopSchematicView::pumpAt(int box, std::size_t pump) const {
  const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(box)];
  if (b.kind != SchematicBoxKind::unit) return {};
  const LoopUnit& u = picture_.loop->units[b.members.front()];
  const QRectF in = boxRect(box).adjusted(7, 5, -7, -5);
  Canvas c;
  c.base_font = font();
  const double y = in.top() + c.size_of(QStringLiteral("0"), c.font(12, true)).height + 3;
  const double radius = std::min(
      {8.0, (in.width() / std::max<double>(1.0, static_cast<double>(u.pumps.size())) - 4) / 2, (in.bottom() - y) / 2});
  if (pump >= u.pumps.size() || radius < 4 || in.bottom() - y <= 2 * radius + 2) return {};
  return std::pair(QPointF(in.left() + radius + static_cast<double>(pump) * (2 * radius + 5), y + radius), radius);
}

bool LoopSchematicView::pumpStands(int box, std::size_t pump) const {
  const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(box)];
  const LoopUnit& u = picture_.loop->units[b.members.front()];
  return static_cast<int>(u.pumps.size() - pump) <= standing_pumps(u);
}

std::optional<std::size_t> LoopSchematicView::pump_under(int box, const QPointF& pixel) const {
  const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(box)];
  if (b.kind != SchematicBoxKind::unit) return {};
  for (std::size_t p = 0; p < picture_.loop->units[b.members.front()].pumps.size(); ++p)
    if (const auto symbol = pumpAt(box, p))
      if (const QPointF off = pixel - symbol->first; std::hypot(off.x(), off.y()) <= symbol->second + 1.5) return p;
  return {};
}

RackAlarm LoopSchematicView::alarm_of(const SchematicBox& box) const {
  RackAlarm out = RackAlarm::none;
  for (const std::size_t m : box.members)
    if (m < picture_.alarms.size()) out = std::max(out, picture_.alarms[m]);
  return out;
}

Thing LoopSchematicView::boxOf(const EntityRef& entity) const {
  if (!shows()) return {};
  const auto& boxes = picture_.schematic->boxes;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (const std::size_t m : boxes[i].members) {
      const bool unit = boxes[i].kind == SchematicBoxKind::unit;
      if (entity == (unit ? EntityRef{"cooling_units", picture_.loop->units[m].unit}
                          : EntityRef{picture_.loop->branch_table(), picture_.loop->racks[m].rack}))
        return {ThingKind::box, static_cast<int>(i)};
    }
  return {};
}

std::vector<EntityRef> LoopSchematicView::entities(const Thing& thing) const {
  std::vector<EntityRef> out;
  if (!shows() || thing.empty()) return out;
  const auto add_box = [&](int index) {
    const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(index)];
    for (const std::size_t m : b.members)
      out.push_back(b.kind == SchematicBoxKind::unit ? EntityRef{"cooling_units", picture_.loop->units[m].unit}
                                                     : EntityRef{picture_.loop->branch_table(), picture_.loop->racks[m].rack});
  };
  if (thing.kind == ThingKind::box) {
    add_box(thing.index);
    return out;
  }
  const SchematicStretch& s = picture_.schematic->stretches[static_cast<std::size_t>(thing.index)];
  if (s.section >= 0)
    out.push_back({"pipes", picture_.loop->sections[static_cast<std::size_t>(s.section)].pipe});
  else if (s.box >= 0)
    add_box(s.box);
  return out;
}

QString LoopSchematicView::words(const Thing& thing) const {
  if (!shows() || thing.empty()) return {};
  QStringList out;
  const DrawnLoop& loop = *picture_.loop;
  const LoopSolution* s = picture_.solution.get();
  if (thing.kind == ThingKind::box) {
    const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(thing.index)];
    if (b.kind == SchematicBoxKind::unit) {
      const LoopUnit& u = loop.units[b.members.front()];
      out << QString::fromStdString(u.name);
      if (picture_.operation.units_out.count(u.unit)) out << tr("Stopped and shut off");
      if (const auto p = picture_.operation.pumps_out.find(u.unit);
          p != picture_.operation.pumps_out.end() && p->second > 0)
        out << tr("%1 of %2 pumps stand").arg(p->second).arg(u.pumps.size());
      if (picture_.operation.facility_out.count(u.unit)) out << tr("Without facility water");
      if (s) {
        const UnitWork& w = s->units[b.members.front()];
        out << tr("Flow %1, pressure rise %2").arg(flow_text(w.flow_m3_per_s), pressure_text(w.head_pa));
        if (w.running && s->temperatures_known) {
          out << tr("Return %1, supply %2").arg(celsius_text(w.return_c), celsius_text(w.supply_c));
          if (!loop.facility && w.facility_flow_m3_per_s > 0)
            out << tr("Facility water %1, entering at %2")
                       .arg(flow_text(w.facility_flow_m3_per_s), celsius_text(w.facility_c));
          out << (w.capacity_w > 0 ? (loop.facility
                                          ? tr("Duty %1, %2 of the %3 that it rejects at this flow and return")
                                          : tr("Duty %1, %2 of the %3 that its exchanger carries at this flow and return"))
                                         .arg(power_text(w.duty_w), share_text(w.duty_share), power_text(w.capacity_w))
                                   : tr("Duty %1, capacity unknown").arg(power_text(w.duty_w)));
        }
        out << tr("Pumps at %1 speed, %2 electrical").arg(share_text(s->speed), power_text(w.pump_power_w));
      }
      if (loop.facility && !u.sink_c)
        out << tr("Rated %1").arg(u.capacity_w > 0 ? power_text(u.capacity_w) : tr("unknown"));
      else
        out << tr("Rated %1 at %2 K approach")
                   .arg(u.capacity_w > 0 ? power_text(u.capacity_w) : tr("unknown"),
                        screen_number(u.approach_k, 'g', 3));
      if (loop.facility && u.sink_c) out << tr("Rejects to %1 outside").arg(celsius_text(*u.sink_c));
    } else {
      const LoopRack& first = loop.racks[b.members.front()];
      if (const RackAlarm alarm = alarm_of(b); alarm != RackAlarm::none)
        out << (alarm == RackAlarm::warning    ? tr("Warning: its cold plates warm")
                : alarm == RackAlarm::throttle ? tr("Throttles")
                                               : tr("Trips"));
      if (b.members.size() == 1)
        out << QString::fromStdString(first.name);
      else
        out << tr("%1 to %2, %3 equal racks")
                   .arg(QString::fromStdString(first.name), QString::fromStdString(loop.racks[b.members.back()].name))
                   .arg(b.members.size());
      if (s) {
        std::size_t worst = b.members.front(), dry = 0;
        for (const std::size_t r : b.members) {
          if (!s->racks[r].flowing) ++dry;
          if (s->racks[r].share < s->racks[worst].share) worst = r;
        }
        const RackFlow& f = s->racks[worst];
        if (dry > 0)
          out << (b.members.size() == 1 ? tr("No coolant flows") : tr("No coolant flows through %1 of them").arg(dry));
        if (f.flowing) {
          out << tr("Flow %1 of %2 needed (%3)")
                     .arg(flow_text(f.flow_m3_per_s), flow_text(loop.racks[worst].need_m3_per_s), share_text(f.share));
          if (s->temperatures_known)
            out << tr("Supply %1, return %2").arg(celsius_text(f.supply_c), celsius_text(f.return_c));
          out << tr("%1 at its inlet, %2 lost between the pipes")
                     .arg(pressure_text(f.inlet_pressure_pa), pressure_text(f.drop_pa));
          out << (loop.facility ? tr("%1 in its connections") : tr("%1 in hoses")).arg(screen_text(f.hose_velocity_m_per_s, kind::velocity, 3, "m/s"));
        }
      }
      out << (loop.facility ? tr("%1 into the facility water") : tr("%1 to liquid")).arg(power_text(first.heat_w));
    }
    return out.join(QLatin1Char('\n'));
  }
  const SchematicStretch& t = picture_.schematic->stretches[static_cast<std::size_t>(thing.index)];
  const QString side = t.side == PipeSide::supply ? tr("supply") : tr("return");
  if (t.section >= 0) {
    const LoopSection& section = loop.sections[static_cast<std::size_t>(t.section)];
    out << QString::fromStdString(section.name);
    out << tr("%1 pipe, inner diameter %2")
               .arg(t.side == PipeSide::supply ? tr("Supply") : tr("Return"),
                    screen_text(section.diameter_m, kind::length, 4, "mm"));
  } else if (t.kind == StretchKind::joint)
    out << tr("Joint of two %1 pipes").arg(side);
  else {
    const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(t.box)];
    const QString name = QString::fromStdString(b.kind == SchematicBoxKind::unit ? loop.units[b.members.front()].name
                                                                                 : loop.racks[b.members.front()].name);
    out << (t.kind == StretchKind::hose
                ? (loop.facility ? (t.side == PipeSide::supply ? tr("Facility water to %1") : tr("Facility water from %1"))
                                 : (t.side == PipeSide::supply ? tr("Supply hose of %1") : tr("Return hose of %1")))
                : (t.side == PipeSide::supply ? tr("Supply connection of %1") : tr("Return connection of %1")))
               .arg(name);
    if (b.members.size() > 1) out << tr("and of %1 equal racks beside it").arg(b.members.size() - 1);
  }
  if (shut(thing.index)) out << tr("Shut off");
  const double flow = flow_of(thing.index);
  if (!flows(flow))
    out << tr("Nothing flows");
  else {
    out << tr("Flow %1").arg(flow_text(std::abs(flow)));
    if (t.section >= 0) {
      const double d = loop.sections[static_cast<std::size_t>(t.section)].diameter_m;
      out << tr("Velocity %1")
                 .arg(screen_text(std::abs(flow) / (0.25 * 3.14159265358979 * d * d), kind::velocity, 3, "m/s"));
    }
  }
  if (const auto c = temperature_of(thing.index)) out << tr("Temperature %1").arg(celsius_text(*c));
  if (const auto p = pressure_of(thing.index)) out << tr("Pressure %1").arg(pressure_text(*p));
  return out.join(QLatin1Char('\n'));
}

// --- painting --------------------------------------------------------------------------------------------------------

void LoopSchematicView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

QImage LoopSchematicView::image() {
  QImage out(size() * 2, QImage::Format_ARGB32_Premultiplied);
  out.setDevicePixelRatio(2);
  QPainter painter(&out);
  paint(painter);
  return out;
}

void LoopSchematicView::paint(QPainter& painter) {
  const Theme& t = theme();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), t.canvas);
  painter.setFont(font());
  labels_.clear();
  if (!shows()) {
    painter.setPen(t.secondary_text);
    painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, empty_);
    return;
  }
  words_.begin(font(), painter.device()->devicePixelRatioF());
  Canvas c;
  c.painter = &painter;
  c.scale = 1;
  c.colors = plan::PlanColors::screen();
  c.base_font = font();
  c.words = &words_;
  const auto n = static_cast<int>(picture_.schematic->stretches.size());
  // What is lit or chosen shines under the pipes.
  const auto halo = [&](int i, const QColor& color, double wider) {
    const SchematicStretch& s = picture_.schematic->stretches[static_cast<std::size_t>(i)];
    QPolygonF line;
    for (const SchematicPoint& p : s.points)
      line << point(p);
    painter.setPen(QPen(color, width_of(flow_of(i)) + wider, Qt::SolidLine, Qt::RoundCap, Qt::MiterJoin));
    painter.drawPolyline(line);
  };
  painter.setBrush(Qt::NoBrush);
  for (int i = 0; i < n; ++i) {
    const SchematicStretch& s = picture_.schematic->stretches[static_cast<std::size_t>(i)];
    if (s.section >= 0 && lit_pipes_.count(picture_.loop->sections[static_cast<std::size_t>(s.section)].pipe))
      halo(i, t.accent_soft, 9);
  }
  if (hovered_.kind == ThingKind::stretch) halo(hovered_.index, t.accent_soft, 7);
  if (selected_.kind == ThingKind::stretch) halo(selected_.index, t.accent, 5);
  // Hoses first, so that headers run over them.
  for (const bool headers : {false, true})
    for (int i = 0; i < n; ++i) {
      const StretchKind k = picture_.schematic->stretches[static_cast<std::size_t>(i)].kind;
      if ((k == StretchKind::header || k == StretchKind::joint) == headers) paint_stretch(c, i);
    }
  for (const SchematicDot& d : picture_.schematic->dots) {
    painter.setPen(QPen(t.canvas, 1.2));
    painter.setBrush(t.text);
    painter.drawEllipse(point(d.at), 4.0, 4.0);
  }
  for (std::size_t i = 0; i < picture_.schematic->boxes.size(); ++i) {
    const QRectF r = boxRect(static_cast<int>(i));
    if (r.right() < 0 || r.left() > width() || r.bottom() < 0 || r.top() > height()) continue;
    if (picture_.schematic->boxes[i].kind == SchematicBoxKind::unit)
      paint_unit(c, static_cast<int>(i));
    else
      paint_rack(c, static_cast<int>(i));
  }
  paint_labels(c);
  paint_legend(c);
  if (hasFocus() && selected_.empty()) {
    painter.setPen(QPen(t.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void LoopSchematicView::paint_stretch(const Canvas& c, int index) const {
  const Theme& t = theme();
  const SchematicStretch& s = picture_.schematic->stretches[static_cast<std::size_t>(index)];
  const double flow = flow_of(index);
  QPolygonF line;
  for (const SchematicPoint& p : s.points)
    line << point(p);
  QPen pen(t.structure, 1.6, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
  const auto celsius = temperature_of(index);
  if (shut(index))
    pen = QPen(t.red, 2, Qt::DashLine, Qt::FlatCap, Qt::MiterJoin);
  else if (!flows(flow))
    pen = QPen(t.structure, 1.6, Qt::DotLine, Qt::FlatCap, Qt::MiterJoin);
  else {
    pen.setWidthF(width_of(flow));
    pen.setColor(celsius ? color_of(*celsius) : t.structure);
    pen.setCapStyle(Qt::SquareCap);
  }
  c.painter->setPen(pen);
  c.painter->setBrush(Qt::NoBrush);
  c.painter->drawPolyline(line);
  if (shut(index) && s.section >= 0) {
    const QPointF m = stretchMiddle(index);
    c.painter->setPen(QPen(t.red, 2.4));
    c.painter->drawLine(m + QPointF(-5, -5), m + QPointF(5, 5));
    c.painter->drawLine(m + QPointF(-5, 5), m + QPointF(5, -5));
    return;
  }
  // Which way it flows, where there is room for an arrow.
  if (!flows(flow) || s.points.size() < 2) return;
  double longest = 0;
  QPointF from, to;
  for (int i = 0; i + 1 < line.size(); ++i) {
    const QPointF d = line[i + 1] - line[i];
    const double length = std::hypot(d.x(), d.y());
    if (length > longest) longest = length, from = line[i], to = line[i + 1];
  }
  if (longest < 22) return;
  if (flow < 0) std::swap(from, to);
  const QPointF along = (to - from) / longest, across(-along.y(), along.x()), tip = from + along * (longest * 0.5 + 3);
  const double w = std::max(2.2, pen.widthF() * 0.32);
  c.painter->setPen(Qt::NoPen);
  c.painter->setBrush(t.canvas);
  c.painter->drawPolygon(QPolygonF{tip, tip - along * 2 * w + across * w, tip - along * 2 * w - across * w});
}

void LoopSchematicView::paint_labels(const Canvas& c) {
  const Theme& t = theme();
  const QFont font = c.font(10);
  const auto& all = picture_.schematic->stretches;
  std::vector<QRectF> taken;
  for (std::size_t i = 0; i < picture_.schematic->boxes.size(); ++i)
    taken.push_back(boxRect(static_cast<int>(i)));
  // Upright pipes keep words away.
  for (const SchematicStretch& s : all)
    for (std::size_t k = 0; k + 1 < s.points.size(); ++k) {
      const QPointF a = point(s.points[k]), b = point(s.points[k + 1]);
      taken.push_back(QRectF(a, b).normalized().adjusted(-2, -2, 2, 2));
    }
  std::vector<std::pair<double, int>> order; // the longest first
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == StretchKind::hose || all[i].kind == StretchKind::connection) continue;
    double longest = 0;
    for (std::size_t k = 0; k + 1 < all[i].points.size(); ++k)
      longest = std::max(longest, std::abs(point(all[i].points[k + 1]).x() - point(all[i].points[k]).x()));
    order.push_back({-longest, static_cast<int>(i)});
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [minus_length, index] : order) {
    const SchematicStretch& s = all[static_cast<std::size_t>(index)];
    const double flow = flow_of(index);
    if (!flows(flow)) continue;
    double longest = 0;
    QPointF a, b;
    for (std::size_t k = 0; k + 1 < s.points.size(); ++k) {
      const QPointF p = point(s.points[k]), q = point(s.points[k + 1]);
      if (std::abs(p.y() - q.y()) < 0.5 && std::abs(q.x() - p.x()) > longest)
        longest = std::abs(q.x() - p.x()), a = p, b = q;
    }
    if (longest < 20) continue;
    const auto celsius = temperature_of(index);
    const auto pressure = pressure_of(index);
    QStringList forms;
    QString whole = flow_text(std::abs(flow));
    const QString with_flow = whole;
    if (celsius) whole += QStringLiteral(" \u00b7 ") + celsius_text(*celsius);
    const QString with_heat = whole;
    if (pressure) whole += QStringLiteral(" \u00b7 ") + pressure_text(*pressure);
    forms << whole << with_heat << with_flow << flow_number(std::abs(flow));
    const double half = width_of(flow) / 2 + 2;
    for (const QString& form : forms) {
      const plan::WordSize size = c.size_of(form, font);
      if (size.width + 8 > longest) continue;
      // Away from the racks.
      const double y = s.side == PipeSide::supply ? a.y() - half - size.height : a.y() + half;
      const QRectF r((a.x() + b.x() - size.width) / 2 - 2, y, size.width + 4, size.height);
      if (r.top() < 0 || r.bottom() > height() - foot() || r.right() < 0 || r.left() > width()) break;
      if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& o) { return o.intersects(r); })) continue;
      taken.push_back(r);
      labels_.push_back(r);
      c.text_at({r.center().x(), r.top()}, Qt::AlignHCenter | Qt::AlignTop, form, font, t.secondary_text);
      break;
    }
  }
}

void LoopSchematicView::paint_unit(const Canvas& c, int index) const {
  const Theme& t = theme();
  const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(index)];
  const LoopUnit& u = picture_.loop->units[b.members.front()];
  const UnitWork* w = picture_.solution ? &picture_.solution->units[b.members.front()] : nullptr;
  const QRectF r = boxRect(index);
  const bool out = picture_.operation.units_out.count(u.unit) > 0;
  const bool dry = picture_.operation.facility_out.count(u.unit) > 0;
  const bool over = w && w->capacity_w > 0 && w->duty_share > 1.0;
  const bool lit = lit_units_.count(u.unit) > 0;
  const Thing self{ThingKind::box, index};
  QPen frame(out || dry || over ? t.red : t.liquid, out || dry ? 2 : 1.4);
  if (hovered_ == self) frame.setWidthF(2.2);
  c.tile(r, 4, frame, out ? t.red_soft : t.panel);
  if (selected_ == self || lit)
    c.tile(r.adjusted(-3, -3, 3, 3), 6, QPen(t.accent, selected_ == self ? 2.4 : 1.6), Qt::NoBrush);
  const QFont bold = c.font(12, true), small = c.font(11);
  const double line = c.size_of(QStringLiteral("0"), bold).height, pad = 7;
  const QRectF in = r.adjusted(pad, 5, -pad, -5);
  if (in.width() < 16 || in.height() < line) return;
  c.painter->save();
  c.painter->setClipRect(r);
  QFontMetricsF metrics(bold);
  c.text_at(in.topLeft(), Qt::AlignLeft | Qt::AlignTop,
            metrics.elidedText(QString::fromStdString(u.name), Qt::ElideRight, in.width()), bold, t.text);
  double y = in.top() + line + 3;
  // Its pumps: filled triangles run, crossed circles stand.
  const int standing = standing_pumps(u);
  if (const auto first = pumpAt(index, 0)) {
    const double radius = first->second;
    y = first->first.y() - radius;
    for (std::size_t p = 0; p < u.pumps.size(); ++p) {
      const QPointF m = pumpAt(index, p)->first;
      const bool runs = !pumpStands(index, p) && (!w || w->running);
      c.painter->setPen(QPen(runs ? t.liquid : standing > 0 ? t.red : t.structure, 1.4));
      c.painter->setBrush(t.canvas);
      c.painter->drawEllipse(m, radius, radius);
      if (runs) {
        c.painter->setPen(Qt::NoPen);
        c.painter->setBrush(t.liquid);
        c.painter->drawPolygon(QPolygonF{m + QPointF(-0.45 * radius, -0.6 * radius), m + QPointF(0.7 * radius, 0),
                                         m + QPointF(-0.45 * radius, 0.6 * radius)});
      } else {
        c.painter->drawLine(m + QPointF(-0.6, -0.6) * radius, m + QPointF(0.6, 0.6) * radius);
        c.painter->drawLine(m + QPointF(-0.6, 0.6) * radius, m + QPointF(0.6, -0.6) * radius);
      }
    }
    const double room = in.right() - (in.left() + static_cast<double>(u.pumps.size()) * (2 * radius + 5));
    const QString state = out                 ? tr("out")
                          : dry               ? tr("no water")
                          : picture_.solution ? share_text(picture_.solution->speed)
                                              : QString();
    if (c.size_of(state, small).width <= room)
      c.text_at({in.right(), y + radius}, Qt::AlignRight | Qt::AlignVCenter, state, small,
                out || dry ? t.red : t.secondary_text);
    y += 2 * radius + 5;
  }
  // Duty against what its exchanger passes on.
  if (in.bottom() - y >= 6 && u.capacity_w > 0) {
    const QRectF bar(in.left(), y, in.width(), 6);
    c.fill(bar, t.grid_major);
    if (w && w->running && picture_.solution->temperatures_known && !dry)
      c.fill(QRectF(bar.left(), bar.top(), bar.width() * std::clamp(w->duty_share, 0.0, 1.0), bar.height()),
             over ? t.red : t.accent);
    y += 9;
  }
  const auto say = [&](const QStringList& forms) {
    if (in.bottom() - y < line - 2) return;
    for (const QString& words : forms)
      if (c.size_of(words, small).width <= in.width()) {
        c.text_at({in.left(), y}, Qt::AlignLeft | Qt::AlignTop, words, small, t.secondary_text);
        y += line;
        return;
      }
  };
  if (w && w->running) {
    if (picture_.solution->temperatures_known && !dry)
      say(w->capacity_w > 0
              ? QStringList{QStringLiteral("%1 \u00b7 %2").arg(power_text(w->duty_w), share_text(w->duty_share)),
                            share_text(w->duty_share)}
              : QStringList{power_text(w->duty_w)});
    say({QStringLiteral("%1 \u00b7 %2").arg(flow_text(w->flow_m3_per_s), pressure_text(w->head_pa)),
         flow_text(w->flow_m3_per_s), flow_number(w->flow_m3_per_s)});
    if (picture_.solution->temperatures_known)
      say({QStringLiteral("%1 \u2192 %2 \u00b0C")
               .arg(screen_number(w->return_c, 'f', 1), screen_number(w->supply_c, 'f', 1))});
  }
  c.painter->restore();
}

void LoopSchematicView::paint_rack(const Canvas& c, int index) const {
  const Theme& t = theme();
  const SchematicBox& b = picture_.schematic->boxes[static_cast<std::size_t>(index)];
  const QRectF r = boxRect(index);
  const Thing self{ThingKind::box, index};
  const LoopSolution* s = picture_.solution.get();
  // Of several the worst one.
  std::size_t worst = b.members.front(), dry = 0, shut_off = 0;
  bool lit = false, warm = false;
  for (const std::size_t m : b.members) {
    const LoopRack& rack = picture_.loop->racks[m];
    lit = lit || (of_water() ? lit_sides_ : lit_racks_).count(rack.rack) > 0;
    if (picture_.operation.racks_shut.count(rack.rack)) ++shut_off;
    if (!s) continue;
    if (!s->racks[m].flowing) ++dry;
    if (s->racks[m].share < s->racks[worst].share) worst = m;
    const double warmest = rack.warmest_supply_c.value_or(picture_.loop->supply_c + supply_tolerance_k);
    warm = warm || (s->racks[m].flowing && s->temperatures_known &&
                    s->racks[m].supply_c > std::max(warmest, picture_.loop->supply_c + supply_tolerance_k));
  }
  const bool is_short = s && s->racks[worst].flowing && s->racks[worst].share < enough_share;
  // After a loss what counts is how far its plates have warmed.
  const bool instant = !picture_.alarms.empty();
  const RackAlarm alarm = alarm_of(b);
  const bool bad = instant ? alarm >= RackAlarm::throttle : !s || dry > 0 || is_short;
  const bool amber = instant ? alarm == RackAlarm::warning : warm;
  QPen frame(bad ? t.red : amber ? t.amber : t.rack_border, bad || amber ? 1.8 : 1.2);
  if (hovered_ == self) frame.setWidthF(2.2);
  c.tile(r, 3, frame,
         instant         ? (bad     ? t.red_soft
                            : amber ? t.amber_soft
                                    : t.panel)
         : dry > 0 || !s ? t.red_soft
                         : t.panel);
  if (b.members.size() > 1 && r.width() > 14) // several behind each other
    c.line({r.right() + 2.5, r.top() + 4}, {r.right() + 2.5, r.bottom() - 1}, QPen(t.rack_border, 1.2));
  if (selected_ == self || lit)
    c.tile(r.adjusted(-3, -3, 3, 3), 5, QPen(t.accent, selected_ == self ? 2.4 : 1.6), Qt::NoBrush);
  const QFont bold = c.font(11, true), small = c.font(11);
  const double line = c.size_of(QStringLiteral("0"), small).height;
  const QRectF in = r.adjusted(3, 3, -3, -3);
  // Bar of flow against the need, from the foot; the need is the mark.
  const bool roomy = in.height() > 3.4 * line;
  QString name = QString::fromStdString(picture_.loop->racks[b.members.front()].name);
  if (b.members.size() > 1) name = QStringLiteral("%1 \u00d7 %2").arg(b.members.size()).arg(name);
  double top = in.top();
  const bool named = in.height() > line + 6 && c.size_of(name, bold).width <= in.width();
  if (named) {
    c.text_at({in.center().x(), in.top()}, Qt::AlignHCenter | Qt::AlignTop, name, bold, t.text);
    top += line + 1;
  } else if (b.members.size() > 1 && in.height() > line + 6) {
    const QString count = QStringLiteral("%1\u00d7").arg(b.members.size());
    if (c.size_of(count, bold).width <= in.width()) {
      c.text_at({in.center().x(), in.top()}, Qt::AlignHCenter | Qt::AlignTop, count, bold, t.text);
      top += line + 1;
    }
  }
  double foot_y = in.bottom();
  if (roomy && s) {
    const RackFlow& f = s->racks[worst];
    const QString flow = alarm == RackAlarm::trip       ? tr("trip")
                         : alarm == RackAlarm::throttle ? tr("throttle")
                         : alarm == RackAlarm::warning  ? tr("warning")
                         : dry > 0                      ? (shut_off > 0 ? tr("shut") : tr("dry"))
                                                        : flow_number(f.flow_m3_per_s);
    const QString heat =
        f.flowing && s->temperatures_known ? screen_number(f.return_c, 'f', 1) + QStringLiteral(" \u00b0C") : QString();
    if (!heat.isEmpty() && in.height() > 4.4 * line && c.size_of(heat, small).width <= in.width()) {
      foot_y -= line;
      c.text_at({in.center().x(), foot_y}, Qt::AlignHCenter | Qt::AlignTop, heat, small, t.secondary_text);
    }
    if (c.size_of(flow, small).width <= in.width()) {
      foot_y -= line;
      c.text_at({in.center().x(), foot_y}, Qt::AlignHCenter | Qt::AlignTop, flow, small,
                bad ? t.red : t.secondary_text);
    }
  }
  const QRectF column(in.left() + in.width() * 0.22, top + 1, in.width() * 0.56, foot_y - top - 3);
  if (column.height() < 4) return;
  c.fill(column, t.grid_major);
  const double scale = 1.25; // the mark of the need stands at four fifths
  if (s && s->racks[worst].flowing) {
    const double share = std::clamp(s->racks[worst].share / scale, 0.0, 1.0);
    c.fill(QRectF(column.left(), column.bottom() - column.height() * share, column.width(), column.height() * share),
           is_short ? t.red : t.accent);
  }
  const double need = column.bottom() - column.height() / scale;
  c.fill(QRectF(column.left() - 3, std::round(need), column.width() + 6, 1.4), t.text);
}

void LoopSchematicView::paint_legend(const Canvas& c) const {
  const Theme& t = theme();
  const double high = foot();
  const QRectF area(0, height() - high, width(), high);
  c.fill(area, t.canvas);
  c.hairline(area.topLeft(), area.topRight(), t.grid_major);
  const QFont font = c.font(11);
  const double middle = area.center().y();
  double x = margin;
  const auto put = [&](const QString& words, const QColor& color) {
    const double wide = c.size_of(words, font).width;
    if (x + wide > width() - margin) return false;
    c.text_at({x, middle}, Qt::AlignLeft | Qt::AlignVCenter, words, font, color);
    x += wide;
    return true;
  };
  if (!put(celsius_text(picture_.loop->supply_c), t.secondary_text)) return;
  x += 6;
  QLinearGradient scale(x, 0, x + 96, 0);
  for (const double s : {0.0, 0.5, 1.0})
    scale.setColorAt(s, coolant_color(s));
  c.fill(QRectF(x, middle - 4, 96, 8), scale);
  x += 102;
  if (!put(celsius_text(std::max(picture_.warmest_c, picture_.loop->supply_c + 1.0)), t.secondary_text)) return;
  x += 22;
  const auto entry = [&](const QColor& fill, const QColor& edge, const QString& words) {
    if (x + 16 + c.size_of(words, font).width > width() - margin) return;
    c.tile(QRectF(x, middle - 5, 10, 10), 2, QPen(edge, 1.4), fill);
    x += 16;
    put(words, t.secondary_text);
    x += 18;
  };
  entry(t.accent, t.accent,
        of_water() ? tr("facility water of a unit, L/min; mark: its need") : tr("flow of a rack, L/min; mark: its need"));
  if (picture_.alarms.empty()) {
    entry(t.red_soft, t.red, tr("short, dry or out"));
    entry(t.panel, t.amber, tr("supply too warm"));
  } else {
    entry(t.amber_soft, t.amber, tr("warning"));
    entry(t.red_soft, t.red, tr("throttles or trips"));
  }
  entry(t.accent, t.liquid,
        of_water() ? tr("% of what it rejects at this flow") : tr("% of what its exchanger carries at this flow"));
  const QString hint = tr("F or double click: fail \u00b7 R: restore");
  const double wide = c.size_of(hint, font).width;
  if (x + wide + margin < width())
    c.text_at({width() - margin, middle}, Qt::AlignRight | Qt::AlignVCenter, hint, font, t.secondary_text);
}

// --- mouse and keys --------------------------------------------------------------------------------------------------

bool LoopSchematicView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = words(at(help->pos()));
    if (text.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void LoopSchematicView::resizeEvent(QResizeEvent* event) {
  if (fitted_)
    fit();
  else if (shows())
    clamp_camera();
  QWidget::resizeEvent(event);
}

void LoopSchematicView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return QWidget::mousePressEvent(event);
  pressing_ = event->button() == Qt::LeftButton;
  panning_ = event->button() == Qt::MiddleButton;
  pressed_ = last_ = event->position();
}

void LoopSchematicView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF p = event->position();
  if (pressing_ && !panning_ && (p - pressed_).manhattanLength() > 5) panning_ = true;
  if (panning_ && shows()) {
    offset_ += p - last_;
    last_ = p;
    fitted_ = false;
    clamp_camera();
    setCursor(Qt::ClosedHandCursor);
    update();
    return;
  }
  last_ = p;
  const Thing under = at(p);
  if (under == hovered_) return;
  hovered_ = under;
  setCursor(under.empty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
  update();
}

void LoopSchematicView::mouseReleaseEvent(QMouseEvent* event) {
  const bool click = pressing_ && !panning_;
  pressing_ = panning_ = false;
  setCursor(Qt::ArrowCursor);
  if (click && event->button() == Qt::LeftButton) choose(at(event->position()));
}

void LoopSchematicView::mouseDoubleClickEvent(QMouseEvent* event) {
  pressing_ = false;
  const Thing under = at(event->position());
  if (event->button() != Qt::LeftButton || under.empty()) return;
  choose(under);
  if (under.kind == ThingKind::box)
    if (const auto pump = pump_under(under.index, event->position()))
      if (const LoopUnit& u =
              picture_.loop->units[picture_.schematic->boxes[static_cast<std::size_t>(under.index)].members.front()];
          picture_.operation.units_out.count(u.unit) == 0) {
        Q_EMIT pumpRequested(under, !pumpStands(under.index, *pump));
        return;
      }
  Q_EMIT failRequested(under);
}

void LoopSchematicView::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse) {
    const Thing under = at(event->pos());
    if (!under.empty()) choose(under);
  }
  Q_EMIT menuRequested(event->globalPos());
}

void LoopSchematicView::wheelEvent(QWheelEvent* event) {
  const double turns = event->angleDelta().y() / 120.0;
  if (turns != 0.0) zoom_at(event->position(), std::pow(1.2, turns));
  event->accept();
}

void LoopSchematicView::step(int dx, int dy) {
  if (!shows()) return;
  const auto& s = *picture_.schematic;
  struct Candidate {
    Thing thing;
    QPointF at;
  };
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < s.boxes.size(); ++i)
    all.push_back({{ThingKind::box, static_cast<int>(i)}, boxRect(static_cast<int>(i)).center()});
  for (std::size_t i = 0; i < s.stretches.size(); ++i)
    if (s.stretches[i].kind == StretchKind::header)
      all.push_back({{ThingKind::stretch, static_cast<int>(i)}, stretchMiddle(static_cast<int>(i))});
  if (selected_.empty()) {
    // From the corner at the upper left.
    const auto first =
        std::find_if(all.begin(), all.end(), [](const Candidate& a) { return a.thing.kind == ThingKind::box; });
    if (first != all.end()) choose(first->thing);
    return;
  }
  const QPointF here =
      selected_.kind == ThingKind::box ? boxRect(selected_.index).center() : stretchMiddle(selected_.index);
  const Candidate* best = nullptr;
  double least = 1e18;
  for (const Candidate& a : all) {
    if (a.thing == selected_) continue;
    const QPointF d = a.at - here;
    const double forward = d.x() * dx + d.y() * dy, aside = std::abs(d.x() * dy) + std::abs(d.y() * dx);
    if (forward < 1.0 || aside > 3 * forward) continue;
    const double cost = forward + 2.5 * aside;
    if (cost < least) least = cost, best = &a;
  }
  if (!best) return;
  choose(best->thing);
  // In sight.
  const QRectF room = QRectF(rect()).adjusted(24, 24, -24, -24 - foot());
  QPointF move;
  if (best->at.x() < room.left()) move.setX(room.left() - best->at.x());
  if (best->at.x() > room.right()) move.setX(room.right() - best->at.x());
  if (best->at.y() < room.top()) move.setY(room.top() - best->at.y());
  if (best->at.y() > room.bottom()) move.setY(room.bottom() - best->at.y());
  if (!move.isNull()) {
    offset_ += move;
    fitted_ = false;
    update();
  }
}

void LoopSchematicView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Left:
    return step(-1, 0);
  case Qt::Key_Right:
    return step(1, 0);
  case Qt::Key_Up:
    return step(0, -1);
  case Qt::Key_Down:
    return step(0, 1);
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    return zoomBy(1.25);
  case Qt::Key_Minus:
    return zoomBy(0.8);
  case Qt::Key_Home:
    return fit();
  case Qt::Key_F:
    if (event->modifiers() != Qt::NoModifier) break;
    if (!selected_.empty()) Q_EMIT failRequested(selected_);
    return;
  case Qt::Key_R:
    if (event->modifiers() != Qt::NoModifier) break;
    if (!selected_.empty()) Q_EMIT restoreRequested(selected_);
    return;
  case Qt::Key_Escape:
    if (selected_.empty()) break;
    return choose({});
  default:
    break;
  }
  QWidget::keyPressEvent(event);
}

void LoopSchematicView::leaveEvent(QEvent* event) {
  if (!hovered_.empty()) {
    hovered_ = {};
    update();
  }
  QWidget::leaveEvent(event);
}
void LoopSchematicView::hideEvent(QHideEvent* event) {
  pressing_ = panning_ = false;
  setCursor(Qt::ArrowCursor);
  QWidget::hideEvent(event);
}
void LoopSchematicView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}
void LoopSchematicView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void LoopSchematicView::tell_accessible() {
  QString text = empty_;
  if (shows()) {
    const LoopSolution* s = picture_.solution.get();
    text = (of_water() ? tr("%1: %2 units, facility water of %3 distribution units.") : tr("%1: %2 units, %3 racks."))
               .arg(QString::fromStdString(picture_.loop->name))
               .arg(picture_.loop->units.size())
               .arg(picture_.loop->racks.size());
    if (s) text += QLatin1Char(' ') + tr("Flow %1.").arg(flow_text(s->flow_m3_per_s));
    const QString chosen = words(selected_);
    if (!chosen.isEmpty())
      text +=
          QLatin1Char(' ') + tr("Selected: %1").arg(QString(chosen).replace(QLatin1Char('\n'), QStringLiteral("; ")));
  }
  setAccessibleDescription(text);
  QAccessibleEvent told(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&told);
}

} // namespace hallwright::loops
