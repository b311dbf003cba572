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
    Design now = design;
    std::vector<EntityRef> first_row = what;
    if (plan.columns > 1) {
      auto made = array(now, what, {plan.columns, 1, millimeters(plan.pitch_x_mm), {}});
      if (!made) return tl::make_unexpected(made.error());
      now = in_new_rows(made->design, what, made->entities, true);
      const auto new_things = on_plan(made->entities);
      first_row.insert(first_row.end(), new_things.begin(), new_things.end());
    }
    double y = 0;
    for (Count r = 1; r < plan.rows; ++r) {
      y += r % 2 == 1 ? plan.pitch_y_mm : plan.second_pitch_y_mm;
      if (y == 0)
        return tl::make_unexpected(
            "Pitch top to bottom is 0 mm, so the rows would stand on top of each other; write another one");
      auto made = duplicate(now, first_row, {}, millimeters(y));
      if (!made) return tl::make_unexpected(made.error());
      now = in_new_rows(made->design, first_row, made->entities, false);
      if (!plan.mirror_rows || r % 2 == 0) continue;
      const auto row = on_plan(made->entities);
      const Catalog none;
      auto turned = mirror(now, row, MirrorAxis::top_to_bottom, footprint_sizes(now, catalog ? *catalog : none, row));
      if (!turned) return turned;
      now = *turned;
    }
    return now;
  };
  return edit;
}

} // namespace hallwright
