// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "evaluation/evaluation.h"
#include "space/auto_layout.h"

/// Layouts and fills with what they lead to: each is made by `space/auto_layout.h` and evaluated as a whole design.
namespace hallwright {

/// What a planner asks for; the rest follows from the design.
struct LayoutWish {
  Id rack_type = 0;
  Count count = 0;
  Id hall = 0, zone = 0;
  std::optional<PlanBox> rectangle;
  bool replace = false;
  bool leafs = true, cdus = true, busways = true;
  Count longest_row = 20;
  std::optional<Length> cold_aisle, hot_aisle; ///< not set: as the hall asks, and wider in one of the proposals
  std::string cdu_part;    ///< empty: the cooling plant's, else the CDU of the catalog that the fewest are needed of
  Id fabric_rack_type = 0; ///< 0: the design's first one for the fabric, else one is made of the network's switches
};

/// One line of the comparison. `figure` is empty for counts that no stage makes.
struct LayoutHeadline {
  std::string label, figure;
  std::string value; ///< for people, locale-free
  double number = 0; ///< base unit; NaN: not known
  const Kind* kind = nullptr;
};

struct LayoutProposal {
  std::string name; ///< "Rows along x, narrow aisles, leafs in the middle"
  LayoutRequest request;
  Edit edit; ///< makes it, from the design that was asked about
  LayoutOutcome outcome;
  std::shared_ptr<const Evaluation> evaluation;
  std::vector<LayoutHeadline> headlines; ///< the same lines for each proposal
  FindingCounts findings; ///< of `evaluation`: what the checks say once it is applied
};

struct LayoutProposals {
  /// Best first: fewest errors, then fewest warnings and undecided findings, then the shortest mean way to the leafs, then the fewest rows.
  std::vector<LayoutProposal> proposals;
  std::vector<std::string> refused; ///< variants that do not fit, one sentence each
};

/// Up to `most` proposals that differ in more than their name.
/// @param progress  told the share that is done, may be empty
/// @return nothing when `stop` was requested; a refusal names the number that fits
tl::expected<LayoutProposals, std::string> layout_proposals(const Design& design, const Shared<Catalog>& catalog,
                                                            const LayoutWish& wish, std::size_t most,
                                                            const std::stop_token& stop = {},
                                                            const std::function<void(double)>& progress = {});

// --- fill ----------------------------------------------------------------------------------------------------------

struct FillWish {
  Id rack_type = 0;
  EntityRef where;                                ///< one of rows, zones, halls
  RowDirection direction = RowDirection::along_x; ///< of new rows in zones and halls
  Count longest_row = 20;
};
/// How many racks one limit allows.
struct FillLimit {
  std::string id;             ///< "area", "site_power", "zone_power", "feed", "cooling", "floor"
  std::string name;           ///< "power of the site"
  std::optional<Count> racks; ///< not set: it does not limit, or it cannot be decided
  std::string how;            ///< the numbers behind it, or why it does not count
};
struct FillPreview {
  Edit edit;
  Count placed = 0;
  std::string stopped_by; ///< id of the limit that allowed least
  std::string sentence;   ///< "12 racks placed; stopped by the power of the zone: ..."
  std::vector<FillLimit> limits;
};
tl::expected<FillPreview, std::string> fill_preview(const Design& design, const Shared<Catalog>& catalog,
                                                    const FillWish& wish);

} // namespace hallwright
