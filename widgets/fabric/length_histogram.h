// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/fabric/fabric_picture.h"

namespace hallwright::wired {

/// How far a medium reaches at the rate of this network.
struct ReachLimit {
  LinkMedium medium = LinkMedium::automatic;
  double meters = 0;
  QString name; ///< of the part or of the rule
};

/// Cables by length, stacked by medium, with the reach of each medium as a dashed line. Saved as a picture from its
/// menu.
class LengthHistogram : public QWidget {
  Q_OBJECT
public:
  explicit LengthHistogram(QWidget* parent = nullptr);
  void setPicture(const std::shared_ptr<const Picture>& picture, const std::vector<ReachLimit>& limits);
  void setEmptyText(const QString& text) { empty_ = text, update(); }
  /// Bins: upper length in metres and cables by medium.
  struct Bin {
    double from = 0, to = 0;
    std::array<Count, 6> cables{};
    [[nodiscard]] Count sum() const;
  };
  [[nodiscard]] const std::vector<Bin>& bins() const { return bins_; }
  [[nodiscard]] QImage image();
  [[nodiscard]] QSize sizeHint() const override { return {560, 260}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {220, 140}; }

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

private:
  void paint(QPainter& painter) const;
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] double x(double meters) const;
  std::vector<Bin> bins_;
  std::vector<ReachLimit> limits_;
  QString empty_;
  Count most_ = 0, without_ = 0;
  double longest_ = 0;
  bool estimated_ = false;
};

} // namespace hallwright::wired
