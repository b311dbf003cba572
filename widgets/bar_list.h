// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <vector>

#include <QStringList>
#include <QWidget>

class QLabel;
class QScrollArea;
class QStackedWidget;

namespace hallwright {

/// One thing of a bar list with its amounts, one for each series.
struct NamedBar {
  QString name;
  QString tip; ///< more about it, below its amounts in the tooltip
  struct Amount {
    /// In any unit that is common to all; NaN: not known. Below zero it is drawn to the left of a line at zero.
    double value = std::numeric_limits<double>::quiet_NaN();
    QString text; ///< with its unit, as shown
  };
  std::vector<Amount> amounts;
  /// Same unit. With a limit each bar shows its share of it; NaN: none.
  double limit = std::numeric_limits<double>::quiet_NaN();
  QString limit_text;
};

/// Names at the left, whole wherever they fit, then a bar for each amount, then the amount in words. As long as it must
/// be: it is scrolled. Where bars have limits, all of them show the share of their limit, whose mark stands at the same
/// place in every row; what is over is red and says so. Arrows move through the rows, Enter or a click opens one.
class BarList : public QWidget {
  Q_OBJECT
public:
  explicit BarList(QWidget* parent = nullptr);
  /// `series` names the amounts; one alone needs no legend. `limit_name` is said in the legend where there are limits.
  void setBars(const QString& title, const QString& value_title, const QStringList& series, std::vector<NamedBar> bars,
               const QString& limit_name = {});
  void setEmptyText(const QString& text);
  [[nodiscard]] int count() const;
  /// Text of the name as it is painted at the present width, its lines joined by spaces.
  [[nodiscard]] QString shownName(int index) const;
  [[nodiscard]] QWidget* body() const;
  [[nodiscard]] QRect rowRect(int index) const; ///< of the body

Q_SIGNALS:
  void barActivated(int index);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  class Body;
  QStackedWidget* stack_ = nullptr;
  QLabel *empty_ = nullptr, *title_ = nullptr, *legend_ = nullptr;
  QScrollArea* scroll_ = nullptr;
  Body* body_ = nullptr;
};

} // namespace hallwright
