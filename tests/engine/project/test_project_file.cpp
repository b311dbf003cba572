// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <csignal>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "project/project_file.h"
#include "project_samples.h"

using namespace hallwright;
using hallwright::test::file_content;
using hallwright::test::ScratchFolder;
using hallwright::test::write_file;
namespace fs = std::filesystem;

namespace {

// No-break space, emoji, right-to-left, quotes, backslash, newline, tab, leading '=', composed and decomposed e-acute.
const std::string awkward = "A\u00a0B \U0001F680 \u05d0\u05d1\u202e \"q\" 'p' \\ ; , \n\t =1+1 \u00e9 e\u0301 %";

template <class Member>
struct Held;
template <class T>
struct Held<Shared<T> Design::*> {
  using type = T;
};

int touched = 0;

/// Sets every field to something that an untouched entity does not hold.
template <class E>
void touch(E& entity, const std::map<std::string, Id>& ids) {
  const E untouched{};
  for (const Field<E>& f : fields<E>()) {
    const FieldValue before = f.get(untouched);
    FieldValue value;
    const double low = std::isfinite(f.minimum) ? f.minimum : 0.0, high = std::isfinite(f.maximum) ? f.maximum : low + 1e6;
    switch (f.type) {
    case FieldType::number: value = low + (high - low) * 0.31830988618379067; break; // 1/pi: no short decimal
    case FieldType::count: value = static_cast<std::int64_t>(low) + static_cast<std::int64_t>((high - low) / 3) + 1; break;
    case FieldType::text:
    case FieldType::part: value = awkward; break;
    case FieldType::boolean: value = !std::get<bool>(before); break;
    case FieldType::choice: value = std::string(f.choices.back() == std::get<std::string>(before) ? f.choices.front() : f.choices.back()); break;
    case FieldType::reference: value = ids.at(f.target == any_table ? "racks" : std::string(f.target)); break;
    case FieldType::outline: value = outline_text({{0.1, 0.2}, {36000.0 / 7.0, 0}, {1e-3, 16000.0 / 3.0}}); break;
    }
    const auto allowed = check_field(f, value);
    QVERIFY2(allowed, allowed ? "" : allowed.error().c_str());
    f.set(entity, value);
    QVERIFY2(f.get(entity) != before, std::string(f.name).c_str());
    ++touched;
  }
}

/// Every field of every table away from its default, and beside it an untouched entity a table.
Design everything() {
  Design design;
  std::map<std::string, Id> ids;
  for_each_table([&](std::string_view word, auto) {
    ids[std::string(word)] = design.next_id;
    design.next_id += 2;
  });
  for_each_section([&](std::string_view, auto member) {
    typename Held<decltype(member)>::type entity{};
    touch(entity, ids);
    design.*member = share(std::move(entity));
  });
  for_each_table([&](std::string_view word, auto member) {
    using E = typename Held<decltype(member)>::type::value_type;
    std::vector<E> entities(2);
    touch(entities[0], ids);
    if constexpr (requires(E e) { e.outline; }) entities[1].outline = {{0, 0}, {10, 0}, {0, 10}}; // it needs one
    if constexpr (std::is_same_v<E, Tray> || std::is_same_v<E, Pipe>) entities[1].path = {{0, 0}, {10, 0}};
    entities[0].id = ids.at(std::string(word));
    entities[1].id = ids.at(std::string(word)) + 1;
    design.*member = share(std::move(entities));
  });
  design.next_id += 1000; // deleted entities have used ids too
  return design;
}

std::string joined(const std::vector<Difference>& list) {
  std::string out = std::to_string(list.size()) + " differences";
  for (const Difference& d : list) out += "; " + d.entity.table + " " + std::to_string(d.entity.id) + " " + d.field;
  return out;
}

void verify_same(const Design& a, const Design& b) {
  const auto list = differences(a, b);
  QVERIFY2(list.empty(), joined(list).c_str());
  QCOMPARE(a.next_id, b.next_id);
}

OpenedProject opened(const fs::path& path) {
  auto project = open_project(path);
  if (!project) qFatal("%s", project.error().c_str());
  return *std::move(project);
}

void saved(const Design& design, const fs::path& path, const SaveOptions& options = {}) {
  const auto done = save_project(design, path, options);
  if (!done) qFatal("%s", done.error().c_str());
}

/// First column of the first row, as any SQLite program would read it.
std::string query(const fs::path& path, const std::string& sql) {
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) return "cannot open";
  sqlite3_stmt* statement = nullptr;
  std::string out = "no row";
  if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) out = sqlite3_errmsg(database);
  else if (sqlite3_step(statement) == SQLITE_ROW) {
    const auto* text = sqlite3_column_text(statement, 0);
    out = text == nullptr ? "NULL" : reinterpret_cast<const char*>(text);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return out;
}

void change(const fs::path& path, const std::string& sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  char* message = nullptr;
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) qFatal("%s", message);
  sqlite3_close(database);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
#define VERIFY_HAS(text, part) QVERIFY2(has(text, part), (std::string("'") + (part) + "' is not in: " + (text)).c_str())

/// Brings a file of version 3 back to the tables of version 1.
const std::string drop_drawing_tables = "DROP TABLE zones; DROP TABLE containments; DROP TABLE trays; DROP TABLE pipes; DROP TABLE dimensions;"
                                        "DROP TABLE guides; DROP TABLE underlays; DROP TABLE groups; DROP TABLE communicators; DROP TABLE failures;";

const std::string head = "{\n\"format\": \"hallwright-design\",\n\"version\": 3";

} // namespace

class TestProjectFile : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void everyFieldComesBack_data() {
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::newRow("database, text, database") << "a.hall" << "b.hall.json";
    QTest::newRow("text, database, text") << "a.hall.json" << "b.hall";
  }
  void everyFieldComesBack() {
    QFETCH(QString, first);
    QFETCH(QString, second);
    const ScratchFolder folder("project-round");
    touched = 0;
    const Design design = everything();
    if (QTest::currentTestFailed()) return;
    QVERIFY(touched > 150);
    saved(design, folder / first.toStdString());
    const OpenedProject one = opened(folder / first.toStdString());
    verify_same(design, one.design);
    saved(one.design, folder / second.toStdString());
    const OpenedProject two = opened(folder / second.toStdString());
    verify_same(design, two.design);
    saved(two.design, folder / ("again-" + first.toStdString()));
    QCOMPARE(file_content(folder / ("again-" + first.toStdString())), file_content(folder / first.toStdString()));
    QCOMPARE(one.form, std::string(first == "a.hall" ? ".hall" : ".hall.json"));
    QVERIFY(one.access == Access::read_write && one.remark.empty() && one.notes.empty());
  }
  void savedTwiceGivesEqualBytes() {
    const ScratchFolder folder("project-equal");
    for (const char* name : {"a.hall", "a.hall.json"}) {
      saved(everything(), folder / name);
      const std::string once = file_content(folder / name);
      saved(opened(folder / name).design, folder / name);
      QCOMPARE(file_content(folder / name), once);
    }
  }
  void formIsToldByContentNotByName() {
    const ScratchFolder folder("project-form");
    saved(test::hall_of_racks(3), folder / "a.hall.json");
    fs::rename(folder / "a.hall.json", folder / "b.hall");
    QCOMPARE(opened(folder / "b.hall").form, std::string(".hall.json"));
  }
  void anySqliteToolReadsItInBaseUnits() {
    const ScratchFolder folder("project-units");
    const fs::path path = folder / "a.hall";
    Design design = test::hall_of_racks(2);
    Network network{.id = design.next_id++, .name = "Compute"};
    network.link_rate = gigabits_per_second(400);
    design.networks = share(std::vector{network});
    saved(design, path, {.stamp = {}, .program = "9.8.7", .saved_by = "ada", .edit_count = 41});
    QCOMPARE(query(path, "SELECT x_m FROM racks ORDER BY id DESC LIMIT 1"), std::string("0.6"));                // 600 mm
    QCOMPARE(query(path, "SELECT outdoor_design_temperature_k FROM site"), std::string("308.15"));             // 35 degC + 273.15
    QCOMPARE(query(path, "SELECT utility_power_w FROM site"), std::string("1000000.0"));                       // 1 MW
    QCOMPARE(query(path, "SELECT link_rate_b_per_s FROM networks"), std::string("50000000000.0"));             // 400e9 bit/s / 8
    QCOMPARE(query(path, "SELECT round(electricity_price_usd_per_j * 3600000, 12) FROM site"), std::string("0.08")); // 1 kWh = 3.6e6 J
    QCOMPARE(query(path, "SELECT continuous_load_factor FROM power_plant"), std::string("0.8"));               // a share keeps its name
    QCOMPARE(query(path, "SELECT floor_rating_kg_per_m2 FROM site"), std::string("1221.0"));
    QCOMPARE(query(path, "SELECT supply_rise_k FROM cooling_plant"), std::string("10.0"));
    QCOMPARE(query(path, "SELECT outline_mm FROM halls"), std::string("0,0 36000,0 36000,160000 0,160000"));
    QCOMPARE(query(path, "SELECT t.name FROM racks r JOIN rack_types t ON t.id = r.rack_type LIMIT 1"), std::string("DGX rack"));
    QCOMPARE(query(path, "SELECT count(*) FROM racks WHERE feed_b IS NULL"), std::string("2"));
    QCOMPARE(query(path, "PRAGMA application_id"), std::to_string(0x48414C4C)); // "HALL"
    QCOMPARE(query(path, "PRAGMA user_version"), std::to_string(schema_version));
    QCOMPARE(query(path, "PRAGMA journal_mode"), std::string("delete"));
    QCOMPARE(query(path, "PRAGMA integrity_check"), std::string("ok"));
    QCOMPARE(query(path, "SELECT count(*) FROM pragma_foreign_key_check"), std::string("0"));
    QCOMPARE(query(path, "SELECT value FROM meta WHERE key = 'program'"), std::string("9.8.7"));
    const OpenedProject project = opened(path);
    QCOMPARE(project.edit_count, std::int64_t{41});
    QCOMPARE(project.saved_by, std::string("ada"));
  }
  void textFormReadsLikeTheDesign() {
    const std::string text = design_text(test::hall_of_racks(2));
    VERIFY_HAS(text, "\"utility_power\": \"1 MW\"");
    VERIFY_HAS(text, "\"outdoor_design_temperature\": \"35 degC\"");
    VERIFY_HAS(text, "\"network_power_share\": \"6 %\"");
    VERIFY_HAS(text, "\"tokens\": 15600000000000,");
    VERIFY_HAS(text, "\n  {\"id\": 7, \"name\": \"R1-2\", \"rack_type\": 2, \"hall\": 1, \"row\": 5, \"x\": \"600 mm\", \"y\": \"0 mm\", "
                     "\"rotation\": \"0 deg\", \"feed_a\": 3, \"feed_b\": 0, \"loop\": 4, \"phases_a\": \"three-phase\", \"phases_b\": \"three-phase\", "
                     "\"phases_kept\": false, \"coolant_valve\": \"100 %\", \"group\": 0, \"locked\": false}\n]");
    QVERIFY(!has(text, "floor_rating\": null"));
    QVERIFY(text.ends_with("}\n"));
  }
  /// Not set is not the default: a file says which of them it is, in both forms; what a file leaves out has the default.
  void whatIsNotSetStaysSoWhereTheDefaultIsAValue() {
    Design design = test::hall_of_racks(2);
    Site site = *design.site;
    site.utility_power.reset();
    design.site = share(site);
    VERIFY_HAS(design_text(design), "\"utility_power\": null");
    const ScratchFolder folder("project-not-set");
    for (const char* name : {"a.hall", "a.hall.json"}) {
      saved(design, folder / name);
      QVERIFY2(!opened(folder / name).design.site->utility_power, name);
    }
    QCOMPARE(query(folder / "a.hall", "SELECT utility_power_w FROM site"), std::string("NULL"));
    const auto silent = read_project(head + ",\n\"site\": {\"name\": \"Delta\"}}", "t");
    QVERIFY(silent && silent->design.site->utility_power);
    QCOMPARE(base_value(*silent->design.site->utility_power), 1e6);
  }
  void handwrittenTextMayLeaveMuchOut() {
    const auto project = read_project(head + ",\n\"site\": {\"utility_power\": \"2.5 MW\"},\n\"racks\": [{\"id\": 9, \"x\": \"24 in\", \"rack_type\": 2}, "
                                             "{\"id\": 4, \"feed_a\": null}],\n\"rack_types\": [{\"id\": 2, \"liquid_heat_share\": 0.8}]}", "t");
    QVERIFY2(project, project ? "" : project.error().c_str());
    QCOMPARE(base_value(*project->design.site->utility_power), 2.5e6);
    QCOMPARE(project->design.racks->size(), std::size_t{2});
    QCOMPARE(project->design.racks->front().id, Id{4}); // sorted
    QCOMPARE(base_value(project->design.racks->back().x), 0.6096); // 24 * 25.4 mm
    QCOMPARE(project->design.next_id, Id{10});
    QCOMPARE(*project->design.rack_types->front().liquid_heat_share, 0.8);
    QCOMPARE(project->design.budget->years_of_service, Count{4}); // left out: the default
  }
  void textFaultsNameLineTableAndField_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QStringList>("parts");
    QTest::newRow("no unit") << ",\n\"racks\": [\n  {\"id\": 7, \"x\": 600}\n]}" << QStringList{"f, line 5: racks 7, field 'x'", "600 has no unit", "600 mm"};
    QTest::newRow("wrong unit") << ",\n\"racks\": [\n  {\"id\": 7, \"x\": \"5 kW\"}\n]}" << QStringList{"line 5: racks 7, field 'x'", "5 kW"};
    QTest::newRow("out of range") << ",\n\"racks\": [\n\n  {\"id\": 7, \"x\": \"20 km\"}\n]}" << QStringList{"line 6: racks 7, field 'x'", "out of range", "is allowed"};
    QTest::newRow("unknown field") << ",\n\"racks\": [\n  {\"id\": 7, \"xx\": 1}]}" << QStringList{"line 5: racks 7, field 'xx' is not known", "rotation"};
    QTest::newRow("unknown table") << ",\n\"rakcs\": []}" << QStringList{"line 4: table 'rakcs' is not known", "racks"};
    QTest::newRow("reference to nothing") << ",\n\"racks\": [{\"id\": 7, \"row\": 99}]}" << QStringList{"line 4: racks 7, field 'row': 99 is not an id in rows"};
    QTest::newRow("reference to another table") << ",\n\"rows\": [{\"id\": 3}],\n\"racks\": [{\"id\": 7, \"hall\": 3}]}" << QStringList{"racks 7, field 'hall'", "it is one in rows"};
    QTest::newRow("id twice over tables") << ",\n\"rows\": [{\"id\": 7}],\n\"racks\": [{\"id\": 7}]}" << QStringList{"line 5: racks 7", "7 is taken by rows 7"};
    QTest::newRow("id zero") << ",\n\"rows\": [{\"id\": 0}]}" << QStringList{"line 4", "0 is not an id"};
    QTest::newRow("no id") << ",\n\"rows\": [{\"name\": \"R\"}]}" << QStringList{"line 4: rows: an entity has no id"};
    QTest::newRow("field twice") << ",\n\"rows\": [{\"id\": 1, \"name\": \"a\", \"name\": \"b\"}]}" << QStringList{"rows 1, field 'name': stands there twice"};
    QTest::newRow("table twice") << ",\n\"rows\": [],\n\"rows\": []}" << QStringList{"line 5: 'rows' stands there twice"};
    QTest::newRow("unknown choice") << ",\n\"networks\": [{\"id\": 1, \"kind\": \"fast\"}]}" << QStringList{"networks 1, field 'kind'", "'fast' is not a choice", "storage"};
    QTest::newRow("half a count") << ",\n\"goal\": {\"gpus\": 2.5}}" << QStringList{"goal, field 'gpus': 2.5 is not a whole number"};
    QTest::newRow("word for a boolean") << ",\n\"racks\": [{\"id\": 1, \"locked\": \"yes\"}]}" << QStringList{"racks 1, field 'locked': 'yes' is neither true nor false"};
    QTest::newRow("next id too small") << ",\n\"next_id\": 5,\n\"rows\": [{\"id\": 8}]}" << QStringList{"next_id 5", "9 or more is allowed"};
    QTest::newRow("id too large") << ",\n\"rows\": [{\"id\": 99999999999999999999}]}" << QStringList{"line 4", "too large", "2^53"};
    QTest::newRow("id near the end of 64 bits") << ",\n\"rows\": [{\"id\": 9223372036854775807}]}" << QStringList{"line 4: rows 9223372036854775807, field 'id'", "too large", "9007199254740992"};
    QTest::newRow("id above 2^53") << ",\n\"rows\": [{\"id\": 9007199254740993}]}" << QStringList{"too large", "2^53"};
    QTest::newRow("next id near the end of 64 bits") << ",\n\"next_id\": 9223372036854775807,\n\"rows\": [{\"id\": 8}]}" << QStringList{"next_id 9223372036854775807 is too large"};
    QTest::newRow("cut off") << ",\n\"rows\": [\n{\"id\": 1" << QStringList{"line 5", "damaged"};
    QTest::newRow("null where a value is needed") << ",\n\"racks\": [{\"id\": 1, \"x\": null}]}" << QStringList{"racks 1, field 'x': null is not allowed"};
  }
  void textFaultsNameLineTableAndField() {
    QFETCH(QString, body);
    QFETCH(QStringList, parts);
    const auto project = read_project(head + body.toStdString(), "f");
    QVERIFY(!project);
    for (const QString& part : parts) VERIFY_HAS(project.error(), part.toStdString());
  }
  void allFaultsAtOnceUpToTwenty() {
    std::string text = head + ",\n\"rows\": [";
    for (int i = 1; i <= 25; ++i) text += std::string(i == 1 ? "" : ",") + "\n{\"id\": " + std::to_string(i) + ", \"hall\": 999}";
    const auto project = read_project(text + "]}", "f");
    QVERIFY(!project);
    QCOMPARE(std::count(project.error().begin(), project.error().end(), '\n'), std::ptrdiff_t{20}); // 20 faults and one line for the rest
    VERIFY_HAS(project.error(), "5 more faults");
  }
  void damagedIsRefusedAndTheBackupNamed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("how");
    for (const char* name : {"a.hall", "a.hall.json"}) {
      for (const char* how : {"empty", "zeros", "half", "one byte short", "zero page", "noise"})
        QTest::addRow("%s, %s", name, how) << name << how;
    }
  }
  void damagedIsRefusedAndTheBackupNamed() {
    QFETCH(QString, name);
    QFETCH(QString, how);
    const ScratchFolder folder("project-damage");
    const fs::path path = folder / name.toStdString();
    saved(test::hall_of_racks(100), path, {.stamp = "20260101T000000Z"});
    saved(test::hall_of_racks(200), path, {.stamp = "20260102T000000Z"});
    std::string bytes = file_content(path);
    if (how == "empty") bytes.clear();
    else if (how == "zeros") bytes.assign(bytes.size(), '\0');
    else if (how == "half") bytes.resize(bytes.size() / 2);
    else if (how == "one byte short") bytes.resize(bytes.size() - (name == "a.hall" ? 1 : 2)); // the text ends with "}\n"
    else if (how == "zero page") bytes.replace(8192, 4096, 4096, '\0');
    else bytes.replace(4096, 100, 100, '\x01'); // letters could fall into a name and be a field that is not known instead
    write_file(path, bytes);
    const auto project = open_project(path);
    QVERIFY(!project);
    VERIFY_HAS(project.error(), "damaged");
    VERIFY_HAS(project.error(), "The newest backup that opens is '" + (folder.path() / ".hallwright-backups" / (name.toStdString() + ".000001.20260102T000000Z")).string());
    QCOMPARE(file_content(path), bytes); // nothing repaired
    QCOMPARE(opened(backups_of(path).front()).design.racks->size(), std::size_t{100});
  }
  void foreignFilesAreRefused() {
    const ScratchFolder folder("project-foreign");
    change(folder / "other.hall", "CREATE TABLE t (a)");
    auto project = open_project(folder / "other.hall");
    QVERIFY(!project);
    VERIFY_HAS(project.error(), "another program");
    write_file(folder / "other.json", "{\"a\": 1}");
    project = open_project(folder / "other.json");
    QVERIFY(!project);
    VERIFY_HAS(project.error(), "not a Hallwright project");
    write_file(folder / "text.hall", "hello");
    QVERIFY(!open_project(folder / "text.hall"));
    project = open_project(folder / "absent.hall");
    QVERIFY(!project);
    VERIFY_HAS(project.error(), "does not exist");
    VERIFY_HAS(open_project(folder.path()).error(), "is a folder");
  }
  void newerVersionOpensReadOnlyAndIsNotOverwritten() {
    const ScratchFolder folder("project-newer");
    const fs::path path = folder / "a.hall";
    const Design design = test::hall_of_racks(5);
    saved(design, path);
    change(path, "ALTER TABLE racks ADD COLUMN spin_rad REAL; CREATE TABLE robots (id INTEGER PRIMARY KEY); PRAGMA user_version = 4");
    const std::string bytes = file_content(path);
    const OpenedProject project = opened(path);
    QVERIFY(project.access == Access::read_only);
    VERIFY_HAS(project.remark, "made by a newer version 4; this program knows 3: opened read-only");
    VERIFY_HAS(project.remark, "racks.spin_rad");
    VERIFY_HAS(project.remark, "table robots");
    verify_same(design, project.design);
    const auto save = save_project(design, path);
    QVERIFY(!save);
    VERIFY_HAS(save.error(), "newer version 4");
    QCOMPARE(file_content(path), bytes);
    change(path, "ALTER TABLE racks DROP COLUMN x_m");
    const auto refused = open_project(path);
    QVERIFY(!refused);
    VERIFY_HAS(refused.error(), "x_m");
    VERIFY_HAS(refused.error(), "newer version 4");

    write_file(folder / "b.json", "{\"format\": \"hallwright-design\", \"version\": 4, \"robots\": [], \"site\": {\"moon\": 1}}");
    const OpenedProject text = opened(folder / "b.json");
    QVERIFY(text.access == Access::read_only);
    VERIFY_HAS(text.remark, "robots");
    VERIFY_HAS(text.remark, "moon");
    QVERIFY(!save_project(design, folder / "b.json"));
  }
  void unknownColumnsOfTheSameVersionOpenReadOnly() {
    const ScratchFolder folder("project-unknown");
    saved(test::hall_of_racks(5), folder / "a.hall");
    change(folder / "a.hall", "ALTER TABLE racks ADD COLUMN owner TEXT");
    const OpenedProject project = opened(folder / "a.hall");
    QVERIFY(project.access == Access::read_only);
    VERIFY_HAS(project.remark, "racks.owner");
  }
  void columnThatTheFileIsTooOldForTakesItsDefault() {
    const ScratchFolder folder("project-minor");
    saved(test::hall_of_racks(5), folder / "a.hall");
    change(folder / "a.hall", "ALTER TABLE halls DROP COLUMN ceiling_height_m");
    const OpenedProject project = opened(folder / "a.hall");
    QVERIFY(project.access == Access::read_write);
    QCOMPARE(project.notes.size(), std::size_t{1});
    VERIFY_HAS(project.notes.front(), "halls.ceiling_height_m");
    QCOMPARE(base_value(project.design.halls->front().ceiling_height), 4.5);
  }
  void wrongValuesInTheDatabaseAreNamed_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("part");
    QTest::newRow("word for a number") << "UPDATE racks SET x_m = 'left' WHERE id = 6" << "racks 6, field 'x_m': 'left': a number is needed";
    QTest::newRow("nothing for a number") << "UPDATE racks SET x_m = NULL WHERE id = 6" << "racks 6, field 'x_m': nothing: a value is needed";
    QTest::newRow("out of range") << "UPDATE racks SET x_m = 20000 WHERE id = 6" << "racks 6, field 'x'";
    QTest::newRow("reference to nothing") << "UPDATE racks SET hall = 77 WHERE id = 6" << "racks 6, field 'hall': 77 is not an id in halls";
    QTest::newRow("unknown choice") << "UPDATE rack_types SET role = 'x'" << "'x' is not a choice";
    QTest::newRow("section twice") << "INSERT INTO site SELECT 2, name, utility_power_w, climate, climate_part, outdoor_design_temperature_k, electricity_price_usd_per_j, "
                                      "floor_rating_kg_per_m2, point_load_rating_kg, rolling_load_rating_kg, seismic_category FROM site" << "site: 2 entries";
    QTest::newRow("section gone") << "DELETE FROM site" << "site: 0 entries";
    QTest::newRow("table gone") << "DROP TABLE racks" << "the table 'racks' is missing";
    QTest::newRow("no next id") << "DELETE FROM meta" << "next_id";
  }
  void wrongValuesInTheDatabaseAreNamed() {
    QFETCH(QString, sql);
    QFETCH(QString, part);
    const ScratchFolder folder("project-values");
    saved(test::hall_of_racks(5), folder / "a.hall");
    change(folder / "a.hall", sql.toStdString());
    const auto project = open_project(folder / "a.hall");
    QVERIFY(!project);
    VERIFY_HAS(project.error(), part.toStdString());
  }
  void versionOneHasNoDrawingTables() {
    const ScratchFolder folder("project-one");
    const fs::path path = folder / "a.hall";
    const Design design = test::hall_of_racks(5);
    saved(design, path);
    change(path, drop_drawing_tables + "ALTER TABLE halls DROP COLUMN tile_width_m; ALTER TABLE racks DROP COLUMN \"group\"; PRAGMA user_version = 1");
    const OpenedProject project = opened(path);
    verify_same(design, project.design);
    QVERIFY(project.access == Access::read_write);
    VERIFY_HAS(project.remark, "older version 1");
    saved(project.design, path);
    QCOMPARE(query(path, "SELECT count(*) FROM zones"), std::string("0"));
    write_file(folder / "b.json", "{\"format\": \"hallwright-design\", \"version\": 1}");
    QVERIFY(opened(folder / "b.json").access == Access::read_write);
    write_file(folder / "c.json", "{\"format\": \"hallwright-design\", \"version\": 0}");
    VERIFY_HAS(open_project(folder / "c.json").error(), "1 to 3 is allowed");
  }
  void olderVersionIsMigratedInMemory() {
    const ScratchFolder folder("project-older");
    const fs::path path = folder / "a.hall";
    const Design design = test::hall_of_racks(5);
    saved(design, path);
    // A version 0 as it might have been: racks in millimetres, no waivers.
    change(path, "ALTER TABLE racks RENAME COLUMN x_m TO x_mm; UPDATE racks SET x_mm = x_mm * 1000; DROP TABLE waivers;" + drop_drawing_tables + "PRAGMA user_version = 0");
    const std::string bytes = file_content(path);
    const auto none = open_project(path);
    QVERIFY(!none);
    VERIFY_HAS(none.error(), "no step from version 0 to 1");
    const Migration steps[] = {{0, [](sqlite3* copy) {
      return run_sql(copy, "ALTER TABLE racks RENAME COLUMN x_mm TO x_m; UPDATE racks SET x_m = x_m / 1000;"
                           "CREATE TABLE waivers (id INTEGER PRIMARY KEY, rule TEXT, entities TEXT, reason TEXT)");
    }}, known_migrations()[0], known_migrations()[1]};
    const auto project = open_project(path, {.lock_as = std::nullopt, .migrations = steps});
    QVERIFY2(project, project ? "" : project.error().c_str());
    verify_same(design, project->design);
    QVERIFY(project->access == Access::read_write);
    VERIFY_HAS(project->remark, "older version 0");
    QCOMPARE(file_content(path), bytes); // the original is untouched
    const Migration broken[] = {{0, [](sqlite3* copy) { return run_sql(copy, "ALTER TABLE nowhere RENAME TO x"); }}};
    const auto failed = open_project(path, {.lock_as = std::nullopt, .migrations = broken});
    QVERIFY(!failed);
    VERIFY_HAS(failed.error(), "no such table: nowhere");
  }
  void writeAheadLogOfAnotherProgram() {
    const ScratchFolder folder("project-wal");
    const fs::path path = folder / "a.hall";
    saved(test::hall_of_racks(5), path);
    change(path, "PRAGMA journal_mode = WAL"); // closed properly: the log is gone, the mode stays in the header
    QCOMPARE(opened(path).design.racks->size(), std::size_t{5});
    write_file(folder / "a.hall-wal", "unfinished");
    const auto project = open_project(path);
    QVERIFY(!project);
    VERIFY_HAS(project.error(), "a.hall-wal");
  }
  void tenBackupsAreKeptInOrderOfTheirNumber() {
    const ScratchFolder folder("project-backups");
    const fs::path path = folder / "a.hall";
    for (int i = 1; i <= 14; ++i) // the clock runs backwards
      saved(test::hall_of_racks(i), path, {.stamp = "2026010" + std::to_string(i < 10 ? 9 - i % 9 : 1)});
    const auto backups = backups_of(path);
    QCOMPARE(backups.size(), std::size_t{10});
    QCOMPARE(opened(path).design.racks->size(), std::size_t{14});
    for (std::size_t i = 0; i < backups.size(); ++i) QCOMPARE(opened(backups[i]).design.racks->size(), 13 - i);
    QVERIFY(!save_project(test::hall_of_racks(1), path, {.stamp = "../x"}));
    QCOMPARE(folder.count(".a.hall.saving"), std::size_t{0});
  }
  void namesAreKeptExactly() {
    const ScratchFolder folder("project-names");
    std::string long_name;
    for (int i = 0; i < 300; ++i) long_name += "\u00e4";
    // "é" composed and decomposed: equal after normalisation, two names all the same.
    const std::vector<std::string> names{awkward, long_name, "\u00e9", "e\u0301", "", " lead and trail ", "\u05e9\u05dc\u05d5\u05dd \u202eabc", "'; DROP TABLE racks; --"};
    Design design;
    std::vector<Row> rows;
    for (const std::string& name : names) rows.push_back({.id = design.next_id++, .name = name});
    design.rows = share(rows);
    // The folder and the file have such names too.
    const fs::path place = folder / "pr\u00f6jekt \U0001F680 \u05d0";
    fs::create_directory(place);
    for (const char* end : {".hall", ".hall.json"}) {
      const fs::path path = place / ("ha\u00a0lle '\"\u65e5\u672c" + std::string(end));
      saved(design, path);
      QVERIFY(fs::exists(path)); // saved means saved
      const OpenedProject project = opened(path);
      QCOMPARE(project.path, path.string());
      for (std::size_t i = 0; i < names.size(); ++i) QCOMPARE((*project.design.rows)[i].name, names[i]);
    }
    std::string stem(240, 'n'); // with ".hall" 245 of 255 bytes: no room for a suffix
    saved(design, folder / (stem + ".hall"));
    saved(design, folder / (stem + ".hall"));
    QCOMPARE(backups_of(folder / (stem + ".hall")).size(), std::size_t{1});
    QVERIFY(!save_project(design, folder / std::string(300, 'n')));
  }
  void invalidDesignsAreNotSaved() {
    const ScratchFolder folder("project-invalid");
    const fs::path path = folder / "a.hall";
    saved(test::hall_of_racks(2), path);
    const std::string bytes = file_content(path);
    for (const char* name : {"a.hall", "a.hall.json"}) {
      Design design = test::hall_of_racks(2);
      auto racks = *design.racks;
      racks[0].hall = 12345;
      design.racks = share(racks);
      const auto done = save_project(design, folder / name);
      QVERIFY(!done);
      VERIFY_HAS(done.error(), "12345 is not an id in halls");
      racks = *test::hall_of_racks(2).racks;
      racks[0].x = meters(std::nan(""));
      design.racks = share(racks);
      QVERIFY(!save_project(design, folder / name));
      racks = *test::hall_of_racks(2).racks;
      racks[0].name = "not UTF-8: \xff";
      design.racks = share(racks);
      if (std::string(name) == "a.hall.json") QVERIFY(!save_project(design, folder / name));
    }
    QCOMPARE(file_content(path), bytes);
    QVERIFY(!fs::exists(folder / "a.hall.json"));
  }
  void fullDiskLeavesTheOldFile() {
    const ScratchFolder folder("project-full");
    const fs::path path = folder / "a.hall";
    saved(test::hall_of_racks(2), path);
    const std::string bytes = file_content(path);
    // A limit on the size of files stands in for a disk that fills up in the middle of the write.
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 100000;
    setrlimit(RLIMIT_FSIZE, &small);
    const auto done = save_project(test::hall_of_racks(5000), path);
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!done);
    VERIFY_HAS(done.error(), "unchanged");
    VERIFY_HAS(done.error(), "larger than is allowed");
    QCOMPARE(file_content(path), bytes);
    QCOMPARE(folder.count("."), std::size_t{0}); // no temporary file, and no backup of nothing
  }
  void readOnlyFolderLeavesTheOldFile() {
    const ScratchFolder folder("project-readonly");
    const fs::path path = folder / "a.hall";
    saved(test::hall_of_racks(2), path);
    const std::string bytes = file_content(path);
    const bool root = geteuid() == 0; // root may write anywhere, so the test becomes nobody
    chmod(folder.path().c_str(), 0555);
    if (root) QCOMPARE(seteuid(65534), 0);
    const auto done = save_project(test::hall_of_racks(3), path);
    const auto project = open_project(path, {.lock_as = present_owner(), .migrations = {}});
    if (root) QCOMPARE(seteuid(0), 0);
    chmod(folder.path().c_str(), 0755);
    QVERIFY(!done);
    VERIFY_HAS(done.error(), "permission is denied");
    QVERIFY(project);
    QVERIFY(project->access == Access::read_only);
    VERIFY_HAS(project->remark, "no lock can be written beside it");
    QCOMPARE(file_content(path), bytes);
    QCOMPARE(folder.count("."), std::size_t{0});
  }
  void savingThroughALinkKeepsTheLink() {
    const ScratchFolder folder("project-link");
    saved(test::hall_of_racks(2), folder / "real.hall");
    chmod((folder / "real.hall").c_str(), 0640);
    fs::create_symlink("real.hall", folder / "link.hall");
    saved(test::hall_of_racks(7), folder / "link.hall");
    QVERIFY(fs::is_symlink(folder / "link.hall"));
    QCOMPARE(opened(folder / "real.hall").design.racks->size(), std::size_t{7});
    QVERIFY(fs::status(folder / "real.hall").permissions() == static_cast<fs::perms>(0640));
  }
};

QTEST_APPLESS_MAIN(TestProjectFile)
#include "test_project_file.moc"
