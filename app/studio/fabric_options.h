// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <stop_token>

#include <QThreadPool>
#include <QWidget>

#include "app/studio/document.h"
#include "app/studio/fabric_study.h"

class QAction;
class QLabel;
class QTableWidget;
class QToolButton;

namespace hallwright {

/// What an option decides about a network; all else stays as designed.
struct FabricChoices {
  Topology topology = Topology::fat_tree;
  Tiers tiers = Tiers::automatic;
  bool rails = true;
  Count planes = 1;
  std::string switch_part;
  double oversubscription = 1.0;
  LinkMedium medium = LinkMedium::automatic; ///< of all links
  friend bool operator==(const FabricChoices&, const FabricChoices&) = default;
};
FabricChoices choices_of(const Network& network);
/// The design with these choices in one network. Parts that were named for another switch or medium are chosen anew.
Edited with_choices(const Design& design, Id network, const FabricChoices& choices);
/// "two planes, 2:1": how it differs from the base; empty when it does not.
QString choices_name(const FabricChoices& choices, const FabricChoices& base, const Catalog* catalog);

/// Options of one network as columns: what each decides, what follows, which is best. "Use this" applies one of them.
class FabricOptions : public QWidget {
  Q_OBJECT
public:
  explicit FabricOptions(Document& document, QWidget* parent = nullptr);
  ~FabricOptions() override;
  void setNetwork(Id network);
  /// Only an active page asks the engine.
  void setActive(bool active);
  /// The design or its evaluation changed.
  void refresh();
  [[nodiscard]] QTableWidget* table() const { return table_; }
  [[nodiscard]] const std::vector<QAction*>& commands() const { return commands_; }
  [[nodiscard]] int optionCount() const;
  [[nodiscard]] bool settled() const { return running_ == 0; }
  void add(const FabricChoices& choices);

Q_SIGNALS:
  void told(const QString& sentence, bool problem);

private:
  struct Answer {
    bool known = false;
    SharedEvaluation evaluation;
    QString problem;
    SingleFailures failures;
    bool failures_known = false;
  };
  struct Option {
    FabricChoices choices;
    Answer answer;
  };
  void rebuild();
  void show_answers();
  void evaluate();
  void use(int option);
  void take_out(int option);
  void fill_menu(class QMenu* menu);
  [[nodiscard]] const Network* network() const;
  [[nodiscard]] std::vector<Option>& options() { return options_[network_]; }

  Document& document_;
  QTableWidget* table_ = nullptr;
  QToolButton* add_button_ = nullptr;
  QLabel* note_ = nullptr;
  std::vector<QAction*> commands_;
  Id network_ = 0;
  std::map<Id, std::vector<Option>> options_;
  Answer base_;
  SharedEvaluation evaluated_for_;
  FabricChoices shown_base_;
  QThreadPool pool_;
  std::stop_source stop_;
  quint64 generation_ = 0;
  int running_ = 0;
  bool active_ = false, began_ = false;
};

} // namespace hallwright
