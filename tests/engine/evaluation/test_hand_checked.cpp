// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "evaluation/evaluation.h"
#include "project/project_file.h"

using namespace hallwright;

/// Figures and findings of whole designs that were checked by hand; each was once wrong.
class TestHandChecked : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  Design superpod_;

  Evaluation evaluated(const Design& d) { return *evaluate(d, catalog_); }
  static std::vector<Finding> of(const Evaluation& e, const char* code, Severity severity) {
    std::vector<Finding> out;
    for (const Finding& f : e.findings)
      if (f.code == code && f.severity == severity) out.push_back(f);
    return out;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY(catalog);
    catalog_ = share(std::move(*catalog));
    auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/superpod-h100-4su.hall.json");
    QVERIFY2(opened, opened ? "" : opened.error().c_str());
    superpod_ = opened->design;
    QCOMPARE(superpod_.project->power_basis, PowerBasis::nameplate);
  }

  /// A QM9700 draws 747 W with passive cables and 1720 W with every cage filled: beside the modules of its cages only
  /// the 747 W count, on the nameplate basis too.
  void modules_are_not_counted_within_the_nameplate_of_their_switch_again() {
    const Evaluation e = evaluated(superpod_);
    const Figure* each = e.figures.find("load.part.switch.qm9700.power");
    QVERIFY(each);
    QCOMPARE(each->value, 747.0);
  }

  /// "What fits in 1 MW?" is answered with the PUE that the goal assumes, which the plant of the sample confirms; with another one it says so.
  void the_assumed_effectiveness_is_held_against_the_computed_one() {
    auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/one-megawatt.hall.json");
    QVERIFY(opened);
    QVERIFY(of(evaluated(opened->design), "PWR-040", Severity::note).empty());
    const auto cautious = set_field(opened->design, {"goal", 0}, "assumed_power_usage_effectiveness", 1.45);
    QVERIFY(cautious);
    opened->design = *cautious;
    const Evaluation e = evaluated(opened->design);
    const auto found = of(e, "PWR-040", Severity::note);
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY(found.front().message.find("1.45") != std::string::npos && found.front().message.find("more would fit") != std::string::npos);
    const auto better = found.front().remedies.front().edit.apply(opened->design);
    QVERIFY(better);
    const Evaluation after = evaluated(*better);
    QVERIFY(of(after, "PWR-040", Severity::note).empty());
    QVERIFY(after.figures.find("population.nodes")->value > e.figures.find("population.nodes")->value);
    QCOMPARE(of(after, "PWR-001", Severity::error).size(), std::size_t(0)); // and the utility still carries them
    // Once racks are drawn, what is drawn counts.
    QVERIFY(e.figures.find("power.pue")->limit.valid());
    QVERIFY(!evaluated(superpod_).figures.find("power.pue")->limit.valid());
    QVERIFY(of(evaluated(superpod_), "PWR-040", Severity::note).empty());
  }

  /// Pumps of drawn loops draw what the loops need, less than the rating, which counts without pipes; the facility draws the difference less, and its losses.
  void pumps_of_drawn_loops_draw_what_is_solved() {
    auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/nvl72-16-racks.hall.json");
    QVERIFY(opened);
    const Evaluation e = evaluated(opened->design);
    const Figure* pumps = e.figures.find("cooling.cdu_power");
    QVERIFY(pumps && pumps->has_value());
    double sum = 0.0;
    for (const CoolantLoop& loop : *opened->design.loops) {
      const Figure* of_loop = e.figures.find("cooling.loop." + std::to_string(loop.id) + ".pump_power");
      QVERIFY(of_loop);
      sum += of_loop->value;
    }
    QVERIFY(std::abs(pumps->value - sum) < 1e-9 * sum);
    Design bare = opened->design;
    bare.pipes = share(std::vector<Pipe>{});
    const Evaluation rated = evaluated(bare);
    const double rating = rated.figures.find("cooling.cdus_running")->value * base_value(*e.catalog->find<CoolingPart>(bare.cooling_units->front().part)->power_draw);
    QCOMPARE(rated.figures.find("cooling.cdu_power")->value, rating);
    QVERIFY(pumps->value < rating && pumps->value > 0.05 * rating);
    QVERIFY(rated.figures.find("power.facility")->value - e.figures.find("power.facility")->value >= rating - pumps->value);
  }

  void a_price_that_rests_on_a_lower_bound_is_one() {
    const Evaluation e = evaluated(superpod_);
    QCOMPARE(e.figures.find("budget.annual_cost")->completeness, Completeness::lower_bound);
    for (const char* id : {"budget.cost_per_gpu_hour", "budget.run_cost", "budget.cost_per_million_tokens"})
      QCOMPARE(e.figures.find(id)->completeness, Completeness::lower_bound);
  }

  void a_job_without_gpus_is_an_error_once_something_is_drawn() {
    std::vector<PartOverrideValue> none;
    Design d = superpod_;
    PartOverride o;
    o.part_kind = "node";
    o.part = "dgx-h100";
    o.field = "accelerators";
    o.value = "0";
    d = add_entity(d, &Design::part_overrides, o).design;
    QCOMPARE(of(evaluated(d), "TRN-001", Severity::error).size(), std::size_t(1));
    // A design on which nothing is drawn yet is told, not blamed.
    QCOMPARE(of(evaluated(Design{}), "TRN-001", Severity::error).size(), std::size_t(0));
    QCOMPARE(of(evaluated(Design{}), "TRN-001", Severity::note).size(), std::size_t(1));
  }

  void a_remedy_of_the_gpu_count_breaks_no_other_axis() {
    for (Count d : {1, 7, 25, 30, 31, 32, 100}) {
      auto design = set_field(superpod_, {"job", 0}, "data_parallel", FieldValue(std::int64_t{d}));
      QVERIFY(design);
      const Evaluation e = evaluated(*design);
      for (const Finding& f : e.findings) {
        if (f.code != "TRN-001") continue;
        for (const Remedy& r : f.remedies) {
          auto mended = r.edit.apply(*design);
          QVERIFY(mended);
          QVERIFY2(of(evaluated(*mended), "TRN-002", Severity::error).empty(), r.edit.label.c_str());
          QVERIFY2(of(evaluated(*mended), "TRN-001", Severity::error).empty(), r.edit.label.c_str());
        }
      }
    }
  }

  void plant_outside_its_hall_is_pointed_at() {
    QCOMPARE(of(evaluated(superpod_), "SPC-003", Severity::error).size() + of(evaluated(superpod_), "SPC-003", Severity::warning).size(), std::size_t(0));
    const Id unit = superpod_.cooling_units->front().id;
    auto moved = set_field(superpod_, {"cooling_units", unit}, "x", FieldValue(900.0));
    QVERIFY(moved);
    const Evaluation e = evaluated(*moved);
    QCOMPARE(of(e, "SPC-003", Severity::error).size() + of(e, "SPC-003", Severity::warning).size(), std::size_t(1));
  }

  void a_replacement_that_cannot_be_made_is_an_error() {
    PartOverride o;
    o.part_kind = "node";
    o.part = "dgx-h100";
    o.field = "power_max_w";
    o.value = "-5 W";
    const Design d = add_entity(superpod_, &Design::part_overrides, o).design;
    const auto found = of(evaluated(d), "CAT-001", Severity::error);
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY(found.front().message.find("dgx-h100") != std::string::npos);
  }

  /// Which of two is meant nobody can tell: neither holds, and both are named.
  void two_replacements_of_one_field_are_an_error_that_names_both() {
    Design d = superpod_;
    for (const char* value : {"9.1 kW", "9.2 kW"})
      d = add_entity(d, &Design::part_overrides, PartOverride{.part_kind = "node", .part = "dgx-h100", .field = "power_max_w", .value = value}).design;
    const Evaluation e = evaluated(d);
    const auto found = of(e, "CAT-001", Severity::error);
    QCOMPARE(found.size(), std::size_t(1));
    for (const char* word : {"dgx-h100", "power_max_w", "9.1 kW", "9.2 kW"}) QVERIFY2(found.front().message.find(word) != std::string::npos, found.front().message.c_str());
    QCOMPARE(base_value(*e.catalog->find<NodePart>("dgx-h100")->power_maximum), 10200.0);
    QVERIFY(e.catalog->overridden.empty());
  }

  void a_scenario_that_cannot_be_applied_is_an_error() {
    Design d = superpod_;
    const auto scenario = [&](const char* name, std::initializer_list<std::pair<const char*, const char*>> changes) {
      Made made = add_entity(d, &Design::scenarios, Scenario{.name = name});
      const Id id = made.entities.front().id;
      d = std::move(made.design);
      for (const auto& [path, value] : changes) d = add_entity(d, &Design::scenario_changes, ScenarioChange{.scenario = id, .path = path, .value = value}).design;
      return id;
    };
    scenario("Sound", {{"site.utility_power", "99 MW"}});
    QCOMPARE(of(evaluated(d), "SCN-001", Severity::error).size(), std::size_t(0));
    const Id broken = scenario("Broken", {{"site.no_such_field", "1"}, {"site.utility_power", "98 MW"}, {"racks.999999.x", "3 m"}});
    const auto found = of(evaluated(d), "SCN-001", Severity::error);
    QCOMPARE(found.size(), std::size_t(2)); // each broken change, not the sound one between
    QVERIFY(found[0].message.find("'Broken'") != std::string::npos && found[0].message.find("site.no_such_field") != std::string::npos);
    QVERIFY(found[1].message.find("racks.999999.x = 3 m") != std::string::npos);
    QVERIFY(found[0].entities == (std::vector<EntityRef>{{"scenarios", broken}}));
  }
};

QTEST_APPLESS_MAIN(TestHandChecked)
#include "test_hand_checked.moc"
