// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document.h"

#include <algorithm>
#include <set>

#include <QUndoCommand>

namespace hallwright {
namespace {
bool same_design(const Design& a, const Design& b) {
  bool same = true;
  for_each_section([&](std::string_view, auto m) { same = same && a.*m == b.*m; });
  for_each_table([&](std::string_view, auto m) { same = same && a.*m == b.*m; });
  return same;
}
} // namespace

/// One undo step: the design before and after. Parts are shared, so this is cheap.
class EditCommand final : public QUndoCommand {
public:
  EditCommand(Document& document, Design before, Design after, std::vector<EntityRef> selected_before, std::vector<EntityRef> selected_after,
              const QString& label, quint64 gesture)
      : QUndoCommand(label), document_(document), before_(std::move(before)), after_(std::move(after)),
        selected_before_(std::move(selected_before)), selected_after_(std::move(selected_after)), gesture_(gesture) {}
  void redo() override { document_.show(after_, selected_after_); }
  void undo() override { document_.show(before_, selected_before_); }
  [[nodiscard]] int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* o = static_cast<const EditCommand*>(other);
    if (gesture_ == 0 || o->gesture_ != gesture_) return false;
    after_ = o->after_;
    selected_after_ = o->selected_after_;
    if (same_design(before_, after_)) setObsolete(true);
    return true;
  }
  void rewrite(const std::function<Design(const Design&)>& written) {
    before_ = written(before_);
    after_ = written(after_);
  }

private:
  Document& document_;
  Design before_, after_;
  std::vector<EntityRef> selected_before_, selected_after_;
  quint64 gesture_;
};

Document::Document(LiveEvaluator& evaluator, QObject* parent) : QObject(parent), evaluator_(evaluator) {
  connect(&evaluator_, &LiveEvaluator::ready, this, [this](const SharedEvaluation& evaluation, quint64 generation, double milliseconds) {
    if (generation == committed_generation_) committed_evaluation_ = evaluation;
    if (generation != generation_) {
      // A drag outruns the engine: an answer to an earlier moment of the same gesture is still newer than what is shown.
      if (!preview_ || generation < committed_generation_ || generation < evaluated_generation_) return;
    }
    const bool adds = milliseconds < 0; // to the answer before, of the same design
    if (!baseline_ || (adds && baseline_ == evaluation_)) baseline_ = evaluation;
    evaluation_ = evaluation;
    evaluated_generation_ = generation;
    Q_EMIT evaluated();
    if (!adds) Q_EMIT recomputed(milliseconds);
  });
}

SharedEvaluation Document::wholeEvaluation() const {
  if (!evaluation_ || !evaluation_->loops || !evaluation_->loops->behind()) return evaluation_;
  auto whole = evaluate(evaluation_->design, evaluation_->shipped_catalog, evaluation_.get());
  return whole ? std::make_shared<const Evaluation>(*std::move(whole)) : evaluation_;
}

void Document::reset(const Design& design) {
  undo_.clear();
  undo_.setClean();
  design_ = design;
  preview_.reset();
  selection_.clear();
  evaluation_.reset();
  committed_evaluation_.reset();
  baseline_.reset();
  ++revision_;
  committed_generation_ = ++generation_;
  evaluator_.request(design_, generation_, true);
  Q_EMIT designShown();
  Q_EMIT selectionChanged();
}

bool Document::apply(const Edit& edit, quint64 gesture) {
  auto after = edit.apply(design_);
  if (!after) {
    cancelPreview();
    Q_EMIT refused(QString::fromStdString(after.error()));
    return false;
  }
  if (same_design(design_, *after)) {
    cancelPreview();
    return true;
  }
  undo_.push(new EditCommand(*this, design_, std::move(*after), selection_, selection_, QString::fromStdString(edit.label), gesture));
  return true;
}

bool Document::applyAndSelectNew(const Edit& edit) {
  auto after = edit.apply(design_);
  if (!after) {
    cancelPreview();
    Q_EMIT refused(QString::fromStdString(after.error()));
    return false;
  }
  // New ids are those from the old `next_id` on.
  std::vector<EntityRef> made;
  for_each_table([&](std::string_view word, auto member) {
    const auto& table = *((*after).*member);
    auto it = std::lower_bound(table.begin(), table.end(), design_.next_id, [](const auto& e, Id id) { return e.id < id; });
    for (; it != table.end(); ++it) made.push_back({std::string(word), it->id});
  });
  // Rows and items come along with racks; what stands on the plan is what a user wants selected.
  static const std::set<std::string_view> on_plan{"racks", "power_units", "cooling_units", "structures", "notes"};
  std::vector<EntityRef> placed;
  std::copy_if(made.begin(), made.end(), std::back_inserter(placed), [](const EntityRef& e) { return on_plan.count(e.table) > 0; });
  if (!placed.empty()) made = std::move(placed);
  undo_.push(new EditCommand(*this, design_, std::move(*after), selection_, made.empty() ? selection_ : made,
                             QString::fromStdString(edit.label), 0));
  return true;
}

void Document::rewrite(const std::function<Design(const Design&)>& written) {
  for (int i = 0; i < undo_.count(); ++i)
    const_cast<EditCommand*>(static_cast<const EditCommand*>(undo_.command(i)))->rewrite(written); // all are this one's
  const Design now = written(design_);
  if (same_design(design_, now)) return;
  design_ = now;
  preview_.reset();
  committed_generation_ = ++generation_;
  evaluator_.request(design_, generation_, true);
  Q_EMIT designShown();
}

void Document::preview(const Edit& edit) {
  auto after = edit.apply(design_);
  if (!after) return; // refused when it is committed; while dragging the last good preview stays
  if (!preview_) baseline_ = committed_evaluation_ ? committed_evaluation_ : evaluation_;
  preview_ = std::move(*after);
  ++previews_;
  evaluator_.request(*preview_, ++generation_, false);
  Q_EMIT designShown();
}

void Document::cancelPreview() {
  if (!preview_) return;
  preview_.reset();
  committed_generation_ = ++generation_;
  evaluator_.request(design_, generation_, true);
  Q_EMIT designShown();
}

void Document::select(std::vector<EntityRef> selection) {
  std::sort(selection.begin(), selection.end());
  selection.erase(std::unique(selection.begin(), selection.end()), selection.end());
  if (selection == selection_) return;
  selection_ = std::move(selection);
  Q_EMIT selectionChanged();
}

void Document::show(const Design& design, const std::vector<EntityRef>& selection) {
  if (!preview_ && committed_evaluation_) baseline_ = committed_evaluation_;
  design_ = design; // all of it: undo restores every byte, the next fresh id too
  preview_.reset();
  ++revision_;
  committed_generation_ = ++generation_;
  evaluator_.request(design_, generation_, true);
  const std::vector<EntityRef> before = selection_;
  selection_ = selection;
  drop_missing_selection(); // what was deleted is not selected any more
  const bool selection_changes = before != selection_;
  Q_EMIT designShown();
  Q_EMIT designCommitted();
  if (selection_changes) Q_EMIT selectionChanged();
}

void Document::drop_missing_selection() {
  std::erase_if(selection_, [this](const EntityRef& e) { return !has_entity(design_, e); });
}

} // namespace hallwright
