// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/loop_schematic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace hallwright {
namespace {

constexpr double rack_column = 66.0, rack_box_width = 54.0, row_height = 100.0;
constexpr double unit_column = 156.0, unit_box_width = 132.0;
constexpr double joint_column = 26.0;
constexpr double level_pitch = 30.0, row_gap = 42.0, channel_pitch = 16.0, lane_gap = 26.0;
constexpr double main_pitch = 26.0, unit_pitch = row_height + 18.0, edge_margin = 24.0;
constexpr double port_offset = 22.0; ///< between the ports of one side of a unit

/// What hangs on a line.
struct SchematicTap {
  bool rack = true;
  std::size_t member = 0;
  int link = -1;
  int out = 1; ///< +1: the flow of the link leaves the line
  int line = -1, pos = -1;
};

/// Two lines that meet, or are joined by a pipe on which nothing hangs.
struct SchematicJoint {
  int line_a = -1, pos_a = -1, line_b = -1, pos_b = -1;
  int node_a = -1, node_b = -1;
  std::vector<SchematicFlow> flows; ///< from a to b
  PipeSide side = PipeSide::supply;
  bool gone = false;
  SchematicPoint at_a, at_b; ///< on their lines
  bool edge_a = false, edge_b = false, set_a = false, set_b = false;
};

struct SchematicStop {
  enum class Kind : std::uint8_t { joint, unit, racks } kind = Kind::racks;
  std::size_t index = 0; ///< joint; tap of a unit; group of racks
  bool b_end = false;    ///< of a joint: its b
  int lo = 0, hi = 0;    ///< positions on the line
  double at = 0.0;       ///< along the axis of its band
  int level = 0;
};

struct SchematicLine {
  PipeSide side = PipeSide::supply;
  std::vector<int> nodes, links, signs, sections; ///< links[i] between nodes[i] and nodes[i + 1]
  std::vector<double> along;                      ///< of nodes [m]
  std::vector<SchematicStop> stops;
  std::size_t racks = 0, units = 0;
  int band = -1;
  bool gone = false;
  int levels = 1;
  std::vector<double> level_at; ///< across the axis
  [[nodiscard]] int last() const { return static_cast<int>(nodes.size()) - 1; }
};

struct SchematicItem {
  SchematicStop::Kind kind = SchematicStop::Kind::racks;
  std::size_t index = 0; ///< rack, unit or joint
  bool b_end = false;
  double key = 0.0;
};

struct SchematicGroup {
  std::vector<std::size_t> racks;
  double x = 0.0;
};

struct SchematicBand {
  std::vector<int> lines;
  std::vector<std::size_t> racks, units;
  bool lane = false, right = false, flipped = false;
  int principal = -1;
  double length = 0.0;
  std::vector<SchematicItem> items;
  std::vector<SchematicGroup> groups;
  std::map<std::size_t, double> unit_at; ///< middle along the axis
  double width = 0.0;                    ///< of a lane's columns
  int supply_levels = 0, return_levels = 0, supply_channels = 0, return_channels = 0;
  double row_y = 0.0; ///< top of its boxes
  std::size_t number = 0;
};

class SchematicLayout {
public:
  explicit SchematicLayout(const DrawnLoop& loop) : loop_(loop), links_(loop.network.links) {}

  LoopSchematic make() {
    gather_lines();
    merge_lines();
    tap_lines();
    join_lines();
    drop_dead_lines();
    make_bands();
    order_items();
    choose_sides();
    place_columns();
    stack_lanes();
    place_mains();
    emit();
    return std::move(out_);
  }

private:
  void gather_lines() {
    for (std::size_t s = 0; s < loop_.sections.size(); ++s) {
      const LoopSection& section = loop_.sections[s];
      if (section.links.empty()) continue;
      const bool goes_on = !lines_.empty() && s > 0 && pipe_of_last_ == section.pipe &&
                           lines_.back().side == section.side &&
                           lines_.back().nodes.back() == links_[section.links.front()].from;
      if (!goes_on) {
        lines_.emplace_back();
        lines_.back().side = section.side;
        lines_.back().nodes.push_back(links_[section.links.front()].from);
      }
      pipe_of_last_ = section.pipe;
      for (const int l : section.links) {
        SchematicLine& line = lines_.back();
        line.links.push_back(l);
        line.signs.push_back(1);
        line.sections.push_back(static_cast<int>(s));
        line.nodes.push_back(links_[l].to);
        in_sections_.insert(l);
      }
    }
  }

  static void turn(SchematicLine& l) {
    std::reverse(l.nodes.begin(), l.nodes.end());
    std::reverse(l.links.begin(), l.links.end());
    std::reverse(l.signs.begin(), l.signs.end());
    std::reverse(l.sections.begin(), l.sections.end());
    for (int& s : l.signs)
      s = -s;
  }

  /// Lines whose ends meet where nothing else does become one; a closed line is cut at its first unit.
  void merge_lines() {
    for (bool again = true; again;) {
      again = false;
      std::map<int, std::vector<std::pair<std::size_t, bool>>> ends; // by node: line, and whether it is its front
      std::map<int, int> visits;
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (lines_[i].gone) continue;
        for (const int n : lines_[i].nodes)
          ++visits[n];
        ends[lines_[i].nodes.front()].push_back({i, true});
        ends[lines_[i].nodes.back()].push_back({i, false});
      }
      for (const auto& [node, at] : ends) {
        if (at.size() != 2 || visits[node] != 2 || at[0].first == at[1].first) continue;
        SchematicLine &a = lines_[at[0].first], &b = lines_[at[1].first];
        if (at[0].second) turn(a);
        if (!at[1].second) turn(b);
        a.nodes.insert(a.nodes.end(), b.nodes.begin() + 1, b.nodes.end());
        a.links.insert(a.links.end(), b.links.begin(), b.links.end());
        a.signs.insert(a.signs.end(), b.signs.begin(), b.signs.end());
        a.sections.insert(a.sections.end(), b.sections.begin(), b.sections.end());
        b.gone = true;
        again = true;
        break;
      }
    }
    std::set<int> unit_nodes;
    for (const LoopUnit& u : loop_.units)
      for (const int c : u.connections)
        unit_nodes.insert(links_[c].from == u.supply ? links_[c].to : links_[c].from);
    for (SchematicLine& l : lines_) {
      if (l.gone || l.nodes.size() < 3 || l.nodes.front() != l.nodes.back()) continue;
      for (std::size_t i = 0; i + 1 < l.nodes.size(); ++i) {
        if (unit_nodes.count(l.nodes[i]) == 0) continue;
        const auto shift = static_cast<std::ptrdiff_t>(i);
        l.nodes.pop_back();
        std::rotate(l.nodes.begin(), l.nodes.begin() + shift, l.nodes.end());
        l.nodes.push_back(l.nodes.front());
        std::rotate(l.links.begin(), l.links.begin() + shift, l.links.end());
        std::rotate(l.signs.begin(), l.signs.begin() + shift, l.signs.end());
        std::rotate(l.sections.begin(), l.sections.begin() + shift, l.sections.end());
        break;
      }
    }
    std::erase_if(lines_, [](const SchematicLine& l) { return l.gone; });
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      SchematicLine& l = lines_[i];
      l.along.push_back(0.0);
      for (const int k : l.links)
        l.along.push_back(l.along.back() + links_[k].length_m);
      for (int p = 0; p <= l.last(); ++p) {
        auto& at = visits_[l.nodes[p]];
        // One place of a line: two cuts that fell together.
        if (!at.empty() && at.back() == std::pair(static_cast<int>(i), p - 1)) continue;
        at.push_back({static_cast<int>(i), p});
      }
    }
  }

  void tap_lines() {
    const auto tap = [&](bool rack, std::size_t member, int link, int node, int out) {
      SchematicTap t{rack, member, link, out, -1, -1};
      if (const auto it = visits_.find(node); it != visits_.end()) std::tie(t.line, t.pos) = it->second.front();
      if (t.line >= 0) {
        if (rack)
          ++lines_[t.line].racks;
        else
          ++lines_[t.line].units;
      }
      taps_.push_back(t);
    };
    for (std::size_t i = 0; i < loop_.racks.size(); ++i) {
      const LoopRack& r = loop_.racks[i];
      tap(true, i, r.supply_hose, links_[r.supply_hose].from, 1);
      tap(true, i, r.return_hose, links_[r.return_hose].to, -1);
    }
    for (std::size_t i = 0; i < loop_.units.size(); ++i)
      for (const int c : loop_.units[i].connections) {
        const bool supply = links_[c].from == loop_.units[i].supply;
        tap(false, i, c, supply ? links_[c].to : links_[c].from, supply ? -1 : 1);
      }
    for (std::size_t t = 0; t < taps_.size(); ++t)
      if (taps_[t].line >= 0) taps_at_[{taps_[t].line, taps_[t].pos}].push_back(t);
  }

  /// What a line takes up at one of its places, beside the joint that is asked for.
  std::vector<SchematicFlow> taken_at(int line, int pos) const {
    const SchematicLine& l = lines_[line];
    std::vector<SchematicFlow> out;
    if (pos < l.last()) out.push_back({l.links[pos], l.signs[pos]});
    if (pos > 0) out.push_back({l.links[pos - 1], -l.signs[pos - 1]});
    if (const auto it = taps_at_.find({line, pos}); it != taps_at_.end())
      for (const std::size_t t : it->second)
        out.push_back({taps_[t].link, taps_[t].out});
    return out;
  }

  void join_lines() {
    std::vector<std::pair<int, std::pair<int, int>>> riser_ends;
    for (const auto& [node, at] : visits_) {
      if (at.size() < 2) continue;
      // Its hub: the line that goes on and that most hangs on.
      const auto weight = [&](const std::pair<int, int>& v) {
        const SchematicLine& l = lines_[v.first];
        const bool inside = v.second > 0 && v.second < l.last();
        return std::tuple(inside, l.units + l.racks > 0, -v.first);
      };
      const auto hub =
          std::max_element(at.begin(), at.end(), [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
      for (auto it = at.begin(); it != at.end(); ++it) {
        if (it == hub) continue;
        SchematicJoint j;
        std::tie(j.line_a, j.pos_a) = *hub;
        std::tie(j.line_b, j.pos_b) = *it;
        j.node_a = j.node_b = node;
        j.side = lines_[j.line_a].side;
        j.flows = taken_at(j.line_b, j.pos_b);
        joints_.push_back(std::move(j));
      }
    }
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const NetworkLink& l = links_[k];
      if (l.kind != LinkKind::pipe || in_sections_.count(static_cast<int>(k))) continue;
      const auto a = visits_.find(l.from), b = visits_.find(l.to);
      if (a == visits_.end() || b == visits_.end()) continue;
      SchematicJoint j; // a riser
      std::tie(j.line_a, j.pos_a) = a->second.front();
      std::tie(j.line_b, j.pos_b) = b->second.front();
      j.node_a = l.from;
      j.node_b = l.to;
      j.side = lines_[j.line_a].side;
      j.flows = {{static_cast<int>(k), 1}};
      joints_.push_back(std::move(j));
    }
  }

  void drop_dead_lines() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        SchematicLine& l = lines_[i];
        if (l.gone || l.racks + l.units > 0) continue;
        const int line = static_cast<int>(i);
        std::vector<std::size_t> at;
        for (std::size_t j = 0; j < joints_.size(); ++j)
          if (!joints_[j].gone && (joints_[j].line_a == line || joints_[j].line_b == line)) at.push_back(j);
        if (at.size() > 2) continue;
        again = true;
        l.gone = true;
        for (const std::size_t j : at)
          joints_[j].gone = true;
        if (at.size() < 2) continue;
        // A pipe between two others.
        const auto far_end = [&](const SchematicJoint& j) {
          const bool is_b = j.line_b == line;
          return std::tuple(is_b ? j.line_a : j.line_b, is_b ? j.pos_a : j.pos_b, is_b ? j.node_a : j.node_b,
                            is_b ? j.pos_b : j.pos_a);
        };
        SchematicJoint made;
        int pos_1 = 0, pos_2 = 0;
        std::tie(made.line_a, made.pos_a, made.node_a, pos_1) = far_end(joints_[at[0]]);
        std::tie(made.line_b, made.pos_b, made.node_b, pos_2) = far_end(joints_[at[1]]);
        made.side = l.side;
        if (pos_1 == pos_2) continue;
        const int link = std::min(pos_1, pos_2);
        made.flows = {{l.links[link], pos_1 < pos_2 ? l.signs[link] : -l.signs[link]}};
        if (made.line_a == line || made.line_b == line) continue;
        joints_.push_back(std::move(made));
      }
    }
    std::erase_if(joints_, [](const SchematicJoint& j) { return j.gone; });
  }

  void make_bands() {
    std::vector<int> parent(lines_.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
      while (parent[i] != i)
        i = parent[i];
      return i;
    };
    std::map<std::pair<bool, std::size_t>, int> first;
    for (const SchematicTap& t : taps_) {
      if (t.line < 0) continue;
      const auto [it, fresh] = first.try_emplace({t.rack, t.member}, t.line);
      if (!fresh) {
        const int a = root(it->second), b = root(t.line);
        parent[std::max(a, b)] = std::min(a, b);
      }
    }
    std::map<int, int> band_of;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].gone) continue;
      const auto [it, fresh] = band_of.try_emplace(root(static_cast<int>(i)), static_cast<int>(bands_.size()));
      if (fresh) bands_.emplace_back();
      lines_[i].band = it->second;
      bands_[it->second].lines.push_back(static_cast<int>(i));
    }
    std::set<std::pair<bool, std::size_t>> seen;
    for (const SchematicTap& t : taps_) {
      if (t.line < 0 || !seen.insert({t.rack, t.member}).second) continue;
      SchematicBand& b = bands_[lines_[t.line].band];
      (t.rack ? b.racks : b.units).push_back(t.member);
    }
    for (SchematicBand& b : bands_) {
      b.lane = !b.racks.empty();
      for (const int l : b.lines) {
        const auto weight = [&](int i) {
          return std::tuple(lines_[i].racks, lines_[i].units, lines_[i].side == PipeSide::supply);
        };
        if (b.principal < 0 || weight(l) > weight(b.principal)) b.principal = l;
      }
      b.length = lines_[b.principal].along.back();
    }
  }

  /// How far along the principal line of a band a place lies: that of its nearest point.
  double projected(const SchematicBand& b, const LoopPlace& p) const {
    const SchematicLine& l = lines_[b.principal];
    double best = std::numeric_limits<double>::infinity(), out = 0.0;
    for (int i = 0; i < l.last(); ++i) {
      const LoopPlace &u = loop_.places[l.nodes[i]], &v = loop_.places[l.nodes[i + 1]];
      const double dx = v.x_mm - u.x_mm, dy = v.y_mm - u.y_mm, square = dx * dx + dy * dy;
      const double t =
          square > 0 ? std::clamp(((p.x_mm - u.x_mm) * dx + (p.y_mm - u.y_mm) * dy) / square, 0.0, 1.0) : 0.0;
      const double off = std::hypot(p.x_mm - u.x_mm - t * dx, p.y_mm - u.y_mm - t * dy);
      if (off < best - 1e-6) {
        best = off;
        out = l.along[i] + t * (l.along[i + 1] - l.along[i]);
      }
    }
    return out;
  }
  double key_at(const SchematicBand& b, int line, int pos) const {
    if (line == b.principal) return lines_[line].along[pos];
    return projected(b, loop_.places[lines_[line].nodes[pos]]);
  }

  void order_items() {
    for (std::size_t k = 0; k < bands_.size(); ++k) {
      SchematicBand& b = bands_[k];
      std::map<std::pair<bool, std::size_t>, double> key;
      for (const SchematicTap& t : taps_) {
        if (t.line < 0 || lines_[t.line].band != static_cast<int>(k)) continue;
        const std::pair thing{t.rack, t.member};
        if (t.line == b.principal)
          key[thing] = lines_[t.line].along[t.pos];
        else
          key.try_emplace(thing, projected(b, thing_place(t)));
      }
      // What hangs on the principal line stands by it, whichever tap was told first.
      for (const SchematicTap& t : taps_)
        if (t.line == b.principal) key[{t.rack, t.member}] = lines_[t.line].along[t.pos];
      for (const auto& [thing, at] : key)
        b.items.push_back(
            {thing.first ? SchematicStop::Kind::racks : SchematicStop::Kind::unit, thing.second, false, at});
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        if (lines_[joints_[j].line_a].band == static_cast<int>(k))
          b.items.push_back({SchematicStop::Kind::joint, j, false, key_at(b, joints_[j].line_a, joints_[j].pos_a)});
        if (lines_[joints_[j].line_b].band == static_cast<int>(k))
          b.items.push_back({SchematicStop::Kind::joint, j, true, key_at(b, joints_[j].line_b, joints_[j].pos_b)});
      }
    }
    // Towards the units is left.
    std::vector<int> hops(lines_.size(), 1000000);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < lines_.size(); ++i)
        if (lines_[i].units > 0 && hops[i] != 0) hops[i] = 0, again = true;
      for (const SchematicJoint& j : joints_) {
        if (hops[j.line_a] + 1 < hops[j.line_b]) hops[j.line_b] = hops[j.line_a] + 1, again = true;
        if (hops[j.line_b] + 1 < hops[j.line_a]) hops[j.line_a] = hops[j.line_b] + 1, again = true;
      }
    }
    for (SchematicBand& b : bands_) {
      double sum = 0.0, nearest = 1e9;
      int n = 0;
      for (const SchematicItem& i : b.items)
        if (i.kind == SchematicStop::Kind::unit) sum += i.key, ++n;
      if (n == 0)
        for (const SchematicItem& i : b.items) {
          if (i.kind != SchematicStop::Kind::joint) continue;
          const SchematicJoint& j = joints_[i.index];
          const double hop = hops[i.b_end ? j.line_a : j.line_b];
          if (hop < nearest) nearest = hop, sum = 0.0, n = 0;
          if (hop == nearest) sum += i.key, ++n;
        }
      b.flipped = n > 0 && sum / n > 0.5 * b.length * (1 + 1e-9);
      if (b.flipped)
        for (SchematicItem& i : b.items)
          i.key = b.length - i.key;
      std::stable_sort(b.items.begin(), b.items.end(), [](const SchematicItem& x, const SchematicItem& y) {
        // Units before racks at one place, by their order.
        const auto rank = [](const SchematicItem& i) {
          return i.kind == SchematicStop::Kind::joint ? 0 : i.kind == SchematicStop::Kind::unit ? 1 : 2;
        };
        if (std::abs(x.key - y.key) > 1e-6) return x.key < y.key;
        return std::tuple(rank(x), x.index, x.b_end) < std::tuple(rank(y), y.index, y.b_end);
      });
    }
  }
  [[nodiscard]] LoopPlace thing_place(const SchematicTap& t) const {
    return t.rack ? loop_.places[loop_.racks[t.member].inlet] : loop_.places[loop_.units[t.member].supply];
  }

  [[nodiscard]] const SchematicBand& band_of(int line) const { return bands_[lines_[line].band]; }

  /// Mains whose joints lie at the far ends of lanes stand at the right.
  void choose_sides() {
    for (std::size_t k = 0; k < bands_.size(); ++k) {
      SchematicBand& b = bands_[k];
      if (b.lane) continue;
      double sum = 0.0;
      int n = 0;
      for (std::size_t other = 0; other < bands_.size(); ++other) {
        const SchematicBand& lane = bands_[other];
        if (!lane.lane || !(lane.length > 0.0)) continue;
        for (const SchematicItem& i : lane.items) {
          if (i.kind != SchematicStop::Kind::joint) continue;
          const SchematicJoint& j = joints_[i.index];
          if (lines_[i.b_end ? j.line_a : j.line_b].band == static_cast<int>(k)) sum += i.key / lane.length, ++n;
        }
      }
      b.right = n > 0 && sum / n > 0.6;
    }
  }

  [[nodiscard]] bool same_racks(std::size_t a, std::size_t b) const {
    const LoopRack &x = loop_.racks[a], &y = loop_.racks[b];
    const auto close = [](double p, double q) { return std::abs(p - q) <= 1e-9 * std::max(std::abs(p), std::abs(q)); };
    return close(x.heat_w, y.heat_w) && close(x.need_m3_per_s, y.need_m3_per_s) &&
           close(x.rated_flow_m3_per_s, y.rated_flow_m3_per_s) && close(x.rated_drop_pa, y.rated_drop_pa) &&
           x.reached == y.reached && taps_[2 * a].line == taps_[2 * b].line &&
           taps_[2 * a + 1].line == taps_[2 * b + 1].line;
  }

  /// Columns of lanes, and the stops and levels of their lines.
  void place_columns() {
    const std::size_t fold = (loop_.racks.size() + most_rack_boxes - 1) / most_rack_boxes;
    out_.racks_a_box = std::max<std::size_t>(1, fold);
    // Ranks of what hangs on a line, so that only what is next to each other shares a box.
    std::vector<std::vector<std::pair<int, std::size_t>>> order(lines_.size()); // position, tap; joints without one
    for (std::size_t t = 0; t < taps_.size(); ++t)
      if (taps_[t].line >= 0) order[taps_[t].line].push_back({taps_[t].pos, t});
    for (const SchematicJoint& j : joints_) {
      order[j.line_a].push_back({j.pos_a, taps_.size()});
      order[j.line_b].push_back({j.pos_b, taps_.size()});
    }
    std::vector<std::size_t> rank(taps_.size(), 0);
    for (auto& o : order) {
      std::sort(o.begin(), o.end());
      for (std::size_t i = 0; i < o.size(); ++i)
        if (o[i].second < taps_.size()) rank[o[i].second] = i;
    }
    const auto beside = [&](std::size_t a, std::size_t b) {
      for (const std::size_t side : {0, 1}) {
        const std::size_t p = rank[2 * a + side], q = rank[2 * b + side];
        if ((p > q ? p - q : q - p) != 1) return false;
      }
      return true;
    };
    for (std::size_t k = 0; k < bands_.size(); ++k) {
      SchematicBand& b = bands_[k];
      if (!b.lane) continue;
      double x = 0.0;
      bool grows = false;
      for (const SchematicItem& i : b.items) {
        if (i.kind == SchematicStop::Kind::racks) {
          if (grows && b.groups.back().racks.size() < out_.racks_a_box &&
              same_racks(b.groups.back().racks.back(), i.index) && beside(b.groups.back().racks.back(), i.index)) {
            b.groups.back().racks.push_back(i.index);
            continue;
          }
          b.groups.push_back({{i.index}, x + rack_column / 2});
          x += rack_column;
          grows = true;
          continue;
        }
        if (i.kind == SchematicStop::Kind::joint && joint_edge(i)) continue; // does not stand between racks
        grows = false;
        if (i.kind == SchematicStop::Kind::unit) {
          b.unit_at[i.index] = x + unit_column / 2;
          x += unit_column;
        } else {
          joint_x_[{i.index, i.b_end}] = x + joint_column / 2;
          x += joint_column;
        }
      }
      b.width = x;
      widest_ = std::max(widest_, x);
    }
    for (std::size_t k = 0; k < bands_.size(); ++k) {
      SchematicBand& b = bands_[k];
      if (!b.lane) continue;
      std::map<std::size_t, std::size_t> group_of;
      for (std::size_t g = 0; g < b.groups.size(); ++g)
        for (const std::size_t r : b.groups[g].racks)
          group_of[r] = g;
      std::map<int, std::map<std::size_t, std::pair<int, int>>> reach; // of groups, by line
      for (const SchematicTap& t : taps_) {
        if (t.line < 0 || lines_[t.line].band != static_cast<int>(k)) continue;
        if (t.rack) {
          auto [it, fresh] = reach[t.line].try_emplace(group_of[t.member], t.pos, t.pos);
          it->second.first = std::min(it->second.first, t.pos);
          it->second.second = std::max(it->second.second, t.pos);
        }
      }
      for (const auto& [line, groups] : reach)
        for (const auto& [g, span] : groups)
          lines_[line].stops.push_back(
              {SchematicStop::Kind::racks, g, false, span.first, span.second, b.groups[g].x, 0});
      std::map<std::pair<std::size_t, bool>, int> ports;
      for (std::size_t t = 0; t < taps_.size(); ++t) {
        const SchematicTap& tap = taps_[t];
        if (tap.rack || tap.line < 0 || lines_[tap.line].band != static_cast<int>(k)) continue;
        const int port = ports[{tap.member, lines_[tap.line].side == PipeSide::supply}]++;
        lines_[tap.line].stops.push_back(
            {SchematicStop::Kind::unit, t, false, tap.pos, tap.pos, b.unit_at[tap.member] + port_offset * port, 0});
      }
      for (const SchematicItem& i : b.items) {
        if (i.kind != SchematicStop::Kind::joint) continue;
        const SchematicJoint& j = joints_[i.index];
        const int line = i.b_end ? j.line_b : j.line_a, pos = i.b_end ? j.pos_b : j.pos_a;
        const int edge = joint_edge(i);
        const double at = edge < 0 ? -joint_column : edge > 0 ? widest_ + joint_column : joint_x_[{i.index, i.b_end}];
        lines_[line].stops.push_back({SchematicStop::Kind::joint, i.index, i.b_end, pos, pos, at, 0});
      }
      for (const PipeSide side : {PipeSide::supply, PipeSide::return_}) {
        const int used = lay_levels(b, side);
        (side == PipeSide::supply ? b.supply_levels : b.return_levels) = used;
      }
      for (const int l : b.lines)
        for (const SchematicStop& s : lines_[l].stops)
          if (s.kind == SchematicStop::Kind::joint && joint_x_.count({s.index, s.b_end}))
            channel_[{s.index, s.b_end}] =
                lines_[l].side == PipeSide::supply ? b.supply_channels++ : b.return_channels++;
    }
  }

  /// -1: the joint leaves its lane at the left, on its line; 1: at the right; 0: between other things.
  [[nodiscard]] int joint_edge(const SchematicItem& i) const {
    const SchematicJoint& j = joints_[i.index];
    const int line = i.b_end ? j.line_b : j.line_a, pos = i.b_end ? j.pos_b : j.pos_a;
    const int other = i.b_end ? j.line_a : j.line_b;
    int first = std::numeric_limits<int>::max(), last = -1, joints_there = 0;
    for (const SchematicTap& t : taps_)
      if (t.line == line) first = std::min(first, t.pos), last = std::max(last, t.pos);
    for (const SchematicJoint& o : joints_) {
      if (o.line_a == line)
        first = std::min(first, o.pos_a), last = std::max(last, o.pos_a), joints_there += o.pos_a == pos;
      if (o.line_b == line)
        first = std::min(first, o.pos_b), last = std::max(last, o.pos_b), joints_there += o.pos_b == pos;
    }
    if ((pos != first && pos != last) || joints_there > 1) return 0;
    if (const auto it = taps_at_.find({line, pos}); it != taps_at_.end() && !it->second.empty()) return 0;
    const SchematicBand& target = band_of(other);
    return !target.lane && target.right ? 1 : -1;
  }

  /// Orders the stops of lines and gives every straight run a level of its own where runs would lie on each other.
  int lay_levels(SchematicBand& b, PipeSide side) {
    std::vector<std::vector<std::pair<double, double>>> taken;
    std::vector<int> lines;
    for (const int l : b.lines)
      if (lines_[l].side == side && !lines_[l].stops.empty()) lines.push_back(l);
    std::stable_sort(lines.begin(), lines.end(), [&](int x, int y) {
      return std::tuple(x != b.principal, -static_cast<int>(lines_[x].racks), x) <
             std::tuple(y != b.principal, -static_cast<int>(lines_[y].racks), y);
    });
    for (const int l : lines) {
      auto& stops = lines_[l].stops;
      std::stable_sort(stops.begin(), stops.end(),
                       [](const SchematicStop& x, const SchematicStop& y) { return x.lo < y.lo; });
      // At one place: in the direction in which the line goes on.
      for (std::size_t i = 0; i < stops.size();) {
        std::size_t n = i + 1;
        while (n < stops.size() && stops[n].lo == stops[i].lo)
          ++n;
        const double before = i > 0 ? stops[i - 1].at : std::numeric_limits<double>::quiet_NaN();
        double middle = 0.0;
        for (std::size_t s = i; s < n; ++s)
          middle += stops[s].at / static_cast<double>(n - i);
        bool rises = true;
        if (n < stops.size())
          rises = stops[n].at >= middle;
        else if (i > 0)
          rises = middle >= before;
        std::stable_sort(
            stops.begin() + static_cast<std::ptrdiff_t>(i), stops.begin() + static_cast<std::ptrdiff_t>(n),
            [&](const SchematicStop& x, const SchematicStop& y) { return rises ? x.at < y.at : x.at > y.at; });
        i = n;
      }
      std::size_t begin = 0;
      int least = 0;
      while (begin < stops.size()) {
        std::size_t end = begin;
        double low = stops[begin].at, high = low;
        int direction = 0;
        while (end + 1 < stops.size()) {
          const double step = stops[end + 1].at - stops[end].at;
          const int to = step > 0 ? 1 : -1;
          if (direction != 0 && to != direction) break;
          direction = to;
          ++end;
          low = std::min(low, stops[end].at);
          high = std::max(high, stops[end].at);
        }
        int level = least;
        for (;; ++level) {
          if (level == static_cast<int>(taken.size())) taken.emplace_back();
          if (std::none_of(taken[level].begin(), taken[level].end(),
                           [&](const auto& o) { return low < o.second + 8.0 && o.first < high + 8.0; }))
            break;
        }
        taken[level].push_back({low, high});
        for (std::size_t s = begin == 0 ? 0 : begin + 1; s <= end; ++s)
          stops[s].level = level;
        lines_[l].levels = std::max(lines_[l].levels, level + 1);
        least = level + 1;
        if (end == begin || end + 1 == stops.size()) break;
        begin = end;
      }
    }
    return static_cast<int>(taken.size());
  }

  void stack_lanes() {
    // In the order in which the first main meets them; where there is none, from above as drawn.
    struct Key {
      std::size_t band;
      double main, y;
    };
    std::vector<Key> keys;
    int first_main = -1;
    for (std::size_t k = 0; k < bands_.size() && first_main < 0; ++k)
      if (!bands_[k].lane && !bands_[k].right) first_main = static_cast<int>(k);
    for (std::size_t k = 0; k < bands_.size(); ++k) {
      const SchematicBand& b = bands_[k];
      if (!b.lane) continue;
      Key key{k, 1e18, loop_.places[loop_.racks[b.racks.front()].inlet].y_mm};
      for (const SchematicItem& i : b.items) {
        if (i.kind != SchematicStop::Kind::joint || first_main < 0) continue;
        const SchematicJoint& j = joints_[i.index];
        const int other = i.b_end ? j.line_a : j.line_b, pos = i.b_end ? j.pos_a : j.pos_b;
        if (lines_[other].band == first_main) key.main = std::min(key.main, key_at(bands_[first_main], other, pos));
      }
      keys.push_back(key);
    }
    std::stable_sort(keys.begin(), keys.end(),
                     [](const Key& a, const Key& b) { return std::tuple(a.main, a.y) < std::tuple(b.main, b.y); });
    // A main reads downwards.
    if (first_main >= 0 && keys.size() > 1 && keys.back().main < 1e17 && keys.front().y > keys.back().y)
      std::reverse(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      bands_[keys[i].band].number = i;
      lane_order_.push_back(keys[i].band);
    }
    out_.lanes = lane_order_.size();

    // Units of mains: which lanes they stand between.
    for (std::size_t k = 0; k < bands_.size(); ++k) {
      SchematicBand& b = bands_[k];
      if (b.lane) continue;
      std::vector<std::size_t> met;
      for (const SchematicItem& i : b.items)
        if (const auto lane = lane_of(i)) met.push_back(*lane);
      if (met.size() > 1 && met.front() > met.back()) std::reverse(b.items.begin(), b.items.end());
      std::size_t after = 0;
      bool any = false;
      for (const SchematicItem& i : b.items) {
        if (const auto lane = lane_of(i)) {
          after = any ? std::max(after, *lane + 1) : *lane + 1;
          any = true;
        } else if (i.kind == SchematicStop::Kind::unit) {
          units_after_[{k, any ? after : 0}].push_back(i.index);
        }
      }
      if (!any) { // joined to no lane: beside the first one
        auto units = units_after_[{k, 0}];
        units_after_.erase({k, 0});
        units_after_[{k, 1}] = units;
      }
    }
    std::size_t supply_tops = 0;
    for (const SchematicJoint& j : joints_)
      if (!band_of(j.line_a).lane && !band_of(j.line_b).lane && j.side == PipeSide::supply) ++supply_tops;
    double y = edge_margin + static_cast<double>(supply_tops) * channel_pitch;
    top_channel_ = edge_margin;
    const auto most_units = [&](std::size_t gap) {
      std::size_t n = 0;
      for (std::size_t k = 0; k < bands_.size(); ++k)
        if (const auto it = units_after_.find({k, gap}); it != units_after_.end()) n = std::max(n, it->second.size());
      return static_cast<double>(n);
    };
    for (std::size_t i = 0; i < lane_order_.size(); ++i) {
      SchematicBand& b = bands_[lane_order_[i]];
      const double above =
          b.supply_channels * channel_pitch + b.supply_levels * level_pitch + row_gap - level_pitch / 2;
      double row = y + above;
      const double supply_at = row - row_gap; // of its innermost level
      double wanted = supply_at;
      if (i == 0)
        wanted = std::max(supply_at, y + most_units(0) * unit_pitch);
      else if (const double n = most_units(i); n > 0) {
        const SchematicBand& before = bands_[lane_order_[i - 1]];
        wanted = std::max(supply_at,
                          unit_start(before) + (n - 1) * unit_pitch + 0.3 * row_height + level_pitch * b.supply_levels);
      }
      row += wanted - supply_at;
      b.row_y = row;
      y = row + row_height + row_gap - level_pitch / 2 + b.return_levels * level_pitch +
          b.return_channels * channel_pitch + lane_gap;
    }
    bottom_ = y;
    if (const double n = most_units(lane_order_.size()); n > 0)
      bottom_ =
          std::max(bottom_, unit_start(bands_[lane_order_.back()]) + (n - 1) * unit_pitch + row_height + lane_gap);
  }
  [[nodiscard]] std::optional<std::size_t> lane_of(const SchematicItem& i) const {
    if (i.kind != SchematicStop::Kind::joint) return {};
    const SchematicJoint& j = joints_[i.index];
    const SchematicBand& other = band_of(i.b_end ? j.line_a : j.line_b);
    if (!other.lane) return {};
    return other.number;
  }
  /// Top of the first unit that stands after a lane beside mains: its return port is just below the lane's return.
  [[nodiscard]] static double unit_start(const SchematicBand& lane) {
    return lane.row_y + row_height + row_gap + level_pitch * (lane.return_levels - 1) + level_pitch / 2 -
           0.7 * row_height;
  }

  [[nodiscard]] double level_y(const SchematicBand& b, PipeSide side, int level) const {
    return side == PipeSide::supply ? b.row_y - row_gap - level * level_pitch
                                    : b.row_y + row_height + row_gap + level * level_pitch;
  }
  [[nodiscard]] double channel_y(const SchematicBand& b, PipeSide side, int channel) const {
    return side == PipeSide::supply
               ? b.row_y - row_gap - (b.supply_levels - 0.5) * level_pitch - channel * channel_pitch
               : b.row_y + row_height + row_gap + (b.return_levels - 0.5) * level_pitch + channel * channel_pitch;
  }

  /// Where a joint leaves a lane, level.
  [[nodiscard]] double joint_lane_y(std::size_t joint, bool b_end) const {
    const SchematicJoint& j = joints_[joint];
    const int line = b_end ? j.line_b : j.line_a;
    const SchematicBand& b = band_of(line);
    if (const auto it = channel_.find({joint, b_end}); it != channel_.end())
      return channel_y(b, lines_[line].side, it->second);
    for (const SchematicStop& s : lines_[line].stops)
      if (s.kind == SchematicStop::Kind::joint && s.index == joint && s.b_end == b_end)
        return level_y(b, lines_[line].side, s.level);
    return b.row_y;
  }

  void place_mains() {
    double left = edge_margin, right = 0.0;
    std::size_t gutter = 0;
    for (const SchematicJoint& j : joints_)
      if (band_of(j.line_a).lane && band_of(j.line_b).lane) ++gutter;
    int supply_top = 0, return_foot = 0;
    const auto far_y = [&](PipeSide side) {
      if (side == PipeSide::supply) return top_channel_ + channel_pitch * supply_top++;
      return bottom_ + channel_pitch * return_foot++;
    };
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (!band_of(joints_[j].line_a).lane && !band_of(joints_[j].line_b).lane)
        main_joint_y_[j] = far_y(joints_[j].side);

    for (const bool at_right : {false, true}) {
      for (std::size_t k = 0; k < bands_.size(); ++k) {
        SchematicBand& b = bands_[k];
        if (b.lane || b.right != at_right) continue;
        for (const auto& [key, units] : units_after_) {
          if (key.first != k) continue;
          for (std::size_t n = 0; n < units.size(); ++n) {
            double y = 0.0;
            if (key.second == 0) {
              const double first =
                  level_y(bands_[lane_order_.front()], PipeSide::supply, bands_[lane_order_.front()].supply_levels - 1);
              y = first - static_cast<double>(units.size() - n) * unit_pitch + (unit_pitch - row_height) / 2;
            } else
              y = unit_start(bands_[lane_order_[key.second - 1]]) + static_cast<double>(n) * unit_pitch;
            b.unit_at[units[n]] = y;
          }
        }
        std::map<std::pair<std::size_t, bool>, int> ports;
        for (std::size_t t = 0; t < taps_.size(); ++t) {
          const SchematicTap& tap = taps_[t];
          if (tap.rack || tap.line < 0 || lines_[tap.line].band != static_cast<int>(k)) continue;
          const bool supply = lines_[tap.line].side == PipeSide::supply;
          const int port = ports[{tap.member, supply}]++;
          const double y = b.unit_at[tap.member] + (supply ? 0.3 : 0.7) * row_height + 8.0 * port;
          lines_[tap.line].stops.push_back({SchematicStop::Kind::unit, t, false, tap.pos, tap.pos, y, 0});
        }
        for (const SchematicItem& i : b.items) {
          if (i.kind != SchematicStop::Kind::joint) continue;
          const SchematicJoint& j = joints_[i.index];
          const int line = i.b_end ? j.line_b : j.line_a, pos = i.b_end ? j.pos_b : j.pos_a;
          const bool to_lane = band_of(i.b_end ? j.line_a : j.line_b).lane;
          const double y = to_lane ? joint_lane_y(i.index, !i.b_end) : main_joint_y_[i.index];
          lines_[line].stops.push_back({SchematicStop::Kind::joint, i.index, i.b_end, pos, pos, y, 0});
        }
        int levels = 0;
        for (const PipeSide side : {PipeSide::supply, PipeSide::return_}) {
          const int used = lay_levels(b, side);
          for (const int l : b.lines)
            if (lines_[l].side == side) main_level_[l] = levels;
          levels += used;
        }
        const bool units = !b.units.empty();
        double& edge = at_right ? right : left;
        const double boxes = units ? unit_box_width + edge_margin : 0.0;
        main_x_[k] = at_right ? edge : edge + boxes;
        edge += boxes + levels * main_pitch + (at_right && units ? 0.0 : 8.0);
        main_width_[k] = levels * main_pitch;
      }
      if (!at_right) {
        gutter_x_ = left + 4.0;
        left += static_cast<double>(gutter) * 14.0 + 8.0;
        lane_left_ = left + joint_column;
        right = lane_left_ + widest_ + joint_column + 16.0;
      }
    }
    out_.width = std::max(right, lane_left_ + widest_) + edge_margin;
    out_.height = bottom_ + channel_pitch * return_foot + edge_margin - lane_gap;
  }
  [[nodiscard]] double main_level_x(int line, int level) const {
    const int k = lines_[line].band;
    const int number = main_level_.at(line) + level;
    return main_x_.at(k) + (number + 0.5) * main_pitch;
  }

  SchematicPoint stop_point(int line, const SchematicStop& s) const {
    const SchematicBand& b = band_of(line);
    if (b.lane) return {lane_left_ + s.at, level_y(b, lines_[line].side, s.level)};
    return {main_level_x(line, s.level), s.at};
  }

  void emit() {
    std::map<std::size_t, int> unit_box;
    std::map<std::pair<int, std::size_t>, int> group_box; // band, group
    for (std::size_t k = 0; k < bands_.size(); ++k) {
      SchematicBand& b = bands_[k];
      for (const auto& [unit, at] : b.unit_at) {
        SchematicBox box;
        box.kind = SchematicBoxKind::unit;
        box.width = unit_box_width;
        box.height = row_height;
        if (b.lane) {
          box.x = lane_left_ + at - unit_box_width / 2;
          box.y = b.row_y;
          box.lane = b.number;
        } else {
          box.x = b.right ? main_x_[static_cast<int>(k)] + main_width_[static_cast<int>(k)] + edge_margin
                          : main_x_[static_cast<int>(k)] - edge_margin - unit_box_width;
          box.y = at;
        }
        box.members = {unit};
        unit_box[unit] = static_cast<int>(out_.boxes.size());
        out_.boxes.push_back(std::move(box));
      }
    }
    for (const std::size_t k : lane_order_) {
      SchematicBand& b = bands_[k];
      for (std::size_t g = 0; g < b.groups.size(); ++g) {
        SchematicBox box;
        box.x = lane_left_ + b.groups[g].x - rack_box_width / 2;
        box.y = b.row_y;
        box.width = rack_box_width;
        box.height = row_height;
        box.members = b.groups[g].racks;
        box.lane = b.number;
        group_box[{static_cast<int>(k), g}] = static_cast<int>(out_.boxes.size());
        out_.boxes.push_back(std::move(box));
      }
    }
    for (std::size_t l = 0; l < lines_.size(); ++l)
      if (!lines_[l].gone) emit_line(static_cast<int>(l), unit_box, group_box);
    std::size_t gutter = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j)
      emit_joint(j, gutter);
  }

  void emit_line(int index, const std::map<std::size_t, int>& unit_box,
                 const std::map<std::pair<int, std::size_t>, int>& group_box) {
    const SchematicLine& l = lines_[index];
    const SchematicBand& b = band_of(index);
    std::vector<SchematicFlow> inside; // of the stops at one place so far
    for (std::size_t i = 0; i < l.stops.size(); ++i) {
      const SchematicStop& s = l.stops[i];
      const SchematicPoint p = stop_point(index, s);
      // What hangs here.
      std::vector<SchematicFlow> leaves;
      if (s.kind == SchematicStop::Kind::joint) {
        SchematicJoint& j = joints_[s.index];
        (s.b_end ? j.at_b : j.at_a) = p;
        leaves = j.flows;
        if (s.b_end)
          for (SchematicFlow& f : leaves)
            f.sign = -f.sign;
      } else {
        SchematicStretch hang;
        hang.side = l.side;
        const bool supply = l.side == PipeSide::supply;
        int header = l.nodes[s.lo], thing = -1;
        if (s.kind == SchematicStop::Kind::racks) {
          hang.kind = StretchKind::hose;
          hang.box = group_box.at({l.band, s.index});
          for (const std::size_t r : b.groups[s.index].racks) {
            const SchematicTap& t = taps_[2 * r + (supply ? 0 : 1)];
            leaves.push_back({t.link, t.out});
            hang.flows.push_back({t.link, 1});
          }
          const LoopRack& r = loop_.racks[b.groups[s.index].racks.front()];
          thing = supply ? r.inlet : r.outlet;
        } else {
          const SchematicTap& t = taps_[s.index];
          hang.kind = StretchKind::connection;
          hang.box = unit_box.at(t.member);
          leaves.push_back({t.link, t.out});
          hang.flows.push_back({t.link, 1});
          thing = supply ? loop_.units[t.member].supply : loop_.units[t.member].returned;
        }
        const SchematicBox& box = out_.boxes[hang.box];
        SchematicPoint end;
        if (b.lane)
          end = {p.x, supply ? box.y : box.y + box.height};
        else
          end = {b.right ? box.x : box.x + box.width, p.y};
        // Coolant goes from the header to a rack and from a unit to the header on the supply side.
        const bool from_header = supply == (s.kind == SchematicStop::Kind::racks);
        hang.points = from_header ? std::vector{p, end} : std::vector{end, p};
        hang.from = from_header ? header : thing;
        hang.to = from_header ? thing : header;
        out_.stretches.push_back(std::move(hang));
      }
      if (i + 1 == l.stops.size()) break;
      const SchematicStop& next = l.stops[i + 1];
      SchematicStretch run;
      run.side = l.side;
      run.from = l.nodes[s.hi];
      run.to = l.nodes[next.lo];
      const SchematicPoint q = stop_point(index, next);
      if (p.x == q.x || p.y == q.y)
        run.points = {p, q};
      else if (b.lane)
        run.points = {p, {p.x, q.y}, q};
      else
        run.points = {p, {q.x, p.y}, q};
      if (next.lo > s.hi) {
        run.section = l.sections[s.hi];
        run.flows = {{l.links[s.hi], l.signs[s.hi]}};
        inside.clear();
      } else {
        // No pipe between them: what comes in, less what left before.
        if (inside.empty() && s.lo > 0) inside.push_back({l.links[s.lo - 1], l.signs[s.lo - 1]});
        for (SchematicFlow f : leaves) {
          f.sign = -f.sign;
          inside.push_back(f);
        }
        run.flows = inside;
        run.section = s.lo > 0 ? l.sections[s.lo - 1] : l.sections[std::min<std::size_t>(s.lo, l.sections.size() - 1)];
      }
      out_.stretches.push_back(std::move(run));
    }
  }

  void emit_joint(std::size_t index, std::size_t& gutter) {
    const SchematicJoint& j = joints_[index];
    SchematicStretch s;
    s.kind = StretchKind::joint;
    s.side = j.side;
    s.flows = j.flows;
    s.from = j.node_a;
    s.to = j.node_b;
    const bool lane_a = band_of(j.line_a).lane, lane_b = band_of(j.line_b).lane;
    s.points.push_back(j.at_a);
    const auto leave = [&](const SchematicPoint& at, bool b_end) {
      return SchematicPoint{at.x, joint_lane_y(index, b_end)};
    };
    if (lane_a) s.points.push_back(leave(j.at_a, false));
    if (lane_a && lane_b) {
      const double x = gutter_x_ + 14.0 * static_cast<double>(gutter++);
      s.points.push_back({x, s.points.back().y});
      s.points.push_back({x, joint_lane_y(index, true)});
    }
    if (lane_b) s.points.push_back(leave(j.at_b, true));
    s.points.push_back(j.at_b);
    s.points.erase(std::unique(s.points.begin(), s.points.end()), s.points.end());
    if (s.points.size() < 2) s.points.push_back(s.points.front());
    out_.dots.push_back({j.at_a, j.side, j.node_a});
    if (j.node_a != j.node_b) out_.dots.push_back({j.at_b, j.side, j.node_b});
    out_.stretches.push_back(std::move(s));
  }

  const DrawnLoop& loop_;
  const std::vector<NetworkLink>& links_;
  LoopSchematic out_;
  Id pipe_of_last_ = 0;
  std::set<int> in_sections_;
  std::vector<SchematicLine> lines_;
  std::map<int, std::vector<std::pair<int, int>>> visits_; ///< by node: line and position
  std::vector<SchematicTap> taps_;                         ///< two a rack, then those of units
  std::map<std::pair<int, int>, std::vector<std::size_t>> taps_at_;
  std::vector<SchematicJoint> joints_;
  std::vector<SchematicBand> bands_;
  std::vector<std::size_t> lane_order_;
  std::map<std::pair<std::size_t, bool>, double> joint_x_; ///< columns of joints that leave between other things
  std::map<std::pair<std::size_t, bool>, int> channel_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> units_after_; ///< by band and lanes above
  std::map<std::size_t, double> main_joint_y_;
  std::map<int, int> main_level_;
  std::map<int, double> main_x_, main_width_; ///< by band
  double widest_ = 0.0, lane_left_ = 0.0, gutter_x_ = 0.0, bottom_ = 0.0, top_channel_ = 0.0;
};

} // namespace

LoopSchematic loop_schematic(const DrawnLoop& loop) {
  if (!loop.solvable()) return {};
  return SchematicLayout(loop).make();
}

double stretch_flow(const SchematicStretch& stretch, const std::vector<double>& link_flows) {
  double out = 0.0;
  for (const SchematicFlow& f : stretch.flows)
    if (f.link >= 0 && static_cast<std::size_t>(f.link) < link_flows.size()) out += f.sign * link_flows[f.link];
  return out;
}

} // namespace hallwright
