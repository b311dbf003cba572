// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/power_exports.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDate>
#include <QImage>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>

#include "power/one_line_design.h"
#include "power/one_line_sheet.h"
#include "power/panel_schedule.h"
#include "widgets/figure_table.h"
#include "widgets/one_line/one_line_block.h"
#include "widgets/one_line/one_line_picture.h"
#include "widgets/written_file.h"

namespace hallwright {
namespace {

QString nothing_drawn() {
  return QCoreApplication::translate("PowerExports",
                                     "No power unit is drawn: draw the one-line in the Power workspace first");
}
QString one_line_title(const Evaluation& e) {
  return QCoreApplication::translate("PowerExports", "%1: one-line diagram")
      .arg(QString::fromStdString(e.design.project->name));
}

} // namespace

std::shared_ptr<const OneLineStudy> drawn_one_line(const Evaluation& e) {
  if (e.power && e.power->one_line) return e.power->one_line;
  if (e.design.power_units->empty()) return nullptr;
  return std::make_shared<const OneLineStudy>(one_line_of(
      {.units = *e.design.power_units, .racks = *e.design.racks, .plant = *e.design.power_plant, .catalog = *e.catalog},
      *e.design.rack_types));
}

QString write_one_line(const QString& file, const SharedEvaluation& evaluation, QSize size) {
  const auto study = drawn_one_line(*evaluation);
  if (!study) return nothing_drawn();
  const QString title = one_line_title(*evaluation);
  if (file.endsWith(QLatin1String(".dxf"), Qt::CaseInsensitive)) {
    OneLineFolding folding;
    folding.none = study->line.elements().size() <= 400; // drawings for CAD show everything as long as that is legible
    const OneLineLayout layout = lay_out(study->line, folding);
    return write_whole(file,
                       dxf_text(one_line_sheet(layout, study->line, PowerFlow(study->line), title.toStdString())));
  }
  const OneLinePicture picture(study, {}, {});
  const Project& project = *evaluation->design.project;
  const PowerBasis basis = project.power_basis;
  const auto words = [](const char* text) { return QCoreApplication::translate("PowerExports", text); };
  const OneLineBlock block{QString::fromStdString(project.name), QString::fromStdString(project.author),
                           QDate::currentDate().toString(Qt::ISODate), // reads the same everywhere
                           basis == PowerBasis::nameplate ? words("nameplate maximum")
                           : basis == PowerBasis::typical ? words("typical, where known")
                                                          : words("measured, where known")};
  const auto paint = [&](QPainter& p, const QRectF& page) {
    const OneLineColors colors = OneLineColors::paper();
    p.fillRect(page, colors.canvas);
    const QRectF rest = paint_one_line_block(p, page, picture, block, colors);
    paint_one_line_page(p, rest, picture, title, colors);
  };
  if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
    return write_pdf(
        file,
        [&](QPdfWriter& pdf) {
          pdf.setPageSize(QPageSize(QPageSize::A3));
          pdf.setPageOrientation(QPageLayout::Landscape);
          pdf.setPageMargins(QMarginsF(12, 12, 12, 12), QPageLayout::Millimeter);
          pdf.setResolution(300);
          pdf.setTitle(title);
        },
        [&](QPdfWriter& pdf, QPainter& p) {
          p.setRenderHint(QPainter::Antialiasing);
          paint(p, QRectF(0, 0, pdf.width(), pdf.height()));
          return QString();
        });
  if (file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive))
    return write_svg(file, QSize(1600, 1100), title, [&](QPainter& p) { paint(p, QRectF(20, 20, 1560, 1060)); });
  if (!file.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
    return QCoreApplication::translate("PowerExports",
                                       "%1: the ending says what is written; allowed: .svg, .pdf, .dxf, .png")
        .arg(file);
  QImage image(size, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter p(&image);
  const double edge = std::min(size.width(), size.height()) * 0.02;
  paint(p, QRectF(QPointF(0, 0), QSizeF(size)).adjusted(edge, edge, -edge, -edge));
  p.end();
  return write_image(file, image);
}

QString write_panel_schedule(const QString& file, const SharedEvaluation& evaluation) {
  const auto study = drawn_one_line(*evaluation);
  if (!study) return nothing_drawn();
  const Table t =
      panel_schedule(drawn_busways(evaluation->design, study->line, *evaluation->catalog), evaluation->design);
  return write_whole(file, table_csv(t));
}

QString write_load_list(const QString& file, const SharedEvaluation& evaluation) {
  const auto study = drawn_one_line(*evaluation);
  if (!study) return nothing_drawn();
  return write_whole(file, table_csv(load_list(evaluation->design, study->line)));
}

} // namespace hallwright
