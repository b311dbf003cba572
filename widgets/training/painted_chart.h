// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QColor>
#include <QWidget>

namespace hallwright {

/// A chart that paints itself: it says what to do while there is nothing to show, tells what lies under the cursor, and
/// is saved as an image from its menu.
class PaintedChart : public QWidget {
  Q_OBJECT
public:
  explicit PaintedChart(QWidget* parent = nullptr);
  void setEmptyText(const QString& text); ///< shown while there is nothing to show
  /// What is said of the place, as its tooltip has it; empty: nothing lies there.
  [[nodiscard]] virtual QString textAt(const QPointF& at) const;

protected:
  [[nodiscard]] virtual bool has_content() const = 0;
  virtual void paint(QPainter& painter) = 0;
  virtual void restyled() {} ///< another font, size or appearance: what was kept of the picture is old
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  [[nodiscard]] QFont small_font() const;

private:
  QString empty_;
};

/// Values at which an axis is marked: 1, 2 or 5 times a power of ten apart, from `low` to `high`, about `most` of them.
std::vector<double> axis_marks(double low, double high, int most);
/// The same for an axis in logarithms, both above zero.
std::vector<double> logarithmic_marks(double low, double high);
/// Marks as words with the decimal mark of the locale, all with as many digits as tell them apart.
QString mark_text(double value, const std::vector<double>& marks);

/// Between two colours: 0 is the first, 1 the second.
QColor mixed_color(const QColor& a, const QColor& b, double share);

/// Colours of what a training step is made of, in the present appearance.
enum class StepWork { useful, computing, second_computing, communication, sending, optimizer, waiting };
QColor step_work_color(StepWork work);

struct LegendEntry {
  QString name;
  QColor color;
  bool dashed = false; ///< a line instead of a block
};
/// One line of entries that goes on in further lines where it does not fit.
/// @return height of the lines; nothing is painted without a painter
double legend(QPainter* painter, const QRectF& room, const QFont& font, const std::vector<LegendEntry>& entries);

} // namespace hallwright
