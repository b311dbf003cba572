// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <thread>

#include <QTest>

#include "project/project_file.h"
#include "quantity/text.h"
#include "study/sensitivity.h"

using namespace hallwright;

/// What moves a figure most: elasticities that follow from the formulas by hand, and rows against evaluations that are
/// made here, from the beginning.
class TestSensitivity : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  Evaluation nvl72_, superpod_;

  static Design sample(const std::string& name) {
    auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/" + name + ".hall.json");
    if (!opened) qFatal("%s", opened.error().c_str());
    return opened->design;
  }
  static Sensitivity must(tl::expected<Sensitivity, std::string> answer) {
    if (!answer) qFatal("%s", answer.error().c_str());
    return *std::move(answer);
  }
  static const SensitivityRow* row(const Sensitivity& s, const std::string& leaf) {
    for (const SensitivityRow& r : s.rows)
      if (r.leaf == leaf) return &r;
    return nullptr;
  }
  static double value(const Evaluation& e, const std::string& id) {
    const Figure* f = e.figures.find(id);
    if (!f || !f->has_value()) qFatal("%s has no value", id.c_str());
    return f->value;
  }
  static bool near(double a, double b, double share = 1e-9) {
    return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b));
  }
  /// Every row of design fields against whole evaluations of the design with that field changed, from the beginning.
  std::string against_own_evaluations(const Evaluation& now, const Sensitivity& s) const {
    std::set<std::string> rows;
    for (const SensitivityRow& r : s.rows) {
      rows.insert(r.leaf);
      if (r.origin != Origin::design) continue;
      double largest = 0.0;
      for (const SensitivityMove* m : {&r.low, &r.high}) {
        if (!m->figure) {
          if (m->trouble.empty()) return r.leaf + ": no value and no reason";
          continue;
        }
        if (!m->trouble.empty()) return r.leaf + ": a value and a reason";
        const auto present = get_field(now.design, r.entity, r.field);
        const FieldValue to = std::holds_alternative<std::int64_t>(*present) ? FieldValue(std::int64_t(std::llround(*m->input)))
                                                                            : FieldValue(*m->input);
        const auto design = set_field(now.design, r.entity, r.field, to);
        if (!design) return r.leaf + ": " + design.error();
        const auto e = evaluate(*design, catalog_);
        const Figure* f = e->figures.find(s.figure);
        if (!f || !f->has_value() || !near(f->value, *m->figure, 1e-12))
          return fmt::format("{} at {}: {} by hand, {} in the row", r.leaf, *m->input, f ? f->value : -1.0, *m->figure);
        largest = std::max(largest, std::abs(*m->figure - s.value));
      }
      if (!near(largest, r.change) || !(r.change > 0.0)) return r.leaf + ": the larger change is another";
    }
    for (std::size_t i = 1; i < s.rows.size(); ++i)
      if (s.rows[i - 1].change < s.rows[i].change) return "rows are not in order";
    if (s.rows.size() + s.still != s.tried) return "inputs are lost between tried, still and rows";
    return {};
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = share(std::move(*catalog));
    nvl72_ = *evaluate(sample("nvl72-16-racks"), catalog_);
    superpod_ = *evaluate(sample("superpod-h100-4su"), catalog_);
  }

  /// cost = energy * price: 1 % of price is 1 % of cost, and so it is with the mean load, of which energy is a multiple.
  void cost_of_energy_goes_with_its_price() {
    const Sensitivity s = must(figure_sensitivity(nvl72_, {.figure = "budget.annual_energy_cost"}));
    QVERIFY(near(s.value, value(nvl72_, "budget.annual_energy_cost")));
    for (const char* leaf : {"design.site.electricity_price", "design.budget.mean_load_share"}) {
      const SensitivityRow* r = row(s, leaf);
      QVERIFY2(r, leaf);
      QVERIFY2(r->elasticity && std::abs(*r->elasticity - 1.0) < 1e-9, leaf);
      QVERIFY(near(*r->low.input, 0.9 * r->value) && near(*r->high.input, 1.1 * r->value));
      QVERIFY(near(*r->low.figure, 0.9 * s.value) && near(*r->high.figure, 1.1 * s.value));
      QVERIFY(near(r->change, 0.1 * s.value));
      QCOMPARE(r->step, std::string("10 %"));
    }
    QCOMPARE(row(s, "design.site.electricity_price")->entity, (EntityRef{"site", 0}));
    QCOMPARE(against_own_evaluations(nvl72_, s), std::string());
  }

  /// headroom = 1 - facility / utility, and the facility does not depend on the utility's power.
  void headroom_of_the_utility_by_hand() {
    const Sensitivity s = must(figure_sensitivity(nvl72_, {.figure = "power.utility_headroom"}));
    const double facility = value(nvl72_, "power.facility"), utility = 3.5e6; // of the sample
    const SensitivityRow* r = row(s, "design.site.utility_power");
    QVERIFY(r && r->value == utility);
    QVERIFY(near(*r->low.figure, 1 - facility / 3.15e6) && near(*r->high.figure, 1 - facility / 3.85e6));
    const double slope = ((1 - facility / 3.85e6) - (1 - facility / 3.15e6)) / (1 - facility / utility) / 0.2;
    QVERIFY(r->elasticity && near(*r->elasticity, slope));
    QVERIFY(near(r->change, facility / 3.15e6 - facility / utility)); // the fall is the larger one
    QCOMPARE(against_own_evaluations(nvl72_, s), std::string());
  }

  /// The worst floor load is that of the heaviest racks, those of four nodes: racks of switches and of storage stand in the
  /// tree, where all racks are compared, and change nothing.
  void what_does_not_matter_is_counted() {
    const Sensitivity s = must(figure_sensitivity(superpod_, {.figure = "space.worst_floor_load"}));
    QVERIFY2(!s.rows.empty() && s.rows.front().change > 0.0, s.sentence.c_str());
    QVERIFY(row(s, "design.rack_items.12.count") && row(s, "catalog.node.dgx-h100.weight_kg")); // nodes of the heavy racks
    const std::map<std::string, double> light{{"design.rack_items.16.count", 12}, {"design.rack_items.18.count", 9}, {"design.rack_items.20.count", 4}};
    for (const auto& [leaf, count] : light) {
      const Figure* f = superpod_.figures.find(leaf);
      QVERIFY2(f && f->value == count && !row(s, leaf), leaf.c_str());
      const auto more = set_field(superpod_.design, {f->table, f->entity}, f->field, std::int64_t(count + 1));
      QVERIFY(more);
      QCOMPARE(value(*evaluate(*more, catalog_), "space.worst_floor_load"), s.value);
    }
    QVERIFY2(s.still >= light.size(), s.sentence.c_str());
    QCOMPARE(against_own_evaluations(superpod_, s), std::string());
  }

  /// IT load of the pod: 127 nodes of 10.2 kW nameplate; 10 % of these is 129.5 kW.
  void values_of_the_catalog_are_moved_too() {
    const Sensitivity s = must(figure_sensitivity(superpod_, {.figure = "power.it"}));
    const SensitivityRow* r = row(s, "catalog.node.dgx-h100.power_max_w");
    QVERIFY(r && r->origin == Origin::catalog && r->part == "dgx-h100" && r->field == "power_max_w");
    QVERIFY(near(r->value, 10200.0) && near(*r->high.input, 11220.0));
    QVERIFY(near(*r->high.figure - s.value, 127 * 1020.0, 1e-6) && near(s.value - *r->low.figure, 127 * 1020.0, 1e-6));
    const Sensitivity design_only = must(figure_sensitivity(superpod_, {.figure = "power.it", .catalog_values = false}));
    for (const SensitivityRow& x : design_only.rows) QCOMPARE(x.origin, Origin::design);
    QVERIFY(!design_only.rows.empty());
    // A value that the design replaces already is moved from there.
    PartOverride o;
    o.part_kind = "node", o.part = "dgx-h100", o.field = "power_max_w", o.value = "9 kW", o.reason = "test";
    const auto replaced = evaluate(add_entity(superpod_.design, &Design::part_overrides, o).design, catalog_);
    const Sensitivity t = must(figure_sensitivity(*replaced, {.figure = "power.it"}));
    const SensitivityRow* moved = row(t, "catalog.node.dgx-h100.power_max_w");
    QVERIFY(moved && near(*moved->low.input, 8100.0) && near(t.value - *moved->low.figure, 127 * 900.0, 1e-6));
  }

  void counts_go_by_steps_and_temperatures_by_a_kelvin() {
    const Sensitivity s = must(figure_sensitivity(superpod_, {.figure = "power.it"}));
    const SensitivityRow* nodes = row(s, "design.rack_items.12.count"); // 4 in a rack: a tenth is no whole node
    QVERIFY(nodes && nodes->step == "1" && *nodes->low.input == 3.0 && *nodes->high.input == 5.0);
    const SensitivityRow* one = row(s, "design.rack_items.22.count"); // 1: not brought to 0
    QVERIFY(one && !one->low.input && !one->low.trouble.empty() && *one->high.input == 2.0);
    const Sensitivity warm = must(figure_sensitivity(superpod_, {.figure = "power.facility", .most_inputs = 200}));
    const SensitivityRow* outdoor = row(warm, "design.site.outdoor_design_temperature");
    QVERIFY(outdoor && outdoor->step == "1 K" && !outdoor->elasticity);
    QVERIFY(near(*outdoor->high.input - outdoor->value, 1.0, 1e-9) && near(outdoor->value - *outdoor->low.input, 1.0, 1e-9));
    QVERIFY(*outdoor->high.figure > warm.value); // chillers work harder in warm air
    QCOMPARE(against_own_evaluations(superpod_, warm), std::string());
  }

  /// 97 % and a tenth more would be 106.7 %: it goes to 100 %, and says so. With all of it there is nothing more to try.
  void shares_stay_within_their_range() {
    const Sensitivity s = must(figure_sensitivity(nvl72_, {.figure = "power.facility", .most_inputs = 200}));
    for (const SensitivityRow& r : s.rows)
      if (r.kind == &kind::percent && r.value <= 1.0)
        for (const SensitivityMove* m : {&r.low, &r.high}) QVERIFY2(!m->input || (*m->input >= 0.0 && *m->input <= 1.0), r.leaf.c_str());
    const SensitivityRow* ups = row(s, "catalog.assumption.efficiency.ups_at_50_pct.value");
    QVERIFY(ups && near(*ups->high.input, 1.0) && ups->step.find("at most 100") != std::string::npos);
    Design full = *set_by_path(nvl72_.design, "budget.mean_load_share", "100 %");
    const auto e = evaluate(full, catalog_);
    const Sensitivity t = must(figure_sensitivity(*e, {.figure = "budget.annual_energy"}));
    const SensitivityRow* load = row(t, "design.budget.mean_load_share");
    QVERIFY(load && load->low.figure && !load->high.input && !load->high.trouble.empty());
    QVERIFY(load->elasticity && near(*load->elasticity, 1.0)); // of the one side that there is
    QVERIFY(std::any_of(t.left_out.begin(), t.left_out.end(), [](const std::string& l) { return l.find("more: it is at 100") != std::string::npos; }));
  }

  /// The least room with a unit out is found beside an edit: the study finds it as a whole evaluation does.
  void what_is_found_beside_an_edit_is_not_stale() {
    const Sensitivity s = must(figure_sensitivity(nvl72_, {.figure = "cooling.loop.12.failure_headroom", .most_inputs = 4}));
    QVERIFY2(!s.rows.empty(), s.sentence.c_str());
    QCOMPARE(against_own_evaluations(nvl72_, s), std::string());
  }

  void only_the_nearest_are_tried() {
    const Sensitivity all = must(figure_sensitivity(nvl72_, {.figure = "budget.total", .most_inputs = 1000}));
    const Sensitivity few = must(figure_sensitivity(nvl72_, {.figure = "budget.annual_energy_cost", .most_inputs = 1}));
    QCOMPARE(all.beyond, std::size_t(0));
    QVERIFY(all.tried > 40);
    QCOMPARE(few.tried, std::size_t(1));
    QCOMPARE(few.rows.front().leaf, std::string("design.site.electricity_price")); // an input of the figure itself
    QVERIFY(few.beyond > 0);
    QVERIFY2(few.sentence.find("not tried") != std::string::npos, few.sentence.c_str());
  }

  void answers_in_a_sentence_where_there_is_nothing() {
    const auto refusal = [&](const SensitivityWish& wish) {
      const auto a = figure_sensitivity(nvl72_, wish);
      return a ? std::string() : a.error();
    };
    QVERIFY(refusal({.figure = "power.nothing"}).find("no figure 'power.nothing'") != std::string::npos);
    QVERIFY(refusal({.figure = "power.it", .share = 0.0}).find("above 0 and below 1") != std::string::npos);
    QVERIFY(refusal({.figure = "power.it", .share = std::nan("")}).find("above 0 and below 1") != std::string::npos);
    QVERIFY(refusal({.figure = "power.it", .most_inputs = 0}).find("at least 1") != std::string::npos);
    const auto empty = evaluate({}, catalog_);
    int told = 0;
    for (const Figure* f : empty->figures.all()) {
      const auto a = figure_sensitivity(*empty, {.figure = f->id, .most_inputs = 2});
      if (f->has_value() && empty->figures.find(f->id) == f) QVERIFY2(a, f->id.c_str());
      if (a) continue;
      ++told;
      QVERIFY2(a.error().find("no value") != std::string::npos, a.error().c_str());
    }
    QVERIFY(told > 0);
  }

  /// Any figure of the samples, by any share: what the rows say is what evaluations say, and no number is without end.
  void rows_are_evaluations() {
    const Evaluation* samples[] = {&nvl72_, &superpod_};
    const bool held = rc::check("rows are evaluations", [&] {
      const Evaluation& now = *samples[*rc::gen::inRange(0, 2)];
      const auto all = now.figures.all();
      const Figure* f = all[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(all.size())))];
      const double share = *rc::gen::inRange(1, 100) / 100.0;
      const auto s = figure_sensitivity(now, {.figure = f->id, .share = share, .most_inputs = 6});
      if (!now.figures.find(f->id)->has_value()) {
        RC_ASSERT(!s);
        return;
      }
      RC_ASSERT(s.has_value());
      RC_ASSERT(s->tried <= 6u);
      for (const SensitivityRow& r : s->rows) {
        RC_ASSERT(std::isfinite(r.value) && std::isfinite(r.change) && (!r.elasticity || std::isfinite(*r.elasticity)));
        for (const SensitivityMove* m : {&r.low, &r.high})
          RC_ASSERT((!m->input || std::isfinite(*m->input)) && (!m->figure || std::isfinite(*m->figure)));
      }
      const std::string wrong = against_own_evaluations(now, *s);
      if (!wrong.empty()) RC_FAIL(f->id + ": " + wrong);
    });
    QVERIFY(held);
  }

  /// Twice as many stages or contexts on the same GPUs are no layout: the step that would come of them is not shown as a gain.
  void layouts_that_cannot_run_are_left_out() {
    const auto s = figure_sensitivity(nvl72_, {.figure = "training.step_time"});
    QVERIFY(s.has_value());
    std::size_t told = 0;
    for (const std::string& sentence : s->left_out) told += sentence.find("the job cannot run so (TRN-0") != std::string::npos;
    QVERIFY(told >= 4);
    for (const SensitivityRow& r : s->rows) {
      if (r.entity.table != "job") continue;
      for (const SensitivityMove* m : {&r.low, &r.high})
        if (m->input && m->figure) QVERIFY2(r.field != "pipeline_parallel" && r.field != "context_parallel" && r.field != "tensor_parallel", r.label.c_str());
    }
  }

  void it_can_be_stopped() {
    std::stop_source stopped;
    stopped.request_stop();
    const auto never = figure_sensitivity(nvl72_, {.figure = "power.it"}, stopped.get_token());
    QVERIFY(!never && never.error() == "stopped");
    const auto large = evaluate(sample("hundred-thousand"), catalog_);
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      asked = std::chrono::steady_clock::now();
      stop.request_stop();
    });
    const auto half = figure_sensitivity(*large, {.figure = "budget.total", .most_inputs = 1000}, stop.get_token());
    const auto answered = std::chrono::steady_clock::now();
    other.join();
    QVERIFY(!half && half.error() == "stopped");
    // One evaluation answers within 10 ms; the rest is a busy machine.
    QVERIFY2(answered - asked < std::chrono::milliseconds(500), "it goes on for long");
  }
};

QTEST_GUILESS_MAIN(TestSensitivity)
#include "test_sensitivity.moc"
