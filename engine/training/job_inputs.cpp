// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/job_inputs.h"

#include <algorithm>

namespace hallwright {
namespace {

template <class T>
double or_zero(const std::optional<T>& v) {
  return v ? static_cast<double>(*v) : 0.0;
}

} // namespace

ModelDimensions dimensions_of(const ModelPart& p) {
  ModelDimensions m;
  m.layers = or_zero(p.layers);
  m.hidden = or_zero(p.hidden);
  m.heads = or_zero(p.attention_heads);
  m.kv_heads = p.kv_heads ? or_zero(p.kv_heads) : m.heads;
  m.head_dimension = p.head_dimension ? or_zero(p.head_dimension) : m.heads > 0 ? m.hidden / m.heads : 0.0;
  m.ffn = or_zero(p.ffn_hidden);
  m.gated = or_zero(p.ffn_gated) > 0.5;
  m.vocabulary = or_zero(p.vocabulary);
  m.tied_embeddings = or_zero(p.tied_embeddings) > 0.5;
  m.experts = or_zero(p.experts_routed);
  m.experts_per_token = or_zero(p.experts_per_token);
  m.experts_shared = or_zero(p.experts_shared);
  m.expert_ffn = or_zero(p.moe_ffn_hidden);
  m.first_dense_layers = std::min(or_zero(p.first_dense_layers), std::max(0.0, m.layers - 1.0));
  m.expert_layer_spacing = std::max(1.0, or_zero(p.moe_every_n_layers));
  m.latent = p.attention == "MLA";
  m.q_rank = or_zero(p.q_lora_rank);
  m.kv_rank = or_zero(p.kv_lora_rank);
  m.nope_dimension = or_zero(p.qk_nope_head_dimension);
  m.rope_dimension = or_zero(p.qk_rope_head_dimension);
  m.v_dimension = or_zero(p.v_head_dimension);
  m.window = or_zero(p.sliding_window);
  m.windowed_share = m.window > 0 ? 0.5 : 0.0;
  return m;
}

std::vector<std::string> missing_dimensions(const ModelPart& p) {
  std::vector<std::string> out;
  const auto need = [&](bool there, const char* what) {
    if (!there) out.emplace_back(what);
  };
  need(p.layers.has_value(), "layers");
  need(p.hidden.has_value(), "hidden size");
  need(p.attention_heads.has_value(), "attention heads");
  need(p.vocabulary.has_value(), "vocabulary");
  need(p.ffn_gated.has_value(), "whether the feed-forward part is gated");
  if (p.experts_routed.value_or(0) > 0) {
    need(p.moe_ffn_hidden.has_value(), "width of an expert");
    need(p.experts_per_token.has_value(), "experts per token");
  } else {
    need(p.ffn_hidden.has_value(), "feed-forward width");
  }
  if (p.attention == "MLA") {
    need(p.kv_lora_rank.has_value(), "rank of keys and values");
    need(p.qk_nope_head_dimension.has_value(), "head size without rotary part");
    need(p.qk_rope_head_dimension.has_value(), "rotary head size");
    need(p.v_head_dimension.has_value(), "head size of values");
  }
  return out;
}

PrecisionRecipe recipe_of(Precision p) {
  switch (p) {
  case Precision::bf16:
  case Precision::fp16:
    return PrecisionRecipe::half;
  case Precision::fp8:
    return PrecisionRecipe::fp8;
  case Precision::fp8_block:
    return PrecisionRecipe::fp8_block;
  case Precision::mxfp8:
    return PrecisionRecipe::mxfp8;
  case Precision::fp4:
    return PrecisionRecipe::nvfp4;
  case Precision::fp32:
    return PrecisionRecipe::fp32;
  case Precision::tf32:
    return PrecisionRecipe::tf32;
  }
  return PrecisionRecipe::half;
}

namespace {
/// 4 bits and 0.127 bits of constants of blocks, which are quantised too.
/// @source Dettmers et al. 2023 (QLoRA), section 3, double quantisation
constexpr double four_bit_weight_bytes = (4.0 + 0.127) / 8.0;
} // namespace

JobSplit split_of(const Job& job) {
  JobSplit j;
  j.sequence = static_cast<double>(job.sequence_length);
  j.global_batch = static_cast<double>(job.global_batch_sequences);
  j.micro_batch = static_cast<double>(job.micro_batch);
  j.tp = static_cast<double>(job.tensor_parallel);
  j.cp = static_cast<double>(job.context_parallel);
  j.pp = static_cast<double>(job.pipeline_parallel);
  j.vpp = job.pipeline_parallel > 1 ? static_cast<double>(job.virtual_stages) : 1.0;
  j.ep = static_cast<double>(job.expert_parallel);
  j.dp = static_cast<double>(job.data_parallel);
  j.sequence_parallel = job.sequence_parallel && job.tensor_parallel > 1;
  j.sharding = job.sharding;
  j.shard_ranks =
      job.sharding == Sharding::parameters && job.shard_ranks > 0 && job.shard_ranks < job.data_parallel * job.context_parallel
          ? static_cast<double>(job.shard_ranks)
          : 0.0;
  j.recompute = job.recompute;
  j.recipe = recipe_of(job.precision);
  switch (job.pipeline_order) {
  case PipelineOrder::plain:
    j.schedule = j.vpp > 1.5 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
    break;
  case PipelineOrder::gpipe:
    j.schedule = PipelineSchedule::gpipe;
    break;
  case PipelineOrder::zero_bubble_1:
    j.schedule = PipelineSchedule::zero_bubble_1;
    break;
  case PipelineOrder::zero_bubble_2:
    j.schedule = PipelineSchedule::zero_bubble_2;
    break;
  case PipelineOrder::zero_bubble_v:
    j.schedule = PipelineSchedule::zero_bubble_v;
    break;
  case PipelineOrder::bidirectional:
    j.schedule = PipelineSchedule::bidirectional;
    break;
  }
  j.hot_expert = job.hot_expert;
  j.axis_order = job.axis_order;
  j.tensor_overlap = job.tensor_overlap;
  j.pipeline_overlap = job.pipeline_overlap;
  j.data_overlap = job.data_overlap;
  const auto bytes_of = [](StateFormat f, double automatic) {
    return f == StateFormat::fp32 ? 4.0 : f == StateFormat::bf16 ? 2.0 : f == StateFormat::fp8 ? 1.0 : automatic;
  };
  j.gradient_bytes = bytes_of(job.gradient_format, 4.0);
  j.wire_gradient_bytes = bytes_of(job.gradient_format, 0.0);
  j.state_bytes_less = 4.0 - bytes_of(job.master_format, 4.0) + 2.0 * (4.0 - bytes_of(job.moment_format, 4.0));
  j.offloads_optimizer = job.offload == Offload::optimizer || job.offload == Offload::optimizer_and_activations;
  j.offloads_activations = job.offload == Offload::activations || job.offload == Offload::optimizer_and_activations;
  j.host_gb_s = base_value(job.offload_rate) * 1e-9;
  if (job.trained_weights != TrainedWeights::all) {
    j.adapter_rank = static_cast<double>(job.adapter_rank);
    j.adapters_in_feed_forward = job.adapter_targets == AdapterTargets::all_linear;
    if (job.trained_weights == TrainedWeights::qlora) j.frozen_bytes = four_bit_weight_bytes;
  }
  return j;
}

AcceleratorFamily accelerator_family(std::string_view id) {
  if (id.substr(0, 4) == "v100") return AcceleratorFamily::volta;
  if (id.substr(0, 4) == "a100") return AcceleratorFamily::ampere;
  if (id.substr(0, 2) == "h1" || id.substr(0, 2) == "h2" || id.substr(0, 2) == "h8") return AcceleratorFamily::hopper;
  if (id.substr(0, 2) == "b1" || id.substr(0, 2) == "b2" || id.substr(0, 2) == "b3" || id.substr(0, 2) == "gb")
    return AcceleratorFamily::blackwell;
  return AcceleratorFamily::other;
}

AcceleratorVariant accelerator_variant(std::string_view id) {
  return id == "b300-sxm"    ? AcceleratorVariant::b300
         : id == "gb200-gpu" ? AcceleratorVariant::gb200
         : id == "gb300-gpu" ? AcceleratorVariant::gb300
                             : AcceleratorVariant::first;
}

bool shows_binary_memory(const Accelerator& a) {
  const AcceleratorVariant v = accelerator_variant(a.id);
  return v != AcceleratorVariant::b300 && v != AcceleratorVariant::gb300;
}

std::optional<double> usable_memory_bytes(const Accelerator& a) {
  if (!a.memory) return std::nullopt;
  return a.memory->value() * (shows_binary_memory(a) ? 1073741824.0 / 1e9 : 1.0);
}

ClusterRates accelerator_rates(const Accelerator& a, double gpus_per_node) {
  ClusterRates c;
  c.family = accelerator_family(a.id);
  c.variant = accelerator_variant(a.id);
  if (a.memory_bandwidth) c.memory_gb_s = a.memory_bandwidth->value() * 1e-9;
  if (const auto bytes = usable_memory_bytes(a)) c.memory_gib = *bytes / 1073741824.0;
  c.scale_up_gb_s = a.scale_up_per_direction ? a.scale_up_per_direction->value() * 1e-9 : 0.0;
  c.scale_up_ranks = a.scale_up_domain ? static_cast<double>(*a.scale_up_domain) : gpus_per_node;
  c.network_gb_s = a.scale_out_rate ? a.scale_out_rate->value() * 1e-9 : 50.0;
  if (c.scale_up_gb_s == 0.0 && a.id.find("pcie") != std::string::npos) {
    // PCI Express between the cards of a node: 32 and 64 GB/s of a x16 slot of generation 4 and 5, three quarters of
    // it in packets; half of the slot's rate is a usual NIC.
    c.scale_up_gb_s = c.family == AcceleratorFamily::ampere ? 24.0 : 48.0;
    c.network_gb_s = c.scale_up_gb_s / 2.0;
    c.scale_up_ranks = gpus_per_node;
  }
  if (a.bf16_dense)
    c.half_peak_tflops = a.bf16_dense->value() * 1e-12;
  else if (a.fp16_dense)
    c.half_peak_tflops = a.fp16_dense->value() * 1e-12;
  c.peak_tflops = c.half_peak_tflops;
  return c;
}

std::optional<FlopRate> recipe_peak(const Accelerator& a, PrecisionRecipe recipe) {
  switch (recipe) {
  case PrecisionRecipe::half:
    return a.bf16_dense ? a.bf16_dense : a.fp16_dense;
  case PrecisionRecipe::nvfp4:
    return a.fp4_dense;
  case PrecisionRecipe::tf32:
    return a.tf32_dense;
  case PrecisionRecipe::fp32:
    return a.fp32_dense;
  default:
    return a.fp8_dense;
  }
}

} // namespace hallwright
