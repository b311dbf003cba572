// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/fabric_workspace.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/plan_selection.h"
#include "app/studio/rack_elevation_actions.h"
#include "app/studio/studio_window.h"
#include "widgets/fabric/fabric_view.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/quantity_edit.h"
#include "widgets/rack_elevation/rack_canvas.h"
#include "widgets/rack_elevation/rack_elevation_view.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// What is begun and not finished: gestures while something else takes the view or the keys, numbers that are too large
/// or read two ways, fields of things that are gone.
class TestGivenUp : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  void open(StudioWindow& w, const char* name, int width = 1500, int height = 950) {
    QVERIFY(show_window(w, width, height));
    QVERIFY(w.openPath(sample_copy(folder_, name)));
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluation(), 20000);
    QTest::qWait(150);
  }
  static QPoint middle_of(const StudioWindow& w, const PlanView* plan, const Rack& r) {
    Q_UNUSED(w)
    return plan_point(plan, in_millimeters(r.x) + 300, in_millimeters(r.y) + 600);
  }
  static bool same(const Design& a, const Design& b) { return a.racks == b.racks && a.rack_items == b.rack_items; }

private Q_SLOTS:
  void initTestCase() {
    const auto catalog = begin_window_tests();
    QVERIFY(catalog);
    catalog_ = *catalog;
  }

  void a_drag_ends_when_the_tab_changes() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    PlanView* plan = w.hall()->plan();
    const Design before = w.document().design();
    const QPoint from = middle_of(w, plan, before.racks->front());
    move_on_plan(plan, from);
    QTest::mousePress(plan->viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 5; ++i)
      move_on_plan(plan, from + QPoint(12 * i, 9 * i), Qt::LeftButton);
    QTRY_VERIFY(w.document().previewing());
    QTest::keyClick(&w, Qt::Key_2, Qt::ControlModifier);
    QVERIFY(!w.document().previewing()); // no other workspace shows half a drag
    QTest::mouseRelease(plan->viewport(), Qt::LeftButton, {}, from + QPoint(300, 200));
    QTest::keyClick(&w, Qt::Key_1, Qt::ControlModifier);
    QVERIFY(same(w.document().design(), before));
    QVERIFY(w.document().undoStack().isClean());
    // The next drag is a drag like any other.
    QTRY_VERIFY(plan->isVisible());
    const QPoint again = middle_of(w, plan, before.racks->front());
    drag_on_plan(plan, again, again + QPoint(0, 40));
    QCOMPARE(w.document().undoStack().count(), 1);
  }

  void a_drag_ends_when_the_keys_go_elsewhere() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    PlanView* plan = w.hall()->plan();
    const Design before = w.document().design();
    const QPoint from = middle_of(w, plan, before.racks->front());
    move_on_plan(plan, from);
    QTest::mousePress(plan->viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 5; ++i)
      move_on_plan(plan, from + QPoint(12 * i, 9 * i), Qt::LeftButton);
    QTRY_VERIFY(w.document().previewing());
    QTest::keyClick(&w, Qt::Key_F, Qt::ControlModifier); // find in parts
    QVERIFY(!w.document().previewing());
    move_on_plan(plan, from + QPoint(200, 100), Qt::LeftButton);
    QTest::mouseRelease(plan->viewport(), Qt::LeftButton, {}, from + QPoint(200, 100));
    QVERIFY(same(w.document().design(), before));
  }

  /// Undo, Escape and keys of edits while something is dragged: the drag ends or goes on, nothing else happens.
  void keys_during_a_drag_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<bool>("ends");
    QTest::newRow("undo") << int(Qt::Key_Z) << int(Qt::ControlModifier) << true;
    QTest::newRow("escape") << int(Qt::Key_Escape) << int(Qt::NoModifier) << true;
    QTest::newRow("delete") << int(Qt::Key_Delete) << int(Qt::NoModifier) << false;
    QTest::newRow("redo") << int(Qt::Key_Y) << int(Qt::ControlModifier) << false;
    QTest::newRow("duplicate") << int(Qt::Key_D) << int(Qt::ControlModifier) << false;
    QTest::newRow("rotate") << int(Qt::Key_R) << int(Qt::NoModifier) << false;
    QTest::newRow("nudge") << int(Qt::Key_Left) << int(Qt::NoModifier) << false;
  }
  void keys_during_a_drag() {
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(bool, ends);
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    PlanView* plan = w.hall()->plan();
    // A step before the drag, that Undo must leave alone; and one after it, for Redo.
    const EntityRef first{"racks", w.document().design().racks->front().id};
    w.document().apply({"Name it", [first](const Design& d) { return set_field(d, first, "name", std::string("Named")); }});
    w.document().apply({"Again", [first](const Design& d) { return set_field(d, first, "name", std::string("Again")); }});
    w.document().undoStack().undo();
    const Design before = w.document().design();
    const QPoint from = middle_of(w, plan, before.racks->front());
    move_on_plan(plan, from);
    QTest::mousePress(plan->viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 5; ++i)
      move_on_plan(plan, from + QPoint(0, 8 * i), Qt::LeftButton);
    QTRY_VERIFY(w.document().previewing());
    QTest::keyClick(plan, static_cast<Qt::Key>(key), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(w.document().previewing(), !ends);
    QVERIFY(same(w.document().design(), before));
    QCOMPARE(w.document().undoStack().index(), 1);
    if (ends) QVERIFY(!plan->gestureUnderWay());
    move_on_plan(plan, from + QPoint(0, 60), Qt::LeftButton);
    QTest::mouseRelease(plan->viewport(), Qt::LeftButton, {}, from + QPoint(0, 60));
    QCOMPARE(w.document().undoStack().index(), ends ? 1 : 2);
    QCOMPARE(same(w.document().design(), before), ends);
    QVERIFY(!w.document().previewing());
    // After it the key is what it always is.
    if (!ends) w.document().undoStack().undo();
    QTest::keyClick(plan, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.document().undoStack().index(), 0);
  }

  void undo_while_drawing_takes_the_last_point() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    PlanView* plan = w.hall()->plan();
    w.hall()->setTool(PlanTool::tray);
    const QPoint at = plan->viewport()->rect().center();
    for (const QPoint& p : {QPoint(-60, -20), QPoint(0, -20), QPoint(60, 30)}) click_on_plan(plan, at + p);
    QTest::keyClick(plan, Qt::Key_Z, Qt::ControlModifier); // the third point goes
    QTest::keyClick(plan, Qt::Key_Return);
    const std::size_t trays = w.document().design().trays->size();
    QVERIFY(trays > 0);
    QCOMPARE(w.document().design().trays->back().path.size(), std::size_t(2));
    QCOMPARE(w.document().undoStack().count(), 1);
    // Of a single point all is given up, and nothing is undone.
    click_on_plan(plan, at + QPoint(-60, 60));
    QTest::keyClick(plan, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.document().undoStack().index(), 1);
    QTest::keyClick(plan, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.document().undoStack().index(), 0);
  }

  void dragging_in_a_rack_ends_when_the_tab_changes() {
    StudioWindow w(catalog_);
    open(w, "superpod-h100-4su");
    const Design before = w.document().design();
    w.document().select({{"racks", before.racks->front().id}});
    QTest::keyClick(&w, Qt::Key_E, Qt::ControlModifier);
    elevation::RackCanvas* canvas = w.rackElevation()->view()->canvas();
    QTRY_VERIFY(canvas->isVisible());
    QTRY_VERIFY(!canvas->picture().places().places.empty());
    QTest::qWait(100);
    const RackSlot slot = canvas->picture().places().places.front();
    const elevation::Face face = slot.front() ? elevation::Face::front : elevation::Face::rear;
    const QPoint at = canvas->picture().rect(face, slot).center().toPoint();
    const auto move = [&](const QPoint& p) {
      QMouseEvent e(QEvent::MouseMove, QPointF(p), QPointF(canvas->viewport()->mapToGlobal(p)), Qt::NoButton,
                    Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(canvas->viewport(), &e);
    };
    QTest::mousePress(canvas->viewport(), Qt::LeftButton, {}, at);
    for (int i = 1; i <= 5; ++i)
      move(at - QPoint(0, 12 * i));
    QTest::keyClick(&w, Qt::Key_3, Qt::ControlModifier);
    QTest::mouseRelease(canvas->viewport(), Qt::LeftButton, {}, at - QPoint(0, 60));
    QVERIFY(same(w.document().design(), before));
  }

  void panning_the_fabric_ends_when_the_tab_changes() {
    StudioWindow w(catalog_);
    open(w, "superpod-h100-4su");
    QTest::keyClick(&w, Qt::Key_4, Qt::ControlModifier);
    auto* view = w.fabric()->view();
    QTRY_VERIFY(view->isVisible());
    QTest::qWait(300);
    const QPoint at = view->rect().center();
    QTest::mousePress(view, Qt::LeftButton, {}, at);
    const auto move = [&](const QPoint& p) {
      QMouseEvent e(QEvent::MouseMove, QPointF(p), QPointF(view->mapToGlobal(p)), Qt::NoButton, Qt::LeftButton,
                    Qt::NoModifier);
      QApplication::sendEvent(view, &e);
    };
    move(at + QPoint(20, 0));
    QCOMPARE(view->cursor().shape(), Qt::ClosedHandCursor);
    QTest::keyClick(&w, Qt::Key_1, Qt::ControlModifier);
    QTest::keyClick(&w, Qt::Key_4, Qt::ControlModifier);
    QTRY_VERIFY(view->isVisible());
    QVERIFY(view->cursor().shape() != Qt::ClosedHandCursor); // a hand points at what is under it
    move(at + QPoint(40, 0));
    QVERIFY(view->cursor().shape() != Qt::ClosedHandCursor); // a hand points at what is under it
  }

  void an_array_is_bounded_and_says_so() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    const std::size_t racks = w.document().design().racks->size();
    w.document().select({{"racks", w.document().design().racks->front().id}});
    QTest::keyClick(&w, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = w.findChild<QDialog*>(QStringLiteral("array_dialog"));
    QVERIFY(dialog);
    auto* columns = dialog->findChild<QSpinBox*>(QStringLiteral("array_columns"));
    auto* rows = dialog->findChild<QSpinBox*>(QStringLiteral("array_rows"));
    auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    const auto type = [](QSpinBox* in, const char* number) {
      in->setFocus();
      in->selectAll();
      QTest::keyClicks(in, QLatin1String(number));
    };
    const auto says = [dialog](const QString& words) {
      for (const QLabel* l : dialog->findChildren<QLabel*>())
        if (l->text().contains(words)) return true;
      return false;
    };
    type(columns, "999");
    type(rows, "99");
    QVERIFY(says(QStringLiteral("98\u2009901 things are too many; at most 20\u2009000")));
    QVERIFY(!ok->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Return);
    QVERIFY(dialog->isVisible());
    QTRY_VERIFY(!w.document().previewing()); // nothing is drawn of it
    type(columns, "4");
    type(rows, "3");
    QVERIFY(ok->isEnabled());
    QTRY_COMPARE(w.document().shown().racks->size(), racks + 11);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!w.document().previewing());
    QCOMPARE(w.document().design().racks->size(), racks);
  }

  void rows_of_an_array_are_named_in_their_order() {
    // Five rows of one rack each at pitches of 2 and 3 m: 0, 2, 5, 7 and 10 m.
    const auto opened = [&] {
      StudioWindow w(catalog_);
      open(w, "nvl72-16-racks");
      return w.document().design();
    }();
    const Rack& first = opened.racks->front();
    ArrayPlan plan;
    plan.rows = 5, plan.pitch_y_mm = 2000, plan.second_pitch_y_mm = 3000;
    const auto made = array_edit({{"racks", first.id}}, plan, catalog_).apply(opened);
    QVERIFY2(made, made ? "" : made.error().c_str());
    std::vector<double> down;
    for (std::size_t i = opened.racks->size(); i < made->racks->size(); ++i)
      down.push_back(std::round(in_millimeters((*made->racks)[i].y) - in_millimeters(first.y)));
    QCOMPARE(down, (std::vector<double>{2000, 5000, 7000, 10000}));
    std::set<std::string> names;
    for (const Rack& r : *made->racks)
      names.insert(r.name);
    QCOMPARE(names.size(), made->racks->size());
    plan.rows = 20001;
    QVERIFY(!array_edit({{"racks", first.id}}, plan, catalog_).apply(opened));
  }

  void deleting_empties_the_inspector() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    w.hall()->plan()->setFocus();
    std::vector<EntityRef> racks;
    for (const Rack& r : *w.document().design().racks)
      racks.push_back({"racks", r.id});
    w.document().select(racks);
    const auto titled = [&](const char* words) {
      for (const QLabel* l : w.inspector()->findChildren<QLabel*>())
        if (l->isVisible() && l->text().contains(QLatin1String(words))) return true;
      return false;
    };
    QVERIFY(titled("racks selected"));
    QTest::keyClick(w.hall()->plan(), Qt::Key_Delete);
    if (auto* box = w.findChild<QMessageBox*>(QStringLiteral("delete_box"))) QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(w.document().design().racks->empty());
    QVERIFY(!titled("racks selected"));
    QVERIFY(titled("Select something"));
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(titled("racks selected"));
  }

  void a_refusal_goes_with_what_was_refused() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    w.document().select({{"racks", w.document().design().racks->front().id}});
    auto* field = w.inspector()->findChild<QuantityEdit*>(QStringLiteral("field_x"));
    QVERIFY(field);
    QTRY_VERIFY(field->isVisible());
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("abc"));
    QCOMPARE(field->text(), QStringLiteral("abc"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(!field->problem().isEmpty());
    const auto refusals = [&] {
      int n = 0;
      for (const QLabel* l : w.inspector()->findChildren<QLabel*>(QStringLiteral("problem")))
        n += l->isVisible() ? 1 : 0;
      return n;
    };
    QCOMPARE(refusals(), 1);
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(refusals(), 0);
  }

  void counts_are_read_as_amounts_are() {
    const QLocale before;
    const auto refused = [](const QLocale& locale, const char* typed) {
      QLocale::setDefault(locale);
      QuantityEdit edit;
      FieldInfo f;
      f.name = "systems", f.label = "Systems", f.type = FieldType::count, f.kind = &kind::count;
      f.minimum = 0, f.maximum = 1e6;
      edit.setField(f);
      edit.setValue(FieldValue(std::int64_t{1}));
      edit.show();
      edit.selectAll();
      QTest::keyClicks(&edit, QLatin1String(typed));
      QTest::keyClick(&edit, Qt::Key_Return);
      if (!edit.problem().isEmpty()) return std::int64_t{-1};
      return std::get<std::int64_t>(edit.value());
    };
    for (const QLocale& locale : {QLocale(QLocale::German, QLocale::Germany), QLocale(QLocale::English)}) {
      QCOMPARE(refused(locale, "2.000"), std::int64_t{-1}); // 2 or 2000
      QCOMPARE(refused(locale, "2,000"), std::int64_t{-1});
      QCOMPARE(refused(locale, "2000"), std::int64_t{2000});
      QLocale::setDefault(locale);
      QCOMPARE(screen_number(1024), QStringLiteral("1024")); // as amounts: thin spaces, from five digits on
      QCOMPARE(screen_number(18000), QStringLiteral("18\u2009000"));
      QCOMPARE(screen_number(1234567.25, 'f', 2),
               QStringLiteral("1\u2009234\u2009567") + locale.decimalPoint() + QStringLiteral("25"));
    }
    QLocale::setDefault(before);
  }

  void editors_of_a_narrow_inspector_are_in_reach() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 800, 600);
    w.document().select({{"racks", w.document().design().racks->front().id}});
    QTest::qWait(200);
    auto* scroll = w.inspector()->findChild<QScrollArea*>();
    QVERIFY(scroll);
    int seen = 0;
    for (const QWidget* editor : scroll->findChildren<QuantityEdit*>()) {
      if (editor->isHidden()) continue;
      const int right = editor->mapTo(scroll->widget(), QPoint(editor->width(), 0)).x();
      const int room = scroll->viewport()->width() + scroll->horizontalScrollBar()->maximum();
      QVERIFY2(right <= room,
               qPrintable(QStringLiteral("%1: %2 of %3").arg(editor->objectName()).arg(right).arg(room)));
      ++seen;
    }
    QVERIFY(seen > 3);
  }
};

QTEST_MAIN(TestGivenUp)
#include "test_given_up.moc"
