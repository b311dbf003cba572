// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "load/load.h"
#include "power/power.h"
#include "reliability/reliability.h"

/// Capital, energy and total cost; cost per GPU-hour and per token.
namespace hallwright {

struct BudgetInputs {
  Shared<BudgetPlan> plan;
  Shared<Site> site;
  Shared<StoragePlan> storage;
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<std::vector<PowerUnit>> power_units;
  Shared<std::vector<CoolingUnit>> cooling_units;
  Shared<Catalog> catalog;
  friend bool operator==(const BudgetInputs&, const BudgetInputs&) = default;
};

struct BudgetResult : StageResult {
  Traced<Money> nodes, fabric, storage, facility; ///< budget.nodes ... capital by kind
  Traced<Money> capital;          ///< budget.capital
  Traced<Energy> annual_energy;   ///< budget.annual_energy
  Traced<Money> annual_energy_cost;
  Traced<Money> annual_operating; ///< budget.annual_operating: energy, maintenance, staff
  Traced<Money> total;            ///< budget.total over the years of service
  Traced<MoneyPerTime> cost_per_gpu_hour; ///< budget.cost_per_gpu_hour, useful hours (availability x goodput)
  Traced<Money> run_cost;         ///< budget.run_cost of the job
  Traced<Money> cost_per_million_tokens; ///< budget.cost_per_million_tokens
};

/// @param cabling  cost of the fabric's parts with cables as long as they are; null: the counts of `fabric` stand in
BudgetResult budget(const BudgetInputs& inputs, const PopulationResult& population, const FabricResult& fabric, const LoadResult& load,
                    const PowerResult& power, const TrainingResult& training, const ReliabilityResult& reliability,
                    const CablingResult* cabling = nullptr);
std::vector<Rule> budget_rules();

} // namespace hallwright
