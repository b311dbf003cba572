// SPDX-License-Identifier: GPL-3.0-or-later
// Expected values: SI prefixes and IEC 80000-13 binary prefixes; NIST SP 811 appendix B for in, ft, lb, gal, psi, degF.
#include <QtTest/QtTest>
#include <rapidcheck.h>

#include <clocale>
#include <cmath>
#include <limits>

#include "quantity/text.h"

using namespace hallwright;

namespace {
const Kind* kind_named(const QString& name) {
  for (const Kind* k : all_kinds()) {
    if (QString::fromUtf8(k->name.data(), static_cast<int>(k->name.size())) == name) return k;
  }
  return nullptr;
}
std::string utf8(const QString& s) { return s.toStdString(); }
std::string shown(double v, const Kind& k, NumberStyle style = {}) { return format_quantity(v, k, style).joined(); }
} // namespace

class QuantityTextTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void reads_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("base");
    const auto row = [](const char* kind, const char* text, double base) {
      QTest::newRow(qPrintable(QString("%1 '%2'").arg(kind, QString::fromUtf8(text)))) << QString(kind) << QString::fromUtf8(text) << base;
    };
    row("power", "2.5 MW", 2.5e6);
    row("power", "120kW", 120e3);
    row("power", "2*1.2 MW", 2.4e6);
    row("power", "24*132 kW", 3168e3);
    row("power", "(2+3)*1 kW", 5e3);
    row("power", "  750 W ", 750);
    row("power", "1.5e3 W", 1500);
    row("power", "-5 kW", -5e3);
    row("power", "2 MW - 300 kW", 1.7e6);
    row("power", "400 V * 63 A", 25200); // volts times amperes may be either power
    row("power", "96 % * 100 kW", 96e3);
    row("power", "100 kWh / 4 h", 25e3);
    row("power", "10 mW", 0.01);
    row("apparent power", "500 kVA", 500e3);
    row("apparent power", "400 V * 63 A", 25200);
    row("energy", "1 kW h", 3.6e6);
    row("energy", "2 MWh", 7.2e9);
    row("length", "600 mm", 0.6);
    row("length", "9 mm", 0.009);
    row("length", "24 in", 0.6096);
    row("length", "24\"", 0.6096);
    row("length", "6'", 1.8288);
    row("length", "7 ft + 2 in", 2.1844);
    row("length", "30 in + 24 ft + 2 m", 10.0772); // 0.762 + 7.3152 + 2 (a trace of mixed lengths)
    row("length", "12.3 m", 12.3);
    row("length", "12,3 m", 12.3);
    row("length", "0,125 m", 0.125); // a group never starts with a nought
    row("length", "1.234 m", 1.234);
    row("length", ".5 m", 0.5);
    row("length", "5. m", 5.0);
    row("length", "12\u2009300 m", 12300); // the printer's own grouping
    row("area", "2 m * 3 m", 6);
    row("area", "120 m2", 120);
    row("area", "120 m\u00B2", 120);
    row("area", "100 ft2", 9.290304);
    row("volume", "1 gal", 0.003785411784);
    row("volume", "2 m\u00B3", 2);
    row("mass", "100 lb", 45.359237);
    row("mass", "2 t", 2000);
    row("floor load", "1200 kg/m2", 1200);
    row("floor load", "250 lb/ft2", 1220.606909); // 250 * 0.45359237 / 0.09290304
    row("time", "2 wk", 1209600);
    row("time", "90 min", 5400);
    row("time", "1 y", 31557600);
    row("time", "3 days", 259200);
    row("time", "5 us", 5e-6);
    row("time", "5 \u00B5s", 5e-6);
    row("rate", "24/d", 24.0 / 86400.0);
    row("rate", "24 1/d", 24.0 / 86400.0);
    row("rate", "1.67e6/s", 1.67e6);
    row("rate", "5 %/y", 0.05 / 31557600.0);
    row("rate", "50 Hz", 50);
    row("velocity", "2 m/s", 2);
    row("pressure", "14.5 psi", 99973.98); // 14.5 * 6894.757293168361
    row("pressure", "2 bar", 2e5);
    row("dynamic viscosity", "0.65 mPa s", 0.65e-3);
    row("specific heat", "4180J/(kg*K)", 4180);
    row("specific heat", "4.18 kJ/(kg K)", 4180);
    row("thermal conductivity", "0.6 W/(m K)", 0.6);
    row("volume flow", "480 L/min", 0.008);
    row("volume flow", "480 l/min", 0.008);
    row("volume flow", "480 LPM", 0.008);
    row("volume flow", "100 gpm", 6.30901964e-3);
    row("air flow", "2000 CFM", 0.9438948864); // 2000 * 0.3048^3 / 60
    row("money", "12000 USD", 12000);
    row("money", "$ 12000", 12000);
    row("money", "$12000", 12000);
    row("money", "1.2 MUSD", 1.2e6);
    row("price of energy", "0.08 USD/kWh", 0.08 / 3.6e6);
    row("price of energy", "$0.08/kWh", 0.08 / 3.6e6);
    row("price of power", "12 USD/W", 12);
    row("water use", "1.8 L/kWh", 5e-10);
    row("compute rate", "989 TFLOP/s", 989e12);
    row("compute rate", "989 TFLOPS", 989e12);
    row("floating point operations", "3.8e25 FLOP", 3.8e25);
    row("angle", "90 deg", 1.5707963267948966);
    row("angle", "90\u00B0", 1.5707963267948966);
    // Bits and bytes: eight bits are a byte, case matters.
    row("network rate", "400 Gb/s", 50e9);
    row("network rate", "400 Gbit/s", 50e9);
    row("network rate", "400Gbps", 50e9);
    row("network rate", "400 GB/s", 400e9);
    row("network rate", "400GBps", 400e9);
    row("data rate", "400 Gb/s", 50e9);
    row("amount of data", "1 TB", 1e12);
    row("amount of data", "1 TiB", 1099511627776.0);
    row("memory", "80 GiB", 85899345920.0);
    row("memory", "80 GB", 80e9);
    row("time", "1 TB / (400 Gb/s)", 20);
    row("time", "1 TiB / (400 Gb/s)", 21.99023255552);
    // Temperatures and differences.
    row("temperature", "18 degC", 291.15);
    row("temperature", "45 \u00B0C", 318.15);
    row("temperature", "45 C", 318.15);
    row("temperature", "-5 degC", 268.15);
    row("temperature", "113 degF", 318.15);
    row("temperature", "64.4 degF", 291.15);
    row("temperature", "318.15 K", 318.15);
    row("temperature", "18 degC + 10 K", 301.15);
    row("temperature difference", "10 K", 10);
    row("temperature difference", "10 degC", 10);
    row("temperature difference", "18 degF", 10);
    row("temperature difference", "28 degC - 18 degC", 10);
    // Shares and counts.
    row("share", "0.96", 0.96);
    row("share", "96 %", 0.96);
    row("share", "96%", 0.96);
    row("share", "96\u2009%", 0.96);
    row("share", "150 %", 1.5);
    row("share", "1", 1.0);
    row("ratio", "1.2", 1.2);
    row("ratio", "2^10", 1024);
    row("ratio", "50 %", 0.5);
    row("count", "16384", 16384);
    row("count", "16\u2009384", 16384);
    row("count", "-1", -1);
    row("count", "15.6e12", 15.6e12);
    row("count", "8*4", 32);
  }
  void reads() {
    QFETCH(QString, kind);
    QFETCH(QString, text);
    QFETCH(double, base);
    const Kind* k = kind_named(kind);
    QVERIFY(k);
    const auto r = parse_quantity(utf8(text), *k);
    QVERIFY2(r.has_value(), r ? "" : r.error().c_str());
    const double tolerance = text.contains("psi") || text.contains("gpm") || text.contains("lb/ft2") ? 1e-7 : 1e-12;
    QVERIFY2(std::fabs(*r - base) <= tolerance * std::fabs(base), qPrintable(QString::number(*r, 'g', 17)));
  }

  void refuses_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* kind, const char* text, const char* says) {
      QTest::newRow(qPrintable(QString("%1 '%2'").arg(kind, QString::fromUtf8(text)))) << QString(kind) << QString::fromUtf8(text) << QString(says);
    };
    row("power", "", "nothing was entered");
    row("power", "   ", "nothing was entered");
    row("power", "2.5", "has no unit; write it in W, kW, MW or GW");
    row("power", "0", "has no unit");
    row("power", "kW", "unit without a number");
    row("power", "nan", "not a unit");
    row("power", "inf W", "not a unit");
    row("power", "1e400 W", "beyond the range");
    row("power", "1e308*1e308 W", "not a finite number");
    row("power", "1 kW/0", "divides by zero");
    row("power", "0^-1 W", "divides by zero");
    row("power", "5 kVA", "apparent power");
    row("apparent power", "5 kW", "watts");
    row("power", "5 kW + 5 kVA", "volt-amperes");
    row("power", "5 kWh", "'5 kWh' is an energy; a power such as 120 kW is needed here");
    row("power", "5 kw", "'kw' is not a unit");
    row("power", "2 m + 3 kW", "different kinds");
    row("power", "2 + 3 kW", "different kinds");
    row("power", "50 %", "is a share");
    row("power", "(2 kW", "')' is missing");
    row("power", "2 kW)", "without its '('");
    row("power", "2 kW 3", "cannot be read");
    row("power", "2 kW ; 3", "';' cannot stand there");
    row("power", "2 *", "ends where");
    row("power", "2 ** 3 kW", "cannot stand there");
    row("power", "1,234 kW", "'1,234' could be 1234 or 1.234");
    row("power", "1.234,5 kW", "more than one point or comma");
    row("power", "1,234,567 kW", "more than one point or comma");
    row("power", "1 234 kW", "spaces between digits");
    row("power", "1\u00A0234 kW", "non-breaking space");
    row("power", "1\u202F234 kW", "non-breaking space");
    row("power", "12\u00A0kW", "non-breaking space");
    row("power", "1\u200923 kW", "side by side");
    row("length", "42 U", "'U' is not a unit");
    row("network rate", "400G", "does not say bits or bytes; write Gb/s for bits or GB/s for bytes");
    row("network rate", "400 GB", "'400 GB' is an amount of data; a network rate such as 400 Gb/s is needed here");
    row("data rate", "400 GB", "'400 GB' is an amount of data; a data rate such as 400 Gb/s");
    row("memory", "80G", "write Gb for bits or GB for bytes");
    row("compute rate", "989 TFLOP", "is floating point operations; a compute rate");
    row("share", "90", "'90' could be 90 % or a factor of 90; write 90 % or a share from 0 to 1");
    row("share", "1.5", "could be 1.5 %");
    row("share", "5 kW", "is a power");
    row("count", "1.5", "not a whole number");
    row("count", "200 %", "is a share");
    row("count", "16,384", "could be 16384 or 16.384");
    row("count", "16 384", "spaces between digits");
    row("count", "1e17", "too large to be counted");
    row("temperature", "45", "has no unit");
    row("temperature", "-300 degC", "below absolute zero");
    row("temperature", "28 degC - 18 degC", "temperature difference");
    row("temperature", "20 degC + 20 degC", "cannot be added");
    row("temperature", "2*20 degC", "temperature difference");
    row("temperature difference", "10 C", "'C' is not a unit");
    row("money", "5 EUR", "'EUR' is not a unit");
  }
  void refuses() {
    QFETCH(QString, kind);
    QFETCH(QString, text);
    QFETCH(QString, says);
    const Kind* k = kind_named(kind);
    QVERIFY(k);
    const auto r = parse_quantity(utf8(text), *k);
    QVERIFY2(!r.has_value(), r ? qPrintable(QString::number(*r)) : "");
    const QString sentence = QString::fromStdString(r.error());
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
  }

  void comma_and_point_under_a_comma_locale() {
    const auto mark = DecimalMark::comma;
    QCOMPARE(parse_quantity("12.3 kW", kind::power, mark).value(), 12300.0);
    QCOMPARE(parse_quantity("12,3 kW", kind::power, mark).value(), 12300.0);
    QCOMPARE(parse_quantity("1,234 kW", kind::power, mark).value(), 1234.0);
    for (const char* ambiguous : {"1.234 kW", "1.234,5 kW", "1 234 kW", "1.234.567 kW"}) {
      QVERIFY2(!parse_quantity(ambiguous, kind::power, mark), ambiguous);
    }
    QVERIFY(parse_quantity("1.234 kW", kind::power, mark).error().find("write 1234 or 1,234") != std::string::npos);
  }
  void the_process_locale_changes_nothing() {
    const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8");
    const double read = parse_quantity("12.5 kW", kind::power).value();
    const std::string text = shown(12500, kind::power), exact = exact_number(0.5);
    std::setlocale(LC_ALL, "C");
    if (set == nullptr) qInfo("de_DE is not installed here; ran in the present locale");
    QCOMPARE(read, 12500.0);
    QCOMPARE(text, std::string("12.5 kW"));
    QCOMPARE(exact, std::string("0.5"));
  }

  void a_bare_number_takes_the_unit_of_its_field() {
    QCOMPARE(parse_quantity("600", kind::length, DecimalMark::point, "mm").value(), 0.6);
    QCOMPARE(parse_quantity("2*300", kind::length, DecimalMark::point, "mm").value(), 0.6);
    QCOMPARE(parse_quantity("24 in", kind::length, DecimalMark::point, "mm").value(), 0.6096);
    QCOMPARE(parse_quantity("45", kind::temperature, DecimalMark::point, "degC").value(), 318.15);
    QCOMPARE(parse_quantity("24", kind::frequency, DecimalMark::point, "1/d").value(), 24.0 / 86400.0);
    QCOMPARE(parse_quantity("2.5", kind::money_per_time, DecimalMark::point, "USD/h").value(), 2.5 / 3600.0);
    // A share field shows percent, but a bare 96 stays ambiguous there.
    QVERIFY(!parse_quantity("96", kind::percent, DecimalMark::point, "%"));
    QVERIFY(!parse_quantity("50 %", kind::length, DecimalMark::point, "mm"));
  }

  void edits_in_place() {
    QCOMPARE(parse_edit("+= 10 kW", 120e3, kind::power).value(), 130e3);
    QCOMPARE(parse_edit("-=20 kW", 120e3, kind::power).value(), 100e3);
    QCOMPARE(parse_edit("*= 1.5", 120e3, kind::power).value(), 180e3);
    QCOMPARE(parse_edit("/= 2", 120e3, kind::power).value(), 60e3);
    QCOMPARE(parse_edit("*= 50 %", 120e3, kind::power).value(), 60e3);
    QCOMPARE(parse_edit("100 kW", 120e3, kind::power).value(), 100e3);
    QCOMPARE(parse_edit("+= 5", 0.6, kind::length, DecimalMark::point, "mm").value(), 0.605);
    QCOMPARE(parse_edit("+= 9 degF", 291.15, kind::temperature).value(), 296.15); // 9 degF is a difference of 5 K
    QCOMPARE(parse_edit("*= 1.5", 10, kind::count).value(), 15.0);
    QVERIFY(!parse_edit("*= 1.5", 5, kind::count));
    QVERIFY(!parse_edit("/= 0", 5, kind::power));
    QVERIFY(!parse_edit("*= 2", 291.15, kind::temperature));
    QVERIFY(!parse_edit("+= 5 kW", std::numeric_limits<double>::quiet_NaN(), kind::power));
    QVERIFY(!parse_edit("+= 5 kWh", 1, kind::power));
    QVERIFY(!parse_edit("+=", 1, kind::power));
  }

  void prints_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<double>("base");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* kind, double base, const char* text) {
      QTest::newRow(qPrintable(QString("%1 %2 as '%3'").arg(kind).arg(base).arg(QString::fromUtf8(text)))) << QString(kind) << base << QString::fromUtf8(text);
    };
    row("power", 21.3e6, "21.3 MW");
    row("power", 1e6, "1.00 MW");
    row("power", 999.96e3, "1.00 MW");
    row("power", 999.4e3, "999 kW");
    row("power", 0, "0 W");
    row("power", -2.5e6, "-2.50 MW");
    row("length", 0.6, "600 mm");
    row("length", 1.2, "1.20 m");
    row("length", 41, "41.0 m");
    row("length", 12345, "12\u2009300 m");
    row("length", 1234, "1230 m");
    row("temperature", 318.15, "45.0 degC");
    row("temperature", 0.0, "-273 degC");
    row("temperature difference", 10, "10.0 K");
    row("volume flow", 0.008, "480 L/min");
    row("volume flow", 1.0, "60\u2009000 L/min");
    row("volume flow", 20.0, "20.0 m3/s");
    row("network rate", 50e9, "400 Gb/s");
    row("data rate", 50e9, "50.0 GB/s");
    row("memory", 85899345920.0, "80.0 GiB");
    row("amount of data", 84.8e9, "84.8 GB");
    row("pressure", 150e3, "150 kPa");
    row("mass", 2500, "2500 kg");
    row("money", 1.02e9, "1.02 GUSD");
    row("money", 12300, "12.3 kUSD");
    row("price of energy", 0.08 / 3.6e6, "0.0800 USD/kWh");
    row("rate", 24.0 / 86400.0, "1.00 1/h");
    row("time", 5400, "1.50 h");
    row("time", 86400 * 14, "14.0 d");
    row("share", 0.387, "38.7\u2009%");
    row("share", 400.0 / 1440.0, "27.8\u2009%"); // 120 V x 15 A x 80 % = 1440 VA, load 400 VA
    row("share", 1.0, "100\u2009%");
    row("share", 1.0004, "100.04\u2009%");
    row("share", 0.99996, "99.996\u2009%");
    row("count", 16384, "16\u2009384");
    row("count", 999, "999");
    row("count", 123456789, "123\u2009456\u2009789");
    row("count", 15.6e12, "15.6e12");
    row("ratio", 1.2, "1.20");
    row("ratio", 0.000123, "0.000123");
    row("ratio", 1e-9, "1.00e-9");
    row("angle", 1.5707963267948966, "90.0 deg");
  }
  void prints() {
    QFETCH(QString, kind);
    QFETCH(double, base);
    QFETCH(QString, text);
    const Kind* k = kind_named(kind);
    QVERIFY(k);
    QCOMPARE(QString::fromStdString(shown(base, *k)), text);
  }
  void prints_in_the_unit_that_is_asked_for() {
    QCOMPARE(shown(0.6096, kind::length, {.unit = "in"}), std::string("24.0 in"));
    QCOMPARE(shown(291.15, kind::temperature, {.unit = "degF"}), std::string("64.4 degF"));
    QCOMPARE(shown(10, kind::temperature_difference, {.unit = "degF"}), std::string("18.0 degF"));
    QCOMPARE(shown(10.0772, kind::length, {.unit = "ft"}), std::string("33.1 ft"));
    QCOMPARE(shown(12500, kind::power, {.mark = DecimalMark::comma}), std::string("12,5 kW"));
    QCOMPARE(shown(8e-3, kind::volume_flow, {.unit = "L/s"}), std::string("8.00 L/s"));
    QCOMPARE(shown(50e9, kind::data_rate, {.unit = "Gb/s"}), std::string("400 Gb/s")); // not in the kind's own list
    QCOMPARE(shown(0.96, kind::percent, {.significant = 0}), std::string("96\u2009%"));
    QCOMPARE(shown(0.005, kind::percent, {.significant = 0}), std::string("0.5\u2009%"));
    QCOMPARE(shown(12.0, kind::percent, {.significant = 0}), std::string("1200\u2009%"));
    QCOMPARE(shown(0.0, kind::percent, {.significant = 0}), std::string("0\u2009%"));
    QCOMPARE(shown(123456, kind::ratio, {.significant = 6, .group = ""}), std::string("123456"));
  }
  void never_prints_nan_or_infinity() {
    for (double v : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -HUGE_VAL}) {
      QCOMPARE(shown(v, kind::power), std::string("not applicable"));
      QCOMPARE(exact_number(v), std::string());
    }
  }
  void exact_numbers_are_plain_and_short() {
    QCOMPARE(exact_number(21300000.0), std::string("21300000"));
    QCOMPARE(exact_number(1e6), std::string("1000000"));
    QCOMPARE(exact_number(0.1), std::string("0.1"));
    QCOMPARE(exact_number(-0.0), std::string("0"));
    QCOMPARE(exact_number(3.8e25), std::string("3.8e+25"));
  }

  void every_display_unit_is_read_as_what_it_shows() {
    for (const Kind* k : all_kinds()) {
      for (const DisplayUnit& u : k->display) {
        const std::string text = u.symbol.empty() ? "3" : "3 " + std::string(u.symbol);
        const auto r = parse_quantity(text, *k);
        QVERIFY2(r.has_value(), (std::string(k->name) + ": " + (r ? "" : r.error())).c_str());
        QVERIFY2(std::fabs(*r - (3 * u.factor + u.offset)) <= 1e-8 * std::fabs(*r), text.c_str());
      }
      if (k->base_symbol != "1") {
        const auto r = parse_quantity("3 " + std::string(k->base_symbol), *k);
        QVERIFY2(r.has_value(), (std::string(k->name) + ": " + (r ? "" : r.error())).c_str());
        QCOMPARE(*r, 3.0);
      }
    }
  }

  void law_full_precision_reads_back_equal() {
    QVERIFY(rc::check("parse(format(x)) is x, for every kind and unit", [] {
      const auto kinds = all_kinds();
      const Kind& k = *kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
      const double mantissa = *rc::gen::inRange<std::int64_t>(1, 1000000007) / 9973.0;
      double value = mantissa * std::pow(10.0, *rc::gen::inRange(-6, 12));
      if (k.scale == Scale::count) value = std::floor(std::fmod(value, 9e15));
      if (k.scale == Scale::point) value = std::fmod(value, 2000.0);
      const auto mark = *rc::gen::element(DecimalMark::point, DecimalMark::comma);
      NumberStyle style{.significant = 0, .mark = mark};
      if (*rc::gen::arbitrary<bool>()) style.group = "";
      style.unit = k.display[*rc::gen::inRange<std::size_t>(0, k.display.size())].symbol;
      const std::string text = format_quantity(value, k, style).joined();
      const auto back = parse_quantity(text, k, mark);
      RC_LOG() << text << (back ? "" : back.error());
      RC_ASSERT(back.has_value());
      RC_ASSERT(*back == value);
    }));
  }
  void law_three_digits_are_within_half_a_unit_of_the_last() {
    QVERIFY(rc::check("the shown amount is within 0.5 % of the amount", [] {
      const auto kinds = all_kinds();
      const Kind& k = *kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
      if (k.scale == Scale::point) return;
      double value = *rc::gen::inRange(1, 1000000) * std::pow(10.0, *rc::gen::inRange(-3, 9));
      if (k.scale == Scale::count) value = std::ceil(value);
      const std::string text = format_quantity(value, k).joined();
      const auto back = parse_quantity(text, k);
      RC_LOG() << text;
      RC_ASSERT(back.has_value());
      RC_ASSERT(std::fabs(*back - value) <= 0.0051 * value);
    }));
  }
  void law_any_text_is_answered() {
    QVERIFY(rc::check("no text crashes the reader or gives a number that is not finite", [] {
      const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "1", "2.5", ",", ".", "e", "+", "-", "*", "/", "^", "(", ")", " ", "kW", "m2", "degC", "%", "$", "1/", "\u2009", "\u00A0", "\u00B0",
          "\"", "'", "999", "E9", "\xff", "K"));
      std::string text;
      for (const auto& p : pieces) text += p;
      for (const Kind* k : {&kind::power, &kind::temperature, &kind::percent, &kind::count, &kind::money}) {
        const auto r = parse_quantity(text, *k, DecimalMark::comma);
        if (r) RC_ASSERT(std::isfinite(*r));
        else RC_ASSERT(!r.error().empty());
      }
    }));
  }
  void deep_brackets_are_refused() {
    QVERIFY(!parse_quantity(std::string(400, '(') + "1" + std::string(400, ')') + " W", kind::power));
    QVERIFY(!parse_quantity(std::string(900, '-') + "1 W", kind::power));
    QVERIFY(!parse_quantity(std::string(5000, '1') + " W", kind::power));
  }
};

QTEST_APPLESS_MAIN(QuantityTextTest)
#include "test_quantity_text.moc"
