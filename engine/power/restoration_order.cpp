// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/restoration_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace hallwright {

RestorationPlan restoration_plan(const Design& design, const OneLine& line) {
  RestorationPlan plan;
  double generators = 0.0, sources = 0.0;
  for (const OneLineElement& e : line.elements()) {
    if (!(e.rating_w > 0.0)) continue;
    if (e.kind == PowerUnitKind::generator) generators += e.rating_w;
    if (e.kind == PowerUnitKind::utility_feed) sources += e.rating_w;
  }
  double draws = 0.0;
  for (const OneLineLoad& l : line.loads())
    draws += in_watts(l.draw.real);
  plan.largest_step = watts(generators > 0.0 ? design.power_plant->generator_step_share * generators
                            : sources > 0.0  ? sources
                                             : std::max(1.0, 2.0 * draws));
  std::map<Id, const RackType*> types;
  for (const RackType& t : *design.rack_types)
    types.emplace(t.id, &t);
  double inrush = 1.0;
  for (const Rack& r : *design.racks) {
    const auto type = types.find(r.rack_type);
    if (type == types.end()) continue;
    inrush = std::max(inrush, type->second->inrush);
    if (type->second->role != RackRole::compute) plan.first_racks.push_back(r.id);
  }
  plan.rack_inrush = std::clamp(inrush, 1.0, 10.0);
  return plan;
}

Table restoration_table(const Restoration& restoration) {
  Table t;
  t.id = "power.restoration";
  t.title = "Order of restoration";
  t.entity_table = "power_units";
  t.columns.reserve(7);
  auto& number = t.add_numbers("number", "Step", kind::count);
  auto& at = t.add_numbers("at", "At", kind::time, "s");
  auto& what = t.add_words("what", "What");
  auto& racks = t.add_numbers("racks", "Racks", kind::count);
  auto& step = t.add_numbers("step", "Added", kind::power, "kW");
  auto& inrush = t.add_numbers("inrush", "Inrush, peak", kind::current, "A");
  auto& after = t.add_numbers("after", "Then on the sources", kind::power, "kW");
  Count n = 0;
  for (const RestorationStep& s : restoration.steps) {
    number.numbers.push_back(static_cast<double>(++n));
    at.numbers.push_back(in_seconds(s.at));
    what.words.push_back(s.what);
    racks.numbers.push_back(static_cast<double>(s.racks.size()));
    step.numbers.push_back(in_watts(s.step));
    inrush.numbers.push_back(in_amperes(s.inrush) > 0.0 ? in_amperes(s.inrush)
                                                        : std::numeric_limits<double>::quiet_NaN());
    after.numbers.push_back(in_watts(s.after));
    t.entities.push_back(s.element);
  }
  return t;
}

} // namespace hallwright
