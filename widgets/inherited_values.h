// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QString>

#include "evaluation/evaluation.h"

/// What holds for a field that is not set: the value of the part, of the plant or of the catalog, and where it comes from.
namespace hallwright {

struct Inherited {
  FieldValue value; ///< nothing: the words alone say what holds
  QString origin;   ///< "from the part"; without a value "none", "from its place on the plan"
};

/// Nothing where only a computation could say it, or where nothing is known.
/// @param evaluation  may be null: what stages found is then not told
std::optional<Inherited> inherited_value(const Design& design, const Catalog& catalog, const Evaluation* evaluation,
                                         const EntityRef& entity, std::string_view field);

/// "90 kW, from the part", as the editor of the field would write it.
QString inherited_words(const FieldInfo& field, const Inherited& inherited);

} // namespace hallwright
