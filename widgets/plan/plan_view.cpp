// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QLocale>
#include <QMimeData>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QPointer>
#include <QScrollBar>
#include <QToolTip>

#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/plan/plan_underlay.h"
#include "widgets/plan/plan_view_private.h"
#include "widgets/theme.h"

namespace hallwright {

// --- the view
// ----------------------------------------------------------------------------------------------------------

PlanView::PlanView(QWidget* parent) : QGraphicsView(parent), d_(std::make_unique<Private>(*this)) {
  setObjectName(QStringLiteral("plan"));
  setAccessibleName(tr("Hall plan"));
  setAccessibleDescription(tr("What stands on the plan is also listed in the outline."));
  setScene(&d_->scene);
  d_->make_items();
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
  setTransformationAnchor(QGraphicsView::NoAnchor);
  setResizeAnchor(QGraphicsView::NoAnchor);
  setOptimizationFlags(QGraphicsView::DontSavePainterState | QGraphicsView::DontAdjustForAntialiasing);
  setFocusPolicy(Qt::StrongFocus);
  setAcceptDrops(true);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // the background is painted whole
  viewport()->grabGesture(Qt::PinchGesture);
  setMinimumSize(160, 120);
  d_->preview_timer.setSingleShot(true);
  connect(&d_->preview_timer, &QTimer::timeout, this, [this] { d_->flush_preview(); });
  connect(&UnderlayFiles::shared(), &UnderlayFiles::changed, this, [this] { d_->redraw(); });
  d_->refresh_model();
  setTransform(QTransform::fromScale(0.03, 0.03));
}

PlanView::~PlanView() = default;

void PlanView::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  const bool was_empty = d_->model.empty();
  d_->design = design;
  d_->catalog = catalog;
  d_->refresh_model();
  d_->end_stale_note();
  const bool first = was_empty && !d_->touched && isVisible();
  if ((first || d_->fit_next) && !d_->model.empty() && d_->gesture == Gesture::none) d_->fit();
  d_->fit_next = false;
}

void PlanView::setEvaluation(const SharedEvaluation& evaluation) {
  if (evaluation == d_->evaluation) return;
  d_->evaluation = evaluation;
  d_->wrong = misplaced(evaluation);
  d_->update_values();
  if (d_->gesture == Gesture::row && d_->row_plan) d_->tell_row();
  d_->redraw();
}

void PlanView::setBefore(const Design* before) {
  if (!before && !d_->before) return;
  if (before) d_->before = *before;
  else d_->before.reset();
  d_->update_ghosts();
  d_->redraw();
}

std::size_t PlanView::ghosts() const { return d_->old_places.size(); }
bool PlanView::gestureUnderWay() const { return d_->gesture != Gesture::none || d_->previewed; }

std::optional<PlanView::PasteTarget> PlanView::pasteTarget() const {
  if (!d_->cursor_known || !isVisible() || d_->gesture != Gesture::none) return std::nullopt;
  const HallShape* h = d_->model.hall_at(d_->cursor);
  if (!h) return std::nullopt;
  return PasteTarget{h->id, d_->cursor - h->offset};
}

QPointF PlanView::snapShift(Id hall, const QRectF& box) const {
  if (!d_->snapping) return {};
  const QRectF scene_box = box.translated(d_->model.origin(hall));
  SnapSettings s = d_->settings_at(scene_box.center());
  s.reach_mm *= 1.6;
  const Snap snap = snap_box(d_->model, scene_box, {}, s);
  return {snap.dx, snap.dy};
}

void PlanView::setHall(Id hall) {
  if (hall == d_->hall) return;
  d_->hall = hall;
  d_->refresh_model();
}
Id PlanView::hall() const { return d_->hall; }

void PlanView::setSelection(const std::vector<EntityRef>& selection) {
  std::vector<EntityRef> now = selection, before = d_->selected;
  std::sort(now.begin(), now.end());
  std::sort(before.begin(), before.end());
  if (now != before) {
    // Selected elsewhere: what was told of the place under the cursor is not about this.
    QToolTip::hideText();
    d_->clicked_here = false;
    if (d_->gesture == Gesture::none && d_->tool == PlanTool::select) d_->tool_hint();
  }
  d_->set_selected(selection, false);
}
std::vector<EntityRef> PlanView::selection() const { return d_->selected; }

void PlanView::setTool(PlanTool tool) {
  if (tool != d_->tool) {
    d_->cancel();
    d_->tool = tool;
    d_->measured.clear();
    d_->place_known = false;
    if (tool != PlanTool::place) d_->placed.reset(), d_->placed_text.clear(), d_->placed_turns = 0;
    d_->drawing.start(tool);
    if (const auto kind = structure_of(tool)) {
      // A click puts one of customary size, as if it came from Parts.
      PlacedPart part;
      part.layer = PlanLayer::structure;
      part.word = std::string(ChoiceWords<StructureKind>::words[static_cast<std::size_t>(*kind)]);
      customary_size(*kind, part.width, part.depth);
      d_->placed = part;
      if (d_->cursor_known) d_->update_place(d_->cursor, {});
    }
    d_->update_cursor();
    d_->tool_hint();
    Q_EMIT toolChanged(tool);
  } else {
    d_->tool_hint();
  }
  d_->redraw();
}
PlanTool PlanView::tool() const { return d_->tool; }
void PlanView::setRowSettings(const RowToolSettings& settings) {
  d_->row_settings = settings;
  if (d_->tool == PlanTool::row && d_->gesture == Gesture::none) d_->tool_hint();
}

void PlanView::setDrawSettings(const DrawSettings& settings) {
  d_->draw_settings = settings;
  d_->redraw();
}

void PlanView::setLengthStyle(LengthStyle style) { set_length_style(style); }
LengthStyle PlanView::lengthStyle() { return length_style(); }

void PlanView::setPlacedPart(const QString& part) {
  setTool(PlanTool::place);
  d_->placed_text = part;
  d_->placed = read_part(part, d_->design, d_->catalog);
  d_->placed_turns = 0;
  if (!d_->placed) d_->hint(tr("This part cannot be placed on the plan."));
  if (d_->cursor_known && d_->placed) d_->update_place(d_->cursor, {});
}

void PlanView::setDarkRacks(const std::vector<Id>& racks) {
  std::unordered_set<Id> dark(racks.begin(), racks.end());
  if (dark == d_->dark) return;
  d_->dark = std::move(dark);
  viewport()->update();
}

std::size_t PlanView::darkRacks() const { return d_->dark.size(); }

void PlanView::setOutOfService(const std::vector<EntityRef>& things) {
  if (things == d_->out_of_service) return;
  d_->out_of_service = things;
  viewport()->update();
}

const std::vector<EntityRef>& PlanView::outOfService() const { return d_->out_of_service; }

void PlanView::setOverlay(Overlay overlay) {
  if (overlay == d_->overlay) return;
  d_->overlay = overlay;
  d_->update_values();
  if (!d_->touched && isVisible()) d_->fit(); // beside a legend of another size
  d_->redraw();
}
Overlay PlanView::overlay() const { return d_->overlay; }

bool PlanView::layerVisible(PlanLayer layer) const { return d_->visible[Private::at(layer)]; }
void PlanView::setLayerVisible(PlanLayer layer, bool visible) {
  d_->visible[Private::at(layer)] = visible;
  d_->hidden[Private::at(layer)] = !visible;
  d_->layer_items[Private::at(layer)]->setVisible(visible);
  d_->redraw();
  Q_EMIT snapModesChanged();
}
void PlanView::setLayerLocked(PlanLayer layer, bool locked) { d_->locked[Private::at(layer)] = locked; }
void PlanView::setGrid(double spacing_mm) {
  d_->grid = spacing_mm;
  d_->redraw();
  Q_EMIT snapModesChanged();
}
void PlanView::setSnapping(bool on) {
  if (d_->snapping == on) return;
  d_->snapping = on;
  Q_EMIT snapModesChanged();
}

QString PlanView::snapModes() const {
  if (!d_->snapping) return tr("off");
  QStringList out;
  // Of the hall in sight: each may have its raised floor.
  const auto middle = viewportTransform().inverted().map(QRectF(viewport()->rect()).center());
  const SnapSettings s = d_->settings_at(middle);
  if (s.grid_mm > 0) out << (s.tiles ? tr("tile %1") : tr("grid %1")).arg(size_text(s.grid_mm));
  out << tr("walls");
  const auto shown = [&](PlanLayer layer) { return s.visible[static_cast<std::size_t>(layer)] && !d_->model.objects(layer).empty(); };
  if (shown(PlanLayer::racks)) out << tr("racks");
  if (shown(PlanLayer::power) || shown(PlanLayer::liquid)) out << tr("units");
  if (s.visible[static_cast<std::size_t>(PlanLayer::dimensions)] && !d_->model.guides().empty()) out << tr("guides");
  if (s.visible[static_cast<std::size_t>(PlanLayer::underlay)] && !d_->design.underlays->empty()) out << tr("underlay");
  return out.join(QStringLiteral(", "));
}

void PlanView::zoomToFit() {
  d_->keep_sight();
  d_->fit();
}

void PlanView::zoomToSelection() { zoomTo(d_->selected); }

void PlanView::zoomTo(const std::vector<EntityRef>& entities) {
  QRectF box;
  const auto add_rack = [&](const PlanObject* o) {
    if (o) box = box.united(o->box());
  };
  for (const EntityRef& e : entities) {
    if (e.table == "halls") {
      if (const HallShape* h = d_->model.hall(e.id)) box = box.united(h->box);
    } else if (e.table == "rows" || e.table == "rack_types") {
      for (const PlanObject& o : d_->model.objects(PlanLayer::racks))
        if ((e.table == "rows" ? o.group : o.type) == e.id) add_rack(&o);
    } else {
      add_rack(d_->model.find(e));
    }
  }
  if (box.isNull()) return;
  d_->keep_sight();
  const double around = std::max(1500.0, 0.15 * std::max(box.width(), box.height()));
  d_->show_rect(box.adjusted(-around, -around, around, around), ruler_side + 10, ruler_side + 10, 10, 10, 0.12);
  d_->touched = true;
}

void PlanView::previousView() {
  d_->go_to_sight(d_->earlier, d_->later, tr("There is no earlier view"));
}

void PlanView::nextView() { d_->go_to_sight(d_->later, d_->earlier, tr("There is no later view")); }

void PlanView::forgetViews() {
  d_->earlier.clear();
  d_->later.clear();
}

void PlanView::fitNext() {
  d_->fit_next = true;
  // Another design comes: nothing that was told of the one before stays.
  QToolTip::hideText();
  d_->clicked_here = false;
  d_->press_hits.clear();
  if (d_->gesture == Gesture::none) d_->tool_hint();
}

void PlanView::zoomBy(double factor) {
  if (factor != 1.0) d_->keep_sight(true);
  const QPointF middle = QRectF(viewport()->rect()).center();
  const QPointF at = viewportTransform().inverted().map(middle);
  d_->touched = true;
  d_->show_at(d_->scale() * factor, at, middle);
}

double PlanView::scalePercent() const { return transform().m11() * 1000.0; }

// --- painting
// ----------------------------------------------------------------------------------------------------------

void PlanView::drawBackground(QPainter* painter, const QRectF& rect) {
  d_->in_pixels(painter, [&](const Canvas& c) {
    painter->fillRect(viewport()->rect(), c.colors.canvas);
    constexpr int places_per_frame = 40; // of words: the first frame at a new scale must not be late for them
    d_->labels.begin_frame(places_per_frame);
    const Picture p = d_->picture(rect);
    paint_floor(c, p);
    paint_grid(c, p);
    if (d_->grid > 0) paint_tiles(c, p);
    if (d_->visible[Private::at(PlanLayer::racks)]) paint_aisles(c, p);
  });
}

void PlanView::drawForeground(QPainter* painter, const QRectF&) {
  d_->in_pixels(painter, [&](const Canvas& c) {
    const QRectF v = viewport()->rect();
    if (d_->model.empty() && !d_->drawing.under_way() && d_->gesture == Gesture::none) {
      const QString words = tr("Draw the hall outline (H), or drag a rack from Parts");
      c.text(v, Qt::AlignCenter | Qt::TextWordWrap, words, c.font(14), c.colors.quiet);
    }
    paint_legend(c, d_->values, QPointF(v.right() - 12, ruler_side + 10));
    d_->paint_rulers(c);
  });
  if (d_->labels.unfinished()) QMetaObject::invokeMethod(viewport(), [this] { viewport()->update(); }, Qt::QueuedConnection);
}

void PlanView::resizeEvent(QResizeEvent* event) {
  // What the user chose to see stays in sight, at most as large as before: a panel beside the plan, or a taller bar
  // above it, covers nothing, and when it goes the plan is as it was.
  // A view that was hidden meanwhile hears of no old size, so that the room is remembered here.
  const QTransform before = viewportTransform();
  const QSize old = d_->room;
  if (old.width() > ruler_side && old.height() > ruler_side && (d_->kept.isNull() || before != d_->shown_kept)) {
    const QRectF sight(QPointF(ruler_side, ruler_side), QPointF(old.width(), old.height()));
    d_->kept = before.inverted().mapRect(sight);
    d_->kept_scale = d_->scale();
  }
  d_->room = event->size();
  QGraphicsView::resizeEvent(event);
  if (d_->model.empty() && d_->kept.isNull()) return;
  if (!d_->touched) {
    if (!d_->model.empty()) d_->fit();
  } else if (!d_->kept.isNull() && d_->gesture == Gesture::none) {
    d_->show_rect(d_->kept, ruler_side, ruler_side, 0, 0, d_->kept_scale);
    d_->shown_kept = viewportTransform();
  }
}

// --- mouse
// -------------------------------------------------------------------------------------------------------------

void PlanView::mousePressEvent(QMouseEvent* event) {
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->clicked_here = false;
  d_->press_view = d_->last_view = event->position().toPoint();
  d_->cursor = at;
  d_->cursor_known = true;
  QToolTip::hideText();
  const bool pans = event->button() == Qt::MiddleButton ||
                    (event->button() == Qt::LeftButton && (d_->space || d_->tool == PlanTool::pan));
  if (pans) {
    if (d_->gesture != Gesture::none) return; // one gesture at a time
    d_->keep_sight();
    d_->gesture = Gesture::pan;
    d_->update_cursor();
    event->accept();
    return;
  }
  if (event->button() != Qt::LeftButton) {
    event->accept();
    return;
  }
  event->accept();
  if (d_->gesture == Gesture::row && d_->row_anchored) { // the second click
    d_->update_row(at, event->modifiers());
    if (d_->row_plan) d_->finish_row();
    return;
  }
  d_->press = at;
  d_->press_modifiers = event->modifiers();
  if (Private::over_ruler(d_->press_view) && (d_->press_view.x() > ruler_side || d_->press_view.y() > ruler_side) &&
      !d_->drawing.under_way()) {
    d_->guide_upright = d_->press_view.x() < ruler_side;
    d_->gesture = Gesture::new_guide;
    d_->held_guide = 0;
    d_->guide_to(at, event->modifiers());
    d_->update_cursor();
    return;
  }
  switch (d_->tool) {
  case PlanTool::select: {
    if (!(event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)))
      if (const auto handle = d_->handle_at(d_->press_view)) {
        d_->hold(*handle);
        d_->redraw();
        return;
      }
    // What is selected there is taken before what lies over it, so that it can be dragged.
    d_->press_hits = d_->hits(at);
    d_->press_hit = d_->taken_at(at);
    d_->press_was_selected = !d_->press_hit.table.empty() && d_->is_selected(d_->press_hit);
    if (d_->press_hit.table.empty()) {
      d_->gesture = Gesture::band;
      d_->band = QRectF(at, at);
      d_->band_hits.clear();
      d_->band_contains = true;
      return;
    }
    d_->gesture = Gesture::press_on_thing;
    const bool adds = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (!d_->press_was_selected) {
      std::vector<EntityRef> next = adds ? d_->selected : std::vector<EntityRef>{};
      next.push_back(d_->press_hit);
      d_->set_selected(d_->grouped(std::move(next)), true);
    }
    return;
  }
  case PlanTool::feed_row:
  case PlanTool::pipe_row:
    d_->begin_along(at);
    return;
  case PlanTool::place: {
    if (d_->lays_along(event->modifiers()) && whole_row_run(d_->model, at, 0)) {
      d_->begin_along(at);
      return;
    }
    d_->update_place(at, event->modifiers());
    if (d_->commit_place()) {
      if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
        d_->tool_hint();
      else
        setTool(PlanTool::select);
    }
    return;
  }
  case PlanTool::row:
    d_->gesture = Gesture::row;
    d_->row_first_id = d_->design.next_id;
    d_->update_row(at, event->modifiers());
    d_->redraw();
    return;
  case PlanTool::measure: {
    const QPointF q = d_->outline_point(at, event->modifiers());
    d_->snapped = q;
    if (d_->measured.size() != 1) d_->measured.clear();
    d_->measured.push_back(q);
    d_->tool_hint();
    d_->redraw();
    return;
  }
  case PlanTool::pan:
    return;
  default: {
    if (!d_->drawing.active()) return;
    if (d_->placed) d_->update_place(at, event->modifiers());
    d_->snapped = d_->outline_point(at, event->modifiers());
    d_->drawing.move(d_->snapped, event->modifiers() & Qt::ShiftModifier);
    bool close_by = false;
    if (d_->drawing.under_way()) {
      const QPointF first = viewportTransform().map(d_->drawing.points().front());
      const QPointF gap = first - event->position(), caught = first - viewportTransform().map(d_->snapped);
      close_by = std::hypot(gap.x(), gap.y()) < 10 || std::hypot(caught.x(), caught.y()) < 2;
    }
    d_->gesture = Gesture::draw;
    d_->drawing.press(d_->snapped, close_by);
    if (d_->drawing.active()) d_->tool_hint();
    d_->redraw();
    return;
  }
  }
}

void PlanView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = viewportTransform().inverted().map(event->position());
  const QPoint view_at = event->position().toPoint();
  d_->cursor = at;
  d_->cursor_known = true;
  event->accept();
  if ((view_at - d_->press_view).manhattanLength() > QApplication::startDragDistance()) d_->clicked_here = false;
  const bool far = (view_at - d_->press_view).manhattanLength() >= QApplication::startDragDistance();
  switch (d_->gesture) {
  case Gesture::pan:
    d_->pan_by(view_at - d_->last_view);
    d_->last_view = view_at;
    return;
  case Gesture::press_on_thing:
    if (far) {
      // Pressing one of several and dragging moves them all; Ctrl took it out only on release.
      if (d_->press_hit.table == "guides" && d_->selected.size() == 1) {
        if (const GuideLine* g = d_->model.guide(d_->press_hit.id); g && d_->movable(d_->press_hit)) {
          d_->held_guide = g->id, d_->guide_upright = g->upright;
          d_->gesture = Gesture::guide;
          d_->update_cursor();
          d_->guide_to(at, event->modifiers());
          break;
        }
      }
      d_->begin_drag();
      if (d_->gesture == Gesture::drag) d_->drag_to(at, event->modifiers());
    }
    break;
  case Gesture::drag:
    d_->drag_to(at, event->modifiers());
    break;
  case Gesture::band:
    if (far || !d_->band.isNull()) {
      d_->band_contains = at.x() >= d_->press.x();
      d_->band = QRectF(d_->press, at).normalized();
      d_->band_hits = d_->band_entities();
      const auto n = static_cast<qlonglong>(d_->band_hits.size());
      d_->hint(d_->band_contains ? tr("%1 inside the band").arg(n) : tr("%1 touched by the band").arg(n));
    }
    break;
  case Gesture::row:
    d_->update_row(at, event->modifiers());
    break;
  case Gesture::handle:
    d_->handle_to(at, event->modifiers());
    break;
  case Gesture::new_guide:
  case Gesture::guide:
    d_->guide_to(at, event->modifiers());
    break;
  case Gesture::along:
    d_->update_along(at, !far);
    break;
  case Gesture::draw:
  case Gesture::none:
    break;
  }
  d_->hover_along(at, event->modifiers());
  const bool keeps_snap = d_->gesture == Gesture::drag || d_->gesture == Gesture::handle ||
                          d_->gesture == Gesture::new_guide || d_->gesture == Gesture::guide;
  if (!keeps_snap) d_->snap = {};
  if (d_->tool == PlanTool::place || (d_->placed && !d_->drawing.under_way())) d_->update_place(at, event->modifiers());
  if (!keeps_snap && (d_->drawing.active() || d_->tool == PlanTool::measure)) {
    const Snap of_block = d_->snap;
    d_->snapped = d_->outline_point(at, event->modifiers());
    if (d_->placed && !d_->drawing.under_way()) d_->snap = of_block; // the block is what catches
    d_->drawing.move(d_->snapped, event->modifiers() & Qt::ShiftModifier);
    if (d_->gesture == Gesture::draw && far && event->buttons() & Qt::LeftButton) d_->drawing.drag(d_->snapped);
    if (d_->drawing.active()) d_->tool_hint();
  }
  if (d_->tool == PlanTool::measure && d_->measured.empty())
    if (const Private::Clear clear = d_->clear_at(at); clear.known)
      d_->hint(tr("Clear width %1 across, %2 down. Click the first point; Esc ends.")
                   .arg(exact_length_text(clear.right - clear.left), exact_length_text(clear.bottom - clear.top)));
  if (d_->tool == PlanTool::row && d_->gesture == Gesture::none && d_->snapping &&
      !Private::suspended(event->modifiers()))
    d_->snap = snap_point(d_->model, at, d_->settings_at(at));
  if (d_->tool == PlanTool::select && d_->gesture == Gesture::none && !d_->space) {
    const auto handle = d_->handle_at(view_at);
    const EntityRef under = handle ? EntityRef{} : d_->taken_at(at);
    if (handle)
      viewport()->setCursor(handle->kind == Handle::Kind::turn ? Qt::PointingHandCursor : Qt::CrossCursor);
    else
      viewport()->setCursor(!under.table.empty() && d_->is_selected(under) && d_->movable(under) ? Qt::SizeAllCursor
                                                                                                 : Qt::ArrowCursor);
  }
  d_->tell_cursor(at);
  d_->redraw();
}

void PlanView::mouseReleaseEvent(QMouseEvent* event) {
  event->accept();
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->cursor = at;
  if (d_->gesture == Gesture::pan) {
    d_->gesture = Gesture::none;
    d_->update_cursor();
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  switch (d_->gesture) {
  case Gesture::press_on_thing: {
    d_->gesture = Gesture::none;
    if (d_->press_modifiers & Qt::ControlModifier) {
      if (d_->press_was_selected) {
        std::vector<EntityRef> next = d_->selected;
        std::erase(next, d_->press_hit);
        d_->set_selected(std::move(next), true);
      }
    } else if (!(d_->press_modifiers & Qt::ShiftModifier)) {
      d_->clicked_here = true;
      // What is selected already stays so: what lies over or under it is asked for.
      if (d_->press_modifiers & Qt::AltModifier && d_->press_was_selected && d_->press_hits.size() > 1) {
        d_->select_next_here();
        break;
      }
      // A click takes the group; a second one the thing itself.
      const std::vector<EntityRef> group = d_->grouped({d_->press_hit});
      d_->set_selected(group.size() > 1 && d_->press_was_selected && d_->selected.size() == group.size()
                           ? std::vector<EntityRef>{d_->press_hit}
                           : group,
                       true);
      if (d_->press_hits.size() > 1)
        d_->hint(tr("%1 things lie here; Tab or Alt+click takes the next")
                     .arg(static_cast<int>(d_->press_hits.size())));
      else
        d_->tool_hint();
    }
    break;
  }
  case Gesture::drag: {
    d_->finish_drag(event->modifiers());
    break;
  }
  case Gesture::band: {
    d_->gesture = Gesture::none;
    const bool drawn = !d_->band.isNull();
    std::vector<EntityRef> hits = drawn ? d_->grouped(d_->band_entities()) : std::vector<EntityRef>{};
    d_->band_hits.clear();
    d_->band = {};
    if (d_->press_modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) {
      // Both keep what is selected; nothing is taken out by an empty band.
      std::vector<EntityRef> next = d_->selected;
      next.insert(next.end(), hits.begin(), hits.end());
      d_->set_selected(std::move(next), true);
    } else {
      d_->set_selected(std::move(hits), true);
    }
    d_->tool_hint();
    break;
  }
  case Gesture::row:
    if (d_->row_anchored) break;
    d_->update_row(at, event->modifiers());
    if (!d_->row_plan && d_->row_rack() && d_->model.hall_at(d_->press)) {
      d_->row_anchored = true;
      d_->tool_hint();
      break;
    }
    d_->finish_row();
    break;
  case Gesture::along: {
    const bool far = (event->position().toPoint() - d_->press_view).manhattanLength() >= QApplication::startDragDistance();
    d_->update_along(at, !far);
    const bool done = d_->along_edit.has_value();
    d_->finish_along();
    if (done && d_->tool == PlanTool::place) setTool(PlanTool::select);
    break;
  }
  case Gesture::draw:
    d_->gesture = Gesture::none;
    d_->snapped = d_->outline_point(at, event->modifiers());
    d_->drawing.release(d_->snapped);
    if (d_->drawing.active()) d_->tool_hint();
    break;
  case Gesture::handle:
    if ((d_->last_view - d_->press_view).isNull() &&
        (event->position().toPoint() - d_->press_view).manhattanLength() < QApplication::startDragDistance()) {
      d_->gesture = Gesture::none; // a click only chooses the corner
      d_->end_preview(true);
      d_->held_edit.reset();
      if (d_->active_corner >= 0) d_->hint(tr("Delete takes this corner away."));
      break;
    }
    d_->handle_to(at, event->modifiers());
    d_->finish_handle();
    break;
  case Gesture::new_guide:
  case Gesture::guide:
    d_->guide_to(at, event->modifiers());
    d_->finish_guide(event->position().toPoint());
    break;
  case Gesture::pan:
  case Gesture::none:
    break;
  }
  d_->redraw();
}

void PlanView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || d_->space) {
    mousePressEvent(event);
    return;
  }
  event->accept();
  if (d_->tool == PlanTool::feed_row || d_->tool == PlanTool::pipe_row) return; // one click has laid it
  if (d_->drawing.active()) {
    using Manner = PlanDrawing::Manner;
    const Manner manner = d_->drawing.manner();
    if (manner == Manner::polygon || manner == Manner::path || manner == Manner::chain) {
      d_->drawing.double_click();
      d_->gesture = Gesture::none;
      if (d_->drawing.active()) d_->tool_hint();
      d_->redraw();
    } else {
      mousePressEvent(event);
    }
    return;
  }
  if (d_->tool != PlanTool::select) {
    mousePressEvent(event);
    return;
  }
  if (const auto handle = d_->handle_at(event->position().toPoint()); handle && handle->kind == Handle::Kind::corner) {
    d_->remove_corner(handle->index);
    return;
  }
  const QPointF at = viewportTransform().inverted().map(event->position());
  const EntityRef under = d_->taken_at(at);
  if (under.table == "notes" && d_->movable(under)) {
    d_->gesture = Gesture::none;
    d_->write_note(under.id);
    return;
  }
  if (under.table != "racks") return;
  const PlanObject* rack = d_->model.find(PlanLayer::racks, under.id);
  if (!rack) return;
  std::vector<EntityRef> row;
  const RackLine* line = nullptr;
  if (!rack->group)
    for (const RackLine& l : d_->model.lines())
      if (l.hall == rack->hall && l.turns == rack->turns && l.box().adjusted(-1, -1, 1, 1).contains(rack->box()))
        line = &l;
  for (const PlanObject& o : d_->model.objects(PlanLayer::racks)) {
    const bool same = rack->group ? o.group == rack->group
                                  : line && o.hall == rack->hall && o.turns == rack->turns &&
                                        line->box().adjusted(-1, -1, 1, 1).contains(o.box());
    if (same) row.push_back({"racks", o.id});
  }
  if (row.empty()) row.push_back(under);
  if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
    row.insert(row.end(), d_->selected.begin(), d_->selected.end());
  d_->gesture = Gesture::none;
  d_->set_selected(std::move(row), true);
}

void PlanView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const bool touchpad =
      !event->pixelDelta().isNull() &&
      (event->phase() != Qt::NoScrollPhase ||
       (event->pointingDevice() && event->pointingDevice()->type() == QInputDevice::DeviceType::TouchPad));
  if (touchpad && !(event->modifiers() & Qt::ControlModifier)) {
    d_->keep_sight(true);
    d_->pan_by(event->pixelDelta());
    return;
  }
  // Alt turns the wheel sideways on some desktops.
  const int turn = event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
  if (turn == 0) return;
  d_->keep_sight(true);
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->touched = true;
  d_->show_at(d_->scale() * std::pow(1.2, turn / 120.0), at, event->position());
}

// --- keys
// --------------------------------------------------------------------------------------------------------------

void PlanView::keyPressEvent(QKeyEvent* event) {
  const auto nudge = [&](double x, double y) {
    const std::vector<EntityRef> what = d_->movable_selection();
    if (what.empty()) {
      if (!d_->selected.empty())
        d_->hint(tr("What is selected is locked. Unlock it in the inspector or in its layer."));
      return;
    }
    double step = d_->grid > 0 ? d_->grid : 100;
    if (event->modifiers() & Qt::ShiftModifier) step *= 10;
    if (event->modifiers() & Qt::AltModifier) step /= 10;
    Edit edit = move_edit(what, x * step, y * step, {});
    // The document joins steps of this name without a pause, so that it is not translated.
    edit.label = "Nudge " + naming(d_->design, what).toStdString();
    Q_EMIT editRequested(edit, false);
  };
  event->accept();
  const bool was_under_way = d_->drawing.under_way();
  if (event->matches(QKeySequence::Undo) && d_->holds()) {
    // Of what is drawn point by point the last point goes, of what is dragged all.
    if (was_under_way && d_->gesture != Gesture::draw) {
      QKeyEvent back(QEvent::KeyPress, Qt::Key_Backspace, Qt::NoModifier);
      const bool typing = d_->drawing.typing();
      if (typing || d_->drawing.points().size() > 1) d_->drawing.key(&back);
      else d_->cancel();
    } else {
      d_->give_up();
    }
    d_->tool_hint();
    d_->redraw();
    return;
  }
  if (d_->drawing.active() && event->key() != Qt::Key_Escape && d_->drawing.key(event)) {
    if (was_under_way && !d_->drawing.under_way()) d_->tool_hint(); // done: how the next one begins
    if (d_->drawing.active()) {
      // The point under the cursor follows what is typed.
      d_->snapped = d_->outline_point(d_->cursor, {});
      d_->drawing.move(d_->snapped, false);
    }
    d_->redraw();
    return;
  }
  if (d_->gesture == Gesture::row && d_->row_key(event)) return;
  if ((d_->gesture == Gesture::drag || d_->gesture == Gesture::press_on_thing) && d_->move_key(event)) return;
  // While the button holds something, only what belongs to it: nothing else is edited under the hand.
  if (d_->gesture != Gesture::none && !d_->row_anchored && event->key() != Qt::Key_Escape &&
      event->key() != Qt::Key_Space)
    return;
  switch (event->key()) {
  case Qt::Key_Space:
    if (!event->isAutoRepeat()) {
      d_->space = true;
      d_->update_cursor();
    }
    return;
  case Qt::Key_Escape:
    if (d_->cancel()) {
      d_->tool_hint();
      return;
    }
    if (d_->tool != PlanTool::select)
      setTool(PlanTool::select);
    else
      d_->set_selected({}, true);
    return;
  case Qt::Key_Backspace:
  case Qt::Key_Delete:
    if (d_->active_corner >= 0 && d_->remove_corner(d_->active_corner)) return;
    if (!d_->selected.empty()) Q_EMIT deleteRequested();
    return;
  case Qt::Key_Left:
    nudge(-1, 0);
    return;
  case Qt::Key_Right:
    nudge(1, 0);
    return;
  case Qt::Key_Up:
    nudge(0, -1);
    return;
  case Qt::Key_Down:
    nudge(0, 1);
    return;
  case Qt::Key_R: {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) break;
    if (d_->placed) {
      d_->placed_turns = (d_->placed_turns + (event->modifiers() & Qt::ShiftModifier ? 3 : 1)) % 4;
      d_->update_place(d_->cursor, {});
      return;
    }
    const std::vector<EntityRef> what = d_->movable_selection();
    if (what.empty()) return;
    static const Catalog none;
    const FootprintSizes sizes = footprint_sizes(d_->design, d_->catalog ? *d_->catalog : none, what);
    const double turn = event->modifiers() & Qt::ShiftModifier ? -90 : 90;
    Edit edit;
    edit.label = tr("Rotate %1").arg(naming(d_->design, what)).toStdString();
    edit.apply = [what, sizes, turn](const Design& design) { return rotate_by(design, what, degrees(turn), sizes); };
    Q_EMIT editRequested(edit, false);
    return;
  }
  default:
    break;
  }
  event->ignore();
}

void PlanView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    d_->space = false;
    d_->update_cursor();
    event->accept();
    return;
  }
  QGraphicsView::keyReleaseEvent(event);
}

void PlanView::contextMenuEvent(QContextMenuEvent* event) {
  event->accept();
  if (d_->gesture != Gesture::none) return;
  QPoint global = event->globalPos();
  if (event->reason() == QContextMenuEvent::Mouse) {
    const EntityRef under = d_->taken_at(viewportTransform().inverted().map(QPointF(event->pos())));
    if (!under.table.empty() && !d_->is_selected(under)) d_->set_selected({under}, true);
  } else {
    QRectF box;
    for (const EntityRef& e : d_->selected)
      if (const PlanObject* o = d_->model.find(e)) box = box.united(o->box());
    const QRect sight = viewport()->rect();
    QPoint at = box.isNull() ? sight.center() : viewportTransform().map(box.center()).toPoint();
    at = {std::clamp(at.x(), sight.left(), sight.right()), std::clamp(at.y(), sight.top(), sight.bottom())};
    global = viewport()->mapToGlobal(at);
  }
  Q_EMIT contextMenuRequested(global);
}

// --- drag and drop
// -----------------------------------------------------------------------------------------------------

void PlanView::dragEnterEvent(QDragEnterEvent* event) {
  const QByteArray part = event->mimeData()->data(QLatin1String(part_mime_type));
  if (part.isEmpty() || !read_part(QString::fromUtf8(part), d_->design, d_->catalog)) {
    event->ignore();
    return;
  }
  setPlacedPart(QString::fromUtf8(part));
  event->setDropAction(Qt::CopyAction);
  event->accept();
}

void PlanView::dragMoveEvent(QDragMoveEvent* event) {
  if (!d_->placed) {
    event->ignore();
    return;
  }
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->cursor = at;
  d_->cursor_known = true;
  d_->update_place(at, event->modifiers());
  if (d_->lays_along(event->modifiers()) && whole_row_run(d_->model, at, 0)) {
    // A busway over a row feeds all of it.
    if (!d_->along_edit) d_->along_base = d_->design;
    d_->press = at;
    d_->update_along(at, true);
    d_->tell_cursor(at);
    event->setDropAction(Qt::CopyAction);
    event->accept();
    return;
  }
  if (d_->along) {
    d_->forget_along();
    d_->end_preview(true);
  }
  d_->hint(d_->goes_outdoors()                               ? tr("Release to place it outside. Alt suspends snapping.")
           : d_->model.hall_at(d_->place_box.center()) ? tr("Release to place it here. Alt suspends snapping.")
                                                       : d_->nowhere());
  d_->tell_cursor(at);
  event->setDropAction(Qt::CopyAction);
  event->accept();
}

void PlanView::dragLeaveEvent(QDragLeaveEvent* event) {
  setTool(PlanTool::select);
  event->accept();
}

void PlanView::dropEvent(QDropEvent* event) {
  const QString part = QString::fromUtf8(event->mimeData()->data(QLatin1String(part_mime_type)));
  if (part.isEmpty()) {
    event->ignore();
    return;
  }
  if (d_->placed_text != part) setPlacedPart(part);
  const QPointF at = viewportTransform().inverted().map(event->position());
  d_->update_place(at, event->modifiers());
  bool done = false;
  if (d_->lays_along(event->modifiers()) && whole_row_run(d_->model, at, 0)) {
    if (!d_->along_edit) d_->along_base = d_->design;
    d_->press = at;
    d_->update_along(at, true);
    done = d_->along_edit.has_value();
    d_->finish_along();
  } else {
    done = d_->commit_place();
  }
  const QString why = d_->nowhere();
  setTool(PlanTool::select);
  if (!done) d_->hint(why);
  event->setDropAction(done ? Qt::CopyAction : Qt::IgnoreAction);
  event->accept();
  setFocus(Qt::OtherFocusReason);
}

// --- the rest
// ----------------------------------------------------------------------------------------------------------

bool PlanView::event(QEvent* event) {
  // Letters of a typed length are not shortcuts, and Tab goes on to the angle.
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    const bool held = d_->gesture != Gesture::none && !d_->row_anchored; // no shortcut edits what the hand holds
    if (held || d_->drawing.wants(key) || d_->typing_wants(key) || (key->matches(QKeySequence::Undo) && d_->holds())) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::FocusOut) {
    d_->clicked_here = false;
    // With a button held the release may never come here; menus come and go.
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    if (d_->gesture != Gesture::none && !d_->row_anchored && reason != Qt::MenuBarFocusReason &&
        reason != Qt::PopupFocusReason)
      d_->give_up();
  }
  if (event->type() == QEvent::Hide) d_->give_up();
  if (event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    if ((key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab) &&
        (d_->drawing.under_way() || d_->move_is_typed())) {
      keyPressEvent(key);
      return true;
    }
    // Right after a click where several things lie; else Tab goes on to the next panel.
    if (key->key() == Qt::Key_Tab && d_->clicked_here && d_->press_hits.size() > 1 &&
        d_->gesture == Gesture::none && d_->tool == PlanTool::select) {
      d_->select_next_here();
      return true;
    }
    if (key->key() != Qt::Key_Alt && key->key() != Qt::Key_Shift) d_->clicked_here = false;
  }
  return QGraphicsView::event(event);
}

bool PlanView::eventFilter(QObject* watched, QEvent* event) {
  const auto* widget = d_->note_field && watched->isWidgetType() ? static_cast<QWidget*>(watched) : nullptr;
  if (widget && widget->window() == window()) {
    if ((event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
      event->accept();
      if (event->type() == QEvent::KeyPress) {
        d_->close_note(false);
        setFocus(Qt::OtherFocusReason);
      }
      return true;
    }
    if (event->type() == QEvent::MouseButtonPress && widget != d_->note_field && !d_->note_field->isAncestorOf(widget))
      d_->close_note(true);
  }
  return QGraphicsView::eventFilter(watched, event);
}

bool PlanView::viewportEvent(QEvent* event) {
  switch (event->type()) {
  case QEvent::ToolTip: {
    auto* help = static_cast<QHelpEvent*>(event);
    const EntityRef under = d_->gesture == Gesture::none
                                ? d_->hit(viewportTransform().inverted().map(QPointF(help->pos())), true)
                                : EntityRef{};
    const QString words = d_->tooltip(under);
    if (words.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), words, viewport());
    return true;
  }
  case QEvent::Leave:
    if (d_->gesture == Gesture::none) {
      d_->cursor_known = false;
      d_->place_known = false;
      d_->forget_along();
      d_->snap = {};
      d_->redraw();
    }
    break;
  case QEvent::Gesture: {
    auto* gestures = static_cast<QGestureEvent*>(event);
    if (auto* pinch = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture))) {
      d_->keep_sight(true);
      const QPointF middle = viewport()->mapFromGlobal(pinch->centerPoint().toPoint());
      const QPointF at = viewportTransform().inverted().map(middle);
      d_->touched = true;
      d_->show_at(d_->scale() * pinch->scaleFactor(), at, middle);
      gestures->accept(pinch);
      return true;
    }
    break;
  }
  case QEvent::NativeGesture: {
    auto* native = static_cast<QNativeGestureEvent*>(event);
    if (native->gestureType() == Qt::ZoomNativeGesture) {
      d_->keep_sight(true);
      const QPointF at = viewportTransform().inverted().map(native->position());
      d_->touched = true;
      d_->show_at(d_->scale() * (1 + native->value()), at, native->position());
      return true;
    }
    break;
  }
  default:
    break;
  }
  return QGraphicsView::viewportEvent(event);
}

} // namespace hallwright
