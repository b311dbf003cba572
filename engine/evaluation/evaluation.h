// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "budget/budget.h"
#include "fabric/traffic.h"

/// The engine as one function: a design and a catalog in, figures, tables and findings out.
namespace hallwright {


/// Everything that follows from a design. Immutable; shared by all views.
struct Evaluation {
  Design design;
  Shared<Catalog> catalog;           ///< with the design's overrides
  Shared<Catalog> shipped_catalog;   ///< as given
  std::vector<std::string> override_problems;
  /// What each stage got of `catalog`: the kinds of part that it reads. The same object as last time where they are.
  std::array<Shared<Catalog>, page_count> stage_catalogs;
  /// Nodes of `catalog` without what they draw, cost and give off, for stages that lay them out and join them.
  PartList<NodePart> laid_nodes;
  /// Racks of `design` as stages see them that do not ask where they stand: all at the origin of their halls.
  Shared<std::vector<Rack>> unplaced_racks;
  /// The site of `design` as the drawing sees it: its floor.
  Shared<Site> floor_site;
  /// Drawn things that are out of service, as the traffic stage sees them: what of the drawing goes with each.
  Shared<std::vector<FailedThing>> failed_things;

  Shared<PopulationResult> population;
  Shared<RouteResult> routes; ///< told of by the space stage, whose catalog it reads
  Shared<SpaceResult> space;
  Shared<FabricResult> fabric;
  Shared<CablingResult> cabling;
  Shared<LoadResult> load;
  Shared<ClimateYear> climate; ///< outdoor air of the site over a year; null: the site names none
  Shared<LoopLooks> loops; ///< drawn coolant loops at work; the cooling stage tells of them, and its catalog is theirs
  Shared<CoolingResult> cooling;
  Shared<PowerResult> power;
  Shared<TrainingResult> training;
  Shared<TrafficResult> traffic;
  std::optional<HeldRack> held_rack; ///< under the job, as the training stage sees it
  Shared<StorageResult> storage;
  Shared<ReliabilityResult> reliability;
  Shared<BudgetResult> budget;

  Figures figures;
  std::vector<Finding> findings;
  std::shared_ptr<const std::vector<Finding>> drawing_findings; ///< of the rules that look at the drawing only
};

/// Evaluates `design`. A stage whose inputs are the same objects as in `previous` hands back that result; a stage whose
/// new result equals the old hands the old one back, so that later stages rest too.
/// @param loops `working`: single failures of coolant loops and the seconds after a loss, which take longer than an
/// edit may, are left as they were, and the loops tell that they are behind. A second call of the same design with
/// `whole` and this evaluation as `previous` makes it whole, with the same figures as one call.
/// @return nothing when `stop` was requested (answered within 10 ms at 100,000 GPUs)
std::optional<Evaluation> evaluate(const Design& design, const Shared<Catalog>& catalog, const Evaluation* previous = nullptr,
                                   std::stop_token stop = {}, LoopDepth loops = LoopDepth::whole);

/// Every rule of every subject, by code.
const std::vector<Rule>& all_rules();

/// One tile of the headline strip: which figures it shows.
struct HeadlineTile {
  std::string_view title;
  std::string_view figure;        ///< main figure; its limit is the bar
  std::string_view second_figure; ///< shown beside it, or empty
  std::string_view remark_figure; ///< the small line, or empty
  std::string_view remark;        ///< words before the remark figure: "goodput"
  bool more_is_better = false;    ///< decides the colour of the change arrow
};
const std::vector<HeadlineTile>& headline_tiles();

/// A published figure beside ours.
struct PublishedComparison {
  const PublishedFigure* published = nullptr;
  const Figure* ours = nullptr;        ///< null: no such figure
  std::optional<double> published_value; ///< base unit
  std::optional<double> deviation;     ///< ours / published - 1
  std::string problem;                 ///< why there is no deviation
};
std::vector<PublishedComparison> published_comparisons(const Evaluation& evaluation);

} // namespace hallwright
