// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QtTest>

#include "app/studio/help_window.h"
#include "evaluation/evaluation.h"
#include "widgets/figure_text.h"

using namespace hallwright;

/// The pages of help: contents, search, and the way back, with real keys and clicks.
class TestHelpWindow : public QObject {
  Q_OBJECT
private:
  static void click_page(HelpWindow& w, const QString& title) {
    auto* list = w.findChild<QListWidget*>("help_contents");
    const auto found = list->findItems(title, Qt::MatchExactly);
    QVERIFY2(found.size() == 1, qPrintable(title));
    list->scrollToItem(found[0]);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(found[0]).center());
  }

private Q_SLOTS:
  void every_page_opens_from_the_contents() {
    HelpWindow w;
    w.showPage("first-steps");
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    auto* text = w.findChild<QTextBrowser*>("help_text");
    auto* list = w.findChild<QListWidget*>("help_contents");
    QVERIFY(list->count() > 14);
    QVERIFY(list->currentItem());
    QCOMPARE(list->currentItem()->text(), QStringLiteral("First steps"));
    for (int i = 0; i < list->count(); ++i) {
      const QString title = list->item(i)->text();
      click_page(w, title);
      QVERIFY2(text->toPlainText().size() > 200, qPrintable(title));
    }
    QCOMPARE(w.page(), QStringLiteral("rules"));
    const QString rules = text->toPlainText();
    for (const Rule& r : all_rules())
      QVERIFY2(rules.contains(to_qstring(r.code)), std::string(r.code).c_str());
  }

  void back_leads_where_one_came_from() {
    HelpWindow w;
    w.showPage("fabric");
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    click_page(w, "Units");
    QCOMPARE(w.page(), QStringLiteral("units"));
    QTest::mouseClick(w.findChild<QToolButton*>("help_back"), Qt::LeftButton);
    QCOMPARE(w.page(), QStringLiteral("fabric"));
    QCOMPARE(w.findChild<QListWidget*>("help_contents")->currentItem()->text(), QStringLiteral("The fabric"));
  }

  void search_leaves_the_pages_that_have_the_words() {
    HelpWindow w;
    w.showPage("index");
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    auto* search = w.findChild<QLineEdit*>("help_search");
    auto* list = w.findChild<QListWidget*>("help_contents");
    QTest::keyClick(&w, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(search->hasFocus());
    QTest::keyClicks(search, "PWR-007");
    QStringList left;
    for (int i = 0; i < list->count(); ++i)
      if (!list->item(i)->isHidden()) left << list->item(i)->text();
    QVERIFY(left.contains("Rules that are checked"));
    QVERIFY(!left.contains("Units"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(w.findChild<QTextBrowser*>("help_text")->textCursor().selectedText(), QStringLiteral("PWR-007"));
    QTest::keyClick(search, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(search, Qt::Key_Delete);
    for (int i = 0; i < list->count(); ++i)
      QVERIFY(!list->item(i)->isHidden());
  }
};

QTEST_MAIN(TestHelpWindow)
#include "test_help_window.moc"
