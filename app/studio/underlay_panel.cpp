// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/underlay_panel.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFocusEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSlider>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_length.h"
#include "widgets/plan/plan_snap.h"
#include "widgets/plan/point_picker.h"
#include "widgets/quantity_edit.h"
#include "widgets/theme.h"

namespace hallwright {

using namespace plan;

namespace {
constexpr int id_role = Qt::UserRole, layer_role = Qt::UserRole + 1;

} // namespace

UnderlayPanel::UnderlayPanel(PlanView& plan, QWidget* parent) : QWidget(parent), plan_(plan) {
  setObjectName(QStringLiteral("underlay_panel"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(spacing_unit);
  empty_ = new QLabel(
      tr("No drawing lies under the plan. Import a DXF drawing or a picture of the building to trace over it."), this);
  empty_->setWordWrap(true);
  empty_->setObjectName(QStringLiteral("secondary"));
  column->addWidget(empty_);
  tree_ = new QTreeWidget(this);
  tree_->setObjectName(QStringLiteral("underlay_tree"));
  tree_->setAccessibleName(tr("Underlays and their layers"));
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  column->addWidget(tree_, 1);
  about_ = new QLabel(this);
  about_->setObjectName(QStringLiteral("underlay_about"));
  about_->setWordWrap(true);
  about_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(about_);
  tools_ = new QWidget(this);
  auto* tools = new QVBoxLayout(tools_);
  tools->setContentsMargins(0, 0, 0, 0);
  tools->setSpacing(spacing_unit);
  auto* strength = new QHBoxLayout;
  auto* label = new QLabel(tr("&Opacity"), tools_);
  opacity_ = new QSlider(Qt::Horizontal, tools_);
  opacity_->setObjectName(QStringLiteral("underlay_strength"));
  opacity_->setAccessibleName(tr("Opacity"));
  opacity_->setRange(0, 100);
  opacity_->setPageStep(10);
  opacity_->setTracking(false); // one step of undo for one movement
  label->setBuddy(opacity_);
  strength->addWidget(label);
  strength->addWidget(opacity_, 1);
  tools->addLayout(strength);
  const auto button = [&](const char* name, const QString& text, const QString& tip) {
    auto* b = new QPushButton(text, tools_);
    b->setObjectName(QLatin1String(name));
    b->setToolTip(tip);
    b->setAutoDefault(false);
    return b;
  };
  locate_ = button("underlay_locate", tr("&Locate…"), tr("Choose where the file is now"));
  scale_ = button("underlay_scale", tr("&Scale by two points…"),
                  tr("Click two points on the plan and type the true distance between them"));
  move_ =
      button("underlay_move", tr("&Move by two points"), tr("Click a point of the underlay, then where it belongs"));
  remove_ = button("underlay_remove", tr("Re&move"), tr("Take the underlay off the plan; the file stays"));
  auto* first = new QHBoxLayout;
  first->addWidget(scale_);
  first->addWidget(move_);
  auto* second = new QHBoxLayout;
  second->addWidget(locate_);
  second->addWidget(remove_);
  second->addStretch(1);
  tools->addLayout(first);
  tools->addLayout(second);
  column->addWidget(tools_);
  auto* import = button("underlay_import", tr("&Import…"), tr("DXF drawing or picture"));
  import->setParent(this);
  column->addWidget(import);

  connect(import, &QPushButton::clicked, this, &UnderlayPanel::importRequested);
  connect(tree_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) { item_changed(item); });
  connect(tree_, &QTreeWidget::currentItemChanged, this, &UnderlayPanel::show_current);
  connect(opacity_, &QSlider::valueChanged, this, [this](int percent) {
    if (filling_ || !current()) return;
    Q_EMIT editRequested(change_underlay_edit(current(), tr("Opacity of an underlay").toStdString(),
                                              [percent](Underlay& u) { u.opacity = percent / 100.0; }));
  });
  connect(locate_, &QPushButton::clicked, this, &UnderlayPanel::locate);
  connect(scale_, &QPushButton::clicked, this, &UnderlayPanel::scaleByTwoPoints);
  connect(move_, &QPushButton::clicked, this, &UnderlayPanel::moveByTwoPoints);
  connect(remove_, &QPushButton::clicked, this, &UnderlayPanel::removeCurrent);
  connect(&UnderlayFiles::shared(), &UnderlayFiles::fileRead, this, &UnderlayPanel::refresh);
  refresh();
}

void UnderlayPanel::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  const bool same = design.underlays == design_.underlays;
  design_ = design;
  catalog_ = catalog;
  if (!same) refresh();
}

const Underlay* UnderlayPanel::underlay(Id id) const { return hallwright::find(*design_.underlays, id); }

Id UnderlayPanel::current() const {
  const QTreeWidgetItem* item = tree_->currentItem();
  if (!item) return 0;
  return static_cast<Id>((item->parent() ? item->parent() : item)->data(0, id_role).toLongLong());
}

void UnderlayPanel::refresh() {
  if (filling_) return;
  filling_ = true;
  const Id before = current();
  const QString layer_before = tree_->currentItem() ? tree_->currentItem()->data(0, layer_role).toString() : QString();
  std::set<Id> open;
  for (int i = 0; i < tree_->topLevelItemCount(); ++i)
    if (tree_->topLevelItem(i)->isExpanded())
      open.insert(static_cast<Id>(tree_->topLevelItem(i)->data(0, id_role).toLongLong()));
  tree_->clear();
  for (const Underlay& u : *design_.underlays) {
    auto* item = new QTreeWidgetItem(tree_, {QString::fromStdString(u.name.empty() ? u.file : u.name)});
    item->setData(0, id_role, static_cast<qlonglong>(u.id));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(0, u.visible ? Qt::Checked : Qt::Unchecked);
    const SharedUnderlayFile file = UnderlayFiles::shared().file(u);
    if (file->drawing) {
      const std::set<std::string> hidden = hidden_layers(u);
      for (const DrawingLayer& l : file->drawing->layers) {
        auto* layer = new QTreeWidgetItem(item, {QString::fromStdString(l.name)});
        layer->setData(0, layer_role, QString::fromStdString(l.name));
        layer->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        layer->setCheckState(0, hidden.count(l.name) ? Qt::Unchecked : Qt::Checked);
        if (u.id == before && layer->text(0) == layer_before) tree_->setCurrentItem(layer);
      }
    }
    item->setExpanded(open.count(u.id));
    if (u.id == before && layer_before.isEmpty()) tree_->setCurrentItem(item);
  }
  if (!tree_->currentItem() && tree_->topLevelItemCount())
    tree_->setCurrentItem(tree_->topLevelItem(tree_->topLevelItemCount() - 1));
  const bool any = !design_.underlays->empty();
  empty_->setVisible(!any);
  tree_->setVisible(any);
  filling_ = false;
  show_current();
}

void UnderlayPanel::show_current() {
  if (filling_) return;
  const Underlay* u = underlay(current());
  tools_->setVisible(u);
  about_->setVisible(u);
  if (!u) return;
  filling_ = true;
  opacity_->setValue(static_cast<int>(std::lround(u->opacity * 100)));
  const SharedUnderlayFile file = UnderlayFiles::shared().file(*u);
  QPalette colours = palette();
  const bool ready = file->state == UnderlayFile::State::ready;
  if (ready) {
    const QRectF e = file->extent();
    const double unit = in_millimeters(u->unit_length);
    QString words = tr("%1 × %2, one %3 is %4 mm")
                        .arg(extent_text(e.width() * unit), extent_text(e.height() * unit),
                             file->is_picture() ? tr("pixel") : tr("unit"), screen_number(unit, 'g', 6));
    if (file->drawing)
      if (const std::string left = file->drawing->not_shown_words(); !left.empty())
        words += QStringLiteral(". ") + QString::fromStdString(left);
    about_->setText(words);
  } else if (file->state == UnderlayFile::State::reading) {
    about_->setText(tr("Being read…"));
  } else {
    colours.setColor(QPalette::WindowText, theme().red);
    about_->setText(file->problem);
  }
  about_->setPalette(colours);
  scale_->setEnabled(ready);
  move_->setEnabled(ready);
  filling_ = false;
}

void UnderlayPanel::item_changed(QTreeWidgetItem* item) {
  if (filling_) return;
  // After the tree has done with the item: the edit fills it anew.
  const auto ask = [this](const Edit& edit) {
    QTimer::singleShot(0, this, [this, edit] { Q_EMIT editRequested(edit); });
  };
  const bool on = item->checkState(0) == Qt::Checked;
  if (!item->parent()) {
    const auto id = static_cast<Id>(item->data(0, id_role).toLongLong());
    ask(change_underlay_edit(id, (on ? tr("Show an underlay") : tr("Hide an underlay")).toStdString(),
                             [on](Underlay& u) { u.visible = on; }));
    return;
  }
  const auto id = static_cast<Id>(item->parent()->data(0, id_role).toLongLong());
  const std::string name = item->data(0, layer_role).toString().toStdString();
  ask(change_underlay_edit(id,
                           (on ? tr("Show a layer of an underlay") : tr("Hide a layer of an underlay")).toStdString(),
                           [on, name](Underlay& u) {
                             std::set<std::string> hidden = hidden_layers(u);
                             on ? (void)hidden.erase(name) : (void)hidden.insert(name);
                             u.hidden_layers = hidden_layers_text(hidden);
                           }));
}

void UnderlayPanel::removeCurrent() {
  const Id id = current();
  if (!underlay(id)) return;
  Q_EMIT editRequested({tr("Remove an underlay").toStdString(),
                        [id](const Design& d) { return hallwright::remove(d, {{"underlays", id}}); }});
}

void UnderlayPanel::locate() {
  const Underlay* u = underlay(current());
  if (!u) return;
  const QString before = UnderlayFiles::shared().path(u->file);
  const QString found =
      QFileDialog::getOpenFileName(this, tr("Where is %1?").arg(QFileInfo(before).fileName()), QFileInfo(before).path(),
                                   tr("Drawings and pictures (%1)").arg(underlay_endings()));
  if (found.isEmpty()) return;
  const std::string name = UnderlayFiles::shared().kept_name(found).toStdString();
  const UnderlayKind kind = underlay_kind(found);
  Q_EMIT editRequested(
      change_underlay_edit(u->id, tr("Locate an underlay").toStdString(),
                           [name, kind](Underlay& changed) { changed.file = name, changed.kind = kind; }));
}

QPointF UnderlayPanel::hall_offset(const Underlay& u) const {
  const HallShape* hall = model_.hall(u.hall);
  return hall ? hall->offset : QPointF();
}

QPointF UnderlayPanel::caught(const QPointF& scene, double reach, bool& is_caught, bool own_lines) const {
  if (own_lines)
    if (const auto end = underlay_end(model_, scene, reach)) {
      is_caught = true;
      return *end;
    }
  SnapSettings settings;
  settings.grid_mm = 0;
  settings.reach_mm = reach;
  const Snap snap = snap_point(model_, scene, settings);
  is_caught = snap.dx != 0 || snap.dy != 0;
  return scene + QPointF(snap.dx, snap.dy);
}

void UnderlayPanel::scaleByTwoPoints() {
  const Id id = current();
  if (!underlay(id)) return;
  model_.update(design_, catalog_, plan_.hall());
  auto* picker = new PointPicker(
      plan_, {tr("Click the first end of a known length. Esc ends."), tr("Click its other end.")},
      [this](const QPointF& p, double reach, bool& is_caught) { return caught(p, reach, is_caught, true); });
  connect(picker, &PointPicker::picked, this,
          [this, id](const std::vector<QPointF>& points) { ask_distance(id, points[0], points[1]); });
}

void UnderlayPanel::ask_distance(Id id, const QPointF& a, const QPointF& b) {
  const Underlay* u = underlay(id);
  if (!u) return;
  const double shown = std::hypot(b.x() - a.x(), b.y() - a.y());
  if (shown < 1) return;
  auto* dialog = new QDialog(this);
  dialog->setObjectName(QStringLiteral("underlay_distance"));
  dialog->setWindowTitle(tr("True distance"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(new QLabel(tr("Between the two points it is now %1.").arg(length_text(shown, 3)), dialog));
  auto* edit = new QuantityEdit(dialog);
  edit->setObjectName(QStringLiteral("underlay_true_distance"));
  edit->setAccessibleName(tr("True distance"));
  FieldInfo field;
  field.name = "distance";
  field.label = "True distance";
  field.type = FieldType::number;
  field.kind = &kind::length;
  field.minimum = 0.001, field.maximum = 1e5;
  field.unit = "m";
  edit->setField(field);
  edit->setValue(shown / 1000);
  edit->selectAll();
  auto* form = new QFormLayout;
  form->addRow(tr("It truly is"), edit);
  column->addLayout(form);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  const QPointF offset = hall_offset(*u);
  connect(buttons, &QDialogButtonBox::accepted, dialog, [this, dialog, edit, id, a, shown, offset] {
    QFocusEvent leave(QEvent::FocusOut); // takes what was typed
    QApplication::sendEvent(edit, &leave);
    const FieldValue value = edit->value();
    const double* m = std::get_if<double>(&value);
    if (!edit->problem().isEmpty() || !m) return;
    dialog->accept();
    Q_EMIT editRequested(scale_underlay_edit(id, {a.x() - offset.x(), a.y() - offset.y()}, *m * 1000 / shown));
  });
  dialog->setMinimumWidth(fontMetrics().averageCharWidth() * 48); // the title is whole
  dialog->open();
  edit->setFocus();
}

void UnderlayPanel::moveByTwoPoints() {
  const Id id = current();
  const Underlay* u = underlay(id);
  if (!u) return;
  model_.update(design_, catalog_, plan_.hall());
  auto* picker = new PointPicker(
      plan_, {tr("Click a point of the underlay. Esc ends."), tr("Click where it belongs.")},
      [this](const QPointF& p, double reach, bool& is_caught) { return caught(p, reach, is_caught, true); });
  connect(picker, &PointPicker::picked, this, [this, id](const std::vector<QPointF>& points) {
    const QPointF d = points[1] - points[0];
    Q_EMIT editRequested(move_underlay_edit(id, std::round(d.x() * 1000) / 1000, std::round(d.y() * 1000) / 1000));
  });
}

} // namespace hallwright
