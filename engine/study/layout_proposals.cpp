// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/layout_proposals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "quantity/text.h"
#include "space/plan_geometry.h"

namespace hallwright {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

/// Power and heat of one rack of a type, as the load stage counts it once such a rack stands in the hall.
struct RackDraw {
  std::optional<Power> power, liquid;
  std::string floor_problem; ///< why the floor does not carry one; empty: it does, or that is not known
};

std::optional<Evaluation> with_one_rack(const Design& design, const Shared<Catalog>& catalog, Id type, Id hall) {
  Rack rack;
  rack.name = "trial";
  rack.rack_type = type;
  rack.hall = hall;
  return evaluate(add_entity(design, &Design::racks, rack).design, catalog);
}

RackDraw draw_of(const Evaluation& e, Id type, Id hall) {
  RackDraw out;
  for (const RackTypeLoad& l : e.load->rack_types) {
    if (l.rack_type != type) continue;
    if (l.power.has_value()) out.power = l.power.value;
    if (l.heat_to_liquid.has_value()) out.liquid = l.heat_to_liquid.value;
  }
  for (const auto& id : {fmt::format("space.rack_type.{}.hall.{}.floor_load", type, hall),
                         fmt::format("space.rack_type.{}.point_load", type)}) {
    const Figure* f = e.figures.find(id);
    if (!f || f->status != Status::over_limit) continue;
    const Figure* limit = e.figures.at(f->limit);
    out.floor_problem = fmt::format("{} is {}, the floor carries {}", f->label, figure_text(*f),
                                    limit ? figure_text(*limit) : std::string("less"));
  }
  return out;
}

/// The CDU with which the fewest are needed for a duty, the smaller one of equals; only parts with a size stand in a
/// row.
std::string suited_cdu(const Catalog& catalog, double duty_w) {
  const CoolingPart* best = nullptr;
  Count fewest = 0;
  for (const CoolingPart& p : catalog.cooling) {
    if (p.kind.find("cdu in-row") != 0 || !p.capacity || *p.capacity <= Power{} || !p.width || !p.depth) continue;
    const auto needed = static_cast<Count>(std::ceil(duty_w / in_watts(*p.capacity)));
    if (!best || needed < fewest || (needed == fewest && *p.capacity < *best->capacity)) best = &p, fewest = needed;
  }
  return best ? best->id : std::string();
}

/// Nodes of one rack of a type.
Count nodes_of(const Design& d, Id type) {
  Count out = 0;
  for (const RackItem& item : *d.rack_items)
    if (item.rack_type == type && item.kind == RackItemKind::node) out += item.count;
  return out;
}

/// Switches that one rack of a type holds.
Count switches_of(const Design& d, Id type) {
  Count out = 0;
  for (const RackItem& item : *d.rack_items)
    if (item.rack_type == type && item.kind == RackItemKind::network_switch) out += item.count;
  return out;
}

const Network* compute_network(const Design& d) {
  for (const Network& n : *d.networks)
    if (n.kind == NetworkKind::compute) return &n;
  return nullptr;
}

/// What is the same in all proposals, and the design that they begin with (with a fabric rack type where one is made).
struct Base {
  Design design;
  LayoutRequest request;
  std::vector<std::string> notes;
};

/// Leafs of a pod and the racks that hold them.
void add_leafs(Base& base, const Catalog& catalog, const LayoutWish& wish) {
  LayoutRequest& q = base.request;
  const Network* network = compute_network(base.design);
  const Count nodes = nodes_of(base.design, wish.rack_type);
  if (network && nodes > 0) {
    q.pod_racks = std::max<Count>(1, (network->nodes_per_unit + nodes - 1) / nodes);
  }
  if (!wish.leafs) return;
  q.fabric_rack_type = wish.fabric_rack_type;
  if (q.fabric_rack_type == 0)
    for (const RackType& t : *base.design.rack_types)
      if (t.role == RackRole::fabric && q.fabric_rack_type == 0) q.fabric_rack_type = t.id;
  // Leafs of one scalable unit: one a rail, or as many as the down ports ask for.
  Count leafs = 0;
  if (network && nodes > 0) {
    const NodePart* node = nullptr;
    for (const RackItem& item : *base.design.rack_items)
      if (item.rack_type == wish.rack_type && item.kind == RackItemKind::node && !node)
        node = catalog.find<NodePart>(item.part);
    const SwitchPart* part = catalog.find<SwitchPart>(network->switch_part);
    FabricRequest request;
    request.nodes = std::min(q.pod_racks * nodes, std::max<Count>(1, network->nodes_per_unit));
    request.links_per_node = network->links_per_node.value_or(node ? node->compute_nics.value_or(0) : 0);
    request.radix = network->radix.value_or(part ? part->radix_at_link.value_or(part->ports.value_or(64)) : 64);
    request.rails = network->rails;
    request.tiers = network->tiers == Tiers::one ? Tiers::one : Tiers::two;
    request.oversubscription = network->oversubscription;
    request.nodes_per_unit = network->nodes_per_unit;
    request.planes = network->planes;
    if (request.links_per_node > 0)
      if (const auto counts = fabric_counts(request)) leafs = counts->leafs;
  }
  if (q.fabric_rack_type == 0) {
    if (!network || network->switch_part.empty()) {
      base.notes.push_back(
          "No fabric rack type and no compute network with a switch is described; no leafs are placed");
      return;
    }
    RackType type;
    type.name = free_name(base.design, "rack_types", "Fabric rack");
    type.role = RackRole::fabric;
    const RackType* compute = find(*base.design.rack_types, wish.rack_type);
    type.rack_part = compute && catalog.find<RackPart>(compute->rack_part) &&
                             catalog.find<RackPart>(compute->rack_part)->kind == "cabinet"
                         ? compute->rack_part
                         : "generic-42u-600x1200";
    Made made = add_entity(base.design, &Design::rack_types, type);
    q.fabric_rack_type = made.entities.front().id;
    RackItem item;
    item.rack_type = q.fabric_rack_type;
    item.kind = RackItemKind::network_switch;
    item.part = network->switch_part;
    item.count = std::clamp<Count>(leafs, 1, 16); // a rack of 42 units with room for cables
    base.design = add_entity(made.design, &Design::rack_items, item).design;
  }
  const Count per_rack = std::max<Count>(1, switches_of(base.design, q.fabric_rack_type));
  // Small units share the racks of their leafs.
  if (leafs > 0 && leafs < per_rack && q.pod_racks > 0) {
    const Count units = per_rack / leafs;
    q.pod_racks *= units;
    leafs *= units;
  }
  q.fabric_racks_per_pod = std::max<Count>(1, (leafs + per_rack - 1) / per_rack);
}

LayoutHeadline headline(const Evaluation& e, const char* label, const char* figure) {
  LayoutHeadline h{label, figure, "not applicable", unknown_number, nullptr};
  if (const Figure* f = e.figures.find(figure)) {
    h.kind = f->kind;
    if (f->has_value()) h.number = f->value, h.value = figure_text(*f);
  }
  return h;
}
LayoutHeadline counted(const char* label, Count n) {
  return {label, {}, std::to_string(n), static_cast<double>(n), &kind::count};
}

/// Takes over what a whole evaluation tells of the racks that were laid out; false where nothing is more than before.
bool learn(const Evaluation& e, const LayoutOutcome& made, LayoutRequest& q, Id rack_type, Id hall) {
  bool more = false;
  const auto raise = [&more](Power& known, const std::optional<Power>& told) {
    if (known <= Power{} || !told || *told <= known * (1 + 1e-9)) return;
    known = *told;
    more = true;
  };
  const RackDraw rack = draw_of(e, rack_type, hall);
  if (q.busways) {
    raise(q.power_per_rack, rack.power);
    if (q.fabric_racks_per_pod > 0) raise(q.power_per_fabric_rack, draw_of(e, q.fabric_rack_type, hall).power);
  }
  if (q.busways && q.power_per_rack > Power{}) {
    // What a busway carries over what its racks draw by themselves.
    for (const EntityRef& ref : made.entities) {
      if (ref.table != "power_units") continue;
      double racks_w = 0;
      for (const Rack& r : *made.design.racks)
        if (r.feed_a == ref.id || r.feed_b == ref.id)
          racks_w += in_watts(r.rack_type == rack_type ? q.power_per_rack : q.power_per_fabric_rack);
      for (const PowerUnitLoad& l : e.power->units) {
        if (l.unit != ref.id || !(l.failover_w > l.rating_w * q.continuous_load_factor) || racks_w <= 0) continue;
        if (const double margin = l.failover_w / racks_w * (1.0 + 1e-9); margin > q.power_margin) {
          q.power_margin = margin;
          more = true;
        }
      }
    }
  }
  if (q.cdus == CduPlace::none) return more;
  raise(q.liquid_heat_per_rack, rack.liquid);
  // The loop that was made is the newest; its CDUs may be short by flow although their duty suffices.
  const Table* loops = e.figures.table("cooling.loops");
  const TableColumn* needed = loops ? loops->column("cdus_needed") : nullptr;
  if (!needed || needed->numbers.empty() || loops->entities.empty()) return more;
  const auto newest = std::max_element(loops->entities.begin(), loops->entities.end()) - loops->entities.begin();
  const double count = needed->numbers[static_cast<std::size_t>(newest)];
  if (std::isfinite(count) && static_cast<Count>(count) > q.least_cdus) {
    q.least_cdus = static_cast<Count>(count);
    more = true;
  }
  return more;
}

struct Variant {
  std::string name;
  LayoutRequest request;
};

std::vector<Variant> variants(const Base& base, const LayoutWish& wish, const Catalog& catalog, const Hall& hall) {
  std::vector<Variant> out;
  const auto comfortable = [&](std::string_view id, Length least) {
    const Assumption* a = catalog.find<Assumption>(id);
    const auto value = a && a->value ? parse_quantity(exact_number(*a->value) + " " + a->unit, kind::length)
                                     : tl::make_unexpected(std::string());
    return std::max(least, value ? meters(*value) : least);
  };
  const Length wide_cold = comfortable("clearance.cold_aisle", hall.cold_aisle_minimum),
               wide_hot = comfortable("clearance.hot_aisle", hall.hot_aisle_minimum);
  const bool aisles_differ =
      !wish.cold_aisle && !wish.hot_aisle && (wide_cold > hall.cold_aisle_minimum || wide_hot > hall.hot_aisle_minimum);
  // In the order in which they are tried: the likely ones first.
  struct Choice {
    bool wide, whole_pods;
    LeafPlace leafs;
    bool perimeter;
  };
  const Choice choices[] = {{true, true, LeafPlace::middle, false},     {false, true, LeafPlace::middle, false},
                            {false, false, LeafPlace::middle, false},   {true, false, LeafPlace::middle, false},
                            {false, true, LeafPlace::row_start, false}, {false, false, LeafPlace::middle, true}};
  for (const Choice& c : choices)
    for (const RowDirection direction : {RowDirection::along_x, RowDirection::along_y}) {
      Variant v;
      v.request = base.request;
      v.request.direction = direction;
      if (c.wide && !aisles_differ) continue;
      if (c.whole_pods && base.request.pod_racks == 0) continue;
      if (c.leafs == LeafPlace::row_start && base.request.fabric_racks_per_pod == 0) continue;
      if (c.perimeter && base.request.cdus == CduPlace::none) continue;
      if (c.wide) v.request.cold_aisle = wide_cold, v.request.hot_aisle = wide_hot;
      v.request.whole_pods = c.whole_pods;
      v.request.leafs = c.leafs;
      if (c.perimeter) v.request.cdus = CduPlace::perimeter;
      v.name = direction == RowDirection::along_x ? "Rows along x" : "Rows along y";
      if (aisles_differ) v.name += c.wide ? ", wide aisles" : ", least aisles";
      if (base.request.pod_racks > 0) v.name += c.whole_pods ? ", whole pods" : ", pods over rows";
      if (c.leafs == LeafPlace::row_start) v.name += ", leafs at the pod's start";
      if (c.perimeter) v.name += ", CDUs at the edge";
      out.push_back(std::move(v));
    }
  return out;
}

/// Where things stand, to tell equal outcomes apart from others.
std::vector<std::tuple<Id, double, double, double>> places_of(const LayoutOutcome& outcome) {
  std::vector<std::tuple<Id, double, double, double>> out;
  for (const Rack& r : *outcome.design.racks)
    out.emplace_back(r.rack_type, in_meters(r.x), in_meters(r.y), in_degrees(r.rotation));
  for (const CoolingUnit& u : *outcome.design.cooling_units)
    out.emplace_back(-1, in_meters(u.x), in_meters(u.y), in_degrees(u.rotation));
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace

tl::expected<LayoutProposals, std::string> layout_proposals(const Design& design, const Shared<Catalog>& catalog,
                                                            const LayoutWish& wish, std::size_t most,
                                                            const std::stop_token& stop,
                                                            const std::function<void(double)>& progress) {
  const Hall* hall = find(*design.halls, wish.hall);
  if (!hall)
    return tl::make_unexpected(wish.hall ? fmt::format("Hall: {} does not exist", wish.hall)
                                         : std::string("Hall: none is chosen; choose one"));
  if (!find(*design.rack_types, wish.rack_type))
    return tl::make_unexpected(std::string("Rack type: none is chosen; choose one"));
  const auto trial = with_one_rack(design, catalog, wish.rack_type, wish.hall);
  if (!trial) return tl::make_unexpected(std::string("stopped"));
  const Catalog& parts = *trial->catalog;
  const RackDraw draw = draw_of(*trial, wish.rack_type, wish.hall);

  Base base{design, {}, {}};
  LayoutRequest& q = base.request;
  q.rack_type = wish.rack_type;
  q.count = wish.count;
  q.hall = wish.hall;
  q.zone = wish.zone;
  q.rectangle = wish.rectangle;
  q.replace = wish.replace;
  q.longest_row = wish.longest_row;
  q.cold_aisle = wish.cold_aisle;
  q.hot_aisle = wish.hot_aisle;
  q.busways = wish.busways;
  q.power_per_rack = draw.power.value_or(Power{});
  q.continuous_load_factor = design.power_plant->continuous_load_factor;
  add_leafs(base, parts, wish);
  if (q.fabric_racks_per_pod > 0 && wish.busways)
    if (const auto fabric = with_one_rack(base.design, catalog, q.fabric_rack_type, wish.hall))
      q.power_per_fabric_rack = draw_of(*fabric, q.fabric_rack_type, wish.hall).power.value_or(Power{});
  if (wish.cdus && draw.liquid && *draw.liquid > watts(1)) {
    q.liquid_heat_per_rack = *draw.liquid;
    q.cdu_part = !wish.cdu_part.empty() ? wish.cdu_part : design.cooling_plant->cdu_part;
    if (q.cdu_part.empty()) q.cdu_part = suited_cdu(parts, in_watts(*draw.liquid) * static_cast<double>(wish.count));
    q.cdu_redundancy = design.cooling_plant->redundancy;
    if (q.cdu_part.empty())
      base.notes.push_back("The catalog has no row CDU with capacity and size; no CDUs are placed");
    else
      q.cdus = CduPlace::row_ends;
  } else if (wish.cdus) {
    base.notes.push_back(draw.liquid ? "The racks shed no heat to liquid; no CDUs are placed"
                                     : "The heat of a rack to liquid is not known; no CDUs are placed");
  }

  LayoutProposals out;
  std::set<std::vector<std::tuple<Id, double, double, double>>> seen;
  const auto all = variants(base, wish, parts, *hall);
  for (const Variant& v : all) {
    if (out.proposals.size() >= most) break;
    if (stop.stop_requested()) return tl::make_unexpected(std::string("stopped"));
    LayoutRequest request = v.request;
    request.power_per_rack = std::max(request.power_per_rack, q.power_per_rack);
    request.power_per_fabric_rack = std::max(request.power_per_fabric_rack, q.power_per_fabric_rack);
    request.liquid_heat_per_rack = std::max(request.liquid_heat_per_rack, q.liquid_heat_per_rack);
    request.least_cdus = std::max(request.least_cdus, q.least_cdus);
    request.power_margin = std::max(request.power_margin, q.power_margin);
    auto outcome = auto_layout(base.design, parts, request);
    if (!outcome) {
      out.refused.push_back(v.name + ": " + outcome.error());
      continue;
    }
    if (!seen.insert(places_of(*outcome)).second) continue;
    auto evaluated = evaluate(outcome->design, catalog, &*trial, stop);
    if (!evaluated) return tl::make_unexpected(std::string("stopped"));
    // The whole cluster draws more than a single rack told of: modules and switches come with it. What is rated and
    // sized for it is made anew.
    for (int again = 0; again < 4 && learn(*evaluated, *outcome, request, wish.rack_type, wish.hall); ++again) {
      q.power_per_rack = request.power_per_rack;
      q.power_per_fabric_rack = request.power_per_fabric_rack;
      q.liquid_heat_per_rack = request.liquid_heat_per_rack;
      q.least_cdus = request.least_cdus;
      q.power_margin = request.power_margin;
      outcome = auto_layout(base.design, parts, request);
      if (!outcome) break;
      evaluated = evaluate(outcome->design, catalog, &*evaluated, stop);
      if (!evaluated) return tl::make_unexpected(std::string("stopped"));
    }
    if (!outcome) {
      out.refused.push_back(v.name + ": " + outcome.error());
      continue;
    }
    LayoutProposal p;
    p.name = v.name;
    p.request = request;
    p.outcome = *std::move(outcome);
    p.outcome.notes.insert(p.outcome.notes.begin(), base.notes.begin(), base.notes.end());
    p.evaluation = std::make_shared<const Evaluation>(*std::move(evaluated));
    p.findings = count_of(p.evaluation->findings);
    // The same steps from the design that was asked about: a fabric rack type that is made comes first.
    const Shared<Catalog> held = p.evaluation->catalog;
    p.edit = {fmt::format("Lay out {} racks", p.outcome.racks),
              [held, request, before = base.design, asked = design](const Design& d) -> Edited {
                // A fabric rack type was made for the layout: make the same one here.
                Design from = d;
                LayoutRequest q2 = request;
                if (request.fabric_rack_type != 0 && !find(*d.rack_types, request.fabric_rack_type) &&
                    !find(*asked.rack_types, request.fabric_rack_type)) {
                  RackType type = *find(*before.rack_types, request.fabric_rack_type);
                  Made made = add_entity(d, &Design::rack_types, type);
                  q2.fabric_rack_type = made.entities.front().id;
                  from = made.design;
                  for (RackItem item : *before.rack_items)
                    if (item.rack_type == request.fabric_rack_type) {
                      item.rack_type = q2.fabric_rack_type;
                      from = add_entity(from, &Design::rack_items, item).design;
                    }
                }
                auto made = auto_layout(from, *held, q2);
                if (!made) return tl::make_unexpected(std::move(made.error()));
                return std::move(made->design);
              }};
    const Evaluation& e = *p.evaluation;
    p.headlines = {counted("Racks", p.outcome.racks),
                   counted("Errors", p.findings.errors),
                   counted("Warnings", p.findings.warnings),
                   counted("Notes", p.findings.notes),
                   counted("Undecided", p.findings.undecided),
                   counted("Fabric racks", p.outcome.fabric_racks),
                   counted("Rows", p.outcome.rows),
                   counted("CDUs", p.outcome.cdus),
                   headline(e, "GPUs", "population.gpus"),
                   headline(e, "Mean way to the leaf", "space.mean_rack_distance"),
                   headline(e, "Longest way to the leaf", "space.longest_rack_distance"),
                   headline(e, "Narrowest aisle", "space.narrowest_aisle"),
                   headline(e, "Worst floor load", "space.worst_floor_load"),
                   headline(e, "IT load", "power.it"),
                   headline(e, "Power headroom, worst", "power.headroom_worst"),
                   headline(e, "CDU headroom", "cooling.cdu_headroom"),
                   headline(e, "Total cost", "budget.total")};
    out.proposals.push_back(std::move(p));
    if (progress) progress(static_cast<double>(out.proposals.size()) / static_cast<double>(std::min(most, all.size())));
  }
  if (out.proposals.empty()) {
    // The variant that fits most tells how many.
    Count fits = 0;
    std::string best = out.refused.empty() ? std::string("no layout is possible") : out.refused.front();
    for (const Variant& v : all)
      if (const Count n = layout_capacity(base.design, parts, v.request); n > fits) {
        fits = n;
        best = fmt::format("{} racks do not fit with what goes with them; {} do with {}", wish.count, n, v.name);
      }
    return tl::make_unexpected(best);
  }
  std::stable_sort(out.proposals.begin(), out.proposals.end(), [](const LayoutProposal& a, const LayoutProposal& b) {
    const auto key = [](const LayoutProposal& p) {
      const auto& d = p.evaluation->space->mean_rack_distance;
      return std::tuple(p.findings.errors, p.findings.warnings + p.findings.undecided, std::round((d.has_value() ? in_meters(d.value) : 0.0) * 1e3), p.outcome.rows);
    };
    return key(a) < key(b);
  });
  return out;
}

// --- fill ----------------------------------------------------------------------------------------------------------

namespace {

std::string kilowatt_text(double watts_value) { return format_quantity(watts_value, kind::power).joined(); }

/// Racks whose middle lies in a polygon of a hall.
bool stands_in(const Design& d, const Catalog& catalog, const Rack& rack, const Zone& zone) {
  if (rack.hall != zone.hall) return false;
  const RackType* type = find(*d.rack_types, rack.rack_type);
  const Footprint f = rack_footprint(catalog, type ? *type : RackType{});
  const PlanThing t = plan_thing(rack.x, rack.y, f.width, f.depth, rack.rotation);
  return point_in_outline(t.center_x, t.center_y, zone.outline);
}

/// Power of all racks that stand in a zone; racks of unknown power count as none, and the second value is false then.
std::pair<double, bool> power_in(const Evaluation& e, const Zone& zone) {
  double used = 0;
  bool known = true;
  for (const Rack& r : *e.design.racks) {
    if (!stands_in(e.design, *e.catalog, r, zone)) continue;
    const auto at = static_cast<std::size_t>(&r - e.design.racks->data());
    const RackClassLoad& load = e.load->rack_classes[e.load->class_of_rack[at]];
    if (load.power.has_value()) used += in_watts(load.power.value);
    known = known && load.power.has_value();
  }
  return {used, known};
}

/// The limit of a fill that holds before and not after, by its id; empty where there is none.
std::string first_broken(const Evaluation& before, const Evaluation& after, const Zone* zone) {
  const auto over = [](const Evaluation& e) {
    return !e.design.racks->empty() && e.power->it.has_value() && e.power->it_capacity.has_value() &&
           e.power->it.value > e.power->it_capacity.value * (1 + 1e-9);
  };
  if (over(after) && !over(before)) return "site_power";
  if (zone && zone->power_limit && power_in(after, *zone).first > in_watts(*zone->power_limit) * (1 + 1e-9))
    return "zone_power";
  const double share = after.design.power_plant->continuous_load_factor;
  for (const PowerUnitLoad& l : after.power->units) {
    const PowerUnit* unit = find(*after.design.power_units, l.unit);
    if (!unit || (unit->kind != PowerUnitKind::busway && unit->kind != PowerUnitKind::distribution)) continue;
    if (!(l.failover_w > l.rating_w * share * (1 + 1e-9))) continue;
    const auto was = std::find_if(before.power->units.begin(), before.power->units.end(),
                                  [&](const PowerUnitLoad& b) { return b.unit == l.unit; });
    if (was == before.power->units.end() || was->failover_w < l.failover_w * (1 - 1e-9)) return "feed";
  }
  const auto short_of_coolant = [](const Evaluation& e) {
    return e.cooling->cdu_headroom.has_value() && e.cooling->cdu_headroom.value < -1e-9;
  };
  if (short_of_coolant(after) && !short_of_coolant(before)) return "cooling";
  return {};
}

} // namespace

tl::expected<FillPreview, std::string> fill_preview(const Design& design, const Shared<Catalog>& catalog,
                                                    const FillWish& wish) {
  const RackType* type = find(*design.rack_types, wish.rack_type);
  if (!type) return tl::make_unexpected(std::string("Rack type: none is chosen; choose one"));
  if (!has_entity(design, wish.where))
    return tl::make_unexpected(std::string("Nothing to fill is chosen; choose a row, a zone or a hall"));
  const Zone* zone = wish.where.table == "zones" ? find(*design.zones, wish.where.id) : nullptr;
  const Row* row = wish.where.table == "rows" ? find(*design.rows, wish.where.id) : nullptr;
  if (!zone && !row && wish.where.table != "halls")
    return tl::make_unexpected(fmt::format("{} cannot be filled; choose a row, a zone or a hall", wish.where.table));
  const Id hall_id = zone ? zone->hall : row ? row->hall : wish.where.id;
  const Hall* hall = find(*design.halls, hall_id);
  if (!hall) return tl::make_unexpected(std::string("It lies in no hall"));

  const auto before = evaluate(design, catalog);
  const auto trial = with_one_rack(design, catalog, wish.rack_type, hall_id);
  if (!before || !trial) return tl::make_unexpected(std::string("stopped"));
  const Catalog& parts = *trial->catalog;
  const RackDraw draw = draw_of(*trial, wish.rack_type, hall_id);
  FillPreview out;
  const auto limit = [&](std::string id, std::string name, std::optional<double> racks, std::string how) {
    std::optional<Count> whole;
    if (racks) whole = static_cast<Count>(std::clamp(std::floor(*racks + 1e-9), 0.0, 1e6));
    out.limits.push_back({std::move(id), std::move(name), whole, std::move(how)});
  };
  const double each = draw.power ? in_watts(*draw.power) : 0.0;
  const auto by_power = [&](std::string id, std::string name, double left) {
    limit(std::move(id), std::move(name), each > 0 ? std::optional(std::max(0.0, left) / each) : std::nullopt,
          each > 0 ? fmt::format("{} left, {} a rack", kilowatt_text(std::max(0.0, left)), kilowatt_text(each))
                   : "the power of a rack is not known");
  };

  // Floor area.
  LayoutRequest q;
  q.rack_type = wish.rack_type;
  q.hall = hall_id;
  q.zone = zone ? zone->id : 0;
  q.count = 20000;
  q.as_many_as_fit = true;
  q.direction = wish.direction;
  q.longest_row = wish.longest_row;
  if (!design.loops->empty()) q.loop = design.loops->front().id;
  for (const Rack& r : *design.racks)
    if (r.hall == hall_id && r.loop != 0) {
      q.loop = r.loop;
      break;
    }
  Count area = 0;
  if (row) {
    const auto filled = fill_row(design, parts, row->id, wish.rack_type, 20000);
    if (!filled) return tl::make_unexpected(filled.error());
    area = static_cast<Count>(filled->entities.size());
  } else {
    area = layout_capacity(design, parts, q);
    if (area == 0) {
      const auto why = auto_layout(design, parts, q);
      if (!why) return tl::make_unexpected(why.error());
    }
  }
  limit("area", "floor area", static_cast<double>(area),
        row ? "free places in the row's line" : "free places in rows with the hall's aisles");

  // Power of the site, of the zone, of the feeds.
  if (before->power->it_capacity.has_value()) {
    const double used = before->power->it.has_value() ? in_watts(before->power->it.value) : 0.0;
    by_power("site_power", "power of the site",
             in_watts(before->power->it_capacity.value) - (design.racks->empty() ? 0.0 : used));
  } else {
    limit("site_power", "power of the site", {},
          before->power->it_capacity.reason ? *before->power->it_capacity.reason : "not known");
  }
  if (zone && zone->power_limit) {
    const auto [used, known] = power_in(*before, *zone);
    by_power("zone_power", "power of the zone", in_watts(*zone->power_limit) - used);
    if (!known) out.limits.back().how += "; racks of unknown power in it count as none";
  } else if (zone) {
    limit("zone_power", "power of the zone", {}, zone->name + " states no power limit");
  }
  {
    // The feeds that the racks would take: those of the row, else all of the hall. Each side must carry all alone.
    std::set<Id> a, b;
    for (const Rack& r : *design.racks)
      if (row && r.row == row->id) a.insert(r.feed_a), b.insert(r.feed_b);
    if (!row)
      for (const PowerUnit& u : *design.power_units)
        if ((u.kind == PowerUnitKind::busway || u.kind == PowerUnitKind::distribution) && u.hall == hall_id)
          (u.feed == Feed::b ? b : a).insert(u.id);
    double least = std::numeric_limits<double>::infinity();
    bool known = true;
    for (const auto* side : {&a, &b}) {
      double left = 0;
      bool any = false;
      for (const PowerUnitLoad& l : before->power->units) {
        if (side->count(l.unit) == 0) continue;
        any = true;
        if (std::isnan(l.rating_w))
          known = false;
        else
          left += std::max(0.0, l.rating_w * design.power_plant->continuous_load_factor - l.failover_w);
      }
      if (any) least = std::min(least, left);
    }
    if (std::isinf(least))
      limit("feed", "power of the feeds", {}, "no feed is drawn here");
    else if (!known)
      limit("feed", "power of the feeds", {}, "the rating of a feed is not known");
    else
      by_power("feed", "power of the feeds", least);
  }

  // Coolant: capacity that is left with one CDU out, as the plant asks.
  if (draw.liquid && *draw.liquid > watts(1)) {
    std::vector<double> capacities;
    bool known = true;
    for (const CoolingUnit& u : *design.cooling_units) {
      if (u.kind != CoolingUnitKind::cdu || (q.loop != 0 && u.loop != q.loop)) continue;
      const CoolingPart* part = parts.find<CoolingPart>(u.part);
      if (u.capacity)
        capacities.push_back(in_watts(*u.capacity));
      else if (part && part->capacity)
        capacities.push_back(in_watts(*part->capacity));
      else
        known = false;
    }
    std::sort(capacities.begin(), capacities.end());
    double whole = 0;
    for (const double c : capacities)
      whole += c;
    if (design.cooling_plant->redundancy == Redundancy::n_plus_1 && !capacities.empty()) whole -= capacities.back();
    if (design.cooling_plant->redundancy == Redundancy::two_n) whole /= 2;
    double used = 0;
    for (const Rack& r : *design.racks) {
      if (q.loop != 0 && r.loop != q.loop) continue;
      const auto at = static_cast<std::size_t>(&r - design.racks->data());
      const RackClassLoad& load = before->load->rack_classes[before->load->class_of_rack[at]];
      if (load.heat_to_liquid.has_value()) used += in_watts(load.heat_to_liquid.value);
    }
    const double left = std::max(0.0, whole - used);
    if (capacities.empty())
      limit("cooling", "coolant", {}, known ? "no CDU is drawn" : "the capacity of the CDUs is not known");
    else
      limit("cooling", "coolant", left / in_watts(*draw.liquid),
            fmt::format("{} of CDUs left, {} a rack", kilowatt_text(left), kilowatt_text(in_watts(*draw.liquid))));
  } else {
    limit("cooling", "coolant", {},
          draw.liquid ? "the racks shed no heat to liquid" : "the heat of a rack to liquid is not known");
  }
  if (draw.floor_problem.empty())
    limit("floor", "floor load", {}, "the floor carries such a rack wherever it stands");
  else
    limit("floor", "floor load", 0.0, draw.floor_problem);

  FillLimit* least = nullptr;
  for (FillLimit& l : out.limits)
    if (l.racks && (!least || *l.racks < *least->racks)) least = &l;
  const Shared<Catalog> held = trial->catalog;
  const auto filled = [&](Count n) -> Edited {
    if (n == 0) return design;
    if (row) {
      auto made = fill_row(design, *held, row->id, wish.rack_type, n);
      if (!made) return tl::make_unexpected(std::move(made.error()));
      return std::move(made->design);
    }
    LayoutRequest some = q;
    some.count = n;
    auto made = auto_layout(design, *held, some);
    if (!made) return tl::make_unexpected(std::move(made.error()));
    return std::move(made->design);
  };
  // One rack does not tell all: switches and modules come with many, and feeds are taken in turn. So the design that is
  // filled is evaluated, and fewer racks are taken until it keeps what it kept before.
  const auto broken = [&](Count n) -> std::string {
    const auto after = filled(n);
    const auto e = after ? evaluate(*after, catalog, &*before) : std::nullopt;
    return e ? first_broken(*before, *e, zone) : std::string();
  };
  Count placed = least ? *least->racks : 0;
  if (std::string why = broken(placed); placed > 0 && !why.empty()) {
    Count low = 0, high = placed; // `high` breaks a limit
    while (low + 1 < high) {
      const Count mid = (low + high) / 2;
      if (std::string wrong = broken(mid); wrong.empty())
        low = mid;
      else
        high = mid, why = std::move(wrong);
    }
    placed = low;
    for (FillLimit& l : out.limits)
      if (l.id == why) {
        l.racks = placed;
        l.how += fmt::format("; with their switches and modules {} fit",
                             placed == 1 ? "1 rack" : fmt::format("{} racks", placed));
        least = &l;
      }
  }
  out.placed = placed;
  out.stopped_by = least ? least->id : std::string();
  out.sentence =
      fmt::format("{} placed; stopped by the {}: {}", out.placed == 1 ? "1 rack" : fmt::format("{} racks", out.placed),
                  least ? least->name : "", least ? least->how : "");
  const std::string place = entity_name(design, wish.where);
  const std::string label = fmt::format("Fill {} with {} racks", place, out.placed);
  if (row) {
    out.edit = {label, [held, row_id = row->id, rack_type = wish.rack_type, n = out.placed](const Design& d) -> Edited {
                  auto made = fill_row(d, *held, row_id, rack_type, n);
                  if (!made) return tl::make_unexpected(std::move(made.error()));
                  return std::move(made->design);
                }};
  } else {
    q.count = out.placed;
    out.edit = {label, [held, q](const Design& d) -> Edited {
                  if (q.count == 0) return d;
                  auto made = auto_layout(d, *held, q);
                  if (!made) return tl::make_unexpected(std::move(made.error()));
                  return std::move(made->design);
                }};
  }
  return out;
}

} // namespace hallwright
