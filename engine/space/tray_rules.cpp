// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/tray_rules.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "checks/told_apart.h"
#include "space/footprints.h"
#include "space/plan_geometry.h"
#include "space/routes.h"

namespace hallwright {
namespace {

/// The next width of 50 mm steps at which the fill meets its limit.
Length sufficient_width(const Tray& tray, double fill) {
  return millimeters(std::ceil(in_millimeters(tray.width) * fill / tray.fill_limit / 50.0 - 1e-9) * 50.0);
}

void check_fill(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Tray& tray : *context.design.trays) {
    // Where the cables of the networks are planned one by one, the fabric's rules tell the fill.
    const Figure* planned = context.figures.find(fmt::format("cabling.tray.{}.fill", tray.id));
    if (planned && planned->has_value()) continue;
    const std::string id = fmt::format("space.tray.{}.fill", tray.id);
    const Figure* fill = context.figures.find(id);
    if (!fill || fill->status != Status::over_limit) continue;
    const Figure* cables = context.figures.find(fmt::format("space.tray.{}.cables", tray.id));
    const NumberPair percent = told_apart(fill->value * 100.0, tray.fill_limit * 100.0, 0);
    Finding f = finding_of(rule,
                           fmt::format("{} is filled to {} % by {:.0f} cables; {} % is allowed", tray.name,
                                       percent.value, cables ? cables->value : 0.0, percent.limit),
                           {{"trays", tray.id}}, context, {id});
    const Length width = sufficient_width(tray, fill->value);
    if (in_meters(width) <= 2.0)
      f.remedies.push_back({Edit{fmt::format("Widen {} to {:.0f} mm", tray.name, in_millimeters(width)),
                                 [tray = tray.id, width](const Design& d) {
                                   return set_field(d, {"trays", tray}, "width", in_meters(width));
                                 }},
                            {},
                            {}});
    findings.push_back(std::move(f));
  }
}

void check_lone(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.trays");
  const TableColumn* note = table ? table->column("note") : nullptr;
  if (!note) return;
  for (std::size_t i = 0; i < note->words.size(); ++i) {
    if (note->words[i].empty()) continue;
    const Tray* tray = find(*context.design.trays, table->entities[i]);
    if (!tray) continue;
    Finding f = finding_of(
        rule,
        fmt::format(
            "{} meets no other tray of its hall; no cable can leave it. Draw it up to another tray on about one level "
            "(to {:.0f} mm), or end both at one place for a riser",
            tray->name, route_level_tolerance_mm),
        {{"trays", tray->id}}, context, {});
    // Where it crosses trays of its use on another level, that level is the way out.
    constexpr std::size_t looked_for = 20; // findings
    if (findings.size() >= looked_for) {
      findings.push_back(std::move(f));
      continue;
    }
    const auto reach = [](const Tray& t) {
      PlanBox b = outline_box(t.path);
      const double by = std::max(route_meeting_distance_mm, in_millimeters(t.width) / 2) + 1;
      b = {b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by};
      return b;
    };
    const PlanBox own = reach(*tray);
    for (const Tray& other : *context.design.trays) {
      if (!own.overlaps(reach(other))) continue;
      if (other.id == tray->id || other.hall != tray->hall ||
          (other.kind == TrayKind::power) != (tray->kind == TrayKind::power))
        continue;
      RouteRun a{1, 1, tray->path, 0, in_millimeters(tray->width) / 2},
          b{2, 1, other.path, 0, in_millimeters(other.width) / 2};
      if (!RouteGraph({a, b}).joined(0)) continue;
      f.remedies.push_back({Edit{fmt::format("Bring {} to the level of {}, {:.0f} mm", tray->name, other.name,
                                             in_millimeters(other.elevation)),
                                 [id = tray->id, level = in_meters(other.elevation)](const Design& d) {
                                   return set_field(d, {"trays", id}, "elevation", level);
                                 }},
                            {},
                            {},
                            true});
      break;
    }
    findings.push_back(std::move(f));
  }
}

void check_reached(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.trays->empty()) return;
  const Table* table = context.figures.table("space.reach");
  const TableColumn* how = table ? table->column("leaf_how") : nullptr;
  if (!how) return;
  std::map<Id, bool> with_trays;
  for (const Tray& t : *context.design.trays)
    if (t.kind != TrayKind::power) with_trays[t.hall] = true;
  std::map<Id, std::vector<EntityRef>> by_hall;
  for (std::size_t i = 0; i < how->words.size(); ++i) {
    if (how->words[i] != "estimated") continue;
    const Rack* rack = find(*context.design.racks, table->entities[i]);
    if (rack && with_trays.count(rack->hall) > 0) by_hall[rack->hall].push_back({"racks", rack->id});
  }
  for (auto& [hall, racks] : by_hall) {
    const std::size_t n = racks.size();
    findings.push_back(finding_of(
        rule,
        fmt::format(
            "No tray leads from {} of {} to a fabric rack; {} estimated along x and y. Draw trays within {:.1f} m of "
            "{} footprint",
            n == 1 ? "1 rack" : fmt::format("{} racks", n), entity_name(context.design, {"halls", hall}),
            n == 1 ? "its length is" : "their lengths are", route_access_distance_mm * 1e-3, n == 1 ? "its" : "each"),
        std::move(racks), context, {"space.mean_rack_distance"}));
  }
}

void check_level(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Tray& tray : *context.design.trays) {
    const Hall* hall = find(*context.design.halls, tray.hall);
    if (!hall) continue;
    const double top = in_meters(tray.elevation) + in_meters(tray.height), ceiling = in_meters(hall->ceiling_height);
    const double below = hall->raised_floor_height ? in_meters(*hall->raised_floor_height) : 0.0;
    if (top > ceiling + 1e-9) {
      const NumberPair mm = told_apart(top * 1e3, ceiling * 1e3, 0);
      Finding f = finding_of(rule,
                             fmt::format("{} reaches up to {} mm; the ceiling of {} is at {} mm", tray.name, mm.value,
                                         hall->name, mm.limit),
                             {{"trays", tray.id}, {"halls", hall->id}}, context, {});
      const double level = ceiling - in_meters(tray.height);
      if (level > 0)
        f.remedies.push_back({Edit{fmt::format("Lower {} to {:.0f} mm", tray.name, level * 1e3),
                                   [id = tray.id, level](const Design& d) {
                                     return set_field(d, {"trays", id}, "elevation", level);
                                   }},
                              {},
                              {},
                              true});
      findings.push_back(std::move(f));
    } else if (in_meters(tray.elevation) < -below - 1e-9) {
      const NumberPair mm = told_apart(-in_millimeters(tray.elevation), below * 1e3, 0);
      findings.push_back(finding_of(
          rule,
          hall->raised_floor_height
              ? fmt::format("{} lies {} mm under the floor; the raised floor of {} is {} mm high", tray.name, mm.value,
                            hall->name, mm.limit)
              : fmt::format(
                    "{} lies {:.0f} mm under the floor, but {} stands on a slab; enter a raised floor or lift the tray",
                    tray.name, -in_millimeters(tray.elevation), hall->name),
          {{"trays", tray.id}, {"halls", hall->id}}, context, {}));
    }
  }
}

void check_pipes(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* table = context.figures.table("space.pipes");
  const TableColumn* note = table ? table->column("note") : nullptr;
  if (!note) return;
  for (std::size_t i = 0; i < note->words.size(); ++i) {
    if (note->words[i].empty()) continue;
    const Pipe* pipe = find(*context.design.pipes, table->entities[i]);
    if (!pipe) continue;
    // Facility water serves the CDUs of other loops: CLG-012 tells what it does not reach.
    const auto& loops = *context.design.loops;
    if (std::any_of(loops.begin(), loops.end(), [&](const CoolantLoop& l) { return l.facility_loop != 0 && l.facility_loop == pipe->loop; })) continue;
    findings.push_back(finding_of(rule,
                                  fmt::format("{} leads to no CDU of its loop; draw it to within {:.1f} m of one, join "
                                              "it to another {} pipe on about one level, or "
                                              "choose the loop whose CDU it serves",
                                              pipe->name, route_access_distance_mm * 1e-3,
                                              ChoiceWords<PipeSide>::words[static_cast<std::size_t>(pipe->side)]),
                                  {{"pipes", pipe->id}}, context, {}));
  }
}

} // namespace

void add_tray_rules(std::vector<Rule>& rules) {
  const std::vector<Rule> own{
      {"SPC-040", Severity::error, "Tray filled above its limit",
       "The cross section of all cables at the fullest place of a tray is compared with its width times height and its "
       "fill limit: fuller trays "
       "cannot be closed, cables crush those below, and nothing can be added. Counted are the compute, storage and "
       "in-band ports of nodes to their "
       "nearest fabric rack with the diameter of catalog assumption cabling.diameter_fibre; it is an estimate without "
       "cables between switches. Source of the "
       "default limit of 40 %: cabling.tray_fill_limit.",
       check_fill},
      {"SPC-041", Severity::warning, "Tray joined to nothing",
       "Trays are joined where they meet or cross on about one level, and by a riser where ends of two levels lie "
       "above each other. A tray that meets no "
       "other one of its use leads nowhere. Source of the limit: project choice, levels within 100 mm and places "
       "within half of the tray's width.",
       check_lone},
      {"SPC-042", Severity::note, "Rack that no tray connects",
       "Where a hall has trays, each rack should reach a fabric rack along them; lengths are estimated along x and y "
       "until it does. Source of the limit: "
       "project choice, a rack reaches trays up to 1.5 m beside its footprint.",
       check_reached},
      {"SPC-043", Severity::error, "Tray above the ceiling or below the floor",
       "A tray must lie below the hall's ceiling, and under the floor only as deep as its raised floor is high. Source "
       "of the limit: the hall as entered.",
       check_level},
      {"SPC-044", Severity::warning, "Pipe that leads to no CDU",
       "Supply and return pipes carry coolant only when they reach a CDU of their loop, alone or over other pipes of "
       "the same side. Source of the limit: "
       "project choice, a unit reaches pipes up to 1.5 m beside its footprint.",
       check_pipes},
  };
  rules.insert(rules.end(), own.begin(), own.end());
}

} // namespace hallwright
