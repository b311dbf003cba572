// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "design/access.h"

/// From the word of a table to its type: for code in this folder that treats all tables alike.
namespace hallwright {

template <class Member>
struct TableOf;
template <class E>
struct TableOf<Shared<std::vector<E>> Design::*> {
  using entity = E; ///< what the table holds
};
template <class Member>
struct SectionOf;
template <class E>
struct SectionOf<Shared<E> Design::*> {
  using entity = E; ///< what the section is
};

/// What stands on the plan.
template <class E>
concept OnPlan = requires(E e) {
  e.x;
  e.y;
};
template <class E>
concept Named = requires(E e) { e.name; };
template <class E>
concept InHall = requires(E e) { e.hall; };

/// Calls `f(member)` for the table of this word; false when there is none.
template <class F>
bool at_table(std::string_view table, F&& f) {
  bool found = false;
  for_each_table([&](std::string_view word, auto member) {
    if (word == table) {
      found = true;
      f(member);
    }
  });
  return found;
}

/// Calls `f(member)` for the section of this word; false when there is none.
template <class F>
bool at_section(std::string_view section, F&& f) {
  bool found = false;
  for_each_section([&](std::string_view word, auto member) {
    if (word == section) {
      found = true;
      f(member);
    }
  });
  return found;
}

/// Calls `f(entity)` for the entity, whatever its type; false when it does not exist.
template <class F>
bool at_entity(const Design& design, const EntityRef& ref, F&& f) {
  if (ref.id == 0 && at_section(ref.table, [&](auto member) { f(*(design.*member)); })) return true;
  bool found = false;
  at_table(ref.table, [&](auto member) {
    if (const auto* entity = find(*(design.*member), ref.id)) {
      found = true;
      f(*entity);
    }
  });
  return found;
}

template <class E>
const Field<E>* field_named(std::string_view name) {
  for (const Field<E>& f : fields<E>()) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

/// "Rack R01-03", "Power unit UPS 1", "Rack item 12": an entity in a sentence.
std::string entity_in_words(const Design& design, const EntityRef& entity);

/// Ids of a selection, table by table in file order, ascending and each once.
struct Selection {
  struct Part {
    std::string_view table;
    std::vector<Id> ids;
  };
  std::vector<Part> parts;

  /// An error names what does not exist.
  static tl::expected<Selection, std::string> of(const Design& design, const std::vector<EntityRef>& what);
  [[nodiscard]] const std::vector<Id>& ids(std::string_view table) const;
  [[nodiscard]] bool holds(std::string_view table, Id id) const;
  [[nodiscard]] std::size_t size() const;
};

/// A reference by which an entity belongs to another one: `racks.hall`.
struct Belonging {
  std::string_view table, field;
};
/// What a copy takes along: content of halls, rows, rack types and scenarios.
std::span<const Belonging> copied_along();
/// What cannot live without the entity that it belongs to.
std::span<const Belonging> deleted_along();
/// The selection with everything that belongs to it, at any depth.
Selection with_belongings(const Design& design, Selection selection, std::span<const Belonging> belongings);

} // namespace hallwright
