// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/card_splitter.h"

#include <QEvent>

#include "widgets/theme.h"

namespace hallwright {

CardSplitter::CardSplitter(QWidget* parent) : QSplitter(Qt::Horizontal, parent) {
  setChildrenCollapsible(false);
  setHandleWidth(2 * spacing_unit);
}

QSize CardSplitter::least(const QWidget* card) {
  const QSize asked = card->minimumSizeHint().expandedTo(QSize(0, 0));
  return {card->minimumWidth() > 0 ? card->minimumWidth() : asked.width(),
          std::max(card->minimumHeight(), asked.height())};
}

QSize CardSplitter::minimumSizeHint() const {
  int widest = 0, tallest = 0, sum = 0;
  for (int i = 0; i < count(); ++i) {
    if (widget(i)->isHidden()) continue;
    const QSize size = least(widget(i));
    widest = std::max(widest, size.width());
    tallest = std::max(tallest, size.height());
    sum += size.height() + (sum > 0 ? handleWidth() : 0);
  }
  return {widest, stacked() ? sum : tallest};
}

QSize CardSplitter::sizeHint() const { return QSplitter::sizeHint().expandedTo(minimumSizeHint()); }

void CardSplitter::choose_direction() {
  int wanted = 0;
  for (int i = 0; i < count(); ++i)
    if (!widget(i)->isHidden()) wanted += least(widget(i)).width() + (wanted > 0 ? handleWidth() : 0);
  const bool below = width() < wanted;
  if (below == stacked()) return;
  if (below) beside_ = sizes();
  setOrientation(below ? Qt::Vertical : Qt::Horizontal);
  QList<int> shares;
  for (int i = 0; i < count(); ++i)
    shares << (below ? least(widget(i)).height() : i < beside_.size() ? beside_[i] : least(widget(i)).width());
  if (below || std::any_of(beside_.begin(), beside_.end(), [](int size) { return size > 0; })) setSizes(shares);
  updateGeometry();
}

void CardSplitter::resizeEvent(QResizeEvent* event) {
  choose_direction();
  QSplitter::resizeEvent(event);
}

bool CardSplitter::event(QEvent* event) {
  const bool out = QSplitter::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) choose_direction();
  return out;
}

} // namespace hallwright
