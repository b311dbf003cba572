// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QMap>
#include <QString>
#include <QStringList>

/// The published cases of tests/data/power/power_cases.csv: expected value and tolerance by id.
namespace hallwright::test {

struct Expected {
  double value = 0, tolerance = 0;
};
inline QMap<QString, Expected> published() {
  QFile file(QStringLiteral(HALLWRIGHT_SOURCE_DIR "/tests/data/power/power_cases.csv"));
  QMap<QString, Expected> out;
  if (!file.open(QIODevice::ReadOnly)) return out;
  for (const QString& line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)) {
    QStringList cells{QString()};
    bool quoted = false;
    for (const QChar c : line) {
      if (c == '"') quoted = !quoted;
      else if (c == ',' && !quoted) cells.append(QString());
      else cells.last().append(c);
    }
    out.insert(cells[0], {cells[4].toDouble(), qMax(cells[6].toDouble(), 1e-9)});
  }
  return out;
}

} // namespace hallwright::test
