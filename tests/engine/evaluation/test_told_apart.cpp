// SPDX-License-Identifier: GPL-3.0-or-later
// Two numbers that a sentence compares: one past its limit never reads as the limit does.
#include <QtTest>

#include <cmath>

#include <rapidcheck.h>

#include "checks/told_apart.h"
#include "design/edits.h"
#include "evaluation/evaluation.h"

using namespace hallwright;

class TestToldApart : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void so_many_digits_as_it_takes() {
    const auto words = [](double value, double limit, int decimals) {
      const NumberPair p = told_apart(value, limit, decimals);
      return p.value + " over " + p.limit;
    };
    QCOMPARE(words(1250.0, 1200.0, 0), std::string("1250 over 1200"));
    QCOMPARE(words(1200.4, 1200.0, 0), std::string("1200.4 over 1200.0"));
    QCOMPARE(words(1200.004, 1200.0, 0), std::string("1200.004 over 1200.000"));
    QCOMPARE(words(3.004, 3.0, 2), std::string("3.004 over 3.000"));
    QCOMPARE(words(1200.0, 1200.0, 0), std::string("1200 over 1200")); // the same
    QCOMPARE(words(1.0 + 1e-15, 1.0, 1), std::string("1.0 over 1.0")); // dust is no difference
  }

  void whatever_differs_by_a_millionth_reads_differently() {
    QVERIFY(rc::check("told apart", [] {
      const double limit = *rc::gen::inRange(1, 2'000'000) / 100.0;
      const double value = limit + *rc::gen::inRange(1, 1'000'000) * 1e-6;
      const NumberPair p = told_apart(value, limit, *rc::gen::inRange(0, 3));
      RC_ASSERT(p.value != p.limit);
      RC_ASSERT(std::stod(p.value) > std::stod(p.limit));
    }));
  }

  /// Of findings: a hall, a tray and the words about it, 0.3 mm past the ceiling.
  void a_tray_that_is_just_too_high_says_so() {
    Design d;
    Hall hall;
    hall.name = "A", hall.outline = {{0, 0}, {24000, 0}, {24000, 12000}, {0, 12000}}, hall.ceiling_height = meters(3.0);
    d = add_entity(d, &Design::halls, hall).design;
    Tray tray;
    tray.name = "T1", tray.hall = d.halls->front().id, tray.path = {{1000, 1000}, {9000, 1000}};
    tray.height = millimeters(100), tray.elevation = millimeters(2900.3);
    d = add_entity(d, &Design::trays, tray).design;
    const auto e = evaluate(d, share(Catalog{}));
    const auto f = std::find_if(e->findings.begin(), e->findings.end(),
                                [](const Finding& x) { return x.message.rfind("T1 reaches up to", 0) == 0; });
    QVERIFY(f != e->findings.end());
    QCOMPARE(f->message, std::string("T1 reaches up to 3000.3 mm; the ceiling of A is at 3000.0 mm"));
  }
};

QTEST_MAIN(TestToldApart)
#include "test_told_apart.moc"
