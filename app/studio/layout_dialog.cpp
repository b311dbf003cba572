// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/layout_dialog.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFutureWatcher>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <QtConcurrent>

#include "app/studio/dialog_room.h"
#include "space/plan_geometry.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_edits.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

constexpr int picture_letters = 26, picture_lines = 8; ///< size of a plan picture in letters of the font
constexpr std::size_t most_proposals = 4;

/// Labels of `LayoutHeadline`, for the translators.
[[maybe_unused]] constexpr const char* headline_labels[] = {
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Racks"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Fabric racks"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Rows"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "CDUs"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "GPUs"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Mean way to the leaf"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Longest way to the leaf"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Narrowest aisle"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Worst floor load"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "IT load"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Power headroom, worst"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "CDU headroom"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Total cost"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Errors"),
    QT_TRANSLATE_NOOP("hallwright::LayoutDialog", "Warnings"),
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

QString value_text(const LayoutProposal& proposal, const LayoutHeadline& h) {
  if (!h.figure.empty()) {
    const Figure* f = proposal.evaluation->figures.find(h.figure);
    return f && f->has_value() ? screen_text(*f) : LayoutDialog::tr("not applicable");
  }
  return screen_number(static_cast<qlonglong>(h.number));
}

} // namespace

LayoutDialog::LayoutDialog(Document& document, const Shared<Catalog>& catalog, Id hall, QWidget* parent)
    : QDialog(parent), document_(document), catalog_(catalog), design_(document.design()) {
  setObjectName(QStringLiteral("layout_dialog"));
  setWindowTitle(tr("Lay out racks"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(2 * spacing_unit);

  auto* form = new QGridLayout;
  form->setHorizontalSpacing(3 * spacing_unit);
  const auto field = [&](int row, int col, const QString& text, QWidget* editor) {
    auto* label = new QLabel(text, this);
    label->setBuddy(editor);
    form->addWidget(label, row, 2 * col);
    form->addWidget(editor, row, 2 * col + 1);
  };
  type_ = new QComboBox(this);
  type_->setObjectName(QStringLiteral("layout_type"));
  for (const RackType& t : *design_.rack_types)
    if (t.role != RackRole::fabric)
      type_->addItem(QString::fromStdString(t.name), QVariant::fromValue<qlonglong>(t.id));
  // Racks of the catalog, as for a row: whole ones before empty cabinets.
  const int types = type_->count();
  for (const bool cabinets : {false, true})
    for (const PartSummary& p : part_summaries(*catalog_, "rack"))
      if ((catalog_->find<RackPart>(p.id)->kind == "cabinet") == cabinets)
        type_->addItem(maker_and_name(p.vendor, p.name), QString::fromStdString(p.id));
  if (types > 0 && type_->count() > types) type_->insertSeparator(types);
  type_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  type_->setMinimumContentsLength(24);
  count_ = new QSpinBox(this);
  count_->setObjectName(QStringLiteral("layout_count"));
  count_->setRange(1, 20000);
  count_->setValue(16);
  where_ = new QComboBox(this);
  where_->setObjectName(QStringLiteral("layout_where"));
  for (const Hall& h : *design_.halls) {
    where_->addItem(QString::fromStdString(h.name), QVariant::fromValue<qlonglong>(h.id));
    if (h.id == hall) where_->setCurrentIndex(where_->count() - 1);
    for (const Zone& z : *design_.zones)
      if (z.hall == h.id)
        where_->addItem(tr("%1, %2", "hall, zone").arg(QString::fromStdString(h.name), QString::fromStdString(z.name)),
                        QVariant::fromValue<qlonglong>(z.id));
  }
  longest_ = new QSpinBox(this);
  longest_->setObjectName(QStringLiteral("layout_longest"));
  longest_->setRange(1, 500);
  longest_->setValue(20);
  longest_->setToolTip(tr("Racks side by side before a cross aisle"));
  field(0, 0, tr("Rack &type"), type_);
  field(0, 1, tr("&Number of racks"), count_);
  field(1, 0, tr("&Where"), where_);
  field(1, 1, tr("Longest ro&w, racks"), longest_);
  form->setColumnStretch(1, 1);
  form->setColumnStretch(3, 1);
  column->addLayout(form);

  auto* options = new QHBoxLayout;
  options->setSpacing(4 * spacing_unit);
  const auto option = [&](const char* name, const QString& text, const QString& help, bool on) {
    auto* box = new QCheckBox(text, this);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(help);
    box->setChecked(on);
    options->addWidget(box);
    connect(box, &QCheckBox::toggled, this, &LayoutDialog::ask_soon);
    return box;
  };
  leafs_ = option("layout_leafs", tr("&Fabric racks"),
                  tr("In the middle of each pod, or at its start in one of the proposals"), true);
  cdus_ = option("layout_cdus", tr("&CDUs"), tr("Sized for the heat to liquid with the plant's redundancy"), true);
  busways_ = option("layout_busways", tr("&Busways"),
                    tr("An A and a B busway above each row; otherwise racks take the feeds that are drawn"), true);
  replace_ = option("layout_replace", tr("&Replace what stands there"),
                    tr("Unlocked racks, CDUs and busways in that hall or zone make room"), false);
  options->addStretch(1);
  column->addLayout(options);

  table_ = new QTableWidget(this);
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
  column->addWidget(table_, 1);

  notes_ = new QLabel(this);
  notes_->setObjectName(QStringLiteral("layout_notes"));
  notes_->setWordWrap(true);
  notes_->setTextFormat(Qt::PlainText);
  notes_->setMinimumHeight(metrics.height() * 2);
  notes_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(notes_);
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons_->button(QDialogButtonBox::Ok)->setText(tr("&Apply"));
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(false);
  column->addWidget(buttons_);
  connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);

  pause_ = new QTimer(this);
  pause_->setSingleShot(true);
  pause_->setInterval(200); // a number being typed is not asked about digit by digit
  connect(pause_, &QTimer::timeout, this, &LayoutDialog::ask);
  connect(type_, &QComboBox::currentIndexChanged, this, &LayoutDialog::ask_soon);
  connect(where_, &QComboBox::currentIndexChanged, this, &LayoutDialog::ask_soon);
  connect(count_, &QSpinBox::valueChanged, this, &LayoutDialog::ask_soon);
  connect(longest_, &QSpinBox::valueChanged, this, &LayoutDialog::ask_soon);
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int, int now, int, int before) {
    if (now != before) choose(now);
  });
  watcher_ = new QFutureWatcher<SharedAnswer>(this);
  connect(watcher_, &QFutureWatcher<SharedAnswer>::finished, this, [this] {
    if (!watcher_->isCanceled()) show_answer(watcher_->result());
  });
  connect(this, &QDialog::accepted, this, [this] {
    if (!answer_ || chosen_ < 0) return;
    document_.applyAndSelectNew(edit_of(chosen_));
  });
  connect(this, &QDialog::rejected, this, [this] { document_.cancelPreview(); });

  resize(within_screen(*this, {metrics.averageCharWidth() * 148, metrics.height() * 46}));
  ask();
}

LayoutDialog::~LayoutDialog() { stop_.request_stop(); }

LayoutWish LayoutDialog::wish() const {
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

plan::CatalogRack LayoutDialog::catalog_rack() const {
  const QVariant chosen = type_->currentData();
  if (chosen.typeId() != QMetaType::QString) return {};
  return plan::catalog_rack(chosen.toString().toStdString(), *catalog_);
}

Edit LayoutDialog::edit_of(int proposal) const {
  const Edit& edit = answer_->proposals->proposals[static_cast<std::size_t>(proposal)].edit;
  if (asked_.part.empty()) return edit;
  return {edit.label, [edit, rack = asked_](const Design& d) -> Edited {
            Design with_type = d;
            plan::rack_type_of_part(with_type, rack);
            return edit.apply(with_type);
          }};
}

void LayoutDialog::ask_soon() {
  settled_ = false;
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(false);
  pause_->start();
}

void LayoutDialog::ask() {
  settled_ = false;
  stop_.request_stop();
  stop_ = std::stop_source{};
  const quint64 generation = ++generation_;
  notes_->setText(tr("Laying out\u2026"));
  asked_ = catalog_rack();
  Design design = design_;
  if (!asked_.part.empty()) plan::rack_type_of_part(design, asked_);
  watcher_->setFuture(QtConcurrent::run(
      [design, catalog = catalog_, wish = wish(), generation, token = stop_.get_token()]() -> SharedAnswer {
        return std::make_shared<const Answer>(
            Answer{generation, layout_proposals(design, catalog, wish, most_proposals, token)});
      }));
}

void LayoutDialog::show_answer(const SharedAnswer& answer) {
  if (answer->generation != generation_) return;
  settled_ = true;
  answer_ = answer;
  chosen_ = -1;
  const QSignalBlocker quiet(table_);
  table_->clear();
  table_->setRowCount(0);
  table_->setColumnCount(0);
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(false);
  if (!answer->proposals) {
    notes_->setText(QString::fromStdString(answer->proposals.error()));
    document_.cancelPreview();
    return;
  }
  const auto& proposals = answer->proposals->proposals;
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
    names << QString::fromStdString(p.name).replace(QStringLiteral(", "), QStringLiteral(",\n"));
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
      if (h.label == "Errors" && p.errors > 0) item->setForeground(theme().red);
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

void LayoutDialog::choose(int column) {
  if (!answer_ || !answer_->proposals || column < 0 || column >= static_cast<int>(answer_->proposals->proposals.size()))
    return;
  chosen_ = column;
  const LayoutProposal& p = answer_->proposals->proposals[static_cast<std::size_t>(column)];
  QStringList notes;
  for (const std::string& n : p.outcome.notes)
    notes << QString::fromStdString(n) + QLatin1Char('.');
  if (notes.empty()) notes << tr("The plan shows the chosen proposal; the headlines show its effect.");
  notes_->setText(notes.join(QLatin1Char(' ')));
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(settled_);
  document_.preview(edit_of(column));
}

} // namespace hallwright
