// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/wiring.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "fabric/counts_shape.h"
#include "fabric/port_map.h"

namespace hallwright {

std::string_view device_word(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::node:
    return "node";
  case DeviceKind::manager:
    return "manager";
  case DeviceKind::leaf:
    return "leaf";
  case DeviceKind::spine:
    return "spine";
  case DeviceKind::core:
    return "core";
  }
  return "device";
}

std::string_view link_class_word(LinkClass kind) {
  switch (kind) {
  case LinkClass::node_leaf:
    return "node-leaf";
  case LinkClass::leaf_spine:
    return "leaf-spine";
  case LinkClass::spine_core:
    return "spine-core";
  case LinkClass::group_local:
    return "group-local";
  case LinkClass::group_global:
    return "group-global";
  }
  return "link";
}

std::string Cages::port_name(Count port) const {
  if (links_per_cage <= 1) return std::to_string(port);
  return fmt::format("{}/{}", cage_of(port), (port - 1) % links_per_cage + 1);
}

std::span<const WiredLink> Wiring::of_class(LinkClass kind) const {
  const auto c = static_cast<std::size_t>(kind);
  if (c + 1 >= first_of_class.size()) return {};
  return std::span(links).subspan(first_of_class[c], first_of_class[c + 1] - first_of_class[c]);
}

std::span<const std::uint32_t> Wiring::at_device(std::uint32_t device) const {
  if (device + std::size_t{1} >= first_link_of.size()) return {};
  return std::span(link_order).subspan(first_link_of[device], first_link_of[device + 1] - first_link_of[device]);
}

void Wiring::index_links() {
  first_link_of.assign(devices.size() + 1, 0);
  for (const WiredLink& link : links) {
    ++first_link_of[link.near + 1];
    ++first_link_of[link.far + 1];
  }
  for (std::size_t i = 1; i < first_link_of.size(); ++i)
    first_link_of[i] += first_link_of[i - 1];
  link_order.resize(2 * links.size());
  std::vector<std::uint32_t> next(first_link_of.begin(), first_link_of.end() - 1);
  for (std::size_t i = 0; i < links.size(); ++i) {
    link_order[next[links[i].near]++] = static_cast<std::uint32_t>(i);
    link_order[next[links[i].far]++] = static_cast<std::uint32_t>(i);
  }
  // Links come nearly in order of ports already.
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const auto begin = link_order.begin() + first_link_of[device], end = link_order.begin() + first_link_of[device + 1];
    auto port = [&](std::uint32_t link) {
      return links[link].near == device ? links[link].near_port : links[link].far_port;
    };
    auto by_port = [&](std::uint32_t a, std::uint32_t b) { return port(a) < port(b); };
    if (!std::is_sorted(begin, end, by_port)) std::sort(begin, end, by_port);
  }
}

std::string Wiring::device_name(std::uint32_t device) const {
  if (device >= devices.size()) return fmt::format("device {}", device + 1);
  const WiredDevice& d = devices[device];
  return fmt::format("{} {}", device_word(d.kind), d.index + 1);
}

namespace {

constexpr Count most_listed_links = 20'000'000, most_port = std::numeric_limits<std::uint16_t>::max();
constexpr Count most_wired_planes = 256;
constexpr std::size_t links_between_polls = 4096;

using V = PlaceVariable;

/// A rule of one class: both ports.
struct ClassRule {
  LinkClass kind = LinkClass::node_leaf;
  std::string near_name, far_name; ///< "leaf port"
  PortSum near, far;
  std::string where = {}; ///< which far device, where the ports do not tell; devices are named from 1
};

/// What both topologies share: devices of nodes, managers on spare ports, stopping, the check of rules.
class Wirer {
public:
  Wirer(const WiringRequest& request, FabricCounts counts, const std::stop_token& stop)
      : q_(request.counts), stop_(stop) {
    w_.request = request;
    w_.counts = std::move(counts);
  }
  virtual ~Wirer() = default;

  /// What stands against laying out the switches; empty: nothing.
  std::string layout_problem() { return lay_out_switches(); }

  /// Wires; the switches are laid out before.
  tl::expected<Wiring, std::string> run() {
    const FabricCounts& c = w_.counts;
    const Count total =
        c.node_leaf_cables + c.leaf_spine_cables + c.spine_core_cables + c.group_local_cables + c.group_global_cables;
    managers_ = q_.reserved_links > 0 ? std::max<Count>(1, q_.reserved_node_places) : q_.reserved_node_places;
    const Count devices = q_.nodes + managers_ + c.leafs + c.spines + c.cores;
    if (std::max(total, devices) > most_listed_links)
      return tl::make_unexpected(
          fmt::format("a wiring lists up to {} links and as many devices; this network has {} links and {} devices",
                      most_listed_links, total, devices));
    const Count node_ports = std::max(q_.links_per_node, q_.reserved_links) * q_.planes;
    if (std::max({q_.radix, q_.spine_radix, q_.core_radix, node_ports}) > most_port)
      return tl::make_unexpected(fmt::format("a wiring numbers up to {} ports of a device", most_port));
    if (q_.planes > most_wired_planes)
      return tl::make_unexpected(
          fmt::format("a wiring has up to {} planes; {} are asked for", most_wired_planes, q_.planes));
    w_.devices.reserve(static_cast<std::size_t>(devices));
    w_.links.reserve(static_cast<std::size_t>(total));

    add_nodes();
    add_switches();
    w_.first_of_class.assign(6, 0);
    for (int kind = 0; kind < 5 && !stopped_; ++kind) {
      w_.first_of_class[static_cast<std::size_t>(kind)] = static_cast<std::uint32_t>(w_.links.size());
      if (auto wrong = add_links(static_cast<LinkClass>(kind)); !wrong.empty()) return tl::make_unexpected(wrong);
    }
    w_.first_of_class[5] = static_cast<std::uint32_t>(w_.links.size());
    if (stopped_) return tl::make_unexpected(std::string("stopped"));
    w_.index_links();
    if (stop_.stop_requested()) return tl::make_unexpected(std::string("stopped"));
    if (auto twice = port_given_twice(); !twice.empty()) return tl::make_unexpected(twice);
    local_.reserve(w_.devices.size());
    for (const WiredDevice& device : w_.devices)
      local_.push_back(static_cast<std::uint32_t>(local_number(device)));
    for (const ClassRule& rule : rules_)
      check_rule(rule);
    if (stopped_) return tl::make_unexpected(std::string("stopped"));
    return std::move(w_);
  }

protected:
  /// A sentence where switches cannot be laid out.
  virtual std::string lay_out_switches() = 0;
  virtual void add_switches() = 0;
  virtual std::string add_links(LinkClass kind) = 0;
  /// Where link `k` of a place ends, in one plane: leaf of the plane and port; unit of a place.
  struct LeafPort {
    Count leaf = 0, port = 0;
  };
  virtual LeafPort leaf_port(Count place, Count k) const = 0;
  virtual Count unit_of(Count place) const = 0;
  virtual Count pod_of_place(Count place) const = 0;
  virtual Place place_of(const WiredLink& link) const = 0;
  /// Number of a device within the next larger thing, as rules count.
  virtual Count local_number(const WiredDevice& device) const = 0;

  void add_nodes() {
    for (Count i = 0; i < q_.nodes + managers_; ++i) {
      WiredDevice d;
      d.kind = i < q_.nodes ? DeviceKind::node : DeviceKind::manager;
      d.index = static_cast<std::uint32_t>(i < q_.nodes ? i : i - q_.nodes);
      const Count place = std::min(i, q_.nodes + q_.reserved_node_places - 1);
      d.unit = static_cast<std::uint32_t>(unit_of(place));
      d.pod = static_cast<std::uint32_t>(pod_of_place(place));
      w_.devices.push_back(d);
    }
    w_.first_manager = static_cast<std::uint32_t>(q_.nodes);
    w_.first_leaf = w_.first_spine = w_.first_core = static_cast<std::uint32_t>(w_.devices.size());
  }

  /// Links of a manager in a plane: those of its own place, in order; the rest goes to spare ports.
  [[nodiscard]] Count place_links(Count manager) const {
    if (manager >= q_.reserved_node_places) return 0;
    return std::clamp<Count>(q_.reserved_links - manager * q_.links_per_node, 0, q_.links_per_node);
  }

  std::string add_node_links(const PortLayout& leaf, Count leafs_of_plane) {
    const Count links = q_.links_per_node;
    for (Count i = 0; i < q_.nodes + q_.reserved_node_places; ++i) {
      const Count here = i < q_.nodes ? links : place_links(i - q_.nodes);
      for (Count plane = 0; plane < q_.planes; ++plane)
        for (Count k = 0; k < here; ++k) {
          const LeafPort at = leaf_port(i, k);
          if (!add(LinkClass::node_leaf, i, 1 + plane * here + k, w_.first_leaf + plane * leafs_of_plane + at.leaf,
                   at.port, k, plane))
            return {};
        }
    }
    return add_spare_manager_links(leaf, leafs_of_plane);
  }

  bool add(LinkClass kind, Count near, Count near_port, Count far, Count far_port, Count rail, Count plane,
           bool lit = true) {
    if (w_.links.size() % links_between_polls == 0 && stop_.stop_requested()) stopped_ = true;
    w_.links.push_back({static_cast<std::uint32_t>(near), static_cast<std::uint32_t>(far),
                        static_cast<std::uint16_t>(near_port), static_cast<std::uint16_t>(far_port),
                        static_cast<std::uint16_t>(rail), static_cast<std::uint8_t>(plane), kind, lit});
    return !stopped_;
  }

  const FabricRequest& q_;
  std::stop_token stop_;
  Wiring w_;
  std::vector<ClassRule> rules_;
  std::vector<std::uint32_t> local_; ///< of each device
  Count managers_ = 0;
  bool stopped_ = false;

private:
  /// What no place of its own holds goes round the leafs, to ports beside those of nodes, then to those no node uses.
  std::string add_spare_manager_links(const PortLayout& leaf, Count leafs_of_plane) {
    Count placed = 0;
    for (Count m = 0; m < managers_; ++m)
      placed += place_links(m);
    const Count left = q_.reserved_links - placed;
    if (left == 0) return {};
    const std::vector<Count> spare = spare_ports(leaf);
    std::vector<Count> used(static_cast<std::size_t>(leafs_of_plane), 0), taken(used);
    for (const WiredLink& link : w_.links)
      if (link.plane == 0) ++used[link.far - w_.first_leaf];
    const std::size_t first = w_.links.size();
    std::vector<Count> ports_of(static_cast<std::size_t>(managers_), 0);
    for (Count m = 0; m < managers_; ++m)
      ports_of[static_cast<std::size_t>(m)] = place_links(m) * q_.planes;
    Count at = 0, skipped = 0;
    for (Count n = 0; n < left;) {
      const auto l = static_cast<std::size_t>(at++ % leafs_of_plane);
      const Count turn = taken[l], beside = static_cast<Count>(spare.size());
      // Ports below the down end that no node uses, from the top.
      const Count port = turn < beside ? spare[static_cast<std::size_t>(turn)] : leaf.down - (turn - beside);
      if (turn >= beside && port <= used[l]) {
        if (++skipped >= leafs_of_plane)
          return fmt::format("{} do not find ports in cages of down links", number_of(left - n, "reserved link"));
        continue;
      }
      skipped = 0;
      ++taken[l];
      const Count manager = n % managers_;
      for (Count plane = 0; plane < q_.planes; ++plane)
        if (!add(LinkClass::node_leaf, q_.nodes + manager, ++ports_of[static_cast<std::size_t>(manager)],
                 w_.first_leaf + plane * leafs_of_plane + static_cast<Count>(l), port,
                 w_.devices[w_.first_leaf + l].rail, plane))
          return {};
      ++n;
    }
    std::stable_sort(w_.links.begin() + static_cast<std::ptrdiff_t>(first), w_.links.end(),
                     [](const WiredLink& a, const WiredLink& b) { return a.near < b.near; });
    // Links of one manager stay together: those of its place lie before.
    std::stable_sort(
        std::find_if(w_.links.begin(), w_.links.end(), [&](const WiredLink& x) { return x.near >= w_.first_manager; }),
        w_.links.end(), [](const WiredLink& a, const WiredLink& b) { return a.near < b.near; });
    return {};
  }

  /// Every port is used once. `at_device` lies in order of ports, so two equal ones are neighbours.
  [[nodiscard]] std::string port_given_twice() const {
    for (std::uint32_t device = 0; device < w_.devices.size(); ++device) {
      Count last = 0;
      for (const std::uint32_t i : w_.at_device(device)) {
        const Count port = w_.links[i].near == device ? w_.links[i].near_port : w_.links[i].far_port;
        if (port == last) return fmt::format("port {} of {} would be used twice", port, w_.device_name(device));
        last = port;
      }
    }
    return {};
  }

  void check_rule(const ClassRule& rule) {
    const auto links = w_.of_class(rule.kind);
    if (links.empty()) return;
    PortRule out;
    out.kind = rule.kind;
    out.line = fmt::format("{} = {}; {} = {}", rule.far_name, rule.far.text(), rule.near_name, rule.near.text());
    if (rule.kind != LinkClass::node_leaf)
      out.line = fmt::format("{} = {}; {} = {}", rule.near_name, rule.near.text(), rule.far_name, rule.far.text());
    if (!rule.where.empty()) out.line += "; " + rule.where;
    Count copy = 0, uplink = 0;
    for (std::size_t i = 0; i < links.size() && !stopped_; ++i) {
      if (i % links_between_polls == 0) stopped_ = stop_.stop_requested();
      const bool same_near = i > 0 && links[i].near == links[i - 1].near;
      uplink = same_near ? uplink + 1 : 0;
      copy = same_near && links[i].far == links[i - 1].far ? copy + 1 : 0;
      Place place = place_of(links[i]);
      if (rule.kind == LinkClass::leaf_spine || rule.kind == LinkClass::spine_core) {
        place[static_cast<std::size_t>(V::copy)] = copy;
        place[static_cast<std::size_t>(V::uplink)] = uplink;
      }
      const bool follows = rule.near.value(place) == links[i].near_port && rule.far.value(place) == links[i].far_port;
      ++(follows ? out.links : out.departures);
    }
    w_.rules.push_back(std::move(out));
  }
};

/// One, two and three tiers.
class TreeWirer final : public Wirer {
public:
  TreeWirer(const WiringRequest& request, FabricCounts counts, const TreeShape& shape, const std::stop_token& stop)
      : Wirer(request, std::move(counts), stop), t_(shape), l_(t_.leaf) {}

private:
  std::string lay_out_switches() override {
    const WiringRequest& r = w_.request;
    const Count up_ports = t_.tiers > 1 ? l_.up * l_.uplink_ports : 0;
    auto leaf = port_layout("leaf", l_.down, up_ports, t_.leaf_ports, r.leaf_cages);
    if (!leaf) return leaf.error();
    leaf_ = *leaf;
    if (t_.tiers > 1) {
      const Count down = std::max(t_.first.down_ports, t_.last.down_ports),
                  up = std::max(t_.first.spine_up, t_.last.spine_up);
      auto spine = port_layout("spine", down, t_.tiers > 2 ? up : 0, t_.spine_ports, r.spine_cages);
      if (!spine) return spine.error();
      spine_ = *spine;
    }
    if (t_.tiers > 2) {
      const Count links = t_.cores > 0 ? ceil_of(t_.core_cables(), t_.cores) : 0;
      if (auto core = port_layout("core", links, 0, t_.core_ports, r.core_cages); !core) return core.error();
    }
    for (const auto& [layout, what] : {std::pair(leaf_, "leaf"), std::pair(spine_, "spine")})
      if (layout.first_up > 0 && layout.wasted > 0)
        w_.counts.notes.push_back(
            fmt::format("{} of each {} stays empty, so that no cage is shared by down and up links",
                        number_of(layout.wasted, "port"), what));
    leafs_of_plane_ = l_.count * t_.trees;
    spines_of_plane_ = t_.tiers > 1 ? t_.spines() * t_.trees : 0;
    cores_of_plane_ = t_.cores * t_.trees;
    set_rules();
    return {};
  }

  void set_rules() {
    const Count first_up = leaf_.first_up, width = l_.uplink_ports;
    ClassRule nodes{LinkClass::node_leaf, "node port", "leaf port", {}, {}};
    const bool one_leaf = l_.unit_places * l_.links <= l_.down;
    if (l_.links == 1)
      nodes.far = PortSum(1, {{V::node, 1, one_leaf ? 0 : l_.down}});
    else
      nodes.far = PortSum(1, {{V::uplink, 1, one_leaf ? 0 : l_.down}}); // the link of the unit
    nodes.near = PortSum(1, {{V::rail}, {V::plane, q_.planes > 1 ? q_.links_per_node : 0}});
    const PortTerm of_plane{V::plane, q_.planes > 1 ? leafs_of_plane_ : 0};
    if (l_.lanes > 1 && l_.per_unit == l_.lanes)
      nodes.where = "leaf = " + PortSum(1, {{V::unit, l_.lanes}, {V::rail}, of_plane}).text();
    else if (t_.trees > 1 && l_.per_unit == 1)
      nodes.where = "leaf = " + PortSum(1, {{V::rail, l_.count}, {V::unit}, of_plane}).text();
    rules_.push_back(nodes);
    if (t_.tiers < 2) return;

    const PodShape& pod = t_.pod(0);
    ClassRule up{LinkClass::leaf_spine, "leaf port", "spine port", {}, {}};
    if (pod.bundle > 0) {
      const Count b = pod.bundle;
      up.near = PortSum(first_up, {{V::spine, width * b}, {V::copy, b > 1 ? width : 0}});
      const bool by_rail = t_.pods == 1 && l_.lanes > 1 && l_.per_unit == l_.lanes;
      up.far = by_rail ? PortSum(1, {{V::unit, b * l_.lanes}, {V::rail, b}, {V::copy, b > 1 ? 1 : 0}})
                       : PortSum(1, {{V::leaf, b}, {V::copy, b > 1 ? 1 : 0}});
    } else {
      up.near = PortSum(first_up, {{V::uplink, width}});
      up.far = PortSum(1, {{V::leaf, l_.up}, {V::uplink}}, pod.spines);
      up.where = fmt::format("spine of the pod = 1 + ({} l + j) mod {}", l_.up, pod.spines);
    }
    rules_.push_back(up);
    if (t_.tiers < 3) return;

    ClassRule core{LinkClass::spine_core, "spine port", "core port", {}, {}};
    if (pod.core_links > 0) {
      const Count e = pod.core_copies, in_group = t_.cores / pod.core_groups, spines = pod.spines / pod.core_groups;
      core.near =
          PortSum(spine_.first_up, {{V::core, e, in_group < t_.cores ? in_group : 0}, {V::copy, e > 1 ? 1 : 0}});
      if (pod.core_groups > 1)
        core.where = fmt::format("core = 1 + {} floor(s / {}) + 0..{}", in_group, spines, in_group - 1);
      core.far = PortSum(1, {{V::pod, t_.pods > 1 ? pod.core_links : 0},
                             {V::spine, e, spines < pod.spines ? spines : 0},
                             {V::copy, e > 1 ? 1 : 0}});
    } else {
      core.near = PortSum(spine_.first_up, {{V::uplink}});
      core.far =
          PortSum(1, {{V::pod, t_.pods > 1 ? pod.uplinks() : 0}, {V::spine, pod.spine_up}, {V::uplink}}, t_.cores);
      core.where = fmt::format("core = 1 + ({} p + {} s + j) mod {}", pod.uplinks(), pod.spine_up, t_.cores);
    }
    rules_.push_back(core);
  }

  void add_switches() override {
    w_.first_leaf = static_cast<std::uint32_t>(w_.devices.size());
    for (Count i = 0; i < leafs_of_plane_ * q_.planes; ++i) {
      const Count in_plane = i % leafs_of_plane_, tree = in_plane / l_.count, leaf = in_plane % l_.count;
      WiredDevice d;
      d.kind = DeviceKind::leaf;
      d.index = static_cast<std::uint32_t>(i);
      d.plane = static_cast<std::uint16_t>(i / leafs_of_plane_);
      d.rail = static_cast<std::uint16_t>(t_.trees > 1 ? tree : leaf % l_.per_unit % l_.lanes);
      d.unit = static_cast<std::uint32_t>(l_.stated_unit > 0 ? leaf / l_.per_unit : leaf);
      d.pod = static_cast<std::uint32_t>(leaf / std::max<Count>(1, t_.leafs_per_pod));
      w_.devices.push_back(d);
    }
    w_.first_spine = static_cast<std::uint32_t>(w_.devices.size());
    for (Count i = 0; i < spines_of_plane_ * q_.planes; ++i) {
      const Count in_plane = i % spines_of_plane_, spines = t_.spines(), spine = in_plane % spines;
      WiredDevice d;
      d.kind = DeviceKind::spine;
      d.index = static_cast<std::uint32_t>(i);
      d.plane = static_cast<std::uint16_t>(i / spines_of_plane_);
      d.rail = static_cast<std::uint16_t>(t_.trees > 1 ? in_plane / spines : 0);
      d.pod = static_cast<std::uint32_t>(t_.pods > 1 ? std::min(t_.pods - 1, spine / t_.first.spines) : 0);
      w_.devices.push_back(d);
    }
    w_.first_core = static_cast<std::uint32_t>(w_.devices.size());
    for (Count i = 0; i < cores_of_plane_ * q_.planes; ++i) {
      WiredDevice d;
      d.kind = DeviceKind::core;
      d.index = static_cast<std::uint32_t>(i);
      d.plane = static_cast<std::uint16_t>(i / cores_of_plane_);
      d.rail = static_cast<std::uint16_t>(t_.trees > 1 ? i % cores_of_plane_ / t_.cores : 0);
      w_.devices.push_back(d);
    }
  }

  LeafPort leaf_port(Count place, Count k) const override {
    const Count unit = place / l_.unit_places, slot = place - unit * l_.unit_places;
    if (l_.lanes > 1 || t_.trees > 1 || l_.links == 1) {
      // One link of the place in each lane or tree.
      const Count in_lane = slot / l_.down, port = 1 + slot - in_lane * l_.down;
      if (t_.trees > 1) return {k * l_.count + unit * l_.per_unit + in_lane, port};
      return {unit * l_.per_unit + in_lane * l_.lanes + k, port};
    }
    const Count x = slot * l_.links + k, in_unit = x / l_.down;
    return {unit * l_.per_unit + in_unit, 1 + x - in_unit * l_.down};
  }
  Count unit_of(Count place) const override {
    return l_.stated_unit > 0 ? place / l_.unit_places : place * l_.links / l_.down;
  }
  Count pod_of_place(Count place) const override {
    return t_.tiers > 2 ? leaf_port(place, 0).leaf % l_.count / t_.leafs_per_pod : 0;
  }

  std::string add_links(LinkClass kind) override {
    if (kind == LinkClass::node_leaf) return add_node_links(leaf_, leafs_of_plane_);
    if (kind == LinkClass::leaf_spine && t_.tiers > 1) add_leaf_spine();
    if (kind == LinkClass::spine_core && t_.tiers > 2) add_spine_core();
    return {};
  }

  void add_leaf_spine() {
    lit_below_.assign(static_cast<std::size_t>(spines_of_plane_ * q_.planes), 0);
    for (Count plane = 0; plane < q_.planes; ++plane)
      for (Count tree = 0; tree < t_.trees; ++tree)
        for (Count leaf = 0; leaf < l_.count && !stopped_; ++leaf)
          add_uplinks(plane, tree, leaf);
  }

  void add_uplinks(Count plane, Count tree, Count leaf) {
    const Count pod_index = leaf / t_.leafs_per_pod, first_leaf = pod_index * t_.leafs_per_pod,
                in_pod = leaf - first_leaf;
    const PodShape& pod = t_.pod(pod_index);
    const Count built = l_.built(leaf, pod.spines), lit = l_.uplinks_for_used(l_.used(leaf, q_.nodes));
    const Count near = w_.first_leaf + plane * leafs_of_plane_ + tree * l_.count + leaf;
    const Count first_spine = plane * spines_of_plane_ + tree * t_.spines() + pod_index * t_.first.spines;
    const Count rail = w_.devices[static_cast<std::size_t>(near)].rail, width = l_.uplink_ports;
    auto join = [&](Count number, Count position, Count spine, Count spine_port) {
      const bool is_lit = number < lit;
      if (is_lit) ++lit_below_[static_cast<std::size_t>(first_spine + spine)];
      return add(LinkClass::leaf_spine, near, leaf_.first_up + width * position, w_.first_spine + first_spine + spine,
                 spine_port, rail, plane, is_lit);
    };
    if (pod.bundle > 0) {
      // First copies to all spines come before second copies: a leaf that is not full reaches every spine.
      for (Count s = 0; s < pod.spines; ++s)
        for (Count i = 0; i < pod.bundle && i * pod.spines + s < built; ++i)
          if (!join(i * pod.spines + s, s * pod.bundle + i, s, 1 + pod.bundle * in_pod + i)) return;
      return;
    }
    const Count before = l_.built_before(leaf, pod.spines) - l_.built_before(first_leaf, pod.spines);
    for (Count j = 0; j < built; ++j)
      if (!join(j, j, (before + j) % pod.spines, 1 + (before + j) / pod.spines)) return;
  }

  void add_spine_core() {
    for (Count plane = 0; plane < q_.planes; ++plane)
      for (Count tree = 0; tree < t_.trees; ++tree) {
        const Count first_core = w_.first_core + plane * cores_of_plane_ + tree * t_.cores;
        Count spine = plane * spines_of_plane_ + tree * t_.spines();
        for (Count p = 0; p < t_.pods; ++p)
          for (Count s = 0; s < t_.pod(p).spines && !stopped_; ++s)
            add_core_links(plane, tree, p, s, spine++, first_core);
      }
  }

  void add_core_links(Count plane, Count tree, Count p, Count s, Count spine, Count first_core) {
    const PodShape& pod = t_.pod(p);
    // Uplinks are lit as far as the lit links below ask for them.
    const Count below = ceil_of(pod.links, pod.spines);
    const Count lit =
        below > 0 ? ceil_of(lit_below_[static_cast<std::size_t>(spine)] * pod.spine_up, below) : pod.spine_up;
    const Count near = w_.first_spine + spine, rail = t_.trees > 1 ? tree : 0;
    if (pod.core_links > 0) {
      const Count cores = t_.cores / pod.core_groups, spines = pod.spines / pod.core_groups, e = pod.core_copies;
      const Count group = s / spines, in_group = s % spines;
      for (Count k = 0; k < cores; ++k)
        for (Count i = 0; i < e; ++i)
          if (!add(LinkClass::spine_core, near, spine_.first_up + e * k + i, first_core + group * cores + k,
                   1 + p * t_.first.core_links + e * in_group + i, rail, plane, i * cores + k < lit))
            return;
      return;
    }
    const Count before = p * t_.first.uplinks() + s * pod.spine_up;
    for (Count j = 0; j < pod.spine_up; ++j)
      if (!add(LinkClass::spine_core, near, spine_.first_up + j, first_core + (before + j) % t_.cores,
               1 + (before + j) / t_.cores, rail, plane, j < lit))
        return;
  }

  Place place_of(const WiredLink& link) const override {
    Place place{};
    auto set = [&](V v, Count value) { place[static_cast<std::size_t>(v)] = value; };
    const WiredDevice& near = w_.devices[link.near];
    set(V::plane, link.plane);
    set(V::rail, link.rail);
    const Count near_number = local_[link.near], far_number = local_[link.far];
    if (link.kind == LinkClass::node_leaf) {
      set(V::unit, near.unit);
      set(V::node, near_number);
      set(V::uplink, near_number * l_.links + link.rail);
    } else if (link.kind == LinkClass::leaf_spine) {
      set(V::unit, near.unit);
      set(V::leaf, near_number);
      set(V::spine, far_number);
    } else {
      set(V::pod, near.pod);
      set(V::spine, near_number);
      set(V::core, far_number);
    }
    return place;
  }
  Count local_number(const WiredDevice& d) const override {
    switch (d.kind) {
    case DeviceKind::node:
      return d.index % l_.unit_places;
    case DeviceKind::manager:
      return (q_.nodes + d.index) % l_.unit_places;
    case DeviceKind::leaf:
      return d.index % l_.count - d.pod * t_.leafs_per_pod;
    case DeviceKind::spine:
      return d.index % t_.spines() - d.pod * t_.first.spines;
    case DeviceKind::core:
      return d.index % t_.cores;
    }
    return 0;
  }

  const TreeShape& t_;
  const LeafShape& l_;
  PortLayout leaf_, spine_;
  Count leafs_of_plane_ = 0, spines_of_plane_ = 0, cores_of_plane_ = 0;
  std::vector<std::uint32_t> lit_below_; ///< of each spine
};

/// Groups of switches joined all to all.
class DragonflyWirer final : public Wirer {
public:
  DragonflyWirer(const WiringRequest& request, FabricCounts counts, const DragonflyShape& shape,
                 const std::stop_token& stop)
      : Wirer(request, std::move(counts), stop), d_(shape) {}

private:
  std::string lay_out_switches() override {
    const Count per_cage = std::max<Count>(1, w_.request.leaf_cages.links_per_cage);
    // Links to nodes, within the group and between groups are of different kinds: each begins with a cage.
    const Count local = round_up(d_.end_points, per_cage), global = round_up(local + d_.switches - 1, per_cage);
    if (global + d_.global_ports > q_.radix)
      return fmt::format(
          "the cages of a switch carry {} each; links to nodes, within the group and between groups do not keep to "
          "cages of their own within {} ports",
          number_of(per_cage, "link"), q_.radix);
    const Cages& cages = w_.request.leaf_cages;
    if (cages.cages > 0 && cages.cages * per_cage < global + d_.global_ports)
      return fmt::format("a switch needs {} ports; its part has {} of {}", global + d_.global_ports,
                         number_of(cages.cages, "cage"), number_of(per_cage, "link"));
    layout_ = {d_.end_points, local + 1, global + d_.global_ports - local, 0, q_.radix, per_cage};
    first_global_ = global + 1;
    switches_ = d_.all_switches();

    rules_.push_back({LinkClass::node_leaf, "node port", "switch port",
                      PortSum(1, {{V::rail}, {V::plane, q_.planes > 1 ? q_.links_per_node : 0}}),
                      PortSum(1, {{V::uplink, 1, d_.end_points}})});
    if (d_.switches > 1)
      rules_.push_back({LinkClass::group_local, "port of switch a", "port of switch b",
                        PortSum(layout_.first_up - 1, {{V::far_switch}}),
                        PortSum(layout_.first_up, {{V::near_switch}})});
    if (d_.groups > 1)
      rules_.push_back({LinkClass::group_global, "port at group a", "port at group b",
                        PortSum(first_global_, {{V::copy, d_.groups - 1}, {V::far_switch}}, d_.switches, -1),
                        PortSum(first_global_, {{V::copy, d_.groups - 1}, {V::near_switch}}, d_.switches)});
    return {};
  }

  void add_switches() override {
    w_.first_leaf = static_cast<std::uint32_t>(w_.devices.size());
    for (Count i = 0; i < switches_ * q_.planes; ++i) {
      WiredDevice d;
      d.kind = DeviceKind::leaf;
      d.index = static_cast<std::uint32_t>(i);
      d.plane = static_cast<std::uint16_t>(i / switches_);
      d.unit = static_cast<std::uint32_t>(i % switches_ / d_.switches);
      w_.devices.push_back(d);
    }
    w_.first_spine = w_.first_core = static_cast<std::uint32_t>(w_.devices.size());
  }

  LeafPort leaf_port(Count place, Count k) const override {
    const Count unit = place / d_.unit_places, x = (place - unit * d_.unit_places) * q_.links_per_node + k;
    return {d_.first_switch(unit) + x / d_.end_points, 1 + x % d_.end_points};
  }
  Count unit_of(Count place) const override { return leaf_port(place, 0).leaf / d_.switches; }
  Count pod_of_place(Count) const override { return 0; }

  std::string add_links(LinkClass kind) override {
    if (kind == LinkClass::node_leaf) return add_node_links(layout_, switches_);
    for (Count plane = 0; plane < q_.planes; ++plane)
      for (Count group = 0; group < d_.groups && !stopped_; ++group) {
        if (kind == LinkClass::group_local) add_local(plane, group);
        if (kind == LinkClass::group_global) add_global(plane, group);
      }
    return {};
  }

  void add_local(Count plane, Count group) {
    const Count first = w_.first_leaf + plane * switches_ + d_.first_switch(group), n = d_.switches_of(group);
    for (Count a = 0; a < n; ++a)
      for (Count b = a + 1; b < n; ++b)
        if (!add(LinkClass::group_local, first + a, layout_.first_up + b - 1, first + b, layout_.first_up + a, 0,
                 plane))
          return;
  }

  void add_global(Count plane, Count group) {
    const Count base = w_.first_leaf + plane * switches_, n = d_.switches_of(group);
    for (Count a = 0; a < n; ++a)
      for (Count y = 0; y < d_.global_ports; ++y) {
        const GlobalEnd far = far_end(d_, group, y * n + a);
        if (far.group <= group) continue; // none, or listed at the other group
        const Count m = d_.switches_of(far.group);
        if (!add(LinkClass::group_global, base + d_.first_switch(group) + a, first_global_ + y,
                 base + d_.first_switch(far.group) + far.x % m, first_global_ + far.x / m, 0, plane))
          return;
      }
  }

  Place place_of(const WiredLink& link) const override {
    Place place{};
    auto set = [&](V v, Count value) { place[static_cast<std::size_t>(v)] = value; };
    const WiredDevice &near = w_.devices[link.near], &far = w_.devices[link.far];
    set(V::plane, link.plane);
    set(V::rail, link.rail);
    const Count near_number = local_[link.near];
    if (link.kind == LinkClass::node_leaf) {
      set(V::node, near_number);
      set(V::uplink, near_number * q_.links_per_node + link.rail);
    } else if (link.kind == LinkClass::group_local) {
      set(V::near_switch, near_number);
      set(V::far_switch, local_[link.far]);
    } else {
      const Count x = (link.near_port - first_global_) * d_.switches_of(near.unit) + near_number;
      set(V::copy, x / (d_.groups - 1));
      set(V::near_switch, near.unit);
      set(V::far_switch, far.unit);
    }
    return place;
  }
  Count local_number(const WiredDevice& d) const override {
    if (d.kind == DeviceKind::leaf) return d.index % switches_ % d_.switches;
    return (d.kind == DeviceKind::node ? d.index : q_.nodes + d.index) % d_.unit_places;
  }

  const DragonflyShape& d_;
  PortLayout layout_;
  Count first_global_ = 0, switches_ = 0;
};

/// Calls `use` with the wirer of the request, or gives why there is none.
template <class Use>
std::string with_wirer(const WiringRequest& request, const std::stop_token& stop, Use use) {
  auto shape = fabric_shape(request.counts);
  if (!shape) return std::move(shape.error());
  FabricCounts counts = std::move(shape->counts);
  if (const auto* d = std::get_if<DragonflyShape>(&shape->layout)) {
    DragonflyWirer wirer(request, std::move(counts), *d, stop);
    use(wirer);
  } else {
    TreeWirer wirer(request, std::move(counts), std::get<TreeShape>(shape->layout), stop);
    use(wirer);
  }
  return {};
}

std::string layout_problem(const WiringRequest& request) {
  std::string problem;
  const std::string refused = with_wirer(request, {}, [&](Wirer& w) { problem = w.layout_problem(); });
  return refused.empty() ? problem : refused;
}

/// Switches with fewer links in use, so that no cage is shared.
std::string other_ports(const WiringRequest& request) {
  const auto shape = fabric_shape(request.counts);
  if (!shape) return {};
  auto words_if = [&](auto change, std::string words) {
    WiringRequest other = request;
    change(other.counts);
    return layout_problem(other).empty() ? words : std::string();
  };
  const FabricRequest& q = request.counts;
  if (const auto* d = std::get_if<DragonflyShape>(&shape->layout)) {
    for (Count fewer = 0; fewer < 2 * request.leaf_cages.links_per_cage; ++fewer)
      for (Count of_nodes = 0; of_nodes <= fewer; ++of_nodes) {
        const Count p = d->end_points - of_nodes, h = d->global_ports - (fewer - of_nodes);
        if (p < 1 || h < 1) continue;
        auto words = words_if(
            [&](FabricRequest& r) {
              r.routers_per_group = d->switches;
              r.endpoints_per_router = p;
              r.global_links_per_router = h;
            },
            fmt::format("{} and {} a switch", number_of(p, "end point"), number_of(h, "global link")));
        if (!words.empty()) return words;
      }
    return {};
  }
  const LeafShape& l = std::get<TreeShape>(shape->layout).leaf;
  const Count per_cage = std::max<Count>(1, request.leaf_cages.links_per_cage);
  auto leaf_words = [&](Count down, Count up) {
    return words_if(
        [&](FabricRequest& r) {
          r.leaf_down = down;
          r.leaf_up = up;
        },
        fmt::format("leaf ports {}/{}", down, up));
  };
  // Fewer uplinks where the oversubscription allows it, else fewer nodes.
  for (Count fewer = 1; fewer <= per_cage && fewer < l.up; ++fewer) {
    const Count up = l.up - fewer;
    if (static_cast<double>(l.down) > q.oversubscription * static_cast<double>(up * l.uplink_ports)) break;
    if (auto words = leaf_words(l.down, up); !words.empty()) return words;
  }
  for (Count down = l.down; down > 0 && down > l.down - 2 * per_cage; --down)
    for (const Count up : {l.up, ceil_of(down * l.up, l.down)})
      if (auto words = leaf_words(down, up); !words.empty()) return words;
  const Count spine_radix = 2 * (q.spine_radix > 0 ? q.spine_radix : q.radix / q.uplink_ports);
  return words_if([&](FabricRequest& r) { r.spine_radix = spine_radix; },
                  fmt::format("spines of radix {}", spine_radix));
}

} // namespace

tl::expected<Wiring, std::string> wire(const WiringRequest& request, const std::stop_token& stop) {
  tl::expected<Wiring, std::string> out;
  bool cages = false;
  std::string problem = with_wirer(request, stop, [&](Wirer& w) {
    if (auto wrong = w.layout_problem(); !wrong.empty()) {
      cages = true;
      out = tl::make_unexpected(std::move(wrong));
    } else {
      out = w.run();
    }
  });
  if (!problem.empty()) return tl::make_unexpected(std::move(problem));
  if (cages)
    if (const std::string use = other_ports(request); !use.empty())
      return tl::make_unexpected(out.error() + ": use " + use);
  return out;
}

} // namespace hallwright
