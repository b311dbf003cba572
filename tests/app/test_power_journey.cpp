// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/studio/hall_workspace.h"
#include "app/studio/power_busway_page.h"
#include "app/studio/power_exports.h"
#include "app/studio/power_growth_page.h"
#include "app/studio/power_lists_page.h"
#include "app/studio/power_swing_page.h"
#include "app/studio/power_workspace.h"
#include "app/studio/studio_window.h"
#include "widgets/figure_table.h"
#include "widgets/one_line/level_bars.h"
#include "widgets/one_line/one_line_view.h"
#include "widgets/one_line/power_trace_chart.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// A facility planner reads the one-line, fails units and draws more of it, with real mouse and keys.
class TestPowerJourney : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static bool settle(StudioWindow& w) {
    return QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 30000);
  }
  bool opened(StudioWindow& w, const char* sample, int width = 1600, int height = 1000) {
    if (!show_window(w, width, height) || !w.openPath(sample_copy(folder_, sample)) || !settle(w)) return false;
    QTest::keyClick(&w, Qt::Key_2, Qt::ControlModifier);
    return QTest::qWaitFor([&] { return w.power()->isVisible() && w.power()->view()->picture().shows(); }, 5000);
  }
  static Id unit(StudioWindow& w, const std::string& name) {
    for (const PowerUnit& u : *w.document().design().power_units)
      if (u.name == name) return u.id;
    return 0;
  }
  static QPoint place(OneLineView* view, Id id) {
    const std::ptrdiff_t s = view->symbolOf(id);
    return s < 0 ? QPoint() : view->symbolRect(static_cast<std::size_t>(s)).center().toPoint();
  }
  static void click(OneLineView* view, Id id, Qt::KeyboardModifiers keys = {}) {
    QTest::mouseMove(view, place(view, id));
    QTest::mouseClick(view, Qt::LeftButton, keys, place(view, id));
  }
  static void keep(StudioWindow& w, const char* name) {
    const QString folder = qEnvironmentVariable("POWER_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(200);
    w.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_unit_is_selected_failed_and_restored() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    PowerWorkspace& p = *w.power();
    OneLineView* view = p.view();
    keep(w, "power_superpod");
    const Id ups_a = unit(w, "UPS A"), ups_b = unit(w, "UPS B");
    click(view, ups_a);
    QCOMPARE(w.document().selection(), (std::vector<EntityRef>{{"power_units", ups_a}}));
    const auto carried = [&](Id id) {
      return view->picture().flow().output_watts(static_cast<std::size_t>(view->picture().line().index(id)));
    };
    const double before = carried(ups_b);
    QVERIFY(before > 0);
    // F fails it: the other side carries the racks of both. Nothing of the design changes.
    const int undo = w.document().undoStack().count();
    QTest::keyClick(view, Qt::Key_F);
    QCOMPARE(view->out(), std::vector<Id>{ups_a});
    const double after = carried(ups_b);
    QVERIFY2(after > 1.9 * before && after < 2.2 * before, qPrintable(QString::number(after / before)));
    QVERIFY(p.bannerText().startsWith("With UPS A out"));
    QCOMPARE(view->picture().dark_racks().size(), std::size_t{0});
    keep(w, "power_superpod_ups_a_out");
    // The other one too: all 40 racks are dark, and the banner says so.
    click(view, ups_b);
    QTest::mouseClick(w.findChild<QPushButton*>("power_fail"), Qt::LeftButton);
    QCOMPARE(view->out().size(), std::size_t{2});
    QCOMPARE(view->picture().dark_racks().size(), std::size_t{40});
    QVERIFY2(p.bannerText().contains("40 racks"), qPrintable(p.bannerText()));
    QVERIFY2(p.bannerText().startsWith("With UPS A and UPS B out"), qPrintable(p.bannerText()));
    keep(w, "power_superpod_both_out");
    // The plan crosses the dark racks, and says why.
    QTest::keyClick(&w, Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(w.hall()->plan()->darkRacks(), std::size_t{40});
    QVERIFY(w.findChild<QLabel*>("failure_words")->isVisible());
    keep(w, "hall_dark");
    QTest::keyClick(&w, Qt::Key_2, Qt::ControlModifier);
    QVERIFY(!w.findChild<QLabel*>("failure_words")->isVisible());
    QTest::mouseClick(w.findChild<QPushButton*>("power_restore_all"), Qt::LeftButton);
    QVERIFY(view->out().empty() && p.bannerText().isEmpty());
    QVERIFY(std::abs(carried(ups_b) - before) < 1e-9 * before);
    QCOMPARE(w.hall()->plan()->darkRacks(), std::size_t{0});
    // A double click fails and restores.
    QTest::mouseDClick(view, Qt::LeftButton, {}, place(view, ups_a));
    QCOMPARE(view->out(), std::vector<Id>{ups_a});
    QTest::mouseDClick(view, Qt::LeftButton, {}, place(view, ups_a));
    QVERIFY(view->out().empty());
    QCOMPARE(w.document().undoStack().count(), undo);
  }

  void keys_go_along_the_wires() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    OneLineView* view = w.power()->view();
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Home);
    const auto at = [&] {
      return view->cursor() < 0 ? std::string()
                                : view->picture().name(static_cast<std::size_t>(view->cursor())).toStdString();
    };
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(at(), std::string("Utility A"));
    for (const char* next : {"Transformer A", "UPS A", "Busway A, R01"}) {
      QTest::keyClick(view, Qt::Key_Down);
      QCOMPARE(at(), std::string(next));
    }
    QTest::keyClick(view, Qt::Key_Right);
    QCOMPARE(at(), std::string("Busway A, R02"));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(w.document().selection(), (std::vector<EntityRef>{{"power_units", unit(w, "Busway A, R02")}}));
    QVERIFY(view->accessibleDescription().contains("Busway A, R02"));
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(at(), std::string("10 racks"));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(w.document().selection().size(), std::size_t{10});
    QCOMPARE(w.document().selection().front().table, std::string("racks"));
    QTest::keyClick(view, Qt::Key_Escape);
    QVERIFY(w.document().selection().empty());
  }

  void a_row_of_the_sweep_shows_its_case() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    PowerWorkspace& p = *w.power();
    keep(w, "power_llama");
    QTableView* table = p.sweep()->view();
    QCOMPARE(table->model()->rowCount(), 106);
    table->setFocus();
    QVERIFY(QTest::qWaitFor([&] { return table->hasFocus(); }, 2000));
    const QRect row = table->visualRect(table->model()->index(0, table->horizontalHeader()->logicalIndex(0)));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(p.view()->out().size(), std::size_t{1});
    // The first row is the failure with the smallest headroom.
    const auto& study = *p.view()->picture().study();
    QVERIFY(std::abs(p.view()->picture().shown().worst_headroom - study.single.worst_headroom()) < 1e-12);
    QVERIFY(p.bannerText().startsWith("With "));
    keep(w, "power_llama_worst");
  }

  void folds_open_on_a_double_click() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    OneLineView* view = w.power()->view();
    const Id busway = unit(w, "Busway A01");
    const auto s = static_cast<std::size_t>(view->symbolOf(busway));
    QVERIFY(view->picture().layout().symbols[s].folded);
    QCOMPARE(view->picture().layout().symbols[s].elements.size(), std::size_t{16});
    // Failing a fold takes out one of them: its 17 racks of the hall go dark, and the others go on.
    click(view, busway);
    QTest::keyClick(view, Qt::Key_F);
    QCOMPARE(view->out().size(), std::size_t{1});
    QCOMPARE(view->picture().dark_racks().size(), std::size_t{17});
    w.power()->restoreAll();
    QTest::mouseDClick(view, Qt::LeftButton, {}, place(view, busway));
    QVERIFY(!view->picture().layout().symbols[static_cast<std::size_t>(view->symbolOf(busway))].folded);
    keep(w, "power_llama_open");
    QTest::keyClick(view, Qt::Key_O);
    QVERIFY(view->picture().layout().symbols[static_cast<std::size_t>(view->symbolOf(busway))].folded);
    QTest::mouseClick(w.findChild<QToolButton*>("power_folds"), Qt::LeftButton);
    QCOMPARE(view->picture().layout().symbols.size(), std::size_t{106 + 64});
    keep(w, "power_llama_all");
  }

  void racks_selected_elsewhere_light_their_feeds() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    w.document().select({{"racks", w.document().design().racks->front().id}});
    keep(w, "power_lit");
    QVERIFY(w.power()->view()->selectedSymbols().empty());
  }

  void units_are_added_and_connected() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    OneLineView* view = w.power()->view();
    const std::size_t before = w.document().design().power_units->size();
    click(view, unit(w, "Transformer A"));
    auto* menu = w.findChild<QMenu*>("power_add_menu");
    auto* button = w.findChild<QToolButton*>("power_add");
    QTimer::singleShot(300, [&] {
      for (QAction* a : menu->actions())
        if (a->text() == "UPS") {
          menu->setActiveAction(a);
          QTest::keyClick(menu, Qt::Key_Return);
          return;
        }
      menu->close();
    });
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(w.document().design().power_units->size(), before + 1);
    QVERIFY(settle(w));
    const PowerUnit made = w.document().design().power_units->back();
    QCOMPARE(made.kind, PowerUnitKind::ups);
    QCOMPARE(made.upstream, unit(w, "Transformer A"));
    QCOMPARE(made.feed, Feed::a);
    QCOMPARE(w.document().selection(), (std::vector<EntityRef>{{"power_units", made.id}}));
    QTRY_VERIFY(view->symbolOf(made.id) >= 0);
    // A busway is dragged onto it.
    const Id busway = unit(w, "Busway A, R04");
    const QPoint from = place(view, busway), to = place(view, made.id);
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    for (int k = 1; k <= 8; ++k) {
      const QPointF at = QPointF(from) + (QPointF(to - from)) * k / 8.0;
      QMouseEvent move(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(view, &move);
      if (k == 6) keep(w, "power_connecting");
    }
    QTest::mouseRelease(view, Qt::LeftButton, {}, to);
    QCOMPARE(find(*w.document().design().power_units, busway)->upstream, made.id);
    QVERIFY(settle(w));
    keep(w, "power_connected");
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.document().design().power_units->size(), before);
    QCOMPARE(find(*w.document().design().power_units, busway)->upstream, unit(w, "UPS A"));
    w.document().undoStack().setClean();
  }

  void the_diagram_stays_when_units_fail() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    OneLineView* view = w.power()->view();
    const Id ups = unit(w, "UPS A");
    QTest::qWait(50);
    const QRect place_before = view->geometry();
    const QPoint before = place(view, ups), on_window = view->mapTo(&w, before);
    for (int k = 0; k < 3; ++k) {
      QTest::mouseDClick(view, Qt::LeftButton, {}, before);
      QTest::qWait(50);
      QCOMPARE(view->out().size(), std::size_t(k % 2 == 0 ? 1 : 0));
      QCOMPARE(view->geometry(), place_before);
      QCOMPARE(view->mapTo(&w, place(view, ups)), on_window);
    }
  }

  void a_generator_below_a_ups_stands_by_for_it() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    OneLineView* view = w.power()->view();
    const Id ups = unit(w, "UPS A");
    click(view, ups);
    view->zoomBy(1.1); // no longer fitted
    auto* menu = w.findChild<QMenu*>("power_add_menu");
    QTimer::singleShot(300, [&] {
      for (QAction* a : menu->actions())
        if (a->text() == "Generator") {
          menu->setActiveAction(a);
          QTest::keyClick(menu, Qt::Key_Return);
          return;
        }
      menu->close();
    });
    QTest::mouseClick(w.findChild<QToolButton*>("power_add"), Qt::LeftButton);
    const PowerUnit made = w.document().design().power_units->back();
    QCOMPARE(made.kind, PowerUnitKind::generator);
    QCOMPARE(find(*w.document().design().power_units, ups)->second_source, made.id);
    QVERIFY(settle(w));
    QTRY_VERIFY(view->symbolOf(made.id) >= 0);
    // The keys are at what is selected, and F fails that. All of the diagram is in sight again.
    QCOMPARE(w.document().selection(), (std::vector<EntityRef>{{"power_units", made.id}}));
    QCOMPARE(view->cursor(), view->symbolOf(made.id));
    for (std::size_t s = 0; s < view->picture().layout().symbols.size(); ++s)
      QVERIFY(QRectF(view->rect()).contains(view->symbolRect(s)));
    QTest::keyClick(view, Qt::Key_F);
    QCOMPARE(view->out(), std::vector<Id>{made.id});
    keep(w, "power_generator");
    w.power()->restoreAll();
    // Chosen elsewhere: the keys follow.
    w.document().select({{"power_units", unit(w, "UPS B")}});
    QCOMPARE(view->cursor(), view->symbolOf(unit(w, "UPS B")));
    QTest::keyClick(view, Qt::Key_F);
    QCOMPARE(view->out(), std::vector<Id>{unit(w, "UPS B")});
    w.document().undoStack().setClean();
  }

  void pages_answer() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    PowerWorkspace& p = *w.power();
    auto* pages = w.findChild<QTabWidget*>("power_pages");
    pages->setCurrentIndex(PowerWorkspace::growth_page);
    QTRY_VERIFY(!p.growth()->busy());
    QCOMPARE(p.growth()->bars()->count(), 4); // utility, transformer, UPS, busway
    QVERIFY(!p.growth()->answerText().isEmpty());
    keep(w, "power_growth");
    pages->setCurrentIndex(PowerWorkspace::swing_page);
    QVERIFY(p.swing()->steps()->count() > 4);
    QVERIFY(p.swing()->duration()->count() > 10);
    keep(w, "power_swing");
    pages->setCurrentIndex(PowerWorkspace::lists_page);
    QCOMPARE(p.lists()->panels()->view()->model()->rowCount(), 80); // 40 racks, two cords each
    QCOMPARE(p.lists()->loads()->view()->model()->rowCount(), 40);
    QVERIFY(p.lists()->restoration()->view()->model()->rowCount() > 14);
    keep(w, "power_lists");
    pages->setCurrentIndex(PowerWorkspace::busway_page);
    QCOMPARE(p.busways()->busways()->rowCount(), 8);
    QCOMPARE(p.busways()->taps()->rowCount(), 10);
    keep(w, "power_busways");
  }

  void growth_says_nothing_of_the_drawing_before() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    PowerWorkspace& p = *w.power();
    w.findChild<QTabWidget*>("power_pages")->setCurrentIndex(PowerWorkspace::growth_page);
    QTRY_VERIFY(!p.growth()->busy());
    const QString before = p.growth()->answerText();
    QVERIFY(p.growth()->bars()->count() > 0);
    // Nothing has a rating any more: nothing could say no.
    w.document().apply({"No ratings", [](const Design& d) -> Edited {
                          return with_table(d, &Design::power_units, [](std::vector<PowerUnit>& units, Id&) {
                            for (PowerUnit& u : units) u.part.clear(), u.rating.reset(), u.rating_apparent.reset();
                          });
                        }});
    QVERIFY(settle(w));
    QTRY_VERIFY(!p.growth()->busy());
    QVERIFY2(p.growth()->answerText() != before && p.growth()->answerText().contains("has a rating that could say no"),
             qPrintable(p.growth()->answerText()));
    QCOMPARE(p.growth()->bars()->count(), 0);
    w.document().undoStack().setClean();
  }

  void racks_are_spread_over_phases_and_moved() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    PowerWorkspace& p = *w.power();
    const Id bus = unit(w, "Busway A, R01"), other = unit(w, "Busway A, R02");
    w.document().apply({"All racks on one phase", [bus](const Design& d) -> Edited {
                          return with_table(d, &Design::racks, [&](std::vector<Rack>& racks, Id&) {
                            for (Rack& r : racks)
                              if (r.feed_a == bus) r.phases_a = TapPhases::l1_n;
                          });
                        }});
    QVERIFY(settle(w));
    w.findChild<QTabWidget*>("power_pages")->setCurrentIndex(PowerWorkspace::busway_page);
    QTableWidget* list = p.busways()->busways();
    for (int r = 0; r < list->rowCount(); ++r)
      if (list->item(r, 0)->text() == "Busway A, R01") list->selectRow(r);
    QCOMPARE(p.busways()->current(), bus);
    keep(w, "power_phases_before");
    QVERIFY(p.busways()->spreadButton()->isEnabled());
    QTest::mouseClick(p.busways()->spreadButton(), Qt::LeftButton);
    QVERIFY(settle(w));
    // Ten alike racks on three lines: 4, 3 and 3.
    std::map<TapPhases, int> used;
    for (const Rack& r : *w.document().design().racks)
      if (r.feed_a == bus) ++used[r.phases_a];
    QCOMPARE(used.size(), std::size_t{3});
    for (const auto& [phases, n] : used)
      QVERIFY(n == 3 || n == 4);
    keep(w, "power_phases_after");
    // Two racks move to the busway of the next row by the menu.
    QTableWidget* taps = p.busways()->taps();
    taps->setFocus();
    taps->selectRow(0);
    auto* move = w.findChild<QToolButton*>("power_move_racks");
    QVERIFY(move->isEnabled());
    QTimer::singleShot(300, [&] {
      for (QAction* a : move->menu()->actions())
        if (a->text() == "Busway A, R02") {
          move->menu()->setActiveAction(a);
          QTest::keyClick(move->menu(), Qt::Key_Return);
          return;
        }
      move->menu()->close();
    });
    QTest::mouseClick(move, Qt::LeftButton);
    int on_other = 0;
    for (const Rack& r : *w.document().design().racks)
      on_other += r.feed_a == other;
    QCOMPARE(on_other, 11);
    w.document().undoStack().setClean();
  }

  void the_diagram_is_written_in_four_forms() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    const SharedEvaluation e = w.document().evaluation();
    for (const char* ending : {"svg", "pdf", "dxf", "png"}) {
      const QString file = folder_.filePath(QStringLiteral("line.") + QLatin1String(ending));
      QCOMPARE(write_one_line(file, e), QString());
      QVERIFY(QFileInfo(file).size() > 2000);
    }
    QFile svg(folder_.filePath("line.svg")), dxf(folder_.filePath("line.dxf"));
    QVERIFY(svg.open(QIODevice::ReadOnly) && dxf.open(QIODevice::ReadOnly));
    QVERIFY(svg.readAll().contains("Busway"));
    QVERIFY(dxf.readAll().contains("Busway A, R03"));
    QVERIFY(!write_one_line(folder_.filePath("line.txt"), e).isEmpty());
    QCOMPARE(write_panel_schedule(folder_.filePath("panels.csv"), e), QString());
    QCOMPARE(write_load_list(folder_.filePath("loads.csv"), e), QString());
    QFile panels(folder_.filePath("panels.csv")), loads(folder_.filePath("loads.csv"));
    QVERIFY(panels.open(QIODevice::ReadOnly) && loads.open(QIODevice::ReadOnly));
    QCOMPARE(panels.readAll().count('\n'), 81);
    QCOMPARE(loads.readAll().count('\n'), 41);
  }

  void nothing_drawn_says_what_to_do() {
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1366, 768) && w.openPath(sample_copy(folder_, "one-megawatt")) && settle(w));
    QTest::keyClick(&w, Qt::Key_2, Qt::ControlModifier);
    QTRY_VERIFY(w.power()->isVisible());
    QVERIFY(!w.power()->view()->picture().shows());
    QVERIFY(w.power()->view()->accessibleDescription().contains("utility feed"));
    keep(w, "power_empty");
  }
};

QTEST_MAIN(TestPowerJourney)
#include "test_power_journey.moc"
