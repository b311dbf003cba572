// SPDX-License-Identifier: GPL-3.0-or-later
#include "ledger/figures.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace hallwright {

const Figure* LedgerPage::find(std::string_view id) const {
  auto it = std::lower_bound(by_id.begin(), by_id.end(), id,
                             [&](std::uint32_t i, std::string_view wanted) { return figures[i].id < wanted; });
  return it != by_id.end() && figures[*it].id == id ? &figures[*it] : nullptr;
}

SharedPage seal(LedgerPage page) {
  page.by_id.resize(page.figures.size());
  std::iota(page.by_id.begin(), page.by_id.end(), 0U);
  std::sort(page.by_id.begin(), page.by_id.end(),
            [&](std::uint32_t a, std::uint32_t b) { return page.figures[a].id < page.figures[b].id; });
  return std::make_shared<const LedgerPage>(std::move(page));
}

void Figures::add(const StageResult& result) {
  if (!result.page) return;
  const auto i = static_cast<std::size_t>(result.page->page);
  pages_[i] = result.page;
  tables_[i] = result.tables;
}

const Figure* Figures::find(std::string_view id) const {
  // A figure is called by its page as a rule: that one is asked first. Leaves are found on the first page that has them.
  const std::string_view word = id.substr(0, id.find('.'));
  const bool leaf = word == "design" || word == "catalog";
  const SharedPage* own = nullptr;
  if (!leaf) {
    const auto it = std::find_if(pages_.begin(), pages_.end(), [&](const SharedPage& p) { return p && page_word(p->page) == word; });
    if (it != pages_.end()) own = &*it;
  }
  if (own)
    if (const Figure* f = (*own)->find(id)) return f;
  for (const auto& page : pages_) {
    if (!page || &page == own) continue;
    if (const Figure* f = page->find(id)) return f;
  }
  return nullptr;
}

const Figure* Figures::at(FigureRef ref) const {
  if (!ref.valid()) return nullptr;
  const auto& page = pages_[static_cast<std::size_t>(ref.page)];
  return page && ref.index < page->figures.size() ? &page->figures[ref.index] : nullptr;
}

const Table* Figures::table(std::string_view id) const {
  for (const auto& tables : tables_) {
    if (!tables) continue;
    for (const auto& t : *tables)
      if (t.id == id) return &t;
  }
  return nullptr;
}

std::vector<const Table*> Figures::tables() const {
  std::vector<const Table*> out;
  for (const auto& tables : tables_)
    if (tables)
      for (const auto& t : *tables) out.push_back(&t);
  return out;
}

std::vector<const Figure*> Figures::all() const {
  std::vector<const Figure*> out;
  for (const auto& page : pages_)
    if (page)
      for (const auto& f : page->figures) out.push_back(&f);
  return out;
}

std::vector<const Figure*> Figures::used_by(FigureRef ref) const {
  std::vector<const Figure*> out;
  for (const auto& page : pages_) {
    if (!page) continue;
    for (const auto& f : page->figures)
      if (std::find(f.inputs.begin(), f.inputs.end(), ref) != f.inputs.end()) out.push_back(&f);
  }
  return out;
}

namespace {
void derive_into(const Figures& figures, const Figure& figure, std::string_view role, int depth, int limit, std::set<const Figure*>& opened,
                 std::vector<Derivation>& out) {
  out.push_back({&figure, role, depth});
  if (figure.inputs.empty() || (limit >= 0 && depth >= limit)) return;
  if (!opened.insert(&figure).second) {
    out.back().opened_above = true;
    return;
  }
  for (std::size_t i = 0; i < figure.inputs.size(); ++i) {
    const std::string_view name = i < figure.input_names.size() ? figure.input_names[i] : std::string_view();
    if (const Figure* input = figures.at(figure.inputs[i])) derive_into(figures, *input, name, depth + 1, limit, opened, out);
  }
}
} // namespace

std::vector<Derivation> derivation(const Figures& figures, const Figure& figure, int depth) {
  std::vector<Derivation> out;
  std::set<const Figure*> opened;
  derive_into(figures, figure, {}, 0, depth, opened, out);
  return out;
}

} // namespace hallwright
