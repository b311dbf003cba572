// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of assumptions.csv: their units, their ranges, and that the engine finds each one that it asks for.
#include <QtTest>

#include <QDirIterator>
#include <QRegularExpression>

#include <cmath>
#include <map>

#include "catalog/catalog.h"
#include "catalog/traced_part.h"

using namespace hallwright;

namespace {

const Catalog& shipped() {
  static const Catalog catalog = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value();
  return catalog;
}

/// What a unit of the file means, from its definition and not from our tables: base amount of "1 unit" and of "0 unit".
struct Meaning {
  const Kind* kind;
  double one;
  double zero = 0.0;
};
const std::map<std::string, Meaning>& meanings() {
  static const std::map<std::string, Meaning> known{
      {"1/h", {&kind::frequency, 1.0 / 3600}},
      {"B", {&kind::information, 1}},
      {"TB", {&kind::information, 1e12}},
      {"MB/s", {&kind::data_rate, 1e6}},
      {"GB/s", {&kind::data_rate, 1e9}},
      {"C", {&kind::temperature, 274.15, 273.15}},
      {"K", {&kind::temperature_difference, 1}},
      {"J", {&kind::energy, 1}},
      {"J/(kg*K)", {&kind::specific_heat, 1}},
      {"L", {&kind::volume, 1e-3}},
      {"L/kWh", {&kind::volume_per_energy, 1e-3 / 3.6e6}},
      {"L/(min*kW)", {&kind::volume_per_energy, 1e-3 / 60 / 1e3}}, // m3/s per W is m3/J
      {"m3/(h*kW)", {&kind::volume_per_energy, 1.0 / 3600 / 1e3}},
      {"USD", {&kind::money, 1}},
      {"USD/GB", {&kind::money_per_information, 1e-9}},
      {"USD/W", {&kind::money_per_power, 1}},
      {"USD/kW", {&kind::money_per_power, 1e-3}},
      {"USD/MW", {&kind::money_per_power, 1e-6}},
      {"USD/h", {&kind::money_per_time, 1.0 / 3600}},
      {"USD/kWh", {&kind::money_per_energy, 1.0 / 3.6e6}},
      {"GiB", {&kind::memory, 1073741824.0}},
      {"us", {&kind::time, 1e-6}},
      {"s", {&kind::time, 1}},
      {"min", {&kind::time, 60}},
      {"h", {&kind::time, 3600}},
      {"d", {&kind::time, 86400}},
      {"wk", {&kind::time, 604800}},
      {"yr", {&kind::time, 365.25 * 86400}}, // Julian year
      {"kPa", {&kind::pressure, 1e3}},
      {"kW", {&kind::power, 1e3}},
      {"kg", {&kind::mass, 1}},
      {"kg/m2", {&kind::areal_density, 1}},
      {"kg/m3", {&kind::density, 1}},
      {"mg/L", {&kind::density, 1e-3}},
      {"um", {&kind::length, 1e-6}},
      {"mm", {&kind::length, 1e-3}},
      {"m", {&kind::length, 1}},
      {"m/s", {&kind::velocity, 1}}};
  return known;
}

/// Units of rows that no kind of quantity has: such a row is a number in words until a formula needs it.
const QStringList units_without_a_kind{"CFU/mL", "Pa/m", "W/(Tb/s)", "dB", "dB/km", "kJ/K", "kg/kWh", "ns/m", "uS/cm"};

bool some_kind_reads(const std::string& text) {
  for (const Kind* k : all_kinds())
    if (k->scale != Scale::ratio && k->scale != Scale::count && k->scale != Scale::percent && parse_quantity(text, *k)) return true;
  return false;
}

/// "" where the row is known as a `T`, else why not.
template <class T>
QString why_not(const std::string& id, const Kind& kind = KindOf<T>::value) {
  Ledger ledger(Page::budget);
  const auto value = assumption<T>(ledger, shipped(), id, kind);
  return value.has_value() ? QString() : QString::fromStdString(*value.reason);
}

} // namespace

class TestCatalogAssumptions : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_unit_is_known_or_named_as_an_exception() {
    QStringList unread;
    for (const Assumption& a : shipped().assumptions) {
      const bool bare = a.unit.empty() || a.unit == "1";
      QVERIFY2(!a.unit.empty(), a.id.c_str()); // a pure number says so: 1
      if (bare || some_kind_reads("1 " + a.unit)) {
        QVERIFY2(bare || meanings().count(a.unit) == 1, ("say in this test what is meant by " + a.unit).c_str());
        continue;
      }
      if (!unread.contains(QString::fromStdString(a.unit))) unread << QString::fromStdString(a.unit);
    }
    unread.sort();
    QCOMPARE(unread, units_without_a_kind);
  }

  void every_number_with_a_unit_reads_back_as_its_amount() {
    std::size_t read = 0;
    for (const Assumption& a : shipped().assumptions) {
      const auto meaning = meanings().find(a.unit);
      if (meaning == meanings().end()) continue;
      const Meaning& m = meaning->second;
      for (const auto& number : {a.value, a.low, a.high}) {
        if (!number) continue;
        const auto base = parse_quantity(exact_number(*number) + " " + a.unit, *m.kind);
        QVERIFY2(base.has_value(), base ? "" : (a.id + ": " + base.error()).c_str());
        const double expected = m.zero + *number * (m.one - m.zero);
        QVERIFY2(std::abs(*base - expected) <= 1e-12 * std::abs(expected), a.id.c_str());
        ++read;
      }
    }
    QVERIFY(read > 250);
  }

  void every_row_has_a_value_inside_its_range() {
    for (const Assumption& a : shipped().assumptions) {
      QVERIFY2(a.value, a.id.c_str());
      QVERIFY2(!a.low || *a.low <= *a.value, a.id.c_str());
      QVERIFY2(!a.high || *a.high >= *a.value, a.id.c_str());
    }
  }

  void every_row_can_be_replaced_by_its_own_text() {
    // What the inspector shows is what it takes back.
    for (const Assumption& a : shipped().assumptions) {
      std::vector<std::string> problems;
      const Catalog c = with_overrides(shipped(), {{"assumption", a.id, "value", exact_number(*a.value)}}, problems);
      QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
      QVERIFY2(*c.find<Assumption>(a.id)->value == *a.value, a.id.c_str());
      if (meanings().count(a.unit) == 0) continue;
      const Catalog with_unit = with_overrides(shipped(), {{"assumption", a.id, "value", exact_number(*a.value) + " " + a.unit}}, problems);
      QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
      QVERIFY2(std::abs(*with_unit.find<Assumption>(a.id)->value - *a.value) <= 1e-14 * std::abs(*a.value), a.id.c_str());
    }
  }

  void the_engine_finds_every_row_that_it_asks_for() {
    // Reads the engine's own text: an id with a slip in it would only show as "not applicable" in some design.
    const std::map<QString, QString (*)(const std::string&)> as{
        {"double", [](const std::string& id) { return why_not<double>(id); }},
        {"Count", [](const std::string& id) { return why_not<Count>(id); }},
        {"Length", [](const std::string& id) { return why_not<Length>(id); }},
        {"Money", [](const std::string& id) { return why_not<Money>(id); }},
        {"MoneyPerPower", [](const std::string& id) { return why_not<MoneyPerPower>(id); }},
        {"MoneyPerEnergy", [](const std::string& id) { return why_not<MoneyPerEnergy>(id); }},
        {"Bytes", [](const std::string& id) { return why_not<Bytes>(id); }},
        {"Time", [](const std::string& id) { return why_not<Time>(id); }},
        {"Power", [](const std::string& id) { return why_not<Power>(id); }},
        {"Frequency", [](const std::string& id) { return why_not<Frequency>(id); }},
        {"TempRise", [](const std::string& id) { return why_not<TempRise>(id); }},
        {"VolumePerEnergy", [](const std::string& id) { return why_not<VolumePerEnergy>(id); }},
        {"Volume", [](const std::string& id) { return why_not<Volume>(id); }},
        {"Velocity", [](const std::string& id) { return why_not<Velocity>(id); }},
        {"Pressure", [](const std::string& id) { return why_not<Pressure>(id); }},
        {"Temperature", [](const std::string& id) { return why_not<Temperature>(id); }}};
    static const QRegularExpression call(QStringLiteral("assumption<(\\w+)>\\([^;\"]*\"([a-z0-9_.]+)\""));
    QSet<QString> ids;
    QDirIterator files(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/engine"), {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      QFile file(files.next());
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QString text = QString::fromUtf8(file.readAll());
      for (auto matches = call.globalMatch(text); matches.hasNext();) {
        const auto m = matches.next();
        const auto reader = as.find(m.captured(1));
        QVERIFY2(reader != as.end(), qPrintable("add " + m.captured(1) + " to the list above: " + m.captured(0)));
        const QString problem = reader->second(m.captured(2).toStdString());
        QVERIFY2(problem.isEmpty(), qPrintable(files.fileName() + ": " + problem));
        ids.insert(m.captured(2));
      }
    }
    QVERIFY(ids.size() >= 15);
    QVERIFY(ids.contains("price.construction"));
    // Those that the power chain picks by level.
    for (const char* id : {"efficiency.distribution", "efficiency.ups", "efficiency.transformer"})
      QVERIFY2(why_not<double>(id, kind::percent).isEmpty(), qPrintable(why_not<double>(id, kind::percent)));
  }

  void published_defaults() {
    const auto value = [](std::string_view id) { return *shipped().find<Assumption>(id)->value; };
    // Llama 3 Herd of Models (arXiv:2407.21783), section 3.3: 38 to 43 % MFU on up to 16,384 H100.
    QCOMPARE(value("training.mfu_dense_large"), 0.41);
    // MegaScale (arXiv:2402.15627), abstract: 55.2 % MFU for 175B on 12,288 GPUs.
    QCOMPARE(value("training.mfu_dense_best"), 0.552);
    // EIA Electric Power Monthly, table 5.6.A, April 2025, industrial, East North Central: 8.72 cents per kWh.
    QCOMPARE(value("price.electricity"), 0.0872);
  }

  void published_models_at_scale() {
    // Llama 3 Herd of Models (arXiv:2407.21783), table 3: 405B has 126 layers, model dimension 16,384, FFN 53,248,
    // 128 heads, 8 key-value heads; vocabulary 128,000 + 256; 15.6T tokens, "15T+" on the model card.
    const ModelPart* llama = shipped().find<ModelPart>("llama3-1-405b");
    QVERIFY(llama);
    QCOMPARE(*llama->layers, Count(126));
    QCOMPARE(*llama->hidden, Count(16384));
    QCOMPARE(*llama->ffn_hidden, Count(53248));
    QCOMPARE(*llama->attention_heads, Count(128));
    QCOMPARE(*llama->kv_heads, Count(8));
    QCOMPARE(*llama->vocabulary, Count(128256));
    QCOMPARE(*llama->parameters_total_billion, 405.0);
    // DeepSeek-V3 technical report (arXiv:2412.19437), section 4.2: 61 layers, 7168, 256 routed experts, 8 of them for a
    // token, 1 shared, expert size 2048, first 3 layers dense; 671B in all, 37B active, 14.8T tokens.
    const ModelPart* deepseek = shipped().find<ModelPart>("deepseek-v3");
    QVERIFY(deepseek);
    QCOMPARE(*deepseek->layers, Count(61));
    QCOMPARE(*deepseek->hidden, Count(7168));
    QCOMPARE(*deepseek->experts_routed, Count(256));
    QCOMPARE(*deepseek->experts_per_token, Count(8));
    QCOMPARE(*deepseek->experts_shared, Count(1));
    QCOMPARE(*deepseek->moe_ffn_hidden, Count(2048));
    QCOMPARE(*deepseek->first_dense_layers, Count(3));
    QCOMPARE(*deepseek->parameters_total_billion, 671.0);
    QCOMPARE(*deepseek->parameters_active_billion, 37.0);
    QCOMPARE(*deepseek->pretrain_tokens_trillion, 14.8);
  }
};

QTEST_APPLESS_MAIN(TestCatalogAssumptions)
#include "test_catalog_assumptions.moc"
