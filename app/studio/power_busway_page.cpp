// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/power_busway_page.h"

#include <algorithm>
#include <functional>

#include <QDropEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/subject_workspace.h"
#include "power/one_line_edits.h"
#include "widgets/card_splitter.h"
#include "widgets/figure_text.h"
#include "widgets/one_line/one_line_picture.h"
#include "widgets/theme.h"
#include "widgets/training/painted_chart.h"

namespace hallwright {
namespace {

/// A table whose rows take what is dragged onto them.
class DropTable final : public QTableWidget {
public:
  explicit DropTable(QWidget* parent) : QTableWidget(parent) {
    setAcceptDrops(true);
    setDragDropMode(QAbstractItemView::DropOnly);
    setDropIndicatorShown(true);
  }
  std::function<void(int row)> dropped;
  QWidget* source = nullptr; ///< whose rows are taken

protected:
  void dragEnterEvent(QDragEnterEvent* event) override { taken(event); }
  void dragMoveEvent(QDragMoveEvent* event) override {
    taken(event);
    const QModelIndex at = indexAt(event->position().toPoint());
    if (!at.isValid()) event->ignore();
    if (at.isValid()) selectRow(at.row());
  }
  void dropEvent(QDropEvent* event) override {
    const QModelIndex at = indexAt(event->position().toPoint());
    if (event->source() != source || !at.isValid()) return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    if (dropped) dropped(at.row());
  }

private:
  void taken(QDropEvent* event) {
    if (event->source() == source)
      event->acceptProposedAction();
    else
      event->ignore();
  }
};

void shape_power_table(QTableWidget* table, const QStringList& heads, int stretched, int words) {
  table->setColumnCount(static_cast<int>(heads.size()));
  table->setHorizontalHeaderLabels(heads);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTextElideMode(Qt::ElideMiddle); // names of kin differ at their ends
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setSectionResizeMode(stretched, QHeaderView::Stretch);
  table->horizontalHeader()->setHighlightSections(false);
  for (int c = 0; c < heads.size(); ++c)
    table->horizontalHeaderItem(c)->setTextAlignment((c >= words ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}
void put_power_row(QTableWidget* table, int row, const QStringList& words, int left, Id id, bool problem = false) {
  for (int c = 0; c < words.size(); ++c) {
    auto* item = new QTableWidgetItem(words[c]);
    item->setTextAlignment((c >= left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    item->setToolTip(words[c]);
    if (problem) item->setForeground(theme().red);
    if (c == 0) item->setData(Qt::UserRole, QVariant::fromValue<qlonglong>(id));
    table->setItem(row, c, item);
  }
}
QString amps(Current c) {
  return screen_text(in_amperes(c) < 1e-6 ? 0.0 : in_amperes(c), kind::current);
} // phasors cancel to rounding
QString unbalance_text(double share) { return screen_text(share < 1e-9 ? 0.0 : share, kind::percent, 2); }

} // namespace

/// Bars of the three lines and the neutral: as drawn, and as proposed.
class PowerBuswayPage::Bars final : public PaintedChart {
public:
  explicit Bars(QWidget* parent) : PaintedChart(parent) {
    setAccessibleName(PowerBuswayPage::tr("Currents of the lines and of the neutral"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  }
  void set(const PhaseCurrents& before, const PhaseCurrents& after, bool other, std::optional<Current> usable,
           ElectricalSystem system) {
    before_ = before, after_ = after, other_ = other, usable_ = usable, shown_ = true;
    system_ = system;
    rows_ = system == ElectricalSystem::three_phase ? 4 : 2;
    QStringList words;
    for (int k = 0; k < rows_; ++k)
      words << QStringLiteral("%1 %2").arg(name(k), amps(of(before_, k)));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    update();
  }
  void clear() {
    shown_ = false;
    update();
  }
  QSize minimumSizeHint() const override { return {fontMetrics().averageCharWidth() * 40, fontMetrics().height() * 9}; }

protected:
  bool has_content() const override { return shown_; }
  void paint(QPainter& p) override {
    const Theme& t = theme();
    const double line = fontMetrics().height();
    double top = 0;
    std::vector<LegendEntry> entries{{PowerBuswayPage::tr("as drawn"), t.accent, false}};
    if (other_) entries.push_back({PowerBuswayPage::tr("as proposed"), t.green, false});
    if (usable_) entries.push_back({PowerBuswayPage::tr("for long at most %1").arg(amps(*usable_)), t.red, true});
    top = legend(&p, QRectF(0, 0, width(), line * 3), small_font(), entries) + 4;
    double most = usable_ ? in_amperes(*usable_) : 0.0;
    for (int k = 0; k < rows_; ++k)
      most = std::max({most, in_amperes(of(before_, k)), in_amperes(of(after_, k))});
    if (!(most > 0.0)) most = 1.0;
    const double left = fontMetrics().horizontalAdvance(QStringLiteral("L3  ")) + 4,
                 right = fontMetrics().horizontalAdvance(QStringLiteral(" 0000 A ")) + 4;
    const double row = std::max(16.0, (height() - top) / rows_);
    for (int k = 0; k < rows_; ++k) {
      const double y = top + k * row;
      p.setPen(t.text);
      p.setFont(font());
      p.drawText(QRectF(0, y, left, row), Qt::AlignLeft | Qt::AlignVCenter, name(k));
      const double room = width() - left - right, tall = std::min(row * 0.36, line * 0.9);
      const auto bar = [&](double at, Current c, const QColor& color) {
        const bool over = usable_ && k < 3 && c > *usable_;
        const QRectF r(left, at, std::max(1.0, room * in_amperes(c) / most), tall);
        p.fillRect(r, over ? t.red : color);
        p.setPen(over ? t.red : t.secondary_text);
        p.setFont(small_font());
        p.drawText(QRectF(r.right() + 4, at - 4, right, tall + 8), Qt::AlignLeft | Qt::AlignVCenter, amps(c));
      };
      if (other_) {
        bar(y + row / 2 - tall - 1, of(before_, k), t.accent);
        bar(y + row / 2 + 1, of(after_, k), t.green);
      } else {
        bar(y + (row - tall) / 2, of(before_, k), t.accent);
      }
    }
    if (usable_) {
      const double x = left + (width() - left - right) * in_amperes(*usable_) / most;
      p.setPen(QPen(t.red, 1.3, Qt::DashLine));
      p.drawLine(QPointF(x, top), QPointF(x, top + std::min(rows_, 3) * row));
    }
  }

private:
  [[nodiscard]] QString name(int k) const {
    if (system_ == ElectricalSystem::direct_current) return k == 0 ? QStringLiteral("+") : QStringLiteral("\u2212");
    if (system_ == ElectricalSystem::single_phase) return k == 0 ? QStringLiteral("L") : QStringLiteral("N");
    return k < 3 ? QStringLiteral("L%1").arg(k + 1) : QStringLiteral("N");
  }
  static Current of(const PhaseCurrents& c, int k) { return k < 3 ? c.line[static_cast<std::size_t>(k)] : c.neutral; }
  PhaseCurrents before_, after_;
  std::optional<Current> usable_;
  bool other_ = false, shown_ = false;
  ElectricalSystem system_ = ElectricalSystem::three_phase;
  int rows_ = 4; ///< conductors
};

PowerBuswayPage::PowerBuswayPage(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("power_busway_page"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  auto* split = new CardSplitter(this);
  split->setObjectName(QStringLiteral("power_busway_split"));
  auto* busways = new DropTable(split);
  busways_ = busways;
  busways_->setObjectName(QStringLiteral("power_busways"));
  busways_->setAccessibleName(tr("Busways and panels"));
  busways_->setSelectionMode(QAbstractItemView::SingleSelection);
  shape_power_table(
      busways_, {tr("Busway or panel"), tr("Side"), tr("Racks"), tr("Largest\nline"), tr("Neutral"), tr("Unbal-\nance")}, 0,
      2);
  QWidget* list_card = make_card(tr("Busways and panels: drop racks on one to feed them from it"), busways_, split);
  list_card->setMinimumSize(fontMetrics().averageCharWidth() * 52, fontMetrics().height() * 14);
  split->addWidget(list_card);

  auto* body = new QWidget(split);
  body->setObjectName(QStringLiteral("clear"));
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2 * spacing_unit);
  words_ = new QLabel(body);
  words_->setObjectName(QStringLiteral("power_busway_words"));
  words_->setWordWrap(true);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(words_);
  bars_ = new Bars(body);
  bars_->setEmptyText(tr("Choose a busway: the currents of its lines are shown here."));
  column->addWidget(bars_, 1);
  auto* line = new QHBoxLayout;
  spread_ = new QPushButton(tr("Spread racks over the phases"), body);
  spread_->setObjectName(QStringLiteral("power_spread"));
  line->addWidget(spread_);
  phases_ = new QToolButton(body);
  phases_->setObjectName(QStringLiteral("power_tap_phases"));
  phases_->setText(tr("Phases of the tap") + QStringLiteral("   ")); // room for the arrow
  phases_->setPopupMode(QToolButton::InstantPopup);
  phases_->setMenu(new QMenu(phases_));
  for (int k = 0; k < 7; ++k) {
    const auto phases = static_cast<TapPhases>(k);
    phases_->menu()->addAction(to_qstring(tap_phases_word(phases)), this, [this, phases] {
      const std::vector<Id> racks = chosen_racks();
      Edit edit;
      edit.label = "Taps of " + std::to_string(racks.size()) + (racks.size() == 1 ? " rack on " : " racks on ") +
                   std::string(tap_phases_word(phases));
      edit.apply = [racks, unit = current_, phases](const Design& d) -> Edited {
        Edited out = d;
        for (const Id id : racks)
          if (out) out = set_tap_phases(*out, id, unit, phases).apply(*out);
        return out;
      };
      Q_EMIT editRequested(edit);
    });
  }
  line->addWidget(phases_);
  move_ = new QToolButton(body);
  move_->setObjectName(QStringLiteral("power_move_racks"));
  move_->setText(tr("Move to") + QStringLiteral("   "));
  move_->setPopupMode(QToolButton::InstantPopup);
  move_->setMenu(new QMenu(move_));
  connect(move_->menu(), &QMenu::aboutToShow, this, [this] {
    move_->menu()->clear();
    const DrawnBusway* now = drawn();
    for (const PowerUnit& u : *document_.design().power_units) {
      if (!now || u.id == now->unit || u.feed != now->side) continue;
      if (u.kind != PowerUnitKind::busway && u.kind != PowerUnitKind::distribution) continue;
      move_->menu()->addAction(QString::fromStdString(u.name), this, [this, id = u.id] { move_to(id); });
    }
  });
  line->addWidget(move_);
  line->addStretch(1);
  column->addLayout(line);
  taps_ = new QTableWidget(body);
  taps_->setObjectName(QStringLiteral("power_taps"));
  taps_->setAccessibleName(tr("Taps of the busway"));
  taps_->setDragEnabled(true);
  taps_->setDragDropMode(QAbstractItemView::DragOnly);
  shape_power_table(
      taps_, {tr("Rack"), tr("Phases"), tr("Proposed"), tr("Power"), tr("L1"), tr("L2"), tr("L3"), tr("Drop")}, 0, 3);
  column->addWidget(taps_, 3);
  busways->source = taps_;
  busways->dropped = [this](int row) { move_to(busways_->item(row, 0)->data(Qt::UserRole).toLongLong()); };
  QWidget* tap_card = make_card(tr("Taps and phases"), body, split);
  tap_card->setMinimumSize(fontMetrics().averageCharWidth() * 56, fontMetrics().height() * 24);
  split->addWidget(tap_card);
  split->setSizes({560, 600}); // names whole beside the numbers
  outer->addWidget(split, 1);

  connect(busways_, &QTableWidget::itemSelectionChanged, this, [this] {
    const int row = busways_->currentRow();
    if (filling_ || row < 0 || !busways_->item(row, 0)) return;
    current_ = busways_->item(row, 0)->data(Qt::UserRole).toLongLong();
    show_taps();
    if (busways_->hasFocus()) Q_EMIT selectionRequested({{"power_units", current_}});
  });
  connect(taps_, &QTableWidget::itemSelectionChanged, this, [this] {
    const std::vector<Id> racks = chosen_racks();
    move_->setEnabled(!racks.empty());
    phases_->setEnabled(!racks.empty() && drawn() && drawn()->run.system == ElectricalSystem::three_phase);
    if (filling_ || !taps_->hasFocus() || racks.empty()) return;
    std::vector<EntityRef> out;
    for (const Id id : racks)
      out.push_back({"racks", id});
    Q_EMIT selectionRequested(out);
  });
  connect(spread_, &QPushButton::clicked, this, [this] {
    if (const DrawnBusway* b = drawn(); b && !proposal_.changed.empty())
      Q_EMIT editRequested(spread_over_phases(document_.design(), *b, proposal_));
  });
}

QString PowerBuswayPage::words() const { return words_->text(); }

const DrawnBusway* PowerBuswayPage::drawn() const {
  for (const DrawnBusway& b : list_)
    if (b.unit == current_) return &b;
  return nullptr;
}

std::vector<Id> PowerBuswayPage::chosen_racks() const {
  std::vector<Id> out;
  for (const QModelIndex& i : taps_->selectionModel()->selectedRows())
    if (const QTableWidgetItem* item = taps_->item(i.row(), 0)) out.push_back(item->data(Qt::UserRole).toLongLong());
  std::sort(out.begin(), out.end());
  return out;
}

void PowerBuswayPage::move_to(Id unit) {
  const std::vector<Id> racks = chosen_racks();
  if (racks.empty() || unit == current_ || current_ == 0) return;
  Q_EMIT editRequested(move_racks_to(document_.design(), racks, current_, unit));
}

void PowerBuswayPage::setStudy(const std::shared_ptr<const OneLineStudy>& study) {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  study_ = study;
  list_ = study_ ? drawn_busways(e->design, study_->line, *e->catalog) : std::vector<DrawnBusway>();
  // Busways that no rack hangs on yet take racks, too.
  if (study_)
    for (const OneLineElement& el : study_->line.elements()) {
      if (el.kind != PowerUnitKind::busway) continue;
      if (std::any_of(list_.begin(), list_.end(), [&](const DrawnBusway& b) { return b.unit == el.id; })) continue;
      DrawnBusway empty;
      empty.unit = el.id;
      empty.side = el.side;
      empty.run.name = study_->line.name(el.id);
      empty.missing = "No rack hangs on " + empty.run.name;
      list_.push_back(std::move(empty));
    }
  if (!drawn()) current_ = list_.empty() ? 0 : list_.front().unit;
  show_busways();
  show_taps();
}

void PowerBuswayPage::show_busways() {
  filling_ = true;
  busways_->setRowCount(static_cast<int>(list_.size()));
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const DrawnBusway& b = list_[i];
    QStringList words{QString::fromStdString(b.run.name),
                      b.side == Feed::a   ? QStringLiteral("A")
                      : b.side == Feed::b ? QStringLiteral("B")
                                          : QStringLiteral("\u2013"),
                      screen_number(static_cast<qint64>(b.taps.size()))};
    bool over = false;
    if (b.missing.empty()) {
      const PhaseCurrents c = phase_currents(b.run, b.taps);
      words << amps(c.line[c.fullest]);
      if (b.run.system == ElectricalSystem::three_phase)
        words << amps(c.neutral) << unbalance_text(c.unbalance);
      else
        words << QStringLiteral("\u2013") << QStringLiteral("\u2013");
      over = b.run.rating && c.line[c.fullest] > b.run.continuous_load_factor * *b.run.rating;
    } else {
      words << QStringLiteral("\u2013") << QStringLiteral("\u2013") << QStringLiteral("\u2013");
    }
    put_power_row(busways_, static_cast<int>(i), words, 2, b.unit, over);
    if (b.unit == current_) busways_->selectRow(static_cast<int>(i));
  }
  filling_ = false;
}

void PowerBuswayPage::show_taps() {
  const DrawnBusway* b = drawn();
  const std::vector<Id> before = chosen_racks();
  filling_ = true;
  taps_->setRowCount(0);
  spread_->setEnabled(false);
  move_->setEnabled(false);
  phases_->setEnabled(false);
  if (!b) {
    words_->setText(tr("Draw busways and let racks name them as their feeds: their taps are listed here."));
    bars_->clear();
    filling_ = false;
    return;
  }
  const bool known = b->missing.empty(), three = b->run.system == ElectricalSystem::three_phase;
  proposal_ = known ? propose_phases(b->run, b->taps) : PhaseProposal{};
  const std::vector<TapVoltage> volts = known ? tap_voltages(b->run, b->taps) : std::vector<TapVoltage>();
  const bool impedance = b->run.line.resistance > 0.0 || b->run.line.reactance > 0.0;
  taps_->setRowCount(static_cast<int>(b->taps.size()));
  QItemSelection again;
  for (std::size_t i = 0; i < b->taps.size(); ++i) {
    const BuswayTap& tap = b->taps[i];
    const bool moves =
        known && std::find(proposal_.changed.begin(), proposal_.changed.end(), i) != proposal_.changed.end();
    QStringList words{QString::fromStdString(tap.name),
                      three ? to_qstring(tap_phases_word(tap.phases)) : QStringLiteral("\u2013"),
                      moves ? to_qstring(tap_phases_word(proposal_.phases[i])) : QString(),
                      screen_text(in_watts(tap.load.real), kind::power)};
    if (known) {
      const PhaseCurrents c = phase_currents(b->run, {tap});
      for (const Current& line : c.line)
        words << (in_amperes(line) > 1e-9 && (three || &line == c.line.data()) ? amps(line) : QString());
    } else {
      words << QString() << QString() << QString();
    }
    words << (impedance && i < volts.size() ? screen_text(volts[i].drop(), kind::percent, 2) : QString());
    put_power_row(taps_, static_cast<int>(i), words, 3, tap.id);
    if (std::binary_search(before.begin(), before.end(), tap.id)) {
      const QModelIndex at = taps_->model()->index(static_cast<int>(i), 0);
      again.select(at, at);
    }
  }
  taps_->selectionModel()->select(again, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  taps_->setColumnHidden(2, proposal_.changed.empty());
  taps_->setColumnHidden(7, !impedance);
  taps_->setColumnHidden(1, !three);
  taps_->setColumnHidden(5, !three);
  taps_->setColumnHidden(6, !three);
  taps_->horizontalHeaderItem(4)->setText(three ? tr("L1") : tr("Current"));
  filling_ = false;
  move_->setEnabled(!again.isEmpty());
  phases_->setEnabled(!again.isEmpty() && three);
  if (!known) {
    words_->setText(QString::fromStdString(b->missing) + QLatin1Char('.'));
    bars_->clear();
    bars_->setEmptyText(words_->text());
    return;
  }
  std::optional<Current> usable;
  if (b->run.rating) usable = b->run.continuous_load_factor * *b->run.rating;
  bars_->set(proposal_.before, proposal_.after, !proposal_.changed.empty(), usable, b->run.system);
  spread_->setEnabled(!proposal_.changed.empty());
  QStringList lines;
  if (!three)
    lines << (b->run.system == ElectricalSystem::direct_current ? tr("%1, %2 between poles: %3 there and back")
                                                                : tr("%1, %2 in one phase: %3 there and back"))
                 .arg(QString::fromStdString(b->run.name), screen_text(b->run.voltage.volts(), kind::voltage),
                      amps(proposal_.before.line[0]));
  else
    lines << tr("%1, %2 between lines: %3 unbalance")
               .arg(QString::fromStdString(b->run.name), screen_text(b->run.voltage.volts(), kind::voltage),
                    unbalance_text(proposal_.before.unbalance));
  if (!proposal_.changed.empty())
    lines << tr("Moving %1 lowers the fullest line from %2 to %3%4")
                 .arg(counted(static_cast<qint64>(proposal_.changed.size()), tr("1 rack"), tr("%1 racks")),
                      amps(proposal_.before.line[proposal_.before.fullest]),
                      amps(proposal_.after.line[proposal_.after.fullest]),
                      proposal_.best ? tr(", which is the least there can be") : QString());
  for (const BuswayProblem& p : busway_problems({*b}, *document_.evaluation()->catalog))
    lines << QStringLiteral("<span style='color:%1'>%2</span>")
                 .arg(theme().red.name(), screen_sentence(QString::fromStdString(p.problem.sentence)).toHtmlEscaped());
  words_->setText(lines.join(QStringLiteral(".<br>")) + QLatin1Char('.'));
}

void PowerBuswayPage::showSelection() {
  if (busways_->hasFocus() || taps_->hasFocus()) return;
  for (const EntityRef& e : document_.selection()) {
    if (e.table != "power_units") continue;
    for (std::size_t i = 0; i < list_.size(); ++i)
      if (list_[i].unit == e.id) {
        current_ = e.id;
        filling_ = true;
        busways_->selectRow(static_cast<int>(i));
        filling_ = false;
        show_taps();
        return;
      }
  }
}

} // namespace hallwright
