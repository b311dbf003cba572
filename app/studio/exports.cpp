// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/exports.h"

#include <cmath>

#include <QDate>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QImage>
#include <QLocale>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>

#include "app/studio/cluster_size.h"
#include "space/plan_export.h"
#include "widgets/entity_title.h"
#include "widgets/figure_table.h"
#include "widgets/figure_text.h"
#include "widgets/tile_words.h"
#include "widgets/written_file.h"

namespace hallwright {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Exports", text); }

const QColor ink("#1f2a37"), quiet("#5d6b7a"), hair("#d9dfe6"), accent("#2a6cb5"), red("#c0392b"), amber("#d9790a");

QFont page_font(double points, bool bold = false) {
  QFont f(QFontDatabase::families().contains(QStringLiteral("Inter")) ? QStringLiteral("Inter") : QStringLiteral("DejaVu Sans"));
  f.setPointSizeF(points);
  if (bold) f.setWeight(QFont::DemiBold);
  return f;
}

/// Draws text into a box, elided; returns nothing is lost silently: the full text is in the CSV export.
void put(QPainter& p, const QRectF& box, const QString& text, const QFont& font, const QColor& color, int flags = Qt::AlignLeft | Qt::AlignVCenter) {
  p.setFont(font);
  p.setPen(color);
  const QFontMetricsF m(font, p.device());
  p.drawText(box, flags, flags & Qt::TextWordWrap ? text : m.elidedText(text, Qt::ElideRight, box.width()));
}

QString basis_sentence(const Evaluation& e) {
  switch (e.design.project->power_basis) {
  case PowerBasis::nameplate: return tr("nameplate maximum");
  case PowerBasis::typical: return tr("typical, where known");
  case PowerBasis::measured: return tr("measured, where known");
  }
  return {};
}

} // namespace

/// The one page of the report, 300 dots an inch.
static void draw_report(QPainter& p, const SharedEvaluation& evaluation) {
  const Evaluation& e = *evaluation;
  p.setRenderHint(QPainter::Antialiasing);
  const double mm = 300.0 / 25.4;
  const double left = 15 * mm, right = 195 * mm, width = right - left;
  double y = 13 * mm;

  put(p, {left, y, width * 0.72, 8 * mm}, QString::fromStdString(e.design.project->name), page_font(16, true), ink);
  put(p, {left + width * 0.72, y, width * 0.28, 8 * mm}, QStringLiteral("Hallwright"), page_font(9), quiet, Qt::AlignRight | Qt::AlignVCenter);
  y += 8 * mm;
  // Who and when, below the name of the program; the question has the rest of the line.
  QString made = QLocale().toString(QDate::currentDate(), QLocale::ShortFormat);
  if (!e.design.project->author.empty())
    made = QString::fromStdString(e.design.project->author) + QStringLiteral(" \u00b7 ") + made;
  const double of_made = QFontMetricsF(page_font(8), p.device()).horizontalAdvance(made) + 4 * mm;
  put(p, {right - of_made, y, of_made, 5 * mm}, made, page_font(8), quiet, Qt::AlignRight | Qt::AlignVCenter);
  if (!e.design.project->question.empty()) {
    // Two lines at most, whole words.
    const QString question = QString::fromStdString(e.design.project->question);
    const QFontMetricsF m(page_font(9), p.device());
    const double room = width - of_made;
    const bool one = m.horizontalAdvance(question) <= room;
    p.setFont(page_font(9));
    p.setPen(quiet);
    const double tall = one ? 5 * mm : 2 * m.lineSpacing();
    p.save();
    p.setClipRect(QRectF(left, y, room, tall));
    p.drawText(QRectF(left, y, room, one ? tall : 20 * mm),
               one ? int(Qt::AlignLeft | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap), question);
    p.restore();
    y += tall;
  }
  if (const QString size = cluster_size(e); !size.isEmpty())
    put(p, {left, y, width, 6 * mm}, size, page_font(11, true), ink);
  y += 7 * mm;
  p.setPen(QPen(hair, 0.25 * mm));
  p.drawLine(QPointF(left, y), QPointF(right, y));
  y += 3 * mm;

  // Headline figures with limits, three across.
  const auto& tiles = headline_tiles();
  const double tile_w = width / 3, tile_h = 17 * mm;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const QRectF box(left + static_cast<double>(i % 3) * tile_w, y + static_cast<double>(i / 3) * tile_h, tile_w - 4 * mm, tile_h);
    const TileWords words = tile_words(e, tiles[i]);
    const TileLevel level = words.state.level;
    const bool over = level == TileLevel::error;
    put(p, {box.left(), box.top(), box.width(), 4 * mm}, to_qstring(tiles[i].title), page_font(7.5), quiet);
    put(p, {box.left(), box.top() + 4 * mm, box.width(), 6 * mm}, words.value, page_font(12, true), over ? red : ink);
    if (words.share >= 0.0) {
      const QRectF bar(box.left(), box.top() + 10.4 * mm, box.width(), 0.7 * mm);
      p.fillRect(bar, hair);
      p.fillRect(QRectF(bar.left(), bar.top(), bar.width() * std::clamp(words.share, 0.0, 1.0), bar.height()),
                 over ? red : level == TileLevel::calm ? accent : amber);
    }
    put(p, {box.left(), box.top() + 11.6 * mm, box.width(), 4 * mm}, words.foot(), page_font(7),
        over ? red : level == TileLevel::warning ? amber : quiet);
  }
  y += 3 * tile_h + 2 * mm;

  // The plan.
  const double plan_h = 100 * mm;
  if (!e.design.halls->empty() || !e.design.racks->empty()) {
    PlanView::paintPlan(p, QRectF(left, y, width, plan_h), e.design, e.catalog, evaluation, Overlay::power, 0);
  } else {
    put(p, {left, y, width, plan_h}, tr("Nothing is drawn: figures rest on the goal and its assumptions."), page_font(9), quiet, Qt::AlignCenter);
  }
  y += plan_h + 4 * mm;

  // Findings and assumptions, side by side.
  const double half = (width - 6 * mm) / 2;
  const double bottom = 280 * mm;
  double fy = y;
  put(p, {left, fy, half, 5 * mm}, tr("Findings"), page_font(9, true), ink);
  fy += 5.5 * mm;
  std::size_t shown = 0, open = 0;
  for (const Finding& f : e.findings) open += f.waived ? 0 : 1;
  for (const Finding& f : e.findings) {
    if (f.waived) continue;
    const QRectF box(left + 4 * mm, fy, half - 4 * mm, 8 * mm);
    if (fy + 12 * mm > bottom) break;
    p.setPen(Qt::NoPen);
    p.setBrush(f.severity == Severity::error ? red : f.severity == Severity::warning ? amber : accent);
    p.drawEllipse(QPointF(left + 1.5 * mm, fy + 2 * mm), 1.0 * mm, 1.0 * mm);
    p.setFont(page_font(7));
    p.setPen(ink);
    const QString text = QString::fromStdString(f.code + "  " + f.message + (f.remedies.empty() ? "" : "  Remedy: " + f.remedies.front().edit.label));
    const QRectF used = p.boundingRect(QRectF(box.left(), box.top(), box.width(), 11 * mm), Qt::TextWordWrap, text);
    const double spacing = QFontMetricsF(page_font(7), p.device()).lineSpacing(); // whole lines, three at most
    const double height = std::min(used.height(), 3 * spacing);
    p.save();
    p.setClipRect(QRectF(box.left(), box.top(), box.width(), height));
    p.drawText(QRectF(box.left(), box.top(), box.width(), used.height()), Qt::TextWordWrap, text);
    p.restore();
    fy += height + 1.6 * mm;
    ++shown;
  }
  if (open == 0) put(p, {left, fy, half, 4 * mm}, tr("No rule complains."), page_font(7.5), quiet);
  if (shown < open) put(p, {left, fy, half, 4 * mm}, tr("and %1 more in the Checks panel").arg(open - shown), page_font(7), quiet);

  // What was kept to compare with.
  if (!e.design.scenarios->empty() && fy + 16 * mm < bottom) {
    fy += (shown < open ? 4 : 2) * mm;
    put(p, {left, fy, half, 5 * mm}, tr("Scenarios kept in this project"), page_font(9, true), ink);
    fy += 5.5 * mm;
    for (const Scenario& s : *e.design.scenarios) {
      if (fy + 4.4 * mm > bottom) break;
      QStringList what;
      for (const ScenarioChange& c : *e.design.scenario_changes)
        if (c.scenario == s.id)
          what << path_words(e.design, e.catalog.get(), c.path) + QStringLiteral(" ") + QString::fromStdString(c.value);
      put(p, {left, fy, half, 4 * mm},
          QString::fromStdString(s.name) + QStringLiteral(": ") + what.join(QStringLiteral(", ")), page_font(7), ink);
      fy += 4.4 * mm;
    }
  }

  double ay = y;
  const double ax = left + half + 6 * mm;
  auto line = [&](const QString& name, const QString& value) {
    if (ay + 4.4 * mm > bottom) return;
    const double wide = QFontMetricsF(page_font(7), p.device()).horizontalAdvance(value) + 2 * mm;
    const double of_value = std::min(wide, half * 0.6);
    put(p, {ax, ay, half - of_value, 4 * mm}, name, page_font(7), quiet);
    put(p, {ax + half - of_value, ay, of_value, 4 * mm}, value, page_font(7), ink, Qt::AlignRight | Qt::AlignVCenter);
    ay += 4.4 * mm;
  };
  const auto head = [&](const QString& title) {
    put(p, {ax, ay, half, 5 * mm}, title, page_font(9, true), ink);
    ay += 5.5 * mm;
  };
  // What it costs to build, to keep and to run once.
  bool costs = false;
  for (const char* id : {"budget.capital", "budget.annual_energy", "budget.annual_energy_cost", "budget.run_energy", "budget.run_cost"}) {
    const Figure* f = e.figures.find(id);
    if (!f || !f->has_value() || nothing_known(*f)) continue;
    if (!costs) head(tr("What it costs"));
    costs = true;
    line(QString::fromStdString(f->label), (f->completeness == Completeness::estimate ? QStringLiteral("\u2248 ") : QString()) + screen_text(*f));
  }
  if (costs) ay += 1.5 * mm;
  head(tr("Inputs and assumptions"));
  // What was entered and moves the figures most comes before what the catalog assumes.
  for (const char* path :
       {"site.utility_power", "goal.node_part", "goal.gpus", "job.model_part", "job.tokens", "job.model_flops_utilization",
        "power_plant.redundancy", "cooling_plant.redundancy", "site.electricity_price", "budget.node_price",
        "budget.mean_load_share", "budget.discount_rate", "budget.years_of_service"}) {
    const auto parsed = parse_path(e.design, path);
    if (!parsed) continue;
    for (const FieldInfo& field : table_fields(parsed->entity.table)) {
      if (field.name != parsed->field) continue;
      const auto value = get_field(e.design, parsed->entity, field.name);
      if (!value || std::holds_alternative<std::monostate>(*value)) continue;
      const QString words = value_words(field, *value, e.design, e.catalog.get());
      if (const auto* count = std::get_if<std::int64_t>(&*value); count && *count == 0) continue; // no goal is set
      if (const auto* part = std::get_if<std::string>(&*value); part && part->empty()) continue;
      const auto* number = std::get_if<double>(&*value);
      line(path_words(e.design, e.catalog.get(), path),
           number && field.kind && std::abs(*number) >= 1e9 && field.kind->scale != Scale::quantity
               ? screen_short(*number, *field.kind)
               : words);
    }
  }
  line(tr("Power basis"), basis_sentence(e));
  line(tr("Catalog date"), QString::fromStdString(e.catalog->date));
  // Stated defaults of the catalog that figures of this design rest on.
  std::set<std::string> seen;
  for (const Figure* f : e.figures.all()) {
    if (f->origin != Origin::catalog || f->table != "assumption" || !f->has_value() || !seen.insert(f->part).second) continue;
    line(QString::fromStdString(f->label), screen_text(*f));
  }
  for (const Figure* f : e.figures.all())
    if (f->overridden && seen.insert(f->id).second) line(QString::fromStdString(f->label) + tr(" (replaced here)"), screen_text(*f));

  p.setPen(QPen(hair, 0.25 * mm));
  p.drawLine(QPointF(left, 284 * mm), QPointF(right, 284 * mm));
  put(p, {left, 285 * mm, width, 4 * mm},
      tr("\u2248 estimate: a first-order model or an assumption stands in it. \u201cAt least\u201d: a part is unknown. Every number opens to its formula and sources in the studio."),
      page_font(6.5), quiet);
}

QString write_report_pdf(const QString& file, const SharedEvaluation& evaluation) {
  return write_pdf(
      file,
      [&](QPdfWriter& pdf) {
        pdf.setPageSize(QPageSize(QPageSize::A4));
        pdf.setPageOrientation(QPageLayout::Portrait);
        pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
        pdf.setResolution(300);
        pdf.setTitle(QString::fromStdString(evaluation->design.project->name));
      },
      [&](QPdfWriter&, QPainter& p) {
        draw_report(p, evaluation);
        return QString();
      });
}

QString write_plan_svg(const QString& file, const SharedEvaluation& evaluation, Overlay overlay) {
  const QSize size(1600, 1100);
  return write_svg(file, size, QString::fromStdString(evaluation->design.project->name), [&](QPainter& p) {
    PlanView::paintPlan(p, QRectF(QPointF(0, 0), QSizeF(size)), evaluation->design, evaluation->catalog, evaluation,
                        overlay, 0);
  });
}

QString write_plan_dxf(const QString& file, const SharedEvaluation& evaluation) {
  return write_whole(file, dxf_text(plan_sheet(evaluation->design, *evaluation->catalog)));
}

QString write_plan_png(const QString& file, const SharedEvaluation& evaluation, Overlay overlay, QSize size) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter p(&image);
  p.setRenderHint(QPainter::Antialiasing);
  PlanView::paintPlan(p, QRectF(QPointF(0, 0), QSizeF(size)), evaluation->design, evaluation->catalog, evaluation, overlay, 0);
  p.end();
  return write_image(file, image);
}

QString write_tables(const QString& folder, const SharedEvaluation& evaluation) {
  const bool folder_is_new = !QDir(folder).exists();
  if (!QDir().mkpath(folder)) return tr("The folder %1 cannot be made").arg(folder);
  QStringList made; // half a set of tables would pass for a whole one: what is new goes again
  auto write = [&](const QString& name, const std::string& text) -> QString {
    const QString file = folder + QLatin1Char('/') + name;
    const bool is_new = !QFileInfo::exists(file);
    const QString problem = write_whole(file, text);
    if (problem.isEmpty()) {
      if (is_new) made << file;
      return {};
    }
    for (const QString& m : made) QFile::remove(m);
    if (folder_is_new) QDir().rmdir(folder);
    return problem;
  };
  Table figures;
  auto& id = figures.add_words("id", "Id");
  for (const Figure* f : evaluation->figures.all()) id.words.push_back(f->id);
  auto column = [&](const char* name, auto&& text) {
    auto& c = figures.add_words(name, name);
    for (const Figure* f : evaluation->figures.all()) c.words.push_back(text(*f));
  };
  column("label", [](const Figure& f) { return f.label; });
  column("value", [](const Figure& f) { return f.has_value() ? exact_number(f.value) : std::string(); });
  column("unit", [](const Figure& f) { return std::string(f.kind->base_symbol); });
  column("completeness", [](const Figure& f) { return std::string(completeness_word(f.completeness)); });
  column("status", [](const Figure& f) { return std::string(status_word(f.status)); });
  column("formula", [](const Figure& f) { return std::string(f.formula_text); });
  column("source", [](const Figure& f) { return f.source; });
  column("reason", [](const Figure& f) { return f.reason; });
  if (QString problem = write(QStringLiteral("figures.csv"), table_csv(figures)); !problem.isEmpty()) return problem;
  for (const Table* t : evaluation->figures.tables())
    if (QString problem = write(QString::fromStdString(t->id) + QStringLiteral(".csv"), table_csv(*t)); !problem.isEmpty()) return problem;
  return {};
}

} // namespace hallwright
