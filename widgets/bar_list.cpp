// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bar_list.h"

#include <algorithm>
#include <cmath>

#include <QFileDialog>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolTip>
#include <QVBoxLayout>

#include "widgets/theme.h"
#include "widgets/whole_label.h"
#include "widgets/wrapped_text.h"
#include "widgets/written_file.h"

namespace hallwright {

/// The rows, painted. It is as wide as there is room and as tall as its rows.
class BarList::Body final : public QWidget {
public:
  explicit Body(BarList* list) : QWidget(list), list_(list) {
    setObjectName(QStringLiteral("clear"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
  }

  std::vector<NamedBar> bars;
  QStringList series;
  QString limit_name;

  /// Places of everything for the present width.
  void arrange() {
    const QFontMetrics name_metrics(font()), value_metrics(value_font());
    int longest_name = 0, longest_value = 0, longest_amount = 0;
    limits_ = false;
    largest_ = lowest_ = 0;
    for (const NamedBar& bar : bars) {
      longest_name = std::max(longest_name, name_metrics.horizontalAdvance(bar.name) + 2);
      limits_ = limits_ || std::isfinite(bar.limit);
      for (std::size_t i = 0; i < bar.amounts.size(); ++i) {
        longest_value = std::max(longest_value, value_metrics.horizontalAdvance(words(bar, i)) + 2);
        longest_amount = std::max(longest_amount, value_metrics.horizontalAdvance(amount_words(bar.amounts[i])) + 2);
      }
    }
    for (const NamedBar& bar : bars)
      for (const NamedBar::Amount& a : bar.amounts)
        if (const double part = share(bar, a); std::isfinite(part)) {
          largest_ = std::max(largest_, part);
          lowest_ = std::min(lowest_, part);
        }
    if (limits_) largest_ = std::max(largest_, 1.0);
    largest_ = std::min(largest_, limits_ ? 2.0 : largest_); // what is far over does not squeeze the others
    const int room = width() - 2 * pad, letter = name_metrics.averageCharWidth();
    // Names stand above their bars where beside them they would be cut, or leave the bars too little.
    const int beside = std::min(longest_name, room * 2 / 5);
    above_ = room - longest_value - beside - 2 * gap < 12 * letter;
    for (const NamedBar& bar : bars) {
      if (above_) break;
      const QStringList lines = wrapped_text(bar.name, name_metrics, beside, most_name_lines);
      above_ = lines.join(QString()).contains(QChar(0x2026)) && !bar.name.contains(QChar(0x2026));
    }
    // Still narrower, and the limit is told by its mark and the tooltip.
    only_amounts_ = room - longest_value - 2 * gap < 8 * letter;
    if (only_amounts_) longest_value = longest_amount;
    name_width_ = above_ ? room : beside;
    value_width_ = std::min(longest_value, room * 4 / 5);
    bar_left_ = pad + (above_ ? 0 : name_width_ + gap);
    bar_right_ = width() - pad - value_width_ - gap;
    tops_.assign(1, 0);
    names_.clear();
    const int line = value_metrics.height() + 1;
    for (const NamedBar& bar : bars) {
      names_.push_back(wrapped_text(bar.name, name_metrics, name_width_, most_name_lines));
      const int lines = static_cast<int>(names_.back().size()) * name_metrics.height();
      const int amounts = static_cast<int>(std::max<std::size_t>(1, bar.amounts.size())) * line;
      tops_.push_back(tops_.back() + (above_ ? lines + amounts : std::max(lines, amounts)) + 2 * gap);
    }
    if (const int tall = tops_.back(); minimumHeight() != tall) setMinimumHeight(tall);
    updateGeometry();
  }

  [[nodiscard]] int row_at(int y) const {
    const auto next = std::upper_bound(tops_.begin(), tops_.end(), y);
    const auto row = static_cast<int>(next - tops_.begin()) - 1;
    return row >= 0 && row < static_cast<int>(bars.size()) ? row : -1;
  }
  [[nodiscard]] QRect row_rect(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return {0, tops_[i], width(), tops_[i + 1] - tops_[i]};
  }
  [[nodiscard]] const QStringList& name_lines(int row) const { return names_[static_cast<std::size_t>(row)]; }

  /// One amount in words: "312 kW of 400 kW", or what is not known.
  [[nodiscard]] QString words(const NamedBar& bar, std::size_t i) const {
    const NamedBar::Amount& a = bar.amounts[i];
    if (!std::isfinite(a.value) || !std::isfinite(bar.limit)) return amount_words(a);
    return (over(bar, a) ? BarList::tr("%1 of %2, over") : BarList::tr("%1 of %2")).arg(a.text, bar.limit_text);
  }
  [[nodiscard]] static QString amount_words(const NamedBar::Amount& a) {
    return std::isfinite(a.value) ? a.text : BarList::tr("unknown");
  }
  [[nodiscard]] QString description(const NamedBar& bar) const {
    QStringList lines{bar.name};
    for (std::size_t i = 0; i < bar.amounts.size(); ++i)
      lines << (series.size() > 1 ? series[static_cast<qsizetype>(i)] + QStringLiteral(": ") : QString()) +
                   words(bar, i);
    if (!bar.tip.isEmpty()) lines << bar.tip;
    return lines.join(QLatin1Char('\n'));
  }
  [[nodiscard]] bool limits() const { return limits_; }
  /// From the lowest to the largest bar, zero included.
  [[nodiscard]] double span() const { return largest_ - lowest_; }
  /// Where bars begin.
  [[nodiscard]] double zero_line() const {
    return bar_left_ + (span() > 0 ? std::max(1, bar_right_ - bar_left_) * -lowest_ / span() : 0.0);
  }
  /// Of the bars of the series with this index, in the legend too.
  [[nodiscard]] static QColor color_of(std::size_t i) {
    const QColor a = theme().accent, b = theme().panel;
    if (i == 0) return a;
    if (i > 1) return kind_color(static_cast<int>(i));
    return QColor((a.red() + b.red()) / 2, (a.green() + b.green()) / 2, (a.blue() + b.blue()) / 2);
  }

protected:
  void resizeEvent(QResizeEvent*) override { arrange(); }
  void changeEvent(QEvent* event) override {
    if (event->type() == QEvent::FontChange) arrange();
    QWidget::changeEvent(event);
  }

  void paintEvent(QPaintEvent* event) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QFont values = value_font();
    const QFontMetrics name_metrics(font()), value_metrics(values);
    const int line = value_metrics.height() + 1;
    for (int row = std::max(0, row_at(event->rect().top())); row < static_cast<int>(bars.size()); ++row) {
      const QRect place = row_rect(row);
      if (place.top() > event->rect().bottom()) break;
      const NamedBar& bar = bars[static_cast<std::size_t>(row)];
      if (row == hovered_) p.fillRect(place, t.field);
      int y = place.top() + gap;
      p.setFont(font());
      p.setPen(t.text);
      const int bars_height = static_cast<int>(bar.amounts.size()) * line;
      const auto& lines = name_lines(row);
      const int name_height = static_cast<int>(lines.size()) * name_metrics.height();
      int name_y = above_ ? y : y + std::max(0, (bars_height - name_height) / 2);
      for (const QString& words : lines) {
        p.drawText(QRect(pad, name_y, name_width_ + 2, name_metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, words);
        name_y += name_metrics.height();
      }
      if (above_) y = name_y;
      else y += std::max(0, (name_height - bars_height) / 2);
      const int bar_top = y;
      p.setFont(values);
      for (std::size_t i = 0; i < bar.amounts.size(); ++i, y += line) {
        const NamedBar::Amount& a = bar.amounts[i];
        const double part = share(bar, a);
        const bool too_much = over(bar, a);
        const QRectF track(bar_left_, y + line * 0.22, std::max(1, bar_right_ - bar_left_), line * 0.56);
        if (std::isfinite(part) && span() > 0 && part != 0) {
          p.setPen(Qt::NoPen);
          p.setBrush(too_much ? t.red : color_of(i));
          const double length = part > 0 ? std::min(part, largest_) : -part;
          const double wide = std::max(1.0, track.width() * length / span());
          p.drawRect(QRectF(part > 0 ? zero_line() : zero_line() - wide, track.top(), wide, track.height()));
        }
        p.setPen(too_much ? t.red : t.secondary_text);
        p.drawText(QRect(bar_right_ + gap, y, value_width_ + 2, line), Qt::AlignRight | Qt::AlignVCenter,
                   value_metrics.elidedText(only_amounts_ ? amount_words(a) : words(bar, i), Qt::ElideMiddle,
                                            value_width_ + 2));
      }
      if (lowest_ < 0) p.fillRect(QRectF(std::round(zero_line()), place.top(), 1, place.height()), t.structure);
      if (std::isfinite(bar.limit) && largest_ > 0) {
        const double x = std::round(zero_line() + (bar_right_ - bar_left_) / span());
        p.fillRect(QRectF(x - 1, bar_top, 2, bars_height), t.text);
      }
      if (row == current_ && hasFocus()) {
        p.setPen(QPen(t.accent, 1.5));
        p.setBrush(Qt::NoBrush);
        p.drawRect(QRectF(place).adjusted(1, 1, -1.5, -1.5));
      }
    }
  }

  bool event(QEvent* event) override {
    if (event->type() == QEvent::ToolTip) {
      auto* help = static_cast<QHelpEvent*>(event);
      const int row = row_at(help->pos().y());
      if (row < 0) QToolTip::hideText();
      else QToolTip::showText(help->globalPos(), description(bars[static_cast<std::size_t>(row)]), this, row_rect(row));
      return true;
    }
    return QWidget::event(event);
  }
  void mouseMoveEvent(QMouseEvent* event) override { hover(row_at(event->position().toPoint().y())); }
  void leaveEvent(QEvent*) override { hover(-1); }
  void mouseReleaseEvent(QMouseEvent* event) override {
    const int row = row_at(event->position().toPoint().y());
    if (event->button() != Qt::LeftButton || row < 0) return;
    make_current(row);
    Q_EMIT list_->barActivated(row);
  }
  void keyPressEvent(QKeyEvent* event) override {
    const int last = static_cast<int>(bars.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Down: make_current(std::min(last, current_ + 1)); return;
    case Qt::Key_Up: make_current(std::max(0, current_ - 1)); return;
    case Qt::Key_Home: make_current(0); return;
    case Qt::Key_End: make_current(last); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_ >= 0 && current_ <= last) Q_EMIT list_->barActivated(current_);
      return;
    default: QWidget::keyPressEvent(event);
    }
  }
  void focusInEvent(QFocusEvent* event) override {
    if (event->reason() != Qt::MouseFocusReason && !bars.empty()) make_current(std::max(0, current_));
    update();
  }
  void focusOutEvent(QFocusEvent*) override { update(); }

private:
  static constexpr int pad = spacing_unit, gap = 2 * spacing_unit, most_name_lines = 3;

  [[nodiscard]] QFont value_font() const {
    QFont f = font();
    f.setPointSizeF(f.pointSizeF() * 0.92);
    return f;
  }
  /// Length of a bar before scaling: the share of its limit where the list has limits.
  [[nodiscard]] double share(const NamedBar& bar, const NamedBar::Amount& a) const {
    if (!limits_) return a.value;
    if (bar.limit > 0) return a.value / bar.limit;
    return std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] static bool over(const NamedBar& bar, const NamedBar::Amount& a) {
    return std::isfinite(bar.limit) && a.value > bar.limit * (1 + 1e-9);
  }
  void hover(int row) {
    if (row == hovered_) return;
    hovered_ = row;
    update();
  }
  void make_current(int row) {
    if (row < 0 || row >= static_cast<int>(bars.size())) return;
    current_ = row;
    const QRect place = row_rect(row);
    list_->scroll_->ensureVisible(0, place.center().y(), 0, place.height());
    setAccessibleDescription(description(bars[static_cast<std::size_t>(row)]));
    update();
  }

  BarList* list_;
  std::vector<int> tops_{0}; ///< of each row, and the end of the last one
  std::vector<QStringList> names_;
  int name_width_ = 0, value_width_ = 0, bar_left_ = 0, bar_right_ = 0;
  double largest_ = 0, lowest_ = 0; ///< lengths; the lowest is zero or less
  bool limits_ = false, above_ = false, only_amounts_ = false;
  int hovered_ = -1, current_ = -1;
};

BarList::BarList(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  stack_ = new QStackedWidget(this);
  column->addWidget(stack_);
  empty_ = new QLabel(stack_);
  empty_->setObjectName(QStringLiteral("secondary"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  auto* page = new QWidget(stack_);
  auto* page_column = new QVBoxLayout(page);
  page_column->setContentsMargins(0, 0, 0, 0);
  page_column->setSpacing(spacing_unit);
  title_ = new WholeLabel(page);
  title_->setObjectName(QStringLiteral("title"));
  legend_ = new WholeLabel(page);
  legend_->setObjectName(QStringLiteral("secondary"));
  for (QLabel* label : {title_, legend_}) {
    label->setWordWrap(true);
    page_column->addWidget(label);
  }
  scroll_ = new QScrollArea(page);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  body_ = new Body(this);
  scroll_->setWidget(body_);
  page_column->addWidget(scroll_, 1);
  scroll_->setMinimumHeight(fontMetrics().height() * 6);
  body_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(body_, &QWidget::customContextMenuRequested, this, [this, page](const QPoint& at) {
    QMenu menu(this);
    menu.addAction(tr("Save as image\u2026"), this, [this, page] {
      const QString file =
          QFileDialog::getSaveFileName(this, tr("Save chart"), QStringLiteral("chart.png"), tr("PNG (*.png)"));
      if (file.isEmpty()) return;
      // All rows, also those that are scrolled away.
      const int above = scroll_->mapTo(page, QPoint()).y();
      QPixmap whole(QSize(page->width(), above + body_->height()) * devicePixelRatioF());
      whole.setDevicePixelRatio(devicePixelRatioF());
      whole.fill(theme().panel);
      page->render(&whole, QPoint(), QRegion(0, 0, page->width(), above));
      body_->render(&whole, QPoint(0, above));
      tell_unwritten(this, write_image(file, whole.toImage()));
    });
    menu.exec(body_->mapToGlobal(at));
  });
  stack_->addWidget(empty_);
  stack_->addWidget(page);
}

void BarList::setEmptyText(const QString& text) {
  body_->bars.clear();
  body_->arrange();
  empty_->setText(text);
  stack_->setCurrentIndex(0);
  setAccessibleDescription(text);
}

void BarList::setBars(const QString& title, const QString& value_title, const QStringList& series,
                      std::vector<NamedBar> bars, const QString& limit_name) {
  body_->bars = std::move(bars);
  body_->series = series;
  body_->limit_name = limit_name;
  body_->arrange();
  title_->setText(title);
  QStringList legend;
  const auto entry = [](const QString& mark, const QColor& color, const QString& name) {
    QString kept = name.toHtmlEscaped();
    kept.replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
    return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3").arg(color.name(), mark, kept);
  };
  if (series.size() > 1)
    for (qsizetype i = 0; i < series.size(); ++i)
      legend << entry(QStringLiteral("\u25a0"), body_->color_of(static_cast<std::size_t>(i)), series[i]);
  if (body_->limits()) legend << entry(QStringLiteral("\u2503"), theme().text, limit_name);
  if (legend.isEmpty()) legend << value_title.toHtmlEscaped();
  legend_->setText(legend.join(QStringLiteral("&nbsp;&nbsp; ")));
  setAccessibleName(title);
  body_->setAccessibleName(title);
  QStringList words;
  for (std::size_t i = 0; i < std::min<std::size_t>(body_->bars.size(), 60); ++i)
    words << body_->description(body_->bars[i]).replace(QLatin1Char('\n'), QStringLiteral(", "));
  setAccessibleDescription(value_title + QStringLiteral(". ") + words.join(QStringLiteral("; ")));
  stack_->setCurrentIndex(1);
  body_->update();
}

int BarList::count() const { return static_cast<int>(body_->bars.size()); }
QString BarList::shownName(int index) const { return body_->name_lines(index).join(QLatin1Char(' ')); }
QWidget* BarList::body() const { return body_; }
QRect BarList::rowRect(int index) const { return body_->row_rect(index); }

void BarList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  body_->arrange();
}

} // namespace hallwright
