// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QThreadPool>

#include "app/studio/start_page.h"
#include "design/design.h"

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
  bool save(const Design& design, const QString& path);
  /// Makes a design of this file one of `path`: underlays that are named from the folder of the one are named from that
  /// of the other. Without a file names are as they are. Holds after `save`, too.
  [[nodiscard]] std::function<Design(const Design&)> renamingFor(const QString& path) const;
  void close(); ///< gives up the lock and the recovery file of a project that was saved or discarded

  [[nodiscard]] QString path() const { return path_; }
  [[nodiscard]] QString title() const;
  [[nodiscard]] bool readOnly() const { return read_only_; }
  [[nodiscard]] QString remark() const { return remark_; }
  [[nodiscard]] QString problem() const { return problem_; }

  /// Writes the recovery file in the background; bursts are joined, the newest design wins, within a second.
  void keepRecovery(const Design& design, quint64 revision);
  /// Waits until the recovery file is on disk (at exit and in tests).
  void flushRecovery();

  [[nodiscard]] static std::vector<StartEntry> samples();
  [[nodiscard]] std::vector<StartEntry> recent() const;
  [[nodiscard]] std::vector<StartEntry> recoveries() const;
  void discardRecovery(const QString& path);

Q_SIGNALS:
  void recoveryFailed(const QString& sentence);

private:
  struct Private;
  std::unique_ptr<Private> d_;
  void remember(const QString& path);
  QString path_, remark_, problem_, sample_name_;
  bool read_only_ = false;
  std::int64_t edit_base_ = 0, edit_count_ = 0; ///< committed changes before this session, and with it
};

/// The compiled catalog beside the program, with the user's catalog over it (`find_catalog`). A problem is one sentence.
struct LoadedCatalog {
  std::shared_ptr<const struct Catalog> catalog;
  QString problem;
};
LoadedCatalog load_catalog(bool with_user_catalog = true);

} // namespace hallwright
