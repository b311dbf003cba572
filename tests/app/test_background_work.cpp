// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>

#include "app/studio/background_work.h"

using namespace hallwright;

class TestBackgroundWork : public QObject {
  Q_OBJECT
private Q_SLOTS:
  // Work that ends at once ends just while it is being handed over: the answer still comes once, and in order.
  void every_answer_comes_once_and_in_order() {
    QThreadPool pool;
    pool.setMaxThreadCount(1);
    QObject receiver;
    constexpr int rounds = 20000;
    std::vector<int> answers;
    for (int i = 0; i < rounds; ++i)
      run_in_background(pool, &receiver, [i] { return i; }, [&answers](int answer) { answers.push_back(answer); });
    QVERIFY(answers.empty()); // never within the call
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(answers.size()), rounds, 60000);
    QVERIFY(std::is_sorted(answers.begin(), answers.end()));
    QTest::qWait(20);
    QCOMPARE(static_cast<int>(answers.size()), rounds);
  }

  void an_answer_to_nobody_is_dropped() {
    bool told = false;
    std::atomic<bool> go = false;
    {
      QObject receiver;
      QThreadPool pool; // goes first, and waits for its work
      run_in_background(
          pool, &receiver, [&go] { while (!go) QThread::msleep(1); return 1; }, [&told](int) { told = true; });
      go = true;
    }
    QTest::qWait(20);
    QVERIFY(!told);
  }
};

QTEST_MAIN(TestBackgroundWork)
#include "test_background_work.moc"
