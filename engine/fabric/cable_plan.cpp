// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/cable_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "quantity/text.h"

namespace hallwright {
namespace {

constexpr std::uint32_t none = 0xffffffff;
constexpr std::size_t classes = 5, device_kinds = 5;
constexpr std::size_t polled_every = 4096;

double assumed_number(const Catalog& catalog, std::string_view id, double fallback) {
  const Assumption* a = catalog.find<Assumption>(id);
  return a && a->value ? *a->value : fallback;
}
double assumed_mm(const Catalog& catalog, std::string_view id, double fallback) {
  const Assumption* a = catalog.find<Assumption>(id);
  if (!a || !a->value) return fallback;
  const auto v = parse_quantity(exact_number(*a->value) + (a->unit.empty() ? "" : " " + a->unit), kind::length);
  return v ? *v * 1e3 : fallback;
}

/// Links that must share one kind of cable, since their cages hold one module each: what hangs together over cages.
struct Groups {
  struct Cage {
    std::uint32_t device = 0;
    std::uint16_t links = 0;
    bool near = false;
  };
  std::vector<std::uint32_t> first, members; ///< links of each group
  std::vector<std::uint32_t> of_link;        ///< group
  std::vector<std::uint32_t> first_cage;
  std::vector<Cage> cages;                   ///< of each group
  std::vector<std::uint8_t> shapes, kind;    ///< CableShapes::index, LinkClass
  std::array<Count, classes> shared_cages{}; ///< that links of an earlier class are in, too
  std::array<Count, 6> per_cage{};           ///< links per cage that it was made with

  [[nodiscard]] std::size_t size() const { return shapes.size(); }
};

/// A pair of port places: one way through the hall.
struct Way {
  enum class Kind : std::uint8_t { within_rack, routed, estimated };
  std::uint32_t near = 0, far = 0; ///< port places
  double mm = 0;                   ///< routed: between the heights of the port places; estimated: along x and y
  Kind kind = Kind::within_rack;
};

/// Where cables of a rack begin. Where all trays hang above (or lie below) every port, one height stands for all and
/// the rest is a sum; else each height is a place of its own.
struct PortPlace {
  std::uint32_t rack = 0; ///< into DevicePlaces::racks
  double height = 0;
  std::int8_t slope = 0; ///< change of the way per millimetre of height: -1, 1; 0: this height only
  friend bool operator==(const PortPlace&, const PortPlace&) = default;
};

/// Pairs to indices; open addressing.
class PairIndex {
public:
  explicit PairIndex(std::size_t expected) {
    std::size_t n = 1024;
    while (n < 2 * expected)
      n *= 2;
    resize(n);
  }
  /// The index of the pair, `fresh` where it was not there.
  std::uint32_t& at(std::uint32_t a, std::uint32_t b, bool& fresh) {
    if (2 * (used_ + 1) > keys_.size()) grow();
    const std::uint64_t key = (static_cast<std::uint64_t>(a) << 32U) | b;
    std::size_t i = slot(key);
    while (values_[i] != none && keys_[i] != key)
      i = (i + 1) & mask_;
    fresh = values_[i] == none;
    if (fresh) keys_[i] = key, ++used_;
    return values_[i];
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t key = (static_cast<std::uint64_t>(a) << 32U) | b;
    for (std::size_t i = slot(key); values_[i] != none; i = (i + 1) & mask_)
      if (keys_[i] == key) return values_[i];
    return none;
  }

private:
  [[nodiscard]] std::size_t slot(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15ULL >> 20U) & mask_; }
  void resize(std::size_t n) {
    keys_.assign(n, 0);
    values_.assign(n, none);
    mask_ = n - 1;
  }
  void grow() {
    const auto keys = std::move(keys_);
    const auto values = std::move(values_);
    resize(2 * keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (values[k] == none) continue;
      std::size_t i = slot(keys[k]);
      while (values_[i] != none)
        i = (i + 1) & mask_;
      keys_[i] = keys[k], values_[i] = values[k];
    }
  }
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> values_;
  std::size_t mask_ = 0, used_ = 0;
};

/// Cables of one choice and length so far. Whole micrometres, so that taking off and putting on leaves no dust.
struct CableSum {
  Count links = 0, cables = 0;
  std::int64_t routed_um = 0; ///< of cables
};

/// What decides the media of one class.
struct ClassMedium {
  MediumRequest request;
  std::uint16_t first_choice = 0;
  bool in_use = false;
  friend bool operator==(const ClassMedium&, const ClassMedium&) = default;
};

} // namespace

struct CablePlanState {
  // What it rests on.
  std::shared_ptr<const Wiring> wiring;
  std::shared_ptr<const DevicePlaces> places;
  Shared<CableRoutes> routes;
  Shared<Catalog> catalog;
  std::array<ClassMedium, classes> media;
  std::array<Cages, classes> near_cages, far_cages;
  bool planes_in_cage = false; ///< the planes of an adapter share its cage
  double dress_mm = 500, slack = 0.05, level_mm = 2700, stand_in_mm = 0;
  std::optional<double> spare_share;

  // What was made of it.
  std::shared_ptr<const std::array<MediumTable, classes>> tables;
  std::shared_ptr<const Groups> groups;
  std::vector<RoutePlace> rack_places;           ///< by rack; hall 0 where it stands in none
  std::vector<std::pair<double, double>> levels; ///< of the trays within reach of a rack, lowest and highest
  std::vector<PortPlace> ports;
  std::vector<std::uint32_t> port_of_device;
  std::vector<double> offset_of_device; ///< to add to a routed way
  std::vector<Way> ways;
  std::vector<std::uint32_t> way_of_link; ///< none: an end is not drawn
  std::vector<std::uint16_t> group_choice;
  std::vector<float> group_skew_mm;
  std::unordered_map<std::uint64_t, CableSum> cables; ///< by choice and ordered length
  struct PlugSlot {
    std::uint16_t choice = 0;
    bool near = false;
    DeviceKind in = DeviceKind::node;
    std::vector<std::int32_t> by_rack; ///< racks, and last what is not drawn
    Count links = 0;                   ///< that they carry
  };
  std::vector<PlugSlot> plugs;
  std::vector<std::int16_t> slot_index; ///< by choice, side and kind of device; -1: none yet
};

namespace {

class Planner {
public:
  Planner(const CablePlanInputs& in, const CablePlan* previous, const std::stop_token& stop)
      : in_(in), w_(*in.wiring), places_(*in.places), catalog_(*in.catalog), stop_(stop),
        old_plan_(previous && previous->state ? previous : nullptr), old_(old_plan_ ? old_plan_->state.get() : nullptr),
        made_(std::make_shared<CablePlanState>()), s_(*made_) {}
  CablePlan run();

private:
  // setting up
  void read_inputs();
  [[nodiscard]] bool same_media() const;
  std::shared_ptr<const Groups> make_groups() const; ///< of no use when stopped
  void make_tables();
  // places and ways
  void place_racks();
  void make_ports();
  void set_offsets();
  void make_ways();
  void search(const std::vector<std::uint32_t>& wanted);
  [[nodiscard]] RoutePlace place_at(const PortPlace& p) const {
    RoutePlace out = s_.rack_places[p.rack];
    out.height = p.height;
    return out;
  }
  [[nodiscard]] bool rack_moved(std::size_t rack) const {
    return !(s_.rack_places[rack] == old_->rack_places[rack]) || s_.levels[rack] != old_->levels[rack];
  }
  bool move_only();
  // groups
  void set_length(std::uint32_t link);
  void plan_group(std::uint32_t group);
  void count_group(std::uint32_t group, int sign, const CablePlanState& by, const DevicePlaces& places);
  std::int32_t& plugs_at(std::uint16_t choice, bool near, DeviceKind in, std::uint32_t rack, Count links, int sign);
  // tables
  void tell();
  void tell_cables();
  void tell_modules();
  void tell_links();
  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }

  const CablePlanInputs& in_;
  const Wiring& w_;
  const DevicePlaces& places_;
  const Catalog& catalog_;
  std::stop_token stop_;
  const CablePlan* old_plan_;
  const CablePlanState* old_;
  std::shared_ptr<CablePlanState> made_;
  CablePlanState& s_;
  CablePlan plan_;
  std::uint64_t last_key_ = 0;
  CableSum* last_sum_ = nullptr; ///< entry of `last_key_`; entries stay where they are
};

void Planner::read_inputs() {
  s_.wiring = in_.wiring;
  s_.places = in_.places;
  s_.routes = in_.routes;
  s_.catalog = in_.catalog;
  s_.dress_mm = assumed_mm(catalog_, "cabling.dress_per_end", 500.0);
  s_.slack = assumed_number(catalog_, "cabling.slack_fraction", 0.05);
  s_.level_mm = assumed_mm(catalog_, "cabling.tray_height", 2700.0);
  s_.stand_in_mm = std::isfinite(in_.stand_in_mm) ? std::max(0.0, in_.stand_in_mm) : 0.0;
  s_.spare_share = in_.network.spare_share;

  const Network& n = in_.network;
  const auto part = [&](const std::string& own) {
    return catalog_.find<SwitchPart>(own.empty() ? n.switch_part : own);
  };
  const SwitchPart *leaf = part({}), *spine = part(n.spine_switch_part),
                   *core = part(n.core_switch_part.empty() ? n.spine_switch_part : n.core_switch_part);
  const double link = in_gigabits_per_second(n.link_rate),
               up = n.uplink_rate ? in_gigabits_per_second(*n.uplink_rate) : link;
  const WiringRequest& r = w_.request;
  const Cages leaf_cages = known_cages(r.leaf_cages, leaf, link), spine_cages = known_cages(r.spine_cages, spine, up),
              core_cages = known_cages(r.core_cages, core, up);
  const CageEnd node = node_cage(catalog_, in_.node_part, n.kind, link, n.node_optic_part, r.counts.planes);
  const Cages node_cages{0, node.links};
  s_.planes_in_cage = r.counts.planes > 1 && node.links == r.counts.planes;
  struct End {
    CageEnd cage;
    Cages cages;
    std::string optic;
  };
  const auto of_leaf = [&](double rate) {
    return End{switch_cage(leaf, rate, leaf_cages, link, "leaf"), leaf_cages, n.leaf_optic_part};
  };
  const End of_spine{switch_cage(spine, up, spine_cages, up, "spine"), spine_cages, n.spine_optic_part};
  const End of_core{switch_cage(core, up, core_cages, up, "core"), core_cages, n.spine_optic_part};
  for (std::size_t k = 0; k < classes; ++k) {
    const auto kind = static_cast<LinkClass>(k);
    ClassMedium& m = s_.media[k];
    m.in_use = !w_.of_class(kind).empty();
    if (!m.in_use) continue;
    const bool nodes = kind == LinkClass::node_leaf;
    const End near = nodes                           ? End{node, node_cages, n.node_optic_part}
                     : kind == LinkClass::spine_core ? of_spine
                                                     : of_leaf(up);
    const End far = nodes                           ? of_leaf(link)
                    : kind == LinkClass::leaf_spine ? of_spine
                    : kind == LinkClass::spine_core ? of_core
                                                    : of_leaf(up);
    m.request = {nodes ? link : up,
                 near.cage,
                 far.cage,
                 nodes ? n.node_medium : n.uplink_medium,
                 near.optic,
                 far.optic,
                 nodes ? n.node_cable_part : n.spine_cable_part,
                 nodes ? 0 : n.patch_panels,
                 n.cable_lengths};
    s_.near_cages[k] = near.cages;
    s_.far_cages[k] = far.cages;
  }
}

/// Whether the tables of media are those of last time; they rest on these kinds of part only.
bool Planner::same_media() const {
  if (!old_) return false;
  if (old_->catalog != s_.catalog &&
      !(s_.catalog->optics.shares_with(old_->catalog->optics) && s_.catalog->cables.shares_with(old_->catalog->cables) &&
        s_.catalog->assumptions.shares_with(old_->catalog->assumptions)))
    return false;
  for (std::size_t k = 0; k < classes; ++k)
    if (s_.media[k].in_use != old_->media[k].in_use || !(s_.media[k].request == old_->media[k].request)) return false;
  return true;
}

std::shared_ptr<const Groups> Planner::make_groups() const {
  std::array<Count, 6> per_cage{};
  auto out = std::make_shared<Groups>();
  Groups& g = *out;
  const auto links = static_cast<std::uint32_t>(w_.links.size());
  g.of_link.resize(links);
  g.per_cage = per_cage;
  std::vector<std::uint32_t> group_cage_owner; // group of each cage, in the order of `seen`
  std::vector<Groups::Cage> seen;
  std::uint32_t groups = 0;
  std::vector<bool> far_taken; // cages of switches in earlier classes

  std::vector<std::uint32_t> parent, count, group_of, seen_at;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends; // cages of each link
  for (std::size_t k = 0; k < classes; ++k) {
    const auto span = w_.of_class(static_cast<LinkClass>(k));
    if (stopped()) return out;
    if (span.empty()) continue;
    const auto base = static_cast<std::uint32_t>(span.data() - w_.links.data());
    const auto near_per = static_cast<std::uint32_t>(std::max<Count>(1, s_.near_cages[k].links_per_cage)),
               far_per = static_cast<std::uint32_t>(std::max<Count>(1, s_.far_cages[k].links_per_cage));
    const bool by_rail = k == 0 && s_.planes_in_cage;
    const auto near_cage = [&](const WiredLink& l) {
      return by_rail ? std::uint32_t{l.rail} : (l.near_port - 1U) / near_per;
    };
    const auto far_cage = [&](const WiredLink& l) { return (l.far_port - 1U) / far_per; };
    std::uint32_t near_first = none, near_last = 0, far_first = none, far_last = 0, near_width = 1, far_width = 1;
    for (const WiredLink& l : span) {
      near_first = std::min(near_first, l.near), near_last = std::max(near_last, l.near);
      far_first = std::min(far_first, l.far), far_last = std::max(far_last, l.far);
      near_width = std::max(near_width, near_cage(l) + 1), far_width = std::max(far_width, far_cage(l) + 1);
    }
    // Switches of one tier joined to one another have one row of cages; else near and far ones are apart.
    const bool together = near_last >= far_first;
    if (together)
      near_first = far_first = std::min(near_first, far_first),
      near_width = far_width = std::max(near_width, far_width);
    const std::uint32_t far_base = together ? 0 : (near_last - near_first + 1) * near_width;
    const std::uint32_t cages = (together ? std::max(near_last, far_last) - near_first + 1 : 0) * near_width +
                                (together ? 0 : far_base + (far_last - far_first + 1) * far_width);
    parent.resize(cages);
    for (std::uint32_t i = 0; i < cages; ++i)
      parent[i] = i;
    count.assign(cages, 0);
    const auto root = [&](std::uint32_t i) {
      while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
      }
      return i;
    };
    ends.clear();
    for (const WiredLink& l : span) {
      const std::uint32_t a = (l.near - near_first) * near_width + near_cage(l), b = far_base + (l.far - far_first) * far_width + far_cage(l);
      ends.emplace_back(a, b);
      ++count[a], ++count[b];
      const std::uint32_t ra = root(a), rb = root(b);
      if (ra != rb) parent[std::max(ra, rb)] = std::min(ra, rb);
    }
    group_of.assign(cages, none);
    seen_at.assign(cages, none);
    for (std::uint32_t i = 0; i < span.size(); ++i) {
      const WiredLink& l = span[i];
      const auto [a, b] = ends[i];
      const std::uint32_t r = root(a);
      if (group_of[r] == none) group_of[r] = groups++, g.kind.push_back(static_cast<std::uint8_t>(k));
      g.of_link[base + i] = group_of[r];
      if (seen_at[a] == none) {
        seen_at[a] = 0;
        seen.push_back({l.near, static_cast<std::uint16_t>(count[a]), true});
        group_cage_owner.push_back(group_of[r]);
      }
      if (seen_at[b] == none) {
        seen_at[b] = 0;
        seen.push_back({l.far, static_cast<std::uint16_t>(count[b]), false});
        group_cage_owner.push_back(group_of[r]);
      }
    }
  }
  if (stopped()) return out;
  // Members and cages by group.
  g.first.assign(groups + 1, 0);
  for (std::uint32_t i = 0; i < links; ++i)
    ++g.first[g.of_link[i] + 1];
  for (std::uint32_t i = 0; i < groups; ++i)
    g.first[i + 1] += g.first[i];
  g.members.resize(links);
  std::vector<std::uint32_t> at(g.first.begin(), g.first.end() - 1);
  for (std::uint32_t i = 0; i < links; ++i)
    g.members[at[g.of_link[i]]++] = i;
  g.first_cage.assign(groups + 1, 0);
  for (const std::uint32_t owner : group_cage_owner)
    ++g.first_cage[owner + 1];
  for (std::uint32_t i = 0; i < groups; ++i)
    g.first_cage[i + 1] += g.first_cage[i];
  g.cages.resize(seen.size());
  at.assign(g.first_cage.begin(), g.first_cage.end() - 1);
  for (std::size_t i = 0; i < seen.size(); ++i)
    g.cages[at[group_cage_owner[i]]++] = seen[i];
  g.shapes.assign(groups, 0);
  for (std::uint32_t i = 0; i < groups; ++i) {
    std::uint32_t near = 0, far = 0;
    bool single = true;
    for (std::uint32_t c = g.first_cage[i]; c < g.first_cage[i + 1]; ++c) {
      ++(g.cages[c].near ? near : far);
      if (g.cages[c].near && g.cages[c].links > 1) single = false;
    }
    g.shapes[i] = static_cast<std::uint8_t>(CableShapes{near == 1 && far == 1, far == 1 && single}.index());
  }

  if (stopped()) return out;
  // A cage that holds links of two classes: where the runs of ports of two classes meet within one.
  struct Run {
    std::uint16_t first = 0xffff, last = 0;
  };
  std::vector<Run> before(w_.devices.size()), now(w_.devices.size());
  std::vector<std::uint32_t> met;
  for (std::size_t k = 0; k < classes; ++k) {
    const auto span = w_.of_class(static_cast<LinkClass>(k));
    const Count near_per = std::max<Count>(1, s_.near_cages[k].links_per_cage),
                far_per = std::max<Count>(1, s_.far_cages[k].links_per_cage);
    const auto meet = [&](std::uint32_t device, std::uint16_t port, Count per) {
      Run& run = now[device];
      const auto cage = static_cast<std::uint16_t>((port - 1) / per);
      if (run.first == 0xffff) met.push_back(device);
      run.first = std::min(run.first, cage);
      run.last = std::max(run.last, cage);
    };
    for (const WiredLink& l : span) {
      if (k > 0) meet(l.near, l.near_port, near_per); // nodes have links of one class only
      meet(l.far, l.far_port, far_per);
    }
    for (const std::uint32_t device : met) {
      const Run& was = before[device];
      if (was.first != 0xffff)
        for (const std::uint16_t cage : {now[device].first, now[device].last})
          g.shared_cages[k] += cage == was.first || cage == was.last;
      before[device] = now[device];
      now[device] = {};
    }
    met.clear();
  }
  return out;
}

void Planner::make_tables() {
  auto tables = std::make_shared<std::array<MediumTable, classes>>();
  for (std::size_t k = 0; k < classes; ++k)
    if (s_.media[k].in_use) (*tables)[k] = medium_table(catalog_, s_.media[k].request);
  s_.tables = std::move(tables);
}

void Planner::place_racks() {
  const RouteGraph& graph = in_.routes->graph();
  const bool same_trays = old_ && (old_->routes == s_.routes || old_->routes->graph().runs() == graph.runs());
  s_.rack_places.resize(places_.racks.size());
  s_.levels.resize(places_.racks.size());
  for (std::size_t i = 0; i < places_.racks.size(); ++i) {
    const DeviceRack& r = places_.racks[i];
    if (const RoutePlace* p = in_.routes->rack(r.rack))
      s_.rack_places[i] = *p;
    else
      s_.rack_places[i] = {r.rack, 0, r.x_mm, r.y_mm, 0, 0, route_port_height_mm};
    if (same_trays && i < old_->rack_places.size() && old_->rack_places[i] == s_.rack_places[i]) {
      s_.levels[i] = old_->levels[i];
      continue;
    }
    constexpr double far_below = -1e7;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    if (s_.rack_places[i].hall != 0 && !graph.empty()) {
      RoutePlace deep = s_.rack_places[i];
      deep.height = far_below;
      for (const RouteGraph::Access& a : graph.accesses(deep))
        low = std::min(low, a.vertical + far_below), high = std::max(high, a.vertical + far_below);
    }
    s_.levels[i] = {low, high};
  }
}

void Planner::make_ports() {
  const std::size_t racks = places_.racks.size();
  std::vector<std::pair<double, double>> heights(
      racks, {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()});
  for (const DevicePlace& p : places_.places)
    if (p.drawn()) {
      auto& h = heights[p.rack];
      h = {std::min(h.first, p.height_mm), std::max(h.second, p.height_mm)};
    }
  // One place for a rack whose trays all hang above or all lie below; heights of their own else.
  std::vector<std::uint32_t> first(racks, none);
  s_.port_of_device.assign(places_.places.size(), none);
  std::map<std::pair<std::uint32_t, double>, std::uint32_t> exact;
  for (std::uint32_t d = 0; d < places_.places.size(); ++d) {
    const DevicePlace& p = places_.places[d];
    if (!p.drawn()) continue;
    const auto [low, high] = s_.levels[p.rack];
    const auto [lowest, highest] = heights[p.rack];
    const bool above = low >= highest, below = high <= lowest; // without trays in reach both hold
    if (above || below) {
      if (first[p.rack] == none) {
        first[p.rack] = static_cast<std::uint32_t>(s_.ports.size());
        s_.ports.push_back({p.rack, above ? highest : lowest, static_cast<std::int8_t>(above ? -1 : 1)});
      }
      s_.port_of_device[d] = first[p.rack];
    } else {
      auto [it, fresh] = exact.try_emplace({p.rack, p.height_mm}, static_cast<std::uint32_t>(s_.ports.size()));
      if (fresh) s_.ports.push_back({p.rack, p.height_mm, 0});
      s_.port_of_device[d] = it->second;
    }
  }
}

void Planner::set_offsets() {
  s_.offset_of_device.assign(places_.places.size(), 0.0);
  for (std::uint32_t d = 0; d < places_.places.size(); ++d)
    if (const std::uint32_t p = s_.port_of_device[d]; p != none)
      s_.offset_of_device[d] = s_.ports[p].slope * (places_.places[d].height_mm - s_.ports[p].height);
}

void Planner::search(const std::vector<std::uint32_t>& wanted) {
  const RouteGraph& graph = in_.routes->graph();
  // By far port place: one search for each.
  std::vector<std::uint32_t> order(wanted);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(s_.ways[a].far, s_.ways[a].near) < std::pair(s_.ways[b].far, s_.ways[b].near);
  });
  for (std::size_t i = 0; i < order.size();) {
    const std::uint32_t far = s_.ways[order[i]].far;
    std::size_t end = i;
    while (end < order.size() && s_.ways[order[end]].far == far)
      ++end;
    if (stopped()) return;
    const RoutePlace to = place_at(s_.ports[far]);
    const bool trays = to.hall != 0 && std::isfinite(s_.levels[s_.ports[far].rack].first);
    std::optional<RouteTree> tree;
    for (; i < end; ++i) {
      Way& way = s_.ways[order[i]];
      const PortPlace& port = s_.ports[way.near];
      if (port.rack == s_.ports[far].rack) {
        way.kind = Way::Kind::within_rack;
        way.mm = 0;
        continue;
      }
      const RoutePlace from = place_at(port);
      if (trays && from.hall == to.hall && std::isfinite(s_.levels[port.rack].first)) {
        if (!tree) tree = graph.tree({to});
        if (const auto reach = tree->reach(from)) {
          way.kind = Way::Kind::routed;
          way.mm = reach->length();
          continue;
        }
      }
      way.kind = Way::Kind::estimated;
      way.mm = std::abs(from.x - to.x) + std::abs(from.y - to.y);
    }
  }
}

void Planner::make_ways() {
  // Ways that the last plan knew and whose racks have not moved.
  std::vector<std::uint32_t> old_port; // of each old port place, the present one
  PairIndex known(old_ ? old_->ways.size() : 16);
  if (old_ && (old_->routes == s_.routes || old_->routes->graph().runs() == in_.routes->graph().runs())) {
    std::map<Id, std::size_t> rack_at;
    for (std::size_t i = 0; i < s_.rack_places.size(); ++i)
      rack_at[s_.rack_places[i].id] = i;
    std::vector<std::vector<std::uint32_t>> ports_at(s_.rack_places.size());
    for (std::uint32_t p = 0; p < s_.ports.size(); ++p)
      ports_at[s_.ports[p].rack].push_back(p);
    old_port.assign(old_->ports.size(), none);
    for (std::uint32_t p = 0; p < old_->ports.size(); ++p) {
      const PortPlace& was = old_->ports[p];
      const auto rack = rack_at.find(old_->rack_places[was.rack].id);
      if (rack == rack_at.end() || !(s_.rack_places[rack->second] == old_->rack_places[was.rack])) continue;
      for (const std::uint32_t now : ports_at[rack->second])
        if (s_.ports[now].slope == was.slope && s_.ports[now].height == was.height) old_port[p] = now;
    }
    for (std::uint32_t i = 0; i < old_->ways.size(); ++i) {
      const std::uint32_t a = old_port[old_->ways[i].near], b = old_port[old_->ways[i].far];
      bool fresh = false;
      if (a != none && b != none) known.at(a, b, fresh) = i;
    }
  }
  PairIndex index(s_.ports.size() * 8);
  s_.way_of_link.resize(w_.links.size());
  std::vector<std::uint32_t> wanted;
  std::uint32_t last_a = none, last_b = none, last = none;
  for (std::size_t i = 0; i < w_.links.size(); ++i) {
    const WiredLink& l = w_.links[i];
    const std::uint32_t a = s_.port_of_device[l.near], b = s_.port_of_device[l.far];
    if (a == none || b == none) {
      s_.way_of_link[i] = none;
      continue;
    }
    if (a != last_a || b != last_b) {
      bool fresh = false;
      std::uint32_t& at = index.at(a, b, fresh);
      if (fresh) {
        at = static_cast<std::uint32_t>(s_.ways.size());
        Way way;
        way.near = a, way.far = b;
        if (const std::uint32_t was = old_ ? known.find(a, b) : none; was != none) {
          way.kind = old_->ways[was].kind;
          way.mm = old_->ways[was].mm;
        } else {
          wanted.push_back(at);
        }
        s_.ways.push_back(way);
      }
      last_a = a, last_b = b, last = at;
    }
    s_.way_of_link[i] = last;
  }
  search(wanted);
}

void Planner::set_length(std::uint32_t link) {
  const WiredLink& l = w_.links[link];
  LinkCable& c = plan_.links[link];
  double mm = s_.stand_in_mm;
  c.how = LengthKind::assumed;
  if (const std::uint32_t at = s_.way_of_link[link]; at != none) {
    const Way& way = s_.ways[at];
    const double near = places_.places[l.near].height_mm, far = places_.places[l.far].height_mm;
    switch (way.kind) {
    case Way::Kind::within_rack:
      mm = std::abs(near - far);
      c.how = LengthKind::within_rack;
      break;
    case Way::Kind::routed:
      mm = way.mm + s_.offset_of_device[l.near] + s_.offset_of_device[l.far];
      c.how = LengthKind::routed;
      break;
    case Way::Kind::estimated:
      mm = way.mm + std::abs(s_.level_mm - near) + std::abs(s_.level_mm - far);
      c.how = LengthKind::estimated;
      break;
    }
  }
  c.routed_mm = (mm + 2 * s_.dress_mm) * (1 + s_.slack);
}

void Planner::plan_group(std::uint32_t group) {
  const Groups& g = *s_.groups;
  const std::size_t k = g.kind[group];
  const MediumTable& table = (*s_.tables)[k];
  const std::uint32_t begin = g.first[group], end = g.first[group + 1];
  double longest = 0;
  for (std::uint32_t m = begin; m < end; ++m) {
    set_length(g.members[m]);
    longest = std::max(longest, plan_.links[g.members[m]].routed_mm);
  }
  const unsigned shapes_index = g.shapes[group];
  const CableShapes shapes{(shapes_index & 1U) != 0, (shapes_index & 2U) != 0};
  s_.group_skew_mm[group] = 0;
  if (!table.any(shapes)) {
    s_.group_choice[group] = LinkCable::no_choice;
    for (std::uint32_t m = begin; m < end; ++m) {
      LinkCable& c = plan_.links[g.members[m]];
      c.choice = LinkCable::no_choice, c.cable = g.members[m], c.ordered_mm = 0, c.beyond = false;
    }
    return;
  }
  const MediumTable::Pick pick = table.pick(shapes, longest);
  const LinkChoice& choice = table.choices[pick.choice];
  const auto index = static_cast<std::uint16_t>(s_.media[k].first_choice + pick.choice);
  s_.group_choice[group] = index;
  const bool one_cable = choice.shape != CableShape::fibre && choice.links_per_cable > 1;
  const bool splitter = choice.shape == CableShape::fibre && choice.links_per_cable > 1;
  const auto per_socket = static_cast<std::uint32_t>(choice.links_per_cable);
  const auto socket = [&](std::uint32_t link) {
    const WiredLink& l = w_.links[link];
    return choice.split_far ? std::pair(l.far, (l.far_port - 1U) / per_socket)
                            : std::pair(l.near, (l.near_port - 1U) / per_socket);
  };
  for (std::uint32_t m = begin; m < end; ++m) {
    const std::uint32_t link = g.members[m];
    LinkCable& c = plan_.links[link];
    c.choice = index;
    c.cable = link;
    c.beyond = pick.beyond && c.routed_mm > choice.limit_mm + 1e-6;
    double mm = c.routed_mm;
    if (one_cable) {
      c.cable = g.members[begin];
      mm = longest;
    } else if (splitter) {
      for (std::uint32_t o = begin; o < end; ++o)
        if (socket(g.members[o]) == socket(link)) {
          if (g.members[o] < c.cable) c.cable = g.members[o];
          mm = std::max(mm, plan_.links[g.members[o]].routed_mm);
        }
    }
    c.ordered_mm = choice.ordered_mm(mm);
  }
  // Fibres of one module.
  if (choice.shape == CableShape::fibre && end - begin > 1 && (choice.near_links > 1 || choice.far_links > 1)) {
    const Count near_per = std::max<Count>(1, s_.near_cages[k].links_per_cage),
                far_per = std::max<Count>(1, s_.far_cages[k].links_per_cage);
    std::uint32_t worst = 0;
    const std::uint32_t last = std::min(end, begin + 256);
    for (std::uint32_t m = begin; m < last; ++m)
      for (std::uint32_t o = m + 1; o < last; ++o) {
        const WiredLink &a = w_.links[g.members[m]], &b = w_.links[g.members[o]];
        const bool near =
            choice.near_links > 1 && a.near == b.near && (a.near_port - 1) / near_per == (b.near_port - 1) / near_per;
        const bool far =
            choice.far_links > 1 && a.far == b.far && (a.far_port - 1) / far_per == (b.far_port - 1) / far_per;
        if (!near && !far) continue;
        const std::uint32_t x = plan_.links[g.members[m]].ordered_mm, y = plan_.links[g.members[o]].ordered_mm;
        worst = std::max(worst, x > y ? x - y : y - x);
      }
    s_.group_skew_mm[group] = static_cast<float>(worst);
  }
}

std::int32_t& Planner::plugs_at(std::uint16_t choice, bool near, DeviceKind in, std::uint32_t rack, Count links,
                                int sign) {
  const std::size_t at = (choice * 2U + (near ? 1U : 0U)) * device_kinds + static_cast<std::size_t>(in);
  if (s_.slot_index[at] < 0) {
    s_.slot_index[at] = static_cast<std::int16_t>(s_.plugs.size());
    s_.plugs.push_back({choice, near, in, std::vector<std::int32_t>(places_.racks.size() + 1, 0), 0});
  }
  auto& slot = s_.plugs[static_cast<std::size_t>(s_.slot_index[at])];
  slot.links += sign * links;
  return slot.by_rack[rack];
}

/// Takes what a group needs off the sums or puts it on; `plan_.links` of the group still (or already) say what it is.
void Planner::count_group(std::uint32_t group, int sign, const CablePlanState& by, const DevicePlaces& places) {
  const Groups& g = *s_.groups;
  const std::uint16_t index = by.group_choice[group];
  if (index == LinkCable::no_choice) return;
  const LinkChoice& choice = plan_.choices[index];
  for (std::uint32_t m = g.first[group]; m < g.first[group + 1]; ++m) {
    const LinkCable& c = plan_.links[g.members[m]];
    const std::uint64_t key = (static_cast<std::uint64_t>(index) << 32U) | c.ordered_mm;
    if (key != last_key_ || !last_sum_) last_key_ = key, last_sum_ = &s_.cables[key];
    CableSum& sum = *last_sum_;
    sum.links += sign;
    if (c.cable != g.members[m]) continue;
    // A cable of several links is as long as the longest of them asks.
    double routed = c.routed_mm;
    if (choice.links_per_cable > 1)
      for (std::uint32_t o = m + 1; o < g.first[group + 1]; ++o)
        if (const LinkCable& other = plan_.links[g.members[o]]; other.cable == c.cable) routed = std::max(routed, other.routed_mm);
    sum.cables += sign * choice.cables_per_link;
    sum.routed_um += sign * choice.cables_per_link * static_cast<std::int64_t>(std::llround(routed * 1e3));
  }
  for (std::uint32_t c = g.first_cage[group]; c < g.first_cage[group + 1]; ++c) {
    const Groups::Cage& cage = g.cages[c];
    const DevicePlace& p = places.places[cage.device];
    const auto rack = p.drawn() ? p.rack : static_cast<std::uint32_t>(places.racks.size());
    plugs_at(index, cage.near, w_.devices[cage.device].kind, rack, cage.links, sign) += sign;
  }
}

bool Planner::move_only() {
  if (old_->spare_share != s_.spare_share || old_->dress_mm != s_.dress_mm || old_->slack != s_.slack ||
      old_->level_mm != s_.level_mm ||
      old_->places->racks.size() != places_.racks.size() || !(old_->places->places == places_.places))
    return false;
  if (old_->routes != s_.routes && !(old_->routes->graph().runs() == in_.routes->graph().runs())) return false;
  for (std::size_t i = 0; i < places_.racks.size(); ++i)
    if (old_->places->racks[i].rack != places_.racks[i].rack) return false;

  s_.ports = old_->ports;
  s_.port_of_device = old_->port_of_device;
  std::vector<bool> moved(places_.racks.size(), false);
  for (const PortPlace& p : s_.ports) {
    if (!rack_moved(p.rack)) continue;
    moved[p.rack] = true;
    // The one height of a rack must still stand for all of its ports.
    const auto [low, high] = s_.levels[p.rack];
    const auto [was_low, was_high] = old_->levels[p.rack];
    if (low != was_low || high != was_high) {
      if (p.slope == 0) return false;
      double lowest = p.height, highest = p.height;
      for (std::uint32_t d = 0; d < places_.places.size(); ++d)
        if (places_.places[d].rack == p.rack)
          lowest = std::min(lowest, places_.places[d].height_mm),
          highest = std::max(highest, places_.places[d].height_mm);
      if (p.slope < 0 ? low < highest : high > lowest) return false;
      if (p.slope > 0 && low >= highest) return false; // as from nothing: above comes first
    }
  }
  s_.offset_of_device = old_->offset_of_device;
  s_.ways = old_->ways;
  s_.way_of_link = old_->way_of_link;
  std::vector<std::uint32_t> wanted;
  std::vector<bool> dirty(s_.ways.size(), false);
  for (std::uint32_t i = 0; i < s_.ways.size(); ++i)
    if (moved[s_.ports[s_.ways[i].near].rack] || moved[s_.ports[s_.ways[i].far].rack])
      wanted.push_back(i), dirty[i] = true;
  search(wanted);

  s_.group_choice = old_->group_choice;
  s_.group_skew_mm = old_->group_skew_mm;
  s_.cables = old_->cables;
  s_.plugs = old_->plugs;
  s_.slot_index = old_->slot_index;
  plan_.links = old_plan_->links;
  const Groups& g = *s_.groups;
  std::vector<bool> touched(g.size(), false);
  std::vector<std::uint32_t> todo;
  const bool other_stand_in = old_->stand_in_mm != s_.stand_in_mm;
  for (std::size_t i = 0; i < s_.way_of_link.size(); ++i)
    if (const std::uint32_t way = s_.way_of_link[i]; way != none ? dirty[way] : other_stand_in)
      if (const std::uint32_t group = g.of_link[i]; !touched[group]) touched[group] = true, todo.push_back(group);
  if (todo.size() > g.size() / 2) return false; // from nothing each group is counted once, here twice
  for (std::size_t i = 0; i < todo.size(); ++i) {
    if (i % polled_every == 0 && stopped()) return true;
    count_group(todo[i], -1, *old_, *old_->places);
    plan_group(todo[i]);
    count_group(todo[i], 1, s_, places_);
  }
  return true;
}

void Planner::tell_cables() {
  plan_.spare_share_cables = s_.spare_share.value_or(assumed_number(catalog_, "spares.cable_fraction", 0.02));
  plan_.spare_share_modules = s_.spare_share.value_or(assumed_number(catalog_, "spares.optic_fraction", 0.02));
  std::map<std::pair<std::string, std::uint32_t>, CableRow> rows;
  // Whole micrometres: sums in an unordered map have no order of their own.
  std::map<std::pair<std::string, std::uint32_t>, std::int64_t> routed_um;
  for (const auto& [key, sum] : s_.cables) {
    if (sum.links == 0) continue;
    const LinkChoice& choice = plan_.choices[static_cast<std::size_t>(key >> 32U)];
    const auto length = static_cast<std::uint32_t>(key & 0xffffffffU);
    CableRow& row = rows[{choice.cable, length}];
    row.part = choice.cable;
    row.medium = choice.medium;
    row.ordered_mm = length;
    row.links += sum.links;
    row.cables += sum.cables;
    row.pieces += sum.cables * (choice.shape == CableShape::fibre ? choice.channel.joints / 2 + 1 : 1);
    routed_um[{choice.cable, length}] += sum.routed_um;
  }
  for (auto& [key, row] : rows) {
    row.routed_m = static_cast<double>(routed_um[key]) * 1e-6;
    row.ordered_m = static_cast<double>(row.cables) * row.ordered_mm * 1e-3;
    row.spares = static_cast<Count>(std::ceil(static_cast<double>(row.cables) * plan_.spare_share_cables - 1e-9));
    if (const CablePart* part = catalog_.find<CablePart>(row.part); part && (part->price || part->price_per_length)) {
      const double fixed = part->price ? in_dollars(*part->price) : 0.0;
      const double per_m = part->price_per_length ? part->price_per_length->value() : 0.0;
      const double all = static_cast<double>(row.cables + row.spares);
      const double pieces = row.cables > 0 ? static_cast<double>(row.pieces) / static_cast<double>(row.cables) : 1.0;
      row.price_usd = all * (fixed * pieces + per_m * row.ordered_mm * 1e-3);
    } else {
      plan_.unpriced += row.cables;
    }
    plan_.cables.push_back(std::move(row));
  }
}

void Planner::tell_modules() {
  std::map<std::pair<std::string, DeviceKind>, ModuleRow> rows;
  std::vector<RackCableLoad> loads(places_.racks.size() + 1);
  for (std::size_t i = 0; i < places_.racks.size(); ++i)
    loads[i].rack = places_.racks[i].rack;
  for (const auto& slot : s_.plugs) {
    const LinkChoice& choice = plan_.choices[slot.choice];
    Count all = 0;
    for (const std::int32_t n : slot.by_rack)
      all += n;
    if (all == 0) continue;
    const bool in_node = slot.in == DeviceKind::node || slot.in == DeviceKind::manager;
    if (choice.shape == CableShape::fibre) {
      const std::string& id = slot.near ? choice.near_optic : choice.far_optic;
      const OpticPart* part = catalog_.find<OpticPart>(id);
      const double each = part && part->power ? in_watts(*part->power) : 0.0;
      const bool known = part && part->power;
      ModuleRow& row = rows[{id, slot.in}];
      row.part = id;
      row.in = slot.in;
      row.modules += all;
      row.idle_links += all * (slot.near ? choice.near_links : choice.far_links) - slot.links;
      if (known) row.power_w = row.power_w.value_or(0.0) + each * static_cast<double>(all);
      for (std::size_t r = 0; r < slot.by_rack.size(); ++r) {
        const std::int32_t n = slot.by_rack[r];
        if (n == 0) continue;
        RackCableLoad& load = loads[r];
        load.modules += n;
        (in_node ? load.node_module_w : load.switch_module_w) += each * n;
        if (!known) load.without_power += n;
      }
    } else {
      const CablePart* part = catalog_.find<CablePart>(choice.cable);
      const bool known = part && part->power_per_end;
      double each = known ? in_watts(*part->power_per_end) : 0.0;
      if (slot.near && choice.shape == CableShape::split && part && part->medium == "acc")
        each *= assumed_number(catalog_, fmt::format("cabling.acc_split_power_share_{}", choice.links_per_cable), 1.0);
      for (std::size_t r = 0; r < slot.by_rack.size(); ++r) {
        const std::int32_t n = slot.by_rack[r];
        if (n == 0) continue;
        loads[r].cable_end_w += each * n;
        if (in_node) loads[r].node_cable_end_w += each * n;
        if (!known) loads[r].without_power += n;
      }
    }
  }
  // What joins the ends of a link that nothing of the catalog joins is not known, and neither is what it draws.
  const auto load_of = [&](std::uint32_t device) -> RackCableLoad& {
    const DevicePlace& p = places_.places[device];
    return p.drawn() ? loads[p.rack] : loads.back();
  };
  for (std::uint32_t group = 0; group < s_.group_choice.size(); ++group) {
    if (s_.group_choice[group] != LinkCable::no_choice) continue;
    for (std::uint32_t m = s_.groups->first[group]; m < s_.groups->first[group + 1]; ++m) {
      const WiredLink& l = w_.links[s_.groups->members[m]];
      ++load_of(l.near).without_power;
      ++load_of(l.far).without_power;
    }
  }
  std::map<std::string, Count> by_part;
  for (const auto& [key, row] : rows)
    by_part[key.first] += row.modules;
  std::string last;
  for (auto& [key, row] : rows) {
    if (row.part != last) // spares are of the part, whatever device it is in
      row.spares =
          static_cast<Count>(std::ceil(static_cast<double>(by_part[row.part]) * plan_.spare_share_modules - 1e-9));
    last = row.part;
    const OpticPart* part = catalog_.find<OpticPart>(row.part);
    if (part && part->price)
      row.price_usd = static_cast<double>(row.modules + row.spares) * in_dollars(*part->price);
    else
      plan_.unpriced += row.modules;
    plan_.modules.push_back(std::move(row));
  }
  // What is not drawn comes first.
  std::rotate(loads.begin(), loads.end() - 1, loads.end());
  for (RackCableLoad& load : loads)
    if (load.modules > 0 || load.cable_end_w > 0 || load.without_power > 0) plan_.racks.push_back(load);
}

void Planner::tell_links() {
  const ChannelRules rules = channel_rules(catalog_);
  std::array<LengthRow, classes> lengths;
  std::vector<MediumRow> media(plan_.choices.size());
  std::vector<std::uint32_t> longest_beyond(plan_.choices.size(), none);
  std::array<Count, classes> without{};
  std::array<std::uint32_t, classes> longest_without{};
  for (std::size_t k = 0; k < classes; ++k) {
    const auto span = w_.of_class(static_cast<LinkClass>(k));
    if (span.empty()) continue;
    const auto base = static_cast<std::uint32_t>(span.data() - w_.links.data());
    LengthRow& row = lengths[k];
    row.kind = static_cast<LinkClass>(k);
    row.longest_link = base;
    for (std::uint32_t i = base; i < base + span.size(); ++i) {
      const LinkCable& c = plan_.links[i];
      ++row.links;
      ++row.by_kind[static_cast<std::size_t>(c.how)];
      row.sum_mm += c.routed_mm;
      if (c.routed_mm > row.longest_mm) row.longest_mm = c.routed_mm, row.longest_link = i;
      if (c.choice == LinkCable::no_choice) {
        if (without[k]++ == 0 || c.routed_mm > plan_.links[longest_without[k]].routed_mm) longest_without[k] = i;
        continue;
      }
      MediumRow& m = media[c.choice];
      m.kind = row.kind;
      ++m.links;
      m.longest_mm = std::max(m.longest_mm, c.routed_mm);
      m.longest_ordered_mm = std::max(m.longest_ordered_mm, c.ordered_mm);
      if (c.beyond) {
        ++m.beyond;
        std::uint32_t& at = longest_beyond[c.choice];
        if (at == none || c.routed_mm > plan_.links[at].routed_mm) at = i;
      }
    }
    plan_.estimated_links += row.by_kind[static_cast<std::size_t>(LengthKind::estimated)];
    plan_.assumed_links += row.by_kind[static_cast<std::size_t>(LengthKind::assumed)];
    plan_.lengths.push_back(row);
    const MediumTable& table = (*s_.tables)[k];
    if (without[k] > 0)
      plan_.problems.push_back(
          {CableProblem::Kind::no_medium, row.kind, without[k], longest_without[k],
           !table.problem.empty()
               ? table.problem
               : fmt::format("cages of {} and {} do not allow a cable with plugs, and nothing else joins them",
                             s_.media[k].request.near.word, s_.media[k].request.far.word)});
    for (const std::string& note : table.notes)
      if (std::find(plan_.notes.begin(), plan_.notes.end(), note) == plan_.notes.end()) plan_.notes.push_back(note);
    if (s_.groups->shared_cages[k] > 0) {
      const bool same_modules = [&] {
        const auto first = std::find_if(media.begin(), media.end(),
                                        [&](const MediumRow& m) { return m.links > 0 && m.kind != row.kind; });
        return first == media.end();
      }();
      if (!same_modules)
        plan_.problems.push_back(
            {CableProblem::Kind::mixed_cage, row.kind, s_.groups->shared_cages[k], base,
             fmt::format("{} cage{} {} links of another class, too; both need the same kind of cable",
                         s_.groups->shared_cages[k], s_.groups->shared_cages[k] == 1 ? "" : "s",
                         s_.groups->shared_cages[k] == 1 ? "holds" : "hold")});
    }
  }
  for (std::uint16_t i = 0; i < media.size(); ++i) {
    MediumRow& m = media[i];
    if (m.links == 0) continue;
    const LinkChoice& c = plan_.choices[i];
    m.choice = i;
    const LinkClass kind = m.kind;
    if (c.shape == CableShape::fibre) {
      Channel channel = c.channel;
      channel.length_m = m.longest_ordered_mm * 1e-3;
      m.loss = channel_loss(rules, channel, c.budget);
      const OpticPart *near = catalog_.find<OpticPart>(c.near_optic), *far = catalog_.find<OpticPart>(c.far_optic);
      const CablePart* cable = catalog_.find<CablePart>(c.cable);
      if (near && far && cable && !near->connector.empty() && !far->connector.empty() && !cable->connector.empty()) {
        const auto socket = [&](const OpticPart& o) {
          const FibrePlug plug = plug_of(o.connector);
          return ModuleSocket{plug.connector, plug.polish, fibre_kind_of(o.fibre).value_or(channel.fibre)};
        };
        const FibrePlug plug = plug_of(cable->connector, cable->polish);
        const ModuleSocket of_cable{plug.connector, plug.polish, fibre_kind_of(cable->medium).value_or(channel.fibre)};
        m.chain = chain_problems(socket(*near), usual_chain(of_cable, channel.joints / 2), socket(*far));
      }
      for (const std::string& sentence : m.chain)
        plan_.problems.push_back({CableProblem::Kind::chain, kind, m.links, 0, sentence});
    }
    for (const std::string& sentence : c.problems)
      plan_.problems.push_back({CableProblem::Kind::parts, kind, m.links, 0, sentence});
    if (m.beyond > 0)
      plan_.problems.push_back(
          {CableProblem::Kind::beyond_reach, kind, m.beyond, longest_beyond[i],
           fmt::format("{} link{} {} longer than {} can be ({}); the longest takes {:.1f} m", m.beyond,
                       m.beyond == 1 ? "" : "s", m.beyond == 1 ? "is" : "are", medium_word(c.medium), c.limit_reason,
                       plan_.links[longest_beyond[i]].routed_mm * 1e-3)});
    plan_.media.push_back(std::move(m));
  }
  std::sort(plan_.media.begin(), plan_.media.end(),
            [](const MediumRow& a, const MediumRow& b) { return a.choice < b.choice; });
  float worst = 0;
  for (const float mm : s_.group_skew_mm)
    worst = std::max(worst, mm);
  plan_.worst_skew_ns = skew_ns(rules, static_cast<double>(worst) * 1e-3);
}

void Planner::tell() {
  tell_cables();
  tell_modules();
  tell_links();
  const auto all = static_cast<Count>(w_.links.size());
  if (plan_.estimated_links > 0)
    plan_.notes.push_back(fmt::format("{} of {} links are estimated along x and y: no trays join their racks",
                                      plan_.estimated_links, all));
  if (plan_.assumed_links > 0)
    plan_.notes.push_back(
        fmt::format("{} of {} links have an end that is not drawn; {:.1f} m between racks stand in, an estimate",
                    plan_.assumed_links, all, s_.stand_in_mm * 1e-3));
  plan_.notes.insert(plan_.notes.end(), places_.notes.begin(), places_.notes.end());
  if (plan_.unpriced > 0)
    plan_.notes.push_back(
        fmt::format("{} cables and modules have no price in the catalog: sums are lower bounds", plan_.unpriced));
}

CablePlan Planner::run() {
  read_inputs();
  const bool media_kept = same_media();
  if (media_kept)
    s_.tables = old_->tables;
  else
    make_tables();
  for (std::size_t k = 0; k < classes; ++k) {
    s_.media[k].first_choice = static_cast<std::uint16_t>(plan_.choices.size());
    const auto& choices = (*s_.tables)[k].choices;
    plan_.choices.insert(plan_.choices.end(), choices.begin(), choices.end());
  }
  const bool wiring_kept = old_ && old_->wiring == s_.wiring && old_->near_cages == s_.near_cages &&
                           old_->far_cages == s_.far_cages && old_->planes_in_cage == s_.planes_in_cage;
  s_.groups = wiring_kept ? old_->groups : make_groups();
  if (stopped()) return plan_;
  place_racks();
  if (!(wiring_kept && media_kept && move_only())) {
    // `move_only` may have begun.
    s_.ports.clear();
    s_.ways.clear();
    s_.cables.clear();
    last_sum_ = nullptr;
    s_.plugs.clear();
    make_ports();
    set_offsets();
    make_ways();
    if (stopped()) return plan_;
    plan_.links.assign(w_.links.size(), LinkCable{});
    s_.group_choice.assign(s_.groups->size(), LinkCable::no_choice);
    s_.group_skew_mm.assign(s_.groups->size(), 0.0F);
    s_.slot_index.assign(plan_.choices.size() * 2 * device_kinds, -1);
    for (std::uint32_t i = 0; i < s_.groups->size(); ++i) {
      if (i % polled_every == 0 && stopped()) return plan_;
      plan_group(i);
      count_group(i, 1, s_, places_);
    }
  }
  if (stopped()) return plan_;
  tell();
  plan_.state = made_;
  return std::move(plan_);
}

} // namespace

CablePlan cable_plan(const CablePlanInputs& inputs, const CablePlan* previous, const std::stop_token& stop) {
  return Planner(inputs, previous, stop).run();
}

CableWays cable_ways(const CablePlan& plan) {
  CableWays out;
  if (!plan.state) return out;
  const CablePlanState& s = *plan.state;
  out.of_link = s.way_of_link;
  out.ways.reserve(s.ways.size());
  for (const Way& w : s.ways) {
    const PortPlace &near = s.ports[w.near], &far = s.ports[w.far];
    out.ways.push_back({s.rack_places[near.rack].id, s.rack_places[far.rack].id, near.height, far.height,
                        w.kind == Way::Kind::routed});
  }
  return out;
}

std::vector<CableDemand> tray_demands(const CablePlan& plan, const Catalog& catalog) {
  if (!plan.state) return {};
  const CablePlanState& s = *plan.state;
  const std::size_t kinds = plan.choices.size();
  std::vector<std::int32_t> cables(s.ways.size() * kinds, 0);
  for (std::uint32_t i = 0; i < plan.links.size(); ++i) {
    const std::uint32_t way = s.way_of_link[i];
    const LinkCable& c = plan.links[i];
    if (way == none || c.choice == LinkCable::no_choice || s.ways[way].kind != Way::Kind::routed) continue;
    const LinkChoice& choice = plan.choices[c.choice];
    // A cable with two straight plugs is one; each leg of a splitter is one.
    if (choice.shape == CableShape::straight && c.cable != i) continue;
    cables[way * kinds + c.choice] += static_cast<std::int32_t>(choice.cables_per_link);
  }
  constexpr double quarter_pi = 0.785398163397448310;
  const double fibre_mm = assumed_mm(catalog, "cabling.diameter_fibre", 3.0);
  const double copper_mm = assumed_mm(catalog, "cabling.diameter_copper", 8.0);
  const double copper_kg_m3 = assumed_number(catalog, "cabling.density_copper", 2500.0);
  constexpr double fibre_kg_m3 = 1100.0; // plastics and aramid, as the trays of the space room count them
  std::vector<CableDemand> out;
  for (std::uint32_t w = 0; w < s.ways.size(); ++w)
    for (std::size_t k = 0; k < kinds; ++k) {
      const std::int32_t n = cables[w * kinds + k];
      if (n == 0) continue;
      const LinkChoice& choice = plan.choices[k];
      const CablePart* part = catalog.find<CablePart>(choice.cable);
      const bool copper = choice.medium == LinkMedium::passive_copper || choice.medium == LinkMedium::active_copper;
      CableDemand d;
      const PortPlace &near = s.ports[s.ways[w].near], &far = s.ports[s.ways[w].far];
      d.from = s.rack_places[near.rack].id;
      d.to = s.rack_places[far.rack].id;
      d.from_height_mm = near.height;
      d.to_height_mm = far.height;
      d.cables = n;
      d.diameter_mm = part && part->diameter ? in_millimeters(*part->diameter) : copper ? copper_mm : fibre_mm;
      d.mass_kg_m = quarter_pi * d.diameter_mm * d.diameter_mm * 1e-6 * (copper ? copper_kg_m3 : fibre_kg_m3);
      out.push_back(d);
    }
  return out;
}

} // namespace hallwright
