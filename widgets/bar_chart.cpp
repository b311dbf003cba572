// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QBarCategoryAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QFileDialog>
#include <QGraphicsLayout>
#include <QHorizontalBarSeries>
#include <QLabel>
#include <QLineSeries>
#include <QMenu>
#include <QStackedWidget>
#include <QStackedBarSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include "widgets/figure_table.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/written_file.h"

namespace hallwright {

class BarChart::Private {
public:
  QStackedWidget* stack = nullptr;
  QLabel* empty = nullptr;
  QWidget* page = nullptr; ///< title, legend and chart
  QLabel* title = nullptr;
  QLabel* legend = nullptr;
  QChartView* view = nullptr;
};

namespace {

/// A name in lines of about `letters`, as the labels of an axis take them.
QString in_lines(const QString& name, int letters) {
  QStringList lines;
  for (const QString& word : name.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    if (!lines.isEmpty() && lines.back().size() + 1 + word.size() <= letters) lines.back() += QLatin1Char(' ') + word;
    else lines << word;
  }
  for (QString& line : lines) line = line.toHtmlEscaped();
  return lines.join(QStringLiteral("<br>"));
}

/// One entry of the legend; it stays in one line.
QString legend_entry(const QString& mark, const QColor& color, const QString& name) {
  QString kept = name.toHtmlEscaped();
  kept.replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
  return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3").arg(color.name(), mark, kept);
}

} // namespace

BarChart::BarChart(QWidget* parent) : QWidget(parent), d_(std::make_shared<Private>()) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  d_->stack = new QStackedWidget(this);
  column->addWidget(d_->stack);
  d_->empty = new QLabel(d_->stack);
  d_->empty->setObjectName(QStringLiteral("secondary"));
  d_->empty->setAlignment(Qt::AlignCenter);
  d_->empty->setWordWrap(true);
  d_->page = new QWidget(d_->stack);
  auto* page_column = new QVBoxLayout(d_->page);
  page_column->setContentsMargins(0, 0, 0, 0);
  page_column->setSpacing(spacing_unit);
  d_->title = new QLabel(d_->page);
  d_->title->setObjectName(QStringLiteral("title"));
  d_->legend = new QLabel(d_->page);
  d_->legend->setObjectName(QStringLiteral("secondary"));
  for (QLabel* label : {d_->title, d_->legend}) {
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    page_column->addWidget(label);
  }
  d_->view = new QChartView(d_->page);
  page_column->addWidget(d_->view, 1);
  d_->view->setRenderHint(QPainter::Antialiasing);
  d_->view->setFrameShape(QFrame::NoFrame);
  d_->view->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(d_->view, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
    QMenu menu(this);
    menu.addAction(tr("Save as image\u2026"), this, [this] {
      const QString file = QFileDialog::getSaveFileName(this, tr("Save chart"), QStringLiteral("chart.png"), tr("PNG (*.png)"));
      if (!file.isEmpty()) tell_unwritten(this, write_image(file, d_->page->grab().toImage()));
    });
    menu.exec(d_->view->mapToGlobal(at));
  });
  d_->stack->addWidget(d_->empty);
  d_->stack->addWidget(d_->page);
}

void BarChart::setEmptyText(const QString& text) {
  d_->empty->setText(text);
  d_->stack->setCurrentIndex(0);
  setAccessibleDescription(text);
}

void BarChart::setBars(const QString& title, const QString& category_title, const QStringList& categories, const QString& value_title,
                       const std::vector<Series>& series, bool stacked, double limit, const QString& limit_name) {
  const Theme& t = theme();
  auto* chart = new QChart;
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->setBackgroundBrush(t.panel);
  chart->setBackgroundRoundness(0);
  chart->layout()->setContentsMargins(0, 0, 0, 0);
  chart->setMargins(QMargins(4, 2, 8, 2));
  QFont small = font();
  small.setPointSizeF(font().pointSizeF() * 0.9);
  d_->title->setText(title);
  QStringList legend;
  // Long names read better beside their bars than under them.
  qsizetype longest = 0;
  for (const QString& c : categories) longest = std::max(longest, c.size());
  const bool horizontal = !stacked && !std::isfinite(limit) && categories.size() <= 24 && longest > 6;
  const bool wraps = horizontal && categories.size() <= 8; // room for names of several lines
  QAbstractBarSeries* bars = horizontal ? static_cast<QAbstractBarSeries*>(new QHorizontalBarSeries) : stacked ? static_cast<QAbstractBarSeries*>(new QStackedBarSeries) : new QBarSeries;
  double top = std::isfinite(limit) ? limit : 0.0;
  std::vector<double> sums(static_cast<std::size_t>(categories.size()), 0.0);
  QStringList words;
  int color = 0;
  for (const Series& s : series) {
    auto* set = new QBarSet(s.name);
    set->setColor(s.color.isValid()    ? s.color
                  : series.size() == 1 ? t.accent : kind_color(color));
    set->setBorderColor(t.panel);
    legend << legend_entry(QStringLiteral("\u25a0"), set->color(), s.name);
    ++color;
    for (std::size_t i = 0; i < s.values.size(); ++i) {
      *set << (horizontal ? s.values[s.values.size() - 1 - i] : s.values[i]);
      if (i < sums.size()) sums[i] = stacked ? sums[i] + s.values[i] : std::max(sums[i], s.values[i]);
      if (static_cast<qsizetype>(i) < categories.size() && words.size() < 60)
        words << QStringLiteral("%1, %2: %3").arg(categories[static_cast<qsizetype>(i)], s.name, screen_number(s.values[i], 'g', 3));
    }
    connect(set, &QBarSet::hovered, this, [this, set, categories, value_title, horizontal](bool on, int at) {
      const int index = horizontal ? static_cast<int>(categories.size()) - 1 - at : at;
      if (on && index >= 0 && index < categories.size())
        QToolTip::showText(QCursor::pos(), QStringLiteral("%1\n%2: %3").arg(categories[index], set->label(), screen_number(set->at(at), 'g', 3)) + QStringLiteral("  (") + value_title + QStringLiteral(")"), d_->view);
    });
    bars->append(set);
  }
  for (double s : sums) top = std::max(top, s);
  bars->setBarWidth(0.7);
  chart->addSeries(bars);
  auto* x = new QBarCategoryAxis;
  // Many bars: every few one is named, the others keep a name that is not seen (names must differ).
  QStringList names = categories;
  const qsizetype named_each = horizontal ? 1 : (categories.size() + 15) / 16;
  for (qsizetype i = 0; i < names.size(); ++i)
    if (i % named_each != 0) names[i] = QString(static_cast<int>(i) + 1, QChar(0x200b));
  if (wraps)
    for (QString& name : names) name = in_lines(name, 10);
  if (horizontal) x->append(QStringList(names.crbegin(), names.crend()));
  else x->append(names);
  // Names beside their bars say what they are; the room is theirs.
  if (!horizontal) x->setTitleText(category_title);
  auto* y = new QValueAxis;
  y->setTitleText(value_title);
  y->setRange(0.0, top > 0 ? top * 1.02 : 1.0);
  if (horizontal) y->setTickCount(3); // numbers stand beside each other here
  y->applyNiceNumbers();
  if (top <= 0) y->setTickCount(2); // nothing to show: 0 and 1
  y->setLabelFormat(top >= 20 || top == 0 ? QStringLiteral("%.0f") : top >= 2 ? QStringLiteral("%.1f") : QStringLiteral("%.3g"));
  for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(x), static_cast<QAbstractAxis*>(y)}) {
    axis->setLabelsFont(small);
    axis->setTitleFont(small);
    axis->setLabelsColor(t.secondary_text);
    axis->setTitleBrush(t.secondary_text);
    axis->setLinePenColor(t.border);
    axis->setGridLineColor(t.grid_major);
  }
  x->setGridLineVisible(false);
  if (horizontal) {
    QFont names_font = small;
    names_font.setPointSizeF(font().pointSizeF() * 0.8);
    x->setLabelsFont(names_font);
  }
  if (!horizontal && categories.size() > 6 && longest > 4) x->setLabelsAngle(-60);
  chart->addAxis(x, horizontal ? Qt::AlignLeft : Qt::AlignBottom);
  chart->addAxis(y, horizontal ? Qt::AlignBottom : Qt::AlignLeft);
  bars->attachAxis(x);
  bars->attachAxis(y);
  if (std::isfinite(limit)) {
    auto* line = new QLineSeries;
    line->setName(limit_name);
    line->append(-0.5, limit);
    line->append(static_cast<double>(categories.size()) - 0.5, limit);
    line->setPen(QPen(t.red, 1.5, Qt::DashLine));
    chart->addSeries(line);
    line->attachAxis(x);
    line->attachAxis(y);
    legend << legend_entry(QStringLiteral("\u2012\u2060\u202f\u2060\u2012\u2060"), t.red, limit_name);
    words << QStringLiteral("%1: %2").arg(limit_name, screen_number(limit, 'g', 3));
  }
  // The legend of the library cuts its names where the chart is narrow; this one goes on in another line.
  chart->legend()->hide();
  d_->legend->setFont(small);
  d_->legend->setText(legend.join(QStringLiteral("&nbsp;&nbsp; ")));
  d_->legend->setVisible(series.size() > 1 || std::isfinite(limit));
  std::unique_ptr<QChart> old(d_->view->chart());
  d_->view->setChart(chart);
  d_->view->setBackgroundBrush(t.panel);
  d_->view->setAccessibleName(title);
  setAccessibleName(title);
  setAccessibleDescription(QStringLiteral("%1, %2. ").arg(category_title, value_title) + words.join(QStringLiteral("; ")));
  d_->stack->setCurrentIndex(1);
}

} // namespace hallwright
