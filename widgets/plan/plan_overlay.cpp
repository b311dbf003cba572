// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_overlay.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include <QFontMetricsF>

#include "fabric/rack_network_places.h"
#include "power/rack_supply.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

QStringList PlanView::overlayNames() {
  return {tr("By role"), tr("Rack power"), tr("Coolant flow"), tr("Floor load"), tr("Pipeline stage"), tr("Data-parallel rank"),
          tr("Expert-parallel rank"), tr("Flow against need"), tr("Coolant return"), tr("Headroom of the feed"),
          tr("Longest cable"), tr("Pod"), tr("Rail"), tr("Phase"), tr("Failure domain"), tr("Tensor group")};
}

QStringList PlanView::overlayWords() {
  QStringList out;
  for (const char* word : {"none", "power", "flow", "floor-load", "pipeline-stage", "data-rank", "expert-rank", "flow-share",
                           "return-temperature", "headroom", "cable-length", "pod", "rail", "phase", "failure-domain",
                           "tensor-group"})
    out << QLatin1String(word);
  return out;
}

} // namespace hallwright

namespace hallwright::plan {

namespace {

const TableColumn* first_of_kind(const Table& table, const Kind& kind) {
  for (const TableColumn& c : table.columns)
    if (c.kind == &kind && !c.numbers.empty()) return &c;
  return nullptr;
}

/// The column that an overlay shows, under the names that stages may give it.
std::pair<const Table*, const TableColumn*> overlay_column(const Figures& figures, Overlay overlay) {
  const auto pick = [&](std::initializer_list<const char*> tables, std::initializer_list<const char*> columns,
                        const Kind& kind) -> std::pair<const Table*, const TableColumn*> {
    for (const char* id : tables) {
      const Table* table = figures.table(id);
      if (!table || table->entity_table != "racks") continue;
      for (const char* column : columns)
        if (const TableColumn* c = table->column(column); c && c->kind) return {table, c};
      if (const TableColumn* c = first_of_kind(*table, kind)) return {table, c};
    }
    return {nullptr, nullptr};
  };
  switch (overlay) {
  case Overlay::power: return pick({"load.racks"}, {"power"}, kind::power);
  case Overlay::flow: return pick({"cooling.racks", "cooling.flows", "load.racks"}, {"flow", "coolant_flow"}, kind::volume_flow);
  case Overlay::floor_load: return pick({"space.racks"}, {"floor_load"}, kind::areal_density);
  case Overlay::pipeline_stage: return pick({"traffic.racks"}, {"pipeline_stage"}, kind::count);
  case Overlay::data_rank: return pick({"traffic.racks"}, {"data_rank"}, kind::count);
  case Overlay::expert_rank: return pick({"traffic.racks"}, {"expert_rank"}, kind::count);
  case Overlay::flow_share: return pick({"cooling.loop_racks"}, {"share_at_full_speed"}, kind::percent);
  case Overlay::return_temperature: return pick({"cooling.loop_racks"}, {"return"}, kind::temperature);
  case Overlay::tensor_group: return pick({"traffic.racks"}, {"tensor_group"}, kind::count);
  default: break; // none, or derived
  }
  return {nullptr, nullptr};
}

/// How warm pipes are, as the loops were solved: of a pipe of several sections the warmest.
void add_pipes(OverlayValues& out, const Figures& figures) {
  const Table* table = figures.table("cooling.loop_pipes");
  const TableColumn* column = table ? table->column("temperature") : nullptr;
  if (!column || table->entity_table != "pipes" || column->numbers.size() != table->entities.size()) return;
  std::unordered_map<Id, double> celsius;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < table->entities.size(); ++i) {
    const double c = column->numbers[i] - 273.15;
    if (!std::isfinite(c)) continue;
    const auto [it, fresh] = celsius.try_emplace(table->entities[i], c);
    if (!fresh) it->second = std::max(it->second, c);
    low = std::min(low, c), high = std::max(high, c);
  }
  if (celsius.empty()) return;
  out.coolest_c = low, out.warmest_c = high;
  for (const auto& [id, c] : celsius)
    out.pipe_warmth[id] = high > low ? (c - low) / (high - low) : 0.0;
}

/// Heads of legends.
QString overlay_titles(Overlay overlay) {
  switch (overlay) {
  case Overlay::power: return PlanView::tr("Rack power");
  case Overlay::flow: return PlanView::tr("Coolant flow");
  case Overlay::floor_load: return PlanView::tr("Floor load");
  case Overlay::pipeline_stage: return PlanView::tr("First pipeline stage");
  case Overlay::data_rank: return PlanView::tr("First data-parallel rank");
  case Overlay::expert_rank: return PlanView::tr("First expert-parallel rank");
  case Overlay::flow_share: return PlanView::tr("Flow, share of the need");
  case Overlay::return_temperature: return PlanView::tr("Coolant return");
  case Overlay::headroom: return PlanView::tr("Headroom of the feed");
  case Overlay::cable_length: return PlanView::tr("Longest cable");
  case Overlay::pod: return PlanView::tr("Pod");
  case Overlay::rail: return PlanView::tr("Rail");
  case Overlay::phase: return PlanView::tr("Phase");
  case Overlay::failure_domain: return PlanView::tr("Goes dark with");
  case Overlay::tensor_group: return PlanView::tr("First tensor group");
  case Overlay::none:
  case Overlay::count_: break;
  }
  return {};
}

/// Why the design has nothing for an overlay, where it has none.
QString why_nothing(const Evaluation& e, Overlay overlay) {
  if (e.design.racks->empty()) return PlanView::tr("No rack is drawn.");
  switch (overlay) {
  case Overlay::power: return PlanView::tr("What the racks draw is not known.");
  case Overlay::flow: return PlanView::tr("No drawn rack needs coolant.");
  case Overlay::floor_load: return PlanView::tr("The masses of the racks are not known.");
  case Overlay::flow_share:
  case Overlay::return_temperature: return PlanView::tr("No coolant loop is drawn and solved.");
  case Overlay::headroom:
    return e.power && e.power->one_line ? PlanView::tr("The ratings of the feeds are not known.") : PlanView::tr("No power unit feeds a drawn rack.");
  case Overlay::phase:
  case Overlay::failure_domain: return PlanView::tr("No power unit feeds a drawn rack.");
  case Overlay::cable_length: return PlanView::tr("No cable has both of its ends in drawn racks.");
  case Overlay::tensor_group:
    if (e.design.job->tensor_parallel < 2) return PlanView::tr("The job has no tensor groups: tensor parallel is 1.");
    [[fallthrough]];
  case Overlay::pipeline_stage:
  case Overlay::data_rank:
  case Overlay::expert_rank: return PlanView::tr("The job does not lie on a wired compute network.");
  default: return {};
  }
}

/// Racks of the drawing by id: indices into the objects.
std::unordered_map<Id, std::size_t> places_of_racks(const PlanModel& model) {
  const std::vector<PlanObject>& racks = model.objects(PlanLayer::racks);
  std::unordered_map<Id, std::size_t> out;
  out.reserve(racks.size());
  for (std::size_t i = 0; i < racks.size(); ++i) out.emplace(racks[i].id, i);
  return out;
}

/// Values in the base unit of a kind, as told for racks.
struct Measured {
  Id rack = 0;
  double value = 0;
  QString remark;
};
void take(OverlayValues& out, const PlanModel& model, const std::vector<Measured>& values, const Kind& kind, std::string_view symbol) {
  const DisplayUnit* unit = &kind.display.front();
  for (const DisplayUnit& u : kind.display)
    if (u.symbol == symbol) unit = &u;
  out.unit = to_qstring(unit->symbol);
  out.title = QStringLiteral("%1, %2").arg(out.words, out.unit);
  const auto places = places_of_racks(model);
  out.remarks.assign(out.shown.size(), {});
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Measured& m : values) {
    const auto at = places.find(m.rack);
    if (at == places.end() || !std::isfinite(m.value)) continue;
    const double v = (m.value - unit->offset) / unit->factor;
    out.shown[at->second] = v;
    out.remarks[at->second] = m.remark;
    low = std::min(low, v), high = std::max(high, v);
  }
  out.available = low <= high;
  if (out.available) out.low = low, out.high = high;
}

/// What a rack belongs to; those of one `order` and name are one category.
struct Belongs {
  Id rack = 0;
  std::vector<Count> order; ///< categories rise by it, then by name
  QString name, mark;       ///< mark empty: the number of the category
};
void take(OverlayValues& out, const PlanModel& model, const std::vector<Belongs>& all) {
  std::map<std::pair<std::vector<Count>, QString>, std::size_t> categories;
  const auto places = places_of_racks(model);
  for (const Belongs& b : all)
    if (places.count(b.rack)) categories.try_emplace({b.order, b.name}, 0);
  for (auto& [key, index] : categories) {
    index = out.categories.size();
    out.categories.push_back(key.second);
    out.marks.push_back(screen_number(index + 1));
  }
  for (const Belongs& b : all) {
    const auto at = places.find(b.rack);
    if (at == places.end()) continue;
    const std::size_t category = categories.at({b.order, b.name});
    if (!b.mark.isEmpty()) out.marks[category] = b.mark;
    out.shown[at->second] = static_cast<double>(category);
  }
  out.available = !out.categories.empty();
  if (out.available) out.high = static_cast<double>(out.categories.size() - 1);
}

/// Overlays that no table of the evaluation holds: asked of the engine when they are shown.
void derive(OverlayValues& out, const PlanModel& model, const Evaluation& e) {
  const OneLineStudy* study = e.power ? e.power->one_line.get() : nullptr;
  const std::span<const NetworkCabling> networks = e.cabling ? std::span<const NetworkCabling>(e.cabling->networks) : std::span<const NetworkCabling>();
  std::vector<Measured> measured;
  std::vector<Belongs> belongs;
  const auto numbered = [&](const NumbersByRack& numbers, const QString& one, const QString& several) {
    if (!numbers.nothing.empty()) out.nothing = screen_sentence(QString::fromStdString(numbers.nothing));
    if (!numbers.network.empty()) out.title = QStringLiteral("%1, %2").arg(out.words, to_qstring(numbers.network));
    for (const RackNumbers& r : numbers.racks) {
      const QString text = to_qstring(runs_text(r.numbers)).replace(QLatin1Char('-'), QChar(0x2013));
      belongs.push_back({r.rack, r.numbers, (r.numbers.size() == 1 ? one : several).arg(text), text});
    }
  };
  switch (out.overlay) {
  case Overlay::headroom:
    if (study)
      for (const RackSupply& s : rack_supplies(*study))
        measured.push_back({s.rack, s.headroom, s.tightest ? to_qstring(study->line.name(s.tightest)) : QString()});
    take(out, model, measured, kind::percent, "%");
    break;
  case Overlay::cable_length:
    for (const RackLongestCable& c : longest_cables(networks)) {
      const Network* network = find(*e.design.networks, c.network);
      measured.push_back({c.rack, c.meters, network ? to_qstring(network->name) : QString()});
    }
    take(out, model, measured, kind::length, "m");
    break;
  case Overlay::pod: numbered(pods_by_rack(networks), PlanView::tr("Pod %1"), PlanView::tr("Pods %1")); break;
  case Overlay::rail: numbered(rails_by_rack(networks), PlanView::tr("Rail %1"), PlanView::tr("Rails %1")); break;
  case Overlay::phase:
    if (study)
      for (const Rack& r : *e.design.racks)
        if (const RackPhases p = rack_phases(r, study->line); !p.words.empty())
          belongs.push_back({r.id, {}, to_qstring(p.words), to_qstring(p.mark)});
    break;
  case Overlay::failure_domain:
    if (study)
      for (const RackFailureDomain& d : rack_failure_domains(*study))
        belongs.push_back({d.rack, {d.unit ? d.unit : d.feed_a, d.feed_b}, to_qstring(failure_domain_name(d, study->line)), {}});
    break;
  default: break;
  }
  if (!belongs.empty()) take(out, model, belongs);
  if (out.available) {
    out.nothing.clear();
    out.some_missing = std::any_of(out.shown.begin(), out.shown.end(), [](double v) { return !std::isfinite(v); });
  }
}

/// Words broken over lines of a width.
QStringList lines_of(const Canvas& c, const QString& sentence, const QFont& font, double width) {
  QStringList out;
  for (const QString& word : sentence.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const QString longer = out.isEmpty() ? word : out.back() + QLatin1Char(' ') + word;
    if (!out.isEmpty() && c.size_of(longer, font).width <= width) out.back() = longer;
    else out << word;
  }
  return out;
}

} // namespace

QColor warmth_color(const PlanColors& colors, double share) {
  // Blue to rose over violet: the order of lightness is the same for all kinds of sight.
  const bool dark = colors.dark;
  const QColor cool = dark ? QColor("#4aa3df") : QColor("#1f77b8"), middle = dark ? QColor("#9d86d8") : QColor("#7d5fb2"),
               warm = dark ? QColor("#e884b4") : QColor("#b8467f");
  share = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
  return share < 0.5 ? mixed(cool, middle, share * 2) : mixed(middle, warm, share * 2 - 1);
}

OverlayValues overlay_values(const PlanModel& model, const SharedEvaluation& evaluation, Overlay overlay) {
  OverlayValues out;
  out.overlay = overlay;
  if (overlay == Overlay::none) return out;
  out.words = overlay_titles(overlay);
  out.title = out.words;
  const std::vector<PlanObject>& racks = model.objects(PlanLayer::racks);
  out.shown.assign(racks.size(), std::numeric_limits<double>::quiet_NaN());
  if (!evaluation) return out;
  out.nothing = why_nothing(*evaluation, overlay);
  if (out.derived() && overlay != Overlay::tensor_group) {
    derive(out, model, *evaluation);
    return out;
  }
  if (overlay == Overlay::flow_share || overlay == Overlay::return_temperature) add_pipes(out, evaluation->figures);
  const auto [table, column] = overlay_column(evaluation->figures, overlay);
  if (!table || column->numbers.size() != table->entities.size()) return out;
  if (overlay == Overlay::tensor_group && evaluation->design.job->tensor_parallel < 2) return out;
  out.available = true;
  double largest = 0;
  for (double v : column->numbers)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  const DisplayUnit* unit = nullptr;
  for (const DisplayUnit& u : column->kind->display)
    if (u.symbol == column->unit) unit = &u;
  if (!unit) unit = &suited_unit(largest, *column->kind);
  out.unit = to_qstring(unit->symbol);
  out.title = out.unit.isEmpty() ? out.words : QStringLiteral("%1, %2").arg(out.words, screen_units(QStringLiteral("1 ") + out.unit).mid(2));
  out.low = std::numeric_limits<double>::infinity(), out.high = -out.low;
  std::size_t row = 0; // both by rising id
  // But tables of several loops, which list one after the other.
  std::vector<std::size_t> by_id;
  if (!std::is_sorted(table->entities.begin(), table->entities.end())) {
    by_id.resize(table->entities.size());
    for (std::size_t i = 0; i < by_id.size(); ++i) by_id[i] = i;
    std::sort(by_id.begin(), by_id.end(), [&](std::size_t a, std::size_t b) { return table->entities[a] < table->entities[b]; });
  }
  std::size_t place = 0;
  const auto entity = [&](std::size_t at) { return table->entities[by_id.empty() ? at : by_id[at]]; };
  for (std::size_t i = 0; i < racks.size(); ++i) {
    while (place < table->entities.size() && entity(place) < racks[i].id) ++place;
    row = place < table->entities.size() ? (by_id.empty() ? place : by_id[place]) : place;
    if (row < table->entities.size() && table->entities[row] == racks[i].id && std::isfinite(column->numbers[row])) {
      const double v = (column->numbers[row] - unit->offset) / unit->factor;
      out.shown[i] = v;
      out.low = std::min(out.low, v), out.high = std::max(out.high, v);
    } else {
      out.some_missing = true;
    }
  }
  if (out.low > out.high) out.low = out.high = 0, out.available = false;
  if (out.available) out.nothing.clear();
  return out;
}

QString OverlayValues::number(double value) const {
  return unit.isEmpty() && value == std::round(value) ? screen_number(value, 'f', 0) : short_number(value);
}

QString OverlayValues::words_of(std::size_t rack) const {
  if (rack >= shown.size() || !std::isfinite(shown[rack])) return {};
  QString out;
  if (!categories.empty()) {
    const auto category = static_cast<std::size_t>(shown[rack]);
    return category < categories.size() ? categories[category] : out;
  }
  out = unit.isEmpty() ? number(shown[rack]) : QStringLiteral("%1 %2").arg(number(shown[rack]), unit);
  if (rack < remarks.size() && !remarks[rack].isEmpty()) out += QStringLiteral(" (%1)").arg(remarks[rack]);
  return out;
}

QColor category_color(const PlanColors& colors, std::size_t category) {
  return mixed(kind_color(static_cast<int>(category % category_colors)), colors.floor, colors.dark ? 0.25 : 0.2);
}

std::unordered_set<Id> misplaced(const SharedEvaluation& evaluation) {
  std::unordered_set<Id> out;
  if (!evaluation) return out;
  if (const Table* table = evaluation->figures.table("space.racks")) {
    const TableColumn* outside = table->column("outside");
    const TableColumn* overlapping = table->column("overlapping");
    for (std::size_t i = 0; i < table->entities.size(); ++i)
      if ((outside && i < outside->numbers.size() && outside->numbers[i] > 0) ||
          (overlapping && i < overlapping->numbers.size() && overlapping->numbers[i] > 0))
        out.insert(table->entities[i]);
  }
  if (const Table* table = evaluation->figures.table("space.overlaps"))
    for (const char* column : {"first_id", "second_id"})
      if (const TableColumn* c = table->column(column))
        for (double id : c->numbers) out.insert(static_cast<Id>(id));
  return out;
}

QRectF paint_legend(const Canvas& c, const OverlayValues& o, const QPointF& corner) {
  if (o.overlay == Overlay::none) return {};
  const double u = c.unit;
  const bool named = o.available && !o.categories.empty();
  const bool note = o.available ? o.some_missing : o.nothing.isEmpty(), pipes = !o.pipe_warmth.empty();
  // As many categories as there are colours; of more than one line too many, the rest by their marks.
  constexpr std::size_t most_lines = category_colors + 1;
  const std::size_t lines = named ? std::min(o.categories.size(), o.categories.size() <= most_lines ? most_lines : category_colors) : 0;
  const std::size_t others = named ? o.categories.size() - lines : 0;
  const QFont f = c.font(10.5);
  // Marks in a column of their own, as wide as the widest; the card is as wide as names need, up to a limit.
  double mark_width = 18 * u, card_width = 188 * u;
  for (std::size_t i = 0; i < lines; ++i) mark_width = std::max(mark_width, c.size_of(o.marks[i], f).width + 8 * u);
  for (std::size_t i = 0; i < lines; ++i)
    card_width = std::max(card_width, std::min(300 * u, mark_width + c.size_of(o.categories[i], f).width + 33 * u));
  const double width = card_width - 24 * u;
  const QStringList sentence = o.available ? QStringList() : lines_of(c, o.nothing, f, width);
  const double body = named         ? static_cast<double>(lines + (others > 0 ? 1 : 0)) * 17 * u + 6 * u
                      : o.available ? 26 * u
                                    : static_cast<double>(sentence.size()) * 15 * u;
  const QSizeF size(card_width, 30 * u + body + (note ? 20 * u : 0) + (pipes ? 24 * u : 0) + (sentence.isEmpty() ? 0 : 5 * u));
  const QRectF card(QPointF(corner.x() - size.width(), corner.y()), size);
  c.tile(card, 4, c.pen(c.colors.border, 1), c.colors.panel);
  const double left = card.left() + 12 * u;
  double y = card.top() + 8 * u;
  const QFont head = c.font(12, true);
  c.text(QRectF(left, y, width, 16 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
         QFontMetricsF(head).elidedText(o.title, Qt::ElideRight, width), head, c.colors.text);
  y += 19 * u;
  if (named) {
    for (std::size_t i = 0; i < lines; ++i, y += 17 * u) {
      const QColor fill = category_color(c.colors, i);
      const QRectF sample(left, y + 1 * u, mark_width, 14 * u);
      c.tile(sample, 2, c.pen(mixed(fill, c.colors.text, 0.35), 1), fill);
      c.text(sample, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, o.marks[i], f, letters_on(fill));
      const double room = width - mark_width - 7 * u;
      c.text(QRectF(left + width - room, y, room, 16 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
             QFontMetricsF(f).elidedText(o.categories[i], Qt::ElideMiddle, room), f, c.colors.text);
    }
    if (others > 0) {
      c.text(QRectF(left, y, width, 16 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
             PlanView::tr("and %1 more, by their marks").arg(screen_number(others)), f, c.colors.quiet);
      y += 17 * u;
    }
    y += 4 * u;
  } else if (o.available) {
    constexpr int steps = 10;
    for (int i = 0; i < steps; ++i) {
      const double from = std::round(left + width * i / steps), to = std::round(left + width * (i + 1) / steps);
      c.fill(QRectF(from, std::round(y), to - from, std::round(8 * u)), c.colors.amount(o.high > o.low ? (i + 0.5) / steps : o.share(o.low)));
    }
    y += 9 * u;
    c.text(QRectF(left, y, width, 15 * u), Qt::AlignLeft | Qt::AlignVCenter, o.number(o.low), f, c.colors.quiet);
    if (o.high > o.low) c.text(QRectF(left, y, width, 15 * u), Qt::AlignRight | Qt::AlignVCenter, o.number(o.high), f, c.colors.quiet);
    y += 17 * u;
  }
  for (const QString& line : sentence) {
    c.text(QRectF(left, y, width, 15 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, line, f, c.colors.quiet);
    y += 15 * u;
  }
  if (note) {
    const QRectF sample(left, y + 2 * u, 16 * u, 11 * u);
    c.hatch(sample, mixed(c.colors.quiet, c.colors.panel, 0.35));
    c.tile(sample, 2, c.pen(c.colors.quiet, 1, Qt::DashLine), Qt::NoBrush);
    c.text(QRectF(left + 22 * u, y, width - 22 * u, 15 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, PlanView::tr("not set or not known"),
           f, c.colors.quiet);
    y += 20 * u;
  }
  if (pipes) {
    const QString cool = PlanView::tr("pipes %1").arg(short_number(o.coolest_c)), warm = PlanView::tr("%1 \u00b0C").arg(short_number(o.warmest_c));
    const double from = left + c.size_of(cool, f).width + 6 * u, to = left + width - c.size_of(warm, f).width - 6 * u;
    c.text(QRectF(left, y, width, 15 * u), Qt::AlignLeft | Qt::AlignVCenter, cool, f, c.colors.quiet);
    c.text(QRectF(left, y, width, 15 * u), Qt::AlignRight | Qt::AlignVCenter, warm, f, c.colors.quiet);
    constexpr int steps = 8;
    for (int i = 0; i < steps && to > from; ++i)
      c.fill(QRectF(from + (to - from) * i / steps, y + 5 * u, (to - from) / steps + 0.5, 6 * u), warmth_color(c.colors, (i + 0.5) / steps));
  }
  return card;
}

} // namespace hallwright::plan
