// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/stage_memory.h"

#include "training/model_formulas.h"

namespace hallwright {

StageMemoryFigures memory_of_stage(Ledger& ledger, const StageMemoryInputs& in, Count stage_number) {
  StageMemoryFigures out;
  const auto stage = ledger.counted("training.memory.stage", "Heaviest pipeline stage", stage_number,
                                    "the stage with the largest total in the table of stages, counted from 1");
  out.layers = ledger.derive("training.memory.layers", "Layers of the stage", layers_of_stage, in.layers, in.pipeline_parallel, stage);
  const auto expert_layers =
      ledger.derive("training.memory.expert_layers", "Expert layers of the stage", expert_layers_of_stage, in.layers,
                    in.first_dense_layers, in.expert_layer_spacing, in.pipeline_parallel, stage);
  const auto matrices = ledger.derive("training.memory.embedding_matrices", "Embedding matrices of the stage",
                                      embedding_matrices_of_stage, in.pipeline_parallel, stage, in.tied_embeddings);
  const auto dense = ledger.derive("training.memory.dense_parameters", "Parameters per GPU without routed experts",
                                   stage_dense_parameters_per_gpu, out.layers, expert_layers, in.attention_parameters,
                                   in.feed_forward_parameters, in.shared_expert_parameters, in.router_parameters, in.norm_parameters,
                                   matrices, in.padded_vocabulary, in.hidden, in.tensor_parallel);
  const auto expert = ledger.derive("training.memory.expert_parameters", "Parameters of routed experts per GPU",
                                    stage_expert_parameters_per_gpu, expert_layers, in.routed_expert_parameters, in.expert_parallel,
                                    in.tensor_parallel);

  // Copies of a weight share out its state, from the stage of sharding on that names it.
  Traced<Count> dense_ranks, expert_ranks;
  if (in.sharding != Sharding::none) {
    dense_ranks = ledger.derive("training.memory.dense_ranks", "Ranks that share dense state", dense_sharding_ranks, in.data_parallel,
                                in.context_parallel);
    expert_ranks = ledger.derive("training.memory.expert_ranks", "Ranks that share expert state", expert_sharding_ranks,
                                 in.data_parallel, in.context_parallel, in.expert_parallel);
  }
  const auto state = [&](std::string id, std::string label, const Traced<Bytes>& each, bool sharded) {
    return sharded ? ledger.derive(std::move(id), std::move(label), sharded_state_bytes, dense, expert, each, dense_ranks, expert_ranks)
                   : ledger.derive(std::move(id), std::move(label), replicated_state_bytes, dense, expert, each);
  };
  out.weights = in.sharding == Sharding::parameters
                    ? ledger.derive("training.memory.weights", "Weights", gathered_weight_bytes, dense, expert, in.weight_bytes,
                                    dense_ranks, expert_ranks, out.layers)
                    : state("training.memory.weights", "Weights", in.weight_bytes, false);
  out.gradients = state("training.memory.gradients", "Gradients", in.gradient_bytes, in.sharding >= Sharding::gradients);
  out.optimizer = state("training.memory.optimizer", "Optimizer state", in.optimizer_bytes, in.sharding >= Sharding::optimizer);

  const auto dense_layer = ledger.derive("training.memory.dense_layer_bytes", "Activations of a token in a dense layer",
                                         dense_layer_activation_bytes_per_token, in.hidden, in.attention_width, in.kv_width, in.ffn_hidden,
                                         in.ffn_matrices);
  const auto expert_layer = ledger.derive("training.memory.expert_layer_bytes", "Activations of a token in an expert layer",
                                          expert_layer_activation_bytes_per_token, in.hidden, in.attention_width, in.kv_width,
                                          in.expert_hidden, in.experts_per_token, in.experts_shared, in.ffn_matrices);
  const auto in_flight = ledger.derive("training.memory.in_flight", "Micro-batches in flight", micro_batches_in_flight,
                                       in.pipeline_parallel, stage, in.micro_batches);
  const auto factor = ledger.derive("training.memory.interleaving", "Growth through interleaving", interleaving_activation_factor,
                                    in.pipeline_parallel, in.virtual_stages);
  if (in.recompute == Recompute::full) {
    out.activations = ledger.derive("training.memory.activations", "Activations", recomputed_activation_bytes, dense_layer, expert_layer,
                                    in.hidden, out.layers, expert_layers, in.micro_batch_tokens, in_flight, factor, in.tensor_parallel,
                                    in.context_parallel);
  } else {
    const auto scores =
        in.recompute == Recompute::none
            ? ledger.derive("training.memory.score_bytes", "Attention scores of a token in a layer", score_bytes_per_token,
                            in.attention_heads, in.sequence_length)
            : ledger.constant<Bytes>("training.memory.score_bytes", "Attention scores of a token in a layer", bytes(0),
                                     "selective recomputation or a fused attention kernel stores none (Korthikanti et al. 2022)");
    out.activations = ledger.derive("training.memory.activations", "Activations", kept_activation_bytes, dense_layer, expert_layer, scores,
                                    out.layers, expert_layers, in.micro_batch_tokens, in_flight, factor, in.tensor_parallel,
                                    in.context_parallel);
  }
  out.logits = ledger.derive("training.memory.logits", "Logits", logit_bytes, in.hidden, in.padded_vocabulary, in.micro_batch_tokens,
                             in.tensor_parallel, in.context_parallel, in.pipeline_parallel, stage);
  out.total = ledger.sum<Bytes>("training.memory_per_gpu", "Memory per GPU",
                                {out.weights, out.gradients, out.optimizer, out.activations, out.logits}, kind::memory);
  return out;
}

} // namespace hallwright
