// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_set>
#include <vector>

#include <QRectF>
#include <QSizeF>
#include <QString>

#include "widgets/plan/plan_overlay.h"
#include "widgets/plan/plan_page.h"
#include "widgets/plan/plan_painter.h"

/// The plan on paper: the same sheets for the preview on the screen, printers, PDF, SVG and PNG.
namespace hallwright {

namespace plan {
/// Everything of the drawing itself, in its order; also measures, when the canvas has no painter.
void paint_drawing(const Canvas& canvas, Picture& picture, const std::set<PlanLayer>& hidden = {}, bool grid = true);
/// Length of a scale bar: 1, 2 or 5 times a power of ten, at most `most` millimetres.
double bar_length(double most);
} // namespace plan

/// A plan laid out on sheets. Everything is worked out when it is made; painting changes nothing.
class PlanPrint {
public:
  PlanPrint(const PlanPage& page, const Design& design, const Shared<Catalog>& catalog,
            const SharedEvaluation& evaluation);

  /// A sentence when it cannot be printed like this, else empty.
  [[nodiscard]] const QString& problem() const { return problem_; }
  [[nodiscard]] const PlanPage& page() const { return page_; }
  [[nodiscard]] QSizeF paper() const { return paper_; } ///< mm, as it lies
  [[nodiscard]] double scale() const { return scale_; } ///< denominator that is used
  /// Sheets, with the one that shows where the others lie.
  [[nodiscard]] int sheets() const { return tiles() > 1 && page_.index_sheet ? tiles() + 1 : tiles(); }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int tiles() const { return columns_ * rows_; }
  [[nodiscard]] bool is_index(int sheet) const { return sheets() > tiles() && sheet == 0; }
  /// Name of the project, as the title block has it.
  [[nodiscard]] QString name() const;
  /// "2 of 7 · A2".
  [[nodiscard]] QString sheet_words(int sheet) const;
  /// What is drawn, with its letters; scene, mm.
  [[nodiscard]] QRectF content() const { return content_; }
  /// Part of the paper that holds the drawing, and the part of the scene that a sheet shows there.
  [[nodiscard]] QRectF drawing_area() const { return area_; }
  [[nodiscard]] QRectF scene_area(int sheet) const;
  /// Where a point of the scene lies on a sheet, mm from its upper left corner.
  [[nodiscard]] QPointF on_paper(int sheet, const QPointF& scene) const;

  /// Paints a sheet, its upper left corner at the painter's origin.
  void paint(QPainter& painter, int sheet, double dots_per_mm) const;

private:
  struct LegendItem {
    enum Shape { box, dashed, hatched, band, line, letters } shape = box;
    QString words;
    QColor fill, border;
  };
  struct Strip {
    QRectF all, info, block; ///< mm on paper; null: none
    QRectF overlay, items, key_map, bar;
    int item_rows = 0;
    std::vector<double> column_widths;
  };

  [[nodiscard]] plan::Canvas canvas(double denominator) const;
  [[nodiscard]] plan::Picture picture(const QRectF& area) const;
  [[nodiscard]] QRectF measure(double denominator) const;
  void collect_legend();
  [[nodiscard]] Strip strip(const QRectF& frame, bool key_map) const;
  void lay_out();
  void set_areas(bool key_map);
  void count_tiles();
  [[nodiscard]] double fitting_scale(QRectF& content) const;
  [[nodiscard]] int tile_of(int sheet) const { return sheet - (sheets() - tiles()); }
  [[nodiscard]] double scale_of(int sheet) const { return is_index(sheet) ? index_scale_ : scale_; }
  void paint_strip(const plan::Canvas& c, int sheet) const;
  void paint_block(const plan::Canvas& c, int sheet) const;
  void paint_items(const plan::Canvas& c) const;
  void paint_bar(const plan::Canvas& c, int sheet) const;
  void paint_key_map(const plan::Canvas& c, int sheet) const;
  void paint_overlaps(const plan::Canvas& c, int sheet) const;
  void paint_index(const plan::Canvas& c) const;

  PlanPage page_;
  Design design_;
  plan::PlanModel model_;
  plan::OverlayValues values_;
  std::unordered_set<Id> wrong_;
  std::vector<LegendItem> legend_;
  QString problem_;
  QSizeF paper_;
  QRectF frame_, area_, content_;
  Strip strip_;
  double scale_ = 100, index_scale_ = 100;
  int columns_ = 1, rows_ = 1;
};

} // namespace hallwright
