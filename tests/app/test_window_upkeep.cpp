// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "window_bench.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/studio_window.h"
#include "app/studio/subject_workspace.h"
#include "widgets/entity_title.h"
#include "widgets/panels.h"
#include "widgets/quantity_edit.h"

using namespace hallwright;
using namespace hallwright::test;

/// What the window owes its user beside figures: undo in fields, a drawing that stands still, sentences that are whole.
class TestWindowUpkeep : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;

  QTemporaryDir folder_;

  void open(StudioWindow& w, const char* name) {
    w.resize(1600, 1000);
    w.show();
    w.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w));
    QVERIFY(w.openPath(sample_copy(folder_, name)));
    QTRY_VERIFY(w.document().evaluation());
    QTest::qWait(50);
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
    QApplication::setApplicationName(QStringLiteral("window-upkeep"));
  }

  void undo_reaches_the_document_from_a_field_with_the_focus() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    const Id hall = w.document().design().halls->front().id;
    const Length before = w.document().design().halls->front().ceiling_height;
    w.document().select({{"halls", hall}});
    const FieldForm* form = w.findChild<InspectorPanel*>()->form();
    auto* edit = qobject_cast<QuantityEdit*>(form->editor(QStringLiteral("ceiling_height")));
    QVERIFY(edit);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, QStringLiteral("4.25 m"));
    // What is only typed is taken back in the field.
    QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.document().undoStack().count(), 0);
    QVERIFY(edit->text() != QStringLiteral("4.25 m"));
    edit->selectAll();
    QTest::keyClicks(edit, QStringLiteral("4.25 m"));
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(in_millimeters(w.document().design().halls->front().ceiling_height), 4250.0);
    QVERIFY(edit->hasFocus());
    QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.document().design().halls->front().ceiling_height, before);
    QVERIFY(edit->hasFocus());
    QVERIFY(edit->text() != QStringLiteral("4250 mm"));
    QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(in_millimeters(w.document().design().halls->front().ceiling_height), 4250.0);
  }

  void the_drawing_stands_still_when_a_tool_is_chosen_data() {
    QTest::addColumn<int>("width");
    QTest::newRow("wide") << 1600;
    QTest::newRow("narrow, some fields wait behind a button") << 1000;
  }
  void the_drawing_stands_still_when_a_tool_is_chosen() {
    QFETCH(int, width);
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    w.resize(width, 900);
    QTest::qWait(50);
    PlanView* plan = w.hall()->plan();
    plan->zoomToFit();
    plan->setFocus();
    const QPointF corner(1000, 1000);
    const auto on_screen = [&] { return plan->viewport()->mapToGlobal(plan->mapFromScene(corner)); };
    const QPoint before = on_screen();
    int moved_bar = 0;
    const int top = plan->mapTo(&w, QPoint()).y();
    for (const Qt::Key key : {Qt::Key_T, Qt::Key_W, Qt::Key_N, Qt::Key_Escape}) {
      QTest::keyClick(plan, key);
      QTest::qWait(60);
      moved_bar += plan->mapTo(&w, QPoint()).y() != top ? 1 : 0;
      const QPoint off = on_screen() - before;
      QVERIFY2(off.manhattanLength() <= 2, qPrintable(QStringLiteral("%1 after %2").arg(off.y()).arg(key)));
    }
    QCOMPARE(moved_bar, 0); // one line of fields whatever the tool and the width
  }

  void another_design_starts_without_what_was_told_of_the_last() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    auto* explain = w.findChild<ExplainPanel*>();
    explain->showFigure(QStringLiteral("space.least_height"));
    QVERIFY(!explain->figure().isEmpty());
    QTest::mouseMove(w.hall()->plan()->viewport(), QPoint(200, 200));
    QVERIFY(w.openPath(sample_copy(folder_, "nvl72-16-racks")));
    QVERIFY(explain->figure().isEmpty());
    QTRY_VERIFY(w.document().evaluation());
    for (QLabel* l : explain->findChildren<QLabel*>())
      QVERIFY2(!l->text().contains(QStringLiteral("space.")), qPrintable(l->text()));
  }

  void the_current_finding_is_readable_whole() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    auto* checks = w.findChild<ChecksPanel*>();
    auto* whole = checks->findChild<QLabel*>(QStringLiteral("finding_whole"));
    QVERIFY(whole);
    QTest::keyClick(&w, Qt::Key_F8);
    QTest::qWait(50);
    QVERIFY(whole->isVisible());
    const auto& findings = w.document().evaluation()->findings;
    QVERIFY(!findings.empty());
    const int row = checks->table()->currentRow();
    QVERIFY(row >= 0);
    QVERIFY(whole->text().contains(checks->table()->item(row, 2)->text().toHtmlEscaped()));
    QVERIFY(whole->height() >= whole->heightForWidth(whole->width()));
    // The sentence has most of the room.
    QVERIFY(checks->table()->columnWidth(2) * 2 > checks->table()->viewport()->width() * 9 / 10 - 200);
  }

  void things_without_a_name_go_by_what_they_are() {
    Design d;
    RackType t;
    t.name = "Type";
    d = add_entity(d, &Design::rack_types, t).design;
    RackItem item;
    item.part = "dgx-h100";
    item.count = 4;
    Made made = add_entity(d, &Design::rack_items, item);
    QVERIFY(catalog_->find<NodePart>("dgx-h100"));
    QCOMPARE(entity_title(made.design, catalog_.get(), made.entities.front()),
             QStringLiteral("4 \u00d7 ") + QString::fromStdString(catalog_->find<NodePart>("dgx-h100")->name));
    Note note;
    note.text = "Keep clear\nat all times";
    made = add_entity(made.design, &Design::notes, note);
    QCOMPARE(entity_title(made.design, nullptr, made.entities.front()), QStringLiteral("Note: Keep clear"));
    made = add_entity(made.design, &Design::dimensions, Dimension{});
    const EntityRef dimension = made.entities.front();
    QCOMPARE(entity_title(made.design, nullptr, dimension), QStringLiteral("Dimension %1").arg(dimension.id));
  }

  void tables_have_titles_before_they_have_rows() {
    for (const SubjectSpec& spec : subject_specs())
      for (const QString& id : spec.tables) QVERIFY2(table_title(id) != QStringLiteral("Table"), qPrintable(id));
  }

  void a_refusal_is_readable_whole() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    w.document().select({{"racks", w.document().design().racks->front().id}});
    auto* edit = qobject_cast<QuantityEdit*>(w.findChild<InspectorPanel*>()->form()->editor(QStringLiteral("x")));
    QVERIFY(edit);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, QStringLiteral("abc"));
    QTest::keyClick(edit, Qt::Key_Return);
    QTest::qWait(60);
    QLabel* said = nullptr;
    for (QLabel* l : w.findChild<InspectorPanel*>()->findChildren<QLabel*>(QStringLiteral("problem")))
      if (l->isVisible()) said = l;
    QVERIFY(said);
    QVERIFY(said->height() >= said->heightForWidth(said->width()));
    const QRect room(0, 0, said->width(), 1000);
    QVERIFY(said->height() >= said->fontMetrics().boundingRect(room, Qt::TextWordWrap, said->text()).height());
    QVERIFY(said->parentWidget()->rect().contains(said->geometry()));
  }

  void a_remembered_window_lies_on_the_screen_with_its_title_bar() {
    const QRect room(0, 0, 1600, 1000);
    const QMargins frame(1, 24, 1, 4);
    QCOMPARE(fitted_geometry(QRect(0, 0, 800, 500), frame, QSize(600, 400), room), QRect(1, 24, 800, 500));
    QCOMPARE(fitted_geometry(QRect(-300, -200, 4000, 3000), frame, QSize(600, 400), room), QRect(1, 24, 1598, 972));
    QCOMPARE(fitted_geometry(QRect(1500, 900, 300, 200), frame, QSize(600, 400), room), QRect(999, 596, 600, 400));
  }
};

QTEST_MAIN(TestWindowUpkeep)
#include "test_window_upkeep.moc"
