// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QThreadPool>
#include <QWidget>

#include "app/studio/document.h"
#include "fabric/as_built.h"
#include "widgets/fabric/fabric_picture.h"

class QAction;
class QLabel;
class QPushButton;
class QTableWidget;

namespace hallwright {

/// What was plugged against what is planned: differences as a list, and the plugs to move one after another.
class FabricAsBuilt : public QWidget {
  Q_OBJECT
public:
  explicit FabricAsBuilt(QWidget* parent = nullptr);
  ~FabricAsBuilt() override;
  /// The plan to compare with. Where it is another wiring, an open dump is compared anew.
  void setPlan(const std::shared_ptr<const wired::Picture>& plan, const SharedEvaluation& evaluation);
  void open(const QStringList& files);
  void clear();
  [[nodiscard]] QTableWidget* table() const { return table_; }
  [[nodiscard]] const std::vector<QAction*>& commands() const { return commands_; }
  [[nodiscard]] bool busy() const { return busy_; }
  void step(int by);

Q_SIGNALS:
  void told(const QString& sentence, bool problem);
  /// Planned links that differ, and those of the finding at hand.
  void marksChanged(const std::vector<std::uint32_t>& links, const std::vector<std::uint32_t>& current);
  void showRequested();

private:
  struct Answer;
  void compare();
  void show_answer(const std::shared_ptr<const Answer>& answer);
  void show_current();
  std::shared_ptr<const wired::Picture> plan_;
  SharedEvaluation evaluation_; ///< that the plan is of
  QStringList files_;
  std::shared_ptr<const Answer> answer_;
  std::vector<std::size_t> rows_; ///< finding of each row: plugs to move come first
  QLabel *summary_ = nullptr, *detail_ = nullptr;
  QTableWidget* table_ = nullptr;
  QPushButton *open_ = nullptr, *back_ = nullptr, *next_ = nullptr, *show_ = nullptr, *close_ = nullptr;
  std::vector<QAction*> commands_;
  QThreadPool pool_;
  quint64 generation_ = 0;
  bool busy_ = false;
};

} // namespace hallwright
