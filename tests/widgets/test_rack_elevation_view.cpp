// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMimeData>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QtTest>
#include <QtWidgets>

#include "evaluation/evaluation.h"
#include "widgets/panels.h"
#include "widgets/rack_elevation/rack_elevation_view.h"
#include "widgets/theme.h"

using namespace hallwright;
using elevation::Face;

namespace {

Shared<Catalog> shipped() {
  static const Shared<Catalog> catalog = share(*read_catalog_file(HALLWRIGHT_CATALOG_FILE));
  return catalog;
}

/// The view as the studio drives it: edits come back as designs and evaluations.
struct Bench {
  Design design;
  Id type = 0, nodes = 0, leaf = 0;
  std::vector<Id> racks;
  RackElevationView view;
  std::vector<Edit> edits;
  std::vector<EntityRef> selected;
  QString refusal, figure;
  std::vector<Design> history;

  template <class M, class E>
  Id add(M member, E entity) {
    Made made = add_entity(design, member, std::move(entity));
    design = made.design;
    return made.entities.at(0).id;
  }
  /// Twelve racks of four DGX H100 from U3 to U34 and a QM9700 at U40, in 48 units.
  explicit Bench(QSize size = {620, 900}) {
    design.project = share(Project{.name = "Bench"});
    const Id hall =
        add(&Design::halls, Hall{.name = "Hall", .outline = {{0, 0}, {20000, 0}, {20000, 9000}, {0, 9000}}});
    type = add(&Design::rack_types, RackType{.name = "4 x DGX H100", .rack_part = "generic-48u-600x1200"});
    nodes =
        add(&Design::rack_items, RackItem{.rack_type = type, .part = "dgx-h100", .count = 4, .lowest_half_unit = 5});
    leaf = add(&Design::rack_items, RackItem{.rack_type = type,
                                             .kind = RackItemKind::network_switch,
                                             .part = "qm9700",
                                             .lowest_half_unit = 79,
                                             .mount = RackMount::front});
    for (int i = 0; i < 12; ++i)
      racks.push_back(add(&Design::racks, Rack{.name = "R01-" + std::to_string(i + 1),
                                               .rack_type = type,
                                               .hall = hall,
                                               .x = millimeters(1000 + 600 * i),
                                               .y = millimeters(2000)}));
    view.resize(size);
    view.show();
    refresh();
    QObject::connect(&view, &RackElevationView::editRequested, &view, [this](const Edit& e) {
      edits.push_back(e);
      auto after = e.apply(design);
      if (!after) {
        refusal = QString::fromStdString(after.error());
        return;
      }
      history.push_back(design);
      design = *after;
      refresh();
    });
    QObject::connect(&view, &RackElevationView::selectionRequested, &view,
                     [this](const std::vector<EntityRef>& s) { selected = s; });
    QObject::connect(&view, &RackElevationView::refused, &view, [this](const QString& s) { refusal = s; });
    QObject::connect(&view, &RackElevationView::figureActivated, &view, [this](const QString& f) { figure = f; });
    view.setSelection({{"racks", racks[3]}});
    QCoreApplication::processEvents();
  }
  void refresh() {
    auto e = std::make_shared<Evaluation>(*evaluate(design, shipped()));
    view.setDesign(design, e->catalog);
    view.setEvaluation(e);
    view.canvas()->viewport()->repaint();
  }
  [[nodiscard]] elevation::RackCanvas* canvas() const { return view.canvas(); }
  [[nodiscard]] const RackItem& item(Id id) const { return *find(*design.rack_items, id); }
  /// Middle of a part on a face.
  [[nodiscard]] QPoint at(Id id, Count nth = 0, Face face = Face::front) const {
    for (const RackSlot& s : canvas()->picture().places().places)
      if (s.item == id && s.nth == nth) return canvas()->picture().rect(face, s).center().toPoint();
    return {};
  }
  /// Middle of a half unit between the rails.
  [[nodiscard]] QPoint half(Count half_unit, Face face = Face::front) const {
    RackSlot s;
    s.lowest_half_unit = half_unit, s.half_units = 1;
    const QRectF r = canvas()->picture().rect(face, s), rails = canvas()->picture().rails(face);
    return QPointF(rails.center().x(), r.center().y()).toPoint();
  }
  /// Pixels of one half unit.
  [[nodiscard]] double step() const { return (half(41).y() - half(81).y()) / 40.0; }
  void move(const QPoint& p, Qt::KeyboardModifiers m = {}) {
    QMouseEvent e(QEvent::MouseMove, QPointF(p), QPointF(canvas()->viewport()->mapToGlobal(p)), Qt::NoButton,
                  Qt::LeftButton, m);
    QApplication::sendEvent(canvas()->viewport(), &e);
  }
  void click(const QPoint& p, Qt::KeyboardModifiers m = {}) {
    QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, m, p);
  }
  void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers m = {}) {
    QTest::mousePress(canvas()->viewport(), Qt::LeftButton, {}, from);
    move((from + to) / 2, m);
    move(to, m);
    QTest::mouseRelease(canvas()->viewport(), Qt::LeftButton, m, to);
  }
  void key(Qt::Key k, Qt::KeyboardModifiers m = {}) { QTest::keyClick(canvas(), k, m); }
  /// Drags a part from outside onto a point.
  bool drop(const char* part, const QPoint& p, bool only_hover = false) {
    QMimeData data;
    data.setData(QLatin1String(part_mime_type), part);
    QDragEnterEvent enter(p, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(canvas()->viewport(), &enter);
    if (!enter.isAccepted()) return false;
    QDragMoveEvent over(p, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(canvas()->viewport(), &over);
    if (only_hover) return over.dropAction() == Qt::CopyAction;
    QDropEvent event(QPointF(p), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(canvas()->viewport(), &event);
    return event.dropAction() == Qt::CopyAction;
  }
  [[nodiscard]] QString hint() const {
    for (const QLabel* l : view.findChildren<QLabel*>())
      if (l->accessibleName() == QLatin1String("Hint")) return l->text();
    return {};
  }
};

} // namespace

class TestRackElevationView : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase() { apply_appearance(Appearance::light); }

  void says_whom_a_change_concerns() {
    Bench b;
    QCOMPARE(b.view.rackType(), b.type);
    QCOMPARE(b.view.usedBy(), QStringLiteral("Used by 12 racks: a change here changes all of them."));
    b.view.setSelection({{"rack_types", b.type}});
    QCOMPARE(b.view.rackType(), b.type);
  }

  /// The summary shows the figures of the evaluation: 4 x 130.45 kg, 14.8 kg and 170 kg; 4 x 10.2 kW and the switch.
  void summary_shows_figures() {
    Bench b;
    const QString text = b.view.summaryText();
    const QString comma = QLocale().decimalPoint();
    QVERIFY2(text.contains(QStringLiteral("707 kg")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("front 15U")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("rear 16U")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("compute 32")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("InfiniBand 64")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("41%15 kW").arg(comma)) || text.contains(QStringLiteral("kW")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("longest gap")), qPrintable(text));
  }

  void drag_of_a_stack() {
    Bench b;
    const QPoint from = b.at(b.nodes, 1);
    b.drag(from, from - QPoint(0, qRound(4 * b.step())));
    QCOMPARE(b.edits.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(b.edits[0].label), QStringLiteral("Move 4 x DGX H100"));
    QCOMPARE(b.item(b.nodes).lowest_half_unit, Count{9});
    QCOMPARE(b.item(b.nodes).count, Count{4});
    // Without Alt by whole units, with it by half ones.
    const QPoint again = b.at(b.nodes, 1);
    b.drag(again, again + QPoint(0, qRound(3 * b.step())), Qt::AltModifier);
    QCOMPARE(b.item(b.nodes).lowest_half_unit, Count{6});
  }

  void a_second_click_takes_one_of_a_stack() {
    Bench b;
    const QPoint second = b.at(b.nodes, 1);
    b.click(second);
    QCOMPARE(b.canvas()->selectedItem(), b.nodes);
    QVERIFY(!b.canvas()->selectedOne());
    QCOMPARE(b.selected, (std::vector<EntityRef>{{"rack_items", b.nodes}}));
    b.click(second);
    QCOMPARE(b.canvas()->selectedOne().value(), Count{1});
    // This one goes to U41; the others stay. It reaches to U48 over the leaf's side, so that U41 is free.
    b.drag(second, b.half(81 + 7));
    QCOMPARE(b.edits.size(), std::size_t{1});
    const RackSlots places = rack_slots(*shipped(), b.design.rack_types->front(), *b.design.rack_items);
    std::vector<Count> at;
    for (const RackSlot& s : places.places)
      if (b.item(s.item).part == "dgx-h100") at.push_back(s.lowest_half_unit);
    std::sort(at.begin(), at.end());
    QCOMPARE(at, (std::vector<Count>{5, 37, 53, 81}));
    QVERIFY(places.overlaps.empty());
  }

  void a_collision_is_refused_with_a_sentence() {
    Bench b;
    QTest::mousePress(b.canvas()->viewport(), Qt::LeftButton, {}, b.at(b.leaf));
    b.move(b.half(30));
    QVERIFY2(b.hint().contains(QStringLiteral("does not fit")), qPrintable(b.hint()));
    QTest::mouseRelease(b.canvas()->viewport(), Qt::LeftButton, {}, b.half(30));
    QVERIFY(b.edits.empty());
    QVERIFY2(b.hint().contains(QStringLiteral("DGX H100 stands at")), qPrintable(b.hint()));
    QCOMPARE(b.item(b.leaf).lowest_half_unit, Count{79});
  }

  void dragging_to_the_other_face_and_beside_the_rails() {
    Bench b;
    b.drag(b.at(b.leaf), b.half(79, Face::rear));
    QCOMPARE(b.item(b.leaf).mount, RackMount::rear);
    const QRectF rails = b.canvas()->picture().rails(Face::front);
    b.drag(b.at(b.leaf, 0, Face::rear), QPoint(qRound(rails.left()) - 5, qRound(rails.center().y())));
    QCOMPARE(b.item(b.leaf).mount, RackMount::zero_u_left);
    QVERIFY(rack_slots(*shipped(), b.design.rack_types->front(), *b.design.rack_items).overlaps.empty());
  }

  void parts_are_dropped() {
    Bench b;
    QVERIFY(b.drop("switch/sn2201", b.half(91)));
    QCOMPARE(b.design.rack_items->size(), std::size_t{3});
    const RackItem& put = b.design.rack_items->back();
    QCOMPARE(put.part, std::string("sn2201"));
    QVERIFY(put.lowest_half_unit == 91 || put.lowest_half_unit == 89);
    QCOMPARE(b.canvas()->selectedItem(), put.id);
    // Onto a node: refused. What is no part of a rack: not taken at all.
    QVERIFY(!b.drop("switch/sn2201", b.half(20)));
    QVERIFY(b.refusal.contains(QStringLiteral("does not fit")));
    QVERIFY(!b.drop("structure/column", b.half(91)));
    QVERIFY(!b.drop("switch/sn2201", b.half(20), true));
    QCOMPARE(b.design.rack_items->size(), std::size_t{3});
  }

  void keys() {
    Bench b;
    b.canvas()->setFocus();
    b.key(Qt::Key_Down);
    QCOMPARE(b.canvas()->selectedItem(), b.nodes); // the lowest
    b.key(Qt::Key_Up);
    QCOMPARE(b.item(b.nodes).lowest_half_unit, Count{6});
    QVERIFY(b.edits.back().label.rfind("Nudge", 0) == 0);
    b.key(Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(b.item(b.nodes).lowest_half_unit, Count{8});
    b.key(Qt::Key_Down);
    QCOMPARE(b.item(b.nodes).lowest_half_unit, Count{7});
    b.key(Qt::Key_Minus);
    QCOMPARE(b.item(b.nodes).count, Count{3});
    b.key(Qt::Key_Plus);
    QCOMPARE(b.item(b.nodes).count, Count{4});
    b.key(Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(b.canvas()->selectedItem(), b.leaf);
    b.key(Qt::Key_Delete);
    QCOMPARE(b.design.rack_items->size(), std::size_t{1});
    b.key(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(b.canvas()->selectedItem(), b.nodes);
    b.key(Qt::Key_Return); // into the stack
    QCOMPARE(b.canvas()->selectedOne().value(), Count{0});
    b.key(Qt::Key_Delete);
    QCOMPARE(b.item(b.nodes).count, Count{3});
    b.key(Qt::Key_Escape);
    QCOMPARE(b.canvas()->selectedItem(), Id{0});
  }

  void a_nudge_against_the_floor_is_refused() {
    Bench b;
    b.canvas()->setFocus();
    b.canvas()->select(b.nodes);
    for (int i = 0; i < 4; ++i)
      b.key(Qt::Key_Down);
    QCOMPARE(b.item(b.nodes).lowest_half_unit, Count{1});
    const std::size_t edits = b.edits.size();
    b.key(Qt::Key_Down);
    QCOMPARE(b.edits.size(), edits);
    QVERIFY(b.refusal.contains(QStringLiteral("1 to 400")));
  }

  void commands_of_the_menu() {
    Bench b;
    b.canvas()->setFocus();
    b.canvas()->select(b.nodes);
    const auto command = [&](const char* name) {
      for (QAction* a : b.view.commands())
        if (a->objectName() == QLatin1String(name)) return a;
      return static_cast<QAction*>(nullptr);
    };
    command("elevation_split")->trigger();
    QCOMPARE(b.design.rack_items->size(), std::size_t{3});
    QCOMPARE(b.item(b.nodes).count, Count{3});
    // One rack of its own: the others keep the type.
    b.view.setSelection({{"racks", b.racks[3]}});
    QVERIFY(command("elevation_only")->isEnabled());
    command("elevation_only")->trigger();
    const Id own = find(*b.design.racks, b.racks[3])->rack_type;
    QVERIFY(own != b.type);
    QCOMPARE(b.view.rackType(), own);
    QCOMPARE(b.view.usedBy(), QStringLiteral("Used by 1 rack."));
    QVERIFY(!command("elevation_only")->isEnabled());
    // Others get that type.
    b.view.setSelection({{"racks", b.racks[0]}, {"racks", b.racks[1]}});
    b.view.showRackType(own);
    QVERIFY(command("elevation_assign")->isEnabled());
    command("elevation_assign")->trigger();
    QCOMPARE(find(*b.design.racks, b.racks[1])->rack_type, own);
    // A template is a type without racks.
    command("elevation_template")->trigger();
    auto* dialog = b.view.findChild<QInputDialog*>(QStringLiteral("template_dialog"));
    QVERIFY(dialog);
    dialog->setTextValue(QStringLiteral("Spare"));
    dialog->accept();
    QCOMPARE(b.design.rack_types->back().name, std::string("Spare"));
    QVERIFY(b.view.usedBy().startsWith(QStringLiteral("No rack has this type yet")));
    // Undo restores what was.
    QVERIFY(differences(b.history.front(), b.history.front()).empty());
  }

  void numbers_from_the_top_are_display_only() {
    Bench b;
    const Design before = b.design;
    for (QAction* a : b.view.commands())
      if (a->objectName() == QLatin1String("elevation_from_top")) a->trigger();
    QVERIFY(b.canvas()->numbersFromTop());
    QVERIFY(b.edits.empty());
    QVERIFY(differences(before, b.design).empty());
  }

  void names_for_screen_readers_and_hover() {
    Bench b;
    b.canvas()->select(b.nodes);
    const QString words = b.canvas()->accessibleDescription();
    QVERIFY2(words.contains(QStringLiteral("DGX H100")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("U3 to U10")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("kW")), qPrintable(words));
    QVERIFY(b.canvas()->accessibleName().contains(QStringLiteral("4 x DGX H100")));
    QHelpEvent help(QEvent::ToolTip, b.at(b.leaf), b.canvas()->viewport()->mapToGlobal(b.at(b.leaf)));
    QApplication::sendEvent(b.canvas()->viewport(), &help);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("QM9700")), qPrintable(QToolTip::text()));
    for (const QWidget* w : b.view.findChildren<QComboBox*>())
      QVERIFY(!w->accessibleName().isEmpty());
  }

  /// What the Parts panel offers for racks is what the rack takes.
  void parts_panel_lists_what_goes_into_racks() {
    Bench b;
    PartsPanel parts;
    parts.setDesign(b.design, shipped());
    QStringList offered;
    for (QTreeWidgetItemIterator it(parts.tree()); *it; ++it) {
      const QString text = (*it)->data(0, Qt::UserRole + 1).toString();
      if (elevation::read_rack_part(text)) offered << text;
    }
    for (const char* part : {"node/dgx-h100", "switch/qm9700", "storage/wekapod-nitro-wps155-8", "other/rpdu-ap7898"})
      QVERIFY2(offered.contains(QLatin1String(part)), part);
    // Enter there: the lowest free place, U1 for a switch, beside the rails for a PDU.
    b.canvas()->place(QStringLiteral("switch/sn2201"));
    QCOMPARE(b.design.rack_items->back().lowest_half_unit, Count{1});
    b.canvas()->place(QStringLiteral("other/rpdu-ap7898"));
    QCOMPARE(b.design.rack_items->back().mount, RackMount::zero_u_left);
    const std::size_t items = b.design.rack_items->size();
    b.canvas()->place(QStringLiteral("node/dgx-h100")); // 8 units are free nowhere but at U41
    QCOMPARE(b.design.rack_items->size(), items + 1);
    QCOMPARE(b.design.rack_items->back().lowest_half_unit, Count{81});
    b.canvas()->place(QStringLiteral("node/dgx-h100"));
    QCOMPARE(b.design.rack_items->size(), items + 1);
    QVERIFY2(b.refusal.contains(QStringLiteral("fits nowhere")), qPrintable(b.refusal));
  }

  void nothing_to_show() {
    RackElevationView view;
    view.resize(400, 500);
    view.show();
    view.setDesign(Design{}, shipped());
    QCOMPARE(view.rackType(), Id{0});
    QVERIFY(view.usedBy().isEmpty());
    QTest::keyClick(view.canvas(), Qt::Key_Down);
    QTest::keyClick(view.canvas(), Qt::Key_Delete);
    view.grab();
  }

  void written_as_pdf_svg_png() {
    Bench b;
    QTemporaryDir folder;
    auto e = std::make_shared<Evaluation>(*evaluate(b.design, shipped()));
    const std::vector<Id> types{b.type};
    for (const char* ending : {"pdf", "svg", "png"}) {
      const QString file = folder.filePath(QStringLiteral("racks.") + QLatin1String(ending));
      QCOMPARE(write_rack_elevations(file, e, types, false), QString());
      QVERIFY(QFileInfo(file).size() > 1000);
    }
    QVERIFY(QSvgRenderer(folder.filePath(QStringLiteral("racks.svg"))).isValid());
    QCOMPARE(QImage(folder.filePath(QStringLiteral("racks.png"))).size(), QSize(1120, 1920));
    QVERIFY(!write_rack_elevations(folder.filePath(QStringLiteral("racks.doc")), e, types, false).isEmpty());
    QVERIFY(!write_rack_elevations(folder.filePath(QStringLiteral("racks.pdf")), e, {}, false).isEmpty());
    QVERIFY(!write_rack_elevations(QStringLiteral("/no/such/folder/racks.pdf"), e, types, false).isEmpty());
  }

  void dark_and_narrow() {
    apply_appearance(Appearance::dark);
    Bench b({260, 420});
    b.canvas()->select(b.nodes);
    QVERIFY(!b.view.grab().isNull());
    // In a low window the drawing keeps room; the summary is scrolled.
    QVERIFY2(b.canvas()->height() >= b.view.height() * 35 / 100, qPrintable(QString::number(b.canvas()->height())));
    QVERIFY(b.canvas()->verticalScrollBar()->maximum() > 0 ||
            b.canvas()->picture().size().height() <= b.canvas()->viewport()->height());
    apply_appearance(Appearance::light);
  }
};

QTEST_MAIN(TestRackElevationView)
#include "test_rack_elevation_view.moc"
