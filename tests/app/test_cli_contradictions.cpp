// SPDX-License-Identifier: GPL-3.0-or-later
// What a design states and cannot be: replaced values, unknown parts, feeds, counts, files of other forms.
#include "cli_process.h"

#include <QTemporaryDir>

using hallwright::test::Answer;
using hallwright::test::csv_rows;
using hallwright::test::run_cli;

namespace {
const QString projects = QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/");
const QString superpod = projects + QStringLiteral("superpod-h100-4su.hall.json");
const QString nvl72 = projects + QStringLiteral("nvl72-16-racks.hall.json");

#define SAYS(answer, words)                                                                                            \
  QVERIFY2((answer).text().contains(QStringLiteral(words)) ||                                                          \
               QString::fromUtf8((answer).err).contains(QStringLiteral(words)),                                        \
           ((answer).out + (answer).err).constData())
#define SILENT(answer, words) QVERIFY2(!(answer).text().contains(QStringLiteral(words)), (answer).out.constData())
} // namespace

class TestCliContradictions : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QString file(const QString& name, const QByteArray& content) {
    const QString path = folder_.filePath(name);
    QFile f(path);
    if (!f.open(QIODevice::WriteOnly)) qFatal("no file");
    f.write(content);
    return path;
  }
  /// The sample with more entities in a table, under ids that are free.
  QString superpod_with(const QString& name, const QString& table, const QList<QJsonObject>& rows) {
    QFile f(superpod);
    if (!f.open(QIODevice::ReadOnly)) qFatal("no sample");
    QJsonObject all = QJsonDocument::fromJson(f.readAll()).object();
    QJsonArray list = all[table].toArray();
    int id = 900000;
    for (QJsonObject row : rows) {
      row["id"] = id++;
      list.append(row);
    }
    all[table] = list;
    all["next_id"] = id;
    return file(name + ".hall.json", QJsonDocument(all).toJson());
  }
  static QJsonObject replaced(const QString& kind, const QString& part, const QString& field, const QString& value) {
    return {{"part_kind", kind}, {"part", part}, {"field", field}, {"value", value}};
  }
  static Answer check(const QString& project, const QStringList& settings = {}) {
    QStringList arguments{"check", project};
    for (const QString& s : settings)
      arguments << "--set" << s;
    return run_cli(arguments);
  }

private Q_SLOTS:
  void initTestCase() { QVERIFY(folder_.isValid()); }

  void replaced_values_keep_the_range_of_the_field() {
    const Answer zero = check(
        superpod_with("zero", "part_overrides", {replaced("assumption", "efficiency.distribution", "value", "0")}));
    SAYS(zero, "Value: 0 is out of range; above 0, at most 1, is allowed");
    const Answer fluid =
        check(superpod_with("fluid", "part_overrides", {replaced("fluid", "pg25-40", "density_kg_m3", "0")}));
    SAYS(fluid, "Density: 0 kg/m3 is out of range; 0.1 kg/m3 to 25000 kg/m3 is allowed");
    const Answer many =
        check(superpod_with("many", "part_overrides", {replaced("node", "dgx-h100", "accelerators", "10000000")}));
    SAYS(many, "10000000 is out of range; 0 to 1024 is allowed");
    const Answer layers =
        check(superpod_with("layers", "part_overrides", {replaced("model", "llama3-1-70b", "layers", "0")}));
    SAYS(layers, "Layers: 0 is out of range; 1 to 10000 is allowed");
    SILENT(layers, "Set pipeline_parallel to 0");
  }

  void every_unknown_part_is_named_with_those_written_alike() {
    const Answer a = check(nvl72, {"job.model_part=llama3-1-70c", "cooling_plant.cdu_part=zzz",
                                   "storage.system_part=zzz", "networks.70.node_optic_part=zzz"});
    SAYS(a, "Model: the catalog has no model part 'llama3-1-70c'; the nearest ids are llama3-1-70b");
    SAYS(a, "CDU: the catalog has no cooling part 'zzz'");
    SAYS(a, "Storage system: the catalog has no storage part 'zzz'");
    SAYS(a, "Node optic: the catalog has no optic part 'zzz'");
    SILENT(check(nvl72), "CAT-002");
  }

  void a_published_figure_that_is_none_is_told() {
    const Answer a = check(
        superpod_with("published", "published",
                      {{{"figure", "power.itt"}, {"value", "5 kW"}}, {{"figure", "power.it"}, {"value", "5 kg"}}}));
    SAYS(a, "there is no figure 'power.itt'; the nearest is power.it");
    SAYS(a, "'5 kg' is no value of IT load");
  }

  /// The sample draws one system, 66 switches QM9700 where its networks need 65, and 4 SN2201 that no network has.
  void what_is_drawn_and_what_is_entered_must_agree() {
    SAYS(check(superpod, {"storage.systems=2"}),
         "2 storage systems WEKApod Nitro WPS155, 8 nodes are entered, 1 drawn");
    const Answer a = check(superpod);
    SILENT(a, "STO-006");
    SAYS(a, "66 switches Quantum-2 QM9700 stand in drawn racks; the networks need 65");
    SAYS(a, "4 switches SN2201 out-of-band switch stand in drawn racks and no network has them");
  }

  /// 8 x 4 x 1 x 30 = 960 ranks.
  void a_communicator_larger_than_the_job() {
    const Answer a = check(superpod_with("communicator", "communicators", {{{"name", "All"}, {"ranks", 5000}}}));
    SAYS(a, "All: a group of 5000 ranks, 1 apart, reaches over 5000 ranks and the job has 960");
    SILENT(check(superpod_with("fits", "communicators", {{{"name", "All"}, {"ranks", 960}}})), "FAB-049");
  }

  void an_element_is_out_of_service_once() {
    QFile f(superpod);
    QVERIFY(f.open(QIODevice::ReadOnly));
    const auto network = QJsonDocument::fromJson(f.readAll()).object()["networks"].toArray()[0].toObject()["id"];
    const QJsonObject leaf{{"network", network}, {"element", "leaf 1"}};
    const Answer a = check(superpod_with("failures", "failures", {leaf, leaf, leaf}));
    SAYS(a, "1 element is out of service: leaf 1 of Compute;");
  }

  void feeds_that_contradict_each_other() {
    SILENT(check(superpod), "PWR-015");
    SAYS(check(superpod, {"power_units.9.feed=B"}), "UPS A is marked feed B and hangs on");
    SAYS(check(superpod, {"racks.26.feed_a=24", "racks.26.feed_b=23"}), "1 rack has a unit of the B side as feed A");
    SAYS(check(superpod, {"power_units.5.kind=ups"}), "not the other way round");
  }

  /// 32 degC outdoors, 6 K of a dry cooler and 4 K of a CDU: 42 degC at the coldest.
  void a_supply_that_dry_coolers_do_not_reach() {
    SAYS(check(nvl72), "reach 42.0 degC (estimate) on the design day; loop 'Loop 1' asks for 40.0 degC");
    SILENT(check(nvl72, {"site.outdoor_design_temperature=25 degC"}), "CLG-008");
  }

  void an_unknown_node_leaves_things_undecided() {
    const Answer a = check(superpod, {"rack_items.12.part=banana"});
    SILENT(a, "error    CLG-001");
    SILENT(a, "error    TRN-001");
    SAYS(a, "Whether the job has enough GPUs cannot be decided");
  }

  /// Nothing fails: Daly's goodput tends to 1 without checkpoints, and to interval / (interval + write) with them.
  void without_failures_goodput_has_its_limit() {
    QStringList arguments{"evaluate",
                          superpod,
                          "--json",
                          "--set",
                          "operations.node_failures_per_1000_node_days=0",
                          "--set",
                          "operations.user_failure_rate=0 1/h"};
    const auto value = [](const Answer& a, const char* id) {
      return a.json().object()["figures"].toObject()[id].toObject()["value"].toDouble(-1);
    };
    const Answer free = run_cli(arguments);
    QCOMPARE(value(free, "reliability.goodput"), 1.0);
    QCOMPARE(value(free, "reliability.expected_failures"), 0.0);
    QVERIFY(value(free, "budget.cost_per_gpu_hour") > 0.0);
    arguments << "--set"
              << "storage.checkpoint_interval=30 min";
    const Answer stated = run_cli(arguments);
    const double stop = value(stated, "storage.stall");
    QVERIFY(stop > 0.0);
    QVERIFY(std::abs(value(stated, "reliability.goodput") - 1800.0 / (1800.0 + stop)) < 1e-12);
  }

  void shares_and_percentages_are_told_alike() {
    SAYS(check(projects + "hundred-thousand.hall.json"), "at least 90.0");
    SILENT(check(projects + "hundred-thousand.hall.json"), "at least 0.900 is allowed");
  }

  /// 64 nodes x 8 links fill two units of 64-port leafs; a 65th place holds the 5 links of a manager.
  void reserved_links_are_offered_a_place() {
    const Answer a = run_cli({"fabric", "--nodes", "64", "--gpus-per-node", "8", "--reserved-links", "5"});
    SAYS(a, "use 1 reserved node place or radix 1024");
    QCOMPARE(
        run_cli({"fabric", "--nodes", "64", "--gpus-per-node", "8", "--reserved-links", "5", "--reserved-places", "1"})
            .code,
        0);
  }

  void ids_and_counts_of_another_form() {
    const auto with_first_rack = [&](const QString& name, const QByteArray& id) {
      QFile f(superpod);
      if (!f.open(QIODevice::ReadOnly)) qFatal("no sample");
      QByteArray text = f.readAll();
      const QByteArray id_of = "\"id\": 26,";
      if (text.count(id_of) != 1) qFatal("the sample has changed");
      return file(name + ".hall.json", text.replace(id_of, "\"id\": " + id + ","));
    };
    QCOMPARE(check(with_first_rack("whole", "26.0")).err, QByteArray());
    const Answer large = check(with_first_rack("large", "9223372036854775808"));
    SAYS(large, "9223372036854775808 is too large for an id");
    QVERIFY(!large.err.contains("is not an id"));
    SAYS(check(with_first_rack("marks", "\"26\"")), "'26' stands in quotation marks");
  }

  void files_of_another_coding() {
    const QByteArray utf16("\xFF\xFE[\0T\0I\0T\0L\0E\0]\0", 16);
    SAYS(run_cli({"hydraulics", file("utf16.inp", utf16)}), "the file is UTF-16; plain text in UTF-8 is allowed");
    SAYS(run_cli({"hydraulics", file("zero.inp", QByteArray("[TITLE]\n\0x", 10))}), "line 2: a zero byte");
    const QByteArray list = "near_device,near_port,far_device,far_port\nnode1,1,leaf1,1\nnode2,1,leaf1,2\n";
    QByteArray old = list;
    const QString lf = file("lf.csv", list), cr = file("cr.csv", old.replace('\n', '\r'));
    const QStringList plan{"as-built", "--plan", lf};
    QCOMPARE(run_cli(QStringList(plan) << cr).out, run_cli(QStringList(plan) << lf).out);
    QCOMPARE(run_cli(QStringList(plan) << cr).code, 0);
  }

  /// Three cables obey no rule that could be inferred.
  void links_without_plan_and_rule_are_not_as_planned() {
    const QString found = file("three.csv", "near_device,near_port,far_device,far_port\na,1,b,7\nc,5,d,2\ne,9,b,3\n");
    const Answer a = run_cli({"as-built", found});
    SAYS(a, "no plan to compare them with");
    SAYS(a, "nothing was compared");
    QVERIFY(a.code != 0);
    SILENT(a, "as planned");
  }

  void zero_and_negative_are_told_as_such() {
    const QByteArray head = "gpus,nodes,collective,bytes,intra_GBps_per_gpu,inter_GBps_per_gpu\n";
    const QString out = folder_.filePath("out.csv");
    SAYS(run_cli({"collectives", file("zero.csv", head + "8,1,all_reduce,1e9,0,50\n"), "--out", out}),
         "intra_GBps_per_gpu is 0");
    SAYS(run_cli({"collectives", file("minus.csv", head + "-8,1,all_reduce,1e9,450,50\n"), "--out", out}),
         "gpus must be a whole number from 2 to 10000000; it is -8");
  }

  void a_dash_is_standard_output() {
    const Answer a = run_cli({"export", superpod, "--rack-list", "-"});
    QCOMPARE(a.code, 0);
    QVERIFY(a.out.contains("R01-01"));
    QVERIFY(run_cli({"export", superpod, "--rack-list", "-", "--netbox-racks", "-"}).code != 0);
  }

  /// One name a device in all files for NetBox, and as-built reads both namings.
  void devices_have_one_name_for_netbox() {
    const Answer devices = run_cli({"export", superpod, "--netbox-devices", "-"});
    const Answer cables = run_cli({"cabling", superpod, "--format", "netbox", "--csv", "-"});
    QCOMPARE(devices.code, 0);
    QCOMPARE(cables.code, 0);
    QSet<QString> drawn, ports;
    for (const auto& row : csv_rows(devices.out))
      drawn << row["name"];
    QCOMPARE(drawn.size(), csv_rows(devices.out).size());
    int unknown = 0;
    for (const auto& row : csv_rows(cables.out))
      for (const char* side : {"side_a", "side_b"}) {
        const QString device = row[QString(side) + "_device"], port = device + ":" + row[QString(side) + "_name"];
        QVERIFY2(!ports.contains(port), qPrintable(port)); // an interface takes one cable
        ports << port;
        if (!drawn.contains(device)) ++unknown;
      }
    // Fabric managers have a place in the fabric and none in a rack.
    QVERIFY2(unknown < ports.size() / 100, qPrintable(QString::number(unknown)));
    for (const QString& form : {QStringLiteral("netbox"), QStringLiteral("schedule")}) {
      const Answer written = run_cli({"cabling", superpod, "--format", form, "--csv", "-"});
      const Answer back = run_cli({"as-built", superpod, file(form + ".csv", written.out), "--json"});
      QCOMPARE(back.json().object()["matched"].toInt(), back.json().object()["links"].toInt());
      QCOMPARE(back.json().object()["findings"].toArray().size(), 0);
      QCOMPARE(back.json().object()["links"].toInt(), int(csv_rows(written.out).size()));
    }
  }
};

QTEST_GUILESS_MAIN(TestCliContradictions)
#include "test_cli_contradictions.moc"
