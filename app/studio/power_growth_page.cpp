// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/power_growth_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/density_dialog.h"
#include "app/studio/subject_workspace.h"
#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/one_line/level_bars.h"
#include "widgets/theme.h"

namespace hallwright {

PowerGrowthPage::PowerGrowthPage(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("power_growth"));
  pool_.setMaxThreadCount(1);
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
  auto* label = new QLabel(tr("How many more racks of"), pair);
  label->setObjectName(QStringLiteral("secondary"));
  type_ = new QComboBox(pair);
  type_->setObjectName(QStringLiteral("power_growth_type"));
  type_->setAccessibleName(tr("Rack type to add"));
  type_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  label->setBuddy(type_);
  line->addWidget(label);
  line->addWidget(type_);
  flow->addWidget(pair);
  failures_ = new QCheckBox(tr("also with any one unit out"), bar);
  failures_->setObjectName(QStringLiteral("power_growth_failures"));
  failures_->setChecked(true);
  flow->addWidget(failures_);
  auto* density = new QPushButton(tr("Density upgrade of a row\u2026"), bar);
  density->setObjectName(QStringLiteral("power_density"));
  density->setToolTip(tr("What a row of racks needs to go to a wanted power per rack: power, heat, floor, reach"));
  flow->addWidget(density);
  connect(density, &QPushButton::clicked, this, &PowerGrowthPage::openDensity);
  column->addWidget(bar);

  auto* body = new QWidget(this);
  body->setObjectName(QStringLiteral("clear"));
  auto* body_column = new QVBoxLayout(body);
  body_column->setContentsMargins(0, 0, 0, 0);
  answer_ = new QLabel(body);
  answer_->setObjectName(QStringLiteral("power_growth_answer"));
  answer_->setWordWrap(true);
  answer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  body_column->addWidget(answer_);
  bars_ = new LevelBars(body);
  bars_->setObjectName(QStringLiteral("power_levels"));
  bars_->setEmptyText(tr("Draw the one-line and put racks on it: what each level has left is shown here."));
  body_column->addWidget(bars_);
  column->addWidget(make_card(tr("Power of each level"), body, this));

  feeds_ = new QTableWidget(0, 4, this);
  feeds_->setTextElideMode(Qt::ElideMiddle);
  feeds_->setObjectName(QStringLiteral("power_growth_feeds"));
  feeds_->setAccessibleName(tr("Room on each pair of feeds"));
  feeds_->setHorizontalHeaderLabels({tr("Feeds"), tr("More racks"), tr("Who says no"), tr("with out")});
  feeds_->verticalHeader()->hide();
  feeds_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  feeds_->setShowGrid(false);
  feeds_->setWordWrap(false);
  feeds_->setSelectionBehavior(QAbstractItemView::SelectRows);
  feeds_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  feeds_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  feeds_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
  feeds_->horizontalHeader()->setHighlightSections(false);
  for (int c = 0; c < 4; ++c)
    feeds_->horizontalHeaderItem(c)->setTextAlignment((c == 1 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  QWidget* card = make_card(tr("Where they fit: pairs of feeds, those with most room first"), feeds_, this);
  card->setMinimumHeight(fontMetrics().height() * 9);
  column->addWidget(card, 1);

  connect(type_, &QComboBox::activated, this, [this](int i) {
    chosen_ = type_->itemData(i).toLongLong();
    ask();
  });
  connect(failures_, &QCheckBox::toggled, this, &PowerGrowthPage::ask);
  connect(feeds_, &QTableWidget::itemSelectionChanged, this, [this] {
    const int row = feeds_->currentRow();
    if (!feeds_->hasFocus() || row < 0 || row >= static_cast<int>(rooms_.size())) return;
    const FeedRoom& r = rooms_[static_cast<std::size_t>(row)];
    std::vector<Id> units;
    for (const Id id : {r.feed_a, r.feed_b, r.says_no})
      if (id != 0) units.push_back(id);
    Q_EMIT unitsRequested(units);
  });
}

void PowerGrowthPage::openDensity() {
  auto* dialog = new DensityDialog(document_, window());
  connect(dialog, &DensityDialog::thingsRequested, this, [this](const std::vector<EntityRef>& things) {
    std::vector<Id> units;
    for (const EntityRef& r : things)
      if (r.table == "power_units") units.push_back(r.id);
    if (!units.empty()) Q_EMIT unitsRequested(units);
  });
  dialog->show();
}

PowerGrowthPage::~PowerGrowthPage() {
  stop_.request_stop();
  pool_.waitForDone();
}

QString PowerGrowthPage::answerText() const { return answer_->text(); }

void PowerGrowthPage::setStudy(const std::shared_ptr<const OneLineStudy>& study) {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  study_ = study;
  choices_ = e->load ? rack_choices(e->design, *e->load, *e->catalog) : std::vector<GrowthRack>();
  QStringList names, present;
  for (const GrowthRack& c : choices_)
    names << QString::fromStdString(c.name);
  for (int i = 0; i < type_->count(); ++i)
    present << type_->itemText(i);
  if (names != present) {
    type_->clear();
    for (const GrowthRack& c : choices_)
      type_->addItem(QString::fromStdString(c.name), QVariant::fromValue<qlonglong>(c.type));
  }
  int at = type_->findData(QVariant::fromValue<qlonglong>(chosen_));
  if (at < 0) {
    // The type of most racks.
    std::map<Id, int> racks;
    for (const Rack& r : *e->design.racks)
      ++racks[r.rack_type];
    int most = -1;
    for (std::size_t i = 0; i < choices_.size(); ++i)
      if (const int n = racks[choices_[i].type]; n > most) most = n, at = static_cast<int>(i);
    chosen_ = at >= 0 ? choices_[static_cast<std::size_t>(at)].type : 0;
  }
  type_->setCurrentIndex(at);
  type_->setEnabled(!choices_.empty());
  ask();
}

void PowerGrowthPage::ask() {
  stop_.request_stop();
  ++generation_;
  busy_ = false;
  const int at = type_->currentIndex();
  if (!study_ || at < 0 || at >= static_cast<int>(choices_.size())) {
    answer_->setText(choices_.empty() ? tr("There is no rack type yet: make one in the Hall.") : QString());
    bars_->clear();
    feeds_->setRowCount(0);
    return;
  }
  GrowthRack choice = choices_[static_cast<std::size_t>(at)];
  if (!choice.missing.empty()) {
    answer_->setText(QString::fromStdString(choice.missing) + QLatin1Char('.'));
    bars_->clear();
    feeds_->setRowCount(0);
    return;
  }
  choice.rack.through_failures = failures_->isChecked();
  stop_ = std::stop_source();
  busy_ = true;
  if (bars_->count() == 0) answer_->setText(tr("Filling the plant with racks\u2026"));
  using Answer = tl::expected<PowerGrowth, std::string>;
  run_in_background(
      pool_, this,
      [study = study_, rack = choice.rack, stop = stop_.get_token()] {
        return power_growth(study->line, rack, {}, stop);
      },
      [this, generation = generation_](const Answer& answer) {
        if (generation != generation_) return;
        busy_ = false;
        if (answer) {
          take(*answer);
          return;
        }
        answer_->setText(QString::fromStdString(answer.error()) + QLatin1Char('.'));
        bars_->clear();
        feeds_->setRowCount(0);
      });
}

void PowerGrowthPage::take(const PowerGrowth& growth) {
  if (!growth.complete) {
    // Nothing that could say no: what stood here for another drawing says nothing about this one.
    answer_->setText(growth.sentence.empty() ? QString() : screen_sentence(QString::fromStdString(growth.sentence)) + QLatin1Char('.'));
    bars_->clear();
    feeds_->setRowCount(0);
    return;
  }
  QString text = screen_sentence(QString::fromStdString(growth.sentence)) + QLatin1Char('.');
  if (const SharedEvaluation& e = document_.evaluation(); e && growth.binding != 0)
    text += QLatin1Char(' ') +
            screen_sentence(QString::fromStdString(
                next_growth_step(e->design, study_->line, growth, *e->catalog).sentence)) +
            QLatin1Char('.');
  answer_->setText(text);
  bars_->setGrowth(growth);
  rooms_ = growth.feeds;
  const OneLine& line = study_->line;
  const auto name = [&](Id id) { return id == 0 ? QString() : QString::fromStdString(line.name(id)); };
  feeds_->setRowCount(0);
  feeds_->setRowCount(static_cast<int>(rooms_.size()));
  for (std::size_t i = 0; i < rooms_.size(); ++i) {
    const FeedRoom& r = rooms_[i];
    const QStringList words{r.feed_b == 0 ? name(r.feed_a) : tr("%1 and %2").arg(name(r.feed_a), name(r.feed_b)),
                            screen_number(r.racks), r.says_no == 0 ? tr("no one") : name(r.says_no), name(r.with_out)};
    for (int c = 0; c < 4; ++c) {
      auto* item = new QTableWidgetItem(words[c]);
      item->setTextAlignment((c == 1 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
      item->setToolTip(words[c]);
      feeds_->setItem(static_cast<int>(i), c, item);
    }
  }
}

} // namespace hallwright
