// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QLayout>

namespace hallwright {

/// A line of widgets that goes on in further lines when it does not fit. What is left of a line goes to the widgets in
/// it that expand. Hidden widgets take no room.
class FlowLayout : public QLayout {
public:
  explicit FlowLayout(QWidget* parent);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override;
  [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
  [[nodiscard]] QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override; ///< all in one line
  [[nodiscard]] QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

private:
  /// Height of all lines at this width; places the widgets when `place`.
  int arrange(const QRect& rect, bool place) const;
  std::vector<std::unique_ptr<QLayoutItem>> items_;
};

} // namespace hallwright
