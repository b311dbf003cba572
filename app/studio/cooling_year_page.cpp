// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/cooling_year_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/subject_workspace.h"
#include "cooling/climate_figures.h"
#include "design/access.h"
#include "project/durable_file.h"
#include "project/weather_file.h"
#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/loop_schematic/year_chart.h"
#include "widgets/theme.h"
#include "widgets/training/figure_tiles.h"

namespace hallwright {
namespace {

constexpr std::array<double, 5> supply_steps_c{25, 30, 35, 40, 45};
enum SupplyColumn { supply_column, free_column, partial_column, chiller_column, warm_column, energy_column, water_column, pue_column, cost_column, supply_columns };

const Figure* known(const Evaluation& e, const char* id) {
  const Figure* f = e.figures.find(id);
  return f && f->has_value() ? f : nullptr;
}
QString hours_text(double hours) { return QStringLiteral("%1 h").arg(screen_number(static_cast<qint64>(std::llround(hours)))); }
/// Watts of the facility per watt of heat rejection: the chain is straight in it. By the two outdoor states that are farthest apart.
double facility_per_watt(const Evaluation& e, const YearStudy& study) {
  const Table* year = e.figures.table("power.year");
  const TableColumn* facility = year ? year->column("facility_power") : nullptr;
  if (!facility || facility->numbers.size() != study.states.size() || study.states.empty()) return 1.0;
  const auto [least, most] = std::minmax_element(study.states.begin(), study.states.end(),
                                                 [](const YearState& a, const YearState& b) { return a.rejection_w < b.rejection_w; });
  const double apart = most->rejection_w - least->rejection_w;
  const auto at = [&](auto state) { return facility->numbers[static_cast<std::size_t>(state - study.states.begin())]; };
  return apart > 0.0 ? (at(most) - at(least)) / apart : 1.0;
}
QString told_reason(const std::string& reason) {
  QString out = QString::fromStdString(reason);
  if (!out.isEmpty()) out[0] = out[0].toUpper();
  return screen_sentence(out);
}

} // namespace

CoolingYearPage::CoolingYearPage(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("cooling_year"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  auto* bar = new QWidget(this);
  bar->setObjectName(QStringLiteral("clear"));
  auto* flow = new FlowLayout(bar);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->setSpacing(2 * spacing_unit);
  auto* pair = new QWidget(bar);
  auto* line = new QHBoxLayout(pair);
  line->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(tr("Climate of the site"), pair);
  label->setObjectName(QStringLiteral("secondary"));
  climate_ = new QComboBox(pair);
  climate_->setObjectName(QStringLiteral("cooling_climate"));
  climate_->setAccessibleName(tr("Typical year of the site"));
  climate_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  label->setBuddy(climate_);
  line->addWidget(label);
  line->addWidget(climate_);
  flow->addWidget(pair);
  import_ = new QPushButton(tr("Import a &weather file\u2026"), bar);
  import_->setObjectName(QStringLiteral("cooling_import_weather"));
  import_->setToolTip(tr("A year of EPW or CSV: its hours become the climate of this design"));
  flow->addWidget(import_);
  drop_ = new QPushButton(tr("&Remove the imported climate"), bar);
  drop_->setObjectName(QStringLiteral("cooling_drop_weather"));
  flow->addWidget(drop_);
  column->addWidget(bar);

  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("cooling_year_words"));
  words_->setWordWrap(true);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(words_);
  tiles_ = new FigureTiles(this);
  tiles_->setObjectName(QStringLiteral("cooling_year_tiles"));
  column->addWidget(tiles_);

  chart_ = new loops::YearChart(this);
  chart_->setObjectName(QStringLiteral("cooling_year_chart"));
  chart_->setAccessibleName(tr("Hours of the year by outdoor air"));
  QWidget* card = make_card(tr("Hours of the year by outdoor air"), chart_, this);
  card->setMinimumHeight(fontMetrics().height() * 11);
  column->addWidget(card, 1);

  auto* body = new QWidget(this);
  body->setObjectName(QStringLiteral("clear"));
  auto* body_column = new QVBoxLayout(body);
  body_column->setContentsMargins(0, 0, 0, 0);
  supplies_ = new QTableWidget(0, supply_columns, body);
  supplies_->setObjectName(QStringLiteral("cooling_supplies"));
  supplies_->setAccessibleName(tr("Supply temperatures compared"));
  supplies_->setHorizontalHeaderLabels({tr("Coolant supply"), tr("Free cooling"), tr("Partial"), tr("Chillers"), tr("Too warm"), tr("Cooling energy"),
                                        tr("Water"), tr("PUE of the year"), tr("Energy cost a year")});
  supplies_->verticalHeader()->hide();
  supplies_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  supplies_->setShowGrid(false);
  supplies_->setWordWrap(false);
  supplies_->setSelectionBehavior(QAbstractItemView::SelectRows);
  supplies_->setSelectionMode(QAbstractItemView::SingleSelection);
  supplies_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  supplies_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  supplies_->horizontalHeader()->setHighlightSections(false);
  for (int c = 0; c < supply_columns; ++c) supplies_->horizontalHeaderItem(c)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  body_column->addWidget(supplies_);
  use_ = new QPushButton(tr("&Supply coolant at the chosen temperature"), body);
  use_->setObjectName(QStringLiteral("cooling_use_supply"));
  auto* below = new QHBoxLayout;
  below->addWidget(use_);
  below->addStretch(1);
  body_column->addLayout(below);
  supplies_card_ = make_card(tr("What the supply temperature costs: hours of the water of racks, the rest with air handlers as they are"), body, this);
  column->addWidget(supplies_card_);

  connect(climate_, &QComboBox::activated, this, [this](int i) {
    if (i > static_cast<int>(climates_.size())) return; // what stands there already: imported, or not in the catalog
    const std::string part = i > 0 && i <= static_cast<int>(climates_.size()) ? climates_[static_cast<std::size_t>(i - 1)] : std::string();
    if (part == document_.design().site->climate_part && document_.design().climate_bins->empty()) return;
    Edit edit;
    edit.label = part.empty() ? "No climate" : "Climate " + climate_->itemText(i).toStdString();
    edit.apply = [part](const Design& design) -> Edited {
      // Rows of a weather file would go on standing for the climate.
      const Design without = design.climate_bins->empty() ? design : with_table(design, &Design::climate_bins, [](auto& rows, Id&) { rows.clear(); });
      return set_field(without, {"site", 0}, "climate_part", part);
    };
    Q_EMIT editRequested(edit);
  });
  connect(import_, &QPushButton::clicked, this, [this] { importWeather(); });
  connect(drop_, &QPushButton::clicked, this, [this] {
    Edit edit;
    edit.label = "Remove the imported climate";
    edit.apply = [](const Design& design) -> Edited { return with_table(design, &Design::climate_bins, [](auto& rows, Id&) { rows.clear(); }); };
    Q_EMIT editRequested(edit);
  });
  connect(tiles_, &FigureTiles::figureActivated, this, &CoolingYearPage::figureActivated);
  connect(use_, &QPushButton::clicked, this, &CoolingYearPage::use_supply);
  connect(supplies_, &QTableWidget::itemSelectionChanged, this, &CoolingYearPage::update_use);
}

QString CoolingYearPage::words() const { return words_->text(); }

void CoolingYearPage::importWeather() {
  const QString folder = QSettings().value(QStringLiteral("weather/folder")).toString();
  const QString path = QFileDialog::getOpenFileName(window(), tr("Import a weather file"), folder, tr("Weather of a year (*.epw *.csv *.tsv *.txt);;All files (*)"));
  if (path.isEmpty()) return;
  QSettings().setValue(QStringLiteral("weather/folder"), QFileInfo(path).absolutePath());
  importWeather(path);
}

void CoolingYearPage::importWeather(const QString& path) {
  const auto text = read_whole_file(path.toStdString());
  if (!text) {
    refuse_weather(tr("%1 cannot be read: %2").arg(path, QString::fromStdString(text.error())), {});
    return;
  }
  const auto year = read_weather(*text);
  if (!year) {
    // The first wrong line says what is wrong; further ones are often the same.
    const QStringList lines = QString::fromStdString(year.error()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    refuse_weather(tr("%1: %2").arg(QFileInfo(path).fileName(), screen_sentence(lines.value(0))), lines);
    return;
  }
  Q_EMIT editRequested(weather_edit(*year));
  QStringList said{QString::fromStdString(year->summary())};
  for (const std::string& n : year->notes) said << QString::fromStdString(n);
  Q_EMIT told(tr("%1: %2").arg(QFileInfo(path).fileName(), screen_sentence(said.join(QStringLiteral("; ")))), false);
}

/// Nothing was taken over: that is told where nobody misses it, with the row and the reason.
void CoolingYearPage::refuse_weather(const QString& why, const QStringList& lines) {
  Q_EMIT told(why, true);
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Weather file not imported"), why, QMessageBox::Ok, window());
  box->setObjectName(QStringLiteral("weather_refused"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  box->setInformativeText(tr("The climate of the design is as it was."));
  if (lines.size() > 1) box->setDetailedText(screen_sentence(lines.join(QLatin1Char('\n'))));
  box->open();
}

void CoolingYearPage::refresh() {
  if (!document_.evaluation()) return;
  fill_climates();
  fill_tiles();
  fill_chart();
  fill_supplies();
}

void CoolingYearPage::fill_climates() {
  const Evaluation& e = *document_.evaluation();
  const Design& design = document_.shown(); // what was chosen a moment ago stays chosen
  const Site& site = *design.site;
  const bool rows = !design.climate_bins->empty();
  QStringList names{tr("none")}, present;
  climates_.clear();
  for (const ClimatePart& p : e.catalog->climates) {
    climates_.push_back(p.id);
    names << QString::fromStdString(p.name);
  }
  int at = site.climate_part.empty() ? 0 : -1;
  for (std::size_t i = 0; i < climates_.size(); ++i)
    if (climates_[i] == site.climate_part) at = static_cast<int>(i) + 1;
  if (rows) {
    names << tr("imported weather");
    at = static_cast<int>(names.size()) - 1;
  } else if (at < 0) {
    names << tr("%1 (not in the catalog)").arg(QString::fromStdString(site.climate_part));
    at = static_cast<int>(names.size()) - 1;
  }
  for (int i = 0; i < climate_->count(); ++i) present << climate_->itemText(i);
  if (names != present) {
    climate_->clear();
    climate_->addItems(names);
  }
  climate_->setCurrentIndex(at);
  drop_->setVisible(rows);
  const Figure* energy = e.figures.find("cooling.energy_per_year");
  QString words;
  if (energy && !energy->has_value()) {
    words = told_reason(energy->reason) + QLatin1Char('.');
  } else if (e.cooling && e.cooling->year.study) {
    const YearStudy& s = *e.cooling->year.study;
    QStringList asked;
    for (const HeatStream& h : s.streams)
      asked << tr("%1 %2").arg(QString::fromStdString(h.name), screen_text(h.supply_c + 273.15, kind::temperature, 3, "degC"));
    words = tr("Warmest water that serves: %1. Coolers bring water to %2 over the %3. An estimate, at the counted load throughout.")
                .arg(asked.join(QStringLiteral(", ")), screen_text(s.plant.approach_k, kind::temperature_difference),
                     s.plant.kind == HeatRejection::cooling_tower ? tr("wet bulb") : tr("dry bulb"));
  }
  words_->setText(words);
  words_->setVisible(!words.isEmpty());
}

void CoolingYearPage::fill_tiles() {
  const Evaluation& e = *document_.evaluation();
  std::vector<FigureTile> tiles;
  const auto tile = [&](const QString& title, const char* id, std::string_view unit = {}, const QString& remark = {}, int significant = 3) {
    const Figure* f = e.figures.find(id);
    FigureTile t{title, QStringLiteral("\u2013"), remark, f ? figure_tooltip(*f) : QString(), f ? QLatin1String(id) : QString()};
    if (f && f->has_value())
      t.value = (f->completeness == Completeness::lower_bound ? QStringLiteral("\u2265 ") : f->completeness == Completeness::estimate ? QStringLiteral("\u2248 ") : QString()) +
                (unit == "h" ? hours_text(f->value / 3600.0) : screen_text(f->value, *f->kind, significant, unit));
    else t.remark = f && f->completeness == Completeness::not_applicable ? tr("not applicable") : tr("not known");
    tiles.push_back(std::move(t));
  };
  const auto share = [&](const char* id) {
    const Figure *f = known(e, id), *all = known(e, "cooling.climate_hours");
    return f && all && all->value > 0.0 ? tr("%1 of the year").arg(screen_text(f->value / all->value, kind::percent)) : QString();
  };
  tile(tr("Free cooling"), "cooling.free_cooling_hours", "h", share("cooling.free_cooling_hours"), 4);
  if (e.design.cooling_plant->chillers == ChillerUse::none) {
    tile(tr("Water too warm"), "cooling.short_hours", "h",
         known(e, "cooling.short_by") ? tr("by up to %1").arg(screen_text(known(e, "cooling.short_by")->value, kind::temperature_difference)) : QString(), 4);
  } else {
    tile(tr("Partial free cooling"), "cooling.partial_free_cooling_hours", "h", share("cooling.partial_free_cooling_hours"), 4);
    tile(tr("Chillers alone"), "cooling.chiller_hours", "h", share("cooling.chiller_hours"), 4);
  }
  tile(tr("Cooling energy a year"), "cooling.energy_per_year");
  tile(tr("PUE of the year"), "power.annual_pue", {},
       known(e, "power.pue") ? tr("at the design point, %1: %2")
                                   .arg(screen_text(e.design.site->outdoor_design_temperature.kelvin(), kind::temperature), screen_text(known(e, "power.pue")->value, kind::ratio, 4))
                             : QString(),
       4);
  tile(tr("Water a year"), "cooling.water_per_year");
  tile(tr("WUE"), "cooling.water_usage_effectiveness");
  tile(tr("Heat for reuse"), "cooling.reuse_temperature", "degC", tr("facility water back"));
  tiles_->setTiles(tiles);
  const Figure* energy = e.figures.find("cooling.energy_per_year");
  tiles_->setVisible(energy && energy->completeness != Completeness::not_applicable);
}

void CoolingYearPage::fill_chart() {
  const Evaluation& e = *document_.evaluation();
  const std::shared_ptr<const YearStudy> study = e.cooling ? e.cooling->year.study : nullptr;
  if (!study) {
    chart_->clear();
    chart_->setEmptyText(tr("Choose the climate of the site above, or import a weather file: the hours of the year stand here by how they are cooled."));
    return;
  }
  const Theme& t = theme();
  const bool chillers = study->plant.chillers == ChillerUse::where_needed;
  std::vector<loops::YearLayer> layers{{tr("free cooling"), kind_color(2)}};
  if (chillers) {
    layers.push_back({tr("partial free cooling"), kind_color(1)});
    layers.push_back({tr("chillers"), kind_color(0)});
  } else {
    layers.push_back({tr("water too warm"), t.red});
  }
  const Table* pues = e.figures.table("power.year");
  const TableColumn* pue = pues ? pues->column("pue") : nullptr;
  struct Sum {
    std::vector<double> hours;
    double pue = 0.0, all = 0.0;
  };
  std::map<int, Sum> sums;
  for (std::size_t i = 0; i < study->states.size(); ++i) {
    const YearState& s = study->states[i];
    Sum& sum = sums[static_cast<int>(std::lround(s.dry_c))];
    sum.hours.resize(layers.size());
    const std::size_t layer = s.mode == YearMode::free ? 0 : s.mode == YearMode::chiller ? 2 : 1;
    sum.hours[std::min(layer, layers.size() - 1)] += s.hours;
    sum.all += s.hours;
    if (pue && i < pue->numbers.size()) sum.pue += s.hours * pue->numbers[i];
  }
  std::vector<loops::YearColumn> columns;
  for (auto& [dry, sum] : sums) columns.push_back({dry, std::move(sum.hours), pue && sum.all > 0.0 ? sum.pue / sum.all : std::nan("")});
  chart_->setYear(std::move(layers), std::move(columns));
}

void CoolingYearPage::fill_supplies() {
  const Evaluation& e = *document_.evaluation();
  const std::shared_ptr<const YearStudy> study = e.cooling ? e.cooling->year.study : nullptr;
  const int chosen = supplies_->currentRow();
  const bool liquid = study && std::any_of(study->streams.begin(), study->streams.end(), [](const HeatStream& s) { return !s.air; });
  supplies_c_.clear();
  supplies_card_->setVisible(liquid);
  if (!liquid) {
    supplies_->setRowCount(0);
    update_use();
    return;
  }
  supplies_c_.assign(supply_steps_c.begin(), supply_steps_c.end());
  const double now = e.design.cooling_plant->supply_temperature.celsius();
  if (std::none_of(supplies_c_.begin(), supplies_c_.end(), [&](double c) { return std::abs(c - now) < 0.05; })) {
    supplies_c_.push_back(now);
    std::sort(supplies_c_.begin(), supplies_c_.end());
  }
  const Figure *facility = known(e, "power.facility_mean"), *it = known(e, "power.it"), *energy = known(e, "cooling.energy_per_year"),
               *cost = known(e, "budget.annual_energy_cost");
  const double per_watt = facility_per_watt(e, *study);
  const bool chillers = study->plant.chillers == ChillerUse::where_needed;
  supplies_->setColumnHidden(partial_column, !chillers);
  supplies_->setColumnHidden(chiller_column, !chillers);
  supplies_->setColumnHidden(warm_column, chillers);
  supplies_->setRowCount(static_cast<int>(supplies_c_.size()));
  for (std::size_t i = 0; i < supplies_c_.size(); ++i) {
    const YearStudy year = with_coolant_supply(*study, supplies_c_[i]);
    const double more_w = year.totals.mean_rejection_w - study->totals.mean_rejection_w;
    const double facility_w = facility ? facility->value + more_w * per_watt : std::nan("");
    const QString none = QStringLiteral("\u2013");
    QStringList cells;
    for (int c = 0; c < supply_columns; ++c) cells << QString();
    cells[supply_column] = screen_text(supplies_c_[i] + 273.15, kind::temperature, 3, "degC");
    // Hours are those of the racks' water alone: that of air handlers stays as it is.
    const YearTotals* racks = nullptr;
    for (std::size_t k = 0; k < year.streams.size(); ++k)
      if (!year.streams[k].air && (!racks || year.of_streams[k].free_h < racks->free_h)) racks = &year.of_streams[k];
    cells[free_column] = hours_text(racks->free_h);
    cells[partial_column] = hours_text(racks->partial_h);
    cells[chiller_column] = hours_text(racks->chiller_h);
    cells[warm_column] = racks->short_h > 0.0 ? tr("%1, by %2").arg(hours_text(racks->short_h), screen_text(racks->worst_short_k, kind::temperature_difference))
                                              : hours_text(0.0);
    cells[energy_column] = energy ? screen_text(energy->value + more_w * study->totals.hours * 3600.0, kind::energy) : none;
    cells[water_column] = screen_text(year.totals.water_m3, kind::volume);
    cells[pue_column] = std::isfinite(facility_w) && it && it->value > 0.0 ? screen_number(facility_w / it->value, 'f', 3) : none;
    cells[cost_column] = std::isfinite(facility_w) && cost && facility->value > 0.0 ? screen_text(cost->value * facility_w / facility->value, kind::money) : none;
    const bool present = std::abs(supplies_c_[i] - now) < 0.05;
    for (int c = 0; c < supply_columns; ++c) {
      auto* item = new QTableWidgetItem(cells[c]);
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      if (present) {
        QFont bold = supplies_->font();
        bold.setBold(true);
        item->setFont(bold);
        item->setToolTip(tr("The supply temperature of this design"));
      }
      supplies_->setItem(static_cast<int>(i), c, item);
    }
  }
  supplies_->setFixedHeight(supplies_->horizontalHeader()->sizeHint().height() + supplies_->rowCount() * supplies_->verticalHeader()->defaultSectionSize() +
                            2 * supplies_->frameWidth());
  if (chosen >= 0 && chosen < supplies_->rowCount()) supplies_->selectRow(chosen);
  update_use();
}

void CoolingYearPage::update_use() {
  const int row = supplies_->currentRow();
  const bool any = row >= 0 && row < static_cast<int>(supplies_c_.size());
  const double now = document_.shown().cooling_plant->supply_temperature.celsius();
  use_->setEnabled(any && std::abs(supplies_c_[static_cast<std::size_t>(row)] - now) >= 0.05);
}

void CoolingYearPage::use_supply() {
  const int row = supplies_->currentRow();
  if (row < 0 || row >= static_cast<int>(supplies_c_.size())) return;
  const double kelvin = supplies_c_[static_cast<std::size_t>(row)] + 273.15;
  Edit edit;
  edit.label = tr("Supply coolant at %1").arg(screen_text(kelvin, kind::temperature, 3, "degC")).toStdString();
  edit.apply = [kelvin](const Design& design) -> Edited {
    auto next = set_field(design, {"cooling_plant", 0}, "supply_temperature", kelvin);
    // Loops with a temperature of their own go along: the table compares the coolant of all racks.
    for (const CoolantLoop& l : *design.loops)
      if (next && l.supply_temperature) next = set_field(*next, {"loops", l.id}, "supply_temperature", FieldValue{});
    return next;
  };
  Q_EMIT editRequested(edit);
}

} // namespace hallwright
