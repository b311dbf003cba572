// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/plan_selection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <QObject>

#include "design/names.h"
#include "space/footprints.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_model.h"

namespace hallwright {

std::vector<EntityRef> on_plan(const std::vector<EntityRef>& selection) {
  static constexpr std::array tables{"racks", "power_units", "cooling_units", "structures",
                                     "notes", "zones",       "containments",  "trays",
                                     "pipes", "dimensions",  "guides",        "underlays"};
  std::vector<EntityRef> out;
  for (const EntityRef& e : selection)
    if (std::find(tables.begin(), tables.end(), e.table) != tables.end()) out.push_back(e);
  return out;
}

std::string things(std::size_t n) { return n == 1 ? "1 thing" : std::to_string(n) + " things"; }

namespace {

/// What a reference or part reads as.
QString words_of(const Design& design, const FieldInfo& field, const FieldValue& value) {
  if (const auto* id = std::get_if<std::int64_t>(&value); id && field.type == FieldType::reference) {
    if (*id == 0) return {};
    const std::string table = field.target == any_table ? table_of(design, *id) : std::string(field.target);
    return to_qstring(entity_name(design, {table, *id}));
  }
  if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? QObject::tr("yes") : QObject::tr("no");
  return to_qstring(field_text(field, value, screen_decimal_mark()));
}

bool unset(const FieldInfo& field, const FieldValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return true;
  if (field.type == FieldType::reference) return std::get<std::int64_t>(value) == 0;
  if (const auto* text = std::get_if<std::string>(&value)) return text->empty();
  return false;
}

std::optional<double> number_of(const FieldValue& value) {
  if (const auto* d = std::get_if<double>(&value)) return *d;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  return std::nullopt;
}

} // namespace

std::vector<EntityRef> matching(const Design& design, const std::string& table, const FieldInfo& field,
                                Comparison comparison, const QString& value, QString* problem) {
  std::vector<EntityRef> out;
  const bool counts = field.type == FieldType::number || field.type == FieldType::count;
  const bool amount = counts && comparison != Comparison::contains && comparison != Comparison::not_set;
  double wanted = 0;
  if (amount) {
    const auto parsed = field.kind ? parse_quantity(value.toStdString(), *field.kind, screen_decimal_mark(), field.unit)
                                   : parse_quantity(value.toStdString(), kind::count, screen_decimal_mark());
    if (!parsed) {
      if (problem) *problem = QString::fromStdString(parsed.error());
      return out;
    }
    wanted = *parsed;
  } else if (comparison == Comparison::more || comparison == Comparison::less) {
    if (problem)
      *problem = QObject::tr("%1 is no amount; compare it with is, is not or contains").arg(to_qstring(field.label));
    return out;
  }
  const QString words = value.trimmed();
  for (Id id : entity_ids(design, table)) {
    const EntityRef e{table, id};
    const auto present = get_field(design, e, field.name);
    if (!present) continue;
    bool fits = false;
    if (comparison == Comparison::not_set) {
      fits = unset(field, *present);
    } else if (amount) {
      const auto number = number_of(*present);
      if (!number) { // what is not set is no amount
        if (comparison == Comparison::is_not) out.push_back(e);
        continue;
      }
      const double slack = 1e-9 * std::max({1e-6, std::abs(*number), std::abs(wanted)});
      switch (comparison) {
      case Comparison::is:
        fits = std::abs(*number - wanted) <= slack;
        break;
      case Comparison::is_not:
        fits = std::abs(*number - wanted) > slack;
        break;
      case Comparison::more:
        fits = *number > wanted + slack;
        break;
      default:
        fits = *number < wanted - slack;
        break;
      }
    } else {
      const QString has = words_of(design, field, *present);
      const bool equal = has.compare(words, Qt::CaseInsensitive) == 0;
      fits = comparison == Comparison::is       ? equal
             : comparison == Comparison::is_not ? !equal
                                                : !words.isEmpty() && has.contains(words, Qt::CaseInsensitive);
    }
    if (fits) out.push_back(e);
  }
  return out;
}

SelectedValves selected_valves(const Design& design, const std::vector<EntityRef>& selection) {
  SelectedValves out;
  for (const EntityRef& e : selection) {
    if (const Pipe* p = e.table == "pipes" ? find(*design.pipes, e.id) : nullptr) {
      out.pipes.push_back(p->id);
      out.shut += p->valve_open <= 0.0;
    }
    if (const Rack* r = e.table == "racks" ? find(*design.racks, e.id) : nullptr; r && r->loop != 0) {
      out.racks.push_back(r->id);
      out.shut += r->coolant_valve <= 0.0;
    }
  }
  return out;
}

Edit valves_edit(const Design& design, const SelectedValves& valves, bool open) {
  std::string what = std::to_string(valves.count()) + " valves";
  if (valves.count() == 1)
    what = "the valve of " + entity_name(design, valves.pipes.empty() ? EntityRef{"racks", valves.racks.front()}
                                                                      : EntityRef{"pipes", valves.pipes.front()});
  Edit edit;
  edit.label = (open ? "Open " : "Shut ") + what;
  edit.apply = [valves, open](const Design& d) -> Edited {
    const FieldValue share(open ? 1.0 : 0.0);
    Edited out = d;
    if (!valves.pipes.empty()) out = set_field_of_all(*out, "pipes", valves.pipes, "valve_open", share);
    if (out && !valves.racks.empty()) out = set_field_of_all(*out, "racks", valves.racks, "coolant_valve", share);
    return out;
  };
  return edit;
}

std::vector<EntityRef> same_type(const Design& design, const std::vector<EntityRef>& selection) {
  // What makes two things of one type: the first of these fields that the table has and that says something.
  static constexpr std::array<std::string_view, 4> telling{"rack_type", "part", "kind", "side"};
  const auto type_of = [&](const EntityRef& e) -> std::string {
    for (std::string_view name : telling)
      for (const FieldInfo& f : table_fields(e.table))
        if (f.name == name)
          if (const auto v = get_field(design, e, name); v && !unset(f, *v))
            return std::string(name) + "=" + exact_field_text(f, *v);
    return {};
  };
  std::set<std::pair<std::string, std::string>> wanted;
  for (const EntityRef& e : on_plan(selection))
    wanted.insert({e.table, type_of(e)});
  std::set<std::string> tables;
  for (const auto& [table, type] : wanted)
    tables.insert(table);
  std::vector<EntityRef> out;
  for (const std::string& table : tables)
    for (Id id : entity_ids(design, table))
      if (const EntityRef e{table, id}; wanted.count({table, type_of(e)})) out.push_back(e);
  return out;
}

namespace {

/// Whether a rack stands in a row that runs down the plan.
bool in_upright_row(const Rack& r) {
  const double front = std::fmod(std::fmod(in_degrees(r.rotation), 180.0) + 180.0, 180.0);
  return front > 45.0 && front < 135.0;
}

std::vector<Id> racks_of(const std::vector<EntityRef>& what) {
  std::vector<Id> out;
  for (const EntityRef& e : what)
    if (e.table == "racks") out.push_back(e.id);
  return out;
}

/// Copies of racks get rows of their own, one for each copy of a row: named by counting up, and their racks after them.
/// @param upright rows that run down the plan, else those that run across
Design in_new_rows(const Design& design, const std::vector<EntityRef>& what, const std::vector<EntityRef>& made,
                   bool upright) {
  std::vector<Id> originals = racks_of(what);
  const std::vector<Id> copies = racks_of(made); // copy by copy, each in the order of ids
  std::sort(originals.begin(), originals.end());
  originals.erase(std::unique(originals.begin(), originals.end()), originals.end());
  if (originals.empty() || copies.size() % originals.size() != 0) return design;
  FreeNames row_names, rack_names;
  for (const Row& row : *design.rows)
    row_names.take(row.name);
  const std::set<Id> fresh(copies.begin(), copies.end());
  for (const Rack& rack : *design.racks) {
    if (fresh.count(rack.id)) continue;
    rack_names.take(rack.name);
    if (const std::size_t dash = rack.name.rfind('-'); dash != std::string::npos)
      row_names.take(rack.name.substr(0, dash));
  }
  Design out = design;
  std::vector<Row> rows = *design.rows;
  std::vector<Rack> racks = *design.racks;
  std::map<Id, Id> new_rows; // of one copy
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (i % originals.size() == 0) new_rows.clear();
    const Rack* original = find(*design.racks, originals[i % originals.size()]);
    const Row* row = original ? find(*design.rows, original->row) : nullptr;
    Rack& rack = racks[static_cast<std::size_t>(find(racks, copies[i]) - racks.data())];
    if (row && in_upright_row(rack) == upright) {
      Id& id = new_rows[row->id];
      if (id == 0) {
        Row next = *row;
        next.id = id = out.next_id++;
        next.name = row_names.next(row->name);
        rows.push_back(std::move(next));
      }
      rack.row = id;
      if (!row->name.empty() && original->name.rfind(row->name + "-", 0) == 0)
        rack.name = find(rows, id)->name + original->name.substr(row->name.size());
    }
    if (rack_names.is_taken(rack.name)) rack.name = rack_names.next(rack.name);
    rack_names.take(rack.name);
  }
  out.rows = share(std::move(rows));
  out.racks = share(std::move(racks));
  return out;
}

} // namespace

Edit array_edit(const std::vector<EntityRef>& what, const ArrayPlan& plan, const Shared<Catalog>& catalog) {
  Edit edit;
  edit.label = "Array of " + things(what.size());
  edit.apply = [what, plan, catalog](const Design& design) -> Edited {
    if (plan.columns < 1 || plan.rows < 1) return tl::make_unexpected("Columns and rows: at least 1 of each");
    if (const double all = things_in_array(what.size(), plan); all > static_cast<double>(most_at_once))
      return tl::make_unexpected("An array of " + std::to_string(static_cast<long long>(all)) +
                                 " things is too large; at most " + std::to_string(most_at_once) +
                                 " are made at once, so choose fewer columns or rows");
    Design now = design;
    std::vector<EntityRef> first_row = what;
    if (plan.columns > 1) {
      auto made = array(now, what, {plan.columns, 1, millimeters(plan.pitch_x_mm), {}});
      if (!made) return tl::make_unexpected(made.error());
      now = in_new_rows(made->design, what, made->entities, true);
      const auto new_things = on_plan(made->entities);
      first_row.insert(first_row.end(), new_things.begin(), new_things.end());
    }
    if (plan.rows == 1) return now;
    const double both = plan.pitch_y_mm + plan.second_pitch_y_mm;
    if (plan.pitch_y_mm == 0 || (plan.rows > 2 && both == 0))
      return tl::make_unexpected(
          "Pitch top to bottom is 0 mm, so the rows would stand on top of each other; write another one");
    // The second row, then pairs of rows, then a single last one.
    auto second = duplicate(now, first_row, {}, millimeters(plan.pitch_y_mm));
    if (!second) return tl::make_unexpected(second.error());
    now = in_new_rows(second->design, first_row, second->entities, false);
    const std::vector<EntityRef> row = on_plan(second->entities);
    if (plan.mirror_rows) {
      const Catalog none;
      auto turned = mirror(now, row, MirrorAxis::top_to_bottom, footprint_sizes(now, catalog ? *catalog : none, row));
      if (!turned) return turned;
      now = *turned;
    }
    const Count pairs = plan.rows / 2;
    if (pairs > 1) {
      std::vector<EntityRef> pair = first_row;
      pair.insert(pair.end(), row.begin(), row.end());
      auto made = array(now, pair, {1, pairs, {}, millimeters(both)});
      if (!made) return tl::make_unexpected(made.error());
      now = in_new_rows(made->design, pair, made->entities, false);
    }
    if (plan.rows % 2 == 1) {
      auto made = duplicate(now, first_row, {}, millimeters(both * static_cast<double>(pairs)));
      if (!made) return tl::make_unexpected(made.error());
      now = in_new_rows(made->design, first_row, made->entities, false);
    }
    return now;
  };
  return edit;
}


// --- copies beside ---------------------------------------------------------------------------------------------------

namespace {

constexpr double step_apart = 600; // mm right and down, where nothing is free

/// What keeps others off its floor, or off its height.
bool stands(const Design& d, const EntityRef& e, PlanLayer layer, const plan::PlanObject& o) {
  if (layer == PlanLayer::racks || layer == PlanLayer::liquid) return true;
  if (layer == PlanLayer::power) return !find(*d.power_units, e.id)->elevation;
  const auto kind = static_cast<StructureKind>(o.word);
  return layer == PlanLayer::structure && kind != StructureKind::spreader;
}

/// Whether these racks are whole rows of a design, or a line of several that no row names. They may be copies that are
/// not part of it: then they stand on the racks that they were copied from, or those are gone.
bool whole_rows(const Design& standing, const Design& d, const std::vector<EntityRef>& what) {
  std::map<Id, std::vector<const Rack*>> taken;
  std::size_t racks = 0;
  for (const EntityRef& e : what)
    if (const Rack* r = e.table == "racks" ? find(*d.racks, e.id) : nullptr) taken[r->row].push_back(r), ++racks;
  if (racks < 2) return false;
  // A row may be drawn in several lines: one of them is enough.
  std::map<Id, std::size_t> all;
  const auto in_line = [&](const Rack& a, const Rack& b) {
    const double off = in_upright_row(a) ? in_millimeters(a.x) - in_millimeters(b.x)
                                         : in_millimeters(a.y) - in_millimeters(b.y);
    return a.hall == b.hall && std::abs(off) < 300;
  };
  for (const Rack& r : *standing.racks)
    if (const auto own = taken.find(r.row); r.row != 0 && own != taken.end())
      if (std::any_of(own->second.begin(), own->second.end(), [&](const Rack* o) { return in_line(*o, r); }))
        ++all[r.row];
  return std::all_of(taken.begin(), taken.end(), [&](const auto& row) {
    return row.first == 0 || all[row.first] == row.second.size() || all[row.first] == 0;
  });
}

} // namespace

std::optional<CopyPlace> place_beside(const Design& design, const Shared<Catalog>& catalog,
                                      const std::vector<EntityRef>& what) {
  return place_of_copies(design, design, catalog, what);
}

std::optional<CopyPlace> place_of_copies(const Design& standing, const Design& design, const Shared<Catalog>& catalog,
                                         const std::vector<EntityRef>& what, const std::optional<CopyPlace>& wished) {
  using namespace plan;
  // What stands there, and the things at the places that they would be moved from.
  PlanModel model, own_model;
  model.update(standing, catalog, 0);
  const bool apart = &standing != &design;
  if (apart) own_model.update(design, catalog, 0);
  const PlanModel& from = apart ? own_model : model;
  struct Part {
    QRectF box;
    PlanLayer layer;
    bool stands;
  };
  std::vector<Part> parts;
  QRectF all, racks;
  Id hall = 0;
  bool upright = false;
  for (const EntityRef& e : what) {
    PlanLayer layer = PlanLayer::racks;
    const PlanObject* o = from.find(e, &layer);
    if (!o || layer == PlanLayer::dimensions || layer == PlanLayer::underlay) continue;
    QRectF box = o->box();
    if (layer == PlanLayer::trays || layer == PlanLayer::pipes) {
      // The box of a run is that of its middle line.
      const QPolygonF* path = from.points(layer, *o);
      if (path) box = path->boundingRect().adjusted(-o->width / 2, -o->width / 2, o->width / 2, o->width / 2);
    }
    if (hall == 0) hall = o->hall;
    if (layer == PlanLayer::racks) {
      if (racks.isNull()) upright = in_upright_row((*design.racks)[o->index]);
      racks = racks.united(box);
    }
    parts.push_back({box, layer, stands(design, e, layer, *o)});
    all = all.united(box);
  }
  if (parts.empty()) return std::nullopt;
  const HallShape* shape = model.hall(hall);
  if (!shape) shape = model.hall_at(all.center());
  const auto free_at = [&](double dx, double dy) {
    for (const Part& part : parts) {
      const QRectF box = part.box.translated(dx, dy).adjusted(1, 1, -1, -1);
      if (shape) {
        for (const QPointF& corner : {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()})
          if (!shape->outline.containsPoint(corner, Qt::OddEvenFill)) return false;
        if (runs_through(shape->outline, true, box)) return false;
      }
      const auto taken = [&](PlanLayer layer, bool standing_things) {
        const auto& objects = model.objects(layer);
        return model.index(layer).any(box, [&](std::uint32_t i) {
          const PlanObject& o = objects[i];
          QRectF other = o.box();
          if (layer == PlanLayer::trays || layer == PlanLayer::pipes) {
            const QPolygonF* path = model.points(layer, o);
            const double half = o.width / 2;
            return path && runs_through(*path, false, box.adjusted(-half, -half, half, half));
          }
          return other.intersects(box) &&
                 (!standing_things || stands(standing, {table_of_layer(layer), o.id}, layer, o));
        });
      };
      if (part.stands) {
        for (const PlanLayer layer : {PlanLayer::racks, PlanLayer::liquid, PlanLayer::power, PlanLayer::structure})
          if (taken(layer, true)) return false;
      } else if (part.layer != PlanLayer::notes && taken(part.layer, false)) {
        return false;
      }
    }
    return true;
  };
  // Along: the line of a row, else across the plan. Rows keep an aisle; where there is room, one that is wide enough
  // for a rear before a front.
  const bool rows = whole_rows(standing, design, what);
  double aisle = 1200, wide = 2400;
  if (const Hall* h = find(*design.halls, hall))
    aisle = std::max(in_millimeters(h->cold_aisle_minimum), in_millimeters(h->hot_aisle_minimum));
  if (catalog)
    if (const Assumption* a = catalog->find<Assumption>("clearance.front_to_rear"); a && a->value)
      wide = *a->value * 1e3;
  const QRectF body = racks.isNull() ? all : racks.united(all);
  const bool runs_only = std::none_of(parts.begin(), parts.end(), [](const Part& p) { return p.stands; });
  // A run is copied beside its length.
  const bool down = racks.isNull() ? runs_only && body.width() <= body.height() : upright;
  const auto along = [&](double by) { return down ? CopyPlace{0, by} : CopyPlace{by, 0}; };
  const auto across = [&](double by) { return down ? CopyPlace{by, 0} : CopyPlace{0, by}; };
  const double length = down ? body.height() : body.width(), depth = down ? body.width() : body.height();
  std::vector<CopyPlace> tries;
  const auto add_along = [&](double gap) {
    for (const double side : {1.0, -1.0}) tries.push_back(along(side * (length + gap)));
  };
  const auto add_across = [&](double gap) {
    for (const double side : {1.0, -1.0}) tries.push_back(across(side * (depth + gap)));
  };
  if (runs_only) {
    add_across(0), add_along(0);
  } else if (rows) {
    for (const double gap : {std::max(aisle, wide), aisle}) add_across(gap);
    add_along(aisle);
  } else {
    add_along(0);
    // Past what stands there, thing by thing.
    for (int n = 2; n <= 12; ++n) add_along((n - 1) * length);
    for (const double gap : {std::max(aisle, wide), aisle}) add_across(gap);
  }
  for (int n = 2; n <= 8; ++n) add_across((n - 1) * depth + n * aisle);
  // Where it is wished, else beside that; what comes from elsewhere stays where it was when that is free.
  const CopyPlace base = wished.value_or(CopyPlace{});
  if (apart && free_at(base.dx, base.dy)) return base;
  for (const CopyPlace& place : tries)
    if (free_at(base.dx + place.dx, base.dy + place.dy)) return CopyPlace{base.dx + place.dx, base.dy + place.dy};
  return std::nullopt;
}

Design with_rows_of_their_own(const Design& design, const std::vector<EntityRef>& made,
                              const std::vector<EntityRef>& originals) {
  std::vector<Id> copied_from = racks_of(originals);
  const std::vector<Id> copied_to = racks_of(made); // each in the order of ids
  std::sort(copied_from.begin(), copied_from.end());
  copied_from.erase(std::unique(copied_from.begin(), copied_from.end()), copied_from.end());
  const auto suffix_of = [&](Id copy, const std::string& row) -> std::string {
    if (copied_from.size() != copied_to.size()) return {};
    const auto i = static_cast<std::size_t>(std::find(copied_to.begin(), copied_to.end(), copy) - copied_to.begin());
    const Rack* original = i < copied_from.size() ? find(*design.racks, copied_from[i]) : nullptr;
    return original && original->name.rfind(row + "-", 0) == 0 ? original->name.substr(row.size()) : std::string();
  };
  std::set<Id> fresh;
  std::map<Id, std::vector<const Rack*>> by_row; // of the fresh ones
  for (const EntityRef& e : made)
    if (const Rack* r = e.table == "racks" ? find(*design.racks, e.id) : nullptr) {
      fresh.insert(r->id);
      if (r->row != 0) by_row[r->row].push_back(r);
    }
  if (by_row.empty()) return design;
  FreeNames row_names, rack_names;
  for (const Row& row : *design.rows)
    row_names.take(row.name);
  std::map<Id, std::vector<const Rack*>> present; // racks that stood in those rows
  for (const Rack& rack : *design.racks) {
    if (fresh.count(rack.id)) continue;
    rack_names.take(rack.name);
    if (by_row.count(rack.row)) present[rack.row].push_back(&rack);
    if (const std::size_t dash = rack.name.rfind('-'); dash != std::string::npos)
      row_names.take(rack.name.substr(0, dash));
  }
  Design out = design;
  std::vector<Row> rows = *design.rows;
  std::vector<Rack> racks = *design.racks;
  // On the line of the row and facing its way, a copy goes on the row.
  const auto goes_on = [](const Rack& copy, const Rack& old) {
    const double turn = std::abs(std::remainder(in_degrees(copy.rotation) - in_degrees(old.rotation), 360.0));
    const double off = in_upright_row(old) ? in_millimeters(copy.x) - in_millimeters(old.x)
                                           : in_millimeters(copy.y) - in_millimeters(old.y);
    return copy.hall == old.hall && turn < 1 && std::abs(off) < 300;
  };
  for (const auto& [row_id, copies] : by_row) {
    const Row* row = find(*design.rows, row_id);
    const auto& old = present[row_id];
    if (!row || old.empty()) continue;
    Id next_id = 0;
    std::string next_name;
    int number = 0;
    for (const Rack* copy : copies) {
      if (std::any_of(old.begin(), old.end(), [&](const Rack* o) { return goes_on(*copy, *o); })) continue;
      if (next_id == 0) {
        Row next = *row;
        next.id = next_id = out.next_id++;
        next.name = next_name = row_names.next(row->name);
        next.hall = copy->hall;
        rows.push_back(std::move(next));
      }
      Rack& rack = racks[static_cast<std::size_t>(copy - design.racks->data())];
      rack.row = next_id;
      std::string suffix = suffix_of(rack.id, row->name);
      if (suffix.empty()) suffix = QStringLiteral("-%1").arg(++number, 2, 10, QLatin1Char('0')).toStdString();
      rack.name = next_name + suffix;
      if (rack_names.is_taken(rack.name)) rack.name = rack_names.next(rack.name);
      rack_names.take(rack.name);
    }
  }
  out.rows = share(std::move(rows));
  out.racks = share(std::move(racks));
  return out;
}

std::optional<PastePlan> plan_paste(const Design& design, const Shared<Catalog>& catalog, const std::string& text, Id hall,
                                    const std::optional<QPointF>& at,
                                    const std::function<QPointF(const QRectF&)>& snap) {
  const auto trial = paste_text(design, text, hall, {}, {});
  if (!trial) return std::nullopt;
  plan::PlanModel model;
  model.update(trial->design, catalog, 0);
  QRectF box;
  Id stands_in = hall;
  for (const EntityRef& e : trial->entities)
    if (const plan::PlanObject* o = model.find(e)) box = box.united(o->box()), stands_in = o->hall;
  if (box.isNull()) return PastePlan{};
  box.translate(-model.origin(stands_in));
  std::optional<CopyPlace> wished;
  if (at) {
    QPointF shift = *at - box.center();
    shift += snap(box.translated(shift));
    shift = {std::round(shift.x() * 10) / 10, std::round(shift.y() * 10) / 10}; // a tenth of a millimetre
    wished = CopyPlace{shift.x(), shift.y()};
  }
  const auto found = place_of_copies(design, trial->design, catalog, trial->entities, wished);
  if (!found) return PastePlan{wished.value_or(CopyPlace{step_apart, step_apart}), false, false};
  const bool there = wished && std::abs(found->dx - wished->dx) + std::abs(found->dy - wished->dy) < 0.05;
  return PastePlan{*found, true, there};
}

Edit duplicate_edit(const std::vector<EntityRef>& what, const Shared<Catalog>& catalog) {
  Edit edit;
  edit.label = "Duplicate " + things(what.size());
  edit.apply = [what, catalog](const Design& d) -> Edited {
    const auto place = place_beside(d, catalog, what).value_or(CopyPlace{step_apart, step_apart});
    auto made = duplicate(d, what, millimeters(place.dx), millimeters(place.dy));
    if (!made) return tl::make_unexpected(made.error());
    return with_rows_of_their_own(made->design, made->entities, what);
  };
  return edit;
}

} // namespace hallwright
