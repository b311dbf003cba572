// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_page.h"

#include <algorithm>
#include <cmath>

#include <QJsonArray>
#include <QLocale>
#include <QRegularExpression>

#include "widgets/plan/plan_model.h"

namespace hallwright {

const std::vector<PaperFormat>& paper_formats() {
  // ISO 216 and ANSI/ASME Y14.1.
  static const std::vector<PaperFormat> list{{QStringLiteral("A4"), 210, 297, QPageSize::A4},
                                             {QStringLiteral("A3"), 297, 420, QPageSize::A3},
                                             {QStringLiteral("A2"), 420, 594, QPageSize::A2},
                                             {QStringLiteral("A1"), 594, 841, QPageSize::A1},
                                             {QStringLiteral("A0"), 841, 1189, QPageSize::A0},
                                             {QStringLiteral("Letter"), 215.9, 279.4, QPageSize::Letter},
                                             {QStringLiteral("ANSI B"), 279.4, 431.8, QPageSize::Tabloid},
                                             {QStringLiteral("ANSI C"), 431.8, 558.8, QPageSize::AnsiC},
                                             {QStringLiteral("ANSI D"), 558.8, 863.6, QPageSize::AnsiD}};
  return list;
}

const PaperFormat* paper_format(const QString& name) {
  const QString wanted = QString(name).remove(QLatin1Char(' ')).toLower();
  for (const PaperFormat& f : paper_formats())
    if (QString(f.name).remove(QLatin1Char(' ')).toLower() == wanted) return &f;
  return nullptr;
}

const std::vector<double>& standard_scales() {
  static const std::vector<double> list{20,  24,  25,  48,  50,  75,  96,  100, 125, 150,
                                        192, 200, 250, 300, 384, 400, 500, 750, 1000};
  return list;
}

QString scale_words(double denominator) {
  QString out = QStringLiteral("1:") + QString::number(denominator, 'g', 6);
  // A foot on the floor over an inch on paper.
  static const std::pair<double, const char*> inches[] = {
      {24, "1/2"}, {48, "1/4"}, {96, "1/8"}, {192, "1/16"}, {384, "1/32"}};
  for (const auto& [d, inch] : inches)
    if (d == denominator) out += QStringLiteral(" (%1 in = 1 ft)").arg(QLatin1String(inch));
  return out;
}

std::optional<double> read_scale(const QString& words) {
  static const QRegularExpression form(
      QStringLiteral("^\\s*(?:1\\s*[:/]\\s*)?(\\d{1,5}(?:[.,]\\d+)?)\\s*(?:\\(.*\\))?\\s*$"));
  const auto match = form.match(words);
  if (!match.hasMatch()) return {};
  bool ok = false;
  const double d = match.captured(1).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&ok);
  if (!ok || d < least_denominator || d > most_denominator) return {};
  return d;
}

QJsonObject PlanPage::json() const {
  QJsonArray gone;
  for (PlanLayer layer : hidden) gone.append(QString::fromLatin1(plan::table_of_layer(layer)));
  return {{QStringLiteral("paper"), paper},
          {QStringLiteral("landscape"), landscape},
          {QStringLiteral("margin"), margin},
          {QStringLiteral("scale"), scale},
          {QStringLiteral("hall"), static_cast<qint64>(hall)},
          {QStringLiteral("overlay"), static_cast<int>(overlay)},
          {QStringLiteral("hidden"), gone},
          {QStringLiteral("underlays"), underlays},
          {QStringLiteral("grid"), grid},
          {QStringLiteral("title_block"), title_block},
          {QStringLiteral("legend"), legend},
          {QStringLiteral("scale_bar"), scale_bar},
          {QStringLiteral("north_arrow"), north_arrow},
          {QStringLiteral("north"), north},
          {QStringLiteral("overlap"), overlap},
          {QStringLiteral("index_sheet"), index_sheet},
          {QStringLiteral("project"), project},
          {QStringLiteral("title"), title},
          {QStringLiteral("author"), author},
          {QStringLiteral("date"), date},
          {QStringLiteral("revision"), revision}};
}

PlanPage PlanPage::from_json(const QJsonObject& o) {
  PlanPage p;
  const auto truth = [&](const char* key, bool& into) { into = o.value(QLatin1String(key)).toBool(into); };
  const auto words = [&](const char* key, QString& into) {
    into = o.value(QLatin1String(key)).toString(into).left(400);
  };
  const auto number = [&](const char* key, double& into, double low, double high) {
    const double v = o.value(QLatin1String(key)).toDouble(into);
    if (std::isfinite(v) && v >= low && v <= high) into = v;
  };
  if (const PaperFormat* f = paper_format(o.value(QLatin1String("paper")).toString())) p.paper = f->name;
  truth("landscape", p.landscape);
  number("margin", p.margin, 0, 50);
  if (const double s = o.value(QLatin1String("scale")).toDouble(0); s >= least_denominator && s <= most_denominator)
    p.scale = s;
  p.hall = static_cast<Id>(o.value(QLatin1String("hall")).toInteger(0));
  // An overlay that this version does not know is none.
  const int overlay = o.value(QLatin1String("overlay")).toInt(0);
  p.overlay = overlay > 0 && overlay < static_cast<int>(Overlay::count_) ? static_cast<Overlay>(overlay) : Overlay::none;
  for (const QJsonValue& v : o.value(QLatin1String("hidden")).toArray())
    for (PlanLayer layer : plan::all_layers)
      if (v.toString() == QLatin1String(plan::table_of_layer(layer))) p.hidden.insert(layer);
  truth("underlays", p.underlays);
  truth("grid", p.grid);
  truth("title_block", p.title_block);
  truth("legend", p.legend);
  truth("scale_bar", p.scale_bar);
  truth("north_arrow", p.north_arrow);
  number("north", p.north, -360, 360);
  number("overlap", p.overlap, 0, 50);
  truth("index_sheet", p.index_sheet);
  words("project", p.project);
  words("title", p.title);
  words("author", p.author);
  words("date", p.date);
  words("revision", p.revision);
  return p;
}

} // namespace hallwright
