// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/edits.h"

#include <fmt/format.h>

#include "design/small_groups.h"
#include "design/typed_tables.h"

/// Edits that delete.
namespace hallwright {
namespace {

/// Scenario changes whose path names something that goes.
std::vector<Id> changes_without_subject(const Design& design, const Selection& gone) {
  std::vector<Id> out;
  for (const ScenarioChange& change : *design.scenario_changes) {
    const auto path = parse_path(design, change.path);
    if (path && path->entity.id != 0 && gone.holds(path->entity.table, path->entity.id)) out.push_back(change.id);
  }
  return out;
}

/// Everything that goes when `selection` goes.
Selection all_that_goes(const Design& design, const Selection& selection) {
  Selection gone = with_belongings(design, selection, deleted_along());
  const std::vector<Id> changes = changes_without_subject(design, gone);
  for (Selection::Part& part : gone.parts) {
    if (part.table != "scenario_changes") continue;
    part.ids.insert(part.ids.end(), changes.begin(), changes.end());
    std::sort(part.ids.begin(), part.ids.end());
    part.ids.erase(std::unique(part.ids.begin(), part.ids.end()), part.ids.end());
  }
  return gone;
}

template <class E>
std::vector<const Field<E>*> reference_fields() {
  std::vector<const Field<E>*> out;
  for (const Field<E>& f : fields<E>()) {
    if (f.type == FieldType::reference) out.push_back(&f);
  }
  return out;
}

template <class E>
Id referred(const Field<E>& f, const E& e) {
  return std::get<Id>(f.get(e));
}

/// "Coolant loop" inside a sentence; "A feed" stays.
std::string lower_first(std::string_view label) {
  std::string out(label);
  if (out.size() > 1 && out[0] >= 'A' && out[0] <= 'Z' && out[1] >= 'a' && out[1] <= 'z') out[0] = static_cast<char>(out[0] - 'A' + 'a');
  return out;
}

} // namespace

std::vector<std::string> what_deleting_disconnects(const Design& design, const std::vector<EntityRef>& what) {
  std::vector<std::string> out;
  std::vector<EntityRef> present;
  std::copy_if(what.begin(), what.end(), std::back_inserter(present),
               [&](const EntityRef& ref) { return ref.id != 0 && has_entity(design, ref); });
  const auto selection = Selection::of(design, present);
  if (!selection) return out;
  const Selection gone = all_that_goes(design, *selection);
  for_each_table([&](std::string_view word, auto member) {
    using E = typename TableOf<decltype(member)>::entity;
    const auto references = reference_fields<E>();
    const std::vector<Id>& going = gone.ids(word);
    const std::vector<Id>& selected = selection->ids(word);
    for (const E& e : *(design.*member)) {
      if (std::binary_search(selected.begin(), selected.end(), e.id)) continue;
      const bool goes = std::binary_search(going.begin(), going.end(), e.id);
      if (goes && references.empty()) continue;
      std::string cause;
      for (const Field<E>* f : references) {
        const Id id = referred(*f, e);
        if (id == 0 || !gone.holds(f->target, id)) continue;
        const EntityRef self{std::string(word), e.id};
        if (!goes) {
          out.push_back(fmt::format("{} loses its {}", entity_in_words(design, self), lower_first(f->label)));
        } else if (cause.empty()) {
          for (const Belonging& b : deleted_along()) {
            if (b.table != word || b.field != f->name) continue;
            const std::string table = f->target == any_table ? std::string(table_of(design, id)) : std::string(f->target);
            cause = lower_first(entity_in_words(design, {table, id}));
          }
        }
      }
      if (goes)
        out.push_back(fmt::format("{} is deleted with {}", entity_in_words(design, {std::string(word), e.id}),
                                  cause.empty() ? std::string("what it changes") : cause));
    }
  });
  return out;
}

Edited remove(const Design& design, const std::vector<EntityRef>& what) {
  const auto selection = Selection::of(design, what);
  if (!selection) return tl::make_unexpected(selection.error());
  if (selection->size() == 0) return design;
  const Selection gone = all_that_goes(design, *selection);
  Design out = design;
  for_each_table([&](std::string_view word, auto member) {
    using E = typename TableOf<decltype(member)>::entity;
    const std::vector<E>& now = *(design.*member);
    const std::vector<Id>& going = gone.ids(word);
    const auto references = reference_fields<E>();
    const auto loses = [&](const Field<E>* f, const E& e) {
      const Id id = referred(*f, e);
      return id != 0 && gone.holds(f->target, id);
    };
    const bool touched = !going.empty() || std::any_of(now.begin(), now.end(), [&](const E& e) {
      return std::any_of(references.begin(), references.end(), [&](const Field<E>* f) { return loses(f, e); });
    });
    if (!touched) return;
    std::vector<E> kept;
    kept.reserve(now.size());
    for (const E& e : now) {
      if (std::binary_search(going.begin(), going.end(), e.id)) continue;
      kept.push_back(e);
      for (const Field<E>* f : references) {
        if (loses(f, e)) f->set(kept.back(), Id{0});
      }
    }
    out.*member = hallwright::share(std::move(kept));
  });
  return without_small_groups(std::move(out), with_groups(design, gone).ids("groups"));
}

} // namespace hallwright
