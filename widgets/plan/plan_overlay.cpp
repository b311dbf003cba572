// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_overlay.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "widgets/figure_text.h"

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
  case Overlay::none: break;
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
  const QString words = overlay == Overlay::power            ? PlanView::tr("Rack power")
                        : overlay == Overlay::flow           ? PlanView::tr("Coolant flow")
                        : overlay == Overlay::floor_load     ? PlanView::tr("Floor load")
                        : overlay == Overlay::pipeline_stage ? PlanView::tr("First pipeline stage")
                        : overlay == Overlay::data_rank      ? PlanView::tr("First data-parallel rank")
                        : overlay == Overlay::flow_share     ? PlanView::tr("Flow, share of the need")
                        : overlay == Overlay::return_temperature ? PlanView::tr("Coolant return")
                                                             : PlanView::tr("First expert-parallel rank");
  out.title = words;
  const std::vector<PlanObject>& racks = model.objects(PlanLayer::racks);
  out.shown.assign(racks.size(), std::numeric_limits<double>::quiet_NaN());
  if (!evaluation) return out;
  if (overlay == Overlay::flow_share || overlay == Overlay::return_temperature) add_pipes(out, evaluation->figures);
  const auto [table, column] = overlay_column(evaluation->figures, overlay);
  if (!table || column->numbers.size() != table->entities.size()) return out;
  out.available = true;
  double largest = 0;
  for (double v : column->numbers)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  const DisplayUnit* unit = nullptr;
  for (const DisplayUnit& u : column->kind->display)
    if (u.symbol == column->unit) unit = &u;
  if (!unit) unit = &suited_unit(largest, *column->kind);
  out.unit = to_qstring(unit->symbol);
  out.title = out.unit.isEmpty() ? words : QStringLiteral("%1, %2").arg(words, screen_units(QStringLiteral("1 ") + out.unit).mid(2));
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
  return out;
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
  const bool note = o.some_missing || !o.available, pipes = !o.pipe_warmth.empty();
  const QSizeF size(188 * u, (o.available ? 56 : 34) * u + (note ? 20 * u : 0) + (pipes ? 24 * u : 0) - (o.available ? 0 : 4 * u));
  const QRectF card(QPointF(corner.x() - size.width(), corner.y()), size);
  c.tile(card, 4, c.pen(c.colors.border, 1), c.colors.panel);
  const double left = card.left() + 12 * u, width = size.width() - 24 * u;
  double y = card.top() + 8 * u;
  c.text(QRectF(left, y, width, 16 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, o.title, c.font(12, true), c.colors.text);
  y += 19 * u;
  if (o.available) {
    constexpr int steps = 10;
    for (int i = 0; i < steps; ++i) {
      const double from = std::round(left + width * i / steps), to = std::round(left + width * (i + 1) / steps);
      c.fill(QRectF(from, std::round(y), to - from, std::round(8 * u)), c.colors.amount(o.high > o.low ? (i + 0.5) / steps : o.share(o.low)));
    }
    y += 9 * u;
    const QFont f = c.font(10.5);
    c.text(QRectF(left, y, width, 15 * u), Qt::AlignLeft | Qt::AlignVCenter, short_number(o.low), f, c.colors.quiet);
    if (o.high > o.low) c.text(QRectF(left, y, width, 15 * u), Qt::AlignRight | Qt::AlignVCenter, short_number(o.high), f, c.colors.quiet);
    y += 17 * u;
  }
  if (note) {
    const QRectF sample(left, y + 2 * u, 16 * u, 11 * u);
    c.hatch(sample, mixed(c.colors.quiet, c.colors.panel, 0.35));
    c.tile(sample, 2, c.pen(c.colors.quiet, 1, Qt::DashLine), Qt::NoBrush);
    c.text(QRectF(left + 22 * u, y, width - 22 * u, 15 * u), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, PlanView::tr("not set or not known"),
           c.font(10.5), c.colors.quiet);
    y += 20 * u;
  }
  if (pipes) {
    const QFont f = c.font(10.5);
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
