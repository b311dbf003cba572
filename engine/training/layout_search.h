// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "design/access.h"
#include "design/edits.h"
#include "training/software_stack.h"
#include "training/step_model.h"
#include "training/trained_job.h"

/// Search of the parallel layouts of a job on its cluster: every legal layout is priced with the step-time and memory
/// model, none is guessed. The same answer whatever the number of threads.
namespace hallwright {

/// What a layout may differ in.
enum class LayoutAxis : std::uint8_t {
  tensor_parallel,
  sequence_parallel,
  context_parallel,
  expert_parallel,
  pipeline_parallel,
  data_parallel,
  micro_batch,
  schedule,
  virtual_stages,
  recompute,
  sharding,
  shard_ranks,
};
inline constexpr std::size_t layout_axis_count = 12;
std::string_view layout_axis_word(LayoutAxis a); ///< "tensor_parallel", as the field of the job
std::string_view layout_axis_label(LayoutAxis a); ///< "TP", "Micro-batch"

/// Which axes are free and which are held. An empty list is a free axis: all legal values. A list holds it to its values.
/// An axis without effect takes its plain value whatever is held: no sequence parallelism at TP 1, no sharding over one
/// rank, no schedule at PP 1, no groups without sharded parameters.
struct LayoutSpace {
  std::vector<double> tensor_parallel, context_parallel, expert_parallel, pipeline_parallel, data_parallel, micro_batch,
      virtual_stages;
  std::vector<double> shard_ranks; ///< 0: all data-parallel ranks
  std::vector<bool> sequence_parallel;
  std::vector<PipelineSchedule> schedules;
  std::vector<Recompute> recompute;
  std::vector<Sharding> sharding;
  double gpus = 0;         ///< that a layout may use; 0: those of the job's cluster
  double least_gpus = 0;   ///< that it must use; 0: as many of `gpus` as any legal layout does
  double memory_share = 1; ///< of an accelerator's memory that a rank may fill, above 0 to 1
  friend bool operator==(const LayoutSpace&, const LayoutSpace&) = default;
};
/// Holds an axis by words: ("tensor_parallel", "4,8"), ("sharding", "optimizer"), ("schedule", "1f1b").
/// @return a sentence that names the axis or value that is not known, and what is allowed
tl::expected<LayoutSpace, std::string> hold_axis(LayoutSpace space, std::string_view axis, std::string_view values);
/// A space of one layout. `gpus` and `memory_share` stay.
LayoutSpace held_at(LayoutSpace space, const JobSplit& split);
/// Holds the free axes to what a program offers: schedules, and axes that it does not have.
/// @source Megatron-Core pipeline_parallel/schedules.py (plain and interleaved); DeepSpeed PipelineEngine (TrainSchedule);
///   torchtitan docs and torch.distributed.pipelining; llm-foundry (FSDP alone)
LayoutSpace space_of_stack(SoftwareStack stack, LayoutSpace space = {});
std::string axis_value(LayoutAxis a, const JobSplit& split); ///< "8", "selective", "ZB-V"

/// A layout and what it costs.
struct FoundLayout {
  JobSplit split;
  double step_seconds = 0;    ///< with the factor of the user's own run
  double memory_bytes = 0;    ///< of the heaviest rank
  double exposed_seconds = 0; ///< communication of a step that does not hide behind computing
  friend bool operator==(const FoundLayout&, const FoundLayout&) = default;
};
/// Order of results: the quicker, then the lighter, then less exposed communication, then smaller axes. Total: no two
/// layouts of a space are equal in it.
bool comes_before(const FoundLayout& a, const FoundLayout& b);
FoundLayout price_layout(const TrainedJob& job, const TrainingConstants& constants, const JobSplit& split);

/// All layouts of a space that share the value of one axis.
struct LayoutFamily {
  LayoutAxis axis = LayoutAxis::tensor_parallel;
  std::string value; ///< "8", "selective", "parameters in groups"
  std::uint64_t legal = 0, fit = 0;
  double least_memory_bytes = 0; ///< of the legal ones; 0 without any
  double best_step_seconds = 0;  ///< of those that fit; 0 without any
  std::string reason;            ///< why none fits or none is legal; empty when one fits
  friend bool operator==(const LayoutFamily&, const LayoutFamily&) = default;
};

/// Layouts near each other in time and memory, shown by the quickest of them.
struct LayoutCell {
  FoundLayout layout;
  std::uint64_t count = 0;
  friend bool operator==(const LayoutCell&, const LayoutCell&) = default;
};

struct LayoutSearchResult {
  bool complete = false; ///< false: stopped before all were priced; what is here holds for those that were
  double gpus = 0;       ///< that the layouts use, the most of any
  double memory_limit_bytes = 0;
  std::uint64_t enumerated = 0; ///< combinations of values whose product uses the accelerators, legal or not
  std::uint64_t legal = 0, fit = 0;
  std::vector<FoundLayout> best;           ///< the quickest that fit, in order
  std::vector<FoundLayout> memory_front;   ///< no other is both as quick and lighter; by step time
  std::vector<FoundLayout> exposed_front;  ///< no other is both as quick and less exposed; by step time
  std::vector<LayoutCell> cloud;           ///< all that fit, thinned to a grid of time and memory, for a picture
  std::vector<LayoutFamily> families;      ///< by axis, then value
  std::optional<FoundLayout> nearest_miss; ///< the legal layout of least memory when none fits
  std::string problem;                     ///< why nothing was enumerated; empty otherwise
  friend bool operator==(const LayoutSearchResult&, const LayoutSearchResult&) = default;
};
/// Families of which no layout fits, a sentence each: "TP 64: does not divide 96 heads". Values of an axis that fail for
/// the same reason share one.
std::vector<std::string> excluded_families(const LayoutSearchResult& result);

struct LayoutProgress {
  double share = 0;                ///< of the work done, 0 to 1
  std::optional<FoundLayout> best; ///< so far
};
struct SearchEffort {
  int threads = 2;       ///< at least 1, the calling thread is one of them
  std::size_t best = 20; ///< of the result, at least 1
};

/// Prices every layout of the space.
/// @param stop when requested, the search ends within milliseconds with what it knows
/// @param progress called on the calling thread: first after a coarse pass with a good answer (a few milliseconds), then
///   some thirty times a second; may be empty
LayoutSearchResult search_layouts(const TrainedJob& job, const TrainingConstants& constants, const LayoutSpace& space = {},
                                  const std::stop_token& stop = {},
                                  const std::function<void(const LayoutProgress&)>& progress = {},
                                  const SearchEffort& effort = {});

/// Why a layout is not in the space of legal ones, with what is allowed; empty when it is.
std::string layout_refusal(const ModelDimensions& model, const JobSplit& split, double gpus);

/// Gives the job of a design this layout.
Edit layout_edit(const JobSplit& split);

} // namespace hallwright
