// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wrapped_text.h"

#include <QFontMetrics>

namespace hallwright {

QStringList wrapped_text(const QString& text, const QFontMetrics& metrics, int width, int most_lines) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QStringList lines;
  qsizetype next = 0;
  while (next < words.size()) {
    if (lines.size() + 1 >= most_lines) {
      lines << metrics.elidedText(words.mid(next).join(QLatin1Char(' ')), Qt::ElideMiddle, width);
      break;
    }
    QString line = words[next++];
    for (; next < words.size(); ++next) {
      const QString longer = line + QLatin1Char(' ') + words[next];
      if (metrics.horizontalAdvance(longer) > width) break;
      line = longer;
    }
    lines << metrics.elidedText(line, Qt::ElideMiddle, width);
  }
  return lines;
}

} // namespace hallwright
