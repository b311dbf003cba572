// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <cmath>

using namespace hallwright::test;

/// `calc` through the real program, over the table of worked examples.
class TestCliFormulas : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_worked_example() {
    const auto rows = csv_file(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/formulas/worked_examples.csv"));
    QCOMPARE(rows.size(), 196);
    for (const auto& row : rows) {
      QStringList arguments{"calc", row["formula"]};
      for (const QString& part : row["arguments"].split(';')) arguments << part.trimmed();
      arguments << "--json";
      const QString unit = row["unit"];
      // The result is asked for in the unit of the table, so that the conversion is tested too.
      bool scaled = false;
      QString expected_text = row["expected"];
      if (unit != "1") {
        arguments << "--in" << unit;
        scaled = true;
      }
      const Answer answer = run_cli(arguments);
      QVERIFY2(answer.code == 0, qPrintable(row["id"] + ": " + answer.err));
      const QJsonObject json = answer.json().object();
      QCOMPARE(json.keys(), QStringList({"formula", "source", "unit", "value"}));
      QCOMPARE(json["formula"].toString(), row["formula"]);
      QVERIFY(!json["source"].toString().isEmpty());
      if (scaled) QCOMPARE(json["unit"].toString(), unit);
      const double expected = expected_text.toDouble();
      const double tolerance = std::max(row["rel_tolerance"].toDouble(), 1e-12);
      QVERIFY2(std::abs(json["value"].toDouble() - expected) <= tolerance * std::abs(expected),
               qPrintable(QString("%1: %2 against %3").arg(row["id"]).arg(json["value"].toDouble(), 0, 'g', 15).arg(expected, 0, 'g', 15)));
    }
  }

  void a_result_in_another_unit() {
    // 120,000 W / (998 kg/m3 * 4182 J/(kg K) * 10 K) = 120,000 / 41,736,360 = 2.875191e-3 m3/s = 172.5115 L/min
    const QStringList calc{"calc", "coolant_volume_flow", "heat=120kW", "temperature_rise=10K", "density=998kg/m3", "specific_heat=4182 J/(kg K)"};
    const QJsonObject own = run_cli(calc + QStringList{"--json"}).json().object();
    QCOMPARE(own["unit"].toString(), QStringLiteral("m3/s"));
    QVERIFY(std::abs(own["value"].toDouble() - 0.002875191) < 1e-9);
    const QJsonObject liters = run_cli(calc + QStringList{"--json", "--in", "L/min"}).json().object();
    QCOMPARE(liters["unit"].toString(), QStringLiteral("L/min"));
    QVERIFY(std::abs(liters["value"].toDouble() - 172.51145) < 1e-4);
    const Answer text = run_cli(calc + QStringList{"--in", "L/min"});
    QVERIFY(text.out.startsWith("172.51") && text.out.contains(" L/min\n"));
    // 62.73 kW into 1 L/s of 1,000 kg/m3 and 4,182 J/(kg K) is 15 K; with 20 degC that makes 35 degC, a temperature
    const QStringList back{"calc", "coolant_return_temperature", "supply=20degC", "heat=62.73kW", "flow=1L/s", "density=1000kg/m3", "specific_heat=4182 J/(kg K)", "--in", "degC", "--json"};
    const Answer warm = run_cli(back);
    QVERIFY2(warm.code == 0, warm.err);
    QVERIFY(std::abs(warm.json().object()["value"].toDouble() - 35.0) < 1e-9);
  }

  void the_list_names_every_formula() {
    const Answer json = run_cli({"calc", "--list", "--json"});
    QCOMPARE(json.code, 0);
    const QJsonArray list = json.json().array();
    QVERIFY(list.size() > 160);
    QSet<QString> names;
    for (const auto& entry : list) {
      const QJsonObject f = entry.toObject();
      names << f["formula"].toString();
      QVERIFY(!f["text"].toString().isEmpty() && !f["source"].toString().isEmpty() && !f["unit"].toString().isEmpty());
      for (const auto& p : f["parameters"].toArray()) QVERIFY(!p.toObject()["name"].toString().isEmpty() && !p.toObject()["unit"].toString().isEmpty());
    }
    QCOMPARE(names.size(), list.size());
    for (const auto& row : csv_file(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/formulas/formulas.csv")))
      QVERIFY2(names.contains(row["formula"]), qPrintable(row["formula"]));
    const Answer text = run_cli({"calc", "--list"});
    QCOMPARE(text.code, 0);
    for (const QString& name : names) QVERIFY2(text.text().contains(name + " = "), qPrintable(name));
  }

  void a_refusal_is_one_sentence_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) { QTest::newRow(name) << arguments << QString(says); };
    row("no formula", {}, "name a formula");
    row("a misspelt formula", {"coolant_volume_flov", "heat=1kW"}, "coolant_volume_flow");
    row("a missing parameter", {"coolant_volume_flow", "heat=120kW"}, "temperature_rise");
    row("an unknown parameter", {"coolant_volume_flow", "warmth=120kW"}, "warmth");
    row("a wrong kind", {"coolant_volume_flow", "heat=120m", "temperature_rise=10K", "density=998kg/m3", "specific_heat=4182 J/(kg K)"}, "heat");
    row("not NAME=VALUE", {"coolant_volume_flow", "120kW"}, "NAME=VALUE");
    row("not applicable", {"floor_load_share", "load=1kg/m2", "limit=0kg/m2"}, "not applicable");
    row("a unit of another kind", {"floor_area", "width=1m", "depth=1m", "--in", "kW"}, "--in kW");
    row("no unit", {"floor_area", "width=1m", "depth=1m", "--in", "furlong"}, "--in furlong");
  }
  void a_refusal_is_one_sentence() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Answer answer = run_cli(QStringList{"calc"} + arguments);
    QCOMPARE(answer.code, 2);
    QVERIFY2(one_sentence(answer.err), answer.err);
    QVERIFY2(QString::fromUtf8(answer.err).contains(says), answer.err);
    QVERIFY(answer.out.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestCliFormulas)
#include "test_cli_formulas.moc"
