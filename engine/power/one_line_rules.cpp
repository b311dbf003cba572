// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/one_line_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "catalog/rack_trays.h"
#include "power/one_line_design.h"
#include "power/phase_and_standby_rules.h"
#include "power/step_load_swing.h"
#include "power/training_swing.h"
#include "quantity/text.h"

namespace hallwright {

Count gpus_of_rack_type(const RackType& type, const std::vector<RackItem>& items, const Catalog& catalog) {
  Count gpus = 0;
  for (const RackItem& item : items) {
    if (item.rack_type != type.id || item.kind != RackItemKind::node) continue;
    const NodePart* node = catalog.find<NodePart>(item.part);
    if (node && node->accelerators) gpus += item.count * *node->accelerators;
  }
  if (gpus == 0)
    if (const RackPart* rack = catalog.find<RackPart>(type.rack_part))
      if (const auto trays = compute_trays_of(*rack, catalog); trays && trays->node && trays->node->accelerators)
        gpus = trays->count * *trays->node->accelerators;
  return gpus;
}

std::shared_ptr<const OneLineStudy> one_line_study(const CheckContext& context) {
  const Design& design = context.design;
  std::vector<double> rack_power(design.racks->size(), std::numeric_limits<double>::quiet_NaN());
  if (const Table* t = context.figures.table("load.racks"))
    if (const TableColumn* power = t->column("power"))
      std::copy_n(power->numbers.begin(), std::min(power->numbers.size(), rack_power.size()), rack_power.begin());
  std::map<Id, Count> gpus_of_type;
  for (const RackType& type : *design.rack_types)
    gpus_of_type[type.id] = gpus_of_rack_type(type, *design.rack_items, context.catalog);
  std::vector<Count> gpus;
  gpus.reserve(design.racks->size());
  for (const Rack& rack : *design.racks) {
    const auto it = gpus_of_type.find(rack.rack_type);
    gpus.push_back(it == gpus_of_type.end() ? 0 : it->second);
  }
  const auto watts_of = [&](const char* id) {
    const Figure* f = context.figures.find(id);
    return f && f->has_value() && std::isfinite(f->value) ? std::max(0.0, f->value) : 0.0;
  };
  OneLineSource source{*design.power_units, *design.racks, *design.power_plant, context.catalog, rack_power, gpus};
  source.cdu_watts = watts_of("cooling.cdu_power");
  source.fan_watts = watts_of("cooling.fan_power");
  source.heat_rejection_watts = watts_of("cooling.heat_rejection_power");
  source.other_watts = watts_of("power.other");
  source.cooling_units = design.cooling_units.get();
  return std::make_shared<const OneLineStudy>(one_line_of(source, *design.rack_types));
}

namespace {

const OneLineStudy& study_of(const CheckContext& context) {
  return context.looks->of<OneLineStudy>([&] { return one_line_study(context); });
}
std::string names_in_words(const OneLine& line, const std::vector<Id>& ids) {
  constexpr std::size_t named = 4;
  std::string out;
  const std::size_t shown = ids.size() <= named + 1 ? ids.size() : named;
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : i + 1 == ids.size() ? " or " : ", ") + line.name(ids[i]);
  return shown < ids.size() ? fmt::format("{} or {} more", out, ids.size() - shown) : out;
}
std::string racks_and_gpus(const ContingencyCase& c) {
  std::string out = fmt::format("{} {}", c.racks_dark, c.racks_dark == 1 ? "rack" : "racks");
  if (c.gpus_dark > 0) out += fmt::format(" with {} {}", c.gpus_dark, c.gpus_dark == 1 ? "GPU" : "GPUs");
  return out;
}
bool is_below_ups(const OneLine& line, Id unit) {
  const std::ptrdiff_t i = line.index(unit);
  if (i < 0) return false;
  const PowerUnitKind kind = line.elements()[static_cast<std::size_t>(i)].kind;
  return kind == PowerUnitKind::static_switch || kind == PowerUnitKind::distribution || kind == PowerUnitKind::busway;
}
std::string redundancy_words(Redundancy r) {
  return std::string(ChoiceWords<Redundancy>::words[static_cast<std::size_t>(r)]);
}

/// PWR-016
void racks_go_dark(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.power_units->empty() || context.design.racks->empty()) return;
  const OneLineStudy& study = study_of(context);
  const bool claimed = context.design.power_plant->redundancy != Redundancy::n;
  // Units whose loss darkens the same racks are one finding: a busway and what stands above it. N+1 speaks of modules:
  // what one busway or distribution unit takes down is told once.
  const bool modules = context.design.power_plant->redundancy == Redundancy::n_plus_1;
  std::map<std::vector<Id>, std::vector<const ContingencyCase*>> of_racks;
  std::vector<const ContingencyCase*> last_units;
  for (const ContingencyCase& c : study.single.cases) {
    if (c.racks_dark == 0 || !c.cascade.empty()) continue;
    if (modules && is_below_ups(study.line, c.out.front()))
      last_units.push_back(&c);
    else
      of_racks[study.contingencies.racks_dark(c)].push_back(&c);
  }
  if (!last_units.empty()) {
    const ContingencyCase& most =
        **std::max_element(last_units.begin(), last_units.end(), [](const auto* a, const auto* b) {
          return std::pair(a->gpus_dark, a->racks_dark) < std::pair(b->gpus_dark, b->racks_dark);
        });
    std::vector<EntityRef> entities;
    for (const ContingencyCase* c : last_units)
      entities.push_back({"power_units", c->out.front()});
    Finding f =
        finding_of(rule,
                   last_units.size() == 1
                       ? fmt::format("{} {} dark when {} fails: N+1 stops above it", racks_and_gpus(most),
                                     most.racks_dark == 1 ? "goes" : "go", study.line.name(most.out.front()))
                       : fmt::format("{} distribution units and busways stand behind no other: up to {} go dark "
                                     "when one fails ({})",
                                     last_units.size(), racks_and_gpus(most), study.line.name(most.out.front())),
                   std::move(entities), context, {"power.it"});
    f.severity = Severity::note;
    findings.push_back(std::move(f));
  }
  if (of_racks.empty()) return;
  const auto tell = [&](const std::vector<Id>& racks, const std::vector<const ContingencyCase*>& cases) {
    std::vector<Id> units;
    for (const ContingencyCase* c : cases)
      units.push_back(c->out.front());
    std::vector<EntityRef> entities;
    for (const Id unit : units)
      entities.push_back({"power_units", unit});
    for (const Id rack : racks)
      entities.push_back({"racks", rack});
    Finding f = finding_of(
        rule,
        fmt::format("{} {} dark when {} fails{}", racks_and_gpus(*cases.front()),
                    cases.front()->racks_dark == 1 ? "goes" : "go", names_in_words(study.line, units),
                    claimed ? fmt::format("; {} is claimed", redundancy_words(context.design.power_plant->redundancy))
                            : std::string()),
        std::move(entities), context, {"power.it"});
    f.where = study.line.name(units.front());
    const auto any_of_kind = [&](PowerUnitKind kind) {
      return std::any_of(units.begin(), units.end(), [&](Id id) { return study.contingencies.kind_of(id) == kind; });
    };
    const bool below_sources = std::any_of(units.begin(), units.end(), [&](Id id) {
      const PowerUnitKind kind = study.contingencies.kind_of(id);
      return kind != PowerUnitKind::utility_feed && kind != PowerUnitKind::generator;
    });
    // The claim is of UPS and distribution; one utility feed above all is common.
    if (!claimed || !below_sources)
      f.severity = Severity::note;
    else if (modules && !any_of_kind(PowerUnitKind::ups))
      f.severity = Severity::warning;
    findings.push_back(std::move(f));
  };
  if (claimed) {
    for (const auto& [racks, cases] : of_racks)
      tell(racks, cases);
  } else {
    // Without a claim the largest loss alone is worth telling.
    const auto largest = std::max_element(of_racks.begin(), of_racks.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.front()->gpus_dark, a.first.size()) <
             std::pair(b.second.front()->gpus_dark, b.first.size());
    });
    tell(largest->first, largest->second);
  }
}

/// PWR-031
void racks_are_dark(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.power_units->empty() || context.design.racks->empty()) return;
  const OneLineStudy& study = study_of(context);
  if (study.single.normal.racks_dark == 0) return;
  const std::vector<Id> racks = study.contingencies.racks_dark(study.single.normal);
  std::vector<EntityRef> entities;
  std::vector<Id> feeds;
  for (const OneLineLoad& load : study.line.loads()) {
    if (!std::binary_search(racks.begin(), racks.end(), load.id)) continue;
    entities.push_back({"racks", load.id});
    for (const Id feed : {load.feed_a, load.feed_b})
      if (study.line.index(feed) >= 0) feeds.push_back(feed);
  }
  std::sort(feeds.begin(), feeds.end());
  feeds.erase(std::unique(feeds.begin(), feeds.end()), feeds.end());
  for (const Id feed : feeds)
    entities.push_back({"power_units", feed});
  findings.push_back(finding_of(
      rule,
      fmt::format("{} {} dark in normal operation: no source reaches {}. A feed leads to a utility feed or a generator, or "
                  "ends at a unit that nothing feeds",
                  racks_and_gpus(study.single.normal), study.single.normal.racks_dark == 1 ? "is" : "are",
                  names_in_words(study.line, feeds)),
      std::move(entities), context, {"power.it"}));
}

/// PWR-017
void cascades(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.power_units->empty() || context.design.racks->empty()) return;
  const OneLineStudy& study = study_of(context);
  for (const ContingencyCase& c : study.single.cases) {
    if (c.cascade.empty()) continue;
    std::vector<EntityRef> entities{{"power_units", c.out.front()}};
    for (const TrippedElement& t : c.cascade)
      entities.push_back({"power_units", t.element});
    for (const Id rack : study.contingencies.racks_dark(c))
      entities.push_back({"racks", rack});
    std::string chain;
    for (std::size_t i = 0; i < c.cascade.size() && i < 4; ++i)
      chain += (i == 0 ? "" : ", ") +
               fmt::format("{} at {:.0f} %", study.line.name(c.cascade[i].element), c.cascade[i].load_share * 100.0);
    if (c.cascade.size() > 4) chain += fmt::format(" and {} more", c.cascade.size() - 4);
    Finding f = finding_of(
        rule,
        fmt::format("Losing {} overloads and trips {}{}", study.line.name(c.out.front()), chain,
                    c.racks_dark > 0 ? fmt::format(": {} {} dark", racks_and_gpus(c), c.racks_dark == 1 ? "goes" : "go")
                                     : std::string(": the rest carries on")),
        std::move(entities), context, {"power.headroom_worst"});
    f.where = study.line.name(c.out.front());
    if (context.design.power_plant->redundancy == Redundancy::n) f.severity = Severity::note;
    findings.push_back(std::move(f));
  }
}

/// PWR-018
void failure_in_maintenance(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.power_units->empty() || context.design.racks->empty() ||
      context.design.power_plant->redundancy == Redundancy::n)
    return;
  const OneLineStudy& study = study_of(context);
  // What one failure alone does is told elsewhere.
  for (const ContingencyCase& c : study.single.cases)
    if (c.racks_dark > 0 || !c.overloaded.empty() || !c.cascade.empty()) return;
  const ContingencySweep pairs = study.contingencies.maintenance_and_failure(context.stop);
  if (!pairs.complete) return;
  std::size_t bad = 0;
  const ContingencyCase* worst = nullptr;
  bool beyond_two_sides = false; // 2N does without one whole side, and not without both
  for (const ContingencyCase& c : pairs.cases) {
    if (c.racks_dark == 0 && c.cascade.empty() && c.overloaded.empty()) continue;
    ++bad;
    const auto side = [&](Id unit) {
      return study.line.elements()[static_cast<std::size_t>(study.line.index(unit))].side;
    };
    const Feed first = side(c.out.front()), second = side(c.out.back());
    const bool both_sides = first != second && first != Feed::both && second != Feed::both;
    if (beyond_two_sides && both_sides) continue;
    if (!worst || (!both_sides && !beyond_two_sides) ||
        std::tuple(c.gpus_dark, c.racks_dark, -c.worst_headroom) >
            std::tuple(worst->gpus_dark, worst->racks_dark, -worst->worst_headroom))
      worst = &c;
    beyond_two_sides = beyond_two_sides || !both_sides;
  }
  if (!worst) return;
  std::vector<EntityRef> entities;
  for (const Id unit : worst->out)
    entities.push_back({"power_units", unit});
  for (const TrippedElement& t : worst->cascade)
    entities.push_back({"power_units", t.element});
  Finding f = finding_of(
      rule,
      fmt::format("{} of {} pairs of units leave racks dark or a unit overloaded when one fails while the other is in "
                  "maintenance. {}",
                  bad, pairs.cases.size() + pairs.independent, study.contingencies.sentence(*worst)),
      std::move(entities), context, {"power.headroom_worst"});
  if (!beyond_two_sides) f.severity = Severity::note;
  findings.push_back(std::move(f));
}

void tell_issues(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings,
                 std::initializer_list<OneLineIssueKind> kinds) {
  if (context.design.power_units->empty()) return;
  for (const OneLineIssue& issue : study_of(context).line.issues()) {
    if (std::find(kinds.begin(), kinds.end(), issue.kind) == kinds.end()) continue;
    if (issue.kind == OneLineIssueKind::double_connection && issue.elements.empty()) continue; // racks: PWR-006
    std::vector<EntityRef> entities;
    for (const Id unit : issue.elements)
      entities.push_back({"power_units", unit});
    for (const Id rack : issue.loads)
      entities.push_back({"racks", rack});
    findings.push_back(finding_of(rule, issue.sentence, std::move(entities), context, {"power.it"}));
  }
}
/// PWR-019
void no_rating_at_all(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  tell_issues(context, rule, findings, {OneLineIssueKind::zero_rating});
}
/// PWR-020
void runs_backwards(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  tell_issues(context, rule, findings,
              {OneLineIssueKind::back_feed, OneLineIssueKind::double_connection, OneLineIssueKind::missing_alternate,
               OneLineIssueKind::mixed_bus, OneLineIssueKind::parallel, OneLineIssueKind::mutual_sources,
               OneLineIssueKind::wrong_system});
  for (const PowerUnit& u : *context.design.power_units) {
    if (u.kind != PowerUnitKind::static_switch || u.second_source != 0) continue;
    Finding f = finding_of(rule,
                           fmt::format("{} is a static switch without a second source: it has nothing to switch to. Name "
                                       "one, or draw switchgear",
                                       u.name.empty() ? fmt::format("unit {}", u.id) : u.name),
                           {{"power_units", u.id}}, context, {"power.it"});
    f.severity = Severity::note;
    findings.push_back(std::move(f));
  }
}
/// PWR-029
void losses_that_cannot_be(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  tell_issues(context, rule, findings, {OneLineIssueKind::wrong_losses});
}

/// PWR-030
void swing_on_the_utility(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& ramp = context.design.power_plant->utility_ramp;
  if (!ramp) return;
  const auto rhythm = training_rhythm(context.figures, context.catalog);
  if (!rhythm) return; // without a job nothing swings
  const auto swing = step_load_swing(*rhythm, {utility_swing_limit(*ramp)});
  if (!swing || !swing->verdicts.front().too_much) return;
  std::vector<EntityRef> entities{{"power_plant", 0}};
  for (const PowerUnit& u : *context.design.power_units)
    if (u.kind == PowerUnitKind::utility_feed) entities.push_back({"power_units", u.id});
  findings.push_back(finding_of(rule, swing->verdicts.front().sentence, std::move(entities), context,
                                {"load.nodes", "training.step_time"}));
}

/// PWR-021
void claim_not_proven(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Redundancy claimed = context.design.power_plant->redundancy;
  if (context.design.power_units->empty() || context.design.racks->empty() || claimed == Redundancy::n) return;
  const OneLineStudy& study = study_of(context);
  const ProvenRedundancy proven =
      proven_redundancy(study.contingencies, study.single, study.contingencies.normal_only());
  if (static_cast<int>(proven.proven) >= static_cast<int>(claimed)) return;
  findings.push_back(finding_of(rule,
                                fmt::format("{} is claimed, and failing the drawn units proves {}. {}",
                                            redundancy_words(claimed), redundancy_words(proven.proven), proven.why),
                                {{"power_plant", 0}}, context, {"power.headroom_worst"}));
}

/// PWR-022
void lightly_loaded(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.power_units->empty() || context.design.racks->empty()) return;
  constexpr double least_share = 0.2;
  const OneLineStudy& study = study_of(context);
  const PowerFlow flow(study.line);
  std::vector<Id> light;
  double lost = 0.0, through = 0.0;
  for (std::size_t i = 0; i < study.line.elements().size(); ++i) {
    if (study.line.elements()[i].kind != PowerUnitKind::ups || flow.output_watts(i) <= 0.0 ||
        !(flow.load_share(i) < least_share))
      continue;
    light.push_back(study.line.elements()[i].id);
    lost += flow.loss_watts(i);
    through += flow.output_watts(i);
  }
  if (light.empty()) return;
  std::vector<EntityRef> entities;
  for (const Id unit : light)
    entities.push_back({"power_units", unit});
  findings.push_back(finding_of(rule,
                                fmt::format("{} UPS {} less than {:.0f} % of the rating: {} lost for {} delivered",
                                            light.size(), light.size() == 1 ? "carries" : "carry", least_share * 100.0,
                                            format_quantity(lost, kind::power).joined(),
                                            format_quantity(through, kind::power).joined()),
                                std::move(entities), context, {"power.loss.ups"}));
}

/// PWR-023
void swing_on_generators(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const double step_share = context.design.power_plant->generator_step_share; // of what is rated
  const OneLineStudy* study = nullptr;
  double rated = 0.0;
  std::vector<EntityRef> entities;
  for (const PowerUnit& u : *context.design.power_units)
    if (u.kind == PowerUnitKind::generator) {
      if (!study) study = &study_of(context);
      entities.push_back({"power_units", u.id});
      const std::ptrdiff_t i = study->line.index(u.id);
      const double rating = i < 0 ? std::nan("") : study->line.elements()[static_cast<std::size_t>(i)].rating_w;
      if (!(rating > 0.0)) return; // PWR-010 asks for it
      rated += rating;
    }
  if (entities.empty()) return;
  const auto figure = [&](const char* id) {
    const Figure* f = context.figures.find(id);
    return f && f->has_value() ? f->value : std::nan("");
  };
  const double step = figure("training.step_time"), exposed = figure("training.step.data"),
               nodes = figure("load.nodes"), it = figure("load.it"), stall = figure("storage.stall"),
               interval = figure("reliability.checkpoint_interval");
  if (!(step > 0.0) || !(nodes > 0.0)) return;
  TrainingRhythm rhythm;
  rhythm.rack_power = watts(nodes);
  rhythm.steady = watts(it > nodes ? it - nodes : 0.0);
  rhythm.step = seconds(step);
  rhythm.exposed_communication = seconds(exposed > 0.0 ? std::min(exposed, step) : 0.0);
  if (interval > 0.0 && stall >= 0.0) {
    rhythm.checkpoint_interval = seconds(interval);
    rhythm.checkpoint_stall = seconds(std::min(stall, interval));
  }
  if (const Assumption* idle = context.catalog.find<Assumption>("power.node_idle_to_maximum"); idle && idle->value)
    rhythm.idle_share = std::clamp(*idle->value, 0.0, 1.0);
  SwingLimit limit;
  limit.name = entities.size() == 1 ? study->line.name(entities.front().id)
                                    : fmt::format("the {} generators together", entities.size());
  limit.step = watts(step_share * rated);
  const auto swing = step_load_swing(rhythm, {limit});
  if (!swing || !swing->verdicts.front().too_much) return;
  findings.push_back(finding_of(rule, swing->verdicts.front().sentence, std::move(entities), context,
                                {"load.nodes", "training.step_time"}));
}

} // namespace

std::vector<Rule> one_line_rules() {
  std::vector<Rule> rules{
      {"PWR-016", Severity::error, "Racks go dark when a unit fails",
       "Every drawn unit is taken out in turn, and racks whose feeds are then all without power are counted with their "
       "GPUs; a synchronous job stops with any of them. An error where redundancy is claimed; under N the largest loss "
       "is noted, and under N+1, which speaks of modules, that of busways and distribution units. A note where only "
       "utility "
       "feeds or generators stand above them all, a warning under N+1 where a transformer does. Source of the limit: "
       "the redundancy that the design itself claims.",
       &racks_go_dark},
      {"PWR-031", Severity::error, "Racks are dark in normal operation",
       "With every unit in service, no drawn feed of the rack has power: what feeds it runs in a circle. The rack's power "
       "counts in the facility through an assumed chain, and every state of the failure sweep counts the rack as dark. "
       "Source of the limit: the drawing itself; a rack runs on a feed that has power.",
       &racks_are_dark},
      {"PWR-017", Severity::error, "A failure trips other units",
       "After each single failure, units that carry more than trips their breaker drop out, too, until nothing more "
       "does. Source of the limit: 1.30 times the rating for distribution and busways (IEC 60947-2, conventional "
       "tripping current), 1.25 for UPS (data sheets, ten minutes), 1.10 for generators (ISO 8528-1), 1.20 for "
       "transformers and utility feeds (project choice).",
       &cascades},
      {"PWR-018", Severity::warning, "No cover during maintenance",
       "Where every single failure is borne, each unit is taken out for maintenance and each other one fails: pairs "
       "that "
       "darken racks or overload a unit are counted, and the worst is named. A note where only pairs of one unit on "
       "each "
       "side do, which 2N leaves open. Source of the limit: project choice; facilities that are maintained while they "
       "run look at it.",
       &failure_in_maintenance},
      {"PWR-019", Severity::error, "Rating of nothing",
       "A power unit is rated at zero or less, so it can carry nothing, and no headroom can be stated. Source of the "
       "limit: a rating is above zero.",
       &no_rating_at_all},
      {"PWR-020", Severity::error, "Connection that cannot work",
       "A unit has a second source that it feeds itself, that is its first one, or that is not drawn; a generator or a "
       "utility feed has a second source, though it takes no power; unlike units run in parallel on one bus, or a unit "
       "runs in parallel with itself, with one of another kind or of the other side or with one that it feeds (it counts as "
       "apart then); or a unit gives alternating current and is fed with "
       "direct current, gives direct current without a rectifier above it, or has a voltage that it cannot have: another than "
       "what feeds it, or above what its part is rated for. A static switch without a second source is noted. Source of the limit: the drawing itself; power runs from a source to the racks.",
       &runs_backwards},
      {"PWR-021", Severity::warning, "Redundancy claimed and not proven",
       "What the drawn one-line bears decides, not the label: 2N is proven where all of side A and all of side B can "
       "be "
       "out, N+1 where any one UPS can (without UPS any rectifier, else any transformer); one utility feed above all undoes "
       "neither. Source of the limit: the redundancy that the "
       "design itself claims.",
       &claim_not_proven},
      {"PWR-022", Severity::note, "UPS with little load",
       "UPS lose power at any load; below a fifth of the rating the share that is lost grows. Source of the limit: "
       "project choice; efficiency curves of data sheets begin at 25 %.",
       &lightly_loaded},
      {"PWR-023", Severity::warning, "Training swing above what generators take",
       "The nodes of a synchronous job change their power together at the end of a step and at a checkpoint; the "
       "largest "
       "change within a second is compared with a quarter of the rating of all generators. Source of the limit: "
       "project "
       "choice; ISO 8528-5 lets the frequency dip at larger steps.",
       &swing_on_generators},
      {"PWR-029", Severity::error, "Losses that cannot be",
       "A transformer states losses above its rating or below zero, an efficiency curve draws less for a larger load, or "
       "the stated conductors would lose all that they carry; or losses by load are stated without a rating. What the catalog has for the kind counts until it is "
       "corrected. Source of the limit: a unit takes in at least what it hands on, and a transformer loses a few per "
       "cent (IEC 60076-1).",
       &losses_that_cannot_be},
      {"PWR-030", Severity::warning, "Training swing above what the utility follows",
       "The nodes of a synchronous job change their power together at the end of a step and at a checkpoint; the "
       "largest change within a minute is compared with what the utility grants. Losses and cooling, which follow more "
       "slowly, are left out. Source of the limit: the ramp of the power plant, as the contract states it.",
       &swing_on_the_utility},
  };
  for (const Rule& rule : phase_and_standby_rules())
    rules.push_back(rule);
  return rules;
}

} // namespace hallwright
