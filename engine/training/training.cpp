// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training.h"

#include <fmt/format.h>

#include "training/figure_values.h"
#include "training/formulas.h"
#include "training/model_formulas.h"
#include "training/stage_memory.h"

namespace hallwright {
namespace {

/// Weights of the parts of the model, from its catalog row.
struct ModelFigures {
  StageMemoryInputs shape; ///< the part of it that the model states
  Traced<Count> total, active, vocabulary;
};

ModelFigures model_figures(Ledger& ledger, const Catalog& catalog, const ModelPart& m) {
  ModelFigures out;
  StageMemoryInputs& s = out.shape;
  const bool experts = m.experts_routed.value_or(0) > 0;
  s.layers = part_value<&ModelPart::layers>(ledger, catalog, m);
  s.hidden = part_value<&ModelPart::hidden>(ledger, catalog, m);
  s.attention_heads = part_value<&ModelPart::attention_heads>(ledger, catalog, m);
  out.vocabulary = part_value<&ModelPart::vocabulary>(ledger, catalog, m);
  s.tied_embeddings = part_value_or<&ModelPart::tied_embeddings>(ledger, catalog, m, 0);
  s.ffn_matrices = ledger.derive("training.model.matrices", "Matrices of the feed-forward part", feed_forward_matrices,
                                 part_value<&ModelPart::ffn_gated>(ledger, catalog, m));

  if (m.attention == "MLA") {
    const auto nope = part_value<&ModelPart::qk_nope_head_dimension>(ledger, catalog, m);
    const auto rope = part_value<&ModelPart::qk_rope_head_dimension>(ledger, catalog, m);
    const auto value = part_value<&ModelPart::v_head_dimension>(ledger, catalog, m);
    s.attention_parameters = ledger.derive("training.model.attention_parameters", "Attention parameters of a layer",
                                           latent_attention_parameters_per_layer, s.hidden, s.attention_heads,
                                           part_value_or<&ModelPart::q_lora_rank>(ledger, catalog, m, 0),
                                           part_value<&ModelPart::kv_lora_rank>(ledger, catalog, m), nope, rope, value);
    s.attention_width = s.kv_width =
        ledger.derive("training.model.attention_width", "Attention width", latent_attention_width, s.attention_heads, nope, rope, value);
  } else {
    const auto head = m.head_dimension ? part_value<&ModelPart::head_dimension>(ledger, catalog, m)
                                       : ledger.derive("training.model.head_dimension", "Size of a head",
                                                       head_dimension_from_hidden_size, s.hidden, s.attention_heads);
    const auto kv_heads = m.kv_heads ? part_value<&ModelPart::kv_heads>(ledger, catalog, m) : s.attention_heads;
    s.attention_parameters = ledger.derive("training.model.attention_parameters", "Attention parameters of a layer",
                                           attention_parameters_per_layer, s.hidden, s.attention_heads, kv_heads, head);
    s.attention_width = ledger.derive("training.model.attention_width", "Attention width", attention_width, s.attention_heads, head);
    s.kv_width = ledger.derive("training.model.kv_width", "Key and value width", attention_width, kv_heads, head);
  }
  s.norm_parameters =
      ledger.derive("training.model.norm_parameters", "Norm parameters of a layer", norm_parameters_per_layer, s.hidden);

  // A dense model has as many dense layers at its start as it has layers; an empty count of experts means none.
  const auto no_experts = experts ? Traced<Count>{} : part_value_or<&ModelPart::experts_routed>(ledger, catalog, m, 0);
  s.first_dense_layers = experts ? part_value_or<&ModelPart::first_dense_layers>(ledger, catalog, m, 0) : s.layers;
  s.expert_layer_spacing = part_value_or<&ModelPart::moe_every_n_layers>(ledger, catalog, m, 1);
  const auto expert_layers = ledger.derive("training.model.expert_layers", "Layers with experts", expert_layer_count, s.layers,
                                           s.first_dense_layers, s.expert_layer_spacing);
  const bool all_experts = expert_layers.has_value() && s.layers.has_value() && expert_layers.value == s.layers.value;
  s.ffn_hidden = all_experts ? part_value_or<&ModelPart::ffn_hidden>(ledger, catalog, m, 0)
                             : part_value<&ModelPart::ffn_hidden>(ledger, catalog, m);
  s.feed_forward_parameters = ledger.derive("training.model.feed_forward_parameters", "Feed-forward parameters of a dense layer",
                                            feed_forward_parameters_per_layer, s.hidden, s.ffn_hidden, s.ffn_matrices);
  Traced<Count> expert_parameters = no_experts, active_expert_parameters = no_experts;
  if (experts) {
    const auto routed = part_value<&ModelPart::experts_routed>(ledger, catalog, m);
    s.expert_hidden = part_value<&ModelPart::moe_ffn_hidden>(ledger, catalog, m);
    s.experts_per_token = part_value<&ModelPart::experts_per_token>(ledger, catalog, m);
    s.experts_shared = part_value_or<&ModelPart::experts_shared>(ledger, catalog, m, 0);
    expert_parameters = ledger.derive("training.model.expert_parameters", "Parameters of experts and router of a layer",
                                      expert_parameters_per_layer, s.hidden, s.expert_hidden, s.ffn_matrices, routed, s.experts_shared);
    active_expert_parameters = ledger.derive("training.model.active_expert_parameters",
                                             "Parameters of experts and router of a layer that a token passes",
                                             active_expert_parameters_per_layer, s.hidden, s.expert_hidden, s.ffn_matrices,
                                             s.experts_per_token, s.experts_shared, routed);
    s.routed_expert_parameters = ledger.derive("training.model.routed_expert_parameters", "Parameters of routed experts of a layer",
                                               expert_weights_per_layer, s.hidden, s.expert_hidden, s.ffn_matrices, routed);
    s.shared_expert_parameters = ledger.derive("training.model.shared_expert_parameters", "Parameters of shared experts of a layer",
                                               expert_weights_per_layer, s.hidden, s.expert_hidden, s.ffn_matrices, s.experts_shared);
    s.router_parameters = ledger.derive("training.model.router_parameters", "Parameters of the router of a layer",
                                        router_parameters_per_layer, s.hidden, routed);
  } else {
    s.expert_hidden = s.experts_per_token = s.experts_shared = s.routed_expert_parameters = s.shared_expert_parameters =
        s.router_parameters = no_experts;
  }

  if (model_parameters(m)) {
    const auto embeddings = ledger.derive("training.model.embedding_parameters", "Embedding parameters", embedding_parameters,
                                          out.vocabulary, s.hidden, s.tied_embeddings);
    out.total = ledger.derive("training.parameters", "Model parameters", mixed_model_parameters, s.layers, expert_layers,
                              s.attention_parameters, s.feed_forward_parameters, expert_parameters, s.norm_parameters, embeddings, s.hidden);
    out.active = ledger.derive("training.active_parameters", "Parameters that a token passes", mixed_model_parameters, s.layers,
                               expert_layers, s.attention_parameters, s.feed_forward_parameters, active_expert_parameters,
                               s.norm_parameters, embeddings, s.hidden);
  } else {
    // Dimensions are missing: the published count still gives operations, time and checkpoints.
    out.total = ledger.derive("training.parameters", "Model parameters, as published", published_parameters,
                              part_value<&ModelPart::parameters_total_billion>(ledger, catalog, m));
    out.active = ledger.derive("training.active_parameters", "Parameters that a token passes, as published", published_parameters,
                               part_value<&ModelPart::parameters_active_billion>(ledger, catalog, m));
  }
  return out;
}

Traced<FlopRate> peak(Ledger& ledger, const Catalog& catalog, const Accelerator& gpu, Precision precision) {
  switch (precision) {
  case Precision::bf16: return part_value<&Accelerator::bf16_dense>(ledger, catalog, gpu);
  case Precision::fp16: return part_value<&Accelerator::fp16_dense>(ledger, catalog, gpu);
  case Precision::fp8: return part_value<&Accelerator::fp8_dense>(ledger, catalog, gpu);
  case Precision::fp4: return part_value<&Accelerator::fp4_dense>(ledger, catalog, gpu);
  }
  return {};
}

StageMemory plain(const StageMemoryFigures& f) {
  return {base_value(f.weights.value), base_value(f.gradients.value), base_value(f.optimizer.value), base_value(f.activations.value),
          base_value(f.logits.value)};
}

Table layout_table(const Job& job) {
  Table t;
  t.id = "training.layout";
  t.title = "Parallel layout";
  auto& axis = t.add_words("axis", "Axis").words;
  axis = {"tensor parallel", "pipeline parallel", "context parallel", "data parallel", "expert parallel"};
  t.add_numbers("size", "Size", kind::count).numbers = {
      static_cast<double>(job.tensor_parallel), static_cast<double>(job.pipeline_parallel), static_cast<double>(job.context_parallel),
      static_cast<double>(job.data_parallel), static_cast<double>(job.expert_parallel)};
  t.add_words("divides", "What it divides").words = {
      "heads, feed-forward width, vocabulary, and the sequence between them", "layers", "the sequence", "the batch, and sharded state",
      "routed experts, inside data parallel x context parallel"};
  return t;
}

Table memory_table(const std::vector<Count>& layers, const std::vector<StageMemory>& stages, std::size_t heaviest) {
  Table t;
  t.id = "training.memory";
  t.title = "Memory per GPU by pipeline stage";
  t.columns.reserve(8); // columns keep their place while they are filled
  auto& stage = t.add_numbers("stage", "Stage", kind::count).numbers;
  auto& layer = t.add_numbers("layers", "Layers", kind::count).numbers;
  auto& weights = t.add_numbers("weights", "Weights", kind::memory).numbers;
  auto& gradients = t.add_numbers("gradients", "Gradients", kind::memory).numbers;
  auto& optimizer = t.add_numbers("optimizer", "Optimizer state", kind::memory).numbers;
  auto& activations = t.add_numbers("activations", "Activations", kind::memory).numbers;
  auto& logits = t.add_numbers("logits", "Logits", kind::memory).numbers;
  auto& total = t.add_numbers("total", "Total", kind::memory).numbers;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stage.push_back(static_cast<double>(i + 1));
    layer.push_back(static_cast<double>(layers[i]));
    weights.push_back(stages[i].weights);
    gradients.push_back(stages[i].gradients);
    optimizer.push_back(stages[i].optimizer);
    activations.push_back(stages[i].activations);
    logits.push_back(stages[i].logits);
    total.push_back(stages[i].total());
    t.row_figures.push_back(i == heaviest ? "training.memory_per_gpu" : "");
  }
  return t;
}

Table problem_table(const std::vector<LayoutProblem>& problems) {
  Table t;
  t.id = "training.problems";
  t.title = "Layout against model and cluster";
  t.columns.reserve(3);
  auto& axis = t.add_words("axis", "Axis").words;
  auto& weight = t.add_words("weight", "Weight").words;
  auto& sentence = t.add_words("sentence", "What is wrong").words;
  for (const LayoutProblem& p : problems) {
    axis.push_back(p.axis);
    weight.push_back(p.note ? "note" : "error");
    sentence.push_back(p.sentence);
  }
  return t;
}

constexpr std::string_view zero_source = "Rajbhandari et al. 2020 (ZeRO): mixed precision with Adam; 8-bit and 4-bit formats keep the same state";
constexpr Count most_stages = 4096; ///< more pipeline stages than any model has layers

} // namespace

TrainingResult training(const TrainingInputs& inputs, const PopulationResult& population) {
  TrainingResult out;
  Ledger ledger(Page::training);
  const Job& job = *inputs.job;
  const Catalog& catalog = *inputs.catalog;
  std::vector<Table> tables;

  const auto tp = design_value<&Job::tensor_parallel>(ledger, "job", job);
  const auto pp = design_value<&Job::pipeline_parallel>(ledger, "job", job);
  const auto cp = design_value<&Job::context_parallel>(ledger, "job", job);
  const auto dp = design_value<&Job::data_parallel>(ledger, "job", job);
  const auto vp = design_value<&Job::virtual_stages>(ledger, "job", job);
  const auto micro = design_value<&Job::micro_batch>(ledger, "job", job);
  const auto batch = design_value<&Job::global_batch_sequences>(ledger, "job", job);
  const auto sequence = design_value<&Job::sequence_length>(ledger, "job", job);
  const auto tokens = design_value<&Job::tokens>(ledger, "job", job);

  out.tokens = ledger.as<double>("training.tokens", "Tokens of the run", tokens, &kind::count);

  // The model.
  const ModelPart* model = catalog.find<ModelPart>(job.model_part);
  ModelFigures figures;
  if (model) {
    figures = model_figures(ledger, catalog, *model);
  } else {
    const std::string why = job.model_part.empty() ? "the job names no model" : fmt::format("the catalog has no model {}", job.model_part);
    // A model that is named and not found is unknown: what is summed with its checkpoints is a lower bound.
    const Completeness none = job.model_part.empty() ? Completeness::not_applicable : Completeness::unknown;
    figures.total = ledger.absent<Count>("training.parameters", "Model parameters", none, why);
    figures.active = ledger.absent<Count>("training.active_parameters", "Parameters that a token passes", none, why);
    figures.vocabulary = figures.total;
  }
  out.parameters = retyped<double>(figures.total);
  out.active_parameters = retyped<double>(figures.active);
  out.vocabulary = figures.vocabulary;
  out.flops = ledger.derive("training.flops", "Model operations of the run", training_flops, figures.active, retyped<Count>(out.tokens));

  // The machine.
  out.gpus_used = ledger.derive("training.gpus_used", "GPUs of the job", parallel_gpu_count, tp, pp, cp, dp);
  if (population.accelerators.has_value() && population.accelerators.value > 0)
    ledger.limit(out.gpus_used, population.accelerators, LimitSense::at_most, 1.0);
  const Accelerator* gpu = catalog.find<Accelerator>(population.main_accelerator_part);
  Traced<Count> domain;
  if (gpu) {
    out.peak_per_gpu = ledger.as<FlopRate>("training.peak_per_gpu", "Dense peak per GPU", peak(ledger, catalog, *gpu, job.precision));
    domain = ledger.as<Count>("training.scale_up_domain", "GPUs of a scale-up domain",
                              part_value<&Accelerator::scale_up_domain>(ledger, catalog, *gpu));
  } else {
    out.peak_per_gpu = ledger.absent<FlopRate>("training.peak_per_gpu", "Dense peak per GPU", Completeness::not_applicable,
                                               "there are no GPUs");
  }

  // Time at the assumed utilisation.
  out.mfu = ledger.as<double>("training.mfu", "Model FLOPs utilization",
                              design_value<&Job::model_flops_utilization>(ledger, "job", job), &kind::percent);
  out.mfu = ledger.assumed(out.mfu, "an input until the job is simulated; model FLOPs are 6 x active parameters x tokens (6ND): attention over the "
                                    "sequence and recomputed activations are left out, so that long sequences take longer than this says");
  const auto step_tokens = ledger.derive("training.tokens_per_step", "Tokens per step", tokens_per_step, batch, sequence);
  out.token_rate =
      ledger.derive("training.token_rate", "Tokens per second", training_token_rate, out.gpus_used, out.peak_per_gpu, out.mfu, figures.active);
  out.step_time = ledger.derive("training.step_time", "Step time", step_time_at_token_rate, step_tokens, out.token_rate);
  out.steps = ledger.derive("training.steps", "Steps", step_count, retyped<Count>(out.tokens), step_tokens);
  out.compute_time = ledger.derive("training.compute_time", "Compute time without stops", training_time_from_step,
                                   retyped<Count>(out.tokens), step_tokens, out.step_time);
  const auto micro_batches =
      ledger.derive("training.micro_batches", "Micro-batches per replica and step", micro_batches_per_step, batch, dp, micro);
  Formula bubble = pipeline_bubble_fraction; // a share of the step: read as percent
  bubble.result_kind = &kind::percent;
  out.bubble = ledger.derive("training.bubble", "Pipeline bubble, share of the step", bubble, pp, micro_batches, vp);

  // Memory of every stage; the page keeps the heaviest.
  if (model && job.pipeline_parallel >= 1 && job.pipeline_parallel <= most_stages) {
    StageMemoryInputs in = figures.shape;
    in.padded_vocabulary = ledger.derive("training.padded_vocabulary", "Vocabulary with padding", padded_vocabulary_size,
                                         figures.vocabulary, tp);
    in.tensor_parallel = tp;
    in.pipeline_parallel = pp;
    in.virtual_stages = vp;
    in.context_parallel = cp;
    in.expert_parallel = design_value<&Job::expert_parallel>(ledger, "job", job);
    in.data_parallel = dp;
    in.sequence_length = sequence;
    in.micro_batch_tokens =
        ledger.derive("training.micro_batch_tokens", "Tokens of a micro-batch", tokens_per_step, micro, sequence);
    in.micro_batches = micro_batches;
    in.sharding = job.sharding;
    in.recompute = job.recompute;
    in.weight_bytes = ledger.constant<Bytes>("training.weight_bytes", "Weight, 16 bits", bytes(2), std::string(zero_source));
    in.gradient_bytes = ledger.constant<Bytes>("training.gradient_bytes", "Gradient, 32 bits", bytes(4), std::string(zero_source));
    in.optimizer_bytes =
        ledger.constant<Bytes>("training.optimizer_bytes", "Master weight and two moments, 32 bits", bytes(12), std::string(zero_source));

    std::vector<Count> layers;
    std::size_t heaviest = 0;
    Traced<Bytes> missing;
    for (Count stage = 1; stage <= job.pipeline_parallel; ++stage) {
      Ledger scratch(Page::training);
      const StageMemoryFigures f = memory_of_stage(scratch, in, stage);
      const Traced<Bytes>* unknown = nullptr;
      for (const auto* part : {&f.weights, &f.gradients, &f.optimizer, &f.activations, &f.logits})
        if (!part->has_value() && !unknown) unknown = part;
      if (unknown) {
        missing = *unknown;
        out.stages.clear();
        break;
      }
      layers.push_back(f.layers.value);
      out.stages.push_back(plain(f));
      if (out.stages.back().total() > out.stages[heaviest].total()) heaviest = out.stages.size() - 1;
    }
    if (!out.stages.empty()) {
      out.memory_per_gpu = memory_of_stage(ledger, in, static_cast<Count>(heaviest) + 1).total;
      tables.push_back(memory_table(layers, out.stages, heaviest));
      if (gpu) ledger.limit(out.memory_per_gpu, part_value<&Accelerator::memory>(ledger, catalog, *gpu), LimitSense::at_most, 0.9);
    } else {
      // A sum of unknown parts would read "at least nothing": say instead what is missing.
      out.memory_per_gpu = ledger.absent<Bytes>("training.memory_per_gpu", "Memory per GPU", missing.completeness,
                                                missing.reason ? *missing.reason : "a dimension of the model is unknown", &kind::memory);
    }
  } else {
    out.memory_per_gpu = ledger.absent<Bytes>("training.memory_per_gpu", "Memory per GPU", Completeness::not_applicable,
                                              model ? "pipeline_parallel is out of range" : "there is no model", &kind::memory);
  }

  if (model) {
    out.problems = layout_problems(job, *model, population.accelerators.value_or(0), domain.value_or(0));
    if (!out.problems.empty()) tables.push_back(problem_table(out.problems));
  }
  tables.push_back(layout_table(job));
  out.page = ledger.finish_page();
  out.tables = std::make_shared<const std::vector<Table>>(std::move(tables));
  return out;
}

} // namespace hallwright
