// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_flow.h"

#include <algorithm>
#include <cmath>

namespace hallwright {

PowerFlow::PowerFlow(const OneLine& one_line) : line_(&one_line) {
  const std::size_t n = one_line.elements().size();
  draw_.reserve(one_line.loads().size());
  for (const OneLineLoad& load : one_line.loads())
    draw_.push_back(load.draw);
  group_w_.resize(one_line.groups().size());
  group_var_.resize(one_line.groups().size());
  for (std::size_t g = 0; g < group_w_.size(); ++g)
    sum_group(g);
  out_.assign(n, 0);
  on_alternate_.assign(n, 0);
  bus_live_.assign(one_line.buses().size(), 0);
  fed_.assign(n, dead);
  for (auto* values : {&output_w_, &output_var_, &input_w_, &input_var_, &it_, &plant_w_, &loss_w_})
    values->assign(n, 0.0);
  tap_bus_.assign(one_line.plant_taps().size(), dead);
  tap_share_.assign(one_line.plant_taps().size(), 0.0);
  share_.assign(n, unknown);
  per_rating_w_.resize(n);
  per_rating_va_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const OneLineElement& e = one_line.elements()[i];
    per_rating_w_[i] = e.rating_w > 0.0 ? 1.0 / e.rating_w : 0.0;
    per_rating_va_[i] = e.rating_va > 0.0 ? 1.0 / e.rating_va : 0.0;
  }
  order_ = one_line.order();
  rank_.assign(one_line.buses().size(), 0);
  rank();
  solve({});
}

void PowerFlow::rank() {
  for (std::uint32_t k = 0; k < order_.size(); ++k)
    rank_[order_[k]] = k;
}

void PowerFlow::sum_group(std::size_t group) {
  double w = 0.0, var = 0.0;
  for (const std::uint32_t member : line_->groups()[group].members) {
    w += in_watts(draw_[member].real);
    var += draw_[member].reactive.vars();
  }
  group_w_[group] = w;
  group_var_[group] = var;
}

/// What feeds an element as things stand; whether it has power.
bool PowerFlow::feed(std::size_t element) {
  fed_[element] = dead;
  on_alternate_[element] = 0;
  if (out_[element]) return false;
  const std::int32_t up = line_->upstream(element), alt = line_->alternate(element);
  if (up == OneLine::none && !line_->looped(element)) {
    fed_[element] = source;
  } else if (up != OneLine::none && bus_live_[line_->bus_of(static_cast<std::size_t>(up))]) {
    // Its own unit may be out: the rest of the bus carries on.
    fed_[element] = static_cast<std::int32_t>(line_->bus_of(static_cast<std::size_t>(up)));
  } else if (alt != OneLine::none && bus_live_[line_->bus_of(static_cast<std::size_t>(alt))]) {
    fed_[element] = static_cast<std::int32_t>(line_->bus_of(static_cast<std::size_t>(alt)));
    on_alternate_[element] = 1;
  }
  return fed_[element] != dead;
}

void PowerFlow::energise() {
  std::fill(bus_live_.begin(), bus_live_.end(), 0);
  if (line_->order().empty() && !line_->buses().empty()) {
    energise_in_circles();
    return;
  }
  for (const std::uint32_t b : line_->order()) {
    char live = 0;
    for (const std::uint32_t m : line_->buses()[b].members)
      if (feed(m)) live = 1;
    bus_live_[b] = live;
  }
}

/// Alternates that form circles: first what has power by its upstream units alone, then who takes over from whom, one
/// ring of neighbours at a time. What has got power keeps what feeds it.
void PowerFlow::energise_in_circles() {
  const std::size_t n = line_->elements().size();
  order_.clear();
  std::fill(fed_.begin(), fed_.end(), dead);
  std::fill(on_alternate_.begin(), on_alternate_.end(), 0);
  std::vector<std::uint32_t> fresh;
  const auto wake = [&](std::size_t i) {
    const std::uint32_t b = line_->bus_of(i);
    if (!bus_live_[b]) {
      bus_live_[b] = 1;
      fresh.push_back(b);
    }
  };
  const auto spread = [&] { // down the upstream links
    for (std::size_t k = 0; k < fresh.size(); ++k)
      for (const std::uint32_t c : line_->buses()[fresh[k]].children) {
        const std::int32_t up = line_->upstream(c);
        if (fed_[c] != dead || out_[c] || up == OneLine::none ||
            line_->bus_of(static_cast<std::size_t>(up)) != fresh[k])
          continue;
        fed_[c] = static_cast<std::int32_t>(fresh[k]);
        wake(c);
      }
    fresh.clear();
  };
  for (std::size_t i = 0; i < n; ++i)
    if (!out_[i] && line_->upstream(i) == OneLine::none && !line_->looped(i)) {
      fed_[i] = source;
      wake(i);
    }
  spread();
  for (bool more = true; more;) {
    more = false;
    std::vector<std::size_t> taken;
    for (std::size_t i = 0; i < n; ++i) {
      const std::int32_t alt = line_->alternate(i);
      if (fed_[i] != dead || out_[i] || alt == OneLine::none) continue;
      const std::uint32_t from = line_->bus_of(static_cast<std::size_t>(alt));
      // A unit of a bus that lives without it stays off: its second source could be fed by that very bus.
      if (!bus_live_[from] || bus_live_[line_->bus_of(i)]) continue;
      fed_[i] = static_cast<std::int32_t>(from);
      on_alternate_[i] = 1;
      taken.push_back(i);
    }
    for (const std::size_t i : taken)
      wake(i);
    more = !taken.empty();
    spread();
  }
  // Buses in an order in which each comes after all that feed it.
  std::vector<std::uint32_t> open(line_->buses().size(), 0);
  for (std::size_t i = 0; i < n; ++i)
    if (fed_[i] >= 0) ++open[line_->bus_of(i)];
  for (std::uint32_t b = 0; b < open.size(); ++b)
    if (open[b] == 0) order_.push_back(b);
  for (std::size_t k = 0; k < order_.size(); ++k)
    for (const std::uint32_t c : line_->buses()[order_[k]].children)
      if (fed_[c] == static_cast<std::int32_t>(order_[k]) && --open[line_->bus_of(c)] == 0)
        order_.push_back(line_->bus_of(c));
  for (std::uint32_t b = 0; b < open.size(); ++b) // only if power ran in a circle, which waking forbids
    if (open[b] != 0) bus_live_[b] = 0;
  rank();
}

/// Which points of each plant load have power, and what part of it each takes.
void PowerFlow::share_plant() {
  const auto& taps = line_->plant_taps();
  for (std::size_t t = 0; t < taps.size();) {
    const std::uint32_t load = taps[t].load;
    double live = 0.0;
    std::size_t end = t;
    for (; end < taps.size() && taps[end].load == load; ++end) {
      tap_bus_[end] = dead;
      for (const std::int32_t bus : {taps[end].from, taps[end].else_from})
        if (tap_bus_[end] == dead && bus != OneLine::none && bus_live_[static_cast<std::size_t>(bus)]) tap_bus_[end] = bus;
      if (tap_bus_[end] != dead) live += taps[end].share;
    }
    for (; t < end; ++t)
      tap_share_[t] = tap_bus_[t] == dead ? 0.0 : taps[t].share / live;
  }
}

/// What the members of a bus carry, from what hangs on it.
void PowerFlow::settle(std::uint32_t b) {
  const OneLine::Bus& bus = line_->buses()[b];
  if (!bus_live_[b]) {
    for (const std::uint32_t m : bus.members) {
      output_w_[m] = output_var_[m] = input_w_[m] = input_var_[m] = it_[m] = plant_w_[m] = loss_w_[m] = 0.0;
      share_[m] = per_rating_w_[m] > 0.0 || per_rating_va_[m] > 0.0 ? 0.0 : unknown;
    }
    return;
  }
  double w = 0.0, var = 0.0, it = 0.0;
  for (const std::uint32_t c : bus.children)
    if (fed_[c] == static_cast<std::int32_t>(b)) {
      w += input_w_[c];
      var += input_var_[c];
      it += it_[c];
    }
  const auto add = [&](std::uint32_t g, std::int32_t other) {
    const bool both = other != OneLine::none && bus_live_[line_->bus_of(static_cast<std::size_t>(other))];
    const double part = both ? 0.5 : 1.0;
    w += part * group_w_[g];
    var += part * group_var_[g];
    it += part * group_w_[g];
  };
  for (const std::uint32_t g : bus.groups_a)
    add(g, line_->groups()[g].b);
  for (const std::uint32_t g : bus.groups_b)
    add(g, line_->groups()[g].a);

  double plant = 0.0, plant_var = 0.0;
  for (const std::uint32_t t : bus.plant)
    if (tap_bus_[t] == static_cast<std::int32_t>(b)) {
      const ComplexPower& draw = line_->plant()[line_->plant_taps()[t].load].draw;
      plant += plant_scale_ * tap_share_[t] * in_watts(draw.real);
      plant_var += plant_scale_ * tap_share_[t] * draw.reactive.vars();
    }

  double weights = 0.0;
  for (const std::uint32_t m : bus.members)
    if (fed_[m] != dead) weights += line_->weight(m);
  for (const std::uint32_t m : bus.members) {
    const double part = fed_[m] == dead ? 0.0 : bus.members.size() == 1 ? 1.0 : line_->weight(m) / weights;
    const OneLineElement& e = line_->elements()[m];
    it_[m] = part * it;
    plant_w_[m] = part * plant;
    output_w_[m] = part * w + plant_w_[m];
    const bool direct = e.system == ElectricalSystem::direct_current;
    output_var_[m] = direct ? 0.0 : part * (var + plant_var);
    const bool by_va = per_rating_va_[m] > 0.0, by_w = per_rating_w_[m] > 0.0;
    double share = by_w ? output_w_[m] * per_rating_w_[m] : unknown;
    if (by_va) {
      const double of_va = std::sqrt(output_w_[m] * output_w_[m] + output_var_[m] * output_var_[m]) * per_rating_va_[m];
      share = by_w ? std::max(share, of_va) : of_va;
    }
    share_[m] = share;
    if (fed_[m] == dead) {
      input_w_[m] = input_var_[m] = loss_w_[m] = 0.0;
      continue;
    }
    const double rating = by_va ? e.rating_va : by_w ? e.rating_w : unknown;
    loss_w_[m] = e.losses.loss(output_w_[m], by_w || by_va ? share : unknown, rating);
    input_w_[m] = output_w_[m] + loss_w_[m];
    if (direct && e.kind != PowerUnitKind::rectifier) {
      input_var_[m] = 0.0;
    } else if (e.input_power_factor) {
      input_var_[m] = reactive_power(watts(input_w_[m]), *e.input_power_factor).vars();
    } else {
      input_var_[m] = output_var_[m];
      if (std::isfinite(rating))
        input_var_[m] += rating * (e.no_load_reactive_share + e.reactance_share * share * share);
    }
  }
}

void PowerFlow::solve(std::span<const std::size_t> out) {
  std::fill(out_.begin(), out_.end(), 0);
  for (const std::size_t i : out)
    if (i < out_.size()) out_[i] = 1;
  energise();
  share_plant();
  for (auto it = order_.rbegin(); it != order_.rend(); ++it)
    settle(*it);
}

void PowerFlow::scale_loads(double share) {
  plant_scale_ = share;
  for (std::size_t i = 0; i < draw_.size(); ++i)
    draw_[i] = share * line_->loads()[i].draw;
  for (std::size_t g = 0; g < group_w_.size(); ++g)
    sum_group(g);
  for (auto it = order_.rbegin(); it != order_.rend(); ++it)
    settle(*it);
}

void PowerFlow::change_load(std::size_t load, const ComplexPower& draw) {
  draw_[load] = draw;
  const std::size_t g = line_->group_of(load);
  sum_group(g);
  // Up the few ways to the sources, each bus after all below it.
  std::vector<std::uint32_t> stale;
  const auto mark = [&](std::uint32_t b) {
    if (std::find(stale.begin(), stale.end(), b) == stale.end()) stale.push_back(b);
  };
  for (const std::int32_t feed_index : {line_->groups()[g].a, line_->groups()[g].b})
    if (feed_index != OneLine::none) mark(line_->bus_of(static_cast<std::size_t>(feed_index)));
  while (!stale.empty()) {
    const auto lowest = std::max_element(stale.begin(), stale.end(),
                                         [&](std::uint32_t a, std::uint32_t b) { return rank_[a] < rank_[b]; });
    const std::uint32_t b = *lowest;
    stale.erase(lowest);
    settle(b);
    for (const std::uint32_t m : line_->buses()[b].members)
      if (fed_[m] >= 0) mark(static_cast<std::uint32_t>(fed_[m]));
  }
}

double PowerFlow::headroom(std::size_t element) const {
  return 1.0 - share_[element] / line_->elements()[element].usable_share;
}

int PowerFlow::live_feeds(std::size_t group) const {
  const OneLine::LoadGroup& g = line_->groups()[group];
  const auto has_power = [&](std::int32_t i) {
    return i != OneLine::none && bus_live_[line_->bus_of(static_cast<std::size_t>(i))];
  };
  return (has_power(g.a) ? 1 : 0) + (has_power(g.b) ? 1 : 0);
}

ElementFlow PowerFlow::at(std::size_t i) const {
  const OneLineElement& e = line_->elements()[i];
  ElementFlow f;
  f.live = live(i);
  f.on_alternate = on_alternate_[i] != 0;
  if (fed_[i] >= 0) f.fed_by = f.on_alternate ? e.alternate : e.upstream;
  f.output = {watts(output_w_[i]), ReactivePower::from_vars(output_var_[i])};
  f.input = {watts(input_w_[i]), ReactivePower::from_vars(input_var_[i])};
  f.loss = watts(loss_w_[i]);
  f.it = watts(it_[i]);
  f.plant = watts(plant_w_[i]);
  f.load_share = share_[i];
  f.headroom = headroom(i);
  const auto direct = [](const ComplexPower& p, Voltage v) { return p.real / v; };
  const auto phase = [](const ComplexPower& p, Voltage v) { return amperes(p.apparent().volt_amperes() / base_value(v)); };
  if (e.direct_voltage) {
    if (base_value(*e.direct_voltage) > 0.0) f.output_direct_current = direct(f.output, *e.direct_voltage);
  } else if (e.phase_voltage) {
    if (base_value(*e.phase_voltage) > 0.0) f.output_phase_current = phase(f.output, *e.phase_voltage);
  } else if (e.output_voltage && e.output_voltage->volts() > 0.0)
    f.output_line_current = line_current(f.output.apparent(), *e.output_voltage);
  if (e.input_direct_voltage) {
    if (base_value(*e.input_direct_voltage) > 0.0) f.input_direct_current = direct(f.input, *e.input_direct_voltage);
  } else if (e.input_phase_voltage) {
    if (base_value(*e.input_phase_voltage) > 0.0) f.input_phase_current = phase(f.input, *e.input_phase_voltage);
  } else {
    const auto in = e.input_voltage ? e.input_voltage : e.output_voltage;
    if (in && in->volts() > 0.0) f.input_line_current = line_current(f.input.apparent(), *in);
  }
  return f;
}

double PowerFlow::plant_without_power() const {
  double dark = 0.0;
  const auto& taps = line_->plant_taps();
  std::size_t t = 0;
  for (std::size_t k = 0; k < line_->plant().size(); ++k) {
    bool live = false;
    for (; t < taps.size() && taps[t].load == k; ++t)
      live = live || tap_bus_[t] != dead;
    if (!live) dark += plant_scale_ * in_watts(line_->plant()[k].draw.real);
  }
  return dark;
}

FlowTotals PowerFlow::totals() const {
  double served = 0.0, dark = 0.0, plant = 0.0, losses = 0.0, real = 0.0, reactive = 0.0;
  for (std::size_t g = 0; g < group_w_.size(); ++g)
    (live_feeds(g) > 0 ? served : dark) += group_w_[g];
  for (std::size_t i = 0; i < output_w_.size(); ++i) {
    plant += plant_w_[i];
    losses += loss_w_[i];
    if (fed_[i] != source) continue;
    real += input_w_[i];
    reactive += input_var_[i];
  }
  FlowTotals t;
  t.it = watts(served);
  t.without_power = watts(dark);
  t.plant = watts(plant);
  t.plant_without_power = watts(plant_without_power());
  t.losses = watts(losses);
  t.sources = {watts(real), ReactivePower::from_vars(reactive)};
  if (served > 0.0) t.power_usage_effectiveness = real / served;
  return t;
}

std::vector<PartLoad> part_loads(const OneLine& one_line, std::span<const double> load_shares) {
  PowerFlow flow(one_line);
  std::vector<PartLoad> out;
  for (const double share : load_shares) {
    flow.scale_loads(share);
    out.push_back({share, flow.totals()});
  }
  return out;
}

std::vector<ElementFlow> element_flows(const PowerFlow& flow) {
  std::vector<ElementFlow> out;
  out.reserve(flow.one_line().elements().size());
  for (std::size_t i = 0; i < flow.one_line().elements().size(); ++i)
    out.push_back(flow.at(i));
  return out;
}

} // namespace hallwright
