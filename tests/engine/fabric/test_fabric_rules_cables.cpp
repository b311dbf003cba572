// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "fabric/network_rules.h"
#include "fabric/wiring_rules.h"
#include "ruled_hall.h"

/// Rules of cables: each where it stays silent and where it complains, with numbers worked by hand.
using namespace hallwright;
using namespace hallwright::test;

namespace {

Design unit() { return hall_of(31, 6); }
template <class F>
Ruled changed(F&& change) {
  return ruled(with_network(unit(), compute_id, change));
}

/// A table of one row about the compute network.
Table row_of(std::string id, std::vector<std::pair<std::string, double>> numbers,
             std::vector<std::pair<std::string, std::string>> words = {}) {
  Table t;
  t.id = std::move(id);
  t.entity_table = "networks";
  t.entities = {compute_id};
  for (auto& [column, value] : numbers)
    t.add_numbers(column, column, kind::count).numbers = {value};
  for (auto& [column, value] : words)
    t.add_words(column, column).words = {value};
  return t;
}
/// The rules on these tables of cabling alone.
Ruled told(std::vector<Table> tables, const Design& d = unit()) {
  Ruled r;
  r.design = d;
  r.catalog = share(shipped_parts());
  LedgerPage page;
  page.page = Page::cabling;
  r.figures.add(StageResult{seal(std::move(page)), share(std::move(tables))});
  r.findings = run_rules({r.design, *r.catalog, r.figures}, fabric_rules());
  return r;
}

} // namespace

class TestFabricRulesCables : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void the_published_unit_is_cabled_without_errors() {
    const Ruled r = ruled(unit());
    for (const char* code : {"FAB-008", "FAB-009", "FAB-010", "FAB-011", "FAB-012", "FAB-013", "FAB-014", "FAB-016",
                             "FAB-017", "FAB-021", "FAB-022"})
      SILENT(r, code);
  }

  void fab_008_ends_that_do_not_match() {
    // Multimode at the node, single mode at the leaf.
    const Ruled fibres = changed([](Network& n) { n.leaf_optic_part = n.spine_optic_part = "mms4x00-ns"; });
    SAYS(fibres, "FAB-008", "of node-leaf");
    SAYS(fibres, "FAB-008", "mmf");
    CLEARS(fibres, "FAB-008");
    // Adapters of 200 Gbit/s at links of 400.
    SAYS(ruled(with_part(unit(), "node", "dgx-h100", "nic_compute_gbit_s", "200 Gb/s")), "FAB-008",
         "links of 400 Gbit/s end at ports of 200 Gbit/s of DGX H100");
    // Nothing named and nothing in the catalog: not decided.
    Catalog empty = shipped_parts();
    empty.optics = {};
    empty.cables = {};
    const Ruled undecided = ruled(with_network(unit(), compute_id,
                                               [](Network& n) {
                                                 n.node_optic_part = n.leaf_optic_part = n.spine_optic_part = "";
                                                 n.node_cable_part = n.spine_cable_part = "";
                                               }),
                                  empty);
    QVERIFY2(undecided.found("FAB-008") > 0 && undecided.the("FAB-008").undecided, undecided.all().c_str());
    QVERIFY(undecided.the("FAB-008").severity == Severity::warning);
  }

  void fab_009_module_that_its_cage_does_not_take() {
    // A finned twin module in the node's cage for flat tops.
    const Ruled finned = changed([](Network& n) { n.node_optic_part = "mma4z00-ns"; });
    SAYS(finned, "FAB-009", "the cage of the node takes");
    CLEARS(finned, "FAB-009");
    // 15 W in a cage of 12 W.
    SAYS(ruled(with_part(unit(), "switch", "qm9700", "cage_power_w", "12 W")), "FAB-009",
         "draws 15 W, the cage of the leaf allows 12 W");
  }

  void fab_010_two_kinds_of_cable_in_one_cage() {
    const Ruled r = told({row_of(
        "cabling.problems", {{"links", 2}},
        {{"class", "leaf-spine"}, {"what", "mixed cage"}, {"sentence", "1 cage holds links of another class, too"}})});
    QCOMPARE(r.found("FAB-010"), Count{1});
    QVERIFY(r.the("FAB-010").message == "Compute, 2 links of leaf-spine: 1 cage holds links of another class, too");
    QCOMPARE(r.found("FAB-008") + r.found("FAB-009") + r.found("FAB-011"), Count{0});
  }

  void fab_011_medium_beyond_its_reach() {
    const auto copper = [](Network& n) {
      n.uplink_medium = LinkMedium::passive_copper;
      n.leaf_optic_part = n.spine_optic_part = n.spine_cable_part = "";
      n.node_optic_part = n.node_cable_part = "";
      n.node_medium = LinkMedium::passive_copper; // rows of nodes are farther than 2 m from the fabric racks
    };
    const Ruled r = changed(copper);
    SAYS(r, "FAB-011", "longer than passive copper can be");
    CLEARS(r, "FAB-011");
    // Three panels have six joints; reach figures have four in them.
    const Ruled panels = changed([](Network& n) { n.patch_panels = 3; });
    SAYS(panels, "FAB-011", "6 joints of 3 patch panels in a link; the reach of its modules has 4 in it");
    CLEARS(panels, "FAB-011");
    SILENT(changed([](Network& n) { n.patch_panels = 2; }), "FAB-011");
  }

  void fab_012_loss_above_the_budget() {
    // A reach of 50 m takes 4 * 0.35 + 0.05 * 3 = 1.55 dB. Two panels have the same four joints; what is left is the
    // fibre that is not used, less than 0.15 dB.
    const Ruled narrow = changed([](Network& n) { n.patch_panels = 2; });
    SAYS(narrow, "FAB-012", "of 1.55 dB (estimate from the reach of its modules)");
    QVERIFY(narrow.the("FAB-012").severity == Severity::warning);
    CLEARS(narrow, "FAB-012");
    SILENT(changed([](Network& n) { n.patch_panels = 1; }), "FAB-012"); // 0.7 dB and a little fibre
    // A stated 1.0 dB for the channel: four joints alone have 1.4 dB.
    const Ruled over = ruled(with_part(with_network(unit(), compute_id, [](Network& n) { n.patch_panels = 2; }),
                                       "optic", "mma4z00-ns", "channel_loss_db", "1"));
    SAYS(over, "FAB-012", "of 1.00 dB; 0.4");
    QVERIFY(over.the("FAB-012").severity == Severity::error);
    CLEARS(over, "FAB-012");
  }

  void fab_013_connectors_that_do_not_close() {
    // Parallel sockets at the node, duplex ones at the leaf.
    const Ruled r = changed([](Network& n) {
      n.node_optic_part = "mms4x00-ns-flt";
      n.leaf_optic_part = n.spine_optic_part = "mms4x50-nm";
      n.node_cable_part = "smf-mpo-400";
      n.spine_cable_part = "smf-lc-400";
    });
    SAYS(r, "FAB-013", "does not fit");
    CLEARS(r, "FAB-013");
    // A flat polish of the fibre in angled sockets; the part itself is wrong, so choosing again may take it again.
    SAYS(ruled(with_part(unit(), "cable", "mmf-mpo-400", "polish", "UPC")), "FAB-013", "mixed polish");
  }

  void fab_014_split_cable_at_two_switches() {
    // Two links of one spine cage go to two leafs, two others to one leaf; the third cable ends in nodes.
    Wiring w;
    for (const auto kind :
         {DeviceKind::node, DeviceKind::node, DeviceKind::leaf, DeviceKind::leaf, DeviceKind::spine}) {
      WiredDevice d;
      d.kind = kind;
      w.devices.push_back(d);
    }
    const auto link = [&](std::uint32_t near, std::uint32_t far) {
      WiredLink l;
      l.near = near;
      l.far = far;
      w.links.push_back(l);
    };
    link(0, 2), link(1, 2);
    link(2, 4), link(3, 4);
    link(2, 4), link(2, 4);
    CablePlan plan;
    plan.links.resize(6);
    for (std::uint32_t i = 0; i < 6; ++i)
      plan.links[i].cable = i / 2 * 2;
    QCOMPARE(cables_to_two_switches(w, plan), Count{0}); // no choice splits
    LinkChoice split;
    split.shape = CableShape::split;
    plan.choices = {split};
    QCOMPARE(cables_to_two_switches(w, plan), Count{1});
    SAYS(told({row_of("cabling.networks", {{"cables_apart", 3}})}), "FAB-014",
         "Compute: 3 split cables end at two or more switches");
    SILENT(told({row_of("cabling.networks", {{"cables_apart", 0}})}), "FAB-014");
    SILENT(told({row_of("cabling.networks", {{"cables_apart", 3}})},
                with_network(unit(), compute_id, [](Network& n) { n.planes = 2; })),
           "FAB-014");
  }

  void fab_015_length_that_is_bought_and_not_needed() {
    const auto assemblies = [](double waste) {
      return std::vector{row_of("cabling.assemblies", {{"length", 10}, {"cables", 4}, {"waste", waste}})};
    };
    SILENT(told(assemblies(12.0)), "FAB-015"); // 30 % of 40 m
    const Ruled much = told(assemblies(16.0));
    SAYS(much, "FAB-015", "16 m of 40 m ordered go beyond the routes (40 %; more than 30 % is pointed out)");
    QVERIFY(much.the("FAB-015").severity == Severity::note);
    const Ruled short_ones = told(assemblies(-2.0));
    SAYS(short_ones, "FAB-015", "ordered shorter than their routes, by 2.0 m");
    QVERIFY(short_ones.the("FAB-015").severity == Severity::error);
    // In the hall: cables made to length leave no more than a tenth of a metre each.
    const Ruled stock = ruled(unit());
    if (stock.found("FAB-015") > 0) CLEARS(stock, "FAB-015");
    SILENT(changed([](Network& n) { n.cable_lengths = CableLengths::cut; }), "FAB-015");
  }

  void fab_016_tray_too_full() {
    Design d = unit();
    Tray tray;
    tray.id = 500;
    tray.name = "Tray 1";
    tray.hall = 5;
    tray.path = {{1000, 1600}, {8000, 1600}};
    tray.width = millimeters(300);
    tray.height = millimeters(100);
    d.trays = share(std::vector{tray});
    const Ruled wide = ruled(d);
    QVERIFY2(wide.figures.find("cabling.tray.500.fill"), "the tray carries no cable");
    SILENT(wide, "FAB-016");
    tray.width = millimeters(50);
    tray.height = millimeters(50);
    d.trays = share(std::vector{tray});
    const Ruled narrow = ruled(d);
    // Each fibre cable is 3 mm thick: 7.07 mm2 of 2,500 mm2.
    const Figure* fill = narrow.figures.find("cabling.tray.500.fill");
    const Figure* area = narrow.figures.find("cabling.tray.500.cable_area");
    QVERIFY(fill && area);
    QVERIFY(std::abs(fill->value - area->value / 2500e-6) < 1e-9);
    QVERIFY2(fill->value > 0.4, std::to_string(fill->value).c_str());
    SAYS(narrow, "FAB-016", "Tray 1 is filled to");
    CLEARS(narrow, "FAB-016");
    // The plan's own estimate is silent where cables are planned.
    for (const Finding& f : run_rules({narrow.design, *narrow.catalog, narrow.figures}, space_rules()))
      QVERIFY2(f.message.find("is filled to") == std::string::npos, f.message.c_str());
  }

  void fab_017_copper_bundle_without_room() {
    // DGX H100 is 897.1 mm deep. Copper of 8 mm and a radius of 50 mm needs 60 + 50 + 4 = 114 mm behind its plug.
    // One link to a cage of a node: two of them share a split cable from a cage of the leaf.
    const Design single = with_part(unit(), "assumption", "fabric.node_cage_links.dgx-h100", "value", "1");
    const auto of_depth = [&](double depth_mm) {
      Design d = with_network(single, compute_id, [](Network& n) {
        n.node_optic_part = n.leaf_optic_part = n.node_cable_part = "";
        n.node_medium = LinkMedium::passive_copper;
      });
      return ruled(
          with(d, &Design::rack_types, [&](std::vector<RackType>& types) { types[0].depth = millimeters(depth_mm); }));
    };
    SAYS(of_depth(1000), "FAB-017", "DGX H100 leaves 103 mm of the 1000 mm of Air");
    SAYS(of_depth(1000), "FAB-017", "asks for 114 mm behind the plug");
    SILENT(of_depth(1012), "FAB-017"); // 114.9 mm
  }

  void fab_018_fibres_of_a_module_differ() {
    // 30 m and 20 m: 45 ns.
    SAYS(told({row_of("cabling.networks", {{"skew", 45e-9}})}), "FAB-018", "differ by up to 10.0 m or 45 ns");
    SILENT(told({row_of("cabling.networks", {{"skew", 22.5e-9}})}), "FAB-018");
  }

  void fab_021_power_that_no_rack_carries() {
    // No switch is drawn: 128 modules in leafs towards nodes and managers, 128 up, 128 in spines, 15 W each, and two
    // of the managers. Their places are not drawn either.
    const Ruled undrawn = ruled(hall_of(31, 0));
    SAYS(undrawn, "FAB-021", "sit in devices that no rack holds");
    SAYS(undrawn, "FAB-021", "5.7");
    SILENT(ruled(unit()), "FAB-021");
    // The power of the 2 km module is not known.
    const Ruled silent = changed([](Network& n) {
      n.node_optic_part = "";
      n.leaf_optic_part = n.spine_optic_part = "mms4x50-nm";
      n.node_cable_part = n.spine_cable_part = "smf-lc-400";
    });
    SAYS(silent, "FAB-021", "no stated power");
    QVERIFY(silent.the("FAB-021").undecided);
  }

  void fab_022_switch_beyond_its_supplies() {
    // 747 W and 32 modules of 15 W: 1,227 W. The stated maximum is 1,720 W.
    SILENT(ruled(unit()), "FAB-022");
    const Design two = with_part(unit(), "switch", "qm9700", "power_supplies", "2");
    SILENT(ruled(with_part(two, "switch", "qm9700", "supply_w", "1300 W")), "FAB-022");
    const Ruled weak = ruled(with_part(two, "switch", "qm9700", "supply_w", "1200 W"));
    SAYS(weak, "FAB-022",
         "747 W and the modules in a leaf 480 W on average, 1227 W together (estimate); with one of 2 supplies failed "
         "1200 W are left");
    QVERIFY(weak.the("FAB-022").severity == Severity::error);
    const Ruled above = ruled(with_part(unit(), "switch", "qm9700", "power_max_w", "1200 W"));
    SAYS(above, "FAB-022", "its maximum is stated as 1200 W");
    QVERIFY(above.the("FAB-022").severity == Severity::warning);
  }
};

QTEST_APPLESS_MAIN(TestFabricRulesCables)
#include "test_fabric_rules_cables.moc"
