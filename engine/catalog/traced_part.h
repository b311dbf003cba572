// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "ledger/ledger.h"
#include "quantity/text.h"

/// Catalog values as figures: the only way a stage reads a part.
namespace hallwright {

/// Field `Member` of `part` as a leaf figure with the source of its row.
template <auto Member>
auto part_value(Ledger& ledger, const Catalog& catalog, const typename detail::MemberPointer<decltype(Member)>::entity& part) {
  using P = typename detail::MemberPointer<decltype(Member)>::entity;
  using T = typename detail::Unwrapped<typename detail::MemberPointer<decltype(Member)>::type>::type;
  static const Field<P>* const found = [] {
    // The list holds type-erased getters; the one for this member answers when only this member is set.
    for (const auto& f : part_fields<P>())
      if (f.get == field<Member>("", "").get) return &f;
    return static_cast<const Field<P>*>(nullptr);
  }();
  const std::string_view name = found ? found->name : std::string_view("?");
  const bool overridden =
      !catalog.overridden.empty() &&
      catalog.overridden.count(std::tuple(std::string(part_kind<P>()), part.id, std::string(name))) > 0;
  return ledger.catalog_field<T>(part_kind<P>(), part.id, name, part.name + ": " + std::string(found ? found->label : name),
                                 overridden ? "replaced in this design; catalog: " + part.source : part.source + " (" + part.as_of + ")",
                                 part.*Member, overridden, found ? found->kind : nullptr);
}

/// Default `id` of the catalog as a leaf figure; an id that is missing or of another kind is unknown, with the reason.
template <class T>
Traced<T> assumption(Ledger& ledger, const Catalog& catalog, std::string_view id, const Kind& kind = KindOf<T>::value) {
  const Assumption* a = catalog.find<Assumption>(id);
  std::optional<T> value;
  std::string label(id), source = "missing from the catalog";
  std::string misfit; ///< why the value that stands there is of no use here
  bool overridden = false;
  if (a) {
    label = a->name;
    overridden = catalog.overridden.count(std::tuple(std::string("assumption"), a->id, std::string("value"))) > 0;
    source = overridden ? "replaced in this design; catalog: " + a->source : a->source + " (" + a->as_of + ")";
    if (a->value) {
      auto parsed = parse_quantity(exact_number(*a->value) + (a->unit.empty() || a->unit == "1" ? "" : " " + a->unit), kind);
      if (parsed) value = from_base_value<T>(*parsed);
      else misfit = "assumption " + a->id + " does not fit: " + parsed.error();
    }
  }
  auto traced = ledger.catalog_field<T>("assumption", id, "value", std::move(label), std::move(source), value, overridden, &kind);
  if (!misfit.empty()) {
    ledger.remark(traced, misfit);
    traced.reason = std::make_shared<const std::string>(std::move(misfit));
  }
  return traced;
}

} // namespace hallwright
