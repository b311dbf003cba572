// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>
#include <QWidget>

#include "study/sensitivity.h"

class QScrollArea;
class QToolButton;

namespace hallwright {

class WholeLabel;

/// "What moves it most", under a fold: a row for each input that moves a figure, its name and step above a bar to each
/// side of a line, where the figure is now. The light bar is of less of the input, the dark one of more; what the figure
/// gains or loses stands at the ends. Arrows move through the rows, Enter or a click opens one. It shows what it is given.
class SensitivityBars : public QWidget {
  Q_OBJECT
public:
  explicit SensitivityBars(QWidget* parent = nullptr);
  /// The largest rows of an answer.
  void setAnswer(const Sensitivity& answer);
  /// Words in place of an answer: what is needed, or why there is none.
  void setWords(const QString& words);
  /// An answer is being found; the rows of before stay where it is for the same figure.
  void setWorking(bool same_figure);
  [[nodiscard]] bool open() const;
  [[nodiscard]] int count() const;
  [[nodiscard]] QString words() const;               ///< the line under the heading
  [[nodiscard]] QString rowDescription(int row) const; ///< what a screen reader and the tooltip say
  [[nodiscard]] QWidget* body() const;
  [[nodiscard]] QRect rowRect(int row) const; ///< of the body
  static constexpr int most_rows = 6;

Q_SIGNALS:
  void rowActivated(const QString& leaf);
  void openChanged(bool open);

protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

private:
  class Body;
  void fold();
  void fit();
  QString plain_; ///< the line under the heading, without its legend
  bool open_ = true;
  QToolButton* heading_ = nullptr;
  WholeLabel* words_ = nullptr;
  QScrollArea* scroll_ = nullptr;
  Body* body_ = nullptr;
};

} // namespace hallwright
