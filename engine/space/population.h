// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "catalog/traced_part.h"
#include "design/design.h"
#include "ledger/figures.h"
#include "ledger/formula.h"

/// What stands in the drawing, or, before anything is drawn, what the goal asks for: racks, nodes, accelerators.
namespace hallwright {

/// The sections that the stage reads: its memo key.
struct PopulationInputs {
  Shared<Site> site;
  Shared<Goal> goal;
  Shared<std::vector<RackType>> rack_types;
  Shared<std::vector<RackItem>> rack_items;
  Shared<std::vector<Rack>> racks;
  Shared<Project> project; ///< power basis, for the goal's node power
  Shared<Catalog> catalog;
  friend bool operator==(const PopulationInputs&, const PopulationInputs&) = default; ///< by identity
};

/// One rack type with what all racks of it hold.
struct RackTypePopulation {
  Id rack_type = 0;
  std::string name;
  RackRole role = RackRole::compute;
  Count racks = 0;
  Traced<Count> racks_figure; ///< "population.rack_type.<id>.racks"
};

/// Nodes of one part, over all rack types.
struct NodePopulation {
  std::string part;
  Traced<Count> nodes; ///< "population.node.<part>.nodes"
  Traced<Count> accelerators_per_node;
  Traced<Count> accelerators;
};

struct PopulationResult : StageResult {
  bool drawn = false; ///< false: the goal's assumptions stand in for racks, all figures are estimates
  std::vector<RackTypePopulation> rack_types; ///< those with at least one rack, by id
  std::vector<NodePopulation> node_kinds;     ///< by part id
  std::string main_node_part;                 ///< the part with most accelerators; empty: none
  std::string main_accelerator_part;
  Traced<Count> racks;                 ///< population.racks
  Traced<Count> compute_racks;         ///< population.compute_racks
  Traced<Count> nodes;                 ///< population.nodes
  Traced<Count> accelerators;          ///< population.gpus
  Traced<Count> accelerators_per_node; ///< population.gpus_per_node, of the main node part
};

PopulationResult population(const PopulationInputs& inputs);

/// The formulas that the stage applies, with their types erased.
[[nodiscard]] std::vector<AnyFormula> population_formulas();

} // namespace hallwright
