// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/print_command.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QStringList>

#include "app/studio/print_files.h"
#include "widgets/plan/plan_print.h"
#include "widgets/plan/plan_underlay.h"

namespace hallwright {

void add_print_options(QCommandLineParser& parser) {
  parser.addOption(
      {QStringLiteral("print-plan"),
       QStringLiteral("Write the plan to scale and end: PDF (all sheets), or a .svg or .png for each sheet."),
       QStringLiteral("FILE")});
  parser.addOption({QStringLiteral("scale"), QStringLiteral("Scale of --print-plan, 1:20 to 1:1000, or fit (default)."),
                    QStringLiteral("1:N")});
  parser.addOption({QStringLiteral("paper"),
                    QStringLiteral("Paper of --print-plan: A4 to A0, Letter, ANSI B to ANSI D; A3 by default."),
                    QStringLiteral("PAPER")});
  parser.addOption({QStringLiteral("portrait"), QStringLiteral("The paper of --print-plan stands upright.")});
  parser.addOption({QStringLiteral("hall"), QStringLiteral("Hall of --print-plan, by name; all halls by default."),
                    QStringLiteral("NAME")});
  parser.addOption({QStringLiteral("overlay"),
                    QStringLiteral("What --print-plan colours racks by; none by default: %1.")
                        .arg(PlanView::overlayWords().join(QStringLiteral(", "))),
                    QStringLiteral("WORD")});
  parser.addOption({QStringLiteral("revision"), QStringLiteral("Revision in the title block of --print-plan."),
                    QStringLiteral("TEXT")});
  parser.addOption({QStringLiteral("date"),
                    QStringLiteral("Date in the title block of --print-plan; today by default."),
                    QStringLiteral("TEXT")});
  parser.addOption({QStringLiteral("dpi"),
                    QStringLiteral("Dots an inch of a PNG of --print-plan, 36 to 1200; 300 by default."),
                    QStringLiteral("N")});
}

PrintOptions print_options(const QCommandLineParser& parser, const Design& design) {
  PrintOptions out;
  const auto value = [&](const char* name) { return parser.value(QLatin1String(name)); };
  const auto set = [&](const char* name) { return parser.isSet(QLatin1String(name)); };
  if (set("paper")) {
    const PaperFormat* format = paper_format(value("paper"));
    if (!format) {
      QStringList names;
      for (const PaperFormat& f : paper_formats()) names << f.name;
      out.problem = QStringLiteral("--paper '%1' is not known; allowed: %2")
                        .arg(value("paper"), names.join(QStringLiteral(", ")));
      return out;
    }
    out.page.paper = format->name;
  }
  if (set("scale") && value("scale") != QLatin1String("fit")) {
    const auto d = read_scale(value("scale"));
    if (!d) {
      out.problem = QStringLiteral("--scale '%1' is not a scale; allowed: 1:20 to 1:1000, or fit").arg(value("scale"));
      return out;
    }
    out.page.scale = *d;
  }
  if (set("hall")) {
    QStringList names;
    for (const Hall& h : *design.halls) {
      if (QString::fromStdString(h.name) == value("hall")) out.page.hall = h.id;
      names << QString::fromStdString(h.name);
    }
    if (!out.page.hall) {
      out.problem =
          QStringLiteral("--hall '%1' is not in the design; there %2")
              .arg(value("hall"), names.isEmpty() ? QStringLiteral("are none")
                                                  : QStringLiteral("are: ") + names.join(QStringLiteral(", ")));
      return out;
    }
  }
  if (set("overlay")) {
    const QStringList words = PlanView::overlayWords();
    const qsizetype at = words.indexOf(value("overlay"));
    if (at < 0) {
      out.problem = QStringLiteral("--overlay '%1' is not known; allowed: %2")
                        .arg(value("overlay"), words.join(QStringLiteral(", ")));
      return out;
    }
    out.page.overlay = static_cast<Overlay>(at);
  }
  if (set("dpi")) {
    bool ok = false;
    out.dpi = value("dpi").toDouble(&ok);
    if (!ok || !(out.dpi >= 36 && out.dpi <= 1200)) {
      out.problem = QStringLiteral("--dpi '%1' is out of range; allowed: 36 to 1200").arg(value("dpi"));
      return out;
    }
  }
  out.page.landscape = !set("portrait");
  out.page.revision = value("revision");
  out.page.date = value("date");
  return out;
}

QString print_plan(const QString& file, const PrintOptions& options, const QString& project_file,
                   const SharedEvaluation& evaluation) {
  plan::UnderlayFiles::shared().setFolder(QFileInfo(project_file).absolutePath());
  const PlanPrint print(options.page, evaluation->design, evaluation->catalog, evaluation);
  return write_print(file, print, options.dpi);
}

} // namespace hallwright
