// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/density_upgrade.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cooling/row_pipes.h"
#include "design/edits.h"
#include "power/growth_choices.h"
#include "power/one_line_layout.h"
#include "power/one_line_rules.h"
#include "quantity/text.h"

namespace hallwright {
namespace {

constexpr double density_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double density_highest_w = 10e6; ///< that is looked at for one rack

std::string density_amount(double value, const Kind& k) {
  return std::isfinite(value) ? format_quantity(value, k).joined() : std::string("not known");
}
std::string density_kilowatts(double w) { return fmt::format("{:.4g} kW", w / 1e3); }
std::string plural(Count n, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", n, n == 1 ? one : more);
}
double figure_value(const Figures& figures, const std::string& id) {
  const Figure* f = figures.find(id);
  return f && f->has_value() ? f->value : density_nan;
}
/// Over what is allowed, with room for the last digits.
bool over(double wanted, double allowed) { return wanted > allowed * (1.0 + 1e-9) + 1e-12; }

/// Weeks of a row of the catalog.
std::optional<double> lead_weeks(const Catalog& catalog, std::string_view id) {
  const Assumption* a = catalog.find<Assumption>(id);
  return a && a->value && a->unit == "wk" ? std::optional<double>(*a->value) : std::nullopt;
}

/// Racks of one type that draw alike, of the row.
struct AlikeRacks {
  Id type = 0;
  std::vector<Id> racks;
  double counted_w = 0.0; ///< all that is in one, before caps and the share at once
  double liquid_share = density_nan;
};

/// The design with the racks of a row at another power, and the parts that stand for it.
struct DenseDesign {
  Design design;
  Shared<Catalog> catalog;
};

std::size_t rack_index(const Design& d, Id rack) {
  const auto it = std::lower_bound(d.racks->begin(), d.racks->end(), rack, [](const Rack& r, Id id) { return r.id < id; });
  return static_cast<std::size_t>(it - d.racks->begin());
}
const RackClassLoad& class_of(const Evaluation& e, Id rack) {
  return e.load->rack_classes[e.load->class_of_rack[rack_index(e.design, rack)]];
}
double rack_watts_of(const Evaluation& e, Id rack) {
  const auto& power = class_of(e, rack).power;
  return power.has_value() && power.completeness != Completeness::lower_bound ? in_watts(power.value) : density_nan;
}

template <class P>
void add_part(Catalog& catalog, P part) {
  PartList<P>& list = catalog.of<P>();
  const auto at = std::lower_bound(std::as_const(list).begin(), std::as_const(list).end(), part.id,
                                   [](const P& p, const std::string& id) { return p.id < id; });
  list.insert(at, std::move(part));
}

class DensityStudy {
public:
  DensityStudy(const Evaluation& now, const DensityWish& wish, std::stop_token stop)
      : now_(now), wish_(wish), stop_(std::move(stop)) {}

  tl::expected<DensityUpgrade, std::string> run() {
    if (auto refusal = begin(); !refusal.empty()) return tl::make_unexpected(std::move(refusal));
    const auto after = at_power(wanted_w_);
    if (!after) return tl::make_unexpected(trouble());
    out_.wanted = watts(highest_of(*after));
    out_.steps = compare(*after);
    totals();
    if (wish_.farthest) find_farthest();
    say();
    return std::move(out_);
  }

private:
  std::string trouble() const {
    return stop_.stop_requested() ? std::string("stopped") : trouble_.empty() ? std::string("the design could not be evaluated") : trouble_;
  }

  // --- the design that is wanted ---------------------------------------------------------------------------------

  std::string begin() {
    const Design& d = now_.design;
    const Row* row = find(*d.rows, wish_.row);
    if (!row) return fmt::format("There is no row {}: name a row of the design", wish_.row);
    out_.row = row->name.empty() ? fmt::format("row {}", row->id) : row->name;
    if (wish_.power && !(in_watts(*wish_.power) > 0.0 && in_watts(*wish_.power) <= density_highest_w))
      return fmt::format("The wanted power is {}; above 0 and up to {} a rack is allowed",
                         density_amount(in_watts(*wish_.power), kind::power), density_amount(density_highest_w, kind::power));
    if (wish_.liquid_share && !(*wish_.liquid_share >= 0.0 && *wish_.liquid_share <= 1.0))
      return fmt::format("The share of heat to liquid is {:g}; 0 to 1 is allowed", *wish_.liquid_share);
    const RackType* other = wish_.rack_type == 0 ? nullptr : find(*d.rack_types, wish_.rack_type);
    if (wish_.rack_type != 0 && !other) return fmt::format("There is no rack type {}: name one of the design", wish_.rack_type);
    if (!wish_.power && !other) return "Say a wanted power per rack, or a rack type";
    if (!now_.load) return "The design is not evaluated yet";
    std::vector<Id> all;
    for (const Rack& r : *d.racks) {
      if (r.row != row->id) continue;
      all.push_back(r.id);
      const RackType* type = find(*d.rack_types, r.rack_type);
      if (type && type->role == RackRole::compute) racks_.push_back(r.id);
    }
    if (all.empty()) return fmt::format("{} has no racks: there is nothing to upgrade", out_.row);
    if (racks_.empty()) racks_ = all;
    else if (racks_.size() < all.size())
      out_.notes.push_back(fmt::format("{} as now: not for computing",
                                       plural(static_cast<Count>(all.size() - racks_.size()), "rack stays", "racks stay")));
    in_row_.insert(racks_.begin(), racks_.end());
    out_.racks = static_cast<Count>(racks_.size());
    double now_w = 0.0;
    for (const Id id : racks_) {
      const double w = rack_watts_of(now_, id);
      if (!std::isfinite(w))
        return fmt::format("What {} draws now is not known in full{}: give its parts a power first",
                           find(*d.racks, id)->name,
                           class_of(now_, id).power.reason ? " (" + *class_of(now_, id).power.reason + ")" : "");
      now_w = std::max(now_w, w);
    }
    out_.now = watts(now_w);
    if (!now_.cooling || !now_.power || !now_.space) return "The design is not evaluated yet";
    // What the racks would draw with all that is in them, caps off: powers are reached from there.
    Design bare = d;
    bare = with_table(bare, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
      for (Rack& r : racks)
        if (in_row_.count(r.id)) {
          r.power_cap.reset();
          if (wish_.rack_type != 0) r.rack_type = wish_.rack_type;
        }
    });
    if (row->power_cap || d.racks != bare.racks)
      bare = with_table(bare, &Design::rows, [&](std::vector<Row>& rows, Id&) {
        for (Row& r : rows)
          if (r.id == row->id) r.power_cap.reset();
      });
    std::set<Id> types;
    for (const Id id : racks_)
      types.insert(find(*bare.racks, id)->rack_type);
    bare = with_table(bare, &Design::rack_types, [&](std::vector<RackType>& all_types, Id&) {
      for (RackType& t : all_types)
        if (types.count(t.id)) t.demand_share = 1.0;
    });
    bare_design_ = bare;
    const auto e = evaluate(bare, now_.shipped_catalog, &now_, stop_, LoopDepth::working);
    if (!e) return "stopped";
    std::map<std::pair<Id, std::uint32_t>, std::size_t> known;
    for (const Id id : racks_) {
      const std::size_t at = rack_index(e->design, id);
      const Id type = (*e->design.racks)[at].rack_type;
      const auto [it, fresh] = known.try_emplace({type, e->load->class_of_rack[at]}, groups_.size());
      if (fresh) {
        AlikeRacks group;
        group.type = type;
        group.counted_w = rack_watts_of(*e, id);
        if (!(group.counted_w >= 0.0))
          return fmt::format("What a {} draws is not known in full: give its parts a power first", find(*bare.rack_types, type)->name);
        const RackClassLoad& c = class_of(*e, id);
        if (c.heat_to_liquid.has_value() && c.heat_to_air.has_value() && group.counted_w > 0.0)
          group.liquid_share = std::clamp(in_watts(c.heat_to_liquid.value) / group.counted_w, 0.0, 1.0);
        if (const auto own = find(*bare.rack_types, type)->liquid_heat_share) group.liquid_share = *own;
        if (wish_.liquid_share) group.liquid_share = *wish_.liquid_share;
        if (!std::isfinite(group.liquid_share))
          return fmt::format("The share of heat to liquid of a {} is not known: say the wanted one, 0 to 1",
                             find(*bare.rack_types, type)->name);
        groups_.push_back(std::move(group));
      }
      groups_[it->second].racks.push_back(id);
      counted_w_ = std::max(counted_w_, groups_[it->second].counted_w);
    }
    // A chosen type without a power draws what it says at once.
    if (wish_.power) wanted_w_ = in_watts(*wish_.power);
    else wanted_w_ = counted_w_ * other->demand_share;
    if (!(wanted_w_ > 0.0))
      return fmt::format("A {} draws nothing: say a wanted power", other->name);
    out_.notes.push_back("the racks are counted with the wanted power at the same content, mass and network ports; a new "
                         "generation of nodes may weigh more and ask for other cables");
    if (d.job->gpu_power_cap) out_.notes.push_back("the GPU power cap of the job stays; the wanted power is what a rack draws under it");
    return {};
  }

  /// Copies of the racks' types whose racks draw this, each.
  DenseDesign dense(double w, const std::vector<double>& corrections) const {
    DenseDesign out{bare_design_, now_.shipped_catalog};
    Catalog catalog = *now_.shipped_catalog;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const AlikeRacks& group = groups_[g];
      const double add = w - group.counted_w + corrections[g];
      RackType type = *find(*bare_design_.rack_types, group.type);
      const Id old_type = type.id;
      type.name += " at " + density_kilowatts(w);
      type.liquid_heat_share = group.liquid_share;
      const RackPart* part = now_.catalog->find<RackPart>(type.rack_part);
      const bool integrated = part && (part->power_nominal || part->power_high);
      if (integrated) {
        RackPart dense_part = *part;
        dense_part.id = fmt::format("{}.density-{}", part->id, g);
        const double scale = group.counted_w > 0.0 ? w / group.counted_w : 1.0;
        // Its content is counted by one power, whatever the basis; the flow that it asks for grows with it.
        const double own = stated_of(*part);
        const auto each = [&](Known<Power>& p) {
          if (p) p = watts(std::max(0.0, own + add));
        };
        each(dense_part.power_low), each(dense_part.power_nominal), each(dense_part.power_high);
        each(dense_part.power_typical), each(dense_part.power_measured);
        if (dense_part.coolant_flow) dense_part.coolant_flow = *dense_part.coolant_flow * scale;
        type.rack_part = dense_part.id;
        add_part(catalog, std::move(dense_part));
      } else if (add < 0.0 && group.counted_w > 0.0) {
        type.demand_share = std::clamp((group.counted_w + add) / group.counted_w, 1e-6, 1.0);
      }
      Made made = add_entity(out.design, &Design::rack_types, type);
      const Id new_type = made.entities.front().id;
      out.design = std::move(made.design);
      std::vector<RackItem> items;
      for (const RackItem& item : *bare_design_.rack_items)
        if (item.rack_type == old_type) items.push_back(item);
      if (!integrated && add > 0.0) {
        NodePart more;
        more.id = fmt::format("density-{}", g);
        more.name = "content of more power";
        more.source = "the wanted power";
        more.cooling = "air"; // the type's own share says what goes to liquid
        more.power_maximum = more.power_typical = more.power_measured = watts(add);
        more.mass = kilograms(0.0);
        more.rack_units = 0.0;
        RackItem item;
        item.kind = RackItemKind::other;
        item.part = more.id;
        item.mount = RackMount::zero_u_left;
        items.push_back(item);
        add_part(catalog, std::move(more));
      }
      for (RackItem& item : items) {
        item.rack_type = new_type;
        out.design = add_entity(out.design, &Design::rack_items, item).design;
      }
      const std::set<Id> racks(group.racks.begin(), group.racks.end());
      out.design = with_table(out.design, &Design::racks, [&](std::vector<Rack>& all, Id&) {
        for (Rack& r : all)
          if (racks.count(r.id)) r.rack_type = new_type;
      });
    }
    // Other racks of these types draw as they did.
    out.design = with_table(out.design, &Design::rack_types, [&](std::vector<RackType>& all, Id&) {
      for (RackType& t : all)
        if (const RackType* before = find(*now_.design.rack_types, t.id)) t.demand_share = before->demand_share;
    });
    out.catalog = share(std::move(catalog));
    return out;
  }
  /// The power of an integrated rack that the design counts.
  double stated_of(const RackPart& p) const {
    std::optional<Power> at;
    const auto first = [&](std::initializer_list<const Known<Power>*> order) {
      for (const Known<Power>* k : order)
        if (!at && *k) at = **k;
    };
    switch (now_.design.project->power_basis) {
    case PowerBasis::measured:
      first({&p.power_measured, &p.power_typical, &p.power_nominal, &p.power_high});
      break;
    case PowerBasis::typical:
      first({&p.power_typical, &p.power_nominal, &p.power_high, &p.power_measured});
      break;
    case PowerBasis::nameplate:
      first({&p.power_high, &p.power_nominal, &p.power_typical, &p.power_measured});
      break;
    }
    return at ? in_watts(*at) : 0.0;
  }

  /// Evaluated with each rack of the row at this power; nothing when stopped or where that power cannot be reached.
  std::optional<Evaluation> at_power(double w) {
    std::vector<double> corrections(groups_.size(), 0.0);
    for (int round = 0; round < 4; ++round) {
      const DenseDesign made = dense(w, corrections);
      auto e = evaluate(made.design, made.catalog, last_ ? &*last_ : &now_, stop_, LoopDepth::working);
      if (!e) return std::nullopt;
      last_ = *e;
      bool reached = true;
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const double got = rack_watts_of(*e, groups_[g].racks.front());
        if (!std::isfinite(got)) {
          trouble_ = "What the racks would draw is not known in full";
          return std::nullopt;
        }
        if (std::abs(got - w) > 1e-6 * w) reached = false, corrections[g] += w - got;
      }
      if (reached) return e;
    }
    trouble_ = fmt::format("A rack of {} cannot be counted with {}", out_.row, density_amount(w, kind::power));
    return std::nullopt;
  }
  double highest_of(const Evaluation& e) const {
    double w = 0.0;
    for (const Id id : racks_)
      w = std::max(w, rack_watts_of(e, id));
    return w;
  }

  // --- limits ------------------------------------------------------------------------------------------------------

  std::vector<DensityStep> compare(const Evaluation& after) const {
    std::vector<DensityStep> steps;
    feeds_of_racks(after, steps);
    one_line(after, steps);
    utility(after, steps);
    distribution_units(after, steps);
    pipes(after, steps);
    air(after, steps);
    floor(after, steps);
    reach(after, steps);
    return steps;
  }

  /// The feed and the supplies of the racks themselves.
  void feeds_of_racks(const Evaluation& after, std::vector<DensityStep>& steps) const {
    for (const AlikeRacks& g : groups_) {
      const RackType& type = *find(*bare_design_.rack_types, g.type);
      const auto step = [&](const char* what, const std::optional<Power>& limit, const char* parts) {
        if (!limit) return;
        if (std::any_of(steps.begin(), steps.end(), [&](const DensityStep& s) { return s.subject == what + type.name; })) return;
        DensityStep s;
        s.subject = what + type.name;
        s.kind = &kind::power;
        s.now = rack_watts_of(now_, g.racks.front());
        s.wanted = rack_watts_of(after, g.racks.front());
        s.allowed = in_watts(*limit);
        s.decided = true;
        s.entities = {{"rack_types", type.id}};
        if (over(s.wanted, s.allowed)) {
          s.needed = true;
          s.count = static_cast<Count>(g.racks.size());
          s.parts = fmt::format("{} for {}", parts, density_amount(s.wanted, kind::power));
          s.live = false;
          s.live_words = "one rack at a time: that rack stops, the others run";
        }
        steps.push_back(std::move(s));
      };
      step("Feed of each ", type.power_limit, "taps, breakers and whips of the racks");
      step("Supplies on one feed of each ", type.supply_capacity_one_feed, "power shelves or supplies of the racks");
    }
  }

  /// Elements that feed the row, from the racks up.
  std::vector<Id> feeding(const OneLine& line) const {
    std::set<std::size_t> found;
    std::vector<std::size_t> open;
    const auto take = [&](std::ptrdiff_t i) {
      if (i >= 0 && found.insert(static_cast<std::size_t>(i)).second) open.push_back(static_cast<std::size_t>(i));
    };
    for (const Id id : racks_) {
      const Rack& r = *find(*now_.design.racks, id);
      take(line.index(r.feed_a));
      take(line.index(r.feed_b));
    }
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::uint32_t m : line.buses()[line.bus_of(at)].members)
        take(m);
      for (const std::int32_t bus : {line.upstream(at), line.alternate(at)})
        if (bus >= 0)
          for (const std::uint32_t m : line.buses()[static_cast<std::size_t>(bus)].members)
            take(m);
    }
    std::vector<Id> ids;
    for (const std::size_t i : found)
      ids.push_back(line.elements()[i].id);
    std::stable_sort(ids.begin(), ids.end(), [&](Id a, Id b) {
      const auto level = [&](Id id) {
        switch (line.elements()[static_cast<std::size_t>(line.index(id))].kind) {
        case PowerUnitKind::busway: return 0;
        case PowerUnitKind::distribution: return 1;
        case PowerUnitKind::static_switch: return 2;
        case PowerUnitKind::rectifier: return 3;
        case PowerUnitKind::ups: return 4;
        case PowerUnitKind::switchgear: return 5;
        case PowerUnitKind::generator: return 6;
        case PowerUnitKind::transformer: return 7;
        case PowerUnitKind::utility_feed: return 8;
        }
        return 9;
      };
      return level(a) < level(b);
    });
    return ids;
  }

  void one_line(const Evaluation& after, std::vector<DensityStep>& steps) const {
    const auto& study = after.power->one_line;
    Count unfed = 0;
    for (const Id id : racks_) {
      const Rack& r = *find(*now_.design.racks, id);
      if (r.feed_a == 0 && r.feed_b == 0) ++unfed;
    }
    if (!study || unfed > 0) {
      DensityStep s;
      s.subject = "Power chain of the row";
      s.why = unfed > 0 ? fmt::format("{} on no drawn feed: what carries them is not decided", plural(unfed, "rack hangs", "racks hang"))
                        : std::string("no one-line is drawn: what carries the racks is not decided");
      steps.push_back(std::move(s));
    }
    if (!study) return;
    const OneLine& line = study->line;
    const auto& before = now_.power->one_line;
    const auto worst_of = [](const OneLineStudy& of, Id id) -> const ElementWorst* {
      for (const ElementWorst& w : of.single.elements)
        if (w.element == id) return &w;
      return nullptr;
    };
    std::set<std::uint32_t> buses;
    for (const Id id : feeding(line)) {
      const auto at = static_cast<std::size_t>(line.index(id));
      const OneLineElement& e = line.elements()[at];
      // Units of one bus carry it together: the one that is worst off speaks for them.
      const auto& members = line.buses()[line.bus_of(at)].members;
      if (!buses.insert(line.bus_of(at)).second) continue;
      const ElementWorst* worst = nullptr;
      for (const std::uint32_t m : members)
        if (const ElementWorst* w = worst_of(*study, line.elements()[m].id))
          if (!worst || !(w->worst_headroom >= worst->worst_headroom)) worst = w;
      if (!worst) continue;
      DensityStep s;
      s.subject = line.name(worst->element);
      if (members.size() > 1) s.subject += fmt::format(" and {} in parallel", members.size() - 1);
      s.kind = &kind::power;
      s.wanted = worst->worst_w;
      if (before)
        if (const ElementWorst* w = worst_of(*before, worst->element)) s.now = w->worst_w;
      s.entities = {{"power_units", worst->element}};
      s.why = worst->worst_case < 0 ? std::string("in normal operation")
                                    : "with " + study->contingencies.out_words(study->single.cases[static_cast<std::size_t>(worst->worst_case)]) + " out";
      if (std::isfinite(worst->worst_headroom) && worst->worst_headroom < 1.0)
        s.allowed = worst->worst_w / (1.0 - worst->worst_headroom);
      else if (std::isfinite(e.rating_w))
        s.allowed = e.rating_w * e.usable_share;
      s.decided = std::isfinite(s.allowed);
      if (!s.decided) s.why = "its rating is not known";
      else if (over(s.wanted, s.allowed)) need_units(line, worst->element, static_cast<Count>(members.size()), s);
      steps.push_back(std::move(s));
    }
  }

  /// More units like the one that binds, or one larger part of the catalog.
  void need_units(const OneLine& line, Id id, Count parallel, DensityStep& s) const {
    s.needed = true;
    const OneLineElement& e = line.elements()[static_cast<std::size_t>(line.index(id))];
    // Each of the parallel ones that is left carries `wanted`; with one out in the worst case one fewer shares.
    const bool one_out = parallel > 1 && s.why != "in normal operation";
    const auto left = static_cast<double>(std::max<Count>(1, one_out ? parallel - 1 : parallel));
    const auto needed = static_cast<Count>(std::ceil(s.wanted * left / s.allowed - 1e-9));
    s.count = std::max<Count>(1, needed - static_cast<Count>(left));
    const std::string words(power_unit_words(e.kind));
    s.parts = fmt::format("{} more {} like {}", s.count, s.count == 1 ? words : words == "UPS" ? words : std::string(words == "switchgear" ? "switchgear" : words == "static switch" ? "static switches" : words + "s"),
                          line.name(id));
    PowerGrowth growth;
    growth.binding = id;
    const GrowthStep step = next_growth_step(now_.design, line, growth, *now_.catalog);
    const double each = static_cast<double>(s.count) / static_cast<double>(std::max<Count>(1, step.units));
    if (step.cost_low) s.cost_low = dollars(in_dollars(*step.cost_low) * each);
    if (step.cost_high) s.cost_high = dollars(in_dollars(*step.cost_high) * each);
    s.weeks = step.weeks;
    // A larger one in its place.
    const PowerUnit* unit = find(*now_.design.power_units, id);
    const PowerPart* part = unit ? now_.catalog->find<PowerPart>(unit->part) : nullptr;
    if (part && e.usable_share > 0.0) {
      const PowerPart* larger = nullptr;
      for (const PowerPart& p : now_.catalog->power)
        if (p.kind == part->kind && p.rating && in_watts(*p.rating) * e.usable_share >= s.wanted &&
            (!larger || *p.rating < *larger->rating))
          larger = &p;
      if (larger) s.parts += fmt::format(", or one {} in place of each", larger->name);
    }
    const auto& before = now_.power->one_line;
    if (!before || before->line.index(id) < 0) {
      s.live_words = "not decided: it carries nothing today";
      return;
    }
    const ContingencyCase c = before->contingencies.with_out({id});
    s.live = c.racks_dark == 0 && c.overloaded.empty() && c.cascade.empty() && c.racks_short == 0;
    if (s.live)
      s.live_words = c.racks_on_one_feed > 0
                         ? fmt::format("one side at a time; {} without redundancy meanwhile",
                                       plural(c.racks_on_one_feed, "rack runs", "racks run"))
                         : std::string("with the unit out; its spare is in use meanwhile");
    else if (c.racks_dark > 0)
      s.live_words = fmt::format("{} dark with it out", plural(c.racks_dark, "rack goes", "racks go"));
    else
      s.live_words = "with it out others are overloaded today";
  }

  void utility(const Evaluation& after, std::vector<DensityStep>& steps) const {
    DensityStep s;
    s.subject = "Utility power of the site";
    s.kind = &kind::power;
    s.now = figure_value(now_.figures, "power.facility");
    s.wanted = figure_value(after.figures, "power.facility");
    s.entities = {{"site", 0}};
    const auto& limit = now_.design.site->utility_power;
    if (!limit) s.why = "no utility power is entered";
    else if (!std::isfinite(s.wanted)) s.why = "what the facility draws is not known";
    else {
      s.allowed = in_watts(*limit);
      s.decided = true;
      if (after.power->facility.completeness == Completeness::lower_bound) s.why = "what the facility draws is a lower bound";
      if (over(s.wanted, s.allowed)) {
        s.needed = true;
        s.parts = fmt::format("{} more from the utility", density_amount(s.wanted - s.allowed, kind::power));
        s.weeks = lead_weeks(*now_.catalog, "lead.grid_connection");
        s.live = true;
        s.live_words = "the contract and its metering; works at the drawn feeds are rows of their own";
      }
    }
    steps.push_back(std::move(s));
  }

  // --- heat

  /// Capacity that is left with the redundancy out.
  static double left_of(std::vector<double> each, Redundancy redundancy) {
    std::sort(each.begin(), each.end(), std::greater<>());
    const std::size_t out = redundancy == Redundancy::n          ? 0
                            : redundancy == Redundancy::n_plus_1 ? std::min<std::size_t>(1, each.size())
                                                                 : (each.size() + 1) / 2;
    double sum = 0.0;
    for (std::size_t i = out; i < each.size(); ++i)
      sum += each[i];
    return sum;
  }
  /// Units of this size to add until what is left carries the need; 0: a thousand do not.
  Count units_to_add(std::vector<double> each, double size, double need) const {
    if (!(size > 0.0)) return 0;
    for (Count n = 1; n <= 1000; ++n) {
      each.push_back(size);
      if (!over(need, left_of(each, now_.design.cooling_plant->redundancy))) return n;
    }
    return 0;
  }
  double capacity_of_unit(const CoolingUnit& u) const {
    const CoolingPart* p = now_.catalog->find<CoolingPart>(u.part);
    return u.capacity ? in_watts(*u.capacity) : p && p->capacity ? in_watts(*p->capacity) : density_nan;
  }
  double flow_of_unit(const CoolingUnit& u) const {
    const CoolingPart* p = now_.catalog->find<CoolingPart>(u.part);
    return u.flow ? base_value(*u.flow) : p && p->secondary_flow ? base_value(*p->secondary_flow) : density_nan;
  }
  std::set<Id> loops_of_row() const {
    std::set<Id> loops;
    for (const Id id : racks_) {
      const Id loop = find(*now_.design.racks, id)->loop;
      loops.insert(loop != 0 && find(*now_.design.loops, loop) ? loop : 0);
    }
    return loops;
  }
  std::string loop_name(Id loop) const {
    const CoolantLoop* l = find(*now_.design.loops, loop);
    return l ? l->name : std::string("racks on no loop");
  }
  std::string racks_on(Id loop) const {
    Count n = 0;
    for (const Rack& r : *now_.design.racks)
      if (r.loop == loop) ++n;
    return plural(n, "rack", "racks");
  }

  void price_units(DensityStep& s, const CoolingUnit& like, double capacity_w, const char* lead) const {
    const CoolingPart* part = now_.catalog->find<CoolingPart>(like.part);
    s.parts = fmt::format("{} more {}", s.count, part ? part->name : "like " + like.name);
    const auto n = static_cast<double>(s.count);
    if (part && part->price) {
      s.cost_low = s.cost_high = dollars(n * in_dollars(*part->price));
    } else if (const Assumption* a = now_.catalog->find<Assumption>("price.cdu_per_kw");
               like.kind == CoolingUnitKind::cdu && a && a->value && a->unit == "USD/kW" && std::isfinite(capacity_w)) {
      s.cost_low = dollars(n * capacity_w / 1e3 * (a->low ? *a->low : *a->value));
      s.cost_high = dollars(n * capacity_w / 1e3 * (a->high ? *a->high : *a->value));
    }
    s.weeks = lead_weeks(*now_.catalog, lead);
  }

  void distribution_units(const Evaluation& after, std::vector<DensityStep>& steps) const {
    for (const Id loop : loops_of_row()) {
      const std::string stem = fmt::format("cooling.loop.{}.", loop);
      const double heat = figure_value(after.figures, stem + "heat"), flow = figure_value(after.figures, stem + "flow");
      if (heat == 0.0 || (!std::isfinite(heat) && !after.figures.find(stem + "heat"))) continue; // all of it goes to air
      std::vector<const CoolingUnit*> units;
      for (const CoolingUnit& u : *now_.design.cooling_units)
        if (u.kind == CoolingUnitKind::cdu && (find(*now_.design.loops, u.loop) ? u.loop : 0) == loop) units.push_back(&u);
      std::vector<DensityStep> both;
      for (const bool duty : {true, false}) {
        DensityStep s;
        s.limit = DensityLimit::heat;
        s.subject = fmt::format("CDUs of {}, by {}", loop_name(loop), duty ? "duty" : "flow");
        s.kind = duty ? &kind::power : &kind::volume_flow;
        s.now = figure_value(now_.figures, stem + (duty ? "heat" : "flow"));
        s.wanted = duty ? heat : flow;
        if (loop != 0) s.entities = {{"loops", loop}};
        std::vector<double> each;
        for (const CoolingUnit* u : units)
          each.push_back(duty ? capacity_of_unit(*u) : flow_of_unit(*u));
        if (units.empty()) s.why = "no CDU is drawn on it";
        else if (std::any_of(each.begin(), each.end(), [](double v) { return !std::isfinite(v); }))
          s.why = duty ? "the capacity of a CDU is not known" : "the flow of a CDU is not known";
        else if (!std::isfinite(s.wanted)) s.why = duty ? "its heat is not known" : "its flow is not known";
        else {
          s.decided = true;
          s.allowed = left_of(each, now_.design.cooling_plant->redundancy);
          s.why = now_.design.cooling_plant->redundancy == Redundancy::n          ? "all running"
                  : now_.design.cooling_plant->redundancy == Redundancy::n_plus_1 ? "the largest one out"
                                                                                  : "the larger half out";
          if (over(s.wanted, s.allowed)) {
            s.needed = true;
            s.count = units_to_add(each, each.back(), s.wanted);
            if (s.count == 0) s.parts = "a larger kind of CDU: no number of these carries it";
            else price_units(s, *units.back(), capacity_of_unit(*units.back()), "lead.cdu");
            s.live = false;
            s.live_words = fmt::format("joining a unit opens the headers; {} of the loop stop for draining, unless a "
                                       "valved blank end is there",
                                       racks_on(loop));
          }
        }
        both.push_back(std::move(s));
      }
      // The same units serve duty and flow: they are bought once.
      if (both[0].needed && both[1].needed) {
        DensityStep& less = both[0].count >= both[1].count ? both[1] : both[0];
        less.parts += " (within those of the other row)";
        less.cost_low = less.cost_high = dollars(0.0);
      }
      for (DensityStep& s : both)
        steps.push_back(std::move(s));
    }
  }

  static const LoopLook* look_of(const Evaluation& e, Id loop) {
    if (!e.loops) return nullptr;
    for (const LoopLook& l : e.loops->loops)
      if (l.loop && l.loop->loop == loop) return &l;
    return nullptr;
  }

  void pipes(const Evaluation& after, std::vector<DensityStep>& steps) const {
    const Catalog& catalog = *now_.catalog;
    const double small = stated_value(catalog, "cooling.pipe_velocity_limit_small", kind::velocity, 1.2);
    const double most = stated_value(catalog, "cooling.pipe_velocity_limit_absolute", kind::velocity, 4.6);
    const double practice = stated_value(catalog, "cooling.pipe_velocity_practice", kind::velocity, 2.4);
    constexpr double small_bore_m = 0.055;   // DN50, as CLG-022
    constexpr double gradient_limit = 400.0; // Pa/m, as CLG-022
    for (const Id loop : loops_of_row()) {
      const LoopLook *with = look_of(after, loop), *without = look_of(now_, loop);
      if (loop == 0 || figure_value(after.figures, fmt::format("cooling.loop.{}.heat", loop)) == 0.0) continue;
      DensityStep s;
      s.limit = DensityLimit::heat;
      s.subject = "Pipes of " + loop_name(loop);
      s.kind = &kind::velocity;
      s.entities = {{"loops", loop}};
      if (!with || !with->steady) {
        s.why = with && !with->trouble.empty() ? with->trouble : std::string("no pipes are drawn that can be solved");
        steps.push_back(std::move(s));
        continue;
      }
      // The section closest to what is allowed in it, or furthest over.
      double worst = -1.0, length_mm = 0.0;
      std::size_t at = 0;
      std::set<Id> slow;
      double bore = 0.0;
      const CoolantLoop* of = find(*now_.design.loops, loop);
      const FluidPart* fluid = catalog.find<FluidPart>(of && !of->fluid_part.empty() ? of->fluid_part : now_.design.cooling_plant->fluid_part);
      const auto allowed_in = [&](const LoopSection& section, const SectionFlow& f) {
        if (section.diameter_m <= small_bore_m) return small;
        // Friction goes about as the velocity to the power of 1.85.
        const double by_friction = f.gradient_pa_per_m > 0.0 && f.velocity_m_per_s > 0.0
                                       ? f.velocity_m_per_s * std::pow(gradient_limit / f.gradient_pa_per_m, 1.0 / 1.85)
                                       : most;
        return std::min(most, by_friction);
      };
      for (std::size_t i = 0; i < with->steady->sections.size() && i < with->loop->sections.size(); ++i) {
        const LoopSection& section = with->loop->sections[i];
        const SectionFlow& f = with->steady->sections[i];
        const double allowed = allowed_in(section, f), share = f.velocity_m_per_s / allowed;
        if (share > worst) worst = share, at = i;
        if (!over(f.velocity_m_per_s, allowed)) continue;
        slow.insert(section.pipe);
        length_mm += std::abs(section.to_mm - section.from_mm);
        bore = std::max(bore, header_bore_for(catalog, fluid, f.flow_m3_per_s, practice));
      }
      if (worst >= 0.0) {
        s.decided = true;
        s.wanted = with->steady->sections[at].velocity_m_per_s;
        s.allowed = allowed_in(with->loop->sections[at], with->steady->sections[at]);
        if (without && without->steady && at < without->steady->sections.size()) s.now = without->steady->sections[at].velocity_m_per_s;
        s.why = "in " + with->loop->sections[at].name + (with->loop->sections[at].diameter_m <= small_bore_m ? ", a small bore" : ", by friction of 400 Pa/m or velocity");
        for (const Id id : slow)
          s.entities.push_back({"pipes", id});
        if (!slow.empty()) {
          s.needed = true;
          s.count = static_cast<Count>(slow.size());
          s.parts = fmt::format("{} wider over {:.1f} m, up to {:.0f} mm bore", plural(s.count, "pipe", "pipes"), length_mm / 1e3, bore * 1e3);
          s.live = false;
          s.live_words = fmt::format("the loop is drained, its {} stop", racks_on(loop));
        }
      }
      steps.push_back(std::move(s));
      if (!with->full) continue;
      DensityStep flow;
      flow.limit = DensityLimit::heat;
      flow.subject = "Flow that pumps bring the racks of " + loop_name(loop);
      flow.kind = &kind::percent;
      flow.why = "need of the worst rack over what it gets at full pump speed";
      flow.entities = {{"loops", loop}};
      const auto need_share = [](const LoopLook* l) {
        return l && l->full && l->full->least_share > 0.0 ? 1.0 / l->full->least_share : density_nan;
      };
      flow.now = need_share(without);
      flow.wanted = need_share(with);
      flow.allowed = 1.0 / enough_share;
      flow.decided = std::isfinite(flow.wanted);
      if (flow.decided && over(flow.wanted, flow.allowed)) {
        flow.needed = true;
        flow.parts = "wider pipes, hoses or pumps with more head";
        flow.live_words = fmt::format("the loop is drained, its {} stop", racks_on(loop));
      }
      steps.push_back(std::move(flow));
    }
  }

  void air(const Evaluation& after, std::vector<DensityStep>& steps) const {
    DensityStep s;
    s.limit = DensityLimit::heat;
    s.subject = "Air units, for the heat that stays in air";
    s.kind = &kind::power;
    s.now = figure_value(now_.figures, "load.heat_to_air");
    s.wanted = figure_value(after.figures, "load.heat_to_air");
    std::vector<double> room;
    double doors = 0.0;
    const CoolingUnit* like = nullptr;
    for (const CoolingUnit& u : *now_.design.cooling_units) {
      if (u.kind == CoolingUnitKind::rear_door) doors += capacity_of_unit(u);
      if (u.kind == CoolingUnitKind::crah || u.kind == CoolingUnitKind::fan_wall) room.push_back(capacity_of_unit(u)), like = &u;
    }
    if (s.wanted == 0.0) return;
    if (!std::isfinite(s.wanted)) s.why = "the heat to air is not known";
    else if (room.empty() && doors == 0.0) s.why = "no air units are drawn";
    else if (!std::isfinite(doors) || std::any_of(room.begin(), room.end(), [](double v) { return !std::isfinite(v); }))
      s.why = "the capacity of an air unit is not known";
    else {
      s.decided = true;
      s.allowed = left_of(room, now_.design.cooling_plant->redundancy) + doors;
      s.why = "of the whole design, redundancy out";
      if (over(s.wanted, s.allowed)) {
        s.needed = true;
        s.count = like ? units_to_add(room, room.back(), s.wanted - doors) : 0;
        if (like && s.count > 0) price_units(s, *like, room.back(), "lead.crah");
        else s.parts = "room air units or a larger kind of them";
        s.live = true;
        s.live_words = "they stand free in the room; only their water connection is opened";
      }
    }
    steps.push_back(std::move(s));
  }

  // --- floor

  void floor(const Evaluation& after, std::vector<DensityStep>& steps) const {
    DensityStep s;
    s.limit = DensityLimit::floor;
    s.subject = "Floor under the racks";
    s.kind = &kind::areal_density;
    bool first = true, unknown = false;
    Count heavy = 0, outside = 0, mass_unknown = 0;
    double share = -1.0;
    for (const Id id : racks_) {
      const Rack& r = *find(*now_.design.racks, id);
      const auto place = [&](const Evaluation& e) -> const RackPlace* {
        for (const RackPlace& p : e.space->places)
          if (p.rack == id) return &p;
        return nullptr;
      };
      const RackPlace *before = place(now_), *with = place(after);
      if (!with || !before) continue;
      const Hall* hall = find(*now_.design.halls, r.hall);
      const double rating = base_value(hall && hall->floor_rating ? *hall->floor_rating : now_.design.site->floor_rating);
      if (!std::isfinite(with->floor_load_kg_m2)) {
        unknown = true, ++mass_unknown;
        continue;
      }
      if (over(with->floor_load_kg_m2, rating)) ++heavy;
      if ((with->outside && !before->outside) || (with->overlapping && !before->overlapping)) ++outside;
      if (first || with->floor_load_kg_m2 / rating > share) {
        first = false;
        share = with->floor_load_kg_m2 / rating;
        s.now = before->floor_load_kg_m2, s.wanted = with->floor_load_kg_m2, s.allowed = rating;
        s.entities = {{"racks", id}};
      }
    }
    s.decided = !unknown && std::isfinite(s.wanted);
    if (unknown) s.why = plural(mass_unknown, "rack has", "racks have") + " no known mass";
    else s.why = wish_.rack_type == 0 ? "the racks weigh what they weigh now" : "racks of the wanted type";
    if (s.decided && heavy > 0) {
      s.needed = true;
      s.count = heavy;
      s.parts = fmt::format("plates or stands that spread the mass of {}", plural(heavy, "rack", "racks"));
      s.live_words = "one rack at a time: that rack stops, the others run";
    }
    steps.push_back(std::move(s));
    if (outside > 0) {
      DensityStep place;
      place.limit = DensityLimit::floor;
      place.subject = "Places of the racks";
      place.kind = &kind::count;
      place.now = 0.0, place.wanted = static_cast<double>(outside), place.allowed = 0.0;
      place.decided = place.needed = true;
      place.why = "the wanted type does not fit where the racks stand";
      place.parts = "the row laid out anew";
      place.live_words = "the row stops";
      steps.push_back(std::move(place));
    }
  }

  // --- reach

  struct RowCables {
    std::map<std::string, Count> by_part; ///< links
    std::map<std::string, double> price_each;
    Count links = 0, beyond = 0;
    double longest_m = 0.0;
    std::string problem;
  };
  RowCables cables(const Evaluation& e) const {
    RowCables out;
    if (!e.cabling) return out;
    for (const NetworkCabling& n : e.cabling->networks) {
      if (!n.plan || !n.wiring || !n.places) {
        if (!n.problem.empty()) out.problem = n.name + ": " + n.problem;
        continue;
      }
      for (const CableRow& row : n.plan->cables)
        if (row.price_usd && row.cables + row.spares > 0)
          out.price_each[row.part] = std::max(out.price_each[row.part], *row.price_usd / static_cast<double>(row.cables + row.spares));
      for (std::size_t i = 0; i < n.plan->links.size() && i < n.wiring->links.size(); ++i) {
        const WiredLink& link = n.wiring->links[i];
        if (!in_row_.count(n.places->rack_of(link.near)) && !in_row_.count(n.places->rack_of(link.far))) continue;
        const LinkCable& cable = n.plan->links[i];
        ++out.links;
        if (cable.beyond) ++out.beyond;
        out.longest_m = std::max(out.longest_m, cable.routed_mm / 1e3);
        const LinkChoice* choice = n.plan->choice_of(static_cast<std::uint32_t>(i));
        ++out.by_part[choice ? choice->cable : std::string("no cable")];
      }
    }
    return out;
  }

  void reach(const Evaluation& after, std::vector<DensityStep>& steps) const {
    const RowCables before = cables(now_), with = cables(after);
    DensityStep s;
    s.limit = DensityLimit::reach;
    s.subject = "Network cables of the row";
    s.kind = &kind::count;
    s.now = static_cast<double>(before.links);
    s.wanted = static_cast<double>(with.links);
    if (before.links == 0 && with.links == 0) {
      s.why = with.problem.empty() ? "no network is wired to these racks" : with.problem;
      steps.push_back(std::move(s));
      return;
    }
    s.decided = true;
    Count added = 0;
    double cost = 0.0;
    bool priced = true;
    std::string words;
    for (const auto& [part, links] : with.by_part) {
      const auto old = before.by_part.find(part);
      const Count more = links - (old == before.by_part.end() ? 0 : old->second);
      if (more <= 0) continue;
      added += more;
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", more, part.empty() ? "of an unnamed cable" : part);
      const auto price = with.price_each.find(part);
      if (price == with.price_each.end()) priced = false;
      else cost += static_cast<double>(more) * price->second;
    }
    s.allowed = s.wanted;
    s.why = with.links == before.links && added == 0
                ? fmt::format("all {} keep their cables, up to {:.0f} m", with.links, with.longest_m)
                : fmt::format("{} links instead of {}", with.links, before.links);
    if (added > 0 || with.beyond > before.beyond) {
      s.needed = true;
      s.count = added;
      s.allowed = static_cast<double>(with.links - added);
      s.parts = words.empty() ? fmt::format("{} beyond the reach of their medium", plural(with.beyond - before.beyond, "link", "links")) : "links on other cables: " + words;
      if (priced && added > 0) s.cost_low = s.cost_high = dollars(cost);
      s.weeks = lead_weeks(*now_.catalog, "lead.optics");
      s.live_words = "one rack at a time: that rack stops, the others run";
    }
    steps.push_back(std::move(s));
  }

  // --- the answer ---------------------------------------------------------------------------------------------------

  void totals() {
    double low = 0.0, high = 0.0;
    for (const DensityStep& s : out_.steps) {
      if (!s.decided) ++out_.undecided;
      if (!s.needed) continue;
      if (!s.live) ++out_.stops;
      if (s.cost_low) low += in_dollars(*s.cost_low);
      if (s.cost_high) high += in_dollars(*s.cost_high);
      if (!s.cost_low) out_.cost_at_least = true;
      if (s.weeks) out_.weeks = std::max(out_.weeks.value_or(0.0), *s.weeks);
      else out_.weeks_at_least = true;
    }
    out_.cost_low = dollars(low);
    out_.cost_high = dollars(high);
  }

  /// Mass, places and cables do not ask what racks draw.
  static bool whatever_they_draw(const DensityStep& s) {
    return s.limit == DensityLimit::floor || s.limit == DensityLimit::reach;
  }
  /// Over what is allowed by which share at most, and by what.
  static double margin_of(const std::vector<DensityStep>& steps, std::string& which) {
    double most = -1.0;
    for (const DensityStep& s : steps) {
      if (!s.decided || whatever_they_draw(s)) continue;
      double m = s.allowed > 0.0 && std::isfinite(s.wanted) ? s.wanted / s.allowed - 1.0 : s.needed ? 1.0 : -1.0;
      if (s.needed) m = std::max(m, 1e-9);
      else m = std::min(m, 0.0);
      if (m > most || which.empty()) most = m, which = s.subject;
    }
    return most;
  }

  void find_farthest() {
    std::string which;
    double low = 0.0, low_margin = -1.0, high = 0.0, high_margin = 0.0;
    std::string says_no;
    const auto look = [&](double w) -> bool {
      const auto e = at_power(w);
      if (!e) return false;
      std::string by;
      const double m = margin_of(compare(*e), by);
      if (m > 0.0) high = w, high_margin = m, says_no = by;
      else low = w, low_margin = m;
      return true;
    };
    if (std::none_of(out_.steps.begin(), out_.steps.end(), [](const DensityStep& s) { return s.decided && !whatever_they_draw(s); })) {
      out_.farthest_words = "No limit of power or heat is decided: nothing says how far the row can go";
      return;
    }
    std::string apart;
    for (const DensityStep& s : out_.steps)
      if (s.needed && whatever_they_draw(s)) apart += (apart.empty() ? "; apart from that, over its limit whatever racks draw: " : ", ") + s.subject;
    const double start = std::max(1.0, wish_.rack_type == 0 ? in_watts(out_.now) : wanted_w_);
    if (!look(start)) return;
    if (high > 0.0) {
      const double tried = high;
      const std::string refused_now = says_no;
      for (double w = tried / 2.0; low == 0.0 && w > tried / 70.0; w /= 2.0)
        if (!look(w)) return;
      if (low == 0.0) {
        out_.farthest_words = fmt::format("Nothing can be said to fit: {} is over its limit whatever these racks draw", refused_now);
        return;
      }
      out_.notes.push_back(fmt::format("{} is over its limit at {} a rack already", refused_now, density_kilowatts(start)));
    } else {
      for (double w = start * 1.5; high == 0.0 && w <= start * 64.0 && w <= density_highest_w; w *= 2.0)
        if (!look(w)) break;
      if (stop_.stop_requested()) return;
      if (high == 0.0) {
        out_.farthest = watts(low);
        out_.farthest_words = fmt::format("No decided limit says no up to {} a rack{}", density_kilowatts(low), apart);
        return;
      }
    }
    for (int i = 0; i < 24 && high - low > 5e-4 * high; ++i) {
      const double span = high - low;
      double at = low + span * (-low_margin) / (high_margin - low_margin);
      if (i % 3 == 2 || !std::isfinite(at)) at = low + 0.5 * span;
      at = std::clamp(at, low + 0.0004 * high, high - 0.0004 * high);
      if (!(at > low && at < high)) at = 0.5 * (low + high);
      if (!look(at)) return;
    }
    out_.farthest = watts(low);
    out_.farthest_words = fmt::format("Without any part the row goes to {} a rack; then this says no: {}{}", density_kilowatts(low), says_no, apart);
  }

  void say() {
    std::size_t needed = 0;
    for (const DensityStep& s : out_.steps)
      needed += s.needed ? 1 : 0;
    const auto one = [](Money m) { return format_quantity(in_dollars(m), kind::money).joined(); };
    std::string text = fmt::format("{}: {} from {} to {} each. ", out_.row, plural(out_.racks, "rack", "racks"),
                                   density_kilowatts(in_watts(out_.now)), density_kilowatts(in_watts(out_.wanted)));
    if (needed == 0) text += "Nothing that is decided says no";
    else {
      text += plural(static_cast<Count>(needed), "limit is", "limits are") + " exceeded";
      if (in_dollars(out_.cost_high) > 0.0)
        text += fmt::format("; parts {}{}", out_.cost_at_least ? "at least " : "",
                            in_dollars(out_.cost_high) > in_dollars(out_.cost_low) * (1.0 + 1e-9)
                                ? one(out_.cost_low) + " to " + one(out_.cost_high)
                                : one(out_.cost_low));
      else text += "; no price is known";
      text += out_.weeks ? fmt::format(", {}{:.3g} weeks", out_.weeks_at_least ? "at least " : "", *out_.weeks) : std::string(", no lead time is known");
      text += out_.stops == 0 ? std::string(", all while racks run") : fmt::format(", {} with a stop", plural(static_cast<Count>(out_.stops), "step", "steps"));
    }
    if (out_.undecided > 0) text += fmt::format("; {} not decided", plural(static_cast<Count>(out_.undecided), "limit is", "limits are"));
    out_.sentence = std::move(text);
    out_.notes.push_back("cost is that of the parts in the catalog, without building, pipes, cables and labour; floor ratings of zones and facility water are not looked at");
  }

  const Evaluation& now_;
  const DensityWish wish_;
  std::stop_token stop_;
  DensityUpgrade out_;
  std::vector<Id> racks_;
  std::set<Id> in_row_;
  std::vector<AlikeRacks> groups_;
  Design bare_design_;
  double counted_w_ = 0.0, wanted_w_ = 0.0;
  std::optional<Evaluation> last_;
  std::string trouble_;
};

} // namespace

std::string_view density_limit_words(DensityLimit limit) {
  switch (limit) {
  case DensityLimit::power: return "Power";
  case DensityLimit::heat: return "Heat";
  case DensityLimit::floor: return "Floor";
  case DensityLimit::reach: return "Reach";
  }
  return "";
}

tl::expected<DensityUpgrade, std::string> density_upgrade(const Evaluation& now, const DensityWish& wish,
                                                          const std::stop_token& stop) {
  return DensityStudy(now, wish, stop).run();
}

Table density_table(const DensityUpgrade& upgrade) {
  Table t;
  t.id = "study.density_upgrade";
  t.title = "Density upgrade of " + upgrade.row;
  t.columns.reserve(12);
  auto& limit = t.add_words("limit", "Limit").words;
  auto& subject = t.add_words("subject", "What").words;
  auto& state = t.add_words("state", "State").words;
  auto& now = t.add_words("now", "Now").words;
  auto& wanted = t.add_words("wanted", "Wanted").words;
  auto& allowed = t.add_words("allowed", "Allowed").words;
  auto& parts = t.add_words("parts", "Needed").words;
  auto& low = t.add_numbers("cost_low", "Cost, low", kind::money, "USD").numbers;
  auto& high = t.add_numbers("cost_high", "Cost, high", kind::money, "USD").numbers;
  auto& weeks = t.add_numbers("weeks", "Weeks", kind::ratio).numbers;
  auto& live = t.add_words("live", "Live").words;
  auto& why = t.add_words("why", "When, why").words;
  const auto amount = [](const DensityStep& s, double v) {
    return s.kind && std::isfinite(v) ? format_quantity(v, *s.kind).joined() : std::string();
  };
  for (const DensityStep& s : upgrade.steps) {
    limit.emplace_back(density_limit_words(s.limit));
    subject.push_back(s.subject);
    state.emplace_back(!s.decided ? "not decided" : s.needed ? "short" : "enough");
    now.push_back(amount(s, s.now));
    wanted.push_back(amount(s, s.wanted));
    allowed.push_back(amount(s, s.allowed));
    parts.push_back(s.parts);
    low.push_back(s.cost_low ? in_dollars(*s.cost_low) : density_nan);
    high.push_back(s.cost_high ? in_dollars(*s.cost_high) : density_nan);
    weeks.push_back(s.weeks ? *s.weeks : density_nan);
    live.push_back(!s.needed ? std::string() : (s.live ? "live: " : "stop: ") + s.live_words);
    why.push_back(s.why);
  }
  return t;
}

} // namespace hallwright
