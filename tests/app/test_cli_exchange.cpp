// SPDX-License-Identifier: GPL-3.0-or-later
// Exchange of files on the command line: NetBox types, DXF, racks.
#include "cli_process.h"

#include <QDir>
#include <QTemporaryDir>

#include "engine/project/exchange_hall.h"
#include "project/durable_file.h"
#include "project/project_file.h"

using namespace hallwright;
using hallwright::test::Answer;
using hallwright::test::csv_file;
using hallwright::test::exchange_hall;
using hallwright::test::one_sentence;
using hallwright::test::run_cli;

namespace {
const QString types = QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/netbox_devicetypes/");
}

class TestCliExchange : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    project_ = folder_.filePath("sample.hall");
    QVERIFY(save_project(exchange_hall().design, project_.toStdString()));
  }
  QString file(const QString& name, const QByteArray& content) {
    const QString path = folder_.filePath(name);
    QFile f(path);
    if (!f.open(QIODevice::WriteOnly)) qFatal("no file");
    f.write(content);
    return path;
  }
  QMap<QString, QString> own_home() { return {{"XDG_DATA_HOME", folder_.filePath("data-home")}}; }

  // --- answers as files
  // ---------------------------------------------------------------------------------------------------

  /// What a command reads is never what it writes: the project would be lost without a word.
  void an_answer_never_replaces_what_it_was_read_from() {
    const auto content = [&] {
      QFile f(project_);
      if (!f.open(QIODevice::ReadOnly)) qFatal("no project");
      return f.readAll();
    };
    const QByteArray before = content();
    const QString link = folder_.filePath("link.hall");
    QFile::remove(link);
    QVERIFY(QFile::link(project_, link));
    for (const QString& to : QStringList{project_, link, folder_.filePath("./sample.hall")})
      for (const QStringList& arguments : {QStringList{"cabling", project_, "--csv", to}, QStringList{"ranks", project_, "--csv", to},
                                           QStringList{"export", project_, "--dxf", to}, QStringList{"export", project_, "--rack-list", to},
                                           QStringList{"export", project_, "--netbox-devices", to}, QStringList{"export", project_, "--netbox-racks", to}}) {
        const Answer a = run_cli(arguments);
        QVERIFY2(a.code != 0, qPrintable(arguments.join(' ')));
        QCOMPARE(content(), before);
      }
    QVERIFY(QFileInfo(link).isSymLink());
  }

  void one_file_takes_one_answer() {
    const QString both = folder_.filePath("both.txt");
    const Answer a = run_cli({"export", project_, "--dxf", both, "--rack-list", both});
    QCOMPARE(a.code, 2);
    QVERIFY2(a.err.contains("name the same file"), a.err.constData());
    QVERIFY(!QFile::exists(both));
  }

  void a_link_stays_a_link_and_a_device_a_device() {
    const QString real = folder_.filePath("real.txt"), link = folder_.filePath("list.txt");
    file("real.txt", "old");
    QFile::remove(link);
    QVERIFY(QFile::link(real, link));
    QCOMPARE(run_cli({"export", project_, "--rack-list", link}).code, 0);
    QVERIFY(QFileInfo(link).isSymLink());
    QFile f(real);
    QVERIFY(f.open(QIODevice::ReadOnly) && f.readAll() != "old");
    const Answer folder = run_cli({"export", project_, "--rack-list", folder_.path()});
    QCOMPARE(folder.code, 2);
    QVERIFY2(folder.err.contains("is not a file"), folder.err.constData());
  }

  // --- NetBox types
  // ---------------------------------------------------------------------------------------------------

  void json_is_the_array_that_is_described() {
    QStringList arguments{"catalog", "import", "--json"};
    for (const QString& name : QDir(types).entryList({"*.yaml", "*.yml"}))
      arguments << types + name;
    const Answer a = run_cli(arguments);
    QCOMPARE(a.code, 0);
    const QJsonArray all = a.json().array();
    QCOMPARE(all.size(), 12);
    const QStringList keys{"device_bays",        "file",          "interfaces_400g_or_faster",
                           "interfaces_total",   "manufacturer",  "model",
                           "module_bays",        "power_outlets", "power_ports",
                           "sum_maximum_draw_w", "u_height",      "warnings",
                           "weight_kg"};
    const auto rows = csv_file(types + "SOURCES.csv");
    for (const auto& value : all) {
      const QJsonObject o = value.toObject();
      QCOMPARE(o.keys(), keys);
      const QString name = QFileInfo(o["file"].toString()).fileName();
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r["file"] == name; });
      QVERIFY(row != rows.end());
      for (const QString& key : {"u_height", "weight_kg", "power_ports", "sum_maximum_draw_w", "interfaces_total",
                                 "interfaces_400g_or_faster", "power_outlets", "module_bays", "device_bays"}) {
        const QString wanted = (*row)["expect_" + key];
        if (wanted.isEmpty())
          QVERIFY2(o[key].isNull(), qPrintable(name + " " + key));
        else
          QVERIFY2(std::abs(o[key].toDouble(-1) - wanted.toDouble()) < 0.0001, qPrintable(name + " " + key));
      }
    }
  }

  void a_folder_is_walked_and_a_bad_file_is_told() {
    QVERIFY(QDir(folder_.path()).mkpath("types/Maker"));
    QVERIFY(QFile::copy(types + "racktype__APC__AR3357.yaml", folder_.filePath("types/Maker/AR3357.yaml")));
    file("types/Maker/bad.yml", "manufacturer: Maker\nmodel: [x\n");
    const Answer a = run_cli({"catalog", "import", "--json", folder_.filePath("types")});
    QCOMPARE(a.code, 3);
    QCOMPARE(a.json().array().size(), 2);
    QVERIFY(a.json().array()[1].toObject()["u_height"].isNull());
    QVERIFY(one_sentence(a.err));
    QVERIFY(a.err.contains("bad.yml, line "));
    QVERIFY(run_cli({"catalog", "import", "--json", "/no/such/file.yaml"}).err.contains("does not exist"));
  }

  void dry_run_writes_nothing_then_import_writes_parts() {
    const QStringList files{types + "Dell__PowerEdge-M1000e.yaml", types + "Panduit__CDPP8RG.yaml",
                            types + "racktype__APC__AR3357.yaml"};
    const Answer dry = run_cli(QStringList{"catalog", "import", "--dry-run"} + files, own_home());
    QCOMPARE(dry.code, 1); // the panel is rejected
    QVERIFY2(dry.out.contains("1 new, 0 changed, 1 identical, 1 rejected; nothing is written"), dry.out.constData());
    QVERIFY(dry.out.contains("still needed:") && dry.out.contains("power_max_w"));
    QVERIFY(dry.out.contains("warning: 6 power-ports without maximum_draw"));
    QVERIFY(!QDir(folder_.filePath("data-home")).exists());
    const Answer done = run_cli(QStringList{"catalog", "import"} + files, own_home());
    QCOMPARE(done.code, 1);
    QVERIFY(QFile::exists(folder_.filePath("data-home/hallwright/hallwright/catalog/nodes.csv")));
    const Answer shown = run_cli({"catalog", "show", "node", "dell-poweredge-m1000e", "--json"}, own_home());
    QCOMPARE(shown.code, 0);
    QCOMPARE(shown.json().object()["rack_units"].toObject()["value"].toInt(), 10);
    QVERIFY(run_cli(QStringList{"catalog", "import"} + files, own_home())
                .out.contains("0 new, 0 changed, 2 identical, 1 rejected"));
    // Another kind, and none at all.
    QVERIFY(run_cli({"catalog", "import", "--dry-run", "--kind", "switch", files[0]}, own_home())
                .out.contains("switch dell-poweredge-m1000e"));
    QVERIFY(
        run_cli({"catalog", "import", "--dry-run", "--kind", "model", files[0]}, own_home()).out.contains("not model"));
  }

  // --- the plan
  // -------------------------------------------------------------------------------------------------------

  void the_plan_as_dxf() {
    const QString dxf = folder_.filePath("plan.dxf");
    QCOMPARE(run_cli({"export", project_, "--dxf", dxf}).code, 0);
    QProcess reader;
    reader.start("/usr/bin/python3", {HALLWRIGHT_SOURCE_DIR "/tests/data/dxf/read_back.py", dxf});
    QVERIFY(reader.waitForStarted() && reader.waitForFinished(60000));
    const QJsonObject d = QJsonDocument::fromJson(reader.readAllStandardOutput()).object();
    QCOMPARE(d["units"].toInt(), 4);
    QCOMPARE(d["errors"].toArray(), QJsonArray{});
    QCOMPARE(d["layers"].toObject()["HALL-RACKS"].toObject()["counts"].toObject()["LWPOLYLINE"].toInt(), 3);
    QCOMPARE(run_cli({"export", project_, "--dxf", dxf, "--hall", "Hall A"}).code, 0);
    const Answer none = run_cli({"export", project_, "--dxf", dxf, "--hall", "Hall Q"});
    QCOMPARE(none.code, 2);
    QVERIFY(one_sentence(none.err));
    QVERIFY(none.err.contains("Hall A"));
    QCOMPARE(run_cli({"export", project_}).code, 2);
    QCOMPARE(run_cli({"export", project_, "--dxf", "/no/such/folder/plan.dxf"}).code, 3);
  }

  // --- racks
  // ----------------------------------------------------------------------------------------------------------

  void racks_go_to_netbox_and_come_back() {
    const QString racks = folder_.filePath("racks.csv"), devices = folder_.filePath("devices.csv"),
                  list = folder_.filePath("racks.tsv");
    QCOMPARE(
        run_cli({"export", project_, "--netbox-racks", racks, "--netbox-devices", devices, "--rack-list", list}).code,
        0);
    QCOMPARE(csv_file(racks).size(), 3);
    QCOMPARE(csv_file(devices).size(), 10);
    // A project with the same halls, types and feeds and no racks.
    Design empty = exchange_hall().design;
    empty.racks = share(std::vector<Rack>{});
    const QString target = folder_.filePath("empty.hall.json"), filled = folder_.filePath("filled.hall.json"),
                  listed = folder_.filePath("listed.hall.json");
    QVERIFY(save_project(empty, target.toStdString()));
    const Answer a = run_cli({"import-racks", target, racks, "--to", filled});
    QVERIFY2(a.code == 0 && a.out.startsWith("3 new"), a.err.constData());
    QCOMPARE(run_cli({"import-racks", target, list, "--to", listed}).code, 0);
    for (const QString& made : {filled, listed}) {
      const auto opened = open_project(made.toStdString());
      QVERIFY(opened);
      const auto wanted = exchange_hall().design;
      QCOMPARE(opened->design.racks->size(), 3U);
      for (std::size_t i = 0; i < 3; ++i) {
        const Rack &x = wanted.racks->at(i), &y = opened->design.racks->at(i);
        QVERIFY(x.name == y.name && x.x == y.x && x.y == y.y && x.rotation == y.rotation &&
                x.rack_type == y.rack_type && x.feed_a == y.feed_a && x.loop == y.loop);
      }
    }
    // Nothing new: the project stays as it is.
    const Answer same = run_cli({"import-racks", project_, racks});
    QCOMPARE(same.code, 0);
    QVERIFY(same.out.startsWith("3 unchanged"));
  }

  void bad_lines_stop_the_import_unless_asked() {
    const QString target = folder_.filePath("target.hall");
    QVERIFY(save_project(exchange_hall().design, target.toStdString()));
    const QString list = file("bad.tsv", "name\ttype\tx [mm]\ty [mm]\nN1\tCompute\t0\t5000\nN2\tUnheard\t600\t5000\n");
    const Answer refused = run_cli({"import-racks", target, list});
    QCOMPARE(refused.code, 3);
    QVERIFY(refused.err.contains("bad.tsv: line 3, rack N2, column type: 'Unheard' is not a rack type of the design"));
    QVERIFY(refused.out.contains("unknown rack type: Unheard"));
    QCOMPARE(open_project(target.toStdString())->design.racks->size(), 3U);
    const Answer dry = run_cli({"import-racks", target, list, "--dry-run", "--json"});
    QCOMPARE(dry.code, 1);
    QCOMPARE(dry.json().object()["new"].toInt(), 1);
    QCOMPARE(dry.json().object()["errors"].toArray()[0].toObject()["line"].toInt(), 3);
    QCOMPARE(run_cli({"import-racks", target, list, "--partly"}).code, 1);
    QCOMPARE(open_project(target.toStdString())->design.racks->size(), 4U);
    QCOMPARE(run_cli({"import-racks", target, "/no/such.tsv"}).code, 3);
    QCOMPARE(run_cli({"import-racks", target, file("none.tsv", "")}).code, 3);
  }

private:
  QTemporaryDir folder_;
  QString project_;
};

QTEST_GUILESS_MAIN(TestCliExchange)
#include "test_cli_exchange.moc"
