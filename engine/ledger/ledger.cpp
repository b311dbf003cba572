// SPDX-License-Identifier: GPL-3.0-or-later
#include "ledger/ledger.h"

#include <cmath>
#include <stdexcept>

namespace hallwright {
namespace {
// Sums of many parts differ in the last digits; a difference this small is no overload.
constexpr double rounding_dust = 1e-12;
// What "near" is measured in on a temperature scale, where a share of the absolute value means nothing.
constexpr double temperature_span = 20.0; // K
} // namespace

FigureRef Ledger::add(Figure f) {
  if (page_.figures.empty()) page_.figures.reserve(128), ids_.reserve(128); // most pages have fewer
  if (!ids_.insert(f.id).second) // leaves are among them
    throw std::logic_error("ledger page '" + std::string(page_word(page_.page)) + "' has two figures '" + f.id + "'");
  const FigureRef ref{page_.page, static_cast<std::uint32_t>(page_.figures.size())};
  page_.figures.push_back(std::move(f));
  return ref;
}

FigureRef Ledger::leaf(Figure f) {
  if (const auto found = leaves_.find(f.id); found != leaves_.end()) {
    const Figure& known = page_.figures[found->second];
    if (known.has_value() != f.has_value() || known.value != f.value)
      throw std::logic_error("ledger page '" + std::string(page_word(page_.page)) + "' has two values of the leaf '" + f.id + "'");
    return {page_.page, found->second};
  }
  std::string id = f.id;
  const FigureRef ref = add(std::move(f));
  leaves_.emplace(std::move(id), ref.index);
  return ref;
}

Traced<Count> Ledger::counted(std::string id, std::string label, Count value, std::string what) {
  return measured<Count>(std::move(id), std::move(label), value, std::move(what));
}

void Ledger::decide(std::uint32_t index, FigureRef limit, double limit_value, Completeness limit_completeness, LimitSense sense,
                    double near_share) {
  Figure& f = page_.figures.at(index);
  f.limit = limit;
  f.limit_sense = sense;
  if (f.completeness == Completeness::not_applicable || limit_completeness == Completeness::not_applicable) {
    f.status = Status::none;
    return;
  }
  if (f.completeness == Completeness::unknown || limit_completeness == Completeness::unknown) {
    f.status = Status::undecided;
    return;
  }
  const bool at_most = sense == LimitSense::at_most;
  const double margin = at_most ? limit_value - f.value : f.value - limit_value; // negative: over the limit
  const double size = std::fabs(limit_value);
  // Of a share that must not fall below nothing, such as a headroom, the whole is what a part of counts as near.
  const bool headroom = !at_most && size == 0.0 && f.kind != nullptr && f.kind->scale == Scale::percent;
  const double near = (1.0 - near_share) * (f.kind != nullptr && f.kind->scale == Scale::point ? temperature_span : headroom ? 1.0 : size);
  Status status = Status::ok;
  if (margin < -rounding_dust * size) status = Status::over_limit;
  else if (near > 0.0 && margin <= near) status = Status::near_limit;

  // A lower bound can only grow. What it may still undo is not decided.
  const bool value_grows = f.completeness == Completeness::lower_bound;
  const bool limit_grows = limit_completeness == Completeness::lower_bound;
  const bool may_get_worse = at_most ? value_grows : limit_grows, may_get_better = at_most ? limit_grows : value_grows;
  if (status == Status::over_limit ? may_get_better : may_get_worse) status = Status::undecided;
  f.status = status;
}

} // namespace hallwright
