// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fill_dialog.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/layout_panel.h"
#include "app/studio/studio_window.h"

#include <QDockWidget>

/// Racks by rule: the panel that lays out beside the plan, and the dialog that fills.
namespace hallwright {

void StudioWindow::layout_racks() {
  const Design& d = document_->design();
  if (d.halls->empty()) {
    message(tr("Draw a hall outline first; then racks can be laid out in it."), true);
    return;
  }
  showWorkspace(0);
  if (!layout_) {
    layout_ = new LayoutPanel(*document_, evaluator_->catalog(), hall_->plan()->hall(), this);
    layout_->setAttribute(Qt::WA_StyledBackground);
    connect(layout_, &LayoutPanel::finished, this, &StudioWindow::close_layout);
    connect(layout_, &LayoutPanel::figureActivated, this, &StudioWindow::explain_figure);
    layout_dock_->setWidget(layout_);
    make_room_for_layout();
    layout_dock_->show();
    // As wide as two proposals with their names, and so that the plan keeps the larger part.
    const int wanted = fontMetrics().averageCharWidth() * 52;
    resizeDocks({layout_dock_}, {std::min(wanted, width() * 2 / 5)}, Qt::Horizontal);
  }
  layout_->findChild<QWidget*>(QStringLiteral("layout_count"))->setFocus(Qt::OtherFocusReason);
}

/// The panel stands in the place of the other docks at that side, over the whole height.
void StudioWindow::make_room_for_layout() {
  // Those that the window has put at another side meanwhile are in nobody's way.
  std::erase_if(gave_room_, [this](const QString& name) {
    auto* d = findChild<QDockWidget*>(name);
    const bool elsewhere = !d || dockWidgetArea(d) != Qt::RightDockWidgetArea;
    if (d && elsewhere && tabs_->currentIndex() == 0) d->show();
    return elsewhere;
  });
  for (QDockWidget* d : docks_) {
    if (d->isHidden() || d->isFloating() || dockWidgetArea(d) != Qt::RightDockWidgetArea) continue;
    d->hide();
    gave_room_.insert(d->objectName());
  }
}

void StudioWindow::close_layout() {
  if (!layout_) return;
  LayoutPanel* panel = layout_;
  layout_ = nullptr; // before it gives up, which ends here again
  panel->reject();
  layout_dock_->hide();
  layout_dock_->setWidget(nullptr);
  panel->hide();
  panel->deleteLater();
  const bool plan = tabs_->currentIndex() == 0;
  for (QDockWidget* d : docks_) {
    const bool of_plan = d == dock("dock_parts") || d == dock("dock_outline");
    if (gave_room_.count(d->objectName()) > 0 && (plan || !of_plan)) d->show();
  }
  gave_room_.clear();
  if (narrow_) dock("dock_inspector")->raise();
  focus_plan();
}

void StudioWindow::fill_dialog() {
  const Design& d = document_->design();
  if (d.halls->empty() || d.rack_types->empty()) {
    message(d.halls->empty() ? tr("Draw a hall outline first; then it can be filled.")
                             : tr("Make a rack type first; then a hall can be filled with its racks."),
            true);
    return;
  }
  // The row of a rack that is selected, or the zone or hall itself.
  EntityRef where{"halls", hall_->plan()->hall()};
  for (const EntityRef& e : document_->selection()) {
    const Rack* rack = e.table == "racks" ? hallwright::find(*d.racks, e.id) : nullptr;
    if (e.table == "rows" || e.table == "zones" || e.table == "halls")
      where = e;
    else if (rack && rack->row)
      where = {"rows", rack->row};
    else
      continue;
    break;
  }
  showWorkspace(0);
  (new FillDialog(*document_, evaluator_->catalog(), where, this))->open();
}

} // namespace hallwright
