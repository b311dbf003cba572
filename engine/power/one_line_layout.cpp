// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/one_line_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "power/feed_graph.h"

namespace hallwright {
namespace {

constexpr std::size_t no_node = static_cast<std::size_t>(-1);
/// Fewest equals that fold, the first that makes the diagram narrow enough.
constexpr std::array<std::size_t, 4> fold_from{1'000'000'000, 5, 3, 2};

int side_rank(Feed side) { return side == Feed::a ? 0 : side == Feed::both ? 1 : 2; }
std::int64_t rounded(double v) { return std::isfinite(v) ? static_cast<std::int64_t>(std::llround(v)) : -1; }

/// One symbol of a node: elements of its buses that are alike.
struct Part {
  std::vector<std::uint32_t> elements;
  std::int64_t fold = 0;
  bool folded = false;
  std::size_t symbol = 0;
};

/// Buses at the same place of equal branches, drawn as one.
struct Node {
  std::vector<std::uint32_t> buses;
  std::vector<Part> parts;
  std::vector<std::size_t> children;
  std::size_t parent = no_node;
  std::size_t row = 0;
  Feed side = Feed::both;
  bool own_racks = false; ///< racks on these alone
  double width = 0.0, left = 0.0, middle = 0.0;
  std::size_t racks_symbol = no_node;
};

class DiagramMaker {
public:
  DiagramMaker(const OneLine& line, const OneLineFolding& folding, const OneLineMeasures& measures)
      : line_(line), folding_(folding) {
    out_.measures = measures;
    find_parents();
    find_sides();
    sign();
  }

  OneLineLayout make() {
    std::size_t least = fold_from.front();
    if (!folding_.none)
      for (const std::size_t from : fold_from) {
        least = from;
        grow(from, false);
        if (columns() <= folding_.most_columns) break;
      }
    grow(least, true);
    give_rows();
    place();
    make_symbols();
    wire();
    return std::move(out_);
  }

private:
  using Buses = std::vector<std::uint32_t>;

  const OneLineElement& element(std::uint32_t i) const { return line_.elements()[i]; }
  std::uint32_t first(std::uint32_t bus) const { return line_.buses()[bus].members.front(); }
  Id id_of_bus(std::uint32_t bus) const { return element(first(bus)).id; }

  void find_parents() {
    const auto& buses = line_.buses();
    parent_.assign(buses.size(), -1);
    children_.assign(buses.size(), {});
    for (std::uint32_t b = 0; b < buses.size(); ++b)
      for (const std::uint32_t m : buses[b].members) {
        const std::int32_t up = line_.upstream(m);
        if (up == OneLine::none || parent_[b] >= 0) continue;
        const std::uint32_t above = line_.bus_of(static_cast<std::size_t>(up));
        if (above != b) parent_[b] = static_cast<std::int32_t>(above);
      }
    // The engine cuts circles; a parent that would close one is left out all the same.
    for (std::uint32_t b = 0; b < buses.size(); ++b) {
      std::size_t steps = 0;
      for (std::int32_t up = parent_[b]; up >= 0; up = parent_[static_cast<std::size_t>(up)])
        if (++steps > buses.size() || up == static_cast<std::int32_t>(b)) {
          parent_[b] = -1;
          break;
        }
    }
    for (std::uint32_t b = 0; b < buses.size(); ++b)
      (parent_[b] >= 0 ? children_[static_cast<std::size_t>(parent_[b])] : roots_).push_back(b);
    // Sources without children stand beside what they stand by for.
    stands_by_.assign(buses.size(), -1);
    for (std::uint32_t e = 0; e < line_.elements().size(); ++e)
      if (const std::int32_t alt = line_.alternate(e); alt != OneLine::none) {
        const std::uint32_t source = line_.bus_of(static_cast<std::size_t>(alt));
        ++consumers_[source];
        if (stands_by_[source] < 0) stands_by_[source] = static_cast<std::int32_t>(line_.bus_of(e));
      }
  }

  template <class F>
  void from_the_leaves(F&& visit) {
    std::vector<std::uint32_t> order = roots_;
    for (std::size_t k = 0; k < order.size(); ++k)
      order.insert(order.end(), children_[order[k]].begin(), children_[order[k]].end());
    for (auto b = order.rbegin(); b != order.rend(); ++b)
      visit(*b);
  }

  void find_sides() {
    side_.assign(line_.buses().size(), Feed::both);
    from_the_leaves([&](std::uint32_t b) {
      Feed side = element(first(b)).side;
      for (const std::uint32_t m : line_.buses()[b].members)
        if (element(m).side != side) side = Feed::both;
      if (side == Feed::both && !children_[b].empty()) {
        side = side_[children_[b].front()];
        for (const std::uint32_t c : children_[b])
          if (side_[c] != side) side = Feed::both;
      }
      side_[b] = side;
    });
    for (const std::uint32_t b : roots_)
      if (side_[b] == Feed::both && children_[b].empty() && stands_by_[b] >= 0 && consumers_[b] == 1)
        side_[b] = side_[static_cast<std::size_t>(stands_by_[b])];
  }

  /// Equal branches have equal signatures: kinds, sides and ratings down to the last, and what stands by for them.
  void sign() {
    signature_.assign(line_.buses().size(), 0);
    std::map<std::vector<std::int64_t>, int> known;
    const auto number = [&](std::vector<std::int64_t> words) {
      return known.try_emplace(std::move(words), static_cast<int>(known.size()) + 1).first->second;
    };
    from_the_leaves([&](std::uint32_t b) {
      std::vector<std::int64_t> members, below;
      for (const std::uint32_t m : line_.buses()[b].members)
        members.push_back(number(element_words(m)));
      std::sort(members.begin(), members.end());
      for (const std::uint32_t c : children_[b])
        below.push_back(signature_[c]);
      std::sort(below.begin(), below.end());
      std::vector<std::int64_t> words{side_rank(side_[b]), !line_.buses()[b].groups_a.empty(),
                                      !line_.buses()[b].groups_b.empty()};
      if (const std::int32_t by = stands_by_[b]; by >= 0 && children_[b].empty()) {
        const std::int32_t up = parent_[static_cast<std::size_t>(by)];
        words.push_back(up);
        words.push_back(static_cast<std::int64_t>(element(first(static_cast<std::uint32_t>(by))).kind));
        words.push_back(consumers_[b] == 1 ? -1 : static_cast<std::int64_t>(b));
      }
      words.push_back(-7);
      words.insert(words.end(), members.begin(), members.end());
      words.push_back(-8);
      words.insert(words.end(), below.begin(), below.end());
      signature_[b] = number(std::move(words));
    });
  }
  std::vector<std::int64_t> element_words(std::uint32_t m) {
    const OneLineElement& e = element(m);
    std::int64_t alternate = -1;
    if (const std::int32_t alt = line_.alternate(m); alt != OneLine::none) {
      const std::uint32_t bus = line_.bus_of(static_cast<std::size_t>(alt));
      alternate = consumers_[bus] == 1 ? -2 : static_cast<std::int64_t>(bus);
    }
    return {static_cast<std::int64_t>(e.kind), side_rank(e.side), rounded(e.rating_w), rounded(e.rating_va), alternate};
  }

  /// Makes the nodes. @param with_opened  draws opened folds one by one
  void grow(std::size_t least, bool with_opened) {
    nodes_.clear();
    top_.clear();
    least_ = least;
    with_opened_ = with_opened;
    std::vector<Buses> all{roots_};
    grow_children(no_node, all);
  }
  [[nodiscard]] bool opened(std::int64_t fold) const { return with_opened_ && folding_.opened.count(fold) > 0; }

  /// Children of buses at one place: one list of children for each bus, alike in number and signatures.
  void grow_children(std::size_t parent, const std::vector<Buses>& lists) {
    // Each list by signature, in the order of ids within one.
    std::map<int, std::vector<Buses>> by_signature;
    std::vector<std::pair<Id, int>> order;
    for (std::size_t k = 0; k < lists.size(); ++k)
      for (const std::uint32_t b : lists[k]) {
        auto& of = by_signature[signature_[b]];
        of.resize(lists.size());
        if (k == 0 && of[0].empty()) order.emplace_back(id_of_bus(b), signature_[b]);
        of[k].push_back(b);
      }
    for (auto& [signature, of] : by_signature) {
      static_cast<void>(signature);
      for (Buses& list : of)
        std::sort(list.begin(), list.end(),
                  [&](std::uint32_t x, std::uint32_t y) { return id_of_bus(x) < id_of_bus(y); });
    }
    struct Made {
      int side = 0;
      Id id = 0;
      Buses buses;
      std::int64_t fold = 0;
    };
    std::vector<Made> made;
    for (const auto& [id, signature] : order) {
      const std::vector<Buses>& of = by_signature[signature];
      const std::size_t each = of.front().size();
      const int side = side_rank(side_[of.front().front()]);
      const std::int64_t fold = each >= least_ ? 2 * id_of_bus(of.front().front()) : 0;
      if (fold != 0 && !opened(fold)) {
        Made m{side, id_of_bus(of.front().front()), {}, fold};
        for (const Buses& list : of)
          m.buses.insert(m.buses.end(), list.begin(), list.end());
        made.push_back(std::move(m));
        continue;
      }
      for (std::size_t i = 0; i < each; ++i) {
        Made m{side, id_of_bus(of.front()[i]), {}, fold};
        for (const Buses& list : of)
          if (i < list.size()) m.buses.push_back(list[i]);
        made.push_back(std::move(m));
      }
    }
    std::stable_sort(made.begin(), made.end(),
                     [](const Made& x, const Made& y) { return std::tie(x.side, x.id) < std::tie(y.side, y.id); });
    if (parent == no_node) {
      // A source without children stands right after the branch that it stands by for.
      std::vector<Made> in_order;
      const auto top_of = [&](std::int32_t bus) {
        while (parent_[static_cast<std::size_t>(bus)] >= 0)
          bus = parent_[static_cast<std::size_t>(bus)];
        return static_cast<std::uint32_t>(bus);
      };
      const auto follows = [&](const Made& m) {
        return children_[m.buses.front()].empty() && stands_by_[m.buses.front()] >= 0;
      };
      for (const Made& m : made) {
        if (follows(m) &&
            std::find(m.buses.begin(), m.buses.end(), top_of(stands_by_[m.buses.front()])) == m.buses.end() &&
            !follows_self(top_of(stands_by_[m.buses.front()])))
          continue;
        in_order.push_back(m);
        for (const Made& later : made) {
          if (!follows(later) || &later == &m) continue;
          const std::uint32_t top = top_of(stands_by_[later.buses.front()]);
          if (follows_self(top) || std::find(m.buses.begin(), m.buses.end(), top) == m.buses.end()) continue;
          in_order.push_back(later);
        }
      }
      if (in_order.size() == made.size()) made = std::move(in_order);
    }
    for (Made& m : made) {
      const std::size_t n = nodes_.size();
      nodes_.push_back({});
      nodes_[n].buses = std::move(m.buses);
      nodes_[n].parent = parent;
      nodes_[n].side = side_[nodes_[n].buses.front()];
      make_parts(nodes_[n], m.fold);
      (parent == no_node ? top_ : nodes_[parent].children).push_back(n);
      std::vector<Buses> below;
      for (const std::uint32_t b : nodes_[n].buses)
        below.push_back(children_[b]);
      grow_children(n, below);
    }
  }
  /// Whether the top of a branch is itself a source that follows another.
  [[nodiscard]] bool follows_self(std::uint32_t top) const { return children_[top].empty() && stands_by_[top] >= 0; }

  void make_parts(Node& node, std::int64_t fold) {
    // Members of each bus that are alike, in the order of the first of them.
    std::vector<std::vector<std::int64_t>> order;
    std::map<std::vector<std::int64_t>, std::vector<std::vector<std::uint32_t>>> of;
    for (std::size_t k = 0; k < node.buses.size(); ++k)
      for (const std::uint32_t m : line_.buses()[node.buses[k]].members) {
        auto words = element_words(m);
        auto& lists = of[words];
        if (lists.empty()) order.push_back(words);
        lists.resize(node.buses.size());
        lists[k].push_back(m);
      }
    for (const auto& words : order) {
      const auto& lists = of[words];
      std::size_t each = 0;
      for (const auto& list : lists)
        each = std::max(each, list.size());
      const std::int64_t own =
          each >= least_ ? 2 * element(lists.front().empty() ? first(node.buses.front()) : lists.front().front()).id + 1
                         : 0;
      const auto add = [&](std::vector<std::uint32_t> elements) {
        std::sort(elements.begin(), elements.end());
        Part part;
        part.folded = elements.size() > 1;
        // What was folded with its equals opens first, the members of each bus then.
        part.fold = part.folded && node.buses.size() > 1 ? fold : own != 0 ? own : fold;
        if (elements.size() == 1 && own == 0) part.fold = fold;
        part.elements = std::move(elements);
        node.parts.push_back(std::move(part));
      };
      if (own != 0 && !opened(own)) {
        std::vector<std::uint32_t> all;
        for (const auto& list : lists)
          all.insert(all.end(), list.begin(), list.end());
        add(std::move(all));
        continue;
      }
      for (std::size_t i = 0; i < each; ++i) {
        std::vector<std::uint32_t> some;
        for (const auto& list : lists)
          if (i < list.size()) some.push_back(list[i]);
        add(std::move(some));
      }
    }
  }

  [[nodiscard]] std::size_t columns() const {
    std::vector<std::size_t> wide(nodes_.size(), 0);
    for (std::size_t n = nodes_.size(); n-- > 0;) {
      std::size_t below = has_own_racks(nodes_[n]) ? 1 : 0;
      for (const std::size_t c : nodes_[n].children)
        below += wide[c];
      wide[n] = std::max(nodes_[n].parts.size(), below);
    }
    std::size_t sum = 0;
    for (const std::size_t n : top_)
      sum += wide[n];
    return sum;
  }
  /// Racks that hang on these buses and on no others.
  [[nodiscard]] bool has_own_racks(const Node& node) const {
    for (const std::uint32_t b : node.buses)
      for (const std::uint32_t g : line_.buses()[b].groups_a)
        if (line_.groups()[g].b == OneLine::none) return true;
    return false;
  }

  void give_rows() {
    // Kinds in their order; a kind that stands below a later one goes right below what feeds it.
    std::array<std::size_t, places_in_chain> depth_of_kind{};
    const auto rank = [&](std::size_t n) -> std::size_t {
      return static_cast<std::size_t>(place_in_chain(element(nodes_[n].parts.front().elements.front()).kind));
    };
    std::vector<char> ordered(nodes_.size(), 1);
    std::vector<std::size_t> nested(nodes_.size(), 0);
    for (std::size_t n = 0; n < nodes_.size(); ++n) { // parents come before their children
      const std::size_t up = nodes_[n].parent;
      if (up == no_node) {
        // Generators are sources as utility feeds are: side by side with them.
        ordered[n] = rank(n) != 1;
        continue;
      }
      ordered[n] = (ordered[up] || nodes_[up].parent == no_node) && rank(up) <= rank(n);
      nested[n] = rank(up) == rank(n) ? nested[up] + 1 : 0;
      if (ordered[n]) depth_of_kind[rank(n)] = std::max(depth_of_kind[rank(n)], nested[n]);
    }
    std::array<std::size_t, places_in_chain> base{};
    std::array<bool, places_in_chain> there{};
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (ordered[n]) there[rank(n)] = true;
    std::size_t next = 0;
    for (std::size_t k = 0; k < base.size(); ++k) {
      base[k] = next;
      if (there[k]) next += depth_of_kind[k] + 1;
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      Node& node = nodes_[n];
      const std::size_t after = node.parent == no_node ? 0 : nodes_[node.parent].row + 1;
      node.row = ordered[n] ? std::max(after, base[rank(n)] + nested[n]) : after;
    }
    std::set<std::size_t> used;
    for (const Node& n : nodes_)
      used.insert(n.row);
    std::map<std::size_t, std::size_t> packed;
    for (const std::size_t r : used)
      packed.emplace(r, packed.size());
    for (Node& n : nodes_)
      n.row = packed[n.row];
    element_rows_ = packed.size();
  }

  void place() {
    const double pitch = out_.measures.pitch;
    for (std::size_t n = nodes_.size(); n-- > 0;) {
      Node& node = nodes_[n];
      node.own_racks = has_own_racks(node);
      double below = node.own_racks ? pitch : 0.0;
      for (const std::size_t c : node.children)
        below += nodes_[c].width;
      node.width = std::max(pitch * static_cast<double>(node.parts.size()), below);
    }
    double left = 0.0;
    int before = -1;
    for (const std::size_t n : top_) {
      const int side = side_rank(nodes_[n].side);
      if (before >= 0 && side != before) left += 0.25 * pitch; // the sides apart
      before = side;
      put(n, left);
      left += nodes_[n].width;
    }
  }
  /// Gives a branch its room from `left` on; nothing else stands in it.
  void put(std::size_t n, double left) {
    Node& node = nodes_[n];
    const double pitch = out_.measures.pitch;
    node.left = left;
    double below = node.own_racks ? pitch : 0.0;
    for (const std::size_t c : node.children)
      below += nodes_[c].width;
    double at = left + (node.width - below) / 2;
    double low = 1e300, high = -1e300;
    for (const std::size_t c : node.children) {
      put(c, at);
      at += nodes_[c].width;
      low = std::min(low, nodes_[c].middle);
      high = std::max(high, nodes_[c].middle);
    }
    if (node.own_racks) {
      racks_at_[n] = at + pitch / 2;
      low = std::min(low, racks_at_[n]);
      high = std::max(high, racks_at_[n]);
    }
    const double own = pitch * static_cast<double>(node.parts.size());
    node.middle = low <= high ? (low + high) / 2 : left + node.width / 2;
    node.middle = std::clamp(node.middle, left + own / 2, left + node.width - own / 2);
  }

  void make_symbols() {
    const OneLineMeasures& m = out_.measures;
    struct Found {
      OneLineSymbol symbol;
      std::size_t node = no_node, part = 0;
    };
    std::vector<Found> found;
    node_of_bus_.assign(line_.buses().size(), no_node);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      Node& node = nodes_[n];
      for (const std::uint32_t b : node.buses)
        node_of_bus_[b] = n;
      for (std::size_t p = 0; p < node.parts.size(); ++p) {
        OneLineSymbol s;
        s.elements = node.parts[p].elements;
        s.kind = element(s.elements.front()).kind;
        s.side = node.side;
        s.row = node.row;
        s.fold = node.parts[p].fold;
        s.folded = node.parts[p].folded;
        s.x = node.middle + (static_cast<double>(p) - static_cast<double>(node.parts.size() - 1) / 2) * m.pitch;
        found.push_back({std::move(s), n, p});
      }
    }
    // Racks, by what they hang on.
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint32_t>> racks;
    for (std::uint32_t g = 0; g < line_.groups().size(); ++g) {
      const OneLine::LoadGroup& group = line_.groups()[g];
      const auto node_of = [&](std::int32_t e) {
        return e == OneLine::none ? no_node : node_of_bus_[line_.bus_of(static_cast<std::size_t>(e))];
      };
      racks[{node_of(group.a), node_of(group.b)}].push_back(g);
    }
    const bool single = std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.own_racks; });
    const std::size_t shared_row = element_rows_ + (single ? 1 : 0);
    std::vector<std::pair<double, std::size_t>> shared; // wished place, index in found
    for (auto& [feeds, groups] : racks) {
      OneLineSymbol s;
      s.groups = groups;
      if (feeds.first != no_node && feeds.second == no_node) {
        s.side = nodes_[feeds.first].side;
        s.row = element_rows_;
        s.x = racks_at_[feeds.first];
        found.push_back({std::move(s), feeds.first, 0});
        continue;
      }
      s.row = shared_row;
      double wish = 1e9;
      if (feeds.first != no_node) wish = (nodes_[feeds.first].middle + nodes_[feeds.second].middle) / 2;
      shared.emplace_back(wish, found.size());
      found.push_back({std::move(s), feeds.first, 0});
    }
    std::stable_sort(shared.begin(), shared.end(), [&](const auto& x, const auto& y) {
      return std::make_pair(x.first, found[x.second].symbol.groups.front()) <
             std::make_pair(y.first, found[y.second].symbol.groups.front());
    });
    // As near to their wishes as their widths allow: blocks that touch share the mean of their wishes.
    struct Block {
      double sum = 0.0; ///< of wishes less the place in the block
      std::size_t count = 0;
      [[nodiscard]] double start() const { return sum / static_cast<double>(count); }
    };
    double right = 0.0;
    for (const Found& f : found)
      right = std::max(right, f.symbol.x + m.pitch);
    std::vector<Block> blocks;
    for (const auto& [wish, at] : shared) {
      static_cast<void>(at);
      blocks.push_back({wish > 1e8 ? right : wish, 1});
      while (blocks.size() > 1) {
        const Block last = blocks.back();
        Block& before = blocks[blocks.size() - 2];
        if (before.start() + static_cast<double>(before.count) * m.pitch <= last.start()) break;
        before.sum += last.sum - static_cast<double>(before.count * last.count) * m.pitch;
        before.count += last.count;
        blocks.pop_back();
      }
    }
    std::size_t k = 0;
    for (const Block& b : blocks)
      for (std::size_t i = 0; i < b.count; ++i, ++k)
        found[shared[k].second].symbol.x = b.start() + static_cast<double>(i) * m.pitch;

    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      const OneLineSymbol &a = found[x].symbol, &b = found[y].symbol;
      return std::tie(a.row, a.x) < std::tie(b.row, b.x);
    });
    double least = 0.0;
    for (const Found& f : found)
      least = std::min(least, f.symbol.x - m.pitch / 2);
    out_.symbol_of_element.assign(line_.elements().size(), 0);
    out_.symbol_of_group.assign(line_.groups().size(), 0);
    // The wire lies left of the middle of its column: the words stand at its right.
    const double port = m.glyph_half + 5.0 - m.pitch / 2 - least;
    double last = 0.0;
    for (const std::size_t i : order) {
      Found& f = found[i];
      const std::size_t at = out_.symbols.size();
      f.symbol.x += port;
      last = std::max(last, f.symbol.x);
      for (const std::uint32_t e : f.symbol.elements)
        out_.symbol_of_element[e] = static_cast<std::uint32_t>(at);
      for (const std::uint32_t g : f.symbol.groups)
        out_.symbol_of_group[g] = static_cast<std::uint32_t>(at);
      if (!f.symbol.racks()) {
        nodes_[f.node].parts[f.part].symbol = at;
      } else if (f.node != no_node && f.symbol.row == element_rows_ && single) {
        nodes_[f.node].racks_symbol = at;
      }
      out_.symbols.push_back(std::move(f.symbol));
    }
    out_.width = out_.symbols.empty() ? 0.0 : last + m.words_width + 6.0;
    // Titles of the rows.
    const std::size_t rows = out_.symbols.empty() ? 0 : out_.symbols.back().row + 1;
    out_.rows.resize(rows);
    std::vector<std::set<PowerUnitKind>> kinds(rows);
    for (const OneLineSymbol& s : out_.symbols)
      if (!s.racks()) kinds[s.row].insert(s.kind);
    for (std::size_t r = 0; r < rows; ++r) {
      for (const PowerUnitKind kind : kinds[r])
        out_.rows[r].title += (out_.rows[r].title.empty() ? "" : ", ") + std::string(power_level_words(kind));
      if (kinds[r].empty()) out_.rows[r].title = "Racks";
    }
  }

  // --- wires ---------------------------------------------------------------------------------------------------------

  /// A wire before rows have their heights: pieces by gap (0: above the first row; g: below row g - 1).
  struct Draft {
    OneLineWire wire;
    double from_x = 0.0, to_x = 0.0;
    std::size_t from_gap = 0, to_gap = 0; ///< level pieces lie in these
    double between_x = 0.0;               ///< upright between two gaps
    std::size_t from_track = 0, to_track = 0;
    bool level = false; ///< has a level piece at all
  };

  /// Symbols of a node that its bar joins.
  std::vector<std::size_t> symbols_of(const Node& node) const {
    std::vector<std::size_t> out;
    for (const Part& p : node.parts)
      out.push_back(p.symbol);
    return out;
  }
  double node_x(const Node& node) const {
    const auto& s = out_.symbols;
    return (s[node.parts.front().symbol].x + s[node.parts.back().symbol].x) / 2;
  }

  std::size_t take_track(std::size_t gap, double a, double b) {
    if (a > b) std::swap(a, b);
    auto& tracks = tracks_[gap];
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      bool clear = true;
      for (const auto& [low, high] : tracks[t])
        clear = clear && (b + 4.0 < low || a - 4.0 > high);
      if (!clear) continue;
      tracks[t].emplace_back(a, b);
      return t;
    }
    tracks.push_back({{a, b}});
    return tracks.size() - 1;
  }

  /// An upright between rows that meets no symbol of them, as near to `wish` as there is.
  double clear_upright(double wish, std::size_t first_row, std::size_t end_row) {
    const OneLineMeasures& m = out_.measures;
    const auto meets = [&](double x) {
      for (const OneLineSymbol& s : out_.symbols)
        if (s.row >= first_row && s.row < end_row && x > s.x - m.glyph_half - 3.0 && x < s.x + m.words_width + 2.0)
          return true;
      return false;
    };
    std::vector<double> places{wish, out_.width + 4.0};
    for (const OneLineSymbol& s : out_.symbols)
      if (s.row >= first_row && s.row < end_row) places.push_back(s.x - m.glyph_half - 6.0);
    double best = out_.width + 4.0;
    for (const double x : places)
      if (x >= 1.0 && !meets(x) && std::abs(x - wish) < std::abs(best - wish)) best = x;
    // Those that share the place stand side by side.
    const int beside = uprights_[std::llround(best)]++;
    best += 4.0 * (beside % 4);
    out_.width = std::max(out_.width, best + 4.0);
    return best;
  }

  void wire() {
    const OneLineMeasures& m = out_.measures;
    const auto& symbols = out_.symbols;
    tracks_.assign(out_.rows.size() + 1, {});
    std::vector<Draft> drafts;
    std::vector<char> bar(nodes_.size(), 0);
    const auto upright = [&](OneLineWireKind kind, std::size_t from, std::size_t to, double x, std::size_t from_row,
                             Feed side) {
      Draft d;
      d.wire = {kind, from, to, side, {}};
      d.from_x = d.to_x = x;
      d.from_gap = from_row + 1;
      drafts.push_back(std::move(d));
    };
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      std::size_t ports = 0;
      double only = 0.0;
      const auto port = [&](std::size_t symbol, OneLineWireKind kind) {
        upright(kind, node.parts.front().symbol, symbol, symbols[symbol].x, node.row, symbols[symbol].side);
        only = symbols[symbol].x;
        ++ports;
      };
      for (const std::size_t c : node.children)
        for (const Part& p : nodes_[c].parts)
          if (feeds(node, p)) port(p.symbol, OneLineWireKind::feed);
      if (node.racks_symbol != no_node) port(node.racks_symbol, OneLineWireKind::cord_a);
      bar[n] = node.parts.size() > 1 || ports > 1 || (ports == 1 && std::abs(only - node_x(node)) > 0.5);
    }
    // Members of a bus that another unit feeds than its first member, and second sources.
    std::set<std::pair<std::size_t, std::size_t>> told;
    for (std::uint32_t e = 0; e < line_.elements().size(); ++e) {
      const std::size_t to = out_.symbol_of_element[e];
      const auto other = [&](std::int32_t from, OneLineWireKind kind) {
        if (from == OneLine::none) return;
        const std::size_t n = node_of_bus_[line_.bus_of(static_cast<std::size_t>(from))];
        const Node& node = nodes_[n];
        const std::size_t own = node_of_bus_[line_.bus_of(e)];
        if (kind == OneLineWireKind::feed && nodes_[own].parent == n) return;
        if (n == own || !told.emplace(n, to * 2 + (kind == OneLineWireKind::feed)).second) return;
        Draft d;
        d.wire = {kind, node.parts.front().symbol, to, node.side, {}};
        d.level = true;
        d.from_x = node_x(node) + (bar[n] || !node.children.empty() ? 9.0 : 0.0);
        d.to_x = symbols[to].x + 9.0;
        d.from_gap = node.row + 1;
        d.to_gap = symbols[to].row;
        if (d.from_gap != d.to_gap) {
          const std::size_t low = std::min(d.from_gap, d.to_gap), high = std::max(d.from_gap, d.to_gap);
          d.between_x = clear_upright(d.to_x, low, high);
          d.from_track = take_track(d.from_gap, d.from_x, d.between_x);
          d.to_track = take_track(d.to_gap, d.between_x, d.to_x);
        } else {
          d.from_track = d.to_track = take_track(d.from_gap, d.from_x, d.to_x);
        }
        drafts.push_back(std::move(d));
      };
      other(line_.upstream(e), OneLineWireKind::feed);
      other(line_.alternate(e), OneLineWireKind::second_source);
    }
    // Cords of racks on two feeds: those to the right first from the right, those to the left first from the left, so
    // that wires of one side do not cross.
    std::vector<Draft> cords;
    for (std::size_t s = 0; s < symbols.size(); ++s) {
      if (!symbols[s].racks()) continue;
      const OneLine::LoadGroup& group = line_.groups()[symbols[s].groups.front()];
      if (group.a == OneLine::none || group.b == OneLine::none) continue;
      for (const bool second : {false, true}) {
        const std::size_t n = node_of_bus_[line_.bus_of(static_cast<std::size_t>(second ? group.b : group.a))];
        const Node& node = nodes_[n];
        Draft d;
        const Feed own = element(static_cast<std::uint32_t>(second ? group.b : group.a)).side;
        d.wire = {second ? OneLineWireKind::cord_b : OneLineWireKind::cord_a,
                  node.parts.front().symbol,
                  s,
                  own != Feed::both ? own
                  : second          ? Feed::b
                                    : Feed::a,
                  {}};
        d.from_x = node_x(node) + (node.children.empty() && node.racks_symbol == no_node ? 0.0 : second ? 9.0 : -9.0);
        d.to_x = symbols[s].x + (second ? 6.0 : -6.0);
        d.from_gap = d.to_gap = symbols[s].row;
        d.level = true;
        cords.push_back(std::move(d));
      }
    }
    std::stable_sort(cords.begin(), cords.end(), [](const Draft& a, const Draft& b) {
      const bool right_a = a.to_x >= a.from_x, right_b = b.to_x >= b.from_x;
      if (right_a != right_b) return right_a;
      return right_a ? a.from_x > b.from_x : a.from_x < b.from_x;
    });
    for (Draft& d : cords) {
      // A cord from further up goes round what stands between.
      const std::size_t next = out_.symbols[d.wire.from].row + 1;
      const double clear = next < d.to_gap ? clear_upright(d.from_x, next, d.to_gap) : d.from_x;
      if (std::abs(clear - d.from_x) > 0.5) {
        d.from_gap = next;
        d.between_x = clear;
        d.from_track = take_track(d.from_gap, d.from_x, clear);
        d.to_track = take_track(d.to_gap, clear, d.to_x);
      } else {
        d.from_track = d.to_track = take_track(d.to_gap, d.from_x, d.to_x);
      }
      drafts.push_back(std::move(d));
    }

    // Heights, then the points.
    double y = 2.0;
    std::vector<double> gap_top(out_.rows.size() + 1, 0.0);
    for (std::size_t r = 0; r < out_.rows.size(); ++r) {
      gap_top[r] = y + (r == 0 ? 0.0 : 12.0);
      const double tracks = m.track * static_cast<double>(tracks_[r].size());
      y += r == 0 ? (tracks > 0 ? tracks + 10.0 : 0.0) : m.gap + tracks;
      out_.rows[r].y = y;
      y += m.symbol_height;
    }
    gap_top[out_.rows.size()] = y + 12.0;
    if (!tracks_.back().empty()) y += 18.0 + m.track * static_cast<double>(tracks_.back().size());
    out_.height = out_.rows.empty() ? 0.0 : y + 4.0;
    for (OneLineSymbol& s : out_.symbols)
      s.y = out_.rows[s.row].y;
    const auto foot = [&](std::size_t row) { return out_.rows[row].y + m.symbol_height; };
    const auto bar_y = [&](std::size_t row) { return foot(row) + 12.0; };
    const auto track_y = [&](std::size_t gap, std::size_t track) {
      return gap_top[gap] + (gap == 0 ? 0.0 : 10.0) + m.track * static_cast<double>(track + 1) - m.track / 2;
    };
    std::vector<std::size_t> node_of_symbol(symbols.size(), no_node);
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      for (const Part& p : nodes_[n].parts)
        node_of_symbol[p.symbol] = n;
    // The extent of each bar grows with what hangs on it.
    std::vector<std::pair<double, double>> extent(nodes_.size(), {1e300, -1e300});
    const auto reach = [&](std::size_t n, double x) {
      extent[n].first = std::min(extent[n].first, x);
      extent[n].second = std::max(extent[n].second, x);
    };
    for (Draft& d : drafts) {
      const std::size_t n = node_of_symbol[d.wire.from];
      const std::size_t row = nodes_[n].row;
      if (d.level && std::abs(d.from_x - node_x(nodes_[n])) > 0.5) bar[n] = 1;
      const double start = bar[n] ? bar_y(row) : foot(row);
      const double end = symbols[d.wire.to].y;
      reach(n, d.from_x);
      auto& points = d.wire.points;
      points.push_back({d.from_x, start});
      if (d.level) {
        points.push_back({d.from_x, track_y(d.from_gap, d.from_track)});
        if (d.from_gap != d.to_gap) {
          points.push_back({d.between_x, track_y(d.from_gap, d.from_track)});
          points.push_back({d.between_x, track_y(d.to_gap, d.to_track)});
        }
        points.push_back({d.to_x, track_y(d.to_gap, d.to_track)});
      }
      points.push_back({d.to_x, end});
      out_.wires.push_back(std::move(d.wire));
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (!bar[n]) continue;
      const Node& node = nodes_[n];
      OneLineBar b;
      b.symbols = symbols_of(node);
      b.side = node.side;
      b.y = bar_y(node.row);
      for (const std::size_t s : b.symbols) {
        reach(n, symbols[s].x);
        b.stubs.push_back(
            {OneLineWireKind::feed, s, s, node.side, {{symbols[s].x, foot(node.row)}, {symbols[s].x, b.y}}});
      }
      b.from = extent[n].first;
      b.to = extent[n].second;
      out_.bars.push_back(std::move(b));
    }
  }
  /// Whether a part of a child bus hangs on this node: by any of its elements.
  [[nodiscard]] bool feeds(const Node& node, const Part& part) const {
    for (const std::uint32_t e : part.elements) {
      const std::int32_t up = line_.upstream(e);
      if (up == OneLine::none) continue;
      const std::uint32_t bus = line_.bus_of(static_cast<std::size_t>(up));
      if (std::find(node.buses.begin(), node.buses.end(), bus) != node.buses.end()) return true;
    }
    return false;
  }

  const OneLine& line_;
  const OneLineFolding& folding_;
  OneLineLayout out_;
  std::vector<std::int32_t> parent_, stands_by_;
  std::map<std::uint32_t, int> consumers_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::uint32_t> roots_;
  std::vector<Feed> side_;
  std::vector<int> signature_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> top_;
  std::size_t least_ = 0, element_rows_ = 0;
  bool with_opened_ = false;
  std::map<std::size_t, double> racks_at_;
  std::vector<std::size_t> node_of_bus_;
  std::vector<std::vector<std::vector<std::pair<double, double>>>> tracks_;
  std::map<long long, int> uprights_;
};

} // namespace

OneLineLayout lay_out(const OneLine& line, const OneLineFolding& folding, const OneLineMeasures& measures) {
  return DiagramMaker(line, folding, measures).make();
}

std::vector<std::size_t> OneLineLayout::above(std::size_t symbol) const {
  std::vector<std::size_t> out;
  for (const bool second : {false, true})
    for (const OneLineWire& w : wires)
      if (w.to == symbol && (w.kind == OneLineWireKind::second_source) == second &&
          std::find(out.begin(), out.end(), w.from) == out.end())
        out.push_back(w.from);
  return out;
}

std::vector<std::size_t> OneLineLayout::below(std::size_t symbol) const {
  // Wires begin at the first symbol of a bus: the others feed the same.
  std::size_t from = symbol;
  for (const OneLineBar& b : bars)
    if (std::find(b.symbols.begin(), b.symbols.end(), symbol) != b.symbols.end()) from = b.symbols.front();
  std::vector<std::size_t> out;
  for (const OneLineWire& w : wires)
    if (w.from == from && w.kind != OneLineWireKind::second_source) out.push_back(w.to);
  std::sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return symbols[a].x < symbols[b].x; });
  return out;
}

std::string_view power_level_words(PowerUnitKind kind) {
  switch (kind) {
  case PowerUnitKind::utility_feed:
    return "Utility feeds";
  case PowerUnitKind::transformer:
    return "Transformers";
  case PowerUnitKind::generator:
    return "Generators";
  case PowerUnitKind::ups:
    return "UPS";
  case PowerUnitKind::distribution:
    return "Distribution";
  case PowerUnitKind::busway:
    return "Busways";
  case PowerUnitKind::switchgear:
    return "Switchgear";
  case PowerUnitKind::static_switch:
    return "Static switches";
  case PowerUnitKind::rectifier:
    return "Rectifiers";
  }
  return "Units";
}

std::string_view power_unit_words(PowerUnitKind kind) {
  switch (kind) {
  case PowerUnitKind::utility_feed:
    return "utility feed";
  case PowerUnitKind::transformer:
    return "transformer";
  case PowerUnitKind::generator:
    return "generator";
  case PowerUnitKind::ups:
    return "UPS";
  case PowerUnitKind::distribution:
    return "distribution unit";
  case PowerUnitKind::busway:
    return "busway";
  case PowerUnitKind::switchgear:
    return "switchgear";
  case PowerUnitKind::static_switch:
    return "static switch";
  case PowerUnitKind::rectifier:
    return "rectifier";
  }
  return "unit";
}

} // namespace hallwright
