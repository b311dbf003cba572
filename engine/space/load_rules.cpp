// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "space/rearranging.h"

namespace hallwright {
namespace {

std::string in_words(const CheckContext& context, std::string_view figure_id) {
  const Figure* figure = context.figures.find(figure_id);
  return figure ? figure_text(*figure) : std::string("not known");
}

/// Halls and zones with their ratings, as the ids of figures name them.
struct Area {
  std::string stem;
  EntityRef entity; ///< without a table: outside of halls
  Id hall = 0, zone = 0;
};
std::vector<Area> areas_of(const Design& design) {
  std::vector<Area> out{{"hall.0", {}, 0, 0}};
  for (const Hall& hall : *design.halls)
    out.push_back({fmt::format("hall.{}", hall.id), {"halls", hall.id}, hall.id, 0});
  for (const Zone& zone : *design.zones)
    out.push_back({fmt::format("zone.{}", zone.id), {"zones", zone.id}, zone.hall, zone.id});
  return out;
}

double number(const Figures& figures, std::string_view id) {
  const Figure* f = figures.find(id);
  return f && f->has_value() ? f->value : 0;
}
const Figure* limit_of(const Figures& figures, const Figure* f) { return f ? figures.at(f->limit) : nullptr; }

/// Taking nodes out of racks that are too heavy for the floor, where the content is counted.
std::optional<Remedy> lighter(const CheckContext& context, const RackType& type, double share) {
  if (type.mass || share <= 1) return std::nullopt;
  const double mass = number(context.figures, fmt::format("space.rack_type.{}.mass", type.id)),
               excess = mass - mass / share;
  const RackItem* heaviest = nullptr;
  double each = 0;
  for (const RackItem& item : *context.design.rack_items) {
    if (item.rack_type != type.id || item.count < 2) continue;
    const double m =
        number(context.figures, fmt::format("space.rack_item.{}.mass", item.id)) / static_cast<double>(item.count);
    if (m > each) each = m, heaviest = &item;
  }
  const RackPart* part = context.catalog.find<RackPart>(type.rack_part);
  if (!heaviest || (part && (part->populated_mass_high || part->populated_mass_low))) return std::nullopt;
  const auto out = static_cast<Count>(std::ceil(excess / each - 1e-9));
  if (out < 1 || out >= heaviest->count) return std::nullopt;
  return Remedy{Edit{fmt::format("Take {} of {} x {} out of each rack of type {}", out, heaviest->count, heaviest->part,
                                 type.name),
                     [id = heaviest->id, left = heaviest->count - out](const Design& d) {
                       return set_field(d, {"rack_items", id}, "count", left);
                     }},
                {},
                {}};
}

void check_floor_load(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Area& area : areas_of(context.design)) {
    const std::string id = fmt::format("space.{}.worst_floor_load", area.stem);
    const Figure* figure = context.figures.find(id);
    if (!figure || figure->status == Status::ok || figure->status == Status::none) continue;
    std::vector<EntityRef> entities;
    if (!area.entity.table.empty()) entities.push_back(area.entity);
    std::vector<Remedy> remedies;
    for (const RackType& type : *context.design.rack_types) {
      const Figure* load = context.figures.find(fmt::format("space.rack_type.{}.{}.floor_load", type.id, area.stem));
      if (!load || load->status != figure->status) continue;
      entities.push_back({"rack_types", type.id});
      const Figure* limit = limit_of(context.figures, load);
      if (load->status == Status::over_limit && limit && limit->value > 0)
        if (auto remedy = lighter(context, type, load->value / limit->value)) remedies.push_back(*std::move(remedy));
    }
    // One edit clears one type; with several over the rating each remedy leaves the others.
    if (remedies.size() > 1)
      for (Remedy& r : remedies)
        r.edit.label += "; the other types remain";
    const std::size_t before = findings.size();
    check_limit(context, rule, id, std::move(entities), std::move(remedies), findings);
    for (std::size_t i = before; i < findings.size(); ++i) {
      const std::string foot = fmt::format("space.{}.worst_footprint_load", area.stem);
      findings[i].message += fmt::format("; the footprint alone carries {}", in_words(context, foot));
      findings[i].figures.push_back(foot);
    }
  }
}

/// More feet or casters for a type, as many as the rating asks for.
std::optional<Remedy> more_feet(const CheckContext& context, const RackType& type, double rating) {
  const double mass = number(context.figures, fmt::format("space.rack_type.{}.mass", type.id));
  const Assumption* tilt = context.catalog.find<Assumption>("floor.tilt_factor");
  if (!tilt || !tilt->value || rating <= 0) return std::nullopt;
  auto feet = static_cast<Count>(std::ceil(mass * *tilt->value / (0.9 * rating) - 1e-9)); // with a tenth to spare
  feet += feet % 2;
  if (feet < 5 || feet > 12) return std::nullopt;
  return Remedy{
      Edit{fmt::format("Have racks of type {} on {} feet or casters, as the cabinet must have them", type.name, feet),
           [id = type.id, feet](const Design& d) {
             return set_field(d, {"rack_types", id}, "feet", feet);
           }},
      {},
      {}};
}

/// Plates under all racks of a type on one floor that have none.
std::optional<Remedy> plates(const CheckContext& context, const Rearranging& plan, const RackType& type,
                             const Area& area, double rating) {
  const Hall* hall = find(*context.design.halls, area.hall);
  const Assumption* tilt = context.catalog.find<Assumption>("floor.tilt_factor");
  if (!hall || !tilt || !tilt->value || rating <= 0) return std::nullopt;
  const Footprint size = rack_footprint(context.catalog, type);
  const double mass = number(context.figures, fmt::format("space.rack_type.{}.mass", type.id));
  if (!size.known || mass <= 0) return std::nullopt;
  const double tile = in_meters(hall->tile_width), width = in_meters(size.width), depth = in_meters(size.depth);
  // As deep as the rating asks for, with a tenth to spare, in steps of 50 mm; into the aisles, not below the
  // neighbours.
  const double plate =
      std::max(depth, std::ceil(mass * *tilt->value * tile * tile / (2 * 0.9 * rating * width) / 0.05 - 1e-9) * 0.05);
  if (plate > depth + 1.5) return std::nullopt;
  std::vector<Structure> made;
  const auto& racks = *context.design.racks;
  for (std::uint32_t i = 0; i < racks.size(); ++i) {
    const auto z = plan.plan().zone_of[i];
    const Id zone = z < 0 ? 0 : (*context.design.zones)[static_cast<std::size_t>(z)].id;
    if (racks[i].rack_type != type.id || racks[i].hall != area.hall || zone != area.zone) continue;
    Structure s;
    s.name = "Plate " + racks[i].name;
    s.kind = StructureKind::spreader;
    s.hall = area.hall;
    s.width = size.width;
    s.depth = meters(plate);
    s.x = racks[i].x; // about the rack's middle, turned with it
    s.y = racks[i].y - meters((plate - depth) / 2);
    s.rotation = racks[i].rotation;
    made.push_back(std::move(s));
  }
  const std::size_t n = made.size();
  return Remedy{Edit{fmt::format("Place {} of {:.0f} x {:.0f} mm under {}",
                                 n == 1 ? "a spreader plate" : fmt::format("{} spreader plates", n), width * 1e3,
                                 plate * 1e3, n == 1 ? made[0].name.substr(6) : "the racks of type " + type.name),
                     [made](const Design& d) -> Edited {
                       return with_table(d, &Design::structures, [&](std::vector<Structure>& all, Id& next) {
                         // A plate of this rack that is too small gives way.
                         for (const Structure& s : made)
                           std::erase_if(all, [&](const Structure& old) {
                             return old.kind == StructureKind::spreader && old.hall == s.hall && old.name == s.name;
                           });
                         for (Structure s : made) {
                           s.id = next++;
                           all.push_back(std::move(s));
                         }
                       });
                     }},
                {},
                {}};
}

void check_point_load(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Rearranging* plan = nullptr;
  for (const Area& area : areas_of(context.design))
    for (const RackType& type : *context.design.rack_types) {
      const std::string id = fmt::format("space.rack_type.{}.{}.point_load", type.id, area.stem);
      const Figure* figure = context.figures.find(id);
      if (!figure || figure->status == Status::ok || figure->status == Status::none) continue;
      std::vector<Remedy> remedies;
      if (const Figure* limit = limit_of(context.figures, figure); limit && figure->status == Status::over_limit) {
        if (!plan) plan = &rearranging(context);
        if (auto remedy = plates(context, *plan, type, area, limit->value)) remedies.push_back(*std::move(remedy));
        if (auto remedy = more_feet(context, type, limit->value)) remedies.push_back(*std::move(remedy));
      }
      std::vector<EntityRef> entities{{"rack_types", type.id}};
      if (!area.entity.table.empty()) entities.push_back(area.entity);
      check_limit(context, rule, id, std::move(entities), std::move(remedies), findings);
    }
  for (const Structure& s : *context.design.structures) {
    if (s.kind != StructureKind::spreader) continue;
    const std::string id = fmt::format("space.spreader.{}.point_load", s.id);
    const Figure* figure = context.figures.find(id);
    if (!figure) continue;
    std::vector<Remedy> remedies;
    if (const Figure* limit = limit_of(context.figures, figure);
        limit && figure->status == Status::over_limit && limit->value > 0) {
      const double grow = std::ceil(in_meters(s.depth) * figure->value / (0.9 * limit->value) / 0.05 - 1e-9) * 0.05;
      if (grow <= 6)
        remedies.push_back({Edit{fmt::format("Make {} {:.0f} mm deep", s.name, grow * 1e3),
                                 [id = s.id, grow](const Design& d) -> Edited {
                                   return with_table(d, &Design::structures, [&](std::vector<Structure>& all, Id&) {
                                     for (Structure& plate : all)
                                       if (plate.id == id)
                                         plate.y = plate.y - (meters(grow) - plate.depth) / 2.0,
                                         plate.depth = meters(grow);
                                   });
                                 }},
                            {},
                            {}});
    }
    check_limit(context, rule, id, {{"structures", s.id}}, std::move(remedies), findings);
  }
}

void check_rolling_load(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Hall& hall : *context.design.halls)
    for (const RackType& type : *context.design.rack_types) {
      const std::string id = fmt::format("space.rack_type.{}.hall.{}.rolling_load", type.id, hall.id);
      const Figure* figure = context.figures.find(id);
      if (!figure) continue;
      std::vector<Remedy> remedies;
      if (const Figure* limit = limit_of(context.figures, figure); limit && figure->status == Status::over_limit)
        if (auto remedy = more_feet(context, type, limit->value)) remedies.push_back(*std::move(remedy));
      check_limit(context, rule, id, {{"rack_types", type.id}, {"halls", hall.id}}, std::move(remedies), findings);
    }
}

void check_plant_load(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.plant");
  if (!table) return;
  const auto *tables = table->column("table"), *ids = table->column("id");
  for (std::size_t i = 0; i < table->row_count(); ++i) {
    const EntityRef ref{tables->words[i], static_cast<Id>(ids->numbers[i])};
    for (const char* what : {"floor_load", "point_load"})
      check_limit(context, rule, fmt::format("space.{}.{}.{}", ref.table, ref.id, what), {ref}, {}, findings);
  }
}

void check_plant_mass(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.plant");
  if (!table) return;
  const auto *tables = table->column("table"), *ids = table->column("id"), *mass = table->column("mass"),
             *halls = table->column("hall_id");
  std::vector<EntityRef> unknown;
  std::set<Id> in;
  for (std::size_t i = 0; i < table->row_count(); ++i)
    if (std::isnan(mass->numbers[i])) {
      unknown.push_back({tables->words[i], static_cast<Id>(ids->numbers[i])});
      in.insert(static_cast<Id>(halls->numbers[i]));
    }
  if (unknown.empty()) return;
  const std::size_t n = unknown.size();
  Finding f =
      finding_of(rule,
                 fmt::format("The mass of {} of plant in {} is not known: whether the floor carries {} cannot be "
                             "decided. Choose parts that state their mass",
                             n == 1 ? "1 unit" : fmt::format("{} units", n),
                             in.size() == 1 ? entity_name(context.design, {"halls", *in.begin()})
                                            : fmt::format("{} rooms", in.size()),
                             n == 1 ? "it" : "them"),
                 std::move(unknown), context, {"space.worst_floor_load"});
  f.undecided = true;
  findings.push_back(std::move(f));
}

void check_spreader(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Structure& s : *context.design.structures) {
    if (s.kind != StructureKind::spreader || !s.load_rating) continue;
    const std::string id = fmt::format("space.spreader.{}.mass", s.id);
    const Figure* figure = context.figures.find(id);
    if (!figure) continue;
    std::vector<Remedy> remedies;
    if (figure->status == Status::over_limit)
      remedies.push_back(
          {Edit{fmt::format("Choose a plate for {} that carries {:.0f} kg", s.name, std::ceil(figure->value / 0.9)),
                [id = s.id, rating = std::ceil(figure->value / 0.9)](const Design& d) {
                  return set_field(d, {"structures", id}, "load_rating", rating);
                }},
           {},
           {}});
    check_limit(context, rule, id, {{"structures", s.id}}, std::move(remedies), findings);
  }
}

void check_seismic(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const SeismicCategory category = context.design.site->seismic_category;
  if (category < SeismicCategory::c || context.design.racks->empty()) return;
  const Table* plant = context.figures.table("space.plant");
  const std::size_t units = plant ? plant->row_count() : 0, racks = context.design.racks->size();
  findings.push_back(
      finding_of(rule,
                 fmt::format("Seismic design category {}: {} rack{} and {} unit{} of plant need anchorage and bracing "
                             "that a structural engineer designs; a raised floor needs bracing too. "
                             "Their masses are in the tables space.racks and space.plant",
                             ChoiceWords<SeismicCategory>::words[static_cast<std::size_t>(category)], racks,
                             racks == 1 ? "" : "s", units, units == 1 ? "" : "s"),
                 {{"site", 0}}, context, {"space.worst_point_load"}));
}

} // namespace

void add_load_rules(std::vector<Rule>& rules) {
  rules.insert(rules.end(),
               {{"SPC-001", Severity::error, "Floor load above the rating",
                 "A populated rack presses on its footprint and on half of each aisle beside it, as drawn, up to the "
                 "structural bay. That uniform load is compared with the floor "
                 "rating of the zone, else of the hall, else of the site. The load on the footprint alone is shown "
                 "beside it, since a structural engineer may ask for it. "
                 "Source of the default rating of 1,221 kg/m2: catalog assumption floor.uniform_load_limit; of the "
                 "bay: floor.structural_bay.",
                 check_floor_load},
                {"SPC-002", Severity::error, "Load on one foot above the rating",
                 "The rack's mass over its feet, times 1.25 for a floor that is not level, is compared with the point "
                 "load rating of the zone, else of the hall's tiles, else of the site. "
                 "A spreader plate under all of a rack presses on a tile as its share of the plate does; spread out, "
                 "that bends a tile half as much as at one point. "
                 "Source of feet and factor: catalog assumptions floor.rack_feet and floor.tilt_factor; default rating "
                 "of 680 kg: floor.concentrated_load_limit.",
                 check_point_load},
                {"SPC-007", Severity::error, "Rolling load above the rating",
                 "On the way to its place a rack stands on its casters, one of them heavier by the tilt factor. The "
                 "tiles that it rolls over must carry that caster on the move. Source of the "
                 "limit: the hall's rolling load of a tile, else the site's, else its point load; default 680 kg: "
                 "catalog assumption floor.rolling_load_limit.",
                 check_rolling_load},
                {"SPC-008", Severity::error, "Plant heavier than the floor carries",
                 "CDUs and power units that stand on the floor are held to the same ratings as racks: spread over "
                 "footprint and half of the free floor before and behind, and on one of four feet. "
                 "Source of the limits: zone, hall or site; feet: catalog assumption floor.rack_feet.",
                 check_plant_load},
                {"SPC-009", Severity::note, "Mass of plant not known",
                 "A unit whose part states no mass is not judged, and never counts as fine. Source of the rule: the "
                 "catalog has no "
                 "mass for these parts.",
                 check_plant_mass},
                {"SPC-010", Severity::note, "Seismic anchorage",
                 "From seismic design category C on, equipment needs anchorage and bracing that is designed for the "
                 "site. This program does not design it. Source of the rule: categories after ASCE 7, as "
                 "entered for the site.",
                 check_seismic},
                {"SPC-050", Severity::error, "Spreader plate carries too much",
                 "All that stands wholly on a plate is compared with what the plate carries. Source of the limit: the "
                 "load rating entered for the plate.",
                 check_spreader}});
}

} // namespace hallwright
