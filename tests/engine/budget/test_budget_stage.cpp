// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>

#include <rapidcheck.h>

#include "budget/budget.h"
#include "budget/cost_formulas.h"
#include "budget/formulas.h"
#include "engine/training/job_fixture.h"

using namespace hallwright;
using namespace hallwright::fixture;

namespace {

struct Setting {
  BudgetPlan plan;
  Site site;
  StoragePlan storage;
  std::vector<RackType> types;
  std::vector<RackItem> items;
  Count nodes = 100;
  std::string node_part = "dgx-h100";
  std::vector<RackTypePopulation> racks; ///< figures are made in `run`
  Power it = megawatts(1), facility = megawatts(1.25);
  std::optional<Money> fabric = dollars(5e6);
  double goodput = 0.9;
  Job job = llama_job();
  bool no_network = false;
};

/// 100 nodes of 8 GPUs at 300,000 USD, 1 MW of IT at 12 USD/W, 0.08 USD/kWh.
Setting worked_example() {
  Setting s;
  s.plan.node_price = dollars(300000);
  s.plan.facility_price = dollars_per_watt(12);
  s.plan.years_of_service = 4;
  s.plan.discount_rate = 0.08;
  s.plan.annual_maintenance_share = 0.03;
  s.plan.annual_staff_cost_share = 0.01;
  s.plan.mean_load_share = 0.8;
  s.plan.availability = 0.95;
  s.plan.facility_life = years(15);
  s.site.electricity_price = dollars_per_kilowatt_hour(0.08);
  s.storage.system_part.clear();
  s.job.data_parallel = 6; // 8 x 16 x 6 = 768 of 800 GPUs
  s.job.global_batch_sequences = 1536;
  return s;
}

struct Outcome {
  PopulationResult population;
  BudgetResult budget;
  TrainingResult training;
  Figures figures;
};

Outcome run(const Setting& s) {
  Outcome o;
  {
    o.population = h100_cluster(s.nodes);
    Ledger ledger(Page::population);
    const auto eight = ledger.counted("population.gpus_per_node", "GPUs of a node", 8, "test");
    o.population.nodes = ledger.counted("population.nodes", "Nodes", s.nodes, "test");
    o.population.accelerators = ledger.counted("population.gpus", "GPUs", s.nodes * 8, "test");
    o.population.accelerators_per_node = eight;
    o.population.node_kinds.clear();
    if (s.nodes > 0) o.population.node_kinds.push_back({s.node_part, o.population.nodes, eight, o.population.accelerators});
    for (RackTypePopulation type : s.racks) {
      type.racks_figure = ledger.counted("population.rack_type." + std::to_string(type.rack_type) + ".racks", "Racks", type.racks, "test");
      o.population.rack_types.push_back(type);
    }
    o.population.page = ledger.finish_page();
  }
  o.training = train(s.job, o.population);
  FabricResult fabric;
  Ledger fabric_ledger(Page::fabric);
  fabric.parts_cost = s.no_network ? fabric_ledger.absent<Money>("fabric.parts_cost", "Fabric", Completeness::not_applicable, "no network is described")
                      : s.fabric ? fabric_ledger.measured<Money>("fabric.parts_cost", "Fabric", *s.fabric, "test")
                               : fabric_ledger.absent<Money>("fabric.parts_cost", "Fabric", Completeness::unknown, "no price of a switch");
  fabric.page = fabric_ledger.finish_page();
  LoadResult load;
  Ledger load_ledger(Page::load);
  load.it = load_ledger.measured<Power>("load.it", "IT load", s.it, "test");
  load.page = load_ledger.finish_page();
  PowerResult power;
  Ledger power_ledger(Page::power);
  power.facility = power_ledger.measured<Power>("power.facility", "Facility power", s.facility, "test");
  power.page = power_ledger.finish_page();
  ReliabilityResult reliability;
  Ledger reliability_ledger(Page::reliability);
  reliability.goodput = reliability_ledger.measured<double>("reliability.goodput", "Goodput", s.goodput, "test");
  reliability.page = reliability_ledger.finish_page();
  o.budget = budget({share(s.plan), share(s.site), share(s.storage), share(s.types), share(s.items), share(std::vector<Rack>{}),
                     share(std::vector<PowerUnit>{}), share(std::vector<CoolingUnit>{}), shipped_catalog()},
                    o.population, fabric, load, power, o.training, reliability);
  for (const StageResult* r : std::initializer_list<const StageResult*>{&o.population, &fabric, &load, &power, &o.training, &reliability, &o.budget})
    o.figures.add(*r);
  return o;
}

double usd(const Traced<Money>& m) { return in_dollars(m.value); }

std::vector<Finding> findings_of(const Setting& s) {
  const Outcome o = run(s);
  Design d;
  d.budget = share(s.plan);
  return run_rules({d, *shipped_catalog(), o.figures}, budget_rules());
}

std::size_t count_of_code(const std::vector<Finding>& findings, std::string_view code) {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; }));
}

} // namespace

class TestBudgetStage : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// 8 GPUs dark at 2 USD: 16 USD an hour where the job runs elsewhere. With one of its 1,000 GPUs among them it stands
  /// still: 2,000 USD.
  void anHourInTheDarkByHand() {
    const auto at = [](Count dark, double of_job, Count job) {
      return base_value(*cost_of_dark_hour.function(dollars_per_hour(2), dark, of_job, job)) * 3600;
    };
    QVERIFY(near(at(8, 0, 1000), 16, 1e-12));
    QVERIFY(near(at(8, 0.001, 1000), 2000, 1e-12));
    QVERIFY(near(at(1200, 1, 1000), 2400, 1e-12));
    QCOMPARE(at(0, 0, 1000), 0.0);
    QVERIFY(!cost_of_dark_hour.function(dollars_per_hour(2), 8, 1.5, 1000));
  }

  void workedExampleByHand() {
    const Outcome o = run(worked_example());
    const BudgetResult& b = o.budget;
    QCOMPARE(usd(b.nodes), 30e6);       // 100 x 300,000
    QCOMPARE(usd(b.facility), 12e6);    // 1 MW x 12 USD/W
    QCOMPARE(usd(b.capital), 47e6);     // and 5 million of fabric
    // 1.25 MW x 0.8 x 8766 h = 8766 MWh, at 80 USD/MWh: 701,280.
    QVERIFY(near(base_value(b.annual_energy.value), 8766e6 * 3600, 1e-12));
    QVERIFY(near(usd(b.annual_energy_cost), 701280, 1e-12));
    // 3 % and 1 % of 35 million of IT: 1,050,000 and 350,000.
    QVERIFY(near(usd(b.annual_operating), 701280 + 1050000 + 350000, 1e-12));
    QVERIFY(near(usd(b.total), 47e6 + 4 * 2101280, 1e-12));
    // CRF 8 %: 4 years 0.08 / (1 - 1.08^-4) = 0.3019208; 15 years 0.1168295.
    // 35e6 x 0.3019208 + 12e6 x 0.1168295 + 2,101,280 = 14,070,463; over 800 x 8766 x 0.95 x 0.9 = 5,995,944 h: 2.346663.
    QVERIFY(near(base_value(b.cost_per_gpu_hour.value) * 3600, 2.346663, 1e-5));
    // 768 GPUs for the compute time: stops are in the price of the hour, and not counted again.
    const double hours_used = 768 * in_hours(o.training.compute_time.value);
    QVERIFY(near(usd(b.run_cost), 2.346663 * hours_used, 1e-5));
    QVERIFY(near(usd(b.cost_per_million_tokens), 2.346663 * hours_used / 15.6e6, 1e-5));
    QCOMPARE(b.storage.completeness, Completeness::not_applicable);
  }
  void capitalRecoveryByHand() {
    QVERIFY(near(capital_recovery_factor.function(0.08, 4).value(), 0.08 / (1 - 1 / 1.36048896), 1e-9)); // 1.08^4
    QVERIFY(near(capital_recovery_factor.function(0.05, 10).value(), 0.1295046, 1e-6));                  // annuity tables
    QCOMPARE(capital_recovery_factor.function(0.0, 5).value(), 0.2);
    // A year and a half: 0.08 / (1 - 1.08^-1.5), with 1.08^1.5 = 1.08 x sqrt(1.08) = 1.122368923.
    QVERIFY(near(capital_recovery_factor.function(0.08, 1.5).value(), 0.7337608, 1e-6));
  }
  void partsOfAYearOfTheFacilityCount() {
    Setting s = worked_example();
    s.plan.facility_life = years(1.5);
    const Outcome o = run(s);
    QCOMPARE(o.figures.find("budget.facility_years")->value, 1.5);
    QVERIFY(near(o.figures.find("budget.facility_recovery_factor")->value, 0.7337608, 1e-6));
    QVERIFY(near(o.figures.find("budget.facility_in_a_year")->value, 12e6 * 0.7337608, 1e-6));
  }
  void yearsAddUpToTheTotal() {
    const BudgetResult b = run(worked_example()).budget;
    const auto t = std::find_if(b.tables->begin(), b.tables->end(), [](const Table& x) { return x.id == "budget.years"; });
    QVERIFY(t != b.tables->end());
    QCOMPARE(t->row_count(), std::size_t{5}); // capital, and four years
    QVERIFY(near(t->column("cumulative")->numbers.back(), usd(b.total), 1e-12));
    QCOMPARE(t->column("capital")->numbers[0], 47e6);
    QCOMPARE(t->column("capital")->numbers[1], 0.0);
  }
  void pricesComeFromPlanPartOrAssumption() {
    Setting s = worked_example();
    s.plan.node_price.reset();
    QCOMPARE(usd(run(s).budget.nodes), 100 * 199000.0); // the catalog's price of a DGX H100
    s.node_part = "h100-sd650n-v3";                     // four GPUs, no price, no stand-in
    QCOMPARE(run(s).budget.nodes.completeness, Completeness::unknown);
    s.node_part = "no-such-node";
    QCOMPARE(run(s).budget.nodes.completeness, Completeness::unknown);
    s = worked_example();
    s.plan.facility_price.reset();
    QVERIFY(near(usd(run(s).budget.facility), 13.3e6, 1e-12)); // 13.3 USD/W
  }
  void missingPricesMakeALowerBound() {
    Setting s = worked_example();
    s.fabric.reset();
    const Outcome o = run(s);
    QCOMPARE(o.budget.capital.completeness, Completeness::lower_bound);
    QCOMPARE(usd(o.budget.capital), 42e6);
    QCOMPARE(o.budget.total.completeness, Completeness::lower_bound);
    QVERIFY(figure(o.budget, "budget.capital").reason.find("no price of a switch") != std::string::npos);
    const auto found = findings_of(s);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().code, std::string("BUD-001"));
    QVERIFY(found.front().message.find("Switches, modules and cables") != std::string::npos);
    QVERIFY(findings_of(worked_example()).empty());
  }
  void nodesThatNothingJoinsAreALowerBound() {
    Setting s = worked_example();
    s.no_network = true;
    const Outcome o = run(s);
    QCOMPARE(o.budget.fabric.completeness, Completeness::unknown);
    QCOMPARE(o.budget.capital.completeness, Completeness::lower_bound);
    QVERIFY(figure(o.budget, "budget.capital").reason.find("no network joins the 100 nodes") != std::string::npos);
    QCOMPARE(count_of_code(findings_of(s), "BUD-001"), std::size_t{1});
    // One node needs none.
    s.nodes = 1;
    QCOMPARE(run(s).budget.fabric.completeness, Completeness::not_applicable);
  }
  void cabinetsWithoutAPartAreALowerBound() {
    Setting s = worked_example();
    RackType plain;
    plain.id = 7;
    plain.name = "Plain";
    s.types.push_back(plain);
    RackTypePopulation racks;
    racks.rack_type = 7;
    racks.name = "Plain";
    racks.racks = 12;
    s.racks.push_back(racks);
    const Outcome o = run(s);
    QCOMPARE(o.budget.capital.completeness, Completeness::lower_bound);
    QVERIFY(figure(o.budget, "budget.capital").reason.find("Plain names no cabinet") != std::string::npos);
  }
  void integratedRacksArePricedWhole() {
    Setting s = worked_example();
    s.plan.node_price.reset();
    s.node_part = "gb200-tray";
    RackType nvl72;
    nvl72.id = 3;
    nvl72.name = "NVL72";
    nvl72.rack_part = "gb200-nvl72";
    s.types = {nvl72};
    RackItem trays;
    trays.id = 4;
    trays.rack_type = 3;
    trays.part = "gb200-tray";
    trays.count = 18;
    s.items = {trays};
    s.racks = {{3, "NVL72", RackRole::compute, 10, {}}};
    QCOMPARE(usd(run(s).budget.nodes), 10 * 3.1e6); // trays are inside
    s.types[0].rack_part = "nvidia-era-gb300-nvl72"; // 3.7 to 6.5 million
    const auto banded = run(s).budget.nodes;
    QCOMPARE(usd(banded), 10 * 5.1e6);
    QCOMPARE(banded.completeness, Completeness::estimate);
    // A second rack type of the same part has the same price figure.
    RackType other = s.types[0];
    other.id = 5;
    s.types.push_back(other);
    s.racks.push_back({5, "NVL72, second kind", RackRole::compute, 2, {}});
    QCOMPARE(usd(run(s).budget.nodes), 12 * 5.1e6);
    s.types.pop_back();
    s.racks.pop_back();
    s.types[0].rack_part = "lenovo-gb300-nvl72-25c"; // no price: that of a GB200 NVL72 stands in
    const auto stand_in = run(s).budget.nodes;
    QCOMPARE(usd(stand_in), 10 * 3e6);
    QCOMPARE(stand_in.completeness, Completeness::estimate);
  }
  void rentedStorageRunsAndIsNotCapital() {
    Setting s = worked_example();
    s.storage.system_part = "aws-s3"; // 0.023 USD per GB and month
    s.storage.systems = 1;
    s.storage.bytes_per_parameter = 16;
    s.storage.checkpoints_kept = 10;
    s.storage.dataset = terabytes(60);
    const BudgetResult b = run(s).budget;
    QCOMPARE(usd(b.capital), 47e6);
    // 60,000 GB + 10 x 6493.65 GB = 124,936.5 GB x 0.023 x 12 = 34,482.5 USD a year
    QVERIFY(near(usd(b.annual_operating) - 2101280, 34482.49, 1e-5));
  }
  void nothingToComputeSaysWhy() {
    Setting s = worked_example();
    s.nodes = 0;
    const BudgetResult b = run(s).budget;
    QCOMPARE(b.nodes.completeness, Completeness::not_applicable);
    QCOMPARE(b.cost_per_gpu_hour.completeness, Completeness::not_applicable);
    QVERIFY(b.capital.has_value());
  }
  void everyFigureRestsOnSources() {
    Setting s = worked_example();
    s.storage.system_part = "aws-s3";
    const Outcome o = run(s);
    QVERIFY(rests_on_sources(o.figures, *o.budget.page));
  }
  void laws() {
    QVERIFY(rc::check("more nodes cost more; capital is at least each of its parts", [] {
      Setting s = worked_example();
      s.nodes = *rc::gen::inRange<Count>(1, 10000);
      const BudgetResult few = run(s).budget;
      s.nodes += *rc::gen::inRange<Count>(1, 1000);
      const BudgetResult more = run(s).budget;
      RC_ASSERT(usd(more.capital) > usd(few.capital));
      RC_ASSERT(usd(more.total) > usd(few.total));
      for (double part : {usd(few.nodes), usd(few.fabric), usd(few.facility)}) RC_ASSERT(usd(few.capital) >= part);
    }));
    QVERIFY(rc::check("better goodput makes a useful hour cheaper", [] {
      Setting s = worked_example();
      s.goodput = *rc::gen::inRange(1, 90) / 100.0;
      const double before = base_value(run(s).budget.cost_per_gpu_hour.value);
      s.goodput += 0.1;
      RC_ASSERT(base_value(run(s).budget.cost_per_gpu_hour.value) < before);
    }));
  }
};

QTEST_APPLESS_MAIN(TestBudgetStage)
#include "test_budget_stage.moc"
