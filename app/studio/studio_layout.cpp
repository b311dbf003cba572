// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fill_dialog.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/layout_dialog.h"
#include "app/studio/studio_window.h"

/// Racks by rule: the dialogs that lay out and fill.
namespace hallwright {

void StudioWindow::layout_dialog() {
  const Design& d = document_->design();
  if (d.halls->empty()) {
    message(tr("Draw a hall outline first; then racks can be laid out in it."), true);
    return;
  }
  showWorkspace(0);
  (new LayoutDialog(*document_, evaluator_->catalog(), hall_->plan()->hall(), this))->open();
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
