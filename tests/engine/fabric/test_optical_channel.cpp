// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "fabric/optical_channel.h"

using namespace hallwright;

namespace {

void near(double ours, double expected, double tolerance = 1e-9) {
  QVERIFY2(std::abs(ours - expected) <= tolerance,
           qPrintable(QString("%1 is not %2").arg(ours, 0, 'g', 12).arg(expected, 0, 'g', 12)));
}

constexpr ModuleSocket mpo_single{"MPO-12", Polish::angled, FibreKind::single_mode};

} // namespace

class TestOpticalChannel : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// Published example: two panels and 100 m of single mode, 4 x 0.35 + 0.1 x 0.4 = 1.44 dB.
  void twoPanelsAndAHundredMetres() {
    const ChannelRules rules;
    near(channel_loss_db(rules, {FibreKind::single_mode, false, joints_of_panels(2), 100.0}), 1.44);
    // LC joints of 0.25 dB; 2 km of FR4: 4 x 0.25 + 2 x 0.4.
    near(channel_loss_db(rules, {FibreKind::single_mode, true, 4, 2000.0}), 1.8);
    // 50 m of multimode at 3 dB/km without panels.
    near(channel_loss_db(rules, {FibreKind::multimode, false, 0, 50.0}), 0.15);
  }

  /// NVIDIA's reach of 100 m has two panels in it: without panels the margin is their four joints.
  void budgetFromReach() {
    const ChannelRules rules;
    const ChannelBudget budget{std::nullopt, 100.0};
    const ChannelLoss bare = channel_loss(rules, {FibreKind::single_mode, false, 0, 100.0}, budget);
    QVERIFY(bare.budget_estimated);
    near(*bare.budget_db, 1.44);
    near(*bare.margin_db, 1.40);
    near(*channel_loss(rules, {FibreKind::single_mode, false, 4, 100.0}, budget).margin_db, 0.0);
    // A third panel breaks the claim even where the length is short: 6 x 0.35 = 2.1 dB.
    QVERIFY(*channel_loss(rules, {FibreKind::single_mode, false, 6, 5.0}, budget).margin_db < 0);
    QVERIFY(*longest_channel_m(rules, FibreKind::single_mode, false, 6, budget) < 0);
    near(*longest_channel_m(rules, FibreKind::single_mode, false, 4, budget), 100.0, 1e-6);
  }

  /// 400GBASE-SR4.2 states 1.8 dB on OM4; a stated budget wins over one from the reach.
  void statedBudget() {
    const ChannelRules rules;
    const ChannelLoss l = channel_loss(rules, {FibreKind::multimode, false, 4, 100.0}, {1.8, 100.0});
    QVERIFY(!l.budget_estimated);
    near(l.loss_db, 1.7); // 4 x 0.35 + 0.1 x 3
    near(*l.margin_db, 0.1);
    QVERIFY(!channel_loss(rules, {}, {}).budget_db);
  }

  void rulesComeFromTheCatalog() {
    const Catalog shipped = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value();
    QVERIFY(channel_rules(shipped) == ChannelRules{});
    Catalog c;
    Assumption a;
    a.id = "cabling.mpo_joint_loss";
    a.value = 0.5;
    a.unit = "dB";
    c.assumptions = {a};
    near(channel_rules(c).mpo_joint_db, 0.5);
  }

  void usualChainsClose_data() {
    QTest::addColumn<QString>("connector");
    QTest::addColumn<int>("panels");
    for (const char* connector : {"MPO-12", "LC"})
      for (const int panels : {0, 1, 2, 3, 4})
        QTest::newRow(qPrintable(QString("%1 over %2 panels").arg(connector).arg(panels))) << connector << panels;
  }
  void usualChainsClose() {
    QFETCH(QString, connector);
    QFETCH(int, panels);
    ModuleSocket socket = mpo_single;
    socket.connector = connector.toStdString();
    if (connector == "LC") socket.polish = Polish::flat;
    const auto chain = usual_chain(socket, panels);
    QCOMPARE(chain.size(), static_cast<std::size_t>(panels + 1));
    const auto problems = chain_problems(socket, chain, socket);
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
  }

  void twoPanelsTakePatchTrunkPatch() {
    const auto chain = usual_chain(mpo_single, 2);
    QVERIFY(chain[0].near.pins == Pins::female && chain[0].far.pins == Pins::female);
    QVERIFY(chain[1].near.pins == Pins::male && chain[1].far.pins == Pins::male);
    QVERIFY(chain[2].near.pins == Pins::female && chain[2].far.pins == Pins::female);
  }

  void faultsAreNamed() {
    // Flat polish in an angled chain.
    auto chain = usual_chain(mpo_single, 0);
    chain[0].near.polish = chain[0].far.polish = Polish::flat;
    auto problems = chain_problems(mpo_single, chain, mpo_single);
    QCOMPARE(problems.size(), 2u);
    QVERIFY(problems[0].find("mixed polish") != std::string::npos);
    // Three cables, the trunk straight: Tx would meet Tx.
    chain = usual_chain(mpo_single, 2);
    chain[1].polarity = Polarity::type_a;
    problems = chain_problems(mpo_single, chain, mpo_single);
    QCOMPARE(problems.size(), 1u);
    QVERIFY(problems[0].find("transmitters") != std::string::npos);
    // Two straight ones cancel.
    chain[0].polarity = Polarity::type_a;
    QVERIFY(chain_problems(mpo_single, chain, mpo_single).empty());
    // Two cords without pins meet in one panel.
    chain = usual_chain(mpo_single, 0);
    chain.push_back(chain[0]);
    problems = chain_problems(mpo_single, chain, mpo_single);
    QCOMPARE(problems.size(), 1u);
    QVERIFY(problems[0].find("pins") != std::string::npos);
    // LC against MPO, multimode against single mode.
    ModuleSocket lc{"LC", Polish::flat, FibreKind::single_mode};
    QVERIFY(!chain_problems(mpo_single, usual_chain(mpo_single, 0), lc).empty());
    ModuleSocket multi = mpo_single;
    multi.fibre = FibreKind::multimode;
    QVERIFY(!chain_problems(multi, usual_chain(mpo_single, 0), multi).empty());
    QCOMPARE(chain_problems(mpo_single, {}, mpo_single).size(), 1u);
  }

  void plugsFromWords() {
    QCOMPARE(plug_of("MPO-12/APC").connector, std::string("MPO-12"));
    QVERIFY(plug_of("MPO-12/APC").polish == Polish::angled);
    QVERIFY(plug_of("LC").polish == Polish::flat);
    QVERIFY(plug_of("LC", "APC").polish == Polish::angled);
  }

  /// 4.5 ns/m: 10 m apart are 45 ns.
  void skewAndBend() {
    near(skew_ns({}, 10.0), 45.0);
    near(skew_ns({}, -10.0), 45.0);
    near(bend_depth_mm(60.0, 50.0, 8.0), 114.0);
  }
};

QTEST_APPLESS_MAIN(TestOpticalChannel)
#include "test_optical_channel.moc"
