// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/loop_balance_dialog.h"

#include <cmath>

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

QString litres(double flow) { return screen_text(flow, kind::volume_flow, 3, "L/min"); }
QString percent_words(double share, int digits) {
  return screen_number(share * 100.0, 'f', digits) + QStringLiteral(" %");
}

} // namespace

LoopBalanceDialog::LoopBalanceDialog(Document& document, const Shared<DrawnLoop>& loop, QWidget* parent)
    : QDialog(parent), document_(document), loop_(loop), racks_(document.design().racks) {
  setObjectName(QStringLiteral("loop_balance_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Balance racks of %1").arg(QString::fromStdString(loop->name)));
  pool_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(3 * spacing_unit);
  sentence_ = new QLabel(tr("Being worked out\u2026"), this);
  sentence_->setObjectName(QStringLiteral("loop_balance_sentence"));
  sentence_->setWordWrap(true);
  sentence_->setAlignment(Qt::AlignTop);
  sentence_->setMinimumHeight(fontMetrics().lineSpacing() * 4);
  column->addWidget(sentence_);
  table_ = new QTableWidget(0, 6, this);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setObjectName(QStringLiteral("loop_balance_table"));
  table_->setAccessibleName(tr("Valves and flows of racks, before and after"));
  table_->setHorizontalHeaderLabels({tr("Rack"), tr("Valve now"), tr("Valve then"), tr("Needed"), tr("Flow now"), tr("Flow then")});
  table_->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  for (int c = 1; c < table_->columnCount(); ++c)
    table_->horizontalHeaderItem(c)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->verticalHeader()->hide();
  table_->setShowGrid(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table_->setMinimumHeight(fontMetrics().lineSpacing() * 14);
  column->addWidget(table_, 1);
  auto* hint = new QLabel(tr("Each rack gets the same share of its need, at the lowest pressure of the pumps; one valve stays fully "
                             "open. An estimate: a valve that is open in part has the loss of the open one over the square of its "
                             "share; set real valves by their own curve, or by measured flow."),
                          this);
  hint->setObjectName(QStringLiteral("secondary"));
  hint->setWordWrap(true);
  column->addWidget(hint);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  set_ = buttons->button(QDialogButtonBox::Ok);
  set_->setText(tr("Set valves"));
  set_->setEnabled(false);
  column->addWidget(buttons);
  setMinimumWidth(fontMetrics().averageCharWidth() * 84);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    if (balance_) Q_EMIT editRequested(balance_edit(*balance_, loop_->name));
    accept();
  });
  // Edited meanwhile, the proposal would be that of another drawing.
  connect(&document_, &Document::designShown, this, [this] {
    if (document_.design().racks == racks_) return;
    set_->setEnabled(false);
    sentence_->setText(tr("The racks have changed: open this again for a new proposal."));
  });
  struct Answer {
    std::shared_ptr<const LoopBalance> balance;
    std::string trouble;
  };
  run_in_background(
      pool_, this,
      [loop = loop_, racks = racks_] {
        Answer out;
        if (auto b = balance_racks(loop, *racks))
          out.balance = std::make_shared<const LoopBalance>(*std::move(b));
        else
          out.trouble = b.error();
        return out;
      },
      [this](const Answer& a) {
        settled_ = true;
        balance_ = a.balance;
        if (balance_)
          show_balance();
        else
          sentence_->setText(screen_sentence(QString::fromStdString(a.trouble)) + QLatin1Char('.'));
      });
}

LoopBalanceDialog::~LoopBalanceDialog() { pool_.waitForDone(); }

QString LoopBalanceDialog::sentence() const { return sentence_->text(); }

void LoopBalanceDialog::show_balance() {
  const LoopBalance& b = *balance_;
  QString words;
  if (!b.changes())
    words = tr("The racks are balanced already: their shares of need differ by %1.").arg(percent_words(b.spread_before, 1));
  else
    words = tr("Shares of need differ by %1 instead of %2. Pumps run at %3 instead of %4 of their speed, against %5 instead of "
               "%6, with %7 instead of %8 electrical.")
                .arg(percent_words(b.spread_after, 1), percent_words(b.spread_before, 1), percent_words(b.speed_after, 0),
                     percent_words(b.speed_before, 0), screen_text(b.head_after_pa, kind::pressure, 3, "kPa"),
                     screen_text(b.head_before_pa, kind::pressure, 3, "kPa"),
                     screen_text(b.pump_power_after_w, kind::power, 3), screen_text(b.pump_power_before_w, kind::power, 3));
  if (!b.enough) words += QLatin1Char(' ') + tr("Even so the pumps do not give every rack what it needs.");
  sentence_->setText(words);
  table_->setRowCount(static_cast<int>(b.racks.size()));
  const Theme& t = theme();
  for (std::size_t i = 0; i < b.racks.size(); ++i) {
    const RackBalance& r = b.racks[i];
    const int row = static_cast<int>(i);
    const auto put = [&](int c, const QString& text, bool strong = false) {
      auto* item = new QTableWidgetItem(text);
      item->setTextAlignment((c == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
      if (strong) item->setForeground(t.accent);
      table_->setItem(row, c, item);
    };
    put(0, QString::fromStdString(loop_->racks[i].name));
    put(1, percent_words(r.valve_before, 1));
    put(2, percent_words(r.valve_after, 1), std::abs(r.valve_after - r.valve_before) > 1e-9);
    put(3, litres(r.need_m3_per_s));
    put(4, litres(r.flow_before_m3_per_s));
    put(5, litres(r.flow_after_m3_per_s));
  }
  set_->setEnabled(b.changes());
  if (b.changes()) set_->setFocus();
}

} // namespace hallwright
