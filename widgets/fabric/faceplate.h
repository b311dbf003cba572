// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QWidget>

#include "widgets/fabric/fabric_picture.h"

namespace hallwright::wired {

enum class PortUse : std::uint8_t { idle, down, up, level, reserved };

/// Front of one switch: cages in rows as on the metal, odd ones above even ones; what each port is used for, by colour
/// and letter. Pointing at a port names its far end; a click or Enter goes there.
class Faceplate : public QWidget {
  Q_OBJECT
public:
  explicit Faceplate(QWidget* parent = nullptr);
  /// A device that is not a switch shows its links as ports of a node.
  void setDevice(const std::shared_ptr<const Picture>& picture, std::optional<std::uint32_t> device);
  void setSelectedLinks(const std::vector<std::uint32_t>& links);
  [[nodiscard]] std::optional<std::uint32_t> device() const { return device_; }
  [[nodiscard]] Count ports() const { return static_cast<Count>(ports_.size()); }
  [[nodiscard]] PortUse use(Count port) const { return ports_[static_cast<std::size_t>(port - 1)].use; }
  [[nodiscard]] QRectF portRect(Count port) const; ///< port from 1
  [[nodiscard]] QString portWords(Count port) const;
  [[nodiscard]] QString summary() const; ///< "32 down, 32 up, 0 reserved, 0 idle"
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
  void farEndRequested(quint32 device, quint32 link);
  void hovered(const QString& words);

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  struct Port {
    PortUse use = PortUse::idle;
    std::optional<std::uint32_t> link;
  };
  struct Shape {
    Count cages = 0, rows = 1, columns = 1, per_cage = 1;
    double cage_width = 0, cage_height = 0, gap = 4;
  };
  [[nodiscard]] Shape shape(double width) const;
  [[nodiscard]] QRectF cage_rect(const Shape& s, Count cage) const;
  [[nodiscard]] Count port_at(const QPointF& p) const; ///< 0: none
  void point_at(Count port);
  void go(Count port);
  std::shared_ptr<const Picture> picture_;
  std::optional<std::uint32_t> device_;
  std::vector<Port> ports_;
  std::vector<std::uint32_t> selected_;
  Count current_ = 0; ///< of the keys and the cursor
};

} // namespace hallwright::wired
