// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/checkpoint_formulas.h"

#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<DataRate, Count, DataRate> rate_of_systems{
    .name = "rate_of_systems",
    .text = "systems * rate",
    .source = "rate times amount",
    .parameters = {"systems", "rate"},
    .function = [](Count systems, DataRate rate) -> Result<DataRate> {
      if (auto wrong = violated({not_negative("systems", systems), not_negative("rate", rate)})) return *wrong;
      return systems * rate;
    },
};

constinit const Formula<Bytes, Count, Bytes> capacity_of_systems{
    .name = "capacity_of_systems",
    .text = "systems * capacity",
    .source = "capacity times amount",
    .parameters = {"systems", "capacity"},
    .function = [](Count systems, Bytes capacity) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("systems", systems), not_negative("capacity", capacity)})) return *wrong;
      return systems * capacity;
    },
};

constinit const Formula<Count, Count, Count> systems_in_racks{
    .name = "systems_in_racks",
    .text = "racks * systems_per_rack",
    .source = "count",
    .parameters = {"racks", "systems_per_rack"},
    .function = [](Count racks, Count systems_per_rack) -> Result<Count> {
      if (auto wrong = violated({not_negative("racks", racks), not_negative("systems_per_rack", systems_per_rack)})) return *wrong;
      return counted_whole(1.0 * racks * systems_per_rack);
    },
};

constinit const Formula<Bytes, Bytes, Count> kept_checkpoint_bytes{
    .name = "kept_checkpoint_bytes",
    .text = "checkpoint * kept",
    .source = "retention arithmetic",
    .parameters = {"checkpoint", "kept"},
    .function = [](Bytes checkpoint, Count kept) -> Result<Bytes> {
      if (auto wrong = violated({not_negative("checkpoint", checkpoint), not_negative("kept", kept)})) return *wrong;
      return checkpoint * kept;
    },
};

constinit const Formula<Time, Bytes, Count, DataRate> host_copy_time{
    .name = "host_copy_time",
    .text = "checkpoint / gpus / copy_rate_per_gpu",
    .source = "data over rate; state spread evenly",
    .parameters = {"checkpoint", "gpus", "copy_rate_per_gpu"},
    .function = [](Bytes checkpoint, Count gpus, DataRate copy_rate_per_gpu) -> Result<Time> {
      if (auto wrong = violated({not_negative("checkpoint", checkpoint), at_least("gpus", gpus, 1),
                                 above_zero("copy_rate_per_gpu", copy_rate_per_gpu)}))
        return *wrong;
      return checkpoint / gpus / copy_rate_per_gpu;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

std::vector<AnyFormula> storage_stage_formulas() {
  return {any(rate_of_systems), any(capacity_of_systems), any(systems_in_racks), any(kept_checkpoint_bytes), any(host_copy_time)};
}

} // namespace hallwright
