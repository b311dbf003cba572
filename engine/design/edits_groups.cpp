// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/edits.h"

#include <map>

#include <fmt/format.h>

#include "design/names.h"
#include "design/small_groups.h"
#include "design/typed_tables.h"

/// Edits that group and lock.
namespace hallwright {
namespace {

template <class E>
concept Grouped = requires(E e) { e.group; };
template <class E>
concept Lockable = requires(E e) { e.locked; };

/// Sets the group of all of `selection` (0: none).
Design with_group(const Design& design, const Selection& selection, Id group) {
  Design out = design;
  for (const Selection::Part& part : selection.parts) {
    if (part.ids.empty()) continue;
    at_table(part.table, [&](auto member) {
      using E = typename TableOf<decltype(member)>::entity;
      if constexpr (Grouped<E>) {
        std::vector<E> copy = *(design.*member);
        for (const Id id : part.ids) copy[static_cast<std::size_t>(find(copy, id) - copy.data())].group = group;
        out.*member = hallwright::share(std::move(copy));
      }
    });
  }
  return out;
}

std::vector<Id> groups_of(const Design& design, const Selection& selection) {
  return with_groups(design, selection).ids("groups");
}

/// All members of these groups.
std::vector<EntityRef> members_of(const Design& design, const std::vector<Id>& groups) {
  std::vector<EntityRef> out;
  for_each_table([&](std::string_view word, auto member) {
    using E = typename TableOf<decltype(member)>::entity;
    if constexpr (Grouped<E>) {
      for (const E& e : *(design.*member)) {
        if (e.group != 0 && std::binary_search(groups.begin(), groups.end(), e.group)) out.push_back({std::string(word), e.id});
      }
    }
  });
  return out;
}

} // namespace

Design without_small_groups(Design design, const std::vector<Id>& groups) {
  if (groups.empty()) return design;
  std::map<Id, std::vector<EntityRef>> members;
  for (const Id id : groups) {
    if (find(*design.groups, id) != nullptr) members[id];
  }
  for_each_table([&](std::string_view word, auto member) {
    using E = typename TableOf<decltype(member)>::entity;
    if constexpr (Grouped<E>) {
      for (const E& e : *(design.*member)) {
        if (e.group == 0) continue;
        if (const auto it = members.find(e.group); it != members.end()) it->second.push_back({std::string(word), e.id});
      }
    }
  });
  std::vector<EntityRef> single;
  std::erase_if(members, [](const auto& entry) { return entry.second.size() >= 2; });
  if (members.empty()) return design;
  for (const auto& [id, last] : members) single.insert(single.end(), last.begin(), last.end());
  std::vector<Group> kept;
  for (const Group& g : *design.groups) {
    if (!members.contains(g.id)) kept.push_back(g);
  }
  if (const auto left = Selection::of(design, single)) design = with_group(design, *left, 0);
  design.groups = hallwright::share(std::move(kept));
  return design;
}

Making group(const Design& design, const std::vector<EntityRef>& what) {
  const auto selection = Selection::of(design, what);
  if (!selection) return tl::make_unexpected(selection.error());
  std::size_t members = 0;
  std::string refusal;
  for (const Selection::Part& part : selection->parts) {
    if (part.ids.empty()) continue;
    at_table(part.table, [&](auto member) {
      using E = typename TableOf<decltype(member)>::entity;
      if constexpr (Grouped<E>) members += part.ids.size();
      else if (refusal.empty())
        refusal = fmt::format("{} cannot be in a group; select racks, units, structures, trays, pipes, containment or notes",
                              entity_in_words(design, {std::string(part.table), part.ids.front()}));
    });
  }
  if (!refusal.empty()) return tl::make_unexpected(refusal);
  if (members < 2) return tl::make_unexpected(fmt::format("A group needs at least 2 things; {} selected", members));
  Made out = add_entity(design, &Design::groups, Group{0, free_name(design, "groups", "Group")});
  out.design = without_small_groups(with_group(out.design, *selection, out.entities.front().id), groups_of(design, *selection));
  return out;
}

Edited ungroup(const Design& design, const std::vector<EntityRef>& what) {
  const auto selection = Selection::of(design, what);
  if (!selection) return tl::make_unexpected(selection.error());
  const std::vector<Id> groups = groups_of(design, *selection);
  if (groups.empty()) return tl::make_unexpected("Nothing of the selection is in a group");
  const auto members = Selection::of(design, members_of(design, groups));
  if (!members) return tl::make_unexpected(members.error());
  return without_small_groups(with_group(design, *members, 0), groups);
}

std::vector<EntityRef> with_group_members(const Design& design, const std::vector<EntityRef>& what) {
  std::vector<EntityRef> present;
  std::copy_if(what.begin(), what.end(), std::back_inserter(present), [&](const EntityRef& ref) { return ref.id != 0 && has_entity(design, ref); });
  const auto selection = Selection::of(design, present);
  if (!selection) return what;
  const std::vector<Id> groups = groups_of(design, *selection);
  if (groups.empty()) return what;
  std::vector<EntityRef> out = what;
  for (EntityRef& ref : members_of(design, groups)) {
    if (!selection->holds(ref.table, ref.id)) out.push_back(std::move(ref));
  }
  return out;
}

Edited set_locked(const Design& design, const std::vector<EntityRef>& what, bool locked) {
  const auto selection = Selection::of(design, what);
  if (!selection) return tl::make_unexpected(selection.error());
  Design out = design;
  for (const Selection::Part& part : selection->parts) {
    if (part.ids.empty()) continue;
    at_table(part.table, [&](auto member) {
      using E = typename TableOf<decltype(member)>::entity;
      if constexpr (Lockable<E>) {
        std::vector<E> copy = *(design.*member);
        for (const Id id : part.ids) copy[static_cast<std::size_t>(find(copy, id) - copy.data())].locked = locked;
        out.*member = hallwright::share(std::move(copy));
      }
    });
  }
  return out;
}

} // namespace hallwright
