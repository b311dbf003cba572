// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/copying.h"

#include <cmath>

#include <fmt/format.h>

#include "design/field_options.h"
#include "design/names.h"
#include "design/small_groups.h"
#include "design/whole_micrometers.h"

/// Edits that make copies, and the row tool.
namespace hallwright {
namespace {

/// What becomes of the references of a copy.
class Redirection {
public:
  Redirection(const CopyRequest& request, Id first_id) : request_(request), first_id_(first_id) {
    Id index = 0;
    for (const Selection::Part& part : request.selection->parts) {
      for (const Id id : part.ids) places_.emplace_back(id, index++);
    }
    count_ = index;
    std::sort(places_.begin(), places_.end());
  }
  [[nodiscard]] Id count() const { return count_; }
  /// Place of an entity of the selection in the order of the copies.
  [[nodiscard]] Id place(Id id) const {
    return std::lower_bound(places_.begin(), places_.end(), std::pair{id, Id{0}})->second;
  }
  [[nodiscard]] Id new_id(Id copy, Id place) const { return first_id_ + copy * count_ + place; }
  [[nodiscard]] Id redirected(std::string_view table, Id id, Id copy) const {
    if (id == 0) return 0;
    if (request_.selection->holds(table, id)) return new_id(copy, place(id));
    if (const auto it = request_.stand_ins.find({std::string(table), id}); it != request_.stand_ins.end()) return it->second;
    return request_.outside ? request_.outside(table, id) : id;
  }

private:
  const CopyRequest& request_;
  Id first_id_ = 1, count_ = 0;
  std::vector<std::pair<Id, Id>> places_; // id and place, sorted by id
};

Making duplicated(const Design& design, const std::vector<EntityRef>& what, std::vector<CopyShift> shifts) {
  auto selection = Selection::of(design, what);
  if (!selection) return tl::make_unexpected(selection.error());
  const Selection all = with_groups(design, with_belongings(design, *std::move(selection), copied_along()));
  return copied({.source = &design, .selection = &all, .target = &design, .shifts = std::move(shifts)});
}

tl::unexpected<std::string> too_many(double wanted) {
  return tl::make_unexpected(fmt::format("{:.0f} new entities are too many for one edit; at most {} are allowed", wanted, most_new_entities));
}

bool finite(Length l) { return std::isfinite(in_meters(l)); }

} // namespace

Making copied(const CopyRequest& request) {
  const Design& target = *request.target;
  const Redirection to(request, target.next_id);
  const double wanted = static_cast<double>(to.count()) * static_cast<double>(request.shifts.size());
  if (wanted > static_cast<double>(most_new_entities)) return too_many(wanted);
  if (request.hall != 0 && find(*target.halls, request.hall) == nullptr)
    return tl::make_unexpected(fmt::format("Hall {} does not exist; choose a hall of this project", request.hall));
  const auto copies = static_cast<Id>(request.shifts.size());
  Made out{target, {}};
  std::string refusal;
  Id place = 0;
  for (const Selection::Part& part : request.selection->parts) {
    const Id first_place = place;
    place += static_cast<Id>(part.ids.size());
    if (part.ids.empty() || copies == 0 || !refusal.empty()) continue;
    at_table(part.table, [&](auto member) {
      using E = typename TableOf<decltype(member)>::entity;
      std::vector<const Field<E>*> references;
      for (const Field<E>& f : fields<E>()) {
        if (f.type == FieldType::reference) references.push_back(&f);
      }
      std::vector<const E*> originals;
      for (const Id id : part.ids) originals.push_back(find(*((*request.source).*member), id));
      std::vector<E> table = *(target.*member);
      table.reserve(table.size() + originals.size() * request.shifts.size());
      FreeNames names;
      if constexpr (Named<E>) {
        for (const E& e : table) names.take(e.name);
      }
      for (Id copy = 0; copy < copies; ++copy) {
        const CopyShift& shift = request.shifts[static_cast<std::size_t>(copy)];
        for (std::size_t i = 0; i < originals.size(); ++i) {
          E e = *originals[i];
          e.id = to.new_id(copy, first_place + static_cast<Id>(i));
          bool hall_is_copied = false;
          if constexpr (InHall<E>) hall_is_copied = request.selection->holds("halls", originals[i]->hall);
          for (const Field<E>* f : references) f->set(e, to.redirected(f->target, std::get<Id>(f->get(*originals[i])), copy));
          if constexpr (InHall<E>) {
            if (!hall_is_copied && request.hall != 0) e.hall = request.hall;
          }
          if constexpr (Named<E>) {
            if (!e.name.empty() && names.is_taken(e.name)) e.name = names.next(e.name);
            names.take(e.name);
          }
          if constexpr (OnPlan<E>) {
            if (!hall_is_copied) { // positions are counted from the hall
              if (shift.x != 0.0) e.x = meters(whole_micrometers_in_m(in_meters(e.x) + shift.x));
              if (shift.y != 0.0) e.y = meters(whole_micrometers_in_m(in_meters(e.y) + shift.y));
            }
            if (!(std::fabs(in_meters(e.x)) <= plan_limit && std::fabs(in_meters(e.y)) <= plan_limit)) {
              refusal = fmt::format("A copy of {} would stand at {:.3f} m, {:.3f} m; -10 km to 10 km is allowed",
                                    entity_in_words(*request.source, {std::string(part.table), originals[i]->id}), in_meters(e.x), in_meters(e.y));
              return;
            }
          }
          if constexpr (ByPoints<E>) {
            if (!hall_is_copied && (shift.x != 0.0 || shift.y != 0.0)) {
              std::vector<PlanPoint> points = own_points(e);
              for (PlanPoint& p : points) {
                p.x_mm = whole_micrometers_in_mm(p.x_mm + shift.x * 1000.0);
                p.y_mm = whole_micrometers_in_mm(p.y_mm + shift.y * 1000.0);
                if (std::fabs(p.x_mm) > plan_limit * 1000.0 || std::fabs(p.y_mm) > plan_limit * 1000.0) {
                  refusal = fmt::format("A copy of {} would reach to {:.3f} m, {:.3f} m; -10 km to 10 km is allowed",
                                        entity_in_words(*request.source, {std::string(part.table), originals[i]->id}), p.x_mm / 1000.0, p.y_mm / 1000.0);
                  return;
                }
              }
              if (!points.empty()) set_own_points(e, std::move(points));
            }
          }
          out.entities.push_back({std::string(part.table), e.id});
          table.push_back(std::move(e));
        }
      }
      out.design.*member = hallwright::share(std::move(table));
    });
  }
  if (!refusal.empty()) return tl::make_unexpected(refusal);
  out.design.next_id += to.count() * copies;
  // One member of a group, copied alone, is no group.
  std::vector<Id> groups;
  for (const Id id : request.selection->ids("groups")) {
    for (Id copy = 0; copy < copies; ++copy) groups.push_back(to.redirected("groups", id, copy));
  }
  if (groups.empty()) return out;
  out.design = without_small_groups(std::move(out.design), groups);
  std::erase_if(out.entities, [&](const EntityRef& e) { return e.table == "groups" && find(*out.design.groups, e.id) == nullptr; });
  return out;
}

std::string free_name(const Design& design, std::string_view table, std::string_view stem) {
  FreeNames names;
  at_table(table, [&](auto member) {
    if constexpr (Named<typename TableOf<decltype(member)>::entity>) {
      for (const auto& e : *(design.*member)) names.take(e.name);
    }
  });
  return names.next(stem);
}

Making duplicate(const Design& design, const std::vector<EntityRef>& what, Length dx, Length dy) {
  if (!finite(dx) || !finite(dy)) return tl::make_unexpected("The distance is not a finite number; write a length such as 600 mm");
  return duplicated(design, what, {{in_meters(dx), in_meters(dy)}});
}

Making array(const Design& design, const std::vector<EntityRef>& what, const ArraySteps& steps) {
  for (const auto& [axis, count, pitch] : {std::tuple{'x', steps.count_x, steps.pitch_x}, std::tuple{'y', steps.count_y, steps.pitch_y}}) {
    if (count < 1 || count > most_new_entities)
      return tl::make_unexpected(fmt::format("Count along {}: {} is out of range; 1 to {} is allowed", axis, count, most_new_entities));
    if (!finite(pitch)) return tl::make_unexpected(fmt::format("Pitch along {} is not a finite number; write a length such as 600 mm", axis));
    if (count > 1 && in_meters(pitch) == 0.0)
      return tl::make_unexpected(fmt::format("Pitch along {} is 0 mm, so the copies would stand on top of each other; write another one", axis));
  }
  const double copies = static_cast<double>(steps.count_x) * static_cast<double>(steps.count_y) - 1;
  if (copies > static_cast<double>(most_new_entities)) return too_many(copies);
  std::vector<CopyShift> shifts;
  for (Count iy = 0; iy < steps.count_y; ++iy) {
    for (Count ix = 0; ix < steps.count_x; ++ix) {
      if (ix != 0 || iy != 0) shifts.push_back({static_cast<double>(ix) * in_meters(steps.pitch_x), static_cast<double>(iy) * in_meters(steps.pitch_y)});
    }
  }
  return duplicated(design, what, std::move(shifts));
}

Making place_rows(const Design& design, const RowPlan& plan) {
  const auto refuse = [](std::string why) { return tl::make_unexpected(std::move(why)); };
  for (const auto& [label, count] : {std::pair{"Racks per row", plan.racks_per_row}, std::pair{"Rows", plan.rows}}) {
    if (count < 1 || count > 10000) return refuse(fmt::format("{}: {} is out of range; 1 to 10000 is allowed", label, count));
  }
  if (plan.first_number < 0 || plan.first_number > 1000000)
    return refuse(fmt::format("First number: {} is out of range; 0 to 1000000 is allowed", plan.first_number));
  if (plan.racks_per_row * plan.rows + plan.rows > most_new_entities)
    return too_many(static_cast<double>(plan.racks_per_row * plan.rows + plan.rows));
  for (const auto& [label, length, least] :
       {std::tuple{"Pitch", plan.pitch, 0.001}, std::tuple{"Row depth", plan.row_depth, 0.001}, std::tuple{"Cold aisle", plan.cold_aisle, 0.0},
        std::tuple{"Hot aisle", plan.hot_aisle, 0.0}}) {
    if (!(in_meters(length) >= least && in_meters(length) <= plan_limit))
      return refuse(fmt::format("{}: {:.3f} m is out of range; {} mm to 10 km is allowed", label, in_meters(length), least * 1000));
  }
  if (plan.first_row_name.empty()) return refuse("The first row needs a name, such as R01");
  for (const auto& [label, table, id, needed] :
       {std::tuple{"Hall", "halls", plan.hall, true}, std::tuple{"Rack type", "rack_types", plan.rack_type, true},
        std::tuple{"A feed", "power_units", plan.feed_a, false}, std::tuple{"B feed", "power_units", plan.feed_b, false},
        std::tuple{"Coolant loop", "loops", plan.loop, false}}) {
    if (id == 0 && needed) return refuse(fmt::format("{}: none is chosen; choose one", label));
    if (id != 0 && !has_entity(design, {table, id})) return refuse(fmt::format("{}: {} {} does not exist", label, table, id));
  }
  // A row that stands elsewhere keeps its name, and so do its racks.
  std::unordered_set<std::string> used;
  for (const Row& row : *design.rows) used.insert(row.name);
  for (const Rack& rack : *design.racks) {
    if (const std::size_t dash = rack.name.rfind('-'); dash != std::string::npos) used.insert(rack.name.substr(0, dash));
  }
  Made out{design, {}};
  std::vector<Row> rows = *design.rows;
  std::vector<Rack> racks = *design.racks;
  racks.reserve(racks.size() + static_cast<std::size_t>(plan.racks_per_row * plan.rows));
  std::vector<EntityRef> made_racks;
  double y = in_meters(plan.y);
  std::int64_t step = 0;
  for (Count r = 0; r < plan.rows; ++r) {
    std::string name = counted_up(plan.first_row_name, step++);
    while (used.contains(name)) name = counted_up(plan.first_row_name, step++);
    const Row row{out.design.next_id++, name, plan.hall};
    for (Count k = 0; k < plan.racks_per_row; ++k) {
      const double x = in_meters(plan.x) + static_cast<double>(k) * in_meters(plan.pitch);
      if (!(std::fabs(x) <= plan_limit && std::fabs(y) <= plan_limit))
        return refuse(fmt::format("Rack {} of row {} would stand at {:.3f} m, {:.3f} m; -10 km to 10 km is allowed", k + 1, name, x, y));
      Rack rack;
      rack.id = out.design.next_id++;
      rack.name = fmt::format("{}-{:02}", name, plan.first_number + k);
      rack.rack_type = plan.rack_type;
      rack.hall = plan.hall;
      rack.row = row.id;
      rack.x = meters(whole_micrometers_in_m(x));
      rack.y = meters(whole_micrometers_in_m(y));
      rack.rotation = degrees(r % 2 == 0 ? 0.0 : 180.0); // rows stand back to back at hot aisles
      rack.feed_a = plan.feed_a;
      rack.feed_b = plan.feed_b;
      rack.loop = plan.loop;
      made_racks.push_back({"racks", rack.id});
      racks.push_back(std::move(rack));
    }
    out.entities.push_back({"rows", row.id});
    rows.push_back(row);
    y += in_meters(plan.row_depth) + in_meters(r % 2 == 0 ? plan.hot_aisle : plan.cold_aisle); // the first row faces up
  }
  out.entities.insert(out.entities.end(), made_racks.begin(), made_racks.end());
  out.design.rows = hallwright::share(std::move(rows));
  out.design.racks = hallwright::share(std::move(racks));
  return out;
}

} // namespace hallwright
