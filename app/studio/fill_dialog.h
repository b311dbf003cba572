// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QDialog>

#include "app/studio/document.h"
#include "study/layout_proposals.h"

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QTableWidget;

namespace hallwright {

/// Fills a row, a zone or a hall with racks of one type, and says which limit stopped it. Apply is one undo step.
class FillDialog : public QDialog {
  Q_OBJECT
public:
  /// @param where  chosen first: a row, zone or hall; anything else chooses the first hall
  FillDialog(Document& document, const Shared<Catalog>& catalog, const EntityRef& where, QWidget* parent = nullptr);

private:
  void ask();

  Document& document_;
  Shared<Catalog> catalog_;
  Design design_;
  std::vector<EntityRef> places_;
  QComboBox *type_ = nullptr, *where_ = nullptr, *direction_ = nullptr;
  QLabel *sentence_ = nullptr, *direction_label_ = nullptr;
  QTableWidget* limits_ = nullptr;
  QDialogButtonBox* buttons_ = nullptr;
  std::optional<FillPreview> preview_;
};

} // namespace hallwright
