// SPDX-License-Identifier: GPL-3.0-or-later
// Units as the screen writes them, and that what it writes can be typed again.
#include <QtTest>
#include <QtWidgets>

#include "quantity/text.h"
#include "widgets/figure_text.h"
#include "widgets/quantity_edit.h"

using namespace hallwright;

class TestScreenUnits : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void units_in_words() {
    QCOMPARE(screen_units(QStringLiteral("32 degC and 5 degF, -60 to 60 degC.")),
             QString::fromUtf8("32 °C and 5 °F, -60 to 60 °C."));
    QCOMPARE(screen_units(QStringLiteral("944 kg/m2 of 732 kg/m2; 998 kg/m3; 3 m2; 0.1 m3/s")),
             QString::fromUtf8("944 kg/m² of 732 kg/m²; 998 kg/m³; 3 m²; 0.1 m³/s"));
    // Names stay.
    for (const char* name : {"Rack m2", "CRAHm2", "degCool", "mydegC", "r/m2.a", "7 m2-x"})
      QCOMPARE(screen_units(QLatin1String(name)), QLatin1String(name));
  }

  void no_value_of_any_kind_is_written_otherwise() {
    for (const Kind* k : {&kind::temperature, &kind::areal_density, &kind::density, &kind::area, &kind::volume})
      for (const DisplayUnit& u : k->display) {
        const QString words = screen_text(300.0, *k, 4, u.symbol);
        QVERIFY2(!words.contains(QStringLiteral("deg")) && !words.contains(QRegularExpression(QStringLiteral("m[23]\\b"))),
                 qPrintable(words));
        const auto back = parse_quantity(words.toStdString(), *k);
        QVERIFY2(back, qPrintable(words));
        QVERIFY2(std::abs(*back - 300.0) < 0.5, qPrintable(words));
      }
  }

  void a_temperature_field_takes_either_way() {
    FieldInfo f;
    f.name = "supply", f.label = "Supply", f.type = FieldType::number, f.kind = &kind::temperature, f.unit = "degC";
    f.minimum = 273.15, f.maximum = 343.15, f.help = "0 to 70 degC.";
    QuantityEdit e;
    e.setField(f);
    e.setValue(FieldValue(305.15));
    QCOMPARE(e.text(), QString::fromUtf8("32 °C"));
    QVERIFY(e.toolTip().contains(QString::fromUtf8("0 to 70 °C")));
    for (const char* typed : {"30 °C", "30 degC", "30"}) {
      e.setFocus();
      e.selectAll();
      QTest::keyClicks(&e, QString::fromUtf8(typed));
      QTest::keyClick(&e, Qt::Key_Return);
      QCOMPARE(std::get<double>(e.value()), 303.15);
      QCOMPARE(e.text(), QString::fromUtf8("30 °C"));
      e.setValue(FieldValue(305.15));
    }
  }
};

QTEST_MAIN(TestScreenUnits)
#include "test_screen_units.moc"
