// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/fabric_as_built.h"
#include "app/studio/fabric_options.h"
#include "app/studio/fabric_workspace.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/studio_window.h"
#include "widgets/fabric/fabric_legend.h"
#include "widgets/fabric/faceplate.h"
#include "widgets/fabric/links_table.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// An architect in the Fabric workspace, with real mouse and keys.
class TestFabricJourney : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  /// Until the picture is that of the design shown.
  static bool settle(StudioWindow& w, int most_ms = 20000) {
    return QTest::qWaitFor(
        [&] {
          const auto& e = w.document().evaluation();
          return e && e->design.networks == w.document().shown().networks &&
                 e->design.failures == w.document().shown().failures && e->design.racks == w.document().shown().racks &&
                 (!w.fabric()->isVisible() || w.fabric()->settled());
        },
        most_ms);
  }

  /// Shows the window with a copy of a sample, evaluated.
  bool opened(StudioWindow& w, const char* sample, int width = 1500, int height = 950) {
    return show_window(w, width, height) && w.openPath(sample_copy(folder_, sample)) && settle(w);
  }
  /// The same, with the Fabric workspace in front and its picture drawn.
  bool openedAtFabric(StudioWindow& w, const char* sample) {
    if (!opened(w, sample)) return false;
    w.showWorkspace(3);
    return settle(w);
  }

  /// With a name, keeps what is on the screen in the folder that FABRIC_PICTURES names.
  static void keep(QWidget& w, const char* name) {
    const QString folder = qEnvironmentVariable("FABRIC_PICTURES");
    if (!folder.isEmpty()) w.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  }

  static void press(StudioWindow& w, const char* button) {
    auto* b = w.findChild<QAbstractButton*>(QLatin1String(button));
    QVERIFY2(b, button);
    QVERIFY2(b->isVisible() && b->isEnabled(), button);
    QTest::mouseClick(b, Qt::LeftButton);
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void an_empty_design_says_what_to_do() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su", 1366, 768));
    // Without its networks.
    std::vector<EntityRef> networks;
    for (const Network& n : *w.document().design().networks)
      networks.push_back({"networks", n.id});
    w.document().apply({"Remove the networks", [networks](const Design& d) { return remove(d, networks); }});
    QTest::keyClick(&w, Qt::Key_4, Qt::ControlModifier);
    QVERIFY(w.fabric()->isVisible());
    QVERIFY(settle(w));
    keep(w, "empty");
    press(w, "fabric_add_network");
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().networks->size(), std::size_t{1});
    QVERIFY(w.fabric()->view()->isVisible());
    QVERIFY(w.fabric()->view()->picture() && w.fabric()->view()->picture()->shows());
    w.document().undoStack().undo();
    QVERIFY(settle(w));
    QVERIFY(w.document().design().networks->empty());
    w.document().undoStack().setClean();
  }

  void what_is_drawn_fails_from_the_plan() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    const auto id_of = [](const auto& table, const char* name) {
      for (const auto& t : table)
        if (t.name == name) return t.id;
      return Id{0};
    };
    const auto said = [&] {
      for (QLabel* l : w.fabric()->findChildren<QLabel*>())
        if (l->accessibleName() == QStringLiteral("What failed")) return l->text();
      return QString();
    };
    const auto fail = [&] { QTest::keyClick(&w, Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier); };
    const auto restore = [&] { QTest::keyClick(&w, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier); };
    // A rack of four nodes, while the plan is in front.
    const Id rack = id_of(*w.document().design().racks, "R01-01");
    w.document().select({{"racks", rack}});
    fail();
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().failures->size(), std::size_t{1});
    QCOMPARE(w.document().design().failures->front().thing, rack);
    w.showWorkspace(3);
    QVERIFY(settle(w));
    QTRY_VERIFY2(said().contains(QStringLiteral("rack R01-01")), qPrintable(said()));
    QVERIFY2(said().contains(QStringLiteral("32 GPUs are cut off, 4 whole nodes")), qPrintable(said()));
    const auto picture = w.fabric()->view()->picture();
    std::size_t crossed = 0;
    for (std::uint32_t d = 0; d < picture->wiring->devices.size(); ++d)
      crossed += picture->outage_of_device(d) == wired::Outage::stated;
    QCOMPARE(crossed, std::size_t{4});
    keep(w, "rack_failed");
    // The same key brings it back, while it is what is selected.
    restore();
    QVERIFY(settle(w));
    QVERIFY(w.document().design().failures->empty());
    QTRY_VERIFY2(said().contains(QStringLiteral("Everything is in service")), qPrintable(said()));

    // One side of the power takes nothing, and that is said; both sides take the ten racks of a row.
    w.document().select({{"power_units", id_of(*w.document().design().power_units, "Busway A, R01")}});
    fail();
    QVERIFY(settle(w));
    QTRY_VERIFY2(said().contains(QStringLiteral("power unit Busway A, R01 takes nothing: 10 racks below it live on another feed")),
                 qPrintable(said()));
    w.document().select({{"power_units", id_of(*w.document().design().power_units, "Busway B, R01")}});
    fail();
    QVERIFY(settle(w));
    QTRY_VERIFY2(said().contains(QStringLiteral("takes 10 racks")), qPrintable(said()));
    QVERIFY2(said().contains(QStringLiteral("GPUs are cut off")), qPrintable(said()));
    keep(w, "feeds_failed");
    // Single failures have rows for racks and power units.
    auto* singles = w.findChild<QTableWidget*>(QStringLiteral("fabric_singles"));
    const auto row_of = [&](const QString& words) {
      for (int r = 0; r < singles->rowCount(); ++r)
        if (singles->item(r, 0)->text().contains(words)) return r;
      return -1;
    };
    QTRY_VERIFY(row_of(QStringLiteral("rack R")) >= 0);
    QVERIFY(row_of(QStringLiteral("power unit")) >= 0);
    press(w, "fabric_restore_all");
    QVERIFY(settle(w));
    QVERIFY(w.document().design().failures->empty());
    w.document().undoStack().setClean();
  }

  void an_architect_looks_fails_a_leaf_and_restores_it() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    QTest::keyClick(&w, Qt::Key_4, Qt::ControlModifier);
    QVERIFY(settle(w));
    FabricWorkspace& f = *w.fabric();
    QVERIFY(f.view()->picture()->shows());
    const Wiring& wiring = *f.view()->picture()->wiring;
    // The published counts of four units: 32 leafs, 16 spines.
    QCOMPARE(wiring.counts.leafs, Count{32});
    QCOMPARE(wiring.counts.spines, Count{16});
    QTest::qWait(50);
    keep(w, "fit");

    // A leaf, by the mouse: its front has 32 ports down and 32 up, and its rack is selected on the plan.
    const std::uint32_t leaf = wiring.first_leaf + 4;
    QTest::mouseMove(f.view(), f.view()->deviceRect(leaf).center().toPoint());
    QTest::mouseClick(f.view(), Qt::LeftButton, {}, f.view()->deviceRect(leaf).center().toPoint());
    QCOMPARE(f.view()->selection().devices, std::vector<std::uint32_t>{leaf});
    QCOMPARE(f.faceplate()->device().value_or(0), leaf);
    QVERIFY2(f.faceplate()->summary().startsWith(QStringLiteral("32 down, 32 up")),
             qPrintable(f.faceplate()->summary()));
    QVERIFY(!w.document().selection().empty());
    QTest::qWait(50);
    keep(w, "leaf");
    // Its button is in sight.
    const auto* fail = w.findChild<QPushButton*>(QStringLiteral("fabric_fail"));
    QCOMPARE(fail->visibleRegion().boundingRect(), fail->rect());

    // Taken out by its button: 32 of 1,016 links of nodes are lost (127 nodes, 8 links each).
    press(w, "fabric_fail");
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().failures->size(), std::size_t{1});
    QCOMPARE(w.document().design().failures->front().element, std::string("leaf 5"));
    QCOMPARE(f.view()->picture()->outage_of_device(leaf), wired::Outage::stated);
    auto* left = w.findChild<wired::ShareBars*>(QStringLiteral("share_bars"));
    QVERIFY(left && left->isVisible());
    QVERIFY2(std::abs(left->bars().front().share - (1.0 - 32.0 / 1016.0)) < 0.004,
             qPrintable(QString::number(left->bars().front().share)));
    // One rail of eight lost a quarter of its links.
    double worst_rail = 1;
    for (const auto& b : left->bars())
      if (b.name.contains(QStringLiteral("5"))) worst_rail = b.share;
    QVERIFY2(std::abs(worst_rail - (1.0 - 32.0 / 127.0)) < 0.02, qPrintable(QString::number(worst_rail)));
    QTest::qWait(50);
    keep(w, "failed");
    // Undo restores it, redo takes it out, the button restores.
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(settle(w));
    QVERIFY(w.document().design().failures->empty());
    QCOMPARE(f.view()->picture()->outage_of_device(leaf), wired::Outage::none);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(settle(w));
    press(w, "fabric_restore");
    QVERIFY(settle(w));
    QVERIFY(w.document().design().failures->empty());

    // A link, chosen in the table, taken out by its key.
    f.showPage(1);
    QTest::keyClicks(f.links()->filter(), QStringLiteral("leaf 5, spine 3"));
    QTRY_COMPARE(f.links()->model()->rowCount(), 2); // two links of the bundle
    QTableView* view = f.links()->view();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(view->model()->index(1, 1)).center());
    QCOMPARE(f.view()->selection().links.size(), std::size_t{1});
    keep(w, "cables");
    // Where it lies, on the plan: both of its racks are selected there.
    Q_EMIT view->customContextMenuRequested(view->visualRect(view->model()->index(1, 1)).center());
    auto* show = w.findChild<QAction*>(QStringLiteral("links_show_on_plan"));
    QVERIFY(show && show->isEnabled());
    show->trigger();
    QVERIFY(w.hall()->plan()->isVisible());
    const auto on_plan = w.document().selection();
    QVERIFY(std::count_if(on_plan.begin(), on_plan.end(), [](const EntityRef& e) { return e.table == "racks"; }) >= 1);
    QCOMPARE(f.view()->selection().links.size(), std::size_t{1});
    if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
    QTest::keyClick(&w, Qt::Key_4, Qt::ControlModifier);
    QVERIFY(settle(w));
    QTest::keyClick(&w, Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().failures->size(), std::size_t{1});
    QVERIFY2(w.document().design().failures->front().element.rfind("link leaf 5 port ", 0) == 0,
             w.document().design().failures->front().element.c_str());
    f.showPage(0);
    press(w, "fabric_restore_all");
    QVERIFY(settle(w));
    QVERIFY(w.document().design().failures->empty());

    // Colours by keys, then the lengths.
    auto* colors = w.findChild<QComboBox*>(QStringLiteral("fabric_colors"));
    colors->setFocus();
    for (int i = 0; i < 3; ++i) {
      QTest::keyClick(colors, Qt::Key_Down);
      Q_EMIT colors->activated(colors->currentIndex());
    }
    QCOMPARE(f.view()->colorBy(), wired::ColorBy::medium);
    QTest::qWait(50);
    keep(w, "medium");
    f.showPage(2);
    QTest::qWait(50);
    keep(w, "lengths");
    w.document().undoStack().setClean();
  }

  void what_is_selected_on_the_plan_is_lit_in_the_fabric() {
    StudioWindow w(catalog_);
    QVERIFY(openedAtFabric(w, "llama3-405b-16k"));
    FabricWorkspace& f = *w.fabric();
    QVERIFY(f.view()->picture() && f.view()->picture()->shows());
    const auto& places = f.view()->picture()->places;
    const auto placed = std::find_if(places.begin(), places.end(), [](const wired::Place& p) { return p.rack != 0; });
    QVERIFY(placed != places.end());
    QTest::qWait(50);
    keep(w, "16k");
    const QImage before = f.view()->grab().toImage();
    w.document().select({{"racks", placed->rack}});
    const QImage lit = f.view()->grab().toImage();
    QVERIFY(before != lit);
    // And the other way round: a node clicked here is a rack selected there.
    const auto device = static_cast<std::uint32_t>(placed - places.begin());
    f.view()->setFocus();
    f.view()->zoomTo({{device}, {}});
    f.view()->grab();
    QTest::mouseClick(f.view(), Qt::LeftButton, {}, f.view()->deviceRect(device).center().toPoint());
    const auto& selection = w.document().selection();
    QVERIFY(std::find(selection.begin(), selection.end(), EntityRef{"racks", placed->rack}) != selection.end());
    QTest::qWait(50);
    keep(w, "16k-node");
    w.document().undoStack().setClean();
  }

  void options_are_compared_and_one_is_used() {
    StudioWindow w(catalog_);
    QVERIFY(openedAtFabric(w, "superpod-h100-4su"));
    FabricWorkspace& f = *w.fabric();
    f.showPage(3);
    FabricOptions& o = *f.options();
    QVERIFY(QTest::qWaitFor([&] { return o.settled() && o.optionCount() > 0; }, 30000));
    QTableWidget* table = o.table();
    QCOMPARE(table->columnCount(), 2 + o.optionCount());
    // Rows of figures are filled, and oversubscription 2:1 needs fewer switches than the design.
    int switches = -1, taper = -1;
    for (int r = 0; r < table->rowCount(); ++r)
      if (table->item(r, 0) && table->item(r, 0)->text() == QStringLiteral("Switches")) switches = r;
    for (int c = 2; c < table->columnCount(); ++c)
      if (table->horizontalHeaderItem(c)->text().contains(QStringLiteral(":1"))) taper = c;
    QVERIFY(switches >= 0 && taper >= 0);
    keep(w, "options");
    QVERIFY2(table->item(switches, 1)->text() == QStringLiteral("48"),
             qPrintable(table->item(switches, 1)->text())); // 32 + 16, published
    QVERIFY(table->item(switches, taper)->text().toInt() < 48);
    QVERIFY(table->item(switches, taper)->font().bold());
    press(w, qPrintable(QStringLiteral("option_use_%1").arg(taper - 2)));
    QTest::qWait(30);
    QVERIFY(settle(w));
    const Network* n = nullptr;
    for (const Network& each : *w.document().design().networks)
      if (each.id == f.network()) n = &each;
    QVERIFY(n);
    QCOMPARE(n->oversubscription, 2.0);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(settle(w));
    for (const Network& each : *w.document().design().networks)
      if (each.id == f.network()) QCOMPARE(each.oversubscription, 1.0);
    w.document().undoStack().setClean();
  }

  void a_dump_is_compared_and_its_plug_moves_stepped_through() {
    const QString dump =
        QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/fabric_asbuilt/ndr_rail_fabric_racks1-4.ibnetdiscover");
    if (!QFile::exists(dump)) QSKIP("the dump is not there");
    StudioWindow w(catalog_);
    QVERIFY(openedAtFabric(w, "superpod-h100-4su"));
    FabricWorkspace& f = *w.fabric();
    f.openAsBuilt({dump});
    QVERIFY(QTest::qWaitFor([&] { return !f.asBuilt()->busy(); }, 30000));
    QTableWidget* table = f.asBuilt()->table();
    QVERIFY(table->rowCount() > 0);
    QCOMPARE(table->currentRow(), 0);
    QTest::keyClick(&w, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(table->currentRow(), 1);
    QVERIFY(!w.findChild<QLabel*>(QStringLiteral("as_built_detail"))->text().isEmpty());
    keep(w, "as-built");
    w.document().undoStack().setClean();
  }

  void everything_is_in_the_menu() {
    StudioWindow w(catalog_);
    QAction* fabric = nullptr;
    for (QAction* a : w.menuBar()->actions())
      if (a->text().remove(QLatin1Char('&')) == QStringLiteral("Fabric")) fabric = a;
    QVERIFY(fabric && fabric->menu());
    QStringList texts;
    for (QAction* a : fabric->menu()->actions())
      texts << a->text().remove(QLatin1Char('&'));
    for (const char* wanted : {"Take out of service", "Restore", "Restore everything", "Export cables, CSV\u2026",
                               "Open as-built\u2026", "Next plug move"})
      QVERIFY2(texts.contains(QString::fromUtf8(wanted)), wanted);
    for (QWidget* each : w.fabric()->findChildren<QWidget*>()) {
      const bool speaks = qobject_cast<QComboBox*>(each) || qobject_cast<QTableView*>(each) ||
                          qobject_cast<wired::FabricView*>(each) || qobject_cast<wired::Faceplate*>(each);
      if (speaks && each->isVisibleTo(w.fabric()))
        QVERIFY2(!each->accessibleName().isEmpty(), qPrintable(each->objectName()));
    }
  }
};

QTEST_MAIN(TestFabricJourney)
#include "test_fabric_journey.moc"
