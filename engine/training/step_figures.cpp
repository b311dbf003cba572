// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_figures.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "load/shares.h"
#include "space/design_value.h"
#include "training/figure_values.h"
#include "training/flop_conventions.h"
#include "training/formulas.h"
#include "training/job_inputs.h"
#include "training/model_formulas.h"
#include "training/software_stack.h"

namespace hallwright {
namespace {

using Inputs = std::vector<ModelInput>;

/// Where each constant lies in a set of them, and its catalog id.
struct ConstantIndex {
  TrainingConstants places;
  std::unordered_map<const double*, std::string> ids;
  ConstantIndex() {
    for (const TrainingConstant& k : training_constant_list(places))
      for (const double* place : k.places) ids.emplace(place, k.id);
  }
};
const ConstantIndex& constant_index() {
  static const ConstantIndex index;
  return index;
}

/// Figures that the parts of a step rest on, by what they describe.
class StepSources {
public:
  explicit StepSources(const StepFigureInputs& in) : in_(in) {}

  Inputs split() {
    Ledger& l = in_.ledger;
    const Job& job = in_.job;
    Inputs out{model_input("tensor_parallel", design_value<&Job::tensor_parallel>(l, "job", job)),
            model_input("sequence_parallel", design_value<&Job::sequence_parallel>(l, "job", job)),
            model_input("pipeline_parallel", design_value<&Job::pipeline_parallel>(l, "job", job)),
            model_input("virtual_stages", design_value<&Job::virtual_stages>(l, "job", job)),
            model_input("context_parallel", design_value<&Job::context_parallel>(l, "job", job)),
            model_input("expert_parallel", design_value<&Job::expert_parallel>(l, "job", job)),
            model_input("data_parallel", design_value<&Job::data_parallel>(l, "job", job)),
            model_input("micro_batch", design_value<&Job::micro_batch>(l, "job", job)),
            model_input("global_batch", design_value<&Job::global_batch_sequences>(l, "job", job)),
            model_input("sequence_length", design_value<&Job::sequence_length>(l, "job", job)),
            model_input("precision", design_value<&Job::precision>(l, "job", job)),
            model_input("sharding", design_value<&Job::sharding>(l, "job", job)),
            model_input("shard_ranks", design_value<&Job::shard_ranks>(l, "job", job)),
            model_input("recompute", design_value<&Job::recompute>(l, "job", job)),
            model_input("pipeline_order", design_value<&Job::pipeline_order>(l, "job", job)),
            model_input("software_stack", design_value<&Job::software_stack>(l, "job", job)),
            model_input("hot_expert", design_value<&Job::hot_expert>(l, "job", job)),
            model_input("trained_weights", design_value<&Job::trained_weights>(l, "job", job)),
            model_input("gradient_format", design_value<&Job::gradient_format>(l, "job", job)),
            model_input("master_format", design_value<&Job::master_format>(l, "job", job)),
            model_input("moment_format", design_value<&Job::moment_format>(l, "job", job)),
            model_input("offload", design_value<&Job::offload>(l, "job", job))};
    if (job.trained_weights != TrainedWeights::all) {
      out.push_back(model_input("adapter_rank", design_value<&Job::adapter_rank>(l, "job", job)));
      out.push_back(model_input("adapter_targets", design_value<&Job::adapter_targets>(l, "job", job)));
    }
    return out;
  }
  /// Catalog rows of constants, by their places in the index.
  Inputs constants(std::initializer_list<const double*> places) {
    Inputs out;
    for (const double* place : places) {
      const auto id = constant_index().ids.find(place);
      if (id == constant_index().ids.end()) continue; // a fact of the program, not a figure
      if (const Assumption* a = in_.catalog.find<Assumption>(id->second))
        out.push_back(model_input("constant", part_value<&Assumption::value>(in_.ledger, in_.catalog, *a)));
    }
    return out;
  }

private:
  const StepFigureInputs& in_;
};

Inputs joined(std::initializer_list<const Inputs*> groups) {
  Inputs out;
  for (const Inputs* g : groups) out.insert(out.end(), g->begin(), g->end());
  return out;
}

constexpr std::string_view narayanan = "Narayanan et al. 2021 (appendix); constants fitted to published runs";
constexpr ModelNote matrix_note{"products of all layers of the busiest stage by shape: tiles, waves, ramp of a short inner length, bytes; "
                                "forward, and twice backward",
                                narayanan};
constexpr ModelNote attention_note{"4 x tokens x keys x width at the rate of the attention kernel; stored scores pass through memory", narayanan};
constexpr ModelNote passes_note{"norms, residuals, activations, turning to 8 bits: bytes over the sustained memory rate",
                                "bytes passed; constants fitted to published runs"};
constexpr ModelNote experts_note{"permute and combine dispatched tokens, bytes over the sustained memory rate",
                                 "bytes passed; constants fitted to published runs"};
constexpr ModelNote recompute_note{"the second forward of what is not kept", "Chen et al. 2016; Korthikanti et al. 2022"};
constexpr ModelNote logits_note{"output layer and loss of the last stage where it sets the pace", narayanan};
constexpr ModelNote launch_note{"host time of a layer beyond what the GPU is busy with", "constants fitted to published runs"};
constexpr ModelNote tensor_note{"two exchanges of 2 s b h bytes a direction and layer inside the tensor group, less what overlaps",
                                "Shoeybi et al. 2019; Korthikanti et al. 2022; latency-bandwidth model"};
constexpr ModelNote context_note{"keys and values round a ring beside attention: what attention does not hide, and a share of the rest",
                                 "Liu et al. 2023 (ring attention); latency-bandwidth model"};
constexpr ModelNote expert_note{"dispatch and combine, forward and backward; what leaves the scale-up domain at the rate of the NIC",
                                "DeepSeek-V3 2024 (one copy a place); latency-bandwidth model"};
constexpr ModelNote pipeline_note{"activations over stage boundaries, less what overlaps", narayanan};
constexpr ModelNote data_note{"gradients and weights over the data-parallel ranks, less what overlaps with the backward and forward pass",
                              "Rajbhandari et al. 2020 (ZeRO); Patarasuk and Yuan 2009 (rings)"};
constexpr ModelNote bubble_note{"stages wait while the pipeline fills and drains", "Narayanan et al. 2021 (2.2); Qi et al. 2024"};
constexpr ModelNote optimizer_note{"bytes that the optimizer passes over the sustained memory rate", "Rajbhandari et al. 2020 (ZeRO)"};
constexpr ModelNote straggler_note{"all of the above x share per doubling of the nodes", "constant fitted to published runs"};
constexpr ModelNote other_note{"data, logging and norms of a step", "constant fitted to published runs"};

constexpr std::string_view zero = "Rajbhandari et al. 2020 (ZeRO): mixed precision with Adam";
constexpr ModelNote weights_note{"2 bytes a parameter of the rank, a copy in 8 bits beside it where products are of 8 bits or fewer", zero};
constexpr ModelNote offload_note{"optimizer states come and go once a step; activations of a layer leave beside its forward and come "
                                 "back beside its backward pass: what those do not hide",
                                 "Ren et al. 2021 (ZeRO-Offload), bytes over the rate to the host"};
constexpr ModelNote host_note{"what is offloaded, less two layers of it that stay as buffers", "Ren et al. 2021 (ZeRO-Offload)"};
constexpr ModelNote gradients_note{"bytes of their format a parameter of the rank, over the sharding ranks where gradients are sharded", zero};
constexpr ModelNote state_note{"master weight and two moments in their formats, over the sharding ranks where the optimizer is sharded", zero};
constexpr ModelNote activations_note{"bytes of a layer and micro-batch x layers of the stage x micro-batches in flight",
                                     "Korthikanti et al. 2022; schedules: Narayanan et al. 2021, Qi et al. 2024"};
constexpr ModelNote memory_logits_note{"logits of the last stage in 16 bits, their 32-bit copy in place", "Megatron-LM"};
constexpr ModelNote buffers_note{"two layers of gathered weights where parameters are sharded", "FSDP: current and prefetched unit"};
constexpr ModelNote slack_note{"context and communicators, and what the allocator holds beyond what is live",
                               "memory log of BLOOM; constants in the catalog"};
constexpr ModelNote flops_note{"6 x active weights x tokens + attention over the keys that are seen, causal: half",
                               "Narayanan et al. 2021 (appendix), causal attention halved"};
constexpr ModelNote hardware_note{"operations of the model and of the second forward that recomputation asks for",
                                  "Korthikanti et al. 2022: hardware FLOPs"};

Table memory_table(const ModelDimensions& m, double stages, const std::vector<RankMemory>& memory, std::size_t heaviest) {
  Table t;
  t.id = "training.memory";
  t.title = "Memory per GPU by pipeline stage";
  t.columns.reserve(10); // columns keep their place while they are filled
  auto& stage = t.add_numbers("stage", "Stage", kind::count).numbers;
  auto& layer = t.add_numbers("layers", "Layers", kind::count).numbers;
  auto& weights = t.add_numbers("weights", "Weights", kind::memory).numbers;
  auto& gradients = t.add_numbers("gradients", "Gradients", kind::memory).numbers;
  auto& optimizer = t.add_numbers("optimizer", "Optimizer state", kind::memory).numbers;
  auto& activations = t.add_numbers("activations", "Activations", kind::memory).numbers;
  auto& logits = t.add_numbers("logits", "Logits", kind::memory).numbers;
  auto& buffers = t.add_numbers("buffers", "Buffers", kind::memory).numbers;
  auto& slack = t.add_numbers("slack", "Context and slack", kind::memory).numbers;
  auto& total = t.add_numbers("total", "Total", kind::memory).numbers;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    stage.push_back(static_cast<double>(i + 1));
    layer.push_back(stage_layers(m.layers, stages, static_cast<double>(i)));
    weights.push_back(memory[i].weights);
    gradients.push_back(memory[i].gradients);
    optimizer.push_back(memory[i].optimizer);
    activations.push_back(memory[i].activations);
    logits.push_back(memory[i].logits);
    buffers.push_back(memory[i].buffers);
    slack.push_back(memory[i].slack);
    total.push_back(memory[i].total());
    t.row_figures.push_back(i == heaviest ? "training.memory_per_gpu" : "");
  }
  return t;
}

/// From the dense peak to the step: each row adds its seconds.
struct WaterfallRow {
  std::string part;
  double seconds = 0;
  std::string figure;
};
Table waterfall_table(const std::vector<WaterfallRow>& rows, double total) {
  Table t;
  t.id = "training.step";
  t.title = "From the dense peak to the step";
  t.columns.reserve(4);
  auto& part = t.add_words("part", "Part").words;
  auto& seconds = t.add_numbers("time", "Time", kind::time).numbers;
  auto& until = t.add_numbers("until", "Until", kind::time).numbers;
  auto& share = t.add_numbers("share", "Share of the step", kind::percent).numbers;
  double sum = 0;
  for (const WaterfallRow& r : rows) {
    sum += r.seconds;
    part.push_back(r.part);
    seconds.push_back(r.seconds);
    until.push_back(sum);
    share.push_back(total > 0 ? r.seconds / total : 0.0);
    t.row_figures.push_back(r.figure);
  }
  return t;
}

constexpr Count most_stages = 4096; ///< more pipeline stages than any model has layers

/// Why there is no result, and how that counts.
struct Absence {
  Completeness completeness;
  std::string reason;
};
std::optional<Absence> no_memory(const StepFigureInputs& in) {
  if (!in.model) {
    const bool named = !in.job.model_part.empty();
    return Absence{named ? Completeness::unknown : Completeness::not_applicable,
                   named ? fmt::format("the catalog has no model {}", in.job.model_part) : std::string("the job names no model")};
  }
  if (const auto missing = missing_dimensions(*in.model); !missing.empty())
    return Absence{Completeness::unknown, fmt::format("the catalog has no {} of {}", missing.front(), in.model->name)};
  if (in.job.pipeline_parallel < 1 || in.job.pipeline_parallel > most_stages)
    return Absence{Completeness::not_applicable, "pipeline_parallel is out of range"};
  return std::nullopt;
}
std::optional<Absence> no_step(const StepFigureInputs& in) {
  if (auto none = no_memory(in)) return none;
  if (!in.accelerator) return Absence{Completeness::not_applicable, "there are no GPUs"};
  for (const LayoutProblem& p : in.problems)
    if (!p.note && p.axis != "data_parallel") return Absence{Completeness::not_applicable, "the layout cannot run: " + p.sentence};
  if (!in.peak.has_value())
    return Absence{in.peak.completeness, in.peak.reason ? *in.peak.reason : std::string("the dense peak of the GPU is not known")};
  return std::nullopt;
}

/// Memory of every stage in the table, of the heaviest as figures.
void memory_figures(const StepFigureInputs& in, const TrainedJob& job, const TrainingConstants& c, StepSources& sources, const Inputs& work,
                    StepFigures& out) {
  Ledger& ledger = in.ledger;
  const StackConstants& stack = c.stacks[static_cast<std::size_t>(job.stack)];
  const TrainingConstants& at = constant_index().places;
  for (double stage = 0; stage < job.split.pp; ++stage) out.stages.push_back(rank_memory(job.model, job.split, c, stack, stage));
  const auto heaviest = static_cast<std::size_t>(
      std::max_element(out.stages.begin(), out.stages.end(),
                       [](const RankMemory& a, const RankMemory& b) { return a.total() < b.total(); }) -
      out.stages.begin());
  const RankMemory& most = out.stages[heaviest];
  const Inputs &state = work, &held = work;
  const Inputs optimizer_state = [&] {
    Inputs i = work;
    for (const ModelInput& x : sources.constants({&at.optimizer_state_bytes})) i.push_back(x);
    return i;
  }();
  const Inputs allocator = [&] {
    Inputs i = work;
    for (const ModelInput& x : sources.constants({&at.memory_context_gib, &at.memory_slack, &at.optimizer_state_bytes})) i.push_back(x);
    return i;
  }();
  const std::string of = fmt::format(", stage {}", heaviest + 1);
  const auto bytes_of = [&](const char* id, const char* label, const ModelNote& note, const Inputs& inputs, double value) {
    return ledger.modelled<Bytes>(fmt::format("training.memory.{}", id), label + of, note, inputs, bytes(value), kind::memory);
  };
  const std::vector<Traced<Bytes>> memory{bytes_of("weights", "Weights", weights_note, state, most.weights),
                                          bytes_of("gradients", "Gradients", gradients_note, state, most.gradients),
                                          bytes_of("optimizer", "Optimizer state", state_note, optimizer_state, most.optimizer),
                                          bytes_of("activations", "Activations", activations_note, held, most.activations),
                                          bytes_of("logits", "Logits", memory_logits_note, held, most.logits),
                                          bytes_of("buffers", "Buffers", buffers_note, state, most.buffers),
                                          bytes_of("slack", "Context and slack", slack_note, allocator, most.slack)};
  out.memory = ledger.sum("training.memory_per_gpu", fmt::format("Memory per GPU, heaviest stage {} of {}", heaviest + 1, out.stages.size()),
                          memory, kind::memory);
  if (in.accelerator && in.accelerator->memory) {
    const auto rated = part_value<&Accelerator::memory>(ledger, in.catalog, *in.accelerator);
    Formula seen = binary_memory; // read as the figure that it limits
    seen.result_kind = &kind::memory;
    const auto usable = shows_binary_memory(*in.accelerator) ? ledger.derive("training.usable_memory", "Memory of the GPU as programs see it", seen, rated) : rated;
    ledger.limit(out.memory, usable, LimitSense::at_most, 0.9);
  }
  // Its own stage: what leaves most to the host keeps least on the GPU.
  const auto fullest_host = static_cast<std::size_t>(
      std::max_element(out.stages.begin(), out.stages.end(), [](const RankMemory& a, const RankMemory& b) { return a.host < b.host; }) -
      out.stages.begin());
  if (out.stages[fullest_host].host > 0.0) {
    const auto host = ledger.modelled<Bytes>("training.host_memory", fmt::format("Host memory for one GPU, stage {}", fullest_host + 1), host_note,
                                             optimizer_state, bytes(out.stages[fullest_host].host),
                                             kind::memory);
    const NodePart* node = in.population.node_kinds.empty() ? nullptr : in.catalog.find<NodePart>(in.population.node_kinds.front().part);
    if (node && node->memory && node->accelerators && *node->accelerators > 0) {
      ledger.limit(host,
                   ledger.derive("training.host_memory_there", "Main memory of a node over its GPUs", memory_of_one,
                                 part_value<&NodePart::memory>(ledger, in.catalog, *node),
                                 part_value<&NodePart::accelerators>(ledger, in.catalog, *node)),
                   LimitSense::at_most, 0.9);
    } else {
      ledger.remark(host, "the main memory of the node is not known: nothing says whether it fits");
    }
  }
  out.tables.push_back(memory_table(job.model, job.split.pp, out.stages, heaviest));
}

/// The step of a job that can run.
void step_parts(const StepFigureInputs& in, const TrainedJob& job, const TrainingConstants& c, StepSources& sources, const Inputs& split,
                const Inputs& rates, const Inputs& network, StepFigures& out) {
  Ledger& ledger = in.ledger;
  const auto f = static_cast<std::size_t>(job.cluster.family);
  const auto s = static_cast<std::size_t>(job.stack);
  const StackConstants& stack = c.stacks[s];
  out.parts = step_time(job.model, job.split, job.cluster, c, stack);
  const TrainingConstants& at = constant_index().places;
  const StackConstants& at_stack = at.stacks[s];
  const Inputs& dimensions = in.dimensions;
  const auto recipe = job.split.recipe;
  const double* linear = recipe == PrecisionRecipe::nvfp4 ? &at.fp4_share[f]
                         : recipe == PrecisionRecipe::fp8 ? &at.fp8_share[f]
                         : recipe > PrecisionRecipe::fp8  ? &at.mx_share[f]
                                                          : &at.half_share[f];
  const Inputs products = sources.constants({&at.half_share[f], linear == &at.half_share[f] ? nullptr : linear,
                                             &at.variant_clock[static_cast<std::size_t>(job.cluster.variant)], &at.ramp_k[f],
                                             &at.processors[f], &at.wave_weight, &at.memory_share, &at_stack.accumulate_bytes,
                                             &at_stack.grouped_half_share, &at_stack.grouped_share});
  const Inputs kernels = sources.constants({&at.attention_share[f], &at.first_attention[f], &at.second_attention[f],
                                            &at.variant_clock[static_cast<std::size_t>(job.cluster.variant)], &at.score_bytes});
  const Inputs passes = sources.constants({&at_stack.elementwise, &at.quantise_bytes, &at.memory_share, &at_stack.accumulate_bytes});
  const Inputs permute = sources.constants({&at_stack.expert_passes, &at.memory_share});
  const Inputs output = sources.constants({&at_stack.logit_bytes, &at.memory_share});
  const Inputs host = sources.constants({&at_stack.launch_us, &at_stack.expert_layer_us, &at.tensor_host, &at.grace_host});
  const Inputs wires = sources.constants({&at.scale_up_share, &at.scale_up_us, &at.network_share, &at.network_us, &at.network_hop_us});
  Inputs tensor_hides = sources.constants({&at_stack.tp_overlap}), pipeline_hides = sources.constants({&at_stack.pp_overlap}),
         data_hides = sources.constants({&at_stack.dp_overlap, &at_stack.gradient_bytes});
  tensor_hides.push_back(model_input("tensor_overlap", design_value<&Job::tensor_overlap>(ledger, "job", in.job)));
  pipeline_hides.push_back(model_input("pipeline_overlap", design_value<&Job::pipeline_overlap>(ledger, "job", in.job)));
  data_hides.push_back(model_input("data_overlap", design_value<&Job::data_overlap>(ledger, "job", in.job)));
  const Inputs expert_hides = sources.constants({&at_stack.ep_overlap, &at_stack.all_to_all_share});
  const Inputs optimizer = sources.constants({&at.optimizer_bytes, &at.memory_share}), straggle = sources.constants({&at.straggler}),
               step_constant = sources.constants({&at_stack.step_us});
  const Inputs layer = joined({&dimensions, &split, &rates, &products, &kernels, &passes, &host, &network, &wires, &tensor_hides});

  // The parts of the step, each with what it rests on.
  const StepParts& p = out.parts;
  std::vector<Traced<Time>> parts;
  std::vector<WaterfallRow> rows;
  const auto part = [&](std::string_view id, std::string label, const ModelNote& note, const Inputs& inputs, double value) {
    if (value == 0.0 && rows.size() > 2) return Traced<Time>{}; // what this job does not have
    const std::string figure = fmt::format("training.step.{}", id);
    parts.push_back(ledger.modelled<Time>(figure, label, note, inputs, seconds(value)));
    rows.push_back({std::move(label), value, figure});
    return parts.back();
  };
  const auto matrix = part("matrix", "Matrix products", matrix_note, joined({&dimensions, &split, &rates, &products}), p.matrix);
  const auto attention = part("attention", "Attention", attention_note, joined({&dimensions, &split, &rates, &kernels}), p.attention);
  const auto logits = part("logits", "Output layer and loss", logits_note, joined({&dimensions, &split, &rates, &products, &output}), p.logits);
  part("passes", "Passes over memory", passes_note, joined({&dimensions, &split, &rates, &passes}), p.passes);
  part("experts", "Router and permutation", experts_note, joined({&dimensions, &split, &rates, &permute}), p.experts);
  part("recompute", "Recomputation", recompute_note, layer, p.recompute);
  part("launch", "Launch gaps", launch_note, layer, p.launch);
  part("tensor", "Tensor-parallel traffic", tensor_note, joined({&dimensions, &split, &network, &wires, &tensor_hides}), p.tensor);
  part("context", "Context-parallel traffic", context_note, joined({&dimensions, &split, &rates, &network, &wires, &kernels}), p.context);
  part("expert", "Expert exchange", expert_note, joined({&dimensions, &split, &network, &wires, &expert_hides}), p.expert);
  part("pipeline", "Pipeline traffic", pipeline_note, joined({&dimensions, &split, &network, &wires, &pipeline_hides}), p.pipeline);
  part("data", "Data-parallel traffic", data_note, joined({&layer, &data_hides}), p.data);
  const auto bubble = part("bubble", "Pipeline bubble", bubble_note, layer, p.bubble);
  part("optimizer", "Optimizer", optimizer_note, joined({&dimensions, &split, &rates, &optimizer}), p.optimizer);
  part("stragglers", "Stragglers", straggler_note, joined({&layer, &straggle}), p.stragglers);
  part("other", "Data and logging", other_note, step_constant, p.other);
  if (p.offload > 0.0) {
    Inputs link = layer;
    for (const ModelInput& x : sources.constants({&at.optimizer_state_bytes})) link.push_back(x);
    link.push_back(model_input("offload_rate", design_value<&Job::offload_rate>(ledger, "job", in.job)));
    part("offload", "Offload traffic", offload_note, link, p.offload);
  }
  out.step_time = ledger.sum("training.modelled_step_time", "Step time by the model", parts);
  if (!in.job.model_flops_utilization) { // else the step is not the modelled one
    Inputs of_bubble{model_input("step_time", out.step_time)};
    if (p.bubble > 0.0) of_bubble.push_back(model_input("pipeline_bubble", bubble));
    constexpr ModelNote bubble_share{"pipeline bubble / step time", "ratio of times"};
    out.bubble = ledger.modelled<double>("training.bubble", "Pipeline bubble, share of the step", bubble_share, of_bubble,
                                         p.total() > 0 ? p.bubble / p.total() : 0.0, kind::percent);
  }
  out.place = place_among_measured(job.model, job.split, job.cluster, job.stack, job.split.gpus(), {}, false);
  // No measured run offloads or holds its GPUs to a cap, and all train every weight.
  if (job.split.trains_adapters() || job.split.offloads_optimizer || job.split.offloads_activations || job.cluster.clock < 1.0)
    out.place.region = CalibrationRegion::outside;
  std::string nearest;
  for (const std::string& id : out.place.nearest) nearest += (nearest.empty() ? "" : ", ") + id;
  std::string hangs;
  for (const std::string& term : largest_terms(p)) hangs += (hangs.empty() ? "" : ", ") + term;
  ledger.remark(out.step_time, fmt::format("{} the measured runs, nearest: {}; hangs on {}", region_word(out.place.region), nearest, hangs));

  // The interval.
  const bool experts = job.model.experts > 0;
  const double* region = out.place.region == CalibrationRegion::inside    ? &at.interval_inside
                         : out.place.region == CalibrationRegion::between ? &at.interval_between
                                                                          : &at.interval_outside;
  Inputs width_inputs = sources.constants({region, experts ? &at.interval_experts : nullptr});
  width_inputs.push_back(model_input("step_time", out.step_time));
  const double step = base_value(out.step_time.value) * job.step_factor, width = interval_width(c, out.place.region, experts);
  const auto factor = design_value<&Job::step_time_factor>(ledger, "job", in.job);
  width_inputs.push_back(model_input("step_time_factor", factor));
  constexpr ModelNote low_note{"step time x factor x exp(-width)", "residuals of published runs under constants fitted without their source"};
  constexpr ModelNote high_note{"step time x factor x exp(width)", "residuals of published runs under constants fitted without their source"};
  ledger.modelled<Time>("training.step_time_low", "Step time, lower end of 90 %", low_note, width_inputs, seconds(step * std::exp(-width)));
  ledger.modelled<Time>("training.step_time_high", "Step time, upper end of 90 %", high_note, width_inputs, seconds(step * std::exp(width)));

  // Operations by convention, and the way from the peak to the step.
  const Inputs work = joined({&dimensions, &split});
  const Traced<Count>& gpus = in.gpus;
  const auto flops =
      ledger.modelled<Flop>("training.step_flops", "Model operations of a step", flops_note, work, flop(model_flops_per_step(job.model, job.split)));
  const auto hardware = ledger.modelled<Flop>("training.step_hardware_flops", "Hardware operations of a step", hardware_note, work,
                                              flop(hardware_flops_per_step(job.model, job.split)));
  const auto calibrated = ledger.derive("training.calibrated_step_time", "Step time by the model, calibrated", calibrated_step_time,
                                        out.step_time, factor);
  Formula utilization = implied_utilization_from_duration;
  utilization.result_kind = &kind::percent;
  ledger.derive("training.mfu_attention", "Model FLOPs utilization with causal attention", utilization, flops, gpus, in.peak, calibrated);
  ledger.derive("training.hfu", "Hardware FLOPs utilization", utilization, hardware, gpus, in.peak, calibrated);
  const auto ideal = ledger.derive("training.step.ideal", "Model operations at the dense peak", ideal_step_time, flops, gpus, in.peak);
  const auto below =
      ledger.derive("training.step.below_peak", "Products below the peak", time_below_peak, matrix, attention, logits, ideal);
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [](const WaterfallRow& r) {
                              return r.figure == "training.step.matrix" || r.figure == "training.step.attention" ||
                                     r.figure == "training.step.logits";
                            }),
             rows.end());
  rows.insert(rows.begin(), {{"Model operations at the dense peak", base_value(ideal.value), "training.step.ideal"},
                             {"Products and attention below the peak", base_value(below.value), "training.step.below_peak"}});
  out.tables.push_back(waterfall_table(rows, p.total()));
}

std::string held_words(const HeldRack& held) {
  return !held.all_alike() ? held.name : held.alike == 1 ? "the only rack of the job" : fmt::format("all {} racks of the job", held.alike);
}

/// What the rack that is held to least costs the job.
void held_step(const StepFigureInputs& in, const TrainedJob& job, const TrainingConstants& c, double clock_without_racks, const Inputs& all,
               StepFigures& out) {
  ClusterRates free = job.cluster;
  free.clock = clock_without_racks;
  const double step = step_time(job.model, job.split, free, c, c.stacks[static_cast<std::size_t>(job.stack)]).total();
  constexpr ModelNote note{"the step-time model at the clock that GPUs have without caps of racks and rows", "the step-time model"};
  in.ledger.modelled<Time>("training.step_time_without_caps", "Step time by the model without caps of racks and rows", note, all, seconds(step));
  Table t;
  t.id = "training.held";
  t.title = in.held->all_alike() ? "Racks that a cap holds, all alike" : "The rack that the others wait for";
  t.entity_table = "racks";
  t.columns.reserve(5);
  t.add_words("rack", "Rack").words = {in.held->name};
  t.add_numbers("alike", "Racks held alike", kind::count).numbers = {static_cast<double>(in.held->alike)};
  t.add_numbers("of_job", "Racks of the job", kind::count).numbers = {static_cast<double>(in.held->of_job)};
  t.add_numbers("gpu_limit", "Limit of a GPU", kind::power, "W").numbers = {in_watts(in.held->gpu_limit.value)};
  t.add_numbers("clock", "Clock", kind::percent).numbers = {job.cluster.clock};
  t.entities.push_back(in.held->rack);
  t.row_figures.emplace_back("training.gpu_limit");
  out.tables.push_back(std::move(t));
}

} // namespace

StepFigures step_figures(const StepFigureInputs& in) {
  StepFigures out;
  Ledger& ledger = in.ledger;
  const auto constants = training_constants(in.catalog);
  std::optional<Absence> none = no_memory(in);
  if (!none && !constants) none = Absence{Completeness::unknown, constants.error()};
  TrainedJob job;
  StepSources sources(in);
  Inputs split;
  if (none) {
    out.memory = ledger.absent<Bytes>("training.memory_per_gpu", "Memory per GPU", none->completeness, none->reason, &kind::memory);
  } else {
    job.model = dimensions_of(*in.model);
    job.split = split_of(in.job);
    job.stack = in.job.software_stack;
    // Models of 2019 to 2022 keep masks of dropout.
    job.model.dropout = job.stack == SoftwareStack::megatron_2020 || job.stack == SoftwareStack::megatron_deepspeed ? 1.0 : 0.0;
    split = sources.split();
    memory_figures(in, job, *constants, sources, joined({&in.dimensions, &split}), out);
    none = no_step(in);
  }

  // Rates of the machine: those of the drawn networks where there are some.
  Inputs rates, network;
  double clock_without_racks = 1.0;
  if (!none) {
    const Accelerator& gpu = *in.accelerator;
    job.cluster = accelerator_rates(gpu, static_cast<double>(in.population.accelerators_per_node.value_or(8)));
    job.gpus = static_cast<double>(in.population.accelerators.value_or(0));
    job.step_factor = in.job.step_time_factor;
    job.cluster.peak_tflops = base_value(in.peak.value) * 1e-12;
    rates.push_back(model_input("peak", in.peak));
    rates.push_back(model_input("half_peak", gpu.bf16_dense ? part_value<&Accelerator::bf16_dense>(ledger, in.catalog, gpu)
                                                            : part_value<&Accelerator::fp16_dense>(ledger, in.catalog, gpu)));
    if ((in.job.gpu_power_cap || in.held) && gpu.power) {
      // The share of the clock that the caps leave: of the job, or of the rack that is held to least.
      const auto clock_under = [&](const char* id, const char* label, const Traced<Power>& cap) {
        return ledger.derive(id, label, clock_under_power_cap, cap, part_value<&Accelerator::power>(ledger, in.catalog, gpu),
                             assumption<double>(ledger, in.catalog, "power.gpu_idle_to_maximum"));
      };
      Traced<Power> cap, of_job;
      if (in.job.gpu_power_cap) cap = of_job = design_value<&Job::gpu_power_cap>(ledger, "job", in.job);
      if (in.held) {
        const auto held = ledger.as<Power>("training.gpu_limit", "Power limit of the GPUs in " + held_words(*in.held), in.held->gpu_limit);
        cap = of_job.figure.valid() ? ledger.derive("training.gpu_limit_of_job", "Power limit of the slowest GPUs", smaller_power, of_job, held) : held;
        if (of_job.figure.valid()) {
          const auto clock = clock_under("training.clock_share_of_job", "Clock under the cap of the job", of_job);
          if (clock.has_value()) clock_without_racks = clock.value;
        }
      }
      const auto clock = clock_under("training.clock_share", "Clock under the power cap", cap);
      if (in.held && clock.has_value()) ledger.remark(clock, "of the GPUs in " + held_words(*in.held) + (in.held->all_alike() ? "" : ", for which all others wait in every step"));
      rates.push_back(model_input("clock", clock));
      if (clock.has_value()) job.cluster.clock = clock.value;
    }
    rates.push_back(model_input("memory_rate", part_value<&Accelerator::memory_bandwidth>(ledger, in.catalog, gpu)));
    if (in.fabric && in.fabric->scale_up_rate_per_gpu.has_value()) {
      job.cluster.scale_up_gb_s = base_value(in.fabric->scale_up_rate_per_gpu.value) * 1e-9;
      network.push_back(model_input("scale_up_rate", in.fabric->scale_up_rate_per_gpu));
    } else if (gpu.scale_up_per_direction) {
      network.push_back(model_input("scale_up_rate", part_value<&Accelerator::scale_up_per_direction>(ledger, in.catalog, gpu)));
    }
    if (in.fabric && in.fabric->scale_up_domain_gpus.has_value()) {
      job.cluster.scale_up_ranks = static_cast<double>(in.fabric->scale_up_domain_gpus.value);
      network.push_back(model_input("scale_up_domain", in.fabric->scale_up_domain_gpus));
    } else if (gpu.scale_up_domain) {
      network.push_back(model_input("scale_up_domain", part_value<&Accelerator::scale_up_domain>(ledger, in.catalog, gpu)));
    } else {
      network.push_back(model_input("scale_up_domain", in.population.accelerators_per_node));
    }
    // The network is that of the cluster, also for a job that does not leave its domain: other layouts of it do.
    if (in.fabric && in.fabric->injection_per_gpu.has_value())
      job.cluster.network_gb_s = base_value(in.fabric->injection_per_gpu.value) * 1e-9;
    if (in.network) job.cluster.reach = in.network->reach;
    if (job.split.gpus() > job.cluster.scale_up_ranks) {
      if (in.fabric && in.fabric->injection_per_gpu.has_value()) {
        network.push_back(model_input("network_rate", in.fabric->injection_per_gpu));
      } else if (gpu.scale_out_rate) {
        network.push_back(model_input("network_rate", part_value<&Accelerator::scale_out_rate>(ledger, in.catalog, gpu)));
      } else {
        none = Absence{Completeness::unknown, "no compute network is described, and the catalog has no network rate of " + gpu.name};
      }
      if (in.network) {
        network.push_back(model_input("axis_order", design_value<&Job::axis_order>(ledger, "job", in.job)));
        network.push_back(model_input("rank_order", design_value<&Job::rank_order>(ledger, "job", in.job)));
        // Names of inputs outlive the evaluation that the network belongs to.
        for (const std::string_view name : {"unit_gpus", "pod_gpus", "leaf_oversubscription", "core_oversubscription", "slowest_flow", "injection_left"})
          for (const auto& [own, figure] : in.network->figures)
            if (own == name) network.push_back(model_input(name, figure));
        if (in.network->cut_off_gpus > 0 && !none)
          none = Absence{Completeness::not_applicable,
                         fmt::format("{} GPUs of the job have no link that leads to the others: {} out of service", in.network->cut_off_gpus,
                                     in.network->out_of_service)};
      }
    }
    for (const Inputs* group : {&rates, &network})
      for (const ModelInput& i : *group)
        if (!none && (i.completeness == Completeness::unknown || i.completeness == Completeness::not_applicable))
          none = Absence{i.completeness, i.reason ? *i.reason : fmt::format("{} is not known", i.name)};
    if (const auto usable = usable_memory_bytes(gpu)) job.memory_bytes = *usable;
  }
  if (none) {
    out.step_time = ledger.absent<Time>("training.modelled_step_time", "Step time by the model", none->completeness, none->reason);
    return out;
  }
  out.job = job;
  step_parts(in, job, *constants, sources, split, rates, network, out);
  if (in.held) held_step(in, job, *constants, clock_without_racks, joined({&in.dimensions, &split, &rates, &network}), out);
  return out;
}

} // namespace hallwright
