// SPDX-License-Identifier: GPL-3.0-or-later
// Racks and devices for NetBox and back.
#include <QtTest>

#include "catalog/csv.h"
#include "engine/project/exchange_hall.h"
#include "project/netbox_csv.h"

using namespace hallwright;
using hallwright::test::exchange_hall;
using hallwright::test::shipped_catalog;

namespace {

/// Rows as column and cell.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
  const auto records = read_csv(csv);
  if (!records) qFatal("%s", records.error().c_str());
  std::vector<std::map<std::string, std::string>> out;
  for (std::size_t r = 1; r < records->size(); ++r) {
    auto& row = out.emplace_back();
    for (std::size_t c = 0; c < records->front().cells.size(); ++c)
      row[records->front().cells[c]] = (*records)[r].cells.at(c);
  }
  return out;
}

} // namespace

class TestNetboxCsv : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Field names of RackImportForm and DeviceImportForm, netbox/dcim/forms/bulk_import.py of NetBox 4.2.
  void columns_are_those_of_the_import_forms() {
    const auto hall = exchange_hall();
    const std::set<std::string> rack_fields{
        "site",        "location",    "name",           "facility_id", "tenant",
        "status",      "role",        "rack_type",      "form_factor", "serial",
        "asset_tag",   "width",       "u_height",       "desc_units",  "outer_width",
        "outer_depth", "outer_unit",  "mounting_depth", "airflow",     "weight",
        "max_weight",  "weight_unit", "description",    "comments",    "tags"};
    const std::set<std::string> device_fields{
        "name",        "role",        "tenant",     "manufacturer", "device_type",
        "platform",    "serial",      "asset_tag",  "status",       "site",
        "location",    "rack",        "position",   "face",         "latitude",
        "longitude",   "parent",      "device_bay", "airflow",      "virtual_chassis",
        "vc_position", "vc_priority", "cluster",    "description",  "config_template",
        "comments",    "tags"};
    const auto racks = read_csv(netbox_racks_csv(hall.design, shipped_catalog())),
               devices = read_csv(netbox_devices_csv(hall.design, shipped_catalog()));
    for (const std::string& c : racks->front().cells)
      QVERIFY2(rack_fields.contains(c), c.c_str());
    for (const std::string& c : devices->front().cells)
      QVERIFY2(device_fields.contains(c), c.c_str());
  }

  void racks() {
    const auto hall = exchange_hall();
    const auto rows = rows_of(netbox_racks_csv(hall.design, shipped_catalog()));
    QCOMPARE(rows.size(), 3U);
    QCOMPARE(rows[0].at("site"), std::string("Delta"));
    QCOMPARE(rows[0].at("location"), std::string("Hall A"));
    QCOMPARE(rows[0].at("name"), std::string("R01-01"));
    QCOMPARE(rows[0].at("status"), std::string("planned"));
    QCOMPARE(rows[0].at("role"), std::string("Compute"));
    QCOMPARE(rows[0].at("u_height"), std::string("42"));
    QCOMPARE(rows[0].at("outer_width"), std::string("600"));
    // AR3357: 48 U, 750 x 1200 mm, 185.45 kg, 1020 kg (its NetBox file).
    QCOMPARE(rows[2].at("u_height"), std::string("48"));
    QCOMPARE(rows[2].at("outer_width"), std::string("750"));
    QCOMPARE(rows[2].at("outer_depth"), std::string("1200"));
    QCOMPARE(rows[2].at("outer_unit"), std::string("mm"));
    QCOMPARE(rows[2].at("weight"), std::string("185.45"));
    QCOMPARE(rows[2].at("max_weight"), std::string("1020"));
    QCOMPARE(rows[2].at("weight_unit"), std::string("kg"));
    QCOMPARE(rows[2].at("role"), std::string("Fabric"));
  }

  void devices_stand_where_they_are() {
    const auto hall = exchange_hall();
    const auto rows = rows_of(netbox_devices_csv(hall.design, shipped_catalog()));
    // Two compute racks of four nodes of 8 U, from half unit 5 (U3) upwards; a rack with two switches of 1 U from half
    // unit 60 (U30.5).
    QCOMPARE(rows.size(), 10U);
    QCOMPARE(rows[0].at("position"), std::string("3"));
    QCOMPARE(rows[1].at("position"), std::string("11"));
    QCOMPARE(rows[3].at("position"), std::string("27"));
    QCOMPARE(rows[0].at("name"), std::string("R01-01-U3"));
    QCOMPARE(rows[0].at("manufacturer"), std::string("NVIDIA"));
    QCOMPARE(rows[0].at("device_type"), std::string("DGX H100"));
    QCOMPARE(rows[0].at("rack"), std::string("R01-01"));
    QCOMPARE(rows[0].at("face"), std::string("front"));
    QCOMPARE(rows[8].at("role"), std::string("Switch"));
    QCOMPARE(rows[8].at("position"), std::string("30.5"));
    QCOMPARE(rows[9].at("position"), std::string("31.5"));
    std::set<std::string> names;
    for (const auto& r : rows)
      QVERIFY(names.insert(r.at("name")).second);
  }

  void racks_come_back_the_same() {
    auto hall = exchange_hall();
    std::vector<Rack> racks = *hall.design.racks;
    racks[1].x = millimeters(1234.56789);
    hall.design.racks = share(racks);
    std::vector<Row> rows = *hall.design.rows;
    rows[0].name = "R=01; \"east\", 100 %";
    hall.design.rows = share(rows);
    const std::string csv = netbox_racks_csv(hall.design, shipped_catalog());
    const auto same = read_netbox_racks(csv, hall.design, shipped_catalog());
    QVERIFY2(same, same ? "" : same.error().c_str());
    QCOMPARE(same->unchanged, 3U);
    Design empty = hall.design;
    empty.racks = share(std::vector<Rack>{});
    const auto list = read_netbox_racks(csv, empty, shipped_catalog());
    QVERIFY(list);
    QCOMPARE(list->summary(), std::string("3 new"));
    const auto again = rack_list_edit(*list).apply(empty);
    QVERIFY(again);
    for (std::size_t i = 0; i < racks.size(); ++i) {
      const Rack &a = racks[i], &b = again->racks->at(i);
      QVERIFY(a.name == b.name && a.x == b.x && a.y == b.y && a.rotation == b.rotation && a.rack_type == b.rack_type &&
              a.hall == b.hall && a.row == b.row && a.feed_a == b.feed_a && a.feed_b == b.feed_b && a.loop == b.loop);
    }
  }

  /// A file that another program wrote: no place, a rack type by its model, one type that the design does not have.
  void racks_of_others() {
    const auto hall = exchange_hall();
    const std::string part = shipped_catalog().find<RackPart>("apc-ar3357")->name;
    const std::string csv = "site,location,name,status,rack_type,width,u_height\n"
                            "Delta,Hall A,N1,active,\"" +
                            part +
                            "\",19,48\n"
                            "Delta,Hall A,N2,active,\"" +
                            part +
                            "\",19,48\n"
                            "Delta,Hall A,N3,active,Unheard Of 3000,19,42\n"
                            "Delta,Hall B,N4,active,Compute,19,42\n";
    const auto list = read_netbox_racks(csv, hall.design, shipped_catalog());
    QVERIFY2(list, list ? "" : list.error().c_str());
    QCOMPARE(list->summary(), std::string("2 new, 2 refused"));
    QCOMPARE(list->unknown_types, std::vector<std::string>{"Unheard Of 3000"});
    const auto edited = rack_list_edit(*list).apply(hall.design);
    QVERIFY(edited);
    const Rack &n1 = edited->racks->at(3), &n2 = edited->racks->at(4);
    QCOMPARE(n1.rack_type, hall.network);
    // Beside the hall of 8 m depth, side by side at 750 mm.
    QVERIFY(in_millimeters(n1.y) == 9000.0 && in_millimeters(n1.x) == 0.0 && in_millimeters(n2.x) == 750.0);
    QVERIFY(std::any_of(list->notes.begin(), list->notes.end(),
                        [](const std::string& n) { return n.find("have no place in the file") != std::string::npos; }));
  }

  void what_is_no_list_of_racks_is_refused() {
    const auto hall = exchange_hall();
    QVERIFY(read_netbox_racks("", hall.design, shipped_catalog()).error().find("the file is empty") !=
            std::string::npos);
    QVERIFY(read_netbox_racks("site,status\nA,active\n", hall.design, shipped_catalog())
                .error()
                .find("line 1: there is no column 'name'") != std::string::npos);
    QVERIFY(read_netbox_racks(netbox_devices_csv(hall.design, shipped_catalog()), hall.design, shipped_catalog())
                .error()
                .find("a list of racks is expected") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestNetboxCsv)
#include "test_netbox_csv.moc"
