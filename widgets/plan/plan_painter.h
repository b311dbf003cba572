// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
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
  const std::array<bool, layer_count>* hidden = nullptr; ///< layers that are not shown; null: all are
  TileStore* tiles = nullptr; ///< null: draw each rack anew
  LabelStore* labels = nullptr; ///< null: find places for words anew
};

void paint_floor(const Canvas& canvas, const Picture& picture);
/// Tiles of raised floors.
void paint_tiles(const Canvas& canvas, const Picture& picture);
void paint_zone(const Canvas& canvas, const Picture& picture, const PlanObject& zone);
/// Names and ratings of zones, clear of things.
void paint_zone_words(const Canvas& canvas, const Picture& picture);
void paint_containment(const Canvas& canvas, const Picture& picture, const PlanObject& containment);
void paint_tray(const Canvas& canvas, const Picture& picture, const PlanObject& tray);
void paint_pipe(const Canvas& canvas, const Picture& picture, const PlanObject& pipe);
/// Name, size and level of a tray or pipe along it: once more over what marks it.
void paint_run_words(const Canvas& canvas, const Picture& picture, PlanLayer layer, const PlanObject& run);
/// Colours of a thing's edge and inside, on the plan and in the legend of paper.
struct Tint {
  QColor line, fill;
};
Tint rack_tint(const PlanColors& colors, std::uint8_t role);
Tint unit_tint(const PlanColors& colors, PlanLayer layer);
Tint zone_tint(const PlanColors& colors); ///< its inside lets the floor through
Tint note_tint(const PlanColors& colors);
QColor label_color(const PlanColors& colors); ///< letters of a label on the floor
QColor containment_color(const PlanColors& colors, std::uint8_t kind);
QColor tray_color(const PlanColors& colors, std::uint8_t kind);
QColor pipe_color(const PlanColors& colors, std::uint8_t side);
/// A dimension in the manner of CAD: extension lines, ticks, its length beside the line.
void paint_dimension(const Canvas& canvas, const DimensionLine& line, const QColor& ink, const QString& words);
void paint_drawn_dimension(const Canvas& canvas, const Picture& picture, const PlanObject& dimension);
void paint_guides(const Canvas& canvas, const Picture& picture);
/// A note on a card, or a label on the floor in its own size.
void paint_note(const Canvas& canvas, const Picture& picture, const PlanObject& note);
/// A small lock, its upper right corner at `corner` (device).
void paint_lock(const Canvas& canvas, const QPointF& corner);
/// Locks on all that is locked and large enough.
void paint_locks(const Canvas& canvas, const Picture& picture);
void paint_grid(const Canvas& canvas, const Picture& picture);
void paint_aisles(const Canvas& canvas, const Picture& picture);
void paint_layer(const Canvas& canvas, const Picture& picture, PlanLayer layer);
void paint_racks(const Canvas& canvas, const Picture& picture);
/// Values and names of racks once more where trays, pipes or busways cross them, on a patch of the rack's colour.
void paint_covered_values(const Canvas& canvas, const Picture& picture);
/// A unit of power or cooling: its box and its name, or the short word of its kind.
void paint_unit(const Canvas& canvas, const Picture& picture, PlanLayer layer, const PlanObject& unit, const QColor& tint);
/// A busway that hangs above racks rather than stands.
bool is_overhead(const Picture& picture, PlanLayer layer, const PlanObject& unit);
/// Its outline alone, so that racks below keep their names and colours.
void paint_overhead(const Canvas& canvas, const Picture& picture, const PlanObject& unit);
/// Small dots where racks are tapped off a busway that hangs above them.
void paint_taps(const Canvas& canvas, const Picture& picture, const PlanObject& unit);
/// Valves that are not wide open, on pipes and at racks, from `valve_scale` on; words beside them further in.
inline constexpr double valve_scale = 14, valve_words_scale = 34; // design pixels a metre
bool shows_valve(const Canvas& canvas);
struct ValvePlace {
  QPointF at, along; ///< scene; unit vector of the run
};
/// Where the valve of a pipe is drawn. @param scale  pixels a millimetre
std::optional<ValvePlace> pipe_valve_place(const PlanModel& model, const PlanObject& pipe, double scale);
QPointF rack_valve_place(const PlanObject& rack, double scale);
void paint_pipe_valve(const Canvas& canvas, const Picture& picture, const PlanObject& pipe);
void paint_valves(const Canvas& canvas, const Picture& picture);
void paint_rack_valves(const Canvas& canvas, const Picture& picture);
void paint_structure(const Canvas& canvas, const Picture& picture, const PlanObject& structure);
void paint_row_names(const Canvas& canvas, const Picture& picture);
void paint_hall_outlines(const Canvas& canvas, const Picture& picture);
void paint_dimensions(const Canvas& canvas, const Picture& picture);
QString layer_object_kind(PlanLayer layer, std::uint8_t word);

} // namespace hallwright::plan
