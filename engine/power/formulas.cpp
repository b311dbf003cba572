// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/formulas.h"

#include <fmt/format.h>

#include "ledger/formula_range.h"

namespace hallwright {

// GPU count from the power envelope

constinit const Formula<Count, Power, double, Power, Count> utility_power_gpu_limit{
    .name = "utility_power_gpu_limit",
    .text =
        "gpus_per_node * floor(floor(utility_power / power_usage_effectiveness / it_power_per_gpu) / gpus_per_node)",
    .source = "power envelope arithmetic",
    .parameters = {"utility_power", "power_usage_effectiveness", "it_power_per_gpu", "gpus_per_node"},
    .function = [](Power utility_power, double power_usage_effectiveness, Power it_power_per_gpu,
                   Count gpus_per_node) -> Result<Count> {
      if (auto wrong =
              violated({not_negative("utility_power", utility_power),
                        at_least("power_usage_effectiveness", power_usage_effectiveness, 1),
                        above_zero("it_power_per_gpu", it_power_per_gpu), at_least("gpus_per_node", gpus_per_node, 1)}))
        return *wrong;
      return counted_whole(
          1.0 * gpus_per_node *
          whole_at_most(whole_at_most(utility_power / power_usage_effectiveness / it_power_per_gpu) / gpus_per_node));
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Power, double, Power, Count, double, double> facility_power_gpu_limit{
    .name = "facility_power_gpu_limit",
    .text = "gpus_per_node * floor(facility_power / power_usage_effectiveness / (node_power * (1 + "
            "network_power_fraction + storage_power_fraction)))",
    .source = "power envelope arithmetic",
    .parameters = {"facility_power", "power_usage_effectiveness", "node_power", "gpus_per_node",
                   "network_power_fraction", "storage_power_fraction"},
    .function = [](Power facility_power, double power_usage_effectiveness, Power node_power, Count gpus_per_node,
                   double network_power_fraction, double storage_power_fraction) -> Result<Count> {
      if (auto wrong = violated({not_negative("facility_power", facility_power),
                                 at_least("power_usage_effectiveness", power_usage_effectiveness, 1),
                                 above_zero("node_power", node_power), at_least("gpus_per_node", gpus_per_node, 1),
                                 not_negative("network_power_fraction", network_power_fraction),
                                 not_negative("storage_power_fraction", storage_power_fraction)}))
        return *wrong;
      return counted_whole(1.0 * gpus_per_node *
                           whole_at_most(facility_power / power_usage_effectiveness /
                                         (node_power * (1.0 + network_power_fraction + storage_power_fraction))));
    },
    .monotone = Monotone::mixed,
};

// Density upgrade

constinit const Formula<Power, Count, Power, Power, double> density_upgrade_extra_power{
    .name = "density_upgrade_extra_power",
    .text = "racks * (new_rack_power - old_rack_power) * power_usage_effectiveness",
    .source = "difference of rack powers",
    .parameters = {"racks", "old_rack_power", "new_rack_power", "power_usage_effectiveness"},
    .function = [](Count racks, Power old_rack_power, Power new_rack_power,
                   double power_usage_effectiveness) -> Result<Power> {
      if (auto wrong = violated({not_negative("racks", racks), not_negative("old_rack_power", old_rack_power),
                                 not_negative("new_rack_power", new_rack_power),
                                 at_least("power_usage_effectiveness", power_usage_effectiveness, 1)}))
        return *wrong;
      return racks * (new_rack_power - old_rack_power) * power_usage_effectiveness;
    },
    .monotone = Monotone::mixed,
};

// Facility feed

constinit const Formula<Power, Count, Power, double, double> facility_power{
    .name = "facility_power",
    .text = "nodes * node_power * (1 + other_it_power_fraction) * power_usage_effectiveness",
    .source = "sum of loads times PUE",
    .parameters = {"nodes", "node_power", "other_it_power_fraction", "power_usage_effectiveness"},
    .function = [](Count nodes, Power node_power, double other_it_power_fraction,
                   double power_usage_effectiveness) -> Result<Power> {
      if (auto wrong = violated({not_negative("nodes", nodes), not_negative("node_power", node_power),
                                 not_negative("other_it_power_fraction", other_it_power_fraction),
                                 at_least("power_usage_effectiveness", power_usage_effectiveness, 1)}))
        return *wrong;
      return nodes * node_power * (1.0 + other_it_power_fraction) * power_usage_effectiveness;
    },
};

// Further parts of the models

constinit const Formula<double, Power, Power> power_usage_effectiveness{
    .name = "power_usage_effectiveness",
    .text = "facility_power / it_power",
    .source = "The Green Grid, ISO/IEC 30134-2",
    .parameters = {"facility_power", "it_power"},
    .function = [](Power facility_power, Power it_power) -> Result<double> {
      if (auto wrong = violated({not_negative("facility_power", facility_power), above_zero("it_power", it_power)}))
        return *wrong;
      if (facility_power < it_power)
        return not_applicable(fmt::format("facility_power must be at least the it_power, {:.6g} W; it is {:.6g} W",
                                          in_watts(it_power), in_watts(facility_power)));
      return facility_power / it_power;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Power, double> chain_input_power{
    .name = "chain_input_power",
    .text = "output_power / efficiency",
    .source = "efficiency",
    .parameters = {"output_power", "efficiency"},
    .function = [](Power output_power, double efficiency) -> Result<Power> {
      if (auto wrong = violated({not_negative("output_power", output_power), positive_share("efficiency", efficiency)}))
        return *wrong;
      return output_power / efficiency;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Power, double> chain_loss{
    .name = "chain_loss",
    .text = "output_power / efficiency - output_power",
    .source = "efficiency",
    .parameters = {"output_power", "efficiency"},
    .function = [](Power output_power, double efficiency) -> Result<Power> {
      if (auto wrong = violated({not_negative("output_power", output_power), positive_share("efficiency", efficiency)}))
        return *wrong;
      return output_power / efficiency - output_power;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Power, Power> headroom_share{
    .name = "headroom_share",
    .text = "1 - load / rating",
    .source = "ratio",
    .parameters = {"load", "rating"},
    .function = [](Power load, Power rating) -> Result<double> {
      if (auto wrong = violated({not_negative("load", load), above_zero("rating", rating)})) return *wrong;
      return 1.0 - load / rating;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<double, Power, Power> load_share{
    .name = "load_share",
    .text = "load / rating",
    .source = "ratio",
    .parameters = {"load", "rating"},
    .function = [](Power load, Power rating) -> Result<double> {
      if (auto wrong = violated({not_negative("load", load), above_zero("rating", rating)})) return *wrong;
      return load / rating;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Power, Count, Count> feed_load_after_loss{
    .name = "feed_load_after_loss",
    .text = "load / (feeds - lost_feeds)",
    .source = "even split over live cords",
    .parameters = {"load", "feeds", "lost_feeds"},
    .function = [](Power load, Count feeds, Count lost_feeds) -> Result<Power> {
      if (auto wrong = violated(
              {not_negative("load", load), at_least("feeds", feeds, 1), not_negative("lost_feeds", lost_feeds)}))
        return *wrong;
      if (lost_feeds >= feeds)
        return not_applicable(
            fmt::format("lost_feeds must be below the number of feeds, {}; it is {}", feeds, lost_feeds));
      return load / (feeds - lost_feeds);
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Power, Power, Power, double> transformer_loss{
    .name = "transformer_loss",
    .text = "no_load_loss + load_loss_at_rating * load_fraction ^ 2",
    .source = "IEC 60076: no-load loss plus load loss by the square of the load",
    .parameters = {"no_load_loss", "load_loss_at_rating", "load_fraction"},
    .function = [](Power no_load_loss, Power load_loss_at_rating, double load_fraction) -> Result<Power> {
      if (auto wrong = violated({not_negative("no_load_loss", no_load_loss),
                                 not_negative("load_loss_at_rating", load_loss_at_rating),
                                 not_negative("load_fraction", load_fraction)}))
        return *wrong;
      return no_load_loss + load_loss_at_rating * (load_fraction * load_fraction);
    },
};

constinit const Formula<Current, Power, Voltage> direct_current{
    .name = "direct_current",
    .text = "power / voltage",
    .source = "P = U I",
    .parameters = {"power", "voltage"},
    .function = [](Power power, Voltage voltage) -> Result<Current> {
      if (auto wrong = violated({not_negative("power", power), above_zero("voltage", voltage)})) return *wrong;
      return power / voltage;
    },
    .monotone = Monotone::mixed,
};

constinit const Formula<Energy, Power, Time> energy_drawn{
    .name = "energy_drawn",
    .text = "mean_power * duration",
    .source = "power times time",
    .parameters = {"mean_power", "duration"},
    .function = [](Power mean_power, Time duration) -> Result<Energy> {
      if (auto wrong = violated({not_negative("mean_power", mean_power), not_negative("duration", duration)}))
        return *wrong;
      return mean_power * duration;
    },
};

constinit const Formula<Time, Energy, Power> storage_ride_through{
    .name = "storage_ride_through",
    .text = "usable_energy / load",
    .source = "energy over power",
    .parameters = {"usable_energy", "load"},
    .function = [](Energy usable_energy, Power load) -> Result<Time> {
      if (auto wrong = violated({not_negative("usable_energy", usable_energy), above_zero("load", load)}))
        return *wrong;
      return usable_energy / load;
    },
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> power_formulas() {
  return {
      any(utility_power_gpu_limit),
      any(facility_power_gpu_limit),
      any(density_upgrade_extra_power),
      any(facility_power),
      any(power_usage_effectiveness),
      any(chain_input_power),
      any(chain_loss),
      any(headroom_share),
      any(load_share),
      any(feed_load_after_loss),
      any(transformer_loss),
      any(direct_current),
      any(energy_drawn),
      any(storage_ride_through),
  };
}

} // namespace hallwright
