// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/one_line/one_line_picture.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGuiApplication>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

QString one_line_tr(const char* text) { return QCoreApplication::translate("OneLinePicture", text); }
QString watts_text(double watts) { return screen_text(watts, kind::power); }
QString percent_text(double share) {
  return screen_text(share, kind::percent, share < 0.0995 ? 1 : share < 0.9995 ? 2 : 3);
}

} // namespace

OneLineColors OneLineColors::screen() {
  const Theme& t = theme();
  OneLineColors c;
  c.canvas = t.canvas, c.panel = t.panel, c.text = t.text, c.quiet = t.secondary_text, c.border = t.border;
  c.side_a = t.accent, c.side_b = t.dark ? QColor(0x3f, 0xc0, 0x97) : QColor(0x00, 0x85, 0x61);
  c.either = t.dark ? QColor(0xb9, 0xc4, 0xcf) : QColor(0x4a, 0x5a, 0x6a);
  c.dead = t.structure, c.red = t.red, c.red_soft = t.red_soft, c.amber = t.amber, c.accent = t.accent;
  c.accent_soft = t.accent_soft;
  return c;
}

OneLineColors OneLineColors::paper() {
  OneLineColors c;
  c.canvas = c.panel = QColor(0xffffff), c.text = QColor(0x1f2a37), c.quiet = QColor(0x56626f);
  c.border = QColor(0xc5ced8), c.side_a = QColor(0x2a6cb5), c.side_b = QColor(0x008561), c.either = QColor(0x3a4856);
  c.dead = QColor(0x9aa6b2), c.red = QColor(0xc0392b), c.red_soft = QColor(0xfbe9e7), c.amber = QColor(0xd9790a);
  c.accent = c.side_a, c.accent_soft = QColor(0xdce9f7);
  return c;
}

OneLinePicture::OneLinePicture(std::shared_ptr<const OneLineStudy> study, const OneLineFolding& folding,
                               const std::vector<Id>& out, double gap)
    : study_(std::move(study)) {
  if (!study_) return;
  OneLineMeasures measures;
  measures.gap = gap;
  layout_ = lay_out(study_->line, folding, measures);
  // Names are whole where the diagram is narrow enough for it.
  QFont letters = QGuiApplication::font();
  letters.setPixelSize(23); // twice the size in which names stand, for exact widths
  letters.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(letters);
  double widest = 0.0;
  std::vector<std::size_t> in_row(layout_.rows.size(), 0);
  for (std::size_t s = 0; s < layout_.symbols.size(); ++s) {
    ++in_row[layout_.symbols[s].row];
    if (layout_.symbols[s].racks() || layout_.symbols.size() > 120) continue;
    widest = std::max(widest, metrics.horizontalAdvance(symbol_words(s)) / 2.0);
  }
  const std::size_t columns =
      in_row.empty() ? 1 : std::max<std::size_t>(1, *std::max_element(in_row.begin(), in_row.end()));
  const double wanted = widest + measures.glyph_half + 12.0;
  const double most = std::max(measures.words_width, 1280.0 / static_cast<double>(columns) - 36.0);
  if (wanted > measures.words_width) {
    measures.words_width = std::min({wanted, most, 230.0});
    measures.pitch = measures.words_width + 36.0;
    layout_ = lay_out(study_->line, folding, measures);
  }
  shown_ = out.empty() ? study_->single.normal : study_->contingencies.with_out(out);
  flow_ = study_->contingencies.flow(shown_);
  dark_ = study_->contingencies.racks_dark(shown_);
  look();
}

void OneLinePicture::look() {
  const OneLine& line = study_->line;
  states_.assign(layout_.symbols.size(), {});
  std::vector<int> tripped(line.elements().size(), 0);
  for (const TrippedElement& t : shown_.cascade)
    if (const std::ptrdiff_t i = line.index(t.element); i >= 0) tripped[static_cast<std::size_t>(i)] = t.round;
  std::vector<char> taken(line.elements().size(), 0);
  for (const Id id : shown_.out)
    if (const std::ptrdiff_t i = line.index(id); i >= 0) taken[static_cast<std::size_t>(i)] = 1;
  for (std::size_t s = 0; s < layout_.symbols.size(); ++s) {
    const OneLineSymbol& symbol = layout_.symbols[s];
    SymbolState& state = states_[s];
    state.members = symbol.elements.size();
    for (const std::uint32_t e : symbol.elements) {
      const OneLineElement& element = line.elements()[e];
      if (taken[e]) {
        ++state.out;
        continue;
      }
      if (tripped[e] > 0) {
        ++state.tripped;
        state.round = std::max(state.round, tripped[e]);
        continue;
      }
      if (!flow_->live(e)) {
        ++state.dead;
        continue;
      }
      state.on_second += flow_->on_alternate(e);
      const double watts = flow_->output_watts(e), share = flow_->load_share(e);
      state.watts += watts;
      const bool over = share > element.usable_share * (1.0 + 1e-9);
      state.over += over;
      const bool worse = state.worst < 0 ? true
                         : std::isfinite(share)
                             ? !(share / element.usable_share <= state.worst_share / state.usable_share)
                             : false;
      if (!worse) continue;
      state.worst = static_cast<std::ptrdiff_t>(e);
      state.worst_share = share;
      state.usable_share = element.usable_share;
      state.rating_w = std::isfinite(element.rating_w) ? element.rating_w : element.rating_va;
      state.worst_watts = watts;
    }
    for (const std::uint32_t g : symbol.groups) {
      const OneLine::LoadGroup& group = line.groups()[g];
      const int feeds = flow_->live_feeds(g);
      state.members += static_cast<std::size_t>(group.racks);
      if (feeds == 0) {
        state.racks_dark += static_cast<std::size_t>(group.racks);
      } else {
        state.watts += flow_->group_watts(g);
        if (feeds == 1 && group.b != OneLine::none) state.racks_on_one += static_cast<std::size_t>(group.racks);
      }
    }
  }
}

bool OneLinePicture::wire_live(const OneLineWire& wire) const {
  const auto live = [&](std::size_t s) {
    const OneLineSymbol& symbol = layout_.symbols[s];
    for (const std::uint32_t e : symbol.elements)
      for (const std::uint32_t m : line().buses()[line().bus_of(e)].members)
        if (flow_->live(m) && !flow_->out(m)) return true;
    return false;
  };
  return live(wire.from);
}

bool OneLinePicture::wire_in_use(const OneLineWire& wire) const {
  return wire.kind != OneLineWireKind::second_source || states_[wire.to].on_second > 0;
}

QString OneLinePicture::name(std::size_t s) const {
  const OneLineSymbol& symbol = layout_.symbols[s];
  if (symbol.racks()) {
    const auto n = static_cast<qint64>(states_[s].members);
    return counted(n, one_line_tr("1 rack"), one_line_tr("%1 racks"));
  }
  const QString first = QString::fromStdString(line().name(line().elements()[symbol.elements.front()].id));
  if (symbol.elements.size() == 1) return first;
  const QString last = QString::fromStdString(line().name(line().elements()[symbol.elements.back()].id));
  // "UPS A01 - A10": the words that both have are said once.
  qsizetype same = 0;
  for (qsizetype i = 0; i < std::min(first.size(), last.size()) && first[i] == last[i]; ++i)
    if (first[i].isSpace()) same = i + 1;
  return first + QStringLiteral(" \u2013 ") + last.mid(same);
}

QString OneLinePicture::symbol_words(std::size_t s) const {
  const OneLineSymbol& symbol = layout_.symbols[s];
  if (!symbol.folded || symbol.racks())
    return symbol.racks() ? name(s)
                          : QString::fromStdString(line().name(line().elements()[symbol.elements.front()].id));
  return QStringLiteral("%1 \u00d7 %2")
      .arg(symbol.elements.size())
      .arg(QString::fromStdString(line().name(line().elements()[symbol.elements.front()].id)));
}

QString OneLinePicture::load_words(std::size_t s) const {
  const OneLineSymbol& symbol = layout_.symbols[s];
  const SymbolState& state = states_[s];
  if (symbol.racks()) {
    if (state.racks_dark > 0)
      return state.racks_dark == state.members ? one_line_tr("dark")
                                               : one_line_tr("%1 of %2 dark").arg(state.racks_dark).arg(state.members);
    return watts_text(state.watts);
  }
  const std::size_t off = state.out + state.tripped + state.dead;
  if (off == state.members) {
    if (state.out == state.members) return one_line_tr("out");
    if (state.tripped > 0) return one_line_tr("tripped, round %1").arg(state.round);
    if (state.out > 0) return one_line_tr("%1 out, rest dead").arg(state.out);
    return one_line_tr("no power");
  }
  const QString load = std::isfinite(state.worst_share)
                           ? (state.members > 1 ? QStringLiteral("%1 \u00b7 \u2264%2") : QStringLiteral("%1 \u00b7 %2"))
                                 .arg(watts_text(state.watts), percent_text(state.worst_share))
                           : watts_text(state.watts);
  return load;
}

std::vector<Id> OneLinePicture::ids(std::size_t s) const {
  std::vector<Id> out;
  const OneLineSymbol& symbol = layout_.symbols[s];
  for (const std::uint32_t e : symbol.elements)
    out.push_back(line().elements()[e].id);
  for (const std::uint32_t g : symbol.groups)
    for (const std::uint32_t l : line().groups()[g].members)
      out.push_back(line().loads()[l].id);
  std::sort(out.begin(), out.end());
  return out;
}

QString OneLinePicture::told(std::size_t s) const {
  const OneLineSymbol& symbol = layout_.symbols[s];
  const SymbolState& state = states_[s];
  QStringList lines;
  if (symbol.racks()) {
    lines << name(s);
    Count gpus = 0;
    QStringList feeds;
    for (const std::uint32_t g : symbol.groups) {
      const OneLine::LoadGroup& group = line().groups()[g];
      gpus += group.gpus;
      if (g != symbol.groups.front()) continue;
      for (const std::int32_t e : {group.a, group.b})
        if (e != OneLine::none)
          feeds << QString::fromStdString(line().name(line().elements()[static_cast<std::size_t>(e)].id));
    }
    if (gpus > 0) lines << one_line_tr("%1 GPUs").arg(screen_number(gpus));
    if (!feeds.isEmpty())
      lines << one_line_tr("fed from %1").arg(feeds.join(one_line_tr(" and "))) +
                   (symbol.groups.size() > 1 ? one_line_tr(" and %1 more pairs").arg(symbol.groups.size() - 1)
                                             : QString());
    else
      lines << one_line_tr("no unit feeds them");
    lines << one_line_tr("%1 with power").arg(watts_text(state.watts));
    if (state.racks_dark > 0) lines << one_line_tr("%1 without power").arg(state.racks_dark);
    if (state.racks_on_one > 0) lines << one_line_tr("%1 on one feed of two").arg(state.racks_on_one);
    return lines.join(QLatin1Char('\n'));
  }
  const QString kind = to_qstring(power_unit_words(symbol.kind));
  lines << name(s);
  lines << (state.members > 1 ? one_line_tr("%1, %2 alike").arg(kind).arg(state.members) : kind);
  const auto about = [&](std::size_t e) {
    const ElementFlow f = flow_->at(e);
    const OneLineElement& element = line().elements()[e];
    if (std::isfinite(element.rating_w))
      lines << one_line_tr("rated %1").arg(watts_text(element.rating_w));
    else if (std::isfinite(element.rating_va))
      lines << one_line_tr("rated %1").arg(screen_text(element.rating_va, kind::apparent_power));
    else
      lines << one_line_tr("no rating is known");
    if (element.usable_share < 1.0)
      lines << one_line_tr("may carry %1 of it for long").arg(percent_text(element.usable_share));
    if (f.live) {
      lines << one_line_tr("carries %1%2")
                   .arg(watts_text(flow_->output_watts(e)),
                        std::isfinite(f.load_share) ? one_line_tr(", %1 of the rating").arg(percent_text(f.load_share))
                                                    : QString());
      if (flow_->loss_watts(e) > 0) lines << one_line_tr("loses %1").arg(watts_text(flow_->loss_watts(e)));
      if (f.output_line_current)
        lines << one_line_tr("%1 in each line").arg(screen_text(base_value(*f.output_line_current), kind::current));
      if (f.output_direct_current)
        lines << one_line_tr("%1 direct current").arg(screen_text(base_value(*f.output_direct_current), kind::current));
      if (f.output_phase_current)
        lines << one_line_tr("%1 in one phase").arg(screen_text(base_value(*f.output_phase_current), kind::current));
      if (f.fed_by != 0)
        lines << (f.on_alternate ? one_line_tr("fed from its second source, %1") : one_line_tr("fed from %1"))
                     .arg(QString::fromStdString(line().name(f.fed_by)));
    }
    for (const ElementWorst& w : study_->single.elements) {
      if (w.element != element.id || w.worst_case < 0) continue;
      const ContingencyCase& c = study_->single.cases[static_cast<std::size_t>(w.worst_case)];
      lines << one_line_tr("at worst %1, with %2 out")
                   .arg(watts_text(w.worst_w), QString::fromStdString(study_->contingencies.out_words(c)));
    }
  };
  if (state.members == 1) {
    about(symbol.elements.front());
  } else if (state.worst >= 0) {
    lines << one_line_tr("together %1; the fullest is %2:")
                 .arg(watts_text(state.watts),
                      QString::fromStdString(line().name(line().elements()[static_cast<std::size_t>(state.worst)].id)));
    about(static_cast<std::size_t>(state.worst));
  }
  if (state.out > 0)
    lines << (state.members == 1 ? one_line_tr("taken out") : one_line_tr("%1 taken out").arg(state.out));
  if (state.tripped > 0)
    lines << (state.members == 1 ? one_line_tr("tripped in round %1").arg(state.round)
                                 : one_line_tr("%1 tripped, by round %2").arg(state.tripped).arg(state.round));
  if (state.dead > 0)
    lines << (state.members == 1 ? one_line_tr("without power") : one_line_tr("%1 without power").arg(state.dead));
  return lines.join(QLatin1Char('\n'));
}

QString OneLinePicture::sentence() const {
  if (!study_) return {};
  const PowerContingencies& c = study_->contingencies;
  if (shown_.out.empty()) return {};
  std::string sentence = c.sentence(shown_);
  if (shown_.out.size() == 2) { // both were taken out by hand: neither of them is in maintenance
    const std::string pair = c.out_words(shown_);
    if (const std::size_t at = sentence.find(pair); at != std::string::npos)
      sentence.replace(at, pair.size(), line().name(shown_.out.front()) + " and " + line().name(shown_.out.back()));
  }
  return screen_sentence(QString::fromStdString(sentence));
}

} // namespace hallwright
