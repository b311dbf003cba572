// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "catalog/catalog.h"

namespace hallwright {

std::vector<PartSummary> part_summaries(const Catalog& catalog, std::string_view kind) {
  std::vector<PartSummary> out;
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    if (part_kind<P>() != kind) return;
    for (const P& p : catalog.of<P>())
      out.push_back({std::string(kind), p.id, p.name, p.vendor, p.source, p.as_of, p.confidence, p.notes,
                     catalog.user_parts.count({std::string(kind), p.id}) > 0});
  });
  return out;
}

std::vector<PartFieldValue> part_values(const Catalog& catalog, std::string_view kind, std::string_view id) {
  std::vector<PartFieldValue> out;
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    if (part_kind<P>() != kind) return;
    const P* part = catalog.find<P>(id);
    if (!part) return;
    for (const auto& f : part_fields<P>())
      out.push_back({f, f.get(*part), catalog.overridden.count(std::tuple(std::string(kind), std::string(id), std::string(f.name))) > 0});
  });
  return out;
}

Catalog with_overrides(const Catalog& catalog, const std::vector<PartOverrideValue>& overrides, std::vector<std::string>& problems) {
  Catalog out = catalog;
  for (const PartOverrideValue& o : overrides) {
    bool known_kind = false;
    for_each_part_type([&]<class P>(std::type_identity<P>) {
      if (part_kind<P>() != o.kind) return;
      known_kind = true;
      auto& parts = out.of<P>();
      auto part = std::lower_bound(parts.begin(), parts.end(), o.part, [](const P& p, const std::string& id) { return p.id < id; });
      if (part == parts.end() || part->id != o.part) {
        problems.push_back(fmt::format("part override: the catalog has no {} '{}'", o.kind, o.part));
        return;
      }
      for (const auto& f : part_fields<P>()) {
        if (f.name != o.field) continue;
        if (f.name == "id") {
          problems.push_back("part override: the id of a part cannot be replaced");
          return;
        }
        auto value = parse_field(f, o.value);
        if (value)
          if (auto ok = check_field(f, *value); !ok) value = tl::make_unexpected(ok.error());
        if (!value) {
          problems.push_back(fmt::format("part override of {} {}: {}", o.part, o.field, value.error()));
          return;
        }
        f.set(*part, *value);
        out.overridden.insert({o.kind, o.part, o.field});
        return;
      }
      problems.push_back(fmt::format("part override: a {} has no field '{}'", o.kind, o.field));
    });
    if (!known_kind) problems.push_back(fmt::format("part override: '{}' is not a kind of part", o.kind));
  }
  return out;
}

Catalog layered(const Catalog& shipped, const Catalog& user) {
  Catalog out = shipped;
  out.date = std::max(shipped.date, user.date);
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    auto& parts = out.of<P>();
    for (const P& p : user.of<P>()) {
      auto at = std::lower_bound(parts.begin(), parts.end(), p.id, [](const P& a, const std::string& id) { return a.id < id; });
      if (at != parts.end() && at->id == p.id) *at = p;
      else parts.insert(at, p);
      out.user_parts.insert({std::string(part_kind<P>()), p.id});
    }
  });
  return out;
}

} // namespace hallwright
