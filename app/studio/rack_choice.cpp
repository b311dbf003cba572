// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rack_choice.h"

#include <map>

#include "space/footprints.h"

namespace hallwright {

LikelyRack likely_rack(const Design& design, const Catalog& catalog) {
  std::map<Id, std::size_t> used;
  for (const Rack& r : *design.racks)
    ++used[r.rack_type];
  LikelyRack most, known;
  std::size_t most_racks = 0;
  for (const RackType& t : *design.rack_types) {
    if (t.role == RackRole::fabric) continue;
    if (const auto it = used.find(t.id); it != used.end() && it->second > most_racks) {
      most_racks = it->second;
      most.type = t.id;
    }
    if (known.type == 0 && rack_footprint(catalog, t).known) known.type = t.id;
  }
  if (most.type != 0) return most;
  if (known.type != 0) return known;
  for (const bool cabinets : {false, true}) // in the order of the lists
    for (const PartSummary& p : part_summaries(catalog, "rack")) {
      const RackPart* part = catalog.find<RackPart>(p.id);
      if (!part || (part->kind == "cabinet") != cabinets) continue;
      RackType type;
      type.rack_part = p.id;
      if (rack_footprint(catalog, type).known) return {0, p.id};
    }
  return {};
}

} // namespace hallwright
