// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include <QWidget>

#include "evaluation/evaluation.h"

class QFormLayout;
class QToolButton;

namespace hallwright {

using SharedEvaluation = std::shared_ptr<const Evaluation>;

/// Gives what was just changed in a widget its final places at once, up to the scroll area or the window around it: nothing
/// is painted half-way.
void settle_layout(QWidget* widget);

/// The fields of one or several entities of one table as a form: the body of the inspector and of every workspace's inputs.
/// Label buddies, help as tooltip and what's-this, "several" for mixed values, a reset button for optional fields
/// ("back to the catalog value"), a refused value stays with its sentence under the field.
class FieldForm : public QWidget {
  Q_OBJECT
public:
  explicit FieldForm(QWidget* parent = nullptr);
  /// Shows these entities (all of one table; id 0 for a section). `only`, when not empty, names the fields to show, in order.
  void setEntities(std::vector<EntityRef> entities, std::vector<QString> only = {});
  /// New values; keeps focus and half-typed text.
  void setDesign(const Design& design, const Shared<Catalog>& catalog);
  /// Fields that findings speak of get a calm mark; a click on it asks for the finding.
  void setEvaluation(const SharedEvaluation& evaluation);
  [[nodiscard]] const std::vector<EntityRef>& entities() const { return entities_; }
  /// The editor of a field, for focus from Explain and for tests (object name "field_<name>").
  [[nodiscard]] QWidget* editor(const QString& field) const;
  /// Unfolds the heading that a field stands under.
  void reveal(const QString& field);

Q_SIGNALS:
  /// A user's change, checked against the field's range: to be applied as one undoable step.
  void editRequested(const hallwright::Edit& edit);
  void refused(const QString& sentence);
  /// Of a marked field: rule and place of its finding, as a waiver names it.
  void findingRequested(const QString& rule, const QString& place);

protected:
  void showEvent(QShowEvent* event) override;

private:
  struct Line;
  void rebuild();
  void refresh();
  /// Adds the heading of a section; a press folds or unfolds what stands under it.
  void add_heading(const QString& section);
  /// Shows what its section and the choices of the entities leave in sight.
  void fold();
  void show_marks();
  /// The catalog before a design's replaced values: what the form of one chooses from and shows.
  [[nodiscard]] const Catalog& shipped() const;
  /// What a field that replaces a catalog value is chosen from, by what is chosen before it.
  [[nodiscard]] FieldInfo shown_as(const FieldInfo& field) const;
  std::vector<EntityRef> entities_;
  std::vector<QString> only_;
  Design design_;
  Shared<Catalog> catalog_;
  SharedEvaluation evaluation_;
  std::vector<EntityRef> marked_entities_;     ///< that the marks are of
  const Evaluation* marked_evaluation_ = nullptr; ///< only compared
  std::vector<std::shared_ptr<Line>> lines_;
  std::map<QString, QToolButton*> headings_;
  std::set<QString> unfolded_; ///< sections; kept while other entities are shown
  QFormLayout* layout_ = nullptr;
};

} // namespace hallwright
