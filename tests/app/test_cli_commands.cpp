// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "cli_process.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <functional>

#include <sys/stat.h>

#include "engine/evaluation/generated_hall.h"
#include "project/project_file.h"

using namespace hallwright;
using hallwright::test::Answer;
using hallwright::test::csv_file;
using hallwright::test::one_sentence;
using hallwright::test::run_cli;

namespace {

/// Ten racks of four DGX H100 with a scenario, and what a spreadsheet must not run.
Design sample_design() {
  Design d = test::generated_hall(320);
  const auto add = [&](auto table, auto entity) {
    Made made = add_entity(d, table, std::move(entity));
    d = std::move(made.design);
    return made.entities.at(0).id;
  };
  const Id scenario = add(&Design::scenarios, Scenario{.name = "Strong site"});
  add(&Design::scenario_changes, ScenarioChange{.scenario = scenario, .path = "site.utility_power", .value = "77 MW"});
  const Id broken = add(&Design::scenarios, Scenario{.name = "Broken"});
  add(&Design::scenario_changes, ScenarioChange{.scenario = broken, .path = "site.no_such_field", .value = "1"});
  std::vector<Rack> racks = *d.racks;
  racks.front().name = "=HYPERLINK(\"http://example.org\")";
  d.racks = share(racks);
  return d;
}

bool holds_no_nan(const QByteArray& json) {
  return !json.contains("NaN") && !json.contains("nan,") && !json.contains("Infinity") && !json.contains(": inf") && !json.contains(": -inf");
}

} // namespace

class TestCliCommands : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    project_ = folder_.filePath("sample.hall");
    const auto saved = save_project(sample_design(), project_.toStdString());
    QVERIFY2(saved, saved ? "" : saved.error().c_str());
    QVERIFY(QFile::exists(QStringLiteral(HALLWRIGHT_CATALOG_FILE)));
  }

  // --- the program --------------------------------------------------------------------------------------------------

  void help_and_version_data() {
    QTest::addColumn<QStringList>("command");
    for (const QStringList& command : {QStringList{}, {"evaluate"}, {"explain"}, {"calc"}, {"check"}, {"convert"}, {"diff"}, {"fabric"}, {"catalog"}, {"catalog", "list"}, {"catalog", "show"}, {"report"}})
      QTest::newRow(qPrintable("hallwright-cli " + command.join(' '))) << command;
  }
  void help_and_version() {
    QFETCH(QStringList, command);
    const Answer help = run_cli(command + QStringList{"--help"});
    QCOMPARE(help.code, 0);
    QVERIFY(help.err.isEmpty());
    QVERIFY(help.out.contains("Usage:"));
    if (command.size() == 1) QVERIFY2(help.out.contains("Example"), "no example in the help");
    if (command.isEmpty()) {
      for (const char* name : {"evaluate", "explain", "calc", "check", "convert", "diff", "fabric", "catalog", "report"}) QVERIFY(help.out.contains(name));
      const Answer version = run_cli({"--version"});
      QCOMPARE(version.code, 0);
      QVERIFY2(QRegularExpression("^hallwright-cli \\d+\\.\\d+\\.\\d+\n$").match(version.text()).hasMatch(), version.out);
    }
  }

  void a_wrong_use_is_one_sentence_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, int code, const char* says) { QTest::newRow(name) << arguments << code << QString(says); };
    row("nothing", {}, 2, "command is missing");
    row("an unknown command", {"evaluat"}, 2, "evaluate");
    row("an unknown option", {"evaluate", "PROJECT", "--jsn"}, 2, "--jsn");
    row("an option of the program", {"--quick"}, 2, "--quick");
    row("no project", {"evaluate"}, 2, "PROJECT");
    row("a file that is not there", {"evaluate", "/no/such/file.hall"}, 3, "/no/such/file.hall");
    row("a folder", {"evaluate", "/tmp"}, 3, "/tmp");
    row("a file that is no project", {"evaluate", HALLWRIGHT_SOURCE_DIR "/CMakeLists.txt"}, 3, "CMakeLists.txt");
    row("set without a value", {"evaluate", "PROJECT", "--set", "site.utility_power"}, 2, "PATH=VALUE");
    row("set of no field", {"evaluate", "PROJECT", "--set", "site.power=3MW"}, 2, "power");
    row("set of no section", {"evaluate", "PROJECT", "--set", "sight.utility_power=3MW"}, 2, "sight");
    row("set of a wrong unit", {"evaluate", "PROJECT", "--set", "site.utility_power=3m"}, 2, "tility");
    row("set out of range", {"evaluate", "PROJECT", "--set", "site.utility_power=-3MW"}, 2, "tility");
    row("set without its argument", {"evaluate", "PROJECT", "--set"}, 2, "--set");
    row("a figure that is not", {"evaluate", "PROJECT", "--figure", "power.itt"}, 2, "power.it");
    row("a scenario that is not", {"evaluate", "PROJECT", "--scenario", "Weak site"}, 2, "Strong site");
    row("a scenario that does not fit", {"evaluate", "PROJECT", "--scenario", "Broken"}, 3, "no_such_field");
    row("explain without a figure", {"explain", "PROJECT"}, 2, "FIGURE");
    row("explain of nothing", {"explain", "PROJECT", "power.nothing"}, 2, "power.nothing");
    row("a negative depth", {"explain", "PROJECT", "power.it", "--depth", "-1"}, 2, "--depth");
    row("check with another severity", {"check", "PROJECT", "--fail-on", "note"}, 2, "--fail-on");
    row("convert without a target", {"convert", "PROJECT"}, 2, "TO");
    row("convert to no form", {"convert", "PROJECT", "/tmp/x.xlsx"}, 2, ".hall.json");
    row("convert onto itself", {"convert", "PROJECT", "PROJECT"}, 2, "same file");
    row("convert into no folder", {"convert", "PROJECT", "/no/such/folder/x.hall"}, 3, "/no/such/folder");
    row("convert from nothing", {"convert", "/no/such/file.hall", "/tmp/x.hall"}, 3, "/no/such/file.hall");
    row("diff of one", {"diff", "PROJECT"}, 2, "B");
    row("diff with nothing", {"diff", "PROJECT", "/no/such/file.hall"}, 3, "/no/such/file.hall");
    row("catalog without more", {"catalog"}, 2, "subcommand");
    row("a kind that is not", {"catalog", "list", "nodes"}, 2, "node");
    row("a part that is not", {"catalog", "show", "node", "dgx-h10"}, 2, "dgx-h100");
    row("report without a folder", {"report", "PROJECT"}, 2, "--csv-dir");
    row("report into a file", {"report", "PROJECT", "--csv-dir", "/proc/version"}, 3, "/proc/version");
  }
  void a_wrong_use_is_one_sentence() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, says);
    for (QString& a : arguments)
      if (a == "PROJECT") a = project_;
    const Answer answer = run_cli(arguments);
    QVERIFY2(answer.code == code, (QByteArray::number(answer.code) + " " + answer.err).constData());
    // A file may be refused for several reasons, one a line.
    QVERIFY2(one_sentence(answer.err) || (code == 3 && answer.err.size() > 20 && answer.err.endsWith('\n')), answer.err);
    QVERIFY2(QString::fromUtf8(answer.err).contains(says), answer.err);
    QVERIFY(answer.out.isEmpty());
  }

  void a_catalog_that_is_not_there_is_refused() {
    const Answer missing = run_cli({"catalog", "list"}, {{"HALLWRIGHT_CATALOG", "/no/such/catalog.sqlite"}});
    QCOMPARE(missing.code, 3);
    QVERIFY(one_sentence(missing.err) && missing.err.contains("/no/such/catalog.sqlite"));
    const Answer other = run_cli({"catalog", "list"}, {{"HALLWRIGHT_CATALOG", HALLWRIGHT_SOURCE_DIR "/CMakeLists.txt"}});
    QCOMPARE(other.code, 3);
    QVERIFY(other.err.contains("CMakeLists.txt"));
    QCOMPARE(run_cli({"catalog", "list"}, {{"HALLWRIGHT_CATALOG", HALLWRIGHT_CATALOG_FILE}}).code, 0);
  }

  void a_full_disk_is_told() {
    QProcess shell;
    shell.start("sh", {"-c", "exec \"$0\" calc --list > /dev/full", HALLWRIGHT_CLI});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.exitCode(), 3);
    QVERIFY(shell.readAllStandardError().contains("standard output"));
  }

  // --- evaluate -----------------------------------------------------------------------------------------------------

  void evaluate_as_json() {
    const Answer answer = run_cli({"evaluate", project_, "--json"});
    QVERIFY2(answer.code == 0, answer.err);
    QVERIFY(holds_no_nan(answer.out));
    const QJsonObject json = answer.json().object();
    QVERIFY(json["elapsed_ms"].toDouble() > 0.0);
    const QJsonObject figures = json["figures"].toObject();
    QVERIFY(figures.size() > 50);
    for (auto it = figures.begin(); it != figures.end(); ++it) {
      const QJsonObject f = it->toObject();
      for (const char* key : {"value", "unit", "label", "status", "completeness", "reason", "limit", "formula", "formula_text", "source", "inputs"})
        QVERIFY2(f.contains(key), qPrintable(it.key() + " lacks " + key));
      QVERIFY2(QStringList({"exact", "estimate", "lower_bound", "not_applicable"}).contains(f["completeness"].toString()), qPrintable(it.key()));
      QVERIFY2(QStringList({"none", "ok", "near_limit", "over_limit", "undecided"}).contains(f["status"].toString()), qPrintable(it.key()));
      if (f["value"].isNull()) QVERIFY2(!f["reason"].toString().isEmpty() && f["completeness"] == "not_applicable", qPrintable(it.key()));
      else QVERIFY2(f["value"].isDouble(), qPrintable(it.key()));
      for (const auto& input : f["inputs"].toArray()) QVERIFY2(figures.contains(input.toString()), qPrintable(it.key() + " rests on " + input.toString()));
      if (f["limit"].isObject()) QVERIFY2(figures.contains(f["limit"].toObject()["id"].toString()), qPrintable(it.key()));
    }
    // 10 racks of 4 nodes of 8 GPUs
    QCOMPARE(figures["population.gpus"].toObject()["value"].toInt(), 320);
    QCOMPARE(figures["population.nodes"].toObject()["value"].toInt(), 40);
    QCOMPARE(figures["population.racks"].toObject()["value"].toInt(), 10);
    for (const auto& check : json["checks"].toArray())
      for (const char* key : {"code", "severity", "message", "entities", "remedies"}) QVERIFY2(check.toObject().contains(key), key);
  }

  void single_figures_fields_and_scenarios() {
    const QStringList limit{"--figure", "power.headroom_worst", "--json"};
    const auto utility = [&](const QStringList& more) {
      const Answer a = run_cli(QStringList{"evaluate", project_, "--json"} + more);
      return a.json().object()["figures"].toObject()["design.site.utility_power"].toObject()["value"].toDouble();
    };
    QVERIFY(utility({}) > 0.0);
    QCOMPARE(utility({"--set", "site.utility_power=21.5 MW"}), 21.5e6);
    QCOMPARE(utility({"--scenario", "Strong site"}), 77e6);
    QCOMPARE(utility({"--scenario", "Strong site", "--set", "site.utility_power+=1 MW"}), 78e6); // after the scenario
    QCOMPARE(utility({"--set", "site.utility_power=1 MW", "--set", "site.utility_power*=3"}), 3e6); // in order
    const Answer one = run_cli(QStringList{"evaluate", project_} + limit);
    QVERIFY2(one.code == 0, one.err);
    QCOMPARE(one.json().object()["figures"].toObject().keys(), QStringList{"power.headroom_worst"});
    // A name in brackets, and an option before the project.
    const Answer named = run_cli({"evaluate", "--set", "rack_types.[DGX H100 rack].width=750mm", project_, "--figure", "population.racks", "--json"});
    QVERIFY2(named.code == 0, named.err);
  }

  void evaluate_as_text() {
    const Answer answer = run_cli({"evaluate", project_, "--tables"});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.text().contains("population.gpus") && answer.text().contains("320") && answer.text().contains("evaluated in"));
    static const QRegularExpression not_a_number(QStringLiteral("\\b(nan|inf|NaN|infinity)\\b"));
    const auto found = not_a_number.match(answer.text());
    QVERIFY2(!found.hasMatch(), qPrintable(answer.text().mid(std::max<qsizetype>(0, found.capturedStart() - 80), 160)));
    const Answer one = run_cli({"evaluate", project_, "--figure", "population.gpus"});
    QCOMPARE(one.text().count('\n'), 1);
    QVERIFY(one.text().startsWith("population.gpus  "));
  }

  void no_answer_depends_on_the_locale() {
    const QStringList calc{"calc", "coolant_volume_flow", "heat=120.5kW", "temperature_rise=10K", "density=998kg/m3", "specific_heat=4182 J/(kg K)", "--json"};
    const QStringList figure{"evaluate", project_, "--figure", "power.it", "--json"};
    QProcess locales;
    locales.start("locale", {"-a"});
    QVERIFY(locales.waitForFinished());
    const bool german = locales.readAllStandardOutput().toLower().contains("de_de.utf8");
    // Where the system does not have the locale, the variable alone must not matter either.
    if (!german) qInfo("de_DE.UTF-8 is not installed here");
    const QMap<QString, QString> de{{"LC_ALL", "de_DE.UTF-8"}, {"LANG", "de_DE.UTF-8"}};
    QCOMPARE(run_cli(calc, de).out, run_cli(calc).out);
    QVERIFY(run_cli(calc).out.contains("0.00288"));
    QCOMPARE(run_cli(figure, de).json().object()["figures"], run_cli(figure).json().object()["figures"]);
  }

  // --- explain ------------------------------------------------------------------------------------------------------

  void explain_goes_down_to_fields_and_sources() {
    const Answer whole = run_cli({"explain", project_, "power.facility"});
    QVERIFY2(whole.code == 0, whole.err);
    QVERIFY(whole.text().contains("[power.facility]") && whole.text().contains("design field") && whole.text().contains("catalog ") && whole.text().contains("source: "));
    QVERIFY(whole.text().contains("dgx-h100"));
    const Answer shallow = run_cli({"explain", project_, "power.facility", "--depth", "1"});
    QVERIFY(shallow.out.count('\n') < whole.out.count('\n'));
    for (const QString& line : shallow.text().split('\n', Qt::SkipEmptyParts))
      if (line.contains("  [")) QVERIFY2(!line.startsWith("    "), qPrintable(line)); // one level is two blanks
    const Answer top = run_cli({"explain", project_, "power.facility", "--depth", "0"});
    QCOMPARE(top.text().count('['), 1);
  }

  /// Twice 10 % of the price is a fifth of the cost of energy; JSON and text are of one mind.
  void explain_tells_what_moves_a_figure_most() {
    const Answer json = run_cli({"explain", project_, "budget.annual_energy_cost", "--sensitivity", "--json"});
    QVERIFY2(json.code == 0, json.err);
    const QJsonObject answer = json.json().object();
    QCOMPARE(answer["figure"].toString(), QStringLiteral("budget.annual_energy_cost"));
    const double cost = answer["value"].toDouble();
    bool found = false;
    for (const QJsonValue& v : answer["rows"].toArray()) {
      const QJsonObject row = v.toObject();
      QVERIFY(row["change"].toDouble() > 0);
      if (row["input"].toString() != "design.site.electricity_price") continue;
      found = true;
      QCOMPARE(row["table"].toString(), QStringLiteral("site"));
      QVERIFY(std::abs(row["elasticity"].toDouble() - 1) < 1e-9);
      QVERIFY(std::abs(row["high"].toObject()["figure"].toDouble() - row["low"].toObject()["figure"].toDouble() - 0.2 * cost) < 1e-9 * cost);
    }
    QVERIFY(found && cost > 0);
    const Answer text = run_cli({"explain", project_, "budget.annual_energy_cost", "--sensitivity"});
    QVERIFY2(text.code == 0, text.err);
    QVERIFY(text.text().contains("Electricity price") && text.text().contains("elasticity"));
    QCOMPARE(run_cli({"explain", project_, "power.it", "--json"}).code, 2);
    QCOMPARE(run_cli({"explain", project_, "power.it", "--sensitivity", "--depth", "2"}).code, 2);
  }
  void explain_of_the_mfu_says_what_it_counts() {
    const Answer answer = run_cli({"explain", project_, "training.mfu"});
    QVERIFY2(answer.code == 0, answer.err);
    for (const char* words : {"6ND", "attention over the sequence", "recomputed activations", "left out"}) QCOMPARE(answer.text().count(words), 1);
  }

  void explain_says_once_that_a_value_is_replaced() {
    Design d = sample_design();
    d = add_entity(d, &Design::part_overrides, PartOverride{.part_kind = "node", .part = "dgx-h100", .field = "power_max_w", .value = "9 kW"}).design;
    const QString file = folder_.filePath("replaced.hall");
    QVERIFY(save_project(d, file.toStdString()));
    const Answer answer = run_cli({"explain", file, "catalog.node.dgx-h100.power_max_w"});
    QVERIFY2(answer.code == 0, answer.err);
    QCOMPARE(answer.text().count("replaced in this design"), 1);
    QVERIFY(answer.text().contains("9 kW") && answer.text().contains("catalog: "));
  }

  void amounts_for_people_are_in_units_for_people() {
    // 1.69 USD for an hour, not 0.00047 USD for a second; days, not a million seconds. Files keep base units.
    const Answer text = run_cli({"evaluate", project_, "--figure", "budget.cost_per_gpu_hour", "--figure", "reliability.wall_time"});
    QVERIFY2(text.code == 0, text.err);
    QVERIFY2(text.text().contains(" USD/h") && !text.text().contains("USD/s"), text.out);
    static const QRegularExpression seconds(QStringLiteral("[0-9] s\\b"));
    QVERIFY2(!seconds.match(text.text()).hasMatch(), text.out);
    const Answer json = run_cli({"evaluate", project_, "--figure", "budget.cost_per_gpu_hour", "--json"});
    QCOMPARE(json.json().object()["figures"].toObject()["budget.cost_per_gpu_hour"].toObject()["unit"].toString(), QStringLiteral("USD/s"));
    // 1234567.89 s are 14.2889 days and no double of days gives the very same number back.
    const Answer calc = run_cli({"calc", "training_time_from_step", "tokens=1e6", "tokens_in_step=3", "step_time=1.1 s"});
    QVERIFY2(calc.code == 0 && calc.text().contains(" d"), calc.out + calc.err);
  }

  // --- check --------------------------------------------------------------------------------------------------------

  void check_names_a_scenario_that_cannot_be_applied() {
    const Answer answer = run_cli({"check", project_});
    QCOMPARE(answer.code, 1);
    QVERIFY2(answer.text().contains("SCN-001") && answer.text().contains("'Broken'") && answer.text().contains("site.no_such_field"), answer.out);
  }

  void what_is_not_a_regular_file_is_refused_at_once() {
    const QString pipe = folder_.filePath("pipe.hall");
    QCOMPARE(mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
    for (const QString& file : {pipe, QStringLiteral("/dev/null"), folder_.path()}) {
      const Answer answer = run_cli({"check", file});
      QCOMPARE(answer.code, 3);
      QVERIFY2(one_sentence(answer.err) && (answer.err.contains("regular file") || answer.err.contains("it is a folder")), answer.err);
    }
    QCOMPARE(run_cli({"convert", pipe, folder_.filePath("of-a-pipe.hall")}).code, 3);
    QCOMPARE(run_cli({"diff", project_, pipe}).code, 3);
    const Answer catalog = run_cli({"check", project_}, {{"HALLWRIGHT_CATALOG", pipe}});
    QCOMPARE(catalog.code, 3);
    QVERIFY2(one_sentence(catalog.err) && catalog.err.contains("regular file"), catalog.err);
    // Nor is a table of the user's catalog waited for.
    QDir(folder_.path()).mkpath("piped/hallwright/hallwright/catalog");
    QCOMPARE(mkfifo(folder_.filePath("piped/hallwright/hallwright/catalog/nodes.csv").toLocal8Bit().constData(), 0600), 0);
    const Answer table = run_cli({"check", project_}, {{"XDG_DATA_HOME", folder_.filePath("piped")}});
    QCOMPARE(table.code, 3);
    QVERIFY2(one_sentence(table.err) && table.err.contains("nodes.csv") && table.err.contains("regular file"), table.err);
  }

  void the_users_own_catalog_lies_over_the_shipped_one() {
    const QString place = folder_.filePath("own/hallwright/hallwright/catalog");
    QDir().mkpath(place);
    QFile table(place + "/nodes.csv");
    QVERIFY(table.open(QIODevice::WriteOnly));
    table.write("id,name,source,as_of,power_max_w\nour-node,Our own node,a scale,2026,7000\n");
    table.close();
    const QMap<QString, QString> own{{"XDG_DATA_HOME", folder_.filePath("own")}};
    const Answer with = run_cli({"catalog", "show", "node", "our-node"}, own);
    QVERIFY2(with.code == 0 && with.text().contains("7000 W"), with.err);
    QVERIFY(run_cli({"catalog", "list", "node"}, own).text().contains("Our own node"));
    QCOMPARE(run_cli({"catalog", "show", "node", "our-node", "--no-user-catalog"}, own).code, 2);
    QVERIFY(!run_cli({"catalog", "list", "node", "--no-user-catalog"}, own).text().contains("Our own node"));
    // A mistake in it is not passed over: the figures would rest on other parts.
    QVERIFY(table.open(QIODevice::WriteOnly));
    table.write("id,name,source,as_of,power_max_w\nour-node,Our own node,a scale,2026,lots\n");
    table.close();
    const Answer refused = run_cli({"evaluate", project_}, own);
    QCOMPARE(refused.code, 3);
    QVERIFY2(one_sentence(refused.err) && refused.err.contains("nodes.csv") && refused.err.contains("lots") && refused.err.contains("--no-user-catalog"), refused.err);
    QCOMPARE(run_cli({"evaluate", project_, "--no-user-catalog"}, own).code, 0);
  }

  void check_fails_on_findings_and_lists_waivers() {
    // A site of 10 kW cannot feed 40 nodes of 10.2 kW.
    const QStringList weak{"--set", "site.utility_power=10 kW"};
    const Answer broken = run_cli(QStringList{"check", project_, "--json"} + weak);
    QCOMPARE(broken.code, 1);
    QString code;
    for (const auto& entry : broken.json().object()["checks"].toArray())
      if (entry.toObject()["severity"] == "error" && !entry.toObject()["undecided"].toBool()) code = entry.toObject()["code"].toString();
    QVERIFY2(!code.isEmpty(), broken.out);
    const Answer text = run_cli(QStringList{"check", project_} + weak);
    QCOMPARE(text.code, 1);
    QVERIFY(text.text().contains(code) && text.text().contains(" errors, "));

    // With every error waived it passes, and says what is waived and why.
    Design design = test::must(set_by_path(sample_design(), "site.utility_power", "10 kW"));
    QSet<QString> codes;
    for (const auto& entry : broken.json().object()["checks"].toArray())
      if (entry.toObject()["severity"] == "error") codes << entry.toObject()["code"].toString();
    for (const QString& one : codes) {
      Waiver w;
      w.rule = one.toStdString();
      w.reason = "a second utility feed is on order";
      design = add_entity(design, &Design::waivers, w).design;
    }
    const QString waived = folder_.filePath("waived.hall");
    QVERIFY(save_project(design, waived.toStdString()));
    const Answer passes = run_cli({"check", waived});
    QVERIFY2(passes.code == 0, passes.out);
    QVERIFY(passes.text().contains("waived") && passes.text().contains("reason: a second utility feed is on order"));
    const Answer counted = run_cli({"check", waived, "--json"});
    const auto checks = counted.json().object()["checks"].toArray();
    QVERIFY(std::any_of(checks.begin(), checks.end(), [](const QJsonValue& c) { return c.toObject()["waived"].toBool() && !c.toObject()["waiver_reason"].toString().isEmpty(); }));
  }

  void check_can_fail_on_warnings() {
    // The hundred-thousand sample has warnings (its goodput) and no error.
    const QString sample = QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/hundred-thousand.hall.json");
    const Answer lax = run_cli({"check", sample}), strict = run_cli({"check", sample, "--fail-on", "warning"});
    QVERIFY2(lax.code == 0, lax.out);
    QCOMPARE(strict.code, 1);
  }

  void a_replacement_of_a_part_that_does_not_exist_is_an_error() {
    PartOverride o;
    o.part_kind = "node";
    o.part = "no-such-node";
    o.field = "power_max_w";
    o.value = "1 kW";
    Design design;
    design = add_entity(design, &Design::part_overrides, o).design;
    const QString file = folder_.filePath("override.hall");
    QVERIFY(save_project(design, file.toStdString()));
    const Answer answer = run_cli({"check", file});
    QCOMPARE(answer.code, 1);
    QVERIFY(answer.text().contains("no-such-node"));
    QCOMPARE(answer.text().count("no-such-node"), 1);
  }

  // --- convert and diff ---------------------------------------------------------------------------------------------

  void convert_there_and_back_loses_nothing() {
    const QString text = folder_.filePath("sample.hall.json"), back = folder_.filePath("back.hall");
    const Answer to_text = run_cli({"convert", project_, text});
    QVERIFY2(to_text.code == 0, to_text.err);
    const Answer to_database = run_cli({"convert", text, back});
    QVERIFY2(to_database.code == 0, to_database.err);
    QFile json(text), database(back);
    QVERIFY(json.open(QIODevice::ReadOnly) && database.open(QIODevice::ReadOnly));
    QVERIFY(json.read(1) == "{" && database.read(15) == "SQLite format 3");
    const Answer same = run_cli({"diff", project_, back});
    QVERIFY2(same.code == 0, same.out);
    QCOMPARE(same.text(), QStringLiteral("no differences\n"));
    QVERIFY(differences(open_project(project_.toStdString())->design, open_project(back.toStdString())->design).empty());
  }

  void a_refused_conversion_leaves_the_target_as_it_was() {
    const QString target = folder_.filePath("kept.hall");
    QVERIFY(QFile::copy(project_, target));
    QFile kept(target);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QByteArray before = kept.readAll();
    const QString broken = folder_.filePath("broken.hall.json");
    QFile file(broken);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\": \"hallwright-design\", \"version\": 1,\n\"site\": {\"utility_power\": \"lots\"}}\n");
    file.close();
    const Answer answer = run_cli({"convert", broken, target});
    QCOMPARE(answer.code, 3);
    QVERIFY2(answer.err.contains("lots") && answer.err.contains("2"), answer.err); // value and line
    kept.seek(0);
    QCOMPARE(kept.readAll(), before);
  }

  void diff_lists_fields_first_then_figures() {
    const QString other = folder_.filePath("other.hall.json");
    const Design changed = test::must(set_by_path(sample_design(), "site.utility_power", "99 MW"));
    QVERIFY(save_project(changed, other.toStdString()));
    const Answer text = run_cli({"diff", project_, other});
    QCOMPARE(text.code, 1);
    const qsizetype fields = text.out.indexOf("site.utility_power"), figures = text.out.indexOf("figures (");
    QVERIFY2(fields > 0 && figures > fields, text.out);
    QVERIFY(text.text().contains("-> 99 MW"));
    const QJsonObject json = run_cli({"diff", project_, other, "--json"}).json().object();
    QCOMPARE(json["fields"].toArray().size(), 1);
    QCOMPARE(json["fields"].toArray()[0].toObject()["path"].toString(), QStringLiteral("site.utility_power"));
    bool moved = false;
    for (const auto& f : json["figures"].toArray()) {
      QVERIFY(f.toObject()["id"].toString() != "population.gpus"); // no GPU hangs on the utility
      moved = moved || f.toObject()["id"].toString().startsWith("power.");
    }
    QVERIFY(moved);
    // Something taken away and something added.
    const QString fewer = folder_.filePath("fewer.hall");
    const Design less = test::must(remove(sample_design(), {{"racks", sample_design().racks->back().id}}));
    QVERIFY(save_project(less, fewer.toStdString()));
    QVERIFY(run_cli({"diff", project_, fewer}).text().contains("removed"));
    QVERIFY(run_cli({"diff", fewer, project_}).text().contains("added"));
  }

  // --- catalog ------------------------------------------------------------------------------------------------------

  void the_catalog_lists_and_shows() {
    QCOMPARE(run_cli({"catalog", "list", "--json"}).json().array().size(), 13);
    const Answer list = run_cli({"catalog", "list", "node", "--json"});
    QVERIFY(list.json().array().size() > 20);
    for (const auto& part : list.json().array()) QVERIFY2(!part.toObject()["source"].toString().isEmpty(), qPrintable(part.toObject()["id"].toString()));
    QVERIFY(run_cli({"catalog", "list", "node"}).text().contains("DGX H100"));
    // NVIDIA's data sheet: 8 GPUs, at most 10.2 kW
    const QJsonObject dgx = run_cli({"catalog", "show", "node", "dgx-h100", "--json"}).json().object();
    QCOMPARE(dgx["power_max_w"].toObject()["value"].toDouble(), 10200.0);
    QCOMPARE(dgx["power_max_w"].toObject()["unit"].toString(), QStringLiteral("W"));
    QCOMPARE(dgx["accelerators"].toObject()["value"].toInt(), 8);
    const Answer text = run_cli({"catalog", "show", "node", "dgx-h100"});
    QVERIFY(text.text().contains("10200 W") || text.text().contains("10.2 kW"));
    QCOMPARE(run_cli({"catalog", "show", "assumption", "efficiency.ups"}).code, 0);
  }

  // --- report -------------------------------------------------------------------------------------------------------

  void the_report_writes_every_table() {
    const QString folder = folder_.filePath("tables/of/the sample");
    const Answer answer = run_cli({"report", project_, "--csv-dir", folder});
    QVERIFY2(answer.code == 0, answer.err);
    const auto figures = csv_file(folder + "/figures.csv");
    const QJsonObject json = run_cli({"evaluate", project_, "--json", "--tables"}).json().object();
    QVERIFY(figures.size() >= json["figures"].toObject().size());
    for (const auto& row : figures) {
      const QJsonObject f = json["figures"].toObject()[row["id"]].toObject();
      if (f["value"].isNull()) QVERIFY2(row["value"].isEmpty(), qPrintable(row["id"]));
      else { // twelve digits, without the dust of binary fractions
        const double wanted = f["value"].toDouble();
        QVERIFY2(std::abs(row["value"].toDouble() - wanted) <= 1e-11 * std::abs(wanted), qPrintable(row["id"]));
      }
      QCOMPARE(row["unit"], f["unit"].toString());
    }
    const QJsonObject tables = json["tables"].toObject();
    QVERIFY(tables.size() > 3);
    for (const QString& id : tables.keys()) QCOMPARE(csv_file(folder + "/" + id + ".csv").size(), tables[id].toObject()["rows"].toInt());
    QVERIFY(QFile::exists(folder + "/findings.csv"));
    // A rack whose name is a formula: the cell begins with an apostrophe, in every file.
    bool seen = false;
    for (const QFileInfo& file : QDir(folder).entryInfoList({"*.csv"}))
      for (const auto& row : csv_file(file.filePath()))
        for (const QString& cell : row) {
          seen = seen || cell.startsWith("'=HYPERLINK");
          QVERIFY2(!cell.startsWith('='), qPrintable(file.fileName() + ": " + cell));
        }
    QVERIFY(seen);
  }

private:
  QTemporaryDir folder_;
  QString project_;
};

QTEST_GUILESS_MAIN(TestCliCommands)
#include "test_cli_commands.moc"
