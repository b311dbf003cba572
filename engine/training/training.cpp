// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training.h"

#include <fmt/format.h>

#include "training/figure_values.h"
#include "training/formulas.h"
#include "training/model_formulas.h"
#include "training/step_figures.h"

namespace hallwright {
namespace {

/// Figures of the parts of the model, from its catalog row.
struct ModelFigures {
  std::vector<ModelInput> dimensions; ///< what the step-time and memory model take of it
  Traced<Count> total, active, vocabulary;
};
/// Counts that the weights of a model rest on.
struct ShapeFigures {
  Traced<Count> layers, first_dense_layers, expert_layer_spacing, hidden, attention_heads, ffn_hidden, expert_hidden, experts_per_token,
      experts_shared, ffn_matrices, tied_embeddings, attention_parameters, feed_forward_parameters, norm_parameters;
};

Traced<Bytes> two_bytes(Ledger& ledger) {
  return ledger.constant<Bytes>("training.cache_element", "Bytes of a cached value", bytes(2), "bf16 or fp16, as released models serve", &kind::memory);
}

ModelFigures model_figures(Ledger& ledger, const Catalog& catalog, const ModelPart& m) {
  ModelFigures out;
  ShapeFigures s;
  const bool experts = m.experts_routed.value_or(0) > 0;
  const auto dimension = [&](std::string_view name, const Traced<Count>& value) {
    out.dimensions.push_back(model_input(name, value));
    return value;
  };
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
    const auto rank = part_value<&ModelPart::kv_lora_rank>(ledger, catalog, m);
    ledger.derive("training.kv_cache_per_token", "Key-value cache of a token when the model serves, 16 bits", latent_cache_bytes_per_token, s.layers,
                  rank, rope, two_bytes(ledger));
    dimension("kv_rank", rank);
    dimension("nope_dimension", nope);
    dimension("rope_dimension", rope);
    dimension("v_dimension", value);
  } else {
    const auto head = m.head_dimension ? part_value<&ModelPart::head_dimension>(ledger, catalog, m)
                                       : ledger.derive("training.model.head_dimension", "Size of a head",
                                                       head_dimension_from_hidden_size, s.hidden, s.attention_heads);
    const auto kv_heads = m.kv_heads ? part_value<&ModelPart::kv_heads>(ledger, catalog, m) : s.attention_heads;
    s.attention_parameters = ledger.derive("training.model.attention_parameters", "Attention parameters of a layer",
                                           attention_parameters_per_layer, s.hidden, s.attention_heads, kv_heads, head);
    ledger.derive("training.kv_cache_per_token", "Key-value cache of a token when the model serves, 16 bits", kv_cache_bytes_per_token, s.layers,
                  kv_heads, head, two_bytes(ledger));
    dimension("kv_heads", kv_heads);
    dimension("head_dimension", head);
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
    dimension("experts", routed);
    dimension("experts_per_token", s.experts_per_token);
    dimension("experts_shared", s.experts_shared);
    dimension("expert_ffn", s.expert_hidden);
    dimension("first_dense_layers", s.first_dense_layers);
    dimension("expert_layer_spacing", s.expert_layer_spacing);
  }
  dimension("layers", s.layers);
  dimension("hidden", s.hidden);
  dimension("heads", s.attention_heads);
  dimension("vocabulary", out.vocabulary);
  dimension("tied_embeddings", s.tied_embeddings);
  dimension("ffn_matrices", s.ffn_matrices);
  if (!all_experts) dimension("ffn", s.ffn_hidden);
  if (m.sliding_window) dimension("window", part_value<&ModelPart::sliding_window>(ledger, catalog, m));

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
  case Precision::fp8:
  case Precision::fp8_block:
  case Precision::mxfp8: return part_value<&Accelerator::fp8_dense>(ledger, catalog, gpu);
  case Precision::tf32: return part_value<&Accelerator::tf32_dense>(ledger, catalog, gpu);
  case Precision::fp32: return part_value<&Accelerator::fp32_dense>(ledger, catalog, gpu);
  case Precision::fp4: return part_value<&Accelerator::fp4_dense>(ledger, catalog, gpu);
  }
  return {};
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

} // namespace

TrainingResult training(const TrainingInputs& inputs, const PopulationResult& population, const FabricResult* fabric, const JobNetwork* network,
                        const HeldRack* held) {
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

  if (model) out.problems = layout_problems(job, *model, population.accelerators.value_or(0), domain.value_or(0));

  // Time of a step: by the model, or at the typed utilisation.
  const auto step_tokens = ledger.derive("training.tokens_per_step", "Tokens per step", tokens_per_step, batch, sequence);
  const auto micro_batches =
      ledger.derive("training.micro_batches", "Micro-batches per replica and step", micro_batches_per_step, batch, dp, micro);
  StepFigures step = step_figures(
      {ledger, catalog, job, model, gpu, population, fabric, network, held, out.peak_per_gpu, out.gpus_used, figures.dimensions, out.problems});
  out.modelled_step_time = step.step_time;
  out.stages = std::move(step.stages);
  out.memory_per_gpu = step.memory;
  out.parts = step.parts;
  out.place = std::move(step.place);
  out.job = step.job;
  for (Table& t : step.tables) tables.push_back(std::move(t));
  if (job.model_flops_utilization) {
    out.mfu = ledger.as<double>("training.mfu", "Model FLOPs utilization, typed",
                                design_value<&Job::model_flops_utilization>(ledger, "job", job), &kind::percent);
    out.mfu = ledger.assumed(out.mfu, "typed, so it stands in for the step-time model; model FLOPs are 6 x active parameters x tokens (6ND): "
                                      "attention over the sequence and recomputed activations are left out");
    out.token_rate =
        ledger.derive("training.token_rate", "Tokens per second", training_token_rate, out.gpus_used, out.peak_per_gpu, out.mfu, figures.active);
    out.step_time = ledger.derive("training.step_time", "Step time", step_time_at_token_rate, step_tokens, out.token_rate);
  } else {
    out.step_time = ledger.derive("training.step_time", "Step time", calibrated_step_time, out.modelled_step_time,
                                  design_value<&Job::step_time_factor>(ledger, "job", job));
    out.token_rate = ledger.derive("training.token_rate", "Tokens per second", token_rate_at_step_time, step_tokens, out.step_time);
    Formula utilization = model_flops_utilization; // a share of the peak: read as percent
    utilization.result_kind = &kind::percent;
    out.mfu = ledger.derive("training.mfu", "Model FLOPs utilization", utilization, figures.active, out.token_rate, out.gpus_used,
                            out.peak_per_gpu);
    if (out.mfu.has_value())
      ledger.remark(out.mfu, "of the modelled step; model FLOPs are 6 x active parameters x tokens (6ND): attention over the sequence and recomputed "
                             "activations are left out, other figures of this page count them");
  }
  out.steps = ledger.derive("training.steps", "Steps", step_count, retyped<Count>(out.tokens), step_tokens);
  out.compute_time = ledger.derive("training.compute_time", "Compute time without stops", training_time_from_step,
                                   retyped<Count>(out.tokens), step_tokens, out.step_time);
  if (step.bubble) {
    out.bubble = *step.bubble;
  } else if (job.pipeline_order == PipelineOrder::plain) {
    Formula bubble = pipeline_bubble_fraction;
    bubble.result_kind = &kind::percent;
    out.bubble = ledger.derive("training.bubble", "Pipeline bubble, share of the work", bubble, pp, micro_batches, vp);
  } else {
    out.bubble = ledger.absent<double>("training.bubble", "Pipeline bubble, share of the step", out.modelled_step_time.completeness,
                                       out.modelled_step_time.reason ? *out.modelled_step_time.reason : std::string("there is no step"),
                                       &kind::percent);
  }

  if (!out.problems.empty()) tables.push_back(problem_table(out.problems));
  tables.push_back(layout_table(job));
  out.page = ledger.finish_page();
  out.tables = std::make_shared<const std::vector<Table>>(std::move(tables));
  return out;
}

} // namespace hallwright
