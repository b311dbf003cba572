// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/document_rules.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "checks/letters_apart.h"
#include "design/access.h"
#include "design/typed_tables.h"
#include "evaluation/formula_list.h"

namespace hallwright {
namespace {

void made_by_evaluate(const CheckContext&, const Rule&, std::vector<Finding>&) {}

/// Every change that cannot be made, in the order of the scenario. What comes after a broken change is tried without it.
void broken_scenario(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Scenario& scenario : *context.design.scenarios) {
    Design changed = context.design;
    for (const ScenarioChange& change : *context.design.scenario_changes) {
      if (change.scenario != scenario.id) continue;
      auto next = set_by_path(changed, change.path, change.value);
      if (next) {
        changed = *std::move(next);
        continue;
      }
      findings.push_back(finding_of(rule,
                                    fmt::format("Scenario '{}' cannot be applied: change {} ({} = {}): {}", scenario.name, change.id,
                                                change.path, change.value, next.error()),
                                    {{"scenarios", scenario.id}}, context, {}));
    }
  }
}

bool in_catalog(const Catalog& catalog, std::string_view kind, const std::string& part) {
  bool found = false;
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    if (part_kind<P>() == kind) found = catalog.find<P>(part) != nullptr;
  });
  return found;
}

/// The ids of a kind that are written most alike, at most three.
std::vector<std::string> nearest_parts(const Catalog& catalog, std::string_view kind, const std::string& part) {
  std::vector<std::pair<std::size_t, std::string>> all;
  for (const PartSummary& p : part_summaries(catalog, kind))
    all.emplace_back(letters_apart(part, p.id), p.id);
  constexpr std::size_t named = 3;
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(named, all.size()));
  std::partial_sort(all.begin(), end, all.end());
  std::vector<std::string> out;
  std::for_each(all.begin(), end, [&](const auto& one) { out.push_back(one.second); });
  return out;
}

/// One finding for each field and id, with all places where it stands. What racks hold is told by LOD-005.
void unknown_parts(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  struct Unknown {
    std::string label, field;
    std::vector<EntityRef> places;
  };
  std::map<std::tuple<std::string_view, std::string, std::string>, Unknown> unknown; // kind, table.field, id
  const auto look = [&]<class E>(const EntityRef& ref, const E& entity) {
    for (const Field<E>& f : fields<E>()) {
      if (f.type != FieldType::part || f.target.empty()) continue;
      const FieldValue value = f.get(entity);
      const auto* part = std::get_if<std::string>(&value);
      if (!part || part->empty() || in_catalog(context.catalog, f.target, *part)) continue;
      Unknown& u = unknown[{f.target, ref.table + "." + std::string(f.name), *part}];
      u.label = f.label;
      u.field = f.name;
      u.places.push_back(ref);
    }
  };
  for_each_section([&](std::string_view word, auto member) { look(EntityRef{std::string(word), 0}, *(context.design.*member)); });
  for_each_table([&](std::string_view word, auto member) {
    if (word == "rack_items") return;
    for (const auto& e : *(context.design.*member)) look(EntityRef{std::string(word), e.id}, e);
  });
  for (const auto& [key, u] : unknown) {
    const auto& [kind, place, part] = key;
    const std::vector<std::string> nearest = nearest_parts(context.catalog, kind, part);
    std::string sentence = fmt::format("{}: the catalog has no {} part '{}'", u.label, kind, part);
    if (!nearest.empty()) sentence += fmt::format("; the nearest ids are {}", fmt::join(nearest, ", "));
    Finding f = finding_of(rule, std::move(sentence), u.places, context, {});
    for (const std::string& id : nearest)
      f.remedies.push_back({{fmt::format("Use {}", id),
                             [places = u.places, field = u.field, id](const Design& design) -> Edited {
                               Edited out = design;
                               for (const EntityRef& ref : places) {
                                 if (!out) break;
                                 out = set_field(*out, ref, field, FieldValue(id));
                               }
                               return out;
                             }},
                            {},
                            {}});
    findings.push_back(std::move(f));
  }
}

/// A figure that is not there, or a value that is no amount of its kind.
void published_figures(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const PublishedFigure& p : *context.design.published) {
    const Figure* ours = context.figures.find(p.figure);
    std::string wrong;
    if (!ours) {
      wrong = fmt::format("there is no figure '{}'", p.figure);
      std::pair<std::size_t, std::string_view> best{SIZE_MAX, {}};
      for (const Figure* f : context.figures.all())
        best = std::min(best, std::pair(letters_apart(p.figure, f->id), std::string_view(f->id)));
      if (!best.second.empty()) wrong += fmt::format("; the nearest is {}", best.second);
    } else if (ours->kind) {
      if (const auto value = parse_quantity(p.value, *ours->kind); !value)
        wrong = fmt::format("'{}' is no value of {}: {}", p.value, ours->label, value.error());
    }
    if (!wrong.empty())
      findings.push_back(finding_of(rule, "Published figure: " + wrong, {{"published", p.id}}, context, {}));
  }
}

} // namespace

std::vector<Rule> document_rules() {
  return {
      {"CAT-001", Severity::error, "Replaced value that cannot be",
       "A replacement of a catalog value names a part or field that is not there, does not fit the field, or stands beside another "
       "replacement of the same field. It changes nothing: every figure rests on the catalog's own value. Source of the limit: the range "
       "and the kind of the field in the catalog.",
       &made_by_evaluate},
      {"CAT-002", Severity::warning, "Part that the catalog does not have",
       "A field of the design names a part that is not in the catalog, so that what rests on it is unknown or a lower bound. The sentence "
       "names the ids that are written most alike. Contents of racks are told apart from this (LOD-005). Source of the limit: the ids of the "
       "catalog.",
       &unknown_parts},
      {"PUB-001", Severity::warning, "Published figure that cannot be compared",
       "A published figure names one that the program does not compute, or gives a value that is not an amount of its kind: it cannot be "
       "compared with ours. Source of the limit: the figures of the design and their kinds.",
       &published_figures},
      {"SCN-001", Severity::error, "Scenario that cannot be applied",
       "A change of the scenario names something that is not in the design, or a value that its field does not take, so that the scenario "
       "has no figures and cannot be compared. Source of the limit: the fields of the design and their ranges.",
       &broken_scenario},
  };
}

} // namespace hallwright
