// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/software_stack.h"

#include <fmt/format.h>

namespace hallwright {

std::string_view stack_word(SoftwareStack s) {
  constexpr std::array<std::string_view, stack_count> words{"megatron_2020", "megatron_deepspeed", "composer",
                                                            "nemo",          "bridge_2025",        "bridge_2026",
                                                            "bridge_late",   "torchtitan"};
  return words[static_cast<std::size_t>(s)];
}

std::vector<TrainingConstant> training_constant_list(TrainingConstants& c) {
  std::vector<TrainingConstant> out;
  const auto add = [&](std::string id, std::string name, std::string_view unit, double& value) {
    out.push_back({"training." + std::move(id), std::move(name), std::string(unit), &value});
  };
  constexpr std::array<std::string_view, 5> families{"volta", "ampere", "hopper", "blackwell", "other"};
  for (std::size_t f = 0; f < families.size(); ++f) {
    add(fmt::format("matrix_share_half_{}", families[f]),
        fmt::format("Share of the 16-bit peak that large products sustain, {}", families[f]), "1", c.half_share[f]);
    add(fmt::format("attention_share_{}", families[f]),
        fmt::format("Share of the 16-bit peak of fused attention, {}", families[f]), "1", c.attention_share[f]);
    add(fmt::format("ramp_k_{}", families[f]),
        fmt::format("Inner length at which half of a product fills and drains tiles, {}", families[f]), "1",
        c.ramp_k[f]);
    add(fmt::format("processors_{}", families[f]), fmt::format("Processors that tiles are dealt to, {}", families[f]),
        "1", c.processors[f]);
    if (f < 2) continue;
    add(fmt::format("matrix_share_fp8_{}", families[f]),
        fmt::format("Share of the FP8 peak that large products sustain, {}", families[f]), "1", c.fp8_share[f]);
    add(fmt::format("matrix_share_mxfp8_{}", families[f]),
        fmt::format("Share of the FP8 peak with block scales, {}", families[f]), "1", c.mx_share[f]);
    add(fmt::format("matrix_share_fp4_{}", families[f]),
        fmt::format("Share of the FP4 peak that large products sustain, {}", families[f]), "1", c.fp4_share[f]);
  }
  constexpr std::array<std::string_view, 4> variants{"b200", "b300", "gb200", "gb300"};
  for (std::size_t v = 1; v < variants.size(); ++v)
    add(fmt::format("clock_{}", variants[v]),
        fmt::format("Sustained share of the peak over that of B200, {}", variants[v]), "1", c.variant_clock[v]);
  add("ramp_fp8", "Fill and drain of tiles in 8 bits over 16 bits", "1", c.fp8_ramp);
  add("wave_weight", "Weight of a part-filled last wave of tiles", "1", c.wave_weight);
  add("memory_share", "Share of the memory line rate that passes reach", "1", c.memory_share);
  add("score_bytes", "Bytes passed per stored attention score, forward", "B", c.score_bytes);
  add("quantise_bytes", "Bytes passed per element turned to 8 bits or fewer", "B", c.quantise_bytes);
  add("scale_up_share", "Share of the scale-up line rate in collectives of a job", "1", c.scale_up_share);
  add("scale_up_call", "Time of a collective call in a scale-up domain", "us", c.scale_up_us);
  add("network_share", "Share of the NIC line rate in collectives of a job", "1", c.network_share);
  add("network_call", "Time of a collective call between domains", "us", c.network_us);
  add("all_to_all_share", "Rate of expert exchange over that of other collectives", "1", c.all_to_all_share);
  add("optimizer_bytes", "Bytes passed per parameter by the optimizer", "B", c.optimizer_bytes);
  add("straggler", "Longer step per doubling of the nodes", "1", c.straggler);
  add("optimizer_state", "Bytes of master weight and two moments per parameter", "B", c.optimizer_state_bytes);
  add("memory_context", "Memory of contexts, libraries and communicators", "GiB", c.memory_context_gib);
  add("memory_slack", "Slack of the allocator over what is live", "1", c.memory_slack);
  add("interval_inside", "90 % interval of a step time inside the measured runs", "1", c.interval_inside);
  add("interval_between", "90 % interval of a step time between the measured runs", "1", c.interval_between);
  add("interval_outside", "90 % interval of a step time outside the measured runs", "1", c.interval_outside);
  add("interval_experts", "Widening of the interval of models with experts", "1", c.interval_experts);
  for (std::size_t s = 0; s < stack_count; ++s) {
    StackConstants& k = c.stacks[s];
    const std::string_view w = stack_word(static_cast<SoftwareStack>(s));
    const auto of = [&](std::string_view id, std::string_view name, std::string_view unit, double& value) {
      add(fmt::format("stack.{}.{}", w, id), fmt::format("{}, {}", name, w), unit, value);
    };
    of("flash", "Fused attention that stores no scores", "1", k.flash);
    of("elementwise", "Passes over memory beside products", "1", k.elementwise);
    of("launch", "Host time of a layer forward", "us", k.launch_us);
    of("tp_overlap", "Share of tensor-parallel traffic that hides", "1", k.tp_overlap);
    of("pp_overlap", "Share of pipeline traffic that hides", "1", k.pp_overlap);
    of("dp_overlap", "Share of data-parallel traffic that can hide", "1", k.dp_overlap);
    of("gradient_bytes", "Bytes of a gradient on the wire", "B", k.gradient_bytes);
    of("expert_layer", "Host and router time of an expert layer forward", "us", k.expert_layer_us);
    of("expert_passes", "Passes of dispatched tokens over memory", "1", k.expert_passes);
    of("step", "Time of a step beside its layers", "us", k.step_us);
    of("accumulate_bytes", "Bytes passed per parameter and micro-batch to sum gradients", "B", k.accumulate_bytes);
    of("grouped_share", "Rate of grouped products of experts over one product", "1", k.grouped_share);
  }
  return out;
}

tl::expected<TrainingConstants, std::string> training_constants(const Catalog& catalog) {
  TrainingConstants c;
  c.variant_clock[0] = 1.0;
  for (const TrainingConstant& k : training_constant_list(c)) {
    const Assumption* a = catalog.find<Assumption>(k.id);
    if (!a || !a->value) return tl::make_unexpected(fmt::format("assumption {} is missing from the catalog", k.id));
    if (a->unit != k.unit)
      return tl::make_unexpected(fmt::format("assumption {} must be in {}; it is in {}", k.id, k.unit, a->unit));
    *k.value = *a->value;
  }
  return c;
}

} // namespace hallwright
