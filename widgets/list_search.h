// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QLineEdit;
class QTreeWidget;

namespace hallwright {

/// Makes a list and the field that searches it one: a letter typed in the list goes on in the field, where it is seen;
/// Down leads from the field into the list; Enter opens the first that was found; Esc empties the field and leaves it.
class ListSearch : public QObject {
  Q_OBJECT
public:
  /// Lives with `tree`.
  ListSearch(QLineEdit* search, QTreeWidget* tree);

Q_SIGNALS:
  void found(); ///< Enter in the field: the current item of the list is the first hit

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  bool take_first();
  QLineEdit* search_;
  QTreeWidget* tree_;
};

} // namespace hallwright
