// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "fabric/port_map.h"

using namespace hallwright;
using V = PlaceVariable;

namespace {

Place place(std::initializer_list<std::pair<V, Count>> values) {
  Place out{};
  for (const auto& [variable, value] : values)
    out[static_cast<std::size_t>(variable)] = value;
  return out;
}

} // namespace

class TestPortMap : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void a_sum_is_printed_and_counted_alike() {
    // 33 + 2 s + i of a real fabric: spine 9, second copy: port 50.
    const PortSum uplink(33, {{V::spine, 2}, {V::copy}});
    QCOMPARE(uplink.text(), std::string("33 + 2 s + i"));
    QCOMPARE(uplink.value(place({{V::spine, 8}, {V::copy, 1}})), Count{50});
    const PortSum wrapped(1, {{V::node, 1, 32}});
    QCOMPARE(wrapped.text(), std::string("1 + (n mod 32)"));
    QCOMPARE(wrapped.value(place({{V::node, 70}})), Count{7});
    const PortSum divided(1, {{V::leaf, 32}, {V::uplink}}, 12);
    QCOMPARE(divided.text(), std::string("1 + floor((32 l + j) / 12)"));
    QCOMPARE(divided.value(place({{V::leaf, 1}, {V::uplink, 5}})), Count{4}); // 37 / 12 = 3
    QCOMPARE(PortSum(7, {{V::pod, 0}}).text(), std::string("7"));
  }

  void every_variable_has_its_own_letter() {
    std::string letters;
    for (std::size_t i = 0; i < place_variables; ++i)
      letters += place_letter(static_cast<V>(i));
    for (const char c : letters)
      QCOMPARE(std::count(letters.begin(), letters.end(), c), std::ptrdiff_t{1});
  }

  void up_links_take_the_upper_half_where_there_is_room_data() {
    QTest::addColumn<int>("down");
    QTest::addColumn<int>("up");
    QTest::addColumn<int>("ports");
    QTest::addColumn<int>("per_cage");
    QTest::addColumn<int>("first_up"); // 0: refused
    QTest::newRow("18 and 18 of 64") << 18 << 18 << 64 << 2 << 33;
    QTest::newRow("32 and 32 of 64") << 32 << 32 << 64 << 2 << 33;
    QTest::newRow("48 and 16 of 64") << 48 << 16 << 64 << 2 << 49;
    QTest::newRow("33 and 30 of 64, two a cage") << 33 << 30 << 64 << 2 << 35;
    QTest::newRow("33 and 31 of 64, two a cage") << 33 << 31 << 64 << 2 << 0;
    QTest::newRow("33 and 31 of 64, one a cage") << 33 << 31 << 64 << 1 << 34;
    QTest::newRow("16 and 40 of 64") << 16 << 40 << 64 << 2 << 17;
    QTest::newRow("a middle within a cage") << 9 << 9 << 18 << 2 << 0;
    QTest::newRow("an odd radix") << 3 << 3 << 7 << 1 << 4;
  }
  void up_links_take_the_upper_half_where_there_is_room() {
    QFETCH(int, down);
    QFETCH(int, up);
    QFETCH(int, ports);
    QFETCH(int, per_cage);
    QFETCH(int, first_up);
    const auto layout = port_layout("leaf", down, up, ports, {0, per_cage});
    if (first_up == 0) {
      QVERIFY(!layout);
      QVERIFY(QString::fromStdString(layout.error()).contains("cages of their own"));
      return;
    }
    QVERIFY2(layout, layout ? "" : layout.error().c_str());
    QCOMPARE(layout->first_up, Count{first_up});
  }

  void spare_ports_lie_beside_the_down_links_first() {
    const auto layout = port_layout("leaf", 18, 18, 64, {32, 2});
    QVERIFY(layout);
    const auto spare = spare_ports(*layout);
    QCOMPARE(spare.size(), std::size_t{28}); // 64 - 36
    QCOMPARE(spare.front(), Count{19});
    QCOMPARE(spare[13], Count{32});
    QCOMPARE(spare[14], Count{51});
    QCOMPARE(spare.back(), Count{64});
    // Behind an odd number of uplinks the rest of their cage stays with them.
    const auto odd = port_layout("leaf", 18, 17, 64, {32, 2});
    QCOMPARE(spare_ports(*odd).size(), std::size_t{14 + 14});
  }

  void cages_that_a_part_lacks_are_missed() {
    const auto layout = port_layout("spine", 64, 0, 64, {31, 2});
    QVERIFY(!layout);
    QCOMPARE(layout.error(), std::string("a spine needs 64 ports; its part has 31 cages of 2 links"));
  }
};

QTEST_APPLESS_MAIN(TestPortMap)
#include "test_port_map.moc"
