// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "fabric/link_loads.h"

namespace hallwright {
namespace {

/// Well mixed bits of two numbers.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9E3779B97F4A7C15ull + b + 0x7F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
std::uint32_t part_of(std::uint64_t hash, std::uint32_t n) {
  return static_cast<std::uint32_t>(((hash >> 32) * n) >> 32);
}
constexpr DirectedLink up(std::uint32_t link) { return 2 * link; }
constexpr DirectedLink down(std::uint32_t link) { return 2 * link + 1; }

} // namespace

FabricPaths::FabricPaths(const Wiring& wiring) : wiring_(wiring) {
  const std::size_t devices = wiring.devices.size();
  const auto& links = wiring.links;
  up_first_.assign(devices, 0);
  up_count_.assign(devices, 0);
  std::vector<std::uint32_t> downs(devices + 1, 0);
  for (const WiredDevice& d : wiring.devices)
    planes_ = std::max<std::uint32_t>(planes_, d.plane + 1u);
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const WiredLink& l = links[i];
    planes_ = std::max<std::uint32_t>(planes_, l.plane + 1u);
    if (l.kind == LinkClass::group_local || l.kind == LinkClass::group_global) {
      dragonfly_ = true;
      const WiredDevice &a = wiring.devices[l.near], &b = wiring.devices[l.far];
      if (l.kind == LinkClass::group_local)
        local_[std::minmax(l.near, l.far)].push_back(i);
      else
        global_[std::minmax(a.unit, b.unit)].push_back(i);
      continue;
    }
    if (up_count_[l.near]++ == 0) up_first_[l.near] = i;
    ++downs[l.far + 1];
  }
  for (std::size_t d = 0; d < devices; ++d)
    downs[d + 1] += downs[d];
  down_first_ = downs;
  down_link_.resize(downs[devices]);
  for (std::uint32_t i = 0; i < links.size(); ++i)
    if (links[i].kind != LinkClass::group_local && links[i].kind != LinkClass::group_global)
      down_link_[downs[links[i].far]++] = i;
  // By device below; below a core by pod first, so that the way into a pod is one range.
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const WiredDevice &x = wiring.devices[links[a].near], &y = wiring.devices[links[b].near];
    if (links[a].kind == LinkClass::spine_core && x.pod != y.pod) return x.pod < y.pod;
    return links[a].near != links[b].near ? links[a].near < links[b].near : links[a].far_port < links[b].far_port;
  };
  for (const WiredDevice& d : wiring.devices)
    pod_of_.push_back(d.pod);
  for (const WiredLink& l : links)
    far_.push_back(l.far);
  for (std::size_t d = 0; d < devices; ++d) {
    const auto from = down_link_.begin() + down_first_[d], to = down_link_.begin() + down_first_[d + 1];
    if (!std::is_sorted(from, to, before)) std::sort(from, to, before);
  }
  for (std::uint32_t link : down_link_)
    down_near_.push_back(links[link].near);
  // Where each pod begins among the links below a core.
  for (const WiredDevice& d : wiring.devices)
    if (d.kind == DeviceKind::leaf || d.kind == DeviceKind::spine) pods_ = std::max(pods_, d.pod + 1);
  for (std::size_t core = wiring.first_core; core < devices; ++core) {
    const auto below = down_links(static_cast<std::uint32_t>(core));
    std::uint32_t i = 0;
    for (std::uint32_t pod = 0; pod <= pods_; ++pod) {
      while (i < below.size() && wiring.devices[links[below[i]].near].pod < pod)
        ++i;
      pod_first_.push_back(i);
    }
  }
  // Links of nodes by plane, in the order of their ports.
  const std::size_t nodes = wiring.first_leaf; // managers too
  node_first_.assign(nodes * planes_ + 1, 0);
  for (std::size_t n = 0; n < nodes; ++n)
    for (std::uint32_t i = up_first_[n]; i < up_first_[n] + up_count_[n]; ++i)
      ++node_first_[n * planes_ + links[i].plane + 1];
  for (std::size_t i = 1; i < node_first_.size(); ++i)
    node_first_[i] += node_first_[i - 1];
  node_link_.resize(node_first_.back());
  std::vector<std::uint32_t> at(node_first_.begin(), node_first_.end() - 1);
  for (std::size_t n = 0; n < nodes; ++n)
    for (std::uint32_t i = up_first_[n]; i < up_first_[n] + up_count_[n]; ++i)
      node_link_[at[n * planes_ + links[i].plane]++] = i;
}

std::uint32_t FabricPaths::node_link(std::uint32_t node, std::uint32_t plane, std::uint32_t number) const {
  const std::size_t slot = static_cast<std::size_t>(node) * planes_ + plane;
  if (slot + 1 >= node_first_.size() || node_first_[slot] + number >= node_first_[slot + 1]) return no_link;
  return node_link_[node_first_[slot] + number];
}

/// A live link from a switch down to a device, by hash among the bundle.
std::uint32_t FabricPaths::pick_down(std::uint32_t from, std::uint32_t to, std::uint64_t hash) const {
  const auto begin = down_near_.begin() + down_first_[from], end = down_near_.begin() + down_first_[from + 1];
  if (begin == end || to < *begin || to > *(end - 1)) return no_link;
  // Leafs of a pod follow each other and have bundles of one size, so the place is nearly known.
  const std::uint64_t guess =
      static_cast<std::uint64_t>(to - *begin) * static_cast<std::uint64_t>(end - begin) / (*(end - 1) - *begin + 1u);
  auto at = begin + static_cast<std::ptrdiff_t>(guess);
  if (*at != to || (at != begin && *(at - 1) == to)) at = std::lower_bound(begin, end, to);
  std::uint32_t n = 0;
  while (at + n != end && *(at + n) == to)
    ++n;
  const std::uint32_t start = n > 1 ? part_of(hash, n) : 0;
  const auto first = static_cast<std::size_t>(at - down_near_.begin());
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t link = down_link_[first + (start + i) % n];
    if (alive(link)) return link;
  }
  return no_link;
}

/// Up from a leaf and down to another.
bool FabricPaths::climb(std::uint32_t leaf, std::uint32_t to, std::uint64_t hash,
                        std::vector<DirectedLink>& into) const {
  const std::uint32_t pod = pod_of_[to];
  const bool through_core = wiring_.first_core < wiring_.devices.size() && pod_of_[leaf] != pod;
  const std::uint32_t ups = up_count_[leaf];
  const std::uint32_t start = ups > 0 ? part_of(mixed(hash, leaf), ups) : 0;
  for (std::uint32_t i = 0; i < ups; ++i) {
    const std::uint32_t first = up_first_[leaf] + (start + i) % ups;
    if (!alive(first)) continue;
    const std::uint32_t spine = far_[first];
    if (!through_core) {
      const std::uint32_t last = pick_down(spine, to, mixed(hash, spine));
      if (last == no_link) continue;
      into.insert(into.end(), {up(first), down(last)});
      return true;
    }
    const std::uint32_t spine_ups = up_count_[spine];
    const std::uint32_t spine_start = spine_ups > 0 ? part_of(mixed(hash, spine), spine_ups) : 0;
    for (std::uint32_t j = 0; j < spine_ups; ++j) {
      const std::uint32_t second = up_first_[spine] + (spine_start + j) % spine_ups;
      if (!alive(second)) continue;
      const std::uint32_t core = far_[second];
      const std::size_t slot = static_cast<std::size_t>(core - wiring_.first_core) * (pods_ + 1) + pod;
      const std::uint32_t below = down_first_[core] + pod_first_[slot];
      const std::uint32_t n = pod_first_[slot + 1] - pod_first_[slot];
      const std::uint32_t core_start = n > 0 ? part_of(mixed(hash, core), n) : 0;
      for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t place = below + (core_start + k) % n, third = down_link_[place];
        if (!alive(third)) continue;
        const std::uint32_t other_spine = down_near_[place];
        const std::uint32_t last = pick_down(other_spine, to, mixed(hash, other_spine));
        if (last == no_link) continue;
        into.insert(into.end(), {up(first), up(second), down(third), down(last)});
        return true;
      }
    }
  }
  return false;
}

bool FabricPaths::local_hop(std::uint32_t from, std::uint32_t to, std::uint64_t hash,
                            std::vector<DirectedLink>& into) const {
  const auto found = local_.find(std::minmax(from, to));
  if (found == local_.end()) return false;
  const auto n = static_cast<std::uint32_t>(found->second.size());
  const std::uint32_t start = part_of(mixed(hash, from), n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t link = found->second[(start + i) % n];
    if (!alive(link)) continue;
    into.push_back(wiring_.links[link].near == from ? up(link) : down(link));
    return true;
  }
  return false;
}

/// Within a group one hop; else to a switch that has a link to the other group, over it, and on.
bool FabricPaths::dragonfly_path(std::uint32_t from, std::uint32_t to, std::uint64_t hash,
                                 std::vector<DirectedLink>& into) const {
  const auto& devices = wiring_.devices;
  if (devices[from].unit == devices[to].unit) return local_hop(from, to, hash, into);
  const auto found = global_.find(std::minmax(devices[from].unit, devices[to].unit));
  if (found == global_.end()) return false;
  const auto n = static_cast<std::uint32_t>(found->second.size());
  const std::uint32_t start = part_of(mixed(hash, devices[from].unit), n);
  const std::size_t before = into.size();
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t link = found->second[(start + i) % n];
    if (!alive(link)) continue;
    const WiredLink& l = wiring_.links[link];
    const bool forward = devices[l.near].unit == devices[from].unit;
    const std::uint32_t here = forward ? l.near : l.far, there = forward ? l.far : l.near;
    if (here != from && !local_hop(from, here, hash, into)) {
      into.resize(before);
      continue;
    }
    into.push_back(forward ? up(link) : down(link));
    if (there == to || local_hop(there, to, hash, into)) return true;
    into.resize(before);
  }
  return false;
}

std::span<const DirectedLink> FabricPaths::path(const NetworkFlow& flow, std::uint32_t plane, std::uint64_t hash,
                                                std::vector<DirectedLink>& into) const {
  into.clear();
  const std::uint32_t first = node_link(flow.from, plane, flow.from_link);
  const std::uint32_t last = node_link(flow.to, plane, flow.to_link);
  if (first == no_link || last == no_link || !alive(first) || !alive(last)) return {};
  const std::uint32_t leaf = far_[first], to = far_[last];
  into.push_back(up(first));
  if (leaf != to && !(dragonfly_ ? dragonfly_path(leaf, to, hash, into) : climb(leaf, to, hash, into))) {
    into.clear();
    return {};
  }
  into.push_back(down(last));
  return into;
}

} // namespace hallwright
