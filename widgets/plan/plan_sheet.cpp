// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QDate>
#include <QFontMetricsF>
#include <QLocale>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_print.h"

/// What stands round the drawing on a sheet: title block, legend, scale bar, north, marks of neighbouring sheets.
namespace hallwright {

using namespace plan;

namespace {

constexpr double sheet_dots = 100;                           // canvas units a millimetre of paper
constexpr double block_width = 180, block_height = 31; // mm; the width that ISO 7200 gives a title block
constexpr double line_height = 4.4, pad = 3, swatch = 6, bar_column = 62, key_column = 34;

QRectF mm(double x, double y, double w, double h) { return {x * sheet_dots, y * sheet_dots, w * sheet_dots, h * sheet_dots}; }
QRectF mm(const QRectF& r) { return mm(r.left(), r.top(), r.width(), r.height()); }

/// Words made smaller until they fit, and only then shortened.
void fit_words(const Canvas& c, const QRectF& r, const QString& words, double size, bool bold, const QColor& color,
               int align = Qt::AlignLeft) {
  QFont f = c.font(size, bold);
  for (double s = size; s > 6.5 && c.size_of(words, f).width > r.width(); s -= 0.5) f = c.font(s, bold);
  const QString shown =
      c.size_of(words, f).width > r.width() ? QFontMetricsF(f).elidedText(words, Qt::ElideRight, r.width()) : words;
  c.text(r, align | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip, shown, f, color);
}

QString capital(QString words) {
  for (const char* abbreviation : {"cdu", "crah", "ups"})
    if (words == QLatin1String(abbreviation)) return words.toUpper();
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  return words;
}

QString first_of(const QString& chosen, const QString& otherwise) { return chosen.isEmpty() ? otherwise : chosen; }

} // namespace

void PlanPrint::collect_legend() {
  const PlanColors colors = PlanColors::paper();
  const auto shown = [&](PlanLayer layer) { return !page_.hidden.count(layer); };
  const auto kinds = [&](PlanLayer layer, auto&& item) {
    bool seen[256] = {};
    for (const PlanObject& o : model_.objects(layer)) seen[o.word] = true;
    for (int word = 0; word < 256; ++word)
      if (seen[word]) item(static_cast<std::uint8_t>(word));
  };
  if (shown(PlanLayer::racks)) {
    if (page_.overlay == Overlay::none)
      kinds(PlanLayer::racks, [&](std::uint8_t role) {
        const Tint tint = rack_tint(colors, role);
        const QString words[] = {PlanView::tr("Compute rack"), PlanView::tr("Fabric rack (L)"),
                                 PlanView::tr("Storage rack (S)"), PlanView::tr("Management rack (M)")};
        legend_.push_back({LegendItem::box, words[role & 3], tint.fill, tint.line});
      });
    bool cold = false, hot = false;
    for (const AisleBand& a : model_.aisles()) (a.cold ? cold : hot) = true;
    if (cold) legend_.push_back({LegendItem::band, PlanView::tr("Cold aisle"), colors.cold, colors.cold_text});
    if (hot) legend_.push_back({LegendItem::band, PlanView::tr("Hot aisle"), colors.hot, colors.hot_text});
  }
  for (PlanLayer layer : {PlanLayer::power, PlanLayer::liquid})
    if (shown(layer)) {
      const Tint tint = unit_tint(colors, layer);
      const Picture p = picture({});
      bool stands[256] = {}, hangs = false;
      for (const PlanObject& o : model_.objects(layer))
        (is_overhead(p, layer, o) ? hangs : stands[o.word]) = true;
      for (int word = 0; word < 256; ++word)
        if (stands[word])
          legend_.push_back({LegendItem::box, capital(layer_object_kind(layer, static_cast<std::uint8_t>(word))),
                             tint.fill, tint.line});
      if (hangs) {
        QColor wash = colors.power;
        wash.setAlpha(26);
        legend_.push_back({LegendItem::dashed, PlanView::tr("Busway overhead"), wash, colors.power});
      }
    }
  // Racks and units drawn with a stand-in for their size.
  const auto assumed = [&](PlanLayer layer) {
    const auto& objects = model_.objects(layer);
    return shown(layer) &&
           std::any_of(objects.begin(), objects.end(), [](const PlanObject& o) { return !o.known_size; });
  };
  if (assumed(PlanLayer::racks) || assumed(PlanLayer::power) || assumed(PlanLayer::liquid))
    legend_.push_back({LegendItem::dashed, PlanView::tr("Size not known, assumed"), colors.floor, colors.rack_border});
  if (shown(PlanLayer::structure))
    kinds(PlanLayer::structure, [&](std::uint8_t word) {
      const auto kind = static_cast<StructureKind>(word);
      LegendItem item{LegendItem::box, capital(layer_object_kind(PlanLayer::structure, word)),
                      mixed(colors.floor, colors.structure, 0.22), colors.structure};
      if (kind == StructureKind::wall)
        item.fill = mixed(colors.outline, colors.floor, 0.15), item.border = colors.outline;
      if (kind == StructureKind::column)
        item.fill = mixed(colors.structure, colors.floor, 0.35),
        item.border = mixed(colors.structure, colors.text, 0.4);
      if (kind == StructureKind::door) item.fill = colors.floor, item.border = colors.outline;
      if (kind == StructureKind::no_go)
        item.shape = LegendItem::hatched, item.fill = mixed(colors.floor, colors.structure, 0.08);
      legend_.push_back(item);
    });
  if (shown(PlanLayer::zones) && !model_.objects(PlanLayer::zones).empty())
    legend_.push_back({LegendItem::dashed, PlanView::tr("Zone"), zone_tint(colors).fill, zone_tint(colors).line});
  if (shown(PlanLayer::air))
    kinds(PlanLayer::air, [&](std::uint8_t word) {
      legend_.push_back({LegendItem::dashed,
                         PlanView::tr("Containment, %1").arg(layer_object_kind(PlanLayer::air, word)), colors.canvas,
                         containment_color(colors, word)});
    });
  if (shown(PlanLayer::trays))
    kinds(PlanLayer::trays, [&](std::uint8_t word) {
      legend_.push_back({LegendItem::line,
                         PlanView::tr("Tray, %1").arg(layer_object_kind(PlanLayer::trays, word)),
                         {},
                         tray_color(colors, word)});
    });
  if (shown(PlanLayer::pipes))
    kinds(PlanLayer::pipes, [&](std::uint8_t word) {
      legend_.push_back({LegendItem::line,
                         PlanView::tr("Pipe, %1").arg(layer_object_kind(PlanLayer::pipes, word)),
                         {},
                         pipe_color(colors, word)});
    });
  if (shown(PlanLayer::underlay) && !design_.underlays->empty())
    legend_.push_back({LegendItem::line, PlanView::tr("Underlay"), {}, mixed(colors.quiet, colors.canvas, 0.4)});
  if (shown(PlanLayer::notes))
    kinds(PlanLayer::notes, [&](std::uint8_t word) {
      if (static_cast<NoteKind>(word) == NoteKind::label)
        legend_.push_back({LegendItem::letters, PlanView::tr("Label"), {}, label_color(colors)});
      else
        legend_.push_back({LegendItem::box, PlanView::tr("Note"), note_tint(colors).fill, note_tint(colors).line});
    });
}

PlanPrint::Strip PlanPrint::strip(const QRectF& frame, bool key_map) const {
  Strip s;
  const bool bar = page_.scale_bar || page_.north_arrow;
  const bool overlay = page_.legend && values_.overlay != Overlay::none;
  const bool info = bar || overlay || !legend_.empty() || key_map;
  if (!info && !page_.title_block) return s;
  const Canvas c = canvas(100);
  const bool beside = page_.title_block && info && frame.width() >= block_width + 110;
  const double block_w = !page_.title_block ? 0
                         : beside || !info  ? std::min(block_width, frame.width())
                                            : frame.width();
  const double info_w = info ? (beside ? frame.width() - block_w : frame.width()) : 0;
  double info_h = 0;
  if (info) {
    const QSizeF card = overlay ? paint_legend(c, values_, {0, 0}).size() / sheet_dots : QSizeF();
    double left = pad, right = info_w - pad;
    if (bar) right -= bar_column;
    if (key_map) right -= key_column;
    if (overlay) left += card.width() + 4;
    const double room = right - left;
    std::vector<double> widths;
    for (const LegendItem& item : legend_)
      widths.push_back(swatch + 1.5 + c.size_of(item.words, c.font(10)).width / sheet_dots + 4);
    info_h = std::max({beside ? block_height : 0.0, overlay ? card.height() + 2 * pad : 0.0, bar ? 17.0 : 0.0,
                       key_map ? 24.0 : 0.0, legend_.empty() ? 0.0 : line_height + 2 * pad});
    // As many lines as the columns need to stand beside each other.
    for (; !legend_.empty(); info_h += line_height) {
      s.item_rows = std::max(1, static_cast<int>((info_h - 2 * pad + 0.6) / line_height));
      s.column_widths.clear();
      double all = 0;
      for (std::size_t i = 0; i < widths.size(); i += static_cast<std::size_t>(s.item_rows)) {
        const auto end = widths.begin() + static_cast<std::ptrdiff_t>(
                                              std::min(widths.size(), i + static_cast<std::size_t>(s.item_rows)));
        s.column_widths.push_back(*std::max_element(widths.begin() + static_cast<std::ptrdiff_t>(i), end));
        all += s.column_widths.back();
      }
      if (all <= room || s.column_widths.size() == 1 || info_h > 90) break;
    }
    const double total = beside ? info_h : info_h + (page_.title_block ? block_height : 0);
    s.info = QRectF(frame.left(), frame.bottom() - total, info_w, info_h);
    if (overlay) s.overlay = QRectF(s.info.left() + pad, s.info.top() + pad, card.width(), card.height());
    s.items = QRectF(s.info.left() + left, s.info.top() + pad, room, info_h - 2 * pad);
    if (key_map) s.key_map = QRectF(s.info.left() + right, s.info.top() + pad, key_column - 4, info_h - 2 * pad);
    if (bar) s.bar = QRectF(s.info.right() - pad - bar_column, s.info.top() + pad, bar_column, info_h - 2 * pad);
  }
  if (page_.title_block) {
    const double h = beside ? std::max(block_height, info_h) : block_height;
    s.block = QRectF(frame.right() - block_w, frame.bottom() - h, block_w, h);
  }
  s.all = s.info.isNull() ? s.block : s.block.isNull() ? s.info : s.info.united(s.block);
  s.all = QRectF(frame.left(), s.all.top(), frame.width(), frame.bottom() - s.all.top());
  return s;
}

void PlanPrint::paint_strip(const Canvas& c, int sheet) const {
  if (strip_.all.isNull()) return;
  const bool framed = page_.title_block || !page_.fitted;
  c.painter->fillRect(mm(strip_.all), c.colors.canvas);
  if (framed) c.line(mm(strip_.all).topLeft(), mm(strip_.all).topRight(), c.pen(c.colors.outline, 1.8));
  if (!strip_.overlay.isNull()) paint_legend(c, values_, mm(strip_.overlay).topRight());
  if (!legend_.empty()) paint_items(c);
  if (!strip_.bar.isNull()) paint_bar(c, sheet);
  if (!strip_.key_map.isNull()) paint_key_map(c, sheet);
  if (!strip_.block.isNull()) paint_block(c, sheet);
}

void PlanPrint::paint_block(const Canvas& c, int sheet) const {
  const QRectF b = strip_.block;
  const QPen thick = c.pen(c.colors.outline, 1.8), thin = c.pen(c.colors.border, 1);
  const double f = b.width() / block_width;
  const double upper = b.top() + (b.height() - 18), lower = upper + 9; // two lines of 9 mm under the names
  c.line(mm(b).topLeft(), mm(b).topRight(), thick);
  if (b.left() > frame_.left() + 0.1) c.line(mm(b).topLeft(), mm(b).bottomLeft(), thick);
  for (double y : {upper, lower}) c.line(QPointF(b.left(), y) * sheet_dots, QPointF(b.right(), y) * sheet_dots, thin);
  const auto cell = [&](double x, double y, double w, double h, const QString& caption, const QString& words,
                        double size, bool bold, bool first = false) {
    const double left = b.left() + x * f, width = w * f;
    if (!first) c.line(QPointF(left, y) * sheet_dots, QPointF(left, y + h) * sheet_dots, thin);
    fit_words(c, mm(left + 1.5, y + 0.7, width - 3, 2.4), caption, 7, false, c.colors.quiet);
    fit_words(c, mm(left + 1.5, y + 3.0, width - 3, h - 3.6), words, size, bold, c.colors.text);
  };
  const QString dash = QStringLiteral("\u2013");
  const Project& project = *design_.project;
  const Hall* hall = hallwright::find(*design_.halls, page_.hall);
  if (!hall && design_.halls->size() == 1) hall = &design_.halls->front();
  const QString hall_words =
      hall ? QString::fromStdString(hall->name)
           : PlanView::tr("All halls (%1)").arg(screen_number(static_cast<qlonglong>(design_.halls->size())));
  const QString basis = project.power_basis == PowerBasis::nameplate ? PlanView::tr("nameplate maximum")
                        : project.power_basis == PowerBasis::typical ? PlanView::tr("typical, where known")
                                                                     : PlanView::tr("measured, where known");
  const double top = b.height() - 18;
  cell(0, b.top(), 96, top, PlanView::tr("Project"),
       first_of(page_.project, first_of(QString::fromStdString(project.name), dash)), 17, true, true);
  cell(96, b.top(), 84, top, PlanView::tr("Drawing"),
       first_of(page_.title, is_index(sheet) ? PlanView::tr("Hall plan, sheet index") : PlanView::tr("Hall plan")), 15,
       true);
  cell(0, upper, 62, 9, PlanView::tr("Hall"), first_of(hall_words, dash), 11.5, false, true);
  cell(62, upper, 50, 9, PlanView::tr("Author"),
       first_of(page_.author, first_of(QString::fromStdString(project.author), dash)), 11.5, false);
  // A date that reads the same everywhere.
  cell(112, upper, 38, 9, PlanView::tr("Date"), first_of(page_.date, QDate::currentDate().toString(Qt::ISODate)), 11.5,
       false);
  cell(150, upper, 30, 9, PlanView::tr("Revision"), first_of(page_.revision, dash), 11.5, false);
  cell(0, lower, 62, 9, PlanView::tr("Scale"), scale_words(scale_of(sheet)), 12.5, true, true);
  cell(62, lower, 24, 9, PlanView::tr("Paper"), page_.fitted ? PlanView::tr("to fit") : page_.paper, 11.5, false);
  cell(86, lower, 40, 9, PlanView::tr("Sheet"), sheet_words(sheet), 11.5, false);
  cell(126, lower, 54, 9, PlanView::tr("Power basis"), basis, 11.5, false);
}

void PlanPrint::paint_items(const Canvas& c) const {
  double x = strip_.items.left();
  for (std::size_t i = 0; i < legend_.size(); ++i) {
    const auto rows = static_cast<std::size_t>(strip_.item_rows);
    if (i > 0 && i % rows == 0) x += strip_.column_widths[i / rows - 1];
    const LegendItem& item = legend_[i];
    const double y = strip_.items.top() + static_cast<double>(i % rows) * line_height;
    const QRectF box = mm(x, y + 0.4, swatch, line_height - 1.2);
    switch (item.shape) {
    case LegendItem::box: c.tile(box, 1.5, c.pen(item.border, 1), item.fill); break;
    case LegendItem::dashed: c.tile(box, 1.5, c.pen(item.border, 1, Qt::DashLine), item.fill); break;
    case LegendItem::hatched:
      c.fill(box, item.fill);
      c.hatch(box, mixed(c.colors.floor, item.border, 0.5));
      c.outline(QPolygonF(box), c.pen(item.border, 1, Qt::DashLine));
      break;
    case LegendItem::line:
      c.line({box.left(), box.center().y()}, {box.right(), box.center().y()}, c.pen(item.border, 2.4));
      break;
    case LegendItem::band: c.fill(box, item.fill); break;
    case LegendItem::letters:
      fit_words(c, box, PlanView::tr("Abc", "sample of letters in the legend"), 10, true, item.border);
      break;
    }
    const double width = strip_.column_widths[i / rows] - swatch - 1.5;
    fit_words(c, mm(x + swatch + 1.5, y, width, line_height - 0.4), item.words, 10, false, c.colors.text);
  }
}

void PlanPrint::paint_bar(const Canvas& c, int sheet) const {
  const QRectF r = strip_.bar;
  const double north_room = page_.north_arrow ? 13 : 0;
  if (page_.scale_bar) {
    const double d = scale_of(sheet);
    const double length = bar_length((r.width() - north_room - 12) * d), w = length / d;
    const double x = r.left() + 2, y = r.top() + 6.5;
    for (int i = 0; i < 4; ++i) {
      const QRectF part = mm(x + w * i / 4, y, w / 4, 1.4);
      if (i % 2 == 0)
        c.fill(part, c.colors.text);
      else
        c.outline(QPolygonF(part.adjusted(0, 7, 0, -7)), c.pen(c.colors.text, 0.6), c.colors.canvas);
    }
    const auto mark = [&](double share, bool unit) {
      const QString words =
          screen_number(length * share / 1000, 'g', 4) + (unit ? QStringLiteral(" m") : QString());
      c.text_at(QPointF(x + w * share, y - 0.6) * sheet_dots, Qt::AlignHCenter | Qt::AlignBottom, words, c.font(9.5),
                c.colors.text);
    };
    mark(0, false);
    mark(0.5, false);
    mark(1, true);
    if (!page_.title_block)
      c.text_at(QPointF(x, y + 2) * sheet_dots, Qt::AlignLeft | Qt::AlignTop, scale_words(d), c.font(10), c.colors.quiet);
  }
  if (page_.north_arrow) {
    const QPointF middle((r.right() - 6) * sheet_dots, (r.top() + 5.6) * sheet_dots);
    const double turn = page_.north * 3.14159265358979323846 / 180;
    const auto turned = [&](double x, double y) {
      return middle + QPointF(x * std::cos(turn) - y * std::sin(turn), x * std::sin(turn) + y * std::cos(turn)) * sheet_dots;
    };
    c.outline(QPolygonF{turned(0, -3.2), turned(0, 2.6), turned(-1.9, 4)}, c.pen(c.colors.text, 0.8), c.colors.text);
    c.outline(QPolygonF{turned(0, -3.2), turned(1.9, 4), turned(0, 2.6)}, c.pen(c.colors.text, 0.8), c.colors.canvas);
    c.text_at(turned(0, -4.9), Qt::AlignCenter, PlanView::tr("N", "north on the plan"), c.font(10, true),
              c.colors.text);
  }
}

void PlanPrint::paint_key_map(const Canvas& c, int sheet) const {
  const QRectF r = strip_.key_map.adjusted(0, 0, 0, -3.4);
  const double d = scale_;
  const double step_x = area_.width() - page_.overlap, step_y = area_.height() - page_.overlap;
  const QSizeF all(step_x * columns_ + page_.overlap, step_y * rows_ + page_.overlap);
  const double f = std::min(r.width() / all.width(), r.height() / all.height());
  const QPointF corner(r.center().x() - all.width() * f / 2, r.center().y() - all.height() * f / 2);
  for (int t = 0; t < tiles(); ++t) {
    const QRectF tile(corner.x() + (t % columns_) * step_x * f, corner.y() + (t / columns_) * step_y * f, step_x * f,
                      step_y * f);
    const bool here = !is_index(sheet) && t == tile_of(sheet);
    c.outline(QPolygonF(mm(tile)), c.pen(c.colors.quiet, 0.7),
              here ? QBrush(c.colors.accent) : QBrush(c.colors.canvas));
    const QString words = screen_number(t + 1 + sheets() - tiles());
    const double size = std::min({9.0, tile.width() / 0.25 * 0.5, tile.height() / 0.25 * 0.8});
    if (size >= 4)
      c.text(mm(tile), Qt::AlignCenter | Qt::TextDontClip, words, c.font(size, here),
             here ? QColor(Qt::white) : c.colors.text);
  }
  // The outline of the drawing over the sheets.
  const QPointF first = scene_area(sheets() - tiles()).topLeft();
  const QRectF drawn(corner + (model_.extent().topLeft() - first) / d * f, model_.extent().size() / d * f);
  c.outline(QPolygonF(mm(drawn)), c.pen(c.colors.accent, 0.8));
  fit_words(c, mm(strip_.key_map.left(), strip_.key_map.bottom() - 3, strip_.key_map.width(), 3),
            PlanView::tr("Sheets"), 8, false, c.colors.quiet, Qt::AlignHCenter);
}

void PlanPrint::paint_overlaps(const Canvas& c, int sheet) const {
  const int t = tile_of(sheet), column = t % columns_, row = t / columns_, first = sheets() - tiles();
  const QRectF a = mm(area_);
  const double o = page_.overlap * sheet_dots;
  const QColor ink = mixed(c.colors.accent, c.colors.canvas, 0.35);
  const QPen dash = c.pen(ink, 0.8, Qt::DashLine);
  const auto neighbour = [&](int dx, int dy) {
    const int x = column + dx, y = row + dy;
    if (x < 0 || y < 0 || x >= columns_ || y >= rows_) return;
    const QString words = PlanView::tr("sheet %1").arg(screen_number(first + y * columns_ + x + 1));
    // The line at which the neighbour begins, and its number beyond the edge of the drawing.
    if (dx) {
      const double at = dx < 0 ? a.left() + o : a.right() - o;
      c.line({at, a.top()}, {at, a.bottom()}, dash);
      const QFont f = c.font(8.5);
      const double w = c.size_of(words, f).width + 60;
      const QRectF label(dx < 0 ? a.left() - 3.7 * sheet_dots : a.right() + 0.3 * sheet_dots, a.center().y() - w / 2, 3.4 * sheet_dots,
                         w);
      c.text_turned(label, Qt::AlignHCenter, words, f, c.colors.quiet);
    } else {
      const double at = dy < 0 ? a.top() + o : a.bottom() - o;
      c.line({a.left(), at}, {a.right(), at}, dash);
      c.text_at({a.center().x(), dy < 0 ? a.top() - 0.3 * sheet_dots : a.bottom() + 0.3 * sheet_dots},
                Qt::AlignHCenter | (dy < 0 ? Qt::AlignBottom : Qt::AlignTop), words, c.font(8.5), c.colors.quiet);
    }
  };
  neighbour(-1, 0);
  neighbour(1, 0);
  neighbour(0, -1);
  neighbour(0, 1);
  // Crosses that lie on each other when sheets are joined: at the middle of every overlap.
  const auto cross = [&](const QPointF& at) {
    c.line(at - QPointF(2 * sheet_dots, 0), at + QPointF(2 * sheet_dots, 0), c.pen(c.colors.red, 0.8));
    c.line(at - QPointF(0, 2 * sheet_dots), at + QPointF(0, 2 * sheet_dots), c.pen(c.colors.red, 0.8));
  };
  if (o > 0)
    for (double share : {0.15, 0.85}) {
      const double y = a.top() + a.height() * share, x = a.left() + a.width() * share;
      if (column > 0) cross({a.left() + o / 2, y});
      if (column + 1 < columns_) cross({a.right() - o / 2, y});
      if (row > 0) cross({x, a.top() + o / 2});
      if (row + 1 < rows_) cross({x, a.bottom() - o / 2});
    }
}

void PlanPrint::paint_index(const Canvas& c) const {
  const int first = sheets() - tiles();
  for (int t = 0; t < tiles(); ++t) {
    const QRectF scene = scene_area(first + t);
    const QRectF r(QPointF(c.x(scene.left()), c.y(scene.top())), QPointF(c.x(scene.right()), c.y(scene.bottom())));
    c.outline(QPolygonF(r), c.pen(c.colors.accent, 1.2));
    const QString words = sheet_words(first + t).section(QStringLiteral(" · "), -1);
    const QFont f = c.font(11, true);
    const QString number = screen_number(first + t + 1) + QStringLiteral(" · ") + words;
    const QSizeF size(c.size_of(number, f).width + 150, c.size_of(number, f).height + 50);
    const QRectF card(r.center() - QPointF(size.width() / 2, size.height() / 2), size);
    c.tile(card, 2, c.pen(c.colors.accent, 0.8), c.colors.canvas);
    c.text(card, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, number, f, c.colors.accent);
  }
}

} // namespace hallwright
