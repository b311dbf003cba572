// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/fabric/fabric_picture.h"

namespace hallwright::wired {

/// What colours and strokes of links mean, with how many links have each.
class FabricLegend : public QWidget {
  Q_OBJECT
public:
  explicit FabricLegend(QWidget* parent = nullptr);
  void setColors(const LinkColors& colors);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  [[nodiscard]] int line() const;
  LinkColors colors_;
};

/// Shares as bars below each other, each with its name and percent; below 100 % the bar is in the colour of limits.
class ShareBars : public QWidget {
  Q_OBJECT
public:
  struct Bar {
    QString name;
    double share = 1;
    QString text; ///< instead of the percent
  };
  explicit ShareBars(QWidget* parent = nullptr);
  void setBars(const std::vector<Bar>& bars);
  [[nodiscard]] const std::vector<Bar>& bars() const { return bars_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  std::vector<Bar> bars_;
};

/// "99.2 %": so many digits that less than all never reads as all.
QString share_text(double share);

} // namespace hallwright::wired
