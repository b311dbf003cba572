// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace hallwright {

/// Lines of a tree as tall as their words need, where the tree itself would cut them: for trees whose last column is as
/// wide as what is left, with word wrap on. Heights follow the width of the column.
class WrappingDelegate : public QStyledItemDelegate {
public:
  explicit WrappingDelegate(QTreeView* tree, int most_lines = 6);
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
  QTreeView* tree_;
  int most_lines_;
};

} // namespace hallwright
