// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the text catalog, and the one file that the build makes of it.
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <sqlite3.h>

#include "catalog/catalog.h"
#include "catalog/catalog_cell.h"
#include "catalog/csv.h"

using namespace hallwright;

namespace {

const std::string shipped_folder = HALLWRIGHT_SOURCE_DIR "/catalogs";

const Catalog& shipped() {
  static const Catalog catalog = read_catalog_text(shipped_folder).value();
  return catalog;
}

/// A folder of its own, gone at the end.
struct Folder {
  QTemporaryDir dir;
  std::string path = dir.path().toStdString();
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path + "/" + name, std::ios::binary) << text;
    return path + "/" + name;
  }
};

void run_sql(const std::string& file, const char* sql) {
  sqlite3* db = nullptr;
  QCOMPARE(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  char* error = nullptr;
  const int rc = sqlite3_exec(db, sql, nullptr, nullptr, &error);
  QVERIFY2(rc == SQLITE_OK, error ? error : "");
  sqlite3_close(db);
}

/// Every field of every part equal, numbers to the last bit.
void same_parts(const Catalog& a, const Catalog& b) {
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    QCOMPARE(a.of<P>().size(), b.of<P>().size());
    for (std::size_t i = 0; i < a.of<P>().size(); ++i)
      for (const auto& f : part_fields<P>())
        QVERIFY2(f.get(a.of<P>()[i]) == f.get(b.of<P>()[i]), (a.of<P>()[i].id + " " + std::string(f.name)).c_str());
  });
  QCOMPARE(a.date, b.date);
}

const std::string node_header = "id,name,accelerator,rack_units,power_max_w,liquid_heat_share_pct,coolant_supply_max_c,nic_compute_count,source,as_of\n";

/// What is said of a user's folder with this `nodes.csv`.
QStringList problems_of(std::string_view nodes) {
  Folder folder;
  folder.write("nodes.csv", nodes);
  auto read = read_catalog_text(folder.path, &shipped());
  QStringList out;
  if (!read)
    for (const std::string& p : read.error()) out << QString::fromStdString(p);
  return out;
}

} // namespace

class TestCatalogFiles : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void csv_reads_quotes_newlines_and_line_ends() {
    auto r = read_csv("\xEF\xBB\xBFid,notes\r\na,\"x, \"\"y\"\"\r\nz\"\r\n\r\nb,\n");
    QVERIFY(r.has_value());
    QCOMPARE(r->size(), std::size_t(3));
    QCOMPARE((*r)[0].cells, (std::vector<std::string>{"id", "notes"}));
    QCOMPARE((*r)[1].cells, (std::vector<std::string>{"a", "x, \"y\"\nz"}));
    QCOMPARE((*r)[1].line, std::size_t(2));
    QCOMPARE((*r)[2].cells, (std::vector<std::string>{"b", ""}));
    QCOMPARE((*r)[2].line, std::size_t(5)); // two lines in the quoted cell, one empty line
  }
  void csv_reads_a_last_line_without_an_end() {
    auto r = read_csv("a,b\n1,");
    QVERIFY(r.has_value());
    QCOMPARE(r->back().cells, (std::vector<std::string>{"1", ""}));
    QVERIFY(read_csv("")->empty());
  }
  void csv_refuses_what_quotes_leave_open() {
    QCOMPARE(read_csv("a\nb,\"c\nd").error(), std::string("line 2: a quote opens here and does not close"));
    QVERIFY(read_csv("a\n\"b\"c\n").error().starts_with("line 2: text follows a closing quote"));
  }

  void a_cell_is_in_the_unit_of_its_header() {
    Folder folder;
    folder.write("nodes.csv", "\xEF\xBB\xBF" + node_header + "b-1,B,h100-sxm,8,10200,85,45,8,s,2024\r\na.1,\"A, \"\"quoted\"\"\",,,,,,,s,2031-05\r\n");
    auto read = read_catalog_text(folder.path, &shipped());
    QVERIFY2(read.has_value(), read ? "" : read.error().front().c_str());
    QCOMPARE(read->nodes.size(), std::size_t(2));
    QCOMPARE(read->nodes[0].id, std::string("a.1")); // ascending by id whatever the file's order
    QCOMPARE(read->nodes[0].name, std::string("A, \"quoted\""));
    QVERIFY(!read->nodes[0].power_maximum && !read->nodes[0].liquid_heat_share && !read->nodes[0].compute_nics);
    const NodePart& b = read->nodes[1];
    QCOMPARE(base_value(*b.power_maximum), 10200.0);
    QCOMPARE(*b.liquid_heat_share, 0.85); // 85 under _pct
    QCOMPARE(base_value(*b.coolant_supply_maximum), 318.15);
    QCOMPARE(*b.compute_nics, Count(8));
    QCOMPARE(read->date, std::string("2031-05"));
  }

  void a_column_order_does_not_matter() {
    QVERIFY(problems_of("as_of,source,power_max_w,name,id\n2024,s,5,N,n\n").isEmpty());
  }

  void a_row_that_is_wrong_is_refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    const QByteArray h = node_header.c_str();
    auto row = [](const char* name, const QByteArray& text, const char* said) { QTest::newRow(name) << text << said; };
    row("an id that stands twice", h + "a,A,,,,,,,s,2024\nb,B,,,,,,,s,2024\na,C,,,,,,,s,2024\n",
        "nodes.csv, line 4, column 'id': 'a' stands in line 2 already; an id is used once in a file");
    row("no id", h + ",A,,,,,,,s,2024\n", "nodes.csv, line 2, column 'id': '' is empty; every row needs it");
    row("no name", h + "a,,,,,,,,s,2024\n", "nodes.csv, line 2, column 'name': '' is empty; every row needs it");
    row("no source", h + "a,A,,,,,,,,2024\n", "nodes.csv, line 2, column 'source': '' is empty; every row needs it");
    row("no date", h + "a,A,,,,,,,s,\n", "nodes.csv, line 2, column 'as_of': '' is empty; every row needs it");
    row("a date in words", h + "a,A,,,,,,,s,recent\n", "nodes.csv, line 2, column 'as_of': 'recent' is not a date; write a year, such as 2026, or 2026-05-31");
    row("a unit in the cell", h + "a,A,,,10 kW,,,,s,2024\n",
        "nodes.csv, line 2, column 'power_max_w': '10 kW' is not a number; write digits with a point, the unit stands in the header");
    row("a decimal comma", h + "a,A,,,\"10,5\",,,,s,2024\n", "nodes.csv, line 2, column 'power_max_w': '10,5' is not a number; write digits with a point, the unit stands in the header");
    row("infinity", h + "a,A,,,inf,,,,s,2024\n", "nodes.csv, line 2, column 'power_max_w': 'inf' is not a number; write digits with a point, the unit stands in the header");
    row("not a number by name", h + "a,A,,,nan,,,,s,2024\n", "nodes.csv, line 2, column 'power_max_w': 'nan' is not a number; write digits with a point, the unit stands in the header");
    row("a negative power", h + "a,A,,,-5,,,,s,2024\n", "nodes.csv, line 2, column 'power_max_w': '-5' is out of range; at least 0 W is allowed");
    row("above a hundred percent", h + "a,A,,,,101,,,s,2024\n", "nodes.csv, line 2, column 'liquid_heat_share_pct': '101' is out of range; 0\u2009% to 100\u2009% is allowed");
    row("below absolute zero", h + "a,A,,,,,-300,,s,2024\n", "nodes.csv, line 2, column 'coolant_supply_max_c': '-300' is below absolute zero; at least -273.15 degC is allowed");
    row("half a port", h + "a,A,,,,,,2.5,s,2024\n", "nodes.csv, line 2, column 'nic_compute_count': '2.5' is not a whole number; this column counts things");
    row("fewer than no ports", h + "a,A,,,,,,-1,s,2024\n", "nodes.csv, line 2, column 'nic_compute_count': '-1' is out of range; 0 to 1024 is allowed");
    row("more ports than can be counted", h + "a,A,,,,,,1e300,s,2024\n", "nodes.csv, line 2, column 'nic_compute_count': '1e300' is too large; at most 9007199254740992 is allowed");
    row("a cell too few", h + "a,A,,,,,,s,2024\n", "nodes.csv, line 2: 9 cells where the header has 10");
    row("a cell too many", h + "a,A,,,,,,,s,2024,\n", "nodes.csv, line 2: 11 cells where the header has 10");
    row("a capital in an id", h + "DGX,A,,,,,,,s,2024\n", "nodes.csv, line 2, column 'id': 'DGX' may hold only a to z, 0 to 9, '-', '.' and '_'");
    row("an accelerator that is not there", h + "a,A,h999,,,,,,s,2024\n", "nodes.csv, line 2, column 'accelerator': 'h999' is not the id of a row of accelerators.csv");
    row("weight without its unit", "id,name,weight,source,as_of\na,A,5,s,2024\n", "nodes.csv, line 1: column 'weight' is not known; a number names its unit: write 'weight_kg'");
    row("power without its unit", "id,name,power,source,as_of\na,A,5,s,2024\n",
        "nodes.csv, line 1: column 'power' is not known; a number names its unit: write 'power_max_w', 'power_typical_w' or 'power_measured_w'");
    row("a column of another kind", "id,name,fibre,source,as_of\na,A,smf,s,2024\n", "nodes.csv, line 1: column 'fibre' is not known");
    row("a column twice", "id,name,name,source,as_of\na,A,B,s,2024\n", "nodes.csv, line 1: column 'name' stands twice");
    row("no source column", "id,name,as_of\na,A,2024\n", "nodes.csv, line 1: the column 'source' is missing");
    row("no header", "", "nodes.csv: there is no header line");
    row("an open quote", h + "\"a,A\n", "nodes.csv, line 2: a quote opens here and does not close");
    row("another encoding", h + "a,\xE9t\xE9,,,,,,,s,2024\n", "nodes.csv, line 2: the text is not UTF-8; save the file as UTF-8");
    row("a control character", h + "a,A\x01,,,,,,,s,2024\n", "nodes.csv, line 2, column 'name': 'A\x01' is refused: the text holds a control character; write it without");
  }
  void a_row_that_is_wrong_is_refused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const QStringList problems = problems_of(std::string_view(text.data(), static_cast<std::size_t>(text.size())));
    QVERIFY2(problems.contains(said), qPrintable(problems.join("\n")));
    QVERIFY2(problems.size() == 1 || said.contains("is not known"), qPrintable(problems.join("\n")));
  }

  void all_problems_come_at_once_in_the_order_of_the_text() {
    Folder folder;
    folder.write("accelerators.csv", "id,name,memory_gb,source,as_of\nx,X,big,s,2024\n");
    folder.write("nodes.csv", node_header + "a,A,,,-1,200,,,s,2024\nB,B,,,,,,,,2024\n");
    auto read = read_catalog_text(folder.path, &shipped());
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().size(), std::size_t(5));
    const char* starts[] = {"accelerators.csv, line 2, column 'memory_gb': 'big'", "nodes.csv, line 2, column 'power_max_w': '-1'",
                            "nodes.csv, line 2, column 'liquid_heat_share_pct': '200'", "nodes.csv, line 3, column 'source': ''", "nodes.csv, line 3, column 'id': 'B'"};
    for (std::size_t i = 0; i < 5; ++i) QVERIFY2(read.error()[i].starts_with(starts[i]), read.error()[i].c_str());
  }

  void a_catalog_of_its_own_needs_every_file() {
    Folder folder;
    folder.write("nodes.csv", node_header + "a,A,,,,,,,s,2024\n");
    auto read = read_catalog_text(folder.path);
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().size(), std::size_t(12)); // thirteen kinds, one there
    QVERIFY(read.error().front().starts_with("accelerators.csv is missing in "));
  }
  void a_file_of_another_name_is_told() {
    Folder folder;
    folder.write("nodes.csv", node_header + "a,A,,,,,,,s,2024\n");
    folder.write("node.csv", node_header);
    folder.write("notes.txt", "free");
    auto read = read_catalog_text(folder.path, &shipped());
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().size(), std::size_t(1));
    QVERIFY2(read.error().front().starts_with("node.csv is not a file of the catalog; write 'accelerators.csv', 'nodes.csv'"), read.error().front().c_str());
  }
  void a_folder_that_is_not_there_or_empty_is_told() {
    Folder folder;
    auto absent = read_catalog_text(folder.path + "/none");
    QVERIFY(!absent.has_value());
    QCOMPARE(absent.error().size(), std::size_t(1));
    QVERIFY(absent.error().front().find("/none cannot be read as a folder") != std::string::npos);
    auto empty = read_catalog_text(folder.path, &shipped());
    QVERIFY(!empty.has_value());
    QVERIFY(empty.error().front().starts_with("no part is found in "));
  }
  void a_user_may_refer_to_a_shipped_or_an_own_accelerator() {
    Folder folder;
    folder.write("accelerators.csv", "id,name,source,as_of\nown-gpu,Own,s,2024\n");
    folder.write("nodes.csv", node_header + "a,A,own-gpu,,,,,,s,2024\nb,B,h100-sxm,,,,,,s,2024\n");
    auto read = read_catalog_text(folder.path, &shipped());
    QVERIFY2(read.has_value(), read ? "" : read.error().front().c_str());
    QCOMPARE(read->nodes.size(), std::size_t(2));
  }

  void text_to_file_and_back_is_the_same() {
    Folder folder;
    const std::string file = folder.path + "/catalog.sqlite";
    const auto written = write_catalog_file(shipped(), file);
    QVERIFY2(written.has_value(), written ? "" : written.error().c_str());
    auto read = read_catalog_file(file);
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    same_parts(shipped(), *read);
    // Nothing is left beside it.
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& e : std::filesystem::directory_iterator(folder.path)) ++files;
    QCOMPARE(files, std::size_t(1));
  }

  void the_built_file_is_the_shipped_text() {
    auto read = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    same_parts(shipped(), *read);
  }

  void the_file_shows_the_numbers_of_the_text() {
    // Read with plain SQLite and Qt's number reader: a column named in kW holds kilowatts, as printed in the text.
    sqlite3* db = nullptr;
    QCOMPARE(sqlite3_open_v2(HALLWRIGHT_CATALOG_FILE, &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    std::size_t numbers = 0;
    for_each_part_type([&]<class P>(std::type_identity<P>) {
      QFile text(QString::fromStdString(shipped_folder + "/" + std::string(part_file<P>()) + ".csv"));
      QVERIFY(text.open(QIODevice::ReadOnly));
      const auto records = read_csv(text.readAll().toStdString()).value();
      const auto& header = records.front().cells;
      const std::size_t id_column = static_cast<std::size_t>(std::find(header.begin(), header.end(), "id") - header.begin());
      for (std::size_t r = 1; r < records.size(); ++r)
        for (std::size_t c = 0; c < header.size(); ++c) {
          const auto& fields = part_fields<P>();
          const auto f = std::find_if(fields.begin(), fields.end(), [&](const auto& x) { return x.name == header[c]; });
          if (f == fields.end() || f->type != FieldType::number) continue;
          sqlite3_stmt* select = nullptr;
          const std::string sql = "SELECT \"" + header[c] + "\" FROM \"" + std::string(part_file<P>()) + "\" WHERE id = '" + records[r].cells[id_column] + "'";
          QCOMPARE(sqlite3_prepare_v2(db, sql.c_str(), -1, &select, nullptr), SQLITE_OK);
          QCOMPARE(sqlite3_step(select), SQLITE_ROW);
          const QString cell = QString::fromStdString(records[r].cells[c]);
          if (cell.isEmpty()) {
            QCOMPARE(sqlite3_column_type(select, 0), SQLITE_NULL);
          } else {
            QVERIFY2(sqlite3_column_double(select, 0) == cell.toDouble(), sql.c_str());
            ++numbers;
          }
          sqlite3_finalize(select);
        }
    });
    QVERIFY(numbers > 1500);
    sqlite3_stmt* select = nullptr;
    QCOMPARE(sqlite3_prepare_v2(db, "PRAGMA application_id", -1, &select, nullptr), SQLITE_OK);
    QCOMPARE(sqlite3_step(select), SQLITE_ROW);
    QCOMPARE(sqlite3_column_int(select, 0), 0x48574354); // H W C T
    sqlite3_finalize(select);
    sqlite3_close(db);
  }

  void a_cell_number_is_the_shortest_that_reads_back() {
    const FieldInfo celsius{.name = "t", .label = "T", .type = FieldType::number, .kind = &kind::temperature, .unit = "degC"};
    QCOMPARE(catalog_cell_number(celsius, catalog_base_value(celsius, 27.3)), 27.3); // 27.3 + 273.15 - 273.15 is 27.30000000000001
    const FieldInfo flow{.name = "q", .label = "Q", .type = FieldType::number, .kind = &kind::volume_flow, .unit = "L/min"};
    QCOMPARE(catalog_base_value(flow, 120), 0.002); // 120 L/min = 2 L/s
    QCOMPARE(catalog_cell_number(flow, 0.002), 120.0);
    const FieldInfo share{.name = "s", .label = "S", .type = FieldType::number, .kind = &kind::percent, .unit = "%"};
    QVERIFY(catalog_base_value(share, 97.4) == 0.974);
    QVERIFY(catalog_base_value(share, 0.0) == 0.0);
    QVERIFY(catalog_base_value(share, 5e-7) == 5e-9);
    QVERIFY(catalog_cell_number(share, 0.974) == 97.4);
    const FieldInfo wrong{.name = "w", .label = "W", .type = FieldType::number, .kind = &kind::power, .unit = "furlong"};
    QVERIFY_EXCEPTION_THROWN(catalog_base_value(wrong, 1), std::logic_error);
  }

  void a_cell_and_the_same_text_typed_are_one_value() {
    // Else typing what the catalog says would count as a change.
    std::size_t numbers = 0;
    for_each_part_type([&]<class P>(std::type_identity<P>) {
      for (const P& p : shipped().of<P>())
        for (const auto& f : part_fields<P>()) {
          const FieldValue v = f.get(p);
          const auto* base = std::get_if<double>(&v);
          if (!base) continue;
          const std::string typed = exact_number(catalog_cell_number(f, *base)) + (f.unit.empty() ? "" : " " + std::string(f.unit));
          const auto read = parse_field(f, typed);
          QVERIFY2(read.has_value(), (p.id + ": " + typed).c_str());
          QVERIFY2(std::get<double>(*read) == *base, (p.id + " " + std::string(f.name) + ": " + typed).c_str());
          ++numbers;
        }
    });
    QVERIFY(numbers > 1500);
  }

  void a_file_replaces_an_older_one() {
    Folder folder;
    const std::string file = folder.write("catalog.sqlite", "old");
    QVERIFY(write_catalog_file(shipped(), file).has_value());
    QVERIFY(read_catalog_file(file).has_value());
  }
  void a_file_that_cannot_be_written_leaves_the_older_one() {
    Folder folder;
    auto refused = write_catalog_file(shipped(), folder.path + "/none/catalog.sqlite");
    QVERIFY(!refused.has_value());
    QVERIFY2(refused.error().find("/none/catalog.sqlite cannot be written: ") != std::string::npos, refused.error().c_str());
    // A row that no file can hold: two parts of one id.
    const std::string file = folder.path + "/catalog.sqlite";
    QVERIFY(write_catalog_file(shipped(), file).has_value());
    Catalog twice = shipped();
    twice.nodes.push_back(twice.nodes.front());
    QVERIFY(!write_catalog_file(twice, file).has_value());
    auto still = read_catalog_file(file);
    QVERIFY(still.has_value());
    same_parts(shipped(), *still);
  }

  void a_file_that_is_no_catalog_is_refused_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("said");
    QTest::newRow("missing") << "missing" << "is not there: the build makes it from the text catalog";
    QTest::newRow("a text") << "text" << "cannot be read: file is not a database";
    QTest::newRow("an empty file") << "empty" << "is not a catalog of this program";
    QTest::newRow("another program's database") << "foreign" << "is not a catalog of this program";
    QTest::newRow("newer") << "newer" << "is a catalog of version 2; this program reads version 1";
    QTest::newRow("a table gone") << "table" << "cannot be read: no such table: switches";
    QTest::newRow("a column gone") << "column" << "cannot be read: no such column: reach_m";
    QTest::newRow("a column of words gone") << "words" << "cannot be read: no such column: fibre";
    QTest::newRow("a word where a number stood") << "word" << "cannot be read: table nodes, row 'dgx-h100': Power, nameplate maximum: a number is needed";
    QTest::newRow("a number out of range") << "range" << "cannot be read: table nodes, row 'dgx-h100': Power, nameplate maximum: -5 W is out of range; at least 0 W is allowed";
    QTest::newRow("cut off") << "cut" << "cannot be read: ";
    QTest::newRow("a folder") << "folder" << "cannot be read: ";
  }
  void a_file_that_is_no_catalog_is_refused() {
    QFETCH(QString, what);
    QFETCH(QString, said);
    Folder folder;
    std::string file = folder.path + "/catalog.sqlite";
    QVERIFY(write_catalog_file(shipped(), file).has_value());
    if (what == "missing") std::filesystem::remove(file);
    if (what == "text") folder.write("catalog.sqlite", std::string(5000, 'x'));
    if (what == "empty") folder.write("catalog.sqlite", "");
    if (what == "foreign") run_sql(file, "PRAGMA application_id = 7");
    if (what == "newer") run_sql(file, "PRAGMA user_version = 2");
    if (what == "table") run_sql(file, "DROP TABLE switches");
    if (what == "column") run_sql(file, "ALTER TABLE optics DROP COLUMN reach_m");
    if (what == "words") run_sql(file, "ALTER TABLE optics DROP COLUMN fibre");
    if (what == "word") run_sql(file, "UPDATE nodes SET power_max_w = 'plenty' WHERE id = 'dgx-h100'");
    if (what == "range") run_sql(file, "UPDATE nodes SET power_max_w = -5 WHERE id = 'dgx-h100'");
    if (what == "cut") std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    if (what == "folder") file = folder.path;
    auto read = read_catalog_file(file);
    QVERIFY(!read.has_value());
    const QString error = QString::fromStdString(read.error());
    QVERIFY2(error.startsWith(QString::fromStdString(file) + " "), qPrintable(error));
    QVERIFY2(error.contains(said), qPrintable(error));
  }

  void the_file_is_found_beside_the_program_or_where_named() {
    Folder folder;
    std::filesystem::create_directories(folder.path + "/bin");
    auto absent = find_catalog_file(folder.path + "/bin");
    QVERIFY(!absent.has_value());
    QVERIFY2(absent.error().find(folder.path + "/share/hallwright/catalog.sqlite") != std::string::npos, absent.error().c_str());
    std::filesystem::create_directories(folder.path + "/share/hallwright");
    const std::string beside = folder.write("share/hallwright/catalog.sqlite", "x");
    QCOMPARE(find_catalog_file(folder.path + "/bin").value(), beside);
    const std::string named = folder.write("mine.sqlite", "x");
    QCOMPARE(find_catalog_file(folder.path + "/bin", named).value(), named);
    // A name that is wrong is told, not passed over for the file beside the program.
    auto wrong = find_catalog_file(folder.path + "/bin", folder.path + "/none.sqlite");
    QVERIFY(!wrong.has_value());
    QCOMPARE(wrong.error(), folder.path + "/none.sqlite, which HALLWRIGHT_CATALOG names, is not there");
  }

  void the_compiler_refuses_with_every_problem() {
    const QString program = HALLWRIGHT_BINARY_DIR "/bin/hallwright-catalog-compiler";
    Folder folder;
    folder.write("nodes.csv", node_header + "a,A,,,-1,,,,s,2024\n");
    const QString out = folder.dir.filePath("out.sqlite");
    QProcess run;
    run.start(program, {folder.dir.path(), out});
    QVERIFY(run.waitForFinished());
    QCOMPARE(run.exitCode(), 3);
    const QString said = run.readAllStandardError();
    QVERIFY2(said.contains("column 'power_max_w': '-1' is out of range"), qPrintable(said));
    QCOMPARE(said.count('\n'), 13); // twelve files that are missing, and the row
    QVERIFY(!QFile::exists(out));
    run.start(program, {QString::fromStdString(shipped_folder), out});
    QVERIFY(run.waitForFinished());
    QCOMPARE(run.exitCode(), 0);
    QVERIFY(read_catalog_file(out.toStdString()).has_value());
    run.start(program, QStringList{});
    QVERIFY(run.waitForFinished());
    QCOMPARE(run.exitCode(), 2);
  }

  void loading_is_fast() {
    QBENCHMARK { QVERIFY(read_catalog_file(HALLWRIGHT_CATALOG_FILE).has_value()); }
  }
};

QTEST_APPLESS_MAIN(TestCatalogFiles)
#include "test_catalog_files.moc"
