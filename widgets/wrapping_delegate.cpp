// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wrapping_delegate.h"

#include <algorithm>

#include <QHeaderView>
#include <QTimer>
#include <QTreeView>

namespace hallwright {

WrappingDelegate::WrappingDelegate(QTreeView* tree, int most_lines)
    : QStyledItemDelegate(tree), tree_(tree), most_lines_(most_lines) {
  tree_->setWordWrap(true);
  tree_->setUniformRowHeights(false);
  auto* later = new QTimer(this);
  later->setSingleShot(true);
  later->setInterval(0);
  connect(later, &QTimer::timeout, tree_, [tree] { tree->doItemsLayout(); });
  connect(tree_->header(), &QHeaderView::sectionResized, later, [later] { later->start(); });
}

QSize WrappingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  if (index.column() != tree_->model()->columnCount(index.parent()) - 1) return size;
  QStyleOptionViewItem styled = option;
  initStyleOption(&styled, index);
  int levels = 0;
  if (tree_->treePosition() == index.column() || (tree_->treePosition() < 0 && index.column() == 0)) {
    levels = tree_->rootIsDecorated() ? 1 : 0;
    for (QModelIndex up = index.parent(); up.isValid(); up = up.parent())
      ++levels;
  }
  constexpr int margins = 12; // of style sheet and text
  const int icon = styled.icon.isNull() ? 0 : styled.decorationSize.width() + 6;
  const int width = tree_->header()->sectionSize(index.column()) - levels * tree_->indentation() - icon - margins;
  const QFontMetrics& metrics = styled.fontMetrics;
  const int tall =
      metrics.boundingRect(QRect(0, 0, std::max(width, 40), 100000), Qt::TextWordWrap, styled.text).height();
  const int lines = std::clamp((tall + metrics.lineSpacing() / 2) / metrics.lineSpacing(), 1, most_lines_);
  size.setHeight(std::max(size.height(), 0) > 0 ? lines * metrics.lineSpacing() + 2 * 2 : size.height());
  return size;
}

} // namespace hallwright
