// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "catalog/rack_trays.h"

using namespace hallwright;

/// Integrated racks bring their trays. Numbers: an NVL72 rack has 72 GPUs in 18 compute trays of 4 (NVIDIA, GB200 NVL72
/// user guide).
class TestRackTrays : public QObject {
  Q_OBJECT
private:
  Catalog catalog_;
private Q_SLOTS:
  void initTestCase() {
    auto c = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs");
    QVERIFY2(c, c ? "" : c.error().front().c_str());
    catalog_ = std::move(*c);
  }
  void racks_data() {
    QTest::addColumn<QString>("rack");
    QTest::addColumn<QString>("accelerator");
    QTest::newRow("NVIDIA, GB200") << "gb200-nvl72" << "gb200-gpu";
    QTest::newRow("HPE, GB200") << "hpe-gb200-nvl72" << "gb200-gpu";
    QTest::newRow("Supermicro, GB300") << "smc-gb300-nvl72" << "gb300-gpu";
    QTest::newRow("Lenovo, GB300") << "lenovo-gb300-nvl72-45c" << "gb300-gpu";
    QTest::newRow("no tray of its kind is known") << "nvidia-vr-nvl72" << "";
    QTest::newRow("a cabinet") << "generic-48u-600x1200" << "";
  }
  void racks() {
    QFETCH(QString, rack);
    QFETCH(QString, accelerator);
    const RackPart* part = catalog_.find<RackPart>(rack.toStdString());
    QVERIFY(part);
    const auto trays = compute_trays_of(*part, catalog_);
    QCOMPARE(trays.has_value(), !accelerator.isEmpty());
    if (!trays) return;
    QCOMPARE(trays->count, Count{18});
    QCOMPARE(QString::fromStdString(trays->node->accelerator), accelerator);
    QCOMPARE(trays->count * trays->node->accelerators.value(), Count{72});
  }
};

QTEST_APPLESS_MAIN(TestRackTrays)
#include "test_rack_trays.moc"
