// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_set>

#include "widgets/plan/plan_canvas.h"
#include "widgets/plan/plan_model.h"
#include "widgets/plan/plan_overlay.h"

/// How the things of a plan are painted. Each kind of thing has a file of its own; a new one needs its painter declared
/// here and called from `paint_layer`, or from the items of the view and of paper.
namespace hallwright::plan {

class LabelStore;

/// What the painters of layers are given.
struct Picture {
  const PlanModel* model = nullptr;
  const OverlayValues* overlay = nullptr;
  const std::unordered_set<Id>* misplaced = nullptr;
  const std::unordered_set<Id>* gone = nullptr; ///< not drawn
  double grid_mm = 600;
  QRectF area; ///< scene: what is to be painted
  TileStore* tiles = nullptr; ///< null: draw each rack anew
  LabelStore* labels = nullptr; ///< null: find places for words anew
};

void paint_floor(const Canvas& canvas, const Picture& picture);
void paint_grid(const Canvas& canvas, const Picture& picture);
void paint_aisles(const Canvas& canvas, const Picture& picture);
void paint_layer(const Canvas& canvas, const Picture& picture, PlanLayer layer);
void paint_racks(const Canvas& canvas, const Picture& picture);
/// A unit of power or cooling: its box and its name, or the short word of its kind.
void paint_unit(const Canvas& canvas, const Picture& picture, PlanLayer layer, const PlanObject& unit, const QColor& tint);
void paint_structure(const Canvas& canvas, const Picture& picture, const PlanObject& structure);
void paint_row_names(const Canvas& canvas, const Picture& picture);
void paint_hall_outlines(const Canvas& canvas, const Picture& picture);
void paint_dimensions(const Canvas& canvas, const Picture& picture);
QString layer_object_kind(PlanLayer layer, std::uint8_t word);

} // namespace hallwright::plan
