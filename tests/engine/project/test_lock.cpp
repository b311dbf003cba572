// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <sys/wait.h>

#include "project/project_file.h"
#include "project_samples.h"

using namespace hallwright;
using hallwright::test::file_content;
using hallwright::test::ScratchFolder;
using hallwright::test::write_file;
namespace fs = std::filesystem;

namespace {

#define VERIFY_HAS(text, part) QVERIFY2((text).find(part) != std::string::npos, (std::string("'") + (part) + "' is not in: " + (text)).c_str())

OpenOptions as(const std::string& since = "2026-01-31 12:00") { return {.lock_as = present_owner(since)}; }

/// A second process that opens the project, says what it got ('w' or 'r'), and stays until it is told to go.
class OtherProcess {
public:
  explicit OtherProcess(const fs::path& path) {
    int up[2], down[2];
    if (pipe(up) != 0 || pipe(down) != 0) qFatal("no pipe");
    pid_ = fork();
    if (pid_ == 0) {
      close(up[0]);
      close(down[1]);
      {
        const auto project = open_project(path, as("then"));
        const char answer = project && project->access == Access::read_write ? 'w' : 'r';
        if (write(up[1], &answer, 1) != 1) _exit(1);
        char go = 0;
        if (read(down[0], &go, 1) != 1) _exit(1);
      }
      _exit(0);
    }
    close(up[1]);
    close(down[0]);
    from_ = up[0];
    to_ = down[1];
    if (read(from_, &answer_, 1) != 1) qFatal("the other process did not answer");
  }
  ~OtherProcess() {
    if (pid_ > 0) kill_it();
    close(from_);
    close(to_);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  [[nodiscard]] char answer() const { return answer_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  void let_go() {
    if (write(to_, "g", 1) != 1) qFatal("the other process is gone");
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  void kill_it() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

private:
  pid_t pid_ = 0;
  int from_ = -1, to_ = -1;
  char answer_ = 0;
};

} // namespace

class TestLock : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void heldWhileOpenAndGoneAfterwards() {
    const ScratchFolder folder("lock-life");
    const fs::path path = folder / "a.hall";
    QVERIFY(save_project(test::hall_of_racks(2), path));
    {
      const auto first = open_project(path, as());
      QVERIFY(first && first->access == Access::read_write && first->lock);
      QVERIFY(fs::exists(folder / "a.hall.lock"));
      const auto second = open_project(path, as()); // a second window of the same program
      QVERIFY(second && second->access == Access::read_only && !second->lock);
      VERIFY_HAS(second->remark, present_owner().user + "@" + present_process().machine);
      VERIFY_HAS(second->remark, "since 2026-01-31 12:00");
      const auto report = open_project(path); // asks for no lock
      QVERIFY(report && report->access == Access::read_write && report->remark.empty());
      QVERIFY(save_project(test::hall_of_racks(3), path)); // the holder may
    }
    QVERIFY(!fs::exists(folder / "a.hall.lock"));
    QCOMPARE(folder.count("a.hall"), std::size_t{1});
    const auto again = open_project(path, as());
    QVERIFY(again && again->access == Access::read_write);
  }
  void secondProcessIsReadOnlyAndToldWhoHoldsIt() {
    const ScratchFolder folder("lock-two");
    const fs::path path = folder / "a.hall";
    QVERIFY(save_project(test::hall_of_racks(2), path));
    const std::string bytes = file_content(path);
    OtherProcess other(path);
    QCOMPARE(other.answer(), 'w');
    QVERIFY(lock_state(path).kind == LockState::Kind::held);
    const auto mine = open_project(path, as());
    QVERIFY(mine && mine->access == Access::read_only);
    VERIFY_HAS(mine->remark, "process " + std::to_string(other.pid()));
    VERIFY_HAS(mine->remark, "since then");
    const auto done = save_project(test::hall_of_racks(3), path);
    QVERIFY(!done);
    VERIFY_HAS(done.error(), "process " + std::to_string(other.pid()));
    QCOMPARE(file_content(path), bytes);
    const auto broken = break_lock(path); // not over a living process
    QVERIFY(!broken);
    VERIFY_HAS(broken.error(), "close it there");
    other.let_go();
    QVERIFY(lock_state(path).kind == LockState::Kind::free);
    const auto now = open_project(path, as());
    QVERIFY(now && now->access == Access::read_write);
  }
  void lockOfAKilledProcessIsTakenOver() {
    const ScratchFolder folder("lock-killed");
    const fs::path path = folder / "a.hall";
    QVERIFY(save_project(test::hall_of_racks(2), path));
    OtherProcess other(path);
    other.kill_it();
    QVERIFY(fs::exists(folder / "a.hall.lock"));
    QVERIFY(lock_state(path).kind == LockState::Kind::stale);
    {
      const auto mine = open_project(path, as());
      QVERIFY(mine && mine->access == Access::read_write);
      VERIFY_HAS(file_content(folder / "a.hall.lock"), "\"pid\": " + std::to_string(getpid()));
    }
    QVERIFY(!fs::exists(folder / "a.hall.lock"));
  }
  void pidOfAnotherProcessThatCameLaterIsStale() {
    const ScratchFolder folder("lock-pid");
    const fs::path path = folder / "a.hall";
    QVERIFY(save_project(test::hall_of_racks(2), path));
    ProcessMark earlier = present_process();
    earlier.start = "1"; // this pid, but a process that started with the machine
    write_file(folder / "a.hall.lock", "{\"user\": \"ada\", \"machine\": \"" + earlier.machine + "\", \"pid\": " + std::to_string(earlier.pid) +
                                           ", \"start\": \"1\", \"since\": \"\"}\n");
    QVERIFY(lock_state(path).kind == LockState::Kind::stale);
    const auto mine = open_project(path, as());
    QVERIFY(mine && mine->access == Access::read_write);
  }
  void otherMachineAndUnreadableLocksNeedTheUsersWord_data() {
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("part");
    QTest::newRow("other machine") << R"({"user": "bob", "machine": "far-away", "pid": 4711, "start": "5", "since": "noon"})" << "bob@far-away (process 4711), since noon";
    QTest::newRow("empty") << "" << "does not say who holds it";
    QTest::newRow("noise") << "\x01\x02" << "does not say who holds it";
  }
  void otherMachineAndUnreadableLocksNeedTheUsersWord() {
    QFETCH(QString, content);
    QFETCH(QString, part);
    const ScratchFolder folder("lock-far");
    const fs::path path = folder / "a.hall";
    QVERIFY(save_project(test::hall_of_racks(2), path));
    write_file(folder / "a.hall.lock", content.toStdString());
    {
      const auto mine = open_project(path, as());
      QVERIFY(mine && mine->access == Access::read_only);
      VERIFY_HAS(mine->remark, part.toStdString());
    }
    QCOMPARE(file_content(folder / "a.hall.lock"), content.toStdString()); // not ours to remove
    QVERIFY(!save_project(test::hall_of_racks(3), path));
    QVERIFY(break_lock(path));
    const auto mine = open_project(path, as());
    QVERIFY(mine && mine->access == Access::read_write);
  }
  void brokenLockOfOursIsNotRemovedFromItsNewHolder() {
    const ScratchFolder folder("lock-broken");
    const fs::path path = folder / "a.hall";
    QVERIFY(save_project(test::hall_of_racks(2), path));
    const std::string theirs = R"({"user": "bob", "machine": "far-away", "pid": 1, "start": "", "since": ""})";
    {
      const auto mine = open_project(path, as());
      QVERIFY(mine && mine->lock);
      write_file(folder / "a.hall.lock", theirs);
    }
    QCOMPARE(file_content(folder / "a.hall.lock"), theirs);
  }
  void ofManyAtOnceOneWrites_data() {
    QTest::addColumn<bool>("stale");
    QTest::newRow("no lock there") << false;
    QTest::newRow("stale lock there") << true;
  }
  void ofManyAtOnceOneWrites() {
    QFETCH(bool, stale);
    const ScratchFolder folder("lock-race");
    const fs::path path = folder / "a.hall";
    QVERIFY(save_project(test::hall_of_racks(2), path));
    for (int round = 0; round < 20; ++round) {
      if (stale) {
        OtherProcess dead(path);
        dead.kill_it();
      }
      constexpr int openers = 6;
      int start[2], hold[2], answers[2];
      QVERIFY(pipe(start) == 0 && pipe(hold) == 0 && pipe(answers) == 0);
      std::vector<pid_t> pids;
      for (int i = 0; i < openers; ++i) {
        const pid_t pid = fork();
        if (pid == 0) {
          close(start[1]);
          close(hold[1]);
          char byte = 0;
          if (read(start[0], &byte, 1) < 0) _exit(1); // all begin when the pipe is closed
          {
            const auto project = open_project(path, as());
            byte = project && project->access == Access::read_write ? 'w' : 'r';
            if (write(answers[1], &byte, 1) != 1) _exit(1);
            if (read(hold[0], &byte, 1) < 0) _exit(1);
          }
          _exit(0);
        }
        pids.push_back(pid);
      }
      close(start[0]);
      close(hold[0]);
      close(start[1]);
      int writers = 0;
      for (int i = 0; i < openers; ++i) {
        char byte = 0;
        QCOMPARE(read(answers[0], &byte, 1), ssize_t{1});
        writers += byte == 'w' ? 1 : 0;
      }
      close(hold[1]);
      for (const pid_t pid : pids) waitpid(pid, nullptr, 0);
      close(answers[0]);
      close(answers[1]);
      QCOMPARE(writers, 1);
      QVERIFY(!fs::exists(folder / "a.hall.lock"));
      QCOMPARE(folder.count(".a.hall"), std::size_t{0}); // no leftovers
    }
  }
};

QTEST_APPLESS_MAIN(TestLock)
#include "test_lock.moc"
