// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QTabBar>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoView>
#include <QWheelEvent>

#include "app/studio/finding_changes.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/power_workspace.h"
#include "app/studio/studio_window.h"
#include "app/studio/subject_workspace.h"
#include "begin_new_design.h"
#include "widgets/figure_table.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// What one relies on everywhere in the window: the wheel edits nothing, tabs stay where they are, previews tell what
/// they do, lists are found in by any word, columns and words can be read.
class TestWindowManners : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  void open(StudioWindow& w, const char* name, int width = 1500, int height = 950) {
    QVERIFY(show_window(w, width, height));
    QVERIFY(w.openPath(sample_copy(folder_, name)));
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluation(), 20000);
    QTest::qWait(150);
  }

  /// One notch of the wheel over the middle of a widget, down or up; what takes it is what Qt finds there.
  static void wheel(QWidget* over, int notches) {
    const QPoint global = over->mapToGlobal(over->rect().center());
    QWidget* under = over->childAt(over->rect().center()); // the line of a number box
    if (!under) under = over;
    QWheelEvent e(QPointF(under->mapFromGlobal(global)), QPointF(global), {}, QPoint(0, 120 * notches), Qt::NoButton,
                  Qt::NoModifier, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&e); // as from a mouse: goes on to what lies around where it is not taken
    qApp->notify(under, &e);
  }

  static QString value_of(const QWidget* w) {
    if (const auto* combo = qobject_cast<const QComboBox*>(w)) return combo->currentText();
    if (const auto* spin = qobject_cast<const QSpinBox*>(w)) return QString::number(spin->value());
    if (const auto* spin = qobject_cast<const QDoubleSpinBox*>(w)) return QString::number(spin->value());
    if (const auto* slider = qobject_cast<const QAbstractSlider*>(w)) return QString::number(slider->value());
    return {};
  }

  /// Everything in a window whose value a wheel could change.
  static QList<QWidget*> fields_in(QWidget& window) {
    QList<QWidget*> out;
    for (QWidget* w : window.findChildren<QWidget*>()) {
      if (!w->isVisibleTo(&window) || w->window() != &window) continue;
      const bool slider = qobject_cast<QAbstractSlider*>(w) && !qobject_cast<QScrollBar*>(w);
      if (slider || qobject_cast<QComboBox*>(w) || qobject_cast<QAbstractSpinBox*>(w)) out << w;
    }
    return out;
  }

  /// Turns the wheel over every field of a window; the names of those that moved or took the focus.
  static QStringList moved_by_wheel(QWidget& window, int& tried) {
    QStringList out;
    for (QWidget* field : fields_in(window)) {
      for (QWidget* up = field->parentWidget(); up; up = up->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(up)) area->ensureWidgetVisible(field);
      const QString before = value_of(field);
      const bool had = field->hasFocus() || field->isAncestorOf(QApplication::focusWidget());
      wheel(field, -1);
      wheel(field, -1);
      wheel(field, 1);
      ++tried;
      const bool has = field->hasFocus() || field->isAncestorOf(QApplication::focusWidget());
      if (value_of(field) != before || has != had)
        out << QStringLiteral("%1 %2: %3, then %4")
                   .arg(QLatin1String(field->metaObject()->className()), field->objectName(), before, value_of(field));
    }
    return out;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
    QSettings().clear();
  }

  // --- the wheel ---

  void the_wheel_edits_nothing_in_any_workspace() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    w.document().select({{"racks", w.document().design().racks->front().id}});
    auto* tabs = w.findChild<QTabBar*>(QStringLiteral("workspace_tabs"));
    int tried = 0;
    for (int i = 0; i < tabs->count(); ++i) {
      w.showWorkspace(i);
      QTest::qWait(60);
      const QStringList moved = moved_by_wheel(w, tried);
      QVERIFY2(moved.isEmpty(), qPrintable(tabs->tabText(i) + QStringLiteral(": ") + moved.join(QLatin1Char('\n'))));
      QCOMPARE(tabs->currentIndex(), i);
    }
    w.showWorkspace(0);
    w.hall()->plan()->setFocus();
    for (const Qt::Key key : {Qt::Key_W, Qt::Key_T, Qt::Key_P}) { // bars with fields above the plan
      QTest::keyClick(w.hall()->plan(), key);
      QTest::qWait(40);
      const QStringList moved = moved_by_wheel(w, tried);
      QVERIFY2(moved.isEmpty(), qPrintable(moved.join(QLatin1Char('\n'))));
      QTest::keyClick(w.hall()->plan(), Qt::Key_Escape);
    }
    QCOMPARE(w.document().undoStack().count(), 0);
    QVERIFY(!w.document().previewing());
    QVERIFY2(tried > 40, qPrintable(QString::number(tried)));
  }

  void the_wheel_edits_nothing_in_any_dialog() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    w.document().select({{"racks", w.document().design().racks->front().id}});
    int tried = 0, dialogs = 0;
    QStringList moved;
    for (QAction* action : w.findChildren<QAction*>()) {
      const QString text = QString(action->text()).remove(QLatin1Char('&'));
      // Those that end in dots ask; file choosers are the desktop's.
      if (!text.endsWith(QChar(0x2026)) || !action->isEnabled() || !action->isVisible()) continue;
      if (text.startsWith(QStringLiteral("Open")) || text.startsWith(QStringLiteral("Save"))) continue;
      QTimer look;
      look.setInterval(150);
      bool seen = false;
      connect(&look, &QTimer::timeout, this, [&] {
        for (QWidget* top : QApplication::topLevelWidgets()) {
          auto* dialog = qobject_cast<QDialog*>(top);
          if (!dialog || !dialog->isVisible()) continue;
          seen = true;
          if (!dialog->inherits("QFileDialog")) moved << moved_by_wheel(*dialog, tried);
          dialog->reject();
        }
      });
      look.start();
      action->trigger();
      QTest::qWait(320);
      dialogs += seen ? 1 : 0;
    }
    QVERIFY2(moved.isEmpty(), qPrintable(moved.join(QLatin1Char('\n'))));
    QVERIFY2(dialogs >= 6 && tried > 20, qPrintable(QStringLiteral("%1 dialogs, %2 fields").arg(dialogs).arg(tried)));
    QCOMPARE(w.document().undoStack().count(), 0);
  }

  void the_wheel_scrolls_the_form_around_a_field() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1500, 700);
    w.showWorkspace(1);
    w.power()->showPage(PowerWorkspace::inputs_page);
    QTest::qWait(100);
    auto* chooser = w.findChild<QWidget*>(QStringLiteral("workspace_Power"))
                        ->findChild<QComboBox*>(QStringLiteral("field_seismic_category"));
    if (!chooser)
      for (QComboBox* c : w.findChild<QWidget*>(QStringLiteral("workspace_Power"))->findChildren<QComboBox*>())
        if (c->isVisible() && !chooser) chooser = c;
    QVERIFY(chooser && chooser->isVisible());
    const QString value = chooser->currentText();
    // Whichever area around it has something to scroll.
    const auto sum_of = [chooser](int (QAbstractSlider::*what)() const) {
      int sum = 0;
      for (QWidget* up = chooser->parentWidget(); up; up = up->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(up)) sum += (area->verticalScrollBar()->*what)();
      return sum;
    };
    const auto scrolled = [&] { return sum_of(&QAbstractSlider::value); };
    QTRY_VERIFY(sum_of(&QAbstractSlider::maximum) > 0);
    const int before = scrolled();
    wheel(chooser, -1);
    const int after = scrolled();
    QVERIFY2(after > before, qPrintable(QStringLiteral("%1, then %2").arg(before).arg(after)));
    QCOMPARE(chooser->currentText(), value);
  }

  void a_field_that_was_clicked_takes_the_wheel_until_the_cursor_goes() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    w.activateWindow();
    w.hall()->plan()->setFocus();
    QTRY_VERIFY(w.isActiveWindow() && w.hall()->plan()->hasFocus());
    QTest::keyClick(w.hall()->plan(), Qt::Key_W);
    auto* count = w.findChild<QSpinBox*>(QStringLiteral("row_count"));
    QVERIFY(count);
    QTRY_VERIFY(count->isVisible());
    const int before = count->value();
    wheel(count, 1);
    QCOMPARE(count->value(), before);
    auto* line = count->findChild<QLineEdit*>();
    QTest::mouseClick(line, Qt::LeftButton);
    QVERIFY2(count->hasFocus(),
             QApplication::focusWidget() ? QApplication::focusWidget()->metaObject()->className() : "none");
    wheel(count, 1);
    QCOMPARE(count->value(), before + 1);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(count, &leave);
    wheel(count, 1);
    QCOMPARE(count->value(), before + 1);
  }

  // --- the frame ---

  void tabs_stay_where_they_are() {
    StudioWindow w(catalog_);
    open(w, "superpod-h100-4su");
    auto* tabs = w.findChild<QTabBar*>(QStringLiteral("workspace_tabs"));
    const auto places = [&] {
      QStringList out;
      for (int i = 0; i < tabs->count(); ++i) {
        const QPoint p = tabs->mapTo(&w, tabs->tabRect(i).topLeft());
        out << QStringLiteral("%1,%2").arg(p.x()).arg(p.y());
      }
      return out;
    };
    // The bold letters of the chosen tab are the only thing that may shift others, by no more than its own width.
    const int left = tabs->mapTo(&w, QPoint()).x(), top = tabs->mapTo(&w, QPoint()).y();
    const QStringList first = places();
    auto* lower = w.findChild<QDockWidget*>(QStringLiteral("dock_checks"));
    const int lower_left = lower->mapTo(&w, QPoint()).x();
    for (int i = tabs->count() - 1; i >= 0; --i) {
      QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
      QTest::qWait(80);
      QCOMPARE(tabs->currentIndex(), i);
      QCOMPARE(tabs->mapTo(&w, QPoint()), QPoint(left, top));
      QCOMPARE(places(), first);
      QCOMPARE(lower->mapTo(&w, QPoint()).x(), lower_left);
    }
    QVERIFY(left < 40);
  }

  void panels_have_handles_and_tables_show_what_is_wanted() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks", 1600, 1000);
    w.showWorkspace(1);
    w.power()->showPage(PowerWorkspace::inputs_page);
    QTest::qWait(200);
    auto* power = w.findChild<QWidget*>(QStringLiteral("workspace_Power"));
    for (const char* name : {"split_inputs", "split_rows", "split_charts"}) {
      auto* split = power->findChild<QSplitter*>(QLatin1String(name));
      QVERIFY2(split && split->count() >= 2, name);
      // The handle is dragged with the mouse.
      QWidget* handle = split->handle(1);
      const int before = split->sizes().front();
      const QPoint c = handle->rect().center(),
                   by = split->orientation() == Qt::Horizontal ? QPoint(30, 0) : QPoint(0, 30);
      QTest::mousePress(handle, Qt::LeftButton, {}, c);
      QTest::mouseMove(handle, c + by);
      QTest::mouseRelease(handle, Qt::LeftButton, {}, c + by);
      QVERIFY2(split->sizes().front() != before, name);
    }
    auto* units = power->findChild<FigureTable*>(QStringLiteral("table_power.units"));
    QVERIFY(units && units->isVisible());
    QHeaderView* head = units->view()->horizontalHeader();
    const auto in_sight = [&](const QString& words) {
      for (int c = 0; c < head->count(); ++c) {
        const QString title = units->view()
                                  ->model()
                                  ->headerData(c, Qt::Horizontal)
                                  .toString()
                                  .replace(QLatin1Char('\n'), QLatin1Char(' '));
        if (title.startsWith(words))
          return head->sectionViewportPosition(c) >= 0 &&
                 head->sectionViewportPosition(c) + head->sectionSize(c) <= head->viewport()->width();
      }
      return false;
    };
    for (const char* column : {"Unit", "Load, kW", "Load, worst unit out", "Usable rating", "Headroom"})
      QVERIFY2(in_sight(QLatin1String(column)), column);
  }

  void no_figure_of_a_subject_stands_twice() {
    StudioWindow w(catalog_);
    for (const char* sample : {"nvl72-16-racks", "one-megawatt"}) {
      open(w, sample);
      const auto& figures = w.document().evaluation()->figures;
      for (const SubjectSpec& spec : subject_specs()) {
        QStringList labels;
        for (const QString& id : spec.figures)
          if (const Figure* f = figures.find(id.toStdString())) {
            const QString label = QString::fromStdString(f->label);
            QVERIFY2(!labels.contains(label), qPrintable(spec.name + QStringLiteral(": ") + label));
            labels << label;
          }
      }
    }
  }

  void a_design_without_a_file_does_not_say_saved() {
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1500, 950));
    QVERIFY(begin_new_design(w));
    const auto says = [&](const char* words) {
      for (const QLabel* l : w.findChildren<QLabel*>())
        if (l->isVisible() && l->text().contains(QLatin1String(words))) return true;
      return false;
    };
    QTRY_VERIFY(says("Not saved yet"));
    QVERIFY(!says("All changes saved"));
    QVERIFY(w.saveTo(folder_.filePath(QStringLiteral("first.hall"))));
    QVERIFY(says("All changes saved"));
  }

  void the_size_of_the_cluster_stands_beside_the_tabs() {
    StudioWindow w(catalog_);
    open(w, "one-megawatt");
    auto* size = w.findChild<QToolButton*>(QStringLiteral("population"));
    const Figure* gpus = w.document().evaluation()->figures.find("population.gpus");
    QVERIFY(gpus && gpus->has_value());
    QVERIFY2(size->text().startsWith(screen_text(*gpus, 12)), qPrintable(size->text()));
    QTest::mouseClick(size, Qt::LeftButton);
    QCOMPARE(w.explain()->figure(), QStringLiteral("population.gpus"));
  }

  // --- parts ---

  void parts_are_found_by_kind_maker_and_what_people_call_them() {
    StudioWindow w(catalog_);
    open(w, "one-megawatt");
    auto* search = w.findChild<QLineEdit*>(QStringLiteral("parts_search"));
    QTreeWidget* tree = w.parts()->tree();
    const auto hits = [&](const char* words) {
      QTest::keyClick(&w, Qt::Key_F, Qt::ControlModifier);
      search->setFocus();
      search->selectAll();
      QTest::keyClicks(search, QLatin1String(words));
      QStringList out;
      for (QTreeWidgetItemIterator it(tree, QTreeWidgetItemIterator::NotHidden | QTreeWidgetItemIterator::Selectable);
           *it; ++it)
        out << (*it)->text(0);
      return out;
    };
    const auto number = [](const QStringList& list, const char* words) {
      return list.filter(QLatin1String(words)).size();
    };
    // Kinds of the catalog's table power_equipment: 35 UPS of nine makers, 7 of them of Vertiv.
    const QStringList ups = hits("UPS");
    QCOMPARE(number(ups, "Vertiv Liebert"), 7);
    QCOMPARE(number(ups, "Huawei"), 4);
    QCOMPARE(number(hits("Vertiv"), "CoolChip CDU"), 2); // in-row; those in racks are not placed on the plan
    QVERIFY(number(hits("vertiv ups"), "Vertiv") == 7);
    QVERIFY(hits("PDU").contains(QStringLiteral("Distribution unit")));
    QVERIFY(hits("RPP").contains(QStringLiteral("Distribution unit")));
    QVERIFY(number(hits("busbar"), "Starline") >= 5);
    QVERIFY(number(hits("diesel"), "Caterpillar") >= 1);
    QVERIFY(number(hits("CRAC"), "Liebert PW170") == 1);
    QVERIFY(hits("nosuchthing").isEmpty());
    // What a list cuts differs somewhere that is shown: no two rows read alike.
    QStringList all = hits("");
    const auto n = all.size();
    all.removeDuplicates();
    QCOMPARE(all.size(), n);
    QVERIFY(!all.join(QLatin1Char('\n')).contains(QStringLiteral("Generic Generic")));
  }

  // --- words ---

  void no_words_of_the_file_are_shown() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    const QRegularExpression inner(
        QStringLiteral("\\b(cooling_plant|power_plant|power_units|cooling_units|rack_items|cdu|crah|ups)\\b"));
    const auto* table = w.checks()->table();
    for (int row = 0; row < table->rowCount(); ++row)
      QVERIFY2(!table->item(row, 3)->text().contains(inner) && table->item(row, 3)->text() != QLatin1String("site"),
               qPrintable(table->item(row, 3)->text()));
    auto* tabs = w.findChild<QTabBar*>(QStringLiteral("workspace_tabs"));
    for (int i = 0; i < tabs->count(); ++i) {
      w.showWorkspace(i);
      QTest::qWait(60);
      for (const QComboBox* c : w.findChildren<QComboBox*>())
        for (int k = 0; c->isVisible() && k < c->count(); ++k)
          QVERIFY2(!c->itemText(k).contains(inner),
                   qPrintable(c->objectName() + QStringLiteral(": ") + c->itemText(k)));
      for (const FigureTable* t : w.findChildren<FigureTable*>()) {
        if (!t->isVisible()) continue;
        const QAbstractItemModel* m = t->view()->model();
        for (int r = 0; r < m->rowCount(); ++r)
          for (int k = 0; k < m->columnCount(); ++k)
            QVERIFY2(!m->index(r, k).data().toString().contains(inner), qPrintable(m->index(r, k).data().toString()));
      }
    }
  }

  void the_history_tells_the_value_before_and_after() {
    StudioWindow w(catalog_);
    open(w, "one-megawatt");
    w.showWorkspace(1);
    w.power()->showPage(PowerWorkspace::inputs_page);
    QTest::qWait(80);
    auto* power = w.findChild<QWidget*>(QStringLiteral("workspace_Power"));
    auto* utility = power->findChild<QLineEdit*>(QStringLiteral("field_utility_power"));
    QVERIFY(utility);
    utility->setFocus();
    utility->selectAll();
    QTest::keyClicks(utility, QStringLiteral("2 MW"));
    QTest::keyClick(utility, Qt::Key_Return);
    QCOMPARE(w.document().undoStack().count(), 1);
    QVERIFY2(w.document().undoStack().text(0).contains(QStringLiteral("1 MW \u2192 2 MW")),
             qPrintable(w.document().undoStack().text(0)));
    auto* redundancy = power->findChild<QComboBox*>(QStringLiteral("field_redundancy"));
    QVERIFY(redundancy);
    const QString before = redundancy->currentText();
    redundancy->setFocus();
    QTest::keyClick(redundancy, redundancy->currentIndex() > 0 ? Qt::Key_Up : Qt::Key_Down);
    Q_EMIT redundancy->activated(redundancy->currentIndex());
    QVERIFY2(w.document().undoStack().text(1).endsWith(before + QStringLiteral(" \u2192 ") + redundancy->currentText()),
             qPrintable(w.document().undoStack().text(1)));
  }

  void a_limit_has_the_unit_of_its_value() {
    Figure flow, limit;
    flow.kind = limit.kind = &kind::volume_flow;
    flow.completeness = limit.completeness = Completeness::exact;
    flow.value = 1220.0 / 60000.0;
    limit.value = 0.0;
    QCOMPARE(screen_limit(flow, limit), QStringLiteral("0 L/min"));
    Figure power, most;
    power.kind = most.kind = &kind::power;
    power.completeness = most.completeness = Completeness::exact;
    power.value = 1.06e6;
    most.value = 863e3;
    QCOMPARE(screen_limit(power, most), QStringLiteral("0") + QLocale().decimalPoint() + QStringLiteral("863 MW"));
    most.value = 0.0;
    QCOMPARE(screen_limit(power, most), QStringLiteral("0 MW"));
  }

  // --- previews ---

  void a_preview_tells_what_it_does_and_is_applied_or_left() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    // Two rows face each other too closely: a rule of clearances offers to move one.
    Design d = w.document().design();
    auto* bar = w.findChild<QWidget*>(QStringLiteral("preview_bar"));
    QVERIFY(bar && !bar->isVisible());
    const auto& findings = w.document().evaluation()->findings;
    int row = -1;
    for (int i = 0; i < static_cast<int>(findings.size()) && row < 0; ++i)
      if (!findings[static_cast<std::size_t>(i)].remedies.empty()) row = i;
    QVERIFY(row >= 0);
    const Finding finding = findings[static_cast<std::size_t>(row)];
    auto* table = w.checks()->table();
    const auto preview = [&] {
      QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->item(row, 2)).center());
      auto* whole = w.checks()->findChild<QLabel*>(QStringLiteral("finding_whole"));
      Q_EMIT whole->linkActivated(QStringLiteral("preview:0"));
    };
    table->scrollToItem(table->item(row, 2));
    preview();
    QVERIFY(bar->isVisible());
    QVERIFY(w.document().previewing());
    auto* effect = w.findChild<QLabel*>(QStringLiteral("preview_effect"));
    QTRY_VERIFY(w.document().evaluationIsOfShown());
    QTRY_VERIFY(effect->text().contains(QStringLiteral("finding")) || effect->text().contains(QStringLiteral("new")));
    const auto changes = finding_changes(w.document().baseline()->findings, w.document().evaluation()->findings);
    const int gone = static_cast<int>(changes.gone.size()), come = static_cast<int>(changes.come.size());
    if (gone > 1)
      QVERIFY2(effect->text().contains(QStringLiteral("%1 findings fewer").arg(gone)), qPrintable(effect->text()));
    if (gone == 1) QVERIFY(effect->text().contains(QStringLiteral("1 finding fewer")));
    if (come > 0) QVERIFY2(effect->text().contains(QStringLiteral("%1 new").arg(come)), qPrintable(effect->text()));
    // The strip shows the figures of the preview.
    const Figure* cost = w.document().evaluation()->figures.find("budget.total");
    if (cost && cost->has_value()) {
      const QString shown = QString::fromStdString(screen_quantity(cost->value, *cost->kind).joined());
      QVERIFY2(w.headlines()->tileText(8).contains(shown), qPrintable(w.headlines()->tileText(8)));
    }
    // Esc leaves it, wherever the keys go.
    QWidget* focus = QApplication::focusWidget() ? QApplication::focusWidget() : &w;
    QTest::keyClick(focus, Qt::Key_Escape);
    QVERIFY(!w.document().previewing() && !bar->isVisible());
    QCOMPARE(w.document().undoStack().count(), 0);
    // Cancel and Ctrl+Z leave it, too; neither touches the history.
    preview();
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("preview_cancel")), Qt::LeftButton);
    QVERIFY(!w.document().previewing() && !bar->isVisible());
    preview();
    for (QAction* a : w.findChildren<QAction*>())
      if (a->shortcut() == QKeySequence(QKeySequence::Undo) && a->text().startsWith(QStringLiteral("Undo")))
        a->trigger();
    QVERIFY(!w.document().previewing() && !bar->isVisible());
    QCOMPARE(w.document().undoStack().count(), 0);
    // Apply keeps it: one step.
    preview();
    QTest::mouseClick(w.findChild<QPushButton*>(QStringLiteral("preview_apply")), Qt::LeftButton);
    QVERIFY(!w.document().previewing() && !bar->isVisible());
    QCOMPARE(w.document().undoStack().count(), 1);
    QCOMPARE(w.document().undoStack().text(0), QString::fromStdString(finding.remedies.front().edit.label));
    w.document().undoStack().setClean();
  }

  void findings_are_told_apart_by_rule_and_place() {
    const auto finding = [](const char* code, Id rack, bool waived = false) {
      Finding f;
      f.code = code;
      f.entities = {{"racks", rack}};
      f.waived = waived;
      return f;
    };
    const std::vector<Finding> before{finding("SPC-005", 1), finding("SPC-005", 2), finding("SPC-017", 1),
                                      finding("PWR-001", 9, true)};
    const std::vector<Finding> after{finding("SPC-005", 2), finding("SPC-005", 3), finding("SPC-017", 1)};
    const FindingChanges c = finding_changes(before, after);
    QCOMPARE(c.gone.size(), 1u);
    QCOMPARE(c.gone.front()->entities.front().id, Id{1});
    QCOMPARE(c.come.size(), 1u);
    QCOMPARE(c.come.front()->entities.front().id, Id{3});
  }

  void the_list_of_checks_stays_under_the_cursor() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    auto* table = w.checks()->table();
    QVERIFY(table->rowCount() > 3);
    QCOMPARE(table->verticalScrollBar()->value(), 0);
    const int height = table->viewport()->height();
    const QRect second = table->visualItemRect(table->item(1, 2));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, second.center());
    QTest::qWait(60);
    QCOMPARE(table->viewport()->height(), height);
    QCOMPARE(table->visualItemRect(table->item(1, 2)), second);
    const QString chosen = table->item(1, 1)->text() + table->item(1, 2)->text();
    // A finding that comes before does not make another one current.
    Design d = w.document().design();
    w.document().apply({"Give up the utility", [](const Design& from) -> Edited {
                          return set_by_path(from, "site.utility_power", "0.2 MW");
                        }});
    QTRY_VERIFY(w.document().evaluationIsOfShown());
    QTest::qWait(60);
    const int now = table->currentRow();
    QVERIFY(now < 0 || table->item(now, 1)->text() + table->item(now, 2)->text() == chosen);
    w.document().undoStack().setClean();
  }

  void several_remedies_are_all_within_a_click() {
    StudioWindow w(catalog_);
    open(w, "superpod-h100-4su");
    for (const char* sample : {"superpod-h100-4su", "nvl72-16-racks", "one-megawatt", "llama3-405b-16k"}) {
      open(w, sample);
      const auto& findings = w.document().evaluation()->findings;
      for (int row = 0; row < w.checks()->table()->rowCount(); ++row) {
        const Finding& f = findings[static_cast<std::size_t>(row)];
        if (f.remedies.size() < 2) continue;
        w.checks()->table()->setCurrentCell(row, 2);
        const QString whole = w.checks()->findChild<QLabel*>(QStringLiteral("finding_whole"))->text();
        for (std::size_t i = 0; i < f.remedies.size(); ++i)
          QVERIFY(whole.contains(QStringLiteral("preview:%1").arg(i)) &&
                  whole.contains(QStringLiteral("apply:%1").arg(i)));
        return;
      }
    }
    QSKIP("no sample has a finding with two remedies");
  }

  // --- explain, compare ---

  void explain_opens_the_deciding_floor_load_at_once() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    QTest::mouseClick(w.headlines()->tile(3), Qt::LeftButton);
    QTest::qWait(60);
    QTreeWidget* tree = w.explain()->tree();
    QStringList shown;
    for (QTreeWidgetItemIterator it(tree); *it; ++it)
      if (!(*it)->parent() || (*it)->parent()->isExpanded()) shown << (*it)->text(1);
    const QString all = shown.join(QLatin1Char('\n'));
    QVERIFY2(all.contains(QStringLiteral("Mass"), Qt::CaseInsensitive), qPrintable(all));
    QVERIFY2(all.contains(QStringLiteral("width"), Qt::CaseInsensitive) ||
                 all.contains(QStringLiteral("footprint"), Qt::CaseInsensitive) ||
                 all.contains(QStringLiteral("area"), Qt::CaseInsensitive),
             qPrintable(all));
    // What is it stands there whole.
    for (QTreeWidgetItemIterator it(tree); *it; ++it) {
      if ((*it)->parent() && !(*it)->parent()->isExpanded()) continue;
      const QRect cell = tree->visualItemRect(*it);
      const int width = tree->header()->sectionSize(1) - 12;
      const int needed =
          tree->fontMetrics().boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, (*it)->text(1)).height();
      QVERIFY2(cell.height() >= std::min(needed, 4 * tree->fontMetrics().lineSpacing()), qPrintable((*it)->text(1)));
    }
  }

  void compare_shows_base_and_what_if_beside_each_other() {
    StudioWindow w(catalog_);
    open(w, "superpod-h100-4su");
    w.showWorkspace(8);
    QTest::qWait(100);
    auto* table = w.findChild<QTableWidget*>(QStringLiteral("compare_table"));
    const auto row_of = [&](const char* id) {
      for (int r = 0; r < table->rowCount(); ++r)
        if (table->item(r, 0)->data(Qt::UserRole).toString() == QLatin1String(id)) return r;
      return -1;
    };
    QTRY_VERIFY(row_of("reliability.wall_time") >= 0);
    const QString base = table->item(row_of("reliability.wall_time"), 1)->text();
    QVERIFY2(base.startsWith(QChar(0x2248)), qPrintable(base)); // an estimate, as in the strip
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluationIsOfShown(), 30000);
    auto* slider = w.findChild<QSlider*>(QStringLiteral("what_if_0"));
    slider->setFocus();
    for (int i = 0; i < 10; ++i)
      QTest::keyClick(slider, Qt::Key_Left);
    QTRY_VERIFY_WITH_TIMEOUT(w.document().previewing() && w.document().evaluationIsOfShown(), 30000);
    QTest::qWait(60);
    QCOMPARE(table->horizontalHeaderItem(1)->text(), QStringLiteral("Base"));
    QCOMPARE(table->horizontalHeaderItem(2)->text(), QStringLiteral("What if"));
    const int row = row_of("reliability.wall_time");
    QCOMPARE(table->item(row, 1)->text(), base);
    QVERIFY2(
        table->item(row, 2)->text().contains(QStringLiteral("10") + QLocale().decimalPoint() + QStringLiteral("0 %")),
        qPrintable(table->item(row, 2)->text()));
  }

  void dark_keeps_words_readable_while_it_runs() {
    StudioWindow w(catalog_);
    open(w, "nvl72-16-racks");
    apply_appearance(Appearance::light);
    for (QAction* a : w.findChildren<QAction*>())
      if (a->text() == QStringLiteral("Dark")) a->trigger();
    QTest::qWait(80);
    QVERIFY(theme().dark);
    const auto* table = w.checks()->table();
    for (int row = 0; row < table->rowCount(); ++row)
      for (int col = 0; col < table->columnCount(); ++col) {
        const QTableWidgetItem* item = table->item(row, col);
        const QBrush own = item->foreground();
        const QColor letters = own.style() == Qt::NoBrush ? table->palette().color(QPalette::Text) : own.color();
        QVERIFY2(std::abs(letters.lightness() - theme().panel.lightness()) > 60, qPrintable(item->text()));
      }
    for (QAction* a : w.findChildren<QAction*>())
      if (a->text() == QStringLiteral("Light")) a->trigger();
    QVERIFY(!theme().dark);
  }
};

QTEST_MAIN(TestWindowManners)
#include "test_window_manners.moc"
