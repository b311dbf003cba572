// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rack_elevation/rack_canvas.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/theme.h"

namespace hallwright::elevation {
namespace {

constexpr double margin = 6;
/// Share of the scale at which every name reads, down to which a rack is shown whole rather than scrolled: numbers and
/// names of single units are left out there.
constexpr double least_whole = 0.5;

QString mount_name(RackMount mount) {
  switch (mount) {
  case RackMount::full_depth:
    return RackCanvas::tr("full depth");
  case RackMount::front:
    return RackCanvas::tr("front");
  case RackMount::rear:
    return RackCanvas::tr("rear");
  case RackMount::zero_u_left:
    return RackCanvas::tr("beside the rails, left");
  case RackMount::zero_u_right:
    return RackCanvas::tr("beside the rails, right");
  }
  return {};
}

} // namespace

std::optional<RackPartText> read_rack_part(const QString& text) {
  const QString kind = text.section(QLatin1Char('/'), 0, 0);
  RackPartText out;
  out.part = text.section(QLatin1Char('/'), 1).toStdString();
  if (out.part.empty()) return std::nullopt;
  if (kind == QLatin1String("node"))
    out.kind = RackItemKind::node;
  else if (kind == QLatin1String("switch"))
    out.kind = RackItemKind::network_switch;
  else if (kind == QLatin1String("storage"))
    out.kind = RackItemKind::storage;
  else if (kind == QLatin1String("other"))
    out.kind = RackItemKind::other;
  else
    return std::nullopt;
  return out;
}

struct RackCanvas::Carried {
  Id item = 0;              ///< 0: a part from outside
  std::optional<Count> nth; ///< one of the item
  RackPartText part;
  QString name;
  Count half_units = 2, count = 1;
  double grip = 0;                         ///< half units from its lower edge to the cursor
  Count from = 1;                          ///< where it stood
  RackMount mount = RackMount::full_depth; ///< how it is mounted, or would be between the rails
  RackSpot spot;
  bool over = false; ///< the cursor is over the rack
  QString refusal;
};

RackCanvas::RackCanvas(QWidget* parent) : QAbstractScrollArea(parent) {
  setObjectName(QStringLiteral("rack_canvas"));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Rack elevation"));
  viewport()->setMouseTracking(true);
  viewport()->setAcceptDrops(true);
  setAcceptDrops(true);
}

RackCanvas::~RackCanvas() = default;

QSize RackCanvas::sizeHint() const { return {fontMetrics().averageCharWidth() * 62, fontMetrics().height() * 36}; }
QSize RackCanvas::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 8};
}

void RackCanvas::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  const bool same =
      design.rack_items == design_.rack_items && design.rack_types == design_.rack_types && catalog == catalog_;
  design_ = design;
  catalog_ = catalog;
  if (!same) rebuild();
}

void RackCanvas::setEvaluation(const SharedEvaluation& evaluation) {
  evaluation_ = evaluation;
  viewport()->update();
}

void RackCanvas::setRackType(Id type) {
  if (type == type_) return;
  end_drag();
  type_ = type;
  marks_ = {};
  rebuild();
  Q_EMIT selectionChanged();
}

void RackCanvas::setNumbersFromTop(bool on) {
  numbers_from_top_ = on;
  viewport()->update();
}

void RackCanvas::rebuild() {
  picture_ = Picture(design_, catalog_, type_);
  const RackItem* item = selected();
  if (marks_.item != 0 && (!item || item->rack_type != type_)) marks_.item = 0, marks_.nth.reset();
  if (marks_.nth && item && *marks_.nth >= item->count) marks_.nth.reset();
  marks_.focus = hasFocus();
  arrange();
  tell_selection();
  viewport()->update();
}

void RackCanvas::arrange() {
  if (picture_.empty()) {
    verticalScrollBar()->setRange(0, 0);
    horizontalScrollBar()->setRange(0, 0);
    return;
  }
  QFont small = font();
  small.setPixelSize(std::max(8, static_cast<int>(QFontInfo(font()).pixelSize() * 0.92)));
  const QSizeF room = QSizeF(viewport()->size()) - QSizeF(2 * margin, 2 * margin);
  const double least = picture_.least_scale(small);
  double scale = zoom_ > 0 ? zoom_ * least
                           : std::max(least_whole * least, picture_.scale_for_height(room.height(), small));
  picture_.arrange(scale, {}, small);
  const QSizeF size = picture_.size();
  auto range = [](QScrollBar* bar, double all, double page) {
    bar->setRange(0, std::max(0, static_cast<int>(std::ceil(all - page))));
    bar->setPageStep(static_cast<int>(page));
    bar->setSingleStep(24);
  };
  range(verticalScrollBar(), size.height(), room.height());
  range(horizontalScrollBar(), size.width(), room.width());
  const double x = margin + std::max(0.0, (room.width() - size.width()) / 2) - horizontalScrollBar()->value();
  picture_.arrange(scale, {x, margin - verticalScrollBar()->value()}, small);
}

/// Sentences of the engine count from the floor.
QString RackCanvas::told(const std::string& sentence) const {
  const QString text = QString::fromStdString(sentence);
  return numbers_from_top_ ? tr("%1 (units counted from the floor)").arg(text) : text;
}

const RackItem* RackCanvas::selected() const {
  return marks_.item == 0 ? nullptr : hallwright::find(*design_.rack_items, marks_.item);
}
QString RackCanvas::part_name(const RackItem& item) const {
  return QString::fromStdString(rack_part_size(*catalog_, item.kind, item.part).name);
}

void RackCanvas::select(Id item, std::optional<Count> nth) {
  const RackItem* found = item == 0 ? nullptr : hallwright::find(*design_.rack_items, item);
  if (nth && (!found || *nth >= found->count || found->count < 2)) nth.reset();
  if (marks_.item == item && marks_.nth == nth) return;
  marks_.item = found ? item : 0;
  marks_.nth = nth;
  tell_selection();
  viewport()->update();
  Q_EMIT selectionChanged();
}

void RackCanvas::tell_selection() {
  const RackType* type = hallwright::find(*design_.rack_types, type_);
  setAccessibleName(type ? tr("Rack elevation of %1").arg(QString::fromStdString(type->name)) : tr("Rack elevation"));
  QString words;
  for (const RackSlot& s : picture_.places().places)
    if (s.item == marks_.item && (!marks_.nth || *marks_.nth == s.nth)) {
      words = picture_.words(s, evaluation_.get(), numbers_from_top_);
      break;
    }
  setAccessibleDescription(
      words.isEmpty()
          ? tr("%1 parts; Ctrl+Down and Ctrl+Up select one after the other").arg(picture_.places().places.size())
          : words);
}

void RackCanvas::select_neighbour(int step) {
  // From below, front before rear; a stack is one step.
  std::vector<std::pair<Count, Id>> order;
  for (const RackItem& i : *design_.rack_items)
    if (i.rack_type == type_) order.emplace_back(i.lowest_half_unit, i.id);
  if (order.empty()) return;
  std::sort(order.begin(), order.end());
  const auto at = std::find_if(order.begin(), order.end(), [&](const auto& o) { return o.second == marks_.item; });
  if (at == order.end()) {
    select(step > 0 ? order.front().second : order.back().second);
    return;
  }
  const RackItem* item = selected();
  // Within a stack of which one is selected, the next of it.
  if (marks_.nth && *marks_.nth + step >= 0 && *marks_.nth + step < item->count) {
    select(marks_.item, *marks_.nth + step);
    return;
  }
  const auto place = at - order.begin() + step;
  if (place >= 0 && place < static_cast<std::ptrdiff_t>(order.size()))
    select(order[static_cast<std::size_t>(place)].second);
}

// --- edits
// -------------------------------------------------------------------------------------------------------------

void RackCanvas::request_move(const RackItem& item, std::optional<Count> nth, const RackSpot& spot,
                              const QString& label) {
  const auto catalog = catalog_;
  Edit edit;
  edit.label = label.toStdString();
  if (nth && item.count > 1) {
    // What is split off gets the next id and stays selected.
    edit.apply = [catalog, id = item.id, nth = *nth, spot](const Design& d) -> Edited {
      auto made = move_one_in_rack(d, *catalog, id, nth, spot);
      if (!made) return tl::make_unexpected(made.error());
      return made->design;
    };
    auto made = move_one_in_rack(design_, *catalog, item.id, *nth, spot);
    if (!made) {
      Q_EMIT hintChanged(told(made.error()), true);
      return;
    }
    const Id lone = made->entities.front().id;
    Q_EMIT editRequested(edit);
    if (hallwright::find(*design_.rack_items, lone)) select(lone);
    return;
  }
  edit.apply = [catalog, id = item.id, spot](const Design& d) { return move_in_rack(d, *catalog, id, spot); };
  if (auto tried = edit.apply(design_); !tried) {
    Q_EMIT hintChanged(told(tried.error()), true);
    return;
  }
  Q_EMIT hintChanged({}, false);
  Q_EMIT editRequested(edit);
}

void RackCanvas::nudge(Count half_units) {
  const RackItem* item = selected();
  if (!item || item->mount == RackMount::zero_u_left || item->mount == RackMount::zero_u_right) return;
  Count at = item->lowest_half_unit;
  if (marks_.nth)
    for (const RackSlot& s : picture_.places().places)
      if (s.item == item->id && s.nth == *marks_.nth) at = s.lowest_half_unit;
  request_move(*item, marks_.nth, {at + half_units, item->mount}, tr("Nudge %1").arg(part_name(*item)));
}

void RackCanvas::setMount(RackMount mount) {
  const RackItem* item = selected();
  if (!item || item->mount == mount) return;
  Count at = item->lowest_half_unit;
  for (const RackSlot& s : picture_.places().places)
    if (marks_.nth && s.item == item->id && s.nth == *marks_.nth) at = s.lowest_half_unit;
  request_move(*item, marks_.nth, {at, mount}, tr("Mount %1: %2").arg(part_name(*item), mount_name(mount)));
}

void RackCanvas::remove() {
  const RackItem* item = selected();
  if (!item) return;
  const auto catalog = catalog_;
  const auto nth = marks_.nth;
  const QString label = item->count > 1 && !nth ? tr("Take out %1 x %2").arg(item->count).arg(part_name(*item))
                                                : tr("Take out %1").arg(part_name(*item));
  Edit edit{label.toStdString(),
            [catalog, id = item->id, nth](const Design& d) { return remove_from_rack(d, *catalog, id, nth); }};
  marks_.nth.reset();
  Q_EMIT editRequested(edit);
}

void RackCanvas::splitOff() {
  const RackItem* item = selected();
  if (!item) return;
  const auto catalog = catalog_;
  const Count nth = marks_.nth.value_or(item->count - 1);
  auto tried = split_off(design_, *catalog, item->id, nth);
  if (!tried) {
    Q_EMIT hintChanged(told(tried.error()), true);
    return;
  }
  const Id lone = tried->entities.front().id;
  Q_EMIT editRequested({tr("Split off %1").arg(part_name(*item)).toStdString(),
                        [catalog, id = item->id, nth](const Design& d) -> Edited {
                          auto made = split_off(d, *catalog, id, nth);
                          if (!made) return tl::make_unexpected(made.error());
                          return made->design;
                        }});
  if (hallwright::find(*design_.rack_items, lone)) select(lone);
}

void RackCanvas::setCount(Count count) {
  const RackItem* item = selected();
  if (!item || item->count == count) return;
  const auto catalog = catalog_;
  Edit edit{tr("%1 x %2").arg(count).arg(part_name(*item)).toStdString(),
            [catalog, id = item->id, count](const Design& d) { return set_rack_item_count(d, *catalog, id, count); }};
  if (auto tried = edit.apply(design_); !tried) {
    Q_EMIT hintChanged(told(tried.error()), true);
    return;
  }
  Q_EMIT hintChanged({}, false);
  Q_EMIT editRequested(edit);
}

void RackCanvas::place(const QString& text) {
  const auto part = read_rack_part(text);
  if (!part || !catalog_) return;
  if (type_ == 0) {
    Q_EMIT hintChanged(tr("Select a rack or a rack type first: the part goes into it"), true);
    return;
  }
  const RackPartSize size = rack_part_size(*catalog_, part->kind, part->part);
  const RackMount mount = part->kind == RackItemKind::other ? RackMount::zero_u_left : RackMount::full_depth;
  const auto spot = first_free_place(design_, *catalog_, type_, size.half_units.value_or(2), mount);
  if (!spot) {
    Q_EMIT hintChanged(tr("%1 fits nowhere: no %2 free half units one above the other")
                           .arg(QString::fromStdString(size.name))
                           .arg(size.half_units.value_or(2)),
                       true);
    return;
  }
  const auto catalog = catalog_;
  const Id type = type_, next = design_.next_id;
  Q_EMIT editRequested({tr("Place %1").arg(QString::fromStdString(size.name)).toStdString(),
                        [catalog, type, part = *part, spot = *spot](const Design& d) -> Edited {
                          auto made = place_in_rack(d, *catalog, type, part.kind, part.part, spot);
                          if (!made) return tl::make_unexpected(made.error());
                          return made->design;
                        }});
  select(next);
}

// --- dragging
// ----------------------------------------------------------------------------------------------------------

void RackCanvas::land(const QPointF& at, bool halves) {
  Carried& c = *carried_;
  const auto spot = picture_.spot(at);
  c.over = spot.has_value();
  marks_.landing.reset();
  c.refusal.clear();
  if (!spot) {
    Q_EMIT hintChanged(tr("Drop it between the rails, or beside them"), false);
    viewport()->update();
    return;
  }
  const bool beside = c.mount == RackMount::zero_u_left || c.mount == RackMount::zero_u_right;
  RackMount mount = beside ? RackMount::full_depth : c.mount;
  if (mount == RackMount::front && spot->face == Face::rear)
    mount = RackMount::rear;
  else if (mount == RackMount::rear && spot->face == Face::front)
    mount = RackMount::front;
  if (spot->strip) mount = *spot->strip;
  Count lowest = static_cast<Count>(std::lround(spot->halves - c.grip)) + 1;
  if (!halves) {
    // By whole units, keeping the half on which it stood.
    const Count phase = c.item == 0 ? 1 : c.from;
    lowest = phase + 2 * static_cast<Count>(std::lround(static_cast<double>(lowest - phase) / 2.0));
  }
  const Count top = picture_.places().height();
  lowest = std::clamp<Count>(lowest, 1, std::max<Count>(1, top - c.half_units * c.count + 1));
  c.spot = {lowest, mount};
  const auto leaves = [&c](const RackSlot& s) { return s.item == c.item && (!c.nth || s.nth == *c.nth); };
  const auto no =
      rack_place_refusal(design_, *catalog_, type_, c.name.toStdString(), c.half_units, c.count, c.spot, leaves);
  if (no) c.refusal = told(*no);
  RackSlot landing;
  landing.lowest_half_unit = lowest;
  landing.half_units = c.half_units * c.count;
  landing.mount = mount;
  marks_.landing = landing;
  marks_.landing_refused = no.has_value();
  if (no)
    Q_EMIT hintChanged(c.refusal, true);
  else if (landing.zero_u())
    Q_EMIT hintChanged(tr("%1: %2").arg(c.name, mount_name(mount)), false);
  else
    Q_EMIT hintChanged(
        tr("%1 to %2, %3; Alt goes by half units")
            .arg(c.name, picture_.range(lowest, landing.half_units, numbers_from_top_), mount_name(mount)),
        false);
  viewport()->update();
}

void RackCanvas::end_drag() {
  carried_.reset();
  pressed_ = false;
  if (marks_.landing) Q_EMIT hintChanged({}, false);
  marks_.landing.reset();
  viewport()->unsetCursor();
  viewport()->update();
}

void RackCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::RightButton) return;
  setFocus(Qt::MouseFocusReason);
  Q_EMIT hintChanged({}, false);
  const auto hit = picture_.slot_at(event->position());
  if (!hit) {
    select(0);
    return;
  }
  const RackSlot slot = picture_.places().places[*hit];
  was_selected_ = marks_.item == slot.item;
  if (event->modifiers() & Qt::ControlModifier)
    select(slot.item, slot.nth);
  else if (!was_selected_ || (marks_.nth && *marks_.nth != slot.nth))
    select(slot.item);
  if (event->button() != Qt::LeftButton) return;
  pressed_ = true;
  pressed_at_ = event->position();
}

void RackCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_ || !(event->buttons() & Qt::LeftButton)) return;
  if (!carried_) {
    if ((event->position() - pressed_at_).manhattanLength() < QApplication::startDragDistance()) return;
    const RackItem* item = selected();
    const auto grip = picture_.spot(pressed_at_);
    if (!item || !grip) return;
    carried_ = std::make_unique<Carried>();
    carried_->item = item->id;
    carried_->nth = marks_.nth;
    carried_->name = part_name(*item);
    carried_->half_units = rack_part_size(*catalog_, item->kind, item->part).half_units.value_or(2);
    carried_->count = marks_.nth ? 1 : item->count;
    carried_->mount = item->mount;
    carried_->from = item->lowest_half_unit + (marks_.nth ? *marks_.nth * carried_->half_units : 0);
    const bool beside = item->mount == RackMount::zero_u_left || item->mount == RackMount::zero_u_right;
    carried_->grip = beside ? 0.0 : grip->halves - static_cast<double>(carried_->from - 1);
    viewport()->setCursor(Qt::ClosedHandCursor);
  }
  land(event->position(), event->modifiers() & Qt::AltModifier);
}

void RackCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_) return;
  if (!carried_) {
    pressed_ = false;
    // A second click on a stack picks this one out of it.
    const auto hit = picture_.slot_at(event->position());
    if (hit && was_selected_ && !(event->modifiers() & Qt::ControlModifier)) {
      const RackSlot slot = picture_.places().places[*hit];
      select(slot.item, marks_.nth ? std::nullopt : std::optional<Count>(slot.nth));
    }
    return;
  }
  const Carried c = *carried_;
  const RackItem* item = hallwright::find(*design_.rack_items, c.item);
  end_drag();
  if (!c.over || !item) return;
  if (!c.refusal.isEmpty()) {
    Q_EMIT hintChanged(c.refusal, true);
    return;
  }
  if (c.spot.lowest_half_unit == c.from && c.spot.mount == c.mount) return;
  request_move(*item, c.nth, c.spot, tr("Move %1").arg(c.count > 1 ? tr("%1 x %2").arg(c.count).arg(c.name) : c.name));
}

void RackCanvas::dragEnterEvent(QDragEnterEvent* event) {
  const auto part = read_rack_part(QString::fromUtf8(event->mimeData()->data(QLatin1String(part_mime_type))));
  if (!part || type_ == 0 || !catalog_) {
    event->ignore();
    return;
  }
  const RackPartSize size = rack_part_size(*catalog_, part->kind, part->part);
  carried_ = std::make_unique<Carried>();
  carried_->part = *part;
  carried_->name = QString::fromStdString(size.name);
  carried_->half_units = size.half_units.value_or(2);
  carried_->grip = static_cast<double>(carried_->half_units) / 2.0;
  event->setDropAction(Qt::CopyAction);
  event->accept();
}

void RackCanvas::dragMoveEvent(QDragMoveEvent* event) {
  if (!carried_) {
    event->ignore();
    return;
  }
  land(event->position(), event->modifiers() & Qt::AltModifier);
  event->setDropAction(carried_->over && carried_->refusal.isEmpty() ? Qt::CopyAction : Qt::IgnoreAction);
  event->accept();
}

void RackCanvas::dragLeaveEvent(QDragLeaveEvent* event) {
  end_drag();
  event->accept();
}

void RackCanvas::dropEvent(QDropEvent* event) {
  if (!carried_) {
    event->ignore();
    return;
  }
  land(event->position(), event->modifiers() & Qt::AltModifier);
  const Carried c = *carried_;
  end_drag();
  const bool done = c.over && c.refusal.isEmpty();
  event->setDropAction(done ? Qt::CopyAction : Qt::IgnoreAction);
  event->accept();
  setFocus(Qt::OtherFocusReason);
  if (!done) {
    if (!c.refusal.isEmpty()) Q_EMIT hintChanged(c.refusal, true);
    return;
  }
  const auto catalog = catalog_;
  const Id type = type_, next = design_.next_id;
  Q_EMIT editRequested({tr("Place %1").arg(c.name).toStdString(),
                        [catalog, type, part = c.part, spot = c.spot](const Design& d) -> Edited {
                          auto made = place_in_rack(d, *catalog, type, part.kind, part.part, spot);
                          if (!made) return tl::make_unexpected(made.error());
                          return made->design;
                        }});
  select(next);
}

// --- the rest
// ----------------------------------------------------------------------------------------------------------

void RackCanvas::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers() & Qt::ControlModifier;
  const Count step = event->modifiers() & Qt::ShiftModifier ? 2 : 1;
  switch (event->key()) {
  case Qt::Key_Up:
    if (control || marks_.item == 0)
      select_neighbour(1);
    else
      nudge(step);
    return;
  case Qt::Key_Down:
    if (control || marks_.item == 0)
      select_neighbour(marks_.item == 0 && !control ? 1 : -1);
    else
      nudge(-step);
    return;
  case Qt::Key_Delete:
  case Qt::Key_Backspace:
    remove();
    return;
  case Qt::Key_Plus:
    if (!control && selected()) {
      setCount(selected()->count + 1);
      return;
    }
    break;
  case Qt::Key_Minus:
    if (!control && selected() && selected()->count > 1) {
      setCount(selected()->count - 1);
      return;
    }
    break;
  case Qt::Key_Return:
  case Qt::Key_Enter:
  case Qt::Key_Space:
    if (const RackItem* item = selected(); item && item->count > 1)
      select(item->id, marks_.nth ? std::nullopt : std::optional<Count>(0));
    return;
  case Qt::Key_Escape:
    if (carried_)
      end_drag();
    else if (marks_.item != 0)
      select(0);
    else
      break;
    return;
  default:
    break;
  }
  QAbstractScrollArea::keyPressEvent(event);
}

void RackCanvas::contextMenuEvent(QContextMenuEvent* event) {
  QPoint at = event->globalPos();
  if (event->reason() == QContextMenuEvent::Keyboard) {
    at = mapToGlobal(rect().center());
    for (const RackSlot& s : picture_.places().places)
      if (s.item == marks_.item)
        at = viewport()->mapToGlobal(picture_.rect(s.front() ? Face::front : Face::rear, s).center().toPoint());
  }
  Q_EMIT menuRequested(at);
}

bool RackCanvas::event(QEvent* event) {
  // Undo while something is dragged gives up the drag; it takes back no step before it.
  if (carried_ && (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) &&
      static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo)) {
    event->accept();
    if (event->type() == QEvent::KeyPress) end_drag();
    return true;
  }
  return QAbstractScrollArea::event(event);
}

bool RackCanvas::viewportEvent(QEvent* event) {
  switch (event->type()) {
  case QEvent::ToolTip: {
    auto* help = static_cast<QHelpEvent*>(event);
    const auto hit = carried_ ? std::nullopt : picture_.slot_at(help->pos());
    if (hit)
      QToolTip::showText(help->globalPos(),
                         picture_.words(picture_.places().places[*hit], evaluation_.get(), numbers_from_top_),
                         viewport());
    else
      QToolTip::hideText();
    return true;
  }
  default:
    return QAbstractScrollArea::viewportEvent(event);
  }
}

void RackCanvas::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier) || picture_.empty()) {
    QAbstractScrollArea::wheelEvent(event);
    arrange();
    viewport()->update();
    return;
  }
  const double steps = event->angleDelta().y() / 120.0;
  const double high = picture_.scale_for_height(viewport()->height() - 2 * margin, font());
  const double whole = std::max(least_whole, high / picture_.least_scale(font()));
  if (zoom_ <= 0) zoom_ = whole;
  zoom_ *= std::pow(1.15, steps);
  zoom_ = zoom_ < std::min(0.75, whole) ? 0 : std::min(zoom_, 6.0); // far enough out: as high as the view again
  arrange();
  viewport()->update();
  event->accept();
}

void RackCanvas::paintEvent(QPaintEvent*) {
  QPainter p(viewport());
  p.setRenderHint(QPainter::Antialiasing);
  const plan::PlanColors colors = plan::PlanColors::screen();
  p.fillRect(viewport()->rect(), colors.canvas);
  if (picture_.empty()) {
    p.setPen(colors.quiet);
    p.drawText(viewport()->rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap,
               design_.rack_types->empty()
                   ? tr("There is no rack type yet. Make one in Parts, under Racks of this design.")
                   : tr("Select a rack on the plan, or choose a rack type above, to see what stands in it."));
    return;
  }
  arrange();
  picture_.paint(p, colors, evaluation_.get(), marks_, numbers_from_top_);
  if (picture_.places().places.empty() && !marks_.landing) {
    const QRectF room = picture_.rails(Face::front);
    p.setPen(colors.quiet);
    p.setFont(font());
    p.drawText(room.adjusted(6, 0, -6, 0), Qt::AlignCenter | Qt::TextWordWrap,
               tr("Empty. Drag parts here from Parts, or press Enter on one there."));
  }
}

void RackCanvas::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  arrange();
}
void RackCanvas::hideEvent(QHideEvent* event) {
  if (pressed_) end_drag(); // the release will not come here
  QAbstractScrollArea::hideEvent(event);
}
void RackCanvas::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  marks_.focus = true;
  viewport()->update();
}
void RackCanvas::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  if (pressed_ && event->reason() != Qt::MenuBarFocusReason && event->reason() != Qt::PopupFocusReason) end_drag();
  marks_.focus = false;
  viewport()->update();
}
void RackCanvas::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
    arrange();
    viewport()->update();
  }
}

} // namespace hallwright::elevation
