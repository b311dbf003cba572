// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "ledger/formula.h"

using namespace hallwright;

namespace {
Result<Time> transfer_of(Bytes amount, DataRate rate) {
  if (rate <= bytes_per_second(0)) return not_applicable("nothing moves at a rate of zero");
  return Time(amount / rate);
}
constexpr Formula transfer{"transfer_time", "amount / rate", "definition of a rate",
                           std::array<std::string_view, 2>{"amount", "rate"}, &transfer_of};
Result<Power> total_of(const std::vector<Power>& parts, double spare) {
  Power total = watts(0);
  for (Power p : parts) total += p;
  return Power(total * (1.0 + spare));
}
constexpr Formula total{"total", "sum(parts) * (1 + spare)", "test", std::array<std::string_view, 2>{"parts", "spare"}, &total_of, true};
Result<Temperature> warmer_of(Temperature t, TempRise rise) { return t + rise; }
constexpr Formula warmer{"warmer", "t + rise", "test", std::array<std::string_view, 2>{"t", "rise"}, &warmer_of};
Result<Count> pairs_of(Count n) { return n / 2; }
constexpr Formula pairs{"pairs", "n / 2", "test", std::array<std::string_view, 1>{"n"}, &pairs_of};
Result<double> reciprocal_of(double x) { return 1.0 / x; }
constexpr Formula reciprocal{"reciprocal", "1 / x", "test", std::array<std::string_view, 1>{"x"}, &reciprocal_of};

Result<double> run(const AnyFormula& f, const std::vector<std::vector<double>>& v) { return f.evaluate(v); }
} // namespace

class FormulaErasureTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void parameters_keep_their_names_and_kinds() {
    const AnyFormula f = any(transfer, {nullptr, &kind::network_rate});
    QVERIFY(f.name == "transfer_time" && f.text == "amount / rate" && f.source == "definition of a rate" && !f.estimate);
    QCOMPARE(f.parameters.size(), std::size_t{2});
    QVERIFY(f.parameters[0].name == "amount" && f.parameters[0].kind == &kind::information && !f.parameters[0].list);
    QVERIFY(f.parameters[1].name == "rate" && f.parameters[1].kind == &kind::network_rate);
    QVERIFY(f.result_kind == &kind::time);
  }
  void amounts_go_in_and_out_in_base_units() {
    // 1 TB at 400 Gb/s = 50e9 B/s: 20 s
    QCOMPARE(run(any(transfer), {{1e12}, {50e9}}).value(), 20.0);
    QCOMPARE(run(any(warmer), {{291.15}, {10.0}}).value(), 301.15);
    QCOMPARE(run(any(pairs), {{7.0}}).value(), 3.0);
  }
  void lists_take_several_amounts() {
    const AnyFormula f = any(total, {nullptr, &kind::percent});
    QVERIFY(f.parameters[0].list && f.parameters[0].kind == &kind::power && f.parameters[1].kind == &kind::percent && f.estimate);
    QCOMPARE(run(f, {{100.0, 200.0, 300.0}, {0.5}}).value(), 900.0);
    QCOMPARE(run(f, {{}, {0.5}}).value(), 0.0);
  }
  void what_cannot_be_computed_has_a_reason() {
    QCOMPARE(run(any(transfer), {{1e12}, {0.0}}).error().reason, std::string("nothing moves at a rate of zero"));
    const auto r = run(any(reciprocal), {{0.0}});
    QVERIFY(!r && r.error().reason.find("not a finite number") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(FormulaErasureTest)
#include "test_formula_erasure.moc"
