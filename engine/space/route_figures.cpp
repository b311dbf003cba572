// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "space/design_value.h"
#include "space/routes.h"
#include "space/space.h"

/// What the space stage tells of routes.
namespace hallwright {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view how_words[] = {"", "routed", "estimated"};

double in_meters_or_unknown(const Reach& reach) {
  return reach.how == ReachKind::none ? unknown_number : reach.length() * 1e-3;
}

/// Length of a path, metres.
double path_length(const std::vector<PlanPoint>& path) {
  double out = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    out += std::hypot(path[i + 1].x_mm - path[i].x_mm, path[i + 1].y_mm - path[i].y_mm);
  return out * 1e-3;
}

template <class E>
std::string name_of(const std::vector<E>& table, Id id) {
  const E* e = find(table, id);
  return e ? e->name : std::string();
}

Table reach_table(const SpaceInputs& in, const RouteResult& routes) {
  Table table;
  table.id = "space.reach";
  table.title = "Reach of each rack";
  table.entity_table = "racks";
  const std::size_t n = routes.reach.size();
  std::vector<std::string> racks(n), leafs(n), leaf_how(n), cdus(n), cdu_how(n), feeds(n), feed_how(n);
  std::vector<double> leaf(n), cdu(n), cdu_return(n), feed(n);
  for (std::size_t i = 0; i < n; ++i) {
    const RackReach& r = routes.reach[i];
    table.entities.push_back(r.rack);
    racks[i] = (*in.racks)[i].name;
    leaf[i] = in_meters_or_unknown(r.leaf);
    leafs[i] = name_of(*in.racks, r.leaf.target);
    leaf_how[i] = how_words[static_cast<std::size_t>(r.leaf.how)];
    cdu[i] = in_meters_or_unknown(r.cdu_supply);
    cdu_return[i] = in_meters_or_unknown(r.cdu_return);
    cdus[i] = name_of(*in.cooling_units, r.cdu_supply.target);
    if (r.cdu_supply.how != ReachKind::none)
      cdu_how[i] = how_words[static_cast<std::size_t>(std::max(r.cdu_supply.how, r.cdu_return.how))];
    const Reach& far =
        r.feed_b.how != ReachKind::none && (r.feed_a.how == ReachKind::none || r.feed_b.length() > r.feed_a.length())
            ? r.feed_b
            : r.feed_a;
    feed[i] = in_meters_or_unknown(far);
    feeds[i] = name_of(*in.power_units, far.target);
    feed_how[i] = how_words[static_cast<std::size_t>(far.how)];
  }
  table.add_words("rack", "Rack").words = std::move(racks);
  table.add_words("leaf", "Nearest leaf").words = std::move(leafs);
  auto& to_leaf = table.add_numbers("to_leaf", "To leaf", kind::length, "m");
  to_leaf.numbers = std::move(leaf);
  to_leaf.formula = "port to port, one way: drop to the tray, along trays, drop to the fabric rack; where no tray "
                    "leads there, along x and y";
  table.add_words("leaf_how", "Leaf: how").words = std::move(leaf_how);
  table.add_words("cdu", "Nearest CDU").words = std::move(cdus);
  auto& to_cdu = table.add_numbers("to_cdu", "To CDU, supply", kind::length, "m");
  to_cdu.numbers = std::move(cdu);
  to_cdu.formula = "one way along the supply pipes of the rack's loop; where no pipe leads there, along x and y";
  table.add_numbers("to_cdu_return", "To CDU, return", kind::length, "m").numbers = std::move(cdu_return);
  table.add_words("cdu_how", "CDU: how").words = std::move(cdu_how);
  table.add_words("busway", "Feed").words = std::move(feeds);
  auto& to_busway = table.add_numbers("to_busway", "To feed", kind::length, "m");
  to_busway.numbers = std::move(feed);
  to_busway.formula = "the farther of the A and B feed: a busway straight along x and y and down to the rack's top, "
                      "other units along power trays";
  table.add_words("busway_how", "Feed: how").words = std::move(feed_how);
  return table;
}

Table tray_table(const SpaceInputs& in, const RouteResult& routes) {
  Table table;
  table.id = "space.trays";
  table.title = "Cable trays";
  table.entity_table = "trays";
  std::vector<std::string> names, halls, kinds, joined;
  std::vector<double> length, level, cables, fill, limit, mass, at;
  for (const Tray& t : *routes.trays) {
    table.entities.push_back(t.id);
    names.push_back(t.name);
    halls.push_back(name_of(*in.halls, t.hall));
    kinds.emplace_back(ChoiceWords<TrayKind>::words[static_cast<std::size_t>(t.kind)]);
    length.push_back(path_length(t.path));
    level.push_back(in_meters(t.elevation));
    limit.push_back(t.fill_limit);
    const auto load = std::lower_bound(routes.tray_loads.begin(), routes.tray_loads.end(), t.id,
                                       [](const TrayLoad& l, Id id) { return l.tray < id; });
    const bool counted = t.kind != TrayKind::power && load != routes.tray_loads.end() && load->tray == t.id;
    cables.push_back(counted ? static_cast<double>(load->cables) : unknown_number);
    fill.push_back(counted ? load->area_mm2 / (in_millimeters(t.width) * in_millimeters(t.height)) : unknown_number);
    mass.push_back(counted ? load->mass_kg_m : unknown_number);
    at.push_back(counted ? load->at_mm * 1e-3 : unknown_number);
    joined.emplace_back(
        std::binary_search(routes.lone_trays.begin(), routes.lone_trays.end(), t.id) ? "meets no other tray" : "");
    table.row_figures.push_back(counted ? fmt::format("space.tray.{}.fill", t.id) : std::string());
  }
  table.add_words("tray", "Tray").words = std::move(names);
  table.add_words("hall", "Hall").words = std::move(halls);
  table.add_words("use", "Use").words = std::move(kinds);
  table.add_numbers("length", "Length", kind::length, "m").numbers = std::move(length);
  table.add_numbers("level", "Bottom above the floor", kind::length, "m").numbers = std::move(level);
  auto& cable_column = table.add_numbers("cables", "Cables at its fullest", kind::count);
  cable_column.numbers = std::move(cables);
  cable_column.formula = "compute, storage and in-band ports of the nodes of each rack to its nearest fabric rack; "
                         "cables between switches are not in it";
  table.add_numbers("fill", "Fill", kind::percent).numbers = std::move(fill);
  table.add_numbers("limit", "Limit", kind::percent).numbers = std::move(limit);
  table.add_numbers("fullest_at", "Fullest from", kind::length, "m").numbers = std::move(at);
  auto& mass_column = table.add_numbers("mass", "Cables per metre", kind::mass, "kg");
  mass_column.numbers = std::move(mass);
  mass_column.formula = "cables at 1,100 kg/m3: plastics and aramid; project choice";
  table.add_words("note", "Note").words = std::move(joined);
  return table;
}

Table pipe_table(const SpaceInputs& in, const RouteResult& routes) {
  Table table;
  table.id = "space.pipes";
  table.title = "Pipe runs";
  table.entity_table = "pipes";
  std::vector<std::string> names, halls, sides, notes;
  std::vector<double> length, level, diameter;
  for (const Pipe& p : *routes.pipes) {
    table.entities.push_back(p.id);
    names.push_back(p.name);
    halls.push_back(name_of(*in.halls, p.hall));
    sides.emplace_back(ChoiceWords<PipeSide>::words[static_cast<std::size_t>(p.side)]);
    length.push_back(path_length(p.path));
    level.push_back(in_meters(p.elevation));
    diameter.push_back(in_meters(p.diameter));
    notes.emplace_back(
        std::binary_search(routes.dead_pipes.begin(), routes.dead_pipes.end(), p.id) ? "no CDU of its loop" : "");
  }
  table.add_words("pipe", "Pipe").words = std::move(names);
  table.add_words("hall", "Hall").words = std::move(halls);
  table.add_words("side", "Side").words = std::move(sides);
  table.add_numbers("length", "Length", kind::length, "m").numbers = std::move(length);
  table.add_numbers("level", "Middle above the floor", kind::length, "m").numbers = std::move(level);
  table.add_numbers("diameter", "Inner diameter", kind::length, "mm").numbers = std::move(diameter);
  table.add_words("note", "Note").words = std::move(notes);
  return table;
}

} // namespace

void add_route_figures(Ledger& ledger, std::vector<Table>& tables, const SpaceInputs& in, const RouteResult& routes) {
  tables.push_back(reach_table(in, routes));
  if (!routes.trays->empty()) tables.push_back(tray_table(in, routes));
  if (!routes.pipes->empty()) tables.push_back(pipe_table(in, routes));
  if (routes.tray_loads.empty()) return;
  const auto diameter = assumption<Length>(ledger, *in.catalog, "cabling.diameter_fibre");
  for (const TrayLoad& load : routes.tray_loads) {
    const Tray* tray = find(*routes.trays, load.tray);
    if (!tray) continue;
    const std::string stem = fmt::format("space.tray.{}", tray->id);
    const auto cables = ledger.measured<Count>(
        stem + ".cables", "Cables at the fullest place, " + tray->name, load.cables,
        fmt::format(
            "ports of nodes whose racks are routed over {} to their nearest fabric rack, counted in the drawing; "
            "cables between switches are not in it",
            tray->name),
        &kind::count, true);
    const auto area = ledger.derive(stem + ".cable_area", "Cross section of cables, " + tray->name, cable_cross_section,
                                    cables, diameter);
    const auto fill = ledger.derive(stem + ".fill", "Fill, " + tray->name, tray_fill, area,
                                    design_value<&Tray::width>(ledger, "trays", *tray, tray->name),
                                    design_value<&Tray::height>(ledger, "trays", *tray, tray->name));
    ledger.limit(fill, design_value<&Tray::fill_limit>(ledger, "trays", *tray, tray->name), LimitSense::at_most);
  }
}

bool add_routed_distances(Ledger& ledger, SpaceResult& out, const SpaceInputs& in, const RouteResult& routes) {
  Count routed = 0, all = 0;
  double total = 0, longest = 0;
  for (std::size_t i = 0; i < routes.reach.size(); ++i) {
    const RackType* type = find(*in.rack_types, (*in.racks)[i].rack_type);
    if (!type || type->role != RackRole::compute) continue;
    const RackReach& r = routes.reach[i];
    routed += r.leaf.how == ReachKind::routed;
    ++all;
    total += r.fabric_distance;
    longest = std::max(longest, r.fabric_distance);
  }
  if (routed == 0) return false;
  const std::string what =
      fmt::format("{} of {} compute racks along the trays of the drawing with drops from a port {:.1f} m above the "
                  "floor, each to the "
                  "nearest fabric rack of its hall{}",
                  routed, all, route_port_height_mm * 1e-3, routed == all ? "" : "; the others along x and y");
  out.mean_rack_distance =
      ledger.measured<Length>("space.mean_rack_distance", "Mean distance of a compute rack to the fabric",
                              millimeters(total / static_cast<double>(all)), what, &kind::length, true);
  out.longest_rack_distance =
      ledger.measured<Length>("space.longest_rack_distance", "Longest distance of a compute rack to the fabric",
                              millimeters(longest), what, &kind::length, true);
  return true;
}

} // namespace hallwright
