// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "checks/finding.h"
#include "power/power_contingencies.h"

/// Rules that ask the one-line what happens when units fail, and whether it is drawn so that power can flow.
namespace hallwright {

/// The one-line of a design with the loads that its figures state, and what every single failure does to it.
struct OneLineStudy {
  OneLine line;
  PowerContingencies contingencies;
  ContingencySweep single;

  explicit OneLineStudy(OneLine one_line)
      : line(std::move(one_line)), contingencies(line), single(contingencies.single_failures()) {}
  OneLineStudy(const OneLineStudy&) = delete;
  OneLineStudy& operator=(const OneLineStudy&) = delete;
};
/// GPUs in a rack of each type, by what is in it.
Count gpus_of_rack_type(const RackType& type, const std::vector<RackItem>& items, const Catalog& catalog);
/// Made from the design, the loads of the load stage and the power of the cooling stage.
std::shared_ptr<const OneLineStudy> one_line_study(const CheckContext& context);

std::vector<Rule> one_line_rules();

} // namespace hallwright
