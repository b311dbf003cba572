// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/switch_power.h"

#include <tuple>

#include "catalog/traced_part.h"
#include "ledger/formula_range.h"

namespace hallwright {

constinit const Formula<Power, Count, DataRate, double> switch_power_from_capacity{
    .name = "switch_power_from_capacity",
    .text = "ports * port_rate * watts_per_terabit_per_second",
    .source = "draw per capacity of switches that state theirs",
    .parameters = {"ports", "port_rate", "watts_per_terabit_per_second"},
    .function = [](Count ports, DataRate port_rate, double watts_per_terabit_per_second) -> Result<Power> {
      if (auto wrong = violated({not_negative("ports", ports), not_negative("port_rate", port_rate),
                                 not_negative("watts_per_terabit_per_second", watts_per_terabit_per_second)}))
        return *wrong;
      return watts(static_cast<double>(ports) * in_gigabits_per_second(port_rate) * 1e-3 * watts_per_terabit_per_second);
    },
    .estimate = true,
};

Traced<Power> switch_power_by_capacity(Ledger& ledger, const Catalog& catalog, const SwitchPart& part, std::string id, std::string label) {
  static const std::string assumption_id = "power.switch_typical_w_per_tbit_s";
  const Assumption* a = catalog.find<Assumption>(assumption_id);
  const auto per_capacity = ledger.catalog_field<double>("assumption", assumption_id, "value", (a ? a->name : assumption_id) + " [W per Tbit/s]",
                                                         a ? a->source + " (" + a->as_of + ")" : "missing from the catalog", a ? a->value : std::nullopt,
                                                         catalog.overridden.count(std::tuple(std::string("assumption"), assumption_id, std::string("value"))) > 0,
                                                         &kind::ratio);
  return ledger.derive(std::move(id), std::move(label), switch_power_from_capacity, part_value<&SwitchPart::ports>(ledger, catalog, part),
                       part_value<&SwitchPart::port_rate>(ledger, catalog, part), per_capacity);
}

} // namespace hallwright
