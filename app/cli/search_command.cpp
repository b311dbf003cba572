// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project/project_file.h"
#include "project/underlay_names.h"
#include "project_input.h"
#include "quantity/table_number.h"
#include "quantity/text.h"
#include "training/job_inputs.h"
#include "training/layout_search.h"

namespace hallwright::cli {
namespace {

struct SearchArguments : ProjectArguments {
  Count top = 10, gpus = 0, least_gpus = 0, choose = 1;
  int threads = 2;
  double memory_share = 1.0;
  std::vector<std::string> holds;
  std::string out;
  bool every_schedule = false, json = false, csv = false;
};

/// The job of the project, whatever layout it has now.
struct SearchedJob {
  TrainedJob job;
  std::optional<FoundLayout> present; ///< the layout of the project, where it can be run
  double steps = 0;                   ///< of the run
  bool typed = false;                 ///< the project has a typed utilization instead of the step-time model
};

double steps_of(const Design& d) {
  const Job& job = *d.job;
  return std::ceil(job.tokens / (1.0 * static_cast<double>(job.global_batch_sequences) *
                                 static_cast<double>(job.sequence_length)));
}

SearchedJob job_of(const Design& design, const Shared<Catalog>& catalog, const TrainingConstants& constants) {
  SearchedJob out;
  out.steps = steps_of(design);
  out.typed = design.job->model_flops_utilization.has_value();
  const Timed now = evaluate_timed(design, catalog);
  if (now.evaluation.training->job) {
    out.job = *now.evaluation.training->job;
    if (layout_refusal(out.job.model, out.job.split, out.job.split.gpus()).empty() && out.job.split.gpus() <= out.job.gpus)
      out.present = price_layout(out.job, constants, out.job.split);
    return out;
  }
  // A layout that cannot be run hides the job: one of a single GPU always can.
  const auto single = layout_edit(JobSplit{}).apply(design);
  if (!single) throw Refusal(refused, single.error());
  const Timed plain = evaluate_timed(*single, catalog);
  if (plain.evaluation.training->job) {
    out.job = *plain.evaluation.training->job;
    return out;
  }
  const Figure* step = plain.evaluation.figures.find("training.step_time");
  throw Refusal(refused, fmt::format("the project has no job to search layouts for: {}",
                                     step && !step->reason.empty() ? step->reason : "the step time is not known"));
}

/// @param present how the design splits its job, whether that can be run or not
LayoutSpace space_of(const SearchArguments& a, const TrainedJob& job, const JobSplit& present) {
  LayoutSpace space;
  for (const std::string& hold : a.holds) {
    const std::size_t equals = hold.find('=');
    if (equals == std::string::npos)
      throw Refusal(wrong_use, fmt::format("--hold {} is not AXIS=VALUE; write tensor_parallel=8", hold));
    const std::string axis = hold.substr(0, equals);
    std::string values = hold.substr(equals + 1);
    if (values == "present") values = [&] {
      for (std::size_t i = 0; i < layout_axis_count; ++i)
        if (layout_axis_word(static_cast<LayoutAxis>(i)) == axis) return axis_value(static_cast<LayoutAxis>(i), present);
      return values;
    }();
    auto held = hold_axis(std::move(space), axis, values);
    if (!held) throw Refusal(wrong_use, "--hold " + held.error());
    space = *std::move(held);
  }
  space.gpus = static_cast<double>(a.gpus);
  space.least_gpus = static_cast<double>(a.least_gpus);
  space.memory_share = a.memory_share;
  return a.every_schedule ? space : space_of_stack(job.stack, std::move(space));
}

double model_flops_utilization(const TrainedJob& job, const FoundLayout& f) {
  return model_flops_per_step(job.model, f.split) / (f.step_seconds * f.split.gpus() * job.cluster.peak_tflops * 1e12);
}
double days_of(const SearchedJob& s, const FoundLayout& f) { return s.steps * f.step_seconds / 86400.0; }
constexpr double gibibyte = 1073741824.0;

Json layout_json(const SearchedJob& s, const FoundLayout& f) {
  const JobSplit& j = f.split;
  return Json{{"tp", std::llround(j.tp)},
              {"pp", std::llround(j.pp)},
              {"vpp", std::llround(j.vpp)},
              {"cp", std::llround(j.cp)},
              {"ep", std::llround(j.ep)},
              {"dp", std::llround(j.dp)},
              {"micro_batch", std::llround(j.micro_batch)},
              {"sharding", axis_value(LayoutAxis::sharding, j)},
              {"shard_ranks", std::llround(j.shard_ranks)},
              {"recompute", axis_value(LayoutAxis::recompute, j)},
              {"sequence_parallel", j.sequence_parallel},
              {"schedule", axis_value(LayoutAxis::schedule, j)},
              {"gpus", std::llround(j.gpus())},
              {"step_s", number(f.step_seconds)},
              {"mfu", number(model_flops_utilization(s.job, f))},
              {"memory_gib", number(f.memory_bytes / gibibyte)},
              {"exposed_communication_s", number(f.exposed_seconds)},
              {"run_days", number(days_of(s, f))}};
}
Json layouts_json(const SearchedJob& s, const std::vector<FoundLayout>& list) {
  Json out = Json::array();
  for (const FoundLayout& f : list)
    out.push_back(layout_json(s, f));
  return out;
}

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names{"",
                                              "step s",
                                              "memory GiB",
                                              "exposed s",
                                              "run d",
                                              "MFU, attention counted",
                                              "TP",
                                              "PP",
                                              "VPP",
                                              "CP",
                                              "EP",
                                              "DP",
                                              "micro-batch",
                                              "schedule",
                                              "recompute",
                                              "sharding",
                                              "sequence parallel"};
  return names;
}
std::vector<std::string> layout_row(const SearchedJob& s, std::string name, const FoundLayout& f) {
  const JobSplit& j = f.split;
  std::vector<std::string> row{std::move(name),
                               fmt::format("{:.6g}", f.step_seconds),
                               fmt::format("{:.4g}", f.memory_bytes / gibibyte),
                               fmt::format("{:.4g}", f.exposed_seconds),
                               fmt::format("{:.4g}", days_of(s, f)),
                               fmt::format("{:.3f}", model_flops_utilization(s.job, f))};
  for (const LayoutAxis a :
       {LayoutAxis::tensor_parallel, LayoutAxis::pipeline_parallel, LayoutAxis::virtual_stages, LayoutAxis::context_parallel,
        LayoutAxis::expert_parallel, LayoutAxis::data_parallel, LayoutAxis::micro_batch, LayoutAxis::schedule,
        LayoutAxis::recompute})
    row.push_back(a == LayoutAxis::schedule && j.pp < 2 ? "none" : axis_value(a, j));
  row.push_back(axis_value(LayoutAxis::sharding, j) +
                (j.shard_ranks > 0 ? fmt::format(" over {:.0f} ranks", j.shard_ranks) : std::string()));
  row.push_back(axis_value(LayoutAxis::sequence_parallel, j));
  return row;
}

std::string result_text(const SearchedJob& s, const LayoutSearchResult& r, double seconds) {
  std::string out = fmt::format("{} layouts of {:.0f} GPUs tried, {} legal, {} fit in {:.4g} GiB; {:.3f} s, {:.0f} a second\n",
                                r.enumerated, r.gpus, r.legal, r.fit, r.memory_limit_bytes / gibibyte, seconds,
                                static_cast<double>(r.legal) / std::max(seconds, 1e-9));
  if (r.gpus < s.job.gpus)
    out += fmt::format("{:.0f} of {:.0f} GPUs stay idle: no legal layout uses more\n", s.job.gpus - r.gpus, s.job.gpus);
  if (s.typed)
    out += "the project has a typed utilization; the search takes the step-time model, also for the layout of now\n";
  std::vector<std::vector<std::string>> rows{columns()};
  if (s.present) rows.push_back(layout_row(s, "now", *s.present));
  for (std::size_t i = 0; i < r.best.size(); ++i)
    rows.push_back(layout_row(s, std::to_string(i + 1), r.best[i]));
  if (r.nearest_miss) rows.push_back(layout_row(s, "least memory", *r.nearest_miss));
  if (rows.size() > 1) out += "\n" + aligned(rows);
  if (r.legal == 0) out += "no layout is legal\n";
  else if (r.fit == 0) out += "no legal layout fits\n";
  // Beyond twice the step the saving is of no use.
  std::vector<FoundLayout> lighter = r.memory_front;
  std::erase_if(lighter, [&](const FoundLayout& f) { return f.step_seconds > 2.0 * r.memory_front.front().step_seconds; });
  if (lighter.size() > 1) {
    rows = {columns()};
    const std::size_t step = (lighter.size() + 7) / 8;
    for (std::size_t i = 0; i < lighter.size(); i += step)
      rows.push_back(layout_row(s, "", lighter[i]));
    out += fmt::format("\nLess memory for up to twice the step ({} of {} layouts that no other beats in both):\n{}",
                       rows.size() - 1, lighter.size(), aligned(rows));
  }
  const std::vector<std::string> excluded = excluded_families(r);
  if (!excluded.empty()) out += "\nWithout a layout that runs:\n" + lines_of(excluded, "  ") + "\n";
  return out;
}

std::string result_csv(const SearchedJob& s, const LayoutSearchResult& r) {
  std::string out = "place,step_s,memory_gib,exposed_communication_s,run_days,mfu,tp,pp,vpp,cp,ep,dp,micro_batch,schedule,"
                    "recompute,sharding,shard_ranks,sequence_parallel\n";
  for (std::size_t i = 0; i < r.best.size(); ++i) {
    const FoundLayout& f = r.best[i];
    out += fmt::format("{},{},{},{},{},{}", i + 1, table_number(f.step_seconds), table_number(f.memory_bytes / gibibyte),
                       table_number(f.exposed_seconds), table_number(days_of(s, f)),
                       table_number(model_flops_utilization(s.job, f)));
    for (const LayoutAxis a :
         {LayoutAxis::tensor_parallel, LayoutAxis::pipeline_parallel, LayoutAxis::virtual_stages,
          LayoutAxis::context_parallel, LayoutAxis::expert_parallel, LayoutAxis::data_parallel, LayoutAxis::micro_batch,
          LayoutAxis::schedule, LayoutAxis::recompute, LayoutAxis::sharding, LayoutAxis::shard_ranks,
          LayoutAxis::sequence_parallel})
      out += "," + csv_words(axis_value(a, f.split));
    out += "\n";
  }
  return out;
}

Json result_json(const SearchedJob& s, const LayoutSearchResult& r, double seconds) {
  Json families = Json::array();
  for (const LayoutFamily& f : r.families)
    families.push_back(Json{{"axis", layout_axis_word(f.axis)},
                            {"value", f.value},
                            {"legal", f.legal},
                            {"fits", f.fit},
                            {"least_memory_gib", f.legal > 0 ? number(f.least_memory_bytes / gibibyte) : Json()},
                            {"best_step_s", f.fit > 0 ? number(f.best_step_seconds) : Json()},
                            {"reason", f.reason.empty() ? Json() : Json(f.reason)}});
  return Json{{"tried", r.enumerated},
              {"legal", r.legal},
              {"fits", r.fit},
              {"seconds", number(seconds)},
              {"complete", r.complete},
              {"gpus", r.gpus},
              {"memory_limit_gib", number(r.memory_limit_bytes / gibibyte)},
              {"now", s.present ? layout_json(s, *s.present) : Json()},
              {"best", layouts_json(s, r.best)},
              {"memory_front", layouts_json(s, r.memory_front)},
              {"exposed_front", layouts_json(s, r.exposed_front)},
              {"least_memory", r.nearest_miss ? layout_json(s, *r.nearest_miss) : Json()},
              {"excluded", excluded_families(r)},
              {"families", std::move(families)}};
}

ExitCode search_project(const SearchArguments& a) {
  if (!a.out.empty() && !a.out.ends_with(".hall") && !a.out.ends_with(".json"))
    throw Refusal(wrong_use, fmt::format("{} names no form of a project; it must end in .hall or .hall.json", a.out));
  if (a.json && a.csv) throw Refusal(wrong_use, "--json and --csv exclude each other");
  const auto catalog = load_catalog(a);
  const auto constants = training_constants(*catalog);
  if (!constants) throw Refusal(refused, constants.error());
  const Design design = load_design(a);
  const SearchedJob searched = job_of(design, catalog, *constants);
  LayoutSpace space = space_of(a, searched.job, split_of(*design.job));
  // The present layout may leave GPUs idle and still be the quickest: layouts of its size are tried, too.
  if (space.least_gpus == 0 && searched.present && (space.gpus == 0 || searched.present->split.gpus() <= space.gpus))
    space.least_gpus = searched.present->split.gpus();
  const auto start = std::chrono::steady_clock::now();
  const LayoutSearchResult r =
      search_layouts(searched.job, *constants, space, {}, {},
                     {.threads = a.threads, .best = static_cast<std::size_t>(std::max(a.top, a.choose))});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!r.problem.empty()) throw Refusal(refused, r.problem);
  LayoutSearchResult shown = r;
  if (shown.best.size() > static_cast<std::size_t>(a.top)) shown.best.resize(static_cast<std::size_t>(a.top));
  if (a.json)
    print_json(result_json(searched, shown, seconds));
  else
    print(a.csv ? result_csv(searched, shown) : result_text(searched, shown, seconds));
  if (a.out.empty()) return r.fit > 0 ? fine : reported;
  if (static_cast<std::size_t>(a.choose) > r.best.size())
    throw Refusal(reported, r.best.empty() ? std::string("no legal layout fits; nothing is written")
                                           : fmt::format("--choose {}: there are only {} layouts that fit; nothing is written",
                                                         a.choose, r.best.size()));
  const auto made = layout_edit(r.best[static_cast<std::size_t>(a.choose - 1)].split).apply(design);
  if (!made) throw Refusal(refused, made.error());
  const Design written = with_underlays_named_from(*made, a.project, a.out);
  if (auto saved = save_project(written, a.out, {.stamp = time_stamp()}); !saved) throw Refusal(refused, saved.error());
  if (!a.json && !a.csv) print(fmt::format("\nlayout {} is written into {}\n", a.choose, a.out));
  return fine;
}

} // namespace

void add_search_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<SearchArguments>();
  CLI::App* command = program.add_subcommand("search", "Best parallel layouts of the project's training job");
  add_project_arguments(*command, *a);
  command->add_option("--top", a->top, "Layouts to print (default: 10)")
      ->type_name("N")
      ->check(CLI::Range(Count{1}, Count{10000}));
  command
      ->add_option("--hold", a->holds,
                   "Hold an axis to one value or several: tensor_parallel=8, micro_batch=1,2, sharding=optimizer,\n"
                   "schedule=1f1b; \"present\" is the value that the project has. Repeatable. Axes: tensor_parallel,\n"
                   "sequence_parallel, context_parallel, expert_parallel, pipeline_parallel, data_parallel, micro_batch,\n"
                   "schedule, virtual_stages, recompute, sharding, shard_ranks")
      ->type_name("AXIS=VALUES")
      ->allow_extra_args(false);
  command->add_option("--gpus", a->gpus, "GPUs that a layout may use (default: those of the project)")
      ->type_name("N")
      ->check(CLI::Range(Count{1}, Count{100'000'000}));
  command
      ->add_option("--least-gpus", a->least_gpus,
                   "Also layouts that use fewer, down to this many (default: as many as a legal layout can use)")
      ->type_name("N")
      ->check(CLI::Range(Count{1}, Count{100'000'000}));
  command->add_option("--memory-share", a->memory_share, "Share of a GPU's memory that may be filled (default: 1)")
      ->type_name("X")
      ->check(CLI::Range(0.01, 1.0));
  command->add_flag("--every-schedule", a->every_schedule,
                    "Also schedules and axes that the job's software does not have");
  command->add_option("--threads", a->threads, "Threads (default: 2); the answer does not depend on them")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  command->add_option("--out", a->out, "Write the project with the best layout into this file")->type_name("FILE");
  command->add_option("--choose", a->choose, "Place of the layout that --out writes (default: 1, the best)")
      ->type_name("K")
      ->check(CLI::Range(Count{1}, Count{10000}));
  command->add_flag("--json", a->json, "Write JSON: counts, best, both fronts, every value of every axis with its reason");
  command->add_flag("--csv", a->csv, "Write the best layouts as CSV");
  command->footer(
      "Every legal layout is priced with the step-time and memory model of the job, on the cluster of the project; the best\n"
      "is exact among them. Every time is an estimate. MFU counts model FLOPs with causal attention halved. Exposed is\n"
      "communication that computing does not hide. Exit code 1 when no layout fits.\n"
      "Examples:\n"
      "  hallwright-cli search hall.hall\n"
      "  hallwright-cli search hall.hall --hold tensor_parallel=8 --hold recompute=none --top 5\n"
      "  hallwright-cli search hall.hall --hold schedule=present --json\n"
      "  hallwright-cli search hall.hall --gpus 4096 --out better.hall");
  command->callback([a, &exit_code] { exit_code = search_project(*a); });
}

} // namespace hallwright::cli
