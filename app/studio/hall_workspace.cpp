// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/hall_workspace.h"

#include <algorithm>
#include <set>

#include <QAbstractItemView>
#include <QActionGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QSplitter>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/rack_choice.h"
#include "cooling/drawn_loops.h"
#include "design/names.h"
#include "space/footprints.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/overflow_line.h"
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
/// A label and its field, which stay in one line.
QWidget* labelled(const QString& text, QWidget* buddy, QWidget* host, QLabel** label = nullptr) {
  auto* l = new QLabel(text, host);
  l->setObjectName(QStringLiteral("secondary"));
  l->setBuddy(buddy);
  if (label) *label = l;
  auto* pair = new QWidget(host);
  pair->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  auto* line = new QHBoxLayout(pair);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(spacing_unit);
  line->addWidget(l);
  line->addWidget(buddy);
  return pair;
}
} // namespace

HallWorkspace::HallWorkspace(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("workspace_Hall"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);

  make_tools();
  row->addWidget(tools_);

  auto* column = new QVBoxLayout;
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  row->addLayout(column, 1);

  // One line whatever the tool and the width: the plan below never moves for it.
  bar_ = new OverflowLine(this);
  bar_->setObjectName(QStringLiteral("plan_bar"));
  hall_ = new QComboBox(bar_);
  hall_->setAccessibleName(tr("Hall shown"));
  hall_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  overlay_ = new QComboBox(bar_);
  overlay_->setObjectName(QStringLiteral("overlay"));
  overlay_->setAccessibleName(tr("Overlay"));
  overlay_->addItems(PlanView::overlayNames());
  overlay_->setMaxVisibleItems(overlay_->count());
  overlay_->setCurrentIndex(1);
  // As wide as the common ones: the row tool's fields have the rest. The list and the tip have long ones whole.
  overlay_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  overlay_->setMinimumContentsLength(9);
  overlay_->view()->setMinimumWidth(overlay_->view()->sizeHintForColumn(0) + 24);
  overlay_->setToolTip(overlay_->currentText());
  connect(overlay_, &QComboBox::currentTextChanged, overlay_, &QWidget::setToolTip);
  for (QComboBox* list : {hall_, overlay_}) list->setFocusPolicy(Qt::TabFocus); // a click leaves the keys to the plan
  bar_->addWidget(labelled(tr("Hall"), hall_, bar_));
  bar_->addWidget(labelled(tr("Colour"), overlay_, bar_));
  make_row_bar();
  make_along_bar(); // what is chosen from row to row stands before sizes
  make_draw_bar();
  column->addWidget(bar_);

  plan_ = new PlanView(this);
  plan_->setObjectName(QStringLiteral("plan"));
  split_ = new QSplitter(Qt::Horizontal, this);
  split_->setChildrenCollapsible(false);
  split_->addWidget(plan_);
  split_->setStretchFactor(0, 1);
  // Letters choose tools where they are drawn with: in a list or a field beside the plan they are its own.
  plan_->addActions(tool_group_->actions());
  column->addWidget(split_, 1);

  connect(overlay_, &QComboBox::activated, this, [this](int i) { showOverlay(static_cast<Overlay>(i)); });
  plan_->setOverlay(Overlay::power);
  connect(hall_, &QComboBox::activated, this, [this](int i) {
    plan_->setHall(i <= 0 ? 0 : (*document_.shown().halls)[static_cast<std::size_t>(i - 1)].id);
    plan_->zoomToFit();
  });
  connect(row_type_, &QComboBox::currentTextChanged, row_type_, &QWidget::setToolTip);
  connect(row_type_, &QComboBox::activated, this, [this] {
    row_type_chosen_ = true;
    stand_side_by_side();
    update_row_settings();
  });
  connect(row_count_, &QSpinBox::valueChanged, this, &HallWorkspace::update_row_settings);
  connect(first_name_, &QLineEdit::textChanged, this, &HallWorkspace::update_row_settings);
  connect(first_name_, &QLineEdit::textEdited, this, [this](const QString& text) { first_name_base_ = text; });
  connect(first_number_, &QSpinBox::valueChanged, this, &HallWorkspace::update_row_settings);
  connect(numbering_, &QComboBox::activated, this, &HallWorkspace::update_row_settings);
  connect(draw_kind_, &QComboBox::activated, this, &HallWorkspace::update_draw_settings);
  connect(draw_loop_, &QComboBox::activated, this, &HallWorkspace::update_draw_settings);
  connect(draw_text_, &QLineEdit::textChanged, this, &HallWorkspace::update_draw_settings);
  connect(plan_, &PlanView::previewRequested, &document_, &Document::preview);
  connect(plan_, &PlanView::previewCancelled, &document_, &Document::cancelPreview);
  // What the tool does next stands on a card at the foot of the plan, where the eyes are; nothing moves for it.
  hint_ = new QLabel(plan_->viewport());
  hint_->setObjectName(QStringLiteral("plan_hint"));
  hint_->setAttribute(Qt::WA_TransparentForMouseEvents);
  hint_->setWordWrap(true);
  hint_->hide();
  plan_->viewport()->installEventFilter(this);
  connect(plan_, &PlanView::hintChanged, this, [this](const QString& words) {
    hint_->setText(words);
    place_hint();
  });
  connect(plan_, &PlanView::toolChanged, this, [this](PlanTool tool) {
    for (QAction* a : tool_group_->actions())
      if (a->data().toInt() == static_cast<int>(tool)) a->setChecked(true);
    show_bars(tool);
  });
}

void HallWorkspace::showOverlay(Overlay overlay) {
  overlay_->setCurrentIndex(static_cast<int>(overlay));
  plan_->setOverlay(overlay);
}

void HallWorkspace::place_hint() {
  hint_->setVisible(!hint_->text().isEmpty());
  if (hint_->isHidden()) return;
  const QRect room = plan_->viewport()->rect().adjusted(8 * spacing_unit, 0, -3 * spacing_unit, -3 * spacing_unit);
  const int padding = 4 * spacing_unit;
  const int wide = std::min(room.width(), hint_->fontMetrics().horizontalAdvance(hint_->text()) + 2 * padding);
  hint_->setFixedWidth(std::max(1, wide));
  const int tall = hint_->heightForWidth(wide);
  hint_->setFixedHeight(tall);
  hint_->move(room.left(), room.bottom() - tall);
}

bool HallWorkspace::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && hint_ && watched == plan_->viewport()) place_hint();
  return QWidget::eventFilter(watched, event);
}

void HallWorkspace::make_tools() {
  tools_ = new QToolBar(this);
  tools_->setOrientation(Qt::Vertical);
  tools_->setIconSize(QSize(18, 18));
  tools_->setAccessibleName(tr("Drawing tools"));
  tool_group_ = new QActionGroup(this);
  const auto make = [&](PlanTool tool, const char* image, const QString& text, const QKeySequence& key) {
    auto* action = new QAction(icon(QLatin1String(image)), text, this);
    action->setCheckable(true);
    action->setChecked(tool == PlanTool::select);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(QString(text).remove(QLatin1Char('&')), key.toString(QKeySequence::NativeText)));
    action->setData(static_cast<int>(tool));
    tool_group_->addAction(action);
    tool_actions_.append(action);
    connect(action, &QAction::triggered, this, [this, tool] { setTool(tool); });
    return action;
  };
  const auto single = [&](QAction* action) { tools_->addAction(action); };
  // Kin share a button: it shows the one used last.
  const auto family = [&](const QString& name, const QList<QAction*>& members) {
    auto* button = new QToolButton(tools_);
    button->setAccessibleName(name);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    auto* menu = new QMenu(button);
    menu->addActions(members);
    button->setMenu(menu);
    button->setDefaultAction(members.front());
    for (QAction* a : members) connect(a, &QAction::triggered, button, [button, a] { button->setDefaultAction(a); });
    tools_->addWidget(button);
  };
  single(make(PlanTool::select, "select", tr("&Select and move"), QKeySequence(Qt::Key_V)));
  single(make(PlanTool::pan, "pan", tr("&Pan"), QKeySequence(Qt::Key_P)));
  tools_->addSeparator();
  tool_actions_.append(nullptr);
  single(make(PlanTool::hall_outline, "hall", tr("&Hall outline"), QKeySequence(Qt::Key_H)));
  single(make(PlanTool::wall, "wall", tr("&Wall"), QKeySequence(Qt::Key_L)));
  family(tr("Structure"), {make(PlanTool::column, "column", tr("&Column"), QKeySequence(Qt::Key_C)), make(PlanTool::door, "door", tr("&Door"), QKeySequence(Qt::Key_D)),
                           make(PlanTool::ramp, "ramp", tr("R&amp"), QKeySequence(Qt::Key_A)), make(PlanTool::lift, "lift", tr("Li&ft"), QKeySequence(Qt::Key_F)),
                           make(PlanTool::dock, "dock", tr("Delivery doc&k"), QKeySequence(Qt::SHIFT | Qt::Key_D)),
                           make(PlanTool::obstacle, "obstacle", tr("&Obstacle"), QKeySequence(Qt::Key_O)),
                           make(PlanTool::no_go, "no-go", tr("&No-go area"), QKeySequence(Qt::SHIFT | Qt::Key_O)),
                           make(PlanTool::spreader, "spreader", tr("Load sp&reader"), QKeySequence(Qt::SHIFT | Qt::Key_S))});
  family(tr("Zone"), {make(PlanTool::zone, "zone", tr("&Zone, rectangle"), QKeySequence(Qt::Key_Z)),
                      make(PlanTool::zone_polygon, "zone-polygon", tr("Zone, pol&ygon"), QKeySequence(Qt::SHIFT | Qt::Key_Z))});
  tools_->addSeparator();
  tool_actions_.append(nullptr);
  single(make(PlanTool::row, "row", tr("&Row of racks"), QKeySequence(Qt::Key_W)));
  single(make(PlanTool::containment, "containment", tr("Con&tainment"), QKeySequence(Qt::Key_K)));
  single(make(PlanTool::feed_row, "feed-row", tr("F&eed a row"), QKeySequence(Qt::SHIFT | Qt::Key_B)));
  single(make(PlanTool::pipe_row, "pipe-row", tr("Pipe&s along a row"), QKeySequence(Qt::SHIFT | Qt::Key_I)));
  single(make(PlanTool::busway, "busway", tr("&Busway"), QKeySequence(Qt::Key_B)));
  single(make(PlanTool::tray, "tray", tr("Cable tra&y"), QKeySequence(Qt::Key_T)));
  single(make(PlanTool::pipe, "pipe", tr("P&ipe"), QKeySequence(Qt::Key_I)));
  tools_->addSeparator();
  tool_actions_.append(nullptr);
  family(tr("Words"), {make(PlanTool::note, "note", tr("&Note"), QKeySequence(Qt::Key_N)), make(PlanTool::label, "label", tr("Floor &label"), QKeySequence(Qt::SHIFT | Qt::Key_N))});
  single(make(PlanTool::dimension, "dimension", tr("&Dimension"), QKeySequence(Qt::SHIFT | Qt::Key_M)));
  single(make(PlanTool::measure, "measure", tr("&Measure"), QKeySequence(Qt::Key_M)));
}

void HallWorkspace::make_row_bar() {
  row_type_ = new QComboBox(bar_);
  row_type_->setObjectName(QStringLiteral("row_type"));
  row_type_->setAccessibleName(tr("Rack type of the row"));
  row_type_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  row_type_->setMinimumContentsLength(20);
  row_type_->setMaxVisibleItems(24);
  row_count_ = new QSpinBox(bar_);
  row_count_->setObjectName(QStringLiteral("row_count"));
  row_count_->setRange(1, 200);
  row_count_->setAccessibleName(tr("Number of rows"));
  auto length = [&](const char* name, const char* text, double millimetres) {
    auto* e = new QuantityEdit(bar_);
    e->setObjectName(QLatin1String(name));
    e->setField(length_field(name, text));
    e->setValue(millimetres / 1000.0);
    e->setFixedWidth(fontMetrics().averageCharWidth() * 11);
    connect(e, &QuantityEdit::committed, this, &HallWorkspace::update_row_settings);
    return e;
  };
  pitch_ = length("row_pitch", "Pitch", 600);
  cold_ = length("row_cold_aisle", "Cold aisle", 1200);
  hot_ = length("row_hot_aisle", "Hot aisle", 1200);
  first_name_ = new QLineEdit(QStringLiteral("R01"), bar_);
  first_name_->setObjectName(QStringLiteral("row_first_name"));
  first_name_->setAccessibleName(tr("Name of the first row"));
  first_name_->setMaximumWidth(fontMetrics().averageCharWidth() * 8);
  first_number_ = new QSpinBox(bar_);
  first_number_->setObjectName(QStringLiteral("row_first_number"));
  first_number_->setRange(0, 9999);
  first_number_->setValue(1);
  first_number_->setAccessibleName(tr("Number of the first rack"));
  numbering_ = new QComboBox(bar_);
  numbering_->setObjectName(QStringLiteral("row_numbering"));
  numbering_->setAccessibleName(tr("Direction of numbering"));
  numbering_->addItems({tr("onwards"), tr("from the far end")});
  // What changes from row to row comes first: the rest may wait behind the button.
  const std::pair<QString, QWidget*> fields[] = {
      {tr("Rack"), row_type_},    {tr("Rows"), row_count_},   {tr("First row"), first_name_},
      {tr("Pitch"), pitch_},      {tr("Cold aisle"), cold_},  {tr("Hot aisle"), hot_},
      {tr("First rack"), first_number_}, {tr("Numbered"), numbering_}};
  for (const auto& [text, field] : fields) {
    QWidget* pair = labelled(text, field, bar_);
    pair->hide();
    bar_->addWidget(pair);
    row_fields_.push_back(pair);
  }
}

void HallWorkspace::make_draw_bar() {
  draw_kind_ = new QComboBox(bar_);
  draw_kind_->setObjectName(QStringLiteral("draw_kind"));
  draw_kind_->setAccessibleName(tr("Kind"));
  draw_loop_ = new QComboBox(bar_);
  draw_loop_->setObjectName(QStringLiteral("draw_loop"));
  draw_loop_->setAccessibleName(tr("Coolant loop"));
  const auto length = [&](const char* name, const char* text, double least) {
    auto* e = new QuantityEdit(bar_);
    e->setObjectName(QLatin1String(name));
    FieldInfo f = length_field(name, text);
    f.minimum = least;
    f.maximum = 50;
    e->setField(f);
    e->setFixedWidth(fontMetrics().averageCharWidth() * 14);
    connect(e, &QuantityEdit::committed, this, &HallWorkspace::update_draw_settings);
    return e;
  };
  draw_size_ = length("draw_size", "Width", 0.005);
  draw_level_ = length("draw_level", "Level", -5);
  draw_text_ = new QLineEdit(bar_);
  draw_text_->setObjectName(QStringLiteral("draw_text"));
  draw_text_->setAccessibleName(tr("Text"));
  draw_text_->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
  for (QWidget* pair : {labelled(tr("Kind"), draw_kind_, bar_), labelled(tr("Loop"), draw_loop_, bar_),
                        labelled(tr("Width"), draw_size_, bar_, &draw_size_label_),
                        labelled(tr("Level"), draw_level_, bar_, &draw_level_label_),
                        labelled(tr("Text"), draw_text_, bar_)}) {
    pair->hide();
    bar_->addWidget(pair);
  }
  sizes_ = {{PlanTool::wall, {200, 0}}, {PlanTool::tray, {300, 2700}}, {PlanTool::pipe, {100, 3000}}, {PlanTool::busway, {150, 2700}},
            {PlanTool::containment, {2600, 0}}, {PlanTool::label, {400, 0}}, {PlanTool::feed_row, {150, 2700}}};
}

void HallWorkspace::make_along_bar() {
  const auto combo = [&](const char* name, const QString& spoken, int letters) {
    auto* c = new QComboBox(bar_);
    c->setObjectName(QLatin1String(name));
    c->setAccessibleName(spoken);
    c->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    c->setMinimumContentsLength(letters);
    c->setMaxVisibleItems(24);
    connect(c, &QComboBox::activated, this, &HallWorkspace::update_along_settings);
    connect(c, &QComboBox::currentTextChanged, c, &QWidget::setToolTip);
    return c;
  };
  feed_side_ = combo("feed_side", tr("Side of the racks that is fed"), 8);
  feed_side_->addItems({tr("Missing one"), tr("A"), tr("B")});
  feed_part_ = combo("feed_part", tr("Busway"), 14);
  feed_from_ = combo("feed_from", tr("Fed from"), 12);
  pipes_return_ = combo("pipes_return", tr("Return"), 10);
  pipes_return_->addItems({tr("Direct"), tr("Reverse")});
  pipes_return_->setItemData(0, tr("The shortest pipes"), Qt::ToolTipRole);
  pipes_return_->setItemData(1, tr("The same way for the coolant of every rack"), Qt::ToolTipRole);
  pipes_loop_ = combo("pipes_loop", tr("Coolant loop"), 10);
  pipes_velocity_ = new QuantityEdit(bar_);
  pipes_velocity_->setObjectName(QStringLiteral("pipes_velocity"));
  FieldInfo f;
  f.name = "velocity";
  f.label = "Velocity at most";
  f.help = "Of the coolant in headers, 0.1 to 10 m/s. Not set: the practice of the trade.";
  f.type = FieldType::number;
  f.kind = &kind::velocity;
  f.minimum = 0.1;
  f.maximum = 10;
  f.unit = "m/s";
  f.optional = true;
  pipes_velocity_->setField(f);
  pipes_velocity_->setFixedWidth(fontMetrics().averageCharWidth() * 14);
  connect(pipes_velocity_, &QuantityEdit::committed, this, &HallWorkspace::update_along_settings);
  for (QWidget* pair : {labelled(tr("Side"), feed_side_, bar_), labelled(tr("Busway"), feed_part_, bar_),
                        labelled(tr("Fed from"), feed_from_, bar_), labelled(tr("Return"), pipes_return_, bar_),
                        labelled(tr("Loop"), pipes_loop_, bar_), labelled(tr("Velocity at most"), pipes_velocity_, bar_)}) {
    pair->hide();
    bar_->addWidget(pair);
  }
}

void HallWorkspace::fill_along_bar(PlanTool tool) {
  const bool feeds = tool == PlanTool::feed_row, pipes = tool == PlanTool::pipe_row;
  for (QWidget* w : {static_cast<QWidget*>(feed_side_), static_cast<QWidget*>(feed_part_), static_cast<QWidget*>(feed_from_)})
    w->parentWidget()->setVisible(feeds);
  for (QWidget* w : {static_cast<QWidget*>(pipes_return_), static_cast<QWidget*>(pipes_loop_), static_cast<QWidget*>(pipes_velocity_)})
    w->parentWidget()->setVisible(pipes);
  if (!feeds && !pipes) return;
  const Design& d = document_.design();
  const auto refill = [](QComboBox* combo, const std::vector<std::pair<QString, QVariant>>& items) {
    const QVariant kept = combo->currentData();
    combo->clear();
    for (const auto& [text, data] : items) combo->addItem(text, data);
    combo->setCurrentIndex(std::max(0, combo->findData(kept)));
    combo->setToolTip(combo->currentText());
    combo->view()->setMinimumWidth(std::min(combo->view()->sizeHintForColumn(0) + 24, 640));
  };
  std::vector<std::pair<QString, QVariant>> parts{{tr("As the last one"), QString()}},
      sources{{tr("Nearest one"), qlonglong{0}}}, loops{{tr("As the racks"), qlonglong{0}}};
  if (const SharedEvaluation& e = document_.evaluation(); e && e->catalog) {
    for (const PartSummary& p : part_summaries(*e->catalog, "power"))
      if (const PowerPart* part = e->catalog->find<PowerPart>(p.id); part && part->kind == "busway")
        parts.emplace_back(maker_and_name(p.vendor, p.name), QString::fromStdString(p.id));
    const QString usual =
        screen_text(stated_value(*e->catalog, "cooling.pipe_velocity_practice", kind::velocity, 2.4), kind::velocity, 3, "m/s");
    pipes_velocity_->setInherited(tr("%1, the practice of the trade").arg(usual), usual);
  }
  for (const PowerUnit& u : *d.power_units)
    if (u.kind != PowerUnitKind::busway) sources.emplace_back(QString::fromStdString(u.name), static_cast<qlonglong>(u.id));
  for (const CoolantLoop& l : *d.loops) loops.emplace_back(QString::fromStdString(l.name), static_cast<qlonglong>(l.id));
  refill(feed_part_, parts);
  refill(feed_from_, sources);
  refill(pipes_loop_, loops);
  update_along_settings();
}

void HallWorkspace::update_along_settings() {
  RowFeedSettings feed;
  if (feed_side_->currentIndex() > 0) feed.side = feed_side_->currentIndex() == 1 ? Feed::a : Feed::b;
  feed.part = feed_part_->currentData().toString();
  feed.upstream = feed_from_->currentData().toLongLong();
  if (const auto it = sizes_.find(PlanTool::feed_row); it != sizes_.end())
    feed.width_mm = it->second.size_mm, feed.level_mm = it->second.level_mm;
  plan_->setRowFeedSettings(feed);
  RowPipeSettings pipes;
  pipes.reverse_return = pipes_return_->currentIndex() == 1;
  pipes.loop = pipes_loop_->currentData().toLongLong();
  if (const FieldValue v = pipes_velocity_->value(); std::holds_alternative<double>(v)) pipes.velocity_m_per_s = std::get<double>(v);
  plan_->setRowPipeSettings(pipes);
}

void HallWorkspace::show_bars(PlanTool tool) {
  if (plan_->isVisible() && tool != PlanTool::select) plan_->zoomBy(1.0); // whoever draws has chosen the view
  fill_bars(tool);
}

void HallWorkspace::fill_bars(PlanTool tool) {
  for (QWidget* field : row_fields_)
    field->setVisible(tool == PlanTool::row);
  filling_ = true;
  const auto part = [](QWidget* field, bool shown) { field->parentWidget()->setVisible(shown); };
  QStringList kinds;
  if (tool == PlanTool::tray) kinds = {tr("Fibre"), tr("Copper"), tr("Power")};
  if (tool == PlanTool::pipe) kinds = {tr("Supply"), tr("Return"), tr("Drain")};
  if (tool == PlanTool::containment) kinds = {tr("Cold aisle"), tr("Hot aisle"), tr("Chimney")};
  QStringList present;
  for (int i = 0; i < draw_kind_->count(); ++i) present << draw_kind_->itemText(i);
  if (present != kinds) {
    draw_kind_->clear();
    draw_kind_->addItems(kinds);
    if (tool == PlanTool::containment) draw_kind_->setCurrentIndex(1);
  }
  part(draw_kind_, !kinds.isEmpty());
  if (tool == PlanTool::pipe) {
    const int keep = draw_loop_->currentIndex();
    draw_loop_->clear();
    draw_loop_->addItem(tr("none"), 0);
    for (const CoolantLoop& l : *document_.shown().loops) draw_loop_->addItem(QString::fromStdString(l.name), static_cast<qlonglong>(l.id));
    draw_loop_->setCurrentIndex(keep > 0 && keep < draw_loop_->count() ? keep : draw_loop_->count() > 1 ? 1 : 0);
  }
  part(draw_loop_, tool == PlanTool::pipe);
  const auto it = sizes_.find(tool);
  const bool sized = it != sizes_.end();
  const bool levelled = tool == PlanTool::tray || tool == PlanTool::pipe || tool == PlanTool::busway || tool == PlanTool::feed_row;
  part(draw_size_, sized);
  part(draw_level_, levelled);
  if (sized) {
    draw_size_label_->setText(tool == PlanTool::wall ? tr("Thickness") : tool == PlanTool::pipe ? tr("Inner diameter") : tool == PlanTool::containment || tool == PlanTool::label ? tr("Height") : tr("Width"));
    draw_size_->setValue(it->second.size_mm / 1000.0);
    draw_level_->setValue(it->second.level_mm / 1000.0);
  }
  const bool written = tool == PlanTool::note || tool == PlanTool::label;
  part(draw_text_, written);
  if (written) draw_text_->setPlaceholderText(tool == PlanTool::note ? tr("Note") : tr("Label"));
  filling_ = false;
  for (QAction* a : tool_group_->actions())
    if (a->data().toInt() == static_cast<int>(tool)) a->setChecked(true);
  fill_along_bar(tool);
  update_draw_settings();
}

void HallWorkspace::update_draw_settings() {
  if (filling_) return;
  PlanTool tool = PlanTool::select;
  for (QAction* a : tool_group_->actions())
    if (a->isChecked()) tool = static_cast<PlanTool>(a->data().toInt());
  const auto mm = [](const QuantityEdit* e) {
    const FieldValue v = e->value();
    return std::holds_alternative<double>(v) ? std::get<double>(v) * 1000.0 : 0.0;
  };
  DrawSettings s;
  if (const auto it = sizes_.find(tool); it != sizes_.end()) {
    it->second = {mm(draw_size_), mm(draw_level_)};
    s.size_mm = it->second.size_mm, s.level_mm = it->second.level_mm;
    if (tool == PlanTool::feed_row) update_along_settings();
    if (tool == PlanTool::containment) s.containment_height_mm = s.size_mm;
    if (tool == PlanTool::label) s.text_height_mm = s.size_mm;
  }
  const int kind = std::max(0, draw_kind_->currentIndex());
  if (tool == PlanTool::tray) s.tray = static_cast<TrayKind>(kind);
  if (tool == PlanTool::pipe) s.side = static_cast<PipeSide>(kind);
  if (tool == PlanTool::containment) s.containment = static_cast<ContainmentKind>(kind);
  s.loop = draw_loop_->currentData().toLongLong();
  s.text = draw_text_->text();
  plan_->setDrawSettings(s);
}

void HallWorkspace::setTool(PlanTool tool) {
  fill_row_types();
  follow_row_names();
  update_row_settings();
  show_bars(tool);
  plan_->setTool(tool);
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
  // Types of the design, then racks of the catalog, of which a row makes a type.
  const Design& d = document_.design();
  const Shared<Catalog> catalog = document_.evaluation() ? document_.evaluation()->catalog : nullptr;
  std::vector<std::pair<QString, QString>> items;
  for (const RackType& t : *d.rack_types)
    items.emplace_back(QString::fromStdString(t.name), QStringLiteral("rack_types/%1").arg(t.id));
  const auto types = static_cast<int>(items.size());
  if (catalog)
    for (const bool cabinets : {false, true})
      for (const PartSummary& p : part_summaries(*catalog, "rack"))
        if ((catalog->find<RackPart>(p.id)->kind == "cabinet") == cabinets)
          items.emplace_back(maker_and_name(p.vendor, p.name),
                             QStringLiteral("racks/") + QString::fromStdString(p.id));
  std::vector<std::pair<QString, QString>> present;
  for (int i = 0; i < row_type_->count(); ++i)
    if (!row_type_->itemData(i).toString().isEmpty())
      present.emplace_back(row_type_->itemText(i), row_type_->itemData(i).toString());
  const LikelyRack most = catalog && !row_type_chosen_ ? likely_rack(d, *catalog) : LikelyRack{};
  const bool another = most.type != 0 && row_type_->currentData().toString() != QStringLiteral("rack_types/%1").arg(most.type);
  if (items == present && !another) return;
  const QString kept = row_type_->currentData().toString();
  row_type_->clear();
  for (const auto& [text, data] : items) row_type_->addItem(text, data);
  if (types > 0 && types < static_cast<int>(items.size())) row_type_->insertSeparator(types);
  // Until one is chosen: what the design has most of, or else something whose size is known.
  const LikelyRack likely = !row_type_chosen_ ? most : LikelyRack{};
  const QString unchosen = likely.type != 0 ? QStringLiteral("rack_types/%1").arg(likely.type)
                                            : QStringLiteral("racks/") + QString::fromStdString(likely.part);
  int now = std::max(0, row_type_->findData(row_type_chosen_ ? kept : unchosen));
  // What was chosen from the catalog has become a type.
  const std::string part = kept.section(QLatin1Char('/'), 1).toStdString();
  if (row_type_chosen_ && kept.startsWith(QLatin1String("racks/")))
    for (const RackType& t : *d.rack_types)
      if (t.rack_part == part) now = row_type_->findData(QStringLiteral("rack_types/%1").arg(t.id));
  row_type_->setCurrentIndex(now);
  // The list shows names whole; the box cuts the longest, and its tooltip has them whole.
  QAbstractItemView* list = row_type_->view();
  list->setMinimumWidth(std::min(list->sizeHintForColumn(0) + 24, 640));
  row_type_->setToolTip(row_type_->currentText());
  if (row_type_->currentData().toString() != kept && !row_type_chosen_) stand_side_by_side();
  update_row_settings();
}

/// The pitch of racks that touch each other, however wide they are.
void HallWorkspace::stand_side_by_side() {
  const QString chosen = row_type_->currentData().toString();
  const QString id = chosen.section(QLatin1Char('/'), 1);
  RackType type;
  if (chosen.startsWith(QLatin1String("racks/"))) type.rack_part = id.toStdString();
  else if (const RackType* t = hallwright::find(*document_.design().rack_types, id.toLongLong())) type = *t;
  else return;
  const SharedEvaluation& e = document_.evaluation();
  if (e && e->catalog) pitch_->setValue(in_meters(rack_footprint(*e->catalog, type).width));
}

/// Names count up from the one that was typed, past those that stand.
void HallWorkspace::follow_row_names() {
  if (first_name_->hasFocus() || document_.previewing()) return;
  std::set<std::string> used;
  for (const Row& r : *document_.design().rows) used.insert(r.name);
  for (const Rack& r : *document_.design().racks)
    if (const auto dash = r.name.rfind('-'); dash != std::string::npos) used.insert(r.name.substr(0, dash));
  std::string next = first_name_base_.toStdString();
  for (std::int64_t step = 1; used.count(next); ++step) next = counted_up(first_name_base_.toStdString(), step);
  first_name_->setText(QString::fromStdString(next));
}

void HallWorkspace::update_row_settings() {
  const Design& d = document_.design();
  RowToolSettings s;
  const QString chosen = row_type_->currentData().toString();
  if (chosen.startsWith(QLatin1String("rack_types/"))) s.rack_type = chosen.section(QLatin1Char('/'), 1).toLongLong();
  else s.rack_part = chosen.section(QLatin1Char('/'), 1);
  auto mm = [](const QuantityEdit* e) {
    const FieldValue v = e->value();
    return std::holds_alternative<double>(v) ? std::get<double>(v) * 1000.0 : 0.0;
  };
  s.pitch_mm = mm(pitch_);
  s.rows = row_count_->value();
  s.cold_aisle_mm = mm(cold_);
  s.hot_aisle_mm = mm(hot_);
  s.first_row_name = first_name_->text();
  s.first_number = first_number_->value();
  s.count_back = numbering_->currentIndex() == 1;
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
  plan_->setBefore(document_.previewing() && !plan_->gestureUnderWay() ? &document_.design() : nullptr);
  if (e) plan_->setDesign(document_.shown(), e->catalog);
  plan_->setSelection(document_.selection());
  if (!document_.previewing()) {
    fill_row_types();
    follow_row_names();
  }
  QStringList names{tr("All halls")};
  for (const Hall& h : *document_.shown().halls) names << QString::fromStdString(h.name);
  QStringList present;
  for (int i = 0; i < hall_->count(); ++i) present << hall_->itemText(i);
  if (names != present) {
    // The hall that is shown stays shown, under whatever name, as long as it is there.
    const std::vector<Hall>& halls = *document_.shown().halls;
    const auto shown = std::find_if(halls.begin(), halls.end(), [this](const Hall& h) { return h.id == plan_->hall(); });
    hall_->clear();
    hall_->addItems(names);
    hall_->setCurrentIndex(shown == halls.end() ? 0 : static_cast<int>(shown - halls.begin()) + 1);
    plan_->setHall(shown == halls.end() ? 0 : shown->id);
  }
}

void HallWorkspace::showEvaluation() {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  plan_->setDesign(document_.shown(), e->catalog);
  plan_->setEvaluation(e);
  if (!document_.previewing()) fill_row_types(); // with the first evaluation comes the catalog
}

} // namespace hallwright
