// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/start_page.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/theme.h"
#include "widgets/wrapped_text.h"

namespace hallwright {
namespace {

/// A card that is a button: title, lines of detail.
class EntryCard final : public QPushButton {
public:
  EntryCard(const StartEntry& entry, const QString& image, QWidget* parent) : QPushButton(parent), entry_(entry), image_(image) {
    setAccessibleName(entry.title);
    setAccessibleDescription(entry.detail);
    setToolTip(entry.path);
    setCursor(Qt::PointingHandCursor);
    setMinimumHeight(fontMetrics().height() * 4 + 5 * spacing_unit);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }

protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(underMouse() || hasFocus() ? t.accent : t.border, hasFocus() ? 1.6 : 1.0));
    p.setBrush(isDown() ? t.accent_soft : t.panel);
    p.drawRoundedRect(QRectF(rect()).adjusted(0.8, 0.8, -0.8, -0.8), 4, 4);
    const int pad = 3 * spacing_unit, icon_size = 22;
    hallwright::icon(image_).paint(&p, QRect(pad, pad, icon_size, icon_size));
    QRect text = rect().adjusted(pad + icon_size + pad, pad - 2, -pad, -spacing_unit);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    p.setFont(bold);
    p.setPen(t.text);
    const QFontMetrics bm(bold);
    // The question whole: in two lines where one is too short.
    for (const QString& line : wrapped_text(entry_.title, bm, text.width(), 2)) {
      p.drawText(text, Qt::AlignLeft | Qt::AlignTop, line);
      text.setTop(text.top() + bm.height());
    }
    text.setTop(text.top() + 2);
    p.setFont(font());
    p.setPen(t.secondary_text);
    p.drawText(text, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, entry_.detail);
  }

private:
  StartEntry entry_;
  QString image_;
};

QLabel* heading(const QString& text, QWidget* parent) {
  auto* l = new QLabel(text, parent);
  l->setObjectName(QStringLiteral("title"));
  return l;
}

void clear(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

} // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("start_page"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  outer->addWidget(scroll);
  auto* page = new QWidget(scroll);
  scroll->setWidget(page);
  auto* side = new QHBoxLayout(page);
  side->addStretch(1);
  auto* body = new QWidget(page);
  body->setMaximumWidth(1100);
  side->addWidget(body, 8);
  side->addStretch(1);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 10 * spacing_unit, 0, 6 * spacing_unit);
  column->setSpacing(3 * spacing_unit);
  auto* head = new QHBoxLayout;
  auto* mark = new QLabel(body);
  mark->setPixmap(QIcon(QStringLiteral(":/icons/hallwright.svg")).pixmap(44, 44));
  auto* name = new QLabel(QStringLiteral("Hallwright"), body);
  QFont big = name->font();
  big.setPointSizeF(big.pointSizeF() * 2);
  big.setWeight(QFont::DemiBold);
  name->setFont(big);
  auto* line = new QLabel(tr("A whole AI cluster in one document: hall, power, coolant, fabric, job and money."), body);
  line->setObjectName(QStringLiteral("secondary"));
  auto* words = new QVBoxLayout;
  words->setSpacing(0);
  words->addWidget(name);
  words->addWidget(line);
  head->addWidget(mark);
  head->addSpacing(2 * spacing_unit);
  head->addLayout(words, 1);
  auto* make = new QPushButton(tr("New design"), body);
  make->setObjectName(QStringLiteral("start_new"));
  auto* open = new QPushButton(tr("Open\u2026"), body);
  open->setObjectName(QStringLiteral("start_open"));
  head->addWidget(make);
  head->addWidget(open);
  column->addLayout(head);
  connect(make, &QPushButton::clicked, this, &StartPage::newRequested);
  connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
  auto section = [&](const QString&) {
    auto* w = new QWidget(body);
    auto* l = new QVBoxLayout(w);
    l->setContentsMargins(0, 0, 0, 0);
    l->setSpacing(2 * spacing_unit);
    column->addWidget(w);
    return w;
  };
  recovered_ = section({});
  samples_ = section({});
  recent_ = section({});
  column->addStretch(1);
}

void StartPage::setSamples(const std::vector<StartEntry>& samples, const QStringList& folders) {
  clear(samples_->layout());
  auto* column = static_cast<QVBoxLayout*>(samples_->layout());
  column->addWidget(heading(tr("Start from a design that answers a question"), samples_));
  if (samples.empty()) {
    auto* none = new QLabel(tr("No sample designs are installed. They are looked for in:\n%1").arg(folders.join(QLatin1Char('\n'))), samples_);
    none->setObjectName(QStringLiteral("secondary"));
    none->setWordWrap(true);
    none->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(none);
    return;
  }
  auto* cards = new QWidget(samples_);
  auto* grid = new QGridLayout(cards);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(2 * spacing_unit);
  int i = 0;
  for (const StartEntry& e : samples) {
    auto* card = new EntryCard(e, QStringLiteral("hall-plan"), cards);
    card->setObjectName(QStringLiteral("sample_%1").arg(i));
    grid->addWidget(card, i / 2, i % 2);
    connect(card, &QPushButton::clicked, this, [this, path = e.path] { Q_EMIT sampleRequested(path); });
    ++i;
  }
  column->addWidget(cards);
}

void StartPage::setRecent(const std::vector<StartEntry>& recent) {
  clear(recent_->layout());
  if (recent.empty()) return;
  auto* column = static_cast<QVBoxLayout*>(recent_->layout());
  column->addWidget(heading(tr("Recent"), recent_));
  for (const StartEntry& e : recent) {
    auto* button = new QPushButton(e.title + QStringLiteral("   ") + e.detail, recent_);
    button->setFlat(true);
    button->setStyleSheet(QStringLiteral("text-align: left;"));
    button->setToolTip(e.path);
    column->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, path = e.path] { Q_EMIT pathRequested(path); });
  }
}

void StartPage::setRecovered(const std::vector<StartEntry>& recovered) {
  clear(recovered_->layout());
  if (recovered.empty()) return;
  auto* column = static_cast<QVBoxLayout*>(recovered_->layout());
  column->addWidget(heading(tr("The last run ended without saving"), recovered_));
  for (const StartEntry& e : recovered) {
    auto* row = new QWidget(recovered_);
    auto* l = new QHBoxLayout(row);
    l->setContentsMargins(0, 0, 0, 0);
    auto* card = new EntryCard(e, QStringLiteral("redo"), row);
    card->setObjectName(QStringLiteral("recovered"));
    auto* discard = new QPushButton(tr("Discard"), row);
    l->addWidget(card, 1);
    l->addWidget(discard);
    column->addWidget(row);
    connect(card, &QPushButton::clicked, this, [this, path = e.path] { Q_EMIT recoverRequested(path); });
    connect(discard, &QPushButton::clicked, this, [this, path = e.path] { Q_EMIT discardRequested(path); });
  }
}

} // namespace hallwright
