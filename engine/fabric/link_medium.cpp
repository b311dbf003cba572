// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/link_medium.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "quantity/text.h"

namespace hallwright {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double farthest_m = 1e5; // no cable of a campus is longer

std::optional<double> assumed(const Catalog& catalog, const std::string& id) {
  const Assumption* a = catalog.find<Assumption>(id);
  return a && a->value ? a->value : std::nullopt;
}
/// In metres or dollars where the unit says so.
std::optional<double> assumed_length_m(const Catalog& catalog, const std::string& id) {
  const Assumption* a = catalog.find<Assumption>(id);
  if (!a || !a->value) return std::nullopt;
  const auto v = parse_quantity(exact_number(*a->value) + (a->unit.empty() ? "" : " " + a->unit), kind::length);
  return v ? std::optional<double>(*v) : std::nullopt;
}

double gbit(const Known<DataRate>& rate) { return rate ? in_gigabits_per_second(*rate) : 0.0; }
bool same(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)); }
/// How many times `b` fits `a`, when it fits a whole number of times; else 0.
Count times(double a, double b) {
  if (!(a > 0) || !(b > 0)) return 0;
  const double n = std::round(a / b);
  return n >= 1 && same(n * b, a) ? static_cast<Count>(n) : 0;
}
std::string metres(double mm) { return fmt::format("{:.6g} m", mm * 1e-3); }
std::string lane_text(double lane) { return fmt::format("{:.0f}", lane); }

bool starts(std::string_view text, std::string_view with) { return text.rfind(with, 0) == 0; }
bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

/// Lanes that cages of a form have; 0: not known.
Count lanes_of_form(std::string_view form) {
  if (starts(form, "OSFP") || starts(form, "QSFP-DD")) return 8;
  if (starts(form, "QSFP")) return 4;
  if (starts(form, "SFP")) return 1;
  return 0;
}

/// Whether a module of this form goes into the cage; nothing: cannot be told.
std::optional<bool> form_fits(const CageEnd& cage, const std::string& form) {
  if (form.empty()) return std::nullopt;
  const auto family = [](std::string_view f) { return std::string(f.substr(0, f.find(' '))); };
  if (!cage.form.empty()) {
    if (family(cage.form) != family(form)) return false;
    const bool finned = has(form, "finned"), flat = has(form, "flat");
    if (finned && has(cage.form, "flat")) return false;
    if (flat && has(cage.form, "finned")) return false;
    return true;
  }
  if (cage.node) return !has(form, "finned");
  return !has(form, "flat") && !starts(form, "QSFP112"); // those are for adapters
}

/// What a module and a cage have against one another. `named`: unknown things are let pass.
std::vector<std::string> misfits(const CageEnd& cage, const OpticPart& o, double link, bool named) {
  std::vector<std::string> out;
  const double rate = gbit(o.rate);
  if (const auto fits = form_fits(cage, o.form_factor); !fits.value_or(named))
    out.push_back(
        o.form_factor.empty()
            ? fmt::format("{}: its form is not known", o.name)
            : fmt::format("{} is {}; the cage of the {} takes {}", o.name, o.form_factor, cage.word,
                          cage.form.empty() ? (cage.node ? "flat-top plugs" : "plugs of switches") : cage.form));
  if (rate > 0) {
    const Count carries = times(rate, link);
    if (carries == 0)
      out.push_back(fmt::format("{} of {:.6g} Gbit/s does not carry whole links of {:.6g} Gbit/s", o.name, rate, link));
    else if (carries < cage.links || (carries > cage.links && rate > cage.cage_gbit_s * (1 + 1e-6)))
      out.push_back(fmt::format("{} carries {} link{}, a cage of the {} holds {}", o.name, carries,
                                carries == 1 ? "" : "s", cage.word, cage.links));
  } else if (!named) {
    out.push_back(fmt::format("{}: its rate is not known", o.name));
  }
  if (!o.ports_per_module && !named) out.push_back(fmt::format("{}: its ports are not known", o.name));
  if (cage.lane_gbit_s > 0 && o.lane_rate && !same(cage.lane_gbit_s, gbit(o.lane_rate)))
    out.push_back(
        fmt::format("{} has lanes of {:.0f} Gbit/s, the {} of {:.0f}; modules of these rates do not shift down", o.name,
                    gbit(o.lane_rate), cage.word, cage.lane_gbit_s));
  if (cage.most_w > 0 && o.power && in_watts(*o.power) > cage.most_w * (1 + 1e-9))
    out.push_back(fmt::format("{} draws {:.3g} W, the cage of the {} allows {:.3g} W", o.name, in_watts(*o.power),
                              cage.word, cage.most_w));
  return out;
}

struct Sockets {
  Count split = 1;           ///< links that share one socket
  Count links = 1;           ///< that the module can carry as it is used
  Count cables_per_link = 1; ///< sockets of one link
  double socket_gbit_s = 0;
};
Sockets sockets_of(const OpticPart& o, double link, const CageEnd& cage) {
  Sockets s;
  const Count ports = std::max<Count>(1, o.ports_per_module.value_or(1));
  s.socket_gbit_s = o.rate ? gbit(o.rate) / static_cast<double>(ports) : link;
  const Count carries = std::max<Count>(1, times(gbit(o.rate), link));
  // A module that could carry more than its cage holds runs at a lower rate, or leaves sockets free.
  s.split = std::max<Count>(1, (std::min(carries, cage.links) + ports - 1) / ports);
  s.links = s.split > 1 ? carries : std::min(carries, ports);
  if (const Count m = times(link, s.socket_gbit_s); m > 1) s.cables_per_link = m;
  return s;
}

/// What makes a price comparable where a part has none.
class Prices {
public:
  explicit Prices(const Catalog& catalog) : catalog_(catalog) {}
  double optic(const OpticPart& o, bool& stand_in) const {
    if (o.price) return in_dollars(*o.price);
    stand_in = true;
    const auto generic = assumed(catalog_, "price.optic_400g");
    return generic.value_or(0.0) * (o.rate ? gbit(o.rate) / 400.0 : 1.0);
  }
  /// Fixed part and part per metre.
  std::pair<double, double> cable(const CablePart& c, bool& stand_in) const {
    if (known(c)) return price(c);
    stand_in = true;
    const CablePart* best = nullptr;
    for (const CablePart& other : catalog_.cables)
      if (other.medium == c.medium && known(other) &&
          (!best || (!same(gbit(best->rate), gbit(c.rate)) && same(gbit(other.rate), gbit(c.rate)))))
        best = &other;
    return best ? price(*best) : std::pair(0.0, 0.0);
  }

private:
  static bool known(const CablePart& c) { return c.price || c.price_per_length; }
  static std::pair<double, double> price(const CablePart& c) {
    return {c.price ? in_dollars(*c.price) : 0.0, c.price_per_length ? c.price_per_length->value() : 0.0};
  }
  const Catalog& catalog_;
};

int rank_of(LinkMedium m) {
  switch (m) {
  case LinkMedium::passive_copper:
    return 0;
  case LinkMedium::active_copper:
    return 1;
  case LinkMedium::multimode:
    return 2;
  case LinkMedium::active_optical:
    return 3;
  default:
    return 4;
  }
}
const char* stock_kind(LinkMedium m, const CablePart* part) {
  switch (m) {
  case LinkMedium::passive_copper:
    return part && part->medium == "utp" ? "utp" : "dac";
  case LinkMedium::active_copper:
    return "acc";
  case LinkMedium::active_optical:
    return "aoc";
  default:
    return "fibre";
  }
}

class TableMaker {
public:
  TableMaker(const Catalog& catalog, const MediumRequest& request)
      : catalog_(catalog), q_(request), prices_(catalog), rules_(channel_rules(catalog)) {}
  MediumTable make();

private:
  [[nodiscard]] bool wanted(LinkMedium m) const { return q_.medium == LinkMedium::automatic || q_.medium == m; }
  void fibres();
  void fibre(const OpticPart& a, const OpticPart& b, bool named);
  void plugged(const CablePart& c, bool named);
  void set_lengths(LinkChoice& c, const CablePart* part);
  void limit(LinkChoice& c, double mm, std::string reason) {
    if (!c.limit_known || mm < c.limit_mm) c.limit_mm = mm, c.limit_reason = std::move(reason), c.limit_known = true;
  }
  void explain_nothing();
  void make_steps();
  [[nodiscard]] double lane() const { return q_.far.lane_gbit_s > 0 ? q_.far.lane_gbit_s : q_.near.lane_gbit_s; }

  const Catalog& catalog_;
  const MediumRequest& q_;
  Prices prices_;
  ChannelRules rules_;
  MediumTable out_;
  std::vector<std::string> why_not_; ///< what was turned down, for the case that nothing is left
};

void TableMaker::set_lengths(LinkChoice& c, const CablePart* part) {
  const double least = part && part->length_minimum ? in_millimeters(*part->length_minimum) : 0.0;
  const bool to_measure = c.shape == CableShape::fibre || (part && part->medium == "utp");
  const bool cut = q_.lengths == CableLengths::cut;
  const auto step = assumed_length_m(catalog_, cut ? "cabling.cut_step" : "cabling.long_step");
  if (to_measure)
    c.step_mm = static_cast<std::uint32_t>(std::max(1.0, std::round(step.value_or(cut ? 0.1 : 10.0) * 1e3)));
  if (to_measure && cut) return;
  for (const std::uint32_t mm : stock_lengths_mm(catalog_, stock_kind(c.medium, part)))
    if (mm >= least - 1e-6 && (!c.limit_known || mm <= c.limit_mm + 1e-6)) c.lengths_mm.push_back(mm);
  if (c.lengths_mm.empty() && c.limit_known && c.limit_mm < farthest_m * 1e3) // the longest one surely exists
    c.lengths_mm.push_back(static_cast<std::uint32_t>(std::floor(c.limit_mm + 1e-6)));
  if (!to_measure && !c.lengths_mm.empty()) c.limit_mm = c.lengths_mm.back();
}

void TableMaker::fibre(const OpticPart& a, const OpticPart& b, bool named) {
  std::vector<std::string> problems;
  const auto add = [&](const std::vector<std::string>& more) {
    problems.insert(problems.end(), more.begin(), more.end());
  };
  add(misfits(q_.near, a, q_.link_gbit_s, a.id == q_.near_optic));
  add(misfits(q_.far, b, q_.link_gbit_s, b.id == q_.far_optic));
  if (a.fibre != b.fibre) problems.push_back(fmt::format("{} is for {}, {} for {}", a.name, a.fibre, b.name, b.fibre));
  if (a.lane_rate && b.lane_rate && !same(gbit(a.lane_rate), gbit(b.lane_rate)))
    problems.push_back(fmt::format("{} has lanes of {:.0f} Gbit/s, {} of {:.0f}", a.name, gbit(a.lane_rate), b.name,
                                   gbit(b.lane_rate)));
  if (!a.connector.empty() && !b.connector.empty() && a.connector != b.connector)
    problems.push_back(fmt::format("{} has {} sockets, {} has {}", a.name, a.connector, b.name, b.connector));
  const Sockets sa = sockets_of(a, q_.link_gbit_s, q_.near), sb = sockets_of(b, q_.link_gbit_s, q_.far);
  if (sa.split > 1 && sb.split > 1)
    problems.push_back(fmt::format("{} and {} would both have to be split", a.name, b.name));
  if (sa.cables_per_link != sb.cables_per_link)
    problems.push_back(fmt::format("a link takes {} sockets of {} and {} of {}", sa.cables_per_link, a.name,
                                   sb.cables_per_link, b.name));
  if (!problems.empty() && !named) {
    if (why_not_.size() < 8) why_not_.push_back(problems.front());
    return;
  }
  const auto kind = fibre_kind_of(a.fibre);
  if (!kind) {
    if (why_not_.size() < 8) why_not_.push_back(a.name + ": its fibre is not known");
    return;
  }
  const LinkMedium medium = *kind == FibreKind::single_mode ? LinkMedium::single_mode : LinkMedium::multimode;
  if (!wanted(medium) && !named) return;
  const Count split = std::max(sa.split, sb.split);
  const double lane = a.lane_rate ? gbit(a.lane_rate) : b.lane_rate ? gbit(b.lane_rate) : this->lane();

  // Fibre cables that fit these sockets.
  std::vector<const CablePart*> cables;
  for (const CablePart& c : catalog_.cables) {
    if (!q_.cable.empty()) {
      if (c.id == q_.cable) cables.push_back(&c);
      continue;
    }
    if (c.medium != a.fibre) continue;
    if (!a.connector.empty() && !c.connector.empty() && a.connector != c.connector) continue;
    if (c.rate && sa.socket_gbit_s > 0 && !same(gbit(c.rate), std::max(sa.socket_gbit_s, sb.socket_gbit_s))) continue;
    if (c.far_ends.value_or(1) != split) continue;
    cables.push_back(&c);
  }
  if (cables.empty()) {
    if (!named) {
      if (why_not_.size() < 8)
        why_not_.push_back(fmt::format("no {} cable of the catalog joins {} and {}", a.fibre, a.name, b.name));
      return;
    }
    problems.push_back(fmt::format("no cable of the catalog joins {} and {}", a.name, b.name));
    cables.push_back(nullptr);
  }
  for (const CablePart* part : cables) {
    LinkChoice c;
    c.medium = medium;
    c.near_optic = a.id;
    c.far_optic = b.id;
    c.cable = part ? part->id : std::string();
    c.near_links = sa.links;
    c.far_links = sb.links;
    c.cables_per_link = std::max(sa.cables_per_link, sb.cables_per_link);
    c.links_per_cable = split;
    c.split_near = sa.split > 1;
    c.split_far = sb.split > 1;
    c.problems = problems;
    if (part && !q_.cable.empty()) {
      if (part->medium != a.fibre) c.problems.push_back(fmt::format("{} is no {} cable", part->name, a.fibre));
      if (!part->connector.empty() && !a.connector.empty() && part->connector != a.connector)
        c.problems.push_back(
            fmt::format("{} has {} plugs, {} has {} sockets", part->name, part->connector, a.name, a.connector));
      if (part->far_ends.value_or(1) != split)
        c.problems.push_back(split > 1 ? fmt::format("{} does not split a socket into {} links", part->name, split)
                                       : fmt::format("{} splits, but each socket carries one link", part->name));
    }
    c.channel.fibre = *kind;
    c.channel.lc = starts(a.connector, "LC");
    c.channel.joints = joints_of_panels(q_.panels);

    // Reach: of the modules, of the cable, of the fibre at this lane rate, and what the joints leave.
    c.limit_mm = farthest_m * 1e3;
    c.limit_known = false;
    for (const OpticPart* o : {&a, &b}) {
      const auto& reach = split > 1 ? o->splitter_reach : o->reach;
      if (reach)
        limit(c, in_millimeters(*reach), fmt::format("reach of {}, {}", o->name, metres(in_millimeters(*reach))));
      else if (split > 1 && o->reach)
        limit(c, 0.0, fmt::format("{} cannot be split", o->name));
      if (o->reach) c.budget.reach_m = std::min(c.budget.reach_m.value_or(infinity), in_meters(*o->reach));
      if (o->channel_loss) c.budget.stated_db = std::min(c.budget.stated_db.value_or(infinity), *o->channel_loss);
    }
    if (part && part->length_maximum)
      limit(c, in_millimeters(*part->length_maximum),
            fmt::format("longest {}, {}", part->name, metres(in_millimeters(*part->length_maximum))));
    if (medium == LinkMedium::multimode && lane >= 100.0) {
      if (const auto reach = assumed_length_m(catalog_, "reach.mmf_om4_" + lane_text(lane) + "g_lane"))
        limit(c, *reach * 1e3, fmt::format("OM4 at lanes of {:.0f} Gbit/s, {}", lane, metres(*reach * 1e3)));
      else {
        c.problems.push_back(fmt::format("multimode fibre is not offered at lanes of {:.0f} Gbit/s", lane));
        if (!named) {
          if (why_not_.size() < 8) why_not_.push_back(c.problems.back());
          continue;
        }
      }
    }
    if (const auto longest = longest_channel_m(rules_, *kind, c.channel.lc, c.channel.joints, c.budget)) {
      if (*longest < 0)
        limit(c, 0.0,
              fmt::format("{} panels: {:.2f} dB of joints, and the channel may have {:.2f} dB", q_.panels,
                          channel_loss_db(rules_, {*kind, c.channel.lc, c.channel.joints, 0.0}),
                          *channel_loss(rules_, c.channel, c.budget).budget_db));
      else
        limit(c, *longest * 1e3, fmt::format("loss of {} panels and the fibre", q_.panels));
    }
    set_lengths(c, part);
    const double near_usd = prices_.optic(a, c.price_stand_in) / static_cast<double>(c.near_links);
    const double far_usd = prices_.optic(b, c.price_stand_in) / static_cast<double>(c.far_links);
    const auto [fixed, per_m] = part ? prices_.cable(*part, c.price_stand_in) : std::pair(0.0, 0.0);
    const double share = static_cast<double>(c.cables_per_link) / static_cast<double>(c.links_per_cable);
    c.fixed_usd = near_usd + far_usd + fixed * share;
    c.usd_per_m = per_m * share;
    out_.choices.push_back(std::move(c));
  }
}

void TableMaker::fibres() {
  const auto candidates = [&](const std::string& named, const CageEnd& cage) {
    std::vector<const OpticPart*> out;
    if (!named.empty()) {
      if (const OpticPart* o = catalog_.find<OpticPart>(named))
        out.push_back(o);
      else
        out_.notes.push_back("the catalog has no optical module \"" + named + "\"");
      return out;
    }
    for (const OpticPart& o : catalog_.optics) {
      const auto against = misfits(cage, o, q_.link_gbit_s, false);
      if (against.empty()) out.push_back(&o);
    }
    return out;
  };
  const auto near = candidates(q_.near_optic, q_.near), far = candidates(q_.far_optic, q_.far);
  if (near.empty()) why_not_.push_back("no module of the catalog fits the cage of the " + q_.near.word);
  if (far.empty()) why_not_.push_back("no module of the catalog fits the cage of the " + q_.far.word);
  const bool named = !q_.near_optic.empty() && !q_.far_optic.empty();
  for (const OpticPart* a : near)
    for (const OpticPart* b : far)
      fibre(*a, *b, named);
  // One named end that nothing fits is told with its nearest partner.
  if (!named && out_.choices.empty() && (!q_.near_optic.empty() || !q_.far_optic.empty()) && !near.empty() &&
      !far.empty())
    for (const OpticPart* a : near)
      for (const OpticPart* b : far)
        if (out_.choices.empty() && a->fibre == b->fibre) fibre(*a, *b, true);
}

void TableMaker::plugged(const CablePart& part, bool named) {
  const auto medium = medium_of(part);
  if (!medium) return;
  const double rate = gbit(part.rate), link = q_.link_gbit_s;
  LinkChoice c;
  c.medium = *medium;
  c.cable = part.id;
  const auto turn_down = [&](std::string why) {
    if (named) {
      c.problems.push_back(std::move(why));
      return false;
    }
    if (why_not_.size() < 8 && q_.medium == *medium) why_not_.push_back(std::move(why));
    return true;
  };
  const Count ends = std::max<Count>(1, part.far_ends.value_or(1));
  const auto cage_rate = [&](const CageEnd& e) {
    return e.cage_gbit_s > 0 ? e.cage_gbit_s : link * static_cast<double>(std::max<Count>(1, e.links));
  };
  const bool twisted = part.medium == "utp";
  if (twisted) {
    if (rate < link * (1 - 1e-9) && turn_down(fmt::format("{} carries {:.6g} Gbit/s", part.name, rate))) return;
    c.shape = CableShape::straight;
  } else if (ends == 1) {
    c.shape = CableShape::straight;
    c.links_per_cable = c.near_links = c.far_links = std::max<Count>(1, q_.far.links);
    if ((!same(rate, cage_rate(q_.far)) || !same(rate, cage_rate(q_.near))) &&
        turn_down(fmt::format("{} has plugs of {:.6g} Gbit/s; the cages are of {:.6g} and {:.6g}", part.name, rate,
                              cage_rate(q_.near), cage_rate(q_.far))))
      return;
  } else {
    c.shape = CableShape::split;
    c.links_per_cable = c.far_links = ends;
    if ((!same(rate, cage_rate(q_.far)) || rate / static_cast<double>(ends) > cage_rate(q_.near) * (1 + 1e-6) ||
         q_.far.links != ends || q_.near.links != 1) &&
        turn_down(fmt::format("{} splits {:.6g} Gbit/s into {}; the cage of the {} has {} links, that of the {} {}",
                              part.name, rate, ends, q_.far.word, q_.far.links, q_.near.word, q_.near.links)))
      return;
  }
  if (q_.panels > 0 && *medium != LinkMedium::passive_copper &&
      turn_down(fmt::format("{} cannot pass patch panels", part.name)))
    return;
  if (q_.panels > 0 && !twisted && *medium == LinkMedium::passive_copper &&
      turn_down(fmt::format("{} cannot pass patch panels", part.name)))
    return;

  const double lane = this->lane();
  c.limit_mm = farthest_m * 1e3;
  c.limit_known = false;
  if (part.length_maximum)
    limit(c, in_millimeters(*part.length_maximum),
          fmt::format("longest {}, {}", part.name, metres(in_millimeters(*part.length_maximum))));
  std::string reach;
  if (*medium == LinkMedium::active_optical)
    reach = "reach.aoc_maximum";
  else if (!twisted && lane >= 100.0)
    reach = fmt::format("reach.{}_{}g_lane{}", part.medium, lane_text(lane),
                        part.medium == "dac" && c.shape == CableShape::split ? "_split" : "");
  if (!reach.empty()) {
    if (const auto m = assumed_length_m(catalog_, reach))
      limit(c, *m * 1e3, fmt::format("{} at lanes of {:.0f} Gbit/s, {}", medium_word(*medium), lane, metres(*m * 1e3)));
    else if (turn_down(fmt::format("{} is not offered at lanes of {:.0f} Gbit/s", medium_word(*medium), lane)))
      return;
  }
  if (!c.limit_known && turn_down(part.name + ": its longest length is not known")) return;
  set_lengths(c, &part);
  const auto [fixed, per_m] = prices_.cable(part, c.price_stand_in);
  c.fixed_usd = fixed / static_cast<double>(c.links_per_cable);
  c.usd_per_m = per_m / static_cast<double>(c.links_per_cable);
  out_.choices.push_back(std::move(c));
}

void TableMaker::explain_nothing() {
  std::vector<std::string> once;
  for (const std::string& w : why_not_)
    if (std::find(once.begin(), once.end(), w) == once.end()) once.push_back(w);
  std::string why;
  for (std::size_t i = 0; i < once.size() && i < 3; ++i)
    why += (i == 0 ? ": " : "; ") + once[i];
  out_.problem = fmt::format("no {} of the catalog joins {} and {} at {:.6g} Gbit/s{}",
                             q_.medium == LinkMedium::automatic ? "cable" : std::string(medium_word(q_.medium)),
                             q_.near.word, q_.far.word, q_.link_gbit_s, why);
}

void TableMaker::make_steps() {
  const auto& all = out_.choices;
  for (unsigned shapes = 0; shapes < 4; ++shapes) {
    std::vector<std::uint16_t> open;
    for (std::uint16_t i = 0; i < all.size(); ++i) {
      if (all[i].shape == CableShape::straight && (shapes & 1U) == 0) continue;
      if (all[i].shape == CableShape::split && (shapes & 2U) == 0) continue;
      open.push_back(i);
    }
    if (open.empty()) continue;
    // Between these lengths nothing changes: ends of reach, lengths in stock, and where two prices cross.
    std::vector<double> cuts;
    for (std::uint16_t i : open) {
      cuts.push_back(all[i].limit_mm);
      cuts.insert(cuts.end(), all[i].lengths_mm.begin(), all[i].lengths_mm.end());
      for (std::uint16_t j : open) {
        if (j <= i || all[i].usd_per_m == all[j].usd_per_m) continue;
        const double at = (all[j].fixed_usd - all[i].fixed_usd) / (all[i].usd_per_m - all[j].usd_per_m) * 1e3;
        if (at > 0 && at < farthest_m * 1e3) cuts.push_back(at);
      }
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    auto& steps = out_.steps[shapes];
    double before = 0;
    for (const double cut : cuts) {
      if (cut <= 0) continue;
      const double middle = (before + cut) / 2;
      std::optional<std::uint16_t> best;
      double best_usd = infinity;
      for (std::uint16_t i : open) {
        const LinkChoice& c = all[i];
        if (cut > c.limit_mm + 1e-6) continue;
        const double usd = c.fixed_usd + c.usd_per_m * 1e-3 * static_cast<double>(c.ordered_mm(middle));
        const bool cheaper = usd < best_usd * (1 - 1e-12);
        const bool equal = !cheaper && usd <= best_usd * (1 + 1e-12);
        if (!best || cheaper || (equal && rank_of(c.medium) < rank_of(all[*best].medium))) best = i, best_usd = usd;
      }
      before = cut;
      if (!best) break;
      if (!steps.empty() && steps.back().pick.choice == *best)
        steps.back().up_to_mm = cut;
      else
        steps.push_back({cut, {*best, false}});
    }
    std::uint16_t farthest = open.front();
    for (std::uint16_t i : open)
      if (all[i].limit_mm > all[farthest].limit_mm) farthest = i;
    steps.push_back({infinity, {farthest, true}});
  }
}

MediumTable TableMaker::make() {
  if (!(q_.link_gbit_s > 0)) {
    out_.problem = "the rate of the links is not above 0";
    return std::move(out_);
  }
  const CablePart* named_cable = q_.cable.empty() ? nullptr : catalog_.find<CablePart>(q_.cable);
  if (!q_.cable.empty() && !named_cable) {
    out_.problem = "the catalog has no cable \"" + q_.cable + "\"";
    return std::move(out_);
  }
  const bool named_fibre = named_cable && fibre_kind_of(named_cable->medium).has_value();
  if (q_.medium != LinkMedium::automatic && named_cable && medium_of(*named_cable) != q_.medium) {
    out_.problem = fmt::format("{} is asked for, but the cable named is {}", medium_word(q_.medium), named_cable->name);
    return std::move(out_);
  }
  if (!named_cable || !named_fibre) {
    const bool optics_named = !q_.near_optic.empty() || !q_.far_optic.empty();
    if (named_cable) {
      plugged(*named_cable, true);
    } else if (!(optics_named && q_.medium == LinkMedium::automatic)) {
      // Where modules are named, fibre is meant unless copper is asked for.
      for (const CablePart& c : catalog_.cables)
        if (const auto m = medium_of(c); m && wanted(*m) && !fibre_kind_of(c.medium)) plugged(c, false);
    }
  }
  if (!named_cable || named_fibre)
    if (wanted(LinkMedium::single_mode) || wanted(LinkMedium::multimode)) fibres();
  if (q_.medium != LinkMedium::automatic)
    for (const LinkChoice& c : out_.choices)
      if (c.medium != q_.medium)
        out_.notes.push_back(fmt::format("{} is asked for, but the modules named are for {}", medium_word(q_.medium),
                                         medium_word(c.medium)));
  if (out_.choices.empty()) explain_nothing();
  std::set<std::string> stand_ins;
  for (const LinkChoice& c : out_.choices)
    if (c.price_stand_in) stand_ins.insert(std::string(medium_word(c.medium)));
  if (q_.medium == LinkMedium::automatic && out_.choices.size() > 1 && !stand_ins.empty()) {
    std::string list;
    for (const auto& w : stand_ins)
      list += (list.empty() ? "" : ", ") + w;
    out_.notes.push_back("prices of parts of like kind stand in for unknown ones where media are compared: " + list);
  }
  for (const CageEnd* e : {&q_.near, &q_.far})
    if (!e->note.empty()) out_.notes.push_back(e->note);
  make_steps();
  return std::move(out_);
}

} // namespace

std::string_view medium_word(LinkMedium medium) {
  return ChoiceWords<LinkMedium>::words[static_cast<std::size_t>(medium)];
}

std::optional<LinkMedium> medium_of(const CablePart& part) {
  if (part.medium == "dac" || part.medium == "utp") return LinkMedium::passive_copper;
  if (part.medium == "acc") return LinkMedium::active_copper;
  if (part.medium == "aoc") return LinkMedium::active_optical;
  if (part.medium == "mmf") return LinkMedium::multimode;
  if (part.medium == "smf") return LinkMedium::single_mode;
  return std::nullopt;
}

std::vector<std::uint32_t> stock_lengths_mm(const Catalog& catalog, std::string_view kind) {
  const std::string prefix = fmt::format("stock.{}.", kind);
  const auto& list = catalog.assumptions;
  std::vector<std::uint32_t> out;
  for (auto it = std::lower_bound(list.begin(), list.end(), prefix,
                                  [](const Assumption&a, const std::string&p) { return a.id < p; });
       it != list.end() && starts(it->id, prefix); ++it) {
    if (!it->value) continue;
    const auto m = parse_quantity(exact_number(*it->value) + " " + it->unit, kind::length);
    if (m && *m > 0 && *m < farthest_m) out.push_back(static_cast<std::uint32_t>(std::llround(*m * 1e3)));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Cages known_cages(const Cages& wired, const SwitchPart* part, double wired_gbit_s) {
  if (wired.cages > 0 || !part || !part->cages || *part->cages <= 0 || !part->ports) return wired;
  const double cage = static_cast<double>(*part->ports) * gbit(part->port_rate) / static_cast<double>(*part->cages);
  const Count n = times(cage, wired_gbit_s);
  return n > 0 ? Cages{*part->cages, n} : wired;
}

CageEnd switch_cage(const SwitchPart* part, double link_gbit_s, const Cages& wired, double wired_gbit_s,
                    std::string word) {
  CageEnd e;
  e.word = std::move(word);
  const Cages cages = known_cages(wired, part, wired_gbit_s);
  e.links = std::max<Count>(
      1, times(wired_gbit_s * static_cast<double>(std::max<Count>(1, cages.links_per_cage)), link_gbit_s));
  e.cage_gbit_s = link_gbit_s * static_cast<double>(e.links);
  if (!part) {
    e.note = fmt::format("no switch part is known for the {}: {} to a cage", e.word,
                         e.links == 1 ? "one link" : fmt::format("{} links", e.links));
    return e;
  }
  e.form = part->cage_form;
  if (part->cage_power) e.most_w = in_watts(*part->cage_power);
  const double port = gbit(part->port_rate), ports = static_cast<double>(part->ports.value_or(0));
  if (part->cages && *part->cages > 0 && port > 0 && ports > 0) {
    e.cage_gbit_s = std::max(e.cage_gbit_s, ports * port / static_cast<double>(*part->cages));
    if (const Count lanes = lanes_of_form(e.form); lanes > 0)
      e.lane_gbit_s = e.cage_gbit_s / static_cast<double>(lanes);
  }
  if (e.lane_gbit_s == 0 && port >= 100.0) {
    e.lane_gbit_s = port / 4;
    e.note = fmt::format("lanes of {}: four to a port of {:.6g} Gbit/s, an estimate", part->name, port);
  }
  return e;
}

CageEnd node_cage(const Catalog& catalog, std::string_view node_part, NetworkKind network, double link_gbit_s,
                  std::string_view named_optic, Count planes) {
  CageEnd e;
  e.word = "node";
  e.node = true;
  const NodePart* node = catalog.find<NodePart>(node_part);
  const auto stated = network == NetworkKind::compute
                          ? assumed(catalog, "fabric.node_cage_links." + std::string(node_part))
                          : std::nullopt;
  if (stated && *stated >= 1) {
    e.links = static_cast<Count>(std::llround(*stated));
  } else if (const OpticPart* o = catalog.find<OpticPart>(named_optic); o && times(gbit(o->rate), link_gbit_s) > 0) {
    e.links = times(gbit(o->rate), link_gbit_s);
  } else if (node) {
    const double nic = gbit(network == NetworkKind::compute   ? node->compute_nic_rate
                            : network == NetworkKind::storage ? node->storage_nic_rate
                            : network == NetworkKind::in_band ? node->in_band_nic_rate
                                                              : Known<DataRate>{});
    // An adapter that is faster than a link serves one link of each plane, or runs at the rate of the link.
    if (const Count n = times(nic, link_gbit_s); n > 1 && n == planes) e.links = n;
    e.cage_gbit_s = nic;
  }
  e.cage_gbit_s = std::max(e.cage_gbit_s, link_gbit_s * static_cast<double>(e.links));
  return e;
}

std::uint32_t LinkChoice::ordered_mm(double routed_mm) const {
  const auto it =
      std::lower_bound(lengths_mm.begin(), lengths_mm.end(), routed_mm - 1e-6,
                       [](std::uint32_t length, double wanted) { return static_cast<double>(length) < wanted; });
  if (it != lengths_mm.end()) return *it;
  const double step = step_mm > 0 ? step_mm : 500.0;
  const double made = std::ceil(std::max(routed_mm, 1.0) / step - 1e-9) * step;
  // The last piece up to the limit may be shorter than a step.
  return static_cast<std::uint32_t>(std::llround(
      limit_known && routed_mm <= limit_mm + 1e-6 && made > limit_mm ? std::floor(limit_mm + 1e-6) : made));
}

MediumTable::Pick MediumTable::pick(CableShapes shapes, double longest_mm) const {
  const auto& list = steps[shapes.index()];
  const auto it = std::lower_bound(list.begin(), list.end(), longest_mm - 1e-6,
                                   [](const Step& s, double wanted) { return s.up_to_mm < wanted; });
  return it != list.end() ? it->pick : Pick{0, true};
}

MediumTable medium_table(const Catalog& catalog, const MediumRequest& request) {
  return TableMaker(catalog, request).make();
}

} // namespace hallwright
