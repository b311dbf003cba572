// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "fabric/faceplate_ports.h"

using namespace hallwright;

/// Names of ports on faceplates and in switch operating systems. Expected numbers are counted by hand: cage 17 of a
/// switch with two links a cage holds links 33 and 34; Cumulus Linux counts the parts of a split port from s0.
class TestFaceplatePorts : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void names_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("links_per_cage");
    QTest::addColumn<int>("port");
    QTest::newRow("faceplate, first of two") << "17/1" << 2 << 33;
    QTest::newRow("faceplate, second of two") << "17/2" << 2 << 34;
    QTest::newRow("split port, first") << "swp17s0" << 2 << 33;
    QTest::newRow("split port, fourth of four") << "swp3s3" << 4 << 12;
    QTest::newRow("whole port") << "swp17" << 1 << 17;
    QTest::newRow("a cage of several, the part not told") << "swp17" << 2 << 0;
    QTest::newRow("a part that the cage does not have") << "17/3" << 2 << 0;
    QTest::newRow("parts of a faceplate count from 1") << "17/0" << 2 << 0;
    QTest::newRow("cages count from 1") << "swp0s0" << 2 << 0;
    QTest::newRow("another form") << "Ethernet17/1" << 2 << 0;
    QTest::newRow("something behind") << "17/1a" << 2 << 0;
    QTest::newRow("nothing") << "" << 2 << 0;
    QTest::newRow("only the word") << "swp" << 1 << 0;
    QTest::newRow("beyond any switch") << "99999999999999999999/1" << 2 << 0;
    QTest::newRow("negative") << "-1/1" << 2 << 0;
  }
  void names() {
    QFETCH(QString, name);
    QFETCH(int, links_per_cage);
    QFETCH(int, port);
    const auto read = port_of_name(name.toStdString(), links_per_cage);
    QCOMPARE(read.value_or(0), Count{port});
  }
};

QTEST_APPLESS_MAIN(TestFaceplatePorts)
#include "test_faceplate_ports.moc"
