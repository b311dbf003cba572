// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "design/design.h"

/// Reaching entities and fields by name: what inspector, files, command line, diff and scenarios use.
namespace hallwright {

/// Names an entity: its table and id (id 0: a section with one entity).
struct EntityRef {
  std::string table;
  Id id = 0;
  friend auto operator<=>(const EntityRef&, const EntityRef&) = default;
};

/// Field descriptions of a table or section ("racks", "site"); empty when there is no such table.
std::vector<FieldInfo> table_fields(std::string_view table);
/// Words of all sections and tables, in file order.
std::vector<std::string_view> section_words();
std::vector<std::string_view> table_words();

/// Ids of a table, ascending.
std::vector<Id> entity_ids(const Design& design, std::string_view table);
bool has_entity(const Design& design, const EntityRef& entity);
/// Table of the entity with this id (ids are unique over all tables), or empty.
std::string table_of(const Design& design, Id id);
/// Its name field, or "racks 12".
std::string entity_name(const Design& design, const EntityRef& entity);

/// Value of a field; an error names what does not exist.
tl::expected<FieldValue, std::string> get_field(const Design& design, const EntityRef& entity, std::string_view field);
/// A design in which the field has this value. Refuses wrong types, values out of range and references to nothing.
tl::expected<Design, std::string> set_field(const Design& design, const EntityRef& entity, std::string_view field, const FieldValue& value);
/// The same field on several entities of one table at once (one copy of the table).
tl::expected<Design, std::string> set_field_of_all(const Design& design, std::string_view table, const std::vector<Id>& ids,
                                                   std::string_view field, const FieldValue& value);

/// `site.utility_power`, `racks.12.x`, `rack_types.[DGX rack].width` (by name in brackets).
struct FieldPath {
  EntityRef entity;
  std::string field;
};
tl::expected<FieldPath, std::string> parse_path(const Design& design, std::string_view path);
/// `--set PATH=VALUE`: unit-aware text, `+=` allowed for numbers.
tl::expected<Design, std::string> set_by_path(const Design& design, std::string_view path, std::string_view value_text);

/// Every broken rule of the document itself: references to nothing, ids twice, values out of range.
std::vector<std::string> validate(const Design& design);

/// One difference between two designs.
struct Difference {
  enum class What { added, removed, changed } what = What::changed;
  EntityRef entity;
  std::string name;  ///< of the entity
  std::string field; ///< for changed
  FieldValue before, after;
};
std::vector<Difference> differences(const Design& before, const Design& after);

/// The base with the changes of one scenario applied; an error names the change that does not fit.
tl::expected<Design, std::string> with_scenario(const Design& design, Id scenario);

} // namespace hallwright
