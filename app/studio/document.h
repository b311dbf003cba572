// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "app/studio/live_evaluator.h"
#include "design/edits.h"

namespace hallwright {

/// The open design with its undo list, its preview while a gesture is under way, and its newest evaluation.
/// Every change goes through `apply` (committed, undoable) or `preview` (shown, not kept).
class Document : public QObject {
  Q_OBJECT
public:
  explicit Document(LiveEvaluator& evaluator, QObject* parent = nullptr);

  /// Replaces everything (open, new): clears undo list, selection and preview.
  void reset(const Design& design);

  /// The committed design, and what is shown (the preview where there is one).
  [[nodiscard]] const Design& design() const { return design_; }
  [[nodiscard]] const Design& shown() const { return preview_ ? *preview_ : design_; }
  [[nodiscard]] bool previewing() const { return preview_.has_value(); }
  [[nodiscard]] const SharedEvaluation& evaluation() const { return evaluation_; }
  /// The same with what takes longer than an edit may, found here and now where it is not there yet: for what is written
  /// to files. Null where there is no evaluation.
  [[nodiscard]] SharedEvaluation wholeEvaluation() const;
  /// Evaluation before the last edit (or before the gesture under way): what arrows compare with.
  [[nodiscard]] const SharedEvaluation& baseline() const { return baseline_; }
  [[nodiscard]] QUndoStack& undoStack() { return undo_; }
  /// Whether `evaluation()` is that of what is shown, not of a moment before.
  [[nodiscard]] bool evaluationIsOfShown() const { return evaluation_ && evaluated_generation_ == generation_; }
  /// Counts previews: one that was replaced by another has an older number.
  [[nodiscard]] quint64 previews() const { return previews_; }
  /// Counts committed changes; grows only. For the recovery file.
  [[nodiscard]] quint64 revision() const { return revision_; }

  /// Applies an edit as one undo step. A refusal leaves everything as it is and is announced by `refused`.
  /// Edits of one `gesture` (not 0) that follow each other merge into one step.
  bool apply(const Edit& edit, quint64 gesture = 0);
  /// The same, for edits that make things: selects them.
  bool applyAndSelectNew(const Edit& edit);
  /// Writes the same design in other words, such as names of files as seen from another folder: what is shown, and what
  /// undo and redo lead to. No undo step; what is saved stays saved.
  void rewrite(const std::function<Design(const Design&)>& written);
  void preview(const Edit& edit);
  void cancelPreview();
  /// A fresh number for a gesture.
  quint64 newGesture() { return ++gesture_; }

  [[nodiscard]] const std::vector<EntityRef>& selection() const { return selection_; }
  void select(std::vector<EntityRef> selection);

Q_SIGNALS:
  void designShown();      ///< `shown()` changed
  void designCommitted();  ///< `design()` changed: write the recovery file
  void evaluated();        ///< `evaluation()` is that of `shown()`
  void selectionChanged();
  void refused(const QString& sentence);
  void recomputed(double milliseconds);

private:
  friend class EditCommand;
  void show(const Design& design, const std::vector<EntityRef>& selection);
  void drop_missing_selection();

  LiveEvaluator& evaluator_;
  Design design_;
  std::optional<Design> preview_;
  SharedEvaluation evaluation_, committed_evaluation_, baseline_;
  QUndoStack undo_;
  std::vector<EntityRef> selection_;
  quint64 generation_ = 0, committed_generation_ = 0, gesture_ = 0, revision_ = 0;
  quint64 evaluated_generation_ = 0, previews_ = 0;
};

} // namespace hallwright
