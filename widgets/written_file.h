// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

#include <QByteArray>
#include <QString>

class QImage;
class QIODevice;
class QPainter;
class QPdfWriter;
class QSize;
class QWidget;

/// Files that are made from the design: made in memory, then put in place whole. Where that fails (full disk, no
/// permission) what was there before is untouched and no piece is left. Each returns an empty text, or one sentence.
namespace hallwright {

QString write_whole(const QString& file, std::string_view bytes);
QString write_whole(const QString& file, const QByteArray& bytes);

/// Pages of a PDF. `prepare` sets page size and title; `draw` returns a sentence where it gives up.
QString write_pdf(const QString& file, const std::function<void(QPdfWriter&)>& prepare,
                  const std::function<QString(QPdfWriter&, QPainter&)>& draw);
/// A picture of `size` units of 1/96 inch.
QString write_svg(const QString& file, const QSize& size, const QString& title,
                  const std::function<void(QPainter&)>& draw);
/// PNG, or what the ending says.
QString write_image(const QString& file, const QImage& image);

/// For charts with a menu of their own: a box tells what went wrong.
void tell_unwritten(QWidget* parent, const QString& problem);

} // namespace hallwright
