// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "design/design.h"
#include "ledger/ledger.h"

/// Fields of the design as figures: the only way a stage reads one.
namespace hallwright {

/// The description of field `Member` in the one list of its entity.
/// @throws std::logic_error when the list leaves the member out: a mistake in the program
template <auto Member>
const FieldInfo& field_info() {
  using E = typename detail::MemberPointer<decltype(Member)>::entity;
  static const FieldInfo* const found = [] {
    for (const Field<E>& f : fields<E>())
      if (f.get == field<Member>("", "").get) return static_cast<const FieldInfo*>(&f);
    return static_cast<const FieldInfo*>(nullptr);
  }();
  if (!found) throw std::logic_error("a member that a stage reads is missing from the field list of its entity");
  return *found;
}

/// Field `Member` of `entity` as a leaf figure; a choice is the number of its word, yes is 1.
/// @param table  "racks", or the word of a section with one entity
/// @param owner  name of the entity, put before the label; empty for sections
/// @param missing  why nothing that rests on the field can be computed while it is not set ("no utility power is entered")
/// @return where an optional field is not set: not applicable with `missing` as the reason, unknown where that is empty
template <auto Member>
auto design_value(Ledger& ledger, std::string_view table,
                  const typename detail::MemberPointer<decltype(Member)>::entity& entity, std::string_view owner = {},
                  std::string_view missing = {}) {
  using Held = typename detail::Unwrapped<typename detail::MemberPointer<decltype(Member)>::type>::type;
  using T = std::conditional_t<std::is_enum_v<Held> || std::is_same_v<Held, bool>, Count, Held>;
  const FieldInfo& info = field_info<Member>();
  Id id = 0;
  if constexpr (requires { entity.id; }) id = entity.id;
  std::string label = owner.empty() ? std::string(info.label) : std::string(owner) + ": " + std::string(info.label);
  std::optional<T> value;
  if constexpr (detail::Unwrapped<typename detail::MemberPointer<decltype(Member)>::type>::optional) {
    if (entity.*Member) value = static_cast<T>(*(entity.*Member));
  } else {
    value = static_cast<T>(entity.*Member);
  }
  return ledger.design_field<T>(table, id, info, std::move(label), value, missing);
}

/// Power that the utility delivers; not applicable while none is entered.
inline Traced<Power> utility_power(Ledger& ledger, const Site& site) {
  return design_value<&Site::utility_power>(ledger, "site", site, {}, "no utility power is entered");
}

} // namespace hallwright
