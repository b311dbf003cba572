// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "catalog/catalog.h"
#include "design/access.h"

namespace hallwright {

/// What a thing is called on the screen: its name; where it has none, what it is ("4 × DGX H100", the words of a note,
/// "Dimension 54"). `catalog` may be null: then parts go by their ids.
QString entity_title(const Design& design, const Catalog* catalog, const EntityRef& entity);

} // namespace hallwright
