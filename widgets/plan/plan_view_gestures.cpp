// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/outdoor_places.h"
#include "widgets/plan/plan_view_private.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QLocale>
#include <QScrollBar>
#include <QToolTip>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_underlay.h"

namespace hallwright {
void PlanView::Private::commit_drawn(const Edit& edit) {
  touched = true; // what was drawn here stays where it was drawn
  snap = {};
  const Id next = design.next_id;
  Q_EMIT view.editRequested(edit, true);
  if ((tool != PlanTool::note && tool != PlanTool::label) || !draw_settings.text.isEmpty()) return;
  if (!design.notes->empty() && design.notes->back().id >= next) write_note(design.notes->back().id);
}

std::optional<Handle> PlanView::Private::handle_at(const QPoint& at) const {
  std::optional<Handle> best;
  double nearest = 8;
  for (const Handle& h : present_handles()) {
    const QPointF d = view.viewportTransform().map(h.at) - QPointF(at);
    // Corners lie above the middles of sides.
    const double distance = std::hypot(d.x(), d.y()) + (h.kind == Handle::Kind::middle ? 1.5 : 0);
    if (distance < nearest) nearest = distance, best = h;
  }
  return best;
}

void PlanView::Private::hold(const Handle& handle) {
  held = handle;
  held_edit.reset();
  held_words.clear();
  held_what = handle.kind == Handle::Kind::turn ? movable_selection() : selected;
  held_shape = shape_of(model, selected.front());
  if (const PlanObject* o = model.find(selected.front())) held_object = *o;
  QRectF box;
  for (const EntityRef& e : held_what)
    if (const PlanObject* o = model.find(e)) box = box.united(o->box());
  held_center = box.center();
  active_corner = handle.kind == Handle::Kind::corner ? handle.index : -1;
  gesture = Gesture::handle;
}

void PlanView::Private::handle_to(const QPointF& q, Qt::KeyboardModifiers m) {
  const EntityRef& entity = selected.front();
  if (held.kind == Handle::Kind::turn) {
    const QPointF from = held.at - held_center, to = q - held_center;
    if (std::hypot(to.x(), to.y()) * scale() < 4) return;
    double turn = (std::atan2(to.y(), to.x()) - std::atan2(from.y(), from.x())) * 57.29577951308232;
    constexpr double notch = 15;
    const double base = held_what.size() == 1 && held_object.points < 0 ? held_object.angle : 0;
    turn = suspended(m) ? std::round(turn * 10) / 10 : std::round((turn + base) / notch) * notch - base;
    turn = std::remainder(turn, 360.0);
    const double shown = std::fmod(base + turn + 720, 360.0);
    held_words =
        screen_number(shown, 'f', std::abs(shown - std::round(shown)) < 0.05 ? 0 : 1) + QStringLiteral("°");
    snap = {};
    if (std::abs(turn) < 1e-9)
      held_edit = Edit{"", [](const Design& d) -> Edited { return d; }};
    else
      held_edit = turn_edit(design, catalog, held_what, turn);
  } else {
    QPointF p = q;
    snap = {};
    if (snapping && !suspended(m)) {
      SnapSettings s = settings_at(q);
      s.skip = entity.id;
      snap = snap_point(model, q, s);
      p += QPointF(snap.dx, snap.dy);
    }
    if (held.kind == Handle::Kind::side) {
      const NewBox box = dragged_box(model, held_object, held, p);
      held_words = QStringLiteral("%1 × %2").arg(exact_length_text(box.width), exact_length_text(box.depth));
      held_edit = resize_edit(design, entity, box);
    } else {
      QPolygonF shape = held_shape;
      const int i = held.kind == Handle::Kind::middle ? held.index + 1 : held.index;
      if (held.kind == Handle::Kind::middle) shape.insert(i, p);
      const auto n = static_cast<int>(shape.size());
      const bool closed = entity.table == "halls" || entity.table == "zones";
      const bool has_before = closed || i > 0, has_after = closed || i + 1 < n;
      const QPointF before = shape[(i + n - 1) % n], after = shape[(i + 1) % n];
      if (m & Qt::ShiftModifier) {
        // Right angles: on the axes of its neighbours.
        const QPointF beside = has_before ? before : after;
        (std::abs(p.x() - beside.x()) < std::abs(p.y() - beside.y()) ? p.rx() : p.ry()) =
            std::abs(p.x() - beside.x()) < std::abs(p.y() - beside.y()) ? beside.x() : beside.y();
      }
      shape[i] = p;
      QStringList sides;
      for (const auto& [present, other] : {std::pair{has_before, before}, std::pair{has_after, after}})
        if (present) sides << exact_length_text(std::hypot(p.x() - other.x(), p.y() - other.y()));
      held_words = sides.join(QStringLiteral(" · "));
      held_edit = points_edit(design, entity, shape.translated(-origin_of(entity)));
    }
  }
  hint(held_words);
  preview(*held_edit);
  redraw();
}

QPointF PlanView::Private::origin_of(const EntityRef& e) const {
  if (e.table == "halls") return model.origin(e.id);
  const PlanObject* o = model.find(e);
  return o ? model.origin(o->hall) : QPointF();
}

void PlanView::Private::finish_handle() {
  gesture = Gesture::none;
  snap = {};
  held_words.clear();
  const bool changes = held_edit && !held_edit->label.empty();
  end_preview(!changes);
  if (changes) Q_EMIT view.editRequested(*held_edit, false);
  held_edit.reset();
  tool_hint();
  redraw();
}

bool PlanView::Private::remove_corner(int index) {
  if (selected.size() != 1 || index < 0) return false;
  const EntityRef entity = selected.front();
  QPolygonF shape = shape_of(model, entity);
  if (index >= shape.size()) return false;
  const bool closed = entity.table == "halls" || entity.table == "zones";
  if (shape.size() <= (closed ? 3 : 2)) {
    hint(closed ? PlanView::tr("Three corners are the fewest that enclose a floor.")
                : PlanView::tr("A run needs at least two points."));
    return true;
  }
  shape.remove(index);
  active_corner = -1;
  Q_EMIT view.editRequested(points_edit(design, entity, shape.translated(-origin_of(entity))), false);
  return true;
}

void PlanView::Private::guide_to(const QPointF& q, Qt::KeyboardModifiers m) {
  guide_at = guide_upright ? q.x() : q.y();
  QString words;
  if (snapping && !suspended(m)) guide_at = snap_guide(model, q, guide_upright, settings_at(q), &words);
  snap = {};
  (guide_upright ? snap.x_words : snap.y_words) = words;
  const HallShape* h = model.hall_at(q);
  const QPointF origin = h ? h->offset : model.halls().empty() ? QPointF() : model.halls().front().offset;
  guide_words = exact_length_text(guide_at - (guide_upright ? origin.x() : origin.y()));
  const bool back = over_ruler(view.viewportTransform().map(q).toPoint());
  if (back) guide_words = gesture == Gesture::guide ? PlanView::tr("remove") : PlanView::tr("no guide");
  hint(words.isEmpty() ? guide_words : QStringLiteral("%1 · %2").arg(guide_words, words));
  redraw();
}

void PlanView::Private::finish_guide(const QPoint& at) {
  const bool fresh = gesture == Gesture::new_guide;
  gesture = Gesture::none;
  snap = {};
  const HallShape* h = nullptr;
  if (fresh) {
    h = model.hall_at(cursor);
    if (!h && !model.halls().empty()) h = &model.halls().front();
  }
  if (over_ruler(at)) {
    if (!fresh) Q_EMIT view.editRequested(remove_guide_edit(held_guide), false);
  } else if (fresh) {
    const QPointF origin = h ? h->offset : QPointF();
    Q_EMIT view.editRequested(
        guide_edit(h ? h->id : 0, guide_upright, guide_at - (guide_upright ? origin.x() : origin.y())), true);
  } else if (const GuideLine* g = model.guide(held_guide)) {
    const QPointF origin = model.origin(g->hall);
    Q_EMIT view.editRequested(move_guide_edit(held_guide, guide_at - (guide_upright ? origin.x() : origin.y())), false);
  }
  tool_hint();
  update_cursor();
  redraw();
}

void PlanView::Private::tell_cursor(const QPointF& q) {
  const HallShape* h = model.hall_at(q);
  const QPointF own = h ? q - h->offset : model.halls().size() == 1 ? q - model.halls().front().offset : q;
  Q_EMIT view.cursorMoved(own.x(), own.y(), snap.words());
}

void PlanView::Private::preview(Edit edit) {
  pending = std::move(edit);
  if (!since_preview.isValid() || since_preview.elapsed() >= preview_interval)
    flush_preview();
  else if (!preview_timer.isActive())
    preview_timer.start(preview_interval - static_cast<int>(since_preview.elapsed()));
}

void PlanView::Private::flush_preview() {
  preview_timer.stop();
  if (!pending) return;
  const Edit edit = std::move(*pending);
  pending.reset();
  since_preview.start();
  previewed = true;
  Q_EMIT view.previewRequested(edit);
}

void PlanView::Private::end_preview(bool cancelled) {
  preview_timer.stop();
  pending.reset();
  if (cancelled && previewed) Q_EMIT view.previewCancelled();
  previewed = false;
}

void PlanView::Private::begin_drag() {
  moving = movable_selection();
  if (moving.empty()) {
    gesture = Gesture::none;
    hint(PlanView::tr("What is selected is locked. Unlock it in the inspector or in its layer."));
    return;
  }
  gesture = Gesture::drag;
  moving_ids.clear();
  moving_centers.clear();
  ghosts.clear();
  const auto outdoors = [&](const EntityRef& e) {
    if (const auto* u = e.table == "cooling_units" ? hallwright::find(*design.cooling_units, e.id) : nullptr)
      return may_stand_outdoors(u->kind);
    if (const auto* u = e.table == "power_units" ? hallwright::find(*design.power_units, e.id) : nullptr)
      return may_stand_outdoors(u->kind);
    return false;
  };
  moving_outdoors.clear();
  moving_box = {};
  moved = {};
  move_typed[0].clear(), move_typed[1].clear();
  for (const EntityRef& e : moving) {
    moving_ids.insert(e.id);
    const PlanObject* o = model.find(e);
    if (!o) continue;
    moving_box = moving_box.united(o->box());
    moving_centers.emplace_back(e, o->center());
    if (outdoors(e)) moving_outdoors[e] = o->hall;
    if (ghosts.size() < 3000) ghosts.push_back(o->box());
  }
  view.viewport()->setCursor(Qt::SizeAllCursor);
}

Edit PlanView::Private::drag_edit() const {
  if (moving.size() == 1 && moving.front().table == "dimensions") {
    // A dimension stays where it measures; its line moves.
    const Dimension* d = hallwright::find(*design.dimensions, moving.front().id);
    const PlanObject* o = model.find(moving.front());
    const double offset = d && o ? dimension_offset(*d, model.dimension(*o)) : 0;
    return {PlanView::tr("Move dimension").toStdString(),
            [ref = moving.front(), offset](const Design& design) -> Edited {
              return set_field(design, ref, "offset", FieldValue(offset / 1000.0));
            }};
  }
  std::vector<std::pair<EntityRef, Id>> new_halls;
  if (hall == 0)
    for (const auto& [e, center] : moving_centers) {
      if (const auto was = moving_outdoors.find(e); was != moving_outdoors.end()) {
        // Out of its hall it stands on the site, and in a hall again.
        const HallShape* to = model.hall_at(center + moved);
        const Id now = to ? to->id : 0;
        if (now != was->second && model.origin(now) == model.origin(was->second)) new_halls.emplace_back(e, now);
        continue;
      }
      const HallShape* to = model.hall_at(center + moved);
      const HallShape* from = model.hall_at(center);
      if (to && from && to != from && to->offset == from->offset) new_halls.emplace_back(e, to->id);
    }
  Edit edit = move_edit(moving, moved.x(), moved.y(), new_halls);
  edit.label = PlanView::tr("Move %1").arg(naming(design, moving)).toStdString();
  return edit;
}

double PlanView::Private::dimension_offset(const Dimension& d, const DimensionLine& line) const {
  const QPointF at = cursor + QPointF(snap.dx, snap.dy);
  if (d.direction == DimensionDirection::along_x) return tidy(at.y() - line.start.y());
  if (d.direction == DimensionDirection::along_y) return tidy(line.start.x() - at.x());
  const QPointF u =
      (line.end - line.start) / std::max(1e-9, std::hypot((line.end - line.start).x(), (line.end - line.start).y()));
  return tidy(QPointF::dotProduct(at - line.start, QPointF(-u.y(), u.x())));
}

void PlanView::Private::drag_to(const QPointF& q, Qt::KeyboardModifiers m) {
  if (moving.size() == 1 && moving.front().table == "dimensions") {
    snap = {};
    if (snapping && !suspended(m)) {
      SnapSettings s = settings_at(q);
      s.visible[at(PlanLayer::dimensions)] = false; // its own line
      snap = snap_point(model, q, s);
    }
    cursor = q;
    moved = q - press;
    preview(drag_edit());
    redraw();
    return;
  }
  QPointF d = q - press;
  if (move_is_typed()) {
    snap = {};
    d = typed_move().value_or(QPointF());
  } else if (snapping && !suspended(m)) {
    // Near either axis of the press a move stays on that axis with Shift.
    if (m & Qt::ShiftModifier) (std::abs(d.x()) > std::abs(d.y()) ? d.ry() : d.rx()) = 0;
    snap = snap_box(model, moving_box.translated(d), moving_ids, settings_at(moving_box.translated(d).center()));
    if (m & Qt::ShiftModifier) (std::abs(d.x()) > std::abs(d.y()) ? snap.dy : snap.dx) = 0;
    d += QPointF(snap.dx, snap.dy);
  } else {
    snap = {};
  }
  d = QPointF(std::round(d.x() * 10) / 10, std::round(d.y() * 10) / 10); // a tenth of a millimetre
  if (d != moved) {
    moved = d;
    preview(drag_edit());
  }
  redraw();
}

std::optional<QPointF> PlanView::Private::typed_move(QString* problem) const {
  double out[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    if (move_typed[i].isEmpty()) continue;
    const auto length = read_length(move_typed[i], problem);
    if (!length) return std::nullopt;
    out[i] = *length * move_sign[i];
  }
  return QPointF(out[0], out[1]);
}

bool PlanView::Private::typing_wants(const QKeyEvent* event) const {
  const bool moves = gesture == Gesture::drag || gesture == Gesture::press_on_thing;
  if (gesture != Gesture::row && !moves) return false;
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  const QString text = event->text();
  if (text.size() != 1 || !text.at(0).isPrint()) return false;
  const QChar c = text.at(0);
  if (c >= QLatin1Char('0') && c <= QLatin1Char('9')) return true;
  if (!moves) return false;
  return move_is_typed() || c == QLatin1Char('.') || c == QLatin1Char(',') || c == QLatin1Char('-');
}

bool PlanView::Private::move_key(QKeyEvent* event) {
  if (gesture == Gesture::drag && moving.size() == 1 && moving.front().table == "dimensions") return false;
  switch (event->key()) {
  case Qt::Key_Return:
  case Qt::Key_Enter: {
    QString problem;
    if (!move_is_typed()) return false;
    if (typed_move(&problem))
      finish_drag({});
    else
      hint(problem);
    redraw();
    return true;
  }
  case Qt::Key_Tab:
  case Qt::Key_Backtab:
    if (!move_is_typed()) return false;
    move_axis = 1 - move_axis;
    redraw();
    return true;
  case Qt::Key_Backspace:
    if (!move_is_typed()) return false;
    move_typed[move_axis].chop(1);
    break;
  default:
    if (!typing_wants(event)) return false;
    if (gesture == Gesture::press_on_thing) begin_drag();
    if (gesture != Gesture::drag) return true; // what is selected is locked
    if (!move_is_typed()) {
      const QPointF way = cursor - press;
      move_axis = std::abs(way.y()) > std::abs(way.x()) ? 1 : 0;
      move_sign[0] = way.x() < 0 ? -1 : 1;
      move_sign[1] = way.y() < 0 ? -1 : 1;
    }
    move_typed[move_axis] += event->text();
    break;
  }
  drag_to(cursor, {});
  hint(move_is_typed() ? PlanView::tr("Moves by exactly this, the way that it was dragged; a minus turns it round. "
                                      "Tab: the other axis, Enter or release: done.")
                       : QString());
  return true;
}

void PlanView::Private::finish_drag(Qt::KeyboardModifiers m) {
  drag_to(cursor, m);
  gesture = Gesture::none;
  QString problem;
  if (move_is_typed() && !typed_move(&problem)) moved = {};
  const bool changes = !moved.isNull();
  const Edit edit = drag_edit();
  snap = {};
  moved = {};
  ghosts.clear();
  move_typed[0].clear(), move_typed[1].clear();
  end_preview(!changes);
  update_cursor();
  tool_hint();
  if (!problem.isEmpty()) hint(problem);
  if (changes) Q_EMIT view.editRequested(edit, false);
}

void PlanView::Private::write_note(Id id) {
  const EntityRef ref{"notes", id};
  const Note* note = hallwright::find(*design.notes, id);
  const PlanObject* o = model.find(ref);
  if (!note || !o) return;
  delete note_field;
  auto* field = new QLineEdit(QString::fromStdString(note->text), view.viewport());
  note_field = field;
  field->setObjectName(QStringLiteral("note_field"));
  field->setProperty("note", static_cast<qlonglong>(id));
  field->setProperty("was", QString::fromStdString(note->text));
  field->setAccessibleName(note->kind == NoteKind::label ? PlanView::tr("Text of the label")
                                                         : PlanView::tr("Text of the note"));
  field->setToolTip(PlanView::tr("Enter keeps the text, Esc leaves it as it was"));
  field->selectAll();
  const QRect sight = view.viewport()->rect();
  const QPoint corner = view.viewportTransform().map(o->box().topLeft()).toPoint();
  field->resize(std::min(sight.width() / 2, field->fontMetrics().averageCharWidth() * 32), field->sizeHint().height());
  field->move(std::clamp(corner.x(), ruler_side, std::max(ruler_side, sight.right() - field->width())),
              std::clamp(corner.y(), ruler_side, std::max(ruler_side, sight.bottom() - field->height())));
  QObject::connect(field, &QLineEdit::editingFinished, &view, [this, field] {
    if (note_field == field) close_note(true);
  });
  field->installEventFilter(&view);
  qApp->installEventFilter(&view); // a press anywhere else closes it, whoever has the keys
  field->show();
  field->setFocus(Qt::OtherFocusReason);
}

void PlanView::Private::close_note(bool keep) {
  QLineEdit* field = note_field;
  if (!field) return;
  note_field = nullptr; // closing it takes the focus, which would finish it again
  qApp->removeEventFilter(&view);
  const EntityRef ref{"notes", field->property("note").toLongLong()};
  const bool had_focus = field->hasFocus();
  const QString words = field->text().trimmed();
  field->hide();
  field->deleteLater();
  if (had_focus) view.setFocus(Qt::OtherFocusReason);
  if (!keep) return;
  const Note* now = hallwright::find(*design.notes, ref.id);
  if (!now || words.isEmpty() || words.toStdString() == now->text) return;
  const bool label = now->kind == NoteKind::label;
  Q_EMIT view.editRequested({(label ? PlanView::tr("Write label") : PlanView::tr("Write note")).toStdString(),
                             [ref, text = words.toStdString()](const Design& d) -> Edited {
                               return set_field(d, ref, "text", FieldValue(text));
                             }},
                            false);
}

/// What is being written ends where its note is gone, or has got other words elsewhere.
void PlanView::Private::end_stale_note() {
  QLineEdit* field = note_field;
  if (!field) return;
  const Note* now = hallwright::find(*design.notes, static_cast<Id>(field->property("note").toLongLong()));
  if (now && QString::fromStdString(now->text) == field->property("was").toString()) return;
  note_field = nullptr;
  const bool had_focus = field->hasFocus();
  field->hide();
  field->deleteLater();
  if (had_focus) view.setFocus(Qt::OtherFocusReason);
}

void PlanView::Private::update_row(const QPointF& q, Qt::KeyboardModifiers m) {
  row_plan.reset();
  row_count = 0;
  const auto type = row_rack();
  if (!type) {
    hint(PlanView::tr("Choose a rack above first."));
    return;
  }
  const HallShape* h = model.hall_at(press);
  if (!h) {
    hint(PlanView::tr("Start the row inside a hall."));
    return;
  }
  static const Catalog none;
  const Footprint f = rack_footprint(catalog ? *catalog : none, *type);
  const double width = in_millimeters(f.width), depth = in_millimeters(f.depth);
  const double pitch = row_settings.pitch_mm > 0 ? row_settings.pitch_mm : width;
  QPointF from = press;
  if (snapping && !suspended(m)) {
    const Snap s = snap_point(model, press, settings_at(press));
    from += QPointF(s.dx, s.dy);
  }
  QPointF d = q - from;
  if (const QPointF went = (q - press) * scale();
      std::abs(went.x()) + std::abs(went.y()) < QApplication::startDragDistance()) {
    if (row_typed.isEmpty()) { // a press is not yet a row
      end_preview(true);
      tool_hint();
      return;
    }
    d = {1, 0};
  }
  row_down = std::abs(d.y()) > std::abs(d.x());
  const double reach = row_down ? d.y() : d.x();
  const Count fits = static_cast<Count>(std::llround(std::abs(reach) / pitch));
  row_count = std::clamp<Count>(row_typed.isEmpty() ? fits : row_typed.toLongLong(), 1, 2000);
  if (row_count * std::max<Count>(1, row_settings.rows) > most_racks_at_once) {
    const auto n = [](Count c) { return screen_number(static_cast<qlonglong>(c)); };
    hint(PlanView::tr("%1 racks are too many; at most %2 are drawn at once. Choose fewer rows or a shorter one.")
             .arg(n(row_count * row_settings.rows), n(most_racks_at_once)));
    row_words.clear();
    end_preview(true);
    return;
  }
  if (reach < 0) (row_down ? from.ry() : from.rx()) -= pitch * static_cast<double>(row_count);
  RowPlan plan;
  plan.hall = h->id, plan.rack_type = type->id;
  plan.x = millimeters(from.x() - h->offset.x()), plan.y = millimeters(from.y() - h->offset.y());
  plan.racks_per_row = row_count, plan.rows = std::max<Count>(1, row_settings.rows);
  plan.pitch = millimeters(pitch), plan.row_depth = millimeters(depth);
  plan.cold_aisle = millimeters(row_settings.cold_aisle_mm), plan.hot_aisle = millimeters(row_settings.hot_aisle_mm);
  plan.first_row_name = row_settings.first_row_name.toStdString();
  plan.first_number = row_settings.first_number;
  plan.feed_a = row_settings.feed_a, plan.feed_b = row_settings.feed_b, plan.loop = row_settings.loop;
  const double along = pitch * static_cast<double>(row_count - 1) + width;
  double across = 0;
  for (Count r = 0; r < plan.rows; ++r)
    across += depth + (r + 1 == plan.rows ? 0 : r % 2 == 0 ? row_settings.hot_aisle_mm : row_settings.cold_aisle_mm);
  row_band = row_down ? QRectF(from, QSizeF(across, along)) : QRectF(from, QSizeF(along, across));
  row_plan = plan;
  const Count racks = row_count * plan.rows;
  const QString each = length_text(row_down ? row_band.height() : row_band.width(), 2);
  const QString racks_words = racks == 1
                                  ? PlanView::tr("1 rack")
                                  : PlanView::tr("%1 racks").arg(screen_number(static_cast<qlonglong>(racks)));
  row_lines = plan.rows > 1 ? PlanView::tr("%1 in %2 rows · %3").arg(racks_words).arg(plan.rows).arg(each)
                            : QStringLiteral("%1 · %2").arg(racks_words, each);
  tell_row();
  preview(row_edit(plan, row_down, row_settings.count_back, width, depth,
                   plan.rack_type || !catalog ? CatalogRack{} : catalog_rack(type->rack_part, *catalog)));
}

void PlanView::Private::tell_row() {
  row_words = row_lines;
  if (const QString power = row_power(); !power.isEmpty()) row_words += QStringLiteral(" · ") + power;
  hint(row_words);
}

QString PlanView::Private::row_power() const {
  if (!evaluation || !row_plan) return {};
  const Table* table = evaluation->figures.table("load.racks");
  const TableColumn* column = table ? table->column("power") : nullptr;
  if (!column || !column->kind) return {};
  double sum = 0;
  Count racks = 0;
  for (auto it = std::lower_bound(table->entities.begin(), table->entities.end(), row_first_id);
       it != table->entities.end(); ++it) {
    const auto i = static_cast<std::size_t>(it - table->entities.begin());
    if (i >= column->numbers.size() || !std::isfinite(column->numbers[i])) return {};
    sum += column->numbers[i];
    ++racks;
  }
  // Of an older preview, with another number of racks: for each of them.
  if (racks == 0) return {};
  return screen_text(sum / static_cast<double>(racks) * static_cast<double>(row_count * row_plan->rows), *column->kind,
                     3, column->unit);
}

bool PlanView::Private::row_key(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (!row_plan) return false;
    finish_row();
    return true;
  case Qt::Key_Backspace:
    row_typed.chop(1);
    break;
  default:
    if (!typing_wants(event)) return false;
    if (row_typed.size() < 4) row_typed += event->text();
    break;
  }
  update_row(cursor, {});
  redraw();
  return true;
}

void PlanView::Private::finish_row() {
  gesture = Gesture::none;
  row_anchored = false;
  row_typed.clear();
  if (!row_plan) {
    end_preview(true);
    tool_hint();
    redraw();
    return;
  }
  const auto type = row_rack();
  static const Catalog none;
  const Footprint f = type ? rack_footprint(catalog ? *catalog : none, *type) : Footprint{};
  const bool of_part = type && row_plan->rack_type == 0;
  const Edit edit =
      row_edit(*row_plan, row_down, row_settings.count_back, in_millimeters(f.width), in_millimeters(f.depth),
               of_part && catalog ? catalog_rack(type->rack_part, *catalog) : CatalogRack{});
  row_plan.reset();
  end_preview(false);
  Q_EMIT view.editRequested(edit, true);
  tool_hint();
  redraw();
}

void PlanView::Private::update_place(const QPointF& q, Qt::KeyboardModifiers m) {
  if (!placed) return;
  const bool across = placed_turns % 2;
  const QSizeF size(across ? placed->depth : placed->width, across ? placed->width : placed->depth);
  place_box = QRectF(q - QPointF(size.width() / 2, size.height() / 2), size);
  snap = {};
  if (snapping && !suspended(m)) {
    SnapSettings s = settings_at(q);
    s.reach_mm *= 1.6; // placing beside a neighbour is what is wanted most
    snap = snap_box(model, place_box, {}, s);
    place_box.translate(snap.dx, snap.dy);
  }
  place_known = true;
  redraw();
}

Id PlanView::Private::row_beside(const QRectF& box) const {
  Id row = 0;
  const auto& racks = model.objects(PlanLayer::racks);
  model.index(PlanLayer::racks).visit(box.adjusted(-50, -50, 50, 50), [&](std::uint32_t i) {
    const PlanObject& o = racks[i];
    if (o.turns != placed_turns || !o.group) return;
    const bool in_line = o.turns % 2 == 0 ? std::abs(o.y0 - box.top()) < 20 : std::abs(o.x0 - box.left()) < 20;
    if (in_line && o.box().adjusted(-30, -30, 30, 30).intersects(box) && (row == 0 || o.group < row)) row = o.group;
  });
  return row;
}

/// Outside of the halls what may stand there is put on the site, where the plan shows it.
bool PlanView::Private::goes_outdoors() const {
  return placed && placed->outdoors && hall == 0 && !model.hall_at(place_box.center());
}

QString PlanView::Private::nowhere() const {
  if (placed && placed->outdoors) return PlanView::tr("Drop it inside the hall, or show all halls and drop it outside");
  return PlanView::tr("Drop it inside a hall");
}

bool PlanView::Private::commit_place() {
  if (!placed || !place_known) return false;
  const HallShape* h = model.hall_at(place_box.center());
  if (!h && !goes_outdoors()) {
    hint(nowhere());
    return false;
  }
  Place place;
  place.hall = h ? h->id : 0;
  const QPointF origin = h ? h->offset : QPointF();
  place.x = place_box.left() - origin.x(), place.y = place_box.top() - origin.y();
  place.turns = placed_turns;
  if (placed->layer == PlanLayer::racks) place.row = row_beside(place_box);
  Q_EMIT view.editRequested(place_edit(*placed, place), true);
  return true;
}

bool PlanView::Private::holds() const {
  return gesture != Gesture::none || drawing.under_way() || measured.size() == 1;
}

bool PlanView::Private::cancel() {
  const bool busy = gesture != Gesture::none;
  const bool had_preview = previewed || pending;
  gesture = Gesture::none;
  row_plan.reset();
  row_anchored = false;
  row_typed.clear();
  forget_along();
  move_typed[0].clear(), move_typed[1].clear();
  band_hits.clear();
  snap = {};
  moved = {};
  end_preview(true);
  held_edit.reset();
  held_words.clear();
  const bool had_points = drawing.cancel() || measured.size() == 1;
  if (measured.size() == 1) measured.clear();
  update_cursor();
  redraw();
  return busy || had_preview || had_points;
}

void PlanView::Private::give_up() {
  bool any = false;
  while (cancel()) any = true; // a typed length first, then what it belongs to
  space = false;
  if (!any) return;
  update_cursor();
  tool_hint();
}

void PlanView::Private::update_cursor() {
  if (gesture == Gesture::pan)
    view.viewport()->setCursor(Qt::ClosedHandCursor);
  else if (gesture == Gesture::guide || gesture == Gesture::new_guide)
    view.viewport()->setCursor(guide_upright ? Qt::SplitHCursor : Qt::SplitVCursor);
  else if (space || tool == PlanTool::pan)
    view.viewport()->setCursor(Qt::OpenHandCursor);
  else if (tool != PlanTool::select)
    view.viewport()->setCursor(Qt::CrossCursor);
  else
    view.viewport()->setCursor(Qt::ArrowCursor);
}

void PlanView::Private::show_at(double s, const QPointF& scene_point, const QPointF& view_point) {
  s = std::clamp(s, least_scale, most_scale);
  if (s != scale()) view.setTransform(QTransform::fromScale(s, s));
  const QPointF now = view.viewportTransform().map(scene_point);
  view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->value() +
                                       static_cast<int>(std::lround(now.x() - view_point.x())));
  view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() +
                                     static_cast<int>(std::lround(now.y() - view_point.y())));
  redraw();
  Q_EMIT view.scaleChanged(view.scalePercent());
}

void PlanView::Private::show_rect(const QRectF& r, double margin_left, double margin_top, double margin_right,
                                  double margin_bottom, double largest_scale) {
  const QSizeF room(std::max(50.0, view.viewport()->width() - margin_left - margin_right),
                    std::max(50.0, view.viewport()->height() - margin_top - margin_bottom));
  const double s =
      std::min({room.width() / std::max(1.0, r.width()), room.height() / std::max(1.0, r.height()), largest_scale});
  show_at(s, r.center(), QPointF(margin_left + room.width() / 2, margin_top + room.height() / 2));
}

PlanView::Private::Sight PlanView::Private::sight() const {
  const QPointF middle = QRectF(view.viewport()->rect()).center();
  return {scale(), view.viewportTransform().inverted().map(middle)};
}

void PlanView::Private::keep_sight(bool goes_on) {
  constexpr qint64 pause = 800; // ms
  constexpr std::size_t most = 50;
  const bool same_step = goes_on && since_turn.isValid() && since_turn.elapsed() < pause;
  if (goes_on) since_turn.restart();
  else since_turn.invalidate();
  if (same_step) return;
  const Sight now = sight();
  const auto near = [&](const Sight& s) {
    return std::abs(s.scale - now.scale) < 1e-9 && (s.middle - now.middle).manhattanLength() * now.scale < 2;
  };
  if (earlier.empty() || !near(earlier.back())) earlier.push_back(now);
  if (earlier.size() > most) earlier.erase(earlier.begin());
  later.clear();
}

void PlanView::Private::go_to_sight(std::vector<Sight>& from, std::vector<Sight>& to, const QString& none) {
  if (from.empty()) {
    hint(none);
    return;
  }
  to.push_back(sight());
  const Sight s = from.back();
  from.pop_back();
  touched = true;
  since_turn.invalidate();
  show_at(s.scale, s.middle, QRectF(view.viewport()->rect()).center());
}

void PlanView::Private::fit() {
  QRectF extent = model.extent();
  if (visible[at(PlanLayer::underlay)]) extent = extent.united(underlays_extent(model));
  if (extent.isNull()) {
    show_rect(QRectF(0, 0, 30000, 18000), ruler_side + 40, ruler_side + 40, 40, 40, 0.2);
    return;
  }
  // Room for row names and dimensions. The legend, with all it may hold, stands at the right above: where it would cover
  // the hall, that moves down or to the left, whichever leaves it larger.
  constexpr double left = ruler_side + 44, top = ruler_side + 34, right = 70, foot = 52, largest = 0.2;
  double legend_width = 200;
  // With the temperatures of pipes in a line of their own.
  double legend_height = overlay == Overlay::flow_share || overlay == Overlay::return_temperature ? 122 : 96;
  if (values.overlay == overlay && overlay != Overlay::none) {
    Canvas measure;
    measure.base_font = view.font();
    const QSizeF card = paint_legend(measure, values, {0, 0}).size();
    legend_height = std::max(legend_height, card.height());
    legend_width = std::max(legend_width, card.width() + 12);
  }
  const double width = view.viewport()->width(), height = view.viewport()->height();
  const auto scale_in = [&](double l, double t, double r, double f) {
    return std::min({std::max(50.0, width - l - r) / std::max(1.0, extent.width()),
                     std::max(50.0, height - t - f) / std::max(1.0, extent.height()), largest});
  };
  double used_top = top, used_right = right;
  if (overlay != Overlay::none) {
    const double s = scale_in(left, top, right, foot);
    const QPointF middle((left + width - right) / 2, (top + height - foot) / 2);
    const QRectF shown(middle.x() - extent.width() * s / 2, middle.y() - extent.height() * s / 2, extent.width() * s,
                       extent.height() * s);
    if (shown.intersects(QRectF(width - 12 - legend_width, 0, legend_width + 12, ruler_side + 10 + legend_height))) {
      const double below = ruler_side + 10 + legend_height, beside = legend_width + 24;
      if (scale_in(left, below, right, foot) >= scale_in(left, top, beside, foot)) used_top = below;
      else used_right = beside;
    }
  }
  show_rect(extent, left, used_top, used_right, foot, largest);
  touched = false;
}

void PlanView::Private::pan_by(const QPoint& d) {
  touched = true;
  view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->value() - d.x());
  view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() - d.y());
  redraw();
}

} // namespace hallwright
