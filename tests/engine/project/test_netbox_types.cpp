// SPDX-License-Identifier: GPL-3.0-or-later
// Device and rack types of the NetBox library: the figures of other people's files, and files that are wrong.
#include <QtTest>

#include <QDir>
#include <QTemporaryDir>

#include "catalog/csv.h"
#include "project/durable_file.h"
#include "project/netbox_device_type.h"

using namespace hallwright;

namespace {

const std::string folder = HALLWRIGHT_SOURCE_DIR "/tests/data/netbox_devicetypes/";

NetboxType read_file(const std::string& name) {
  const auto content = read_whole_file(folder + name);
  if (!content) qFatal("%s: %s", name.c_str(), content.error().c_str());
  auto type = read_netbox_type(*content, folder + name);
  if (!type) qFatal("%s", type.error().c_str());
  return *std::move(type);
}

bool warns(const NetboxType& type, std::string_view words) {
  for (const std::string& w : type.warnings)
    if (w.find(words) != std::string::npos) return true;
  for (const std::string& w : type.warnings)
    qWarning("%s", w.c_str());
  return false;
}

NetboxType read_text(const std::string& yaml, const std::string& file = "Maker-Model.yaml") {
  auto type = read_netbox_type(yaml, file);
  if (!type) qFatal("%s", type.error().c_str());
  return *std::move(type);
}
std::string refusal(const std::string& yaml) {
  auto type = read_netbox_type(yaml, "Maker-Model.yaml");
  return type ? "accepted" : type.error();
}

const std::string head = "manufacturer: Maker\nmodel: Model\nslug: maker-model\nu_height: 2\nis_full_depth: true\n";

} // namespace

class TestNetboxTypes : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Values of SOURCES.csv, which were read from the files by people.
  void published_values_data() {
    QTest::addColumn<QStringList>("cells");
    const auto text = read_whole_file(folder + "SOURCES.csv");
    QVERIFY(text);
    const auto records = read_csv(*text);
    QVERIFY(records);
    for (std::size_t r = 1; r < records->size(); ++r) {
      QStringList cells;
      for (const std::string& cell : (*records)[r].cells)
        cells << QString::fromStdString(cell);
      QTest::newRow(qPrintable(cells[0])) << cells;
    }
  }
  void published_values() {
    QFETCH(QStringList, cells);
    const NetboxType type = read_file(cells[0].toStdString());
    auto same = [](const std::optional<double>& got, const QString& wanted, double tolerance) {
      return wanted.isEmpty() ? !got.has_value() : got.has_value() && std::abs(*got - wanted.toDouble()) <= tolerance;
    };
    QVERIFY(same(type.u_height, cells[7], 0.0));
    QVERIFY(same(type.weight_kg, cells[8], 0.00006)); // four digits are published
    QCOMPARE(type.power_ports.size(), cells[9].toULongLong());
    QVERIFY(same(type.sum_maximum_draw_w(), cells[10], 0.0));
    QCOMPARE(type.interfaces.size(), cells[11].toULongLong());
    QCOMPARE(type.interfaces_400g_or_faster(), cells[12].toULongLong());
    QCOMPARE(type.power_outlets.size(), cells[13].toULongLong());
    QCOMPARE(type.module_bays.size(), cells[14].toULongLong());
    QCOMPARE(type.device_bays.size(), cells[15].toULongLong());
  }

  void awkward_cases_are_warned_of() {
    const NetboxType dgx = read_file("Nvidia__DGC-A100.yaml");
    QVERIFY(warns(dgx, "console port 'Rear IPMI'"));
    QVERIFY(warns(dgx, "'Rear VGA' stands in line"));
    QVERIFY(warns(dgx, "2142 W is the sum over 2 power-ports"));
    QVERIFY(warns(dgx, "6.5kW"));
    QVERIFY(dgx.comments.find("\u201CAmpere\u201D") != std::string::npos);
    QVERIFY(warns(read_file("APC__AP8886.yaml"), "22.0kW"));
    const NetboxType tray = read_file("Supermicro__ARS-121GL-NB3-LCC-R1.yaml");
    QCOMPARE(tray.is_powered, std::optional<bool>(false));
    QVERIFY(warns(tray, "no power inlet of its own"));
    const NetboxType node = read_file("Supermicro__AS-8125GS-TNMR2.yml");
    QVERIFY(warns(node, "6 power-ports and 8 module bays"));
    QVERIFY(warns(node, "1 of 14 interfaces is virtual"));
    QCOMPARE(node.physical_interfaces(), 13U);
    const NetboxType q3400 = read_file("Nvidia__Q3400-RA.yaml");
    QCOMPARE(q3400.fast_cages(), 73U); // 72 cages of two ports and the management port
    QVERIFY(warns(q3400, "optics count by cage"));
    QVERIFY(warns(read_file("Supermicro__LCS-SCDU-250L4001.yml"), "250 kW"));
    QVERIFY(warns(read_file("Cisco__N9K-C93240YC-FX2.yaml"), "half units"));
    const NetboxType panel = read_file("Panduit__CDPP8RG.yaml");
    QVERIFY(warns(panel, "name 08 is not quoted"));
    QCOMPARE(panel.front_ports.back().name, std::string("08"));
    const NetboxType rack = read_file("racktype__APC__AR3357.yaml");
    QVERIFY(rack.kind == NetboxTypeKind::rack);
    QCOMPARE(rack.outer_width_mm, std::optional<double>(750));
    QCOMPARE(rack.outer_depth_mm, std::optional<double>(1200));
    QCOMPARE(rack.mounting_depth_mm, std::optional<double>(1048));
    QCOMPARE(rack.maximum_load_kg, std::optional<double>(1020));
  }

  void speeds_of_interfaces_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<double>("gbit_s"); // below 0: the word does not say
    for (const auto& [type, rate] : {std::pair{"400gbase-x-qsfpdd", 400.0},
                                     {"400gbase-x-osfp-rhs", 400.0},
                                     {"400gbase-x-cfp8", 400.0},
                                     {"800gbase-x-osfp", 800.0},
                                     {"1.6tbase-x-osfp1600-rhs", 1600.0},
                                     {"1.6tbase-dr8", 1600.0},
                                     {"400gbase-dr4", 400.0},
                                     {"infiniband-ndr", 400.0},
                                     {"infiniband-xdr", 800.0},
                                     {"infiniband-hdr", 200.0},
                                     {"2.5gbase-t", 2.5},
                                     {"1000base-t", 1.0},
                                     {"100gbase-x-qsfp28", 100.0},
                                     {"virtual", -1.0},
                                     {"lag", -1.0},
                                     {"ieee802.11ax", -1.0},
                                     {"cisco-stackwise-480", -1.0},
                                     {"32gfc-sfp28", -1.0}})
      QTest::newRow(type) << QString(type) << rate;
  }
  void speeds_of_interfaces() {
    QFETCH(QString, type);
    QFETCH(double, gbit_s);
    QCOMPARE(netbox_interface_gbit_s(type.toStdString()).value_or(-1.0), gbit_s);
  }

  void masses_are_converted_exactly() {
    QCOMPARE(read_text(head + "weight: 24.5\nweight_unit: lb\n").weight_kg, std::optional<double>(24.5 * 0.45359237));
    QCOMPARE(read_text(head + "weight: 16\nweight_unit: oz\n").weight_kg,
             std::optional<double>(16 * 0.028349523125)); // an ounce is a sixteenth of a pound
    QCOMPARE(read_text(head + "weight: 2500\nweight_unit: g\n").weight_kg, std::optional<double>(2.5));
    const NetboxType bare = read_text(head + "weight: 12\n");
    QVERIFY(!bare.weight_kg);
    QVERIFY(warns(bare, "no weight_unit"));
    QVERIFY(warns(read_text(head + "weight: 12\nweight_unit: stone\n"), "'stone'"));
    QVERIFY(warns(read_text(head + "weight: 1.1\nweight_unit: oz\n"), "is the unit 'oz' right?"));
  }

  void odd_draws_are_kept_and_warned_of() {
    const NetboxType milli =
        read_text(head + "power-ports:\n  - name: PSU\n    type: iec-60320-c14\n    maximum_draw: 36000\n");
    QCOMPARE(milli.sum_maximum_draw_w(), std::optional<double>(36000));
    QVERIFY(warns(milli, "above 32767 W"));
    const NetboxType over = read_text(
        head +
        "power-ports:\n  - name: PSU\n    type: iec-60320-c14\n    maximum_draw: 500\n    allocated_draw: 600\n");
    QVERIFY(warns(over, "allocated_draw 600 W of 'PSU' is above its maximum_draw 500 W"));
    const NetboxType some = read_text(head + "power-ports:\n  - name: A\n    type: iec-60320-c14\n    maximum_draw: "
                                             "500\n  - name: B\n    type: iec-60320-c14\n");
    QCOMPARE(some.sum_maximum_draw_w(), std::optional<double>(500));
    QVERIFY(warns(some, "lower bound"));
    QVERIFY(warns(read_text(head), "no power-ports: the draw is unknown, not zero"));
    QVERIFY(!read_text(head).sum_maximum_draw_w());
  }

  void odd_shapes() {
    QVERIFY(
        warns(read_text("manufacturer: Maker\nmodel: Model\nslug: maker-model\nu_height: 1.3\nis_full_depth: true\n"),
              "no multiple of 0.5"));
    QVERIFY(warns(read_text("manufacturer: Maker\nmodel: Model\nslug: maker-model\nu_height: 0\nis_full_depth: true\n"),
                  "its height is unknown"));
    QVERIFY(
        warns(read_text("manufacturer: Maker\nmodel: Model\nu_height: 2.0\nis_full_depth: true\n"), "slug is missing"));
    QCOMPARE(read_text("manufacturer: Maker\nmodel: Model X\nu_height: 2.0\nis_full_depth: true\n").slug,
             std::string("maker-model-x"));
    const std::string rack = "manufacturer: Maker\nmodel: Model\nslug: maker-model\nform_factor: "
                             "4-post-cabinet\nwidth: 19\nu_height: 42\nstarting_unit: 1\n";
    const NetboxType inches =
        read_text(rack + "outer_width: 24\nouter_depth: 42\nouter_unit: in\nmounting_depth: 191\n");
    QCOMPARE(inches.outer_width_mm, std::optional<double>(24 * 25.4));
    QVERIFY(!inches.mounting_depth_mm);
    QVERIFY(warns(inches, "mounting_depth 191 mm is implausible"));
    QVERIFY(warns(read_text(rack), "the footprint on the plan is unknown"));
    QVERIFY(warns(read_text(rack + "outer_width: 600\nouter_depth: 1200\n"), "no outer_unit"));
    QVERIFY(
        read_text(
            "manufacturer: Maker\nmodel: Model\npart_number: P\ninterfaces:\n  - name: p1\n    type: 400gbase-x-osfp\n")
            .kind == NetboxTypeKind::module);
  }

  void unknown_keys_and_types_do_not_stop_the_rest() {
    const NetboxType type = read_text(head + "shelf_life: 3\ninterfaces:\n  - name: eth0\n    type: 1000base-t\n    "
                                             "poe: true\n  - name: eth1\n    type: carrier-pigeon\n");
    QVERIFY(warns(type, "key 'shelf_life'"));
    QVERIFY(warns(type, "key 'poe'"));
    QVERIFY(warns(type, "'carrier-pigeon'"));
    QCOMPARE(type.interfaces.size(), 2U);
    QVERIFY(warns(read_text(head + "model: Other\n"), "key 'model' stands twice"));
    QCOMPARE(read_text(head + "model: Other\n").model, std::string("Model"));
  }

  void what_is_refused_says_file_line_and_what_is_allowed_data() {
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("says");
    auto row = [](const char* name, const std::string& yaml, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(yaml) << QString(says);
    };
    row("empty", "", "line 1: the file is empty");
    row("only a comment", "# nothing\n", "line 1: the file is empty");
    row("not YAML", "manufacturer: Maker\nmodel: [unclosed\nslug: x\n", "line 3: this is not YAML");
    row("tab", "manufacturer: Maker\nmodel:\tModel\n\tslug: x\n", "line 3: this is not YAML");
    row("a list", "- manufacturer: Maker\n", "line 1: the file is not a list of");
    row("no maker", "model: Model\nu_height: 1\n", "line 1: manufacturer is missing");
    row("no model", "manufacturer: Maker\nu_height: 1\n", "line 1: model is missing");
    row("height is a word", "manufacturer: Maker\nmodel: Model\nu_height: two\n",
        "line 3: u_height 'two' is not a number");
    row("height below zero", "manufacturer: Maker\nmodel: Model\nu_height: -1\n", "line 3: u_height -1 is below zero");
    row("height is infinite", "manufacturer: Maker\nmodel: Model\nu_height: .inf\n",
        "line 3: u_height '.inf' is not a number");
    row("height is nan", "manufacturer: Maker\nmodel: Model\nu_height: nan\n",
        "line 3: u_height 'nan' is not a number");
    row("depth is a word", "manufacturer: Maker\nmodel: Model\nu_height: 1\nis_full_depth: perhaps\n",
        "line 4: is_full_depth 'perhaps' is neither true nor false");
    row("interfaces are a word", "manufacturer: Maker\nmodel: Model\ninterfaces: many\n",
        "line 3: interfaces is not a list");
    row("port without name", "manufacturer: Maker\nmodel: Model\ninterfaces:\n  - type: 1000base-t\n",
        "line 4: an entry of interfaces has no name");
    row("draw is a word", "manufacturer: Maker\nmodel: Model\npower-ports:\n  - name: A\n    maximum_draw: lots\n",
        "line 5: maximum_draw 'lots' is not a number");
    row("two documents", "manufacturer: Maker\nmodel: Model\n---\nmanufacturer: Maker\nmodel: Other\n",
        "a second document begins");
    row("not UTF-8", "manufacturer: Maker\nmodel: M\xFF\n", "line 2: the text is not UTF-8");
    row("zero byte", std::string("manufacturer: Maker\nmodel: M\0\n", 30), "line 2: a zero byte");
    row("model is a list", "manufacturer: Maker\nmodel: [a, b]\n", "line 2: model is a list");
    row("unknown anchor", "manufacturer: Maker\nmodel: *nowhere\n", "line 2: this is not YAML");
  }
  void what_is_refused_says_file_line_and_what_is_allowed() {
    QFETCH(QByteArray, yaml);
    QFETCH(QString, says);
    const QString refused = QString::fromStdString(refusal(yaml.toStdString()));
    QVERIFY2(refused.startsWith("Maker-Model.yaml") && refused.contains(says), qPrintable(refused));
  }

  void deep_nesting_is_refused_and_not_a_crash() {
    QVERIFY(refusal(std::string(100000, '[')).find("Maker-Model.yaml") == 0);
    QVERIFY(refusal("manufacturer: " + std::string(50000, '{')).find("Maker-Model.yaml") == 0);
  }

  void files_that_are_cut_anywhere_never_crash() {
    for (const QString& name : QDir(QString::fromStdString(folder)).entryList({"*.yaml", "*.yml"})) {
      const auto content = read_whole_file(folder + name.toStdString());
      QVERIFY(content);
      for (std::size_t n = 0; n < content->size(); n += 97)
        (void)read_netbox_type(content->substr(0, n), "cut.yaml");
    }
  }

  void folders_are_walked() {
    const auto files = netbox_files({folder});
    QVERIFY(files);
    QCOMPARE(files->size(), 12U);
    QTemporaryDir empty;
    QVERIFY(!netbox_files({empty.path().toStdString()}));
    QVERIFY(netbox_files({"/no/such/file.yaml"}).error().find("does not exist") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestNetboxTypes)
#include "test_netbox_types.moc"
