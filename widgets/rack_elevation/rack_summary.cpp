// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rack_elevation/rack_summary.h"

#include <QCoreApplication>
#include <QLocale>

#include <fmt/format.h>

#include "design/rack_slots.h"
#include "widgets/figure_text.h"

namespace hallwright {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("RackSummary", text); }

class Lines {
public:
  Lines(const Evaluation& evaluation, Id type) : evaluation_(evaluation), type_(type) {}
  [[nodiscard]] const Figure* find(std::string_view stage, std::string_view name) const {
    return evaluation_.figures.find(fmt::format("{}.rack_type.{}.{}", stage, type_, name));
  }
  /// A value with a word before it ("front 16 U"); left out where there is no such figure.
  void value(RackSummaryLine& line, const Figure* f, const QString& before = {}, std::string_view unit = {}) const {
    if (!f) return;
    QString text = screen_text(*f);
    if (f->has_value() && !unit.empty()) {
      const QString bound = f->completeness == Completeness::lower_bound ? tr("at least ") : QString();
      text = unit == "U" ? bound + QStringLiteral("%1U").arg(screen_number(f->value, 'g', 6))
                         : bound + screen_text(f->value, *f->kind, 3, unit);
    } else if (!f->has_value()) {
      text = tr("not known");
    }
    if (const Figure* limit = evaluation_.figures.at(f->limit);
        limit && limit->has_value() && f->has_value() && f->limit_sense == LimitSense::at_most && unit != "mm")
      text += tr(" of %1").arg(screen_limit(*f, *limit));
    if (f->completeness == Completeness::estimate) text = QStringLiteral("\u2248 ") + text;
    line.over = line.over || f->status == Status::over_limit;
    line.values.emplace_back(before.isEmpty() ? text : before + QLatin1Char(' ') + text, QString::fromStdString(f->id));
  }
  void add(RackSummaryLine line) {
    if (!line.values.empty()) out.push_back(std::move(line));
  }
  std::vector<RackSummaryLine> out;

private:
  const Evaluation& evaluation_;
  Id type_;
};

} // namespace

std::vector<RackSummaryLine> rack_summary(const Evaluation& evaluation, const Design& design, const Catalog& catalog,
                                          Id rack_type, bool numbers_from_top) {
  Lines lines(evaluation, rack_type);
  RackSummaryLine free{tr("Free units"), {}};
  lines.value(free, lines.find("space", "free_front"), tr("front"), "U");
  lines.value(free, lines.find("space", "free_rear"), tr("rear"), "U");
  if (const RackType* type = find(*design.rack_types, rack_type)) {
    const RackSlots places = rack_slots(catalog, *type, *design.rack_items);
    if (const auto [at, length] = places.largest_gap(); length > 0 && places.cabinet) {
      const Count units = places.height() / 2;
      const Count first = numbers_from_top ? units + 1 - (at + length) / 2 : (at + 1) / 2;
      free.values.emplace_back(tr("longest gap %1U from U%2")
                                   .arg(screen_number(static_cast<double>(length) / 2.0, 'g', 6))
                                   .arg(std::max<Count>(1, first)),
                               QString());
    }
  }
  lines.add(std::move(free));
  RackSummaryLine mass{tr("Mass"), {}};
  lines.value(mass, lines.find("space", "mass"));
  lines.value(mass, lines.find("space", "content_mass"), tr("content"));
  lines.add(std::move(mass));
  RackSummaryLine gravity{tr("Centre of gravity"), {}};
  lines.value(gravity, lines.find("space", "centre_of_gravity_height"), tr("height"), "mm");
  lines.value(gravity, lines.find("space", "centre_of_gravity_depth"), tr("from the front"), "mm");
  lines.add(std::move(gravity));
  RackSummaryLine power{tr("Power"), {}};
  lines.value(power, lines.find("load", "power"));
  lines.add(std::move(power));
  RackSummaryLine heat{tr("Heat"), {}};
  lines.value(heat, lines.find("load", "heat_to_air"), tr("air"));
  lines.value(heat, lines.find("load", "heat_to_liquid"), tr("liquid"));
  lines.add(std::move(heat));
  RackSummaryLine ports{tr("Ports"), {}};
  const std::pair<const char*, QString> networks[] = {{"ports.compute", tr("compute")},
                                                      {"ports.storage", tr("storage")},
                                                      {"ports.in_band", tr("in-band")},
                                                      {"ports.out_of_band", tr("out-of-band")}};
  for (const auto& [name, word] : networks)
    lines.value(ports, lines.find("space", name), word);
  lines.add(std::move(ports));
  RackSummaryLine switches{tr("Switch ports"), {}};
  const std::pair<const char*, QString> kinds[] = {
      {"infiniband", tr("InfiniBand")}, {"ethernet", tr("Ethernet")}, {"nvlink", tr("NVLink")}};
  for (const auto& [name, word] : kinds)
    lines.value(switches, lines.find("space", fmt::format("switch_ports.{}", name)), word);
  lines.add(std::move(switches));
  return std::move(lines.out);
}

} // namespace hallwright
