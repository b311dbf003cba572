// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "widgets/figure_table.h"
#include "widgets/figure_text.h"
#include "widgets/quantity_edit.h"
#include "widgets/theme.h"

using namespace hallwright;

/// The number editor and the table under real keys.
class TestEditors : public QObject {
  Q_OBJECT

  static FieldInfo length() {
    FieldInfo f;
    f.name = "x";
    f.label = "Position x";
    f.type = FieldType::number;
    f.kind = &kind::length;
    f.minimum = 0;
    f.maximum = 100;
    f.unit = "mm";
    return f;
  }
  static FieldInfo power() {
    FieldInfo f = length();
    f.label = "Utility power";
    f.kind = &kind::power;
    f.maximum = 1e9;
    f.unit = "MW";
    return f;
  }
  static void type(QuantityEdit& edit, const QString& text, Qt::Key end = Qt::Key_Return) {
    edit.setFocus();
    edit.selectAll();
    QTest::keyClicks(&edit, text);
    QTest::keyClick(&edit, end);
  }

private Q_SLOTS:
  void initTestCase() {
    qRegisterMetaType<FieldValue>();
    apply_appearance(Appearance::light);
  }

  void accepted_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("watts");
    QTest::newRow("an expression") << QStringLiteral("2*1.2 MW") << 2.4e6;
    QTest::newRow("the field's own unit") << QStringLiteral("3") << 3e6;
    QTest::newRow("another unit") << QStringLiteral("850 kW") << 850e3;
    QTest::newRow("either decimal mark") << QStringLiteral("12,3 kW") << 12.3e3;
    QTest::newRow("the other decimal mark") << QStringLiteral("12.3 kW") << 12.3e3;
    QTest::newRow("added to what is there") << QStringLiteral("+=500 kW") << 1.5e6;
  }
  void accepted() {
    QFETCH(QString, typed);
    QFETCH(double, watts);
    QuantityEdit edit;
    edit.setField(power());
    edit.setValue(1e6);
    edit.show();
    QSignalSpy committed(&edit, &QuantityEdit::committed);
    type(edit, typed);
    QVERIFY2(edit.problem().isEmpty(), qPrintable(edit.problem()));
    QCOMPARE(committed.count(), 1);
    QCOMPARE(std::get<double>(edit.value()), watts);
  }

  void refused_data() {
    QTest::addColumn<QString>("typed");
    QTest::newRow("the wrong kind") << QStringLiteral("480 L/min");
    QTest::newRow("grouping that could be a fraction") << QStringLiteral("1.234,5 kW");
    QTest::newRow("spaces between digits") << QStringLiteral("1 234 kW");
    QTest::newRow("words") << QStringLiteral("a lot");
    QTest::newRow("above the range") << QStringLiteral("5 GW");
    QTest::newRow("below the range") << QStringLiteral("-1 kW");
  }
  void refused() {
    QFETCH(QString, typed);
    QuantityEdit edit;
    edit.setField(power());
    edit.setValue(1e6);
    edit.show();
    const QString before = edit.text();
    QSignalSpy committed(&edit, &QuantityEdit::committed);
    type(edit, typed);
    QVERIFY(!edit.problem().isEmpty());
    QCOMPARE(committed.count(), 0);
    QCOMPARE(std::get<double>(edit.value()), 1e6);
    QCOMPARE(edit.text(), typed); // what was typed stays to be mended
    QTest::keyClick(&edit, Qt::Key_Escape);
    QCOMPARE(edit.text(), before);
    QVERIFY(edit.problem().isEmpty());
  }

  void dust_of_sums_is_not_shown() {
    QuantityEdit edit;
    edit.setField(length());
    edit.setValue(5.1 + 1.5); // 6.6 with dust in the sixteenth digit
    QVERIFY2(edit.text().startsWith(QStringLiteral("6600 ")) || edit.text().startsWith(QStringLiteral("6.6 ")), qPrintable(edit.text()));
    edit.setValue(3300 * 1e-3);
    QVERIFY2(edit.text().startsWith(QStringLiteral("3300 ")) || edit.text().startsWith(QStringLiteral("3.3 ")), qPrintable(edit.text()));
  }

  void a_value_in_another_unit_than_the_base_one_has_no_dust() {
    // 0.08 USD/kWh is 2.2222... in the eighth place of a dollar per joule.
    for (const FieldInfo& field : table_fields("site")) {
      if (field.name != "electricity_price") continue;
      const auto value = parse_field(field, "0.08 USD/kWh");
      QVERIFY(value);
      QuantityEdit edit;
      edit.setField(field);
      edit.setValue(*value);
      QCOMPARE(edit.text(), QLocale().toString(0.08) + QStringLiteral(" USD/kWh"));
      return;
    }
    QFAIL("no electricity price");
  }

  void showing_and_leaving_changes_nothing() {
    // A value that needs many digits comes back exactly when the editor is entered and left.
    QuantityEdit edit;
    edit.setField(length());
    const double third = 1.0 / 3.0;
    edit.setValue(third);
    edit.show();
    QSignalSpy committed(&edit, &QuantityEdit::committed);
    edit.setFocus();
    QTest::keyClick(&edit, Qt::Key_Return);
    QCOMPARE(committed.count(), 0);
    QCOMPARE(std::get<double>(edit.value()), third);
  }

  void half_typed_text_survives_a_recompute() {
    QuantityEdit edit;
    edit.setField(length());
    edit.setValue(1.0);
    edit.show();
    QVERIFY(QTest::qWaitForWindowExposed(&edit));
    edit.activateWindow();
    edit.setFocus();
    if (!QTest::qWaitForWindowActive(&edit)) QSKIP("no window manager here");
    edit.selectAll();
    QTest::keyClicks(&edit, QStringLiteral("20"));
    edit.setValue(2.0);
    QCOMPARE(edit.text(), QStringLiteral("20"));
  }

  void a_table_as_csv_is_neutral_and_harmless() {
    Table t;
    t.id = "t";
    auto& names = t.add_words("name", "Name");
    names.words = {"=1+1", "with, comma", "quote \" here"};
    auto& watts = t.add_numbers("power", "Power", kind::power, "kW");
    watts.numbers = {1500.0, std::nan(""), -2.5};
    const std::string csv = table_csv(t);
    QCOMPARE(QString::fromStdString(csv), QStringLiteral("Name,Power [W]\n'=1+1,1500\n\"with, comma\",\n\"quote \"\" here\",-2.5\n"));
  }

  void a_limit_is_shown_in_the_unit_of_its_figure() {
    // 80 GB are 80e9 / 2^30 = 74.5 GiB.
    Figure need, limit;
    need.kind = &kind::memory;
    need.value = 70.0 * 1073741824.0;
    limit.kind = &kind::information;
    limit.value = 80e9;
    QVERIFY2(screen_limit(need, limit).contains(QStringLiteral("GiB")), qPrintable(screen_limit(need, limit)));
    QVERIFY(screen_limit(need, limit).startsWith(QStringLiteral("74")));
  }
};

QTEST_MAIN(TestEditors)
#include "test_editors.moc"
