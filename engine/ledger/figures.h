// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ledger/figure.h"

namespace hallwright {

using SharedTables = std::shared_ptr<const std::vector<Table>>;

/// What every stage hands on: its page of figures and its tables. Results of subjects derive from it.
struct StageResult {
  SharedPage page;
  SharedTables tables;
};

/// All pages and tables of one evaluation, searchable. A value: copying it copies pointers.
class Figures {
public:
  /// Adds the result of a stage; pages come in the order of `Page`.
  void add(const StageResult& result);
  /// The figure with this id, or null. A leaf that stands on several pages is found on the first.
  [[nodiscard]] const Figure* find(std::string_view id) const;
  /// The figure at this address, or null.
  [[nodiscard]] const Figure* at(FigureRef ref) const;
  [[nodiscard]] const Table* table(std::string_view id) const;
  [[nodiscard]] const SharedPage& page(Page page) const { return pages_[static_cast<std::size_t>(page)]; }
  [[nodiscard]] std::vector<const Table*> tables() const;
  /// Every figure, page by page, in the order of making.
  [[nodiscard]] std::vector<const Figure*> all() const;
  /// Figures that have `ref` among their inputs: "used by".
  [[nodiscard]] std::vector<const Figure*> used_by(FigureRef ref) const;

private:
  std::array<SharedPage, page_count> pages_{};
  std::array<SharedTables, page_count> tables_{};
};

/// One line of a derivation, for explain trees as text.
struct Derivation {
  const Figure* figure = nullptr;
  std::string_view role; ///< parameter name in the formula above, or empty
  int depth = 0;
  bool opened_above = false; ///< its inputs stand further up and are not repeated
};
/// The figure and all it rests on, depth first, down to `depth` levels (-1: all). A figure that several others share is
/// opened at its first place only.
std::vector<Derivation> derivation(const Figures& figures, const Figure& figure, int depth = -1);

} // namespace hallwright
