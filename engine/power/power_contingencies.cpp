// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_contingencies.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include "quantity/text.h"

namespace hallwright {
namespace {

constexpr double beyond_rounding = 1e-9;

std::string watts_text(double w) { return format_quantity(w, kind::power).joined(); }
std::string counted_word(Count n, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", n, n == 1 ? one : more);
}
bool nothing_wrong(const ContingencyCase& c) {
  return c.racks_dark == 0 && c.racks_short == 0 && c.overloaded.empty() && c.cascade.empty();
}

/// Sets of small numbers.
class Marks {
public:
  explicit Marks(std::size_t n) : words_((n + 63) / 64, 0) {}
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  [[nodiscard]] bool has(std::size_t i) const { return ((words_[i / 64] >> (i % 64)) & 1) != 0; }
  [[nodiscard]] bool meets(const Marks& other) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      if (words_[k] & other.words_[k]) return true;
    return false;
  }

private:
  std::vector<std::uint64_t> words_;
};

} // namespace

PowerContingencies::PowerContingencies(const OneLine& one_line) : line_(&one_line), normal_(one_line) {}

/// Lets what is overloaded drop out until it settles; `out` grows by it. Marks in `raised` what carries more than in
/// normal operation, in any round.
ContingencyCase PowerContingencies::run(PowerFlow& flow, std::vector<std::size_t>& out,
                                        std::vector<char>* raised) const {
  const auto& elements = line_->elements();
  std::vector<Id> taken;
  for (const std::size_t i : out)
    taken.push_back(elements[i].id);
  std::vector<TrippedElement> cascade;
  ContingencyCase at_once; // before anything drops out
  for (int round = 1;; ++round) {
    flow.solve(out);
    if (round == 1) at_once = look(flow);
    bool more = false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!flow.live(i) || flow.output_watts(i) <= 0.0) continue;
      if (raised && flow.output_watts(i) > normal_.output_watts(i) * (1.0 + beyond_rounding) + 1e-6) (*raised)[i] = 1;
      const double share = flow.load_share(i);
      if (!(share > elements[i].trip_share * (1.0 + beyond_rounding)) ||
          !(flow.output_watts(i) > normal_.output_watts(i) * (1.0 + beyond_rounding)))
        continue;
      cascade.push_back({elements[i].id, round, share, flow.output_watts(i)});
      out.push_back(i);
      more = true;
    }
    if (!more) break;
  }
  ContingencyCase c = cascade.empty() ? at_once : look(flow);
  c.worst_element = at_once.worst_element;
  c.worst_headroom = at_once.worst_headroom;
  c.worst_load_w = at_once.worst_load_w;
  c.worst_normal_w = at_once.worst_normal_w;
  c.out = std::move(taken);
  c.cascade = std::move(cascade);
  return c;
}

/// What a solved state means for racks and headroom.
ContingencyCase PowerContingencies::look(const PowerFlow& flow) const {
  ContingencyCase c;
  const auto& groups = line_->groups();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const int before = normal_.live_feeds(g), now = flow.live_feeds(g);
    if (before > 0 && now == 0) {
      c.racks_dark += groups[g].racks;
      c.gpus_dark += groups[g].gpus;
      c.job_gpus_dark += groups[g].job_gpus;
      c.dark += watts(flow.group_watts(g));
    } else if (before == 2 && now == 1) {
      c.racks_on_one_feed += groups[g].racks;
      c.racks_short += groups[g].short_on_one;
    }
  }
  const double plant_dark = flow.plant_without_power() - normal_.plant_without_power();
  if (plant_dark > 1e-6) c.plant_dark = watts(plant_dark);
  if (line_->job_gpus() > 0)
    c.job_share_dark = static_cast<double>(c.job_gpus_dark) / static_cast<double>(line_->job_gpus());
  for (std::size_t i = 0; i < line_->elements().size(); ++i) {
    if (!flow.live(i) || flow.output_watts(i) <= 0.0) continue;
    const double headroom = flow.headroom(i);
    if (headroom < -beyond_rounding) c.overloaded.push_back(line_->elements()[i].id);
    if (std::isnan(headroom) || headroom >= c.worst_headroom) continue;
    c.worst_headroom = headroom;
    c.worst_element = line_->elements()[i].id;
    c.worst_load_w = flow.output_watts(i);
    c.worst_normal_w = normal_.output_watts(i);
  }
  return c;
}

ContingencyCase PowerContingencies::with_out(const std::vector<Id>& elements) const {
  std::vector<std::size_t> out;
  for (const Id id : elements)
    if (const std::ptrdiff_t i = line_->index(id); i >= 0) out.push_back(static_cast<std::size_t>(i));
  PowerFlow flow = normal_;
  return run(flow, out);
}

ContingencySweep PowerContingencies::start() const {
  ContingencySweep sweep;
  sweep.normal = look(normal_);
  // What is dark already: drawn feeds, and none of them has power. It is wrong in every state.
  for (std::size_t g = 0; g < line_->groups().size(); ++g) {
    const OneLine::LoadGroup& group = line_->groups()[g];
    const int drawn = (group.a != OneLine::none ? 1 : 0) + (group.b != OneLine::none ? 1 : 0), live = normal_.live_feeds(g);
    if (drawn > 0 && live == 0) {
      sweep.normal.racks_dark += group.racks;
      sweep.normal.gpus_dark += group.gpus;
      sweep.normal.job_gpus_dark += group.job_gpus;
      sweep.normal.dark += watts(normal_.group_watts(g));
    } else if (drawn == 2 && live == 1) {
      sweep.normal.racks_on_one_feed += group.racks;
      sweep.normal.racks_short += group.short_on_one;
    }
  }
  if (line_->job_gpus() > 0)
    sweep.normal.job_share_dark =
        static_cast<double>(sweep.normal.job_gpus_dark) / static_cast<double>(line_->job_gpus());
  sweep.elements.reserve(line_->elements().size());
  for (std::size_t i = 0; i < line_->elements().size(); ++i) {
    const double load = normal_.output_watts(i);
    sweep.elements.push_back({line_->elements()[i].id, load, load, -1, normal_.headroom(i)});
  }
  return sweep;
}

/// The last case of the sweep, whose flow this is, against those before it.
void PowerContingencies::take(ContingencySweep& sweep, const PowerFlow& flow) const {
  const auto at = static_cast<std::ptrdiff_t>(sweep.cases.size()) - 1;
  const ContingencyCase& c = sweep.cases.back();
  if (std::isfinite(c.worst_headroom) && !(sweep.worst_headroom() <= c.worst_headroom + 1e-12)) sweep.worst = at;
  const auto darker = [](const ContingencyCase& a, const ContingencyCase& b) {
    return std::pair(a.gpus_dark, a.racks_dark) > std::pair(b.gpus_dark, b.racks_dark);
  };
  if (c.racks_dark > 0 && (sweep.darkest < 0 || darker(c, sweep.cases[static_cast<std::size_t>(sweep.darkest)])))
    sweep.darkest = at;
  const auto carry = [&](const PowerFlow& state) {
    for (std::size_t i = 0; i < sweep.elements.size(); ++i) {
      ElementWorst& e = sweep.elements[i];
      // The first of equal cases is named, whatever the rounding of sums.
      if (!(state.output_watts(i) > e.worst_w * (1.0 + 1e-12))) continue;
      e.worst_w = state.output_watts(i);
      e.worst_case = at;
      e.worst_headroom = state.headroom(i);
    }
  };
  if (c.cascade.empty()) {
    carry(flow);
    return;
  }
  std::vector<std::size_t> out;
  for (const Id id : c.out)
    out.push_back(static_cast<std::size_t>(line_->index(id)));
  PowerFlow at_once = normal_;
  at_once.solve(out);
  carry(at_once);
}

ContingencySweep PowerContingencies::single_failures() const {
  ContingencySweep sweep = start();
  sweep.cases.reserve(line_->elements().size());
  PowerFlow flow = normal_;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < line_->elements().size(); ++i) {
    out.assign(1, i);
    sweep.cases.push_back(run(flow, out));
    take(sweep, flow);
  }
  return sweep;
}

ContingencySweep PowerContingencies::maintenance_and_failure(const std::stop_token& stop) const {
  ContingencySweep sweep = start();
  const std::size_t n = line_->elements().size();
  PowerFlow flow = normal_;
  std::vector<std::size_t> out;
  // What each failure alone touches: elements that carry more or stand behind a second source that is used now, loads
  // with other feeds, and what has no power: at first, and when all has settled.
  std::vector<char> more, trips(n, 0);
  std::vector<std::size_t> at;
  std::vector<Marks> touched(n, Marks(n)), moved(n, Marks(line_->groups().size())), off(n, Marks(n)), gone(n, Marks(n)),
      eased(n, Marks(n));
  for (std::size_t i = 0; i < n; ++i) {
    if (stop.stop_requested()) {
      sweep.complete = false;
      return sweep;
    }
    out.assign(1, i);
    flow.solve(out);
    for (std::size_t k = 0; k < n; ++k)
      if (!flow.live(k)) {
        off[i].set(k);
        gone[i].set(k);
      }
    more.assign(n, 0);
    trips[i] = run(flow, out, &more).cascade.empty() ? 0 : 1;
    for (std::size_t k = 0; k < n; ++k) {
      if (more[k]) touched[i].set(k);
      if (!flow.live(k)) gone[i].set(k);
      if (flow.output_watts(k) < normal_.output_watts(k) * (1.0 - beyond_rounding)) eased[i].set(k);
      if (!flow.on_alternate(k) || normal_.on_alternate(k)) continue;
      touched[i].set(k);
      at.push_back(static_cast<std::size_t>(line_->alternate(k)));
    }
    for (more.assign(n, 0); !at.empty();) {
      const std::size_t above = at.back();
      at.pop_back();
      for (const std::uint32_t m : line_->buses()[line_->bus_of(above)].members) {
        if (more[m]) continue;
        more[m] = 1;
        touched[i].set(m);
        const std::int32_t up = flow.on_alternate(m) ? line_->alternate(m) : line_->upstream(m);
        if (up != OneLine::none) at.push_back(static_cast<std::size_t>(up));
      }
    }
    for (std::size_t g = 0; g < line_->groups().size(); ++g)
      if (flow.live_feeds(g) != normal_.live_feeds(g)) moved[i].set(g);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      if (off[i].has(k) || off[k].has(i)) continue; // nothing more than the one alone
      // What one eases matters where the other one's overload would have tripped it.
      if (!touched[i].meets(touched[k]) && !touched[i].meets(gone[k]) && !gone[i].meets(touched[k]) &&
          !moved[i].meets(moved[k]) && !(trips[i] && touched[i].meets(eased[k])) &&
          !(trips[k] && touched[k].meets(eased[i]))) {
        ++sweep.independent;
        continue;
      }
      if (stop.stop_requested()) {
        sweep.complete = false;
        return sweep;
      }
      out.assign({i, k});
      sweep.cases.push_back(run(flow, out));
      take(sweep, flow);
    }
  return sweep;
}

ContingencyCase PowerContingencies::side_out(Feed side) const {
  std::vector<Id> ids;
  for (const OneLineElement& e : line_->elements())
    if (e.side == side) ids.push_back(e.id);
  return with_out(ids);
}

PowerFlow PowerContingencies::flow(const ContingencyCase& c) const {
  std::vector<std::size_t> out;
  const auto add = [&](Id id) {
    if (const std::ptrdiff_t i = line_->index(id); i >= 0) out.push_back(static_cast<std::size_t>(i));
  };
  for (const Id id : c.out)
    add(id);
  for (const TrippedElement& t : c.cascade)
    add(t.element);
  PowerFlow state = normal_;
  state.solve(out);
  return state;
}

std::vector<Id> PowerContingencies::racks_dark(const ContingencyCase& c) const {
  const PowerFlow state = flow(c);
  std::vector<Id> ids;
  for (std::size_t g = 0; g < line_->groups().size(); ++g)
    if (state.live_feeds(g) == 0 &&
        (c.out.empty() ? line_->groups()[g].a != OneLine::none : normal_.live_feeds(g) > 0))
      for (const std::uint32_t member : line_->groups()[g].members)
        ids.push_back(line_->loads()[member].id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

PowerUnitKind PowerContingencies::kind_of(Id element) const {
  const std::ptrdiff_t i = line_->index(element);
  return i < 0 ? PowerUnitKind::distribution : line_->elements()[static_cast<std::size_t>(i)].kind;
}

std::string PowerContingencies::out_words(const ContingencyCase& c) const {
  if (c.out.empty()) return "nothing";
  if (c.out.size() == 1) return line_->name(c.out.front());
  if (c.out.size() == 2)
    return fmt::format("{} in maintenance and {}", line_->name(c.out.front()), line_->name(c.out.back()));
  return fmt::format("{} and {} more", line_->name(c.out.front()), c.out.size() - 1);
}

std::string PowerContingencies::sentence(const ContingencyCase& c) const {
  std::string what;
  const auto add = [&](const std::string& words) { what += (what.empty() ? "" : "; ") + words; };
  for (std::size_t i = 0; i < c.cascade.size() && i < 4; ++i)
    add(fmt::format("{} drops out at {:.0f} % of its rating", line_->name(c.cascade[i].element),
                    c.cascade[i].load_share * 100.0));
  if (c.cascade.size() > 4) add(fmt::format("{} more drop out", c.cascade.size() - 4));
  if (c.racks_dark > 0) {
    std::string dark = counted_word(c.racks_dark, "rack", "racks");
    if (c.gpus_dark > 0) dark += " with " + counted_word(c.gpus_dark, "GPU", "GPUs");
    if (c.job_gpus_dark > 0) dark += fmt::format(" ({:.1f} % of the job's)", c.job_share_dark * 100.0);
    if (c.out.empty())
      add(dark + (c.racks_dark == 1 ? " is dark" : " are dark") + ": what feeds " + (c.racks_dark == 1 ? "it" : "them") +
          " has no power");
    else
      add(dark + (c.racks_dark == 1 ? " goes dark" : " go dark"));
  }
  if (in_watts(c.plant_dark) > 0.0) add(fmt::format("{} of cooling and other plant stops", watts_text(in_watts(c.plant_dark))));
  if (c.racks_short > 0)
    add(counted_word(c.racks_short, "rack draws", "racks draw") + " more than the supplies on one feed deliver");
  const bool told = std::any_of(c.cascade.begin(), c.cascade.end(),
                                [&](const TrippedElement& t) { return t.element == c.worst_element; });
  if (c.worst_element != 0 && !told) {
    const std::string name = line_->name(c.worst_element);
    if (c.worst_headroom < -beyond_rounding)
      add(fmt::format("{} carries {}, {:.1f} % more than it may{}", name, watts_text(c.worst_load_w),
                      -c.worst_headroom * 100.0,
                      c.worst_load_w > c.worst_normal_w * (1.0 + beyond_rounding)
                          ? fmt::format(" ({} in normal operation)", watts_text(c.worst_normal_w))
                          : std::string()));
    else
      add(fmt::format("{} has least headroom, {:.1f} % at {}", name, std::max(c.worst_headroom, 0.0) * 100.0,
                      watts_text(c.worst_load_w)));
  }
  if (what.empty()) what = "nothing that is rated carries a load";
  return c.out.empty() ? "In normal operation, " + what : fmt::format("With {} out, {}", out_words(c), what);
}

ProvenRedundancy proven_redundancy(const PowerContingencies& contingencies, const ContingencySweep& single,
                                   const ContingencySweep& pairs) {
  ProvenRedundancy out;
  const auto of_kind = [&](const ContingencyCase& c, std::initializer_list<PowerUnitKind> kinds) {
    return std::all_of(c.out.begin(), c.out.end(), [&](Id id) {
      return std::find(kinds.begin(), kinds.end(), contingencies.kind_of(id)) != kinds.end();
    });
  };
  // The plan speaks of UPS and distribution: one utility feed above all does not undo it. Without UPS the rectifiers
  // are the modules, without these the transformers.
  const auto is_source = [&](const ContingencyCase& c) {
    return of_kind(c, {PowerUnitKind::utility_feed, PowerUnitKind::generator});
  };
  const auto drawn = [&](PowerUnitKind kind) {
    return std::any_of(single.cases.begin(), single.cases.end(),
                       [&](const ContingencyCase& c) { return of_kind(c, {kind}); });
  };
  const PowerUnitKind module_kind = drawn(PowerUnitKind::ups)         ? PowerUnitKind::ups
                               : drawn(PowerUnitKind::rectifier) ? PowerUnitKind::rectifier
                                                                 : PowerUnitKind::transformer;
  const auto is_module = [&](const ContingencyCase& c) { return of_kind(c, {module_kind}); };
  const auto first_wrong = [](const ContingencySweep& sweep, auto&& counts) -> const ContingencyCase* {
    for (const ContingencyCase& c : sweep.cases)
      if (!nothing_wrong(c) && counts(c)) return &c;
    return nullptr;
  };
  const auto all = [](const ContingencyCase&) { return true; };
  const bool normal = nothing_wrong(single.normal);
  const ContingencyCase* one = first_wrong(single, all);
  const ContingencyCase* below_sources = first_wrong(single, [&](const ContingencyCase& c) { return !is_source(c); });
  const ContingencyCase* module = first_wrong(single, is_module);
  const ContingencyCase* two = first_wrong(pairs, all);
  const ContingencyCase a = contingencies.side_out(Feed::a), b = contingencies.side_out(Feed::b);
  const bool sides = !a.out.empty() && !b.out.empty();
  out.survives_any_failure = normal && one == nullptr && !single.cases.empty();
  out.survives_maintenance =
      out.survives_any_failure && two == nullptr && pairs.complete && (!pairs.cases.empty() || pairs.independent > 0);
  out.survives_a_side = normal && below_sources == nullptr && sides && nothing_wrong(a) && nothing_wrong(b);
  const bool modules = normal && module == nullptr && std::any_of(single.cases.begin(), single.cases.end(), is_module);
  out.proven = out.survives_a_side ? Redundancy::two_n : modules ? Redundancy::n_plus_1 : Redundancy::n;
  if (!normal)
    out.why = contingencies.sentence(single.normal);
  else if (module)
    out.why = contingencies.sentence(*module);
  else if (below_sources)
    out.why = contingencies.sentence(*below_sources);
  else if (single.cases.empty())
    out.why = "No unit is drawn";
  else if (!sides)
    out.why = "No units are marked as side A and as side B";
  else if (!out.survives_a_side)
    out.why = fmt::format("All of side {}: {}", nothing_wrong(a) ? 'B' : 'A',
                          contingencies.sentence(nothing_wrong(a) ? b : a));
  else if (one)
    out.why = contingencies.sentence(*one);
  else if (two)
    out.why = contingencies.sentence(*two);
  return out;
}

} // namespace hallwright
