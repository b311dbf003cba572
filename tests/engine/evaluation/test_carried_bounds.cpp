// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTest>

#include <set>

#include "design/typed_tables.h"
#include "evaluation/evaluation.h"
#include "ledger/carried_bounds.h"
#include "ledger/ledger.h"
#include "project/project_file.h"

using namespace hallwright;

namespace {

const Formula<double, double, double> quotient{.name = "quotient",
                                               .text = "a / b",
                                               .source = "ratio",
                                               .parameters = {"a", "b"},
                                               .function = [](double a, double b) -> Result<double> { return a / b; },
                                               .monotone = Monotone::mixed};

/// One field of one entity, for each field that names a part and each id that stands there.
struct PartField {
  EntityRef entity;
  std::string field;
};
std::vector<PartField> part_fields_of(const Design& design) {
  std::vector<PartField> out;
  std::set<std::string> seen;
  const auto look = [&]<class E>(const EntityRef& ref, const E& entity) {
    for (const Field<E>& f : fields<E>()) {
      const FieldValue value = f.get(entity);
      const auto* part = std::get_if<std::string>(&value);
      if (f.type != FieldType::part || !part || part->empty()) continue;
      if (seen.insert(ref.table + "." + std::string(f.name) + "=" + *part).second)
        out.push_back({ref, std::string(f.name)});
    }
  };
  for_each_section([&](std::string_view word, auto member) {
    look(EntityRef{std::string(word), 0}, *(design.*member));
  });
  for_each_table([&](std::string_view word, auto member) {
    for (const auto& e : *(design.*member))
      look(EntityRef{std::string(word), e.id}, e);
  });
  return out;
}

/// The first figure that rests on a lower bound and claims to be decided; empty: there is none.
std::string first_false_claim(const Figures& figures) {
  std::set<const Figure*> rests;
  for (const Figure* f : figures.all()) { // page by page, inputs before what is made of them
    for (const FigureRef ref : f->inputs)
      if (const Figure* input = figures.at(ref);
          input && (input->completeness == Completeness::lower_bound || rests.count(input)))
        rests.insert(f);
    if (!rests.count(f)) continue;
    const bool decided = f->status == Status::ok || f->status == Status::near_limit;
    if (f->completeness == Completeness::exact) return f->id + " claims to be exact";
    if (f->completeness == Completeness::estimate && (decided || f->status == Status::over_limit))
      return f->id + " claims to be " + std::string(status_word(f->status));
    if (f->completeness == Completeness::estimate && !rests_on_bound(*f))
      return f->id + " does not say what it rests on";
  }
  return {};
}

} // namespace

class TestCarriedBounds : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  Design opened(const QString& name) {
    auto project = open_project(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/%1").arg(name).toStdString());
    if (!project) qFatal("%s", project.error().c_str());
    return project->design;
  }
  Evaluation changed(const Design& design, const std::vector<std::pair<std::string, std::string>>& settings) {
    Design d = design;
    for (const auto& [path, value] : settings) {
      auto next = set_by_path(d, path, value);
      if (!next) qFatal("%s", next.error().c_str());
      d = *std::move(next);
    }
    return *evaluate(d, catalog_);
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY(catalog);
    catalog_ = share(std::move(*catalog));
  }

  void a_ratio_of_a_lower_bound_is_undecided() {
    Ledger load(Page::load);
    const auto known = load.measured<double>("known", "Known", 30.0, "counted");
    const auto missing = load.absent<double>("missing", "Missing", Completeness::unknown, "nobody knows");
    const auto all = load.sum<double>("all", "All", {known, missing}, kind::ratio);
    Figures figures;
    figures.add({load.finish_page(), nullptr});
    Ledger power(Page::power);
    const auto ten = power.measured<double>("ten", "Ten", 10.0, "counted");
    const auto share = power.derive("share", "Share", quotient, all, ten);
    const auto of_share = power.derive("of_share", "Share of the share", quotient, share, ten);
    const auto apart = power.derive("apart", "Apart", quotient, ten, ten);
    const auto five = power.measured<double>("five", "Five", 5.0, "counted");
    for (const auto& f : {share, of_share, apart})
      power.limit(f, five, LimitSense::at_most);
    figures.add({power.finish_page(), nullptr});
    const auto pages = bounds_carried(figures);
    QVERIFY(pages[static_cast<std::size_t>(Page::load)] == figures.page(Page::load));
    const LedgerPage& page = *pages[static_cast<std::size_t>(Page::power)];
    for (const char* id : {"share", "of_share"}) {
      const Figure& f = *page.find(id);
      QVERIFY(rests_on_bound(f));
      QCOMPARE(f.status, Status::undecided);
      QCOMPARE(QString::fromStdString(f.reason),
               QStringLiteral("rests on a lower bound: 1 part is unknown: nobody knows"));
    }
    QCOMPARE(page.find("apart")->status, Status::ok);
    QCOMPARE(QString::fromStdString(figure_text(*page.find("share"))), QString("3.00 (estimate from a lower bound)"));
  }

  void unknown_parts_of_the_samples_leave_nothing_decided_that_rests_on_them_data() {
    QTest::addColumn<QString>("project");
    for (const QString& name : QDir(HALLWRIGHT_SOURCE_DIR "/projects").entryList({"*.hall.json"}))
      QTest::newRow(qPrintable(name)) << name;
  }
  /// Each id of a part in turn is replaced by one that is not there.
  void unknown_parts_of_the_samples_leave_nothing_decided_that_rests_on_them() {
    QFETCH(QString, project);
    const Design design = opened(project);
    const Evaluation base = *evaluate(design, catalog_);
    QCOMPARE(first_false_claim(base.figures), std::string());
    for (const PartField& p : part_fields_of(design)) {
      const auto broken = set_field(design, p.entity, p.field, FieldValue(std::string("zzz")));
      QVERIFY(broken);
      const Evaluation e = *evaluate(*broken, catalog_, &base);
      const std::string claim = first_false_claim(e.figures);
      QVERIFY2(claim.empty(), (p.entity.table + "." + p.field + ": " + claim).c_str());
      // And the id is named somewhere.
      QVERIFY2(std::any_of(e.findings.begin(), e.findings.end(),
                           [](const Finding& f) { return f.message.find("zzz") != std::string::npos; }),
               (p.entity.table + "." + p.field).c_str());
    }
  }

  void efficiency_and_headroom_of_a_hall_with_an_unknown_switch_are_undecided() {
    const Evaluation e = changed(opened("nvl72-16-racks.hall.json"), {{"rack_items.15.part", "zzz"}});
    QCOMPARE(e.figures.find("power.facility")->completeness, Completeness::lower_bound);
    QVERIFY(rests_on_bound(*e.figures.find("power.pue"))); // racks are drawn: it has no limit
    QVERIFY(rests_on_bound(*e.figures.find("power.utility_headroom")));
    QVERIFY(rests_on_bound(*e.figures.find("cooling.air_headroom")));
  }

  /// Modules that the catalog does not have draw something; a rack with their cages never reads as known.
  void racks_with_unknown_modules_are_lower_bounds() {
    const Evaluation e = changed(opened("superpod-h100-4su.hall.json"), {{"networks.81.leaf_optic_part", "zzz"}});
    QCOMPARE(e.figures.find("power.it")->completeness, Completeness::lower_bound);
    QVERIFY(rests_on_bound(*e.figures.find("power.pue"))); // racks are drawn: it has no limit
  }
  void networks_of_unknown_size_leave_the_load_undecided() {
    const Design superpod = opened("superpod-h100-4su.hall.json");
    for (const char* path : {"storage.system_part", "rack_items.12.part", "networks.81.switch_part"}) {
      const Evaluation e = changed(superpod, {{path, "zzz"}});
      QCOMPARE(e.figures.find("power.it")->completeness, Completeness::lower_bound);
      for (const RackType& type : *superpod.rack_types) {
        const Figure* power = e.figures.find("load.rack_type." + std::to_string(type.id) + ".power");
        if (power && power->has_value() && power->value > 0.0)
          QCOMPARE(power->completeness, Completeness::lower_bound);
      }
    }
  }
  void an_unknown_node_of_the_goal_is_no_load_of_nothing() {
    const Evaluation e = changed(opened("one-megawatt.hall.json"), {{"goal.node_part", "zzz"}});
    QCOMPARE(e.figures.find("power.it")->completeness, Completeness::lower_bound);
  }
  void an_unknown_model_leaves_the_capacity_undecided() {
    const Evaluation e = changed(opened("superpod-h100-4su.hall.json"), {{"job.model_part", "zzz"}});
    QCOMPARE(e.figures.find("storage.capacity_needed")->completeness, Completeness::lower_bound);
    QCOMPARE(e.figures.find("storage.capacity_needed")->status, Status::undecided);
  }
};

QTEST_APPLESS_MAIN(TestCarriedBounds)
#include "test_carried_bounds.moc"
