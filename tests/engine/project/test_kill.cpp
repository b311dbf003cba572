// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <random>

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

constexpr int rack_count = 150;

/// The design after `edits` edits: each moves every rack by a millimetre and counts in the notes, so a mixture of two
/// states would show.
Design after_edits(std::int64_t edits) {
  static const Design base = test::hall_of_racks(rack_count);
  Design design = base;
  auto racks = *base.racks;
  for (Rack& rack : racks) rack.x = millimeters(static_cast<double>(edits));
  design.racks = share(std::move(racks));
  design.project = share(Project{.name = "Kill", .notes = std::to_string(edits)});
  return design;
}

/// How many edits a design is after; -1 when it is not one of ours, whole.
std::int64_t edits_in(const Design& design) {
  const std::int64_t edits = std::atoll(design.project->notes.c_str());
  return differences(after_edits(edits), design).empty() ? edits : -1;
}

/// What the child has acknowledged: `edit` is in the recovery file, or in the project.
struct Acknowledged {
  enum class What : std::int64_t { ready, recovery, saved } what = What::ready;
  std::int64_t edit = 0;
};

[[noreturn]] void edit_and_save(const fs::path& project, const fs::path& recovery, std::int64_t from, int pipe_end) {
  const auto say = [&](Acknowledged a) {
    if (write(pipe_end, &a, sizeof a) != sizeof a) _exit(3);
  };
  const auto opened = open_project(project, {.lock_as = present_owner()});
  if (!opened || opened->access != Access::read_write) _exit(4); // the lock of the one killed before must be taken over
  RecoveryWriter writer(recovery, project);
  say({Acknowledged::What::ready, from});
  for (std::int64_t edit = from + 1;; ++edit) {
    const Design design = after_edits(edit);
    if (!writer.write(design, edit)) _exit(5);
    say({Acknowledged::What::recovery, edit});
    if (edit % 2 == 0) {
      if (!save_project(design, project, {.stamp = "kill", .program = "t", .saved_by = {}, .edit_count = edit})) _exit(6);
      say({Acknowledged::What::saved, edit});
    }
  }
}

} // namespace

class TestKill : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void nothingAcknowledgedIsLost() {
    const ScratchFolder folder("kill");
    const fs::path project = folder / "a.hall", recovery = folder / "recovery";
    const unsigned seed = qEnvironmentVariableIsSet("HALLWRIGHT_SEED") ? qEnvironmentVariable("HALLWRIGHT_SEED").toUInt() : std::random_device{}();
    qInfo("seed %u (HALLWRIGHT_SEED)", seed);
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> microseconds(0, 150000);
    QVERIFY(save_project(after_edits(0), project, {.stamp = "kill"}));
    std::int64_t edit = 0, saves = 0, during = 0;
    constexpr int kills = 150;
    for (int round = 0; round < kills; ++round) {
      int ends[2];
      QCOMPARE(pipe(ends), 0);
      const pid_t pid = fork();
      if (pid == 0) {
        close(ends[0]);
        edit_and_save(project, recovery, edit, ends[1]);
      }
      close(ends[1]);
      Acknowledged a;
      QCOMPARE(read(ends[0], &a, sizeof a), ssize_t{sizeof a}); // ready
      usleep(static_cast<useconds_t>(microseconds(random)));
      kill(pid, SIGKILL);
      int status = 0;
      waitpid(pid, &status, 0);
      QVERIFY2(WIFSIGNALED(status), ("the child ended by itself, code " + std::to_string(WEXITSTATUS(status))).c_str());
      std::int64_t recovered = edit, saved = -1;
      while (read(ends[0], &a, sizeof a) == sizeof a) (a.what == Acknowledged::What::saved ? saved : recovered) = a.edit;
      close(ends[0]);
      saves += saved >= 0 ? 1 : 0;

      const auto opened = open_project(project);
      QVERIFY2(opened, opened ? "" : opened.error().c_str());
      const std::int64_t in_project = edits_in(opened->design);
      QVERIFY2(in_project >= 0, "the project is not a whole state");
      QCOMPARE(opened->edit_count, in_project);
      QVERIFY2(in_project >= saved, "a save that was acknowledged is lost");
      during += folder.count(".a.hall.saving-") > 0 ? 1 : 0; // killed in the middle of a save

      const auto found = recoveries_of(recovery, project);
      std::int64_t best = -1;
      for (const Recovery& r : found) {
        QVERIFY2(r.whole, r.reason.c_str());
        const auto design = open_recovery(r.file);
        QVERIFY(design);
        QCOMPARE(edits_in(*design), r.edit_count);
        best = std::max(best, r.edit_count);
        QVERIFY(remove_recovery(r.file));
      }
      if (recovered > edit) QVERIFY2(best >= recovered, "an edit that was acknowledged is not in the recovery file");
      edit = std::max({edit, best, in_project});
    }
    qInfo("%d kills, %lld edits, %lld rounds with a save, %lld killed within a save", kills, static_cast<long long>(edit), static_cast<long long>(saves),
          static_cast<long long>(during));
    QVERIFY(edit >= kills / 2); // the children did work
    QVERIFY(saves > kills / 10);
    QVERIFY(save_project(after_edits(edit), project, {.stamp = "end"}));
    QCOMPARE(folder.count(".a.hall"), std::size_t{0}); // leftovers of the killed are gone
    for (const auto& entry : fs::directory_iterator(recovery)) QFAIL(entry.path().c_str());
    QCOMPARE(backups_of(project).size(), backups_kept);
    for (const fs::path& backup : backups_of(project)) {
      const auto opened = open_project(backup);
      QVERIFY2(opened && edits_in(opened->design) >= 0, "a backup is not a whole state");
    }
  }
  void copiesOfTheMainFileAlwaysOpen_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("database") << "a.hall";
    QTest::newRow("text") << "a.hall.json";
  }
  void copiesOfTheMainFileAlwaysOpen() {
    QFETCH(QString, name);
    const ScratchFolder folder("copier");
    const fs::path project = folder / name.toStdString(), recovery = folder / "recovery", copy = folder / "copy";
    QVERIFY(save_project(after_edits(0), project));
    const pid_t pid = fork();
    if (pid == 0) {
      for (std::int64_t edit = 1;; ++edit) {
        if (!save_project(after_edits(edit), project)) _exit(6);
      }
    }
    std::int64_t last = 0, states = 0;
    int copies = 0;
    QElapsedTimer timer;
    for (timer.start(); timer.elapsed() < 3000; ++copies) {
      write_file(copy, file_content(project)); // what a program that synchronises folders does: only the main file
      const auto opened = open_project(copy);
      QVERIFY2(opened, opened ? "" : opened.error().c_str());
      const std::int64_t edits = edits_in(opened->design);
      QVERIFY2(edits >= last, "a copy is not a saved state, or older than one before");
      states += edits > last ? 1 : 0;
      last = edits;
      for (const char* suffix : {"-wal", "-shm", "-journal"}) QVERIFY(!fs::exists(fs::path(project.string() + suffix)));
    }
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    QVERIFY(WIFSIGNALED(status));
    qInfo("%d copies, %lld states seen, %lld saves", copies, static_cast<long long>(states), static_cast<long long>(last));
    QVERIFY(copies > 20 && states > 5);
  }
};

QTEST_APPLESS_MAIN(TestKill)
#include "test_kill.moc"
