// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "output.h"
#include "power/one_line_layout.h"
#include "project_input.h"
#include "quantity/text.h"

namespace hallwright::cli {
namespace {

struct PowerSweepArguments : ProjectArguments {
  bool json = false, pairs = false;
};

bool bad_case(const ContingencyCase& c) {
  return c.racks_dark > 0 || c.racks_short > 0 || !c.overloaded.empty() || !c.cascade.empty();
}

/// What is dark in a state: what goes dark with it, and what is dark in normal operation already.
struct Dark {
  Count racks = 0, gpus = 0;
  double job_share = 0.0, watts = 0.0;
};
Dark dark_in(const OneLineStudy& study, const ContingencyCase& c) {
  Dark dark{c.racks_dark, c.gpus_dark, c.job_share_dark, in_watts(c.dark)};
  if (c.out.empty()) return dark;
  const ContingencyCase& normal = study.single.normal;
  dark.racks += normal.racks_dark;
  dark.gpus += normal.gpus_dark;
  dark.job_share += normal.job_share_dark;
  dark.watts += in_watts(normal.dark);
  return dark;
}

Json case_json(const OneLineStudy& study, const ContingencyCase& c) {
  const auto named_unit = [&](Id id) { return Json{{"id", id}, {"name", study.line.name(id)}}; };
  Json out = Json::array(), cascade = Json::array(), over = Json::array();
  for (const Id id : c.out)
    out.push_back(named_unit(id));
  for (const TrippedElement& t : c.cascade) {
    Json trip = named_unit(t.element);
    trip["round"] = t.round;
    trip["load_share"] = number(t.load_share);
    trip["load"] = number(t.load_w);
    cascade.push_back(std::move(trip));
  }
  for (const Id id : c.overloaded)
    over.push_back(named_unit(id));
  Json worst = nullptr;
  if (c.worst_element != 0) {
    worst = named_unit(c.worst_element);
    worst["headroom"] = number(c.worst_headroom);
    worst["load"] = number(c.worst_load_w);
    worst["load_normal"] = number(c.worst_normal_w);
  }
  return Json{{"out", out},
              {"worst", worst},
              {"overloaded", over},
              {"cascade", cascade},
              {"racks_dark", dark_in(study, c).racks},
              {"gpus_dark", dark_in(study, c).gpus},
              {"job_share_dark", number(dark_in(study, c).job_share)},
              {"power_dark", number(dark_in(study, c).watts)},
              {"plant_dark", number(in_watts(c.plant_dark))},
              {"racks_on_one_feed", c.racks_on_one_feed},
              {"racks_short", c.racks_short},
              {"what", study.contingencies.sentence(c)}};
}

/// Cases by headroom, the smallest first, then by racks that go dark, the most first.
std::vector<std::size_t> worst_first(const std::vector<ContingencyCase>& cases) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto headroom = [&](std::size_t i) {
    return std::isfinite(cases[i].worst_headroom) ? cases[i].worst_headroom : 1e9;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::make_tuple(headroom(a), -cases[a].racks_dark, cases[a].out) <
           std::make_tuple(headroom(b), -cases[b].racks_dark, cases[b].out);
  });
  return order;
}

int sweep(const PowerSweepArguments& a) {
  const Design design = load_design(a);
  const Timed timed = evaluate_timed(design, load_catalog(a));
  const auto& power = timed.evaluation.power;
  if (!power || !power->one_line)
    throw Refusal(refused, fmt::format("{}: there is nothing to fail: {}", a.project,
                                       design.power_units->empty() ? "no power unit is drawn" : "nothing draws power"));
  const OneLineStudy& study = *power->one_line;
  const ContingencySweep pairs =
      a.pairs ? study.contingencies.maintenance_and_failure() : study.contingencies.normal_only();
  const ProvenRedundancy proven = proven_redundancy(study.contingencies, study.single, pairs);
  const std::vector<ContingencyCase>& cases = a.pairs ? pairs.cases : study.single.cases;
  const std::vector<std::size_t> order = worst_first(cases);
  const bool bad = bad_case(study.single.normal) || std::any_of(cases.begin(), cases.end(), bad_case);
  if (a.json) {
    Json list = Json::array();
    for (const std::size_t i : order)
      list.push_back(case_json(study, cases[i]));
    Json issues = Json::array();
    for (const OneLineIssue& issue : study.line.issues())
      issues.push_back(issue.sentence);
    Json out{{"units", study.line.elements().size()},
             {"racks", study.line.loads().size()},
             {"normal", case_json(study, study.single.normal)},
             {a.pairs ? "maintenance_and_failure" : "single_failures", list},
             {"survives_any_failure", proven.survives_any_failure},
             {"survives_a_side", proven.survives_a_side},
             {"why", proven.why},
             {"issues", issues}};
    if (a.pairs) {
      out["survives_maintenance"] = proven.survives_maintenance;
      out["independent_pairs"] = pairs.independent;
    }
    print_json(out);
    return bad ? reported : fine;
  }
  std::string text = study.contingencies.sentence(study.single.normal) + "\n\n";
  std::vector<std::vector<std::string>> rows{{"out", "worst unit", "headroom", "racks dark", "GPUs dark", "trips"}};
  for (const std::size_t i : order) {
    const ContingencyCase& c = cases[i];
    rows.push_back({study.contingencies.out_words(c), c.worst_element == 0 ? "" : study.line.name(c.worst_element),
                    std::isfinite(c.worst_headroom) ? fmt::format("{:.2f} %", c.worst_headroom * 100.0) : "not known",
                    fmt::format("{}", dark_in(study, c).racks), fmt::format("{}", dark_in(study, c).gpus),
                    fmt::format("{}", c.cascade.size())});
  }
  text += aligned(rows);
  if (!proven.why.empty()) text += "\n" + proven.why + "\n";
  for (const OneLineIssue& issue : study.line.issues())
    text += issue.sentence + "\n";
  print(text);
  return bad ? reported : fine;
}

} // namespace

void add_power_sweep_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<PowerSweepArguments>();
  CLI::App* command =
      program.add_subcommand("power-sweep", "Every single failure of the one-line, worst headroom first");
  add_project_arguments(*command, *a);
  command->add_flag("--pairs", a->pairs,
                    "Every failure while another unit is in maintenance, instead of every failure alone");
  command->add_flag("--json", a->json, "Write JSON: powers in W, shares of 1");
  command->footer("Ends with 1 where something goes dark, is overloaded or trips, with 0 where nothing does.\n"
                  "Examples:\n"
                  "  hallwright-cli power-sweep hall.hall\n"
                  "  hallwright-cli power-sweep hall.hall --pairs --json");
  command->callback([a, &exit_code] { exit_code = sweep(*a); });
}

} // namespace hallwright::cli
