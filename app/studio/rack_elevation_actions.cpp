// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rack_elevation_actions.h"

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QMainWindow>

#include "app/studio/document.h"
#include "app/studio/hall_workspace.h"
#include "widgets/rack_elevation/rack_elevation_view.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {
constexpr qint64 nudge_pause_ms = 700; ///< arrow keys closer than this are one step to undo
} // namespace

RackElevationActions::RackElevationActions(Document& document, HallWorkspace& hall, QMainWindow& window)
    : QObject(&window), document_(document), window_(window) {
  view_ = new RackElevationView(&hall);
  hall.addBesidePlan(view_);
  toggle_ = new QAction(icon(QStringLiteral("rack")), tr("Rack &elevation"), this);
  toggle_->setCheckable(true);
  toggle_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
  connect(toggle_, &QAction::toggled, this, [this, plan = hall.plan()](bool on) {
    const bool had_focus = view_->isAncestorOf(QApplication::focusWidget());
    view_->setVisible(on);
    if (!on && had_focus) plan->setFocus(Qt::OtherFocusReason);
    if (!on) return;
    refresh();
    view_->setSelection(document_.selection());
    view_->canvas()->setFocus(Qt::OtherFocusReason);
  });
  connect(&document_, &Document::designShown, this, &RackElevationActions::refresh);
  connect(&document_, &Document::evaluated, this, &RackElevationActions::refresh);
  connect(&document_, &Document::selectionChanged, this, [this] {
    if (toggle_->isChecked()) view_->setSelection(document_.selection());
  });
  connect(view_, &RackElevationView::editRequested, this, &RackElevationActions::apply);
  connect(view_, &RackElevationView::selectionRequested, this,
          [this](const std::vector<EntityRef>& s) { document_.select(s); });
  connect(view_, &RackElevationView::refused, this, [this](const QString& sentence) { Q_EMIT told(sentence, true); });
  connect(view_, &RackElevationView::figureActivated, this, &RackElevationActions::figureActivated);
}

void RackElevationActions::refresh() {
  const SharedEvaluation& e = document_.evaluation();
  if (!toggle_->isChecked() || !e) return;
  view_->setDesign(document_.shown(), e->catalog);
  view_->setEvaluation(e);
}

void RackElevationActions::apply(const Edit& edit) {
  if (edit.label.rfind(elevation::RackCanvas::tr("Nudge %1").section(QLatin1Char(' '), 0, 0).toStdString(), 0) != 0) {
    gesture_ = 0;
    document_.apply(edit);
    return;
  }
  if (gesture_ == 0 || !last_nudge_.isValid() || last_nudge_.elapsed() > nudge_pause_ms)
    gesture_ = document_.newGesture();
  last_nudge_.start();
  document_.apply(edit, gesture_);
}

bool RackElevationActions::place(const QString& part) {
  if (!elevation::read_rack_part(part)) return false;
  toggle_->setChecked(true);
  view_->canvas()->place(part);
  return true;
}

void RackElevationActions::exportElevations(bool all) {
  const SharedEvaluation& e = document_.evaluation();
  if (!e) return;
  std::vector<Id> types;
  if (all) {
    for (const RackType& t : *e->design.rack_types)
      types.push_back(t.id);
  } else {
    refresh();
    Id type = view_->rackType();
    if (type == 0 && !e->design.rack_types->empty()) type = e->design.rack_types->front().id;
    types.push_back(type);
  }
  const QString stem = QString::fromStdString(e->design.project->name).trimmed();
  const QString file =
      QFileDialog::getSaveFileName(&window_, all ? tr("Rack elevations") : tr("Rack elevation"),
                                   (stem.isEmpty() ? tr("design") : stem) + QStringLiteral("-racks.pdf"),
                                   tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
  if (file.isEmpty()) return;
  const QString problem = write_rack_elevations(file, e, types, view_->canvas()->numbersFromTop());
  Q_EMIT told(problem.isEmpty() ? tr("Written: %1").arg(file) : problem, !problem.isEmpty());
}

} // namespace hallwright
