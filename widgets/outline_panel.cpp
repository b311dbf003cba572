// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {
constexpr int table_role = Qt::UserRole + 1;
constexpr int id_role = Qt::UserRole + 2;

EntityRef entity_of(const QTreeWidgetItem* item) {
  return {item->data(0, table_role).toString().toStdString(), item->data(0, id_role).toLongLong()};
}
} // namespace

OutlinePanel::OutlinePanel(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Outline"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, 0);
  column->setSpacing(2 * spacing_unit);
  search_ = new QLineEdit(this);
  search_->setPlaceholderText(tr("Find by name"));
  search_->setClearButtonEnabled(true);
  search_->setAccessibleName(tr("Find in the outline"));
  tree_ = new QTreeWidget(this);
  tree_->setObjectName(QStringLiteral("outline_tree"));
  tree_->setAccessibleName(tr("What is in the design"));
  tree_->setHeaderHidden(true);
  tree_->setIndentation(12);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->setUniformRowHeights(true);
  column->addWidget(search_);
  column->addWidget(tree_, 1);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& wanted) {
    auto show = [&](auto&& self, QTreeWidgetItem* item, bool parent_matches) -> bool {
      const bool matches = parent_matches || wanted.isEmpty() || item->text(0).contains(wanted, Qt::CaseInsensitive);
      bool any = matches;
      for (int i = 0; i < item->childCount(); ++i) any = self(self, item->child(i), matches && !wanted.isEmpty()) || any;
      item->setHidden(!any);
      if (!wanted.isEmpty() && any && !matches) item->setExpanded(true);
      return any;
    };
    for (int i = 0; i < tree_->topLevelItemCount(); ++i) show(show, tree_->topLevelItem(i), false);
  });
  connect(tree_, &QTreeWidget::itemSelectionChanged, this, [this] {
    if (updating_) return;
    std::vector<EntityRef> selection;
    auto take = [&](auto&& self, const QTreeWidgetItem* item) -> void {
      const EntityRef e = entity_of(item);
      const bool group = e.table.empty() || e.table == "rows" || e.table == "halls";
      if (!e.table.empty() && (!group || e.table == "halls") ) selection.push_back(e);
      if (group && e.table != "halls")
        for (int i = 0; i < item->childCount(); ++i) self(self, item->child(i));
    };
    for (const QTreeWidgetItem* item : tree_->selectedItems()) take(take, item);
    Q_EMIT selectionRequested(selection);
  });
  connect(tree_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item, int) {
    const EntityRef e = entity_of(item);
    if (!e.table.empty()) Q_EMIT zoomRequested({e});
  });
}

void OutlinePanel::setDesign(const Design& design) {
  const bool same = design.racks == design_.racks && design.halls == design_.halls && design.rows == design_.rows &&
                    design.rack_types == design_.rack_types && design.rack_items == design_.rack_items && design.power_units == design_.power_units &&
                    design.cooling_units == design_.cooling_units && design.networks == design_.networks && design.structures == design_.structures &&
                    design.loops == design_.loops && tree_->topLevelItemCount() > 0;
  // A move changes racks but not what the outline shows of them.
  auto same_names = [&] {
    if (design.racks->size() != design_.racks->size() || design.halls != design_.halls || design.rows != design_.rows || design.rack_types != design_.rack_types ||
        design.power_units->size() != design_.power_units->size() || design.cooling_units->size() != design_.cooling_units->size() ||
        design.rack_items != design_.rack_items || design.networks != design_.networks || design.structures->size() != design_.structures->size() || design.loops != design_.loops)
      return false;
    for (std::size_t i = 0; i < design.racks->size(); ++i) {
      const Rack &a = (*design.racks)[i], &b = (*design_.racks)[i];
      if (a.id != b.id || a.name != b.name || a.row != b.row || a.hall != b.hall) return false;
    }
    auto equal = [](const auto& x, const auto& y) {
      for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i].id != y[i].id || x[i].name != y[i].name) return false;
      return true;
    };
    return equal(*design.power_units, *design_.power_units) && equal(*design.cooling_units, *design_.cooling_units) && equal(*design.structures, *design_.structures);
  };
  if (same || (tree_->topLevelItemCount() > 0 && same_names())) {
    design_ = design;
    return;
  }
  design_ = design;
  updating_ = true;
  std::set<QString> open;
  for (QTreeWidgetItemIterator it(tree_); *it; ++it)
    if ((*it)->isExpanded()) open.insert((*it)->text(0));
  const bool first = tree_->topLevelItemCount() == 0;
  tree_->clear();
  auto entity_item = [&](const QString& name, const std::string& table, Id id, const QString& image = {}) {
    auto* item = new QTreeWidgetItem({name});
    item->setData(0, table_role, QString::fromStdString(table));
    item->setData(0, id_role, static_cast<qlonglong>(id));
    if (!image.isEmpty()) item->setIcon(0, icon(image));
    return item;
  };
  auto group = [&](const QString& name) { return new QTreeWidgetItem({name}); };
  QList<QTreeWidgetItem*> top;
  std::map<Id, std::vector<const Rack*>> by_row;
  for (const Rack& r : *design.racks) by_row[r.row].push_back(&r);
  for (const Hall& hall : *design.halls) {
    auto* h = entity_item(QString::fromStdString(hall.name), "halls", hall.id, QStringLiteral("hall-plan"));
    auto add_racks = [&](QTreeWidgetItem* parent, const std::vector<const Rack*>& racks) {
      QList<QTreeWidgetItem*> items;
      for (const Rack* r : racks)
        if (r->hall == hall.id) items.append(entity_item(QString::fromStdString(r->name), "racks", r->id));
      parent->addChildren(items);
    };
    for (const Row& row : *design.rows) {
      if (row.hall != hall.id) continue;
      const auto it = by_row.find(row.id);
      const auto count = it == by_row.end() ? 0 : it->second.size();
      auto* r = entity_item(OutlinePanel::tr("Row %1 (%2)").arg(QString::fromStdString(row.name)).arg(count), "rows", row.id);
      if (it != by_row.end()) add_racks(r, it->second);
      h->addChild(r);
    }
    if (auto it = by_row.find(0); it != by_row.end()) add_racks(h, it->second);
    auto add_units = [&](const auto& table, const std::string& word, const QString& name, const QString& image) {
      auto* g = group(name);
      for (const auto& u : table)
        if (u.hall == hall.id) g->addChild(entity_item(QString::fromStdString(u.name), word, u.id, image));
      if (g->childCount() > 0) {
        g->setText(0, name + QStringLiteral(" (%1)").arg(g->childCount()));
        h->addChild(g);
      } else {
        delete g;
      }
    };
    add_units(*design.power_units, "power_units", OutlinePanel::tr("Power"), QStringLiteral("ups"));
    add_units(*design.cooling_units, "cooling_units", OutlinePanel::tr("Cooling units"), QStringLiteral("cdu"));
    add_units(*design.structures, "structures", OutlinePanel::tr("Structure"), QStringLiteral("column"));
    top.append(h);
  }
  auto list = [&](const auto& table, const std::string& word, const QString& name, const QString& image) {
    if (table.empty()) return;
    auto* g = group(name + QStringLiteral(" (%1)").arg(table.size()));
    for (const auto& e : table) g->addChild(entity_item(QString::fromStdString(e.name), word, e.id, image));
    top.append(g);
  };
  list(*design.rack_types, "rack_types", tr("Rack types"), QStringLiteral("rack"));
  if (!top.isEmpty() && !design.rack_types->empty()) {
    auto* types = top.back();
    for (int i = 0; i < types->childCount(); ++i) {
      const EntityRef type = entity_of(types->child(i));
      for (const RackItem& item : *design.rack_items)
        if (item.rack_type == type.id)
          types->child(i)->addChild(entity_item(QStringLiteral("%1 \u00d7 %2").arg(item.count).arg(QString::fromStdString(item.part)), "rack_items", item.id));
    }
  }
  // Power units outside any hall (utility, generators in the yard).
  auto* yard = group(tr("Site power"));
  for (const PowerUnit& u : *design.power_units)
    if (u.hall == 0) yard->addChild(entity_item(QString::fromStdString(u.name), "power_units", u.id, QStringLiteral("ups")));
  if (yard->childCount() > 0) top.append(yard);
  else delete yard;
  list(*design.loops, "loops", tr("Coolant loops"), QStringLiteral("cooling"));
  list(*design.networks, "networks", tr("Networks"), QStringLiteral("fabric"));
  tree_->addTopLevelItems(top);
  for (QTreeWidgetItemIterator it(tree_); *it; ++it)
    if (open.count((*it)->text(0)) > 0 || (first && !(*it)->parent() && (*it)->data(0, table_role).toString() == QLatin1String("halls"))) (*it)->setExpanded(true);
  updating_ = false;
}

void OutlinePanel::setSelection(const std::vector<EntityRef>& selection) {
  std::set<EntityRef> wanted(selection.begin(), selection.end());
  updating_ = true;
  const QSignalBlocker quiet(tree_);
  QItemSelection chosen;
  QTreeWidgetItem* first = nullptr;
  for (QTreeWidgetItemIterator it(tree_); *it; ++it) {
    const EntityRef e = entity_of(*it);
    if (e.table.empty() || wanted.count(e) == 0) continue;
    const QModelIndex index = tree_->indexFromItem(*it);
    chosen.select(index, index);
    if (!first) first = *it;
  }
  tree_->selectionModel()->select(chosen, QItemSelectionModel::ClearAndSelect);
  if (first && wanted.size() == 1) tree_->scrollToItem(first);
  tree_->viewport()->update();
  updating_ = false;
}

} // namespace hallwright
