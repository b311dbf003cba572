// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/rack_mass.h"

#include <fmt/format.h>

#include "ledger/formula_range.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constinit const Formula<Mass, Count, Mass> parts_mass{
    .name = "parts_mass",
    .text = "count * mass_each",
    .source = "sum of equal parts",
    .parameters = {"count", "mass_each"},
    .function = [](Count count, Mass mass_each) -> Result<Mass> {
      if (auto wrong = violated({not_negative("count", count), not_negative("mass_each", mass_each)})) return *wrong;
      return count * mass_each;
    },
};

Traced<Mass> mass_of_one(Ledger& ledger, const Catalog& catalog, const RackItem& item) {
  const bool other = item.kind == RackItemKind::other;
  if (const auto* p = catalog.find<NodePart>(item.part); p && (other || item.kind == RackItemKind::node))
    return part_value<&NodePart::mass>(ledger, catalog, *p);
  if (const auto* p = catalog.find<SwitchPart>(item.part); p && (other || item.kind == RackItemKind::network_switch))
    return part_value<&SwitchPart::mass>(ledger, catalog, *p);
  if (const auto* p = catalog.find<StoragePart>(item.part); p && (other || item.kind == RackItemKind::storage))
    return part_value<&StoragePart::mass>(ledger, catalog, *p);
  if (const auto* p = catalog.find<PowerPart>(item.part); p && other)
    return part_value<&PowerPart::mass>(ledger, catalog, *p);
  if (const auto* p = catalog.find<CoolingPart>(item.part); p && other)
    return part_value<&CoolingPart::mass>(ledger, catalog, *p);
  return ledger.absent<Mass>(fmt::format("space.rack_item.{}.mass_each", item.id), "Mass of " + item.part,
                             Completeness::unknown, fmt::format("no mass is known for \"{}\"", item.part));
}

/// As the rack type or its part states it; not applicable where neither does.
std::optional<Traced<Mass>> stated_mass(Ledger& ledger, const Catalog& catalog, const RackType& type,
                                        const RackPart* part, const std::string& id, const std::string& label) {
  if (type.mass)
    return ledger.as<Mass>(id, label, design_value<&RackType::mass>(ledger, "rack_types", type, type.name));
  if (part && part->populated_mass_high) {
    auto out = ledger.as<Mass>(id, label, part_value<&RackPart::populated_mass_high>(ledger, catalog, *part));
    if (part->populated_mass_low && *part->populated_mass_low < *part->populated_mass_high)
      ledger.remark(out, fmt::format("the high end of {:.4g} to {:.4g} kg", in_kilograms(*part->populated_mass_low),
                                     in_kilograms(*part->populated_mass_high)));
    return out;
  }
  if (part && part->populated_mass_low)
    return ledger.as<Mass>(id, label, part_value<&RackPart::populated_mass_low>(ledger, catalog, *part));
  return std::nullopt;
}

RackMass rack_mass(Ledger& ledger, const Catalog& catalog, const RackType& type, std::vector<const RackItem*> items) {
  const std::string stem = fmt::format("space.rack_type.{}", type.id);
  const RackPart* part = catalog.find<RackPart>(type.rack_part);
  RackMass out;
  out.content_items = std::move(items);
  out.cabinet = part ? part_value<&RackPart::empty_mass>(ledger, catalog, *part)
                     : ledger.absent<Mass>(
                           stem + ".cabinet_mass", "Mass of the empty cabinet, " + type.name, Completeness::unknown,
                           type.rack_part.empty() ? "no cabinet is chosen for rack type " + type.name
                                                  : "the catalog has no rack \"" + type.rack_part + "\"");
  for (const RackItem* item : out.content_items)
    out.items.push_back(ledger.derive(fmt::format("space.rack_item.{}.mass", item->id),
                                      fmt::format("Mass of {} in a rack of type {}", item->part, type.name), parts_mass,
                                      design_value<&RackItem::count>(ledger, "rack_items", *item, type.name),
                                      mass_of_one(ledger, catalog, *item)));
  out.content = ledger.sum(stem + ".content_mass", "Mass of the content of a rack, " + type.name, out.items);
  const std::string label = "Mass of a rack, " + type.name;
  if (auto stated = stated_mass(ledger, catalog, type, part, stem + ".mass", label)) {
    out.mass = *std::move(stated);
    return out;
  }
  std::vector<Traced<Mass>> parts{out.cabinet};
  parts.insert(parts.end(), out.items.begin(), out.items.end());
  out.mass = ledger.sum(stem + ".mass", label, parts);
  return out;
}

} // namespace

std::vector<RackMass> rack_masses(Ledger& ledger, const Catalog& catalog, const std::vector<RackType>& types,
                                  const std::vector<RackItem>& items) {
  std::vector<std::vector<const RackItem*>> of_type(types.size());
  for (const RackItem& item : items)
    if (const RackType* type = find(types, item.rack_type))
      of_type[static_cast<std::size_t>(type - types.data())].push_back(&item);
  std::vector<RackMass> out;
  for (std::size_t t = 0; t < types.size(); ++t)
    out.push_back(rack_mass(ledger, catalog, types[t], std::move(of_type[t])));
  return out;
}

std::vector<AnyFormula> rack_mass_formulas() { return {any(parts_mass)}; }

} // namespace hallwright
