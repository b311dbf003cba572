// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QtTest>

/// Runs the real command line and holds what it answered.
namespace hallwright::test {

struct Answer {
  int code = -1;
  QByteArray out, err;
  [[nodiscard]] QJsonDocument json() const { return QJsonDocument::fromJson(out); }
  [[nodiscard]] QString text() const { return QString::fromUtf8(out); }
};

/// `changes`: variables of the environment that are set for the run.
inline Answer run_cli(const QStringList& arguments, const QMap<QString, QString>& changes = {}) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.remove(QStringLiteral("HALLWRIGHT_CATALOG"));
  environment.insert(QStringLiteral("XDG_DATA_HOME"), QStringLiteral("/nonexistent")); // no catalog of whoever runs the tests
  for (auto it = changes.begin(); it != changes.end(); ++it) environment.insert(it.key(), it.value());
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(HALLWRIGHT_CLI), arguments);
  Answer answer;
  if (!process.waitForStarted() || !process.waitForFinished(60000)) return answer;
  answer.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
  answer.out = process.readAllStandardOutput();
  answer.err = process.readAllStandardError();
  return answer;
}

/// Records of a file of comma-separated text by column name; quotes and doubled quotes as in RFC 4180.
inline QVector<QMap<QString, QString>> csv_rows(const QByteArray& content) {
  QVector<QStringList> records;
  QStringList record;
  QString cell;
  bool quoted = false;
  const QString text = QString::fromUtf8(content);
  for (int i = 0; i < text.size(); ++i) {
    const QChar c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        cell += '"';
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        cell += c;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      record << cell;
      cell.clear();
      if (c == '\n') {
        records << record;
        record.clear();
      }
    } else if (c != '\r') {
      cell += c;
    }
  }
  QVector<QMap<QString, QString>> rows;
  for (int r = 1; r < records.size(); ++r) {
    QMap<QString, QString> row;
    for (int c = 0; c < records[0].size(); ++c) row[records[0][c]] = records[r].value(c);
    rows << row;
  }
  return rows;
}
inline QVector<QMap<QString, QString>> csv_file(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? csv_rows(file.readAll()) : QVector<QMap<QString, QString>>{};
}

/// Whether standard error is one sentence: one line that says something.
inline bool one_sentence(const QByteArray& err) { return err.size() > 20 && err.endsWith('\n') && err.count('\n') == 1; }

} // namespace hallwright::test
