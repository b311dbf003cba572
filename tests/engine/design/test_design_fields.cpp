// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "catalog/catalog.h"
#include "design/edits.h"
#include "design/typed_tables.h"

using namespace hallwright;

namespace {

/// A value that differs from the present one and is within the range, or nothing where there is no other.
std::optional<FieldValue> another(const FieldInfo& f, const FieldValue& now, const Design& d) {
  switch (f.type) {
  case FieldType::number: {
    const double low = std::isfinite(f.minimum) ? f.minimum : 0.0, high = std::isfinite(f.maximum) ? f.maximum : low + 10.0;
    for (double share : {0.37, 0.61})
      if (FieldValue v = low + share * (high - low); v != now) return v;
    return std::nullopt;
  }
  case FieldType::count: {
    const auto low = static_cast<std::int64_t>(f.minimum), high = static_cast<std::int64_t>(f.maximum);
    for (std::int64_t v : {low, low + (high - low) / 3})
      if (FieldValue(v) != now) return FieldValue(v);
    return std::nullopt;
  }
  case FieldType::boolean: return FieldValue(!std::get<bool>(now));
  case FieldType::choice:
    for (std::string_view word : f.choices)
      if (FieldValue(std::string(word)) != now) return FieldValue(std::string(word));
    return std::nullopt;
  case FieldType::reference:
    for (Id id : entity_ids(d, f.target == any_table ? "racks" : f.target))
      if (FieldValue(id) != now) return FieldValue(id);
    return std::nullopt;
  case FieldType::part: return FieldValue(std::string("some-part"));
  case FieldType::text: return FieldValue(std::string(" a text, with  blanks "));
  case FieldType::outline: return FieldValue(std::string("0,0 1000.5,0 1000.5,2000"));
  }
  return std::nullopt;
}

/// One entity in every table, and a second one so that a reference can change.
Design one_of_each() {
  Design d;
  for (int round = 0; round < 2; ++round) {
    for_each_table([&](std::string_view, auto member) {
      typename TableOf<decltype(member)>::entity e;
      if constexpr (requires { e.outline; }) e.outline = {{0, 0}, {10000, 0}, {10000, 8000}};
      if constexpr (WithPath<decltype(e)>) e.path = {{0, 0}, {10000, 0}};
      d = add_entity(d, member, std::move(e)).design;
    });
  }
  return d;
}

std::vector<EntityRef> every_entity(const Design& d) {
  std::vector<EntityRef> out;
  for (auto word : section_words()) out.push_back({std::string(word), 0});
  for (auto word : table_words())
    for (Id id : entity_ids(d, word)) out.push_back({std::string(word), id});
  return out;
}

} // namespace

class TestDesignFields : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_member_is_listed_once() {
    // The members as the header declares them, read from the header itself.
    std::ifstream file(HALLWRIGHT_SOURCE_DIR "/engine/design/entities.h");
    std::stringstream text;
    text << file.rdbuf();
    const std::string source = text.str();
    std::map<std::string, std::set<std::string>> members;
    std::string entity;
    std::istringstream lines(source);
    std::string declaration;
    for (std::string line; std::getline(lines, line);) {
      std::smatch m;
      if (std::regex_match(line, m, std::regex("struct (\\w+) \\{"))) entity = m[1];
      if (line == "};") entity.clear();
      if (entity.empty() || line.rfind("  ", 0) != 0) continue;
      declaration += line.substr(0, line.find("//"));
      if (declaration.find(';') == std::string::npos) continue;
      declaration = declaration.substr(0, declaration.find(';'));
      declaration = std::regex_replace(declaration, std::regex("\\([^()]*(\\([^()]*\\))?[^()]*\\)|\\{[^{}]*\\}|\"[^\"]*\""), "");
      declaration = std::regex_replace(declaration, std::regex("<[^<>]*(<[^<>]*>)?[^<>]*>"), "");
      declaration = declaration.substr(declaration.find_first_not_of(' '));
      declaration = declaration.substr(declaration.find(' ') + 1); // the type
      std::istringstream names(declaration);
      for (std::string name; std::getline(names, name, ',');) {
        std::smatch word;
        if (std::regex_search(name, word, std::regex("\\s*(\\w+)")) && word[1] != "id") members[entity].insert(word[1]);
      }
      declaration.clear();
    }
    QVERIFY(members.size() >= 25);
    QCOMPARE(members["Rack"].size(), std::size_t(22)); // counted in the header by eye
    QCOMPARE(members["Job"].size(), std::size_t(37));
    const auto check = [&](const std::string& name, const auto& list) {
      std::set<std::string> listed;
      for (const FieldInfo& f : list) QVERIFY2(listed.insert(std::string(f.name)).second, f.name.data());
      std::string differing;
      for (const auto& m : members[name]) if (!listed.contains(m)) differing += " missing:" + m;
      for (const auto& m : listed) if (!members[name].contains(m)) differing += " unknown:" + m;
      QVERIFY2(differing.empty(), (name + differing).c_str());
    };
#define CHECK_ENTITY(E) check(#E, fields<E>());
    CHECK_ENTITY(Project) CHECK_ENTITY(Site) CHECK_ENTITY(Goal) CHECK_ENTITY(PowerPlant) CHECK_ENTITY(CoolingPlant) CHECK_ENTITY(Job)
    CHECK_ENTITY(StoragePlan) CHECK_ENTITY(Operations) CHECK_ENTITY(BudgetPlan) CHECK_ENTITY(Hall) CHECK_ENTITY(Structure)
    CHECK_ENTITY(RackType) CHECK_ENTITY(RackItem) CHECK_ENTITY(Row) CHECK_ENTITY(Rack) CHECK_ENTITY(PowerUnit) CHECK_ENTITY(CoolantLoop)
    CHECK_ENTITY(CoolingUnit) CHECK_ENTITY(Network) CHECK_ENTITY(PartOverride) CHECK_ENTITY(Waiver) CHECK_ENTITY(Scenario)
    CHECK_ENTITY(ScenarioChange) CHECK_ENTITY(PublishedFigure) CHECK_ENTITY(Note) CHECK_ENTITY(Zone) CHECK_ENTITY(Group)
    CHECK_ENTITY(Containment) CHECK_ENTITY(Tray) CHECK_ENTITY(Pipe) CHECK_ENTITY(Dimension) CHECK_ENTITY(Guide) CHECK_ENTITY(Underlay)
  }

  void every_field_is_described() {
    const auto tables = table_words();
    std::vector<std::string_view> all = section_words();
    all.insert(all.end(), tables.begin(), tables.end());
    for (auto word : all) {
      for (const FieldInfo& f : table_fields(word)) {
        const std::string where = std::string(word) + "." + std::string(f.name);
        QVERIFY2(!f.label.empty() && f.help.size() > 10 && f.help.ends_with('.'), where.c_str());
        QVERIFY2(f.minimum <= f.maximum, where.c_str());
        if (f.type == FieldType::number || f.type == FieldType::count) {
          QVERIFY2(f.kind != nullptr && std::isfinite(f.minimum) && std::isfinite(f.maximum), where.c_str());
          // A unit that the kind cannot be typed in would lock the editor.
          if (!f.unit.empty()) QVERIFY2(parse_quantity("1 " + std::string(f.unit), *f.kind).has_value(), where.c_str());
        }
        if (f.type == FieldType::reference && f.target != any_table) QVERIFY2(std::find(tables.begin(), tables.end(), f.target) != tables.end(), where.c_str());
      }
    }
  }

  void defaults_are_within_their_ranges() {
    const auto broken = validate(one_of_each());
    QVERIFY2(broken.empty(), broken.empty() ? "" : broken.front().c_str());
  }

  void text_of_every_field_reads_back_as_the_same_value() {
    Design d = one_of_each();
    int changed = 0;
    for (const EntityRef& ref : every_entity(d)) {
      for (const FieldInfo& f : table_fields(ref.table)) {
        const std::string where = ref.table + "." + std::string(f.name);
        std::vector<FieldValue> values{*get_field(d, ref, f.name)};
        if (auto v = another(f, values[0], d)) values.push_back(*v);
        if (f.optional && f.type != FieldType::reference && f.type != FieldType::part) values.emplace_back(std::monostate{});
        for (const FieldValue& v : values) {
          auto set = set_field(d, ref, f.name, v);
          QVERIFY2(set.has_value(), set ? "" : (where + ": " + set.error()).c_str());
          const FieldValue held = *get_field(*set, ref, f.name);
          if (!(f.type == FieldType::reference && v == FieldValue(std::monostate{}))) QVERIFY2(held == v, where.c_str());
          auto parsed = parse_field(f, exact_field_text(f, held));
          QVERIFY2(parsed.has_value(), (where + ": " + (parsed ? "" : parsed.error())).c_str());
          auto again = set_field(*set, ref, f.name, *parsed);
          QVERIFY2(again.has_value(), where.c_str());
          QVERIFY2(*get_field(*again, ref, f.name) == held, where.c_str());
          // Setting one field changes that field and no other.
          const auto moved = differences(d, *set);
          QVERIFY2(moved.size() == (v == values[0] ? 0U : 1U), where.c_str());
          changed += static_cast<int>(moved.size());
        }
      }
    }
    QVERIFY(changed > 300);
  }

  /// What a refusal names as allowed is accepted when it is typed, a step beyond is not: of every entity and every part.
  void printed_limits_are_accepted() {
    int limits = 0;
    const auto try_field = [&](const std::string& where, const FieldInfo& f) {
      if (f.type != FieldType::number && f.type != FieldType::count) return;
      const bool whole = f.type == FieldType::count;
      const auto value = [&](double v) { return whole ? FieldValue(static_cast<std::int64_t>(v)) : FieldValue(v); };
      const auto step = [&](double limit) { return whole ? 1.0 : std::max(1e-9 * std::abs(limit), 1e-12); };
      std::string allowed;
      if (std::isfinite(f.minimum)) {
        const auto under = check_field(f, value(f.minimum - step(f.minimum)));
        QVERIFY2(!under, where.c_str());
        allowed = under.error();
      }
      if (std::isfinite(f.maximum)) {
        const auto over = check_field(f, value(f.maximum + step(f.maximum)));
        QVERIFY2(!over, where.c_str());
        allowed = over.error();
      }
      if (allowed.empty()) return;
      static const std::regex sentence("out of range; (?:at least |at most )?(.*?)(?: to (.*))? is allowed$");
      std::smatch found;
      QVERIFY2(std::regex_search(allowed, found, sentence), (where + ": " + allowed).c_str());
      for (std::size_t i = 1; i < found.size(); ++i) {
        if (!found[i].matched) continue;
        const auto typed = parse_field(f, found[i].str());
        QVERIFY2(typed, (where + ": " + (typed ? "" : typed.error())).c_str());
        QVERIFY2(check_field(f, *typed), where.c_str());
        ++limits;
      }
    };
    const Design d = one_of_each();
    for (const auto& words : {section_words(), table_words()})
      for (auto word : words)
        for (const FieldInfo& f : table_fields(word)) try_field(std::string(word) + "." + std::string(f.name), f);
    for_each_part_type([&]<class P>(std::type_identity<P>) {
      for (const FieldInfo& f : part_fields<P>()) try_field("part " + std::string(f.name), f);
    });
    QVERIFY2(limits > 500, std::to_string(limits).c_str());
    // The two of a trial: degC added to 273.15 rounds below the limit.
    QVERIFY(set_by_path(d, "site.outdoor_design_temperature", "-60degC"));
    QVERIFY(!set_by_path(d, "site.outdoor_design_temperature", "-60.0001 degC"));
  }

  void sizes_refuse_nonsense_with_the_range_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("words");
    for (const char* axis : {"tensor_parallel", "pipeline_parallel", "virtual_stages", "context_parallel", "expert_parallel", "data_parallel", "micro_batch"}) {
      for (const char* bad : {"0", "-1", "1e9"})
        QTest::addRow("%s = %s", axis, bad) << QString("job.%1").arg(axis) << bad << QStringList{"1 to 1000000 is allowed"};
      QTest::addRow("%s = 1.5", axis) << QString("job.%1").arg(axis) << "1.5" << QStringList{"1.5", "whole number"};
    }
    QTest::addRow("no tokens") << "job.tokens" << "0" << QStringList{"Tokens", "is allowed"};
    QTest::addRow("negative sequence") << "job.sequence_length" << "-1" << QStringList{"Sequence length", "-1", "1 to 100000000"};
    QTest::addRow("no batch") << "job.global_batch_sequences" << "0" << QStringList{"Global batch", "0"};
    QTest::addRow("no racks of nodes") << "goal.nodes_per_rack" << "0" << QStringList{"Nodes per rack", "1 to 1000"};
    QTest::addRow("a billion GPUs") << "goal.gpus" << "1e9" << QStringList{"GPUs wanted", "0 to 10000000"};
    QTest::addRow("a UPS that makes power") << "power_plant.ups_efficiency" << "101 %" << QStringList{"UPS efficiency", "50 % to 100 %"};
    QTest::addRow("efficiency typed as a number of percent") << "power_plant.ups_efficiency" << "40" << QStringList{"UPS efficiency", "write 40 %"};
    QTest::addRow("steam") << "cooling_plant.supply_temperature" << "110 degC" << QStringList{"Supply temperature", "110", "0 degC to 70 degC"};
    QTest::addRow("ice") << "cooling_plant.supply_temperature" << "-1 degC" << QStringList{"Supply temperature", "-1", "0 degC to 70 degC"};
    QTest::addRow("no rise") << "cooling_plant.supply_rise" << "0 K" << QStringList{"Coolant rise", "1 K to 50 K"};
    QTest::addRow("no utility") << "site.utility_power" << "0 MW" << QStringList{"Utility power", "is allowed"};
    QTest::addRow("MFU of nothing") << "job.model_flops_utilization" << "0 %" << QStringList{"MFU", "1 % to 100 %"};
    QTest::addRow("wrong dimension") << "site.utility_power" << "5 m" << QStringList{"Utility power"};
    QTest::addRow("unknown word") << "power_plant.redundancy" << "3N" << QStringList{"Redundancy", "3N", "N+1"};
    QTest::addRow("a service level that no stock reaches") << "operations.service_level" << "100 %" << QStringList{"Service level", "is allowed"};
  }
  void sizes_refuse_nonsense_with_the_range() {
    QFETCH(QString, path);
    QFETCH(QString, text);
    QFETCH(QStringList, words);
    const auto set = set_by_path(Design{}, path.toStdString(), text.toStdString());
    QVERIFY(!set.has_value());
    for (const QString& word : words) QVERIFY2(QString::fromStdString(set.error()).replace(QChar(0x2009), ' ').contains(word), set.error().c_str());
  }

  void display_units_are_those_of_the_trade() {
    const auto unit = [](std::string_view table, std::string_view name) -> std::string {
      for (const FieldInfo& f : table_fields(table))
        if (f.name == name) return std::string(f.unit);
      return "no field";
    };
    QCOMPARE(unit("racks", "x"), std::string("mm"));
    QCOMPARE(unit("rack_types", "width"), std::string("mm"));
    QCOMPARE(unit("halls", "ceiling_height"), std::string("m"));
    QCOMPARE(unit("racks", "rotation"), std::string("deg"));
    QCOMPARE(unit("networks", "link_rate"), std::string("Gb/s"));
    // 400 Gbit/s is 50e9 bytes a second; the network kind shows it as bits.
    const FieldValue rate = 50e9;
    for (const FieldInfo& f : table_fields("networks"))
      if (f.name == "link_rate") QCOMPARE(exact_field_text(f, rate), std::string("400 Gb/s"));
  }
};

QTEST_APPLESS_MAIN(TestDesignFields)
#include "test_design_fields.moc"
