// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/cooling_workspace.h"
#include "app/studio/cooling_year_page.h"
#include "app/studio/studio_window.h"
#include "widgets/loop_schematic/year_chart.h"
#include "widgets/training/figure_tiles.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// A planner asks what the climate of a site costs, with real mouse and keys.
class TestCoolingYear : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static bool settle(StudioWindow& w) {
    return QTest::qWaitFor([&] { return w.document().evaluationIsOfShown(); }, 30000);
  }
  bool opened(StudioWindow& w, const char* sample) {
    if (!show_window(w, 1600, 1000) || !w.openPath(sample_copy(folder_, sample)) || !settle(w)) return false;
    QTest::keyClick(&w, Qt::Key_3, Qt::ControlModifier);
    if (!w.cooling()->isVisible()) return false;
    auto* pages = w.findChild<QTabWidget*>("cooling_pages");
    QTest::mouseClick(pages->tabBar(), Qt::LeftButton, {}, pages->tabBar()->tabRect(2).center());
    return w.cooling()->year()->isVisible() && settle(w);
  }
  static void keep(StudioWindow& w, const char* name) {
    const QString folder = qEnvironmentVariable("COOLING_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(200);
    w.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  }
  /// Steps to an entry with the arrow keys, as a hand does.
  static bool choose(QComboBox* box, const QString& text) {
    const int at = box->findText(text);
    if (at < 0) return false;
    box->setFocus();
    while (box->currentIndex() != at) {
      const int before = box->currentIndex();
      QTest::keyClick(box, before < at ? Qt::Key_Down : Qt::Key_Up);
      if (box->currentIndex() == before) return false;
    }
    return true;
  }
  static double value(StudioWindow& w, const char* figure) {
    const Figure* f = w.document().evaluation()->figures.find(figure);
    return f && f->has_value() ? f->value : std::nan("");
  }
  QString weather_file(double dry) {
    const QString path = folder_.filePath("year.csv");
    QFile f(path);
    if (!f.open(QIODevice::WriteOnly)) qFatal("no file");
    f.write("dry bulb [degC],wet bulb [degC]\n");
    f.write(QByteArray::number(dry).append(",5\n").repeated(8760));
    return path;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_climate_is_chosen_and_the_year_is_shown() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    auto* climate = w.findChild<QComboBox*>("cooling_climate");
    QVERIFY(choose(climate, "none"));
    QVERIFY(settle(w));
    CoolingYearPage& page = *w.cooling()->year();
    QVERIFY(page.chart()->columns().empty());
    QVERIFY2(page.words().contains("choose a typical year"), qPrintable(page.words()));
    keep(w, "year_empty");
    QVERIFY(choose(climate, "Phoenix, Arizona"));
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().site->climate_part, std::string("phoenix-az"));
    const double hot = value(w, "power.annual_pue"), free_hot = value(w, "cooling.free_cooling_hours");
    QVERIFY(hot > 1.0 && page.chart()->columns().size() > 30);
    keep(w, "year_phoenix");
    QVERIFY(choose(climate, "Calgary, Canada"));
    QVERIFY(settle(w));
    QVERIFY(value(w, "power.annual_pue") < hot && value(w, "cooling.free_cooling_hours") > free_hot);
    double hours = 0.0;
    for (const auto& c : page.chart()->columns())
      for (const double h : c.hours) hours += h;
    QVERIFY(std::abs(hours - 8760.0) < 1e-6);
    // A column under the mouse tells itself.
    const auto& column = page.chart()->columns()[page.chart()->columns().size() / 2];
    QVERIFY(page.chart()->textAt(page.chart()->place(column.dry_c, 0.5)).contains("PUE"));
    keep(w, "year_calgary");
    // A tile explains its figure.
    QTest::mouseClick(page.tiles()->tile(0), Qt::LeftButton);
    QCOMPARE(page.tiles()->shown(0).figure, QString("cooling.free_cooling_hours"));
  }

  void supplies_are_compared_and_one_is_taken() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    QVERIFY(choose(w.findChild<QComboBox*>("cooling_climate"), "Phoenix, Arizona"));
    QVERIFY(settle(w));
    QTableWidget* table = w.cooling()->year()->supplies();
    QVERIFY(table->rowCount() >= 5);
    int row = 0;
    while (row < table->rowCount() && !table->item(row, 0)->text().startsWith("45")) ++row;
    QVERIFY(row < table->rowCount());
    const QString free = table->item(row, 1)->text(), pue = table->item(row, 7)->text();
    auto* use = w.findChild<QPushButton*>("cooling_use_supply");
    QVERIFY(!use->isEnabled());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->item(row, 0)).center());
    QVERIFY(use->isEnabled());
    QTest::mouseClick(use, Qt::LeftButton);
    QVERIFY(settle(w));
    QCOMPARE(w.document().design().cooling_plant->supply_temperature.celsius(), 45.0);
    // What was promised is what came.
    QVERIFY(std::abs(value(w, "power.annual_pue") - QLocale().toDouble(pue)) < 6e-4);
    row = 0;
    while (!table->item(row, 0)->text().startsWith("45")) ++row;
    QCOMPARE(table->item(row, 1)->text(), free);
    QVERIFY(table->item(row, 0)->font().bold());
  }

  void a_weather_file_is_one_step_that_undo_takes_back() {
    StudioWindow w(catalog_);
    QVERIFY(opened(w, "nvl72-16-racks"));
    const int before = w.document().undoStack().index();
    w.cooling()->year()->importWeather(weather_file(8.0));
    QVERIFY(settle(w));
    QCOMPARE(w.document().undoStack().index(), before + 1);
    QCOMPARE(w.document().design().climate_bins->size(), std::size_t{1});
    QCOMPARE(w.findChild<QComboBox*>("cooling_climate")->currentText(), QString("imported weather"));
    QVERIFY(w.findChild<QPushButton*>("cooling_drop_weather")->isVisible());
    QVERIFY(std::abs(value(w, "cooling.climate_hours") - 8760.0 * 3600.0) < 1.0);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(settle(w));
    QVERIFY(w.document().design().climate_bins->empty());
    // A file that is no year changes nothing.
    const QString wrong = folder_.filePath("wrong.epw");
    QFile f(wrong);
    QVERIFY(f.open(QIODevice::WriteOnly));
    f.write("LOCATION,nowhere\n");
    f.close();
    w.cooling()->year()->importWeather(wrong);
    QCOMPARE(w.document().undoStack().index(), before);
  }
};

QTEST_MAIN(TestCoolingYear)
#include "test_cooling_year.moc"
