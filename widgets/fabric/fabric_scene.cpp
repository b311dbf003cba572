// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fabric/fabric_scene.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace hallwright::wired {
namespace {

/// Devices of one unit by tier.
struct Unit {
  std::uint32_t number = 0, pod = 0;
  std::vector<std::uint32_t> nodes, leafs;
  double left = 0, right = 0;
};

struct PodSpan {
  double left = 1e18, right = -1e18;
};

/// Puts devices side by side between two places, with a gap where the plane changes.
void spread(Scene& s, std::vector<std::uint32_t>& devices, double from, double to, int row) {
  if (devices.empty()) return;
  const Wiring& w = *s.wiring;
  std::sort(devices.begin(), devices.end(), [&](std::uint32_t a, std::uint32_t b) {
    const WiredDevice &x = w.devices[a], &y = w.devices[b];
    return std::tie(x.plane, x.index) < std::tie(y.plane, y.index);
  });
  const bool planes = w.devices[devices.front()].plane != w.devices[devices.back()].plane;
  std::size_t changes = 0;
  for (std::size_t i = 1; i < devices.size(); ++i)
    changes += w.devices[devices[i]].plane != w.devices[devices[i - 1]].plane;
  const double slot = (to - from) / (static_cast<double>(devices.size()) + 0.5 * static_cast<double>(changes));
  double x = from;
  double block = from;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    s.left[devices[i]] = x;
    s.right[devices[i]] = x + slot;
    x += slot;
    const bool last = i + 1 == devices.size();
    if (last || w.devices[devices[i + 1]].plane != w.devices[devices[i]].plane) {
      if (planes) s.planes.push_back({block, x, w.devices[devices[i]].plane, row, row});
      x += 0.5 * slot;
      block = x;
    }
  }
}

std::uint64_t band_key(LinkClass kind, std::uint32_t near_group, std::uint32_t far_group, std::uint16_t plane) {
  return static_cast<std::uint64_t>(kind) << 60 | static_cast<std::uint64_t>(plane & 0xff) << 52 |
         static_cast<std::uint64_t>(near_group & 0x3ffffff) << 26 | (far_group & 0x3ffffff);
}

void grow(Band& b, const Scene& s, const WiredLink& l) {
  b.near_left = std::min(b.near_left, s.left[l.near]), b.near_right = std::max(b.near_right, s.right[l.near]);
  b.far_left = std::min(b.far_left, s.left[l.far]), b.far_right = std::max(b.far_right, s.right[l.far]);
  ++b.links;
}

void collect(const Scene& s, bool fine, std::vector<Band>& bands, std::vector<std::uint32_t>& of_link,
             std::array<std::uint32_t, 6>& first) {
  const Wiring& w = *s.wiring;
  of_link.resize(w.links.size());
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::uint64_t last_key = ~std::uint64_t{0};
  std::uint32_t last = 0;
  int kind = 0;
  for (std::size_t i = 0; i < w.links.size(); ++i) {
    const WiredLink& l = w.links[i];
    for (; kind <= static_cast<int>(l.kind); ++kind)
      first[static_cast<std::size_t>(kind)] = static_cast<std::uint32_t>(bands.size());
    const WiredDevice &a = w.devices[l.near], &b = w.devices[l.far];
    std::uint32_t near_group = 0, far_group = 0;
    switch (l.kind) {
    case LinkClass::node_leaf:
      near_group = fine ? a.unit : b.pod, far_group = fine ? b.unit : b.pod;
      break;
    case LinkClass::leaf_spine:
      near_group = fine ? a.unit : a.pod, far_group = b.pod;
      break;
    case LinkClass::spine_core:
      near_group = a.pod;
      break;
    case LinkClass::group_local:
      near_group = far_group = a.unit;
      break;
    case LinkClass::group_global:
      near_group = std::min(a.unit, b.unit), far_group = std::max(a.unit, b.unit);
      break;
    }
    const std::uint64_t key = band_key(l.kind, near_group, far_group, l.plane);
    if (key != last_key) {
      auto [at, made] = known.try_emplace(key, static_cast<std::uint32_t>(bands.size()));
      if (made) bands.push_back({l.kind, 1e18, -1e18, 1e18, -1e18, 0, 0, 0, 0, 0, near_group, far_group, l.plane});
      last_key = key, last = at->second;
    }
    grow(bands[last], s, l);
    of_link[i] = last;
  }
  for (; kind < 6; ++kind)
    first[static_cast<std::size_t>(kind)] = static_cast<std::uint32_t>(bands.size());

  // Bands that end at the same devices share them in order, each as much as it has links.
  std::vector<std::uint32_t> order(bands.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto share = [&](double Band::*left, double Band::*right, double Band::*other, double Band::*from,
                         double Band::*to) {
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
      const Band &a = bands[x], &b = bands[y];
      return std::tie(a.kind, a.*left, a.*right, a.*other, a.plane, x) <
             std::tie(b.kind, b.*left, b.*right, b.*other, b.plane, y);
    });
    for (std::size_t i = 0; i < order.size();) {
      const Band& head = bands[order[i]];
      std::size_t end = i;
      double links = 0;
      while (end < order.size() && bands[order[end]].kind == head.kind && bands[order[end]].*left == head.*left &&
             bands[order[end]].*right == head.*right)
        links += bands[order[end++]].links;
      const double l = head.*left, r = head.*right;
      double sum = 0;
      for (; i < end; ++i) {
        Band& b = bands[order[i]];
        b.*from = l + (r - l) * sum / links;
        sum += b.links;
        b.*to = l + (r - l) * sum / links;
      }
    }
  };
  share(&Band::far_left, &Band::far_right, &Band::near_left, &Band::far_from, &Band::far_to);
  share(&Band::near_left, &Band::near_right, &Band::far_left, &Band::near_from, &Band::near_to);
}

void place_ports(Scene& s) {
  const Wiring& w = *s.wiring;
  s.near_at.assign(w.links.size(), 0.5F);
  s.far_at.assign(w.links.size(), 0.5F);
  s.port_pitch.fill(1e9);
  std::vector<std::uint32_t> up, down;
  for (std::uint32_t d = 0; d < w.devices.size(); ++d) {
    up.clear(), down.clear();
    for (const std::uint32_t l : w.at_device(d)) {
      const WiredLink& link = w.links[l];
      const bool lies_level = link.kind == LinkClass::group_local || link.kind == LinkClass::group_global;
      (lies_level || link.near == d ? up : down).push_back(l);
    }
    for (const auto* edge : {&up, &down}) {
      const double n = static_cast<double>(edge->size());
      for (std::size_t i = 0; i < edge->size(); ++i) {
        const std::uint32_t l = (*edge)[i];
        (w.links[l].near == d ? s.near_at : s.far_at)[l] = static_cast<float>((static_cast<double>(i) + 0.5) / n);
      }
      if (!edge->empty()) {
        double& pitch = s.port_pitch[static_cast<std::size_t>(row_of(w.devices[d].kind))];
        pitch = std::min(pitch, (s.right[d] - s.left[d]) / n);
      }
    }
  }
}

void pair_up(Scene& s) {
  const Wiring& w = *s.wiring;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends; // far device, link
  s.first_pair.assign(w.devices.size() + 1, 0);
  s.pairs.reserve(w.links.size());
  for (std::uint32_t d = 0; d < w.devices.size(); ++d) {
    s.first_pair[d] = static_cast<std::uint32_t>(s.pairs.size());
    ends.clear();
    for (const std::uint32_t l : w.at_device(d))
      if (w.links[l].near == d) ends.emplace_back(w.links[l].far, l);
    std::sort(ends.begin(), ends.end());
    for (const auto& [far, link] : ends) {
      if (s.pairs.size() > s.first_pair[d] && s.pairs.back().far == far)
        ++s.pairs.back().links;
      else
        s.pairs.push_back({d, far, link, 1});
    }
  }
  s.first_pair[w.devices.size()] = static_cast<std::uint32_t>(s.pairs.size());
  s.first_far_pair.assign(w.devices.size() + 1, 0);
  for (const Pair& p : s.pairs)
    ++s.first_far_pair[p.far + 1];
  std::partial_sum(s.first_far_pair.begin(), s.first_far_pair.end(), s.first_far_pair.begin());
  s.far_pairs.resize(s.pairs.size());
  std::vector<std::uint32_t> next(s.first_far_pair.begin(), s.first_far_pair.end() - 1);
  for (std::uint32_t i = 0; i < s.pairs.size(); ++i)
    s.far_pairs[next[s.pairs[i].far]++] = i;
}

} // namespace

int row_of(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::leaf:
    return 1;
  case DeviceKind::spine:
    return 2;
  case DeviceKind::core:
    return 3;
  default:
    return 0;
  }
}

double Scene::near_x(std::uint32_t link) const {
  const std::uint32_t d = wiring->links[link].near;
  return left[d] + (right[d] - left[d]) * (0.06 + 0.88 * static_cast<double>(near_at[link]));
}

double Scene::far_x(std::uint32_t link) const {
  const std::uint32_t d = wiring->links[link].far;
  return left[d] + (right[d] - left[d]) * (0.06 + 0.88 * static_cast<double>(far_at[link]));
}

std::pair<std::size_t, std::size_t> Scene::between(int row, double from, double to) const {
  const auto& list = rows[static_cast<std::size_t>(row)];
  const auto first = std::partition_point(list.begin(), list.end(), [&](std::uint32_t d) { return right[d] < from; });
  const auto last = std::partition_point(first, list.end(), [&](std::uint32_t d) { return left[d] <= to; });
  return {static_cast<std::size_t>(first - list.begin()), static_cast<std::size_t>(last - list.begin())};
}

std::uint32_t Scene::device_at(int row, double x) const {
  const auto [first, last] = between(row, x, x);
  const auto& list = rows[static_cast<std::size_t>(row)];
  return first < last ? list[first] : static_cast<std::uint32_t>(wiring->devices.size());
}

Scene make_scene(const std::shared_ptr<const Wiring>& wiring) {
  Scene s;
  s.wiring = wiring;
  if (!wiring || wiring->devices.empty()) return s;
  const Wiring& w = *wiring;
  s.left.assign(w.devices.size(), 0);
  s.right.assign(w.devices.size(), 0);
  s.dragonfly = std::any_of(w.links.begin(), w.links.end(), [](const WiredLink& l) {
    return l.kind == LinkClass::group_local || l.kind == LinkClass::group_global;
  });

  std::vector<std::uint32_t> spines, cores;
  std::vector<Unit> units;
  const auto unit = [&](std::uint32_t number) -> Unit& {
    if (number >= units.size()) units.resize(number + 1);
    return units[number];
  };
  for (std::uint32_t d = 0; d < w.devices.size(); ++d) {
    const WiredDevice& device = w.devices[d];
    switch (device.kind) {
    case DeviceKind::leaf: {
      Unit& u = unit(device.unit);
      if (u.leafs.empty()) u.pod = device.pod;
      u.leafs.push_back(d);
      break;
    }
    case DeviceKind::spine:
      spines.push_back(d);
      break;
    case DeviceKind::core:
      cores.push_back(d);
      break;
    default:
      unit(device.unit).nodes.push_back(d);
    }
  }
  for (std::uint32_t i = 0; i < units.size(); ++i)
    units[i].number = i;
  std::erase_if(units, [](const Unit& u) { return u.nodes.empty() && u.leafs.empty(); });
  std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.pod < b.pod; });

  // Units side by side; where a tier above is wider, the gaps between units give room.
  double inner = 0;
  for (const Unit& u : units)
    inner += std::max({4.0, static_cast<double>(u.nodes.size()), 1.4 * static_cast<double>(u.leafs.size())});
  const double wanted = 1.4 * static_cast<double>(std::max(spines.size(), cores.size()));
  const double stretch = std::max(1.0, wanted / std::max(1.0, inner));
  double x = 0;
  std::vector<PodSpan> pods;
  for (std::size_t i = 0; i < units.size(); ++i) {
    Unit& u = units[i];
    const double width =
        stretch * std::max({4.0, static_cast<double>(u.nodes.size()), 1.4 * static_cast<double>(u.leafs.size())});
    const double margin = std::max(0.6, 0.03 * width);
    if (i > 0 && units[i - 1].pod != u.pod) x += 2 * margin + 1;
    u.left = x;
    x += margin;
    const double slot = u.nodes.empty() ? 0 : width / static_cast<double>(u.nodes.size());
    for (std::size_t n = 0; n < u.nodes.size(); ++n) {
      s.left[u.nodes[n]] = x + slot * static_cast<double>(n);
      s.right[u.nodes[n]] = x + slot * static_cast<double>(n + 1);
    }
    std::vector<Frame> no_frames;
    std::swap(no_frames, s.planes);
    spread(s, u.leafs, x, x + width, 1);
    std::swap(no_frames, s.planes);
    x += width + margin;
    u.right = x;
    x += margin;
    s.units.push_back({u.left, u.right, u.number, 0, 1});
    if (u.pod >= pods.size()) pods.resize(u.pod + 1);
    for (const std::uint32_t leaf : u.leafs) {
      const std::uint32_t pod = w.devices[leaf].pod;
      if (pod >= pods.size()) pods.resize(pod + 1);
      pods[pod].left = std::min(pods[pod].left, u.left);
      pods[pod].right = std::max(pods[pod].right, u.right);
    }
  }
  s.width = std::max(1.0, x);

  // Spines stand above the leafs of their pod; pods that lie through each other share the whole width in order.
  std::vector<std::uint32_t> order;
  for (std::uint32_t p = 0; p < pods.size(); ++p)
    if (pods[p].right > pods[p].left) order.push_back(p);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return pods[a].left < pods[b].left || (pods[a].left == pods[b].left && a < b);
  });
  bool apart = true;
  for (std::size_t i = 1; i < order.size(); ++i)
    apart = apart && pods[order[i]].left >= pods[order[i - 1]].right;
  if (!spines.empty()) {
    std::vector<std::vector<std::uint32_t>> of_pod(std::max<std::size_t>(1, pods.size()));
    for (const std::uint32_t d : spines) {
      const std::uint32_t pod = w.devices[d].pod;
      if (pod >= of_pod.size()) of_pod.resize(pod + 1);
      of_pod[pod].push_back(d);
    }
    double at = 0;
    for (std::uint32_t p = 0; p < of_pod.size(); ++p) {
      if (of_pod[p].empty()) continue;
      const double share = s.width * static_cast<double>(of_pod[p].size()) / static_cast<double>(spines.size());
      const bool own = apart && p < pods.size() && pods[p].right > pods[p].left;
      const double from = own ? pods[p].left : at, to = own ? pods[p].right : at + share;
      const double margin = 0.02 * (to - from);
      spread(s, of_pod[p], from + margin, to - margin, 2);
      at += share;
    }
  }
  if (apart && !cores.empty() && order.size() > 1)
    for (const std::uint32_t p : order)
      s.pods.push_back({pods[p].left, pods[p].right, p, 0, 2});
  spread(s, cores, 0.01 * s.width, 0.99 * s.width, 3);

  for (std::uint32_t d = 0; d < w.devices.size(); ++d)
    s.rows[static_cast<std::size_t>(row_of(w.devices[d].kind))].push_back(d);
  for (std::size_t r = 0; r < row_count; ++r) {
    auto& list = s.rows[r];
    std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) { return s.left[a] < s.left[b]; });
    double sum = 0;
    for (const std::uint32_t d : list)
      sum += s.right[d] - s.left[d];
    s.pitch[r] = list.empty() ? 1.0 : sum / static_cast<double>(list.size());
  }
  collect(s, true, s.fine, s.fine_of_link, s.first_fine);
  collect(s, false, s.coarse, s.coarse_of_link, s.first_coarse);
  place_ports(s);
  pair_up(s);
  return s;
}

} // namespace hallwright::wired
