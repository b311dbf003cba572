// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sensitivity_bars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/whole_label.h"
#include "widgets/wrapped_text.h"

namespace hallwright {
namespace {

/// "+499 kUSD", "−1.2 pp", "no change".
QString mover_change(double change, const Kind* kind) {
  if (change == 0.0) return SensitivityBars::tr("no change");
  const QString sign = change > 0 ? QStringLiteral("+") : QStringLiteral("\u2212");
  if (!kind) return sign + screen_number(std::abs(change), 'g', 2);
  const Kind& shown = kind->scale == Scale::point ? kind::temperature_difference : *kind;
  return sign + screen_difference(std::abs(change), shown, 2);
}
QString mover_amount(double value, const Kind* kind) {
  return kind ? screen_text(value, *kind, 3) : screen_number(value, 'g', 3);
}

/// Half of the accent on the panel: the same two tones as in bar lists.
QColor mover_color(bool more) {
  const QColor a = theme().accent, b = theme().panel;
  return more ? a : QColor((a.red() + b.red()) / 2, (a.green() + b.green()) / 2, (a.blue() + b.blue()) / 2);
}

} // namespace

/// The rows, painted: as wide as there is room, as tall as they are.
class SensitivityBars::Body final : public QWidget {
public:
  explicit Body(SensitivityBars* list) : QWidget(list), list_(list) {
    setObjectName(QStringLiteral("clear"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(SensitivityBars::tr("What moves it most"));
  }

  /// One row as it is shown. Changes are of the figure.
  struct Row {
    QString leaf, name, step, description;
    std::optional<double> less, more; ///< change with less and with more of the input
    QString less_text, more_text;
  };
  std::vector<Row> rows;

  /// Places of everything for the present width and font.
  void arrange() {
    const QFontMetrics names(font()), values(value_font());
    int widest = 0;
    lowest_ = highest_ = 0.0;
    for (const Row& r : rows)
      for (const auto& [change, text] : {std::pair(r.less, r.less_text), std::pair(r.more, r.more_text)}) {
        widest = std::max(widest, values.horizontalAdvance(text) + 2);
        if (!change) continue;
        lowest_ = std::min(lowest_, *change);
        highest_ = std::max(highest_, *change);
      }
    const int room = width() - 2 * pad;
    // Narrow: the changes stand under their bars.
    below_ = room - 2 * (widest + gap) < 10 * names.averageCharWidth();
    bar_left_ = pad + (below_ ? 0 : widest + gap);
    bar_right_ = width() - pad - (below_ ? 0 : widest + gap);
    names_.clear();
    tops_.assign(1, 0);
    for (const Row& r : rows) {
      names_.push_back(wrapped_text(r.name, names, std::max(1, room - gap - values.horizontalAdvance(r.step)), 2));
      tops_.push_back(tops_.back() + static_cast<int>(names_.back().size()) * names.height() + bar_height() +
                      (below_ ? values.height() : 0) + 2 * gap);
    }
    if (minimumHeight() != tops_.back()) {
      setMinimumHeight(tops_.back());
      updateGeometry();
    }
    update();
  }
  [[nodiscard]] int tall() const { return tops_.back(); }
  [[nodiscard]] QSize sizeHint() const override { return {QWidget::sizeHint().width(), tall()}; }
  [[nodiscard]] int row_at(int y) const {
    const auto row = static_cast<int>(std::upper_bound(tops_.begin(), tops_.end(), y) - tops_.begin()) - 1;
    return row >= 0 && row < static_cast<int>(rows.size()) ? row : -1;
  }
  [[nodiscard]] QRect row_rect(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return i + 1 < tops_.size() ? QRect(0, tops_[i], width(), tops_[i + 1] - tops_[i]) : QRect();
  }
  void tell_current() {
    current_ = std::clamp(current_, rows.empty() ? -1 : 0, static_cast<int>(rows.size()) - 1);
    setAccessibleDescription(current_ < 0 ? QString() : rows[static_cast<std::size_t>(current_)].description);
  }

protected:
  void resizeEvent(QResizeEvent*) override { arrange(); }
  void changeEvent(QEvent* event) override {
    if (event->type() == QEvent::FontChange) arrange();
    QWidget::changeEvent(event);
  }
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QFontMetrics names(font()), values(value_font());
    const double span = highest_ - lowest_, wide = std::max(1, bar_right_ - bar_left_);
    const auto place_of = [&](double change) { return bar_left_ + (span > 0 ? wide * (change - lowest_) / span : 0.0); };
    for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
      const Row& r = rows[static_cast<std::size_t>(row)];
      const QRect place = row_rect(row);
      if (row == hovered_) p.fillRect(place, t.field);
      int y = place.top() + gap;
      p.setFont(value_font());
      p.setPen(t.secondary_text);
      p.drawText(QRect(pad, y, width() - 2 * pad, names.height()), Qt::AlignRight | Qt::AlignVCenter, r.step);
      p.setFont(font());
      p.setPen(t.text);
      for (const QString& line : names_[static_cast<std::size_t>(row)]) {
        p.drawText(QRect(pad, y, width() - 2 * pad, names.height()), Qt::AlignLeft | Qt::AlignVCenter, line);
        y += names.height();
      }
      // Two bars on the same side lie one above the other.
      const bool same_side = r.less && r.more && *r.less != 0 && *r.more != 0 && (*r.less < 0) == (*r.more < 0);
      const double tall = 0.62 * bar_height(), top = y + (bar_height() - tall) / 2;
      p.setPen(Qt::NoPen);
      for (const bool more : {false, true}) {
        const auto& change = more ? r.more : r.less;
        if (!change || *change == 0) continue;
        const double from = std::min(place_of(0), place_of(*change)), to = std::max(place_of(0), place_of(*change));
        p.setBrush(mover_color(more));
        p.drawRect(QRectF(from, same_side && more ? top + tall / 2 : top, std::max(1.0, to - from), same_side ? tall / 2 : tall));
      }
      p.fillRect(QRectF(std::round(place_of(0)), y, 1, bar_height()), t.secondary_text);
      // The lower value of the figure at the left, the higher at the right.
      const bool swapped = (r.less && r.more && *r.less > *r.more) || (r.less && !r.more && *r.less > 0) || (r.more && !r.less && *r.more < 0);
      p.setFont(value_font());
      p.setPen(t.secondary_text);
      const QRect words = below_ ? QRect(pad, y + bar_height(), width() - 2 * pad, values.height())
                                 : QRect(pad, y, width() - 2 * pad, bar_height());
      p.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, swapped ? r.more_text : r.less_text);
      p.drawText(words, Qt::AlignRight | Qt::AlignVCenter, swapped ? r.less_text : r.more_text);
      if (row == current_ && hasFocus()) {
        p.setPen(QPen(t.accent, 1.5));
        p.setBrush(Qt::NoBrush);
        p.drawRect(QRectF(place).adjusted(1, 1, -1.5, -1.5));
      }
    }
  }
  bool event(QEvent* event) override {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int row = row_at(help->pos().y());
    if (row < 0) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), rows[static_cast<std::size_t>(row)].description, this, row_rect(row));
    return true;
  }
  void mouseMoveEvent(QMouseEvent* event) override { hover(row_at(event->position().toPoint().y())); }
  void leaveEvent(QEvent*) override { hover(-1); }
  void mouseReleaseEvent(QMouseEvent* event) override {
    const int row = row_at(event->position().toPoint().y());
    if (event->button() != Qt::LeftButton || row < 0) return;
    make_current(row);
    open(row);
  }
  void keyPressEvent(QKeyEvent* event) override {
    const int last = static_cast<int>(rows.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Down: make_current(std::min(last, current_ + 1)); return;
    case Qt::Key_Up: make_current(std::max(0, current_ - 1)); return;
    case Qt::Key_Home: make_current(0); return;
    case Qt::Key_End: make_current(last); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: open(current_); return;
    default: QWidget::keyPressEvent(event);
    }
  }
  void focusInEvent(QFocusEvent* event) override {
    if (event->reason() != Qt::MouseFocusReason) make_current(std::max(0, current_));
    update();
  }
  void focusOutEvent(QFocusEvent*) override { update(); }

private:
  static constexpr int pad = 2, gap = spacing_unit;
  [[nodiscard]] QFont value_font() const {
    QFont f = font();
    f.setPointSizeF(f.pointSizeF() * 0.92);
    return f;
  }
  [[nodiscard]] int bar_height() const { return QFontMetrics(value_font()).height(); }
  void hover(int row) {
    if (row == hovered_) return;
    hovered_ = row;
    update();
  }
  void make_current(int row) {
    if (row < 0 || row >= static_cast<int>(rows.size())) return;
    current_ = row;
    tell_current();
    const QRect place = row_rect(row);
    list_->scroll_->ensureVisible(0, place.center().y(), 0, place.height() / 2 + 1);
    update();
  }
  /// What is opened may close this list: by a copy.
  void open(int row) {
    if (row < 0 || row >= static_cast<int>(rows.size())) return;
    const QString leaf = rows[static_cast<std::size_t>(row)].leaf;
    Q_EMIT list_->rowActivated(leaf);
  }

  SensitivityBars* list_;
  std::vector<int> tops_{0};
  std::vector<QStringList> names_;
  double lowest_ = 0.0, highest_ = 0.0;
  int bar_left_ = 0, bar_right_ = 0, hovered_ = -1, current_ = -1;
  bool below_ = false;
};

SensitivityBars::SensitivityBars(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("clear"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(spacing_unit);
  heading_ = new QToolButton(this);
  heading_->setObjectName(QStringLiteral("sensitivity_fold"));
  heading_->setText(tr("What moves it most"));
  heading_->setToolTip(tr("Each input alone, a tenth less and a tenth more; counts by whole steps, temperatures by 1 K"));
  QFont strong = heading_->font();
  strong.setWeight(QFont::DemiBold);
  heading_->setFont(strong);
  heading_->setAutoRaise(true);
  heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  heading_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  heading_->setFocusPolicy(Qt::StrongFocus);
  words_ = new WholeLabel(this);
  words_->setObjectName(QStringLiteral("secondary"));
  words_->setTextFormat(Qt::RichText);
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setMinimumHeight(1);
  scroll_->viewport()->setAutoFillBackground(false);
  body_ = new Body(this);
  scroll_->setWidget(body_);
  column->addWidget(heading_);
  column->addWidget(words_);
  column->addWidget(scroll_, 1);
  connect(heading_, &QToolButton::clicked, this, [this] {
    open_ = !open_;
    fold();
    Q_EMIT openChanged(open_);
  });
  fold();
}

bool SensitivityBars::open() const { return open_; }
int SensitivityBars::count() const { return static_cast<int>(body_->rows.size()); }
QString SensitivityBars::words() const { return plain_; }
QString SensitivityBars::rowDescription(int row) const { return body_->rows[static_cast<std::size_t>(row)].description; }
QWidget* SensitivityBars::body() const { return body_; }
QRect SensitivityBars::rowRect(int row) const { return body_->row_rect(row); }

void SensitivityBars::setWords(const QString& words) {
  body_->rows.clear();
  plain_ = words;
  words_->setToolTip({});
  fold();
}

void SensitivityBars::setWorking(bool same_figure) {
  if (!same_figure) body_->rows.clear();
  plain_ = tr("Working\u2026");
  fold();
}

void SensitivityBars::setAnswer(const Sensitivity& answer) {
  body_->rows.clear();
  for (const SensitivityRow& r : answer.rows) {
    if (body_->rows.size() == most_rows) break;
    Body::Row out;
    out.leaf = QString::fromStdString(r.leaf);
    out.name = QString::fromStdString(r.label);
    const QString step = screen_sentence(QString::fromStdString(r.step));
    out.step = QStringLiteral("\u00b1") + step.section(QLatin1Char(','), 0, 0);
    QStringList lines{tr("%1: %2, moved by %3").arg(out.name, mover_amount(r.value, r.kind), step)};
    const auto side = [&](const SensitivityMove& m, std::optional<double>& change, QString& text, const QString& with) {
      if (!m.figure) {
        text = tr("left out");
        lines << with.arg(screen_sentence(QString::fromStdString(m.trouble)));
        return;
      }
      change = *m.figure - answer.value;
      text = mover_change(*change, answer.kind);
      lines << with.arg(tr("with %1 it is %2 (%3)").arg(mover_amount(*m.input, r.kind), mover_amount(*m.figure, answer.kind), text));
    };
    side(r.low, out.less, out.less_text, tr("Less: %1"));
    side(r.high, out.more, out.more_text, tr("More: %1"));
    if (r.elasticity) lines << tr("Elasticity %1: percent of the figure for each percent of the input").arg(screen_number(*r.elasticity, 'g', 3));
    out.description = lines.join(QLatin1Char('\n'));
    body_->rows.push_back(std::move(out));
  }
  const auto all = static_cast<qlonglong>(answer.rows.size()), tried = static_cast<qlonglong>(answer.tried);
  QString words;
  if (answer.rows.empty()) words = screen_sentence(QString::fromStdString(answer.sentence)) + QLatin1Char('.');
  else if (all > most_rows) words = tr("%1 of %2 that move it:").arg(most_rows).arg(all);
  else words = tr("%1 of %2 inputs move it:").arg(all).arg(tried);
  plain_ = words;
  QStringList more{tr("%1 inputs were tried, each alone; %2 of them change nothing.").arg(tried).arg(static_cast<qlonglong>(answer.still))};
  if (answer.beyond > 0) more << tr("%1 farther away were not tried.").arg(static_cast<qlonglong>(answer.beyond));
  if (answer.at_zero > 0) more << tr("%1 at 0 were not tried.").arg(static_cast<qlonglong>(answer.at_zero));
  for (const std::string& l : answer.left_out) more << tr("Left out: %1").arg(screen_sentence(QString::fromStdString(l)));
  words_->setToolTip(more.join(QLatin1Char('\n')));
  fold();
}

void SensitivityBars::fold() {
  const bool on = open(), any = on && !body_->rows.empty();
  heading_->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
  heading_->setAccessibleName(on ? tr("What moves it most, unfolded") : tr("What moves it most, folded"));
  words_->setVisible(on);
  scroll_->setVisible(any);
  const auto entry = [](bool more, const QString& name) {
    QString kept = name.toHtmlEscaped();
    kept.replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
    return QStringLiteral("<span style='color:%1'>\u25a0</span>&nbsp;%2").arg(mover_color(more).name(), kept);
  };
  QString text = plain_.toHtmlEscaped();
  if (any) text += QStringLiteral("&nbsp;&nbsp; ") + entry(false, tr("less of it")) + QStringLiteral("&nbsp; ") + entry(true, tr("more of it"));
  words_->setText(text);
  words_->takeHeight();
  body_->arrange();
  body_->tell_current();
  QStringList all{plain_, words_->toolTip()};
  for (const Body::Row& r : body_->rows) all << QString(r.description).replace(QLatin1Char('\n'), QStringLiteral(", "));
  setAccessibleName(tr("What moves it most"));
  setAccessibleDescription(all.join(QStringLiteral("; ")));
  fit();
}

/// No taller than its rows: the rest of the room is for the tree above.
void SensitivityBars::fit() {
  int tall = heading_->sizeHint().height();
  if (words_->isVisibleTo(this)) tall += spacing_unit + std::max(words_->heightForWidth(width()), words_->minimumHeight());
  if (scroll_->isVisibleTo(this)) tall += spacing_unit + body_->tall();
  scroll_->setMaximumHeight(std::max(1, body_->tall()));
  if (maximumHeight() != tall) setMaximumHeight(tall);
}

void SensitivityBars::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  body_->arrange();
  fit();
}

bool SensitivityBars::event(QEvent* event) {
  const bool out = QWidget::event(event);
  if (body_ && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)) fold();
  return out;
}

} // namespace hallwright
