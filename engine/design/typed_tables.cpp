// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/typed_tables.h"

#include <fmt/format.h>

namespace hallwright {
namespace {

/// Singular of a table's word, as a sentence begins with it.
std::string singular(std::string_view table) {
  if (table == "loops") return "Coolant loop";
  if (table == "published") return "Published figure";
  std::string out(table);
  if (out.ends_with('s')) out.pop_back();
  std::replace(out.begin(), out.end(), '_', ' ');
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

} // namespace

std::string entity_in_words(const Design& design, const EntityRef& entity) {
  std::string name;
  at_entity(design, entity, [&](const auto& e) {
    if constexpr (Named<std::remove_cvref_t<decltype(e)>>) name = e.name;
  });
  return fmt::format("{} {}", singular(entity.table), name.empty() ? std::to_string(entity.id) : name);
}

tl::expected<Selection, std::string> Selection::of(const Design& design, const std::vector<EntityRef>& what) {
  Selection out;
  for_each_table([&](std::string_view word, auto) { out.parts.push_back({word, {}}); });
  Part* last = nullptr; // selections come in runs of one table
  for (const EntityRef& ref : what) {
    if (last == nullptr || last->table != ref.table) {
      const auto it = std::find_if(out.parts.begin(), out.parts.end(), [&](const Part& p) { return p.table == ref.table; });
      if (it == out.parts.end())
        return tl::make_unexpected(table_fields(ref.table).empty()
                                       ? fmt::format("'{}' is not a table of the design", ref.table)
                                       : fmt::format("{} is a section of the design, not a thing that can be moved, copied or deleted", ref.table));
      last = &*it;
    }
    last->ids.push_back(ref.id);
  }
  std::string missing;
  for (Part& part : out.parts) {
    if (part.ids.empty()) continue;
    if (!std::is_sorted(part.ids.begin(), part.ids.end())) std::sort(part.ids.begin(), part.ids.end());
    part.ids.erase(std::unique(part.ids.begin(), part.ids.end()), part.ids.end());
    at_table(part.table, [&](auto member) {
      for (const Id id : part.ids) {
        if (missing.empty() && find(*(design.*member), id) == nullptr) missing = fmt::format("{} {} does not exist", part.table, id);
      }
    });
  }
  if (!missing.empty()) return tl::make_unexpected(missing);
  return out;
}

const std::vector<Id>& Selection::ids(std::string_view table) const {
  static const std::vector<Id> none;
  for (const Part& part : parts) {
    if (part.table == table) return part.ids;
  }
  return none;
}

bool Selection::holds(std::string_view table, Id id) const {
  if (table == any_table)
    return std::any_of(parts.begin(), parts.end(), [id](const Part& p) { return std::binary_search(p.ids.begin(), p.ids.end(), id); });
  const std::vector<Id>& in = ids(table);
  return std::binary_search(in.begin(), in.end(), id);
}

std::size_t Selection::size() const {
  std::size_t out = 0;
  for (const Part& part : parts) out += part.ids.size();
  return out;
}

std::span<const Belonging> copied_along() {
  static constexpr Belonging list[] = {{"structures", "hall"},  {"rack_items", "rack_type"}, {"rows", "hall"},
                                       {"racks", "hall"},       {"racks", "row"},            {"power_units", "hall"},
                                       {"cooling_units", "hall"}, {"scenario_changes", "scenario"}, {"notes", "hall"},
                                       {"zones", "hall"},       {"containments", "hall"},    {"trays", "hall"},
                                       {"pipes", "hall"},       {"dimensions", "hall"},      {"guides", "hall"},
                                       {"underlays", "hall"}};
  return list;
}

std::span<const Belonging> deleted_along() {
  static constexpr Belonging list[] = {{"structures", "hall"}, {"rack_items", "rack_type"}, {"rows", "hall"},
                                       {"racks", "hall"},      {"racks", "rack_type"},      {"power_units", "hall"},
                                       {"cooling_units", "hall"}, {"scenario_changes", "scenario"},
                                       {"zones", "hall"},      {"containments", "hall"},    {"trays", "hall"},
                                       {"pipes", "hall"},      {"dimensions", "hall"},      {"dimensions", "start"},
                                       {"dimensions", "end"},  {"guides", "hall"},          {"underlays", "hall"}};
  return list;
}

Selection with_groups(const Design& design, Selection selection) {
  std::vector<Id> groups;
  for (const Selection::Part& part : selection.parts) {
    if (part.ids.empty()) continue;
    at_table(part.table, [&](auto member) {
      using E = typename TableOf<decltype(member)>::entity;
      if constexpr (requires(E e) { e.group; }) {
        for (const Id id : part.ids) {
          if (const Id group = find(*(design.*member), id)->group; group != 0) groups.push_back(group);
        }
      }
    });
  }
  for (Selection::Part& part : selection.parts) {
    if (part.table != "groups") continue;
    part.ids.insert(part.ids.end(), groups.begin(), groups.end());
    std::sort(part.ids.begin(), part.ids.end());
    part.ids.erase(std::unique(part.ids.begin(), part.ids.end()), part.ids.end());
  }
  return selection;
}

Selection with_belongings(const Design& design, Selection selection, std::span<const Belonging> belongings) {
  for (std::size_t before = 0; before != selection.size();) {
    before = selection.size();
    for (Selection::Part& part : selection.parts) {
      std::vector<Id> more;
      at_table(part.table, [&](auto member) {
        using E = typename TableOf<decltype(member)>::entity;
        for (const Belonging& b : belongings) {
          if (b.table != part.table) continue;
          const Field<E>* f = field_named<E>(b.field);
          if (f->target != any_table && selection.ids(f->target).empty()) continue;
          for (const E& e : *(design.*member)) {
            if (const Id owner = std::get<Id>(f->get(e)); owner != 0 && selection.holds(f->target, owner)) more.push_back(e.id);
          }
        }
      });
      if (more.empty()) continue;
      part.ids.insert(part.ids.end(), more.begin(), more.end());
      std::sort(part.ids.begin(), part.ids.end());
      part.ids.erase(std::unique(part.ids.begin(), part.ids.end()), part.ids.end());
    }
  }
  return selection;
}

} // namespace hallwright
