// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training.h"

#include <algorithm>

#include <fmt/format.h>

#include "quantity/text.h"

namespace hallwright {
namespace {

const EntityRef job_entity{"job", 0};

Remedy set_job_field(std::string label, std::string_view field, FieldValue value) {
  Remedy r;
  r.edit = {std::move(label), [field = std::string(field), value = std::move(value)](const Design& d) -> Edited {
              return set_field(d, job_entity, field, value);
            }};
  r.cost_dollars = 0.0;
  r.lead_time_weeks = 0.0;
  return r;
}

std::vector<LayoutProblem> problems_of(const CheckContext& context) {
  const ModelPart* model = context.catalog.find<ModelPart>(context.design.job->model_part);
  if (!model) return {};
  const auto whole = [&](std::string_view id) -> Count {
    const Figure* f = context.figures.find(id);
    return f && f->has_value() ? static_cast<Count>(f->value) : 0;
  };
  return layout_problems(*context.design.job, *model, whole("population.gpus"), whole("training.scale_up_domain"));
}

/// One finding a problem, with an edit for each nearest valid value.
void report(const CheckContext& context, const Rule& rule, const LayoutProblem& p, std::vector<std::string> figures, bool as_note,
            std::vector<Finding>& findings) {
  Finding f = finding_of(rule, p.sentence, {job_entity}, context, std::move(figures));
  if (as_note) f.severity = Severity::note;
  for (Count valid : p.nearest_valid)
    f.remedies.push_back(set_job_field(fmt::format("Set {} to {}", p.axis, valid), p.axis, FieldValue(valid)));
  findings.push_back(std::move(f));
}

bool about_gpu_count(const LayoutProblem& p) { return p.axis == "data_parallel"; }
bool about_domain(const LayoutProblem& p) { return p.sentence.find("scale-up domain") != std::string::npos; }

void check_gpu_count(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* there = context.figures.find("population.gpus");
  if (there && (!there->has_value() || there->value == 0.0)) {
    const Job& job = *context.design.job;
    const double product = 1.0 * job.tensor_parallel * job.pipeline_parallel * job.context_parallel * job.data_parallel;
    Finding f = finding_of(rule, fmt::format("The job asks for {:.0f} GPUs; the design has none", product), {job_entity}, context,
                           {"population.gpus"});
    // Before anything is drawn this is where every design begins.
    if (!there->has_value()) f.severity = Severity::note;
    findings.push_back(std::move(f));
    return;
  }
  for (const LayoutProblem& p : problems_of(context)) {
    if (!about_gpu_count(p)) continue;
    if (there && there->completeness == Completeness::lower_bound && !p.note) {
      Finding f = finding_of(rule,
                             fmt::format("Whether the job has enough GPUs cannot be decided: it asks for more than those that are known "
                                         "({}), {}",
                                         figure_text(*there, 0), there->reason),
                             {job_entity}, context, {"training.gpus_used", "population.gpus"});
      f.severity = Severity::warning;
      f.undecided = true;
      findings.push_back(std::move(f));
      continue;
    }
    report(context, rule, p, {"training.gpus_used", "population.gpus"}, p.note, findings);
  }
}

void check_axes(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LayoutProblem& p : problems_of(context))
    if (!p.note && !about_gpu_count(p)) report(context, rule, p, {"training.gpus_used"}, false, findings);
}

/// Less memory: the next stage of sharding, or full recomputation.
std::vector<Remedy> less_memory(const Job& job) {
  std::vector<Remedy> out;
  // One rank alone has nobody to share its state with.
  if (job.sharding != Sharding::parameters && (job.data_parallel > 1 || job.context_parallel > 1)) {
    const auto next = static_cast<Sharding>(static_cast<int>(job.sharding) + 1);
    const std::string word(ChoiceWords<Sharding>::words[static_cast<std::size_t>(next)]);
    out.push_back(set_job_field(fmt::format("Shard the {} over data-parallel ranks", word), "sharding", FieldValue(word)));
  }
  if (job.recompute != Recompute::full)
    out.push_back(set_job_field("Recompute all activations", "recompute", FieldValue(std::string("full"))));
  if (job.micro_batch > 1 && job.micro_batch % 2 == 0)
    out.push_back(set_job_field(fmt::format("Halve the micro-batch to {}", job.micro_batch / 2), "micro_batch",
                                FieldValue(Count{job.micro_batch / 2})));
  return out;
}

void check_memory_over(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* f = context.figures.find("training.memory_per_gpu");
  if (f && f->status != Status::near_limit)
    check_limit(context, rule, "training.memory_per_gpu", {job_entity}, less_memory(*context.design.job), findings);
}

void check_memory_near(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* f = context.figures.find("training.memory_per_gpu");
  if (f && f->status == Status::near_limit)
    check_limit(context, rule, "training.memory_per_gpu", {job_entity}, less_memory(*context.design.job), findings);
}

void check_host_memory(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  if (context.figures.find("training.host_memory"))
    check_limit(context, rule, "training.host_memory", {job_entity},
                {set_job_field("Keep all on the GPU", "offload", FieldValue(std::string("none")))}, findings);
}

void check_power_cap(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const std::optional<Power>& cap = context.design.job->gpu_power_cap;
  const Figure* clock = context.figures.find("training.clock_share");
  if (!cap || !clock || clock->has_value()) return;
  if (const Figure* rack = context.figures.find("training.gpu_limit"); rack && !rack->has_value()) return; // told by LOD-006
  Finding f = finding_of(rule, fmt::format("GPUs cannot be held to {:.0f} W: {}", in_watts(*cap), clock->reason.empty() ? std::string("idle they draw more") : clock->reason),
                         {job_entity}, context, {"training.clock_share"});
  f.remedies.push_back(set_job_field("Take the cap off", "gpu_power_cap", FieldValue(std::monostate{})));
  findings.push_back(std::move(f));
}

void check_held_rack(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Table* held = context.figures.table("training.held");
  const Figure* free = context.figures.find("training.step_time_without_caps");
  const Figure* step = context.figures.find("training.modelled_step_time");
  const Figure* limit = context.figures.find("training.gpu_limit");
  if (!held || held->entities.empty() || !free || !step || !limit || !free->has_value() || !step->has_value() || !limit->has_value()) return;
  const Job& job = *context.design.job;
  const double alike = held->column("alike")->numbers.front(), slower = step->value / free->value - 1.0;
  if (!(slower > 1e-6)) return; // the cap of the job is lower
  const double of_job = held->column("of_job")->numbers.front();
  const bool all = of_job > 0.0 && alike >= of_job; // no rack waits for another
  const std::string& rack = held->column("rack")->words.front();
  std::string sentence =
      all ? fmt::format("GPUs in {} are held to {:.0f} W by a cap{}: a step takes {} instead of {} (+{:.1f} %)",
                        of_job > 1.0 ? fmt::format("all {:.0f} racks of the job", of_job) : rack + ", the only rack of the job,", limit->value,
                        of_job > 1.0 ? ", all alike" : "", figure_text(*step), figure_text(*free), 100.0 * slower)
          : fmt::format("GPUs in {}{} are held to {:.0f} W by a cap, and all others wait for them in every step: {} instead of {} (+{:.1f} %)", rack,
                        alike > 1.0 ? fmt::format(" and {:.0f} more {}", alike - 1.0, alike > 2.0 ? "racks" : "rack") : std::string(),
                        limit->value, figure_text(*step), figure_text(*free), 100.0 * slower);
  const Figure* run = context.figures.find("training.compute_time");
  if (run && run->has_value() && !job.model_flops_utilization)
    sentence += fmt::format("; {:.1f} days more of {:.1f} days of computing", run->value * slower / (1.0 + slower) / 86400.0, run->value / 86400.0);
  const Figure* cost = context.figures.find("budget.run_cost");
  if (cost && cost->has_value() && cost->value > 0.0 && !job.model_flops_utilization)
    sentence += fmt::format(", about {} of the cost of the run",
                            format_quantity(cost->value * slower / (1.0 + slower), *cost->kind, NumberStyle{.significant = 3}).joined());
  Finding f = finding_of(rule, std::move(sentence), all ? std::vector<EntityRef>{job_entity} : std::vector<EntityRef>{{"racks", held->entities.front()}, job_entity}, context,
                         {"training.modelled_step_time", "training.step_time_without_caps", "training.gpu_limit"});
  if (!all) f.where = rack;
  // The others gain nothing from more power: held alike they spare it.
  if (!all && (!job.gpu_power_cap || in_watts(*job.gpu_power_cap) > limit->value))
    f.remedies.push_back(set_job_field(fmt::format("Hold all GPUs of the job to {:.0f} W: the step stays as long", limit->value), "gpu_power_cap",
                                       FieldValue(limit->value)));
  findings.push_back(std::move(f));
}

/// Coolant that is warmer than racks with GPUs take: the step counts the full clock.
void check_warm_coolant(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Figure* step = context.figures.find("training.step_time");
  if (!step || !step->has_value()) return;
  const Design& design = context.design;
  std::vector<Id> loops{0};
  for (const CoolantLoop& l : *design.loops) loops.push_back(l.id);
  for (const Id loop : loops) {
    const Figure* supply = context.figures.find(fmt::format("cooling.loop.{}.supply_temperature", loop));
    if (!supply || !supply->has_value() || supply->status != Status::over_limit) continue;
    const Figure* warmest = context.figures.at(supply->limit);
    if (!warmest || !warmest->has_value()) continue;
    const bool gpus = std::any_of(design.racks->begin(), design.racks->end(), [&](const Rack& rack) {
      return rack.loop == loop && std::any_of(design.rack_items->begin(), design.rack_items->end(), [&](const RackItem& item) {
               if (item.rack_type != rack.rack_type || item.kind != RackItemKind::node) return false;
               const NodePart* node = context.catalog.find<NodePart>(item.part);
               return node && node->accelerators.value_or(0) > 0;
             });
    });
    if (!gpus) continue;
    const CoolantLoop* of = loop ? find(*design.loops, loop) : nullptr;
    const EntityRef entity = of ? EntityRef{"loops", loop} : EntityRef{"cooling_plant", 0};
    Finding f = finding_of(rule,
                           fmt::format("Coolant{} comes with {}, {:.1f} K above what the racks take: their GPUs may slow down, and every step then waits for "
                                       "them. The step time of {} counts the full clock and is a lower bound",
                                       of ? " of " + of->name : std::string(), figure_text(*supply), supply->value - warmest->value, figure_text(*step)),
                           {entity, job_entity}, context, {"training.step_time", supply->id, warmest->id});
    f.where = of ? of->name : std::string();
    Remedy r;
    r.edit = {fmt::format("Supply at {}", figure_text(*warmest)),
              [entity = of && of->supply_temperature ? entity : EntityRef{"cooling_plant", 0}, value = warmest->value](const Design& d) -> Edited {
                return set_field(d, entity, "supply_temperature", FieldValue(value));
              }};
    f.remedies.push_back(std::move(r));
    findings.push_back(std::move(f));
  }
}

void check_domain(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LayoutProblem& p : problems_of(context))
    if (about_domain(p)) report(context, rule, p, {"training.scale_up_domain"}, false, findings);
}

void check_notes(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const LayoutProblem& p : problems_of(context))
    if (p.note && !about_gpu_count(p) && !about_domain(p)) report(context, rule, p, {"training.gpus_used"}, true, findings);
}

/// Largest batch of a published run, tokens.
constexpr std::string_view largest_batch = "training.largest_published_batch";

void check_batch(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Job& job = *context.design.job;
  const Assumption* most = context.catalog.find<Assumption>(largest_batch);
  const Figure* tokens = context.figures.find("training.tokens_per_step");
  if (!most || !most->value || !tokens || !tokens->has_value() || tokens->value <= *most->value) return;
  Finding f = finding_of(rule,
                         fmt::format("A step takes {:.3g} million tokens, more than the {:.3g} million of the largest published batch: from some size "
                                     "on, more tokens are needed for the same loss",
                                     tokens->value * 1e-6, *most->value * 1e-6),
                         {job_entity}, context, {"training.tokens_per_step"});
  const Count block = std::max<Count>(1, job.data_parallel * job.micro_batch);
  const auto whole = static_cast<Count>(*most->value / static_cast<double>(std::max<Count>(1, job.sequence_length))) / block * block;
  if (whole > 0)
    f.remedies.push_back(set_job_field(fmt::format("Set the global batch to {} sequences", whole), "global_batch_sequences", FieldValue(whole)));
  findings.push_back(std::move(f));
}

void check_calibrated(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Job& job = *context.design.job;
  const Figure* step = context.figures.find("training.modelled_step_time");
  const Figure* low = context.figures.find("training.step_time_low");
  const Figure* high = context.figures.find("training.step_time_high");
  if (!step || !low || !high || !step->has_value() || job.model_flops_utilization || job.step_time_factor != 1.0) return;
  if (step->reason.rfind(region_word(CalibrationRegion::outside), 0) != 0) return;
  findings.push_back(finding_of(rule,
                                fmt::format("No measured run is like this job: its step of {} may lie anywhere from {} to {}; a measured step of your "
                                            "own, typed as calibration, narrows it",
                                            figure_text(*step), figure_text(*low), figure_text(*high)),
                                {job_entity}, context, {"training.modelled_step_time"}));
}

} // namespace

std::vector<Rule> training_rules() {
  return {
      {"TRN-001", Severity::error, "The layout asks for as many GPUs as there are",
       "The product of tensor, pipeline, context and data parallelism is compared with the GPUs of the design. More cannot run and is an "
       "error; fewer leaves GPUs idle and is a note. Source of the limit: the GPUs drawn, or those of the goal.",
       check_gpu_count},
      {"TRN-002", Severity::error, "The axes fit the model and the batch",
       "Tensor parallelism must divide the heads, pipeline stages must not exceed the layers, expert parallelism must divide the experts "
       "and lie inside data x context parallelism, the batch must be whole micro-batches, and context parallelism must divide the sequence: "
       "each rank holds a whole share. Source of the limit: the dimensions of the model part in the catalog; Megatron-LM (Narayanan et al. "
       "2021) for interleaving.",
       check_axes},
      {"TRN-003", Severity::error, "The job fits the memory of its GPUs",
       "Weights, gradients, optimizer state, activations and logits of the heaviest pipeline stage are compared with the memory of the "
       "accelerator, since a stage that does not fit does not start. Allocator slack and communication buffers come on top. Source of the "
       "limit: data sheet of the accelerator, in decimal gigabytes; Korthikanti et al. 2022 for activations.",
       check_memory_over},
      {"TRN-004", Severity::note, "Memory keeps a margin of a tenth",
       "Allocators reserve several percent more than they hand out, and the model of memory is a first-order one: above nine tenths of "
       "the memory of the accelerator a run may not start. Source of the limit: data sheet of the accelerator; the tenth is a project choice.",
       check_memory_near},
      {"TRN-005", Severity::warning, "Tensor parallelism stays in the scale-up domain",
       "Tensor-parallel ranks exchange activations in every layer. Beyond the scale-up domain of the accelerator that traffic crosses the "
       "scale-out network, many times slower. Source of the limit: scale-up domain of the accelerator part in the catalog.",
       check_domain},
      {"TRN-006", Severity::note, "The layout works, at a cost",
       "Uneven stages, copies of key-value heads, a padded vocabulary, or settings that have no effect on this model: each costs time or memory "
       "that another layout saves. Source of the limit: the dimensions of the model part in the catalog.",
       check_notes},
      {"TRN-007", Severity::note, "The batch is one that has been trained with",
       "Gradients of a larger batch are less noisy, until noise is not what limits a step: then more tokens are needed for the same loss, and the "
       "run takes longer than its tokens say. Source of the limit: the largest batch of a published run, DeepSeek-V3 2024: 15,360 sequences of "
       "4,096 tokens; the effect itself: McCandlish et al. 2018.",
       check_batch},
      {"TRN-008", Severity::note, "The step time lies near measured runs",
       "The constants of the step-time model were fitted to published runs. A job whose accelerator, format, size or sequence lies outside of them is "
       "an extrapolation, and its 90 % interval is the widest. Source of the limit: the runs that Help, Validation lists.",
       check_calibrated},
      {"TRN-009", Severity::error, "What is offloaded fits the memory of the host",
       "States and activations that leave the GPU lie in the main memory of its node, which its GPUs share. Source of the limit: main memory of "
       "the node part in the catalog.",
       check_host_memory},
      {"TRN-010", Severity::error, "A power cap leaves the GPU something to work with",
       "Below what it draws idle a GPU cannot be held: its memory and its links take that power whether it computes or not. Source of the limit: the share of its limit that a GPU draws idle, in the catalog.",
       check_power_cap},
      {"TRN-011", Severity::warning, "No rack holds up the others",
       "A step is over when its slowest GPU is done. A cap of a rack or a row slows the GPUs in it, and those of all other racks of the job wait; "
       "where every rack of the job is held alike, none waits, and what the caps cost is told. "
       "Clock goes with the cube root of the power above idle; what else is in the rack draws on. The power of the racks that wait is not "
       "taken to be less. Source of the limit: the caps of racks and rows in the design.",
       check_held_rack},
      {"TRN-012", Severity::warning, "Coolant leaves GPUs their clock",
       "Nodes are rated for full power up to a warmest coolant supply. Above it the chip gets no colder than the coolant plus its rise per watt, and "
       "the firmware takes clock away until it holds. No maker publishes by how much, so nothing is taken off the step time: it is a lower bound. "
       "Source of the limit: the warmest supply of the nodes and racks in the catalog.",
       check_warm_coolant},
  };
}

} // namespace hallwright
