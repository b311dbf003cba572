// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <sys/wait.h>

#include "project/project_file.h"
#include "project/recovery.h"
#include "project_samples.h"

using namespace hallwright;
using hallwright::test::file_content;
using hallwright::test::ScratchFolder;
using hallwright::test::write_file;
namespace fs = std::filesystem;

namespace {

#define VERIFY_HAS(text, part) QVERIFY2((text).find(part) != std::string::npos, (std::string("'") + (part) + "' is not in: " + (text)).c_str())

/// Runs `body` in a process that then ends without any clearing up, as a crash would.
template <class F>
pid_t crashed(F&& body) {
  const pid_t pid = fork();
  if (pid == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) qFatal("the process did not do its work");
  return pid;
}

Design named(int racks, const std::string& name) {
  Design design = test::hall_of_racks(racks);
  design.project = share(Project{.name = name});
  return design;
}

void wrote(const tl::expected<void, std::string>& done) {
  if (!done) qFatal("%s", done.error().c_str());
}

} // namespace

class TestRecovery : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void lastWriteOfAnEndedProcessIsFound() {
    const ScratchFolder folder("recovery-found");
    const fs::path project = folder / "a.hall", place = folder / "recovery";
    const pid_t pid = crashed([&] {
      RecoveryWriter writer(place, project);
      wrote(writer.write(named(3, "First"), 1, "noon"));
      wrote(writer.write(named(5, "Second"), 2, "later"));
    });
    const auto found = list_recoveries(place);
    QCOMPARE(found.size(), std::size_t{1}); // one file a document, the newest state
    const Recovery& r = found.front();
    QVERIFY2(r.whole, r.reason.c_str());
    QCOMPARE(r.project_path, project.string());
    QCOMPARE(r.project_name, std::string("Second"));
    QCOMPARE(r.edit_count, std::int64_t{2});
    QCOMPARE(r.stamp, std::string("later"));
    QCOMPARE(r.racks, std::size_t{5});
    QCOMPARE(r.entities, std::size_t{5 + 1 + 1 + 1 + 1 + 1}); // racks; a hall, a rack type, a feed, a loop, a row
    QCOMPARE(r.process.pid, std::int64_t{pid});
    const auto design = open_recovery(r.file);
    QVERIFY(design && differences(named(5, "Second"), *design).empty());
    QVERIFY(recoveries_of(place, folder / "b.hall").empty());
    QCOMPARE(recoveries_of(place, project).size(), std::size_t{1});
    QVERIFY(remove_recovery(r.file));
    QVERIFY(fs::is_empty(place));
  }
  void thisProcessAndOthersThatLiveAreNotListed() {
    const ScratchFolder folder("recovery-living");
    RecoveryWriter one(folder / "r", folder / "a.hall"), two(folder / "r", {}, 1), three(folder / "r", {}, 2);
    wrote(one.write(named(1, "one"), 1));
    wrote(two.write(named(2, "two"), 1));
    wrote(three.write(named(3, "three"), 1));
    QVERIFY(one.file() != two.file() && two.file() != three.file());
    QVERIFY(list_recoveries(folder / "r").empty());
    one.remove();
    two.remove();
    three.remove();
    QVERIFY(fs::is_empty(folder / "r"));
    QVERIFY(list_recoveries(folder / "nowhere").empty());
  }
  void damagedRecoveryIsListedWithItsReasonBehindTheWholeOnes() {
    const ScratchFolder folder("recovery-damaged");
    const fs::path place = folder / "r";
    crashed([&] { wrote(RecoveryWriter(place, folder / "a.hall").write(named(3, "A"), 900)); });
    const fs::path damaged = list_recoveries(place).front().file;
    write_file(damaged, file_content(damaged).substr(0, 5000));
    crashed([&] { wrote(RecoveryWriter(place, folder / "b.hall").write(named(3, "B"), 1)); });
    fs::last_write_time(damaged, fs::file_time_type::clock::now() + std::chrono::hours(24)); // its date says nothing
    const auto found = list_recoveries(place);
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY(found[0].whole && found[0].project_name == "B");
    QVERIFY(!found[1].whole);
    VERIFY_HAS(found[1].reason, "damaged");
    const auto advice = recovery_advice(found[1], tl::make_unexpected(std::string("gone")));
    QVERIFY(!advice.offer);
    VERIFY_HAS(advice.sentence, "cannot be used");
  }
  void validityBeforeEditsAndNeverTheDate() {
    const ScratchFolder folder("recovery-advice");
    const fs::path project = folder / "a.hall", place = folder / "r";
    wrote(save_project(named(10, "A"), project, {.stamp = {}, .program = "1", .saved_by = {}, .edit_count = 7}));
    crashed([&] { wrote(RecoveryWriter(place, project).write(named(12, "A"), 9)); });
    const Recovery recovery = list_recoveries(place).front();

    auto advice = recovery_advice(recovery, open_project(project));
    QVERIFY(advice.offer && advice.newer);
    VERIFY_HAS(advice.sentence, "12 racks");
    VERIFY_HAS(advice.sentence, "after 9 edits");
    VERIFY_HAS(advice.sentence, "10 racks");
    VERIFY_HAS(advice.sentence, "after 7 edits");

    // The damaged project is newer than the recovery file by its date (FreeCAD #18044).
    const std::string bytes = file_content(project);
    write_file(project, bytes.substr(0, bytes.size() / 2));
    fs::last_write_time(project, fs::file_time_type::clock::now() + std::chrono::hours(1));
    advice = recovery_advice(recovery, open_project(project));
    QVERIFY(advice.offer && advice.newer);
    VERIFY_HAS(advice.sentence, "cannot be opened");
    QCOMPARE(file_content(project).size(), bytes.size() / 2); // nothing is written until the user has chosen

    // Saved by somebody else since: offered, since it differs, but not called newer.
    wrote(save_project(named(20, "A"), project, {.stamp = {}, .program = "1", .saved_by = {}, .edit_count = 30}));
    advice = recovery_advice(recovery, open_project(project));
    QVERIFY(advice.offer && !advice.newer);

    wrote(save_project(named(12, "A"), project, {.stamp = {}, .program = "1", .saved_by = {}, .edit_count = 1}));
    QVERIFY(!recovery_advice(recovery, open_project(project)).offer); // the same design: nothing to recover
  }
  void failedWriteKeepsThePreviousOne() {
    const ScratchFolder folder("recovery-failed");
    const fs::path place = folder / "r";
    crashed([&] {
      RecoveryWriter writer(place, folder / "a.hall");
      wrote(writer.write(named(3, "A"), 1));
      Design broken = named(3, "A");
      auto racks = *broken.racks;
      racks[0].x = meters(std::nan(""));
      broken.racks = share(racks);
      if (writer.write(broken, 2)) _exit(1);
    });
    const auto found = list_recoveries(place);
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY(found[0].whole);
    QCOMPARE(found[0].edit_count, std::int64_t{1});
    write_file(folder / "file", "");
    RecoveryWriter nowhere(folder / "file", folder / "a.hall");
    const auto done = nowhere.write(named(1, ""), 1);
    QVERIFY(!done);
    VERIFY_HAS(done.error(), "was not written");
  }
  void fileOfALivingProcessIsNotRemoved() {
    const ScratchFolder folder("recovery-alive");
    const fs::path place = folder / "r";
    int up[2], down[2];
    QVERIFY(pipe(up) == 0 && pipe(down) == 0);
    const pid_t pid = fork();
    if (pid == 0) {
      close(down[1]);
      RecoveryWriter writer(place, folder / "a.hall");
      wrote(writer.write(named(3, "A"), 1));
      char byte = 'k';
      if (write(up[1], &byte, 1) != 1 || read(down[0], &byte, 1) < 0) _exit(1);
      _exit(0);
    }
    char byte = 0;
    QCOMPARE(read(up[0], &byte, 1), ssize_t{1});
    const fs::path file = fs::directory_iterator(place)->path();
    QVERIFY(list_recoveries(place).empty());
    const auto removed = remove_recovery(file);
    QVERIFY(!removed);
    VERIFY_HAS(removed.error(), std::to_string(pid));
    close(down[1]);
    waitpid(pid, nullptr, 0);
    QCOMPARE(list_recoveries(place).size(), std::size_t{1});
    QVERIFY(!remove_recovery(folder / "a.hall")); // not a recovery file
  }
  void fourThousandRacksAreWrittenAgainAndAgain() {
    const ScratchFolder folder("recovery-large");
    const fs::path place = folder / "r";
    crashed([&] {
      RecoveryWriter writer(place, folder / "a.hall");
      for (int edit = 1; edit <= 8; ++edit)
        wrote(writer.write(named(3993 + edit, "Large"), edit));
    });
    const auto found = list_recoveries(place);
    QCOMPARE(found.size(), std::size_t{1}); // one file, however often it is written
    QVERIFY2(found[0].whole, found[0].reason.c_str());
    QCOMPARE(found[0].edit_count, std::int64_t{8});
    const auto design = open_recovery(found[0].file);
    QVERIFY(design);
    QCOMPARE(design->racks->size(), std::size_t{4001});
    QCOMPARE(std::distance(fs::directory_iterator(place), fs::directory_iterator()), std::ptrdiff_t{1});
  }
};

QTEST_APPLESS_MAIN(TestRecovery)
#include "test_recovery.moc"
