// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/step_load_swing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "quantity/text.h"

namespace hallwright {
namespace {

std::string swing_text(Power p) { return format_quantity(in_watts(p), kind::power).joined(); }

std::optional<std::string> wrong_rhythm(const TrainingRhythm& r) {
  const auto share = [](const char* name, double v) -> std::optional<std::string> {
    if (v >= 0.0 && v <= 1.0) return std::nullopt;
    return fmt::format("{} must be 0 to 100 %; it is {:.6g} %", name, v * 100.0);
  };
  if (r.racks < 1) return fmt::format("The number of racks must be 1 or more; it is {}", r.racks);
  if (!(in_watts(r.rack_power) > 0.0) || !std::isfinite(in_watts(r.rack_power)))
    return fmt::format("The power of a rack must be above 0 W; it is {:.6g} W", in_watts(r.rack_power));
  if (auto w = share("The power while communicating", r.communication_share)) return w;
  if (auto w = share("The power at a stall", r.idle_share)) return w;
  if (!(in_seconds(r.step) > 0.0) || !std::isfinite(in_seconds(r.step)))
    return fmt::format("The step time must be above 0 s; it is {:.6g} s", in_seconds(r.step));
  if (!(r.exposed_communication >= Time{} && r.exposed_communication <= r.step))
    return fmt::format("The exposed communication must be 0 s to the step of {:.6g} s; it is {:.6g} s",
                       in_seconds(r.step), in_seconds(r.exposed_communication));
  if (!(in_seconds(r.edge) > 0.0)) return fmt::format("The edge must be above 0 s; it is {:.6g} s", in_seconds(r.edge));
  if (!(r.checkpoint_interval >= Time{}))
    return fmt::format("The checkpoint interval must be 0 s or more; it is {:.6g} s",
                       in_seconds(r.checkpoint_interval));
  if (!(r.checkpoint_stall >= Time{} && r.checkpoint_stall <= r.checkpoint_interval))
    return fmt::format("The checkpoint stall must be 0 s to the interval of {:.6g} s; it is {:.6g} s",
                       in_seconds(r.checkpoint_interval), in_seconds(r.checkpoint_stall));
  if (!(in_watts(r.steady) >= 0.0))
    return fmt::format("The steady power must be 0 W or more; it is {:.6g} W", in_watts(r.steady));
  return std::nullopt;
}

struct SwingLevels {
  double high = 0.0, waiting = 0.0, stalled = 0.0; // [W], of all racks and what is steady
};
SwingLevels levels_of(const TrainingRhythm& r) {
  const double racks = static_cast<double>(r.racks) * in_watts(r.rack_power), steady = in_watts(r.steady);
  return {steady + racks, steady + racks * r.communication_share, steady + racks * r.idle_share};
}

/// A dip from `high` to `low` for `length` beginning at `from`, with edges of `edge` inside it (shorter where they do
/// not fit).
void dip(std::vector<TracePoint>& points, double from, double length, double edge, double high, double low) {
  if (length <= 0.0) return;
  const double e = std::min(edge, length / 2.0);
  points.push_back({seconds(from), watts(high)});
  points.push_back({seconds(from + e), watts(low)});
  if (length > 2.0 * e) points.push_back({seconds(from + length - e), watts(low)});
  points.push_back({seconds(from + length), watts(high)});
}
void begin_trace(std::vector<TracePoint>& points, double high) { points.push_back({Time{}, watts(high)}); }
void end_trace(PowerTrace& trace, double period, double high) {
  if (in_seconds(trace.points.back().at) < period) trace.points.push_back({seconds(period), watts(high)});
  trace.period = seconds(period);
}
/// Integral of the power over the trace [J].
double energy_of(const PowerTrace& t) {
  double sum = 0.0;
  for (std::size_t i = 1; i < t.points.size(); ++i)
    sum += (in_watts(t.points[i].power) + in_watts(t.points[i - 1].power)) / 2.0 *
           in_seconds(t.points[i].at - t.points[i - 1].at);
  return sum;
}
/// How far the stored energy of a battery that holds the source at the mean moves, and what goes through it [J].
struct StoredSwing {
  double span = 0.0, through = 0.0, power = 0.0;
};
StoredSwing storage_of(const PowerTrace& t) {
  const double mean = in_watts(t.mean());
  double level = 0.0, high = 0.0, low = 0.0, out = 0.0, most = 0.0;
  const auto piece = [&](double a, double b, double dt) { // of one sign
    const double e = (a + b) / 2.0 * dt;
    level -= e;
    if (e > 0.0) out += e;
    high = std::max(high, level);
    low = std::min(low, level);
  };
  for (std::size_t i = 1; i < t.points.size(); ++i) {
    const double a = in_watts(t.points[i - 1].power) - mean, b = in_watts(t.points[i].power) - mean;
    const double dt = in_seconds(t.points[i].at - t.points[i - 1].at);
    most = std::max({most, std::abs(a), std::abs(b)});
    if (a * b < 0.0) {
      const double cut = dt * a / (a - b);
      piece(a, 0.0, cut);
      piece(0.0, b, dt - cut);
    } else {
      piece(a, b, dt);
    }
  }
  return {high - low, out, most};
}

} // namespace

Power PowerTrace::at(Time time) const {
  if (points.empty()) return {};
  const double p = in_seconds(period);
  double t = p > 0.0 ? std::fmod(in_seconds(time), p) : 0.0;
  if (t < 0.0) t += p;
  const auto after = std::upper_bound(points.begin(), points.end(), t,
                                      [](double v, const TracePoint& x) { return v < in_seconds(x.at); });
  if (after == points.begin()) return points.front().power;
  if (after == points.end()) return points.back().power;
  const TracePoint &a = *(after - 1), &b = *after;
  const double dt = in_seconds(b.at - a.at);
  return dt > 0.0 ? a.power + (t - in_seconds(a.at)) / dt * (b.power - a.power) : b.power;
}
Power PowerTrace::largest() const {
  Power out{};
  for (const TracePoint& p : points)
    out = std::max(out, p.power);
  return out;
}
Power PowerTrace::smallest() const {
  Power out = points.empty() ? Power{} : points.front().power;
  for (const TracePoint& p : points)
    out = std::min(out, p.power);
  return out;
}
Power PowerTrace::mean() const {
  return in_seconds(period) > 0.0 ? watts(energy_of(*this) / in_seconds(period)) : Power{};
}
Power PowerTrace::largest_change(Time within) const {
  // The power is straight between points, so the largest change has a point at one end: the other is a point, too, or
  // as far away as allowed.
  double most = 0.0;
  const double w = in_seconds(within), p = in_seconds(period);
  if (points.size() < 2 || !(w > 0.0)) return {};
  if (w >= p) return largest() - smallest();
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const double from = in_seconds(points[i].at), power = in_watts(points[i].power);
    most = std::max({most, std::abs(in_watts(at(seconds(from + w))) - power),
                     std::abs(in_watts(at(seconds(from - w + p))) - power)});
    for (std::size_t k = i + 1; k < i + points.size(); ++k) {
      const TracePoint& other = points[k % (points.size() - 1)];
      const double distance = in_seconds(other.at) - from + (k >= points.size() - 1 ? p : 0.0);
      if (distance > w) break;
      most = std::max(most, std::abs(in_watts(other.power) - power));
    }
  }
  return watts(most);
}
double PowerTrace::steepest() const {
  double out = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (const double dt = in_seconds(points[i].at - points[i - 1].at); dt > 0.0)
      out = std::max(out, std::abs(in_watts(points[i].power - points[i - 1].power)) / dt);
  return out;
}

tl::expected<PowerTrace, std::string> step_trace(const TrainingRhythm& r) {
  if (auto wrong = wrong_rhythm(r)) return tl::make_unexpected(*wrong);
  const SwingLevels l = levels_of(r);
  PowerTrace t;
  const double step = in_seconds(r.step), exposed = in_seconds(r.exposed_communication);
  begin_trace(t.points, l.high);
  dip(t.points, step - exposed, exposed, in_seconds(r.edge), l.high, l.waiting);
  end_trace(t, step, l.high);
  return t;
}

tl::expected<PowerTrace, std::string> checkpoint_trace(const TrainingRhythm& r, Count most_steps) {
  if (auto wrong = wrong_rhythm(r)) return tl::make_unexpected(*wrong);
  if (!(in_seconds(r.checkpoint_interval) > 0.0))
    return tl::make_unexpected(std::string("No checkpoints are written: the checkpoint interval is 0 s"));
  const auto one = step_trace(r);
  const SwingLevels l = levels_of(r);
  const double step = in_seconds(r.step), exposed = in_seconds(r.exposed_communication),
               stall = in_seconds(r.checkpoint_stall);
  const auto steps =
      std::max<Count>(1, static_cast<Count>(std::floor((in_seconds(r.checkpoint_interval) - stall) / step + 1e-9)));
  const Count drawn = std::max<Count>(2, most_steps), each = drawn / 2;
  PowerTrace t;
  begin_trace(t.points, l.high);
  for (Count k = 0; k < steps; ++k) {
    const double from = static_cast<double>(k) * step;
    if (steps > drawn && k == each) { // a level stretch in their place
      const double mean = in_watts(one->mean());
      const double until = static_cast<double>(steps - each) * step;
      t.points.push_back({seconds(from), watts(mean)});
      t.points.push_back({seconds(until), watts(mean)});
      t.points.push_back({seconds(until), watts(l.high)});
      k = steps - each - 1;
      continue;
    }
    dip(t.points, from + step - exposed, exposed, in_seconds(r.edge), l.high, l.waiting);
    if (exposed <= 0.0 && k + 1 == steps) break;
  }
  const double until = static_cast<double>(steps) * step;
  dip(t.points, until, stall, in_seconds(r.edge), l.high, l.stalled);
  end_trace(t, until + stall, l.high);
  return t;
}

tl::expected<StepLoadSwing, std::string> step_load_swing(const TrainingRhythm& r,
                                                         const std::vector<SwingLimit>& limits) {
  const auto steps = step_trace(r);
  if (!steps) return tl::make_unexpected(steps.error());
  const SwingLevels l = levels_of(r);
  StepLoadSwing out;
  out.steps = *steps;
  out.step_swing = out.steps.largest() - out.steps.smallest();
  out.step_frequency = 1.0 / r.step;
  out.steepest = out.steps.steepest();
  out.mean = out.steps.mean();
  out.largest = watts(l.high);
  out.smallest = out.steps.smallest();
  if (in_seconds(r.checkpoint_interval) > 0.0 && in_seconds(r.checkpoint_stall) > 0.0) {
    out.checkpoints = *checkpoint_trace(r);
    out.checkpoint_swing = watts(l.high - l.stalled);
    out.smallest = std::min(out.smallest, out.checkpoints.smallest());
    out.mean = out.checkpoints.mean();
    for (std::size_t i = 1; i < out.checkpoints.points.size(); ++i)
      if (const double dt = in_seconds(out.checkpoints.points[i].at - out.checkpoints.points[i - 1].at); dt > 0.0)
        out.steepest =
            std::max(out.steepest,
                     std::abs(in_watts(out.checkpoints.points[i].power - out.checkpoints.points[i - 1].power)) / dt);
  }
  for (const SwingLimit& limit : limits) {
    SwingVerdict v;
    v.name = limit.name;
    if (!(in_seconds(limit.window) > 0.0)) {
      v.too_much = true;
      v.sentence =
          fmt::format("The window of {} must be above 0 s; it is {:.6g} s", limit.name, in_seconds(limit.window));
      out.verdicts.push_back(std::move(v));
      continue;
    }
    Power change = out.steps.largest_change(limit.window);
    if (!out.checkpoints.points.empty()) change = std::max(change, out.checkpoints.largest_change(limit.window));
    const double ramp = in_watts(change) / in_seconds(limit.window);
    const double hertz = 1.0 / in_seconds(r.step);
    const bool in_band =
        out.step_frequency >= limit.band_low && out.step_frequency <= limit.band_high && in_watts(out.step_swing) > 0.0;
    std::string sentence;
    const auto add = [&](bool bad, std::string words) {
      if (bad == v.too_much)
        sentence += (sentence.empty() ? "" : "; ") + words;
      else if (bad)
        sentence = std::move(words); // what is too much is told, and not what is fine
      v.too_much = v.too_much || bad;
    };
    if (limit.step)
      add(change > *limit.step, fmt::format("the job changes by {} within {:.3g} s; {} takes {}", swing_text(change),
                                            in_seconds(limit.window), limit.name, swing_text(*limit.step)));
    if (limit.ramp)
      add(ramp > *limit.ramp, fmt::format("the job changes by {} a second; {} follows {}", swing_text(watts(ramp)),
                                          limit.name, swing_text(watts(*limit.ramp))));
    if (limit.band_swing)
      add(in_band && out.step_swing > *limit.band_swing,
          in_band ? fmt::format("the steps swing by {} at {:.3g} Hz; {} allows {} between {:.3g} and {:.3g} Hz",
                                swing_text(out.step_swing), hertz, limit.name, swing_text(*limit.band_swing),
                                1.0 / in_seconds(1.0 / limit.band_low), 1.0 / in_seconds(1.0 / limit.band_high))
                  : fmt::format("the steps swing at {:.3g} Hz, outside the band of {}", hertz, limit.name));
    if (sentence.empty()) sentence = fmt::format("{} states no limit", limit.name);
    v.sentence = std::move(sentence);
    if (v.sentence[0] == 't') v.sentence[0] = 'T';
    out.verdicts.push_back(std::move(v));
  }
  return out;
}

tl::expected<SmoothingOption, std::string> battery_smoothing(const TrainingRhythm& r, double round_trip_efficiency,
                                                             bool bridges_checkpoints) {
  if (!(round_trip_efficiency > 0.0 && round_trip_efficiency <= 1.0))
    return tl::make_unexpected(fmt::format(
        "The round-trip efficiency must be above 0 and at most 100 %; it is {:.6g} %", round_trip_efficiency * 100.0));
  const auto steps = step_trace(r);
  if (!steps) return tl::make_unexpected(steps.error());
  const bool writes = in_seconds(r.checkpoint_interval) > 0.0 && in_seconds(r.checkpoint_stall) > 0.0;
  const bool whole = bridges_checkpoints && writes;
  PowerTrace trace = *steps;
  if (whole) trace = *checkpoint_trace(r);
  const StoredSwing s = storage_of(trace);
  const SwingLevels l = levels_of(r);
  SmoothingOption o;
  o.name = whole ? "battery, steps and checkpoints" : "battery, steps";
  o.storage_power = watts(s.power);
  o.storage_energy = joules(s.span);
  o.mean_extra = watts(s.through * (1.0 / round_trip_efficiency - 1.0) / in_seconds(trace.period));
  o.checkpoint_swing_after = writes && !whole ? watts(std::max(0.0, in_watts(steps->mean()) - l.stalled)) : Power{};
  o.cycles_per_day = s.span > 0.0 ? s.through / s.span * 86400.0 / in_seconds(trace.period) : 0.0;
  o.sentence =
      fmt::format("A battery of {:.3g} kWh and {} holds the source at {}; its losses take {} and it cycles {:.0f} "
                  "times a day",
                  s.span / 3.6e6, swing_text(o.storage_power), swing_text(trace.mean()), swing_text(o.mean_extra),
                  o.cycles_per_day);
  return o;
}

tl::expected<SmoothingOption, std::string> floor_smoothing(const TrainingRhythm& r, double floor_share) {
  if (!(floor_share >= 0.0 && floor_share <= 1.0))
    return tl::make_unexpected(fmt::format("The floor must be 0 to 100 %; it is {:.6g} %", floor_share * 100.0));
  TrainingRhythm held = r;
  held.communication_share = std::max(r.communication_share, floor_share);
  held.idle_share = std::max(r.idle_share, floor_share);
  const auto before = step_load_swing(r, {}), after = step_load_swing(held, {});
  if (!before) return tl::make_unexpected(before.error());
  if (!after) return tl::make_unexpected(after.error());
  SmoothingOption o;
  o.name = "floor by dummy work";
  o.swing_after = after->step_swing;
  o.checkpoint_swing_after = after->checkpoint_swing;
  o.mean_extra = after->mean - before->mean;
  o.sentence = fmt::format(
      "A floor of {:.0f} % cuts the swing of the steps from {} to {} and takes {} more on the mean",
      floor_share * 100.0, swing_text(before->step_swing), swing_text(after->step_swing), swing_text(o.mean_extra));
  return o;
}

tl::expected<SmoothingOption, std::string> staggered_smoothing(const TrainingRhythm& r, Count groups) {
  if (groups < 1) return tl::make_unexpected(fmt::format("The number of groups must be 1 or more; it is {}", groups));
  const auto steps = step_trace(r);
  if (!steps) return tl::make_unexpected(steps.error());
  // The sum is straight between the shifted points of all groups.
  double high = -std::numeric_limits<double>::infinity(), low = -high;
  const double period = in_seconds(steps->period), shift = period / static_cast<double>(groups);
  for (const TracePoint& p : steps->points) {
    double sum = 0.0;
    for (Count g = 0; g < groups; ++g) // every other group's shift is a shift of this point
      sum += in_watts(steps->at(seconds(in_seconds(p.at) + static_cast<double>(g) * shift)));
    sum /= static_cast<double>(groups);
    high = std::max(high, sum);
    low = std::min(low, sum);
  }
  const SwingLevels l = levels_of(r);
  SmoothingOption o;
  o.name = fmt::format("staggered in {} groups", groups);
  o.swing_after = watts(std::max(0.0, high - low));
  o.checkpoint_swing_after = in_seconds(r.checkpoint_interval) > 0.0 && in_seconds(r.checkpoint_stall) > 0.0
                                 ? watts((l.high - l.stalled) / static_cast<double>(groups))
                                 : Power{};
  o.sentence =
      fmt::format("{} groups, shifted against each other, swing by {} instead of {}; it costs no power, and the "
                  "groups must not wait for each other",
                  groups, swing_text(o.swing_after), swing_text(steps->largest() - steps->smallest()));
  return o;
}

} // namespace hallwright
