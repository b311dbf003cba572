// SPDX-License-Identifier: GPL-3.0-or-later
// NetBox types as parts of a user's catalog.
#include <QtTest>

#include <QDir>
#include <QTemporaryDir>

#include "engine/project/exchange_hall.h"
#include "project/durable_file.h"
#include "project/part_import.h"

using namespace hallwright;
using hallwright::test::shipped_catalog;

namespace {

NetboxType type_of(const std::string& name) {
  const std::string file = HALLWRIGHT_SOURCE_DIR "/tests/data/netbox_devicetypes/" + name;
  auto type = read_netbox_type(*read_whole_file(file), file);
  if (!type) qFatal("%s", type.error().c_str());
  return *std::move(type);
}
PartImport plan(const std::string& name) { return plan_part_import(type_of(name), shipped_catalog(), "2026-01-31"); }
/// As if the catalog had no parts yet.
PartImport plan_new(const std::string& name) { return plan_part_import(type_of(name), Catalog{}, "2026-01-31"); }
std::string after(const PartImport& import, std::string_view field) {
  for (const PartFieldChange& c : import.changes)
    if (c.field == field) return c.after;
  return "";
}
bool rejected(const PartImport& import, std::string_view words) {
  return std::any_of(import.rejected_fields.begin(), import.rejected_fields.end(),
                     [&](const std::string& r) { return r.find(words) != std::string::npos; });
}
bool needed(const PartImport& import, std::string_view field) {
  return std::find(import.still_needed.begin(), import.still_needed.end(), field) != import.still_needed.end();
}

} // namespace

class TestPartImport : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void kinds_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("kind");
    for (const auto& [file, kind] : {std::pair{"APC__AP8886.yaml", "power"},
                                     {"Arista__DCS-7060X6-64PE.yaml", "switch"},
                                     {"Cisco__N9K-C93240YC-FX2.yaml", "switch"},
                                     {"Juniper__QFX5130-32CD-AFO.yaml", "switch"},
                                     {"Nvidia__Q3400-RA.yaml", "switch"},
                                     {"Panduit__CDPP8RG.yaml", ""},
                                     {"Supermicro__ARS-121GL-NB3-LCC-R1.yaml", "node"},
                                     {"Supermicro__AS-8125GS-TNMR2.yml", "node"},
                                     {"Supermicro__LCS-SCDU-250L4001.yml", "cooling"},
                                     {"racktype__APC__AR3357.yaml", "rack"},
                                     {"Dell__PowerEdge-M1000e.yaml", "node"}})
      QTest::newRow(file) << QString(file) << QString(kind);
  }
  void kinds() {
    QFETCH(QString, file);
    QFETCH(QString, kind);
    const PartImport import = plan(file.toStdString());
    QCOMPARE(QString::fromStdString(import.kind), kind);
    QCOMPARE(import.outcome == PartImport::Outcome::rejected, kind.isEmpty());
  }

  void a_part_that_is_there_is_recognised() {
    const PartImport cabinet = plan("racktype__APC__AR3357.yaml");
    QVERIFY(cabinet.outcome == PartImport::Outcome::identical);
    QCOMPARE(cabinet.id, std::string("apc-ar3357"));
    QVERIFY(needed(cabinet, "height_mm"));
    // Other names of the same makers: "AS-8125GS-TNMR2 (8 x MI300X)", "7060X6-64PE", 11.11 kg for 24.5 lb.
    QCOMPARE(plan("Supermicro__AS-8125GS-TNMR2.yml").id, std::string("smc-8125gs-tnmr2"));
    const PartImport arista = plan("Arista__DCS-7060X6-64PE.yaml"), juniper = plan("Juniper__QFX5130-32CD-AFO.yaml");
    QCOMPARE(arista.id, std::string("arista-7060x6-64pe"));
    QCOMPARE(after(arista, "radix_at_link"), std::string()); // 128 links of 400 Gb/s stay
    QCOMPARE(juniper.id, std::string("juniper-qfx5130-32cd"));
    QVERIFY(juniper.outcome == PartImport::Outcome::identical);
    // 48 ports of 25 Gb/s and 12 of 100: the many are the ports of this switch.
    QVERIFY(plan("Cisco__N9K-C93240YC-FX2.yaml").outcome == PartImport::Outcome::identical);
  }

  void supplies_are_not_summed_into_a_draw() {
    const PartImport node = plan_new("Supermicro__AS-8125GS-TNMR2.yml");
    QCOMPARE(after(node, "power_max_w"), std::string());
    QVERIFY(rejected(node, "18000 W is the sum of 6 supplies"));
    QVERIFY(needed(node, "power_max_w"));
    QVERIFY(needed(node, "accelerator"));
    QVERIFY(!needed(node, "rack_units"));
    QCOMPARE(after(node, "rack_units"), std::string("8"));
    QCOMPARE(after(node, "weight_kg"), std::string("75.3 kg"));
  }

  void ports_of_a_switch() {
    const PartImport arista = plan_new("Arista__DCS-7060X6-64PE.yaml");
    QCOMPARE(after(arista, "ports"), std::string("64"));
    QCOMPARE(after(arista, "port_gbit_s"), std::string("800 Gb/s"));
    QCOMPARE(after(arista, "network_kind"), std::string("ethernet"));
    const PartImport q3400 = plan_new("Nvidia__Q3400-RA.yaml");
    QVERIFY(q3400.outcome == PartImport::Outcome::added);
    QCOMPARE(after(q3400, "ports"), std::string("144")); // the management port is none of them
    QCOMPARE(after(q3400, "cages"), std::string("72"));
    QCOMPARE(after(q3400, "network_kind"), std::string("infiniband"));
  }

  void written_parts_are_read_and_found_identical() {
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/catalog";
    std::vector<PartImport> imports;
    for (const char* file : {"Arista__DCS-7060X6-64PE.yaml", "Supermicro__AS-8125GS-TNMR2.yml",
                             "Juniper__QFX5130-32CD-AFO.yaml", "Panduit__CDPP8RG.yaml"})
      imports.push_back(plan_new(file));
    imports.push_back(plan("racktype__APC__AR3357.yaml"));
    const auto written = write_part_imports(path, shipped_catalog(), imports);
    QVERIFY2(written, written ? "" : written.error().c_str());
    QCOMPARE(written->size(), 2U); // nodes and switches; the cabinet is identical, the panel rejected
    QVERIFY(!QDir(QString::fromStdString(path + "/.import-trial")).exists());
    const auto user = read_catalog_text(path, &shipped_catalog());
    QVERIFY(user);
    QCOMPARE(user->switches.size(), 2U);
    QCOMPARE(user->nodes.size(), 1U);
    const SwitchPart* juniper = user->find<SwitchPart>("juniper-qfx5130-32cd-afo");
    QVERIFY(juniper);
    QVERIFY(std::abs(in_kilograms(*juniper->mass) - 11.113) < 0.0001); // 24.5 lb
    QVERIFY(!juniper->power_maximum);
    QVERIFY(juniper->source.find("juniper-qfx5130-32cd-afo") != std::string::npos);
    const Catalog present = layered(shipped_catalog(), *user);
    for (const char* file :
         {"Arista__DCS-7060X6-64PE.yaml", "Supermicro__AS-8125GS-TNMR2.yml", "Juniper__QFX5130-32CD-AFO.yaml"})
      QVERIFY(plan_part_import(type_of(file), present, "2026-02-01").outcome == PartImport::Outcome::identical);
  }

  void a_correction_changes_the_field_and_keeps_the_rest() {
    QTemporaryDir folder;
    NetboxType type = type_of("racktype__APC__AR3357.yaml");
    type.weight_kg = 190.0;
    const PartImport import = plan_part_import(type, shipped_catalog(), "2026-01-31");
    QVERIFY(import.outcome == PartImport::Outcome::changed);
    QCOMPARE(import.changes.size(), 1U);
    QCOMPARE(import.changes[0].before, std::string("185.45 kg"));
    QCOMPARE(import.changes[0].after, std::string("190 kg"));
    QVERIFY(write_part_imports(folder.path().toStdString(), shipped_catalog(), {import}));
    const auto user = read_catalog_text(folder.path().toStdString(), &shipped_catalog());
    QVERIFY(user);
    const RackPart* part = user->find<RackPart>("apc-ar3357");
    QVERIFY(part);
    QCOMPARE(in_kilograms(*part->maximum_load), 1020.0);
    QCOMPARE(part->name, shipped_catalog().find<RackPart>("apc-ar3357")->name);
  }

  void rows_and_columns_of_the_user_stay() {
    const PartImport import = plan_new("Juniper__QFX5130-32CD-AFO.yaml");
    const auto text = with_imported_rows(
        "id,name,source,as_of,upstream_cited\nmine,\"My switch, red\",me,2025,a letter\n", "switch", {&import});
    QVERIFY(text);
    QVERIFY(text->starts_with("id,name,source,as_of,upstream_cited,"));
    QVERIFY(text->find("mine,\"My switch, red\",me,2025,a letter,") != std::string::npos);
    QVERIFY(text->find("juniper-qfx5130-32cd-afo,") != std::string::npos);
    // Once more: replaced, not doubled.
    const auto again = with_imported_rows(*text, "switch", {&import});
    QCOMPARE(*again, *text);
  }

  void a_broken_catalog_of_the_user_stays_as_it_is() {
    QTemporaryDir folder;
    const std::string file = folder.path().toStdString() + "/switches.csv";
    QVERIFY(replace_file(file, "id,name,source,as_of,ports\nmine,Mine,me,2025,many\n"));
    const auto written = write_part_imports(folder.path().toStdString(), shipped_catalog(),
                                            {plan_new("Juniper__QFX5130-32CD-AFO.yaml")});
    QVERIFY(!written);
    QVERIFY(written.error().find("'many'") != std::string::npos);
    QCOMPARE(*read_whole_file(file), std::string("id,name,source,as_of,ports\nmine,Mine,me,2025,many\n"));
  }
};

QTEST_GUILESS_MAIN(TestPartImport)
#include "test_part_import.moc"
