// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "widgets/bar_list.h"
#include "widgets/theme.h"
#include "widgets/wrapped_text.h"

using namespace hallwright;

/// Bars beside their names, in a window with real keys and clicks.
class TestBarList : public QObject {
  Q_OBJECT

  static NamedBar bar(const QString& name, double value, double limit = std::nan("")) {
    NamedBar b;
    b.name = name;
    b.amounts.push_back({value, QString::number(value) + QStringLiteral(" kW")});
    b.limit = limit;
    if (std::isfinite(limit)) b.limit_text = QString::number(limit) + QStringLiteral(" kW");
    return b;
  }
  /// Length of the bar in the middle of a row: pixels of this colour along one line, the mark of the limit among them.
  static int painted(BarList& list, int row, const QColor& color) {
    const QImage image = list.body()->grab().toImage();
    const double ratio = image.devicePixelRatio();
    const int y = static_cast<int>(list.rowRect(row).center().y() * ratio);
    int n = 0, last = -1;
    for (int x = 0; x < image.width(); ++x) {
      if (last >= 0 && x - last > 5 * ratio) break; // what follows is the amount in words
      if (image.pixelColor(x, y) != color) continue;
      ++n;
      last = x;
    }
    return static_cast<int>(std::lround(n / ratio));
  }

private Q_SLOTS:
  void initTestCase() { apply_appearance(Appearance::light); }

  void names_are_whole_and_long_ones_go_on_in_further_lines() {
    BarList list;
    list.resize(700, 300);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    const QString long_name = QStringLiteral("Distribution unit of the north eastern corner of the old hall, side A");
    list.setBars(QStringLiteral("Load"), QStringLiteral("Power"), {QStringLiteral("Load")},
                 {bar(QStringLiteral("UPS 1"), 100), bar(long_name, 50)});
    QCOMPARE(list.shownName(0), QStringLiteral("UPS 1"));
    QCOMPARE(list.shownName(1), long_name);
    QVERIFY(list.rowRect(1).height() > list.rowRect(0).height());
    // The larger one is twice as long.
    const int one = painted(list, 0, theme().accent), half = painted(list, 1, theme().accent);
    QVERIFY2(one > 100 && std::abs(one - 2 * half) <= 2, qPrintable(QStringLiteral("%1 and %2").arg(one).arg(half)));
    // In a narrow window they stand above their bars, still whole.
    list.resize(320, 300);
    QTest::qWait(20);
    QCOMPARE(list.shownName(0), QStringLiteral("UPS 1"));
    QCOMPARE(list.shownName(1), long_name);
  }

  void what_does_not_fit_loses_its_middle() {
    const QFont font;
    const QFontMetrics m(font);
    const QString name = QStringLiteral("Busway 12 above row R17 in the second hall, segment 3 of 4");
    const QStringList lines = wrapped_text(name, m, m.horizontalAdvance(name) / 4, 2);
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(QStringLiteral("Busway 12")));
    QVERIFY(lines[1].contains(QChar(0x2026)) && lines[1].endsWith(QStringLiteral("4")));
    QCOMPARE(wrapped_text(name, m, 10000, 2), QStringList{name});
    QVERIFY(wrapped_text({}, m, 100, 2).isEmpty());
  }

  void with_limits_all_bars_show_the_share_of_theirs() {
    BarList list;
    list.resize(700, 300);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    list.setBars(QStringLiteral("Load"), QStringLiteral("Power"), {QStringLiteral("Load")},
                 {bar(QStringLiteral("Utility"), 4000, 8000), bar(QStringLiteral("Busway"), 100, 200),
                  bar(QStringLiteral("UPS"), 300, 200), bar(QStringLiteral("Spare"), 300)},
                 QStringLiteral("Usable rating"));
    const int utility = painted(list, 0, theme().accent), busway = painted(list, 1, theme().accent);
    QCOMPARE(utility, busway); // both half used
    QVERIFY(utility > 50);
    // Over its limit: red, and said.
    const int over = painted(list, 2, theme().red);
    QVERIFY2(std::abs(over - 3 * utility) <= 4, qPrintable(QStringLiteral("%1, %2").arg(over).arg(utility)));
    QVERIFY(list.accessibleDescription().contains(QStringLiteral("300 kW of 200 kW, over")));
    // Without a limit there is no share to show.
    QCOMPARE(painted(list, 3, theme().accent), 0);
    QVERIFY(list.findChildren<QLabel*>().size() >= 3);
    bool told = false;
    for (const QLabel* l : list.findChildren<QLabel*>()) told = told || l->text().contains(QStringLiteral("Usable"));
    QVERIFY(told);
  }

  void many_are_scrolled_and_walked_by_keys() {
    BarList list;
    list.resize(500, 200);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    std::vector<NamedBar> bars;
    for (int i = 0; i < 200; ++i) bars.push_back(bar(QStringLiteral("Unit %1").arg(i + 1), 10.0 + i));
    list.setBars(QStringLiteral("Load"), QStringLiteral("Power"), {QStringLiteral("Load")}, std::move(bars));
    auto* scroll = list.findChild<QScrollArea*>();
    QTRY_VERIFY(scroll->verticalScrollBar()->maximum() > 0);
    list.body()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(list.body(), Qt::Key_End);
    QTRY_COMPARE(scroll->verticalScrollBar()->value(), scroll->verticalScrollBar()->maximum());
    QSignalSpy spy(&list, &BarList::barActivated);
    QTest::keyClick(list.body(), Qt::Key_Up);
    QTest::keyClick(list.body(), Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.front().front().toInt(), 198);
    QTest::mouseClick(list.body(), Qt::LeftButton, {}, list.rowRect(190).center());
    QCOMPARE(spy.back().front().toInt(), 190);
    list.setEmptyText(QStringLiteral("Nothing yet."));
    QCOMPARE(list.count(), 0);
    QCOMPARE(list.accessibleDescription(), QStringLiteral("Nothing yet."));
  }
};

QTEST_MAIN(TestBarList)
#include "test_bar_list.moc"
