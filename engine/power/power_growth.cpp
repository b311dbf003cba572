// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_growth.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "power/feed_graph.h"
#include "quantity/text.h"

namespace hallwright {
namespace {

std::string growth_text(Power p) { return format_quantity(in_watts(p), kind::power).joined(); }
std::string level_word(PowerUnitKind kind) {
  return kind == PowerUnitKind::ups ? std::string("UPS")
                                    : std::string(ChoiceWords<PowerUnitKind>::words[static_cast<std::size_t>(kind)]);
}

/// The one-line with one more load on each pair of feeds, whose size is a number of racks.
class FilledOneLine {
public:
  FilledOneLine(const OneLine& base, const RackToAdd& rack, const std::vector<std::pair<Id, Id>>& pairs)
      : rack_(rack), pairs_(pairs), line_(with_loads(base, pairs)), normal_(line_) {
    // Where the added loads stand: their numbers are beyond all others. Each rack, its pumps, its other plant.
    for (std::size_t k = 0; k < pairs.size(); ++k)
      load_.push_back(line_.loads().size() - loads_of_pair * (pairs.size() - k));
    double it = 0.0, pumps = 0.0, other = 0.0;
    for (const OneLineLoad& load : base.loads())
      it += in_watts(load.draw.real);
    for (const PlantLoad& p : base.plant())
      (p.pumps ? pumps : other) += in_watts(p.draw.real);
    if (it > 0.0) {
      const double w = in_watts(rack.draw.real) / it;
      const PowerFactor factor = base.plant().empty() ? PowerFactor{1.0} : base.plant().front().draw.factor();
      pumps_ = ComplexPower::of(watts(w * pumps), factor);
      other_ = ComplexPower::of(watts(w * other), factor);
    }
    racks_.assign(pairs.size(), 0);
    const std::size_t n = line_.elements().size();
    states_.push_back({-1, normal_});
    if (!rack.through_failures) return;
    // Failures that put more on no element than it carries in normal operation say no to nothing.
    std::vector<std::vector<std::size_t>> below(n); // pairs that stand below each element
    for (std::size_t k = 0; k < pairs.size(); ++k)
      for (const std::uint32_t i : ways_of(normal_, k))
        below[i].push_back(k);
    for (std::size_t i = 0; i < n; ++i) {
      PowerFlow flow = normal_;
      const std::size_t out[] = {i};
      flow.solve(out);
      bool raises = false;
      for (std::size_t e = 0; e < n && !raises; ++e)
        raises = flow.output_watts(e) > normal_.output_watts(e) * (1.0 + 1e-9) + 1e-6;
      for (std::size_t k = 0; k < below[i].size() && !raises; ++k)
        raises = puts_more(flow, below[i][k]);
      if (raises) states_.push_back({static_cast<std::ptrdiff_t>(i), std::move(flow)});
    }
  }

  struct Verdict {
    bool fits = true;
    Id says_no = 0, with_out = 0;
  };
  /// Racks that would fit on a pair in normal operation, by its slope at the first one; infinite: nothing says no.
  double room_in_normal_operation(std::size_t pair) {
    const auto ways = ways_of(normal_, pair);
    std::vector<double> before;
    for (const std::uint32_t i : ways)
      before.push_back(normal_.headroom(i));
    set(normal_, pair, 1);
    double room = std::numeric_limits<double>::infinity();
    for (std::size_t w = 0; w < ways.size(); ++w)
      if (const double is = normal_.headroom(ways[w]); before[w] > is)
        room = std::min(room, std::max(0.0, before[w]) / (before[w] - is));
    set(normal_, pair, 0);
    return room;
  }
  /// Puts this many racks on a pair.
  void put(std::size_t pair, Count racks) {
    if (racks == racks_[pair]) return;
    for (State& s : states_)
      set(s.flow, pair, racks);
    racks_[pair] = racks;
  }
  /// Most racks that fit on a pair beside what is there on others, and who says no to the next one (only elements of
  /// one kind, if given); they are put there. -1: nothing ever says no.
  std::pair<Count, Verdict> most(std::size_t pair, std::optional<PowerUnitKind> kind = std::nullopt) {
    look_up(pair);
    put(pair, 0);
    if (!kind && rack_.through_failures && pairs_[pair].second != 0 &&
        in_watts(rack_.draw.real) > rack_.one_feed_capacity_w)
      return {0, {false, pairs_[pair].first, pairs_[pair].second}};
    // Loads grow nearly straight with the racks: where they would meet their limits, and then rack by rack.
    std::vector<double> before;
    for (std::size_t s = 0; s < states_.size(); ++s)
      for (const std::uint32_t i : ways_[s])
        before.push_back(states_[s].flow.headroom(i));
    put(pair, 1);
    double guess = std::numeric_limits<double>::infinity();
    std::size_t at = 0;
    for (std::size_t s = 0; s < states_.size(); ++s)
      for (const std::uint32_t i : ways_[s]) {
        const double was = before[at++], is = states_[s].flow.headroom(i);
        if ((kind && line_.elements()[i].kind != *kind) || !(was > is)) continue;
        guess = std::min(guess, std::max(0.0, was) / (was - is));
      }
    if (!std::isfinite(guess) || guess > 1e9) {
      put(pair, 0);
      return {-1, {}};
    }
    Count low = 0, high = -1, next = std::max<Count>(1, static_cast<Count>(std::floor(guess + 1e-6)));
    Verdict no;
    for (Count reach = 1; high < 0; reach *= 2) { // from the guess up until one says no
      const Verdict v = look(pair, next, kind);
      if (!v.fits) {
        high = next;
        no = v;
      } else {
        low = next;
        next += reach;
      }
    }
    for (Count reach = 1; high - low > 1; reach *= 2) { // and down until one fits
      const Count try_now = std::max(low + 1, reach > (high - low) / 2 ? low + (high - low) / 2 : high - reach);
      const Verdict v = look(pair, try_now, kind);
      if (v.fits) {
        low = try_now;
        reach = 1;
      } else {
        high = try_now;
        no = v;
      }
    }
    // Several of a chain may be over their limits with the next rack: the one over by most says no.
    put(pair, high);
    if (const Verdict most_over = look_for_most(kind); !most_over.fits) no = most_over;
    put(pair, low);
    return {low, no};
  }
  void clear() {
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      put(k, 0);
  }
  [[nodiscard]] const OneLine& line() const { return line_; }
  /// Largest output of an element over all states in which it lives [W].
  [[nodiscard]] double worst_watts(std::size_t i) const {
    double out = 0.0;
    for (const State& s : states_)
      out = std::max(out, s.flow.output_watts(i));
    return out;
  }
  [[nodiscard]] const PowerFlow& normal() const { return states_.front().flow; }

private:
  struct State {
    std::ptrdiff_t out;
    PowerFlow flow;
  };
  static OneLine with_loads(const OneLine& base, const std::vector<std::pair<Id, Id>>& pairs) {
    std::vector<OneLineLoad> loads = base.loads();
    Id next = loads.empty() ? 1 : loads.back().id + 1;
    const auto add = [&](Id a, Id b) {
      OneLineLoad load;
      load.id = next++;
      load.feed_a = a;
      load.feed_b = b == a ? 0 : b;
      loads.push_back(load);
    };
    for (const auto& [a, b] : pairs) {
      add(a, b);
      const auto [pumps_a, board_a] = plant_places(base, a);
      const auto [pumps_b, board_b] = plant_places(base, b);
      add(pumps_a, pumps_b);
      add(board_a, board_b);
    }
    return OneLine(base.elements(), std::move(loads), {}, base.plant());
  }
  /// Where the pumps and the other plant for a rack on a feed hang: the UPS above it and what feeds that; without a UPS
  /// the first transformer, else the source. 0: the drawing ends below.
  static std::pair<Id, Id> plant_places(const OneLine& base, Id feed) {
    const std::ptrdiff_t at = feed == 0 ? -1 : base.index(feed);
    if (at < 0) return {0, 0};
    const auto& elements = base.elements();
    std::vector<std::size_t> way{static_cast<std::size_t>(at)};
    for (const std::size_t up : base.above(way.front()))
      way.push_back(up);
    std::optional<std::size_t> ups, transformer;
    for (const std::size_t i : way) {
      if (elements[i].kind == PowerUnitKind::ups) ups = i;
      if (elements[i].kind == PowerUnitKind::transformer) transformer = i;
    }
    if (ups) return {elements[*ups].id, base.upstream(*ups) == OneLine::none ? 0 : elements[*ups].upstream};
    const std::size_t top = transformer ? *transformer : way.back();
    const PowerUnitKind kind = elements[top].kind;
    const bool carries = transformer || kind == PowerUnitKind::utility_feed || kind == PowerUnitKind::generator;
    return carries ? std::pair{elements[top].id, elements[top].id} : std::pair<Id, Id>{0, 0};
  }
  /// So many racks on a pair, with the plant for them.
  void set(PowerFlow& flow, std::size_t pair, Count racks) const {
    const auto n = static_cast<double>(racks);
    flow.change_load(load_[pair], n * rack_.draw);
    if (in_watts(pumps_.real) > 0.0) flow.change_load(load_[pair] + 1, n * pumps_);
    if (in_watts(other_.real) > 0.0) flow.change_load(load_[pair] + 2, n * other_);
  }
  /// With this many racks, whether an element on the ways of the pair carries more than it may.
  Verdict look(std::size_t pair, Count racks, std::optional<PowerUnitKind> kind) {
    put(pair, racks);
    for (std::size_t s = 0; s < states_.size(); ++s)
      for (const std::uint32_t i : ways_[s]) {
        if ((kind && line_.elements()[i].kind != *kind) || !(states_[s].flow.headroom(i) < -1e-9)) continue;
        return {false, line_.elements()[i].id,
                states_[s].out < 0 ? 0 : line_.elements()[static_cast<std::size_t>(states_[s].out)].id};
      }
    return {};
  }
  /// Of the elements on the ways of the pair looked up, the one that carries most beyond what it may, as a share of
  /// that. Of equal ones that of normal operation, then the one nearest to the source.
  Verdict look_for_most(std::optional<PowerUnitKind> kind) {
    Verdict out;
    double least = -1e-9;
    std::size_t deep = 0;
    for (std::size_t s = 0; s < states_.size(); ++s)
      for (const std::uint32_t i : ways_[s]) {
        const double headroom = states_[s].flow.headroom(i);
        if ((kind && line_.elements()[i].kind != *kind) || !(headroom < -1e-9)) continue;
        const Id with_out = states_[s].out < 0 ? 0 : line_.elements()[static_cast<std::size_t>(states_[s].out)].id;
        const std::size_t depth = line_.above(i).size();
        const bool equal = !out.fits && std::abs(headroom - least) <= 1e-9;
        if (out.fits || (equal ? with_out == out.with_out && depth < deep : headroom < least)) {
          out = {false, line_.elements()[i].id, with_out};
          least = headroom;
          deep = depth;
        }
      }
    return out;
  }
  /// Elements on the ways from a pair to the sources, in each state: adding racks changes no others.
  void look_up(std::size_t pair) {
    if (looked_up_ == pair && !ways_.empty()) return;
    looked_up_ = pair;
    ways_.clear();
    for (const State& s : states_)
      ways_.push_back(ways_of(s.flow, pair));
  }
  std::vector<std::uint32_t> ways_of(const PowerFlow& flow, std::size_t pair) {
    std::vector<std::uint32_t> out;
    seen_.resize(line_.elements().size(), 0);
    std::vector<std::size_t> at;
    for (const Id feed : {pairs_[pair].first, pairs_[pair].second})
      if (const std::ptrdiff_t i = line_.index(feed); i >= 0) at.push_back(static_cast<std::size_t>(i));
    std::vector<std::uint32_t> touched;
    while (!at.empty()) {
      const std::size_t i = at.back();
      at.pop_back();
      if (seen_[i]) continue;
      for (const std::uint32_t m : line_.buses()[line_.bus_of(i)].members) {
        seen_[m] = 1;
        touched.push_back(m);
        if (!flow.live(m)) continue;
        out.push_back(m);
        const std::int32_t up = flow.on_alternate(m) ? line_.alternate(m) : line_.upstream(m);
        if (up != OneLine::none) at.push_back(static_cast<std::size_t>(up));
      }
    }
    for (const std::uint32_t m : touched)
      seen_[m] = 0;
    return out;
  }
  /// Whether a rack on this pair puts more on an element in this state than in normal operation.
  bool puts_more(PowerFlow& flow, std::size_t pair) {
    const auto ways = ways_of(flow, pair);
    std::vector<double> here, usual;
    for (const std::uint32_t i : ways) {
      here.push_back(flow.output_watts(i));
      usual.push_back(normal_.output_watts(i));
    }
    set(flow, pair, 1);
    set(normal_, pair, 1);
    bool more = false;
    for (std::size_t w = 0; w < ways.size(); ++w) // slopes differ a little by the losses at each load
      more = more || flow.output_watts(ways[w]) - here[w] > (normal_.output_watts(ways[w]) - usual[w]) * 1.005 + 1e-6;
    set(flow, pair, 0);
    set(normal_, pair, 0);
    return more;
  }

  static constexpr std::size_t loads_of_pair = 3;
  RackToAdd rack_;
  ComplexPower pumps_, other_; ///< plant for one rack, as the plant of today is to the racks of today
  std::vector<std::pair<Id, Id>> pairs_;
  OneLine line_;
  PowerFlow normal_;
  std::vector<std::size_t> load_;
  std::vector<Count> racks_;
  std::vector<State> states_; ///< normal operation, and failures that put more on something
  std::vector<char> seen_;
  std::vector<std::vector<std::uint32_t>> ways_; ///< of the pair looked up, by state
  std::size_t looked_up_ = 0;
};

} // namespace

tl::expected<PowerGrowth, std::string> power_growth(const OneLine& one_line, const RackToAdd& rack,
                                                    std::vector<std::pair<Id, Id>> pairs, const std::stop_token& stop) {
  if (!(in_watts(rack.draw.real) > 0.0) || !std::isfinite(in_watts(rack.draw.real)))
    return tl::make_unexpected(
        fmt::format("The power of a rack must be above 0 W; it is {:.6g} W", in_watts(rack.draw.real)));
  for (const auto& [a, b] : pairs)
    for (const Id id : {a, b})
      if (id != 0 && one_line.index(id) < 0)
        return tl::make_unexpected(fmt::format("A rack cannot be fed from unit {}, which does not exist", id));
  const auto& elements = one_line.elements();
  if (pairs.empty()) {
    std::set<std::pair<Id, Id>> used;
    for (const OneLine::LoadGroup& g : one_line.groups())
      if (g.a != OneLine::none)
        used.insert({elements[static_cast<std::size_t>(g.a)].id,
                     g.b == OneLine::none ? 0 : elements[static_cast<std::size_t>(g.b)].id});
    if (used.empty()) {
      // Nothing hangs on the one-line yet: its lowest elements, A with B in their order.
      std::vector<Id> a, b, both;
      for (std::size_t i = 0; i < elements.size(); ++i)
        if (one_line.buses()[one_line.bus_of(i)].children.empty())
          (elements[i].side == Feed::a ? a : elements[i].side == Feed::b ? b : both).push_back(elements[i].id);
      for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
        used.insert({a[k], b[k]});
      if (used.empty())
        for (const auto* list : {&a, &b, &both})
          for (const Id id : *list)
            used.insert({id, 0});
    }
    pairs.assign(used.begin(), used.end());
  }
  PowerGrowth out;
  if (pairs.empty()) {
    out.sentence = "No unit is drawn that a rack could hang on";
    return out;
  }
  FilledOneLine filled(one_line, rack, pairs);
  const std::size_t n = elements.size();
  std::vector<double> normal_before(n), worst_before(n);
  for (std::size_t i = 0; i < n; ++i) {
    normal_before[i] = filled.normal().output_watts(i);
    worst_before[i] = filled.worst_watts(i);
  }
  // The roomiest pair first, each seen alone.
  std::vector<std::pair<double, std::size_t>> alone;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    alone.emplace_back(filled.room_in_normal_operation(k), k);
    if (std::isinf(alone.back().first)) {
      out.sentence = fmt::format("Nothing above {} has a rating that could say no", one_line.name(pairs[k].first));
      out.complete = false;
      return out;
    }
  }
  std::stable_sort(alone.begin(), alone.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [unused, k] : alone) {
    if (stop.stop_requested()) {
      out.complete = false;
      return out;
    }
    const auto [racks, no] = filled.most(k);
    out.feeds.push_back({pairs[k].first, pairs[k].second, racks, no.says_no, no.with_out});
    out.racks += racks;
    if (racks > 0 || out.binding == 0) {
      out.binding = no.says_no;
      out.binding_with_out = no.with_out;
    }
  }
  std::vector<double> worst_after(n);
  for (std::size_t i = 0; i < n; ++i)
    worst_after[i] = filled.worst_watts(i);

  std::map<int, LevelRoom> levels;
  for (std::size_t i = 0; i < n; ++i) {
    LevelRoom& level = levels[place_in_chain(elements[i].kind)];
    level.kind = elements[i].kind;
    ++level.elements;
    // Usable real power at the power factor that it runs at.
    const PowerFlow& normal = filled.normal();
    double usable = elements[i].rating_w > 0.0 ? elements[i].rating_w * elements[i].usable_share
                                               : std::numeric_limits<double>::infinity();
    if (elements[i].rating_va > 0.0)
      usable = std::min(usable, elements[i].rating_va * elements[i].usable_share * normal.at(i).output.factor().cosine);
    if (!std::isfinite(usable)) {
      ++level.unrated;
      continue;
    }
    const double reserved = std::max(0.0, worst_before[i] - normal_before[i]);
    const double taken = std::max(0.0, worst_after[i] - worst_before[i]);
    level.usable += watts(usable);
    level.used += watts(normal_before[i]);
    level.reserved += watts(reserved);
    level.free += watts(taken);
    const double rest = usable - normal_before[i] - reserved - taken;
    (rest >= 0.0 ? level.stranded : level.over) += watts(std::abs(rest));
  }
  for (auto& [unused, level] : levels) {
    if (in_watts(level.usable) > 0.0) level.stranded_share = level.stranded / level.usable;
    // What fits if this level alone could say no.
    filled.clear();
    bool bounded = level.unrated < level.elements;
    for (const auto& [unused_room, k] : alone) {
      if (!bounded) break;
      if (stop.stop_requested()) {
        out.complete = false;
        return out;
      }
      const auto [racks, no] = filled.most(k, level.kind);
      if (racks < 0)
        bounded = false;
      else
        level.racks += racks;
    }
    // What fits under all limits fits under one; filling in another order may find less.
    level.racks = bounded ? std::max(level.racks, out.racks) : -1;
    out.levels.push_back(level);
    if (bounded && (!out.first_no || level.racks < std::find_if(
                                                       out.levels.begin(), out.levels.end(),
                                                       [&](const auto& l) { return l.kind == *out.first_no; })
                                                       ->racks))
      out.first_no = level.kind;
  }
  // The level that is told is that of the unit that says no.
  if (const std::ptrdiff_t i = one_line.index(out.binding); out.binding != 0 && i >= 0)
    out.first_no = elements[static_cast<std::size_t>(i)].kind;
  out.sentence =
      out.racks == 0
          ? fmt::format("No rack of {} fits: {}{} says no", growth_text(rack.draw.real), one_line.name(out.binding),
                        out.binding_with_out ? " with " + one_line.name(out.binding_with_out) + " out" : std::string())
          : fmt::format("{} more {} of {} fit; then {}{} says no", out.racks, out.racks == 1 ? "rack" : "racks",
                        growth_text(rack.draw.real), one_line.name(out.binding),
                        out.binding_with_out ? " with " + one_line.name(out.binding_with_out) + " out" : std::string());
  if (out.first_no) out.sentence += fmt::format(" (least room: {})", level_word(*out.first_no));
  return out;
}

tl::expected<Restoration, std::string> restoration(const OneLine& one_line, const RestorationPlan& plan) {
  if (!(in_watts(plan.largest_step) > 0.0))
    return tl::make_unexpected(
        fmt::format("The largest step must be above 0 W; it is {:.6g} W", in_watts(plan.largest_step)));
  if (!(plan.pause >= Time{}) || !(plan.cooling_lead >= Time{}))
    return tl::make_unexpected(
        fmt::format("The pause and the lead of cooling must be 0 s or more; they are {:.6g} s and "
                    "{:.6g} s",
                    in_seconds(plan.pause), in_seconds(plan.cooling_lead)));
  if (!(plan.transformer_inrush >= 0.0 && plan.transformer_inrush <= 20.0))
    return tl::make_unexpected(fmt::format(
        "The inrush of a transformer must be 0 to 20 times its rated current; it is {:.6g}", plan.transformer_inrush));
  if (!(plan.rack_inrush >= 1.0 && plan.rack_inrush <= 10.0))
    return tl::make_unexpected(
        fmt::format("The inrush of a rack must be 1 to 10 times its power; it is {:.6g}", plan.rack_inrush));
  Restoration out;
  const PowerFlow normal(one_line);
  double on = 0.0, clock = 0.0;
  const auto step = [&](RestorationStep s) {
    on += in_watts(s.step);
    s.after = watts(on);
    s.at = seconds(clock);
    out.largest_step = std::max(out.largest_step, s.step);
    out.steps.push_back(std::move(s));
    clock += in_seconds(plan.pause);
  };
  // Every element after what feeds it; within a level by number.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < one_line.elements().size(); ++i)
    if (normal.live(i)) order.push_back(i);
  const auto depth = [&](std::size_t i) { return one_line.above(i).size(); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(depth(a), place_in_chain(one_line.elements()[a].kind)) <
           std::pair(depth(b), place_in_chain(one_line.elements()[b].kind));
  });
  // Cooling for all racks runs before the first one does.
  double plant = 0.0;
  bool cooled = false;
  for (const std::size_t i : order) {
    const OneLineElement& e = one_line.elements()[i];
    RestorationStep s;
    s.element = e.id;
    s.what = fmt::format("Close {}", one_line.name(e.id));
    const double rating = e.rating_va > 0.0 ? e.rating_va : e.rating_w > 0.0 ? e.rating_w : std::nan("");
    double drawn = std::isfinite(rating) ? e.losses.loss(0.0, 0.0, rating) : 0.0;
    const double own_plant = normal.plant_watts(i);
    plant += own_plant;
    if (own_plant > 0.0) {
      cooled = true;
      s.what += ", with the cooling on it";
      drawn += own_plant;
    }
    if (e.kind == PowerUnitKind::transformer && std::isfinite(rating) && e.output_voltage &&
        e.output_voltage->volts() > 0.0) {
      const double volts =
          e.input_voltage && e.input_voltage->volts() > 0.0 ? e.input_voltage->volts() : e.output_voltage->volts();
      s.inrush = amperes(plan.transformer_inrush * std::numbers::sqrt2 * rating / (std::numbers::sqrt3 * volts));
    }
    s.step = watts(drawn);
    if (drawn > in_watts(plan.largest_step))
      out.refused.push_back(
          fmt::format("{} takes {} at once with the cooling on it; {} is allowed: start its cooling in "
                      "parts",
                      one_line.name(e.id), growth_text(s.step), growth_text(plan.largest_step)));
    step(std::move(s));
  }
  if (cooled) clock = std::max(clock, in_seconds(plan.cooling_lead));

  // Racks in blocks, feed by feed.
  const std::set<Id> first(plan.first_racks.begin(), plan.first_racks.end());
  const auto start = [&](bool of_first) {
    for (std::size_t g = 0; g < one_line.groups().size(); ++g) {
      if (normal.live_feeds(g) == 0) continue;
      const OneLine::LoadGroup& group = one_line.groups()[g];
      const Id feed = one_line.elements()[static_cast<std::size_t>(group.a)].id;
      RestorationStep block;
      double block_w = 0.0;
      const auto close = [&] {
        if (block.racks.empty()) return;
        block.element = feed;
        block.what = fmt::format("Start {} {} on {}", block.racks.size(), block.racks.size() == 1 ? "rack" : "racks",
                                 one_line.name(feed));
        block.step = watts(block_w);
        step(std::move(block));
        block = {};
        block_w = 0.0;
      };
      for (const std::uint32_t m : group.members) {
        const OneLineLoad& load = one_line.loads()[m];
        if ((first.count(load.id) != 0) != of_first || in_watts(load.draw.real) <= 0.0) continue;
        const double w = in_watts(load.draw.real);
        if (plan.rack_inrush * w > in_watts(plan.largest_step)) {
          out.refused.push_back(fmt::format("Rack {} takes {} at once; {} is allowed: start its nodes in parts",
                                            load.id, growth_text(watts(plan.rack_inrush * w)),
                                            growth_text(plan.largest_step)));
          continue;
        }
        if (plan.rack_inrush * (block_w + w) > in_watts(plan.largest_step)) close();
        block.racks.push_back(load.id);
        block_w += w;
      }
      close();
    }
  };
  start(true);
  start(false);
  out.duration = out.steps.empty() ? Time{} : out.steps.back().at;
  return out;
}

} // namespace hallwright
