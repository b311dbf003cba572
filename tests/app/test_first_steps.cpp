// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "begin_new_design.h"
#include "window_bench.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/power_workspace.h"
#include "app/studio/studio_window.h"
#include "widgets/bar_list.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/quantity_edit.h"

using namespace hallwright;
using namespace hallwright::test;

/// What somebody who draws for a living tries first: racks of the catalog, rows by clicks, exact moves, letters.
class TestFirstSteps : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static Design empty_hall() {
    Design d;
    Hall hall;
    hall.name = "Hall A";
    hall.outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}};
    return add_entity(d, &Design::halls, hall).design;
  }
  void open(StudioWindow& w, const Design& d) {
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(begin_new_design(w));
    w.document().reset(d);
    QTRY_VERIFY(w.document().evaluation() && w.document().evaluation()->design.halls == d.halls);
    w.hall()->plan()->zoomToFit();
    QTest::qWait(20);
  }
  static QTreeWidgetItem* item(QTreeWidget* tree, const QString& words) {
    for (QTreeWidgetItemIterator it(tree); *it; ++it)
      if ((*it)->text(0).contains(words)) return *it;
    return nullptr;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_row_of_catalog_racks_in_a_new_design() {
    StudioWindow w(catalog_);
    open(w, empty_hall());
    PlanView* plan = w.hall()->plan();
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_W);
    QCOMPARE(plan->tool(), PlanTool::row);
    auto* type = w.findChild<QComboBox*>(QStringLiteral("row_type"));
    const int gb200 = type->findData(QStringLiteral("racks/gb200-nvl72"));
    QVERIFY(gb200 >= 0);
    type->setCurrentIndex(gb200);
    Q_EMIT type->activated(gb200);
    QTest::mouseClick(plan->viewport(), Qt::LeftButton, {}, plan_point(plan, 3000, 3000));
    QTest::keyClicks(plan, QStringLiteral("4"));
    QTest::keyClick(plan, Qt::Key_Return);
    const Design& d = w.document().design();
    QCOMPARE(d.racks->size(), 4u);
    QCOMPARE(d.rack_types->size(), 1u);
    QCOMPARE(QString::fromStdString(d.rack_types->front().name), QStringLiteral("GB200 NVL72"));
    QCOMPARE(w.document().undoStack().count(), 1);
    // The next row has the next name, and is of the type that was made.
    QCOMPARE(w.findChild<QLineEdit*>(QStringLiteral("row_first_name"))->text(), QStringLiteral("R02"));
    QCOMPARE(type->currentData().toString(), QStringLiteral("rack_types/%1").arg(d.rack_types->front().id));
    w.document().undoStack().undo();
    QVERIFY(w.document().design().rack_types->empty() && w.document().design().racks->empty());
    QCOMPARE(w.findChild<QLineEdit*>(QStringLiteral("row_first_name"))->text(), QStringLiteral("R01"));
  }

  void parts_offer_racks_and_a_new_type_asks() {
    StudioWindow w(catalog_);
    open(w, empty_hall());
    PlanView* plan = w.hall()->plan();
    QTreeWidget* parts = w.parts()->tree();
    QVERIFY(item(parts, QStringLiteral("Racks of the catalog")));
    QTreeWidgetItem* rack = item(parts, QStringLiteral("NVIDIA GB200 NVL72"));
    QVERIFY(rack);
    parts->setCurrentItem(rack);
    parts->setFocus();
    QTest::keyClick(parts, Qt::Key_Return);
    QCOMPARE(plan->tool(), PlanTool::place);
    QTest::mouseMove(plan->viewport(), plan_point(plan, 9000, 5000));
    QTest::mouseClick(plan->viewport(), Qt::LeftButton, {}, plan_point(plan, 9000, 5000));
    QCOMPARE(w.document().design().racks->size(), 1u);
    QCOMPARE(w.document().design().rack_types->front().rack_part, std::string("gb200-nvl72"));
    // An integrated rack brings its trays: 18 of 4 GPUs, and the size of its frame.
    QCOMPARE(w.document().design().rack_items->size(), 1u);
    QCOMPARE(w.document().design().rack_items->front().count, Count{18});
    QTRY_VERIFY(w.document().evaluation());
    QTRY_COMPARE(w.document().evaluation()->figures.find("population.gpus")->value, 72.0);
    QCOMPARE(w.document().undoStack().count(), 1);
    parts->setCurrentItem(item(parts, QStringLiteral("New rack type")));
    QTest::keyClick(parts, Qt::Key_Return);
    auto* ask = w.findChild<QDialog*>(QStringLiteral("rack_type_dialog"));
    QVERIFY(ask);
    auto* name = ask->findChild<QLineEdit*>(QStringLiteral("rack_type_name"));
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("Leaf rack"));
    QTest::keyClick(name, Qt::Key_Return);
    QCOMPARE(w.document().design().rack_types->size(), 2u);
    QCOMPARE(w.document().design().rack_types->back().name, std::string("Leaf rack"));
    QCOMPARE(w.document().design().rack_types->back().rack_part, std::string("generic-48u-600x1200"));
    QCOMPARE(w.document().design().rack_items->size(), 1u); // those of the rack before
  }

  void move_by_goes_exactly_so_far() {
    StudioWindow w(catalog_);
    Design d = empty_hall();
    Structure s;
    s.kind = StructureKind::obstacle, s.name = "Obstacle 1", s.hall = d.halls->front().id;
    s.x = millimeters(4000), s.y = millimeters(5000), s.width = millimeters(600), s.depth = millimeters(600);
    d = add_entity(d, &Design::structures, s).design;
    open(w, d);
    w.document().select({{"structures", d.structures->front().id}});
    w.hall()->plan()->setFocus();
    QTest::keyClick(w.hall()->plan(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("move_dialog"));
    QVERIFY(dialog);
    dialog->activateWindow();
    QTRY_VERIFY(dialog->isActiveWindow());
    for (const auto& [field, words] : {std::pair{"move_dx", "2 m"}, std::pair{"move_dy", "-125 mm"}}) {
      auto* e = dialog->findChild<QuantityEdit*>(QLatin1String(field));
      e->setFocus();
      QTRY_VERIFY(e->hasFocus());
      e->selectAll();
      QTest::keyClicks(e, QLatin1String(words));
    }
    QTest::keyClick(dialog->findChild<QuantityEdit*>(QStringLiteral("move_dy")), Qt::Key_Return);
    QTRY_VERIFY(in_millimeters(w.document().design().structures->front().x) == 6000.0);
    QCOMPARE(in_millimeters(w.document().design().structures->front().y), 4875.0);
    QCOMPARE(w.document().undoStack().count(), 1);
  }

  void a_plus_in_front_is_refused_with_what_to_write() {
    QuantityEdit e;
    FieldInfo f;
    f.name = "x", f.label = "Position x", f.type = FieldType::number, f.kind = &kind::length, f.unit = "mm";
    e.setField(f);
    e.setValue(0.5);
    QString said;
    double got = -1;
    connect(&e, &QuantityEdit::refused, this, [&](const QString& s) { said = s; });
    connect(&e, &QuantityEdit::committed, this, [&](const FieldValue& v) { got = std::get<double>(v); });
    e.selectAll();
    QTest::keyClicks(&e, QStringLiteral("+2 m"));
    QTest::keyClick(&e, Qt::Key_Return);
    QVERIFY2(said.contains(QStringLiteral("+=2 m")), qPrintable(said));
    QCOMPARE(got, -1.0);
    e.selectAll();
    QTest::keyClicks(&e, QStringLiteral("+=2 m"));
    QTest::keyClick(&e, Qt::Key_Return);
    QCOMPARE(got, 2.5);
  }

  void letters_go_to_the_search_of_a_list_and_esc_to_the_plan() {
    StudioWindow w(catalog_);
    open(w, empty_hall());
    PlanView* plan = w.hall()->plan();
    const std::pair<const char*, const char*> lists[] = {{"parts_tree", "parts_search"},
                                                         {"outline_tree", "outline_search"}};
    for (const auto& [tree_name, search_name] : lists) {
      auto* tree = w.findChild<QTreeWidget*>(QLatin1String(tree_name));
      auto* search = w.findChild<QLineEdit*>(QLatin1String(search_name));
      QVERIFY(tree && search);
      plan->setTool(PlanTool::select);
      tree->setCurrentItem(tree->topLevelItem(0));
      tree->setFocus();
      QTest::keyClick(tree, Qt::Key_C);
      // Neither a tool nor swallowed: it stands in the field, which has the focus.
      QCOMPARE(plan->tool(), PlanTool::select);
      QVERIFY(search->hasFocus());
      QCOMPARE(search->text(), QStringLiteral("c"));
      // One Esc empties it, and the next letter is a tool.
      QTest::keyClick(search, Qt::Key_Escape);
      QVERIFY(search->text().isEmpty());
      QVERIFY(plan->hasFocus());
      QTest::keyClick(plan, Qt::Key_C);
      QCOMPARE(plan->tool(), PlanTool::column);
      tree->setFocus();
      QTest::keyClick(tree, Qt::Key_Escape);
      QVERIFY(plan->hasFocus());
    }
  }

  void a_part_is_found_and_placed_by_keys_alone() {
    StudioWindow w(catalog_);
    open(w, empty_hall());
    PlanView* plan = w.hall()->plan();
    QTest::keyClick(&w, Qt::Key_F, Qt::ControlModifier);
    auto* search = w.findChild<QLineEdit*>(QStringLiteral("parts_search"));
    QTRY_VERIFY(search->hasFocus());
    QTest::keyClicks(search, QStringLiteral("gb200 nvl72"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(plan->tool(), PlanTool::place);
    QVERIFY(plan->hasFocus());
    QTest::mouseClick(plan->viewport(), Qt::LeftButton, {}, plan_point(plan, 9000, 5000));
    QCOMPARE(w.document().design().racks->size(), 1u);
  }

  void tools_tiles_and_dialogs_give_the_focus_back() {
    StudioWindow w(catalog_);
    open(w, empty_hall());
    PlanView* plan = w.hall()->plan();
    w.headlines()->tile(0)->setFocus(Qt::TabFocusReason);
    QTest::keyClick(w.headlines()->tile(0), Qt::Key_Escape);
    QVERIFY(plan->hasFocus());
    w.parts()->tree()->setFocus();
    for (QAction* tool : w.hall()->toolActions())
      if (tool && tool->data().toInt() == static_cast<int>(PlanTool::door)) tool->trigger();
    QVERIFY(plan->hasFocus());
    w.headlines()->tile(0)->setFocus(Qt::TabFocusReason);
    QTest::keyClick(&w, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("find_dialog"));
    QVERIFY(dialog);
    QTest::keyClick(dialog, Qt::Key_Escape);
    w.activateWindow(); // as a window manager does
    QTRY_VERIFY(plan->hasFocus());
  }

  void previous_view_leads_back() {
    StudioWindow w(catalog_);
    Design d = empty_hall();
    Structure s;
    s.kind = StructureKind::obstacle, s.name = "Obstacle 1", s.hall = d.halls->front().id;
    s.x = millimeters(4000), s.y = millimeters(5000), s.width = millimeters(600), s.depth = millimeters(600);
    d = add_entity(d, &Design::structures, s).design;
    open(w, d);
    PlanView* plan = w.hall()->plan();
    plan->forgetViews();
    const auto middle = [plan] { return plan->mapToScene(plan->viewport()->rect().center()); };
    const QPointF first = middle();
    const double scale = plan->scalePercent();
    w.document().select({{"structures", d.structures->front().id}});
    plan->setFocus();
    QTest::keyClick(plan, Qt::Key_F4, Qt::ShiftModifier); // to the selection
    QVERIFY(plan->scalePercent() > scale * 1.2);
    const double near = plan->scalePercent();
    QTest::keyClick(plan, Qt::Key_F6);
    QVERIFY(std::abs(plan->scalePercent() - scale) < 1e-6);
    QVERIFY((middle() - first).manhattanLength() < 4 / plan->viewportTransform().m11());
    QTest::keyClick(plan, Qt::Key_F6, Qt::ShiftModifier);
    QVERIFY(std::abs(plan->scalePercent() - near) < 1e-6);
    // Nothing earlier is left after the first: it stays.
    QTest::keyClick(plan, Qt::Key_F6);
    QTest::keyClick(plan, Qt::Key_F6);
    QVERIFY(std::abs(plan->scalePercent() - scale) < 1e-6);
  }

  void the_legend_covers_no_rack_at_first_sight() {
    for (const QSize& size : {QSize(1500, 950), QSize(1366, 740), QSize(900, 600)}) {
      StudioWindow w(catalog_);
      open(w, empty_hall());
      w.resize(size);
      PlanView* plan = w.hall()->plan();
      plan->setOverlay(Overlay::power);
      QTest::qWait(250);
      plan->zoomToFit();
      // The card, with its longest content: 188 x 76 below the ruler of 20, 12 from the right.
      const QRectF card(plan->viewport()->width() - 12 - 188, 30, 188, 76);
      const QRectF hall = QRectF(plan->mapFromScene(QPointF(0, 0)), plan->mapFromScene(QPointF(20000, 10000)));
      QVERIFY2(!card.intersects(hall), qPrintable(QStringLiteral("%1 x %2").arg(size.width()).arg(size.height())));
      QVERIFY(QRectF(plan->viewport()->rect()).contains(hall));
    }
  }

  void a_new_design_asks_what_is_known() {
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("start_new")), Qt::LeftButton);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("new_design_dialog"));
    QVERIFY(dialog);
    auto* by_power = dialog->findChild<QRadioButton*>(QStringLiteral("new_by_power"));
    QTest::mouseClick(by_power, Qt::LeftButton, {}, QPoint(10, by_power->height() / 2));
    QVERIFY(by_power->isChecked());
    // 1000 kW / 1.25 = 800 kW of IT; 800 kW / (10.2 kW x 1.10) = 71.3 nodes of 8 GPUs.
    auto* effect = dialog->findChild<QLabel*>(QStringLiteral("new_effect"));
    QVERIFY2(effect->text().contains(QStringLiteral("71")) && effect->text().contains(QStringLiteral("568")),
             qPrintable(effect->text()));
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY(w.document().evaluation());
    for (const Finding& f : w.document().evaluation()->findings)
      QVERIFY2(f.severity != Severity::error, f.message.c_str());
    const Job& job = *w.document().design().job;
    const Count used = job.tensor_parallel * job.pipeline_parallel * job.data_parallel;
    QVERIFY2(used <= 568 && used > 568 * 9 / 10, std::to_string(used).c_str());
  }

  void a_job_is_fitted_to_what_was_drawn() {
    StudioWindow w(catalog_);
    Design d = empty_hall();
    RackType t;
    t.name = "Four DGX", t.rack_part = "generic-48u-600x1200";
    d = add_entity(d, &Design::rack_types, t).design;
    RackItem nodes;
    nodes.rack_type = d.rack_types->front().id, nodes.part = "dgx-h100", nodes.count = 4;
    d = add_entity(d, &Design::rack_items, nodes).design;
    RowPlan row;
    row.hall = d.halls->front().id, row.rack_type = d.rack_types->front().id, row.racks_per_row = 10;
    row.x = millimeters(2000), row.y = millimeters(3000), row.first_row_name = "R01";
    d = place_rows(d, row)->design;
    open(w, d); // 10 racks of 4 nodes of 8 GPUs: 320
    QAction* fit = nullptr;
    for (QAction* a : w.findChildren<QAction*>())
      if (a->text().contains(QStringLiteral("job to the GPUs"))) fit = a;
    QVERIFY(fit);
    fit->trigger();
    const Job& job = *w.document().design().job;
    QCOMPARE(job.tensor_parallel * job.pipeline_parallel * job.data_parallel, Count(320));
    QCOMPARE(w.document().undoStack().count(), 1);
    QTRY_VERIFY(w.document().evaluation() && w.document().evaluation()->design.job == w.document().design().job);
    for (const Finding& f : w.document().evaluation()->findings)
      QVERIFY2(f.code.rfind("TRN-", 0) != 0 || f.severity != Severity::error, f.message.c_str());
  }

  void unit_names_are_read_in_the_power_workspace() {
    StudioWindow w(catalog_);
    w.resize(1600, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(sample_copy(folder_, "superpod-h100-4su")));
    QTRY_VERIFY(w.document().evaluation());
    w.showWorkspace(1);
    w.power()->showPage(PowerWorkspace::inputs_page);
    QTest::qWait(300);
    auto* power = w.findChild<QWidget*>(QStringLiteral("workspace_Power"));
    auto* list = power->findChild<BarList*>(QStringLiteral("bars_0"));
    QVERIFY(list && list->isVisible());
    const Table* units = w.document().evaluation()->figures.table("power.units");
    QVERIFY(units && units->row_count() > 2);
    QCOMPARE(list->count(), static_cast<int>(units->row_count()));
    for (int i = 0; i < list->count(); ++i)
      QVERIFY2(!list->shownName(i).contains(QChar(0x2026)), qPrintable(list->shownName(i)));
    // A click on the third selects it.
    list->body()->setFocus();
    QSignalSpy spy(list, &BarList::barActivated);
    QTest::mouseClick(list->body(), Qt::LeftButton, {}, list->rowRect(2).center());
    QCOMPARE(spy.count(), 1);
    QCOMPARE(w.document().selection().size(), 1u);
    QCOMPARE(w.document().selection().front().id, units->entities[2]);
    QTest::keyClick(list->body(), Qt::Key_Down);
    QTest::keyClick(list->body(), Qt::Key_Return);
    QCOMPARE(spy.count(), 2);
    QCOMPARE(spy.back().front().toInt(), 3);
  }

  void the_print_dialog_fits_a_small_screen_and_its_scale_is_replaced_by_typing() {
    StudioWindow w(catalog_);
    open(w, empty_hall());
    QTest::keyClick(&w, Qt::Key_P, Qt::ControlModifier);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("print_dialog"));
    QVERIFY(dialog);
    // 1366 x 768 at 200 %.
    const QSize least = dialog->minimumSizeHint();
    QVERIFY2(least.width() <= 683 - 16 && least.height() <= 384 - 48,
             qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
    dialog->resize(667, 336);
    QTest::qWait(50);
    for (QPushButton* b : dialog->findChildren<QPushButton*>()) {
      const QRect place(b->mapTo(dialog, QPoint()), b->size());
      QVERIFY2(QRect(QPoint(), dialog->size()).contains(place), qPrintable(b->text()));
    }
    auto* scale = dialog->findChild<QComboBox*>(QStringLiteral("print_scale"));
    QVERIFY(scale);
    auto* paper = dialog->findChild<QComboBox*>(QStringLiteral("print_paper"));
    paper->setFocus();
    QLineEdit* line = scale->lineEdit();
    QTest::mouseClick(line, Qt::LeftButton, {}, QPoint(line->width() / 2, line->height() / 2));
    QTRY_COMPARE(line->selectedText(), line->text());
    QTest::keyClicks(line, QStringLiteral("1:75"));
    QCOMPARE(line->text(), QStringLiteral("1:75"));
    // Inside it, a second click places the cursor.
    QTest::qWait(QApplication::doubleClickInterval() + 20);
    QTest::mouseClick(line, Qt::LeftButton, {}, QPoint(line->width() / 2, line->height() / 2));
    QTest::qWait(20);
    QVERIFY(!line->hasSelectedText());
    QTest::keyClick(dialog, Qt::Key_Escape);
  }

  void a_chain_of_the_same_amount_is_one_line() {
    StudioWindow w(catalog_);
    w.resize(1600, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(sample_copy(folder_, "nvl72-16-racks")));
    QTRY_VERIFY(w.document().evaluation());
    int tile = -1;
    for (int i = 0; i < static_cast<int>(headline_tiles().size()); ++i)
      if (headline_tiles()[static_cast<std::size_t>(i)].figure == "space.worst_floor_load") tile = i;
    QVERIFY(tile >= 0);
    QTest::mouseClick(w.headlines()->tile(tile), Qt::LeftButton);
    QCOMPARE(w.explain()->figure(), QStringLiteral("space.worst_floor_load"));
    QVERIFY(w.explain()->tree()->topLevelItem(0)->childCount() > 0);
    for (QTreeWidgetItemIterator it(w.explain()->tree()); *it; ++it)
      QVERIFY2(!(*it)->text(1).contains(QStringLiteral("the same amount")), qPrintable((*it)->text(1)));
    for (const QLabel* label : w.explain()->findChildren<QLabel*>())
      QVERIFY2(!label->text().contains(QStringLiteral("the same amount")), qPrintable(label->text()));
    const QStringList lines = w.explain()->asText().split(QLatin1Char('\n'));
    for (int i = 1; i < lines.size(); ++i)
      QVERIFY2(!lines[i].contains(QStringLiteral("the same amount")), qPrintable(lines[i]));
  }

  void deleting_says_what_goes_with_it_by_name() {
    StudioWindow w(catalog_);
    Design d = empty_hall();
    for (double x : {4000.0, 9000.0}) {
      Structure s;
      s.kind = StructureKind::column, s.name = x < 5000 ? "Column 1" : "Column 2", s.hall = d.halls->front().id;
      s.x = millimeters(x), s.y = millimeters(5000), s.width = millimeters(600), s.depth = millimeters(600);
      d = add_entity(d, &Design::structures, s).design;
    }
    Dimension line;
    line.hall = d.halls->front().id;
    line.start = (*d.structures)[0].id, line.end = (*d.structures)[1].id;
    d = add_entity(d, &Design::dimensions, line).design;
    open(w, d);
    w.document().select({{"structures", line.start}});
    w.hall()->plan()->setFocus();
    QTest::keyClick(w.hall()->plan(), Qt::Key_Delete);
    auto* box = w.findChild<QMessageBox*>(QStringLiteral("delete_box"));
    QVERIFY(box);
    QVERIFY2(box->text().contains(QStringLiteral("Column 1")) && !box->text().contains(QStringLiteral("any ")),
             qPrintable(box->text()));
    QTest::keyClick(box, Qt::Key_Escape);
  }

  void sentences_of_checks_have_one_decimal_mark() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    QCOMPARE(screen_sentence(QStringLiteral("Aisle of 0.85 m; 1.2 m is needed (R1.5 to R2.5).")),
             QStringLiteral("Aisle of 0,85 m; 1,2 m is needed (R1.5 to R2.5)."));
    QCOMPARE(screen_sentence(QStringLiteral("\u2248 3.5 K above -2.0 K at 99.5%, arXiv:2407.21783, v2.0")),
             QStringLiteral("\u2248 3,5 K above -2,0 K at 99,5%, arXiv:2407.21783, v2.0"));
    QCOMPARE(screen_sentence(QStringLiteral("Hall 1.5 is 2.5 m too low."), {QStringLiteral("Hall 1.5")}),
             QStringLiteral("Hall 1.5 is 2,5 m too low."));
    QLocale::setDefault(QLocale(QLocale::English));
    QCOMPARE(screen_sentence(QStringLiteral("0.85 m")), QStringLiteral("0.85 m"));
    // Fields by their labels; what people named, files and figures stay.
    QCOMPARE(screen_sentence(QStringLiteral("tensor_parallel x data_parallel = 6 x 4; use micro_batch = 2")),
             QStringLiteral("Tensor parallel x data parallel = 6 x 4; use micro batch = 2"));
    QCOMPARE(screen_sentence(QStringLiteral("Row micro_batch of rack_list.csv, 'data_parallel', load.it_per_gpu"), {QStringLiteral("Row micro_batch")}),
             QStringLiteral("Row micro_batch of rack_list.csv, 'data_parallel', load.it_per_gpu"));
    QLocale::setDefault(before);
  }
};

QTEST_MAIN(TestFirstSteps)
#include "test_first_steps.moc"
