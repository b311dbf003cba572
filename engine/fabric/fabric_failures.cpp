// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/fabric_failures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

namespace hallwright {
namespace {

bool level(const WiredLink& l) { return l.kind == LinkClass::group_local || l.kind == LinkClass::group_global; }

const Cages* cages_of(const Wiring& w, DeviceKind kind) {
  switch (kind) {
  case DeviceKind::leaf:
    return &w.request.leaf_cages;
  case DeviceKind::spine:
    return &w.request.spine_cages;
  case DeviceKind::core:
    return &w.request.core_cages;
  default:
    return nullptr;
  }
}

struct Range {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
};
Range range_of(const Wiring& w, DeviceKind kind) {
  switch (kind) {
  case DeviceKind::node:
    return {0, w.first_manager};
  case DeviceKind::manager:
    return {w.first_manager, w.first_leaf};
  case DeviceKind::leaf:
    return {w.first_leaf, w.first_spine};
  case DeviceKind::spine:
    return {w.first_spine, w.first_core};
  default:
    return {w.first_core, static_cast<std::uint32_t>(w.devices.size())};
  }
}
constexpr DeviceKind named_kinds[] = {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core, DeviceKind::node};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (char c : text) {
    if (c == ' ' || c == '\t') {
      if (!word.empty()) out.push_back(std::move(word));
      word.clear();
    } else {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

/// Number from 1 to `most`, or a sentence.
tl::expected<std::uint32_t, std::string> number_up_to(const std::string& word, std::uint64_t most,
                                                      std::string_view thing) {
  std::uint64_t n = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (failed != std::errc() || end != word.data() + word.size())
    return tl::make_unexpected(fmt::format("{} \"{}\" is not a number from 1 to {}", thing, word.substr(0, 40), most));
  if (most == 0) return tl::make_unexpected(fmt::format("{} {}: this network has none", thing, n));
  if (n < 1 || n > most)
    return tl::make_unexpected(fmt::format("{} {} does not exist; there are 1 to {}", thing, n, most));
  return static_cast<std::uint32_t>(n);
}

/// "leaf 3" as the device of that name.
tl::expected<std::uint32_t, std::string> device_named(const Wiring& w, const std::string& kind,
                                                      const std::string& number) {
  for (DeviceKind k : named_kinds) {
    if (device_word(k) != kind) continue;
    const Range r = range_of(w, k);
    const auto n = number_up_to(number, r.size(), kind);
    if (!n) return tl::make_unexpected(n.error());
    // Devices of a kind stand in the order of their numbers.
    for (std::uint32_t d = r.begin; d < r.end; ++d)
      if (w.devices[d].index + 1 == *n) return d;
    return r.begin + *n - 1;
  }
  return tl::make_unexpected(
      fmt::format("\"{}\" is no kind of device; use leaf, spine, core or node", kind.substr(0, 40)));
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9E3779B97F4A7C15ull + b * 0xBF58476D1CE4E5B9ull + 0x94D049BB133111EBull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

} // namespace

tl::expected<LostParts, std::string> lost_parts(const Wiring& w, std::string_view element) {
  const std::vector<std::string> words = words_of(element);
  const auto form = [&] {
    return tl::make_unexpected(
        fmt::format("\"{}\" names nothing that can fail; write \"leaf 3\", \"spine 2\", \"core 1\", "
                    "\"node 7\", \"plane 2\", \"link leaf 3 port 12\" or \"module leaf 3 cage 4\"",
                    element.substr(0, 60)));
  };
  LostParts out;
  if (words.size() == 2 && words[0] == "plane") {
    std::uint32_t planes = 0;
    for (const WiredDevice& d : w.devices)
      if (d.kind != DeviceKind::node && d.kind != DeviceKind::manager)
        planes = std::max<std::uint32_t>(planes, d.plane + 1u);
    const auto n = number_up_to(words[1], planes, "plane");
    if (!n) return tl::make_unexpected(n.error());
    out.name = fmt::format("plane {}", *n);
    for (std::uint32_t d = w.first_leaf; d < w.devices.size(); ++d)
      if (w.devices[d].plane + 1u == *n) out.devices.push_back(d);
    return out;
  }
  if (words.size() == 2) {
    bool known = false;
    for (DeviceKind k : named_kinds)
      known = known || device_word(k) == words[0];
    if (!known) return form();
    const auto d = device_named(w, words[0], words[1]);
    if (!d) return tl::make_unexpected(d.error());
    out.devices.push_back(*d);
    out.name = fmt::format("{} {}", words[0], words[1]);
    return out;
  }
  const bool link = words.size() == 5 && words[0] == "link" && words[3] == "port";
  const bool module = words.size() == 5 && words[0] == "module" && words[3] == "cage";
  if (!link && !module) return form();
  const auto d = device_named(w, words[1], words[2]);
  if (!d) return tl::make_unexpected(d.error());
  const DeviceKind kind = w.devices[*d].kind;
  const Cages* cages = cages_of(w, kind);
  if (module && (!cages || cages->links_per_cage < 1))
    return tl::make_unexpected(
        fmt::format("the cages of a {} are not known; name the link instead", device_word(kind)));
  out.name = fmt::format("{} {} {} {} {}", words[0], words[1], words[2], words[3], words[4]);
  std::vector<std::pair<Count, std::uint32_t>> ports; // where links of the device are
  for (std::uint32_t i = 0; i < w.links.size(); ++i) {
    if (w.links[i].near == *d) ports.emplace_back(w.links[i].near_port, i);
    if (w.links[i].far == *d) ports.emplace_back(w.links[i].far_port, i);
  }
  Count most = 0;
  for (const auto& [port, i] : ports)
    most = std::max(most, module ? cages->cage_of(port) : port);
  const auto n =
      number_up_to(words[4], static_cast<std::uint64_t>(module && cages->cages > 0 ? cages->cages : most), words[3]);
  if (!n) return tl::make_unexpected(fmt::format("{} {}: {}", words[1], words[2], n.error()));
  for (const auto& [port, i] : ports)
    if ((module ? cages->cage_of(port) : port) == static_cast<Count>(*n)) out.links.push_back(i);
  if (out.links.empty())
    return tl::make_unexpected(fmt::format("{} {} has no link at {} {}", words[1], words[2], words[3], *n));
  return out;
}

FailureStudy::FailureStudy(const Wiring& wiring, Count gpus_per_node)
    : wiring_(wiring), gpus_per_node_(std::clamp<Count>(gpus_per_node, 1, 4096)) {
  const auto& devices = wiring.devices;
  first_.assign(devices.size() + 1, 0);
  for (const WiredLink& l : wiring.links) {
    ++first_[l.near + 1];
    ++first_[l.far + 1];
    planes_ = std::max<std::uint32_t>(planes_, l.plane + 1u);
    if (l.kind == LinkClass::node_leaf)
      rails_ = std::max<std::uint32_t>(rails_, l.rail + 1u);
    else
      has_uplinks_ = true;
    dragonfly_ = dragonfly_ || level(l);
    top_is_core_ = top_is_core_ || l.kind == LinkClass::spine_core;
  }
  for (std::size_t d = 0; d < devices.size(); ++d)
    first_[d + 1] += first_[d];
  at_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < wiring.links.size(); ++i) {
    at_[next[wiring.links[i].near]++] = i;
    at_[next[wiring.links[i].far]++] = i;
  }
  // Halves: of pods where there are several, else of units, else of nodes.
  std::uint32_t pods = 0, units = 0;
  for (const WiredDevice& d : devices) {
    if (d.kind == DeviceKind::leaf) pods = std::max(pods, d.pod + 1);
    if (d.kind == DeviceKind::leaf) units = std::max(units, d.unit + 1);
  }
  const bool by_pod = pods > 1, by_unit = !by_pod && units > 1;
  by_pod_ = by_pod;
  half_.assign(devices.size(), 0);
  for (std::uint32_t d = wiring.first_leaf; d < devices.size(); ++d)
    half_[d] = by_pod ? devices[d].pod >= pods / 2 : by_unit ? devices[d].unit >= units / 2 : 0;
  for (std::uint32_t n = 0; n < wiring.first_leaf; ++n) {
    half_[n] = n >= wiring.first_manager / 2;
    if (by_pod || by_unit)
      for (std::uint32_t i = first_[n]; i < first_[n + 1]; ++i)
        if (wiring.links[at_[i]].far != n) {
          half_[n] = half_[wiring.links[at_[i]].far];
          break;
        }
  }
  whole_ = strength(std::vector<bool>(wiring.links.size(), false));
}

std::vector<bool> FailureStudy::dead_links(const LostParts& lost) const {
  std::vector<bool> dead(wiring_.links.size(), false);
  for (std::uint32_t d : lost.devices)
    if (d < wiring_.devices.size())
      for (std::uint32_t i = first_[d]; i < first_[d + 1]; ++i)
        dead[at_[i]] = true;
  for (std::uint32_t l : lost.links)
    if (l < dead.size()) dead[l] = true;
  return dead;
}

double FailureStudy::bisection(const std::vector<bool>& dead) const {
  const auto& w = wiring_;
  using Halves = std::array<double, 2>;
  std::vector<Halves> from(w.devices.size(), Halves{0, 0}); // links that each half has at a switch, from below
  std::vector<double> ups(w.devices.size(), 0.0);           // of a switch
  double global = 0.0;
  for (std::uint32_t i = 0; i < w.links.size(); ++i) {
    const WiredLink& l = w.links[i];
    if (dead[i] || l.near >= w.devices.size()) continue;
    if (l.kind == LinkClass::node_leaf) {
      if (l.near < w.first_manager) from[l.far][half_[l.near]] += 1;
    } else if (level(l)) {
      if (l.kind == LinkClass::group_global && half_[l.near] != half_[l.far]) global += 1;
    } else {
      from[l.far][half_[l.near]] += 1;
      ups[l.near] += 1;
    }
  }
  double sum = 0.0;
  for (std::uint32_t plane = 0; plane < planes_; ++plane) {
    double within = 0.0;
    Halves leafs{0, 0}, spines{0, 0};
    double top = 0.0;
    for (std::uint32_t d = w.first_leaf; d < w.devices.size(); ++d) {
      if (w.devices[d].plane != plane) continue;
      const DeviceKind kind = w.devices[d].kind;
      if (kind == DeviceKind::leaf) {
        const double both = std::min(from[d][0], from[d][1]);
        within += both;
        for (int h = 0; h < 2; ++h)
          leafs[h] += dragonfly_ ? from[d][h] - both : std::min(from[d][h] - both, ups[d]);
      } else if (kind == DeviceKind::spine && top_is_core_) {
        for (int h = 0; h < 2; ++h)
          spines[h] += std::min(from[d][h], ups[d]);
      }
      if (kind == (top_is_core_ ? DeviceKind::core : DeviceKind::spine)) top += std::min(from[d][0], from[d][1]);
    }
    double across = std::min(leafs[0], leafs[1]);
    if (top_is_core_) across = std::min({across, spines[0], spines[1]});
    across = std::min(across, dragonfly_ ? global / planes_ : top);
    sum += within + across;
  }
  return sum;
}

FailureStudy::Strength FailureStudy::strength(const std::vector<bool>& dead) const {
  const auto& w = wiring_;
  Strength s;
  s.rail.assign(rails_, 0.0);
  s.bisection = bisection(dead);
  // A leaf that leads nowhere else still joins its own nodes, which is no network where there are more leafs.
  std::vector<bool> leads(w.devices.size(), !has_uplinks_);
  if (has_uplinks_)
    for (std::uint32_t i = 0; i < w.links.size(); ++i)
      if (!dead[i] && w.links[i].kind != LinkClass::node_leaf) leads[w.links[i].near] = leads[w.links[i].far] = true;
  std::vector<bool> reached;
  std::vector<std::uint32_t> number(planes_);
  std::vector<std::uint32_t> links_in_plane(planes_);
  for (std::uint32_t n = 0; n < w.first_manager; ++n) {
    std::fill(number.begin(), number.end(), 0);
    std::fill(links_in_plane.begin(), links_in_plane.end(), 0);
    for (std::uint32_t i = first_[n]; i < first_[n + 1]; ++i)
      ++links_in_plane[w.links[at_[i]].plane];
    reached.assign(static_cast<std::size_t>(gpus_per_node_), false);
    for (std::uint32_t i = first_[n]; i < first_[n + 1]; ++i) {
      const WiredLink& l = w.links[at_[i]];
      const Count k = number[l.plane]++, of = links_in_plane[l.plane];
      if (dead[at_[i]]) continue;
      s.injection += 1;
      s.rail[l.rail] += 1;
      if (!leads[l.far]) continue;
      // GPUs share the links of their node evenly.
      const Count begin = k * gpus_per_node_ / of, end = std::max(begin + 1, (k + 1) * gpus_per_node_ / of);
      for (Count g = begin; g < end; ++g)
        reached[static_cast<std::size_t>(g)] = true;
    }
    const Count lost = std::count(reached.begin(), reached.end(), false);
    s.isolated_gpus += lost;
    s.isolated_nodes += lost == gpus_per_node_;
  }
  return s;
}

WhatIsLeft FailureStudy::after(const LostParts& lost) const {
  const std::vector<bool> dead = dead_links(lost);
  const Strength s = strength(dead);
  WhatIsLeft out;
  out.injection = whole_.injection > 0 ? s.injection / whole_.injection : 0.0;
  out.bisection = whole_.bisection > 0 ? std::optional(s.bisection / whole_.bisection) : std::nullopt;
  for (std::size_t r = 0; r < s.rail.size(); ++r)
    out.rail_injection.push_back(whole_.rail[r] > 0 ? s.rail[r] / whole_.rail[r] : 0.0);
  out.isolated_gpus = s.isolated_gpus - whole_.isolated_gpus;
  out.isolated_nodes = s.isolated_nodes - whole_.isolated_nodes;
  out.lost_links = std::count(dead.begin(), dead.end(), true);
  return out;
}

std::uint64_t FailureStudy::look_of(const LostParts& lost, const std::vector<std::uint64_t>& colour,
                                    std::vector<std::uint32_t>& count, std::vector<std::uint8_t>& dead) const {
  const auto& w = wiring_;
  // Each dead link once; how many of them end at each device.
  std::vector<std::uint32_t> links, touched;
  const auto take = [&](std::uint32_t l) {
    if (l >= w.links.size() || dead[l]) return;
    dead[l] = 1;
    links.push_back(l);
    for (const std::uint32_t d : {w.links[l].near, w.links[l].far})
      if (count[d]++ == 0) touched.push_back(d);
  };
  for (const std::uint32_t d : lost.devices)
    if (d < w.devices.size())
      for (std::uint32_t i = first_[d]; i < first_[d + 1]; ++i)
        take(at_[i]);
  for (const std::uint32_t l : lost.links)
    take(l);
  // Halves may be exchanged as wholes; what stands in neither is apart.
  std::uint64_t of_half[2] = {0, 0}, beside = 0;
  const auto into = [&](std::uint32_t d) -> std::uint64_t& {
    const DeviceKind kind = w.devices[d].kind;
    const bool neither = kind == DeviceKind::core || (kind == DeviceKind::spine && !by_pod_);
    return neither ? beside : of_half[half_[d]];
  };
  for (const std::uint32_t d : touched)
    into(d) += mixed(colour[d], count[d]);
  for (const std::uint32_t l : links) {
    const WiredLink& link = w.links[l];
    const std::uint64_t kind = static_cast<std::uint64_t>(link.kind) * 2 + (link.lit ? 1 : 0);
    into(link.near) += mixed(mixed(colour[link.near], count[link.near]), mixed(colour[link.far], count[link.far]) + kind);
  }
  for (const std::uint32_t l : links)
    dead[l] = 0;
  for (const std::uint32_t d : touched)
    count[d] = 0;
  return mixed(mixed(std::min(of_half[0], of_half[1]), std::max(of_half[0], of_half[1])), beside);
}

std::vector<FailureClass> FailureStudy::all_single(const std::stop_token& stop, std::span<const LossGroup> groups) const {
  const auto& w = wiring_;
  const auto& devices = w.devices;
  // Colours: what a device is and what it sees; after four rounds alike devices, and no others, have one colour.
  std::vector<std::uint64_t> colour(devices.size()), seen(devices.size());
  for (std::size_t d = 0; d < devices.size(); ++d)
    colour[d] = mixed(static_cast<std::uint64_t>(devices[d].kind), 1);
  for (int round = 0; round < 4; ++round) {
    if (stop.stop_requested()) return {};
    std::fill(seen.begin(), seen.end(), 0);
    for (const WiredLink& l : w.links) {
      const std::uint64_t kind = static_cast<std::uint64_t>(l.kind) * 2 + (l.lit ? 1 : 0);
      seen[l.near] += mixed(colour[l.far], kind * 2);
      seen[l.far] += mixed(colour[l.near], kind * 2 + 1);
    }
    for (std::size_t d = 0; d < devices.size(); ++d)
      colour[d] = mixed(colour[d], seen[d]);
  }
  struct Key {
    int order;
    std::uint64_t a, b;
    bool operator<(const Key& o) const { return std::tie(order, a, b) < std::tie(o.order, o.a, o.b); }
  };
  std::map<Key, FailureClass> classes;
  const auto member = [&](Key key, auto&& make) {
    FailureClass& c = classes[key];
    if (c.members++ == 0) make(c);
  };
  for (std::uint32_t d = 0; d < devices.size(); ++d) {
    if (devices[d].kind == DeviceKind::manager) continue;
    member({0, colour[d], static_cast<std::uint64_t>(devices[d].kind)}, [&](FailureClass& c) {
      c.kind = device_word(devices[d].kind);
      c.example = {.name = w.device_name(d), .devices = {d}, .links = {}};
    });
  }
  for (std::uint32_t i = 0; i < w.links.size(); ++i) {
    const WiredLink& l = w.links[i];
    if (devices[l.near].kind == DeviceKind::manager) continue;
    const std::uint64_t kind = static_cast<std::uint64_t>(l.kind) * 2 + (l.lit ? 1 : 0);
    member({1, mixed(colour[l.near], kind), colour[l.far]}, [&](FailureClass& c) {
      c.kind = fmt::format("link {}", link_class_word(l.kind));
      c.example = {
          .name = fmt::format("link {} port {}", w.device_name(l.far), l.far_port), .devices = {}, .links = {i}};
    });
  }
  // Modules: the links of one cage at a switch.
  std::vector<std::pair<Count, std::uint32_t>> cage; // of a device: cage, link
  for (std::uint32_t d = w.first_leaf; d < devices.size(); ++d) {
    if ((d & 0x3FF) == 0 && stop.stop_requested()) return {};
    const Cages* cages = cages_of(w, devices[d].kind);
    if (!cages || cages->links_per_cage < 2) continue; // one link a cage: its link says it
    cage.clear();
    for (std::uint32_t i = first_[d]; i < first_[d + 1]; ++i) {
      const WiredLink& l = w.links[at_[i]];
      cage.emplace_back(cages->cage_of(l.near == d ? l.near_port : l.far_port), at_[i]);
    }
    std::sort(cage.begin(), cage.end());
    for (std::size_t begin = 0; begin < cage.size();) {
      std::size_t end = begin;
      std::uint64_t others = 0;
      while (end < cage.size() && cage[end].first == cage[begin].first) {
        const WiredLink& l = w.links[cage[end++].second];
        others += mixed(colour[l.near == d ? l.far : l.near], static_cast<std::uint64_t>(l.kind));
      }
      const WiredLink& l = w.links[cage[begin].second];
      member({2, colour[d], others}, [&](FailureClass& c) {
        c.kind = fmt::format("module {} {}", device_word(devices[d].kind),
                             level(l)     ? "across"
                             : l.far == d ? "down"
                                          : "up");
        c.example.name = fmt::format("module {} cage {}", w.device_name(d), cage[begin].first);
        for (std::size_t i = begin; i < end; ++i)
          c.example.links.push_back(cage[i].second);
      });
      begin = end;
    }
  }
  if (planes_ > 1)
    for (std::uint32_t plane = 0; plane < planes_; ++plane) {
      std::uint64_t all = 0;
      LostParts lost{.name = fmt::format("plane {}", plane + 1), .devices = {}, .links = {}};
      for (std::uint32_t d = w.first_leaf; d < devices.size(); ++d)
        if (devices[d].plane == plane) {
          all += mixed(colour[d], 7);
          lost.devices.push_back(d);
        }
      member({3, all, 0}, [&](FailureClass& c) {
        c.kind = "plane";
        c.example = std::move(lost);
      });
    }
  std::vector<std::uint32_t> count(groups.empty() ? 0 : devices.size(), 0);
  std::vector<std::uint8_t> dead(groups.empty() ? 0 : w.links.size(), 0);
  std::vector<std::string_view> kinds;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if ((i & 0x3F) == 0 && stop.stop_requested()) return {};
    const LossGroup& g = groups[i];
    auto kind = std::find(kinds.begin(), kinds.end(), g.kind);
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), g.kind);
    member({4, look_of(g.lost, colour, count, dead), static_cast<std::uint64_t>(kind - kinds.begin())}, [&](FailureClass& c) {
      c.kind = g.kind;
      c.example = g.lost;
    });
  }
  std::vector<FailureClass> out;
  for (auto& [key, c] : classes) {
    if (stop.stop_requested()) return out;
    c.left = after(c.example);
    out.push_back(std::move(c));
  }
  std::stable_sort(out.begin(), out.end(), [](const FailureClass& a, const FailureClass& b) {
    const double x = a.left.bisection.value_or(1.0), y = b.left.bisection.value_or(1.0);
    return std::make_tuple(-a.left.isolated_gpus, x, a.left.injection, std::string_view(a.kind)) <
           std::make_tuple(-b.left.isolated_gpus, y, b.left.injection, std::string_view(b.kind));
  });
  return out;
}

} // namespace hallwright
