// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include <QFutureWatcher>
#include <QWidget>

#include "app/studio/document.h"
#include "study/layout_proposals.h"
#include "widgets/plan/plan_edits.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QTableWidget;
class QTimer;

namespace hallwright {

/// Racks laid out by rule, beside the plan: what is asked for above, proposals side by side below, the chosen one shown
/// in the plan, what the checks will say of it under them. Proposals are made beside the window; a newer wish, or a
/// change of the design, stops an older run. Apply is one undo step.
class LayoutPanel : public QWidget {
  Q_OBJECT
public:
  /// @param catalog  as the document's evaluations begin with
  /// @param hall     shown first; 0: the first hall of the design
  LayoutPanel(Document& document, const Shared<Catalog>& catalog, Id hall, QWidget* parent = nullptr);
  ~LayoutPanel() override;
  /// Whether the proposals belong to the wish that is shown.
  /// What the line at the top says: that it computes, how many proposals there are, or why there is none.
  [[nodiscard]] QString state() const;
  [[nodiscard]] bool settled() const { return settled_; }
  /// Gives up: the plan shows the design as it is.
  void reject();

Q_SIGNALS:
  void finished(bool applied);
  void figureActivated(const QString& figure);

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  struct Answer {
    quint64 generation = 0;
    tl::expected<LayoutProposals, std::string> proposals;
  };
  using SharedAnswer = std::shared_ptr<const Answer>;
  void make_fields(QGridLayout* form);
  void make_table();
  void fill_types();
  void fill_places(Id hall);
  [[nodiscard]] LayoutWish wish() const;
  /// A rack of the catalog that is chosen in place of a type of the design: the layout makes a type of it.
  [[nodiscard]] plan::CatalogRack catalog_rack() const; ///< without a part: a type of the design is chosen
  [[nodiscard]] Edit edit_of(int proposal) const;
  void ask_soon();
  void tell_state(const QString& words, bool problem);
  void ask();
  void show_answer(const SharedAnswer& answer);
  void choose(int column);
  void show_findings(const LayoutProposal& proposal);
  void accept();
  /// The design is another one now: what was proposed is not for it.
  void follow_design();
  /// A remedy or a gesture that was shown meanwhile is over.
  void show_again();

  Document& document_;
  Shared<Catalog> catalog_;
  Design design_; ///< the committed design that proposals are made for
  QComboBox *type_ = nullptr, *where_ = nullptr;
  QSpinBox *count_ = nullptr, *longest_ = nullptr;
  QCheckBox *leafs_ = nullptr, *cdus_ = nullptr, *busways_ = nullptr, *replace_ = nullptr;
  class WholeLabel* state_ = nullptr; ///< what is going on, or why nothing is proposed
  QTableWidget* table_ = nullptr;
  QLabel *name_ = nullptr, *notes_ = nullptr, *effect_ = nullptr;
  QListWidget* findings_ = nullptr;
  QPushButton *apply_ = nullptr, *cancel_ = nullptr;
  QTimer* pause_ = nullptr;
  QFutureWatcher<SharedAnswer>* watcher_ = nullptr;
  std::stop_source stop_;
  quint64 generation_ = 0;
  plan::CatalogRack asked_; ///< what the proposals are made for
  bool settled_ = false, done_ = false, filling_ = false;
  SharedAnswer answer_;
  int chosen_ = -1;
};

} // namespace hallwright
