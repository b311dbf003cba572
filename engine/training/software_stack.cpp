// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/software_stack.h"

#include <fmt/format.h>

namespace hallwright {
namespace {

using Stacks = std::vector<SoftwareStack>;
constexpr auto m20 = SoftwareStack::megatron_2020, deepspeed = SoftwareStack::megatron_deepspeed,
               composer = SoftwareStack::composer, nemo = SoftwareStack::nemo, b25 = SoftwareStack::bridge_2025,
               b26 = SoftwareStack::bridge_2026, late = SoftwareStack::bridge_late, titan = SoftwareStack::torchtitan,
               eager = SoftwareStack::fsdp_eager;

class ConstantList {
public:
  explicit ConstantList(TrainingConstants& c) : constants(c) {}
  std::vector<TrainingConstant> out;

  void add(std::string_view id, std::string name, std::string_view unit, double& value) {
    out.push_back({fmt::format("training.{}", id), std::move(name), std::string(unit), {&value}});
  }
  void share(std::string_view id, std::string name, std::string_view unit, double StackConstants::*member,
             const Stacks& stacks) {
    TrainingConstant k{fmt::format("training.{}", id), std::move(name), std::string(unit), {}};
    for (const SoftwareStack s : stacks)
      k.places.push_back(&(constants.stacks[static_cast<std::size_t>(s)].*member));
    out.push_back(std::move(k));
  }

private:
  TrainingConstants& constants;
};

} // namespace

std::string_view stack_word(SoftwareStack s) {
  constexpr std::array<std::string_view, stack_count> words{"megatron_2020", "megatron_deepspeed", "composer",
                                                            "nemo",          "bridge_2025",        "bridge_2026",
                                                            "bridge_late",   "torchtitan",         "fsdp_eager"};
  return words[static_cast<std::size_t>(s)];
}

std::vector<TrainingConstant> training_constant_list(TrainingConstants& c) {
  ConstantList list(c);
  constexpr std::array<std::string_view, 5> families{"volta", "ampere", "hopper", "blackwell", "other"};
  for (std::size_t f = 0; f < families.size(); ++f) {
    const std::string_view w = families[f];
    list.add(fmt::format("matrix_share_half_{}", w),
             fmt::format("Share of the 16-bit peak that large products sustain, {}", w), "1", c.half_share[f]);
    list.add(fmt::format("attention_share_{}", w), fmt::format("Share of the 16-bit peak of fused attention, {}", w),
             "1", c.attention_share[f]);
    list.add(fmt::format("ramp_k_{}", w),
             fmt::format("Inner length at which half of a 16-bit product fills and drains tiles, {}", w), "1",
             c.ramp_k[f]);
    list.add(fmt::format("processors_{}", w), fmt::format("Processors that tiles are dealt to, {}", w), "1",
             c.processors[f]);
    if (f >= 1 && f <= 3) {
      list.add(fmt::format("attention_first_{}", w),
               fmt::format("Rate of the first fused attention kernels over present ones, {}", w), "1",
               c.first_attention[f]);
      list.add(fmt::format("attention_second_{}", w),
               fmt::format("Rate of FlashAttention 2 over present kernels, {}", w), "1", c.second_attention[f]);
    }
    if (f < 2) continue;
    list.add(fmt::format("matrix_share_fp8_{}", w),
             fmt::format("Share of the FP8 peak that large products sustain, {}", w), "1", c.fp8_share[f]);
    list.add(fmt::format("matrix_share_mxfp8_{}", w), fmt::format("Share of the FP8 peak with block scales, {}", w),
             "1", c.mx_share[f]);
    list.add(fmt::format("matrix_share_fp4_{}", w),
             fmt::format("Share of the FP4 peak that large products sustain, {}", w), "1", c.fp4_share[f]);
  }
  constexpr std::array<std::string_view, 4> variants{"b200", "b300", "gb200", "gb300"};
  for (std::size_t v = 1; v < variants.size(); ++v)
    list.add(fmt::format("clock_{}", variants[v]),
             fmt::format("Sustained share of the peak over that of B200, {}", variants[v]), "1", c.variant_clock[v]);
  list.add("wave_weight", "Weight of a part-filled last wave of tiles", "1", c.wave_weight);
  list.add("memory_share", "Share of the memory line rate that passes reach", "1", c.memory_share);
  list.add("score_bytes", "Bytes passed per stored attention score, forward", "B", c.score_bytes);
  list.add("quantise_bytes", "Bytes passed per element turned to 8 bits or fewer", "B", c.quantise_bytes);
  list.add("scale_up_share", "Share of the scale-up line rate in collectives of a job", "1", c.scale_up_share);
  list.add("scale_up_call", "Time of a collective call in a scale-up domain", "us", c.scale_up_us);
  list.add("network_share", "Share of the NIC line rate in collectives of a job", "1", c.network_share);
  list.add("network_call", "Time of a collective call between domains", "us", c.network_us);
  list.add("network_hop", "Time of one more domain in a ring", "us", c.network_hop_us);
  list.add("optimizer_bytes", "Bytes passed per parameter by the optimizer", "B", c.optimizer_bytes);
  list.add("tensor_host", "More host time of a layer with tensor parallelism", "1", c.tensor_host);
  list.add("grace_host", "Host time in GB200 and GB300 systems over x86 hosts", "1", c.grace_host);
  list.add("straggler", "Longer step per doubling of the nodes", "1", c.straggler);
  list.add("optimizer_state", "Bytes of master weight and two moments per parameter", "B", c.optimizer_state_bytes);
  list.add("memory_context", "Memory of contexts, libraries and communicators", "GiB", c.memory_context_gib);
  list.add("memory_slack", "Slack of the allocator over what is live", "1", c.memory_slack);
  list.add("interval_inside", "90 % interval of a step time inside the measured runs", "1", c.interval_inside);
  list.add("interval_between", "90 % interval of a step time between the measured runs", "1", c.interval_between);
  list.add("interval_outside", "90 % interval of a step time outside the measured runs", "1", c.interval_outside);
  list.add("interval_experts", "Widening of the interval of models with experts", "1", c.interval_experts);

  const Stacks all{m20, deepspeed, composer, nemo, b25, b26, late, titan, eager};
  const Stacks fused{nemo, b25, b26, late, titan}, present{nemo, b25, b26, late, titan, eager};
  using C = StackConstants;
  list.share("elementwise_2020", "Passes over memory beside products, Megatron-LM to 2022", "1", &C::elementwise,
             {m20, deepspeed});
  list.share("elementwise_eager", "Passes over memory beside products, PyTorch without fusing", "1", &C::elementwise,
             {composer, eager});
  list.share("elementwise_fused", "Passes over memory beside products, fused kernels", "1", &C::elementwise, fused);
  list.share("launch_2020", "Host time of a layer forward, Megatron-LM to 2022", "us", &C::launch_us, {m20, deepspeed});
  list.share("launch", "Host time of a layer forward", "us", &C::launch_us, {nemo, b25, composer, titan, eager});
  list.share("launch_graphs", "Host time of a layer forward with captured graphs", "us", &C::launch_us, {b26, late});
  list.share("expert_host_2025", "More host time of a layer with experts, forward, to 2025", "us", &C::expert_layer_us,
             {composer, nemo, b25, titan, eager});
  list.share("expert_host_2026", "More host time of a layer with experts, forward, early 2026", "us",
             &C::expert_layer_us, {b26});
  list.share("expert_host_late", "More host time of a layer with experts, forward, captured graphs", "us",
             &C::expert_layer_us, {late});
  list.share("tp_overlap", "Share of tensor-parallel traffic that hides", "1", &C::tp_overlap, {nemo, b25, b26, late});
  list.share("tp_overlap_torchtitan", "Share of tensor-parallel traffic that hides, torchtitan", "1", &C::tp_overlap,
             {titan, eager});
  list.share("pp_overlap", "Share of pipeline traffic that hides", "1", &C::pp_overlap, present);
  list.share("dp_overlap", "Share of data-parallel traffic that can hide", "1", &C::dp_overlap,
             {composer, nemo, b25, b26, late, titan, eager});
  list.share("ep_overlap", "Share of expert exchange that hides in an interleaved schedule", "1", &C::ep_overlap,
             present);
  list.share("all_to_all_share", "Rate of expert exchange over that of other collectives", "1", &C::all_to_all_share,
             {m20, deepspeed, composer, nemo, b25, b26, titan, eager});
  list.share("all_to_all_late", "Rate of expert exchange over that of other collectives, kernels of its own", "1",
             &C::all_to_all_share, {late});
  list.share("expert_passes", "Passes of dispatched tokens over memory", "1", &C::expert_passes,
             {b26});
  list.share("expert_passes_2025", "Passes of dispatched tokens over memory, to 2025", "1", &C::expert_passes,
             {composer, nemo, b25, titan, eager});
  list.share("expert_passes_late", "Passes of dispatched tokens over memory, fused permutation", "1", &C::expert_passes,
             {late});
  list.share("grouped_half", "Rate of grouped products of experts over one product, 16 bits", "1",
             &C::grouped_half_share, {composer, nemo, b25, b26, late, titan, eager});
  list.share("grouped", "Rate of grouped products of experts over one product, 8 bits and fewer", "1",
             &C::grouped_share, {b26});
  list.share("grouped_2025", "Rate of grouped products of experts over one product, 8 bits and fewer, to 2025", "1",
             &C::grouped_share, {composer, nemo, b25, titan, eager});
  list.share("grouped_late", "Rate of grouped products over one product, 8 bits and fewer, from mid 2026", "1",
             &C::grouped_share, {late});
  list.share("step", "Time of a step beside its layers", "us", &C::step_us, all);
  list.share("logit_bytes_plain", "Bytes passed per logit by softmax and loss, one operation at a time", "B",
             &C::logit_bytes, {m20, deepspeed, composer, nemo, eager});
  list.share("logit_bytes_compiled", "Bytes passed per logit by softmax and loss, compiled", "B", &C::logit_bytes,
             {titan});
  list.share("logit_bytes_fused", "Bytes passed per logit by softmax and loss, fused", "B", &C::logit_bytes,
             {b25, b26, late});
  list.share("accumulate_bytes", "Bytes passed per parameter and micro-batch to sum gradients", "B",
             &C::accumulate_bytes, {m20, nemo, b25, b26, late});
  list.share("accumulate_bytes_sharded", "Bytes passed per parameter and micro-batch to sum gradients, FSDP", "B",
             &C::accumulate_bytes, {composer, titan, eager});
  list.share("accumulate_bytes_deepspeed", "Bytes passed per parameter and micro-batch to sum gradients, DeepSpeed",
             "B", &C::accumulate_bytes, {deepspeed});
  return std::move(list.out);
}

void set_stack_facts(TrainingConstants& c) {
  const auto of = [&](SoftwareStack s) -> StackConstants& { return c.stacks[static_cast<std::size_t>(s)]; };
  c.variant_clock[0] = 1.0;
  of(m20).attention = of(deepspeed).attention = AttentionKernel::stored;
  of(composer).attention = AttentionKernel::first_fused; // llm-foundry, attn_impl: triton or flash (1)
  // PyTorch scaled_dot_product_attention
  of(titan).attention = of(eager).attention = AttentionKernel::second_fused;
  // DeepSpeed's bf16 optimizer reduces 32-bit sums with an all-reduce: twice four bytes. FSDP 2 reduces in 32 bits.
  of(deepspeed).gradient_bytes = 8;
  of(titan).gradient_bytes = of(eager).gradient_bytes = 4;
  of(deepspeed).sums_in_products = of(composer).sums_in_products = of(titan).sums_in_products =
      of(eager).sums_in_products = false;
  of(late).merges_groups = true;
  of(composer).shards_master = of(titan).shards_master = of(eager).shards_master = true;
  // torchtitan's selective policy keeps every second product and the result of attention.
  of(titan).recomputes_products = of(eager).recomputes_products = true;
  of(deepspeed).boundary_copies = 2; // inputs and outputs stay in the buffers of its pipeline until backward
}

tl::expected<TrainingConstants, std::string> training_constants(const Catalog& catalog) {
  TrainingConstants c;
  set_stack_facts(c);
  for (const TrainingConstant& k : training_constant_list(c)) {
    const Assumption* a = catalog.find<Assumption>(k.id);
    if (!a || !a->value) return tl::make_unexpected(fmt::format("assumption {} is missing from the catalog", k.id));
    if (a->unit != k.unit)
      return tl::make_unexpected(fmt::format("assumption {} must be in {}; it is in {}", k.id, k.unit, a->unit));
    for (double* place : k.places)
      *place = *a->value;
  }
  return c;
}

} // namespace hallwright
