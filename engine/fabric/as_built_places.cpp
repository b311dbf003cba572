// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/as_built_places.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hallwright::as_built {
namespace {

/// Small letters; blanks, underscores and dashes are one.
std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
    else if (c == ' ' || c == '_')
      c = '-';
  return out;
}

/// Planned devices by name, without regard to case and to how words are joined.
class Names {
public:
  explicit Names(const PlannedFabric& plan) : plan_(plan), table_(plan.devices.size()) {
    for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
      if (plan.devices[d].name.empty()) continue;
      table_.at(KeyTable::key_of(lower(plan.devices[d].name)), d);
    }
  }
  [[nodiscard]] std::uint32_t find(std::string_view name) const {
    const std::string low = lower(name);
    std::uint32_t d = table_.find(KeyTable::key_of(low));
    if (d != KeyTable::none && lower(plan_.devices[d].name) == low) return d;
    if (const auto dot = low.find('.'); dot != std::string::npos && dot > 0) { // without the domain
      d = table_.find(KeyTable::key_of(std::string_view(low).substr(0, dot)));
      if (d != KeyTable::none && lower(plan_.devices[d].name) == std::string_view(low).substr(0, dot)) return d;
    }
    return none;
  }

private:
  const PlannedFabric& plan_;
  KeyTable table_;
};

bool is_node(DeviceKind kind) { return kind == DeviceKind::node || kind == DeviceKind::manager; }

class Placing {
public:
  Placing(const PlannedFabric& plan, const FoundLinks& found, const PlannedEnds& ends, const PortTranslation& port)
      : plan_(plan), found_(found), ends_(ends), port_(port) {}

  Places run() {
    order_links_of_nodes();
    name_devices();
    place_switches();
    make_slots();
    learn_node_names();
    learn_labels();
    learn_boards();
    follow_boards();
    settle_names();
    follow_nearness();
    return std::move(out_);
  }

private:
  // --- plan ---------------------------------------------------------------------------------------------------
  void order_links_of_nodes() {
    const auto devices = plan_.devices.size();
    out_.first_of_node.assign(devices + 1, 0);
    for (const PlannedLink& l : plan_.links)
      ++out_.first_of_node[l.near + 1];
    for (std::size_t d = 0; d < devices; ++d)
      out_.first_of_node[d + 1] += out_.first_of_node[d];
    out_.links_of_node.resize(plan_.links.size());
    auto at = out_.first_of_node;
    for (std::uint32_t l = 0; l < plan_.links.size(); ++l)
      out_.links_of_node[at[plan_.links[l].near]++] = l;
    out_.place_of_link.assign(plan_.links.size(), 0);
    for (std::size_t d = 0; d < devices; ++d) {
      const auto begin = out_.links_of_node.begin() + out_.first_of_node[d],
                 end = out_.links_of_node.begin() + out_.first_of_node[d + 1];
      const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return plan_.links[a].near_port < plan_.links[b].near_port;
      };
      if (!std::is_sorted(begin, end, before)) std::sort(begin, end, before);
      for (auto i = begin; i != end; ++i)
        out_.place_of_link[*i] = static_cast<std::uint32_t>(i - begin);
    }
  }
  [[nodiscard]] std::uint32_t places_of(std::uint32_t node) const {
    return out_.first_of_node[node + 1] - out_.first_of_node[node];
  }
  [[nodiscard]] std::uint32_t planned_at(std::uint32_t node, std::uint32_t place) const {
    return out_.links_of_node[out_.first_of_node[node] + place];
  }
  /// Slot at a node's place; none when nothing is plugged there.
  [[nodiscard]] std::uint32_t slot_at(std::uint32_t node, std::uint32_t place) const {
    return place < places_of(node) ? out_.slot_of_planned[planned_at(node, place)] : none;
  }

  // --- switches -----------------------------------------------------------------------------------------------
  void name_devices() {
    // What is asked of every link, side by side in memory.
    node_.resize(plan_.devices.size());
    for (std::size_t d = 0; d < plan_.devices.size(); ++d)
      node_[d] = is_node(plan_.devices[d].kind);
    kind_.resize(found_.devices.size());
    named_.resize(found_.devices.size());
    guid_.resize(found_.devices.size());
    adapter_.assign(found_.devices.size(), 0);
    KeyTable adapters;
    for (std::size_t f = 0; f < found_.devices.size(); ++f) {
      const FoundDevice& d = found_.devices[f];
      kind_[f] = d.kind;
      named_[f] = !says_nothing(d.name);
      guid_[f] = d.guid;
      if (!d.adapter.empty())
        adapter_[f] = adapters.at(KeyTable::key_of(d.adapter), static_cast<std::uint32_t>(adapters.size() + 1));
    }
    const Names names(plan_);
    out_.plan_of.assign(found_.devices.size(), none);
    std::vector<std::uint32_t> taken(plan_.devices.size(), none);
    for (std::uint32_t p = 0; p < plan_.devices.size(); ++p)
      if (const std::uint32_t f = plan_.devices[p].found; f != no_device && f < found_.devices.size()) {
        out_.plan_of[f] = p;
        taken[p] = f;
      }
    name_node_.assign(found_.devices.size(), none);
    for (std::uint32_t f = 0; f < found_.devices.size(); ++f) {
      const FoundDevice& d = found_.devices[f];
      if (out_.plan_of[f] != none || (!named_[f] && !d.guid)) continue;
      const std::uint32_t p = names.find(named_[f] ? d.name : found_.device_text(f)); // a plan may name identities
      if (p == none) continue;
      if (is_node(plan_.devices[p].kind)) {
        if (d.kind != FoundKind::network_switch) name_node_[f] = p;
      } else if (d.kind != FoundKind::host) {
        if (taken[p] == none) {
          out_.plan_of[f] = p;
          taken[p] = f;
        } else {
          out_.notes.push_back(
              fmt::format("two devices are named {}: lines {} and {}; the second is placed by its links", d.name,
                          found_.devices[taken[p]].line, d.line));
        }
      }
    }
    taken_ = std::move(taken);
  }

  [[nodiscard]] bool may_be_switch(std::uint32_t f) const {
    return kind_[f] == FoundKind::network_switch || kind_[f] == FoundKind::router ||
           (kind_[f] == FoundKind::unknown && name_node_[f] == none);
  }

  /// Switches that names do not place go where the links around them say: most of them must agree.
  void place_switches() {
    std::vector<std::uint32_t> open;
    std::size_t switches = 0;
    for (std::uint32_t f = 0; f < found_.devices.size(); ++f) {
      if (!may_be_switch(f)) continue;
      ++switches;
      if (out_.plan_of[f] == none) open.push_back(f);
    }
    if (open.empty()) return;
    if (open.size() * 2 > switches) place_by_port_pairs();
    for (int round = 0; round < 4; ++round) {
      std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> votes;
      for (const FoundLink& l : found_.links) {
        const auto vote = [&](std::uint32_t f, PortKey own, std::uint32_t peer, PortKey peer_port) {
          if (out_.plan_of[f] != none || !may_be_switch(f) || out_.plan_of[peer] == none || !peer_port) return;
          const std::uint32_t end = ends_.find(socket_of(out_.plan_of[peer], port_(peer_port)));
          if (end == KeyTable::none) return;
          const PlannedLink& p = plan_.links[end / 2];
          const std::uint32_t other = end % 2 ? p.near : p.far;
          if (is_node(plan_.devices[other].kind)) return;
          // The own port agreeing as well counts more.
          votes[f][other] += (end % 2 ? p.near_port : p.far_port) == port_(own) ? 4 : 1;
        };
        vote(l.near, l.near_port, l.far, l.far_port);
        vote(l.far, l.far_port, l.near, l.near_port);
      }
      bool placed = false;
      for (const auto& [f, by] : votes) {
        std::uint32_t best = none, most = 0, sum = 0;
        for (const auto& [p, n] : by) {
          sum += n;
          if (n > most) most = n, best = p;
        }
        if (most >= 2 && most * 2 > sum && taken_[best] == none) {
          take_place(f, best);
          placed = true;
        }
      }
      if (!placed) break;
    }
  }
  void take_place(std::uint32_t f, std::uint32_t p) {
    out_.plan_of[f] = p;
    taken_[p] = f;
    out_.renamed_switches.push_back(f);
  }

  /// When hardly a switch is known by name: a pair of ports between switches often tells both ends in a regular plan.
  void place_by_port_pairs() {
    std::map<std::pair<PortKey, PortKey>, std::vector<std::uint32_t>> pairs;
    for (std::uint32_t l = 0; l < plan_.links.size(); ++l) {
      const PlannedLink& p = plan_.links[l];
      if (p.kind == LinkClass::node_leaf) continue;
      auto& list = pairs[{p.near_port, p.far_port}];
      if (list.size() < 5) list.push_back(l);
    }
    std::map<std::uint32_t, std::map<std::uint32_t, double>> votes;
    for (const FoundLink& l : found_.links) {
      if (!may_be_switch(l.near) || !may_be_switch(l.far)) continue;
      for (bool turned : {false, true}) {
        const PortKey a = port_(turned ? l.far_port : l.near_port), b = port_(turned ? l.near_port : l.far_port);
        const auto list = pairs.find({a, b});
        if (list == pairs.end() || list->second.size() > 4) continue;
        for (std::uint32_t p : list->second) {
          const double weight = 1.0 / static_cast<double>(list->second.size());
          votes[turned ? l.far : l.near][plan_.links[p].near] += weight;
          votes[turned ? l.near : l.far][plan_.links[p].far] += weight;
        }
      }
    }
    struct Claim {
      double share;
      std::uint32_t f, p;
    };
    std::vector<Claim> claims;
    for (const auto& [f, by] : votes) {
      double sum = 0.0, most = 0.0;
      std::uint32_t best = none;
      for (const auto& [p, n] : by) {
        sum += n;
        if (n > most) most = n, best = p;
      }
      if (most >= 2.0 && most > 0.6 * sum) claims.push_back({most / sum, f, best});
    }
    std::sort(claims.begin(), claims.end(),
              [](const Claim& a, const Claim& b) { return a.share != b.share ? a.share > b.share : a.f < b.f; });
    for (const Claim& c : claims)
      if (out_.plan_of[c.f] == none && taken_[c.p] == none) take_place(c.f, c.p);
  }

  // --- hosts at their sockets ---------------------------------------------------------------------------------
  void make_slots() {
    out_.slot_of_link.assign(found_.links.size(), none);
    out_.slot_of_planned.assign(plan_.links.size(), none);
    std::vector<std::uint16_t> degree(found_.devices.size(), 0);
    for (const FoundLink& l : found_.links)
      for (std::uint32_t d : {l.near, l.far})
        degree[d] = static_cast<std::uint16_t>(std::min(degree[d] + 1, 60'000));
    for (std::uint32_t i = 0; i < found_.links.size(); ++i) {
      const FoundLink& l = found_.links[i];
      const auto at = [&](std::uint32_t s, PortKey s_port, std::uint32_t h, PortKey h_port) {
        const std::uint32_t device = out_.plan_of[s];
        if (device == none || !s_port || out_.plan_of[h] != none || kind_[h] == FoundKind::network_switch) return false;
        const std::uint32_t end = ends_.find(socket_of(device, port_(s_port)));
        if (end == KeyTable::none || end % 2 == 0 || !node_[plan_.links[end / 2].near]) return false;
        Slot s_;
        s_.planned = end / 2;
        if (out_.slot_of_planned[s_.planned] != none) return false;
        s_.link = i;
        s_.host = h;
        s_.host_port = h_port;
        s_.node = s_.true_node = plan_.links[s_.planned].near;
        s_.place = s_.true_place = out_.place_of_link[s_.planned];
        s_.named = named_[h];
        s_.name_node = name_node_[h];
        out_.slot_of_link[i] = out_.slot_of_planned[s_.planned] = static_cast<std::uint32_t>(out_.slots.size());
        out_.slots.push_back(s_);
        return true;
      };
      if (!at(l.near, l.near_port, l.far, l.far_port)) at(l.far, l.far_port, l.near, l.near_port);
    }
    identity_.assign(out_.slots.size(), 0);
    for (std::size_t s = 0; s < out_.slots.size(); ++s)
      if (const std::uint32_t h = out_.slots[s].host; degree[h] == 1) identity_[s] = guid_[h];
  }

  /// Where plan and dump call nodes by different names, each name means the node at whose sockets most of its adapters
  /// are.
  void learn_node_names() {
    std::size_t named = 0, known = 0;
    for (const Slot& s : out_.slots) {
      named += s.named;
      known += s.name_node != none;
    }
    out_.names_used = known * 2 >= named && named > 0;
    if (out_.names_used || named == 0) return;
    std::map<std::string, std::map<std::uint32_t, std::uint32_t>> votes;
    for (const Slot& s : out_.slots)
      if (s.named) ++votes[found_.devices[s.host].name][s.node];
    std::map<std::string, std::uint32_t> meant;
    std::vector<char> used(plan_.devices.size(), 0);
    for (int needed : {2, 1})
      for (const auto& [name, by] : votes) {
        std::uint32_t best = none, most = 0, sum = 0;
        for (const auto& [node, n] : by) {
          sum += n;
          if (n > most) most = n, best = node;
        }
        if (meant.contains(name) || static_cast<int>(most) < needed || most * 2 <= sum || used[best]) continue;
        meant[name] = best;
        used[best] = 1;
      }
    for (Slot& s : out_.slots)
      if (s.named)
        if (const auto m = meant.find(found_.devices[s.host].name); m != meant.end()) s.name_node = m->second;
    out_.notes.push_back(fmt::format("of {} adapters with a host name {} carry a name of the plan; names are taken to "
                                     "mean the node at whose ports they are",
                                     named, known));
  }

  /// An adapter's name ("mlx5_4", "HCA-6", "eth4") means the link of a node on which it is found most.
  void learn_labels() {
    KeyTable ids;
    std::vector<std::vector<std::uint32_t>> votes;
    std::vector<std::uint32_t> label(out_.slots.size(), none);
    for (std::size_t i = 0; i < out_.slots.size(); ++i) {
      const Slot& s = out_.slots[i];
      if (!adapter_[s.host] && !s.host_port) continue;
      label[i] = ids.at(socket_of(adapter_[s.host], s.host_port), static_cast<std::uint32_t>(votes.size()));
      if (label[i] == votes.size()) votes.emplace_back();
      auto& v = votes[label[i]];
      if (s.place >= 256) continue;
      if (v.size() <= s.place) v.resize(s.place + 1, 0);
      ++v[s.place];
    }
    std::vector<std::int32_t> means(votes.size(), -1);
    for (std::size_t l = 0; l < votes.size(); ++l) {
      std::uint32_t sum = 0;
      for (std::uint32_t n : votes[l])
        sum += n;
      const auto best = std::max_element(votes[l].begin(), votes[l].end());
      if (best != votes[l].end() && *best >= 3 && *best * 10 >= sum * 6)
        means[l] = static_cast<std::int32_t>(best - votes[l].begin());
    }
    for (std::size_t i = 0; i < out_.slots.size(); ++i)
      if (label[i] != none) out_.slots[i].label_place = means[label[i]];
  }

  // --- boards -------------------------------------------------------------------------------------------------
  struct Board {
    std::uint32_t first, second; ///< places whose adapters are on one board
    std::int64_t step;           ///< identity of the second minus that of the first
  };

  /// Places of a node whose identities differ by the same small step nearly everywhere share a board.
  void learn_boards() {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, std::uint32_t> steps;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> both;
    std::uint32_t sampled = 0;
    std::size_t nodes = 0;
    for (std::uint32_t n = 0; n < plan_.devices.size(); ++n)
      nodes += is_node(plan_.devices[n].kind);
    const std::size_t stride = std::max<std::size_t>(1, nodes / 512);
    for (std::uint32_t n = 0; n < plan_.devices.size(); ++n) {
      if (!is_node(plan_.devices[n].kind) || places_of(n) < 2 || sampled++ % stride) continue;
      const std::uint32_t places = std::min(places_of(n), 32U);
      for (std::uint32_t a = 0; a < places; ++a) {
        const std::uint32_t sa = slot_at(n, a);
        if (sa == none || !identity_[sa]) continue;
        for (std::uint32_t b = a + 1; b < places; ++b) {
          const std::uint32_t sb = slot_at(n, b);
          if (sb == none || !identity_[sb]) continue;
          ++both[{a, b}];
          const auto step = static_cast<std::int64_t>(identity_[sb] - identity_[sa]);
          if (step != 0 && std::abs(step) <= 64) ++steps[{a, b, step}];
        }
      }
    }
    for (const auto& [key, n] : steps) {
      const auto [a, b, step] = key;
      const std::uint32_t sum = both[{a, b}];
      if (n >= 3 && n * 10 >= sum * 6) boards_.push_back({a, b, step});
    }
  }

  /// Follows each board from its first adapter to its second. Where that is at another node, two plugs are exchanged.
  void follow_boards() {
    if (boards_.empty()) return;
    KeyTable slot_of(out_.slots.size());
    for (std::uint32_t s = 0; s < out_.slots.size(); ++s)
      if (identity_[s]) slot_of.at(identity_[s], s);
    for (const Board& board : boards_) {
      std::map<std::uint32_t, std::uint32_t> mate_at; // node -> node at which the mate of its first adapter is
      for (std::uint32_t i = 0; i < out_.slots.size(); ++i) {
        Slot& s = out_.slots[i];
        if (s.place != board.first || !identity_[i]) continue;
        const std::uint32_t beside = slot_at(s.node, board.second);
        const std::uint64_t beside_identity = beside == none ? 0 : identity_[beside];
        const auto wanted = identity_[i] + static_cast<std::uint64_t>(board.step);
        if (beside_identity == wanted) {
          s.beside_mate = out_.slots[beside].beside_mate = true;
          continue;
        }
        if (beside_identity &&
            beside_identity == identity_[i] - static_cast<std::uint64_t>(board.step)) { // turned round
          Slot& b = out_.slots[beside];
          s.true_place = board.second;
          b.true_place = board.first;
          s.by_identity = b.by_identity = true;
          continue;
        }
        const std::uint32_t there = slot_of.find(wanted);
        if (there != KeyTable::none && out_.slots[there].place == board.second && out_.slots[there].node != s.node)
          mate_at[s.node] = out_.slots[there].node;
      }
      settle_board(board, mate_at);
    }
  }

  void settle_board(const Board& board, const std::map<std::uint32_t, std::uint32_t>& mate_at) {
    if (mate_at.empty()) return;
    std::map<std::uint32_t, std::uint32_t> from;
    for (const auto& [a, b] : mate_at)
      from[b] = a;
    std::map<std::uint32_t, bool> seen;
    for (const auto& [start, unused] : mate_at) {
      if (seen[start]) continue;
      std::uint32_t first = start;
      while (from.contains(first) && from[first] != start)
        first = from[first];
      std::vector<std::uint32_t> ring;
      for (std::uint32_t n = first; !seen[n];) {
        seen[n] = true;
        ring.push_back(n);
        const auto next = mate_at.find(n);
        if (next == mate_at.end()) break;
        n = next->second;
      }
      // Who is at the wrong place, the first adapters or the second ones? Their names tell, else what is near them.
      int wrong_first = 0, wrong_second = 0;
      double far_first = 0.0, far_second = 0.0;
      for (std::uint32_t n : ring) {
        for (const std::uint32_t place : {board.first, board.second}) {
          const std::uint32_t at = slot_at(n, place);
          if (at == none) continue;
          const Slot& s = out_.slots[at];
          if (s.name_node != none) (place == board.first ? wrong_first : wrong_second) += s.name_node == n ? -1 : 1;
          (place == board.first ? far_first : far_second) += distance_to_node(at, n, {board.first, board.second});
        }
      }
      const bool by_name = wrong_first != wrong_second;
      const bool by_nearness = !by_name && std::abs(far_first - far_second) > 30.0 &&
                               std::max(far_first, far_second) > 2.0 * std::min(far_first, far_second);
      const bool move_first = by_name ? wrong_first > wrong_second : by_nearness && far_first > far_second;
      for (const auto& n : ring) {
        const auto mate = mate_at.find(n);
        if (mate == mate_at.end()) continue;
        // The second adapter at mate->second belongs to n; or the first one at n belongs to mate->second.
        const std::uint32_t at = move_first ? slot_at(n, board.first) : slot_at(mate->second, board.second);
        if (at == none) continue;
        Slot& s = out_.slots[at];
        s.true_node = move_first ? mate->second : n;
        s.by_identity = true;
        s.either_rail = !by_name && !by_nearness;
        s.other_place = move_first ? board.second : board.first;
      }
      for (std::uint32_t n : ring) { // the others stand where they should
        const std::uint32_t at = slot_at(n, move_first ? board.second : board.first);
        if (at != none) out_.slots[at].beside_mate = true;
      }
    }
  }

  // --- names --------------------------------------------------------------------------------------------------
  /// What an adapter's name claims counts where its identity says nothing, and where nobody better sits there.
  void settle_names() {
    std::map<std::uint32_t, std::uint32_t> claimed; // planned link -> slot that claims it
    std::map<std::uint32_t, std::uint32_t> claim;   // slot -> planned link
    for (std::uint32_t i = 0; i < out_.slots.size(); ++i) {
      Slot& s = out_.slots[i];
      if (s.by_identity) {
        claimed.emplace(planned_at(s.true_node, s.true_place), i);
        claim[i] = planned_at(s.true_node, s.true_place);
        continue;
      }
      if (s.name_node == none) {
        if (s.named && out_.names_used) s.misnamed = true; // a name that the plan does not have
        continue;
      }
      const bool other_node = s.name_node != s.node;
      const bool other_place = s.label_place >= 0 && static_cast<std::uint32_t>(s.label_place) != s.place &&
                               static_cast<std::uint32_t>(s.label_place) < places_of(s.name_node);
      if (!other_node && !other_place) continue;
      if (s.beside_mate && !board_agrees(i)) {
        s.misnamed = other_node;
        continue;
      }
      const std::uint32_t place = other_place ? static_cast<std::uint32_t>(s.label_place) : s.place;
      if (place >= places_of(s.name_node)) {
        s.misnamed = other_node;
        continue;
      }
      const std::uint32_t target = planned_at(s.name_node, place);
      const std::uint32_t sitting = out_.slot_of_planned[target];
      if (sitting != none) {
        const Slot& t = out_.slots[sitting];
        const bool own_name =
            t.name_node == t.node && (t.label_place < 0 || static_cast<std::uint32_t>(t.label_place) == t.place);
        if (own_name || (t.beside_mate && t.name_node == none)) { // that place has its own
          s.misnamed = other_node;
          continue;
        }
      }
      if (!claimed.emplace(target, i).second) {
        s.misnamed = other_node;
        continue;
      }
      claim[i] = target;
    }
    for (const auto& [i, target] : claim) {
      Slot& s = out_.slots[i];
      s.true_node = plan_.links[target].near;
      s.true_place = out_.place_of_link[target];
    }
    // Who sits at a claimed place and claims none goes to where the row of claims began.
    for (const auto& [target, first] : claimed) {
      const std::uint32_t sitting = out_.slot_of_planned[target];
      if (sitting == none || claim.contains(sitting)) continue;
      std::uint32_t start = first;
      for (std::size_t steps = 0; steps < claimed.size(); ++steps) {
        const auto before = claimed.find(out_.slots[start].planned);
        if (before == claimed.end() || before->second == sitting) break;
        start = before->second;
      }
      Slot& s = out_.slots[sitting];
      s.true_node = out_.slots[start].node;
      s.true_place = out_.slots[start].place;
      s.estimate = s.name_node == none && !out_.slots[start].by_identity;
    }
  }

  /// The neighbour on the board has the same wrong name: the whole board is elsewhere, or the node is renamed.
  [[nodiscard]] bool board_agrees(std::uint32_t slot) const {
    const Slot& s = out_.slots[slot];
    for (const Board& b : boards_) {
      if (b.first != s.place && b.second != s.place) continue;
      const std::uint32_t mate = slot_at(s.node, b.first == s.place ? b.second : b.first);
      if (mate != none && out_.slots[mate].name_node != s.name_node) return false;
    }
    return true;
  }

  // --- nearness -----------------------------------------------------------------------------------------------
  /// How far the LID of a host is from those of a node's other hosts. Adapters that came up together got near LIDs.
  double distance_to_node(std::uint32_t slot, std::uint32_t node, std::vector<std::uint32_t> without) const {
    const double own = found_.devices[out_.slots[slot].host].lid;
    if (own <= 0) return 0.0;
    std::vector<double> others;
    for (std::uint32_t k = 0; k < places_of(node); ++k) {
      if (std::find(without.begin(), without.end(), k) != without.end()) continue;
      const std::uint32_t at = slot_at(node, k);
      if (at != none && found_.devices[out_.slots[at].host].lid > 0)
        others.push_back(found_.devices[out_.slots[at].host].lid);
    }
    if (others.size() < 2) return 0.0; // one alone may itself be at the wrong place
    double sum = 0.0;
    for (double o : others)
      sum += o;
    return std::abs(own - sum / static_cast<double>(others.size()));
  }
  /// Bits of the smallest difference between a host's identity and those of a node's others.
  double identity_bits(std::uint32_t slot, std::uint32_t node, std::uint32_t place) const {
    double best = 64.0;
    for (std::uint32_t k = 0; k < places_of(node); ++k) {
      const std::uint32_t at = slot_at(node, k);
      if (k == place || at == none || !identity_[at]) continue;
      const std::uint64_t a = identity_[slot], b = identity_[at];
      best = std::min(best, std::log2(1.0 + static_cast<double>(a > b ? a - b : b - a)));
    }
    return best;
  }

  /// Where a whole rail has no mates to compare with and no names, two weak witnesses together still tell a gross
  /// exchange: LIDs and identities that fit far better the other way round. It is reported as an estimate.
  void follow_nearness() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> rails; // switch and place
    for (std::uint32_t i = 0; i < out_.slots.size(); ++i) {
      const Slot& s = out_.slots[i];
      if (s.beside_mate || s.by_identity || s.named || !identity_[i] || s.true_node != s.node || places_of(s.node) < 3)
        continue;
      if (!found_.devices[s.host].lid) continue;
      rails[{plan_.links[s.planned].far, s.place}].push_back(i);
    }
    for (const auto& [rail, slots] : rails) {
      if (slots.size() < 8 || slots.size() > 128) continue;
      struct Pair {
        double after;
        std::uint32_t a, b;
      };
      std::vector<Pair> pairs;
      for (std::size_t x = 0; x < slots.size(); ++x)
        for (std::size_t y = x + 1; y < slots.size(); ++y) {
          const std::uint32_t a = slots[x], b = slots[y];
          const std::uint32_t na = out_.slots[a].node, nb = out_.slots[b].node, k = rail.second;
          const double before = distance_to_node(a, na, {k}) + distance_to_node(b, nb, {k});
          const double after = distance_to_node(a, nb, {k}) + distance_to_node(b, na, {k});
          if (before < 100.0 || after * 5.0 > before) continue;
          const double bits =
              identity_bits(a, na, k) + identity_bits(b, nb, k) - identity_bits(a, nb, k) - identity_bits(b, na, k);
          if (bits >= 8.0) pairs.push_back({after, a, b});
        }
      std::sort(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) { return p.after < q.after; });
      for (const Pair& p : pairs) {
        Slot &a = out_.slots[p.a], &b = out_.slots[p.b];
        if (a.estimate || b.estimate) continue;
        std::swap(a.true_node, b.true_node);
        a.estimate = b.estimate = true;
      }
    }
  }

  const PlannedFabric& plan_;
  const FoundLinks& found_;
  const PlannedEnds& ends_;
  const PortTranslation& port_;
  Places out_;
  std::vector<std::uint32_t> taken_, name_node_;
  std::vector<char> node_, named_; // by planned device; by found device
  std::vector<FoundKind> kind_;    // by found device, as the next two
  std::vector<std::uint64_t> guid_;
  std::vector<std::uint32_t> adapter_;  // number of the adapter's name; 0: none
  std::vector<std::uint64_t> identity_; // by slot; 0: none of its own
  std::vector<Board> boards_;
};

} // namespace

std::string canonical_port(std::string_view name) {
  std::string low = lower(name);
  for (std::string_view word : {"ethernet", "eth", "et"})
    if (low.starts_with(word) && low.size() > word.size() && low[word.size()] >= '0' && low[word.size()] <= '9')
      return "eth" + low.substr(word.size());
  return low;
}

PortTranslation::PortTranslation(const PlannedFabric& plan, const FoundLinks& found) {
  std::map<std::string, PortKey> planned;
  for (std::uint32_t i = 1; i < plan.port_names.size(); ++i)
    planned.emplace(canonical_port(plan.port_names[i]), i | named_port);
  translated_.assign(found.port_names.size(), 0);
  for (std::uint32_t i = 1; i < found.port_names.size(); ++i) {
    const auto there = planned.find(canonical_port(found.port_names[i]));
    // A name that the plan does not have stays apart from all that it has.
    translated_[i] =
        there != planned.end() ? there->second : named_port | static_cast<PortKey>(plan.port_names.size() + i);
  }
}

PlannedEnds::PlannedEnds(const PlannedFabric& plan) : rows_(plan.devices.size()) {
  // Where a device's numbers run far beyond its links (names, sparse numbers), they are looked up by key.
  std::vector<std::uint32_t> links(plan.devices.size(), 0);
  const auto each_end = [&](auto&& see) {
    for (std::uint32_t l = 0; l < plan.links.size(); ++l) {
      if (plan.links[l].near_port) see(plan.links[l].near, plan.links[l].near_port, l * 2);
      if (plan.links[l].far_port) see(plan.links[l].far, plan.links[l].far_port, l * 2 + 1);
    }
  };
  each_end([&](std::uint32_t d, PortKey port, std::uint32_t) {
    ++links[d];
    if (port <= 65'535) rows_[d].ports = std::max(rows_[d].ports, port + 1);
  });
  std::uint32_t sum = 0;
  for (std::size_t d = 0; d < rows_.size(); ++d) {
    rows_[d].ports = std::min(rows_[d].ports, links[d] * 8 + 64);
    rows_[d].first = sum;
    sum += rows_[d].ports;
  }
  ends_.assign(sum, KeyTable::none);
  each_end([&](std::uint32_t d, PortKey port, std::uint32_t end) {
    if (port >= rows_[d].ports)
      others_.at(socket_of(d, port), end);
    else if (ends_[rows_[d].first + port] == KeyTable::none)
      ends_[rows_[d].first + port] = end;
  });
}

Places place_devices(const PlannedFabric& plan, const FoundLinks& found, const PlannedEnds& ends,
                     const PortTranslation& port) {
  return Placing(plan, found, ends, port).run();
}

} // namespace hallwright::as_built
