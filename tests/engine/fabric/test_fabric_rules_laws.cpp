// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <rapidcheck.h>

#include "fabric/network_rules.h"
#include "ruled_hall.h"

/// Over random networks no rule throws or prints what is no number, and a remedy that is applied brings no new error.
using namespace hallwright;
using namespace hallwright::test;

namespace {

Network any_network(Id id, Count k) {
  using rc::gen::element;
  using rc::gen::inRange;
  Network n = compute_network();
  n.id = id;
  n.name = k > 0 && *inRange(0, 8) == 0 ? "N0" : "N" + std::to_string(k);
  n.kind = k == 0
               ? NetworkKind::compute
               : *element(NetworkKind::compute, NetworkKind::storage, NetworkKind::in_band, NetworkKind::out_of_band);
  const auto rarely = [](Count one_in) { return *inRange<Count>(0, one_in) == 0; };
  n.switch_part = *element<std::string>("qm9700", "qm9700", "sn5600", "sn2201", "q3400-ra", "");
  if (rarely(4)) n.radix = *inRange<Count>(2, 140);
  n.link_rate = gigabits_per_second(*element(1.0, 100.0, 200.0, 400.0, 400.0, 400.0, 800.0));
  if (rarely(2)) n.links_per_node = *inRange<Count>(1, 20);
  n.rails = *rc::gen::arbitrary<bool>();
  n.tiers = *element(Tiers::automatic, Tiers::automatic, Tiers::automatic, Tiers::one, Tiers::two, Tiers::three);
  n.nodes_per_unit = *element<Count>(1, 4, 16, 18, 32);
  n.units = *element(UnitRule::whole, UnitRule::lit);
  n.bundles = *element(BundleRule::equal, BundleRule::uneven);
  n.oversubscription = *element(1.0, 1.0, 2.0, 3.0, 0.5);
  n.planes = *element<Count>(1, 1, 1, 2, 4);
  n.reserved_node_places = *inRange<Count>(0, 2);
  n.reserved_links = *inRange<Count>(0, 5);
  if (rarely(2)) {
    n.node_optic_part = n.leaf_optic_part = n.spine_optic_part = n.node_cable_part = n.spine_cable_part = "";
  } else {
    const auto optic = [] {
      return *element<std::string>("mma4z00-ns", "mma4z00-ns-flt", "mma4z00-ns400", "mms4x00-nm", "mms4x50-nm", "");
    };
    n.node_optic_part = optic();
    n.leaf_optic_part = optic();
    n.spine_optic_part = optic();
    n.node_cable_part = *element<std::string>("mmf-mpo-400", "smf-mpo-400", "");
    n.spine_cable_part = *element<std::string>("mmf-mpo-400", "smf-mpo-400", "");
  }
  n.topology =
      *element(Topology::fat_tree, Topology::fat_tree, Topology::fat_tree, Topology::rail_only, Topology::dragonfly);
  n.node_medium =
      *element(LinkMedium::automatic, LinkMedium::automatic, LinkMedium::passive_copper, LinkMedium::active_optical);
  n.uplink_medium =
      *element(LinkMedium::automatic, LinkMedium::automatic, LinkMedium::active_copper, LinkMedium::multimode);
  n.cable_lengths = *element(CableLengths::stock, CableLengths::cut);
  n.patch_panels = *inRange<Count>(0, 5);
  if (rarely(3)) n.spare_share = *element(0.0, 0.01, 0.5);
  n.path_choice = *element(PathChoice::hashed, PathChoice::equal_split, PathChoice::packet_spray);
  n.flows_per_pair = *element<Count>(1, 2, 16, 256);
  if (rarely(6)) n.uplink_rate = gigabits_per_second(800);
  if (rarely(6)) n.reserved_leaf_ports = *inRange<Count>(0, 8);
  return n;
}

/// @param failures with elements out of service, of which some name nothing; a change of the counts may take them away
Design any_design(bool failures_too = true) {
  using rc::gen::element;
  using rc::gen::inRange;
  std::vector<Network> networks;
  const Count many = *inRange<Count>(1, 4);
  for (Count i = 0; i < many; ++i)
    networks.push_back(any_network(compute_id + i, i));
  Design d = hall_of(*inRange<Count>(0, 70), *element<Count>(0, 3, 10), std::move(networks));
  if (*inRange(0, 3) == 0) {
    Tray tray;
    tray.id = 500;
    tray.name = "Tray";
    tray.hall = 5;
    tray.path = {{1000, 1600}, {8000, 1600}};
    tray.width = millimeters(*element(50.0, 300.0));
    d.trays = share(std::vector{tray});
  }
  std::vector<Failure> failures;
  for (Count i = failures_too ? *inRange<Count>(0, 3) : 0; i > 0; --i) {
    Failure f;
    f.id = 600 + static_cast<Id>(failures.size());
    f.network = *element<Id>(0, compute_id, compute_id + 1);
    f.element =
        *element<std::string>("leaf 1", "spine 3", "core 1", "plane 2", "link leaf 1 port 2", "module spine 1 cage 40",
                              "", "leaf", "LEAF 01", "link leaf 1 port -1", "node 99999999999999999999");
    failures.push_back(f);
  }
  d.failures = share(std::move(failures));
  Job job;
  job.expert_parallel = *element<Count>(1, 8, 64);
  d.job = share(job);
  StoragePlan plan;
  plan.system_part = *element<std::string>("", "wekapod-nitro-wps155-8", "ddn-ai400x3m");
  d.storage = share(plan);
  return d;
}

std::string no_number_in(const Ruled& r) {
  for (const Finding& f : r.findings)
    for (const char* word : {"nan", "inf ", "-nan", " inf"})
      if (f.message.find(word) != std::string::npos) return f.code + ": " + f.message;
  return {};
}

} // namespace

class TestFabricRulesLaws : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void no_rule_throws_and_numbers_are_numbers() {
    QVERIFY(rc::check("rules on random networks", [] {
      const Ruled r = ruled(any_design());
      const std::string wrong = no_number_in(r);
      if (!wrong.empty()) RC_FAIL(wrong);
      for (const Finding& f : r.findings) {
        RC_ASSERT(!f.message.empty());
        RC_ASSERT(!f.entities.empty());
        for (const EntityRef& e : f.entities)
          RC_ASSERT(has_entity(r.design, e));
      }
    }));
  }

  void a_remedy_brings_no_new_error() {
    QVERIFY(rc::check("remedies on random networks", [] {
      const Ruled before = ruled(any_design(false));
      for (const Finding& f : before.findings)
        for (const Remedy& remedy : f.remedies) {
          const Edited edited = remedy.edit.apply(before.design);
          if (!edited) RC_FAIL(f.code + ", " + remedy.edit.label + " refuses: " + edited.error());
          const Ruled after = ruled(*edited);
          for (const Finding& error : after.findings) {
            if (error.severity != Severity::error) continue;
            // Not new: the same kind of error at the same place, and what could not show before, since a network was
            // not built at all, or some of its cables not chosen that now fill a tray.
            const bool known = std::any_of(before.findings.begin(), before.findings.end(), [&](const Finding& x) {
              if (x.severity != Severity::error) return false;
              if (error.code == "FAB-016" && (x.code == "FAB-008" || x.code == "FAB-005")) return true;
              // Ports for the switches of the network that is built now.
              if (error.code == "FAB-005" && x.code == "FAB-005") return true;
              return x.entities == error.entities && (x.code == error.code || x.code == "FAB-005");
            });
            if (!known)
              RC_FAIL(f.code + ", " + remedy.edit.label + " brings " + error.code + " " + error.message +
                      "\nbefore:\n" + before.all());
          }
        }
    }));
  }

  /// What ships speaks too: every rule runs on every project, and every remedy applies.
  void shipped_projects() {
    for (const auto& entry : std::filesystem::directory_iterator(HALLWRIGHT_SOURCE_DIR "/projects")) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".hall.json") || name == "hundred-thousand.hall.json") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      auto opened =
          read_project(std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}, name);
      QVERIFY2(opened, name.c_str());
      const Ruled r = ruled(opened->design);
      qInfo("%s\n%s", name.c_str(), r.all().c_str());
      QVERIFY2(no_number_in(r).empty(), no_number_in(r).c_str());
      for (const Finding& f : r.findings)
        for (const Remedy& remedy : f.remedies)
          QVERIFY2(remedy.edit.apply(r.design), (name + " " + f.code).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestFabricRulesLaws)
#include "test_fabric_rules_laws.moc"
