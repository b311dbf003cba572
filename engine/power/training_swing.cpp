// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/training_swing.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hallwright {

tl::expected<TrainingRhythm, std::string> training_rhythm(const Figures& figures, const Catalog& catalog) {
  const auto figure = [&](const char* id) {
    const Figure* f = figures.find(id);
    return f && f->has_value() ? f->value : std::nan("");
  };
  const double step = figure("training.step_time"), nodes = figure("load.nodes"), it = figure("load.it");
  const double stall = figure("storage.stall"), interval = figure("reliability.checkpoint_interval");
  if (!(nodes > 0.0))
    return tl::make_unexpected(
        std::string("The power of the compute nodes is not known: draw racks with nodes, or set a goal"));
  if (!(step > 0.0))
    return tl::make_unexpected(
        std::string("The step time is not known: choose a model and a layout of the job that fit the cluster"));
  TrainingRhythm rhythm;
  rhythm.rack_power = watts(nodes);
  rhythm.steady = watts(it > nodes ? it - nodes : 0.0);
  rhythm.step = seconds(step);
  // Every axis whose exposed time stands in the step; without a modelled step none is known.
  double exposed = 0.0;
  for (const char* id : {"training.step.tensor", "training.step.context", "training.step.expert",
                         "training.step.pipeline", "training.step.data"})
    if (const double t = figure(id); t > 0.0) exposed += t;
  rhythm.exposed_communication = seconds(std::min(exposed, step));
  if (interval > 0.0 && stall >= 0.0) {
    rhythm.checkpoint_interval = seconds(interval);
    rhythm.checkpoint_stall = seconds(std::min(stall, interval));
  }
  if (const Assumption* idle = catalog.find<Assumption>("power.node_idle_to_maximum"); idle && idle->value)
    rhythm.idle_share = std::clamp(*idle->value, 0.0, 1.0);
  return rhythm;
}

SwingLimit utility_swing_limit(Power ramp) {
  SwingLimit limit;
  limit.name = "The utility";
  limit.step = ramp;
  limit.window = seconds(60);
  return limit;
}

std::vector<SwingLimit> swing_limits(const Design& design, const OneLine& line, const PowerFlow& normal) {
  std::vector<SwingLimit> out;
  double generators = 0.0;
  std::size_t count = 0;
  bool rated = true;
  for (const OneLineElement& e : line.elements())
    if (e.kind == PowerUnitKind::generator) {
      ++count;
      rated = rated && e.rating_w > 0.0;
      generators += e.rating_w;
    }
  if (count > 0 && rated) {
    SwingLimit limit;
    limit.name = count == 1 ? std::string("The generator") : fmt::format("The {} generators together", count);
    limit.step = watts(design.power_plant->generator_step_share * generators);
    out.push_back(std::move(limit));
  }
  // UPS follow a step of the load as long as their rating is not passed: what the mean leaves.
  double ups = 0.0, carried = 0.0;
  for (std::size_t i = 0; i < line.elements().size(); ++i)
    if (line.elements()[i].kind == PowerUnitKind::ups && line.elements()[i].rating_w > 0.0) {
      ups += line.elements()[i].rating_w;
      carried += normal.output_watts(i);
    }
  if (ups > carried && carried > 0.0) {
    SwingLimit limit;
    limit.name = "All UPS together";
    limit.step = watts(ups - carried);
    limit.window = seconds(0.1);
    out.push_back(std::move(limit));
  }
  if (design.power_plant->utility_ramp) out.push_back(utility_swing_limit(*design.power_plant->utility_ramp));
  return out;
}

std::vector<LoadDuration> load_duration(const PowerTrace& trace, std::size_t points) {
  std::vector<LoadDuration> out;
  const double period = in_seconds(trace.period);
  if (trace.points.size() < 2 || !(period > 0.0) || points < 2) return out;
  const double low = in_watts(trace.smallest()), high = in_watts(trace.largest());
  for (std::size_t k = 0; k < points; ++k) {
    const double level = high - (high - low) * static_cast<double>(k) / static_cast<double>(points - 1);
    double above = 0.0;
    for (std::size_t i = 1; i < trace.points.size(); ++i) {
      const double a = in_watts(trace.points[i - 1].power), b = in_watts(trace.points[i].power);
      const double time = in_seconds(trace.points[i].at - trace.points[i - 1].at);
      const double least = std::min(a, b), most = std::max(a, b);
      above += least >= level ? time : most < level || most == least ? 0.0 : time * (most - level) / (most - least);
    }
    out.push_back({std::clamp(above / period, 0.0, 1.0), watts(level)});
  }
  return out;
}

} // namespace hallwright
