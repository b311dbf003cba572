// SPDX-License-Identifier: GPL-3.0-or-later
// Files of cables: what stands in them, and that the as-built readers find in them exactly what was planned.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "fabric/as_built.h"
#include "fabric/cable_exports.h"
#include "project/rack_list.h"
#include "ruled_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

using Cells = std::map<std::string, std::string>;

/// Lines of a CSV by column; every line has as many cells as the heading.
std::vector<Cells> rows_of(const std::string& csv) {
  const auto lines = read_delimited(csv, ',');
  if (!lines) qFatal("%s", lines.error().c_str());
  std::vector<Cells> out;
  for (std::size_t i = 1; i < lines->size(); ++i) {
    if ((*lines)[i].cells.size() != lines->front().cells.size())
      qFatal("line %zu has %zu cells", i + 1, (*lines)[i].cells.size());
    Cells& row = out.emplace_back();
    for (std::size_t c = 0; c < lines->front().cells.size(); ++c)
      row[lines->front().cells[c]] = (*lines)[i].cells[c];
  }
  return out;
}

std::string text_of(const CableBook& book, CableFile file, PortNames names = PortNames::numbers) {
  auto text = cable_file_text(book, file, names);
  if (!text) qFatal("%s", text.error().c_str());
  return *std::move(text);
}

CableBook book_of(const Ruled& r, const std::string& network = {}) {
  auto book = cable_book(r.design, r.catalog, r.cabling, network);
  if (!book) qFatal("%s", book.error().c_str());
  return *std::move(book);
}

/// A network that stands nowhere.
CablingResult nowhere(Wiring wiring, const std::string& name = "Compute") {
  NetworkCabling c;
  c.network = 7;
  c.name = name;
  DevicePlaces places;
  places.places.resize(wiring.devices.size());
  c.wiring = std::make_shared<const Wiring>(std::move(wiring));
  c.places = std::make_shared<const DevicePlaces>(std::move(places));
  Network n;
  n.id = 7;
  n.name = name;
  n.switch_part = "qm9700";
  c.plan_inputs = {n, c.wiring, c.places, share(CableRoutes()), share(shipped_parts()), "dgx-h100", 30000.0};
  c.plan = std::make_shared<const CablePlan>(cable_plan(c.plan_inputs));
  CablingResult out;
  out.networks.push_back(std::move(c));
  return out;
}

/// What as-built tells about the plan read back from a file; empty: no difference and every link matched.
std::string difference(const CableBook& book, CableFile file, const std::string& what) {
  const std::string text = text_of(book, file);
  const FoundSource source{text, what};
  const auto found = read_found_links({&source, 1});
  if (!found) return found.error();
  const CableBookNetwork& n = book.networks.front();
  const PlannedFabric plan = planned_fabric(*n.cabling.wiring, n.cabling.name + " ");
  // Files for NetBox name devices as its device list does.
  CablingResult cabling;
  cabling.networks = {n.cabling};
  const NetboxDevices drawn(book.design, *book.catalog);
  const AsBuiltResult r = compare_as_built(plan, with_network_names(*found, cabling, drawn));
  std::string out;
  for (const AsBuiltFinding& f : r.findings)
    if (out.size() < 600) out += fmt::format("{} | {} | {} | {}\n", as_built_word(f.kind), f.where, f.far, f.found);
  if (r.matched != plan.links.size() || r.links != plan.links.size())
    out += fmt::format("{} of {} links match, {} were read\n", r.matched, plan.links.size(), r.links);
  return out.empty() ? out : fmt::format("{} as {}: {}", what, cable_file_word(file), out);
}

constexpr CableFile read_back[] = {CableFile::schedule, CableFile::netbox, CableFile::topo, CableFile::ptm};

WiringRequest any_wiring(std::mt19937& random) {
  const auto from = [&](std::initializer_list<Count> values) {
    return *(values.begin() + static_cast<std::ptrdiff_t>(random() % values.size()));
  };
  WiringRequest r;
  FabricRequest& q = r.counts;
  q.topology = static_cast<Topology>(from({0, 0, 0, 1, 2}));
  q.radix = from({8, 16, 24, 36, 40, 64, 128});
  q.links_per_node = from({1, 2, 4, 8, 9});
  q.nodes = from({2, 7, 40, 127, 300});
  q.rails = random() % 2;
  q.nodes_per_unit = from({0, 4, 5, 16, 32});
  q.oversubscription = random() % 3 ? 1.0 : 2.0;
  q.planes = from({1, 1, 2, 3});
  q.units = random() % 2 ? UnitRule::whole : UnitRule::lit;
  q.bundles = random() % 3 ? BundleRule::equal : BundleRule::uneven;
  q.reserved_node_places = from({0, 0, 1});
  q.reserved_links = q.reserved_node_places ? from({0, 4}) : 0;
  r.leaf_cages.links_per_cage = r.spine_cages.links_per_cage = from({1, 2});
  return r;
}

} // namespace

class TestCableExports : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void words() {
    for (const char* word : {"schedule", "netbox", "topo", "ptm", "pull", "ports", "tests"})
      QCOMPARE(cable_file_word(*cable_file_of(word)), std::string_view(word));
    QVERIFY(cable_file_of("xls").error().find("schedule, netbox") != std::string::npos);
    QVERIFY(port_names_of("eth").error().find("numbers, faceplate, swp") != std::string::npos);
  }

  void a_schedule_tells_both_ends() {
    const Ruled r = ruled(hall_of(31, 12));
    const CableBook book = book_of(r);
    const auto rows = rows_of(text_of(book, CableFile::schedule));
    const CablePlan& plan = *r.cabling.networks[0].plan;
    // 31 nodes x 8, 4 to the fabric manager; 8 leafs of 32 ports up.
    QCOMPARE(rows.size(), std::size_t(31 * 8 + 4 + 8 * 32));
    // The first node stands lowest in the first rack; its first port is on the first port of the first leaf.
    const Cells& first = rows[0];
    QCOMPARE(first.at("network"), std::string("Compute"));
    QCOMPARE(first.at("cable_id"), std::string("C000001"));
    QCOMPARE(first.at("near_device"), std::string("Compute node 1"));
    QCOMPARE(first.at("near_hall"), std::string("Hall A"));
    QCOMPARE(first.at("near_rack"), std::string("R100"));
    QCOMPARE(first.at("near_u"), std::string("1"));
    QCOMPARE(first.at("near_port"), std::string("1"));
    QCOMPARE(first.at("near_optic"), std::string("mma4z00-ns-flt"));
    QCOMPARE(first.at("far_device"), std::string("Compute leaf 1"));
    QCOMPARE(first.at("far_port"), std::string("1"));
    QCOMPARE(first.at("far_faceplate"), std::string("1/1"));
    QCOMPARE(first.at("far_optic"), std::string("mma4z00-ns"));
    QCOMPARE(first.at("cable_part"), std::string("mmf-mpo-400"));
    QCOMPARE(first.at("fibre"), std::string("OM4"));
    QCOMPARE(first.at("medium"), std::string("multimode fibre"));
    QCOMPARE(first.at("length_basis"), std::string("estimate: no trays join the racks"));
    QCOMPARE(first.at("rail"), std::string("1"));
    QCOMPARE(first.at("plane"), std::string());
    QCOMPARE(first.at("lit"), std::string("yes"));
    const std::string far = "HallA." + first.at("far_rack") + "-" + first.at("far_u") + ":1.1";
    QCOMPARE(first.at("label"), "HallA.R100-1:c1/" + far);
    QCOMPARE(first.at("far_label"), far + "/HallA.R100-1:c1");
    std::set<std::string> labels, ends;
    Count cables = 0;
    double ordered = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Cells& row = rows[i];
      QVERIFY2(labels.insert(row.at("label")).second, row.at("label").c_str());
      for (const char* end : {"near", "far"}) {
        const std::string at = row.at(end + std::string("_device")) + " " + row.at(end + std::string("_port"));
        QVERIFY2(ends.insert(at).second, at.c_str());
      }
      const double routed = std::stod(row.at("routed_m"));
      QVERIFY(std::abs(routed - plan.links[i].routed_mm / 1000) <= 0.005 + 1e-9);
      QVERIFY(std::stod(row.at("ordered_m")) >= routed - 0.005);
      QVERIFY(std::stod(row.at("ordered_m")) <= std::stod(row.at("length_class")));
      cables += std::stoi(row.at("cables"));
      ordered += std::stod(row.at("ordered_m")) * std::stoi(row.at("cables"));
    }
    Count planned = 0;
    double planned_m = 0;
    for (const CableRow& row : plan.cables)
      planned += row.cables, planned_m += row.ordered_m;
    QCOMPARE(cables, planned);
    QVERIFY(std::abs(ordered - planned_m) < 0.01 * static_cast<double>(planned));
  }

  void splitters_have_a_line_for_each_leg() {
    // The first two links lie in one splitter cable, the others each in a cable of its own.
    WiringRequest q;
    q.counts.nodes = 4;
    CablingResult cabling = nowhere(*wire(q));
    CablePlan plan = *cabling.networks[0].plan;
    QVERIFY(plan.choice_of(0));
    plan.links[1].cable = 0;
    cabling.networks[0].plan = std::make_shared<const CablePlan>(plan);
    const auto book = cable_book(Design(), share(shipped_parts()), cabling);
    QVERIFY(book);
    const auto rows = rows_of(text_of(*book, CableFile::schedule));
    const char* expected[3][4] = {{"C000001", "1", "2", "1"}, {"C000001", "2", "2", "0"}, {"C000002", "1", "1", "1"}};
    for (std::size_t i = 0; i < 3; ++i) {
      std::size_t k = 0;
      for (const char* column : {"cable_id", "leg", "legs", "cables"})
        QCOMPARE(rows[i].at(column), std::string(expected[i][k++]));
    }
    const auto netbox = rows_of(text_of(*book, CableFile::netbox));
    QCOMPARE(netbox[1].at("comments"), std::string("leg 2 of 2 of cable C000001"));
    QCOMPARE(netbox[2].at("comments"), std::string());
    QCOMPARE(difference(*book, CableFile::netbox, "splitters"), std::string());
    std::size_t cables = 0;
    for (const Cells& row : rows_of(text_of(*book, CableFile::pull))) {
      QCOMPARE(row.at("from_rack"), std::string("(not drawn)"));
      cables += std::stoul(row.at("cables"));
    }
    QCOMPARE(cables, rows.size() - 1);
  }

  void formulas_and_quotes_are_guarded() {
    Design d = hall_of(2, 2);
    d = with(d, &Design::racks, [](std::vector<Rack>& racks) { racks[0].name = "=cmd|'/c calc'!A0"; });
    d = with(d, &Design::halls, [](std::vector<Hall>& halls) { halls[0].name = "+Hall \"A\", north"; });
    const CableBook book = book_of(ruled(d));
    for (const CableFile file :
         {CableFile::schedule, CableFile::netbox, CableFile::pull, CableFile::ports, CableFile::tests}) {
      const auto rows = rows_of(text_of(book, file));
      QVERIFY(!rows.empty());
      for (const Cells& row : rows)
        for (const auto& [column, value] : row)
          QVERIFY2(value.empty() || std::string("=+-@\t\r").find(value[0]) == std::string::npos ||
                       column == "margin_db",
                   (column + ": " + value).c_str());
    }
    const Cells row = rows_of(text_of(book, CableFile::schedule))[0];
    QCOMPARE(row.at("near_rack"), std::string("'=cmd|'/c calc'!A0"));
    QCOMPARE(row.at("near_hall"), std::string("'+Hall \"A\", north"));
  }

  void names_that_say_nothing_are_refused() {
    Design d = hall_of(8, 2);
    d = with(d, &Design::racks, [](std::vector<Rack>& racks) { racks[1].name = racks[0].name; });
    const Ruled r = ruled(d);
    const auto book = cable_book(r.design, r.catalog, r.cabling);
    QVERIFY(!book);
    QVERIFY2(book.error().find("two racks of hall \"Hall A\" are named \"R100\"") == 0, book.error().c_str());
    Network a = compute_network(), b = compute_network();
    b.id = compute_id + 1;
    b.name = "compute";
    const Ruled twice = ruled(hall_of(4, 8, {a, b}));
    const auto both = cable_book(twice.design, twice.catalog, twice.cabling);
    QVERIFY(!both && both.error().find("two networks are named") == 0);
    const auto none = cable_book(r.design, r.catalog, r.cabling, "Storage");
    QVERIFY(!none && none.error() == "the design has no network \"Storage\"; it has Compute");
    // A port that two links use.
    WiringRequest q;
    q.counts.nodes = 4;
    Wiring w = *wire(q);
    w.links[1].near = w.links[0].near;
    w.links[1].near_port = w.links[0].near_port;
    w.index_links();
    const auto shared = cable_book(Design(), share(shipped_parts()), nowhere(w));
    QVERIFY(!shared);
    QCOMPARE(shared.error(), std::string("port 1 of Compute node 1 is used by two links; every port takes one"));
  }

  void networks_on_one_node_have_labels_of_their_own() {
    Network storage = compute_network();
    storage.id = compute_id + 1;
    storage.name = "Storage";
    storage.kind = NetworkKind::storage;
    storage.reserved_node_places = storage.reserved_links = 0;
    const CableBook book = book_of(ruled(hall_of(8, 20, {compute_network(), storage})));
    QCOMPARE(book.networks.size(), std::size_t(2));
    std::set<std::string> labels, ids;
    for (const Cells& row : rows_of(text_of(book, CableFile::schedule))) {
      QVERIFY2(labels.insert(row.at("label")).second, row.at("label").c_str());
      QVERIFY(ids.insert(row.at("cable_id")).second);
    }
    QVERIFY(ids.contains("S000001"));
  }

  void pull_list_follows_the_trays() {
    Design d = hall_of(31, 12);
    std::vector<Tray> trays(2);
    for (std::size_t i = 0; i < 2; ++i) {
      trays[i].id = 300 + static_cast<Id>(i);
      trays[i].hall = 5;
      trays[i].name = i ? "Cross" : "Along";
    }
    trays[0].path = {{800, 1600}, {9000, 1600}};
    trays[1].path = {{9000, 1600}, {9000, 5000}};
    d.trays = share(trays);
    const Ruled r = ruled(d);
    const CableBook book = book_of(r);
    const auto rows = rows_of(text_of(book, CableFile::pull));
    std::map<std::string, Count> on_tray;
    std::map<std::string, Count> first_step;
    for (const Cells& row : rows) {
      on_tray[row.at("tray")] += std::stoi(row.at("cables"));
      if (std::stoi(row.at("step")) <= 1) first_step["all"] += std::stoi(row.at("cables"));
      if (row.at("tray") == "Along") {
        QCOMPARE(row.at("tray_kind"), std::string("fibre"));
        QVERIFY(row.at("way").find("Along") != std::string::npos);
        QCOMPARE(row.at("length_basis"), std::string("routed"));
      }
    }
    Count planned = 0;
    for (const CableRow& row : r.cabling.networks[0].plan->cables)
      planned += row.cables;
    QCOMPARE(first_step["all"], planned); // each cable is pulled once
    QVERIFY(on_tray["Along"] > 0);
    QVERIFY(r.cabling.trays);
    for (const TrayLoad& load : r.cabling.trays->loads)
      if (load.tray == 300) QVERIFY(on_tray["Along"] >= load.cables); // at its fullest place
  }

  void port_sheets_hold_every_end() {
    const CableBook book = book_of(ruled(hall_of(31, 12)));
    std::size_t ends = 0;
    for (const RackPorts& rack : rack_ports(book)) {
      QVERIFY(rack.rack == 0 || !rack.name.empty());
      ends += rack.lines.size();
    }
    const std::size_t links = book.networks[0].cabling.wiring->links.size();
    QCOMPARE(ends, 2 * links);
    const auto rows = rows_of(text_of(book, CableFile::ports));
    QCOMPARE(rows.size(), 2 * links);
    std::set<std::string> labels;
    for (const Cells& row : rows)
      QVERIFY(labels.insert(row.at("label")).second);
    // From the top of a rack down.
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (!rows[i].at("rack").empty() && rows[i].at("rack") == rows[i - 1].at("rack"))
        QVERIFY(std::stoi(rows[i].at("u")) <= std::stoi(rows[i - 1].at("u")));
  }

  void test_sheet_has_loss_and_budget() {
    const CableBook book = book_of(ruled(hall_of(31, 12)));
    const CablePlan& plan = *book.networks[0].cabling.plan;
    const auto rows = rows_of(text_of(book, CableFile::tests));
    QCOMPARE(rows.size(), plan.links.size());
    const Cells& row = rows[0];
    // Multimode at 3.0 dB/km, no panel, so no joint between the modules.
    const double metres = std::stod(row.at("ordered_m"));
    QCOMPARE(row.at("joints"), std::string("0"));
    QVERIFY(std::abs(std::stod(row.at("expected_loss_db")) - 3.0 * metres / 1000) <= 0.00501);
    QVERIFY(row.at("result").empty());
  }

  void cages_name_ports() {
    const CableBook book = book_of(ruled(hall_of(31, 12)));
    const CableBookNetwork& n = book.networks[0];
    const std::uint32_t leaf = n.cabling.wiring->first_leaf;
    QCOMPARE(n.port_text(leaf, 34, PortNames::numbers), std::string("34"));
    QCOMPARE(n.port_text(leaf, 34, PortNames::faceplate), std::string("17/2"));
    QCOMPARE(n.port_text(leaf, 34, PortNames::swp), std::string("swp17s1"));
    QCOMPARE(n.port_text(0, 3, PortNames::swp), std::string("3"));
    QVERIFY(
        text_of(book, CableFile::ptm, PortNames::swp).find("\"Compute-leaf-1\":\"swp17s0\" -- \"Compute-spine-1\":") !=
        std::string::npos);
    QVERIFY(text_of(book, CableFile::topo).find("\nHCA_8 Compute-node-1\n\tP1 -4x-100G-> qm9700 Compute-leaf-1 P1\n") !=
            std::string::npos);
  }

  void samples_read_back_as_planned() {
    int networks = 0;
    for (const auto& file : std::filesystem::directory_iterator(HALLWRIGHT_SOURCE_DIR "/projects")) {
      const std::string name = file.path().filename().string();
      if (!name.ends_with(".hall.json")) continue;
      const auto opened = open_project(file.path());
      QVERIFY2(opened, opened ? "" : opened.error().c_str());
      const Ruled r = ruled(opened->design);
      for (const NetworkCabling& n : r.cabling.networks) {
        if (!n.wiring) continue;
        const CableBook book = book_of(r, n.name);
        for (const CableFile format : read_back) {
          const std::string told = difference(book, format, name + " " + n.name);
          QVERIFY2(told.empty(), told.c_str());
        }
        ++networks;
      }
    }
    QVERIFY2(networks >= 6, std::to_string(networks).c_str());
  }

  void random_wirings_read_back_as_planned() {
    std::mt19937 random(20260131);
    int built = 0;
    for (int i = 0; built < 60 && i < 400; ++i) {
      auto wiring = wire(any_wiring(random));
      if (!wiring || wiring->links.size() < 4) continue;
      ++built;
      const auto rule = wiring->counts.rule;
      const auto book = cable_book(Design(), share(shipped_parts()), nowhere(*std::move(wiring)));
      QVERIFY2(book, book ? "" : book.error().c_str());
      for (const CableFile format : read_back) {
        const std::string told = difference(*book, format, fmt::format("wiring {}", i));
        QVERIFY2(told.empty(), (told + rule).c_str());
      }
    }
    QCOMPARE(built, 60);
  }

  /// Another program reads the same cells.
  void python_reads_the_same() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) QSKIP("python3 is not there");
    Design d = hall_of(4, 4);
    d = with(d, &Design::halls, [](std::vector<Hall>& halls) { halls[0].name = "Hall \"A\", north\nwing"; });
    const CableBook book = book_of(ruled(d));
    QTemporaryDir folder;
    QFile file(folder.filePath("netbox.csv")), schedule(folder.filePath("schedule.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly) && schedule.open(QIODevice::WriteOnly));
    file.write(text_of(book, CableFile::netbox).c_str());
    schedule.write(text_of(book, CableFile::schedule).c_str());
    file.close();
    schedule.close();
    QProcess p;
    p.start(python, {"-c",
                     "import csv,sys\n"
                     "n=list(csv.DictReader(open(sys.argv[1],newline=''),strict=True))\n"
                     "s=list(csv.DictReader(open(sys.argv[2],newline=''),strict=True))\n"
                     "assert all(None not in r and None not in r.values() for r in n+s)\n"
                     "assert [r['label'] for r in n]==[r['label'] for r in s]\n"
                     "assert {r['near_hall'] for r in s if r['near_hall']}=={'Hall \"A\", north\\nwing'}\n"
                     "assert all(r['side_a_type']==r['side_b_type']=='dcim.interface' for r in n)\n"
                     "print(len(n),sorted({r['type'] for r in n}))",
                     file.fileName(), schedule.fileName()});
    QVERIFY(p.waitForFinished(30000));
    const QByteArray out = p.readAllStandardOutput() + p.readAllStandardError();
    QCOMPARE(out,
             QByteArray::number(static_cast<qint64>(book.networks[0].cabling.wiring->links.size())) + " ['mmf-om4']\n");
  }

  void a_hundred_thousand_gpus_in_three_seconds() {
    WiringRequest q;
    q.counts.nodes = 12'288;
    q.counts.links_per_node = 8;
    q.counts.radix = 128;
    q.counts.nodes_per_unit = 64;
    q.counts.rails = true;
    auto wiring = wire(q);
    QVERIFY2(wiring, wiring ? "" : wiring.error().c_str());
    const std::size_t links = wiring->links.size();
    QVERIFY2(links >= 294'912, std::to_string(links).c_str());
    const CablingResult cabling = nowhere(*std::move(wiring));
    const auto book = cable_book(Design(), share(shipped_parts()), cabling);
    QVERIFY(book);
    double last = 0;
    const auto text = cable_file_text(*book, CableFile::schedule, PortNames::numbers, [&](double share) {
      if (share < last || share > 1) last = 9;
      last = share;
      return true;
    });
    QVERIFY(text);
    QCOMPARE(static_cast<std::size_t>(std::count(text->begin(), text->end(), '\n')), links + 1);
    QVERIFY(last > 0.9 && last <= 1.0);
    // And it can be stopped.
    const auto stopped =
        cable_file_text(*book, CableFile::netbox, PortNames::numbers, [](double share) { return share < 0.2; });
    QVERIFY(!stopped && stopped.error() == export_stopped);
  }
};

QTEST_GUILESS_MAIN(TestCableExports)
#include "test_cable_exports.moc"
