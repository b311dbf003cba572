// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>
#include <vector>

#include <QJsonObject>
#include <QMarginsF>
#include <QPageSize>
#include <QString>

#include "widgets/plan/plan_view.h"

/// How a plan is put on paper: what the print dialog chooses and a project's settings remember.
namespace hallwright {

struct PaperFormat {
  QString name;                 ///< "A3", "ANSI D"
  double width = 0, height = 0; ///< portrait, mm
  QPageSize::PageSizeId id = QPageSize::Custom;
};
/// A4 to A0, Letter (ANSI A) to ANSI D.
const std::vector<PaperFormat>& paper_formats();
/// By name, whatever the case of its letters; null: there is none.
const PaperFormat* paper_format(const QString& name);

/// Scales that are offered, as denominators, rising: 20 to 1000, among them those of the foot and inch.
const std::vector<double>& standard_scales();
/// "1:100", "1:96 (1/8 in = 1 ft)".
QString scale_words(double denominator);
/// "1:100", "1/100", "100". Nothing: not a scale from 1:20 to 1:1000.
std::optional<double> read_scale(const QString& words);
inline constexpr double least_denominator = 20, most_denominator = 1000;

/// A page and what is drawn on it. Lengths are millimetres on paper.
struct PlanPage {
  QString paper = QStringLiteral("A3");
  bool fitted = false; ///< paper as large as the drawing, in place of `paper`
  bool landscape = true;
  double margin = 10; ///< on all sides, 0 to 50
  double scale = 0;   ///< denominator; 0: the largest usual scale at which all fits on one sheet
  Id hall = 0;        ///< 0: all halls
  Overlay overlay = Overlay::none;
  std::set<PlanLayer> hidden;
  bool underlays = true, grid = true;
  bool title_block = true, legend = true, scale_bar = true, north_arrow = true;
  double north = 0;        ///< where north is, degrees clockwise from the upper edge of the paper
  double overlap = 10;     ///< of neighbouring sheets, 0 to 50
  bool index_sheet = true; ///< the first of several sheets shows where the others lie
  /// Words of the title block; empty: the design's own, today for the date.
  QString project, title, author, date, revision;

  /// For settings. What is missing or out of range becomes the default.
  [[nodiscard]] QJsonObject json() const;
  static PlanPage from_json(const QJsonObject& object);
};

} // namespace hallwright
