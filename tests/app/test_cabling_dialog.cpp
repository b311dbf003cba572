// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/cabling_dialog.h"
#include "app/studio/label_sheets.h"
#include "evaluation/evaluation.h"
#include "project/project_file.h"

using namespace hallwright;

/// File, Export, Cabling: real keys and buttons, real files.
class TestCablingDialog : public QObject {
  Q_OBJECT
  SharedEvaluation evaluation_;

  static QByteArray content(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }
  template <class T>
  static T* the(CablingDialog& d, const char* name) {
    return d.findChild<T*>(QLatin1String(name));
  }

private Q_SLOTS:
  void initTestCase() {
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/superpod-h100-4su.hall.json");
    QVERIFY(opened);
    auto e = evaluate(opened->design, share(*std::move(catalog)));
    QVERIFY(e);
    evaluation_ = std::make_shared<const Evaluation>(*std::move(e));
  }

  void every_kind_of_file_is_written() {
    QTemporaryDir folder;
    CablingDialog d(evaluation_, folder.filePath("pod"));
    d.show();
    QVERIFY(QTest::qWaitForWindowExposed(&d));
    auto* what = the<QComboBox>(d, "cabling_what");
    auto* file = the<QLineEdit>(d, "cabling_file");
    auto* sentence = the<QLabel>(d, "cabling_sentence");
    QSignalSpy told(&d, &CablingDialog::told);
    QCOMPARE(file->text(), folder.filePath("pod-cables.csv"));
    for (int i = 0; i < what->count(); ++i) {
      const QString name = file->text();
      QCOMPARE(the<QCheckBox>(d, "cabling_code")->isEnabled(), name.endsWith("-labels.pdf"));
      QCOMPARE(the<QComboBox>(d, "cabling_port_names")->isEnabled(),
               name.endsWith("netbox-cables.csv") || name.endsWith(".dot"));
      QTest::mouseClick(the<QPushButton>(d, "cabling_write"), Qt::LeftButton);
      QTRY_COMPARE_WITH_TIMEOUT(told.count(), i + 1, 60000);
      QVERIFY2(!told.back()[1].toBool(), qPrintable(told.back()[0].toString()));
      QCOMPARE(sentence->text(), "Written: " + name);
      QVERIFY(QFileInfo(name).size() > 1000);
      if (name.endsWith(".pdf")) QVERIFY(content(name).startsWith("%PDF-"));
      what->setFocus();
      QTest::keyClick(what, Qt::Key_Down);
    }
    if (const QString picture = qEnvironmentVariable("HALLWRIGHT_TEST_PICTURES"); !picture.isEmpty())
      d.grab().save(picture + "/cabling_dialog.png");
    QVERIFY(content(folder.filePath("pod-cables.csv")).startsWith("network,cable_id,"));
    QTest::mouseClick(the<QPushButton>(d, "cabling_close"), Qt::LeftButton);
    QVERIFY(!d.isVisible());
  }

  void one_network_and_a_typed_name() {
    QTemporaryDir folder;
    CablingDialog d(evaluation_, folder.filePath("pod"));
    d.show();
    QVERIFY(QTest::qWaitForWindowExposed(&d));
    auto* network = the<QComboBox>(d, "cabling_network");
    network->setFocus();
    QTest::keyClick(network, Qt::Key_End);
    auto* file = the<QLineEdit>(d, "cabling_file");
    file->selectAll();
    QTest::keyClicks(file, folder.filePath("mine.csv"));
    QSignalSpy told(&d, &CablingDialog::told);
    QTest::keyClick(file, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 60000);
    const QByteArray text = content(folder.filePath("mine.csv"));
    QVERIFY(text.contains("\nStorage,S000001,"));
    QVERIFY(!text.contains("\nCompute,"));
    // A file that is there is written over at the second wish only.
    QFile other(folder.filePath("mine.csv"));
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("mine") == 4);
    other.close();
    QTest::mouseClick(the<QPushButton>(d, "cabling_write"), Qt::LeftButton);
    QVERIFY(the<QLabel>(d, "cabling_sentence")->text().contains("mine.csv is there already"));
    QCOMPARE(content(folder.filePath("mine.csv")), QByteArray("mine"));
    auto* what = the<QComboBox>(d, "cabling_what");
    what->setFocus();
    QTest::keyClick(what, Qt::Key_Down);
    QCOMPARE(file->text(), folder.filePath("mine.csv")); // what was typed stays
    QTest::keyClick(what, Qt::Key_Up);
    QTest::mouseClick(the<QPushButton>(d, "cabling_write"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(told.count(), 2, 60000);
    QCOMPARE(content(folder.filePath("mine.csv")), text);
    QCOMPARE(told.back()[0].toString(), QStringLiteral("Written: ") + folder.filePath("mine.csv"));
    QTest::keyClick(what, Qt::Key_Down);
    file->setText(folder.path());
    QTest::mouseClick(the<QPushButton>(d, "cabling_write"), Qt::LeftButton);
    QVERIFY(the<QLabel>(d, "cabling_sentence")->text().contains("is a folder"));
    file->setText("/nonexistent/labels.pdf");
    QTest::mouseClick(the<QPushButton>(d, "cabling_write"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(told.count(), 3, 60000);
    QVERIFY(told.back()[1].toBool());
    QVERIFY(told.back()[0].toString().contains("/nonexistent/labels.pdf is not written"));
  }

  void labels_can_be_stopped() {
    QTemporaryDir folder;
    const auto book = cable_book(evaluation_->design, evaluation_->catalog, *evaluation_->cabling);
    QVERIFY(book);
    const QString file = folder.filePath("labels.pdf");
    QCOMPARE(write_label_sheets(file, *book, true, [](double share) { return share < 0.3; }),
             QStringLiteral("stopped"));
    QVERIFY(!QFile::exists(file));
    QCOMPARE(write_port_sheets(file, *book, [](double share) { return share < 0.3; }), QStringLiteral("stopped"));
    QVERIFY(!QFile::exists(file));
  }

  void bar_codes_obey_the_standard() {
    // ISO/IEC 15417: 11 modules a character, three bars and three spaces, the bars an even sum; stop of 13 modules.
    std::set<std::vector<bool>> seen;
    for (char c = ' '; c <= '~'; ++c) {
      const std::vector<bool> m = code_128(std::string_view(&c, 1));
      QCOMPARE(m.size(), std::size_t(11 * 3 + 13));
      const std::vector<bool> symbol(m.begin() + 11, m.begin() + 22);
      QVERIFY(symbol.front() && !symbol.back());
      QCOMPARE(std::count(symbol.begin(), symbol.end(), true) % 2, 0);
      QVERIFY(seen.insert(symbol).second);
      int turns = 1;
      for (std::size_t i = 1; i < symbol.size(); ++i)
        turns += symbol[i] != symbol[i - 1];
      QCOMPARE(turns, 6);
    }
    // "PJJ123C" from start B: 104 + 48 + 2 x 42 + 3 x 42 + 4 x 17 + 5 x 18 + 6 x 19 + 7 x 35 = 879, and 879 mod 103 is
    // 55, the symbol 311321.
    const std::vector<bool> m = code_128("PJJ123C");
    const std::vector<bool> check(m.begin() + 88, m.begin() + 99);
    QCOMPARE(check, (std::vector<bool>{1, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0}));
  }
};

QTEST_MAIN(TestCablingDialog)
#include "test_cabling_dialog.moc"
