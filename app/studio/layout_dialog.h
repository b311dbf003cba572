// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include <QDialog>
#include <QFutureWatcher>

#include "app/studio/document.h"
#include "study/layout_proposals.h"
#include "widgets/plan/plan_edits.h"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QSpinBox;
class QTableWidget;
class QTimer;

namespace hallwright {

/// Racks laid out by rule: what is asked for above, proposals side by side below, the chosen one previewed in the plan.
/// Proposals are made beside the window; a newer wish stops an older run. Apply is one undo step.
class LayoutDialog : public QDialog {
  Q_OBJECT
public:
  /// @param catalog  as the document's evaluations begin with
  /// @param hall     shown first; 0: the first hall of the design
  LayoutDialog(Document& document, const Shared<Catalog>& catalog, Id hall, QWidget* parent = nullptr);
  ~LayoutDialog() override;
  /// Whether the proposals belong to the wish that is shown.
  [[nodiscard]] bool settled() const { return settled_; }

private:
  struct Answer {
    quint64 generation = 0;
    tl::expected<LayoutProposals, std::string> proposals;
  };
  using SharedAnswer = std::shared_ptr<const Answer>;
  [[nodiscard]] LayoutWish wish() const;
  /// A rack of the catalog that is chosen in place of a type of the design: the layout makes a type of it.
  [[nodiscard]] plan::CatalogRack catalog_rack() const; ///< without a part: a type of the design is chosen
  [[nodiscard]] Edit edit_of(int proposal) const;
  void ask_soon();
  void ask();
  void show_answer(const SharedAnswer& answer);
  void choose(int column);

  Document& document_;
  Shared<Catalog> catalog_;
  Design design_; ///< the committed design when the dialog was opened
  QComboBox *type_ = nullptr, *where_ = nullptr;
  QSpinBox *count_ = nullptr, *longest_ = nullptr;
  QCheckBox *leafs_ = nullptr, *cdus_ = nullptr, *busways_ = nullptr, *replace_ = nullptr;
  QTableWidget* table_ = nullptr;
  QLabel* notes_ = nullptr;
  QDialogButtonBox* buttons_ = nullptr;
  QTimer* pause_ = nullptr;
  QFutureWatcher<SharedAnswer>* watcher_ = nullptr;
  std::stop_source stop_;
  quint64 generation_ = 0;
  plan::CatalogRack asked_; ///< what the proposals are made for
  bool settled_ = false;
  SharedAnswer answer_;
  int chosen_ = -1;
};

} // namespace hallwright
