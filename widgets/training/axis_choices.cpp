// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/axis_choices.h"

#include <algorithm>

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

struct AxisChoices::Row {
  QLabel *label = nullptr, *words = nullptr;
  std::vector<QPushButton*> buttons;
};

AxisChoices::AxisChoices(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("clear"));
  setAccessibleName(tr("Axes of the layout"));
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

AxisChoices::~AxisChoices() = default;

int AxisChoices::labels_width() const {
  int wide = 0;
  for (const auto& row : rows_)
    wide = std::max(wide, row->label->sizeHint().width());
  return wide;
}

int AxisChoices::arrange(int width, bool place) const {
  constexpr int between = spacing_unit, below = 1, after = spacing_unit;
  const int names = std::min(labels_width(), width / 2), left = names + 3 * spacing_unit,
            room = std::max(1, width - left);
  const QRect whole(0, 0, width, height());
  const auto put = [&](QWidget* w, const QRect& r) {
    if (place) w->setGeometry(QStyle::visualRect(layoutDirection(), whole, r));
  };
  int y = 0;
  for (const auto& row : rows_) {
    int x = 0, top = y, tall = row->label->sizeHint().height(), first = 0;
    for (QPushButton* b : row->buttons) {
      const QSize s = b->sizeHint();
      if (x > 0 && x + s.width() > room) {
        if (first == 0) first = tall;
        top += tall + between;
        x = tall = 0;
      }
      put(b, QRect(left + x, top, s.width(), s.height()));
      x += s.width() + between;
      tall = std::max(tall, s.height());
    }
    put(row->label, QRect(0, y, names, first > 0 ? first : tall));
    // Without words as with one line of them: the axes keep one rhythm.
    int words = QFontMetrics(row->words->font()).height();
    if (!row->words->text().isEmpty()) words = std::max(words, row->words->heightForWidth(room));
    put(row->words, QRect(left, top + tall + below, room, words));
    y = top + tall + below + words + after;
  }
  return std::max(0, y - after);
}

QSize AxisChoices::sizeHint() const {
  int widest = 0;
  for (const auto& row : rows_) {
    int wide = 0;
    for (const QPushButton* b : row->buttons)
      wide += b->sizeHint().width() + spacing_unit;
    widest = std::max(widest, wide);
  }
  const int wide = labels_width() + 3 * spacing_unit + widest;
  return {wide, arrange(wide, false)};
}

QSize AxisChoices::minimumSizeHint() const {
  int widest = 0;
  for (const auto& row : rows_)
    for (const QPushButton* b : row->buttons)
      widest = std::max(widest, b->sizeHint().width());
  const int wide = labels_width() + 3 * spacing_unit + widest;
  return {wide,
          arrange(QWIDGETSIZE_MAX, false)}; // with all the width they want; a narrower one is asked for its height
}

void AxisChoices::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange(width(), true);
}

void AxisChoices::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
  fit_fonts();
  updateGeometry();
  arrange(width(), true);
}

void AxisChoices::fit_fonts() {
  QFont small = font();
  if (small.pointSizeF() > 0) small.setPointSizeF(small.pointSizeF() * 0.9);
  for (const auto& row : rows_)
    row->words->setFont(small);
}

QAbstractButton* AxisChoices::button(const QString& axis, qint64 value) const {
  return findChild<QPushButton*>(QStringLiteral("axis_%1_%2").arg(axis).arg(value));
}

QString AxisChoices::words(const QString& axis) const {
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (lines_[i].id == axis) return rows_[i]->words->text();
  return {};
}

void AxisChoices::setLines(const std::vector<AxisLine>& lines) {
  const bool same =
      lines.size() == lines_.size() && std::equal(lines.begin(), lines.end(), lines_.begin(),
                                                  [](const AxisLine& a, const AxisLine& b) { return a.id == b.id; });
  if (!same) {
    for (auto& row : rows_) {
      delete row->label;
      delete row->words;
      for (QPushButton* b : row->buttons)
        delete b;
    }
    rows_.clear();
    for (const AxisLine& line : lines) {
      auto row = std::make_unique<Row>();
      row->label = new QLabel(line.label, this);
      row->label->setObjectName(QStringLiteral("secondary"));
      row->words = new QLabel(this);
      row->words->setObjectName(QStringLiteral("secondary"));
      row->words->setWordWrap(true);
      row->words->setAlignment(Qt::AlignLeft | Qt::AlignTop);
      row->label->show();
      rows_.push_back(std::move(row));
    }
    lines_.assign(lines.size(), {});
    fit_fonts();
  }
  for (std::size_t i = 0; i < lines.size(); ++i)
    fill(*rows_[i], lines[i]), lines_[i] = lines[i];
  updateGeometry();
  arrange(width(), true);
}

void AxisChoices::fill(Row& row, const AxisLine& line) {
  row.label->setToolTip(line.help);
  bool same = row.buttons.size() == line.values.size();
  for (std::size_t i = 0; same && i < row.buttons.size(); ++i)
    same = row.buttons[i]->property("axis_value").toLongLong() == line.values[i].value;
  bool focus = false;
  if (!same) {
    for (QPushButton* b : row.buttons) {
      focus = focus || b->hasFocus();
      delete b;
    }
    row.buttons.clear();
    for (const AxisValue& v : line.values) {
      auto* b = new QPushButton(screen_number(v.value), this);
      b->setObjectName(QStringLiteral("axis_%1_%2").arg(line.id).arg(v.value));
      b->setProperty("axis_value", v.value);
      b->setProperty("axisValue", true);
      b->setCheckable(true);
      b->setAutoDefault(false);
      b->installEventFilter(this);
      connect(b, &QPushButton::clicked, this, [this, b, id = line.id, value = v.value] {
        b->setChecked(true); // it stays down until the design says otherwise
        Q_EMIT valueChosen(id, value);
      });
      b->show();
      row.buttons.push_back(b);
    }
  }
  for (std::size_t i = 0; i < row.buttons.size(); ++i) {
    QPushButton* b = row.buttons[i];
    const AxisValue& v = line.values[i];
    const bool chosen = v.value == line.chosen;
    b->setChecked(chosen);
    b->setEnabled(v.reason.isEmpty() || chosen);
    b->setFocusPolicy(chosen ? Qt::StrongFocus : Qt::ClickFocus);
    b->setToolTip(!v.reason.isEmpty() ? v.reason : v.note);
    b->setAccessibleName(QStringLiteral("%1 %2").arg(line.label, screen_number(v.value)));
    b->setAccessibleDescription(b->toolTip());
    const bool wrong = chosen && !v.reason.isEmpty();
    if (b->property("problem").toBool() != wrong) {
      b->setProperty("problem", wrong);
      b->style()->unpolish(b);
      b->style()->polish(b);
    }
    if (focus && chosen) b->setFocus();
  }
  row.words->setText(line.words);
  row.words->setVisible(!line.words.isEmpty());
  const QString name = line.problem ? QStringLiteral("problem") : QStringLiteral("secondary");
  if (row.words->objectName() != name) {
    row.words->setObjectName(name);
    row.words->style()->unpolish(row.words);
    row.words->style()->polish(row.words);
  }
}

bool AxisChoices::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto& buttons = rows_[i]->buttons;
      if (std::find(buttons.begin(), buttons.end(), watched) == buttons.end()) continue;
      switch (static_cast<QKeyEvent*>(event)->key()) {
      case Qt::Key_Right:
        step(i, 1);
        return true;
      case Qt::Key_Left:
        step(i, -1);
        return true;
      case Qt::Key_Down:
        focus_row(i + 1);
        return true;
      case Qt::Key_Up:
        if (i > 0) focus_row(i - 1);
        return true;
      default:
        break;
      }
    }
  }
  return QWidget::eventFilter(watched, event);
}

void AxisChoices::step(std::size_t at, int by) {
  const AxisLine& line = lines_[at];
  const int n = static_cast<int>(line.values.size());
  int now = 0;
  while (now < n && line.values[static_cast<std::size_t>(now)].value < line.chosen)
    ++now;
  for (int i = now + by; i >= 0 && i < n; i += by) {
    const AxisValue& v = line.values[static_cast<std::size_t>(i)];
    if (!v.reason.isEmpty() || v.value == line.chosen) continue;
    // The next key goes on from here, whether the design has answered by then or not.
    lines_[at].chosen = v.value;
    QPushButton* b = rows_[at]->buttons[static_cast<std::size_t>(i)];
    for (QPushButton* other : rows_[at]->buttons)
      other->setChecked(other == b);
    b->setFocus();
    const QString id = line.id;
    const qint64 value = v.value;
    Q_EMIT valueChosen(id, value);
    return;
  }
}

void AxisChoices::focus_row(std::size_t at) {
  for (; at < rows_.size(); ++at)
    for (QPushButton* b : rows_[at]->buttons)
      if (b->isChecked()) {
        b->setFocus(Qt::TabFocusReason);
        return;
      }
}

} // namespace hallwright
