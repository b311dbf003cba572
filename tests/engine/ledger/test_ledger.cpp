// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <rapidcheck.h>

#include <limits>
#include <stdexcept>

#include "ledger/ledger.h"

using namespace hallwright;

namespace {
Result<VolumeFlow> flow_of(Power heat, TempRise rise, Density density, SpecificHeat specific_heat) {
  if (rise <= kelvins_rise(0)) return not_applicable("the coolant does not warm up");
  return VolumeFlow(heat / (density * specific_heat * rise));
}
constexpr Formula flow_formula{"flow", "heat / (density * specific_heat * rise)", "energy balance",
                               std::array<std::string_view, 4>{"heat", "rise", "density", "specific_heat"}, &flow_of};
Result<Power> doubled_of(Power p) { return Power(2.0 * p); }
constexpr Formula doubled{"doubled", "2 p", "test", std::array<std::string_view, 1>{"p"}, &doubled_of};
constexpr Formula doubled_mixed{"doubled", "2 p", "test", std::array<std::string_view, 1>{"p"}, &doubled_of, false, Monotone::mixed};
constexpr Formula doubled_estimate{"doubled", "2 p", "test", std::array<std::string_view, 1>{"p"}, &doubled_of, true};
Result<double> quotient_of(double a, double b) { return a / b; }
constexpr Formula quotient{"quotient", "a / b", "test", std::array<std::string_view, 2>{"a", "b"}, &quotient_of};

FieldInfo power_field() {
  FieldInfo f;
  f.name = "it_power";
  f.label = "IT power";
  f.type = FieldType::number;
  f.kind = &kind::power;
  return f;
}
Traced<Power> known(Ledger& l, Id rack, double kw) {
  return l.design_field<Power>("racks", rack, power_field(), "IT power, rack " + std::to_string(rack), kilowatts(kw));
}
Traced<Power> unset(Ledger& l, Id rack) {
  return l.design_field<Power>("racks", rack, power_field(), "IT power, rack " + std::to_string(rack), std::optional<Power>{});
}
const Figure& figure(const SharedPage& page, FigureRef ref) { return page->figures.at(ref.index); }
Traced<Power> lower_bound(Ledger& l, const std::string& id, double kw) {
  return l.sum<Power>(id, "Total", {known(l, 901, kw), unset(l, 902)});
}
} // namespace

class LedgerTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void a_derivation_records_its_inputs_and_does_the_arithmetic() {
    Ledger l(Page::cooling);
    const auto heat = known(l, 1, 120);
    const auto rise = l.constant("rise", "Rise", kelvins_rise(10), "assumption", &kind::temperature_difference, true);
    const auto density = l.constant("density", "Density", kilograms_per_cubic_meter(998), "water table");
    const auto cp = l.constant("cp", "Specific heat", joules_per_kilogram_kelvin(4182), "water table");
    const auto flow = l.derive("cooling.flow", "Coolant flow", flow_formula, heat, rise, density, cp);
    // 120000 / (998 * 4182 * 10) m3/s = 2.87521e-3 m3/s = 172.51 L/min
    QVERIFY(std::abs(in_liters_per_minute(flow.value) - 172.513) < 0.01);
    QVERIFY(flow.completeness == Completeness::estimate); // the rise is assumed
    const auto page = l.finish_page();
    const Figure& f = figure(page, flow.figure);
    QCOMPARE(f.id, std::string("cooling.flow"));
    QVERIFY((f.inputs == std::vector{heat.figure, rise.figure, density.figure, cp.figure}));
    QCOMPARE(f.input_names.size(), f.inputs.size());
    QVERIFY(f.input_names[1] == "rise" && f.formula == "flow" && f.source == "energy balance");
    QCOMPARE(f.value, base_value(flow.value));
    QVERIFY(f.kind == &kind::volume_flow && !f.is_leaf());
    QCOMPARE(figure_text(f), std::string("173 L/min (estimate)"));
    for (const Figure& any : page->figures)
      for (const FigureRef& in : any.inputs) QVERIFY(in.page == Page::cooling && in.index < page->figures.size());
    QVERIFY(figure(page, heat.figure).is_leaf());
    QCOMPARE(figure(page, heat.figure).id, std::string("design.racks.1.it_power"));
  }

  void not_applicable_and_unknown_carry_the_root_reason() {
    Ledger l(Page::load);
    const auto gone = l.absent<Power>("gone", "GPU power", Completeness::not_applicable, "the design has no GPUs");
    const auto twice = l.derive("twice", "Twice", doubled, gone);
    const auto again = l.derive("again", "Again", doubled, twice);
    const auto missing = l.derive("missing", "Missing", doubled, unset(l, 7));
    const auto refused = l.derive("refused", "Flow", flow_formula, known(l, 1, 120),
                                  l.constant("rise", "Rise", kelvins_rise(0), "x"),
                                  l.constant("density", "Density", kilograms_per_cubic_meter(998), "x"),
                                  l.constant("cp", "Specific heat", joules_per_kilogram_kelvin(4182), "x"));
    QVERIFY(!again.has_value() && again.completeness == Completeness::not_applicable);
    QCOMPARE(*again.reason, std::string("the design has no GPUs"));
    QVERIFY(missing.completeness == Completeness::unknown);
    const auto page = l.finish_page();
    QCOMPARE(figure_text(figure(page, again.figure)), std::string("not applicable: the design has no GPUs"));
    QCOMPARE(figure_text(figure(page, missing.figure)), std::string("not applicable: IT power, rack 7 is not set"));
    QCOMPARE(figure_text(figure(page, refused.figure)), std::string("not applicable: the coolant does not warm up"));
    QCOMPARE(figure(page, again.figure).inputs.size(), std::size_t{1});
  }

  void a_result_that_is_not_finite_is_not_applicable() {
    Ledger l(Page::load);
    const auto zero = l.constant("zero", "Zero", 0.0, "x"), one = l.constant("one", "One", 1.0, "x");
    for (const auto& r : {l.derive("inf", "Infinite", quotient, one, zero), l.derive("nan", "Not a number", quotient, zero, zero)}) {
      QVERIFY(r.completeness == Completeness::not_applicable);
      QVERIFY(r.reason && r.reason->find("not a finite number") != std::string::npos);
      QCOMPARE(r.value, 0.0);
    }
  }

  void a_sum_with_an_unknown_part_is_a_lower_bound_that_names_it() {
    Ledger l(Page::load);
    const auto gone = l.absent<Power>("gone", "Spare", Completeness::not_applicable, "no spare racks");
    const auto total = l.sum<Power>("load.it", "IT load", {known(l, 1, 100), known(l, 2, 32), unset(l, 3), gone});
    const auto twice = l.derive("twice", "Twice", doubled, total);
    const auto mixed = l.derive("mixed", "Mixed", doubled_mixed, total);
    const auto grand = l.sum<Power>("grand", "Grand total", {total, known(l, 4, 1)});
    const auto two = l.sum<Power>("two", "Two unknown", {unset(l, 5), unset(l, 6)});
    QVERIFY(total.completeness == Completeness::lower_bound);
    QCOMPARE(in_kilowatts(total.value), 132.0);
    QVERIFY(twice.completeness == Completeness::lower_bound);
    QVERIFY(mixed.completeness == Completeness::estimate);
    QVERIFY(grand.completeness == Completeness::lower_bound);
    const auto page = l.finish_page();
    const std::string missing = "1 part is unknown: IT power, rack 3 is not set";
    QCOMPARE(figure(page, total.figure).reason, missing);
    QCOMPARE(figure(page, twice.figure).reason, missing);
    QCOMPARE(figure(page, mixed.figure).reason, missing);
    QCOMPARE(figure(page, grand.figure).reason, missing);
    QCOMPARE(figure(page, two.figure).reason, std::string("2 parts are unknown, first: IT power, rack 5 is not set"));
    QCOMPARE(figure_text(figure(page, total.figure)), std::string("at least 132 kW"));
    QCOMPARE(figure(page, total.figure).inputs.size(), std::size_t{4});
  }
  void a_sum_of_nothing_is_zero_and_exact() {
    Ledger l(Page::load);
    const auto total = l.sum<Power>("load.it", "IT load", {});
    QVERIFY(total.completeness == Completeness::exact);
    QCOMPARE(in_watts(total.value), 0.0);
  }
  void an_estimating_formula_says_estimate() {
    Ledger l(Page::load);
    QVERIFY(l.derive("e", "E", doubled_estimate, known(l, 1, 5)).completeness == Completeness::estimate);
    QVERIFY(l.derive("x", "X", doubled, known(l, 1, 5)).completeness == Completeness::exact);
  }

  void limits_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<bool>("value_is_lower_bound");
    QTest::addColumn<double>("limit");
    QTest::addColumn<bool>("limit_is_lower_bound");
    QTest::addColumn<bool>("at_most");
    QTest::addColumn<int>("status");
    const auto row = [](const char* name, double v, bool vl, double lim, bool ll, bool at_most, Status s) {
      QTest::newRow(name) << v << vl << lim << ll << at_most << static_cast<int>(s);
    };
    row("half of what is allowed is ok", 50, false, 100, false, true, Status::ok);
    row("89 % is ok", 89, false, 100, false, true, Status::ok);
    row("91 % is near", 91, false, 100, false, true, Status::near_limit);
    row("exactly at the limit is near, not over", 100, false, 100, false, true, Status::near_limit);
    row("100.04 % is over", 100.04, false, 100, false, true, Status::over_limit);
    row("a lower bound under its limit cannot be decided", 50, true, 100, false, true, Status::undecided);
    row("a lower bound near its limit cannot be decided", 95, true, 100, false, true, Status::undecided);
    row("a lower bound over its limit is over", 120, true, 100, false, true, Status::over_limit);
    row("over a limit that may be larger cannot be decided", 120, false, 100, true, true, Status::undecided);
    row("under a limit that may be larger is ok", 50, false, 100, true, true, Status::ok);
    row("both open, over: cannot be decided", 120, true, 100, true, true, Status::undecided);
    row("twice what is needed is ok", 200, false, 100, false, false, Status::ok);
    row("a little more than needed is near", 105, false, 100, false, false, Status::near_limit);
    row("less than needed is over the limit", 99, false, 100, false, false, Status::over_limit);
    row("at least 200 where 100 is needed is ok", 200, true, 100, false, false, Status::ok);
    row("at least 50 where 100 is needed cannot be decided", 50, true, 100, false, false, Status::undecided);
    row("enough for a need that may be larger cannot be decided", 200, false, 100, true, false, Status::undecided);
    row("nothing where nothing is allowed is ok", 0, false, 0, false, true, Status::ok);
    row("something where nothing is allowed is over", 1, false, 0, false, true, Status::over_limit);
  }
  void limits() {
    QFETCH(double, value);
    QFETCH(bool, value_is_lower_bound);
    QFETCH(double, limit);
    QFETCH(bool, limit_is_lower_bound);
    QFETCH(bool, at_most);
    QFETCH(int, status);
    Ledger l(Page::power);
    const auto v = value_is_lower_bound ? lower_bound(l, "v", value) : l.measured("v", "V", kilowatts(value), "x");
    Traced<Power> lim = l.measured("lim", "Limit", kilowatts(limit), "x");
    if (limit_is_lower_bound) lim = l.sum<Power>("open", "Open limit", {lim, unset(l, 55)});
    l.limit(v, lim, at_most ? LimitSense::at_most : LimitSense::at_least);
    const auto page = l.finish_page();
    QCOMPARE(QString::fromUtf8(status_word(figure(page, v.figure).status).data()), QString::fromUtf8(status_word(static_cast<Status>(status)).data()));
    QVERIFY(figure(page, v.figure).limit == lim.figure);
  }
  void limits_without_a_value() {
    Ledger l(Page::power);
    const auto gone = l.absent<Power>("gone", "Gone", Completeness::not_applicable, "no racks");
    const auto open = l.absent<Power>("open", "Open", Completeness::unknown, "no rating");
    const auto fine = l.measured("fine", "Fine", kilowatts(1), "x"), also = l.measured("also", "Also", kilowatts(1), "x");
    l.limit(gone, fine, LimitSense::at_most);
    l.limit(open, fine, LimitSense::at_most);
    l.limit(fine, open, LimitSense::at_most);
    l.limit(also, gone, LimitSense::at_most);
    const auto page = l.finish_page();
    QVERIFY(figure(page, gone.figure).status == Status::none);
    QVERIFY(figure(page, open.figure).status == Status::undecided);
    QVERIFY(figure(page, fine.figure).status == Status::undecided);
    QVERIFY(figure(page, also.figure).status == Status::none);
  }
  void a_temperature_is_near_its_limit_within_two_kelvin() {
    Ledger l(Page::cooling);
    const auto limit = l.constant("limit", "Limit", Temperature::from_celsius(45), "x");
    const auto cool = l.measured("cool", "Cool", Temperature::from_celsius(40), "x");
    const auto warm = l.measured("warm", "Warm", Temperature::from_celsius(44), "x");
    const auto hot = l.measured("hot", "Hot", Temperature::from_celsius(45.1), "x");
    for (const auto& t : {cool, warm, hot}) l.limit(t, limit, LimitSense::at_most);
    const auto page = l.finish_page();
    QVERIFY(figure(page, cool.figure).status == Status::ok);
    QVERIFY(figure(page, warm.figure).status == Status::near_limit);
    QVERIFY(figure(page, hot.figure).status == Status::over_limit);
  }

  /// A share that must not fall below nothing: a tenth of the whole is near.
  void headrooms_below_a_tenth_are_near() {
    Ledger l(Page::power);
    const auto nothing = l.constant<double>("nothing", "No unit above its rating", 0.0, "x", &kind::percent);
    std::vector<Traced<double>> rooms;
    for (const double v : {0.5, 0.11, 0.09, 0.0, -0.02})
      rooms.push_back(l.measured<double>("room." + std::to_string(v), "Headroom", v, "x", &kind::percent));
    for (const auto& r : rooms) l.limit(r, nothing, LimitSense::at_least);
    const auto page = l.finish_page();
    std::vector<Status> found;
    for (const auto& r : rooms) found.push_back(figure(page, r.figure).status);
    QCOMPARE(found, (std::vector{Status::ok, Status::ok, Status::near_limit, Status::near_limit, Status::over_limit}));
  }

  void the_same_leaf_is_one_figure() {
    Ledger l(Page::load);
    const auto a = known(l, 1, 120), b = known(l, 1, 120), c = known(l, 2, 120);
    QVERIFY(a.figure == b.figure);
    QVERIFY(!(a.figure == c.figure));
    QCOMPARE(l.finish_page()->figures.size(), std::size_t{2});
  }
  void a_leaf_with_two_values_is_a_programming_error() {
    Ledger l(Page::load);
    (void)known(l, 1, 120);
    QVERIFY_THROWS_EXCEPTION(std::logic_error, (void)known(l, 1, 121));
    QVERIFY_THROWS_EXCEPTION(std::logic_error, (void)unset(l, 1));
  }
  void an_id_used_twice_is_a_programming_error_that_names_it() {
    Ledger l(Page::load);
    (void)l.counted("load.racks", "Racks", 24, "racks in the drawing");
    try {
      (void)l.counted("load.racks", "Racks", 24, "racks in the drawing");
      QFAIL("accepted");
    } catch (const std::logic_error& e) {
      QVERIFY(QString(e.what()).contains("load.racks"));
    }
    (void)l.constant("k", "K", 1.0, "x");
    QVERIFY_THROWS_EXCEPTION(std::logic_error, (void)l.counted("k", "K", 1, "x"));
    QVERIFY_THROWS_EXCEPTION(std::logic_error, (void)l.constant("load.racks", "Racks", Count{24}, "x"));
  }
  void catalog_leaves_say_where_they_come_from() {
    Ledger l(Page::load);
    const auto tdp = l.catalog_field<Power>("accelerator", "gpu-a", "power", "GPU power", "vendor sheet", watts(700), true, nullptr);
    const auto none = l.catalog_field<Power>("accelerator", "gpu-b", "power", "GPU power", "", std::optional<Power>{}, false, nullptr);
    const auto page = l.finish_page();
    const Figure& f = figure(page, tdp.figure);
    QVERIFY(f.origin == Origin::catalog && f.overridden && f.is_leaf());
    QCOMPARE(f.source, std::string("vendor sheet"));
    QCOMPARE(figure_text(f), std::string("700 W"));
    QCOMPARE(figure_text(figure(page, none.figure)), std::string("not applicable: the catalog has no power for gpu-b"));
  }
  void the_same_amount_as_another_type() {
    Ledger l(Page::load);
    const auto racks = l.counted("racks", "Racks", 16384, "racks in the drawing");
    const auto ratio = l.as<double>("ratio", "Racks as a number", racks);
    QCOMPARE(ratio.value, 16384.0);
    const auto page = l.finish_page();
    QCOMPARE(figure_text(figure(page, racks.figure)), std::string("16\u2009384"));
    QVERIFY((figure(page, ratio.figure).inputs == std::vector{racks.figure}));
  }
  void assumptions_make_estimates() {
    Ledger l(Page::load);
    const auto x = l.assumed(l.measured("x", "X", kilowatts(5), "y"), "a typical value");
    QVERIFY(x.completeness == Completeness::estimate);
    QCOMPARE(figure_text(figure(l.finish_page(), x.figure)), std::string("5.00 kW (estimate)"));
  }

  void law_a_sum_is_the_total_of_its_known_parts() {
    QVERIFY(rc::check("the sum adds the known parts and is exact only when all are known", [] {
      Ledger l(Page::load);
      std::vector<Traced<Power>> parts;
      double expected = 0.0;
      bool open = false;
      const int n = *rc::gen::inRange(0, 30);
      for (int i = 1; i <= n; ++i) {
        if (*rc::gen::inRange(0, 4) == 0) {
          parts.push_back(unset(l, i));
          open = true;
        } else {
          const int kw = *rc::gen::inRange(0, 1000);
          parts.push_back(known(l, i, kw));
          expected += kw * 1000.0; // whole watts: exact in any order
        }
      }
      const auto total = l.sum<Power>("t", "T", parts);
      RC_ASSERT(in_watts(total.value) == expected);
      RC_ASSERT(total.completeness == (open ? Completeness::lower_bound : Completeness::exact));
      RC_ASSERT(l.finish_page()->figures.back().inputs.size() == static_cast<std::size_t>(n));
    }));
  }

  void tables_compare_cell_by_cell() {
    const auto make = [](double x) {
      Table t;
      t.id = "load.racks";
      t.add_words("rack", "Rack").words = {"A01", "A02"};
      t.add_numbers("power", "Power", kind::power, "kW").numbers = {120e3, x};
      return t;
    };
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(same_table(make(1), make(1)));
    QVERIFY(same_table(make(unknown), make(unknown)));
    QVERIFY(!same_table(make(unknown), make(0)));
    QVERIFY(!same_table(make(1), make(2)));
    Table longer = make(1);
    longer.add_words("note", "Note");
    QVERIFY(!same_table(make(1), longer));
    QCOMPARE(make(1).row_count(), std::size_t{2});
    QCOMPARE(Table{}.row_count(), std::size_t{0});
    QVERIFY(make(1).column("power") && make(1).column("power")->kind == &kind::power);
    QVERIFY(make(1).column("nothing") == nullptr);
  }
  void every_page_has_its_own_word() {
    QSet<QString> words;
    for (std::size_t i = 0; i < page_count; ++i) words.insert(QString::fromUtf8(page_word(static_cast<Page>(i)).data()));
    QCOMPARE(words.size(), static_cast<qsizetype>(page_count));
    QVERIFY(!words.contains("none"));
  }
};

QTEST_APPLESS_MAIN(LedgerTest)
#include "test_ledger.moc"
