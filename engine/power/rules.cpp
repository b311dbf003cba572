// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "power/feed_graph.h"
#include "power/power.h"

namespace hallwright {
namespace {

/// Place in the chain from the source down; units feed those of a higher number.
int level_of(PowerUnitKind kind) {
  switch (kind) {
  case PowerUnitKind::utility_feed:
  case PowerUnitKind::generator:
    return 0;
  case PowerUnitKind::transformer:
    return 1;
  case PowerUnitKind::ups:
    return 2;
  case PowerUnitKind::rectifier:
    return 3;
  case PowerUnitKind::distribution:
    return 4;
  case PowerUnitKind::busway:
    return 5;
  case PowerUnitKind::switchgear:
  case PowerUnitKind::static_switch:
    break; // stand anywhere
  }
  return 0;
}
/// Switchgear and static switches stand at any place of the chain.
bool has_place(PowerUnitKind kind) { return kind != PowerUnitKind::switchgear && kind != PowerUnitKind::static_switch; }
bool takes_racks(PowerUnitKind kind) { return kind == PowerUnitKind::distribution || kind == PowerUnitKind::busway; }
std::string_view kind_word(PowerUnitKind kind) {
  if (kind == PowerUnitKind::ups) return "UPS";
  return ChoiceWords<PowerUnitKind>::words[static_cast<std::size_t>(kind)];
}

/// The drawn one-line of a design with these racks on it; ratings play no part in what the rules ask of it.
FeedGraph graph_of(const Design& design, const std::vector<Rack>& racks) {
  return FeedGraph(*design.power_units, racks, design.power_plant->redundancy,
                   [](const PowerUnit&) { return std::numeric_limits<double>::quiet_NaN(); });
}

/// One row of the table of units.
struct UnitRow {
  const PowerUnit* unit = nullptr;
  double rating = 0, usable = 0, load = 0, worst = 0;
  std::string worst_out;
  bool at_least = false;
};
std::vector<UnitRow> unit_rows(const CheckContext& context) {
  std::vector<UnitRow> out;
  const Table* t = context.figures.table("power.units");
  if (!t) return out;
  const auto numbers = [&](const char* id) -> const std::vector<double>& { return t->column(id)->numbers; };
  const auto& rating = numbers("rating");
  const auto& usable = numbers("usable");
  const auto& load = numbers("load");
  const auto& worst = numbers("load_worst");
  const auto& worst_out = t->column("worst_out")->words;
  const auto& data = t->column("data")->words;
  for (std::size_t i = 0; i < t->entities.size(); ++i)
    if (const PowerUnit* unit = find(*context.design.power_units, t->entities[i]))
      out.push_back({unit, rating[i], usable[i], load[i], worst[i], worst_out[i], data[i] == "at least"});
  return out;
}
std::string power_text(double watts_value) { return format_quantity(watts_value, kind::power).joined(); }
std::string rack_words(std::size_t n) { return n == 1 ? "1 rack" : fmt::format("{} racks", n); }

/// Power of each rack in the order of the design's table, as the load stage lists them; 0 where it is not known.
std::vector<double> rack_watts(const CheckContext& context) {
  std::vector<double> out(context.design.racks->size(), 0.0);
  const Table* t = context.figures.table("load.racks");
  const TableColumn* power = t ? t->column("power") : nullptr;
  for (std::size_t i = 0; power && i < out.size() && i < power->numbers.size(); ++i)
    if (std::isfinite(power->numbers[i])) out[i] = power->numbers[i];
  return out;
}

/// A copy in which each of these racks has this feed.
Edit feed_edit(std::string label, std::map<Id, Id> feed_of_rack, Id Rack::*feed) {
  return {std::move(label), [moves = std::move(feed_of_rack), feed](const Design& design) -> Edited {
            for (const auto& [rack, unit] : moves)
              if (!find(*design.power_units, unit))
                return tl::make_unexpected(
                    std::string("The power unit that the racks should be connected to is gone."));
            return with_table(design, &Design::racks, [&](std::vector<Rack>& table, Id&) {
              for (Rack& rack : table)
                if (const auto it = moves.find(rack.id); it != moves.end()) rack.*feed = it->second;
            });
          }};
}

/// Moves racks off an overloaded distribution unit or busway onto the one of the same kind and feed with most room.
std::optional<Remedy> move_racks(const CheckContext& context, const std::vector<UnitRow>& rows, const UnitRow& over) {
  if (!takes_racks(over.unit->kind) || over.load <= 0) return std::nullopt;
  const UnitRow* roomiest = nullptr;
  for (const UnitRow& r : rows) {
    if (r.unit == over.unit || r.unit->kind != over.unit->kind || r.unit->feed != over.unit->feed ||
        r.unit->hall != over.unit->hall || !(r.usable > 0) || r.at_least)
      continue;
    if (!roomiest || r.usable - r.worst > roomiest->usable - roomiest->worst) roomiest = &r;
  }
  if (!roomiest || roomiest->usable <= roomiest->worst) return std::nullopt;
  // Watts at the unit per watt of rack: losses below it included.
  double beneath = 0.0;
  const std::vector<double> watts_of = rack_watts(context);
  const auto watts = [&](const Rack& rack) {
    return watts_of[static_cast<std::size_t>(&rack - context.design.racks->data())];
  };
  std::vector<const Rack*> racks;
  for (const Rack& rack : *context.design.racks) {
    const bool a = rack.feed_a == over.unit->id, b = rack.feed_b == over.unit->id;
    if (!a && !b) continue;
    racks.push_back(&rack);
    const bool dual = rack.feed_a && rack.feed_b && rack.feed_a != rack.feed_b;
    beneath += watts(rack) * (dual ? 0.5 : 1.0);
  }
  if (beneath <= 0) return std::nullopt;
  const double factor = over.load / beneath;
  double excess = std::max(over.load, over.worst) - over.usable, room = roomiest->usable - roomiest->worst;
  std::map<Id, Id> moves_a, moves_b;
  for (auto it = racks.rbegin(); it != racks.rend() && excess > 0; ++it) {
    // With the other feed lost a rack draws all of its power here.
    const double whole = watts(**it) * factor;
    const bool is_a = (*it)->feed_a == over.unit->id;
    if ((is_a ? (*it)->feed_b : (*it)->feed_a) == roomiest->unit->id || whole > room) continue;
    (is_a ? moves_a : moves_b)[(*it)->id] = roomiest->unit->id;
    excess -= whole;
    room -= whole;
  }
  const std::size_t moved = moves_a.size() + moves_b.size();
  if (moved == 0) return std::nullopt;
  const std::string label =
      fmt::format("Move {} from {} to {}", rack_words(moved), over.unit->name, roomiest->unit->name);
  Edit a = feed_edit(label, moves_a, &Rack::feed_a), b = feed_edit(label, moves_b, &Rack::feed_b);
  Remedy r;
  r.edit = {label, [a, b](const Design& design) -> Edited {
              auto first = a.apply(design);
              return first ? b.apply(*first) : first;
            }};
  r.cost_dollars = 0.0;
  r.lead_time_weeks = 0.0;
  return r;
}

std::vector<std::string> unit_figures(const CheckContext& context, Id unit, const char* what) {
  const std::string id = fmt::format("power.unit.{}.{}", unit, what);
  return context.figures.find(id) ? std::vector<std::string>{id} : std::vector<std::string>{"power.it"};
}

/// PWR-001
void facility_over_utility(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  check_limit(context, rule, "power.facility", {{"site", 0}}, {}, findings);
}

/// PWR-002
void overloaded(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto rows = unit_rows(context);
  for (const UnitRow& r : rows) {
    if (!(r.load > r.usable * (1.0 + 1e-9))) continue;
    Finding f =
        finding_of(rule,
                   fmt::format("{} carries {}{}; {} is allowed{}", r.unit->name, r.at_least ? "at least " : "",
                               power_text(r.load), power_text(r.usable),
                               r.usable < r.rating ? fmt::format(" ({} rated, continuous load)", power_text(r.rating))
                                                   : std::string()),
                   {{"power_units", r.unit->id}}, context, unit_figures(context, r.unit->id, "load"));
    if (auto remedy = move_racks(context, rows, r)) f.remedies.push_back(std::move(*remedy));
    findings.push_back(std::move(f));
  }
}

/// PWR-004
void overloaded_by_failure(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const bool claimed = context.design.power_plant->redundancy != Redundancy::n;
  const auto rows = unit_rows(context);
  for (const UnitRow& r : rows) {
    if (r.worst_out.empty() || !(r.worst > r.usable * (1.0 + 1e-9)) || r.load > r.usable * (1.0 + 1e-9)) continue;
    Finding f =
        finding_of(rule,
                   fmt::format("{} carries {}{} when {} is out; {} is allowed", r.unit->name,
                               r.at_least ? "at least " : "", power_text(r.worst), r.worst_out, power_text(r.usable)),
                   {{"power_units", r.unit->id}}, context, unit_figures(context, r.unit->id, "load_worst"));
    if (!claimed) f.severity = Severity::note;
    if (auto remedy = move_racks(context, rows, r)) f.remedies.push_back(std::move(*remedy));
    findings.push_back(std::move(f));
  }
}

/// PWR-005
void one_feed(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.power_plant->redundancy != Redundancy::two_n) return;
  const auto& units = *context.design.power_units;
  // The partner that other racks with the same feed use.
  std::map<Id, std::map<Id, Count>> partners_of_a, partners_of_b;
  for (const Rack& rack : *context.design.racks)
    if (rack.feed_a && rack.feed_b && rack.feed_a != rack.feed_b && find(units, rack.feed_a) &&
        find(units, rack.feed_b)) {
      ++partners_of_a[rack.feed_a][rack.feed_b];
      ++partners_of_b[rack.feed_b][rack.feed_a];
    }
  auto partner = [](const std::map<Id, std::map<Id, Count>>& partners, Id feed) -> Id {
    const auto it = partners.find(feed);
    if (it == partners.end()) return 0;
    return std::max_element(it->second.begin(), it->second.end(),
                            [](const auto& x, const auto& y) { return x.second < y.second; })
        ->first;
  };
  const auto rows = unit_rows(context);
  auto roomiest = [&](Id feed, Feed side) -> Id {
    const PowerUnit* own = find(units, feed);
    const UnitRow* best = nullptr;
    for (const UnitRow& r : rows) {
      if (r.unit->id == feed || r.unit->kind != own->kind || r.unit->feed != side || r.unit->hall != own->hall)
        continue;
      const double room = std::isfinite(r.usable) ? r.usable - r.load : -r.load;
      if (!best || room > (std::isfinite(best->usable) ? best->usable - best->load : -best->load)) best = &r;
    }
    return best ? best->unit->id : 0;
  };
  std::vector<EntityRef> racks;
  std::map<Id, Id> set_a, set_b;
  for (const Rack& rack : *context.design.racks) {
    const bool a = find(units, rack.feed_a) != nullptr, b = find(units, rack.feed_b) != nullptr;
    if (a == b) continue;
    racks.push_back({"racks", rack.id});
    Id other = a ? partner(partners_of_a, rack.feed_a) : partner(partners_of_b, rack.feed_b);
    if (!other) other = roomiest(a ? rack.feed_a : rack.feed_b, a ? Feed::b : Feed::a);
    if (other) (a ? set_b : set_a)[rack.id] = other;
  }
  if (racks.empty()) return;
  const std::size_t n = racks.size();
  Finding f = finding_of(rule,
                         n == 1 ? std::string("A rack has one feed; 2N claims two")
                                : fmt::format("{} racks have one feed; 2N claims two", n),
                         racks, context, {"power.it"});
  if (!set_a.empty() || !set_b.empty()) {
    const std::string label = fmt::format("Connect the missing feed of {}", rack_words(set_a.size() + set_b.size()));
    Edit to_a = feed_edit(label, set_a, &Rack::feed_a), to_b = feed_edit(label, set_b, &Rack::feed_b);
    Remedy r;
    r.edit = {label, [to_a, to_b](const Design& design) -> Edited {
                auto first = to_a.apply(design);
                return first ? to_b.apply(*first) : first;
              }};
    r.cost_dollars = 0.0;
    r.lead_time_weeks = 0.0;
    f.remedies.push_back(std::move(r));
  }
  findings.push_back(std::move(f));
}

/// PWR-006
void shared_upstream(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const FeedGraph graph = graph_of(context.design, *context.design.racks);
  for (const auto& [unit_id, racks] : graph.shared_by_both_feeds()) {
    const PowerUnit* unit = find(*context.design.power_units, unit_id);
    const bool source = unit->kind == PowerUnitKind::utility_feed || unit->kind == PowerUnitKind::generator;
    std::vector<EntityRef> entities{{"power_units", unit_id}};
    for (const Id rack : racks)
      entities.push_back({"racks", rack});
    Finding f = finding_of(rule,
                           fmt::format("Both feeds of {} depend on {} ({}): it takes A and B down together",
                                       rack_words(racks.size()), unit->name, kind_word(unit->kind)),
                           std::move(entities), context, unit_figures(context, unit_id, "load"));
    f.where = unit->name;
    // One utility feed above two separate chains is common; below it A and B should part.
    if (source)
      f.severity = Severity::note;
    else if (context.design.power_plant->redundancy != Redundancy::two_n)
      f.severity = Severity::warning;
    findings.push_back(std::move(f));
  }
}

/// PWR-007
void no_feed(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& units = *context.design.power_units;
  if (units.empty()) return;
  std::vector<EntityRef> racks;
  for (const Rack& rack : *context.design.racks)
    if (!find(units, rack.feed_a) && !find(units, rack.feed_b)) racks.push_back({"racks", rack.id});
  if (racks.empty()) return;
  const Figure* load = context.figures.find("power.unfed");
  const std::size_t n = racks.size();
  findings.push_back(finding_of(
      rule,
      fmt::format("{} {} no feed{}: no drawn unit carries {}", rack_words(n), n == 1 ? "has" : "have",
                  load && load->has_value() ? ", " + figure_text(*load) : std::string(), n == 1 ? "it" : "them"),
      racks, context, {load ? "power.unfed" : "power.it"}));
}

/// PWR-014
void feed_that_is_gone(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& units = *context.design.power_units;
  std::vector<EntityRef> racks;
  for (const Rack& rack : *context.design.racks)
    if ((rack.feed_a != 0 && !find(units, rack.feed_a)) || (rack.feed_b != 0 && !find(units, rack.feed_b)))
      racks.push_back({"racks", rack.id});
  if (racks.empty()) return;
  std::string sentence = fmt::format("{} {} a feed that does not exist; it counts as none", rack_words(racks.size()),
                                     racks.size() == 1 ? "names" : "name");
  findings.push_back(finding_of(rule, std::move(sentence), std::move(racks), context, {"power.it"}));
}

/// PWR-009
void upstream_loop(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  // Circles are a matter of the units alone; racks would only cost time.
  const FeedGraph graph = graph_of(context.design, {});
  if (graph.looped().empty()) return;
  std::vector<EntityRef> units;
  std::string names;
  for (const Id id : graph.looped()) {
    units.push_back({"power_units", id});
    if (names.size() < 120) names += (names.empty() ? "" : ", ") + find(*context.design.power_units, id)->name;
  }
  findings.push_back(finding_of(rule,
                                fmt::format("The upstream links of {} run in a circle: no source feeds them", names),
                                units, context, {"power.it"}));
}

/// PWR-010
void rating_unknown(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::vector<EntityRef> units;
  for (const UnitRow& r : unit_rows(context))
    if (!std::isfinite(r.rating) && (r.load > 0 || r.worst > 0)) units.push_back({"power_units", r.unit->id});
  if (units.empty()) return;
  const std::size_t n = units.size();
  Finding f =
      finding_of(rule,
                 fmt::format("The rating of {} loaded power {} is not known: whether {} overloaded cannot be decided",
                             n, n == 1 ? "unit" : "units", n == 1 ? "it is" : "they are"),
                 units, context, unit_figures(context, units.front().id, "load"));
  f.undecided = true;
  findings.push_back(std::move(f));
}

/// PWR-011
void load_unknown(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  std::vector<EntityRef> units;
  for (const UnitRow& r : unit_rows(context))
    if (r.at_least && std::isfinite(r.usable) && std::max(r.load, r.worst) <= r.usable)
      units.push_back({"power_units", r.unit->id});
  if (units.empty()) return;
  const std::size_t n = units.size();
  Finding f = finding_of(
      rule,
      fmt::format("{} power {} racks whose power is not fully known: whether {} overloaded cannot be decided", n,
                  n == 1 ? "unit carries" : "units carry", n == 1 ? "it is" : "they are"),
      units, context, unit_figures(context, units.front().id, "load"));
  f.undecided = true;
  findings.push_back(std::move(f));
}

/// "UPS A, UPS B and 3 more"
std::string names_of(const std::vector<const PowerUnit*>& units) {
  constexpr std::size_t named = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(units.size(), named); ++i)
    out += (i ? ", " : "") + (units[i]->name.empty() ? fmt::format("unit {}", units[i]->id) : units[i]->name);
  return units.size() > named ? fmt::format("{} and {} more", out, units.size() - named) : out;
}
std::vector<EntityRef> entities_of(const std::vector<const PowerUnit*>& units) {
  std::vector<EntityRef> out;
  for (const PowerUnit* u : units)
    out.push_back({"power_units", u->id});
  return out;
}

/// PWR-012
void feeds_nothing(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.design.racks->empty()) return; // nothing to feed yet
  std::vector<const PowerUnit*> idle;
  for (const UnitRow& r : unit_rows(context))
    if (r.unit->kind != PowerUnitKind::generator && r.load == 0.0 && r.worst == 0.0 && !r.at_least)
      idle.push_back(r.unit);
  if (idle.empty()) return;
  const bool one = idle.size() == 1;
  findings.push_back(finding_of(rule,
                                one ? fmt::format("{} feeds nothing: no rack has it, or a unit below it, as its feed",
                                                  names_of(idle))
                                    : fmt::format("{} power units feed nothing ({}): no rack has them, or a unit below "
                                                  "them, as its feed",
                                                  idle.size(), names_of(idle)),
                                entities_of(idle), context, unit_figures(context, idle.front()->id, "load")));
}

/// PWR-013
void no_source(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& units = *context.design.power_units;
  // The nearest level above a unit of which something is drawn.
  const auto above = [&](const PowerUnit& unit) {
    const PowerUnit* nearest = nullptr;
    const int level = has_place(unit.kind) ? level_of(unit.kind) : level_of(PowerUnitKind::transformer) + 1;
    for (const PowerUnit& u : units)
      if (has_place(u.kind) && level_of(u.kind) < level && (!nearest || level_of(u.kind) > level_of(nearest->kind)))
        nearest = &u;
    return nearest;
  };
  std::vector<const PowerUnit*> open, gone;
  for (const PowerUnit& u : units) {
    if (u.upstream != 0 && !find(units, u.upstream))
      gone.push_back(&u);
    else if (u.upstream == 0 && above(u))
      open.push_back(&u);
  }
  auto tell = [&](const std::vector<const PowerUnit*>& list, const std::string& sentence) {
    if (!list.empty())
      findings.push_back(
          finding_of(rule, sentence, entities_of(list), context, unit_figures(context, list.front()->id, "load")));
  };
  tell(open, fmt::format("{} {} no unit upstream, though the drawing has {} to hang {} on: what {} is on no source",
                         names_of(open), open.size() == 1 ? "names" : "name",
                         open.empty() ? std::string() : fmt::format("a {}", kind_word(above(*open.front())->kind)),
                         open.size() == 1 ? "it" : "them", open.size() == 1 ? "it carries" : "they carry"));
  tell(gone, fmt::format("{} {} a unit upstream that does not exist{}: what {} is on no source", names_of(gone),
                         gone.size() == 1 ? "names" : "name",
                         gone.size() == 1 ? fmt::format(" (unit {})", gone.front()->upstream) : std::string(),
                         gone.size() == 1 ? "it carries" : "they carry"));
}

/// PWR-015
void feeds_that_contradict(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const auto& units = *context.design.power_units;
  const auto against = [](Feed one, Feed other) { return one != Feed::both && other != Feed::both && one != other; };
  const auto letter = [](Feed feed) { return feed == Feed::a ? 'A' : 'B'; };
  for (const PowerUnit& u : units) {
    const PowerUnit* up = find(units, u.upstream);
    if (!up) continue;
    std::string why;
    if (against(u.feed, up->feed))
      why = fmt::format("{} is marked feed {} and hangs on {}, which is marked feed {}", names_of({&u}), letter(u.feed),
                        names_of({up}), letter(up->feed));
    else if (has_place(u.kind) && has_place(up->kind) && level_of(up->kind) > level_of(u.kind))
      why = fmt::format("{}, a {}, hangs on {}, a {}: a {} is fed from the {}, not the other way round", names_of({&u}),
                        kind_word(u.kind), names_of({up}), kind_word(up->kind), kind_word(up->kind), kind_word(u.kind));
    if (!why.empty())
      findings.push_back(finding_of(rule, std::move(why), {{"power_units", u.id}, {"power_units", up->id}}, context,
                                    unit_figures(context, u.id, "load")));
  }
  std::vector<EntityRef> crossed;
  for (const Rack& rack : *context.design.racks) {
    const PowerUnit *a = find(units, rack.feed_a), *b = find(units, rack.feed_b);
    if ((a && a->feed == Feed::b) || (b && b->feed == Feed::a)) crossed.push_back({"racks", rack.id});
  }
  if (crossed.empty()) return;
  std::string sentence =
      fmt::format("{} {} a unit of the B side as feed A, or one of the A side as feed B", rack_words(crossed.size()),
                  crossed.size() == 1 ? "has" : "have");
  findings.push_back(finding_of(rule, std::move(sentence), std::move(crossed), context, {"power.it"}));
}

/// PWR-040
void assumed_effectiveness(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  constexpr double apart = 0.05;
  const Design& d = context.design;
  if (!d.racks->empty()) return; // what is drawn is counted, not what the goal would carry
  const Figure* nodes = context.figures.find("population.nodes");
  const Figure* computed = context.figures.find("power.pue");
  if (!nodes || !nodes->has_value() || !computed || !computed->has_value() || computed->completeness == Completeness::lower_bound) return;
  const double assumed = d.goal->assumed_power_usage_effectiveness;
  if (computed->value < 1.0 || std::abs(assumed / computed->value - 1.0) <= apart) return;
  const double taken = std::round(computed->value * 100.0) / 100.0;
  Finding f = finding_of(rule,
                         fmt::format("{} nodes were counted with a PUE of {:.2f}; the chain and the cooling of this design come to {:.2f}: {}",
                                     figure_text(*nodes), assumed, computed->value,
                                     assumed > computed->value ? "more would fit" : "fewer fit"),
                         {{"goal", 0}}, context, {nodes->id, computed->id});
  Remedy r;
  r.edit.label = fmt::format("Count with a PUE of {:.2f}", taken);
  r.edit.apply = [taken](const Design& design) -> Edited { return set_field(design, {"goal", 0}, "assumed_power_usage_effectiveness", taken); };
  r.cost_dollars = 0.0;
  r.lead_time_weeks = 0.0;
  f.remedies.push_back(std::move(r));
  findings.push_back(std::move(f));
}

} // namespace

std::vector<Rule> power_rules() {
  return {
      {"PWR-040", Severity::note, "Assumed PUE apart from the computed one",
       "Until racks are drawn, the nodes that a site carries are counted with the PUE that the goal assumes. The efficiencies of the chain, the "
       "cooling and the other plant give a PUE of their own; where the two are more than 5 % apart, the count answers another question than the "
       "headroom shown beside it. Source of the limit: choice of the method, one part in twenty.",
       &assumed_effectiveness},
      {"PWR-001", Severity::error, "Facility power above the utility",
       "IT load, losses of the chain, cooling and other plant together are compared with the utility power of the "
       "site: what the utility does not grant "
       "cannot be drawn. Source of the limit: the site's utility power, as its contract states it.",
       &facility_over_utility},
      {"PWR-002", Severity::error, "Power unit overloaded",
       "With all units in service, the load of each unit (racks beneath it, split evenly over live feeds, with the "
       "losses and the plant beneath it) is compared with its rating; "
       "switchgear, distribution and busways with the continuous share of it, since breakers trip under lasting load above it. "
       "Source of the limit: the rating of the unit or its part; "
       "NEC 215.3 (125 % of a continuous load, so 80 %) for the continuous share.",
       &overloaded},
      {"PWR-004", Severity::error, "Power unit overloaded when another fails",
       "Every unit is taken out in turn: racks beneath it move to their other feed, or the rest of an N+1 bus takes "
       "over. The worst load of each survivor is compared with its usable "
       "rating, since an overloaded survivor trips next. An error where redundancy is claimed, a note under N. Source "
       "of the limit: the rating of the unit or its part, and the "
       "continuous share of PWR-002.",
       &overloaded_by_failure},
      {"PWR-005", Severity::warning, "Rack with one feed under 2N",
       "The plant claims 2N, two paths that each carry everything; a rack with one feed goes down with that feed. "
       "Source of the limit: the redundancy that the design itself claims.",
       &one_feed},
      {"PWR-006", Severity::error, "A and B share an upstream unit",
       "The chains above feed A and feed B of a rack meet at one unit, which takes both down. An error under 2N, a "
       "warning otherwise, a note where they meet at the utility or at a "
       "generator. Source of the limit: what two independent feeds mean; the drawn upstream links decide.",
       &shared_upstream},
      {"PWR-007", Severity::warning, "Rack without a feed",
       "Power units are drawn and the rack names none of them: its load is in the IT load, but on no unit, so no "
       "overload of a unit can show it. Source of the limit: project choice, every rack belongs on a drawn feed once "
       "a power unit is drawn.",
       &no_feed},
      {"PWR-009", Severity::error, "Upstream links run in a circle",
       "Following the upstream links of a unit leads back to it, so no source feeds it and its load has no way up. "
       "Source of the limit: the drawing itself; a one-line runs from a "
       "source to the racks.",
       &upstream_loop},
      {"PWR-010", Severity::warning, "Rating unknown",
       "A loaded unit has no rating of its own, and its part states none in kW, kVA or amperes with three phases and a "
       "voltage: whether it is overloaded cannot be decided. Source of "
       "the limit: the rating of the unit, or the row of its part in the catalog.",
       &rating_unknown},
      {"PWR-011", Severity::warning, "Load of a unit unknown",
       "Racks whose power is not fully known hang on the unit: its load is a lower bound, and a unit that looks free "
       "may be overloaded. Source of the limit: the rating of the unit or "
       "its part, as in PWR-002.",
       &load_unknown},
      {"PWR-012", Severity::note, "Power unit that feeds nothing",
       "Racks are drawn, and none of them is fed by this unit, by way of others or directly: the unit stands idle, or "
       "a feed or an upstream link was forgotten. Generators stand by and are left out. Source of the limit: the "
       "drawing itself.",
       &feeds_nothing},
      {"PWR-013", Severity::warning, "Power unit without a source",
       "The unit names nothing upstream, or a unit that is not there, while units of a higher level (utility feed or "
       "generator, transformer, UPS, distribution, busway) are drawn: its load reaches none of them, and they look "
       "free. Source of the limit: the drawing itself; a one-line runs from a source to the racks.",
       &no_source},
      {"PWR-014", Severity::warning, "Feed that does not exist",
       "A rack names a power unit as its A or B feed that is not in the drawing: it has one feed less than it says, "
       "and losing the other one is worse than it looks. Source of the limit: the drawing itself.",
       &feed_that_is_gone},
      {"PWR-015", Severity::warning, "Feeds that contradict each other",
       "A unit is marked feed A or B and hangs on one of the other side, a unit hangs on one of a lower level (utility "
       "feed or generator, transformer, UPS, distribution, busway), or a rack has a unit of the B side as its feed A: "
       "what is lost with a side is then not what its marks say. Source of the limit: the marks of the drawing, which "
       "must agree.",
       &feeds_that_contradict},
  };
}

} // namespace hallwright
