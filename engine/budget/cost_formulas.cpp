// SPDX-License-Identifier: GPL-3.0-or-later
#include "budget/cost_formulas.h"

#include <algorithm>
#include <cmath>

#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<Money, Money, Money> middle_of_price_band{
    .name = "middle_of_price_band",
    .text = "(low + high) / 2",
    .source = "mean of the band",
    .parameters = {"low", "high"},
    .function = [](Money low, Money high) -> Result<Money> {
      if (auto wrong = violated({not_negative("low", low), not_negative("high", high)})) return *wrong;
      return 0.5 * (low + high);
    },
    .estimate = true,
};

constinit const Formula<Count, Count, Count> items_in_racks{
    .name = "items_in_racks",
    .text = "racks * items_per_rack",
    .source = "count",
    .parameters = {"racks", "items_per_rack"},
    .function = [](Count racks, Count items_per_rack) -> Result<Count> {
      if (auto wrong = violated({not_negative("racks", racks), not_negative("items_per_rack", items_per_rack)})) return *wrong;
      return counted_whole(1.0 * racks * items_per_rack);
    },
};

constinit const Formula<Money, Power, MoneyPerPower> facility_cost{
    .name = "facility_cost",
    .text = "it_power * price_per_watt",
    .source = "construction cost per watt of IT",
    .parameters = {"it_power", "price_per_watt"},
    .function = [](Power it_power, MoneyPerPower price_per_watt) -> Result<Money> {
      if (auto wrong = violated({not_negative("it_power", it_power), not_negative("price_per_watt", price_per_watt)})) return *wrong;
      return it_power * price_per_watt;
    },
    .estimate = true,
};

constinit const Formula<Energy, Power, double> annual_energy{
    .name = "annual_energy",
    .text = "peak_power * mean_load_share * 8766 h",
    .source = "power times time",
    .parameters = {"peak_power", "mean_load_share"},
    .function = [](Power peak_power, double mean_load_share) -> Result<Energy> {
      if (auto wrong = violated({not_negative("peak_power", peak_power), share("mean_load_share", mean_load_share)})) return *wrong;
      return peak_power * mean_load_share * years(1);
    },
};

constinit const Formula<Energy, Power, double, Time, Count, Count> run_energy{
    .name = "run_energy",
    .text = "peak_power * mean_load_share * wall_time * gpus / all_gpus",
    .source = "power times time; idle GPUs of the site bear their own part",
    .parameters = {"peak_power", "mean_load_share", "wall_time", "gpus", "all_gpus"},
    .function = [](Power peak_power, double mean_load_share, Time wall_time, Count gpus, Count all_gpus) -> Result<Energy> {
      if (auto wrong = violated({not_negative("peak_power", peak_power), share("mean_load_share", mean_load_share),
                                 not_negative("wall_time", wall_time), not_negative("gpus", gpus), above_zero("all_gpus", all_gpus)}))
        return *wrong;
      return peak_power * mean_load_share * wall_time * (static_cast<double>(gpus) / static_cast<double>(all_gpus));
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Money, Energy, MoneyPerEnergy> energy_cost{
    .name = "energy_cost",
    .text = "energy * price",
    .source = "price times amount",
    .parameters = {"energy", "price"},
    .function = [](Energy energy, MoneyPerEnergy price) -> Result<Money> {
      if (auto wrong = violated({not_negative("energy", energy), not_negative("price", price)})) return *wrong;
      return energy * price;
    },
};

constinit const Formula<Money, Money, double> annual_share_of_capital{
    .name = "annual_share_of_capital",
    .text = "capital * annual_share",
    .source = "share of capital",
    .parameters = {"capital", "annual_share"},
    .function = [](Money capital, double annual_share) -> Result<Money> {
      if (auto wrong = violated({not_negative("capital", capital), not_negative("annual_share", annual_share)})) return *wrong;
      return capital * annual_share;
    },
};

constinit const Formula<Money, Bytes, Money> annual_storage_rent{
    .name = "annual_storage_rent",
    .text = "data / 1 GB * price_per_gigabyte_month * 12",
    .source = "price times amount times 12 months",
    .parameters = {"data", "price_per_gigabyte_month"},
    .function = [](Bytes data, Money price_per_gigabyte_month) -> Result<Money> {
      if (auto wrong = violated({not_negative("data", data), not_negative("price_per_gigabyte_month", price_per_gigabyte_month)}))
        return *wrong;
      return in_gigabytes(data) * 12.0 * price_per_gigabyte_month;
    },
};

constinit const Formula<Money, Money, Money, Count> cost_over_years{
    .name = "cost_over_years",
    .text = "capital + years * annual_operating",
    .source = "sum",
    .parameters = {"capital", "annual_operating", "years"},
    .function = [](Money capital, Money annual_operating, Count years) -> Result<Money> {
      if (auto wrong = violated({not_negative("capital", capital), not_negative("annual_operating", annual_operating),
                                 not_negative("years", years)}))
        return *wrong;
      return capital + years * annual_operating;
    },
};

constinit const Formula<double, Time> duration_in_years{
    .name = "duration_in_years",
    .text = "duration / 1 y",
    .source = "unit; a year of 365.25 days",
    .parameters = {"duration"},
    .function = [](Time duration) -> Result<double> {
      if (auto wrong = violated({not_negative("duration", duration)})) return *wrong;
      return static_cast<double>(duration / years(1));
    },
};

constinit const Formula<MoneyPerTime, Money, Count, double, double> cost_per_useful_gpu_hour{
    .name = "cost_per_useful_gpu_hour",
    .text = "annual_cost / (8766 h * gpus * availability * goodput)",
    .source = "annual cost over useful time",
    .parameters = {"annual_cost", "gpus", "availability", "goodput"},
    .function = [](Money annual_cost, Count gpus, double availability, double goodput) -> Result<MoneyPerTime> {
      if (auto wrong = violated({not_negative("annual_cost", annual_cost), at_least("gpus", gpus, 1),
                                 positive_share("availability", availability), positive_share("goodput", goodput)}))
        return *wrong;
      return annual_cost / (years(1) * gpus * availability * goodput);
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::money_per_hour,
};

constinit const Formula<Money, MoneyPerTime, Count, Time> cost_of_run{
    .name = "cost_of_run",
    .text = "cost_per_gpu_hour * gpus * compute_time",
    .source = "price times amount",
    .parameters = {"cost_per_gpu_hour", "gpus", "compute_time"},
    .function = [](MoneyPerTime cost_per_gpu_hour, Count gpus, Time compute_time) -> Result<Money> {
      if (auto wrong = violated({not_negative("cost_per_gpu_hour", cost_per_gpu_hour), not_negative("gpus", gpus),
                                 not_negative("compute_time", compute_time)}))
        return *wrong;
      return gpus * (cost_per_gpu_hour * compute_time);
    },
};

constinit const Formula<MoneyPerTime, MoneyPerTime, Count, double, Count> cost_of_dark_hour{
    .name = "cost_of_dark_hour",
    .text = "cost_per_gpu_hour * (job_share_dark > 0 ? max(gpus_dark, gpus_of_job) : gpus_dark)",
    .source = "price times amount; a synchronous job stops with any of its GPUs",
    .parameters = {"cost_per_gpu_hour", "gpus_dark", "job_share_dark", "gpus_of_job"},
    .function = [](MoneyPerTime cost_per_gpu_hour, Count gpus_dark, double job_share_dark,
                   Count gpus_of_job) -> Result<MoneyPerTime> {
      if (auto wrong = violated({not_negative("cost_per_gpu_hour", cost_per_gpu_hour), not_negative("gpus_dark", gpus_dark),
                                 share("job_share_dark", job_share_dark), not_negative("gpus_of_job", gpus_of_job)}))
        return *wrong;
      return (job_share_dark > 0.0 ? std::max(gpus_dark, gpus_of_job) : gpus_dark) * cost_per_gpu_hour;
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::money_per_hour,
};

constinit const Formula<Money, Money, double> cost_of_a_million_tokens{
    .name = "cost_of_a_million_tokens",
    .text = "cost / tokens * 1e6",
    .source = "cost over output",
    .parameters = {"cost", "tokens"},
    .function = [](Money cost, double tokens) -> Result<Money> {
      if (auto wrong = violated({not_negative("cost", cost), above_zero("tokens", tokens)})) return *wrong;
      return cost * (1e6 / tokens);
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> budget_stage_formulas() {
  return {any(middle_of_price_band), any(items_in_racks),          any(facility_cost),
          any(annual_energy),        any(run_energy),              any(energy_cost),             any(annual_share_of_capital),
          any(annual_storage_rent),  any(cost_over_years),         any(duration_in_years),
          any(cost_per_useful_gpu_hour), any(cost_of_run),         any(cost_of_a_million_tokens),
          any(cost_of_dark_hour)};
}

} // namespace hallwright
