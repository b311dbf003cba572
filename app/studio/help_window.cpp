// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/help_window.h"

#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QShortcut>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include "evaluation/evaluation.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

constexpr int page_role = Qt::UserRole;

QString file_of(const QString& page) { return QStringLiteral(":/help/%1.md").arg(page); }

/// Every rule with its severity and where its limit comes from.
QString rules_page() {
  QString md = HelpWindow::tr("# Rules that are checked") + QStringLiteral("\n\n");
  for (const Rule& r : all_rules())
    md += QStringLiteral("## %1 %2\n\n*%3*\n\n%4\n\n")
              .arg(to_qstring(r.code), to_qstring(r.title), to_qstring(severity_word(r.severity)), to_qstring(r.help));
  return md;
}

QString content_of(const QString& page) {
  if (page == QLatin1String("rules")) return rules_page();
  QFile file(file_of(page));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The files of help, and the rules as one more.
class HelpBrowser final : public QTextBrowser {
public:
  using QTextBrowser::QTextBrowser;

protected:
  QVariant loadResource(int type, const QUrl& name) override {
    if (name.fileName() == QLatin1String("rules.md")) return rules_page().toUtf8();
    return QTextBrowser::loadResource(type, name);
  }
};

} // namespace

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent, Qt::Window) {
  setObjectName(QStringLiteral("help_window"));
  setWindowTitle(tr("Help"));
  const int em = fontMetrics().height();
  resize(58 * em, 42 * em);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->setChildrenCollapsible(false);
  column->addWidget(split, 1);
  auto* left = new QWidget(split);
  auto* left_column = new QVBoxLayout(left);
  left_column->setContentsMargins(0, 0, spacing_unit, 0);
  search_ = new QLineEdit(left);
  search_->setObjectName(QStringLiteral("help_search"));
  search_->setPlaceholderText(tr("Search help (Ctrl+F)"));
  search_->setAccessibleName(tr("Search help"));
  search_->setClearButtonEnabled(true);
  left_column->addWidget(search_);
  contents_ = new QListWidget(left);
  contents_->setObjectName(QStringLiteral("help_contents"));
  contents_->setAccessibleName(tr("Pages of help"));
  left_column->addWidget(contents_, 1);
  auto* right = new QWidget(split);
  auto* right_column = new QVBoxLayout(right);
  right_column->setContentsMargins(spacing_unit, 0, 0, 0);
  auto* line = new QHBoxLayout;
  auto* back = new QToolButton(right);
  back->setObjectName(QStringLiteral("help_back"));
  back->setText(tr("Back"));
  back->setToolTip(tr("Back to the page before (Alt+Left)"));
  auto* forward = new QToolButton(right);
  forward->setText(tr("Forward"));
  forward->setToolTip(tr("Forward again (Alt+Right)"));
  for (QToolButton* b : {back, forward}) {
    b->setEnabled(false);
    line->addWidget(b);
  }
  line->addStretch(1);
  right_column->addLayout(line);
  text_ = new HelpBrowser(right);
  text_->setObjectName(QStringLiteral("help_text"));
  text_->setAccessibleName(tr("Help page"));
  text_->setOpenExternalLinks(true);
  text_->document()->setDocumentMargin(3 * spacing_unit);
  right_column->addWidget(text_, 1);
  split->addWidget(left);
  split->addWidget(right);
  split->setStretchFactor(1, 1);
  split->setSizes({16 * em, 42 * em});
  fill_contents();
  connect(contents_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
    if (item && item->data(page_role).toString() != page()) showPage(item->data(page_role).toString());
  });
  connect(search_, &QLineEdit::textChanged, this, &HelpWindow::search);
  connect(search_, &QLineEdit::returnPressed, this, [this] { find_in_page(search_->text()); });
  connect(text_, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
  connect(text_, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
  connect(back, &QToolButton::clicked, text_, &QTextBrowser::backward);
  connect(forward, &QToolButton::clicked, text_, &QTextBrowser::forward);
  connect(text_, &QTextBrowser::sourceChanged, this, [this](const QUrl& now) {
    const QString shown = QFileInfo(now.path()).completeBaseName();
    for (int i = 0; i < contents_->count(); ++i)
      if (contents_->item(i)->data(page_role).toString() == shown) contents_->setCurrentRow(i);
  });
  connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, search_, [this] {
    search_->setFocus();
    search_->selectAll();
  });
  connect(new QShortcut(QKeySequence::Back, this), &QShortcut::activated, text_, &QTextBrowser::backward);
  connect(new QShortcut(QKeySequence::Forward, this), &QShortcut::activated, text_, &QTextBrowser::forward);
}

void HelpWindow::fill_contents() {
  const auto add = [this](const QString& title, const QString& page) {
    auto* item = new QListWidgetItem(title, contents_);
    item->setData(page_role, page);
    item->setToolTip(title);
  };
  add(tr("All pages"), QStringLiteral("index"));
  const QString index = content_of(QStringLiteral("index"));
  static const QRegularExpression link(QStringLiteral("^- \\[([^\\]]+)\\]\\(([a-z_-]+)\\.md\\)"),
                                       QRegularExpression::MultilineOption);
  for (auto it = link.globalMatch(index); it.hasNext();) {
    const QRegularExpressionMatch m = it.next();
    add(m.captured(1), m.captured(2));
  }
  add(tr("Rules that are checked"), QStringLiteral("rules"));
}

QString HelpWindow::page() const { return QFileInfo(text_->source().path()).completeBaseName(); }

void HelpWindow::showPage(const QString& page) {
  text_->setSource(QUrl(QStringLiteral("qrc:/help/%1.md").arg(page)), QTextDocument::MarkdownResource);
  if (!search_->text().isEmpty()) find_in_page(search_->text());
}

/// Only pages that hold all the words stay in the list.
void HelpWindow::search(const QString& words) {
  const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (int i = 0; i < contents_->count(); ++i) {
    QListWidgetItem* item = contents_->item(i);
    const QString content = wanted.isEmpty() ? QString() : content_of(item->data(page_role).toString());
    bool has = true;
    for (const QString& w : wanted)
      has = has && content.contains(w, Qt::CaseInsensitive);
    item->setHidden(!has);
  }
}

/// The next place in the page, from the top again after the last one.
void HelpWindow::find_in_page(const QString& words) {
  if (words.isEmpty() || text_->find(words)) return;
  text_->moveCursor(QTextCursor::Start);
  if (text_->find(words)) return;
  // Not here: the first page that has it.
  for (int i = 0; i < contents_->count(); ++i)
    if (!contents_->item(i)->isHidden() && contents_->item(i)->data(page_role).toString() != page()) {
      const QString other = contents_->item(i)->data(page_role).toString();
      text_->setSource(QUrl(QStringLiteral("qrc:/help/%1.md").arg(other)), QTextDocument::MarkdownResource);
      text_->find(words);
      return;
    }
}

} // namespace hallwright
