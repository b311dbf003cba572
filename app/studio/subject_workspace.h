// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>
#include <QWidget>

#include "app/studio/document.h"
#include "widgets/figure_table.h"
#include "widgets/panels.h"

class QComboBox;
class QToolButton;

namespace hallwright {

class BarList;
class CurveChart;

/// Where the bars of a chart come from: columns of a table, or figures side by side.
struct ChartSpec {
  QString title, category_title, value_title; ///< value_title names what, the unit is added
  QString table;                              ///< id of a table; empty: bars are `figures`
  QString category_column;
  std::vector<QString> value_columns;
  std::vector<QString> figures; ///< used when the table is missing or empty
  QString unit;                 ///< display unit of the axis
  bool stacked = false;
  QString limit_figure; ///< its limit is the dashed line
  QString empty_text;
  bool list = false;    ///< named bars below each other, scrolled
  QString limit_column; ///< of a list: column with the limit of each row
  bool curve = false;   ///< a line over category_column, which is a number
  QString mark_figure, mark_name; ///< of a curve: where on it the design is
  QString group_column; ///< words before the name of each row, where they are not all the same: its network
};

/// One form of inputs: a section, or a table of which one entity is edited at a time.
struct InputSpec {
  QString title;
  QString table;
  std::vector<QString> fields; ///< empty: all
  bool list = false;           ///< a table: chooser, add and remove
};

/// What a workspace of a subject shows.
struct SubjectSpec {
  QString name;
  std::vector<InputSpec> inputs;
  std::vector<QString> figures;
  std::vector<QString> tables;
  std::vector<ChartSpec> charts;
};

/// The workspaces other than Hall and Compare.
const std::vector<SubjectSpec>& subject_specs();
/// Title of a table that a subject lists, for the time before the evaluation has one.
QString table_title(const QString& table);
/// Columns of a table that stand first on the screen.
std::vector<QString> first_columns(const QString& table);

/// One entity of a table at a time: chooser, add, remove, and its form.
class EntityEditor : public QWidget {
  Q_OBJECT
public:
  EntityEditor(Document& document, const InputSpec& spec, QWidget* parent = nullptr);
  void refresh();
  void choose(Id id);

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void findingRequested(const QString& rule, const QString& place);

private:
  Document& document_;
  InputSpec spec_;
  QComboBox* chooser_ = nullptr;
  QToolButton* remove_ = nullptr;
  FieldForm* form_ = nullptr;
  std::vector<Id> ids_;
  Id current_ = 0;
};

/// Inputs, figures, charts and tables of one subject, on cards.
class SubjectWorkspace : public QWidget {
  Q_OBJECT
public:
  SubjectWorkspace(Document& document, const SubjectSpec& spec, QWidget* parent = nullptr);
  /// Shows the document's newest design and evaluation; does nothing while hidden (asked again when shown).
  void refresh();
  void showSelection();

Q_SIGNALS:
  void figureActivated(const QString& figure);
  void editRequested(const hallwright::Edit& edit);
  void selectionRequested(const std::vector<hallwright::EntityRef>& selection);
  void findingRequested(const QString& rule, const QString& place);

protected:
  void showEvent(QShowEvent* event) override;

private:
  /// A chart on its card: one of the three.
  struct Chart {
    BarChart* bars = nullptr;
    BarList* list = nullptr;
    CurveChart* curve = nullptr;
    std::vector<QString> figures;      ///< what each bar of the list opens
    std::vector<EntityRef> entities;   ///< or selects
  };
  void fill_chart(BarChart& chart, const ChartSpec& spec);
  void fill_list(Chart& chart, const ChartSpec& spec);
  void fill_curve(CurveChart& chart, const ChartSpec& spec);
  void cap_table_card();
  Document& document_;
  SubjectSpec spec_;
  std::vector<FieldForm*> forms_;
  std::vector<EntityEditor*> editors_;
  FigureList* figures_ = nullptr;
  std::vector<FigureTable*> tables_;
  QWidget* table_card_ = nullptr; ///< of all of them
  std::vector<Chart> charts_;
  bool pending_ = true;
};

/// A titled card with a body, as all workspaces use.
QWidget* make_card(const QString& title, QWidget* body, QWidget* parent);

} // namespace hallwright
