// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include "space/footprints.h"
#include "widgets/plan/plan_view.h"

/// What the plan draws, worked out once per change of the design: rectangles, rows, aisles and where they are found.
/// All lengths are millimetres of the scene; a hall may be shifted in the scene (see `HallShape::offset`).
namespace hallwright::plan {

constexpr std::size_t layer_count = 11;
constexpr std::array<PlanLayer, layer_count> all_layers{PlanLayer::structure,  PlanLayer::racks,   PlanLayer::power,
                                                        PlanLayer::liquid,     PlanLayer::notes,   PlanLayer::zones,
                                                        PlanLayer::air,        PlanLayer::trays,   PlanLayer::pipes,
                                                        PlanLayer::dimensions, PlanLayer::underlay};
/// Layers of things that stand on the floor with a box of their own.
constexpr std::array<PlanLayer, 5> box_layers{PlanLayer::racks, PlanLayer::liquid, PlanLayer::power,
                                              PlanLayer::structure, PlanLayer::air};
/// Design table whose entities a layer shows.
const char* table_of_layer(PlanLayer layer);

/// One thing on the plan.
struct PlanObject {
  Id id = 0, hall = 0;
  Id group = 0;             ///< racks: row; else 0
  Id type = 0;              ///< racks: rack type; else 0
  Id set = 0;               ///< group of the design that it belongs to
  std::int32_t points = -1; ///< place of its corners or path in `PlanModel::points`; -1: it is a rectangle
  std::uint32_t index = 0;  ///< place in its design table
  std::uint8_t word = 0;    ///< rack role, or kind of structure, power or cooling unit
  std::int8_t turns = 0;    ///< quarter turns clockwise 0..3, -1: a free angle
  bool locked = false;
  bool known_size = true;
  double angle = 0;                      ///< degrees clockwise
  double width = 0, depth = 0;           ///< unrotated
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0; ///< bounding box

  [[nodiscard]] QRectF box() const { return {x0, y0, x1 - x0, y1 - y0}; }
  [[nodiscard]] QPointF center() const { return {(x0 + x1) / 2, (y0 + y1) / 2}; }
  /// Corners, clockwise from the unrotated upper left one; the first two are the front.
  [[nodiscard]] QPolygonF corners() const;
  /// Scene place of a point measured in the unrotated footprint from its upper left corner, and back.
  [[nodiscard]] QPointF from_own(const QPointF& own) const;
  [[nodiscard]] QPointF to_own(const QPointF& scene) const;
};

/// A dimension as it stands: what it measures, and its line. Scene.
struct DimensionLine {
  QPointF start, end; ///< measured points
  QPointF from, to;   ///< ends of the line
  double length = 0;  ///< between them, zero or more
};
/// @param offset of the line from the start, a quarter turn clockwise from the direction
DimensionLine dimension_line(const QPointF& start, const QPointF& end, DimensionDirection direction, double offset);

/// A guide across the plan.
struct GuideLine {
  Id id = 0, hall = 0;
  bool upright = true; ///< at an x
  double at = 0;       ///< scene
  bool locked = false;
};

/// Uniform grid over the boxes of one layer.
class GridIndex {
public:
  void build(const std::vector<PlanObject>& objects);
  /// Calls `f(index)` once for each object whose box may touch `area`, in no particular order.
  template <class F>
  void visit(const QRectF& area, F&& f) const {
    if (nx_ == 0) return;
    const int ax0 = column(area.left()), ax1 = column(area.right()), ay0 = line(area.top()), ay1 = line(area.bottom());
    for (int y = ay0; y <= ay1; ++y)
      for (int x = ax0; x <= ax1; ++x) {
        const std::size_t cell =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(x);
        for (std::uint32_t e = starts_[cell]; e < starts_[cell + 1]; ++e) {
          const std::uint32_t i = entries_[e];
          const Span& s = spans_[i];
          // An object of several cells is reported from the first visited one only.
          if (std::max(s.x0, ax0) == x && std::max(s.y0, ay0) == y) f(i);
        }
      }
  }

  /// Whether `f(index)` is true of any object whose box may touch `area`; some may be asked twice.
  template <class F>
  [[nodiscard]] bool any(const QRectF& area, F&& f) const {
    if (nx_ == 0) return false;
    const int ax0 = column(area.left()), ax1 = column(area.right()), ay0 = line(area.top()), ay1 = line(area.bottom());
    for (int y = ay0; y <= ay1; ++y)
      for (int x = ax0; x <= ax1; ++x) {
        const std::size_t cell =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(x);
        for (std::uint32_t e = starts_[cell]; e < starts_[cell + 1]; ++e)
          if (f(entries_[e])) return true;
      }
    return false;
  }

private:
  struct Span {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  };
  [[nodiscard]] int column(double x) const;
  [[nodiscard]] int line(double y) const;
  int nx_ = 0, ny_ = 0;
  double left_ = 0, top_ = 0, cell_ = 3000;
  std::vector<std::uint32_t> starts_, entries_;
  std::vector<Span> spans_;
};

struct HallShape {
  Id id = 0;
  std::string name;
  QPointF offset;    ///< scene = hall coordinates + offset
  QPolygonF outline; ///< scene
  QRectF box;
  double cold_minimum = 1200, hot_minimum = 1000;
  double tile = 0;     ///< side of a floor tile; 0: a slab
  QPointF tile_corner; ///< a corner of the tile grid, scene
};

/// Racks that stand side by side with fronts on one line; within a row the depths, and so the fronts, may differ a
/// little.
struct RackLine {
  Id hall = 0, row = 0;
  int turns = 0;
  bool along_x = true;
  std::uint32_t first = 0; ///< an object of the rack layer, for names
  int count = 0;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  [[nodiscard]] QRectF box() const { return {x0, y0, x1 - x0, y1 - y0}; }
};

/// Floor between two rows that face each other.
struct AisleBand {
  QRectF box;
  bool cold = true;
  bool along_x = true;
  double clear = 0; ///< width across
};

/// The cached picture of a design. `update` redoes only what changed, by comparing table pointers.
class PlanModel {
public:
  void update(const Design& design, const Shared<Catalog>& catalog, Id hall);

  [[nodiscard]] const Design& design() const { return design_; }
  [[nodiscard]] const Shared<Catalog>& catalog() const { return catalog_; }
  [[nodiscard]] const std::vector<PlanObject>& objects(PlanLayer layer) const { return layers_[at(layer)].objects; }
  [[nodiscard]] const GridIndex& index(PlanLayer layer) const { return layers_[at(layer)].index; }
  /// Counts up when a layer was rebuilt.
  [[nodiscard]] std::uint64_t version(PlanLayer layer) const { return layers_[at(layer)].version; }
  /// Counts up when anything was rebuilt: what was worked out from a model holds while this stays.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  [[nodiscard]] const std::vector<HallShape>& halls() const { return halls_; }
  [[nodiscard]] const std::vector<RackLine>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<AisleBand>& aisles() const { return aisles_; }
  /// Corners of a zone, or the path of a run, in the scene; null for a rectangle.
  [[nodiscard]] const QPolygonF* points(PlanLayer layer, const PlanObject& object) const;
  [[nodiscard]] const DimensionLine& dimension(const PlanObject& object) const {
    return dimensions_[static_cast<std::size_t>(object.points)];
  }
  [[nodiscard]] const std::vector<GuideLine>& guides() const { return guides_; }
  /// A rack that is tapped off a busway which hangs above racks.
  struct Tap {
    Id busway = 0;
    std::uint32_t rack = 0; ///< an object of the rack layer
    bool second = false;    ///< on the B side
  };
  [[nodiscard]] std::span<const Tap> taps(Id busway) const;
  [[nodiscard]] const GuideLine* guide(Id id) const;
  /// Scene place of a hall's origin.
  [[nodiscard]] QPointF origin(Id hall) const { return offset(hall); }

  [[nodiscard]] const PlanObject* find(PlanLayer layer, Id id) const;
  /// The object of an entity, or null when it is not on the plan.
  [[nodiscard]] const PlanObject* find(const EntityRef& entity, PlanLayer* layer = nullptr) const;
  [[nodiscard]] const HallShape* hall(Id id) const;
  [[nodiscard]] const HallShape* hall_at(const QPointF& scene) const;
  [[nodiscard]] const std::string& name(PlanLayer layer, const PlanObject& object) const;
  /// Extent of halls and things; null when there is nothing.
  [[nodiscard]] QRectF extent() const;
  [[nodiscard]] bool empty() const;

private:
  struct Layer {
    std::vector<PlanObject> objects;
    GridIndex index;
    std::vector<QPolygonF> points;
    std::uint64_t version = 0;
  };
  static std::size_t at(PlanLayer layer) { return static_cast<std::size_t>(layer); }
  void build_halls();
  void build_racks();
  void build_lines();
  void build_taps();
  void build_zones();
  void build_runs();
  void build_dimensions();
  [[nodiscard]] QPolygonF scene_points(const std::vector<PlanPoint>& points, Id hall) const;
  static void set_box(PlanObject& object, const QRectF& box);
  template <class F>
  void rebuild(PlanLayer layer, F&& fill);
  [[nodiscard]] QPointF offset(Id hall) const;
  void place(PlanObject& object, Length x, Length y, double width, double depth, Angle rotation) const;

  Design design_;
  Shared<Catalog> catalog_;
  Id hall_ = -1;
  bool fresh_ = true;
  std::uint64_t revision_ = 0;
  std::array<Layer, layer_count> layers_;
  std::vector<HallShape> halls_;
  std::vector<RackLine> lines_;
  std::vector<AisleBand> aisles_;
  std::vector<DimensionLine> dimensions_;
  std::vector<GuideLine> guides_;
  std::vector<Tap> taps_; ///< by busway
};

/// Size of the words of a label on the floor, from the height of its capitals.
QSizeF label_size(const QString& words, double height);

/// Whether a line along these points runs through a rectangle.
bool runs_through(const QPolygonF& points, bool closed, const QRectF& rectangle);

/// Entities of each layer that a band takes. `contains`: only what lies wholly inside.
std::vector<EntityRef> in_band(const PlanModel& model, PlanLayer layer, const QRectF& band, bool contains);

} // namespace hallwright::plan
