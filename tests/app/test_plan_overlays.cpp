// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/command_palette.h"
#include "app/studio/session.h"
#include "app/studio/start_page.h"
#include "app/studio/studio_window.h"
#include "app/studio/training_workspace.h"
#include "fabric/rack_network_places.h"
#include "widgets/bar_list.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_overlay.h"
#include "widgets/theme.h"
#include "widgets/training/pipeline_timeline.h"
#include "widgets/training/stage_memory_bars.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// What racks are coloured by, and how a selected rack and the plan's state are told in other workspaces.
class TestPlanOverlays : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static bool settle(StudioWindow& w) {
    return QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 60000);
  }
  bool opened(StudioWindow& w, const char* sample) {
    return show_window(w, 1600, 1000) && w.openPath(sample_copy(folder_, sample)) && settle(w);
  }
  static plan::OverlayValues values_of(StudioWindow& w, Overlay overlay) {
    plan::PlanModel model;
    const SharedEvaluation& e = w.document().evaluation();
    model.update(e->design, e->catalog, 0);
    return plan::overlay_values(model, e, overlay);
  }
  static std::vector<Overlay> all() {
    std::vector<Overlay> out;
    for (int i = 1; i < static_cast<int>(Overlay::count_); ++i) out.push_back(static_cast<Overlay>(i));
    return out;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void every_overlay_colours_racks_or_says_why_not() {
    QCOMPARE(PlanView::overlayNames().size(), static_cast<qsizetype>(Overlay::count_));
    QCOMPARE(PlanView::overlayWords().size(), static_cast<qsizetype>(Overlay::count_));
    StudioWindow w(catalog_);
    for (const char* sample : {"superpod-h100-4su", "one-megawatt", "nvl72-16-racks"}) {
      QVERIFY(opened(w, sample));
      for (const Overlay overlay : all()) {
        const plan::OverlayValues v = values_of(w, overlay);
        const QByteArray what = (QLatin1String(sample) + QStringLiteral(", ") + PlanView::overlayNames()[static_cast<int>(overlay)]).toUtf8();
        QVERIFY2(v.available == v.nothing.isEmpty(), what);
        QVERIFY2(v.available || v.nothing.endsWith(QLatin1Char('.')), what);
        QCOMPARE(v.marks.size(), v.categories.size());
        if (!v.available) continue;
        QVERIFY2(!v.title.isEmpty(), what);
        for (const double value : v.shown)
          QVERIFY2(std::isnan(value) || (value >= v.low - 1e-9 && value <= v.high + 1e-9), what);
        // Neighbours in the legend are of other colours, and all of them are told apart by their marks.
        for (std::size_t i = 0; i + 1 < v.categories.size(); ++i) {
          QVERIFY2(plan::category_color(plan::PlanColors::screen(), i) != plan::category_color(plan::PlanColors::screen(), i + 1), what);
          QVERIFY2(v.marks[i] != v.marks[i + 1], what);
        }
      }
    }
  }

  void an_empty_design_has_sentences_in_its_legends() {
    auto e = evaluate(Design{}, catalog_);
    QVERIFY(e);
    plan::PlanModel model;
    model.update(e->design, e->catalog, 0);
    const auto evaluation = std::make_shared<const Evaluation>(*e);
    for (const Overlay overlay : all()) {
      const plan::OverlayValues v = plan::overlay_values(model, evaluation, overlay);
      QVERIFY(!v.available && !v.nothing.isEmpty());
      plan::Canvas c;
      c.base_font = QApplication::font();
      QVERIFY(plan::paint_legend(c, v, {0, 0}).height() > 40);
    }
  }

  void headroom_and_domains_are_those_of_the_engine() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    const SharedEvaluation& e = w.document().evaluation();
    const plan::OverlayValues headroom = values_of(w, Overlay::headroom);
    QVERIFY2(headroom.available, qPrintable(headroom.nothing));
    // What the table of the one-line says of the feeds of the first rack.
    const Table* flow = e->figures.table("power.flow");
    const TableColumn* column = flow ? flow->column("headroom") : nullptr;
    QVERIFY(column);
    const Rack& rack = e->design.racks->front();
    double least = 2;
    for (std::size_t i = 0; i < flow->entities.size(); ++i)
      if (flow->entities[i] == rack.feed_a || flow->entities[i] == rack.feed_b) least = std::min(least, column->numbers[i]);
    QVERIFY(least <= 1);
    QVERIFY(std::abs(headroom.shown.front() - least * 100) < 1e-6);
    QCOMPARE(headroom.unit, QStringLiteral("%"));
    const plan::OverlayValues domain = values_of(w, Overlay::failure_domain);
    QVERIFY2(domain.available && !domain.words_of(0).isEmpty(), qPrintable(domain.nothing));
  }

  void the_same_value_has_the_colour_of_its_overlay() {
    // Racks are painted from ready-made pictures: the 1 of an expert rank is none of the second failure domain.
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    auto* plan = w.findChild<PlanView*>(QStringLiteral("plan"));
    plan->zoomToFit();
    const plan::OverlayValues ranks = values_of(w, Overlay::expert_rank), domains = values_of(w, Overlay::failure_domain);
    QVERIFY(ranks.available && domains.available);
    plan::PlanModel model;
    model.update(w.document().design(), w.document().evaluation()->catalog, 0);
    const auto& racks = model.objects(PlanLayer::racks);
    std::size_t rack = 0;
    while (rack < racks.size() && !(ranks.shown[rack] == 1 && domains.shown[rack] == 1)) ++rack;
    QVERIFY(rack < racks.size());
    const auto colour = [&](Overlay overlay) {
      plan->setOverlay(overlay);
      const QImage image = plan->viewport()->grab().toImage();
      const QRectF box = racks[rack].box();
      const QPointF at = QPointF(plan_point(plan, box.left() + 0.3 * box.width(), box.top() + 0.3 * box.height()));
      return image.pixelColor((at * image.devicePixelRatio()).toPoint());
    };
    const auto near = [](const QColor& a, const QColor& b) {
      return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 12;
    };
    colour(Overlay::expert_rank);
    const QColor got = colour(Overlay::failure_domain), wanted = plan::category_color(plan::PlanColors::screen(), 1);
    QVERIFY2(near(got, wanted), qPrintable(got.name() + QLatin1Char(' ') + wanted.name()));
  }

  void overlays_are_chosen_by_chooser_menu_and_palette() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    auto* plan = w.findChild<PlanView*>(QStringLiteral("plan"));
    auto* chooser = w.findChild<QComboBox*>(QStringLiteral("overlay"));
    QCOMPARE(chooser->count(), static_cast<int>(Overlay::count_));
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_End);
    QCOMPARE(plan->overlay(), Overlay::tensor_group);
    auto* menu = w.findChild<QMenu*>(QStringLiteral("menu_overlays"));
    QVERIFY(menu);
    menu->popup(QPoint(50, 50));
    QCOMPARE(menu->actions().size(), static_cast<qsizetype>(Overlay::count_));
    QVERIFY(menu->actions()[static_cast<int>(Overlay::tensor_group)]->isChecked());
    menu->setActiveAction(menu->actions()[static_cast<int>(Overlay::headroom)]);
    QTest::keyClick(menu, Qt::Key_Return);
    QCOMPARE(plan->overlay(), Overlay::headroom);
    QCOMPARE(chooser->currentIndex(), static_cast<int>(Overlay::headroom));
    // From another workspace by the palette: the plan comes to the front.
    QTest::keyClick(&w, Qt::Key_5, Qt::ControlModifier);
    QTest::keyClick(&w, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* palette = w.findChild<CommandPalette*>();
    QTRY_VERIFY(palette && palette->isVisible());
    QTest::keyClicks(palette->findChild<QLineEdit*>(QStringLiteral("palette_input")), QStringLiteral(">colour racks by: fail"));
    QTest::keyClick(palette->findChild<QLineEdit*>(QStringLiteral("palette_input")), Qt::Key_Return);
    QTRY_COMPARE(plan->overlay(), Overlay::failure_domain);
    QVERIFY(plan->isVisible());
  }

  void a_selected_rack_lights_its_ranks_in_training() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    const SharedEvaluation& e = w.document().evaluation();
    QVERIFY(e->traffic && e->traffic->placement && e->traffic->drawn);
    const Id rack = e->traffic->drawn->rack_of(e->traffic->placement->node_order.front());
    QVERIFY(rack != 0);
    w.document().select({{"racks", rack}});
    QTest::keyClick(&w, Qt::Key_5, Qt::ControlModifier);
    QLabel* words = nullptr;
    for (QLabel* l : w.training()->findChildren<QLabel*>())
      if (l->property("words").toString() == QLatin1String("ranks")) words = l;
    QVERIFY(words);
    QTRY_VERIFY(words->isVisible());
    // Rank 0 is there, and of the ranks of the table as many.
    QVERIFY2(words->text().contains(QStringLiteral("ranks 0 to ")) && words->text().contains(screen_number(axes_of(*e->design.job).ranks())) &&
                 words->text().endsWith(QStringLiteral("stage 1.")),
             qPrintable(words->text()));
    QTRY_COMPARE(w.training()->timeline()->lit(), std::vector<int>{0});
    QCOMPARE(w.training()->memory()->lit(), std::vector<int>{0});
    // While it is shown the selection moves on, and goes.
    const Id last = e->traffic->drawn->rack_of(e->traffic->placement->node_order[static_cast<std::size_t>(axes_of(*e->design.job).ranks() / e->traffic->placement->gpus_per_node - 1)]);
    w.document().select({{"racks", last}});
    QCOMPARE(w.training()->memory()->lit(), std::vector<int>{static_cast<int>(e->design.job->pipeline_parallel) - 1});
    w.document().select({});
    QVERIFY(!words->isVisible());
    QVERIFY(w.training()->memory()->lit().empty());
  }

  void bytes_of_a_step_are_those_of_one_gpu() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    QTest::keyClick(&w, Qt::Key_5, Qt::ControlModifier);
    auto* table = w.findChild<QTableWidget*>(QStringLiteral("training_bytes"));
    QTRY_VERIFY(table && table->rowCount() > 1);
    const SharedEvaluation& e = w.document().evaluation();
    const Table* t = e->figures.table("traffic.communicators");
    const double gigabytes = t->column("scale_up")->numbers[0] / static_cast<double>(axes_of(*e->design.job).ranks()) / 1e9;
    QVERIFY(gigabytes > 0);
    const double shown = QLocale().toDouble(table->item(0, 1)->text());
    QVERIFY2(std::abs(shown - gigabytes) <= 0.006 * gigabytes, qPrintable(QStringLiteral("%1, %2").arg(table->item(0, 1)->text()).arg(gigabytes)));
    bool told = false;
    for (const QLabel* l : w.training()->findChildren<QLabel*>()) told = told || l->text() == QStringLiteral("GB per GPU, one way");
    QVERIFY(told);
    // Names are whole: no word is wider than its column, and every line has its height; in sight is all of the table.
    for (int row = 0; row < table->rowCount(); ++row) {
      const QString name = table->item(row, 0)->text();
      const QFontMetrics m(table->item(row, 0)->font());
      for (const QString& word : name.split(QLatin1Char(' '))) QVERIFY2(table->columnWidth(0) >= m.horizontalAdvance(word), qPrintable(name));
      const int lines = m.boundingRect(QRect(0, 0, table->columnWidth(0), 1000), Qt::TextWordWrap, name).height() / m.height();
      QVERIFY2(table->rowHeight(row) >= lines * m.height(), qPrintable(name));
    }
  }

  void tiers_of_several_networks_bear_their_names() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    QVERIFY(w.document().design().networks->size() > 1);
    QTest::keyClick(&w, Qt::Key_4, Qt::ControlModifier);
    for (QTabWidget* pages : w.findChildren<QTabWidget*>())
      for (int i = 0; i < pages->count(); ++i)
        if (pages->isVisible() && pages->tabText(i) == QStringLiteral("Inputs and figures")) pages->setCurrentIndex(i);
    QTest::qWait(200);
    QStringList names;
    for (const BarList* list : w.findChildren<BarList*>())
      for (int i = 0; i < list->count(); ++i)
        if (list->shownName(i).contains(QStringLiteral("leaf"))) names << list->shownName(i);
    QVERIFY(names.size() > 1);
    for (const QString& name : names) QVERIFY2(name.contains(QLatin1Char(':')), qPrintable(name));
    QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), names.size());
  }

  void the_status_bar_tells_of_the_plan_where_it_is_shown() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "superpod-h100-4su"));
    auto *snap = w.findChild<QLabel*>(QStringLiteral("status_snap")), *zoom = w.findChild<QLabel*>(QStringLiteral("status_zoom")),
         *position = w.findChild<QLabel*>(QStringLiteral("status_position"));
    QTRY_VERIFY2(snap->text().startsWith(QStringLiteral("Snap: ")) && snap->text().contains(QStringLiteral("walls")), qPrintable(snap->text()));
    QVERIFY(zoom->text().endsWith(QLatin1Char('%')));
    QTest::keyClick(&w, Qt::Key_F9);
    QCOMPARE(snap->text(), QStringLiteral("Snap: off"));
    QTest::keyClick(&w, Qt::Key_F9);
    QVERIFY(snap->text() != QStringLiteral("Snap: off"));
    auto* plan = w.findChild<PlanView*>(QStringLiteral("plan"));
    move_on_plan(plan, plan->viewport()->rect().center());
    QVERIFY(!position->text().isEmpty());
    QTest::keyClick(&w, Qt::Key_5, Qt::ControlModifier);
    QVERIFY(snap->text().isEmpty() && zoom->text().isEmpty() && position->text().isEmpty());
    QTest::keyClick(&w, Qt::Key_1, Qt::ControlModifier);
    QVERIFY(!snap->text().isEmpty() && !zoom->text().isEmpty());
  }

  void parts_of_memory_have_one_colour() {
    QSet<QRgb> seen;
    for (const char* part : {"weights", "gradients", "optimizer", "activations", "logits", "buffers", "slack"}) {
      const QColor color = memory_part_color(QLatin1String(part));
      QVERIFY(color.isValid());
      seen.insert(color.rgb());
    }
    QCOMPARE(seen.size(), qsizetype{7});
    QVERIFY(!memory_part_color(QStringLiteral("total")).isValid());
    // The chart among the figures says in its legend which colours it has.
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    QTest::keyClick(&w, Qt::Key_5, Qt::ControlModifier);
    w.training()->showPage(1);
    const QString weights = memory_part_color(QStringLiteral("weights")).name(), activations = memory_part_color(QStringLiteral("activations")).name();
    const auto legend = [&] {
      for (const QLabel* l : w.training()->findChildren<QLabel*>())
        if (l->text().contains(QStringLiteral("Weights")) && l->text().contains(QStringLiteral("color:"))) return l->text();
      return QString();
    };
    QTRY_VERIFY2(legend().contains(weights) && legend().contains(activations), qPrintable(legend()));
  }

  void a_start_page_without_samples_says_where_they_are_looked_for() {
    StartPage page;
    page.setSamples({}, {QStringLiteral("/opt/one"), QStringLiteral("/opt/two")});
    QStringList words;
    for (const QLabel* l : page.findChildren<QLabel*>()) words << l->text();
    QVERIFY2(words.join(QLatin1Char('|')).contains(QStringLiteral("/opt/one\n/opt/two")), qPrintable(words.join(QLatin1Char('|'))));
    QVERIFY(!Session::sampleFolders().isEmpty());
  }

  void times_have_three_digits_in_the_fabric() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "llama3-405b-16k"));
    QTest::keyClick(&w, Qt::Key_4, Qt::ControlModifier);
    const auto told = [&] {
      for (const QLabel* l : w.findChildren<QLabel*>())
        if (l->text().startsWith(QStringLiteral("Worst link of a step"))) return l->text();
      return QString();
    };
    QTRY_VERIFY_WITH_TIMEOUT(!told().isEmpty(), 60000);
    const auto m = QRegularExpression(QStringLiteral("([0-9.,]+) (ns|\u00b5s|ms|s|min) of bytes")).match(told());
    QVERIFY2(m.hasMatch(), qPrintable(told()));
    QVERIFY2(m.captured(1).count(QRegularExpression(QStringLiteral("[0-9]"))) <= 4, qPrintable(told())); // "0.0123" or "1.40"
  }
};

QTEST_MAIN(TestPlanOverlays)
#include "test_plan_overlays.moc"
