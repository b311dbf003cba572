// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ledger/formula.h"

/// Formulas of the budget stage beside `budget/formulas.h`. A year has 8766 h (365.25 days), for energy and for
/// GPU-hours alike.
namespace hallwright {

/// Middle of a price band.
/// @param low, high [USD], zero or more
/// @return [USD], an estimate
/// @source mean of the band
extern const Formula<Money, Money, Money> middle_of_price_band;

/// Items in racks of a type.
/// @param racks, items_per_rack [count], zero or more
/// @return [count]
/// @source count
extern const Formula<Count, Count, Count> items_in_racks;

/// Building and plant from the price of a watt of IT load.
/// @param it_power [W], zero or more
/// @param price_per_watt [USD/W], zero or more
/// @return [USD], an estimate
/// @source construction cost per watt of IT
extern const Formula<Money, Power, MoneyPerPower> facility_cost;

/// Energy of a year at a mean share of the peak.
/// @param peak_power [W], zero or more
/// @param mean_load_share [ratio], 0 to 1
/// @return [J]
/// @source power times time
extern const Formula<Energy, Power, double> annual_energy;

/// Energy that a run takes from the utility: the site's mean power over the time on the wall, by the share of the GPUs
/// that the job uses.
/// @param peak_power [W], zero or more; of the whole site
/// @param mean_load_share [ratio], 0 to 1
/// @param wall_time [s], zero or more
/// @param gpus [count], zero or more; of the job
/// @param all_gpus [count], at least 1
/// @return [J], an estimate
/// @source power times time
extern const Formula<Energy, Power, double, Time, Count, Count> run_energy;

/// Price of an amount of energy.
/// @param energy [J], zero or more
/// @param price [USD/J], zero or more
/// @return [USD]
/// @source price times amount
extern const Formula<Money, Energy, MoneyPerEnergy> energy_cost;

/// A yearly cost that is a share of capital.
/// @param capital [USD], zero or more
/// @param annual_share [ratio], zero or more
/// @return [USD]
/// @source share of capital
extern const Formula<Money, Money, double> annual_share_of_capital;

/// Rent of stored data for a year, from a price per gigabyte (decimal) and month.
/// @param data [B], zero or more
/// @param price_per_gigabyte_month [USD], zero or more
/// @return [USD]
/// @source price times amount times 12 months
extern const Formula<Money, Bytes, Money> annual_storage_rent;

/// Capital and running cost over the years of service, not discounted.
/// @param capital, annual_operating [USD], zero or more
/// @param years [count], zero or more
/// @return [USD]
/// @source sum
extern const Formula<Money, Money, Money, Count> cost_over_years;

/// A duration in years of 365.25 days, parts of a year kept.
/// @param duration [s], zero or more
/// @return [ratio]
/// @source unit
extern const Formula<double, Time> duration_in_years;

/// Cost of a useful GPU-hour: yearly cost over the hours in which GPUs are in service and do work that counts.
/// @param annual_cost [USD], zero or more
/// @param gpus [count], at least 1
/// @param availability, goodput [ratio], above 0, at most 1
/// @return [USD/s]
/// @source annual cost over useful time
extern const Formula<MoneyPerTime, Money, Count, double, double> cost_per_useful_gpu_hour;

/// Cost of a run from the cost of useful GPU-hours. The time is compute time without stops: stops are in the price.
/// @param cost_per_gpu_hour [USD/s], zero or more
/// @param gpus [count], zero or more
/// @param compute_time [s], zero or more
/// @return [USD]
/// @source price times amount
extern const Formula<Money, MoneyPerTime, Count, Time> cost_of_run;

/// What an hour without some GPUs costs: a synchronous job stands still with all of its GPUs as soon as one of them is
/// dark, otherwise the dark ones alone are lost.
/// @param cost_per_gpu_hour [USD/s], zero or more
/// @param gpus_dark [count], zero or more
/// @param job_share_dark [ratio], of the GPUs of the job, 0 to 1
/// @param gpus_of_job [count], zero or more
/// @return [USD/s]
/// @source price times amount
extern const Formula<MoneyPerTime, MoneyPerTime, Count, double, Count> cost_of_dark_hour;

/// Cost of a million tokens of a run.
/// @param cost [USD], zero or more
/// @param tokens [ratio], above 0
/// @return [USD]
/// @source cost over output
extern const Formula<Money, Money, double> cost_of_a_million_tokens;

/// Every formula above, with its types erased, in the order of this header.
[[nodiscard]] std::vector<AnyFormula> budget_stage_formulas();

} // namespace hallwright
