// SPDX-License-Identifier: GPL-3.0-or-later
// A cap of a rack or a row in a whole design: load, heat, facility, the clock of the job and what it costs; coolant that is
// warmer than the racks of the job take.
#include <QtTest>

#include <cmath>
#include <set>

#include "design/edits.h"
#include "engine/evaluation/generated_hall.h"
#include "evaluation/evaluation.h"
#include "project/project_file.h"

using namespace hallwright;
using test::must;

namespace {

const Shared<Catalog>& catalog() {
  static const Shared<Catalog> read = [] {
    auto c = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    if (!c) qFatal("%s", c.error().c_str());
    return share(*std::move(c));
  }();
  return read;
}
/// 127 DGX H100 of 10.2 kW, four a rack; a job on 120 of them.
Design superpod() {
  auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/superpod-h100-4su.hall.json");
  if (!opened) qFatal("%s", opened.error().c_str());
  return opened->design;
}
Evaluation evaluated(const Design& d, const Evaluation* before = nullptr) { return *evaluate(d, catalog(), before); }
double value(const Evaluation& e, const char* id) {
  const Figure* f = e.figures.find(id);
  if (!f || !f->has_value()) qFatal("no figure %s", id);
  return f->value;
}
std::vector<Finding> of(const Evaluation& e, const char* code) {
  std::vector<Finding> out;
  for (const Finding& f : e.findings)
    if (f.code == code) out.push_back(f);
  return out;
}
Id rack_named(const Design& d, const std::string& name) {
  for (const Rack& r : *d.racks)
    if (r.name == name) return r.id;
  qFatal("no rack %s", name.c_str());
}
Design capped(const Design& d, const std::string& rack, double kilowatts_of_cap) {
  return must(set_field(d, {"racks", rack_named(d, rack)}, "power_cap", FieldValue(kilowatts_of_cap * 1e3)));
}
/// Racks that hold none of the job's nodes.
std::vector<std::string> spare_racks(const Evaluation& e) {
  std::set<Id> used, all;
  for (const std::uint32_t node : e.traffic->placement->node_order) used.insert(e.traffic->drawn->rack_of(node));
  for (std::uint32_t node = 0; node < 127; ++node) all.insert(e.traffic->drawn->rack_of(node));
  std::vector<std::string> out;
  for (const Rack& r : *e.design.racks)
    if (all.count(r.id) && !used.count(r.id)) out.push_back(r.name);
  return out;
}

} // namespace

class TestRackCaps : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// One rack of 31 like it held to 30 kW. What it asks is 40.8 kW of nodes and their modules; all else that follows is
  /// the difference. GPUs share it: 32 of 700 W lose (asked - 30 kW) / 32 each, and the clock goes with the cube root.
  void one_rack_holds_up_the_job() {
    const Design d = superpod();
    const Evaluation before = evaluated(d);
    const Design held = capped(d, "R01-01", 30);
    const Evaluation after = evaluated(held, &before);
    const RackClassLoad& load = after.load->rack_classes[after.load->class_of_rack[0]];
    QCOMPARE(in_kilowatts(load.power.value), 30.0);
    const double asked = in_watts(load.asked.value);
    QVERIFY(asked > 40.8e3 && asked < 43e3);
    QVERIFY(std::abs(value(before, "load.it") - value(after, "load.it") - (asked - 30e3)) < 1e-3);
    QVERIFY(value(after, "power.facility") < value(before, "power.facility"));
    const double limit = 700 - (asked - 30e3) / 32;
    QVERIFY(std::abs(value(after, "training.gpu_limit") - limit) < 1e-6);
    const double idle = catalog()->find<Assumption>("power.gpu_idle_to_maximum")->value.value() * 700;
    QVERIFY(std::abs(value(after, "training.clock_share") - std::cbrt((limit - idle) / (700 - idle))) < 1e-9);
    QVERIFY(value(after, "training.step_time") > value(before, "training.step_time"));
    QVERIFY(std::abs(value(after, "training.step_time_without_caps") - value(before, "training.modelled_step_time")) < 1e-9);
    QVERIFY(value(after, "reliability.wall_time") > value(before, "reliability.wall_time"));
    const auto found = of(after, "TRN-011");
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY2(found[0].message.find("R01-01") != std::string::npos && found[0].message.find(" W by a cap") != std::string::npos &&
                 found[0].message.find("of the cost of the run") != std::string::npos, found[0].message.c_str());
    QVERIFY(of(before, "TRN-011").empty() && of(after, "LOD-006").empty());
    // Held alike the others spare power, and the step stays as long.
    const Evaluation alike = evaluated(must(found[0].remedies.front().edit.apply(held)), &after);
    QVERIFY(std::abs(value(alike, "training.step_time") / value(after, "training.step_time") - 1) < 1e-9);
    QVERIFY(value(alike, "load.it") < value(after, "load.it"));
    QVERIFY(of(alike, "TRN-011").empty());
  }

  /// Where every rack of the job is held alike none waits for another, and none is named; where some are, those wait.
  void racks_that_are_all_held_alike_hold_up_none() {
    const Design d = superpod();
    const Evaluation before = evaluated(d);
    Design held = d;
    for (const Rack& r : *d.racks) held = must(set_field(held, {"racks", r.id}, "power_cap", FieldValue(30e3)));
    const Evaluation after = evaluated(held, &before);
    const auto found = of(after, "TRN-011");
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY2(found[0].message.starts_with("GPUs in all ") && found[0].message.find(" racks of the job are held to ") != std::string::npos &&
                 found[0].message.find(", all alike: ") != std::string::npos && found[0].message.find("wait") == std::string::npos &&
                 found[0].message.find("R0") == std::string::npos,
             found[0].message.c_str());
    QVERIFY(found[0].remedies.empty());
    QVERIFY2(found[0].where.find("R0") == std::string::npos, found[0].where.c_str());
    const Figure* limit = after.figures.find("training.gpu_limit");
    QVERIFY2(limit && limit->label.find("all ") != std::string::npos, limit ? limit->label.c_str() : "none");
    // Two of them alike: the rest waits.
    const Evaluation two = evaluated(capped(capped(d, "R01-01", 30), "R01-02", 30), &before);
    const auto some = of(two, "TRN-011");
    QCOMPARE(some.size(), std::size_t(1));
    QVERIFY2(some[0].message.starts_with("GPUs in R01-01 and 1 more rack are held to ") && some[0].message.find("all others wait") != std::string::npos,
             some[0].message.c_str());
  }

  /// With its GPUs idle the rack draws 40.8 - 32 x (0.7 - 0.07) kW and its modules: 5 kW cannot be held, and there is no step.
  void a_cap_that_cannot_be_held_leaves_no_step() {
    const Design d = superpod();
    const Evaluation e = evaluated(capped(d, "R01-01", 5));
    QCOMPARE(of(e, "LOD-006").size(), std::size_t(1));
    const Figure* step = e.figures.find("training.step_time");
    QVERIFY(step && !step->has_value());
    QVERIFY2(step->reason.find("R01-01") != std::string::npos, step->reason.c_str());
    QVERIFY(of(e, "TRN-011").empty());
  }

  /// A rack without nodes of the job slows nothing.
  void a_rack_beside_the_job_slows_nothing() {
    Design d = superpod();
    d = must(set_field(d, {"job", 0}, "data_parallel", FieldValue(std::int64_t{15}))); // 60 of 127 nodes
    const Evaluation before = evaluated(d);
    const auto spare = spare_racks(before);
    QVERIFY(!spare.empty());
    const Evaluation after = evaluated(capped(d, spare.front(), 30), &before);
    QVERIFY(value(after, "load.it") < value(before, "load.it"));
    QCOMPARE(value(after, "training.step_time"), value(before, "training.step_time"));
    QVERIFY(of(after, "TRN-011").empty());
  }

  /// Edit by edit or at once: the same.
  void a_memory_of_the_last_design_changes_nothing() {
    const Design d = superpod();
    const Evaluation first = evaluated(d);
    Id row = 0;
    for (const Rack& r : *d.racks)
      if (r.name == "R01-01") row = r.row;
    QVERIFY(row != 0);
    const Design held = must(set_field(d, {"rows", row}, "power_cap", FieldValue(250e3)));
    const Evaluation step = evaluated(held, &first), fresh = evaluated(held);
    for (const char* id : {"load.it", "load.in_racks", "cooling.air_heat", "power.facility", "training.step_time", "training.gpu_limit", "budget.total"}) {
      const Figure *a = step.figures.find(id), *b = fresh.figures.find(id);
      if (!b && !a) continue;
      QVERIFY2(a && b && a->value == b->value, id);
    }
    QVERIFY(value(step, "load.it") < value(first, "load.it"));
    QCOMPARE(of(step, "TRN-011").size(), std::size_t(1));
    const Evaluation back = evaluated(d, &step);
    QCOMPARE(value(back, "training.step_time"), value(first, "training.step_time"));
    QCOMPARE(value(back, "load.it"), value(first, "load.it"));
  }

  /// Racks of NVL72 take coolant up to what their parts state; 10 K above it the step time holds no longer, and says so.
  void warm_coolant_is_told() {
    auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/nvl72-16-racks.hall.json");
    QVERIFY(opened);
    const Design& d = opened->design;
    const Evaluation before = evaluated(d);
    QVERIFY(of(before, "TRN-012").empty());
    double warmest = 0;
    Id loop = 0;
    for (const CoolantLoop& l : *d.loops)
      if (const Figure* f = before.figures.find("cooling.loop." + std::to_string(l.id) + ".supply_temperature"))
        if (const Figure* limit = before.figures.at(f->limit)) warmest = limit->value, loop = l.id;
    QVERIFY(loop != 0 && warmest > 290 && warmest < 340);
    const Design warm = must(set_field(d, {"loops", loop}, "supply_temperature", FieldValue(warmest + 10.0)));
    const auto found = of(evaluated(warm), "TRN-012");
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY2(found[0].message.find("10.0 K above") != std::string::npos && found[0].message.find("lower bound") != std::string::npos, found[0].message.c_str());
    const auto mended = found[0].remedies.front().edit.apply(warm);
    QVERIFY(mended);
    QVERIFY(of(evaluated(*mended), "TRN-012").empty());
  }

  /// Flows that a hash lays on uplinks collide; packets that are sprayed do not.
  void hashed_paths_slow_what_climbs() {
    const Design d = superpod();
    Id network = 0;
    for (const Network& n : *d.networks)
      if (n.kind == NetworkKind::compute) network = n.id;
    const auto with = [&](const char* choice) { return evaluated(must(set_field(d, {"networks", network}, "path_choice", FieldValue(std::string(choice))))); };
    const Evaluation hashed = with("hashed"), sprayed = with("packet spray");
    QVERIFY(value(hashed, "training.step_time") >= value(sprayed, "training.step_time"));
    QVERIFY(hashed.figures.find("traffic.slowest_flow") && !sprayed.figures.find("traffic.slowest_flow"));
    const double share = value(hashed, "traffic.slowest_flow");
    QVERIFY(share > 0.2 && share < 0.5);
  }
};

QTEST_GUILESS_MAIN(TestRackCaps)
#include "test_rack_caps.moc"
