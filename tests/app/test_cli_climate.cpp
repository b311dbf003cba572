// SPDX-License-Identifier: GPL-3.0-or-later
// Weather files on the command line.
#include "cli_process.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "engine/project/exchange_hall.h"
#include "project/project_file.h"

using namespace hallwright;
using hallwright::test::Answer;
using hallwright::test::exchange_hall;
using hallwright::test::run_cli;

class TestCliClimate : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    project_ = folder_.filePath("sample.hall");
    QVERIFY(save_project(exchange_hall().design, project_.toStdString()));
  }
  QString file(const QString& name, const QByteArray& content) {
    const QString path = folder_.filePath(name);
    QFile f(path);
    if (!f.open(QIODevice::WriteOnly)) qFatal("no file");
    f.write(content);
    return path;
  }
  static QByteArray year(const QByteArray& hour, int hours_of_it = 8760) {
    QByteArray out = "dry bulb [degC],wet bulb [degC]\n";
    for (int i = 0; i < hours_of_it; ++i) out += hour + "\n";
    return out;
  }
  std::size_t rows_in(const QString& project) {
    const auto opened = open_project(project.toStdString());
    return opened ? opened->design.climate_bins->size() : 99;
  }

  void a_year_is_taken_into_another_project_or_the_same() {
    const QString weather = file("year.csv", year("12.3,9.8")), to = folder_.filePath("with.hall");
    const Answer a = run_cli({"import-climate", project_, weather, "--to", to});
    QVERIFY2(a.code == 0, a.err.constData());
    QCOMPARE(a.out, QByteArray("8760 hours, 12.3 to 12.3 degC, mean 12.3 degC: 1 state of 1 K\n"));
    QCOMPARE(rows_in(to), std::size_t{1});
    QCOMPARE(rows_in(project_), std::size_t{0});
    QCOMPARE(run_cli({"import-climate", to, file("two.csv", year("12.3,9.8", 8000) + QByteArray("30,20\n").repeated(760))}).code, 0);
    QCOMPARE(rows_in(to), std::size_t{2});
    const Answer dry = run_cli({"import-climate", project_, weather, "--dry-run", "--json"});
    QCOMPARE(dry.code, 0);
    const QJsonObject told = QJsonDocument::fromJson(dry.out).object();
    QCOMPARE(told["hours"].toDouble(), 8760.0);
    QCOMPARE(told["states"].toArray().at(0).toObject()["wet_bulb_c"].toDouble(), 9.8);
    QCOMPARE(rows_in(project_), std::size_t{0});
  }

  void a_wrong_file_changes_nothing_and_names_its_line() {
    Answer a = run_cli({"import-climate", project_, file("wrong.csv", year("12.3,9.8") + "12.3,13.0\n")});
    QCOMPARE(a.code, 3);
    QVERIFY2(a.err.contains("line 8762, wet bulb [degC]: '13.0' is over the dry bulb"), a.err.constData());
    a = run_cli({"import-climate", project_, file("short.csv", year("12.3,9.8", 100))});
    QCOMPARE(a.code, 3);
    QVERIFY2(a.err.contains("100 hours in 100 lines; a year has 8760"), a.err.constData());
    a = run_cli({"import-climate", project_, "/no/such.epw"});
    QCOMPARE(a.code, 3);
    QCOMPARE(rows_in(project_), std::size_t{0});
  }

private:
  QTemporaryDir folder_;
  QString project_;
};

QTEST_GUILESS_MAIN(TestCliClimate)
#include "test_cli_climate.moc"
