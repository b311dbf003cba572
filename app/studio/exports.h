// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include "app/studio/live_evaluator.h"
#include "widgets/plan/plan_view.h"

/// Paper and pictures: the same code for the menu and for `--report`, `--render`. Each returns an empty text, or one
/// sentence that says what went wrong.
namespace hallwright {

/// One page: plan, headline figures with limits, findings, assumptions, power basis, catalog date.
QString write_report_pdf(const QString& file, const SharedEvaluation& evaluation);
QString write_plan_svg(const QString& file, const SharedEvaluation& evaluation, Overlay overlay);
/// Everything on the plan, all halls on one sheet, in millimetres (see `plan_sheet`).
QString write_plan_dxf(const QString& file, const SharedEvaluation& evaluation);
QString write_plan_png(const QString& file, const SharedEvaluation& evaluation, Overlay overlay, QSize size);
/// Every table as CSV, and all figures as `figures.csv`, into a folder.
QString write_tables(const QString& folder, const SharedEvaluation& evaluation);

} // namespace hallwright
