// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "cooling/facility_loop.h"
#include "cooling/facility_water.h"
#include "cooling/loop_failures.h"
#include "cooling/loop_results.h"
#include "output.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct CoolingSweepArguments : ProjectArguments {
  bool json = false;
  std::size_t top = 0; ///< 0: all
};

const char* kind_word(LoopFailureKind kind) {
  switch (kind) {
  case LoopFailureKind::unit:
    return "unit";
  case LoopFailureKind::pump:
    return "pump";
  case LoopFailureKind::section:
    return "section";
  case LoopFailureKind::rack_valve:
    return "rack_valve";
  case LoopFailureKind::facility:
    return "facility";
  }
  return "";
}

/// A failure with the loop that it belongs to.
struct SweptCase {
  const DrawnLoop* loop = nullptr;
  const LoopFailure* failure = nullptr;
};

std::string rack_word(const DrawnLoop& loop, Id rack) {
  for (const LoopRack& r : loop.racks)
    if (r.rack == rack) return r.name;
  return {};
}

std::string unit_word(const DrawnLoop& loop, Id unit) {
  for (const LoopUnit& u : loop.units)
    if (u.unit == unit) return u.name;
  return "a unit";
}

struct SweptLoop {
  Shared<DrawnLoop> loop;
  LoopFailures failures;
  std::string trouble;
};

Json case_json(const SweptCase& c) {
  const LoopFailure& f = *c.failure;
  Json j;
  j["loop"] = c.loop->name;
  j["kind"] = kind_word(f.kind);
  j["name"] = f.name;
  j["id"] = f.thing.id;
  if (f.of_loop != 0) j["of_loop"] = f.of_loop;
  j["holds"] = f.holds;
  j["headroom"] = f.headroom;
  const bool uncooled = f.behind && !f.behind->temperatures_known;
  j["solved"] = f.solved && f.summary.temperatures_known && !uncooled;
  j["trouble"] = f.trouble;
  const bool some = f.solved && f.summary.worst_rack != 0;
  j["worst_rack"] = some ? Json(rack_word(*c.loop, f.summary.worst_rack)) : Json(nullptr);
  j["worst_share"] = some ? Json(f.summary.least_share) : Json(nullptr);
  j["racks_short"] = f.solved ? Json(f.summary.short_racks) : Json(nullptr);
  j["racks_lost"] = f.solved ? Json(uncooled ? f.behind->warm_racks : f.behind ? 0 : f.lost_racks) : Json(nullptr);
  if (c.loop->facility) j["distribution_units_lost"] = f.solved ? Json(f.lost_racks) : Json(nullptr);
  j["racks_warm"] = f.solved ? Json(uncooled ? 0 : f.behind ? f.behind->warm_racks : f.summary.warm_racks) : Json(nullptr);
  if (c.loop->facility) {
    const bool felt = f.behind && f.behind->temperatures_known && f.behind->hottest_rack != 0;
    j["warmest_rack_id"] = felt ? Json(f.behind->hottest_rack) : Json(nullptr);
    j["warmest_supply_c"] = felt ? Json(f.behind->hottest_supply_c) : Json(nullptr);
  }
  j["largest_duty_share"] = f.summary.largest_duty_share > 0.0 ? Json(f.summary.largest_duty_share) : Json(nullptr);
  return j;
}

} // namespace

void add_cooling_sweep_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<CoolingSweepArguments>();
  CLI::App* command = program.add_subcommand(
      "cooling-sweep", "Every single failure of the drawn coolant loops, the least headroom first");
  add_project_arguments(*command, *a);
  command->add_option("--top", a->top, "Print this many at most (default: all)")->type_name("N");
  command->add_flag("--json", a->json, "Write JSON: loops, cases");
  command->footer(
      "Units, single pumps, facility water of a unit, pipe sections and rack valves are each taken out of the healthy\n"
      "state; what is left runs at full speed. Headroom: the least of the share of its need that the worst rack gets,\n"
      "less 1, and of 1 less the largest duty share of a unit at the flow to which a control slows the pumps; at least -1,\n"
      "which is where racks lose all flow; 0 or more where a failure holds, 0 or less where not. Loops of facility water are solved with the loops that hang on them: a failure there holds\n"
      "where no rack gets warmer coolant than its parts take. What of them warms the racks of a loop that hangs on them is told of\n"
      "that loop, too, with the name of the facility water behind it (JSON: of_loop).\n"
      "Ends with 1 where a failure does not hold, or a loop cannot be solved.\n"
      "Examples:\n"
      "  hallwright-cli cooling-sweep hall.hall\n"
      "  hallwright-cli cooling-sweep hall.hall --json");
  command->callback([a, &exit_code] {
    const auto catalog = load_catalog(*a);
    const Evaluation e = evaluate_timed(load_design(*a), catalog).evaluation;
    std::vector<SweptLoop> swept;
    Json loops = Json::array();
    std::string text;
    bool failing = false;
    std::map<Id, FacilityCoupling> couplings; // by loop of facility water
    for (const LoopLook& look : e.loops ? e.loops->loops : std::vector<LoopLook>{}) {
      SweptLoop s;
      s.loop = look.loop;
      Json j;
      j["name"] = look.loop->name;
      j["racks"] = look.loop->racks.size();
      j["units"] = look.loop->units.size();
      j["facility_water"] = look.loop->facility;
      if (!look.loop->solvable()) {
        s.trouble = look.loop->problems.empty() ? "nothing of it is drawn" : look.loop->problems.front().sentence;
      } else {
        LoopSolver solver;
        const auto served = loops_that_hang_on(*e.loops, *look.loop);
        if (auto f = served.empty()
                         ? loop_failures(solver, look.loop, {}, {}, facility_water_at_most(*e.loops, look))
                                    : FacilityCoupling(look.loop, served).failures())
          s.failures = *std::move(f);
        else {
          s.trouble = f.error();
          failing = true;
        }
        // Of the facility water that it hangs on: what reaches it.
        for (const LoopLook& water : e.loops->loops) {
          if (!s.trouble.empty() || water.loop->loop != look.loop->facility_loop || !water.loop->solvable() || !water.steady) continue;
          const auto hang = loops_that_hang_on(*e.loops, *water.loop);
          const auto here = std::find(hang.begin(), hang.end(), look.loop);
          if (here == hang.end()) continue;
          const auto coupling = couplings.try_emplace(water.loop->loop, water.loop, hang).first;
          if (auto felt = coupling->second.failures_felt(static_cast<std::size_t>(here - hang.begin())))
            s.failures.cases.insert(s.failures.cases.end(), felt->begin(), felt->end());
          else {
            s.trouble = felt.error();
            failing = true;
          }
        }
      }
      j["trouble"] = s.trouble;
      j["n"] = s.failures.n;
      j["n_plus_1"] = s.failures.n_plus_1;
      j["two_n"] = s.failures.two_n;
      j["healthy_headroom"] = s.trouble.empty() ? Json(s.failures.healthy_headroom) : Json(nullptr);
      loops.push_back(std::move(j));
      if (s.trouble.empty())
        text +=
            fmt::format("{}: {} {}, {} units, headroom {:.1f} % with all running; N {}, N+1 {}, 2N {}\n",
                        look.loop->name, look.loop->racks.size(),
                        look.loop->facility ? "distribution units" : "racks", look.loop->units.size(),
                        s.failures.healthy_headroom * 100.0, s.failures.n ? "holds" : "does not hold",
                        s.failures.n_plus_1 ? "holds" : "does not hold", s.failures.two_n ? "holds" : "does not hold");
      else
        text += fmt::format("{}: {}\n", look.loop->name, s.trouble);
      swept.push_back(std::move(s));
    }
    std::vector<SweptCase> cases;
    for (const SweptLoop& s : swept)
      for (const LoopFailure& f : s.failures.cases) {
        cases.push_back({s.loop.get(), &f});
        failing = failing || !f.holds;
      }
    std::stable_sort(cases.begin(), cases.end(),
                     [](const SweptCase& x, const SweptCase& y) { return x.failure->headroom < y.failure->headroom; });
    if (a->top > 0 && cases.size() > a->top) cases.resize(a->top);
    if (a->json) {
      Json list = Json::array();
      for (const SweptCase& c : cases)
        list.push_back(case_json(c));
      print_json(Json{{"loops", loops}, {"cases", list}});
    } else if (swept.empty()) {
      print("No coolant loop has drawn pipes: there is nothing to sweep.\n");
    } else {
      for (const SweptCase& c : cases) {
        const LoopFailure& f = *c.failure;
        std::string what;
        if (!f.solved)
          what = f.trouble;
        else {
          const auto say = [&](std::string words) { what += (what.empty() ? "" : ", ") + std::move(words); };
          const char* const what_hangs = c.loop->facility ? "distribution units" : "racks"; // of the loop that feels it
          if (f.lost_racks > 0) say(fmt::format("{} {} without flow", f.lost_racks, what_hangs));
          if (f.summary.short_racks > 0) say(fmt::format("{} {} short", f.summary.short_racks, what_hangs));
          if (f.summary.worst_rack != 0)
            say(fmt::format("worst {} with {:.1f} % of its need", rack_word(*c.loop, f.summary.worst_rack),
                            f.summary.least_share * 100.0));
          if (f.summary.largest_duty_share > 1.0 + 1e-3)
            say(fmt::format("{} with {:.0f} % of what it passes on", unit_word(*c.loop, f.summary.busiest_unit),
                            f.summary.largest_duty_share * 100.0));
          if (f.summary.warm_racks > 0)
            say(fmt::format("{} racks with warmer coolant than they take, {:.1f} degC at {}", f.summary.warm_racks,
                            f.summary.hottest_supply_c, rack_word(*c.loop, f.summary.hottest_rack)));
          if (f.behind && !f.behind->temperatures_known)
            say(fmt::format("{} racks lose their cooling", f.behind->warm_racks));
          else if (f.behind && f.behind->warm_racks > 0)
            say(fmt::format("{} racks with warmer coolant than they take, up to {:.1f} degC", f.behind->warm_racks,
                            f.behind->hottest_supply_c));
          if (!f.trouble.empty()) what += "; " + f.trouble;
        }
        text += fmt::format("{:8.1f} %  {:5}  {:10}  {}: {}\n", f.headroom * 100.0, f.holds ? "holds" : "fails",
                            kind_word(f.kind), c.loop->name + ", " + f.name, what);
      }
      print(text);
    }
    exit_code = failing ? reported : fine;
  });
}

} // namespace hallwright::cli
