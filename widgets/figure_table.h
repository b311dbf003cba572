// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include <QWidget>

#include "widgets/field_form.h"

class QTableView;
class QComboBox;
class QLabel;
class QLineEdit;

namespace hallwright {

/// One table of an evaluation: sorts by value, filters, copies to a spreadsheet (units in the header), exports CSV.
class FigureTable : public QWidget {
  Q_OBJECT
public:
  explicit FigureTable(QWidget* parent = nullptr);
  void setTable(const Table* table); ///< copied when it differs; null shows the empty state
  void setEmptyText(const QString& text);
  /// Columns that stand first, by id, before the others: what one looks for, where not all are in sight.
  void setFirstColumns(const std::vector<QString>& ids);
  void setSelection(const std::vector<EntityRef>& selection);
  [[nodiscard]] QTableView* view() const { return view_; }
  /// The field that filters rows, for a place beside the title where every line counts.
  [[nodiscard]] QLineEdit* filterField() const { return filter_; }
  [[nodiscard]] QString asTabSeparated() const;
  /// Width at which no column cuts its words, without the bars of the view. 0: nothing is shown.
  [[nodiscard]] int contentWidth() const;

Q_SIGNALS:
  void rowsSelected(const std::vector<hallwright::EntityRef>& entities);
  void rowExplained(const QString& figure);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  class Model;
  void show_empty();
  void spread_widths();
  void show_detail();
  void read_widths();
  void keep_width(int column, int width);
  [[nodiscard]] QString width_key(int column) const;
  std::vector<int> wanted_widths_; ///< by column: what its words and heading take
  std::map<int, int> own_widths_;  ///< drawn by hand, kept from one start to the next
  bool arranging_ = false;
  QLabel* detail_ = nullptr;
  Model* model_ = nullptr;
  std::vector<QString> first_columns_;
  QLabel* empty_ = nullptr;
  QTableView* view_ = nullptr;
  QLineEdit* filter_ = nullptr;
};

/// CSV of a table, locale-free, numbers as `table_number` has them, base units named in the header.
std::string table_csv(const Table& table);

/// Figures of a subject as a list: label, value, limit bar, status, completeness. A click opens Explain.
class FigureList : public QWidget {
  Q_OBJECT
public:
  explicit FigureList(QWidget* parent = nullptr);
  void setFigures(const SharedEvaluation& evaluation, const std::vector<QString>& ids);
  [[nodiscard]] int count() const;
  /// As painted at the present width: a name may be cut where three lines are not enough, a value never is.
  [[nodiscard]] QString shownName(int index) const;
  [[nodiscard]] QString shownValue(int index) const;

Q_SIGNALS:
  void figureActivated(const QString& figure);

private:
  class Body;
  Body* body_ = nullptr;
};

/// Bars by category with axis titles and units (Qt Charts), tooltips, saved as an image; a table twin for screen readers.
class BarChart : public QWidget {
  Q_OBJECT
public:
  explicit BarChart(QWidget* parent = nullptr);
  struct Series {
    QString name;
    std::vector<double> values; ///< in the unit of the axis
    QColor color = {};          ///< invalid: one of those that charts have in common
  };
  /// `stacked` stacks the series; a limit, when finite, is drawn as a dashed line.
  void setBars(const QString& title, const QString& category_title, const QStringList& categories, const QString& value_title,
               const std::vector<Series>& series, bool stacked, double limit = qQNaN(), const QString& limit_name = {});
  void setEmptyText(const QString& text);

private:
  class Private;
  std::shared_ptr<Private> d_;
};

} // namespace hallwright
