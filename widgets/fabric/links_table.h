// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QWidget>

#include "widgets/fabric/fabric_picture.h"

class QLabel;
class QLineEdit;
class QTableView;

namespace hallwright::wired {

/// Every link of a network as rows that are made when they are seen. Sorts and filters by numbers, not by texts.
class LinksModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    number,
    from,
    from_port,
    from_place,
    to,
    to_port,
    to_place,
    kind,
    rail,
    plane,
    routed,
    ordered,
    medium,
    cable,
    load,
    state,
    column_count
  };
  using QAbstractTableModel::QAbstractTableModel;
  void setPicture(const std::shared_ptr<const Picture>& picture);
  [[nodiscard]] const std::shared_ptr<const Picture>& picture() const { return picture_; }
  /// Terms apart by commas, all of which a row must hold: words of a device, place, class, medium, cable or state
  /// ("leaf 3", "R01-04", "multimode"), or "rail 2", "plane 1".
  void setFilter(const QString& text);
  void sort(int column, Qt::SortOrder order) override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] std::uint32_t link(int row) const { return order_[static_cast<std::size_t>(row)]; }
  /// Row of a link, or -1 when it is filtered out.
  [[nodiscard]] int rowOf(std::uint32_t link) const;
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] static QString text(const Picture& picture, std::uint32_t link, int column);
  /// CSV of these links: decimal points, metres, one header line.
  static QByteArray csv(const Picture& picture, const std::vector<std::uint32_t>& links);

private:
  void arrange();
  std::shared_ptr<const Picture> picture_;
  QString filter_;
  int sorted_ = number;
  Qt::SortOrder direction_ = Qt::AscendingOrder;
  std::vector<std::uint32_t> order_;
  mutable std::vector<int> row_of_;
};

/// The model with a filter line, copying and CSV export.
class LinksTable : public QWidget {
  Q_OBJECT
public:
  explicit LinksTable(QWidget* parent = nullptr);
  void setPicture(const std::shared_ptr<const Picture>& picture);
  void setSelectedLinks(const std::vector<std::uint32_t>& links);
  [[nodiscard]] LinksModel* model() const { return model_; }
  [[nodiscard]] QTableView* view() const { return view_; }
  [[nodiscard]] QLineEdit* filter() const { return filter_; }
  [[nodiscard]] QString asTabSeparated() const;
  /// Asks for a file; the rows shown are written by a worker.
  void exportCsv();

Q_SIGNALS:
  void linksSelected(const std::vector<std::uint32_t>& links);
  void linkActivated(quint32 link);
  /// Where these lie is to be seen on the plan.
  void planRequested(const std::vector<std::uint32_t>& links);
  void told(const QString& sentence, bool problem);

private:
  [[nodiscard]] std::vector<std::uint32_t> chosen() const; ///< in the rows that are selected
  void count();
  LinksModel* model_ = nullptr;
  QTableView* view_ = nullptr;
  QLineEdit* filter_ = nullptr;
  QLabel* counted_ = nullptr;
  bool selecting_ = false;
};

} // namespace hallwright::wired
