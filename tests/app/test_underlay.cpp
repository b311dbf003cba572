// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

#include "window_bench.h"
#include "app/studio/command_palette.h"
#include "app/studio/hall_workspace.h"
#include "app/studio/plan_actions.h"
#include "app/studio/studio_window.h"
#include "app/studio/underlay_dialog.h"
#include "app/studio/underlay_panel.h"
#include "project/project_file.h"
#include "widgets/plan/plan_print.h"
#include "widgets/plan/plan_snap.h"
#include "widgets/plan/plan_underlay.h"
#include "widgets/plan/point_picker.h"
#include "widgets/quantity_edit.h"

using namespace hallwright;
using namespace hallwright::plan;
using namespace hallwright::test;

namespace {

struct Line {
  const char* layer;
  double x0, y0, x1, y1;
};

/// A drawing as the format's reference has it: header with its unit code, then lines.
QByteArray dxf_of(const std::vector<Line>& lines, int unit_code) {
  QByteArray out = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1015\n9\n$INSUNITS\n70\n" + QByteArray::number(unit_code) +
                   "\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n";
  for (const Line& l : lines)
    out += QByteArray("0\nLINE\n8\n") + l.layer + "\n10\n" + QByteArray::number(l.x0, 'g', 12) + "\n20\n" +
           QByteArray::number(l.y0, 'g', 12) + "\n30\n0\n11\n" + QByteArray::number(l.x1, 'g', 12) + "\n21\n" +
           QByteArray::number(l.y1, 'g', 12) + "\n31\n0\n";
  return out + "0\nENDSEC\n0\nEOF\n";
}

/// A building of 36 x 18 m, in metres, with an axis on a layer of its own.
std::vector<Line> building() {
  return {{"WALLS", 0, 0, 36, 0},
          {"WALLS", 36, 0, 36, 18},
          {"WALLS", 36, 18, 0, 18},
          {"WALLS", 0, 18, 0, 0},
          {"AXES", 18, -1, 18, 19}};
}

Design with_hall() {
  Design d;
  Hall hall;
  hall.name = "Hall";
  hall.outline = {{0, 0}, {40000, 0}, {40000, 20000}, {0, 20000}};
  return add_entity(d, &Design::halls, hall).design;
}

} // namespace

class TestUnderlay : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  QString file(const char* name, const QByteArray& bytes) {
    const QString path = folder_.filePath(QLatin1String(name));
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly)) return {};
    out.write(bytes);
    return path;
  }
  /// A scene of 50 x 30 m from (-5, -5) m at 20 dots a metre, light.
  static QImage painted(const Design& design, bool paper = true) {
    QImage image(1000, 600, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    PlanModel model;
    model.update(design, std::make_shared<const Catalog>(), 0);
    Canvas c;
    c.painter = &painter;
    c.scale = 0.02;
    c.origin = QPointF(100, 100);
    c.paper = paper;
    c.colors = PlanColors::paper();
    c.base_font = QApplication::font();
    Picture p;
    p.model = &model;
    p.area = QRectF(-5000, -5000, 50000, 30000);
    paint_underlays(c, p);
    return image;
  }
  static bool marked(const QImage& image, double x_m, double y_m) {
    const int x = static_cast<int>(100 + x_m * 20), y = static_cast<int>(100 + y_m * 20);
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        if (image.pixel(x + dx, y + dy) != qRgb(255, 255, 255)) return true;
    return false;
  }
  static Design with(const Underlay& u) { return add_entity(with_hall(), &Design::underlays, u).design; }

  struct Studio {
    StudioWindow window;
    explicit Studio(const Shared<Catalog>& catalog) : window(catalog) {
      window.resize(1500, 950);
      window.show();
    }
    PlanView* plan() { return window.hall()->plan(); }
    PlanActions* actions() { return window.findChild<PlanActions*>(); }
    UnderlayPanel* panel() { return actions()->underlayPanel(); }
    const Underlay& only() { return window.document().design().underlays->at(0); }
  };
  QString project(const Design& d, const char* name) {
    const QString path = folder_.filePath(QLatin1String(name));
    QFile::remove(path);
    return save_project(d, path.toStdString()) ? path : QString();
  }
  static void click(PlanView* plan, double x_mm, double y_mm, QPoint off = {}) {
    auto* picker = plan->findChild<PointPicker*>();
    QVERIFY(picker);
    QTest::mouseClick(picker, Qt::LeftButton, {}, plan->mapFromScene(QPointF(x_mm, y_mm)) + off);
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = begin_window_tests();
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = *catalog;
  }

  void a_picture_lies_where_it_should() {
    // 200 x 100 pixels of 100 mm: 20 x 10 m. Left half red, right half green.
    QImage picture(200, 100, QImage::Format_RGB32);
    picture.fill(Qt::green);
    QPainter p(&picture);
    p.fillRect(0, 0, 100, 100, Qt::red);
    p.end();
    const QString path = folder_.filePath(QStringLiteral("floor.png"));
    QVERIFY(picture.save(path));
    Underlay u;
    u.kind = UnderlayKind::image, u.file = path.toStdString(), u.unit_length = millimeters(100), u.opacity = 1;
    u.x = millimeters(2000), u.y = millimeters(3000);
    QImage image = painted(with(u));
    const auto colour = [&](double x, double y) {
      return image.pixelColor(static_cast<int>(100 + x * 20), static_cast<int>(100 + y * 20));
    };
    QCOMPARE(colour(2.5, 3.5), QColor(Qt::red));
    QCOMPARE(colour(11.5, 12.5), QColor(Qt::red));
    QCOMPARE(colour(12.5, 3.5), QColor(Qt::green));
    QCOMPARE(colour(21.5, 12.5), QColor(Qt::green));
    QCOMPARE(colour(1.5, 3.5), QColor(Qt::white));
    QCOMPARE(colour(22.5, 12.5), QColor(Qt::white));
    // A quarter turn clockwise about its corner: it hangs down to the left of it.
    u.x = millimeters(20000), u.rotation = degrees(90);
    image = painted(with(u));
    QCOMPARE(colour(19.5, 3.5), QColor(Qt::red));
    QCOMPARE(colour(10.5, 12.5), QColor(Qt::red));
    QCOMPARE(colour(19.5, 13.5), QColor(Qt::green));
    QCOMPARE(colour(20.5, 3.5), QColor(Qt::white));
    // Half of the opacity: half way to white.
    u.opacity = 0.5;
    image = painted(with(u));
    QVERIFY(std::abs(colour(19.5, 3.5).green() - 127) <= 2);
    u.visible = false;
    QCOMPARE(painted(with(u)).pixelColor(490, 170), QColor(Qt::white));
  }

  void a_drawing_lies_upside_up() {
    const QString path = file("building.dxf", dxf_of(building(), 6));
    Underlay u;
    u.file = path.toStdString(), u.unit_length = meters(1), u.opacity = 1;
    u.y = millimeters(18000); // y runs up in the drawing: its origin is the lower left corner
    const Design d = with(u);
    const QImage image = painted(d);
    for (const auto& [x, y] : {std::pair(1.0, 0.0),
                               {35.0, 0.0},
                               {1.0, 18.0},
                               {0.0, 9.0},
                               {36.0, 9.0},
                               {18.0, 9.0},
                               {18.0, -0.8},
                               {18.0, 18.8}})
      QVERIFY2(marked(image, x, y), qPrintable(QStringLiteral("%1 %2").arg(x).arg(y)));
    for (const auto& [x, y] : {std::pair(1.0, 9.0), {17.0, 9.0}, {36.5, 9.0}, {1.0, 18.5}})
      QVERIFY2(!marked(image, x, y), qPrintable(QStringLiteral("%1 %2").arg(x).arg(y)));
    Underlay hidden = u;
    hidden.hidden_layers = "AXES\nNOT THERE";
    const QImage without = painted(with(hidden));
    QVERIFY(!marked(without, 18.0, 9.0));
    QVERIFY(marked(without, 0.0, 9.0));
    // Points of the plan on the drawing and back.
    u.rotation = degrees(30), u.x = millimeters(1234);
    const UnderlayPlace place(u, {500, 700});
    const QPointF there = place.scene(3.5, -2.25);
    QVERIFY(std::abs(place.own(there).x() - 3.5) < 1e-9 && std::abs(place.own(there).y() + 2.25) < 1e-9);
    PlanModel model;
    model.update(d, std::make_shared<const Catalog>(), 0);
    const auto end = underlay_end(model, {35900, 17950}, 300);
    QVERIFY(end && std::abs(end->x() - 36000) < 1e-6 && std::abs(end->y() - 18000) < 1e-6);
    QVERIFY(!underlay_end(model, {35000, 17000}, 300));
    // The tools of the plan catch it too, and say so; not when the layer is hidden.
    SnapSettings settings;
    settings.grid_mm = 0, settings.reach_mm = 300;
    const Snap snap = snap_point(model, {17900, 18950}, settings);
    QVERIFY(std::abs(snap.dx - 100) < 1e-6 && std::abs(snap.dy - 50) < 1e-6);
    QVERIFY2(snap.words().contains(QStringLiteral("underlay")), qPrintable(snap.words()));
    settings.visible[static_cast<std::size_t>(PlanLayer::underlay)] = false;
    QVERIFY(!snap_point(model, {17900, 18950}, settings).words().contains(QStringLiteral("underlay")));
  }

  void files_that_cannot_be_shown_say_why() {
    Underlay u;
    u.name = "Old survey";
    u.file = "surveys/none.dxf";
    UnderlayFiles::shared().setFolder(folder_.path());
    const SharedUnderlayFile missing = UnderlayFiles::shared().file(u, true);
    QVERIFY(missing->state == UnderlayFile::State::missing);
    QVERIFY2(missing->problem.contains(folder_.filePath(QStringLiteral("surveys/none.dxf"))),
             qPrintable(missing->problem));
    // A box with its name stands in its place.
    u.x = millimeters(5000), u.y = millimeters(5000);
    QVERIFY(marked(painted(with(u)), 5.0, 5.5));
    QVERIFY(!marked(painted(with(u)), 4.0, 5.5));
    // It is found when it appears.
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("surveys")));
    QVERIFY(!file("surveys/none.dxf", dxf_of(building(), 6)).isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(UnderlayFiles::shared().file(u)->state == UnderlayFile::State::ready, 8000);
    // Broken: the sentence has the line.
    QByteArray text = dxf_of(building(), 6);
    text.replace("\n10\n36\n", "\n10\nthirty\n");
    const SharedUnderlayFile broken = read_underlay(file("broken.dxf", text), UnderlayKind::dxf);
    QVERIFY(broken->state == UnderlayFile::State::broken);
    QVERIFY2(broken->problem.contains(QStringLiteral("broken.dxf")) &&
                 broken->problem.contains(QStringLiteral("line")) && broken->problem.contains(QStringLiteral("thirty")),
             qPrintable(broken->problem));
    const SharedUnderlayFile no_picture = read_underlay(file("no.png", "not a picture"), UnderlayKind::image);
    QVERIFY(no_picture->state == UnderlayFile::State::broken && no_picture->problem.contains(QStringLiteral("no.png")));
    UnderlayFiles::shared().setFolder({});
  }

  void names_are_kept_from_the_project() {
    UnderlayFiles& files = UnderlayFiles::shared();
    files.setFolder(QStringLiteral("/work/site"));
    QCOMPARE(files.kept_name(QStringLiteral("/work/site/cad/a.dxf")), QStringLiteral("cad/a.dxf"));
    QCOMPARE(files.kept_name(QStringLiteral("/elsewhere/a.dxf")), QStringLiteral("/elsewhere/a.dxf"));
    QCOMPARE(files.path("cad/a.dxf"), QStringLiteral("/work/site/cad/a.dxf"));
    QCOMPARE(files.path("/x/../y/a.dxf"), QStringLiteral("/y/a.dxf"));
    files.setFolder({});
  }

  void a_drawing_is_imported_by_the_dialog() {
    const QString path = file("import.dxf", dxf_of(building(), 6));
    Studio s(catalog_);
    QVERIFY(QTest::qWaitForWindowExposed(&s.window));
    QVERIFY(s.window.openPath(project(with_hall(), "import.hall")));
    QTRY_VERIFY(s.window.document().evaluation());
    s.actions()->importUnderlay(path);
    UnderlayDialog* dialog = nullptr;
    QTRY_VERIFY(dialog = s.window.findChild<UnderlayDialog*>());
    QTRY_VERIFY(dialog->ready());
    // What the file says, and what becomes of it.
    QVERIFY2(dialog->findChild<QLabel*>(QStringLiteral("underlay_says"))->text().contains(QStringLiteral("metre")),
             qPrintable(dialog->findChild<QLabel*>(QStringLiteral("underlay_says"))->text()));
    const QString width = QLocale().toString(36.0, 'f', 1);
    auto* result = dialog->findChild<QLabel*>(QStringLiteral("underlay_result"));
    QVERIFY2(result->text().contains(width + QStringLiteral(" m wide")), qPrintable(result->text()));
    // Another unit by the keyboard: feet are 304.8 mm.
    auto* unit = dialog->findChild<QComboBox*>(QStringLiteral("underlay_unit"));
    unit->setFocus();
    while (unit->currentText() != QLatin1String("feet") && unit->currentIndex() + 1 < unit->count())
      QTest::keyClick(unit, Qt::Key_Down);
    Q_EMIT unit->activated(unit->currentIndex());
    QVERIFY2(result->text().contains(QLocale().toString(36 * 0.3048, 'f', 3) + QStringLiteral(" m wide")),
             qPrintable(result->text()));
    // Typed width: 72 m, so a unit is 2 m.
    auto* wide = dialog->findChild<QuantityEdit*>(QStringLiteral("underlay_width"));
    wide->setFocus();
    wide->selectAll();
    QTest::keyClicks(wide, QStringLiteral("72 m"));
    QTest::keyClick(wide, Qt::Key_Return);
    QTRY_VERIFY(std::abs(in_millimeters(dialog->underlay().unit_length) - 2000) < 1e-6);
    QVERIFY(dialog->isVisible()); // Enter in a field does not import
    unit->setCurrentIndex(unit->findText(QStringLiteral("metres")));
    Q_EMIT unit->activated(unit->currentIndex());
    // The layer of the axes is left out by Space.
    auto* layers = dialog->findChild<QListWidget*>(QStringLiteral("underlay_layers"));
    int axes = -1;
    for (int i = 0; i < layers->count(); ++i)
      if (layers->item(i)->text() == QLatin1String("AXES")) axes = i;
    QVERIFY(axes >= 0);
    layers->setFocus();
    layers->setCurrentRow(axes);
    QTest::keyClick(layers, Qt::Key_Space);
    auto* origin = dialog->findChild<QComboBox*>(QStringLiteral("underlay_origin"));
    // Above its origin: that comes to the lower left corner of the hall by itself.
    QVERIFY(std::abs(in_millimeters(dialog->underlay().y) - 20000) < 1e-6);
    origin->setCurrentIndex(1); // lower left corner at that of the hall
    auto* buttons = dialog->findChild<QDialogButtonBox*>();
    QTest::mouseClick(buttons->button(QDialogButtonBox::Ok), Qt::LeftButton);
    QTRY_COMPARE(s.window.document().design().underlays->size(), std::size_t{1});
    const Underlay& u = s.only();
    QCOMPARE(u.file, std::string("import.dxf")); // beside the project
    QCOMPARE(u.hidden_layers, std::string("AXES"));
    QVERIFY(std::abs(in_millimeters(u.unit_length) - 1000) < 1e-9);
    // The axis reaches 1 m below the walls: its lower end is on the lower edge of the hall.
    QVERIFY(std::abs(in_millimeters(u.y) - 19000) < 1e-6 && std::abs(in_millimeters(u.x)) < 1e-6);
    QVERIFY(u.locked);
    QVERIFY(s.actions()->underlayDock()->isVisible());
    // One step of undo.
    s.window.document().undoStack().undo();
    QVERIFY(s.window.document().design().underlays->empty());
  }

  /// Save as, by its keys and its dialog, into another folder: the drawing beside the old file is still found, after
  /// undo and when the new file is opened; the old file is as it was.
  void it_is_found_from_another_folder() {
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("here/cad")) && QDir(folder_.path()).mkpath(QStringLiteral("there")));
    const QString drawing = file("here/cad/building.dxf", dxf_of(building(), 6));
    Underlay u;
    u.name = "Building", u.file = "cad/building.dxf", u.unit_length = meters(1);
    const QString from = project(with(u), "here/moved.hall"), to = folder_.filePath(QStringLiteral("there/moved.hall"));
    {
      Studio s(catalog_);
      QVERIFY(QTest::qWaitForWindowExposed(&s.window));
      QVERIFY(s.window.openPath(from));
      QTRY_VERIFY(s.window.document().evaluation());
      QVERIFY(s.window.document().apply(change_underlay_edit(s.only().id, "Fade", [](Underlay& x) { x.opacity = 0.3; })));
      bool seen = false;
      QTimer look;
      connect(&look, &QTimer::timeout, this, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        auto* name = dialog ? dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")) : nullptr;
        if (!name) return;
        look.stop();
        seen = true;
        dialog->setDirectory(QFileInfo(to).absolutePath());
        name->selectAll();
        QTest::keyClicks(name, QFileInfo(to).fileName());
        QTest::keyClick(name, Qt::Key_Return);
      });
      look.start(20);
      QTest::keyClick(&s.window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
      QTRY_VERIFY(seen && QFileInfo::exists(to));
      QTRY_COMPARE(s.only().file, drawing.toStdString()); // not below the new folder
      QVERIFY(s.window.document().undoStack().isClean() && s.window.document().undoStack().count() == 1);
      UnderlayFiles::shared().settle();
      QTRY_VERIFY(UnderlayFiles::shared().file(s.only())->state == UnderlayFile::State::ready);
      s.window.activateWindow(); // as a window manager does after a dialog
      QVERIFY(QTest::qWaitForWindowActive(&s.window));
      QTest::keyClick(&s.window, Qt::Key_Z, Qt::ControlModifier);
      QTRY_COMPARE(s.only().opacity, u.opacity);
      QCOMPARE(s.only().file, drawing.toStdString());
      s.window.document().undoStack().setClean();
    }
    QCOMPARE(open_project(from.toStdString())->design.underlays->at(0).file, std::string("cad/building.dxf"));
    Studio again(catalog_);
    QVERIFY(QTest::qWaitForWindowExposed(&again.window));
    QVERIFY(again.window.openPath(to));
    QTRY_VERIFY(again.window.document().evaluation());
    QCOMPARE(again.only().file, drawing.toStdString());
    QCOMPARE(again.only().opacity, 0.3);
    UnderlayFiles::shared().settle();
    QTRY_VERIFY(UnderlayFiles::shared().file(again.only())->state == UnderlayFile::State::ready);
  }

  void a_broken_drawing_is_refused_with_its_line() {
    QByteArray text = dxf_of(building(), 6);
    text.replace("\n21\n18\n", "\n21\nup\n");
    const QString path = file("torn.dxf", text);
    const Design d = with_hall();
    UnderlayDialog dialog(path, d, catalog_, 0, {0, 0});
    dialog.show();
    auto* says = dialog.findChild<QLabel*>(QStringLiteral("underlay_says"));
    QTRY_VERIFY2(says->text().contains(QStringLiteral("torn.dxf")) &&
                     says->text().contains(QRegularExpression(QStringLiteral("line \\d+"))),
                 qPrintable(says->text()));
    QVERIFY(!dialog.ready());
    QVERIFY(!dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
  }

  void scale_and_move_by_two_points() {
    const QString path = file("points.dxf", dxf_of(building(), 6));
    Underlay u;
    u.name = "Building";
    u.file = path.toStdString(), u.unit_length = millimeters(500), u.x = millimeters(1000), u.y = millimeters(15000);
    Studio s(catalog_);
    QVERIFY(QTest::qWaitForWindowExposed(&s.window));
    QVERIFY(s.window.openPath(project(with(u), "points.hall")));
    QTRY_VERIFY(s.window.document().evaluation());
    s.actions()->underlayDock()->show();
    QTRY_COMPARE(s.panel()->tree()->topLevelItemCount(), 1);
    UnderlayFiles::shared().settle();
    s.plan()->zoomToFit();
    QTest::qWait(50);
    // A wall of 36 units is drawn 18 m long; in truth it has 36 m. Clicks some pixels off catch its ends.
    QTest::mouseClick(s.panel()->findChild<QPushButton*>(QStringLiteral("underlay_scale")), Qt::LeftButton);
    click(s.plan(), 1000, 15000, {4, -3});
    click(s.plan(), 19000, 15000, {-4, 3});
    QDialog* distance = nullptr;
    QTRY_VERIFY(distance = s.window.findChild<QDialog*>(QStringLiteral("underlay_distance")));
    auto* edit = distance->findChild<QuantityEdit*>(QStringLiteral("underlay_true_distance"));
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, QStringLiteral("36 m"));
    QTest::mouseClick(distance->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    QTRY_VERIFY(std::abs(in_millimeters(s.only().unit_length) - 1000) < 1e-6);
    // The first point stays.
    QVERIFY(std::abs(in_millimeters(s.only().x) - 1000) < 1e-6 && std::abs(in_millimeters(s.only().y) - 15000) < 1e-6);
    QTRY_VERIFY(!s.plan()->findChild<PointPicker*>());
    // The lower left corner goes to the corner of the hall.
    QTest::mouseClick(s.panel()->findChild<QPushButton*>(QStringLiteral("underlay_move")), Qt::LeftButton);
    click(s.plan(), 1000, 15000, {3, 3});
    click(s.plan(), 0, 20000, {3, -3});
    QTRY_VERIFY(std::abs(in_millimeters(s.only().x)) < 1e-6);
    QVERIFY(std::abs(in_millimeters(s.only().y) - 20000) < 1e-6);
    QCOMPARE(s.window.document().undoStack().count(), 2);
    s.window.document().undoStack().undo();
    s.window.document().undoStack().undo();
    QCOMPARE(in_millimeters(s.only().unit_length), 500.0);
    QTRY_VERIFY(!s.plan()->findChild<PointPicker*>());
    // Esc ends the picking.
    QTest::mouseClick(s.panel()->findChild<QPushButton*>(QStringLiteral("underlay_move")), Qt::LeftButton);
    auto* picker = s.plan()->findChild<PointPicker*>();
    QVERIFY(picker);
    QTest::keyClick(picker, Qt::Key_Escape);
    QTRY_VERIFY(!s.plan()->findChild<PointPicker*>());
  }

  void the_palette_scales_an_underlay_and_f4_shows_it_whole() {
    const QString path = file("palette.dxf", dxf_of(building(), 6));
    Underlay u;
    u.name = "Building";
    // Twice the hall and more: from 0 to 108 m across, from -40 to 20 m down.
    u.file = path.toStdString(), u.unit_length = meters(3), u.y = millimeters(14000);
    Studio s(catalog_);
    QVERIFY(QTest::qWaitForWindowExposed(&s.window));
    const auto scale_action = [&]() -> QAction* {
      for (QAction* a : s.actions()->underlayActions())
        if (a->text().contains(QStringLiteral("two points")) && a->text().contains(QStringLiteral("cale"))) return a;
      return nullptr;
    };
    QVERIFY(s.window.openPath(project(with_hall(), "empty.hall")));
    QTRY_VERIFY(s.window.document().evaluation());
    QVERIFY(scale_action() && !scale_action()->isEnabled());
    QVERIFY(s.window.openPath(project(with(u), "palette.hall")));
    QTRY_VERIFY(s.window.document().evaluation());
    UnderlayFiles::shared().settle();
    QTRY_VERIFY(scale_action()->isEnabled());
    s.plan()->setFocus();
    QTest::keyClick(s.plan(), Qt::Key_F4);
    const auto seen = [&] {
      return s.plan()->viewportTransform().inverted().mapRect(QRectF(s.plan()->viewport()->rect()));
    };
    QTRY_VERIFY2(seen().contains(QRectF(0, -43000, 108000, 60000)),
                 qPrintable(QStringLiteral("%1 %2").arg(seen().left()).arg(seen().right())));
    // Hidden, it is not fitted to.
    s.plan()->setLayerVisible(PlanLayer::underlay, false);
    s.plan()->zoomToFit();
    QVERIFY(seen().contains(QRectF(0, 0, 40000, 20000)) && seen().width() < 100000);
    s.plan()->setLayerVisible(PlanLayer::underlay, true);
    // By the palette.
    QTest::keyClick(&s.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* palette = s.window.findChild<CommandPalette*>();
    QTRY_VERIFY(palette && palette->isVisible());
    auto* input = palette->findChild<QLineEdit*>();
    QTest::keyClicks(input, QStringLiteral("scale by two"));
    QTest::keyClick(input, Qt::Key_Return);
    QTRY_VERIFY(s.plan()->findChild<PointPicker*>());
    QVERIFY(s.actions()->underlayDock()->isVisible());
    QTest::keyClick(s.plan()->findChild<PointPicker*>(), Qt::Key_Escape);
    QTRY_VERIFY(!s.plan()->findChild<PointPicker*>());
  }

  void the_panel_shows_layers_and_opacity() {
    const QString path = file("panel.dxf", dxf_of(building(), 6));
    Underlay u;
    u.name = "Building";
    u.file = path.toStdString(), u.unit_length = meters(1);
    Studio s(catalog_);
    QVERIFY(QTest::qWaitForWindowExposed(&s.window));
    QVERIFY(s.window.openPath(project(with(u), "panel.hall")));
    QTRY_VERIFY(s.window.document().evaluation());
    s.actions()->underlayDock()->show();
    UnderlayFiles::shared().settle();
    QTreeWidget* tree = s.panel()->tree();
    QTRY_VERIFY(tree->topLevelItemCount() == 1 && tree->topLevelItem(0)->childCount() >= 2);
    tree->topLevelItem(0)->setExpanded(true);
    QTreeWidgetItem* axes = nullptr;
    for (int i = 0; i < tree->topLevelItem(0)->childCount(); ++i)
      if (tree->topLevelItem(0)->child(i)->text(0) == QLatin1String("AXES")) axes = tree->topLevelItem(0)->child(i);
    QVERIFY(axes);
    tree->setFocus();
    tree->setCurrentItem(axes);
    QTest::keyClick(tree, Qt::Key_Space);
    QTRY_COMPARE(s.only().hidden_layers, std::string("AXES"));
    QVERIFY(tree->currentItem() && tree->currentItem()->text(0) == QLatin1String("AXES")); // stays where it was
    QTest::keyClick(tree, Qt::Key_Space);
    QTRY_COMPARE(s.only().hidden_layers, std::string());
    auto* slider = s.panel()->findChild<QSlider*>(QStringLiteral("underlay_strength"));
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_PageUp);
    QTRY_VERIFY(std::abs(s.only().opacity - 0.6) < 1e-9);
    // Hidden as a whole.
    tree->setFocus();
    tree->setCurrentItem(tree->topLevelItem(0));
    QTest::keyClick(tree, Qt::Key_Space);
    QTRY_VERIFY(!s.only().visible);
  }

  void it_is_printed_with_the_plan() {
    Underlay u;
    u.file = file("printed.dxf", dxf_of(building(), 6)).toStdString();
    u.unit_length = meters(1), u.y = millimeters(18000), u.opacity = 1;
    PlanPage page;
    page.grid = false;
    const Design d = with(u);
    const auto empty = std::make_shared<const Catalog>();
    const auto darkness = [&](bool underlays) {
      page.underlays = underlays;
      const PlanPrint print(page, d, empty, nullptr);
      QImage image(QSize(1654, 1169), QImage::Format_RGB32); // A3 at 100 dots an inch
      QPainter painter(&image);
      print.paint(painter, 0, 100 / 25.4);
      painter.end();
      const QPointF at = print.on_paper(0, {18000, 9000}) * (100 / 25.4); // the axis, far from all else
      int found = 0;
      for (int dx = -3; dx <= 3; ++dx)
        found += qGray(image.pixel(static_cast<int>(at.x()) + dx, static_cast<int>(at.y()))) < 240;
      return found;
    };
    QCOMPARE(darkness(false), 0);
    QVERIFY(darkness(true) > 0);
  }

  void a_large_drawing_does_not_hold_up_the_window() {
    std::vector<Line> lines;
    for (int i = 0; i < 400; ++i)
      for (int j = 0; j < 500; ++j) lines.push_back({"WALLS", i * 0.1, j * 0.04, i * 0.1 + 0.08, j * 0.04 + 0.03});
    Underlay u;
    u.file = file("large.dxf", dxf_of(lines, 6)).toStdString();
    u.unit_length = meters(1), u.y = millimeters(20000);
    PlanView view;
    view.resize(1200, 800);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.setDesign(with(u), std::make_shared<const Catalog>());
    view.zoomToFit();
    UnderlayFiles& files = UnderlayFiles::shared();
    view.grab(); // asks for the file, and does not wait for it
    QVERIFY(files.file(u)->state == UnderlayFile::State::reading);
    files.settle();
    view.grab();
    files.settle();
    // Each frame of another scale asks for a picture, painted elsewhere: it comes after the frame.
    QSignalSpy painted(&files, &UnderlayFiles::changed);
    for (int i = 0; i < 6; ++i) {
      view.zoomBy(i < 3 ? 1.2 : 1 / 1.2);
      painted.clear();
      view.grab();
      QCOMPARE(painted.count(), 0);
      files.settle();
      QVERIFY(painted.count() > 0);
    }
    // And it is there: the middle is covered with lines.
    const QImage shown = view.grab().toImage();
    int marks = 0;
    for (int x = 500; x < 700; ++x) marks += shown.pixel(x, 400) != shown.pixel(5, 795);
    QVERIFY(marks > 20);
  }
};

QTEST_MAIN(TestUnderlay)
#include "test_underlay.moc"
