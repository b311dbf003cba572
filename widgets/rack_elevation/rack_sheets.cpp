// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include "widgets/figure_text.h"
#include "widgets/rack_elevation/rack_elevation_view.h"
#include "widgets/rack_elevation/rack_summary.h"
#include "widgets/written_file.h"

/// Elevations on paper: title, both faces, summary. Always light.
namespace hallwright {
namespace {

QString tr(const char* text) { return RackElevationView::tr(text); }

/// One rack type within `area`. @param px  device pixels of one design pixel
void paint_sheet(QPainter& p, const QRectF& area, double px, const SharedEvaluation& evaluation, const RackType& type,
                 bool numbers_from_top) {
  const plan::PlanColors colors = plan::PlanColors::paper();
  QFont body = p.font();
  body.setBold(false);
  body.setPixelSize(std::max(1, static_cast<int>(std::lround(11 * px))));
  QFont title = body;
  title.setPixelSize(static_cast<int>(std::lround(16 * px)));
  title.setBold(true);
  p.setFont(title);
  p.setPen(colors.text);
  p.drawText(QRectF(area.left(), area.top(), area.width(), 24 * px), Qt::AlignLeft | Qt::AlignVCenter,
             QFontMetricsF(title).elidedText(QString::fromStdString(type.name), Qt::ElideRight, area.width()));
  p.setFont(body);
  p.setPen(colors.quiet);
  const Count racks = racks_of_type(evaluation->design, type.id);
  const RackPart* cabinet = evaluation->catalog->find<RackPart>(type.rack_part);
  QString under = counted(racks, tr("1 rack"), tr("%1 racks"));
  if (cabinet) under += QStringLiteral(" \u00b7 ") + QString::fromStdString(cabinet->name);
  p.drawText(QRectF(area.left(), area.top() + 24 * px, area.width(), 16 * px), Qt::AlignLeft | Qt::AlignVCenter, under);

  const auto lines = rack_summary(*evaluation, evaluation->design, *evaluation->catalog, type.id, numbers_from_top);
  const double line_height = 16 * px, foot = static_cast<double>(lines.size()) * line_height;
  elevation::Picture picture(evaluation->design, evaluation->catalog, type.id);
  const double top = area.top() + 48 * px, room = area.bottom() - foot - 8 * px - top;
  double scale = picture.scale_for_height(room, body, px);
  picture.arrange(scale, {area.left(), top}, body, px);
  if (picture.size().width() > area.width()) {
    scale *= area.width() / picture.size().width() * 0.98;
    picture.arrange(scale, {area.left(), top}, body, px);
  }
  picture.paint(p, colors, evaluation.get(), {}, numbers_from_top);
  double y = top + picture.size().height() + 8 * px;
  for (const RackSummaryLine& l : lines) {
    QStringList values;
    for (const auto& [text, figure] : l.values)
      values << text;
    p.setFont(body);
    p.setPen(colors.quiet);
    p.drawText(QRectF(area.left(), y, 110 * px, line_height), Qt::AlignLeft | Qt::AlignVCenter, l.label);
    p.setPen(l.over ? colors.red : colors.text);
    const QRectF at(area.left() + 114 * px, y, area.width() - 114 * px, line_height);
    p.drawText(at, Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(body).elidedText(values.join(QStringLiteral(" \u00b7 ")), Qt::ElideRight, at.width()));
    y += line_height;
  }
}

} // namespace

QString write_rack_elevations(const QString& file, const SharedEvaluation& evaluation, const std::vector<Id>& types,
                              bool numbers_from_top) {
  std::vector<const RackType*> shown;
  for (const Id id : types)
    if (const RackType* t = find(*evaluation->design.rack_types, id)) shown.push_back(t);
  if (shown.empty()) return tr("There is no rack type to write; make one in Parts");
  const QString ending = file.section(QLatin1Char('.'), -1).toLower();
  if (ending == QLatin1String("pdf")) {
    const auto prepare = [&](QPdfWriter& pdf) {
      pdf.setPageSize(QPageSize(QPageSize::A4));
      pdf.setResolution(300);
      pdf.setPageMargins({0, 0, 0, 0});
      pdf.setTitle(QString::fromStdString(evaluation->design.project->name));
    };
    return write_pdf(file, prepare, [&](QPdfWriter& pdf, QPainter& p) {
      p.setRenderHint(QPainter::Antialiasing);
      const double mm = 300.0 / 25.4;
      for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0) pdf.newPage();
        paint_sheet(p, QRectF(18 * mm, 15 * mm, 174 * mm, 262 * mm), 300.0 / 96.0, evaluation, *shown[i],
                    numbers_from_top);
        QFont foot = p.font();
        foot.setPixelSize(static_cast<int>(2.6 * mm));
        p.setFont(foot);
        p.setPen(plan::PlanColors::paper().quiet);
        p.drawText(QRectF(18 * mm, 282 * mm, 174 * mm, 5 * mm), Qt::AlignLeft | Qt::AlignVCenter,
                   tr("%1 \u00b7 rack elevation %2 of %3 \u00b7 \u2248: estimate")
                       .arg(QString::fromStdString(evaluation->design.project->name))
                       .arg(i + 1)
                       .arg(shown.size()));
      }
      return QString();
    });
  }
  constexpr int sheet_width = 560, sheet_height = 960, edge = 24, most_across = 6;
  const int across = std::min<int>(most_across, static_cast<int>(shown.size()));
  const int down = (static_cast<int>(shown.size()) + across - 1) / across;
  const QSize size(across * sheet_width, down * sheet_height);
  const auto paint_all = [&](QPainter& p, double px) {
    p.fillRect(QRectF(QPointF(0, 0), QSizeF(size) * px), Qt::white);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const int column = static_cast<int>(i) % across, row = static_cast<int>(i) / across;
      const QRectF area(column * sheet_width + edge, row * sheet_height + edge, sheet_width - 2 * edge,
                        sheet_height - 2 * edge);
      paint_sheet(p, QRectF(area.topLeft() * px, area.size() * px), px, evaluation, *shown[i], numbers_from_top);
    }
  };
  if (ending == QLatin1String("svg")) {
    return write_svg(file, size, QString::fromStdString(evaluation->design.project->name),
                     [&](QPainter& p) { paint_all(p, 1); });
  }
  if (ending == QLatin1String("png")) {
    constexpr double px = 2;
    QImage image(size * px, QImage::Format_RGB32);
    if (image.isNull()) return tr("%1 rack types are too many for one picture; write a PDF").arg(shown.size());
    QPainter p(&image);
    p.setRenderHint(QPainter::Antialiasing);
    paint_all(p, px);
    p.end();
    return write_image(file, image);
  }
  return tr("%1: the ending must be .pdf, .svg or .png").arg(file);
}

} // namespace hallwright
