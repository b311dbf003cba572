// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/communicators.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hallwright {
namespace {

constexpr double value_bytes = 2.0;    ///< of an activation and of a gathered parameter
constexpr double gradient_bytes = 4.0; ///< of a gradient while it is reduced

/// The tier that traffic between two nodes climbs to.
enum class Tier : std::uint8_t { scale_up, leaf, spine, core };
Tier tier_between(const NodePlace& a, const NodePlace& b, bool same_link) {
  if (a.domain == b.domain) return Tier::scale_up;
  if (a.unit == b.unit && same_link) return Tier::leaf;
  return a.pod == b.pod ? Tier::spine : Tier::core;
}
void add(TierBytes& t, Tier tier, double bytes) {
  (tier == Tier::scale_up ? t.scale_up : tier == Tier::leaf ? t.leaf : tier == Tier::spine ? t.spine : t.core) += bytes;
}

/// Bytes that each member sends to the next in a ring, per byte of the call; members n.
double ring_bytes(Collective c, double n) {
  switch (c) {
  case Collective::all_reduce:
    return 2.0 * (n - 1) / n;
  case Collective::all_gather:
  case Collective::reduce_scatter:
    return (n - 1) / n;
  default:
    return 1.0;
  }
}

/// Members of a group by domain.
struct Member {
  Count rank;
  std::uint32_t node;
  std::uint32_t gpu;
};
/// The members of a group, domain after domain; made anew for each group in the same room.
class GroupLay {
public:
  void lay(const std::vector<Member>& members, std::span<const NodePlace> places) {
    if (++now_ == 0) stamps_.assign(stamps_.size(), 0), now_ = 1;
    counts_.clear();
    for (const Member& m : members) {
      const std::size_t domain = places[m.node].domain;
      if (domain >= stamps_.size()) stamps_.resize(domain + 1, 0), slots_.resize(domain + 1, 0);
      if (stamps_[domain] != now_) {
        stamps_[domain] = now_;
        slots_[domain] = static_cast<std::uint32_t>(counts_.size());
        counts_.push_back(0);
      }
      ++counts_[slots_[domain]];
    }
    even = std::all_of(counts_.begin(), counts_.end(), [&](std::uint32_t c) { return c == counts_.front(); });
  }
  [[nodiscard]] std::size_t domains() const { return counts_.size(); }
  [[nodiscard]] std::size_t in_domain() const { return counts_.front(); } ///< of the first domain
  /// Puts the members of equal domains in the order of their first member, `in_domain` each.
  const std::vector<Member>& by_domain(const std::vector<Member>& members, std::span<const NodePlace> places) {
    flat_.resize(members.size());
    taken_.assign(counts_.size(), 0);
    for (const Member& m : members) {
      const std::uint32_t slot = slots_[places[m.node].domain];
      flat_[slot * in_domain() + taken_[slot]++] = m;
    }
    return flat_;
  }
  bool even = true; ///< each domain holds as many members

private:
  std::vector<std::uint32_t> stamps_, slots_; ///< by domain
  std::vector<std::uint32_t> counts_, taken_; ///< by slot, in the order of the first member
  std::vector<Member> flat_;
  std::uint32_t now_ = 0;
};

/// Calls `visit(from, to, bytes)` for every stream of one call of one group: between members of a domain, and between
/// domains.
template <class Visit>
void streams_of_group(const CommunicatorTraffic& t, const std::vector<Member>& members,
                      std::span<const NodePlace> places, GroupLay& lay, Visit&& visit) {
  const double n = static_cast<double>(members.size());
  if (members.size() < 2) return;
  if (t.collective == Collective::send_receive) {
    // A chain: each member to the next.
    for (std::size_t i = 0; i + 1 < members.size(); ++i)
      visit(members[i], members[i + 1], t.bytes_per_call);
    return;
  }
  if (t.collective == Collective::all_to_all) {
    for (const Member& a : members)
      for (const Member& b : members)
        if (a.rank != b.rank) visit(a, b, t.bytes_per_call / n);
    return;
  }
  lay.lay(members, places);
  const std::size_t in_domain = lay.in_domain(), domains = lay.domains();
  if (!lay.even || in_domain == 1 || domains == 1) {
    // One ring over all; a broadcast passes down the ring and does not come back.
    const double bytes = ring_bytes(t.collective, n) * t.bytes_per_call;
    const std::size_t hops = t.collective == Collective::broadcast ? members.size() - 1 : members.size();
    for (std::size_t i = 0; i < hops; ++i)
      visit(members[i], members[(i + 1) % members.size()], bytes);
    return;
  }
  // Within domains first: what is left for each member to take between domains is its part of the payload.
  const double q = static_cast<double>(in_domain), k = static_cast<double>(domains);
  const double inside = ring_bytes(t.collective, q) * t.bytes_per_call;
  const double between =
      t.collective == Collective::broadcast ? t.bytes_per_call / q : ring_bytes(t.collective, k) * t.bytes_per_call / q;
  const std::vector<Member>& laid = lay.by_domain(members, places);
  for (std::size_t d = 0; d < domains; ++d)
    for (std::size_t i = 0; i < in_domain; ++i)
      visit(laid[d * in_domain + i], laid[d * in_domain + (i + 1) % in_domain], inside);
  const std::size_t hops = t.collective == Collective::broadcast ? domains - 1 : domains;
  for (std::size_t d = 0; d < hops; ++d)
    for (std::size_t i = 0; i < in_domain; ++i)
      visit(laid[d * in_domain + i], laid[(d + 1) % domains * in_domain + i], between);
}

/// Calls `visit(members)` for each group; false when it was stopped.
template <class Visit>
bool each_group(const RankGroups& groups, const RankPlacement& placement, std::span<const RankSeat> seats, const std::stop_token& stop,
                Visit&& visit) {
  const Count ranks = placement.ranks();
  if (groups.ranks < 2 || groups.stride < 1 || groups.ranks > ranks) return true;
  std::vector<Member> members;
  const Count block = groups.ranks * groups.stride;
  Count seen = 0;
  for (Count base = 0; base + (groups.ranks - 1) * groups.stride < ranks; base += block)
    for (Count offset = 0; offset < groups.stride; ++offset) {
      const Count first = base + offset;
      if (first + (groups.ranks - 1) * groups.stride >= ranks) break;
      if ((++seen & 0xFF) == 0 && stop.stop_requested()) return false;
      members.clear();
      for (Count i = 0; i < groups.ranks; ++i) {
        const Count rank = first + i * groups.stride;
        const RankSeat& seat = seats[static_cast<std::size_t>(rank)];
        members.push_back({rank, seat.node, seat.gpu});
      }
      visit(members);
    }
  return true;
}

/// All-to-all by tiers without listing pairs: how many members share a domain, a unit, a pod.
void all_to_all_tiers(const CommunicatorTraffic& t, const std::vector<Member>& members,
                      std::span<const NodePlace> places, TierBytes& out) {
  std::map<std::uint32_t, double> domains, pods;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> units;
  // Members of a domain are counted under the unit of their node; a domain may span units.
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> domain_units, domain_pods;
  for (const Member& m : members) {
    const NodePlace& p = places[m.node];
    domains[p.domain] += 1;
    pods[p.pod] += 1;
    units[{p.pod, p.unit}] += 1;
    domain_units[{p.domain, p.unit}] += 1;
    domain_pods[{p.domain, p.pod}] += 1;
  }
  const double n = static_cast<double>(members.size()), each = t.bytes_per_call / n;
  const auto squares = [](const auto& counts) {
    double sum = 0;
    for (const auto& [key, c] : counts)
      sum += c * c;
    return sum;
  };
  const double in_domain = squares(domains);
  const double in_unit = squares(units) - squares(domain_units);
  const double in_pod = squares(pods) - squares(domain_pods);
  out.scale_up += (in_domain - n) * each;
  out.leaf += in_unit * each;
  out.spine += (in_pod - in_unit) * each;
  out.core += (n * n - in_domain - in_pod) * each;
}

} // namespace

double adapter_parameters(const ModelPart& m, double rank, bool in_feed_forward) {
  const auto of = [](const Known<Count>& c) { return static_cast<double>(c.value_or(0)); };
  const double hidden = of(m.hidden), heads = of(m.attention_heads), layers = of(m.layers);
  const double head = m.head_dimension ? of(m.head_dimension) : heads > 0 ? hidden / heads : 0.0;
  double ends = hidden; // of the output projection, with the values below
  if (m.attention == "MLA") {
    const double queries = heads * (of(m.qk_nope_head_dimension) + of(m.qk_rope_head_dimension)),
                 values = heads * of(m.v_head_dimension);
    ends += values + (m.q_lora_rank.value_or(0) > 0 ? hidden + 2.0 * of(m.q_lora_rank) + queries : hidden + queries);
    ends += hidden + 2.0 * of(m.kv_lora_rank) + of(m.qk_rope_head_dimension) + heads * of(m.qk_nope_head_dimension) +
            values;
  } else {
    ends += heads * head + 3.0 * hidden +
            (heads + 2.0 * static_cast<double>(m.kv_heads.value_or(m.attention_heads.value_or(0)))) * head;
  }
  double sum = layers * ends;
  if (in_feed_forward) {
    const double products = m.ffn_gated.value_or(1) ? 3.0 : 2.0;
    const bool experts = m.experts_routed.value_or(0) > 0;
    const double with =
        experts ? std::max(0.0, std::floor((layers - of(m.first_dense_layers)) /
                                           std::max(1.0, static_cast<double>(m.moe_every_n_layers.value_or(1)))))
                : 0.0;
    sum += (layers - with) * products * (hidden + of(m.ffn_hidden));
    const double shared = of(m.experts_shared) * of(m.moe_ffn_hidden);
    if (shared > 0) sum += with * products * (hidden + shared);
  }
  return rank * sum;
}

tl::expected<std::vector<CommunicatorTraffic>, std::string> job_communicators(const Job& job, const ModelPart& model) {
  const RankAxes a = axes_of(job);
  for (const auto& [name, value] : {std::pair("tensor_parallel", a.tensor), std::pair("context_parallel", a.context),
                                    std::pair("data_parallel", a.data), std::pair("pipeline_parallel", a.pipeline),
                                    std::pair("expert_parallel", a.expert), std::pair("micro_batch", job.micro_batch),
                                    std::pair("sequence_length", job.sequence_length),
                                    std::pair("global_batch_sequences", job.global_batch_sequences)})
    if (value < 1 || value > 1'000'000'000)
      return tl::make_unexpected(fmt::format("{} must be 1 to 1000000000; it is {}", name, value));
  if (!model.layers || !model.hidden || !model.parameters_total_billion)
    return tl::make_unexpected(fmt::format("of model {} the {} is unknown", model.id,
                                           !model.layers   ? "number of layers"
                                           : !model.hidden ? "hidden size"
                                                           : "number of parameters"));
  if (a.context * a.data % a.expert != 0)
    return tl::make_unexpected(
        fmt::format("expert_parallel = {} must divide context x data, {} x {}", a.expert, a.context, a.data));
  const auto real = [](Count c) { return static_cast<double>(c); };
  const double layers = real(*model.layers), hidden = real(*model.hidden), stages = real(a.pipeline);
  const double micro_batches =
      std::max(1.0, std::ceil(real(job.global_batch_sequences) / (real(a.data) * real(job.micro_batch))));
  // One micro-batch at one rank: tokens of its part of the sequence.
  const double tokens = real(job.micro_batch) * real(job.sequence_length) / real(a.context);
  const double activations = tokens * hidden * value_bytes;
  std::vector<CommunicatorTraffic> out;
  const auto entry = [&](std::string name, Collective c, RankGroups groups, double bytes, double calls,
                         std::string how) {
    out.push_back({.name = std::move(name),
                   .collective = c,
                   .groups = groups,
                   .bytes_per_call = bytes,
                   .calls_per_step = calls,
                   .counted = std::move(how)});
  };
  // Full recomputation runs a layer forward twice.
  const bool again = job.recompute == Recompute::full;
  if (a.tensor > 1)
    entry("Tensor", Collective::all_reduce, {a.tensor, 1}, activations,
          (again ? 6.0 : 4.0) * layers / stages * micro_batches,
          again ? "2 all-reduces forward, 2 recomputed and 2 backward a layer and micro-batch of tokens x hidden x 2 B"
                : "4 all-reduces a layer and micro-batch of tokens x hidden x 2 B");
  if (a.context > 1) {
    const double heads =
        model.kv_heads && model.head_dimension ? real(*model.kv_heads) * real(*model.head_dimension) : hidden;
    entry("Context", Collective::all_gather, {a.context, a.tensor},
          2.0 * real(job.micro_batch) * real(job.sequence_length) * heads / real(a.tensor) * value_bytes,
          (again ? 4.0 : 3.0) * layers / stages * micro_batches,
          again ? "keys and values gathered once forward, once recomputed and twice backward a layer and micro-batch"
                : "keys and values gathered once forward and twice backward a layer and micro-batch");
  }
  double expert_parameters = 0.0;
  if (model.experts_routed && *model.experts_routed > 0 && model.moe_ffn_hidden) {
    const double every = real(std::max<Count>(1, model.moe_every_n_layers.value_or(1)));
    const double expert_layers = std::max(0.0, layers - real(model.first_dense_layers.value_or(0))) / every;
    const double matrices = model.ffn_gated.value_or(1) ? 3.0 : 2.0;
    expert_parameters = expert_layers * real(*model.experts_routed) * matrices * hidden * real(*model.moe_ffn_hidden);
    if (a.expert > 1)
      entry("Expert", Collective::all_to_all, {a.expert, a.tensor},
            activations * real(model.experts_per_token.value_or(1)) / real(a.tensor),
            (again ? 6.0 : 4.0) * expert_layers / stages * micro_batches,
            again
                ? "2 exchanges forward, 2 recomputed and 2 backward a layer of experts and micro-batch, tokens x "
                  "experts per token"
                : "2 exchanges forward and 2 backward a layer of experts and micro-batch, tokens x experts per token");
  }
  const double total = *model.parameters_total_billion * 1e9;
  expert_parameters = std::min(expert_parameters, total);
  const bool adapters = job.trained_weights != TrainedWeights::all;
  const auto gradients = [&](std::string name, RankGroups groups, double parameters) {
    if (groups.ranks < 2 || parameters <= 0.0) return;
    if (job.sharding == Sharding::none) {
      entry(name, Collective::all_reduce, groups, parameters * gradient_bytes, 1.0,
            "one all-reduce of 4 B a parameter");
      return;
    }
    // Parameters may be spread over a part of the ranks only; the copies of a shard then sum their gradients.
    const bool part = job.sharding == Sharding::parameters && job.shard_ranks > 0;
    const Count shard = part && groups.ranks % std::min(job.shard_ranks, groups.ranks) == 0
                            ? std::min(job.shard_ranks, groups.ranks)
                            : groups.ranks;
    if (shard > 1) {
      const RankGroups within{shard, groups.stride};
      entry(name + " gradients", Collective::reduce_scatter, within, parameters * gradient_bytes, 1.0,
            "one reduce-scatter of 4 B a parameter");
      entry(name + " parameters", Collective::all_gather, within, parameters * value_bytes,
            job.sharding == Sharding::parameters ? 2.0 : 1.0,
            job.sharding == Sharding::parameters ? "gathered forward and backward, 2 B a parameter"
                                                 : "one all-gather of 2 B a parameter");
    }
    if (shard < groups.ranks)
      entry(name + " copies", Collective::all_reduce, {groups.ranks / shard, groups.stride * shard},
            parameters / real(shard) * gradient_bytes, 1.0,
            "one all-reduce of each shard over its copies, 4 B a parameter");
  };
  const double share = real(a.tensor) * stages;
  if (adapters) {
    // Adapters alone have gradients; weights that stay are gathered where they are sharded.
    const double trained =
        adapter_parameters(model, real(job.adapter_rank), job.adapter_targets == AdapterTargets::all_linear);
    gradients("Adapters", {a.context * a.data, a.tensor}, trained / share);
    if (job.sharding == Sharding::parameters && a.context * a.data > 1)
      entry("Fixed weights", Collective::all_gather, {a.context * a.data, a.tensor},
            total / share * (job.trained_weights == TrainedWeights::qlora ? 0.5 : value_bytes), 2.0,
            "weights that stay are gathered forward and backward in their own format");
  } else {
    gradients("Data", {a.context * a.data, a.tensor}, (total - expert_parameters) / share);
    gradients("Expert data", {a.context * a.data / a.expert, a.tensor * a.expert},
              expert_parameters / share / real(a.expert));
  }
  if (a.pipeline > 1) {
    const Count block = a.tensor * a.context * a.data; // ranks of a stage
    const RankGroups ends{2, (a.pipeline - 1) * block};
    const double part = activations / real(a.tensor), chunks = real(std::max<Count>(1, job.virtual_stages));
    entry("Pipeline", Collective::send_receive, {a.pipeline, block}, part, 2.0 * micro_batches * chunks,
          "activations forward and gradients backward at each boundary and micro-batch, each rank its part");
    if (chunks > 1.0)
      entry("Pipeline, last to first stage", Collective::send_receive, ends, part, 2.0 * micro_batches * (chunks - 1.0),
            "interleaved stages go on at the first stage: once less than there are chunks, forward and backward");
    if (model.tied_embeddings.value_or(0) == 1 && model.vocabulary)
      entry("Embedding", Collective::all_reduce, ends,
            real(*model.vocabulary) * hidden / real(a.tensor) * gradient_bytes, 1.0,
            "one all-reduce of 4 B a parameter of the matrix that first and last stage share");
  }
  return out;
}

std::vector<CommunicatorTraffic> stated_communicators(std::span<const Communicator> communicators) {
  std::vector<CommunicatorTraffic> out;
  for (const Communicator& c : communicators)
    out.push_back({.name = c.name,
                   .communicator = c.id,
                   .collective = c.collective,
                   .groups = {c.ranks, c.stride},
                   .bytes_per_call = in_gigabytes(c.payload) * 1e9,
                   .calls_per_step = c.calls_per_step,
                   .counted = "as stated"});
  return out;
}

TierBytes tier_bytes(const CommunicatorTraffic& t, const RankPlacement& placement, std::span<const NodePlace> places,
                     const std::stop_token& stop) {
  return tier_bytes(t, placement, rank_seats(placement), places, stop);
}

TierBytes tier_bytes(const CommunicatorTraffic& t, const RankPlacement& placement, std::span<const RankSeat> seats,
                     std::span<const NodePlace> places, const std::stop_token& stop) {
  TierBytes out;
  GroupLay lay;
  each_group(t.groups, placement, seats, stop, [&](const std::vector<Member>& members) {
    if (t.collective == Collective::all_to_all) {
      all_to_all_tiers(t, members, places, out);
      return;
    }
    // A domain forwards to the GPU whose rail the other end has, so streams stay on their rail.
    streams_of_group(t, members, places, lay, [&](const Member& a, const Member& b, double bytes) {
      add(out, tier_between(places[a.node], places[b.node], true), bytes);
    });
  });
  for (double* v : {&out.scale_up, &out.leaf, &out.spine, &out.core})
    *v *= t.calls_per_step;
  return out;
}

tl::expected<std::vector<NetworkFlow>, std::string> network_flows(const CommunicatorTraffic& t,
                                                                  const RankPlacement& placement,
                                                                  std::span<const NodePlace> places, std::size_t most,
                                                                  const std::stop_token& stop) {
  std::vector<NetworkFlow> out;
  if (t.collective == Collective::all_to_all && t.groups.ranks > 1) {
    const double pairs = static_cast<double>(placement.ranks()) * static_cast<double>(t.groups.ranks - 1);
    if (pairs > static_cast<double>(most))
      return tl::make_unexpected(
          fmt::format("{}: an all-to-all over {} ranks has {:.0f} flows; at most {} are laid out", t.name,
                      t.groups.ranks, pairs, most));
  }
  bool too_many = false;
  GroupLay lay;
  each_group(t.groups, placement, rank_seats(placement), stop, [&](const std::vector<Member>& members) {
    if (too_many) return;
    streams_of_group(t, members, places, lay, [&](const Member& a, const Member& b, double bytes) {
      if (places[a.node].domain == places[b.node].domain) return;
      // Forwarded within the domain to the GPU of the receiver's rail; a GPU with several links uses all of them.
      const Count links = placement.links_per_node > 0 ? placement.links_per_node : placement.gpus_per_node;
      const Count first = b.gpu * links / placement.gpus_per_node;
      const Count count = std::max<Count>(1, (b.gpu + 1) * links / placement.gpus_per_node - first);
      if (out.size() + static_cast<std::size_t>(count) > most) {
        too_many = true;
        return;
      }
      for (Count i = first; i < first + count; ++i)
        out.push_back({.from = a.node,
                       .to = b.node,
                       .from_link = static_cast<std::uint16_t>(i),
                       .to_link = static_cast<std::uint16_t>(i),
                       .bytes = bytes * t.calls_per_step / static_cast<double>(count)});
    });
  });
  if (too_many) return tl::make_unexpected(fmt::format("{} has more than {} flows", t.name, most));
  return out;
}

RingCrossing ring_crossing(Count nodes, Count size) {
  if (nodes < 2 || size < 1 || size >= nodes) return {};
  const auto n = static_cast<double>(nodes), m = static_cast<double>(size);
  return {.ordered = std::ceil(n / m) / n, .random = 1.0 - (m - 1.0) / (n - 1.0)};
}

TreeCrossing tree_crossing(Count nodes, Count size) {
  if (nodes < 2 || size < 1) return {};
  TreeCrossing out;
  out.levels = std::ceil(std::log2(static_cast<double>(nodes)));
  out.crossing = std::max(0.0, out.levels - std::floor(std::log2(static_cast<double>(size))));
  // Levels move 1/2, 1/4, ... of the payload.
  const auto sum = [](double levels) { return 1.0 - std::exp2(-levels); };
  out.halving_share = sum(out.crossing) / sum(out.levels);
  return out;
}

} // namespace hallwright
