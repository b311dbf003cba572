// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "design/edits.h"
#include "design/typed_tables.h"

/// The one way in which entities are copied: duplicate, array and paste differ in what they fill in here.
namespace hallwright {

/// Most entities that one edit makes.
inline constexpr std::int64_t most_new_entities = 200000;

struct CopyShift {
  double x = 0.0, y = 0.0; ///< [m]
};

struct CopyRequest {
  const Design* source = nullptr;
  const Selection* selection = nullptr; ///< of the source, complete
  const Design* target = nullptr;
  std::vector<CopyShift> shifts;        ///< one copy for each
  Id hall = 0;                          ///< hall of the copies whose own hall is not copied; 0: keep
  std::map<EntityRef, Id> stand_ins;    ///< entities of the source that the target has already
  /// What a reference to an entity outside the selection becomes (0: none). Not set: kept.
  std::function<Id(std::string_view table, Id id)> outside;
};

/// Copies with new ids and free names; references inside the selection lead to the copies.
Making copied(const CopyRequest& request);

} // namespace hallwright
