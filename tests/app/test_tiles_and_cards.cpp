// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "app/studio/command_palette.h"
#include "app/studio/cooling_workspace.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/power_workspace.h"
#include "app/studio/rack_choice.h"
#include "app/studio/studio_window.h"
#include "app/studio/subject_workspace.h"
#include "widgets/bar_list.h"
#include "widgets/card_splitter.h"
#include "widgets/field_form.h"
#include "widgets/figure_table.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/tile_words.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// What headlines say of their limits, and cards that stand whole at every size.
class TestTilesAndCards : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static QStringList samples() {
    QStringList out;
    for (const QString& file :
         QDir(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects")).entryList({QStringLiteral("*.hall.json")}))
      out << QString(file).remove(QStringLiteral(".hall.json"));
    return out;
  }
  bool open(StudioWindow& w, const QString& sample, int width = 1500, int height = 950) {
    if (!show_window(w, width, height) || !w.openPath(sample_copy(folder_, sample.toUtf8().constData()))) return false;
    return QTest::qWaitFor([&] { return w.document().evaluation() && w.document().evaluationIsOfShown(); }, 60000);
  }
  static bool set(StudioWindow& w, const char* path, const char* value) {
    const bool done =
        w.document().apply({"Set", [path, value](const Design& d) { return set_by_path(d, path, value); }});
    return done && QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 60000);
  }
  static int tile_of(std::string_view figure) {
    const auto& tiles = headline_tiles();
    for (std::size_t i = 0; i < tiles.size(); ++i)
      if (tiles[i].figure == figure) return static_cast<int>(i);
    return -1;
  }
  static TileLevel level(StudioWindow& w, std::string_view figure) {
    return tile_state(*w.document().evaluation(), headline_tiles()[static_cast<std::size_t>(tile_of(figure))]).level;
  }
  /// Fields whose editor has less height than its words need.
  static QStringList squeezed(const QWidget* in) {
    QStringList out;
    for (const FieldForm* form : in->findChildren<FieldForm*>()) {
      if (!form->isVisible()) continue;
      for (const QWidget* w : form->findChildren<QWidget*>(QRegularExpression(QStringLiteral("^field_"))))
        if (w->isVisible() && w->height() < w->fontMetrics().height())
          out << QStringLiteral("%1: %2").arg(w->objectName()).arg(w->height());
    }
    return out;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
    QApplication::setOrganizationName(QStringLiteral("hallwright-test-tiles"));
    QSettings().clear();
  }

  /// First-order counts of coolant are calm; an error of the solved loops is not.
  void solved_loops_that_fail_redden_the_coolant() {
    StudioWindow w(catalog_);
    QVERIFY(open(w, QStringLiteral("nvl72-16-racks")));
    const auto coolant = std::find_if(headline_tiles().begin(), headline_tiles().end(), [](const HeadlineTile& t) { return t.figure == "cooling.flow"; });
    QVERIFY(coolant != headline_tiles().end());
    Evaluation e = *w.document().evaluation();
    QCOMPARE(tile_state(e, *coolant).level, TileLevel::calm);
    Finding f;
    f.code = "CLG-018";
    f.severity = Severity::error;
    e.findings.push_back(f);
    QCOMPARE(tile_state(e, *coolant).level, TileLevel::error);
    const TileWords words = tile_words(e, *coolant);
    QVERIFY2(words.foot().startsWith(QStringLiteral("CLG-018: ")) && words.foot().size() > 15, qPrintable(words.foot()));
    QVERIFY(words.share == 1.0);
    e.findings.back().waived = true;
    QCOMPARE(tile_state(e, *coolant).level, TileLevel::calm);
    w.document().undoStack().setClean();
  }

  void what_an_error_is_about_is_never_calm_data() {
    QTest::addColumn<QString>("sample");
    for (const QString& s : samples())
      if (s != QLatin1String("hundred-thousand")) QTest::newRow(s.toUtf8().constData()) << s;
  }
  void what_an_error_is_about_is_never_calm() {
    QFETCH(QString, sample);
    StudioWindow w(catalog_);
    QVERIFY(open(w, sample));
    const Evaluation& e = *w.document().evaluation();
    for (const HeadlineTile& tile : headline_tiles()) {
      const TileState state = tile_state(e, tile);
      for (const std::string_view id : {tile.figure, tile.second_figure, tile.remark_figure}) {
        const Figure* f = id.empty() ? nullptr : e.figures.find(id);
        if (!f) continue;
        if (f->status == Status::over_limit) QVERIFY2(state.level >= TileLevel::warning, f->id.c_str());
        for (const Finding& finding : e.findings)
          if (finding.severity == Severity::error && !finding.waived && !finding.undecided &&
              finding.figures.size() > 1 && finding.figures.front() == f->id && e.figures.at(f->limit) &&
              finding.figures[1] == e.figures.at(f->limit)->id)
            QVERIFY2(state.level == TileLevel::error, f->id.c_str());
      }
      const TileWords words = tile_words(e, tile);
      QVERIFY2(!words.value.contains(QStringLiteral("\u2265 0 ")) && words.value != QStringLiteral("\u2265 0"),
               qPrintable(words.value));
      QVERIFY2(!words.foot().startsWith(QStringLiteral("at least")), qPrintable(words.foot()));
      if (state.level >= TileLevel::warning) QVERIFY2(!words.limit.isEmpty(), qPrintable(words.value));
    }
    w.document().undoStack().setClean();
  }

  void a_bound_past_its_limit_is_decided() {
    StudioWindow w(catalog_);
    QVERIFY(open(w, QStringLiteral("deepseek-v3-2048-h800")));
    // Within the limit nobody knows.
    QCOMPARE(level(w, "power.it"), TileLevel::undecided);
    QVERIFY2(w.headlines()->tileText(tile_of("power.it")).contains(QStringLiteral("undecided")),
             qPrintable(w.headlines()->tileText(tile_of("power.it"))));
    QVERIFY2(w.headlines()->tileText(tile_of("power.headroom_worst")).contains(QStringLiteral("Utility A with Utility B out")),
             qPrintable(w.headlines()->tileText(tile_of("power.headroom_worst"))));
    // Memory is an error of the checks, and a small figure of its tile.
    QCOMPARE(level(w, "training.step_time"), TileLevel::error);
    QVERIFY2(w.headlines()->tileText(tile_of("training.step_time")).contains(QStringLiteral("over ")),
             qPrintable(w.headlines()->tileText(tile_of("training.step_time"))));
    // Past it whatever is unknown would only make it worse.
    QVERIFY(set(w, "site.utility_power", "1 MW"));
    for (const char* figure : {"power.it", "power.headroom_worst"}) {
      const QString text = w.headlines()->tileText(tile_of(figure));
      QVERIFY2(level(w, figure) == TileLevel::error, figure);
      QVERIFY2(!text.contains(QStringLiteral("undecided")), qPrintable(text));
      QVERIFY2(text.contains(QStringLiteral("over")) || text.contains(QStringLiteral("below")), qPrintable(text));
    }
    w.document().undoStack().setClean();
  }

  void changes_of_shares_are_percentage_points() {
    Figure from, to;
    from.kind = to.kind = &kind::percent;
    from.value = 0.22, to.value = 0.08;
    QVERIFY2(screen_change(from, to).contains(QStringLiteral("14 pp")), qPrintable(screen_change(from, to)));
    QVERIFY(screen_change(from, to).startsWith(QChar(0x2212)));
    from.kind = to.kind = &kind::power;
    from.value = 100, to.value = 104.6;
    QCOMPARE(screen_change(from, to), QStringLiteral("+4") + QLocale().decimalPoint() + QStringLiteral("6 %"));
    to.value = 100;
    QCOMPARE(screen_change(from, to), QString());
    QVERIFY(!screen_signed_percent(-0.01).contains(QChar(0x2212)));
    Figure nothing;
    nothing.kind = &kind::volume_flow;
    nothing.completeness = Completeness::lower_bound;
    QVERIFY(nothing_known(nothing));
    QVERIFY(!screen_text(nothing).contains(QLatin1Char('0')));
    // What was entered keeps its digits.
    Figure load, limit;
    load.kind = limit.kind = &kind::areal_density;
    load.value = 944.4444, limit.value = 1221;
    load.completeness = Completeness::estimate;
    QVERIFY2(screen_limit(load, limit).startsWith(QStringLiteral("1221")), qPrintable(screen_limit(load, limit)));
  }

  /// Rows of a form have their height as soon as they are there: nothing is ever painted half-way.
  void forms_are_never_squeezed() {
    StudioWindow w(catalog_);
    QVERIFY(open(w, QStringLiteral("nvl72-16-racks"), 1600, 900));
    const auto inspector = w.findChild<InspectorPanel*>();
    const Design& d = w.document().design();
    const std::vector<std::vector<EntityRef>> choices{{{"racks", d.racks->front().id}},
                                                      {},
                                                      {{"halls", d.halls->front().id}},
                                                      {{"racks", d.racks->front().id}, {"racks", d.racks->back().id}},
                                                      {{"power_units", d.power_units->front().id}}};
    for (const auto& choice : choices) {
      w.document().select(choice);
      QCOMPARE(squeezed(inspector).join(QLatin1Char('\n')), QString());
    }
    // An undo in the hall, and at once the page of another workspace, for the first time.
    w.document().apply({"Move", [id = d.racks->front().id](const Design& design) {
                          return move_by(design, {{"racks", id}}, meters(0.1), meters(0.0));
                        }});
    w.document().undoStack().undo();
    for (int i = 1; i < 8; ++i) {
      w.showWorkspace(i);
      QCOMPARE(squeezed(&w).join(QLatin1Char('\n')), QString());
    }
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluationIsOfShown(), 30000);
    QCOMPARE(squeezed(&w).join(QLatin1Char('\n')), QString());
    w.document().undoStack().setClean();
  }

  void cards_stand_below_each_other_where_they_have_no_room_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("roomy") << QSize(1600, 950);
    QTest::newRow("laptop") << QSize(1366, 740);
    QTest::newRow("1366 x 768 at 200 %") << QSize(683, 384);
  }
  void cards_stand_below_each_other_where_they_have_no_room() {
    QFETCH(QSize, size);
    StudioWindow w(catalog_);
    QVERIFY(open(w, QStringLiteral("superpod-h100-4su"), size.width(), size.height()));
    w.resize(size);
    QTest::qWait(250); // animated docks
    const int letter = w.fontMetrics().averageCharWidth();
    for (const int page : {1, 2, 5, 6, 7, 8}) {
      w.showWorkspace(page);
      if (page == 1) w.power()->showPage(PowerWorkspace::inputs_page);
      if (page == 2) w.cooling()->showPage(1);
      QTest::qWait(80);
      const auto* stack = w.hall()->parentWidget();
      QWidget* front = nullptr;
      for (QScrollArea* area : stack->findChildren<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly))
        if (area->isVisible()) {
          front = area->widget();
          QStringList wide;
          if (area->horizontalScrollBar()->maximum() > 0)
            for (const QWidget* child : front->findChildren<QWidget*>())
              if (child->isVisible() && std::max(child->minimumSizeHint().width(), child->minimumWidth()) > area->viewport()->width() * 4 / 5)
                wide << QStringLiteral("%1 '%2' %3").arg(QLatin1String(child->metaObject()->className()), child->objectName()).arg(child->minimumSizeHint().width());
          QVERIFY2(area->horizontalScrollBar()->maximum() == 0,
                   qPrintable(QStringLiteral("page %1: %2 px too wide: %3").arg(page).arg(area->horizontalScrollBar()->maximum()).arg(wide.join(QStringLiteral(", ")))));
        }
      QVERIFY(front);
      for (const BarList* list : front->findChildren<BarList*>())
        QVERIFY2(
            list->width() >= letter * 24 && list->height() >= w.fontMetrics().height() * 5,
            qPrintable(QStringLiteral("page %1: chart of %2 x %3").arg(page).arg(list->width()).arg(list->height())));
      for (const FigureList* list : front->findChildren<FigureList*>())
        for (int i = 0; i < list->count(); ++i)
          QVERIFY2(!list->shownValue(i).contains(QChar(0x2026)), qPrintable(list->shownValue(i)));
    }
    w.document().undoStack().setClean();
  }

  void deviations_below_zero_go_to_the_left() {
    BarList list;
    list.resize(600, 200);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    const auto bar = [](const QString& name, double value) {
      NamedBar b;
      b.name = name;
      b.amounts.push_back({value, screen_signed_percent(value)});
      return b;
    };
    list.setBars(QStringLiteral("Deviation"), QStringLiteral("Share"), {QStringLiteral("Deviation")},
                 {bar(QStringLiteral("more"), 5.0), bar(QStringLiteral("less"), -15.0)});
    const QImage image = list.body()->grab().toImage();
    const double ratio = image.devicePixelRatio();
    const auto ends = [&](int row) {
      int first = -1, last = -1;
      const int y = static_cast<int>(list.rowRect(row).center().y() * ratio);
      for (int x = 0; x < image.width(); ++x)
        if (image.pixelColor(x, y) == theme().accent) {
          if (first < 0) first = x;
          last = x;
        }
      return std::pair(first, last);
    };
    const auto more = ends(0), less = ends(1);
    QVERIFY(more.first > 0 && less.first > 0);
    // They meet at zero, and the lower one is three times as long.
    QVERIFY2(std::abs(more.first - less.second) <= 3 * ratio,
             qPrintable(QStringLiteral("%1, %2").arg(more.first).arg(less.second)));
    QVERIFY(less.first < more.first);
    const int long_one = less.second - less.first, short_one = more.second - more.first;
    QVERIFY2(std::abs(long_one - 3 * short_one) <= 6 * ratio,
             qPrintable(QStringLiteral("%1 and %2").arg(long_one).arg(short_one)));
  }

  void published_stands_as_ours_does() {
    StudioWindow w(catalog_);
    QVERIFY(open(w, QStringLiteral("llama3-405b-16k")));
    w.showWorkspace(8);
    auto* table = w.findChild<QTableWidget*>(QStringLiteral("published_table"));
    QTRY_VERIFY(table->rowCount() > 0);
    for (int row = 0; row < table->rowCount(); ++row) {
      const QString ours = table->item(row, 1)->text(), published = table->item(row, 2)->text(),
                    deviation = table->item(row, 3)->text();
      const QString unit = ours.section(QLatin1Char(' '), -1);
      if (!unit.isEmpty() && unit.at(0).isLetter() && ours != QStringLiteral("not applicable"))
        QVERIFY2(published.contains(QLatin1Char(' ')), qPrintable(ours + QStringLiteral(" beside ") + published));
      QVERIFY2(deviation != QStringLiteral("\u22120") + QLocale().decimalPoint() + QStringLiteral("0 %"), qPrintable(deviation));
    }
    // The inputs that are offered first are set.
    for (int i = 0; i < 3; ++i)
      QVERIFY(w.findChild<QSlider*>(QStringLiteral("what_if_%1").arg(i))->isEnabled());
    w.document().undoStack().setClean();
  }

  void findings_of_a_preview_are_told() {
    StudioWindow w(catalog_);
    QVERIFY(open(w, QStringLiteral("superpod-h100-4su")));
    w.showWorkspace(8);
    auto* input = w.findChild<QComboBox*>(QStringLiteral("what_if_input_0"));
    QVERIFY(input);
    input->setCurrentIndex(input->findData(QStringLiteral("site.utility_power")));
    Q_EMIT input->activated(input->currentIndex());
    auto* slider = w.findChild<QSlider*>(QStringLiteral("what_if_0"));
    auto* note = w.checks()->findChild<QLabel*>(QStringLiteral("checks_preview"));
    QVERIFY(note && note->isHidden());
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home); // half of the utility's power
    QTRY_VERIFY_WITH_TIMEOUT(w.document().previewing() && w.document().evaluationIsOfShown() && note->isVisible(),
                             30000);
    QTRY_VERIFY2(note->text().contains(QStringLiteral("new")), qPrintable(note->text()));
    QVERIFY(note->text().startsWith(QStringLiteral("Preview")));
    w.document().cancelPreview();
    QVERIFY(note->isHidden());
  }

  void an_empty_answer_says_so() {
    StudioWindow w(catalog_);
    QVERIFY(open(w, QStringLiteral("one-megawatt")));
    auto* explain = w.findChild<ExplainPanel*>();
    QVERIFY(explain->tree()->isHidden()); // no head above nothing
    w.headlines()->tile(0)->setFocus();
    QTest::keyClick(w.headlines()->tile(0), Qt::Key_Return);
    QVERIFY(!explain->tree()->isHidden());
    CommandPalette palette;
    palette.open({{QStringLiteral("Save"), {}, [] {}}}, {}, {});
    QTest::keyClicks(palette.findChild<QLineEdit*>(QStringLiteral("palette_input")), QStringLiteral("zzz"));
    QCOMPARE(palette.findChild<QListWidget*>()->count(), 1);
    QCOMPARE(palette.findChild<QListWidget*>()->item(0)->text(), QStringLiteral("Nothing found"));
    QTest::keyClick(palette.findChild<QLineEdit*>(QStringLiteral("palette_input")), Qt::Key_Return); // nothing happens
    QVERIFY(palette.isVisible());
  }

  void the_likely_rack_is_the_one_that_the_design_has_most_of() {
    StudioWindow w(catalog_);
    QVERIFY(open(w, QStringLiteral("superpod-h100-4su")));
    const Design& d = w.document().design();
    const LikelyRack choice = likely_rack(d, *catalog_);
    std::map<Id, int> used;
    for (const Rack& r : *d.racks)
      ++used[r.rack_type];
    for (const RackType& t : *d.rack_types)
      if (t.role != RackRole::fabric) QVERIFY(used[choice.type] >= used[t.id]);
    auto* type = w.findChild<QComboBox*>(QStringLiteral("row_type"));
    QTRY_COMPARE(type->currentData().toString(), QStringLiteral("rack_types/%1").arg(choice.type));
    // With an empty design: something whose size is known.
    QVERIFY(!likely_rack(Design{}, *catalog_).part.empty());
  }
};

QTEST_MAIN(TestTilesAndCards)
#include "test_tiles_and_cards.moc"
