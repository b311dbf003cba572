// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/written_file.h"

#include <filesystem>

#include <QBuffer>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMessageBox>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "project/durable_file.h"

namespace hallwright {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Exports", text); }

QString not_written(const QString& file, const QString& why) { return tr("%1 is not written: %2").arg(file, why); }

/// Pipes and devices (/dev/stdout) are written into; they cannot be replaced.
QString write_into(const QString& file, std::string_view bytes) {
  QFile out(file);
  const auto size = static_cast<qint64>(bytes.size());
  if (!out.open(QIODevice::WriteOnly | QIODevice::Unbuffered) || out.write(bytes.data(), size) != size)
    return not_written(file, out.errorString());
  return {};
}

} // namespace

QString write_whole(const QString& file, std::string_view bytes) {
  if (const QFileInfo info(file); info.exists() && !info.isFile() && !info.isDir()) return write_into(file, bytes);
  const auto done = replace_file(real_file(std::filesystem::path(file.toStdU16String())), bytes);
  return done ? QString() : not_written(file, QString::fromStdString(done.error()));
}

QString write_whole(const QString& file, const QByteArray& bytes) {
  return write_whole(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

QString write_pdf(const QString& file, const std::function<void(QPdfWriter&)>& prepare,
                  const std::function<QString(QPdfWriter&, QPainter&)>& draw) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter pdf(&buffer);
    pdf.setCreator(QStringLiteral("Hallwright"));
    prepare(pdf);
    QPainter p;
    if (!p.begin(&pdf)) return not_written(file, tr("the pages cannot be drawn"));
    const QString problem = draw(pdf, p);
    p.end();
    if (!problem.isEmpty()) return problem;
  }
  return write_whole(file, buffer.data());
}

QString write_svg(const QString& file, const QSize& size, const QString& title,
                  const std::function<void(QPainter&)>& draw) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(0, 0), size));
    svg.setTitle(title);
    QPainter p;
    if (!p.begin(&svg)) return not_written(file, tr("the picture cannot be drawn"));
    draw(p);
    p.end();
  }
  return write_whole(file, buffer.data());
}

QString write_image(const QString& file, const QImage& image) {
  const QByteArray ending = QFileInfo(file).suffix().toLatin1();
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, ending.isEmpty() ? "PNG" : ending.constData()))
    return not_written(file, tr("pictures are not written with this ending; .png is allowed"));
  return write_whole(file, buffer.data());
}

void tell_unwritten(QWidget* parent, const QString& problem) {
  if (problem.isEmpty()) return;
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Not written"), problem, QMessageBox::Ok, parent);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

} // namespace hallwright
