// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <QStringList>

#include "widgets/plan/plan_print.h"

/// Sheets of a plan as files. Each returns an empty text, or one sentence that says what went wrong. A file is replaced
/// only when the new one is complete.
namespace hallwright {

/// All sheets, a page each.
QString write_print_pdf(const QString& file, const PlanPrint& print);
/// One file a sheet; of several, "plan.svg" becomes "plan-1.svg", "plan-2.svg".
QString write_print_svg(const QString& file, const PlanPrint& print);
/// `dpi`: dots an inch of paper, 36 to 1200.
QString write_print_png(const QString& file, const PlanPrint& print, double dpi);
/// By the ending of the file's name: pdf, svg or png.
QString write_print(const QString& file, const PlanPrint& print, double dpi);
/// Files that were written by the last three: the name itself, or those with numbers.
QStringList print_file_names(const QString& file, const PlanPrint& print);

/// A sheet as SVG, one unit of its coordinates a hundredth of a millimetre.
QByteArray svg_of_sheet(const PlanPrint& print, int sheet);
/// A sheet as a picture; null when it would have more than 150 million dots.
QImage print_image(const PlanPrint& print, int sheet, double dpi);
/// The whole plan of a page as a picture of at most `most_pixels` on its longer side.
QImage picture_of_plan(const PlanPrint& print, int most_pixels);

} // namespace hallwright
