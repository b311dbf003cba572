// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "catalog/traced_part.h"
#include "space/design_value.h"

/// What the subjects from the training job downwards share when they read figures and parts.
namespace hallwright {

/// The same figure read as another number type (a count as a ratio): no new figure, no arithmetic.
template <class To, class From>
Traced<To> retyped(const Traced<From>& from) {
  if (!from.has_value()) return {To{}, from.figure, from.completeness, from.reason};
  return {from_base_value<To>(base_value(from.value)), from.figure, from.completeness, from.reason};
}

/// Field `Member` of `part`, or, where the row leaves it empty, the amount that an empty field means ("no shared
/// experts"): still a leaf of that row, with a remark.
template <auto Member>
auto part_value_or(Ledger& ledger, const Catalog& catalog,
                   const typename detail::MemberPointer<decltype(Member)>::entity& part,
                   typename detail::Unwrapped<typename detail::MemberPointer<decltype(Member)>::type>::type meaning) {
  if (part.*Member) return part_value<Member>(ledger, catalog, part);
  auto filled = part;
  filled.*Member = meaning;
  auto out = part_value<Member>(ledger, catalog, filled);
  ledger.remark(out, "empty in the catalog row, which means " + exact_number(base_value(meaning)));
  return out;
}

} // namespace hallwright
