// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/field_form.h"

class QLabel;
class QLineEdit;
class QScrollArea;
class QSplitter;
class QTreeWidget;
class QVBoxLayout;
class QTreeWidgetItem;
class QTableWidget;
class QTreeView;

/// The docks that are always on screen. Each shows an evaluation and asks for edits; none computes.
namespace hallwright {

class SensitivityBars;

/// Top strip: one tile a question; value, limit bar, change since the last edit. A click opens Explain. Tiles do not get
/// narrower than title and value need: in a narrow window the strip is scrolled.
class HeadlineStrip : public QWidget {
  Q_OBJECT
public:
  explicit HeadlineStrip(QWidget* parent = nullptr);
  /// `baseline` is the evaluation before the present edit or drag: arrows show the difference from it.
  void setEvaluation(const SharedEvaluation& evaluation, const SharedEvaluation& baseline);
  /// Marks the numbers as older than the design (recomputing for more than 100 ms).
  void setStale(bool stale);
  /// Lines for limit and remark at the foot of each tile: 2, or 1 where height is scarce.
  void setFootLines(int lines);
  [[nodiscard]] QWidget* tile(int index) const;
  [[nodiscard]] QString tileText(int index) const; ///< what a screen reader reads: title, value, limit, change

Q_SIGNALS:
  void figureActivated(const QString& figure);

protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

private:
  void fit_height();
  class Tile;
  std::vector<Tile*> tiles_;
  QScrollArea* scroll_ = nullptr;
};

/// A figure opened down to its inputs, as a tree. Design inputs are edited in place; sources open. Figures that only pass
/// an amount on under another name are left out between the others: the tooltip names them. Of a row of maxima the things
/// that are compared stand below each other. Under it a fold for what moves the figure most, which others compute.
class ExplainPanel : public QWidget {
  Q_OBJECT
public:
  explicit ExplainPanel(QWidget* parent = nullptr);
  void setEvaluation(const SharedEvaluation& evaluation);
  void showFigure(const QString& id);
  /// Forgets figure and way back: another design is shown from now on.
  void reset();
  [[nodiscard]] QString figure() const { return figure_; }
  [[nodiscard]] QTreeWidget* tree() const { return tree_; }
  [[nodiscard]] QString asText() const; ///< the derivation as indented text, for the clipboard
  [[nodiscard]] SensitivityBars* movers() const { return movers_; }
  /// Opens the tree down to a leaf and makes it current; a number of the design is edited there. What the tree does not
  /// reach is shown as a figure of its own.
  void reveal(const QString& leaf);

Q_SIGNALS:
  void figureShown(const QString& figure); ///< another one than before, or none
  void editRequested(const hallwright::Edit& edit);
  void entityActivated(const hallwright::EntityRef& entity);
  void sourceActivated(const QString& source);
  void refused(const QString& sentence);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void fill();
  /// The heads of the lists stand there only where there is something under them.
  void show_lists(bool any);
  SharedEvaluation evaluation_;
  QString figure_;
  QWidget *back_button_ = nullptr, *copy_button_ = nullptr, *used_title_ = nullptr, *rest_ = nullptr;
  QLabel* title_ = nullptr;
  QLabel* value_ = nullptr;
  QLabel* formula_ = nullptr;
  QTreeWidget* tree_ = nullptr;
  QTreeWidget* used_by_ = nullptr;
  SensitivityBars* movers_ = nullptr;
  std::vector<QString> back_;
};

/// Fields of what is selected: one or many.
class InspectorPanel : public QWidget {
  Q_OBJECT
public:
  explicit InspectorPanel(QWidget* parent = nullptr);
  void setDesign(const Design& design, const Shared<Catalog>& catalog);
  void setSelection(const std::vector<EntityRef>& selection);
  void setEvaluation(const SharedEvaluation& evaluation);
  [[nodiscard]] FieldForm* form() const { return form_; }
  /// The fields of the rows that selected racks stand in; hidden while something else is selected.
  [[nodiscard]] FieldForm* rowForm() const { return row_form_; }

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void refused(const QString& sentence);
  void findingRequested(const QString& rule, const QString& place);

private:
  QLabel* title_ = nullptr;
  QLabel* subtitle_ = nullptr;
  QLabel* empty_ = nullptr;
  FieldForm* form_ = nullptr;
  QLabel* row_title_ = nullptr;
  FieldForm* row_form_ = nullptr;
  QVBoxLayout* column_ = nullptr;
  Design design_;
  Shared<Catalog> catalog_;
  void follow_rows();
  void name_rows(const std::vector<EntityRef>& rows);
  void show_rows(const std::vector<EntityRef>& rows, bool first);
};

/// Mime type of a thing dragged from Parts: text "<kind>/<id>" ("rack_types/7", "cooling/vertiv-xdu1350", "tool/row").
extern const char* const part_mime_type;

/// Parts to place: the design's rack types, racks of the catalog, cooling units, power units, structures; search; drag
/// onto the plan, or Enter.
class PartsPanel : public QWidget {
  Q_OBJECT
public:
  explicit PartsPanel(QWidget* parent = nullptr);
  void setDesign(const Design& design, const Shared<Catalog>& catalog);
  void focusSearch();
  void clearSearch();
  void recolour(); ///< after another appearance
  [[nodiscard]] QTreeWidget* tree() const { return tree_; }

Q_SIGNALS:
  /// Double click or Enter: place with the next click on the plan. "racks/<id>" is a rack of the catalog, of which a
  /// rack type is made.
  void partActivated(const QString& part);
  void newRackTypeRequested();

private:
  QLineEdit* search_ = nullptr;
  QTreeWidget* tree_ = nullptr;
  Design design_;
  Shared<Catalog> catalog_;
  bool was_searched_ = false;
  void fill();
};

/// Tree of what is in the design, in step with the selection.
class OutlinePanel : public QWidget {
  Q_OBJECT
public:
  explicit OutlinePanel(QWidget* parent = nullptr);
  void setDesign(const Design& design);
  void setSelection(const std::vector<EntityRef>& selection);
  [[nodiscard]] QTreeWidget* tree() const { return tree_; }

Q_SIGNALS:
  void selectionRequested(const std::vector<hallwright::EntityRef>& selection);
  void zoomRequested(const std::vector<hallwright::EntityRef>& entities);

private:
  QTreeWidget* tree_ = nullptr;
  QLineEdit* search_ = nullptr;
  Design design_;
  bool updating_ = false;
};

/// Findings: errors, warnings, notes, waived. A click selects and zooms; remedies are previewed and applied; waive with
/// a reason. Beside the list the finding that is current stands whole, with all of its remedies.
class ChecksPanel : public QWidget {
  Q_OBJECT
public:
  explicit ChecksPanel(QWidget* parent = nullptr);
  void setEvaluation(const SharedEvaluation& evaluation);
  [[nodiscard]] QTableWidget* table() const { return table_; }
  [[nodiscard]] QString summary() const; ///< "2 errors · 5 warnings · 3 notes · 1 waived"
  void next(int step); ///< F8 / Shift+F8
  /// Makes the finding of this rule at this place (as a waiver names it) the current one, in sight.
  void showFinding(const QString& rule, const QString& place);
  /// While something is tried: strikes out the findings that are not in this evaluation, and names those that it brings
  /// in a line above the list, marked as a preview. Null ends it.
  void setPreview(const SharedEvaluation& tried);

Q_SIGNALS:
  void findingActivated(const std::vector<hallwright::EntityRef>& entities, const QString& figure);
  /// Rule and place are those of the finding that the remedy belongs to.
  void remedyPreviewRequested(const hallwright::Edit& edit, const QString& rule, const QString& place);
  void remedyRequested(const hallwright::Edit& edit);
  void waiveRequested(const QString& rule, const QString& place);
  void withdrawRequested(const QString& rule, const QString& place);
  void summaryChanged(const QString& summary);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  SharedEvaluation evaluation_;
  [[nodiscard]] const Finding* finding_at(int row) const;
  void activate(int row);
  void open_remedies(int row, const QPoint& at);
  void use_link(const QString& link);
  void fit_columns();
  void show_whole();
  void stand_side_by_side();
  bool eventFilter(QObject* watched, QEvent* event) override;
  QTableWidget* table_ = nullptr;
  QLabel* filter_note_ = nullptr;
  QLabel* preview_note_ = nullptr; ///< what is tried brings and takes
  QSplitter* split_ = nullptr;
  QScrollArea* side_ = nullptr;
  QLabel* whole_ = nullptr; ///< sentence and remedies of the finding that is current
  std::string current_;     ///< rule and place of that finding: it stays current when others come and go
};

} // namespace hallwright
