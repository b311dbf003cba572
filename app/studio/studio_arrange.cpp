// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QActionGroup>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/studio/find_dialog.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/plan_selection.h"
#include "app/studio/power_workspace.h"
#include "app/studio/studio_window.h"
#include "project/rack_list.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_length.h"
#include "widgets/quantity_edit.h"
#include "widgets/theme.h"

/// What the window does with the selection: clipboard, arranging, finding; and how the plan shows itself.
namespace hallwright {
namespace {

const char* const clipboard_type = "application/x-hallwright-things";

QuantityEdit* amount_field(QDialog* dialog, QFormLayout* form, const QString& label, const char* name, const Kind& kind,
                           std::string_view unit, double least, double most, double value) {
  FieldInfo f;
  f.name = "amount";
  f.label = "Amount";
  f.type = FieldType::number;
  f.kind = &kind;
  f.minimum = least;
  f.maximum = most;
  f.unit = unit;
  auto* e = new QuantityEdit(dialog);
  e->setObjectName(QLatin1String(name));
  e->setField(f);
  e->setValue(value);
  e->setAccessibleName(label);
  form->addRow(label, e);
  return e;
}

double amount(const QuantityEdit* e) {
  const FieldValue v = e->value();
  return std::holds_alternative<double>(v) ? std::get<double>(v) : 0.0;
}

} // namespace

// --- clipboard
// -----------------------------------------------------------------------------------------------------------

void StudioWindow::copy() {
  if (auto* table = qobject_cast<QAbstractItemView*>(QApplication::focusWidget());
      table && !table->inherits("QGraphicsView")) {
    QMetaObject::invokeMethod(table, "copy");
  }
  const auto what = on_plan(document_->selection());
  if (what.empty()) return;
  const QByteArray own = QByteArray::fromStdString(copy_text(document_->design(), what));
  auto* data = new QMimeData; // the clipboard owns it
  data->setData(QLatin1String(clipboard_type), own);
  std::vector<Id> racks;
  for (const EntityRef& e : what)
    if (e.table == "racks") racks.push_back(e.id);
  // A spreadsheet gets the racks as a list, everything else the things as text.
  data->setText(racks.empty()
                    ? QString::fromUtf8(own)
                    : QString::fromStdString(racks_as_list(document_->design(), racks, screen_decimal_mark())));
  QApplication::clipboard()->setMimeData(data);
  message(
      racks.empty()
          ? tr("Copied %1").arg(QString::fromStdString(things(what.size())))
          : tr("Copied %1; a spreadsheet takes the racks as a list").arg(QString::fromStdString(things(what.size()))));
}

void StudioWindow::cut() {
  copy();
  const auto what = on_plan(document_->selection());
  if (!what.empty()) apply({"Cut " + things(what.size()), [what](const Design& d) { return remove(d, what); }});
}

Id StudioWindow::paste_hall() const {
  const Design& d = document_->design();
  if (const Id shown = hall_->plan()->hall()) return shown;
  // Several halls in sight: that of what is selected, else the first.
  for (const EntityRef& e : document_->selection()) {
    if (e.table == "halls") return e.id;
    if (const auto h = get_field(d, e, "hall");
        h && std::holds_alternative<std::int64_t>(*h) && std::get<std::int64_t>(*h) != 0)
      return std::get<std::int64_t>(*h);
  }
  return d.halls->empty() ? 0 : d.halls->front().id;
}

void StudioWindow::paste(bool in_place) {
  const QMimeData* data = QApplication::clipboard()->mimeData();
  if (!data) return;
  const bool own = data->hasFormat(QLatin1String(clipboard_type));
  const QString text = own ? QString::fromUtf8(data->data(QLatin1String(clipboard_type))) : data->text();
  if (text.isEmpty()) {
    message(tr("The clipboard is empty."));
    return;
  }
  if (!own && !text.trimmed().startsWith(QLatin1Char('{'))) {
    paste_racks(text);
    return;
  }
  const std::string clip = text.toStdString();
  const auto target = in_place ? std::nullopt : hall_->plan()->pasteTarget();
  const Id hall = target ? target->hall : paste_hall();
  PastePlan there;
  if (!in_place) {
    const auto planned =
        plan_paste(document_->design(), evaluator_->catalog(), clip, hall,
                   target ? std::optional(target->at) : std::nullopt,
                   [this, hall](const QRectF& box) { return hall_->plan()->snapShift(hall, box); });
    if (planned) there = *planned; // else the edit says what is wrong
  }
  const bool done = document_->applyAndSelectNew(
      {in_place ? "Paste in place" : "Paste", [clip, hall, place = there.place](const Design& d) -> Edited {
         auto made = paste_text(d, clip, hall, millimeters(place.dx), millimeters(place.dy));
         if (!made) return tl::make_unexpected(made.error());
         return with_rows_of_their_own(made->design, made->entities);
       }});
  if (!done || in_place) return;
  if (!there.free) message(tr("No floor is free nearby: what is pasted lies over other things. Drag it to its place."));
  else if (target && !there.as_wished) message(tr("Something stands under the cursor: pasted beside it."));
}

void StudioWindow::paste_racks(const QString& text) {
  RackListOptions options;
  options.mark = screen_decimal_mark();
  options.hall = paste_hall();
  const auto list = read_rack_list(text.toStdString(), document_->design(), options);
  if (!list) {
    message(tr("The clipboard holds nothing that can be pasted: %1").arg(QString::fromStdString(list.error())), true);
    return;
  }
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("rack_list_dialog"));
  dialog->setWindowTitle(tr("Paste a list of racks"));
  auto* column = new QVBoxLayout(dialog);
  auto* summary = new QLabel(QString::fromStdString(list->summary()), dialog);
  summary->setObjectName(QStringLiteral("title"));
  column->addWidget(summary);
  QStringList remarks;
  for (const std::string& type : list->unknown_types)
    remarks << tr("There is no rack type %1; make it first, or name another one.").arg(QString::fromStdString(type));
  if (!list->new_rows.empty()) {
    QStringList rows;
    for (const std::string& r : list->new_rows)
      rows << QString::fromStdString(r);
    remarks << tr("Rows that are made: %1").arg(rows.join(QStringLiteral(", ")));
  }
  for (const std::string& note : list->notes)
    remarks << QString::fromStdString(note);
  if (!remarks.isEmpty()) {
    auto* label = new QLabel(remarks.join(QLatin1Char('\n')), dialog);
    label->setObjectName(QStringLiteral("secondary"));
    label->setWordWrap(true);
    column->addWidget(label);
  }
  auto* table = new QTreeWidget(dialog);
  table->setRootIsDecorated(false);
  table->setAccessibleName(tr("Lines of the list"));
  table->setHeaderLabels({tr("Line"), tr("Rack"), tr("Effect"), tr("Why")});
  constexpr std::size_t most_shown = 500;
  const auto effect = [&](RackListRow::What what) {
    switch (what) {
    case RackListRow::What::added:
      return tr("new");
    case RackListRow::What::changed:
      return tr("changed");
    case RackListRow::What::unchanged:
      return tr("as it is");
    case RackListRow::What::refused:
      break;
    }
    return tr("refused");
  };
  // Refusals first: they are what has to be read.
  for (const bool refused : {true, false})
    for (const RackListRow& row : list->rows) {
      if ((row.what == RackListRow::What::refused) != refused ||
          static_cast<std::size_t>(table->topLevelItemCount()) >= most_shown)
        continue;
      QStringList why;
      for (const RackCellError& e : list->errors)
        if (e.line == row.line) why << QString::fromStdString(e.sentence());
      auto* item = new QTreeWidgetItem(table, {QString::number(row.line), QString::fromStdString(row.name),
                                               effect(row.what), why.join(QLatin1Char(' '))});
      item->setToolTip(3, why.join(QLatin1Char('\n')));
    }
  for (int i = 0; i < 3; ++i)
    table->resizeColumnToContents(i);
  column->addWidget(table, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Paste"));
  buttons->button(QDialogButtonBox::Ok)->setEnabled(list->added + list->changed > 0);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  const Edit edit = rack_list_edit(*list);
  connect(dialog, &QDialog::accepted, this, [this, edit] { document_->applyAndSelectNew(edit); });
  connect(dialog, &QDialog::rejected, this, [this] { document_->cancelPreview(); });
  if (list->added + list->changed > 0) document_->preview(edit);
  dialog->resize(fontMetrics().averageCharWidth() * 96, fontMetrics().height() * 24);
  dialog->open();
}

void StudioWindow::duplicate_selection() {
  const auto what = on_plan(document_->selection());
  if (what.empty()) return;
  const bool room = place_beside(document_->design(), evaluator_->catalog(), what).has_value();
  document_->applyAndSelectNew(duplicate_edit(what, evaluator_->catalog()));
  if (!room) message(tr("No floor is free beside: the copy lies a step to the right and down. Drag it to its place."));
}

// --- arranging
// -----------------------------------------------------------------------------------------------------------

void StudioWindow::array_dialog() {
  const auto what = on_plan(document_->selection());
  if (what.empty()) {
    message(tr("Select what should be repeated, then choose Array."));
    return;
  }
  // From the selection: its width side by side, its depth and an aisle of 1.2 m row to row.
  double x0 = 1e12, x1 = -1e12, y0 = 1e12, y1 = -1e12;
  const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
  for (const auto& [ref, size] : sizes) {
    const auto number = [&](const char* field) {
      const auto v = get_field(document_->design(), ref, field);
      const double* d = v ? std::get_if<double>(&*v) : nullptr;
      return d ? *d : 0.0;
    };
    const PlanBox b = plan_box(meters(number("x")), meters(number("y")), size.width, size.depth,
                               degrees(number("rotation") * 57.29577951308232));
    x0 = std::min(x0, b.x0), x1 = std::max(x1, b.x1), y0 = std::min(y0, b.y0), y1 = std::max(y1, b.y1);
  }
  const double width = x1 > x0 ? std::round(x1 - x0) : 600, depth = y1 > y0 ? std::round(y1 - y0) : 1200;
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("array_dialog"));
  dialog->setWindowTitle(tr("Array of %1").arg(QString::fromStdString(things(what.size()))));
  auto* form = new QFormLayout(dialog);
  auto spin = [&](const QString& label, const char* name, int value) {
    auto* s = new QSpinBox(dialog);
    s->setObjectName(QLatin1String(name));
    s->setRange(1, 5000);
    s->setValue(value);
    form->addRow(label, s);
    return s;
  };
  auto* columns = spin(tr("Columns"), "array_columns", 2);
  auto* pitch_x = amount_field(dialog, form, tr("Pitch left to right"), "array_pitch_x", kind::length, "mm", -1000,
                               1000, width / 1000.0);
  auto* rows = spin(tr("Rows"), "array_rows", 1);
  auto* aisle = amount_field(dialog, form, tr("Aisle after the 1st, 3rd, 5th\u2026 row"), "array_aisle", kind::length,
                             "mm", -100, 100, 1.2);
  auto* second = amount_field(dialog, form, tr("Aisle after the 2nd, 4th, 6th\u2026 row"), "array_second_aisle",
                              kind::length, "mm", -100, 100, 1.2);
  aisle->setToolTip(tr("Clear floor from one row to the next; a hot aisle, when rows stand back to back"));
  second->setToolTip(tr("With three rows or more; the two kinds of aisle take turns"));
  auto* mirrored = new QCheckBox(tr("Mirror every second row, so that fronts face each other"), dialog);
  mirrored->setObjectName(QStringLiteral("array_mirror"));
  form->addRow(mirrored);
  auto* effect = new QLabel(dialog);
  effect->setObjectName(QStringLiteral("secondary"));
  effect->setWordWrap(true);
  effect->setMinimumHeight(2 * fontMetrics().height());
  form->addRow(effect);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  form->addRow(buttons);
  auto plan = [=] {
    ArrayPlan p;
    p.columns = columns->value(), p.rows = rows->value();
    p.pitch_x_mm = amount(pitch_x) * 1000.0;
    p.pitch_y_mm = depth + amount(aisle) * 1000.0, p.second_pitch_y_mm = depth + amount(second) * 1000.0;
    p.mirror_rows = mirrored->isChecked();
    return p;
  };
  auto edit = [plan, what, catalog = evaluator_->catalog()] { return array_edit(what, plan(), catalog); };
  auto fits = [plan, n = what.size()] { return things_in_array(n, plan()) <= static_cast<double>(most_at_once); };
  auto tell = [this, effect, plan, fits, n = what.size()] {
    const auto all = static_cast<qint64>(things_in_array(n, plan()));
    if (!fits()) {
      effect->setText(tr("%1 things are too many; at most %2 are made at once. Choose fewer columns or rows.")
                          .arg(screen_number(all), screen_number(most_at_once)));
      return;
    }
    QString words = all == 1 ? tr("1 thing in all") : tr("%1 things in all").arg(screen_number(all));
    const auto power = [](const SharedEvaluation& e) {
      const Figure* f = e ? e->figures.find("power.it") : nullptr;
      return f && f->has_value() ? std::optional(f->value) : std::nullopt;
    };
    const auto now = power(document_->evaluation()), before = power(document_->baseline());
    if (now) words += QLatin1Char('\n') + tr("IT load %1").arg(screen_text(*now, kind::power));
    if (now && before && *now != *before)
      words +=
          tr(" (%1%2)").arg(*now > *before ? QStringLiteral("+") : QString(), screen_text(*now - *before, kind::power));
    effect->setText(words);
  };
  auto show = [this, edit, tell, fits] {
    if (fits()) document_->preview(edit());
    else document_->cancelPreview();
    tell();
  };
  // A number being typed is not drawn digit by digit.
  auto* pause = new QTimer(dialog);
  pause->setSingleShot(true);
  pause->setInterval(200);
  connect(pause, &QTimer::timeout, dialog, show);
  auto show_soon = [pause, tell, fits, buttons] {
    buttons->button(QDialogButtonBox::Ok)->setEnabled(fits());
    tell();
    pause->start();
  };
  connect(columns, &QSpinBox::valueChanged, dialog, show_soon);
  connect(rows, &QSpinBox::valueChanged, dialog, show_soon);
  for (auto* field : {pitch_x, aisle, second})
    connect(field, &QuantityEdit::committed, dialog, show_soon);
  connect(mirrored, &QCheckBox::toggled, dialog, show_soon);
  connect(dialog, &QDialog::finished, pause, &QTimer::stop);
  connect(document_, &Document::evaluated, dialog, tell);
  connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(dialog, &QDialog::accepted, this, [this, edit] { document_->applyAndSelectNew(edit()); });
  connect(dialog, &QDialog::rejected, this, [this] { document_->cancelPreview(); });
  show();
  dialog->open();
}

void StudioWindow::rotate_dialog() {
  const auto what = on_plan(document_->selection());
  if (what.empty()) {
    message(tr("Select what should be turned first."));
    return;
  }
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("rotate_dialog"));
  dialog->setWindowTitle(tr("Rotate %1").arg(QString::fromStdString(things(what.size()))));
  auto* form = new QFormLayout(dialog);
  auto* angle = amount_field(dialog, form, tr("Angle, clockwise"), "rotate_angle", kind::angle, "deg",
                             -6.283185307179587, 6.283185307179587, 0.2617993877991494);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  form->addRow(buttons);
  const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
  auto edit = [what, sizes, angle] {
    const double turn = amount(angle) * 57.29577951308232;
    return Edit{"Rotate " + things(what.size()),
                [what, sizes, turn](const Design& d) { return rotate_by(d, what, degrees(turn), sizes); }};
  };
  connect(angle, &QuantityEdit::committed, dialog, [this, edit] { document_->preview(edit()); });
  connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(dialog, &QDialog::accepted, this, [this, edit] { apply(edit()); });
  connect(dialog, &QDialog::rejected, this, [this] { document_->cancelPreview(); });
  document_->preview(edit());
  dialog->open();
}

void StudioWindow::move_dialog() {
  const auto what = on_plan(document_->selection());
  if (what.empty()) {
    message(tr("Select what should be moved first."));
    return;
  }
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("move_dialog"));
  dialog->setWindowTitle(tr("Move %1").arg(QString::fromStdString(things(what.size()))));
  auto* form = new QFormLayout(dialog);
  auto* dx = amount_field(dialog, form, tr("To the right"), "move_dx", kind::length, "mm", -20000, 20000, 0);
  auto* dy = amount_field(dialog, form, tr("Down"), "move_dy", kind::length, "mm", -20000, 20000, 0);
  dx->setToolTip(tr("Such as 2 m, 600 mm or 4 ft; below zero moves to the left"));
  dy->setToolTip(tr("Such as 2 m, 600 mm or 4 ft; below zero moves up"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  form->addRow(buttons);
  auto edit = [what, dx, dy] {
    return Edit{"Move " + things(what.size()), [what, x = amount(dx), y = amount(dy)](const Design& d) {
                  return move_by(d, what, meters(x), meters(y));
                }};
  };
  for (auto* field : {dx, dy})
    connect(field, &QuantityEdit::committed, dialog, [this, edit] { document_->preview(edit()); });
  connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(dialog, &QDialog::accepted, this, [this, edit, dx, dy] {
    if (amount(dx) != 0 || amount(dy) != 0) apply(edit());
    else document_->cancelPreview();
  });
  connect(dialog, &QDialog::rejected, this, [this] { document_->cancelPreview(); });
  dialog->open();
}

void StudioWindow::gap_dialog() {
  const auto what = on_plan(document_->selection());
  if (what.size() < 2) {
    message(tr("Select at least two things, then choose the gap between them."));
    return;
  }
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("gap_dialog"));
  dialog->setWindowTitle(tr("Gap between %1").arg(QString::fromStdString(things(what.size()))));
  auto* form = new QFormLayout(dialog);
  auto* axis = new QComboBox(dialog);
  axis->setObjectName(QStringLiteral("gap_axis"));
  axis->addItems({tr("left to right"), tr("top to bottom")});
  form->addRow(tr("Direction"), axis);
  auto* gap = amount_field(dialog, form, tr("Gap"), "gap_length", kind::length, "mm", -1000, 1000, 0.6);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  form->addRow(buttons);
  const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
  auto edit = [what, sizes, axis, gap] {
    const DistributeAxis along = axis->currentIndex() == 0 ? DistributeAxis::x : DistributeAxis::y;
    return Edit{"Gap between " + things(what.size()), [what, sizes, along, mm = amount(gap) * 1000.0](const Design& d) {
                  return space_evenly(d, what, along, millimeters(mm), sizes);
                }};
  };
  const auto show = [this, edit] { document_->preview(edit()); };
  connect(gap, &QuantityEdit::committed, dialog, show);
  connect(axis, &QComboBox::activated, dialog, show);
  connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(dialog, &QDialog::accepted, this, [this, edit] { apply(edit()); });
  connect(dialog, &QDialog::rejected, this, [this] { document_->cancelPreview(); });
  show();
  dialog->open();
}

void StudioWindow::align_selection(AlignEdge edge) {
  const auto what = on_plan(document_->selection());
  if (what.size() < 2) {
    message(tr("Select at least two things to align."));
    return;
  }
  const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
  apply({"Align " + things(what.size()), [what, edge, sizes](const Design& d) { return align(d, what, edge, sizes); }});
}

void StudioWindow::distribute_selection(DistributeAxis axis) {
  const auto what = on_plan(document_->selection());
  if (what.size() < 3) {
    message(tr("Select at least three things to even out their gaps."));
    return;
  }
  const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
  apply({"Equal gaps between " + things(what.size()),
         [what, axis, sizes](const Design& d) { return distribute(d, what, axis, sizes); }});
}

void StudioWindow::mirror_selection(MirrorAxis axis) {
  const auto what = on_plan(document_->selection());
  if (what.empty()) return;
  const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
  apply(
      {"Mirror " + things(what.size()), [what, axis, sizes](const Design& d) { return mirror(d, what, axis, sizes); }});
}

void StudioWindow::group_selection() {
  const auto what = on_plan(document_->selection());
  apply({"Group " + things(what.size()), [what](const Design& d) -> Edited {
           auto made = group(d, what);
           if (!made) return tl::make_unexpected(made.error());
           return made->design;
         }});
}

void StudioWindow::ungroup_selection() {
  const auto what = on_plan(document_->selection());
  if (!what.empty()) apply({"Ungroup " + things(what.size()), [what](const Design& d) { return ungroup(d, what); }});
}

void StudioWindow::lock_selection(bool locked) {
  const auto what = on_plan(document_->selection());
  if (!what.empty())
    apply({(locked ? "Lock " : "Unlock ") + things(what.size()),
           [what, locked](const Design& d) { return set_locked(d, what, locked); }});
}

// --- selecting
// -----------------------------------------------------------------------------------------------------------

void StudioWindow::select_all() {
  std::vector<EntityRef> all;
  for (std::string_view table : table_words()) {
    if (table == "underlays" || on_plan({{std::string(table), 1}}).empty()) continue;
    for (Id id : entity_ids(document_->design(), table))
      all.push_back({std::string(table), id});
  }
  document_->select(std::move(all));
}

void StudioWindow::invert_selection() {
  std::vector<EntityRef> now = document_->selection(), all;
  std::sort(now.begin(), now.end());
  for (const char* table :
       {"racks", "power_units", "cooling_units", "structures", "containments", "trays", "pipes", "zones", "notes"})
    for (Id id : entity_ids(document_->design(), table))
      if (EntityRef e{table, id}; !std::binary_search(now.begin(), now.end(), e)) all.push_back(std::move(e));
  document_->select(std::move(all));
}

void StudioWindow::select_same_type() {
  auto all = same_type(document_->design(), document_->selection());
  if (!all.empty()) document_->select(std::move(all));
}

void StudioWindow::find_and_select() {
  auto* dialog = new FindDialog(*document_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

// --- menus
// ---------------------------------------------------------------------------------------------------------------

void StudioWindow::make_selection_actions(QMenu* menu) {
  auto* all = add_action(menu, tr("Select &all on the plan"), QKeySequence::SelectAll, {}, [this] { select_all(); });
  add_action(menu, tr("In&vert the selection"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I), {},
             [this] { invert_selection(); });
  auto* same = add_action(menu, tr("Select same &type"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), {},
                          [this] { select_same_type(); });
  add_action(menu, tr("Fi&nd and select\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
             QStringLiteral("search"), [this] { find_and_select(); });
  // The menu on the plan takes over what stands above in this one, behind undo and redo.
  const QList<QAction*> above = menu->actions();
  for (QAction* a : above.mid(2, above.indexOf(all) - 2))
    if (!a->isSeparator()) plan_menu_.push_back(a);
  plan_menu_.push_back(nullptr);
  plan_menu_.push_back(same);
}

void StudioWindow::make_arrange_menu(QMenu* menu) {
  add_action(menu, tr("&Array\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A), QStringLiteral("array"),
             [this] { array_dialog(); });
  auto* move = add_action(menu, tr("Mo&ve by\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D), {},
                          [this] { move_dialog(); });
  auto* rotate =
      add_action(menu, tr("&Rotate 90\u00b0"), QKeySequence(Qt::CTRL | Qt::Key_R), QStringLiteral("rotate"), [this] {
        const auto what = on_plan(document_->selection());
        if (what.empty()) return;
        const auto sizes = footprint_sizes(document_->design(), *evaluator_->catalog(), what);
        apply({"Rotate " + things(what.size()),
               [what, sizes](const Design& d) { return rotate_by(d, what, degrees(90), sizes); }});
      });
  auto* by = add_action(menu, tr("Rotate &by\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), {},
                        [this] { rotate_dialog(); });
  auto* mirror_x = add_action(menu, tr("Mirror left to right"), QKeySequence(Qt::CTRL | Qt::Key_M),
                              QStringLiteral("mirror"), [this] { mirror_selection(MirrorAxis::left_to_right); });
  auto* mirror_y = add_action(menu, tr("Mirror top to bottom"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), {},
                              [this] { mirror_selection(MirrorAxis::top_to_bottom); });
  menu->addSeparator();
  const std::tuple<QString, AlignEdge, QString, Qt::Key> edges[] = {
      {tr("Align left edges"), AlignEdge::left, QStringLiteral("align-left"), Qt::Key_Left},
      {tr("Align right edges"), AlignEdge::right, {}, Qt::Key_Right},
      {tr("Align top edges"), AlignEdge::top, QStringLiteral("align-top"), Qt::Key_Up},
      {tr("Align bottom edges"), AlignEdge::bottom, {}, Qt::Key_Down},
      {tr("Centre left to right"), AlignEdge::center_x, {}, Qt::Key_unknown},
      {tr("Centre top to bottom"), AlignEdge::center_y, {}, Qt::Key_unknown}};
  for (const auto& [name, edge, image, key] : edges)
    add_action(menu, name, key == Qt::Key_unknown ? QKeySequence() : QKeySequence(Qt::CTRL | Qt::ALT | key), image,
               [this, edge = edge] { align_selection(edge); });
  menu->addSeparator();
  add_action(menu, tr("Equal gaps, left to right"), {}, QStringLiteral("distribute"),
             [this] { distribute_selection(DistributeAxis::x); });
  add_action(menu, tr("Equal gaps, top to bottom"), {}, {}, [this] { distribute_selection(DistributeAxis::y); });
  add_action(menu, tr("Set the &gap\u2026"), {}, {}, [this] { gap_dialog(); });
  menu->addSeparator();
  auto* make_group = add_action(menu, tr("Gro&up"), QKeySequence(Qt::CTRL | Qt::Key_G), QStringLiteral("group"),
                                [this] { group_selection(); });
  auto* break_group = add_action(menu, tr("U&ngroup"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G), {},
                                 [this] { ungroup_selection(); });
  auto* lock = add_action(menu, tr("&Lock"), QKeySequence(Qt::CTRL | Qt::Key_L), QStringLiteral("lock"),
                          [this] { lock_selection(true); });
  auto* unlock = add_action(menu, tr("Unloc&k"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), {},
                            [this] { lock_selection(false); });
  for (QAction* a : {static_cast<QAction*>(nullptr), move, rotate, by,
                     mirror_x, mirror_y, static_cast<QAction*>(nullptr),
                     make_group, break_group, lock, unlock})
    plan_menu_.push_back(a);
}

void StudioWindow::make_valve_actions(QMenu* menu) {
  const auto set = [this](bool open) {
    const SelectedValves valves = selected_valves(document_->design(), document_->selection());
    if (valves.count() == 0) {
      message(tr("Select pipes, or racks that are in a coolant loop: their valves are meant."), true);
      return;
    }
    apply(valves_edit(document_->design(), valves, open));
  };
  shut_valve_ = add_action(menu, tr("Sh&ut valve"), {}, QStringLiteral("valve"), [set] { set(false); });
  open_valve_ = add_action(menu, tr("&Open valve"), {}, {}, [set] { set(true); });
}

void StudioWindow::fill_context_menu(QMenu& menu) {
  const SelectedValves valves = selected_valves(document_->design(), document_->selection());
  if (valves.shut < valves.count()) menu.addAction(shut_valve_);
  if (valves.shut > 0) menu.addAction(open_valve_);
  if (valves.count() > 0) {
    const auto throttled = [&] {
      for (const Id id : valves.pipes)
        if (const Pipe* p = hallwright::find(*document_->design().pipes, id); p->valve_open > 0.0 && p->valve_open < 1.0) return true;
      for (const Id id : valves.racks)
        if (const Rack* r = hallwright::find(*document_->design().racks, id); r->coolant_valve > 0.0 && r->coolant_valve < 1.0) return true;
      return false;
    };
    if (valves.shut == 0 && throttled()) menu.addAction(open_valve_);
    menu.addSeparator();
  }
  const std::vector<EntityRef>& chosen = document_->selection();
  if (std::any_of(chosen.begin(), chosen.end(), [this](const EntityRef& e) {
        const Rack* rack = e.table == "racks" ? hallwright::find(*document_->design().racks, e.id) : nullptr;
        return e.table == "rows" || (rack && rack->row != 0);
      })) {
    menu.addAction(power_->densityCommand());
    menu.addSeparator();
  }
  for (QAction* a : plan_menu_) {
    if (a)
      menu.addAction(a);
    else
      menu.addSeparator();
  }
}

void StudioWindow::make_layer_actions(QMenu* layers) {
  const std::pair<PlanLayer, QString> names[] = {{PlanLayer::structure, tr("Structure")},
                                                 {PlanLayer::zones, tr("Zones")},
                                                 {PlanLayer::racks, tr("Racks")},
                                                 {PlanLayer::power, tr("Power")},
                                                 {PlanLayer::liquid, tr("Cooling units")},
                                                 {PlanLayer::air, tr("Containment")},
                                                 {PlanLayer::trays, tr("Trays")},
                                                 {PlanLayer::pipes, tr("Pipes")},
                                                 {PlanLayer::dimensions, tr("Dimensions and guides")},
                                                 {PlanLayer::notes, tr("Notes and labels")},
                                                 {PlanLayer::underlay, tr("Underlay")}};
  // Two lists: what is shown, then what is locked.
  std::vector<QAction*> locks;
  for (const auto& [layer, name] : names) {
    auto* visible = layers->addAction(tr("Show %1").arg(name.toLower()));
    visible->setCheckable(true);
    visible->setChecked(true);
    connect(visible, &QAction::toggled, this,
            [this, layer = layer](bool on) { hall_->plan()->setLayerVisible(layer, on); });
    palette_actions_.push_back(visible);
    auto* locked = new QAction(icon(QStringLiteral("lock")), tr("Lock %1").arg(name.toLower()), layers);
    locked->setCheckable(true);
    connect(locked, &QAction::toggled, this,
            [this, layer = layer](bool on) { hall_->plan()->setLayerLocked(layer, on); });
    palette_actions_.push_back(locked);
    locks.push_back(locked);
  }
  layers->addSeparator();
  for (QAction* a : locks)
    layers->addAction(a);
}

void StudioWindow::make_drawing_preferences(QMenu* view) {
  auto* snapping = view->addAction(tr("S&nap while drawing"));
  snapping->setCheckable(true);
  snapping->setChecked(true);
  snapping->setShortcut(QKeySequence(Qt::Key_F9));
  connect(snapping, &QAction::toggled, this, [this](bool on) { hall_->plan()->setSnapping(on); });
  palette_actions_.push_back(snapping);
  auto* units = view->addMenu(tr("&Units of the plan"));
  auto* group = new QActionGroup(this);
  const auto chosen =
      static_cast<LengthStyle>(std::clamp(QSettings().value(QStringLiteral("plan/lengths"), 0).toInt(), 0, 1));
  PlanView::setLengthStyle(chosen);
  const std::pair<LengthStyle, QString> styles[] = {{LengthStyle::metric, tr("Metres and millimetres")},
                                                    {LengthStyle::imperial, tr("Feet and inches")}};
  for (const auto& [style, name] : styles) {
    auto* a = add_action(units, name, {}, {}, [this, style = style] {
      PlanView::setLengthStyle(style);
      QSettings().setValue(QStringLiteral("plan/lengths"), static_cast<int>(style));
      hall_->plan()->viewport()->update();
    });
    a->setCheckable(true);
    a->setChecked(style == chosen);
    group->addAction(a);
  }
}

} // namespace hallwright
