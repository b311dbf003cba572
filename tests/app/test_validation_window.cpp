// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>

#include "app/studio/validation_window.h"

using namespace hallwright;

namespace {

Shared<Catalog> shipped_catalog() {
  auto catalog = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs");
  return share(std::move(catalog.value()));
}
/// The number in a cell, in the locale of the program.
double number(const QTableView& table, int row, int column) {
  return QLocale().toDouble(table.model()->index(row, column).data().toString().remove(QLatin1Char('%')).remove(QLatin1Char('+')).trimmed());
}
constexpr int run_column = 0, measured_column = 5, ours_column = 6, deviation_column = 7;

} // namespace

class TestValidationWindow : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_published_run_stands_beside_ours() {
    ValidationWindow w(shipped_catalog());
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QTableView* table = w.table();
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 500, 30000);
    // GPT-3 175B of Narayanan et al. 2021: 51.1 % of 312 TFLOP/s by their count. 1,536 sequences of 2,048 tokens on 1,024
    // A100 took 96 x 1536 x 2048 x 96 x 12288^2 x (1 + 2048/73728 + 51200/(16 x 96 x 12288)) / (1024 x 140e12) s.
    auto* search = w.findChild<QLineEdit*>(QStringLiteral("validation_search"));
    search->setFocus();
    QTest::keyClicks(search, QStringLiteral("narayanan2021-008"));
    QCOMPARE(table->model()->rowCount(), 1);
    const double measured = number(*table, 0, measured_column), ours = number(*table, 0, ours_column);
    QVERIFY(measured > 0 && ours > 0);
    QVERIFY(std::abs(100.0 * (ours / measured - 1.0) - number(*table, 0, deviation_column)) < 0.2);
    search->clear();
    QVERIFY(table->model()->rowCount() > 500);
  }
  void a_click_on_the_header_sorts_by_numbers() {
    ValidationWindow w(shipped_catalog());
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QTableView* table = w.table();
    QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 500, 30000);
    QHeaderView* header = table->horizontalHeader();
    const QPoint at(header->sectionViewportPosition(deviation_column) + 10, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier, at);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier, at);
    const int rows = table->model()->rowCount();
    const double first = std::abs(number(*table, 0, deviation_column)), last = std::abs(number(*table, rows - 1, deviation_column));
    QVERIFY(first != last);
    double before = first;
    for (int r = 1; r < rows; ++r) {
      const double now = std::abs(number(*table, r, deviation_column));
      QVERIFY(first > last ? now <= before + 1e-9 : now >= before - 1e-9);
      before = now;
    }
  }
  void a_source_alone_is_summed_up() {
    ValidationWindow w(shipped_catalog());
    w.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w));
    QTRY_VERIFY_WITH_TIMEOUT(w.table()->model()->rowCount() > 500, 30000);
    auto* box = w.findChild<QComboBox*>(QStringLiteral("validation_source"));
    auto* summary = w.findChild<QLabel*>(QStringLiteral("validation_summary"));
    const QString all = summary->text();
    const int bloom = box->findText(QStringLiteral("bloom"), Qt::MatchStartsWith);
    QVERIFY(bloom > 0);
    box->setFocus();
    while (box->currentIndex() != bloom) QTest::keyClick(box, Qt::Key_Down);
    QVERIFY(summary->text() != all);
    QVERIFY2(summary->text().startsWith(QStringLiteral("bloom")), qPrintable(summary->text()));
    for (int r = 0; r < w.table()->model()->rowCount(); ++r)
      QVERIFY(w.table()->model()->index(r, run_column).data().toString().startsWith(QStringLiteral("bloom")));
  }
};

QTEST_MAIN(TestValidationWindow)
#include "test_validation_window.moc"
