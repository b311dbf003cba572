// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/plan_actions.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QSettings>

#include "app/studio/document.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/picture_dialog.h"
#include "app/studio/session.h"
#include "app/studio/underlay_dialog.h"
#include "app/studio/underlay_panel.h"
#include "widgets/plan/plan_print.h"

namespace hallwright {

PlanActions::PlanActions(Document& document, Session& session, HallWorkspace& hall, QMainWindow& window)
    : QObject(&window), document_(document), session_(session), hall_(hall), window_(window) {
  panel_ = new UnderlayPanel(*hall_.plan(), &window);
  dock_ = new QDockWidget(tr("Underlays"), &window);
  dock_->setObjectName(QStringLiteral("dock_underlays"));
  panel_->setAttribute(Qt::WA_StyledBackground);
  dock_->setWidget(panel_);
  window_.addDockWidget(Qt::LeftDockWidgetArea, dock_);
  dock_->hide(); // until there is something to show in it
  connect(panel_, &UnderlayPanel::editRequested, this, [this](const Edit& edit) { document_.apply(edit); });
  connect(panel_, &UnderlayPanel::importRequested, this, [this] { importUnderlay(); });
  make_underlay_actions();
  connect(&document_, &Document::designShown, this, [this] {
    projectMoved();
    show_underlays();
  });
  connect(&document_, &Document::evaluated, this, [this] {
    show_underlays();
  });
}

void PlanActions::make_underlay_actions() {
  const auto action = [this](const QString& text, const QString& tip, bool on_plan, void (UnderlayPanel::*run)()) {
    auto* a = new QAction(text, this);
    a->setToolTip(tip);
    a->setStatusTip(tip);
    a->setEnabled(false);
    connect(a, &QAction::triggered, this, [this, on_plan, run] {
      if (on_plan) Q_EMIT planWanted();
      dock_->show();
      dock_->raise();
      (panel_->*run)();
    });
    underlay_actions_.push_back(a);
  };
  action(tr("&Scale underlay by two points\u2026"),
         tr("Click two points on the plan and type the true distance between them"), true,
         &UnderlayPanel::scaleByTwoPoints);
  action(tr("&Move underlay by two points"), tr("Click a point of the underlay, then where it belongs"), true,
         &UnderlayPanel::moveByTwoPoints);
  action(tr("&Locate the file of the underlay\u2026"), tr("Choose where the file is now"), false,
         &UnderlayPanel::locate);
  action(tr("&Remove underlay"), tr("Take the underlay off the plan; the file stays"), false,
         &UnderlayPanel::removeCurrent);
}

void PlanActions::show_underlays() {
  const bool any = !document_.shown().underlays->empty();
  for (QAction* a : std::as_const(underlay_actions_)) a->setEnabled(any);
  if (document_.evaluation()) panel_->setDesign(document_.shown(), document_.evaluation()->catalog);
}

void PlanActions::projectMoved() {
  plan::UnderlayFiles::shared().setFolder(session_.path().isEmpty() ? QString()
                                                                    : QFileInfo(session_.path()).absolutePath());
}

PrintJob PlanActions::job() const {
  PrintJob out;
  out.design = document_.design();
  out.catalog = document_.evaluation()->catalog;
  out.evaluation = document_.evaluation();
  out.project_file = session_.path();
  out.stem = session_.exportStem();
  out.overlay_names = PlanView::overlayNames();
  out.layer_names = {{PlanLayer::structure, tr("Structure")},
                     {PlanLayer::zones, tr("Zones")},
                     {PlanLayer::racks, tr("Racks and aisles")},
                     {PlanLayer::power, tr("Power")},
                     {PlanLayer::liquid, tr("Liquid and air")},
                     {PlanLayer::air, tr("Containment")},
                     {PlanLayer::trays, tr("Trays")},
                     {PlanLayer::pipes, tr("Pipes")},
                     {PlanLayer::notes, tr("Notes and labels")},
                     {PlanLayer::dimensions, tr("Dimensions")}};
  return out;
}

PlanPage PlanActions::shown_page() const {
  PlanPage page;
  page.hall = hall_.plan()->hall();
  page.overlay = hall_.plan()->overlay();
  for (PlanLayer layer : plan::all_layers)
    if (!hall_.plan()->layerVisible(layer)) page.hidden.insert(layer);
  page.underlays = !page.hidden.count(PlanLayer::underlay);
  return page;
}

void PlanActions::print() {
  if (!document_.evaluation()) return;
  auto* dialog = new PrintDialog(job(), PrintDialog::remembered(session_.path(), shown_page()), &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &PrintDialog::told, this, &PlanActions::told);
  dialog->open();
}

void PlanActions::picture() {
  if (!document_.evaluation()) return;
  auto* dialog = new PictureDialog(job(), shown_page(), &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &PictureDialog::told, this, &PlanActions::told);
  dialog->open();
}

void PlanActions::copyPicture() {
  if (!document_.evaluation()) return;
  PlanPage page = shown_page();
  page.fitted = true;
  page.scale = 100;
  page.title_block = false;
  const PrintJob from = job();
  const PlanPrint print(page, from.design, from.catalog, from.evaluation);
  if (!print.problem().isEmpty()) {
    Q_EMIT told(print.problem(), true);
    return;
  }
  copy_plan(print, 4000);
  Q_EMIT told(tr("The plan is on the clipboard"), false);
}

void PlanActions::importUnderlay() {
  const QString folder = QSettings()
                             .value(QStringLiteral("underlay/folder"),
                                    session_.path().isEmpty() ? QString() : QFileInfo(session_.path()).absolutePath())
                             .toString();
  const QString path = QFileDialog::getOpenFileName(&window_, tr("Import an underlay"), folder,
                                                    tr("Drawings and pictures (%1)").arg(plan::underlay_endings()));
  if (path.isEmpty()) return;
  QSettings().setValue(QStringLiteral("underlay/folder"), QFileInfo(path).absolutePath());
  importUnderlay(path);
}

void PlanActions::importUnderlay(const QString& path) {
  if (!document_.evaluation()) return;
  PlanView* plan = hall_.plan();
  const QPointF center = plan->viewportTransform().inverted().map(QRectF(plan->viewport()->rect()).center());
  auto* dialog =
      new UnderlayDialog(path, document_.design(), document_.evaluation()->catalog, plan->hall(), center, &window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const Underlay u = dialog->underlay();
    document_.apply({tr("Import an underlay").toStdString(), [u](const Design& d) -> Edited {
                       const Made made = add_entity(d, &Design::underlays, u);
                       for (const FieldInfo& f : table_fields("underlays"))
                         if (const auto value = get_field(made.design, made.entities.front(), f.name))
                           if (auto fine = check_field(f, *value); !fine) return tl::unexpected(fine.error());
                       return made.design;
                     }});
    dock_->show();
    dock_->raise();
    Q_EMIT told(tr("Imported: %1").arg(QString::fromStdString(u.name)), false);
  });
  dialog->open();
}

} // namespace hallwright
