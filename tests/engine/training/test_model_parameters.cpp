// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QtTest>

#include <set>

#include "engine/training/job_fixture.h"

using namespace hallwright;
using namespace hallwright::fixture;

class TestModelParameters : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void publishedCountsAreMet_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<double>("total");
    QTest::addColumn<double>("active");
    QFile file(HALLWRIGHT_SOURCE_DIR "/tests/data/models/parameter_counts.csv");
    QVERIFY(file.open(QIODevice::ReadOnly));
    file.readLine();
    while (!file.atEnd()) {
      const auto cells = QString::fromUtf8(file.readLine()).split(',');
      QTest::newRow(qPrintable(cells[0])) << cells[0] << cells[1].toDouble() << cells[2].toDouble();
    }
  }
  void publishedCountsAreMet() {
    QFETCH(QString, model);
    QFETCH(double, total);
    QFETCH(double, active);
    const ModelPart* part = shipped_catalog()->find<ModelPart>(model.toStdString());
    QVERIFY(part);
    const auto counted = model_parameters(*part);
    // Their sources state no vocabulary: refused with the reason, never counted without embeddings.
    if (model == "mt-nlg-530b" || model == "nemotron4-340b") {
      QVERIFY(!counted);
      QVERIFY(counted.error().find("vocabulary") != std::string::npos);
      return;
    }
    QVERIFY2(counted.has_value(), counted ? "" : counted.error().c_str());
    // Names, not counts: "7B" is 6.74 billion (Llama 2 paper), "1T" is 1.03 trillion.
    static const std::set<QString> nominal{"llama2-7b", "kimi-k2"};
    if (nominal.count(model)) {
      QVERIFY(std::abs(counted->total / 1e9 - total) > 0.015 * total);
      QVERIFY(near(counted->total / 1e9, total, 0.04));
    } else {
      QVERIFY(near(counted->total / 1e9, total, 0.015));
    }
    // Published active counts that leave embeddings out, or are rounded to whole billions.
    static const std::set<QString> loose{"llama2-7b", "kimi-k2", "gpt-oss-20b", "gpt-oss-120b", "deepseek-v2"};
    QVERIFY(near(counted->active / 1e9, active, loose.count(model) ? 0.17 : 0.015));
    QVERIFY(counted->active <= counted->total);
  }

  void llama405ByHand() {
    // Attention: 2 x 16384 x 16384 + 2 x 16384 x 1024 = 570,425,344. Feed-forward: 3 x 16384 x 53248 = 2,617,245,696.
    // Norms: 2 x 16384. A layer: 3,187,703,808; 126 layers: 401,650,679,808. Embeddings: 2 x 128256 x 16384 =
    // 4,202,692,608. Final norm: 16,384. Sum: 405,853,388,800.
    const auto p = model_parameters(*shipped_catalog()->find<ModelPart>("llama3-1-405b"));
    QVERIFY(p.has_value());
    QCOMPARE(p->total, 405853388800.0);
    QCOMPARE(p->active, 405853388800.0);
    QCOMPARE(p->per_dense_layer, 3187703808.0);
    QCOMPARE(p->embedding, 4202692608.0);
    QCOMPARE(p->per_expert_layer, 0.0);
  }
  void countsOfReleasedWeights_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<double>("weights");
    // Elements in the released weight files.
    QTest::newRow("Llama 3 8B") << "llama3-8b" << 8030261248.0;
    QTest::newRow("Llama 3.1 70B") << "llama3-1-70b" << 70553706496.0;
    QTest::newRow("Mixtral 8x7B") << "mixtral-8x7b" << 46702792704.0;
    QTest::newRow("Llama 2 7B") << "llama2-7b" << 6738415616.0;
  }
  void countsOfReleasedWeights() {
    QFETCH(QString, model);
    QFETCH(double, weights);
    const auto p = model_parameters(*shipped_catalog()->find<ModelPart>(model.toStdString()));
    QVERIFY(p.has_value());
    QCOMPARE(p->total, weights);
  }
  void expertLayersStartAfterTheDenseOnesAndSkip() {
    // DeepSeek-V3: 61 layers, 3 dense. Expert layer minus dense layer: 3 x 7168 x 2048 x 257 + 7168 x 256 - 3 x 7168 x 18432.
    const auto v3 = model_parameters(*shipped_catalog()->find<ModelPart>("deepseek-v3"));
    QVERIFY(v3.has_value());
    const double layers = 58 * v3->per_expert_layer + 3 * v3->per_dense_layer;
    QCOMPARE(v3->total, layers + v3->embedding + 7168);
    QCOMPARE(v3->per_expert_layer - v3->per_dense_layer, 3.0 * 7168 * 2048 * 257 + 7168.0 * 256 - 3.0 * 7168 * 18432);
    // Llama 4 Maverick: every second of 48 layers has experts.
    const auto maverick = model_parameters(*shipped_catalog()->find<ModelPart>("llama4-maverick"));
    QVERIFY(maverick.has_value());
    QCOMPARE(maverick->total, 24 * maverick->per_expert_layer + 24 * maverick->per_dense_layer + maverick->embedding + 5120);
  }
  void headSizeComesFromTheHiddenSizeAndRefusesFractions() {
    ModelPart m = *shipped_catalog()->find<ModelPart>("llama3-8b");
    m.head_dimension.reset(); // 4096 / 32 = 128, as stated
    QCOMPARE(model_parameters(m)->total, 8030261248.0);
    m.attention_heads = 30;
    const auto refused = model_parameters(m);
    QVERIFY(!refused);
    QVERIFY(refused.error().find("does not divide") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestModelParameters)
#include "test_model_parameters.moc"
