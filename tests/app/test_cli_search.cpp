// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>

#include "cli_process.h"

using namespace hallwright::test;

namespace {

const QString llama = QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/llama3-405b-16k.hall.json");
QJsonObject search(const QStringList& more, int code = 0, const QString& project = llama) {
  const Answer a = run_cli(QStringList{"search", project, "--json"} + more);
  if (a.code != code) qWarning("ended with %d: %s", a.code, a.err.constData());
  return a.code == code ? a.json().object() : QJsonObject();
}

} // namespace

class TestCliSearch : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// 16,384 GPUs, 128 heads, 126 layers, batch 2,048.
  void the_best_layouts_are_legal_and_fit() {
    const QJsonObject r = search({"--top", "5"});
    const QJsonArray best = r["best"].toArray();
    QCOMPARE(best.size(), 5);
    QVERIFY(r["complete"].toBool());
    QVERIFY(r["tried"].toDouble() > r["legal"].toDouble() && r["legal"].toDouble() > r["fits"].toDouble());
    double before = 0;
    for (const QJsonValue& v : best) {
      const QJsonObject f = v.toObject();
      QCOMPARE(f["tp"].toInt() * f["pp"].toInt() * f["cp"].toInt() * f["dp"].toInt(), 16384);
      QCOMPARE(128 % f["tp"].toInt(), 0);
      for (const char* count : {"tp", "pp", "vpp", "cp", "ep", "dp", "micro_batch", "gpus"}) // whole numbers, as a script counts with them
        QVERIFY2(QJsonDocument(QJsonArray{f[QLatin1String(count)]}).toJson().indexOf('.') < 0, count);
      QCOMPARE(2048 % (f["dp"].toInt() * f["micro_batch"].toInt()), 0);
      QVERIFY(f["memory_gib"].toDouble() <= r["memory_limit_gib"].toDouble());
      QVERIFY(f["mfu"].toDouble() > 0.2 && f["mfu"].toDouble() < 0.7);
      QVERIFY(f["step_s"].toDouble() >= before);
      before = f["step_s"].toDouble();
      // 15.6e12 tokens in steps of 2,048 sequences of 8,192.
      const double steps = std::ceil(15.6e12 / (2048.0 * 8192.0));
      QVERIFY(std::abs(f["run_days"].toDouble() / (steps * before / 86400) - 1) < 1e-9);
      QVERIFY(f["schedule"] == "1F1B" || f["schedule"] == "interleaved");
    }
    // No better layout than the best: not the present one either.
    if (r["now"].isObject()) QVERIFY(r["now"].toObject()["step_s"].toDouble() >= best[0].toObject()["step_s"].toDouble());
    QVERIFY(r["excluded"].toArray().size() > 0);
  }

  void threads_do_not_change_the_answer() {
    QJsonObject one = search({"--threads", "1"}), three = search({"--threads", "3"});
    QVERIFY(!one.isEmpty());
    one.remove("seconds");
    three.remove("seconds");
    QVERIFY(one == three);
  }

  void axes_are_held() {
    const QJsonObject r = search({"--hold", "tensor_parallel=4,8", "--hold", "recompute=present", "--hold", "micro_batch=1"});
    QVERIFY(!r["best"].toArray().isEmpty());
    for (const QJsonValue& v : r["best"].toArray()) {
      QVERIFY(v["tp"] == 4 || v["tp"] == 8);
      QCOMPARE(v["micro_batch"].toInt(), 1);
      QCOMPARE(v["recompute"], QJsonValue("selective"));
    }
    QVERIFY(r["legal"].toDouble() < search({})["legal"].toDouble());
    QVERIFY(search({"--every-schedule"})["legal"].toDouble() > search({})["legal"].toDouble());
  }

  void excluded_values_have_reasons() {
    const QJsonObject r = search({"--gpus", "64", "--hold", "sharding=none"}, 1);
    QCOMPARE(r["fits"].toDouble(), 0.0);
    QVERIFY(r["best"].toArray().isEmpty());
    QVERIFY(r["least_memory"].toObject()["memory_gib"].toDouble() > r["memory_limit_gib"].toDouble());
    bool heavy = false;
    for (const QJsonValue& v : r["excluded"].toArray())
      heavy = heavy || v.toString().contains("not fit, least");
    QVERIFY(heavy);
    const Answer text = run_cli({"search", llama, "--gpus", "64", "--hold", "sharding=none"});
    QCOMPARE(text.code, 1);
    QVERIFY(text.text().contains("no legal layout fits") && text.text().contains("least memory"));
  }

  void csv_has_a_line_a_layout() {
    const Answer a = run_cli({"search", llama, "--csv", "--top", "7"});
    QCOMPARE(a.code, 0);
    const auto rows = csv_rows(a.out);
    QCOMPARE(rows.size(), 7);
    const QJsonArray best = search({"--top", "7"})["best"].toArray();
    for (int i = 0; i < rows.size(); ++i) {
      QCOMPARE(rows[i]["place"].toInt(), i + 1);
      QCOMPARE(rows[i]["step_s"].toDouble(), best[i]["step_s"].toDouble());
      QCOMPARE(rows[i]["tp"].toInt(), best[i]["tp"].toInt());
    }
  }

  /// What is written has the layout, and the studio's own figures say what the search said.
  void the_best_layout_is_written_and_evaluates_as_found() {
    QTemporaryDir folder;
    const QString out = folder.filePath("better.hall.json");
    const QJsonObject r = search({"--out", out, "--choose", "2", "--top", "3"});
    const QJsonObject second = r["best"].toArray()[1].toObject();
    const Answer evaluated = run_cli({"evaluate", out, "--json"});
    QCOMPARE(evaluated.code, 0);
    const QJsonObject figures = evaluated.json().object()["figures"].toObject();
    const double step = figures["training.modelled_step_time"].toObject()["value"].toDouble();
    QVERIFY2(std::abs(step / second["step_s"].toDouble() - 1) < 1e-9,
             qPrintable(QString("%1 and %2").arg(step).arg(second["step_s"].toDouble())));
    const double memory = figures["training.memory_per_gpu"].toObject()["value"].toDouble();
    QVERIFY2(std::abs(memory / 1073741824.0 / second["memory_gib"].toDouble() - 1) < 1e-9,
             qPrintable(QString("%1 and %2").arg(memory / 1073741824.0).arg(second["memory_gib"].toDouble())));
    for (const QJsonValue& check : evaluated.json().object()["checks"].toArray())
      QVERIFY2(check["code"] != "TRN-001" && check["code"] != "TRN-002" && check["code"] != "TRN-003",
               qPrintable(check["message"].toString()));
    // Searched again, the layout stands as the present one.
    const QJsonObject now = search({}, 0, out)["now"].toObject();
    QCOMPARE(now["tp"], second["tp"]);
    QCOMPARE(now["step_s"].toDouble(), second["step_s"].toDouble());
    QCOMPARE(now["schedule"], second["schedule"]);
  }

  /// A layout that cannot be run does not hide the job.
  void a_broken_layout_is_searched_too() {
    const QJsonObject r = search({"--set", "job.tensor_parallel=7"});
    QVERIFY(r["now"].isNull());
    QCOMPARE(r["best"].toArray()[0], search({})["best"].toArray()[0]);
  }

  /// A layout that leaves GPUs idle and is quicker than all that use more is the first of the list, not beside it.
  void nothing_in_the_list_is_slower_than_the_present_layout() {
    for (const QString& name : {QStringLiteral("one-megawatt"), QStringLiteral("superpod-h100-4su")}) {
      const QJsonObject r = run_cli({"search", QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/") + name + ".hall.json", "--json"}).json().object();
      QVERIFY2(!r["now"].isNull(), qPrintable(name));
      QVERIFY2(r["best"].toArray()[0].toObject()["step_s"].toDouble() <= r["now"].toObject()["step_s"].toDouble() * (1 + 1e-9), qPrintable(name));
    }
  }

  /// A value that cannot be run is held all the same: nothing is found, and that is said.
  void a_present_value_that_cannot_run_is_held() {
    const Answer a = run_cli({"search", llama, "--set", "job.tensor_parallel=7", "--hold", "tensor_parallel=present", "--json"});
    QVERIFY2(a.code != 0, a.out.left(300).constData());
    QVERIFY(!a.out.contains("\"tp\": 1,"));
  }

  void samples_are_searched() {
    for (const QString& name : {QStringLiteral("deepseek-v3-2048-h800"), QStringLiteral("superpod-h100-4su")}) {
      const Answer a = run_cli({"search", QStringLiteral(HALLWRIGHT_SOURCE_DIR "/projects/") + name + ".hall.json", "--json",
                                "--hold", "context_parallel=1"});
      QVERIFY2(a.code == 0 || a.code == 1, qPrintable(name + ": " + a.err));
      QVERIFY2(a.json().object()["legal"].toDouble() > 0, qPrintable(name));
    }
  }

  void wrong_use_is_one_sentence() {
    const auto refuses = [](const QStringList& more, int code, const char* words) {
      const Answer a = run_cli(QStringList{"search", llama} + more);
      if (a.code != code || !one_sentence(a.err) || !a.err.contains(words))
        qWarning("%d: %s", a.code, a.err.constData());
      return a.code == code && one_sentence(a.err) && a.err.contains(words);
    };
    QVERIFY(refuses({"--hold", "tensor_parallel"}, 2, "AXIS=VALUE"));
    QVERIFY(refuses({"--hold", "tp=8"}, 2, "tensor_parallel, sequence_parallel"));
    QVERIFY(refuses({"--hold", "tensor_parallel=x"}, 2, "whole number"));
    QVERIFY(refuses({"--hold", "schedule=zigzag"}, 2, "1f1b"));
    QVERIFY(refuses({"--top", "0"}, 2, "--top"));
    QVERIFY(refuses({"--memory-share", "2"}, 2, "--memory-share"));
    QVERIFY(refuses({"--json", "--csv"}, 2, "exclude"));
    QVERIFY(refuses({"--gpus", "8", "--least-gpus", "16"}, 3, "least_gpus"));
    QVERIFY(refuses({"--out", "better.txt"}, 2, ".hall"));
  }
};

QTEST_GUILESS_MAIN(TestCliSearch)
#include "test_cli_search.moc"
