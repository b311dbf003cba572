// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantity/field.h"
#include "quantity/kind.h"

/// A figure: a number that can say how it came about. Views read these; nobody but the ledger makes them.
namespace hallwright {

/// How much of the truth a figure holds.
enum class Completeness : std::uint8_t {
  exact,          ///< counted or computed from stated inputs
  estimate,       ///< a first-order model or an assumption stands in it
  lower_bound,    ///< a total of which some part is unknown: "at least"
  unknown,        ///< an input that it needs is not known; printed as not applicable, with the reason
  not_applicable  ///< there is nothing to compute (no GPUs, no racks, one rank)
};
/// "exact", "estimate", "lower_bound", "not_applicable" (also for unknown: the reason tells which).
std::string_view completeness_word(Completeness c);

/// Where a figure stands against its limit.
enum class Status : std::uint8_t { none, ok, near_limit, over_limit, undecided };
std::string_view status_word(Status s);

/// Sense of a limit.
enum class LimitSense : std::uint8_t { at_most, at_least };

/// The pages of the ledger, one per stage, in the order of evaluation.
enum class Page : std::uint8_t {
  population, space, fabric, cabling, load, cooling, power, traffic, training, storage, reliability, budget, count_
};
constexpr std::size_t page_count = static_cast<std::size_t>(Page::count_);
std::string_view page_word(Page page);

/// Address of a figure inside one evaluation.
struct FigureRef {
  Page page = Page::count_;
  std::uint32_t index = 0;
  [[nodiscard]] bool valid() const { return page != Page::count_; }
  friend bool operator==(const FigureRef&, const FigureRef&) = default;
};

/// What a figure rests on.
enum class Origin : std::uint8_t {
  derived,  ///< a formula of other figures
  sum,      ///< the sum of its inputs
  counted,  ///< counted in the drawing (the source says what)
  design,   ///< a field of the design: `table`, `entity`, `field`
  catalog,  ///< a field of a catalog part: `table` (kind), `part`, `field`, with the source of its row
  choice    ///< a constant of the method, with its source
};

struct Figure {
  std::string id;    ///< stable and readable: "load.it"
  std::string label; ///< for people: "IT load"
  const Kind* kind = nullptr;
  double value = 0.0; ///< base unit of `kind`; meaningless when unknown or not applicable
  Completeness completeness = Completeness::exact;
  std::string reason; ///< why unknown or not applicable; or what is missing from a lower bound; or a remark
  Status status = Status::none;
  FigureRef limit;
  LimitSense limit_sense = LimitSense::at_most;

  Origin origin = Origin::derived;
  std::string_view formula;      ///< name of the formula, for `calc`
  std::string_view formula_text; ///< "heat / (density * specific_heat * temperature_rise)"
  std::string source;            ///< citation of the formula or of the catalog row
  std::vector<FigureRef> inputs; ///< in the order of the formula's parameters
  std::vector<std::string_view> input_names; ///< the formula's parameter names, or empty

  std::string table; ///< design table or catalog kind of a leaf
  std::string part;  ///< catalog part of a leaf
  std::string field; ///< field name of a leaf
  Id entity = 0;     ///< design entity of a leaf (0 for a section with one entity)
  bool overridden = false; ///< a catalog value that this design replaces

  [[nodiscard]] bool has_value() const {
    return completeness != Completeness::unknown && completeness != Completeness::not_applicable;
  }
  [[nodiscard]] bool is_leaf() const {
    return origin == Origin::design || origin == Origin::catalog || origin == Origin::choice;
  }
  friend bool operator==(const Figure&, const Figure&) = default;
};

/// All figures of one stage; immutable once the stage is done.
struct LedgerPage {
  Page page = Page::count_;
  std::vector<Figure> figures;
  std::vector<std::uint32_t> by_id; ///< indices of `figures`, ascending by id
  /// The figure with this id, or null. The page must be sealed.
  [[nodiscard]] const Figure* find(std::string_view id) const;
  friend bool operator==(const LedgerPage&, const LedgerPage&) = default;
};
using SharedPage = std::shared_ptr<const LedgerPage>;
/// Ends a page: makes its index. Done by `Ledger::finish_page`.
SharedPage seal(LedgerPage page);

/// "at least 41 m", "21.3 MW", "not applicable": value, unit and completeness in words. `significant` 0: full.
std::string figure_text(const Figure& figure, int significant = 3);

/// One column of a table: numbers (NaN inside means unknown, printed as an empty cell) or words.
struct TableColumn {
  std::string id;    ///< "power_kw"-free: units come from `kind`
  std::string label;
  const Kind* kind = nullptr; ///< null for a column of words
  std::string unit;           ///< display unit of the whole column; empty: by size
  std::vector<double> numbers;
  std::vector<std::string> words;
  std::string formula; ///< how a cell comes about, in words
};

/// A bulk result: one row a rack, a cable class, a pipeline stage.
struct Table {
  std::string id;    ///< "load.racks"
  std::string title;
  std::vector<TableColumn> columns;
  std::string entity_table;            ///< table of the rows' entities ("racks"), or empty
  std::vector<Id> entities;            ///< entity of each row, or empty
  std::vector<std::string> row_figures; ///< id of the figure that explains each row, or empty
  [[nodiscard]] std::size_t row_count() const;
  TableColumn& add_numbers(std::string id, std::string label, const Kind& kind, std::string unit = {});
  TableColumn& add_words(std::string id, std::string label);
  [[nodiscard]] const TableColumn* column(std::string_view id) const;
};
bool same_table(const Table& a, const Table& b); ///< equal cell by cell (unknown equals unknown)

} // namespace hallwright
