// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QString>
#include <QWidget>

namespace hallwright {

/// One value that an axis could have.
struct AxisValue {
  qint64 value = 1;
  QString reason; ///< why not; empty: it is legal
  QString note;   ///< legal at a cost that this names; may be empty
  friend bool operator==(const AxisValue&, const AxisValue&) = default;
};

/// One axis of a layout with the values that stand to choice.
struct AxisLine {
  QString id;    ///< "tensor_parallel"
  QString label; ///< "Tensor"
  QString help;
  std::vector<AxisValue> values; ///< ascending
  qint64 chosen = 1;
  QString words;        ///< below the values: what is out of reach and why; may be empty
  bool problem = false; ///< `words` tells what is wrong now
};

/// The axes of a layout, each a line of buttons with room for a line of words below: all axes stand equally far apart.
/// Illegal values are greyed and say why. Left and right go to the next legal value, up and down to the other axes.
class AxisChoices : public QWidget {
  Q_OBJECT
public:
  explicit AxisChoices(QWidget* parent = nullptr);
  ~AxisChoices() override;
  void setLines(const std::vector<AxisLine>& lines);
  [[nodiscard]] const std::vector<AxisLine>& lines() const { return lines_; }
  /// The button of a value, null where the axis does not show it (object name "axis_<id>_<value>").
  [[nodiscard]] class QAbstractButton* button(const QString& axis, qint64 value) const;
  [[nodiscard]] QString words(const QString& axis) const;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override { return arrange(width, false); }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void valueChosen(const QString& axis, qint64 value);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  struct Row;
  /// Height of all axes at this width; places them when `place`.
  int arrange(int width, bool place) const;
  [[nodiscard]] int labels_width() const;
  void fit_fonts();
  void fill(Row& row, const AxisLine& line);
  void step(std::size_t row, int by);
  void focus_row(std::size_t row);
  std::vector<AxisLine> lines_;
  std::vector<std::unique_ptr<Row>> rows_;
};

} // namespace hallwright
