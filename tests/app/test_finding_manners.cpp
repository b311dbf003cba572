// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

#include "app/studio/hall_workspace.h"
#include "app/studio/power_workspace.h"
#include "app/studio/studio_window.h"
#include "begin_new_design.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// How findings reach the plan and the forms: previews with the old places, marks at fields, values of the catalog that
/// are replaced by picking.
class TestFindingManners : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  /// A hall of 24 x 12 m, floor of 500 kg/m2, with two rows of four racks whose fronts face each other at 0.8 m.
  static Design narrow_aisle() {
    Design d;
    Hall hall;
    hall.name = "Hall 1";
    hall.outline = {{0, 0}, {24000, 0}, {24000, 12000}, {0, 12000}};
    d = add_entity(d, &Design::halls, hall).design;
    RackType type;
    type.name = "Rack of a test", type.width = millimeters(600), type.depth = millimeters(1200);
    d = add_entity(d, &Design::rack_types, type).design;
    for (int i = 0; i < 8; ++i) {
      Rack r;
      r.name = "Rack " + std::to_string(i + 1);
      r.hall = d.halls->front().id, r.rack_type = d.rack_types->front().id;
      r.x = millimeters(6000 + 600 * (i % 4)), r.y = millimeters(i < 4 ? 4000 : 6000);
      r.rotation = degrees(i < 4 ? 180 : 0);
      d = add_entity(d, &Design::racks, r).design;
    }
    return d;
  }
  void open(StudioWindow& w, const Design& d) {
    QVERIFY(show_window(w, 1600, 1000));
    QVERIFY(begin_new_design(w));
    w.document().reset(d);
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluationIsOfShown() && w.document().evaluation()->design.racks == d.racks, 20000);
    w.hall()->plan()->zoomToFit();
    QTest::qWait(20);
  }
  /// Chooses the first finding with a remedy that begins so; the index of the remedy, -1: there is none.
  static int choose_remedy(StudioWindow& w, const char* begin) {
    QTableWidget* table = w.checks()->table();
    for (int row = 0; row < table->rowCount(); ++row) {
      table->scrollToItem(table->item(row, 2));
      QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->item(row, 2)).center());
      for (const Finding& f : w.document().evaluation()->findings) {
        if (QString::fromStdString(f.code) != table->item(row, 1)->text()) continue;
        if (screen_sentence(QString::fromStdString(f.message)) != table->item(row, 2)->text()) continue;
        for (std::size_t i = 0; i < f.remedies.size(); ++i)
          if (f.remedies[i].edit.label.rfind(begin, 0) == 0) return static_cast<int>(i);
      }
    }
    return -1;
  }
  static QLabel* whole(StudioWindow& w) { return w.checks()->findChild<QLabel*>(QStringLiteral("finding_whole")); }

private Q_SLOTS:
  void initTestCase() {
    const auto catalog = begin_window_tests();
    QVERIFY(catalog);
    catalog_ = *catalog;
  }

  void a_preview_shows_where_things_stood() {
    StudioWindow w(catalog_);
    const Design d = narrow_aisle();
    open(w, d);
    PlanView* plan = w.hall()->plan();
    QCOMPARE(plan->ghosts(), std::size_t(0));
    const int remedy = choose_remedy(w, "Move");
    QVERIFY(remedy >= 0);
    Q_EMIT whole(w)->linkActivated(QStringLiteral("preview:%1").arg(remedy));
    QVERIFY(w.document().previewing());
    std::size_t moved = 0;
    QPoint old_place;
    for (std::size_t i = 0; i < d.racks->size(); ++i) {
      const Rack &a = (*d.racks)[i], &b = (*w.document().shown().racks)[i];
      if (a.x == b.x && a.y == b.y) continue;
      ++moved;
      // The edge of the old place that the new one leaves: nothing else is drawn there.
      const double left_behind = in_millimeters(b.y) > in_millimeters(a.y) ? in_millimeters(a.y) : in_millimeters(a.y) + 1200;
      old_place = plan_point(plan, in_millimeters(a.x) + 300, left_behind);
    }
    QVERIFY(moved > 0);
    QCOMPARE(plan->ghosts(), moved);
    // There is ink at the edge of an old place, of a dashed line: somewhere along it.
    const auto ink = [&] {
      const QImage image = plan->viewport()->grab().toImage();
      const double ratio = plan->devicePixelRatioF();
      int dark = 0;
      for (int dx = -8; dx <= 8; ++dx)
        for (int dy = -2; dy <= 2; ++dy)
          dark += image.pixelColor((QPointF(old_place + QPoint(dx, dy)) * ratio).toPoint()).lightness() < 170;
      return dark;
    };
    const int with = ink();
    QVERIFY2(with >= 4, qPrintable(QString::number(with)));
    QTest::keyClick(plan, Qt::Key_Escape);
    QVERIFY(!w.document().previewing());
    QCOMPARE(plan->ghosts(), std::size_t(0));
  }

  void what_a_preview_takes_away_is_outlined_too() {
    StudioWindow w(catalog_);
    const Design d = narrow_aisle();
    open(w, d);
    const EntityRef first{"racks", d.racks->front().id};
    w.document().preview({"Take one away", [first](const Design& from) { return remove(from, {first}); }});
    QCOMPARE(w.hall()->plan()->ghosts(), std::size_t(1));
    w.document().cancelPreview();
    QCOMPARE(w.hall()->plan()->ghosts(), std::size_t(0));
  }

  void moving_is_labour_that_has_no_price() {
    StudioWindow w(catalog_);
    open(w, narrow_aisle());
    QVERIFY(choose_remedy(w, "Move") >= 0);
    const QTableWidget* table = w.checks()->table();
    QCOMPARE(table->item(table->currentRow(), 5)->text(), QStringLiteral("labour, not priced"));
    QVERIFY2(whole(w)->text().contains(QStringLiteral("labour, not priced")), qPrintable(whole(w)->text()));
  }

  void a_field_that_a_finding_speaks_of_is_marked_and_leads_to_it() {
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1600, 1000));
    QVERIFY(w.openPath(sample_copy(folder_, "superpod-h100-4su")));
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluationIsOfShown(), 20000);
    auto* tabs = w.findChild<QTabBar*>(QStringLiteral("workspace_tabs"));
    tabs->setCurrentIndex(1); // Power
    w.power()->showPage(PowerWorkspace::inputs_page);
    const auto field = [&] {
      QLineEdit* out = nullptr;
      for (QLineEdit* e : w.findChildren<QLineEdit*>(QStringLiteral("field_utility_power")))
        if (e->isVisible()) out = e;
      return out;
    };
    const auto mark = [&]() -> QToolButton* {
      for (QToolButton* b : w.findChildren<QToolButton*>(QStringLiteral("mark_utility_power")))
        if (b->isVisible()) return b;
      return nullptr;
    };
    QTRY_VERIFY(field());
    QTRY_VERIFY(!mark());
    QVERIFY(field()->property("mark").toString().isEmpty());
    field()->setFocus();
    field()->selectAll();
    QTest::keyClicks(field(), "0.2 MW");
    QTest::keyClick(field(), Qt::Key_Return);
    QTRY_VERIFY(w.document().evaluationIsOfShown());
    QTRY_VERIFY(mark());
    QCOMPARE(field()->property("mark").toString(), QStringLiteral("error"));
    QVERIFY2(mark()->toolTip().contains(QStringLiteral("PWR-")), qPrintable(mark()->toolTip()));
    w.findChild<QDockWidget*>(QStringLiteral("dock_history"))->raise();
    QTest::mouseClick(mark(), Qt::LeftButton);
    const QTableWidget* table = w.checks()->table();
    QVERIFY(table->currentRow() >= 0);
    const QString code = table->item(table->currentRow(), 1)->text();
    QVERIFY2(code.startsWith(QStringLiteral("PWR-")), qPrintable(code));
    QVERIFY(mark()->toolTip().contains(code));
    // Once the finding is gone the mark is.
    w.document().undoStack().undo();
    QTRY_VERIFY(w.document().evaluationIsOfShown());
    QTRY_VERIFY(!mark());
    QVERIFY(field()->property("mark").toString().isEmpty());
    w.document().undoStack().setClean();
  }

  void a_catalog_value_is_replaced_by_picking() {
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1600, 1000));
    QVERIFY(w.openPath(sample_copy(folder_, "one-megawatt")));
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluationIsOfShown(), 20000);
    const NodePart* dgx = catalog_->find<NodePart>("dgx-h100");
    QVERIFY(dgx && dgx->power_maximum);
    auto* tabs = w.findChild<QTabBar*>(QStringLiteral("workspace_tabs"));
    for (int i = 0; i < tabs->count(); ++i)
      if (tabs->tabText(i) == QLatin1String("Budget")) tabs->setCurrentIndex(i);
    auto* add = w.findChild<QToolButton*>(QStringLiteral("add_part_overrides"));
    QTRY_VERIFY(add && add->isVisible());
    const std::size_t before = w.document().design().part_overrides->size();
    add->click();
    QCOMPARE(w.document().design().part_overrides->size(), before + 1);
    const auto combo = [&](const char* name) {
      QComboBox* out = nullptr;
      for (QComboBox* c : w.findChildren<QComboBox*>(QLatin1String(name)))
        if (c->isVisible()) out = c;
      return out;
    };
    const auto pick = [&](const char* name, const QString& begin) {
      QComboBox* box = combo(name);
      if (!box) return false;
      for (int i = 0; i < box->count(); ++i)
        if (box->itemText(i).startsWith(begin)) {
          box->setFocus();
          box->setCurrentIndex(i);
          Q_EMIT box->activated(i); // as a choice from the list does
          return true;
        }
      return false;
    };
    QTRY_VERIFY(combo("field_part_kind"));
    QVERIFY(pick("field_part_kind", QStringLiteral("Node")));
    QTRY_VERIFY(pick("field_part", maker_and_name(dgx->vendor, dgx->name)));
    QString label;
    for (const PartFieldValue& v : part_values(*catalog_, "node", "dgx-h100"))
      if (v.field.name == "power_max_w") label = QString::fromStdString(std::string(v.field.label));
    QVERIFY(!label.isEmpty());
    QTRY_VERIFY(pick("field_field", label + QLatin1Char(':')));
    const auto now = [&] { return w.document().design().part_overrides->back(); };
    QCOMPARE(now().part_kind, std::string("node"));
    QCOMPARE(now().part, std::string("dgx-h100"));
    QCOMPARE(now().field, std::string("power_max_w"));
    // Its value in the catalog stands beside, and stays so once another one is written.
    QString stated;
    for (const PartFieldValue& v : part_values(*catalog_, "node", "dgx-h100"))
      if (v.field.name == "power_max_w") stated = value_words(v.field, v.value, w.document().design(), catalog_.get());
    QVERIFY(stated.contains(QStringLiteral("10")) && stated.contains(QLatin1Char('W'))); // 10.2 kW on the datasheet
    const auto beside = [&] {
      for (QLabel* l : w.findChildren<QLabel*>())
        if (l->isVisible() && l->text().startsWith(QStringLiteral("The catalog states"))) return l->text();
      return QString();
    };
    QTRY_VERIFY2(beside().contains(stated), qPrintable(beside()));
    QLineEdit* value = nullptr;
    for (QLineEdit* e : w.findChildren<QLineEdit*>(QStringLiteral("field_value")))
      if (e->isVisible()) value = e;
    QVERIFY(value);
    value->setFocus();
    QTest::keyClicks(value, "9 kW");
    QTest::keyClick(value, Qt::Key_Return);
    QCOMPARE(now().value, std::string("9 kW"));
    QTRY_VERIFY(w.document().evaluationIsOfShown());
    const NodePart* replaced = w.document().evaluation()->catalog->find<NodePart>("dgx-h100");
    QCOMPARE(in_watts(*replaced->power_maximum), 9000.0);
    QTRY_VERIFY2(beside().contains(stated), qPrintable(beside()));
    // Another kind forgets the part of the kind before.
    QTRY_VERIFY(pick("field_part_kind", QStringLiteral("Switch")));
    QVERIFY(now().part.empty() && now().field.empty() && now().value.empty());
    w.document().undoStack().setClean();
  }
};

QTEST_MAIN(TestFindingManners)
#include "test_finding_manners.moc"
