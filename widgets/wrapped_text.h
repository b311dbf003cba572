// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QFontMetrics;
class QFontMetricsF;

namespace hallwright {

/// A text in at most `most_lines` lines of `width` pixels, broken between words. What does not fit into the last line
/// is left out in its middle, where names differ least; with `whole_words` at its end, word by word, as a sentence is cut.
QStringList wrapped_text(const QString& text, const QFontMetrics& metrics, int width, int most_lines,
                         bool whole_words = false);

/// A name that is too wide: its first letters and as much as fits of its end, by which kin are told apart:
/// "Busw…R01 left".
QString elided_name(const QString& name, const QFontMetricsF& metrics, double width);

} // namespace hallwright
