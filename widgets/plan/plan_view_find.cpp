// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view_private.h"

#include <algorithm>
#include <cmath>

#include <QLocale>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
bool PlanView::Private::shows_handles() const {
  return tool == PlanTool::select && !selected.empty() &&
         (gesture == Gesture::none || gesture == Gesture::handle || gesture == Gesture::press_on_thing);
}

std::vector<Handle> PlanView::Private::present_handles() const {
  if (selected.size() > 400) return {};
  for (const EntityRef& e : selected) {
    PlanLayer layer = PlanLayer::structure;
    if (e.table != "halls" && !model.find(e, &layer)) continue;
    if (locked[at(layer)] || !visible[at(layer)]) return {};
  }
  return handles_of(model, selected, scale());
}

QString PlanView::Private::measure_words(const QPointF& a, const QPointF& b) {
  const QPointF d = b - a;
  const auto both = [](double mm) {
    const QString metric = screen_number(mm / 1000, 'f', 3) + QStringLiteral(" m"),
                  feet = screen_number(mm / 304.8, 'f', 2) + QStringLiteral(" ft");
    return length_style() == LengthStyle::metric ? QStringLiteral("%1 (%2)").arg(metric, feet)
                                                 : QStringLiteral("%1 (%2)").arg(feet, metric);
  };
  double angle = std::atan2(-d.y(), d.x()) * 57.29577951308232;
  if (angle < -1e-9) angle += 360;
  return PlanView::tr("%1, dx %2, dy %3, angle %4°")
      .arg(both(std::hypot(d.x(), d.y())), both(d.x()), both(d.y()), screen_number(angle + 0.0, 'f', 1));
}

PlanView::Private::Clear PlanView::Private::clear_at(const QPointF& q) const {
  Clear out;
  const HallShape* h = model.hall_at(q);
  if (!h) return out;
  out = {-1e9, 1e9, -1e9, 1e9, true};
  const auto n = h->outline.size();
  for (qsizetype i = 0; i < n; ++i) {
    const QPointF a = h->outline[i], b = h->outline[(i + 1) % n];
    if ((a.y() > q.y()) != (b.y() > q.y())) {
      const double x = a.x() + (q.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
      (x <= q.x() ? out.left : out.right) = x <= q.x() ? std::max(out.left, x) : std::min(out.right, x);
    }
    if ((a.x() > q.x()) != (b.x() > q.x())) {
      const double y = a.y() + (q.x() - a.x()) / (b.x() - a.x()) * (b.y() - a.y());
      (y <= q.y() ? out.top : out.bottom) = y <= q.y() ? std::max(out.top, y) : std::min(out.bottom, y);
    }
  }
  for (PlanLayer layer : {PlanLayer::racks, PlanLayer::power, PlanLayer::liquid, PlanLayer::structure}) {
    const auto& objects = model.objects(layer);
    const auto stands = [&](const PlanObject& o) {
      if (layer == PlanLayer::power) return !(*design.power_units)[o.index].elevation;
      if (layer != PlanLayer::structure) return true;
      const auto kind = static_cast<StructureKind>(o.word);
      return kind == StructureKind::column || kind == StructureKind::wall || kind == StructureKind::obstacle;
    };
    model.index(layer).visit(QRectF(QPointF(out.left, q.y()), QPointF(out.right, q.y())), [&](std::uint32_t i) {
      const PlanObject& o = objects[i];
      if (o.y0 >= q.y() || o.y1 <= q.y() || !stands(o)) return;
      if (o.x1 <= q.x())
        out.left = std::max(out.left, o.x1);
      else if (o.x0 >= q.x())
        out.right = std::min(out.right, o.x0);
      else
        out.known = false;
    });
    model.index(layer).visit(QRectF(QPointF(q.x(), out.top), QPointF(q.x(), out.bottom)), [&](std::uint32_t i) {
      const PlanObject& o = objects[i];
      if (o.x0 >= q.x() || o.x1 <= q.x() || !stands(o)) return;
      if (o.y1 <= q.y())
        out.top = std::max(out.top, o.y1);
      else if (o.y0 >= q.y())
        out.bottom = std::min(out.bottom, o.y0);
    });
  }
  return out;
}

void PlanView::Private::refresh_model() {
  model.update(design, catalog, hall);
  update_values();
  update_ghosts();
  const QRectF extent = model.extent();
  QRectF room = extent.isNull() ? QRectF(0, 0, 40000, 25000) : extent;
  room.adjust(-room_around, -room_around, room_around, room_around);
  // The room only grows, so that the view does not jump while something is dragged outwards.
  const QRectF present = scene.sceneRect();
  if (!present.contains(room.adjusted(room_around / 2, room_around / 2, -room_around / 2, -room_around / 2)) ||
      present.isNull()) {
    scene.setSceneRect(room);
    for (LayerItem* item : layer_items)
      item->setExtent(room);
    for (LayerItem* item : {covered_item, ghost_item, outline_item, selection_item, tool_item})
      item->setExtent(room);
  }
  redraw();
}

void PlanView::Private::update_ghosts() {
  old_places.clear();
  if (!before) {
    before_model.reset();
    return;
  }
  if (!before_model) before_model = std::make_unique<PlanModel>();
  before_model->update(*before, catalog, hall);
  old_places = ghosts_between(*before_model, model);
}

void PlanView::Private::update_values() {
  if (values_version == model.version(PlanLayer::racks) && values_evaluation == evaluation.get() &&
      values_overlay == overlay)
    return;
  values_version = model.version(PlanLayer::racks), values_evaluation = evaluation.get(), values_overlay = overlay;
  OverlayValues next = overlay_values(model, evaluation, overlay);
  // Ready-made pictures are of one scale of colours.
  if (next.overlay != values.overlay || next.low != values.low || next.high != values.high || next.marks != values.marks)
    tiles.forget();
  values = std::move(next);
}

void PlanView::Private::set_selected(std::vector<EntityRef> next, bool tell) {
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  if (next == selected) return;
  selected = std::move(next);
  active_corner = -1;
  selected_ids.clear();
  for (const EntityRef& e : selected)
    selected_ids.insert(e.id);
  redraw();
  if (tell) Q_EMIT view.selectionChanged(selected);
}

void PlanView::Private::hint(const QString& words) {
  if (words == last_hint) return;
  last_hint = words;
  Q_EMIT view.hintChanged(words);
}

void PlanView::Private::tool_hint() {
  switch (tool) {
  case PlanTool::select:
    hint({});
    break;
  case PlanTool::pan:
    hint(PlanView::tr("Drag to move the view. Esc ends."));
    break;
  case PlanTool::place:
    hint(PlanView::tr("Click where it should stand. R turns it, Esc ends."));
    break;
  case PlanTool::row:
    if (!row_rack())
      hint(PlanView::tr("Choose a rack above first."));
    else if (gesture == Gesture::row && row_anchored)
      hint(PlanView::tr("Click where the row ends, or type the number of racks and Enter. Esc ends."));
    else
      hint(PlanView::tr("Click where the row begins and where it ends, or drag along it. Esc ends."));
    break;
  case PlanTool::feed_row:
    hint(PlanView::tr("Press at the fed end of a row of racks and drag along it: a busway with a tap at each rack. "
                      "Esc ends."));
    break;
  case PlanTool::pipe_row:
    hint(PlanView::tr("Drag along a row of racks: supply and return pipes to the distribution units of its loop. "
                      "Esc ends."));
    break;
  case PlanTool::measure:
    if (measured.size() == 2)
      hint(measure_words(measured[0], measured[1]));
    else
      hint(measured.empty() ? PlanView::tr("Click the first point. Esc ends.")
                            : PlanView::tr("Click the second point."));
    break;
  default:
    hint(drawing.hint());
    break;
  }
}

Id PlanView::Private::row_type() const {
  if (row_settings.rack_type == 0 && row_settings.rack_part.isEmpty() && design.rack_types->size() == 1)
    return design.rack_types->front().id;
  return row_settings.rack_type;
}

std::optional<RackType> PlanView::Private::row_rack() const {
  if (const RackType* type = hallwright::find(*design.rack_types, row_type())) return *type;
  const std::string id = row_settings.rack_part.toStdString();
  const RackPart* part = catalog && !id.empty() ? catalog->find<RackPart>(id) : nullptr;
  if (!part) return std::nullopt;
  RackType type;
  type.name = part->name, type.rack_part = id;
  return type;
}

double PlanView::Private::distance_to(const QPointF& q, const QPointF& a, const QPointF& b) {
  const QPointF ab = b - a;
  const double length2 = QPointF::dotProduct(ab, ab);
  const double s = length2 > 0 ? std::clamp(QPointF::dotProduct(q - a, ab) / length2, 0.0, 1.0) : 0;
  const QPointF d = q - (a + s * ab);
  return std::hypot(d.x(), d.y());
}

double PlanView::Private::distance_along(const QPointF& q, const QPolygonF& points, bool closed) {
  double best = 1e12;
  for (qsizetype i = 0; i + (closed ? 0 : 1) < points.size(); ++i)
    best = std::min(best, distance_to(q, points[i], points[(i + 1) % points.size()]));
  return best;
}

Id PlanView::Private::hit_drawn(PlanLayer layer, const QPointF& q) const {
  const double reach = 5 / scale();
  const auto& objects = model.objects(layer);
  Id found = 0;
  std::uint32_t best = 0;
  const double around = layer == PlanLayer::dimensions ? 20 / scale() : reach;
  model.index(layer).visit(QRectF(q - QPointF(around, around), QSizeF(2 * around, 2 * around)), [&](std::uint32_t i) {
    const PlanObject& o = objects[i];
    bool on = false;
    switch (layer) {
    case PlanLayer::notes: {
      QRectF box = o.box();
      const QPointF middle = box.center();
      box.setSize(box.size().expandedTo(QSizeF(12 / scale(), 12 / scale())));
      box.moveCenter(middle);
      on = o.turns < 0 ? o.corners().containsPoint(q, Qt::OddEvenFill)
                       : box.adjusted(-reach / 2, -reach / 2, reach / 2, reach / 2).contains(q);
      break;
    }
    case PlanLayer::dimensions: {
      const DimensionLine& d = model.dimension(o);
      on = distance_to(q, d.from, d.to) < reach;
      // Its words stand above the line, or left of an upright one.
      const QPointF middle = (d.from + d.to) / 2 - q;
      const bool upright = std::abs(d.from.x() - d.to.x()) < std::abs(d.from.y() - d.to.y());
      const double along = std::abs(upright ? middle.y() : middle.x()), off = upright ? middle.x() : middle.y();
      on = on || (along < 22 / scale() && off > 0 && off < 16 / scale());
      break;
    }
    case PlanLayer::trays:
    case PlanLayer::pipes: {
      const QPolygonF* path = model.points(layer, o);
      if (!path) break;
      const double d = distance_along(q, *path, false);
      on = d < reach || std::abs(d - o.width / 2) < reach || (o.width * scale() < 14 && d < o.width / 2);
      break;
    }
    case PlanLayer::zones: {
      const QPolygonF* shape = model.points(layer, o);
      on = shape && distance_along(q, *shape, true) < reach;
      break;
    }
    default:
      on = distance_along(q, o.corners(), true) < reach;
      break;
    }
    if (on && (!found || i > best)) best = i, found = o.id;
  });
  return found;
}

std::vector<EntityRef> PlanView::Private::hits(const QPointF& q, bool even_locked_layers) const {
  std::vector<EntityRef> out;
  const auto reachable = [&](PlanLayer layer) {
    return visible[at(layer)] && (!locked[at(layer)] || even_locked_layers);
  };
  const auto drawn = [&](std::initializer_list<PlanLayer> layers) {
    for (PlanLayer layer : layers)
      if (reachable(layer))
        if (const Id id = hit_drawn(layer, q)) out.push_back({table_of_layer(layer), id});
  };
  const double slack = 3 / scale();
  const auto standing = [&](PlanLayer layer) {
    if (!reachable(layer)) return;
    const auto& objects = model.objects(layer);
    const double reach = layer != PlanLayer::racks ? slack : 0;
    const QRectF around(q.x() - reach - 0.01, q.y() - reach - 0.01, 2 * reach + 0.02, 2 * reach + 0.02);
    std::uint32_t best = 0;
    bool found = false;
    model.index(layer).visit(around, [&](std::uint32_t i) {
      const PlanObject& o = objects[i];
      const QRectF box = o.box();
      if (!box.adjusted(-reach, -reach, reach, reach).contains(q)) return;
      if (o.turns < 0 && !o.corners().containsPoint(q, Qt::OddEvenFill)) return;
      if (!found || i > best) best = i, found = true;
    });
    if (found) out.push_back({table_of_layer(layer), objects[best].id});
  };
  drawn({PlanLayer::dimensions, PlanLayer::notes});
  // A valve symbol stands for its pipe, also above racks.
  if (reachable(PlanLayer::pipes) && scale() * 1000 >= valve_scale)
    for (const PlanObject& o : model.objects(PlanLayer::pipes)) {
      if ((*design.pipes)[o.index].valve_open >= 1.0 && !selected_ids.count(o.id)) continue;
      const auto place = pipe_valve_place(model, o, scale());
      if (!place) continue;
      const QPointF d = (place->at - q) * scale();
      if (std::hypot(d.x(), d.y()) <= 9) out.push_back({"pipes", o.id});
    }
  for (PlanLayer layer : {PlanLayer::racks, PlanLayer::liquid, PlanLayer::power}) standing(layer);
  const std::size_t valves = out.size();
  drawn({PlanLayer::trays, PlanLayer::pipes});
  // A pipe that was taken by its valve lies here once.
  for (std::size_t i = out.size(); i-- > valves;)
    if (std::find(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(i), out[i]) != out.begin() + static_cast<std::ptrdiff_t>(i))
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
  standing(PlanLayer::structure);
  drawn({PlanLayer::air, PlanLayer::zones});
  if (reachable(PlanLayer::dimensions))
    for (const GuideLine& g : model.guides())
      if (std::abs((g.upright ? q.x() : q.y()) - g.at) < 4 / scale()) out.push_back({"guides", g.id});
  if (locked[at(PlanLayer::structure)] && !even_locked_layers) return out;
  const double edge = 6 / scale();
  for (const HallShape& h : model.halls())
    for (int i = 0; i < h.outline.size(); ++i) {
      if (distance_to(q, h.outline[i], h.outline[(i + 1) % h.outline.size()]) >= edge) continue;
      out.push_back({"halls", h.id});
      break;
    }
  return out;
}

EntityRef PlanView::Private::hit(const QPointF& q, bool even_locked_layers) const {
  std::vector<EntityRef> all = hits(q, even_locked_layers);
  return all.empty() ? EntityRef{} : std::move(all.front());
}

EntityRef PlanView::Private::taken_at(const QPointF& q) const {
  std::vector<EntityRef> all = hits(q);
  const auto chosen = std::find_if(all.begin(), all.end(), [&](const EntityRef& e) { return is_selected(e); });
  return chosen != all.end() ? *chosen : all.empty() ? EntityRef{} : std::move(all.front());
}

void PlanView::Private::select_next_here() {
  if (press_hits.size() < 2) return;
  const auto now = std::find(press_hits.begin(), press_hits.end(), press_hit);
  const auto next = static_cast<std::size_t>(now - press_hits.begin() + 1) % press_hits.size();
  press_hit = press_hits[next];
  set_selected(grouped({press_hit}), true);
  hint(PlanView::tr("%1 of %2 things that lie here; Tab or Alt+click for the next")
           .arg(static_cast<int>(next) + 1)
           .arg(static_cast<int>(press_hits.size())));
}

bool PlanView::Private::movable(const EntityRef& e) const {
  if (e.table == "guides") {
    const GuideLine* g = model.guide(e.id);
    return g && !g->locked && !locked[at(PlanLayer::dimensions)];
  }
  PlanLayer layer = PlanLayer::racks;
  const PlanObject* o = model.find(e, &layer);
  return o && !o->locked && !locked[at(layer)];
}

std::vector<EntityRef> PlanView::Private::grouped(std::vector<EntityRef> what) const {
  return design.groups->empty() ? what : with_group_members(design, what);
}

std::vector<EntityRef> PlanView::Private::movable_selection() const {
  std::vector<EntityRef> out;
  for (const EntityRef& e : selected)
    if (movable(e)) out.push_back(e);
  return out;
}

std::vector<EntityRef> PlanView::Private::band_entities() const {
  std::vector<EntityRef> out;
  for (PlanLayer layer : all_layers) {
    if (!visible[at(layer)] || locked[at(layer)] || layer == PlanLayer::underlay) continue;
    std::vector<EntityRef> part = in_band(model, layer, band, band_contains);
    out.insert(out.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  return out;
}

SnapSettings PlanView::Private::settings_at(const QPointF& q) const {
  SnapSettings s;
  s.grid_mm = grid;
  s.reach_mm = snap_pixels / scale();
  for (PlanLayer layer : all_layers)
    s.visible[at(layer)] = visible[at(layer)];
  if (const HallShape* h = model.hall_at(q)) {
    s.grid_origin = h->offset;
    if (h->tile > 0 && grid > 0) s.grid_mm = h->tile, s.grid_origin = h->tile_corner, s.tiles = true;
  }
  return s;
}

QPointF PlanView::Private::outline_point(const QPointF& q, Qt::KeyboardModifiers m) {
  QPointF p = q;
  const bool free = suspended(m);
  if (!free && snapping) {
    snap = snap_point(model, q, settings_at(q));
    p += QPointF(snap.dx, snap.dy);
  } else {
    snap = {};
  }
  if (drawing.active()) {
    // What binds the point may take it off what was caught.
    const QPointF bound = drawing.constrained(p, m & Qt::ShiftModifier);
    if (std::abs(bound.x() - p.x()) > 0.05 || std::abs(bound.y() - p.y()) > 0.05) snap.guides.clear();
    if (std::abs(bound.x() - p.x()) > 0.05) snap.x_words.clear();
    if (std::abs(bound.y() - p.y()) > 0.05) snap.y_words.clear();
    return bound;
  }
  return p;
}

// --- tooltips
// ----------------------------------------------------------------------------------------------------------

namespace {

void tip_line(QString& out, const QString& label, const QString& value) {
  if (!value.isEmpty())
    out +=
        QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>").arg(label.toHtmlEscaped(), value.toHtmlEscaped());
}

/// Cell of a table for an entity as words with its unit, empty where there is none.
QString cell(const Figures& figures, const char* table_id, const char* column_id, Id entity) {
  const Table* table = figures.table(table_id);
  if (!table) return {};
  const TableColumn* column = table->column(column_id);
  if (!column || !column->kind) return {};
  const auto it = std::lower_bound(table->entities.begin(), table->entities.end(), entity);
  if (it == table->entities.end() || *it != entity) return {};
  const auto row = static_cast<std::size_t>(it - table->entities.begin());
  if (row >= column->numbers.size() || !std::isfinite(column->numbers[row])) return PlanView::tr("not known");
  return screen_text(column->numbers[row], *column->kind, 3, column->unit);
}

} // namespace

QString PlanView::Private::tooltip(const EntityRef& e) const {
  if (e.table.empty()) return {};
  QString rows;
  const auto named = [&](const char* table, Id id) {
    return id ? to_qstring(entity_name(design, {table, id})) : QString();
  };
  PlanLayer layer = PlanLayer::racks;
  const PlanObject* o = model.find(e, &layer);
  if (e.table == "halls") {
    if (const HallShape* h = model.hall(e.id))
      tip_line(rows, tr("Size"),
               QStringLiteral("%1 × %2").arg(extent_text(h->box.width()), extent_text(h->box.height())));
  } else if (o && e.table == "racks") {
    const Rack& r = (*design.racks)[o->index];
    tip_line(rows, tr("Type"), named("rack_types", r.rack_type));
    if (evaluation) {
      tip_line(rows, tr("Power"), cell(evaluation->figures, "load.racks", "power", r.id));
      tip_line(rows, tr("Floor load"), cell(evaluation->figures, "space.racks", "floor_load", r.id));
      tip_line(rows, tr("Coolant"), cell(evaluation->figures, "cooling.racks", "flow", r.id));
    }
    const QString a = named("power_units", r.feed_a), b = named("power_units", r.feed_b);
    tip_line(rows, tr("Feeds"),
             a.isEmpty() && b.isEmpty()
                 ? tr("none")
                 : QStringLiteral("A: %1  B: %2").arg(a.isEmpty() ? tr("none") : a, b.isEmpty() ? tr("none") : b));
    tip_line(rows, tr("Loop"), r.loop ? named("loops", r.loop) : tr("none"));
    if (const auto at = static_cast<std::size_t>(o - model.objects(PlanLayer::racks).data()); values.derived())
      tip_line(rows, values.words, values.words_of(at));
    if (r.coolant_valve < 1.0)
      tip_line(rows, tr("Valve"), r.coolant_valve <= 0.0 ? tr("shut")
                                                         : tr("%1 open").arg(screen_text(r.coolant_valve, kind::percent, 2)));
    if (!o->known_size) tip_line(rows, tr("Size"), tr("not known: drawn with a stand-in"));
  } else if (o && layer != PlanLayer::notes) {
    tip_line(rows, tr("Kind"), layer_object_kind(layer, o->word));
    if (layer == PlanLayer::power) {
      const PowerUnit& u = (*design.power_units)[o->index];
      if (u.rating)
        for (const FieldInfo& f : table_fields("power_units"))
          if (f.name == "rating")
            if (auto v = get_field(design, e, "rating")) tip_line(rows, tr("Rating"), screen_field(f, *v));
      tip_line(rows, tr("Fed by"), named("power_units", u.upstream));
    }
    if (layer == PlanLayer::liquid) tip_line(rows, tr("Loop"), named("loops", (*design.cooling_units)[o->index].loop));
    if (layer == PlanLayer::trays || layer == PlanLayer::pipes) {
      const QPolygonF* path = model.points(layer, *o);
      double run = 0;
      for (qsizetype i = 0; path && i + 1 < path->size(); ++i)
        run += std::hypot((*path)[i + 1].x() - (*path)[i].x(), (*path)[i + 1].y() - (*path)[i].y());
      tip_line(rows, tr("Length"), length_text(run, 2));
      const Length level =
          layer == PlanLayer::trays ? (*design.trays)[o->index].elevation : (*design.pipes)[o->index].elevation;
      tip_line(rows, layer == PlanLayer::trays ? tr("Width") : tr("Inner diameter"), size_text(o->width));
      tip_line(rows, tr("Level"), level_text(in_millimeters(level)));
      if (layer == PlanLayer::pipes) {
        const Pipe& pipe = (*design.pipes)[o->index];
        tip_line(rows, tr("Loop"), named("loops", pipe.loop));
        if (pipe.valve_open < 1.0)
          tip_line(rows, tr("Valve"), pipe.valve_open <= 0.0 ? tr("shut")
                                                             : tr("%1 open").arg(screen_text(pipe.valve_open, kind::percent, 2)));
      }
    } else if (layer == PlanLayer::dimensions) {
      const Dimension& d = (*design.dimensions)[o->index];
      tip_line(rows, tr("Length"), exact_length_text(model.dimension(*o).length));
      const auto fixed = [&](Id thing) {
        return thing ? to_qstring(entity_name(design, {table_of(design, thing), thing})) : tr("the floor");
      };
      tip_line(rows, tr("From"), fixed(d.start));
      tip_line(rows, tr("To"), fixed(d.end));
    } else {
      tip_line(rows, tr("Size"),
               o->known_size ? QStringLiteral("%1 × %2").arg(extent_text(o->width), extent_text(o->depth))
                             : tr("not known: drawn with a stand-in"));
    }
    if (layer == PlanLayer::zones)
      for (const FieldInfo& f : table_fields("zones"))
        if (f.type == FieldType::number)
          if (auto v = get_field(design, e, f.name); v && !std::holds_alternative<std::monostate>(*v))
            tip_line(rows, to_qstring(f.label), screen_field(f, *v));
    if (layer == PlanLayer::air)
      tip_line(rows, tr("Height"), length_text(in_millimeters((*design.containments)[o->index].height), 2));
  } else if (e.table == "guides") {
    if (const Guide* g = hallwright::find(*design.guides, e.id))
      tip_line(rows, g->axis == GuideAxis::x ? tr("At x") : tr("At y"), exact_length_text(in_millimeters(g->position)));
  }
  if (o && o->set) tip_line(rows, tr("Group"), named("groups", o->set));
  if (o && o->locked) tip_line(rows, tr("Locked"), tr("yes"));
  if (wrong.count(e.id)) tip_line(rows, tr("Place"), tr("outside its hall, or on top of another thing"));
  const QString name = e.table == "dimensions"          ? tr("Dimension")
                       : e.table == "guides"            ? tr("Guide")
                       : layer == PlanLayer::notes && o ? QString::fromStdString(model.name(layer, *o))
                                                        : to_qstring(entity_name(design, e));
  return QStringLiteral("<b>%1</b><table>%2</table>").arg(name.toHtmlEscaped(), rows);
}

} // namespace hallwright
