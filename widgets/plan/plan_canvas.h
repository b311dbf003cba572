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
#include <QStaticText>
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

/// Extent of one line of words, device pixels.
struct WordSize {
  double width = 0, height = 0, ascent = 0;
};

/// Words that were laid out before, for every scale: laying out takes ten times as long as drawing. For one base font on
/// one screen.
class WordStore {
public:
  /// Forgets everything when the font or the screen is another, or when much has piled up.
  void begin(const QFont& base, double device_ratio);
  [[nodiscard]] const QFont& font(int pixels, bool bold);
  [[nodiscard]] WordSize size(const QString& words, const QFont& font);
  /// `turned`: reading upwards. One text must not be drawn both ways, or it is laid out anew each time.
  [[nodiscard]] const QStaticText& text(const QString& words, const QFont& font, bool turned);

private:
  struct Key {
    QString words;
    quint32 style = 0;
    friend bool operator==(const Key&, const Key&) = default;
    friend size_t qHash(const Key& k, size_t seed = 0) { return qHashMulti(seed, k.words, k.style); }
  };
  struct Entry {
    QStaticText level, turned;
    WordSize size;
    bool measured = false, level_known = false, turned_known = false;
  };
  Entry& entry(const QString& words, const QFont& font);
  QFont base_;
  double ratio_ = 0;
  QHash<quint32, QFont> fonts_;
  QHash<Key, Entry> entries_;
};

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
  WordStore* words = nullptr;  ///< null: every word is laid out anew
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
  /// One line that reads upwards, in the middle of `area` across; `alignment` is along the words, Qt::AlignLeft: from the foot.
  void text_turned(const QRectF& area, Qt::AlignmentFlag alignment, const QString& words, const QFont& font, const QColor& color) const;
  [[nodiscard]] WordSize size_of(const QString& words, const QFont& font) const;
  void text_at(const QPointF& anchor, int alignment, const QString& words, const QFont& font, const QColor& color) const;
  void fill(const QRectF& r, const QBrush& brush) const;
  /// A level or upright line of one pixel: a filled rectangle is painted many times faster than a stroke.
  void hairline(const QPointF& a, const QPointF& b, const QColor& color) const;
  void line(const QPointF& a, const QPointF& b, const QPen& pen) const;
  void outline(const QPolygonF& p, const QPen& pen, const QBrush& brush = Qt::NoBrush, bool closed = true) const;
  void tile(const QRectF& r, double radius, const QPen& pen, const QBrush& brush) const;
  /// Fill of things whose amount is not known.
  void hatch(const QRectF& r, const QColor& color) const;
};

/// Everything that the picture of a thing depends on at one scale. `shape`: width and height in pixels and the like, see
/// `TileStore::shape`; `look`: kind of thing in the lowest four bits, the rest is the affair of its painter.
struct TileKey {
  enum Thing : quint64 { rack, unit };
  quint64 shape = 0, look = 0;
  friend bool operator==(const TileKey&, const TileKey&) = default;
  friend size_t qHash(const TileKey& k, size_t seed = 0) { return qHashMulti(seed, k.shape, k.look); }
};

/// Ready-made pictures of things at the present scale: drawing a picture costs a tenth of drawing a rounded rectangle.
class TileStore {
public:
  void begin(double scale, double device_ratio, bool dark);
  void forget() { tiles_.clear(), pixels_ = 0; } ///< one value looks otherwise from now on
  /// Whether a thing of this size on the screen is worth a picture: a large one is seldom, and takes memory.
  [[nodiscard]] static bool suits(const QRectF& r) { return r.width() * r.height() < 120'000 && r.width() < 4000 && r.height() < 4000; }
  [[nodiscard]] static quint64 shape(const QRectF& r) { return static_cast<quint64>(r.width()) << 16 | static_cast<quint64>(r.height()); }
  /// The picture of a thing that covers `r` (whole pixels); `draw(QPainter*, QRectF)` makes it when there is none. It
  /// reaches a pixel further than the thing on all sides. Valid until the next call.
  template <class F>
  const QPixmap& tile(const TileKey& key, const QRectF& r, F&& draw) {
    QPixmap& out = tiles_[key];
    if (!out.isNull()) return out;
    out = empty_tile(r.size());
    QPainter painter(&out);
    draw(&painter, QRectF(QPointF(1, 1), r.size()));
    return out;
  }

private:
  [[nodiscard]] QPixmap empty_tile(const QSizeF& size);
  QHash<TileKey, QPixmap> tiles_;
  double scale_ = 0, ratio_ = 1;
  bool dark_ = false;
  qint64 pixels_ = 0;
};

/// "38", "9.4": at most three digits.
QString short_number(double value);
/// "36.0 m" in the locale of the screen.
QString length_text(double mm, int decimals = 1);

} // namespace hallwright::plan
