// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>
#include <QWidget>

class QVBoxLayout;

namespace hallwright {

/// A sample or recent project as the start page shows it.
struct StartEntry {
  QString title, detail, path;
};

/// First page: sample designs by the question that they answer, recent files, and what a dead run left behind.
class StartPage : public QWidget {
  Q_OBJECT
public:
  explicit StartPage(QWidget* parent = nullptr);
  /// @param folders  where they were looked for; named where there are none
  void setSamples(const std::vector<StartEntry>& samples, const QStringList& folders = {});
  void setRecent(const std::vector<StartEntry>& recent);
  void setRecovered(const std::vector<StartEntry>& recovered);

Q_SIGNALS:
  void newRequested();
  void openRequested();
  void pathRequested(const QString& path);
  void sampleRequested(const QString& path);
  void recoverRequested(const QString& path);
  void discardRequested(const QString& path);

private:
  QWidget *samples_ = nullptr, *recent_ = nullptr, *recovered_ = nullptr;
};

} // namespace hallwright
