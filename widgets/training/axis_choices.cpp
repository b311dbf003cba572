// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/training/axis_choices.h"

#include <algorithm>

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"

namespace hallwright {

struct AxisChoices::Row {
  QLabel *label = nullptr, *words = nullptr;
  QWidget* values = nullptr;
  FlowLayout* flow = nullptr;
  std::vector<QPushButton*> buttons;
};

namespace axis_choices {

/// A label of as many lines as its words need; none when empty.
class WordsLabel final : public QLabel {
public:
  explicit WordsLabel(QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
    setMinimumWidth(1);
  }

protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
  }
};

} // namespace axis_choices

AxisChoices::AxisChoices(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("clear"));
  setAccessibleName(tr("Axes of the layout"));
  grid_ = new QGridLayout(this);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(3 * spacing_unit);
  grid_->setVerticalSpacing(1);
  grid_->setColumnStretch(1, 1);
}

AxisChoices::~AxisChoices() = default;

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
    for (auto& row : rows_)
      for (QWidget* w : {static_cast<QWidget*>(row->label), static_cast<QWidget*>(row->words), row->values})
        delete w;
    rows_.clear();
    lines_.clear();
    int at = 0;
    for (const AxisLine& line : lines) {
      auto row = std::make_unique<Row>();
      row->label = new QLabel(line.label, this);
      row->label->setObjectName(QStringLiteral("secondary"));
      row->values = new QWidget(this);
      row->values->setObjectName(QStringLiteral("clear"));
      row->flow = new FlowLayout(row->values);
      row->flow->setContentsMargins(0, 0, 0, 0);
      row->flow->setSpacing(spacing_unit);
      row->words = new axis_choices::WordsLabel(this);
      row->words->setObjectName(QStringLiteral("secondary"));
      QFont small = font();
      if (small.pointSizeF() > 0) small.setPointSizeF(small.pointSizeF() * 0.9);
      row->words->setFont(small);
      grid_->addWidget(row->label, at, 0, Qt::AlignLeft | Qt::AlignVCenter);
      grid_->addWidget(row->values, at, 1);
      grid_->addWidget(row->words, at + 1, 1);
      at += 2;
      rows_.push_back(std::move(row));
    }
    lines_.resize(lines.size());
  }
  for (std::size_t i = 0; i < lines.size(); ++i)
    fill(*rows_[i], lines[i]), lines_[i] = lines[i];
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
      auto* b = new QPushButton(screen_number(v.value), row.values);
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
      row.flow->addWidget(b);
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
  if (row.words->text() != line.words) {
    row.words->setText(line.words);
    row.words->setMinimumHeight(row.words->heightForWidth(std::max(1, row.words->width())));
  }
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
