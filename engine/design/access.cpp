// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/access.h"

#include <charconv>

#include <fmt/format.h>

#include "design/typed_tables.h"

namespace hallwright {
namespace {

template <class E>
std::string name_or_empty(const E& entity) {
  const Field<E>* f = field_named<E>("name");
  if (f == nullptr) return {};
  const FieldValue value = f->get(entity);
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : std::string();
}

std::string joined_words() {
  std::string out;
  for (const auto& words : {section_words(), table_words()}) {
    for (std::string_view w : words) out += (out.empty() ? "" : ", ") + std::string(w);
  }
  return out;
}

std::string ref_text(const EntityRef& ref) { return ref.id == 0 ? ref.table : fmt::format("{} {}", ref.table, ref.id); }

std::string no_such_table(std::string_view table) {
  return fmt::format("'{}' is neither a section nor a table; there are {}", table, joined_words());
}

std::string no_such_entity(const Design& design, const EntityRef& ref) {
  if (table_fields(ref.table).empty()) return no_such_table(ref.table);
  if (ref.id == 0) return fmt::format("{} is a table: name an entity of it by id, such as {}.12", ref.table, ref.table);
  const auto ids = entity_ids(design, ref.table);
  if (ids.empty()) return fmt::format("{} does not exist; the table {} is empty", ref_text(ref), ref.table);
  return fmt::format("{} does not exist; the table {} holds {} entities with ids from {} to {}", ref_text(ref), ref.table, ids.size(),
                     ids.front(), ids.back());
}

template <class E>
std::string no_such_field(std::string_view table, std::string_view name) {
  std::string known;
  for (const Field<E>& f : fields<E>()) known += (known.empty() ? "" : ", ") + std::string(f.name);
  return fmt::format("{} has no field '{}'; it has {}", table, name, known);
}

/// Refuses what the field alone refuses, and a reference to nothing.
tl::expected<void, std::string> check_value(const Design& design, const FieldInfo& field, const FieldValue& value) {
  if (auto ok = check_field(field, value); !ok) return ok;
  if (field.type == FieldType::reference) {
    const auto* id = std::get_if<std::int64_t>(&value);
    if (id != nullptr && *id != 0 && !has_entity(design, {std::string(field.target), *id}))
      return tl::make_unexpected(fmt::format("{}: {}", field.label, no_such_entity(design, {std::string(field.target), *id})));
  }
  return {};
}

template <class E>
void check_fields(const Design& design, const E& entity, const std::string& name, std::vector<std::string>& out) {
  for (const Field<E>& f : fields<E>()) {
    if (auto ok = check_value(design, f, f.get(entity)); !ok) out.push_back(fmt::format("{}: {}", name, ok.error()));
  }
}

/// Id of the one entity of this name; an error says that there is none or more than one.
tl::expected<Id, std::string> id_of_name(const Design& design, std::string_view table, std::string_view name) {
  std::vector<Id> ids;
  const bool known = at_table(table, [&](auto member) {
    for (const auto& e : *(design.*member)) {
      if (name_or_empty(e) == name) ids.push_back(e.id);
    }
  });
  if (!known) return tl::make_unexpected(no_such_table(table));
  if (ids.empty()) return tl::make_unexpected(fmt::format("{} has no entity named '{}'", table, name));
  if (ids.size() > 1)
    return tl::make_unexpected(fmt::format("{} entities of {} are named '{}'; use an id, such as {}.{}", ids.size(), table, name, table, ids[0]));
  return ids[0];
}

template <class E>
void compare_fields(const EntityRef& ref, const std::string& name, const E& before, const E& after, std::vector<Difference>& out) {
  for (const Field<E>& f : fields<E>()) {
    FieldValue old = f.get(before), now = f.get(after);
    if (old != now) out.push_back({Difference::What::changed, ref, name, std::string(f.name), std::move(old), std::move(now)});
  }
}

template <class E>
std::string shown_name(const EntityRef& ref, const E& entity) {
  std::string name = name_or_empty(entity);
  return name.empty() ? ref_text(ref) : name;
}

} // namespace

std::vector<FieldInfo> table_fields(std::string_view table) {
  std::vector<FieldInfo> out;
  const auto take = [&](auto list) { out.assign(list.begin(), list.end()); };
  if (!at_section(table, [&](auto member) { take(fields<typename SectionOf<decltype(member)>::entity>()); }))
    at_table(table, [&](auto member) { take(fields<typename TableOf<decltype(member)>::entity>()); });
  return out;
}

std::vector<std::string_view> section_words() {
  std::vector<std::string_view> out;
  for_each_section([&](std::string_view word, auto) { out.push_back(word); });
  return out;
}

std::vector<std::string_view> table_words() {
  std::vector<std::string_view> out;
  for_each_table([&](std::string_view word, auto) { out.push_back(word); });
  return out;
}

std::vector<Id> entity_ids(const Design& design, std::string_view table) {
  std::vector<Id> out;
  at_table(table, [&](auto member) {
    out.reserve((design.*member)->size());
    for (const auto& e : *(design.*member)) out.push_back(e.id);
  });
  return out;
}

bool has_entity(const Design& design, const EntityRef& entity) {
  if (entity.table == any_table) return !table_of(design, entity.id).empty();
  return at_entity(design, entity, [](const auto&) {});
}

std::string table_of(const Design& design, Id id) {
  std::string out;
  for_each_table([&](std::string_view word, auto member) {
    if (out.empty() && find(*(design.*member), id) != nullptr) out = word;
  });
  return out;
}

std::string entity_name(const Design& design, const EntityRef& entity) {
  std::string out = ref_text(entity);
  at_entity(design, entity, [&](const auto& e) { out = shown_name(entity, e); });
  return out;
}

tl::expected<FieldValue, std::string> get_field(const Design& design, const EntityRef& entity, std::string_view field) {
  tl::expected<FieldValue, std::string> out;
  const bool found = at_entity(design, entity, [&]<class E>(const E& e) {
    if (const Field<E>* f = field_named<E>(field)) out = f->get(e);
    else out = tl::make_unexpected(no_such_field<E>(entity.table, field));
  });
  if (!found) return tl::make_unexpected(no_such_entity(design, entity));
  return out;
}

tl::expected<Design, std::string> set_field(const Design& design, const EntityRef& entity, std::string_view field, const FieldValue& value) {
  tl::expected<Design, std::string> out = design;
  const bool section = entity.id == 0 && at_section(entity.table, [&](auto member) {
    using E = typename SectionOf<decltype(member)>::entity;
    const Field<E>* f = field_named<E>(field);
    if (f == nullptr) {
      out = tl::make_unexpected(no_such_field<E>(entity.table, field));
      return;
    }
    if (auto ok = check_value(design, *f, value); !ok) {
      out = tl::make_unexpected(ok.error());
      return;
    }
    E copy = *(design.*member);
    const FieldValue before = f->get(copy);
    f->set(copy, value);
    if (f->get(copy) != before) (*out).*member = hallwright::share(std::move(copy));
  });
  return section ? out : set_field_of_all(design, entity.table, {entity.id}, field, value);
}

tl::expected<Design, std::string> set_field_of_all(const Design& design, std::string_view table, const std::vector<Id>& ids,
                                                   std::string_view field, const FieldValue& value) {
  tl::expected<Design, std::string> out = design;
  const bool found = at_table(table, [&](auto member) {
    using E = typename TableOf<decltype(member)>::entity;
    const Field<E>* f = field_named<E>(field);
    if (f == nullptr) {
      out = tl::make_unexpected(no_such_field<E>(table, field));
      return;
    }
    if (auto ok = check_value(design, *f, value); !ok) {
      out = tl::make_unexpected(ok.error());
      return;
    }
    const std::vector<E>& now = *(design.*member);
    std::vector<E> copy; // made at the first real change, so that a change to the same value shares the table
    for (const Id id : ids) {
      const E* entity = find(now, id);
      if (entity == nullptr) {
        out = tl::make_unexpected(no_such_entity(design, {std::string(table), id}));
        return;
      }
      E changed = *entity;
      f->set(changed, value);
      if (f->get(changed) == f->get(*entity)) continue;
      if (copy.empty()) copy = now;
      copy[static_cast<std::size_t>(entity - now.data())] = std::move(changed);
    }
    if (!copy.empty()) (*out).*member = hallwright::share(std::move(copy));
  });
  if (!found) {
    if (!table_fields(table).empty()) // a section: only its id 0 can be meant
      return ids == std::vector<Id>{0} ? set_field(design, {std::string(table), 0}, field, value)
                                       : tl::make_unexpected(fmt::format("{} is a section and has no entities with ids", table));
    return tl::make_unexpected(no_such_table(table));
  }
  return out;
}

tl::expected<FieldPath, std::string> parse_path(const Design& design, std::string_view path) {
  const auto shape = [&] {
    return tl::make_unexpected(fmt::format("'{}' is not a path to a field; write site.utility_power, racks.12.x or racks.[R01-03].x", path));
  };
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos || dot == 0) return shape();
  FieldPath out;
  out.entity.table = std::string(path.substr(0, dot));
  std::string_view rest = path.substr(dot + 1);
  const std::vector<FieldInfo> known = table_fields(out.entity.table);
  if (known.empty()) return tl::make_unexpected(no_such_table(out.entity.table));
  if (!has_entity(design, out.entity)) { // a table: its entity comes next
    if (rest.starts_with('[')) {
      const std::size_t close = rest.rfind("]."); // names may hold brackets and points, field names do not
      if (close == std::string_view::npos) return shape();
      const auto id = id_of_name(design, out.entity.table, rest.substr(1, close - 1));
      if (!id) return tl::make_unexpected(id.error());
      out.entity.id = *id;
      rest = rest.substr(close + 2);
    } else {
      const std::size_t next = rest.find('.');
      const std::string_view digits = rest.substr(0, next);
      const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), out.entity.id);
      if (next == std::string_view::npos || ec != std::errc() || end != digits.data() + digits.size() || out.entity.id < 1) return shape();
      rest = rest.substr(next + 1);
    }
    if (!has_entity(design, out.entity)) return tl::make_unexpected(no_such_entity(design, out.entity));
  }
  out.field = std::string(rest);
  if (auto value = get_field(design, out.entity, out.field); !value) return tl::make_unexpected(value.error());
  return out;
}

tl::expected<Design, std::string> set_by_path(const Design& design, std::string_view path, std::string_view value_text) {
  const auto where = parse_path(design, path);
  if (!where) return tl::make_unexpected(where.error());
  const auto known = table_fields(where->entity.table);
  const FieldInfo& field = *std::find_if(known.begin(), known.end(), [&](const FieldInfo& f) { return f.name == where->field; });
  const auto present = get_field(design, where->entity, where->field);
  auto value = parse_field_edit(field, value_text, *present);
  if (!value && field.type == FieldType::reference) { // by name, where it is not an id
    const auto id = id_of_name(design, field.target, value_text);
    if (!id) return tl::make_unexpected(fmt::format("{}: {}", field.label, id.error()));
    value = *id;
  }
  if (!value) return tl::make_unexpected(value.error());
  return set_field(design, where->entity, where->field, *value);
}

std::vector<std::string> validate(const Design& design) {
  std::vector<std::string> out;
  for_each_section([&](std::string_view word, auto member) { check_fields(design, *(design.*member), std::string(word), out); });
  std::vector<std::pair<Id, std::string_view>> owners;
  for_each_table([&](std::string_view word, auto member) {
    Id last = 0;
    for (const auto& e : *(design.*member)) {
      const EntityRef ref{std::string(word), e.id};
      if (e.id < 1) out.push_back(fmt::format("{}: an id is 1 or more", ref_text(ref)));
      if (e.id >= design.next_id) out.push_back(fmt::format("{}: the next fresh id is {}, so no id may be as large", ref_text(ref), design.next_id));
      if (e.id < last) out.push_back(fmt::format("{}: stands after {}; a table is sorted by id", ref_text(ref), last));
      last = e.id;
      owners.emplace_back(e.id, word);
      std::string name = name_or_empty(e);
      check_fields(design, e, name.empty() ? ref_text(ref) : fmt::format("{} ({})", ref_text(ref), name), out);
    }
  });
  std::sort(owners.begin(), owners.end());
  for (std::size_t i = 1; i < owners.size(); ++i) {
    if (owners[i].first == owners[i - 1].first)
      out.push_back(fmt::format("Id {} is used twice, in {} and in {}", owners[i].first, owners[i - 1].second, owners[i].second));
  }
  return out;
}

std::vector<Difference> differences(const Design& before, const Design& after) {
  std::vector<Difference> out;
  for_each_section([&](std::string_view word, auto member) {
    if (before.*member == after.*member) return;
    const EntityRef ref{std::string(word), 0};
    compare_fields(ref, shown_name(ref, *(after.*member)), *(before.*member), *(after.*member), out);
  });
  for_each_table([&](std::string_view word, auto member) {
    if (before.*member == after.*member) return;
    const auto& old = *(before.*member);
    const auto& now = *(after.*member);
    auto a = old.begin();
    auto b = now.begin();
    while (a != old.end() || b != now.end()) {
      const bool removed = b == now.end() || (a != old.end() && a->id < b->id);
      const bool added = !removed && (a == old.end() || b->id < a->id);
      const EntityRef ref{std::string(word), removed ? a->id : b->id};
      if (removed) {
        out.push_back({Difference::What::removed, ref, shown_name(ref, *a), {}, {}, {}});
        ++a;
      } else if (added) {
        out.push_back({Difference::What::added, ref, shown_name(ref, *b), {}, {}, {}});
        ++b;
      } else {
        compare_fields(ref, shown_name(ref, *b), *a, *b, out);
        ++a;
        ++b;
      }
    }
  });
  return out;
}

tl::expected<Design, std::string> with_scenario(const Design& design, Id scenario) {
  const Scenario* wanted = find(*design.scenarios, scenario);
  if (wanted == nullptr) return tl::make_unexpected(no_such_entity(design, {"scenarios", scenario}));
  Design out = design;
  for (const ScenarioChange& change : *design.scenario_changes) { // sorted by id
    if (change.scenario != scenario) continue;
    auto next = set_by_path(out, change.path, change.value);
    if (!next)
      return tl::make_unexpected(fmt::format("Scenario '{}', change {} ({} = {}): {}", wanted->name, change.id, change.path, change.value, next.error()));
    out = *std::move(next);
  }
  return out;
}

} // namespace hallwright
