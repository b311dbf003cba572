// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QtConcurrent>

#include "catalog/catalog.h"
#include "catalog/user_catalog.h"
#include "design/access.h"
#include "project/lock.h"
#include "project/project_file.h"
#include "project/recovery.h"
#include "project/underlay_names.h"
#include "widgets/figure_text.h"

namespace hallwright {
namespace {
constexpr int recent_kept = 8;

std::filesystem::path fs_path(const QString& path) { return std::filesystem::path(path.toStdU16String()); }

QString sample_folder() {
  for (const QString& folder : Session::sampleFolders())
    if (QDir(folder).exists()) return folder;
  return {};
}

QString recovery_folder() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery");
  QDir().mkpath(folder);
  return folder;
}

QDateTime time_of(const FileStamp& stamp) {
  return stamp.exists() && stamp.changed_ns != 0 ? QDateTime::fromMSecsSinceEpoch(stamp.changed_ns / 1000000)
                                                 : QDateTime();
}

/// "30/11/2026 04:41:07, 51 234 bytes".
QString words_of(const FileStamp& stamp) {
  const QDateTime at = time_of(stamp);
  return Session::tr("%1 %2, %3 bytes")
      .arg(QLocale().toString(at.date(), QLocale::ShortFormat), at.time().toString(QStringLiteral("HH:mm:ss")),
           screen_number(static_cast<qlonglong>(stamp.size)));
}

const QString stamp_format = QStringLiteral("yyyyMMdd'T'HHmmss'Z'");
QString now_stamp() { return QDateTime::currentDateTimeUtc().toString(stamp_format); }
} // namespace

struct Session::Private {
  std::shared_ptr<ProjectLock> lock;
  std::unique_ptr<RecoveryWriter> writer;
  QThreadPool pool;
  std::mutex mutex;
  std::optional<Design> waiting; ///< newest design that is not on disk yet
  std::int64_t waiting_revision = 0;
  bool writing = false;
};

Session::Session(QObject* parent) : QObject(parent), d_(std::make_unique<Private>()) { d_->pool.setMaxThreadCount(1); }

Session::~Session() { d_->pool.waitForDone(); }

QString Session::title() const {
  if (!path_.isEmpty()) return QFileInfo(path_).fileName();
  return sample_name_.isEmpty() ? tr("New design") : sample_name_;
}

QString Session::exportStem() const {
  QString name = path_.isEmpty() ? title() : QFileInfo(path_).fileName();
  for (const char* ending : {".json", ".hall"})
    if (name.endsWith(QLatin1String(ending))) name.chop(static_cast<int>(qstrlen(ending)));
  QString folder = path_.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
                                   : QFileInfo(path_).absolutePath();
  if (!QFileInfo(folder).isDir()) folder = QDir::homePath();
  return folder + QLatin1Char('/') + name;
}

std::optional<Design> Session::open(const QString& path) {
  problem_.clear();
  OpenOptions options;
  options.lock_as = present_owner(QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")).toStdString());
  auto opened = open_project(fs_path(path), options);
  if (!opened) {
    problem_ = QString::fromStdString(opened.error());
    return std::nullopt;
  }
  close();
  path_ = path;
  sample_name_.clear();
  d_->lock = opened->lock;
  edit_base_ = edit_count_ = opened->edit_count;
  stamp_ = opened->stamp;
  read_only_ = opened->access == Access::read_only;
  remark_ = QString::fromStdString(opened->remark);
  for (const std::string& note : opened->notes) remark_ += (remark_.isEmpty() ? QString() : QStringLiteral("\n")) + QString::fromStdString(note);
  d_->writer = std::make_unique<RecoveryWriter>(fs_path(recovery_folder()), fs_path(path));
  remember(path);
  return opened->design;
}

std::optional<Design> Session::openSample(const QString& path) {
  problem_.clear();
  auto opened = open_project(fs_path(path));
  if (!opened) {
    problem_ = QString::fromStdString(opened.error());
    return std::nullopt;
  }
  startNew(QFileInfo(path).fileName().remove(QStringLiteral(".hall.json")).remove(QStringLiteral(".hall")));
  return opened->design;
}

std::optional<Design> Session::recover(const QString& recovery_path) {
  problem_.clear();
  for (const Recovery& entry : list_recoveries(fs_path(recovery_folder()))) {
    if (QString::fromStdU16String(entry.file.u16string()) != recovery_path) continue;
    auto design = open_recovery(entry.file);
    if (!design) {
      problem_ = QString::fromStdString(design.error());
      return std::nullopt;
    }
    const QString project = QString::fromStdString(entry.project_path);
    startNew(project.isEmpty() ? QString::fromStdString(entry.project_name) : QFileInfo(project).fileName());
    // Saved under its old name only when the user says so: the file there may be newer.
    remark_ = project.isEmpty() ? tr("Recovered a design that was never saved.") : tr("Recovered changes of %1. Save as that file, or as another.").arg(project);
    recovered_from_ = project;
    // Its edits stay safe before the old file goes: this session's own recovery file takes over.
    edit_base_ = entry.edit_count;
    if (auto written = d_->writer->write(*design, edit_base_, now_stamp().toStdString()); written)
      if (auto removed = remove_recovery(entry.file); !removed) remark_ += QStringLiteral(" ") + QString::fromStdString(removed.error());
    return *design;
  }
  problem_ = tr("The recovery file is gone.");
  return std::nullopt;
}

void Session::startNew(const QString& name) {
  close();
  sample_name_ = name;
  d_->writer = std::make_unique<RecoveryWriter>(fs_path(recovery_folder()), std::filesystem::path());
}

std::optional<Design> Session::reload() {
  problem_.clear();
  auto opened = open_project(fs_path(path_));
  if (!opened) {
    problem_ = QString::fromStdString(opened.error());
    return std::nullopt;
  }
  stamp_ = opened->stamp;
  edit_base_ = std::max(edit_base_, opened->edit_count);
  return opened->design;
}

QString Session::saveProposal() const {
  if (!path_.isEmpty() && !read_only_ && !changed_by_another_) return path_;
  if (path_.isEmpty() && !recovered_from_.isEmpty()) return recovered_from_;
  const QString stem = exportStem(); // of the folder and the name without ending
  if (path_.isEmpty()) return stem + QStringLiteral(".hall");
  QString folder = QFileInfo(stem).absolutePath();
  if (!QFileInfo(folder).isWritable()) folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QString ending = path_.endsWith(QLatin1String(".json")) ? QStringLiteral(".hall.json") : QStringLiteral(".hall");
  const QString beside = folder + QLatin1Char('/') + QFileInfo(stem).fileName() + tr("-copy", "of a file name");
  QString out = beside + ending;
  for (int n = 2; QFileInfo::exists(out); ++n) out = beside + QStringLiteral("-%1").arg(n) + ending;
  return out;
}

std::optional<KeptChanges> Session::keptChanges(const Design& design) const {
  if (path_.isEmpty()) return std::nullopt;
  const auto file_edits = edit_base_;
  std::optional<KeptChanges> out;
  for (const Recovery& r : recoveries_of(fs_path(recovery_folder()), fs_path(path_))) {
    if (!r.whole) continue;
    if (out && r.edit_count < out->edit_count) { // the most edits come first
      ++out->others;
      continue;
    }
    auto kept = open_recovery(r.file);
    if (!kept || differences(design, *kept).empty()) continue;
    KeptChanges one;
    one.others = out ? out->others + 1 : 0;
    one.file = QString::fromStdU16String(r.file.u16string());
    one.design = *std::move(kept);
    one.edit_count = r.edit_count;
    one.kept_at = QDateTime::fromString(QString::fromStdString(r.stamp), stamp_format);
    one.kept_at.setTimeSpec(Qt::UTC);
    one.kept_at = one.kept_at.toLocalTime();
    one.saved_at = time_of(stamp_);
    one.newer = r.edit_count > file_edits;
    one.other_machine = r.other_machine;
    out = std::move(one);
  }
  return out;
}

void Session::keptTaken(const KeptChanges& kept) {
  edit_base_ = std::max(edit_base_, kept.edit_count);
  edit_count_ = std::max(edit_count_, kept.edit_count + 1);
  flushRecovery();
  std::error_code failed;
  if (!recovery_works_ || !d_->writer || !std::filesystem::exists(d_->writer->file(), failed)) return;
  (void)remove_recovery(fs_path(kept.file)); // where it stays it is offered again
}

bool Session::save(const Design& design, const QString& path, bool replace) {
  problem_.clear();
  changed_by_another_ = false;
  const bool elsewhere = QFileInfo(path).absoluteFilePath() != QFileInfo(path_).absoluteFilePath();
  if (!elsewhere && read_only_) {
    problem_ = tr("%1 is open read-only: %2. Save as another file.").arg(path, remark_);
    return false;
  }
  const auto changed_meanwhile = [&] {
    const auto there = file_stamp(real_file(fs_path(path)));
    if (elsewhere || replace || !there || !there->exists() || there->same_content(stamp_)) return false;
    changed_by_another_ = true;
    problem_ = tr("Another program has changed %1 since it was opened or saved here.\n\nThen: %2\nNow: %3")
                   .arg(path, words_of(stamp_), words_of(*there));
    return true;
  };
  if (changed_meanwhile()) return false;
  std::shared_ptr<ProjectLock> lock = d_->lock;
  if (elsewhere || !lock) {
    auto taken = ProjectLock::take(fs_path(path), present_owner(QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")).toStdString()));
    if (!taken) {
      problem_ = QString::fromStdString(taken.error());
      return false;
    }
    lock = std::make_shared<ProjectLock>(std::move(*taken));
  }
  SaveOptions options;
  options.stamp = now_stamp().toStdString();
  options.program = QCoreApplication::applicationVersion().toStdString();
  options.saved_by = present_owner().text();
  options.edit_count = edit_count_;
  if (!elsewhere && !replace) options.replaces = stamp_;
  if (auto saved = save_project(design, fs_path(path), options); !saved) {
    if (!changed_meanwhile()) problem_ = QString::fromStdString(saved.error());
    return false;
  }
  if (auto written = file_stamp(real_file(fs_path(path)))) stamp_ = *std::move(written);
  recovered_from_.clear();
  d_->lock = lock;
  path_ = path;
  sample_name_.clear();
  read_only_ = false;
  remark_.clear();
  // What is saved needs no recovery.
  flushRecovery();
  if (d_->writer) d_->writer->remove();
  d_->writer = std::make_unique<RecoveryWriter>(fs_path(recovery_folder()), fs_path(path));
  remember(path);
  return true;
}

std::function<Design(const Design&)> Session::renamingFor(const QString& path) const {
  if (path_.isEmpty()) return [](const Design& d) { return d; };
  return [from = fs_path(path_), to = fs_path(path)](const Design& d) { return with_underlays_named_from(d, from, to); };
}

void Session::close() {
  {
    std::lock_guard guard(d_->mutex);
    d_->waiting.reset();
  }
  d_->pool.waitForDone();
  if (d_->writer) d_->writer->remove();
  d_->writer.reset();
  d_->lock.reset();
  path_.clear();
  sample_name_.clear();
  remark_.clear();
  recovered_from_.clear();
  stamp_ = {};
  read_only_ = changed_by_another_ = false;
  recovery_works_ = true;
  edit_base_ = edit_count_ = 0;
}

void Session::keepRecovery(const Design& design, quint64 revision) {
  if (!d_->writer) return;
  std::lock_guard guard(d_->mutex);
  d_->waiting = design;
  d_->waiting_revision = edit_base_ + static_cast<std::int64_t>(revision);
  edit_count_ = d_->waiting_revision;
  if (d_->writing) return;
  d_->writing = true;
  (void)QtConcurrent::run(&d_->pool, [this] {
    for (;;) {
      std::optional<Design> next;
      std::int64_t revision_now = 0;
      {
        std::lock_guard inner(d_->mutex);
        if (!d_->waiting) {
          d_->writing = false;
          return;
        }
        next.swap(d_->waiting);
        revision_now = d_->waiting_revision;
      }
      const auto written = d_->writer->write(*next, revision_now, now_stamp().toStdString());
      recovery_works_ = written.has_value();
      if (written)
        Q_EMIT recoveryKept();
      else
        Q_EMIT recoveryFailed(tr("The recovery file cannot be written: %1").arg(QString::fromStdString(written.error())));
    }
  });
}

void Session::flushRecovery() { d_->pool.waitForDone(); }

QStringList Session::sampleFolders() {
  const QString program = QCoreApplication::applicationDirPath();
  QStringList out;
  for (const QString& folder : {QString::fromUtf8(qgetenv("HALLWRIGHT_PROJECTS")), program + QStringLiteral("/../share/hallwright/projects"),
                                program + QStringLiteral("/../../projects")})
    if (!folder.isEmpty()) out << QDir::cleanPath(QDir(folder).absolutePath());
  return out;
}

std::vector<StartEntry> Session::samples() {
  std::vector<StartEntry> out;
  const QString where = sample_folder();
  if (where.isEmpty()) return out; // an empty name would be the present folder
  const QDir folder(where);
  for (const QFileInfo& f : folder.entryInfoList({QStringLiteral("*.hall.json")}, QDir::Files, QDir::Name)) {
    // The question stands near the top of the file: no need to read all of a large sample.
    QFile file(f.absoluteFilePath());
    if (!file.open(QIODevice::ReadOnly)) continue;
    const QString head = QString::fromUtf8(file.read(4096));
    auto value = [&](const char* key) {
      static const QString pattern = QStringLiteral("\"%1\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
      const auto m = QRegularExpression(pattern.arg(QLatin1String(key))).match(head);
      return m.hasMatch() ? m.captured(1).replace(QStringLiteral("\\\""), QStringLiteral("\"")) : QString();
    };
    const QString name = value("name"), question = value("question");
    if (name.isEmpty() && question.isEmpty()) {
      out.push_back({f.fileName(), tr("damaged: neither its name nor its question can be read"), f.absoluteFilePath()});
      continue;
    }
    out.push_back({question.isEmpty() ? name : question, name, f.absoluteFilePath()});
  }
  return out;
}

std::vector<StartEntry> Session::recent() const {
  std::vector<StartEntry> out;
  for (const QString& path : QSettings().value(QStringLiteral("recent")).toStringList())
    if (QFileInfo::exists(path)) out.push_back({QFileInfo(path).fileName(), QFileInfo(path).absolutePath(), path});
  return out;
}

std::vector<StartEntry> Session::recoveries() const {
  std::vector<StartEntry> out;
  for (const Recovery& entry : list_recoveries(fs_path(recovery_folder()))) {
    StartEntry e;
    e.path = QString::fromStdU16String(entry.file.u16string());
    e.title = QString::fromStdString(entry.project_name);
    if (!entry.whole) {
      e.title = QFileInfo(e.path).fileName();
      e.detail = tr("damaged: %1").arg(QString::fromStdString(entry.reason));
    } else {
      const RecoveryAdvice advice = entry.project_path.empty() ? RecoveryAdvice{true, true, {}} : recovery_advice(entry, open_project(std::filesystem::path(entry.project_path)));
      if (!advice.offer) continue; // the project holds the same
      const QString project = QString::fromStdString(entry.project_path);
      e.detail = (project.isEmpty() ? tr("never saved") : project) + QStringLiteral(" \u00b7 ") + tr("%1 racks, edit %2").arg(entry.racks).arg(entry.edit_count);
      if (!advice.sentence.empty()) e.detail += QStringLiteral("\n") + QString::fromStdString(advice.sentence);
    }
    out.push_back(std::move(e));
  }
  return out;
}

QString Session::discardRecovery(const QString& path) {
  const auto removed = remove_recovery(fs_path(path));
  return removed ? QString() : QString::fromStdString(removed.error());
}

void Session::remember(const QString& path) {
  QSettings settings;
  QStringList list = settings.value(QStringLiteral("recent")).toStringList();
  list.removeAll(path);
  list.prepend(path);
  while (list.size() > recent_kept) list.removeLast();
  settings.setValue(QStringLiteral("recent"), list);
}

LoadedCatalog load_catalog(bool with_user_catalog) {
  LoadedCatalog out;
  auto found = find_catalog(QCoreApplication::applicationDirPath().toStdString(), qgetenv("HALLWRIGHT_CATALOG").toStdString(),
                            with_user_catalog ? user_catalog_folder(std::getenv("XDG_DATA_HOME"), std::getenv("HOME")) : std::string());
  if (!found) {
    out.problem = QString::fromStdString(found.error());
    return out;
  }
  // The shipped parts still serve where the user's are refused; what is wrong with them is told.
  out.problem = QString::fromStdString(found->user_problem);
  out.catalog = std::make_shared<const Catalog>(std::move(found->catalog));
  return out;
}

} // namespace hallwright
