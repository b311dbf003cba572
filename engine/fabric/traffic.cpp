// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/traffic.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "ledger/ledger.h"

namespace hallwright {
namespace {

constexpr std::array<RankOrder, 3> rank_orders{RankOrder::unit_order, RankOrder::rack_order, RankOrder::random};

class TrafficStage {
public:
  TrafficStage(const TrafficInputs& in, const PopulationResult& population, const FabricResult& fabric, const CablingResult& cabling,
               const std::stop_token& stop)
      : in_(in), population_(population), fabric_(fabric), cabling_(cabling), stop_(stop) {}

  TrafficResult run() {
    failures();
    if (stop_.stop_requested()) return std::move(out_);
    const std::string reason = lay_job();
    if (stop_.stop_requested()) return std::move(out_);
    figures(reason);
    tables();
    out_.page = ledger_.finish_page();
    return std::move(out_);
  }

private:
  void failures();
  /// Lays the job; the reason when it can't.
  std::string lay_job();
  void figures(const std::string& reason);
  void tables();

  const TrafficInputs& in_;
  const PopulationResult& population_;
  const FabricResult& fabric_;
  const CablingResult& cabling_;
  const std::stop_token& stop_;
  Ledger ledger_{Page::traffic};
  TrafficResult out_;
  struct OrderRow {
    RankOrder order;
    TierBytes bytes;
    std::string problem;
  };
  std::vector<OrderRow> orders_;
};

void TrafficStage::failures() {
  const Count gpus = population_.accelerators_per_node.has_value() ? std::clamp<Count>(population_.accelerators_per_node.value, 1, 4096) : 1;
  for (const Failure& f : *in_.failures) {
    if (f.thing != 0) continue; // drawn things are the affair of their own subject
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
    auto at = std::find_if(out_.left.begin(), out_.left.end(), [&](const NetworkLeft& l) { return l.network == f.network; });
    if (at == out_.left.end()) at = out_.left.insert(out_.left.end(), {c->network, c->name, {}, {}, {}});
    at->lost.push_back(*std::move(lost));
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
    const std::string stem = fmt::format("traffic.network.{}", l.network), what = fmt::format("{} elements out of service", l.lost.size());
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
  out_.places = node_places(wiring, std::max<Count>(1, domain / gpus_per_node));
  const std::vector<std::uint32_t> by_rack = nodes_by_rack(wiring, *compute->places);
  std::string reason;
  for (const RankOrder order : rank_orders) {
    if (stop_.stop_requested()) return {};
    auto placement = rank_placement(order, nodes, available, gpus_per_node, job.placement_seed, by_rack);
    OrderRow row{order, {}, {}};
    if (!placement) {
      row.problem = placement.error();
      if (order == job.rank_order) reason = row.problem;
    } else {
      placement->links_per_node = wiring.request.counts.links_per_node;
      for (const CommunicatorTraffic& c : out_.communicators) {
        const TierBytes bytes = tier_bytes(c, *placement, out_.places, stop_);
        row.bytes.scale_up += bytes.scale_up, row.bytes.leaf += bytes.leaf, row.bytes.spine += bytes.spine, row.bytes.core += bytes.core;
        if (order == job.rank_order) out_.bytes.push_back(bytes);
      }
      if (order == job.rank_order) out_.placement = *std::move(placement);
    }
    orders_.push_back(std::move(row));
  }
  return reason;
}

void TrafficStage::figures(const std::string& reason) {
  TierBytes sum;
  for (const TierBytes& b : out_.bytes) sum.scale_up += b.scale_up, sum.leaf += b.leaf, sum.spine += b.spine, sum.core += b.core;
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

void TrafficStage::tables() {
  std::vector<Table> tables;
  {
    Table t;
    t.id = "traffic.communicators";
    t.title = "Traffic of a step";
    std::vector<std::string> name, collective, counted;
    std::vector<double> ranks, stride, per_call, calls, scale_up, leaf, spine, core;
    for (std::size_t i = 0; i < out_.bytes.size(); ++i) {
      const CommunicatorTraffic& c = out_.communicators[i];
      const TierBytes& b = out_.bytes[i];
      name.push_back(c.name);
      collective.emplace_back(ChoiceWords<Collective>::words[static_cast<std::size_t>(c.collective)]);
      ranks.push_back(static_cast<double>(c.groups.ranks));
      stride.push_back(static_cast<double>(c.groups.stride));
      per_call.push_back(c.bytes_per_call);
      calls.push_back(c.calls_per_step);
      scale_up.push_back(b.scale_up);
      leaf.push_back(b.leaf);
      spine.push_back(b.spine);
      core.push_back(b.core);
      counted.push_back(c.counted);
    }
    t.add_words("name", "Communicator").words = std::move(name);
    t.add_words("collective", "Collective").words = std::move(collective);
    t.add_numbers("ranks", "Ranks", kind::count).numbers = std::move(ranks);
    t.add_numbers("stride", "Stride", kind::count).numbers = std::move(stride);
    t.add_numbers("per_call", "A call", kind::information, "GB").numbers = std::move(per_call);
    t.add_numbers("calls", "Calls of a step", kind::ratio).numbers = std::move(calls);
    t.add_numbers("scale_up", "Scale-up", kind::information, "GB").numbers = std::move(scale_up);
    t.add_numbers("leaf", "Leaf", kind::information, "GB").numbers = std::move(leaf);
    t.add_numbers("spine", "Spine", kind::information, "GB").numbers = std::move(spine);
    t.add_numbers("core", "Core", kind::information, "GB").numbers = std::move(core);
    t.add_words("counted", "How it is counted").words = std::move(counted);
    tables.push_back(std::move(t));
  }
  {
    Table t;
    t.id = "traffic.rank_orders";
    t.title = "What the rank order is worth";
    std::vector<std::string> order, problem;
    std::vector<double> scale_up, leaf, spine, core, share;
    for (const OrderRow& row : orders_) {
      order.emplace_back(ChoiceWords<RankOrder>::words[static_cast<std::size_t>(row.order)]);
      scale_up.push_back(row.bytes.scale_up);
      leaf.push_back(row.bytes.leaf);
      spine.push_back(row.bytes.spine);
      core.push_back(row.bytes.core);
      share.push_back(row.bytes.spine_share());
      problem.push_back(row.problem);
    }
    t.add_words("order", "Rank order").words = std::move(order);
    t.add_numbers("scale_up", "Scale-up", kind::information, "GB").numbers = std::move(scale_up);
    t.add_numbers("leaf", "Leaf", kind::information, "GB").numbers = std::move(leaf);
    t.add_numbers("spine", "Spine", kind::information, "GB").numbers = std::move(spine);
    t.add_numbers("core", "Core", kind::information, "GB").numbers = std::move(core);
    t.add_numbers("share", "Above the leafs", kind::percent, "%").numbers = std::move(share);
    t.add_words("problem", "Problem").words = std::move(problem);
    tables.push_back(std::move(t));
  }
  {
    Table t;
    t.id = "traffic.failures";
    t.title = "What is left";
    t.entity_table = "networks";
    std::vector<std::string> network, lost;
    std::vector<double> injection, bisection, isolated, links;
    for (const NetworkLeft& l : out_.left) {
      t.entities.push_back(l.network);
      network.push_back(l.name);
      std::string names;
      for (const LostParts& p : l.lost) names += (names.empty() ? "" : ", ") + p.name;
      lost.push_back(std::move(names));
      injection.push_back(l.left.injection);
      bisection.push_back(l.left.bisection ? *l.left.bisection : std::numeric_limits<double>::quiet_NaN());
      isolated.push_back(static_cast<double>(l.left.isolated_gpus));
      links.push_back(static_cast<double>(l.left.lost_links));
    }
    t.add_words("network", "Network").words = std::move(network);
    t.add_words("lost", "Out of service").words = std::move(lost);
    t.add_numbers("injection", "Injection left", kind::percent, "%").numbers = std::move(injection);
    t.add_numbers("bisection", "Bisection left", kind::percent, "%").numbers = std::move(bisection);
    t.add_numbers("isolated", "GPUs cut off", kind::count).numbers = std::move(isolated);
    t.add_numbers("links", "Links lost", kind::count).numbers = std::move(links);
    tables.push_back(std::move(t));
  }
  {
    Table t;
    t.id = "traffic.failure_problems";
    t.title = "Failures that name nothing";
    t.entity_table = "failures";
    std::vector<std::string> sentence;
    for (const FailureProblem& p : out_.problems) {
      t.entities.push_back(p.failure);
      sentence.push_back(p.sentence);
    }
    t.add_words("sentence", "Why").words = std::move(sentence);
    tables.push_back(std::move(t));
  }
  out_.tables = share(std::move(tables));
}

} // namespace

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
                      const std::stop_token& stop) {
  return TrafficStage(inputs, population, fabric, cabling, stop).run();
}

} // namespace hallwright
