// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fabric/link_loads.h"

namespace hallwright {

std::vector<double> max_min_rates(const FairShareProblem& problem, double unlimited, const std::stop_token& stop) {
  const std::size_t flows = problem.first.size() - 1, links = problem.capacity.size();
  std::vector<double> rate(flows, -1.0);
  std::vector<std::uint32_t> users(links, 0);
  for (std::uint32_t l : problem.link)
    ++users[l];
  // A link with one flow only caps that flow. The others get numbers of their own, so that what is touched again and
  // again lies close together.
  struct Shared {
    double left;
    std::uint32_t users;
    std::uint32_t first; ///< of its flows
  };
  std::vector<Shared> shared;
  constexpr std::uint32_t none = 0xFFFFFFFFu;
  std::vector<std::uint32_t> number(links, none);
  std::uint32_t places = 0;
  for (std::size_t l = 0; l < links; ++l) {
    if (users[l] < 2) continue;
    number[l] = static_cast<std::uint32_t>(shared.size());
    shared.push_back({problem.capacity[l], users[l], places});
    places += users[l];
  }
  shared.push_back({0.0, 0, places});
  std::vector<double> cap(flows, std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> shared_first{0}, shared_link, flow_of(places);
  shared_first.reserve(flows + 1);
  shared_link.reserve(places);
  {
    std::vector<std::uint32_t> at;
    at.reserve(shared.size());
    for (const Shared& s : shared)
      at.push_back(s.first);
    for (std::uint32_t f = 0; f < flows; ++f) {
      for (std::uint32_t i = problem.first[f]; i < problem.first[f + 1]; ++i) {
        const std::uint32_t l = problem.link[i];
        if (const std::uint32_t n = number[l]; n == none) {
          cap[f] = std::min(cap[f], problem.capacity[l]);
        } else {
          flow_of[at[n]++] = f;
          shared_link.push_back(n);
        }
      }
      shared_first.push_back(static_cast<std::uint32_t>(shared_link.size()));
    }
  }
  // Links wait in buckets by their share; only the bucket at hand is put in order. A share only grows while flows
  // settle, so a link whose time has come too early moves on.
  struct Full {
    double share;
    std::uint32_t link;
    bool operator>(const Full& o) const { return share > o.share; }
    bool operator<(const Full& o) const { return share < o.share || (share == o.share && link < o.link); }
  };
  const auto links_shared = static_cast<std::uint32_t>(shared.size() - 1);
  double most_share = 0.0;
  for (std::size_t l = 0; l < links_shared; ++l)
    most_share = std::max(most_share, shared[l].left);
  constexpr std::size_t bucket_count = 8192;
  const double per_share = most_share > 0.0 ? (bucket_count - 1) / most_share : 0.0;
  std::vector<std::uint32_t> head(bucket_count, none), after(links_shared, none);
  const auto bucket_of = [&](double share) {
    return std::min(static_cast<std::size_t>(share * per_share), bucket_count - 1);
  };
  for (std::uint32_t l = links_shared; l-- > 0;) {
    const std::size_t bucket = bucket_of(shared[l].left / shared[l].users);
    after[l] = head[bucket];
    head[bucket] = l;
  }
  std::size_t bucket = 0, at = 0;
  std::vector<Full> in_order, again; // of the bucket at hand; `again` is a heap of those that moved within it
  const auto next_bucket = [&] {
    in_order.clear();
    at = 0;
    for (; bucket < bucket_count && in_order.empty(); ++bucket) {
      std::uint32_t following = none;
      for (std::uint32_t l = head[bucket]; l != none; l = following) {
        following = after[l];
        if (shared[l].users == 0) continue;
        const double share = shared[l].left / shared[l].users;
        const std::size_t place = bucket_of(share);
        if (place <= bucket) {
          in_order.push_back({share, l});
        } else {
          after[l] = head[place];
          head[place] = l;
        }
      }
      head[bucket] = none;
    }
    std::sort(in_order.begin(), in_order.end());
  };
  /// The link that fills first, with its share as it is now; none: `none`.
  const auto first_full = [&]() -> Full {
    while (true) {
      if (at == in_order.size() && again.empty()) next_bucket();
      if (at == in_order.size() && again.empty()) return {std::numeric_limits<double>::infinity(), none};
      const bool moved = at == in_order.size() || (!again.empty() && again.front().share < in_order[at].share);
      const Full top = moved ? again.front() : in_order[at];
      const Shared& l = shared[top.link];
      const double share = l.users > 0 ? l.left / l.users : 0.0;
      if (l.users > 0 && share <= top.share * (1.0 + 1e-12)) return {share, top.link};
      if (moved) {
        std::pop_heap(again.begin(), again.end(), std::greater<>{});
        again.pop_back();
      } else {
        ++at;
      }
      if (l.users == 0) continue;
      const std::size_t place = bucket_of(share);
      if (place < bucket) {
        again.push_back({share, top.link});
        std::push_heap(again.begin(), again.end(), std::greater<>{});
      } else {
        after[top.link] = head[place];
        head[place] = top.link;
      }
    }
  };
  std::vector<std::uint32_t> by_cap(flows);
  std::iota(by_cap.begin(), by_cap.end(), 0u);
  const auto [least, most] = flows > 0 ? std::minmax_element(cap.begin(), cap.end()) : std::pair(cap.end(), cap.end());
  if (flows > 0 && *least != *most)
    std::stable_sort(by_cap.begin(), by_cap.end(), [&](std::uint32_t a, std::uint32_t b) { return cap[a] < cap[b]; });

  const auto settle = [&](std::uint32_t f, double value) {
    rate[f] = value;
    for (std::uint32_t i = shared_first[f]; i < shared_first[f + 1]; ++i) {
      Shared& l = shared[shared_link[i]];
      l.left = std::max(0.0, l.left - value);
      --l.users;
    }
  };
  std::size_t next = 0, turns = 0;
  while (true) {
    if ((++turns & 0xFFF) == 0 && stop.stop_requested()) return {};
    while (next < flows && rate[by_cap[next]] >= 0.0)
      ++next;
    const Full full = first_full();
    if (next < flows && cap[by_cap[next]] <= full.share) {
      const std::uint32_t f = by_cap[next++];
      settle(f, std::isinf(cap[f]) ? unlimited : cap[f]); // only a flow without links has neither
      continue;
    }
    if (full.link == none) break;
    for (std::uint32_t i = shared[full.link].first; i < shared[full.link + 1].first; ++i)
      if (rate[flow_of[i]] < 0.0) settle(flow_of[i], full.share);
  }
  return rate;
}

} // namespace hallwright
