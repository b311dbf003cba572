// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_balance.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hallwright {
namespace {

constexpr double settled_spread = 2e-3; ///< of the shares of need
constexpr int most_rounds = 60;
constexpr double valve_steps = 1e4; ///< openings are given to a ten-thousandth

double most_head_pa(const LoopSolution& s) {
  double out = 0.0;
  for (const UnitWork& u : s.units)
    if (u.running) out = std::max(out, u.head_pa);
  return out;
}
double rounded_opening(double share) { return std::clamp(std::round(share * valve_steps) / valve_steps, 1.0 / valve_steps, 1.0); }

} // namespace

bool LoopBalance::changes() const {
  return std::any_of(racks.begin(), racks.end(),
                     [](const RackBalance& r) { return std::abs(r.valve_before - r.valve_after) > 1e-9; });
}

tl::expected<LoopBalance, std::string> balance_racks(const Shared<DrawnLoop>& loop, const std::vector<Rack>& racks,
                                                     const LoopOperation& operation) {
  if (!loop || !loop->solvable()) return tl::unexpected(std::string("No pipes join racks and units of this loop"));
  if (loop->facility)
    return tl::unexpected("Loop '" + loop->name + "' carries facility water: its units hold their flows themselves");
  if (std::any_of(loop->racks.begin(), loop->racks.end(), [](const LoopRack& r) { return r.valve >= 0; }))
    return tl::unexpected("The valves of loop '" + loop->name + "' hold each rack to its need: nothing is to be balanced");
  const double open_loss = LoopEstimates{}.valve_loss;
  LoopBalance out;
  out.loop = loop->loop;
  LoopSolver solver;
  auto before = solver.solve(loop, operation);
  if (!before) return tl::unexpected(before.error());
  const std::size_t n = loop->racks.size();
  std::vector<double> loss(n, open_loss), other(n, 0.0); // of the valve, and of what else is on the return hose
  std::vector<char> shut(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const LoopRack& r = loop->racks[i];
    const Rack* drawn = find(racks, r.rack);
    if (!drawn) return tl::unexpected(fmt::format("The design has no rack with id {}", r.rack));
    const double share = drawn->coolant_valve;
    shut[i] = !(share > 0.0) || !before->racks[i].flowing;
    const double now = share > 0.0 && share < 1.0 ? open_loss / (share * share) : open_loss;
    other[i] = loop->network.links[r.return_hose].minor_loss - now;
    out.racks.push_back({r.rack, share, share, r.need_m3_per_s, before->racks[i].flow_m3_per_s, 0.0});
  }
  const auto with_losses = [&] {
    DrawnLoop next = *loop;
    for (std::size_t i = 0; i < n; ++i)
      if (!shut[i]) next.network.links[next.racks[i].return_hose].minor_loss = other[i] + loss[i];
    return share(std::move(next));
  };
  // Pressure that hits a hose at its velocity: a loss coefficient of 1.
  const auto dynamic = [&](const RackFlow& f) {
    return 0.5 * loop->density_kg_per_m3 * f.hose_velocity_m_per_s * f.hose_velocity_m_per_s;
  };
  bool settled = false;
  for (int round = 0; round < most_rounds && !settled; ++round) {
    auto s = solver.solve(with_losses(), operation);
    if (!s) return tl::unexpected(s.error());
    if (!(s->least_share > 0.0)) return tl::unexpected("No coolant flows in loop '" + loop->name + "'");
    settled = s->spread <= settled_spread;
    if (settled) break;
    // Each branch takes as much more as its flow is beyond the share of the worst.
    double spare = 1e300;
    std::vector<double> wanted(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const RackFlow& f = s->racks[i];
      if (shut[i] || !f.flowing) continue;
      const double ratio = f.share / s->least_share;
      wanted[i] = loss[i] + f.drop_pa / dynamic(f) * (ratio * ratio - 1.0);
      spare = std::min(spare, (wanted[i] - open_loss) * dynamic(f) / (ratio * ratio));
    }
    // What all valves have in common is left to the pumps.
    for (std::size_t i = 0; i < n; ++i) {
      const RackFlow& f = s->racks[i];
      if (shut[i] || !f.flowing) continue;
      const double ratio = f.share / s->least_share;
      loss[i] = std::max(open_loss, wanted[i] - spare * ratio * ratio / dynamic(f));
    }
  }
  if (!settled)
    return tl::unexpected(fmt::format("Loop '{}' does not come to equal shares within {} rounds: hoses or pipes of some "
                                      "racks are far too thin",
                                      loop->name, most_rounds));
  for (std::size_t i = 0; i < n; ++i) {
    if (shut[i]) continue;
    out.racks[i].valve_after = rounded_opening(std::sqrt(open_loss / loss[i]));
    const double v = out.racks[i].valve_after;
    loss[i] = open_loss / (v * v);
  }
  auto after = solver.solve(with_losses(), operation);
  if (!after) return tl::unexpected(after.error());
  for (std::size_t i = 0; i < n; ++i)
    out.racks[i].flow_after_m3_per_s = after->racks[i].flow_m3_per_s;
  out.speed_before = before->speed, out.speed_after = after->speed;
  out.flow_before_m3_per_s = before->flow_m3_per_s, out.flow_after_m3_per_s = after->flow_m3_per_s;
  out.head_before_pa = most_head_pa(*before), out.head_after_pa = most_head_pa(*after);
  out.pump_power_before_w = before->pump_power_w, out.pump_power_after_w = after->pump_power_w;
  out.spread_before = before->spread, out.spread_after = after->spread;
  out.enough = after->least_share >= enough_share;
  return out;
}

Edit balance_edit(const LoopBalance& balance, const std::string& loop_name) {
  std::map<Id, double> valves;
  for (const RackBalance& r : balance.racks)
    valves[r.rack] = r.valve_after;
  Edit edit;
  edit.label = "Balance the racks of loop '" + loop_name + "'";
  edit.apply = [valves = std::move(valves)](const Design& before) -> Edited {
    return with_table(before, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
      for (Rack& r : racks)
        if (const auto it = valves.find(r.id); it != valves.end()) r.coolant_valve = it->second;
    });
  };
  return edit;
}

} // namespace hallwright
