// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "power/one_line.h"

/// Where the symbols and wires of a one-line diagram stand, by rule from who feeds whom: sources on top, each level
/// below what feeds it, side A left of side B, what shares a bus side by side on one bar, second sources as dashed
/// wires, racks at the foot. Equal things beside each other fold into one symbol where the diagram would be too wide.
///
/// The same one-line gives the same diagram. Things of one level stand in the order of their ids, so that a small edit
/// moves what is right of it and nothing else changes place.
namespace hallwright {

/// Lengths of the diagram, in its own unit: one letter of ordinary size is about 6 wide and 12 high.
struct OneLineMeasures {
  double pitch = 142.0; ///< between wires of neighbours
  double symbol_height = 44.0;
  double glyph_half = 15.0;   ///< half the width of a symbol; its wire runs through its middle
  double words_width = 106.0; ///< of the words at the right of a symbol, from its wire
  double gap = 42.0;          ///< between rows without tracks
  double track = 7.0;         ///< between wires that run side by side
};

/// Which equal things are folded.
struct OneLineFolding {
  std::set<std::int64_t> opened; ///< folds that are drawn one by one, by `OneLineSymbol::fold`
  bool none = false;             ///< everything is drawn one by one
  std::size_t most_columns = 10; ///< wider diagrams fold
};

/// One symbol: an element, equal elements folded into one, or racks on the same feeds.
struct OneLineSymbol {
  std::vector<std::uint32_t> elements;              ///< indices of elements, ascending; empty: racks
  std::vector<std::uint32_t> groups;                ///< load groups of the one-line, ascending; empty: elements
  PowerUnitKind kind = PowerUnitKind::utility_feed; ///< of elements
  Feed side = Feed::both;                           ///< of the element; where it names none, that of all below it
  std::size_t row = 0;
  double x = 0.0; ///< of the wire through it
  double y = 0.0; ///< of its upper edge
  /// Fold that it belongs to; 0: it has no equals beside it, or the diagram is narrow enough.
  std::int64_t fold = 0;
  bool folded = false; ///< stands for several; else its fold was opened, or it has none

  [[nodiscard]] bool racks() const { return elements.empty(); }
};

enum class OneLineWireKind : std::uint8_t {
  feed,          ///< from what feeds it in normal operation
  second_source, ///< from what feeds it when that has no power
  cord_a,        ///< feed A of racks
  cord_b         ///< feed B of racks
};
struct OneLinePoint {
  double x = 0.0, y = 0.0;
  friend bool operator==(const OneLinePoint&, const OneLinePoint&) = default;
};
/// A wire of level and upright pieces. Wires of one bus begin at its bar.
struct OneLineWire {
  OneLineWireKind kind = OneLineWireKind::feed;
  std::size_t from = 0, to = 0; ///< symbols; `from` is the first symbol of the bus
  Feed side = Feed::both;
  std::vector<OneLinePoint> points;
};
/// The bar of a bus: what is on it runs in parallel, or feeds several.
struct OneLineBar {
  std::vector<std::size_t> symbols; ///< that feed it
  Feed side = Feed::both;
  double from = 0.0, to = 0.0, y = 0.0;
  std::vector<OneLineWire> stubs; ///< from each of the symbols down to the bar
};
struct OneLineRow {
  std::string title; ///< "Transformers", "UPS", "Racks"; levels of one row joined by commas
  double y = 0.0;    ///< of the upper edge of its symbols
};

struct OneLineLayout {
  std::vector<OneLineSymbol> symbols; ///< by row, then from left to right
  std::vector<OneLineWire> wires;
  std::vector<OneLineBar> bars;
  std::vector<OneLineRow> rows;
  OneLineMeasures measures;
  double width = 0.0, height = 0.0;             ///< everything lies within 0..width, 0..height
  std::vector<std::uint32_t> symbol_of_element; ///< by index of the element
  std::vector<std::uint32_t> symbol_of_group;   ///< by index of the load group

  /// Symbols that feed a symbol (second sources last), and that it feeds, from left to right.
  [[nodiscard]] std::vector<std::size_t> above(std::size_t symbol) const;
  [[nodiscard]] std::vector<std::size_t> below(std::size_t symbol) const;
};

/// The diagram of a one-line.
OneLineLayout lay_out(const OneLine& line, const OneLineFolding& folding = {}, const OneLineMeasures& measures = {});

/// "Utility feeds", "UPS", "Busways".
std::string_view power_level_words(PowerUnitKind kind);
/// "utility feed", "UPS", "busway"
std::string_view power_unit_words(PowerUnitKind kind);

} // namespace hallwright
