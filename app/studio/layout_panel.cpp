// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/layout_panel.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <QCheckBox>
#include <QComboBox>
#include <QFutureWatcher>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QKeyEvent>
#include <QListWidget>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <QtConcurrent>

#include "app/studio/dialog_room.h"
#include "app/studio/finding_changes.h"
#include "app/studio/rack_choice.h"
#include "space/plan_geometry.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_edits.h"
#include "widgets/theme.h"
#include "widgets/whole_label.h"

namespace hallwright {
namespace {

constexpr int picture_letters = 11, picture_lines = 4; ///< size of a plan picture in letters of the font
constexpr std::size_t most_proposals = 4;

/// Labels of `LayoutHeadline`, for the translators.
[[maybe_unused]] constexpr const char* headline_labels[] = {
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Racks"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Fabric racks"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Rows"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "CDUs"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "GPUs"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Mean way to the leaf"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Longest way to the leaf"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Narrowest aisle"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Worst floor load"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "IT load"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Power headroom, worst"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "CDU headroom"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Total cost"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Errors"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Warnings"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Notes"),
    QT_TRANSLATE_NOOP("hallwright::LayoutPanel", "Undecided"),
};

/// A small picture of the hall: what is new in strong colours, what stands there pale. No words: they would be too
/// small.
QPixmap picture(const Design& before, const LayoutProposal& proposal, QSize size, qreal ratio) {
  QPixmap out(size * ratio);
  out.setDevicePixelRatio(ratio);
  out.fill(theme().canvas);
  const Design& d = proposal.outcome.design;
  const Catalog& catalog = *proposal.evaluation->catalog;
  const Hall* hall = hallwright::find(*d.halls, proposal.request.hall);
  if (!hall) return out;
  QPolygonF outline;
  for (const PlanPoint& p : hall->outline)
    outline << QPointF(p.x_mm, p.y_mm);
  const QRectF extent = outline.boundingRect();
  QPainter painter(&out);
  painter.setRenderHint(QPainter::Antialiasing);
  constexpr double margin = 6;
  const double scale =
      std::min((size.width() - 2 * margin) / extent.width(), (size.height() - 2 * margin) / extent.height());
  painter.translate(size.width() / 2.0, size.height() / 2.0);
  painter.scale(scale, scale);
  painter.translate(-extent.center());
  const auto line = [](const QColor& color, double width) {
    QPen pen(color, width);
    pen.setCosmetic(true);
    return pen;
  };
  painter.setPen(line(theme().hall_outline, 1.5));
  painter.setBrush(theme().hall_floor);
  painter.drawPolygon(outline);
  const auto thing = [&](const PlanThing& t, const QColor& color, bool is_new) {
    QColor fill = color;
    if (!is_new) fill.setAlphaF(0.35f);
    painter.setPen(line(theme().hall_floor, 0.5));
    painter.setBrush(fill);
    painter.save();
    painter.translate(t.center_x, t.center_y);
    painter.rotate(std::atan2(t.axis_y, t.axis_x) * 57.29577951308232);
    painter.drawRect(QRectF(-t.half_width, -t.half_depth, 2 * t.half_width, 2 * t.half_depth));
    painter.restore();
  };
  for (const Structure& s : *d.structures)
    if (s.hall == hall->id) thing(plan_thing(s.x, s.y, s.width, s.depth, s.rotation), theme().structure, true);
  for (const Rack& r : *d.racks) {
    if (r.hall != hall->id) continue;
    const RackType* type = hallwright::find(*d.rack_types, r.rack_type);
    const Footprint f = rack_footprint(catalog, type ? *type : RackType{});
    thing(plan_thing(r.x, r.y, f.width, f.depth, r.rotation),
          type && type->role == RackRole::fabric ? theme().fabric_kind : theme().accent,
          !hallwright::find(*before.racks, r.id));
  }
  for (const CoolingUnit& u : *d.cooling_units) {
    if (u.hall != hall->id) continue;
    const Footprint f = cooling_unit_footprint(catalog, u);
    thing(plan_thing(u.x, u.y, f.width, f.depth, u.rotation), theme().liquid,
          !hallwright::find(*before.cooling_units, u.id));
  }
  for (const PowerUnit& u : *d.power_units) {
    if (u.hall != hall->id || u.elevation) continue;
    const Footprint f = power_unit_footprint(catalog, u);
    thing(plan_thing(u.x, u.y, f.width, f.depth, u.rotation), theme().power,
          !hallwright::find(*before.power_units, u.id));
  }
  return out;
}

/// A value over its limit stays red in the chosen column.
class KeepsColour : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant ink = index.data(Qt::ForegroundRole);
    if (ink.canConvert<QBrush>()) option->palette.setBrush(QPalette::HighlightedText, qvariant_cast<QBrush>(ink));
  }
};

/// Short where there is no value: the column is narrow, its tooltip tells why.
QString value_text(const LayoutProposal& proposal, const LayoutHeadline& h) {
  if (h.figure.empty()) return screen_number(static_cast<qlonglong>(h.number));
  const Figure* f = proposal.evaluation->figures.find(h.figure);
  if (!f || !f->has_value() || nothing_known(*f)) return QStringLiteral("\u2013");
  const QString value = screen_text(f->value, *f->kind);
  if (f->completeness == Completeness::estimate) return QStringLiteral("\u2248 ") + value;
  return f->completeness == Completeness::lower_bound ? QStringLiteral("\u2265 ") + value : value;
}

/// "Rows along x, wide aisles" in lines that fit a column; a longer word stands alone.
QString in_lines(const QString& words, const QFontMetrics& metrics, int width) {
  QString out, line;
  for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
    if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width) {
      out += line + QLatin1Char('\n');
      line = word;
    } else {
      line = longer;
    }
  }
  return out + line;
}

} // namespace

LayoutPanel::LayoutPanel(Document& document, const Shared<Catalog>& catalog, Id hall, QWidget* parent)
    : QWidget(parent), document_(document), catalog_(catalog), design_(document.design()) {
  setObjectName(QStringLiteral("layout_panel"));
  setAccessibleName(tr("Lay out racks"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  const OptionColumn body = option_column(this); // scrolled in a low window; the buttons stay
  body.options->setObjectName(QStringLiteral("clear"));
  outer->addWidget(body.scroll, 1);
  QVBoxLayout* column = body.column;
  column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  auto* form = new QGridLayout;
  form->setHorizontalSpacing(2 * spacing_unit);
  form->setVerticalSpacing(spacing_unit);
  column->addLayout(form);
  make_fields(form);
  fill_types();
  fill_places(hall);
  // What is going on stands at the top: the table below it may be empty.
  state_ = new WholeLabel(this);
  state_->setAccessibleName(tr("State of the layout"));
  state_->setTextFormat(Qt::PlainText);
  column->addWidget(state_);
  make_table();
  table_->setMinimumHeight(fontMetrics().height() * 17);
  column->addWidget(table_, 1);
  name_ = new QLabel(this);
  name_->setObjectName(QStringLiteral("title"));
  effect_ = new QLabel(this);
  effect_->setObjectName(QStringLiteral("layout_effect"));
  notes_ = new QLabel(this);
  notes_->setObjectName(QStringLiteral("layout_notes"));
  for (QLabel* label : {name_, notes_, effect_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  }
  findings_ = new QListWidget(this);
  findings_->setObjectName(QStringLiteral("layout_findings"));
  findings_->setAccessibleName(tr("What the checks will say of it"));
  findings_->setTextElideMode(Qt::ElideRight);
  findings_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  findings_->setUniformItemSizes(true);
  findings_->setIconSize(QSize(16, 16));
  findings_->setSelectionMode(QAbstractItemView::NoSelection);
  findings_->setFixedHeight(fontMetrics().height() * 5);
  column->addWidget(name_);
  column->addWidget(effect_);
  column->addWidget(findings_);
  column->addWidget(notes_);
  column->addStretch(0);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  buttons->addStretch(1);
  apply_ = new QPushButton(tr("&Apply"), this);
  apply_->setObjectName(QStringLiteral("layout_apply"));
  apply_->setDefault(true);
  apply_->setEnabled(false);
  cancel_ = new QPushButton(tr("Cancel (Esc)"), this);
  cancel_->setObjectName(QStringLiteral("layout_cancel"));
  buttons->addWidget(apply_);
  buttons->addWidget(cancel_);
  outer->addLayout(buttons);
  connect(apply_, &QPushButton::clicked, this, &LayoutPanel::accept);
  connect(cancel_, &QPushButton::clicked, this, &LayoutPanel::reject);

  pause_ = new QTimer(this);
  pause_->setSingleShot(true);
  pause_->setInterval(200); // a number being typed is not asked about digit by digit
  connect(pause_, &QTimer::timeout, this, &LayoutPanel::ask);
  for (QComboBox* box : {type_, where_}) connect(box, &QComboBox::currentIndexChanged, this, &LayoutPanel::ask_soon);
  for (QSpinBox* box : {count_, longest_}) connect(box, &QSpinBox::valueChanged, this, &LayoutPanel::ask_soon);
  watcher_ = new QFutureWatcher<SharedAnswer>(this);
  connect(watcher_, &QFutureWatcher<SharedAnswer>::finished, this, [this] {
    if (!watcher_->isCanceled()) show_answer(watcher_->result());
  });
  connect(&document_, &Document::designCommitted, this, &LayoutPanel::follow_design);
  connect(&document_, &Document::designShown, this, [this] {
    if (!document_.previewing()) QMetaObject::invokeMethod(this, &LayoutPanel::show_again, Qt::QueuedConnection);
  });
  ask();
}

LayoutPanel::~LayoutPanel() { stop_.request_stop(); }

void LayoutPanel::make_fields(QGridLayout* form) {
  const auto label = [&](int row, int column, const QString& text, QWidget* editor) {
    auto* words = new QLabel(text, this);
    words->setBuddy(editor);
    form->addWidget(words, row, column);
  };
  const auto combo = [&](int row, const QString& text, const char* name) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    label(row, 0, text, box);
    form->addWidget(box, row, 1);
    return box;
  };
  type_ = combo(0, tr("Rack &type"), "layout_type");
  where_ = combo(1, tr("Where"), "layout_where");
  const auto number = [&](int row, const QString& text, const char* name, int most, int value, const QString& tip) {
    auto* box = new QSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(1, most);
    box->setValue(value);
    box->setToolTip(tip);
    label(row, 0, text, box);
    form->addWidget(box, row, 1);
    return box;
  };
  count_ = number(2, tr("&Number of racks"), "layout_count", 20000, 16, {});
  longest_ = number(3, tr("Longest row, racks"), "layout_longest", 500, 20, tr("Racks side by side before a cross aisle"));
  form->setColumnStretch(1, 1);
  auto* options = new QGridLayout;
  options->setContentsMargins(0, 0, 0, 0);
  form->addLayout(options, 4, 0, 1, 2);
  const auto option = [&](int row, int column, int span, const char* name, const QString& text, const QString& tip, bool on) {
    auto* box = new QCheckBox(text, this);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(tip);
    box->setChecked(on);
    options->addWidget(box, row, column, 1, span);
    connect(box, &QCheckBox::toggled, this, &LayoutPanel::ask_soon);
    return box;
  };
  leafs_ = option(0, 0, 1, "layout_leafs", tr("Fabric racks"),
                  tr("In the middle of each pod, or at its start in one of the proposals"), true);
  cdus_ = option(0, 1, 1, "layout_cdus", tr("&CDUs"), tr("Sized for the heat to liquid with the plant's redundancy"), true);
  busways_ = option(0, 2, 1, "layout_busways", tr("Busways"),
                    tr("An A and a B busway above each row; otherwise racks take the feeds that are drawn"), true);
  replace_ = option(1, 0, 3, "layout_replace", tr("Replace what stands there"),
                    tr("Unlocked racks, CDUs and busways in that hall or zone make room"), false);
}

void LayoutPanel::make_table() {
  table_ = new QTableWidget(this);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setObjectName(QStringLiteral("layout_proposals"));
  table_->setAccessibleName(tr("Proposals side by side"));
  table_->setItemDelegate(new KeepsColour(table_));
  table_->setSelectionBehavior(QAbstractItemView::SelectColumns);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setWordWrap(true);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setHighlightSections(true);
  const QFontMetrics metrics = fontMetrics();
  table_->setIconSize(QSize(metrics.averageCharWidth() * picture_letters, metrics.height() * picture_lines));
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int, int now, int, int before) {
    if (now != before) choose(now);
  });
  connect(table_, &QTableWidget::cellDoubleClicked, this, [this](int row, int col) {
    if (!answer_ || !answer_->proposals || row < 1) return;
    const auto& lines = answer_->proposals->proposals[static_cast<std::size_t>(col)].headlines;
    const std::string& figure = lines[static_cast<std::size_t>(row - 1)].figure;
    if (!figure.empty()) Q_EMIT figureActivated(QString::fromStdString(figure));
  });
}

/// Types of the design, then racks of the catalog, as for a row: whole ones before empty cabinets.
void LayoutPanel::fill_types() {
  const QVariant kept = type_->currentData();
  type_->clear();
  for (const RackType& t : *design_.rack_types)
    if (t.role != RackRole::fabric)
      type_->addItem(QString::fromStdString(t.name), QVariant::fromValue<qlonglong>(t.id));
  const int types = type_->count();
  for (const bool cabinets : {false, true})
    for (const PartSummary& p : part_summaries(*catalog_, "rack"))
      if ((catalog_->find<RackPart>(p.id)->kind == "cabinet") == cabinets)
        type_->addItem(maker_and_name(p.vendor, p.name), QString::fromStdString(p.id));
  if (types > 0 && type_->count() > types) type_->insertSeparator(types);
  const LikelyRack likely = likely_rack(design_, *catalog_);
  const QVariant wanted = kept.isValid()      ? kept
                          : likely.type != 0 ? QVariant::fromValue<qlonglong>(likely.type)
                                             : QVariant(QString::fromStdString(likely.part));
  if (const int at = type_->findData(wanted); at >= 0) type_->setCurrentIndex(at);
}

void LayoutPanel::fill_places(Id hall) {
  where_->clear();
  for (const Hall& h : *design_.halls) {
    where_->addItem(QString::fromStdString(h.name), QVariant::fromValue<qlonglong>(h.id));
    if (h.id == hall) where_->setCurrentIndex(where_->count() - 1);
    for (const Zone& z : *design_.zones)
      if (z.hall == h.id) {
        where_->addItem(tr("%1, %2", "hall, zone").arg(QString::fromStdString(h.name), QString::fromStdString(z.name)),
                        QVariant::fromValue<qlonglong>(z.id));
        if (z.id == hall) where_->setCurrentIndex(where_->count() - 1);
      }
  }
}

void LayoutPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    event->accept();
    reject();
    return;
  }
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && apply_->isEnabled()) {
    event->accept();
    accept();
    return;
  }
  QWidget::keyPressEvent(event);
}

void LayoutPanel::accept() {
  if (!answer_ || !answer_->proposals || chosen_ < 0 || !settled_) return;
  done_ = true;
  stop_.request_stop();
  document_.applyAndSelectNew(edit_of(chosen_));
  Q_EMIT finished(true);
}

void LayoutPanel::reject() {
  if (done_) return;
  done_ = true;
  stop_.request_stop();
  document_.cancelPreview();
  Q_EMIT finished(false);
}

void LayoutPanel::follow_design() {
  if (done_) return;
  design_ = document_.design();
  if (design_.halls->empty()) {
    reject();
    return;
  }
  filling_ = true;
  fill_types();
  fill_places(where_->currentData().toLongLong());
  filling_ = false;
  ask_soon();
}

void LayoutPanel::show_again() {
  if (!done_ && settled_ && chosen_ >= 0 && !document_.previewing()) document_.preview(edit_of(chosen_));
}

LayoutWish LayoutPanel::wish() const {
  LayoutWish w;
  const plan::CatalogRack rack = catalog_rack();
  Design with_type = design_;
  w.rack_type = rack.part.empty() ? type_->currentData().toLongLong()
                                  : plan::rack_type_of_part(with_type, rack);
  w.count = count_->value();
  const Id where = where_->currentData().toLongLong();
  if (const Zone* zone = hallwright::find(*design_.zones, where))
    w.zone = zone->id, w.hall = zone->hall;
  else
    w.hall = where;
  w.longest_row = longest_->value();
  w.leafs = leafs_->isChecked();
  w.cdus = cdus_->isChecked();
  w.busways = busways_->isChecked();
  w.replace = replace_->isChecked();
  return w;
}

plan::CatalogRack LayoutPanel::catalog_rack() const {
  const QVariant chosen = type_->currentData();
  if (chosen.typeId() != QMetaType::QString) return {};
  return plan::catalog_rack(chosen.toString().toStdString(), *catalog_);
}

Edit LayoutPanel::edit_of(int proposal) const {
  const Edit& edit = answer_->proposals->proposals[static_cast<std::size_t>(proposal)].edit;
  if (asked_.part.empty()) return edit;
  return {edit.label, [edit, rack = asked_](const Design& d) -> Edited {
            Design with_type = d;
            plan::rack_type_of_part(with_type, rack);
            return edit.apply(with_type);
          }};
}

void LayoutPanel::ask_soon() {
  if (filling_ || done_) return;
  settled_ = false;
  ++generation_; // an answer that is still on its way is to the question before
  apply_->setEnabled(false);
  tell_state(tr("Laying out\u2026"), false);
  pause_->start();
}

QString LayoutPanel::state() const { return state_->text(); }

/// One line that is always there, so that nothing moves when its words change.
void LayoutPanel::tell_state(const QString& words, bool problem) {
  state_->setObjectName(problem ? QStringLiteral("problem") : QStringLiteral("secondary"));
  state_->style()->unpolish(state_);
  state_->style()->polish(state_);
  state_->setText(words);
  state_->takeHeight();
}

void LayoutPanel::ask() {
  if (done_) return;
  settled_ = false;
  stop_.request_stop();
  stop_ = std::stop_source{};
  const quint64 generation = ++generation_;
  tell_state(tr("Laying out\u2026"), false);
  asked_ = catalog_rack();
  Design design = design_;
  if (!asked_.part.empty()) plan::rack_type_of_part(design, asked_);
  watcher_->setFuture(QtConcurrent::run(
      [design, catalog = catalog_, wish = wish(), generation, token = stop_.get_token()]() -> SharedAnswer {
        return std::make_shared<const Answer>(
            Answer{generation, layout_proposals(design, catalog, wish, most_proposals, token)});
      }));
}

void LayoutPanel::show_answer(const SharedAnswer& answer) {
  if (answer->generation != generation_ || done_) return;
  settled_ = true;
  answer_ = answer;
  chosen_ = -1;
  const QSignalBlocker quiet(table_);
  table_->clear();
  table_->setRowCount(0);
  table_->setColumnCount(0);
  apply_->setEnabled(false);
  if (!answer->proposals) {
    const QString reason = QString::fromStdString(answer->proposals.error());
    notes_->setText(reason);
    notes_->hide();
    tell_state(reason.left(1).toUpper() + reason.mid(1), true);
    table_->hide();
    name_->hide(), effect_->hide(), findings_->hide();
    document_.cancelPreview();
    return;
  }
  const auto& proposals = answer->proposals->proposals;
  tell_state(counted(static_cast<qint64>(proposals.size()), tr("1 proposal"), tr("%1 proposals side by side")), false);
  table_->show();
  const int lines = static_cast<int>(proposals.front().headlines.size());
  table_->setColumnCount(static_cast<int>(proposals.size()));
  table_->setRowCount(lines + 1);
  QStringList labels{QString()};
  for (const LayoutHeadline& h : proposals.front().headlines)
    labels << tr(h.label.c_str());
  table_->setVerticalHeaderLabels(labels);
  const QFontMetrics metrics = fontMetrics();
  QStringList names;
  for (int c = 0; c < table_->columnCount(); ++c) {
    const LayoutProposal& p = proposals[static_cast<std::size_t>(c)];
    names << in_lines(QString::fromStdString(p.name), metrics, table_->iconSize().width());
    auto* image = new QTableWidgetItem;
    image->setData(Qt::DecorationRole, picture(design_, p, table_->iconSize(), devicePixelRatioF()));
    image->setToolTip(QString::fromStdString(p.name));
    table_->setItem(0, c, image);
    for (int r = 0; r < lines; ++r) {
      const LayoutHeadline& h = p.headlines[static_cast<std::size_t>(r)];
      auto* item = new QTableWidgetItem(value_text(p, h));
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      if (const Figure* f = h.figure.empty() ? nullptr : p.evaluation->figures.find(h.figure)) {
        item->setToolTip(figure_tooltip(*f));
        if (f->status == Status::over_limit) item->setForeground(theme().red);
      }
      if (h.label == "Errors" && p.findings.errors > 0) item->setForeground(theme().red);
      table_->setItem(r + 1, c, item);
    }
  }
  table_->setHorizontalHeaderLabels(names);
  for (int c = 0; c < table_->columnCount(); ++c)
    table_->setColumnWidth(c, table_->iconSize().width() + 2 * spacing_unit);
  table_->setRowHeight(0, table_->iconSize().height() + 2 * spacing_unit);
  for (int r = 1; r <= lines; ++r)
    table_->setRowHeight(r, metrics.height() + 3 * spacing_unit / 2);
  table_->setCurrentCell(1, 0);
  choose(0);
}

void LayoutPanel::choose(int column) {
  if (!answer_ || !answer_->proposals || column < 0 || column >= static_cast<int>(answer_->proposals->proposals.size()))
    return;
  chosen_ = column;
  const LayoutProposal& p = answer_->proposals->proposals[static_cast<std::size_t>(column)];
  QStringList notes;
  for (const std::string& n : p.outcome.notes)
    notes << QString::fromStdString(n) + QLatin1Char('.');
  notes_->setText(notes.join(QLatin1Char(' ')));
  notes_->setVisible(!notes.isEmpty());
  name_->setText(QString::fromStdString(p.name));
  name_->show();
  apply_->setEnabled(settled_);
  document_.preview(edit_of(column));
  show_findings(p);
}

/// The findings of the proposal, as the checks show them once it is applied; those that it brings come first.
void LayoutPanel::show_findings(const LayoutProposal& proposal) {
  const SharedEvaluation& before = document_.baseline();
  std::set<const Finding*> come;
  if (before) {
    const FindingChanges changes = finding_changes(before->findings, proposal.evaluation->findings);
    come.insert(changes.come.begin(), changes.come.end());
    const auto n = [](std::size_t count, const QString& one, const QString& many) {
      return counted(static_cast<qint64>(count), one, many);
    };
    QStringList words;
    if (!changes.come.empty()) words << n(changes.come.size(), tr("1 new finding"), tr("%1 new findings"));
    if (!changes.gone.empty()) words << n(changes.gone.size(), tr("1 fewer"), tr("%1 fewer"));
    effect_->setText(words.isEmpty() ? tr("No finding comes or goes.") : words.join(QStringLiteral(", ")) + QLatin1Char('.'));
  }
  effect_->setVisible(before != nullptr);
  findings_->clear();
  for (const bool fresh : {true, false})
    for (const Finding& f : proposal.evaluation->findings) {
      if (f.waived || (come.count(&f) > 0) != fresh) continue;
      const QString sentence = screen_sentence(QString::fromStdString(f.message));
      auto* item = new QListWidgetItem(
          icon(f.severity == Severity::error     ? QStringLiteral("checks-error")
               : f.severity == Severity::warning ? QStringLiteral("checks-warning")
                                                 : QStringLiteral("checks-note")),
          (fresh ? tr("new: %1 %2") : QStringLiteral("%1 %2")).arg(QString::fromStdString(f.code), sentence), findings_);
      item->setToolTip(QStringLiteral("<p>%1</p>").arg(sentence.toHtmlEscaped()));
    }
  findings_->setVisible(findings_->count() > 0);
}

} // namespace hallwright
