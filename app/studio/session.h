// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QThreadPool>

#include "app/studio/kept_changes.h"
#include "app/studio/start_page.h"
#include "design/design.h"
#include "project/durable_file.h"

namespace hallwright {

/// What the window needs of files: open, save, recovery within a second of each edit, lock, recent files, samples.
class Session : public QObject {
  Q_OBJECT
public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  /// Reads a project and takes its lock. Empty answer: `problem()` says why in one sentence.
  std::optional<Design> open(const QString& path);
  /// A design without a file: new, or a sample (which is copied, never overwritten).
  std::optional<Design> openSample(const QString& path);
  std::optional<Design> recover(const QString& recovery_path);
  void startNew(const QString& name);
  /// Saves. Where another program has changed the open file meanwhile it refuses, and `changedByAnother()` says so;
  /// `replace` then puts this design in its place.
  bool save(const Design& design, const QString& path, bool replace = false);
  [[nodiscard]] bool changedByAnother() const { return changed_by_another_; }
  /// Reads the open file again, as another program has left it. Lock and recovery file stay.
  std::optional<Design> reload();
  /// What "Save as" offers: the file itself, beside a file that cannot be written a free name, for recovered changes
  /// the project that they belong to.
  [[nodiscard]] QString saveProposal() const;
  /// Makes a design of this file one of `path`: underlays that are named from the folder of the one are named from that
  /// of the other. Without a file names are as they are. Holds after `save`, too.
  [[nodiscard]] std::function<Design(const Design&)> renamingFor(const QString& path) const;
  void close(); ///< gives up the lock and the recovery file of a project that was saved or discarded

  [[nodiscard]] QString path() const { return path_; }
  [[nodiscard]] QString title() const;
  /// Where files made from the design are offered to be written: the project's folder, or the user's documents, and its
  /// name without an ending. Endings such as "-plan.pdf" are put behind.
  [[nodiscard]] QString exportStem() const;
  [[nodiscard]] bool readOnly() const { return read_only_; }
  [[nodiscard]] QString remark() const { return remark_; }
  [[nodiscard]] QString problem() const { return problem_; }

  /// Writes the recovery file in the background; bursts are joined, the newest design wins, within a second.
  void keepRecovery(const Design& design, quint64 revision);
  /// Waits until the recovery file is on disk (at exit and in tests).
  void flushRecovery();
  /// What an earlier run left beside the open file and that differs from `design`, the newest of it.
  [[nodiscard]] std::optional<KeptChanges> keptChanges(const Design& design) const;
  /// The changes are part of the open design now: once this run's own recovery file holds them, theirs goes.
  void keptTaken(const KeptChanges& kept);

  [[nodiscard]] static std::vector<StartEntry> samples();
  /// Where samples are looked for; the first folder that is there counts.
  [[nodiscard]] static QStringList sampleFolders();
  [[nodiscard]] std::vector<StartEntry> recent() const;
  [[nodiscard]] std::vector<StartEntry> recoveries() const;
  /// Empty, or why it is still there.
  QString discardRecovery(const QString& path);

Q_SIGNALS:
  /// Of each try to write the recovery file, from its own thread.
  void recoveryFailed(const QString& sentence);
  void recoveryKept();

private:
  struct Private;
  std::unique_ptr<Private> d_;
  void remember(const QString& path);
  QString path_, remark_, problem_, sample_name_;
  QString recovered_from_; ///< project of the changes that were recovered
  bool read_only_ = false, changed_by_another_ = false;
  std::atomic<bool> recovery_works_ = true; ///< the last try to write it went well
  FileStamp stamp_; ///< of the open file when it was read or saved here
  std::int64_t edit_base_ = 0, edit_count_ = 0; ///< committed changes before this session, and with it
};

/// The compiled catalog beside the program, with the user's catalog over it (`find_catalog`). A problem is one sentence.
struct LoadedCatalog {
  std::shared_ptr<const struct Catalog> catalog;
  QString problem;
};
LoadedCatalog load_catalog(bool with_user_catalog = true);

} // namespace hallwright
