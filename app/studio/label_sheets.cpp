// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/label_sheets.h"

#include <algorithm>
#include <array>
#include <functional>

#include <QCoreApplication>
#include <QFontDatabase>
#include <QLocale>
#include <QPainter>
#include <QPdfWriter>

#include "widgets/figure_text.h"
#include "widgets/written_file.h"

namespace hallwright {
namespace {

QString tr(const char* text, int n = -1) { return QCoreApplication::translate("LabelSheets", text, nullptr, n); }

const QColor ink("#1f2a37"), quiet("#5d6b7a"), hair("#d9dfe6"), band("#f2f5f8");
constexpr double mm = 600.0 / 25.4;

QFont page_font(double points, bool bold = false) {
  static const QString family = QFontDatabase::families().contains(QStringLiteral("Inter"))
                                    ? QStringLiteral("Inter")
                                    : QStringLiteral("DejaVu Sans");
  QFont f(family);
  f.setPointSizeF(points);
  if (bold) f.setWeight(QFont::DemiBold);
  return f;
}

/// One line into a box: smaller where it is too long, never cut.
void put_whole(QPainter& p, const QRectF& box, const QString& text, double points, bool bold, const QColor& color) {
  QFont font = page_font(points, bold);
  const double width = QFontMetricsF(font, p.device()).horizontalAdvance(text);
  if (width > box.width()) font.setPointSizeF(std::max(2.0, points * box.width() / width * 0.98));
  p.setFont(font);
  p.setPen(color);
  p.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

/// Pages of a PDF that appears only when it is whole.
QString write_pages(const QString& file, const QString& title,
                    const std::function<bool(QPdfWriter&, QPainter&)>& draw) {
  return write_pdf(
      file,
      [&title](QPdfWriter& pdf) {
        pdf.setPageSize(QPageSize(QPageSize::A4));
        pdf.setPageOrientation(QPageLayout::Portrait);
        pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
        pdf.setResolution(600);
        pdf.setTitle(title);
      },
      [&draw](QPdfWriter& pdf, QPainter& p) {
        if (draw(pdf, p)) return QString();
        return QString::fromUtf8(export_stopped.data(), static_cast<qsizetype>(export_stopped.size()));
      });
}

QString length_text(std::uint32_t ordered_mm) {
  return ordered_mm ? screen_number(ordered_mm / 1000.0, 'g', 6) + QStringLiteral(" m") : QString();
}

} // namespace

std::vector<bool> code_128(std::string_view text) {
  // Widths of bars and spaces in turn, by value.
  static constexpr std::array<const char*, 107> widths{
      "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213", "221312",
      "231212", "112232", "122132", "122231", "113222", "123122", "123221", "223211", "221132", "221231", "213212",
      "223112", "312131", "311222", "321122", "321221", "312212", "322112", "322211", "212123", "212321", "232121",
      "111323", "131123", "131321", "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331",
      "132131", "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131", "311123",
      "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111", "111224", "111422", "121124",
      "121421", "141122", "141221", "112214", "112412", "122114", "122411", "142112", "142211", "241211", "221114",
      "413111", "241112", "134111", "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112",
      "421211", "212141", "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
      "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112"};
  constexpr std::size_t start_b = 104, stop = 106;
  std::vector<bool> out;
  const auto add = [&](std::size_t value) {
    bool bar = true;
    for (const char* w = widths[value]; *w; ++w, bar = !bar)
      out.insert(out.end(), static_cast<std::size_t>(*w - '0'), bar);
  };
  add(start_b);
  std::size_t sum = start_b, place = 0;
  for (const char c : text) {
    if (c < ' ' || c > '~') continue;
    const auto value = static_cast<std::size_t>(c - ' ');
    sum += ++place * value;
    add(value);
  }
  add(sum % 103);
  add(stop);
  return out;
}

QString write_label_sheets(const QString& file, const CableBook& book, bool code, const ExportProgress& progress) {
  constexpr int across = 5, down = 13;
  constexpr double left = 4.65, top = 10.7, pitch_x = 40.65, pitch_y = 21.2, width = 38.1, height = 21.2;
  std::size_t all = 0;
  for (const CableBookNetwork& n : book.networks)
    all += 2 * n.cabling.wiring->links.size();
  return write_pages(
      file, tr("Cable labels, %1").arg(to_qstring(book.design.project->name)), [&](QPdfWriter& pdf, QPainter& p) {
        std::size_t done = 0;
        for (const CableBookNetwork& n : book.networks) {
          const Wiring& w = *n.cabling.wiring;
          for (std::uint32_t i = 0; i < w.links.size(); ++i)
            for (const bool far_end : {false, true}) {
              const auto place = static_cast<int>(done % (across * down));
              if (place == 0 && done > 0) pdf.newPage();
              if (place == 0 && progress && !progress(static_cast<double>(done) / static_cast<double>(all)))
                return false;
              ++done;
              const WiredLink& l = w.links[i];
              const LinkCable& c = n.cabling.plan->links[i];
              const double x = (left + place % across * pitch_x) * mm, y = (top + place / across * pitch_y) * mm;
              const QString near = to_qstring(n.end_label(l.near, l.near_port)),
                            far = to_qstring(n.end_label(l.far, l.far_port));
              if (const PlaneColor color = plane_color(l.plane); !color.hex.empty())
                p.fillRect(QRectF(x + 1.6 * mm, y + 2.2 * mm, 1.2 * mm, (height - 4.4) * mm),
                           QColor(QStringLiteral("#") + to_qstring(color.hex)));
              const double text_x = x + 3.8 * mm, text_w = (width - 5.4) * mm;
              put_whole(p, {text_x, y + 1.9 * mm, text_w, 4.0 * mm}, far_end ? far : near, 7.5, true, ink);
              put_whole(p, {text_x, y + 5.9 * mm, text_w, 3.6 * mm}, QStringLiteral("/ ") + (far_end ? near : far), 7.0,
                        false, ink);
              QString foot = to_qstring(n.cable_id(i));
              if (n.legs[i] > 1) foot += tr(", leg %1 of %2").arg(n.leg[i]).arg(n.legs[i]);
              if (l.kind == LinkClass::node_leaf && w.request.counts.rails)
                foot += QStringLiteral(" \u00b7 ") + tr("rail %1").arg(l.rail + 1);
              if (c.ordered_mm) foot += QStringLiteral(" \u00b7 ") + length_text(c.ordered_mm);
              if (const LinkChoice* choice = n.cabling.plan->choice_of(i))
                foot += QStringLiteral(" \u00b7 ") + to_qstring(std::string(medium_word(choice->medium)));
              put_whole(p, {text_x, y + 9.7 * mm, text_w, 3.2 * mm}, foot, 5.5, false, quiet);
              if (!code) continue;
              const std::vector<bool> modules = code_128(n.cable_id(i));
              // Quiet zones of seven modules here, and the rest of ten on the paper around.
              const double module = std::min(0.254 * mm, text_w / static_cast<double>(modules.size() + 14));
              double at = text_x + 7 * module;
              for (std::size_t m = 0; m < modules.size();) {
                std::size_t end = m;
                while (end < modules.size() && modules[end] == modules[m])
                  ++end;
                const double bar = static_cast<double>(end - m) * module;
                if (modules[m]) p.fillRect(QRectF(at, y + 13.3 * mm, bar, 5.6 * mm), Qt::black);
                at += bar;
                m = end;
              }
            }
        }
        return true;
      });
}

QString write_port_sheets(const QString& file, const CableBook& book, const ExportProgress& progress) {
  const std::vector<RackPorts> racks = rack_ports(book);
  constexpr double left = 14, right = 196, first_line = 34, line_h = 4.1, bottom = 282;
  constexpr auto lines_a_page = static_cast<std::size_t>((bottom - first_line) / line_h);
  struct Column {
    const char* title;
    double x;
  };
  static constexpr std::array<Column, 9> columns{{{QT_TRANSLATE_NOOP("LabelSheets", "U"), 14},
                                                  {QT_TRANSLATE_NOOP("LabelSheets", "Device"), 23},
                                                  {QT_TRANSLATE_NOOP("LabelSheets", "Port"), 63},
                                                  {QT_TRANSLATE_NOOP("LabelSheets", "Far rack"), 76},
                                                  {QT_TRANSLATE_NOOP("LabelSheets", "U"), 100},
                                                  {QT_TRANSLATE_NOOP("LabelSheets", "Far device"), 109},
                                                  {QT_TRANSLATE_NOOP("LabelSheets", "Port"), 149},
                                                  {QT_TRANSLATE_NOOP("LabelSheets", "Cable"), 162},
                                                  {QT_TRANSLATE_NOOP("LabelSheets", "Length"), 182}}};
  return write_pages(
      file, tr("Port sheets, %1").arg(to_qstring(book.design.project->name)), [&](QPdfWriter& pdf, QPainter& p) {
        bool first_page = true;
        for (std::size_t k = 0; k < racks.size(); ++k) {
          const RackPorts& rack = racks[k];
          const std::size_t pages = (rack.lines.size() + lines_a_page - 1) / lines_a_page;
          std::uint64_t last_device = ~std::uint64_t{0};
          bool shaded = false;
          for (std::size_t page = 0; page < pages; ++page) {
            if (progress &&
                !progress((static_cast<double>(k) + static_cast<double>(page) / static_cast<double>(pages)) /
                          static_cast<double>(racks.size())))
              return false;
            if (!first_page) pdf.newPage();
            first_page = false;
            const QString name = rack.rack ? tr("Rack %1").arg(to_qstring(rack.name)) : tr("Not drawn");
            put_whole(p, {left * mm, 10 * mm, 120 * mm, 8 * mm}, name, 15, true, ink);
            QString place = to_qstring(rack.hall);
            if (!rack.row.empty()) place += QStringLiteral(" \u00b7 ") + tr("row %1").arg(to_qstring(rack.row));
            place += (place.isEmpty() ? QString() : QStringLiteral(" \u00b7 ")) +
                     tr("%1 ports").arg(screen_number(static_cast<qlonglong>(rack.lines.size())));
            put_whole(p, {left * mm, 18 * mm, 120 * mm, 5 * mm}, place, 8.5, false, quiet);
            p.setFont(page_font(7.5));
            p.setPen(quiet);
            const QString foot =
                pages > 1 ? tr("%1, page %2 of %3").arg(to_qstring(book.design.project->name)).arg(page + 1).arg(pages)
                          : to_qstring(book.design.project->name);
            p.drawText(QRectF(100 * mm, 11 * mm, (right - 100) * mm, 5 * mm), Qt::AlignRight | Qt::AlignVCenter, foot);
            for (const Column& c : columns)
              put_whole(p, {c.x * mm, 27 * mm, 30 * mm, 5 * mm}, tr(c.title), 7.5, true, quiet);
            p.setPen(QPen(hair, 0.25 * mm));
            p.drawLine(QPointF(left * mm, 32.6 * mm), QPointF(right * mm, 32.6 * mm));
            const std::size_t begin = page * lines_a_page, end = std::min(rack.lines.size(), begin + lines_a_page);
            for (std::size_t i = begin; i < end; ++i) {
              const RackPorts::Line& line = rack.lines[i];
              const CableBookNetwork& n = book.networks[line.network];
              const WiredLink& l = n.cabling.wiring->links[line.link];
              const std::uint32_t here = line.far_end ? l.far : l.near, there = line.far_end ? l.near : l.far;
              const Count here_port = line.far_end ? l.far_port : l.near_port,
                          there_port = line.far_end ? l.near_port : l.far_port;
              const std::uint64_t device = (std::uint64_t{line.network} << 32) | here;
              if (device != last_device) shaded = !shaded;
              const bool begins = device != last_device || i == begin;
              last_device = device;
              const double y = (first_line + static_cast<double>(i - begin) * line_h) * mm;
              if (shaded) p.fillRect(QRectF((left - 1) * mm, y, (right - left + 2) * mm, line_h * mm), band);
              const CableDevice &a = n.devices[here], &b = n.devices[there];
              const std::array<std::string, 9> cells{
                  a.unit, a.name, n.port_text(here, here_port, PortNames::faceplate),   b.rack,
                  b.unit, b.name, n.port_text(there, there_port, PortNames::faceplate), n.cable_id(line.link),
                  {}};
              for (std::size_t c = 0; c < columns.size(); ++c) {
                const double space = (c + 1 < columns.size() ? columns[c + 1].x : right) - columns[c].x - 1.0;
                const QString text = c == 8             ? length_text(n.cabling.plan->links[line.link].ordered_mm)
                                     : c < 2 && !begins ? QString()
                                                        : to_qstring(cells[c]);
                put_whole(p, {columns[c].x * mm, y, space * mm, line_h * mm}, text, 7.5, c == 2 || (c < 2 && begins),
                          l.lit ? ink : quiet);
              }
            }
          }
        }
        return true;
      });
}

} // namespace hallwright
