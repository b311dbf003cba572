// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/formula_list.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <QtTest/QTest>

#include "budget/formulas.h"
#include "cooling/formulas.h"
#include "fabric/formulas.h"
#include "load/formulas.h"
#include "power/formulas.h"
#include "quantity/text.h"
#include "reliability/formulas.h"
#include "space/formulas.h"
#include "storage/formulas.h"
#include "training/formulas.h"

using namespace hallwright;

namespace {

using Row = std::map<std::string, std::string>;
using Arguments = std::vector<std::pair<std::string, std::string>>;

/// Rows of a table of text with a header line; fields may be quoted, a quote inside is doubled.
std::vector<Row> rows_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream whole;
  whole << in.rdbuf();
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  bool quoted = false;
  const std::string text = whole.str();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        lines.back().back() += '"';
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        lines.back().back() += c;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      lines.back().emplace_back();
    } else if (c == '\n') {
      lines.emplace_back(1);
    } else if (c != '\r') {
      lines.back().back() += c;
    }
  }
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != lines[0].size()) continue;
    Row row;
    for (std::size_t k = 0; k < lines[0].size(); ++k)
      row[lines[0][k]] = lines[i][k];
    rows.push_back(row);
  }
  return rows;
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.front() == ' ')
    text.erase(text.begin());
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

std::vector<std::string> parts(const std::string& text, char mark) {
  std::vector<std::string> out;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, mark);)
    out.push_back(trimmed(part));
  return out;
}

const std::string data_folder = HALLWRIGHT_SOURCE_DIR "/tests/data/formulas/";

/// Dimensions written out by hand for the units of the table.
const std::map<std::string, Exponents> exponents_of_unit{
    {"1", {}},
    {"count", {}},
    {"B", {.byte = 1}},
    {"bit", {.byte = 1}},
    {"B/s", {.second = -1, .byte = 1}},
    {"bit/s", {.second = -1, .byte = 1}},
    {"FLOP", {.flop = 1}},
    {"FLOP/s", {.second = -1, .flop = 1}},
    {"s", {.second = 1}},
    {"1/s", {.second = -1}},
    {"W", {.meter = 2, .kilogram = 1, .second = -3}},
    {"K", {.kelvin = 1}},
    {"kg", {.kilogram = 1}},
    {"kg/m3", {.meter = -3, .kilogram = 1}},
    {"m3", {.meter = 3}},
    {"m3/s", {.meter = 3, .second = -1}},
    {"J/(kg*K)", {.meter = 2, .second = -2, .kelvin = -1}},
    {"USD", {.dollar = 1}},
    {"USD/h", {.second = -1, .dollar = 1}},
    {"USD/B", {.byte = -1, .dollar = 1}},
    {"1/USD", {.dollar = -1}},
};

bool near(double value, double expected, double relative) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}

QByteArray words(const std::string& text) { return QByteArray::fromStdString(text); }

} // namespace

class TestFormulaList : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void names_are_unique_and_documented();
  void the_table_of_formulas_is_covered();
  void worked_example_data();
  void worked_example();
  void further_formula_data();
  void further_formula();
  void zeros_and_negatives_give_a_number_or_a_reason_data();
  void zeros_and_negatives_give_a_number_or_a_reason();
  void a_wrong_request_is_answered_in_one_sentence_data();
  void a_wrong_request_is_answered_in_one_sentence();
  void typed_formulas_are_usable_alone();
  void limits_of_the_statistics();
  void monotone_formulas_never_fall();
};

void TestFormulaList::names_are_unique_and_documented() {
  std::set<std::string_view> names;
  for (const auto& f : all_formulas()) {
    QVERIFY2(names.insert(f.name).second, words(std::string(f.name) + " is listed twice"));
    QVERIFY2(!f.text.empty() && !f.source.empty(), f.name.data());
    QVERIFY2(f.source.find(".csv") == std::string_view::npos, f.name.data());
    QVERIFY2(f.result_kind != nullptr && f.evaluate != nullptr, f.name.data());
    std::set<std::string_view> parameters;
    for (const auto& p : f.parameters)
      QVERIFY2(parameters.insert(p.name).second && p.kind, f.name.data());
    QCOMPARE(find_formula(f.name), &f);
  }
  QCOMPARE(find_formula("no_such_formula"), nullptr);
}

void TestFormulaList::the_table_of_formulas_is_covered() {
  const auto rows = rows_of(data_folder + "formulas.csv");
  QCOMPARE(rows.size(), std::size_t{160});
  for (const auto& row : rows) {
    const std::string& name = row.at("formula");
    const AnyFormula* f = find_formula(name);
    QVERIFY2(f, words(name + " is missing"));
    const auto parameters = parts(row.at("parameters"), ';');
    QVERIFY2(f->parameters.size() == parameters.size(), words(name));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto colon = parameters[i].find(':');
      std::string unit = parameters[i].substr(colon + 1);
      const bool list = unit.rfind("list of ", 0) == 0;
      if (list) unit = unit.substr(8);
      const Parameter& p = f->parameters[i];
      QVERIFY2(p.name == parameters[i].substr(0, colon), words(name + ": " + parameters[i]));
      QVERIFY2(p.list == list, words(name + ": " + parameters[i]));
      QVERIFY2(p.kind->exponents == exponents_of_unit.at(unit), words(name + ": " + parameters[i]));
      QVERIFY2((p.kind->scale == Scale::count) == (unit == "count"), words(name + ": " + parameters[i]));
    }
    const std::string& unit = row.at("result_unit");
    QVERIFY2(f->result_kind->exponents == exponents_of_unit.at(unit), words(name));
    QVERIFY2((f->result_kind->scale == Scale::count) == (unit == "count"), words(name));
    if (unit == "bit/s") QCOMPARE(f->result_kind, &kind::network_rate);
  }
}

void TestFormulaList::worked_example_data() {
  QTest::addColumn<QString>("formula");
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<QString>("expected");
  QTest::addColumn<double>("tolerance");
  const auto rows = rows_of(data_folder + "worked_examples.csv");
  QCOMPARE(rows.size(), std::size_t{196});
  for (const auto& row : rows) {
    const std::string& unit = row.at("unit");
    QTest::newRow(row.at("id").c_str()) << QString::fromStdString(row.at("formula"))
                                        << QString::fromStdString(row.at("arguments"))
                                        << QString::fromStdString(row.at("expected") + (unit == "1" ? "" : " " + unit))
                                        << std::stod(row.at("rel_tolerance"));
  }
}

void TestFormulaList::worked_example() {
  QFETCH(QString, formula);
  QFETCH(QString, arguments);
  QFETCH(QString, expected);
  QFETCH(double, tolerance);
  Arguments pairs;
  for (const auto& part : parts(arguments.toStdString(), ';')) {
    const auto equals = part.find('=');
    pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  const auto answer = calculate(formula.toStdString(), pairs);
  QVERIFY2(answer, answer ? "" : words(answer.error()));
  const auto value = parse_quantity(expected.toStdString(), *answer->kind);
  QVERIFY2(value, value ? "" : words(value.error()));
  QVERIFY2(near(answer->value, *value, std::max(tolerance, 1e-12)),
           qPrintable(QString("%1 against %2").arg(answer->value, 0, 'g', 12).arg(*value, 0, 'g', 12)));
}

void TestFormulaList::further_formula_data() {
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<double>("expected"); // base unit, worked by hand
  QTest::addColumn<double>("tolerance");
  const auto row = [](const char* name, const char* arguments, double expected, double tolerance = 1e-9) {
    QTest::newRow(name) << arguments << expected << tolerance;
  };
  // space: 1,360 kg on 0.6 x 1.2 m = 0.72 m2 is 1,888.9 kg/m2; with 1.3 m of aisle 1360 / (0.6 * 2.5) = 906.67
  row("floor_area", "width=600mm; depth=1.2m", 0.72);
  row("floor_uniform_load", "mass=1360kg; width=600mm; depth=1200mm; aisle_share=0m", 1888.8888889);
  row("floor_uniform_load", "mass=1360kg; width=600mm; depth=1200mm; aisle_share=1.3m", 906.66666667);
  row("caster_point_load", "mass=1360kg; feet=4; tilt_factor=1.25", 425.0); // 340 * 1.25
  row("floor_load_share", "load=610.5kg/m2; limit=1221kg/m2", 0.5);
  row("point_load_share", "load=340kg; limit=680kg", 0.5);
  // fabric: H100 reference design of 3 units: 24 leafs of 32 uplinks, radix 64: 768 / 64 = 12, built as 16 spines
  row("leaf_count", "endpoints=1000; down_ports=32", 32); // 31.25 up
  row("uplink_count", "leafs=24; uplinks_per_leaf=32", 768);
  row("uplinks_per_leaf", "down_ports=48; oversubscription_target=1.5", 32);
  row("spine_count_uneven", "leafs=24; uplinks_per_leaf=32; radix=64", 12);
  row("spine_count_equal_bundles", "leafs=24; uplinks_per_leaf=32; radix=64", 16);
  row("spine_count_equal_bundles", "leafs=32; uplinks_per_leaf=72; radix=144", 18); // B300: 2304 / 144 = 16, then 18
  row("spine_count_equal_bundles", "leafs=32; uplinks_per_leaf=18; radix=64", 9);   // GB200: 576 / 64 = 9 divides 18
  row("spine_count_uneven", "leafs=105; uplinks_per_leaf=48; radix=144", 35);       // 5040 / 144
  row("links_per_leaf_spine_pair", "uplinks_per_leaf=18; spines=9", 2);
  row("oversubscription", "down=19.2Tb/s; up=6.4Tb/s", 3.0);
  row("dragonfly_endpoint_limit", "endpoints_per_router=2; routers_per_group=4; global_ports_per_router=2",
      72); // 4*2*9
  row("routed_cable_length", "tray_path=20m; first_drop=1.5m; second_drop=2m; dress_each_end=0.5m; slack_share=0.1",
      26.95); // 24.5 * 1.1
  row("ordered_cable_length", "routed_length=26.95m; stock_lengths=50m, 20m, 30m", 30.0);
  row("ordered_cable_length", "routed_length=30m; stock_lengths=30m", 30.0);
  // two panels and 100 m of single mode: 4 * 0.35 + 0.1 * 0.4 = 1.44 dB
  row("optical_channel_loss", "joints=4; loss_per_joint=0.35; fiber_length=100m; loss_per_kilometer=0.4", 1.44);
  // 1,697 fibers of 3 mm in 300 x 100 mm: 1697 * 7.0685835 mm2 / 30000 mm2 = 0.39985
  row("tray_fill_share", "cables=1697; cable_diameter=3mm; tray_width=300mm; tray_height=100mm", 0.399846, 1e-5);
  // load: 1 kW at 11.9 K: 1000 / (1.18 * 1006 * 11.9) = 0.070790 m3/s
  row("parts_power", "count=8; power_each=700W", 5600.0);
  row("heat_to_liquid", "power=135kW; liquid_share=0.9", 121500.0);
  row("heat_to_air", "power=135kW; liquid_share=0.9", 13500.0);
  row("airflow", "heat=1kW; rise=11.9K", 0.0707900, 1e-5);
  row("air_temperature_rise", "heat=1kW; flow=0.07079m3/s", 11.9, 1e-4);
  // 100 kW at 415 V, factor 0.95: 100000 / (1.7320508 * 415 * 0.95) = 146.444 A
  row("three_phase_line_current", "power=100kW; line_voltage=415V; power_factor=0.95", 146.444, 1e-5);
  row("single_phase_current", "power=4.6kW; voltage=230V; power_factor=1", 20.0);
  row("line_current_of_two_phase_loads", "first=10A; second=10A", 17.320508, 1e-7);
  row("line_current_of_two_phase_loads", "first=3A; second=5A", 7.0); // sqrt(9 + 25 + 15)
  row("continuous_current_limit", "rating=60A; continuous_factor=0.8", 48.0);
  row("power_density", "power=132kW; area=0.72m2", 183333.33333, 1e-9);
  // cooling: 1 kW, water 992.2 kg/m3 and 4179 J/(kg K) at 10 K is 1.447 L/min; at that flow the rise is 10 K
  row("cdu_count_by_flow", "flow=3000L/min; unit_flow=1250L/min; redundant_units=1", 4);
  row("coolant_temperature_rise", "heat=1kW; flow=1.447L/min; density=992.2kg/m3; specific_heat=4179J/(kg*K)", 10.0,
      1e-3);
  // published rack table: 121.5 kW into water at 40 degC and 119 L/min returns near 54.8 degC = 327.95 K
  row("coolant_return_temperature",
      "supply=40degC; heat=121.5kW; flow=119L/min; density=992.2kg/m3; specific_heat=4179J/(kg*K)", 327.95, 2e-4);
  row("flow_for_return_temperature",
      "heat=121.5kW; supply=40degC; return_limit=54.8degC; density=992.2kg/m3; specific_heat=4179J/(kg*K)",
      119.0 / 60000, 3e-3);
  row("supply_temperature_from_outdoor", "outdoor=35degC; rejection_approach=6K; exchanger_approach=4K", 318.15);
  row("scaled_pressure_drop", "reference_drop=126.9kPa; flow=88.5L/min; reference_flow=177L/min; exponent=2", 31725.0);
  row("pump_electrical_power", "flow=600L/min; pressure_rise=200kPa; efficiency=0.5", 4000.0); // 0.01 * 200000 / 0.5
  // 1 MW for 7.5 min at 10 K: 4.5e8 J / (1020 * 3900 * 10) = 11.312 m3
  row("buffer_volume_for_gap", "heat=1MW; gap=7.5min; density=1020kg/m3; specific_heat=3900J/(kg*K); allowed_rise=10K",
      11.31222, 1e-6);
  // power
  row("power_usage_effectiveness", "facility_power=12.5MW; it_power=10MW", 1.25);
  row("chain_input_power", "output_power=970kW; efficiency=0.97", 1e6);
  row("chain_loss", "output_power=970kW; efficiency=0.97", 30000.0, 1e-8);
  row("headroom_share", "load=75.5kW; rating=100kW", 0.245);
  row("headroom_share", "load=151kW; rating=100kW", -0.51);
  row("load_share", "load=75.5kW; rating=100kW", 0.755);
  row("feed_load_after_loss", "load=300kW; feeds=3; lost_feeds=1", 150000.0);
  row("transformer_loss", "no_load_loss=2kW; load_loss_at_rating=20kW; load_fraction=0.5", 7000.0);
  row("direct_current", "power=120kW; voltage=48V", 2500.0);
  row("energy_drawn", "mean_power=1MW; duration=1d", 8.64e10);
  row("storage_ride_through", "usable_energy=100kWh; load=1MW", 360.0);
  // training: Llama 3 8B: h 4096, 32 heads, 8 kv heads of 128, f 14336, 32 layers, vocabulary 128256, 8.03 G parameters
  row("attention_parameters_per_layer", "hidden_size=4096; attention_heads=32; kv_heads=8; head_dimension=128",
      41943040);
  row("feed_forward_parameters_per_layer", "hidden_size=4096; feed_forward_size=14336; matrices=3", 176160768);
  row("norm_parameters_per_layer", "hidden_size=4096", 8192);
  row("embedding_parameters", "vocabulary_size=128256; hidden_size=4096; tied=0", 1050673152);
  row("embedding_parameters", "vocabulary_size=128256; hidden_size=4096; tied=1", 525336576);
  // the published count of the model file is 8,030,261,248
  row("layered_model_parameters",
      "layers=32; attention_parameters=41943040; feed_forward_parameters=176160768; norm_parameters=8192; "
      "embedding_weights=1050673152; hidden_size=4096",
      8030261248.0);
  // Mixtral 8x7B: 8 experts of 14336, no shared ones: 3*4096*14336*8 + 4096*8; one token passes 2 of them
  row("expert_parameters_per_layer", "hidden_size=4096; expert_size=14336; matrices=3; experts=8; shared_experts=0",
      1409318912.0);
  row("active_expert_parameters_per_layer",
      "hidden_size=4096; expert_size=14336; matrices=3; experts_per_token=2; shared_experts=0; experts=8", 352354304.0);
  // 4 * 8192^2 * 32 * 128 / 2 = 5.497558e11
  row("attention_score_flops_per_layer",
      "sequence_length=8192; micro_batch_size=1; attention_heads=32; head_dimension=128; score_share=0.5",
      549755813888.0);
  row("matrix_flops_forward", "parameters=1000000; tokens=1000", 2e9);
  row("tokens_per_step", "sequences_per_step=2048; sequence_length=8192", 16777216);
  row("micro_batches_per_step", "sequences_per_step=2048; data_parallel=128; micro_batch_size=1", 16);
  row("data_parallel_size", "gpus=16384; tensor_parallel=8; pipeline_parallel=16; context_parallel=1", 128);
  row("step_count", "tokens=1000; tokens_in_step=300", 4);
  row("training_time_from_step", "tokens=1000; tokens_in_step=300; step_time=2s", 8.0);
  row("step_time_sum",
      "compute_time=6s; exposed_communication_time=1s; bubble_time=0.5s; loader_time=0.25s; optimizer_time=0.25s", 8.0);
  row("achieved_flops_per_gpu", "step_flops=8e18FLOP; gpus=1000; step_time=20s", 4e14);
  row("exposed_time", "communication_time=3s; hiding_time=4s; overlap_share=0.5", 1.0);
  row("exposed_time", "communication_time=1s; hiding_time=4s; overlap_share=0.5", 0.0);
  // 2 * 10 * 5 us + 2 * 1 GB / 50 GB/s = 0.0001 + 0.04
  row("tree_all_reduce_time", "buffer=1GB; ranks=1024; bandwidth=50GB/s; step_latency=5us", 0.0401);
  row("all_gather_time", "buffer=8GB; ranks=8; bandwidth=100GB/s; step_latency=0us", 0.07); // 7/8 * 8 / 100
  row("all_to_all_time", "bytes_per_rank=8GB; ranks=8; bandwidth=100GB/s; step_latency=10us", 0.07007);
  row("hierarchical_all_reduce_bytes_per_nic", "payload=16GB; nodes=4; gpus_per_node=8", 3e9); // 2 * 3/4 * 16 / 8
  // storage
  row("burst_bandwidth_ratio", "needed_bandwidth=108GB/s; available_bandwidth=54GB/s", 2.0);
  row("checkpoint_stall_share", "stall=60s; checkpoint_interval=19min", 0.05); // 60 / 1200
  row("capacity_with_fill_limit", "data=61.6TB; fill_limit=0.8", 77e12);
  row("narrowest_bandwidth", "stage_bandwidths=100GB/s, 25GB/s, 54GB/s", 25e9);
  // reliability: 2048 nodes at 6.5 per 1000 node-days: 13.312 a day
  row("node_failure_rate", "nodes=2048; failures_per_1000_node_days=6.5", 13.312 / 86400);
  row("part_failure_rate", "units=36525; annual_failure_rate=0.01", 1.0 / 86400); // 365.25 a year is one a day
  row("mean_time_between_failures_of_rate", "failure_rate=2/d", 43200.0);
  // a 1,024-GPU job measured at 7.9 h where the parts alone give 28.8 h: user term 0.0919 per hour
  row("series_mean_time_between_failures", "mean_time_between_failures=28.8h; user_failure_rate=0.09186/h", 7.9 * 3600,
      1e-4);
  row("goodput_product", "checkpoint_goodput=0.9; straggler_efficiency=0.95; availability_share=0.98", 0.8379);
  row("steady_state_availability", "mean_time_between_failures=99h; repair_time=1h", 0.99);
  row("wall_time_from_compute_time", "compute_time=45d; goodput=0.9", 50.0 * 86400);
  // budget: annuity of 8 % over 5 years is 0.2504565 (published annuity tables: 0.25046)
  row("capital_recovery_factor", "interest_rate=0.08; years=5", 0.25046, 2e-5);
  row("capital_recovery_factor", "interest_rate=0; years=5", 0.2);
  row("annual_capital_cost", "capital_cost=1000000USD; recovery_factor=0.25", 250000.0);
  row("annual_energy_cost", "mean_power=1MW; energy_price=0.08USD/kWh", 700800.0); // 8760 MWh at 80 USD
  row("cost_per_gpu_hour", "annual_cost=8760000USD; gpus=1000; availability_share=0.8; goodput=0.5", 2.5 / 3600);
  row("cost_per_token", "gpu_hour_cost=3.6USD/h; token_rate_per_gpu=1000/s", 1e-6);
  row("line_cost", "quantity=12; unit_price=250USD", 3000.0);
  row("capital_cost_per_power", "capital_cost=11600000USD; it_power=1MW", 11.6);
}

void TestFormulaList::further_formula() {
  QFETCH(QString, arguments);
  QFETCH(double, expected);
  QFETCH(double, tolerance);
  Arguments pairs;
  for (const auto& part : parts(arguments.toStdString(), ';')) {
    const auto equals = part.find('=');
    pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  const auto answer = calculate(QTest::currentDataTag(), pairs);
  QVERIFY2(answer, answer ? "" : words(answer.error()));
  QVERIFY2(near(answer->value, expected, tolerance),
           qPrintable(QString("%1 against %2").arg(answer->value, 0, 'g', 12).arg(expected, 0, 'g', 12)));
}

void TestFormulaList::zeros_and_negatives_give_a_number_or_a_reason_data() {
  QTest::addColumn<int>("index");
  int index = 0;
  for (const auto& f : all_formulas())
    QTest::newRow(f.name.data()) << index++;
}

void TestFormulaList::zeros_and_negatives_give_a_number_or_a_reason() {
  QFETCH(int, index);
  const AnyFormula& f = all_formulas()[static_cast<std::size_t>(index)];
  const auto check = [&](const std::vector<std::vector<double>>& values) {
    const auto result = f.evaluate(values);
    if (result) {
      QVERIFY(std::isfinite(*result));
    } else {
      // The reason is the formula's own; the catch-all behind every formula would mean that a range is missing here.
      const std::string& reason = result.error().reason;
      QVERIFY2(reason.size() > 20 && reason.find("not a finite number") == std::string::npos, words(reason));
    }
  };
  const std::size_t n = f.parameters.size();
  for (double everywhere : {0.0, -1.0, 1.0, 0.5, 2.0, 1e6, -1e6}) {
    std::vector<std::vector<double>> values;
    for (const auto& p : f.parameters)
      values.push_back({p.kind->scale == Scale::count ? std::round(everywhere) : everywhere});
    check(values);
  }
  for (double others : {0.0, 1.0, 2.0, 1000.0})
    for (std::size_t i = 0; i < n; ++i)
      for (double odd : {0.0, -1.0, 1.0, 2.0, 1e9, -1e9}) {
        std::vector<std::vector<double>> values(n, {others});
        values[i] = {odd};
        check(values);
      }
  for (std::size_t i = 0; i < n; ++i)
    if (f.parameters[i].list) {
      std::vector<std::vector<double>> values(n, {1.0});
      values[i] = {};
      const auto result = f.evaluate(values);
      QVERIFY(!result);
      QVERIFY2(result.error().reason.find("empty") != std::string::npos, words(result.error().reason));
    }
}

void TestFormulaList::a_wrong_request_is_answered_in_one_sentence_data() {
  QTest::addColumn<QString>("formula");
  QTest::addColumn<QString>("arguments");
  QTest::addColumn<QStringList>("said");
  const auto row = [](const char* name, const char* formula, const char* arguments, const QStringList& said) {
    QTest::newRow(name) << formula << arguments << said;
  };
  row("a misspelt formula", "training_flop", "", {"training_flop", "nearest", "training_flops"});
  row("a formula by some of its words", "coolant_flow", "", {"coolant_flow", "nearest", "coolant_volume_flow"});
  row("a parameter is missing", "transfer_time", "data=1TB", {"transfer_time", "bandwidth", "data rate"});
  row("all parameters are missing", "transfer_time", "", {"data", "bandwidth"});
  row("an unknown parameter", "transfer_time", "data=1TB; speed=1GB/s", {"speed", "data", "bandwidth"});
  row("a parameter twice", "transfer_time", "data=1TB; data=2TB; bandwidth=1GB/s", {"data", "twice", "1TB", "2TB"});
  row("a wrong kind", "transfer_time", "data=1kW; bandwidth=1GB/s", {"data", "1kW"});
  row("a bare number for a quantity", "transfer_time", "data=1000; bandwidth=1GB/s", {"data", "1000"});
  row("a broken count", "training_flops", "parameters=1.5; tokens=1", {"parameters", "whole", "1.5"});
  row("a division by zero", "transfer_time", "data=1TB; bandwidth=0GB/s",
      {"transfer_time is not applicable", "bandwidth must be above 0; it is 0 B/s"});
  row("a share beyond one", "error_budget", "objective=1.5; window=1h",
      {"objective must be between 0 and 1; it is 1.5"});
  row("one sender fills no buffer", "incast_buffer_fill_time", "senders=1; line_rate=400Gb/s; buffer=64MB",
      {"senders must be at least 2; it is 1"});
  row("a list with a hole", "fleet_median_floor", "measured_bandwidths=370GB/s,,372GB/s; deviation_multiplier=4",
      {"measured_bandwidths", "comma"});
  row("a list without end", "fleet_median_floor", "measured_bandwidths=370GB/s,; deviation_multiplier=4",
      {"measured_bandwidths", "comma"});
  row("an empty list", "fleet_median_floor", "measured_bandwidths=; deviation_multiplier=4",
      {"measured_bandwidths", "at least one"});
  row("a wrong kind in a list", "fleet_median_floor", "measured_bandwidths=370GB/s,372W; deviation_multiplier=4",
      {"measured_bandwidths", "372W"});
  row("longer than any stock", "ordered_cable_length", "routed_length=60m; stock_lengths=50m,30m", {"50 m", "60 m"});
  row("leafs beyond the radix", "spine_count_equal_bundles", "leafs=65; uplinks_per_leaf=32; radix=64",
      {"radix", "65", "64"});
  row("an uneven batch", "micro_batches_per_step", "sequences_per_step=100; data_parallel=16; micro_batch_size=1",
      {"multiple", "16", "100"});
  row("facility below IT", "power_usage_effectiveness", "facility_power=9MW; it_power=10MW",
      {"facility_power", "it_power"});
  row("a user that needs nothing", "dominant_resource_fair_tasks_first_user",
      "first_resource_capacity=9; second_resource_capacity=18; first_user_first_resource=0; "
      "first_user_second_resource=0; "
      "second_user_first_resource=3; second_user_second_resource=1",
      {"each user must need"});
}

void TestFormulaList::a_wrong_request_is_answered_in_one_sentence() {
  QFETCH(QString, formula);
  QFETCH(QString, arguments);
  QFETCH(QStringList, said);
  Arguments pairs;
  for (const auto& part : parts(arguments.toStdString(), ';')) {
    const auto equals = part.find('=');
    pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  const auto answer = calculate(formula.toStdString(), pairs);
  QVERIFY(!answer);
  const QString sentence = QString::fromStdString(answer.error());
  for (const auto& word : said)
    QVERIFY2(sentence.contains(word), qPrintable(sentence));
  QVERIFY2(!sentence.contains('\n'), qPrintable(sentence));
}

void TestFormulaList::typed_formulas_are_usable_alone() {
  // 120 kW, 10 K, water at 998 kg/m3 and 4182 J/(kg K): 172.5 L/min
  const auto flow = coolant_volume_flow.function(kilowatts(120), kelvins_rise(10), kilograms_per_cubic_meter(998),
                                                 joules_per_kilogram_kelvin(4182));
  QVERIFY(flow);
  QVERIFY(near(in_liters_per_minute(*flow), 172.5, 1e-3));
  // A quotient that misses a whole number by rounding only: 0.7 kW / 0.1 kW is 7 units, not 8.
  QCOMPARE(*coolant_distribution_unit_count.function(watts(0.7), watts(0.1), 0), Count{7});
  // ... and a limit of three nodes is three: 0.3 / 0.1 is 2.9999999999999996 in doubles.
  QCOMPARE(*nodes_per_rack_limit.function(watts(0.3), watts(0.3), watts(0.1), kilograms(1000), kilograms(0),
                                          kilograms(1), 1),
           Count{3});
  QVERIFY(young_checkpoint_interval.estimate);
  QVERIFY(!transfer_time.estimate);
  QVERIFY(headroom_share.monotone == Monotone::mixed);
  // A fabric of no endpoints has no switches.
  QCOMPARE(*two_tier_switch_count.function(0, 64), Count{0});
}

void TestFormulaList::limits_of_the_statistics() {
  // Poisson with mean ln 2: P(0) = 0.5 exactly at the edge from below; 0.49 needs 0, 0.51 needs 1.
  const double mean = 0.6931471805599453;
  const auto spares = [&](double level) { return *repair_pipeline_spares.function(1, mean, years(1), level); };
  QCOMPARE(spares(0.49), Count{0});
  QCOMPARE(spares(0.51), Count{1});
  // Mean 1: cumulative 0.3679, 0.7358, 0.9197, 0.9810, 0.9963 (published tables).
  const auto of_one = [&](double level) { return *repair_pipeline_spares.function(1, 1.0, years(1), level); };
  QCOMPARE(of_one(0.36), Count{0});
  QCOMPARE(of_one(0.73), Count{1});
  QCOMPARE(of_one(0.91), Count{2});
  QCOMPARE(of_one(0.98), Count{3});
  QCOMPARE(of_one(0.99), Count{4});
  QCOMPARE(of_one(0.0), Count{0});
  // A million expected failures: mean + 2.3263 deviations of 1000, within a few.
  const double many = static_cast<double>(*repair_pipeline_spares.function(1000000, 1.0, years(1), 0.99));
  QVERIFY(std::abs(many - 1002327.0) < 5.0);
  QVERIFY(!repair_pipeline_spares.function(10, 1.0, years(1), 1.0));
  // P(at least 1 of 3 at 1/2) = 7/8; P(3 of 3) = 1/8; P(at least 0) = 1.
  QVERIFY(near(*binomial_upper_tail_probability.function(3, 1, 0.5), 0.875, 1e-14));
  QVERIFY(near(*binomial_upper_tail_probability.function(3, 3, 0.5), 0.125, 1e-14));
  QCOMPARE(*binomial_upper_tail_probability.function(3, 0, 0.5), 1.0);
  QVERIFY(!binomial_upper_tail_probability.function(3, 4, 0.5));
  // All n fail: the exact bound is (1 - confidence)^(1/n) = 0.05^(1/3) = 0.36840315.
  QVERIFY(near(*clopper_pearson_lower_bound.function(3, 3, 0.95), 0.36840315, 1e-7));
  QCOMPARE(*clopper_pearson_lower_bound.function(0, 3, 0.95), 0.0);
  // Next to the branch point of Lambert W the interval tends to the Young interval: d = 1e-6 s, M = 1e9 s is sqrt(2000)
  // s.
  const auto interval = exact_checkpoint_interval.function(seconds(1e-6), seconds(1e9));
  QVERIFY(near(in_seconds(*interval), 44.72135955, 1e-7));
  // Both branches meet at d / M = 1e-6.
  const double below = in_seconds(*exact_checkpoint_interval.function(seconds(0.999999), seconds(1e6)));
  const double above = in_seconds(*exact_checkpoint_interval.function(seconds(1.000001), seconds(1e6)));
  QVERIFY(near(below, above, 2e-6) && below < above);
  // Heartbeats: 1000 ranks every 1 s at 0.1: 1000 * 0.1^k < 1/s first holds at k = 4 (k = 3 gives exactly 1).
  const auto misses = heartbeat_misses_for_alarm_budget.function(1000, seconds(1), 0.1, per_second(0.99));
  QCOMPARE(*misses, Count{4});
  QCOMPARE(*heartbeat_misses_for_alarm_budget.function(1000, seconds(1), 0.0, per_second(0.5)), Count{1});
}

namespace {

/// Raises one input after the other from points of its range and reports whether a result ever fell.
bool never_falls(const AnyFormula& f) {
  const std::size_t n = f.parameters.size();
  for (double start : {0.25, 0.5, 1.0, 2.0, 3.0, 10.0})
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<std::vector<double>> low(n, {start});
      for (std::size_t k = 0; k < n; ++k)
        if (f.parameters[k].kind->scale == Scale::count) low[k] = {std::ceil(start)};
      auto high = low;
      high[i][0] = f.parameters[i].kind->scale == Scale::count ? low[i][0] + 1.0 : low[i][0] * 1.5;
      const auto a = f.evaluate(low), b = f.evaluate(high);
      if (a && b && *b < *a * (1.0 - 1e-12)) return false;
    }
  return true;
}

template <class... F>
void check_increasing(const F&... formulas) {
  const auto one = [](const auto& f) {
    if (f.monotone == Monotone::increasing) QVERIFY2(never_falls(any(f)), f.name.data());
  };
  (one(formulas), ...);
}

} // namespace

void TestFormulaList::monotone_formulas_never_fall() {
  check_increasing(
      ieee_format_largest_finite_value, finite_only_format_largest_finite_value, bisection_steps,
      clos_transceiver_count, twin_port_transceiver_count, leaf_spine_transceiver_count, transceiver_power,
      store_and_forward_bandwidth, build_schedule_duration, gpu_time_cost, mean_units_in_repair, repair_pipeline_spares,
      two_tier_endpoint_limit, three_tier_endpoint_limit, multi_plane_two_tier_endpoint_limit, two_tier_cable_count,
      false_drain_rate, network_discount_saving, break_even_slowdown, accumulated_ones_stall_value,
      ring_all_reduce_bytes_per_rank, pipeline_boundary_bytes_per_step, gpipe_in_flight_micro_batches,
      one_forward_one_backward_in_flight_micro_batches, activation_bytes_per_layer, activation_bytes_all_layers,
      attention_score_bytes_per_layer, full_recompute_activation_bytes, expert_dispatch_bytes,
      node_limited_expert_dispatch_bytes, parallel_gpu_count, largest_weight_an_update_changes,
      young_checkpoint_interval, lost_gpu_time, expected_maximum_of_normals, event_stall_fraction,
      recovery_time_per_failure, kv_cache_bytes_per_token, latent_cache_bytes_per_token, training_flops,
      ring_latency_bandwidth_crossover, checkpoint_bytes, token_stream_bandwidth, storage_monthly_cost,
      minhash_signature_bytes, added_hop_latency, restart_pool_spares, mean_nodes_in_repair, total_spare_nodes,
      mean_nodes_wrongly_drained, facility_power, tokenized_dataset_bytes, token_id_bytes, checkpoint_retention_bytes,
      quantized_weight_bytes, floor_area, uplink_count, dragonfly_endpoint_limit, routed_cable_length,
      optical_channel_loss, parts_power, heat_to_liquid, line_current_of_two_phase_loads, continuous_current_limit,
      supply_temperature_from_outdoor, transformer_loss, energy_drawn, attention_parameters_per_layer,
      feed_forward_parameters_per_layer, expert_parameters_per_layer, active_expert_parameters_per_layer,
      norm_parameters_per_layer, layered_model_parameters, attention_score_flops_per_layer, matrix_flops_forward,
      tokens_per_step, step_time_sum, narrowest_bandwidth, part_failure_rate, node_failure_rate, goodput_product,
      annual_capital_cost, annual_energy_cost, line_cost);
  // The test itself can fail: a formula that divides does fall.
  QVERIFY(!never_falls(*find_formula("transfer_time")));
}

QTEST_APPLESS_MAIN(TestFormulaList)
#include "test_formula_list.moc"
