// SPDX-License-Identifier: GPL-3.0-or-later
// Caps of racks and rows and the demand share of rack types, worked by hand.
#include <QtTest>

#include <rapidcheck.h>

#include "engine/load/small_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool near_to(double got, double wanted, double relative = 1e-9) { return std::abs(got - wanted) <= relative * std::max(1e-9, std::abs(wanted)); }

/// Racks of two DGX H100 of 10.2 kW, all to air: 20.4 kW, 16 GPUs of 700 W, idle 70 W.
class CappedHall : public SmallHall {
public:
  CappedHall() {
    Accelerator h100 = part<Accelerator>("h100");
    h100.power = watts(700);
    keep(catalog.accelerators, h100);
    type = rack_type("DGX rack").id;
    item(type, RackItemKind::node, "dgx-h100", 2);
  }
  void cap(std::size_t rack, double kilowatts_of_cap) { racks.at(rack).power_cap = kilowatts(kilowatts_of_cap); }
  Id row(double kilowatts_of_cap) {
    Row r;
    r.id = fresh();
    r.name = "Row " + std::to_string(rows.size() + 1);
    r.power_cap = kilowatts(kilowatts_of_cap);
    rows.push_back(r);
    return r.id;
  }
  [[nodiscard]] const RackClassLoad& of_rack(std::size_t i) const { return loads.rack_classes.at(loads.class_of_rack.at(i)); }
  [[nodiscard]] double rack_kilowatts(std::size_t i) const { return in_kilowatts(of_rack(i).power.value); }
  [[nodiscard]] double gpu_watts(std::size_t i) const {
    const Traced<Power>& p = of_rack(i).gpu_limit;
    return p.figure.valid() && p.has_value() ? in_watts(p.value) : -1.0;
  }
  Id type = 0;
};

} // namespace

class TestPowerCaps : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// 20.4 kW held to 18 kW: 2.4 kW less on 16 GPUs, 150 W each: 550 W. What waits for it draws on.
  void aRackUnderACap() {
    CappedHall hall;
    hall.add_racks(hall.type, 3);
    hall.cap(1, 18);
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 20.4) && near_to(hall.rack_kilowatts(1), 18) && near_to(hall.rack_kilowatts(2), 20.4));
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 58.8));
    QVERIFY(near_to(in_kilowatts(hall.loads.in_racks.value), 58.8));
    QVERIFY(near_to(in_kilowatts(hall.loads.heat_to_air.value), 58.8));
    QVERIFY(near_to(hall.gpu_watts(1), 550));
    QCOMPARE(hall.gpu_watts(0), -1.0);
    const auto held = slowest_held_rack(hall.loads, hall.racks);
    QVERIFY(held && held->rack == hall.racks[1].id && held->alike == 1);
    const std::vector<Id> others{hall.racks[0].id, hall.racks[2].id};
    QVERIFY(!slowest_held_rack(hall.loads, hall.racks, &others));
    QVERIFY(hall.findings("LOD-006").empty());
    // A cap above what it asks changes nothing.
    hall.cap(1, 21);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 61.2));
    QVERIFY(!slowest_held_rack(hall.loads, hall.racks));
    for (const Figure* f : hall.figures.all()) {
      const std::string broken = broken_derivation(hall.figures, *f);
      QVERIFY2(broken.empty(), broken.c_str());
    }
  }

  /// Measured, a node draws 8.4 of 10.2 kW and its GPUs 576.47 W each: 16.8 kW. Held to 15 kW each draws 112.5 W less,
  /// 80.49 % of that, and its limit is taken to be 80.49 % of 700 W: 563.4 W.
  void atTheMeasuredBasis() {
    CappedHall hall;
    hall.project.power_basis = PowerBasis::measured;
    hall.add_racks(hall.type, 1);
    hall.cap(0, 15);
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 15));
    const double drawn = 700 * 8.4 / 10.2;
    QVERIFY(near_to(hall.gpu_watts(0), 700 * (drawn - 112.5) / drawn));
  }

  /// The job holds its GPUs to 600 W: a rack asks 20.4 - 1.6 = 18.8 kW. Held to 18 kW, 800 W less: 550 W each.
  void underTheCapOfTheJobToo() {
    CappedHall hall;
    hall.gpu_power_cap = watts(600);
    hall.add_racks(hall.type, 1);
    hall.cap(0, 18);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.of_rack(0).asked.value), 18.8));
    QVERIFY(near_to(hall.gpu_watts(0), 550));
  }

  /// A row of a rack of 20.4 kW and one of 10.2 kW held to 24.48 kW: 6.12 kW less on 24 GPUs, 255 W each: 16.32 and 8.16 kW.
  /// With the first held to 15.3 kW by itself the other gets the rest, 9.18 kW: 1.02 kW less on 8 GPUs, 572.5 W each.
  void aRowSharesItsCap() {
    CappedHall hall;
    const Id half = hall.rack_type("Half rack").id;
    hall.item(half, RackItemKind::node, "dgx-h100", 1);
    hall.add_racks(hall.type, 2);
    hall.add_racks(half, 1);
    const Id row = hall.row(24.48);
    hall.racks[0].row = hall.racks[2].row = row;
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 16.32) && near_to(hall.rack_kilowatts(1), 20.4) && near_to(hall.rack_kilowatts(2), 8.16));
    QVERIFY(near_to(hall.gpu_watts(0), 445) && near_to(hall.gpu_watts(2), 445));
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 44.88));
    const auto held = slowest_held_rack(hall.loads, hall.racks);
    QVERIFY(held && near_to(in_watts(held->gpu_limit.value), 445));
    hall.cap(0, 15.3);
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 15.3) && near_to(hall.rack_kilowatts(2), 9.18) && near_to(hall.gpu_watts(2), 572.5));
  }

  /// With GPUs idle the rack still draws 20.4 - 16 x 0.63 = 10.32 kW; a rack without GPUs all that it asks.
  void aCapThatCannotBeHeld() {
    CappedHall hall;
    const Id store = hall.rack_type("Storage rack").id;
    hall.item(store, RackItemKind::storage, "store", 2);
    hall.add_racks(hall.type, 1);
    hall.add_racks(store, 1);
    hall.cap(0, 5);
    hall.cap(1, 10);
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 10.32) && near_to(hall.rack_kilowatts(1), 12.8));
    const Traced<Power>& limit = hall.of_rack(0).gpu_limit;
    QVERIFY(limit.figure.valid() && limit.completeness == Completeness::not_applicable && limit.reason->find("cannot be held") != std::string::npos);
    const auto slowest = slowest_held_rack(hall.loads, hall.racks);
    QVERIFY(slowest && slowest->rack == hall.racks[0].id);
    auto found = hall.findings("LOD-006");
    QCOMPARE(found.size(), std::size_t(2));
    QVERIFY(found[0].message.find("10.32 kW") != std::string::npos || found[1].message.find("10.32 kW") != std::string::npos);
    QVERIFY(!found[0].remedies.empty());
    const auto mended = found[0].remedies.front().edit.apply(hall.design);
    QVERIFY(mended.has_value());
    hall.racks = *mended->racks;
    hall.run();
    QCOMPARE(hall.findings("LOD-006").size(), std::size_t(1));
  }

  /// A storage rack of 12.8 kW cannot be held: GPUs beside it give way, and the row of 30 kW keeps to its cap: 17.2 kW.
  /// At 20 kW it cannot: with idle GPUs 10.32 + 12.8 kW; the words tell the rack of GPUs from that of none.
  void gpusGiveWayToWhatCannotBeHeld() {
    CappedHall hall;
    const Id store = hall.rack_type("Storage rack").id;
    hall.item(store, RackItemKind::storage, "store", 2);
    hall.add_racks(hall.type, 1);
    hall.add_racks(store, 1);
    const Id row = hall.row(30);
    hall.racks[0].row = hall.racks[1].row = row;
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 17.2) && near_to(hall.rack_kilowatts(1), 12.8));
    QVERIFY(near_to(hall.gpu_watts(0), 500));
    QVERIFY(hall.findings("LOD-006").empty());
    hall.rows[0].power_cap = kilowatts(20);
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 10.32) && near_to(hall.rack_kilowatts(1), 12.8));
    const auto found = hall.findings("LOD-006");
    QCOMPARE(found.size(), std::size_t(2));
    const bool first = found[0].message.find("10.32 kW") != std::string::npos;
    QVERIFY2(found[first ? 0 : 1].message.find("with its GPUs idle") != std::string::npos, found[first ? 0 : 1].message.c_str());
    QVERIFY2(found[first ? 1 : 0].message.find("with no GPU to hold") != std::string::npos, found[first ? 1 : 0].message.c_str());
  }

  /// Under any caps: the row keeps to its cap where it can, a higher cap never lowers the slowest GPU, and the order of racks
  /// changes nothing.
  void aHigherCapNeverSlows() {
    QVERIFY(rc::check("monotone, kept, and the same in any order", [] {
      CappedHall hall;
      const Id half = hall.rack_type("Half rack").id, store = hall.rack_type("Storage rack").id;
      hall.item(half, RackItemKind::node, "dgx-h100", 1);
      hall.item(store, RackItemKind::storage, "store", 1);
      hall.add_racks(hall.type, *rc::gen::inRange<Count>(1, 4));
      hall.add_racks(half, *rc::gen::inRange<Count>(0, 4));
      hall.add_racks(store, *rc::gen::inRange<Count>(0, 3));
      const Id row = hall.row(*rc::gen::inRange(10, 120));
      if (*rc::gen::arbitrary<bool>()) hall.gpu_power_cap = watts(*rc::gen::inRange(50, 700));
      for (std::size_t i = 0; i < hall.racks.size(); ++i) {
        hall.racks[i].row = row;
        if (*rc::gen::arbitrary<bool>()) hall.cap(i, *rc::gen::inRange(3, 24));
      }
      const auto slowest = [&] {
        const auto held = slowest_held_rack(hall.loads, hall.racks);
        const double job = hall.gpu_power_cap ? in_watts(*hall.gpu_power_cap) : 700.0;
        return !held ? job : held->gpu_limit.has_value() ? std::min(job, in_watts(held->gpu_limit.value)) : 0.0;
      };
      const auto drawn = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < hall.racks.size(); ++i) sum += hall.rack_kilowatts(i);
        return sum;
      };
      hall.run();
      const double before = slowest(), sum = drawn();
      double least = 0;
      for (const Rack& r : hall.racks) least += r.rack_type == hall.type ? 10.32 : r.rack_type == half ? 5.16 : 6.4;
      RC_ASSERT(sum <= std::max(least, in_kilowatts(*hall.rows[0].power_cap)) * (1 + 1e-9));
      std::reverse(hall.racks.begin(), hall.racks.end());
      for (std::size_t i = 0; i < hall.racks.size(); ++i) hall.racks[i].id = 100000 + static_cast<Id>(i);
      hall.run();
      RC_ASSERT(near_to(slowest(), before, 1e-9) && near_to(drawn(), sum, 1e-9));
      const int which = *rc::gen::inRange(0, 3);
      const double more = *rc::gen::inRange(1, 400) / 10.0;
      Rack& one = hall.racks[*rc::gen::inRange<std::size_t>(0, hall.racks.size())];
      if (which == 0) hall.rows[0].power_cap = *hall.rows[0].power_cap + kilowatts(more);
      else if (which == 1 && hall.gpu_power_cap) hall.gpu_power_cap = *hall.gpu_power_cap + watts(more * 10.0);
      else if (one.power_cap) one.power_cap = *one.power_cap + kilowatts(more);
      hall.run();
      RC_ASSERT(slowest() >= before * (1 - 1e-9) - 1e-6);
    }));
  }

  /// Nodes of 10 kW, 90 % to liquid: 18 of 20 kW. Held to 15 kW, 5 kW less at the same 90 %: 13.5 kW, 1.5 kW to air.
  void heatFollowsWhatIsDrawn() {
    CappedHall hall;
    const Id wet = hall.rack_type("Wet rack").id;
    hall.item(wet, RackItemKind::node, "liquid-node", 2);
    hall.add_racks(wet, 2);
    hall.cap(0, 15);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.of_rack(0).heat_to_liquid.value), 13.5) && near_to(in_kilowatts(hall.of_rack(0).heat_to_air.value), 1.5));
    QVERIFY(near_to(in_kilowatts(hall.of_rack(1).heat_to_liquid.value), 18));
    QVERIFY(near_to(in_kilowatts(hall.loads.heat_to_liquid.value), 31.5) && near_to(in_kilowatts(hall.loads.heat_to_air.value), 3.5));
  }

  /// Half of 20 kW at once: 10 kW, 9 kW of it to liquid. It holds GPUs, and a finding says what that means.
  void lessThanAllAtOnce() {
    CappedHall hall;
    RackType& wet = hall.rack_type("Wet rack");
    wet.demand_share = 0.5;
    const Id id = wet.id;
    hall.item(id, RackItemKind::node, "liquid-node", 2);
    hall.add_racks(id, 4);
    hall.run();
    QVERIFY(near_to(in_kilowatts(hall.loads.it.value), 40) && near_to(in_kilowatts(hall.loads.nodes.value), 80));
    QVERIFY(near_to(in_kilowatts(hall.loads.heat_to_liquid.value), 36) && near_to(in_kilowatts(hall.loads.heat_to_air.value), 4));
    auto found = hall.findings("LOD-007");
    QCOMPARE(found.size(), std::size_t(1));
    const auto mended = found[0].remedies.front().edit.apply(hall.design);
    QVERIFY(mended.has_value() && mended->rack_types->back().demand_share == 1.0);
    // Held to 8 kW: of 5.6 kW that its GPUs draw at once 3.6 kW are left: 450 W of a limit of 700 W.
    hall.cap(0, 8);
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 8));
    QVERIFY(near_to(hall.gpu_watts(0), 700 * 3.6 / 5.6));
  }

  /// 72 GPUs of 1,200 W in a rack of 132 kW: held to 120 kW each has 12,000 / 72 W less.
  void anIntegratedRack() {
    CappedHall hall;
    Accelerator gb200 = part<Accelerator>("gb200");
    gb200.power = watts(1200);
    keep(hall.catalog.accelerators, gb200);
    for (NodePart& n : hall.catalog.nodes)
      if (n.id == "tray") n.accelerator = "gb200";
    const Id nvl = hall.rack_type("NVL72", "nvl72").id;
    hall.item(nvl, RackItemKind::node, "tray", 18);
    hall.add_racks(nvl, 1);
    hall.cap(0, 120);
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(0), 120));
    QVERIFY(near_to(hall.gpu_watts(0), 1200 - 12000.0 / 72));
    QVERIFY(near_to(in_kilowatts(hall.of_rack(0).heat_to_liquid.value), 102)); // 85 %
  }

  /// Empty racks of a capped row draw nothing, and what is not in the catalog keeps totals at least.
  void nothing_and_unknown_under_a_cap() {
    CappedHall hall;
    const Id empty = hall.rack_type("Empty rack").id, gone = hall.rack_type("Rack of an unknown node").id;
    hall.item(gone, RackItemKind::node, "no-such-node", 1);
    hall.item(gone, RackItemKind::node, "dgx-h100", 1);
    hall.add_racks(empty, 2);
    const Id row = hall.row(5);
    for (Rack& r : hall.racks) r.row = row;
    hall.run();
    QCOMPARE(hall.of_rack(0).power.completeness, Completeness::exact);
    QCOMPARE(in_watts(hall.of_rack(0).power.value), 0.0);
    hall.add_racks(gone, 1);
    hall.cap(2, 50);
    hall.run();
    QVERIFY(near_to(hall.rack_kilowatts(2), 10.2));
    QCOMPARE(hall.of_rack(2).power.completeness, Completeness::lower_bound);
    QCOMPARE(hall.loads.in_racks.completeness, Completeness::lower_bound);
  }

  void laws() {
    QVERIFY(rc::check("caps never add power, racks sum to the whole, and all of it becomes heat", [] {
      CappedHall hall;
      const Id wet = hall.rack_type("Wet rack").id;
      hall.item(wet, RackItemKind::node, "liquid-node", *rc::gen::inRange<Count>(1, 4));
      hall.add_racks(hall.type, *rc::gen::inRange<Count>(1, 6));
      hall.add_racks(wet, *rc::gen::inRange<Count>(1, 6));
      hall.run();
      const double before = in_watts(hall.loads.it.value);
      const Id row = hall.row(*rc::gen::inRange(1, 200));
      for (std::size_t i = 0; i < hall.racks.size(); ++i) {
        if (*rc::gen::arbitrary<bool>()) hall.cap(i, *rc::gen::inRange(1, 45));
        if (*rc::gen::arbitrary<bool>()) hall.racks[i].row = row;
      }
      hall.run();
      double sum = 0;
      for (std::size_t i = 0; i < hall.racks.size(); ++i) {
        const RackClassLoad& c = hall.of_rack(i);
        sum += in_watts(c.power.value);
        RC_ASSERT(in_watts(c.power.value) >= 0.0);
        RC_ASSERT(near_to(in_watts(c.heat_to_liquid.value) + in_watts(c.heat_to_air.value), in_watts(c.power.value), 1e-7));
        if (c.asked.figure.valid()) RC_ASSERT(in_watts(c.power.value) <= in_watts(c.asked.value) * (1 + 1e-9));
      }
      RC_ASSERT(in_watts(hall.loads.it.value) <= before * (1 + 1e-9));
      RC_ASSERT(near_to(sum, in_watts(hall.loads.it.value), 1e-7));
      RC_ASSERT(near_to(sum, in_watts(hall.loads.in_racks.value), 1e-7));
    }));
  }
};

QTEST_APPLESS_MAIN(TestPowerCaps)
#include "test_power_caps.moc"
