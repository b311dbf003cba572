// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/validation_window.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QAbstractTableModel>
#include <QComboBox>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {

/// Rows are made when they are seen; sorted by numbers.
class ValidationModel : public QAbstractTableModel {
public:
  enum Column { id, model, accelerator, gpus, layout, measured, ours, deviation, interval, region, column_count };
  using QAbstractTableModel::QAbstractTableModel;

  void setAnswer(std::shared_ptr<const TrainingValidation> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    arrange();
    endResetModel();
  }
  void setFilter(const QString& family, const QString& words) {
    beginResetModel();
    family_ = family;
    words_ = words;
    arrange();
    endResetModel();
  }
  void sort(int column, Qt::SortOrder order) override {
    beginResetModel();
    sorted_by_ = column;
    descending_ = order == Qt::DescendingOrder;
    arrange();
    endResetModel();
  }
  [[nodiscard]] const ValidatedRun& run(int row) const { return answer_->runs[order_[static_cast<std::size_t>(row)]]; }
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : column_count; }
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(right(section) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QStringList words{tr("Run"), tr("Model"), tr("GPU"), tr("GPUs"), tr("Layout"), tr("Measured, s"), tr("Ours, s"),
                            tr("Deviation"), tr("90 % interval, s"), tr("Measured runs")};
    return words[section];
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const ValidatedRun& v = run(index.row());
    if (role == Qt::TextAlignmentRole)
      return int(right(index.column()) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return to_qstring(v.source) + (v.run.assumed.empty() ? QString() : tr("\nTaken where the source is silent: %1").arg(listed(v.run.assumed)));
    if (role == Qt::ForegroundRole && (index.column() == deviation || index.column() == interval) && !v.in_interval)
      return QBrush(theme().amber);
    if (role != Qt::DisplayRole) return {};
    const QLocale l;
    const auto seconds = [&](double s) { return l.toString(s, 'g', 4); };
    switch (index.column()) {
    case id: return to_qstring(v.run.id);
    case model: return to_qstring(v.run.model);
    case accelerator: return to_qstring(v.run.accelerator);
    case gpus: return l.toString(v.run.gpus, 'f', 0);
    case layout: {
      const JobSplit& j = v.prediction.split;
      QString words = tr("TP %1 \u00b7 PP %2 \u00b7 DP %3").arg(j.tp).arg(j.pp).arg(j.dp);
      if (j.cp > 1) words += tr(" \u00b7 CP %1").arg(j.cp);
      if (j.ep > 1) words += tr(" \u00b7 EP %1").arg(j.ep);
      return words;
    }
    case measured: return seconds(v.measured_s);
    case ours: return seconds(v.prediction.step_s);
    case deviation: return (v.deviation >= 0 ? QStringLiteral("+") : QString()) + l.toString(100.0 * v.deviation, 'f', 1) + QStringLiteral(" %");
    case interval: return tr("%1 to %2").arg(seconds(v.prediction.low_s), seconds(v.prediction.high_s));
    case region: return to_qstring(region_word(v.prediction.region));
    default: return {};
    }
  }

private:
  static QString tr(const char* text) { return ValidationWindow::tr(text); }
  static bool right(int column) { return column == gpus || (column >= measured && column <= interval); }
  static QString listed(const std::vector<std::string>& words) {
    QStringList out;
    for (const std::string& w : words) out << to_qstring(w);
    return out.join(QStringLiteral(", "));
  }
  void arrange() {
    order_.clear();
    if (!answer_) return;
    for (std::size_t i = 0; i < answer_->runs.size(); ++i) {
      const ValidatedRun& v = answer_->runs[i];
      const QString name = to_qstring(v.experts() ? v.family + ", experts" : v.family);
      if (family_ == QLatin1String("dense") ? v.experts() : family_ == QLatin1String("experts") ? !v.experts() : !family_.isEmpty() && name != family_)
        continue;
      const QString all = to_qstring(v.run.id + " " + v.run.model + " " + v.run.accelerator + " " + v.source);
      if (!words_.isEmpty() && !all.contains(words_, Qt::CaseInsensitive)) continue;
      order_.push_back(i);
    }
    const auto key = [&](std::size_t i) {
      const ValidatedRun& v = answer_->runs[i];
      switch (sorted_by_) {
      case gpus: return v.run.gpus;
      case measured: return v.measured_s;
      case ours: return v.prediction.step_s;
      case deviation: return std::abs(v.deviation);
      case interval: return v.prediction.low_s;
      case region: return static_cast<double>(v.prediction.region);
      default: return 0.0;
      }
    };
    const auto words = [&](std::size_t i) -> const std::string& {
      const TrainingRun& r = answer_->runs[i].run;
      return sorted_by_ == model ? r.model : sorted_by_ == accelerator ? r.accelerator : r.id;
    };
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      if (descending_) std::swap(a, b);
      return key(a) != key(b) ? key(a) < key(b) : words(a) < words(b);
    });
  }
  std::shared_ptr<const TrainingValidation> answer_;
  std::vector<std::size_t> order_;
  QString family_, words_;
  int sorted_by_ = id;
  bool descending_ = false;
};

ValidationWindow::ValidationWindow(Shared<Catalog> catalog, QWidget* parent) : QDialog(parent, Qt::Window), catalog_(std::move(catalog)) {
  setObjectName(QStringLiteral("validation_window"));
  setWindowTitle(tr("Validation: published runs beside ours"));
  pool_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  note_ = new QLabel(tr("Seconds of a step of training runs that others have published, and what the step-time model of this program says of each. "
                        "Its constants were fitted to these runs; with a source left out of the fit, its dense runs are 8.1 % off in the mean and its "
                        "runs with experts 17 %."),
                     this);
  note_->setWordWrap(true);
  column->addWidget(note_);
  auto* line = new QHBoxLayout;
  family_ = new QComboBox(this);
  family_->setObjectName(QStringLiteral("validation_source"));
  family_->setAccessibleName(tr("Source"));
  family_->addItem(tr("All runs"), QString());
  family_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("validation_search"));
  search_->setPlaceholderText(tr("Search runs, models, GPUs, sources"));
  search_->setAccessibleName(tr("Search"));
  search_->setClearButtonEnabled(true);
  line->addWidget(family_);
  line->addWidget(search_, 1);
  column->addLayout(line);
  summary_ = new QLabel(tr("Computing\u2026"), this);
  summary_->setObjectName(QStringLiteral("validation_summary"));
  summary_->setWordWrap(true);
  column->addWidget(summary_);
  model_ = new ValidationModel(this);
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("validation_table"));
  table_->setAccessibleName(tr("Published runs"));
  table_->setModel(model_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(ValidationModel::id, Qt::AscendingOrder);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setAlternatingRowColors(true);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setTabKeyNavigation(false);
  const int em = fontMetrics().averageCharWidth();
  const int widths[] = {26, 26, 20, 9, 28, 13, 11, 11, 20, 14};
  for (int c = 0; c < ValidationModel::column_count; ++c) table_->setColumnWidth(c, widths[c] * em);
  column->addWidget(table_, 1);
  resize(std::min(1240, em * 190), 720);
  const auto refilter = [this] {
    model_->setFilter(family_->currentData().toString(), search_->text());
    show_summary();
  };
  connect(family_, &QComboBox::currentIndexChanged, this, refilter);
  connect(search_, &QLineEdit::textChanged, this, refilter);

  using Answer = std::pair<std::shared_ptr<const TrainingValidation>, QString>;
  run_in_background(
      pool_, this,
      [catalog = catalog_]() -> Answer {
        QFile file(QStringLiteral(":/validation/training_runs.csv"));
        if (!file.open(QIODevice::ReadOnly)) return {nullptr, file.errorString()};
        auto answer = validate_training_runs(file.readAll().toStdString(), *catalog);
        if (!answer) return {nullptr, to_qstring(answer.error().front())};
        return {std::make_shared<const TrainingValidation>(std::move(*answer)), QString()};
      },
      [this](const Answer& answer) { show_answer(answer.first, answer.second); });
}

ValidationWindow::~ValidationWindow() { pool_.waitForDone(); }

void ValidationWindow::show_answer(const std::shared_ptr<const TrainingValidation>& answer, const QString& problem) {
  if (!answer) {
    summary_->setText(tr("The runs could not be computed: %1").arg(problem));
    return;
  }
  answer_ = answer;
  model_->setAnswer(answer);
  const QSignalBlocker quiet(family_);
  for (const ValidationSummary& s : answer->summaries)
    family_->addItem(tr("%1 (%2 runs)").arg(to_qstring(s.name)).arg(s.runs), to_qstring(s.name));
  show_summary();
}

void ValidationWindow::show_summary() {
  if (!answer_) return;
  const QLocale l;
  const auto percent = [&](double share) { return l.toString(100.0 * share, 'f', 1) + QStringLiteral(" %"); };
  QStringList lines;
  const QString family = family_->currentData().toString();
  for (const ValidationSummary& s : answer_->summaries) {
    const bool wanted = family.isEmpty() ? s.name == "dense" || s.name == "experts" : to_qstring(s.name) == family;
    if (!wanted) continue;
    lines << tr("%1: %2 runs, off by %3 in the mean, %4 in the median, 90 % of them by less than %5; bias %6; the 90 % interval holds %7.")
                 .arg(s.name == "dense" ? tr("Dense") : s.name == "experts" ? tr("With experts") : to_qstring(s.name))
                 .arg(s.runs)
                 .arg(percent(s.mean), percent(s.median), percent(s.p90), (s.bias >= 0 ? QStringLiteral("+") : QString()) + percent(s.bias),
                      percent(s.in_interval));
  }
  if (family.isEmpty())
    lines << tr("Every source counts the same. %1 more runs state too little to be computed.").arg(answer_->not_scored);
  summary_->setText(lines.join(QLatin1Char('\n')));
}

} // namespace hallwright
