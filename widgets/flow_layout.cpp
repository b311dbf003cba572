// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/flow_layout.h"

#include <algorithm>

#include <QWidget>

namespace hallwright {
namespace {

bool expands(const QLayoutItem& item) { return item.expandingDirections() & Qt::Horizontal; }

int wanted_width(const QLayoutItem& item) {
  // A widget whose policy ignores its size is content with what is left.
  const QWidget* w = item.widget();
  if (w && w->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) return item.minimumSize().width();
  return item.sizeHint().width();
}

int height_at(const QLayoutItem& item, int width) { return item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height(); }

} // namespace

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {}
FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) { items_.emplace_back(item); }

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
  items_.erase(items_.begin() + index);
  return item;
}

int FlowLayout::heightForWidth(int width) const { return arrange(QRect(0, 0, width, 0), false); }

QSize FlowLayout::sizeHint() const {
  QSize size;
  for (const auto& item : items_) {
    if (item->isEmpty()) continue;
    if (size.width() > 0) size.rwidth() += spacing();
    size.rwidth() += wanted_width(*item);
    size.setHeight(std::max(size.height(), item->sizeHint().height()));
  }
  const QMargins m = contentsMargins();
  return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const auto& item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  const QMargins m = contentsMargins();
  return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool place) const {
  const QMargins m = contentsMargins();
  const QRect room = rect.marginsRemoved(m);
  int y = room.top();
  for (std::size_t first = 0; first < items_.size();) {
    // The items of one line.
    std::size_t end = first;
    int used = 0, expanding = 0;
    for (; end < items_.size(); ++end) {
      const QLayoutItem& item = *items_[end];
      if (item.isEmpty()) continue;
      const int next = (used > 0 ? used + spacing() : 0) + wanted_width(item);
      if (used > 0 && next > room.width()) break;
      used = next;
      expanding += expands(item) ? 1 : 0;
    }
    const int spare = std::max(0, room.width() - used), share = expanding > 0 ? spare / expanding : 0;
    const auto width_of = [&](const QLayoutItem& item) {
      return std::min(room.width(), wanted_width(item) + (expands(item) ? share : 0));
    };
    int height = 0;
    for (std::size_t i = first; i < end; ++i)
      if (!items_[i]->isEmpty()) height = std::max(height, height_at(*items_[i], width_of(*items_[i])));
    int x = room.left();
    for (std::size_t i = first; place && i < end; ++i) {
      QLayoutItem& item = *items_[i];
      if (item.isEmpty()) continue;
      const int w = width_of(item), h = height_at(item, w);
      item.setGeometry(QRect(x, y + (height - h) / 2, w, h));
      x += w + spacing();
    }
    if (height > 0) y += height + spacing();
    first = end;
  }
  return std::max(0, y - room.top() - spacing()) + m.top() + m.bottom();
}

} // namespace hallwright
