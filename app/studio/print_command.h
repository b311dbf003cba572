// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/studio/live_evaluator.h"
#include "widgets/plan/plan_page.h"

class QCommandLineParser;

/// `hallwright --print-plan FILE --scale 1:100 --paper A1 PROJECT`: sheets without a window.
namespace hallwright {

struct PrintOptions {
  PlanPage page;
  double dpi = 300;
  QString problem; ///< a sentence that names the option, its value and what is allowed; empty: none
};

void add_print_options(QCommandLineParser& parser);
PrintOptions print_options(const QCommandLineParser& parser, const Design& design);
/// Writes PDF, SVG or PNG by the ending of `file`. Empty, or what went wrong.
QString print_plan(const QString& file, const PrintOptions& options, const QString& project_file,
                   const SharedEvaluation& evaluation);

} // namespace hallwright
