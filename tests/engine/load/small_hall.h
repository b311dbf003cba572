// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "load/load.h"

/// A hall that tests of load, cooling and power put together by hand, with a catalog of a few parts whose figures are
/// written here (not read from `catalogs/`).
namespace hallwright::test {

/// A catalog part with its identity.
template <class P>
P part(const std::string& id) {
  P p;
  p.id = id;
  p.name = id;
  p.source = "written for the test";
  p.as_of = "2026";
  return p;
}
inline Assumption default_value(const std::string& id, double value, const std::string& unit = "1") {
  Assumption a = part<Assumption>(id);
  a.value = value;
  a.unit = unit;
  return a;
}
template <class P>
void keep(PartList<P>& list, P p) {
  list.push_back(std::move(p));
  std::sort(list.begin(), list.end(), [](const P& a, const P& b) { return a.id < b.id; });
}

/// Parts: DGX H100 at its published 10.2 kW, a node with 90 % to liquid, a rack of 120 kW, water as in a textbook.
inline Catalog small_catalog() {
  Catalog c;
  NodePart dgx = part<NodePart>("dgx-h100");
  dgx.accelerator = "h100";
  dgx.accelerators = 8;
  dgx.cooling = "air";
  dgx.power_maximum = kilowatts(10.2);
  dgx.power_measured = kilowatts(8.4);
  keep(c.nodes, dgx);
  NodePart liquid = part<NodePart>("liquid-node");
  liquid.accelerator = "h100";
  liquid.accelerators = 8;
  liquid.cooling = "liquid";
  liquid.power_maximum = kilowatts(10);
  liquid.liquid_heat_share = 0.9;
  liquid.coolant_supply_maximum = Temperature::from_celsius(45);
  keep(c.nodes, liquid);
  NodePart dark = part<NodePart>("unrated-node");
  dark.accelerators = 8;
  dark.cooling = "air";
  keep(c.nodes, dark);
  NodePart tray = part<NodePart>("tray");
  tray.accelerators = 4;
  tray.power_maximum = kilowatts(99); // must not count inside an integrated rack
  keep(c.nodes, tray);

  RackPart cabinet = part<RackPart>("cabinet");
  cabinet.kind = "cabinet";
  keep(c.racks, cabinet);
  RackPart integrated = part<RackPart>("nvl72");
  integrated.kind = "NVL72";
  integrated.cooling = "liquid+air";
  integrated.power_nominal = kilowatts(120);
  integrated.power_high = kilowatts(132);
  integrated.liquid_share = 0.85;
  keep(c.racks, integrated);

  SwitchPart sw = part<SwitchPart>("leaf");
  sw.power_maximum = watts(1720);
  sw.power_typical = watts(747);
  keep(c.switches, sw);
  StoragePart store = part<StoragePart>("store");
  store.power = kilowatts(6.4);
  keep(c.storage, store);

  FluidPart water = part<FluidPart>("water");
  water.density = kilograms_per_cubic_meter(998);
  water.specific_heat = joules_per_kilogram_kelvin(4182);
  keep(c.fluids, water);
  CoolingPart cdu = part<CoolingPart>("cdu-1300");
  cdu.kind = "cdu in-row";
  cdu.capacity = kilowatts(1300);
  cdu.secondary_flow = liters_per_minute(3000);
  cdu.power_draw = kilowatts(20);
  cdu.price = dollars(150000);
  keep(c.cooling, cdu);
  CoolingPart crah = part<CoolingPart>("crah-200");
  crah.kind = "crah";
  crah.capacity = kilowatts(200);
  keep(c.cooling, crah);
  PowerPart ups = part<PowerPart>("ups-1000");
  ups.kind = "ups";
  ups.rating = kilowatts(1000);
  keep(c.power, ups);

  keep(c.assumptions, default_value("efficiency.transformer", 0.99));
  keep(c.assumptions, default_value("efficiency.ups", 0.97));
  keep(c.assumptions, default_value("efficiency.distribution", 0.99));
  keep(c.assumptions, default_value("power.power_factor", 1.0));
  keep(c.assumptions, default_value("power.gpu_idle_to_maximum", 0.1));
  keep(c.assumptions, default_value("cooling.cdu_power_fraction", 0.015));
  keep(c.assumptions, default_value("cooling.dry_cooler_fan_fraction", 0.04));
  keep(c.assumptions, default_value("cooling.dry_cooler_approach", 6, "K"));
  keep(c.assumptions, default_value("cooling.cdu_approach", 4, "K"));
  keep(c.assumptions, default_value("cooling.liquid_share_nvl72", 0.9));
  keep(c.assumptions, default_value("air.crah_power_per_kw", 0.05));
  keep(c.assumptions, default_value("lead.cdu", 28, "wk"));
  return c;
}

/// Amounts of a described network, as the fabric stage hands them on. Nothing set: no network is described.
struct NetworkAmounts {
  std::optional<Count> switches;
  Power switch_power{}, optics_power{}, node_side_optics_power{};
};

/// One wired network of switches of part "leaf": what its plan says of racks, and what has no place in any.
struct WiredAmounts {
  Count leafs = 0, spines = 0, undrawn_leafs = 0, undrawn_spines = 0;
  std::vector<RackCableLoad> racks; ///< by rack id; 0: not drawn
};

/// The design under test, edited in place, and the stages run on it in order.
class SmallHall {
public:
  SmallHall() {
    goal.network_power_share = 0.0;
    goal.storage_power_share = 0.0;
    cooling_plant.fluid_part = "water";
    cooling_plant.cdu_part = "cdu-1300";
    site.utility_power = megawatts(20);
  }
  Id fresh() { return next_++; }
  RackType& rack_type(const std::string& name, const std::string& rack_part = "cabinet") {
    RackType t;
    t.id = fresh();
    t.name = name;
    t.rack_part = rack_part;
    rack_types.push_back(t);
    return rack_types.back();
  }
  void item(Id rack_type_id, RackItemKind kind, const std::string& part_id, Count count) {
    RackItem i;
    i.id = fresh();
    i.rack_type = rack_type_id;
    i.kind = kind;
    i.part = part_id;
    i.count = count;
    rack_items.push_back(i);
  }
  void add_racks(Id rack_type_id, Count count, Id feed_a = 0, Id feed_b = 0, Id loop = 0) {
    for (Count k = 0; k < count; ++k) {
      Rack r;
      r.id = fresh();
      r.name = "R" + std::to_string(r.id);
      r.rack_type = rack_type_id;
      r.feed_a = feed_a;
      r.feed_b = feed_b;
      r.loop = loop;
      racks.push_back(r);
    }
  }
  Id power_unit(const std::string& name, PowerUnitKind kind, std::optional<Power> rating, Id upstream = 0, Feed feed = Feed::both) {
    PowerUnit u;
    u.id = fresh();
    u.name = name;
    u.kind = kind;
    u.rating = rating;
    u.upstream = upstream;
    u.feed = feed;
    power_units.push_back(u);
    return u.id;
  }
  Id cooling_unit(const std::string& name, CoolingUnitKind kind, const std::string& part_id, Id loop = 0) {
    CoolingUnit u;
    u.id = fresh();
    u.name = name;
    u.kind = kind;
    u.part = part_id;
    u.loop = loop;
    cooling_units.push_back(u);
    return u.id;
  }
  Id loop(const std::string& name) {
    CoolantLoop l;
    l.id = fresh();
    l.name = name;
    loops.push_back(l);
    return l.id;
  }

  /// Runs population and load; the fabric's amounts are `network`.
  void run() {
    design = Design{};
    design.project = share(project);
    design.site = share(site);
    design.goal = share(goal);
    design.power_plant = share(power_plant);
    design.cooling_plant = share(cooling_plant);
    design.storage = share(storage);
    design.rack_types = share(rack_types);
    design.rack_items = share(rack_items);
    design.rows = share(rows);
    design.racks = share(racks);
    design.power_units = share(power_units);
    design.loops = share(loops);
    design.cooling_units = share(cooling_units);
    design.next_id = next_;
    shared_catalog = share(catalog);
    const Shared<Catalog>& c = shared_catalog;
    people = population({design.site, design.goal, design.rack_types, design.rack_items, design.racks, design.project, c});
    FabricResult fabric;
    Ledger ledger(Page::fabric);
    if (network.switches) {
      auto power = [&](const char* id, Power p) { return ledger.measured<Power>(id, id, p, "written for the test"); };
      fabric.switches = ledger.counted("fabric.switches", "Switches", *network.switches, "written for the test");
      fabric.switch_power = power("fabric.switch_power", network.switch_power);
      fabric.optics_power = power("fabric.optics_power", network.optics_power);
      fabric.node_side_optics_power = power("fabric.node_side_optics_power", network.node_side_optics_power);
    } else {
      fabric.assumed = true;
    }
    CablingResult cabling;
    if (wired) {
      NetworkResult n;
      n.network = wired_network;
      n.name = "Wired";
      auto counted = [&](const char* id, Count count) { return ledger.counted(id, id, count, "written for the test"); };
      n.leafs = counted("fabric.leafs", wired->leafs);
      n.spines = counted("fabric.spines", wired->spines);
      n.switches = counted("fabric.network.switches", wired->leafs + wired->spines);
      fabric.networks.push_back(n);
      NetworkCabling c_of;
      c_of.network = wired_network;
      c_of.plan_inputs.network.switch_part = "leaf";
      auto places = std::make_shared<DevicePlaces>();
      places->undrawn[static_cast<std::size_t>(DeviceKind::leaf)] = wired->undrawn_leafs;
      places->undrawn[static_cast<std::size_t>(DeviceKind::spine)] = wired->undrawn_spines;
      c_of.places = places;
      auto plan = std::make_shared<CablePlan>();
      plan->racks = wired->racks;
      c_of.plan = plan;
      cabling.networks.push_back(std::move(c_of));
      double all = 0, node_side = 0;
      for (const RackCableLoad& r : wired->racks) all += r.total_w(), node_side += r.node_module_w;
      cabling.optics_power = ledger.measured<Power>("cabling.optics_power", "Optics", watts(all), "written for the test");
      cabling.node_side_optics_power =
          ledger.measured<Power>("cabling.node_side_optics_power", "Optics in nodes", watts(node_side), "written for the test");
    }
    fabric.page = ledger.finish_page();
    fabric.tables = std::make_shared<const std::vector<Table>>();
    loads = load({design.project, design.goal, design.rack_types, design.rack_items, design.racks, design.storage, c, gpu_power_cap, design.rows}, people, fabric,
                 wired ? &cabling : nullptr);
    figures = Figures{};
    figures.add(people);
    figures.add(fabric);
    figures.add(loads);
  }
  [[nodiscard]] const Figure& figure(const std::string& id) const {
    const Figure* f = figures.find(id);
    if (!f) throw std::runtime_error("no figure " + id);
    return *f;
  }
  /// Findings of these rules with this code.
  [[nodiscard]] std::vector<Finding> findings(const std::string& code, const std::vector<Rule>& rules = load_rules()) const {
    std::vector<Finding> out;
    for (Finding& f : run_rules({design, *shared_catalog, figures}, rules))
      if (f.code == code) out.push_back(std::move(f));
    return out;
  }

  Project project;
  Site site;
  Goal goal;
  PowerPlant power_plant;
  CoolingPlant cooling_plant;
  StoragePlan storage;
  std::vector<RackType> rack_types;
  std::vector<RackItem> rack_items;
  std::vector<Row> rows;
  std::vector<Rack> racks;
  std::vector<PowerUnit> power_units;
  std::vector<CoolantLoop> loops;
  std::vector<CoolingUnit> cooling_units;
  Catalog catalog = small_catalog();
  std::optional<Power> gpu_power_cap;
  NetworkAmounts network;
  std::optional<WiredAmounts> wired; ///< with `network`
  static constexpr Id wired_network = 900;

  Design design;
  Shared<Catalog> shared_catalog;
  PopulationResult people;
  LoadResult loads;
  Figures figures;

private:
  Id next_ = 1;
};

/// Every leaf under a figure is a design field, a catalog field with a source or a stated constant; no input is missing.
inline std::string broken_derivation(const Figures& figures, const Figure& figure) {
  for (const Derivation& d : derivation(figures, figure)) {
    if (!d.figure) return figure.id + " has an input that does not exist";
    for (const FigureRef input : d.figure->inputs)
      if (!figures.at(input)) return d.figure->id + " names an input that does not exist";
    if (d.figure->is_leaf() && d.figure->source.empty()) return d.figure->id + " has no source";
    if (!d.figure->is_leaf() && d.figure->origin == Origin::derived && d.figure->inputs.empty()) return d.figure->id + " rests on nothing";
  }
  return {};
}

} // namespace hallwright::test
