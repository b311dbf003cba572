// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>

#include "app/studio/hall_workspace.h"
#include "app/studio/plan_selection.h"
#include "app/studio/studio_window.h"
#include "begin_new_design.h"
#include "widgets/panels.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

/// A hall with four racks of two types: names, places and limits by hand.
Design four_racks() {
  Design d;
  Hall hall;
  hall.name = "Hall A";
  hall.outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}};
  d = add_entity(d, &Design::halls, hall).design;
  for (const auto& [name, power] : {std::pair{"Dense", 120.0}, std::pair{"Plain", 40.0}}) {
    RackType t;
    t.name = name, t.width = millimeters(600), t.depth = millimeters(1200), t.power_limit = kilowatts(power);
    d = add_entity(d, &Design::rack_types, t).design;
  }
  const Id dense = d.rack_types->front().id, plain = d.rack_types->back().id;
  for (const auto& [name, type, x] : {std::tuple{"R01-01", dense, 1000.0}, std::tuple{"R01-02", dense, 1600.0},
                                      std::tuple{"R02-01", plain, 4000.0}, std::tuple{"R02-02", dense, 9000.0}}) {
    Rack r;
    r.name = name, r.rack_type = type, r.hall = d.halls->front().id, r.x = millimeters(x), r.y = millimeters(1000);
    d = add_entity(d, &Design::racks, r).design;
  }
  return d;
}

FieldInfo field_of(const char* table, const char* name) {
  for (const FieldInfo& f : table_fields(table))
    if (f.name == name) return f;
  return {};
}

std::vector<std::string> names(const Design& d, const std::vector<EntityRef>& found) {
  std::vector<std::string> out;
  for (const EntityRef& e : found)
    out.push_back(entity_name(d, e));
  return out;
}

using Names = std::vector<std::string>;

} // namespace

/// Finding, selecting, repeating and copying, through the window's own menus and keys.
class TestPlanSelection : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void fields_are_compared_with_their_units() {
    const Design d = four_racks();
    const FieldInfo x = field_of("racks", "x"), name = field_of("racks", "name"), type = field_of("racks", "rack_type");
    QCOMPARE(names(d, matching(d, "racks", x, Comparison::more, QStringLiteral("3.5 m"))), (Names{"R02-01", "R02-02"}));
    QCOMPARE(names(d, matching(d, "racks", x, Comparison::less, QStringLiteral("1600"))),
             (Names{"R01-01"})); // bare: the field's mm
    QCOMPARE(names(d, matching(d, "racks", x, Comparison::is, QStringLiteral("1600 mm"))), (Names{"R01-02"}));
    QCOMPARE(matching(d, "racks", x, Comparison::is_not, QStringLiteral("1.6 m")).size(), 3u);
    QCOMPARE(names(d, matching(d, "racks", name, Comparison::contains, QStringLiteral("r02"))),
             (Names{"R02-01", "R02-02"}));
    QCOMPARE(names(d, matching(d, "racks", type, Comparison::is, QStringLiteral("plain"))), (Names{"R02-01"}));
    QCOMPARE(names(d, matching(d, "rack_types", field_of("rack_types", "power_limit"), Comparison::more,
                               QStringLiteral("0.1 MW"))),
             (Names{"Dense"}));
    QCOMPARE(matching(d, "racks", field_of("racks", "feed_a"), Comparison::not_set, {}).size(), 4u);
    QString problem;
    QVERIFY(matching(d, "racks", x, Comparison::more, QStringLiteral("3 kg"), &problem).empty());
    QVERIFY2(problem.contains(QStringLiteral("3 kg")), qPrintable(problem));
    QVERIFY(matching(d, "racks", name, Comparison::more, QStringLiteral("a"), &problem).empty());
    QVERIFY(!problem.isEmpty());
  }

  void same_type_goes_by_what_tells_types_apart() {
    const Design d = four_racks();
    QCOMPARE(names(d, same_type(d, {{"racks", (*d.racks)[0].id}})), (Names{"R01-01", "R01-02", "R02-02"}));
    QCOMPARE(names(d, same_type(d, {{"racks", (*d.racks)[2].id}})), (Names{"R02-01"}));
  }

  void an_array_alternates_its_aisles() {
    const Design d = four_racks();
    ArrayPlan plan;
    plan.columns = 3, plan.rows = 4, plan.pitch_x_mm = 600, plan.pitch_y_mm = 2200, plan.second_pitch_y_mm = 2600;
    plan.mirror_rows = true;
    const auto after = array_edit({{"racks", (*d.racks)[2].id}}, plan, catalog_).apply(d);
    QVERIFY2(after, after ? "" : after.error().c_str());
    QCOMPARE(after->racks->size(), 4u + 11u);
    std::set<std::tuple<double, double, double>> places;
    for (const Rack& r : *after->racks)
      if (r.rack_type == (*d.racks)[2].rack_type)
        places.insert({in_millimeters(r.x), in_millimeters(r.y), in_degrees(r.rotation)});
    // Rows at 1000, +2200, +2600, +2200; every second one faces the other way.
    std::set<std::tuple<double, double, double>> wanted;
    for (double x : {4000.0, 4600.0, 5200.0})
      for (const auto& [y, turn] :
           {std::pair{1000.0, 0.0}, std::pair{3200.0, 180.0}, std::pair{5800.0, 0.0}, std::pair{8000.0, 180.0}})
        wanted.insert({x, y, turn});
    QVERIFY(places == wanted);
  }

  void each_line_of_an_array_is_a_row_of_its_own() {
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(begin_new_design(w));
    Design d = four_racks();
    RowPlan plan;
    plan.hall = d.halls->front().id, plan.rack_type = d.rack_types->front().id, plan.racks_per_row = 4;
    plan.x = millimeters(1000), plan.y = millimeters(3000), plan.first_row_name = "A07";
    d = place_rows(d, plan)->design;
    w.document().reset(d);
    std::vector<EntityRef> row;
    for (const Rack& r : *d.racks)
      if (r.row != 0) row.push_back({"racks", r.id});
    QCOMPARE(row.size(), 4u);
    w.document().select(row);
    w.hall()->plan()->setFocus();
    QTest::keyClick(w.hall()->plan(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("array_dialog"));
    QVERIFY(dialog);
    dialog->findChild<QSpinBox*>(QStringLiteral("array_columns"))->setValue(2);
    dialog->findChild<QSpinBox*>(QStringLiteral("array_rows"))->setValue(3);
    QTest::keyClick(dialog, Qt::Key_Return);
    const Design& after = w.document().design();
    QCOMPARE(after.racks->size(), 4u + 24u);
    QCOMPARE(w.document().selection().size(), 20u); // the new racks
    // Columns go on with their row, lines are A08 and A09: eight racks each, named after their row.
    Names rows;
    for (const Row& r : *after.rows) {
      rows.push_back(r.name);
      Names own;
      std::set<double> levels;
      for (const Rack& rack : *after.racks)
        if (rack.row == r.id) own.push_back(rack.name), levels.insert(in_millimeters(rack.y));
      std::sort(own.begin(), own.end());
      Names wanted;
      for (int i = 1; i <= 8; ++i)
        wanted.push_back(r.name + "-0" + std::to_string(i));
      QCOMPARE(own, wanted);
      QCOMPARE(levels.size(), 1u);
    }
    QCOMPARE(rows, (Names{"A07", "A08", "A09"}));
    w.document().undoStack().undo();
    QCOMPARE(w.document().design().rows->size(), 1u);
  }

  void columns_of_a_row_down_the_plan_are_rows_of_their_own() {
    Design d = four_racks();
    d = add_entity(d, &Design::rows, Row{0, "R01", d.halls->front().id}).design;
    std::vector<EntityRef> row;
    for (int i = 0; i < 2; ++i) {
      Rack r;
      r.name = "R01-1" + std::to_string(i), r.rack_type = d.rack_types->front().id, r.hall = d.halls->front().id;
      r.row = d.rows->front().id, r.x = millimeters(1000), r.y = millimeters(3000 + 600 * i), r.rotation = degrees(90);
      auto made = add_entity(d, &Design::racks, r);
      row.push_back(made.entities.front()), d = made.design;
    }
    ArrayPlan plan;
    plan.columns = 2, plan.rows = 2, plan.pitch_x_mm = 2400, plan.pitch_y_mm = 1200;
    const auto after = array_edit(row, plan, catalog_).apply(d);
    QVERIFY2(after, after ? "" : after.error().c_str());
    // R02 is free as a row, but racks R02-01 and R02-02 bear its name already.
    QCOMPARE(after->rows->size(), 2u);
    QCOMPARE(QString::fromStdString(after->rows->back().name), QStringLiteral("R03"));
    Names own;
    for (const Rack& r : *after->racks)
      if (r.row == after->rows->back().id) own.push_back(r.name);
    QCOMPARE(own, (Names{"R03-10", "R03-11", "R03-12", "R03-13"}));
  }

  void find_and_select_counts_live() {
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(begin_new_design(w));
    w.document().reset(four_racks());
    QTest::keyClick(&w, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("find_dialog"));
    QVERIFY(dialog);
    auto* field = dialog->findChild<QComboBox*>(QStringLiteral("find_field"));
    field->setCurrentIndex(field->findText(QStringLiteral("Position x")));
    dialog->findChild<QComboBox*>(QStringLiteral("find_comparison"))->setCurrentIndex(2);
    auto* value = dialog->findChild<QLineEdit*>(QStringLiteral("find_value"));
    value->setFocus();
    QTest::keyClicks(value, QStringLiteral("3500 mm"));
    auto* count = dialog->findChild<QLabel*>(QStringLiteral("find_count"));
    QVERIFY2(count->text().contains(QLatin1Char('2')), qPrintable(count->text()));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("find_select")), Qt::LeftButton);
    QCOMPARE(w.document().selection().size(), 2u);
    value->clear();
    QTest::keyClicks(value, QStringLiteral("8 m"));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("find_add")), Qt::LeftButton);
    QCOMPARE(w.document().selection().size(), 2u); // it is one of them already
  }

  void things_are_pasted_into_another_window_and_a_list_into_a_spreadsheet() {
    StudioWindow a(catalog_), b(catalog_);
    for (StudioWindow* w : {&a, &b}) {
      w->resize(1300, 900);
      w->show();
      QVERIFY(QTest::qWaitForWindowExposed(w));
      QVERIFY(begin_new_design(*w));
    }
    a.document().reset(four_racks());
    Design other;
    Hall hall;
    hall.name = "Hall B";
    hall.outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}};
    other = add_entity(other, &Design::halls, hall).design;
    b.document().reset(other);
    const Design& from = a.document().design();
    a.document().select({{"racks", (*from.racks)[0].id}, {"racks", (*from.racks)[2].id}});
    a.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&a));
    a.hall()->plan()->setFocus();
    QTest::keyClick(&a, Qt::Key_C, Qt::ControlModifier);
    // A spreadsheet reads lines of cells.
    const QString text = QApplication::clipboard()->text();
    QCOMPARE(text.trimmed().split(QLatin1Char('\n')).size(), 3);
    QVERIFY(text.contains(QStringLiteral("R01-01")) && text.contains(QLatin1Char('\t')));
    b.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&b));
    b.hall()->plan()->setFocus();
    QTest::keyClick(&b, Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier); // in place
    const Design* to = &b.document().design();
    QCOMPARE(to->racks->size(), 2u);
    QCOMPARE(to->rack_types->size(), 2u); // types come along
    QCOMPARE(in_millimeters((*to->racks)[0].x), 1000.0);
    QCOMPARE((*to->racks)[0].hall, to->halls->front().id);
    // Twice more with the cursor elsewhere: the two stay as they stand to each other, on floor that is free.
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(b.hall()->plan()->viewport(), &leave);
    QTest::keyClick(&b, Qt::Key_V, Qt::ControlModifier);
    QTest::keyClick(&b, Qt::Key_V, Qt::ControlModifier);
    to = &b.document().design();
    QCOMPARE(to->racks->size(), 6u);
    const auto box = [&](std::size_t i) {
      return QRectF(in_millimeters((*to->racks)[i].x), in_millimeters((*to->racks)[i].y), 600, 1200);
    };
    for (std::size_t i = 0; i < 6; ++i) {
      QVERIFY(QRectF(0, 0, 20000, 10000).contains(box(i)));
      for (std::size_t j = 0; j < i; ++j)
        QVERIFY2(!box(i).adjusted(1, 1, -1, -1).intersects(box(j)), qPrintable(QString::number(i)));
    }
    for (const std::size_t i : {0u, 2u, 4u})
      QCOMPARE(box(i + 1).topLeft() - box(i).topLeft(), QPointF(3000, 0));
  }

  void a_list_of_racks_is_pasted_after_a_look() {
    StudioWindow w(catalog_);
    w.resize(1300, 900);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(begin_new_design(w));
    w.document().reset(four_racks());
    QApplication::clipboard()->setText(
        QStringLiteral("name\ttype\tx [mm]\ty [mm]\nN-1\tPlain\t12000\t6000\nN-2\tNone\t12600\t6000\n"));
    w.hall()->plan()->setFocus();
    QTest::keyClick(&w, Qt::Key_V, Qt::ControlModifier);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("rack_list_dialog"));
    QVERIFY(dialog);
    auto* table = dialog->findChild<QTreeWidget*>();
    QCOMPARE(table->topLevelItemCount(), 2);
    QVERIFY(table->topLevelItem(0)->text(3).contains(QStringLiteral("None"))); // the refused one first, and why
    QTest::keyClick(dialog, Qt::Key_Return);
    QCOMPARE(w.document().design().racks->size(), 5u);
    QCOMPARE(in_millimeters(w.document().design().racks->back().x), 12000.0);
  }

  void the_outline_and_the_plan_go_together() {
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(begin_new_design(w));
    Design d = four_racks();
    Zone z;
    z.name = "Heavy floor", z.hall = d.halls->front().id,
    z.outline = {{12000, 1000}, {16000, 1000}, {16000, 5000}, {12000, 5000}};
    d = add_entity(d, &Design::zones, z).design;
    d = group(d, {{"racks", (*d.racks)[0].id}, {"racks", (*d.racks)[1].id}})->design;
    w.document().reset(d);
    auto* tree = w.findChild<QTreeWidget*>(QStringLiteral("outline_tree"));
    const auto item = [&](const QString& text) {
      for (QTreeWidgetItemIterator it(tree); *it; ++it)
        if ((*it)->text(0).startsWith(text)) return *it;
      return static_cast<QTreeWidgetItem*>(nullptr);
    };
    QVERIFY(item(QStringLiteral("Heavy floor")));
    tree->setCurrentItem(item(QStringLiteral("Heavy floor")));
    QCOMPARE(w.document().selection(), (std::vector<EntityRef>{{"zones", d.zones->front().id}}));
    QCOMPARE(w.hall()->plan()->selection(), w.document().selection());
    tree->setCurrentItem(item(QStringLiteral("Group 1")) ? item(QStringLiteral("Group 1"))
                                                         : item(QStringLiteral("Group")));
    QCOMPARE(w.document().selection().size(), 2u); // its members
    // The other way: a click on the plan.
    // The plan shows a design with its first evaluation.
    QTRY_VERIFY(w.document().evaluation() && w.document().evaluation()->design.racks == w.document().design().racks);
    PlanView* plan = w.hall()->plan();
    plan->zoomToFit();
    QTest::mouseClick(plan->viewport(), Qt::LeftButton, {}, plan->mapFromScene(QPointF(4300, 1600)));
    QStringList chosen;
    for (const QTreeWidgetItem* i : tree->selectedItems())
      chosen << i->text(0);
    QCOMPARE(chosen, QStringList{QStringLiteral("R02-01")});
  }
};

QTEST_MAIN(TestPlanSelection)
#include "test_plan_selection.moc"
