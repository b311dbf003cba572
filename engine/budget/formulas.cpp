// SPDX-License-Identifier: GPL-3.0-or-later
#include "budget/formulas.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ledger/formula_range.h"

namespace hallwright {
namespace {

/// Whole tasks of two users who share two resources: while a next task fits, the user with the smaller dominant
/// share gets one; a tie goes to the first user.
Result<std::array<Count, 2>> dominant_resource_fair_tasks(std::array<double, 2> capacity, std::array<double, 2> first,
                                                          std::array<double, 2> second) {
  constexpr double most_tasks = 1e7;
  constexpr double rounding = 1.0 + 1e-12; // sums of demands that miss a capacity by rounding only still fit
  const auto dominant = [&](const std::array<double, 2>& need) {
    return std::max(need[0] / capacity[0], need[1] / capacity[1]);
  };
  const double first_share = dominant(first), second_share = dominant(second);
  if (!(first_share * most_tasks > 1.0) || !(second_share * most_tasks > 1.0))
    return not_applicable("each user must need more than a ten-millionth of one resource for a task");
  std::array<Count, 2> tasks{0, 0};
  const auto fits = [&](Count a, Count b) {
    return a * first[0] + b * second[0] <= capacity[0] * rounding &&
           a * first[1] + b * second[1] <= capacity[1] * rounding;
  };
  for (;;) {
    const bool first_fits = fits(tasks[0] + 1, tasks[1]);
    const bool second_fits = fits(tasks[0], tasks[1] + 1);
    if (!first_fits && !second_fits) return tasks;
    const bool first_is_poorer = tasks[0] * first_share <= tasks[1] * second_share * rounding;
    ++tasks[first_fits && (first_is_poorer || !second_fits) ? 0 : 1];
  }
}

} // namespace

// Delivery schedule

constinit const Formula<Time, Time, Time, Time, Time, Time, Time, Time, Time> build_schedule_duration{
    .name = "build_schedule_duration",
    .text = "max(max(max(transformer_delivery, civil_works) + electrical_fit_out, civil_works + cooling_fit_out) + "
            "integrated_systems_test, gpu_delivery) + cabling + burn_in",
    .source = "critical path method",
    .parameters = {"transformer_delivery", "civil_works", "electrical_fit_out", "cooling_fit_out", "gpu_delivery",
                   "cabling", "burn_in", "integrated_systems_test"},
    .function = [](Time transformer_delivery, Time civil_works, Time electrical_fit_out, Time cooling_fit_out,
                   Time gpu_delivery, Time cabling, Time burn_in, Time integrated_systems_test) -> Result<Time> {
      if (auto wrong = violated(
              {not_negative("transformer_delivery", transformer_delivery), not_negative("civil_works", civil_works),
               not_negative("electrical_fit_out", electrical_fit_out), not_negative("cooling_fit_out", cooling_fit_out),
               not_negative("gpu_delivery", gpu_delivery), not_negative("cabling", cabling),
               not_negative("burn_in", burn_in), not_negative("integrated_systems_test", integrated_systems_test)}))
        return *wrong;
      const Time electrical = std::max(transformer_delivery, civil_works) + electrical_fit_out;
      const Time cooling = civil_works + cooling_fit_out;
      const Time facility = std::max(electrical, cooling) + integrated_systems_test;
      return std::max(facility, gpu_delivery) + cabling + burn_in;
    },
};

constinit const Formula<Time, Time, Time> gpu_delivery_float{
    .name = "gpu_delivery_float",
    .text = "facility_ready - gpu_delivery",
    .source = "critical path method",
    .parameters = {"facility_ready", "gpu_delivery"},
    .function = [](Time facility_ready, Time gpu_delivery) -> Result<Time> {
      if (auto wrong =
              violated({not_negative("facility_ready", facility_ready), not_negative("gpu_delivery", gpu_delivery)}))
        return *wrong;
      return facility_ready - gpu_delivery;
    },
    .monotone = Monotone::mixed,
};

// Cost of GPU time

constinit const Formula<Money, Count, Time, MoneyPerTime> gpu_time_cost{
    .name = "gpu_time_cost",
    .text = "gpus * duration * gpu_hour_price",
    .source = "price times time",
    .parameters = {"gpus", "duration", "gpu_hour_price"},
    .function = [](Count gpus, Time duration, MoneyPerTime gpu_hour_price) -> Result<Money> {
      if (auto wrong = violated({not_negative("gpus", gpus), not_negative("duration", duration),
                                 not_negative("gpu_hour_price", gpu_hour_price)}))
        return *wrong;
      return gpus * duration * gpu_hour_price;
    },
};

// Cost of delay

constinit const Formula<Money, Money, Count> straight_line_depreciation_per_month{
    .name = "straight_line_depreciation_per_month",
    .text = "capital_cost / life_months",
    .source = "straight-line depreciation",
    .parameters = {"capital_cost", "life_months"},
    .function = [](Money capital_cost, Count life_months) -> Result<Money> {
      if (auto wrong = violated({not_negative("capital_cost", capital_cost), at_least("life_months", life_months, 1)}))
        return *wrong;
      return capital_cost / life_months;
    },
    .monotone = Monotone::mixed,
};

// Generation change

constinit const Formula<double, Count, Count, double> generation_change_capacity_trough{
    .name = "generation_change_capacity_trough",
    .text = "1 - drained_gpus / fleet_gpus + new_gpu_equivalents / fleet_gpus",
    .source = "capacity arithmetic",
    .parameters = {"fleet_gpus", "drained_gpus", "new_gpu_equivalents"},
    .function = [](Count fleet_gpus, Count drained_gpus, double new_gpu_equivalents) -> Result<double> {
      if (auto wrong = violated({at_least("fleet_gpus", fleet_gpus, 1), not_negative("drained_gpus", drained_gpus),
                                 not_negative("new_gpu_equivalents", new_gpu_equivalents)}))
        return *wrong;
      return 1.0 - 1.0 * drained_gpus / fleet_gpus + new_gpu_equivalents / fleet_gpus;
    },
    .monotone = Monotone::mixed,
};

// Cost per token

constinit const Formula<PerMoney, FlopRate, Count, MoneyPerTime> tokens_per_dollar{
    .name = "tokens_per_dollar",
    .text = "achieved_flops_per_gpu / (6 FLOP * parameters) / gpu_hour_price",
    .source = "6ND, Kaplan et al. 2020",
    .parameters = {"achieved_flops_per_gpu", "parameters", "gpu_hour_price"},
    .function = [](FlopRate achieved_flops_per_gpu, Count parameters, MoneyPerTime gpu_hour_price) -> Result<PerMoney> {
      if (auto wrong = violated({not_negative("achieved_flops_per_gpu", achieved_flops_per_gpu),
                                 at_least("parameters", parameters, 1), above_zero("gpu_hour_price", gpu_hour_price)}))
        return *wrong;
      return achieved_flops_per_gpu / (flop(6) * parameters) / gpu_hour_price;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Network choice

constinit const Formula<Money, Money, double, double> network_discount_saving{
    .name = "network_discount_saving",
    .text = "capital_cost * network_cost_fraction * network_discount",
    .source = "share of capital cost",
    .parameters = {"capital_cost", "network_cost_fraction", "network_discount"},
    .function = [](Money capital_cost, double network_cost_fraction, double network_discount) -> Result<Money> {
      if (auto wrong = violated({not_negative("capital_cost", capital_cost),
                                 share("network_cost_fraction", network_cost_fraction),
                                 share("network_discount", network_discount)}))
        return *wrong;
      return capital_cost * network_cost_fraction * network_discount;
    },
};

constinit const Formula<double, double, double> break_even_slowdown{
    .name = "break_even_slowdown",
    .text = "network_cost_fraction * network_discount",
    .source = "first-order value of capacity",
    .parameters = {"network_cost_fraction", "network_discount"},
    .function = [](double network_cost_fraction, double network_discount) -> Result<double> {
      if (auto wrong = violated(
              {share("network_cost_fraction", network_cost_fraction), share("network_discount", network_discount)}))
        return *wrong;
      return network_cost_fraction * network_discount;
    },
    .estimate = true,
};

constinit const Formula<double, Money, Count, Money, double> break_even_fleet_gpus{
    .name = "break_even_fleet_gpus",
    .text = "annual_staff_cost * service_years / (cost_per_gpu * saving_fraction)",
    .source = "break-even arithmetic",
    .parameters = {"annual_staff_cost", "service_years", "cost_per_gpu", "saving_fraction"},
    .function = [](Money annual_staff_cost, Count service_years, Money cost_per_gpu,
                   double saving_fraction) -> Result<double> {
      if (auto wrong = violated({not_negative("annual_staff_cost", annual_staff_cost),
                                 not_negative("service_years", service_years), above_zero("cost_per_gpu", cost_per_gpu),
                                 positive_share("saving_fraction", saving_fraction)}))
        return *wrong;
      return annual_staff_cost * service_years / (cost_per_gpu * saving_fraction);
    },
    .monotone = Monotone::mixed,
};

// Training cost

constinit const Formula<Money, Count, FlopRate, double, MoneyPerTime> training_cost_per_token{
    .name = "training_cost_per_token",
    .text = "6 FLOP * parameters / (peak_flops_per_gpu * model_flops_utilization) * gpu_hour_price",
    .source = "6ND, Kaplan et al. 2020",
    .parameters = {"parameters", "peak_flops_per_gpu", "model_flops_utilization", "gpu_hour_price"},
    .function = [](Count parameters, FlopRate peak_flops_per_gpu, double model_flops_utilization,
                   MoneyPerTime gpu_hour_price) -> Result<Money> {
      if (auto wrong =
              violated({not_negative("parameters", parameters), above_zero("peak_flops_per_gpu", peak_flops_per_gpu),
                        above_zero("model_flops_utilization", model_flops_utilization),
                        not_negative("gpu_hour_price", gpu_hour_price)}))
        return *wrong;
      return flop(6) * parameters / (peak_flops_per_gpu * model_flops_utilization) * gpu_hour_price;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Money, Count, Count, FlopRate, double, MoneyPerTime> training_cost{
    .name = "training_cost",
    .text = "6 FLOP * parameters * tokens / (peak_flops_per_gpu * model_flops_utilization) * gpu_hour_price",
    .source = "6ND, Kaplan et al. 2020",
    .parameters = {"parameters", "tokens", "peak_flops_per_gpu", "model_flops_utilization", "gpu_hour_price"},
    .function = [](Count parameters, Count tokens, FlopRate peak_flops_per_gpu, double model_flops_utilization,
                   MoneyPerTime gpu_hour_price) -> Result<Money> {
      if (auto wrong = violated({not_negative("parameters", parameters), not_negative("tokens", tokens),
                                 above_zero("peak_flops_per_gpu", peak_flops_per_gpu),
                                 above_zero("model_flops_utilization", model_flops_utilization),
                                 not_negative("gpu_hour_price", gpu_hour_price)}))
        return *wrong;
      return flop(6) * parameters * tokens / (peak_flops_per_gpu * model_flops_utilization) * gpu_hour_price;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Storage cost

constinit const Formula<Money, Bytes, MoneyPerInformation> storage_monthly_cost{
    .name = "storage_monthly_cost",
    .text = "capacity * price_per_month",
    .source = "price times amount",
    .parameters = {"capacity", "price_per_month"},
    .function = [](Bytes capacity, MoneyPerInformation price_per_month) -> Result<Money> {
      if (auto wrong = violated({not_negative("capacity", capacity), not_negative("price_per_month", price_per_month)}))
        return *wrong;
      return capacity * price_per_month;
    },
};

// Quota pooling

constinit const Formula<double, Count, double, double, double> pooled_to_separate_capacity_ratio{
    .name = "pooled_to_separate_capacity_ratio",
    .text = "(teams * mean_demand + deviations_covered * demand_standard_deviation * sqrt(teams)) / (teams * "
            "(mean_demand + deviations_covered * demand_standard_deviation))",
    .source = "square-root law of pooling",
    .parameters = {"teams", "mean_demand", "demand_standard_deviation", "deviations_covered"},
    .function = [](Count teams, double mean_demand, double demand_standard_deviation,
                   double deviations_covered) -> Result<double> {
      if (auto wrong = violated({at_least("teams", teams, 1), not_negative("mean_demand", mean_demand),
                                 not_negative("demand_standard_deviation", demand_standard_deviation),
                                 not_negative("deviations_covered", deviations_covered)}))
        return *wrong;
      const double separate = mean_demand + deviations_covered * demand_standard_deviation;
      if (separate <= 0.0) return not_applicable("mean_demand plus the covered deviations must be above 0; it is 0");
      const double pooled =
          teams * mean_demand + deviations_covered * demand_standard_deviation * std::sqrt(static_cast<double>(teams));
      return pooled / (teams * separate);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

// Fair share

constinit const Formula<double, double, double> fair_share_factor{
    .name = "fair_share_factor",
    .text = "2 ^ (-usage_share / quota_share)",
    .source = "Slurm multifactor priority",
    .parameters = {"usage_share", "quota_share"},
    .function = [](double usage_share, double quota_share) -> Result<double> {
      if (auto wrong = violated({not_negative("usage_share", usage_share), above_zero("quota_share", quota_share)}))
        return *wrong;
      return std::exp2(-usage_share / quota_share);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Time, Time> usage_decay_weight{
    .name = "usage_decay_weight",
    .text = "2 ^ (-elapsed_time / half_life)",
    .source = "exponential decay",
    .parameters = {"elapsed_time", "half_life"},
    .function = [](Time elapsed_time, Time half_life) -> Result<double> {
      if (auto wrong = violated({not_negative("elapsed_time", elapsed_time), above_zero("half_life", half_life)}))
        return *wrong;
      return std::exp2(-static_cast<double>(elapsed_time / half_life));
    },
    .monotone = Monotone::mixed,
};

// Allocated versus utilized

constinit const Formula<Money, Count, double, double, MoneyPerTime, Time> unused_allocation_cost{
    .name = "unused_allocation_cost",
    .text = "(allocated_fraction - utilized_fraction) * gpus * gpu_hour_price * duration",
    .source = "price times unused time",
    .parameters = {"gpus", "allocated_fraction", "utilized_fraction", "gpu_hour_price", "duration"},
    .function = [](Count gpus, double allocated_fraction, double utilized_fraction, MoneyPerTime gpu_hour_price,
                   Time duration) -> Result<Money> {
      if (auto wrong = violated({not_negative("gpus", gpus), share("allocated_fraction", allocated_fraction),
                                 share("utilized_fraction", utilized_fraction),
                                 not_negative("gpu_hour_price", gpu_hour_price), not_negative("duration", duration)}))
        return *wrong;
      return (allocated_fraction - utilized_fraction) * gpus * gpu_hour_price * duration;
    },
    .monotone = Monotone::mixed,
};

// Dominant-resource fairness

constinit const Formula<Count, double, double, double, double, double, double> dominant_resource_fair_tasks_first_user{
    .name = "dominant_resource_fair_tasks_first_user",
    .text =
        "tasks of the first user after: repeat { among the users whose next task fits in what is left, give one task "
        "to the user with the smallest dominant share } until no next task fits; dominant share = tasks * max(first "
        "resource per task / first_resource_capacity, second resource per task / second_resource_capacity)",
    .source = "Ghodsi et al. 2011 (dominant resource fairness)",
    .parameters = {"first_resource_capacity", "second_resource_capacity", "first_user_first_resource",
                   "first_user_second_resource", "second_user_first_resource", "second_user_second_resource"},
    .function = [](double first_resource_capacity, double second_resource_capacity, double first_user_first_resource,
                   double first_user_second_resource, double second_user_first_resource,
                   double second_user_second_resource) -> Result<Count> {
      if (auto wrong = violated({above_zero("first_resource_capacity", first_resource_capacity),
                                 above_zero("second_resource_capacity", second_resource_capacity),
                                 not_negative("first_user_first_resource", first_user_first_resource),
                                 not_negative("first_user_second_resource", first_user_second_resource),
                                 not_negative("second_user_first_resource", second_user_first_resource),
                                 not_negative("second_user_second_resource", second_user_second_resource)}))
        return *wrong;
      const auto tasks = dominant_resource_fair_tasks({first_resource_capacity, second_resource_capacity},
                                                      {first_user_first_resource, first_user_second_resource},
                                                      {second_user_first_resource, second_user_second_resource});
      if (!tasks) return tl::make_unexpected(tasks.error());
      return (*tasks)[0];
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, double, double, double, double, double, double> dominant_resource_fair_tasks_second_user{
    .name = "dominant_resource_fair_tasks_second_user",
    .text =
        "tasks of the second user after: repeat { among the users whose next task fits in what is left, give one task "
        "to the user with the smallest dominant share } until no next task fits; dominant share = tasks * max(first "
        "resource per task / first_resource_capacity, second resource per task / second_resource_capacity)",
    .source = "Ghodsi et al. 2011 (dominant resource fairness)",
    .parameters = {"first_resource_capacity", "second_resource_capacity", "first_user_first_resource",
                   "first_user_second_resource", "second_user_first_resource", "second_user_second_resource"},
    .function = [](double first_resource_capacity, double second_resource_capacity, double first_user_first_resource,
                   double first_user_second_resource, double second_user_first_resource,
                   double second_user_second_resource) -> Result<Count> {
      if (auto wrong = violated({above_zero("first_resource_capacity", first_resource_capacity),
                                 above_zero("second_resource_capacity", second_resource_capacity),
                                 not_negative("first_user_first_resource", first_user_first_resource),
                                 not_negative("first_user_second_resource", first_user_second_resource),
                                 not_negative("second_user_first_resource", second_user_first_resource),
                                 not_negative("second_user_second_resource", second_user_second_resource)}))
        return *wrong;
      const auto tasks = dominant_resource_fair_tasks({first_resource_capacity, second_resource_capacity},
                                                      {first_user_first_resource, first_user_second_resource},
                                                      {second_user_first_resource, second_user_second_resource});
      if (!tasks) return tl::make_unexpected(tasks.error());
      return (*tasks)[1];
    },
    .monotone = Monotone::mixed,
};

// Utilization

constinit const Formula<Count, Count, double, double> gpus_freed_by_utilization{
    .name = "gpus_freed_by_utilization",
    .text = "floor(gpus * (1 - present_utilization / target_utilization))",
    .source = "same work on fewer GPUs",
    .parameters = {"gpus", "present_utilization", "target_utilization"},
    .function = [](Count gpus, double present_utilization, double target_utilization) -> Result<Count> {
      if (auto wrong = violated({not_negative("gpus", gpus), share("present_utilization", present_utilization),
                                 positive_share("target_utilization", target_utilization)}))
        return *wrong;
      return counted_whole(whole_at_most(gpus * (1.0 - present_utilization / target_utilization)));
    },
    .monotone = Monotone::mixed,
};

// Further parts of the models

constinit const Formula<double, double, double> capital_recovery_factor{
    .name = "capital_recovery_factor",
    .text = "interest_rate / (1 - (1 + interest_rate) ^ -years); 1 / years without interest",
    .source = "annuity",
    .parameters = {"interest_rate", "years"},
    .function = [](double interest_rate, double years) -> Result<double> {
      if (auto wrong = violated({not_negative("interest_rate", interest_rate), above_zero("years", years)}))
        return *wrong;
      if (interest_rate == 0.0) return 1.0 / years;
      return interest_rate / -std::expm1(-years * std::log1p(interest_rate));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Money, Money, double> annual_capital_cost{
    .name = "annual_capital_cost",
    .text = "capital_cost * recovery_factor",
    .source = "annuity",
    .parameters = {"capital_cost", "recovery_factor"},
    .function = [](Money capital_cost, double recovery_factor) -> Result<Money> {
      if (auto wrong =
              violated({not_negative("capital_cost", capital_cost), not_negative("recovery_factor", recovery_factor)}))
        return *wrong;
      return capital_cost * recovery_factor;
    },
};

constinit const Formula<Money, Power, MoneyPerEnergy> annual_energy_cost{
    .name = "annual_energy_cost",
    .text = "mean_power * 8760 h * energy_price",
    .source = "power times time times price",
    .parameters = {"mean_power", "energy_price"},
    .function = [](Power mean_power, MoneyPerEnergy energy_price) -> Result<Money> {
      if (auto wrong = violated({not_negative("mean_power", mean_power), not_negative("energy_price", energy_price)}))
        return *wrong;
      return mean_power * hours(8760) * energy_price;
    },
};

constinit const Formula<MoneyPerTime, Money, Count, double, double> cost_per_gpu_hour{
    .name = "cost_per_gpu_hour",
    .text = "annual_cost / (8760 h * gpus * availability_share * goodput)",
    .source = "annual cost over useful time",
    .parameters = {"annual_cost", "gpus", "availability_share", "goodput"},
    .function = [](Money annual_cost, Count gpus, double availability_share, double goodput) -> Result<MoneyPerTime> {
      if (auto wrong =
              violated({not_negative("annual_cost", annual_cost), at_least("gpus", gpus, 1),
                        positive_share("availability_share", availability_share), positive_share("goodput", goodput)}))
        return *wrong;
      return annual_cost / (hours(8760) * gpus * availability_share * goodput);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Money, MoneyPerTime, Frequency> cost_per_token{
    .name = "cost_per_token",
    .text = "gpu_hour_cost / token_rate_per_gpu",
    .source = "cost over output",
    .parameters = {"gpu_hour_cost", "token_rate_per_gpu"},
    .function = [](MoneyPerTime gpu_hour_cost, Frequency token_rate_per_gpu) -> Result<Money> {
      if (auto wrong = violated(
              {not_negative("gpu_hour_cost", gpu_hour_cost), above_zero("token_rate_per_gpu", token_rate_per_gpu)}))
        return *wrong;
      return gpu_hour_cost / token_rate_per_gpu;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Money, Count, Money> line_cost{
    .name = "line_cost",
    .text = "quantity * unit_price",
    .source = "price times amount",
    .parameters = {"quantity", "unit_price"},
    .function = [](Count quantity, Money unit_price) -> Result<Money> {
      if (auto wrong = violated({not_negative("quantity", quantity), not_negative("unit_price", unit_price)}))
        return *wrong;
      return quantity * unit_price;
    },
};

constinit const Formula<MoneyPerPower, Money, Power> capital_cost_per_power{
    .name = "capital_cost_per_power",
    .text = "capital_cost / it_power",
    .source = "ratio",
    .parameters = {"capital_cost", "it_power"},
    .function = [](Money capital_cost, Power it_power) -> Result<MoneyPerPower> {
      if (auto wrong = violated({not_negative("capital_cost", capital_cost), above_zero("it_power", it_power)}))
        return *wrong;
      return capital_cost / it_power;
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> budget_formulas() {
  return {
      any(build_schedule_duration),
      any(gpu_delivery_float),
      any(gpu_time_cost),
      any(straight_line_depreciation_per_month),
      any(generation_change_capacity_trough),
      any(tokens_per_dollar),
      any(network_discount_saving),
      any(break_even_slowdown),
      any(break_even_fleet_gpus),
      any(training_cost_per_token),
      any(training_cost),
      any(storage_monthly_cost),
      any(pooled_to_separate_capacity_ratio),
      any(fair_share_factor),
      any(usage_decay_weight),
      any(unused_allocation_cost),
      any(dominant_resource_fair_tasks_first_user),
      any(dominant_resource_fair_tasks_second_user),
      any(gpus_freed_by_utilization),
      any(capital_recovery_factor),
      any(annual_capital_cost),
      any(annual_energy_cost),
      any(cost_per_gpu_hour),
      any(cost_per_token),
      any(line_cost),
      any(capital_cost_per_power),
  };
}

} // namespace hallwright
