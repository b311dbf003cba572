// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/power_workspace.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/power_busway_page.h"
#include "app/studio/power_exports.h"
#include "app/studio/power_growth_page.h"
#include "app/studio/power_lists_page.h"
#include "app/studio/power_swing_page.h"
#include "app/studio/subject_workspace.h"
#include "power/feed_graph.h"
#include "power/one_line_edits.h"
#include "widgets/entity_title.h"
#include "widgets/figure_table.h"
#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

constexpr std::array unit_kinds{PowerUnitKind::utility_feed,  PowerUnitKind::generator,    PowerUnitKind::transformer,
                                PowerUnitKind::switchgear,    PowerUnitKind::ups,          PowerUnitKind::rectifier,
                                PowerUnitKind::static_switch, PowerUnitKind::distribution, PowerUnitKind::busway};

QString unit_icon(PowerUnitKind kind) {
  switch (kind) {
  case PowerUnitKind::utility_feed:
    return QStringLiteral("power");
  case PowerUnitKind::generator:
    return QStringLiteral("generator");
  case PowerUnitKind::transformer:
    return QStringLiteral("transformer");
  case PowerUnitKind::ups:
    return QStringLiteral("ups");
  case PowerUnitKind::distribution:
    return QStringLiteral("pdu");
  case PowerUnitKind::busway:
    return QStringLiteral("busway");
  case PowerUnitKind::switchgear:
    return QStringLiteral("switchgear");
  case PowerUnitKind::static_switch:
    return QStringLiteral("static-switch");
  case PowerUnitKind::rectifier:
    return QStringLiteral("rectifier");
  }
  return QStringLiteral("power");
}
QString unit_kind_title(PowerUnitKind kind) {
  QString s = PowerWorkspace::tr(std::string(power_unit_words(kind)).c_str());
  s[0] = s[0].toUpper();
  return s;
}

/// Pages that are as high as there is room, whatever words on them wrap.
class PowerPages final : public QTabWidget {
public:
  using QTabWidget::QTabWidget;
  [[nodiscard]] bool hasHeightForWidth() const override { return false; }
};

/// A short stroke in the colour of a side, and its name.
class SideKey final : public QWidget {
public:
  SideKey(Feed side, const QString& name, QWidget* parent) : QWidget(parent), side_(side), name_(name) {
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  }
  QSize sizeHint() const override { return {fontMetrics().horizontalAdvance(name_) + 30, fontMetrics().height() + 6}; }

protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(OneLineColors::screen().side(side_), 2.4, Qt::SolidLine, Qt::RoundCap));
    p.drawLine(QPointF(3, height() / 2.0), QPointF(17, height() / 2.0));
    p.setPen(theme().secondary_text);
    p.drawText(QRectF(23, 0, width() - 23, height()), Qt::AlignLeft | Qt::AlignVCenter, name_);
  }

private:
  Feed side_;
  QString name_;
};

} // namespace

PowerWorkspace::PowerWorkspace(Document& document, QWidget* inputs, QWidget* parent)
    : QWidget(parent), document_(document) {
  setObjectName(QStringLiteral("power_workspace"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  pages_ = new PowerPages(this);
  pages_->setObjectName(QStringLiteral("power_pages"));
  pages_->setDocumentMode(true);
  pages_->tabBar()->setAccessibleName(tr("Pages of power"));
  // As high as there is room: the foot of the diagram is in sight without scrolling.
  pages_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
  pages_->setMinimumHeight(fontMetrics().lineSpacing() * 24);
  outer->addWidget(pages_);
  make_commands();
  pages_->addTab(make_diagram_page(), tr("One-line"));
  const auto add_scrolled = [this](QWidget* page, const QString& title) {
    auto* scroll = new QScrollArea(pages_);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    pages_->addTab(scroll, title);
  };
  busways_ = new PowerBuswayPage(document_, pages_);
  add_scrolled(busways_, tr("Busways and phases"));
  growth_ = new PowerGrowthPage(document_, pages_);
  add_scrolled(growth_, tr("Growth"));
  swing_ = new PowerSwingPage(document_, pages_);
  add_scrolled(swing_, tr("Training load"));
  lists_ = new PowerListsPage(document_, pages_);
  add_scrolled(lists_, tr("Schedules and restoration"));
  add_scrolled(inputs, tr("Inputs, figures and tables"));
  connect(busways_, &PowerBuswayPage::editRequested, this, &PowerWorkspace::editRequested);
  connect(busways_, &PowerBuswayPage::selectionRequested, this,
          [this](const std::vector<EntityRef>& s) { document_.select(s); });
  connect(lists_, &PowerListsPage::selectionRequested, this,
          [this](const std::vector<EntityRef>& s) { document_.select(s); });
  connect(growth_, &PowerGrowthPage::unitsRequested, this, [this](const std::vector<Id>& units) {
    std::vector<EntityRef> out;
    for (const Id id : units)
      out.push_back({"power_units", id});
    document_.select(out);
  });
  connect(pages_, &QTabWidget::currentChanged, this, [this](int page) {
    fill_page();
    if (page == diagram_page && isVisible()) view_->setFocus(); // Home, plus and minus are its keys
  });
  update_commands();
}

QWidget* PowerWorkspace::make_diagram_page() {
  auto* page = new QWidget(pages_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);

  auto* bar = new QWidget(page);
  auto* flow = new FlowLayout(bar);
  flow->setContentsMargins(2 * spacing_unit, spacing_unit, 2 * spacing_unit, spacing_unit);
  flow->setSpacing(2 * spacing_unit);
  fail_ = new QPushButton(tr("Fail"), bar);
  fail_->setObjectName(QStringLiteral("power_fail"));
  fail_->setToolTip(
      tr("Take what is selected out and see what happens; once more restores it (F). Nothing of the design changes."));
  connect(fail_, &QPushButton::clicked, fail_action_, &QAction::trigger);
  flow->addWidget(fail_);
  add_ = new QToolButton(bar);
  add_->setObjectName(QStringLiteral("power_add"));
  add_->setText(tr("Add below") + QStringLiteral("   ")); // room for the arrow
  add_->setIcon(icon(QStringLiteral("plus")));
  add_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  add_->setPopupMode(QToolButton::InstantPopup);
  add_menu_ = new QMenu(add_);
  add_menu_->setObjectName(QStringLiteral("power_add_menu"));
  add_->setMenu(add_menu_);
  connect(add_menu_, &QMenu::aboutToShow, this, &PowerWorkspace::fill_add_menu);
  flow->addWidget(add_);
  folds_ = new QToolButton(bar);
  folds_->setObjectName(QStringLiteral("power_folds"));
  folds_->setDefaultAction(folds_action_);
  flow->addWidget(folds_);
  for (const auto& [image, text, run] :
       {std::tuple{"zoom-fit", tr("Fit the diagram (Home)"), 0}, std::tuple{"zoom-in", tr("Zoom in"), 1},
        std::tuple{"zoom-out", tr("Zoom out"), 2}}) {
    auto* b = new QToolButton(bar);
    b->setIcon(icon(QLatin1String(image)));
    b->setToolTip(text);
    b->setAccessibleName(text);
    connect(b, &QToolButton::clicked, this,
            [this, what = run] { what == 0 ? view_->fit() : view_->zoomBy(what == 1 ? 1.25 : 0.8); });
    flow->addWidget(b);
  }
  flow->addWidget(new SideKey(Feed::a, tr("Side A"), bar));
  flow->addWidget(new SideKey(Feed::b, tr("Side B"), bar));
  flow->addWidget(new SideKey(Feed::both, tr("no side"), bar));
  column->addWidget(bar);

  // What failing does, over the diagram and not in its way.
  banner_ = new QFrame(page);
  banner_->setObjectName(QStringLiteral("kept_bar"));
  auto* line = new QHBoxLayout(banner_);
  line->setContentsMargins(3 * spacing_unit, spacing_unit, 2 * spacing_unit, spacing_unit);
  banner_words_ = new QLabel(banner_);
  banner_words_->setObjectName(QStringLiteral("power_banner"));
  banner_words_->setWordWrap(true);
  banner_words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  banner_words_->setAccessibleName(tr("What happens with these units out"));
  line->addWidget(banner_words_, 1);
  restore_ = new QPushButton(tr("Restore all"), banner_);
  restore_->setObjectName(QStringLiteral("power_restore_all"));
  connect(restore_, &QPushButton::clicked, restore_action_, &QAction::trigger);
  line->addWidget(restore_);
  // Its place is kept with everything in service, too: the diagram stays where it is when units fail.
  banner_words_->setMinimumHeight(2 * banner_words_->fontMetrics().lineSpacing());
  column->addWidget(banner_);

  auto* split = new QSplitter(Qt::Vertical, page);
  split->setObjectName(QStringLiteral("power_split"));
  split->setChildrenCollapsible(false);
  split->setHandleWidth(2 * spacing_unit);
  view_ = new OneLineView(split);
  view_->setEmptyText(
      tr("Draw the way of the power: add a utility feed with \u201cAdd below\u201d, then what hangs on it, down to the "
         "busways that racks name as their feeds. Racks with known power make the loads."));
  split->addWidget(view_);
  auto* foot = new QWidget(split);
  auto* foot_column = new QVBoxLayout(foot);
  foot_column->setContentsMargins(2 * spacing_unit, spacing_unit, 2 * spacing_unit, spacing_unit);
  foot_column->setSpacing(spacing_unit);
  auto* head = new QHBoxLayout;
  head->setSpacing(4 * spacing_unit);
  auto* title = new QLabel(tr("Every single failure, smallest headroom first"), foot);
  title->setObjectName(QStringLiteral("title"));
  head->addWidget(title, 0, Qt::AlignTop);
  normal_words_ = new QLabel(foot);
  normal_words_->setObjectName(QStringLiteral("secondary"));
  normal_words_->setWordWrap(true);
  head->addWidget(normal_words_, 1, Qt::AlignTop);
  foot_column->addLayout(head);
  sweep_ = new FigureTable(foot);
  sweep_->setObjectName(QStringLiteral("power_sweep"));
  sweep_->setFirstColumns({QStringLiteral("out"), QStringLiteral("worst"), QStringLiteral("headroom"),
                           QStringLiteral("racks_dark"), QStringLiteral("gpus_dark"), QStringLiteral("what")});
  sweep_->setEmptyText(tr("Every single failure is listed here as soon as units are drawn and racks hang on them."));
  sweep_->filterField()->setMaximumWidth(fontMetrics().averageCharWidth() * 16);
  head->addWidget(sweep_->filterField(), 0, Qt::AlignTop);
  foot_column->addWidget(sweep_, 1);
  foot->setMinimumHeight(fontMetrics().height() * 8);
  split->addWidget(foot);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 1);
  split->setSizes({430, 190});
  column->addWidget(split, 1);

  connect(view_, &OneLineView::selectionRequested, this,
          [this](const std::vector<EntityRef>& s) { document_.select(s); });
  connect(view_, &OneLineView::outChanged, this, &PowerWorkspace::show_case);
  connect(view_, &OneLineView::told, this, &PowerWorkspace::told);
  connect(view_, &OneLineView::connectRequested, this,
          [this](Id unit, Id upstream) { Q_EMIT editRequested(feed_unit_from(document_.design(), unit, upstream)); });
  connect(view_, &OneLineView::menuRequested, this, [this](const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("power_menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill_context_menu(*menu);
    menu->popup(at);
  });
  connect(sweep_, &FigureTable::rowExplained, this, &PowerWorkspace::figureActivated);
  connect(sweep_, &FigureTable::rowsSelected, this, [this](const std::vector<EntityRef>& rows) {
    // The case of the row stands on the diagram; several rows: one of them, failures at once are made on the diagram.
    document_.select(rows);
    view_->setOut({rows.front().id});
    view_->bringIntoSight(rows.front().id);
  });
  return page;
}

void PowerWorkspace::make_commands() {
  const auto command = [&](const QString& text, const char* image, auto run) {
    auto* a = new QAction(text, this);
    if (image) a->setIcon(icon(QLatin1String(image)));
    connect(a, &QAction::triggered, this, run);
    commands_.push_back(a);
    return a;
  };
  command(tr("&One-line diagram"), "power", [this] { showPage(diagram_page), Q_EMIT wanted(); });
  command(tr("&Busways and phases"), "busway", [this] { showPage(busway_page), Q_EMIT wanted(); });
  command(tr("&Growth: how many more racks fit"), nullptr, [this] { showPage(growth_page), Q_EMIT wanted(); });
  density_action_ = command(tr("&Density upgrade of a row\u2026"), nullptr, [this] { growth_->openDensity(); });
  command(tr("&Training load against the plant"), "training", [this] { showPage(swing_page), Q_EMIT wanted(); });
  command(tr("Panel &schedule, loads, order of restoration"), nullptr,
          [this] { showPage(lists_page), Q_EMIT wanted(); });
  commands_.push_back(nullptr);
  fail_action_ =
      command(tr("&Fail the selected power units, or restore them"), nullptr, [this] { view_->failSelected(); });
  restore_action_ = command(tr("&Restore all power units"), nullptr, [this] { restoreAll(); });
  commands_.push_back(nullptr);
  command(tr("F&it the one-line diagram"), "zoom-fit", [this] { view_->fit(); });
  zoom_action_ = command(tr("&Zoom to the selected power units"), "zoom-in", [this] { view_->zoomToSelection(); });
  folds_action_ = command(tr("Open all folds"), nullptr, [this] {
    view_->allOpen() ? view_->foldAll() : view_->openAll();
    update_commands();
  });
}

void PowerWorkspace::fill_add_menu() {
  add_menu_->clear();
  const std::vector<Id> units = view_->selectedUnits();
  const Id below = units.empty() ? 0 : units.front();
  if (below != 0)
    add_menu_->addSection(tr("Fed from %1").arg(entity_title(document_.design(), nullptr, {"power_units", below})));
  for (const PowerUnitKind kind : unit_kinds) {
    const bool source = kind == PowerUnitKind::utility_feed || kind == PowerUnitKind::generator;
    if (below != 0 && source) continue;
    auto* a = add_menu_->addAction(icon(unit_icon(kind)), unit_kind_title(kind), this,
                                   [this, kind, below] { add_unit(kind, below); });
    a->setData(static_cast<int>(kind));
  }
  if (below == 0) return;
  const bool second = may_stand_by(below);
  if (second) {
    add_menu_->addSection(
        tr("Second source of %1").arg(entity_title(document_.design(), nullptr, {"power_units", below})));
    add_menu_
        ->addAction(icon(unit_icon(PowerUnitKind::generator)), unit_kind_title(PowerUnitKind::generator), this,
                    [this, below] { add_unit(PowerUnitKind::generator, below); })
        ->setData(static_cast<int>(PowerUnitKind::generator));
  }
  add_menu_->addSection(tr("Source of its own"));
  for (const PowerUnitKind kind : {PowerUnitKind::utility_feed, PowerUnitKind::generator})
    if (!second || kind != PowerUnitKind::generator)
      add_menu_->addAction(icon(unit_icon(kind)), unit_kind_title(kind), this, [this, kind] { add_unit(kind, 0); })
          ->setData(static_cast<int>(kind));
}

/// Whether a new generator becomes the second source of a unit: it is no source, and has none yet.
bool PowerWorkspace::may_stand_by(Id unit) const {
  const PowerUnit* u = hallwright::find(*document_.design().power_units, unit);
  return u && u->kind != PowerUnitKind::utility_feed && u->kind != PowerUnitKind::generator && u->second_source == 0;
}

void PowerWorkspace::add_unit(PowerUnitKind kind, Id below) {
  const Id made = document_.design().next_id;
  const bool stands_by = kind == PowerUnitKind::generator && below != 0;
  Q_EMIT editRequested(stands_by ? add_generator_for(document_.design(), below)
                                 : add_unit_below(document_.design(), below, kind));
  if (!has_entity(document_.design(), {"power_units", made})) return;
  document_.select({{"power_units", made}});
  const QString name = entity_title(document_.design(), nullptr, {"power_units", made});
  Q_EMIT told(stands_by
                  ? tr("%1 is drawn and stands by for %2. Its rating is in the inspector; it stands in no hall yet.")
                        .arg(name, entity_title(document_.design(), nullptr, {"power_units", below}))
                  : tr("%1 is drawn. Its rating is in the inspector; it stands in no hall yet.").arg(name),
              false);
}

void PowerWorkspace::fill_context_menu(QMenu& menu) {
  update_commands();
  menu.addAction(fail_action_);
  menu.addAction(restore_action_);
  menu.addSeparator();
  if (const std::ptrdiff_t at = view_->cursor();
      at >= 0 && view_->picture().layout().symbols[static_cast<std::size_t>(at)].fold != 0) {
    const auto s = static_cast<std::size_t>(at);
    const bool folded = view_->picture().layout().symbols[s].folded;
    menu.addAction(folded ? tr("Draw them &one by one") : tr("F&old with its equals"), this,
                   [this, s] { view_->openFold(s); });
  }
  const std::vector<Id> units = view_->selectedUnits();
  if (units.size() == 1) {
    auto* add = menu.addMenu(icon(QStringLiteral("plus")), tr("&Add below"));
    for (const PowerUnitKind kind : unit_kinds)
      if (kind != PowerUnitKind::utility_feed && kind != PowerUnitKind::generator)
        add->addAction(icon(unit_icon(kind)), unit_kind_title(kind), this,
                     [this, kind, id = units.front()] { add_unit(kind, id); });
    if (may_stand_by(units.front()))
      add->addAction(icon(unit_icon(PowerUnitKind::generator)), tr("Generator as its second source"), this,
                     [this, id = units.front()] { add_unit(PowerUnitKind::generator, id); });
    auto* second = menu.addMenu(tr("Its &second source"));
    const PowerUnit* unit = hallwright::find(*document_.design().power_units, units.front());
    int listed_sources = 0;
    for (const PowerUnit& u : *document_.design().power_units) {
      if (!unit || u.id == unit->id || u.id == unit->upstream ||
          place_in_chain(u.kind) > place_in_chain(unit->kind) || feeds(document_.design(), unit->id, u.id))
        continue;
      if (u.kind == PowerUnitKind::busway ||
          (u.kind == PowerUnitKind::distribution && unit->kind != PowerUnitKind::static_switch) || ++listed_sources > 24) continue;
      auto* a = second->addAction(
          entity_title(document_.design(), nullptr, {"power_units", u.id}), this,
          [this, id = unit->id, from = u.id] { Q_EMIT editRequested(stand_by_for(document_.design(), id, from)); });
      a->setCheckable(true);
      a->setChecked(unit->second_source == u.id);
    }
    if (unit && unit->second_source != 0)
      second->addAction(tr("None"), this, [this, id = unit->id] {
        Q_EMIT editRequested({"No second source", [id](const Design& d) {
                                return set_field(d, {"power_units", id}, "second_source", FieldValue(std::int64_t{0}));
                              }});
      });
    second->setEnabled(!second->isEmpty());
    menu.addSeparator();
  }
  menu.addAction(zoom_action_);
  menu.addAction(folds_action_);
}

void PowerWorkspace::update_commands() {
  if (!view_) return;
  const bool units = !view_->selectedUnits().empty();
  fail_action_->setEnabled(view_->picture().shows());
  bool all_out = units;
  for (const Id id : view_->selectedUnits())
    all_out = all_out && std::binary_search(view_->out().begin(), view_->out().end(), id);
  fail_->setText(all_out ? tr("Restore") : tr("Fail"));
  fail_->setEnabled(units);
  restore_action_->setEnabled(!view_->out().empty());
  restore_->setEnabled(!view_->out().empty());
  zoom_action_->setEnabled(!view_->selectedSymbols().empty());
  folds_action_->setText(view_->allOpen() ? tr("Fold equals") : tr("Open all folds"));
}

void PowerWorkspace::restoreAll() { view_->setOut({}); }

QString PowerWorkspace::bannerText() const { return view_->out().empty() ? QString() : told_; }

void PowerWorkspace::showPage(int page) const { pages_->setCurrentIndex(page); }

void PowerWorkspace::show_case() {
  const OneLinePicture& picture = view_->picture();
  const QString sentence = picture.shows() ? picture.sentence() : QString();
  told_ = sentence.isEmpty() ? QString() : sentence + QLatin1Char('.');
  const ContingencyCase& c = picture.shown();
  const bool bad =
      picture.shows() && (c.racks_dark > 0 || c.racks_short > 0 || !c.overloaded.empty() || !c.cascade.empty());
  if (told_.isEmpty())
    banner_words_->setText(QStringLiteral("<span style='color:%1'>%2</span>")
                               .arg(theme().secondary_text.name(),
                                    picture.shows() ? tr("Every unit is in service. F takes what is selected out.")
                                                    : tr("No unit is drawn.")));
  else
    banner_words_->setText(
        bad ? QStringLiteral("<span style='color:%1'>%2</span>").arg(theme().red.name(), told_.toHtmlEscaped())
            : told_.toHtmlEscaped());
  // Longer words widen the place for good: it never shrinks under the mouse.
  if (banner_words_->isVisible())
    banner_words_->setMinimumHeight(
        std::max(banner_words_->minimumHeight(), banner_words_->heightForWidth(banner_words_->width())));
  std::vector<Id> dark = view_->out().empty() ? std::vector<Id>() : picture.dark_racks();
  if (dark != dark_ || told_case_ != bannerText()) {
    dark_ = dark;
    told_case_ = bannerText();
    Q_EMIT caseChanged(told_case_, dark_);
  }
  update_commands();
}

void PowerWorkspace::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (pending_) refresh();
}

void PowerWorkspace::refresh() {
  pending_ = !isVisible();
  const SharedEvaluation& e = document_.evaluation();
  if (!e || (pending_ && view_->out().empty())) return;                 // what is out is told in other workspaces, too
  const std::shared_ptr<const OneLineStudy> study = drawn_one_line(*e); // units without loads are drawn, too
  study_ = study;
  view_->setStudy(study);
  view_->setSelection(document_.selection());
  sweep_->setTable(e->figures.table("power.contingencies"));
  QString normal;
  if (study) {
    normal =
        screen_sentence(QString::fromStdString(study->contingencies.sentence(study->single.normal))) + QLatin1Char('.');
    if (const Figure* f = e->figures.find("power.redundancy_proven"); f && f->has_value())
      normal += tr(" Proven by failing every unit: %1.")
                    .arg(f->value >= 2   ? QStringLiteral("2N")
                         : f->value >= 1 ? QStringLiteral("N+1")
                                         : QStringLiteral("N"));
  }
  normal_words_->setText(normal);
  normal_words_->setVisible(!normal.isEmpty());
  show_case();
  fill_page();
}

/// Pages other than the diagram are filled while they are in front.
void PowerWorkspace::fill_page() {
  if (!isVisible() || !document_.evaluation()) return;
  if (pages_->currentIndex() == busway_page) busways_->setStudy(study_);
  if (pages_->currentIndex() == lists_page) lists_->setStudy(study_);
  if (pages_->currentIndex() == growth_page) growth_->setStudy(study_);
  if (pages_->currentIndex() == swing_page) swing_->setStudy(study_);
}

void PowerWorkspace::showSelection() {
  view_->setSelection(document_.selection());
  sweep_->setSelection(document_.selection());
  busways_->showSelection();
  lists_->showSelection();
  update_commands();
}

} // namespace hallwright
