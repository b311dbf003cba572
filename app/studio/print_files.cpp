// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/print_files.h"

#include <algorithm>
#include <cmath>

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "widgets/figure_text.h"
#include "widgets/written_file.h"

namespace hallwright {
namespace {

constexpr double most_dots = 150e6;

QString tr(const char* text) { return QCoreApplication::translate("Exports", text); }

} // namespace

QStringList print_file_names(const QString& file, const PlanPrint& print) {
  if (print.sheets() == 1) return {file};
  const QFileInfo info(file);
  QStringList out;
  for (int i = 1; i <= print.sheets(); ++i)
    out << QStringLiteral("%1/%2-%3.%4").arg(info.path(), info.completeBaseName()).arg(i).arg(info.suffix());
  return out;
}

QString write_print_pdf(const QString& file, const PlanPrint& print) {
  if (!print.problem().isEmpty()) return print.problem();
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter pdf(&buffer);
    const QSizeF paper = print.paper();
    const PaperFormat* format = print.page().fitted ? nullptr : paper_format(print.page().paper);
    if (format) {
      pdf.setPageSize(QPageSize(format->id));
      pdf.setPageOrientation(print.page().landscape ? QPageLayout::Landscape : QPageLayout::Portrait);
    } else {
      pdf.setPageSize(QPageSize(paper, QPageSize::Millimeter, {}, QPageSize::ExactMatch));
    }
    pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
    pdf.setResolution(1200);
    pdf.setTitle(print.name());
    pdf.setCreator(QStringLiteral("Hallwright"));
    QPainter p;
    if (!p.begin(&pdf)) return tr("%1 cannot be written").arg(file);
    for (int i = 0; i < print.sheets(); ++i) {
      if (i > 0) pdf.newPage();
      print.paint(p, i, 1200 / 25.4);
    }
    p.end();
  }
  return write_whole(file, buffer.data());
}

QByteArray svg_of_sheet(const PlanPrint& print, int sheet) {
  constexpr double dots_per_mm = 100;
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator svg;
  svg.setOutputDevice(&buffer);
  const QSize size((print.paper() * dots_per_mm).toSize());
  svg.setResolution(2540); // before the size: the size in millimetres follows from both
  svg.setSize(size);
  svg.setViewBox(QRect(QPoint(0, 0), size));
  svg.setTitle(print.name());
  svg.setDescription(QStringLiteral("%1, %2").arg(scale_words(print.scale()), print.sheet_words(sheet)));
  QPainter p;
  if (!p.begin(&svg)) return {};
  print.paint(p, sheet, dots_per_mm);
  p.end();
  return buffer.data();
}

QString write_print_svg(const QString& file, const PlanPrint& print) {
  if (!print.problem().isEmpty()) return print.problem();
  const QStringList names = print_file_names(file, print);
  for (int i = 0; i < print.sheets(); ++i)
    if (const QString problem = write_whole(names[i], svg_of_sheet(print, i)); !problem.isEmpty()) return problem;
  return {};
}

QImage print_image(const PlanPrint& print, int sheet, double dpi) {
  const double dots_per_mm = dpi / 25.4;
  const QSizeF exact = print.paper() * dots_per_mm;
  if (exact.width() * exact.height() > most_dots) return {};
  QImage image(QSize(static_cast<int>(std::lround(exact.width())), static_cast<int>(std::lround(exact.height()))),
               QImage::Format_RGB32);
  if (image.isNull()) return {};
  image.fill(Qt::white);
  image.setDotsPerMeterX(static_cast<int>(std::lround(dots_per_mm * 1000)));
  image.setDotsPerMeterY(image.dotsPerMeterX());
  QPainter p(&image);
  print.paint(p, sheet, dots_per_mm);
  p.end();
  return image;
}

QImage picture_of_plan(const PlanPrint& print, int most_pixels) {
  const double longer = std::max(print.paper().width(), print.paper().height());
  return print_image(print, 0, std::min(300.0, most_pixels / longer * 25.4));
}

QString write_print_png(const QString& file, const PlanPrint& print, double dpi) {
  if (!print.problem().isEmpty()) return print.problem();
  if (dpi < 36 || dpi > 1200)
    return tr("%1 dots an inch cannot be written; allowed are 36 to 1200.").arg(screen_number(dpi));
  const QStringList names = print_file_names(file, print);
  for (int i = 0; i < print.sheets(); ++i) {
    const QImage image = print_image(print, i, dpi);
    if (image.isNull()) {
      const QSizeF dots = print.paper() * (dpi / 25.4);
      return tr("At %1 dots an inch the picture would have %2 million dots; allowed are %3. Choose fewer dots or a "
                "smaller paper.")
          .arg(screen_number(dpi), screen_number(dots.width() * dots.height() / 1e6, 'f', 0),
               screen_number(most_dots / 1e6, 'f', 0));
    }
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) return tr("%1 cannot be written").arg(names[i]);
    if (const QString problem = write_whole(names[i], buffer.data()); !problem.isEmpty()) return problem;
  }
  return {};
}

QString write_print(const QString& file, const PlanPrint& print, double dpi) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (suffix == QLatin1String("pdf")) return write_print_pdf(file, print);
  if (suffix == QLatin1String("svg")) return write_print_svg(file, print);
  if (suffix == QLatin1String("png")) return write_print_png(file, print, dpi);
  return tr("%1: the ending says what is written; allowed are .pdf, .svg and .png.").arg(file);
}

} // namespace hallwright
