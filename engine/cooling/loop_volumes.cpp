// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_volumes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <queue>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "ledger/formula_range.h"
#include "space/design_value.h"

namespace hallwright {

constinit const Formula<Density, Density, Temperature, Density, Temperature, Temperature> density_between{
    .name = "density_between",
    .text = "colder_density + (warmer_density - colder_density) * (temperature - colder) / (warmer - colder)",
    .source = "straight line between rows of a table; beyond both the nearer row",
    .parameters = {"colder_density", "colder", "warmer_density", "warmer", "temperature"},
    .function = [](Density colder_density, Temperature colder, Density warmer_density, Temperature warmer, Temperature temperature) -> Result<Density> {
      if (auto wrong = violated({above_zero("colder_density", colder_density), above_zero("colder", colder), above_zero("warmer_density", warmer_density),
                                 above_zero("temperature", temperature)}))
        return *wrong;
      if (!(warmer.kelvin() > colder.kelvin()))
        return not_applicable(fmt::format("warmer must be above {:.6g} K; it is {:.6g} K", colder.kelvin(), warmer.kelvin()));
      const double along = std::clamp((temperature.kelvin() - colder.kelvin()) / (warmer.kelvin() - colder.kelvin()), 0.0, 1.0);
      return Density::from_value(base_value(colder_density) * (1.0 - along) + base_value(warmer_density) * along);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Volume, Power, Volume, Power> rack_coolant_volume{
    .name = "rack_coolant_volume",
    .text = "heat * reference_volume / reference_heat",
    .source = "proportion",
    .parameters = {"heat", "reference_volume", "reference_heat"},
    .function = [](Power heat, Volume reference_volume, Power reference_heat) -> Result<Volume> {
      if (auto wrong = violated({not_negative("heat", heat), not_negative("reference_volume", reference_volume), above_zero("reference_heat", reference_heat)}))
        return *wrong;
      return cubic_meters(base_value(heat) * base_value(reference_volume) / base_value(reference_heat));
    },
    .estimate = true,
    .monotone = Monotone::increasing, // the reference heat is a constant
};

constinit const Formula<Volume, Volume, double> glycol_volume{
    .name = "glycol_volume",
    .text = "fill * glycol_share",
    .source = "definition of the share by volume",
    .parameters = {"fill", "glycol_share"},
    .function = [](Volume fill, double glycol_share) -> Result<Volume> {
      if (auto wrong = violated({not_negative("fill", fill), not_negative("glycol_share", glycol_share)})) return *wrong;
      if (glycol_share > 1.0) return not_applicable(fmt::format("glycol_share must be at most 1; it is {:.6g}", glycol_share));
      return cubic_meters(base_value(fill) * glycol_share);
    },
    .monotone = Monotone::increasing,
};

constinit const Formula<Volume, Volume, Density, Density> expansion_volume{
    .name = "expansion_volume",
    .text = "fill * (cold_density / warm_density - 1)",
    .source = "conservation of mass; the whole fill as warm as the return",
    .parameters = {"fill", "cold_density", "warm_density"},
    .function = [](Volume fill, Density cold_density, Density warm_density) -> Result<Volume> {
      if (auto wrong = violated({not_negative("fill", fill), above_zero("cold_density", cold_density), above_zero("warm_density", warm_density)}))
        return *wrong;
      if (base_value(warm_density) > base_value(cold_density))
        return not_applicable(fmt::format("warm_density must be at most {:.6g} kg/m3; it is {:.6g} kg/m3: the loop is colder than its fill",
                                          base_value(cold_density), base_value(warm_density)));
      return cubic_meters(base_value(fill) * (base_value(cold_density) / base_value(warm_density) - 1.0));
    },
    .monotone = Monotone::increasing, // in the fill; densities are exact
};

constinit const Formula<Pressure, Density, Velocity, Velocity> sudden_closure_rise{
    .name = "sudden_closure_rise",
    .text = "density * wave_speed * velocity",
    .source = "Joukowsky 1898",
    .parameters = {"density", "wave_speed", "velocity"},
    .function = [](Density density, Velocity wave_speed, Velocity velocity) -> Result<Pressure> {
      if (auto wrong = violated({above_zero("density", density), above_zero("wave_speed", wave_speed), not_negative("velocity", velocity)})) return *wrong;
      return pascals(base_value(density) * base_value(wave_speed) * base_value(velocity));
    },
    .estimate = true,
    .monotone = Monotone::increasing,
};

constinit const Formula<Pressure, Pressure, Pressure> pressure_room{
    .name = "pressure_room",
    .text = "pressure_limit - highest_pressure",
    .source = "difference",
    .parameters = {"pressure_limit", "highest_pressure"},
    .function = [](Pressure pressure_limit, Pressure highest_pressure) -> Result<Pressure> {
      if (auto wrong = violated({above_zero("pressure_limit", pressure_limit)})) return *wrong;
      if (base_value(highest_pressure) >= base_value(pressure_limit))
        return not_applicable(fmt::format("highest_pressure must be below {:.6g} kPa; it is {:.6g} kPa: nothing is left for a rise", base_value(pressure_limit) * 1e-3,
                                          base_value(highest_pressure) * 1e-3));
      return pascals(base_value(pressure_limit) - base_value(highest_pressure));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Time, Density, Length, Velocity, Pressure, Velocity> shortest_closing_time{
    .name = "shortest_closing_time",
    .text = "0 where density * wave_speed * velocity is at most the room, else larger of 2 * length / wave_speed and 2 * density * length * velocity / room",
    .source = "Joukowsky 1898; Michaud 1878",
    .parameters = {"density", "length", "velocity", "room", "wave_speed"},
    .function = [](Density density, Length length, Velocity velocity, Pressure room, Velocity wave_speed) -> Result<Time> {
      if (auto wrong = violated({above_zero("density", density), not_negative("length", length), not_negative("velocity", velocity), above_zero("room", room),
                                 above_zero("wave_speed", wave_speed)}))
        return *wrong;
      const double rho = base_value(density), l = base_value(length), v = base_value(velocity), a = base_value(wave_speed), left = base_value(room);
      if (rho * a * v <= left) return seconds(0.0);
      return seconds(std::max(2.0 * l / a, 2.0 * rho * l * v / left));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> loop_volume_formulas() {
  return {any(density_between),     any(rack_coolant_volume), any(glycol_volume),        any(expansion_volume),
          any(sudden_closure_rise), any(pressure_room),       any(shortest_closing_time)};
}

std::optional<double> glycol_share_of(const FluidPart& fluid) {
  // "PG25", "EG 30 %", with no letter before them.
  const std::string& name = fluid.name;
  const auto digit = [&](std::size_t i) { return i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) != 0; };
  for (std::size_t i = 0; i + 2 < name.size(); ++i) {
    if ((name[i] != 'P' && name[i] != 'E') || name[i + 1] != 'G') continue;
    if (i > 0 && std::isalpha(static_cast<unsigned char>(name[i - 1])) != 0) continue;
    std::size_t at = i + 2;
    if (name[at] == ' ') ++at;
    if (!digit(at)) continue;
    double share = 0.0;
    for (int digits = 0; digit(at) && digits < 3; ++at, ++digits)
      share = share * 10.0 + (name[at] - '0');
    if (share <= 100.0) return share / 100.0;
  }
  std::string lower = fluid.name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.find("glycol") == std::string::npos && lower.find("water") != std::string::npos) return 0.0;
  return std::nullopt;
}

namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();
constexpr double reference_rack_heat_w = 121.5e3; ///< that transient.volume_rack is about

template <class T>
double cell(const Traced<T>& t) {
  return t.figure.valid() && t.has_value() ? base_value(t.value) : unknown_number;
}
double area_of(double bore_m) { return std::numbers::pi / 4.0 * bore_m * bore_m; }

/// Rows of the catalog that are the same fluid at other temperatures: its name, and its id but for what follows the last '-'.
std::vector<const FluidPart*> family_of(const Catalog& catalog, const FluidPart& fluid) {
  const auto stem = [](const std::string& id) { return id.substr(0, id.rfind('-')); };
  std::vector<const FluidPart*> out;
  for (const FluidPart& p : catalog.fluids)
    if (p.name == fluid.name && stem(p.id) == stem(fluid.id) && p.density && p.temperature) out.push_back(&p);
  std::sort(out.begin(), out.end(), [](const FluidPart* a, const FluidPart* b) { return a->temperature->kelvin() < b->temperature->kelvin(); });
  return out;
}

/// Metres of pipe and hose from the nearest unit to the farthest rack (in a loop of facility water, distribution unit).
double longest_way_m(const DrawnLoop& loop) {
  const std::size_t nodes = loop.network.nodes.size();
  // Neighbours of each node, one after the other: from first[node] to first[node + 1].
  std::vector<std::size_t> first(nodes + 2, 0);
  const auto joins = [](const NetworkLink& l) { return (l.kind == LinkKind::pipe || l.kind == LinkKind::check_valve_pipe) && l.from >= 0 && l.to >= 0; };
  for (const NetworkLink& l : loop.network.links)
    if (joins(l)) ++first[static_cast<std::size_t>(l.from) + 2], ++first[static_cast<std::size_t>(l.to) + 2];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::pair<int, double>> beside(first.back());
  for (const NetworkLink& l : loop.network.links) {
    if (!joins(l)) continue;
    beside[first[static_cast<std::size_t>(l.from) + 1]++] = {l.to, l.length_m};
    beside[first[static_cast<std::size_t>(l.to) + 1]++] = {l.from, l.length_m};
  }
  std::vector<double> way(nodes, std::numeric_limits<double>::infinity());
  using At = std::pair<double, int>;
  std::priority_queue<At, std::vector<At>, std::greater<>> next;
  for (const LoopUnit& u : loop.units)
    if (u.supply >= 0) way[static_cast<std::size_t>(u.supply)] = 0.0, next.emplace(0.0, u.supply);
  while (!next.empty()) {
    const auto [so_far, node] = next.top();
    next.pop();
    if (so_far > way[static_cast<std::size_t>(node)]) continue;
    for (std::size_t k = first[static_cast<std::size_t>(node)]; k < first[static_cast<std::size_t>(node) + 1]; ++k)
      if (const auto& [to, length] = beside[k]; so_far + length < way[static_cast<std::size_t>(to)]) {
        way[static_cast<std::size_t>(to)] = so_far + length;
        next.emplace(so_far + length, to);
      }
  }
  double farthest = 0.0;
  for (const LoopRack& r : loop.racks)
    if (r.inlet >= 0 && std::isfinite(way[static_cast<std::size_t>(r.inlet)])) farthest = std::max(farthest, way[static_cast<std::size_t>(r.inlet)]);
  return farthest;
}

/// What is joined without a shut valve between: it can all run out of one leak.
struct LeakZone {
  std::string units;
  Count unit_count = 0, racks = 0;
  double pipes_m3 = 0.0, heat_w = 0.0;
};
std::vector<LeakZone> leak_zones(const DrawnLoop& loop) {
  std::vector<int> parent(loop.network.nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto part_of = [&](int i) {
    while (parent[static_cast<std::size_t>(i)] != i)
      i = parent[static_cast<std::size_t>(i)] = parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
    return i;
  };
  for (const NetworkLink& l : loop.network.links)
    if (l.from >= 0 && l.to >= 0 && l.status != LinkStatus::closed) parent[static_cast<std::size_t>(part_of(l.from))] = part_of(l.to);
  std::map<int, LeakZone> zones;
  for (const LoopUnit& u : loop.units) {
    if (u.supply < 0) continue;
    LeakZone& z = zones[part_of(u.supply)];
    if (++z.unit_count <= 3) z.units += (z.units.empty() ? "" : ", ") + u.name;
  }
  // The link to an expansion vessel stands for no pipe that is drawn.
  std::vector<char> no_pipe(loop.network.links.size(), 0);
  for (const LoopUnit& u : loop.units)
    if (u.anchor >= 0) no_pipe[static_cast<std::size_t>(u.anchor)] = 1;
  for (std::size_t i = 0; i < loop.network.links.size(); ++i) {
    const NetworkLink& l = loop.network.links[i];
    if (no_pipe[i] || (l.kind != LinkKind::pipe && l.kind != LinkKind::check_valve_pipe) || l.from < 0) continue;
    if (const auto at = zones.find(part_of(l.from)); at != zones.end()) at->second.pipes_m3 += area_of(l.diameter_m) * l.length_m;
  }
  for (const LoopRack& r : loop.racks) {
    if (r.inlet < 0) continue;
    if (const auto at = zones.find(part_of(r.inlet)); at != zones.end()) ++at->second.racks, at->second.heat_w += r.heat_w;
  }
  std::vector<LeakZone> out;
  for (auto& [part, z] : zones) {
    if (z.unit_count > 3) z.units += fmt::format(" and {} more", z.unit_count - 3);
    out.push_back(std::move(z));
  }
  return out;
}

class LoopVolumes {
public:
  LoopVolumes(Ledger& ledger, const LoopVolumeInputs& inputs) : ledger_(ledger), of_(inputs), catalog_(*inputs.in.catalog) {}

  void run(std::vector<Table>& tables) {
    start_tables();
    std::vector<Traced<Volume>> fills;
    for (const CareLoop& loop : of_.loops) {
      const LoopLook* look = look_of(loop);
      if (look && look->loop->solvable())
        fills.push_back(drawn(loop, *look));
      else if (loop.heat.figure.valid())
        fills.push_back(ledger_.absent<Volume>(loop.stem + "fill_volume", "Fill, " + loop.name, Completeness::unknown,
                                               "no pipes that join racks to a unit are drawn for " + loop.name));
    }
    if (fills.empty()) return;
    if (std::none_of(fills.begin(), fills.end(), [](const Traced<Volume>& f) { return f.has_value(); })) {
      ledger_.absent<Volume>("cooling.fill_volume", "Coolant in all loops", Completeness::unknown, *fills.front().reason);
      return;
    }
    ledger_.sum<Volume>("cooling.fill_volume", "Coolant in all loops", fills);
    for (Table* t : {&volumes_, &zones_, &hammer_})
      if (!t->row_figures.empty()) tables.push_back(std::move(*t));
  }

private:
  const LoopLook* look_of(const CareLoop& loop) const {
    if (!of_.looks || !loop.loop) return nullptr;
    for (const LoopLook& l : of_.looks->loops)
      if (l.loop && l.loop->loop == loop.loop->id) return &l;
    return nullptr;
  }

  void start_tables() {
    volumes_.id = "cooling.volumes";
    volumes_.title = "Volumes of coolant loops";
    volumes_.entity_table = "loops";
    volumes_.columns.reserve(9);
    volumes_.add_words("loop", "Loop");
    volumes_.add_numbers("pipes", "Pipes, hoses, connections", kind::volume, "L");
    volumes_.add_numbers("tanks", "Buffer tanks", kind::volume, "L");
    volumes_.add_numbers("racks", "Racks, estimate", kind::volume, "L");
    volumes_.add_numbers("fill", "Fill, at least", kind::volume, "L").formula = "pipes + tanks + racks; inside of units not known";
    volumes_.add_numbers("glycol", "Glycol in it, at least", kind::volume, "L");
    volumes_.add_numbers("expansion", "Expansion, at least", kind::volume, "L").formula = "fill * (density cold / density at the return - 1)";
    volumes_.add_numbers("return", "Return", kind::temperature, "degC");
    volumes_.add_numbers("drain_down", "Largest drain-down", kind::volume, "L").formula = "largest section of pipe between two joints";
    zones_.id = "cooling.leak_zones";
    zones_.title = "Leak zones";
    zones_.entity_table = "loops";
    zones_.columns.reserve(6);
    zones_.add_words("units", "Units of the zone");
    zones_.add_words("loop", "Loop");
    zones_.add_numbers("racks", "Racks or units fed", kind::count);
    zones_.add_numbers("pipes", "Pipes, hoses, connections", kind::volume, "L");
    zones_.add_numbers("racks_volume", "Racks, estimate", kind::volume, "L");
    zones_.add_numbers("volume", "Can leave it, at least", kind::volume, "L").formula = "all that is joined without a shut valve between, buffer tanks apart";
    hammer_.id = "cooling.water_hammer";
    hammer_.title = "Pressure of a valve that shuts";
    hammer_.entity_table = "loops";
    hammer_.columns.reserve(8);
    hammer_.add_words("loop", "Loop");
    hammer_.add_words("pipe", "Fastest pipe");
    hammer_.add_numbers("velocity", "Velocity there", kind::velocity, "m/s");
    hammer_.add_numbers("rise", "Rise where it stops at once", kind::pressure, "kPa").formula = "density * wave speed * velocity";
    hammer_.add_numbers("highest", "Highest working pressure", kind::pressure, "kPa");
    hammer_.add_numbers("room", "Left below the limit", kind::pressure, "kPa");
    hammer_.add_numbers("length", "Longest way from a unit", kind::length, "m");
    hammer_.add_numbers("closing_time", "Close in at least", kind::time, "s").formula = "larger of 2 L / a and 2 density L velocity / room";
  }

  /// Density of the fluid of a loop at a temperature; unknown where the catalog has it at one temperature only.
  Traced<Density> density_at(const CareLoop& loop, std::string_view id, std::string label, const Traced<Temperature>& temperature) {
    const std::string figure = fmt::format("{}{}", loop.stem, id);
    const std::vector<const FluidPart*> rows = loop.fluid ? family_of(catalog_, *loop.fluid) : std::vector<const FluidPart*>{};
    if (rows.size() < 2)
      return ledger_.absent<Density>(figure, std::move(label), Completeness::unknown,
                                     loop.fluid ? "the catalog has the density of " + loop.fluid->name + " at fewer than two temperatures"
                                                : "the catalog has no fluid of " + loop.name);
    std::size_t warmer = 1;
    if (temperature.has_value())
      while (warmer + 1 < rows.size() && rows[warmer]->temperature->kelvin() < temperature.value.kelvin()) ++warmer;
    const FluidPart &a = *rows[warmer - 1], &b = *rows[warmer];
    return ledger_.derive(figure, std::move(label), density_between, part_value<&FluidPart::density>(ledger_, catalog_, a),
                          part_value<&FluidPart::temperature>(ledger_, catalog_, a), part_value<&FluidPart::density>(ledger_, catalog_, b),
                          part_value<&FluidPart::temperature>(ledger_, catalog_, b), temperature);
  }

  Traced<Volume> drawn(const CareLoop& loop, const LoopLook& look) {
    const DrawnLoop& d = *look.loop;
    // Fill
    const auto pipes = ledger_.measured<Volume>(loop.stem + "pipe_volume", "Coolant in pipes, hoses and connections, " + loop.name,
                                                cubic_meters(d.supply_volume_m3 + d.return_volume_m3),
                                                "inner cross sections times lengths of what is drawn and joined; bores of hoses and connections by their flow", &kind::volume, true);
    const auto tanks = ledger_.sum<Volume>(loop.stem + "tank_volume", "Coolant in buffer tanks, " + loop.name,
                                           {design_value<&CoolantLoop::supply_tank>(ledger_, "loops", *loop.loop, loop.name),
                                            design_value<&CoolantLoop::return_tank>(ledger_, "loops", *loop.loop, loop.name)});
    std::vector<Traced<Volume>> parts{pipes, tanks};
    Traced<Volume> racks;
    if (!d.facility && loop.heat.figure.valid()) {
      racks = ledger_.derive(loop.stem + "rack_volume", "Coolant in manifolds and cold plates of racks, " + loop.name, rack_coolant_volume, loop.heat,
                             assumption<Volume>(ledger_, catalog_, "transient.volume_rack"),
                             ledger_.constant<Power>("cooling.reference_rack_heat", "Heat of the rack that the volume of one rack is about", watts(reference_rack_heat_w),
                                                     "catalog assumption transient.volume_rack"));
      parts.push_back(racks);
    }
    if (!d.units.empty())
      parts.push_back(ledger_.absent<Volume>(loop.stem + "unit_volume", "Coolant inside of units, " + loop.name, Completeness::unknown,
                                             d.facility ? "parts of units and exchangers state no volume of water inside" : "parts of distribution units state no volume of coolant inside"));
    const auto fill = ledger_.sum<Volume>(loop.stem + "fill_volume", "Fill, " + loop.name, parts);

    // Glycol and expansion
    Traced<double> share;
    const std::optional<double> stated = loop.fluid ? glycol_share_of(*loop.fluid) : std::nullopt;
    if (stated)
      share = ledger_.constant<double>("cooling.fluid." + loop.fluid->id + ".glycol_share", "Glycol by volume, " + loop.fluid->name, *stated,
                                       "name of the fluid part " + loop.fluid->id, &kind::percent);
    else
      share = ledger_.absent<double>(loop.stem + "glycol_share", "Glycol by volume, " + loop.name, Completeness::unknown,
                                     loop.fluid ? "the name of " + loop.fluid->name + " states no share such as PG25" : "the catalog has no fluid of " + loop.name, &kind::percent);
    const auto glycol = ledger_.derive(loop.stem + "glycol_volume", "Glycol in the fill, " + loop.name, glycol_volume, fill, share);
    Traced<Temperature> returned = loop.returned;
    if (!returned.figure.valid()) {
      double warmest = -std::numeric_limits<double>::infinity();
      if (look.steady && look.steady->temperatures_known)
        for (const RackFlow& r : look.steady->racks)
          if (r.flowing) warmest = std::max(warmest, r.return_c);
      if (std::isfinite(warmest) && warmest < 100.0)
        returned = ledger_.modelled<Temperature>(loop.stem + "warmest_return", "Warmest return, solved, " + loop.name,
                                                 {"pressures balanced, heat carried by the flow", "conservation of mass and energy"}, {}, Temperature::from_celsius(warmest));
      else
        returned = ledger_.absent<Temperature>(loop.stem + "warmest_return", "Warmest return, solved, " + loop.name, Completeness::unknown, "the loop has no steady temperature");
    }
    const auto cold = density_at(loop, "fill_density", "Density of the fill when it is put in, " + loop.name, assumption<Temperature>(ledger_, catalog_, "cooling.fill_temperature"));
    const auto warm = density_at(loop, "return_density", "Density of the coolant at the return, " + loop.name, returned);
    const auto expansion = ledger_.derive(loop.stem + "expansion_volume", "Expansion from fill to return temperature, " + loop.name, expansion_volume, fill, cold, warm);

    // Drain-down
    const LoopSection* largest = nullptr;
    double most = -1.0;
    for (const LoopSection& s : d.sections) {
      const double volume = area_of(s.diameter_m) * std::max(0.0, s.to_mm - s.from_mm) * 1e-3;
      if (volume > most) most = volume, largest = &s;
    }
    Traced<Volume> drain;
    if (largest)
      drain = ledger_.measured<Volume>(loop.stem + "drain_down_volume", "Largest drain-down of one section, " + loop.name, cubic_meters(most),
                                       largest->name + ": cross section times length between two joints, taken to have valves at both ends");
    auto c = volumes_.columns.begin();
    (c++)->words.push_back(loop.name);
    for (const double v : {cell(pipes), cell(tanks), cell(racks), cell(fill), cell(glycol), cell(expansion), cell(returned), cell(drain)})
      (c++)->numbers.push_back(v);
    volumes_.entities.push_back(d.loop);
    volumes_.row_figures.push_back(loop.stem + "fill_volume");

    zones(loop, d);
    hammer(loop, look);
    return fill;
  }

  void zones(const CareLoop& loop, const DrawnLoop& d) {
    const Assumption* each = catalog_.find<Assumption>("transient.volume_rack");
    const double litres = each && each->value && each->unit == "L" ? *each->value : unknown_number;
    for (const LeakZone& z : leak_zones(d)) {
      const double racks = d.facility ? 0.0 : z.heat_w * litres * 1e-3 / reference_rack_heat_w;
      auto c = zones_.columns.begin();
      (c++)->words.push_back(z.units);
      (c++)->words.push_back(loop.name);
      for (const double v : {static_cast<double>(z.racks), z.pipes_m3, racks, z.pipes_m3 + (std::isfinite(racks) ? racks : 0.0)})
        (c++)->numbers.push_back(v);
      zones_.entities.push_back(d.loop);
      zones_.row_figures.push_back(loop.stem + "fill_volume");
    }
  }

  void hammer(const CareLoop& loop, const LoopLook& look) {
    if (!look.steady || !loop.fluid) return;
    const DrawnLoop& d = *look.loop;
    std::size_t fastest = d.sections.size();
    double most = 0.0;
    for (std::size_t i = 0; i < d.sections.size() && i < look.steady->sections.size(); ++i)
      if (look.steady->sections[i].velocity_m_per_s > most) most = look.steady->sections[i].velocity_m_per_s, fastest = i;
    if (fastest == d.sections.size()) return;
    constexpr ModelNote balanced{"pressures of pipes, hoses, couplings, plates and pumps balanced at every joint", "Darcy-Weisbach, Colebrook-White; conservation of mass"};
    std::vector<ModelInput> from;
    if (loop.heat.figure.valid()) from.push_back(model_input("heat_to_liquid", loop.heat));
    const auto velocity = ledger_.modelled<Velocity>(loop.stem + "fastest_velocity", "Fastest pipe, " + loop.name + ": " + d.sections[fastest].name, balanced, from,
                                                     Velocity::from_value(most));
    const auto highest = ledger_.modelled<Pressure>(loop.stem + "highest_pressure", "Highest working pressure, gauge, " + loop.name, balanced, from,
                                                    pascals(look.steady->highest_pressure_pa));
    const auto density = part_value<&FluidPart::density>(ledger_, catalog_, *loop.fluid);
    const auto wave = assumption<Velocity>(ledger_, catalog_, "cooling.hammer_wave_speed");
    const auto limit = d.facility ? assumption<Pressure>(ledger_, catalog_, "cooling.facility_pressure_rating")
                                  : assumption<Pressure>(ledger_, catalog_, "cooling.rack_working_pressure_limit");
    const auto length = ledger_.measured<Length>(loop.stem + "longest_way", "Longest way along pipes from a unit, " + loop.name, meters(longest_way_m(d)),
                                                 "shortest way along pipes and hoses from the nearest unit to the farthest rack", &kind::length, true);
    const auto rise = ledger_.derive(loop.stem + "sudden_closure_rise", "Pressure rise where the fastest pipe stops at once, " + loop.name, sudden_closure_rise, density, wave, velocity);
    const auto room = ledger_.derive(loop.stem + "pressure_room", "Pressure left below the limit, " + loop.name, pressure_room, limit, highest);
    const auto time = ledger_.derive(loop.stem + "shortest_closing_time", "Shortest closing time of a valve, " + loop.name, shortest_closing_time, density, length, velocity, room, wave);
    auto c = hammer_.columns.begin();
    (c++)->words.push_back(loop.name);
    (c++)->words.push_back(d.sections[fastest].name);
    for (const double v : {cell(velocity), cell(rise), cell(highest), cell(room), cell(length), cell(time)})
      (c++)->numbers.push_back(v);
    hammer_.entities.push_back(d.loop);
    hammer_.row_figures.push_back(loop.stem + "shortest_closing_time");
  }

  Ledger& ledger_;
  const LoopVolumeInputs& of_;
  const Catalog& catalog_;
  Table volumes_, zones_, hammer_;
};

} // namespace

void loop_volume_figures(Ledger& ledger, const LoopVolumeInputs& inputs, std::vector<Table>& tables) { LoopVolumes(ledger, inputs).run(tables); }

} // namespace hallwright
