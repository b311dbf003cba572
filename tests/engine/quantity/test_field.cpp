// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <optional>

#include "quantity/field_maker.h"

enum class Side { front, rear };
namespace hallwright {
template <>
struct ChoiceWords<Side> {
  static constexpr std::string_view words[] = {"front", "rear"};
};
} // namespace hallwright

using namespace hallwright;

namespace {
struct Cabinet {
  std::string name = "A01";
  Length width = millimeters(600);
  std::optional<Power> allowance;
  Temperature supply = Temperature::from_celsius(32);
  double efficiency = 0.96;
  Count nodes = 8;
  bool caged = false;
  Side side = Side::front;
  Id row = 0;
  std::string part;
  std::vector<PlanPoint> outline;
};
const auto name = field<&Cabinet::name>("name", "Name");
const auto width = field<&Cabinet::width>("width", "Width", {.minimum = 0.3, .maximum = 1.2, .unit = "mm"});
const auto allowance = field<&Cabinet::allowance>("allowance", "Power allowance", {.minimum = 0, .unit = "kW"});
const auto supply = field<&Cabinet::supply>("supply", "Supply temperature", {.minimum = 278.15, .maximum = 333.15, .unit = "degC"});
const auto efficiency = field<&Cabinet::efficiency>("efficiency", "Efficiency", {.minimum = 0, .maximum = 1, .unit = "%", .kind = &kind::percent});
const auto nodes = field<&Cabinet::nodes>("nodes", "Nodes", {.minimum = 1, .maximum = 16});
const auto caged = field<&Cabinet::caged>("caged", "Caged");
const auto side = field<&Cabinet::side>("side", "Side");
const auto row = field<&Cabinet::row>("row", "Row", {.reference = "rows"});
const auto part = field<&Cabinet::part>("part", "Part", {.part = "rack"});
const auto outline = field<&Cabinet::outline>("outline", "Outline");

QString refusal(const FieldInfo& f, std::string_view text) {
  const auto r = parse_field(f, text);
  return r ? QString("accepted") : QString::fromStdString(r.error());
}
} // namespace

class FieldTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void the_type_of_the_member_tells_the_field() {
    QCOMPARE(width.type, FieldType::number);
    QCOMPARE(width.kind, &kind::length);
    QCOMPARE(nodes.type, FieldType::count);
    QCOMPARE(side.type, FieldType::choice);
    QCOMPARE(row.type, FieldType::reference);
    QCOMPARE(part.type, FieldType::part);
    QCOMPARE(outline.type, FieldType::outline);
    QVERIFY(allowance.optional && row.optional && part.optional && !width.optional);
  }

  void typed_text_sets_the_member() {
    Cabinet c;
    const auto set = [&](const auto& f, std::string_view text) {
      const auto v = parse_field(f, text);
      QVERIFY2(v.has_value(), v ? "" : v.error().c_str());
      f.set(c, *v);
    };
    set(width, "750");
    QCOMPARE(in_millimeters(c.width), 750.0);
    set(width, "24 in"); // 24 x 25.4 mm
    QCOMPARE(in_millimeters(c.width), 609.6);
    set(allowance, "132");
    QCOMPARE(in_kilowatts(*c.allowance), 132.0);
    set(allowance, " ");
    QVERIFY(!c.allowance);
    set(supply, "45 degC");
    QCOMPARE(c.supply.kelvin(), 318.15);
    set(efficiency, "97 %");
    QCOMPARE(c.efficiency, 0.97);
    set(nodes, "2*8");
    QCOMPARE(c.nodes, Count{16});
    set(caged, "yes");
    QVERIFY(c.caged);
    set(side, "rear");
    QVERIFY(c.side == Side::rear);
    set(row, "#12");
    QCOMPARE(c.row, Id{12});
    set(row, "");
    QCOMPARE(c.row, Id{0});
    set(name, " Zelle\u00A04 ");
    QCOMPARE(c.name, std::string(" Zelle\u00A04 ")); // kept exactly
    set(outline, "0,0 36000,0 36000,16000 0,16000");
    QCOMPARE(c.outline.size(), std::size_t{4});
    QVERIFY((c.outline[2] == PlanPoint{36000, 16000}));
  }

  void refusals_name_field_value_and_range() {
    QCOMPARE(refusal(width, "2 m"), QString("Width: 2000 mm is out of range; 300 mm to 1200 mm is allowed"));
    QCOMPARE(refusal(supply, "80 degC"), QString("Supply temperature: 80 degC is out of range; 5 degC to 60 degC is allowed"));
    QVERIFY(refusal(width, "1200.0000000001").startsWith("Width: 1200.0000000001 mm is out of range; 300 mm to 1200 mm"));
    QCOMPARE(refusal(allowance, "-1"), QString("Power allowance: -1 kW is out of range; at least 0 kW is allowed"));
    QCOMPARE(refusal(nodes, "0"), QString("Nodes: 0 is out of range; 1 to 16 is allowed"));
    QCOMPARE(refusal(nodes, "1e9"), QString("Nodes: 1000000000 is out of range; 1 to 16 is allowed"));
    QVERIFY(refusal(nodes, "1.5").contains("not a whole number"));
    QVERIFY(refusal(nodes, "").contains("nothing was entered"));
    QVERIFY(refusal(efficiency, "96").contains("could be 96 % or a factor of 96"));
    QVERIFY(refusal(width, "600 W").startsWith("Width: '600 W' is a power"));
    QCOMPARE(refusal(side, "left"), QString("Side: 'left' is not a choice; write front or rear"));
    QVERIFY(refusal(caged, "perhaps").contains("neither yes nor no"));
    QVERIFY(refusal(row, "A").contains("not the id of an entity"));
    QVERIFY(refusal(row, "-3").contains("not the id of an entity"));
    QVERIFY(refusal(name, std::string_view("a\0b", 3)).contains("control character"));
    QVERIFY(refusal(outline, "0,0 1,1").contains("at least 3"));
    QVERIFY(refusal(outline, "0,0 1,1 2;2").contains("is not a corner"));
    QVERIFY(refusal(outline, "0,0 1,1 nan,2").contains("is not a corner"));
    QVERIFY(refusal(outline, "0,0 1,1 1e999,2").contains("is not a corner"));
  }

  void values_of_the_wrong_type_are_refused() {
    QVERIFY(!check_field(width, FieldValue{std::string("600")}));
    QVERIFY(!check_field(width, FieldValue{std::int64_t{1}}));
    QVERIFY(!check_field(width, FieldValue{std::monostate{}}));
    QVERIFY(!check_field(width, FieldValue{std::nan("")}));
    QVERIFY(!check_field(allowance, FieldValue{std::numeric_limits<double>::infinity()}));
    QVERIFY(!check_field(nodes, FieldValue{8.0}));
    QVERIFY(!check_field(caged, FieldValue{std::int64_t{1}}));
    QVERIFY(!check_field(side, FieldValue{true}));
    QVERIFY(!check_field(row, FieldValue{std::string("1")}));
    QVERIFY(check_field(allowance, FieldValue{std::monostate{}}).has_value());
    QVERIFY(check_field(width, FieldValue{0.3}).has_value()); // ends are inside
    QVERIFY(check_field(width, FieldValue{1.2}).has_value());
  }

  void texts_for_people_and_for_files() {
    Cabinet c;
    QCOMPARE(field_text(width, width.get(c)), std::string("600 mm"));
    QCOMPARE(field_text(supply, supply.get(c)), std::string("32.0 degC"));
    QCOMPARE(field_text(efficiency, efficiency.get(c)), std::string("96.0\u2009%"));
    QCOMPARE(field_text(efficiency, efficiency.get(c), DecimalMark::comma), std::string("96,0\u2009%"));
    QCOMPARE(field_text(allowance, allowance.get(c)), std::string());
    QCOMPARE(field_text(caged, caged.get(c)), std::string("no"));
    QCOMPARE(exact_field_text(width, FieldValue{0.6096}), std::string("609.6 mm"));
    QCOMPARE(exact_field_text(supply, supply.get(c)), std::string("32 degC"));
    QCOMPARE(exact_field_text(nodes, FieldValue{std::int64_t{16384}}), std::string("16384"));
    QCOMPARE(exact_field_text(row, row.get(c)), std::string());
  }

  void edits_of_the_present_value() {
    QCOMPARE(std::get<double>(parse_field_edit(width, "+= 100", FieldValue{0.6}).value()), 0.7);
    QCOMPARE(std::get<std::int64_t>(parse_field_edit(nodes, "*= 2", FieldValue{std::int64_t{8}}).value()), std::int64_t{16});
    QVERIFY(!parse_field_edit(nodes, "*= 3", FieldValue{std::int64_t{8}})); // 24 is over 16
    QVERIFY(!parse_field_edit(allowance, "+= 1", FieldValue{std::monostate{}}));
  }

  void law_what_a_file_holds_reads_back_equal() {
    QVERIFY(rc::check("parse_field(exact_field_text(v)) is v", [] {
      const double share = *rc::gen::inRange(0, 1000001) / 1000000.0;
      for (const FieldInfo* f : {static_cast<const FieldInfo*>(&width), static_cast<const FieldInfo*>(&supply),
                                 static_cast<const FieldInfo*>(&efficiency)}) {
        const FieldValue v = f->minimum + share * (f->maximum - f->minimum);
        const std::string text = exact_field_text(*f, v);
        RC_LOG() << text;
        RC_ASSERT(parse_field(*f, text).value() == v);
      }
    }));
  }
  void outlines_that_enclose_no_floor_are_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("bow tie") << "0,0 1000,1000 1000,0 0,1000" << "crosses";
    QTest::newRow("all on a line") << "0,0 500,500 1000,1000" << "on one line";
    QTest::newRow("a corner twice") << "0,0 0,0 1000,0 1000,1000" << "twice in a row";
    QTest::newRow("last is first") << "0,0 1000,0 1000,1000 0,0" << "twice in a row";
    QTest::newRow("eleven kilometres away") << "0,0 11000000,0 0,1000" << "out of range";
    QTest::newRow("two corners") << "0,0 1000,0" << "at least 3";
    QTest::newRow("not a number") << "0,0 nan,0 0,1000" << "is not a corner";
  }
  void outlines_that_enclose_no_floor_are_refused() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    const auto refused = parse_outline(text.toStdString());
    QVERIFY(!refused);
    QVERIFY2(refused.error().find(words.toStdString()) != std::string::npos, refused.error().c_str());
  }
  void paths_may_cross_themselves_but_must_lead_somewhere() {
    QCOMPARE(parse_outline("0,0 1000,0", 2).value().size(), std::size_t(2));
    QVERIFY(parse_outline("0,0 1000,1000 1000,0 0,1000", 2).has_value());
    QVERIFY(!parse_outline("0,0", 2));
    QVERIFY(!parse_outline("0,0 0,0", 2));
  }
  void law_outlines_round_trip() {
    QVERIFY(rc::check("parse_outline(outline_text(o)) is o", [] {
      std::vector<PlanPoint> o; // round a centre, so that no sides cross
      const int corners = *rc::gen::inRange(3, 12);
      const double x = *rc::gen::inRange(-1000000, 1000000) / 7.0, y = *rc::gen::inRange(-1000000, 1000000) / 3.0;
      for (int i = 0; i < corners; ++i) {
        const double angle = 6.283185307179586 * i / corners, reach = *rc::gen::inRange(100, 100000) / 7.0;
        o.push_back({x + reach * std::cos(angle), y + reach * std::sin(angle)});
      }
      RC_ASSERT(parse_outline(outline_text(o)).value() == o);
    }));
  }
};

QTEST_APPLESS_MAIN(FieldTest)
#include "test_field.moc"
