// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fabric/length_histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/written_file.h"

namespace hallwright::wired {
namespace {

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(least, 1e-9))));
  for (const double s : {1.0, 2.0, 5.0, 10.0})
    if (s * power >= least - 1e-9) return s * power;
  return 10 * power;
}

QString meters(double m) { return screen_number(m, 'f', m == std::floor(m) ? 0 : 1); }

} // namespace

Count LengthHistogram::Bin::sum() const { return std::accumulate(cables.begin(), cables.end(), Count{0}); }

LengthHistogram::LengthHistogram(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("length_histogram"));
  setAccessibleName(tr("Cables by length and medium"));
  setMouseTracking(true);
  empty_ = tr("Lengths appear when the network is wired.");
}

void LengthHistogram::setPicture(const std::shared_ptr<const Picture>& p, const std::vector<ReachLimit>& limits) {
  bins_.clear();
  limits_ = limits;
  most_ = without_ = 0;
  longest_ = 0;
  estimated_ = false;
  if (p && p->shows() && !p->length_m.empty()) {
    for (const float m : p->length_m)
      if (std::isfinite(m))
        longest_ = std::max(longest_, static_cast<double>(m));
      else
        ++without_;
    estimated_ = std::find(p->estimated.begin(), p->estimated.end(), true) != p->estimated.end();
    const double step = round_step(std::max(1.0, longest_ / 40));
    bins_.resize(static_cast<std::size_t>(std::floor(longest_ / step)) + 1);
    for (std::size_t i = 0; i < bins_.size(); ++i)
      bins_[i].from = step * static_cast<double>(i), bins_[i].to = step * static_cast<double>(i + 1);
    for (std::size_t l = 0; l < p->length_m.size(); ++l) {
      const double m = static_cast<double>(p->length_m[l]);
      if (!std::isfinite(m)) continue;
      // A length on the edge belongs to the bin that ends there.
      const auto i = static_cast<std::size_t>(std::max(0.0, std::ceil(m / step - 1e-6) - 1));
      const std::size_t medium =
          l < p->medium.size() ? std::min<std::size_t>(static_cast<std::size_t>(p->medium[l]), 5) : 0;
      ++bins_[std::min(i, bins_.size() - 1)].cables[medium];
    }
    for (const Bin& b : bins_)
      most_ = std::max(most_, b.sum());
  }
  QStringList words;
  for (const Bin& b : bins_)
    if (b.sum() > 0) words << tr("%1 to %2 m: %3").arg(meters(b.from), meters(b.to)).arg(b.sum());
  for (const ReachLimit& r : limits_)
    words << tr("%1 reaches %2 m").arg(r.name, meters(r.meters));
  setAccessibleDescription(words.isEmpty() ? empty_ : words.join(QStringLiteral("; ")));
  update();
}

QRectF LengthHistogram::plot() const {
  const double line = fontMetrics().height();
  const double left = line + fontMetrics().horizontalAdvance(screen_number(std::max<qlonglong>(most_, 1000))) + 12;
  return QRectF(left, 2.2 * line + 6, std::max(10.0, width() - left - 14), std::max(10.0, height() - 5.2 * line - 8));
}

double LengthHistogram::x(double m) const {
  double right = bins_.empty() ? 1.0 : bins_.back().to;
  for (const ReachLimit& r : limits_)
    if (r.meters <= 4 * std::max(longest_, 1.0)) right = std::max(right, r.meters * 1.06);
  const QRectF p = plot();
  return p.left() + p.width() * m / right;
}

void LengthHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

void LengthHistogram::paint(QPainter& painter) const {
  const Theme& t = theme();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font());
  if (bins_.empty()) {
    painter.setPen(t.secondary_text);
    painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, empty_);
    return;
  }
  // The colours of the picture, with the strokes' media named above.
  Picture no_links;
  static const auto empty_wiring = [] {
    auto w = std::make_shared<Wiring>();
    w->devices.resize(1);
    return w;
  }();
  no_links.wiring = empty_wiring;
  const LinkColors colors = link_colors(no_links, ColorBy::medium);
  const QRectF p = plot();
  const double line = fontMetrics().height();
  std::array<Count, 6> sums{};
  for (const Bin& b : bins_)
    for (std::size_t m = 0; m < 6; ++m)
      sums[m] += b.cables[m];
  double at = p.left();
  for (std::size_t m = 0; m < 6; ++m) {
    if (sums[m] == 0) continue;
    const QString words = QStringLiteral("%1  %2").arg(medium_name(static_cast<LinkMedium>(m)),
                                                       screen_number(static_cast<qlonglong>(sums[m])));
    painter.fillRect(QRectF(at, line * 0.35, line * 0.6, line * 0.6), colors.entries[m].color);
    painter.setPen(t.text);
    painter.drawText(QPointF(at + line * 0.85, line * 0.95), words);
    at += line * 1.6 + fontMetrics().horizontalAdvance(words);
  }
  // Axes with titles.
  const double step = round_step(static_cast<double>(most_) / 4.5);
  painter.setPen(t.secondary_text);
  const double top = step * std::ceil(static_cast<double>(most_) / step);
  for (double v = 0; v <= top + 1e-9; v += step) {
    const double y = p.bottom() - p.height() * v / top;
    painter.fillRect(QRectF(p.left(), std::round(y), p.width(), 1), v == 0 ? t.structure : t.grid_major);
    painter.drawText(QRectF(0, y - line / 2, p.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                     screen_number(static_cast<qlonglong>(std::llround(v))));
  }
  painter.save();
  painter.translate(0, p.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-p.height() / 2 - line, 0, p.height() + 2 * line, line), Qt::AlignCenter, tr("Cables"));
  painter.restore();
  const double pixels_a_meter = x(1) - x(0);
  const double mark = round_step(70 / pixels_a_meter);
  for (double m = 0; x(m) <= p.right() + 1; m += mark) {
    painter.fillRect(QRectF(std::round(x(m)), p.bottom(), 1, 4), t.structure);
    painter.drawText(QRectF(x(m) - 40, p.bottom() + 4, 80, line), Qt::AlignHCenter | Qt::AlignTop, meters(m));
  }
  QString title = estimated_ ? tr("Routed length, m (some estimated)") : tr("Routed length, m");
  if (without_ > 0)
    title += QStringLiteral("  \u00b7  ") +
             tr("%1 without a length").arg(screen_number(static_cast<qlonglong>(without_)));
  painter.drawText(QRectF(p.left(), p.bottom() + line + 4, p.width(), line), Qt::AlignHCenter | Qt::AlignTop, title);
  painter.setPen(Qt::NoPen);
  for (const Bin& b : bins_) {
    double y = p.bottom();
    const double l = x(b.from) + 1, r = std::max(l + 1, x(b.to) - 1);
    for (std::size_t m = 0; m < 6; ++m) {
      if (b.cables[m] == 0) continue;
      const double high = std::max(1.0, p.height() * static_cast<double>(b.cables[m]) / top);
      painter.fillRect(QRectF(l, y - high, r - l, high), colors.entries[m].color);
      y -= high;
    }
  }
  // Reach of each medium: a dashed line in its colour with its name on top, each on a free level.
  std::vector<QRectF> taken;
  for (const ReachLimit& limit : limits_) {
    const double at_x = x(limit.meters);
    const bool beyond = at_x > p.right() + 1;
    const QColor color = colors.entries[std::min<std::size_t>(static_cast<std::size_t>(limit.medium), 5)].color;
    painter.setPen(QPen(color, 1.6, Qt::DashLine));
    if (!beyond) painter.drawLine(QPointF(at_x, p.top() - 2), QPointF(at_x, p.bottom()));
    // Far beyond every cable: an arrow instead of an empty stretch.
    const QString words = beyond ? tr("%1 reaches %2 m \u2192").arg(limit.name, meters(limit.meters))
                                 : tr("%1: %2 m").arg(limit.name, meters(limit.meters));
    const double wide = fontMetrics().horizontalAdvance(words) + 6;
    QRectF label(at_x + 3, p.top() - line * 0.2, wide, line);
    if (beyond)
      label.moveRight(p.right());
    else if (label.right() > width())
      label.moveRight(at_x - 3);
    while (std::any_of(taken.begin(), taken.end(), [&](const QRectF& o) { return o.intersects(label); }) &&
           label.bottom() < p.bottom())
      label.translate(0, line);
    taken.push_back(label);
    QColor ground = t.panel;
    ground.setAlpha(215);
    painter.fillRect(label, ground);
    painter.setPen(t.text);
    painter.drawText(label, Qt::AlignCenter, words);
  }
}

bool LengthHistogram::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const Bin& b : bins_) {
      if (help->pos().x() < x(b.from) || help->pos().x() >= x(b.to) || b.sum() == 0) continue;
      QStringList lines{tr("%1 to %2 m: %3 cables")
                            .arg(meters(b.from), meters(b.to), screen_number(static_cast<qlonglong>(b.sum())))};
      for (std::size_t m = 0; m < 6; ++m)
        if (b.cables[m] > 0)
          lines << QStringLiteral("%1: %2").arg(medium_name(static_cast<LinkMedium>(m)),
                                                screen_number(static_cast<qlonglong>(b.cables[m])));
      QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
      return true;
    }
    QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

QImage LengthHistogram::image() {
  QImage out(size() * 2, QImage::Format_ARGB32_Premultiplied);
  out.setDevicePixelRatio(2);
  out.fill(theme().panel);
  QPainter painter(&out);
  paint(painter);
  return out;
}

void LengthHistogram::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Save as image\u2026"), this, [this] {
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Save chart"), QStringLiteral("cable-lengths.png"), tr("PNG (*.png)"));
    if (!file.isEmpty()) tell_unwritten(this, write_image(file, image()));
  });
  menu->popup(event->globalPos());
}

} // namespace hallwright::wired
