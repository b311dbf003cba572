// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/rack_edits.h"

#include <algorithm>

#include <fmt/format.h>

/// Edits of what stands in racks.
namespace hallwright {
namespace {

constexpr Count highest_place = 400, largest_count = 1000;

tl::unexpected<std::string> refused(std::string sentence) { return tl::make_unexpected(std::move(sentence)); }

tl::unexpected<std::string> no_item(Id item) {
  return refused(fmt::format("Rack item {} is not in the design; select a part of the rack", item));
}
tl::unexpected<std::string> no_type(Id type) {
  return refused(fmt::format("Rack type {} is not in the design; choose one of its rack types", type));
}

bool zero_u(RackMount mount) { return mount == RackMount::zero_u_left || mount == RackMount::zero_u_right; }

bool faces_meet(RackMount mount, const RackSlot& slot) {
  if (zero_u(mount) || slot.zero_u()) return false;
  const bool front = mount != RackMount::rear, rear = mount != RackMount::front;
  return (front && slot.front()) || (rear && slot.rear());
}

/// Height with which a part is placed.
Count placed_height(const Catalog& catalog, RackItemKind kind, const std::string& part) {
  return rack_part_size(catalog, kind, part).half_units.value_or(2);
}

Design with_items(const Design& design, std::vector<RackItem> items) {
  Design out = design;
  std::sort(items.begin(), items.end(), [](const RackItem& a, const RackItem& b) { return a.id < b.id; });
  out.rack_items = share(std::move(items));
  return out;
}

Design with_item(const Design& design, const RackItem& changed) {
  std::vector<RackItem> items = *design.rack_items;
  for (RackItem& item : items)
    if (item.id == changed.id) item = changed;
  return with_items(design, std::move(items));
}

/// Takes the nth of an item out of it: what stands below keeps the item, what stands above becomes another one.
/// @param lifted  set to the part taken out, without an id where it is not the item itself
Design without_one(const Design& design, const Catalog& catalog, const RackItem& item, Count nth, RackItem& lifted) {
  const Count height = zero_u(item.mount) ? 0 : placed_height(catalog, item.kind, item.part);
  Design out = design;
  lifted = item;
  lifted.count = 1;
  lifted.lowest_half_unit = item.lowest_half_unit + nth * height;
  lifted.id = 0;
  RackItem below = item, above = item;
  below.count = nth;
  above.count = item.count - nth - 1;
  above.lowest_half_unit = item.lowest_half_unit + (nth + 1) * height;
  if (below.count > 0) {
    out = with_item(out, below);
    if (above.count > 0) out = add_entity(out, &Design::rack_items, above).design;
  } else {
    out = with_item(out, above);
  }
  return out;
}

std::string range_refusal(const std::string& part, const RackSpot& place) {
  return fmt::format("{} cannot stand at half unit {}; 1 to {} is allowed", part, place.lowest_half_unit,
                     highest_place);
}

} // namespace

std::optional<std::string> rack_place_refusal(const Design& design, const Catalog& catalog, Id rack_type,
                                              const std::string& part_name, Count half_units, Count count,
                                              const RackSpot& place,
                                              const std::function<bool(const RackSlot&)>& leaves) {
  const RackType* type = find(*design.rack_types, rack_type);
  if (!type) return no_type(rack_type).value();
  if (place.lowest_half_unit < 1 || place.lowest_half_unit > highest_place) return range_refusal(part_name, place);
  if (zero_u(place.mount)) return std::nullopt;
  const RackSlots places = rack_slots(catalog, *type, *design.rack_items);
  const Count height = half_units * count, top = place.lowest_half_unit + height - 1;
  const std::string what = count == 1 ? part_name : fmt::format("{} x {}", count, part_name);
  if (places.cabinet && top > *places.cabinet)
    return fmt::format("{} at {} would reach to U{}; the cabinet has {} units", what,
                       half_unit_text(place.lowest_half_unit), (top + 1) / 2, *places.cabinet / 2);
  for (const RackSlot& s : places.places) {
    if ((leaves && leaves(s)) || !faces_meet(place.mount, s)) continue;
    if (s.lowest_half_unit > top || s.highest_half_unit() < place.lowest_half_unit) continue;
    const RackItem* item = find(*design.rack_items, s.item);
    return fmt::format("{} does not fit at {}: {} stands at {}", what, half_unit_text(place.lowest_half_unit),
                       rack_part_size(catalog, item->kind, item->part).name,
                       half_unit_range(s.lowest_half_unit, s.half_units));
  }
  return std::nullopt;
}

std::optional<RackSpot> first_free_place(const Design& design, const Catalog& catalog, Id rack_type, Count half_units,
                                         RackMount mount, const std::function<bool(const RackSlot&)>& leaves) {
  const RackType* type = find(*design.rack_types, rack_type);
  if (!type) return std::nullopt;
  if (zero_u(mount)) return RackSpot{1, mount};
  const RackSlots places = rack_slots(catalog, *type, *design.rack_items);
  const Count top = std::min(places.cabinet.value_or(highest_place), highest_place);
  std::vector<bool> taken(static_cast<std::size_t>(top) + 2, false);
  for (const RackSlot& s : places.places) {
    if ((leaves && leaves(s)) || !faces_meet(mount, s)) continue;
    for (Count h = std::max<Count>(1, s.lowest_half_unit); h <= std::min(s.highest_half_unit(), top); ++h)
      taken[static_cast<std::size_t>(h)] = true;
  }
  const auto fits = [&](Count at) {
    if (at + half_units - 1 > top) return false;
    return std::none_of(taken.begin() + at, taken.begin() + at + half_units, [](bool t) { return t; });
  };
  // Parts stand on whole units where they can.
  for (Count at = 1; at <= top; at += 2)
    if (fits(at)) return RackSpot{at, mount};
  for (Count at = 2; at <= top; at += 2)
    if (fits(at)) return RackSpot{at, mount};
  return std::nullopt;
}

Making place_in_rack(const Design& design, const Catalog& catalog, Id rack_type, RackItemKind kind,
                     const std::string& part, const RackSpot& place) {
  const RackPartSize size = rack_part_size(catalog, kind, part);
  if (!size.found) return refused(fmt::format("The catalog has no part '{}' to put into a rack", part));
  if (auto no = rack_place_refusal(design, catalog, rack_type, size.name, size.half_units.value_or(2), 1, place))
    return refused(*std::move(no));
  RackItem item;
  item.rack_type = rack_type;
  item.kind = kind;
  item.part = part;
  item.lowest_half_unit = place.lowest_half_unit;
  item.mount = place.mount;
  return add_entity(design, &Design::rack_items, item);
}

Edited move_in_rack(const Design& design, const Catalog& catalog, Id item, const RackSpot& place) {
  const RackItem* old = find(*design.rack_items, item);
  if (!old) return no_item(item);
  const RackPartSize size = rack_part_size(catalog, old->kind, old->part);
  const auto own = [item](const RackSlot& s) { return s.item == item; };
  if (auto no = rack_place_refusal(design, catalog, old->rack_type, size.name, size.half_units.value_or(2), old->count,
                                   place, own))
    return refused(*std::move(no));
  RackItem moved = *old;
  moved.lowest_half_unit = place.lowest_half_unit;
  moved.mount = place.mount;
  return with_item(design, moved);
}

Making move_one_in_rack(const Design& design, const Catalog& catalog, Id item, Count nth, const RackSpot& place) {
  const RackItem* old = find(*design.rack_items, item);
  if (!old) return no_item(item);
  if (nth < 0 || nth >= old->count)
    return refused(fmt::format("There is no number {} of {} parts; choose 1 to {}", nth + 1, old->count, old->count));
  if (old->count == 1) {
    auto moved = move_in_rack(design, catalog, item, place);
    if (!moved) return tl::make_unexpected(moved.error());
    return Made{*std::move(moved), {{"rack_items", item}}};
  }
  const RackPartSize size = rack_part_size(catalog, old->kind, old->part);
  const auto own = [item, nth](const RackSlot& s) { return s.item == item && s.nth == nth; };
  if (auto no =
          rack_place_refusal(design, catalog, old->rack_type, size.name, size.half_units.value_or(2), 1, place, own))
    return refused(*std::move(no));
  RackItem lifted;
  const Design rest = without_one(design, catalog, *old, nth, lifted);
  lifted.lowest_half_unit = place.lowest_half_unit;
  lifted.mount = place.mount;
  return add_entity(rest, &Design::rack_items, lifted);
}

Making split_off(const Design& design, const Catalog& catalog, Id item, Count nth) {
  const RackItem* old = find(*design.rack_items, item);
  if (!old) return no_item(item);
  if (old->count < 2) return refused("This part stands alone already; nothing to split off");
  if (nth < 0 || nth >= old->count)
    return refused(fmt::format("There is no number {} of {} parts; choose 1 to {}", nth + 1, old->count, old->count));
  RackItem lifted;
  const Design rest = without_one(design, catalog, *old, nth, lifted);
  return add_entity(rest, &Design::rack_items, lifted);
}

Edited remove_from_rack(const Design& design, const Catalog& catalog, Id item, std::optional<Count> nth) {
  const RackItem* old = find(*design.rack_items, item);
  if (!old) return no_item(item);
  if (!nth || old->count == 1) return remove(design, {{"rack_items", item}});
  if (*nth < 0 || *nth >= old->count)
    return refused(fmt::format("There is no number {} of {} parts; choose 1 to {}", *nth + 1, old->count, old->count));
  RackItem lifted;
  return without_one(design, catalog, *old, *nth, lifted);
}

Edited set_rack_item_count(const Design& design, const Catalog& catalog, Id item, Count count) {
  const RackItem* old = find(*design.rack_items, item);
  if (!old) return no_item(item);
  if (count < 1 || count > largest_count)
    return refused(fmt::format("{} parts are not allowed; 1 to {} are, or take the item out", count, largest_count));
  const RackPartSize size = rack_part_size(catalog, old->kind, old->part);
  const auto own = [item](const RackSlot& s) { return s.item == item; };
  if (count > old->count) {
    if (auto no = rack_place_refusal(design, catalog, old->rack_type, size.name, size.half_units.value_or(2), count,
                                     {old->lowest_half_unit, old->mount}, own))
      return refused(*std::move(no));
  }
  RackItem changed = *old;
  changed.count = count;
  return with_item(design, changed);
}

Making make_rack_template(const Design& design, Id rack_type, const std::string& name) {
  if (!find(*design.rack_types, rack_type)) return no_type(rack_type);
  if (name.find_first_not_of(" \t\n") == std::string::npos) return refused("The new rack type has no name; type one");
  for (const RackType& t : *design.rack_types)
    if (t.name == name) return refused(fmt::format("There is a rack type '{}' already; choose another name", name));
  Making made = duplicate(design, {{"rack_types", rack_type}}, Length{}, Length{});
  if (!made) return made;
  std::vector<RackType> types = *made->design.rack_types;
  EntityRef copy;
  for (const EntityRef& e : made->entities)
    if (e.table == "rack_types") copy = e;
  for (RackType& t : types)
    if (t.id == copy.id) t.name = name;
  made->design.rack_types = share(std::move(types));
  made->entities = {copy};
  return made;
}

Edited assign_rack_type(const Design& design, const std::vector<Id>& racks, Id rack_type) {
  if (!find(*design.rack_types, rack_type)) return no_type(rack_type);
  std::vector<Rack> table = *design.racks;
  Count changed = 0;
  for (const Id id : racks) {
    const Rack* rack = find(*design.racks, id);
    if (!rack) return refused(fmt::format("Rack {} is not in the design", id));
    if (rack->rack_type == rack_type) continue;
    table[static_cast<std::size_t>(rack - design.racks->data())].rack_type = rack_type;
    ++changed;
  }
  if (changed == 0)
    return refused(racks.empty() ? "No rack is selected; select the racks that should get this type"
                                 : "The selected racks have this type already");
  Design out = design;
  out.racks = share(std::move(table));
  return out;
}

Making change_this_rack_only(const Design& design, Id rack) {
  const Rack* found = find(*design.racks, rack);
  if (!found) return refused(fmt::format("Rack {} is not in the design", rack));
  const RackType* type = find(*design.rack_types, found->rack_type);
  if (!type) return refused(fmt::format("Rack {} has no type; give it one", found->name));
  if (racks_of_type(design, type->id) < 2)
    return refused(fmt::format("No other rack has the type '{}'; change it as it is", type->name));
  std::string name = fmt::format("{}, {}", type->name, found->name.empty() ? std::to_string(rack) : found->name);
  const bool taken = std::any_of(design.rack_types->begin(), design.rack_types->end(),
                                 [&](const RackType& t) { return t.name == name; });
  if (taken) name = free_name(design, "rack_types", name);
  Making made = make_rack_template(design, type->id, name);
  if (!made) return made;
  auto assigned = assign_rack_type(made->design, {rack}, made->entities.front().id);
  if (!assigned) return tl::make_unexpected(assigned.error());
  made->design = *std::move(assigned);
  return made;
}

Count racks_of_type(const Design& design, Id rack_type) {
  return std::count_if(design.racks->begin(), design.racks->end(),
                       [&](const Rack& r) { return r.rack_type == rack_type; });
}

} // namespace hallwright
