// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/list_search.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTreeWidget>

namespace hallwright {

ListSearch::ListSearch(QLineEdit* search, QTreeWidget* tree) : QObject(tree), search_(search), tree_(tree) {
  search_->installEventFilter(this);
  tree_->installEventFilter(this);
}

/// Makes the first hit current; false: nothing is there.
bool ListSearch::take_first() {
  QTreeWidgetItem* first = nullptr;
  constexpr auto shown = QTreeWidgetItemIterator::NotHidden | QTreeWidgetItemIterator::Selectable;
  for (QTreeWidgetItemIterator it(tree_, shown); *it; ++it) {
    if (!first) first = *it;
    if (!(*it)->text(0).contains(search_->text().trimmed(), Qt::CaseInsensitive)) continue;
    first = *it;
    break;
  }
  if (first) tree_->setCurrentItem(first);
  return first != nullptr;
}

bool ListSearch::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  if (watched == tree_) {
    const QString text = key->text();
    const bool plain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const bool letter = plain && text.size() == 1 && text.at(0).isPrint() && !text.at(0).isSpace();
    if (!letter && !(key->key() == Qt::Key_Backspace && !search_->text().isEmpty())) return false;
    search_->setFocus(Qt::OtherFocusReason);
    search_->end(false);
    QKeyEvent same(QEvent::KeyPress, key->key(), key->modifiers(), text, key->isAutoRepeat());
    QApplication::sendEvent(search_, &same);
    return true;
  }
  switch (key->key()) {
  case Qt::Key_Escape:
    search_->clear();
    return false; // and on to the window
  case Qt::Key_Down:
    if (take_first()) tree_->setFocus(Qt::OtherFocusReason);
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (!search_->text().trimmed().isEmpty() && take_first()) {
      tree_->setFocus(Qt::OtherFocusReason);
      Q_EMIT found();
    }
    return true;
  default:
    return false;
  }
}

} // namespace hallwright
