// SPDX-License-Identifier: GPL-3.0-or-later
// What the shipped catalog holds, and what designs and users lay over it.
#include <QtTest>

#include <cmath>

#include "catalog/catalog.h"
#include "catalog/traced_part.h"
#include "catalog/user_catalog.h"

using namespace hallwright;

namespace {

const Catalog& shipped() {
  static const Catalog catalog = [] {
    auto read = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs");
    if (!read) {
      for (const std::string& problem : read.error()) qWarning("%s", problem.c_str());
      qFatal("the shipped catalog is refused");
    }
    return *read;
  }();
  return catalog;
}

template <class P>
const P& part(std::string_view id) {
  const P* found = shipped().find<P>(id);
  if (!found) qFatal("no part '%s'", std::string(id).c_str());
  return *found;
}

/// Lines of a file of the shipped text that hold a row; no shipped cell holds a newline.
std::size_t rows_of(std::string_view file) {
  QFile text(QString::fromStdString(std::string(HALLWRIGHT_SOURCE_DIR "/catalogs/") + std::string(file) + ".csv"));
  if (!text.open(QIODevice::ReadOnly)) return 0;
  std::size_t lines = 0;
  while (!text.atEnd())
    if (!text.readLine().trimmed().isEmpty()) ++lines;
  return lines - 1;
}

bool near(double a, double b, double share) { return std::abs(a - b) <= share * std::abs(b); }

std::string only(const std::vector<std::string>& problems) { return problems.size() == 1 ? problems.front() : "problems: " + std::to_string(problems.size()); }

/// One assumption in hours, one bare, one in a unit that no kind has.
Catalog small() {
  Catalog c;
  auto add = [&](std::string id, double value, std::string unit) {
    Assumption a;
    a.id = id;
    a.name = "Name of " + id;
    a.source = "a survey";
    a.as_of = "2025";
    a.value = value;
    a.unit = std::move(unit);
    c.assumptions.push_back(a);
  };
  add("bare.share", 0.8, "1");
  add("loss.splice", 0.2, "dB");
  add("repair.time", 4, "h");
  add("rise.coolant", 10, "K");
  add("supply.warm", 45, "C");
  Assumption blank;
  blank.id = "zz.blank";
  blank.name = "Nobody knows";
  blank.source = "none";
  blank.as_of = "2025";
  blank.unit = "h";
  c.assumptions.push_back(blank);
  return c;
}

} // namespace

class TestCatalog : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_row_of_every_file_is_there() {
    for_each_part_type([]<class P>(std::type_identity<P>) {
      const std::size_t rows = rows_of(part_file<P>());
      QVERIFY2(rows > 0, std::string(part_file<P>()).c_str());
      QCOMPARE(shipped().of<P>().size(), rows);
    });
  }

  void rows_ascend_by_id_and_each_is_found() {
    for_each_part_type([]<class P>(std::type_identity<P>) {
      const auto& list = shipped().of<P>();
      for (std::size_t i = 1; i < list.size(); ++i) QVERIFY2(list[i - 1].id < list[i].id, list[i].id.c_str());
      for (const P& p : list) QCOMPARE(shipped().find<P>(p.id), &p);
      QVERIFY(!shipped().find<P>("no-such-part"));
    });
  }

  void every_row_has_a_name_a_source_and_a_date() {
    for_each_part_type([]<class P>(std::type_identity<P>) {
      for (const P& p : shipped().of<P>()) {
        QVERIFY2(!p.name.empty() && !p.source.empty(), p.id.c_str());
        QVERIFY2(p.as_of.size() >= 4 && p.as_of <= shipped().date, p.id.c_str());
      }
    });
    QCOMPARE(QString::fromStdString(shipped().date).left(2), QString("20"));
  }

  void every_unit_of_a_field_is_a_unit_of_its_kind() {
    for_each_part_type([]<class P>(std::type_identity<P>) {
      for (const auto& f : part_fields<P>()) {
        if (f.type == FieldType::number) QVERIFY2(f.kind, std::string(f.name).c_str());
        if (f.unit.empty()) continue;
        bool found = false;
        for (const DisplayUnit& u : f.kind->display) found = found || u.symbol == f.unit;
        QVERIFY2(found, std::string(f.name).c_str());
      }
    });
  }

  void every_unit_of_an_assumption_that_a_kind_has_reads_back() {
    // A row in hours must be usable as a time, one in USD/kWh as a price of energy.
    Ledger ledger(Page::budget);
    std::size_t times = 0;
    for (const Assumption& a : shipped().assumptions) {
      if (!a.value || (a.unit != "h" && a.unit != "min" && a.unit != "s" && a.unit != "wk" && a.unit != "d" && a.unit != "yr")) continue;
      const auto t = assumption<Time>(ledger, shipped(), a.id);
      // Seconds in the unit: 60, 3600, 86400, 604800; a Julian year has 365.25 days.
      const double seconds = a.unit == "h" ? 3600.0 : a.unit == "min" ? 60.0 : a.unit == "s" ? 1.0 : a.unit == "d" ? 86400.0 : a.unit == "wk" ? 604800.0 : 31557600.0;
      QVERIFY2(t.has_value(), a.id.c_str());
      QVERIFY2(near(base_value(t.value), *a.value * seconds, 1e-12), a.id.c_str());
      ++times;
    }
    QVERIFY(times > 20);
  }

  // Published figures, read from the makers' papers named in each line, not from our files.
  void published_accelerators() {
    const auto& h100 = part<Accelerator>("h100-sxm");
    // NVIDIA H100 data sheet, SXM column: bf16 1,979 TFLOP/s with sparsity, so 989.5 dense; 80 GB; 3.35 TB/s; 700 W.
    QVERIFY(near(in_teraflop_per_second(*h100.bf16_dense), 1979.0 / 2, 1e-3));
    QVERIFY(near(in_teraflop_per_second(*h100.fp8_dense), 3958.0 / 2, 1e-3));
    QCOMPARE(in_gigabytes(*h100.memory), 80.0);
    QCOMPARE(in_gigabytes_per_second(*h100.memory_bandwidth), 3350.0);
    QCOMPARE(in_kilowatts(*h100.power), 0.7);
    // NVLink 4: 900 GB/s both ways together, so 450 one way.
    QCOMPARE(in_gigabytes_per_second(*h100.scale_up_per_direction), 450.0);
    // ConnectX-7, 400 Gb/s = 50 GB/s.
    QCOMPARE(in_gigabytes_per_second(*h100.scale_out_rate), 50.0);
    QVERIFY(!h100.fp4_dense); // Hopper has none: unknown, not zero
    // NVIDIA A100 data sheet (May 2022): 80 GB, 2,039 GB/s, 312 TFLOP/s bf16 without sparsity, 400 W; NVLink 600 GB/s both ways.
    const auto& a100 = part<Accelerator>("a100-80-sxm");
    QCOMPARE(in_gigabytes(*a100.memory), 80.0);
    QCOMPARE(in_gigabytes_per_second(*a100.memory_bandwidth), 2039.0);
    QCOMPARE(in_teraflop_per_second(*a100.bf16_dense), 312.0);
    QCOMPARE(in_gigabytes_per_second(*a100.scale_up_per_direction), 300.0);
    QVERIFY(!a100.fp8_dense);
  }

  void published_nodes_and_racks() {
    // DGX H100/H200 user guide: 10.2 kW at most, 8U, 130.45 kg, 8 GPUs, 356 x 482.3 x 897.1 mm, 5 to 30 C, 1105 CFM at 80 % fan duty.
    const auto& dgx = part<NodePart>("dgx-h100");
    QCOMPARE(in_kilowatts(*dgx.power_maximum), 10.2);
    QCOMPARE(*dgx.rack_units, 8.0);
    QCOMPARE(*dgx.accelerators, Count(8));
    QCOMPARE(QString::fromStdString(dgx.accelerator), QString("h100-sxm"));
    QCOMPARE(base_value(*dgx.mass), 130.45);
    QCOMPARE(base_value(*dgx.height), 0.356);
    QCOMPARE(base_value(*dgx.width), 0.4823);
    QCOMPARE(base_value(*dgx.depth), 0.8971);
    QCOMPARE(base_value(*dgx.inlet_air_maximum), 303.15);
    // 1105 CFM x 1.699 m3/h per CFM = 1877 m3/h = 0.5215 m3/s.
    QVERIFY(near(base_value(*dgx.airflow), 0.5215, 1e-3));
    QVERIFY(!dgx.coolant_flow);
    // DGX A100 data sheet: 6.5 kW, 6U, 8 GPUs.
    const auto& old = part<NodePart>("dgx-a100-640");
    QCOMPARE(in_kilowatts(*old.power_maximum), 6.5);
    QCOMPARE(*old.rack_units, 6.0);
    // GB200 NVL72 as QCT publishes it: 120 kW, 85 % to liquid, 18 compute and 9 switch trays, 130 L/min at most.
    const auto& nvl = part<RackPart>("gb200-nvl72");
    QCOMPARE(in_kilowatts(*nvl.power_nominal), 120.0);
    QCOMPARE(*nvl.liquid_share, 0.85);
    QCOMPARE(*nvl.compute_trays, Count(18));
    QCOMPARE(*nvl.switch_trays, Count(9));
    QVERIFY(near(base_value(*nvl.coolant_flow), 0.130 / 60, 1e-12));
  }

  void published_switches_models_and_fluids() {
    // QM97X0 manual: 32 OSFP cages, 64 ports of NDR 400 Gb/s.
    const auto& qm = part<SwitchPart>("qm9700");
    QCOMPARE(*qm.ports, Count(64));
    QCOMPARE(*qm.cages, Count(32));
    QCOMPARE(base_value(*qm.port_rate), 50e9);
    // Llama 3 model card and paper (arXiv:2407.21783, table 3): 8B has 32 layers, 4096, 32 heads, 8 key-value heads, 14,336; vocabulary 128,256.
    const auto& llama = part<ModelPart>("llama3-8b");
    QCOMPARE(*llama.layers, Count(32));
    QCOMPARE(*llama.hidden, Count(4096));
    QCOMPARE(*llama.kv_heads, Count(8));
    QCOMPARE(*llama.ffn_hidden, Count(14336));
    QCOMPARE(*llama.vocabulary, Count(128256));
    // Water at 20 C (CRC Handbook): 998.2 kg/m3, 4184 J/(kg K), 1.002 mPa s.
    const auto& water = part<FluidPart>("water-20");
    QVERIFY(near(base_value(*water.density), 998.2, 1e-3));
    QVERIFY(near(base_value(*water.specific_heat), 4184.0, 2e-3));
    QVERIFY(near(base_value(*water.viscosity), 1.002e-3, 1e-2));
    QCOMPARE(base_value(*water.temperature), 293.15);
  }

  void summaries_tell_kind_source_and_whose() {
    const auto list = part_summaries(shipped(), "node");
    QCOMPARE(list.size(), shipped().nodes.size());
    const auto dgx = std::find_if(list.begin(), list.end(), [](const PartSummary& s) { return s.id == "dgx-h100"; });
    QVERIFY(dgx != list.end());
    QCOMPARE(dgx->kind, std::string("node"));
    QCOMPARE(dgx->name, std::string("DGX H100"));
    QCOMPARE(dgx->vendor, std::string("NVIDIA"));
    QCOMPARE(dgx->confidence, std::string("datasheet"));
    QVERIFY(dgx->source.find("arXiv:2412.08602") != std::string::npos);
    QVERIFY(!dgx->from_user);
    QVERIFY(part_summaries(shipped(), "spaceship").empty());
    for (std::string_view kind : part_kinds()) QVERIFY2(!part_summaries(shipped(), kind).empty(), std::string(kind).c_str());
  }

  void values_list_every_field_and_leave_blanks_unset() {
    const auto values = part_values(shipped(), "node", "dgx-h100");
    QCOMPARE(values.size(), part_fields<NodePart>().size());
    auto of = [&](std::string_view name) { return *std::find_if(values.begin(), values.end(), [&](const PartFieldValue& v) { return v.field.name == name; }); };
    QCOMPARE(std::get<double>(of("power_max_w").value), 10200.0);
    QCOMPARE(std::get<std::int64_t>(of("nic_compute_count").value), std::int64_t(8));
    QVERIFY(std::holds_alternative<std::monostate>(of("coolant_flow_l_min").value));
    QVERIFY(!of("power_max_w").overridden);
    QVERIFY(part_values(shipped(), "node", "no-such-part").empty());
    QVERIFY(part_values(shipped(), "spaceship", "dgx-h100").empty());
  }

  void an_override_takes_units_and_is_marked() {
    std::vector<std::string> problems;
    const Catalog c = with_overrides(shipped(), {{"node", "dgx-h100", "power_max_w", "9.4 kW"}, {"node", "dgx-h100", "liquid_heat_share_pct", "70 %"},
                                                 {"node", "dgx-h100", "nic_compute_count", "4"}, {"node", "dgx-h100", "price_usd", ""},
                                                 {"node", "dgx-h100", "accelerator", "b200-sxm"}},
                                     problems);
    QCOMPARE(problems.size(), std::size_t(0));
    const NodePart& node = *c.find<NodePart>("dgx-h100");
    QCOMPARE(base_value(*node.power_maximum), 9400.0);
    QCOMPARE(*node.liquid_heat_share, 0.7);
    QCOMPARE(*node.compute_nics, Count(4));
    QVERIFY(!node.price); // emptied: unknown
    QCOMPARE(node.accelerator, std::string("b200-sxm"));
    QCOMPARE(c.overridden.size(), std::size_t(5));
    for (const PartFieldValue& v : part_values(c, "node", "dgx-h100"))
      QCOMPARE(v.overridden, v.field.name == "power_max_w" || v.field.name == "liquid_heat_share_pct" || v.field.name == "nic_compute_count" ||
                                 v.field.name == "price_usd" || v.field.name == "accelerator");
    for (const PartFieldValue& v : part_values(c, "node", "dgx-a100-640")) QVERIFY(!v.overridden);
    // The catalog that it was made from is as it was.
    QCOMPARE(base_value(*part<NodePart>("dgx-h100").power_maximum), 10200.0);
    QVERIFY(shipped().overridden.empty());
  }

  void an_override_that_cannot_be_is_told_and_left_out_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("kind") << "spaceship" << "x" << "y" << "1" << QStringList{"'spaceship' is not a kind of part"};
    QTest::newRow("part") << "node" << "dgx-z9" << "power_max_w" << "1 kW" << QStringList{"the catalog has no node 'dgx-z9'"};
    QTest::newRow("field") << "node" << "dgx-h100" << "warp" << "1" << QStringList{"a node has no field 'warp'"};
    QTest::newRow("identity") << "node" << "dgx-h100" << "id" << "mine" << QStringList{"the id of a part cannot be replaced"};
    QTest::newRow("unit of another kind") << "node" << "dgx-h100" << "power_max_w" << "3 m" << QStringList{"dgx-h100 power_max_w", "3 m"};
    QTest::newRow("negative") << "node" << "dgx-h100" << "power_max_w" << "-1 W" << QStringList{"dgx-h100 power_max_w", "-1 W", "at least 0 W is allowed"};
    QTest::newRow("share above one") << "node" << "dgx-h100" << "liquid_heat_share_pct" << "120 %" << QStringList{"120\u2009%", "0\u2009% to 100\u2009% is allowed"};
    QTest::newRow("half a port") << "node" << "dgx-h100" << "nic_compute_count" << "2.5" << QStringList{"dgx-h100 nic_compute_count", "2.5"};
    QTest::newRow("reference") << "node" << "dgx-h100" << "accelerator" << "h999" << QStringList{"the catalog has no accelerator 'h999'"};
  }
  void an_override_that_cannot_be_is_told_and_left_out() {
    QFETCH(QString, kind);
    QFETCH(QString, id);
    QFETCH(QString, field);
    QFETCH(QString, value);
    QFETCH(QStringList, words);
    std::vector<std::string> problems;
    const Catalog c = with_overrides(shipped(),
                                     {{kind.toStdString(), id.toStdString(), field.toStdString(), value.toStdString()}, {"node", "dgx-h100", "rack_units", "7"}},
                                     problems);
    const QString said = QString::fromStdString(only(problems));
    for (const QString& word : words) QVERIFY2(said.contains(word), qPrintable(said));
    // The good one beside it holds, and is the only one marked.
    QCOMPARE(*c.find<NodePart>("dgx-h100")->rack_units, 7.0);
    QCOMPARE(c.overridden.size(), std::size_t(1));
    QCOMPARE(base_value(*c.find<NodePart>("dgx-h100")->power_maximum), 10200.0);
  }

  void overrides_that_contradict_each_other_are_told_and_left_out() {
    std::vector<std::string> problems;
    const Catalog c = with_overrides(shipped(),
                                     {{"node", "dgx-h100", "power_max_w", "9 kW"}, {"node", "dgx-h100", "rack_units", "7"},
                                      {"node", "dgx-h100", "power_max_w", "9.5 kW"}, {"node", "dgx-h100", "power_max_w", "oops"}},
                                     problems);
    const std::string said = only(problems);
    for (const char* word : {"dgx-h100 power_max_w", "3 times", "'9 kW', '9.5 kW' and 'oops'"}) QVERIFY2(said.find(word) != std::string::npos, said.c_str());
    QCOMPARE(base_value(*c.find<NodePart>("dgx-h100")->power_maximum), 10200.0);
    QCOMPARE(*c.find<NodePart>("dgx-h100")->rack_units, 7.0);
    QCOMPARE(c.overridden.size(), std::size_t(1));
  }

  void a_changed_catalog_shares_the_lists_that_it_does_not_change() {
    std::vector<std::string> problems;
    const Catalog c = with_overrides(shipped(), {{"node", "dgx-h100", "power_max_w", "9.4 kW"}}, problems);
    QVERIFY(!c.nodes.shares_with(shipped().nodes));
    QVERIFY(c.racks.shares_with(shipped().racks) && c.assumptions.shares_with(shipped().assumptions) && c.models.shares_with(shipped().models));
    // A copy that is changed takes its own list first; the other keeps its.
    Catalog copy = c;
    QVERIFY(copy.nodes.shares_with(c.nodes));
    copy.nodes.front().name = "Renamed";
    QVERIFY(!copy.nodes.shares_with(c.nodes) && std::as_const(c).nodes.front().name != "Renamed");
    copy.nodes.clear();
    QVERIFY(copy.nodes.empty() && c.nodes.size() == shipped().nodes.size());
  }

  void the_user_catalog_lies_where_the_xdg_rules_say() {
    QCOMPARE(user_catalog_folder("/data", "/home/a"), std::string("/data/hallwright/hallwright/catalog"));
    QCOMPARE(user_catalog_folder("", "/home/a"), std::string("/home/a/.local/share/hallwright/hallwright/catalog"));
    QCOMPARE(user_catalog_folder("relative", "/home/a"), std::string("/home/a/.local/share/hallwright/hallwright/catalog"));
    QCOMPARE(user_catalog_folder(nullptr, nullptr), std::string());
  }

  void an_override_of_an_assumption_is_in_the_unit_of_its_row_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("expected");
    QTest::newRow("a bare number is in hours") << "repair.time" << "6" << 6.0;
    QTest::newRow("hours") << "repair.time" << "6 h" << 6.0;
    QTest::newRow("minutes") << "repair.time" << "90 min" << 1.5;
    QTest::newRow("a bare share") << "bare.share" << "0.9" << 0.9;
    QTest::newRow("kelvin") << "rise.coolant" << "12 K" << 12.0;
    QTest::newRow("a temperature") << "supply.warm" << "40 C" << 40.0;
    QTest::newRow("another scale") << "supply.warm" << "104 degF" << 40.0; // (104 - 32) x 5/9
    QTest::newRow("a unit without a kind") << "loss.splice" << "0.3" << 0.3;
  }
  void an_override_of_an_assumption_is_in_the_unit_of_its_row() {
    QFETCH(QString, id);
    QFETCH(QString, text);
    QFETCH(double, expected);
    std::vector<std::string> problems;
    const Catalog c = with_overrides(small(), {{"assumption", id.toStdString(), "value", text.toStdString()}}, problems);
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
    QCOMPARE(*c.find<Assumption>(id.toStdString())->value, expected);
  }

  void an_override_of_an_assumption_in_another_kind_is_refused() {
    std::vector<std::string> problems;
    const Catalog c = with_overrides(small(), {{"assumption", "repair.time", "value", "5 kg"}, {"assumption", "loss.splice", "value", "3 m"}}, problems);
    QCOMPARE(problems.size(), std::size_t(2));
    QVERIFY2(problems[0].find("'5 kg' does not fit; the row is in h") != std::string::npos, problems[0].c_str());
    QVERIFY2(problems[1].find("'3 m' does not fit; the row is in dB") != std::string::npos, problems[1].c_str());
    QCOMPARE(*c.find<Assumption>("repair.time")->value, 4.0);
    QVERIFY(c.overridden.empty());
  }

  void a_user_catalog_replaces_rows_and_adds_rows() {
    Catalog user;
    NodePart changed, added;
    changed.id = "dgx-h100";
    changed.name = "Our DGX";
    changed.rack_units = 9.0;
    added.id = "aa-own";
    added.name = "Own build";
    user.nodes = {added, changed};
    user.date = "2031";
    const Catalog both = layered(shipped(), user);
    QCOMPARE(both.nodes.size(), shipped().nodes.size() + 1);
    QCOMPARE(both.nodes.front().id, std::string("aa-own"));
    QCOMPARE(both.date, std::string("2031"));
    const NodePart& ours = *both.find<NodePart>("dgx-h100");
    QCOMPARE(*ours.rack_units, 9.0);
    QVERIFY(!ours.power_maximum); // the whole row is replaced, not only what the user filled
    QCOMPARE(both.user_parts.size(), std::size_t(2));
    for (const PartSummary& s : part_summaries(both, "node")) QCOMPARE(s.from_user, s.id == "aa-own" || s.id == "dgx-h100");
    for (std::size_t i = 1; i < both.nodes.size(); ++i) QVERIFY(both.nodes[i - 1].id < both.nodes[i].id);
    QCOMPARE(both.accelerators.size(), shipped().accelerators.size());
    // Laying an empty catalog changes nothing.
    QCOMPARE(layered(shipped(), Catalog{}).nodes.size(), shipped().nodes.size());
    QVERIFY(layered(shipped(), Catalog{}).user_parts.empty());
  }

  void a_part_value_is_a_leaf_with_label_and_source() {
    Ledger ledger(Page::load);
    const NodePart& dgx = part<NodePart>("dgx-h100");
    const auto power = part_value<&NodePart::power_maximum>(ledger, shipped(), dgx);
    const auto flow = part_value<&NodePart::coolant_flow>(ledger, shipped(), dgx);
    const auto again = part_value<&NodePart::power_maximum>(ledger, shipped(), dgx);
    QCOMPARE(base_value(power.value), 10200.0);
    QVERIFY(power.has_value());
    QVERIFY(!flow.has_value());
    QCOMPARE(*flow.reason, std::string("the catalog has no coolant_flow_l_min for dgx-h100"));
    QVERIFY(power.figure == again.figure);
    const SharedPage page = ledger.finish_page();
    const Figure* f = page->find("catalog.node.dgx-h100.power_max_w");
    QVERIFY(f);
    QCOMPARE(f->label, std::string("DGX H100: Power, nameplate maximum"));
    QCOMPARE(f->table, std::string("node"));
    QCOMPARE(f->part, std::string("dgx-h100"));
    QCOMPARE(f->field, std::string("power_max_w"));
    QCOMPARE(f->source, dgx.source + " (2024)");
    QVERIFY(f->origin == Origin::catalog);
    QVERIFY(!f->overridden);
    const Figure* blank = page->find("catalog.node.dgx-h100.coolant_flow_l_min");
    QVERIFY(blank && blank->completeness == Completeness::unknown);
  }

  void each_number_of_a_part_is_found_under_its_own_name() {
    // Two members of one type must not answer for each other.
    Ledger ledger(Page::load);
    const NodePart& dgx = part<NodePart>("dgx-h100");
    part_value<&NodePart::height>(ledger, shipped(), dgx);
    part_value<&NodePart::width>(ledger, shipped(), dgx);
    part_value<&NodePart::storage_nics>(ledger, shipped(), dgx);
    const SharedPage page = ledger.finish_page();
    QCOMPARE(page->figures.size(), std::size_t(3));
    QCOMPARE(page->find("catalog.node.dgx-h100.height_mm")->value, 0.356);
    QCOMPARE(page->find("catalog.node.dgx-h100.width_mm")->value, 0.4823);
    QCOMPARE(page->find("catalog.node.dgx-h100.nic_storage_count")->value, 2.0);
  }

  void an_overridden_part_value_says_so() {
    std::vector<std::string> problems;
    const Catalog c = with_overrides(shipped(), {{"node", "dgx-h100", "power_max_w", "9 kW"}}, problems);
    Ledger ledger(Page::load);
    part_value<&NodePart::power_maximum>(ledger, c, *c.find<NodePart>("dgx-h100"));
    part_value<&NodePart::rack_units>(ledger, c, *c.find<NodePart>("dgx-h100"));
    const SharedPage page = ledger.finish_page();
    const Figure* power = page->find("catalog.node.dgx-h100.power_max_w");
    QCOMPARE(power->value, 9000.0);
    QVERIFY(power->overridden);
    QVERIFY(power->source.starts_with("replaced in this design; catalog: public transcription"));
    QVERIFY(!page->find("catalog.node.dgx-h100.rack_units")->overridden);
  }

  void an_assumption_is_a_leaf_in_base_units() {
    Ledger ledger(Page::reliability);
    const auto t = assumption<Time>(ledger, small(), "repair.time");
    const auto supply = assumption<Temperature>(ledger, small(), "supply.warm");
    QCOMPARE(base_value(t.value), 14400.0);      // 4 h
    QCOMPARE(base_value(supply.value), 318.15);  // 45 C
    const SharedPage page = ledger.finish_page();
    const Figure* f = page->find("catalog.assumption.repair.time.value");
    QVERIFY(f);
    QCOMPARE(f->label, std::string("Name of repair.time"));
    QCOMPARE(f->source, std::string("a survey (2025)"));
  }

  void an_assumption_that_is_no_use_is_unknown_with_the_reason() {
    Ledger ledger(Page::reliability);
    const auto absent = assumption<Time>(ledger, small(), "no.such");
    const auto blank = assumption<Time>(ledger, small(), "zz.blank");
    const auto misfit = assumption<Power>(ledger, small(), "repair.time");
    QVERIFY(!absent.has_value() && !blank.has_value() && !misfit.has_value());
    QCOMPARE(*absent.reason, std::string("the catalog has no value for no.such"));
    QCOMPARE(*blank.reason, std::string("the catalog has no value for zz.blank"));
    QVERIFY2(misfit.reason->starts_with("assumption repair.time does not fit: "), misfit.reason->c_str());
    QVERIFY2(misfit.reason->find("4 h") != std::string::npos, misfit.reason->c_str());
    const SharedPage page = ledger.finish_page();
    QCOMPARE(page->find("catalog.assumption.repair.time.value")->reason, *misfit.reason);
    QVERIFY(page->find("catalog.assumption.repair.time.value")->completeness == Completeness::unknown);
    QCOMPARE(page->find("catalog.assumption.no.such.value")->source, std::string("missing from the catalog"));
  }

  void an_overridden_assumption_says_so() {
    std::vector<std::string> problems;
    const Catalog c = with_overrides(small(), {{"assumption", "repair.time", "value", "30 min"}}, problems);
    Ledger ledger(Page::reliability);
    const auto t = assumption<Time>(ledger, c, "repair.time");
    QCOMPARE(base_value(t.value), 1800.0);
    const SharedPage page = ledger.finish_page();
    QVERIFY(page->find("catalog.assumption.repair.time.value")->overridden);
    QCOMPARE(page->find("catalog.assumption.repair.time.value")->source, std::string("replaced in this design; catalog: a survey"));
  }
};

QTEST_APPLESS_MAIN(TestCatalog)
#include "test_catalog.moc"
