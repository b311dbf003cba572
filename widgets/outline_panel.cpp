// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <QLineEdit>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/figure_text.h"
#include "widgets/list_search.h"
#include "widgets/panels.h"
#include "widgets/plan/plan_length.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {
constexpr int table_role = Qt::UserRole + 1;
constexpr int id_role = Qt::UserRole + 2;
constexpr int branch_role = Qt::UserRole + 3; // name of a branch without its count

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
  search_->setObjectName(QStringLiteral("outline_search"));
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
      for (int i = 0; i < item->childCount(); ++i)
        any = self(self, item->child(i), matches && !wanted.isEmpty()) || any;
      item->setHidden(!any);
      if (!wanted.isEmpty() && any && !matches) item->setExpanded(true);
      return any;
    };
    for (int i = 0; i < tree_->topLevelItemCount(); ++i)
      show(show, tree_->topLevelItem(i), false);
  });
  connect(tree_, &QTreeWidget::itemSelectionChanged, this, [this] {
    if (updating_) return;
    std::vector<EntityRef> selection;
    auto take = [&](auto&& self, const QTreeWidgetItem* item) -> void {
      const EntityRef e = entity_of(item);
      const bool group = e.table.empty() || e.table == "rows" || e.table == "halls" || e.table == "groups";
      if (!e.table.empty() && (!group || e.table == "halls")) selection.push_back(e);
      if (group && e.table != "halls")
        for (int i = 0; i < item->childCount(); ++i)
          self(self, item->child(i));
    };
    for (const QTreeWidgetItem* item : tree_->selectedItems())
      take(take, item);
    // A thing may stand in its hall and in its group.
    std::sort(selection.begin(), selection.end());
    selection.erase(std::unique(selection.begin(), selection.end()), selection.end());
    Q_EMIT selectionRequested(selection);
  });
  connect(tree_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item, int) {
    const EntityRef e = entity_of(item);
    if (!e.table.empty()) Q_EMIT zoomRequested({e});
  });
  new ListSearch(search_, tree_);
}

namespace {

template <class E>
std::string name_of(const E& e) {
  if constexpr (requires { e.name; })
    return e.name;
  else if constexpr (requires { e.text; })
    return e.text;
  else
    return {};
}

/// Whether two tables read the same in the outline: a move changes racks, but not what the outline shows of them.
template <class E>
bool reads_same(const Shared<std::vector<E>>& a, const Shared<std::vector<E>>& b) {
  if (a == b) return true;
  if (a->size() != b->size()) return false;
  for (std::size_t i = 0; i < a->size(); ++i) {
    const E &x = (*a)[i], &y = (*b)[i];
    if (x.id != y.id || name_of(x) != name_of(y)) return false;
    if constexpr (requires { x.hall; })
      if (x.hall != y.hall) return false;
    if constexpr (requires { x.group; })
      if (x.group != y.group) return false;
    if constexpr (std::is_same_v<E, Rack>)
      if (x.row != y.row) return false;
    if constexpr (std::is_same_v<E, Hall>)
      if (x.level != y.level || x.kind != y.kind) return false;
    if constexpr (std::is_same_v<E, Guide>)
      if (x.position != y.position || x.axis != y.axis) return false;
    if constexpr (std::is_same_v<E, RackItem>)
      if (x.rack_type != y.rack_type || x.part != y.part || x.count != y.count) return false;
  }
  return true;
}

bool reads_same(const Design& a, const Design& b) {
  return reads_same(a.halls, b.halls) && reads_same(a.structures, b.structures) &&
         reads_same(a.rack_types, b.rack_types) && reads_same(a.rack_items, b.rack_items) &&
         reads_same(a.rows, b.rows) && reads_same(a.racks, b.racks) && reads_same(a.power_units, b.power_units) &&
         reads_same(a.loops, b.loops) && reads_same(a.cooling_units, b.cooling_units) &&
         reads_same(a.networks, b.networks) && reads_same(a.notes, b.notes) && reads_same(a.zones, b.zones) &&
         reads_same(a.containments, b.containments) && reads_same(a.trays, b.trays) && reads_same(a.pipes, b.pipes) &&
         reads_same(a.dimensions, b.dimensions) && reads_same(a.guides, b.guides) &&
         reads_same(a.underlays, b.underlays) && reads_same(a.groups, b.groups);
}

} // namespace

void OutlinePanel::setDesign(const Design& design) {
  if (tree_->topLevelItemCount() > 0 && reads_same(design, design_)) {
    design_ = design;
    return;
  }
  design_ = design;
  updating_ = true;
  // What was open stays open, found by its path: many halls have a branch "Power".
  const auto path_of = [](const QTreeWidgetItem* item) {
    QString path;
    for (; item; item = item->parent()) {
      const QString own = item->data(0, id_role).toLongLong()
                              ? item->data(0, table_role).toString() + item->data(0, id_role).toString()
                              : item->data(0, branch_role).toString();
      path = own + QLatin1Char('/') + path;
    }
    return path;
  };
  std::set<QString> open;
  for (QTreeWidgetItemIterator it(tree_); *it; ++it)
    if ((*it)->isExpanded()) open.insert(path_of(*it));
  const bool first = tree_->topLevelItemCount() == 0;
  std::vector<EntityRef> chosen;
  for (const QTreeWidgetItem* item : tree_->selectedItems())
    chosen.push_back(entity_of(item));
  tree_->clear();
  auto entity_item = [&](const QString& name, const std::string& table, Id id, const QString& image = {}) {
    auto* item = new QTreeWidgetItem({name});
    item->setData(0, table_role, QString::fromStdString(table));
    item->setData(0, id_role, static_cast<qlonglong>(id));
    if (!image.isEmpty()) item->setIcon(0, icon(image));
    return item;
  };
  auto group = [&](const QString& name) {
    auto* item = new QTreeWidgetItem({name});
    item->setData(0, branch_role, name);
    return item;
  };
  const auto words_for = [&](const auto& e) -> QString {
    using E = std::decay_t<decltype(e)>;
    if constexpr (std::is_same_v<E, Note>)
      return QString::fromStdString(e.text).section(QLatin1Char('\n'), 0, 0);
    else if constexpr (std::is_same_v<E, Guide>)
      return (e.axis == GuideAxis::x ? OutlinePanel::tr("x %1") : OutlinePanel::tr("y %1"))
          .arg(plan::exact_length_text(in_millimeters(e.position)));
    else if constexpr (std::is_same_v<E, Dimension>) {
      const auto end = [&](Id thing) {
        return thing ? to_qstring(entity_name(design, {table_of(design, thing), thing})) : OutlinePanel::tr("floor");
      };
      return OutlinePanel::tr("%1 to %2", "ends of a dimension").arg(end(e.start), end(e.end));
    } else
      return QString::fromStdString(e.name);
  };
  QList<QTreeWidgetItem*> top;
  std::map<Id, std::vector<const Rack*>> by_row;
  for (const Rack& r : *design.racks)
    by_row[r.row].push_back(&r);
  // Storeys from the ground up, where there is more than one.
  std::map<Count, std::vector<const Hall*>> levels;
  for (const Hall& hall : *design.halls)
    levels[hall.level].push_back(&hall);
  for (const auto& [level, halls] : levels) {
    QTreeWidgetItem* storey = nullptr;
    if (levels.size() > 1) {
      storey = group(level == 0 ? OutlinePanel::tr("Ground floor") : OutlinePanel::tr("Level %1").arg(level));
      top.append(storey);
    }
    for (const Hall* one : halls) {
      const Hall& hall = *one;
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
        auto* r = entity_item(OutlinePanel::tr("Row %1 (%2)").arg(QString::fromStdString(row.name)).arg(count), "rows",
                              row.id);
        if (it != by_row.end()) add_racks(r, it->second);
        h->addChild(r);
      }
      if (auto it = by_row.find(0); it != by_row.end()) add_racks(h, it->second);
      auto add_units = [&](const auto& table, const std::string& word, const QString& name, const QString& image) {
        auto* g = group(name);
        for (const auto& u : table)
          if (u.hall == hall.id) g->addChild(entity_item(words_for(u), word, u.id, image));
        if (g->childCount() > 0) {
          g->setText(0, name + QStringLiteral(" (%1)").arg(g->childCount()));
          h->addChild(g);
        } else {
          delete g;
        }
      };
      add_units(*design.power_units, "power_units", OutlinePanel::tr("Power"), QStringLiteral("ups"));
      add_units(*design.cooling_units, "cooling_units", OutlinePanel::tr("Cooling units"), QStringLiteral("cdu"));
      add_units(*design.containments, "containments", OutlinePanel::tr("Containment"), QStringLiteral("containment"));
      add_units(*design.trays, "trays", OutlinePanel::tr("Trays"), QStringLiteral("tray"));
      add_units(*design.pipes, "pipes", OutlinePanel::tr("Pipes"), QStringLiteral("pipe"));
      add_units(*design.structures, "structures", OutlinePanel::tr("Structure"), QStringLiteral("column"));
      add_units(*design.zones, "zones", OutlinePanel::tr("Zones"), QStringLiteral("zone"));
      add_units(*design.notes, "notes", OutlinePanel::tr("Notes and labels"), QStringLiteral("note"));
      add_units(*design.dimensions, "dimensions", OutlinePanel::tr("Dimensions"), QStringLiteral("dimension"));
      add_units(*design.guides, "guides", OutlinePanel::tr("Guides"), QStringLiteral("minus"));
      add_units(*design.underlays, "underlays", OutlinePanel::tr("Underlays"), QStringLiteral("layers"));
      if (storey)
        storey->addChild(h);
      else
        top.append(h);
    }
  }
  auto list = [&](const auto& table, const std::string& word, const QString& name, const QString& image) {
    if (table.empty()) return;
    auto* g = group(name);
    g->setText(0, name + QStringLiteral(" (%1)").arg(table.size()));
    for (const auto& e : table)
      g->addChild(entity_item(QString::fromStdString(e.name), word, e.id, image));
    top.append(g);
  };
  // Groups hold their members again, so that one is found from its group as well as from its hall.
  if (!design.groups->empty()) {
    auto* all = group(OutlinePanel::tr("Groups"));
    all->setText(0, OutlinePanel::tr("Groups") + QStringLiteral(" (%1)").arg(design.groups->size()));
    std::map<Id, QTreeWidgetItem*> by_id;
    for (const Group& g : *design.groups) {
      auto* item = entity_item(QString::fromStdString(g.name), "groups", g.id, QStringLiteral("group"));
      by_id[g.id] = item;
      all->addChild(item);
    }
    const auto members = [&](const auto& table, const char* word) {
      for (const auto& e : table)
        if (const auto it = by_id.find(e.group); e.group && it != by_id.end())
          it->second->addChild(entity_item(words_for(e), word, e.id));
    };
    members(*design.racks, "racks");
    members(*design.power_units, "power_units");
    members(*design.cooling_units, "cooling_units");
    members(*design.structures, "structures");
    members(*design.containments, "containments");
    members(*design.trays, "trays");
    members(*design.pipes, "pipes");
    members(*design.notes, "notes");
    top.append(all);
  }
  list(*design.rack_types, "rack_types", tr("Rack types"), QStringLiteral("rack"));
  if (!top.isEmpty() && !design.rack_types->empty()) {
    auto* types = top.back();
    for (int i = 0; i < types->childCount(); ++i) {
      const EntityRef type = entity_of(types->child(i));
      for (const RackItem& item : *design.rack_items)
        if (item.rack_type == type.id)
          types->child(i)->addChild(
              entity_item(QStringLiteral("%1 \u00d7 %2").arg(item.count).arg(QString::fromStdString(item.part)),
                          "rack_items", item.id));
    }
  }
  // Power units outside any hall (utility, generators in the yard).
  auto* yard = group(tr("Site power"));
  for (const PowerUnit& u : *design.power_units)
    if (u.hall == 0)
      yard->addChild(entity_item(QString::fromStdString(u.name), "power_units", u.id, QStringLiteral("ups")));
  if (yard->childCount() > 0)
    top.append(yard);
  else
    delete yard;
  // Dry coolers, chillers and towers that stand outside.
  auto* outside = group(tr("Site cooling"));
  for (const CoolingUnit& u : *design.cooling_units)
    if (u.hall == 0)
      outside->addChild(entity_item(QString::fromStdString(u.name), "cooling_units", u.id, QStringLiteral("dry-cooler")));
  if (outside->childCount() > 0)
    top.append(outside);
  else
    delete outside;
  list(*design.loops, "loops", tr("Coolant loops"), QStringLiteral("cooling"));
  list(*design.networks, "networks", tr("Networks"), QStringLiteral("fabric"));
  tree_->addTopLevelItems(top);
  for (QTreeWidgetItemIterator it(tree_); *it; ++it)
    if (open.count(path_of(*it)) > 0 || (first && (*it)->data(0, table_role).toString() == QLatin1String("halls")) ||
        (first && levels.size() > 1 && !(*it)->parent() && (*it)->childCount() > 0 &&
         (*it)->child(0)->data(0, table_role).toString() == QLatin1String("halls")))
      (*it)->setExpanded(true);
  updating_ = false;
  if (!chosen.empty()) setSelection(chosen);
  if (!search_->text().isEmpty()) Q_EMIT search_->textChanged(search_->text());
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
