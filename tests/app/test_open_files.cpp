// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>

#include <QAbstractButton>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/studio/kept_changes.h"
#include "app/studio/session.h"
#include "begin_new_design.h"
#include "project/project_file.h"
#include "project/recovery.h"
#include "window_bench.h"

using namespace hallwright;
using namespace hallwright::test;

/// Files of an open design: what other programs and earlier runs did to them, and disks that cannot be written.
class TestOpenFiles : public QObject {
  Q_OBJECT
  Shared<Catalog> catalog_;
  QTemporaryDir folder_;

  static std::filesystem::path recovery_folder() {
    return (QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery"))
        .toStdString();
  }
  static bool says(const StudioWindow& w, const char* words) {
    for (const QLabel* l : w.findChildren<QLabel*>())
      if (l->isVisible() && l->text().contains(QLatin1String(words))) return true;
    return false;
  }
  /// What a run leaves that ended without a word: a recovery file of a process that is gone.
  static bool leave_behind(const Design& design, const QString& project, std::int64_t edits, const char* stamp) {
    const pid_t child = fork();
    if (child == 0) {
      RecoveryWriter writer(recovery_folder(), project.toStdString());
      _exit(writer.write(design, edits, stamp) ? 0 : 1);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
  }
  static Design without_first_rack(const Design& d) { return *remove(d, {{"racks", d.racks->front().id}}); }
  static std::string name_of_first_rack(const Design& d) { return d.racks->front().name; }
  static void press(QWidget& in, const char* button) {
    auto* b = in.findChild<QAbstractButton*>(QLatin1String(button));
    QVERIFY2(b && b->isVisible(), button);
    QTest::mouseClick(b, Qt::LeftButton);
  }
  void open(StudioWindow& w, const QString& path) {
    QVERIFY(show_window(w, 1500, 950));
    QVERIFY(w.openPath(path));
    QTRY_VERIFY_WITH_TIMEOUT(w.document().evaluation(), 20000);
  }
  QString project(const char* name) {
    const QString sample = sample_copy(folder_, "superpod-h100-4su");
    const QString path = folder_.filePath(QLatin1String(name));
    const auto opened = open_project(sample.toStdString());
    if (!opened || !save_project(opened->design, path.toStdString())) return {};
    return path;
  }

private Q_SLOTS:
  void initTestCase() {
    const auto catalog = begin_window_tests();
    QVERIFY(catalog);
    catalog_ = *catalog;
    QVERIFY(folder_.isValid());
    qputenv("XDG_DATA_HOME", folder_.filePath(QStringLiteral("data")).toUtf8());
  }

  void changes_of_an_earlier_run_are_offered_at_once() {
    const QString path = project("kept.hall");
    const auto saved = open_project(path.toStdString());
    QVERIFY(saved);
    const std::string gone = name_of_first_rack(saved->design);
    const std::size_t racks = saved->design.racks->size();
    QVERIFY(leave_behind(without_first_rack(saved->design), path, 3, "20260131T120000Z"));
    StudioWindow w(catalog_);
    open(w, path);
    auto* bar = w.findChild<KeptBar*>();
    QVERIFY(bar && bar->isVisible());
    // What would come, and when it was kept.
    QVERIFY2(bar->sentence().contains(QStringLiteral("1 rack removed (%1)").arg(QString::fromStdString(gone))),
             qPrintable(bar->sentence()));
    const QDateTime kept(QDate(2026, 1, 31), QTime(12, 0), Qt::UTC);
    QVERIFY2(bar->sentence().contains(kept.toLocalTime().time().toString(QStringLiteral("HH:mm:ss"))),
             qPrintable(bar->sentence()));
    QVERIFY(!says(w, "All changes saved"));
    QVERIFY(says(w, "Changes of an earlier run are not in this file"));
    press(w, "kept_take");
    QVERIFY(!bar->isVisible());
    QCOMPARE(w.document().design().racks->size(), racks - 1);
    QVERIFY(w.windowTitle().contains(QStringLiteral("kept.hall *")));
    QVERIFY(recoveries_of(recovery_folder(), path.toStdString()).empty()); // this run keeps them now
    // One step, and saved under the file's own name.
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.document().design().racks->size(), racks);
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(&w, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(says(w, "All changes saved"));
    QCOMPARE(open_project(path.toStdString())->design.racks->size(), racks - 1);
  }

  void changes_of_an_earlier_run_are_discarded_or_left() {
    const QString path = project("left.hall");
    const auto saved = open_project(path.toStdString());
    QVERIFY(leave_behind(without_first_rack(saved->design), path, 2, "20260131T120000Z"));
    {
      StudioWindow w(catalog_);
      open(w, path);
      press(w, "kept_later");
      QVERIFY(!w.findChild<KeptBar*>()->isVisible());
      QVERIFY(!says(w, "All changes saved"));
      w.close();
    }
    QCOMPARE(recoveries_of(recovery_folder(), path.toStdString()).size(), std::size_t{1});
    StudioWindow w(catalog_);
    open(w, path);
    press(w, "kept_discard");
    auto* box = w.findChild<QMessageBox*>(QStringLiteral("discard_box"));
    QVERIFY(box && box->isVisible());
    QTest::keyClick(box, Qt::Key_Return); // the default keeps them
    QCOMPARE(recoveries_of(recovery_folder(), path.toStdString()).size(), std::size_t{1});
    press(w, "kept_discard");
    box = w.findChildren<QMessageBox*>(QStringLiteral("discard_box")).back();
    for (QAbstractButton* b : box->buttons())
      if (box->buttonRole(b) == QMessageBox::DestructiveRole) QTest::mouseClick(b, Qt::LeftButton);
    QVERIFY(recoveries_of(recovery_folder(), path.toStdString()).empty());
    QVERIFY(says(w, "All changes saved"));
  }

  void a_file_that_another_program_changed_is_not_overwritten_unasked() {
    const QString path = project("shared.hall");
    StudioWindow w(catalog_);
    open(w, path);
    const std::size_t racks = w.document().design().racks->size();
    const auto change_elsewhere = [&] { // renames the project, as another editor would
      auto other = open_project(path.toStdString());
      QVERIFY(other);
      Project p = *other->design.project;
      p.name += " of theirs";
      other->design.project = share(p);
      QFile::remove(path);
      const QString beside = folder_.filePath(QStringLiteral("beside.hall"));
      QVERIFY(save_project(other->design, beside.toStdString()));
      QVERIFY(QFile::rename(beside, path));
    };
    const auto theirs = [&] { return open_project(path.toStdString())->design; };
    w.document().select({{"racks", w.document().design().racks->front().id}});
    QTest::keyClick(&w, Qt::Key_Delete, Qt::ControlModifier);
    if (auto* box = w.findChild<QMessageBox*>(QStringLiteral("delete_box"))) QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(w.document().design().racks->size(), racks - 1);
    change_elsewhere();
    QTest::keyClick(&w, Qt::Key_S, Qt::ControlModifier);
    auto* box = w.findChild<QMessageBox*>(QStringLiteral("changed_file_box"));
    QVERIFY(box && box->isVisible());
    QVERIFY2(box->text().contains(QStringLiteral("bytes")), qPrintable(box->text()));
    QCOMPARE(theirs().racks->size(), racks); // untouched
    QTest::keyClick(box, Qt::Key_Escape);
    QVERIFY(w.windowTitle().contains(QLatin1Char('*')));
    // Reload: theirs is shown, undo has ours again.
    QTest::keyClick(&w, Qt::Key_S, Qt::ControlModifier);
    press(*w.findChildren<QMessageBox*>(QStringLiteral("changed_file_box")).back(), "changed_reload");
    QCOMPARE(w.document().design().racks->size(), racks);
    QVERIFY(w.document().design().project->name.ends_with("of theirs"));
    QVERIFY(says(w, "All changes saved"));
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w.document().design().racks->size(), racks - 1);
    // What was read again may be replaced without a question.
    QTest::keyClick(&w, Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(theirs().racks->size(), racks - 1);
    // Replace: theirs is the newest backup.
    change_elsewhere();
    QTest::keyClick(&w, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(&w, Qt::Key_S, Qt::ControlModifier);
    press(*w.findChildren<QMessageBox*>(QStringLiteral("changed_file_box")).back(), "changed_replace");
    QVERIFY(says(w, "All changes saved"));
    QCOMPARE(theirs().racks->size(), racks);
    const auto backups = backups_of(path.toStdString());
    QVERIFY(!backups.empty());
    QCOMPARE(open_project(backups.front())->design.racks->size(), racks - 1);
    // The same bytes with another time are no change.
    QFile touched(path);
    QVERIFY(touched.open(QIODevice::ReadWrite));
    QVERIFY(touched.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
    touched.close();
    QVERIFY(w.saveTo(path));
  }

  void what_is_not_kept_for_recovery_is_said() {
    StudioWindow w(catalog_);
    open(w, project("full.hall"));
    // The folder of recovery files cannot be made, as on a disk that is full.
    QDir(folder_.filePath(QStringLiteral("data"))).removeRecursively();
    QFile file(folder_.filePath(QStringLiteral("data")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    w.document().select({{"racks", w.document().design().racks->front().id}});
    const auto edit = [&](const char* name) {
      w.document().apply({"Name", [name, id = w.document().design().racks->front().id](const Design& d) {
                            return set_field(d, {"racks", id}, "name", FieldValue(std::string(name)));
                          }});
    };
    edit("A");
    QTRY_VERIFY_WITH_TIMEOUT(says(w, "neither saved nor kept for recovery"), 10000);
    QVERIFY(!says(w, "Changes kept for recovery"));
    QVERIFY(file.remove());
    edit("B");
    QTRY_VERIFY_WITH_TIMEOUT(says(w, "Changes kept for recovery"), 10000);
  }

  void save_proposes_a_name_that_can_be_written() {
    const QString path = project("mine.hall");
    const auto saved = open_project(path.toStdString());
    QVERIFY(saved);
    {
      Session session;
      QVERIFY(leave_behind(without_first_rack(saved->design), path, 2, "20260131T120000Z"));
      const auto left = recoveries_of(recovery_folder(), path.toStdString());
      QCOMPARE(left.size(), std::size_t{1});
      QVERIFY(session.recover(QString::fromStdString(left.front().file.string())));
      QCOMPARE(session.saveProposal(), path); // not mine.hall.hall
      session.close();
    }
    Session session;
    QVERIFY(session.openSample(sample_copy(folder_, "one-megawatt")));
    QVERIFY(session.saveProposal().endsWith(QStringLiteral("/one-megawatt.hall")));
    // Locked by somebody else: beside it, under a free name.
    Session holder;
    QVERIFY(holder.open(path));
    const QString free = folder_.filePath(QStringLiteral("mine-copy.hall"));
    StudioWindow w(catalog_);
    open(w, path);
    w.document().select({{"racks", w.document().design().racks->front().id}});
    QTest::keyClick(&w, Qt::Key_D, Qt::ControlModifier);
    QVERIFY2(w.windowTitle().contains(QStringLiteral("mine.hall * (read-only)")), qPrintable(w.windowTitle()));
    Session reader;
    QVERIFY(reader.open(path));
    QCOMPARE(reader.saveProposal(), free);
  }

  void samples_are_those_that_came_with_the_program() {
    const QByteArray before = qgetenv("HALLWRIGHT_PROJECTS");
    const QString folder = folder_.filePath(QStringLiteral("samples"));
    QVERIFY(QDir().mkpath(folder));
    QFile damaged(folder + QStringLiteral("/torn.hall.json"));
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write(QByteArray(300, '\0'));
    damaged.close();
    qputenv("HALLWRIGHT_PROJECTS", folder.toUtf8());
    const auto found = Session::samples();
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().title, QStringLiteral("torn.hall.json")); // a card with words on it
    QVERIFY(found.front().detail.contains(QStringLiteral("damaged")));
    qputenv("HALLWRIGHT_PROJECTS", before);
  }

  void exports_on_a_full_disk_leave_nothing_and_say_so_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("file");
    const auto add = [this](const char* name, const QStringList& arguments, const char* file) {
      QTest::newRow(name) << arguments << QString::fromLatin1(file);
    };
    add("tables", {QStringLiteral("--tables"), QStringLiteral("OUT")}, "tab");
    add("report", {QStringLiteral("--report"), QStringLiteral("OUT")}, "r.pdf");
    const QStringList hall{QStringLiteral("--render"), QStringLiteral("hall")};
    add("svg", hall + QStringList{QStringLiteral("--svg"), QStringLiteral("OUT")}, "h.svg");
    add("png", hall + QStringList{QStringLiteral("--png"), QStringLiteral("OUT")}, "h.png");
    add("plan", {QStringLiteral("--print-plan"), QStringLiteral("OUT")}, "p.pdf");
  }
  void exports_on_a_full_disk_leave_nothing_and_say_so() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, file);
    const QString folder = folder_.filePath(QStringLiteral("full"));
    QDir(folder).removeRecursively();
    QVERIFY(QDir().mkpath(folder));
    arguments.replaceInStrings(QStringLiteral("OUT"), folder + QLatin1Char('/') + file);
    QProcess p;
    QProcessEnvironment e = QProcessEnvironment::systemEnvironment();
    e.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    p.setProcessEnvironment(e);
    // A limit on the size of files stands in for a disk that fills up in the middle of the write.
    p.setChildProcessModifier([] {
      std::signal(SIGXFSZ, SIG_IGN);
      rlimit small{};
      small.rlim_cur = small.rlim_max = 16384;
      setrlimit(RLIMIT_FSIZE, &small);
    });
    p.start(QStringLiteral(HALLWRIGHT_STUDIO_PROGRAM), arguments << sample_copy(folder_, "superpod-h100-4su"));
    QVERIFY(p.waitForFinished(120000));
    const QByteArray told = p.readAllStandardError();
    QVERIFY2(p.exitCode() == 3, told.constData());
    QVERIFY2(told.contains("is not written: the file would be larger than is allowed here"), told.constData());
    QVERIFY2(QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             qPrintable(QDir(folder).entryList(QDir::AllEntries | QDir::Hidden).join(QLatin1Char(' '))));
  }
};

QTEST_MAIN(TestOpenFiles)
#include "test_open_files.moc"
