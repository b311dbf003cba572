// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/quantity_edit.h"

#include <QKeyEvent>
#include <QStyle>
#include <QToolTip>

#include "widgets/figure_text.h"
#include "widgets/outline_size.h"

namespace hallwright {

QuantityEdit::QuantityEdit(QWidget* parent) : QLineEdit(parent) {
  connect(this, &QLineEdit::returnPressed, this, &QuantityEdit::commit);
  connect(this, &QLineEdit::textEdited, this, [this] { show_problem({}); });
}

void QuantityEdit::setField(const FieldInfo& field) {
  field_ = field;
  setAccessibleName(to_qstring(field.label));
  setToolTip(screen_units(to_qstring(field.help)));
  setAlignment(field.type == FieldType::number || field.type == FieldType::count ? Qt::AlignRight : Qt::AlignLeft);
}

void QuantityEdit::setValue(const FieldValue& value, bool mixed) {
  const bool keep = hasFocus() && typing();
  value_ = value;
  mixed_ = mixed;
  if (!keep) show_value();
}

void QuantityEdit::show_value() {
  show_problem({});
  show_unset();
  const std::string* corners = field_.type == FieldType::outline ? std::get_if<std::string>(&value_) : nullptr;
  setText(mixed_ || std::holds_alternative<std::monostate>(value_) ? QString()
          : corners                                                ? outline_words(*corners)
                                                                   : screen_field(field_, value_));
  if (corners) setCursorPosition(0);
  setModified(false);
  shown_ = text();
  if (!inherited_.isEmpty() && !std::holds_alternative<std::monostate>(value_)) setToolTip(screen_units(to_qstring(field_.help)));
  if (const auto* number = std::get_if<double>(&value_); number && field_.kind && !mixed_)
    setToolTip(screen_units(to_qstring(field_.help)) + QStringLiteral("\n") +
               QString::fromStdString(exact_number(*number)) + QStringLiteral(" ") + to_qstring(field_.kind->base_symbol));
}

void QuantityEdit::setInherited(const QString& words, const QString& brief) {
  if (words == inherited_ && brief == inherited_brief_) return;
  inherited_ = words;
  inherited_brief_ = brief;
  show_unset();
}

void QuantityEdit::show_unset() {
  if (mixed_ || inherited_.isEmpty()) {
    setPlaceholderText(mixed_ ? tr("several") : field_.optional ? tr("not set") : QString());
    return;
  }
  const int room = width() - fontMetrics().averageCharWidth() * 2;
  const bool cut = !inherited_brief_.isEmpty() && fontMetrics().horizontalAdvance(inherited_) > room;
  setPlaceholderText(cut ? inherited_brief_ : inherited_);
  if (std::holds_alternative<std::monostate>(value_) && problem_.isEmpty())
    setToolTip(tr("Not set: %1").arg(inherited_) + QStringLiteral("\n") + screen_units(to_qstring(field_.help)));
}

void QuantityEdit::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  if (!inherited_.isEmpty()) show_unset();
}

void QuantityEdit::show_problem(const QString& sentence) {
  if (problem_ == screen_units(sentence)) return;
  problem_ = screen_units(sentence);
  setProperty("problem", !sentence.isEmpty());
  style()->unpolish(this);
  style()->polish(this);
  if (!sentence.isEmpty()) {
    setToolTip(problem_);
    QToolTip::showText(mapToGlobal(QPoint(0, height())), problem_, this);
  }
}

bool QuantityEdit::typing() const { return isModified() && text() != shown_; }

bool QuantityEdit::leaves_to_window(const QKeyEvent& key) const {
  if (typing()) return false;
  return key.matches(QKeySequence::Undo) || (key.matches(QKeySequence::Redo) && !isRedoAvailable());
}

bool QuantityEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && leaves_to_window(*static_cast<QKeyEvent*>(event))) {
    event->ignore();
    return true;
  }
  return QLineEdit::event(event);
}

void QuantityEdit::commit() {
  if (!typing()) {
    setModified(false);
    return;
  }
  const std::string typed = text().toStdString();
  // A sign in front would read as "more by", but a value replaces what is there.
  if (const QString bare = text().trimmed(); field_.type == FieldType::number && bare.startsWith(QLatin1Char('+')) &&
                                             !bare.startsWith(QLatin1String("+="))) {
    const QString amount = bare.mid(1).trimmed();
    show_problem(tr("%1 could mean two things: write +=%2 to add it to what is there, or %2 to replace it")
                     .arg(bare, amount));
    Q_EMIT refused(problem_);
    return;
  }
  tl::expected<FieldValue, std::string> parsed = FieldValue{};
  if (mixed_ && field_.type == FieldType::number && typed.size() > 2 && typed[1] == '=' && std::string_view("+-*/").find(typed[0]) != std::string_view::npos) {
    if (const auto change = parse_edit(typed, 1.0, *field_.kind, screen_decimal_mark(), field_.unit); !change) {
      show_problem(QString::fromStdString(change.error()));
      Q_EMIT refused(problem_);
      return;
    }
    setModified(false);
    Q_EMIT adjusted(QString::fromStdString(typed));
    show_value();
    return;
  }
  if (field_.type == FieldType::number && !typed.empty()) {
    const double present = std::holds_alternative<double>(value_) ? std::get<double>(value_) : 0.0;
    auto number = parse_edit(typed, present, *field_.kind, screen_decimal_mark(), field_.unit);
    if (number) parsed = FieldValue(*number);
    else parsed = tl::make_unexpected(number.error());
  } else if (field_.type == FieldType::outline) {
    const auto corners = outline_from_words(text());
    if (corners) parsed = parse_field(field_, *corners);
    else parsed = tl::make_unexpected(corners.error());
  } else {
    parsed = parse_field(field_, typed, screen_decimal_mark());
  }
  if (parsed) {
    if (auto ok = check_field(field_, *parsed); !ok) parsed = tl::make_unexpected(ok.error());
  }
  if (!parsed) {
    show_problem(QString::fromStdString(parsed.error()));
    Q_EMIT refused(problem_);
    return;
  }
  setModified(false);
  const bool changed = mixed_ || !(*parsed == value_);
  value_ = *parsed;
  mixed_ = false;
  show_value();
  if (changed) Q_EMIT committed(value_);
}

void QuantityEdit::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && (isModified() || !problem_.isEmpty())) {
    show_value();
    selectAll();
    event->accept();
    return;
  }
  if (leaves_to_window(*event)) {
    event->ignore();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

void QuantityEdit::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  if (event->reason() != Qt::PopupFocusReason) selectAll();
}

void QuantityEdit::focusOutEvent(QFocusEvent* event) {
  commit();
  QLineEdit::focusOutEvent(event);
}

} // namespace hallwright
