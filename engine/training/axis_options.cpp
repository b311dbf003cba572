// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/axis_options.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "design/access.h"

namespace hallwright {
namespace {

constexpr std::size_t most_offered = 10;

Count* member_of(Job& job, std::string_view axis) {
  if (axis == "tensor_parallel") return &job.tensor_parallel;
  if (axis == "pipeline_parallel") return &job.pipeline_parallel;
  if (axis == "virtual_stages") return &job.virtual_stages;
  if (axis == "context_parallel") return &job.context_parallel;
  if (axis == "expert_parallel") return &job.expert_parallel;
  if (axis == "data_parallel") return &job.data_parallel;
  if (axis == "micro_batch") return &job.micro_batch;
  return nullptr;
}

void add_powers_of_two(std::set<Count>& to, Count most) {
  for (Count v = 1; v <= most; v *= 2)
    to.insert(v);
}
void add_divisors(std::set<Count>& to, Count of, Count most) {
  for (Count v = 1; v <= std::min(of, most); ++v)
    if (of % v == 0) to.insert(v);
}

/// Data-parallel ranks that the other axes leave, as many as the batch can feed evenly; 0: not one.
Count data_ranks(const Job& job, Count gpus) {
  const double replica = 1.0 * job.tensor_parallel * job.pipeline_parallel * job.context_parallel;
  if (replica < 1 || replica > static_cast<double>(gpus)) return 0;
  const Count sequences = job.global_batch_sequences / std::max<Count>(1, job.micro_batch);
  for (Count d = std::min(static_cast<Count>(static_cast<double>(gpus) / replica), sequences); d > 1; --d)
    if (job.global_batch_sequences % (d * job.micro_batch) == 0) return d;
  return 1;
}

std::set<Count> values_to_try(const Job& job, const ModelPart& model, std::string_view axis, Count gpus, Count domain) {
  std::set<Count> out{1};
  const Count share = gpus > 0 ? gpus : 1'000'000;
  if (axis == "tensor_parallel") {
    const Count most = std::min(share, std::max<Count>(2 * std::max<Count>(domain, 1), job.tensor_parallel));
    add_powers_of_two(out, most);
    if (model.attention_heads) add_divisors(out, *model.attention_heads, std::min(most, std::max<Count>(domain, 1)));
  } else if (axis == "pipeline_parallel") {
    const Count most = std::min<Count>({share / std::max<Count>(1, job.tensor_parallel * job.context_parallel),
                                        model.layers.value_or(64), 256});
    add_powers_of_two(out, std::max<Count>(1, std::min<Count>(most, 64)));
    if (model.layers) add_divisors(out, *model.layers, most);
  } else if (axis == "virtual_stages") {
    // The embedding and the output may each stand for a layer.
    const Count most = std::max<Count>(1, (model.layers.value_or(8) + 2) / std::max<Count>(1, job.pipeline_parallel));
    add_powers_of_two(out, std::min<Count>(2 * most, 32));
    add_divisors(out, most, most);
  } else if (axis == "context_parallel") {
    add_powers_of_two(out, std::min<Count>(16, share));
  } else if (axis == "expert_parallel") {
    if (const Count experts = model.experts_routed.value_or(0); experts > 0) {
      add_powers_of_two(out, experts);
      add_divisors(out, experts, experts);
    }
  } else if (axis == "data_parallel") {
    const Count most = gpus > 0 ? data_ranks(job, gpus) : job.data_parallel;
    // The largest that fits, and what is left when fewer accelerators train.
    Count offered = 0;
    for (Count d = most; d >= 1 && offered < 6; --d)
      if (job.global_batch_sequences % (d * job.micro_batch) == 0) out.insert(d), ++offered;
    if (most > 6) out.erase(1);
  } else if (axis == "micro_batch") {
    add_powers_of_two(out, std::min<Count>(16, job.global_batch_sequences));
  }
  return out;
}

} // namespace

const std::vector<std::string_view>& layout_axes() {
  static const std::vector<std::string_view> axes{"tensor_parallel",  "pipeline_parallel", "virtual_stages", "context_parallel",
                                                  "expert_parallel", "data_parallel",     "micro_batch"};
  return axes;
}

Job with_axis(const Job& job, const ModelPart& model, std::string_view axis, Count value, Count gpus) {
  Job out = job;
  Count* member = member_of(out, axis);
  if (!member) return out;
  *member = value;
  if (axis == "pipeline_parallel") {
    const Count most = value > 1 ? std::max<Count>(1, (model.layers.value_or(out.virtual_stages * value) + 2) / value) : 1;
    out.virtual_stages = std::min(out.virtual_stages, most);
  }
  if (axis != "data_parallel" && axis != "virtual_stages" && axis != "expert_parallel" && gpus > 0)
    if (const Count d = data_ranks(out, gpus); d > 0) out.data_parallel = d;
  if (axis != "expert_parallel") {
    const Count experts = model.experts_routed.value_or(0), inside = out.data_parallel * out.context_parallel;
    Count e = std::max<Count>(1, out.expert_parallel);
    if (experts > 0)
      while (e > 1 && (experts % e != 0 || inside % e != 0))
        --e;
    out.expert_parallel = e;
  }
  return out;
}

std::vector<AxisOption> axis_options(const Job& job, const ModelPart& model, std::string_view axis, Count gpus,
                                     Count scale_up_domain) {
  std::vector<AxisOption> out;
  Job copy = job;
  const Count* present = member_of(copy, axis);
  if (!present) return out;
  std::set<Count> values = values_to_try(job, model, axis, gpus, scale_up_domain);
  values.insert(*present);
  for (const Count v : values) {
    if (v < 1) continue;
    AxisOption option{.value = v};
    const Job tried = v == *present ? job : with_axis(job, model, axis, v, gpus);
    for (const LayoutProblem& p : layout_problems(tried, model, gpus, scale_up_domain)) {
      if (p.note && p.axis != axis) continue; // a cost of another axis is told there
      std::string& to = p.note ? option.note : option.reason;
      // What is said of the axis itself comes before what follows from it.
      if (to.empty() || p.axis == axis) to = p.sentence;
    }
    if (v != *present && option.note.empty() && tried.data_parallel != job.data_parallel && axis != "data_parallel")
      option.note = fmt::format("data_parallel becomes {}", tried.data_parallel);
    out.push_back(std::move(option));
  }
  // Too many: first those go that cannot run, then those at a cost, the largest first; the present one stays.
  const auto drop = [&](auto&& which) {
    for (std::size_t i = out.size(); i-- > 0 && out.size() > most_offered;)
      if (out[i].value != *present && which(out[i])) out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
  };
  const auto round = [](Count v) { return (v & (v - 1)) == 0; };
  drop([&](const AxisOption& o) { return !o.reason.empty() && !round(o.value); });
  drop([&](const AxisOption& o) { return !o.reason.empty(); });
  drop([&](const AxisOption& o) { return !round(o.value); });
  drop([](const AxisOption&) { return true; });
  return out;
}

Job plainest_layout(const Job& job, const ModelPart& model, Count gpus) {
  Job out = job;
  for (const std::string_view axis : layout_axes())
    *member_of(out, axis) = 1;
  return with_axis(out, model, "micro_batch", 1, gpus);
}

Edit axis_edit(std::string_view axis, Count value, const ModelPart& model, Count gpus) {
  std::string label(axis);
  for (const FieldInfo& f : table_fields("job"))
    if (f.name == axis) label = f.label;
  return {fmt::format("{} {}", label, value), [axis = std::string(axis), value, model, gpus](const Design& d) -> Edited {
            const Job next = with_axis(*d.job, model, axis, value, gpus);
            Edited out = d;
            const EntityRef job{"job", 0};
            for (const auto& [field, number] : std::initializer_list<std::pair<std::string_view, Count>>{
                     {axis, value},
                     {"data_parallel", next.data_parallel},
                     {"expert_parallel", next.expert_parallel},
                     {"virtual_stages", next.virtual_stages}}) {
              out = set_field(*out, job, field, FieldValue(std::int64_t{number}));
              if (!out) return out;
            }
            return out;
          }};
}

} // namespace hallwright
