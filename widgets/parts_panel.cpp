// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include <QDrag>
#include <QHeaderView>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "design/rack_slots.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/list_search.h"
#include "widgets/panels.h"
#include "widgets/theme.h"
#include "widgets/wrapping_delegate.h"

namespace hallwright {

const char* const part_mime_type = "application/x-hallwright-part";

namespace {
constexpr int part_role = Qt::UserRole + 1;

class PartsTree final : public QTreeWidget {
public:
  using QTreeWidget::QTreeWidget;

protected:
  QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override {
    if (items.isEmpty()) return nullptr;
    const QString part = items.front()->data(0, part_role).toString();
    if (part.isEmpty()) return nullptr;
    auto* data = new QMimeData;
    data->setData(QLatin1String(part_mime_type), part.toUtf8());
    return data;
  }
  QStringList mimeTypes() const override { return {QLatin1String(part_mime_type)}; }
  /// The plan and the elevation show the thing itself where it would land: at the cursor a sign is enough.
  void startDrag(Qt::DropActions) override {
    QMimeData* data = mimeData(selectedItems());
    if (!data) return;
    auto* drag = new QDrag(this);
    drag->setMimeData(data);
    drag->setPixmap(selectedItems().front()->icon(0).pixmap(18));
    drag->setHotSpot(QPoint(-14, -10));
    drag->exec(Qt::CopyAction);
  }
};

QString size_and_rating(const Catalog& catalog, std::string_view kind, const std::string& id) {
  if (kind == "cooling") {
    const CoolingPart* p = catalog.find<CoolingPart>(id);
    return p && p->capacity ? screen_text(base_value(*p->capacity), kind::power) : QString();
  }
  const PowerPart* p = catalog.find<PowerPart>(id);
  return p && p->rating ? screen_text(base_value(*p->rating), kind::power) : QString();
}

/// What people call a kind of part besides its name, for the search.
QString other_words(const QString& kind) {
  static const std::map<QString, QString> words{
      {QStringLiteral("ups"), PartsPanel::tr("UPS uninterruptible power supply battery backup")},
      {QStringLiteral("generator"), PartsPanel::tr("generator genset diesel standby")},
      {QStringLiteral("busway"), PartsPanel::tr("busway busbar bus duct track tap-off plug-in")},
      {QStringLiteral("distribution"),
       PartsPanel::tr("distribution PDU floor RPP remote power panel board switchboard")},
      {QStringLiteral("transformer"), PartsPanel::tr("transformer substation")},
      {QStringLiteral("switchgear"), PartsPanel::tr("switchgear switchboard breaker main bus medium voltage")},
      {QStringLiteral("static switch"), PartsPanel::tr("static transfer switch STS ATS second source")},
      {QStringLiteral("rectifier"), PartsPanel::tr("rectifier AC DC direct current 800 V solid-state transformer")},
      {QStringLiteral("dry cooler"), PartsPanel::tr("dry cooler fluid cooler heat rejection outdoor")},
      {QStringLiteral("chiller"), PartsPanel::tr("chiller refrigeration heat rejection facility water")},
      {QStringLiteral("cooling tower"), PartsPanel::tr("cooling tower evaporative heat rejection outdoor")},
      {QStringLiteral("rack pdu"), PartsPanel::tr("rack PDU rPDU power strip outlet")},
      {QStringLiteral("cdu"), PartsPanel::tr("CDU coolant distribution unit liquid cooling")},
      {QStringLiteral("crah"),
       PartsPanel::tr("CRAH CRAC computer room air handler conditioner air cooling in-row cooler")},
      {QStringLiteral("fan wall"), PartsPanel::tr("fan wall AHU air handler array cooling")},
      {QStringLiteral("rear door"), PartsPanel::tr("rear door RDHx heat exchanger liquid cooling")},
      {QStringLiteral("node"), PartsPanel::tr("node server GPU accelerator compute tray")},
      {QStringLiteral("switch"), PartsPanel::tr("switch leaf spine InfiniBand Ethernet network")},
      {QStringLiteral("storage"), PartsPanel::tr("storage file system flash")},
      {QStringLiteral("cabinet"), PartsPanel::tr("cabinet rack enclosure")},
      {QStringLiteral("rack"), PartsPanel::tr("rack integrated GPU")},
      {QStringLiteral("column"), PartsPanel::tr("column pillar")},
      {QStringLiteral("wall"), PartsPanel::tr("wall partition")},
      {QStringLiteral("door"), PartsPanel::tr("door gate exit")},
      {QStringLiteral("obstacle"), PartsPanel::tr("obstacle block")},
      {QStringLiteral("no-go"), PartsPanel::tr("no-go area keep clear")}};
  const auto it = words.find(kind);
  return it == words.end() ? kind : it->second;
}

/// Whether every word that is looked for begins or stands in the text.
bool has_all(const QString& text, const QStringList& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

QString icon_of_role(RackRole role) {
  switch (role) {
  case RackRole::compute: return QStringLiteral("rack");
  case RackRole::fabric: return QStringLiteral("switch-rack");
  case RackRole::storage: return QStringLiteral("storage-rack");
  case RackRole::management: return QStringLiteral("rack");
  }
  return QStringLiteral("rack");
}
} // namespace

PartsPanel::PartsPanel(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Parts"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 0);
  column->setSpacing(2 * spacing_unit);
  search_ = new QLineEdit(this);
  search_->setPlaceholderText(tr("Search parts (Ctrl+F)"));
  search_->setClearButtonEnabled(true);
  search_->setObjectName(QStringLiteral("parts_search"));
  search_->setAccessibleName(tr("Search parts"));
  tree_ = new PartsTree(this);
  tree_->setObjectName(QStringLiteral("parts_tree"));
  tree_->setAccessibleName(tr("Parts to place"));
  tree_->setHeaderHidden(true);
  tree_->setIndentation(10);
  tree_->setDragEnabled(true);
  tree_->setDragDropMode(QAbstractItemView::DragOnly);
  tree_->setItemDelegate(new WrappingDelegate(tree_, 2)); // names of parts differ in their last words
  tree_->setToolTip(tr("Drag onto the plan or the rack elevation, or press Enter and click where it should stand"));
  column->addWidget(search_);
  column->addWidget(tree_, 1);
  connect(search_, &QLineEdit::textChanged, this, [this] { fill(); });
  const auto use = [this](const QTreeWidgetItem* item) {
    const QString part = item->data(0, part_role).toString();
    if (part == QLatin1String("new/rack_type")) Q_EMIT newRackTypeRequested();
    else if (!part.isEmpty()) Q_EMIT partActivated(part);
  };
  connect(tree_, &QTreeWidget::itemActivated, this, use);
  auto* keys = new ListSearch(search_, tree_);
  connect(keys, &ListSearch::found, this, [this, use] { use(tree_->currentItem()); });
}

void PartsPanel::setDesign(const Design& design, const Shared<Catalog>& catalog) {
  const bool same = design.rack_types == design_.rack_types && catalog == catalog_;
  design_ = design;
  catalog_ = catalog;
  if (!same) fill();
}

void PartsPanel::recolour() { fill(); }
void PartsPanel::clearSearch() { search_->clear(); }

void PartsPanel::focusSearch() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

void PartsPanel::fill() {
  if (!catalog_) return;
  const QString wanted = search_->text().trimmed();
  const QStringList words = wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  const auto* racks_of_catalog = tree_->topLevelItem(1);
  const bool was_open = racks_of_catalog && racks_of_catalog->isExpanded() && !was_searched_;
  was_searched_ = !wanted.isEmpty();
  tree_->clear();
  QFont section_font = font();
  section_font.setPointSizeF(section_font.pointSizeF() * 0.9);
  auto section = [&](const QString& name) {
    auto* item = new QTreeWidgetItem(tree_, {name});
    item->setFlags(Qt::ItemIsEnabled);
    item->setFont(0, section_font);
    item->setForeground(0, theme().secondary_text);
    return item;
  };
  // What is looked for is name, maker, kind and what else people call it; the heading is a kind, too.
  auto add = [&](QTreeWidgetItem* parent, const QString& name, const QString& part, const QString& icon_name,
                 const QString& tip, const QString& also = {}) {
    if (!words.isEmpty() && !has_all(name + QLatin1Char(' ') + also + QLatin1Char(' ') + parent->text(0), words))
      return;
    auto* item = new QTreeWidgetItem(parent, {name});
    item->setData(0, part_role, part);
    item->setIcon(0, icon(icon_name));
    item->setToolTip(0, tip.isEmpty() ? name : tip);
  };
  auto* racks = section(tr("Racks of this design"));
  for (const RackType& type : *design_.rack_types)
    add(racks, QString::fromStdString(type.name), QStringLiteral("rack_types/%1").arg(type.id), icon_of_role(type.role),
        {}, to_qstring(ChoiceWords<RackRole>::words[static_cast<std::size_t>(type.role)]));
  add(racks, tr("New rack type\u2026"), QStringLiteral("new/rack_type"), QStringLiteral("plus"),
      tr("Asks for a name and a cabinet, makes an empty rack type and opens it in the inspector"));
  auto* catalog_racks = section(tr("Racks of the catalog"));
  const auto cabinet = [this](const std::string& id) { return catalog_->find<RackPart>(id)->kind == "cabinet"; };
  for (const bool cabinets : {false, true}) // what is complete comes first
    for (const PartSummary& p : part_summaries(*catalog_, "rack")) {
      if (cabinet(p.id) != cabinets) continue;
      const RackPart* part = catalog_->find<RackPart>(p.id);
      const QString rating = part->power_nominal ? screen_text(base_value(*part->power_nominal), kind::power) : QString();
      add(catalog_racks,
          maker_and_name(p.vendor, p.name) + (rating.isEmpty() ? QString() : QStringLiteral(", ") + rating),
          QStringLiteral("racks/%1").arg(QString::fromStdString(p.id)), QStringLiteral("rack"),
          tr("%1, %2\nPlacing it makes a rack type of this part\n%3 (%4)")
              .arg(maker_and_name(p.vendor, p.name), QString::fromStdString(part->kind),
                   QString::fromStdString(p.source), QString::fromStdString(p.as_of)),
          other_words(cabinets ? QStringLiteral("cabinet") : QStringLiteral("rack")) + QLatin1Char(' ') +
              QString::fromStdString(part->kind));
    }
  auto* cooling = section(tr("Cooling"));
  for (const PartSummary& p : part_summaries(*catalog_, "cooling")) {
    const CoolingPart* part = catalog_->find<CoolingPart>(p.id);
    QString word, image;
    const std::string& kind = part->kind;
    if (kind.rfind("cdu in-row", 0) == 0 || kind.rfind("cdu facility", 0) == 0) word = QStringLiteral("cdu"), image = QStringLiteral("cdu");
    else if (kind == "crah" || kind == "in-row cooler") word = QStringLiteral("crah"), image = QStringLiteral("crah");
    else if (kind == "fan wall") word = QStringLiteral("fan wall"), image = QStringLiteral("fan-wall");
    else if (kind.rfind("rear-door", 0) == 0) word = QStringLiteral("rear door"), image = QStringLiteral("rear-door");
    else continue;
    const QString rating = size_and_rating(*catalog_, "cooling", p.id);
    add(cooling, maker_and_name(p.vendor, p.name) + (rating.isEmpty() ? QString() : QStringLiteral(", ") + rating),
        QStringLiteral("cooling/%1/%2").arg(word, QString::fromStdString(p.id)), image,
        maker_and_name(p.vendor, p.name) + QString::fromStdString(", " + kind + "\n" + p.source + " (" + p.as_of + ")"),
        other_words(word) + QLatin1Char(' ') + QString::fromStdString(kind));
  }
  // What gives the heat to the outdoor air.
  auto* rejection = section(tr("Heat rejection"));
  add(rejection, tr("Cooling tower"), QStringLiteral("cooling/cooling tower/"), QStringLiteral("cooling-tower"),
      tr("A cooling tower without a catalog part: type its capacity in the inspector"),
      other_words(QStringLiteral("cooling tower")));
  add(rejection, tr("Dry cooler"), QStringLiteral("cooling/dry cooler/"), QStringLiteral("dry-cooler"),
      tr("A dry cooler without a catalog part: type its capacity in the inspector"),
      other_words(QStringLiteral("dry cooler")));
  for (const PartSummary& p : part_summaries(*catalog_, "cooling")) {
    const CoolingPart* part = catalog_->find<CoolingPart>(p.id);
    const bool chiller = part->kind == "chiller";
    if (!chiller && part->kind != "dry cooler" && part->kind != "cooling tower") continue;
    const QString word = to_qstring(part->kind);
    const QString rating = size_and_rating(*catalog_, "cooling", p.id);
    add(rejection, maker_and_name(p.vendor, p.name) + (rating.isEmpty() ? QString() : QStringLiteral(", ") + rating),
        QStringLiteral("cooling/%1/%2").arg(word, QString::fromStdString(p.id)),
        QString(word).replace(QLatin1Char(' '), QLatin1Char('-')),
        maker_and_name(p.vendor, p.name) +
            QString::fromStdString(", " + part->kind + "\n" + p.source + " (" + p.as_of + ")"),
        other_words(word));
  }
  auto* power = section(tr("Power"));
  for (const PartSummary& p : part_summaries(*catalog_, "power")) {
    const PowerPart* part = catalog_->find<PowerPart>(p.id);
    QString word, image;
    if (part->kind == "ups") word = QStringLiteral("ups"), image = QStringLiteral("ups");
    else if (part->kind == "generator") word = QStringLiteral("generator"), image = QStringLiteral("generator");
    else if (part->kind == "busway") word = QStringLiteral("busway"), image = QStringLiteral("busway");
    else continue;
    const QString rating = size_and_rating(*catalog_, "power", p.id);
    add(power, maker_and_name(p.vendor, p.name) + (rating.isEmpty() ? QString() : QStringLiteral(", ") + rating),
        QStringLiteral("power/%1/%2").arg(word, QString::fromStdString(p.id)), image,
        maker_and_name(p.vendor, p.name) + QString::fromStdString("\n" + p.source + " (" + p.as_of + ")"),
        other_words(word));
  }
  add(power, tr("Switchgear"), QStringLiteral("power/switchgear/"), QStringLiteral("switchgear"),
      tr("A bus with its breakers, without a catalog part: type its rating in the inspector"),
      other_words(QStringLiteral("switchgear")));
  add(power, tr("Static switch"), QStringLiteral("power/static switch/"), QStringLiteral("static-switch"),
      tr("Moves its load to the second source within a quarter of a cycle; type its rating and second source in the "
         "inspector"),
      other_words(QStringLiteral("static switch")));
  add(power, tr("Rectifier"), QStringLiteral("power/rectifier/"), QStringLiteral("rectifier"),
      tr("From alternating to direct current, without a catalog part: type its rating and voltage in the inspector"),
      other_words(QStringLiteral("rectifier")));
  add(power, tr("Distribution unit"), QStringLiteral("power/distribution/"), QStringLiteral("pdu"),
      tr("A distribution unit (floor PDU, RPP) without a catalog part: type its rating in the inspector"),
      other_words(QStringLiteral("distribution")));
  add(power, tr("Transformer"), QStringLiteral("power/transformer/"), QStringLiteral("transformer"),
      tr("A transformer without a catalog part: type its rating in the inspector"),
      other_words(QStringLiteral("transformer")));
  auto* structure = section(tr("Structure"));
  const std::pair<QString, const char*> kinds[] = {{tr("Column"), "column"}, {tr("Wall"), "wall"}, {tr("Door"), "door"}, {tr("Obstacle"), "obstacle"}, {tr("No-go area"), "no-go"}};
  for (const auto& [name, word] : kinds) {
    QString image = QLatin1String(word);
    if (image == QLatin1String("obstacle") || image == QLatin1String("no-go")) image = QStringLiteral("hall");
    add(structure, name, QStringLiteral("structure/") + QLatin1String(word), image, {},
        other_words(QLatin1String(word)));
  }
  // What goes into racks, onto their elevation.
  const auto rack_parts = [&](const QString& title, RackItemKind item, std::string_view kind, const QString& image,
                              const QString& also, auto&& fits) {
    const QString word = to_qstring(ChoiceWords<RackItemKind>::words[static_cast<std::size_t>(item)]);
    auto* head = section(title);
    for (const PartSummary& p : part_summaries(*catalog_, kind)) {
      if (!fits(p.id)) continue;
      QString name = maker_and_name(p.vendor, p.name);
      if (const auto halves = rack_part_size(*catalog_, item, p.id).half_units)
        name += tr(", %1U").arg(screen_number(static_cast<double>(*halves) / 2.0, 'g', 4));
      add(head, name, QStringLiteral("%1/%2").arg(word, QString::fromStdString(p.id)), image,
          tr("%1\nDrag onto the rack elevation, or press Enter to put it at the lowest free place\n%2 (%3)")
              .arg(name, QString::fromStdString(p.source), QString::fromStdString(p.as_of)),
          also);
    }
  };
  const auto all = [](const std::string&) { return true; };
  const auto with_units = [this](const std::string& id) { return catalog_->find<StoragePart>(id)->rack_units.has_value(); };
  const auto pdus = [this](const std::string& id) { return catalog_->find<PowerPart>(id)->kind == "rack pdu"; };
  rack_parts(tr("Nodes, for racks"), RackItemKind::node, "node", QStringLiteral("rack"),
             other_words(QStringLiteral("node")), all);
  rack_parts(tr("Switches, for racks"), RackItemKind::network_switch, "switch", QStringLiteral("switch-rack"),
             other_words(QStringLiteral("switch")), all);
  rack_parts(tr("Storage, for racks"), RackItemKind::storage, "storage", QStringLiteral("storage-rack"),
             other_words(QStringLiteral("storage")), with_units);
  rack_parts(tr("Rack PDUs"), RackItemKind::other, "power", QStringLiteral("pdu"),
             other_words(QStringLiteral("rack pdu")), pdus);
  bool any = false;
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
    auto* s = tree_->topLevelItem(i);
    const bool racks_wanted = i == 1 && (was_open || design_.rack_types->empty());
    s->setExpanded(i == 0 || racks_wanted || s == structure || !wanted.isEmpty());
    s->setHidden(s->childCount() == 0);
    any = any || s->childCount() > 0;
  }
  if (!any) {
    auto* none = new QTreeWidgetItem(
        tree_, {tr("No part goes by \u201c%1\u201d: try its maker, its kind or fewer letters.").arg(wanted)});
    none->setFlags(Qt::ItemIsEnabled);
    none->setForeground(0, theme().secondary_text);
  }
}

} // namespace hallwright
