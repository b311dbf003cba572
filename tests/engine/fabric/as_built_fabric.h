// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <fmt/format.h>

#include "fabric/as_built.h"

/// A fabric with rails for tests, and the dump that it would give. Ports by the rule of research on real fabrics:
/// node t on leaf port t, leaf port down + bundle (s-1) + i to spine port bundle (l-1) + 1 + i.
namespace hallwright::test {

struct Shape {
  int racks = 4, rails = 4, trays = 18, spines = 9, bundle = 2, down = 32, planes = 1;
};

inline std::string leaf_name(int plane, int rack, int rail) {
  return fmt::format("LEAF-P{}-R{:02}-K{:02}", plane + 1, rail + 1, rack + 1);
}
inline std::string spine_name(int plane, int spine) { return fmt::format("SPINE-P{}-{:02}", plane + 1, spine + 1); }
inline std::string node_name(int rack, int tray) { return fmt::format("rk{:02}-tray{:02}", rack + 1, tray + 1); }

inline PlannedFabric planned(const Shape& s) {
  PlannedFabric out;
  const auto device = [&](std::string name, DeviceKind kind, int rail, int plane, std::string rack) {
    PlannedDevice d;
    d.name = std::move(name);
    d.kind = kind;
    d.rail = rail;
    d.plane = s.planes > 1 ? plane : -1;
    d.rack = std::move(rack);
    d.unit_place = "7";
    out.devices.push_back(std::move(d));
    return static_cast<std::uint32_t>(out.devices.size() - 1);
  };
  std::vector<std::uint32_t> nodes, leafs, spines;
  for (int c = 0; c < s.racks; ++c)
    for (int t = 0; t < s.trays; ++t)
      nodes.push_back(device(node_name(c, t), DeviceKind::node, -1, -1, fmt::format("N{:02}", c + 1)));
  for (int p = 0; p < s.planes; ++p)
    for (int c = 0; c < s.racks; ++c)
      for (int r = 0; r < s.rails; ++r)
        leafs.push_back(device(leaf_name(p, c, r), DeviceKind::leaf, r, p, fmt::format("S{:02}", c + 1)));
  for (int p = 0; p < s.planes; ++p)
    for (int k = 0; k < s.spines; ++k)
      spines.push_back(device(spine_name(p, k), DeviceKind::spine, -1, p, "S00"));
  const auto link = [&](std::uint32_t near, int near_port, std::uint32_t far, int far_port, LinkClass kind, int rail,
                        int plane) {
    PlannedLink l;
    l.near = near;
    l.near_port = static_cast<PortKey>(near_port);
    l.far = far;
    l.far_port = static_cast<PortKey>(far_port);
    l.kind = kind;
    l.rail = static_cast<std::int16_t>(rail);
    l.plane = static_cast<std::int16_t>(s.planes > 1 ? plane : -1);
    l.label = static_cast<std::uint32_t>(out.labels.size());
    out.labels.push_back(fmt::format("C{:05}", out.labels.size()));
    out.links.push_back(l);
  };
  for (int p = 0; p < s.planes; ++p)
    for (int c = 0; c < s.racks; ++c)
      for (int r = 0; r < s.rails; ++r) {
        const std::uint32_t leaf = leafs[static_cast<std::size_t>((p * s.racks + c) * s.rails + r)];
        for (int t = 0; t < s.trays; ++t)
          link(nodes[static_cast<std::size_t>(c * s.trays + t)], r * s.planes + p + 1, leaf, t + 1,
               LinkClass::node_leaf, r, p);
        for (int k = 0; k < s.spines; ++k)
          for (int i = 0; i < s.bundle; ++i)
            link(leaf, s.down + s.bundle * k + i + 1, spines[static_cast<std::size_t>(p * s.spines + k)],
                 s.bundle * (c * s.rails + r) + i + 1, LinkClass::leaf_spine, r, p);
      }
  return out;
}

/// What discovery would find were all plugged as planned: an adapter for each link of a node, named "mlx5_<port - 1>",
/// two neighbouring ports of a node on one board with GUIDs 4 apart; switches by name and GUID.
inline FoundLinks found(const PlannedFabric& plan) {
  FoundLinks out;
  out.port_names.emplace_back();
  out.messages.emplace_back();
  out.files.emplace_back("made");
  std::vector<std::uint32_t> device(plan.devices.size(), no_device);
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    if (plan.devices[d].kind == DeviceKind::node) continue;
    FoundDevice f;
    f.name = plan.devices[d].name;
    f.kind = FoundKind::network_switch;
    f.guid = 0x2c5e'ab03'0000'0000ULL + d * 64;
    device[d] = static_cast<std::uint32_t>(out.devices.size());
    out.devices.push_back(std::move(f));
  }
  for (std::uint32_t i = 0; i < plan.links.size(); ++i) {
    const PlannedLink& p = plan.links[i];
    FoundLink l;
    l.lanes = 4;
    l.lane_gbps = 100.0F;
    l.line = i + 1;
    l.far = device[p.far];
    l.far_port = p.far_port;
    if (p.kind == LinkClass::node_leaf) {
      FoundDevice f;
      f.name = plan.devices[p.near].name;
      f.adapter = fmt::format("mlx5_{}", p.near_port - 1);
      f.kind = FoundKind::host;
      // Boards come from lots: their numbers tell nothing about the node.
      const std::uint64_t board =
          (static_cast<std::uint64_t>(p.near) * 16 + (p.near_port - 1) / 2) * 2654435761ULL % 16777213ULL;
      f.guid = 0xe09d'7303'0000'0000ULL + board * 16 + (p.near_port - 1) % 2 * 4;
      l.near = static_cast<std::uint32_t>(out.devices.size());
      l.near_port = 1;
      out.devices.push_back(std::move(f));
    } else {
      l.near = device[p.near];
      l.near_port = p.near_port;
    }
    out.links.push_back(l);
  }
  return out;
}

/// Exchanges the switch-side plugs of two links.
inline void exchange_far(FoundLinks& f, std::size_t a, std::size_t b) {
  std::swap(f.links[a].far, f.links[b].far);
  std::swap(f.links[a].far_port, f.links[b].far_port);
}

} // namespace hallwright::test
