// SPDX-License-Identifier: GPL-3.0-or-later
// A year of weather from EPW and CSV.
#include <QtTest>

#include "project/weather_file.h"

using namespace hallwright;

namespace {

/// The header of an EPW file, and hours of dry bulb, dew point, relative humidity and pressure; other fields as a real file has them.
std::string epw_header(const char* records = "1") {
  return std::string("LOCATION,Test Field,XX,TST,TMY3,000000,40.0,-105.0,-7.0,1829.0\n"
                     "DESIGN CONDITIONS,0\nTYPICAL/EXTREME PERIODS,0\nGROUND TEMPERATURES,0\nHOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0\nCOMMENTS 1,made for a test\n"
                     "COMMENTS 2,\nDATA PERIODS,1,") +
         records + ",Data,Sunday, 1/ 1,12/31\n";
}
std::string epw_hour(const char* dry, const char* dew = "5.0", const char* humidity = "50", const char* pressure = "81100") {
  return std::string("1999,1,1,1,0,?9?9?9?9E0?9?9?9?9?9,") + dry + "," + dew + "," + humidity + "," + pressure + ",0,0,290,0,0,0,0,0,0,0,180,2.1,0,0,32.2,77777,9,999999999,0,0.0,0,88,0.2,0,1\n";
}
std::string epw_year(std::size_t hours_of_it = 8760) {
  std::string out = epw_header();
  for (std::size_t i = 0; i < hours_of_it; ++i) out += i < 760 ? epw_hour("30.4", "10.0") : epw_hour("9.6");
  return out;
}
/// An EPW file whose lines of data have the dates and hours of a year one after the other.
std::string dated(const std::string& text, std::size_t an_hour = 1) {
  static const std::string same = "1999,1,1,1,0,";
  const bool leap = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) > 8760 * an_hour + 8;
  const int days[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::string out;
  std::size_t from = 0, hour = 0;
  for (std::size_t at = text.find(same); at != std::string::npos; at = text.find(same, from)) {
    out.append(text, from, at - from);
    int day = static_cast<int>(hour / an_hour / 24) % (leap ? 366 : 365), month = 0;
    while (day >= days[month]) day -= days[month++];
    out += "1999," + std::to_string(month + 1) + "," + std::to_string(day + 1) + "," + std::to_string(hour / an_hour % 24 + 1) + ",0,";
    ++hour;
    from = at + same.size();
  }
  return out.append(text, from);
}
bool refuses(const std::string& as_written, std::initializer_list<std::string_view> words) {
  const auto year = read_weather(dated(as_written));
  if (year) {
    qWarning("it was read");
    return false;
  }
  for (const std::string_view w : words)
    if (year.error().find(w) == std::string::npos) {
      qWarning("%s", year.error().c_str());
      return false;
    }
  return true;
}

} // namespace

class TestWeatherFile : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void an_epw_year_becomes_states_of_one_kelvin() {
    const auto year = read_weather(dated(epw_year()));
    QVERIFY2(year, year ? "" : year.error().c_str());
    QCOMPARE(year->place, std::string("Test Field, XX, TST"));
    QCOMPARE(year->states.size(), std::size_t{2});
    QCOMPARE(year->states[0].dry_bulb.celsius(), 10.0);
    QVERIFY(std::abs(in_hours(year->states[0].duration) - 8000.0) < 1e-6);
    QCOMPARE(year->states[1].dry_bulb.celsius(), 30.0);
    // 30.4 degC and a dew point of 10 degC at 81.1 kPa: w = 0.621945 x 1228 / (81100 - 1228) = 0.009562; at the wet bulb of 16.5 degC air
    // saturates at 0.621945 x 1877 / 79223 = 0.014736, and (2501 - 2.326 x 16.5) x 0.014736 - 1.006 x 13.9 over 2501 + 1.86 x 30.4 - 4.186 x 16.5
    // is (36.289 - 13.983) / 2488.5 = 0.00896; at 16.9 degC: 0.015118 saturated, (37.216 - 13.581) / 2486.8 = 0.00950.
    QVERIFY2(std::abs(year->states[1].wet_bulb.celsius() - 16.93) < 0.1, qPrintable(QString::number(year->states[1].wet_bulb.celsius())));
    QVERIFY(year->states[0].wet_bulb <= year->states[0].dry_bulb);
    QCOMPARE(QString::fromStdString(year->summary()), QString("8760 hours, 9.6 to 30.4 degC, mean 11.4 degC: 2 states of 1 K"));
  }

  void a_leap_year_and_windows_line_ends_are_read() {
    std::string text = dated(epw_year(8784));
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2)) text.insert(at, "\r");
    const auto year = read_weather(text);
    QVERIFY2(year, year ? "" : year.error().c_str());
    QCOMPARE(year->hours, 8784.0);
  }

  void a_missing_dew_point_is_taken_from_the_humidity() {
    std::string text = epw_header();
    for (int i = 0; i < 8760; ++i) text += epw_hour("40.0", "99.9", "14", "101325");
    const auto year = read_weather(dated(text));
    QVERIFY(year);
    QVERIFY(std::abs(year->states[0].wet_bulb.celsius() - 20.0) < 0.2); // the example of the ASHRAE Handbook
  }

  void wrong_lines_are_named_with_their_field() {
    const std::string head = epw_header();
    QVERIFY(refuses(head + epw_hour("30.4") + epw_hour("warm"), {"line 10, field 7 (dry bulb, degC): 'warm' is not a number"}));
    QVERIFY(refuses(head + epw_hour("99.9"), {"line 9, field 7", "missing"}));
    QVERIFY(refuses(head + epw_hour("304"), {"line 9, field 7", "'304' is out of range; -90 to 60"}));
    QVERIFY(refuses(head + epw_hour("30", "99.9", "999"), {"line 9, field 8", "field 9"}));
    QVERIFY(refuses(head + epw_hour("30", "10", "50", "811"), {"line 9, field 10 (pressure, Pa): '811'", "31000 to 120000"}));
    QVERIFY(refuses(head + "1999,1,1,1,0\n", {"line 9", "has 5 fields"}));
    QVERIFY(refuses(epw_year(8000), {"8000 hours in 8000 lines; a year has 8760"}));
    QVERIFY(refuses("LOCATION,a,b\nDESIGN CONDITIONS\n", {"has 8 lines; this file ends after 2"}));
    QVERIFY(refuses(epw_header("0"), {"line 8, records per hour: '0'"}));
    std::string many = head;
    for (int i = 0; i < 20; ++i) many += epw_hour("x");
    QVERIFY(refuses(many, {"line 18", "and 10 more"}));
  }

  void half_hours_count_half() {
    std::string text = epw_header("2");
    for (int i = 0; i < 2 * 8760; ++i) text += epw_hour("9.6");
    const auto year = read_weather(dated(text, 2));
    QVERIFY2(year, year ? "" : year.error().c_str());
    QVERIFY(std::abs(in_hours(year->states[0].duration) - 8760.0) < 1e-6);
  }

  void a_table_names_its_units() {
    std::string text = "time,Dry bulb [degF],Wet bulb [degF]\n";
    for (int i = 0; i < 8760; ++i) text += std::to_string(i) + ",68,50\n"; // 20 and 10 degC
    const auto year = read_weather(text);
    QVERIFY2(year, year ? "" : year.error().c_str());
    QVERIFY(std::abs(year->states[0].dry_bulb.celsius() - 20.0) < 1e-9 && std::abs(year->states[0].wet_bulb.celsius() - 10.0) < 1e-9);
    QCOMPARE(year->notes, std::vector<std::string>{"not read: time"});

    std::string german = "Temperature (C);Relative humidity (%);Pressure (hPa)\n";
    for (int i = 0; i < 8760; ++i) german += "40,0;14,0;1013,25\n";
    const auto read = read_weather(german);
    QVERIFY2(read, read ? "" : read.error().c_str());
    QVERIFY(std::abs(read->states[0].wet_bulb.celsius() - 20.0) < 0.2);
    QVERIFY(read->notes.empty());

    QVERIFY(refuses("dry bulb,wet bulb [degC]\n1,1\n", {"line 1, 'dry bulb': the unit is missing; write [degC], [degF] or [K]"}));
    QVERIFY(refuses("dry bulb [degR],wet bulb [degC]\n", {"the unit 'degr' is not known"}));
    QVERIFY(refuses("dry bulb [degC]\n20\n", {"none \"relative humidity [%]\""}));
    QVERIFY(refuses("wet bulb [degC]\n20\n", {"no column \"dry bulb [degC]\""}));
    QVERIFY(refuses("dry bulb [degC],wet bulb [degC]\n20,21\n", {"line 2, wet bulb [degC]: '21' is over the dry bulb, 20 degC"}));
    QVERIFY(refuses("dry bulb [degC],wet bulb [degC]\n20,\n", {"line 2, wet bulb [degC]: '' is empty"}));
    QVERIFY(refuses("", {"empty"}));
    QVERIFY(refuses(std::string("a\0b", 3), {"no text"}));
  }

  void an_hour_that_is_there_twice_is_told() {
    std::string text = dated(epw_year());
    // 2 January, 3 o'clock, becomes a second 1 January, 3 o'clock.
    const std::string third = "1999,1,2,3,0,";
    text.replace(text.find(third), third.size(), "1999,1,1,3,0,");
    const auto year = read_weather(text);
    QVERIFY(!year);
    QCOMPARE(year.error(), std::string("line 35, fields 2 to 4 (month, day, hour): '1,1,3' stands already on line 11; every hour of the year is there once"));
    const auto all = read_weather(epw_year()); // one hour, 8,760 times
    QVERIFY(!all && all.error().find("and 8749 more") != std::string::npos);
    QVERIFY(!read_weather(dated(epw_year(), 2))); // half hours in a file of hours
    std::string month = dated(epw_year());
    month.replace(month.find(third), third.size(), "1999,13,2,3,0,");
    QVERIFY(refuses(month, {"line 35, field 2 (month): '13' is out of range; a whole number from 1 to 12"}));
  }

  /// Air without any vapour: at 50 degC and sea level the wet bulb where 2501 - 2.326 Tw times its saturated humidity is 1.006 x (50 - Tw), near 18 degC.
  void air_drier_than_dry_is_refused() {
    const std::string head = "dry bulb [degC],wet bulb [degC]\n";
    QVERIFY(refuses(head + "50,-50\n", {"line 2, wet bulb [degC]: '-50' is under the wet bulb of air without any vapour; at least", "dry bulb of 50 degC"}));
    QVERIFY(refuses(head + "60,-80\n20,-10\n", {"line 2, wet bulb", "line 3, wet bulb [degC]: '-10'"}));
    QVERIFY(refuses("dry bulb [degC],wet bulb [degC],pressure [hPa]\n50,12,1013.25\n", {"line 2", "'12'", "and 101325 Pa"}));
    std::string dry = "dry bulb [degC],relative humidity [%]\n", cold = head;
    for (int i = 0; i < 8760; ++i) {
      dry += "50,0\n";
      cold += "-90,-90\n";
    }
    const auto year = read_weather(dry);
    QVERIFY2(year, year ? "" : year.error().c_str());
    const double wet = year->states[0].wet_bulb.celsius();
    const double vapour = 611.2 * std::exp(17.62 * wet / (243.12 + wet)), saturated = 0.622 * vapour / (101325.0 - vapour); // Magnus
    QVERIFY2(std::abs((2501.0 - 2.326 * wet) * saturated - 1.006 * (50.0 - wet)) < 0.1, qPrintable(QString::number(wet)));
    // What was read can be put into a design and is within the ranges of its fields: the coldest air of the earth, too.
    const auto coldest = read_weather(cold);
    QVERIFY2(coldest, coldest ? "" : coldest.error().c_str());
    for (const ClimateBin& bin : coldest->states)
      for (const Field<ClimateBin>& f : fields<ClimateBin>()) QVERIFY2(check_field(f, f.get(bin)), f.name.data());
  }

  /// A file that is something else is not echoed.
  void what_is_quoted_is_short() {
    const std::string endless(5000000, '1'), title(200000, 'x');
    for (const std::string& text :
         {"dry bulb [degC],wet bulb [degC]\n" + endless + ",1\n", "dry bulb [degC],dry bulb [degC" + title + "]\n1,1\n", "dry bulb [" + title + "],wet bulb [degC]\n",
          epw_header() + epw_hour(endless.c_str()), epw_header() + endless + "\n", epw_header(title.c_str()), endless, "dry bulb [degC],dry bulb [degC]" + title}) {
      const auto year = read_weather(text);
      QVERIFY(!year);
      QVERIFY2(year.error().size() < 400, std::to_string(year.error().size()).c_str());
    }
    std::string notes = "dry bulb [degC],wet bulb [degC]," + title + "," + title + "\n";
    for (int i = 0; i < 8760; ++i) notes += "10,5,1,1\n";
    const auto noted = read_weather(notes);
    QVERIFY(noted && noted->notes.front().size() < 400);
  }

  void the_edit_puts_the_states_in_the_place_of_the_rows() {
    const auto year = read_weather(dated(epw_year()));
    QVERIFY(year);
    Design design;
    const auto once = weather_edit(*year).apply(design);
    QVERIFY(once);
    QCOMPARE(once->climate_bins->size(), std::size_t{2});
    QVERIFY(once->climate_bins->front().id != 0 && once->climate_bins->front().id != once->climate_bins->back().id);
    const auto twice = weather_edit(*year).apply(*once);
    QVERIFY(twice);
    QCOMPARE(twice->climate_bins->size(), std::size_t{2});
    QVERIFY(twice->climate_bins->front().id > once->climate_bins->back().id);
    QCOMPARE(weather_edit(*year).label, std::string("Climate of Test Field, XX, TST"));
  }
};

QTEST_APPLESS_MAIN(TestWeatherFile)
#include "test_weather_file.moc"
