// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QDir>
#include <QRegularExpression>
#include <QSet>

#include "fabric/as_built.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

const QString source_folder = QStringLiteral(HALLWRIGHT_SOURCE_DIR);

QString content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
const QStringList& pages() {
  static const QStringList all = QDir(source_folder + "/resources/help").entryList({"*.md"}, QDir::Files);
  return all;
}

/// Everything that a pattern's first group takes from a text.
QSet<QString> all_of(const QString& text, const char* pattern) {
  static QMap<QByteArray, QRegularExpression> made;
  QRegularExpression& form = made[pattern];
  form.setPattern(QString::fromLatin1(pattern));
  form.setPatternOptions(QRegularExpression::MultilineOption);
  QSet<QString> out;
  for (auto it = form.globalMatch(text); it.hasNext();)
    out << it.next().captured(1);
  return out;
}
QStringList missing_in(const QSet<QString>& there, const QSet<QString>& wanted) {
  QStringList out = (wanted - there).values();
  out.sort();
  return out;
}

/// Commands under a heading of the program's own help; those of `catalog` as "catalog list".
QSet<QString> commands() {
  QSet<QString> out;
  for (const QString& name : all_of(run_cli({"--help"}).text().section("Subcommands:", 1), "^  ([a-z][a-z-]*)  ")) {
    const QString own = run_cli({name, "--help"}).text().section("Subcommands:", 1);
    const QSet<QString> beneath = all_of(own, "^  ([a-z][a-z-]*)  ");
    if (beneath.isEmpty()) out << name;
    for (const QString& b : beneath)
      out << name + " " + b;
  }
  return out;
}
QString manual() { return content(source_folder + "/packaging/man/hallwright-cli.1").replace("\\-", "-"); }

} // namespace

/// Help pages and the manual are whole, found from their beginning, and of one mind with the program.
class TestCliHelp : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_page_is_in_the_program() {
    QVERIFY(pages().size() > 10);
    for (const QString& page : pages())
      QVERIFY2(content(":/help/" + page) == content(source_folder + "/resources/help/" + page),
               qPrintable(page + " is not in resources/hallwright.qrc"));
    for (const QString& name : QDir(":/help").entryList(QDir::Files))
      QVERIFY2(pages().contains(name), qPrintable(name + " is no file of resources/help"));
  }

  void every_page_is_reached_from_the_first() {
    QSet<QString> seen;
    QStringList ahead{"index.md"};
    while (!ahead.isEmpty()) {
      const QString page = ahead.takeFirst();
      if (seen.contains(page)) continue;
      QVERIFY2(pages().contains(page), qPrintable("a link leads to " + page + ", which is no page"));
      seen << page;
      ahead += all_of(content(":/help/" + page), "\\]\\(([^)#:]+\\.md)[)#]").values();
    }
    const QStringList lost = missing_in(seen, QSet<QString>(pages().begin(), pages().end()));
    QVERIFY2(lost.isEmpty(), qPrintable("no link leads to " + lost.join(", ")));
    // The first page is the list of all of them.
    const QSet<QString> listed = all_of(content(":/help/index.md"), "^- \\[[^]]+\\]\\(([^)]+)\\)");
    const QStringList unlisted =
        missing_in(listed + QSet<QString>{"index.md"}, QSet<QString>(pages().begin(), pages().end()));
    QVERIFY2(unlisted.isEmpty(), qPrintable("index.md does not list " + unlisted.join(", ")));
  }

  void the_manual_has_every_command() {
    const QSet<QString> known = commands();
    QVERIFY(known.contains("as-built") && known.contains("cabling") && known.contains("catalog import"));
    const QSet<QString> entries =
        all_of(manual(), "^\\.TP\\n\\.BI? \"?([a-z][a-z -]*?)(?:\"| \"| --[a-z]+\"?$| --[a-z]+\" )");
    const QStringList lost = missing_in(entries, known);
    QVERIFY2(lost.isEmpty(), qPrintable("hallwright-cli.1 has no entry for " + lost.join(", ")));
  }

  /// An option that the manual or a help page names is one that the program takes.
  void named_options_exist() {
    QSet<QString> options{"--version", "--help"};
    for (const QString& command : commands())
      options += all_of(run_cli(command.split(' ') + QStringList{"--help"}).text(), "(--[a-z][a-z-]+)");
    const QSet<QString> in_manual = all_of(manual(), "(--[a-z][a-z-]+)");
    QVERIFY(in_manual.size() > 30);
    // --report is one of the studio, which the manual points to.
    const QStringList unknown = missing_in(options + QSet<QString>{"--report"}, in_manual);
    QVERIFY2(unknown.isEmpty(), qPrintable("hallwright-cli.1 names " + unknown.join(", ")));
    for (const QString& page : pages())
      for (const QString& line : content(":/help/" + page).split('\n'))
        if (line.contains("hallwright-cli ")) {
          const QStringList strange =
              missing_in(options, all_of(line.mid(line.indexOf("hallwright-cli ")), "(--[a-z][a-z-]+)"));
          QVERIFY2(strange.isEmpty(), qPrintable(page + " names " + strange.join(", ")));
        }
  }

  void every_kind_of_as_built_finding_is_explained() {
    const QString page = content(":/help/as_built.md"), command = run_cli({"as-built", "--help"}).text();
    for (int k = 0; k <= static_cast<int>(AsBuiltKind::absent_switch); ++k) {
      const std::string_view told = as_built_word(static_cast<AsBuiltKind>(k));
      const QString word = QString::fromUtf8(told.data(), static_cast<qsizetype>(told.size()));
      for (const QString& text : {page, command, manual()})
        QVERIFY2(text.contains(QRegularExpression("\\b" + word + "\\b")),
                 qPrintable(word + " is missing in:\n" + text));
    }
  }
};

QTEST_GUILESS_MAIN(TestCliHelp)
#include "test_cli_help.moc"
