// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QHash>
#include <QPainter>
#include <QPen>
#include <QPixmap>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QString>

/// Colours, pens, letters and simple shapes of the plan, on the screen and on paper. Everything is drawn in device
/// coordinates through one linear map from millimetres, so that lines and letters keep their size at every zoom.
namespace hallwright::plan {

/// Colours of one picture: of the present appearance, or of paper (always light).
struct PlanColors {
  bool dark = false;
  QColor canvas, floor, outline, grid, grid_major, text, quiet, accent, accent_soft, panel, border, red, red_soft, amber, green;
  QColor rack, rack_border, cold, cold_text, hot, hot_text, liquid, power, fabric, storage, structure;
  QColor amount_low, amount_high;
  static PlanColors screen();
  static PlanColors paper();
  [[nodiscard]] QColor amount(double share) const;
};
QColor mixed(const QColor& a, const QColor& b, double share_of_b);
/// Dark or light letters, whichever reads on `fill`.
QColor letters_on(const QColor& fill);

/// Target of a picture.
struct Canvas {
  QPainter* painter = nullptr; ///< null: only measure (`painted` grows)
  double scale = 0.1;          ///< device pixels a millimetre
  QPointF origin;              ///< device position of scene (0, 0)
  double unit = 1;             ///< device pixels of one design pixel (paper: more than one)
  bool paper = false;
  double left_edge = 0;        ///< device x at which sight begins (a ruler lies left of it)
  PlanColors colors;
  QFont base_font;
  mutable QRectF painted;      ///< extent of everything drawn, device

  [[nodiscard]] double x(double mm) const { return origin.x() + mm * scale; }
  [[nodiscard]] double y(double mm) const { return origin.y() + mm * scale; }
  [[nodiscard]] QPointF point(const QPointF& mm) const { return {x(mm.x()), y(mm.y())}; }
  [[nodiscard]] QRectF rect(const QRectF& mm) const; ///< on whole pixels on a screen
  [[nodiscard]] QPolygonF polygon(const QPolygonF& mm) const;
  [[nodiscard]] double pixels(double mm) const { return mm * scale / unit; } ///< design pixels
  [[nodiscard]] QFont font(double design_pixels, bool bold = false) const;
  [[nodiscard]] QPen pen(const QColor& color, double width = 1, Qt::PenStyle style = Qt::SolidLine) const;
  void grow(const QRectF& r) const { painted = painted.united(r); }

  void text(const QRectF& area, int flags, const QString& words, const QFont& font, const QColor& color) const;
  void text_at(const QPointF& anchor, int alignment, const QString& words, const QFont& font, const QColor& color) const;
  void fill(const QRectF& r, const QBrush& brush) const;
  void line(const QPointF& a, const QPointF& b, const QPen& pen) const;
  void outline(const QPolygonF& p, const QPen& pen, const QBrush& brush = Qt::NoBrush, bool closed = true) const;
  void tile(const QRectF& r, double radius, const QPen& pen, const QBrush& brush) const;
  /// Fill of things whose amount is not known.
  void hatch(const QRectF& r, const QColor& color) const;
};

/// Ready-made pictures of racks at the present scale: drawing a picture costs a tenth of drawing a rounded rectangle.
class TileStore {
public:
  void begin(double scale, double device_ratio, bool dark);
  QHash<quint64, QPixmap> tiles;

private:
  double scale_ = 0, ratio_ = 0;
  bool dark_ = false;
};

/// "38", "9.4": at most three digits.
QString short_number(double value);
/// "36.0 m" in the locale of the screen.
QString length_text(double mm, int decimals = 1);

} // namespace hallwright::plan
