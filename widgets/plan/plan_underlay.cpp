// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_underlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QPointer>
#include <QThread>

#include "widgets/figure_text.h"

namespace hallwright::plan {
namespace {

constexpr std::uint32_t pieces_in_block = 64;
constexpr std::size_t most_points_at_once = 30000; // more than these are painted beside the window's own thread
constexpr qint64 most_picture_pixels = 200'000'000;
constexpr qint64 most_file_bytes = 1'000'000'000;
constexpr qint64 look_again = 1500; // ms

QString tr(const char* text) { return QCoreApplication::translate("PlanUnderlay", text); }

/// Colours of the AutoCAD index, as far as an underlay tells them apart.
QColor indexed_colour(int index, const PlanColors& colors) {
  static constexpr std::array<QRgb, 10> first{0xff808080, 0xffd02020, 0xffb09000, 0xff209030, 0xff108a9a,
                                              0xff2048c0, 0xffa030a0, 0,          0xff606060, 0xff909090};
  if (index == 7 || index <= 0 || index >= 250) return colors.quiet;
  const QColor pure = index < 10
                          ? QColor::fromRgb(first[static_cast<std::size_t>(index)])
                          : QColor::fromHsv((index - 10) / 10 * 15, index % 2 ? 110 : 200, 190 - index % 10 / 2 * 25);
  return mixed(pure, colors.quiet, 0.35);
}

void add_level(std::vector<QImage>& levels, const QImage& image) {
  levels.push_back(image);
  while (levels.back().width() > 600 || levels.back().height() > 600) {
    const QImage& last = levels.back();
    levels.push_back(last.scaled(std::max(1, last.width() / 2), std::max(1, last.height() / 2), Qt::IgnoreAspectRatio,
                                 Qt::SmoothTransformation));
  }
}

/// Even and odd bits of two coordinates in turn: near places get near numbers.
std::uint64_t in_turn(std::uint32_t x, std::uint32_t y) {
  const auto spread = [](std::uint64_t v) {
    v = (v | v << 8) & 0x00ff00ff, v = (v | v << 4) & 0x0f0f0f0f, v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
  };
  return spread(x & 0xffff) | spread(y & 0xffff) << 1;
}

void prepare(UnderlayFile& file) {
  const Drawing& d = *file.drawing;
  struct Key {
    std::uint64_t place;
    std::uint32_t path;
  };
  const auto box = [](const DrawingPath& p) {
    UnderlayPiece b;
    b.x0 = b.x1 = p.points.front().x, b.y0 = b.y1 = p.points.front().y;
    for (const DrawingPoint& q : p.points)
      b.x0 = std::min(b.x0, q.x), b.x1 = std::max(b.x1, q.x), b.y0 = std::min(b.y0, q.y), b.y1 = std::max(b.y1, q.y);
    return b;
  };
  const QRectF extent = file.extent();
  const double side = std::max({extent.width(), extent.height(), 1e-9});
  std::vector<Key> keys;
  keys.reserve(d.paths.size());
  std::size_t points = 0;
  for (std::uint32_t i = 0; i < d.paths.size(); ++i) {
    if (d.paths[i].points.size() < 2) continue;
    const UnderlayPiece b = box(d.paths[i]);
    const auto cell = [&](double v, double low) {
      return static_cast<std::uint32_t>(std::clamp((v - low) / side, 0.0, 1.0) * 65535);
    };
    keys.push_back({in_turn(cell((b.x0 + b.x1) / 2, extent.left()), cell((b.y0 + b.y1) / 2, extent.top())), i});
    points += d.paths[i].points.size();
  }
  std::sort(keys.begin(), keys.end(),
            [](const Key& a, const Key& b) { return std::pair(a.place, a.path) < std::pair(b.place, b.path); });
  file.points.reserve(points);
  file.pieces.reserve(keys.size());
  for (const Key& k : keys) {
    const DrawingPath& path = d.paths[k.path];
    UnderlayPiece piece = box(path);
    piece.first = static_cast<std::uint32_t>(file.points.size());
    piece.count = static_cast<std::uint32_t>(path.points.size());
    piece.layer = path.layer, piece.colour = path.colour, piece.closed = path.closed, piece.filled = path.filled;
    file.points.insert(file.points.end(), path.points.begin(), path.points.end());
    file.pieces.push_back(piece);
  }
  for (std::uint32_t i = 0; i < file.pieces.size(); i += pieces_in_block) {
    UnderlayBlock b;
    b.first = i, b.count = std::min<std::uint32_t>(pieces_in_block, static_cast<std::uint32_t>(file.pieces.size()) - i);
    const UnderlayPiece& p = file.pieces[i];
    b.x0 = p.x0, b.y0 = p.y0, b.x1 = p.x1, b.y1 = p.y1;
    for (std::uint32_t j = i; j < i + b.count; ++j) {
      const UnderlayPiece& q = file.pieces[j];
      b.x0 = std::min(b.x0, q.x0), b.y0 = std::min(b.y0, q.y0), b.x1 = std::max(b.x1, q.x1),
      b.y1 = std::max(b.y1, q.y1);
      b.points += q.count;
    }
    file.blocks.push_back(b);
  }
}

template <class T>
bool touches(const T& t, const QRectF& area) {
  return t.x0 <= area.right() && t.x1 >= area.left() && t.y0 <= area.bottom() && t.y1 >= area.top();
}

/// Which layers of a drawing are drawn. Those that are off in the file were put into the list when it was imported.
std::vector<bool> shown_layers(const Drawing& d, const std::set<std::string>& hidden) {
  std::vector<bool> out;
  for (const DrawingLayer& l : d.layers) out.push_back(!hidden.count(l.name));
  return out;
}

/// Paints what of a drawing lies in an area of the scene.
void paint_lines(const Canvas& c, const UnderlayFile& file, const UnderlayPlace& place, const std::vector<bool>& shown,
                 const QRectF& scene) {
  QPainter* p = c.painter;
  const Drawing& d = *file.drawing;
  const QRectF area = place.own_area(scene);
  const double dots = place.unit * c.scale; // device pixels of a drawing unit
  const double least = 0.7 * c.unit;
  p->setRenderHint(QPainter::Antialiasing, c.paper);
  const auto ink = [&](std::int16_t colour, std::uint32_t layer) {
    const int own = layer < d.layers.size() ? d.layers[layer].colour : 7;
    return indexed_colour(colour == 256 || colour <= 0 ? own : colour, c.colors);
  };
  // Lines of one colour are drawn together.
  QHash<QRgb, QList<QLineF>> lines;
  QHash<QRgb, QList<QPointF>> dots_of;
  const auto flush = [&](QRgb colour, QList<QLineF>& list) {
    p->setPen(c.pen(QColor::fromRgb(colour), c.paper ? 0.6 : 1));
    p->drawLines(list.constData(), static_cast<int>(list.size()));
    list.clear();
  };
  const auto at = [&](const DrawingPoint& q) { return c.point(place.scene(q.x, q.y)); };
  for (const UnderlayBlock& b : file.blocks) {
    if (!touches(b, area)) continue;
    for (std::uint32_t i = b.first; i < b.first + b.count; ++i) {
      const UnderlayPiece& piece = file.pieces[i];
      if (!touches(piece, area) || (piece.layer < shown.size() && !shown[piece.layer])) continue;
      const QRgb colour = ink(piece.colour, piece.layer).rgb();
      const DrawingPoint* q = file.points.data() + piece.first;
      if (std::max(piece.x1 - piece.x0, piece.y1 - piece.y0) * dots < least) {
        dots_of[colour] << at(q[0]);
        continue;
      }
      if (piece.filled) {
        QPolygonF polygon;
        for (std::uint32_t j = 0; j < piece.count; ++j) polygon << at(q[j]);
        c.outline(polygon, QPen(Qt::NoPen), QColor::fromRgb(colour));
        continue;
      }
      QList<QLineF>& list = lines[colour];
      QPointF last = at(q[0]);
      const QPointF first = last;
      for (std::uint32_t j = 1; j < piece.count; ++j) {
        const QPointF next = at(q[j]);
        // Steps too small to see are joined.
        if (j + 1 < piece.count && std::abs(next.x() - last.x()) + std::abs(next.y() - last.y()) < least) continue;
        list << QLineF(last, next);
        last = next;
      }
      if (piece.closed) list << QLineF(last, first);
      if (list.size() > 8000) flush(colour, list);
    }
  }
  for (auto it = lines.begin(); it != lines.end(); ++it) flush(it.key(), it.value());
  for (auto it = dots_of.begin(); it != dots_of.end(); ++it) {
    p->setPen(c.pen(QColor::fromRgb(it.key()), c.paper ? 0.6 : 1));
    p->drawPoints(it->constData(), static_cast<int>(it->size()));
  }
  for (const DrawingDot& dot : d.dots) {
    if (dot.layer < shown.size() && !shown[dot.layer]) continue;
    const QPointF q = at(dot.at);
    p->setPen(c.pen(ink(dot.colour, dot.layer), 1));
    p->drawLine(q - QPointF(2 * c.unit, 0), q + QPointF(2 * c.unit, 0));
    p->drawLine(q - QPointF(0, 2 * c.unit), q + QPointF(0, 2 * c.unit));
  }
  const double turn = std::atan2(place.sine, place.cosine) * 180 / std::numbers::pi;
  for (const DrawingText& t : d.texts) {
    if (t.layer < shown.size() && !shown[t.layer]) continue;
    // Capitals are about 0.72 of the size of a font.
    const double size = t.height * dots / 0.72;
    if (size < 5 * c.unit || size > 4000 * c.unit) continue;
    const double reach = t.height * (static_cast<double>(t.text.size()) + 2);
    if (!area.adjusted(-reach, -reach, reach, reach).contains(QPointF(t.at.x, t.at.y))) continue;
    QFont f = c.base_font;
    f.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
    const QFontMetricsF m(f);
    const QStringList rows = QString::fromStdString(t.text).split(QLatin1Char('\n'));
    p->save();
    p->translate(at(t.at));
    p->rotate(turn + plan_rotation(t.rotation));
    p->setFont(f);
    p->setPen(ink(t.colour, t.layer));
    const double line = m.height();
    double y = t.up == DrawingText::Up::top      ? t.height * dots
               : t.up == DrawingText::Up::middle ? t.height * dots / 2
               : t.up == DrawingText::Up::bottom ? -m.descent()
                                                 : 0;
    if (rows.size() > 1 && t.up != DrawingText::Up::top)
      y -= line * static_cast<double>(rows.size() - 1) * (t.up == DrawingText::Up::middle ? 0.5 : 1.0);
    for (const QString& row : rows) {
      const double w = t.across == DrawingText::Across::left
                           ? 0
                           : m.horizontalAdvance(row) * (t.across == DrawingText::Across::centre ? 0.5 : 1.0);
      p->drawText(QPointF(-w, y), row);
      y += line;
    }
    p->restore();
  }
}

void paint_picture(const Canvas& c, const UnderlayFile& file, const UnderlayPlace& place) {
  QPainter* p = c.painter;
  const QSizeF size = file.levels.front().size();
  const double dots = place.unit * c.scale; // device pixels of a pixel of the picture
  // The smallest picture that still has a pixel for each of the device; on paper for each of 300 an inch.
  const double wanted = c.paper ? dots / 100 * 12 : dots * p->device()->devicePixelRatioF();
  std::size_t level = 0;
  while (level + 1 < file.levels.size() && wanted * std::pow(2.0, static_cast<double>(level + 1)) <= 1.01) ++level;
  p->save();
  const QPointF corner = c.point(place.scene(0, 0));
  p->translate(corner);
  p->rotate(std::atan2(place.sine, place.cosine) * 180 / std::numbers::pi);
  p->setRenderHint(QPainter::SmoothPixmapTransform, dots < 3);
  p->drawImage(QRectF(0, 0, size.width() * dots, size.height() * dots), file.levels[level]);
  p->restore();
}

/// In place of what cannot be shown: a dashed box that says why.
void paint_note_of(const Canvas& c, const Underlay& u, const UnderlayFile& file, const UnderlayPlace& place) {
  const QPointF corner = c.point(place.origin);
  const QFont bold = c.font(11.5, true), small = c.font(10.5);
  const QString name = QString::fromStdString(u.name.empty() ? u.file : u.name);
  const double width =
      std::clamp(QFontMetricsF(small).horizontalAdvance(file.problem) + 24 * c.unit, 200 * c.unit, 420 * c.unit);
  const QString words = file.state == UnderlayFile::State::reading ? tr("Being read…") : file.problem;
  const QRectF text_room(0, 0, width - 20 * c.unit, 400 * c.unit);
  const double height =
      QFontMetricsF(small).boundingRect(text_room, Qt::TextWrapAnywhere | Qt::TextWordWrap, words).height() +
      40 * c.unit;
  const QRectF box(corner, QSizeF(width, height));
  QColor back = c.colors.panel;
  back.setAlpha(215);
  c.outline(QPolygonF(box),
            c.pen(file.state == UnderlayFile::State::reading ? c.colors.quiet : c.colors.amber, 1.4, Qt::DashLine),
            back);
  const QRectF inner = box.adjusted(10 * c.unit, 8 * c.unit, -10 * c.unit, -6 * c.unit);
  c.text(QRectF(inner.left(), inner.top(), inner.width(), 16 * c.unit),
         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
         QFontMetricsF(bold).elidedText(name, Qt::ElideMiddle, inner.width()), bold, c.colors.text);
  c.text(inner.adjusted(0, 18 * c.unit, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextWrapAnywhere,
         words, small, c.colors.quiet);
}

} // namespace

QRectF UnderlayFile::extent() const {
  if (is_picture()) return {QPointF(0, 0), QSizeF(levels.front().size())};
  if (!drawing || !drawing->extent) return {};
  const DrawingExtent& e = *drawing->extent;
  return {QPointF(e.low.x, e.low.y), QPointF(e.high.x, e.high.y)};
}

UnderlayKind underlay_kind(const QString& path) {
  return path.endsWith(QLatin1String(".dxf"), Qt::CaseInsensitive) ? UnderlayKind::dxf : UnderlayKind::image;
}

QString underlay_endings() {
  QStringList out{QStringLiteral("*.dxf")};
  for (const QByteArray& f : QImageReader::supportedImageFormats())
    for (const char* wanted : {"png", "jpg", "jpeg", "bmp", "tif", "tiff", "webp", "gif"})
      if (f == wanted) out << QStringLiteral("*.") + QString::fromLatin1(f);
  return out.join(QLatin1Char(' '));
}

SharedUnderlayFile read_underlay(const QString& path, UnderlayKind kind) {
  auto out = std::make_shared<UnderlayFile>();
  out->path = path;
  const QFileInfo info(path);
  const auto refuse = [&](UnderlayFile::State state, const QString& sentence) {
    out->state = state, out->problem = sentence;
    return out;
  };
  if (!info.exists())
    return refuse(UnderlayFile::State::missing,
                  tr("Not found. It was looked for as %1").arg(QDir::toNativeSeparators(path)));
  out->modified = info.lastModified();
  if (!info.isFile()) return refuse(UnderlayFile::State::broken, tr("%1 is not a file").arg(path));
  if (info.size() > most_file_bytes)
    return refuse(UnderlayFile::State::broken, tr("%1 has %2 MB; allowed are %3")
                                                   .arg(info.fileName())
                                                   .arg(info.size() / 1'000'000)
                                                   .arg(most_file_bytes / 1'000'000));
  if (kind == UnderlayKind::dxf) {
    QFile in(path);
    if (!in.open(QIODevice::ReadOnly))
      return refuse(UnderlayFile::State::broken, tr("%1 cannot be read: %2").arg(path, in.errorString()));
    const QByteArray text = in.readAll();
    auto drawing = read_dxf(std::string_view(text.constData(), static_cast<std::size_t>(text.size())),
                            info.fileName().toStdString());
    if (!drawing) return refuse(UnderlayFile::State::broken, QString::fromStdString(drawing.error()));
    out->drawing = std::make_shared<const Drawing>(std::move(*drawing));
    prepare(*out);
  } else {
    QImageReader reader(path);
    reader.setAutoTransform(true);
    const QSize size = reader.size();
    if (size.isValid() && static_cast<qint64>(size.width()) * size.height() > most_picture_pixels)
      return refuse(UnderlayFile::State::broken, tr("%1 has %2 million pixels; allowed are %3")
                                                     .arg(info.fileName())
                                                     .arg(static_cast<qint64>(size.width()) * size.height() / 1'000'000)
                                                     .arg(most_picture_pixels / 1'000'000));
    QImage image = reader.read();
    if (image.isNull())
      return refuse(UnderlayFile::State::broken,
                    tr("%1 cannot be read as a picture: %2").arg(info.fileName(), reader.errorString()));
    image.setDevicePixelRatio(1);
    image.convertTo(image.hasAlphaChannel() ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    add_level(out->levels, image);
  }
  out->state = UnderlayFile::State::ready;
  return out;
}

UnderlayPlace::UnderlayPlace(const Underlay& u, const QPointF& hall_offset)
    : origin(QPointF(in_millimeters(u.x), in_millimeters(u.y)) + hall_offset), unit(in_millimeters(u.unit_length)),
      cosine(std::cos(u.rotation.value())), sine(std::sin(u.rotation.value())),
      up(u.kind == UnderlayKind::dxf ? -1 : 1) {}

QPointF UnderlayPlace::scene(double x, double y) const {
  const double sx = x * unit, sy = up * y * unit;
  return {origin.x() + sx * cosine - sy * sine, origin.y() + sx * sine + sy * cosine};
}

QPointF UnderlayPlace::own(const QPointF& s) const {
  const QPointF d = s - origin;
  return {(d.x() * cosine + d.y() * sine) / unit, up * (-d.x() * sine + d.y() * cosine) / unit};
}

QRectF UnderlayPlace::own_area(const QRectF& r) const {
  QPolygonF p;
  for (const QPointF& q : {r.topLeft(), r.topRight(), r.bottomRight(), r.bottomLeft()}) p << own(q);
  return p.boundingRect();
}

// --- files --------------------------------------------------------------------------------------------

UnderlayFiles::UnderlayFiles() {
  QImageReader::setAllocationLimit(1024); // MB: scans of large sheets; what is more is refused by its pixels
  readers_.setMaxThreadCount(1);
  painters_.setMaxThreadCount(1);
}

UnderlayFiles::~UnderlayFiles() {
  readers_.clear();
  painters_.clear();
  readers_.waitForDone();
  painters_.waitForDone();
}

UnderlayFiles& UnderlayFiles::shared() {
  // Goes with the application, before what its pictures rest on.
  static QPointer<UnderlayFiles> files;
  if (!files) {
    files = new UnderlayFiles;
    files->setParent(QCoreApplication::instance());
  }
  return *files;
}

void UnderlayFiles::setFolder(const QString& folder) {
  if (folder == folder_) return;
  folder_ = folder;
  Q_EMIT fileRead();
  Q_EMIT changed();
}

QString UnderlayFiles::path(const std::string& file) const {
  const QString name = QString::fromStdString(file);
  if (QFileInfo(name).isAbsolute()) return QDir::cleanPath(name);
  return QDir::cleanPath(QDir(folder_.isEmpty() ? QDir::currentPath() : folder_).absoluteFilePath(name));
}

QString UnderlayFiles::kept_name(const QString& path) const {
  if (folder_.isEmpty()) return QFileInfo(path).absoluteFilePath();
  const QString relative = QDir(folder_).relativeFilePath(QFileInfo(path).absoluteFilePath());
  return relative.startsWith(QLatin1String("..")) ? QFileInfo(path).absoluteFilePath() : relative;
}

SharedUnderlayFile UnderlayFiles::file(const Underlay& underlay, bool wait) {
  const QString where = path(underlay.file);
  const UnderlayKind kind = underlay.kind;
  const QString key = where + QLatin1Char('|') + QString::number(static_cast<int>(kind));
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  {
    Known& known = files_[key];
    if (known.file && known.file->state != UnderlayFile::State::reading &&
        (known.reading || now - known.looked < look_again))
      return known.file;
    if (known.file && known.file->state != UnderlayFile::State::reading) {
      const QFileInfo info(where);
      known.looked = now;
      if (info.exists() == (known.file->state != UnderlayFile::State::missing) &&
          (!info.exists() || info.lastModified() == known.file->modified))
        return known.file;
    }
    if (wait) {
      known.file = read_underlay(where, kind);
      known.looked = now;
      return known.file;
    }
    if (known.reading) return known.file;
    known.reading = true;
    if (!known.file) {
      auto reading = std::make_shared<UnderlayFile>();
      reading->path = where;
      known.file = reading;
    }
  }
  const QPointer<UnderlayFiles> self(this);
  readers_.start([self, key, where, kind] {
    const SharedUnderlayFile read = read_underlay(where, kind);
    if (!self) return;
    QMetaObject::invokeMethod(
        self.data(),
        [self, key, read] {
          if (!self) return;
          Known& known = self->files_[key];
          known.file = read;
          known.reading = false;
          known.looked = QDateTime::currentMSecsSinceEpoch();
          Q_EMIT self->fileRead();
          Q_EMIT self->changed();
        },
        Qt::QueuedConnection);
  });
  return files_[key].file;
}

UnderlayFiles::Snapshot UnderlayFiles::snapshot(Id underlay, const QString& key, const QRectF& scene, double scale,
                                                double ratio, std::function<void(QPainter&, const Canvas&)> paint,
                                                const Canvas& like) {
  const auto present = snapshots_.constFind(underlay);
  const bool suits = present != snapshots_.constEnd() && present->key == key && present->scale == scale &&
                     present->scene.contains(scene);
  if (!suits && !painting_.contains(underlay)) {
    // A little more than is in sight, for the next movements.
    const QRectF wide = scene.adjusted(-scene.width() / 3, -scene.height() / 3, scene.width() / 3, scene.height() / 3);
    painting_[underlay] = key;
    Canvas canvas = like;
    canvas.words = nullptr;
    canvas.origin = QPointF(-wide.left() * scale, -wide.top() * scale);
    const QPointer<UnderlayFiles> self(this);
    painters_.start([self, underlay, key, wide, scale, ratio, canvas, paint = std::move(paint)]() mutable {
      Snapshot made;
      made.key = key, made.scene = wide, made.scale = scale;
      made.image =
          QImage((wide.size() * scale * ratio).toSize().expandedTo(QSize(1, 1)), QImage::Format_ARGB32_Premultiplied);
      made.image.setDevicePixelRatio(ratio);
      made.image.fill(Qt::transparent);
      QPainter painter(&made.image);
      canvas.painter = &painter;
      paint(painter, canvas);
      painter.end();
      if (!self) return;
      QMetaObject::invokeMethod(
          self.data(),
          [self, underlay, made] {
            if (!self) return;
            self->snapshots_[underlay] = made;
            self->painting_.remove(underlay);
            Q_EMIT self->changed();
          },
          Qt::QueuedConnection);
    });
  }
  return snapshots_.value(underlay);
}

void UnderlayFiles::settle() {
  for (int i = 0; i < 200; ++i) {
    readers_.waitForDone();
    painters_.waitForDone();
    QCoreApplication::sendPostedEvents(this);
    bool reading = !painting_.isEmpty();
    for (const Known& k : files_) reading = reading || k.reading;
    if (!reading) return;
  }
}

// --- painting --------------------------------------------------------------------------------------------

void paint_underlays(const Canvas& c, const Picture& p) {
  if (!c.painter || !p.model) return;
  UnderlayFiles& files = UnderlayFiles::shared();
  for (const Underlay& u : *p.model->design().underlays) {
    if (!u.visible || u.opacity <= 0) continue;
    const HallShape* hall = p.model->hall(u.hall);
    if (u.hall && !hall) continue; // of a hall that is not shown
    const UnderlayPlace place(u, hall ? hall->offset : QPointF());
    const SharedUnderlayFile file = files.file(u, c.paper);
    if (file->state != UnderlayFile::State::ready) {
      paint_note_of(c, u, *file, place);
      continue;
    }
    const QRectF own = place.own_area(p.area);
    if (!file->extent().adjusted(-1e-6, -1e-6, 1e-6, 1e-6).intersects(own)) continue;
    c.painter->save();
    c.painter->setOpacity(std::clamp(u.opacity, 0.0, 1.0));
    if (file->is_picture()) {
      paint_picture(c, *file, place);
      c.painter->restore();
      continue;
    }
    const std::vector<bool> shown = shown_layers(*file->drawing, hidden_layers(u));
    std::size_t points = 0;
    for (const UnderlayBlock& b : file->blocks)
      if (touches(b, own)) points += b.points;
    if (c.paper || points < most_points_at_once) {
      paint_lines(c, *file, place, shown, p.area);
    } else {
      const double ratio = c.painter->device()->devicePixelRatioF();
      const QString key =
          QStringLiteral("%1|%2|%3|%4|%5|%6|%7|%8")
              .arg(file->path, file->modified.toString(Qt::ISODateWithMs), QString::fromStdString(u.hidden_layers))
              .arg(place.origin.x())
              .arg(place.origin.y())
              .arg(place.unit, 0, 'g', 17)
              .arg(u.rotation.value())
              .arg(c.colors.dark);
      const QRectF scene = p.area;
      const UnderlayFiles::Snapshot s = files.snapshot(
          u.id, key, scene, c.scale, ratio,
          [file, place, shown, scene](QPainter&, const Canvas& canvas) {
            paint_lines(canvas, *file, place, shown,
                        scene.adjusted(-scene.width() / 3, -scene.height() / 3, scene.width() / 3, scene.height() / 3));
          },
          c);
      if (!s.image.isNull()) {
        const QRectF target(c.point(s.scene.topLeft()), c.point(s.scene.bottomRight()));
        if (s.scale == c.scale)
          c.painter->drawImage(QPointF(std::round(target.left()), std::round(target.top())), s.image);
        else
          c.painter->drawImage(target, s.image);
      }
    }
    c.painter->restore();
  }
}

QRectF underlays_extent(const PlanModel& model) {
  QRectF out;
  for (const Underlay& u : *model.design().underlays) {
    const HallShape* hall = model.hall(u.hall);
    if (!u.visible || u.opacity <= 0 || (u.hall && !hall)) continue;
    const SharedUnderlayFile file = UnderlayFiles::shared().file(u);
    if (file->state != UnderlayFile::State::ready) continue;
    const UnderlayPlace place(u, hall ? hall->offset : QPointF());
    const QRectF e = file->extent();
    QPolygonF corners;
    for (const QPointF& q : {e.topLeft(), e.topRight(), e.bottomRight(), e.bottomLeft()})
      corners << place.scene(q.x(), q.y());
    out = out.united(corners.boundingRect());
  }
  return out;
}

std::optional<QPointF> underlay_end(const PlanModel& model, const QPointF& scene, double reach) {
  std::optional<QPointF> out;
  double best = reach;
  for (const Underlay& u : *model.design().underlays) {
    const HallShape* hall = model.hall(u.hall);
    if (!u.visible || u.kind != UnderlayKind::dxf || (u.hall && !hall)) continue;
    const SharedUnderlayFile file = UnderlayFiles::shared().file(u);
    if (file->state != UnderlayFile::State::ready) continue;
    const UnderlayPlace place(u, hall ? hall->offset : QPointF());
    const std::vector<bool> shown = shown_layers(*file->drawing, hidden_layers(u));
    const QRectF area = place.own_area(QRectF(scene.x() - reach, scene.y() - reach, 2 * reach, 2 * reach));
    for (const UnderlayBlock& b : file->blocks) {
      if (!touches(b, area)) continue;
      for (std::uint32_t i = b.first; i < b.first + b.count; ++i) {
        const UnderlayPiece& piece = file->pieces[i];
        if (!touches(piece, area) || (piece.layer < shown.size() && !shown[piece.layer])) continue;
        for (std::uint32_t j = piece.first; j < piece.first + piece.count; ++j) {
          const DrawingPoint& q = file->points[j];
          if (q.x < area.left() || q.x > area.right() || q.y < area.top() || q.y > area.bottom()) continue;
          const QPointF at = place.scene(q.x, q.y);
          const double distance = std::hypot(at.x() - scene.x(), at.y() - scene.y());
          if (distance <= best) best = distance, out = at;
        }
      }
    }
  }
  return out;
}

// --- edits --------------------------------------------------------------------------------------------

std::set<std::string> hidden_layers(const Underlay& u) {
  std::set<std::string> out;
  std::string_view rest = u.hidden_layers;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (const std::string_view name = rest.substr(0, end); !name.empty()) out.emplace(name);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return out;
}

std::string hidden_layers_text(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : "\n") + n;
  return out;
}

Edit change_underlay_edit(Id underlay, const std::string& label, std::function<void(Underlay&)> change) {
  return {label, [underlay, change = std::move(change)](const Design& d) -> Edited {
            if (!hallwright::find(*d.underlays, underlay))
              return tl::unexpected(std::string("the underlay is not there any more"));
            Design out = with_table(d, &Design::underlays, [&](std::vector<Underlay>& table, Id&) {
              for (Underlay& u : table)
                if (u.id == underlay) change(u);
            });
            // Refused like a typed value when it leaves its range.
            for (const FieldInfo& f : table_fields("underlays")) {
              const auto value = get_field(out, {"underlays", underlay}, f.name);
              if (!value) continue;
              if (auto fine = check_field(f, *value); !fine) return tl::unexpected(fine.error());
            }
            return out;
          }};
}

Edit scale_underlay_edit(Id underlay, const PlanPoint& fixed, double factor) {
  return change_underlay_edit(underlay, tr("Scale an underlay").toStdString(), [fixed, factor](Underlay& u) {
    u.unit_length = millimeters(in_millimeters(u.unit_length) * factor);
    u.x = millimeters(fixed.x_mm + (in_millimeters(u.x) - fixed.x_mm) * factor);
    u.y = millimeters(fixed.y_mm + (in_millimeters(u.y) - fixed.y_mm) * factor);
  });
}

Edit move_underlay_edit(Id underlay, double dx, double dy) {
  return change_underlay_edit(underlay, tr("Move an underlay").toStdString(), [dx, dy](Underlay& u) {
    u.x = millimeters(in_millimeters(u.x) + dx);
    u.y = millimeters(in_millimeters(u.y) + dy);
  });
}

} // namespace hallwright::plan
