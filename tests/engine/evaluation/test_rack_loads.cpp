// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "evaluation/evaluation.h"
#include "project/project_file.h"

using namespace hallwright;

namespace {
bool near_to(double got, double wanted, double relative = 1e-9) {
  return std::abs(got - wanted) <= relative * std::abs(wanted);
}
} // namespace

/// What racks draw in the samples, against their IT load.
class TestRackLoads : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// In the samples all drawn racks and what is counted beside them are the IT load, watt by watt.
  void racksAndWhatIsNotDrawnAreTheLoad_data() {
    QTest::addColumn<QString>("project");
    for (const char* name :
         {"superpod-h100-4su", "nvl72-16-racks", "deepseek-v3-2048-h800", "llama3-405b-16k", "one-megawatt"})
      QTest::newRow(name) << QString(name);
  }
  void racksAndWhatIsNotDrawnAreTheLoad() {
    QFETCH(QString, project);
    const std::string file = HALLWRIGHT_SOURCE_DIR "/projects/" + project.toStdString() + ".hall.json";
    static const Shared<Catalog> parts = share(*read_catalog_file(HALLWRIGHT_CATALOG_FILE));
    const auto read = open_project(file);
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    const Evaluation e = *evaluate(read->design, parts);
    const Table* racks = e.figures.table("load.racks");
    if (project.startsWith("superpod")) {
      // A rack of 12 full leafs: 12 x (747 W + 32 twin modules x 15 W). Of 66 switches of the networks one is spare.
      const auto& names = racks->column("rack")->words;
      const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), "R01-05") - names.begin());
      QCOMPARE(racks->column("power")->numbers[at], 14724.0);
      QVERIFY(e.figures.find("load.switches")->label.find("1 more than the networks need") != std::string::npos);
    }
    double sum = 0;
    for (std::size_t i = 0; i < racks->row_count(); ++i) {
      const double drawn = racks->column("power")->numbers[i];
      if (std::isfinite(drawn)) sum += drawn;
      QCOMPARE(e.figures.find(racks->row_figures[i])->value, drawn);
    }
    const auto watts_of = [&](const char* id) {
      const Figure* f = e.figures.find(id);
      return f && f->has_value() ? f->value : 0.0;
    };
    QVERIFY2(near_to(sum + watts_of("load.not_drawn"), watts_of("load.it")),
             qPrintable(QString("%1 + %2 against %3").arg(sum, 0, 'f', 3).arg(watts_of("load.not_drawn"), 0, 'f', 3)
                            .arg(watts_of("load.it"), 0, 'f', 3)));
  }
};

QTEST_APPLESS_MAIN(TestRackLoads)
#include "test_rack_loads.moc"
