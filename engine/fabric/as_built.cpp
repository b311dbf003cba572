// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/as_built.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "fabric/as_built_places.h"
#include "fabric/faceplate_ports.h"

namespace hallwright {
namespace {

using namespace as_built;

constexpr std::array<std::string_view, 10> kind_words{
    "missing",     "extra",    "crossed_in_bundle", "exchanged_nodes", "exchanged_rails", "exchanged_switches",
    "wrong_plane", "degraded", "unnamed",           "absent_switch"};

/// A socket of a wrong link: the planned and the found link that meet there.
struct Socket {
  std::uint64_t key = 0;
  std::uint32_t planned = none, found = none;
};

/// Ends of a found link in the plan's terms.
struct Ends {
  std::uint64_t near = 0, far = 0;
};

constexpr std::uint64_t outside = 0x8000'0000ULL << 32; ///< sockets of devices that the plan does not have

class Comparison {
public:
  Comparison(const PlannedFabric& plan, const FoundLinks& found)
      : plan_(plan), found_(found), ends_(plan), port_(plan, found), places_(place_devices(plan, found, ends_, port_)) {
  }

  AsBuiltResult run() {
    out_.links = found_.links.size();
    out_.notes = places_.notes;
    match();
    absent_switches();
    for (std::uint32_t p = 0; p < plan_.links.size(); ++p)
      if (!absent_[plan_.links[p].near] && !absent_[plan_.links[p].far]) {
        ++out_.planned;
        out_.dark += !plan_.links[p].lit;
      }
    components();
    degraded();
    unnamed();
    std::stable_sort(out_.findings.begin(), out_.findings.end(),
                     [](const AsBuiltFinding& a, const AsBuiltFinding& b) { return a.kind < b.kind; });
    return std::move(out_);
  }

private:
  // --- found links in the plan's terms --------------------------------------------------------------------------
  void match() {
    answer_.assign(plan_.links.size(), none);
    ends_of_.resize(found_.links.size());
    wrong_.assign(found_.links.size(), 0);
    at_plan_.assign(found_.links.size(), none);
    std::vector<std::uint32_t> later;
    for (std::uint32_t i = 0; i < found_.links.size(); ++i) {
      const FoundLink& l = found_.links[i];
      if (const std::uint32_t s = places_.slot_of_link[i]; s != none) {
        const Slot& slot = places_.slots[s];
        at_plan_[i] = slot.planned;
        const bool own = slot.true_node == slot.node && slot.true_place == slot.place;
        const std::uint32_t meant =
            own ? slot.planned : places_.links_of_node[places_.first_of_node[slot.true_node] + slot.true_place];
        const PlannedLink& p = plan_.links[meant];
        const PlannedLink& at = plan_.links[slot.planned];
        ends_of_[i] = {socket_of(p.near, p.near_port), socket_of(at.far, at.far_port)};
        if (meant == slot.planned)
          take(meant, i);
        else
          wrong_[i] = 1;
        continue;
      }
      const std::uint32_t a = places_.plan_of[l.near], b = places_.plan_of[l.far];
      if (a == none || b == none) {
        later.push_back(i);
        continue;
      }
      ends_of_[i] = {socket_of(a, port_(l.near_port)), socket_of(b, port_(l.far_port))};
      const std::uint32_t end = l.near_port ? ends_.find(ends_of_[i].near) : KeyTable::none;
      if (end != KeyTable::none) {
        at_plan_[i] = end / 2;
        const PlannedLink& p = plan_.links[end / 2];
        const std::uint64_t other = end % 2 ? socket_of(p.near, p.near_port) : socket_of(p.far, p.far_port);
        // A port that the dump does not tell is taken as right when the device is.
        if ((other == ends_of_[i].far || (!l.far_port && (other >> 32) == b)) && answer_[end / 2] == none) {
          take(end / 2, i);
          continue;
        }
      } else if (!l.near_port && l.far_port) {
        const std::uint32_t back = ends_.find(ends_of_[i].far);
        if (back != KeyTable::none) {
          const PlannedLink& p = plan_.links[back / 2];
          if ((back % 2 ? p.near : p.far) == a && answer_[back / 2] == none) {
            take(back / 2, i);
            continue;
          }
        }
      }
      wrong_[i] = 1;
    }
    // A host at a port where none is planned takes a link of its node that nobody else has.
    for (std::uint32_t i : later) {
      const FoundLink& l = found_.links[i];
      ends_of_[i] = {end_of(l.near, l.near_port), end_of(l.far, l.far_port)};
      wrong_[i] = 1;
    }
  }
  void take(std::uint32_t planned, std::uint32_t link) {
    answer_[planned] = link;
    ++out_.matched;
  }
  std::uint64_t end_of(std::uint32_t device, PortKey port) {
    if (places_.plan_of[device] != none) return socket_of(places_.plan_of[device], port_(port));
    if (const std::uint32_t node = node_named(device); node != none) {
      for (std::uint32_t k = places_.first_of_node[node]; k < places_.first_of_node[node + 1]; ++k) {
        const std::uint32_t p = places_.links_of_node[k];
        const std::uint64_t socket = socket_of(node, plan_.links[p].near_port);
        if (answer_[p] == none && places_.slot_of_planned[p] == none && taken_sockets_.insert(socket).second)
          return socket;
      }
    }
    return outside | (static_cast<std::uint64_t>(device) << 32) | port;
  }
  std::uint32_t node_named(std::uint32_t device) {
    const FoundDevice& d = found_.devices[device];
    if (says_nothing(d.name)) return none;
    if (!node_names_made_) {
      for (std::uint32_t n = 0; n < plan_.devices.size(); ++n)
        if (plan_.devices[n].kind == DeviceKind::node || plan_.devices[n].kind == DeviceKind::manager)
          node_names_.emplace(plan_.devices[n].name, n);
      node_names_made_ = true;
    }
    const auto there = node_names_.find(d.name);
    return there == node_names_.end() ? none : there->second;
  }

  // --- absent switches ------------------------------------------------------------------------------------------
  void absent_switches() {
    absent_.assign(plan_.devices.size(), 0);
    std::vector<std::uint32_t> planned(plan_.devices.size(), 0);
    std::vector<char> seen(plan_.devices.size(), 0);
    for (const PlannedLink& l : plan_.links)
      if (l.lit) ++planned[l.near], ++planned[l.far];
    for (std::uint32_t i = 0; i < found_.links.size(); ++i)
      for (std::uint64_t e : {ends_of_[i].near, ends_of_[i].far})
        if (!(e & outside) && (e >> 32) < seen.size()) seen[e >> 32] = 1;
    for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
      const PlannedDevice& p = plan_.devices[d];
      if (p.kind == DeviceKind::node || p.kind == DeviceKind::manager || seen[d] || planned[d] == 0) continue;
      absent_[d] = 1;
      AsBuiltFinding f;
      f.kind = AsBuiltKind::absent_switch;
      f.where = p.name;
      f.expected = fmt::format("{} links", planned[d]);
      f.found = "none of its links is discovered";
      f.move = fmt::format("see whether {}{} is installed, powered and managed; none of its {} links answers", p.name,
                           place_text(p), planned[d]);
      for (std::uint32_t l = 0; l < plan_.links.size(); ++l)
        if (plan_.links[l].lit && (plan_.links[l].near == d || plan_.links[l].far == d)) f.planned.push_back(l);
      out_.findings.push_back(std::move(f));
    }
  }

  // --- rings and chains -----------------------------------------------------------------------------------------
  Socket& socket(std::uint64_t key) {
    std::uint32_t& at = socket_index_.at(key, static_cast<std::uint32_t>(sockets_.size()));
    if (at == sockets_.size()) sockets_.push_back({key, none, none});
    return sockets_[at];
  }

  void components() {
    for (std::uint32_t p = 0; p < plan_.links.size(); ++p) {
      const PlannedLink& l = plan_.links[p];
      if (answer_[p] != none || absent_[l.near] || absent_[l.far]) continue;
      // What is built and not lit takes part only where a found link touches it; it is no finding of its own.
      socket(socket_of(l.near, l.near_port)).planned = p;
      socket(socket_of(l.far, l.far_port)).planned = p;
    }
    for (std::uint32_t i = 0; i < found_.links.size(); ++i) {
      if (!wrong_[i]) continue;
      Socket& a = socket(ends_of_[i].near);
      const bool near_free = a.found == none;
      if (near_free) a.found = i;
      Socket& b = socket(ends_of_[i].far);
      if (near_free && b.found == none) {
        b.found = i;
        continue;
      }
      if (near_free) socket(ends_of_[i].near).found = none;
      extra(i); // a second link at one port
    }
    std::vector<char> seen(sockets_.size(), 0);
    // Chains from their ends, then rings.
    for (bool rings : {false, true})
      for (std::uint32_t s = 0; s < sockets_.size(); ++s) {
        if (seen[s]) continue;
        if (!rings && sockets_[s].planned != none && sockets_[s].found != none) continue;
        walk(s, seen);
      }
  }

  [[nodiscard]] std::uint32_t across(std::uint32_t s, bool planned) const {
    const Socket& at = sockets_[s];
    std::uint64_t other = 0;
    if (planned) {
      const PlannedLink& p = plan_.links[at.planned];
      const std::uint64_t near = socket_of(p.near, p.near_port);
      other = near == at.key ? socket_of(p.far, p.far_port) : near;
    } else {
      other = ends_of_[at.found].near == at.key ? ends_of_[at.found].far : ends_of_[at.found].near;
    }
    return socket_index_.find(other);
  }

  void walk(std::uint32_t start, std::vector<char>& seen) {
    std::vector<std::uint32_t> path; // sockets in turn
    bool planned = sockets_[start].planned != none;
    const bool first_planned = planned;
    bool ring = false;
    for (std::uint32_t s = start; s != KeyTable::none;) {
      if (seen[s]) {
        ring = s == start && path.size() > 1;
        break;
      }
      seen[s] = 1;
      path.push_back(s);
      if ((planned ? sockets_[s].planned : sockets_[s].found) == none) break;
      s = across(s, planned);
      planned = !planned;
    }
    tell(path, first_planned, ring);
  }

  /// One ring or chain. Edge i joins sockets i and i + 1; planned and found edges take turns.
  void tell(const std::vector<std::uint32_t>& path, bool first_planned, bool ring) {
    const std::size_t n = path.size(), edges = ring ? n : n - 1;
    const auto is_planned = [&](std::size_t edge) { return (edge % 2 == 0) == first_planned; };
    struct Cable {
      std::uint32_t found;
      std::uint32_t from, to, fixed; ///< sockets; `to` none: no planned link for it
      std::uint32_t planned;
    };
    // Moving the plugs of one parity: the other plug of each cable stays and says which planned link it becomes.
    const auto plan_moves = [&](std::size_t parity) {
      std::vector<Cable> cables;
      for (std::size_t e = 0; e < edges; ++e) {
        if (is_planned(e)) continue;
        const std::size_t a = e, b = (e + 1) % n;
        const bool move_a = a % 2 == parity;
        const std::size_t moved = move_a ? a : b, fixed = move_a ? b : a;
        Cable c{sockets_[path[a]].found, path[moved], none, path[fixed], none};
        // The planned edge at the fixed socket.
        const std::size_t next = move_a ? e + 1 : e + edges - 1;
        const bool there = ring || (move_a ? e + 1 < edges : e > 0);
        if (there) {
          const std::size_t edge = next % edges;
          c.planned = sockets_[path[fixed]].planned;
          c.to = path[move_a ? (edge + 1) % n : edge];
        }
        cables.push_back(c);
      }
      return cables;
    };
    std::vector<Cable> best;
    std::tuple<std::size_t, std::size_t, std::size_t> best_cost{~std::size_t{0}, 0, 0};
    for (std::size_t parity : {std::size_t{0}, std::size_t{1}}) {
      auto cables = plan_moves(parity);
      std::set<std::uint64_t> devices;
      std::size_t idle = 0, rank = 0;
      for (const Cable& c : cables) {
        devices.insert(sockets_[c.from].key >> 32);
        if (c.to == none)
          ++idle;
        else
          devices.insert(sockets_[c.to].key >> 32);
        const std::uint64_t d = sockets_[c.from].key >> 32;
        rank += d < plan_.devices.size() ? static_cast<std::size_t>(plan_.devices[d].kind) : 9;
      }
      const std::tuple<std::size_t, std::size_t, std::size_t> cost{idle, devices.size(), rank};
      if (cost < best_cost) best_cost = cost, best = std::move(cables);
    }
    std::vector<Cable> moved;
    std::set<std::uint32_t> given;
    for (const Cable& c : best) {
      if (c.to == none)
        extra(c.found);
      else
        moved.push_back(c), given.insert(c.planned);
    }
    for (std::size_t e = 0; e < edges; ++e)
      if (is_planned(e))
        if (const std::uint32_t p = sockets_[path[e]].planned; !given.contains(p) && plan_.links[p].lit) missing(p);
    if (moved.empty()) return;
    AsBuiltFinding f;
    const auto pair_at = [&](std::uint32_t s) { return sockets_[s].planned; };
    f.kind = AsBuiltKind::crossed_in_bundle;
    const auto worse = [&](AsBuiltKind k) {
      constexpr auto order = [](AsBuiltKind x) {
        return x == AsBuiltKind::crossed_in_bundle    ? 0
               : x == AsBuiltKind::exchanged_switches ? 1
               : x == AsBuiltKind::exchanged_nodes    ? 2
               : x == AsBuiltKind::exchanged_rails    ? 3
                                                      : 4;
      };
      if (order(k) > order(f.kind)) f.kind = k;
    };
    for (const Cable& c : moved) {
      const PlannedLink& p = plan_.links[c.planned];
      const std::uint32_t q = pair_at(c.from);
      const std::uint64_t from_device = sockets_[c.from].key >> 32, fixed_device = sockets_[c.fixed].key >> 32;
      const bool same_pair =
          (from_device == p.near && fixed_device == p.far) || (from_device == p.far && fixed_device == p.near);
      if (q != none) {
        const PlannedLink& r = plan_.links[q];
        if (r.near == p.near && r.far == p.far)
          worse(AsBuiltKind::crossed_in_bundle);
        else if (plane_of(r) != plane_of(p))
          worse(AsBuiltKind::wrong_plane);
        else if (p.kind == LinkClass::node_leaf && r.kind == LinkClass::node_leaf)
          worse(rail_of(q) != rail_of(c.planned) ? AsBuiltKind::exchanged_rails : AsBuiltKind::exchanged_nodes);
        else
          worse(AsBuiltKind::exchanged_switches);
      } else if (same_pair) {
        worse(AsBuiltKind::crossed_in_bundle);
      } else {
        const std::uint64_t to_device = sockets_[c.to].key >> 32;
        const auto plane = [&](std::uint64_t d) { return d < plan_.devices.size() ? plan_.devices[d].plane : -1; };
        if (plane(from_device) != plane(to_device))
          worse(AsBuiltKind::wrong_plane);
        else if (p.kind != LinkClass::node_leaf)
          worse(AsBuiltKind::exchanged_switches);
        else
          worse(from_device != to_device && to_device == p.far ? AsBuiltKind::exchanged_rails
                                                               : AsBuiltKind::exchanged_nodes);
      }
    }
    out_.plug_moves += moved.size();
    std::sort(moved.begin(), moved.end(),
              [&](const Cable& a, const Cable& b) { return sockets_[a.from].key < sockets_[b.from].key; });
    const auto join = [](std::string& text, const std::string& more, const char* between = ", ") {
      text += (text.empty() ? "" : between) + more;
    };
    for (const Cable& c : moved) {
      const PlannedLink& p = plan_.links[c.planned];
      join(f.where, socket_text(sockets_[c.from].key));
      join(f.far, socket_text(sockets_[c.fixed].key));
      // What should be at the socket from which the plug is taken, and what is.
      if (const std::uint32_t q = pair_at(c.from); q != none) {
        const PlannedLink& r = plan_.links[q];
        const std::uint64_t near = socket_of(r.near, r.near_port);
        join(f.expected, fmt::format("{} - {}", socket_text(sockets_[c.from].key),
                                     socket_text(near == sockets_[c.from].key ? socket_of(r.far, r.far_port) : near)));
      } else {
        join(f.expected, fmt::format("{} - nothing", socket_text(sockets_[c.from].key)));
      }
      join(f.found,
           fmt::format("{} - {}", socket_text(sockets_[c.from].key), found_text(c.found, sockets_[c.fixed].key)));
      const std::uint64_t device = sockets_[c.from].key >> 32;
      PlugMove m{socket_text(sockets_[c.from].key), socket_text(sockets_[c.to].key), {}, {}, plan_.labels[p.label]};
      if (device < plan_.devices.size())
        m.rack = plan_.devices[device].rack, m.unit_place = plan_.devices[device].unit_place;
      f.moves.push_back(std::move(m));
      f.planned.push_back(c.planned);
      f.links.push_back(c.found);
      f.lines.push_back(found_.links[c.found].line);
      if (const std::uint32_t s = places_.slot_of_link[c.found]; s != none) f.estimate |= places_.slots[s].estimate;
    }
    f.move = move_sentence(f);
    for (const Cable& c : moved)
      if (const std::uint32_t s = places_.slot_of_link[c.found]; s != none && places_.slots[s].either_rail) {
        const Slot& slot = places_.slots[s];
        const std::uint32_t other = places_.links_of_node[places_.first_of_node[slot.node] + slot.other_place];
        f.move += fmt::format("; or the same exchange on {}: identities tell only that the boards of both do not agree",
                              plan_.devices[plan_.links[other].far].name);
        join(f.far, plan_.devices[plan_.links[other].far].name, "; other rail ");
        break;
      }
    if (f.estimate) f.move += "; an estimate, for one of the adapters has no name: read its identity before pulling";
    out_.findings.push_back(std::move(f));
  }

  [[nodiscard]] std::string move_sentence(const AsBuiltFinding& f) const {
    std::string at;
    if (!f.moves.front().rack.empty()) {
      at = fmt::format(" (rack {}{})", f.moves.front().rack,
                       f.moves.front().unit_place.empty() ? "" : ", U " + f.moves.front().unit_place);
    }
    std::string labels;
    for (const PlugMove& m : f.moves)
      if (!m.label.empty()) labels += (labels.empty() ? "; labels " : ", ") + m.label;
    if (f.moves.size() == 2 && f.moves[0].to == f.moves[1].from && f.moves[1].to == f.moves[0].from)
      return fmt::format("exchange the plugs in {} and {}{}{}", f.moves[0].from, f.moves[1].from, at, labels);
    if (f.moves.size() == 1)
      return fmt::format("move the plug from {} to {}{}{}", f.moves[0].from, f.moves[0].to, at, labels);
    std::string all;
    for (const PlugMove& m : f.moves)
      all += (all.empty() ? "" : ", ") + m.from + " to " + m.to;
    return fmt::format("move {} plugs: {}{}{}", f.moves.size(), all, at, labels);
  }

  void missing(std::uint32_t p) {
    const PlannedLink& l = plan_.links[p];
    AsBuiltFinding f;
    f.kind = AsBuiltKind::missing;
    const bool node = l.kind == LinkClass::node_leaf;
    // The switch that tells about the port comes first.
    const std::uint64_t near = socket_of(l.near, l.near_port), far = socket_of(l.far, l.far_port);
    f.where = socket_text(node ? far : near);
    f.far = socket_text(node ? near : far);
    f.expected = fmt::format("{} - {}", f.where, f.far);
    f.found = "nothing";
    const PlannedDevice& at = plan_.devices[node ? l.far : l.near];
    if (const std::uint32_t dark = dark_at(l); dark != none)
      f.found = fmt::format("a dark port{}{}", found_.dark[dark].message ? ": " : "",
                            found_.dark[dark].message ? found_.messages[found_.dark[dark].message] : "");
    bool all_dark = node;
    std::size_t places = 0;
    if (node)
      for (std::uint32_t k = places_.first_of_node[l.near]; k < places_.first_of_node[l.near + 1]; ++k) {
        const std::uint32_t other = places_.links_of_node[k];
        if (!plan_.links[other].lit || absent_[plan_.links[other].far]) continue;
        ++places;
        all_dark = all_dark && answer_[other] == none && places_.slot_of_planned[other] == none;
      }
    const std::string label = l.label ? "; label " + plan_.labels[l.label] : std::string();
    if (all_dark && places > 1) {
      f.found += fmt::format("; {} is dark on all its {} links", plan_.devices[l.near].name, places);
      f.move = fmt::format("see whether {} is there and has booted before looking at cables{}",
                           plan_.devices[l.near].name, label);
    } else {
      f.move = fmt::format("check or lay the cable {} - {}{}{}", f.where, f.far, place_text(at), label);
    }
    f.moves.push_back({{}, f.where, at.rack, at.unit_place, plan_.labels[l.label]});
    f.planned.push_back(p);
    out_.findings.push_back(std::move(f));
  }

  void extra(std::uint32_t i) {
    const FoundLink& l = found_.links[i];
    AsBuiltFinding f;
    f.kind = AsBuiltKind::extra;
    const bool turn = (ends_of_[i].near & outside) && !(ends_of_[i].far & outside);
    const std::uint64_t near = turn ? ends_of_[i].far : ends_of_[i].near,
                        far = turn ? ends_of_[i].near : ends_of_[i].far;
    f.where = (near & outside) ? found_end(i, turn) : socket_text(near);
    f.far = found_text(i, far);
    f.expected = fmt::format("{} - nothing", f.where);
    f.found = fmt::format("{} - {}", f.where, f.far);
    f.move = fmt::format("take out the cable {} - {}, or add it to the plan", f.where, f.far);
    f.moves.push_back({f.where, {}, {}, {}, {}});
    f.links.push_back(i);
    f.lines.push_back(l.line);
    out_.findings.push_back(std::move(f));
  }

  /// The dark port, if the dump tells about one at either end.
  std::uint32_t dark_at(const PlannedLink& l) {
    if (found_.dark.empty()) return none;
    if (!darks_made_) {
      for (std::uint32_t i = 0; i < found_.dark.size(); ++i) {
        const std::uint32_t d = places_.plan_of[found_.dark[i].near];
        if (d != none && found_.dark[i].near_port) darks_.at(socket_of(d, port_(found_.dark[i].near_port)), i);
      }
      darks_made_ = true;
    }
    for (std::uint64_t key : {socket_of(l.near, l.near_port), socket_of(l.far, l.far_port)})
      if (const std::uint32_t i = darks_.find(key); i != KeyTable::none) return i;
    return none;
  }

  // --- width, rate, names ---------------------------------------------------------------------------------------
  void degraded() {
    // What most links of a class have is what all should have, unless the plan says.
    struct Rate {
      std::uint8_t lanes = 0;
      float gbps = 0.0F;
      std::size_t links = 0;
    };
    std::vector<Rate> kinds[8];
    std::vector<std::uint8_t> class_of(found_.links.size(), 7);
    for (std::uint32_t i = 0; i < found_.links.size(); ++i) {
      const FoundLink& l = found_.links[i];
      if (at_plan_[i] != none) class_of[i] = static_cast<std::uint8_t>(plan_.links[at_plan_[i]].kind);
      if (!l.lanes || !(l.lane_gbps > 0)) continue;
      auto& list = kinds[class_of[i]];
      auto at = std::find_if(list.begin(), list.end(),
                             [&](const Rate& r) { return r.lanes == l.lanes && r.gbps == l.lane_gbps; });
      if (at == list.end()) at = list.insert(at, {l.lanes, l.lane_gbps, 0});
      ++at->links;
    }
    std::pair<int, float> usual[8] = {};
    for (int c = 0; c < 8; ++c) {
      std::size_t sum = 0, most = 0;
      for (const Rate& r : kinds[c]) {
        sum += r.links;
        if (r.links > most) most = r.links, usual[c] = {r.lanes, r.gbps};
      }
      if (most * 10 < sum * 8 || sum < 4) usual[c] = {};
    }
    for (std::uint32_t i = 0; i < found_.links.size(); ++i) {
      const FoundLink& l = found_.links[i];
      if (!l.message && !l.lanes) continue;
      std::pair<int, float> wanted = usual[class_of[i]];
      if (at_plan_[i] != none && plan_.links[at_plan_[i]].lanes)
        wanted = {plan_.links[at_plan_[i]].lanes, plan_.links[at_plan_[i]].lane_gbps};
      const bool could = l.message && found_.messages[l.message].find("Could be") != std::string::npos;
      const bool less = l.lanes && l.lane_gbps > 0 && wanted.first &&
                        (l.lanes * l.lane_gbps < 0.99F * static_cast<float>(wanted.first) * wanted.second);
      if (!could && !less) continue;
      AsBuiltFinding f;
      f.kind = AsBuiltKind::degraded;
      f.where = found_end(i, false);
      f.far = found_end(i, true);
      if (found_.devices[l.near].kind == FoundKind::host) std::swap(f.where, f.far);
      f.found = l.lanes ? rate_text(l.lanes, l.lane_gbps) : std::string("a lower rate");
      if (could) f.found += fmt::format(" ({})", found_.messages[l.message]);
      f.expected = less ? rate_text(wanted.first, wanted.second) : could ? found_.messages[l.message] : std::string();
      f.move = fmt::format("clean and seat again both plugs of {} - {}; then change cable or module", f.where, f.far);
      f.links.push_back(i);
      f.lines.push_back(l.line);
      out_.findings.push_back(std::move(f));
    }
  }

  void unnamed() {
    std::size_t nameless = 0, hosts = 0;
    for (const Slot& s : places_.slots) {
      ++hosts;
      nameless += !s.named;
    }
    std::size_t nameless_switches = 0, switches = 0;
    for (std::uint32_t f = 0; f < found_.devices.size(); ++f)
      if (places_.plan_of[f] != none) {
        ++switches;
        nameless_switches += says_nothing(found_.devices[f].name);
      }
    const auto all = [&](std::size_t n, const char* what) {
      AsBuiltFinding f;
      f.kind = AsBuiltKind::unnamed;
      f.where = fmt::format("all {} {}", n, what);
      f.expected = "names";
      f.found = "none has a name; identities and ports alone were compared";
      f.move = fmt::format("set node descriptions of the {}", what);
      out_.findings.push_back(std::move(f));
    };
    if (hosts > 1 && nameless == hosts) all(hosts, "adapters");
    if (switches > 1 && nameless_switches == switches) all(switches, "switches");
    for (std::uint32_t i = 0; i < places_.slots.size(); ++i) {
      const Slot& s = places_.slots[i];
      if (s.named ? !s.misnamed : nameless == hosts && hosts > 1) continue;
      const PlannedLink& p = plan_.links[s.planned];
      const PlannedLink& is = plan_.links[places_.links_of_node[places_.first_of_node[s.true_node] + s.true_place]];
      AsBuiltFinding f;
      f.kind = AsBuiltKind::unnamed;
      f.where = socket_text(socket_of(p.far, p.far_port));
      f.far = found_name(s.host);
      f.expected = plan_.devices[is.near].name;
      const FoundDevice& d = found_.devices[s.host];
      f.found = s.named          ? fmt::format("the name {}", found_name(s.host))
                : d.name.empty() ? "no name"
                                 : fmt::format("the name \"{}\"", d.name);
      const std::string by = d.guid ? fmt::format("adapter {:016x}", d.guid) : fmt::format("adapter at {}", f.where);
      f.move = s.named ? fmt::format("{} stands where {} should: correct its name", by, plan_.devices[is.near].name)
                       : fmt::format("set the node description of {}; by its place it is of {}", by,
                                     plan_.devices[is.near].name);
      f.links.push_back(s.link);
      f.lines.push_back(d.line);
      f.planned.push_back(s.planned);
      out_.findings.push_back(std::move(f));
    }
    if (nameless_switches == switches && switches > 1) return;
    for (std::uint32_t d : places_.renamed_switches) {
      AsBuiltFinding f;
      f.kind = AsBuiltKind::unnamed;
      f.where = found_.device_text(d);
      f.expected = plan_.devices[places_.plan_of[d]].name;
      f.found = says_nothing(found_.devices[d].name) ? "no name" : fmt::format("the name {}", found_.devices[d].name);
      f.move = fmt::format("name it {}: its links are that switch's", f.expected);
      f.lines.push_back(found_.devices[d].line);
      out_.findings.push_back(std::move(f));
    }
  }

  // --- texts ----------------------------------------------------------------------------------------------------
  [[nodiscard]] static std::string place_text(const PlannedDevice& d) {
    if (d.rack.empty()) return {};
    return fmt::format(" (rack {}{})", d.rack, d.unit_place.empty() ? "" : ", U " + d.unit_place);
  }
  [[nodiscard]] std::string socket_text(std::uint64_t key) const {
    const auto port = static_cast<PortKey>(key);
    if (key & outside) {
      const auto device = static_cast<std::uint32_t>((key & ~outside) >> 32);
      return fmt::format("{}:{}", found_name(device), found_.port_text(port));
    }
    const auto device = static_cast<std::uint32_t>(key >> 32);
    if ((port & named_port) && (port & ~named_port) >= plan_.port_names.size()) // a port that only the dump names
      return fmt::format("{}:{}", plan_.devices[device].name,
                         found_.port_names[(port & ~named_port) - plan_.port_names.size()]);
    return plan_.end_text(device, port);
  }
  [[nodiscard]] std::string found_name(std::uint32_t device) const {
    const FoundDevice& d = found_.devices[device];
    std::string name = found_.device_text(device);
    return d.adapter.empty() ? name : name + " " + d.adapter;
  }
  [[nodiscard]] std::string found_end(std::uint32_t link, bool far) const {
    const FoundLink& l = found_.links[link];
    return fmt::format("{}:{}", found_name(far ? l.far : l.near), found_.port_text(far ? l.far_port : l.near_port));
  }
  /// What the dump calls the end of a link that the plan knows as this socket.
  [[nodiscard]] std::string found_text(std::uint32_t link, std::uint64_t key) const {
    const bool far = ends_of_[link].far == key;
    const std::uint32_t device = far ? found_.links[link].far : found_.links[link].near;
    if (places_.plan_of[device] != none) return socket_text(key);
    return found_end(link, far);
  }

  [[nodiscard]] int plane_of(const PlannedLink& l) const {
    if (l.plane >= 0) return l.plane;
    return std::max(plan_.devices[l.near].plane, plan_.devices[l.far].plane);
  }
  /// Rail of a node's link: told, or which of the node's links it is.
  [[nodiscard]] int rail_of(std::uint32_t p) const {
    return plan_.links[p].rail >= 0 ? plan_.links[p].rail : static_cast<int>(places_.place_of_link[p]);
  }

  const PlannedFabric& plan_;
  const FoundLinks& found_;
  PlannedEnds ends_;
  PortTranslation port_;
  Places places_;
  AsBuiltResult out_;
  std::vector<std::uint32_t> answer_;  ///< by planned link: found link
  std::vector<Ends> ends_of_;          ///< by found link
  std::vector<std::uint32_t> at_plan_; ///< by found link: the planned link at its near end, or at the switch of a host
  std::vector<char> wrong_, absent_;
  std::vector<Socket> sockets_;
  KeyTable socket_index_, darks_;
  bool darks_made_ = false, node_names_made_ = false;
  std::map<std::string, std::uint32_t> node_names_;
  std::set<std::uint64_t> taken_sockets_;
};

} // namespace

std::string_view as_built_word(AsBuiltKind kind) { return kind_words[static_cast<std::size_t>(kind)]; }

std::string PlannedFabric::port_text(PortKey port) const {
  if (port == 0) return "?";
  return port & named_port ? port_names[port & ~named_port] : std::to_string(port);
}

std::string PlannedFabric::end_text(std::uint32_t device, PortKey port) const {
  return devices[device].name + ":" + port_text(port);
}

std::size_t AsBuiltResult::count(AsBuiltKind kind) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](const AsBuiltFinding& f) { return f.kind == kind; }));
}

AsBuiltResult compare_as_built(const PlannedFabric& plan, const FoundLinks& found) {
  if (found.port_names.size() <= 1) return Comparison(plan, found).run();
  const FoundLinks numbered = with_port_numbers(found, plan);
  return Comparison(plan, numbered).run();
}

} // namespace hallwright
