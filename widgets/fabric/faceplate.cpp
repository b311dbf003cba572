// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fabric/faceplate.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/plan/plan_canvas.h"
#include "widgets/theme.h"

namespace hallwright::wired {
namespace {

struct UseLook {
  QColor fill, edge;
  QString letter;
};

UseLook look_of(PortUse use) {
  const Theme& t = theme();
  switch (use) {
  case PortUse::down:
    return {t.accent_soft, t.accent, Faceplate::tr("D", "letter of a port that goes down")};
  case PortUse::up:
    return {plan::mixed(t.panel, t.fabric_kind, 0.3), t.fabric_kind,
            Faceplate::tr("U", "letter of a port that goes up")};
  case PortUse::level:
    return {plan::mixed(t.panel, t.liquid, 0.25), t.liquid,
            Faceplate::tr("L", "letter of a port to a switch of the same tier")};
  case PortUse::reserved:
    return {t.amber_soft, t.amber, Faceplate::tr("R", "letter of a reserved port")};
  case PortUse::idle:
    return {t.canvas, t.border, {}};
  }
  return {};
}

QString use_name(PortUse use) {
  switch (use) {
  case PortUse::down:
    return Faceplate::tr("down");
  case PortUse::up:
    return Faceplate::tr("up");
  case PortUse::level:
    return Faceplate::tr("to switches of its tier");
  case PortUse::reserved:
    return Faceplate::tr("reserved");
  case PortUse::idle:
    return Faceplate::tr("idle");
  }
  return {};
}

} // namespace

Faceplate::Faceplate(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("faceplate"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Ports of the selected device"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void Faceplate::setDevice(const std::shared_ptr<const Picture>& picture, std::optional<std::uint32_t> device) {
  if (!picture || !picture->shows() || (device && *device >= picture->wiring->devices.size())) device.reset();
  if (device != device_) current_ = 0;
  picture_ = picture;
  device_ = device;
  ports_.clear();
  if (device_) {
    const Wiring& w = *picture_->wiring;
    const auto links = w.at_device(*device_);
    const bool is_switch = w.devices[*device_].kind >= DeviceKind::leaf;
    Count most = is_switch ? picture_->ports_of(*device_) : static_cast<Count>(links.size());
    for (const std::uint32_t l : links)
      most = std::max<Count>(most, w.links[l].near == *device_ ? w.links[l].near_port : w.links[l].far_port);
    ports_.resize(static_cast<std::size_t>(std::clamp<Count>(most, 0, 4096)));
    for (const std::uint32_t l : links) {
      const WiredLink& link = w.links[l];
      const bool near = link.near == *device_;
      const Count port = near ? link.near_port : link.far_port;
      if (port < 1 || port > ports()) continue;
      const bool level = link.kind == LinkClass::group_local || link.kind == LinkClass::group_global;
      ports_[static_cast<std::size_t>(port - 1)] = {level ? PortUse::level : near ? PortUse::up : PortUse::down, l};
    }
    Count reserved = is_switch ? picture_->reserved_ports_of(*device_) : 0;
    for (auto p = ports_.rbegin(); p != ports_.rend() && reserved > 0; ++p)
      if (!p->link) p->use = PortUse::reserved, --reserved;
  }
  QString text =
      device_ ? device_title(*picture_, *device_) + QStringLiteral(": ") + summary() : tr("No device is selected.");
  setAccessibleDescription(text);
  updateGeometry();
  update();
}

void Faceplate::setSelectedLinks(const std::vector<std::uint32_t>& links) {
  selected_ = links;
  update();
}

QString Faceplate::summary() const {
  std::array<Count, 5> n{};
  for (const Port& p : ports_)
    ++n[static_cast<std::size_t>(p.use)];
  QStringList words;
  for (const PortUse use : {PortUse::down, PortUse::up, PortUse::level, PortUse::reserved, PortUse::idle})
    if (n[static_cast<std::size_t>(use)] > 0)
      words << tr("%1 %2", "count and use of ports").arg(n[static_cast<std::size_t>(use)]).arg(use_name(use));
  return words.join(QStringLiteral(", "));
}

QString Faceplate::portWords(Count port) const {
  if (!device_ || port < 1 || port > ports()) return {};
  const Port& p = ports_[static_cast<std::size_t>(port - 1)];
  const QString name = tr("Port %1").arg(port_words(*picture_, *device_, port));
  return p.link ? name + QStringLiteral(", ") + use_name(p.use) + QLatin1Char('\n') + link_words(*picture_, *p.link)
                : name + QStringLiteral(", ") + use_name(p.use);
}

Faceplate::Shape Faceplate::shape(double width) const {
  Shape s;
  if (!device_ || ports_.empty()) return s;
  const bool is_switch = picture_->wiring->devices[*device_].kind >= DeviceKind::leaf;
  const Cages cages = is_switch ? picture_->cages_of(*device_) : Cages{};
  s.per_cage = std::clamp<Count>(cages.links_per_cage, 1, 16);
  s.cages = std::max(is_switch ? std::min<Count>(cages.cages, 4096) : 0, (ports() + s.per_cage - 1) / s.per_cage);
  s.rows = s.cages <= 8 && s.per_cage == 1 ? 1 : 2;
  // Ports get no narrower than their letter: then in further rows.
  const double least = fontMetrics().averageCharWidth() * 1.7;
  const auto columns = [&] { return (s.cages + s.rows - 1) / s.rows; };
  while (s.rows < 8 &&
         static_cast<double>(columns() * s.per_cage) * least + static_cast<double>(columns()) * s.gap > width)
    s.rows += 2;
  s.columns = columns();
  const double most = static_cast<double>(s.per_cage) * 30;
  s.cage_width = std::clamp((width - 2) / static_cast<double>(s.columns) - s.gap, 3.0, most);
  s.cage_height = fontMetrics().height() * 2.1;
  return s;
}

QRectF Faceplate::cage_rect(const Shape& s, Count cage) const {
  // Odd cages above even ones, pair after pair; further rows go on below.
  const Count per_pair = s.columns * 2;
  const Count pair = s.rows == 1 ? 0 : (cage - 1) / per_pair, within = s.rows == 1 ? cage - 1 : (cage - 1) % per_pair;
  const Count column = s.rows == 1 ? within : within / 2, row = s.rows == 1 ? 0 : pair * 2 + within % 2;
  return {1 + static_cast<double>(column) * (s.cage_width + s.gap),
          1 + static_cast<double>(row) * (s.cage_height + s.gap) + static_cast<double>(pair) * s.gap, s.cage_width,
          s.cage_height};
}

QRectF Faceplate::portRect(Count port) const {
  const Shape s = shape(width());
  if (port < 1 || port > ports()) return {};
  const QRectF cage = cage_rect(s, (port - 1) / s.per_cage + 1);
  const auto within = static_cast<double>((port - 1) % s.per_cage);
  const double wide = cage.width() / static_cast<double>(s.per_cage), label = fontMetrics().height() * 0.85;
  return {cage.left() + within * wide, cage.top() + label, wide, cage.height() - label};
}

int Faceplate::heightForWidth(int width) const {
  const Shape s = shape(width);
  if (s.cages == 0) return fontMetrics().height() * 2;
  return static_cast<int>(std::ceil(static_cast<double>(s.rows) * (s.cage_height + s.gap) +
                                    static_cast<double>(s.rows / 2) * s.gap)) +
         2;
}

QSize Faceplate::sizeHint() const { return {360, heightForWidth(360)}; }
QSize Faceplate::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 3}; }

Count Faceplate::port_at(const QPointF& p) const {
  for (Count i = 1; i <= ports(); ++i)
    if (portRect(i).adjusted(0, -fontMetrics().height() * 0.85, 0, 0).contains(p)) return i;
  return 0;
}

bool Faceplate::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = portWords(port_at(help->pos()));
    if (text.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void Faceplate::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& t = theme();
  if (!device_) {
    painter.setPen(t.secondary_text);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
                     tr("Click a switch in the picture: its ports are shown here."));
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  const Shape s = shape(width());
  QFont small = font();
  small.setPixelSize(std::max(8, static_cast<int>(fontMetrics().height() * 0.58)));
  QFont letters = font();
  letters.setPixelSize(std::max(8, static_cast<int>(fontMetrics().height() * 0.62)));
  letters.setWeight(QFont::DemiBold);
  for (Count cage = 1; cage <= s.cages; ++cage) {
    const QRectF box = cage_rect(s, cage);
    painter.setPen(QPen(t.border, 1));
    painter.setBrush(t.field);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5);
    painter.setFont(small);
    painter.setPen(t.secondary_text);
    painter.drawText(QRectF(box.left(), box.top(), box.width(), fontMetrics().height() * 0.85), Qt::AlignCenter,
                     QString::number(cage));
  }
  for (Count port = 1; port <= ports(); ++port) {
    const Port& p = ports_[static_cast<std::size_t>(port - 1)];
    const QRectF box = portRect(port).adjusted(1.5, 0, -1.5, -2);
    const UseLook look = look_of(p.use);
    const bool chosen = p.link && std::find(selected_.begin(), selected_.end(), *p.link) != selected_.end();
    const bool lit = !p.link || picture_->wiring->links[*p.link].lit;
    painter.setPen(QPen(chosen ? t.accent : look.edge, chosen ? 2.2 : 1, lit ? Qt::SolidLine : Qt::DotLine));
    painter.setBrush(lit ? look.fill : t.canvas);
    painter.drawRoundedRect(box, 2, 2);
    if (!look.letter.isEmpty() && box.width() >= 7) {
      painter.setFont(letters);
      painter.setPen(t.text);
      painter.drawText(box, Qt::AlignCenter, look.letter);
    }
    const Outage o = p.link ? picture_->outage_of_link(*p.link) : Outage::none;
    if (o != Outage::none) {
      painter.setPen(QPen(o == Outage::stated ? t.red : t.amber, 2));
      painter.drawLine(box.topLeft(), box.bottomRight());
      painter.drawLine(box.topRight(), box.bottomLeft());
    }
    if (port == current_) {
      painter.setPen(QPen(t.text, 1.5));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 2.5, 2.5);
    }
  }
}

void Faceplate::point_at(Count port) {
  if (port == current_) return;
  current_ = port;
  setCursor(port > 0 && ports_[static_cast<std::size_t>(port - 1)].link ? Qt::PointingHandCursor : Qt::ArrowCursor);
  Q_EMIT hovered(portWords(port));
  update();
}

void Faceplate::go(Count port) {
  if (port < 1 || port > ports()) return;
  const auto& link = ports_[static_cast<std::size_t>(port - 1)].link;
  if (!link) return;
  const WiredLink& l = picture_->wiring->links[*link];
  Q_EMIT farEndRequested(l.near == *device_ ? l.far : l.near, *link);
}

void Faceplate::mouseMoveEvent(QMouseEvent* event) { point_at(port_at(event->position())); }
void Faceplate::leaveEvent(QEvent*) {
  if (!hasFocus()) point_at(0);
}
void Faceplate::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) go(port_at(event->position()));
}

void Faceplate::keyPressEvent(QKeyEvent* event) {
  if (ports_.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  const Shape s = shape(width());
  switch (event->key()) {
  case Qt::Key_Left:
    point_at(std::max<Count>(1, current_ - 1));
    return;
  case Qt::Key_Right:
    point_at(std::min<Count>(ports(), current_ + 1));
    return;
  case Qt::Key_Up:
    point_at(std::max<Count>(1, current_ - s.per_cage));
    return;
  case Qt::Key_Down:
    point_at(std::min<Count>(ports(), current_ + s.per_cage));
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    go(current_);
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

void Faceplate::focusInEvent(QFocusEvent*) {
  if (current_ == 0 && !ports_.empty()) point_at(1);
  update();
}
void Faceplate::focusOutEvent(QFocusEvent*) { point_at(0); }

} // namespace hallwright::wired
