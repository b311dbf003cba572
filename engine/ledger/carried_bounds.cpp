// SPDX-License-Identifier: GPL-3.0-or-later
#include "ledger/carried_bounds.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace hallwright {
namespace {

/// What is missing beneath a figure, without the words in front.
std::string missing_of(const Figure& figure) {
  std::string_view reason = figure.reason;
  if (reason.starts_with(rests_on_bound_words)) reason.remove_prefix(rests_on_bound_words.size());
  return reason.empty() ? figure.label : std::string(reason);
}

/// The pages while figures are marked; a page is copied when its first one is.
class Pages {
public:
  explicit Pages(const Figures& figures) {
    for (std::size_t p = 0; p < page_count; ++p)
      pages_[p] = figures.page(static_cast<Page>(p));
  }
  [[nodiscard]] const std::vector<Figure>* of(std::size_t page) const {
    if (copies_[page]) return &copies_[page]->figures;
    return pages_[page] ? &pages_[page]->figures : nullptr;
  }
  [[nodiscard]] const Figure* at(FigureRef ref) const {
    if (!ref.valid()) return nullptr;
    const auto* figures = of(static_cast<std::size_t>(ref.page));
    return figures && ref.index < figures->size() ? &(*figures)[ref.index] : nullptr;
  }
  Figure& change(std::size_t page, std::size_t index) {
    if (!copies_[page]) copies_[page] = *pages_[page];
    return copies_[page]->figures[index];
  }
  std::array<SharedPage, page_count> take() {
    for (std::size_t p = 0; p < page_count; ++p)
      if (copies_[p]) pages_[p] = std::make_shared<const LedgerPage>(std::move(*copies_[p]));
    return pages_;
  }

private:
  std::array<SharedPage, page_count> pages_;
  std::array<std::optional<LedgerPage>, page_count> copies_;
};

bool any_bound(const Pages& pages) {
  for (std::size_t p = 0; p < page_count; ++p)
    if (const auto* figures = pages.of(p))
      if (std::any_of(figures->begin(), figures->end(),
                      [](const Figure& f) { return f.completeness == Completeness::lower_bound; }))
        return true;
  return false;
}

} // namespace

bool rests_on_bound(const Figure& figure) {
  return figure.completeness == Completeness::estimate && figure.reason.starts_with(rests_on_bound_words);
}

std::array<SharedPage, page_count> bounds_carried(const Figures& figures) {
  Pages pages(figures);
  if (!any_bound(pages)) return pages.take();
  // Inputs stand on earlier pages, or earlier on the same one.
  for (std::size_t p = 0; p < page_count; ++p) {
    const std::size_t count = pages.of(p) ? pages.of(p)->size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Figure& f = (*pages.of(p))[i];
      if (f.completeness != Completeness::estimate) continue;
      const Figure* from = nullptr;
      for (const FigureRef ref : f.inputs)
        if (const Figure* input = pages.at(ref);
            input && !from && (input->completeness == Completeness::lower_bound || rests_on_bound(*input)))
          from = input;
      if (!from) continue;
      const std::string missing = missing_of(*from), own = f.reason;
      Figure& marked = pages.change(p, i);
      marked.reason = std::string(rests_on_bound_words) + missing;
      if (!own.empty() && missing.find(own) == std::string::npos) marked.reason += "; " + own;
    }
  }
  for (std::size_t p = 0; p < page_count; ++p) {
    const std::size_t count = pages.of(p) ? pages.of(p)->size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Figure& f = (*pages.of(p))[i];
      if (f.status == Status::none || f.status == Status::undecided) continue;
      const Figure* limit = pages.at(f.limit);
      if (rests_on_bound(f) || (limit && rests_on_bound(*limit))) pages.change(p, i).status = Status::undecided;
    }
  }
  return pages.take();
}

} // namespace hallwright
