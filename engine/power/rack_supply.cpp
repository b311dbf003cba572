// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/rack_supply.h"

#include <algorithm>
#include <cmath>

#include "power/phase_balance.h"

namespace hallwright {

std::vector<RackSupply> rack_supplies(const OneLineStudy& study) {
  const OneLine& line = study.line;
  const PowerFlow flow = study.contingencies.flow(study.single.normal);
  std::vector<RackSupply> out;
  for (std::size_t l = 0; l < line.loads().size(); ++l) {
    const OneLine::LoadGroup& group = line.groups()[line.group_of(l)];
    if (group.a == OneLine::none && group.b == OneLine::none) continue;
    RackSupply s{line.loads()[l].id};
    for (const std::int32_t feed : {group.a, group.b}) {
      if (feed == OneLine::none) continue;
      const auto at = static_cast<std::size_t>(feed);
      const double headroom = flow.headroom(at);
      if (!std::isfinite(headroom) || (s.tightest != 0 && headroom >= s.headroom)) continue;
      s.headroom = headroom;
      s.tightest = line.elements()[at].id;
    }
    out.push_back(s);
  }
  return out;
}

std::vector<RackFailureDomain> rack_failure_domains(const OneLineStudy& study) {
  const OneLine& line = study.line;
  const PowerFlow normal = study.contingencies.flow(study.single.normal);
  const std::vector<OneLineLoad>& loads = line.loads();
  struct Best {
    Id unit = 0;
    Count racks = 0;
    bool feeds = false;
  };
  std::vector<Best> best(loads.size());
  for (const ContingencyCase& c : study.single.cases) {
    if (c.out.size() != 1 || c.racks_dark == 0) continue;
    for (const Id rack : study.contingencies.racks_dark(c)) {
      const auto it = std::lower_bound(loads.begin(), loads.end(), rack,
                                       [](const OneLineLoad& l, Id id) { return l.id < id; });
      if (it == loads.end() || it->id != rack) continue;
      const bool feeds = it->feed_a == c.out.front() || it->feed_b == c.out.front();
      Best& b = best[static_cast<std::size_t>(it - loads.begin())];
      if (b.unit == 0 || c.racks_dark < b.racks || (c.racks_dark == b.racks && feeds && !b.feeds))
        b = {c.out.front(), c.racks_dark, feeds};
    }
  }
  std::vector<RackFailureDomain> out;
  for (std::size_t l = 0; l < loads.size(); ++l) {
    if (normal.feeds_of_load(l) == 0) continue;
    RackFailureDomain d{loads[l].id, best[l].unit};
    if (d.unit == 0) d.feed_a = loads[l].feed_a, d.feed_b = loads[l].feed_b;
    out.push_back(d);
  }
  return out;
}

std::string failure_domain_name(const RackFailureDomain& domain, const OneLine& line) {
  if (domain.unit != 0) return line.name(domain.unit);
  if (domain.feed_a == 0 || domain.feed_b == 0) {
    const Id only = domain.feed_a != 0 ? domain.feed_a : domain.feed_b;
    return only != 0 ? line.name(only) : std::string();
  }
  return line.name(domain.feed_a) + " + " + line.name(domain.feed_b);
}

RackPhases rack_phases(const Rack& rack, const OneLine& line) {
  const auto of = [&](Id feed, TapPhases phases) -> RackPhases {
    const std::ptrdiff_t i = line.index(feed);
    if (feed == 0 || i < 0) return {};
    switch (line.elements()[static_cast<std::size_t>(i)].system) {
    case ElectricalSystem::single_phase: return {"one phase", "1~"};
    case ElectricalSystem::direct_current: return {"direct current", "DC"};
    case ElectricalSystem::three_phase: break;
    }
    if (phases == TapPhases::three_phase) return {"three phases", "3~"};
    std::string words(tap_phases_word(phases));
    std::string mark = words;
    if (mark.ends_with("-N")) mark.resize(mark.size() - 2);
    else std::erase(mark, '-');
    return {std::move(words), std::move(mark)};
  };
  const RackPhases a = of(rack.feed_a, rack.phases_a), b = of(rack.feed_b, rack.phases_b);
  if (b.words.empty() || a.words == b.words) return a;
  if (a.words.empty()) return b;
  return {"A " + a.words + ", B " + b.words, a.mark + "/" + b.mark};
}

} // namespace hallwright
