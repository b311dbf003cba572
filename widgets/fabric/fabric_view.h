// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>

#include <QImage>
#include <QPainterPath>
#include <QWidget>

#include "widgets/fabric/fabric_raster.h"
#include "widgets/fabric/fabric_scene.h"
#include "widgets/plan/plan_canvas.h"

namespace hallwright::wired {

/// Devices and links that are pointed at or chosen. Links of a bundle are chosen together.
struct Marked {
  std::vector<std::uint32_t> devices, links;
  [[nodiscard]] bool empty() const { return devices.empty() && links.empty(); }
  friend bool operator==(const Marked&, const Marked&) = default;
};

/// How the links of one class are drawn at the present zoom.
enum class Detail : std::uint8_t { coarse, fine, lines, ports };

/// The picture of one network: tiers in rows, cores on top; ribbons with their counts far away, single links near.
///
/// The wheel zooms at the cursor, left to right; the rows always fill the height. Drag, middle button or space pans.
/// A click selects a device, link or ribbon. Keys: plus and minus, arrows (to the neighbour, to the tier above and
/// below), Home fits, Return goes to what is selected, Escape selects nothing.
class FabricView : public QWidget {
  Q_OBJECT
public:
  explicit FabricView(QWidget* parent = nullptr);
  /// @param scene  of its wiring, made elsewhere (on a worker); null: made here
  void setPicture(const std::shared_ptr<const Picture>& picture, std::shared_ptr<const Scene> scene = {});
  [[nodiscard]] const std::shared_ptr<const Picture>& picture() const { return picture_; }
  [[nodiscard]] const Scene& scene() const { return *scene_; }
  void setColorBy(ColorBy by);
  [[nodiscard]] ColorBy colorBy() const { return color_by_; }
  [[nodiscard]] const LinkColors& colors() const { return colors_; }
  void setSelection(const Marked& marked);
  [[nodiscard]] const Marked& selection() const { return selected_; }
  /// Racks that are selected elsewhere: what stands in them is lit.
  void setLitRacks(const std::set<Id>& racks);
  void setEmptyText(const QString& text);

  void fit();
  void zoomBy(double factor);
  void zoomToSelection();
  void zoomTo(const Marked& marked);
  [[nodiscard]] bool fitted() const { return fitted_; }
  [[nodiscard]] double scale() const { return scale_; } ///< pixels a cell

  // Where things are on the widget, and how they are drawn.
  [[nodiscard]] QRectF deviceRect(std::uint32_t device) const;
  [[nodiscard]] QPointF linkMiddle(std::uint32_t link) const;
  [[nodiscard]] Detail detail(LinkClass kind) const { return detail_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] std::size_t drawnLines() const { return lines_.size(); }
  [[nodiscard]] Marked at(const QPointF& pixel) const;
  [[nodiscard]] QString words(const Marked& marked) const; ///< several lines
  /// The whole widget as a picture, at twice the resolution.
  [[nodiscard]] QImage image();

  [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {240, 180}; }

Q_SIGNALS:
  void selectionChanged();
  void hovered(const QString& words); ///< of what the cursor is over; empty: nothing
  void menuRequested(const QPoint& global);
  void scaleChanged();

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  struct DrawnLine {
    QLineF line;
    std::uint32_t link = 0, links = 1; ///< several: those of the same two devices
  };
  struct DrawnBand {
    std::uint32_t band = 0;
    bool fine = true;
  };
  using Canvas = plan::Canvas;
  [[nodiscard]] double x(double cell) const { return offset_ + cell * scale_; }
  [[nodiscard]] double cell(double pixel) const { return (pixel - offset_) / scale_; }
  [[nodiscard]] double gutter() const { return gutter_; }
  [[nodiscard]] double fit_scale() const;
  [[nodiscard]] double most_scale() const;
  void lay_rows();
  void clamp_camera();
  void zoom_at(double pixel, double factor);
  void changed();
  void choose_details();
  [[nodiscard]] bool at_ports(int row) const;
  [[nodiscard]] QPointF near_point(std::uint32_t link) const;
  [[nodiscard]] QPointF far_point(std::uint32_t link) const;
  [[nodiscard]] QLineF line_of(std::uint32_t link) const;
  [[nodiscard]] Canvas canvas(QPainter& painter) const;

  void paint_base(QImage& image);
  void paint_frames(const Canvas& c, bool names) const;
  void paint_bands(Raster& raster, LinkClass kind, bool fine);
  void paint_lines(Raster& raster, LinkClass kind);
  void paint_level_bands(const Canvas& c, LinkClass kind, bool fine);
  void paint_arcs(Raster& raster, LinkClass kind);
  void paint_bars(const Canvas& c, LinkClass kind, bool fine) const;
  void paint_tiles(Raster& raster, int row) const;
  void paint_names(const Canvas& c, int row) const;
  void paint_ports(Raster& raster, int row) const;
  void paint_port_names(const Canvas& c, int row) const;
  [[nodiscard]] double port_side(int row) const; ///< of its square; 0: ports are not drawn
  void paint_outages(const Canvas& c) const;
  void paint_counts(const Canvas& c) const;
  void paint_gutter(const Canvas& c) const;
  void paint_marked_links(Raster& raster, const Marked& marked, bool strong) const;
  void paint_marked(const Canvas& c, const Marked& marked, bool strong) const;
  void paint_lit(const Canvas& c) const;
  [[nodiscard]] Raster::Ribbon ribbon(const Band& band, double from, double to) const;
  [[nodiscard]] QPainterPath outline(const Band& band) const;
  [[nodiscard]] bool holds(const Band& band, const QPointF& pixel) const;
  void trace_arc(std::uint32_t link, std::vector<QLineF>& lines) const;
  [[nodiscard]] QPainterPath arc(const Band& band) const;
  [[nodiscard]] std::vector<std::uint32_t> links_of_band(std::uint32_t band, bool fine) const;
  [[nodiscard]] const std::vector<std::uint32_t>& class_counts(bool fine) const {
    return fine ? fine_counts_ : coarse_counts_;
  }
  void step(int across, int up);
  void choose(const Marked& marked);
  void set_hovered(const Marked& marked);
  void tell_accessible();

  std::shared_ptr<const Picture> picture_;
  std::shared_ptr<const Scene> scene_ = std::make_shared<const Scene>(); ///< never null
  ColorBy color_by_ = ColorBy::rail;
  LinkColors colors_;
  std::vector<std::uint32_t> fine_counts_, coarse_counts_; ///< links of a band by colour
  QString empty_;
  std::set<Id> lit_racks_;
  std::vector<std::uint32_t> lit_;
  Marked selected_, hovered_;

  double scale_ = 1, offset_ = 0, gutter_ = 80;
  bool fitted_ = true, stale_ = true;
  std::array<double, row_count> top_{}, height_{};
  std::array<Detail, 5> detail_{};
  mutable plan::WordStore words_;
  QImage base_, overlay_;
  std::vector<DrawnLine> lines_;
  std::vector<DrawnBand> bands_;

  QPointF pressed_, last_;
  bool pressing_ = false, panning_ = false, space_ = false;
};

} // namespace hallwright::wired
