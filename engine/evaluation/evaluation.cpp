// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/evaluation.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "evaluation/document_rules.h"
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
bool same_extras(const SpaceResult& a, const SpaceResult& b) { return a.places == b.places && a.routes == b.routes; }
bool same_extras(const TrainingResult& a, const TrainingResult& b) { return a.problems == b.problems; }
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
  auto same_left = [](const NetworkLeft& x, const NetworkLeft& y) { return x.network == y.network && x.dead == y.dead; };
  return a.places == b.places && a.placement.has_value() == b.placement.has_value() &&
         (!a.placement || a.placement->node_order == b.placement->node_order) &&
         std::equal(a.left.begin(), a.left.end(), b.left.begin(), b.left.end(), same_left);
}
template <class R>
bool same_extras(const R&, const R&) {
  return true; // everything else a result hands on follows from its figures and tables
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

/// The catalog with the overrides of `e.design`. Kinds of part whose overrides are those of last time keep their lists.
Shared<Catalog> overridden_catalog(const Evaluation& e, const Evaluation* previous, std::vector<std::string>& problems) {
  const auto values = override_values(e.design);
  Catalog out = with_overrides(*e.shipped_catalog, values, problems);
  if (previous && previous->shipped_catalog == e.shipped_catalog) {
    const auto last_values = override_values(previous->design);
    for_each_part_type([&]<class P>(std::type_identity<P>) {
      auto of_kind = [](const std::vector<PartOverrideValue>& all) {
        std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> of;
        for (const PartOverrideValue& o : all)
          if (o.kind == part_kind<P>()) of.emplace_back(o.part, o.field, o.value);
        return of;
      };
      if (of_kind(values) == of_kind(last_values)) out.of<P>() = previous->catalog->of<P>();
    });
  }
  return share(std::move(out));
}

/// The kinds of part that a stage reads. It is handed these only, so that a change of another kind cannot concern it.
template <class... P>
struct Reads {};

template <class... P>
Shared<Catalog> kinds_of(Reads<P...>, const Catalog& all, const Shared<Catalog>& last) {
  Catalog out;
  ((out.of<P>() = all.of<P>()), ...);
  out.date = all.date;
  for (const auto& key : all.overridden)
    if (((std::get<0>(key) == part_kind<P>()) || ...)) out.overridden.insert(out.overridden.end(), key);
  if (last && (out.of<P>().shares_with(last->of<P>()) && ...) && out.overridden == last->overridden && out.date == last->date) return last;
  return share(std::move(out));
}

constexpr Reads<NodePart> population_parts;
constexpr Reads<NodePart, RackPart, SwitchPart, StoragePart, PowerPart, CoolingPart, Assumption> space_parts;
constexpr Reads<Accelerator, NodePart, SwitchPart, OpticPart, CablePart, StoragePart, Assumption> fabric_parts;
constexpr Reads<NodePart, SwitchPart, OpticPart, CablePart, StoragePart, Assumption> cabling_parts;
constexpr Reads<NodePart, RackPart, SwitchPart, StoragePart, PowerPart, Assumption> load_parts;
constexpr Reads<CoolingPart, FluidPart, NodePart, RackPart, Assumption> cooling_parts;
constexpr Reads<PowerPart, Assumption> power_parts;
constexpr Reads<Accelerator, ModelPart> training_parts;
constexpr Reads<ModelPart> traffic_parts;
constexpr Reads<StoragePart, Assumption> storage_parts;
constexpr Reads<Assumption> reliability_parts;
constexpr Reads<NodePart, RackPart, StoragePart, Assumption> budget_parts;

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
  return {d.project, d.goal, d.rack_types, d.rack_items, d.racks, d.storage, c};
}
CoolingInputs cooling_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.cooling_plant, d.site, d.loops, d.cooling_units, d.racks, d.rack_types, d.rack_items, c};
}
PowerInputs power_inputs(const Design& d, const Shared<Catalog>& c) {
  return {d.power_plant, d.site, d.goal, d.power_units, d.racks, d.rack_types, c};
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
  Key(Inputs (*inputs)(const Design&, const Shared<Catalog>&), std::size_t stage, const Evaluation& e, const Evaluation* previous)
      : now(inputs(e.design, e.stage_catalogs[stage])) {
    if (previous) last = inputs(previous->design, previous->stage_catalogs[stage]);
  }
};

} // namespace

std::optional<Evaluation> evaluate(const Design& design, const Shared<Catalog>& catalog, const Evaluation* previous, std::stop_token stop) {
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
  const Evaluation* p = previous;
  // A stage rests when its sections and every earlier result that it reads are the objects of last time.
  auto run = [&]<class R, class I>(Page page, Shared<R> Evaluation::*member, auto parts, I (*inputs)(const Design&, const Shared<Catalog>&),
                                   bool earlier_same, auto&& f) {
    if (stop.stop_requested()) return false;
    const auto i = static_cast<std::size_t>(page);
    if (!e.stage_catalogs[i]) e.stage_catalogs[i] = kinds_of(parts, *e.catalog, p ? p->stage_catalogs[i] : nullptr);
    const Key<I> key(inputs, i, e, p);
    e.*member = stage<R>(key.now, key.last ? &*key.last : nullptr, p && earlier_same, p ? p->*member : nullptr, f);
    if (stop.stop_requested()) return false; // the stage may have left off in the middle
    e.figures.add(*(e.*member));
    return true;
  };
  auto same = [&](auto... members) { return p && ((e.*members == p->*members) && ...); };
  using E = Evaluation;

  // Routes have no page of their own: the space stage tells of them, and its catalog is theirs.
  auto run_routes = [&] {
    if (stop.stop_requested()) return false;
    constexpr auto i = static_cast<std::size_t>(Page::space);
    e.stage_catalogs[i] = kinds_of(space_parts, *e.catalog, p ? p->stage_catalogs[i] : nullptr);
    const Key<RouteInputs> key(route_inputs, i, e, p);
    if (p && *key.last == key.now) {
      e.routes = p->routes;
    } else {
      e.routes = std::make_shared<const RouteResult>(routes(key.now, stop));
      if (stop.stop_requested()) return false; // it may have left off in the middle
      if (p && *e.routes == *p->routes) e.routes = p->routes;
    }
    return true;
  };

  const bool done =
      run(Page::population, &E::population, population_parts, population_inputs, true, [&](const auto& in) { return population(in); }) &&
      run_routes() &&
      run(Page::space, &E::space, space_parts, space_inputs, same(&E::population, &E::routes), [&](const auto& in) { return space(in, *e.population, e.routes, stop); }) &&
      run(Page::fabric, &E::fabric, fabric_parts, fabric_inputs, same(&E::population, &E::space), [&](const auto& in) { return fabric(in, *e.population, *e.space); }) &&
      run(Page::cabling, &E::cabling, cabling_parts, cabling_inputs, same(&E::population, &E::space, &E::fabric),
          [&](const auto& in) { return cabling(in, *e.population, *e.fabric, *e.space, p ? p->cabling.get() : nullptr, stop); }) &&
      run(Page::load, &E::load, load_parts, load_inputs, same(&E::population, &E::fabric, &E::cabling),
          [&](const auto& in) { return load(in, *e.population, *e.fabric, e.cabling.get()); }) &&
      run(Page::cooling, &E::cooling, cooling_parts, cooling_inputs, same(&E::load), [&](const auto& in) { return cooling(in, *e.load); }) &&
      run(Page::power, &E::power, power_parts, power_inputs, same(&E::load, &E::cooling), [&](const auto& in) { return power(in, *e.load, *e.cooling); }) &&
      run(Page::training, &E::training, training_parts, training_inputs, same(&E::population), [&](const auto& in) { return training(in, *e.population); }) &&
      run(Page::traffic, &E::traffic, traffic_parts, traffic_inputs, same(&E::population, &E::fabric, &E::cabling),
          [&](const auto& in) { return traffic(in, *e.population, *e.fabric, *e.cabling, stop); }) &&
      run(Page::storage, &E::storage, storage_parts, storage_inputs, same(&E::training, &E::population), [&](const auto& in) { return storage(in, *e.training, *e.population); }) &&
      run(Page::reliability, &E::reliability, reliability_parts, reliability_inputs, same(&E::population, &E::training, &E::storage),
          [&](const auto& in) { return reliability(in, *e.population, *e.training, *e.storage); }) &&
      run(Page::budget, &E::budget, budget_parts, budget_inputs, same(&E::population, &E::fabric, &E::cabling, &E::load, &E::power, &E::training, &E::reliability),
          [&](const auto& in) { return budget(in, *e.population, *e.fabric, *e.load, *e.power, *e.training, *e.reliability, e.cabling.get()); });
  if (!done || stop.stop_requested()) return std::nullopt;
  e.findings = run_rules({e.design, *e.catalog, e.figures}, all_rules(), stop);
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
    for (auto part : {space_rules(), fabric_rules(), load_rules(), cooling_rules(), power_rules(), training_rules(), storage_rules(),
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
      {"Total cost", "budget.total", "", "budget.cost_per_gpu_hour", "", false},
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
