// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QWidget>

#include "app/studio/document.h"
#include "power/one_line_rules.h"

class QLabel;

namespace hallwright {

class PowerTraceChart;

/// The power of the training job over its steps and checkpoints against what the plant takes at once, how long which
/// load lasts, and what would smooth it at which price.
class PowerSwingPage : public QWidget {
  Q_OBJECT
public:
  explicit PowerSwingPage(Document& document, QWidget* parent = nullptr);
  /// @param study  of the newest evaluation; null: nothing is drawn
  void setStudy(const std::shared_ptr<const OneLineStudy>& study);
  [[nodiscard]] PowerTraceChart* steps() const { return steps_; }
  [[nodiscard]] PowerTraceChart* checkpoints() const { return checkpoints_; }
  [[nodiscard]] PowerTraceChart* duration() const { return duration_; }
  [[nodiscard]] QString verdictText() const;

private:
  Document& document_;
  PowerTraceChart *steps_ = nullptr, *checkpoints_ = nullptr, *duration_ = nullptr;
  QLabel *verdicts_ = nullptr, *smoothing_ = nullptr;
};

} // namespace hallwright
