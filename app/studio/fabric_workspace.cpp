// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/fabric_workspace.h"

#include <algorithm>

#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/background_work.h"
#include "app/studio/fabric_as_built.h"
#include "app/studio/fabric_options.h"
#include "app/studio/subject_workspace.h"
#include "widgets/fabric/fabric_legend.h"
#include "widgets/fabric/faceplate.h"
#include "widgets/fabric/links_table.h"
#include "widgets/figure_table.h"
#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"
#include "widgets/written_file.h"

namespace hallwright {
using wired::ColorBy;
using wired::Marked;

namespace {

enum Page { picture_page, cables_page, lengths_page, options_page, as_built_page, inputs_page };
constexpr std::size_t most_rows_at_once = 64;            ///< failures that one command adds
constexpr std::size_t links_with_loads_at_once = 60'000; ///< larger networks: loads when they are asked for

QLabel* section_title(const QString& text, QWidget* parent) {
  auto* l = new QLabel(text, parent);
  l->setObjectName(QStringLiteral("title"));
  return l;
}

QLabel* words(QWidget* parent) {
  auto* l = new QLabel(parent);
  l->setWordWrap(true);
  l->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return l;
}

std::string joined(const std::vector<std::string>& list) {
  std::string out;
  for (std::size_t i = 0; i < list.size() && i < 3; ++i)
    out += (i > 0 ? ", " : "") + list[i];
  return list.size() > 3 ? out + " and " + std::to_string(list.size() - 3) + " more" : out;
}

} // namespace

FabricWorkspace::FabricWorkspace(Document& document, QWidget* inputs, QWidget* parent)
    : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("workspace_Fabric"));
  setAcceptDrops(true);
  pool_.setMaxThreadCount(1);
  singles_pool_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);

  auto* bar = new QWidget(this);
  auto* flow = new FlowLayout(bar);
  flow->setContentsMargins(2 * spacing_unit, spacing_unit, 2 * spacing_unit, spacing_unit);
  flow->setSpacing(2 * spacing_unit);
  const auto labelled = [&](const QString& text, QWidget* field) {
    auto* pair = new QWidget(bar);
    pair->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    auto* line = new QHBoxLayout(pair);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(spacing_unit);
    auto* label = new QLabel(text, pair);
    label->setObjectName(QStringLiteral("secondary"));
    label->setBuddy(field);
    line->addWidget(label);
    line->addWidget(field);
    flow->addWidget(pair);
  };
  networks_ = new QComboBox(bar);
  networks_->setObjectName(QStringLiteral("fabric_network"));
  networks_->setAccessibleName(tr("Network shown"));
  networks_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  labelled(tr("Network"), networks_);
  colors_ = new QComboBox(bar);
  colors_->setObjectName(QStringLiteral("fabric_colors"));
  colors_->setAccessibleName(tr("Colour links by"));
  for (const ColorBy by :
       {ColorBy::rail, ColorBy::plane, ColorBy::length, ColorBy::medium, ColorBy::load, ColorBy::failure})
    colors_->addItem(wired::color_by_name(by));
  labelled(tr("Colour"), colors_);
  column->addWidget(bar);

  stack_ = new QStackedWidget(this);
  // As high as there is room, and no higher: the foot of the picture is in sight without scrolling.
  stack_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
  stack_->setMinimumHeight(fontMetrics().lineSpacing() * 24);
  column->addWidget(stack_, 1);
  auto* nothing = new QWidget(stack_);
  auto* nothing_column = new QVBoxLayout(nothing);
  nothing_column->addStretch(1);
  auto* sentence = new QLabel(tr("Describe a network: which switch, how many rails, tiers and planes. Every switch, "
                                 "port and cable follows from it."),
                              nothing);
  sentence->setObjectName(QStringLiteral("secondary"));
  sentence->setAlignment(Qt::AlignCenter);
  sentence->setWordWrap(true);
  nothing_column->addWidget(sentence);
  auto* add = new QPushButton(icon(QStringLiteral("plus")), tr("Add a network"), nothing);
  add->setObjectName(QStringLiteral("fabric_add_network"));
  add->setDefault(true);
  auto* add_row = new QHBoxLayout;
  add_row->addStretch(1);
  add_row->addWidget(add);
  add_row->addStretch(1);
  nothing_column->addLayout(add_row);
  nothing_column->addStretch(2);
  stack_->addWidget(nothing);

  pages_ = new QTabWidget(stack_);
  pages_->setObjectName(QStringLiteral("fabric_pages"));
  pages_->setDocumentMode(true);
  pages_->tabBar()->setAccessibleName(tr("Pages of the fabric"));
  stack_->addWidget(pages_);
  pages_->addTab(make_picture_page(), tr("Picture"));
  // Pages that want more height than there is are scrolled, so that the picture and its foot stay in sight.
  const auto add_scrolled = [this](QWidget* page, const QString& title) {
    auto* scroll = new QScrollArea(pages_);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    pages_->addTab(scroll, title);
  };
  links_ = new wired::LinksTable(pages_);
  links_->layout()->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  pages_->addTab(links_, tr("Cables"));
  add_scrolled(make_lengths_page(), tr("Lengths and modules"));
  options_ = new FabricOptions(document_, pages_);
  add_scrolled(options_, tr("Options"));
  as_built_ = new FabricAsBuilt(pages_);
  add_scrolled(as_built_, tr("As-built"));
  add_scrolled(inputs, tr("Inputs and figures"));
  make_commands();

  connect(add, &QPushButton::clicked, this, &FabricWorkspace::add_network);
  connect(networks_, &QComboBox::activated, this,
          [this](int i) { choose_network(networks_->itemData(i).toLongLong()); });
  connect(colors_, &QComboBox::activated, this, [this](int i) { color_by(static_cast<ColorBy>(i)); });
  connect(view_, &wired::FabricView::selectionChanged, this, &FabricWorkspace::from_view);
  connect(view_, &wired::FabricView::hovered, this, [this](const QString& text) {
    show_hover(text);
  });
  connect(view_, &wired::FabricView::menuRequested, this, [this](const QPoint& at) {
    update_commands();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("fabric_menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QAction* a : {fail_action_, module_action_, plane_action_, restore_action_, restore_all_action_})
      menu->addAction(a);
    menu->addSeparator();
    menu->addAction(zoom_action_);
    menu->popup(at);
  });
  connect(faceplate_, &wired::Faceplate::farEndRequested, this, [this](quint32 device, quint32 link) {
    static_cast<void>(link);
    view_->setSelection({{device}, {}});
    const QRectF box = view_->deviceRect(device);
    if (box.right() < 0 || box.left() > view_->width()) view_->zoomToSelection();
  });
  connect(faceplate_, &wired::Faceplate::hovered, this, [this](const QString& text) {
    show_hover(text);
  });
  connect(links_, &wired::LinksTable::linksSelected, this, [this](const std::vector<std::uint32_t>& links) {
    syncing_ = true;
    view_->setSelection({{}, links});
    syncing_ = false;
    select_in_document(view_->selection());
    show_selection_words();
  });
  connect(links_, &wired::LinksTable::linkActivated, this, [this](quint32 link) {
    showPage(picture_page);
    view_->setSelection({{}, {link}});
    view_->zoomToSelection();
  });
  connect(links_, &wired::LinksTable::planRequested, this, [this](const std::vector<std::uint32_t>& links) {
    // Its racks and the trays that it lies in.
    view_->setSelection({{}, links});
    select_in_document({{}, links});
    Q_EMIT planWanted(document_.selection());
  });
  connect(links_, &wired::LinksTable::told, this, &FabricWorkspace::told);
  connect(options_, &FabricOptions::told, this, &FabricWorkspace::told);
  connect(as_built_, &FabricAsBuilt::told, this, &FabricWorkspace::told);
  connect(as_built_, &FabricAsBuilt::marksChanged, this,
          [this](const std::vector<std::uint32_t>& links, const std::vector<std::uint32_t>& current) {
            marked_links_ = links;
            if (!answer_.picture) return;
            auto copy = std::make_shared<wired::Picture>(*answer_.picture);
            copy->marked_links = links;
            answer_.picture = copy;
            view_->setPicture(answer_.picture, answer_.scene);
            if (!current.empty()) view_->setSelection({{}, current});
          });
  connect(as_built_, &FabricAsBuilt::showRequested, this, [this] {
    showPage(picture_page);
    view_->zoomToSelection();
  });
  connect(pages_, &QTabWidget::currentChanged, this,
          [this](int page) {
            options_->setActive(page == options_page && isVisible());
            if (page == picture_page && isVisible()) view_->setFocus(); // Home, plus and minus are its keys
          });
  for (FigureTable* t : tables_) {
    connect(t, &FigureTable::rowExplained, this, &FabricWorkspace::figureActivated);
    connect(t, &FigureTable::rowsSelected, this, [this](const std::vector<EntityRef>& s) { document_.select(s); });
  }
  connect(&document_, &Document::evaluated, this, &FabricWorkspace::refresh);
  connect(&document_, &Document::selectionChanged, this, &FabricWorkspace::from_document);
  colors_->setCurrentIndex(0);
  show_networks();
  show_selection_words();
  show_outages();
}

FabricWorkspace::~FabricWorkspace() {
  stop_.request_stop();
  single_stop_.request_stop();
  pool_.waitForDone();
  singles_pool_.waitForDone();
}

// --- pages -----------------------------------------------------------------------------------------------------------

/// At the foot of the picture, or at its head when the cursor is there.
void FabricWorkspace::show_hover(const QString& text) {
  hover_->setText(text.split(QLatin1Char('\n'), Qt::SkipEmptyParts).join(QStringLiteral("   \u00b7   ")));
  hover_->setVisible(!hover_->text().isEmpty());
  if (hover_->text().isEmpty()) return;
  constexpr int edge = 2 * spacing_unit;
  const int most = std::max(80, view_->width() - 2 * edge);
  const QFontMetrics metrics = hover_->fontMetrics();
  const int padding = 2 * 12; // of the style sheet, and its border
  // One line where there is room for it: measured words need a few pixels more when they are painted.
  const int line = metrics.horizontalAdvance(hover_->text()) + padding + metrics.averageCharWidth();
  hover_->setWordWrap(line > most);
  const int wide = std::min(most, line);
  hover_->resize(wide, line > most ? hover_->heightForWidth(wide) : hover_->sizeHint().height());
  // Above the names at the foot of the picture.
  hover_->move(edge, view_->height() - hover_->height() - edge - 2 * metrics.lineSpacing());
  if (hover_->geometry().adjusted(-40, -60, 40, 40).contains(view_->mapFromGlobal(QCursor::pos())))
    hover_->move(edge, edge);
}

QWidget* FabricWorkspace::make_picture_page() {
  auto* split = new QSplitter(Qt::Horizontal, pages_);
  split->setObjectName(QStringLiteral("fabric_split"));
  split->setChildrenCollapsible(false);
  auto* main = new QWidget(split);
  auto* column = new QVBoxLayout(main);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  view_ = new wired::FabricView(main);
  column->addWidget(view_, 1);
  // What is under the cursor stands on a card over the picture while there is something: nothing moves for it, and no
  // room is kept empty.
  hover_ = new QLabel(view_);
  hover_->setObjectName(QStringLiteral("plan_hint"));
  hover_->setTextFormat(Qt::PlainText);
  hover_->setAttribute(Qt::WA_TransparentForMouseEvents);
  hover_->setWordWrap(true);
  hover_->setAccessibleName(tr("Under the cursor"));
  hover_->hide();
  // What is selected, with its front, along the foot of the picture.
  auto* strip = new QFrame(main);
  strip->setObjectName(QStringLiteral("card"));
  strip->setMinimumHeight(fontMetrics().lineSpacing() * 8); // that of most fronts: a click moves nothing
  auto* strip_row = new QHBoxLayout(strip);
  strip_row->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  strip_row->setSpacing(3 * spacing_unit);
  auto* facts = new QVBoxLayout;
  facts->setSpacing(spacing_unit);
  chosen_title_ = section_title({}, strip);
  chosen_title_->setObjectName(QStringLiteral("title"));
  chosen_words_ = words(strip);
  chosen_words_->setObjectName(QStringLiteral("secondary"));
  chosen_words_->setAccessibleName(tr("Selected in the picture"));
  fail_ = new QPushButton(tr("Take out of service"), strip);
  fail_->setObjectName(QStringLiteral("fabric_fail"));
  restore_ = new QPushButton(tr("Restore"), strip);
  restore_->setObjectName(QStringLiteral("fabric_restore"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(fail_);
  buttons->addWidget(restore_);
  buttons->addStretch(1);
  // Above the words, however many there are: in sight, and in the same place, whatever is clicked.
  facts->addWidget(chosen_title_);
  facts->addLayout(buttons);
  facts->addWidget(chosen_words_);
  facts->addStretch(1);
  auto* facts_box = new QWidget(strip);
  facts_box->setObjectName(QStringLiteral("clear"));
  facts_box->setLayout(facts);
  facts->setContentsMargins(0, 0, 0, 0);
  facts_box->setMinimumWidth(fontMetrics().averageCharWidth() * 20);
  facts_box->setMaximumWidth(fontMetrics().averageCharWidth() * 34);
  strip_row->addWidget(facts_box, 1); // as wide as it may be where there is room
  faceplate_ = new wired::Faceplate(strip);
  strip_row->addWidget(faceplate_, 4, Qt::AlignTop);
  strip_row->addStretch(0);
  column->addWidget(strip);
  split->addWidget(main);
  split->addWidget(make_side());
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 0);
  const int side = fontMetrics().averageCharWidth() * 44; // less in a narrow window
  split->setSizes({3 * side, side});
  connect(fail_, &QPushButton::clicked, this, &FabricWorkspace::fail_selection);
  connect(restore_, &QPushButton::clicked, this, &FabricWorkspace::restore_selection);
  return split;
}

QWidget* FabricWorkspace::make_side() {
  auto* scroll = new QScrollArea(pages_);
  scroll->setObjectName(QStringLiteral("fabric_side"));
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* side = new QFrame(scroll);
  side->setObjectName(QStringLiteral("card"));
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(2 * spacing_unit);
  legend_title_ = section_title({}, side);
  column->addWidget(legend_title_);
  legend_ = new wired::FabricLegend(side);
  column->addWidget(legend_);
  traffic_ = words(side);
  traffic_->setObjectName(QStringLiteral("secondary"));
  column->addWidget(traffic_);
  column->addSpacing(spacing_unit);
  column->addWidget(section_title(tr("What is left"), side));
  left_words_ = words(side);
  left_words_->setObjectName(QStringLiteral("secondary"));
  left_words_->setAccessibleName(tr("What failed"));
  column->addWidget(left_words_);
  left_ = new wired::ShareBars(side);
  column->addWidget(left_);
  restore_all_button_ = new QPushButton(tr("Restore everything"), side);
  restore_all_button_->setObjectName(QStringLiteral("fabric_restore_all"));
  column->addWidget(restore_all_button_, 0, Qt::AlignLeft);
  column->addSpacing(spacing_unit);
  column->addWidget(section_title(tr("Single failures by class"), side));
  singles_note_ = words(side);
  singles_note_->setObjectName(QStringLiteral("secondary"));
  column->addWidget(singles_note_);
  singles_ = new QTableWidget(0, 4, side);
  singles_->setTextElideMode(Qt::ElideMiddle);
  singles_->setObjectName(QStringLiteral("fabric_singles"));
  singles_->setAccessibleName(tr("Single failures by class"));
  singles_->setHorizontalHeaderLabels({tr("One of"), tr("Injection"), tr("Bisection"), tr("GPUs off")});
  singles_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  singles_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  singles_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch); // cut first; the tool tip has it whole
  singles_->verticalHeader()->hide();
  singles_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  singles_->setShowGrid(false);
  singles_->setWordWrap(true);
  singles_->setSelectionBehavior(QAbstractItemView::SelectRows);
  singles_->setSelectionMode(QAbstractItemView::SingleSelection);
  singles_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  singles_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the panel scrolls
  column->addWidget(singles_);
  singles_button_ = new QPushButton(tr("Work out all single failures"), side);
  singles_button_->setObjectName(QStringLiteral("fabric_singles_button"));
  column->addWidget(singles_button_, 0, Qt::AlignLeft);
  column->addSpacing(spacing_unit);
  column->addWidget(section_title(tr("Port map"), side));
  rules_ = words(side);
  rules_->setObjectName(QStringLiteral("fabric_rules"));
  rules_->setTextFormat(Qt::RichText);
  rules_->setAccessibleName(tr("Port map, one line a class of links"));
  column->addWidget(rules_);
  column->addStretch(1);
  scroll->setWidget(side);
  side_ = scroll;
  scroll->setMinimumWidth(fontMetrics().averageCharWidth() * 32);
  connect(restore_all_button_, &QPushButton::clicked, this, &FabricWorkspace::restore_all);
  connect(singles_button_, &QPushButton::clicked, this, &FabricWorkspace::ask_single_failures);
  connect(singles_->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section) {
    if (section == 0 && singles_->rowCount() > 0) fit_singles();
  });
  connect(singles_, &QTableWidget::itemSelectionChanged, this, [this] {
    const int row = singles_->currentRow();
    if (row < 0 || row >= static_cast<int>(single_.classes.size()) || !singles_->hasFocus()) return;
    const LostParts& lost = single_.classes[static_cast<std::size_t>(row)].example;
    constexpr std::size_t most = 4000;
    if (lost.devices.size() + lost.links.size() <= most)
      view_->setSelection({lost.devices, lost.devices.empty() ? lost.links : std::vector<std::uint32_t>{}});
  });
  return scroll;
}

QWidget* FabricWorkspace::make_lengths_page() {
  auto* split = new QSplitter(Qt::Vertical, pages_);
  split->setChildrenCollapsible(false);
  split->setHandleWidth(2 * spacing_unit);
  split->setContentsMargins(2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit, 2 * spacing_unit);
  histogram_ = new wired::LengthHistogram(split);
  split->addWidget(make_card(tr("Cables by length and medium"), histogram_, split));
  auto* tabs = new QTabWidget(split);
  tabs->setDocumentMode(true);
  const std::pair<const char*, QString> tables[] = {{"cabling.assemblies", tr("Cable assemblies")},
                                                    {"cabling.modules", tr("Modules")},
                                                    {"cabling.media", tr("Media")},
                                                    {"cabling.lengths", tr("Lengths by class")},
                                                    {"cabling.places", tr("Places")},
                                                    {"cabling.problems", tr("What does not work")},
                                                    {"traffic.communicators", tr("Traffic of a step")},
                                                    {"traffic.rank_orders", tr("Orders of ranks")}};
  for (const auto& [id, title] : tables) {
    auto* t = new FigureTable(tabs);
    t->setObjectName(QStringLiteral("table_") + QLatin1String(id));
    t->setProperty("table", QLatin1String(id));
    t->setEmptyText(QLatin1String(id) == QLatin1String("cabling.problems") ? tr("Every cable works.")
                                                                           : tr("Nothing to list in this design yet."));
    tables_.push_back(t);
    tabs->addTab(t, title);
  }
  split->addWidget(make_card({}, tabs, split));
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 1);
  split->setSizes({500, 420});
  return split;
}

// --- commands --------------------------------------------------------------------------------------------------------

void FabricWorkspace::make_commands() {
  const auto command = [&](const QString& text, const QKeySequence& key, const char* image, auto run) {
    auto* a = new QAction(text, this);
    if (image) a->setIcon(icon(QLatin1String(image)));
    a->setShortcut(key);
    connect(a, &QAction::triggered, this, run);
    commands_.push_back(a);
    return a;
  };
  const auto apart = [&] { commands_.push_back(nullptr); };
  command(tr("Fabric &picture"), {}, "fabric", [this] { showPage(picture_page), Q_EMIT wanted(); });
  command(tr("&Cables of the network"), {}, "tray", [this] { showPage(cables_page), Q_EMIT wanted(); });
  command(tr("Cable &lengths and modules"), {}, "measure", [this] { showPage(lengths_page), Q_EMIT wanted(); });
  command(tr("&Options side by side"), {}, "compare", [this] { showPage(options_page), Q_EMIT wanted(); });
  command(tr("&Inputs and figures of networks"), {}, "inspector", [this] { showPage(inputs_page), Q_EMIT wanted(); });
  apart();
  color_group_ = new QActionGroup(this);
  for (const ColorBy by :
       {ColorBy::rail, ColorBy::plane, ColorBy::length, ColorBy::medium, ColorBy::load, ColorBy::failure}) {
    auto* a = command(tr("Colour links by %1").arg(wired::color_by_name(by).toLower()), {}, nullptr, [this, by] {
      color_by(by);
      showPage(picture_page);
      Q_EMIT wanted();
    });
    a->setCheckable(true);
    a->setChecked(by == ColorBy::rail);
    a->setData(static_cast<int>(by));
    color_group_->addAction(a);
  }
  apart();
  command(tr("&Fit the fabric picture"), {}, "zoom-fit", [this] { view_->fit(); });
  zoom_action_ =
      command(tr("&Zoom to what is selected in the fabric"), {}, "zoom-in", [this] { view_->zoomToSelection(); });
  apart();
  fail_action_ = command(tr("&Take out of service"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K), nullptr,
                         [this] { fail_selection(); });
  module_action_ = command(tr("Take its &module out of service"), {}, nullptr, [this] { fail_module(); });
  plane_action_ = command(tr("Take its pla&ne out of service"), {}, nullptr, [this] { fail_plane(); });
  restore_action_ =
      command(tr("&Restore"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_J), nullptr, [this] { restore_selection(); });
  restore_all_action_ = command(tr("Restore &everything"), {}, nullptr, [this] { restore_all(); });
  command(tr("All &single failures by class"), {}, "reliability",
          [this] { showPage(picture_page), Q_EMIT wanted(), ask_single_failures(); });
  apart();
  command(tr("&Export cables, CSV\u2026"), {}, "export", [this] { links_->exportCsv(); });
  command(tr("S&ave the fabric picture\u2026"), {}, nullptr, [this] { save_picture(); });
  apart();
  for (QAction* a : options_->commands())
    commands_.push_back(a);
  apart();
  command(tr("Open as-&built\u2026"), {}, "open", [this] {
    const QStringList files = QFileDialog::getOpenFileNames(this, tr("Open dumps of the network as built"));
    if (!files.isEmpty()) openAsBuilt(files);
  });
  for (QAction* a : as_built_->commands())
    commands_.push_back(a);
  apart();
  command(tr("Add a net&work"), {}, "plus", [this] { add_network(), Q_EMIT wanted(); });
  update_commands();
}

void FabricWorkspace::fillMenu(QMenu* menu) {
  auto* colors = new QMenu(tr("Colour &links by"), menu);
  for (QAction* a : color_group_->actions())
    colors->addAction(a);
  bool colors_done = false;
  for (QAction* a : commands_) {
    if (!a) {
      menu->addSeparator();
    } else if (color_group_->actions().contains(a)) {
      if (!colors_done) menu->addMenu(colors);
      colors_done = true;
    } else {
      menu->addAction(a);
    }
  }
}

void FabricWorkspace::showPage(int page) { pages_->setCurrentIndex(page); }

void FabricWorkspace::update_commands() {
  const bool shows = answer_.picture && answer_.picture->shows();
  const Marked& m = view_->selection();
  const bool any = shows && !m.empty();
  const std::vector<EntityRef> things = selected_things();
  const bool failed = !failures_of_selection().empty();
  fail_action_->setEnabled((any && selected_elements().size() <= most_rows_at_once) ||
                           (!things.empty() && things.size() <= most_rows_at_once));
  fail_->setVisible((any || !things.empty()) && !failed);
  fail_->setEnabled(fail_action_->isEnabled());
  restore_action_->setEnabled(failed);
  restore_->setVisible(failed);
  restore_all_action_->setEnabled(answer_.outages.any);
  restore_all_button_->setVisible(answer_.outages.any);
  module_action_->setEnabled(any && m.links.size() == 1 && m.devices.empty());
  const bool one_switch =
      any && m.devices.size() == 1 && picture()->wiring->devices[m.devices.front()].kind >= DeviceKind::leaf;
  plane_action_->setEnabled(one_switch && picture()->wiring->request.counts.planes > 1);
  zoom_action_->setEnabled(any);
}

// --- what is shown ---------------------------------------------------------------------------------------------------

void FabricWorkspace::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  options_->setActive(pages_->currentIndex() == options_page);
  if (pending_) refresh();
}

void FabricWorkspace::refresh() {
  pending_ = !isVisible();
  const SharedEvaluation& e = document_.evaluation();
  if (pending_ || !e) {
    pending_ = true;
    return;
  }
  show_networks();
  for (FigureTable* t : tables_)
    t->setTable(e->figures.table(t->property("table").toString().toStdString()));
  options_->setNetwork(network_);
  options_->refresh();
  // Nothing that the picture shows has changed: it stands.
  const SharedEvaluation& had = answer_.evaluation;
  if (had && answer_.network == network_) {
    const NetworkCabling *a = had->cabling ? had->cabling->find(network_) : nullptr,
                         *b = e->cabling ? e->cabling->find(network_) : nullptr;
    const bool same = a && b && a->wiring == b->wiring && a->places == b->places && a->plan == b->plan &&
                      a->problem == b->problem && had->design.failures == e->design.failures &&
                      had->failed_things == e->failed_things && singles_rest(*had, network_) == singles_rest(*e, network_);
    const bool same_traffic = had->design.job == e->design.job &&
                              had->design.communicators == e->design.communicators &&
                              had->design.networks == e->design.networks;
    if (same && (same_traffic || !answer_.with_traffic) && !busy_) return;
  }
  ask(view_->colorBy() == ColorBy::load);
}

void FabricWorkspace::ask(bool traffic) {
  stop_.request_stop();
  stop_ = std::stop_source{};
  const quint64 generation = ++generation_;
  busy_ = true;
  run_in_background(pool_, this, [e = document_.evaluation(), id = network_, previous = answer_, traffic,
                             token = stop_.get_token()] {
    return fabric_picture(e, id, &previous, traffic, token);
  }, [this, generation](const FabricPictureAnswer& answer) {
    if (generation != generation_) return;
    busy_ = false;
    show_answer(answer);
    // Loads come after the picture where they are quick.
    if (!answer.with_traffic && answer.picture && answer.picture->shows() &&
        answer.picture->wiring->links.size() <= links_with_loads_at_once)
      ask(true);
  });
}

void FabricWorkspace::show_networks() {
  const Design& d = document_.shown();
  QStringList names;
  std::vector<Id> ids;
  for (const Network& n : *d.networks) {
    // Scale-up domains are wired inside their racks; they are drawn where they have switches of their own.
    ids.push_back(n.id);
    names << QString::fromStdString(n.name);
  }
  const bool known = std::find(ids.begin(), ids.end(), network_) != ids.end();
  if (!known) {
    network_ = ids.empty() ? 0 : ids.front();
    // The compute network first: it is what the job runs over.
    for (const Network& n : *d.networks)
      if (n.kind == NetworkKind::compute) {
        network_ = n.id;
        break;
      }
  }
  QStringList present;
  for (int i = 0; i < networks_->count(); ++i)
    present << networks_->itemText(i);
  if (present != names || networks_->count() != static_cast<int>(ids.size())) {
    networks_->clear();
    for (std::size_t i = 0; i < ids.size(); ++i)
      networks_->addItem(names[static_cast<qsizetype>(i)], QVariant::fromValue<qlonglong>(ids[i]));
  }
  for (int i = 0; i < networks_->count(); ++i) {
    networks_->setItemData(i, QVariant::fromValue<qlonglong>(ids[static_cast<std::size_t>(i)]));
    if (ids[static_cast<std::size_t>(i)] == network_) networks_->setCurrentIndex(i);
  }
  stack_->setCurrentIndex(ids.empty() ? 0 : 1);
  networks_->parentWidget()->setVisible(!ids.empty());
  colors_->parentWidget()->setVisible(!ids.empty());
}

void FabricWorkspace::choose_network(Id network) {
  network_ = network;
  answer_ = {};
  single_ = {};
  single_for_ = {};
  as_built_->clear();
  view_->setSelection({});
  pending_ = true;
  refresh();
}

void FabricWorkspace::show_answer(const FabricPictureAnswer& answer) {
  const std::shared_ptr<const Wiring> before = answer_.picture ? answer_.picture->wiring : nullptr;
  answer_ = answer;
  if (!marked_links_.empty() && answer_.picture) {
    auto copy = std::make_shared<wired::Picture>(*answer_.picture);
    copy->marked_links = marked_links_;
    answer_.picture = copy;
  }
  QString problem = tr("This network is not wired yet.");
  if (const NetworkCabling* c =
          answer_.evaluation && answer_.evaluation->cabling ? answer_.evaluation->cabling->find(network_) : nullptr) {
    if (!c->problem.empty())
      problem = tr("%1 cannot be wired: %2\n\nIts fields are under Inputs and figures.")
                    .arg(QString::fromStdString(c->name), QString::fromStdString(c->problem));
  }
  view_->setEmptyText(problem);
  // A selection that a new wiring ends is no wish to select something else.
  syncing_ = true;
  view_->setPicture(answer_.picture, answer_.scene);
  syncing_ = false;
  links_->setPicture(answer_.picture);
  histogram_->setPicture(answer_.picture, answer_.limits);
  legend_->setColors(view_->colors());
  legend_title_->setText(tr("Colour: %1").arg(wired::color_by_name(view_->colorBy()).toLower()));
  faceplate_->setDevice(answer_.picture, faceplate_->device());
  if (answer_.picture && answer_.picture->wiring != before) {
    show_hover({}); // it may name a link that is gone
    single_ = {};
    single_for_ = {};
    as_built_->setPlan(answer_.picture, answer_.evaluation);
    show_single_failures();
  }
  // The whole sweep takes a moment in the largest networks only.
  constexpr std::size_t quick = 20'000;
  if (answer_.picture && answer_.picture->shows() && answer_.picture->wiring->links.size() <= quick && answer_.evaluation &&
      !(single_for_ == singles_rest(*answer_.evaluation, network_)))
    ask_single_failures();
  show_outages();
  show_rules();
  show_selection_words();
  from_document();
}

void FabricWorkspace::color_by(ColorBy by) {
  view_->setColorBy(by);
  colors_->setCurrentIndex(static_cast<int>(by));
  for (QAction* a : color_group_->actions())
    a->setChecked(a->data().toInt() == static_cast<int>(by));
  legend_->setColors(view_->colors());
  legend_title_->setText(tr("Colour: %1").arg(wired::color_by_name(by).toLower()));
  show_outages();
  if (by == ColorBy::load && !answer_.with_traffic && !busy_ && answer_.picture) ask(true);
}

/// Gives the panel the height of what it shows now: sentences that wrap change theirs after the panel was sized.
void FabricWorkspace::fit_side() {
  QTimer::singleShot(0, side_, [side = side_] {
    QWidget* page = side->widget();
    page->layout()->invalidate();
    page->layout()->activate();
    page->resize(side->viewport()->width(),
                 std::max(page->layout()->heightForWidth(side->viewport()->width()), side->viewport()->height()));
    QApplication::postEvent(side, new QEvent(QEvent::LayoutRequest));
  });
}

void FabricWorkspace::show_outages() {
  const FabricOutages& o = answer_.outages;
  QStringList lines;
  if (!o.any) {
    lines << tr("Everything is in service. Select a switch or a link, or on the plan a rack, tray or power unit, and take it out "
                "to see what is left.");
  } else if (!o.names.isEmpty()) {
    QStringList names = o.names.mid(0, 6);
    if (o.names.size() > 6) names << tr("%1 more").arg(o.names.size() - 6);
    lines << tr("Out of service: %1").arg(names.join(QStringLiteral(", ")));
  }
  lines << o.problems;
  std::vector<wired::ShareBars::Bar> bars;
  if (o.left) {
    bars.push_back({tr("Injection"), o.left->injection, {}});
    if (o.left->bisection) bars.push_back({tr("Bisection (estimate)"), *o.left->bisection, {}});
    if (o.left->rail_injection.size() > 1)
      for (std::size_t r = 0; r < o.left->rail_injection.size() && r < 32; ++r)
        bars.push_back({tr("Rail %1").arg(r + 1), o.left->rail_injection[r], {}});
    lines << tr("%1 GPUs are cut off, %2 whole nodes; %3 links are lost.")
                 .arg(screen_number(static_cast<qlonglong>(o.left->isolated_gpus)),
                      screen_number(static_cast<qlonglong>(o.left->isolated_nodes)),
                      screen_number(static_cast<qlonglong>(o.left->lost_links)));
  }
  left_words_->setText(lines.join(QLatin1Char('\n')));
  left_->setBars(bars);
  left_->setVisible(!bars.empty());
  const FabricTraffic& t = answer_.traffic;
  QString traffic;
  if (t.known) {
    traffic = tr("Worst link of a step: %1, %2 of bytes. Flows get %3 of the line rate in the mean, the slowest %4.")
                  .arg(t.worst, screen_text(t.worst_s, kind::time), wired::share_text(t.spread.mean),
                       wired::share_text(t.spread.slowest));
    if (t.without_path > 0)
      traffic += QLatin1Char(' ') +
                 tr("%1 flows find no way.").arg(screen_number(static_cast<qlonglong>(t.without_path)));
  } else {
    traffic = t.note;
  }
  traffic_->setText(traffic);
  traffic_->setVisible(!traffic.isEmpty());
  update_commands();
  fit_side();
}

void FabricWorkspace::show_rules() {
  QStringList html;
  if (answer_.picture && answer_.picture->shows()) {
    const FabricCounts& c = answer_.picture->wiring->counts;
    for (const PortRule& r : answer_.picture->wiring->rules) {
      const QString follow = r.departures > 0
                                 ? tr("%1 links follow, %2 depart")
                                       .arg(screen_number(static_cast<qlonglong>(r.links)),
                                            screen_number(static_cast<qlonglong>(r.departures)))
                                 : tr("all %1 links follow").arg(screen_number(static_cast<qlonglong>(r.links)));
      html << QStringLiteral("<p style='margin:0 0 6px 0'><b>%1</b><br>%2<br><span style='color:%3'>%4</span></p>")
                  .arg(wired::link_class_name(r.kind).toHtmlEscaped(), QString::fromStdString(r.line).toHtmlEscaped(),
                       (r.departures > 0 ? theme().amber : theme().secondary_text).name(), follow.toHtmlEscaped());
    }
    if (!c.rule.empty())
      html << QStringLiteral("<p style='margin:0 0 6px 0;color:%1'>%2</p>")
                  .arg(theme().secondary_text.name(), QString::fromStdString(c.rule).toHtmlEscaped());
    for (const std::string& note : c.notes)
      html << QStringLiteral("<p style='margin:0 0 6px 0;color:%1'>%2</p>")
                  .arg(theme().secondary_text.name(), QString::fromStdString(note).toHtmlEscaped());
    html << QStringLiteral("<p style='margin:0;color:%1'>%2</p>")
                .arg(theme().secondary_text.name(),
                     tr("Units u, racks c, nodes n, rails r, leafs l, spines s, cores k and copies i count from 0.")
                         .toHtmlEscaped());
  }
  rules_->setText(html.join(QString()));
}

void FabricWorkspace::ask_single_failures() {
  if (!answer_.picture || !answer_.picture->shows() || !answer_.evaluation || single_busy_) return;
  single_busy_ = true;
  single_stop_ = std::stop_source{};
  const quint64 generation = ++single_generation_;
  const SharedEvaluation e = answer_.evaluation;
  const Id network = network_;
  show_single_failures();
  run_in_background(singles_pool_, this, [e, network, token = single_stop_.get_token()] {
    return single_failures(*e, network, token);
  }, [this, generation, e, network](const SingleFailures& answer) {
    if (generation != single_generation_) return;
    single_busy_ = false;
    const SinglesRest rest = singles_rest(*e, network);
    if (network_ != network || !answer_.picture || answer_.picture->wiring != rest.wiring) {
      show_single_failures();
      return;
    }
    single_ = answer;
    single_for_ = rest;
    show_single_failures();
  });
}

/// Gives the table of single failures the height of its rows, some of which wrap, with room between them.
void FabricWorkspace::fit_singles() {
  singles_->resizeRowsToContents();
  for (int row = 0; row < singles_->rowCount(); ++row)
    singles_->setRowHeight(row, singles_->rowHeight(row) + 2 * spacing_unit);
  int height = singles_->horizontalHeader()->sizeHint().height() + 2 * singles_->frameWidth();
  for (int row = 0; row < singles_->rowCount(); ++row)
    height += singles_->rowHeight(row);
  singles_->setFixedHeight(height);
}

void FabricWorkspace::show_single_failures() {
  const bool known = single_for_.wiring && answer_.picture && single_for_.wiring == answer_.picture->wiring;
  singles_button_->setVisible(!known && !single_busy_);
  singles_->setVisible(known);
  singles_note_->setVisible(!known || single_.least_injection.has_value());
  if (single_busy_ && !known)
    singles_note_->setText(tr("Working out every single failure\u2026"));
  else if (!known)
    singles_note_->setText(
        tr("Every link, module, switch, plane, rack, tray section and power unit once, alike ones together."));
  else if (single_.least_injection)
    singles_note_->setText(
        tr("With one switch out, injection is at least %1 (%2)%3.")
            .arg(wired::share_text(*single_.least_injection), single_.injection_switch,
                 single_.least_bisection ? tr(", bisection at least %1 (%2, estimate)")
                                               .arg(wired::share_text(*single_.least_bisection),
                                                    single_.bisection_switch)
                                         : QString()));
  if (!known) {
    singles_->setRowCount(0);
    return;
  }
  singles_->setRowCount(static_cast<int>(single_.classes.size()));
  for (std::size_t i = 0; i < single_.classes.size(); ++i) {
    const FailureClass& c = single_.classes[i];
    const auto put = [&](int column, const QString& text, bool number) {
      auto* item = new QTableWidgetItem(text);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
      item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
      item->setToolTip(tr("%1: such as %2; %3 links are lost")
                           .arg(QString::fromStdString(c.kind), QString::fromStdString(c.example.name))
                           .arg(c.left.lost_links));
      singles_->setItem(static_cast<int>(i), column, item);
    };
    // Names break where their parts join, so that none is cut.
    QString example = QString::fromStdString(c.example.name);
    for (const QChar joint : {QLatin1Char('-'), QLatin1Char('_'), QLatin1Char('/'), QLatin1Char('.')})
      example.replace(joint, QString(joint) + QChar(0x200b));
    put(0,
        c.members > 1 ? tr("%1 like %2").arg(screen_number(static_cast<qlonglong>(c.members)), example) : example,
        false);
    put(1, wired::share_text(c.left.injection), true);
    put(2, c.left.bisection ? wired::share_text(*c.left.bisection) : QStringLiteral("\u2013"), true);
    put(3, screen_number(static_cast<qlonglong>(c.left.isolated_gpus)), true);
  }
  fit_singles();
  fit_side();
}

// --- selection -------------------------------------------------------------------------------------------------------

void FabricWorkspace::show_selection_words() {
  const Marked& m = view_->selection();
  QStringList lines = view_->words(m).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  const bool one_device = m.devices.size() == 1 && m.links.empty();
  if (const std::vector<EntityRef> things = selected_things(); !things.empty()) {
    chosen_title_->setText(things_text(things));
    chosen_words_->setText(tr("Selected on the plan. Out of service, racks take what stands in them, trays the cables in them, "
                              "power units what they alone feed."));
  } else if (m.empty()) {
    chosen_title_->setText(tr("Nothing selected"));
    chosen_words_->setText(tr("Click a device, a link or a ribbon of links."));
  } else if (one_device) {
    chosen_title_->setText(lines.takeFirst());
    chosen_words_->setText(lines.join(QStringLiteral("  \u00b7  ")));
  } else {
    chosen_title_->setText(m.links.size() == 1 ? tr("Link") : m.links.empty() ? tr("Devices") : tr("Links"));
    chosen_words_->setText(lines.join(QStringLiteral("  \u00b7  ")));
  }
  std::optional<std::uint32_t> device;
  if (one_device) device = m.devices.front();
  if (m.devices.empty() && m.links.size() == 1 && picture() && picture()->shows()) {
    // Of a link: the switch nearer to the nodes, with the link marked on its front.
    const WiredLink& l = picture()->wiring->links[m.links.front()];
    device = picture()->wiring->devices[l.near].kind >= DeviceKind::leaf ? l.near : l.far;
  }
  faceplate_->setDevice(picture(), device);
  faceplate_->setSelectedLinks(m.links);
  faceplate_->setVisible(device.has_value());
  update_commands();
}

void FabricWorkspace::from_view() {
  show_selection_words();
  if (syncing_) return;
  const Marked& m = view_->selection();
  std::vector<std::uint32_t> links = m.links;
  if (picture() && picture()->shows())
    for (const std::uint32_t d : m.devices)
      for (const std::uint32_t l : picture()->wiring->at_device(d))
        links.push_back(l);
  links_->setSelectedLinks(links);
  select_in_document(m);
}

void FabricWorkspace::select_in_document(const Marked& m) {
  if (!picture() || !picture()->shows()) return;
  const wired::Picture& p = *picture();
  const NetworkCabling* c =
      answer_.evaluation && answer_.evaluation->cabling ? answer_.evaluation->cabling->find(network_) : nullptr;
  std::set<Id> racks, trays;
  const auto rack_of = [&](std::uint32_t d) { return d < p.places.size() ? p.places[d].rack : Id{0}; };
  for (const std::uint32_t d : m.devices)
    if (rack_of(d) != 0) racks.insert(rack_of(d));
  for (const std::uint32_t l : m.links) {
    const WiredLink& link = p.wiring->links[l];
    const Id a = rack_of(link.near), b = rack_of(link.far);
    if (a != 0) racks.insert(a);
    if (b != 0) racks.insert(b);
    // Its way along the trays.
    constexpr std::size_t few = 24;
    if (a != 0 && b != 0 && a != b && m.links.size() <= few && c && c->plan_inputs.routes && c->places)
      if (const auto way = c->plan_inputs.routes->route(a, b, c->places->places[link.near].height_mm,
                                                        c->places->places[link.far].height_mm);
          way && way->routed)
        for (const RouteLeg& leg : way->legs)
          trays.insert(leg.run);
  }
  std::vector<EntityRef> wanted;
  for (const Id r : racks)
    if (hallwright::find(*document_.design().racks, r)) wanted.push_back({"racks", r});
  for (const Id t : trays)
    if (hallwright::find(*document_.design().trays, t)) wanted.push_back({"trays", t});
  if (wanted.empty() && !m.empty() && hallwright::find(*document_.design().networks, network_))
    wanted.push_back({"networks", network_});
  syncing_ = true;
  document_.select(std::move(wanted));
  own_selection_ = document_.selection();
  view_->setLitRacks({});
  syncing_ = false;
}

void FabricWorkspace::from_document() {
  if (syncing_) return;
  std::set<Id> racks;
  bool drawn = false;
  for (const EntityRef& e : document_.selection()) {
    if (e.table == "racks") racks.insert(e.id);
    drawn = drawn || takes_network_parts(e.table);
  }
  // What was clicked here and what is selected there are the same as long as nobody selects something else there.
  if (drawn && document_.selection() != own_selection_) {
    syncing_ = true;
    view_->setSelection({});
    links_->setSelectedLinks({});
    syncing_ = false;
    view_->setLitRacks(racks);
    own_selection_.clear();
  } else if (!drawn) {
    view_->setLitRacks({});
  }
  show_selection_words();
}

// --- failing and restoring -------------------------------------------------------------------------------------------

std::vector<std::string> FabricWorkspace::selected_elements() const {
  std::vector<std::string> out;
  if (!picture() || !picture()->shows()) return out;
  const Wiring& w = *picture()->wiring;
  const Marked& m = view_->selection();
  for (const std::uint32_t d : m.devices)
    if (w.devices[d].kind != DeviceKind::manager) out.push_back(w.device_name(d));
  for (std::size_t i = 0; i < m.links.size() && out.size() <= most_rows_at_once; ++i)
    out.push_back(wired::link_element(w, m.links[i]));
  return out;
}

std::vector<EntityRef> FabricWorkspace::selected_things() const {
  std::vector<EntityRef> out;
  if (isVisible() && !view_->selection().empty()) return out; // on the plan what is selected there counts
  for (const EntityRef& e : document_.selection())
    if (takes_network_parts(e.table) && has_entity(document_.design(), e)) out.push_back(e);
  return out;
}

QString FabricWorkspace::things_text(const std::vector<EntityRef>& things) const {
  constexpr std::size_t few = 3;
  QStringList names;
  for (std::size_t i = 0; i < std::min(few, things.size()); ++i)
    names << QString::fromStdString(taken_thing_name(document_.design(), things[i]));
  if (things.size() > few) names << tr("%1 more").arg(things.size() - few);
  return names.join(QStringLiteral(", "));
}

void FabricWorkspace::fail_things(const std::vector<EntityRef>& things) {
  if (things.empty()) return;
  if (things.size() > most_rows_at_once) {
    Q_EMIT told(tr("Select at most %1 things to take out of service.").arg(most_rows_at_once), true);
    return;
  }
  document_.apply({tr("Take %1 out of service").arg(things_text(things)).toStdString(), [things](const Design& d) -> Edited {
                     return with_table(d, &Design::failures, [&](std::vector<Failure>& rows, Id& next) {
                       for (const EntityRef& e : things) {
                         const bool there = std::any_of(rows.begin(), rows.end(), [&](const Failure& f) {
                           return f.thing == e.id && f.element.empty();
                         });
                         if (there) continue;
                         Failure f;
                         f.id = next++;
                         f.thing = e.id;
                         rows.push_back(std::move(f));
                       }
                     });
                   }});
}

void FabricWorkspace::fail_words(const std::vector<std::string>& elements, const QString& name) {
  if (elements.empty()) return;
  if (elements.size() > most_rows_at_once) {
    Q_EMIT told(tr("Select at most %1 things to take out of service.").arg(most_rows_at_once), true);
    return;
  }
  const Id network = network_;
  document_.apply(
      {tr("Take %1 out of service").arg(name).toStdString(), [elements, network](const Design& d) -> Edited {
         return with_table(d, &Design::failures, [&](std::vector<Failure>& rows, Id& next) {
           for (const std::string& e : elements) {
             const bool there = std::any_of(rows.begin(), rows.end(),
                                            [&](const Failure& f) { return f.network == network && f.element == e; });
             if (there) continue;
             Failure f;
             f.id = next++;
             f.network = network;
             f.element = e;
             rows.push_back(std::move(f));
           }
         });
       }});
}

void FabricWorkspace::fail_selection() {
  if (const auto things = selected_things(); !things.empty()) {
    fail_things(things);
    return;
  }
  const auto elements = selected_elements();
  fail_words(elements, QString::fromStdString(joined(elements)));
}

void FabricWorkspace::fail_module() {
  const Marked& m = view_->selection();
  if (m.links.size() != 1 || !picture() || !picture()->shows()) return;
  const Wiring& w = *picture()->wiring;
  const WiredLink& l = w.links[m.links.front()];
  const bool near = w.devices[l.near].kind >= DeviceKind::leaf;
  const std::uint32_t device = near ? l.near : l.far;
  const Count cage = picture()->cages_of(device).cage_of(near ? l.near_port : l.far_port);
  const std::string element = "module " + w.device_name(device) + " cage " + std::to_string(cage);
  fail_words({element}, QString::fromStdString(element));
}

void FabricWorkspace::fail_plane() {
  const Marked& m = view_->selection();
  if (m.devices.size() != 1 || !picture() || !picture()->shows()) return;
  const std::string element = "plane " + std::to_string(picture()->wiring->devices[m.devices.front()].plane + 1);
  fail_words({element}, QString::fromStdString(element));
}

std::vector<Id> FabricWorkspace::failures_of_selection() const {
  std::vector<Id> out;
  if (const auto things = selected_things(); !things.empty()) {
    for (const Failure& f : *document_.design().failures)
      if (std::any_of(things.begin(), things.end(), [&](const EntityRef& e) { return e.id == f.thing; })) out.push_back(f.id);
    return out;
  }
  if (!picture() || !picture()->shows() || view_->selection().empty()) return out;
  const Wiring& w = *picture()->wiring;
  const Marked& m = view_->selection();
  for (const Failure& f : *document_.design().failures) {
    if (f.network != network_ || f.element.empty()) continue;
    const auto lost = lost_parts(w, f.element);
    if (!lost) continue;
    const bool device = std::any_of(m.devices.begin(), m.devices.end(), [&](std::uint32_t d) {
      return std::find(lost->devices.begin(), lost->devices.end(), d) != lost->devices.end();
    });
    const bool link = std::any_of(m.links.begin(), m.links.end(), [&](std::uint32_t l) {
      return std::find(lost->links.begin(), lost->links.end(), l) != lost->links.end();
    });
    if (device || link) out.push_back(f.id);
  }
  return out;
}

void FabricWorkspace::restore_selection() {
  const std::vector<Id> ids = failures_of_selection();
  if (ids.empty()) return;
  std::vector<EntityRef> gone;
  for (const Id id : ids)
    gone.push_back({"failures", id});
  const auto things = selected_things();
  const QString name = things.empty() ? QString::fromStdString(joined(selected_elements())) : things_text(things);
  document_.apply({tr("Restore %1").arg(name).toStdString(),
                   [gone](const Design& d) { return remove(d, gone); }});
}

void FabricWorkspace::restore_all() {
  std::vector<EntityRef> gone;
  for (const Id id : answer_.outages.rows)
    if (hallwright::find(*document_.design().failures, id)) gone.push_back({"failures", id});
  if (gone.empty()) return;
  document_.apply({tr("Restore everything").toStdString(), [gone](const Design& d) { return remove(d, gone); }});
}

// --- the rest --------------------------------------------------------------------------------------------------------

void FabricWorkspace::add_network() {
  const Id next = document_.design().next_id;
  const bool done = document_.apply({tr("Add a network").toStdString(), [](const Design& d) -> Edited {
                                       Network n;
                                       n.name = free_name(d, "networks", d.networks->empty() ? "Compute" : "Network 1");
                                       n.switch_part = "qm9700";
                                       return add_entity(d, &Design::networks, n).design;
                                     }});
  if (!done) return;
  network_ = next;
  show_networks();
}

void FabricWorkspace::save_picture() {
  if (!picture() || !picture()->shows()) return;
  auto* dialog = new QFileDialog(this, tr("Save the picture"), QStringLiteral("fabric.png"), tr("PNG (*.png)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("png"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    const QString problem = write_image(file, view_->image());
    Q_EMIT told(problem.isEmpty() ? tr("Written: %1").arg(file) : problem, !problem.isEmpty());
  });
  dialog->open();
}

void FabricWorkspace::openAsBuilt(const QStringList& files) {
  showPage(as_built_page);
  Q_EMIT wanted();
  as_built_->open(files);
}

void FabricWorkspace::dragEnterEvent(QDragEnterEvent* event) {
  // Projects are opened by the window.
  for (const QUrl& url : event->mimeData()->urls()) {
    const QString name = url.fileName();
    if (!url.isLocalFile() || name.endsWith(QLatin1String(".hall")) || name.endsWith(QLatin1String(".hall.json")))
      return;
  }
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void FabricWorkspace::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  openAsBuilt(files);
}

} // namespace hallwright
