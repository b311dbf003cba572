// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "design/design.h"
#include "ledger/ledger.h"

/// Memory of one GPU of one pipeline stage, as figures: the stage reads it, the search of layouts may.
namespace hallwright {

/// What the memory of a stage rests on. All counts; see `training/model_formulas.h` for the formulas.
struct StageMemoryInputs {
  // the model
  Traced<Count> layers, first_dense_layers, expert_layer_spacing, hidden, attention_heads, attention_width, kv_width, ffn_hidden,
      expert_hidden, experts_per_token, experts_shared, ffn_matrices, tied_embeddings, padded_vocabulary;
  Traced<Count> attention_parameters, feed_forward_parameters, shared_expert_parameters, router_parameters, routed_expert_parameters,
      norm_parameters;
  // the job
  Traced<Count> tensor_parallel, pipeline_parallel, virtual_stages, context_parallel, expert_parallel, data_parallel, sequence_length,
      micro_batch_tokens, micro_batches;
  Sharding sharding = Sharding::none;
  Recompute recompute = Recompute::none;
  // the numbers kept for each parameter
  Traced<Bytes> weight_bytes, gradient_bytes, optimizer_bytes;
};

/// Memory of one stage. `total` is their sum, without allocator slack, communication buffers and the program itself.
struct StageMemoryFigures {
  Traced<Count> layers;
  Traced<Bytes> weights, gradients, optimizer, activations, logits, total;
};

/// Memory of pipeline stage `stage` (1 to pipeline_parallel), written to `ledger` as "training.memory.<what>".
StageMemoryFigures memory_of_stage(Ledger& ledger, const StageMemoryInputs& inputs, Count stage);

} // namespace hallwright
