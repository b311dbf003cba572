// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/sensitivity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "design/edits.h"
#include "quantity/text.h"

namespace hallwright {
namespace {

constexpr double kelvin_step = 1.0;
/// Of the figure: less is rounding of sums.
constexpr double smallest_change = 1e-12;

/// Leaves below a figure, nearest first, each field once; and whether the figure rests on what is found beside an edit.
struct Reached {
  std::vector<const Figure*> leaves;
  bool beside_edit = false;
};

/// Figures of `LoopDepth::whole`: an evaluation that is only `working` has those of the drawing before.
bool found_beside_edit(const Figure& f) {
  constexpr std::array<std::string_view, 3> ends{".failure_headroom", ".pumps_stop_throttle", ".facility_lost_throttle"};
  return f.id.starts_with("cooling.") &&
         std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return f.id.ends_with(end); });
}

Reached reached_from(const Figures& figures, const Figure& figure, bool catalog_values) {
  Reached out;
  std::vector<const Figure*> level{&figure};
  std::set<const Figure*> seen{&figure};
  std::set<std::tuple<std::string_view, std::string_view, Id, std::string_view>> fields;
  while (!level.empty()) {
    std::vector<const Figure*> next;
    for (const Figure* f : level) {
      out.beside_edit = out.beside_edit || found_beside_edit(*f);
      const bool wanted = f->origin == Origin::design || (catalog_values && f->origin == Origin::catalog);
      // A leaf stands on every page that reads it.
      if (wanted && f->has_value() && std::isfinite(f->value) && fields.emplace(f->table, f->part, f->entity, f->field).second)
        out.leaves.push_back(f);
      for (const FigureRef ref : f->inputs)
        if (const Figure* input = figures.at(ref); input && seen.insert(input).second) next.push_back(input);
    }
    level = std::move(next);
  }
  return out;
}

/// An input and how it is moved.
struct MovedInput {
  const Figure* leaf = nullptr;
  FieldInfo field;
  double present = 0.0;         ///< as it is held: a default of the catalog in the unit of its row
  std::string unit;             ///< of the row of a default; empty: base units
  bool count = false, point = false;
};

class SensitivityStudy {
public:
  SensitivityStudy(const Evaluation& now, const SensitivityWish& wish, const std::stop_token& stop)
      : now_(now), wish_(wish), stop_(stop) {}

  tl::expected<Sensitivity, std::string> run() {
    if (std::string refusal = begin(); !refusal.empty()) return tl::make_unexpected(std::move(refusal));
    const Reached reached = reached_from(now_.figures, *figure_, wish_.catalog_values);
    if (reached.beside_edit) {
      if (now_.loops && now_.loops->behind())
        return tl::make_unexpected(fmt::format("{} is being found anew after the last edit: ask again when it is there", figure_->label));
      depth_ = LoopDepth::whole;
    }
    std::size_t found = 0, no_number = 0;
    for (const Figure* leaf : reached.leaves) {
      const auto input = input_of(*leaf);
      if (!input) {
        ++no_number;
        continue;
      }
      if (!input->point && input->present == 0.0) {
        ++out_.at_zero;
        continue;
      }
      if (found++ >= wish_.most_inputs) {
        ++out_.beyond;
        continue;
      }
      if (!try_input(*input)) return tl::make_unexpected(std::string("stopped"));
    }
    if (no_number > 0)
      out_.left_out.push_back(fmt::format("{} input{} no single number of a field: a choice, or a table of a part", no_number,
                                          no_number == 1 ? " is" : "s are"));
    std::stable_sort(out_.rows.begin(), out_.rows.end(),
                     [](const SensitivityRow& a, const SensitivityRow& b) { return a.change > b.change; });
    say();
    return std::move(out_);
  }

private:
  std::string begin() {
    if (!(wish_.share > 0.0 && wish_.share < 1.0))
      return fmt::format("The share by which inputs are moved is {:g}; above 0 and below 1 is allowed", wish_.share);
    if (wish_.most_inputs == 0) return "The most inputs to try is 0; at least 1 is allowed";
    figure_ = now_.figures.find(wish_.figure);
    if (!figure_) return fmt::format("There is no figure '{}' in this design", wish_.figure);
    if (!figure_->has_value() || !std::isfinite(figure_->value))
      return fmt::format("{} has no value{}{}: nothing can move it yet", figure_->label, figure_->reason.empty() ? "" : ", for ",
                         figure_->reason);
    out_.figure = figure_->id;
    out_.label = figure_->label;
    out_.kind = figure_->kind;
    out_.value = figure_->value;
    return {};
  }

  /// Nothing: it is no number, or not one that can be replaced.
  std::optional<MovedInput> input_of(const Figure& leaf) const {
    MovedInput out;
    out.leaf = &leaf;
    out.point = leaf.kind && leaf.kind->scale == Scale::point;
    const auto take = [&](const FieldInfo& info, const FieldValue& value) {
      if (info.type != FieldType::number && info.type != FieldType::count) return false;
      out.field = info;
      out.count = info.type == FieldType::count;
      if (const auto* number = std::get_if<double>(&value)) out.present = *number;
      else if (const auto* whole = std::get_if<std::int64_t>(&value)) out.present = static_cast<double>(*whole);
      else return false; // not set: the figure stands for another default
      return std::isfinite(out.present);
    };
    if (leaf.origin == Origin::design) {
      for (const FieldInfo& info : table_fields(leaf.table))
        if (info.name == leaf.field) {
          const auto value = get_field(now_.design, {leaf.table, leaf.entity}, leaf.field);
          if (value && take(info, *value)) return out;
        }
      return std::nullopt;
    }
    if (leaf.table == part_kind<Assumption>())
      if (const Assumption* row = now_.catalog->find<Assumption>(leaf.part)) out.unit = row->unit;
    for (const PartFieldValue& v : part_values(*now_.catalog, leaf.table, leaf.part))
      if (v.field.name == leaf.field) return take(v.field, v.value) ? std::optional(out) : std::nullopt;
    return std::nullopt;
  }

  /// The value that the input is moved to, as it is held; an error says why it is not moved.
  tl::expected<double, std::string> moved(const MovedInput& in, double sign) const {
    if (in.point) return in.present + sign * kelvin_step;
    if (in.count) {
      const double to = in.present + sign * std::max(1.0, std::round(std::abs(in.present) * wish_.share));
      if (to == 0.0) return tl::make_unexpected(std::string("a count is not brought to 0, which may stand for another choice"));
      return to;
    }
    double to = in.present * (1.0 + sign * wish_.share);
    if (share_of_whole(in)) to = std::clamp(to, in.field.minimum, in.field.maximum);
    if (to == in.present) return tl::make_unexpected(fmt::format("it is at {}, the end of its range", amount(in, to)));
    return to;
  }
  static bool share_of_whole(const MovedInput& in) {
    const Kind* k = in.field.kind;
    return k && (k->scale == Scale::percent || k->scale == Scale::ratio) && in.field.maximum <= 1.0;
  }
  /// In the base unit of the leaf. A row of defaults has a unit of its own, but its scale begins at the same 0.
  static double in_base(const MovedInput& in, double held) {
    if (in.leaf->origin == Origin::design || in.unit.empty()) return held;
    return in.point ? in.leaf->value + (held - in.present) : in.leaf->value * (held / in.present);
  }
  static std::string amount(const MovedInput& in, double held) {
    const double base = in_base(in, held);
    return in.leaf->kind ? format_quantity(base, *in.leaf->kind).joined() : fmt::format("{:.4g}", base);
  }

  tl::expected<Design, std::string> with_input(const MovedInput& in, double held) const {
    const Figure& leaf = *in.leaf;
    const FieldValue value = in.count ? FieldValue(static_cast<std::int64_t>(held)) : FieldValue(held);
    if (leaf.origin == Origin::design) return set_field(now_.design, {leaf.table, leaf.entity}, leaf.field, value);
    const std::string text = in.unit.empty() ? exact_field_text(in.field, value) : exact_number(held);
    for (const PartOverride& o : *now_.design.part_overrides)
      if (o.part_kind == leaf.table && o.part == leaf.part && o.field == leaf.field)
        return set_field(now_.design, {"part_overrides", o.id}, "value", text);
    PartOverride o;
    o.part_kind = leaf.table, o.part = leaf.part, o.field = leaf.field, o.value = text, o.reason = "moved";
    return add_entity(now_.design, &Design::part_overrides, std::move(o)).design;
  }

  /// @return whether it was not stopped
  bool try_move(const MovedInput& in, double sign, SensitivityMove& out) const {
    const auto to = moved(in, sign);
    if (!to) {
      out.trouble = to.error();
      return true;
    }
    if (!try_value(in, *to, out)) return false;
    // A default of the catalog has its range in the refusal only: a share goes to the whole where it cannot go beyond.
    const Kind* k = in.leaf->kind;
    const bool part_of_whole = k && (k->scale == Scale::percent || k->scale == Scale::ratio) && in.leaf->value > 0.0;
    if (out.input || !part_of_whole || in.leaf->origin != Origin::catalog || in_base(in, *to) <= 1.0 || in.leaf->value > 1.0) return true;
    out.trouble.clear();
    if (in.leaf->value == 1.0) {
      out.trouble = fmt::format("it is at {}, the end of its range", amount(in, in.present));
      return true;
    }
    return try_value(in, in.present / in.leaf->value, out);
  }

  bool try_value(const MovedInput& in, double to, SensitivityMove& out) const {
    auto design = with_input(in, to);
    if (!design) {
      out.trouble = design.error();
      return true;
    }
    const auto e = evaluate(*design, now_.shipped_catalog, &now_, stop_, depth_);
    if (!e) return false;
    for (const std::string& problem : e->override_problems)
      if (std::find(now_.override_problems.begin(), now_.override_problems.end(), problem) == now_.override_problems.end()) {
        out.trouble = problem;
        return true;
      }
    // A layout of the job that cannot run is no step worth comparing.
    if (in.count && in.leaf->table == "job")
      for (const Finding& f : e->findings)
        if (f.severity == Severity::error && !f.undecided && f.code.starts_with("TRN-") &&
            std::none_of(now_.findings.begin(), now_.findings.end(), [&](const Finding& g) { return g.code == f.code && g.severity == Severity::error; })) {
          out.trouble = fmt::format("with {} the job cannot run so ({})", amount(in, to), f.code);
          return true;
        }
    out.input = in_base(in, to);
    const Figure* then = e->figures.find(wish_.figure);
    if (!then) out.trouble = fmt::format("with {} there is no such figure", amount(in, to));
    else if (!then->has_value() || !std::isfinite(then->value))
      out.trouble = fmt::format("with {} it has no value{}{}", amount(in, to), then->reason.empty() ? "" : ": ", then->reason);
    else out.figure = then->value;
    return true;
  }

  std::string step_of(const MovedInput& in, const SensitivityRow& row) const {
    if (in.point) return fmt::format("{:g} K", kelvin_step);
    if (in.count) return fmt::format("{:g}", std::max(1.0, std::round(std::abs(in.present) * wish_.share)));
    std::string out = fmt::format("{:g} %", 100.0 * wish_.share);
    constexpr double rounding = 1e-9;
    const auto shorter = [&](const SensitivityMove& m) {
      return m.input && std::abs(*m.input - row.value) < std::abs(row.value) * (wish_.share - rounding);
    };
    const auto shown = [&](double v) { return row.kind ? format_quantity(v, *row.kind).joined() : fmt::format("{:.4g}", v); };
    if (shorter(row.high)) out += ", at most " + shown(*row.high.input);
    if (shorter(row.low)) out += ", at least " + shown(*row.low.input);
    return out;
  }

  /// A leaf stands on several pages: the label that says most.
  std::string label_of(const Figure& leaf) const {
    std::string out = leaf.label;
    for (std::size_t p = 0; p < page_count; ++p)
      if (const SharedPage& page = now_.figures.page(static_cast<Page>(p)))
        if (const Figure* same = page->find(leaf.id); same && same->label.size() > out.size()) out = same->label;
    return out;
  }

  bool try_input(const MovedInput& in) {
    SensitivityRow row;
    if (!try_move(in, -1.0, row.low) || !try_move(in, 1.0, row.high)) return false;
    const Figure& leaf = *in.leaf;
    row.label = label_of(leaf);
    if (!row.low.trouble.empty() && row.low.trouble == row.high.trouble) {
      out_.left_out.push_back(fmt::format("{}: {}", row.label, row.low.trouble));
    } else {
      if (!row.low.trouble.empty()) out_.left_out.push_back(fmt::format("{}, less: {}", row.label, row.low.trouble));
      if (!row.high.trouble.empty()) out_.left_out.push_back(fmt::format("{}, more: {}", row.label, row.high.trouble));
    }
    if (!row.low.figure && !row.high.figure) return true;
    ++out_.tried;
    const double before = figure_->value;
    for (const SensitivityMove* m : {&row.low, &row.high})
      if (m->figure) row.change = std::max(row.change, std::abs(*m->figure - before));
    if (!(row.change > smallest_change * std::abs(before))) {
      ++out_.still;
      return true;
    }
    row.leaf = leaf.id;
    row.kind = leaf.kind;
    row.origin = leaf.origin;
    row.field = leaf.field;
    if (leaf.origin == Origin::design) row.entity = {leaf.table, leaf.entity};
    else row.part_kind = leaf.table, row.part = leaf.part;
    row.value = in_base(in, in.present);
    row.step = step_of(in, row);
    const bool figure_is_point = figure_->kind && figure_->kind->scale == Scale::point;
    if (!in.point && !figure_is_point && before != 0.0 && row.value != 0.0) {
      const double x0 = row.low.figure ? *row.low.input : row.value, x1 = row.high.figure ? *row.high.input : row.value;
      const double y0 = row.low.figure ? *row.low.figure : before, y1 = row.high.figure ? *row.high.figure : before;
      const double elasticity = ((y1 - y0) / before) / ((x1 - x0) / row.value);
      if (std::isfinite(elasticity)) row.elasticity = elasticity;
    }
    out_.rows.push_back(std::move(row));
    return true;
  }

  void say() {
    if (out_.tried == 0) {
      out_.sentence = fmt::format("{} rests on no number that can be moved", out_.label);
    } else if (out_.rows.empty()) {
      out_.sentence = fmt::format("None of the {} inputs that were moved changes {}", out_.tried, out_.label);
    } else {
      const SensitivityRow& first = out_.rows.front();
      out_.sentence = fmt::format("{} of {} inputs that were moved change{} {}; most does {}", out_.rows.size(), out_.tried,
                                  out_.rows.size() == 1 ? "s" : "", out_.label, first.label);
    }
    if (out_.beyond > 0)
      out_.sentence += fmt::format("; {} farther away {} not tried", out_.beyond, out_.beyond == 1 ? "was" : "were");
  }

  const Evaluation& now_;
  const SensitivityWish& wish_;
  const std::stop_token& stop_;
  const Figure* figure_ = nullptr;
  LoopDepth depth_ = LoopDepth::working;
  Sensitivity out_;
};

} // namespace

tl::expected<Sensitivity, std::string> figure_sensitivity(const Evaluation& now, const SensitivityWish& wish,
                                                          const std::stop_token& stop) {
  return SensitivityStudy(now, wish, stop).run();
}

} // namespace hallwright
