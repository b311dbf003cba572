// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "catalog/catalog.h"
#include "design/access.h"

namespace hallwright {

/// What a thing is called on the screen: its name; where it has none, what it is ("4 × DGX H100", the words of a note,
/// "Dimension 54"). `catalog` may be null: then parts go by their ids.
QString entity_title(const Design& design, const Catalog* catalog, const EntityRef& entity);

/// One thing of a table in words: "rack_items" is "Rack item", "cooling_plant" is "Cooling plant".
QString table_word(const std::string& table);
/// Several: "12 power units", "1 rack".
QString things_of(const std::string& table, int n);
/// A choice as it is shown: "ups" is "UPS", "cdu" is "CDU"; words that are nobody's choice stay as they are.
QString screen_choice(std::string_view word);
/// Maker and name of a part, the maker once.
QString maker_and_name(const std::string& vendor, const std::string& name);
/// A field's value in words: "N+1", "3.5 MW", the name of a part or of another thing, "not set".
QString value_words(const FieldInfo& field, const FieldValue& value, const Design& design, const Catalog* catalog);
/// An input by its path as people call it: "site.utility_power" is "Utility power of Site". What is no path stays.
QString path_words(const Design& design, const Catalog* catalog, const std::string& path);

} // namespace hallwright
