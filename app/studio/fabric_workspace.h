// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include <QThreadPool>
#include <QWidget>

#include "app/studio/document.h"
#include "app/studio/fabric_study.h"
#include "widgets/fabric/fabric_view.h"

class QAction;
class QActionGroup;
class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTableWidget;
class QTabWidget;

namespace hallwright {

class FabricAsBuilt;
class FabricOptions;
class FigureTable;
namespace wired {
class FabricLegend;
class Faceplate;
class LinksTable;
class ShareBars;
} // namespace wired

/// The networks: picture, faceplate, cables, lengths, options, as-built, and the inputs with their figures.
/// Everything that takes longer than a frame is worked out beside the window.
class FabricWorkspace : public QWidget {
  Q_OBJECT
public:
  /// @param inputs  the page with inputs, figures and tables of the subject; becomes a tab of its own
  FabricWorkspace(Document& document, QWidget* inputs, QWidget* parent = nullptr);
  ~FabricWorkspace() override;

  [[nodiscard]] wired::FabricView* view() const { return view_; }
  [[nodiscard]] wired::Faceplate* faceplate() const { return faceplate_; }
  [[nodiscard]] wired::LinksTable* links() const { return links_; }
  [[nodiscard]] FabricOptions* options() const { return options_; }
  [[nodiscard]] FabricAsBuilt* asBuilt() const { return as_built_; }
  /// The commands in the order of the menu, apart by null; they go into the palette too.
  [[nodiscard]] const std::vector<QAction*>& commands() const { return commands_; }
  void fillMenu(QMenu* menu);
  /// Taking what is selected out of service and back, for the menu of the plan.
  [[nodiscard]] std::vector<QAction*> serviceCommands() const { return {fail_action_, restore_action_}; }
  void showPage(int page);
  [[nodiscard]] Id network() const { return network_; }
  /// The workspace is idle: nothing is being worked out.
  [[nodiscard]] bool settled() const { return !busy_ && !pending_; }
  /// Reads dumps of the network as built and shows how they differ.
  void openAsBuilt(const QStringList& files);

Q_SIGNALS:
  void told(const QString& sentence, bool problem);
  void figureActivated(const QString& figure);
  void wanted();
  /// These are to be seen on the plan.
  void planWanted(const std::vector<hallwright::EntityRef>& entities); ///< this workspace has something to show

protected:
  void showEvent(QShowEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  QWidget* make_picture_page();
  void show_hover(const QString& text);
  QWidget* make_lengths_page();
  QWidget* make_side();
  void make_commands();
  void refresh();
  void ask(bool traffic);
  void show_answer(const FabricPictureAnswer& answer);
  void show_networks();
  void show_outages();
  void show_rules();
  void show_selection_words();
  void from_view();
  void from_document();
  void select_in_document(const wired::Marked& marked);
  void ask_single_failures();
  void show_single_failures();
  void fit_side();
  void fit_singles();
  void add_network();
  void choose_network(Id network);
  void color_by(wired::ColorBy by);
  void fail_selection();
  void fail_words(const std::vector<std::string>& elements, const QString& name);
  void fail_things(const std::vector<EntityRef>& things);
  void fail_module();
  void fail_plane();
  void restore_selection();
  void restore_all();
  void save_picture();
  void update_commands();
  [[nodiscard]] std::vector<std::string> selected_elements() const;
  /// Drawn things that are selected, while nothing of the picture that shows is: racks, rows, halls, trays, power units.
  [[nodiscard]] std::vector<EntityRef> selected_things() const;
  [[nodiscard]] QString things_text(const std::vector<EntityRef>& things) const;
  [[nodiscard]] std::vector<Id> failures_of_selection() const;
  [[nodiscard]] std::shared_ptr<const wired::Picture> picture() const { return answer_.picture; }

  Document& document_;
  QComboBox *networks_ = nullptr, *colors_ = nullptr;
  QStackedWidget* stack_ = nullptr; ///< nothing described, or the pages
  QTabWidget* pages_ = nullptr;
  wired::FabricView* view_ = nullptr;
  wired::Faceplate* faceplate_ = nullptr;
  wired::LinksTable* links_ = nullptr;
  wired::FabricLegend* legend_ = nullptr;
  wired::ShareBars* left_ = nullptr;
  wired::LengthHistogram* histogram_ = nullptr;
  FabricOptions* options_ = nullptr;
  FabricAsBuilt* as_built_ = nullptr;
  QLabel *hover_ = nullptr, *chosen_title_ = nullptr, *chosen_words_ = nullptr, *left_words_ = nullptr,
         *rules_ = nullptr, *traffic_ = nullptr, *legend_title_ = nullptr, *singles_note_ = nullptr;
  QPushButton *fail_ = nullptr, *restore_ = nullptr, *restore_all_button_ = nullptr, *singles_button_ = nullptr;
  QTableWidget* singles_ = nullptr;
  QScrollArea* side_ = nullptr; ///< legend, what is left, port map
  std::vector<FigureTable*> tables_;
  std::vector<QAction*> commands_;
  QAction *fail_action_ = nullptr, *restore_action_ = nullptr, *restore_all_action_ = nullptr,
          *module_action_ = nullptr, *plane_action_ = nullptr, *zoom_action_ = nullptr;
  QActionGroup* color_group_ = nullptr;

  Id network_ = 0;
  FabricPictureAnswer answer_;
  SingleFailures single_;
  SinglesRest single_for_;
  std::vector<EntityRef> own_selection_; ///< of the document, as the picture's selection made it
  std::vector<std::uint32_t> marked_links_; ///< of the as-built page
  QThreadPool pool_, singles_pool_;
  std::stop_source stop_, single_stop_;
  quint64 generation_ = 0, single_generation_ = 0;
  bool busy_ = false, pending_ = true, syncing_ = false, single_busy_ = false;
};

} // namespace hallwright
