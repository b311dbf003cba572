// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wrapped_text.h"

#include <algorithm>

#include <QFontMetrics>
#include <QFontMetricsF>

namespace hallwright {

namespace {

/// Whole words from the front and "\u2026"; of a first word that is too wide its letters.
QString first_words(const QStringList& words, const QFontMetrics& metrics, int width) {
  QString out = words.join(QLatin1Char(' '));
  for (qsizetype kept = words.size(); metrics.horizontalAdvance(out) > width; --kept) {
    if (kept <= 1) return metrics.elidedText(words.front(), Qt::ElideRight, width);
    QString line = words.mid(0, kept - 1).join(QLatin1Char(' '));
    while (!line.isEmpty() && !line.back().isLetterOrNumber() && line.back() != QLatin1Char('%') && line.back() != QLatin1Char(')'))
      line.chop(1); // no dot or comma before the dots
    out = line + QChar(0x2026);
  }
  return out;
}

} // namespace

QStringList wrapped_text(const QString& text, const QFontMetrics& metrics, int width, int most_lines, bool whole_words) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QStringList lines;
  qsizetype next = 0;
  while (next < words.size()) {
    if (lines.size() + 1 >= most_lines) {
      lines << (whole_words ? first_words(words.mid(next), metrics, width)
                            : metrics.elidedText(words.mid(next).join(QLatin1Char(' ')), Qt::ElideMiddle, width));
      break;
    }
    QString line = words[next++];
    for (; next < words.size(); ++next) {
      const QString longer = line + QLatin1Char(' ') + words[next];
      if (metrics.horizontalAdvance(longer) > width) break;
      line = longer;
    }
    // What was measured to fit stands as it is: eliding measures in fractions of pixels and would cut it.
    lines << (metrics.horizontalAdvance(line) <= width
                  ? line
                  : metrics.elidedText(line, whole_words ? Qt::ElideRight : Qt::ElideMiddle, width));
  }
  return lines;
}

QString elided_name(const QString& name, const QFontMetricsF& metrics, double width) {
  if (metrics.horizontalAdvance(name) <= width) return name;
  constexpr double share_of_front = 0.35;
  QString front;
  for (const QChar c : name) {
    if (metrics.horizontalAdvance(front + c) > share_of_front * width) break;
    front += c;
  }
  while (!front.isEmpty() && !front.back().isLetterOrNumber()) front.chop(1);
  front += QChar(0x2026);
  QString tail;
  for (auto at = name.size() - 1; at >= 0; --at) {
    if (metrics.horizontalAdvance(front + name[at] + tail) > width) break;
    tail.prepend(name[at]);
  }
  return front + tail.trimmed();
}

} // namespace hallwright
