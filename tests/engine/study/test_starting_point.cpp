// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "study/starting_point.h"

using namespace hallwright;

/// What a new design begins with. Expected counts are worked by hand from the assumptions of the goal.
class TestStartingPoint : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;

  static double figure(const Evaluation& e, const char* id) {
    const Figure* f = e.figures.find(id);
    return f && f->has_value() ? f->value : -1.0;
  }
  static std::string errors(const Evaluation& e) {
    std::string out;
    for (const Finding& f : e.findings)
      if (f.severity == Severity::error) out += f.code + " " + f.message + "\n";
    return out;
  }
  static Count used(const Job& j) {
    return j.tensor_parallel * j.pipeline_parallel * j.context_parallel * j.data_parallel;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = share(std::move(*catalog));
  }

  void one_megawatt() {
    StartingPoint start;
    start.known = StartingPoint::Known::site_power;
    const Design d = starting_design(start, catalog_);
    const auto e = evaluate(d, catalog_);
    QVERIFY(e);
    // 1000 kW / 1.25 = 800 kW; 800 kW / (10.2 kW x 1.10) = 71.3 nodes of 8 GPUs.
    QCOMPARE(figure(*e, "population.gpus"), 568.0);
    // Replicas of 8 x 4 GPUs: 17 of them.
    QCOMPARE(d.job->model_part, std::string("llama3-1-70b"));
    QCOMPARE(used(*d.job), Count(544));
    QCOMPARE(d.job->global_batch_sequences % d.job->data_parallel, Count(0));
    QVERIFY2(errors(*e).empty(), errors(*e).c_str());
  }

  void a_number_of_gpus_sets_the_site() {
    StartingPoint start;
    start.known = StartingPoint::Known::gpus;
    start.gpus = 1024;
    const Design d = starting_design(start, catalog_);
    const auto e = evaluate(d, catalog_);
    // 128 nodes x 10.2 kW x 1.10 x 1.25 = 1795.2 kW: two digits that are not smaller are 1.8 MW.
    QCOMPARE(in_watts(*d.site->utility_power), 1.8e6);
    QCOMPARE(figure(*e, "population.gpus"), 1024.0);
    QCOMPARE(used(*d.job), Count(1024));
    QVERIFY2(errors(*e).empty(), errors(*e).c_str());
  }

  void sizes_and_nodes_data() {
    QTest::addColumn<qlonglong>("gpus");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("model");
    QTest::newRow("one node") << 8ll << "dgx-h100" << "llama3-1-8b";
    QTest::newRow("three nodes") << 24ll << "dgx-h100" << "llama3-1-8b";
    QTest::newRow("512") << 512ll << "dgx-h100" << "llama3-1-70b";
    QTest::newRow("16,384") << 16384ll << "dgx-h100" << "llama3-1-405b";
    QTest::newRow("100,000") << 100000ll << "dgx-b200" << "llama3-1-405b";
  }
  void sizes_and_nodes() {
    QFETCH(qlonglong, gpus);
    QFETCH(QString, node);
    QFETCH(QString, model);
    StartingPoint start;
    start.known = StartingPoint::Known::gpus;
    start.gpus = gpus, start.node_part = node.toStdString();
    const Design d = starting_design(start, catalog_);
    QCOMPARE(QString::fromStdString(d.job->model_part), model);
    QVERIFY2(used(*d.job) <= gpus && used(*d.job) > gpus * 9 / 10, std::to_string(used(*d.job)).c_str());
    const auto e = evaluate(d, catalog_);
    QVERIFY2(errors(*e).empty(), errors(*e).c_str());
  }

  void every_node_of_the_catalog_begins_without_an_error() {
    for (const PartSummary& p : part_summaries(*catalog_, "node")) {
      StartingPoint start;
      start.known = StartingPoint::Known::site_power;
      start.node_part = p.id;
      const Design d = starting_design(start, catalog_);
      const auto e = evaluate(d, catalog_);
      if (figure(*e, "population.gpus") < 1) { // of a node without a power nothing can be counted
        const NodePart* node = catalog_->find<NodePart>(p.id);
        QVERIFY2(node && !node->power_maximum, p.id.c_str());
        continue;
      }
      QVERIFY2(errors(*e).empty(), (p.id + ": " + errors(*e)).c_str());
    }
  }

  void nothing_known_asks_for_little() {
    const Design d = starting_design({}, catalog_);
    QVERIFY(d.halls->empty() && d.goal->node_part.empty());
    QCOMPARE(used(*d.job), Count(8));
    const auto e = evaluate(d, catalog_);
    QVERIFY2(errors(*e).empty(), errors(*e).c_str());
    QVERIFY(!fitted_job(d, catalog_));
  }

  /// Nobody has named a utility power: nothing is compared with one, and what rests on it says so.
  void nothing_known_has_no_utility_power() {
    Design d = starting_design({}, catalog_);
    QVERIFY(!d.site->utility_power);
    RackType type;
    type.name = "DGX rack", type.rack_part = "generic-48u-600x1200";
    Made made = add_entity(d, &Design::rack_types, type);
    RackItem item;
    item.rack_type = made.entities.front().id, item.part = "dgx-h100", item.count = 4;
    const Id type_id = item.rack_type;
    d = add_entity(made.design, &Design::rack_items, item).design;
    for (int i = 0; i < 40; ++i) { // 40 x 4 x 10.2 kW: more than the 1 MW that is nobody's any more
      Rack rack;
      rack.name = "R" + std::to_string(i), rack.rack_type = type_id;
      d = add_entity(d, &Design::racks, rack).design;
    }
    const auto e = evaluate(d, catalog_);
    QVERIFY(figure(*e, "power.it") > 1.6e6 && figure(*e, "power.facility") > 1.6e6);
    for (const char* id : {"power.it_capacity", "power.utility_headroom"}) {
      const Figure* f = e->figures.find(id);
      QVERIFY2(f && f->completeness == Completeness::not_applicable, id);
      QCOMPARE(f->reason, std::string("no utility power is entered"));
    }
    for (const char* id : {"power.it", "power.facility"}) {
      QCOMPARE(e->figures.find(id)->status, Status::none);
      for (const Finding& f : e->findings)
        QVERIFY2(std::find(f.figures.begin(), f.figures.end(), id) == f.figures.end() || f.code.rfind("PWR", 0) != 0,
                 f.message.c_str());
    }
    // Entered, it is held against them again.
    d = set_by_path(d, "site.utility_power", "1 MW").value();
    QCOMPARE(evaluate(d, catalog_)->figures.find("power.facility")->status, Status::over_limit);
  }

  void as_many_as_the_site_carries_needs_its_power() {
    Design d = starting_design({}, catalog_);
    Goal goal = *d.goal;
    goal.node_part = "dgx-h100";
    d.goal = share(goal);
    const Figure* gpus = nullptr;
    const auto e = evaluate(d, catalog_);
    gpus = e->figures.find("population.gpus");
    QVERIFY(gpus && !gpus->has_value());
    QVERIFY2(gpus->reason.find("no utility power is entered") != std::string::npos, gpus->reason.c_str());
  }
};

QTEST_APPLESS_MAIN(TestStartingPoint)
#include "test_starting_point.moc"
