// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of climates, and moist air against the tables of the ASHRAE Handbook.
#include <QtTest>

#include "catalog/climate_lists.h"
#include "catalog/moist_air.h"

using namespace hallwright;

namespace {

ClimatePart sound_climate() {
  ClimatePart p;
  p.id = "somewhere";
  const auto flat = [](const char* number) {
    std::string out = number;
    for (int i = 1; i < 12; ++i) out += std::string(" ") + number;
    return out;
  };
  p.dry_bulb_highest = flat("30");
  p.dry_bulb_mean = flat("15");
  p.dry_bulb_lowest = flat("-5.5");
  p.dew_point_mean = flat("8");
  p.dry_bulb_month_0_4 = flat("29");
  p.dry_bulb_month_2 = flat("27");
  p.dry_bulb_month_5 = flat("25");
  p.dry_bulb_month_10 = flat("23");
  p.wet_bulb_month_0_4 = p.wet_bulb_month_2 = p.wet_bulb_month_5 = p.wet_bulb_month_10 = flat("19");
  return p;
}
std::string problem_of(const ClimatePart& part) {
  const auto lists = monthly_climate(part);
  if (lists) return {};
  return std::string(lists.error().front().column) + ": " + lists.error().front().what;
}
bool near_to(double got, double wanted, double relative) { return std::abs(got - wanted) <= relative * std::abs(wanted); }

} // namespace

class TestClimateLists : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void twelve_numbers_are_read() {
    const auto lists = monthly_climate(sound_climate());
    QVERIFY(lists);
    QCOMPARE(lists->lowest[11], -5.5);
    QCOMPARE(lists->dry[3][0], 23.0);
    QCOMPARE(lists->wet[0][6], 19.0);
  }

  void what_is_wrong_is_named_with_its_column() {
    const auto refuses = [](auto change, std::string_view column, std::string_view words) {
      ClimatePart p = sound_climate();
      change(p);
      const std::string problem = problem_of(p);
      const bool said = problem.starts_with(column) && problem.find(words) != std::string::npos;
      if (!said) qWarning("%s", problem.c_str());
      return said;
    };
    QVERIFY(refuses([](ClimatePart& p) { p.dry_bulb_mean = "1 2 3 4 5 6 7 8 9 10 11"; }, "dry_bulb_mean_c", "holds 11 numbers; write twelve"));
    QVERIFY(refuses([](ClimatePart& p) { p.dry_bulb_mean += " 4"; }, "dry_bulb_mean_c", "holds 13 numbers"));
    QVERIFY(refuses([](ClimatePart& p) { p.dew_point_mean.clear(); }, "dew_point_mean_c", "holds 0 numbers"));
    QVERIFY(refuses([](ClimatePart& p) { p.dry_bulb_lowest.replace(0, 4, "-5,5"); }, "dry_bulb_lowest_c", "'-5,5', which is not a number"));
    QVERIFY(refuses([](ClimatePart& p) { p.dry_bulb_highest.replace(0, 2, "86"); }, "dry_bulb_highest_c", "-90 to 60 degC"));
    QVERIFY(refuses([](ClimatePart& p) { p.dry_bulb_highest.replace(0, 2, "14"); }, "dry_bulb_mean_c", "January"));
    QVERIFY(refuses([](ClimatePart& p) { p.dry_bulb_month_2.replace(3, 2, "31"); }, "dry_bulb_month_2_c", "February"));
    QVERIFY(refuses([](ClimatePart& p) { p.wet_bulb_month_10.replace(0, 2, "24"); }, "wet_bulb_month_10_c", "at most that"));
    QVERIFY(refuses([](ClimatePart& p) { p.dew_point_mean.replace(0, 1, "16"); }, "dew_point_mean_c", "15 degC"));
  }

  /// ASHRAE Handbook, Fundamentals: thermodynamic properties of water at saturation [Pa].
  void saturation_pressures_of_the_handbook() {
    for (const auto& [celsius, pressure] : {std::pair{-20.0, 103.26}, {-10.0, 259.90}, {0.0, 611.2}, {10.0, 1228.0}, {20.0, 2338.8}, {30.0, 4246.0}, {40.0, 7383.5}})
      QVERIFY2(near_to(saturation_pressure(celsius), pressure, 1e-3), qPrintable(QString::number(saturation_pressure(celsius))));
  }

  /// ASHRAE Handbook, Fundamentals, standard atmosphere; and what the weather files of the catalog state of their places.
  void pressures_of_the_standard_atmosphere() {
    for (const auto& [meters_up, pressure] : {std::pair{0.0, 101325.0}, {500.0, 95461.0}, {1000.0, 89875.0}, {2000.0, 79495.0}, {82.0, 100344.0}, {337.0, 97342.0}})
      QVERIFY2(near_to(pressure_at_elevation(meters_up), pressure, 2e-4), qPrintable(QString::number(pressure_at_elevation(meters_up))));
  }

  /// ASHRAE Handbook, Fundamentals, psychrometrics, first example: air of 40 degC dry bulb and 20 degC wet bulb at 101.325 kPa holds 6.5 g/kg, its dew
  /// point is 7 degC and its relative humidity 14 %.
  void the_example_of_the_handbook() {
    constexpr double sea_level = 101325.0;
    QVERIFY(std::abs(humidity_at_wet_bulb(40.0, 20.0, sea_level) - 0.0065) < 0.00015); // read from a chart to 0.1 g/kg; 6.40 g/kg computed
    QVERIFY(std::abs(humidity_at_dew_point(7.0, sea_level) - 0.0062) < 0.0001); // 7.0 is read from a chart; 7.6 computed
    QVERIFY(std::abs(wet_bulb_at_relative_humidity(40.0, 0.14, sea_level) - 20.0) < 0.2);
    // There and back.
    const double wet = wet_bulb_at_dew_point(40.0, 12.0, sea_level);
    QVERIFY(std::abs(humidity_at_wet_bulb(40.0, wet, sea_level) - humidity_at_dew_point(12.0, sea_level)) < 1e-7);
  }

  void wet_bulbs_lie_between_dew_point_and_dry_bulb() {
    for (double dry = -30.0; dry <= 45.0; dry += 2.5)
      for (double dew = dry - 40.0; dew <= dry; dew += 4.0)
        for (const double pressure : {101325.0, 80000.0}) {
          const double wet = wet_bulb_at_dew_point(dry, dew, pressure);
          QVERIFY(wet <= dry + 1e-9 && wet >= dew - 0.3); // ice and water part at 0 degC
        }
    QCOMPARE(wet_bulb_at_dew_point(20.0, 20.0, 101325.0), 20.0);
    QCOMPARE(wet_bulb_at_relative_humidity(20.0, 1.0, 101325.0), 20.0);
  }
};

QTEST_APPLESS_MAIN(TestClimateLists)
#include "test_climate_lists.moc"
