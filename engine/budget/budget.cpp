// SPDX-License-Identifier: GPL-3.0-or-later
#include "budget/budget.h"

#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "budget/cost_formulas.h"
#include "budget/formulas.h"
#include "ledger/sum_of_known.h"
#include "storage/checkpoint_formulas.h"
#include "storage/formulas.h"
#include "training/figure_values.h"

namespace hallwright {
namespace {

/// One line of the bill.
struct Line {
  std::string item;
  Traced<Count> quantity;
  Traced<Money> unit_price, cost;
  std::string figure; ///< id of `cost`
};

class Bill {
public:
  Bill(Ledger& ledger, const BudgetInputs& inputs, const PopulationResult& population)
      : ledger_(ledger), in_(inputs), catalog_(*inputs.catalog), population_(population) {}

  std::vector<Line> lines;

  /// Nodes by their price, integrated racks by that of the rack.
  Traced<Money> nodes() {
    std::vector<Traced<Money>> costs;
    std::map<std::string, std::vector<Traced<Count>>> by_part;
    bool any_integrated = false;
    for (const RackTypePopulation& type : population_.rack_types) {
      const RackPart* rack = integrated_rack(type.rack_type);
      if (!rack) continue;
      any_integrated = true;
      costs.push_back(add(fmt::format("budget.rack_type.{}.cost", type.rack_type), type.name, type.racks_figure, rack_price(*rack)));
    }
    if (any_integrated) {
      for (const RackTypePopulation& type : population_.rack_types) {
        if (integrated_rack(type.rack_type)) continue;
        for (const RackItem& item : *in_.rack_items) {
          if (item.rack_type != type.rack_type || item.kind != RackItemKind::node) continue;
          by_part[item.part].push_back(ledger_.derive(fmt::format("budget.item.{}.nodes", item.id), "Nodes of the item", items_in_racks,
                                                      type.racks_figure, design_value<&RackItem::count>(ledger_, "rack_items", item)));
        }
      }
      for (const auto& [part, counts] : by_part)
        costs.push_back(add(fmt::format("budget.node.{}.cost", part), node_name(part),
                            ledger_.sum<Count>(fmt::format("budget.node.{}.nodes", part), "Nodes bought one by one", counts),
                            node_price(part)));
    } else {
      for (const NodePopulation& n : population_.node_kinds)
        costs.push_back(add(fmt::format("budget.node.{}.cost", n.part), node_name(n.part), n.nodes, node_price(n.part)));
    }
    if (costs.empty())
      return ledger_.absent<Money>("budget.nodes", "Nodes", Completeness::not_applicable, "there are no nodes");
    return sum_of_known(ledger_, "budget.nodes", "Nodes", costs);
  }

  /// Cabinets that stand in the drawing and name a part.
  Traced<Money> cabinets() {
    std::vector<Traced<Money>> costs;
    for (const RackTypePopulation& type : population_.rack_types) {
      const RackType* t = find(*in_.rack_types, type.rack_type);
      if (!t || type.racks <= 0) continue;
      if (t->rack_part.empty()) {
        costs.push_back(add(fmt::format("budget.cabinet.{}.cost", type.rack_type), "Cabinets, " + type.name, type.racks_figure,
                            ledger_.absent<Money>(fmt::format("budget.cabinet.{}.price", type.rack_type), "Price of a cabinet",
                                                  Completeness::unknown, fmt::format("the rack type {} names no cabinet", type.name))));
        continue;
      }
      const RackPart* rack = catalog_.find<RackPart>(t->rack_part);
      if (rack && is_integrated(*rack)) continue; // priced with its nodes, or by its nodes
      costs.push_back(add(fmt::format("budget.cabinet.{}.cost", type.rack_type), "Cabinets, " + type.name, type.racks_figure,
                          rack ? rack_price(*rack)
                               : ledger_.absent<Money>(fmt::format("budget.cabinet.{}.price", type.rack_type), "Price of a cabinet",
                                                       Completeness::unknown,
                                                       fmt::format("the catalog has no rack part {}", t->rack_part))));
    }
    if (costs.empty())
      return ledger_.absent<Money>("budget.racks", "Cabinets", Completeness::not_applicable, "no cabinet of a known part is drawn");
    return sum_of_known(ledger_, "budget.racks", "Cabinets", costs);
  }

  /// Switches in drawn racks beyond those that the networks count, and so pay for; none: not applicable.
  Traced<Money> switches_beyond(const FabricResult& fabric, const CablingResult& cabling) {
    std::map<std::string, Count> drawn;
    for (const RackTypePopulation& type : population_.rack_types) {
      if (integrated_rack(type.rack_type) || !type.racks_figure.has_value()) continue;
      for (const RackItem& item : *in_.rack_items)
        if (item.rack_type == type.rack_type && item.kind == RackItemKind::network_switch) drawn[item.part] += item.count * type.racks;
    }
    for (const NetworkResult& r : fabric.networks) {
      const NetworkCabling* c = cabling.find(r.network);
      if (!c || !r.switches.has_value()) continue;
      const Network& n = c->plan_inputs.network;
      const std::string& spine = n.spine_switch_part.empty() ? n.switch_part : n.spine_switch_part;
      const std::string& core = n.core_switch_part.empty() ? spine : n.core_switch_part;
      for (const auto& [part, count] : {std::pair(&n.switch_part, &r.leafs), std::pair(&spine, &r.spines), std::pair(&core, &r.cores)})
        if (count->has_value()) drawn[*part] -= count->value;
    }
    std::vector<Traced<Money>> costs;
    for (const auto& [id, count] : drawn) {
      if (count <= 0) continue;
      const SwitchPart* part = catalog_.find<SwitchPart>(id);
      const std::string stem = fmt::format("budget.switch.{}", id.empty() ? "no_part" : id), name = part ? part->name : id;
      const auto more = ledger_.counted(stem + ".beyond", "Switches drawn beyond those of the networks, " + name, count,
                                        "switches in drawn racks less those that the networks need");
      costs.push_back(add(stem + ".cost", "Switches beyond the networks, " + name, more,
                          part ? part_value<&SwitchPart::price>(ledger_, catalog_, *part)
                               : ledger_.absent<Money>(stem + ".price", "Price of a switch", Completeness::unknown,
                                                       id.empty() ? std::string("no switch part is chosen")
                                                                  : fmt::format("the catalog has no switch {}", id))));
    }
    if (costs.empty())
      return ledger_.absent<Money>("budget.switches_beyond", "Switches beyond the networks", Completeness::not_applicable,
                                   "no rack holds more switches than the networks need");
    return sum_of_known(ledger_, "budget.switches_beyond", "Switches beyond the networks", costs);
  }

  struct Storage {
    Traced<Money> capital, rent;
  };
  /// Systems that are bought, and the rent of those with a price per gigabyte and month.
  Storage storage(const TrainingResult& training) {
    std::map<Id, Traced<Count>> racks;
    for (const RackTypePopulation& type : population_.rack_types) racks[type.rack_type] = type.racks_figure;
    std::map<std::string, std::vector<Traced<Count>>> systems;
    for (const RackItem& item : *in_.rack_items) {
      const auto type = racks.find(item.rack_type);
      if (item.kind != RackItemKind::storage || type == racks.end()) continue;
      systems[item.part].push_back(ledger_.derive(fmt::format("budget.item.{}.systems", item.id), "Storage systems of the item",
                                                  items_in_racks, type->second,
                                                  design_value<&RackItem::count>(ledger_, "rack_items", item)));
    }
    const StoragePlan& plan = *in_.storage;
    if (systems.empty() && !plan.system_part.empty() && plan.systems > 0)
      systems[plan.system_part].push_back(design_value<&StoragePlan::systems>(ledger_, "storage", plan));

    std::vector<Traced<Money>> bought, rented;
    for (const auto& [id, counts] : systems) {
      const StoragePart* part = catalog_.find<StoragePart>(id);
      const auto quantity = ledger_.sum<Count>(fmt::format("budget.storage.{}.systems", id), "Storage systems", counts);
      if (part && part->price && part->price_unit.find("month") != std::string::npos) {
        rented.push_back(rent_of(*part, training));
        continue;
      }
      bought.push_back(add(fmt::format("budget.storage.{}.cost", id), part ? part->name : id.empty() ? std::string("Storage without a part") : id, quantity,
                           part ? part_value<&StoragePart::price>(ledger_, catalog_, *part)
                                : ledger_.absent<Money>(fmt::format("budget.storage.{}.price", id), "Price", Completeness::unknown,
                                                        fmt::format("the catalog has no storage part {}", id))));
    }
    Storage out;
    if (systems.empty())
      out.capital = ledger_.absent<Money>("budget.storage", "Storage", Completeness::not_applicable, "no storage is described");
    else if (bought.empty())
      out.capital = ledger_.absent<Money>("budget.storage", "Storage", Completeness::not_applicable, "all storage is rented");
    else
      out.capital = sum_of_known(ledger_, "budget.storage", "Storage", bought);
    if (!rented.empty()) out.rent = sum_of_known(ledger_, "budget.annual_storage_rent", "Storage rent in a year", rented);
    return out;
  }

private:
  static bool is_integrated(const RackPart& rack) { return rack.compute_trays.value_or(0) > 0; }

  /// The part of an integrated rack that is priced as a whole; null where nodes are priced.
  const RackPart* integrated_rack(Id rack_type) const {
    if (in_.plan->node_price) return nullptr;
    const RackType* t = find(*in_.rack_types, rack_type);
    const RackPart* rack = t ? catalog_.find<RackPart>(t->rack_part) : nullptr;
    return rack && is_integrated(*rack) ? rack : nullptr;
  }

  std::string node_name(const std::string& part) const {
    const NodePart* p = catalog_.find<NodePart>(part);
    if (p) return p->name;
    return part.empty() ? "Nodes without a part" : part;
  }

  Traced<Money> node_price(const std::string& part) {
    if (in_.plan->node_price) return design_value<&BudgetPlan::node_price>(ledger_, "budget", *in_.plan);
    const NodePart* node = catalog_.find<NodePart>(part);
    if (!node)
      return ledger_.absent<Money>(fmt::format("budget.node.{}.price", part), "Price of a node", Completeness::unknown,
                                   fmt::format("the catalog has no node {}", part));
    const bool h100 = node->accelerator.rfind("h100-sxm", 0) == 0 && node->accelerators.value_or(0) == 8;
    if (!node->price && h100)
      return ledger_.assumed(ledger_.as<Money>(fmt::format("budget.node.{}.price", part), "Price of a node",
                                               assumption<Money>(ledger_, catalog_, "price.h100_server")),
                             "the catalog has no price of this node: the price of an 8-GPU H100 server stands in");
    return part_value<&NodePart::price>(ledger_, catalog_, *node);
  }

  /// Price of a rack part: one figure, however many rack types use the part.
  Traced<Money> rack_price(const RackPart& rack) {
    const auto known = rack_prices_.find(rack.id);
    if (known != rack_prices_.end()) return known->second;
    return rack_prices_.emplace(rack.id, new_rack_price(rack)).first->second;
  }

  Traced<Money> new_rack_price(const RackPart& rack) {
    if (!rack.price_low && !rack.price_high && rack.kind == "NVL72")
      return ledger_.assumed(ledger_.as<Money>(fmt::format("budget.rack.{}.price", rack.id), "Price of a rack",
                                               assumption<Money>(ledger_, catalog_, "price.nvl72_rack")),
                             "the catalog has no price of this rack: the price of a GB200 NVL72 stands in");
    const auto low = part_value<&RackPart::price_low>(ledger_, catalog_, rack);
    if (!rack.price_high || rack.price_low == rack.price_high) return low;
    return ledger_.derive(fmt::format("budget.rack.{}.price", rack.id), "Price of a rack", middle_of_price_band, low,
                          part_value<&RackPart::price_high>(ledger_, catalog_, rack));
  }

  Traced<Money> rent_of(const StoragePart& part, const TrainingResult& training) {
    const StoragePlan& plan = *in_.storage;
    const auto checkpoint =
        ledger_.derive(fmt::format("budget.storage.{}.checkpoint", part.id), "Bytes of a checkpoint", checkpoint_bytes, retyped<Count>(training.parameters),
                       retyped<Bytes>(design_value<&StoragePlan::bytes_per_parameter>(ledger_, "storage", plan)));
    const auto kept = ledger_.derive(fmt::format("budget.storage.{}.kept_checkpoints", part.id), "Checkpoints kept", kept_checkpoint_bytes, checkpoint,
                                     design_value<&StoragePlan::checkpoints_kept>(ledger_, "storage", plan));
    const auto content = ledger_.sum<Bytes>(fmt::format("budget.storage.{}.content", part.id), "Dataset and checkpoints kept",
                                            {design_value<&StoragePlan::dataset>(ledger_, "storage", plan), kept});
    return ledger_.derive(fmt::format("budget.storage.{}.rent", part.id), part.name + ": rent in a year", annual_storage_rent, content,
                          part_value<&StoragePart::price>(ledger_, catalog_, part));
  }

  Traced<Money> add(std::string id, std::string item, const Traced<Count>& quantity, const Traced<Money>& price) {
    const auto cost = ledger_.derive(id, item, line_cost, quantity, price);
    lines.push_back({std::move(item), quantity, price, cost, std::move(id)});
    return cost;
  }

  Ledger& ledger_;
  const BudgetInputs& in_;
  const Catalog& catalog_;
  const PopulationResult& population_;
  std::map<std::string, Traced<Money>> rack_prices_; ///< by part id
};

double number_of(const auto& traced) {
  return traced.has_value() ? base_value(traced.value) : std::numeric_limits<double>::quiet_NaN();
}

Table lines_table(const std::vector<Line>& lines) {
  Table t;
  t.id = "budget.lines";
  t.title = "Bill of materials";
  t.columns.reserve(4);
  auto& item = t.add_words("item", "Item").words;
  auto& quantity = t.add_numbers("quantity", "Quantity", kind::count).numbers;
  auto& price = t.add_numbers("unit_price", "Unit price", kind::money).numbers;
  auto& cost = t.add_numbers("cost", "Cost", kind::money).numbers;
  for (const Line& l : lines) {
    item.push_back(l.item);
    quantity.push_back(number_of(l.quantity));
    price.push_back(number_of(l.unit_price));
    cost.push_back(number_of(l.cost));
    t.row_figures.push_back(l.figure);
  }
  return t;
}

/// Year 0 holds the capital; years of service hold what runs.
Table years_table(Count years, double capital, double energy, double maintenance, double staff, double rent) {
  Table t;
  t.id = "budget.years";
  t.title = "Cost by year, not discounted";
  t.columns.reserve(8);
  auto& year = t.add_numbers("year", "Year", kind::count).numbers;
  auto& capitals = t.add_numbers("capital", "Capital", kind::money).numbers;
  auto& energies = t.add_numbers("energy", "Energy", kind::money).numbers;
  auto& maintenances = t.add_numbers("maintenance", "Maintenance", kind::money).numbers;
  auto& staffs = t.add_numbers("staff", "Staff", kind::money).numbers;
  auto& rents = t.add_numbers("storage_rent", "Storage rent", kind::money).numbers;
  auto& totals = t.add_numbers("total", "Total", kind::money).numbers;
  auto& sums = t.add_numbers("cumulative", "Cumulative", kind::money).numbers;
  double cumulative = 0.0;
  constexpr Count most_years = 100;
  for (Count y = 0; y <= std::min(years, most_years); ++y) {
    const bool first = y == 0;
    const double row[] = {first ? capital : 0.0, first ? 0.0 : energy, first ? 0.0 : maintenance, first ? 0.0 : staff, first ? 0.0 : rent};
    double total = 0.0;
    for (double x : row)
      if (!std::isnan(x)) total += x; // an unknown part leaves an empty cell and a total of the known ones
    cumulative += total;
    year.push_back(static_cast<double>(y));
    capitals.push_back(row[0]);
    energies.push_back(row[1]);
    maintenances.push_back(row[2]);
    staffs.push_back(row[3]);
    rents.push_back(row[4]);
    totals.push_back(total);
    sums.push_back(cumulative);
  }
  return t;
}

} // namespace

BudgetResult budget(const BudgetInputs& inputs, const PopulationResult& population, const FabricResult& fabric, const LoadResult& load,
                    const PowerResult& power, const TrainingResult& training, const ReliabilityResult& reliability,
                    const CablingResult* cabling) {
  BudgetResult out;
  Ledger ledger(Page::budget);
  const BudgetPlan& plan = *inputs.plan;
  const Catalog& catalog = *inputs.catalog;

  // Capital.
  Bill bill(ledger, inputs, population);
  out.nodes = bill.nodes();
  const auto cabinets = bill.cabinets();
  Traced<Money> fabric_parts = cabling ? cabling->parts_cost : fabric.parts_cost;
  // Nodes that nothing joins: what joins them is not free, it is not described.
  if (fabric_parts.completeness == Completeness::not_applicable && population.nodes.has_value() && population.nodes.value > 1)
    fabric_parts = ledger.absent<Money>("budget.fabric_parts", "Parts of the networks", Completeness::unknown,
                                        fmt::format("no network joins the {} nodes: its switches, modules and cables are not counted",
                                                    population.nodes.value));
  const bool own_line = fabric_parts.completeness != Completeness::not_applicable;
  if (cabling) {
    const auto beyond = bill.switches_beyond(fabric, *cabling);
    const bool more = beyond.completeness != Completeness::not_applicable;
    out.fabric = more && own_line ? sum_of_known(ledger, "budget.fabric", "Fabric", std::vector{fabric_parts, beyond})
                                  : ledger.as<Money>("budget.fabric", "Fabric", more ? beyond : fabric_parts);
  } else {
    out.fabric = ledger.as<Money>("budget.fabric", "Fabric", fabric_parts);
  }
  bill.lines.push_back({"Switches, modules and cables of the networks", {}, {}, fabric_parts, "budget.fabric"});
  const auto storage = bill.storage(training);
  out.storage = storage.capital;
  const auto facility_price = plan.facility_price
                                  ? design_value<&BudgetPlan::facility_price>(ledger, "budget", plan)
                                  : assumption<MoneyPerPower>(ledger, catalog, "price.construction");
  out.facility = ledger.derive("budget.facility", "Building and plant", facility_cost, load.it, facility_price);
  bill.lines.push_back({"Building and plant, per watt of IT", {}, {}, out.facility, "budget.facility"});
  const auto it_capital = sum_of_known(ledger, "budget.it_capital", "IT capital", std::vector{out.nodes, cabinets, out.fabric, out.storage});
  out.capital = sum_of_known(ledger, "budget.capital", "Capital", std::vector{out.nodes, cabinets, out.fabric, out.storage, out.facility});

  // What runs.
  // Where the climate is known energy is that of its year; else the design point stands for all hours.
  const bool by_year = power.mean_facility.has_value();
  const Traced<Power>& running_power = by_year ? power.mean_facility : power.facility;
  out.annual_energy = ledger.derive("budget.annual_energy", by_year ? "Energy in a year, by the typical year of the site" : "Energy in a year, by the design point",
                                    annual_energy, running_power, design_value<&BudgetPlan::mean_load_share>(ledger, "budget", plan));
  if (training.gpus_used.has_value() && reliability.wall_time.figure.valid())
    ledger.derive("budget.run_energy", by_year ? "Energy of the run, by the typical year of the site" : "Energy of the run, by the design point", run_energy, running_power,
                  design_value<&BudgetPlan::mean_load_share>(ledger, "budget", plan), reliability.wall_time, training.gpus_used,
                  population.accelerators);
  out.annual_energy_cost = ledger.derive("budget.annual_energy_cost", "Energy cost in a year", energy_cost, out.annual_energy,
                                         design_value<&Site::electricity_price>(ledger, "site", *inputs.site));
  const auto maintenance = ledger.derive("budget.annual_maintenance", "Maintenance in a year", annual_share_of_capital, it_capital,
                                         design_value<&BudgetPlan::annual_maintenance_share>(ledger, "budget", plan));
  const auto staff = ledger.derive("budget.annual_staff", "Staff in a year", annual_share_of_capital, it_capital,
                                   design_value<&BudgetPlan::annual_staff_cost_share>(ledger, "budget", plan));
  std::vector<Traced<Money>> running{out.annual_energy_cost, maintenance, staff};
  const bool rented = storage.rent.figure.valid();
  if (rented) running.push_back(storage.rent);
  out.annual_operating = sum_of_known(ledger, "budget.annual_operating", "Running cost in a year", running);
  const auto years_of_service = design_value<&BudgetPlan::years_of_service>(ledger, "budget", plan);
  out.total = ledger.derive("budget.total", "Cost over the years of service, not discounted", cost_over_years, out.capital,
                            out.annual_operating, years_of_service);

  // Cost of useful time. IT is paid back over the years of service, the facility over its own life.
  const auto rate = design_value<&BudgetPlan::discount_rate>(ledger, "budget", plan);
  const auto it_recovery = ledger.derive("budget.it_recovery_factor", "Capital recovery factor, IT", capital_recovery_factor, rate,
                                         retyped<double>(years_of_service));
  const auto facility_years = ledger.derive("budget.facility_years", "Life of the facility in years", duration_in_years,
                                            design_value<&BudgetPlan::facility_life>(ledger, "budget", plan));
  const auto facility_recovery =
      ledger.derive("budget.facility_recovery_factor", "Capital recovery factor, facility", capital_recovery_factor, rate, facility_years);
  const auto it_year = ledger.derive("budget.it_capital_in_a_year", "IT capital in a year", annual_capital_cost, it_capital, it_recovery);
  const auto facility_year =
      ledger.derive("budget.facility_in_a_year", "Facility in a year", annual_capital_cost, out.facility, facility_recovery);
  const auto year = sum_of_known(ledger, "budget.annual_cost", "Cost in a year", std::vector{it_year, facility_year, out.annual_operating});
  // Only the money can be a lower bound here, and all three rise with it: "at least" stays "at least".
  auto hour_price = cost_per_useful_gpu_hour;
  auto run_price = cost_of_run;
  auto token_price = cost_of_a_million_tokens;
  hour_price.monotone = Monotone::increasing;
  run_price.monotone = Monotone::increasing;
  token_price.monotone = Monotone::increasing;
  out.cost_per_gpu_hour = ledger.derive("budget.cost_per_gpu_hour", "Cost of a useful GPU-hour", hour_price, year,
                                        population.accelerators, design_value<&BudgetPlan::availability>(ledger, "budget", plan),
                                        reliability.goodput);
  out.run_cost = ledger.derive("budget.run_cost", "Cost of the run", run_price, out.cost_per_gpu_hour, training.gpus_used,
                               training.compute_time);
  if (power.drawn.gpus_dark.figure.valid() && power.drawn.job_share_dark.figure.valid())
    ledger.derive("budget.hour_of_worst_failure", "Cost of an hour with the worst single failure of power", cost_of_dark_hour,
                  out.cost_per_gpu_hour, power.drawn.gpus_dark, power.drawn.job_share_dark, training.gpus_used);
  const bool has_model = training.parameters.has_value();
  const auto tokens = has_model ? ledger.as<double>("budget.tokens", "Tokens of the run", training.tokens, &kind::count)
                                : ledger.absent<double>("budget.tokens", "Tokens of the run", Completeness::not_applicable,
                                                        "there is no model", &kind::count);
  out.cost_per_million_tokens = ledger.derive("budget.cost_per_million_tokens", "Cost of a million tokens", token_price,
                                              out.run_cost, tokens);

  std::vector<Table> tables;
  tables.push_back(lines_table(bill.lines));
  tables.push_back(years_table(plan.years_of_service, number_of(out.capital), number_of(out.annual_energy_cost), number_of(maintenance),
                               number_of(staff), rented ? number_of(storage.rent) : 0.0));
  out.page = ledger.finish_page();
  out.tables = std::make_shared<const std::vector<Table>>(std::move(tables));
  return out;
}

} // namespace hallwright
