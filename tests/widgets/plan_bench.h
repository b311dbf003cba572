// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <QtWidgets>

#include "design/edits.h"
#include "widgets/plan/plan_model.h"
#include "widgets/plan/plan_view.h"

/// The plan as the studio drives it, for tests with real mouse and keys: previews come back as designs, edits are kept
/// and, when asked, applied.
namespace hallwright::test {

struct PlanBench {
  Design design;
  Shared<Catalog> catalog = std::make_shared<const Catalog>();
  PlanView view;
  std::vector<Edit> edits;
  int previews = 0, cancelled = 0, deletions = 0;
  QString snap, hint, refusal;

  explicit PlanBench(Design d) : design(std::move(d)) {
    view.resize(1000, 700);
    view.show();
    view.setDesign(design, catalog);
    view.zoomToFit();
    view.setFocus();
    QObject::connect(&view, &PlanView::previewRequested, &view, [this](const Edit& e) {
      ++previews;
      if (auto after = e.apply(design)) view.setDesign(*after, catalog);
    });
    QObject::connect(&view, &PlanView::previewCancelled, &view, [this] {
      ++cancelled;
      view.setDesign(design, catalog);
    });
    QObject::connect(&view, &PlanView::editRequested, &view, [this](const Edit& e, bool made) {
      edits.push_back(e);
      auto after = e.apply(design);
      if (!after) {
        refusal = QString::fromStdString(after.error());
        view.setDesign(design, catalog);
        return;
      }
      std::vector<EntityRef> fresh;
      for (std::string_view table : table_words())
        for (Id id : entity_ids(*after, table))
          if (made && id >= design.next_id && table != "groups") fresh.push_back({std::string(table), id});
      design = *after;
      view.setDesign(design, catalog);
      if (!fresh.empty()) view.setSelection(fresh);
    });
    QObject::connect(&view, &PlanView::deleteRequested, &view, [this] { ++deletions; });
    QObject::connect(&view, &PlanView::cursorMoved, &view, [this](double, double, const QString& s) { snap = s; });
    QObject::connect(&view, &PlanView::hintChanged, &view, [this](const QString& h) { hint = h; });
  }
  [[nodiscard]] QPoint at(double x, double y) const { return view.viewportTransform().map(QPointF(x, y)).toPoint(); }
  void press(const QPoint& p, Qt::KeyboardModifiers m = {}) {
    QTest::mousePress(view.viewport(), Qt::LeftButton, m, p);
  }
  void release(const QPoint& p, Qt::KeyboardModifiers m = {}) {
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, m, p);
  }
  /// A move with held buttons and keys, which QTest::mouseMove does not send.
  void move(const QPoint& p, Qt::KeyboardModifiers m = {}, Qt::MouseButtons b = Qt::NoButton) {
    QMouseEvent e(QEvent::MouseMove, QPointF(p), QPointF(view.viewport()->mapToGlobal(p)), Qt::NoButton, b, m);
    QApplication::sendEvent(view.viewport(), &e);
  }
  void click(const QPoint& p, Qt::KeyboardModifiers m = {}) {
    move(p, m);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, m, p);
    // Two clicks at one place must not be read as a double click.
    QTest::qWait(0);
  }
  void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers m = {}) {
    move(from, m);
    press(from, m);
    move((from + to) / 2, m, Qt::LeftButton);
    move(to, m, Qt::LeftButton);
    release(to, m);
  }
  void type(const char* words) { QTest::keyClicks(&view, QLatin1String(words)); }
  void key(Qt::Key k, Qt::KeyboardModifiers m = {}) { QTest::keyClick(&view, k, m); }
};

/// A hall of 24 x 12 m with two rows of ten racks of 600 x 1200 mm: R01 at x 3000, y 2400 (front up), R02 at y 4600
/// (front down), so that a hot aisle of 1000 mm lies at y 3600 to 4600.
inline Design hall_with_rows() {
  Design out;
  Hall hall;
  hall.name = "Hall A";
  hall.outline = {{0, 0}, {24000, 0}, {24000, 12000}, {0, 12000}};
  out = add_entity(out, &Design::halls, hall).design;
  RackType type;
  type.name = "Rack of a test";
  type.width = millimeters(600);
  type.depth = millimeters(1200);
  out = add_entity(out, &Design::rack_types, type).design;
  RowPlan plan;
  plan.hall = out.halls->front().id, plan.rack_type = out.rack_types->front().id, plan.racks_per_row = 10,
  plan.rows = 2;
  plan.x = millimeters(3000), plan.y = millimeters(2400);
  plan.hot_aisle = millimeters(1000), plan.cold_aisle = millimeters(1400);
  const Making made = place_rows(out, plan);
  return made ? made->design : out;
}

} // namespace hallwright::test
