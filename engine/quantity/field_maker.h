// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantity/field.h"
#include "quantity/kind_of.h"

namespace hallwright {

/// Words of an enumeration, in order of its values: specialise `ChoiceWords<E>::words`.
template <class Enumeration>
struct ChoiceWords;

namespace detail {
template <class M>
struct MemberPointer;
template <class E, class T>
struct MemberPointer<T E::*> {
  using entity = E;
  using type = T;
};
template <class T>
struct Unwrapped {
  using type = T;
  static constexpr bool optional = false;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using type = T;
  static constexpr bool optional = true;
};

template <class T>
FieldValue to_field_value(const T& v) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string> || std::is_same_v<T, std::int64_t>) {
    return v;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(ChoiceWords<T>::words[static_cast<std::size_t>(v)]);
  } else if constexpr (std::is_same_v<T, std::vector<PlanPoint>>) {
    return outline_text(v);
  } else {
    return base_value(v);
  }
}
template <class T>
T from_field_value(const FieldValue& v) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string> || std::is_same_v<T, std::int64_t>) {
    return std::get<T>(v);
  } else if constexpr (std::is_enum_v<T>) {
    const auto& word = std::get<std::string>(v);
    std::size_t i = 0;
    while (i + 1 < std::size(ChoiceWords<T>::words) && ChoiceWords<T>::words[i] != word) ++i;
    return static_cast<T>(i);
  } else if constexpr (std::is_same_v<T, std::vector<PlanPoint>>) {
    return parse_outline(std::get<std::string>(v), 2).value_or(std::vector<PlanPoint>{});
  } else {
    return from_base_value<T>(std::get<double>(v));
  }
}
template <class T>
constexpr FieldType field_type() {
  if constexpr (std::is_same_v<T, bool>) return FieldType::boolean;
  else if constexpr (std::is_same_v<T, std::string>) return FieldType::text;
  else if constexpr (std::is_same_v<T, std::int64_t>) return FieldType::count;
  else if constexpr (std::is_enum_v<T>) return FieldType::choice;
  else if constexpr (std::is_same_v<T, std::vector<PlanPoint>>) return FieldType::outline;
  else return FieldType::number;
}
} // namespace detail

/// What a field adds to its member: everything of `FieldInfo` that the type does not tell.
struct FieldOptions {
  /// Base unit, inclusive; for corners: how many there must be at least (2 makes it a path).
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  std::string_view help = {};
  std::string_view unit = {};
  const Kind* kind = nullptr;
  std::string_view reference = {}; ///< makes a reference to this table
  std::string_view part = {};      ///< makes a part of this catalog kind
};

/// `field` for a member that `Entity` inherits: `field_of<NodePart, &Part::id>("id", "Id")`.
template <class Entity, auto Member>
constexpr auto field_of(std::string_view name, std::string_view label, FieldOptions options = {}) {
  using Pointer = detail::MemberPointer<decltype(Member)>;
  using Wrapped = detail::Unwrapped<typename Pointer::type>;
  using T = typename Wrapped::type;
  Field<Entity> f;
  f.name = name;
  f.label = label;
  f.type = detail::field_type<T>();
  if (!options.reference.empty()) {
    f.type = FieldType::reference;
    f.target = options.reference;
  }
  if (!options.part.empty()) {
    f.type = FieldType::part;
    f.target = options.part;
  }
  if constexpr (detail::field_type<T>() == FieldType::number || detail::field_type<T>() == FieldType::count) {
    f.kind = options.kind ? options.kind : &KindOf<T>::value;
  }
  if constexpr (std::is_enum_v<T>) f.choices = ChoiceWords<T>::words;
  f.minimum = options.minimum;
  f.maximum = options.maximum;
  f.optional = Wrapped::optional || !options.reference.empty() || !options.part.empty();
  f.unit = options.unit;
  f.help = options.help;
  f.get = [](const Entity& e) -> FieldValue {
    const auto& member = e.*Member;
    if constexpr (Wrapped::optional) {
      if (!member) return std::monostate{};
      return detail::to_field_value<T>(*member);
    } else {
      return detail::to_field_value<T>(member);
    }
  };
  f.set = [](Entity& e, const FieldValue& value) {
    auto& member = e.*Member;
    if constexpr (Wrapped::optional) {
      if (std::holds_alternative<std::monostate>(value)) member.reset();
      else member = detail::from_field_value<T>(value);
    } else {
      if (std::holds_alternative<std::monostate>(value)) member = T{};
      else member = detail::from_field_value<T>(value);
    }
  };
  return f;
}

/// A field under a heading of its form, and for some choices only.
template <class Entity>
constexpr Field<Entity> folded(Field<Entity> field, std::string_view section, std::string_view only_for = {}) {
  field.section = section;
  field.only_for = only_for;
  return field;
}

/// `field<&Rack::x>("x", "Position x", {.minimum = 0, .unit = "mm", .help = "..."})`
template <auto Member>
constexpr auto field(std::string_view name, std::string_view label, FieldOptions options = {}) {
  return field_of<typename detail::MemberPointer<decltype(Member)>::entity, Member>(name, label, options);
}
} // namespace hallwright
