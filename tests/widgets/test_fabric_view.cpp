// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <QtWidgets>

#include "widgets/fabric/fabric_legend.h"
#include "widgets/fabric/fabric_view.h"
#include "widgets/fabric/faceplate.h"
#include "widgets/fabric/length_histogram.h"
#include "widgets/fabric/links_table.h"
#include "widgets/theme.h"

using namespace hallwright;
using namespace hallwright::wired;

namespace {

/// 127 nodes in four units of 32 places, 8 rails, switches of 64 ports in 32 twin cages: the published H100 reference
/// design of four units (RA-11333-001): 32 leafs, 16 spines, 1,020 cables node to leaf, 1,024 leaf to spine.
FabricRequest four_units() {
  FabricRequest q;
  q.nodes = 127;
  q.links_per_node = 8;
  q.radix = 64;
  q.nodes_per_unit = 32;
  q.reserved_node_places = 1;
  q.reserved_links = 4;
  return q;
}

std::shared_ptr<Picture> picture_of(const FabricRequest& q) {
  const Cages cages{q.radix / 2, 2};
  auto w = wire({q, cages, cages, cages});
  if (!w) {
    qWarning("%s", w.error().c_str());
    return {};
  }
  auto p = std::make_shared<Picture>();
  p->network = 1;
  p->name = QStringLiteral("Compute");
  p->wiring = std::make_shared<const Wiring>(std::move(*w));
  return p;
}

/// Two leafs of two nodes each and one spine, wired by hand: lengths and media are known of every link.
std::shared_ptr<Picture> by_hand() {
  auto w = std::make_shared<Wiring>();
  for (std::uint32_t n = 0; n < 4; ++n)
    w->devices.push_back({DeviceKind::node, 0, 0, n, n / 2, 0});
  for (std::uint32_t l = 0; l < 2; ++l)
    w->devices.push_back({DeviceKind::leaf, 0, 0, l, l, 0});
  w->devices.push_back({DeviceKind::spine, 0, 0, 0, 0, 0});
  w->first_manager = w->first_leaf = 4;
  w->first_spine = 6;
  w->first_core = 7;
  w->request.counts.radix = 8;
  w->request.counts.rails = false;
  w->request.counts.reserved_leaf_ports = 1;
  w->request.leaf_cages = {4, 2};
  w->counts.leafs = 2, w->counts.spines = 1;
  for (std::uint32_t n = 0; n < 4; ++n)
    w->links.push_back({n, 4 + n / 2, 1, static_cast<std::uint16_t>(1 + n % 2), 0, 0, LinkClass::node_leaf, true});
  for (std::uint32_t l = 0; l < 2; ++l)
    for (std::uint16_t i = 0; i < 2; ++i)
      w->links.push_back({4 + l, 6, static_cast<std::uint16_t>(5 + i), static_cast<std::uint16_t>(1 + 2 * l + i), 0, 0,
                          LinkClass::leaf_spine, true});
  w->first_of_class = {0, 4, 8, 8, 8, 8};
  w->index_links();
  auto p = std::make_shared<Picture>();
  p->network = 7;
  p->name = QStringLiteral("By hand");
  p->wiring = w;
  p->places = {{11, 3}, {11, 19}, {12, 3}, {12, 19}, {11, 81}, {12, 81}, {13, 41}};
  p->rack_names = {{11, QStringLiteral("R01-01")}, {12, QStringLiteral("R01-02")}, {13, QStringLiteral("R02-01")}};
  p->length_m = {2.0F, 2.5F, 2.0F, 2.5F, 14.0F, 14.2F, 31.0F, 31.2F};
  p->ordered_m = {2.0F, 3.0F, 2.0F, 3.0F, 15.0F, 15.0F, 35.0F, 35.0F};
  p->estimated.assign(8, false);
  p->medium = {LinkMedium::passive_copper, LinkMedium::active_copper, LinkMedium::passive_copper,
               LinkMedium::active_copper,  LinkMedium::multimode,     LinkMedium::multimode,
               LinkMedium::single_mode,    LinkMedium::single_mode};
  p->cables = {QStringLiteral("DAC"), QStringLiteral("ACC"), QStringLiteral("MPO-12 OM4"),
               QStringLiteral("MPO-12 OS2")};
  p->cable = {0, 1, 0, 1, 2, 2, 3, 3};
  return p;
}

void wheel(QWidget& w, QPointF at, int turn) {
  QWheelEvent e(at, w.mapToGlobal(at), {}, {0, turn}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&w, &e);
}

struct Shown {
  FabricView view;
  explicit Shown(const std::shared_ptr<Picture>& p, QSize size = {1240, 560}) {
    view.resize(size);
    view.setPicture(p);
    view.show();
    static_cast<void>(QTest::qWaitForWindowExposed(&view));
    view.setFocus();
    view.grab();
  }
};

bool reddish(QRgb c) { return qRed(c) > qGreen(c) + 60 && qRed(c) > qBlue(c) + 60; }

} // namespace

class TestFabricView : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() { apply_appearance(Appearance::light); }

  void tiers_stand_in_rows_with_units_pods_rails_and_planes_in_order() {
    const auto p = picture_of(four_units());
    QVERIFY(p);
    Shown s(p);
    const Scene& scene = s.view.scene();
    const Wiring& w = *p->wiring;
    QCOMPARE(scene.rows[0].size(), std::size_t{128}); // 127 nodes and the place of the managers
    QCOMPARE(scene.rows[1].size(), std::size_t{32});
    QCOMPARE(scene.rows[2].size(), std::size_t{16});
    QCOMPARE(scene.units.size(), std::size_t{4});
    const double nodes = s.view.deviceRect(0).top(), leafs = s.view.deviceRect(w.first_leaf).top(),
                 spines = s.view.deviceRect(w.first_spine).top();
    QVERIFY(spines < leafs && leafs < nodes);
    for (const Frame& f : scene.units)
      for (std::uint32_t d = 0; d < w.devices.size(); ++d)
        if (w.devices[d].kind <= DeviceKind::leaf && w.devices[d].unit == f.number)
          QVERIFY(scene.left[d] >= f.left && scene.right[d] <= f.right);
    for (std::size_t i = 1; i < 32; ++i) {
      const WiredDevice &a = w.devices[scene.rows[1][i - 1]], &b = w.devices[scene.rows[1][i]];
      QVERIFY(a.unit < b.unit || (a.unit == b.unit && a.rail < b.rail));
    }
    // Side by side: nothing of a row lies over its neighbour.
    for (const auto& row : scene.rows)
      for (std::size_t i = 1; i < row.size(); ++i)
        QVERIFY(scene.left[row[i]] >= scene.right[row[i - 1]] - 1e-9);

    FabricRequest two = four_units();
    two.planes = 2;
    two.reserved_links = 0, two.reserved_node_places = 0;
    const auto planes = picture_of(two);
    QVERIFY(planes);
    const Scene apart = make_scene(planes->wiring);
    QCOMPARE(apart.planes.size(), std::size_t{2});
    for (const std::uint32_t d : apart.rows[2]) {
      const Frame& f = apart.planes[planes->wiring->devices[d].plane];
      QVERIFY(apart.left[d] >= f.left - 1e-9 && apart.right[d] <= f.right + 1e-9);
    }
  }

  void ribbons_carry_every_link_once() {
    const auto p = picture_of(four_units());
    const Scene scene = make_scene(p->wiring);
    for (const auto* bands : {&scene.fine, &scene.coarse}) {
      std::array<std::size_t, 5> sums{};
      for (const Band& b : *bands)
        sums[static_cast<std::size_t>(b.kind)] += b.links;
      QCOMPARE(sums[0], std::size_t{1020});
      QCOMPARE(sums[1], std::size_t{1024});
    }
    // 32 x 16 pairs of leaf and spine, two links each.
    std::size_t pairs = 0;
    for (const Pair& q : scene.pairs)
      if (p->wiring->links[q.first_link].kind == LinkClass::leaf_spine) {
        ++pairs;
        QCOMPARE(q.links, 2U);
      }
    QCOMPARE(pairs, std::size_t{512});
  }

  void the_wheel_zooms_at_the_cursor_from_ribbons_to_ports() {
    const auto p = picture_of(four_units());
    Shown s(p);
    QVERIFY(s.view.fitted());
    QCOMPARE(s.view.detail(LinkClass::node_leaf), Detail::fine); // ribbons: nodes are too narrow for lines
    const QPointF at = s.view.deviceRect(40).center();
    for (int i = 0; i < 60; ++i)
      wheel(s.view, at, 120);
    s.view.grab();
    QVERIFY(std::abs(s.view.deviceRect(40).center().x() - at.x()) < 12.0 + 0.2 * s.view.deviceRect(40).width());
    QCOMPARE(s.view.detail(LinkClass::node_leaf), Detail::ports);
    QVERIFY(s.view.deviceRect(40).width() > 200); // eight ports that can be read
    for (int i = 0; i < 90; ++i)
      wheel(s.view, at, -120);
    s.view.grab();
    QVERIFY(s.view.deviceRect(40).width() < 14);
    // Keys: plus, minus, Home.
    QTest::keyClick(&s.view, Qt::Key_Plus);
    QVERIFY(!s.view.fitted());
    QTest::keyClick(&s.view, Qt::Key_Home);
    QVERIFY(s.view.fitted());
  }

  void middle_button_space_and_a_drag_pan() {
    const auto p = picture_of(four_units());
    Shown s(p);
    s.view.zoomBy(6);
    s.view.grab();
    const auto place = [&] { return s.view.deviceRect(60).center().x(); };
    const double before = place();
    QTest::mousePress(&s.view, Qt::MiddleButton, {}, {600, 300});
    QTest::mouseMove(&s.view, {650, 300});
    QTest::mouseRelease(&s.view, Qt::MiddleButton, {}, {650, 300});
    QVERIFY(std::abs(place() - before - 50) < 1.5);
    QTest::keyPress(&s.view, Qt::Key_Space);
    QTest::mousePress(&s.view, Qt::LeftButton, {}, {600, 300});
    QTest::mouseMove(&s.view, {560, 300});
    QTest::mouseRelease(&s.view, Qt::LeftButton, {}, {560, 300});
    QTest::keyRelease(&s.view, Qt::Key_Space);
    QVERIFY(std::abs(place() - before - 10) < 1.5);
    QVERIFY(s.view.selection().empty());
  }

  void pointing_names_both_ends_and_a_click_selects() {
    const auto p = by_hand();
    Shown s(p, {900, 520});
    QSignalSpy hovered(&s.view, &FabricView::hovered);
    const QPointF middle = s.view.linkMiddle(0);
    QTest::mouseMove(&s.view, middle.toPoint());
    QTRY_VERIFY(!hovered.isEmpty());
    const QString words = hovered.back().front().toString();
    QVERIFY2(words.contains(QStringLiteral("Node 1")) && words.contains(QStringLiteral("Leaf 1")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("R01-01 U2")) && words.contains(QStringLiteral("R01-01 U41")),
             qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("2.0")) || words.contains(QStringLiteral("2,0")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("passive copper")), qPrintable(words));
    // Port names of twin cages: leaf port 1 is the first of cage 1.
    QVERIFY2(words.contains(QStringLiteral("1/1")), qPrintable(words));

    QTest::mouseClick(&s.view, Qt::LeftButton, {}, middle.toPoint());
    QCOMPARE(s.view.selection().links, std::vector<std::uint32_t>{0});
    QTest::mouseClick(&s.view, Qt::LeftButton, {}, s.view.deviceRect(5).center().toPoint());
    QCOMPARE(s.view.selection().devices, std::vector<std::uint32_t>{5});
    QVERIFY(s.view.accessibleDescription().contains(QStringLiteral("Leaf 2")));
    QTest::mouseClick(&s.view, Qt::LeftButton, Qt::ControlModifier, s.view.deviceRect(4).center().toPoint());
    QCOMPARE(s.view.selection().devices.size(), std::size_t{2});
    QTest::keyClick(&s.view, Qt::Key_Escape);
    QVERIFY(s.view.selection().empty());
    // Without a mouse: to a leaf, its neighbour, up to the spine, down again.
    QTest::keyClick(&s.view, Qt::Key_Right);
    QCOMPARE(s.view.selection().devices, std::vector<std::uint32_t>{4});
    QTest::keyClick(&s.view, Qt::Key_Right);
    QCOMPARE(s.view.selection().devices, std::vector<std::uint32_t>{5});
    QTest::keyClick(&s.view, Qt::Key_Up);
    QCOMPARE(s.view.selection().devices, std::vector<std::uint32_t>{6});
    QTest::keyClick(&s.view, Qt::Key_Down);
    QVERIFY(s.view.selection().devices == std::vector<std::uint32_t>{4} ||
            s.view.selection().devices == std::vector<std::uint32_t>{5});
  }

  void a_ribbon_is_selected_with_all_of_its_links() {
    const auto p = picture_of(four_units());
    Shown s(p);
    const Frame& unit = s.view.scene().units[1];
    const double x =
        (s.view.deviceRect(s.view.scene().rows[0][32]).left() + s.view.deviceRect(s.view.scene().rows[0][63]).right()) /
        2;
    const double y = (s.view.deviceRect(0).top() + s.view.deviceRect(p->wiring->first_leaf).bottom()) / 2;
    QTest::mouseClick(&s.view, Qt::LeftButton, {}, QPoint(qRound(x), qRound(y + 30)));
    QCOMPARE(s.view.selection().links.size(), std::size_t{256}); // 32 nodes, 8 rails
    for (const std::uint32_t l : s.view.selection().links)
      QCOMPARE(p->wiring->devices[p->wiring->links[l].near].unit, unit.number);
    QVERIFY(s.view.words(s.view.selection()).contains(QStringLiteral("256")));
  }

  void racks_selected_elsewhere_are_lit() {
    const auto p = by_hand();
    Shown s(p, {900, 520});
    const QPoint corner = s.view.deviceRect(6).topLeft().toPoint() + QPoint(20, -2);
    const QColor before = s.view.grab().toImage().pixelColor(corner * s.view.devicePixelRatioF());
    s.view.setLitRacks({13});
    const QImage lit = s.view.grab().toImage();
    const QColor after = lit.pixelColor(corner * s.view.devicePixelRatioF());
    QVERIFY(before != after);
    s.view.setLitRacks({});
    QCOMPARE(s.view.grab().toImage().pixelColor(corner * s.view.devicePixelRatioF()), before);
  }

  void what_failed_is_crossed_out() {
    auto p = std::make_shared<Picture>(*by_hand());
    p->device_outage.assign(7, Outage::none);
    p->link_outage.assign(8, Outage::none);
    p->device_outage[5] = Outage::stated;
    p->link_outage[0] = Outage::stated;
    Shown s(p, {900, 520});
    const QImage image = s.view.grab().toImage();
    const double ratio = s.view.devicePixelRatioF();
    QVERIFY(reddish(image.pixel((s.view.deviceRect(5).center() * ratio).toPoint())));
    QVERIFY(reddish(image.pixel((s.view.linkMiddle(0) * ratio).toPoint())));
    QVERIFY(!reddish(image.pixel((s.view.deviceRect(4).center() * ratio).toPoint())));
    QVERIFY(s.view.words({{5}, {}}).contains(QStringLiteral("out of service")));
    s.view.setColorBy(ColorBy::failure);
    Count failed = 0;
    for (const LinkColors::Entry& e : s.view.colors().entries)
      if (e.name.contains(QStringLiteral("out of service"))) failed = e.links;
    QCOMPARE(failed, Count{1});
  }

  void colours_tell_rail_length_and_medium() {
    const auto p = picture_of(four_units());
    const LinkColors rails = link_colors(*p, ColorBy::rail);
    // 127 nodes have a link on each rail; managers take four more places.
    Count sum = 0;
    for (const LinkColors::Entry& e : rails.entries)
      sum += e.links;
    QCOMPARE(sum, Count{2044});
    std::set<QRgb> different;
    for (std::size_t r = 0; r < 8; ++r)
      different.insert(rails.entries[r].color.rgb());
    QCOMPARE(different.size(), std::size_t{8});
    const auto hand = by_hand();
    const LinkColors lengths = link_colors(*hand, ColorBy::length);
    QCOMPARE(lengths.entries[0].links, Count{2}); // up to 2 m
    QCOMPARE(lengths.entries[1].links, Count{2}); // up to 3 m
    QCOMPARE(lengths.entries[4].links, Count{2}); // up to 30 m
    QCOMPARE(lengths.entries[5].links, Count{2}); // up to 50 m
    const LinkColors media = link_colors(*hand, ColorBy::medium);
    QCOMPARE(media.entries[static_cast<std::size_t>(LinkMedium::multimode)].links, Count{2});
    // State is stroke as well as colour.
    QVERIFY(media.entries[static_cast<std::size_t>(LinkMedium::multimode)].stroke !=
            media.entries[static_cast<std::size_t>(LinkMedium::single_mode)].stroke);
    FabricLegend legend;
    legend.setColors(media);
    QVERIFY(legend.accessibleDescription().contains(QStringLiteral("multimode fibre")));
    QCOMPARE(share_text(1.0), QStringLiteral("100\u2009%"));
    QVERIFY(!share_text(0.99996).startsWith(QStringLiteral("100")));
  }

  void a_faceplate_has_cages_as_on_the_front_and_leads_to_the_far_end() {
    const auto p = picture_of(four_units());
    Faceplate plate;
    plate.resize(900, 120);
    plate.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plate));
    const std::uint32_t leaf = p->wiring->first_leaf;
    plate.setDevice(p, leaf);
    QCOMPARE(plate.ports(), Count{64});
    for (Count port = 1; port <= 64; ++port)
      QCOMPARE(plate.use(port), port <= 32 ? PortUse::down : PortUse::up);
    // Two rows: cage 1 above cage 2, cage 3 beside cage 1; two ports a cage.
    QVERIFY(plate.portRect(1).bottom() < plate.portRect(3).top());
    QCOMPARE(plate.portRect(1).left(), plate.portRect(3).left());
    QCOMPARE(plate.portRect(1).top(), plate.portRect(5).top());
    QVERIFY(plate.portRect(2).left() > plate.portRect(1).left() && plate.portRect(2).top() == plate.portRect(1).top());
    QVERIFY2(plate.portWords(33).contains(QStringLiteral("17/1")) &&
                 plate.portWords(33).contains(QStringLiteral("spine 1"), Qt::CaseInsensitive),
             qPrintable(plate.portWords(33)));
    QSignalSpy far(&plate, &Faceplate::farEndRequested);
    QTest::mouseClick(&plate, Qt::LeftButton, {}, plate.portRect(33).center().toPoint());
    QCOMPARE(far.size(), 1);
    QCOMPARE(far.front().front().toUInt(), p->wiring->first_spine);
    plate.setFocus();
    QTest::keyClick(&plate, Qt::Key_Right);
    QTest::keyClick(&plate, Qt::Key_Return);
    QCOMPARE(far.size(), 2);

    const auto hand = by_hand();
    plate.setDevice(hand, 4);
    QCOMPARE(plate.summary(), QStringLiteral("2 down, 2 up, 1 reserved, 3 idle"));
    QCOMPARE(plate.use(8), PortUse::reserved);
    QCOMPARE(plate.use(3), PortUse::idle);
  }

  void cables_are_listed_sorted_and_filtered() {
    const auto p = by_hand();
    LinksTable table;
    QAbstractItemModelTester tester(table.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    table.resize(1200, 400);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    table.setPicture(p);
    QCOMPARE(table.model()->rowCount(), 8);
    table.model()->sort(LinksModel::routed, Qt::DescendingOrder);
    QCOMPARE(table.model()->link(0), 7U);
    QTest::keyClicks(table.filter(), QStringLiteral("multimode"));
    QTRY_COMPARE(table.model()->rowCount(), 2);
    table.filter()->clear();
    QTest::keyClicks(table.filter(), QStringLiteral("leaf 2, R02-01"));
    QTRY_COMPARE(table.model()->rowCount(), 2); // its two links to the spine
    table.filter()->clear();
    QTRY_COMPARE(table.model()->rowCount(), 8);
    table.model()->sort(LinksModel::number, Qt::AscendingOrder);
    // A row chosen by the mouse is told; a link chosen elsewhere is shown.
    QSignalSpy chosen(&table, &LinksTable::linksSelected);
    const QRect cell = table.view()->visualRect(table.model()->index(5, 1));
    QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(chosen.back().front().value<std::vector<std::uint32_t>>(), std::vector<std::uint32_t>{5});
    QVERIFY(table.asTabSeparated().contains(QStringLiteral("Leaf 1\t")));
    table.setSelectedLinks({2, 3});
    QCOMPARE(table.view()->selectionModel()->selectedRows().size(), 2);
    const QByteArray csv = LinksModel::csv(*p, {0, 7});
    QCOMPARE(csv.count('\n'), 3);
    QVERIFY2(csv.contains("R02-01 U21,Spine") || csv.contains(",31.200,35.000,"), csv.constData());
    QVERIFY(csv.contains("node-leaf"));
  }

  void lengths_are_binned_and_reach_is_drawn() {
    LengthHistogram h;
    h.resize(700, 300);
    h.setPicture(by_hand(), {{LinkMedium::multimode, 30, QStringLiteral("multimode fibre")}});
    Count sum = 0;
    for (const LengthHistogram::Bin& b : h.bins())
      sum += b.sum();
    QCOMPARE(sum, Count{8});
    // A length on the edge belongs to the bin that ends there: the two of 2.0 m are not over 2 m.
    for (const LengthHistogram::Bin& b : h.bins())
      if (b.to == 2.0) QCOMPARE(b.cables[static_cast<std::size_t>(LinkMedium::passive_copper)], Count{2});
    QVERIFY(h.accessibleDescription().contains(QStringLiteral("30 m")));
    QVERIFY(!h.image().isNull());
  }

  void a_hundred_thousand_gpus_take_few_lines() {
    FabricRequest q;
    q.nodes = 12288;
    q.links_per_node = 8;
    q.radix = 128;
    q.nodes_per_unit = 64;
    q.tiers = Tiers::three;
    auto p = picture_of(q);
    QVERIFY(p);
    QCOMPARE(p->wiring->links.size(), std::size_t{294912});
    const auto scene = std::make_shared<const Scene>(make_scene(p->wiring));
    FabricView view;
    view.resize(QSize(1240, 640) / view.devicePixelRatioF()); // as many pixels at every scale
    view.setPicture(p, scene);
    QPixmap target(view.size());
    view.render(&target);
    std::size_t lines = 0;
    for (int i = 0; i < 70; ++i) {
      view.zoomBy(1.12);
      view.render(&target);
      lines = std::max(lines, view.drawnLines());
    }
    QCOMPARE(view.detail(LinkClass::node_leaf), Detail::ports); // down to one port
    QVERIFY2(lines < 12'000, qPrintable(QString::number(lines))); // of 294,912 links: what a frame costs
    // The table: sorted and filtered at once, scrolled row by row.
    LinksModel model;
    model.setPicture(p);
    QCOMPARE(model.rowCount(), 294912);
    model.sort(LinksModel::to, Qt::DescendingOrder);
    model.setFilter(QStringLiteral("leaf 1500"));
    QCOMPARE(model.rowCount(), 128); // 64 nodes below, 64 links to spines
  }
};

QTEST_MAIN(TestFabricView)
#include "test_fabric_view.moc"
