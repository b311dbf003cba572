// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QColor>
#include <QPainter>
#include <QRectF>
#include <QString>

#include "power/one_line_layout.h"
#include "power/one_line_rules.h"

/// What a one-line diagram shows: the drawn plant with some of it out, on the screen and on paper.
namespace hallwright {

/// Colours of one diagram: of the present appearance, or of paper (always light).
struct OneLineColors {
  QColor canvas, panel, text, quiet, border, side_a, side_b, either, dead, red, red_soft, amber, accent, accent_soft;
  static OneLineColors screen();
  static OneLineColors paper();
  [[nodiscard]] QColor side(Feed feed) const { return feed == Feed::a ? side_a : feed == Feed::b ? side_b : either; }
};

/// One symbol in the state shown: of a fold the sum, and the member that is worst off.
struct SymbolState {
  std::size_t members = 0;                      ///< elements, or racks
  std::size_t out = 0;                          ///< taken out
  std::size_t tripped = 0;                      ///< dropped out because of others
  int round = 0;                                ///< in which the last of them dropped
  std::size_t dead = 0;                         ///< in service and without power
  std::size_t on_second = 0;                    ///< fed by their second source
  std::size_t over = 0;                         ///< live, and carry more than they may for long
  double watts = 0.0;                           ///< at the outputs, together
  double worst_share = std::nan("");            ///< of its rating, largest of the live members; NaN: no rating
  double usable_share = 1.0;                    ///< of the rating, of that member
  double rating_w = std::nan("");               ///< of that member [W or VA]
  double worst_watts = 0.0;                     ///< that it carries
  std::ptrdiff_t worst = -1;                    ///< element
  std::size_t racks_dark = 0, racks_on_one = 0; ///< of racks
  [[nodiscard]] bool whole() const { return out + tripped + dead == 0; }
};

/// The one-line of a design with elements out. Keeps the study that it is of.
class OneLinePicture {
public:
  OneLinePicture() = default;
  /// @param gap  between rows, in units of the diagram; low windows have a smaller one
  OneLinePicture(std::shared_ptr<const OneLineStudy> study, const OneLineFolding& folding, const std::vector<Id>& out,
                 double gap = OneLineMeasures().gap);

  [[nodiscard]] bool shows() const { return study_ && !layout_.symbols.empty(); }
  [[nodiscard]] const std::shared_ptr<const OneLineStudy>& study() const { return study_; }
  [[nodiscard]] const OneLine& line() const { return study_->line; }
  [[nodiscard]] const OneLineLayout& layout() const { return layout_; }
  [[nodiscard]] const ContingencyCase& shown() const { return shown_; }
  [[nodiscard]] const PowerFlow& flow() const { return *flow_; }
  /// Ids of racks that are dark in the state shown, ascending.
  [[nodiscard]] const std::vector<Id>& dark_racks() const { return dark_; }
  [[nodiscard]] const SymbolState& state(std::size_t symbol) const { return states_[symbol]; }
  [[nodiscard]] bool wire_live(const OneLineWire& wire) const;
  /// Whether the wire of a second source feeds now.
  [[nodiscard]] bool wire_in_use(const OneLineWire& wire) const;

  // Words.
  [[nodiscard]] QString name(std::size_t symbol) const;         ///< "UPS A1", "UPS A01 \u2013 UPS A10", "24 racks"
  [[nodiscard]] QString symbol_words(std::size_t symbol) const; ///< as it stands at the symbol: "6 \u00d7 UPS A1"
  [[nodiscard]] QString load_words(std::size_t symbol) const;   ///< "612 kW \u00b7 61 %", "no power"
  [[nodiscard]] QString told(std::size_t symbol) const;         ///< several lines: kind, rating, load, worst case
  /// What happens in the state shown, in sentences; of normal operation what the worst failure does.
  [[nodiscard]] QString sentence() const;
  /// Ids of the elements of a symbol; of racks those of its racks.
  [[nodiscard]] std::vector<Id> ids(std::size_t symbol) const;

private:
  void look();
  std::shared_ptr<const OneLineStudy> study_;
  OneLineLayout layout_;
  ContingencyCase shown_;
  std::optional<PowerFlow> flow_;
  std::vector<Id> dark_;
  std::vector<SymbolState> states_;
};

/// How a picture is painted.
struct OneLinePainting {
  OneLineColors colors;
  QFont font;
  double scale = 1.0;                  ///< device pixels of one unit of the diagram
  QPointF origin;                      ///< device position of its upper left corner
  double stroke = 1.4;                 ///< of every symbol and wire, device pixels
  QRectF sight;                        ///< what is in sight, device; empty: everything
  std::set<std::size_t> selected, lit; ///< symbols
  std::ptrdiff_t cursor = -1;          ///< symbol under the keys
  std::ptrdiff_t pointed = -1;         ///< symbol under the mouse, or that a wire would lead to
  double title_height = 0.0;           ///< of row titles, pixels; 0: as large as letters elsewhere
  bool row_titles = false;             ///< at the left end of each row, as far left as the origin
};
void paint_one_line(QPainter& painter, const OneLinePicture& picture, const OneLinePainting& painting);
/// The diagram with row titles and a title, fitted into a rectangle: for paper.
void paint_one_line_page(QPainter& painter, const QRectF& page, const OneLinePicture& picture, const QString& title,
                         const OneLineColors& colors);

} // namespace hallwright
