// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/finding.h"
#include "space/aisles.h"
#include "space/hanging.h"

/// Remedies that move and turn things: each is looked at on the plan before it is offered, so that what it moves stays
/// in its hall and stands in nobody's place.
namespace hallwright {

class Rearranging {
public:
  explicit Rearranging(const CheckContext& context);
  Rearranging(const Rearranging&) = delete;
  Rearranging& operator=(const Rearranging&) = delete;

  [[nodiscard]] const FloorPlan& plan() const { return plan_; }
  [[nodiscard]] const Outlook& outlook() const { return outlook_; }
  /// Index of a thing in the plan, or nothing.
  [[nodiscard]] std::optional<std::uint32_t> index(const EntityRef& ref) const;
  [[nodiscard]] bool movable(std::uint32_t thing) const; ///< a rack or plant, not locked
  /// Whether these can all move by (dx, dy) mm.
  [[nodiscard]] bool room_for(const std::vector<std::uint32_t>& what, double dx, double dy) const;
  /// The thing and everything of its hall that stands further along (dx, dy), a unit vector along x or y.
  [[nodiscard]] std::vector<std::uint32_t> and_beyond(std::uint32_t thing, double dx, double dy) const;

  /// "<label> by 250 mm", if there is room. Containments of the aisles that racks leave go with them, or are drawn
  /// wider or narrower to their new faces; none where that cannot be done. Busways, trays and pipes go with the racks
  /// below them when all of those go and they are joined to nothing that stays; what stays is named.
  [[nodiscard]] std::optional<Remedy> move(const std::string& label, const std::vector<std::uint32_t>& what, double dx,
                                           double dy) const;
  /// The shortest move of a thing out of a box that has room.
  [[nodiscard]] std::optional<Remedy> move_out_of(std::uint32_t thing, const PlanBox& box) const;
  /// Makes `by` mm more room ahead of a face that looks along (dx, dy): what it looks at and all beyond moves on, or
  /// the thing and all behind it moves back. What has room comes first.
  [[nodiscard]] std::vector<Remedy> more_room(std::uint32_t thing, double dx, double dy, double by) const;
  /// The containment cut back from the racks that it crosses, where enough of it is left to walk in.
  [[nodiscard]] std::optional<Remedy> cut_back(const Containment& containment) const;
  /// Turns each in its place by half a turn.
  [[nodiscard]] Remedy turn_round(const std::string& label, const std::vector<Id>& racks) const;

private:
  /// A containment in its new place.
  struct Fitted {
    Id id = 0;
    PlanBox box;        ///< where it is drawn wider or narrower
    bool whole = false; ///< it moves as it is
  };
  [[nodiscard]] PlanThing thing_of(const Containment& containment) const;
  /// Racks that look into a containment, or stand in it.
  [[nodiscard]] std::vector<std::uint32_t> beside(const PlanThing& containment) const;
  /// What becomes of containments when these move; nothing where one would come to lie across racks.
  [[nodiscard]] std::optional<std::vector<Fitted>> containments_after(const std::vector<std::uint32_t>& what, double dx,
                                                                      double dy) const;
  /// What hangs above racks, and which racks those are.
  struct Above {
    Hanging hanging;
    std::vector<std::uint32_t> racks;
    std::vector<std::size_t> joined; ///< others that it meets
  };
  [[nodiscard]] const std::vector<Above>& above() const;
  struct AboveAfter {
    std::vector<EntityRef> going;
    std::string words; ///< ", Busway R01A with it; Tray 2 above stays"
  };
  [[nodiscard]] AboveAfter above_after(const std::vector<std::uint32_t>& what, double dx, double dy) const;
  const CheckContext& context_;
  mutable std::optional<std::vector<Above>> above_; ///< looked for when something is moved
  SpaceInputs inputs_;
  FloorPlan plan_;
  PlanGrid grid_;
  Outlook outlook_;
};

/// The one that rules of a run share; made by the first that needs it.
const Rearranging& rearranging(const CheckContext& context);

/// Raises a tray, pipe or busway so that its lower edge lies at least `lower_edge` m above the floor, in whole
/// millimetres; nothing where it is locked or would reach into the ceiling of its hall or of a zone that it runs
/// through.
std::optional<Remedy> raise_to(const CheckContext& context, const EntityRef& what, double lower_edge);

/// Rules of this room by subject; `space_rules` puts them together.
void add_load_rules(std::vector<Rule>& rules);
void add_clearance_rules(std::vector<Rule>& rules);
void add_way_rules(std::vector<Rule>& rules);

} // namespace hallwright
