// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/entity_title.h"

#include <QCoreApplication>

#include "widgets/figure_text.h"

namespace hallwright {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("EntityTitle", text); }

QString part_title(const Catalog* catalog, const std::string& part) {
  if (catalog) {
    if (const auto* p = catalog->find<NodePart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<SwitchPart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<StoragePart>(part)) return to_qstring(p->name);
    if (const auto* p = catalog->find<PowerPart>(part)) return to_qstring(p->name);
  }
  return to_qstring(part);
}

/// One thing of a table in words: "rack_items" is a rack item.
QString kind_word(const std::string& table) {
  if (table == "rack_items") return tr("Rack item");
  if (table == "notes") return tr("Note");
  if (table == "dimensions") return tr("Dimension");
  if (table == "guides") return tr("Guide");
  if (table == "part_overrides") return tr("Replaced value");
  if (table == "waivers") return tr("Waiver");
  if (table == "scenario_changes") return tr("Change of a scenario");
  if (table == "published") return tr("Published figure");
  if (table == "halls") return tr("Hall");
  if (table == "zones") return tr("Zone");
  if (table == "groups") return tr("Group");
  if (table == "structures") return tr("Part of the structure");
  if (table == "rack_types") return tr("Rack type");
  if (table == "rows") return tr("Row");
  if (table == "racks") return tr("Rack");
  if (table == "power_units") return tr("Power unit");
  if (table == "loops") return tr("Coolant loop");
  if (table == "cooling_units") return tr("Cooling unit");
  if (table == "containments") return tr("Containment");
  if (table == "trays") return tr("Cable tray");
  if (table == "pipes") return tr("Pipe");
  if (table == "networks") return tr("Network");
  if (table == "scenarios") return tr("Scenario");
  if (table == "underlays") return tr("Underlay");
  QString word = to_qstring(table).replace(QLatin1Char('_'), QLatin1Char(' '));
  return word.isEmpty() ? word : word.front().toUpper() + word.mid(1);
}

} // namespace

QString entity_title(const Design& design, const Catalog* catalog, const EntityRef& entity) {
  if (entity.table == "rack_items") {
    if (const RackItem* item = find(*design.rack_items, entity.id); item && !item->part.empty())
      return QStringLiteral("%1 \u00d7 %2").arg(item->count).arg(part_title(catalog, item->part));
  } else if (entity.table == "notes") {
    if (const Note* note = find(*design.notes, entity.id)) {
      QString line = to_qstring(note->text).section(QLatin1Char('\n'), 0, 0).trimmed();
      constexpr qsizetype longest = 40;
      if (line.size() > longest) line = line.left(longest - 1) + QChar(0x2026);
      if (!line.isEmpty()) return (note->kind == NoteKind::label ? tr("Label: %1") : tr("Note: %1")).arg(line);
    }
  } else {
    const std::string without = entity.id == 0 ? entity.table : entity.table + " " + std::to_string(entity.id);
    if (const std::string name = entity_name(design, entity); name != without) return to_qstring(name);
  }
  return entity.id == 0 ? kind_word(entity.table) : QStringLiteral("%1 %2").arg(kind_word(entity.table)).arg(entity.id);
}

} // namespace hallwright
