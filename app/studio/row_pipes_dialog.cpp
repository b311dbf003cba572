// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/row_pipes_dialog.h"

#include <algorithm>
#include <set>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "cooling/loop_inputs.h"
#include "cooling/loop_results.h"
#include "cooling/row_pipes.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

RowPipesDialog::RowPipesDialog(Document& document, Id loop, QWidget* parent)
    : QDialog(parent), document_(document), loop_(loop) {
  setObjectName(QStringLiteral("row_pipes_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Draw coolant pipes for a row"));
  auto* column = new QVBoxLayout(this);
  column->setSpacing(3 * spacing_unit);
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  row_ = new QComboBox(this);
  row_->setObjectName(QStringLiteral("row_pipes_row"));
  form->addRow(tr("&Row"), row_);
  return_ = new QComboBox(this);
  return_->setObjectName(QStringLiteral("row_pipes_return"));
  return_->addItems({tr("Direct return: the shortest pipes"), tr("Reverse return: the same way for every rack")});
  form->addRow(tr("R&eturn"), return_);
  velocity_ = new QLineEdit(this);
  velocity_->setObjectName(QStringLiteral("row_pipes_velocity"));
  const SharedEvaluation& e = document_.evaluation();
  const double usual = e ? stated_value(*e->catalog, "cooling.pipe_velocity_practice", kind::velocity, 2.4) : 2.4;
  velocity_->setPlaceholderText(screen_text(usual, kind::velocity, 3, "m/s"));
  velocity_->setToolTip(tr("Of the coolant in headers, at most; empty: the practice of the trade"));
  form->addRow(tr("&Velocity at most"), velocity_);
  column->addLayout(form);
  sentence_ = new QLabel(this);
  sentence_->setObjectName(QStringLiteral("row_pipes_sentence"));
  sentence_->setWordWrap(true);
  sentence_->setMinimumHeight(fontMetrics().height() * 4);
  sentence_->setAlignment(Qt::AlignTop);
  column->addWidget(sentence_);
  auto* hint = new QLabel(tr("Shown on the plan and in all figures while this is open. Bores are standard steel pipe; "
                             "drag the pipes afterwards as you like."),
                          this);
  hint->setObjectName(QStringLiteral("secondary"));
  hint->setWordWrap(true);
  column->addWidget(hint);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  draw_ = buttons->button(QDialogButtonBox::Ok);
  draw_->setText(tr("Draw"));
  column->addWidget(buttons);
  setMinimumWidth(fontMetrics().averageCharWidth() * 66);
  gather_rows();
  for (const Row& r : rows_)
    row_->addItem(r.name);
  connect(row_, &QComboBox::currentIndexChanged, this, &RowPipesDialog::choose);
  connect(return_, &QComboBox::currentIndexChanged, this, &RowPipesDialog::choose);
  connect(velocity_, &QLineEdit::editingFinished, this, &RowPipesDialog::choose);
  connect(buttons, &QDialogButtonBox::accepted, this, &RowPipesDialog::draw);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  choose();
}

RowPipesDialog::~RowPipesDialog() {
  if (previewed_) document_.cancelPreview();
}

QString RowPipesDialog::sentence() const { return sentence_->text(); }

void RowPipesDialog::gather_rows() {
  const SharedEvaluation& e = document_.evaluation();
  const Design& d = document_.design();
  if (!e || !e->load) return;
  // What each rack needs, as the loops have it.
  const DrawnLoopInputs in = loop_inputs(e->design, e->catalog);
  const auto coolant = rack_coolant(in, *e->load);
  std::set<Id> wants;
  for (std::size_t i = 0; i < coolant.size() && i < e->design.racks->size(); ++i)
    if (coolant[i].need_m3_per_s > 0.0) {
      const Id id = (*e->design.racks)[i].id;
      needs_.push_back({id, coolant[i].need_m3_per_s});
      wants.insert(id);
    }
  std::sort(needs_.begin(), needs_.end());
  // Racks that are selected: from the first to the last of them.
  std::vector<Id> chosen;
  for (const EntityRef& s : document_.selection()) {
    if (s.table == "racks") chosen.push_back(s.id);
    if (s.table == "rows")
      for (const Rack& r : *d.racks)
        if (r.row == s.id) chosen.push_back(r.id);
  }
  if (!chosen.empty()) {
    std::vector<Id> row = racks_of_row(d, chosen.front()), between;
    const bool one_row = std::all_of(chosen.begin(), chosen.end(),
                                     [&](Id id) { return std::find(row.begin(), row.end(), id) != row.end(); });
    if (one_row && chosen.size() > 1) {
      std::size_t first = row.size(), last = 0;
      for (std::size_t i = 0; i < row.size(); ++i)
        if (std::find(chosen.begin(), chosen.end(), row[i]) != chosen.end()) first = std::min(first, i), last = i;
      for (std::size_t i = first; i <= last && i < row.size(); ++i)
        between.push_back(row[i]);
    } else if (one_row)
      between = row;
    else
      between = chosen;
    rows_.push_back(
        {tr("Selected: %1").arg(counted(static_cast<qint64>(between.size()), tr("1 rack"), tr("%1 racks"))), between});
  }
  std::set<Id> seen;
  for (const Rack& r : *d.racks) {
    if (seen.count(r.id) || !wants.count(r.id)) continue;
    Row row{{}, racks_of_row(d, r.id)};
    seen.insert(row.racks.begin(), row.racks.end());
    const hallwright::Row* named = hallwright::find(*d.rows, r.row);
    const Rack* last = hallwright::find(*d.racks, row.racks.back());
    const Rack* first = hallwright::find(*d.racks, row.racks.front());
    row.name = named && !named->name.empty()
                   ? tr("%1 (%2 to %3)")
                         .arg(QString::fromStdString(named->name), QString::fromStdString(first->name),
                              QString::fromStdString(last->name))
                   : tr("%1 to %2").arg(QString::fromStdString(first->name), QString::fromStdString(last->name));
    rows_.push_back(std::move(row));
  }
  // A row of the loop that is asked for first.
  if (loop_ != 0 && chosen.empty())
    std::stable_partition(rows_.begin(), rows_.end(), [&](const Row& row) {
      return std::any_of(row.racks.begin(), row.racks.end(), [&](Id id) {
        const Rack* r = hallwright::find(*d.racks, id);
        return r && r->loop == loop_;
      });
    });
}

void RowPipesDialog::choose() {
  if (previewed_) document_.cancelPreview();
  previewed_ = false;
  draw_->setEnabled(false);
  const auto say = [&](const QString& words, bool problem) {
    sentence_->setText(screen_sentence(words));
    QPalette p = sentence_->palette();
    p.setColor(QPalette::WindowText, problem ? theme().red : theme().text);
    sentence_->setPalette(p);
  };
  const int at = row_->currentIndex();
  const SharedEvaluation& e = document_.evaluation();
  if (at < 0 || at >= static_cast<int>(rows_.size()) || !e) {
    say(tr("No rack of this design has heat that goes to liquid: place racks with liquid-cooled parts first."), true);
    return;
  }
  RowPipesWish wish;
  wish.reverse_return = return_->currentIndex() == 1;
  // The loop that is shown holds for rows that have none yet; racks that are in one stay in it.
  wish.racks = rows_[static_cast<std::size_t>(at)].racks;
  const Design& d = document_.design();
  const bool in_another = std::any_of(wish.racks.begin(), wish.racks.end(), [&](Id id) {
    const Rack* r = hallwright::find(*d.racks, id);
    return r && r->loop != 0 && r->loop != loop_;
  });
  wish.loop = in_another ? 0 : loop_;
  for (const Id id : wish.racks) {
    const auto it = std::lower_bound(needs_.begin(), needs_.end(), std::pair(id, -1.0));
    wish.need_m3_per_s.push_back(it != needs_.end() && it->first == id ? it->second : 0.0);
  }
  if (!velocity_->text().trimmed().isEmpty()) {
    const auto v = parse_quantity(velocity_->text().toStdString(), kind::velocity, screen_decimal_mark(), "m/s");
    if (!v) return say(QString::fromStdString(v.error()), true);
    wish.velocity_m_per_s = *v;
  }
  const auto made = row_pipes(d, *e->catalog, wish);
  if (!made) return say(QString::fromStdString(made.error()) + QLatin1Char('.'), true);
  edit_ = row_pipes_edit(*made);
  say(QString::fromStdString(made->sentence) + QLatin1Char('.'), false);
  draw_->setEnabled(true);
  document_.preview(edit_);
  previewed_ = true;
}

void RowPipesDialog::draw() {
  if (velocity_->hasFocus()) choose();
  if (!draw_->isEnabled()) return;
  if (previewed_) document_.cancelPreview();
  previewed_ = false;
  Q_EMIT editRequested(edit_);
  accept();
}

} // namespace hallwright
