// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/hall_workspace.h"
#include "app/studio/picture_dialog.h"
#include "app/studio/print_dialog.h"
#include "app/studio/print_files.h"
#include "app/studio/studio_window.h"
#include "project/project_file.h"
#include "widgets/plan/plan_preview.h"
#include "widgets/theme.h"

using namespace hallwright;

namespace {

/// What another program prints.
QByteArray output_of(const QString& program, const QStringList& arguments) {
  QProcess p;
  p.start(program, arguments);
  if (!p.waitForFinished(60000) || p.exitCode() != 0) return "failed: " + p.readAllStandardError();
  return p.readAllStandardOutput();
}

/// A hall of 36 x 18 m with a row of racks in its upper part, nothing in the lower.
Design hall_of_36_m() {
  Design d;
  Project project = *d.project;
  project.name = "Quarry Lane";
  project.author = "M. Okafor";
  d.project = share(project);
  Hall hall;
  hall.name = "Hall West";
  hall.outline = {{0, 0}, {36000, 0}, {36000, 18000}, {0, 18000}};
  d = add_entity(d, &Design::halls, hall).design;
  RackType type;
  type.name = "Rack of a test";
  type.width = millimeters(600);
  type.depth = millimeters(1200);
  d = add_entity(d, &Design::rack_types, type).design;
  RowPlan plan;
  plan.hall = d.halls->back().id, plan.rack_type = d.rack_types->back().id;
  plan.racks_per_row = 20, plan.rows = 2, plan.x = millimeters(3000), plan.y = millimeters(2400);
  auto made = place_rows(d, plan);
  return made ? made->design : d;
}

/// Runs of dark dots in a line of a grey picture: first and last dot of each.
std::vector<std::pair<int, int>> dark_runs(const QImage& image, int line, bool upright = false) {
  std::vector<std::pair<int, int>> out;
  const int n = upright ? image.height() : image.width();
  for (int i = 0; i < n; ++i) {
    const bool dark = qGray(upright ? image.pixel(line, i) : image.pixel(i, line)) < 110;
    if (!dark) continue;
    if (!out.empty() && out.back().second == i - 1)
      out.back().second = i;
    else
      out.emplace_back(i, i);
  }
  return out;
}

} // namespace

/// Paper is measured by poppler, SVG by the XML reader of Python: neither knows how it was made.
class TestPrint : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  Design design_;
  SharedEvaluation evaluation_;
  QTemporaryDir folder_;

  PlanPrint print_of(const PlanPage& page) const { return {page, design_, evaluation_->catalog, evaluation_}; }
  static PlanPage page_of(const char* paper, double scale) {
    PlanPage page;
    page.paper = QLatin1String(paper);
    page.scale = scale;
    return page;
  }
  QImage raster(const QString& pdf, int page, int dpi) {
    const QString stem = folder_.filePath(QStringLiteral("raster"));
    output_of(QStringLiteral("pdftoppm"), {QStringLiteral("-r"), QString::number(dpi), QStringLiteral("-f"),
                                           QString::number(page), QStringLiteral("-l"), QString::number(page),
                                           QStringLiteral("-png"), QStringLiteral("-singlefile"), pdf, stem});
    QImage out(stem + QStringLiteral(".png"));
    QFile::remove(stem + QStringLiteral(".png"));
    return out;
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    catalog_ = share(std::move(*catalog));
    QApplication::setOrganizationName(QStringLiteral("hallwright-test"));
    apply_appearance(Appearance::light);
    QImageReader::setAllocationLimit(0); // an A1 at 300 dots an inch
    design_ = hall_of_36_m();
    LiveEvaluator evaluator;
    evaluator.setCatalog(catalog_);
    evaluation_ = evaluator.evaluateNow(design_);
    if (QStandardPaths::findExecutable(QStringLiteral("pdftoppm")).isEmpty()) QSKIP("poppler is not installed");
  }

  void papers_have_their_sizes_in_points_data() {
    // Millimetres of ISO 216 and ANSI Y14.1, in points of 1/72 inch.
    QTest::addColumn<QString>("paper");
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::newRow("A4") << "A4" << 841.89 << 595.28;
    QTest::newRow("A3") << "A3" << 1190.55 << 841.89;
    QTest::newRow("A1") << "A1" << 2383.94 << 1683.78;
    QTest::newRow("A0") << "A0" << 3370.39 << 2383.94;
    QTest::newRow("Letter") << "Letter" << 792.0 << 612.0;
    QTest::newRow("ANSI D") << "ANSI D" << 2448.0 << 1584.0;
  }
  void papers_have_their_sizes_in_points() {
    QFETCH(QString, paper);
    QFETCH(double, width);
    QFETCH(double, height);
    const QString file = folder_.filePath(QStringLiteral("paper.pdf"));
    PlanPage page;
    page.paper = paper;
    QCOMPARE(write_print_pdf(file, print_of(page)), QString());
    const QString info = QString::fromUtf8(output_of(QStringLiteral("pdfinfo"), {file}));
    const auto match = QRegularExpression(QStringLiteral("Page size:\\s+([\\d.]+) x ([\\d.]+) pts")).match(info);
    QVERIFY2(match.hasMatch(), qPrintable(info));
    // Page boxes may be whole points.
    QVERIFY2(std::abs(match.captured(1).toDouble() - width) <= 0.6 &&
                 std::abs(match.captured(2).toDouble() - height) <= 0.6,
             qPrintable(match.captured()));
  }

  void a_hall_of_36_m_is_360_mm_long_on_paper_at_1_to_100() {
    const QString file = folder_.filePath(QStringLiteral("hall.pdf"));
    const PlanPrint print = print_of(page_of("A1", 100));
    QCOMPARE(print.sheets(), 1);
    QCOMPARE(write_print_pdf(file, print), QString());
    constexpr int dpi = 300;
    const QImage image = raster(file, 1, dpi);
    QVERIFY(std::abs(image.width() - 841 / 25.4 * dpi) <= 2);
    // A line through the empty lower part of the hall: frame, wall, wall, frame.
    const auto across = dark_runs(image, static_cast<int>(print.on_paper(0, {0, 15000}).y() / 25.4 * dpi));
    QCOMPARE(across.size(), std::size_t{4});
    const auto middle = [](const std::pair<int, int>& r) { return (r.first + r.second) / 2.0; };
    const double wide = (middle(across[2]) - middle(across[1])) * 25.4 / dpi;
    QVERIFY2(std::abs(wide - 360.0) < 0.2, qPrintable(QString::number(wide)));
    // Upright, left of the racks and right of the names: frame, wall, wall, line over the title block, frame.
    const auto down = dark_runs(image, static_cast<int>(print.on_paper(0, {33000, 0}).x() / 25.4 * dpi), true);
    QVERIFY(down.size() >= 4);
    const double deep = (middle(down[2]) - middle(down[1])) * 25.4 / dpi;
    QVERIFY2(std::abs(deep - 180.0) < 0.2, qPrintable(QString::number(deep)));
  }

  void svg_has_true_lengths_for_another_reader() {
    const QString file = folder_.filePath(QStringLiteral("hall.svg"));
    QCOMPARE(write_print_svg(file, print_of(page_of("A1", 100))), QString());
    // Size in mm, and every closed shape in the colour of hall outlines as its box in mm.
    const char* script = R"(
import sys, re, xml.etree.ElementTree as E
root = E.parse(sys.argv[1]).getroot()
mm = lambda s: float(re.fullmatch(r'([\d.]+)mm', s).group(1))
box = [float(v) for v in root.get('viewBox').split()]
print('page', mm(root.get('width')), mm(root.get('height')))
f = mm(root.get('width')) / box[2]
def walk(e, m, stroke):
    t = re.fullmatch(r'matrix\((.*)\)', e.get('transform', ''))
    if t:
        a, b, c, d, x, y = [float(v) for v in t.group(1).split(',')]
        m = (m[0] * a, m[1] * d, m[2] + m[0] * x, m[3] + m[1] * y)
    stroke = e.get('stroke', stroke)
    tag = e.tag.split('}')[-1]
    numbers = []
    if tag == 'path' and 'C' not in e.get('d', '').upper(): numbers = re.findall(r'-?[\d.]+(?:e-?\d+)?', e.get('d', ''))
    if tag in ('polygon', 'polyline'): numbers = re.findall(r'-?[\d.]+(?:e-?\d+)?', e.get('points', ''))
    if tag == 'rect':
        x, y, w, h = [float(e.get(k)) for k in ('x', 'y', 'width', 'height')]
        numbers = [x, y, x + w, y + h]
    if numbers and stroke and stroke.lower() == '#3a4856':
        xs = [float(v) * m[0] + m[2] for v in numbers[0::2]]
        ys = [float(v) * m[1] + m[3] for v in numbers[1::2]]
        print('shape', round((max(xs) - min(xs)) * f, 3), round((max(ys) - min(ys)) * f, 3))
    for child in e: walk(child, m, stroke)
walk(root, (1, 1, 0, 0), None)
)";
    const QString answer = QString::fromUtf8(
        output_of(QStringLiteral("python3"), {QStringLiteral("-c"), QString::fromUtf8(script), file}));
    const QStringList lines = answer.split(QLatin1Char('\n'));
    const QStringList page = lines.value(0).split(QLatin1Char(' '));
    QVERIFY2(page.value(0) == QLatin1String("page"), qPrintable(answer));
    QVERIFY(std::abs(page.value(1).toDouble() - 841) < 0.1 && std::abs(page.value(2).toDouble() - 594) < 0.1);
    bool found = false;
    for (const QString& line : lines) {
      const QStringList words = line.split(QLatin1Char(' '));
      if (words.value(0) == QLatin1String("shape") && std::abs(words.value(1).toDouble() - 360) < 0.2 &&
          std::abs(words.value(2).toDouble() - 180) < 0.2)
        found = true;
    }
    QVERIFY2(found, qPrintable(answer.left(2000)));
  }

  void the_title_block_is_whole_text_data() {
    QTest::addColumn<QString>("paper");
    QTest::addColumn<bool>("landscape");
    QTest::newRow("A4 upright") << "A4" << false;
    QTest::newRow("A3") << "A3" << true;
    QTest::newRow("Letter") << "Letter" << false;
    QTest::newRow("A0") << "A0" << true;
  }
  void the_title_block_is_whole_text() {
    QFETCH(QString, paper);
    QFETCH(bool, landscape);
    const QString file = folder_.filePath(QStringLiteral("words.pdf"));
    PlanPage page;
    page.paper = paper;
    page.landscape = landscape;
    page.title = QStringLiteral("General arrangement");
    page.revision = QStringLiteral("C2");
    page.date = QStringLiteral("2031-04-05");
    page.overlay = Overlay::power;
    const PlanPrint print = print_of(page);
    QCOMPARE(print.problem(), QString());
    QCOMPARE(write_print_pdf(file, print), QString());
    const QString text = QString::fromUtf8(
        output_of(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), file, QStringLiteral("-")}));
    for (const QString& word :
         {QStringLiteral("Quarry Lane"), QStringLiteral("General arrangement"), QStringLiteral("Hall West"),
          QStringLiteral("M. Okafor"), QStringLiteral("2031-04-05"), QStringLiteral("C2"),
          QStringLiteral("1:%1").arg(print.scale()), QStringLiteral("1 of 1"), QStringLiteral("nameplate"),
          QStringLiteral("Rack power"), QStringLiteral("Hot aisle")})
      QVERIFY2(text.contains(word), qPrintable(word + QStringLiteral(" is not in\n") + text));
    // Nothing lies outside of the page: the boxes of all words are within it.
    const QString boxes =
        QString::fromUtf8(output_of(QStringLiteral("pdftotext"), {QStringLiteral("-bbox"), file, QStringLiteral("-")}));
    const auto size = QRegularExpression(QStringLiteral("<page width=\"([\\d.]+)\" height=\"([\\d.]+)\"")).match(boxes);
    QVERIFY(size.hasMatch());
    auto it = QRegularExpression(
                  QStringLiteral(
                      "<word xMin=\"([-\\d.]+)\" yMin=\"([-\\d.]+)\" xMax=\"([-\\d.]+)\" yMax=\"([-\\d.]+)\">([^<]*)<"))
                  .globalMatch(boxes);
    int words = 0;
    while (it.hasNext()) {
      const auto m = it.next();
      ++words;
      QVERIFY2(m.captured(1).toDouble() >= 0 && m.captured(2).toDouble() >= -1 &&
                   m.captured(3).toDouble() <= size.captured(1).toDouble() &&
                   m.captured(4).toDouble() <= size.captured(2).toDouble() + 1,
               qPrintable(m.captured()));
    }
    QVERIFY(words > 20);
  }

  void tiles_cover_everything_and_overlap() {
    PlanPage page = page_of("A4", 50);
    page.overlap = 12;
    const PlanPrint print = print_of(page);
    QCOMPARE(print.problem(), QString());
    QVERIFY(print.columns() > 1 && print.rows() > 1);
    QCOMPARE(print.sheets(), print.tiles() + 1);
    const QString file = folder_.filePath(QStringLiteral("tiles.pdf"));
    QCOMPARE(write_print_pdf(file, print), QString());
    QVERIFY(QString::fromUtf8(output_of(QStringLiteral("pdfinfo"), {file}))
                .contains(QRegularExpression(QStringLiteral("Pages:\\s+%1\n").arg(print.sheets()))));
    QRectF all;
    for (int i = 1; i < print.sheets(); ++i) all = all.united(print.scene_area(i));
    QVERIFY(all.contains(print.content()));
    // Neighbours share 12 mm of paper, 600 mm of floor.
    const QRectF a = print.scene_area(1), b = print.scene_area(2), below = print.scene_area(1 + print.columns());
    QVERIFY(std::abs(a.right() - b.left() - 600) < 1e-6);
    QVERIFY(std::abs(a.bottom() - below.top() - 600) < 1e-6);
    // What stands in the overlap is the same on both sheets, but for the marks. Walls are dark, marks are not.
    constexpr int dpi = 150;
    const QImage left = raster(file, 2, dpi), right = raster(file, 3, dpi);
    const double dots = dpi / 25.4;
    const int strip = static_cast<int>(12 * dots) - 2;
    const int from_left = static_cast<int>(print.on_paper(1, {b.left(), 0}).x() * dots) + 1,
              from_right = static_cast<int>(print.on_paper(2, {b.left(), 0}).x() * dots) + 1;
    const QRectF area = print.drawing_area();
    int differ = 0, dark = 0;
    for (int y = static_cast<int>(area.top() * dots) + 4; y < static_cast<int>(area.bottom() * dots) - 4; ++y)
      for (int x = 2; x < strip - 2; ++x) {
        const bool one = qGray(left.pixel(from_left + x, y)) < 100;
        dark += one;
        if (!one) continue;
        bool near = false; // a dot further: sheets do not begin on whole dots
        for (int dx = -1; dx <= 1; ++dx)
          for (int dy = -1; dy <= 1; ++dy) near = near || qGray(right.pixel(from_right + x + dx, y + dy)) < 130;
        differ += !near;
      }
    QVERIFY2(dark > 50, qPrintable(QString::number(dark)));
    QVERIFY2(differ <= dark / 50, qPrintable(QStringLiteral("%1 of %2").arg(differ).arg(dark)));
    // Every sheet says which one it is and what lies beside it.
    const QString text = QString::fromUtf8(
        output_of(QStringLiteral("pdftotext"), {QStringLiteral("-f"), QStringLiteral("2"), QStringLiteral("-l"),
                                                QStringLiteral("2"), file, QStringLiteral("-")}));
    QVERIFY2(text.contains(QStringLiteral("2 of %1").arg(print.sheets())) && text.contains(QStringLiteral("sheet 3")),
             qPrintable(text));
  }

  void too_many_sheets_are_refused() {
    PlanPage page = page_of("A4", 20);
    Design big = design_;
    Hall hall = big.halls->front();
    hall.outline = {{0, 0}, {300000, 0}, {300000, 200000}, {0, 200000}};
    big.halls = share(std::vector<Hall>{hall});
    const PlanPrint print(page, big, evaluation_->catalog, evaluation_);
    QVERIFY2(print.problem().contains(QStringLiteral("1:20")) && print.problem().contains(QStringLiteral("200")),
             qPrintable(print.problem()));
    QCOMPARE(write_print_pdf(folder_.filePath(QStringLiteral("no.pdf")), print), print.problem());
    QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("no.pdf"))));
  }

  void paper_stays_light_in_dark_mode() {
    const PlanPage page = page_of("A3", 150);
    const QImage light = print_image(print_of(page), 0, 60);
    apply_appearance(Appearance::dark);
    const QImage dark = print_image(print_of(page), 0, 60);
    apply_appearance(Appearance::light);
    QCOMPARE(dark, light);
    QCOMPARE(light.pixel(2, 2), qRgb(255, 255, 255));
    QCOMPARE(light.size(), QSize(qRound(420 / 25.4 * 60), qRound(297 / 25.4 * 60)));
    QCOMPARE(light.dotsPerMeterX(), qRound(60 / 0.0254));
  }

  void fit_takes_the_largest_usual_scale() {
    const PlanPrint print = print_of(page_of("A3", 0));
    QCOMPARE(print.sheets(), 1);
    // 36 m are 360 mm at 1:100 in the 400 mm of an A3 with margins; with dimension words it is too much or just fits.
    QVERIFY(print.scale() == 100 || print.scale() == 125);
    QVERIFY(print.content().width() / print.scale() <= print.drawing_area().width());
    const auto& list = standard_scales();
    QVERIFY(std::find(list.begin(), list.end(), print.scale()) != list.end());
  }

  void north_turns() {
    PlanPage page = page_of("A3", 200);
    page.north = 0;
    const QImage up = print_image(print_of(page), 0, 100);
    page.north = 90;
    const QImage right = print_image(print_of(page), 0, 100);
    QVERIFY(up != right);
    page.north = 360;
    QCOMPARE(print_image(print_of(page), 0, 100), up);
  }

  void options_survive_settings() {
    PlanPage page = page_of("ANSI C", 96);
    page.landscape = false, page.margin = 7, page.overlay = Overlay::flow,
    page.hidden = {PlanLayer::power, PlanLayer::notes};
    page.north = -30, page.overlap = 15, page.index_sheet = false, page.revision = QStringLiteral("R\u00e4um \"7\"");
    const PlanPage back = PlanPage::from_json(page.json());
    QCOMPARE(back.json(), page.json());
    QCOMPARE(PlanPage::from_json({{QStringLiteral("paper"), QStringLiteral("B7")},
                                  {QStringLiteral("margin"), 1e9},
                                  {QStringLiteral("scale"), -3}})
                 .json(),
             PlanPage{}.json());
  }

  void scales_are_read() {
    QCOMPARE(read_scale(QStringLiteral("1:100")), 100.0);
    QCOMPARE(read_scale(QStringLiteral(" 1 / 50")), 50.0);
    QCOMPARE(read_scale(QStringLiteral("1:96 (1/8 in = 1 ft)")), 96.0);
    QCOMPARE(read_scale(scale_words(384)), 384.0);
    for (const char* bad : {"", "1:10", "1:1001", "1:x", "2:100", "nan", "-1:100", "1:1e2"})
      QVERIFY2(!read_scale(QLatin1String(bad)), bad);
  }

  // --- the window ------------------------------------------------------------------------------------------

  QString saved_project() {
    const QString path = folder_.filePath(QStringLiteral("quarry.hall"));
    if (!QFile::exists(path) && !save_project(design_, path.toStdString())) return {};
    return path;
  }

  void the_dialog_by_mouse_and_keys() {
    const QString path = saved_project();
    StudioWindow w(catalog_);
    w.resize(1500, 950);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(path));
    QTRY_VERIFY(w.document().evaluation());
    w.hall()->plan()->setFocus();
    QTest::keyClick(&w, Qt::Key_P, Qt::ControlModifier);
    PrintDialog* dialog = nullptr;
    QTRY_VERIFY(dialog = w.findChild<PrintDialog*>());
    QTRY_VERIFY(dialog->isVisible());
    auto* paper = dialog->findChild<QComboBox*>(QStringLiteral("print_paper"));
    auto* scale = dialog->findChild<QComboBox*>(QStringLiteral("print_scale"));
    auto* summary = dialog->findChild<QLabel*>(QStringLiteral("print_summary"));
    auto* pdf = dialog->findChild<QPushButton*>(QStringLiteral("print_pdf"));
    QVERIFY(paper && scale && summary && pdf);
    // A4 by the keyboard, 1:50 typed: several sheets.
    paper->setFocus();
    QTest::keyClick(paper, Qt::Key_Home);
    scale->lineEdit()->setFocus();
    scale->lineEdit()->selectAll();
    QTest::keyClicks(scale->lineEdit(), QStringLiteral("1:50"));
    QTRY_COMPARE(dialog->print()->scale(), 50.0);
    QCOMPARE(dialog->print()->page().paper, QStringLiteral("A4"));
    QVERIFY(dialog->print()->sheets() > 4);
    // Sheets are turned by keys and by the button.
    PlanPreview* preview = dialog->preview();
    preview->setFocus();
    QTest::keyClick(preview, Qt::Key_PageDown);
    QCOMPARE(preview->sheet(), 1);
    QTest::mouseClick(dialog->findChild<QWidget*>(QStringLiteral("print_next")), Qt::LeftButton);
    QCOMPARE(preview->sheet(), 2);
    QTest::keyClick(preview, Qt::Key_PageUp);
    QCOMPARE(preview->sheet(), 1);
    // Zoom.
    const double before = preview->zoom();
    QTest::keyClick(preview, Qt::Key_Plus);
    QVERIFY(preview->zoom() > before * 1.2);
    QTest::keyClick(preview, Qt::Key_0);
    QVERIFY(preview->showsWhole());
    // Nonsense is refused with what is allowed, and nothing can be written.
    scale->lineEdit()->selectAll();
    QTest::keyClicks(scale->lineEdit(), QStringLiteral("1:7"));
    QTRY_VERIFY(!pdf->isEnabled());
    QVERIFY2(summary->text().contains(QStringLiteral("1:7")) && summary->text().contains(QStringLiteral("1:20")),
             qPrintable(summary->text()));
    scale->lineEdit()->selectAll();
    QTest::keyClicks(scale->lineEdit(), QStringLiteral("1:200"));
    QTRY_VERIFY(pdf->isEnabled());
    auto* revision = dialog->findChild<QLineEdit*>(QStringLiteral("print_revision"));
    revision->setFocus();
    QTest::keyClicks(revision, QStringLiteral("B"));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("print_close")), Qt::LeftButton);
    QTRY_VERIFY(!w.findChild<PrintDialog*>());
    // Nothing of this is in the design; it is remembered for this project, and for no other.
    QVERIFY(w.document().undoStack().isClean());
    const PlanPage again = PrintDialog::remembered(path, {});
    QCOMPARE(again.paper, QStringLiteral("A4"));
    QCOMPARE(again.scale, 200.0);
    QCOMPARE(again.revision, QStringLiteral("B"));
    QCOMPARE(PrintDialog::remembered(folder_.filePath(QStringLiteral("another.hall")), {}).paper, PlanPage{}.paper);
  }

  void the_plan_goes_to_the_clipboard() {
    StudioWindow w(catalog_);
    w.resize(1300, 900);
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QVERIFY(w.openPath(saved_project()));
    QTRY_VERIFY(w.document().evaluation());
    QApplication::clipboard()->clear();
    QTest::keyClick(&w, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QMimeData* data = QApplication::clipboard()->mimeData();
    QVERIFY(data && data->hasImage());
    const QImage image = qvariant_cast<QImage>(data->imageData());
    QVERIFY(image.width() > 2000 && image.width() <= 4001);
    QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("<svg"));
  }

  void a_picture_is_as_large_as_asked() {
    PrintJob job;
    job.design = design_, job.catalog = evaluation_->catalog, job.evaluation = evaluation_;
    PictureDialog dialog(job, {});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto* scale = dialog.findChild<QComboBox*>(QStringLiteral("picture_scale"));
    scale->lineEdit()->selectAll();
    QTest::keyClicks(scale->lineEdit(), QStringLiteral("1:200"));
    QCOMPARE(dialog.print()->scale(), 200.0);
    // The hall takes 180 mm; words and margins come to it.
    QVERIFY(dialog.print()->paper().width() > 180 && dialog.print()->paper().width() < 260);
    const QString file = folder_.filePath(QStringLiteral("picture.png"));
    QCOMPARE(write_print_png(file, *dialog.print(), 150), QString());
    const QImage image(file);
    QCOMPARE(image.width(), qRound(dialog.print()->paper().width() / 25.4 * 150));
    QVERIFY(write_print_png(file, *dialog.print(), 20).contains(QStringLiteral("36")));
    QVERIFY(write_print(folder_.filePath(QStringLiteral("picture.gif")), *dialog.print(), 150)
                .contains(QStringLiteral(".pdf")));
    const PlanPrint huge = print_of(page_of("A0", 50));
    QVERIFY(write_print_png(folder_.filePath(QStringLiteral("huge.png")), huge, 1200).contains(QStringLiteral("150")));
  }

  void the_command_line_prints() {
    const QString project = saved_project(), file = folder_.filePath(QStringLiteral("cli.pdf"));
    const auto run = [&](const QStringList& arguments) {
      QProcess p;
      QProcessEnvironment e = QProcessEnvironment::systemEnvironment();
      // No display, and nobody says so: what opens no window runs all the same.
      for (const char* variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) e.remove(QLatin1String(variable));
      p.setProcessEnvironment(e);
      p.start(QStringLiteral(HALLWRIGHT_STUDIO_PROGRAM), arguments);
      p.waitForFinished(60000);
      return std::pair(p.exitCode(), QString::fromUtf8(p.readAllStandardError()));
    };
    const auto [code, said] = run({QStringLiteral("--print-plan"), file, QStringLiteral("--scale"),
                                   QStringLiteral("1:100"), QStringLiteral("--paper"), QStringLiteral("A1"), project});
    QVERIFY2(code == 0, qPrintable(said));
    for (const char* asked : {"--help", "--version", "-h", "-v"}) QCOMPARE(run({QLatin1String(asked)}).first, 0);
    const auto [reported, report_said] = run({QStringLiteral("--report=") + folder_.filePath(QStringLiteral("page.pdf")), project});
    QVERIFY2(reported == 0 && QFileInfo::exists(folder_.filePath(QStringLiteral("page.pdf"))), qPrintable(report_said));
    const QString info = QString::fromUtf8(output_of(QStringLiteral("pdfinfo"), {file}));
    QVERIFY2(info.contains(QRegularExpression(QStringLiteral("Page size:\\s+238[34]"))) &&
                 info.contains(QRegularExpression(QStringLiteral("Pages:\\s+1\n"))),
             qPrintable(info));
    QVERIFY(output_of(QStringLiteral("pdftotext"), {file, QStringLiteral("-")}).contains("1:100"));
    for (const auto& [option, value, named] :
         {std::tuple("--scale", "1:3", "1:20 to 1:1000"), std::tuple("--paper", "A9", "ANSI D"),
          std::tuple("--hall", "East", "Hall West"), std::tuple("--overlay", "smell", "floor-load"),
          std::tuple("--dpi", "9999", "36 to 1200")}) {
      const auto [bad, words] =
          run({QStringLiteral("--print-plan"), file, QLatin1String(option), QLatin1String(value), project});
      QCOMPARE(bad, 2);
      QVERIFY2(words.contains(QLatin1String(value)) && words.contains(QLatin1String(named)), qPrintable(words));
    }
  }
};

QTEST_MAIN(TestPrint)
#include "test_print.moc"
