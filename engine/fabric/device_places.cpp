// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/device_places.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "design/rack_slots.h"
#include "quantity/text.h"
#include "space/plan_geometry.h"
#include "space/routes.h"

namespace hallwright {
namespace {

/// Height of the lowest rack unit above the floor, as the pictures of racks have it.
double first_unit_mm(const Catalog& catalog) {
  const Assumption* a = catalog.find<Assumption>("space.rack_first_unit_height");
  if (!a || !a->value) return 80.0;
  const auto v = parse_quantity(exact_number(*a->value) + (a->unit.empty() ? "" : " " + a->unit), kind::length);
  return v ? *v * 1e3 : 80.0;
}
constexpr const char* kind_words[] = {"nodes", "fabric managers", "leafs", "spines", "cores"};

} // namespace

Count DevicePlaces::undrawn_count() const {
  Count n = 0;
  for (const Count c : undrawn)
    n += c;
  return n;
}

std::string DevicePlaces::unit_text(std::uint32_t device) const {
  const DevicePlace& p = places[device];
  if (!p.drawn() || p.half_unit <= 0) return {};
  const std::int32_t unit = (p.half_unit + 1) / 2;
  return p.half_unit % 2 != 0 ? fmt::format("U{}", unit) : fmt::format("U{} upper half", unit);
}

DrawnPlaces::DrawnPlaces(const PlaceInputs& in) {
  const Catalog& catalog = *in.catalog;
  const double first_unit = first_unit_mm(catalog);
  /// What a rack of one type holds, once for all racks of the type.
  struct Content {
    enum class Kind { node, network_switch, storage } kind = Kind::node;
    std::string part;
    std::uint32_t item = 0; ///< of switches, into switch_items_
    Spot spot;
  };
  std::map<Id, std::vector<Content>> contents;
  std::map<Id, Footprint> sizes;
  for (const RackType& type : *in.rack_types) {
    sizes[type.id] = rack_footprint(catalog, type);
    const RackSlots slots = rack_slots(catalog, type, *in.rack_items);
    const double pitch = in_millimeters(rack_unit_pitch(catalog.find<RackPart>(type.rack_part))) / 2;
    auto& list = contents[type.id];
    std::map<Id, std::uint32_t> item_index;
    for (const RackSlot& slot : slots.places) {
      const RackItem* item = find(*in.rack_items, slot.item);
      if (!item || item->kind == RackItemKind::other) continue;
      Content c;
      c.part = item->part;
      c.spot.half_unit = slot.zero_u() ? 0 : static_cast<std::int32_t>(slot.lowest_half_unit);
      c.spot.half_units = static_cast<std::int32_t>(slot.half_units);
      c.spot.height_mm = slot.zero_u() ? route_port_height_mm
                                       : first_unit + pitch * (static_cast<double>(slot.lowest_half_unit - 1) +
                                                               static_cast<double>(slot.half_units) / 2);
      if (item->kind == RackItemKind::network_switch) {
        c.kind = Content::Kind::network_switch;
        auto [at, fresh] = item_index.try_emplace(item->id, static_cast<std::uint32_t>(switch_items_.size()));
        if (fresh) switch_items_.push_back({item->part, item->network, item->tier});
        c.item = at->second;
      } else if (item->kind == RackItemKind::storage) {
        c.kind = Content::Kind::storage;
      }
      list.push_back(std::move(c));
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const Content& a, const Content& b) { return a.spot.half_unit < b.spot.half_unit; });
  }

  std::vector<const Rack*> order;
  for (const Rack& r : *in.racks)
    if (const auto c = contents.find(r.rack_type); c != contents.end() && !c->second.empty()) order.push_back(&r);
  std::sort(order.begin(), order.end(), [](const Rack* a, const Rack* b) {
    const auto key = [](const Rack* r) { return std::tuple(r->hall, r->row == 0, r->row, r->id); };
    return key(a) < key(b);
  });
  const auto spots_of = [](std::vector<PartSpots>& lists, const std::string& part) -> std::vector<Spot>& {
    for (PartSpots& p : lists)
      if (p.part == part) return p.spots;
    lists.push_back({part, {}});
    return lists.back().spots;
  };
  racks_.reserve(order.size());
  for (const Rack* r : order) {
    const Footprint& size = sizes[r->rack_type];
    const PlanThing thing = plan_thing(r->x, r->y, size.width, size.depth, r->rotation);
    const auto rack = static_cast<std::uint32_t>(racks_.size());
    racks_.push_back({r->id, r->hall, thing.center_x, thing.center_y});
    for (const Content& c : contents[r->rack_type]) {
      Spot spot = c.spot;
      spot.rack = rack;
      switch (c.kind) {
      case Content::Kind::node:
        all_nodes_.push_back(spot);
        spots_of(nodes_, c.part).push_back(spot);
        break;
      case Content::Kind::storage:
        spots_of(storage_, c.part).push_back(spot);
        break;
      case Content::Kind::network_switch:
        switches_.push_back({spot, c.item, false});
        break;
      }
    }
  }
}

std::vector<DrawnPlaces::Spot> DrawnPlaces::nodes_of(const std::string& part) const {
  if (part.empty()) return all_nodes_;
  for (const PartSpots& p : nodes_)
    if (p.part == part) return p.spots;
  return {};
}

DevicePlaces DrawnPlaces::place(const Wiring& w, const PlaceRequest& q) {
  DevicePlaces out;
  out.places.resize(w.devices.size());
  const auto put = [&](std::uint32_t device, const Spot& s) {
    out.places[device] = {s.rack, s.half_unit, s.half_units, s.height_mm};
  };

  // End points: nodes, then storage, then switches of other networks, then (for managers) node places left over.
  const std::vector<Spot> nodes = nodes_of(q.node_part);
  const Count per_node = std::max<Count>(1, q.devices_per_node);
  const std::uint32_t node_count = w.first_manager;
  std::uint32_t device = 0;
  const auto drawn_nodes = static_cast<std::uint64_t>(nodes.size()) * static_cast<std::uint64_t>(per_node);
  for (; device < node_count && device < drawn_nodes; ++device)
    put(device, nodes[device / static_cast<std::uint64_t>(per_node)]);
  if (!q.storage_part.empty() && q.places_per_storage > 0) {
    const std::uint32_t first = device;
    for (const PartSpots& p : storage_)
      for (; p.part == q.storage_part && device < node_count; ++device) {
        const double system = std::floor((device - first) / q.places_per_storage + 1e-9);
        if (!(system < static_cast<double>(p.spots.size()))) break;
        put(device, p.spots[static_cast<std::size_t>(system)]);
      }
  }
  if (q.switches_as_nodes)
    for (const SwitchSpot& s : switches_) {
      if (device >= node_count) break;
      const std::string& part = switch_items_[s.item].part;
      if (part == q.leaf_part || part == q.spine_part || part == q.core_part) continue;
      put(device++, s.spot);
    }
  for (std::uint32_t m = w.first_manager, spare = node_count / static_cast<std::uint32_t>(per_node);
       m < w.first_leaf && spare < nodes.size(); ++m, ++spare)
    put(m, nodes[spare]);

  // Switches. Free places of the racks, for one part and tier.
  struct RackPlaces {
    std::uint32_t rack = 0;
    std::vector<std::uint32_t> spots; ///< into switches_
    std::size_t used = 0;
  };
  const auto free_places = [&](const std::string& part, SwitchTier tier) {
    std::vector<RackPlaces> list;
    if (part.empty()) return list;
    for (std::uint32_t i = 0; i < switches_.size(); ++i) {
      const SwitchSpot& s = switches_[i];
      const SwitchItem& item = switch_items_[s.item];
      if (s.taken || item.part != part || (item.network != 0 && item.network != q.network) ||
          (item.tier != SwitchTier::any && item.tier != tier))
        continue;
      if (list.empty() || list.back().rack != s.spot.rack) list.push_back({s.spot.rack, {}, 0});
      list.back().spots.push_back(i);
    }
    // What names this network or tier comes before what would serve any.
    const auto general = [&](std::uint32_t i) {
      const SwitchItem& item = switch_items_[switches_[i].item];
      return (item.network == 0) + (item.tier == SwitchTier::any);
    };
    for (RackPlaces& r : list)
      std::stable_sort(r.spots.begin(), r.spots.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return general(a) < general(b); });
    return list;
  };
  const auto take = [&](RackPlaces& r, std::uint32_t at) {
    SwitchSpot& s = switches_[r.spots[r.used++]];
    s.taken = true;
    put(at, s.spot);
  };
  struct Middle {
    double x = 0, y = 0;
    Count n = 0;
    std::map<Id, Count> halls;
    [[nodiscard]] Id hall() const {
      Id best = 0;
      Count most = -1;
      for (const auto& [id, count] : halls)
        if (count > most) best = id, most = count;
      return best;
    }
  };
  const auto add = [&](Middle& m, const DevicePlace& p) {
    if (!p.drawn()) return;
    const DeviceRack& r = racks_[p.rack];
    m.x += r.x_mm, m.y += r.y_mm, ++m.n;
    ++m.halls[r.hall];
  };
  /// Devices in groups, each group to the places nearest to its middle; those without a middle in the order of racks.
  const auto take_nearest = [&](std::vector<RackPlaces>& list, std::uint32_t first, std::uint32_t last, auto&& group_of,
                                const std::map<std::uint64_t, Middle>& middles) {
    std::uint32_t at = first;
    while (at < last) {
      const std::uint64_t group = group_of(w.devices[at]);
      std::uint32_t end = at;
      while (end < last && group_of(w.devices[end]) == group)
        ++end;
      const auto middle = middles.find(group);
      if (middle != middles.end() && middle->second.n > 0) {
        const double x = middle->second.x / static_cast<double>(middle->second.n);
        const double y = middle->second.y / static_cast<double>(middle->second.n);
        const Id hall = middle->second.hall();
        while (at < end) {
          RackPlaces* best = nullptr;
          std::tuple<bool, double> best_key{};
          for (RackPlaces& r : list) {
            if (r.used == r.spots.size()) continue;
            const DeviceRack& rack = racks_[r.rack];
            // A micrometre decides nothing, so that a mirrored hall is filled alike.
            const double distance = std::round((std::abs(rack.x_mm - x) + std::abs(rack.y_mm - y)) * 1e3);
            const std::tuple key(rack.hall != hall, distance);
            if (!best || key < best_key) best = &r, best_key = key;
          }
          if (!best) return;
          while (at < end && best->used < best->spots.size())
            take(*best, at++);
        }
      }
      at = end;
    }
  };
  const auto take_rest = [&](std::vector<RackPlaces>& list, std::uint32_t first, std::uint32_t last) {
    auto r = list.begin();
    for (std::uint32_t at = first; at < last; ++at) {
      if (out.places[at].drawn()) continue;
      while (r != list.end() && r->used == r->spots.size())
        ++r;
      if (r == list.end()) return;
      take(*r, at);
    }
  };

  std::map<std::uint64_t, Middle> units;
  for (std::uint32_t i = 0; i < w.first_manager; ++i)
    add(units[w.devices[i].unit], out.places[i]);
  auto leafs = free_places(q.leaf_part, SwitchTier::leaf);
  take_nearest(
      leafs, w.first_leaf, w.first_spine, [](const WiredDevice& d) { return static_cast<std::uint64_t>(d.unit); },
      units);
  take_rest(leafs, w.first_leaf, w.first_spine);

  auto spines = free_places(q.spine_part, SwitchTier::spine);
  if (w.first_core < w.devices.size()) {
    const auto pod_of = [](const WiredDevice& d) { return static_cast<std::uint64_t>(d.plane) << 32U | d.pod; };
    std::map<std::uint64_t, Middle> pods;
    for (std::uint32_t i = w.first_leaf; i < w.first_spine; ++i)
      add(pods[pod_of(w.devices[i])], out.places[i]);
    take_nearest(spines, w.first_spine, w.first_core, pod_of, pods);
  }
  take_rest(spines, w.first_spine, w.first_core);
  auto cores = free_places(q.core_part, SwitchTier::core);
  take_rest(cores, w.first_core, static_cast<std::uint32_t>(w.devices.size()));

  // Racks by id, and only those that hold a device.
  std::vector<std::uint32_t> used;
  std::vector<std::uint32_t> index(racks_.size(), DevicePlace::not_drawn);
  for (const DevicePlace& p : out.places)
    if (p.drawn() && index[p.rack] == DevicePlace::not_drawn) index[p.rack] = 0, used.push_back(p.rack);
  std::sort(used.begin(), used.end(),
            [&](std::uint32_t a, std::uint32_t b) { return racks_[a].rack < racks_[b].rack; });
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    index[used[i]] = i;
    out.racks.push_back(racks_[used[i]]);
  }
  Count all[5] = {};
  for (std::uint32_t i = 0; i < out.places.size(); ++i) {
    const auto kind = static_cast<std::size_t>(w.devices[i].kind);
    ++all[kind];
    if (out.places[i].drawn())
      out.places[i].rack = index[out.places[i].rack];
    else
      ++out.undrawn[kind];
  }
  for (std::size_t k = 0; k < 5; ++k)
    if (out.undrawn[k] > 0)
      out.notes.push_back(fmt::format("{} of {} {} are not drawn", out.undrawn[k], all[k], kind_words[k]));
  return out;
}

} // namespace hallwright
