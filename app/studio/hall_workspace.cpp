// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/hall_workspace.h"

#include <QActionGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QSplitter>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/figure_text.h"
#include "widgets/quantity_edit.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {
FieldInfo length_field(const char* name, const char* label) {
  FieldInfo f;
  f.name = name;
  f.label = label;
  f.type = FieldType::number;
  f.kind = &kind::length;
  f.minimum = 0.0;
  f.maximum = 20.0;
  f.unit = "mm";
  return f;
}
} // namespace

HallWorkspace::HallWorkspace(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("workspace_Hall"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);

  tools_ = new QToolBar(this);
  tools_->setOrientation(Qt::Vertical);
  tools_->setIconSize(QSize(18, 18));
  tools_->setAccessibleName(tr("Drawing tools"));
  tool_group_ = new QActionGroup(this);
  auto add_tool = [&](PlanTool tool, const QString& image, const QString& text, const QKeySequence& key) {
    auto* action = tools_->addAction(icon(image), text);
    action->setCheckable(true);
    action->setChecked(tool == PlanTool::select);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    action->setData(static_cast<int>(tool));
    tool_group_->addAction(action);
    addAction(action);
    connect(action, &QAction::triggered, this, [this, tool] { setTool(tool); });
  };
  add_tool(PlanTool::select, QStringLiteral("select"), tr("Select and move"), QKeySequence(Qt::Key_V));
  add_tool(PlanTool::pan, QStringLiteral("pan"), tr("Pan"), QKeySequence(Qt::Key_P));
  add_tool(PlanTool::hall_outline, QStringLiteral("hall"), tr("Draw the hall outline"), QKeySequence(Qt::Key_H));
  add_tool(PlanTool::row, QStringLiteral("row"), tr("Row of racks"), QKeySequence(Qt::Key_W));
  add_tool(PlanTool::measure, QStringLiteral("measure"), tr("Measure"), QKeySequence(Qt::Key_M));
  row->addWidget(tools_);

  auto* column = new QVBoxLayout;
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  row->addLayout(column, 1);

  auto* bar = new QWidget(this);
  auto* bar_row = new QHBoxLayout(bar);
  bar_row->setContentsMargins(2 * spacing_unit, spacing_unit, 2 * spacing_unit, spacing_unit);
  bar_row->setSpacing(2 * spacing_unit);
  auto label = [&](const QString& text, QWidget* buddy, QWidget* host) {
    auto* l = new QLabel(text, host);
    l->setObjectName(QStringLiteral("secondary"));
    l->setBuddy(buddy);
    return l;
  };
  hall_ = new QComboBox(bar);
  hall_->setAccessibleName(tr("Hall shown"));
  hall_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  overlay_ = new QComboBox(bar);
  overlay_->setObjectName(QStringLiteral("overlay"));
  overlay_->setAccessibleName(tr("Overlay"));
  overlay_->addItems({tr("By role"), tr("Rack power"), tr("Coolant flow"), tr("Floor load")});
  overlay_->setCurrentIndex(1);

  row_bar_ = new QWidget(bar);
  auto* rb = new QHBoxLayout(row_bar_);
  rb->setContentsMargins(0, 0, 0, 0);
  rb->setSpacing(spacing_unit);
  row_type_ = new QComboBox(row_bar_);
  row_type_->setObjectName(QStringLiteral("row_type"));
  row_type_->setAccessibleName(tr("Rack type of the row"));
  row_count_ = new QSpinBox(row_bar_);
  row_count_->setObjectName(QStringLiteral("row_count"));
  row_count_->setRange(1, 200);
  row_count_->setAccessibleName(tr("Number of rows"));
  auto length = [&](const char* name, const char* text, double millimetres) {
    auto* e = new QuantityEdit(row_bar_);
    e->setObjectName(QLatin1String(name));
    e->setField(length_field(name, text));
    e->setValue(millimetres / 1000.0);
    e->setFixedWidth(fontMetrics().averageCharWidth() * 14);
    connect(e, &QuantityEdit::committed, this, &HallWorkspace::update_row_settings);
    return e;
  };
  pitch_ = length("row_pitch", "Pitch", 600);
  cold_ = length("row_cold_aisle", "Cold aisle", 1200);
  hot_ = length("row_hot_aisle", "Hot aisle", 1200);
  first_name_ = new QLineEdit(QStringLiteral("R01"), row_bar_);
  first_name_->setAccessibleName(tr("Name of the first row"));
  first_name_->setMaximumWidth(fontMetrics().averageCharWidth() * 9);
  rb->addWidget(label(tr("Rack"), row_type_, row_bar_));
  rb->addWidget(row_type_);
  rb->addWidget(label(tr("Rows"), row_count_, row_bar_));
  rb->addWidget(row_count_);
  rb->addWidget(label(tr("Pitch"), pitch_, row_bar_));
  rb->addWidget(pitch_);
  rb->addWidget(label(tr("Cold aisle"), cold_, row_bar_));
  rb->addWidget(cold_);
  rb->addWidget(label(tr("Hot aisle"), hot_, row_bar_));
  rb->addWidget(hot_);
  rb->addWidget(label(tr("First row"), first_name_, row_bar_));
  rb->addWidget(first_name_);
  row_bar_->hide();
  hint_ = new QLabel(bar);
  hint_->setObjectName(QStringLiteral("secondary"));
  hint_->setTextInteractionFlags(Qt::NoTextInteraction);
  hint_->setMinimumWidth(0);
  hint_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long hint is cut before the fields are
  bar_row->addWidget(label(tr("Hall"), hall_, bar));
  bar_row->addWidget(hall_);
  bar_row->addWidget(row_bar_);
  bar_row->addWidget(hint_, 1);
  bar_row->addWidget(label(tr("Colour"), overlay_, bar));
  bar_row->addWidget(overlay_);
  column->addWidget(bar);

  plan_ = new PlanView(this);
  plan_->setObjectName(QStringLiteral("plan"));
  split_ = new QSplitter(Qt::Horizontal, this);
  split_->setChildrenCollapsible(false);
  split_->addWidget(plan_);
  split_->setStretchFactor(0, 1);
  column->addWidget(split_, 1);

  connect(overlay_, &QComboBox::activated, this, [this](int i) { plan_->setOverlay(static_cast<Overlay>(i)); });
  plan_->setOverlay(Overlay::power);
  connect(hall_, &QComboBox::activated, this, [this](int i) {
    plan_->setHall(i <= 0 ? 0 : (*document_.shown().halls)[static_cast<std::size_t>(i - 1)].id);
    plan_->zoomToFit();
  });
  connect(row_type_, &QComboBox::activated, this, &HallWorkspace::update_row_settings);
  connect(row_count_, &QSpinBox::valueChanged, this, &HallWorkspace::update_row_settings);
  connect(first_name_, &QLineEdit::textChanged, this, &HallWorkspace::update_row_settings);
  connect(plan_, &PlanView::previewRequested, &document_, &Document::preview);
  connect(plan_, &PlanView::previewCancelled, &document_, &Document::cancelPreview);
  connect(plan_, &PlanView::hintChanged, hint_, &QLabel::setText);
  connect(plan_, &PlanView::toolChanged, this, [this](PlanTool tool) {
    for (QAction* a : tool_group_->actions())
      if (a->data().toInt() == static_cast<int>(tool)) a->setChecked(true);
    row_bar_->setVisible(tool == PlanTool::row);
  });
}

void HallWorkspace::setTool(PlanTool tool) {
  fill_row_types();
  update_row_settings();
  plan_->setTool(tool);
  row_bar_->setVisible(tool == PlanTool::row);
  for (QAction* a : tool_group_->actions())
    if (a->data().toInt() == static_cast<int>(tool)) a->setChecked(true);
  plan_->setFocus(Qt::OtherFocusReason);
}

void HallWorkspace::placePart(const QString& part) {
  plan_->setPlacedPart(part);
  plan_->setFocus(Qt::OtherFocusReason);
}

void HallWorkspace::addBesidePlan(QWidget* panel) {
  panel->hide();
  split_->addWidget(panel);
  split_->setStretchFactor(split_->indexOf(panel), 0);
}

void HallWorkspace::fill_row_types() {
  const Design& d = document_.shown();
  QStringList names;
  for (const RackType& t : *d.rack_types) names << QString::fromStdString(t.name);
  QStringList present;
  for (int i = 0; i < row_type_->count(); ++i) present << row_type_->itemText(i);
  if (names != present) {
    const int keep = std::max(0, row_type_->currentIndex());
    row_type_->clear();
    row_type_->addItems(names);
    row_type_->setCurrentIndex(std::min<int>(keep, static_cast<int>(names.size()) - 1));
  }
}

void HallWorkspace::update_row_settings() {
  const Design& d = document_.shown();
  RowToolSettings s;
  const int i = row_type_->currentIndex();
  if (i >= 0 && i < static_cast<int>(d.rack_types->size())) s.rack_type = (*d.rack_types)[static_cast<std::size_t>(i)].id;
  auto mm = [](const QuantityEdit* e) {
    const FieldValue v = e->value();
    return std::holds_alternative<double>(v) ? std::get<double>(v) * 1000.0 : 0.0;
  };
  s.pitch_mm = mm(pitch_);
  s.rows = row_count_->value();
  s.cold_aisle_mm = mm(cold_);
  s.hot_aisle_mm = mm(hot_);
  s.first_row_name = first_name_->text();
  if (!d.loops->empty()) s.loop = d.loops->front().id;
  // Racks get the first A and B distribution units that are drawn; the inspector changes them.
  for (const PowerUnit& u : *d.power_units) {
    if (u.kind != PowerUnitKind::distribution && u.kind != PowerUnitKind::busway) continue;
    if (u.feed != Feed::b && s.feed_a == 0) s.feed_a = u.id;
    else if (u.feed != Feed::a && s.feed_b == 0) s.feed_b = u.id;
  }
  plan_->setRowSettings(s);
}

void HallWorkspace::showDesign() {
  const SharedEvaluation& e = document_.evaluation();
  if (e) plan_->setDesign(document_.shown(), e->catalog);
  plan_->setSelection(document_.selection());
  fill_row_types();
  QStringList names{tr("All halls")};
  for (const Hall& h : *document_.shown().halls) names << QString::fromStdString(h.name);
  QStringList present;
  for (int i = 0; i < hall_->count(); ++i) present << hall_->itemText(i);
  if (names != present) {
    hall_->clear();
    hall_->addItems(names);
    hall_->setCurrentIndex(0);
    plan_->setHall(0);
  }
}

void HallWorkspace::showEvaluation() {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  plan_->setDesign(document_.shown(), e->catalog);
  plan_->setEvaluation(e);
}

} // namespace hallwright
