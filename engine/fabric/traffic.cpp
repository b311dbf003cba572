// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/traffic.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "fabric/hashed_flows.h"
#include "ledger/ledger.h"
#include "ledger/table_columns.h"

namespace hallwright {
namespace {

constexpr std::array<RankOrder, 3> rank_orders{RankOrder::unit_order, RankOrder::rack_order, RankOrder::random};

class TrafficStage {
public:
  TrafficStage(const TrafficInputs& in, const PopulationResult& population, const FabricResult& fabric, const CablingResult& cabling,
               const std::vector<FailedThing>& things, const TrafficResult* previous, const std::stop_token& stop)
      : in_(in), population_(population), fabric_(fabric), cabling_(cabling), things_(things), previous_(previous), stop_(stop) {}

  TrafficResult run() {
    failures();
    if (stop_.stop_requested()) return std::move(out_);
    const std::string reason = lay_job();
    if (stop_.stop_requested()) return std::move(out_);
    figures(reason);
    if (out_.network) network_figures();
    tables();
    out_.page = ledger_.finish_page();
    return std::move(out_);
  }

private:
  void failures();
  /// Lays the job; the reason when it can't.
  std::string lay_job();
  /// Bytes of each communicator, from last time where nothing of them changed.
  std::vector<TierBytes> bytes_of(const RankPlacement& placement, const RankOrderTraffic* last) const;
  void figures(const std::string& reason);
  void network_figures();
  void tables();

  const TrafficInputs& in_;
  const PopulationResult& population_;
  const FabricResult& fabric_;
  const CablingResult& cabling_;
  const std::vector<FailedThing>& things_;
  const TrafficResult* previous_;
  const std::stop_token& stop_;
  Ledger ledger_{Page::traffic};
  TrafficResult out_;
};

/// Links that are lost, each once.
std::size_t lost_links(const Wiring& wiring, const LostParts& lost) {
  std::vector<std::uint32_t> links = lost.links;
  for (const std::uint32_t d : lost.devices) {
    const auto at = wiring.at_device(d);
    links.insert(links.end(), at.begin(), at.end());
  }
  std::sort(links.begin(), links.end());
  return static_cast<std::size_t>(std::unique(links.begin(), links.end()) - links.begin());
}

TierBytes sum_of(const std::vector<TierBytes>& all) {
  TierBytes sum;
  for (const TierBytes& b : all) sum.scale_up += b.scale_up, sum.leaf += b.leaf, sum.spine += b.spine, sum.core += b.core;
  return sum;
}

void TrafficStage::failures() {
  const Count gpus = population_.accelerators_per_node.has_value() ? std::clamp<Count>(population_.accelerators_per_node.value, 1, 4096) : 1;
  const auto left_of = [&](const NetworkCabling& c) -> NetworkLeft& {
    auto at = std::find_if(out_.left.begin(), out_.left.end(), [&](const NetworkLeft& l) { return l.network == c.network; });
    if (at == out_.left.end()) at = out_.left.insert(out_.left.end(), {c.network, c.name, {}, {}, {}, {}});
    return *at;
  };
  for (const Failure& f : *in_.failures) {
    if (f.thing != 0) continue;
    const NetworkCabling* c = cabling_.find(f.network);
    if (!c) {
      out_.problems.push_back({f.id, f.network == 0 ? fmt::format("\"{}\" names no network", f.element) : std::string("its network is not described")});
      continue;
    }
    if (!c->wiring) {
      out_.problems.push_back({f.id, fmt::format("{} is not wired: {}", c->name, c->problem)});
      continue;
    }
    auto lost = lost_parts(*c->wiring, f.element);
    if (!lost) {
      out_.problems.push_back({f.id, fmt::format("{}: {}", c->name, lost.error())});
      continue;
    }
    NetworkLeft& at = left_of(*c);
    const bool again = std::any_of(at.lost.begin(), at.lost.end(), [&](const LostParts& p) { return p.name == lost->name; });
    if (!again) at.lost.push_back(*std::move(lost)), at.failures.push_back(f.id);
  }
  for (const FailedThing& thing : things_) {
    if (stop_.stop_requested()) return;
    if (!thing.problem.empty()) {
      out_.problems.push_back({thing.failure, fmt::format("{}: {}", thing.name, thing.problem)});
      continue;
    }
    const auto twice = [&](const ThingLeft& t) { return t.thing.thing == thing.thing && t.thing.section == thing.section; };
    if (std::any_of(out_.things.begin(), out_.things.end(), twice)) continue;
    ThingLeft told{thing, 0, 0};
    std::string problem;
    for (const NetworkCabling& c : cabling_.networks) {
      if (!c.wiring) continue;
      auto lost = lost_with(thing, c, cabling_.trays.get());
      if (!lost) {
        problem = lost.error();
        break; // trays are the same for all networks
      }
      if (lost->devices.empty() && lost->links.empty()) continue;
      told.devices += static_cast<Count>(lost->devices.size());
      told.links += static_cast<Count>(lost_links(*c.wiring, *lost));
      NetworkLeft& at = left_of(c);
      at.lost.push_back(*std::move(lost)), at.failures.push_back(thing.failure);
    }
    if (!problem.empty()) {
      out_.problems.push_back({thing.failure, std::move(problem)});
      continue;
    }
    if (told.thing.note.empty() && told.devices == 0 && told.links == 0)
      told.thing.note = thing.tray != 0 ? "no cable of a network lies in it" : "no device of a network is drawn there";
    out_.things.push_back(std::move(told));
  }
  std::sort(out_.left.begin(), out_.left.end(), [](const auto& a, const auto& b) { return a.network < b.network; });
  for (NetworkLeft& l : out_.left) {
    if (stop_.stop_requested()) return;
    const Wiring& wiring = *cabling_.find(l.network)->wiring;
    const FailureStudy study(wiring, gpus);
    LostParts all;
    for (const LostParts& one : l.lost) {
      all.devices.insert(all.devices.end(), one.devices.begin(), one.devices.end());
      all.links.insert(all.links.end(), one.links.begin(), one.links.end());
    }
    l.dead = study.dead_links(all);
    l.left = study.after(all);
    const std::string stem = fmt::format("traffic.network.{}", l.network),
                      what = l.lost.size() == 1 ? l.lost.front().name + " out of service"
                                                : fmt::format("{} elements and things out of service", l.lost.size());
    ledger_.measured<double>(stem + ".injection_left", "Injection left, " + l.name, l.left.injection, what, &kind::percent);
    if (l.left.bisection)
      ledger_.measured<double>(stem + ".bisection_left", "Bisection left, " + l.name, *l.left.bisection, what + "; tier by tier", &kind::percent, true);
    ledger_.measured<Count>(stem + ".isolated_gpus", "GPUs cut off, " + l.name, l.left.isolated_gpus, what);
  }
}

std::string TrafficStage::lay_job() {
  const Job& job = *in_.job;
  const ModelPart* model = in_.catalog->find<ModelPart>(job.model_part);
  if (!model) return "the catalog has no model \"" + job.model_part + "\"";
  const auto compute = std::find_if(cabling_.networks.begin(), cabling_.networks.end(), [](const auto& c) { return c.kind == NetworkKind::compute; });
  if (compute == cabling_.networks.end()) return "no compute network is described";
  if (!compute->wiring) return compute->name + " is not wired: " + compute->problem;
  if (!population_.accelerators_per_node.has_value()) return "the GPUs of a node are not known";
  const Wiring& wiring = *compute->wiring;
  const Count gpus_per_node = population_.accelerators_per_node.value, available = wiring.first_manager;
  const Count ranks = axes_of(job).ranks();
  if (ranks <= 0 || gpus_per_node <= 0) return "the job has no ranks";
  const Count nodes = ranks / gpus_per_node + (ranks % gpus_per_node != 0);
  if (nodes > available) return fmt::format("the job needs {} nodes; the compute network joins {}", nodes, available);
  auto of_job = job_communicators(job, *model);
  if (!of_job) return of_job.error();
  out_.communicators = *std::move(of_job);
  for (CommunicatorTraffic& c : stated_communicators(*in_.communicators)) out_.communicators.push_back(std::move(c));

  const Count domain = fabric_.scale_up_domain_gpus.has_value() ? fabric_.scale_up_domain_gpus.value : gpus_per_node;
  out_.wiring = compute->wiring;
  out_.drawn = compute->places;
  out_.nodes_per_domain = std::max<Count>(1, domain / gpus_per_node);
  const bool wired_as_before = previous_ && previous_->wiring == out_.wiring;
  out_.places = wired_as_before && previous_->nodes_per_domain == out_.nodes_per_domain ? previous_->places
                                                                                        : node_places(wiring, out_.nodes_per_domain);
  out_.by_rack = wired_as_before && previous_->drawn == out_.drawn ? previous_->by_rack : nodes_by_rack(wiring, *out_.drawn);
  std::string reason;
  std::vector<std::pair<RankOrder, AxisOrder>> wanted;
  for (const RankOrder order : rank_orders) wanted.emplace_back(order, job.axis_order);
  // Which axis lies outermost matters where there are both.
  const bool chosen_first = job.axis_order == AxisOrder::data_before_pipeline;
  if (job.pipeline_parallel > 1 && job.data_parallel > 1)
    wanted.emplace_back(job.rank_order, chosen_first ? AxisOrder::pipeline_before_data : AxisOrder::data_before_pipeline);
  for (const auto& [order, axes] : wanted) {
    if (stop_.stop_requested()) return {};
    RankOrderTraffic row;
    row.order = order;
    row.axes = axes;
    const bool chosen = order == job.rank_order && axes == job.axis_order;
    auto placement = rank_placement(order, nodes, available, gpus_per_node, job.placement_seed, out_.by_rack);
    if (!placement) {
      row.problem = placement.error();
      if (chosen) reason = row.problem;
    } else {
      placement->links_per_node = wiring.request.counts.links_per_node;
      placement->axis_order = axes;
      placement->axes = axes_of(job);
      const RankOrderTraffic* last = previous_ && out_.orders.size() < previous_->orders.size() ? &previous_->orders[out_.orders.size()] : nullptr;
      if (last && !(last->placement && *last->placement == *placement && previous_->places == out_.places)) last = nullptr;
      row.bytes = bytes_of(*placement, last);
      row.placement = last ? last->placement : std::make_shared<const RankPlacement>(*std::move(placement));
      if (chosen) out_.bytes = row.bytes, out_.placement = *row.placement;
    }
    out_.orders.push_back(std::move(row));
  }
  if (out_.placement) {
    const auto left = std::find_if(out_.left.begin(), out_.left.end(), [&](const NetworkLeft& l) { return l.network == compute->network; });
    static const std::vector<bool> nothing;
    const auto all = rank_placement(job.rank_order, available, available, gpus_per_node, job.placement_seed, out_.by_rack);
    out_.network = job_network(wiring, *out_.placement, out_.places, all ? std::span<const std::uint32_t>(all->node_order) : out_.placement->node_order, ranks, left == out_.left.end() ? nothing : left->dead);
    const auto network = std::find_if(in_.networks->begin(), in_.networks->end(), [&](const Network& n) { return n.id == compute->network; });
    const FabricCounts& counts = wiring.counts;
    if (network != in_.networks->end() && network->path_choice == PathChoice::hashed && network->topology != Topology::dragonfly)
      out_.network->reach.slowest_flow = slowest_hashed_flows(std::min<Count>(counts.leaf_down, 4096), counts.leaf_up, network->flows_per_pair,
                                                              static_cast<double>(std::max<Count>(1, wiring.request.counts.uplink_ports)));
    if (left != out_.left.end())
      out_.network->out_of_service = left->lost.size() == 1 ? left->lost.front().name : fmt::format("{} elements and things", left->lost.size());
  }
  return reason;
}

std::vector<TierBytes> TrafficStage::bytes_of(const RankPlacement& placement, const RankOrderTraffic* last) const {
  std::vector<TierBytes> out;
  out.reserve(out_.communicators.size());
  std::vector<RankSeat> seats; // once one is counted anew
  for (std::size_t i = 0; i < out_.communicators.size(); ++i) {
    const CommunicatorTraffic& c = out_.communicators[i];
    const bool kept = last && i < last->bytes.size() && previous_->communicators[i] == c;
    if (!kept && seats.empty()) seats = rank_seats(placement);
    out.push_back(kept ? last->bytes[i] : tier_bytes(c, placement, seats, out_.places, stop_));
  }
  return out;
}

void TrafficStage::figures(const std::string& reason) {
  const TierBytes sum = sum_of(out_.bytes);
  const bool laid = reason.empty() && out_.placement.has_value();
  const std::string what = fmt::format("streams of {} communicators in the chosen rank order, by the highest tier that they climb to", out_.communicators.size());
  auto bytes_of = [&](const char* id, const char* label, double value) {
    return laid ? ledger_.measured<Bytes>(id, label, bytes(value), what, &KindOf<Bytes>::value, true)
                : ledger_.absent<Bytes>(id, label, Completeness::not_applicable, reason);
  };
  out_.scale_up = bytes_of("traffic.scale_up", "Bytes of a step within scale-up domains", sum.scale_up);
  out_.leaf = bytes_of("traffic.leaf", "Bytes of a step through a leaf only", sum.leaf);
  out_.spine = bytes_of("traffic.spine", "Bytes of a step through spines", sum.spine);
  out_.core = bytes_of("traffic.core", "Bytes of a step through cores", sum.core);
  out_.spine_share = laid ? ledger_.measured<double>("traffic.spine_share", "Network traffic that climbs above the leafs", sum.spine_share(), what, &kind::percent, true)
                          : ledger_.absent<double>("traffic.spine_share", "Network traffic that climbs above the leafs", Completeness::not_applicable, reason,
                                                   &kind::percent);
}

void TrafficStage::network_figures() {
  JobNetwork& n = *out_.network;
  const NetworkReach& r = n.reach;
  const std::string beyond = n.out_of_service.empty() ? std::string() : ", " + n.out_of_service + " out of service";
  const auto figure = [&](std::string_view name, std::string label, double value, std::string what) {
    n.figures.emplace_back(name, ledger_.measured<double>(fmt::format("traffic.{}", name), std::move(label), value, what, &kind::ratio));
  };
  if (r.unit_gpus > 0) {
    figure("unit_gpus", "GPUs in rank order under the same leafs", r.unit_gpus, "GPUs of the network over runs of neighbours in rank order that share their leafs");
    figure("leaf_oversubscription", "Oversubscription of the worst leaf, in service", r.leaf_oversubscription,
           "rate of the links of nodes below the leaf over that of its links up" + beyond);
  }
  if (r.pod_gpus > 0) {
    figure("pod_gpus", "GPUs in rank order under the same spines", r.pod_gpus, "GPUs of the network over runs of neighbours in rank order that share a pod");
    figure("core_oversubscription", "Oversubscription of the worst spine", r.core_oversubscription, "links down over links up" + beyond);
  }
  if (r.unit_gpus > 0 && r.slowest_flow.front() < 1.0)
    n.figures.emplace_back("slowest_flow",
                           ledger_.measured<double>("traffic.slowest_flow", "Slowest flow where all nodes of a leaf send up at once, of line rate",
                                                    r.slowest_flow.front(),
                                                    "flows hashed on the uplinks of a leaf, mean of the slowest over random draws", &kind::percent, true));
  if (r.injection_left < 1.0)
    figure("injection_left", "Links of the GPU that lost most", r.injection_left, "links in service over links of one GPU of the job" + beyond);
}

void TrafficStage::tables() {
  std::vector<Table> tables;
  const auto table = [&](std::string id, std::string title) -> Table& {
    Table& t = tables.emplace_back();
    t.id = std::move(id);
    t.title = std::move(title);
    return t;
  };
  // Rows with their bytes: columns of the tiers are the same in both tables.
  const auto tiers = [](auto& columns) {
    columns.numbers("scale_up", "Scale-up", kind::information, [](const auto& r) { return r.bytes.scale_up; }, "GB");
    columns.numbers("leaf", "Leaf", kind::information, [](const auto& r) { return r.bytes.leaf; }, "GB");
    columns.numbers("spine", "Spine", kind::information, [](const auto& r) { return r.bytes.spine; }, "GB");
    columns.numbers("core", "Core", kind::information, [](const auto& r) { return r.bytes.core; }, "GB");
  };
  {
    struct Row {
      const CommunicatorTraffic* of;
      TierBytes bytes;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < out_.bytes.size(); ++i) rows.push_back({&out_.communicators[i], out_.bytes[i]});
    TableColumns columns(table("traffic.communicators", "Traffic of a step"), rows);
    columns.words("name", "Communicator", [](const Row& r) { return r.of->name; });
    columns.words("collective", "Collective",
                  [](const Row& r) { return ChoiceWords<Collective>::words[static_cast<std::size_t>(r.of->collective)]; });
    columns.numbers("ranks", "Ranks", kind::count, [](const Row& r) { return r.of->groups.ranks; });
    columns.numbers("stride", "Stride", kind::count, [](const Row& r) { return r.of->groups.stride; });
    columns.numbers("per_call", "A call", kind::information, [](const Row& r) { return r.of->bytes_per_call; }, "GB");
    columns.numbers("calls", "Calls of a step", kind::ratio, [](const Row& r) { return r.of->calls_per_step; });
    tiers(columns);
    columns.words("counted", "How it is counted", [](const Row& r) { return r.of->counted; });
  }
  {
    struct Row {
      const RankOrderTraffic* of;
      TierBytes bytes;
    };
    std::vector<Row> rows;
    for (const RankOrderTraffic& order : out_.orders) rows.push_back({&order, sum_of(order.bytes)});
    TableColumns columns(table("traffic.rank_orders", "What the rank order is worth"), rows);
    columns.words("order", "Rank order", [](const Row& r) { return ChoiceWords<RankOrder>::words[static_cast<std::size_t>(r.of->order)]; });
    columns.words("axes", "Order of axes, fastest first", [](const Row& r) { return axis_order_words(r.of->axes); });
    tiers(columns);
    columns.numbers("share", "Above the leafs", kind::percent, [](const Row& r) { return r.bytes.spine_share(); }, "%");
    columns.words("problem", "Problem", [](const Row& r) { return r.of->problem; });
  }
  {
    // Ranks by rack: the first of each axis that a rack holds.
    struct Row {
      Id rack = 0;
      Count ranks = 0;
      RankCoordinates first;
      Count last_stage = 0;
      Count tensor_group = 0; ///< ranks of a group follow each other: rank / tensor
    };
    std::map<Id, Row> racks;
    if (out_.placement && out_.drawn) {
      const RankAxes axes = axes_of(*in_.job);
      const Count gpus = out_.placement->gpus_per_node;
      for (Count begin = 0; begin < axes.ranks(); begin += gpus) {
        const Id rack = out_.drawn->rack_of(out_.placement->node_order[static_cast<std::size_t>(begin / gpus)]);
        if (rack == 0) continue;
        const RankCoordinates first = coordinates_at(axes, out_.placement->axis_order, begin);
        const auto group = [&](const RankCoordinates& at) {
          return at.context + axes.context * (at.data + axes.data * at.pipeline);
        };
        Row& row = racks.try_emplace(rack, Row{rack, 0, first, first.pipeline, group(first)}).first->second;
        for (Count place = begin; place < std::min(begin + gpus, axes.ranks()); ++place) {
          const RankCoordinates at = coordinates_at(axes, out_.placement->axis_order, place);
          ++row.ranks;
          row.first.pipeline = std::min(row.first.pipeline, at.pipeline);
          row.first.data = std::min(row.first.data, at.data);
          row.first.expert = std::min(row.first.expert, at.expert);
          row.last_stage = std::max(row.last_stage, at.pipeline);
          row.tensor_group = std::min(row.tensor_group, group(at));
        }
      }
    }
    std::vector<Row> rows;
    for (const auto& [id, row] : racks) rows.push_back(row);
    Table& t = table("traffic.racks", "Ranks by rack");
    t.entity_table = "racks";
    for (const Row& r : rows) t.entities.push_back(r.rack);
    TableColumns columns(t, rows);
    columns.numbers("ranks", "Ranks", kind::count, [](const Row& r) { return r.ranks; });
    columns.numbers("pipeline_stage", "First pipeline stage", kind::count, [](const Row& r) { return r.first.pipeline + 1; });
    columns.numbers("last_stage", "Last pipeline stage", kind::count, [](const Row& r) { return r.last_stage + 1; });
    columns.numbers("tensor_group", "First tensor group", kind::count, [](const Row& r) { return r.tensor_group + 1; });
    columns.numbers("data_rank", "First data-parallel rank", kind::count, [](const Row& r) { return r.first.data + 1; });
    columns.numbers("expert_rank", "First expert-parallel rank", kind::count, [](const Row& r) { return r.first.expert + 1; });
  }
  {
    Table& t = table("traffic.failures", "What is left");
    t.entity_table = "networks";
    for (const NetworkLeft& l : out_.left) t.entities.push_back(l.network);
    TableColumns columns(t, out_.left);
    columns.words("network", "Network", [](const NetworkLeft& l) { return l.name; });
    columns.words("lost", "Out of service", [](const NetworkLeft& l) {
      std::string names;
      for (const LostParts& p : l.lost) names += (names.empty() ? "" : ", ") + p.name;
      return names;
    });
    columns.numbers("injection", "Injection left", kind::percent, [](const NetworkLeft& l) { return l.left.injection; }, "%");
    columns.numbers("bisection", "Bisection left", kind::percent, [](const NetworkLeft& l) { return l.left.bisection; }, "%");
    columns.numbers("isolated", "GPUs cut off", kind::count, [](const NetworkLeft& l) { return l.left.isolated_gpus; });
    columns.numbers("links", "Links lost", kind::count, [](const NetworkLeft& l) { return l.left.lost_links; });
  }
  {
    Table& t = table("traffic.failed_things", "Drawn things out of service");
    t.entity_table = "failures";
    for (const ThingLeft& l : out_.things) t.entities.push_back(l.thing.failure);
    TableColumns columns(t, out_.things);
    columns.words("name", "Out of service", [](const ThingLeft& l) { return l.thing.name; });
    columns.numbers("racks", "Racks lost", kind::count, [](const ThingLeft& l) { return static_cast<Count>(l.thing.racks.size()); });
    columns.numbers("racks_kept", "Racks on another feed", kind::count, [](const ThingLeft& l) { return l.thing.racks_kept; });
    columns.numbers("devices", "Devices lost", kind::count, [](const ThingLeft& l) { return l.devices; });
    columns.numbers("links", "Links lost", kind::count, [](const ThingLeft& l) { return l.links; });
    columns.words("note", "Why nothing", [](const ThingLeft& l) { return l.thing.note; });
  }
  {
    Table& t = table("traffic.failure_problems", "Failures that name nothing");
    t.entity_table = "failures";
    for (const FailureProblem& p : out_.problems) t.entities.push_back(p.failure);
    TableColumns columns(t, out_.problems);
    columns.words("sentence", "Why", [](const FailureProblem& p) { return p.sentence; });
  }
  out_.tables = share(std::move(tables));
}

} // namespace

JobNetwork job_network(const Wiring& wiring, const RankPlacement& placement, std::span<const NodePlace> places,
                       std::span<const std::uint32_t> order, Count ranks, const std::vector<bool>& dead) {
  JobNetwork out;
  const Count gpus = placement.gpus_per_node;
  const auto nodes = static_cast<std::size_t>((ranks + gpus - 1) / gpus);
  const auto lost = [&](std::uint32_t link) { return !dead.empty() && dead[link]; };
  // Runs of nodes in rank order that share leafs, and pods: of all nodes, so that every layout of the job sees the same.
  const std::size_t all = order.size();
  std::size_t unit_runs = 1, pod_runs = 1;
  for (std::size_t i = 1; i < all; ++i) {
    const NodePlace &a = places[order[i - 1]], &b = places[order[i]];
    unit_runs += a.unit != b.unit || a.pod != b.pod;
    pod_runs += a.pod != b.pod;
  }
  const auto spread = [&](std::size_t runs) {
    return runs < 2 ? 0.0 : static_cast<double>(all) * static_cast<double>(gpus) / static_cast<double>(runs);
  };
  out.reach.unit_gpus = spread(unit_runs);
  out.reach.pod_gpus = spread(pod_runs);

  // What each switch takes from its nodes, and what it sends up.
  std::vector<double> below(wiring.devices.size(), 0.0), up(wiring.devices.size(), 0.0), down(wiring.devices.size(), 0.0);
  std::vector<bool> leads(wiring.devices.size(), wiring.counts.leaf_spine_cables == 0 && wiring.counts.group_global_cables == 0);
  for (std::uint32_t l = 0; l < wiring.links.size(); ++l) {
    const WiredLink& link = wiring.links[l];
    if (lost(l)) continue;
    if (link.kind == LinkClass::node_leaf) {
      if (link.near < wiring.first_manager) below[link.far] += 1.0;
      continue;
    }
    leads[link.near] = leads[link.far] = true;
    up[link.near] += 1.0;
    down[link.far] += 1.0;
  }
  Count cut_off = 0;
  double least = 1.0;
  std::vector<double> has(static_cast<std::size_t>(gpus)), keeps(static_cast<std::size_t>(gpus));
  std::vector<std::uint32_t> number, in_plane;
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto at = wiring.at_device(placement.node_order[i]);
    number.clear(), in_plane.clear();
    for (const std::uint32_t l : at) {
      const std::size_t plane = wiring.links[l].plane;
      if (plane >= in_plane.size()) in_plane.resize(plane + 1, 0), number.resize(plane + 1, 0);
      ++in_plane[plane];
    }
    std::fill(has.begin(), has.end(), 0.0);
    std::fill(keeps.begin(), keeps.end(), 0.0);
    for (const std::uint32_t l : at) {
      const WiredLink& link = wiring.links[l];
      const Count k = number[link.plane]++, of = in_plane[link.plane];
      const bool works = !lost(l) && leads[link.far];
      // GPUs share the links of their node evenly.
      for (Count g = k * gpus / of, end = std::max(g + 1, (k + 1) * gpus / of); g < end; ++g) {
        has[static_cast<std::size_t>(g)] += 1.0;
        keeps[static_cast<std::size_t>(g)] += works ? 1.0 : 0.0;
      }
    }
    const auto used = static_cast<std::size_t>(std::min<Count>(gpus, ranks - static_cast<Count>(i) * gpus));
    for (std::size_t g = 0; g < used; ++g) {
      if (keeps[g] == 0.0) ++cut_off;
      else least = std::min(least, keeps[g] / has[g]);
    }
  }
  out.cut_off_gpus = dead.empty() ? 0 : cut_off;
  out.reach.injection_left = dead.empty() ? 1.0 : least;
  if (wiring.request.counts.topology == Topology::dragonfly) { // of a group, as built
    out.reach.leaf_oversubscription = std::max(1.0, wiring.counts.oversubscription);
    return out;
  }
  const double wide = static_cast<double>(std::max<Count>(1, wiring.request.counts.uplink_ports));
  for (std::uint32_t d = wiring.first_leaf; d < wiring.devices.size(); ++d) {
    if (up[d] <= 0.0) continue;
    if (wiring.devices[d].kind == DeviceKind::leaf)
      out.reach.leaf_oversubscription = std::max(out.reach.leaf_oversubscription, below[d] / (up[d] * wide));
    else if (wiring.devices[d].kind == DeviceKind::spine)
      out.reach.core_oversubscription = std::max(out.reach.core_oversubscription, down[d] / up[d]);
  }
  return out;
}

std::vector<std::uint32_t> nodes_by_rack(const Wiring& wiring, const DevicePlaces& places) {
  std::vector<std::uint32_t> order(wiring.first_manager);
  std::iota(order.begin(), order.end(), 0u);
  auto key = [&](std::uint32_t node) {
    const DevicePlace& p = places.places[node];
    if (!p.drawn()) return std::tuple(true, Id{0}, 0.0, 0.0, 0);
    const DeviceRack& r = places.racks[p.rack];
    return std::tuple(false, r.hall, r.y_mm, r.x_mm, static_cast<int>(p.half_unit));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

TrafficResult traffic(const TrafficInputs& inputs, const PopulationResult& population, const FabricResult& fabric, const CablingResult& cabling,
                      const std::vector<FailedThing>& things, const TrafficResult* previous, const std::stop_token& stop) {
  return TrafficStage(inputs, population, fabric, cabling, things, previous, stop).run();
}

} // namespace hallwright
