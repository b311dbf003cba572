// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/one_line/one_line_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

OneLineView::OneLineView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("one_line_view"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("One-line diagram"));
  empty_ = tr("No power unit is drawn.");
}

void OneLineView::setEmptyText(const QString& text) {
  empty_ = text;
  tell_accessible();
  update();
}

void OneLineView::setStudy(std::shared_ptr<const OneLineStudy> study) {
  if (study == study_) return;
  const std::shared_ptr<const OneLineStudy> earlier = std::exchange(study_, std::move(study));
  const std::size_t before = out_.size();
  std::erase_if(out_, [&](Id id) { return !study_ || study_->line.index(id) < 0; });
  remake();
  fit_again(earlier ? &earlier->line : nullptr);
  if (out_.size() != before) Q_EMIT outChanged();
}

/// Units were added or taken away: nothing of the diagram stays beyond the edge. Where it cannot be read as a whole the
/// newest unit is brought into sight instead.
void OneLineView::fit_again(const OneLine* earlier) {
  if (fitted_ || !earlier || !picture_.shows()) return;
  Id newest = 0;
  for (const OneLineElement& e : study_->line.elements())
    if (earlier->index(e.id) < 0) newest = e.id;
  if (newest == 0 && earlier->elements().size() == study_->line.elements().size()) return;
  const QRectF whole(origin_, QSizeF(picture_.layout().width, picture_.layout().height) * scale_);
  if (QRectF(gutter(), 0, width() - gutter(), height()).contains(whole)) return;
  if (fit_scale() >= 0.45 * letter())
    fit();
  else if (newest != 0)
    bringIntoSight(newest);
}

void OneLineView::remake() {
  // Symbols have other numbers in the new picture: the keys stay at the unit, or the racks, that they were at.
  Id at_unit = 0, at_rack = 0;
  if (cursor_ >= 0 && picture_.shows() && cursor_ < static_cast<std::ptrdiff_t>(picture_.layout().symbols.size())) {
    const OneLineSymbol& s = picture_.layout().symbols[static_cast<std::size_t>(cursor_)];
    const std::vector<Id> ids = picture_.ids(static_cast<std::size_t>(cursor_));
    if (!ids.empty()) (s.racks() ? at_rack : at_unit) = ids.front();
  }
  const double width = picture_.layout().width, height = picture_.layout().height;
  picture_ = OneLinePicture(study_, folding_, out_, gap_);
  if (choose_gap()) picture_ = OneLinePicture(study_, folding_, out_, gap_);
  pointed_ = -1;
  cursor_ = at_unit != 0 ? symbolOf(at_unit) : -1;
  if (at_rack != 0 && picture_.shows())
    for (std::size_t s = 0; s < picture_.layout().symbols.size() && cursor_ < 0; ++s)
      if (picture_.layout().symbols[s].racks()) {
        const std::vector<Id> ids = picture_.ids(s);
        if (std::find(ids.begin(), ids.end(), at_rack) != ids.end()) cursor_ = static_cast<std::ptrdiff_t>(s);
      }
  take_selection();
  follow_selection();
  if (fitted_ || width == 0)
    fit();
  else if (width != picture_.layout().width || height != picture_.layout().height)
    clamp_camera();
  tell_accessible();
  update();
}

void OneLineView::setOut(std::vector<Id> out) {
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  std::erase_if(out, [&](Id id) { return !study_ || study_->line.index(id) < 0; });
  if (out == out_) return;
  out_ = std::move(out);
  remake();
  Q_EMIT outChanged();
}

// --- selection -------------------------------------------------------------------------------------------------------

void OneLineView::setSelection(const std::vector<EntityRef>& selection) {
  follow_ = follow_ || selection != selection_;
  selection_ = selection;
  take_selection();
  follow_selection();
  tell_accessible();
  update();
}

/// What is selected in the window, as symbols; the feeds of selected racks are lit.
void OneLineView::take_selection() {
  selected_.clear();
  lit_.clear();
  if (!picture_.shows()) return;
  const OneLine& line = picture_.line();
  const OneLineLayout& layout = picture_.layout();
  std::set<Id> racks;
  for (const EntityRef& e : selection_) {
    if (e.table == "racks") racks.insert(e.id);
    if (e.table != "power_units") continue;
    if (const std::ptrdiff_t i = line.index(e.id); i >= 0)
      selected_.insert(layout.symbol_of_element[static_cast<std::size_t>(i)]);
  }
  if (racks.empty()) return;
  std::set<std::uint32_t> groups;
  for (std::size_t l = 0; l < line.loads().size(); ++l)
    if (racks.count(line.loads()[l].id) > 0) groups.insert(line.group_of(l));
  for (const std::uint32_t g : groups) {
    lit_.insert(layout.symbol_of_group[g]);
    for (const std::int32_t e : {line.groups()[g].a, line.groups()[g].b}) {
      if (e == OneLine::none) continue;
      lit_.insert(layout.symbol_of_element[static_cast<std::size_t>(e)]);
      for (const std::size_t up : line.above(static_cast<std::size_t>(e)))
        lit_.insert(layout.symbol_of_element[up]);
    }
  }
  // All racks of a symbol: it is selected as such.
  for (std::size_t s = 0; s < layout.symbols.size(); ++s) {
    if (!layout.symbols[s].racks()) continue;
    bool all = true;
    for (const Id id : picture_.ids(s))
      all = all && racks.count(id) > 0;
    if (all) selected_.insert(s);
  }
}

/// The unit under the keys is one that is selected. A unit that is not drawn yet gets the keys when it is; until then
/// they are at none.
void OneLineView::follow_selection() {
  if (!follow_) return;
  if (!selected_.empty()) {
    if (cursor_ < 0 || selected_.count(static_cast<std::size_t>(cursor_)) == 0)
      cursor_ = static_cast<std::ptrdiff_t>(*selected_.begin());
    follow_ = false;
  } else if (std::any_of(selection_.begin(), selection_.end(),
                         [](const EntityRef& e) { return e.table == "power_units"; })) {
    cursor_ = -1;
  } else {
    follow_ = false;
  }
}

void OneLineView::choose(const std::set<std::size_t>& symbols) {
  std::vector<EntityRef> out;
  for (const std::size_t s : symbols)
    for (const Id id : picture_.ids(s))
      out.push_back({picture_.layout().symbols[s].racks() ? "racks" : "power_units", id});
  setSelection(out);
  Q_EMIT selectionRequested(out);
}

std::vector<Id> OneLineView::selectedUnits() const {
  std::vector<Id> out;
  for (const EntityRef& e : selection_)
    if (e.table == "power_units" && study_ && study_->line.index(e.id) >= 0) out.push_back(e.id);
  std::sort(out.begin(), out.end());
  return out;
}

// --- failing ---------------------------------------------------------------------------------------------------------

void OneLineView::fail(const std::vector<std::size_t>& symbols) {
  std::set<Id> out(out_.begin(), out_.end());
  std::set<Id> wanted;
  for (const EntityRef& e : selection_)
    if (e.table == "power_units") wanted.insert(e.id);
  bool any = false, restores = true;
  std::vector<Id> next;
  for (const std::size_t s : symbols) {
    if (picture_.layout().symbols[s].racks()) continue;
    any = true;
    // Of a fold that is selected as a whole the next one that is in service; of one of its members that one.
    std::vector<Id> ids = picture_.ids(s), some;
    for (const Id id : ids)
      if (wanted.count(id) > 0) some.push_back(id);
    if (!some.empty() && some.size() < ids.size()) ids = some;
    const auto in = std::find_if(ids.begin(), ids.end(), [&](Id id) { return out.count(id) == 0; });
    if (in != ids.end()) {
      next.push_back(*in);
      restores = false;
    }
  }
  if (!any) {
    Q_EMIT told(tr("Select a power unit to fail it."), false);
    return;
  }
  if (restores) {
    for (const std::size_t s : symbols)
      for (const Id id : picture_.ids(s))
        out.erase(id);
  } else {
    out.insert(next.begin(), next.end());
  }
  setOut({out.begin(), out.end()});
}

void OneLineView::failSelected() {
  std::vector<std::size_t> symbols;
  for (const std::size_t s : selected_)
    if (!picture_.layout().symbols[s].racks()) symbols.push_back(s);
  if (symbols.empty() && cursor_ >= 0) symbols.push_back(static_cast<std::size_t>(cursor_));
  fail(symbols);
}

// --- folds -----------------------------------------------------------------------------------------------------------

void OneLineView::openFold(std::size_t symbol) {
  const OneLineSymbol& s = picture_.layout().symbols[symbol];
  if (s.fold == 0) return;
  const Id first = picture_.line().elements()[s.elements.front()].id;
  if (s.folded)
    folding_.opened.insert(s.fold);
  else
    folding_.opened.erase(s.fold);
  remake();
  if (const std::ptrdiff_t now = symbolOf(first); now >= 0) {
    cursor_ = now;
    if (!fitted_) bringIntoSight(first);
  }
  update();
}

void OneLineView::foldAll() {
  folding_.none = false;
  folding_.opened.clear();
  fitted_ = true;
  remake();
}

void OneLineView::openAll() {
  folding_.none = true;
  fitted_ = true;
  remake();
  if (fit_scale() >= 0.45 * letter()) return;
  // Wider than can be read as a whole: its beginning, at a size that can be.
  scale_ = 0.62 * letter();
  origin_ = QPointF(gutter() + 4, 8);
  fitted_ = false;
  clamp_camera();
  update();
}

// --- camera ----------------------------------------------------------------------------------------------------------

double OneLineView::letter() const { return QFontMetricsF(font()).height() / 15.0; }

double OneLineView::gutter() const {
  double widest = 0;
  const QFontMetricsF m(font());
  for (const OneLineRow& row : picture_.layout().rows)
    for (const QString& line : QString::fromStdString(row.title).split(QStringLiteral(", ")))
      widest = std::max(widest, m.horizontalAdvance(line));
  return widest * 0.9 + 16;
}

double OneLineView::fit_scale() const {
  if (!picture_.shows()) return 1.0;
  const double wide = (width() - gutter() - 12) / picture_.layout().width,
               high = (height() - 16) / picture_.layout().height;
  return std::clamp(std::min(wide, high), 0.02, 1.25 * letter());
}

/// Rows stand closer in a low window, so that letters stay as large as the width allows. @return whether that changed
bool OneLineView::choose_gap() {
  if (!picture_.shows() || height() < 40) return false;
  const OneLineMeasures usual;
  const double gaps = static_cast<double>(picture_.layout().rows.size()) - 1.0;
  if (gaps < 1.0) return false;
  const double tall = picture_.layout().height + (usual.gap - gap_) * gaps;
  const double wide = std::min((width() - gutter() - 12) / picture_.layout().width, letter());
  const double wanted = std::clamp(usual.gap - (tall - (height() - 16) / std::max(0.05, wide)) / gaps, 18.0, usual.gap);
  if (std::abs(wanted - gap_) < 2.0) return false;
  gap_ = wanted;
  return true;
}

void OneLineView::clamp_camera() {
  if (!picture_.shows()) return;
  const double least = std::min(fit_scale(), 0.5 * letter()) * 0.8;
  scale_ = std::clamp(scale_, least, 3.0 * letter());
  const double left = gutter(), w = picture_.layout().width * scale_, h = picture_.layout().height * scale_;
  const double room = width() - left - 8;
  if (w <= room)
    origin_.setX(left + (room - w) / 2);
  else
    origin_.setX(std::clamp(origin_.x(), width() - 40.0 - w, left + 4));
  if (h <= height() - 12)
    origin_.setY((height() - h) / 2);
  else
    origin_.setY(std::clamp(origin_.y(), height() - 24.0 - h, 8.0));
}

void OneLineView::fit() {
  scale_ = fit_scale();
  fitted_ = true;
  clamp_camera();
  update();
}

void OneLineView::zoom_at(const QPointF& pixel, double factor) {
  const QPointF place = (pixel - origin_) / scale_;
  const double least = std::min(fit_scale(), 0.5 * letter()) * 0.8;
  scale_ = std::clamp(scale_ * factor, least, 3.0 * letter());
  origin_ = pixel - place * scale_;
  fitted_ = false;
  clamp_camera();
  update();
}

void OneLineView::zoomBy(double factor) { zoom_at(rect().center(), factor); }

void OneLineView::zoomToSelection() {
  QRectF all;
  for (const std::size_t s : selected_.empty() ? lit_ : selected_)
    all = all.united(symbolRect(s));
  if (all.isEmpty()) return;
  const double factor =
      std::min({0.8 * (width() - gutter()) / all.width(), 0.8 * height() / all.height(), 1.4 * letter() / scale_});
  const QPointF middle = (all.center() - origin_) / scale_;
  scale_ *= factor;
  origin_ = QPointF(gutter() + (width() - gutter()) / 2, height() / 2.0) - middle * scale_;
  fitted_ = false;
  clamp_camera();
  update();
}

void OneLineView::bringIntoSight(Id element) {
  const std::ptrdiff_t s = symbolOf(element);
  if (s < 0) return;
  const QRectF r = symbolRect(static_cast<std::size_t>(s));
  const QRectF sight(gutter(), 8, width() - gutter() - 8, height() - 16);
  if (sight.contains(r)) return;
  if (r.left() < sight.left()) origin_.rx() += sight.left() - r.left() + 20;
  if (r.right() > sight.right()) origin_.rx() -= r.right() - sight.right() + 20;
  if (r.top() < sight.top()) origin_.ry() += sight.top() - r.top() + 20;
  if (r.bottom() > sight.bottom()) origin_.ry() -= r.bottom() - sight.bottom() + 20;
  fitted_ = false;
  clamp_camera();
  update();
}

QRectF OneLineView::symbolRect(std::size_t symbol) const {
  const OneLineSymbol& s = picture_.layout().symbols[symbol];
  const OneLineMeasures& m = picture_.layout().measures;
  return {origin_ + QPointF(s.x - m.glyph_half - 4, s.y - 3) * scale_,
          origin_ + QPointF(s.x + m.words_width, s.y + m.symbol_height - 1) * scale_};
}

std::ptrdiff_t OneLineView::symbolOf(Id element) const {
  if (!picture_.shows()) return -1;
  const std::ptrdiff_t i = picture_.line().index(element);
  return i < 0 ? -1 : static_cast<std::ptrdiff_t>(picture_.layout().symbol_of_element[static_cast<std::size_t>(i)]);
}

std::ptrdiff_t OneLineView::symbolAt(const QPointF& pixel) const {
  for (std::size_t s = 0; s < picture_.layout().symbols.size(); ++s)
    if (symbolRect(s).contains(pixel)) return static_cast<std::ptrdiff_t>(s);
  return -1;
}

// --- events ----------------------------------------------------------------------------------------------------------

bool OneLineView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::ptrdiff_t s = symbolAt(help->pos());
    if (s < 0)
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), picture_.told(static_cast<std::size_t>(s)), this);
    return true;
  }
  if (event->type() == QEvent::ShortcutOverride) {
    // The keys of the diagram hold before shortcuts of the window.
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    static constexpr std::array own{Qt::Key_Home, Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Up, Qt::Key_Down,
                                    Qt::Key_F,    Qt::Key_Return, Qt::Key_Escape, Qt::Key_O,  Qt::Key_Space};
    if (plain && std::find(own.begin(), own.end(), key->key()) != own.end()) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void OneLineView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  const Theme& t = theme();
  p.fillRect(rect(), t.canvas);
  if (!picture_.shows()) {
    p.setPen(t.secondary_text);
    p.setFont(font());
    p.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, empty_);
    return;
  }
  OneLinePainting how;
  how.colors = OneLineColors::screen();
  how.font = font();
  how.scale = scale_;
  how.origin = origin_;
  how.stroke = std::clamp(1.9 * scale_ / letter(), 0.7, 1.4);
  how.sight = rect();
  how.selected = selected_;
  how.lit = lit_;
  how.cursor = hasFocus() ? cursor_ : -1;
  how.pointed = pointed_;
  how.row_titles = true;
  paint_one_line(p, picture_, how);
  if (gesture_ == Gesture::connecting && pressed_on_ >= 0) {
    // What would feed what.
    const QRectF from = symbolRect(static_cast<std::size_t>(pressed_on_));
    const QPointF port(origin_.x() + picture_.layout().symbols[static_cast<std::size_t>(pressed_on_)].x * scale_,
                       from.top());
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(t.accent, 1.6, Qt::DashLine));
    p.drawLine(port, last_);
    const bool target = pointed_ >= 0 && pointed_ != pressed_on_ &&
                        !picture_.layout().symbols[static_cast<std::size_t>(pointed_)].racks();
    const QString words =
        target ? tr("Feed %1 from %2")
                     .arg(picture_.name(static_cast<std::size_t>(pressed_on_)),
                          picture_.name(static_cast<std::size_t>(pointed_)))
               : tr("Drop on the unit that is to feed %1").arg(picture_.name(static_cast<std::size_t>(pressed_on_)));
    const QFontMetricsF m(font());
    QRectF box(last_ + QPointF(14, 14), QSizeF(m.horizontalAdvance(words) + 16, m.height() + 8));
    if (box.right() > width() - 4) box.moveRight(width() - 4);
    if (box.bottom() > height() - 4) box.moveBottom(last_.y() - 10);
    if (box.left() < 4) box.moveLeft(4);
    p.setPen(QPen(t.border, 1));
    p.setBrush(t.panel);
    p.drawRoundedRect(box, 4, 4);
    p.setPen(t.text);
    p.setFont(font());
    p.drawText(box, Qt::AlignCenter, words);
  }
  if (hasFocus()) {
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setPen(QPen(t.accent_soft, 1));
    p.setBrush(Qt::NoBrush);
    p.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void OneLineView::resizeEvent(QResizeEvent*) {
  if (fitted_ && choose_gap())
    remake();
  else if (fitted_)
    fit();
  else
    clamp_camera();
}

void OneLineView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange ||
      event->type() == QEvent::StyleChange) {
    if (fitted_) fit();
    update();
  }
}

void OneLineView::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  pressed_ = last_ = event->position();
  pressed_on_ = symbolAt(pressed_);
  if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_)) {
    gesture_ = Gesture::panning;
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    gesture_ = Gesture::pressed;
  }
}

void OneLineView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF p = event->position();
  if (gesture_ == Gesture::pressed && (p - pressed_).manhattanLength() > 6) {
    const bool unit = pressed_on_ >= 0 && !picture_.layout().symbols[static_cast<std::size_t>(pressed_on_)].racks() &&
                      !picture_.layout().symbols[static_cast<std::size_t>(pressed_on_)].folded;
    gesture_ = unit ? Gesture::connecting : Gesture::panning;
    setCursor(unit ? Qt::CrossCursor : Qt::ClosedHandCursor);
  }
  if (gesture_ == Gesture::panning) {
    origin_ += p - last_;
    fitted_ = false;
    clamp_camera();
  }
  last_ = p;
  const std::ptrdiff_t over = symbolAt(p);
  if (gesture_ == Gesture::none && over != pointed_)
    setCursor(space_ ? Qt::OpenHandCursor : over < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
  if (over != pointed_ || gesture_ != Gesture::none) {
    pointed_ = over;
    update();
  }
}

void OneLineView::end_gesture() {
  gesture_ = Gesture::none;
  setCursor(space_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
  update();
}

void OneLineView::mouseReleaseEvent(QMouseEvent* event) {
  const Gesture was = gesture_;
  end_gesture();
  if (event->button() != Qt::LeftButton) return;
  const std::ptrdiff_t on = symbolAt(event->position());
  if (was == Gesture::connecting) {
    if (on < 0 || on == pressed_on_ || pressed_on_ < 0) return;
    const OneLineSymbol& from = picture_.layout().symbols[static_cast<std::size_t>(pressed_on_)];
    const OneLineSymbol& to = picture_.layout().symbols[static_cast<std::size_t>(on)];
    if (to.racks()) {
      Q_EMIT told(tr("Racks feed nothing: drop on the unit that is to feed %1.")
                      .arg(picture_.name(static_cast<std::size_t>(pressed_on_))),
                  true);
      return;
    }
    if (to.folded) {
      Q_EMIT told(tr("%1 stands for several: open it first, to say which of them.")
                      .arg(picture_.name(static_cast<std::size_t>(on))),
                  true);
      return;
    }
    Q_EMIT connectRequested(picture_.line().elements()[from.elements.front()].id,
                            picture_.line().elements()[to.elements.front()].id);
    return;
  }
  if (was != Gesture::pressed) return;
  cursor_ = on;
  std::set<std::size_t> chosen;
  if (event->modifiers() & Qt::ControlModifier) {
    chosen = selected_;
    if (on >= 0 && chosen.erase(static_cast<std::size_t>(on)) == 0) chosen.insert(static_cast<std::size_t>(on));
  } else if (on >= 0) {
    chosen.insert(static_cast<std::size_t>(on));
  }
  choose(chosen);
}

void OneLineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const std::ptrdiff_t on = symbolAt(event->position());
  if (on < 0) {
    fit();
    return;
  }
  const OneLineSymbol& s = picture_.layout().symbols[static_cast<std::size_t>(on)];
  if (s.folded && !s.racks())
    openFold(static_cast<std::size_t>(on));
  else if (!s.racks())
    fail({static_cast<std::size_t>(on)});
}

void OneLineView::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse) {
    const std::ptrdiff_t on = symbolAt(event->pos());
    cursor_ = on;
    if (on >= 0 && selected_.count(static_cast<std::size_t>(on)) == 0) choose({static_cast<std::size_t>(on)});
  }
  Q_EMIT menuRequested(event->reason() == QContextMenuEvent::Mouse ? event->globalPos() : mapToGlobal(rect().center()));
}

void OneLineView::wheelEvent(QWheelEvent* event) {
  if (!picture_.shows()) return;
  const QPoint turn = event->angleDelta();
  if (turn.x() != 0 && std::abs(turn.x()) > std::abs(turn.y())) {
    origin_.rx() += turn.x();
    fitted_ = false;
    clamp_camera();
    update();
  } else if (turn.y() != 0) {
    zoom_at(event->position(), std::pow(1.0016, turn.y()));
  }
  event->accept();
}

void OneLineView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoomBy(1.25);
    return;
  case Qt::Key_Minus:
    zoomBy(0.8);
    return;
  case Qt::Key_Home:
    fit();
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (cursor_ >= 0) choose({static_cast<std::size_t>(cursor_)});
    return;
  case Qt::Key_Escape:
    if (gesture_ != Gesture::none)
      end_gesture();
    else
      choose({});
    return;
  case Qt::Key_F:
    failSelected();
    return;
  case Qt::Key_O:
    if (cursor_ >= 0) openFold(static_cast<std::size_t>(cursor_));
    return;
  case Qt::Key_Left:
    step(-1, 0);
    return;
  case Qt::Key_Right:
    step(1, 0);
    return;
  case Qt::Key_Up:
    step(0, -1);
    return;
  case Qt::Key_Down:
    step(0, 1);
    return;
  case Qt::Key_Space:
    if (!event->isAutoRepeat()) {
      space_ = true;
      setCursor(Qt::OpenHandCursor);
    }
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

void OneLineView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    space_ = false;
    setCursor(Qt::ArrowCursor);
    return;
  }
  QWidget::keyReleaseEvent(event);
}

void OneLineView::leaveEvent(QEvent*) {
  pointed_ = -1;
  update();
}
void OneLineView::hideEvent(QHideEvent* event) {
  space_ = false;
  end_gesture();
  QWidget::hideEvent(event);
}
void OneLineView::focusInEvent(QFocusEvent*) { update(); }
void OneLineView::focusOutEvent(QFocusEvent* event) {
  if (event->reason() != Qt::MenuBarFocusReason && event->reason() != Qt::PopupFocusReason) gesture_ = Gesture::none;
  space_ = false;
  setCursor(Qt::ArrowCursor);
  update();
}

void OneLineView::step(int across, int down) {
  if (!picture_.shows()) return;
  const OneLineLayout& layout = picture_.layout();
  if (cursor_ < 0) {
    cursor_ = selected_.empty() ? 0 : static_cast<std::ptrdiff_t>(*selected_.begin());
  } else if (across != 0) {
    const std::ptrdiff_t next = cursor_ + across;
    if (next >= 0 && next < static_cast<std::ptrdiff_t>(layout.symbols.size()) &&
        layout.symbols[static_cast<std::size_t>(next)].row == layout.symbols[static_cast<std::size_t>(cursor_)].row)
      cursor_ = next;
  } else {
    const std::vector<std::size_t> there =
        down > 0 ? layout.below(static_cast<std::size_t>(cursor_)) : layout.above(static_cast<std::size_t>(cursor_));
    if (!there.empty()) cursor_ = static_cast<std::ptrdiff_t>(there.front());
  }
  const QRectF r = symbolRect(static_cast<std::size_t>(cursor_));
  if (!QRectF(rect()).contains(r)) {
    origin_ += QPointF(width() / 2.0, height() / 2.0) - r.center();
    fitted_ = false;
    clamp_camera();
  }
  tell_accessible();
  update();
}

void OneLineView::tell_accessible() {
  QString text = empty_;
  if (picture_.shows()) {
    text =
        tr("%1 power units and %2 racks.").arg(picture_.line().elements().size()).arg(picture_.line().loads().size());
    const QString sentence = picture_.sentence();
    if (!sentence.isEmpty()) text += QLatin1Char(' ') + sentence + QLatin1Char('.');
    if (cursor_ >= 0)
      text += QLatin1Char(' ') +
              picture_.told(static_cast<std::size_t>(cursor_)).replace(QLatin1Char('\n'), QStringLiteral("; "));
  }
  setAccessibleDescription(text);
  QAccessibleEvent told(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&told);
}

QImage OneLineView::image(double scale) const {
  const QSizeF size((picture_.layout().width + 130) * scale, (picture_.layout().height + 60) * scale);
  QImage out(size.toSize().expandedTo(QSize(64, 64)), QImage::Format_RGB32);
  QPainter p(&out);
  p.setFont(font());
  paint_one_line_page(p, QRectF(QPointF(0, 0), QSizeF(out.size())), picture_, {}, OneLineColors::screen());
  return out;
}

} // namespace hallwright
