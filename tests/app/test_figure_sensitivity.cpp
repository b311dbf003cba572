// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "app/studio/figure_sensitivity.h"
#include "app/studio/studio_window.h"
#include "widgets/panels.h"
#include "widgets/quantity_edit.h"
#include "widgets/sensitivity_bars.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// Somebody asks what moves a figure most, with a real mouse and real keys.
class TestFigureSensitivity : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static int row_of(const SensitivityBars* bars, const char* name) {
    for (int i = 0; i < bars->count(); ++i)
      if (bars->rowDescription(i).startsWith(QLatin1String(name))) return i;
    return -1;
  }
  static bool settled(const StudioWindow& w) {
    const auto* study = w.findChild<FigureSensitivity*>();
    return study && !study->busy() && w.explain()->movers()->count() > 0;
  }
  /// Pixels of a colour left and right of the middle line of a row.
  static std::pair<int, int> painted(SensitivityBars* bars, int row, const QColor& color) {
    const QImage image = bars->body()->grab().toImage();
    const double ratio = image.devicePixelRatio();
    const QRect place = bars->rowRect(row);
    int first = -1, last = -1;
    for (int y = place.top(); y < place.bottom(); ++y)
      for (int x = 0; x < image.width(); ++x)
        if (image.pixelColor(x, static_cast<int>(y * ratio)) == color) {
          if (first < 0 || x < first) first = x;
          last = std::max(last, x);
        }
    return {first, last};
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void bars_of_an_answer_and_its_words() {
    SensitivityBars bars;
    bars.resize(420, 400);
    bars.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bars));
    Sensitivity s;
    s.label = "Cost", s.kind = &kind::money, s.value = 1000, s.tried = 9, s.still = 2;
    for (int i = 0; i < 7; ++i) {
      SensitivityRow r;
      r.leaf = "leaf." + std::to_string(i), r.label = "Input " + std::to_string(i), r.kind = &kind::power, r.value = 1e3, r.step = "10 %";
      r.low = {900.0, 1000.0 - 50 * (7 - i), {}}, r.high = {1100.0, 1000.0 + 50 * (7 - i), {}};
      r.change = 50.0 * (7 - i), r.elasticity = 0.5 * (7 - i);
      s.rows.push_back(r);
    }
    s.rows[1].high = {{}, {}, "it is at 100 %, the end of its range"};
    s.rows[2].low.figure = 1250, s.rows[2].high.figure = 750; // less of it costs more
    bars.setAnswer(s);
    QCOMPARE(bars.count(), SensitivityBars::most_rows);
    QVERIFY2(bars.words().contains("6 of 7"), qPrintable(bars.words()));
    QVERIFY2(bars.findChild<QLabel*>("secondary")->toolTip().contains("9 inputs"), qPrintable(bars.findChild<QLabel*>("secondary")->toolTip()));
    QVERIFY2(bars.rowDescription(0).contains(QStringLiteral("Elasticity 3") + QLocale().decimalPoint() + QStringLiteral("5")), qPrintable(bars.rowDescription(0)));
    QVERIFY2(bars.rowDescription(1).contains("the end of its range"), qPrintable(bars.rowDescription(1)));
    QCOMPARE(bars.body()->accessibleName(), QStringLiteral("What moves it most"));
    QVERIFY(bars.accessibleDescription().contains("Input 5"));
    // More of the first input is dark and at the right; of the third at the left, and five sevenths as long.
    const auto first = painted(&bars, 0, theme().accent), third = painted(&bars, 2, theme().accent);
    QVERIFY(first.first > 0 && third.first > 0 && third.second <= first.first + 2);
    const double longer = first.second - first.first, shorter = third.second - third.first;
    QVERIFY2(std::abs(shorter / longer - 5.0 / 7.0) < 0.05, qPrintable(QStringLiteral("%1 of %2").arg(shorter).arg(longer)));
    QCOMPARE(painted(&bars, 1, theme().accent).first, -1); // that side was left out
    QSignalSpy opened(&bars, &SensitivityBars::rowActivated);
    bars.body()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(bars.body(), Qt::Key_Down);
    QTest::keyClick(bars.body(), Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].toString(), QStringLiteral("leaf.1"));
    QVERIFY(bars.body()->accessibleDescription().startsWith("Input 1"));
    bars.setWords(QStringLiteral("Nothing"));
    QCOMPARE(bars.count(), 0);
    QTest::keyClick(bars.body(), Qt::Key_Return); // on no row
    QTest::mouseClick(bars.body(), Qt::LeftButton, {}, {5, 5});
    QCOMPARE(opened.count(), 1);
  }

  void a_click_on_a_row_edits_its_field_and_the_rows_follow() {
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1600, 1000) && w.openPath(sample_copy(folder_, "nvl72-16-racks")));
    QVERIFY(QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 30000));
    SensitivityBars* bars = w.explain()->movers();
    QVERIFY2(bars->words().contains("Open a figure"), qPrintable(bars->words())); // what it needs
    QCOMPARE(bars->count(), 0);
    w.explain()->showFigure(QStringLiteral("budget.annual_energy_cost"));
    QVERIFY2(bars->words().contains("Working"), qPrintable(bars->words()));
    QTRY_VERIFY_WITH_TIMEOUT(settled(w), 60000);
    const int price = row_of(bars, "Electricity price");
    QVERIFY(price >= 0);
    QVERIFY2(bars->rowDescription(price).contains("Elasticity 1:"), qPrintable(bars->rowDescription(price)));
    const QString before = bars->rowDescription(price);
    // The mouse, on the row as far as it is in sight.
    auto* scroll = bars->findChild<QScrollArea*>();
    scroll->ensureVisible(0, bars->rowRect(price).center().y());
    QTest::mouseClick(bars->body(), Qt::LeftButton, {}, bars->rowRect(price).center());
    QuantityEdit* edit = nullptr;
    QTRY_VERIFY((edit = w.explain()->tree()->findChild<QuantityEdit*>("explain_editor")) != nullptr);
    QVERIFY2(w.explain()->tree()->currentItem()->text(1).contains("Electricity price"), qPrintable(w.explain()->tree()->currentItem()->text(1)));
    QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(edit, "0.16");
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(base_value(w.document().design().site->electricity_price) * 3.6e6, 0.16, 30000);
    QTRY_VERIFY_WITH_TIMEOUT(settled(w) && row_of(bars, "Electricity price") >= 0 && bars->rowDescription(row_of(bars, "Electricity price")) != before, 60000);
    QVERIFY(bars->rowDescription(row_of(bars, "Electricity price")).contains(QStringLiteral("0") + QLocale().decimalPoint() + QStringLiteral("16")));
    // One undo step, and the rows are those of before.
    w.document().undoStack().undo();
    QTRY_VERIFY_WITH_TIMEOUT(settled(w) && row_of(bars, "Electricity price") >= 0 && bars->rowDescription(row_of(bars, "Electricity price")) == before, 60000);
  }

  void another_figure_another_answer_and_the_fold_by_keys() {
    StudioWindow w(catalog_);
    QVERIFY(show_window(w, 1600, 1000) && w.openPath(sample_copy(folder_, "superpod-h100-4su")));
    QVERIFY(QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 30000));
    SensitivityBars* bars = w.explain()->movers();
    w.explain()->showFigure(QStringLiteral("budget.total"));
    w.explain()->showFigure(QStringLiteral("power.it")); // the first answer never comes
    QTRY_VERIFY_WITH_TIMEOUT(settled(w), 60000);
    const int node = row_of(bars, "DGX H100: Power");
    QVERIFY(node >= 0);
    QVERIFY2(bars->rowDescription(node).contains("130 kW"), qPrintable(bars->rowDescription(node))); // 127 nodes by 1.02 kW
    // A value of the catalog is shown in the tree; there is nothing to type into.
    bars->body()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(bars->body(), Qt::Key_Home);
    for (int i = 0; i < node; ++i) QTest::keyClick(bars->body(), Qt::Key_Down);
    QTest::keyClick(bars->body(), Qt::Key_Return);
    QTRY_VERIFY(w.explain()->tree()->currentItem() && w.explain()->tree()->currentItem()->text(1).startsWith("DGX H100: Power"));
    QVERIFY(w.explain()->tree()->findChild<QuantityEdit*>() == nullptr);
    QCOMPARE(w.explain()->figure(), QStringLiteral("power.it"));
    // Folded by the keyboard nothing is asked; unfolded it is again.
    auto* fold = w.explain()->findChild<QToolButton*>("sensitivity_fold");
    fold->setFocus(Qt::TabFocusReason);
    QTest::keyClick(fold, Qt::Key_Space);
    QVERIFY(!bars->open() && !bars->body()->isVisible() && fold->accessibleName().contains("folded"));
    w.explain()->showFigure(QStringLiteral("power.utility_headroom"));
    QTest::qWait(600);
    QVERIFY(!w.findChild<FigureSensitivity*>()->busy());
    QTest::keyClick(fold, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(settled(w) && row_of(bars, "Utility power") >= 0, 60000);
    // A figure without a value says why.
    std::string none;
    for (const Figure* f : w.document().evaluation()->figures.all())
      if (!f->has_value()) none = f->id;
    QVERIFY(!none.empty());
    w.explain()->showFigure(QString::fromStdString(none));
    QTRY_VERIFY_WITH_TIMEOUT(bars->words().contains("no value"), 30000);
    QCOMPARE(bars->count(), 0);
  }
};

QTEST_MAIN(TestFigureSensitivity)
#include "test_figure_sensitivity.moc"
