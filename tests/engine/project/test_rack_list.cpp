// SPDX-License-Identifier: GPL-3.0-or-later
// Racks from a spreadsheet and to one.
#include <QtTest>

#include "engine/project/exchange_hall.h"
#include "project/project_file.h"
#include "project/rack_list.h"

using namespace hallwright;
using hallwright::test::exchange_hall;

namespace {

const Rack& rack_named(const Design& design, std::string_view name) {
  for (const Rack& r : *design.racks)
    if (r.name == name) return r;
  qFatal("no rack %s", std::string(name).c_str());
}
RackList list_of(const std::string& text, const Design& design, const RackListOptions& options = {}) {
  auto list = read_rack_list(text, design, options);
  if (!list) qFatal("%s", list.error().c_str());
  return *std::move(list);
}
Design applied(const RackList& list, const Design& design) {
  auto edited = rack_list_edit(list).apply(design);
  if (!edited) qFatal("%s", edited.error().c_str());
  return *std::move(edited);
}
bool says(const RackList& list, std::string_view words) {
  for (const RackCellError& e : list.errors)
    if (e.sentence().find(words) != std::string::npos) return true;
  for (const RackCellError& e : list.errors)
    qWarning("%s", e.sentence().c_str());
  return false;
}

} // namespace

class TestRackList : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void textThatIsNotUtf8IsRefused() {
    for (const auto& [text, words] : {std::pair<std::string, std::string>{"name,type\nR\xE4" "ck,Rack\n", "line 2"},
                                      {"\xFF\xFEn\0a\0", "UTF-16"},
                                      {std::string("name,type\nA\0B,Rack\n", 19), "line 2"}}) {
      const auto list = read_rack_list(text, Design{}, {});
      QVERIFY(!list);
      QVERIFY2(list.error().find(words) != std::string::npos, list.error().c_str());
    }
  }

  void a_pasted_list_makes_racks() {
    const auto hall = exchange_hall();
    const RackList list = list_of("Name\tType\tx [m]\ty [mm]\tRotation [deg]\tRow\tFeed A\tFeed B\tLoop\n"
                                  "R02-01\tCompute\t1.0\t5000\t180\tR02\tPDU A\tPDU B\tL1\n"
                                  "R02-02\tcompute\t1600 mm\t197 in\t\tR02\tPDU A\t\t\n",
                                  hall.design);
    QCOMPARE(list.errors.size(), 0U);
    QCOMPARE(list.summary(), std::string("2 new"));
    QCOMPARE(list.new_rows, std::vector<std::string>{"R02"});
    QCOMPARE(rack_list_edit(list).label, std::string("Add 2 racks"));
    const Design d = applied(list, hall.design);
    QCOMPARE(d.racks->size(), 5U);
    const Rack& first = rack_named(d, "R02-01");
    QVERIFY(first.x == millimeters(1000) && first.y == millimeters(5000));
    QCOMPARE(in_degrees(first.rotation), 180.0);
    QCOMPARE(first.feed_a, hall.feed_a);
    QCOMPARE(first.feed_b, hall.feed_b);
    QCOMPARE(first.loop, hall.loop);
    QCOMPARE(first.hall, hall.hall);
    QCOMPARE(first.rack_type, hall.compute);
    const Rack& second = rack_named(d, "R02-02");
    QCOMPARE(in_millimeters(second.x), 1600.0);
    QCOMPARE(in_millimeters(second.y), 197 * 25.4);
    QCOMPARE(second.feed_b, Id{0});
    QCOMPARE(second.row, first.row);
    QCOMPARE(find(*d.rows, first.row)->name, std::string("R02"));
    QVERIFY(validate(d).empty());
  }

  void a_decimal_comma_and_semicolons() {
    const auto hall = exchange_hall();
    const RackList list =
        list_of("name;type;x [m];y [m]\nR03-01;Compute;1,25;0,6\n", hall.design, {.mark = DecimalMark::comma});
    QCOMPARE(list.errors.size(), 0U);
    QVERIFY(in_millimeters(rack_named(applied(list, hall.design), "R03-01").x) == 1250.0);
    // "1.234" under a comma locale may be a thousand: refused, not guessed.
    QVERIFY(
        says(list_of("name;type;x [m];y [m]\nR03-01;Compute;1.234;0,6\n", hall.design, {.mark = DecimalMark::comma}),
             "column x [m]: '1.234'"));
  }

  void units_that_are_not_named_are_told() {
    const auto hall = exchange_hall();
    const RackList list = list_of("name,type,x,y\nA,Compute,500,600\n", hall.design);
    QVERIFY(in_millimeters(rack_named(applied(list, hall.design), "A").x) == 500.0);
    QVERIFY(std::any_of(list.notes.begin(), list.notes.end(), [](const std::string& n) {
      return n.find("column x names no unit: bare numbers are read in mm") != std::string::npos;
    }));
  }

  void known_racks_are_changed_where_a_cell_says_so() {
    const auto hall = exchange_hall();
    const RackList list = list_of("rack\tx [mm]\tfeed B\nR01-01\t1100\t-\nR01-02\t1600\t\n", hall.design);
    QCOMPARE(list.summary(), std::string("1 changed, 1 unchanged"));
    const Design d = applied(list, hall.design);
    const Rack& r = rack_named(d, "R01-01");
    QCOMPARE(r.id, hall.first);
    QVERIFY(in_millimeters(r.x) == 1100.0 && in_millimeters(r.y) == 2000.0);
    QCOMPARE(r.feed_b, Id{0});
    QCOMPARE(r.feed_a, hall.feed_a);
    QCOMPARE(d.racks->size(), 3U);
  }

  void wrong_cells_are_told_one_by_one() {
    const auto hall = exchange_hall();
    const RackList list = list_of("name\ttype\tx [mm]\ty [mm]\thall\tfeed A\tloop\n"
                                  "A\tCompute\tsix\t0\t\t\t\n"
                                  "B\tQuantum\t1\t0\t\t\t\n"
                                  "C\tCompute\t1\t0\tHall Z\t\t\n"
                                  "D\tCompute\t1\t0\t\tPDU Z\t\n"
                                  "E\tCompute\t1\t0\t\t\tL9\n"
                                  "F\tCompute\t\t0\t\t\t\n"
                                  "\tCompute\t1\t0\t\t\t\n"
                                  "G\tCompute\t1 kg\t0\t\t\t\n"
                                  "H\tCompute\t1e300\t0\t\t\t\n"
                                  "I\tCompute\t1\t0\t\t\t\n"
                                  "I\tCompute\t1\t0\t\t\t\n"
                                  "R01-03\tNetwork\t7\t0\t\t\t\n"
                                  "K\tCompute\t1\t0\t\t\t\tmore\n",
                                  hall.design);
    QCOMPARE(list.summary(), std::string("1 new, 12 refused"));
    QVERIFY(says(list, "line 2, rack A, column x [mm]: 'six'"));
    QVERIFY(
        says(list, "line 3, rack B, column type: 'Quantum' is not a rack type of the design; it has Compute, Network"));
    QCOMPARE(list.unknown_types, std::vector<std::string>{"Quantum"});
    QVERIFY(says(list, "line 4, rack C, column hall: 'Hall Z' is not a hall of the design; it has Hall A"));
    QVERIFY(says(list, "line 5, rack D, column feed A: 'PDU Z' is not a power unit"));
    QVERIFY(says(list, "line 6, rack E, column loop: 'L9' is not a coolant loop"));
    QVERIFY(says(list, "line 7, rack F, column x [mm]: '' is not given; a new rack needs name, type, x and y"));
    QVERIFY(says(list, "line 8, column name: '' is empty; every rack needs a name"));
    QVERIFY(says(list, "line 9, rack G, column x [mm]: '1 kg'"));
    QVERIFY(says(list, "line 10, rack H, column x [mm]: '1e300'"));
    QVERIFY(says(list, "line 12, rack I, column name: 'I' stands in line 11 already"));
    QVERIFY(says(list, "rack R01-03: the rack is locked"));
    QVERIFY(says(list, "rack K: 8 cells where the header has 7"));
    // The one good line can still be taken.
    QCOMPARE(applied(list, hall.design).racks->size(), 4U);
  }

  void what_is_no_list_is_refused() {
    const auto hall = exchange_hall();
    auto refusal = [&](const std::string& text) {
      const auto list = read_rack_list(text, hall.design);
      return list ? std::string("accepted") : list.error();
    };
    QVERIFY(refusal("").find("the list is empty") != std::string::npos);
    QVERIFY(refusal("\n \n").find("the list is empty") != std::string::npos);
    QVERIFY(refusal("1000\t2000\n").find("no column 'name'") != std::string::npos);
    QVERIFY(refusal("name\tx\n").find("no line below it") != std::string::npos);
    QVERIFY(refusal("name\tx\tX [m]\nA\t1\t2\n").find("stands twice") != std::string::npos);
    QVERIFY(refusal("name\tx [kg]\nA\t1\n").find("'kg' is not a unit of length") != std::string::npos);
    QVERIFY(refusal("name\tx\n\"A\t1\n").find("line 2: a quote opens here") != std::string::npos);
  }

  void the_list_reads_back_the_same() {
    auto hall = exchange_hall();
    std::vector<Rack> racks = *hall.design.racks;
    racks[0].name = "=HYPERLINK(\"x\")\twith tab";
    racks[1].x = millimeters(1234.56789);
    racks[1].rotation = degrees(12.5);
    hall.design.racks = share(racks);
    for (const DecimalMark mark : {DecimalMark::point, DecimalMark::comma}) {
      const std::string text = racks_as_list(hall.design, {}, mark);
      const RackList same = list_of(text, hall.design, {.mark = mark});
      QCOMPARE(same.errors.size(), 0U);
      QCOMPARE(same.unchanged, 3U);
      // Into the same design without its racks: equal but for the ids.
      Design empty = hall.design;
      empty.racks = share(std::vector<Rack>{});
      const Design again = applied(list_of(text, empty, {.mark = mark}), empty);
      QCOMPARE(again.racks->size(), 3U);
      for (const Rack& r : racks) {
        const Rack& back = rack_named(again, r.name);
        QVERIFY(back.x == r.x && back.y == r.y && back.rotation == r.rotation && back.rack_type == r.rack_type &&
                back.row == r.row && back.feed_a == r.feed_a && back.feed_b == r.feed_b && back.loop == r.loop &&
                back.hall == r.hall);
      }
    }
    QVERIFY(racks_as_list(hall.design).starts_with("name\ttype\thall\trow\tx [mm]\ty [mm]\trotation ["));
    const std::string one = racks_as_list(hall.design, {hall.second});
    QCOMPARE(std::count(one.begin(), one.end(), '\n'), 2);
  }

  void names_that_look_like_formulas_come_back_exactly() {
    auto hall = exchange_hall();
    std::vector<Rack> racks = *hall.design.racks;
    for (const auto& names : {std::array{"=A1", "+1", "-"}, std::array{"-R1", "@x", "'=A1"},
                              std::array{"''+1", "'R1", "'-"}}) {
      for (std::size_t i = 0; i < 3; ++i)
        racks[i].name = names[i];
      hall.design.racks = share(racks);
      // A row that is named like the sign that takes rows away.
      Design d = hall.design;
      auto rows = *d.rows;
      rows[0].name = "-";
      d.rows = share(rows);
      const std::string text = racks_as_list(d);
      for (std::size_t at = 0; at < text.size(); ++at) // no cell begins with one of the signs
        if (at == 0 || text[at - 1] == '\t' || text[at - 1] == '\n')
          QVERIFY(std::string_view("=+@").find(text[at]) == std::string_view::npos);
      const RackList same = list_of(text, d);
      QCOMPARE(same.errors.size(), 0U);
      QCOMPARE(same.unchanged, 3U);
    }
    QCOMPARE(guarded_cell("=A1"), std::string("'=A1"));
    QCOMPARE(guarded_cell("R1"), std::string("R1"));
    QCOMPARE(unguarded_cell("'R1"), std::string("'R1"));
  }

  void lines_may_end_with_cr_alone() {
    const auto hall = exchange_hall();
    const RackList list = list_of("name\ttype\tx\ty\rN1\tCompute\t0\t0\rN2\tQuantum\t1\t0\r", hall.design);
    QCOMPARE(list.summary(), std::string("1 new, 1 refused"));
    QVERIFY(says(list, "line 3, rack N2, column type: 'Quantum' is not a rack type"));
    QCOMPARE(list_of("name,type,x,y\r\nN1,Compute,0,0\r\n", hall.design).summary(), std::string("1 new"));
  }

  void a_missing_column_is_named_as_the_file_names_it() {
    const auto hall = exchange_hall();
    // No such column: the word that it would have. With one: the user's own.
    QVERIFY(says(list_of("name\tx\ty\nN1\t0\t0\n", hall.design),
                 "line 2, rack N1, column type: '' is not given: the list has no such column; a new rack needs name"));
    QVERIFY(says(list_of("Rack\tRack type\tX [m]\ty\nN1\t\t0\t0\n", hall.design),
                 "line 2, rack N1, column Rack type: '' is not given; a new rack needs name"));
  }

  void an_edit_that_no_longer_fits_is_refused() {
    const auto hall = exchange_hall();
    const RackList list = list_of("name\ttype\tx\ty\nN1\tCompute\t0\t0\n", hall.design);
    const Design once = applied(list, hall.design);
    QVERIFY(rack_list_edit(list).apply(once).error().find("N1 is in the design already") != std::string::npos);
    const auto gone = remove(hall.design, {{"rack_types", hall.compute}});
    QVERIFY(gone);
    QVERIFY(rack_list_edit(list).apply(*gone).error().find("no longer in the design") != std::string::npos);
    // Applied to what it was read against, it gives the same bytes twice.
    QCOMPARE(design_text(applied(list, hall.design)), design_text(once));
  }

  void ten_thousand_lines_at_once() {
    const auto hall = exchange_hall();
    std::string text = "name\ttype\tx [mm]\ty [mm]\trow\n";
    for (int i = 0; i < 10000; ++i)
      text += "N" + std::to_string(i) + "\tCompute\t" + std::to_string(i * 600) + "\t0\tNew " + std::to_string(i / 20) +
              "\n";
    const RackList list = list_of(text, hall.design);
    QCOMPARE(list.added, 10000U);
    QCOMPARE(applied(list, hall.design).racks->size(), 10003U);
  }
};

QTEST_GUILESS_MAIN(TestRackList)
#include "test_rack_list.moc"
