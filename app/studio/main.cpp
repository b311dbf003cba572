// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <string_view>

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QSettings>
#include <QTimer>

#include "app/studio/exports.h"
#include "app/studio/power_exports.h"
#include "app/studio/print_command.h"
#include "app/studio/session.h"
#include "app/studio/studio_window.h"
#include "widgets/theme.h"

using namespace hallwright;

namespace {

int refuse(const QString& sentence, int code) {
  std::fprintf(stderr, "hallwright: %s\n", sentence.toUtf8().constData());
  return code;
}

/// `--report`, `--render` and `--print-plan`: the exports without a window.
int write_without_window(const QCommandLineParser& parser, const Shared<Catalog>& catalog) {
  QString first_option;
  for (const char* option : {"report", "render", "print-plan", "tables"})
    if (first_option.isEmpty() && parser.isSet(QLatin1String(option))) first_option = QStringLiteral("--") + QLatin1String(option);
  if (parser.positionalArguments().size() != 1) return refuse(QStringLiteral("name one project after the options: hallwright %1 ... PROJECT").arg(first_option), 2);
  const QString path = parser.positionalArguments().front();
  Session session;
  auto design = session.openSample(path); // read only: nothing is locked and nothing is written beside the project
  if (!design) return refuse(session.problem(), 3);
  LiveEvaluator evaluator;
  evaluator.setCatalog(catalog);
  const SharedEvaluation evaluation = evaluator.evaluateNow(*design);
  QString problem;
  if (parser.isSet(QStringLiteral("report"))) problem = write_report_pdf(parser.value(QStringLiteral("report")), evaluation);
  if (problem.isEmpty() && parser.isSet(QStringLiteral("render"))) {
    const QString view = parser.value(QStringLiteral("render"));
    const bool one_line = view == QLatin1String("one-line");
    if (view != QLatin1String("hall") && !one_line)
      return refuse(QStringLiteral("the view '%1' cannot be rendered; allowed: hall, one-line").arg(view), 2);
    if (!parser.isSet(QStringLiteral("png")) && !parser.isSet(QStringLiteral("svg")))
      return refuse(QStringLiteral("say where to: --render %1 --png FILE or --svg FILE").arg(view), 2);
    for (const auto& [option, ending] : {std::pair{"png", ".png"}, {"svg", ".svg"}}) {
      if (!one_line || !problem.isEmpty() || !parser.isSet(QLatin1String(option))) continue;
      const QString file = parser.value(QLatin1String(option));
      problem = file.endsWith(QLatin1String(ending), Qt::CaseInsensitive) ? write_one_line(file, evaluation)
                                                                         : QStringLiteral("%1: a file of --%2 ends with %3").arg(file, QLatin1String(option), QLatin1String(ending));
    }
    if (one_line) return problem.isEmpty() ? 0 : refuse(problem, 3);
    if (parser.isSet(QStringLiteral("png"))) problem = write_plan_png(parser.value(QStringLiteral("png")), evaluation, Overlay::power, QSize(2400, 1600));
    if (problem.isEmpty() && parser.isSet(QStringLiteral("svg"))) problem = write_plan_svg(parser.value(QStringLiteral("svg")), evaluation, Overlay::power);
  }
  if (problem.isEmpty() && parser.isSet(QStringLiteral("print-plan"))) {
    const PrintOptions options = print_options(parser, *design);
    if (!options.problem.isEmpty()) return refuse(options.problem, 2);
    problem = print_plan(parser.value(QStringLiteral("print-plan")), options, path, evaluation);
  }
  if (problem.isEmpty() && parser.isSet(QStringLiteral("tables"))) problem = write_tables(parser.value(QStringLiteral("tables")), evaluation);
  return problem.isEmpty() ? 0 : refuse(problem, 3);
}

} // namespace

/// Words of the command line that open no window.
bool opens_no_window(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (word == "--") return false;
    for (const std::string_view quiet : {"--report", "--render", "--print-plan", "--tables", "--help", "--help-all", "-h", "-?", "--version", "-v"})
      if (word == quiet) return true;
  }
  return false;
}

int main(int argc, char** argv) {
  // Exports need no display, so that they run on machines without one.
  if (opens_no_window(argc, argv) && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("hallwright"));
  QApplication::setOrganizationName(QStringLiteral("hallwright"));
  QApplication::setApplicationDisplayName(QStringLiteral("Hallwright"));
  QApplication::setApplicationVersion(QStringLiteral("0.1.0"));
  QApplication::setDesktopFileName(QStringLiteral("org.hallwright.Hallwright"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/hallwright.svg")));

  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("A studio in which a whole AI cluster is designed in one document.\n\n"
                                                  "Without options it opens the start page, or PROJECT (.hall or .hall.json).\n"
                                                  "The command line without a screen is hallwright-cli."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("PROJECT"), QStringLiteral("design to open"), QStringLiteral("[PROJECT]"));
  parser.addOption({QStringLiteral("report"), QStringLiteral("Write the one-page summary and end."), QStringLiteral("FILE.pdf")});
  parser.addOption({QStringLiteral("render"), QStringLiteral("Render a view (hall, one-line) and end; needs --png or --svg."), QStringLiteral("VIEW")});
  parser.addOption({QStringLiteral("png"), QStringLiteral("Where --render writes a PNG."), QStringLiteral("FILE")});
  parser.addOption({QStringLiteral("svg"), QStringLiteral("Where --render writes an SVG."), QStringLiteral("FILE")});
  parser.addOption({QStringLiteral("tables"), QStringLiteral("Write all tables as CSV into a folder and end."), QStringLiteral("FOLDER")});
  add_print_options(parser);
  parser.addOption({QStringLiteral("no-user-catalog"), QStringLiteral("Leave your own catalog out; the shipped parts alone.")});
  if (!parser.parse(QApplication::arguments())) return refuse(parser.errorText(), 2);
  if (parser.isSet(QStringLiteral("help"))) parser.showHelp(0);
  if (parser.isSet(QStringLiteral("version"))) parser.showVersion();

  const LoadedCatalog catalog = load_catalog(!parser.isSet(QStringLiteral("no-user-catalog")));
  if (!catalog.catalog) return refuse(catalog.problem, 3);
  if (parser.isSet(QStringLiteral("report")) || parser.isSet(QStringLiteral("render")) || parser.isSet(QStringLiteral("tables")) ||
      parser.isSet(QStringLiteral("print-plan"))) {
    if (!catalog.problem.isEmpty()) std::fprintf(stderr, "hallwright: %s\n", catalog.problem.toUtf8().constData());
    apply_appearance(Appearance::light);
    return write_without_window(parser, catalog.catalog);
  }
  if (parser.positionalArguments().size() > 1) return refuse(QStringLiteral("one project at a time"), 2);

  apply_appearance(static_cast<Appearance>(QSettings().value(QStringLiteral("appearance"), 0).toInt()));
  StudioWindow window(catalog.catalog);
  window.show();
  if (!parser.positionalArguments().isEmpty()) {
    const QString path = QFileInfo(parser.positionalArguments().front()).absoluteFilePath();
    QTimer::singleShot(0, &window, [&window, path] { window.openPath(path); });
  }
  if (!catalog.problem.isEmpty()) std::fprintf(stderr, "hallwright: %s\n", catalog.problem.toUtf8().constData());
  return QApplication::exec();
}
