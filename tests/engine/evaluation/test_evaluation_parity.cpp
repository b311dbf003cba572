// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/evaluation/generated_hall.h"
#include "evaluation/evaluation.h"
#include "project/project_file.h"

using namespace hallwright;

namespace {

const Shared<Catalog>& catalog() {
  static const Shared<Catalog> read = [] {
    auto c = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    if (!c) qFatal("%s", c.error().c_str());
    return share(*std::move(c));
  }();
  return read;
}

/// A hall of 96 GPUs with something of everything: structures, an override, a waiver, a note, a scenario, a published figure.
Design small_design() {
  Design d = test::generated_hall(96);
  const auto add = [&](auto table, auto entity) {
    Made made = add_entity(d, table, std::move(entity));
    d = std::move(made.design);
    return made.entities.at(0).id;
  };
  const Id hall = d.halls->front().id;
  add(&Design::structures, Structure{.name = "Column 1", .hall = hall, .x = meters(0.2), .y = meters(0.2)});
  const Id liquid = add(&Design::rack_types, RackType{.name = "NVL72", .rack_part = "gb200-nvl72"});
  add(&Design::rack_items, RackItem{.rack_type = liquid, .part = "gb200-tray", .count = 18});
  add(&Design::racks, Rack{.name = "L1", .rack_type = liquid, .hall = hall, .x = meters(1), .y = meters(70), .loop = d.loops->front().id});
  add(&Design::part_overrides, PartOverride{.part_kind = "node", .part = "dgx-h100", .field = "power_max_w", .value = "9.5 kW", .reason = "measured"});
  add(&Design::waivers, Waiver{.rule = "PWR-001", .entities = "", .reason = "accepted for the test"});
  add(&Design::notes, Note{.text = "A note", .hall = hall});
  const Id scenario = add(&Design::scenarios, Scenario{.name = "More power"});
  add(&Design::scenario_changes, ScenarioChange{.scenario = scenario, .path = "site.utility_power", .value = "12 MW"});
  auto with_climate = set_field(d, {"site", 0}, "climate_part", std::string("golden-co"));
  if (!with_climate) qFatal("%s", with_climate.error().c_str());
  d = *std::move(with_climate);
  add(&Design::published, PublishedFigure{.figure = "power.it", .value = "100 kW", .source = "written for the test"});
  return d;
}

// --- comparison ------------------------------------------------------------------------------------------------------

std::string figure_difference(const Figure& a, const Figure& b) {
  if (a == b) return {};
  std::string input;
  for (std::size_t i = 0; i < std::min(a.inputs.size(), b.inputs.size()) && input.empty(); ++i)
    if (a.inputs[i] != b.inputs[i])
      input = fmt::format(", input {} {} {} and {} {}", i, page_word(a.inputs[i].page), a.inputs[i].index, page_word(b.inputs[i].page), b.inputs[i].index);
  return fmt::format("figure {} is {} ({} inputs, {}), was expected as {} ({} inputs, {}){}", a.id, figure_text(a, 17), a.inputs.size(), a.reason,
                     figure_text(b, 17), b.inputs.size(), b.reason, input);
}

std::string finding_text(const Finding& f) {
  std::string out = fmt::format("{} {} {} [{}] {} {} {}", f.code, severity_word(f.severity), f.message, f.where, f.undecided, f.waived, f.waiver_reason);
  for (const EntityRef& e : f.entities) out += fmt::format(" {}:{}", e.table, e.id);
  for (const std::string& id : f.figures) out += " " + id;
  for (const Remedy& r : f.remedies) out += fmt::format(" ({} {} {})", r.edit.label, r.cost_dollars.value_or(-1), r.lead_time_weeks.value_or(-1));
  return out;
}

/// The first difference of two evaluations, or nothing: figure by figure, table by table, finding by finding.
std::string difference(const Evaluation& a, const Evaluation& b) {
  for (std::size_t p = 0; p < page_count; ++p) {
    const auto& x = a.figures.page(static_cast<Page>(p))->figures;
    const auto& y = b.figures.page(static_cast<Page>(p))->figures;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      if (std::string d = figure_difference(x[i], y[i]); !d.empty()) return d;
    if (x.size() != y.size()) return fmt::format("page {} has {} figures, expected {}", page_word(static_cast<Page>(p)), x.size(), y.size());
  }
  const auto tables = a.figures.tables(), expected = b.figures.tables();
  if (tables.size() != expected.size()) return fmt::format("{} tables, expected {}", tables.size(), expected.size());
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (!same_table(*tables[i], *expected[i])) return fmt::format("table {} differs from {}", tables[i]->id, expected[i]->id);
  if (a.override_problems != b.override_problems) return "the problems of overrides differ";
  for (std::size_t i = 0; i < std::min(a.findings.size(), b.findings.size()); ++i)
    if (finding_text(a.findings[i]) != finding_text(b.findings[i]))
      return fmt::format("finding {}\n  expected {}", finding_text(a.findings[i]), finding_text(b.findings[i]));
  if (a.findings.size() != b.findings.size()) return fmt::format("{} findings, expected {}", a.findings.size(), b.findings.size());
  return {};
}

// --- random edits ----------------------------------------------------------------------------------------------------

class Chance {
public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % std::max<std::size_t>(n, 1)); }
  double real(double low, double high) { return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1.0p-53; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

private:
  std::mt19937_64 engine_;
};

/// A value that the field may take, near the present one where that says something.
FieldValue any_value(Chance& chance, const Design& design, const FieldInfo& field, const FieldValue& present) {
  if (field.optional && chance.one_in(5)) return {};
  switch (field.type) {
  case FieldType::number: {
    const auto* now = std::get_if<double>(&present);
    double value = now ? *now * chance.real(0.5, 1.6) : chance.real(0.1, 2.0);
    if (field.kind && field.kind->scale == Scale::point) value = now ? *now + chance.real(-8, 8) : 300.0;
    if (chance.one_in(10)) value = std::isfinite(field.minimum) ? field.minimum : 0.0;
    return std::clamp(value, field.minimum, field.maximum);
  }
  case FieldType::count: {
    const auto* now = std::get_if<std::int64_t>(&present);
    double value = static_cast<double>((now ? *now : 4) + static_cast<std::int64_t>(chance.below(9)) - 4);
    if (now && chance.one_in(3)) value = static_cast<double>(chance.one_in(2) ? *now * 2 : *now / 2);
    if (chance.one_in(12)) value = field.minimum;
    value = std::clamp(value, std::max(field.minimum, -1e6), std::min(field.maximum, 1e6));
    return static_cast<std::int64_t>(value);
  }
  case FieldType::text: return std::string(chance.one_in(2) ? "Another" : "R") + std::to_string(chance.below(100));
  case FieldType::boolean: return chance.one_in(2);
  case FieldType::choice: return std::string(field.choices[chance.below(field.choices.size())]);
  case FieldType::reference: {
    const auto ids = entity_ids(design, field.target);
    return ids.empty() || chance.one_in(6) ? Id{0} : chance.of(ids);
  }
  case FieldType::part: {
    const auto parts = part_summaries(*catalog(), field.target);
    if (parts.empty() || chance.one_in(15)) return std::string("no-such-part");
    return chance.of(parts).id;
  }
  case FieldType::outline: return std::string("0,0 20000,0 20000,90000 0,90000");
  }
  return {};
}

struct RandomEdit {
  Design design;
  std::string what; ///< for the report of a failure
};

/// One edit; a refused one leaves the design as it is.
RandomEdit any_edit(Chance& chance, const Design& design) {
  const auto kept = [&](auto edited, std::string what) {
    return edited ? RandomEdit{*std::move(edited), std::move(what)} : RandomEdit{design, "refused: " + what};
  };
  const auto made = [&](Making m, std::string what) {
    return m ? RandomEdit{std::move(m->design), std::move(what)} : RandomEdit{design, "refused: " + what};
  };
  const std::vector<std::string_view> plan_tables = {"racks", "power_units", "cooling_units", "structures"};
  const std::string table(chance.of(plan_tables));
  const auto ids = entity_ids(design, table);
  if (!ids.empty()) {
    const EntityRef one{table, chance.of(ids)};
    const std::string name = fmt::format("{} {}", one.table, one.id);
    switch (chance.below(16)) {
    case 0: return kept(remove(design, {one}), "remove " + name);
    case 1: return made(duplicate(design, {one}, meters(1.5), meters(0.3)), "duplicate " + name);
    case 2: return kept(move_by(design, {one}, meters(chance.real(-2, 2)), meters(0.1)), "move " + name);
    default: break;
    }
  }
  if (chance.one_in(20) && !design.halls->empty() && !design.rack_types->empty()) {
    RowPlan plan;
    plan.hall = design.halls->front().id;
    plan.rack_type = chance.of(*design.rack_types).id;
    plan.racks_per_row = 1 + static_cast<Count>(chance.below(5));
    plan.y = meters(chance.real(1, 60));
    return made(place_rows(design, plan), "place a row");
  }
  // Any field of any section or table.
  std::vector<std::string_view> words = section_words();
  for (const std::string_view word : table_words())
    if (!entity_ids(design, word).empty()) words.push_back(word);
  EntityRef entity{std::string(chance.of(words)), 0};
  if (!has_entity(design, entity)) entity.id = chance.of(entity_ids(design, entity.table));
  const auto known = table_fields(entity.table);
  const FieldInfo& field = chance.of(known);
  const FieldValue value = any_value(chance, design, field, *get_field(design, entity, field.name));
  return kept(set_field(design, entity, field.name, value), fmt::format("{}.{}.{} = {}", entity.table, entity.id, field.name, exact_field_text(field, value)));
}

std::uint64_t seed() {
  const char* wanted = std::getenv("HALLWRIGHT_SEED");
  return wanted ? std::strtoull(wanted, nullptr, 10) : std::random_device{}();
}

// --- what must hold for every evaluation --------------------------------------------------------------------------------

std::string broken_leaf(const Evaluation& e, const Figure& f) {
  if (f.origin == Origin::design) {
    const auto value = get_field(e.design, {f.table, f.entity}, f.field);
    return value ? std::string() : fmt::format("{} names a field that the design does not have: {}", f.id, value.error());
  }
  if (f.source.empty()) return fmt::format("{} has no source", f.id);
  if (f.origin == Origin::catalog) {
    const auto values = part_values(*e.catalog, f.table, f.part);
    const bool found = std::any_of(values.begin(), values.end(), [&](const PartFieldValue& v) { return v.field.name == f.field; });
    // A part that the catalog lacks is unknown, and says so.
    if (!found && f.has_value()) return fmt::format("{} names {} {}, {}, which the catalog does not have", f.id, f.table, f.part, f.field);
  }
  return {};
}

/// The first promise about figures that an evaluation breaks, or nothing.
std::string broken_promise(const Evaluation& e) {
  for (const Figure* f : e.figures.all()) {
    if (f->id.empty() || f->label.empty() || f->kind == nullptr) return fmt::format("figure \"{}\" has no id, label or kind", f->id);
    if (f->has_value() && !std::isfinite(f->value)) return fmt::format("{} is not a finite number", f->id);
    if (!f->has_value() && f->reason.empty()) return fmt::format("{} is not applicable without a reason", f->id);
    if (f->limit.valid() && !e.figures.at(f->limit)) return fmt::format("{} has a limit that does not exist", f->id);
    for (const FigureRef ref : f->inputs) {
      const Figure* input = e.figures.at(ref);
      if (!input) return fmt::format("{} has an input that does not exist", f->id);
      // Every input was made before: on an earlier page, or further up on the same one. So there can be no cycle.
      const Figure* last = e.figures.page(ref.page)->figures.data() + ref.index;
      const bool same_page = f >= e.figures.page(ref.page)->figures.data() && f < e.figures.page(ref.page)->figures.data() + e.figures.page(ref.page)->figures.size();
      if (same_page && last >= f) return fmt::format("{} rests on {}, which was made after it", f->id, input->id);
    }
    if (f->is_leaf()) {
      if (std::string broken = broken_leaf(e, *f); !broken.empty()) return broken;
    } else if (f->inputs.empty() && f->has_value()) {
      // A sum of no parts is nothing; everything else is counted, and says in what.
      const bool empty_sum = f->origin == Origin::sum && f->value == 0.0;
      if (!empty_sum && f->source.empty()) return fmt::format("{} rests on nothing and has no source", f->id);
      if (f->origin == Origin::derived) return fmt::format("{} is derived from nothing", f->id);
    }
  }
  // Pages point backwards only.
  for (std::size_t p = 0; p < page_count; ++p)
    for (const Figure& f : e.figures.page(static_cast<Page>(p))->figures)
      for (const FigureRef ref : f.inputs)
        if (static_cast<std::size_t>(ref.page) > p) return fmt::format("{} rests on the later page {}", f.id, page_word(ref.page));
  for (const Table* t : e.figures.tables())
    for (const TableColumn& c : t->columns)
      for (const double v : c.numbers)
        if (std::isinf(v)) return fmt::format("table {}, column {} holds an infinite number", t->id, c.id);
  return {};
}

std::vector<std::string> sample_projects() {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(HALLWRIGHT_SOURCE_DIR "/projects", none))
    if (entry.path().string().ends_with(".hall.json")) out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

Design design_named(const std::string& name) {
  if (name == "small") return small_design();
  if (name == "1,024 GPUs") return test::generated_hall(1024);
  if (name == "empty") return {};
  auto opened = open_project(name);
  if (!opened) qFatal("%s", opened.error().c_str());
  return opened->design;
}

void design_rows(bool empty_too) {
  QTest::addColumn<QString>("name");
  QTest::newRow("a small hall with something of everything") << QStringLiteral("small");
  QTest::newRow("a hall of 1,024 GPUs") << QStringLiteral("1,024 GPUs");
  if (empty_too) QTest::newRow("an empty design") << QStringLiteral("empty");
  for (const std::string& file : sample_projects()) QTest::newRow(std::filesystem::path(file).filename().c_str()) << QString::fromStdString(file);
}

/// The text form of a design with the entities of every table in another order.
std::string shuffled_text(const Design& design, Chance& chance) {
  auto json = nlohmann::ordered_json::parse(design_text(design));
  for (auto& table : json) {
    if (!table.is_array()) continue;
    for (std::size_t i = table.size(); i > 1; --i) std::swap(table[i - 1], table[chance.below(i)]);
  }
  return json.dump();
}

} // namespace

class TestEvaluationParity : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    seed_ = seed();
    qInfo("seed %llu; set HALLWRIGHT_SEED to run it again", static_cast<unsigned long long>(seed_));
  }

  void incremental_equals_from_nothing_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("edits");
    QTest::newRow("a small hall with something of everything") << QStringLiteral("small") << 400;
    QTest::newRow("a hall of 1,024 GPUs") << QStringLiteral("1,024 GPUs") << 150;
    QTest::newRow("from an empty design") << QStringLiteral("empty") << 100;
    for (const std::string& file : sample_projects()) QTest::newRow(std::filesystem::path(file).filename().c_str()) << QString::fromStdString(file) << 40;
  }
  void incremental_equals_from_nothing() {
    QFETCH(QString, name);
    QFETCH(int, edits);
    Chance chance(seed_);
    Design design = design_named(name.toStdString());
    std::vector<Design> undo = {design};
    Evaluation running = *evaluate(design, catalog());
    std::string last;
    int applied = 0;
    for (int i = 0; i < edits; ++i) {
      if (chance.one_in(8)) {
        design = chance.of(undo); // undo, redo and other branches
        last = "back to an earlier design";
      } else {
        RandomEdit edit = any_edit(chance, design);
        applied += edit.what.starts_with("refused") ? 0 : 1;
        design = std::move(edit.design);
        last = std::move(edit.what);
        undo.push_back(design);
        // A design that has lost everything tells little: start again now and then.
        if (chance.one_in(40)) design = undo.front();
      }
      // In haste, as the window does: what takes longer comes after, or the next edit comes first.
      const bool in_haste = chance.one_in(2);
      auto next = evaluate(design, catalog(), &running, {}, in_haste ? LoopDepth::working : LoopDepth::whole);
      QVERIFY(next.has_value());
      if (in_haste) {
        if (chance.one_in(3)) {
          running = *std::move(next);
          continue;
        }
        next = evaluate(design, catalog(), &*next);
      }
      const auto fresh = evaluate(design, catalog());
      const std::string differs = difference(*next, *fresh);
      QVERIFY2(differs.empty(), fmt::format("seed {}, edit {} ({}): {}", seed_, i, last, differs).c_str());
      const std::string broken = broken_promise(*fresh);
      QVERIFY2(broken.empty(), fmt::format("seed {}, edit {} ({}): {}", seed_, i, last, broken).c_str());
      running = *std::move(next);
    }
    QVERIFY2(applied > edits / 3, "most edits were refused: the test says too little");
  }

  void an_unchanged_design_rests_at_every_stage() {
    const Design design = test::generated_hall(1024);
    const Evaluation first = *evaluate(design, catalog());
    const Evaluation second = *evaluate(design, catalog(), &first);
    QVERIFY(second.population == first.population && second.space == first.space && second.fabric == first.fabric && second.load == first.load);
    QVERIFY(second.cooling == first.cooling && second.power == first.power && second.training == first.training && second.storage == first.storage);
    QVERIFY(second.reliability == first.reliability && second.budget == first.budget);
    // The number of tokens moves the run and its cost, and no watt.
    const Design longer = test::must(set_by_path(design, "job.tokens", "30e12"));
    const Evaluation third = *evaluate(longer, catalog(), &first);
    QVERIFY(third.training != first.training && third.population == first.population && third.space == first.space);
    QVERIFY(third.fabric == first.fabric && third.load == first.load && third.cooling == first.cooling && third.power == first.power);
  }

  void a_replaced_power_of_the_node_lets_rest_what_reads_no_node() {
    const auto with_power = [](const Design& d, const char* value) {
      PartOverride o{.part_kind = "node", .part = "dgx-h100", .field = "power_max_w", .value = value, .reason = "measured"};
      return add_entity(d, &Design::part_overrides, o).design;
    };
    const PartOverride other{.part_kind = "model", .part = "llama3-405b", .field = "layers", .value = "126", .reason = "as published"};
    const Design design = add_entity(test::generated_hall(1024), &Design::part_overrides, other).design;
    const Evaluation first = *evaluate(design, catalog());
    const Evaluation second = *evaluate(with_power(design, "9 kW"), catalog(), &first);
    const Evaluation third = *evaluate(with_power(design, "9.5 kW"), catalog(), &second);
    for (const auto& [before, after] : {std::pair(&first, &second), std::pair(&second, &third)}) {
      QVERIFY(after->load != before->load && after->power != before->power);
      QVERIFY(after->training == before->training && after->storage == before->storage && after->reliability == before->reliability);
      // Only the list of nodes is another one; the replaced model keeps its list.
      QVERIFY(!after->catalog->nodes.shares_with(before->catalog->nodes));
      QVERIFY(after->catalog->models.shares_with(before->catalog->models) && after->catalog->racks.shares_with(catalog()->racks));
    }
  }

  /// A stage is handed only the kinds of part that it declares; with the whole catalog it must say the very same.
  void a_stage_reads_no_kind_of_part_that_it_is_not_handed_data() { design_rows(true); }
  void a_stage_reads_no_kind_of_part_that_it_is_not_handed() {
    QFETCH(QString, name);
    const Design d = design_named(name.toStdString());
    const Evaluation e = *evaluate(d, catalog());
    const auto& c = e.catalog;
    const auto same = [](const StageResult& a, const StageResult& b) {
      return *a.page == *b.page && std::equal(a.tables->begin(), a.tables->end(), b.tables->begin(), b.tables->end(), same_table);
    };
    QVERIFY(same(population({d.site, d.goal, d.rack_types, d.rack_items, d.racks, d.project, c}), *e.population));
    QVERIFY(same(space({.site = d.site, .halls = d.halls, .structures = d.structures, .rack_types = d.rack_types, .rack_items = d.rack_items,
                        .racks = d.racks, .power_units = d.power_units, .cooling_units = d.cooling_units, .catalog = c,
                        .zones = d.zones, .containments = d.containments, .trays = d.trays, .pipes = d.pipes},
                       *e.population, e.routes),
                 *e.space));
    QVERIFY(same(fabric({d.networks, d.rack_items, d.project, d.storage, d.goal, c}, *e.population, *e.space), *e.fabric));
    QVERIFY(same(cabling({d.networks, d.rack_types, d.rack_items, d.racks, d.storage, c}, *e.population, *e.fabric, *e.space), *e.cabling));
    QVERIFY(same(traffic({d.job, d.communicators, d.failures, d.networks, c}, *e.population, *e.fabric, *e.cabling, failed_things(d)), *e.traffic));
    QVERIFY(same(load({d.project, d.goal, d.rack_types, d.rack_items, d.racks, d.storage, c, d.job->gpu_power_cap, d.rows}, *e.population, *e.fabric, e.cabling.get()), *e.load));
    QVERIFY(same(cooling({d.cooling_plant, d.site, d.loops, d.cooling_units, d.racks, d.rack_types, d.rack_items, c}, *e.load, e.loops.get()), *e.cooling));
    QVERIFY(same(power({d.power_plant, d.site, d.goal, d.power_units, d.racks, d.rack_types, c, d.rack_items}, *e.load, *e.cooling), *e.power));
    QVERIFY(same(training({d.job, c}, *e.population, e.fabric.get(), e.traffic->network ? &*e.traffic->network : nullptr, e.held_rack ? &*e.held_rack : nullptr), *e.training));
    QVERIFY(same(storage({d.storage, d.rack_items, d.racks, c}, *e.training, *e.population), *e.storage));
    QVERIFY(same(reliability({d.operations, d.storage, d.rack_types, d.rack_items, d.racks, c}, *e.population, *e.training, *e.storage), *e.reliability));
    QVERIFY(same(budget({d.budget, d.site, d.storage, d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, c}, *e.population, *e.fabric,
                        *e.load, *e.power, *e.training, *e.reliability, e.cabling.get()),
                 *e.budget));
  }

  /// Rack units of 48 mm instead of 44.45 mm lift what stands in a rack, and shorten its cables to a tray above.
  void the_rack_part_moves_cable_lengths() {
    std::string file;
    for (const std::string& each : sample_projects())
      if (each.find("superpod-h100-4su") != std::string::npos) file = each; // its cabinets are such parts, and it has no trays
    const Design eia = design_named(file);
    const PartOverride open{.part_kind = "rack", .part = "generic-48u-600x1200", .field = "kind", .value = "ORv3", .reason = "for the test"};
    const Design orv3 = add_entity(eia, &Design::part_overrides, open).design;
    const Evaluation before = *evaluate(eia, catalog());
    const Evaluation after = *evaluate(orv3, catalog(), &before), cold = *evaluate(orv3, catalog());
    QVERIFY2(after.override_problems.empty(), "the field is not there");
    QCOMPARE(QString::fromStdString(difference(after, cold)), QString());
    int seen = 0;
    for (const NetworkCabling& c : before.cabling->networks) {
      if (c.kind != NetworkKind::compute || !c.plan) continue;
      const NetworkCabling& now = *after.cabling->find(c.network);
      const auto lifted = [&](std::uint32_t d) { // middle of the device above the lowest unit
        const DevicePlace& p = c.places->places[d];
        return (48.0 - 44.45) * (p.half_unit - 1 + p.half_units / 2.0) / 2;
      };
      for (std::size_t l = 0; l < c.plan->links.size(); ++l) {
        const WiredLink& link = c.wiring->links[l];
        if (c.plan->links[l].how != LengthKind::estimated) continue;
        const double moved = now.plan->links[l].routed_mm - c.plan->links[l].routed_mm;
        const double expected = -1.05 * (lifted(link.near) + lifted(link.far));
        QVERIFY2(std::abs(moved - expected) < 1e-6, fmt::format("link {}: {} instead of {}", l, moved, expected).c_str());
        ++seen;
      }
    }
    QVERIFY(seen > 100);
  }

  void the_same_design_gives_the_same_evaluation_twice() {
    const Design design = small_design();
    const std::string differs = difference(*evaluate(design, catalog()), *evaluate(small_design(), catalog()));
    QVERIFY2(differs.empty(), differs.c_str());
  }

  void the_order_of_entities_in_the_file_changes_nothing_data() { design_rows(false); }
  void the_order_of_entities_in_the_file_changes_nothing() {
    QFETCH(QString, name);
    Chance chance(seed_);
    const Design design = design_named(name.toStdString());
    const Evaluation expected = *evaluate(design, catalog());
    for (int i = 0; i < 3; ++i) {
      const auto shuffled = read_project(shuffled_text(design, chance), "shuffled.hall.json");
      QVERIFY2(shuffled, shuffled ? "" : shuffled.error().c_str());
      QVERIFY(differences(design, shuffled->design).empty());
      const std::string differs = difference(*evaluate(shuffled->design, catalog()), expected);
      QVERIFY2(differs.empty(), fmt::format("seed {}: {}", seed_, differs).c_str());
    }
  }

  void every_figure_rests_on_what_exists_data() { design_rows(true); }
  void every_figure_rests_on_what_exists() {
    QFETCH(QString, name);
    const Evaluation e = *evaluate(design_named(name.toStdString()), catalog());
    QVERIFY(e.figures.all().size() > 20);
    const std::string broken = broken_promise(e);
    QVERIFY2(broken.empty(), broken.c_str());
    for (const HeadlineTile& tile : headline_tiles())
      for (const std::string_view id : {tile.figure, tile.second_figure, tile.remark_figure})
        if (!id.empty()) QVERIFY2(e.figures.find(id), fmt::format("the headline shows {}, which does not exist", id).c_str());
  }

  void sample_projects_keep_the_rules_of_the_document_data() { design_rows(false); }
  void sample_projects_keep_the_rules_of_the_document() {
    QFETCH(QString, name);
    const auto broken = validate(design_named(name.toStdString()));
    QVERIFY2(broken.empty(), broken.empty() ? "" : broken.front().c_str());
  }

  void a_stopped_evaluation_returns_nothing() {
    std::stop_source stopped;
    stopped.request_stop();
    QVERIFY(!evaluate(small_design(), catalog(), nullptr, stopped.get_token()));

    const Design large = test::generated_hall(100'000);
    auto start = std::chrono::steady_clock::now();
    QVERIFY(!evaluate(large, catalog(), nullptr, stopped.get_token()));
    const auto since = [&] { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(); };
    qInfo("100,000 GPUs, stopped before the start: %.3f ms", since());

    start = std::chrono::steady_clock::now();
    QVERIFY(evaluate(large, catalog()).has_value());
    const double whole = since();
    // The long loops leave off in the middle.
    const Evaluation e = *evaluate(large, catalog());
    const SpaceResult left_off = space({.site = large.site, .halls = large.halls, .structures = large.structures, .rack_types = large.rack_types,
                                        .rack_items = large.rack_items, .racks = large.racks, .power_units = large.power_units,
                                        .cooling_units = large.cooling_units, .catalog = e.catalog},
                                       *e.population, stopped.get_token());
    QVERIFY(!left_off.page && left_off.places.empty());
    QVERIFY(run_rules({large, *e.catalog, e.figures}, all_rules(), stopped.get_token()).empty());
    // Stopped at many points of a whole run; a run that was faster this time is not held to it.
    int answers = 0;
    for (int i = 1; i < 24; ++i) {
      const double share = i / 24.0;
      std::stop_source stop;
      std::atomic<bool> done{false};
      std::optional<Evaluation> result;
      std::thread worker([&] {
        result = evaluate(large, catalog(), nullptr, stop.get_token());
        done = true;
      });
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(whole * share));
      const bool late = done;
      stop.request_stop();
      worker.join();
      answers += result ? 0 : 1;
      if (!late && share < 0.6) QVERIFY(!result);
    }
    QVERIFY(answers > 8); // how soon each comes is measured by hallwright_bench, section "stop"
  }

private:
  std::uint64_t seed_ = 0;
};

QTEST_APPLESS_MAIN(TestEvaluationParity)
#include "test_evaluation_parity.moc"
