// SPDX-License-Identifier: GPL-3.0-or-later
// Well-formed UTF-8 as table 3-7 of the Unicode Standard has it, and the line where it ends.
#include <QtTest>

#include "catalog/utf8.h"

using namespace hallwright;

class TestUtf8 : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// First and last of each row of the table.
  void well_formed() {
    for (const char* text : {"", "a\x7F", "\xC2\x80\xDF\xBF", "\xE0\xA0\x80\xE0\xBF\xBF", "\xE1\x80\x80\xEC\xBF\xBF",
                             "\xED\x80\x80\xED\x9F\xBF", "\xEE\x80\x80\xEF\xBF\xBF", "\xF0\x90\x80\x80\xF0\xBF\xBF\xBF",
                             "\xF1\x80\x80\x80\xF3\xBF\xBF\xBF", "\xF4\x80\x80\x80\xF4\x8F\xBF\xBF"})
      QCOMPARE(line_of_bad_utf8(text), 0);
  }
  /// One step outside each row, and sequences that are cut.
  void ill_formed_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2\x7F", "\xC2\xC0", "\xE0\x9F\xBF",
                             "\xE1\x80\x7F", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80", "\xFE", "\xFF", "\xC2", "\xE1\x80", "\xF1\x80\x80", "\xF1\x80\x80q"})
      QTest::newRow(QByteArray(text).toHex().constData()) << QByteArray(text);
  }
  void ill_formed() {
    QFETCH(QByteArray, text);
    QCOMPARE(line_of_bad_utf8(text.toStdString()), 1);
    QCOMPARE(line_of_bad_utf8("fine\n" + text.toStdString() + "\nfine"), 2);
  }
  /// Lines end with LF, CR or both.
  void lines_are_counted() {
    QCOMPARE(line_of_bad_utf8("a\nb\n\xFF"), 3);
    QCOMPARE(line_of_bad_utf8("a\r\nb\r\n\xFF"), 3);
    QCOMPARE(line_of_bad_utf8("a\rb\r\xFF"), 3);
    QCOMPARE(line_of_bad_utf8("a\r\n\r\n\r\xFF"), 4);
  }
};

QTEST_APPLESS_MAIN(TestUtf8)
#include "test_utf8.moc"
