// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fabric_as_built.h"

#include <algorithm>
#include <numeric>

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "fabric/as_built_networks.h"
#include "fabric/as_built_rule.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

QString kind_name(AsBuiltKind kind) {
  switch (kind) {
  case AsBuiltKind::missing:
    return FabricAsBuilt::tr("missing");
  case AsBuiltKind::extra:
    return FabricAsBuilt::tr("extra");
  case AsBuiltKind::crossed_in_bundle:
    return FabricAsBuilt::tr("crossed in its bundle");
  case AsBuiltKind::exchanged_nodes:
    return FabricAsBuilt::tr("exchanged nodes");
  case AsBuiltKind::exchanged_rails:
    return FabricAsBuilt::tr("exchanged rails");
  case AsBuiltKind::exchanged_switches:
    return FabricAsBuilt::tr("exchanged switches");
  case AsBuiltKind::wrong_plane:
    return FabricAsBuilt::tr("wrong plane");
  case AsBuiltKind::degraded:
    return FabricAsBuilt::tr("degraded");
  case AsBuiltKind::unnamed:
    return FabricAsBuilt::tr("without its name");
  case AsBuiltKind::absent_switch:
    return FabricAsBuilt::tr("absent switch");
  }
  return {};
}

/// Whether a plug goes from one place to another.
bool moves_plugs(const AsBuiltFinding& f) {
  return std::any_of(f.moves.begin(), f.moves.end(),
                     [](const PlugMove& m) { return !m.from.empty() && !m.to.empty(); });
}

} // namespace

struct FabricAsBuilt::Answer {
  QString problem;
  AsBuiltResult result;
  bool with_plan = false;
};

FabricAsBuilt::FabricAsBuilt(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("fabric_as_built"));
  pool_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  auto* row = new QHBoxLayout;
  open_ = new QPushButton(icon(QStringLiteral("open")), tr("Open as-built\u2026"), this);
  open_->setObjectName(QStringLiteral("as_built_open"));
  back_ = new QPushButton(tr("Previous move"), this);
  back_->setObjectName(QStringLiteral("as_built_back"));
  next_ = new QPushButton(tr("Next move"), this);
  next_->setObjectName(QStringLiteral("as_built_next"));
  show_ = new QPushButton(tr("Show in the picture"), this);
  show_->setObjectName(QStringLiteral("as_built_show"));
  close_ = new QPushButton(tr("Close"), this);
  row->addWidget(open_);
  row->addWidget(back_);
  row->addWidget(next_);
  row->addWidget(show_);
  row->addWidget(close_);
  row->addStretch(1);
  column->addLayout(row);
  summary_ = new QLabel(this);
  summary_->setObjectName(QStringLiteral("as_built_summary"));
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(summary_);
  table_ = new QTableWidget(0, 5, this);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setObjectName(QStringLiteral("as_built_table"));
  table_->setAccessibleName(tr("Differences between plan and as-built"));
  table_->setHorizontalHeaderLabels({tr("Kind"), tr("Where"), tr("Should be"), tr("Is"), tr("What to do")});
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setAlternatingRowColors(true);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  column->addWidget(table_, 1);
  detail_ = new QLabel(this);
  detail_->setObjectName(QStringLiteral("as_built_detail"));
  detail_->setWordWrap(true);
  detail_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(detail_);
  auto* next = new QAction(tr("Ne&xt plug move"), this);
  next->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Down));
  auto* back = new QAction(tr("Pre&vious plug move"), this);
  back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Up));
  auto* gone = new QAction(tr("Close the as-built &dump"), this);
  commands_ = {next, back, gone};
  connect(next, &QAction::triggered, this, [this] { step(1); });
  connect(back, &QAction::triggered, this, [this] { step(-1); });
  connect(gone, &QAction::triggered, this, &FabricAsBuilt::clear);
  connect(open_, &QPushButton::clicked, this, [this] {
    const QStringList files = QFileDialog::getOpenFileNames(this, tr("Open dumps of the network as built"));
    if (!files.isEmpty()) open(files);
  });
  connect(next_, &QPushButton::clicked, this, [this] { step(1); });
  connect(back_, &QPushButton::clicked, this, [this] { step(-1); });
  connect(show_, &QPushButton::clicked, this, &FabricAsBuilt::showRequested);
  connect(close_, &QPushButton::clicked, this, &FabricAsBuilt::clear);
  connect(table_, &QTableWidget::itemSelectionChanged, this, &FabricAsBuilt::show_current);
  connect(table_, &QTableWidget::cellDoubleClicked, this, &FabricAsBuilt::showRequested);
  clear();
}

FabricAsBuilt::~FabricAsBuilt() { pool_.waitForDone(); }

void FabricAsBuilt::clear() {
  ++generation_;
  busy_ = false;
  files_.clear();
  answer_.reset();
  rows_.clear();
  table_->setRowCount(0);
  summary_->setText(tr("Drop a dump of the network here, or open one: ibnetdiscover, iblinkinfo, lldpd JSON, neighbour "
                       "tables of SONiC, EOS and NX-OS, topology.dot, ibdm "
                       "topo or a cable list. It is compared with the plan port by port; where the plan names other "
                       "devices, the rule is read from the dump itself."));
  detail_->clear();
  for (QPushButton* b : {back_, next_, show_, close_})
    b->setEnabled(false);
  for (QAction* a : commands_)
    a->setEnabled(false);
  Q_EMIT marksChanged({}, {});
}

void FabricAsBuilt::setPlan(const std::shared_ptr<const wired::Picture>& plan, const SharedEvaluation& evaluation) {
  const bool other = !plan_ || !plan || plan_->wiring != plan->wiring;
  plan_ = plan;
  evaluation_ = evaluation;
  if (other && !files_.isEmpty()) compare();
}

void FabricAsBuilt::open(const QStringList& files) {
  files_ = files;
  compare();
}

void FabricAsBuilt::compare() {
  const quint64 generation = ++generation_;
  busy_ = true;
  summary_->setText(tr("Comparing\u2026"));
  const std::shared_ptr<const Wiring> wiring = plan_ && plan_->shows() ? plan_->wiring : nullptr;
  const std::string network = plan_ ? plan_->name.toStdString() : std::string();
  run_in_background(pool_, this, [files = files_, wiring, network,
                             evaluation = evaluation_]() -> std::shared_ptr<const Answer> {
    auto answer = std::make_shared<Answer>();
    std::vector<QByteArray> texts;
    std::vector<FoundSource> sources;
    for (const QString& file : files) {
      QFile in(file);
      if (!in.open(QIODevice::ReadOnly)) {
        answer->problem = tr("%1 was not read: %2").arg(file, in.errorString());
        return answer;
      }
      texts.push_back(in.readAll());
    }
    for (qsizetype i = 0; i < files.size(); ++i)
      sources.push_back({std::string_view(texts[static_cast<std::size_t>(i)].constData(),
                                          static_cast<std::size_t>(texts[static_cast<std::size_t>(i)].size())),
                         QFileInfo(files[i]).fileName().toStdString()});
    const auto found = read_found_links(sources);
    if (!found) {
      answer->problem = QString::fromStdString(found.error());
      return answer;
    }
    if (wiring && evaluation && evaluation->cabling) {
      const auto plan =
          plan_of_networks(*evaluation->cabling, evaluation->design, *evaluation->catalog, *found, network);
      if (!plan) {
        answer->problem = QString::fromStdString(plan.error());
        return answer;
      }
      answer->result = compare_as_built(plan->plan, plan->found);
      if (plan->left_out > 0)
        answer->result.notes.push_back(
            tr("%1 links of other networks are left out").arg(plan->left_out).toStdString());
      answer->with_plan = true;
      // A dump that hardly meets the plan has names and ports of its own.
      if (answer->result.matched * 2 >= std::min(answer->result.planned, answer->result.links)) return answer;
    }
    AsBuiltResult ruled = compare_with_rule(*found);
    if (!wiring || !ruled.rule.empty()) {
      answer->result = std::move(ruled);
      answer->with_plan = false;
    }
    return answer;
  }, [this, generation](const std::shared_ptr<const Answer>& answer) {
    if (generation != generation_) return;
    busy_ = false;
    show_answer(answer);
  });
}

void FabricAsBuilt::show_answer(const std::shared_ptr<const Answer>& answer) {
  answer_ = answer;
  rows_.clear();
  table_->setRowCount(0);
  detail_->clear();
  close_->setEnabled(true);
  commands_[2]->setEnabled(true);
  if (!answer->problem.isEmpty()) {
    summary_->setText(answer->problem);
    Q_EMIT told(answer->problem, true);
    Q_EMIT marksChanged({}, {});
    return;
  }
  const AsBuiltResult& r = answer->result;
  const QLocale here;
  const auto count = [&](std::size_t n) { return here.toString(static_cast<qlonglong>(n)); };
  QStringList lines;
  lines << (answer->with_plan
                ? tr("%1 links found, %2 planned%6, %3 as planned. %4 differences; %5 plugs to move.")
                      .arg(count(r.links), count(r.planned), count(r.matched), count(r.findings.size()),
                           count(r.plug_moves),
                           r.dark > 0 ? tr(" (%1 of them may be dark)").arg(count(r.dark)) : QString())
                : tr("%1 links found. They do not carry the plan's names, so the rule was read from the dump: %2. %3 "
                     "differences; %4 plugs to move.")
                      .arg(count(r.links), r.rule.empty() ? tr("none found") : QString::fromStdString(r.rule),
                           count(r.findings.size()), count(r.plug_moves)));
  for (const std::string& note : r.notes)
    lines << QString::fromStdString(note);
  summary_->setText(lines.join(QLatin1Char('\n')));
  // Plugs in a wrong place first: they can be put right at once, and hide among what is missing.
  rows_.resize(r.findings.size());
  std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  std::stable_sort(rows_.begin(), rows_.end(), [&](std::size_t a, std::size_t b) {
    return moves_plugs(r.findings[a]) > moves_plugs(r.findings[b]);
  });
  table_->setRowCount(static_cast<int>(r.findings.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const AsBuiltFinding& f = r.findings[rows_[i]];
    const std::array<QString, 5> cells{f.estimate ? tr("%1 (likely)").arg(kind_name(f.kind)) : kind_name(f.kind),
                                       QString::fromStdString(f.where), QString::fromStdString(f.expected),
                                       QString::fromStdString(f.found), QString::fromStdString(f.move)};
    for (int c = 0; c < 5; ++c) {
      auto* item = new QTableWidgetItem(cells[static_cast<std::size_t>(c)]);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
      item->setToolTip(cells[static_cast<std::size_t>(c)]);
      table_->setItem(static_cast<int>(i), c, item);
    }
  }
  table_->resizeColumnsToContents();
  for (int c = 0; c < 4; ++c)
    table_->setColumnWidth(c, std::min(table_->columnWidth(c) + 12, fontMetrics().averageCharWidth() * 36));
  const bool any = !r.findings.empty();
  for (QPushButton* b : {back_, next_})
    b->setEnabled(any);
  show_->setEnabled(any && answer->with_plan);
  commands_[0]->setEnabled(any), commands_[1]->setEnabled(any);
  if (any)
    table_->selectRow(0);
  else {
    detail_->setText(tr("Everything is plugged as planned."));
    Q_EMIT marksChanged({}, {});
  }
  Q_EMIT told(tr("As-built: %1 differences.").arg(count(r.findings.size())), false);
}

void FabricAsBuilt::show_current() {
  if (!answer_) return;
  const int row = table_->currentRow();
  const auto& findings = answer_->result.findings;
  if (row < 0 || row >= static_cast<int>(rows_.size())) return;
  const AsBuiltFinding& f = findings[rows_[static_cast<std::size_t>(row)]];
  QStringList lines{QString::fromStdString(f.move)};
  int n = 0;
  for (const PlugMove& m : f.moves) {
    QString line = m.from.empty() ? tr("%1. Lay a cable to %2").arg(++n).arg(QString::fromStdString(m.to))
                   : m.to.empty() ? tr("%1. Take out %2").arg(++n).arg(QString::fromStdString(m.from))
                                  : tr("%1. Move the plug from %2 to %3")
                                        .arg(++n)
                                        .arg(QString::fromStdString(m.from), QString::fromStdString(m.to));
    if (!m.rack.empty())
      line += m.unit_place.empty()
                  ? tr(", rack %1").arg(QString::fromStdString(m.rack))
                  : tr(", rack %1 U%2").arg(QString::fromStdString(m.rack), QString::fromStdString(m.unit_place));
    if (!m.label.empty()) line += tr(", label %1").arg(QString::fromStdString(m.label));
    lines << line;
  }
  detail_->setText(lines.join(QLatin1Char('\n')));
  std::vector<std::uint32_t> all, current;
  if (answer_->with_plan) {
    for (const AsBuiltFinding& each : findings)
      all.insert(all.end(), each.planned.begin(), each.planned.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    current = f.planned;
    std::sort(current.begin(), current.end());
  }
  Q_EMIT marksChanged(all, current);
}

void FabricAsBuilt::step(int by) {
  const int rows = table_->rowCount();
  if (rows == 0) return;
  table_->selectRow((table_->currentRow() + by + rows) % rows);
}

} // namespace hallwright
