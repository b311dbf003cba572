// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rack_elevation/rack_elevation_view.h"

#include <algorithm>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/figure_text.h"
#include "widgets/rack_elevation/rack_summary.h"
#include "widgets/theme.h"

namespace hallwright {

RackElevationView::RackElevationView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("rack_elevation"));
  setAccessibleName(tr("Rack elevation"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2 * spacing_unit, spacing_unit, 2 * spacing_unit, spacing_unit);
  column->setSpacing(spacing_unit);

  auto* bar = new QWidget(this);
  auto* line = new QHBoxLayout(bar);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2 * spacing_unit);
  type_ = new QComboBox(bar);
  type_->setObjectName(QStringLiteral("elevation_type"));
  type_->setAccessibleName(tr("Rack type shown"));
  type_->setToolTip(tr("Rack type shown"));
  type_->setMinimumContentsLength(8);
  type_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  line->addWidget(type_, 1);
  auto* more = new QToolButton(bar);
  more->setObjectName(QStringLiteral("elevation_more"));
  more->setText(tr("Rack") + QStringLiteral(" \u25be"));
  more->setAccessibleName(tr("Rack commands"));
  more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
  more->setToolTip(tr("What can be done with this rack type and the selected part"));
  more->setPopupMode(QToolButton::InstantPopup);
  more_ = new QMenu(this);
  more->setMenu(more_);
  line->addWidget(more);
  column->addWidget(bar);

  used_ = new QLabel(this);
  used_->setObjectName(QStringLiteral("secondary"));
  used_->setWordWrap(true);
  column->addWidget(used_);

  canvas_ = new elevation::RackCanvas(this);
  column->addWidget(canvas_, 1);

  hint_ = new QLabel(this);
  hint_->setObjectName(QStringLiteral("secondary"));
  hint_->setWordWrap(true);
  hint_->setMinimumHeight(fontMetrics().height());
  hint_->setAccessibleName(tr("Hint"));
  column->addWidget(hint_);

  summary_ = new QLabel(this);
  summary_->setWordWrap(true);
  summary_->setAccessibleName(tr("Summary of one rack"));
  summary_->setTextFormat(Qt::RichText);
  summary_->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::LinksAccessibleByKeyboard);
  // In a low window the drawing keeps most of the height, and the summary is scrolled.
  summary_area_ = new QScrollArea(this);
  summary_area_->setWidgetResizable(true);
  summary_area_->setFrameShape(QFrame::NoFrame);
  summary_area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  summary_area_->setFocusPolicy(Qt::NoFocus);
  summary_->setAlignment(Qt::AlignTop);
  summary_area_->setWidget(summary_);
  summary_->setAutoFillBackground(false);
  summary_area_->viewport()->setAutoFillBackground(false);
  column->addWidget(summary_area_);

  const auto command = [this](const QString& text, const char* name, auto&& run) {
    auto* a = new QAction(text, this);
    a->setObjectName(QLatin1String(name));
    connect(a, &QAction::triggered, this, run);
    commands_.push_back(a);
    return a;
  };
  count_ = command(tr("&Count\u2026"), "elevation_count", [this] { ask_count(); });
  split_ = command(tr("&Split off one part"), "elevation_split", [this] { canvas_->splitOff(); });
  remove_ = command(tr("&Take out of the rack"), "elevation_remove", [this] { canvas_->remove(); });
  const std::pair<RackMount, QString> mounts[] = {{RackMount::full_depth, tr("Mount over the full depth")},
                                                  {RackMount::front, tr("Mount at the front")},
                                                  {RackMount::rear, tr("Mount at the rear")},
                                                  {RackMount::zero_u_left, tr("Hang beside the rails, left")},
                                                  {RackMount::zero_u_right, tr("Hang beside the rails, right")}};
  for (const auto& [mount, text] : mounts) {
    auto* a = command(text, "elevation_mount", [this, mount = mount] { canvas_->setMount(mount); });
    a->setCheckable(true);
    mounts_.emplace_back(mount, a);
  }
  only_ = command(tr("Change this rack &only"), "elevation_only", [this] { change_this_rack_only(); });
  assign_ = command(tr("&Give the selected racks this type"), "elevation_assign", [this] { assign_type(); });
  template_ = command(tr("Make a te&mplate of this rack type\u2026"), "elevation_template", [this] { ask_template(); });
  from_top_ = new QAction(tr("Number units from the &top"), this);
  from_top_->setObjectName(QStringLiteral("elevation_from_top"));
  from_top_->setCheckable(true);
  from_top_->setToolTip(tr("Display only: the design counts from the floor"));
  connect(from_top_, &QAction::toggled, this, [this](bool on) {
    canvas_->setNumbersFromTop(on);
    fill_summary();
  });
  commands_.push_back(from_top_);
  for (QAction* a : {count_, split_, remove_})
    more_->addAction(a);
  auto* mount_menu = more_->addMenu(tr("&Mounting"));
  for (const auto& [mount, a] : mounts_)
    mount_menu->addAction(a);
  more_->addSeparator();
  for (QAction* a : {only_, assign_, template_})
    more_->addAction(a);
  more_->addSeparator();
  more_->addAction(from_top_);
  connect(more_, &QMenu::aboutToShow, this, &RackElevationView::update_commands);

  connect(type_, &QComboBox::activated, this, [this](int i) {
    const Id type = type_->itemData(i).toLongLong();
    showRackType(type);
    update_commands();
    // Selected racks stay so: they may be given the type that is looked at.
    if (racks_.empty()) Q_EMIT selectionRequested({{"rack_types", type}});
  });
  connect(canvas_, &elevation::RackCanvas::editRequested, this, &RackElevationView::editRequested);
  connect(canvas_, &elevation::RackCanvas::menuRequested, this, &RackElevationView::show_menu);
  connect(canvas_, &elevation::RackCanvas::selectionChanged, this, [this] {
    update_commands();
    if (canvas_->selectedItem() != 0) Q_EMIT selectionRequested({{"rack_items", canvas_->selectedItem()}});
  });
  connect(canvas_, &elevation::RackCanvas::hintChanged, this, [this](const QString& text, bool refused_now) {
    hint_->setText(text);
    hint_->setStyleSheet(refused_now ? QStringLiteral("color: %1").arg(theme().red.name()) : QString());
    if (refused_now && !(QApplication::mouseButtons() & Qt::LeftButton)) Q_EMIT refused(text);
  });
  update_commands();
  connect(summary_, &QLabel::linkActivated, this, &RackElevationView::figureActivated);
  connect(summary_, &QLabel::linkHovered, this, [this](const QString& link) {
    const Figure* f = evaluation_ && !link.isEmpty() ? evaluation_->figures.find(link.toStdString()) : nullptr;
    summary_->setToolTip(f ? figure_tooltip(*f) : QString());
  });
}

Id RackElevationView::rackType() const { return canvas_->rackType(); }

void RackElevationView::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  // A rack that gets another type takes the elevation along.
  const auto type_of_rack = [this] {
    const Rack* r = racks_.size() == 1 ? hallwright::find(*design_.racks, racks_.front()) : nullptr;
    return r ? r->rack_type : Id{0};
  };
  const Id type_before = type_of_rack();
  const bool same = design.rack_types == design_.rack_types && design.rack_items == design_.rack_items &&
                    design.racks == design_.racks && catalog == catalog_;
  design_ = design;
  catalog_ = catalog;
  if (same) return;
  canvas_->setDesign(design, catalog);
  fill_types();
  if (!hallwright::find(*design_.rack_types, rackType()))
    showRackType(design_.rack_types->empty() ? 0 : design_.rack_types->front().id);
  racks_.erase(
      std::remove_if(racks_.begin(), racks_.end(), [&](Id id) { return !hallwright::find(*design_.racks, id); }),
      racks_.end());
  if (const Id type = type_of_rack(); type != type_before && type != 0) showRackType(type);
  used_->setText(usedBy());
  fill_summary();
  update_commands();
}

void RackElevationView::setEvaluation(const SharedEvaluation& evaluation) {
  evaluation_ = evaluation;
  canvas_->setEvaluation(evaluation);
  fill_summary();
}

void RackElevationView::setSelection(const std::vector<EntityRef>& selection) {
  std::vector<Id> racks;
  Id type = 0, item = 0;
  for (const EntityRef& e : selection) {
    if (e.table == "racks") {
      racks.push_back(e.id);
      if (const Rack* r = hallwright::find(*design_.racks, e.id); r && type == 0) type = r->rack_type;
    } else if (e.table == "rack_types") {
      type = e.id;
    } else if (e.table == "rack_items") {
      if (const RackItem* i = hallwright::find(*design_.rack_items, e.id)) type = i->rack_type, item = i->id;
    }
  }
  if (item == 0) racks_ = std::move(racks);
  if (type != 0) showRackType(type);
  if (item != 0 && item != canvas_->selectedItem()) canvas_->select(item);
  used_->setText(usedBy());
  update_commands();
}

void RackElevationView::showRackType(Id type) {
  if (type == rackType()) return;
  canvas_->setRackType(type);
  fill_types();
  used_->setText(usedBy());
  fill_summary();
}

void RackElevationView::fill_types() {
  filling_ = true;
  QStringList present, wanted;
  for (int i = 0; i < type_->count(); ++i)
    present << type_->itemText(i) + QLatin1Char('/') + type_->itemData(i).toString();
  for (const RackType& t : *design_.rack_types)
    wanted << QString::fromStdString(t.name) + QLatin1Char('/') + QString::number(t.id);
  if (present != wanted) {
    type_->clear();
    for (const RackType& t : *design_.rack_types)
      type_->addItem(QString::fromStdString(t.name), QVariant::fromValue<qlonglong>(t.id));
  }
  type_->setCurrentIndex(type_->findData(QVariant::fromValue<qlonglong>(rackType())));
  type_->setEnabled(type_->count() > 0);
  filling_ = false;
}

QString RackElevationView::usedBy() const {
  if (!hallwright::find(*design_.rack_types, rackType())) return {};
  const Count n = racks_of_type(design_, rackType());
  if (n == 0) return tr("No rack has this type yet: place it from Parts, or give it to selected racks.");
  if (n == 1) return tr("Used by 1 rack.");
  return tr("Used by %1 racks: a change here changes all of them.").arg(screen_number(static_cast<qlonglong>(n)));
}

QString RackElevationView::summaryText() const {
  QString text = summary_->text();
  QTextDocumentFragment fragment = QTextDocumentFragment::fromHtml(text);
  return fragment.toPlainText();
}

void RackElevationView::fill_summary() {
  const bool shown = evaluation_ && hallwright::find(*design_.rack_types, rackType());
  summary_area_->setVisible(shown);
  if (!shown) return;
  QString html = QStringLiteral("<table cellspacing=0 cellpadding=1 width=\"100%\">");
  for (const RackSummaryLine& l : rack_summary(*evaluation_, design_, *catalog_, rackType(), from_top_->isChecked())) {
    const QString link_style =
        QStringLiteral("color:%1; text-decoration:none").arg((l.over ? theme().red : theme().text).name());
    QStringList values;
    for (const auto& [text, figure] : l.values)
      values
          << (figure.isEmpty()
                  ? text.toHtmlEscaped()
                  : QStringLiteral("<a href=\"%1\" style=\"%2\">%3</a>").arg(figure, link_style, text.toHtmlEscaped()));
    html += QStringLiteral("<tr><td style=\"color:%1; padding-right:10px\">%2</td><td>%3</td></tr>")
                .arg(theme().secondary_text.name(), l.label.toHtmlEscaped(), values.join(QStringLiteral(" \u00b7 ")));
  }
  summary_->setText(html + QStringLiteral("</table>"));
  fit_summary();
}

void RackElevationView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_summary();
}

void RackElevationView::fit_summary() {
  const int wanted = summary_->heightForWidth(std::max(1, width() - 4 * spacing_unit)) + spacing_unit;
  summary_area_->setFixedHeight(std::min(wanted, std::max(fontMetrics().height() * 3, height() * 2 / 10)));
}

void RackElevationView::update_commands() {
  const RackItem* item =
      canvas_->selectedItem() == 0 ? nullptr : hallwright::find(*design_.rack_items, canvas_->selectedItem());
  for (QAction* a : {count_, remove_})
    a->setEnabled(item);
  split_->setEnabled(item && item->count > 1);
  for (const auto& [mount, a] : mounts_) {
    a->setEnabled(item);
    a->setChecked(item && item->mount == mount);
  }
  const RackType* type = hallwright::find(*design_.rack_types, rackType());
  template_->setEnabled(type);
  only_->setEnabled(type && racks_.size() == 1 && racks_of_type(design_, rackType()) > 1);
  assign_->setEnabled(type && std::any_of(racks_.begin(), racks_.end(), [&](Id id) {
                        const Rack* r = hallwright::find(*design_.racks, id);
                        return r && r->rack_type != rackType();
                      }));
  if (racks_.size() == 1)
    if (const Rack* r = hallwright::find(*design_.racks, racks_.front()))
      only_->setText(tr("Change rack %1 &only").arg(QString::fromStdString(r->name)));
}

void RackElevationView::show_menu(const QPoint& at) {
  update_commands();
  more_->popup(at);
}

void RackElevationView::ask_count() {
  const RackItem* item = hallwright::find(*design_.rack_items, canvas_->selectedItem());
  if (!item) return;
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("count_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(QInputDialog::IntInput);
  dialog->setIntRange(1, 1000);
  dialog->setIntValue(static_cast<int>(item->count));
  dialog->setWindowTitle(tr("Count"));
  dialog->setLabelText(tr("How many stand one above the other:"));
  connect(dialog, &QInputDialog::intValueSelected, this, [this](int n) { canvas_->setCount(n); });
  dialog->open();
}

void RackElevationView::ask_template() {
  const RackType* type = hallwright::find(*design_.rack_types, rackType());
  if (!type) return;
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("template_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Template"));
  dialog->setLabelText(tr("Name of the new rack type, a copy of this one:"));
  dialog->setTextValue(QString::fromStdString(free_name(design_, "rack_types", type->name)));
  connect(dialog, &QInputDialog::textValueSelected, this, [this, id = type->id](const QString& text) {
    const std::string name = text.trimmed().toStdString();
    const auto made = make_rack_template(design_, id, name);
    if (!made) {
      Q_EMIT refused(QString::fromStdString(made.error()));
      return;
    }
    const Id copy = made->entities.front().id;
    Q_EMIT editRequested(
        {tr("Make template %1").arg(text.trimmed()).toStdString(), [id, name](const Design& d) -> Edited {
           auto again = make_rack_template(d, id, name);
           if (!again) return tl::make_unexpected(again.error());
           return again->design;
         }});
    if (!hallwright::find(*design_.rack_types, copy)) return;
    racks_.clear();
    showRackType(copy);
    Q_EMIT selectionRequested({{"rack_types", copy}});
  });
  dialog->open();
}

void RackElevationView::change_this_rack_only() {
  if (racks_.size() != 1) return;
  const Id rack = racks_.front();
  const auto made = hallwright::change_this_rack_only(design_, rack);
  if (!made) {
    Q_EMIT refused(QString::fromStdString(made.error()));
    return;
  }
  const Rack* r = hallwright::find(*design_.racks, rack);
  Q_EMIT editRequested({tr("Own rack type for %1").arg(QString::fromStdString(r->name)).toStdString(),
                        [rack](const Design& d) -> Edited {
                          auto again = hallwright::change_this_rack_only(d, rack);
                          if (!again) return tl::make_unexpected(again.error());
                          return again->design;
                        }});
}

void RackElevationView::assign_type() {
  const Id type = rackType();
  const auto racks = racks_;
  const RackType* t = hallwright::find(*design_.rack_types, type);
  if (!t) return;
  const QString label = tr("Give %1 the type %2")
                            .arg(counted(static_cast<qint64>(racks.size()), tr("1 rack"), tr("%1 racks")),
                                 QString::fromStdString(t->name));
  Q_EMIT editRequested(
      {label.toStdString(), [racks, type](const Design& d) { return assign_rack_type(d, racks, type); }});
}

} // namespace hallwright
