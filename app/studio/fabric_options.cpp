// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fabric_options.h"

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "widgets/fabric/fabric_legend.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

enum ChoiceRow {
  buttons_row,
  topology_row,
  tiers_row,
  rails_row,
  planes_row,
  switch_row,
  taper_row,
  medium_row,
  choice_rows
};

/// What follows from an option, a row each. `figure` holds %1 for the network's id.
struct ResultRow {
  const char* name;
  const char* figure;
  bool more_is_better = false;
};
constexpr std::array<ResultRow, 8> results{
    {{QT_TRANSLATE_NOOP("FabricOptions", "Switches"), "fabric.network.%1.switches"},
     {QT_TRANSLATE_NOOP("FabricOptions", "Cables"), "cabling.network.%1.cables"},
     {QT_TRANSLATE_NOOP("FabricOptions", "Modules"), "cabling.network.%1.modules"},
     {QT_TRANSLATE_NOOP("FabricOptions", "Power of switches"), "fabric.network.%1.switch_power"},
     {QT_TRANSLATE_NOOP("FabricOptions", "Power of modules"), "cabling.network.%1.optics_power"},
     {QT_TRANSLATE_NOOP("FabricOptions", "Cost of all fabric parts"), "cabling.parts_cost"},
     {QT_TRANSLATE_NOOP("FabricOptions", "Step time"), "training.step_time"},
     {QT_TRANSLATE_NOOP("FabricOptions", "Total cost"), "budget.total"}}};
constexpr int injection_row = choice_rows + static_cast<int>(results.size()), bisection_row = injection_row + 1,
              operations_row = injection_row + 2, row_count = injection_row + 3;
constexpr int first_column = 1; ///< as designed; the names of rows stand before it

template <class E>
QString word(E value) {
  return to_qstring(ChoiceWords<E>::words[static_cast<std::size_t>(value)]);
}

QString taper_text(double taper) { return screen_number(taper, 'g', 3) + QStringLiteral(":1"); }

QString operations_text(const std::string& kind) {
  if (kind == "infiniband")
    return FabricOptions::tr(
        "InfiniBand: a subnet manager and its standby on reserved ports hand out addresses and routes. Lossless by "
        "credits, nothing to tune. "
        "Adaptive routing and in-network reduction come from the same vendor. Watched with ibdiagnet or UFM.");
  if (kind == "ethernet")
    return FabricOptions::tr(
        "Ethernet: addresses and routing (BGP) on every switch. Lossless classes by PFC and ECN are to be tuned and "
        "watched, with headroom by cable "
        "length. Adaptive routing or spraying depends on switch and adapter. Several vendors; neighbours by LLDP.");
  if (kind == "nvlink") return FabricOptions::tr("NVLink: inside the rack, managed with its nodes.");
  return FabricOptions::tr("The catalog does not say whether this switch is InfiniBand or Ethernet.");
}

} // namespace

FabricChoices choices_of(const Network& n) {
  return {n.topology,
          n.tiers,
          n.rails,
          n.planes,
          n.switch_part,
          n.oversubscription,
          n.node_medium == n.uplink_medium ? n.node_medium : LinkMedium::automatic};
}

Edited with_choices(const Design& design, Id network, const FabricChoices& c) {
  const Network* present = find(*design.networks, network);
  if (!present) return tl::make_unexpected(std::string("The network is gone."));
  const FabricChoices before = choices_of(*present);
  return with_table(design, &Design::networks, [&](std::vector<Network>& rows, Id&) {
    for (Network& n : rows) {
      if (n.id != network) continue;
      n.topology = c.topology;
      n.tiers = c.tiers;
      n.rails = c.rails;
      n.planes = c.planes;
      n.oversubscription = c.oversubscription;
      if (c.oversubscription != before.oversubscription) n.leaf_down.reset(), n.leaf_up.reset();
      if (c.medium != before.medium) n.node_medium = n.uplink_medium = c.medium;
      if (c.switch_part != before.switch_part) {
        n.switch_part = c.switch_part;
        n.radix.reset();
        n.spine_switch_part.clear(), n.core_switch_part.clear();
        n.leaf_down.reset(), n.leaf_up.reset();
      }
      if (c.switch_part != before.switch_part || c.medium != before.medium) {
        n.node_optic_part.clear(), n.leaf_optic_part.clear(), n.spine_optic_part.clear();
        n.node_cable_part.clear(), n.spine_cable_part.clear();
      }
    }
  });
}

QString choices_name(const FabricChoices& c, const FabricChoices& base, const Catalog* catalog) {
  QStringList words;
  const auto tr = [](const char* text) { return FabricOptions::tr(text); };
  if (c.topology != base.topology) words << word(c.topology);
  if (c.tiers != base.tiers)
    words << (c.tiers == Tiers::automatic ? tr("fewest tiers") : tr("%1 tiers").arg(word(c.tiers)));
  if (c.rails != base.rails) words << (c.rails ? tr("rails") : tr("no rails"));
  if (c.planes != base.planes) words << (c.planes == 1 ? tr("one plane") : tr("%1 planes").arg(c.planes));
  if (c.oversubscription != base.oversubscription) words << taper_text(c.oversubscription);
  if (c.switch_part != base.switch_part) {
    const SwitchPart* part = catalog ? catalog->find<SwitchPart>(c.switch_part) : nullptr;
    words << QString::fromStdString(part ? part->name : c.switch_part);
  }
  if (c.medium != base.medium) words << word(c.medium);
  QString name = words.join(QStringLiteral(", "));
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return name;
}

FabricOptions::FabricOptions(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("fabric_options"));
  pool_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  auto* row = new QHBoxLayout;
  add_button_ = new QToolButton(this);
  add_button_->setObjectName(QStringLiteral("option_add"));
  add_button_->setText(tr("Add an option"));
  add_button_->setIcon(icon(QStringLiteral("plus")));
  add_button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  add_button_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(add_button_);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fill_menu(menu); });
  add_button_->setMenu(menu);
  note_ = new QLabel(tr("Each column is the network with other choices, worked out with everything that depends on it. "
                        "The best of a row is shaded; what differs from the design is bold."),
                     this);
  note_->setObjectName(QStringLiteral("secondary"));
  note_->setWordWrap(true);
  row->addWidget(add_button_);
  row->addWidget(note_, 1);
  column->addLayout(row);
  table_ = new QTableWidget(row_count, 2, this);
  table_->setObjectName(QStringLiteral("options_table"));
  table_->setAccessibleName(tr("Options side by side"));
  table_->verticalHeader()->hide();
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  column->addWidget(table_, 1);
  auto* option = new QAction(icon(QStringLiteral("plus")), tr("Add a fabric o&ption"), this);
  connect(option, &QAction::triggered, this, [this] {
    if (const Network* n = network()) {
      FabricChoices c = choices_of(*n);
      c.planes = c.planes == 1 ? 2 : 1;
      add(c);
    }
  });
  auto* use_it = new QAction(tr("&Use the selected option"), this);
  connect(use_it, &QAction::triggered, this, [this] { use(table_->currentColumn() - first_column - 1); });
  auto* drop = new QAction(tr("Leave the selected option out"), this);
  connect(drop, &QAction::triggered, this, [this] { take_out(table_->currentColumn() - first_column - 1); });
  commands_ = {option, use_it, drop};
}

FabricOptions::~FabricOptions() {
  stop_.request_stop();
  pool_.waitForDone();
}

const Network* FabricOptions::network() const { return hallwright::find(*document_.design().networks, network_); }

int FabricOptions::optionCount() const {
  const auto at = options_.find(network_);
  return at == options_.end() ? 0 : static_cast<int>(at->second.size());
}

void FabricOptions::setNetwork(Id network) {
  if (network == network_) return;
  network_ = network;
  began_ = false;
  base_ = {};
  evaluated_for_.reset();
  rebuild();
  if (active_) refresh();
}

void FabricOptions::setActive(bool active) {
  active_ = active;
  if (active) refresh();
}

void FabricOptions::refresh() {
  if (!active_ || !document_.evaluation()) return;
  const Network* n = network();
  if (!n) return;
  if (!began_) {
    began_ = true;
    // Something to look at: what an architect asks first.
    if (options().empty()) {
      FabricChoices c = choices_of(*n);
      if (c.topology == Topology::fat_tree) {
        FabricChoices rails = c;
        rails.rails = !rails.rails;
        options().push_back({rails, {}});
      }
      FabricChoices taper = c;
      taper.oversubscription = c.oversubscription == 1.0 ? 2.0 : 1.0;
      options().push_back({taper, {}});
      FabricChoices planes = c;
      planes.planes = c.planes == 1 ? 2 : 1;
      options().push_back({planes, {}});
    }
    rebuild();
  }
  if (shown_base_ != choices_of(*n)) rebuild();
  if (evaluated_for_ != document_.evaluation()) {
    base_ = {};
    for (Option& o : options())
      o.answer = {};
    evaluate();
  }
}

void FabricOptions::add(const FabricChoices& choices) {
  constexpr std::size_t most = 8;
  if (!network()) return;
  if (options().size() >= most) {
    Q_EMIT told(tr("%1 options are the most; leave one out first.").arg(most), true);
    return;
  }
  options().push_back({choices, {}});
  began_ = true;
  rebuild();
  evaluate();
}

void FabricOptions::fill_menu(QMenu* menu) {
  menu->clear();
  const Network* n = network();
  if (!n || !document_.evaluation()) return;
  const Catalog* catalog = document_.evaluation()->catalog.get();
  const FabricChoices base = choices_of(*n);
  const auto offer = [&](const FabricChoices& c) {
    const QString name = choices_name(c, base, catalog);
    if (!name.isEmpty()) menu->addAction(name, this, [this, c] { add(c); });
  };
  for (const Topology t : {Topology::fat_tree, Topology::rail_only, Topology::dragonfly}) {
    FabricChoices c = base;
    c.topology = t;
    offer(c);
  }
  menu->addSeparator();
  for (const Tiers t : {Tiers::two, Tiers::three}) {
    FabricChoices c = base;
    c.tiers = t;
    offer(c);
  }
  FabricChoices rails = base;
  rails.rails = !base.rails;
  offer(rails);
  for (const Count p : {1, 2, 4, 8}) {
    FabricChoices c = base;
    c.planes = p;
    offer(c);
  }
  menu->addSeparator();
  for (const double t : {1.0, 2.0, 3.0}) {
    FabricChoices c = base;
    c.oversubscription = t;
    offer(c);
  }
  menu->addSeparator();
  for (const LinkMedium m :
       {LinkMedium::automatic, LinkMedium::multimode, LinkMedium::single_mode, LinkMedium::active_optical}) {
    FabricChoices c = base;
    c.medium = m;
    offer(c);
  }
  for (const char* kind : {"infiniband", "ethernet"}) {
    auto* parts = menu->addMenu(QLatin1String(kind) == QLatin1String("infiniband") ? tr("InfiniBand switch")
                                                                                   : tr("Ethernet switch"));
    for (const PartSummary& s : part_summaries(*catalog, "switch")) {
      const SwitchPart* part = catalog->find<SwitchPart>(s.id);
      if (!part || part->network_kind != kind || s.id == base.switch_part) continue;
      FabricChoices c = base;
      c.switch_part = s.id;
      parts->addAction(QString::fromStdString(part->name), this, [this, c] { add(c); });
    }
  }
}

void FabricOptions::rebuild() {
  const Network* n = network();
  const int columns = first_column + 1 + optionCount();
  table_->clear();
  table_->setRowCount(row_count);
  table_->setColumnCount(columns);
  if (!n) return;
  const SharedEvaluation& e = document_.evaluation();
  const Catalog* catalog = e ? e->catalog.get() : nullptr;
  const FabricChoices base = choices_of(*n);
  shown_base_ = base;
  QStringList header{QString(), tr("As designed")};
  for (int i = 0; i < optionCount(); ++i) {
    const QString name = choices_name(options()[static_cast<std::size_t>(i)].choices, base, catalog);
    header << (name.isEmpty() ? tr("As designed") : name);
  }
  table_->setHorizontalHeaderLabels(header);
  const std::array<QString, choice_rows> names{
      QString(),    tr("Topology"),         tr("Tiers"), tr("Rails"), tr("Planes"),
      tr("Switch"), tr("Oversubscription"), tr("Medium")};
  const auto put = [&](int row, int column, const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setToolTip(text);
    table_->setItem(row, column, item);
    return item;
  };
  for (int r = 0; r < choice_rows; ++r)
    put(r, 0, names[static_cast<std::size_t>(r)]);
  for (std::size_t r = 0; r < results.size(); ++r)
    put(choice_rows + static_cast<int>(r), 0, tr(results[r].name));
  put(injection_row, 0, tr("Least injection left, one switch out"));
  put(bisection_row, 0, tr("Least bisection left, one switch out (estimate)"));
  put(operations_row, 0, tr("What it asks of operations"));
  const auto part_name = [&](const std::string& id) {
    const SwitchPart* part = catalog ? catalog->find<SwitchPart>(id) : nullptr;
    return QString::fromStdString(part ? part->name : id);
  };
  put(topology_row, first_column, word(base.topology));
  put(tiers_row, first_column, word(base.tiers));
  put(rails_row, first_column, base.rails ? tr("yes") : tr("no"));
  put(planes_row, first_column, QString::number(base.planes));
  put(switch_row, first_column, part_name(base.switch_part));
  put(taper_row, first_column, taper_text(base.oversubscription));
  put(medium_row, first_column, word(base.medium));
  for (int i = 0; i < optionCount(); ++i) {
    const int column = first_column + 1 + i;
    const FabricChoices& c = options()[static_cast<std::size_t>(i)].choices;
    auto* pair = new QWidget(table_);
    auto* line = new QHBoxLayout(pair);
    line->setContentsMargins(2, 2, 2, 2);
    auto* use_button = new QPushButton(tr("Use this"), pair);
    use_button->setObjectName(QStringLiteral("option_use_%1").arg(i));
    auto* out_button = new QToolButton(pair);
    out_button->setIcon(icon(QStringLiteral("delete")));
    out_button->setObjectName(QStringLiteral("option_out_%1").arg(i));
    out_button->setToolTip(tr("Leave this option out"));
    out_button->setAccessibleName(tr("Leave option %1 out").arg(i + 1));
    line->addWidget(use_button, 1);
    line->addWidget(out_button);
    // Queued: the button goes with the table that is made anew.
    connect(
        use_button, &QPushButton::clicked, this, [this, i] { use(i); }, Qt::QueuedConnection);
    connect(
        out_button, &QToolButton::clicked, this, [this, i] { take_out(i); }, Qt::QueuedConnection);
    table_->setCellWidget(buttons_row, column, pair);
    // A choice per row; what is chosen changes this option only.
    const auto chooser = [&](int row, const QStringList& texts, int current, auto change) {
      auto* box = new QComboBox(table_);
      box->setObjectName(QStringLiteral("option_%1_%2").arg(i).arg(row));
      box->setAccessibleName(tr("%1 of option %2").arg(names[static_cast<std::size_t>(row)]).arg(i + 1));
      box->addItems(texts);
      box->setCurrentIndex(current);
      box->setMaxVisibleItems(24);
      box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
      connect(box, &QComboBox::activated, this, [this, i, change](int k) {
        Option& o = options()[static_cast<std::size_t>(i)];
        change(o.choices, k);
        o.answer = {};
        // The box that is being used must not go while it tells.
        QMetaObject::invokeMethod(
            this,
            [this] {
              rebuild();
              evaluate();
            },
            Qt::QueuedConnection);
      });
      table_->setCellWidget(row, column, box);
    };
    const auto all_words = [](auto one) {
      QStringList out;
      for (const std::string_view w : ChoiceWords<decltype(one)>::words)
        out << to_qstring(w);
      return out;
    };
    chooser(topology_row, all_words(Topology{}), static_cast<int>(c.topology),
            [](FabricChoices& o, int k) { o.topology = static_cast<Topology>(k); });
    chooser(tiers_row, all_words(Tiers{}), static_cast<int>(c.tiers),
            [](FabricChoices& o, int k) { o.tiers = static_cast<Tiers>(k); });
    chooser(rails_row, {tr("yes"), tr("no")}, c.rails ? 0 : 1, [](FabricChoices& o, int k) { o.rails = k == 0; });
    QStringList planes;
    int plane_at = -1;
    static constexpr std::array<Count, 5> plane_counts{1, 2, 4, 8, 16};
    for (std::size_t k = 0; k < plane_counts.size(); ++k) {
      planes << QString::number(plane_counts[k]);
      if (plane_counts[k] == c.planes) plane_at = static_cast<int>(k);
    }
    chooser(planes_row, planes, plane_at,
            [](FabricChoices& o, int k) { o.planes = plane_counts[static_cast<std::size_t>(k)]; });
    QStringList part_names;
    std::vector<std::string> part_ids;
    int part_at = -1;
    if (catalog)
      for (const PartSummary& s : part_summaries(*catalog, "switch")) {
        const SwitchPart* part = catalog->find<SwitchPart>(s.id);
        if (!part) continue;
        if (s.id == c.switch_part) part_at = static_cast<int>(part_ids.size());
        part_ids.push_back(s.id);
        part_names << tr("%1 (%2)").arg(QString::fromStdString(part->name), QString::fromStdString(part->network_kind));
      }
    chooser(switch_row, part_names, part_at,
            [part_ids](FabricChoices& o, int k) { o.switch_part = part_ids[static_cast<std::size_t>(k)]; });
    QStringList tapers;
    int taper_at = -1;
    static constexpr std::array<double, 6> taper_values{1, 1.5, 2, 3, 4, 7};
    for (std::size_t k = 0; k < taper_values.size(); ++k) {
      tapers << taper_text(taper_values[k]);
      if (taper_values[k] == c.oversubscription) taper_at = static_cast<int>(k);
    }
    chooser(taper_row, tapers, taper_at,
            [](FabricChoices& o, int k) { o.oversubscription = taper_values[static_cast<std::size_t>(k)]; });
    chooser(medium_row, all_words(LinkMedium{}), static_cast<int>(c.medium),
            [](FabricChoices& o, int k) { o.medium = static_cast<LinkMedium>(k); });
  }
  const int letter = fontMetrics().averageCharWidth();
  table_->setColumnWidth(0, letter * 34);
  for (int c = first_column; c < columns; ++c)
    table_->setColumnWidth(c, letter * 27);
  for (int c = 0; c < columns; ++c)
    if (table_->horizontalHeaderItem(c))
      table_->horizontalHeaderItem(c)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  const int high = fontMetrics().height() + 12;
  for (int r = 0; r < row_count; ++r)
    table_->setRowHeight(r, r < choice_rows ? high : high - 5);
  show_answers();
}

void FabricOptions::show_answers() {
  const Network* n = network();
  if (!n) return;
  const QString id = QString::number(n->id);
  const int columns = table_->columnCount();
  const auto answer = [&](int column) -> const Answer& {
    return column == first_column ? base_ : options()[static_cast<std::size_t>(column - first_column - 1)].answer;
  };
  const auto choices = [&](int column) {
    return column == first_column ? choices_of(*n)
                                  : options()[static_cast<std::size_t>(column - first_column - 1)].choices;
  };
  // Value, text; NaN where there is none.
  const auto fill = [&](int row, bool more_is_better, auto value_of) {
    std::vector<std::pair<double, QString>> cells;
    double best = std::nan("");
    for (int c = first_column; c < columns; ++c) {
      cells.push_back(value_of(answer(c)));
      const double v = cells.back().first;
      if (std::isfinite(v) && (!std::isfinite(best) || (more_is_better ? v > best : v < best))) best = v;
    }
    bool all_same = true;
    for (const auto& [v, text] : cells)
      all_same = all_same && (v == cells.front().first || !std::isfinite(v));
    for (int c = first_column; c < columns; ++c) {
      const auto& [v, text] = cells[static_cast<std::size_t>(c - first_column)];
      auto* item = new QTableWidgetItem(text);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      QFont font = table_->font();
      font.setBold(c > first_column && std::isfinite(v) && v != cells.front().first);
      item->setFont(font);
      const bool is_best = !all_same && std::isfinite(v) && v == best;
      if (is_best) item->setBackground(theme().accent_soft);
      item->setToolTip(is_best ? tr("%1: the best of this row").arg(text) : text);
      item->setData(Qt::AccessibleDescriptionRole, is_best ? tr("the best of this row") : QString());
      table_->setItem(row, c, item);
    }
  };
  const auto waiting = [](const Answer& a) {
    return a.problem.isEmpty() ? (a.known ? QStringLiteral("\u2013") : FabricOptions::tr("working\u2026"))
                               : FabricOptions::tr("cannot be built");
  };
  for (std::size_t r = 0; r < results.size(); ++r) {
    const QString figure_id = QString(QLatin1String(results[r].figure)).replace(QLatin1String("%1"), id);
    fill(choice_rows + static_cast<int>(r), results[r].more_is_better,
         [&](const Answer& a) -> std::pair<double, QString> {
           const Figure* f =
               a.evaluation && a.problem.isEmpty() ? a.evaluation->figures.find(figure_id.toStdString()) : nullptr;
           if (!f) return {std::nan(""), waiting(a)};
           return {f->has_value() ? f->value : std::nan(""), screen_text(*f)};
         });
  }
  const auto left = [&](int row, auto member) {
    fill(row, true, [&](const Answer& a) -> std::pair<double, QString> {
      const std::optional<double> v = a.failures.*member;
      if (!a.failures_known || !v) return {std::nan(""), a.failures_known ? QStringLiteral("\u2013") : waiting(a)};
      return {*v, wired::share_text(*v)};
    });
  };
  left(injection_row, &SingleFailures::least_injection);
  left(bisection_row, &SingleFailures::least_bisection);
  const SharedEvaluation& e = document_.evaluation();
  for (int c = first_column; c < columns; ++c) {
    const SwitchPart* part = e && e->catalog ? e->catalog->find<SwitchPart>(choices(c).switch_part) : nullptr;
    const QString text =
        answer(c).problem.isEmpty() ? operations_text(part ? part->network_kind : std::string()) : answer(c).problem;
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
    item->setToolTip(text);
    if (!answer(c).problem.isEmpty()) item->setForeground(theme().red);
    table_->setItem(operations_row, c, item);
  }
  if (auto* name = table_->item(operations_row, 0)) name->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
  table_->setWordWrap(true);
  table_->resizeRowToContents(operations_row);
}

void FabricOptions::evaluate() {
  const SharedEvaluation base = document_.evaluation();
  const Network* n = network();
  if (!active_ || !base || !n) return;
  stop_.request_stop();
  stop_ = std::stop_source{};
  pool_.clear();
  const quint64 generation = ++generation_;
  running_ = 0;
  const bool other_base = evaluated_for_ != base;
  evaluated_for_ = base;
  const auto start = [&](int column, std::optional<FabricChoices> choices) {
    ++running_;
    run_in_background(pool_, this, [base, id = network_, choices, token = stop_.get_token()]() -> Answer {
      Answer a;
      a.known = true;
      a.evaluation = base;
      if (choices) {
        auto design = with_choices(base->design, id, *choices);
        if (!design) {
          a.problem = QString::fromStdString(design.error());
          return a;
        }
        auto e = hallwright::evaluate(*design, base->shipped_catalog, base.get(), token);
        if (!e) return {};
        a.evaluation = std::make_shared<const Evaluation>(std::move(*e));
      }
      const NetworkCabling* c = a.evaluation->cabling ? a.evaluation->cabling->find(id) : nullptr;
      if (c && !c->problem.empty()) a.problem = QString::fromStdString(c->problem);
      if (c && c->wiring && a.problem.isEmpty() && !token.stop_requested()) {
        a.failures = single_failures(*a.evaluation, id, token);
        a.failures_known = !token.stop_requested();
      }
      return a;
    }, [this, generation, column](const Answer& a) {
      if (generation != generation_) return;
      --running_;
      if (column == first_column)
        base_ = a;
      else if (column - first_column - 1 < optionCount())
        options()[static_cast<std::size_t>(column - first_column - 1)].answer = a;
      show_answers();
    });
  };
  if (other_base || !base_.failures_known) start(first_column, {});
  for (int i = 0; i < optionCount(); ++i)
    if (other_base || !options()[static_cast<std::size_t>(i)].answer.known)
      start(first_column + 1 + i, options()[static_cast<std::size_t>(i)].choices);
  show_answers();
}

void FabricOptions::use(int option) {
  if (option < 0 || option >= optionCount()) {
    Q_EMIT told(tr("Select a column of the options first."), true);
    return;
  }
  const Network* n = network();
  if (!n) return;
  const SharedEvaluation& e = document_.evaluation();
  const FabricChoices c = options()[static_cast<std::size_t>(option)].choices;
  const QString name = choices_name(c, choices_of(*n), e ? e->catalog.get() : nullptr);
  document_.apply({tr("Use option: %1").arg(name.isEmpty() ? tr("as designed") : name).toStdString(),
                   [id = network_, c](const Design& d) { return with_choices(d, id, c); }});
}

void FabricOptions::take_out(int option) {
  if (option < 0 || option >= optionCount()) return;
  options().erase(options().begin() + option);
  rebuild();
  evaluate();
}

} // namespace hallwright
