// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/coolant_care.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "catalog/traced_part.h"

namespace hallwright {
namespace {

/// When a limit is looked at.
enum class CareTime { fill, samples, bacteria, glycol, filters, purchase };

struct CareLimit {
  std::string_view what, low, high; ///< ids of assumptions; empty: no limit on that side
  CareTime time;
  bool glycol, water, facility; ///< kinds of fluid that it is about
};
constexpr CareLimit limits[] = {
    {"Chloride of dilution water", "", "care.dilution_chloride", CareTime::fill, true, false, false},
    {"Sulfate of dilution water", "", "care.dilution_sulfate", CareTime::fill, true, false, false},
    {"Hardness of dilution water, as CaCO3", "", "care.dilution_hardness", CareTime::fill, true, false, false},
    {"Conductivity of dilution water", "", "care.dilution_conductivity", CareTime::fill, true, false, false},
    {"pH of dilution water", "care.dilution_ph_low", "care.dilution_ph_high", CareTime::fill, true, false, false},
    {"Propylene glycol by volume", "cooling.glycol_minimum", "", CareTime::glycol, true, false, false},
    {"Bacteria", "", "care.bacteria", CareTime::bacteria, true, true, false},
    {"Dissolved copper", "", "care.dissolved_copper", CareTime::samples, true, false, false},
    {"Dissolved iron", "", "care.dissolved_iron", CareTime::samples, true, false, false},
    {"Inline filter, particle size", "", "cooling.secondary_filtration", CareTime::filters, true, true, false},
    {"Side-stream filter, particle size", "", "care.sidestream_filtration", CareTime::filters, true, true, false},
    {"Conductivity of deionized water left in drained parts", "", "care.drain_conductivity", CareTime::fill, false, true, false},
    {"Zinc in wetted brass", "", "care.brass_zinc", CareTime::purchase, true, true, false},
    {"Strainer, particle size", "", "care.primary_filtration", CareTime::filters, false, false, true},
};
struct TimeWords {
  std::string_view words, assumption;
};
TimeWords time_words(CareTime time) {
  switch (time) {
  case CareTime::fill: return {"at each fill and top-up", ""};
  case CareTime::samples: return {"", "care.interval_samples"};
  case CareTime::bacteria: return {"", "care.interval_bacteria"};
  case CareTime::glycol: return {"", "care.interval_glycol"};
  case CareTime::filters: return {"", "care.interval_filters"};
  case CareTime::purchase: return {"when parts are chosen", ""};
  }
  return {};
}
constexpr std::string_view kind_words[] = {"glycol mixture", "treated water", "facility water"};

} // namespace

void coolant_care(Ledger& ledger, const CoolingInputs& in, const std::vector<CareLoop>& loops, const LoopLooks* looks, std::vector<Table>& tables) {
  std::string names[std::size(kind_words)];
  bool there[std::size(kind_words)] = {};
  bool liquid = false, facility_drawn = false;
  for (const CareLoop& loop : loops) {
    bool facility = false;
    if (looks && loop.loop)
      for (const LoopLook& l : looks->loops)
        if (l.loop && l.loop->loop == loop.loop->id) facility = l.loop->facility;
    if (!facility && !loop.heat.figure.valid()) continue;
    const std::optional<double> glycol = loop.fluid ? glycol_share_of(*loop.fluid) : std::nullopt;
    if (!facility && !glycol) continue; // what it is is not known
    const auto kind = static_cast<std::size_t>(facility      ? CoolantCareKind::facility_water
                                               : *glycol > 0 ? CoolantCareKind::glycol_mixture
                                                             : CoolantCareKind::treated_water);
    there[kind] = true;
    names[kind] += (names[kind].empty() ? "" : ", ") + loop.name;
    (facility ? facility_drawn : liquid) = true;
  }
  const auto water = static_cast<std::size_t>(CoolantCareKind::facility_water);
  if (liquid && !facility_drawn) {
    there[water] = true;
    names[water] = "at the distribution units";
  }
  Table table;
  table.id = "cooling.care";
  table.title = "Care of coolant";
  table.columns.reserve(8);
  auto& fluid = table.add_words("fluid", "Fluid");
  auto& what = table.add_words("what", "What");
  auto& low = table.add_numbers("low", "At least", kind::ratio);
  auto& high = table.add_numbers("high", "At most", kind::ratio);
  auto& unit = table.add_words("unit", "Unit");
  auto& often = table.add_words("interval", "How often");
  auto& source = table.add_words("source", "Source");
  auto& where = table.add_words("loops", "Loops");
  for (std::size_t k = 0; k < std::size(kind_words); ++k) {
    if (!there[k]) continue;
    for (const CareLimit& l : limits) {
      if (!(k == 0 ? l.glycol : k == 1 ? l.water : l.facility)) continue;
      // Units of chemistry are of no kind of quantity: the number stands as its row has it, with the unit in its name.
      const Assumption* shown = nullptr;
      const auto number = [&](std::string_view id) {
        const Assumption* a = id.empty() ? nullptr : in.catalog->find<Assumption>(id);
        if (!a) return std::numeric_limits<double>::quiet_NaN();
        shown = a;
        const bool overridden = in.catalog->overridden.count(std::tuple(std::string("assumption"), a->id, std::string("value"))) > 0;
        std::optional<double> value;
        if (a->value) value = *a->value;
        ledger.catalog_field<double>("assumption", id, "value", a->unit.empty() || a->unit == "1" ? a->name : a->name + " [" + a->unit + "]",
                                     overridden ? "replaced in this design; catalog: " + a->source : a->source + " (" + a->as_of + ")", value, overridden, &kind::ratio);
        return value.value_or(std::numeric_limits<double>::quiet_NaN());
      };
      const double least = number(l.low), most = number(l.high);
      if (!shown) continue;
      const TimeWords time = time_words(l.time);
      std::string interval(time.words);
      if (!time.assumption.empty()) {
        const auto every = assumption<Time>(ledger, *in.catalog, time.assumption);
        interval = every.has_value() ? fmt::format("every {:.4g} d", in_days(every.value)) : "not known";
      }
      fluid.words.emplace_back(kind_words[k]);
      what.words.emplace_back(l.what);
      low.numbers.push_back(least);
      high.numbers.push_back(most);
      unit.words.push_back(shown->unit == "1" ? std::string() : shown->unit);
      often.words.push_back(std::move(interval));
      source.words.push_back(shown->source);
      where.words.push_back(names[k]);
      table.row_figures.push_back(fmt::format("catalog.assumption.{}.value", shown->id));
    }
  }
  if (!table.row_figures.empty()) tables.push_back(std::move(table));
}

} // namespace hallwright
