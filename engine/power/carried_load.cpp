// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/carried_load.h"

#include <cmath>

namespace hallwright {
namespace {

/// How much of what each bus carries runs through one element.
class WayThrough {
public:
  WayThrough(const PowerFlow& flow, std::size_t element)
      : flow_(flow), line_(flow.one_line()), element_(element), bus_(line_.buses().size(), -1.0) {}

  double of_bus(std::size_t bus) {
    if (bus_[bus] >= 0.0) return bus_[bus];
    bus_[bus] = 0.0; // power does not run in circles
    double weights = 0.0, through = 0.0;
    const auto& members = line_.buses()[bus].members;
    for (const std::uint32_t m : members)
      if (flow_.live(m)) weights += line_.weight(m);
    if (weights > 0.0)
      for (const std::uint32_t m : members)
        if (flow_.live(m)) through += line_.weight(m) / weights * (m == element_ ? 1.0 : of_input(m));
    return bus_[bus] = through;
  }
  /// Of what another element takes.
  double of_input(std::size_t element) {
    if (!flow_.live(element)) return 0.0;
    const std::int32_t from = flow_.on_alternate(element) ? line_.alternate(element) : line_.upstream(element);
    return from == OneLine::none ? 0.0 : of_bus(line_.bus_of(static_cast<std::size_t>(from)));
  }

private:
  const PowerFlow& flow_;
  const OneLine& line_;
  std::size_t element_;
  std::vector<double> bus_; ///< below 0: not worked out yet
};

} // namespace

CarriedLoad carried_load(const PowerFlow& flow, std::size_t element,
                         const std::vector<std::map<std::uint32_t, Count>>& classes_of_group) {
  CarriedLoad out;
  if (!flow.live(element)) return out;
  const OneLine& line = flow.one_line();
  WayThrough way(flow, element);
  for (std::size_t g = 0; g < line.groups().size(); ++g) {
    const int live = flow.live_feeds(g);
    if (live == 0) continue;
    double share = 0.0;
    for (const std::int32_t feed : {line.groups()[g].a, line.groups()[g].b})
      if (feed != OneLine::none) share += way.of_bus(line.bus_of(static_cast<std::size_t>(feed))) / live;
    if (share > 0.0)
      for (const auto& [rack_class, racks] : classes_of_group[g])
        out.racks[rack_class] += share * static_cast<double>(racks);
  }
  for (std::size_t m = 0; m < line.elements().size(); ++m) {
    const double through = m == element ? 1.0 : way.of_input(m);
    out.plant_w += through * flow.plant_watts(m);
    if (m != element) out.losses_w += through * flow.loss_watts(m);
  }
  return out;
}

} // namespace hallwright
