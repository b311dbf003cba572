// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_edits.h"

#include <algorithm>
#include <map>
#include <span>

#include "catalog/rack_trays.h"
#include "space/outdoor_places.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_drawing.h"

namespace hallwright::plan {
namespace {

template <class E>
std::optional<E> choice_of(std::string_view word) {
  const std::span words(ChoiceWords<E>::words);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return static_cast<E>(i);
  return std::nullopt;
}

/// Corner of the unrotated footprint whose turned box starts at (x, y).
std::pair<double, double> unturned_corner(double x, double y, double width, double depth, int turns) {
  if (turns % 2 == 0) return {x, y};
  return {x + depth / 2 - width / 2, y + width / 2 - depth / 2};
}

std::string capital(std::string s) {
  if (!s.empty() && s[0] >= 'a' && s[0] <= 'z') s[0] = static_cast<char>(s[0] - 'a' + 'A');
  return s;
}

/// Stem of the name of a new unit: "CDU", "UPS", "Busway".
std::string stem(const std::string& word) {
  if (word == "cdu" || word == "crah" || word == "ups") {
    std::string s = word;
    for (char& c : s)
      c = static_cast<char>(c - 'a' + 'A');
    return s;
  }
  return capital(word);
}

} // namespace

std::optional<PlacedPart> read_part(const QString& text, const Design& design, const Shared<Catalog>& catalog) {
  static const Catalog no_parts;
  const Catalog& parts = catalog ? *catalog : no_parts;
  const QString table = text.section(QLatin1Char('/'), 0, 0);
  PlacedPart out;
  const auto sized = [&](const Footprint& f) {
    out.width = in_millimeters(f.width), out.depth = in_millimeters(f.depth), out.known_size = f.known;
  };
  if (table == QLatin1String("rack_types")) {
    out.rack_type = text.section(QLatin1Char('/'), 1).toLongLong();
    const RackType* type = find(*design.rack_types, out.rack_type);
    if (!type) return std::nullopt;
    sized(rack_footprint(parts, *type));
    return out;
  }
  if (table == QLatin1String("racks")) {
    out.part = text.section(QLatin1Char('/'), 1).toStdString();
    const RackPart* part = parts.find<RackPart>(out.part);
    if (!part) return std::nullopt;
    out.rack = catalog_rack(out.part, parts);
    RackType type;
    type.rack_part = out.part;
    sized(rack_footprint(parts, type));
    return out;
  }
  out.word = text.section(QLatin1Char('/'), 1, 1).toStdString();
  out.part = text.section(QLatin1Char('/'), 2).toStdString();
  if (table == QLatin1String("cooling")) {
    const auto kind = choice_of<CoolingUnitKind>(out.word);
    if (!kind) return std::nullopt;
    out.layer = PlanLayer::liquid;
    CoolingUnit unit;
    unit.kind = *kind, unit.part = out.part;
    out.outdoors = may_stand_outdoors(*kind);
    sized(cooling_unit_footprint(parts, unit));
    return out;
  }
  if (table == QLatin1String("power")) {
    const auto kind = choice_of<PowerUnitKind>(out.word);
    if (!kind) return std::nullopt;
    out.layer = PlanLayer::power;
    PowerUnit unit;
    unit.kind = *kind, unit.part = out.part;
    out.outdoors = may_stand_outdoors(*kind);
    sized(power_unit_footprint(parts, unit));
    return out;
  }
  if (table == QLatin1String("structure")) {
    const auto kind = choice_of<StructureKind>(out.word);
    if (!kind) return std::nullopt;
    out.layer = PlanLayer::structure;
    customary_size(*kind, out.width, out.depth);
    return out;
  }
  return std::nullopt;
}

CatalogRack catalog_rack(const std::string& part, const Catalog& catalog) {
  const RackPart* rack = catalog.find<RackPart>(part);
  if (!rack) return {};
  CatalogRack out{part, rack->name, {}, 0};
  if (const auto trays = compute_trays_of(*rack, catalog)) out.tray = trays->node->id, out.trays = trays->count;
  return out;
}

Id rack_type_of_part(Design& design, const CatalogRack& rack) {
  for (const RackType& type : *design.rack_types) {
    if (type.rack_part != rack.part) continue;
    RackType pristine;
    pristine.id = type.id, pristine.name = type.name, pristine.role = type.role, pristine.rack_part = rack.part;
    const auto all = fields<RackType>();
    const bool same = std::all_of(all.begin(), all.end(),
                                  [&](const Field<RackType>& f) { return f.get(type) == f.get(pristine); });
    std::vector<const RackItem*> items;
    for (const RackItem& item : *design.rack_items)
      if (item.rack_type == type.id) items.push_back(&item);
    const bool filled_alike = rack.trays == 0 ? items.empty()
                                              : items.size() == 1 && items[0]->kind == RackItemKind::node &&
                                                    items[0]->part == rack.tray && items[0]->count == rack.trays;
    if (same && filled_alike) return type.id;
  }
  RackType type;
  type.rack_part = rack.part;
  // Digits at the end of a part's name are its model: they do not count up.
  const auto taken = [&](const std::string& wanted) {
    return std::any_of(design.rack_types->begin(), design.rack_types->end(),
                       [&](const RackType& other) { return other.name == wanted; });
  };
  type.name = rack.name;
  for (int n = 2; taken(type.name); ++n)
    type.name = rack.name + " " + std::to_string(n);
  Made made = add_entity(design, &Design::rack_types, type);
  design = std::move(made.design);
  const Id id = made.entities.front().id;
  if (rack.trays > 0) {
    RackItem trays;
    trays.rack_type = id, trays.kind = RackItemKind::node, trays.part = rack.tray, trays.count = rack.trays;
    design = std::move(add_entity(design, &Design::rack_items, trays).design);
  }
  return id;
}

Edit place_edit(const PlacedPart& part, const Place& place) {
  auto [x, y] = unturned_corner(place.x, place.y, part.width, part.depth, place.turns);
  // At the very origin of the site it would count as not placed.
  if (place.hall == 0 && millimeters(x) == Length{} && millimeters(y) == Length{}) x = 1;
  const Angle rotation = degrees(90.0 * place.turns);
  const std::string what = part.layer == PlanLayer::racks ? PlanView::tr("rack").toStdString() : stem(part.word);
  Edit edit;
  edit.label = PlanView::tr("Place %1").arg(QString::fromStdString(what)).toStdString();
  edit.apply = [part, place, x = x, y = y, rotation](const Design& design) -> Edited {
    if (!find(*design.halls, place.hall) && !(place.hall == 0 && part.outdoors))
      return tl::make_unexpected(PlanView::tr("Drop it inside a hall").toStdString());
    switch (part.layer) {
    case PlanLayer::racks: {
      if (part.rack_type == 0 && !part.rack.part.empty()) {
        Design with_type = design;
        PlacedPart typed = part;
        typed.rack_type = rack_type_of_part(with_type, part.rack);
        return place_edit(typed, place).apply(with_type);
      }
      if (!find(*design.rack_types, part.rack_type))
        return tl::make_unexpected(PlanView::tr("This rack type is no longer in the design").toStdString());
      Rack r;
      const Row* row = find(*design.rows, place.row);
      r.name = free_name(design, "racks", row ? row->name + "-01" : std::string("Rack"));
      r.rack_type = part.rack_type, r.hall = place.hall, r.row = row ? row->id : 0;
      r.x = millimeters(x), r.y = millimeters(y), r.rotation = rotation;
      return add_entity(design, &Design::racks, r).design;
    }
    case PlanLayer::liquid: {
      CoolingUnit u;
      u.kind = *choice_of<CoolingUnitKind>(part.word), u.part = part.part, u.hall = place.hall;
      u.name = free_name(design, "cooling_units", stem(part.word));
      u.x = millimeters(x), u.y = millimeters(y), u.rotation = rotation;
      return add_entity(design, &Design::cooling_units, u).design;
    }
    case PlanLayer::power: {
      PowerUnit u;
      u.kind = *choice_of<PowerUnitKind>(part.word), u.part = part.part, u.hall = place.hall;
      u.name = free_name(design, "power_units", stem(part.word));
      u.x = millimeters(x), u.y = millimeters(y), u.rotation = rotation;
      return add_entity(design, &Design::power_units, u).design;
    }
    case PlanLayer::structure: {
      Structure s;
      s.kind = *choice_of<StructureKind>(part.word), s.hall = place.hall;
      s.name = free_name(design, "structures", capital(part.word));
      s.width = millimeters(part.width), s.depth = millimeters(part.depth);
      s.x = millimeters(x), s.y = millimeters(y), s.rotation = rotation;
      return add_entity(design, &Design::structures, s).design;
    }
    default:
      break;
    }
    return design;
  };
  return edit;
}

namespace {

/// Names of new racks from the other end of each row.
Design counted_back(const Design& design, const std::vector<EntityRef>& made) {
  std::map<Id, std::vector<Id>> rows;
  for (const EntityRef& e : made)
    if (const Rack* r = e.table == "racks" ? find(*design.racks, e.id) : nullptr) rows[r->row].push_back(r->id);
  return with_table(design, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
    const auto at = [&](Id id) -> Rack& { return racks[static_cast<std::size_t>(find(racks, id) - racks.data())]; };
    for (auto& [row, ids] : rows) {
      std::sort(ids.begin(), ids.end());
      for (std::size_t i = 0; i < ids.size() / 2; ++i)
        std::swap(at(ids[i]).name, at(ids[ids.size() - 1 - i]).name);
    }
  });
}

} // namespace

Edit row_edit(const RowPlan& plan, bool down, bool count_back, double rack_width, double rack_depth,
              const CatalogRack& rack) {
  Edit edit;
  const Count racks = plan.racks_per_row * plan.rows;
  edit.label = (plan.rows > 1 ? PlanView::tr("Place %1 rows of %2 racks").arg(plan.rows).arg(plan.racks_per_row)
                              : PlanView::tr("Place a row of %1 racks").arg(racks))
                   .toStdString();
  edit.apply = [plan, down, count_back, rack_width, rack_depth, rack](const Design& design) -> Edited {
    if (plan.rack_type == 0 && !rack.part.empty()) {
      Design with_type = design;
      RowPlan typed = plan;
      typed.rack_type = rack_type_of_part(with_type, rack);
      return row_edit(typed, down, count_back, rack_width, rack_depth).apply(with_type);
    }
    Making made = place_rows(design, plan);
    if (!made) return tl::make_unexpected(made.error());
    if (count_back) made->design = counted_back(made->design, made->entities);
    if (!down) return std::move(made->design);
    // Swap x and y about the corner: fronts that faced up face left, rows stand beside each other.
    std::vector<Id> ids;
    for (const EntityRef& e : made->entities)
      if (e.table == "racks") ids.push_back(e.id);
    std::sort(ids.begin(), ids.end());
    return with_table(made->design, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
      const double px = in_millimeters(plan.x), py = in_millimeters(plan.y);
      for (Rack& r : racks) {
        if (!std::binary_search(ids.begin(), ids.end(), r.id)) continue;
        const double cx = in_millimeters(r.x) + rack_width / 2 - px, cy = in_millimeters(r.y) + rack_depth / 2 - py;
        r.x = millimeters(px + cy - rack_width / 2);
        r.y = millimeters(py + cx - rack_depth / 2);
        const double front = in_degrees(r.rotation);
        r.rotation = degrees(front > 90 && front < 270 ? 90 : 270);
      }
    });
  };
  return edit;
}

Edit hall_edit(const std::vector<PlanPoint>& outline) {
  Edit edit;
  edit.label = PlanView::tr("Draw a hall").toStdString();
  edit.apply = [outline](const Design& design) -> Edited {
    Hall hall;
    hall.name = free_name(design, "halls", "Hall");
    hall.outline = outline;
    return add_entity(design, &Design::halls, hall).design;
  };
  return edit;
}

Edit move_edit(const std::vector<EntityRef>& what, double dx, double dy,
               const std::vector<std::pair<EntityRef, Id>>& new_halls) {
  Edit edit;
  edit.apply = [what, dx, dy, new_halls](const Design& design) -> Edited {
    Edited out = move_by(design, what, millimeters(dx), millimeters(dy));
    if (!out) return out;
    std::map<std::pair<std::string, Id>, std::vector<Id>> by_hall;
    for (const auto& [entity, hall] : new_halls)
      by_hall[{entity.table, hall}].push_back(entity.id);
    for (const auto& [key, ids] : by_hall) {
      out = set_field_of_all(*out, key.first, ids, "hall", FieldValue(std::int64_t{key.second}));
      if (!out) return out;
    }
    return out;
  };
  return edit;
}

QString naming(const Design& design, const std::vector<EntityRef>& what) {
  if (what.empty()) return {};
  if (what.size() == 1) return to_qstring(entity_name(design, what.front()));
  const bool racks = std::all_of(what.begin(), what.end(), [](const EntityRef& e) { return e.table == "racks"; });
  const QString n = screen_number(static_cast<qlonglong>(what.size()));
  return racks ? PlanView::tr("%1 racks").arg(n) : PlanView::tr("%1 things").arg(n);
}

} // namespace hallwright::plan
