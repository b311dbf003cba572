// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>

#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/theme.h"
#include "widgets/tile_words.h"
#include "widgets/wrapped_text.h"

namespace hallwright {

/// One question: title, value, change since the last edit, limit bar, a remark. A button to the keyboard and to a screen reader.
class HeadlineStrip::Tile final : public QWidget {
public:
  Tile(const HeadlineTile& spec, HeadlineStrip* strip, QWidget* parent) : QWidget(parent), spec_(spec), strip_(strip) {
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setObjectName(QStringLiteral("tile_") + to_qstring(spec.figure));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    set_foot_lines(2);
    fit_width();
  }

  /// Lines below the bar: limit and remark.
  void set_foot_lines(int lines) {
    foot_lines_ = lines;
    const int small = QFontMetrics(scaled(0.88)).height();
    setFixedHeight(static_cast<int>(QFontMetrics(font()).height() * 5.2) + (lines - 1) * small);
  }

  void update_from(const SharedEvaluation& now, const SharedEvaluation& before) {
    change_.clear();
    words_ = now ? tile_words(*now, spec_) : TileWords{};
    if (!now) words_.value = QStringLiteral("\u2013");
    const Figure* f = now ? now->figures.find(spec_.figure) : nullptr;
    if (f) {
      if (before && before != now && f->has_value()) {
        if (const Figure* old = before->figures.find(spec_.figure); old && old->has_value()) {
          const double difference = f->value - old->value;
          const double scale = std::max(std::abs(f->value), std::abs(old->value));
          if (std::abs(difference) > 1e-9 * scale && scale > 0) {
            up_ = difference > 0;
            change_ = screen_difference(std::abs(difference), *f->kind);
          }
        }
      }
      QString tip = figure_tooltip(*f);
      if (const QString below = words_.foot(); !below.isEmpty())
        tip += QStringLiteral("<br>") + below.toHtmlEscaped();
      setToolTip(tip);
    } else {
      setToolTip({});
    }
    setAccessibleName(to_qstring(spec_.title));
    setAccessibleDescription(description());
    fit_width();
    update();
  }

  /// As narrow as title and value allow, the value in letters of the common size.
  void fit_width() {
    QFont bold = scaled(1.0);
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics small(scaled(0.88)), value(bold);
    const int arrow = change_.isEmpty() ? 0 : small.horizontalAdvance(QStringLiteral("\u25b2")) + spacing_unit;
    setMinimumWidth(std::max(small.horizontalAdvance(to_qstring(spec_.title)), value.horizontalAdvance(words_.value) + arrow) + 6 * spacing_unit + 1);
  }

  [[nodiscard]] QString description() const {
    QStringList parts{to_qstring(spec_.title) + QStringLiteral(": ") + words_.value};
    if (!words_.limit.isEmpty()) parts << words_.limit;
    if (!words_.remark.isEmpty()) parts << words_.remark;
    if (!change_.isEmpty())
      parts << (up_ ? HeadlineStrip::tr("up by %1").arg(change_) : HeadlineStrip::tr("down by %1").arg(change_));
    return parts.join(QStringLiteral(", "));
  }
  void set_stale(bool stale) {
    stale_ = stale;
    update();
  }

protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const TileLevel level = words_.state.level;
    const bool over = level == TileLevel::error;
    p.fillRect(rect(), over ? t.red_soft : underMouse() ? t.field : t.panel);
    const int left = 3 * spacing_unit, right = width() - 3 * spacing_unit;
    p.setPen(t.border);
    p.drawLine(width() - 1, 2 * spacing_unit, width() - 1, height() - 2 * spacing_unit);
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.88);
    QFont big = font();
    big.setPointSizeF(font().pointSizeF() * 1.3);
    big.setWeight(QFont::DemiBold);
    const QFontMetrics sm(small), bm(big);
    int y = 2 * spacing_unit;
    p.setFont(small);
    p.setPen(t.secondary_text);
    const QString title = to_qstring(spec_.title);
    // Not clipped: at some scales words are a fraction of a pixel wider than they were measured.
    p.drawText(QRect(left, y, right - left, sm.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
               within(title, sm, right - left));
    QString change;
    if (!change_.isEmpty()) change = (up_ ? QStringLiteral("\u25b2 ") : QStringLiteral("\u25bc ")) + change_;
    int change_width = change.isEmpty() ? 0 : sm.horizontalAdvance(change) + 2 * spacing_unit;
    const bool beside = bm.horizontalAdvance(words_.value) + change_width <= right - left;
    if (!beside && sm.horizontalAdvance(title) + change_width <= right - left) {
      p.drawText(QRect(left, y, right - left, sm.height()), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, change);
      change.clear();
      change_width = 0;
    }
    y += sm.height() + 1;
    if (!change.isEmpty() && !beside) {
      // The narrowest tiles keep the arrow and leave the amount to tooltip and screen reader.
      change = up_ ? QStringLiteral("\u25b2") : QStringLiteral("\u25bc");
      change_width = sm.horizontalAdvance(change) + spacing_unit;
    }
    p.setFont(big);
    p.setPen(stale_ ? t.structure : over ? t.red : t.text);
    QFont fit = big;
    while (QFontMetrics(fit).horizontalAdvance(words_.value) > right - left - change_width && fit.pointSizeF() > small.pointSizeF() * 0.9)
      fit.setPointSizeF(fit.pointSizeF() - 0.5);
    p.setFont(fit);
    p.drawText(QRect(left, y, right - left - change_width, bm.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
               within(words_.value, QFontMetrics(fit), right - left - change_width));
    if (!change.isEmpty()) {
      p.setFont(small);
      p.setPen(t.secondary_text);
      p.drawText(QRect(left, y, right - left, bm.height()), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, change);
    }
    y += bm.height() + spacing_unit;
    const QRectF bar(left, y, right - left, 3);
    if (words_.share >= 0.0) {
      p.setPen(Qt::NoPen);
      p.setBrush(t.border);
      p.drawRoundedRect(bar, 1.5, 1.5);
      p.setBrush(over ? t.red : level == TileLevel::calm ? t.accent : t.amber);
      p.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * std::clamp(words_.share, 0.0, 1.0), bar.height()), 1.5, 1.5);
    }
    y += 3 + spacing_unit;
    p.setFont(small);
    p.setPen(over ? t.red : level == TileLevel::warning ? t.amber : t.secondary_text);
    for (const QString& line : foot_within(sm, right - left)) {
      p.drawText(QRect(left, y, right - left, sm.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, line);
      y += sm.height();
    }
    if (hasFocus()) {
      p.setPen(QPen(t.accent, 1.5));
      p.setBrush(Qt::NoBrush);
      p.drawRect(QRectF(rect()).adjusted(1, 1, -2, -2));
    }
  }
  void mouseReleaseEvent(QMouseEvent* e) override {
    if (e->button() == Qt::LeftButton && rect().contains(e->position().toPoint())) Q_EMIT strip_->figureActivated(to_qstring(spec_.figure));
  }
  void keyPressEvent(QKeyEvent* e) override {
    if (e->key() == Qt::Key_Return || e->key() == Qt::Key_Enter || e->key() == Qt::Key_Space) Q_EMIT strip_->figureActivated(to_qstring(spec_.figure));
    else QWidget::keyPressEvent(e);
  }

private:
  [[nodiscard]] QFont scaled(double factor) const {
    QFont f = font();
    f.setPointSizeF(f.pointSizeF() * factor);
    return f;
  }
  /// As it is where it was measured to fit: eliding measures in fractions of pixels and would cut it.
  static QString within(const QString& text, const QFontMetrics& metrics, int width) {
    return metrics.horizontalAdvance(text) <= width ? text : metrics.elidedText(text, Qt::ElideRight, width);
  }
  /// As much of it as has room: the remark goes first, then what the limit is called. The tooltip has all.
  [[nodiscard]] QStringList foot_within(const QFontMetrics& metrics, int width) const {
    QStringList lines;
    for (const QString& words : {words_.foot(), words_.limit, words_.limit_short}) {
      if (words.isEmpty()) continue;
      lines = wrapped_text(words, metrics, width, foot_lines_, true);
      if (!lines.join(QString()).contains(QChar(0x2026))) break;
    }
    return lines;
  }
  HeadlineTile spec_;
  HeadlineStrip* strip_;
  int foot_lines_ = 2;
  TileWords words_;
  QString change_;
  bool up_ = false, stale_ = false;
};

HeadlineStrip::HeadlineStrip(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Headline figures"));
  auto* whole = new QHBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  whole->addWidget(scroll_);
  auto* tiles = new QWidget(scroll_);
  tiles->setObjectName(QStringLiteral("clear"));
  auto* row = new QHBoxLayout(tiles);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  for (const HeadlineTile& spec : headline_tiles()) {
    auto* tile = new Tile(spec, this, tiles);
    row->addWidget(tile, 1);
    tiles_.push_back(tile);
  }
  scroll_->setWidget(tiles);
  fit_height();
  // The tile with the focus is in sight, however the focus came.
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    if (now != nullptr && scroll_->widget()->isAncestorOf(now)) scroll_->ensureWidgetVisible(now, 0, 0);
  });
}

/// Room for the tiles, and for a scroll bar when they do not all fit.
void HeadlineStrip::fit_height() {
  const bool scrolled = scroll_->widget()->minimumSizeHint().width() > width();
  const int wanted = tiles_.front()->height() + (scrolled ? scroll_->horizontalScrollBar()->sizeHint().height() : 0);
  if (wanted != maximumHeight()) setFixedHeight(wanted);
}

void HeadlineStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_height();
}

void HeadlineStrip::wheelEvent(QWheelEvent* event) {
  QScrollBar* bar = scroll_->horizontalScrollBar();
  const QPoint turn = event->angleDelta();
  bar->setValue(bar->value() - (turn.y() != 0 ? turn.y() : turn.x()));
  event->accept();
}

void HeadlineStrip::setEvaluation(const SharedEvaluation& evaluation, const SharedEvaluation& baseline) {
  for (Tile* tile : tiles_) tile->update_from(evaluation, baseline);
  fit_height();
}

void HeadlineStrip::setStale(bool stale) {
  for (Tile* tile : tiles_) tile->set_stale(stale);
}

void HeadlineStrip::setFootLines(int lines) {
  for (Tile* tile : tiles_) tile->set_foot_lines(lines);
  fit_height();
}

QWidget* HeadlineStrip::tile(int index) const { return tiles_.at(static_cast<std::size_t>(index)); }
QString HeadlineStrip::tileText(int index) const { return tiles_.at(static_cast<std::size_t>(index))->description(); }

} // namespace hallwright
