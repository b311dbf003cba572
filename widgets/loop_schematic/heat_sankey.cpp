// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loop_schematic/heat_sankey.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "widgets/figure_text.h"
#include "widgets/loop_schematic/loop_schematic_view.h"
#include "widgets/theme.h"

namespace hallwright::loops {
namespace {

constexpr double node_width = 12;

} // namespace

HeatSankey::HeatSankey(QWidget* parent) : PaintedChart(parent) {
  setObjectName(QStringLiteral("heat_sankey"));
  setAccessibleName(tr("Where the heat goes"));
}

QString HeatSankey::name_of(int node) const {
  const HeatNode& n = flows_.nodes[static_cast<std::size_t>(node)];
  // What the engine calls by a word of its own is said in the words of the screen.
  if (n.name == "Chips and electronics") return tr("Chips and electronics");
  if (n.name == "Liquid") return tr("Liquid");
  if (n.name == "Air") return tr("Air");
  if (n.name == "Facility water") return tr("Facility water");
  if (n.name == "Sky") return tr("Sky");
  if (n.name == "Room units") return tr("Room units");
  if (n.name == "Not carried away") return tr("Not carried away");
  if (n.name == "Loops without pipes") return tr("Loops without pipes");
  return QString::fromStdString(n.name);
}

QColor HeatSankey::color_of(const HeatNode& n) const {
  if (n.lost) return theme().red;
  if (n.name == "Air" || n.name == "Room units") return theme().structure;
  return coolant_color(1.0 - n.column / 4.0);
}

void HeatSankey::setFlows(HeatFlows flows) {
  flows_ = std::move(flows);
  lay();
  QStringList said;
  for (std::size_t i = 0; i < flows_.nodes.size(); ++i)
    said << QStringLiteral("%1 %2").arg(name_of(static_cast<int>(i)), screen_text(flows_.nodes[i].watts, kind::power));
  if (!said.isEmpty()) setAccessibleDescription(said.join(QStringLiteral("; ")));
  update();
}

void HeatSankey::lay() {
  rects_.assign(flows_.nodes.size(), {});
  bands_.assign(flows_.links.size(), {});
  if (flows_.empty()) return;
  const QFontMetricsF m(small_font());
  const double line = m.height(), gap = 1.35 * line, top = 1.4 * line, left = 6, right = 6;
  double label = 0;
  for (std::size_t i = 0; i < flows_.nodes.size(); ++i)
    if (flows_.nodes[i].column == 4)
      label = std::max(label, m.horizontalAdvance(QStringLiteral("%1  %2").arg(
                                  name_of(static_cast<int>(i)), screen_text(flows_.nodes[i].watts, kind::power))) +
                                  8.0);
  // One scale for all columns: that of the fullest.
  double scale = 1e18;
  for (int c = 0; c <= 4; ++c) {
    double sum = 0;
    int n = 0;
    for (const HeatNode& k : flows_.nodes)
      if (k.column == c) sum += k.watts, ++n;
    if (n == 0) continue;
    // Names stand above their node where several stand below each other.
    const double room = std::max(20.0, height() - top - 8 - (n - 1) * gap);
    scale = std::min(scale, room / sum);
  }
  const double wide =
      std::max(60.0, width() - left - right - node_width - std::max(label, m.horizontalAdvance(tr("Sky")) + 8));
  for (int c = 0; c <= 4; ++c) {
    double y = top;
    for (std::size_t i = 0; i < flows_.nodes.size(); ++i) {
      if (flows_.nodes[i].column != c) continue;
      const double high = std::max(1.5, flows_.nodes[i].watts * scale);
      rects_[i] = QRectF(left + wide * c / 4, y, node_width, high);
      y += high + gap;
    }
  }
  std::vector<double> leaves(flows_.nodes.size(), 0), enters(flows_.nodes.size(), 0);
  for (std::size_t i = 0; i < flows_.links.size(); ++i) {
    const HeatLink& l = flows_.links[i];
    bands_[i].high = l.watts * scale;
    bands_[i].from_y = rects_[l.from].top() + leaves[l.from];
    bands_[i].to_y = rects_[l.to].top() + enters[l.to];
    leaves[l.from] += bands_[i].high;
    enters[l.to] += bands_[i].high;
  }
}

QRectF HeatSankey::nodeRect(int node) const { return rects_[static_cast<std::size_t>(node)]; }

QString HeatSankey::textAt(const QPointF& at) const {
  for (std::size_t i = 0; i < rects_.size(); ++i)
    if (rects_[i].adjusted(-4, -16, 60, 2).contains(at))
      return QStringLiteral("%1\n%2").arg(name_of(static_cast<int>(i)),
                                          screen_text(flows_.nodes[i].watts, kind::power, 4));
  return {};
}

void HeatSankey::paint(QPainter& painter) {
  const Theme& t = theme();
  const QFont small = small_font();
  const QFontMetricsF m(small);
  painter.setPen(Qt::NoPen);
  for (std::size_t i = 0; i < flows_.links.size(); ++i) {
    const HeatLink& l = flows_.links[i];
    const QRectF a = rects_[l.from], b = rects_[l.to];
    const double x0 = a.right(), x1 = b.left(), middle = (x0 + x1) / 2;
    QPainterPath band(QPointF(x0, bands_[i].from_y));
    band.cubicTo(middle, bands_[i].from_y, middle, bands_[i].to_y, x1, bands_[i].to_y);
    band.lineTo(x1, bands_[i].to_y + bands_[i].high);
    band.cubicTo(middle, bands_[i].to_y + bands_[i].high, middle, bands_[i].from_y + bands_[i].high, x0,
                 bands_[i].from_y + bands_[i].high);
    QColor color = color_of(flows_.nodes[l.to].lost || flows_.nodes[l.to].name == "Air" ? flows_.nodes[l.to]
                                                                                        : flows_.nodes[l.from]);
    color.setAlpha(95);
    painter.setBrush(color);
    painter.drawPath(band);
  }
  painter.setFont(small);
  for (std::size_t i = 0; i < rects_.size(); ++i) {
    painter.fillRect(rects_[i], color_of(flows_.nodes[i]));
    const int column = flows_.nodes[i].column;
    double room = width() - rects_[i].left() - 4;
    for (std::size_t k = 0; k < rects_.size(); ++k)
      if (flows_.nodes[k].column > column) room = std::min(room, rects_[k].left() - rects_[i].left() - 6);
    const QString name = name_of(static_cast<int>(i)),
                  whole = QStringLiteral("%1  %2").arg(name, screen_text(flows_.nodes[i].watts, kind::power));
    painter.setPen(flows_.nodes[i].lost ? t.red : t.text);
    const QString words = m.horizontalAdvance(whole) <= room ? whole : m.elidedText(name, Qt::ElideRight, room);
    // Bands run behind the names.
    QColor ground = t.panel;
    ground.setAlpha(190);
    painter.fillRect(
        QRectF(rects_[i].left(), rects_[i].top() - m.height() - 1, m.horizontalAdvance(words) + 4, m.height()), ground);
    painter.drawText(QRectF(rects_[i].left(), rects_[i].top() - m.height() - 1, room, m.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
  }
}

void HeatSankey::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton)
    for (std::size_t i = 0; i < rects_.size(); ++i)
      if (flows_.nodes[i].entity.id != 0 && rects_[i].adjusted(-4, -16, 40, 2).contains(event->position())) {
        Q_EMIT entityActivated(flows_.nodes[i].entity);
        return;
      }
  PaintedChart::mouseReleaseEvent(event);
}

} // namespace hallwright::loops
