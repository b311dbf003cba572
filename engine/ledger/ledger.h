// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "ledger/figure.h"
#include "ledger/formula.h"

namespace hallwright {

/// A quantity together with the figure that explains it. Made by a `Ledger` only.
template <class T>
struct Traced {
  T value{};
  FigureRef figure;
  Completeness completeness = Completeness::not_applicable;
  std::shared_ptr<const std::string> reason; ///< why there is no value, or what is missing from it; may be null

  [[nodiscard]] bool has_value() const {
    return completeness != Completeness::unknown && completeness != Completeness::not_applicable;
  }
  /// The value, or `fallback` where there is none (for tables and geometry, never for figures).
  [[nodiscard]] T value_or(T fallback) const { return has_value() ? value : fallback; }
  friend bool operator==(const Traced& a, const Traced& b) {
    return base_value(a.value) == base_value(b.value) && a.figure == b.figure && a.completeness == b.completeness;
  }
};

/// One input of a model: what it is called there, and its figure.
struct ModelInput {
  std::string_view name; ///< of static storage
  Completeness completeness = Completeness::exact;
  FigureRef figure;
  std::shared_ptr<const std::string> reason;
};
template <class T>
ModelInput model_input(std::string_view name, const Traced<T>& from) {
  return {name, from.completeness, from.figure, from.reason};
}
/// What a model computes, in words, and where it is from. Of static storage.
struct ModelNote {
  std::string_view text;
  std::string_view source;
};

/// Writes one page of figures. One call does the arithmetic and records its inputs, so an explanation
/// cannot drift from the number.
class Ledger {
public:
  explicit Ledger(Page page) { page_.page = page; }

  /// Applies `formula` to the values of `inputs` and records the figure `id`.
  template <class R, class... A>
  Traced<R> derive(std::string id, std::string label, const Formula<R, A...>& formula,
                   const Traced<std::type_identity_t<A>>&... inputs) {
    Draft draft = begin(formula.estimate, formula.monotone);
    (draft.take(inputs.completeness, inputs.figure, inputs.reason), ...);
    Figure f = figure_of(std::move(id), std::move(label), formula.result_kind);
    f.origin = Origin::derived;
    f.formula = formula.name;
    f.formula_text = formula.text;
    f.source = formula.source;
    f.input_names.assign(formula.parameters.begin(), formula.parameters.end());
    if (!draft.computable()) return finish<R>(std::move(f), std::move(draft), R{});
    Result<R> r = formula.function(inputs.value...);
    if (!r) return finish_without<R>(std::move(f), std::move(draft), r.error().reason);
    if (!std::isfinite(base_value(*r)))
      return finish_without<R>(std::move(f), std::move(draft), "the result is not a finite number for these inputs");
    return finish<R>(std::move(f), std::move(draft), *r);
  }

  /// Records a result of a model of many inputs that is no single formula: an estimate, with everything that went in.
  /// Its value must have been computed from the values of `inputs` and from nothing else.
  template <class R>
  Traced<R> modelled(std::string id, std::string label, const ModelNote& note, const std::vector<ModelInput>& inputs, R value,
                     const Kind& kind = KindOf<R>::value) {
    Draft draft = begin(true, Monotone::mixed);
    Figure f = figure_of(std::move(id), std::move(label), &kind);
    f.origin = Origin::derived;
    f.formula_text = note.text;
    f.source = note.source;
    for (const ModelInput& in : inputs) {
      draft.take(in.completeness, in.figure, in.reason);
      f.input_names.push_back(in.name);
    }
    if (draft.computable() && !std::isfinite(base_value(value)))
      return finish_without<R>(std::move(f), std::move(draft), "the result is not a finite number for these inputs");
    return finish<R>(std::move(f), std::move(draft), value);
  }

  /// Sum of the parts. A part that is unknown makes the sum a lower bound that names it; a part that is not
  /// applicable adds nothing. No parts at all: zero, exact.
  template <class T>
  Traced<T> sum(std::string id, std::string label, const std::vector<Traced<T>>& parts, const Kind& kind = KindOf<T>::value) {
    Figure f = figure_of(std::move(id), std::move(label), &kind);
    f.origin = Origin::sum;
    f.formula_text = "sum of the parts";
    Draft draft = begin(false, Monotone::increasing);
    T total{};
    Count missing = 0, bounds = 0;
    std::string first_missing, first_bound;
    for (const auto& p : parts) {
      if (p.completeness == Completeness::unknown) {
        ++missing;
        if (first_missing.empty() && p.reason) first_missing = *p.reason;
        draft.inputs.push_back(p.figure);
      } else if (p.completeness == Completeness::not_applicable) {
        draft.inputs.push_back(p.figure);
      } else {
        draft.take(p.completeness, p.figure, p.reason);
        total += p.value;
        if (p.completeness == Completeness::lower_bound && ++bounds == 1 && p.reason) first_bound = *p.reason;
      }
    }
    if (missing > 0) {
      draft.worst = Completeness::lower_bound;
      f.reason = std::to_string(missing) + (missing == 1 ? " part is unknown: " : " parts are unknown, first: ") + first_missing;
      if (bounds > 0) f.reason += "; " + std::to_string(bounds) + (bounds == 1 ? " more is a lower bound" : " more are lower bounds, first") + (first_bound.empty() ? "" : ": " + first_bound);
    }
    return finish<T>(std::move(f), std::move(draft), total);
  }

  /// A leaf: a field of the design. `value` monostate is unknown.
  /// The same leaf asked for twice on one page is one figure.
  template <class T>
  /// @param missing  why there is nothing to compute while the field is not set; empty: its value is unknown then
  Traced<T> design_field(std::string_view table, Id entity, const FieldInfo& field, std::string label,
                         const std::optional<T>& value, std::string_view missing = {});

  /// A leaf: a field of a catalog part, with the source of its row.
  template <class T>
  Traced<T> catalog_field(std::string_view part_kind, std::string_view part, std::string_view field, std::string label,
                          std::string source, const std::optional<T>& value, bool overridden, const Kind* kind);

  /// A leaf: a constant of the method, with its source.
  template <class T>
  Traced<T> constant(std::string id, std::string label, T value, std::string source, const Kind* kind = &KindOf<T>::value,
                     bool estimate = false);

  /// Counted in the drawing: how many entities stand there. `what` says what was counted.
  Traced<Count> counted(std::string id, std::string label, Count value, std::string what);

  /// An amount measured in the drawing (a distance, an area). `what` says how.
  template <class T>
  Traced<T> measured(std::string id, std::string label, T value, std::string what, const Kind* kind = &KindOf<T>::value,
                     bool estimate = false);

  /// A figure that has no value, with the reason.
  template <class T>
  Traced<T> absent(std::string id, std::string label, Completeness completeness, std::string reason,
                   const Kind* kind = &KindOf<T>::value);

  /// The same amount as another type or kind (a count as a ratio), recorded as a derivation of one input.
  template <class To, class From>
  Traced<To> as(std::string id, std::string label, const Traced<From>& from, const Kind* kind = &KindOf<To>::value);

  /// States the limit of a figure of this page and decides its status. `near_share` of the limit is "near".
  template <class T>
  void limit(const Traced<T>& figure, const Traced<T>& limit, LimitSense sense, double near_share = 0.9);

  /// Adds a remark to a figure of this page.
  template <class T>
  void remark(const Traced<T>& figure, std::string text) {
    if (figure.figure.page == page_.page) page_.figures[figure.figure.index].reason = std::move(text);
  }

  /// Marks a figure as resting on an assumption.
  template <class T>
  Traced<T> assumed(Traced<T> traced, std::string why) {
    if (traced.figure.page == page_.page && traced.completeness == Completeness::exact) {
      auto& f = page_.figures[traced.figure.index];
      f.completeness = Completeness::estimate;
      f.reason = std::move(why);
      traced.completeness = Completeness::estimate;
    }
    return traced;
  }

  /// Ends the page.
  [[nodiscard]] SharedPage finish_page() { return seal(std::move(page_)); }

private:
  struct Draft {
    Completeness worst = Completeness::exact;
    std::vector<FigureRef> inputs;
    std::shared_ptr<const std::string> reason;
    Monotone monotone = Monotone::increasing;
    void take(Completeness c, FigureRef ref, const std::shared_ptr<const std::string>& why) {
      inputs.push_back(ref);
      if (c == Completeness::lower_bound && monotone == Monotone::mixed) c = Completeness::estimate;
      if (c > worst) {
        worst = c;
        if (why) reason = why;
      }
    }
    [[nodiscard]] bool computable() const { return worst != Completeness::unknown && worst != Completeness::not_applicable; }
  };
  static Draft begin(bool estimate, Monotone monotone) {
    Draft d;
    d.worst = estimate ? Completeness::estimate : Completeness::exact;
    d.monotone = monotone;
    return d;
  }
  static Figure figure_of(std::string id, std::string label, const Kind* kind) {
    Figure f;
    f.id = std::move(id);
    f.label = std::move(label);
    f.kind = kind;
    return f;
  }
  FigureRef add(Figure f);
  FigureRef leaf(Figure f); ///< finds an equal leaf of this page, or adds it

  template <class R>
  Traced<R> finish(Figure f, Draft draft, R value) {
    f.inputs = std::move(draft.inputs);
    f.completeness = draft.worst;
    f.value = draft.computable() ? base_value(value) : 0.0;
    Traced<R> out;
    if (!draft.computable()) {
      f.reason = draft.reason ? *draft.reason : std::string("an input has no value");
      out.reason = draft.reason ? draft.reason : std::make_shared<const std::string>(f.reason);
    } else {
      // What is missing from a lower bound stays known to everything that rests on it.
      if (f.reason.empty() && draft.reason) f.reason = *draft.reason;
      if (!f.reason.empty()) out.reason = std::make_shared<const std::string>(f.reason);
    }
    out.value = value;
    out.completeness = f.completeness;
    out.figure = add(std::move(f));
    return out;
  }
  template <class R>
  Traced<R> finish_without(Figure f, Draft draft, std::string why) {
    draft.worst = Completeness::not_applicable;
    draft.reason = std::make_shared<const std::string>(std::move(why));
    return finish<R>(std::move(f), std::move(draft), R{});
  }
  void decide(std::uint32_t index, FigureRef limit, double limit_value, Completeness limit_completeness, LimitSense sense,
              double near_share);

  LedgerPage page_;
  std::unordered_set<std::string> ids_;
  std::map<std::string, std::uint32_t, std::less<>> leaves_;
};

template <class T>
Traced<T> Ledger::design_field(std::string_view table, Id entity, const FieldInfo& field, std::string label,
                               const std::optional<T>& value, std::string_view missing) {
  Figure f;
  f.id = "design." + std::string(table) + (entity ? "." + std::to_string(entity) : std::string()) + "." + std::string(field.name);
  f.label = std::move(label);
  f.kind = field.kind ? field.kind : &KindOf<T>::value;
  f.origin = Origin::design;
  f.table = table;
  f.entity = entity;
  f.field = field.name;
  f.source = "design";
  Traced<T> out;
  if (value) {
    f.value = base_value(*value);
    out.value = *value;
    out.completeness = Completeness::exact;
  } else {
    f.completeness = out.completeness = missing.empty() ? Completeness::unknown : Completeness::not_applicable;
    f.reason = missing.empty() ? f.label + " is not set" : std::string(missing);
    out.reason = std::make_shared<const std::string>(f.reason);
  }
  out.figure = leaf(std::move(f));
  return out;
}

template <class T>
Traced<T> Ledger::catalog_field(std::string_view part_kind, std::string_view part, std::string_view field, std::string label,
                                std::string source, const std::optional<T>& value, bool overridden, const Kind* kind) {
  Figure f;
  f.id = "catalog." + std::string(part_kind) + "." + std::string(part) + "." + std::string(field);
  f.label = std::move(label);
  f.kind = kind ? kind : &KindOf<T>::value;
  f.origin = Origin::catalog;
  f.table = part_kind;
  f.part = part;
  f.field = field;
  f.source = std::move(source);
  f.overridden = overridden;
  Traced<T> out;
  if (value) {
    f.value = base_value(*value);
    out.value = *value;
    out.completeness = Completeness::exact;
  } else {
    f.completeness = out.completeness = Completeness::unknown;
    f.reason = "the catalog has no " + std::string(field) + " for " + std::string(part);
    out.reason = std::make_shared<const std::string>(f.reason);
  }
  out.figure = leaf(std::move(f));
  return out;
}

template <class T>
Traced<T> Ledger::constant(std::string id, std::string label, T value, std::string source, const Kind* kind, bool estimate) {
  Figure f = figure_of(std::move(id), std::move(label), kind);
  f.origin = Origin::choice;
  f.source = std::move(source);
  f.value = base_value(value);
  f.completeness = estimate ? Completeness::estimate : Completeness::exact;
  Traced<T> out;
  out.value = value;
  out.completeness = f.completeness;
  out.figure = leaf(std::move(f));
  return out;
}

template <class T>
Traced<T> Ledger::measured(std::string id, std::string label, T value, std::string what, const Kind* kind, bool estimate) {
  Figure f = figure_of(std::move(id), std::move(label), kind);
  f.origin = Origin::counted;
  f.source = std::move(what);
  f.value = base_value(value);
  f.completeness = estimate ? Completeness::estimate : Completeness::exact;
  Traced<T> out;
  out.value = value;
  out.completeness = f.completeness;
  out.figure = add(std::move(f));
  return out;
}

template <class T>
Traced<T> Ledger::absent(std::string id, std::string label, Completeness completeness, std::string reason, const Kind* kind) {
  Figure f = figure_of(std::move(id), std::move(label), kind);
  f.completeness = completeness;
  f.reason = reason;
  f.origin = Origin::counted;
  f.source = "nothing to compute";
  Traced<T> out;
  out.completeness = completeness;
  out.reason = std::make_shared<const std::string>(std::move(reason));
  out.figure = add(std::move(f));
  return out;
}

template <class To, class From>
Traced<To> Ledger::as(std::string id, std::string label, const Traced<From>& from, const Kind* kind) {
  Figure f = figure_of(std::move(id), std::move(label), kind);
  f.origin = Origin::sum;
  f.formula_text = "the same amount";
  Draft draft = begin(false, Monotone::increasing);
  draft.take(from.completeness, from.figure, from.reason);
  return finish<To>(std::move(f), std::move(draft), from_base_value<To>(base_value(from.value)));
}

template <class T>
void Ledger::limit(const Traced<T>& figure, const Traced<T>& limit, LimitSense sense, double near_share) {
  if (figure.figure.page != page_.page) return;
  decide(figure.figure.index, limit.figure, base_value(limit.value), limit.completeness, sense, near_share);
}

} // namespace hallwright
