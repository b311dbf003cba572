// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>

#include <functional>

namespace {

const QString source_folder = QStringLiteral(HALLWRIGHT_SOURCE_DIR);

QString content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList sources(const QString& folder) {
  QStringList out;
  QDirIterator it(source_folder + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
  while (it.hasNext()) out << it.next();
  out.sort();
  return out;
}

struct Include {
  QString file, text;
  bool quoted = false;
  int line = 0;
};
QVector<Include> includes(const QString& path) {
  static const QRegularExpression form(QStringLiteral("^\\s*#\\s*include\\s*([\"<])([^\">]+)[\">]"));
  QVector<Include> out;
  int line = 0;
  for (const QString& text : content(path).split('\n')) {
    ++line;
    const auto match = form.match(text);
    if (match.hasMatch()) out << Include{path, match.captured(2), match.captured(1) == "\"", line};
  }
  return out;
}
QString place(const Include& i) { return QDir(source_folder).relativeFilePath(i.file) + ":" + QString::number(i.line) + " includes " + i.text; }

const QStringList rooms = {"quantity", "ledger", "catalog", "design",   "checks",  "project",     "space",  "fabric",     "load",
                           "cooling",  "power",  "training", "storage", "reliability", "budget", "evaluation", "study"};

} // namespace

/// The boundaries of the architecture, as the sources and the program have them.
class TestCliBoundaries : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void the_command_line_needs_no_qt() {
    QProcess readelf;
    readelf.start("readelf", {"-d", HALLWRIGHT_CLI});
    QVERIFY2(readelf.waitForFinished() && readelf.exitCode() == 0, "readelf is needed, from binutils");
    const QString dynamic = QString::fromUtf8(readelf.readAllStandardOutput());
    QVERIFY(dynamic.contains("(NEEDED)"));
    QVERIFY2(!dynamic.contains("Qt", Qt::CaseSensitive), qPrintable(dynamic));
    // Nor through another library.
    QProcess ldd;
    ldd.start("ldd", {HALLWRIGHT_CLI});
    QVERIFY(ldd.waitForFinished() && ldd.exitCode() == 0);
    QVERIFY(!QString::fromUtf8(ldd.readAllStandardOutput()).contains("libQt"));
  }

  void the_engine_and_the_command_line_include_no_qt() {
    static const QRegularExpression qt(QStringLiteral("^(Q[A-Z]|Qt|q[a-z]+\\.h$)"));
    int seen = 0;
    for (const QString& folder : {QStringLiteral("engine"), QStringLiteral("app/cli")})
      for (const QString& path : sources(folder))
        for (const Include& i : includes(path)) {
          ++seen;
          QVERIFY2(!qt.match(i.text).hasMatch(), qPrintable(place(i)));
        }
    QVERIFY(seen > 300);
  }

  void widgets_include_no_unit_library() {
    int seen = 0;
    for (const QString& path : sources("widgets"))
      for (const Include& i : includes(path)) {
        ++seen;
        QVERIFY2(!i.text.startsWith("boost/units"), qPrintable(place(i)));
      }
    QVERIFY(seen > 50);
  }

  void a_room_includes_only_rooms_above_it() {
    QCOMPARE(rooms.size(), 17);
    for (const QString& room : QDir(source_folder + "/engine").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
      const auto own = rooms.indexOf(room);
      QVERIFY2(own >= 0, qPrintable("engine/" + room + " is not a room of the architecture"));
      for (const QString& path : sources("engine/" + room))
        for (const Include& i : includes(path)) {
          if (!i.quoted) continue;
          const auto other = rooms.indexOf(i.text.section('/', 0, 0));
          QVERIFY2(other >= 0, qPrintable(place(i) + ", which is no room"));
          QVERIFY2(other <= own, qPrintable(place(i) + ", a room below"));
        }
    }
  }

  void widgets_and_apps_stay_in_their_place() {
    for (const QString& path : sources("widgets"))
      for (const Include& i : includes(path)) QVERIFY2(!i.text.startsWith("app/"), qPrintable(place(i)));
    for (const QString& path : sources("app/cli"))
      for (const Include& i : includes(path)) QVERIFY2(!i.text.startsWith("widgets/") && !i.text.startsWith("app/studio"), qPrintable(place(i)));
  }

  void no_header_includes_itself_by_a_circle() {
    // Headers by the name under which they are included.
    QMap<QString, QStringList> graph;
    const auto take = [&](const QString& folder, const QString& root) {
      for (const QString& path : sources(folder)) {
        if (!path.endsWith(".h")) continue;
        const QString name = QDir(source_folder + "/" + root).relativeFilePath(path);
        for (const Include& i : includes(path)) {
          if (!i.quoted) continue;
          const QString beside = QDir::cleanPath(QFileInfo(path).path() + "/" + i.text);
          graph[name] << (QFile::exists(beside) ? QDir(source_folder + "/" + root).relativeFilePath(beside) : i.text);
        }
      }
    };
    take("engine", "engine");
    take("widgets", ".");
    take("app", ".");
    QMap<QString, int> colour; // 0 new, 1 open, 2 done
    QStringList path;
    QString circle;
    const std::function<void(const QString&)> visit = [&](const QString& name) {
      if (colour[name] == 2 || !circle.isEmpty()) return;
      if (colour[name] == 1) {
        circle = (path.mid(path.indexOf(name)) << name).join(" -> ");
        return;
      }
      colour[name] = 1;
      path << name;
      for (const QString& next : graph.value(name)) visit(next);
      path.removeLast();
      colour[name] = 2;
    };
    QVERIFY(graph.size() > 60);
    for (const QString& name : graph.keys()) visit(name);
    QVERIFY2(circle.isEmpty(), qPrintable(circle));
  }

  void the_engine_reads_no_clock_environment_or_locale() {
    static const QRegularExpression forbidden(QStringLiteral("\\b(getenv|setlocale|system_clock|std::locale|std::rand|srand|random_device)\\b"));
    for (const QString& path : sources("engine")) {
      const auto match = forbidden.match(content(path));
      // Recovery and lock files name this machine, its processes and the user.
      if (path.contains("/engine/project/")) continue;
      QVERIFY2(!match.hasMatch(), qPrintable(path + " uses " + match.captured(1)));
    }
  }
};

QTEST_GUILESS_MAIN(TestCliBoundaries)
#include "test_cli_boundaries.moc"
