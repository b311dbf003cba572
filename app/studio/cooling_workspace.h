// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include <QElapsedTimer>
#include <QThreadPool>
#include <QTimer>
#include <QWidget>

#include "app/studio/document.h"
#include "cooling/facility_loop.h"
#include "cooling/loop_failures.h"
#include "cooling/loop_loss.h"
#include "widgets/loop_schematic/loop_schematic_view.h"

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableWidget;
class QTabWidget;
class QToolButton;

namespace hallwright {

class CoolingYearPage;
class LoopSizingCard;
namespace loops {
class HeatSankey;
class LineChart;
class RackFlowBars;
} // namespace loops

/// The coolant loops: schematic of one with live flow, pressure and temperature, on which units, pumps, facility water,
/// racks and pipes are failed and restored; the seconds that are then left, with a clock; flow of racks, pump curve,
/// single failures; and the inputs with their figures. Nothing that is failed here edits the design.
class CoolingWorkspace : public QWidget {
  Q_OBJECT
public:
  /// @param inputs  the page with inputs, figures and tables of the subject; becomes a tab of its own
  CoolingWorkspace(Document& document, QWidget* inputs, QWidget* parent = nullptr);
  ~CoolingWorkspace() override;
  /// Shows the document's newest evaluation; does nothing while hidden (asked again when shown).
  void refresh();
  void showSelection();
  void showPage(int page); ///< 0: loops; 1: inputs and figures; 2: the year
  [[nodiscard]] CoolingYearPage* year() const { return year_; }
  [[nodiscard]] loops::LoopSchematicView* view() const { return view_; }
  [[nodiscard]] QTabWidget* cards() const { return cards_; }
  [[nodiscard]] Id loop() const { return loop_; }
  void chooseLoop(Id loop);
  /// What is out of the loop that is shown.
  [[nodiscard]] const LoopOperation& operation() const;
  /// What a banner says of it, with its countdown.
  [[nodiscard]] QString sentence() const;
  [[nodiscard]] bool playing() const { return playing_; }
  [[nodiscard]] QString countdown() const;
  [[nodiscard]] double clockSeconds() const { return clock_s_; }
  /// Commands in the order of the menu, apart by null; they go into the palette too.
  [[nodiscard]] const std::vector<QAction*>& commands() const { return commands_; }
  void fillMenu(QMenu* menu);
  /// Draws pipes along a row of racks: asks for the row, the return and the velocity, with a preview on the plan.
  void drawPipes(Id loop);
  /// Balances the racks of the loop that is shown: asks with a preview of flows before and after.
  void balanceRacks();
  [[nodiscard]] QAction* pipesCommand() const { return pipes_action_; }
  /// Nothing is being worked out.
  [[nodiscard]] bool settled() const { return !sweeping_ && !answering_ && !pending_; }

public Q_SLOTS:
  void restoreAll(); ///< of every loop

Q_SIGNALS:
  void selectionRequested(const std::vector<hallwright::EntityRef>& selection);
  void editRequested(const hallwright::Edit& edit);
  void figureActivated(const QString& figure);
  void told(const QString& sentence, bool problem);
  void wanted(); ///< this workspace has something to show
  /// Units, pipes and racks that are out or shut off here, of all loops, and what those of the loop shown do; both
  /// empty: nothing is.
  void caseChanged(const QString& sentence, const std::vector<hallwright::EntityRef>& out);

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

private:
  QWidget* make_page();
  QWidget* make_bar();
  QWidget* make_banner();
  QWidget* make_flow_card();
  QWidget* make_pump_card();
  QWidget* make_seconds_card();
  QWidget* make_failures_card();
  void make_commands();
  void fill_loops();
  void show_loop();
  void solve();
  void show_words();
  void show_flows();
  void show_pumps();
  void fill_losses();
  void show_seconds();
  void ask_responses();
  void show_failures();
  void show_heat();
  void show_sizing();
  void start_sweep();
  void stop_sweep();
  void show_case(int row);
  void from_view();
  void context_menu(const QPoint& global);
  void update_commands();
  enum class Part : std::uint8_t { whole, pump, facility };
  /// Fails or restores what is meant; a part is that of a unit.
  void set_out(const loops::Thing& thing, Part part, bool out);
  [[nodiscard]] bool is_out(const loops::Thing& thing, Part part) const;
  [[nodiscard]] bool any_out(const loops::Thing& thing) const;
  [[nodiscard]] bool can_fail(const loops::Thing& thing) const;
  void toggle(const loops::Thing& thing);
  void set_pump(const loops::Thing& unit, bool fail);
  /// The loss that is played, as it is on the schematic at the clock's second; the steady state where none is played.
  void show_instant();
  void stop_playing();
  [[nodiscard]] bool utility_is_out() const;
  void restore_all();
  void changed_operation();
  void tell_case();
  [[nodiscard]] QString out_words() const;
  /// What is out of the facility water of the loop that is shown; of a loop of facility water, or without one: nothing.
  [[nodiscard]] const LoopOperation& water_operation() const;
  /// Neither of the loop nor of its facility water.
  [[nodiscard]] bool nothing_out() const;
  /// The facility water that is left with what is out of it.
  void find_felt_water();
  void set_clock(bool runs);
  void tick();
  void show_countdown();
  [[nodiscard]] const struct LoopLook* look() const;
  /// The operation, with the facility water that the loop is brought.
  [[nodiscard]] LoopOperation with_water(LoopOperation operation) const;
  /// Solves the loop with something out; loops of facility water together with those that hang on them.
  [[nodiscard]] tl::expected<LoopSolution, std::string> solve_with(const LoopOperation& operation);
  [[nodiscard]] QString facility_words() const; ///< what racks feel of what is out of the facility water
  LoopOperation& operation_here() { return operations_[loop_]; }
  [[nodiscard]] QString rack_name(Id rack) const;

  Document& document_;
  QTabWidget *pages_ = nullptr, *cards_ = nullptr;
  QComboBox *loops_ = nullptr, *unit_ = nullptr, *losses_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  loops::LoopSchematicView* view_ = nullptr;
  loops::RackFlowBars* flows_ = nullptr;
  loops::HeatSankey* heat_ = nullptr;
  LoopSizingCard* sizing_ = nullptr;
  CoolingYearPage* year_ = nullptr;
  loops::LineChart *pump_chart_ = nullptr, *seconds_chart_ = nullptr;
  QLabel *empty_ = nullptr, *banner_ = nullptr, *countdown_ = nullptr, *responses_ = nullptr, *pump_words_ = nullptr,
         *failures_words_ = nullptr;
  QWidget* banner_frame_ = nullptr;
  QPushButton *fail_ = nullptr, *restore_ = nullptr, *restore_all_ = nullptr, *sweep_ = nullptr, *draw_ = nullptr, *balance_ = nullptr;
  QToolButton *play_ = nullptr, *again_ = nullptr, *fast_ = nullptr;
  QCheckBox* chillers_ = nullptr;
  QTableWidget* failures_ = nullptr;
  std::vector<QAction*> commands_;
  QAction* balance_action_ = nullptr;
  QAction *fail_action_ = nullptr, *pump_action_ = nullptr, *facility_action_ = nullptr, *restore_action_ = nullptr,
          *restore_all_action_ = nullptr, *play_action_ = nullptr, *fast_action_ = nullptr, *again_action_ = nullptr,
          *sweep_action_ = nullptr, *pipes_action_ = nullptr, *weather_action_ = nullptr;

  Id loop_ = 0;
  std::vector<Id> loop_ids_;
  std::map<Id, LoopOperation> operations_;
  std::map<Id, std::vector<EntityRef>> out_of_; ///< by loop: what its operation takes out
  std::vector<EntityRef> told_out_;
  QString told_case_;
  LoopSolver solver_;
  std::map<Id, FacilityWater> water_;           ///< at the units of the loop that is shown, as its facility water brings it
  std::map<Id, FacilityWater> most_water_;      ///< the same while something is out
  std::unique_ptr<FacilityCoupling> coupling_;  ///< of a loop of facility water
  std::vector<Shared<DrawnLoop>> served_;       ///< that hang on it
  std::optional<RacksBehind> behind_;           ///< what their racks feel of what is out
  QString behind_trouble_;                      ///< why they have no steady state
  std::unique_ptr<FacilityCoupling> upstream_;  ///< of the facility water of the loop that is shown
  Shared<DrawnLoop> upstream_loop_;             ///< the drawing that it was made of
  std::size_t upstream_place_ = 0;              ///< of the loop that is shown, among those that hang on it
  LoopOperation felt_of_;                       ///< what `felt_water_` was found for
  std::optional<std::map<Id, FacilityWater>> felt_water_; ///< at the units while something of the facility water is out
  std::map<Id, FacilityWater> felt_most_;                 ///< the same with its pumps at full speed
  QString felt_trouble_;                                  ///< why it could not be found
  std::string felt_cause_;                                ///< why it has no steady state; empty: it has one
  Shared<DrawnLoop> shown_;
  std::shared_ptr<const LoopSolution> solution_, healthy_;
  std::vector<double> healthy_flows_;
  QString trouble_, loss_trouble_;
  std::optional<LoopTransient> transient_;
  std::set<Id> without_ups_;  ///< units whose pumps hang on no UPS
  bool feeds_stated_ = false; ///< of all units
  /// Played: what the loss takes away, and how the coolant flows with it.
  struct Played {
    OperationLoss loss;
    LoopOperation operation;
    std::shared_ptr<const LoopSolution> solution; ///< null: the flows of the healthy state, with the share of the pumps
    std::vector<double> link_flows;
  };
  Played played_;
  loops::Picture steady_picture_;
  bool playing_ = false, bar_known_ = false;
  std::shared_ptr<const LoopFailures> sweep_of_;
  Shared<DrawnLoop> swept_;
  std::vector<std::size_t> sweep_order_;
  QThreadPool pool_;
  std::stop_source stop_;
  quint64 sweep_generation_ = 0, answer_generation_ = 0;
  bool sweeping_ = false, answering_ = false, pending_ = true, syncing_ = false;
  QTimer clock_;
  QElapsedTimer since_;
  double clock_s_ = 0, clock_end_s_ = 60;
};

} // namespace hallwright
