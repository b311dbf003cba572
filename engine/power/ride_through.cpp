// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/ride_through.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "quantity/text.h"

namespace hallwright {

Time battery_run_time(Time at_rating, double load_share, double exponent) {
  return load_share > 0.0 ? at_rating / std::pow(load_share, exponent) : Time{};
}

tl::expected<RideThrough, std::string> ride_through(const PowerFlow& flow, const std::vector<UpsBattery>& batteries,
                                                    const StandbySource& standby) {
  if (!(in_watts(standby.rating) > 0.0))
    return tl::make_unexpected(
        fmt::format("The rating of the generators must be above 0 W; it is {:.6g} W", in_watts(standby.rating)));
  if (!(standby.step_share > 0.0 && standby.step_share <= 1.0))
    return tl::make_unexpected(fmt::format("The step that generators accept must be above 0 and at most 100 %; it is "
                                           "{:.6g} %",
                                           standby.step_share * 100.0));
  if (!(standby.start >= Time{}) || !(standby.step_pause >= Time{}))
    return tl::make_unexpected(
        fmt::format("The start and the pause between steps must be 0 s or more; they are {:.6g} s "
                    "and {:.6g} s",
                    in_seconds(standby.start), in_seconds(standby.step_pause)));
  const OneLine& line = flow.one_line();
  for (const UpsBattery& b : batteries) {
    if (line.index(b.ups) < 0)
      return tl::make_unexpected(fmt::format("A battery names unit {}, which does not exist", b.ups));
    if (!(b.at_rating >= Time{}) || !(b.exponent >= 1.0 && b.exponent <= 1.5))
      return tl::make_unexpected(
          fmt::format("The battery of {} must last 0 s or more with an exponent of 1 to 1.5; they "
                      "are {:.6g} s and {:.6g}",
                      line.name(b.ups), in_seconds(b.at_rating), b.exponent));
  }
  RideThrough out;
  double inputs = 0.0;
  std::vector<std::pair<UpsRideThrough, double>> rows; // with its input
  for (std::size_t i = 0; i < line.elements().size(); ++i) {
    const OneLineElement& e = line.elements()[i];
    if (e.kind != PowerUnitKind::ups || !flow.live(i) || flow.output_watts(i) <= 0.0) continue;
    if (standby.ups && std::find(standby.ups->begin(), standby.ups->end(), e.id) == standby.ups->end()) continue;
    UpsRideThrough r;
    r.ups = e.id;
    r.load = watts(flow.output_watts(i));
    const auto b = std::find_if(batteries.begin(), batteries.end(), [&](const UpsBattery& x) { return x.ups == e.id; });
    if (b != batteries.end() && std::isfinite(flow.load_share(i)))
      r.battery = battery_run_time(b->at_rating, flow.load_share(i), b->exponent);
    inputs += flow.input_watts(i);
    rows.emplace_back(std::move(r), flow.input_watts(i));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first.battery < b.first.battery; });
  out.generators_carry_all = inputs <= in_watts(standby.rating) * (1.0 + 1e-9);
  const double step = standby.step_share * in_watts(standby.rating);
  double taken = 0.0;
  std::size_t number = 0;
  const bool one = standby.name != StandbySource().name;
  const UpsRideThrough* worst = nullptr;
  for (auto& [r, input] : rows) {
    taken += input;
    ++number;
    const double steps = std::max(1.0, std::ceil(taken / step - 1e-9));
    r.needed = standby.start + (steps - 1.0) * standby.step_pause;
    const bool carried = taken <= in_watts(standby.rating) * (1.0 + 1e-9);
    r.bridged = carried && r.battery >= r.needed;
    const auto power_words = [](double w) { return format_quantity(w, kind::power).joined(); };
    r.sentence = fmt::format("{} runs {:.0f} s on its battery at {}; ", line.name(r.ups), in_seconds(r.battery),
                             power_words(in_watts(r.load)));
    if (carried)
      r.sentence +=
          fmt::format("{} {} it after {:.0f} s", standby.name, one ? "carries" : "carry", in_seconds(r.needed));
    else
      r.sentence += fmt::format("{}, {}, never {} it: {}", standby.name, power_words(in_watts(standby.rating)),
                                one ? "carries" : "carry",
                                number == 1 ? fmt::format("it draws {}", power_words(input))
                                            : fmt::format("with {} UPS that {} fed before it, it draws {}", number - 1,
                                                          number == 2 ? "is" : "are", power_words(taken)));
    out.ups.push_back(r);
  }
  for (const UpsRideThrough& r : out.ups)
    if (!worst || std::pair(r.bridged, in_seconds(r.battery - r.needed)) <
                      std::pair(worst->bridged, in_seconds(worst->battery - worst->needed)))
      worst = &r;
  out.sentence = worst ? worst->sentence : std::string("No UPS carries a load");
  return out;
}

} // namespace hallwright
