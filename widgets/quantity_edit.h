// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include "quantity/field.h"

namespace hallwright {

/// The one line editor of numbers with units ("2*1.2 MW", "+=600 mm"). Enter or leaving commits; Esc restores. What cannot
/// be taken stays in the editor, framed red, with the sentence as tooltip and in `refused`. Undo takes back what is typed;
/// where nothing is typed that is not committed, it is left to the window.
class QuantityEdit : public QLineEdit {
  Q_OBJECT
public:
  explicit QuantityEdit(QWidget* parent = nullptr);
  void setField(const FieldInfo& field);
  /// Shows a value; `mixed` shows "several" as placeholder.
  void setValue(const FieldValue& value, bool mixed = false);
  [[nodiscard]] FieldValue value() const { return value_; }
  /// What holds while nothing is set, in grey: "90 kW, from the part", or where that is too long its first words alone.
  /// Empty: "not set".
  void setInherited(const QString& words, const QString& brief = {});
  /// Sentence of the last refusal, or empty.
  [[nodiscard]] QString problem() const { return problem_; }

Q_SIGNALS:
  void committed(const hallwright::FieldValue& value);
  /// "+=600 mm" was typed while several values are shown: to be applied to each of them.
  void adjusted(const QString& typed);
  void refused(const QString& sentence);

protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void commit();
  [[nodiscard]] bool typing() const; ///< text that is not committed stands in the editor
  [[nodiscard]] bool leaves_to_window(const QKeyEvent& key) const;
  void show_value();
  void show_unset();
  void show_problem(const QString& sentence);
  FieldInfo field_;
  FieldValue value_;
  bool mixed_ = false;
  QString inherited_, inherited_brief_;
  QString shown_; ///< text of the value as it was last shown
  QString problem_;
};

/// The editor that suits a field: QuantityEdit, check box, combo box of choices, of entities or of parts, line edit.
/// `choices` are (shown, stored) pairs for references and parts.
struct FieldChoice {
  QString shown;
  FieldValue stored;
};

} // namespace hallwright
