// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tile_words.h"

#include <algorithm>

#include <QCoreApplication>

#include "ledger/limit_unit.h"
#include "widgets/figure_text.h"

namespace hallwright {
namespace {

QString tile_tr(const char* text) { return QCoreApplication::translate("TileWords", text); }

/// A number keeps its unit in the same line.
QString in_one_line(QString text) { return text.replace(QLatin1Char(' '), QChar(0xa0)); }

const Figure* known_limit(const Evaluation& e, const Figure& f) {
  const Figure* limit = e.figures.at(f.limit);
  return limit && limit->has_value() && f.has_value() ? limit : nullptr;
}

bool past(const Figure& f, const Figure& limit) {
  return f.limit_sense == LimitSense::at_most ? f.value > limit.value : f.value < limit.value;
}

/// The decided error that is about this figure and its limit, if there is one.
bool is_error(const Evaluation& e, const Figure& f) {
  const Figure* limit = e.figures.at(f.limit);
  return std::any_of(e.findings.begin(), e.findings.end(), [&](const Finding& finding) {
    if (finding.severity != Severity::error || finding.waived || finding.undecided || finding.figures.empty() ||
        finding.figures.front() != f.id)
      return false;
    return !limit || std::find(finding.figures.begin(), finding.figures.end(), limit->id) != finding.figures.end();
  });
}

/// One figure of a tile; `main` is the one that its value shows.
TileLevel level_of(const Evaluation& e, const Figure& f, bool main) {
  if (is_error(e, f)) return TileLevel::error;
  const Figure* limit = known_limit(e, f);
  switch (f.status) {
  case Status::over_limit:
    return main ? TileLevel::error : TileLevel::warning;
  case Status::near_limit:
    return main ? TileLevel::near_it : TileLevel::calm;
  case Status::undecided: {
    if (!limit) return TileLevel::calm; // nothing is known that could be compared
    const bool only_grows = f.completeness == Completeness::lower_bound && f.limit_sense == LimitSense::at_most;
    if (only_grows && limit->completeness != Completeness::lower_bound && past(f, *limit)) return TileLevel::error;
    return main ? TileLevel::undecided : TileLevel::calm;
  }
  case Status::none:
  case Status::ok:
    break;
  }
  return TileLevel::calm;
}

} // namespace

TileState tile_state(const Evaluation& evaluation, const HeadlineTile& tile) {
  TileState out;
  const std::string_view ids[] = {tile.figure, tile.second_figure, tile.remark_figure};
  for (const std::string_view id : ids) {
    const Figure* f = id.empty() ? nullptr : evaluation.figures.find(id);
    if (!f) continue;
    const TileLevel level = level_of(evaluation, *f, id == tile.figure);
    if (out.by && level <= out.level) continue;
    out = {level, f, known_limit(evaluation, *f)};
  }
  // A step on more GPUs than there are is no step.
  if (tile.figure == "training.step_time" && out.level < TileLevel::error)
    if (const Figure* used = evaluation.figures.find("training.gpus_used"); used && used->status == Status::over_limit)
      out = {TileLevel::error, used, known_limit(evaluation, *used)};
  // First-order counts of a loop may be calm where its solved network fails.
  if (tile.figure == "cooling.flow" && out.level < TileLevel::error) {
    static constexpr std::string_view of_solved_loops[] = {"CLG-011", "CLG-014", "CLG-015", "CLG-018", "CLG-023", "CLG-024", "CLG-033"};
    for (const Finding& f : evaluation.findings)
      if (f.severity == Severity::error && !f.waived && !f.undecided &&
          std::find(std::begin(of_solved_loops), std::end(of_solved_loops), f.code) != std::end(of_solved_loops)) {
        out = {TileLevel::error, evaluation.figures.find(tile.figure), nullptr, &f};
        break;
      }
  }
  return out;
}

TileWords tile_words(const Evaluation& evaluation, const HeadlineTile& tile) {
  TileWords out;
  const Figure* f = evaluation.figures.find(tile.figure);
  if (!f) {
    out.value = QStringLiteral("\u2013");
    out.remark = tile_tr("not part of this design");
    return out;
  }
  out.state = tile_state(evaluation, tile);
  const bool known = f->has_value() && !nothing_known(*f);
  if (known) {
    out.value = screen_text(f->value, *f->kind);
    if (f->completeness == Completeness::lower_bound) out.value = QStringLiteral("\u2265 ") + out.value;
    if (f->completeness == Completeness::estimate) out.value = QStringLiteral("\u2248 ") + out.value;
  } else {
    out.value = QStringLiteral("\u2013");
    out.remark = QString::fromStdString(f->reason);
  }
  if (!tile.second_figure.empty())
    if (const Figure* second = evaluation.figures.find(tile.second_figure); second && second->has_value())
      out.value += QStringLiteral(" \u00b7 ") + screen_text(*second);
  const Figure* remark = tile.remark_figure.empty() ? nullptr : evaluation.figures.find(tile.remark_figure);
  const bool remarked = remark && remark->has_value() && !nothing_known(*remark);
  const QString remark_words =
      remarked ? (to_qstring(tile.remark) + QLatin1Char(' ') + in_one_line(screen_text(*remark))).trimmed() : QString();
  if (known) out.remark = remark_words;

  if (out.state.finding) {
    const auto& rules = all_rules();
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return r.code == out.state.finding->code; });
    const QString code = QString::fromStdString(out.state.finding->code);
    out.share = 1.0;
    out.limit_short = rule == rules.end() ? code : code + QStringLiteral(": ") + QString::fromStdString(std::string(rule->title));
    out.limit = out.limit_short;
    return out;
  }
  const bool bad = out.state.level >= TileLevel::warning;
  const Figure* shown = bad ? out.state.by : f; // the figure whose limit is named
  const Figure* limit = shown ? known_limit(evaluation, *shown) : nullptr;
  if (!limit || (shown == f && !known)) return out;
  QString limit_words = in_one_line(screen_limit(*shown, *limit));
  // What is past its limit does not read as the limit does.
  if (bad && shown == f)
    for (int digits = 4; digits <= 9; ++digits) {
      const std::string unit = screen_quantity(f->value, *f->kind).unit;
      const QString three = screen_text(f->value, *f->kind, digits - 1, unit);
      const QString like = screen_text(limit_in_unit_of(*f, *limit).value, *f->kind, digits - 1, unit);
      if (three != like || f->value == limit->value) break;
      out.value.replace(three, screen_text(f->value, *f->kind, digits, unit));
      limit_words = in_one_line(screen_text(limit_in_unit_of(*f, *limit).value, *f->kind, digits, unit));
    }
  const bool at_most = shown->limit_sense == LimitSense::at_most;
  if (at_most && limit->value > 0.0) out.share = shown->value / limit->value;
  // A headroom that must not fall below nothing says more by what it is the headroom of.
  const auto worst = shown->label.find(": ");
  const QString where = !at_most && limit->value == 0.0 && worst != std::string::npos ? QString::fromStdString(shown->label.substr(worst + 2)) : QString();
  // A headroom of 1 is an empty bar; below zero it overflows.
  if (!at_most) out.share = 1.0 - (shown->value - limit->value);
  if (bad) {
    out.share = 1.0;
    out.limit_short = (at_most ? tile_tr("over %1") : tile_tr("below %1")).arg(limit_words);
    if (shown != f) {
      // What is past its limit is the small figure: its words and limit stand together.
      const QString name = shown == remark ? remark_words : QString::fromStdString(shown->label);
      out.limit_short = QStringLiteral("%1, %2").arg(name, out.limit_short);
    }
    if (shown == f && !where.isEmpty()) { // below nothing: where says more than that nothing is the least
      out.limit_short = out.limit = QStringLiteral("%1, %2").arg(where, out.limit_short);
      return out;
    }
    out.limit = out.limit_short + QStringLiteral(": ") + QString::fromStdString(limit->label);
    return out;
  }
  out.limit = (at_most ? tile_tr("of %1") : tile_tr("limit %1")).arg(limit_words);
  out.limit_short = out.limit;
  if (!where.isEmpty()) out.limit_short = out.limit = where;
  if (out.state.level == TileLevel::undecided) out.limit += tile_tr(", undecided");
  return out;
}

QString TileWords::foot() const {
  if (limit.isEmpty()) return remark;
  if (remark.isEmpty() || state.level >= TileLevel::warning) return limit;
  return limit + QStringLiteral(" \u00b7 ") + remark;
}

} // namespace hallwright
