// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QSize>
#include <QString>

#include "app/studio/live_evaluator.h"
#include "power/one_line_rules.h"

/// Paper and files of the power chain, for the menu and for `--render one-line`. Each returns an empty text, or one
/// sentence that says what went wrong.
namespace hallwright {

/// The one-line of an evaluation, without loads where nothing draws power; null: no unit is drawn.
std::shared_ptr<const OneLineStudy> drawn_one_line(const Evaluation& evaluation);

/// The diagram as .svg, .pdf, .dxf or .png, by the ending.
QString write_one_line(const QString& file, const SharedEvaluation& evaluation, QSize size = {2400, 1600});
QString write_panel_schedule(const QString& file, const SharedEvaluation& evaluation);
QString write_load_list(const QString& file, const SharedEvaluation& evaluation);

} // namespace hallwright
