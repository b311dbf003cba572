// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>

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
/// What is drawn by corners: the member that holds them.
template <class E>
concept WithPath = requires(E e) {
  { e.path } -> std::same_as<std::vector<PlanPoint>&>;
};
template <class E>
concept WithOutline = requires(E e) { e.outline; } && !std::is_same_v<E, Hall>; // a hall's outline is where things stand
/// What moves by points of its own.
template <class E>
concept ByPoints = WithPath<E> || WithOutline<E> || std::is_same_v<E, Dimension> || std::is_same_v<E, Guide>;

/// The points by which an entity is moved: corners, path, the free ends of a dimension, a guide's position.
template <ByPoints E>
std::vector<PlanPoint> own_points(const E& e) {
  if constexpr (WithPath<E>) return e.path;
  else if constexpr (WithOutline<E>) return e.outline;
  else if constexpr (std::is_same_v<E, Guide>)
    return {e.axis == GuideAxis::x ? PlanPoint{in_millimeters(e.position), 0.0} : PlanPoint{0.0, in_millimeters(e.position)}};
  else {
    std::vector<PlanPoint> out;
    if (e.start == 0) out.push_back({in_millimeters(e.start_x), in_millimeters(e.start_y)});
    if (e.end == 0) out.push_back({in_millimeters(e.end_x), in_millimeters(e.end_y)});
    return out;
  }
}
/// Sets points as `own_points` gave them, as many.
template <ByPoints E>
void set_own_points(E& e, std::vector<PlanPoint> points) {
  if constexpr (WithPath<E>) e.path = std::move(points);
  else if constexpr (WithOutline<E>) e.outline = std::move(points);
  else if constexpr (std::is_same_v<E, Guide>)
    e.position = millimeters(e.axis == GuideAxis::x ? points.front().x_mm : points.front().y_mm);
  else {
    if (e.start == 0) e.start_x = millimeters(points.front().x_mm), e.start_y = millimeters(points.front().y_mm);
    if (e.end == 0) e.end_x = millimeters(points.back().x_mm), e.end_y = millimeters(points.back().y_mm);
  }
}

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
/// The selection with the groups of what it holds, so that copies of grouped things are a group of their own.
Selection with_groups(const Design& design, Selection selection);
/// The selection with everything that belongs to it, at any depth.
Selection with_belongings(const Design& design, Selection selection, std::span<const Belonging> belongings);

} // namespace hallwright
