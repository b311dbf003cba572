// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "design/rack_edits.h"
#include "space/rack_elevation.h"

using namespace hallwright;

namespace {

/// The shipped catalog: masses and sizes are those of its rows.
Shared<Catalog> shipped() {
  static const Shared<Catalog> catalog = share(*read_catalog_file(HALLWRIGHT_CATALOG_FILE));
  return catalog;
}

struct Sample {
  Design design;
  Id type = 0;
  template <class M, class E>
  Id add(M member, E entity) {
    Made made = add_entity(design, member, std::move(entity));
    design = made.design;
    return made.entities.at(0).id;
  }
  Id put(RackItemKind kind, std::string part, Count count, Count half_unit, RackMount mount = RackMount::full_depth) {
    return add(&Design::rack_items, RackItem{.rack_type = type,
                                             .kind = kind,
                                             .part = std::move(part),
                                             .count = count,
                                             .lowest_half_unit = half_unit,
                                             .mount = mount});
  }
};

/// Four DGX H100 of 8 units and 130.45 kg from U3, in a cabinet of 48 units, 170 kg, 2300 mm high, 1200 mm deep.
Sample four_nodes(const std::string& cabinet = "generic-48u-600x1200") {
  Sample s;
  s.type = s.add(&Design::rack_types, RackType{.name = "Four", .rack_part = cabinet});
  s.put(RackItemKind::node, "dgx-h100", 4, 5);
  s.add(&Design::racks, Rack{.name = "R1", .rack_type = s.type});
  return s;
}

struct Seen {
  Figures figures;
  std::vector<Finding> findings;
  Id type = 0;
  const Figure& figure(const std::string& name) const {
    const Figure* f = figures.find("space.rack_type." + std::to_string(type) + "." + name);
    static const Figure none;
    return f ? *f : none;
  }
  Count found(std::string_view code, bool undecided = false) const {
    return std::count_if(findings.begin(), findings.end(),
                         [&](const Finding& f) { return f.code == code && f.undecided == undecided; });
  }
  const Finding& first(std::string_view code) const {
    return *std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
  }
};
Seen see(const Sample& s) {
  const Design& d = s.design;
  SpaceInputs in;
  in.site = d.site, in.halls = d.halls, in.structures = d.structures, in.rack_types = d.rack_types,
  in.rack_items = d.rack_items;
  in.racks = d.racks, in.power_units = d.power_units, in.cooling_units = d.cooling_units, in.catalog = shipped();
  const SpaceResult result = space(in, PopulationResult{});
  Seen out;
  out.type = s.type;
  out.figures.add(result);
  out.findings = run_rules({d, *shipped(), out.figures}, space_rules());
  return out;
}

void near(double ours, double expected, double share = 1e-9) {
  QVERIFY2(std::abs(ours - expected) <= share * std::abs(expected),
           qPrintable(QString("%1 is not %2").arg(ours, 0, 'g', 12).arg(expected, 0, 'g', 12)));
}

} // namespace

class TestRackElevation : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// By hand: 4 x 130.45 = 521.8 kg; their middle lies 80 mm + 18 units of 44.45 mm = 880.1 mm up, 76 mm + 897.1 / 2 mm
  /// = 524.55 mm behind the front; the cabinet's 170 kg at 1150 mm and 600 mm.
  void four_dgx_h100() {
    const Seen seen = see(four_nodes());
    near(seen.figure("content_mass").value, 521.8);
    near(seen.figure("mass").value, 691.8);
    near(seen.figure("taken_front").value, 32);
    near(seen.figure("taken_rear").value, 32);
    near(seen.figure("free_front").value, 16);
    near(seen.figure("free_rear").value, 16);
    near(seen.figure("centre_of_gravity_height").value, (521.8 * 0.8801 + 170 * 1.15) / 691.8);
    near(seen.figure("centre_of_gravity_height").value, 0.946424, 1e-5);
    near(seen.figure("centre_of_gravity_depth").value, (521.8 * 0.52455 + 170 * 0.6) / 691.8);
    near(seen.figure("mounting_depth").value, 1.048);
    near(seen.figure("ports.compute").value, 32);
    near(seen.figure("ports.storage").value, 8);
    near(seen.figure("ports.in_band").value, 8);
    near(seen.figure("ports.out_of_band").value, 4);
    QCOMPARE(seen.figure("centre_of_gravity_height").completeness, Completeness::estimate);
    QCOMPARE(seen.figure("mass").completeness, Completeness::exact);
    QCOMPARE(seen.figure("centre_of_gravity_height").status, Status::ok);
    for (const char* code : {"SPC-030", "SPC-031", "SPC-032", "SPC-033", "SPC-034"})
      QCOMPARE(seen.found(code), Count{0});
    // The generic cabinet states no largest load.
    QCOMPARE(seen.found("SPC-034", true), Count{1});
    const Table* items = seen.figures.table("space.rack_items");
    QVERIFY(items);
    QCOMPARE(items->column("place")->words.at(0), std::string("U3 to U34"));
  }

  /// At the front 1, at the rear 2 units more: each face for itself.
  void faces_apart() {
    Sample s = four_nodes();
    s.put(RackItemKind::network_switch, "sn2201", 1, 71, RackMount::front);
    s.put(RackItemKind::network_switch, "qm9700", 2, 71, RackMount::rear);
    s.put(RackItemKind::other, "rpdu-ap7898", 2, 1, RackMount::zero_u_left);
    const Seen seen = see(s);
    near(seen.figure("free_front").value, 15);
    near(seen.figure("free_rear").value, 14);
    near(seen.figure("content_mass").value, 521.8 + 7.41 + 2 * 14.8 + 2 * 9.02);
    near(seen.figure("switch_ports.infiniband").value, 128);
    near(seen.figure("switch_ports.ethernet").value, 48);
    QCOMPARE(seen.found("SPC-030"), Count{0});
    // No catalog row states the depth of a switch.
    QVERIFY(!seen.figure("centre_of_gravity_depth").has_value());
    QCOMPARE(seen.found("SPC-032", true), Count{1});
    QVERIFY(seen.first("SPC-032").message.find("QM9700") != std::string::npos);
  }

  /// A leaf on the lowest node: told once, with a place to move it to.
  void parts_that_share_a_unit() {
    Sample s = four_nodes();
    s.put(RackItemKind::network_switch, "qm9700", 1, 9);
    const Seen seen = see(s);
    QCOMPARE(seen.found("SPC-030"), Count{1});
    const Finding& f = seen.first("SPC-030");
    QVERIFY2(f.message.find("share U5") != std::string::npos, f.message.c_str());
    QCOMPARE(f.remedies.size(), std::size_t{1});
    auto moved = f.remedies.front().edit.apply(s.design);
    QVERIFY(moved.has_value());
    Sample after = s;
    after.design = *moved;
    QCOMPARE(see(after).found("SPC-030"), Count{0});
    const Table* overlaps = seen.figures.table("space.rack_overlaps");
    QCOMPARE(overlaps->row_count(), std::size_t{1});
  }

  void above_the_cabinet() {
    Sample s = four_nodes();
    s.put(RackItemKind::node, "dgx-h100", 1, 85); // U43 to U50
    const Seen seen = see(s);
    QCOMPARE(seen.found("SPC-031"), Count{1});
    QVERIFY(seen.first("SPC-031").message.find("reaches to U50") != std::string::npos);
    QCOMPARE(seen.first("SPC-031").remedies.size(), std::size_t{1}); // U35
  }

  /// XE9780: 1044.7 mm fits into 1048 mm; an open rack 1068 mm deep has 916 mm.
  void depths() {
    Sample s = four_nodes();
    s.put(RackItemKind::node, "dell-xe9780", 1, 71);
    QCOMPARE(see(s).found("SPC-032"), Count{0});
    Sample open = four_nodes("ocp-orv3");
    open.put(RackItemKind::node, "dell-xe9780", 1, 71);
    const Seen seen = see(open);
    near(seen.figure("mounting_depth").value, 0.916);
    QCOMPARE(seen.found("SPC-032"), Count{1});
    QVERIFY(seen.first("SPC-032").message.find("XE9780") != std::string::npos);
  }

  /// Four nodes at the top, U17 to U48: their middle lies 80 mm + 32 units up.
  void heavy_above() {
    Sample s = four_nodes();
    std::vector<RackItem> items = *s.design.rack_items;
    items[0].lowest_half_unit = 33;
    s.design.rack_items = share(items);
    const Seen seen = see(s);
    near(seen.figure("centre_of_gravity_height").value, (521.8 * (0.08 + 32 * 0.04445) + 170 * 1.15) / 691.8);
    QCOMPARE(seen.found("SPC-033"), Count{1});
    QCOMPARE(seen.first("SPC-033").severity, Severity::note);
  }

  /// AR3357 carries 1020 kg: seven nodes of 130.45 kg are 913.15 kg, eight 1043.6 kg.
  void cabinet_load() {
    for (const auto& [count, over] : {std::pair{7, 0}, std::pair{8, 1}}) {
      Sample s;
      s.type = s.add(&Design::rack_types, RackType{.name = "Heavy", .rack_part = "apc-ar3357"});
      s.put(RackItemKind::node, "dell-xe9680-h100", 1, 1); // 108 kg
      s.put(RackItemKind::node, "dgx-h100", count - 1, 13);
      const Seen seen = see(s);
      near(seen.figure("content_mass").value, 108 + 130.45 * (count - 1));
      QCOMPARE(seen.found("SPC-034"), Count{seen.figure("content_mass").value > 1020 ? 1 : 0});
      Q_UNUSED(over);
    }
  }

  /// A part without mass and height: lower bounds, never a silent zero.
  void missing_figures() {
    Sample s = four_nodes();
    s.put(RackItemKind::node, "hgx-h800", 1, 71);
    const Seen seen = see(s);
    QCOMPARE(seen.figure("content_mass").completeness, Completeness::lower_bound);
    QCOMPARE(seen.figure("mass").completeness, Completeness::lower_bound);
    QCOMPARE(seen.figure("taken_front").completeness, Completeness::lower_bound);
    QVERIFY(seen.figure("free_front").reason.find("at most") != std::string::npos);
    QVERIFY(seen.figure("centre_of_gravity_height").reason.find("hgx-h800") != std::string::npos);
    near(seen.figure("centre_of_gravity_height").value, (521.8 * 0.8801 + 170 * 1.15) / 691.8);
  }

  void an_empty_type_and_no_cabinet() {
    Sample s;
    s.type = s.add(&Design::rack_types, RackType{.name = "Nothing"});
    const Seen seen = see(s);
    near(seen.figure("taken_front").value + 1, 1);
    QVERIFY(!seen.figure("free_front").has_value());
    QVERIFY(!seen.figure("centre_of_gravity_height").has_value());
    for (const char* code : {"SPC-030", "SPC-031", "SPC-032", "SPC-033", "SPC-034"})
      QCOMPARE(seen.found(code) + seen.found(code, true), Count{0});
  }

  /// Every part of every rack that the catalog's nodes and switches make: figures are finite or say why not.
  void every_part_of_the_catalog() {
    Sample s;
    s.type = s.add(&Design::rack_types, RackType{.name = "All", .rack_part = "ocp-orw"});
    Count at = 1;
    for (const NodePart& p : shipped()->nodes)
      s.put(RackItemKind::node, p.id, 1, std::min<Count>(at += 4, 400));
    for (const SwitchPart& p : shipped()->switches)
      s.put(RackItemKind::network_switch, p.id, 3, 7, RackMount::rear);
    for (const StoragePart& p : shipped()->storage)
      s.put(RackItemKind::storage, p.id, 2, 9, RackMount::front);
    const Seen seen = see(s);
    for (const Figure* f : seen.figures.all()) {
      QVERIFY2(std::isfinite(f->value), f->id.c_str());
      QVERIFY2(f->has_value() || !f->reason.empty(), f->id.c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestRackElevation)
#include "test_rack_elevation.moc"
