// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/ledger.h"
#include "power/one_line_rules.h"

/// Figures and tables of the one-line for the page of the power stage.
namespace hallwright {

struct OneLineFigures {
  Traced<Power> losses;                     ///< power.flow.losses
  Traced<Power> source_power;               ///< power.flow.source_power: what all sources deliver
  Traced<double> power_usage_effectiveness; ///< power.flow.pue, of what is drawn
  Traced<Power> without_power;              ///< power.flow.without_power: of loads on no live unit
  Traced<double> worst_headroom; ///< power.contingency.headroom, over normal operation and every single failure: where
                                 ///< redundancy is claimed that of power.headroom_worst, the utility left out
  Traced<Count> racks_dark;      ///< power.contingency.racks_dark: most with one unit out
  Traced<Count> gpus_dark;       ///< power.contingency.gpus_dark
  Traced<double> job_share_dark; ///< power.contingency.job_share_dark
  Traced<Count> redundancy;      ///< power.redundancy_proven: 0 N, 1 N+1, 2 2N
};
/// @param inputs  what the one-line was made from: loads of racks, cooling, the plan's redundancy
OneLineFigures one_line_figures(Ledger& ledger, const OneLineStudy& study, const std::vector<ModelInput>& inputs);

/// "power.flow": every unit under load, by id. Columns: unit, kind, fed_by, output, input, loss, plant, load_share,
/// headroom, power_factor, apparent, line_current.
Table one_line_flow_table(const OneLineStudy& study);
/// "power.contingencies": every single failure, the smallest headroom first, then the most dark GPUs. Columns: out,
/// racks_dark, gpus_dark, job_share, worst, headroom, load, load_normal, trips, short, what.
Table contingency_table(const OneLineStudy& study);
/// "power.elements_worst": what each unit carries at worst, by id. Columns: unit, normal, worst, with_out, headroom.
Table worst_loads_table(const OneLineStudy& study);

} // namespace hallwright
