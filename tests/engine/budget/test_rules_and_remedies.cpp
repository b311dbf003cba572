// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "budget/budget.h"
#include "design/access.h"
#include "project/project_file.h"

/// What holds for the rules of every subject: help that says why and whence, and remedies that change something.
using namespace hallwright;

namespace {

const Shared<Catalog>& shipped_catalog() {
  static const Shared<Catalog> catalog = [] {
    auto read = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs");
    if (!read) qFatal("the catalog does not load: %s", read.error().front().c_str());
    return share(std::move(*read));
  }();
  return catalog;
}

std::vector<Rule> rules_of_all_subjects() {
  std::vector<Rule> out;
  for (const auto& part : {space_rules(), fabric_rules(), load_rules(), cooling_rules(), power_rules(), training_rules(), storage_rules(),
                           reliability_rules(), budget_rules()})
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

struct Sample {
  std::string name;
  Design design;
};
const std::vector<Sample>& samples() {
  static const std::vector<Sample> read = [] {
    std::vector<Sample> out;
    for (const auto& entry : std::filesystem::directory_iterator(HALLWRIGHT_SOURCE_DIR "/projects")) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".hall.json")) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      auto opened = read_project(std::move(content), name);
      if (!opened) qFatal("%s", opened.error().c_str());
      out.push_back({name, std::move(opened->design)});
    }
    std::sort(out.begin(), out.end(), [](const Sample& a, const Sample& b) { return a.name < b.name; });
    return out;
  }();
  return read;
}

/// Every stage in order, and what the rules say of them.
std::vector<Finding> findings_of(const Design& d) {
  std::vector<PartOverrideValue> overrides;
  for (const PartOverride& o : *d.part_overrides) overrides.push_back({o.part_kind, o.part, o.field, o.value});
  std::vector<std::string> problems;
  const Shared<Catalog> c = share(with_overrides(*shipped_catalog(), overrides, problems));
  const auto people = population({d.site, d.goal, d.rack_types, d.rack_items, d.racks, d.project, c});
  const auto plan = space({d.site, d.halls, d.structures, d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, c}, people);
  const auto net = fabric({d.networks, d.rack_items, d.project, d.storage, d.goal, c}, people, plan);
  const auto loads = load({d.project, d.goal, d.rack_types, d.rack_items, d.racks, d.storage, c}, people, net);
  const auto cool = cooling({d.cooling_plant, d.site, d.loops, d.cooling_units, d.racks, d.rack_types, d.rack_items, c}, loads);
  const auto supply = power({d.power_plant, d.site, d.goal, d.power_units, d.racks, d.rack_types, c, d.rack_items}, loads, cool);
  const auto run = training({d.job, c}, people);
  const auto store = storage({d.storage, d.rack_items, d.racks, c}, run, people);
  const auto up = reliability({d.operations, d.storage, d.rack_types, d.rack_items, d.racks, c}, people, run, store);
  const auto cost = budget({d.budget, d.site, d.storage, d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, c}, people, net, loads, supply, run, up);
  Figures figures;
  figures.add(people);
  figures.add(plan);
  figures.add(net);
  figures.add(loads);
  figures.add(cool);
  figures.add(supply);
  figures.add(run);
  figures.add(store);
  figures.add(up);
  figures.add(cost);
  return run_rules({d, *c, figures}, rules_of_all_subjects());
}

/// One thing gone wrong: the fields that are set on top of a sample.
struct Trouble {
  const char* name;
  std::vector<std::pair<const char*, const char*>> fields;
};
const std::vector<Trouble> troubles{
    {"as it is", {}},
    {"a third of the replicas", {{"job.data_parallel", "3"}}},
    {"one replica", {{"job.data_parallel", "1"}}},
    {"too many replicas", {{"job.data_parallel", "9000"}}},
    {"heads do not divide", {{"job.tensor_parallel", "6"}}},
    {"beyond the scale-up domain", {{"job.tensor_parallel", "64"}}},
    {"no sharing of state", {{"job.sharding", "none"}, {"job.recompute", "none"}, {"job.micro_batch", "8"}}},
    {"seven stages", {{"job.pipeline_parallel", "7"}}},
    {"too many virtual stages", {{"job.virtual_stages", "60"}}},
    {"experts do not divide", {{"job.expert_parallel", "24"}}},
    {"sequence does not divide", {{"job.context_parallel", "3"}}},
    {"an odd batch", {{"job.global_batch_sequences", "1001"}}},
    {"a small utility", {{"site.utility_power", "1 MW"}}},
    {"two feeds are claimed", {{"power_plant.redundancy", "2N"}}},
    {"one more is claimed", {{"power_plant.redundancy", "N+1"}, {"cooling_plant.redundancy", "N+1"}}},
    {"half of the coolers may fail", {{"cooling_plant.redundancy", "2N"}}},
    {"a short target", {{"storage.checkpoint_target", "1 s"}}},
    {"an interval below the write", {{"storage.checkpoint_interval", "1 s"}, {"storage.asynchronous", "no"}}},
    {"a seldom checkpoint", {{"storage.checkpoint_interval", "1 d"}, {"storage.asynchronous", "no"}}},
    {"a large dataset", {{"storage.dataset", "900000 TB"}}},
};

} // namespace

class TestRulesAndRemedies : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Title, why, and the source of the limit; the catalog assumptions that a help text names exist.
  void helpSaysWhyAndWhence() {
    std::set<std::string_view> codes, titles, helps;
    const std::regex cited("[a-z]+\\.[a-z][a-z0-9_]+");
    for (const Rule& rule : rules_of_all_subjects()) {
      const QByteArray code(rule.code.data(), static_cast<qsizetype>(rule.code.size()));
      QVERIFY2(rule.check, code);
      QVERIFY2(codes.insert(rule.code).second, code);
      QVERIFY2(std::regex_match(std::string(rule.code), std::regex("[A-Z]{3}-[0-9]{3}")), code);
      QVERIFY2(!rule.title.empty() && !rule.title.ends_with('.') && titles.insert(rule.title).second, code);
      const std::string help(rule.help);
      QVERIFY2(help.ends_with('.') && helps.insert(rule.help).second, code);
      const auto source = help.find("Source of ");
      QVERIFY2(source != std::string::npos, code);
      QVERIFY2(source >= 60, code); // why and what comes before the source, in a sentence of its own
      QVERIFY2(help.find(rule.title) == std::string::npos, code);
      for (std::sregex_iterator it(help.begin(), help.end(), cited), end; it != end; ++it) {
        const Assumption* assumption = shipped_catalog()->find<Assumption>(it->str());
        QVERIFY2(assumption && assumption->value && !assumption->source.empty(), (code.toStdString() + " names " + it->str()).c_str());
      }
    }
    QVERIFY(codes.size() >= 48);
  }

  /// Of each sample, as it is and with one thing gone wrong, every remedy that is offered can be applied and gives another design.
  void everyRemedyChangesTheDesign() {
    QVERIFY(samples().size() >= 5);
    std::set<std::string> with_remedies;
    std::size_t applied = 0;
    for (const Sample& sample : samples()) {
      for (const Trouble& trouble : troubles) {
        Design design = sample.design;
        for (const auto& [path, value] : trouble.fields) {
          auto set = set_by_path(design, path, value);
          QVERIFY2(set.has_value(), set ? "" : set.error().c_str());
          design = std::move(*set);
        }
        check(sample.name + ", " + trouble.name, design, with_remedies, applied);
        if (QTest::currentTestFailed()) return;
      }
      // The same with the networks and the links of racks gone wrong.
      Design design = sample.design;
      auto networks = *design.networks;
      for (Network& n : networks) {
        n.bundles = BundleRule::uneven;
        n.units = UnitRule::lit;
        n.tiers = Tiers::one;
      }
      auto racks = *design.racks;
      for (std::size_t i = 0; i < racks.size(); i += 3) racks[i].feed_b = racks[i].loop = 0;
      design.networks = share(networks);
      design.racks = share(racks);
      check(sample.name + ", one tier", design, with_remedies, applied);
      for (Network& n : networks) n.tiers = Tiers::automatic;
      design.networks = share(networks);
      auto plant = *design.power_plant;
      plant.redundancy = Redundancy::two_n;
      design.power_plant = share(plant);
      check(sample.name + ", uneven networks and missing feeds", design, with_remedies, applied);
      // Units of a third of their rating, and no CDUs.
      auto units = *sample.design.power_units;
      for (std::size_t i = 0; i < units.size(); i += 2) units[i].rating = kilowatts(20);
      design.power_units = share(units);
      design.cooling_units = share(std::vector<CoolingUnit>{});
      check(sample.name + ", small units", design, with_remedies, applied);
      if (QTest::currentTestFailed()) return;
    }
    // The test has met the remedies that there are.
    QVERIFY(applied > 100);
    for (const char* code : {"TRN-001", "TRN-002", "TRN-003", "TRN-004", "TRN-006", "STO-001", "STO-002", "STO-004", "REL-001", "FAB-003", "FAB-005", "PWR-005", "CLG-001"})
      QVERIFY2(with_remedies.count(code), code);
  }

private:
  static void check(const std::string& where, const Design& design, std::set<std::string>& with_remedies, std::size_t& applied) {
    for (const Finding& finding : findings_of(design)) {
      std::set<std::string> labels;
      for (const Remedy& remedy : finding.remedies) {
        const std::string what = where + ": " + finding.code + ", " + remedy.edit.label;
        QVERIFY2(!remedy.edit.label.empty() && labels.insert(remedy.edit.label).second, what.c_str());
        const Edited edited = remedy.edit.apply(design);
        QVERIFY2(edited.has_value(), (what + (edited ? "" : ": " + edited.error())).c_str());
        QVERIFY2(!differences(design, *edited).empty(), (what + " changes nothing").c_str());
        with_remedies.insert(finding.code);
        ++applied;
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestRulesAndRemedies)
#include "test_rules_and_remedies.moc"
