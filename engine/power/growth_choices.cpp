// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/growth_choices.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "power/one_line_layout.h"
#include "quantity/text.h"

namespace hallwright {

std::vector<GrowthRack> rack_choices(const Design& design, const LoadResult& load, const Catalog& catalog) {
  const Assumption* usual = catalog.find<Assumption>("power.power_factor");
  std::vector<GrowthRack> out;
  for (const RackType& type : *design.rack_types) {
    GrowthRack choice;
    choice.type = type.id;
    choice.name = type.name;
    double w = 0.0;
    for (const RackClassLoad& c : load.rack_classes)
      if (c.rack_type == type.id) w = std::max(w, in_watts(c.power.value_or(Power{})));
    if (!(w > 0.0) && type.power_limit) w = in_watts(*type.power_limit);
    if (!(w > 0.0))
      choice.missing =
          "Nothing says what a " + type.name + " draws: put nodes or switches into it, or set its power limit";
    double factor = type.power_factor.value_or(usual && usual->value ? *usual->value : 1.0);
    if (!(factor > 0.0 && factor <= 1.0)) factor = 1.0;
    choice.rack.draw = ComplexPower::of(watts(w), PowerFactor{factor});
    if (type.supply_capacity_one_feed) choice.rack.one_feed_capacity_w = in_watts(*type.supply_capacity_one_feed);
    out.push_back(std::move(choice));
  }
  return out;
}

namespace {

/// Row of the catalog with the lead time of a unit; null: none is known for its kind.
const char* lead_time_of(const OneLineElement& e) {
  constexpr double power_transformer_va = 10e6; // larger ones are made to order as power transformers
  switch (e.kind) {
  case PowerUnitKind::utility_feed:
    return "lead.grid_connection";
  case PowerUnitKind::transformer:
    return std::max(std::isfinite(e.rating_va) ? e.rating_va : 0.0, std::isfinite(e.rating_w) ? e.rating_w : 0.0) >
                   power_transformer_va
               ? "lead.transformer_power"
               : "lead.transformer_distribution";
  case PowerUnitKind::generator:
    return "lead.generator";
  case PowerUnitKind::ups:
    return "lead.ups";
  case PowerUnitKind::switchgear:
    return "lead.switchgear_mv";
  case PowerUnitKind::static_switch:
  case PowerUnitKind::rectifier:
  case PowerUnitKind::distribution:
  case PowerUnitKind::busway:
    break;
  }
  return nullptr;
}
std::string dollars_text(double low, double high) {
  const auto one = [](double v) { return format_quantity(v, kind::money).joined(); };
  return high > low * (1.0 + 1e-9) ? one(low) + " to " + one(high) : one(low);
}

} // namespace

GrowthStep next_growth_step(const Design& design, const OneLine& line, const PowerGrowth& growth, const Catalog& catalog) {
  GrowthStep out;
  const std::ptrdiff_t at = growth.binding == 0 ? -1 : line.index(growth.binding);
  if (at < 0) {
    out.sentence = "Nothing that is rated says no: there is no next step";
    return out;
  }
  const OneLineElement& e = line.elements()[static_cast<std::size_t>(at)];
  out.binding = e.id;
  out.kind = e.kind;
  if (design.power_plant->redundancy == Redundancy::two_n && e.side != Feed::both) out.units = 2;
  const auto count = static_cast<double>(out.units);
  std::string cost = "no price is in the catalog";
  const PowerUnit* unit = find(*design.power_units, e.id);
  const PowerPart* part = unit ? catalog.find<PowerPart>(unit->part) : nullptr;
  const auto take = [&](double low, double high) {
    out.cost_low = dollars(count * low);
    out.cost_high = dollars(count * high);
    cost = dollars_text(count * low, count * high);
  };
  if (part && (part->price_low || part->price_high)) {
    const Money low = part->price_low ? *part->price_low : *part->price_high;
    take(in_dollars(low), in_dollars(part->price_high ? *part->price_high : low));
  } else if (e.kind == PowerUnitKind::ups) {
    if (const Assumption* price = catalog.find<Assumption>("price.ups_module"); price && price->value && price->unit == "USD") {
      take(price->low ? *price->low : *price->value, price->high ? *price->high : *price->value);
      cost += " (band of large frames, whose rating is not stated)";
    }
  }
  std::string lead = "no lead time is in the catalog";
  if (const char* id = lead_time_of(e))
    if (const Assumption* weeks = catalog.find<Assumption>(id); weeks && weeks->value && weeks->unit == "wk") {
      out.weeks = *weeks->value;
      if (weeks->low) out.weeks_low = *weeks->low;
      if (weeks->high) out.weeks_high = *weeks->high;
      lead = fmt::format("{:.3g} weeks", *out.weeks);
      if (out.weeks_low && out.weeks_high)
        lead += fmt::format(" ({:.3g} to {:.3g})", *out.weeks_low, *out.weeks_high);
      else if (out.weeks_low && *out.weeks_low < *out.weeks)
        lead += fmt::format(" (at least {:.3g})", *out.weeks_low);
    }
  std::string what(power_unit_words(e.kind));
  if (out.units > 1 && e.kind != PowerUnitKind::ups && e.kind != PowerUnitKind::switchgear)
    what += e.kind == PowerUnitKind::static_switch ? "es" : "s";
  if (!out.cost_low && !out.weeks) {
    cost = "the catalog has neither a price nor a lead time";
    lead.clear();
  }
  out.sentence = fmt::format("The next step is {} {} like {}{}: {}{}{}; building, cables and labour come on top",
                             out.units == 1 ? "one more" : "two more", what, line.name(e.id),
                             out.units == 1 ? "" : ", one on each side", cost, lead.empty() ? "" : ", ", lead);
  return out;
}

} // namespace hallwright
