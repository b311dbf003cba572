// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/evaluation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "cooling/climate_year.h"
#include "cooling/loop_inputs.h"
#include "evaluation/document_rules.h"
#include "ledger/carried_bounds.h"
#include "quantity/text.h"

namespace hallwright {
namespace {

/// Equality that lets a stage hand the old result back: same figures and same tables, cell by cell.
bool same_result(const StageResult& a, const StageResult& b) {
  if (!a.page || !b.page || !(*a.page == *b.page)) return false;
  const auto& ta = *a.tables;
  const auto& tb = *b.tables;
  return ta.size() == tb.size() && std::equal(ta.begin(), ta.end(), tb.begin(), [](const Table& x, const Table& y) { return same_table(x, y); });
}
/// What no page shows and rules and pictures read: the drawn one-line, with what is wrong with it.
bool same_extras(const PowerResult& a, const PowerResult& b) { return !a.one_line && !b.one_line; }
bool same_extras(const SpaceResult& a, const SpaceResult& b) { return a.places == b.places && a.routes == b.routes; }
bool same_extras(const TrainingResult& a, const TrainingResult& b) { return a.problems == b.problems && a.job == b.job; }
bool same_extras(const FabricResult& a, const FabricResult& b) {
  return std::equal(a.networks.begin(), a.networks.end(), b.networks.begin(), b.networks.end(),
                    [](const NetworkResult& x, const NetworkResult& y) { return x.problem == y.problem && x.counts.rule == y.counts.rule && x.counts.notes == y.counts.notes; });
}
bool same_extras(const CablingResult& a, const CablingResult& b) {
  return std::equal(a.networks.begin(), a.networks.end(), b.networks.begin(), b.networks.end(), [](const NetworkCabling& x, const NetworkCabling& y) {
    return x.network == y.network && x.problem == y.problem && x.wiring == y.wiring && x.places == y.places && x.plan == y.plan;
  });
}
bool same_extras(const TrafficResult& a, const TrafficResult& b) {
  auto same_left = [](const NetworkLeft& x, const NetworkLeft& y) {
    return x.network == y.network && x.dead == y.dead && x.lost == y.lost && x.failures == y.failures;
  };
  return a.places == b.places && a.placement.has_value() == b.placement.has_value() &&
         (!a.placement || a.placement->node_order == b.placement->node_order) &&
         std::equal(a.left.begin(), a.left.end(), b.left.begin(), b.left.end(), same_left);
}
template <class R>
bool same_extras(const R&, const R&) {
  return true; // everything else a result hands on follows from its figures and tables
}

/// Equal with their reasons: a stage that reads no more of an earlier one rests.
template <class T>
bool alike(const Traced<T>& a, const Traced<T>& b) {
  return a == b && (a.reason == b.reason || (a.reason && b.reason && *a.reason == *b.reason));
}

/// Runs one stage, unless what it reads is what it read last time.
template <class Result, class Inputs, class F>
Shared<Result> stage(const Inputs& inputs, const Inputs* last_inputs, bool earlier_results_same, const Shared<Result>& last, F&& run) {
  if (last && last_inputs && earlier_results_same && inputs == *last_inputs) return last;
  auto result = std::make_shared<const Result>(run(inputs));
  if (last && same_result(*result, *last) && same_extras(*result, *last)) return last;
  return result;
}

std::vector<PartOverrideValue> override_values(const Design& design) {
  std::vector<PartOverrideValue> out;
  for (const PartOverride& o : *design.part_overrides) out.push_back({o.part_kind, o.part, o.field, o.value});
  return out;
}

/// Fields of a node that stages leave out which lay nodes out and join them.
constexpr std::array<std::string_view, 9> not_laid{
    "power_max_w",          "power_typical_w", "power_measured_w", "liquid_heat_share_pct", "coolant_flow_l_min",
    "coolant_supply_max_c", "airflow_m3_h",    "inlet_air_max_c",  "price_usd"};
bool laid_field(std::string_view field) { return std::find(not_laid.begin(), not_laid.end(), field) == not_laid.end(); }

/// Whether the overrides of a kind of part replace the same values in both; only of fields that `counts` says yes to.
template <class Counts>
bool same_overrides(const Design& a, const Design& b, std::string_view kind, Counts&& counts) {
  if (a.part_overrides == b.part_overrides) return true;
  auto of_kind = [&](const Design& d) {
    std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> of;
    for (const PartOverride& o : *d.part_overrides)
      if (o.part_kind == kind && counts(o.field)) of.emplace_back(o.part, o.field, o.value);
    return of;
  };
  return of_kind(a) == of_kind(b);
}

/// The catalog with the overrides of `e.design`. Kinds of part whose overrides are those of last time keep their lists.
Shared<Catalog> overridden_catalog(const Evaluation& e, const Evaluation* previous, std::vector<std::string>& problems) {
  Catalog out = with_overrides(*e.shipped_catalog, override_values(e.design), problems);
  if (previous && previous->shipped_catalog == e.shipped_catalog)
    for_each_part_type([&]<class P>(std::type_identity<P>) {
      if (same_overrides(e.design, previous->design, part_kind<P>(), [](std::string_view) { return true; }))
        out.of<P>() = previous->catalog->of<P>();
    });
  return share(std::move(out));
}

PartList<NodePart> laid_nodes(const Evaluation& e, const Evaluation* previous) {
  if (previous && previous->shipped_catalog == e.shipped_catalog &&
      same_overrides(e.design, previous->design, part_kind<NodePart>(), laid_field))
    return previous->laid_nodes;
  PartList<NodePart> out = e.catalog->nodes;
  for (NodePart& n : out) {
    n.power_maximum = n.power_typical = n.power_measured = {};
    n.liquid_heat_share = {};
    n.coolant_flow = {};
    n.coolant_supply_maximum = {};
    n.airflow = {};
    n.inlet_air_maximum = {};
    n.price = {};
  }
  return out;
}

/// Whether two designs share all of their sections.
bool same_sections(const Design& a, const Design& b) {
  bool same = true;
  const auto look = [&](std::string_view, auto member) { same = same && a.*member == b.*member; };
  for_each_section(look);
  for_each_table(look);
  return same;
}

/// Equal field by field.
template <class E>
bool same_fields(const E& a, const E& b) {
  const auto list = fields<E>();
  return std::all_of(list.begin(), list.end(), [&](const Field<E>& f) { return f.get(a) == f.get(b); });
}

Shared<std::vector<Rack>> unplaced_racks(const Evaluation& e, const Evaluation* previous) {
  if (previous && previous->design.racks == e.design.racks) return previous->unplaced_racks;
  std::vector<Rack> out = *e.design.racks;
  for (Rack& r : out) r.x = r.y = Length{}, r.rotation = Angle{};
  if (previous) {
    const std::vector<Rack>& last = *previous->unplaced_racks;
    if (std::equal(out.begin(), out.end(), last.begin(), last.end(), [](const Rack& a, const Rack& b) { return a.id == b.id && same_fields(a, b); }))
      return previous->unplaced_racks;
  }
  return share(std::move(out));
}

Shared<Site> floor_site(const Evaluation& e, const Evaluation* previous) {
  if (previous && previous->design.site == e.design.site) return previous->floor_site;
  const Site& all = *e.design.site;
  Site out;
  out.floor_rating = all.floor_rating;
  out.point_load_rating = all.point_load_rating;
  out.rolling_load_rating = all.rolling_load_rating;
  out.seismic_category = all.seismic_category;
  if (previous && same_fields(out, *previous->floor_site)) return previous->floor_site;
  return share(std::move(out));
}

Shared<std::vector<FailedThing>> failed_things_of(const Evaluation& e, const Evaluation* previous) {
  // Where nothing drawn is out of service, nothing of the drawing is asked.
  if (previous && previous->design.failures == e.design.failures && previous->failed_things->empty()) return previous->failed_things;
  std::vector<FailedThing> out = failed_things(e.design);
  if (previous && out == *previous->failed_things) return previous->failed_things;
  return share(std::move(out));
}

/// What of an evaluation's design its stages see.
struct Seen {
  Design whole;
  Design unplaced;  ///< by those that do not ask where racks stand
  Design on_floor;  ///< by the space stage
  explicit Seen(const Evaluation& e) : whole(e.design), unplaced(e.design), on_floor(e.design) {
    unplaced.racks = e.unplaced_racks;
    on_floor.site = e.floor_site;
  }
};

/// The kinds of part that a stage reads. It is handed these only, so that a change of another kind cannot concern it.
template <class... P>
struct Reads {};
/// Nodes as they are laid out and joined: `Evaluation::laid_nodes`.
struct LaidNodes : NodePart {};

template <class P>
struct KindOfPart {
  using type = P;
  static const PartList<P>& list(const Evaluation& e) { return e.catalog->of<P>(); }
  static bool reads(std::string_view) { return true; }
};
template <>
struct KindOfPart<LaidNodes> {
  using type = NodePart;
  static const PartList<NodePart>& list(const Evaluation& e) { return e.laid_nodes; }
  static bool reads(std::string_view field) { return laid_field(field); }
};
template <class P>
using part_of = typename KindOfPart<P>::type;

template <class... P>
Shared<Catalog> kinds_of(Reads<P...>, const Evaluation& e, const Shared<Catalog>& last) {
  Catalog out;
  ((out.of<part_of<P>>() = KindOfPart<P>::list(e)), ...);
  out.date = e.catalog->date;
  for (const auto& key : e.catalog->overridden)
    if (((std::get<0>(key) == part_kind<part_of<P>>() && KindOfPart<P>::reads(std::get<2>(key))) || ...))
      out.overridden.insert(out.overridden.end(), key);
  if (last && (out.of<part_of<P>>().shares_with(last->of<part_of<P>>()) && ...) && out.overridden == last->overridden && out.date == last->date) return last;
  return share(std::move(out));
}

constexpr Reads<NodePart> population_parts;
constexpr Reads<LaidNodes, RackPart, SwitchPart, StoragePart, PowerPart, CoolingPart, Assumption> space_parts;
constexpr Reads<Accelerator, LaidNodes, SwitchPart, OpticPart, CablePart, StoragePart, Assumption> fabric_parts;
constexpr Reads<LaidNodes, RackPart, SwitchPart, OpticPart, CablePart, StoragePart, Assumption> cabling_parts;
constexpr Reads<Accelerator, NodePart, RackPart, SwitchPart, StoragePart, PowerPart, Assumption> load_parts;
constexpr Reads<CoolingPart, FluidPart, NodePart, RackPart, ClimatePart, Assumption> cooling_parts;
constexpr Reads<PowerPart, CoolingPart, LaidNodes, RackPart, Assumption> power_parts;
constexpr Reads<Accelerator, NodePart, ModelPart, Assumption> training_parts;
constexpr Reads<ModelPart> traffic_parts;
constexpr Reads<StoragePart, Assumption> storage_parts;
constexpr Reads<Assumption> reliability_parts;
constexpr Reads<NodePart, RackPart, SwitchPart, StoragePart, Assumption> budget_parts;

// What each stage reads of a design: its memo key.
PopulationInputs population_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.site, d.goal, d.rack_types, d.rack_items, d.racks, d.project, c};
}
SpaceInputs space_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.site,        d.halls,         d.structures, d.rack_types, d.rack_items,   d.racks, d.power_units,
          d.cooling_units, c,              d.zones,      d.containments, d.trays,       d.pipes};
}
RouteInputs route_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, d.trays, d.pipes, c};
}
FabricInputs fabric_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.networks, d.rack_items, d.project, d.storage, d.goal, c};
}
CablingInputs cabling_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.networks, d.rack_types, d.rack_items, d.racks, d.storage, c};
}
LoadInputs load_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.project, d.goal, d.rack_types, d.rack_items, d.racks, d.storage, c, d.job->gpu_power_cap, d.rows};
}
CoolingInputs cooling_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.cooling_plant, d.site, d.loops, d.cooling_units, d.racks, d.rack_types, d.rack_items, c, d.climate_bins};
}
PowerInputs power_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.power_plant, d.site, d.goal, d.power_units, d.racks, d.rack_types, c, d.rack_items, d.cooling_units};
}
TrainingInputs training_inputs(const Design& d, const Shared<Catalog>& c) { return {d.job, c}; }
TrafficInputs traffic_inputs(const Design& d, const Shared<Catalog>& c) { return {d.job, d.communicators, d.failures, d.networks, c}; }
StorageInputs storage_inputs(const Design& d, const Shared<Catalog>& c) { return {d.storage, d.rack_items, d.racks, c}; }
ReliabilityInputs reliability_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.operations, d.storage, d.rack_types, d.rack_items, d.racks, c};
}
BudgetInputs budget_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.budget, d.site, d.storage, d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, c};
}

/// Memo of one stage: its inputs now and last time.
template <class Inputs>
struct Key {
  Inputs now;
  std::optional<Inputs> last;
  Key(Inputs (*inputs)(const Design&, const Shared<Catalog>&), std::size_t stage, const Design& seen, const Evaluation& e,
      const Design* last_seen, const Evaluation* previous)
      : now(inputs(seen, e.stage_catalogs[stage])) {
    if (previous) last = inputs(*last_seen, previous->stage_catalogs[stage]);
  }
};

/// The drawing and nothing else, for its rules.
Design drawing_of(const Evaluation& e) {
  static const Design blank;
  const Design& d = e.design;
  Design out = blank;
  out.site = e.floor_site;
  out.halls = d.halls, out.structures = d.structures, out.zones = d.zones, out.containments = d.containments;
  out.rack_types = d.rack_types, out.rack_items = d.rack_items, out.rows = d.rows, out.racks = d.racks, out.groups = d.groups;
  out.power_units = d.power_units, out.loops = d.loops, out.cooling_units = d.cooling_units;
  out.trays = d.trays, out.pipes = d.pipes;
  return out;
}

/// Rules that look at the drawing and at the figures of its stage, and the others.
struct RulesByReach {
  std::vector<Rule> drawing, others;
};
const RulesByReach& rules_by_reach() {
  static const RulesByReach rules = [] {
    constexpr std::string_view of_cables = "SPC-040"; // reads what the cabling stage lays on trays
    std::vector<std::string_view> drawing;
    for (const Rule& rule : space_rules())
      if (rule.code != of_cables) drawing.push_back(rule.code);
    RulesByReach out;
    for (const Rule& rule : all_rules())
      (std::find(drawing.begin(), drawing.end(), rule.code) != drawing.end() ? out.drawing : out.others).push_back(rule);
    return out;
  }();
  return rules;
}

/// What all rules find; those of the drawing rest where it and the figures of its stage are the objects of last time.
std::vector<Finding> findings_of(Evaluation& e, const Evaluation* previous, const std::stop_token& stop) {
  constexpr auto space = static_cast<std::size_t>(Page::space);
  const Design drawing = drawing_of(e);
  const bool rest = previous && previous->population == e.population && previous->space == e.space &&
                    previous->stage_catalogs[space] == e.stage_catalogs[space] && same_sections(drawing, drawing_of(*previous));
  if (rest) {
    e.drawing_findings = previous->drawing_findings;
  } else {
    Figures figures;
    figures.add(*e.population);
    figures.add(*e.space);
    e.drawing_findings = std::make_shared<const std::vector<Finding>>(
        found_by(rules_by_reach().drawing, {drawing, *e.stage_catalogs[space], figures, stop}));
  }
  CheckContext others{e.design, *e.catalog, e.figures, stop};
  others.looks->of<LoopLooks>([&] { return e.loops; });
  if (e.power->one_line) others.looks->of<OneLineStudy>([&] { return e.power->one_line; });
  std::vector<Finding> out = found_by(rules_by_reach().others, others);
  out.insert(out.end(), e.drawing_findings->begin(), e.drawing_findings->end());
  settle(out, e.design);
  return out;
}

/// Racks that hold GPUs of the job, by id: those of its nodes where it has a place on a wired network, else all that hold
/// the accelerator that it runs on.
std::vector<Id> job_racks(const Evaluation& e) {
  std::vector<Id> types, out;
  for (const RackItem& item : *e.design.rack_items) {
    const NodePart* node = item.kind == RackItemKind::node ? e.catalog->find<NodePart>(item.part) : nullptr;
    if (node && node->accelerator == e.population->main_accelerator_part) types.push_back(item.rack_type);
  }
  for (const Rack& rack : *e.design.racks)
    if (std::find(types.begin(), types.end(), rack.rack_type) != types.end()) out.push_back(rack.id);
  const TrafficResult& traffic = *e.traffic;
  if (!traffic.placement || !traffic.drawn) return out;
  std::vector<Id> placed;
  for (const std::uint32_t node : traffic.placement->node_order) {
    const Id rack = node < traffic.drawn->places.size() ? traffic.drawn->rack_of(node) : 0;
    if (rack == 0) return out; // stands nowhere: any rack may hold it
    placed.push_back(rack);
  }
  std::sort(placed.begin(), placed.end());
  std::erase_if(out, [&](Id rack) { return !std::binary_search(placed.begin(), placed.end(), rack); });
  return out;
}

/// Marks what rests on lower bounds, from stage to stage.
void carry_bounds(Evaluation& e) {
  const std::array<const StageResult*, page_count> results{
      e.population.get(), e.space.get(),    e.fabric.get(),  e.cabling.get(), e.load.get(),        e.cooling.get(),
      e.power.get(),      e.traffic.get(), e.training.get(), e.storage.get(), e.reliability.get(), e.budget.get()};
  const auto pages = bounds_carried(e.figures);
  for (std::size_t p = 0; p < page_count; ++p)
    if (pages[p] && results[p]->page != pages[p]) e.figures.add({pages[p], results[p]->tables});
}

} // namespace

std::optional<Evaluation> evaluate(const Design& design, const Shared<Catalog>& catalog, const Evaluation* previous, std::stop_token stop,
                                   LoopDepth depth) {
  Evaluation e;
  e.design = design;
  e.shipped_catalog = catalog;
  if (previous && previous->shipped_catalog == catalog && previous->design.part_overrides == design.part_overrides) {
    e.catalog = previous->catalog;
    e.override_problems = previous->override_problems;
  } else if (design.part_overrides->empty()) {
    e.catalog = catalog;
  } else {
    e.catalog = overridden_catalog(e, previous, e.override_problems);
  }
  e.laid_nodes = laid_nodes(e, previous);
  e.unplaced_racks = unplaced_racks(e, previous);
  e.floor_site = floor_site(e, previous);
  e.failed_things = failed_things_of(e, previous);
  const Evaluation* p = previous;
  const Seen seen(e);
  const std::optional<Seen> last_seen = p ? std::optional<Seen>(std::in_place, *p) : std::nullopt;
  // A stage rests when its sections and every earlier result that it reads are the objects of last time.
  auto run = [&]<class R, class I>(Page page, Shared<R> Evaluation::*member, auto parts, I (*inputs)(const Design&, const Shared<Catalog>&),
                                   auto part, bool earlier_same, auto&& f) {
    if (stop.stop_requested()) return false;
    const auto i = static_cast<std::size_t>(page);
    if (!e.stage_catalogs[i]) e.stage_catalogs[i] = kinds_of(parts, e, p ? p->stage_catalogs[i] : nullptr);
    const Key<I> key(inputs, i, seen.*part, e, last_seen ? &((*last_seen).*part) : nullptr, p);
    e.*member = stage<R>(key.now, key.last ? &*key.last : nullptr, p && earlier_same, p ? p->*member : nullptr, f);
    if (stop.stop_requested()) return false; // the stage may have left off in the middle
    e.figures.add(*(e.*member));
    return true;
  };
  // Of the traffic stage the training stage reads how the job lies on the network, nothing else.
  // Of the fabric stage it reads three rates.
  const auto same_rates = [](const Shared<FabricResult>& fabric, const Evaluation* last) {
    const FabricResult* then = last ? last->fabric.get() : nullptr;
    return then && alike(fabric->injection_per_gpu, then->injection_per_gpu) && alike(fabric->scale_up_domain_gpus, then->scale_up_domain_gpus) &&
           alike(fabric->scale_up_rate_per_gpu, then->scale_up_rate_per_gpu);
  };
  const auto same_network = [](const Shared<TrafficResult>& traffic, const Evaluation* last) {
    if (!last || traffic->network != last->traffic->network) return false;
    return !traffic->network || std::equal(traffic->network->figures.begin(), traffic->network->figures.end(), last->traffic->network->figures.begin(),
                                           last->traffic->network->figures.end(), [](const auto& x, const auto& y) { return alike(x.second, y.second); });
  };
  auto same = [&](auto... members) { return p && ((e.*members == p->*members) && ...); };
  using E = Evaluation;

  // Routes have no page of their own: the space stage tells of them, and its catalog is theirs.
  auto run_routes = [&] {
    if (stop.stop_requested()) return false;
    constexpr auto i = static_cast<std::size_t>(Page::space);
    e.stage_catalogs[i] = kinds_of(space_parts, e, p ? p->stage_catalogs[i] : nullptr);
    const Key<RouteInputs> key(route_inputs, i, e.design, e, p ? &p->design : nullptr, p);
    if (p && *key.last == key.now) {
      e.routes = p->routes;
    } else {
      e.routes = std::make_shared<const RouteResult>(routes(key.now, stop));
      if (stop.stop_requested()) return false; // it may have left off in the middle
      if (p && *e.routes == *p->routes) e.routes = p->routes;
    }
    return true;
  };

  // Nor have drawn loops: the cooling stage tells of them.
  auto run_loops = [&] {
    if (stop.stop_requested()) return false;
    constexpr auto i = static_cast<std::size_t>(Page::cooling);
    e.stage_catalogs[i] = kinds_of(cooling_parts, e, p ? p->stage_catalogs[i] : nullptr);
    DrawnLoopInputs now = loop_inputs(e.design, e.stage_catalogs[i]);
    const bool behind = p && depth == LoopDepth::whole && p->loops->behind(); // the last was in haste
    if (p && !behind && e.load == p->load && loop_inputs(p->design, p->stage_catalogs[i]) == now) {
      e.loops = p->loops;
      return true;
    }
    if (!now.pipes->empty()) now.coolant = rack_coolant(now, *e.load);
    e.loops = std::make_shared<const LoopLooks>(loops_at_work(now, p ? p->loops.get() : nullptr, stop, depth));
    if (stop.stop_requested()) return false; // it may have left off in the middle
    // Loops that are drawn as last time are the objects of last time: then the cooling stage rests, too.
    const auto same_loop = [](const LoopLook& now_at_work, const LoopLook& then) {
      return now_at_work.loop == then.loop && now_at_work.outages == then.outages && now_at_work.outages_behind == then.outages_behind;
    };
    if (p && std::equal(e.loops->loops.begin(), e.loops->loops.end(), p->loops->loops.begin(), p->loops->loops.end(), same_loop)) e.loops = p->loops;
    return true;
  };

  // Nor has the outdoor air: the cooling stage tells of its year, and its catalog is there by now.
  auto run_climate = [&] {
    const Shared<Catalog>& parts = e.stage_catalogs[static_cast<std::size_t>(Page::cooling)];
    const bool rests = p && p->design.climate_bins == design.climate_bins && p->design.site->climate_part == design.site->climate_part &&
                       p->stage_catalogs[static_cast<std::size_t>(Page::cooling)]->climates.shares_with(parts->climates);
    e.climate = rests ? p->climate : climate_year(*design.site, *design.climate_bins, *parts);
    return true;
  };

  // Of the load stage the training stage reads the rack of the job that is held to least.
  auto find_held_rack = [&] {
    const bool any = std::any_of(e.load->rack_classes.begin(), e.load->rack_classes.end(), [](const RackClassLoad& c) { return c.gpu_limit.figure.valid(); });
    if (!any) return true;
    const std::vector<Id> racks = job_racks(e);
    e.held_rack = slowest_held_rack(*e.load, *e.design.racks, &racks);
    return true;
  };

  const bool done =
      run(Page::population, &E::population, population_parts, population_inputs, &Seen::unplaced, true, [&](const auto& in) { return population(in); }) &&
      run_routes() &&
      run(Page::space, &E::space, space_parts, space_inputs, &Seen::on_floor, same(&E::population, &E::routes), [&](const auto& in) { return space(in, *e.population, e.routes, stop); }) &&
      run(Page::fabric, &E::fabric, fabric_parts, fabric_inputs, &Seen::whole, same(&E::population, &E::space), [&](const auto& in) { return fabric(in, *e.population, *e.space); }) &&
      run(Page::cabling, &E::cabling, cabling_parts, cabling_inputs, &Seen::whole, same(&E::population, &E::space, &E::fabric),
          [&](const auto& in) { return cabling(in, *e.population, *e.fabric, *e.space, p ? p->cabling.get() : nullptr, stop); }) &&
      run(Page::load, &E::load, load_parts, load_inputs, &Seen::unplaced, same(&E::population, &E::fabric, &E::cabling),
          [&](const auto& in) { return load(in, *e.population, *e.fabric, e.cabling.get()); }) &&
      run_loops() && run_climate() &&
      run(Page::cooling, &E::cooling, cooling_parts, cooling_inputs, &Seen::unplaced, same(&E::load, &E::loops), [&](const auto& in) { return cooling(in, *e.load, e.loops.get(), e.climate); }) &&
      run(Page::power, &E::power, power_parts, power_inputs, &Seen::unplaced, same(&E::load, &E::cooling), [&](const auto& in) { return power(in, *e.load, *e.cooling); }) &&
      run(Page::traffic, &E::traffic, traffic_parts, traffic_inputs, &Seen::whole, same(&E::population, &E::fabric, &E::cabling, &E::failed_things),
          [&](const auto& in) { return traffic(in, *e.population, *e.fabric, *e.cabling, *e.failed_things, p ? p->traffic.get() : nullptr, stop); }) &&
      find_held_rack() &&
      run(Page::training, &E::training, training_parts, training_inputs, &Seen::whole,
          same(&E::population) && same_rates(e.fabric, p) && same_network(e.traffic, p) && p->held_rack == e.held_rack,
          [&](const auto& in) {
            return training(in, *e.population, e.fabric.get(), e.traffic->network ? &*e.traffic->network : nullptr, e.held_rack ? &*e.held_rack : nullptr);
          }) &&
      run(Page::storage, &E::storage, storage_parts, storage_inputs, &Seen::unplaced, same(&E::training, &E::population), [&](const auto& in) { return storage(in, *e.training, *e.population); }) &&
      run(Page::reliability, &E::reliability, reliability_parts, reliability_inputs, &Seen::unplaced, same(&E::population, &E::training, &E::storage),
          [&](const auto& in) { return reliability(in, *e.population, *e.training, *e.storage); }) &&
      run(Page::budget, &E::budget, budget_parts, budget_inputs, &Seen::unplaced, same(&E::population, &E::fabric, &E::cabling, &E::load, &E::power, &E::training, &E::reliability),
          [&](const auto& in) { return budget(in, *e.population, *e.fabric, *e.load, *e.power, *e.training, *e.reliability, e.cabling.get()); });
  if (!done || stop.stop_requested()) return std::nullopt;
  carry_bounds(e);
  e.findings = findings_of(e, p, stop);
  if (stop.stop_requested()) return std::nullopt;
  // A replacement of a catalog value that cannot be made changes nothing, and is an error of the design.
  for (const std::string& problem : e.override_problems) {
    Finding f;
    f.code = "CAT-001";
    f.severity = Severity::error;
    f.message = problem;
    f.where = "replaced catalog values";
    e.findings.insert(e.findings.begin(), std::move(f));
  }
  return e;
}

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> out;
    for (auto part : {space_rules(), fabric_rules(), load_rules(), cooling_rules(), power_rules(), one_line_rules(), training_rules(), storage_rules(),
                      reliability_rules(), budget_rules(), document_rules()})
      out.insert(out.end(), part.begin(), part.end());
    std::sort(out.begin(), out.end(), [](const Rule& a, const Rule& b) { return a.code < b.code; });
    return out;
  }();
  return rules;
}

const std::vector<HeadlineTile>& headline_tiles() {
  static const std::vector<HeadlineTile> tiles{
      {"IT load", "power.it", "", "power.pue", "PUE", false},
      {"Power headroom, worst", "power.headroom_worst", "", "power.facility", "facility", true},
      {"Coolant flow", "cooling.flow", "", "cooling.cdu_headroom", "CDU headroom", false},
      {"Worst floor load", "space.worst_floor_load", "", "space.worst_point_load", "per foot", false},
      {"Cables \u00b7 modules", "cabling.cables", "cabling.modules", "cabling.optics_power", "optics", false},
      {"Checkpoint burst", "storage.write_time", "storage.checkpoint", "storage.write_rate", "at", false},
      {"Step time \u00b7 MFU", "training.step_time", "training.mfu", "training.memory_per_gpu", "memory", false},
      {"Time to train", "reliability.wall_time", "", "reliability.goodput", "goodput", false},
      {"Total cost", "budget.total", "", "budget.cost_per_gpu_hour", "per GPU:", false},
  };
  return tiles;
}

std::vector<PublishedComparison> published_comparisons(const Evaluation& evaluation) {
  std::vector<PublishedComparison> out;
  for (const PublishedFigure& published : *evaluation.design.published) {
    PublishedComparison c;
    c.published = &published;
    c.ours = evaluation.figures.find(published.figure);
    if (!c.ours) {
      c.problem = "there is no figure " + published.figure;
    } else {
      auto value = parse_quantity(published.value, *c.ours->kind);
      if (!value) c.problem = value.error();
      else {
        c.published_value = *value;
        if (!c.ours->has_value()) c.problem = c.ours->reason;
        else if (*value != 0.0) c.deviation = c.ours->value / *value - 1.0;
      }
    }
    out.push_back(std::move(c));
  }
  return out;
}

} // namespace hallwright
